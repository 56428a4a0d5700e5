//! The models of a benchmark: files and folders, and their expected verdicts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use veristep_core::run::Kind;

use crate::input::{self, BadInput};

/// A model to be measured.
pub(super) struct Model {
    pub(super) path: PathBuf,
    /// The file's name without extension.
    pub(super) name: String,
    /// Its category: the beginning of its name, or its folder.
    pub(super) category: String,
    /// In the syntax of `check`; `None` is the format's own property.
    pub(super) property: Option<String>,
    /// `holds` or `violated`.
    pub(super) expected: Option<String>,
}

/// Lines of a manifest by file: property and expected answer.
type Manifest = BTreeMap<PathBuf, Vec<(String, String)>>;

/// All models below these paths, by name.
pub(super) fn find(paths: &[PathBuf]) -> Result<Vec<Model>, BadInput> {
    let mut files = Vec::new();
    let mut manifest = Manifest::new();
    for path in paths {
        collect(path, &mut files)?;
        let folders = path.ancestors().take(3).filter(|f| !f.as_os_str().is_empty());
        for folder in folders {
            read_manifest(folder, &mut manifest)?;
        }
    }
    files.sort();
    files.dedup();
    let mut models = Vec::new();
    for path in files {
        let known = manifest.get(&path).cloned();
        let questions = known.unwrap_or_else(|| vec![(String::new(), own_expectation(&path))]);
        for (property, expected) in questions {
            let Some(property) = asked(&property, &path) else { continue };
            let expected = match expected.as_str() {
                "safe" | "holds" | "reachable" => Some("holds".to_owned()),
                "unsafe" | "violated" | "unreachable" => Some("violated".to_owned()),
                _ => None,
            };
            models.push(Model {
                name: name(&path),
                category: category(&path),
                property,
                expected,
                path: path.clone(),
            });
        }
    }
    Ok(models)
}

/// A property of a manifest in the syntax of `check`; nothing unless it is a safety property. File names are relative
/// to the manifest.
fn asked(property: &str, model: &Path) -> Option<Option<String>> {
    Some(match property.split(':').next()? {
        "" | "error-location-unreachable" | "unreach-call(reach_error)" => None,
        "invariant" | "embedded" | "bad-unreachable" => Some(property.to_owned()),
        "invariant-file" => {
            let file = &property["invariant-file:".len()..];
            let found = model.ancestors().skip(1).map(|folder| folder.join(file)).find(|f| f.is_file())?;
            Some(format!("invariant-file:{}", found.display()))
        }
        _ if property.starts_with("E<>") => Some(property.to_owned()),
        _ => return None,
    })
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), BadInput> {
    let failed = |e: std::io::Error| BadInput::Mistake(format!("{}: error: {e}", path.display()));
    if !path.is_dir() {
        std::fs::metadata(path).map_err(failed)?;
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?.path();
        let known = entry.extension().and_then(|e| e.to_str()).is_some_and(|e| Kind::of_name(e).is_some());
        if entry.is_dir() {
            collect(&entry, files)?;
        } else if known && entry.is_file() {
            files.push(entry);
        }
    }
    Ok(())
}

/// Reads `MANIFEST.tsv` (file, kind, property, expected) if there is one.
fn read_manifest(folder: &Path, manifest: &mut Manifest) -> Result<(), BadInput> {
    let path = folder.join("MANIFEST.tsv");
    if !path.is_file() {
        return Ok(());
    }
    for line in input::read(&path)?.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        if let [file, _, property, expected, ..] = fields.as_slice() {
            let questions = manifest.entry(folder.join(file)).or_default();
            let question = ((*property).to_owned(), (*expected).to_owned());
            if !questions.contains(&question) {
                questions.push(question);
            }
        }
    }
    Ok(())
}

/// The first word of a model's first comment, which may be a verdict.
fn own_expectation(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let first = text.trim_start().strip_prefix("//").unwrap_or_default();
    first.split_whitespace().next().unwrap_or_default().trim_end_matches([':', '.', ',']).to_owned()
}

fn name(path: &Path) -> String {
    path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Letters before the first digit or dash of the name, if other models are likely to share them; otherwise the folder.
fn category(path: &Path) -> String {
    let name = name(path);
    for start in ["plcverif", "test_locks"] {
        if name.starts_with(start) {
            return start.to_owned();
        }
    }
    let folder = path.parent().and_then(|p| p.file_name());
    folder.map(|f| f.to_string_lossy().into_owned()).unwrap_or_default()
}

//! The properties of shared models, in `../shared/models`.

use std::path::{Path, PathBuf};

use veristep_core::diagnostic::Severity;
use veristep_core::property::Property;
use veristep_core::run::{self, Kind};
use veristep_core::system::System;

use crate::shared;

/// A property with its expected answer.
pub struct Row {
    /// The file.
    pub name: String,
    /// `holds` or `violated`.
    pub expected: &'static str,
    /// `None` if the format rejects it.
    pub question: Option<(System, Property)>,
}

/// The properties in the manifest of models of these kinds that are supported here; `None` without the folder.
///
/// # Panics
/// If a model cannot be read that should be.
#[must_use]
#[allow(clippy::print_stdout)]
pub fn rows(kinds: &[&str]) -> Option<Vec<Row>> {
    let folder = shared("models")?;
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let mut rows = Vec::new();
    for line in manifest.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (name, kind, property, expected) = (fields[0], fields[1], fields[2], fields[3]);
        let Some(asked) = asked(property, &folder).filter(|_| kinds.contains(&kind)) else { continue };
        let expected = match expected {
            "safe" | "reachable" | "holds" | "no-lasso" => "holds",
            "unsafe" | "unreachable" | "violated" | "lasso" => "violated",
            _ => continue,
        };
        let path: PathBuf = folder.join(name);
        let Some(kind) = path.extension().and_then(|e| Kind::of_name(e.to_str()?)) else { continue };
        let text = std::fs::read_to_string(path).unwrap();
        let read = run::load_for(kind, &text, Some(&asked).filter(|a| !a.is_empty()).map(String::as_str));
        let question = match read {
            Ok(system) => {
                let property = run::property(&system, &asked).unwrap();
                Some((system, property))
            }
            Err(d) => {
                assert!(d.iter().all(|d| d.severity == Severity::Unsupported), "{name}: {}", d[0].message);
                println!("{name}: refused: {}", d[0].message);
                None
            }
        };
        rows.push(Row { name: name.to_owned(), expected, question });
    }
    Some(rows)
}

/// The property in the syntax of this project; empty for the model's own one.
fn asked(property: &str, folder: &Path) -> Option<String> {
    match property.split(':').next()? {
        p if p == "error-location-unreachable" || p.starts_with("unreach-call") => Some(String::new()),
        "invariant-file" => {
            let file = folder.join(property.strip_prefix("invariant-file:")?);
            let text = std::fs::read_to_string(file).unwrap();
            Some(body(&text).to_owned())
        }
        "recurrent-file" => {
            let file = folder.join(property.strip_prefix("recurrent-file:")?);
            Some(format!("recurrent:{}", body(&std::fs::read_to_string(file).unwrap())))
        }
        "recurrent-location" => Some(property.to_owned()),
        p if p == "ltl" || p.starts_with("ltl[") => Some(property.to_owned()),
        "invariant" | "stable-invariant" | "embedded" | "bad-unreachable" => Some(property.to_owned()),
        p if p.starts_with("E<>") => Some(property.to_owned()),
        _ => None,
    }
}

/// The text between the braces of `prop { … }`.
fn body(text: &str) -> &str {
    let block = text.trim().strip_prefix("prop").map(str::trim);
    block.map_or(text, |t| t.trim_start_matches('{').trim_end_matches('}')).trim()
}

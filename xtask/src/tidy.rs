//! `cargo xtask tidy`: the project's conventions as checks. A rule is a function from files to findings, one
//! text each, and has a unit test with a finding.

mod layers;
mod orphans;
pub(crate) mod outside;
mod paths;
mod sizes;
mod source;
mod versions;
mod words;

use crate::run::{Fallible, Project};
use std::fs;
use std::path::Path;

/// Folders without source of the project.
const SKIPPED: &[&str] = &[".git", "target", "dist", "node_modules", "static/vendor", "tests/browser/out"];
const LARGEST_TEXT: u64 = 4 << 20;

/// A text file of the project.
pub(crate) struct File {
    /// Relative to the root, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl File {
    fn has_ending(&self, endings: &[&str]) -> bool {
        self.path.rsplit_once('.').is_some_and(|(_, ending)| endings.contains(&ending))
    }
}

pub(crate) fn tidy(project: &Project) -> Fallible {
    let mut files = Vec::new();
    collect(&project.root, "", &mut files)?;
    files.sort_by(|left, right| left.path.cmp(&right.path));
    let mut findings = Vec::new();
    findings.extend(layers::check(&files));
    findings.extend(orphans::check(&files));
    findings.extend(sizes::check(&files));
    findings.extend(words::check(&files));
    findings.extend(paths::check(&files, |path| project.root.join(path).exists()));
    findings.extend(versions::check(&files));
    findings.extend(outside::check(&files));
    findings.extend(files.iter().filter_map(opening));
    for finding in &findings {
        println!("tidy: {finding}");
    }
    match findings.len() {
        0 => {
            println!("tidy: {} files are in order", files.len());
            Ok(())
        }
        count => Err(format!("tidy has {count} findings")),
    }
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<File>) -> Fallible {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if SKIPPED.contains(&path.as_str()) {
            continue;
        }
        let kind = entry.metadata().map_err(failed)?;
        if kind.is_dir() {
            collect(&entry.path(), &format!("{path}/"), files)?;
        } else if kind.len() <= LARGEST_TEXT
            && let Ok(text) = fs::read_to_string(entry.path())
        {
            files.push(File { path, text });
        }
    }
    Ok(())
}

/// A source file opens with a paragraph that describes it.
fn opening(file: &File) -> Option<String> {
    let missing = file.has_ending(&["rs"]) && !file.text.starts_with("//! ");
    missing.then(|| format!("{}:1: a Rust file opens with a `//!` paragraph", file.path))
}

#[cfg(test)]
pub(crate) fn file(path: &str, text: &str) -> File {
    File { path: path.into(), text: text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_paragraph_is_found() {
        assert!(opening(&file("a.rs", "use std::fmt;\n")).is_some());
        assert!(opening(&file("a.rs", "//! What it is.\n")).is_none());
        assert!(opening(&file("a.md", "text")).is_none());
    }
}

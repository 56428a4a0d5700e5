//! Every path of this repository in the written guides exists.

use super::File;

const GUIDES: &[&str] = &["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];
/// Created by a build, so not always present.
const MADE: &[&str] = &["dist", "target", "node_modules"];
const PLAIN_ENDINGS: &[&str] = &[".md", ".toml", ".lock"];

pub(super) fn check(files: &[File], exists: impl Fn(&str) -> bool) -> Vec<String> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| GUIDES.contains(&file.path.as_str())) {
        for (number, line) in file.text.lines().enumerate() {
            for path in named_paths(line).filter(|path| !exists(path)) {
                findings.push(format!("{}:{}: `{path}` does not exist", file.path, number + 1));
            }
        }
    }
    findings
}

fn named_paths(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').skip(1).step_by(2);
    let linked = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    quoted.chain(linked).filter_map(as_path)
}

/// The path in a text, if it looks like one: no spaces or signs, a slash inside or a known ending.
fn as_path(text: &str) -> Option<&str> {
    let path = text.split('#').next()?.trim_start_matches("./");
    let plain = |char: char| char.is_ascii_alphanumeric() || "._-/".contains(char);
    let shaped = path.contains('/') || PLAIN_ENDINGS.iter().any(|ending| path.ends_with(ending));
    let ours = !path.starts_with(['/', '-']) && !path.contains("..") && !path.ends_with('.');
    let first = path.split('/').next()?;
    (shaped && ours && path.chars().all(plain) && !MADE.contains(&first)).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::file;

    fn missing(text: &str) -> Vec<String> {
        check(&[file("README.md", text)], |path| path == "core/src" || path == "Cargo.toml")
    }

    #[test]
    fn a_path_that_leads_nowhere_is_found() {
        assert_eq!(
            missing("see `core/src`\nand `core/none.rs`"),
            ["README.md:2: `core/none.rs` does not exist"]
        );
        assert_eq!(missing("[the plan](docs/plan.md#part)").len(), 1);
        assert_eq!(missing("`ROADMAP.md`").len(), 1);
    }

    #[test]
    fn other_things_pass() {
        assert!(
            missing("`Cargo.toml`, `cargo xtask serve`, `--port`, `a::b`, `x / y`, `dist/index.html`")
                .is_empty()
        );
        assert!(missing("[site](https://example.org/a/b) [up](#top) `model.cfa` `/`").is_empty());
    }
}

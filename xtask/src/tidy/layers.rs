//! Layering: `web → core → solver-lite`, `cli → core`, and no dependency in the other direction; below `cli` and `web`
//! there is no browser, no clock, no thread and no randomness.

use super::File;
use super::source;

/// Each member's manifest with its allowed dependencies.
const MAY_USE: &[(&str, &[&str])] = &[
    ("solver-lite/Cargo.toml", &[]),
    ("core/Cargo.toml", &["solver-lite"]),
    ("cli/Cargo.toml", &["veristep-core", "solver-lite"]),
    ("web/Cargo.toml", &["veristep-core", "solver-lite"]),
    ("tests/Cargo.toml", &["veristep-core", "solver-lite", "veristep"]),
    ("benches/Cargo.toml", &["veristep-tests", "veristep-core", "solver-lite"]),
    ("xtask/Cargo.toml", &[]),
];
const MEMBERS: &[&str] = &[
    "solver-lite",
    "veristep-core",
    "veristep",
    "veristep-cli",
    "veristep-web",
    "veristep-tests",
    "veristep-benches",
    "xtask",
];
/// The members whose runs must be the same everywhere.
const PURE: &[&str] = &["solver-lite/", "core/"];
const IMPURE_PACKAGES: &[&str] =
    &["wasm-bindgen", "web-sys", "js-sys", "yew", "rand", "getrandom", "fastrand", "rayon"];
const IMPURE_NAMES: &[&str] = &[
    "std::time",
    "std::thread",
    "std::env",
    "std::net",
    "SystemTime",
    "Instant::now",
    "wasm_bindgen",
    "web_sys",
    "js_sys",
    "rand::",
];

pub(super) fn check(files: &[File]) -> Vec<String> {
    let mut findings = Vec::new();
    for file in files {
        if file.path.ends_with("Cargo.toml") {
            findings.extend(manifest(file));
        } else if file.has_ending(&["rs"]) && is_shipped(&file.path) {
            findings.extend(impure_names(file));
        }
    }
    findings
}

/// Is this a source of the pure packages that is part of the page? Their tests and examples may use the clock.
fn is_shipped(path: &str) -> bool {
    let inside = |folder: &&str| path.strip_prefix(*folder).is_some_and(|rest| rest.starts_with("src/"));
    PURE.iter().any(inside) && !path.ends_with("tests.rs") && !path.contains("/tests/")
}

fn manifest(file: &File) -> Vec<String> {
    let Some((_, allowed)) = MAY_USE.iter().find(|(path, _)| *path == file.path) else {
        let root = file.path == "Cargo.toml";
        return if root { Vec::new() } else { vec![format!("{}: not a member known to tidy", file.path)] };
    };
    let pure = PURE.iter().any(|folder| file.path.starts_with(folder));
    let mut findings = Vec::new();
    for name in dependencies(&file.text) {
        if MEMBERS.contains(&name) && !allowed.contains(&name) {
            findings.push(format!("{}: must not depend on {name}", file.path));
        }
        if pure && (IMPURE_PACKAGES.contains(&name) || name.starts_with("gloo")) {
            findings.push(format!("{}: {name} has no place below the page", file.path));
        }
    }
    findings
}

/// The names in a manifest's dependency tables, whatever their kind and target.
fn dependencies(manifest: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut inside = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(table) = line.strip_prefix('[') {
            let table = table.trim_end_matches(']');
            inside = table.ends_with("dependencies");
            if let Some((_, name)) = table.split_once("dependencies.") {
                names.push(name);
            }
        } else if inside && !line.starts_with('#') {
            let end = line.find(['.', '=', ' ']).unwrap_or(0);
            names.extend((end > 0).then(|| line[..end].trim_matches('"')));
        }
    }
    names
}

fn impure_names(file: &File) -> Vec<String> {
    let code = source::blank(&file.text);
    let mut findings = Vec::new();
    for (number, line) in code.lines().enumerate() {
        for name in IMPURE_NAMES.iter().filter(|name| line.contains(**name)) {
            findings.push(format!("{}:{}: `{name}` has no place below the page", file.path, number + 1));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::file;

    #[test]
    fn pointing_back_is_found() {
        let back = "[package]\nname = \"solver-lite\"\n[dev-dependencies]\nveristep-core.workspace = true\n";
        assert_eq!(
            check(&[file("solver-lite/Cargo.toml", back)]),
            ["solver-lite/Cargo.toml: must not depend on veristep-core"]
        );
        let table = "[dependencies.veristep-web]\npath = \"../web\"\n";
        assert_eq!(check(&[file("core/Cargo.toml", table)]).len(), 1);
        let down = "[dependencies]\nveristep-core = { path = \"../core\" }\nserde = \"1\"\n[lints]\nworkspace = true\n";
        assert!(check(&[file("cli/Cargo.toml", down)]).is_empty());
    }

    #[test]
    fn a_browser_package_below_the_page_is_found() {
        let manifest = "[target.'cfg(target_arch = \"wasm32\")'.dependencies]\nweb-sys = \"0.3\"\n";
        assert_eq!(check(&[file("core/Cargo.toml", manifest)]).len(), 1);
        assert!(check(&[file("web/Cargo.toml", manifest)]).is_empty());
    }

    #[test]
    fn a_clock_below_the_page_is_found() {
        let text = "//! x\n// std::time is not used\nuse std::time::Duration;\n";
        assert_eq!(
            check(&[file("core/src/a.rs", text)]),
            ["core/src/a.rs:3: `std::time` has no place below the page"]
        );
        assert!(check(&[file("cli/src/a.rs", text)]).is_empty());
    }

    #[test]
    fn an_unknown_member_is_found() {
        assert_eq!(check(&[file("extra/Cargo.toml", "")]).len(), 1);
    }
}

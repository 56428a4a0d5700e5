//! Layering: `web → core → solver-lite`, `cli → core`, and no dependency in the other direction; below `cli` and `web`
//! there is no browser, no clock, no thread and no randomness.

use super::{File, source};

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

/// The modules of `core`, the lowest first; a module uses only those of its own line and of lines before. A longer
/// path wins, so files that belong elsewhere than their folder are named. Events stand with their methods, whose sum
/// `kit` makes.
const CORE: &[&[&str]] = &[
    &["choice", "data_model", "diagnostic", "edit", "edit/lines", "edit/pins", "id", "layout", "text"],
    &["expr"],
    &["net", "chart"],
    &["system", "chart/lower", "edit/automaton", "edit/net", "edit/source"],
    &["ltl"],
    &["ctl"],
    &["buchi", "net/branching", "net/witness"],
    &["temporal"],
    &["kit"],
    &["scene"],
    &["encoding", "property"],
    &["formats"],
    &[
        "statements",
        "formats/cfa/statements",
        "formats/gc/statements",
        "formats/net/statements",
        "formats/sts/statements",
        "formats/xsts/statements",
    ],
    &["certificate"],
    &["symbolic", "formats/aiger/witness", "formats/c/harness", "formats/c/witness"],
    &["formats/chc", "formats/smv", "formats/promela", "formats/flat"],
    &["formats/aiger/write", "formats/sts/print", "formats/xsts/print"],
    &["explain", "methods", "views", "kit/event", "kit/phase"],
    &["link", "picture"],
    &["run"],
    &["draw", "generate", "vacuity"],
];

/// The modules of the pages in `web`, the lowest first; no page uses the worker,
const PAGES: &[&[&str]] = &[
    &["text", "examples", "explained", "solver/protocol"],
    &["protocol", "formula/protocol"],
    &["browser", "client"],
    &["state", "keys", "pace"],
    &["files"],
    &["ui"],
    &["app", "compare", "solver", "formula"],
    &["bin", "worker"],
];
/// and the worker uses none of the pages.
const WORKER: &[&[&str]] = &[
    &["text", "examples", "explained", "solver/protocol"],
    &["protocol", "formula/protocol"],
    &["worker"],
    &[
        "browser", "client", "state", "keys", "pace", "files", "ui", "app", "compare", "solver", "formula",
        "bin",
    ],
];

/// The layers of the package of a file, and its path inside.
fn layers(path: &str) -> Option<(&'static [&'static [&'static str]], &str)> {
    if let Some(inside) = path.strip_prefix("core/src/") {
        return Some((CORE, inside));
    }
    let inside = path.strip_prefix("web/src/")?;
    Some((if inside.starts_with("worker") { WORKER } else { PAGES }, inside))
}

/// The line of a module or a file, by the longest path that it begins with.
fn line(layers: &[&[&'static str]], path: &str) -> Option<usize> {
    let inside =
        |name: &str| path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let lines =
        layers.iter().enumerate().flat_map(|(line, names)| names.iter().map(move |name| (line, *name)));
    lines.filter(|(_, name)| inside(name)).max_by_key(|(_, name)| name.len()).map(|(line, _)| line)
}

/// The modules that a source names after `crate::`, as paths.
fn named(code: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for rest in code.split("crate::").skip(1) {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(rest.len());
        match rest.strip_prefix('{').and_then(|list| list.split_once('}')) {
            Some((list, _)) => paths.extend(list.split(',').map(|item| item.trim().replace("::", "/"))),
            None => paths.push(rest[..end].trim_end_matches(':').replace("::", "/")),
        }
    }
    paths
}

/// Modules of `core` and `web` that use one above them, or that stand in no line.
fn upward(file: &File) -> Vec<String> {
    let path = file.path.strip_suffix(".rs").and_then(layers);
    let Some((layers, path)) = path else { return Vec::new() };
    if path == "lib" || path.ends_with("tests") || path.ends_with("example") {
        return Vec::new();
    }
    let Some(own) = line(layers, path) else {
        return vec![format!("{}: stands in no layer of xtask/src/tidy/layers.rs", file.path)];
    };
    let code = source::blank(&file.text);
    let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let above = named(code).into_iter().filter(|used| line(layers, used).is_some_and(|line| line > own));
    above.map(|used| format!("{}: uses {used}, which is above it", file.path)).collect()
}

pub(super) fn check(files: &[File]) -> Vec<String> {
    let mut findings = Vec::new();
    for file in files {
        if file.path.ends_with("Cargo.toml") {
            findings.extend(manifest(file));
        }
        if file.has_ending(&["rs"]) && is_shipped(&file.path) {
            findings.extend(impure_names(file));
        }
        if file.has_ending(&["rs"]) {
            findings.extend(upward(file));
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
    fn a_module_that_uses_one_above_it_is_found() {
        let text = "//! x\nuse crate::run::Run;\nuse crate::expr::Expr;\n// crate::run\n";
        assert_eq!(
            check(&[file("core/src/system/op.rs", text)]),
            ["core/src/system/op.rs: uses run/Run, which is above it"]
        );
        let list = "//! x\nuse crate::{methods, text};\n";
        assert_eq!(check(&[file("core/src/ltl/word.rs", list)]).len(), 1);
        assert!(
            check(&[file("core/src/temporal/product.rs", "//! x\nuse crate::buchi::Automaton;\n")])
                .is_empty()
        );
        assert_eq!(check(&[file("core/src/novel.rs", "//! x\n")]).len(), 1);
        let page =
            |path: &str, used: &str| check(&[file(path, &format!("//! x\nuse crate::{used};\n"))]).len();
        assert_eq!(
            (page("web/src/protocol.rs", "ui::Act"), page("web/src/ui/help.rs", "worker::start")),
            (1, 1)
        );
        assert_eq!(
            (page("web/src/worker/job.rs", "state::Pick"), page("web/src/worker/job.rs", "text::short")),
            (1, 0)
        );
        let tests = "//! x\n#[cfg(test)]\nmod tests {\n    use crate::run;\n}\n";
        assert!(check(&[file("core/src/expr.rs", tests)]).is_empty());
    }

    #[test]
    fn a_clock_below_the_page_is_found() {
        let text = "//! x\n// std::time is not used\nuse std::time::Duration;\n";
        assert_eq!(
            check(&[file("core/src/text.rs", text)]),
            ["core/src/text.rs:3: `std::time` has no place below the page"]
        );
        assert!(check(&[file("cli/src/a.rs", text)]).is_empty());
    }

    #[test]
    fn an_unknown_member_is_found() {
        assert_eq!(check(&[file("extra/Cargo.toml", "")]).len(), 1);
    }
}

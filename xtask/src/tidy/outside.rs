//! The list of packages, ignored tests and settings that switch targets off, which are not part of `cargo xtask test`,
//! each with the reason. Tests in places where they never run are reported.

use super::File;

/// A test or a setting of a manifest, and why it is not part of the default run.
const OUTSIDE: &[(&str, &str)] = &[
    ("benches/Cargo.toml: harness = false", "a benchmark, which `cargo bench` runs"),
    ("benches/Cargo.toml: bench = false", "a library without benchmarks of its own"),
    ("web/Cargo.toml: test = false", "programs of a few lines, which the browser tests run"),
    ("tests/tests/suite/agreement.rs: searches_agree_on_sixty_thousand_formulas", "takes minutes"),
    ("tests/tests/suite/alethe.rs: carcara_accepts_proofs", "needs Carcara"),
    ("tests/tests/suite/obligations.rs: other_solvers_answer_unsat_to_all_obligations", "needs z3 and cvc5"),
    ("tests/tests/suite/scenes.rs: graphviz_and_latex_accept_all_scenes", "needs Graphviz and LaTeX"),
    ("tests/tests/suite/shared_models.rs: no_method_is_wrong_on_transition_systems", "takes minutes"),
    ("tests/tests/suite/shared_models.rs: no_strategy_of_the_paper_is_wrong", "takes minutes"),
    ("tests/tests/suite/shared_smtlib.rs: partitions_of_all_refuted_files_are_interpolated", "takes minutes"),
    ("tests/tests/suite/shared_smtlib.rs: statuses_agree_within_twenty_seconds", "takes minutes"),
    ("core/src/layout/layered/tests.rs: speed", "measures time"),
    ("core/src/layout/tidy/tests.rs: speed", "measures time"),
];

/// Packages without tests, which are linted only.
pub(crate) const PACKAGES: &[&str] = &["veristep-benches"];

/// Packages with tests in their documentation.
pub(crate) const DOCUMENTED: &[&str] = &["solver-lite"];

/// Settings of a manifest by which a target is not tested.
const SWITCHES: &[&str] =
    &["test", "doctest", "harness", "bench", "autotests", "autobenches", "autoexamples", "autobins"];

pub(super) fn check(files: &[File]) -> Vec<String> {
    let found: Vec<String> =
        files.iter().flat_map(|file| [ignored(file), switched_off(file)].concat()).collect();
    let unlisted = found.iter().filter(|what| OUTSIDE.iter().all(|(listed, _)| listed != what));
    let gone = OUTSIDE.iter().filter(|(listed, _)| found.iter().all(|what| what != listed));
    let mut findings: Vec<String> = unlisted
        .map(|what| {
            format!("{what}: not part of `cargo xtask test`, and xtask/src/tidy/outside.rs gives no reason")
        })
        .chain(gone.map(|(listed, _)| format!("xtask/src/tidy/outside.rs: {listed} does not exist")))
        .collect();
    findings.extend(files.iter().filter_map(misplaced));
    findings
}

/// The functions below `#[ignore]`.
fn ignored(file: &File) -> Vec<String> {
    let mut lines = file.text.lines().filter(|_| file.has_ending(&["rs"]));
    let mut found = Vec::new();
    while lines.any(|line| line.trim_start().starts_with("#[ignore")) {
        let name = lines.find_map(|line| Some(line.split_once("fn ")?.1.split_once('(')?.0));
        found.push(format!("{}: {}", file.path, name.unwrap_or_default()));
    }
    found
}

/// The settings that switch a target off.
fn switched_off(file: &File) -> Vec<String> {
    let lines = file.text.lines().filter(|_| file.path.ends_with("Cargo.toml")).map(str::trim);
    let off = |line: &&str| line.strip_suffix(" = false").is_some_and(|name| SWITCHES.contains(&name));
    lines.filter(off).map(|line| format!("{}: {line}", file.path)).collect()
}

/// A test that never runs: of the browser in another folder or by another name, of an example, of documentation, or of
/// a package without tests.
fn misplaced(file: &File) -> Option<String> {
    let in_browser = file.path.strip_prefix("tests/browser/").is_some_and(|name| !name.contains('/'));
    let script = file.has_ending(&["mjs", "js", "ts"]);
    let lost = script && file.path.ends_with(".test.mjs") && !in_browser
        || script && file.text.contains("export const tests") && !file.path.ends_with(".test.mjs")
        || ["benches/", "/examples/"].iter().any(|place| file.path.contains(place))
            && file.text.contains("#[test]")
        || file.has_ending(&["rs"])
            && !DOCUMENTED.iter().any(|package| file.path.starts_with(&format!("{package}/")))
            && doc_test(&file.text);
    lost.then(|| format!("{}: nothing runs the tests of this file", file.path))
}

/// Is there a block in documentation that is compiled?
fn doc_test(text: &str) -> bool {
    let docs =
        text.lines().map(str::trim).filter_map(|line| line.strip_prefix("//")?.strip_prefix(['/', '!']));
    let fences = docs.filter_map(|line| line.trim().strip_prefix("```"));
    let compiled = ["", "rust", "no_run", "should_panic", "compile_fail"];
    fences.step_by(2).any(|kinds| kinds.split(',').any(|kind| compiled.contains(&kind.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::file;

    fn unlisted(path: &str, text: &str) -> usize {
        let all = check(&[file(path, text)]);
        all.iter().filter(|finding| !finding.ends_with("does not exist")).count()
    }

    #[test]
    fn what_does_not_run_is_found() {
        assert_eq!(unlisted("core/src/a.rs", "\n#[test]\n#[ignore = \"slow\"]\nfn slow() {}\n"), 1);
        assert_eq!(unlisted("core/Cargo.toml", "[lib]\ndoctest = false\n"), 1);
        assert_eq!(unlisted("tests/js/page.test.mjs", "export const tests = [];"), 1);
        assert_eq!(unlisted("tests/browser/page.mjs", "export const tests = [];"), 1);
        assert_eq!(unlisted("benches/src/lib.rs", "#[test]\nfn a() {}"), 1);
        assert_eq!(unlisted("tests/examples/fuzz.rs", "#[test]\nfn a() {}"), 1);
        assert_eq!(unlisted("core/src/a.rs", "/// ```\n/// assert!(true);\n/// ```\nfn a() {}"), 1);
        assert_eq!(unlisted("solver-lite/src/a.rs", "/// ```\n/// assert!(true);\n/// ```\nfn a() {}"), 0);
        assert_eq!(unlisted("core/src/a.rs", "/// ```text\n/// a\n/// ```\nfn a() {}"), 0);
        assert_eq!(unlisted("tests/browser/page.test.mjs", "export const tests = [];"), 0);
        assert_eq!(unlisted("core/src/layout/tidy/tests.rs", "\n#[ignore]\nfn speed() {}"), 0);
    }

    #[test]
    fn what_is_listed_and_gone_is_found() {
        assert_eq!(check(&[]).len(), OUTSIDE.len());
    }
}

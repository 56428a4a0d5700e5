//! `cargo xtask test`: all checks, in the order of their cost. All of them run even after a
//! failure, except those that depend on a failed one; the end lists the failures.

use crate::run::{Fallible, Project};
use crate::setup;
use crate::tidy::{self, outside};
use std::env;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::Instant;

/// Extent of the checks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Depth {
    /// Without the release build and the browser.
    Fast,
    Full,
}

impl Depth {
    pub(crate) fn parse(words: &[String]) -> Fallible<Self> {
        match words {
            [] => Ok(Self::Full),
            [word] if word == "--fast" => Ok(Self::Fast),
            _ => Err("test takes --fast or nothing".into()),
        }
    }
}

#[derive(Default)]
struct Report {
    failures: Vec<String>,
}

impl Report {
    fn step(&mut self, name: &str, check: impl FnOnce() -> Fallible) -> bool {
        println!("\nxtask: {name}");
        let began = Instant::now();
        let result = check();
        let seconds = began.elapsed().as_secs_f64();
        match result {
            Ok(()) => {
                println!("xtask: {name}: passed ({seconds:.1} s)");
                true
            }
            Err(message) => {
                println!("xtask: {name}: FAILED: {message}");
                self.failures.push(name.to_owned());
                false
            }
        }
    }

    fn end(self) -> Fallible {
        if self.failures.is_empty() {
            println!("\nxtask: all checks passed");
            return Ok(());
        }
        Err(format!("failed: {}", self.failures.join(", ")))
    }
}

pub(crate) fn test(project: &Project, depth: Depth) -> Fallible {
    setup::rust_components(project)?;
    setup::page(project)?;
    if depth == Depth::Full {
        setup::chromium(project)?;
    }
    let mut report = Report::default();
    report.step("format", || project.cargo().args(["fmt", "--all", "--", "--check"]).run());
    report.step("tidy", || tidy::tidy(project));
    report.step("bundles", || project.tool("node").args(["xtask/js/bundle.mjs", "--check"]).run());
    report.step("lints", || lints(project));
    // Most of the release build uses one core, and so do the last of the tests.
    let release = (depth == Depth::Full).then(|| Beside::start(project));
    report.step("native tests", || native_tests(project, &[]));
    if let Some(release) = release
        && report.step("release build, begun before the native tests", || release?.end())
    {
        report.step("browser tests", || browser(project, &[]));
    }
    report.end()
}

/// The release build as a process of its own; its output is printed at its end.
struct Beside {
    process: Child,
    log: PathBuf,
}

impl Beside {
    fn start(project: &Project) -> Fallible<Self> {
        let failed = |error: std::io::Error| format!("the release build cannot be started: {error}");
        let log = project.root.join("target/xtask-dist.log");
        let output = File::create(&log).map_err(failed)?;
        let process = Command::new(env::current_exe().map_err(failed)?)
            .arg("dist")
            .current_dir(&project.root)
            .stdout(output.try_clone().map_err(failed)?)
            .stderr(output)
            .spawn()
            .map_err(failed)?;
        Ok(Self { process, log })
    }

    fn end(mut self) -> Fallible {
        let status = self.process.wait().map_err(|error| error.to_string())?;
        print!("{}", fs::read_to_string(&self.log).unwrap_or_default());
        if status.success() { Ok(()) } else { Err("see above".to_owned()) }
    }
}

fn lints(project: &Project) -> Fallible {
    let all = ["clippy", "--quiet", "--locked", "--all-targets"];
    project.cargo().args(all).args(["--workspace", "--", "-D", "warnings"]).run()?;
    let page = ["-p", "veristep-web", "--target", "wasm32-unknown-unknown"];
    project.cargo().args(all).args(page).args(["--", "-D", "warnings"]).run()
}

fn native_tests(project: &Project, filter: &[&str]) -> Fallible {
    // All targets with tests; examples are compiled by the lints.
    let targets = ["--lib", "--bins", "--tests"];
    let words = ["test", "--quiet", "--locked", "--no-fail-fast", "--workspace"];
    let without = outside::PACKAGES.iter().flat_map(|package| ["--exclude", package]);
    project.cargo().args(words).args(targets).args(without).args(filter).run()?;
    let documented = outside::DOCUMENTED.iter().flat_map(|package| ["-p", package]);
    project.cargo().args(["test", "--quiet", "--locked", "--doc"]).args(documented).run()
}

fn browser(project: &Project, words: &[String]) -> Fallible {
    project.tool("node").args(["tests/browser/run.mjs"]).args(words).run()
}

/// The browser tests alone, on the `dist/` that is there.
pub(crate) fn browser_only(project: &Project, words: &[String]) -> Fallible {
    setup::page(project)?;
    setup::chromium(project)?;
    browser(project, words)
}

/// The times of the page on the `dist/` that is there.
pub(crate) fn browser_bench(project: &Project, words: &[String]) -> Fallible {
    setup::chromium(project)?;
    project.tool("node").args(["tests/browser/bench.mjs"]).args(words).run()
}

/// Runs the golden tests so that they write their files instead of comparing.
pub(crate) fn bless(project: &Project) -> Fallible {
    project.cargo().env("BLESS", "1").args(["test", "--quiet", "-p", "veristep-tests", "golden"]).run()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failed_step_fails_the_whole() {
        let mut report = Report::default();
        assert!(report.step("good", || Ok(())));
        assert!(!report.step("bad", || Err("no".into())));
        assert_eq!(report.end(), Err("failed: bad".into()));
    }

    #[test]
    fn only_known_words_are_taken() {
        assert_eq!(Depth::parse(&[]), Ok(Depth::Full));
        assert_eq!(Depth::parse(&["--fast".into()]), Ok(Depth::Fast));
        assert!(Depth::parse(&["fast".into()]).is_err());
    }
}

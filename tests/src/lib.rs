//! Shared helpers of the test suites: a seeded generator of random choices, random formulas, and the folder of
//! shared inputs.

pub mod campaign_c;
pub mod campaign_runs;
pub mod charts;
pub mod commands;
pub mod formulas;
pub mod ltl;
pub mod models;
pub mod mutants;
pub mod nets;
pub mod oracle;
pub mod programs;
pub mod random;
pub mod shared_models;
pub mod timed;

use std::path::PathBuf;

/// The folder of inputs made by others, beside the project; `None` (and a printed line) when it is absent.
#[must_use]
#[allow(clippy::print_stdout)]
pub fn shared(folder: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: there is no folder ../shared/{folder}");
    None
}

/// The project's own corpus.
#[must_use]
pub fn corpus() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

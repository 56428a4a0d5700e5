//! `veristep smt`: run an SMT-LIB script.

use std::path::PathBuf;

use clap::Args;

use crate::input::{self, BadInput};

/// Arguments of `smt`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The script
    file: PathBuf,
}

/// Runs it.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, BadInput> {
    let _ = input::read(&arguments.file)?;
    input::bad("error: not there yet")
}

//! `veristep generate`: models of any size.

use std::path::PathBuf;

use clap::builder::RangedI64ValueParser;
use clap::{Args, Subcommand, value_parser};
use veristep_core::generate;

use crate::HOLDS;
use crate::input::{self, BadInput};

/// Arguments of `generate`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    family: Family,
}

#[derive(Subcommand)]
enum Family {
    /// Fischer's mutual exclusion protocol with clocks in real time (.sts)
    Fischer {
        /// Number of processes
        #[arg(long, value_name = "N", default_value_t = 3, value_parser = sizes())]
        processes: u32,
        #[command(flatten)]
        common: Common,
    },
    /// A program of a logic controller: a cycle with Boolean inputs and a requirement at its end (.sts)
    Plc {
        /// Number of motors, each with four inputs and four statements
        #[arg(long, value_name = "N", default_value_t = 3, value_parser = sizes())]
        motors: u32,
        #[command(flatten)]
        common: Common,
    },
}

#[derive(Args)]
struct Common {
    /// Generate the variant that violates its property
    #[arg(long)]
    faulty: bool,
    /// Write the model to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Limit of the size of a model.
fn sizes() -> RangedI64ValueParser<u32> {
    value_parser!(u32).range(1..=200)
}

/// Writes a model.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, BadInput> {
    let (text, common) = match &arguments.family {
        Family::Fischer { processes, common } => (generate::fischer(*processes, common.faulty), common),
        Family::Plc { motors, common } => (generate::plc(*motors, common.faulty), common),
    };
    match &common.output {
        Some(path) => input::write(path, &text)?,
        None => say!("{}", text.trim_end()),
    }
    Ok(HOLDS)
}

//! `veristep convert`: writes a model in another format.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use veristep_core::formats::{aiger, cfa, chc, promela, smv, sts, xsts};
use veristep_core::property::Property;
use veristep_core::system::System;

use crate::input::{self, BadInput, Language, bad};
use crate::watch::Limits;
use crate::{HOLDS, complain};

#[derive(Clone, Copy, PartialEq, Debug, ValueEnum)]
enum To {
    /// Theta's control flow automata; for programs in C without the ranges whose overflow is undefined
    Cfa,
    /// Constrained Horn clauses (SMT-LIB, logic HORN): satisfiable if and only if the property holds
    Chc,
    /// Theta's symbolic transition systems, with the property
    Sts,
    /// Theta's extended symbolic transition systems, with the property
    Xsts,
    /// AIGER circuits, for systems with finitely many states
    Aag,
    /// NuSMV (finite types) and nuXmv, with the property
    Smv,
    /// Promela, the language of SPIN, with a temporal formula
    Promela,
}

/// Arguments of `convert`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The model
    model: PathBuf,
    /// The target format
    #[arg(long, value_enum)]
    to: To,
    /// The property, for formats that contain one
    #[arg(long, value_name = "TEXT", default_value = "")]
    property: String,
    /// Write the result to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    language: Language,
    #[command(flatten)]
    limits: Limits,
}

/// Converts.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, BadInput> {
    let kind = arguments.language.kind(&arguments.model)?;
    let _watched =
        arguments.limits.watch(Duration::ZERO, |reason| complain(&format!("unknown: {reason}")))?;
    let text = input::read(&arguments.model)?;
    let asks = arguments.to != To::Cfa;
    let system = input::model(&arguments.model, kind, &text, asks.then_some(arguments.property.as_str()))?;
    let applied = |system: System| -> Result<System, BadInput> {
        let property = input::property(&system, "property", &arguments.property)?;
        Ok(property.apply(system))
    };
    let name = arguments.model.display();
    let written = |text: Result<String, String>| text.or_else(|why| bad(format!("{name}: error: {why}")));
    let converted = match arguments.to {
        To::Cfa => cfa::print(&system),
        To::Chc => chc::print(&applied(system)?),
        To::Sts => written(sts::print(&applied(system)?))?,
        To::Xsts => written(xsts::print(&applied(system)?))?,
        To::Aag => written(aiger::print(&std::sync::Arc::new(applied(system)?)))?,
        To::Promela => {
            let Property::Temporal(requirement) = input::property(&system, "property", &arguments.property)?
            else {
                return bad("error: Promela is for temporal formulas: --property 'G (…)'");
            };
            written(promela::print(&system, &requirement))?
        }
        To::Smv => written(smv::print(&applied(system)?))?,
    };
    match &arguments.output {
        Some(path) => input::write(path, &converted)?,
        None => say!("{}", converted.trim_end()),
    }
    Ok(HOLDS)
}

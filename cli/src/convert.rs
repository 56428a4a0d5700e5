//! `veristep convert`: writes a model in another format.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use veristep_core::draw;
use veristep_core::formats::{aiger, cfa, chc, plantuml, pn, pnml, promela, sc, scxml, smv, sts, tina, xsts};
use veristep_core::net::Net;
use veristep_core::net::condition::Condition;
use veristep_core::net::timed::Timed;
use veristep_core::net::timed::encoding::{self, Encoding, Goal, Logic, Question};
use veristep_core::property::Property;
use veristep_core::run::{self, Kind};
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
    /// The project's own language of Petri nets
    Pn,
    /// PNML, for Petri nets
    Pnml,
    /// TINA's language of Petri nets
    Net,
    /// The project's own language of statecharts
    Sc,
    /// SCXML, for statecharts
    Scxml,
    /// PlantUML, for statecharts
    Plantuml,
    /// A drawing of the model for Graphviz; `veristep draw` has more pictures
    Dot,
    /// A drawing of the model for LaTeX
    Tikz,
    /// Some steps of a safe P-time net as a formula (SMT-LIB): satisfiable if and only if they lead to a deadlock, or
    /// to a marking
    Smt2,
}

/// The arithmetic of a formula.
#[derive(Clone, Copy, PartialEq, Debug, ValueEnum)]
enum Arithmetic {
    /// Difference logic
    Dl,
    /// Linear arithmetic
    La,
}

/// How time passes in a formula.
#[derive(Clone, Copy, PartialEq, Debug, ValueEnum)]
enum Elapse {
    /// As in the paper: also past a moment at which a transition must fire
    Paper,
    /// Not past such a moment
    Exact,
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
    unrolling: Unrolling,
    #[command(flatten)]
    language: Language,
    #[command(flatten)]
    limits: Limits,
}

/// Options of `--to smt2`.
#[derive(Args)]
#[command(next_help_heading = "Steps of P-time nets (--to smt2)")]
struct Unrolling {
    /// The number of steps
    #[arg(long, value_name = "K", default_value_t = 1)]
    bound: u32,
    /// The arithmetic
    #[arg(long, value_enum, default_value = "dl")]
    encoding: Arithmetic,
    /// Keep the variables whose value does not change
    #[arg(long)]
    no_replace: bool,
    /// How time passes
    #[arg(long, value_enum, default_value = "paper")]
    elapse: Elapse,
    /// The marking is reached within this time
    #[arg(long, value_name = "TIME")]
    within: Option<u32>,
}

/// Converts.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, BadInput> {
    let kind = arguments.language.kind(&arguments.model)?;
    let _watched =
        arguments.limits.watch(Duration::ZERO, |reason| complain(&format!("unknown: {reason}")))?;
    let text = input::read(&arguments.model)?;
    if let Some(print) = arguments.to.of_nets() {
        return nets(arguments, kind, &text, print);
    }
    if matches!(arguments.to, To::Sc | To::Scxml | To::Plantuml) {
        return charts(arguments, kind, &text);
    }
    if arguments.to == To::Smt2 {
        return steps(arguments, kind, &text);
    }
    let asks = !matches!(arguments.to, To::Cfa | To::Dot | To::Tikz);
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
        To::Dot => draw::of_model(&system).sheet().to_dot(&name.to_string()),
        To::Tikz => draw::of_model(&system).sheet_with_legend().to_tikz(&name.to_string()),
        To::Smv => written(smv::print(&applied(system)?))?,
        To::Pn | To::Pnml | To::Net | To::Smt2 => unreachable!("nets are written from the net"),
        To::Sc | To::Scxml | To::Plantuml => unreachable!("charts are written from the chart"),
    };
    write(arguments, &converted)
}

fn write(arguments: &Arguments, text: &str) -> Result<u8, BadInput> {
    match &arguments.output {
        Some(path) => input::write(path, text)?,
        None => say!("{}", text.trim_end()),
    }
    Ok(HOLDS)
}

impl To {
    /// The format of that name, if it is one of Petri nets.
    fn of_nets(self) -> Option<fn(&Net) -> String> {
        match self {
            To::Pn => Some(pn::print),
            To::Pnml => Some(pnml::print),
            To::Net => Some(tina::print),
            _ => None,
        }
    }
}

/// Writes a net in another format. A PNML file stays as it is, tool-specific parts included.
fn nets(arguments: &Arguments, kind: Kind, text: &str, print: fn(&Net) -> String) -> Result<u8, BadInput> {
    let name = arguments.model.display();
    let net = run::net(kind, text).map_err(|d| input::render(&name.to_string(), text, &d))?;
    let Some(net) = net else {
        return bad(format!("{name}: error: only Petri nets can be written in this format"));
    };
    let mut delays = net.places.iter().filter_map(|p| p.delay);
    if arguments.to == To::Net && delays.any(|delay| !delay.is_always()) {
        let why = "TINA's language has no intervals of places";
        return Err(BadInput::Unsupported(format!("{name}: error: {why}")));
    }
    if arguments.to == To::Pn && net.is_timed() && net.transitions.iter().any(|t| !t.reads.is_empty()) {
        let why = "time nets with read arcs can be written as PNML or for TINA, but not in the language .pn";
        return Err(BadInput::Unsupported(format!("{name}: error: {why}")));
    }
    match (kind, arguments.to) {
        (Kind::Pnml, To::Pnml) => write(arguments, text),
        _ => write(arguments, &print(&net)),
    }
}

/// Writes a statechart in another format.
fn charts(arguments: &Arguments, kind: Kind, text: &str) -> Result<u8, BadInput> {
    let name = arguments.model.display();
    let chart = run::chart(kind, text).map_err(|d| input::render(&name.to_string(), text, &d))?;
    let Some(chart) = chart else {
        return bad(format!("{name}: error: only statecharts can be written in this format"));
    };
    let converted = match arguments.to {
        To::Scxml => scxml::print(&chart),
        To::Sc => Ok(sc::print(&chart)),
        _ => Ok(plantuml::print(&chart)),
    };
    let converted = converted.map_err(|why| BadInput::Unsupported(format!("{name}: error: {why}")))?;
    write(arguments, &converted)
}

/// Writes some steps of a P-time net as a formula.
fn steps(arguments: &Arguments, kind: Kind, text: &str) -> Result<u8, BadInput> {
    let name = arguments.model.display().to_string();
    let render = |d: Vec<_>| input::render(&name, text, &d);
    let net = run::net(kind, text).map_err(render)?;
    let Some(net) = net else {
        return bad(format!("{name}: error: only Petri nets can be written in this format"));
    };
    let timed = Timed::of(&net).map_err(render)?;
    let Unrolling { bound, encoding, no_replace, elapse, within } = arguments.unrolling;
    let asked = if arguments.property.is_empty() { "deadlock-free" } else { arguments.property.as_str() };
    let system = run::untimed(&net).map_err(render)?;
    let goal = match input::property(&system, "property", asked)? {
        Property::DeadlockFree if within.is_none() => match timed.without_end() {
            problems if problems.is_empty() => Goal::Deadlock,
            problems => return Err(render(problems)),
        },
        Property::Reachable(e) => Goal::Marking(Condition::of(&e), within),
        Property::Invariant(e) => Goal::Marking(Condition::of(&e).negated(), within),
        Property::DeadlockFree => {
            return bad("error: --within is for EF with a condition: --property 'EF c'");
        }
        _ => {
            return bad(
                "error: deadlock-free, an invariant, or EF with a condition can be written in this format",
            );
        }
    };
    if encoding::check(&goal).is_err() {
        return bad("error: a comparison of the property has too many places for this format");
    }
    let logic = if encoding == Arithmetic::Dl { Logic::Difference } else { Logic::Arithmetic };
    let encoding = Encoding { logic, replace: !no_replace, exact: elapse == Elapse::Exact };
    let question = Question { steps: bound, encoding, goal };
    let mut script = String::new();
    let size = encoding::write(&timed, &question, &mut script).expect("the goal was checked, and texts grow");
    let before = encoding::variables_before(&net, bound, logic);
    script.push_str(&format!(
        "; {} variables, {before} before replacing; {} constraints\n",
        size.variables, size.constraints
    ));
    write(arguments, &script)
}

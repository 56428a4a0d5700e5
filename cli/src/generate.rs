//! `veristep generate`: models of any size.

use std::path::PathBuf;

use clap::builder::RangedI64ValueParser;
use clap::{Args, Subcommand, value_parser};
use veristep_core::formats::pn;
use veristep_core::generate::nets::RandomNet;
use veristep_core::generate::{self, charts, nets, timed};
use veristep_core::net::Net;

use crate::HOLDS;
use crate::input::{self, BadInput, bad};

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
    /// Dining philosophers (.pn): the last one takes the forks in the other order; with --faulty all can wait for ever
    Philosophers(Sized),
    /// The kanban system with N cards in each of its four cells (.pn)
    Kanban(Sized),
    /// A chain of N buffers between a producer and a consumer (.pn)
    Chain(Sized),
    /// N processes that exclude each other by inhibitor arcs (.pn)
    Exclusion(Sized),
    /// A workflow of N parallel tasks (.pn)
    Workflow(Sized),
    /// Fischer's protocol with N processes as a net with intervals of transitions (.pn)
    FischerNet(Sized),
    /// N processes that ask for a lock with time-outs, with delays of places (.pn)
    Timeouts(Sized),
    /// A pipeline of N stages with delays of places and a deadline (.pn)
    Pipeline(Sized),
    /// A job shop of N jobs on three machines with delays of places and a deadline (.pn)
    Jobshop(Sized),
    /// A line of N stations that hand pieces on, each a statechart of nine states with a variable (.sc)
    Line(Sized),
    /// A random safe P-time net: intervals of delays on places (.pn)
    Ptpn(RandomTimed),
    /// A random Petri net (.pn)
    Net {
        /// Number of places
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(1..=50_000))]
        places: u32,
        /// Number of transitions
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(0..=50_000))]
        transitions: u32,
        /// Greatest weight of an arc and number of tokens of a place
        #[arg(long, value_name = "N", default_value_t = 2)]
        most: u32,
        /// With inhibitor arcs
        #[arg(long)]
        inhibitors: bool,
        /// Seed: the net depends on it alone
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// Write the model to this file
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

/// The size of a random P-time net.
#[derive(Args)]
struct RandomTimed {
    /// The number of places
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(1..=100_000))]
    places: u32,
    /// The number of transitions, at least 5
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = value_parser!(u32).range(5..=100_000))]
    transitions: u32,
    /// Seed: the net depends on it alone
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write the model to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The size of a net of a family.
#[derive(Args)]
struct Sized {
    /// The size
    #[arg(short, long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u32).range(1..=5000))]
    n: u32,
    #[command(flatten)]
    common: Common,
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
    let net = |net: &Net| pn::print(net);
    let (text, output) = match &arguments.family {
        Family::Fischer { processes, common } => {
            (generate::fischer(*processes, common.faulty), &common.output)
        }
        Family::Plc { motors, common } => (generate::plc(*motors, common.faulty), &common.output),
        Family::Philosophers(Sized { n: 1, .. }) => return bad("error: philosophers are two or more"),
        Family::Exclusion(Sized { n: 1001.., .. }) => {
            return bad("error: this family has n² arcs; its limit is 1000");
        }
        Family::Philosophers(Sized { n, common }) => {
            (net(&nets::philosophers(*n, !common.faulty)), &common.output)
        }
        Family::Kanban(Sized { n, common }) => (net(&nets::kanban(*n)), &common.output),
        Family::Chain(Sized { n, common }) => (net(&nets::producers(*n)), &common.output),
        Family::Exclusion(Sized { n, common }) => (net(&nets::exclusion(*n, common.faulty)), &common.output),
        Family::Workflow(Sized { n, common }) => (net(&nets::workflow(*n)), &common.output),
        Family::FischerNet(Sized { n: 101.., .. }) => {
            return bad("error: this family has n² transitions; its limit is 100");
        }
        Family::FischerNet(Sized { n, common }) => (net(&timed::fischer(*n, common.faulty)), &common.output),
        Family::Line(Sized { n: 201.., .. }) => return bad("error: the limit of this family is 200"),
        Family::Line(Sized { n, common }) => (charts::line(*n, common.faulty), &common.output),
        Family::Timeouts(Sized { n, common }) => (net(&timed::timeouts(*n, common.faulty)), &common.output),
        Family::Pipeline(Sized { n, common }) => (net(&timed::pipeline(*n)), &common.output),
        Family::Jobshop(Sized { n, common }) => (net(&timed::jobshop(*n, common.faulty)), &common.output),
        Family::Ptpn(RandomTimed { places, transitions, seed, output }) => {
            (net(&nets::timed(*places, *transitions, *seed)), output)
        }
        Family::Net { places, transitions, most, inhibitors, seed, output } => {
            let size = RandomNet {
                places: *places,
                transitions: *transitions,
                inhibitors: *inhibitors,
                most: *most,
            };
            (net(&nets::random(size, *seed)), output)
        }
    };
    match output {
        Some(path) => input::write(path, &text)?,
        None => say!("{}", text.trim_end()),
    }
    Ok(HOLDS)
}

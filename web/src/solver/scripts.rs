//! Scripts to begin with.

/// A script of the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Script {
    /// Its title.
    pub title: &'static str,
    /// The text.
    pub text: &'static str,
}

/// All of them.
pub const SCRIPTS: &[Script] = &[
    Script {
        title: "A chain and its interpolants",
        text: include_str!("../../../static/scripts/chain.smt2"),
    },
    Script { title: "A cycle of differences", text: include_str!("../../../static/scripts/cycle.smt2") },
    Script { title: "Pivots of the simplex", text: include_str!("../../../static/scripts/pivots.smt2") },
    Script {
        title: "Conflicts and learned clauses",
        text: include_str!("../../../static/scripts/learning.smt2"),
    },
    Script {
        title: "Integers: splits and parity",
        text: include_str!("../../../static/scripts/integers.smt2"),
    },
    Script { title: "Three jobs on one machine", text: include_str!("../../../static/scripts/jobs.smt2") },
    Script { title: "Frames: push and pop", text: include_str!("../../../static/scripts/frames.smt2") },
];

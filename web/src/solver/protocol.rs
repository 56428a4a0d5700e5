//! Messages between the solver's page and the engine. They are sent as bytes inside those of
//! [`crate::protocol`], so that the verifier's page does not contain this code.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use veristep_core::run::Kind;
use veristep_core::scene::Drawing;

/// The number of a request, from 1.
pub type Job = u32;

/// From the page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Request {
    /// Execute a script.
    Run {
        /// This request.
        job: Job,
        /// The script.
        text: String,
    },
    /// Record the search of a check.
    Open {
        /// This request.
        job: Job,
        /// The script.
        text: String,
        /// The check, from 0.
        check: u32,
    },
    /// Refute the assertions of a check.
    Prove {
        /// This request.
        job: Job,
        /// The script.
        text: String,
        /// The check, from 0.
        check: u32,
    },
    /// Interpolate the assertions of a refuted check.
    Interpolate {
        /// This request.
        job: Job,
        /// The script.
        text: String,
        /// The check, from 0.
        check: u32,
        /// The number of assertions in A.
        cut: u32,
        /// The interpolation rules.
        method: Method,
    },
    /// The solver queries of an event of a verification run.
    Questions {
        /// This request.
        job: Job,
        /// The language of the model.
        kind: Kind,
        /// The model.
        text: String,
        /// The property.
        property: String,
        /// The options, by name.
        options: Vec<(String, String)>,
        /// The event, from 0.
        event: u32,
        /// The hash of the events up to it.
        hash: u32,
    },
}

/// How interpolants are made: indices into [`Method::BOOLEAN`] and [`Method::ARITHMETIC`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Method {
    /// For Boolean steps.
    pub boolean: u8,
    /// For leaves of arithmetic.
    pub arithmetic: u8,
}

impl Method {
    /// Rules for Boolean steps.
    pub const BOOLEAN: [&'static str; 3] = ["McMillan", "Pudlák", "dual McMillan"];
    /// Rules for leaves.
    pub const ARITHMETIC: [&'static str; 2] = ["Farkas", "decomposed Farkas"];
}

/// From the engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Response {
    /// A command was answered.
    Said {
        /// The request.
        job: Job,
        /// The answer.
        said: Said,
    },
    /// The script is at its end.
    Ran {
        /// The request.
        job: Job,
    },
    /// The search of a check.
    Opened {
        /// The request.
        job: Job,
        /// The recorded search, or an error.
        result: Result<Box<Opened>, String>,
    },
    /// The refutation, or an error.
    Proved {
        /// The request.
        job: Job,
        /// The steps.
        proof: Result<Proof, String>,
    },
    /// The answer to [`Request::Interpolate`], or an error.
    Interpolated {
        /// The request.
        job: Job,
        /// The interpolant.
        result: Result<Interpolation, String>,
    },
    /// The answer to [`Request::Questions`], or an error.
    Questions {
        /// The request.
        job: Job,
        /// Purpose and script of each query; and whether the run is that of the link.
        result: Result<(Vec<(String, String)>, bool), String>,
    },
}

/// An answer of a script.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Said {
    /// The line where the command ends, from 1.
    pub line: u32,
    /// The answer.
    pub text: String,
    /// The number of the check it answers, from 0.
    pub check: Option<u32>,
}

/// A literal: an atom and its sign.
pub type Lit = (u32, bool);

/// The recorded search of a check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Opened {
    /// Which check, from 0.
    pub check: u32,
    /// The assertions in force: name and text.
    pub assertions: Vec<(String, String)>,
    /// By atom: the texts of its negation and of itself.
    pub atoms: Vec<[String; 2]>,
    /// The search, and for each step the snapshot it shows.
    pub steps: Vec<(Step, Option<u32>)>,
    /// The record was truncated.
    pub cut: bool,
    /// The states of the theory solver.
    pub snapshots: Vec<Snapshot>,
    /// The names of columns and nodes.
    pub names: Vec<String>,
    /// By name: the term that a short name abbreviates.
    pub meanings: Vec<Option<String>>,
}

/// A refutation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// How many steps it has.
    pub size: u32,
    /// The steps, the last of which is the empty clause; none of them if they are too many to be shown.
    pub steps: Vec<ProofStep>,
    /// By atom: the texts of its negation and of itself.
    pub atoms: Vec<[String; 2]>,
    /// Its graph, if it can be drawn.
    pub picture: Option<Arc<Drawing>>,
}

/// A step of the search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Step {
    /// With this trail; levels begin at these places.
    Began(Vec<Lit>, Vec<u32>),
    /// A level was opened.
    Decided(Lit),
    /// Unit propagation.
    Propagated(Lit, Vec<Lit>),
    /// A literal is asserted to the theory.
    Asserted(Lit),
    /// A pivot: leaving and entering variable, by name.
    Pivoted(u32, u32),
    /// Theory propagation, with its premises.
    Implied(Lit, Vec<Lit>),
    /// A conflict clause; `true` if it is a theory lemma.
    Conflict(Vec<Lit>, bool),
    /// A resolution step: pivot literal, reason clause, resolvent.
    Resolved(Lit, Vec<Lit>, Vec<Lit>),
    /// A learned clause, and the level of the backjump.
    Learned(Vec<Lit>, u32),
    /// A lemma for integers.
    Demanded(Vec<Lit>),
    /// A restart.
    Restarted,
    /// Clauses and theory are consistent over the rationals.
    Consistent,
    /// Satisfiable, with these values: names and numbers.
    Found(Vec<(String, String)>),
    /// A limit was reached.
    GaveUp,
    /// Unsatisfiable.
    Refuted,
}

/// The theory solver at a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Snapshot {
    /// The simplex tableau.
    Tableau {
        /// The columns.
        columns: Vec<Column>,
        /// A basic column, and its row: columns and coefficients.
        rows: Vec<(u32, Vec<(u32, String)>)>,
    },
    /// The graph of differences.
    Graph {
        /// A name (none for zero) and the value.
        nodes: Vec<(Option<u32>, String)>,
        /// The constraints.
        edges: Vec<Edge>,
    },
}

/// A difference that is at most a bound.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Edge {
    /// A node.
    pub from: u32,
    /// A node.
    pub to: u32,
    /// `≤ 3` or `< 3`.
    pub bound: String,
    /// The literal of the constraint.
    pub literal: Lit,
    /// It would close a negative cycle.
    pub refused: bool,
}

/// A column of the tableau.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Column {
    /// Its name.
    pub name: u32,
    /// Its value.
    pub value: String,
    /// The lower bound and its literal.
    pub lower: Option<(String, Lit)>,
    /// The upper bound and its literal.
    pub upper: Option<(String, Lit)>,
    /// The value is out of its bounds.
    pub violated: bool,
}

/// The side of the partition where a symbol occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Side {
    /// Only in A.
    A,
    /// Only in B.
    B,
    /// In both.
    Both,
}

/// A step of a refutation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProofStep {
    /// The clause.
    pub clause: Vec<Lit>,
    /// The justification.
    pub rule: Rule,
    /// Of a lemma about a negative cycle, its edges.
    pub cycle: Vec<Difference>,
}

/// An edge of a cycle: one term minus another one has a bound.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Difference {
    /// The term that is subtracted, or `0`.
    pub from: String,
    /// The other term, or `0`.
    pub to: String,
    /// The bound, as in `≤ 3`.
    pub bound: String,
}

/// The justification of a clause.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Rule {
    /// The assertion of this number.
    Assertion(u32),
    /// It defines this formula.
    Definition(String),
    /// A theory lemma: the negated literals are inconsistent; each with its coefficient.
    Theory(Vec<(String, Lit)>, Theory),
    /// A resolution chain: the first step, then pivot atoms with further steps.
    Resolution(u32, Vec<(u32, u32)>),
}

/// The certificate of a theory lemma.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Theory {
    /// The sum of the multiples is a contradiction.
    Farkas,
    /// The sum of the multiples has no integer solution.
    Modular,
    /// The differences form a negative cycle.
    Cycle,
}

/// An interpolant and its derivation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Interpolation {
    /// The number of assertions in A.
    pub cut: u32,
    /// The interpolation rules.
    pub method: Method,
    /// The interpolant.
    pub interpolant: String,
    /// The partial interpolant of each step of the proof; none if the proof is too long to label.
    pub partials: Vec<String>,
    /// The [`Side`] of each leaf, of the literals of a lemma, of the pivot atoms.
    pub sides: Vec<Vec<Side>>,
    /// Variables of A only, of both, of B only.
    pub variables: [Vec<String>; 3],
    /// Implied by A; inconsistent with B; over shared variables: each checked anew, within limits.
    pub checked: [Option<bool>; 3],
}

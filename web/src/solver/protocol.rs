//! What the solver's page and the engine tell each other. The messages travel as bytes inside those of
//! [`crate::protocol`], so that the verifier's page need not know them.

use serde::{Deserialize, Serialize};
use veristep_core::run::Kind;

/// The number of a request, from 1.
pub type Job = u32;

/// From the page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Ask {
    /// Execute a script.
    Run {
        /// This request.
        job: Job,
        /// The script.
        text: String,
    },
    /// Show the inside of a check.
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
    /// Cut the assertions of a refuted check in two.
    Interpolate {
        /// This request.
        job: Job,
        /// The script.
        text: String,
        /// The check, from 0.
        check: u32,
        /// So many assertions are A.
        cut: u32,
        /// How.
        method: Method,
    },
    /// What was the solver asked for an event of a verification run?
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Told {
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
    /// The inside of a check.
    Opened {
        /// The request.
        job: Job,
        /// Everything about it, or why there is nothing.
        result: Result<Box<Opened>, String>,
    },
    /// The refutation, or why there is none.
    Proved {
        /// The request.
        job: Job,
        /// The steps.
        proof: Result<Proof, String>,
    },
    /// The answer to [`Ask::Interpolate`], or why there is none.
    Interpolated {
        /// The request.
        job: Job,
        /// The interpolant.
        result: Result<Interpolation, String>,
    },
    /// The answer to [`Ask::Questions`], or why there is none.
    Questions {
        /// The request.
        job: Job,
        /// What was asked, and the script; and whether the run was the same as then.
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

/// The inside of a check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Opened {
    /// Which check, from 0.
    pub check: u32,
    /// The assertions in force: name and text.
    pub assertions: Vec<(String, String)>,
    /// By atom: the texts of its negation and of itself.
    pub atoms: Vec<[String; 2]>,
    /// The search, and for each step the picture it shows.
    pub steps: Vec<(Step, Option<u32>)>,
    /// There were more steps.
    pub cut: bool,
    /// How arithmetic looks.
    pub pictures: Vec<Picture>,
    /// The names of columns and nodes.
    pub names: Vec<String>,
    /// By name: what a short name stands for.
    pub meanings: Vec<Option<String>>,
}

/// A refutation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// How many steps it has.
    pub size: u32,
    /// The steps, the last of which is the empty clause; none of them if they are too many to be shown.
    pub steps: Vec<ProofStep>,
    /// By atom: the texts of its negation and of itself.
    pub atoms: Vec<[String; 2]>,
}

/// A step of the search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Step {
    /// With this trail; levels begin at these places.
    Began(Vec<Lit>, Vec<u32>),
    /// A level was opened.
    Decided(Lit),
    /// A clause had one literal left.
    Propagated(Lit, Vec<Lit>),
    /// Arithmetic takes note.
    Told(Lit),
    /// Leaves the basis, enters it: names.
    Pivoted(u32, u32),
    /// Arithmetic implies it, because of these.
    Implied(Lit, Vec<Lit>),
    /// A false clause; `true` if it is arithmetic's.
    Conflict(Vec<Lit>, bool),
    /// Resolved on a literal with a reason, and the resolvent.
    Resolved(Lit, Vec<Lit>, Vec<Lit>),
    /// Learned; back to a level.
    Learned(Vec<Lit>, u32),
    /// The integers demand it.
    Demanded(Vec<Lit>),
    /// Back to the start.
    Restarted,
    /// Clauses and arithmetic agree, over the rationals.
    Consistent,
    /// Satisfiable, with these values: names and numbers.
    Found(Vec<(String, String)>),
    /// A limit was reached.
    GaveUp,
    /// Unsatisfiable.
    Refuted,
}

/// How arithmetic looks at a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Picture {
    /// The simplex tableau.
    Tableau {
        /// The columns.
        columns: Vec<Column>,
        /// A basic column, and the sum it is: columns and coefficients.
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
    /// The literal behind it.
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
    /// The bound below and the literal behind it.
    pub lower: Option<(String, Lit)>,
    /// The bound above and the literal behind it.
    pub upper: Option<(String, Lit)>,
    /// The value is out of its bounds.
    pub violated: bool,
}

/// On which side of the cut something occurs.
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
    /// Why.
    pub rule: Rule,
}

/// Why a clause is derived.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Rule {
    /// The assertion of this number.
    Assertion(u32),
    /// It defines this formula.
    Definition(String),
    /// The negations contradict each other in arithmetic: each with what it is multiplied by.
    Theory(Vec<(String, Lit)>, Theory),
    /// The first step, resolved in turn on atoms with further steps.
    Resolution(u32, Vec<(u32, u32)>),
}

/// How a leaf of arithmetic is certified.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Theory {
    /// The sum of the multiples is a contradiction.
    Farkas,
    /// The sum of the multiples has no integer solution.
    Modular,
    /// The differences go round a negative cycle.
    Cycle,
}

/// An interpolant and how it came about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Interpolation {
    /// So many assertions are A.
    pub cut: u32,
    /// How.
    pub method: Method,
    /// The interpolant.
    pub interpolant: String,
    /// The partial interpolant of each step of the proof; none if the proof is too long to label.
    pub partials: Vec<String>,
    /// Where each step stands: [`Side`] of a leaf, of the literals of a lemma, of the atoms resolved on.
    pub sides: Vec<Vec<Side>>,
    /// Variables that only A has, both have, only B has.
    pub variables: [Vec<String>; 3],
    /// Follows from A; contradicts B; speaks of shared variables: each checked anew, if the limits suffice.
    pub checked: [Option<bool>; 3],
}

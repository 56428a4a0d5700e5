//! Explanations: each event is explained in three layers: what happened, why, and the mathematics, with the names
//! and numbers of this run.
//!
//! An explanation is a function of a journal and a position in it; what the event does not contain (labels, the
//! path, the iteration) is folded from the journal's prefix with the views. Terms and definitions follow
//! Hajdu, Micskei: Efficient Strategies for CEGAR-Based Model Checking (2020), Section 2. A journal from a link
//! may be cut short or inconsistent: then the explanation is shorter, and nothing panics.

mod context;
#[cfg(test)]
pub(crate) mod example;
pub(crate) mod formula;
pub(crate) mod glossary;
pub(crate) mod piece;
pub(crate) mod query;
pub(crate) mod round;
mod timeline;

use serde::{Deserialize, Serialize};

use crate::kit::{Event, Journal, Names, NodeId, PredicateId, apart};
use crate::methods::{bmc, cegar, combined_approx, equation, explicit, imc, kind, lasso, pdr, split, under};
use crate::system::{EdgeId, LocationId};

pub(crate) use context::{Context, waiting};
pub use glossary::Concept;
pub use piece::{Piece, Target};
pub use timeline::{Direction, Granularity, PhaseMark, Timeline, step, summary};

/// The result of a line of mathematics.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Judgement {
    /// The formula has a model.
    Sat,
    /// The formula has no model.
    Unsat,
    /// The statement holds.
    Holds,
    /// The statement does not hold.
    Fails,
    /// The solver returned unknown.
    Unknown,
}

impl Judgement {
    /// The result in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Judgement::Sat => "satisfiable",
            Judgement::Unsat => "unsatisfiable",
            Judgement::Holds => "holds",
            Judgement::Fails => "does not hold",
            Judgement::Unknown => "not decided",
        }
    }
}

/// A line of mathematics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MathLine {
    /// The name of the formula: `s`, `op`, `query`.
    pub label: String,
    /// The formula.
    pub formula: String,
    /// The result, if there is one.
    pub verdict: Option<Judgement>,
}

/// The subjects of an event: the selection and focus in all views.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Subjects {
    /// Nodes of the graph, the most important first.
    pub nodes: Vec<NodeId>,
    /// Locations.
    pub locations: Vec<LocationId>,
    /// Edges of the system, that of the step last.
    pub edges: Vec<EdgeId>,
    /// Predicates.
    pub predicates: Vec<PredicateId>,
    /// A position on the counterexample: the number of steps before it.
    pub cut: Option<u32>,
}

impl Subjects {
    /// The subjects as parts of the model: a large block with its edges, and for a product the parts behind it.
    #[must_use]
    pub fn in_model(&self, names: &Names) -> Subjects {
        Subjects {
            locations: self.locations.iter().map(|l| names.place(*l)).collect(),
            edges: self.edges.iter().flat_map(|e| names.with_inner(*e)).collect(),
            ..self.clone()
        }
    }
}

/// An explained event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// A short heading.
    pub title: String,
    /// What happened.
    pub what: Vec<Piece>,
    /// Why.
    pub why: Vec<Piece>,
    /// The formulas behind it.
    pub maths: Vec<MathLine>,
    /// A common misunderstanding, where one fits.
    pub slip: Option<&'static str>,
    /// What to highlight.
    pub subjects: Subjects,
}

impl Explanation {
    /// The whole explanation as plain text, for screen readers and print.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n{}\n{}\n", self.title, plain(&self.what), plain(&self.why));
        for line in &self.maths {
            text.push_str(&format!("{}: {}", line.label, line.formula));
            if let Some(verdict) = line.verdict {
                text.push_str(&format!(" ({})", verdict.name()));
            }
            text.push('\n');
        }
        if let Some(slip) = self.slip {
            text.push_str(&format!("Often misunderstood: {slip}\n"));
        }
        text
    }
}

/// A sentence as plain text; formulas are set in quotes.
#[must_use]
pub fn plain(pieces: &[Piece]) -> String {
    let quoted = |piece: &Piece| {
        if piece.is_code() { format!("‘{}’", piece.text()) } else { piece.text().to_owned() }
    };
    pieces.iter().map(quoted).collect()
}

/// Explains the event at `index`. An index past the end is explained as such.
#[must_use]
pub fn explain(journal: &Journal, index: usize) -> Explanation {
    let cx = Context::new(journal, index);
    let Some(event) = journal.events.get(index) else { return nothing_there(index) };
    let next = journal.events.get(index + 1);
    let mut explanation = match *event {
        Event::IterationStarted { iteration } => round::started(&cx, iteration, next),
        Event::Cegar(event) => apart(|| cegar::explain::explain(&cx, event)),
        Event::Lasso(event) => apart(|| lasso::explain::explain(&cx, event)),
        Event::Bmc(event) => apart(|| bmc::explain::explain(&cx, event)),
        Event::Induction(event) => apart(|| kind::explain::explain(&cx, event)),
        Event::Imc(event) => apart(|| imc::explain::explain(&cx, event)),
        Event::Pdr(event) => apart(|| pdr::explain::explain(&cx, event)),
        Event::Split(event) => apart(|| split::explain::explain(&cx, event)),
        Event::Explicit(event) => apart(|| explicit::explain::explain(&cx, event)),
        Event::Under(event) => apart(|| under::explain::explain(&cx, event)),
        Event::CombinedApprox(event) => apart(|| combined_approx::explain::explain(&cx, event)),
        Event::Equation(event) => apart(|| equation::explain::explain(&cx, event)),
        Event::Decided { verdict } => round::decided(&cx, verdict),
    };
    explanation.subjects.tidy(&cx);
    explanation
}

impl Subjects {
    /// Adds the locations of the nodes and removes duplicates.
    fn tidy(&mut self, cx: &Context<'_>) {
        self.locations.extend(self.nodes.iter().filter_map(|node| cx.location(*node)));
        once(&mut self.nodes);
        once(&mut self.locations);
        // The last edge is that of the step: of a path that repeats edges, their last occurrences count.
        self.edges.reverse();
        once(&mut self.edges);
        self.edges.reverse();
        once(&mut self.predicates);
    }
}

/// Keeps the first of equal items, in order.
fn once<T: Copy + Ord>(items: &mut Vec<T>) {
    let mut seen = std::collections::BTreeSet::new();
    items.retain(|item| seen.insert(*item));
}

fn nothing_there(index: usize) -> Explanation {
    Explanation {
        title: "No such step".to_owned(),
        what: vec![Piece::Text(format!("This run has no step {index}."))],
        why: vec![Piece::Text("The run has fewer steps.".to_owned())],
        maths: vec![MathLine { label: "step".to_owned(), formula: index.to_string(), verdict: None }],
        slip: None,
        subjects: Subjects::default(),
    }
}

/// A line of mathematics without a result.
pub(crate) fn line(label: impl Into<String>, formula: impl Into<String>) -> MathLine {
    MathLine { label: label.into(), formula: formula.into(), verdict: None }
}

/// A line of mathematics with its result.
pub(crate) fn judged(label: impl Into<String>, formula: impl Into<String>, verdict: Judgement) -> MathLine {
    MathLine { label: label.into(), formula: formula.into(), verdict: Some(verdict) }
}

#[cfg(test)]
mod tests;

//! Why this step? Every event explained in three layers: what happened, why, and the mathematics, with the names
//! and numbers of this run.
//!
//! An explanation is a function of a journal and a position in it; what the event itself does not say (labels,
//! the path, the iteration) is folded from the journal's prefix with the views. Words and definitions follow
//! Hajdu, Micskei: Efficient Strategies for CEGAR-Based Model Checking (2020), Section 2. A journal from a link
//! may be cut short or inconsistent: then less is said, and nothing panics.

mod abstraction;
mod context;
#[cfg(test)]
pub(crate) mod example;
mod explicit;
mod formula;
mod glossary;
mod lasso;
mod piece;
mod refinement;
mod refutation;
mod round;
mod split;
mod strategy;
mod symbolic;
mod timeline;
mod verdict;

use crate::kit::{Arrival, Event, Journal, NodeId, PredicateId};
use crate::system::{EdgeId, LocationId};

use context::Context;
pub use glossary::Term;
pub use piece::{Piece, Target};
pub use timeline::{Direction, Granularity, PhaseMark, step, summary};

/// An answer beside a line of mathematics.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The formula has a model.
    Sat,
    /// The formula has no model.
    Unsat,
    /// The statement holds.
    Holds,
    /// The statement does not hold.
    Fails,
    /// The solver gave up.
    Unknown,
}

impl Outcome {
    /// The answer in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Sat => "satisfiable",
            Outcome::Unsat => "unsatisfiable",
            Outcome::Holds => "holds",
            Outcome::Fails => "does not hold",
            Outcome::Unknown => "not decided",
        }
    }
}

/// A line of mathematics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MathLine {
    /// What the formula is: `s`, `op`, `query`.
    pub label: String,
    /// The formula.
    pub formula: String,
    /// What was found out about it.
    pub verdict: Option<Outcome>,
}

/// What an event is about: the selection and focus in all views.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Subjects {
    /// Nodes of the graph, the most important first.
    pub nodes: Vec<NodeId>,
    /// Locations.
    pub locations: Vec<LocationId>,
    /// Edges of the system.
    pub edges: Vec<EdgeId>,
    /// Predicates.
    pub predicates: Vec<PredicateId>,
    /// A position on the counterexample: the number of steps before it.
    pub cut: Option<u32>,
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
            text.push_str(&format!("Careful: {slip}\n"));
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
        Event::NodeSelected { node } => abstraction::node_selected(&cx, node),
        Event::CoverChecked { node, by, answer } => abstraction::cover_checked(&cx, node, by, answer),
        Event::NodeCovered { node, by } => abstraction::node_covered(&cx, node, by),
        Event::EdgeChecked { node, edge, answer } => abstraction::edge_checked(&cx, node, edge, answer),
        Event::PredicateChecked { node, edge, predicate, truth, .. } => {
            abstraction::predicate_checked(&cx, node, edge, predicate, truth)
        }
        Event::NodeAdded { node, from } => abstraction::node_added(&cx, node, from.map(Arrival::pair)),
        Event::EdgeBlocked { node, edge } => strategy::edge_blocked(&cx, node, edge),
        Event::ValuesListed { node, edge, found, complete } => {
            strategy::values_listed(&cx, node, edge, found, complete)
        }
        Event::CubesListed { node, edge, cubes, .. } => strategy::cubes_listed(&cx, node, edge, cubes),
        Event::NodeExpanded { node } => abstraction::node_expanded(&cx, node),
        Event::CexFound { node, length } => refinement::cex_found(&cx, node, length),
        Event::CexChosen { node, length } => strategy::cex_chosen(&cx, node, length),
        Event::StepEncoded { step, edge, formula } => refinement::step_encoded(&cx, step, edge, formula),
        Event::PrefixChecked { steps, answer } => refinement::prefix_checked(&cx, steps, answer),
        Event::PathFeasible { steps } => refinement::path_feasible(&cx, steps),
        Event::ValuationFound { step, formula } => refinement::valuation_found(&cx, step, formula),
        Event::PathInfeasible { steps } => refinement::path_infeasible(&cx, steps),
        Event::SuffixChecked { from, answer } => refutation::suffix_checked(&cx, from, answer),
        Event::PathRefuted { from, proof_steps } => refutation::path_refuted(&cx, from, proof_steps),
        Event::Interpolated { cut, node, formula } => refinement::interpolated(&cx, cut, node, formula),
        Event::PruneCompared { forward: f, backward: b, backwards } => {
            strategy::prune_compared(&cx, f, b, backwards)
        }
        Event::CexSkipped { node, by } => strategy::cex_skipped(&cx, node, by),
        Event::PrecisionGrew { predicate, location } => refinement::precision_grew(&cx, predicate, location),
        Event::VariableTracked { variable, location } => strategy::variable_tracked(&cx, variable, location),
        Event::ChainGrew { predicate, length } => strategy::chain_grew(&cx, predicate, length),
        Event::Pruned { node } => verdict::pruned(&cx, node),
        Event::NodeUncovered { node } => verdict::node_uncovered(&cx, node),
        Event::NodeReopened { node } => verdict::node_reopened(&cx, node),
        Event::BadChecked { steps, answer } => symbolic::bad_checked(&cx, steps, answer),
        Event::InductionChecked { steps, simple, answer } => {
            symbolic::induction_checked(&cx, steps, simple, answer)
        }
        Event::ImageChecked { images, answer } => symbolic::image_checked(&cx, images, answer),
        Event::ImageGrew { images, formula } => symbolic::image_grew(&cx, images, formula),
        Event::ClosureChecked { answer } => symbolic::closure_checked(&cx, answer),
        Event::FrameOpened { frame } => symbolic::frame_opened(&cx, frame),
        Event::FrameChecked { frame, answer } => symbolic::frame_checked(&cx, frame, answer),
        Event::ObligationRaised { frame, formula } => symbolic::obligation_raised(&cx, frame, formula),
        Event::LemmaLearned { frame, formula } => symbolic::lemma_learned(&cx, frame, formula),
        Event::LemmasPushed { frame, left } => symbolic::lemmas_pushed(&cx, frame, left),
        Event::CellReached { cell, formula } => split::cell_reached(&cx, cell, formula),
        Event::CellChecked { cell, answer } => split::cell_checked(&cx, cell, answer),
        Event::CellExplored { cell } => split::cell_explored(&cx, cell),
        Event::TransitionFound { from, to } => split::transition_found(&cx, from, to),
        Event::FailureFound { cell, position } => split::failure_found(&cx, cell, position),
        Event::CellInterpolated { cell, formula } => split::cell_interpolated(&cx, cell, formula),
        Event::CellSplit { cell } => split::cell_split(&cx, cell),
        Event::CellsKept { kept } => split::cells_kept(&cx, kept),
        Event::StateReached { state, from } => explicit::state_reached(&cx, state, from.map(Arrival::pair)),
        Event::StateKnown { state, from } => explicit::state_known(&cx, state, from.pair()),
        Event::StateExpanded { state } => explicit::state_expanded(&cx, state),
        Event::ErrorReached { state } => explicit::error_reached(&cx, state),
        Event::Decided { verdict } => verdict::decided(&cx, verdict),
        event => lasso::explain(&cx, event),
    };
    explanation.subjects.tidy(&cx);
    explanation
}

impl Subjects {
    /// Adds the locations of the nodes and removes what is named twice.
    fn tidy(&mut self, cx: &Context<'_>) {
        self.locations.extend(self.nodes.iter().filter_map(|node| cx.location(*node)));
        once(&mut self.nodes);
        once(&mut self.locations);
        once(&mut self.edges);
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
        title: "Nothing here".to_owned(),
        what: vec![Piece::Text(format!("There is no step {index} in this run."))],
        why: vec![Piece::Text("The run is shorter.".to_owned())],
        maths: vec![MathLine { label: "step".to_owned(), formula: index.to_string(), verdict: None }],
        slip: None,
        subjects: Subjects::default(),
    }
}

/// A line of mathematics without an answer.
fn line(label: impl Into<String>, formula: impl Into<String>) -> MathLine {
    MathLine { label: label.into(), formula: formula.into(), verdict: None }
}

/// A line of mathematics with its answer.
fn judged(label: impl Into<String>, formula: impl Into<String>, verdict: Outcome) -> MathLine {
    MathLine { label: label.into(), formula: formula.into(), verdict: Some(verdict) }
}

#[cfg(test)]
mod tests;

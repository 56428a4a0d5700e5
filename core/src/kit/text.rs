//! The readable form of a journal: a version line, then one line an event. Golden tests and people read it.

use std::fmt::{self, Write as _};

use crate::kit::{Arrival, Event, FormulaId, Journal};
use crate::system::{EdgeId, LocationId};

/// The first line of the text form. A change of the format changes the number.
pub const VERSION_LINE: &str = "veristep journal 1";

impl fmt::Display for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{VERSION_LINE}")?;
        self.events.iter().try_for_each(|event| writeln!(f, "{}", self.event_line(event)))
    }
}

impl Journal {
    /// Where something is tracked, if not everywhere.
    fn place(&self, location: Option<LocationId>) -> String {
        location.map(|l| format!(" at {}", self.location(l))).unwrap_or_default()
    }

    /// One event as a line of text, ids resolved to names and formulas.
    #[must_use]
    pub fn event_line(&self, event: &Event) -> String {
        let edge = |e: EdgeId| self.names.edges.get(e.index()).map_or("?", |e| e.text.as_str());
        let formula = |f: FormulaId| self.formulas.get(f.index()).map_or("?", String::as_str);
        match *event {
            Event::IterationStarted { iteration } => format!("iteration {iteration}"),
            Event::NodeSelected { node } => format!("  selected {node}"),
            Event::CoverChecked { node, by, answer } => format!("  cover? {node} by {by}: {answer:?}"),
            Event::NodeCovered { node, by } => format!("  covered {node} by {by}"),
            Event::EdgeChecked { node, edge: e, answer } => {
                format!("  edge? {node} {e} '{}': {answer:?}", edge(e))
            }
            Event::PredicateChecked { node, edge, predicate, truth, asked } => {
                let text = self.predicates.get(predicate.index()).map_or("?", String::as_str);
                format!("  predicate? {node} {edge} {predicate} '{text}': {truth:?}, {asked} asked")
            }
            Event::NodeAdded { node, from } | Event::StateReached { state: node, from } => {
                let mut line = format!("  added {node}");
                if let Some(label) = self.states.get(node.index()) {
                    let _ = write!(line, " at {}: {}", self.location(label.location), self.label(label));
                }
                if let Some((parent, e)) = from.map(Arrival::pair) {
                    let _ = write!(line, " from {parent} by {e}");
                }
                line
            }
            Event::EdgeBlocked { node, edge: e } => format!("  blocked {node} {e} '{}'", edge(e)),
            Event::ValuesListed { node, edge: e, found, complete } => {
                let all = if complete { "all" } else { "too many" };
                format!("  values? {node} {e} '{}': {found}, {all}", edge(e))
            }
            Event::CubesListed { node, edge: e, cubes, asked } => {
                format!("  combinations? {node} {e}: {cubes}, {asked} asked")
            }
            Event::NodeExpanded { node } => format!("  expanded {node}"),
            Event::CexFound { node, length } => format!("  counterexample to {node}, {length} steps"),
            Event::CexChosen { node, length } => format!("  looking at {node}, {length} steps"),
            Event::StepEncoded { step, edge, formula: id } => {
                format!("  step {} {edge}: {}", u64::from(step) + 1, formula(id))
            }
            Event::PrefixChecked { steps, answer } => format!("  prefix? {steps} steps: {answer:?}"),
            Event::PathFeasible { steps } => format!("  feasible, {steps} steps"),
            Event::ValuationFound { step, formula: id } => format!("  values after {step}: {}", formula(id)),
            Event::PathInfeasible { steps } => format!("  infeasible after {steps} steps"),
            Event::SuffixChecked { from, answer } => format!("  suffix? from step {from}: {answer:?}"),
            Event::PathRefuted { from, proof_steps } => {
                format!("  refuted from step {from}, {proof_steps} proof steps")
            }
            Event::Interpolated { cut, node, formula: id } => {
                format!("  interpolant at {cut} ({node}): {}", formula(id))
            }
            Event::PruneCompared { forward, backward, backwards } => {
                let taken = if backwards { "backward" } else { "forward" };
                format!("  prunes at {forward} forward, {backward} backward: {taken}")
            }
            Event::CexSkipped { node, by } => format!("  skipped {node}, pruned with {by}"),
            Event::PrecisionGrew { predicate, location } => {
                let text = self.predicates.get(predicate.index()).map_or("?", String::as_str);
                format!("  predicate {predicate}{}: {text}", self.place(location))
            }
            Event::VariableTracked { variable, location } => {
                format!("  variable {}{}", self.variable(variable), self.place(location))
            }
            Event::ChainGrew { predicate, length } => format!("  chain of {length} to {predicate}"),
            Event::Pruned { node } => format!("  pruned {node}"),
            Event::NodeUncovered { node } => format!("  uncovered {node}"),
            Event::NodeReopened { node } => format!("  reopened {node}"),
            Event::Decided { verdict } => format!("decided {verdict:?}"),
            _ => self.symbolic_line(event),
        }
    }

    /// The events of the methods over one transition system.
    fn symbolic_line(&self, event: &Event) -> String {
        let formula = |f: FormulaId| self.formulas.get(f.index()).map_or("?", String::as_str);
        match *event {
            Event::BadChecked { steps, answer } => format!("  bad after {steps}? {answer:?}"),
            Event::InductionChecked { steps, simple, answer } => {
                let simple = if simple { ", states differ" } else { "" };
                format!("  induction over {steps}{simple}? {answer:?}")
            }
            Event::ImageChecked { images, answer } => format!("  bad after {images} images? {answer:?}"),
            Event::ImageGrew { images, formula: id } => format!("  image {images}: {}", formula(id)),
            Event::ClosureChecked { answer } => format!("  more than before? {answer:?}"),
            Event::FrameOpened { frame } => format!("  frame {frame}"),
            Event::FrameChecked { frame, answer } => format!("  bad in frame {frame}? {answer:?}"),
            Event::ObligationRaised { frame, formula: id } => {
                format!("  to block at {frame}: {}", formula(id))
            }
            Event::LemmaLearned { frame, formula: id } => format!("  lemma of {frame}: {}", formula(id)),
            Event::LemmasPushed { frame, left } => format!("  pushed from {frame}, {left} left"),
            Event::CellReached { cell, formula: id } => format!("  reached {cell}: {}", formula(id)),
            Event::CellChecked { cell, answer } => format!("  bad in {cell}? {answer:?}"),
            Event::CellExplored { cell } => format!("  explored {cell}"),
            Event::TransitionFound { from: None, to } => format!("  initial {to}"),
            Event::TransitionFound { from: Some(from), to } => format!("  {from} leads to {to}"),
            Event::FailureFound { cell, position } => format!("  fails at {cell}, position {position}"),
            Event::CellInterpolated { cell, formula: id } => {
                format!("  interpolant at {cell}: {}", formula(id))
            }
            Event::CellSplit { cell } => format!("  split {cell}"),
            Event::CellsKept { kept } => format!("  kept {kept}"),
            Event::StateKnown { state, from } => {
                let (from, edge) = from.pair();
                format!("  {from} leads to {state} again by {edge}")
            }
            Event::StateExpanded { state } => format!("  expanded {state}"),
            Event::ErrorReached { state } => format!("  error at {state}"),
            Event::Coloured { node, colour } => format!("  {node} is {}", colour.name()),
            Event::LetterChecked { node, answer } => format!("  letter? {node}: {answer:?}"),
            Event::LassoFound { back, length } => format!("  lasso of {length} steps, back to {back}"),
            Event::LassoVisited { position, node } => format!("  lasso {position}: {node}"),
            Event::CycleChecked { answer } => format!("  same at both ends? {answer:?}"),
            Event::LassoClosed { length } => format!("  closed after {length} steps"),
            Event::RankingFound { formula: id } => format!("  decreases: {}", formula(id)),
            Event::RecurrenceFound { formula: id } => format!("  kept: {}", formula(id)),
            _ => String::new(),
        }
    }
}

//! Is a journal sound? A journal from a link may be truncated or forged. The views index their tables, so a foreign
//! journal is checked here before it is folded.
//!
//! Sound means: the tables refer to each other within their bounds, nodes are added densely and after their
//! parents, and every event refers to existing nodes, edges, predicates and formulas.

use std::fmt;

use crate::kit::{Event, FormulaId, Journal, NodeId, PredicateId};
use crate::system::{EdgeId, LocationId, VarId};

/// The first thing wrong with a journal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsound {
    /// The event it is about; `None` for the tables.
    pub at: Option<usize>,
    /// What is wrong.
    pub problem: Problem,
}

/// The problems of a journal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// An edge's source or target is not a location.
    EdgeEnds(EdgeId),
    /// A label refers to a missing location, variable or predicate, or its literals are not ascending.
    Label(NodeId),
    /// A node was added out of order.
    NodeOrder(NodeId),
    /// A node has no label.
    NoLabel(NodeId),
    /// An event is about a node that was not added before.
    NoNode(NodeId),
    /// There is no such edge.
    NoEdge(EdgeId),
    /// There is no such variable.
    NoVariable(VarId),
    /// There is no such location.
    NoLocation(LocationId),
    /// There is no such predicate.
    NoPredicate(PredicateId),
    /// There is no such formula.
    NoFormula(FormulaId),
    /// Iterations are not numbered 1, 2, 3, ….
    IterationOrder(u32),
}

impl fmt::Display for Unsound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(at) => write!(f, "event {at} of the journal: ")?,
            None => f.write_str("the journal's tables: ")?,
        }
        match self.problem {
            Problem::EdgeEnds(edge) => write!(f, "{edge} has an end that is not a location"),
            Problem::Label(node) => write!(f, "the label of {node} does not fit the tables"),
            Problem::NodeOrder(node) => write!(f, "{node} was added out of order"),
            Problem::NoLabel(node) => write!(f, "{node} has no label"),
            Problem::NoNode(node) => write!(f, "{node} was not added before"),
            Problem::NoEdge(edge) => write!(f, "there is no {edge}"),
            Problem::NoVariable(variable) => write!(f, "there is no variable {variable}"),
            Problem::NoLocation(location) => write!(f, "there is no location {location}"),
            Problem::NoPredicate(predicate) => write!(f, "there is no predicate {predicate}"),
            Problem::NoFormula(formula) => write!(f, "there is no formula {formula}"),
            Problem::IterationOrder(iteration) => write!(f, "iteration {iteration} is out of order"),
        }
    }
}

impl std::error::Error for Unsound {}

impl Journal {
    /// Checks the tables and all events.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), Unsound> {
        self.check_tables()?;
        let mut reader = Reader { journal: self, nodes: 0, iterations: 0 };
        for (at, event) in self.events.iter().enumerate() {
            reader.event(event).map_err(|problem| Unsound { at: Some(at), problem })?;
        }
        Ok(())
    }

    /// The number of the first `length` events over which the views can be folded.
    #[must_use]
    pub fn sound_events(&self, length: usize) -> usize {
        let mut reader = Reader { journal: self, nodes: 0, iterations: 0 };
        let events = &self.events[..length.min(self.events.len())];
        events.iter().position(|event| reader.event(event).is_err()).unwrap_or(events.len())
    }

    fn check_tables(&self) -> Result<(), Unsound> {
        let tables = |problem| Unsound { at: None, problem };
        let (locations, predicates) = (self.names.locations.len(), self.predicates.len());
        for (edge, ends) in (0..).map(EdgeId).zip(&self.names.edges) {
            if ends.source.index() >= locations || ends.target.index() >= locations {
                return Err(tables(Problem::EdgeEnds(edge)));
            }
        }
        let edges = &self.names.edges;
        let named = edges.iter().flat_map(|edge| &edge.block).chain(&self.names.sliced);
        if let Some(edge) = named.into_iter().find(|edge| edge.index() >= edges.len()) {
            return Err(tables(Problem::NoEdge(*edge)));
        }
        for (node, label) in (0..).map(NodeId).zip(&self.states) {
            let ascending = label.literals.windows(2).all(|pair| pair[0].0 < pair[1].0);
            let known = label.predicates().all(|p| p.index() < predicates)
                && label.values.iter().all(|(v, _)| v.index() < self.names.variables.len());
            if label.location.index() >= locations || !ascending || !known {
                return Err(tables(Problem::Label(node)));
            }
        }
        Ok(())
    }
}

/// Reads events in order and keeps track of the nodes.
pub struct Reader<'a> {
    journal: &'a Journal,
    nodes: usize,
    iterations: u32,
}

impl Reader<'_> {
    fn event(&mut self, event: &Event) -> Result<(), Problem> {
        match event {
            Event::IterationStarted { iteration } => self.iteration(*iteration),
            Event::Cegar(event) => event.check(self),
            Event::Lasso(event) => event.check(self),
            Event::Bmc(event) => event.check(self),
            Event::Induction(event) => event.check(self),
            Event::Imc(event) => event.check(self),
            Event::Equation(event) => event.check(self),
            Event::Pdr(event) => event.check(self),
            Event::Split(event) => event.check(self),
            Event::Explicit(event) => event.check(self),
            Event::Under(event) => event.check(self),
            Event::CombinedApprox(event) => event.check(self),
            Event::Decided { .. } => Ok(()),
        }
    }

    fn iteration(&mut self, iteration: u32) -> Result<(), Problem> {
        if iteration.checked_sub(1) != Some(self.iterations) {
            return Err(Problem::IterationOrder(iteration));
        }
        self.iterations = iteration;
        Ok(())
    }

    /// A node is added by an edge from another one; it is the next one, and has a label.
    pub(crate) fn added(&mut self, node: NodeId, from: Option<(NodeId, EdgeId)>) -> Result<(), Problem> {
        if node.index() != self.nodes {
            return Err(Problem::NodeOrder(node));
        }
        if node.index() >= self.journal.states.len() {
            return Err(Problem::NoLabel(node));
        }
        if let Some((parent, edge)) = from {
            self.node(parent).and(self.edge(edge))?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// A node was added before.
    pub(crate) fn node(&self, node: NodeId) -> Result<(), Problem> {
        if node.index() < self.nodes { Ok(()) } else { Err(Problem::NoNode(node)) }
    }

    /// There is such an edge.
    pub(crate) fn edge(&self, edge: EdgeId) -> Result<(), Problem> {
        if edge.index() < self.journal.names.edges.len() { Ok(()) } else { Err(Problem::NoEdge(edge)) }
    }

    /// There is such a predicate.
    pub(crate) fn predicate(&self, id: PredicateId) -> Result<(), Problem> {
        if id.index() < self.journal.predicates.len() { Ok(()) } else { Err(Problem::NoPredicate(id)) }
    }

    /// There is such a variable.
    pub(crate) fn variable(&self, id: VarId) -> Result<(), Problem> {
        if id.index() < self.journal.names.variables.len() { Ok(()) } else { Err(Problem::NoVariable(id)) }
    }

    /// There is such a location, if one is given.
    pub(crate) fn place(&self, id: Option<LocationId>) -> Result<(), Problem> {
        let there = |l: LocationId| l.index() < self.journal.names.locations.len();
        id.filter(|l| !there(*l)).map_or(Ok(()), |l| Err(Problem::NoLocation(l)))
    }

    /// There is such a formula.
    pub(crate) fn formula(&self, id: FormulaId) -> Result<(), Problem> {
        if id.index() < self.journal.formulas.len() { Ok(()) } else { Err(Problem::NoFormula(id)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::example;
    use crate::kit::Arrival;
    use crate::kit::{View, fold};
    use crate::methods::cegar;
    use crate::views::ArgView;

    fn broken(change: impl FnOnce(&mut Journal)) -> Option<Problem> {
        let mut journal = example::every_event();
        change(&mut journal);
        let problem = journal.check().err().map(|unsound| unsound.problem);
        // For every problem of the events, the sound part can be folded.
        let _: ArgView = fold(&journal, journal.sound_events(usize::MAX));
        problem
    }

    #[test]
    fn a_recorded_run_is_sound() {
        let journal = example::every_event();
        assert_eq!(journal.check(), Ok(()));
        assert_eq!(journal.sound_events(usize::MAX), journal.events.len());
    }

    #[test]
    fn each_kind_of_damage_is_named() {
        let far = 99;
        let added = |node, from| {
            Event::Cegar(cegar::Event::NodeAdded {
                node: NodeId(node),
                from: Option::map(from, Arrival::new),
            })
        };
        let checks = [
            (broken(|j| j.names.edges[0].target = LocationId(far)), Problem::EdgeEnds(EdgeId(0))),
            (broken(|j| j.states[1].location = LocationId(far)), Problem::Label(NodeId(1))),
            (broken(|j| j.states[1].literals = vec![(PredicateId(far), true)]), Problem::Label(NodeId(1))),
            (broken(|j| j.events.insert(0, added(1, None))), Problem::NodeOrder(NodeId(1))),
            (broken(|j| j.states.truncate(2)), Problem::NoLabel(NodeId(2))),
            (
                broken(|j| j.events.insert(0, added(0, Some((NodeId(7), EdgeId(0)))))),
                Problem::NoNode(NodeId(7)),
            ),
            (
                broken(|j| j.events.push(Event::Cegar(cegar::Event::Pruned { node: NodeId(far) }))),
                Problem::NoNode(NodeId(far)),
            ),
            (
                broken(|j| {
                    j.events.push(Event::Cegar(cegar::Event::PrecisionGrew {
                        predicate: PredicateId(far),
                        location: None,
                    }))
                }),
                Problem::NoPredicate(PredicateId(far)),
            ),
            (
                broken(|j| {
                    let location = Some(LocationId(far));
                    j.events.push(Event::Cegar(cegar::Event::PrecisionGrew {
                        predicate: PredicateId(0),
                        location,
                    }));
                }),
                Problem::NoLocation(LocationId(far)),
            ),
            (
                broken(|j| {
                    j.events.push(Event::Cegar(cegar::Event::VariableTracked {
                        variable: VarId(far),
                        location: None,
                    }))
                }),
                Problem::NoVariable(VarId(far)),
            ),
            (
                broken(|j| {
                    j.events
                        .push(Event::Cegar(cegar::Event::ValuationFound { step: 0, formula: FormulaId(far) }))
                }),
                Problem::NoFormula(FormulaId(far)),
            ),
            (broken(|j| j.events.push(Event::IterationStarted { iteration: 0 })), Problem::IterationOrder(0)),
        ];
        for (found, expected) in checks {
            assert_eq!(found, Some(expected));
        }
    }

    #[test]
    fn every_view_survives_the_sound_part() {
        let journal = example::every_event();
        let mut arg = ArgView::default();
        for event in &journal.events {
            arg.apply(event, &journal);
        }
        assert_eq!(arg.applied, journal.events.len());
    }
}

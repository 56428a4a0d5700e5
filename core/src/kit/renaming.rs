//! New numbers for the objects of an engine that shares a journal with another engine.

use std::collections::HashMap;

use crate::kit::{Arrival, FormulaId, Label, NodeId, PredicateId};

/// The objects of the shared journal so far.
#[derive(Clone, Debug, Default)]
pub struct Numbering {
    nodes: usize,
    formulas: usize,
    predicates: usize,
    /// Predicates by their texts.
    known: HashMap<String, PredicateId>,
}

/// From the numbers of one engine to those of the shared journal.
#[derive(Clone, Debug, Default)]
pub struct Renaming {
    nodes: Vec<NodeId>,
    formulas: Vec<FormulaId>,
    predicates: Vec<PredicateId>,
}

impl Renaming {
    /// Adds the next node of the engine.
    pub(crate) fn add_node(&mut self, all: &mut Numbering) -> NodeId {
        let id = NodeId::new(all.nodes);
        all.nodes += 1;
        self.nodes.push(id);
        id
    }

    /// Adds the next formula of the engine.
    pub(crate) fn add_formula(&mut self, all: &mut Numbering) -> FormulaId {
        let id = FormulaId::new(all.formulas);
        all.formulas += 1;
        self.formulas.push(id);
        id
    }

    /// Adds the next predicate of the engine. Engines with equal predicates share them; is it new in the journal?
    pub(crate) fn add_predicate(&mut self, text: &str, all: &mut Numbering) -> (PredicateId, bool) {
        let next = PredicateId::new(all.predicates);
        // Texts that are cut off can be equal for different predicates.
        let is_whole = !text.ends_with('…');
        let known = all.known.get(text).copied().filter(|_| is_whole);
        let id = known.unwrap_or(next);
        if id == next {
            all.predicates += 1;
            all.known.insert(text.to_owned(), id);
        }
        self.predicates.push(id);
        (id, id == next)
    }

    /// A node.
    ///
    /// # Panics
    /// If it was not added, as do the other functions.
    pub(crate) fn node(&self, id: NodeId) -> NodeId {
        self.nodes[id.index()]
    }

    /// A parent and an edge.
    pub(crate) fn arrival(&self, from: Arrival) -> Arrival {
        let (parent, edge) = from.pair();
        Arrival::new((self.node(parent), edge))
    }

    /// A formula.
    pub(crate) fn formula(&self, id: FormulaId) -> FormulaId {
        self.formulas[id.index()]
    }

    /// A predicate.
    pub(crate) fn predicate(&self, id: PredicateId) -> PredicateId {
        self.predicates[id.index()]
    }

    /// A label.
    pub(crate) fn label(&self, label: Label) -> Label {
        let literals = |all: Vec<(PredicateId, bool)>| {
            let mut all: Vec<_> = all.into_iter().map(|(p, truth)| (self.predicate(p), truth)).collect();
            all.sort_unstable();
            all
        };
        Label {
            literals: literals(label.literals),
            either: label.either.into_iter().map(literals).collect(),
            ..label
        }
    }
}

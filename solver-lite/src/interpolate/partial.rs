//! Partial interpolants as a graph of binary operators. Terms flatten conjunctions and disjunctions, which along a long
//! proof would copy the same operands repeatedly; here the cost of a step is independent of the size of its operands.

use crate::hash::Map;
use crate::term::{Term, Terms};

/// A node, by index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Partial(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Node {
    Leaf(Term),
    And(Partial, Partial),
    Or(Partial, Partial),
}

/// All nodes, each once; operands come before operators.
#[derive(Default)]
pub(super) struct Partials {
    nodes: Vec<Node>,
    ids: Map<Node, Partial>,
}

impl Partials {
    fn add(&mut self, node: Node) -> Partial {
        let next = Partial(self.nodes.len() as u32);
        let id = *self.ids.entry(node).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        id
    }

    pub(super) fn leaf(&mut self, t: Term) -> Partial {
        self.add(Node::Leaf(t))
    }

    fn is(&self, p: Partial, t: Term) -> bool {
        self.nodes[p.index()] == Node::Leaf(t)
    }

    pub(super) fn and(&mut self, p: Partial, q: Partial) -> Partial {
        if p == q || self.is(q, Term::TRUE) || self.is(p, Term::FALSE) {
            return p;
        }
        if self.is(p, Term::TRUE) || self.is(q, Term::FALSE) {
            return q;
        }
        self.add(Node::And(p.min(q), p.max(q)))
    }

    pub(super) fn or(&mut self, p: Partial, q: Partial) -> Partial {
        if p == q || self.is(q, Term::FALSE) || self.is(p, Term::TRUE) {
            return p;
        }
        if self.is(p, Term::FALSE) || self.is(q, Term::TRUE) {
            return q;
        }
        self.add(Node::Or(p.min(q), p.max(q)))
    }

    /// Every node as a term of the same shape: two operands a step, nothing flattened.
    pub(super) fn gates(&self, terms: &mut Terms) -> Vec<Term> {
        let mut gates: Vec<Term> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let of = |p: &Partial| gates[p.index()];
            let gate = match node {
                Node::Leaf(t) => *t,
                Node::And(p, q) => terms.gate(true, [of(p), of(q)]),
                Node::Or(p, q) => terms.gate(false, [of(p), of(q)]),
            };
            gates.push(gate);
        }
        gates
    }

    /// The operands of an operator; none of a leaf.
    pub(super) fn operands(&self, p: Partial) -> Option<[Partial; 2]> {
        match self.nodes[p.index()] {
            Node::Leaf(_) => None,
            Node::And(p, q) | Node::Or(p, q) => Some([p, q]),
        }
    }

    /// A node as a term, preceded by the terms of everything below it. Chains of one operator become one operator with
    /// many operands.
    pub(super) fn written(&self, terms: &mut Terms, root: Partial) -> Vec<Written> {
        let mut users: Vec<(u32, Option<Partial>)> = vec![(0, None); self.nodes.len()];
        users[root.index()].0 = 1;
        for p in (0..=root.0).rev().map(Partial) {
            if users[p.index()].0 > 0 {
                for operand in self.operands(p).into_iter().flatten() {
                    let (count, user) = &mut users[operand.index()];
                    *count += 1;
                    *user = Some(p);
                }
            }
        }
        // Merged into its only user, which has the same operator.
        let joined = |p: Partial| match users[p.index()] {
            (1, Some(user)) => matches!(
                (self.nodes[p.index()], self.nodes[user.index()]),
                (Node::And(..), Node::And(..)) | (Node::Or(..), Node::Or(..))
            ),
            _ => false,
        };
        let mut made: Map<Partial, Term> = Map::default();
        let mut all = Vec::new();
        for node in (0..=root.0).map(Partial).filter(|p| users[p.index()].0 > 0 && !joined(*p)) {
            let (mut chain, mut operands) = (vec![node], Vec::new());
            let mut next = 0;
            while let Some(p) = chain.get(next).copied() {
                next += 1;
                for operand in self.operands(p).into_iter().flatten() {
                    let place = if joined(operand) { &mut chain } else { &mut operands };
                    place.push(operand);
                }
            }
            let terms_of = operands.iter().map(|p| made[p]);
            let term = match self.nodes[node.index()] {
                Node::Leaf(t) => t,
                Node::And(..) => terms.gate(true, terms_of),
                Node::Or(..) => terms.gate(false, terms_of),
            };
            made.insert(node, term);
            all.push(Written { chain, operands, term });
        }
        all
    }
}

/// A node that was converted to a term.
pub(super) struct Written {
    /// The node, and those merged into it.
    pub(super) chain: Vec<Partial>,
    /// The operands, which were converted before.
    pub(super) operands: Vec<Partial>,
    /// The term.
    pub(super) term: Term,
}

impl Partial {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

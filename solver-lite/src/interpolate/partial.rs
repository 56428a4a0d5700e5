//! Partial interpolants as a graph of binary operators. Terms flatten conjunctions and disjunctions, which along a long
//! proof would copy the same operands over and over; here a step costs the same whatever is below it.

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
        self.nodes[p.0 as usize] == Node::Leaf(t)
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

    /// A node as a term. Chains of one operator become one operator with many operands.
    pub(super) fn to_term(&self, terms: &mut Terms, root: Partial) -> Term {
        let mut users: Vec<(u32, Option<Partial>)> = vec![(0, None); self.nodes.len()];
        users[root.0 as usize].0 = 1;
        for i in (0..=root.0).rev() {
            if let (true, Node::And(p, q) | Node::Or(p, q)) =
                (users[i as usize].0 > 0, self.nodes[i as usize])
            {
                for operand in [p, q] {
                    let (count, user) = &mut users[operand.0 as usize];
                    *count += 1;
                    *user = Some(Partial(i));
                }
            }
        }
        // Made together with its user: the only one, and of the same operator.
        let joined = |p: Partial| match users[p.0 as usize] {
            (1, Some(user)) => matches!(
                (self.nodes[p.0 as usize], self.nodes[user.0 as usize]),
                (Node::And(..), Node::And(..)) | (Node::Or(..), Node::Or(..))
            ),
            _ => false,
        };
        let mut made: Map<Partial, Term> = Map::default();
        for id in (0..=root.0).map(Partial).filter(|p| users[p.0 as usize].0 > 0 && !joined(*p)) {
            let (Node::And(p, q) | Node::Or(p, q)) = self.nodes[id.0 as usize] else {
                let Node::Leaf(t) = self.nodes[id.0 as usize] else { unreachable!("matched above") };
                made.insert(id, t);
                continue;
            };
            let (mut stack, mut operands) = (vec![p, q], Vec::new());
            while let Some(p) = stack.pop() {
                match self.nodes[p.0 as usize] {
                    Node::And(a, b) | Node::Or(a, b) if joined(p) => stack.extend([a, b]),
                    _ => operands.push(made[&p]),
                }
            }
            let conjunction = matches!(self.nodes[id.0 as usize], Node::And(..));
            made.insert(id, if conjunction { terms.and(operands) } else { terms.or(operands) });
        }
        made[&root]
    }
}

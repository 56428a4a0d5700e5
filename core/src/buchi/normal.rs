//! Formulas in negation normal form with structural sharing, and simplifying rewrite rules (Somenzi and Bloem,
//! "Efficient Büchi Automata from LTL Formulae", 2000; Etessami and Holzmann, "Optimizing Büchi Automata", 2000).
//!
//! `F a` is `true U a`, `G a` is `false R a`, `a W b` is `b R (a ∨ b)`, `a M b` is `b U (a ∧ b)`. Every constructor
//! returns the rewritten formula. A formula is *eventual* if it is true whenever it is true later (`F a`), and
//! *universal* if it stays true once it is true (`G a`).

use std::collections::{BTreeMap, HashMap};

use crate::ltl::{AtomId, Formula, Temporal};

/// A formula of a [`Store`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct Id(u32);

impl Id {
    pub(crate) const FALSE: Id = Id(0);
    pub(crate) const TRUE: Id = Id(1);
}

/// The operator of a formula with its operands. `And` and `Or` have two or more operands, ascending and distinct.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    Constant(bool),
    Literal(AtomId, bool),
    And(Vec<Id>),
    Or(Vec<Id>),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

#[derive(Clone, Copy, Default)]
struct Facts {
    eventual: bool,
    universal: bool,
}

/// The common part by which operands are merged.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Next,
    /// The shared operand: of `U` the right one in a conjunction, the left one in a disjunction.
    Until(Id),
    Release(Id),
    /// `F G` in a conjunction, `G F` in a disjunction.
    Twice,
}

/// All formulas of one translation.
#[derive(Clone, Default)]
pub(crate) struct Store {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    known: HashMap<Node, Id>,
    implied: HashMap<(Id, Id), bool>,
    negated: HashMap<Id, Id>,
}

impl Store {
    pub(crate) fn new() -> Store {
        let mut store = Store::default();
        store.intern(Node::Constant(false));
        store.intern(Node::Constant(true));
        store
    }

    pub(crate) fn node(&self, id: Id) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn intern(&mut self, node: Node) -> Id {
        if let Some(id) = self.known.get(&node) {
            return *id;
        }
        let id = Id(u32::try_from(self.nodes.len()).expect("fewer than 2^32 formulas"));
        let all = |parts: &[Id], of: fn(Facts) -> bool| parts.iter().all(|p| of(self.facts[p.0 as usize]));
        let (eventual, universal) = match &node {
            Node::Constant(_) => (true, true),
            Node::Literal(..) => (false, false),
            Node::And(parts) | Node::Or(parts) => (all(parts, |f| f.eventual), all(parts, |f| f.universal)),
            Node::Next(a) => (all(&[*a], |f| f.eventual), all(&[*a], |f| f.universal)),
            Node::Until(a, b) => {
                (*a == Id::TRUE || all(&[*a, *b], |f| f.eventual), all(&[*a, *b], |f| f.universal))
            }
            Node::Release(a, b) => {
                (all(&[*a, *b], |f| f.eventual), *a == Id::FALSE || all(&[*a, *b], |f| f.universal))
            }
        };
        self.nodes.push(node.clone());
        self.facts.push(Facts { eventual, universal });
        self.known.insert(node, id);
        id
    }

    pub(crate) fn eventual(&self, a: Id) -> bool {
        self.facts[a.0 as usize].eventual
    }

    pub(crate) fn universal(&self, a: Id) -> bool {
        self.facts[a.0 as usize].universal
    }

    pub(crate) fn literal(&mut self, atom: AtomId, positive: bool) -> Id {
        self.intern(Node::Literal(atom, positive))
    }

    pub(crate) fn not(&mut self, a: Id) -> Id {
        if let Some(known) = self.negated.get(&a) {
            return *known;
        }
        let negated = self.negate(a);
        self.negated.insert(a, negated);
        negated
    }

    fn negate(&mut self, a: Id) -> Id {
        match self.node(a).clone() {
            Node::Constant(b) => {
                if b {
                    Id::FALSE
                } else {
                    Id::TRUE
                }
            }
            Node::Literal(p, positive) => self.literal(p, !positive),
            Node::And(parts) => {
                let parts = parts.into_iter().map(|p| self.not(p)).collect();
                self.or(parts)
            }
            Node::Or(parts) => {
                let parts = parts.into_iter().map(|p| self.not(p)).collect();
                self.and(parts)
            }
            Node::Next(a) => {
                let a = self.not(a);
                self.next(a)
            }
            Node::Until(a, b) => {
                let (a, b) = (self.not(a), self.not(b));
                self.release(a, b)
            }
            Node::Release(a, b) => {
                let (a, b) = (self.not(a), self.not(b));
                self.until(a, b)
            }
        }
    }

    /// `F a`
    pub(crate) fn finally(&mut self, a: Id) -> Id {
        self.until(Id::TRUE, a)
    }

    /// `G a`
    pub(crate) fn globally(&mut self, a: Id) -> Id {
        self.release(Id::FALSE, a)
    }

    pub(crate) fn next(&mut self, a: Id) -> Id {
        // Formulas that are both eventual and universal.
        if self.eventual(a) && self.universal(a) { a } else { self.intern(Node::Next(a)) }
    }

    pub(crate) fn until(&mut self, a: Id, b: Id) -> Id {
        if matches!(self.node(b), Node::Constant(_))
            || a == Id::FALSE
            || self.eventual(b)
            || self.implies(a, b)
        {
            return b;
        }
        if a == Id::TRUE {
            return self.finally_of(b);
        }
        // X a U X b = X (a U b)
        if let (Node::Next(a), Node::Next(b)) = (self.node(a).clone(), self.node(b).clone()) {
            let inner = self.until(a, b);
            return self.next(inner);
        }
        match self.node(b).clone() {
            // a U (c U b) = c U b if a implies c
            Node::Until(c, _) if self.implies(a, c) => return b,
            _ => {}
        }
        let not = self.not(b);
        if self.implies(not, a) {
            return self.finally(b);
        }
        // (a ∨ c) U b where c implies b: c is redundant.
        if let Node::Or(parts) = self.node(a).clone() {
            let kept: Vec<Id> = parts.iter().copied().filter(|p| !self.implies(*p, b)).collect();
            if kept.len() < parts.len() {
                let a = self.or(kept);
                return self.until(a, b);
            }
        }
        self.intern(Node::Until(a, b))
    }

    fn finally_of(&mut self, b: Id) -> Id {
        match self.node(b).clone() {
            // F (a U b) = F b
            Node::Until(_, b) => self.finally(b),
            Node::Next(a) => {
                let inner = self.finally(a);
                self.next(inner)
            }
            // F (a ∨ b) = F a ∨ F b where that is shorter, because one of them is eventual
            Node::Or(parts) if parts.iter().any(|p| self.eventual(*p)) => {
                let (eventual, rest): (Vec<Id>, Vec<Id>) = parts.into_iter().partition(|p| self.eventual(*p));
                let rest = self.or(rest);
                let rest = self.finally(rest);
                self.or([eventual, vec![rest]].concat())
            }
            // F (a ∧ b) = F a ∧ b if b is both eventual and universal
            Node::And(parts) if parts.iter().any(|p| self.eventual(*p) && self.universal(*p)) => {
                let (pure, rest): (Vec<Id>, Vec<Id>) =
                    parts.into_iter().partition(|p| self.eventual(*p) && self.universal(*p));
                let rest = self.and(rest);
                let rest = self.finally(rest);
                self.and([pure, vec![rest]].concat())
            }
            _ => self.intern(Node::Until(Id::TRUE, b)),
        }
    }

    pub(crate) fn release(&mut self, a: Id, b: Id) -> Id {
        if matches!(self.node(b), Node::Constant(_))
            || a == Id::TRUE
            || self.universal(b)
            || self.implies(b, a)
        {
            return b;
        }
        if a == Id::FALSE {
            return self.globally_of(b);
        }
        if let (Node::Next(a), Node::Next(b)) = (self.node(a).clone(), self.node(b).clone()) {
            let inner = self.release(a, b);
            return self.next(inner);
        }
        match self.node(b).clone() {
            // a R (c R b) = c R b if c implies a
            Node::Release(c, _) if self.implies(c, a) => return b,
            _ => {}
        }
        let not = self.not(b);
        if self.implies(a, not) {
            return self.globally(b);
        }
        // (a ∧ c) R b where b implies c: c is redundant.
        if let Node::And(parts) = self.node(a).clone() {
            let kept: Vec<Id> = parts.iter().copied().filter(|p| !self.implies(b, *p)).collect();
            if kept.len() < parts.len() {
                let a = self.and(kept);
                return self.release(a, b);
            }
        }
        self.intern(Node::Release(a, b))
    }

    fn globally_of(&mut self, b: Id) -> Id {
        match self.node(b).clone() {
            // G (a R b) = G b
            Node::Release(_, b) => self.globally(b),
            Node::Next(a) => {
                let inner = self.globally(a);
                self.next(inner)
            }
            Node::And(parts) if parts.iter().any(|p| self.universal(*p)) => {
                let (universal, rest): (Vec<Id>, Vec<Id>) =
                    parts.into_iter().partition(|p| self.universal(*p));
                let rest = self.and(rest);
                let rest = self.globally(rest);
                self.and([universal, vec![rest]].concat())
            }
            Node::Or(parts) if parts.iter().any(|p| self.eventual(*p) && self.universal(*p)) => {
                let (pure, rest): (Vec<Id>, Vec<Id>) =
                    parts.into_iter().partition(|p| self.eventual(*p) && self.universal(*p));
                let rest = self.or(rest);
                let rest = self.globally(rest);
                self.or([pure, vec![rest]].concat())
            }
            _ => self.intern(Node::Release(Id::FALSE, b)),
        }
    }

    pub(crate) fn and(&mut self, parts: Vec<Id>) -> Id {
        let Some(parts) = self.flat(parts, true) else { return Id::FALSE };
        let parts = self.gathered(parts, true);
        let mut kept: Vec<Id> = Vec::new();
        for (i, p) in parts.iter().enumerate() {
            // Implied by another operand; of two equivalent operands the first is kept.
            let implied = parts
                .iter()
                .enumerate()
                .any(|(j, q)| i != j && self.implies(*q, *p) && (j < i || !self.implies(*p, *q)));
            if !implied {
                kept.push(*p);
            }
        }
        for (i, p) in kept.iter().enumerate() {
            let not = self.not(*p);
            if kept[i + 1..].iter().any(|q| self.implies(*q, not)) {
                return Id::FALSE;
            }
        }
        match kept.len() {
            0 => Id::TRUE,
            1 => kept[0],
            _ => self.intern(Node::And(kept)),
        }
    }

    /// The conjunction without simplification by implication: a state has to keep its promises.
    pub(crate) fn all_of(&mut self, parts: Vec<Id>) -> Id {
        match self.flat(parts, true) {
            None => Id::FALSE,
            Some(parts) => match parts.len() {
                0 => Id::TRUE,
                1 => parts[0],
                _ => self.intern(Node::And(parts)),
            },
        }
    }

    pub(crate) fn or(&mut self, parts: Vec<Id>) -> Id {
        let Some(parts) = self.flat(parts, false) else { return Id::TRUE };
        let parts = self.gathered(parts, false);
        let mut kept: Vec<Id> = Vec::new();
        for (i, p) in parts.iter().enumerate() {
            let implied = parts
                .iter()
                .enumerate()
                .any(|(j, q)| i != j && self.implies(*p, *q) && (j < i || !self.implies(*q, *p)));
            if !implied {
                kept.push(*p);
            }
        }
        for (i, p) in kept.iter().enumerate() {
            let not = self.not(*p);
            if kept[i + 1..].iter().any(|q| self.implies(not, *q)) {
                return Id::TRUE;
            }
        }
        match kept.len() {
            0 => Id::FALSE,
            1 => kept[0],
            _ => self.intern(Node::Or(kept)),
        }
    }

    /// The flattened operands, ascending and distinct, without the neutral one; `None` if one of them dominates.
    fn flat(&self, parts: Vec<Id>, and: bool) -> Option<Vec<Id>> {
        let (neutral, deciding) = if and { (Id::TRUE, Id::FALSE) } else { (Id::FALSE, Id::TRUE) };
        let mut all = Vec::with_capacity(parts.len());
        for p in parts {
            match self.node(p) {
                Node::And(inner) if and => all.extend(inner),
                Node::Or(inner) if !and => all.extend(inner),
                _ if p == deciding => return None,
                _ if p == neutral => {}
                _ => all.push(p),
            }
        }
        all.sort_unstable();
        all.dedup();
        Some(all)
    }

    /// Merges operands of the same kind: `G a ∧ G b = G (a ∧ b)`, `X a ∧ X b = X (a ∧ b)`,
    /// `a U c ∧ b U c = (a ∧ b) U c`, `c R a ∧ c R b = c R (a ∧ b)`,
    /// `F G a ∧ F G b = F G (a ∧ b)`; and the same with `∨` for the duals.
    fn gathered(&mut self, parts: Vec<Id>, and: bool) -> Vec<Id> {
        let mut groups: BTreeMap<Key, (Vec<Id>, Id)> = BTreeMap::new();
        let mut out = Vec::new();
        for p in parts {
            let twice = match self.node(p) {
                Node::Until(Id::TRUE, g) if and => match self.node(*g) {
                    Node::Release(Id::FALSE, a) => Some(*a),
                    _ => None,
                },
                Node::Release(Id::FALSE, f) if !and => match self.node(*f) {
                    Node::Until(Id::TRUE, a) => Some(*a),
                    _ => None,
                },
                _ => None,
            };
            let (key, rest) = match (twice, self.node(p)) {
                (Some(a), _) => (Key::Twice, a),
                (None, Node::Next(a)) => (Key::Next, *a),
                (None, Node::Until(a, b)) => {
                    if and {
                        (Key::Until(*b), *a)
                    } else {
                        (Key::Until(*a), *b)
                    }
                }
                (None, Node::Release(a, b)) => {
                    if and {
                        (Key::Release(*a), *b)
                    } else {
                        (Key::Release(*b), *a)
                    }
                }
                _ => {
                    out.push(p);
                    continue;
                }
            };
            groups.entry(key).or_insert((Vec::new(), p)).0.push(rest);
        }
        for (key, (rest, first)) in groups {
            if rest.len() == 1 {
                out.push(first);
                continue;
            }
            let joined = if and { self.and(rest) } else { self.or(rest) };
            out.push(match key {
                Key::Next => self.next(joined),
                Key::Until(b) if and => self.until(joined, b),
                Key::Until(a) => self.until(a, joined),
                Key::Release(a) if and => self.release(a, joined),
                Key::Release(b) => self.release(joined, b),
                Key::Twice if and => {
                    let g = self.globally(joined);
                    self.finally(g)
                }
                Key::Twice => {
                    let f = self.finally(joined);
                    self.globally(f)
                }
            });
        }
        // A merged operand may be of another kind.
        self.flat(out, and).unwrap_or_else(|| vec![if and { Id::FALSE } else { Id::TRUE }])
    }

    /// Does `a` imply `b`, by syntactic rules? (Somenzi and Bloem 2000, section 2.)
    pub(crate) fn implies(&mut self, a: Id, b: Id) -> bool {
        if a == b || a == Id::FALSE || b == Id::TRUE {
            return true;
        }
        if a == Id::TRUE || b == Id::FALSE {
            return false;
        }
        if let Some(known) = self.implied.get(&(a, b)) {
            return *known;
        }
        let result = self.implies_by_form(a, b);
        self.implied.insert((a, b), result);
        result
    }

    fn implies_by_form(&mut self, a: Id, b: Id) -> bool {
        match self.node(b).clone() {
            Node::And(parts) => return parts.iter().all(|p| self.implies(a, *p)),
            Node::Or(parts) if parts.iter().any(|p| self.implies(a, *p)) => return true,
            Node::Until(_, d) if self.implies(a, d) => return true,
            Node::Release(c, d) if self.implies(a, c) && self.implies(a, d) => return true,
            _ => {}
        }
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::Or(parts), _) => parts.iter().all(|p| self.implies(*p, b)),
            (Node::And(parts), _) if parts.iter().any(|p| self.implies(*p, b)) => true,
            (Node::Next(x), Node::Next(y)) => self.implies(x, y),
            (Node::Until(a1, a2), Node::Until(b1, b2)) if self.implies(a1, b1) && self.implies(a2, b2) => {
                true
            }
            (Node::Release(a1, a2), Node::Release(b1, b2))
                if self.implies(a1, b1) && self.implies(a2, b2) =>
            {
                true
            }
            (Node::Until(a1, a2), _) if self.implies(a1, b) && self.implies(a2, b) => true,
            (Node::Until(_, a2), _) if self.eventual(b) && self.implies(a2, b) => true,
            (Node::Release(_, a2), _) if self.implies(a2, b) => true,
            // A universal formula remains true in the next state; an eventual one is true if it is true in the next
            // state.
            (_, Node::Next(y)) if self.universal(a) => self.implies(a, y),
            (Node::Next(x), _) if self.eventual(b) => self.implies(x, b),
            // a universal implies G y if it implies y
            (_, Node::Release(_, y)) if self.universal(a) => self.implies(a, y),
            _ => false,
        }
    }

    /// The negation normal form of a formula, rewritten.
    pub(crate) fn of(&mut self, formula: &Formula) -> Id {
        let mut each = |parts: &[Formula]| -> Vec<Id> { parts.iter().map(|p| self.of(p)).collect() };
        match formula {
            Formula::Constant(b) => {
                if *b {
                    Id::TRUE
                } else {
                    Id::FALSE
                }
            }
            Formula::Atom(p) => self.literal(*p, true),
            Formula::Not(a) => {
                let a = self.of(a);
                self.not(a)
            }
            Formula::And(all) => {
                let all = each(all);
                self.and(all)
            }
            Formula::Or(all) => {
                let all = each(all);
                self.or(all)
            }
            Formula::Implies(ab) => {
                let [a, b] = [&ab[0], &ab[1]].map(|x| self.of(x));
                let not = self.not(a);
                self.or(vec![not, b])
            }
            Formula::Iff(ab) => {
                let [a, b] = [&ab[0], &ab[1]].map(|x| self.of(x));
                self.same(a, b)
            }
            Formula::Xor(ab) => {
                let [a, b] = [&ab[0], &ab[1]].map(|x| self.of(x));
                let not = self.not(b);
                self.same(a, not)
            }
            Formula::Unary(op, a) => {
                let a = self.of(a);
                match op {
                    Temporal::Next => self.next(a),
                    Temporal::Finally => self.finally(a),
                    _ => self.globally(a),
                }
            }
            Formula::Binary(op, ab) => {
                let [a, b] = [&ab[0], &ab[1]].map(|x| self.of(x));
                match op {
                    Temporal::Until => self.until(a, b),
                    Temporal::WeakUntil => {
                        let either = self.or(vec![a, b]);
                        self.release(b, either)
                    }
                    Temporal::StrongRelease => {
                        let both = self.and(vec![a, b]);
                        self.until(b, both)
                    }
                    _ => self.release(a, b),
                }
            }
        }
    }

    /// `a ↔ b`
    fn same(&mut self, a: Id, b: Id) -> Id {
        let (no_a, no_b) = (self.not(a), self.not(b));
        let (both, neither) = (self.and(vec![a, b]), self.and(vec![no_a, no_b]));
        self.or(vec![both, neither])
    }

    /// The text of the formula.
    pub(crate) fn formula(&self, id: Id) -> Formula {
        let all = |parts: &[Id]| parts.iter().map(|p| self.formula(*p)).collect();
        let unary = |op, a: Id| Formula::Unary(op, Box::new(self.formula(a)));
        match self.node(id) {
            Node::Constant(b) => Formula::Constant(*b),
            Node::Literal(p, true) => Formula::Atom(*p),
            Node::Literal(p, false) => Formula::Not(Box::new(Formula::Atom(*p))),
            Node::And(parts) => Formula::And(all(parts)),
            Node::Or(parts) => Formula::Or(all(parts)),
            Node::Next(a) => unary(Temporal::Next, *a),
            Node::Until(Id::TRUE, b) => unary(Temporal::Finally, *b),
            Node::Release(Id::FALSE, b) => unary(Temporal::Globally, *b),
            Node::Until(a, b) => {
                Formula::Binary(Temporal::Until, Box::new([self.formula(*a), self.formula(*b)]))
            }
            Node::Release(a, b) => {
                Formula::Binary(Temporal::Release, Box::new([self.formula(*a), self.formula(*b)]))
            }
        }
    }
}

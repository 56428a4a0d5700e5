//! Comparisons over one `ite` as an `ite` of comparisons: `ite(c, 1, x) ≤ y` is `ite(c, 1 ≤ y, x ≤ y)`.
//!
//! Where the branches are constants (or choices among constants) no arithmetic is left, which makes the tables of
//! generated problems purely Boolean. Applied where formulas are read; the store does not apply it, because definitions
//! of `ite` terms are such comparisons, too.

use crate::hash::Map;
use crate::number::Q;
use crate::term::{Linear, Node, Term, Terms};

/// Limit of nested `ite`s lifted out of a comparison with a constant.
const AMONG_CONSTANTS: usize = 20_000;
/// Limit of nested `ite`s lifted out of other comparisons; each branch is a comparison of its own.
const AMONG_TERMS: usize = 4;

impl Terms {
    /// `relation(a, b)`, pushed into the branches when exactly one summand of `a − b` is an `ite`.
    pub fn lifted(&mut self, a: Term, b: Term, relation: fn(&mut Terms, Term, Term) -> Term) -> Term {
        let mut rest = self.linear(a);
        rest.add_scaled(&Q::MINUS_ONE, &self.linear(b));
        let is_ite = |t: &Term| matches!(self.node(*t), Node::Ite(..));
        let mut choices = rest.terms.iter().enumerate().filter(|(_, (t, _))| is_ite(t));
        let (Some((at, _)), None) = (choices.next(), choices.next()) else { return relation(self, a, b) };
        let (root, factor) = rest.terms.remove(at);
        let limit = if rest.terms.is_empty() { AMONG_CONSTANTS } else { AMONG_TERMS };
        let Some(inner) = self.nested(root, limit) else { return relation(self, a, b) };
        let sort = self.sort(a).max(self.sort(b));
        let zero = self.num(Q::ZERO, sort);
        let mut image: Map<Term, Term> = Map::default();
        for t in inner {
            let Node::Ite(c, yes, no) = *self.node(t) else { unreachable!("only ites are collected") };
            let [yes, no] = [yes, no].map(|branch| match image.get(&branch) {
                Some(done) => *done,
                None => {
                    let mut said: Linear = rest.clone();
                    said.add_scaled(&factor, &self.linear(branch));
                    let said = self.sum(said, sort);
                    relation(self, said, zero)
                }
            });
            let lifted = self.ite(c, yes, no);
            image.insert(t, lifted);
        }
        image[&root]
    }

    /// The `ite`s that are branches of `root`, branches of these and so on, ascending; `None` when there are too many.
    pub(crate) fn nested(&self, root: Term, limit: usize) -> Option<Vec<Term>> {
        let mut all: Map<Term, ()> = Map::default();
        let mut stack = vec![root];
        while let Some(t) = stack.pop() {
            if let Node::Ite(_, a, b) = *self.node(t)
                && all.insert(t, ()).is_none()
            {
                if all.len() > limit {
                    return None;
                }
                stack.extend([a, b]);
            }
        }
        let mut all: Vec<Term> = all.into_keys().collect();
        all.sort_unstable();
        Some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Sort, Value};

    #[test]
    fn a_choice_among_constants_leaves_no_arithmetic() {
        let mut t = Terms::new();
        let [p, q] = ["p", "q"].map(|n| t.var(n, Sort::Bool));
        let [one, two, three] = [1, 2, 3].map(|i| t.int(i));
        let inner = t.ite(q, two, three);
        let table = t.ite(p, one, inner);
        let is_two = t.lifted(table, two, Terms::eq);
        assert_eq!(t.infix(is_two).to_string(), "q and (not p)");
        let small = t.lifted(table, three, Terms::le);
        assert_eq!(small, Term::TRUE);
    }

    #[test]
    fn the_meaning_stays() {
        let mut t = Terms::new();
        let p = t.var("p", Sort::Bool);
        let [x, y] = ["x", "y"].map(|n| t.var(n, Sort::Int));
        let (double, five) = (t.scale(&Q::from(2), x), t.int(5));
        let choice = t.ite(p, double, five);
        for relation in [Terms::le, Terms::lt, Terms::eq] {
            let (plain, lifted) = (relation(&mut t, y, choice), t.lifted(y, choice, relation));
            assert_ne!(plain, lifted);
            for bits in 0..2 * 12 * 12 {
                let value = |v: Term| match v {
                    v if v == p => Value::Bool(bits % 2 == 1),
                    v if v == x => Value::Num(Q::from(bits / 2 % 12 - 5)),
                    _ => Value::Num(Q::from(bits / 24 - 1)),
                };
                assert_eq!(t.eval(plain, value), t.eval(lifted, value));
            }
        }
    }
}

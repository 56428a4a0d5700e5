//! Divergence: predicates that differ only in numbers, found one after the other, suggest that a run may not terminate
//! (`x <= 1`, `x <= 2`, `x <= 3`, …). This has no influence on the run; it is only reported to the sink.

use std::collections::HashMap;

use solver_lite::term::{Linear, Node, Term, Terms};

use solver_lite::number::Q;

/// A chain is reported when it has this number of members, and each time its length has doubled.
const FIRST: u32 = 8;

/// For each shape of predicates, the number of iterations in which one was found.
#[derive(Clone, Debug, Default)]
pub(super) struct Chains {
    /// The last iteration and the number of iterations.
    by_shape: HashMap<Term, (usize, u32)>,
}

impl Chains {
    /// The length of the longest chain, 0 if none is to be reported.
    pub(super) fn longest(&self) -> u32 {
        self.by_shape.values().map(|(_, length)| *length).max().filter(|l| *l >= FIRST).unwrap_or(0)
    }

    /// Records a new predicate; gives the length of its chain if it is to be reported.
    pub(super) fn grow(&mut self, terms: &mut Terms, predicate: Term, iteration: usize) -> Option<u32> {
        let shape = shape(terms, predicate);
        let (last, length) = self.by_shape.entry(shape).or_insert((0, 0));
        if *last == iteration {
            return None;
        }
        *last = iteration;
        *length += 1;
        (*length >= FIRST && length.is_power_of_two()).then_some(*length)
    }
}

/// The predicate with all coefficients 1 and all bounds 0.
fn shape(terms: &mut Terms, t: Term) -> Term {
    let mut done: HashMap<Term, Term> = HashMap::new();
    for sub in terms.subterms(&[t]) {
        let shaped = match terms.node(sub).clone() {
            Node::Le(form, _) | Node::Lt(form, _) | Node::Eq(form, _) => {
                let parts = terms.linear(form).terms.into_iter().map(|(x, _)| (x, Q::ONE)).collect();
                let sort = terms.sort(form);
                let sum = terms.sum(Linear { terms: parts, constant: Q::ZERO }, sort);
                let zero = terms.num(Q::ZERO, sort);
                terms.le(sum, zero)
            }
            Node::Not(a) => done[&a],
            Node::And(all) | Node::Or(all) => {
                let parts: Vec<Term> = all.iter().map(|c| done[c]).collect();
                terms.and(parts)
            }
            _ => sub,
        };
        done.insert(sub, shaped);
    }
    done[&t]
}

#[cfg(test)]
mod tests {
    use super::*;
    use solver_lite::term::Sort;

    #[test]
    fn numbers_do_not_matter() {
        let mut terms = Terms::new();
        let (x, y) = (terms.var("x", Sort::Int), terms.var("y", Sort::Int));
        let mut chains = Chains::default();
        let mut told = Vec::new();
        for i in 1..=16 {
            let bound = terms.int(i64::try_from(i).unwrap());
            let p = terms.le(x, bound);
            told.extend(chains.grow(&mut terms, p, i));
            let q = terms.eq(y, bound);
            assert_eq!(chains.grow(&mut terms, q, 1), None, "one iteration counts once");
        }
        assert_eq!(told, [8, 16]);
    }
}

//! Commands with inputs (section 7.1): one input for each satisfiable valuation of the predicates, and the exactness of
//! their transitions. A state has a successor in an abstract state if *some* input leads there, so the input is
//! eliminated: if each literal bounds it by a term, some input exists if and only if one of finitely many terms is one
//! (Cooper 1972; Loos and Weispfenning 1993).

use solver_lite::number::Q;
use solver_lite::term::{Linear, Node, Sort, Term, Value};

use super::command::Model;
use crate::encoding::constant;
use crate::system::{System, VarId};

/// The limit on terms that are substituted for an input.
const TERMS: usize = 100;

/// How a literal bounds an input.
enum Bound {
    /// It is at least this.
    Least(Linear),
    /// It is at most this.
    Most(Linear),
    /// It is this.
    Equal(Linear),
    /// It is not this.
    Other(Linear),
}

impl Model {
    /// A formula without inputs that implies that some inputs satisfy `formula`, and is equivalent to it if every
    /// literal is a bound. `chosen` are values that satisfy it in the state that is explored.
    pub(super) fn without_inputs(
        &mut self,
        system: &System,
        formula: Term,
        inputs: &[(VarId, Term)],
        chosen: &[Value],
    ) -> Term {
        let mut cases = vec![formula];
        for ((v, input), value) in inputs.iter().zip(chosen) {
            let mut next = Vec::new();
            for case in cases {
                if !self.terms.vars(case).contains(input) {
                    next.push(case);
                    continue;
                }
                for term in self.candidates(system, case, (*v, *input), value) {
                    let one = self.terms.substitute(case, |_, t| (t == *input).then_some(term));
                    if one != Term::FALSE {
                        next.push(one);
                    }
                }
            }
            next.truncate(TERMS);
            cases = next;
        }
        self.terms.or(cases)
    }

    /// Terms of which one satisfies a conjunction, if any value of the input does.
    fn candidates(
        &mut self,
        system: &System,
        case: Term,
        (v, input): (VarId, Term),
        value: &Value,
    ) -> Vec<Term> {
        let sort = self.terms.sort(input);
        let only = vec![constant(&mut self.terms, value, sort)];
        let few = |n: u64| usize::try_from(n).is_ok_and(|n| n <= TERMS);
        if system.variable(v).ty.size().is_some_and(few) {
            let all = system.variable(v).ty.values();
            return all.iter().map(|value| constant(&mut self.terms, value, sort)).collect();
        }
        if sort != Sort::Int {
            return only;
        }
        let mut bounds = Vec::new();
        for part in self.conjuncts(case) {
            if self.terms.vars(part).contains(&input) {
                match self.bound(part, input) {
                    Some(bound) => bounds.push(bound),
                    None => return only,
                }
            }
        }
        // Each value that is excluded moves the next candidate by one.
        let excluded = bounds.iter().filter(|b| matches!(b, Bound::Other(_))).count();
        let pick =
            |of: fn(&Bound) -> Option<&Linear>| bounds.iter().filter_map(of).cloned().collect::<Vec<_>>();
        let equal = pick(|b| if let Bound::Equal(l) = b { Some(l) } else { None });
        let least = pick(|b| if let Bound::Least(l) = b { Some(l) } else { None });
        let most = pick(|b| if let Bound::Most(l) = b { Some(l) } else { None });
        let other = pick(|b| if let Bound::Other(l) = b { Some(l) } else { None });
        let (from, step, count) = match (equal.first(), least.is_empty(), most.is_empty()) {
            (Some(one), ..) => (vec![one.clone()], Q::ONE, 1),
            (None, false, _) => (least, Q::ONE, excluded + 1),
            (None, true, false) => (most, Q::from(-1), excluded + 1),
            (None, true, true) => (other, Q::ONE, excluded + 1),
        };
        if from.is_empty() || from.len().saturating_mul(count) > TERMS {
            return only;
        }
        let mut terms = Vec::new();
        for linear in from {
            for k in 0..count {
                let mut moved = linear.clone();
                let by = &step * &Q::from(i64::try_from(k).unwrap_or(0));
                moved.constant = &moved.constant + &by;
                terms.push(self.terms.sum(moved, Sort::Int));
            }
        }
        terms
    }

    /// The bound that a literal is for an integer, if the integer has the coefficient 1 or -1.
    fn bound(&self, literal: Term, input: Term) -> Option<Bound> {
        let (atom, negated) = self.terms.strip(literal);
        let (form, bound, is_equal) = match self.terms.node(atom) {
            Node::Le(form, bound) => (*form, bound.clone(), false),
            Node::Eq(form, bound) => (*form, bound.clone(), true),
            _ => return None,
        };
        // a·input + rest ≤ bound
        let mut rest = self.terms.linear(form);
        let at = rest.terms.iter().position(|(t, _)| *t == input)?;
        let (_, a) = rest.terms.remove(at);
        if rest.terms.iter().any(|(t, _)| self.terms.vars(*t).contains(&input)) {
            return None;
        }
        let upper = a == Q::ONE;
        if !upper && a != Q::from(-1) {
            return None;
        }
        rest.scale(&Q::from(-1));
        rest.constant = &rest.constant + &bound;
        if !upper {
            rest.scale(&Q::from(-1));
        }
        Some(match (is_equal, negated, upper) {
            (true, false, _) => Bound::Equal(rest),
            (true, true, _) => Bound::Other(rest),
            (false, false, true) => Bound::Most(rest),
            (false, false, false) => Bound::Least(rest),
            // The opposite is strict.
            (false, true, true) => Bound::Least(moved(rest, 1)),
            (false, true, false) => Bound::Most(moved(rest, -1)),
        })
    }
}

fn moved(mut linear: Linear, by: i64) -> Linear {
    linear.constant = &linear.constant + &Q::from(by);
    linear
}

//! Elimination of variables before a search: a variable that an assertion equates with another term is replaced by it.
//! The steps of an unrolled system, where most variables keep their values, reduce to the variables that change (this
//! includes the variable replacing of Igawa et al., "Symbolic Representation of Time Petri Nets for Efficient Bounded
//! Model Checking", 2020, section 2.4).
//!
//! The patterns are `p` and `¬p`, `p ⇔ formula`, `x = constant`, and `x = ±y + constant`, which preserves differences.
//! Proofs are about the original assertions, so they are searched without this.

use crate::hash::{Map, Set};
use crate::number::Q;
use crate::search::Model;
use crate::term::{Linear, Node, Sort, Term, Terms};

/// Rounds of replacing.
const ROUNDS: usize = 40;
/// A round visits at most this number of sub-terms of the conjuncts, and this number more for each conjunct.
const EFFORT: usize = 300_000;
const EACH: usize = 100;
/// With fewer conjuncts a search is faster than elimination.
const FEW: usize = 64;

/// Assertions with fewer variables, and the values of the eliminated ones.
pub(crate) struct Reduced {
    /// They are equisatisfiable with the original ones.
    pub(crate) assertions: Vec<Term>,
    /// Replaced variables, by round; the values contain variables left by the round.
    definitions: Vec<(Term, Term)>,
}

/// Replaces variables where possible; `None` if there are none.
pub(crate) fn reduce(terms: &mut Terms, assertions: &[Term]) -> Option<Reduced> {
    let mut all = conjuncts(terms, assertions);
    if all.len() < FEW {
        return None;
    }
    let mut definitions = Vec::new();
    for _ in 0..ROUNDS {
        let round = solved(terms, &all);
        if round.is_empty() {
            break;
        }
        let image: Map<Term, Term> = round.iter().copied().collect();
        let whole = terms.and(all);
        let whole = terms.substitute(whole, |_, v| image.get(&v).copied());
        definitions.extend(round);
        all = conjuncts(terms, &[whole]);
    }
    (!definitions.is_empty()).then_some(Reduced { assertions: all, definitions })
}

fn conjuncts(terms: &Terms, assertions: &[Term]) -> Vec<Term> {
    let (mut all, mut stack) = (Vec::new(), assertions.to_vec());
    let mut seen = Set::default();
    while let Some(a) = stack.pop() {
        match terms.node(a) {
            _ if !seen.insert(a) => {}
            Node::And(parts) => stack.extend(parts.iter()),
            _ => all.push(a),
        }
    }
    all.sort_unstable();
    all
}

/// Variables and the terms they equal, in which no variable of the round occurs. A definition is used at once in the
/// conjuncts after it, as a definition may be the consequence of those before: the values of a step of a system follow
/// from those of the step before it.
fn solved(terms: &mut Terms, all: &[Term]) -> Vec<(Term, Term)> {
    let (mut found, mut image) = (Vec::new(), Map::default());
    let mut effort = EFFORT + EACH * all.len();
    for a in all {
        let inside = terms.subterms(&[*a]);
        let Some(left) = effort.checked_sub(inside.len()) else { break };
        effort = left;
        let is_defined = inside.iter().any(|t| image.contains_key(t));
        let now = if is_defined { terms.substitute(*a, |_, v| image.get(&v).copied()) } else { *a };
        for part in conjuncts(terms, &[now]) {
            if let Some((x, value)) = definition(terms, part, &image) {
                image.insert(x, value);
                found.push((x, value));
            }
        }
    }
    // A value contains variables that were defined after it.
    for (x, value) in found.iter_mut().rev() {
        *value = terms.substitute(*value, |_, v| image.get(&v).copied());
        image.insert(*x, *value);
    }
    found
}

/// A conjunct as the definition of a variable by others, none of which is defined yet.
fn definition(terms: &mut Terms, conjunct: Term, defined: &Map<Term, Term>) -> Option<(Term, Term)> {
    let all = candidates(terms, conjunct);
    let fits = |(x, value): &(Term, Term)| {
        let other = |t: &Term| t != x && !defined.contains_key(t);
        !defined.contains_key(x) && terms.subterms(&[*value]).iter().all(other)
    };
    all.into_iter().find(fits)
}

/// The ways to read a conjunct as the definition of a variable.
fn candidates(terms: &mut Terms, conjunct: Term) -> Vec<(Term, Term)> {
    let (t, negated) = terms.strip(conjunct);
    let is_var = |terms: &Terms, t: Term| matches!(terms.node(t), Node::Var(_));
    match terms.node(t).clone() {
        Node::Var(_) => vec![(t, terms.bool(!negated))],
        Node::Iff(a, b) => {
            let mut all = Vec::new();
            for (x, value) in [(b, a), (a, b)] {
                if is_var(terms, x) {
                    all.push((x, if negated { terms.not(value) } else { value }));
                }
            }
            all
        }
        Node::Eq(form, bound) if !negated => match terms.node(form).clone() {
            Node::Var(_) => vec![(form, terms.num(bound, terms.sort(form)))],
            Node::Linear(_, l) => {
                let [(x, p), (y, q)] = l.terms.as_slice() else { return Vec::new() };
                if terms.sort(*x) != terms.sort(*y) || !p.abs().is_one() || !q.abs().is_one() {
                    return Vec::new();
                }
                let mut all = Vec::new();
                for (x, p, y, q) in [(*y, q, *x, p), (*x, p, *y, q)] {
                    if is_var(terms, x) {
                        // p·x + q·y = bound, where p is 1 or −1
                        let mut value = Linear { terms: vec![(y, -&(p * q))], constant: Q::ZERO };
                        value.constant = p * &bound;
                        let sort: Sort = terms.sort(x);
                        all.push((x, terms.sum(value, sort)));
                    }
                }
                all
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

impl Reduced {
    /// Gives the replaced variables their values.
    pub(crate) fn complete(&self, terms: &Terms, model: &mut Model) {
        // The values of earlier rounds contain variables of later ones.
        for (x, value) in self.definitions.iter().rev() {
            let value = model.eval(terms, *value);
            model.set(*x, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Answer, Solver};

    #[test]
    fn chains_shrink_to_their_ends() {
        let mut t = Terms::new();
        let xs: Vec<Term> = (0..100).map(|i| t.var(&format!("x{i}"), Sort::Int)).collect();
        let ps: Vec<Term> = (0..100).map(|i| t.var(&format!("p{i}"), Sort::Bool)).collect();
        let mut all = Vec::new();
        for i in 1..100 {
            let one = t.int(1);
            let next = t.add([xs[i - 1], one]);
            let not = t.not(ps[i - 1]);
            all.extend([t.eq(xs[i], next), t.iff(ps[i], not)]);
        }
        let ten = t.int(10);
        all.push(t.ge(xs[99], ten));
        all.push(t.or([ps[0], ps[50]]));
        let reduced = reduce(&mut t, &all).unwrap();
        let left: Vec<String> = reduced.assertions.iter().map(|a| t.infix(*a).to_string()).collect();
        assert_eq!(left.len(), 1, "{left:?}");
        let mut solver = Solver::default();
        all.iter().for_each(|a| solver.assert(&mut t, *a));
        // The solver evaluates the model on the original assertions.
        assert!(matches!(solver.check(&mut t, &[]), Answer::Sat(_)));
        let early = t.lt(xs[0], xs[50]);
        all.push(t.not(early));
        // The contradiction is found without the variables; the refutation is about the original assertions.
        let mut solver = Solver::default();
        all.iter().for_each(|a| solver.assert(&mut t, *a));
        assert!(solver.check(&mut t, &[]).is_unsat());
        let assertions = solver.assertions().to_vec();
        let proof = solver.refutation(&mut t, &assertions).unwrap();
        crate::certify(&t, &assertions, &proof).unwrap();
    }
}

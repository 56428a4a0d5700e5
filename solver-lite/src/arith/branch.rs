//! Integer solutions: branch and bound with single-variable splits, equations on the way, and the middle of a cube.
//!
//! A split `x ≤ k` or `x ≥ k + 1` is one new comparison and its negation. Every closed branch gives a lemma over the
//! given literals and split literals. Resolving these lemmas is left to the Boolean part, so proofs need no rule for
//! splits, and every lemma can be interpolated.

use crate::arith::diophantine::{self, Equation};
use crate::arith::lemma::Lemma;
use crate::arith::simplex::{Failure, Mark, Simplex};
use crate::cdcl::lit::Lit;
use crate::encode::Encoder;
use crate::hash::Map;
use crate::literal::Literal;
use crate::number::Q;
use crate::proof::Certificate;
use crate::term::{Sort, Term, Terms};

/// Is there an integer solution?
pub(crate) enum Integers {
    /// This one.
    Found(Map<Term, Q>),
    /// There is none; the lemmas together exclude the asserted literals.
    Refuted(Vec<Lemma>),
    /// The limit was reached.
    GaveUp,
}

/// Limits of one search for integers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) pivots: u64,
    pub(crate) branches: u64,
}

/// Which term is split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    /// One with a fraction as its value. Quick, but on unbounded terms it may go on for ever.
    Fraction,
    /// One with two bounds, until it is fixed. That ends, and fixed terms make equations.
    Bounded,
}

/// Integer solutions of a simplex whose real relaxation is satisfied: finds an integer point or refutes it. The bounds
/// are restored at the end.
pub(crate) fn integers(
    terms: &mut Terms,
    encoder: &mut Encoder,
    simplex: &mut Simplex,
    effort: Effort,
) -> Integers {
    if simplex.is_integral(terms) {
        return Integers::Found(simplex.values());
    }
    // Easy systems need a few splits; then the cube test is tried, then splitting with a higher limit.
    let few = Effort { branches: FEW.min(effort.branches), ..effort };
    if let Some(decided) = search(terms, encoder, simplex, Choice::Fraction, few).decided() {
        return decided;
    }
    if let Some(values) = simplex.cube(terms, effort.pivots) {
        return Integers::Found(values);
    }
    let quick = Effort { branches: effort.branches / 8, ..effort };
    for (choice, effort) in [(Choice::Fraction, quick), (Choice::Bounded, effort)] {
        if simplex.check(effort.pivots).is_err() {
            break;
        }
        if let Some(decided) = search(terms, encoder, simplex, choice, effort).decided() {
            return decided;
        }
    }
    Integers::GaveUp
}

impl Integers {
    /// `None` if the limit was reached.
    fn decided(self) -> Option<Integers> {
        (!matches!(self, Integers::GaveUp)).then_some(self)
    }
}

/// Splits before a cube is tried.
const FEW: u64 = 30;

fn search(
    terms: &mut Terms,
    encoder: &mut Encoder,
    simplex: &mut Simplex,
    choice: Choice,
    effort: Effort,
) -> Integers {
    let start = simplex.mark();
    let mut lemmas = Vec::new();
    // Open right branches: the trail mark to return to and the literal to assert there.
    let mut open: Vec<(Mark, Lit)> = Vec::new();
    // Did the last literal fix a form, which adds an equation?
    let mut examine = true;
    for _ in 0..effort.branches {
        let next = match simplex.check(effort.pivots) {
            Ok(()) => {
                match (simplex.split(terms, choice), examine.then(|| equations(terms, simplex)).flatten()) {
                    (None, _) => {
                        // The splits were only needed to find the point, so they are undone.
                        let values = simplex.values();
                        simplex.undo(start);
                        return Integers::Found(values);
                    }
                    (Some(_), Some(lemma)) => {
                        lemmas.push(lemma);
                        None
                    }
                    (Some((x, floor)), None) => {
                        let left = split(terms, encoder, simplex, x, floor);
                        open.push((simplex.mark(), !left));
                        Some(left)
                    }
                }
            }
            Err(Failure::PivotLimit) => break,
            Err(Failure::Conflicts(conflicts)) => {
                lemmas.extend(conflicts);
                None
            }
        };
        let Some(asserted) = assert_next(simplex, next, &mut open, &mut lemmas) else {
            simplex.undo(start);
            return Integers::Refuted(lemmas);
        };
        examine = simplex.is_fixed(asserted);
    }
    simplex.undo(start);
    Integers::GaveUp
}

/// Asserts `next`, or else the latest open branch that does not fail at once. Returns the asserted literal; `None` when
/// no branch is left.
fn assert_next(
    simplex: &mut Simplex,
    next: Option<Lit>,
    open: &mut Vec<(Mark, Lit)>,
    lemmas: &mut Vec<Lemma>,
) -> Option<Lit> {
    let mut next = next;
    loop {
        let literal = match next.take() {
            Some(literal) => literal,
            None => {
                let (mark, literal) = open.pop()?;
                simplex.undo(mark);
                literal
            }
        };
        match simplex.assert(literal) {
            Ok(()) => return Some(literal),
            Err(conflict) => lemmas.push(conflict),
        }
    }
}

/// The literal `x ≤ floor`.
fn split(terms: &mut Terms, encoder: &mut Encoder, simplex: &mut Simplex, x: Term, floor: Q) -> Lit {
    let bound = terms.num(floor, Sort::Int);
    let t = terms.le(x, bound);
    encoder.encode(terms, t);
    let lit = encoder.lit(Literal::of(terms, t));
    if !simplex.knows(lit.var()) {
        simplex.register(terms, lit.var(), encoder.term(lit.var()));
    }
    lit
}

/// Larger systems are not examined.
const EQUATIONS: usize = 64;

/// Are the forms that are fixed by equations without an integer solution?
fn equations(terms: &Terms, simplex: &Simplex) -> Option<Lemma> {
    let mut system = Vec::new();
    let mut reasons = Vec::new();
    for (form, value, pair) in simplex.fixed() {
        let linear = terms.linear(form);
        if terms.all_int(&linear) && linear.terms.iter().all(|(_, q)| q.is_integer()) {
            system.push(Equation { constant: &value - &linear.constant, terms: linear.terms });
            reasons.push(pair);
        }
    }
    if system.len() > EQUATIONS {
        return None;
    }
    let y = diophantine::refute(&system)?;
    let used = || y.iter().zip(&reasons).filter(|(q, _)| !q.is_zero());
    let lits = used().flat_map(|(_, pair)| *pair).collect();
    Some(Lemma { lits, certificate: Certificate::Modular(used().map(|(q, _)| q.clone()).collect()) })
}

//! The independent checker of refutations. It uses the meaning of terms and no code of the search.
//!
//! *Assertion*: the clause is that assertion. *Definition*: the clause is valid, checked by enumerating the truth
//! values of the children (Boolean operators) or by one linear comparison (`=`, `ite`, `div`, `mod`). *Theory*: the
//! weighted sum of the certificate is computed. *Resolution*: the resolvents are computed and compared.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use crate::literal::{Inequality, Literal, inequality};
use crate::number::Q;
use crate::proof::{Certificate, Proof, Rule};
use crate::term::{Linear, Node, Sort, Term, Terms};

/// The first wrong step of a rejected proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected {
    /// The index of the step.
    pub step: usize,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step, self.reason)
    }
}

/// Is this a refutation of these assertions?
///
/// # Errors
/// The first step that does not follow.
pub fn certify(terms: &Terms, assertions: &[Term], proof: &Proof) -> Result<(), Rejected> {
    for (step, s) in proof.steps.iter().enumerate() {
        let wrong = |reason| Rejected { step, reason };
        match &s.rule {
            Rule::Assertion(i) => {
                let a = *assertions.get(*i).ok_or(wrong("no such assertion"))?;
                let expected: Vec<Literal> =
                    if a == Term::FALSE { vec![] } else { vec![Literal::of(terms, a)] };
                (s.clause == expected).then_some(()).ok_or(wrong("not the assertion"))?;
            }
            Rule::Definition(t) => {
                defines(terms, *t, &s.clause)
                    .then_some(())
                    .ok_or(wrong("not a consequence of the definition"))?;
            }
            Rule::Theory(literals, certificate) => {
                let covered = literals.iter().all(|l| s.clause.contains(&l.negated()));
                covered.then_some(()).ok_or(wrong("the lemma's literals are not in the clause"))?;
                contradicts(terms, literals, certificate).map_err(wrong)?;
            }
            Rule::Resolution(first, chain) => {
                if *first >= step || chain.iter().any(|(_, p)| *p >= step) {
                    return Err(wrong("a premise is not an earlier step"));
                }
                let mut clause: BTreeSet<Literal> = proof.steps[*first].clause.iter().copied().collect();
                for (pivot, premise) in chain {
                    resolve(&mut clause, *pivot, &proof.steps[*premise].clause).map_err(wrong)?;
                }
                clause
                    .into_iter()
                    .eq(s.clause.iter().copied())
                    .then_some(())
                    .ok_or(wrong("not the resolvent of the premises"))?;
            }
        }
    }
    let last = proof.steps.len().wrapping_sub(1);
    let empty = proof.steps.last().is_some_and(|s| s.clause.is_empty());
    empty.then_some(()).ok_or(Rejected { step: last, reason: "the last clause is not empty" })
}

fn resolve(clause: &mut BTreeSet<Literal>, pivot: Term, other: &[Literal]) -> Result<(), &'static str> {
    let positive = Literal { term: pivot, positive: true };
    let mine = if clause.contains(&positive) { positive } else { positive.negated() };
    if !clause.remove(&mine) || !other.contains(&mine.negated()) {
        return Err("the pivot is not in both premises with opposite signs");
    }
    clause.extend(other.iter().filter(|l| **l != mine.negated()));
    Ok(())
}

/// Is `clause` true whatever the children of `t` are?
fn defines(terms: &Terms, t: Term, clause: &[Literal]) -> bool {
    match terms.node(t) {
        Node::And(_) | Node::Or(_) | Node::Iff(..) => gate_clause(terms, t, clause),
        Node::Ite(..) if terms.sort(t) == Sort::Bool => gate_clause(terms, t, clause),
        Node::Ite(c, a, b) => ite_clause(terms, t, [*c, *a, *b], clause),
        Node::Eq(form, bound) => equation_clause(terms, t, (*form, bound), clause),
        Node::Div(x, k) => {
            let mut low = terms.linear(*x); // k·d − x ≤ 0
            low.scale(&Q::MINUS_ONE);
            low.add_scaled(k, &terms.linear(t));
            let mut high = low.clone(); // x − k·d − (k − 1) ≤ 0
            high.scale(&Q::MINUS_ONE);
            high.constant += &(&Q::ONE - k);
            [low, high].into_iter().any(|axiom| clause.len() == 1 && same(terms, &axiom, clause[0]))
        }
        Node::Mod(x, k) => modulo_clause(terms, t, (*x, k), clause),
        _ => false,
    }
}

/// A clause over a Boolean operator and its children. Wide operators have too many cases to enumerate, so the
/// two shapes of their clauses are recognised; the others have at most three children.
fn gate_clause(terms: &Terms, t: Term, clause: &[Literal]) -> bool {
    let junction = |children: &[Term], conjunction: bool| {
        let gate = Literal { term: t, positive: conjunction };
        let child = |c: &Term| {
            let l = Literal::of(terms, *c);
            if conjunction { l } else { l.negated() }
        };
        let long = || clause.contains(&gate) && children.iter().all(|c| clause.contains(&child(c).negated()));
        let short =
            || clause.contains(&gate.negated()) && children.iter().any(|c| clause.contains(&child(c)));
        long() || short()
    };
    match terms.node(t) {
        Node::And(children) => junction(children, true),
        Node::Or(children) => junction(children, false),
        Node::Iff(a, b) => tautology(terms, t, &[*a, *b], clause, |v| v[0] == v[1]),
        Node::Ite(c, a, b) => tautology(terms, t, &[*c, *a, *b], clause, |v| if v[0] { v[1] } else { v[2] }),
        _ => false,
    }
}

/// Tries all truth values of the children's atoms; the gate has the value of the operator.
fn tautology(terms: &Terms, t: Term, children: &[Term], clause: &[Literal], op: fn(&[bool]) -> bool) -> bool {
    let atoms: Vec<Term> = children.iter().map(|c| terms.strip(*c).0).collect();
    let distinct: BTreeSet<Term> = atoms.iter().copied().filter(|a| *a != Term::TRUE).collect();
    (0..1u32 << distinct.len()).all(|bits| {
        let mut values: HashMap<Term, bool> = HashMap::from([(Term::TRUE, true)]);
        values.extend(distinct.iter().enumerate().map(|(i, a)| (*a, bits >> i & 1 == 1)));
        let inputs: Vec<bool> =
            children.iter().map(|c| values[&terms.strip(*c).0] != terms.strip(*c).1).collect();
        values.insert(t, op(&inputs));
        clause.iter().any(|l| values.get(&l.term) == Some(&l.positive))
    })
}

/// `condition ⇒ ite = then` (or dual): the other literal must hold with the branch substituted for the `ite`.
fn ite_clause(terms: &Terms, t: Term, [c, a, b]: [Term; 3], clause: &[Literal]) -> bool {
    let condition = Literal::of(terms, c);
    let [x, y] = clause else { return false };
    [(*x, *y), (*y, *x)].into_iter().any(|(guard, side)| {
        let branch = match guard {
            g if g == condition.negated() => a,
            g if g == condition => b,
            _ => return false,
        };
        let Some(mut said) = inequality(terms, side) else { return false };
        replace(terms, &mut said.linear, t, branch);
        holds_trivially(&said)
    })
}

fn equation_clause(terms: &Terms, t: Term, (form, bound): (Term, &Q), clause: &[Literal]) -> bool {
    let yes = Literal { term: t, positive: true };
    let mut le = terms.linear(form);
    le.constant = -bound;
    let mut ge = le.clone();
    ge.scale(&Q::MINUS_ONE);
    match clause {
        // t ⇒ side: the side must be (a scaling of) one of the two inequalities
        [x, y] => [(*x, *y), (*y, *x)]
            .into_iter()
            .any(|(gate, side)| gate == yes.negated() && (same(terms, &le, side) || same(terms, &ge, side))),
        [x, y, z] => [(*x, *y, *z), (*y, *x, *z), (*z, *x, *y)].into_iter().any(|(gate, p, q)| {
            let (p, q) = (p.negated(), q.negated());
            gate == yes
                && (same(terms, &le, p) && same(terms, &ge, q) || same(terms, &ge, p) && same(terms, &le, q))
        }),
        _ => false,
    }
}

/// `0 ≤ mod ≤ k − 1`, and `mod = x − k·div` as two inequalities; the quotient is found in the literal itself.
fn modulo_clause(terms: &Terms, t: Term, (x, k): (Term, &Q), clause: &[Literal]) -> bool {
    let [side] = clause else { return false };
    let mut high = terms.linear(t);
    high.constant = &Q::ONE - k;
    let mut low = terms.linear(t);
    low.scale(&Q::MINUS_ONE);
    if same(terms, &low, *side) || same(terms, &high, *side) {
        return true;
    }
    let Some(said) = inequality(terms, *side) else { return false };
    let quotient = said.linear.terms.iter().map(|(d, _)| *d);
    quotient.filter(|d| matches!(terms.node(*d), Node::Div(y, j) if *y == x && j == k)).any(|d| {
        let mut rest = terms.linear(t); // m − x + k·d
        rest.add_scaled(&Q::MINUS_ONE, &terms.linear(x));
        rest.add_scaled(k, &terms.linear(d));
        let mut other = rest.clone();
        other.scale(&Q::MINUS_ONE);
        same(terms, &rest, *side) || same(terms, &other, *side)
    })
}

fn replace(terms: &Terms, linear: &mut Linear, t: Term, by: Term) {
    if let Some(at) = linear.terms.iter().position(|(x, _)| *x == t) {
        let (_, q) = linear.terms.remove(at);
        linear.add_scaled(&q, &terms.linear(by));
    }
}

fn holds_trivially(i: &Inequality) -> bool {
    let c = &i.linear.constant;
    i.linear.terms.is_empty() && if i.strict { c.is_negative() } else { !c.is_positive() }
}

/// Does the literal mean `axiom ≤ 0`, up to a positive factor (and rounding of the constant over integers)?
fn same(terms: &Terms, axiom: &Linear, literal: Literal) -> bool {
    let Some(said) = inequality(terms, literal) else { return false };
    let mut axiom = axiom.clone();
    axiom.scale(&axiom.coprime_factor());
    if terms.all_int(&axiom) {
        axiom.constant = axiom.constant.ceil();
    }
    let mut linear = said.linear;
    linear.scale(&linear.coprime_factor());
    !said.strict && linear == axiom
}

fn contradicts(terms: &Terms, literals: &[Literal], certificate: &Certificate) -> Result<(), &'static str> {
    match certificate {
        Certificate::Farkas(coefficients) => farkas(terms, literals, coefficients),
        Certificate::Modular(coefficients) => modular(terms, literals, coefficients),
        Certificate::Cycle => farkas(terms, literals, &vec![Q::ONE; literals.len()]),
    }
}

fn farkas(terms: &Terms, literals: &[Literal], coefficients: &[Q]) -> Result<(), &'static str> {
    if literals.len() != coefficients.len() {
        return Err("not one coefficient per literal");
    }
    let mut sum = Linear::constant(Q::ZERO);
    let mut strict = false;
    for (l, q) in literals.iter().zip(coefficients) {
        let said = inequality(terms, *l).ok_or("not an inequality")?;
        if !q.is_positive() {
            return Err("a coefficient is not positive");
        }
        sum.add_scaled(q, &said.linear);
        strict |= said.strict;
    }
    let absurd = sum.constant.is_positive() || strict && sum.constant.is_zero();
    if sum.terms.is_empty() && absurd { Ok(()) } else { Err("the sum is not a contradiction") }
}

fn modular(terms: &Terms, literals: &[Literal], coefficients: &[Q]) -> Result<(), &'static str> {
    if literals.len() != 2 * coefficients.len() {
        return Err("not one coefficient per equation");
    }
    let mut sum = Linear::constant(Q::ZERO);
    for (pair, q) in literals.chunks_exact(2).zip(coefficients) {
        let le = inequality(terms, pair[0]).ok_or("not an inequality")?;
        let mut ge = inequality(terms, pair[1]).ok_or("not an inequality")?;
        ge.linear.scale(&Q::MINUS_ONE);
        if le.strict || ge.strict || le.linear != ge.linear {
            return Err("a pair is not an equation");
        }
        sum.add_scaled(q, &le.linear);
    }
    let integral = sum.terms.iter().all(|(t, q)| q.is_integer() && terms.sort(*t) == Sort::Int);
    if integral && !sum.constant.is_integer() { Ok(()) } else { Err("the sum has integer solutions") }
}

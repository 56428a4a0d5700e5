//! Does an automaton accept every word that violates a formula? Decided independently of the translation that built the
//! automaton: the violating words are those of the formula's tableau (Clarke, Grumberg and Hamaguchi, "Another Look at
//! LTL Model Checking", 1997), and none of these may be accepted by the automaton's complement.
//!
//! A state of the tableau gives the truth value of each subformula `X a`, and of each `X (a U b)`. So there are as many
//! states as sets of these, which is simple but large.

use crate::buchi::{Automaton, Guard, Guards, Marks, StateId, Transition};
use crate::ltl::{AtomId, Formula, Temporal};

/// The limit on temporal operators.
const OPERATORS: usize = 6;
/// The limit on the size of formulas.
const SIZE: usize = 10_000;
/// The limit on states of the product.
const STATES: usize = 200_000;

/// A formula whose only operators are negation, disjunction and numbered temporal operators.
#[derive(Clone)]
enum Basic {
    True,
    Atom(AtomId),
    Not(Box<Basic>),
    Or(Box<[Basic; 2]>),
    /// `X a`
    Next(usize),
    /// `a U b`
    Until(usize),
}

/// The numbered operators: `X a` has one operand, `a U b` two.
type Operators = Vec<(Option<Basic>, Basic)>;

/// Is it accepted? `None` if a limit is exceeded.
pub(super) fn covers(automaton: &Automaton, formula: &Formula) -> Option<bool> {
    if is_large(formula) {
        return None;
    }
    let mut operators = Operators::new();
    let violated = not(basic(formula, &mut operators));
    if operators.len() > OPERATORS {
        return None;
    }
    let complement = automaton.complement()?;
    let tableau = tableau(&violated, &operators, &automaton.atoms);
    Some(complement.intersection(&tableau, STATES)?.is_empty())
}

/// The words of a lasso with partial letters: each letter gives the truth values of some atoms.
fn completions(letters: &[Vec<Option<bool>>], back: usize, atoms: &[String]) -> Automaton {
    let mut guards = Guards::default();
    let mut states = Vec::new();
    for (i, letter) in letters.iter().enumerate() {
        let known = letter.iter().zip(0..).filter_map(|(value, p)| Some((p, (*value)?)));
        let guard = guards.cube(&known.collect::<Vec<_>>());
        let target = StateId::new(if i + 1 < letters.len() { i + 1 } else { back });
        states.push(vec![Transition { guard, marks: Marks::default(), target }]);
    }
    Automaton { atoms: atoms.to_vec(), guards, marks: 0, initial: StateId(0), states }
}

/// Is the formula false on all of these words?
pub(super) fn excludes(
    letters: &[Vec<Option<bool>>],
    back: usize,
    atoms: &[String],
    formula: &Formula,
) -> Option<bool> {
    if is_large(formula) {
        return None;
    }
    let mut operators = Operators::new();
    let satisfied = basic(formula, &mut operators);
    if operators.len() > OPERATORS {
        return None;
    }
    let tableau = tableau(&satisfied, &operators, atoms);
    Some(completions(letters, back, atoms).intersection(&tableau, STATES)?.is_empty())
}

/// Does an automaton accept all of these words?
pub(super) fn includes(letters: &[Vec<Option<bool>>], back: usize, automaton: &Automaton) -> Option<bool> {
    let rejected = automaton.complement()?;
    Some(rejected.intersection(&completions(letters, back, &automaton.atoms), STATES)?.is_empty())
}

/// Does it accept every word that the other automaton accepts and that violates the formula?
pub(super) fn covers_both(automaton: &Automaton, other: &Automaton, formula: &Formula) -> Option<bool> {
    if is_large(formula) {
        return None;
    }
    let mut operators = Operators::new();
    let violated = not(basic(formula, &mut operators));
    if operators.len() > OPERATORS {
        return None;
    }
    let missed = automaton.complement()?.intersection(other, STATES)?;
    let tableau = tableau(&violated, &operators, &automaton.atoms);
    Some(missed.intersection(&tableau, STATES)?.is_empty())
}

/// Are there too many operators, or is the formula too large after the expansion of equivalences?
fn is_large(formula: &Formula) -> bool {
    let (size, operators) = written_out(formula);
    size > SIZE || operators > OPERATORS
}

/// The size of a formula without equivalences, and the number of its temporal operators.
fn written_out(f: &Formula) -> (usize, usize) {
    let (mut size, mut operators) =
        (1usize, usize::from(matches!(f, Formula::Unary(..) | Formula::Binary(..))));
    for (s, o) in f.children().iter().map(written_out) {
        (size, operators) = (size.saturating_add(s), operators.saturating_add(o));
    }
    let doubled = matches!(f, Formula::Iff(_) | Formula::Xor(_));
    (if doubled { size.saturating_mul(2) } else { size }, operators)
}

fn not(a: Basic) -> Basic {
    Basic::Not(Box::new(a))
}

fn or(a: Basic, b: Basic) -> Basic {
    Basic::Or(Box::new([a, b]))
}

fn and(a: Basic, b: Basic) -> Basic {
    not(or(not(a), not(b)))
}

fn basic(f: &Formula, operators: &mut Operators) -> Basic {
    let operands: Vec<Basic> = f.children().iter().map(|c| basic(c, operators)).collect();
    let mut until = |a: Basic, b: Basic| {
        operators.push((Some(a), b));
        Basic::Until(operators.len() - 1)
    };
    let [first, second] = [0, 1].map(|i| operands.get(i).cloned().unwrap_or(Basic::True));
    match f {
        Formula::Constant(true) => Basic::True,
        Formula::Constant(false) => not(Basic::True),
        Formula::Atom(p) => Basic::Atom(*p),
        Formula::Not(_) => not(first),
        Formula::And(_) => operands.into_iter().reduce(and).unwrap_or(Basic::True),
        Formula::Or(_) => operands.into_iter().reduce(or).unwrap_or(not(Basic::True)),
        Formula::Implies(_) => or(not(first), second),
        Formula::Iff(_) => or(and(first.clone(), second.clone()), and(not(first), not(second))),
        Formula::Xor(_) => or(and(first.clone(), not(second.clone())), and(not(first), second)),
        Formula::Unary(Temporal::Next, _) => {
            operators.push((None, first));
            Basic::Next(operators.len() - 1)
        }
        Formula::Unary(Temporal::Finally, _) => until(Basic::True, first),
        Formula::Unary(_, _) => not(until(Basic::True, not(first))),
        Formula::Binary(Temporal::Until, _) => until(first, second),
        Formula::Binary(Temporal::Release, _) => not(until(not(first), not(second))),
        Formula::Binary(Temporal::WeakUntil, _) => {
            not(until(not(second.clone()), and(not(first), not(second))))
        }
        Formula::Binary(_, _) => until(second.clone(), and(first, second)),
    }
}

/// The formula as a condition on the letter, given the truth values of `later`.
fn function(f: &Basic, operators: &Operators, later: usize, guards: &mut Guards) -> Guard {
    match f {
        Basic::True => Guard::TRUE,
        Basic::Atom(p) => guards.variable(p.0),
        Basic::Not(a) => {
            let a = function(a, operators, later, guards);
            guards.not(a)
        }
        Basic::Or(ab) => {
            let [a, b] = [&ab[0], &ab[1]].map(|f| function(f, operators, later, guards));
            guards.or(a, b)
        }
        Basic::Next(i) => {
            if later >> i & 1 == 1 {
                Guard::TRUE
            } else {
                Guard::FALSE
            }
        }
        Basic::Until(i) => {
            let (a, b) = &operators[*i];
            let now = function(b, operators, later, guards);
            match a {
                Some(a) if later >> i & 1 == 1 => {
                    let wait = function(a, operators, later, guards);
                    guards.or(now, wait)
                }
                _ => now,
            }
        }
    }
}

/// The tableau: state 0 is the initial one; the others are sets of formulas that are true at the next position.
fn tableau(f: &Basic, operators: &Operators, atoms: &[String]) -> Automaton {
    let mut guards = Guards::default();
    let sets = 1_usize << operators.len();
    let untils: Vec<usize> = (0..operators.len()).filter(|i| operators[*i].0.is_some()).collect();
    let mut states = vec![Vec::new(); sets + 1];
    for later in 0..sets {
        // The condition on the letter for each operator, if these are true at the next position.
        let mut said = Vec::with_capacity(operators.len());
        for (i, (a, b)) in operators.iter().enumerate() {
            let of = if a.is_some() { Basic::Until(i) } else { b.clone() };
            said.push(function(&of, operators, later, &mut guards));
        }
        // A promise is open while `a U b` is true and `b` is not.
        let mut kept = Vec::with_capacity(untils.len());
        for i in &untils {
            let fulfilled = function(&operators[*i].1, operators, later, &mut guards);
            let idle = guards.not(said[*i]);
            kept.push(guards.or(fulfilled, idle));
        }
        let start = function(f, operators, later, &mut guards);
        transitions(&mut states[0], start, &kept, later, &mut guards);
        for (before, out) in states.iter_mut().skip(1).enumerate() {
            let mut guard = Guard::TRUE;
            for (i, said) in said.iter().enumerate() {
                let as_promised = if before >> i & 1 == 1 { *said } else { guards.not(*said) };
                guard = guards.and(guard, as_promised);
            }
            transitions(out, guard, &kept, later, &mut guards);
        }
    }
    let marks = u32::try_from(untils.len()).expect("few operators");
    Automaton { atoms: atoms.to_vec(), guards, marks, initial: StateId(0), states }
}

/// The transitions with a guard to a set, with the marks of kept promises.
fn transitions(out: &mut Vec<Transition>, guard: Guard, kept: &[Guard], later: usize, guards: &mut Guards) {
    let mut parts = vec![(guard, 0_u64)];
    for (i, kept) in kept.iter().enumerate() {
        let mut next = Vec::with_capacity(2 * parts.len());
        for (guard, marks) in parts {
            let (with, without) = (guards.and(guard, *kept), guards.minus(guard, *kept));
            next.extend([(with, marks | 1 << i), (without, marks)]);
        }
        parts = next.into_iter().filter(|(guard, _)| *guard != Guard::FALSE).collect();
    }
    let target = StateId::new(later + 1);
    let made = parts.into_iter().filter(|(guard, _)| *guard != Guard::FALSE);
    out.extend(made.map(|(guard, marks)| Transition { guard, marks: Marks(marks), target }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buchi;

    #[test]
    fn automata_of_negations_cover_and_others_do_not() {
        for text in ["G(p -> F q)", "p U q", "F G p", "X p | q", "(p W q) & F q", "G F p -> G F q", "p M q"] {
            let f = crate::ltl::propositional(text).unwrap();
            let negated = buchi::of_formula(&f.formula.clone().negated(), &f.atoms).unwrap();
            assert_eq!(covers(&negated, &f.formula), Some(true), "{text}");
            let wrong = buchi::of_formula(&f.formula, &f.atoms).unwrap();
            assert_eq!(covers(&wrong, &f.formula), Some(false), "{text}");
            let mut less = negated.clone();
            less.states[0].pop();
            assert_eq!(covers(&less, &f.formula), Some(false), "{text}");
        }
    }
}

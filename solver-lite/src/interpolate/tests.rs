//! Interpolants of small refutations, by every method.

use super::*;
use crate::number::Q;
use crate::refute::{Refutation, refute};
use crate::search::Limits;
use crate::term::Sort;

/// `x₀ = 0, x₁ ≤ x₀ + 1, …, xₙ > n`.
fn chain(t: &mut Terms, n: i64) -> Vec<Term> {
    let zero = t.int(0);
    let mut x = t.var("x0", Sort::Int);
    let mut all = vec![t.eq(x, zero)];
    for i in 1..=n {
        let (next, one) = (t.var(&format!("x{i}"), Sort::Int), t.int(1));
        let sum = t.add([x, one]);
        all.push(t.le(next, sum));
        x = next;
    }
    let last = t.int(n);
    all.push(t.gt(x, last));
    all
}

fn texts(t: &Terms, all: &[Term]) -> Vec<String> {
    all.iter().map(|i| t.infix(*i).to_string()).collect()
}

#[test]
fn where_there_is_no_choice_all_methods_agree() {
    let mut t = Terms::new();
    let path = chain(&mut t, 2);
    let Refutation::Proof(proof) = refute(&mut t, &path, Limits::default()) else { panic!() };
    for method in Method::all() {
        let all = at_cuts(&mut t, &path, &proof, &[1, 2, 3], method);
        assert_eq!(texts(&t, &all), ["x0 <= 0", "x1 <= 1", "x2 <= 2"], "{method:?}");
    }
}

#[test]
fn rules_differ_in_strength() {
    let mut t = Terms::new();
    let [p, q, r] = ["p", "q", "r"].map(|n| t.var(n, Sort::Bool));
    // A contains p and q, B only contradicts q, but contains p, too.
    let (not_p, not_q) = (t.not(p), t.not(q));
    let (step, known) = (t.or([not_p, q]), t.or([p, r]));
    let path = [t.and([p, step]), t.and([not_q, known])];
    let Refutation::Proof(proof) = refute(&mut t, &path, Limits::default()) else { panic!() };
    let mut by = |boolean| {
        let method = Method { boolean, ..Method::default() };
        at_cuts(&mut t, &path, &proof, &[1], method)[0]
    };
    let (strong, middle, weak) = (by(Boolean::McMillan), by(Boolean::Pudlak), by(Boolean::Dual));
    assert_eq!((t.infix(strong).to_string().as_str(), weak), ("p and q", q));
    for (stronger, weaker) in [(strong, middle), (middle, weak)] {
        let not = t.not(weaker);
        assert!(matches!(refute(&mut t, &[stronger, not], Limits::default()), Refutation::Proof(_)));
    }
}

#[test]
fn differences_stay_differences() {
    let mut t = Terms::new();
    let [a, b, c, d, u, v] = ["a", "b", "c", "d", "u", "v"].map(|n| t.var(n, Sort::Real));
    // Two paths of A: a ≤ u ≤ b and c ≤ v ≤ d; B closes the cycle with b < c and d < a.
    let left = [t.le(a, u), t.le(u, b), t.le(c, v), t.le(v, d)];
    let right = [t.lt(b, c), t.lt(d, a)];
    let path = [t.and(left), t.and(right)];
    let Refutation::Proof(proof) = refute(&mut t, &path, Limits::default()) else { panic!() };
    let all = at_cuts(&mut t, &path, &proof, &[1], Method::default());
    assert_eq!(texts(&t, &all), ["(a <= b) and (c <= d)"]);
}

#[test]
fn what_is_said_twice_goes() {
    let mut t = Terms::new();
    let x = t.var("x", Sort::Int);
    let [p, q] = ["p", "q"].map(|n| t.var(n, Sort::Bool));
    let [three, five] = [3, 5].map(|i| t.int(i));
    let (small, smaller) = (t.le(x, five), t.le(x, three));
    let inner = t.or([smaller, q]);
    let whole = t.and([small, smaller, inner, p]);
    let said = simplify::simplify(&mut t, whole, None);
    let expected = t.and([smaller, p]);
    assert_eq!(said, expected);
    let either = t.or([small, smaller]);
    assert_eq!(simplify::simplify(&mut t, either, None), small);
    // One operand is left, and it has the other operator.
    let (r, other) = (t.var("r", Sort::Bool), t.or([p, q]));
    let both = t.and([other, r]);
    let whole = t.or([both, r]);
    assert_eq!(simplify::simplify(&mut t, whole, None), r);
    let above = t.gt(x, three);
    let bounded = t.and([above, small]);
    assert_eq!(simplify::simplify(&mut t, bounded, None), bounded);
}

/// Certifies every step at these cuts, by all methods; the refutation of one step is rejected for another.
fn check_steps(t: &mut Terms, path: &[Term], cuts: &[usize]) {
    let Refutation::Proof(proof) = refute(t, path, Limits::default()) else { panic!() };
    for method in Method::all() {
        let interpolants = at_cuts(t, path, &proof, cuts, method);
        let mut told = Vec::new();
        let mut judge = |terms: &Terms, step: &[Term], proof: &Proof| {
            crate::certify(terms, step, proof).unwrap();
            let weaker = [&[Term::TRUE; 1], &step[1..step.len() - 1], &[Term::TRUE]].concat();
            if proof.core().iter().any(|i| [0, step.len() - 1].contains(i)) {
                assert!(crate::certify(terms, &weaker, proof).is_err());
            }
            told.push(step[0]);
        };
        steps(t, path, &proof, cuts, method, Limits::default(), &mut judge).unwrap();
        assert_eq!(told[1..], interpolants, "{method:?}");
    }
}

#[test]
fn steps_are_certified() {
    let mut t = Terms::new();
    let path = chain(&mut t, 2);
    for cuts in [&[] as &[usize], &[0], &[4], &[2, 2], &[1, 2, 3]] {
        check_steps(&mut t, &path, cuts);
    }
    // The same assertion on both sides, and constants.
    let twice = [path[0], Term::TRUE, path[1], path[2], path[0], path[3]];
    check_steps(&mut t, &twice, &[1, 2, 3, 4, 5]);
    check_steps(&mut t, &[path[0], Term::FALSE, path[1]], &[1, 2]);
    // 9x + 2y = 5 and 5x + 9y = 4 have no integer solution, and the interpolant is a divisibility by 71.
    let [x, y] = ["x", "y"].map(|n| t.var(n, Sort::Int));
    let mut equation = |a: i64, b: i64, c: i64| {
        let (ax, by) = (t.scale(&Q::from(a), x), t.scale(&Q::from(b), y));
        let (sum, c) = (t.add([ax, by]), t.int(c));
        t.eq(sum, c)
    };
    let path = [equation(9, 2, 5), equation(5, 9, 4)];
    check_steps(&mut t, &path, &[1]);
}

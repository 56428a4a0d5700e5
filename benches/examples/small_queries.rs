//! Times small queries as in CEGAR: a few assertions, then checks under assumptions; and one refutation with
//! its sequence of interpolants.
#![allow(clippy::print_stdout)]

use std::time::Instant;

use solver_lite::number::Q;
use solver_lite::term::{Sort, Term, Terms};
use solver_lite::{Answer, Limits, Refutation, Solver, interpolate, refute};

/// A statement of a program from the variables `old` to `new`: assignments, a choice, a guard.
fn statement(t: &mut Terms, old: &[Term], new: &[Term], i: usize) -> Term {
    let n = old.len();
    let (a, b) = (i % n, (i * 7 + 3) % n);
    let k = t.int((i % 9) as i64 - 3);
    let sum = t.add([old[b], k]);
    let assign = t.eq(new[a], sum);
    let step = match i % 3 {
        0 => assign,
        1 => {
            let (low, high) = (t.le(new[a], k), t.gt(old[b], old[a]));
            t.or([low, high])
        }
        _ => {
            let double = t.scale(&Q::from(2), old[b]);
            let (guard, other) = (t.lt(old[a], double), t.eq(new[a], old[a]));
            t.ite(guard, assign, other)
        }
    };
    let mut all = vec![step];
    for j in (0..n).filter(|j| *j != a) {
        all.push(t.eq(new[j], old[j]));
    }
    t.and(all)
}

/// A predicate over some variables.
fn predicate(t: &mut Terms, vars: &[Term], i: usize) -> Term {
    let (x, y) = (vars[i % vars.len()], vars[(i * 5 + 1) % vars.len()]);
    let k = t.int((i % 11) as i64 - 5);
    match i % 3 {
        0 => t.le(x, k),
        1 => t.lt(x, y),
        _ => t.eq(y, k),
    }
}

fn limits() -> Limits {
    let search = std::env::args().nth(1);
    let strategy = search.map_or_else(Default::default, |name| name.parse().expect("a search"));
    Limits { strategy, ..Limits::default() }
}

fn main() {
    let rounds = 2_000;
    let mut t = Terms::new();
    let mut at =
        |step: usize| -> Vec<Term> { (0..4).map(|i| t.var(&format!("x{i}_{step}"), Sort::Int)).collect() };
    let vars: Vec<Vec<Term>> = (0..9).map(&mut at).collect();
    let (mut sat, mut unsat, mut rest, mut checks) = (0, 0, 0, 0);
    let start = Instant::now();
    for round in 0..rounds {
        let mut solver = Solver::new(limits());
        let s = statement(&mut t, &vars[0], &vars[1], round);
        solver.assert(&mut t, s);
        for i in 0..5 {
            let p = predicate(&mut t, &vars[0], round / 2 + i * 3);
            let p = if i % 2 == 0 { p } else { t.not(p) };
            solver.assert(&mut t, p);
        }
        for i in 0..10 {
            let p = predicate(&mut t, &vars[1], round / 2 + i / 2 * 3);
            let p = if i % 2 == 0 { p } else { t.not(p) };
            checks += 1;
            match solver.check(&mut t, &[p]) {
                Answer::Unsat => unsat += 1,
                Answer::Sat(_) => sat += 1,
                Answer::Unknown(_) => rest += 1,
            }
        }
    }
    let micros = start.elapsed().as_micros() as f64;
    println!("checks: {:.1} µs each ({sat} sat, {unsat} unsat, {rest} unknown)", micros / f64::from(checks));
    let (mut refuted, mut rest) = (0, 0);
    let start = Instant::now();
    for round in 0..rounds {
        let mut path: Vec<Term> = Vec::new();
        for i in 0..8 {
            path.push(statement(&mut t, &vars[i], &vars[i + 1], round + i * 5));
        }
        let (first, last) = (predicate(&mut t, &vars[0], round), predicate(&mut t, &vars[8], round + 7));
        path.insert(0, first);
        path.push(last);
        match refute(&mut t, &path, Limits::default()) {
            Refutation::Proof(proof) => {
                refuted += usize::from(interpolate::sequence(&mut t, &path, &proof).len() > 1);
            }
            _ => rest += 1,
        }
    }
    let micros = start.elapsed().as_micros() as f64;
    println!("paths: {:.1} µs each ({refuted} refuted and interpolated, {rest} not)", micros / rounds as f64);
}

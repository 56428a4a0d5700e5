//! Random formulas of every logic: the searches agree, every model is evaluated, every refutation is accepted by
//! the checker, and an incremental solver agrees with a fresh one. So each answer is judged by code that shares
//! nothing with the search; small integer formulas are also tried by brute force in `solver.rs`.

use std::collections::BTreeMap;

use solver_lite::term::{Sort, Term, Terms};
use solver_lite::{Answer, Limits, Solver, Strategy, certify};
use veristep_tests::formulas::Formulas;
use veristep_tests::random::{Rng, each};

const LOGICS: [&str; 6] = ["QF_BOOL", "QF_LRA", "QF_LIA", "QF_RDL", "QF_IDL", "QF_LIRA"];
const STRATEGIES: [Strategy; 3] = [Strategy::Lazy, Strategy::Online, Strategy::Auto];

fn formulas(t: &mut Terms, logic: &str, rng: &mut Rng) -> Formulas {
    let mut names = |prefix: &str, n: usize, sort| -> Vec<Term> {
        (0..n).map(|i| t.var(&format!("{prefix}{i}"), sort)).collect()
    };
    let many = 2 + rng.below(4);
    let bools = names("p", if logic == "QF_BOOL" { 6 } else { 2 }, Sort::Bool);
    let ints = names("x", if ["QF_LIA", "QF_IDL", "QF_LIRA"].contains(&logic) { many } else { 0 }, Sort::Int);
    let reals =
        names("u", if ["QF_LRA", "QF_RDL", "QF_LIRA"].contains(&logic) { many } else { 0 }, Sort::Real);
    Formulas { bools, ints, reals, magnitude: 6, differences: logic.ends_with("DL") }
}

fn formula(f: &Formulas, t: &mut Terms, rng: &mut Rng, logic: &str) -> Term {
    if logic != "QF_BOOL" {
        return f.formula(t, rng, 2);
    }
    let literals: Vec<Term> = (0..3)
        .map(|_| {
            let p = *rng.pick(&f.bools);
            if rng.one_in(2) { t.not(p) } else { p }
        })
        .collect();
    match rng.below(3) {
        0 => t.iff(literals[0], literals[1]),
        1 => t.ite(literals[0], literals[1], literals[2]),
        _ => t.or(literals),
    }
}

fn fresh_with(t: &mut Terms, assertions: &[Term]) -> Solver {
    let mut solver = Solver::default();
    assertions.iter().for_each(|a| solver.assert(t, *a));
    solver
}

/// The answer as a word; a model is evaluated, a refutation and the failed assumptions are checked.
fn judged(solver: &mut Solver, t: &mut Terms, assumed: &[Term], what: &str) -> &'static str {
    let all: Vec<Term> = solver.assertions().iter().chain(assumed).copied().collect();
    match solver.check(t, assumed) {
        Answer::Sat(model) => {
            assert!(all.iter().all(|a| model.eval(t, *a).bool()), "{what}: a wrong model");
            "sat"
        }
        Answer::Unsat => {
            let proof = solver.refutation(t, &all).expect("within the limits");
            certify(t, &all, &proof).unwrap_or_else(|e| panic!("{what}: {e}"));
            let mut core = solver.assertions()[..solver.permanent()].to_vec();
            core.extend(solver.failed_assumptions(t));
            let with_core = fresh_with(t, &core).check(t, &[]);
            assert!(!matches!(with_core, Answer::Sat(_)), "{what}: a core that is satisfiable");
            "unsat"
        }
        Answer::Unknown(_) => "unknown",
    }
}

fn run(formulas_wanted: u64) {
    let mut counts: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    each(90_000..90_000 + formulas_wanted / 4, |rng| {
        let seed = rng.seed();
        let logic = LOGICS[rng.below(LOGICS.len())];
        let mut t = Terms::new();
        let f = formulas(&mut t, logic, rng);
        let mut incremental: Vec<Solver> = STRATEGIES
            .map(|strategy| Solver::new(Limits { strategy, branches: 300, ..Limits::default() }))
            .into();
        for step in 0..4 {
            let what = format!("seed {seed}, {logic}, step {step}");
            let (open, close) = (rng.one_in(3), rng.one_in(4));
            let news: Vec<Term> = (0..1 + rng.below(4)).map(|_| formula(&f, &mut t, rng, logic)).collect();
            let assumed: Vec<Term> = (0..rng.below(4)).map(|_| formula(&f, &mut t, rng, logic)).collect();
            for solver in &mut incremental {
                if close {
                    solver.pop();
                }
                if open {
                    solver.push();
                }
                news.iter().for_each(|a| solver.assert(&mut t, *a));
            }
            // The first assumptions stay the same from query to query, then their number decreases again.
            for n in (0..=assumed.len()).chain([rng.below(assumed.len() + 1)]) {
                let (what, assumed) = (format!("{what}, {n} assumed"), &assumed[..n]);
                let mut said: Vec<&str> =
                    incremental.iter_mut().map(|solver| judged(solver, &mut t, assumed, &what)).collect();
                let mut fresh = fresh_with(&mut t, incremental[0].assertions());
                said.push(judged(&mut fresh, &mut t, assumed, &what));
                for (who, word) in ["lazy", "online", "auto", "fresh"].into_iter().zip(&said) {
                    *counts.entry((who, logic, *word)).or_default() += 1;
                }
                said.retain(|s| *s != "unknown");
                said.dedup();
                assert!(said.len() <= 1, "{what}: {said:?}");
            }
        }
    });
    println!("{counts:?}");
    for who in ["lazy", "online", "auto", "fresh"] {
        for logic in LOGICS {
            let of = |word| counts.get(&(who, logic, word)).copied().unwrap_or(0);
            assert!(of("unknown") * 25 <= of("sat") + of("unsat"), "{who} {logic}: {counts:?}");
            assert!(of("sat") > 0 && of("unsat") > 0, "{who} {logic}: {counts:?}");
        }
    }
}

#[test]
fn searches_agree() {
    run(2_000);
}

#[test]
#[ignore = "takes minutes"]
fn searches_agree_on_sixty_thousand_formulas() {
    run(60_000);
}

//! Looks for panics and wrong answers with inputs nobody thought of: `fuzz smtlib|solver MINUTES [SEED]`.
//!
//! `smtlib` mutates the scripts in `tests/corpus/smt2` byte by byte and token by token and runs them with tight limits.
//! `solver` calls the solver's interface at random; models are evaluated, refutations and interpolants checked. A finding
//! ends the program with what to do again: the seed, and for scripts a file.
#![allow(clippy::print_stdout)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use solver_lite::interpolate::{Method, at_cuts, is_about, steps};
use solver_lite::number::Q;
use solver_lite::smtlib::Session;
use solver_lite::term::{Sort, Term, Terms};
use solver_lite::{Answer, Limits, Refutation, Solver, Strategy, certify, refute};
use veristep_tests::formulas::Formulas;
use veristep_tests::random::Rng;

fn tight(rng: &mut Rng) -> Limits {
    let strategy = *rng.pick(&[Strategy::Auto, Strategy::Lazy, Strategy::Online]);
    Limits { conflicts: 300, pivots: 300, branches: 20, memory: 1 << 24, strategy }
}

/// The seeds: texts of scripts.
fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/smt2");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the corpus").map(|e| e.expect("a file").path()).collect();
    files.sort();
    files.into_iter().map(|f| std::fs::read(f).expect("a readable file")).collect()
}

const TOKENS: [&str; 44] = [
    "(",
    ")",
    "(assert ",
    "(check-sat)",
    "(push 1)",
    "(pop 1)",
    "(get-model)",
    "(get-proof)",
    "true",
    "false",
    "(and ",
    "(or ",
    "(not ",
    "(=> ",
    "(= ",
    "(<= ",
    "(< ",
    "(+ ",
    "(- ",
    "(* ",
    "(div ",
    "(mod ",
    "(ite ",
    "(let ((a 1)) ",
    "x",
    "y",
    "p",
    "0",
    "1",
    "9223372036854775807",
    "-1",
    "0.5",
    "(/ 1 3)",
    "|",
    "\"",
    ";",
    "(! x :named n)",
    "(get-unsat-core)",
    "(check-sat-assuming (p))",
    "(declare-const q Bool)",
    "(distinct x y)",
    "(set-option :check-proofs true)",
    "(reset)",
    "(get-interpolants n m)",
];

/// A script nobody wrote.
fn mutated(seeds: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut text = rng.pick(seeds).clone();
    for _ in 0..1 + rng.below(8) {
        let at = rng.below(text.len() + 1);
        match rng.below(6) {
            0 if !text.is_empty() => {
                let i = rng.below(text.len());
                text[i] = (rng.bits() & 0x7f) as u8;
            }
            1 => {
                let end = (at + rng.below(40)).min(text.len());
                text.drain(at..end);
            }
            2 => {
                let other = rng.pick(seeds);
                let from = rng.below(other.len() + 1);
                let piece = other[from..(from + rng.below(80)).min(other.len())].to_vec();
                text.splice(at..at, piece);
            }
            _ => {
                let token = rng.pick(&TOKENS).bytes();
                text.splice(at..at, token.chain(*b" "));
            }
        }
    }
    text
}

fn smtlib(seeds: &[Vec<u8>], seed: u64) {
    let mut rng = Rng::new(seed);
    let text = mutated(seeds, &mut rng);
    let text = String::from_utf8_lossy(&text);
    let limits = tight(&mut rng);
    let run = || Session::new(limits).run(&text, &mut |_| {});
    if catch_unwind(AssertUnwindSafe(run)).is_err() {
        std::fs::write("finding.smt2", text.as_bytes()).expect("a writable folder");
        println!("finding.smt2 with {limits:?}, seed {seed}");
        std::process::exit(1);
    }
}

/// Random use of the interface.
fn solver(seed: u64) {
    let mut rng = Rng::new(seed);
    let limits = tight(&mut rng);
    let mut t = Terms::new();
    let names = ["a", "b", "c", "d"];
    let f = Formulas {
        bools: names.map(|n| t.var(&format!("p{n}"), Sort::Bool)).to_vec(),
        ints: names.map(|n| t.var(&format!("x{n}"), Sort::Int)).to_vec(),
        reals: names.map(|n| t.var(&format!("u{n}"), Sort::Real)).to_vec(),
        magnitude: *rng.pick(&[3, 100, 1 << 40, i64::MAX / 2]),
        differences: rng.one_in(3),
    };
    let mut solver = Solver::new(limits);
    for _ in 0..rng.below(20) {
        match rng.below(6) {
            0 => solver.push(),
            1 => drop(solver.pop()),
            2 => {
                let x = *rng.pick(&f.ints);
                let scaled = t.scale(&Q::from(rng.range(-9, 9)), x);
                let (y, fact) = (*rng.pick(&f.ints), rng.range(-f.magnitude, f.magnitude));
                let (fact, sum) = (t.int(fact), t.add([scaled, y]));
                let equation = t.eq(sum, fact);
                solver.assert(&mut t, equation);
            }
            3 => {
                let a = f.formula(&mut t, &mut rng, 3);
                solver.assert(&mut t, a);
            }
            _ => {
                let assumed: Vec<Term> = (0..rng.below(3)).map(|_| f.formula(&mut t, &mut rng, 1)).collect();
                let all: Vec<Term> = solver.assertions().iter().chain(&assumed).copied().collect();
                if solver.check(&mut t, &assumed) == Answer::Unsat
                    && let Ok(proof) = solver.refutation(&mut t, &all)
                {
                    certify(&t, &all, &proof).expect("an accepted refutation");
                    interpolated(&mut t, &all, &proof, limits);
                }
            }
        }
    }
}

/// Interpolants by every method at a cut in the middle.
fn interpolated(t: &mut Terms, all: &[Term], proof: &solver_lite::proof::Proof, limits: Limits) {
    let cut = all.len() / 2;
    if !is_about(t, all, proof) {
        return;
    }
    for method in Method::all() {
        let i = at_cuts(t, all, proof, &[cut], method)[0];
        let not = t.not(i);
        let left: Vec<Term> = all[..cut].iter().copied().chain([not]).collect();
        let right: Vec<Term> = all[cut..].iter().copied().chain([i]).collect();
        let mut judge = |terms: &Terms, step: &[Term], proof: &solver_lite::proof::Proof| {
            certify(terms, step, proof).expect("an accepted refutation");
        };
        // Limits may be small.
        let _ = steps(t, all, proof, &[cut], method, limits, &mut judge);
        for side in [left, right] {
            match refute(t, &side, limits) {
                Refutation::Proof(proof) => certify(t, &side, &proof).expect("an accepted refutation"),
                Refutation::Model(_) => panic!("{method:?}: no interpolant"),
                Refutation::Incomplete(_) => {}
            }
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(target), Some(minutes)) = (arguments.first(), arguments.get(1)) else {
        panic!("fuzz smtlib|solver MINUTES [SEED]")
    };
    let minutes: u64 = minutes.parse().expect("minutes");
    let first: u64 = arguments.get(2).map_or(1, |s| s.parse().expect("a seed"));
    let seeds = seeds();
    let end = Instant::now() + Duration::from_secs(60 * minutes);
    let mut seed = first;
    while Instant::now() < end || minutes == 0 && seed == first {
        match target.as_str() {
            "smtlib" => smtlib(&seeds, seed),
            "solver" if catch_unwind(|| solver(seed)).is_ok() => {}
            "solver" => {
                println!("a finding: fuzz solver 0 {seed}");
                std::process::exit(1);
            }
            other => panic!("'{other}' is no target"),
        }
        seed += 1;
    }
    println!("{} inputs without a finding", seed - first);
}

//! Random formulas against brute force: verdicts, proofs, interpolants, incremental use.

use solver_lite::interpolate::Method;
use solver_lite::number::Q;
use solver_lite::term::{Sort, Term, Terms, Value};
use solver_lite::{Answer, Limits, Refutation, Solver, Strategy, certify, interpolate, refute};
use veristep_tests::formulas::Formulas;
use veristep_tests::random::each;

const LOW: i64 = -3;
const HIGH: i64 = 3;

fn small(t: &mut Terms) -> Formulas {
    Formulas {
        bools: vec![t.var("p", Sort::Bool)],
        ints: ["x", "y", "z"].map(|n| t.var(n, Sort::Int)).to_vec(),
        reals: vec![],
        magnitude: 4,
        differences: false,
    }
}

/// `LOW ≤ x ≤ HIGH`.
fn domain(t: &mut Terms, x: Term) -> Term {
    let (low, high) = (t.int(LOW), t.int(HIGH));
    let (a, b) = (t.ge(x, low), t.le(x, high));
    t.and([a, b])
}

/// Does some assignment within the domain satisfy all of `all`?
fn brute_force(t: &Terms, f: &Formulas, all: &[Term]) -> bool {
    assignments(f).iter().any(|value| all.iter().all(|a| t.eval(*a, value).bool()))
}

type Assignment = Box<dyn Fn(Term) -> Value>;

fn assignments(f: &Formulas) -> Vec<Assignment> {
    let mut all: Vec<Assignment> = Vec::new();
    for p in [false, true] {
        for x in LOW..=HIGH {
            for y in LOW..=HIGH {
                for z in LOW..=HIGH {
                    let (bools, ints) = (f.bools.clone(), f.ints.clone());
                    all.push(Box::new(move |v| {
                        if bools.contains(&v) {
                            return Value::Bool(p);
                        }
                        let at = ints.iter().position(|i| *i == v).expect("a known variable");
                        Value::Num(Q::from([x, y, z][at]))
                    }));
                }
            }
        }
    }
    all
}

#[test]
fn verdicts_proofs_and_interpolants_of_random_formulas() {
    let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
    each(0..1_500, |rng| {
        let seed = rng.seed();
        let mut t = Terms::new();
        let f = small(&mut t);
        let parts = 2 + rng.below(4);
        let mut path: Vec<Term> = (0..parts).map(|_| f.formula(&mut t, rng, 2)).collect();
        for x in f.ints.clone() {
            let d = domain(&mut t, x);
            let at = rng.below(parts);
            path[at] = t.and([path[at], d]);
        }
        let expected = brute_force(&t, &f, &path);
        match refute(&mut t, &path, Limits::default()) {
            Refutation::Model(model) => {
                assert!(expected, "seed {seed}: a model where there is none");
                assert!(path.iter().all(|a| model.eval(&t, *a).bool()), "seed {seed}: wrong model");
                sat += 1;
            }
            Refutation::Proof(proof) => {
                assert!(!expected, "seed {seed}: refuted although satisfiable");
                certify(&t, &path, &proof).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", proof.text(&t)));
                let core: Vec<Term> = proof.core().into_iter().map(|i| path[i]).collect();
                assert!(!brute_force(&t, &f, &core), "seed {seed}: the core is satisfiable");
                check_sequence(&mut t, &path, &proof, seed);
                unsat += 1;
            }
            Refutation::Incomplete(_) => unknown += 1,
        }
    });
    println!("{sat} satisfiable, {unsat} refuted, {unknown} unknown");
    assert!(sat >= 300 && unsat >= 300 && unknown <= 15, "{sat} {unsat} {unknown}");
}

/// By every method: Definition 5 of Hajdu and Micskei (2020).
fn check_sequence(t: &mut Terms, path: &[Term], proof: &solver_lite::proof::Proof, seed: u64) {
    let usual = interpolate::sequence(t, path, proof);
    check_conditions(t, path, &usual, &format!("seed {seed}"));
    let cuts: Vec<usize> = (1..path.len()).collect();
    for method in Method::all() {
        let mut sequence = vec![Term::TRUE];
        sequence.extend(interpolate::at_cuts(t, path, proof, &cuts, method));
        sequence.push(Term::FALSE);
        let mut i = 0;
        let mut judge = |terms: &Terms, step: &[Term], proof: &solver_lite::proof::Proof| {
            assert_eq!(step[..2], [sequence[i], path[i]]);
            certify(terms, step, proof).unwrap_or_else(|e| panic!("seed {seed}, {method:?}, step {i}: {e}"));
            i += 1;
        };
        interpolate::steps(t, path, proof, &cuts, method, Limits::default(), &mut judge)
            .expect("within the limits");
        if sequence != usual {
            check_conditions(t, path, &sequence, &format!("seed {seed}, {method:?}"));
        }
    }
}

/// First and last element, steps and vocabulary.
fn check_conditions(t: &mut Terms, path: &[Term], sequence: &[Term], what: &str) {
    assert_eq!((sequence[0], sequence[path.len()]), (Term::TRUE, Term::FALSE));
    for (i, a) in path.iter().enumerate() {
        let not_next = t.not(sequence[i + 1]);
        let step = [sequence[i], *a, not_next];
        let proof = match refute(t, &step, Limits::default()) {
            Refutation::Proof(proof) => proof,
            Refutation::Model(_) => {
                panic!("{what}: step {i} does not follow: {}", t.smt(sequence[i + 1]))
            }
            Refutation::Incomplete(why) => {
                println!("{what}: step {i}: {why}");
                continue;
            }
        };
        certify(t, &step, &proof).unwrap();
        let vars = |all: &[Term]| -> Vec<Term> { all.iter().flat_map(|a| t.vars(*a)).collect() };
        let (left, right) = (vars(&path[..i]), vars(&path[i..]));
        let inside = |v: &Term| left.contains(v) && right.contains(v);
        assert!(t.vars(sequence[i]).iter().all(inside), "{what}: interpolant {i} leaves its vocabulary");
    }
}

#[test]
fn push_pop_and_assumptions_agree_with_fresh_solvers() {
    each(1_000..1_400, |rng| {
        let seed = rng.seed();
        let mut t = Terms::new();
        let f = small(&mut t);
        let mut solver = Solver::default();
        for x in f.ints.clone() {
            let d = domain(&mut t, x);
            solver.assert(&mut t, d);
        }
        for _ in 0..12 {
            match rng.below(4) {
                0 => solver.push(),
                1 => {
                    let open = solver.depth() > 0;
                    assert_eq!(solver.pop(), open);
                }
                _ => {
                    let a = f.formula(&mut t, rng, 2);
                    solver.assert(&mut t, a);
                }
            }
            let assumption = f.formula(&mut t, rng, 1);
            let all: Vec<Term> = solver.assertions().iter().copied().chain([assumption]).collect();
            let expected = brute_force(&t, &f, &all);
            match solver.check(&mut t, &[assumption]) {
                Answer::Sat(_) => assert!(expected, "seed {seed}"),
                Answer::Unsat => {
                    assert!(!expected, "seed {seed}");
                    let failed = solver.failed_assumptions(&mut t);
                    assert!(failed.iter().all(|a| all.contains(a)), "seed {seed}: a foreign core");
                    // With the permanent assertions, the core alone is contradictory.
                    let fixed = all.iter().take(solver.permanent()).copied();
                    let core: Vec<Term> = fixed.chain(failed).collect();
                    assert!(!brute_force(&t, &f, &core), "seed {seed}: the core is possible");
                }
                Answer::Unknown(why) => println!("seed {seed}: {why}"),
            }
        }
    });
}

#[test]
fn real_and_mixed_formulas_are_certified() {
    let (mut sat, mut unsat) = (0, 0);
    each(2_000..2_800, |rng| {
        let seed = rng.seed();
        let mut t = Terms::new();
        let mut f = small(&mut t);
        f.reals = ["u", "v", "w"].map(|n| t.var(n, Sort::Real)).to_vec();
        if seed % 2 == 0 {
            f.ints.clear();
        }
        let path: Vec<Term> = (0..6).map(|_| f.formula(&mut t, rng, 2)).collect();
        match refute(&mut t, &path, Limits::default()) {
            Refutation::Model(model) => {
                assert!(path.iter().all(|a| model.eval(&t, *a).bool()), "seed {seed}");
                sat += 1;
            }
            Refutation::Proof(proof) => {
                certify(&t, &path, &proof).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
                check_sequence(&mut t, &path, &proof, seed);
                unsat += 1;
            }
            Refutation::Incomplete(why) => println!("seed {seed}: {why}"),
        }
    });
    assert!(sat >= 30 && unsat >= 30, "{sat} {unsat}");
}

#[test]
fn parity_is_refuted_and_interpolated() {
    let mut t = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|n| t.var(n, Sort::Int));
    let (double, one) = (t.scale(&Q::from(2), x), t.int(1));
    let even = t.eq(y, double);
    let (twice, sum) = (t.scale(&Q::from(2), z), t.add([y, one]));
    let odd = t.eq(twice, sum);
    let path = [even, odd];
    let Refutation::Proof(proof) = refute(&mut t, &path, Limits::default()) else {
        panic!("y is even and odd")
    };
    certify(&t, &path, &proof).unwrap();
    let sequence = interpolate::sequence(&mut t, &path, &proof);
    assert_eq!(t.infix(sequence[1]).to_string(), "(y mod 2) = 0");
    check_sequence(&mut t, &path, &proof, 0);
}

/// The search for an integer point leaves no bounds: neither with an assumption nor without one.
#[test]
fn a_point_found_by_splitting_does_not_bind_the_next_question() {
    for strategy in [Strategy::Lazy, Strategy::Online, Strategy::Auto] {
        let mut t = Terms::new();
        let [x, y] = ["x", "y"].map(|n| t.var(n, Sort::Int));
        let parts = [t.scale(&Q::from(3), x), t.scale(&Q::from(5), y)];
        let (sum, seven) = (t.add(parts), t.int(7));
        let both = [t.le(sum, seven), t.ge(sum, seven)];
        let mut solver = Solver::new(Limits { strategy, ..Limits::default() });
        both.iter().for_each(|a| solver.assert(&mut t, *a));
        assert!(matches!(solver.check(&mut t, &[]), Answer::Sat(_)));
        let hundred = t.int(100);
        let far = t.ge(x, hundred);
        solver.assert(&mut t, far);
        assert!(matches!(solver.check(&mut t, &[]), Answer::Sat(_)), "{strategy:?}: x = 104, y = -61");
    }
}

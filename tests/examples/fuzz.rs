//! Searches for panics, wrong answers and inputs that take too long among mutated ones:
//! `fuzz smtlib|solver|temporal|cfa|sts|xsts|aiger|c|pn|pnml|net|gc|sc|scxml|certificates|links MINUTES [SEED]`.
//!
//! `smtlib` mutates the scripts in `tests/corpus/smt2` byte by byte and token by token and runs them with tight limits.
//! `solver` calls the solver's interface at random; models are evaluated, refutations and interpolants checked.
//! `temporal` mutates formulas, properties, automata in the Hanoi format and never claims; accepted inputs are printed
//! and read again. The formats of models, certificates and links mutate the files of `tests/corpus`, and each input has
//! to be read or rejected within seconds; the current input is in `fuzzed-….txt` in the folder for temporary files,
//! since an overflow of the stack ends the program at once. A finding ends the program with the data to reproduce it:
//! the seed, and for scripts a file.
#![allow(clippy::print_stdout)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use solver_lite::interpolate::{Method, at_cuts, is_about, steps};
use solver_lite::number::Q;
use solver_lite::smtlib::Session;
use solver_lite::term::{Sort, Term, Terms};
use solver_lite::{Answer, Limits, Refutation, Solver, Strategy, certify, refute};
use veristep_core::buchi::{self, Automaton, hoa, never};
use veristep_core::certificate;
use veristep_core::formats::cfa;
use veristep_core::kit::Off;
use veristep_core::link::Link;
use veristep_core::ltl;
use veristep_core::property::Property;
use veristep_core::run::{self, Kind, Options, Run};
use veristep_core::system::System;
use veristep_tests::formulas::Formulas;
use veristep_tests::models::poll_up_to;
use veristep_tests::random::Rng;

/// Limit of seconds per input; a slower input is a finding.
const SLOW: f64 = 8.0;

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

/// Tokens of formulas, properties and automata.
const TEMPORAL: [&str; 52] = [
    "G",
    "F",
    "X",
    "U",
    "R",
    "W",
    "M",
    "!",
    "(",
    ")",
    "&",
    "|",
    "->",
    "<->",
    "xor",
    "true",
    "x",
    "y",
    "x = 1",
    "y > 2",
    "F[2:3]",
    "\"p q\"",
    "@",
    "[]",
    "<>",
    "ltl:",
    "ltl[step=edge]:",
    "ltl[strong=all]:",
    "never:",
    "recurrent:",
    "[0]",
    "[t]",
    "{0}",
    "Inf(0)",
    "Fin(0)",
    "State: 1",
    "Start: 0",
    "AP: 2 \"p\" \"q\"",
    "Acceptance: 1 Inf(0)",
    "--BODY--",
    "--END--",
    "--ABORT--",
    "States: 9999999999",
    "Alias: @a 0",
    "never {",
    "do",
    "od;",
    "::",
    "goto accept_all",
    "skip;",
    "/*",
    "assert(",
];

/// A mutated input.
fn mutated(seeds: &[Vec<u8>], tokens: &[&str], rng: &mut Rng) -> Vec<u8> {
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
                let token = rng.pick(tokens).bytes();
                text.splice(at..at, token.chain(*b" "));
            }
        }
    }
    text
}

fn smtlib(seeds: &[Vec<u8>], seed: u64) {
    let mut rng = Rng::new(seed);
    let text = mutated(seeds, &TOKENS, &mut rng);
    let text = String::from_utf8_lossy(&text);
    let limits = tight(&mut rng);
    let run = || Session::new(limits).run(&text, &mut |_| {});
    if catch_unwind(AssertUnwindSafe(run)).is_err() {
        std::fs::write("finding.smt2", text.as_bytes()).expect("a writable folder");
        println!("finding.smt2 with {limits:?}, seed {seed}");
        std::process::exit(1);
    }
}

/// The system of the formulas and automata.
fn model() -> System {
    let text = "main process p { var x : int var y : int init loc a loc b a -> b { x := 0 y := 0 } b -> b { x := y } }";
    cfa::parse(text).expect("it is a model")
}

/// Formulas, properties, and their automata as text.
fn temporal_seeds() -> Vec<Vec<u8>> {
    let atoms = ["p".to_owned(), "q".to_owned()];
    let mut seeds = Vec::new();
    for text in
        ["G (p -> F q)", "G F p -> G F q", "p U (q R !p)", "F G (p xor X q)", "(p W q) & (q M p)", "<>[]p"]
    {
        let formula = ltl::propositional(text).expect("it is a formula").formula;
        let plain = buchi::of_formula(&formula, &atoms).expect("it is small");
        let general = buchi::generalized(&formula, &atoms).expect("it is small");
        seeds.extend([
            text.to_owned(),
            hoa::print(&plain, "a"),
            hoa::print(&general, "b"),
            never::print(&plain, "c"),
        ]);
        let properties =
            ["ltl:", "ltl[step=edge,strong=a->b]:", "ltl[stuck=deadlock,start=after-first-action]:"];
        seeds
            .extend(properties.map(|p| format!("{p}{}", text.replace('p', "x = 1").replace('q', "(y > x)"))));
    }
    seeds.into_iter().map(String::into_bytes).collect()
}

/// An accepted input can be printed, and is read again as the same.
fn temporal(seeds: &[Vec<u8>], seed: u64) {
    let mut rng = Rng::new(seed);
    let text = mutated(seeds, &TEMPORAL, &mut rng);
    let text = String::from_utf8_lossy(&text);
    let run = || {
        if let Ok(read) = ltl::propositional(&text) {
            let printed = read.formula.text(&|p| format!("\"{}\"", read.atoms[p.index()].replace('"', "'")));
            let again = ltl::propositional(&printed).expect("a printed formula is one");
            assert_eq!(again.formula, read.formula, "{printed}");
        }
        if let Ok(automaton) = buchi::read(&text) {
            let again = buchi::read(&hoa::print(&automaton, "again")).expect("a printed automaton is one");
            assert_same(&automaton, &again);
        }
        let _ = Property::parse(&text, &model());
    };
    if catch_unwind(AssertUnwindSafe(run)).is_err() {
        std::fs::write("finding.txt", text.as_bytes()).expect("a writable folder");
        println!("finding.txt, seed {seed}");
        std::process::exit(1);
    }
}

/// The same graph; guards are compared as text.
fn assert_same(a: &Automaton, b: &Automaton) {
    assert_eq!((a.atoms.len(), a.marks, a.initial), (b.atoms.len(), b.marks, b.initial));
    let out = |a: &Automaton| {
        let mut guards = a.guards.clone();
        let name = |v: u32| a.atoms[v as usize].clone();
        let mut all = Vec::new();
        for q in a.ids() {
            all.push(
                a.out(q).iter().map(|t| (guards.text(t.guard, &name), t.marks, t.target)).collect::<Vec<_>>(),
            );
        }
        all
    };
    assert_eq!(out(a), out(b));
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

/// The texts of a format's models.
fn model_seeds(kind: Kind) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<_> =
        ["cfa", "sts", "xsts", "aiger", "c", "verdicts", "pn", "pnml", "gc", "sc", "scxml"]
            .map(|f| root.join("corpus").join(f))
            .to_vec();
    folders.push(root.join("../static/examples"));
    let files = folders
        .iter()
        .flat_map(|f| std::fs::read_dir(f).expect("a folder"))
        .map(|f| f.expect("a file").path());
    let is = |path: &std::path::PathBuf| {
        path.extension().and_then(|e| e.to_str()).and_then(Kind::of_name) == Some(kind)
    };
    let mut files: Vec<_> = files.filter(is).collect();
    files.sort();
    files
        .into_iter()
        .map(|f| std::fs::read(f).expect("a readable file"))
        .filter(|t| t.len() < 20_000)
        .collect()
}

/// The words of some texts.
fn words(seeds: &[Vec<u8>]) -> Vec<String> {
    let texts: Vec<_> = seeds.iter().map(|s| String::from_utf8_lossy(s)).collect();
    let mut all: Vec<String> = texts.iter().flat_map(|t| t.split_whitespace()).map(str::to_owned).collect();
    all.extend(
        ["{", "}", "(", ")", "[", "]", "-", "!", "99999999999999999999", "0x", "\"", "/*", "//", "#", "\\\n"]
            .map(str::to_owned),
    );
    all.sort();
    all.dedup();
    all
}

/// A certificate of a small model, and links to it.
fn certified() -> (System, Property, Vec<Vec<u8>>) {
    let text = "main process p { var x : int init loc a loc b error loc e a -> b { x := 0 } b -> b { assume x < 9 x := x + 1 } b -> e { assume x > 9 } }";
    let system = cfa::parse(text).expect("it is a model");
    let property = Property::parse("", &system).expect("it asks something");
    let mut seeds = Vec::new();
    for method in [run::Method::Cegar, run::Method::Pdr] {
        let options = Options { method, ..Options::default() };
        let mut run = Run::new(&system, &property, &options).expect("it can be run");
        let outcome = poll_up_to(&mut run, &mut Off, 10_000, &mut || u64::MAX).expect("it ends");
        let certificate = outcome.certificate.expect("it is decided");
        seeds.push(serde_json::to_vec(&certificate).expect("it can be written"));
    }
    (system, property, seeds)
}

/// The input of a parser.
enum Input {
    Model(Kind),
    Certificate(Box<(System, Property)>),
    Link,
}

/// One input, which may be rejected, but within the limit.
fn parsed(input: &Input, seeds: &[Vec<u8>], words: &[&str], seed: u64) {
    let mut rng = Rng::new(seed);
    let mut bytes = mutated(seeds, words, &mut rng);
    // Some texts are deep, or long.
    if rng.one_in(8) {
        let piece = rng.pick(words).repeat(1 << rng.below(14));
        let at = rng.below(bytes.len() + 1);
        bytes.splice(at..at, piece.bytes());
    }
    let text = String::from_utf8_lossy(&bytes);
    let file = std::env::temp_dir().join(format!("fuzzed-{}.txt", std::process::id()));
    std::fs::write(&file, text.as_bytes()).expect("a writable folder");
    let begin = Instant::now();
    let run = || match input {
        Input::Model(kind) => {
            if let Ok(system) = run::load_for(*kind, &text, None) {
                let _ = Property::parse("", &system);
            }
        }
        Input::Certificate(asked) => {
            if let Ok(certificate) = serde_json::from_str(&text) {
                let _ = certificate::check(&asked.0, &asked.1, &certificate);
            }
        }
        Input::Link => drop(Link::decode(&text)),
    };
    let met = catch_unwind(AssertUnwindSafe(run));
    let seconds = begin.elapsed().as_secs_f64();
    if met.is_err() || seconds > SLOW {
        println!(
            "{}, seed {seed}: {}, {seconds:.1} s",
            file.display(),
            if met.is_err() { "a panic" } else { "too slow" }
        );
        std::process::exit(1);
    }
}

/// Inputs of one of the formats.
fn format(target: &str, first: u64, minutes: u64) {
    let (input, seeds) = match (target, Kind::of_name(target)) {
        (_, Some(kind)) => (Input::Model(kind), model_seeds(kind)),
        ("certificates", _) => {
            let (system, property, seeds) = certified();
            (Input::Certificate(Box::new((system, property))), seeds)
        }
        ("links", _) => {
            let link =
                |text: Vec<u8>| Link { text: String::from_utf8_lossy(&text).into_owned(), ..Link::default() };
            (Input::Link, model_seeds(Kind::Cfa).into_iter().map(|t| link(t).encode().into_bytes()).collect())
        }
        _ => panic!("'{target}' is not a target"),
    };
    let words = words(&seeds);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let end = Instant::now() + Duration::from_secs(60 * minutes);
    let mut seed = first;
    while Instant::now() < end || minutes == 0 && seed == first {
        parsed(&input, &seeds, &words, seed);
        seed += 1;
    }
    println!("{target}: {} inputs without a finding", seed - first);
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(target), Some(minutes)) = (arguments.first(), arguments.get(1)) else {
        panic!(
            "fuzz smtlib|solver|temporal|cfa|sts|xsts|aiger|c|pn|pnml|net|gc|sc|scxml|certificates|links MINUTES [SEED]"
        )
    };
    let minutes: u64 = minutes.parse().expect("minutes");
    let first: u64 = arguments.get(2).map_or(1, |s| s.parse().expect("a seed"));
    if !["smtlib", "solver", "temporal"].contains(&target.as_str()) {
        return format(target, first, minutes);
    }
    let seeds = if target == "temporal" { temporal_seeds() } else { seeds() };
    let end = Instant::now() + Duration::from_secs(60 * minutes);
    let mut seed = first;
    while Instant::now() < end || minutes == 0 && seed == first {
        match target.as_str() {
            "smtlib" => smtlib(&seeds, seed),
            "temporal" => temporal(&seeds, seed),
            "solver" if catch_unwind(|| solver(seed)).is_ok() => {}
            "solver" => {
                println!("a finding: fuzz solver 0 {seed}");
                std::process::exit(1);
            }
            other => panic!("'{other}' is not a target"),
        }
        seed += 1;
    }
    println!("{} inputs without a finding", seed - first);
}

//! The files of ../shared/smtlib: every status decided within the limit agrees with the manifest, every model was
//! evaluated and every refutation accepted by the checker (the session panics or the status is missing otherwise).
//!
//! Each file is run by a child process (this test binary again, with the file's name in its environment), so that it
//! can be ended. `SMTLIB_SECONDS` is the limit a file; the default keeps the whole below 90 s on two cores.
//! `SMTLIB_SEARCH=lazy` or `online` chooses the search.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use solver_lite::interpolate::{Method, at_cuts, steps};
use solver_lite::proof::Proof;
use solver_lite::smtlib::{Asking, Session, script};
use solver_lite::term::{Node, Term, Terms};
use solver_lite::{Limits, Refutation, Strategy, certify, refute};
use veristep_tests::shared;

const FILE: &str = "SMTLIB_CHILD_FILE";
/// Are interpolants of partitions to be checked?
const PARTS: &str = "SMTLIB_CHILD_PARTS";

/// Longer refutations are interpolated by the default method only.
const LONG: usize = 10_000;

/// Result of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    Decided,
    Unknown,
    Timeout,
}

struct Row {
    file: String,
    logic: String,
    statuses: Vec<String>,
}

fn rows(folder: &Path) -> Vec<Row> {
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).expect("MANIFEST.tsv");
    let mut lines = manifest.lines();
    let head: Vec<&str> = lines.next().expect("a head line").split('\t').collect();
    let column = |name: &str| head.iter().position(|h| *h == name).expect("a known column");
    let (file, logic, status) = (column("file"), column("logic"), column("status"));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            Row {
                file: cells[file].to_owned(),
                logic: cells[logic].to_owned(),
                statuses: cells[status].split(',').map(str::to_owned).collect(),
            }
        })
        .collect()
}

/// The child: does nothing unless it is one.
#[test]
fn child() {
    let Ok(file) = std::env::var(FILE) else { return };
    let text = std::fs::read_to_string(file).expect("a readable file");
    let search = std::env::var("SMTLIB_SEARCH");
    let strategy = search.map_or(Strategy::Auto, |name| name.parse().expect("a search"));
    let mut session = Session::new(Limits { strategy, ..Limits::default() });
    session.insist(":check-proofs", "true");
    session.insist(":check-interpolants", "true");
    let mut last = String::new();
    session.run(&text, &mut |answer| {
        let status = answer.lines().next().unwrap_or_default();
        if ["sat", "unsat", "unknown"].contains(&status) {
            println!("status {status}");
            std::io::stdout().flush().expect("standard output can be written");
            status.clone_into(&mut last);
        }
    });
    // After `pop` and `reset` the assertions are not those of the last answer any more.
    let in_force = !["(pop", "(reset"].iter().any(|command| text.contains(command));
    if last == "unsat" && in_force && std::env::var(PARTS).is_ok() {
        let (terms, assertions) = session.assertions();
        partitions(terms, &assertions);
    }
    println!("status end");
}

/// Conjuncts of a contradiction in two, three and five parts: sequence interpolants by every method (of long
/// refutations by the default one), the refutation of each step's negation accepted, no foreign symbol.
fn partitions(terms: &mut Terms, assertions: &[Term]) {
    let mut path: Vec<Term> = Vec::new();
    for a in assertions {
        match terms.node(*a) {
            Node::And(conjuncts) => path.extend(conjuncts.iter()),
            _ => path.push(*a),
        }
    }
    // The proofs of steps have as many resolutions as the proof, but contain every operator of the interpolants.
    let limits = Limits { memory: 4 << 30, ..Limits::default() };
    let Refutation::Proof(proof) = refute(terms, &path, limits) else { panic!("not refuted again") };
    certify(terms, &path, &proof).expect("an accepted refutation");
    let methods = if proof.steps.len() > LONG { vec![Method::default()] } else { Method::all() };
    for parts in [2, 3, 5] {
        // Terms of one partition are not kept for the next.
        let terms = &mut terms.clone();
        let cuts: Vec<usize> = (1..parts).map(|i| path.len() * i / parts).collect();
        for method in methods.iter().copied() {
            let interpolants = at_cuts(terms, &path, &proof, &cuts, method);
            let end = path.len();
            let mut ends = cuts.iter().zip(&interpolants).chain([(&end, &Term::FALSE)]);
            let mut before = (0, Term::TRUE);
            let mut judge = |terms: &Terms, step: &[Term], proof: &Proof| {
                let (cut, next) = ends.next().expect("one step more than cuts");
                let (last, rest) = step.split_last().expect("premises");
                assert_eq!((rest[0], &rest[1..]), (before.1, &path[before.0..*cut]));
                assert_eq!(terms.strip(*last).0, terms.strip(*next).0);
                assert_ne!(terms.strip(*last).1, terms.strip(*next).1);
                certify(terms, step, proof).expect("an accepted refutation");
                if method == Method::default() {
                    ask_peer(terms, step);
                }
                let (left, right) = (terms.subterms(&path[..*cut]), terms.subterms(&path[*cut..]));
                let known = |v: &Term| left.binary_search(v).is_ok() && right.binary_search(v).is_ok();
                assert!(
                    terms.vars(*next).iter().all(known),
                    "{method:?}: an interpolant leaves its vocabulary"
                );
                before = (*cut, *next);
            };
            steps(terms, &path, &proof, &cuts, method, limits, &mut judge).expect("within the limits");
        }
    }
}

/// z3, installed by `cargo xtask bench --peers`.
const PEER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/peers/venv/bin/z3");

/// If z3 exists, it must not find a model of refuted assertions.
fn ask_peer(terms: &Terms, step: &[Term]) {
    if !Path::new(PEER).exists() {
        return;
    }
    let named: Vec<(Option<&str>, Term)> = step.iter().map(|t| (None, *t)).collect();
    let text = script(terms, &named, Asking::Check);
    if text.contains('…') {
        return;
    }
    let mut z3 = Command::new(PEER)
        .args(["-in", "-T:20", "-memory:2000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 can be started");
    // When memory is exhausted it may stop reading.
    let _ = z3.stdin.take().expect("piped").write_all(text.as_bytes());
    let answer = z3.wait_with_output().expect("z3 answers").stdout;
    let answer = String::from_utf8_lossy(&answer);
    assert_ne!(answer.trim(), "sat", "z3 has a model of what was refuted");
    println!("peer {}", answer.lines().next().unwrap_or_default());
}

/// Runs one file; panics when an answer is wrong.
fn judge(folder: &Path, row: &Row, limit: Duration, parts: bool) -> Outcome {
    let mut child = Command::new(std::env::current_exe().expect("this binary"))
        .args(["--exact", "shared_smtlib::child", "--nocapture", "--test-threads=1"])
        .env(FILE, folder.join(&row.file))
        .envs(parts.then_some((PARTS, "1")))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a child process");
    let mut output = child.stdout.take().expect("piped");
    let reader = std::thread::spawn(move || std::io::read_to_string(&mut output).unwrap_or_default());
    let start = Instant::now();
    let ended = loop {
        match child.try_wait().expect("a child process") {
            Some(status) => break Some(status.success()),
            None if start.elapsed() > limit => break None,
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    if ended.is_none() {
        child.kill().expect("a child process");
        child.wait().expect("a child process");
    }
    let printed = reader.join().expect("the reader");
    PEERS.fetch_add(printed.lines().filter(|l| l.contains("peer unsat")).count(), Ordering::Relaxed);
    let answers: Vec<&str> = printed.lines().filter_map(|l| l.split("status ").nth(1)).collect();
    for (got, expected) in answers.iter().zip(&row.statuses) {
        assert!(got == expected || ["unknown", "end"].contains(got), "{}: {got}, not {expected}", row.file);
    }
    assert!(ended != Some(false), "{}: the session panicked", row.file);
    match ended {
        None => Outcome::Timeout,
        Some(_) if answers.contains(&"unknown") => Outcome::Unknown,
        Some(_) => {
            assert_eq!(answers.len(), row.statuses.len() + 1, "{}: answers are missing", row.file);
            Outcome::Decided
        }
    }
}

/// Steps that z3 refuted, too.
static PEERS: AtomicUsize = AtomicUsize::new(0);

fn judge_all(limit: Duration, parts: bool) {
    let Some(folder) = shared("smtlib") else { return };
    let rows = rows(&folder);
    let next = AtomicUsize::new(0);
    let table: Mutex<BTreeMap<(String, Outcome), usize>> = Mutex::default();
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = judge(&folder, row, limit, parts);
                    if outcome != Outcome::Decided {
                        println!("{outcome:?}: {}", row.file);
                    }
                    *table.lock().expect("no panic").entry((row.logic.clone(), outcome)).or_default() += 1;
                }
            });
        }
    });
    let table = table.into_inner().expect("no panic");
    let mut totals: BTreeMap<Outcome, usize> = BTreeMap::new();
    for ((logic, outcome), count) in &table {
        println!("{logic:20} {outcome:?} {count}");
        *totals.entry(*outcome).or_default() += count;
    }
    let of = |o| totals.get(&o).copied().unwrap_or(0);
    let (decided, timeouts, unknown) = (of(Outcome::Decided), of(Outcome::Timeout), of(Outcome::Unknown));
    println!(
        "smtlib: {decided} of {} files decided and checked, {timeouts} timeouts, {unknown} unknown, 0 wrong, {:.0} s",
        rows.len(),
        start.elapsed().as_secs_f64()
    );
    if parts {
        println!("steps of interpolants that z3 refutes, too: {}", PEERS.load(Ordering::Relaxed));
    }
    assert!(decided * 100 >= rows.len() * 85, "fewer than 85 % of the files are decided");
}

#[test]
fn statuses_agree() {
    if std::env::var(FILE).is_ok() {
        return;
    }
    let seconds = std::env::var("SMTLIB_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(2);
    judge_all(Duration::from_secs(seconds), false);
}

#[test]
#[ignore = "takes minutes; the default run has a shorter limit"]
fn statuses_agree_within_twenty_seconds() {
    judge_all(Duration::from_secs(20), false);
}

#[test]
#[ignore = "takes many minutes"]
fn partitions_of_all_refuted_files_are_interpolated() {
    judge_all(Duration::from_secs(900), true);
}

//! Solver queries of real runs: `recorded FILE write` runs the corpus and writes the queries (of at most 30
//! comparisons) as scripts; `recorded FILE` times them, natively or, built for `wasm32-wasip1`, in node.
#![allow(clippy::print_stdout)]

use std::task::Poll;
use std::time::Instant;

use solver_lite::smtlib::Session;
use solver_lite::term::{Node, Term, Terms};
use solver_lite::{Answer, Limits, Solver};
use veristep_core::kit::{Cx, Event, FormulaId, Fuel, Label, NodeId, PredicateId, Question, Sink};
use veristep_tests::models;

/// Ends a script in the file.
const NEXT: &str = "\n;;\n";
/// Limit of comparisons of a small query.
const SMALL: usize = 30;
/// Limit of queries of one run.
const EACH: usize = 400;

/// Records the scripts of all queries.
#[derive(Default)]
struct Scripts(Vec<String>);

impl Sink for Scripts {
    fn event(&mut self, _: impl Into<Event>) {}
    fn state(&mut self, _: NodeId, _: impl FnOnce() -> Label) {}
    fn predicate(&mut self, _: PredicateId, _: impl FnOnce() -> String) {}
    fn formula(&mut self, _: FormulaId, _: impl FnOnce() -> String) {}

    fn question(&mut self, question: impl FnOnce() -> Question) {
        if self.0.len() < EACH {
            self.0.push(question().script);
        }
    }
}

/// The assertions of a script.
fn read(script: &str) -> (Terms, Vec<Term>) {
    let mut session = Session::new(Limits { conflicts: 0, pivots: 0, branches: 0, ..Limits::default() });
    session.run(script, &mut |_| {});
    session.into_assertions()
}

fn is_small((terms, assertions): &(Terms, Vec<Term>)) -> bool {
    let comparison = |t: &&Term| matches!(terms.node(**t), Node::Le(..) | Node::Lt(..) | Node::Eq(..));
    terms.subterms(assertions).iter().filter(comparison).count() <= SMALL
}

fn write(file: &str) {
    let mut all = Vec::new();
    for model in models::all() {
        let (mut run, mut sink) = (model.run(), Scripts::default());
        let mut fuel = Fuel::new(models::STEPS);
        let (Poll::Ready(_) | Poll::Pending) = run.poll(&mut Cx { fuel: &mut fuel, sink: &mut sink });
        all.extend(sink.0.into_iter().filter(|script| is_small(&read(script))));
    }
    std::fs::write(file, all.join(NEXT)).expect("a writable file");
    println!("{} questions", all.len());
}

fn time(file: &str) {
    let text = std::fs::read_to_string(file).expect("a readable file");
    let scripts: Vec<&str> = text.split(NEXT).collect();
    let mut questions: Vec<(Terms, Vec<Term>)> = scripts.iter().map(|s| read(s)).collect();
    let (mut best, mut unsat) = (f64::MAX, 0);
    for _ in 0..5 {
        unsat = 0;
        let start = Instant::now();
        for (terms, assertions) in &mut questions {
            let mut solver = Solver::default();
            assertions.iter().for_each(|a| solver.assert(terms, *a));
            unsat += usize::from(solver.check(terms, &[]) == Answer::Unsat);
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    let start = Instant::now();
    for script in &scripts {
        Session::new(Limits::default()).run(script, &mut |_| {});
    }
    let read = start.elapsed().as_secs_f64();
    let rate = |seconds: f64| questions.len() as f64 / seconds;
    println!(
        "{} queries, {unsat} of them unsat: {:.0} a second as terms, {:.0} a second as scripts",
        questions.len(),
        rate(best),
        rate(read)
    );
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file");
    match arguments.next().as_deref() {
        Some("write") => write(&file),
        _ => time(&file),
    }
}

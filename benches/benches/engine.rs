//! The cost of a run, the overhead of recording its journal, and the cost of a small solver query.
#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use solver_lite::Solver;
use solver_lite::term::{Sort, Terms};
use veristep_core::explain::explain;
use veristep_core::kit::{Journal, Off, Recorder, fold};
use veristep_core::views::ArgView;
use veristep_tests::models::{self, STEPS, poll_up_to};

fn runs(c: &mut Criterion) {
    let models = models::all();
    for name in ["hajdu-micskei-2020-figure-1", "two-loops", "peterson"] {
        let model = models.iter().find(|m| m.name == name).expect("in the corpus");
        let mut group = c.benchmark_group(name);
        group.bench_function("journal off", |b| {
            b.iter(|| poll_up_to(&mut model.run(), &mut Off, STEPS, &mut || u64::MAX));
        });
        group.bench_function("journal on", |b| {
            b.iter(|| {
                let mut run = model.run();
                let mut sink = Recorder { journal: Journal::new(run.names()) };
                poll_up_to(&mut run, &mut sink, STEPS, &mut || u64::MAX);
                sink.journal.events.len()
            });
        });
        let (_, _, journal) = model.record(|| u64::MAX);
        let end = journal.events.len();
        group.bench_function("fold the graph", |b| {
            b.iter(|| fold::<ArgView>(black_box(&journal), end).nodes.len())
        });
        group.bench_function("explain the last step", |b| b.iter(|| explain(black_box(&journal), end - 1)));
        group.finish();
    }
}

/// `x₀ = 0, x₁ = x₀ + 1, …, x₉ = x₈ + 1`, then ten queries about `x₉`.
fn small_questions(c: &mut Criterion) {
    c.bench_function("10 assertions and 10 queries", |b| {
        b.iter(|| {
            let mut t = Terms::new();
            let mut solver = Solver::default();
            let mut x = t.int(0);
            for i in 1..10 {
                let (next, one) = (t.var(&format!("x{i}"), Sort::Int), t.int(1));
                let sum = t.add([x, one]);
                let step = t.eq(next, sum);
                solver.assert(&mut t, step);
                x = next;
            }
            let ask = |i: i64| {
                let bound = t.int(i + 4);
                let above = t.gt(x, bound);
                solver.check(&mut t, &[above]).is_unsat()
            };
            (0..10).map(ask).filter(|unsat| *unsat).count()
        });
    });
}

criterion_group!(benches, runs, small_questions);
criterion_main!(benches);

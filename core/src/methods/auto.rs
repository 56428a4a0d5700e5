//! `auto`: a portfolio of strategies that run in turn until one of them gives a verdict.
//!
//! ```text
//! loop, with turns that grow
//!   for each strategy of the schedule without an outcome: run it for a turn
//!     holds or violated → that is the verdict
//! all end with unknown → unknown, for the reason of the first one
//! ```
//!
//! The strategies of the schedule are those that together decided all of our corpora in the grid of `veristep bench
//! --strategy paper`, the one that decided most first. Nothing is reported to the sink during the turns; the run that
//! gave the verdict is then repeated with the sink. So a journal has one run.
//!
//! If a run of a chart was found that ends because it cannot continue, the same strategy searches for a violation
//! without such runs, for a limited number of steps. If there is none, the first run is shown, and the verdict is
//! unknown.

use std::task::Poll;

use solver_lite::{Limits, effort};

use crate::kit::{Counts, Cx, Engine, Off, Sink, Verdict};
use crate::methods::bmc::BmcOptions;
use crate::methods::cegar::{
    CycleRefinement, Domain, Granularity, MaxEnum, Refinement, Search, Split, Steps, Strategy,
};
use crate::methods::explicit::ExplicitOptions;
use crate::methods::explicit::net::{Question, SHOWN};
use crate::methods::outcome::Outcome;
use crate::methods::split::{Interpolation, SplitOptions};
use crate::methods::table::About;
use crate::methods::{Plan, Task, Work};
use crate::system::Blocks;

/// The description of the method.
pub const ABOUT: About = About {
    name: "auto",
    what: "A portfolio: several methods run in turn until one gives a verdict; the run of that method is shown.",
    states: true,
    runs: true,
    options: Vec::new,
    plan: |_| None,
};

/// Steps of the first turn; a query counts as one step, a hard one as several. Each later round is four times as long.
const TURN: u64 = 2_000;

/// Steps of the first turn of explicit search before the state equation: the markings that are shown, one a step, and
/// about thirty thousand more, fewer after walks.
const ENUMERATE: u64 = SHOWN as u64 + 60;

/// The turns of the first strategy, which decides most, are longer by this factor. For charts, also those of the second
/// one, since the first one is explicit search.
const FIRST: u64 = 4;

/// The steps of the search for a violation after a run of a chart was found that cannot continue.
const BESIDE_FAULT: u64 = 16 * FIRST * TURN;

/// The effort of a query that counts as one more step.
const QUESTION: u64 = 10_000;

/// The strategies, in the order of their turns. For systems with few locations, those without a graph come first.
#[must_use]
pub fn schedule() -> Vec<Plan> {
    let usual = Strategy::default;
    let k = |k: &str| k.parse::<MaxEnum>().unwrap_or_default();
    let cegar = [
        Strategy { search: Search::Err, ..usual() },
        Strategy { steps: Steps::Blocks, search: Search::Err, ..usual() },
        Strategy { domain: Domain::Expl, max_enum: k("50"), steps: Steps::Blocks, ..usual() },
        Strategy { domain: Domain::Expl, search: Search::Err, ..usual() },
        Strategy { domain: Domain::Combined, max_enum: k("50"), ..usual() },
        Strategy { refinement: Refinement::BwBin, precision: Granularity::Local, ..usual() },
        Strategy { domain: Domain::PredBool, search: Search::Err, ..usual() },
        Strategy { domain: Domain::Expl, max_enum: MaxEnum::Evaluated, ..usual() },
    ];
    let mut all: Vec<Plan> = cegar.into_iter().map(Plan::Cegar).collect();
    let split =
        SplitOptions { combined: true, interpolation: Interpolation::Sequence, ..SplitOptions::default() };
    all.splice(2..2, [Plan::Pdr, Plan::Bmc(BmcOptions::default())]);
    all.push(Plan::Split(split));
    all
}

/// The strategies for properties of infinite runs.
#[must_use]
pub fn schedule_for_runs() -> Vec<Plan> {
    let usual = Strategy::default;
    let all = [
        usual(),
        Strategy { domain: Domain::Expl, ..usual() },
        Strategy { domain: Domain::PredSplit, split: Split::Atoms, ..usual() },
        Strategy { split: Split::Atoms, cycles: CycleRefinement::Path, ..usual() },
        Strategy { domain: Domain::Combined, ..usual() },
        Strategy { precision: Granularity::Local, ..usual() },
    ];
    all.into_iter().map(Plan::Cegar).collect()
}

/// The schedule for a task.
fn schedule_for(task: &Task) -> Vec<Plan> {
    let mut all = match task {
        // The markings of many nets are few.
        Task::Runs { model, product } if model.net.is_some() && !product.is_about_time(model) => {
            return [vec![Plan::Explicit(ExplicitOptions::default())], schedule_for_runs()].concat();
        }
        // So are the states of many charts.
        Task::Runs { model, .. } if model.chart.is_some() => {
            return [vec![Plan::Explicit(ExplicitOptions::default())], schedule_for_runs()].concat();
        }
        Task::Runs { .. } => return schedule_for_runs(),
        Task::Markings { question, .. } if matches!(**question, Question::Branching(..)) => {
            return vec![Plan::Explicit(ExplicitOptions::default())];
        }
        Task::Markings { question, .. } if matches!(**question, Question::Within(..)) => schedule(),
        Task::Markings { net, .. } if net.is_timed() => {
            [vec![Plan::Explicit(ExplicitOptions::default())], schedule()].concat()
        }
        Task::Markings { .. } => {
            [vec![Plan::Explicit(ExplicitOptions::default()), Plan::StateEquation], schedule()].concat()
        }
        Task::Reach(system) if system.chart.is_some() => {
            all_first(&[Plan::Explicit(ExplicitOptions::default()), Plan::Pdr], schedule())
        }
        Task::Reach(_) => schedule(),
    };
    let system = task.system();
    if Blocks::of(system).cutpoints.iter().filter(|h| **h).count() <= FEW {
        all.sort_by_key(|plan| match plan {
            Plan::StateEquation | Plan::Explicit(_) => 0,
            Plan::Pdr => 1,
            Plan::Split(_) => 2,
            Plan::Cegar(_) => 4,
            _ => 3,
        });
    }
    all
}

/// These strategies, and then the others.
fn all_first(first: &[Plan], mut rest: Vec<Plan>) -> Vec<Plan> {
    rest.retain(|plan| !first.contains(plan));
    [first, &rest].concat()
}

/// The greatest number of locations of a transition system: before the start, one or two between steps, and the error.
const FEW: usize = 4;

/// The state of a strategy.
#[derive(Clone)]
enum Attempt {
    Waiting,
    Working(Box<Work>),
    GaveUp,
}

/// The next stage of the portfolio.
#[derive(Clone)]
enum Stage {
    /// The turn of a strategy, with the number of steps left.
    Seek { at: usize, left: u64 },
    /// The run of the strategy that gave the verdict is shown.
    Show,
    /// An outcome was reached.
    Done(Box<Outcome>),
}

/// The engine.
#[derive(Clone)]
pub struct Auto {
    task: Task,
    limits: Limits,
    plans: Vec<Plan>,
    attempts: Vec<Attempt>,
    /// Steps of a turn in this round.
    turn: u64,
    stage: Stage,
    /// The current strategy, or the one that gave the verdict.
    at: usize,
    shown: Work,
    /// The task before, and the outcome, if a run of a chart was found that cannot continue.
    faulty: Option<Box<(Task, Outcome)>>,
}

impl Auto {
    /// A portfolio before its first turn.
    ///
    /// # Panics
    /// Never: the strategies of the schedule fit every task.
    #[must_use]
    pub(crate) fn new(task: Task, limits: Limits) -> Auto {
        let plans = schedule_for(&task);
        let fresh = Work::new(&task, &plans[0], limits);
        let left = if plans.get(1) == Some(&Plan::StateEquation) { ENUMERATE } else { TURN * FIRST };
        Auto {
            attempts: plans.iter().map(|_| Attempt::Waiting).collect(),
            shown: fresh.expect("the schedule fits every system"),
            plans,
            task,
            limits,
            turn: TURN,
            stage: Stage::Seek { at: 0, left },
            at: 0,
            faulty: None,
        }
    }

    /// The current method, or the one that gave the verdict.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plans[self.at]
    }

    /// The current engine, or the one that gave the verdict.
    pub(crate) fn work(&self) -> &Work {
        match (&self.stage, &self.attempts[self.at]) {
            (Stage::Seek { .. }, Attempt::Working(engine)) => engine,
            _ => &self.shown,
        }
    }

    fn fresh(&self, at: usize) -> Work {
        let engine = Work::new(&self.task, &self.plans[at], self.limits);
        engine.expect("the schedule fits every system")
    }

    /// One step of the current strategy.
    fn seek<S: Sink>(&mut self, at: usize, left: u64, cx: &mut Cx<'_, S>) -> Stage {
        self.at = at;
        if matches!(self.attempts[at], Attempt::Waiting) {
            self.attempts[at] = Attempt::Working(Box::new(self.fresh(at)));
        }
        let Attempt::Working(engine) = &mut self.attempts[at] else { return self.next(at) };
        let mut fuel = crate::kit::Fuel::new(1);
        let before = (Counts::of(engine.iterations()).queries, effort::spent());
        let polled = engine.poll(&mut Cx { fuel: &mut fuel, sink: &mut Off });
        let asked = u64::from(Counts::of(engine.iterations()).queries - before.0);
        let used = 1 + asked + effort::spent().wrapping_sub(before.1) / QUESTION;
        match polled {
            Poll::Pending if left > used => Stage::Seek { at, left: left - used },
            Poll::Pending => match self.faulty.take() {
                Some(faulty) => self.end(at, faulty.1, Some(faulty.0), cx),
                None => self.next(at),
            },
            Poll::Ready(outcome) => self.judge(at, outcome, cx),
        }
    }

    /// A strategy has an outcome.
    fn judge<S: Sink>(&mut self, at: usize, outcome: Outcome, cx: &Cx<'_, S>) -> Stage {
        let is_faulty = outcome.ends_in_fault(self.task.system());
        if let Some(faulty) = self.faulty.take() {
            return match outcome.verdict == Verdict::Violated && !is_faulty {
                true => self.end(at, outcome, None, cx),
                false => self.end(at, faulty.1, Some(faulty.0), cx),
            };
        }
        if let Some(task) = self.task.without_faults().filter(|_| is_faulty) {
            self.faulty = Some(Box::new((std::mem::replace(&mut self.task, task), outcome)));
            self.attempts[at] = Attempt::Waiting;
            return Stage::Seek { at, left: BESIDE_FAULT };
        }
        if matches!(outcome.verdict, Verdict::Holds | Verdict::Violated) {
            return self.end(at, outcome, None, cx);
        }
        self.attempts[at] = Attempt::GaveUp;
        self.next(at)
    }

    /// The outcome of this strategy is the verdict, for this task if it is another one; its run is shown if there is
    /// somebody who watches.
    fn end<S: Sink>(&mut self, at: usize, outcome: Outcome, task: Option<Task>, cx: &Cx<'_, S>) -> Stage {
        if let Some(task) = task {
            self.task = task;
            self.attempts[at] = Attempt::Waiting;
        }
        if cx.sink.watches() {
            self.shown = self.fresh(at);
            return Stage::Show;
        }
        if let Attempt::Working(engine) = &self.attempts[at] {
            self.shown = (**engine).clone();
        }
        Stage::Done(Box::new(outcome))
    }

    /// The next strategy without an outcome.
    fn next(&mut self, at: usize) -> Stage {
        let n = self.attempts.len();
        for next in (at + 1..=at + n).map(|i| i % n) {
            if next <= at {
                self.turn = self.turn.saturating_mul(4).min(u64::MAX / 8);
            }
            if !matches!(self.attempts[next], Attempt::GaveUp) {
                let is_chart = self.task.system().chart.is_some();
                let is_first = next == 0 || (next == 1 && is_chart);
                let left = if is_first { self.turn.saturating_mul(FIRST) } else { self.turn };
                return Stage::Seek { at: next, left };
            }
        }
        // The run of the first strategy is shown, with its reason.
        self.at = 0;
        self.shown = self.fresh(0);
        Stage::Show
    }
}

impl Engine for Auto {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        loop {
            if let Stage::Done(outcome) = &self.stage {
                return Poll::Ready((**outcome).clone());
            }
            if matches!(self.stage, Stage::Show) {
                let Poll::Ready(outcome) = self.shown.poll(cx) else { return Poll::Pending };
                self.stage = Stage::Done(Box::new(outcome));
                continue;
            }
            if !cx.fuel.spend() {
                return Poll::Pending;
            }
            if let Stage::Seek { at, left } = self.stage {
                self.stage = self.seek(at, left, cx);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::cegar::Slice;

    /// The names of a journal are those of the whole system and its blocks, whichever strategy gives the verdict.
    #[test]
    fn all_strategies_number_edges_alike() {
        let fits = |plan: &Plan| match plan {
            Plan::Cegar(s) => s.slice == Slice::Off && s.check().is_ok(),
            _ => true,
        };
        assert!(schedule().iter().all(fits));
    }
}

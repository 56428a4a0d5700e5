//! A configuration and its result.

use std::cmp::Ordering;
use std::rc::Rc;

use veristep_core::kit::Verdict;
use veristep_core::methods::cegar::Strategy;

use crate::compare::Choices;
use crate::protocol::{Job, RunResult};
use crate::state::{FrameRef, JournalRef};

/// The status of a row.
#[derive(Clone, PartialEq, Debug)]
pub enum Status {
    /// Waiting.
    Waiting,
    /// Running.
    Running,
    /// Its certificate is being checked.
    Checking,
    /// Finished with an outcome.
    Done,
    /// Stopped, for this reason.
    Ended(String),
}

/// A configuration.
#[derive(Clone, Debug)]
pub struct Row {
    /// Options other than the defaults.
    pub choices: Choices,
    /// The status.
    pub status: Status,
    /// The request.
    pub job: Job,
    /// Its events.
    pub journal: JournalRef,
    /// The shown part of them.
    pub frame: FrameRef,
    /// The outcome.
    pub outcome: Option<Rc<RunResult>>,
    /// The result of the independent checker.
    pub certified: Option<bool>,
    /// The assumptions of the checker, in sentences.
    pub trusted: Vec<String>,
    /// The link to the stepper.
    pub stepper: Option<String>,
    /// Its graph is shown.
    pub shown: bool,
}

/// A column of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Column {
    /// Rounds of the loop.
    Iterations,
    /// Nodes ever added to the graph.
    Nodes,
    /// Predicates, each as often as locations that track it.
    Predicates,
    /// Variables whose values are tracked.
    Variables,
    /// Queries to the solver.
    Queries,
    /// Tenths of milliseconds.
    Time,
}

impl Column {
    /// All of them.
    pub const ALL: [Column; 6] = [
        Column::Iterations,
        Column::Nodes,
        Column::Predicates,
        Column::Variables,
        Column::Queries,
        Column::Time,
    ];

    /// As a heading.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Column::Iterations => "iterations",
            Column::Nodes => "nodes",
            Column::Predicates => "predicates",
            Column::Variables => "variables",
            Column::Queries => "queries",
            Column::Time => "time",
        }
    }

    /// What is counted.
    #[must_use]
    pub fn what(self) -> &'static str {
        match self {
            Column::Iterations => "Rounds of abstraction and refinement",
            Column::Nodes => "Nodes added to the abstract reachability graph in total",
            Column::Predicates => "Predicates found, counted for each location separately",
            Column::Variables => "Tracked variables, counted for each location separately",
            Column::Queries => "Queries to the solver",
            Column::Time => "Time in this browser tab, with every step recorded",
        }
    }
}

impl Row {
    /// A waiting row.
    #[must_use]
    pub fn new(choices: Choices) -> Row {
        Row {
            choices,
            status: Status::Waiting,
            job: 0,
            journal: JournalRef::default(),
            frame: FrameRef::default(),
            outcome: None,
            certified: None,
            trusted: Vec::new(),
            stepper: None,
            shown: false,
        }
    }

    /// Its name: the domain and the options other than the defaults.
    #[must_use]
    pub fn name(&self) -> String {
        let mut strategy = Strategy::default();
        let known = self.choices.iter().all(|(name, value)| strategy.set(name, value).is_ok());
        if known { strategy.short() } else { write(&self.choices).replace('\t', " ") }
    }

    /// The verdict in a word, or why there is none: uncertified verdicts are reported as such.
    #[must_use]
    pub fn verdict(&self) -> &str {
        match (&self.status, self.outcome.as_ref().map(|o| o.verdict)) {
            (Status::Done, Some(Verdict::Holds | Verdict::Violated)) if self.certified != Some(true) => {
                "not certified"
            }
            (Status::Done, Some(Verdict::Holds)) => "holds",
            (Status::Done, Some(Verdict::Violated)) => "violated",
            (Status::Done, _) => "unknown",
            (Status::Checking, _) => "checking",
            (Status::Waiting, _) => "waiting",
            (Status::Running, _) => "running",
            (Status::Ended(why), _) => why,
        }
    }

    /// Does it have a certified verdict?
    #[must_use]
    pub fn is_decided(&self) -> bool {
        matches!(self.verdict(), "holds" | "violated")
    }

    /// A number of it.
    #[must_use]
    pub fn number(&self, column: Column) -> Option<u64> {
        let outcome = self.outcome.as_ref()?;
        let counts = &outcome.counts;
        Some(match column {
            Column::Iterations => counts.iterations.into(),
            Column::Nodes => counts.nodes.into(),
            Column::Predicates => counts.predicates.into(),
            Column::Variables => counts.variables.into(),
            Column::Queries => counts.queries.into(),
            // In tenths of milliseconds.
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the time of a run")]
            Column::Time => (outcome.ms * 10.0).round() as u64,
        })
    }

    /// Shows this part of the run, in percent.
    pub fn fold(&mut self, percent: u32) {
        if self.shown {
            let length = self.journal.length();
            let to = length * percent as usize / 100;
            self.frame = self.journal.frame(&self.frame, to);
        }
    }
}

/// Rows with a number come first, the smallest first.
#[must_use]
pub fn order(a: &Row, b: &Row, column: Column) -> Ordering {
    match (a.number(column), b.number(column)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

/// A configuration in a link.
#[must_use]
pub fn write(choices: &[(String, String)]) -> String {
    let pairs: Vec<String> = choices.iter().map(|(name, value)| format!("{name}={value}")).collect();
    pairs.join("\t")
}

/// And back.
#[must_use]
pub fn read(text: &str) -> Choices {
    let pair = |part: &str| part.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    text.split('\t').filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use veristep_core::kit::Counts;

    #[test]
    fn configurations_travel_in_links() {
        let choices: Choices = [("domain", "combined"), ("explicit", "x,y"), ("initial", "x <= 1; y = 2")]
            .map(|(n, v)| (n.to_owned(), v.to_owned()))
            .to_vec();
        assert_eq!(read(&write(&choices)), choices);
        assert!(read("").is_empty());
        assert_eq!(Row::new(choices).name(), "combined x,y x <= 1; y = 2");
        assert_eq!(Row::new(vec![]).name(), "pred-cart");
    }

    fn ran(verdict: Verdict, certified: Option<bool>, iterations: u32) -> Row {
        let outcome = RunResult {
            verdict,
            reason: String::new(),
            vacuous: None,
            certificate: None,
            counts: Counts { iterations, ..Counts::default() },
            used: 0,
            ms: 1.0,
        };
        Row { status: Status::Done, outcome: Some(Rc::new(outcome)), certified, ..Row::new(vec![]) }
    }

    #[test]
    fn only_what_is_certified_is_an_answer() {
        assert_eq!(ran(Verdict::Holds, Some(true), 1).verdict(), "holds");
        for certified in [Some(false), None] {
            let row = ran(Verdict::Violated, certified, 1);
            assert!(row.verdict() == "not certified" && !row.is_decided());
        }
    }

    #[test]
    fn rows_with_numbers_come_first() {
        let done = |n| ran(Verdict::Holds, Some(true), n);
        let mut rows = [Row::new(vec![]), done(7), done(2)];
        rows.sort_by(|a, b| order(a, b, Column::Iterations));
        let numbers: Vec<_> = rows.iter().map(|r| r.number(Column::Iterations)).collect();
        assert_eq!(numbers, [Some(2), Some(7), None]);
    }
}

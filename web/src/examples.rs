//! The gallery's models, compiled in: each with what it shows and what to try next.

/// What a run of an example ends with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// Holds.
    Holds,
    /// Violated.
    Violated,
    /// The method finds no end; to be stopped.
    Open,
}

impl Expected {
    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Expected::Holds => "holds",
            Expected::Violated => "violated",
            Expected::Open => "no end found",
        }
    }
}

/// A model of the gallery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// Its file's name.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The idea it shows.
    pub concept: &'static str,
    /// How it ends.
    pub expected: Expected,
    /// Its story.
    pub story: &'static str,
    /// What to try next.
    pub change: &'static str,
    /// More words to find it by.
    pub words: &'static str,
    /// The model.
    pub text: &'static str,
}

impl Example {
    /// Whether all words of a search occur.
    #[must_use]
    pub fn matches(&self, search: &str) -> bool {
        let all = [self.title, self.concept, self.story, self.words, self.expected.name()]
            .join(" ")
            .to_ascii_lowercase();
        search.to_ascii_lowercase().split([' ', ',']).all(|word| all.contains(word))
    }
}

/// The example of this id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static Example> {
    EXAMPLES.iter().find(|example| example.id == id)
}

macro_rules! example {
    ($id:literal, $title:literal, $concept:literal, $expected:ident, $story:literal, $change:literal, $words:literal) => {
        Example {
            id: $id,
            title: $title,
            concept: $concept,
            expected: Expected::$expected,
            story: $story,
            change: $change,
            words: $words,
            text: include_str!(concat!("../../static/examples/", $id, ".cfa")),
        }
    };
}

/// The gallery, first the one that is there when the page opens.
pub const EXAMPLES: &[Example] = &[
    example!(
        "hajdu-micskei-figure-1",
        "Hajdu & Micskei 2020, figure 1",
        "spurious counterexample",
        Holds,
        "A loop flips x between 0 and 1 a hundred times; afterwards x is at most 1.",
        "Now change the bound 100 to 1000000: does the graph grow?",
        "paper 003 fig. 1 flip loop efficient strategies"
    ),
    example!(
        "hajdu-micskei-figure-4-left",
        "Hajdu & Micskei 2020, figure 4 left",
        "interpolant",
        Holds,
        "Any value strictly between 0 and 5 differs from 0: one refinement is enough.",
        "Now change 0 < x to 0 <= x and look at the concrete trace.",
        "paper 003 fig. 4 havoc"
    ),
    example!(
        "hajdu-micskei-figure-4-right",
        "Hajdu & Micskei 2020, figure 4 right",
        "interpolant",
        Holds,
        "The assumption and the assertion are the same condition; the interpolant says just that.",
        "Now change the assumption to x /= 1.",
        "paper 003 fig. 4 havoc"
    ),
    example!(
        "ltl-thesis-figure-3-6",
        "CEGAR-based LTL model checking, figure 3.6",
        "loop unrolling",
        Holds,
        "x counts from 0 to 5; proving that it ends at exactly 5 takes a predicate for the bound.",
        "Now change the test at the end to x = 6 and follow the trace.",
        "paper 001 thesis fig. 3.6 while counting"
    ),
    example!(
        "locking",
        "Locking protocol",
        "Boolean predicates",
        Holds,
        "A driver takes and releases a lock in a loop; it never takes it twice.",
        "Now remove locked := false on the way back to want.",
        "driver lock api protocol"
    ),
    example!(
        "peterson",
        "Peterson's mutual exclusion",
        "concurrency",
        Holds,
        "Two processes, one critical section, as a product automaton: both inside is the error location.",
        "Now remove one turn := 0: who gets in?",
        "mutex product parallel processes"
    ),
    example!(
        "plc-pump",
        "Pump controller (PLC)",
        "cyclic program",
        Holds,
        "Each scan reads inputs and computes the motor; it never runs dry or against the stop button.",
        "Now swap the order of the latch and the dry-run protection.",
        "plc industrial scan cycle requirement"
    ),
    example!(
        "rational-time",
        "Watchdog with rational time",
        "rational numbers",
        Holds,
        "A sensor reports every half second; a watchdog that waits three quarters never bites.",
        "Now let the sensor wait a whole second: change 1%2 to 1%1.",
        "timed clock real deadline"
    ),
    example!(
        "largest-of-three",
        "Largest of three",
        "relational predicates",
        Holds,
        "Two comparisons find the largest of three numbers, whatever they are.",
        "Now change the second c > m to c > a.",
        "maximum max branch"
    ),
    example!(
        "bounded-counter-bug",
        "Bounded counter with a bug",
        "real counterexample",
        Violated,
        "A counter should wrap at 7, but the test is off by one.",
        "Now repair it: change both n > 8 to n > 7.",
        "overflow off by one bug unsafe"
    ),
    example!(
        "long-trace",
        "A long counterexample",
        "real counterexample",
        Violated,
        "The tenth Fibonacci number breaks the bound; the trace has to run the loop ten times.",
        "Now change the bound 55 to 56.",
        "fibonacci unsafe deep"
    ),
    example!(
        "parity",
        "Parity loop",
        "divisibility",
        Holds,
        "Counting in twos from zero never gives an odd number; the predicate needed is x mod 2 = 0.",
        "Now start at 1.",
        "even odd mod loop"
    ),
    example!(
        "diverging",
        "Always one more predicate",
        "divergence",
        Open,
        "True, but the predicates found speak about one value at a time; the loop does not end by itself.",
        "Now press Stop, and look at what the precision became.",
        "diverging diverge endless infinite budget stop"
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::task::Poll;
    use veristep_core::kit::{Cx, Fuel, Off, Verdict};
    use veristep_core::run;

    #[test]
    fn examples_are_found_by_what_people_type() {
        let found = |search| EXAMPLES.iter().filter(|e| e.matches(search)).map(|e| e.id).collect::<Vec<_>>();
        assert_eq!(found("paper 003, figure 1"), ["hajdu-micskei-figure-1"]);
        assert!(found("figure 1").contains(&"hajdu-micskei-figure-1"));
        assert_eq!(found("figure 3.6"), ["ltl-thesis-figure-3-6"]);
        assert_eq!(found("nonsense"), Vec::<&str>::new());
        assert!(EXAMPLES.len() >= 10);
    }

    /// The verdict of a run, or that it did not end within a budget.
    fn ending(text: &str) -> Expected {
        let system = run::load(run::Kind::Cfa, text).expect("examples can be read");
        let property = run::property(&system, "").expect("they have an error location");
        let mut run = run::Run::new(&system, &property, &run::Options::default()).unwrap();
        let (mut fuel, mut sink) = (Fuel::new(20_000), Off);
        match run.poll(&mut Cx { fuel: &mut fuel, sink: &mut sink }) {
            Poll::Ready(outcome) => match outcome.verdict {
                Verdict::Holds => Expected::Holds,
                Verdict::Violated => Expected::Violated,
                Verdict::Unknown(why) => panic!("no answer: {why}"),
            },
            Poll::Pending => Expected::Open,
        }
    }

    #[test]
    fn every_example_ends_as_it_says() {
        for example in EXAMPLES {
            assert_eq!(ending(example.text), example.expected, "{}", example.id);
        }
    }

    #[test]
    fn ids_differ() {
        assert!(EXAMPLES.iter().all(|e| by_id(e.id) == Some(e)));
    }
}

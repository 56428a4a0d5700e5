//! The gallery's models: each with its lesson and an exercise. They are sent by the engine, so that they do
//! not delay the first picture.

use veristep_core::run::Kind;

use crate::examples::{Example, Expected};

/// A model before it is sent: file, title, concept, expected result, lesson, exercise, search words, text.
struct Entry {
    file: &'static str,
    title: &'static str,
    concept: &'static str,
    expected: Expected,
    story: &'static str,
    change: &'static str,
    words: &'static str,
    text: &'static str,
    options: &'static [(&'static str, &'static str)],
}

macro_rules! entry {
    ($file:literal, $title:literal, $concept:literal, $expected:ident, $story:literal, $change:literal, $words:literal $(, $option:literal = $value:literal)*) => {
        Entry {
            file: $file,
            title: $title,
            concept: $concept,
            expected: Expected::$expected,
            story: $story,
            change: $change,
            words: $words,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../static/examples/", $file)),
            options: &[$(($option, $value)),*],
        }
    };
}

mod charts;

/// The gallery; the first entry is the model of a fresh page.
const ENTRIES: &[Entry] = &[
    entry!(
        "hajdu-micskei-figure-1.cfa",
        "Hajdu & Micskei 2020, figure 1",
        "spurious counterexample",
        Holds,
        "A loop flips x between 0 and 1 a hundred times; afterwards x is at most 1.",
        "Now change the bound `100` to `1000000`: does the graph grow?",
        "paper 003 fig. 1 flip loop efficient strategies"
    ),
    entry!(
        "hajdu-micskei-figure-4-left.cfa",
        "Hajdu & Micskei 2020, figure 4 left",
        "interpolant",
        Holds,
        "Any value strictly between 0 and 5 differs from 0: one refinement is enough.",
        "Now change `0 < x` to `0 <= x` and inspect the concrete trace.",
        "paper 003 fig. 4 havoc"
    ),
    entry!(
        "hajdu-micskei-figure-4-right.cfa",
        "Hajdu & Micskei 2020, figure 4 right",
        "interpolant",
        Holds,
        "The assumption and the assertion are the same condition: that is the interpolant.",
        "Now change the assumption to `x /= 1`.",
        "paper 003 fig. 4 havoc"
    ),
    entry!(
        "ltl-thesis-figure-3-6.cfa",
        "CEGAR-based LTL model checking, figure 3.6",
        "loop unrolling",
        Holds,
        "x counts from 0 to 5; proving that it ends at exactly 5 takes a predicate for the bound.",
        "Now change the test at the end to `x = 6` and follow the trace.",
        "paper 001 thesis fig. 3.6 while counting"
    ),
    entry!(
        "locking.cfa",
        "Locking protocol",
        "Boolean predicates",
        Holds,
        "A driver acquires and releases a lock in a loop, and never acquires it twice.",
        "Now remove `locked := false` on the way back to `want`.",
        "driver lock api protocol"
    ),
    entry!(
        "peterson.cfa",
        "Peterson's mutual exclusion",
        "concurrency",
        Holds,
        "Two processes, one critical section, as a product automaton: both inside is the error location.",
        "Now remove one `turn := 0`: is exclusion kept?",
        "mutex product parallel processes"
    ),
    entry!(
        "plc-pump.cfa",
        "Pump controller (PLC)",
        "cyclic program",
        Holds,
        "Each scan reads inputs and sets the motor, which never runs dry or while stop is pressed.",
        "Now swap the order of the latch and the dry-run protection.",
        "plc industrial scan cycle requirement"
    ),
    entry!(
        "rational-time.cfa",
        "Watchdog with rational time",
        "rational numbers",
        Holds,
        "A sensor reports every half second; a watchdog of three quarters of a second never expires.",
        "Now make the period a whole second: change `1%2` to `1%1`.",
        "timed clock real deadline"
    ),
    entry!(
        "largest-of-three.cfa",
        "Largest of three",
        "relational predicates",
        Holds,
        "Two comparisons find the largest of any three numbers.",
        "Now change the second `c > m` to `c > a`.",
        "maximum max branch"
    ),
    entry!(
        "bounded-counter-bug.cfa",
        "Bounded counter with a bug",
        "real counterexample",
        Violated,
        "A counter should wrap around at 7, but its test is off by one.",
        "Now repair it: change both `n > 8` to `n > 7`.",
        "overflow off by one bug unsafe"
    ),
    entry!(
        "long-trace.cfa",
        "A long counterexample",
        "real counterexample",
        Violated,
        "The tenth Fibonacci number reaches the bound; the trace passes the loop ten times.",
        "Now change the bound `55` to `56`.",
        "fibonacci unsafe deep"
    ),
    entry!(
        "parity.cfa",
        "Parity loop",
        "divisibility",
        Holds,
        "Counting in twos from zero gives no odd number; the predicate needed is x mod 2 = 0.",
        "Now start at 1.",
        "even odd mod loop"
    ),
    entry!(
        "diverging.cfa",
        "Diverging refinement",
        "divergence",
        Open,
        "The property holds, but each predicate found applies to one value of x only: the refinement does not terminate.",
        "Now inspect the precision when the run pauses.",
        "diverging diverge endless infinite budget stop"
    ),
    entry!(
        "two-locks.c",
        "Two locks, in C",
        "a program in C",
        Holds,
        "Each round acquires some locks and releases them; no lock is released that is not held.",
        "Now change `if (want_b) b = 1` to `if (want_a) b = 1`.",
        "c program source lock goto nondet"
    ),
    entry!(
        "hajdu-2016-example-1.sts",
        "Hajdu et al. 2016, examples 1 to 7",
        "splitting abstract states",
        Holds,
        "Eight states, four cells: two counterexamples fail in a cell, which is split. Open the tab States and step through the run.",
        "Now choose the refinement `seq`, or the domain `expl`, in the options.",
        "paper 000 fig. 1 2 3 cells craig interpolation transition system sts",
        "engine" = "split",
        "domain" = "pred",
        "refinement" = "craig",
        "initial" = "x < 2;y = 1"
    ),
    entry!(
        "fischer.sts",
        "Fischer's protocol, real clocks",
        "time",
        Holds,
        "Two processes acquire a lock by writing fast and waiting long; delays are real.",
        "Now halve the wait of process 1: change its `>= 2` to `>= 1`, twice.",
        "mutual exclusion timed clocks transition system sts pdr",
        "engine" = "pdr"
    ),
    entry!(
        "controller.sts",
        "A controller's cycle",
        "cyclic program",
        Holds,
        "Inputs are read, then one statement a step; at the end of a cycle no motor with an alarm runs.",
        "Now remove `and not alarm1` in the last transition.",
        "plc industrial motor requirement transition system sts split",
        "engine" = "split",
        "domain" = "combined",
        "refinement" = "seq"
    ),
    entry!(
        "traffic-light.xsts",
        "Traffic lights",
        "statecharts",
        Holds,
        "Two roads, three colours, a timer: blocked choices are undone, and both lights are never green.",
        "Now remove `west == Red` and `turn` from the first assumption.",
        "xsts statechart enumeration havoc choice crossing explicit",
        "engine" = "explicit"
    ),
    entry!(
        "token-ring.aag",
        "Token ring, a circuit",
        "hardware",
        Holds,
        "Three latches in a ring pass on one token; induction over one step proves that there are never two.",
        "Now add a token at the second latch: let the line `6 21 0` end with `1`.",
        "aiger aag latches gates k-induction arbiter",
        "engine" = "kind"
    ),
    entry!(
        "philosophers.pn",
        "Dining philosophers",
        "Petri nets, deadlock",
        Violated,
        "Each takes the left fork first, so all three can wait for ever. Step through the search: places show their tokens, and enabled transitions are green.",
        "Now let the third take `fork1` first: exchange `fork3` and `fork1` in take3 and begin3.",
        "net place transition token marking dijkstra fork explicit",
        "engine" = "explicit"
    ),
    entry!(
        "two-resources.pn",
        "Two resources, a siphon that empties",
        "Petri nets, siphons",
        Violated,
        "The places a, b, both1 and both2 are a siphon: every transition that adds a token to them also takes one. Once empty it stays empty, and nothing can fire.",
        "Now let both processes take a first.",
        "net siphon trap deadlock resource allocation commoner",
        "engine" = "explicit"
    ),
    entry!(
        "merging-drops.pn",
        "Merging drops, a trap",
        "Petri nets, state equation",
        Holds,
        "Two drops merge into one, so the last drop remains. The state equation has a solution without drops; the trap, which stays marked, excludes it.",
        "Now start with no drop: is the property still true?",
        "net state equation trap invariant farkas linear",
        "engine" = "state-equation"
    ),
    entry!(
        "readers-writer.pn",
        "Readers and a writer",
        "Petri nets, inhibitor arcs",
        Holds,
        "Readers share a room, a writer is alone there: inhibitor arcs test that places are empty.",
        "Now remove `unless writing`, or ask `embedded:live`: can the writer always enter in the end?",
        "net inhibitor mutual exclusion ctl branching time"
    ),
    entry!(
        "crossing.pn",
        "A railway crossing",
        "time Petri nets",
        Holds,
        "A train needs at least 3 units of time to come, and the gate at most 2 to close, so the gate is closed in time. The tab Markings has the state classes: each transition stands for the time until it fires.",
        "Now let `closed` take `[1,4]` units: the timeline of the run shows the moment at which the train is faster. `untimed:` before the property asks it without time.",
        "net time merlin interval state class graph train gate clock",
        "engine" = "explicit"
    ),
    entry!(
        "press.pn",
        "A press for two workpieces, a deadline",
        "time Petri nets",
        Holds,
        "Delays of places: a token is ready at an age in the interval of its place. Both workpieces can be done at the time 5; the timeline has a clock that can be dragged along the run.",
        "Now ask `embedded:in_less`: why can both not be done at the time 4? The differences of dates form a negative cycle.",
        "net p-time delay deadline difference logic bounded bmc igawa yokogawa",
        "engine" = "bmc"
    ),
    entry!(
        "timeouts.pn",
        "A deadlock needs no arithmetic",
        "time Petri nets",
        Holds,
        "In a deadlock all tokens have reached the upper ends of their intervals, and then a transition whose input places are marked must fire. This net has no dead marking, even without its intervals, so the formulas of bounded model checking are unsatisfiable by the markings alone, whatever the dates are.",
        "Now ask `embedded:in_time` with the method bmc: a deadline needs dates.",
        "net p-time deadlock propositional difference logic linear arithmetic sums encoding",
        "engine" = "explicit"
    ),
    entry!(
        "jobs.pn",
        "Differences are easier than sums",
        "time Petri nets, difference logic",
        Holds,
        "Two jobs cross two machines, and both can be done at the time 6. Each firing has a date, and every condition compares two dates: an edge of a graph. Where dates contradict each other there is a negative cycle, which a search for shortest paths finds: open the query of a round without a run on the page of the solver, and there the proof.",
        "Now choose the encoding `la`: with ages and durations a date is a sum of all durations before it. A contradiction is then a combination of rows, which the simplex method finds by pivots. Which encoding has more variables?",
        "net p-time jobs machines schedule difference logic linear arithmetic sums negative cycle simplex encoding bound",
        "engine" = "bmc"
    ),
    entry!(
        "gc/ticket2.gc",
        "Ticket protocol",
        "under-approximation",
        Holds,
        "Concrete states are executed, and matched when they satisfy the same predicates. Numbers of tickets grow without bound, but four searches find six predicates with which nine abstract states behave as the protocol does.",
        "Now step to a transition that is not exact: which part of the weakest precondition fails? Then open the tab Abstractions and switch predicates off: which states does the search miss?",
        "guarded commands under-approximation refinement predicate abstraction pasareanu pelanek visser 2007 mutual exclusion fetch and add bisimulation",
        "engine" = "under"
    ),
    entry!(
        "gc/ticket2-err.gc",
        "Ticket protocol with a mistake",
        "under-approximation",
        Violated,
        "Two numbers are served at once. The first search misses the error, because states that differ were matched; the predicates of its inexact transitions are enough for the second one.",
        "Now search depth first: in which search is the error found?",
        "guarded commands under-approximation refinement predicate abstraction pasareanu pelanek visser 2007 mutual exclusion bug unsafe",
        "engine" = "under"
    ),
    entry!(
        "gc/ticket3.gc",
        "Ticket protocol, three processes",
        "under-approximation",
        Holds,
        "Each search has 58 concrete and 31 abstract states after the first one, but only the fifth finds every transition exact.",
        "Now let predicates belong to the program counter (precision local): how many searches are needed?",
        "guarded commands under-approximation refinement predicate abstraction pasareanu pelanek visser 2007 mutual exclusion bisimulation",
        "engine" = "under"
    ),
    entry!(
        "gc/ticket3-err.gc",
        "Ticket protocol, three processes, with a mistake",
        "under-approximation",
        Violated,
        "With three processes the first search already finds the error: every state that it explores is reachable, so the run is real.",
        "Now choose the end of a search `first`.",
        "guarded commands under-approximation refinement predicate abstraction pasareanu pelanek visser 2007 mutual exclusion bug unsafe",
        "engine" = "under"
    ),
    entry!(
        "gc/rax.gc",
        "Remote Agent Experiment: the refinement diverges",
        "divergence",
        Open,
        "Two tasks count events. The same 101 states are explored again and again, with the predicates e1 = 0, e1 = -1, e1 = -2, …: they distinguish states that no run reaches.",
        "Now choose the engine `combined-approx`, in which abstraction refinement proves in turns with the searches. Or add `predicate e1 >= 0` and `predicate e2 >= 0`.",
        "guarded commands under-approximation refinement predicate abstraction pasareanu pelanek visser 2007 deep space nasa counters endless",
        "engine" = "under"
    ),
    entry!(
        "gc/rax-nonneg.gc",
        "Remote Agent Experiment: an invariant helps",
        "under-approximation",
        Holds,
        "That counters are not negative is an invariant that a static analysis finds. As predicates of the model it excludes the unreachable states, and the second search is exact.",
        "Now remove one of the two predicates.",
        "guarded commands under-approximation refinement predicate abstraction pasareanu pelanek visser 2007 deep space nasa counters invariant",
        "engine" = "under"
    ),
    entry!(
        "gc/rax-err.gc",
        "Remote Agent Experiment: the deadlock",
        "under-approximation",
        Violated,
        "Both tasks can wait for an event that the other one has signalled already. One search finds the run, with the guards alone as predicates.",
        "Now remove `w1 := 0` from the event of task 2: is the run shorter?",
        "guarded commands under-approximation refinement predicate abstraction pasareanu pelanek visser 2007 deep space nasa deadlock bug",
        "engine" = "under"
    ),
    entry!(
        "gc/bakery.gc",
        "Bakery protocol",
        "under-approximation",
        Holds,
        "Numbers are drawn without an atomic counter: each process reads the numbers of all others, and waits for smaller ones. Three searches suffice.",
        "Now remove `i <= j` from the guard for equal numbers.",
        "guarded commands under-approximation refinement predicate abstraction pasareanu pelanek visser 2007 lamport mutual exclusion",
        "engine" = "under"
    ),
    entry!(
        "gc/bakery-err.gc",
        "Bakery protocol with a mistake",
        "under-approximation",
        Violated,
        "The process with the greater number goes first. The first search finds both in the critical section.",
        "Now repair the comparison of the numbers.",
        "guarded commands under-approximation refinement predicate abstraction pasareanu pelanek visser 2007 lamport mutual exclusion bug unsafe",
        "engine" = "under"
    ),
    entry!(
        "gc/driver.gc",
        "Device driver",
        "under-approximation",
        Holds,
        "The lock is released before a request is answered, and a counter records it. One predicate, from the guards, makes every transition exact.",
        "Now remove `packets := packets + 1`: where is the lock used wrongly?",
        "guarded commands under-approximation refinement predicate abstraction pasareanu pelanek visser 2007 lock slam windows",
        "engine" = "under"
    ),
    entry!(
        "gc/driver-err.gc",
        "Device driver with a mistake",
        "under-approximation",
        Violated,
        "A request that was answered is not counted, so the driver leaves its loop without the lock and releases it again.",
        "Now count the request, as `packets := packets + 1`.",
        "guarded commands under-approximation refinement predicate abstraction pasareanu pelanek visser 2007 lock slam windows bug unsafe",
        "engine" = "under"
    ),
    entry!(
        "ltl/running-example.cfa",
        "A cycle that does not close",
        "lasso checking",
        Holds,
        "Eventually x is 1. With the predicate x <= 0 alone the abstraction has a lasso around x > 0; a run can follow it once, but never returns to the same state.",
        "Now check `F(x = 7)`: which run violates it?",
        "ltl temporal liveness buchi thesis fig. 3.10",
        "property" = "F (x = 1)",
        "domain" = "pred-split",
        "letters" = "abstract",
        "initial" = "x <= 0"
    ),
    entry!(
        "ltl/signal-with-button.cfa",
        "Traffic light with a button",
        "response, weak fairness",
        Violated,
        "Is the light eventually red after the button was pressed? Not if it stays green while the button is pressed infinitely often.",
        "Now put `ltl[step=edge,weak=green->yellow]:` in place of `ltl[step=edge]:` – the edge is then weakly fair.",
        "ltl temporal liveness pedestrians lasso",
        "property" = "ltl[step=edge]: G (pressed -> F (light = 2))",
        "engine" = "cegar"
    ),
    entry!(
        "ltl/mutual-exclusion.cfa",
        "Mutual exclusion without fairness",
        "starvation",
        Violated,
        "A process that requests entry starves: the other one enters and leaves infinitely often.",
        "Now try `weak=run->run#2` in the brackets, then `strong=run->run#2`: which one suffices, and why?",
        "ltl temporal liveness fairness compassion justice lasso",
        "property" = "ltl[step=edge]: G (a = 1 -> F (a = 2))",
        "engine" = "cegar"
    ),
    entry!(
        "ltl/mutual-exclusion.cfa",
        "Mutual exclusion with strong fairness",
        "strong fairness",
        Holds,
        "The edge into the critical section is strongly fair: enabled infinitely often, it is taken infinitely often. So no process starves.",
        "Now put `weak` in place of `strong`: the edge is not always enabled, so weak fairness does not suffice.",
        "ltl temporal liveness compassion mutex",
        "property" = "ltl[step=edge,strong=run->run#2]: G (a = 1 -> F (a = 2))",
        "engine" = "cegar"
    ),
    entry!(
        "ltl/producer-consumer.cfa",
        "Producer and consumer without bounds",
        "ranking function",
        Holds,
        "Batches are unbounded, so no finite abstraction counts them; items decreases around the cycle, so the consumer terminates.",
        "Now check `ltl[step=edge]: F G (total > 10)`, which needs another ranking function, then `F G (items = 0)`.",
        "ltl temporal liveness unbounded counter infinite",
        "property" = "ltl[step=edge]: G F @produce",
        "engine" = "cegar"
    ),
];

/// The name of the property among the options.
const PROPERTY: &str = "property";

/// All entries.
fn entries() -> impl Iterator<Item = &'static Entry> {
    ENTRIES.iter().chain(charts::ENTRIES)
}

/// The name of the file, with a suffix where several examples share it.
fn id(e: &Entry) -> String {
    let stem = |file: &'static str| {
        file.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default()
    };
    let (name, folder) = (stem(e.file), e.file.rsplit_once('/').map_or("", |(folder, _)| folder));
    let first = entries().find(|other| stem(other.file) == name);
    match first.filter(|first| first.title != e.title) {
        Some(first) if first.file == e.file => format!("{name}-{}", e.concept.replace(' ', "-")),
        Some(_) => format!("{folder}-{name}"),
        None => name.to_owned(),
    }
}

/// All examples.
pub(super) fn examples() -> Vec<Example> {
    let example = |e: &Entry| Example {
        id: id(e),
        title: e.title.to_owned(),
        concept: e.concept.to_owned(),
        expected: e.expected,
        story: e.story.to_owned(),
        change: e.change.to_owned(),
        words: e.words.to_owned(),
        kind: e
            .file
            .rsplit('.')
            .next()
            .and_then(Kind::of_name)
            .expect("the name of an example determines its kind"),
        text: e.text.to_owned(),
        property: e
            .options
            .iter()
            .find(|(n, _)| *n == PROPERTY)
            .map_or_else(String::new, |(_, v)| (*v).to_owned()),
        options: e
            .options
            .iter()
            .filter(|(n, _)| *n != PROPERTY)
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect(),
    };
    entries().map(example).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::{self, FIRST};
    use std::task::Poll;
    use veristep_core::kit::{Cx, Fuel, Off, UnknownReason, Verdict};
    use veristep_core::run;

    #[test]
    fn examples_are_found_by_what_people_type() {
        let found =
            |search| examples().into_iter().filter(|e| e.matches(search)).map(|e| e.id).collect::<Vec<_>>();
        assert_eq!(found("paper 003, figure 1"), ["hajdu-micskei-figure-1"]);
        assert!(found("figure 1").iter().any(|id| id == "hajdu-micskei-figure-1"));
        assert_eq!(found("figure 3.6"), ["ltl-thesis-figure-3-6"]);
        assert_eq!(found("nonsense"), Vec::<String>::new());
        assert!(examples().len() >= 10);
    }

    /// The verdict of a run, or open if the budget was exhausted.
    fn ending(Example { kind, text, options, property, .. }: &Example) -> Expected {
        let options = run::Options::with(options).expect("valid options");
        let system = run::load(*kind, text).expect("examples can be read");
        let property = run::property(&system, property).expect("they have a property");
        let mut run = run::Run::new(&system, &property, &options).unwrap();
        let (mut fuel, mut sink) = (Fuel::new(20_000), Off);
        match run.poll(&mut Cx { fuel: &mut fuel, sink: &mut sink }) {
            Poll::Ready(outcome) => match outcome.verdict {
                Verdict::Holds => Expected::Holds,
                Verdict::Violated => Expected::Violated,
                Verdict::Unknown(UnknownReason::Diverges) => Expected::Open,
                Verdict::Unknown(why) => panic!("no answer: {why}"),
            },
            Poll::Pending => Expected::Open,
        }
    }

    #[test]
    fn every_example_ends_as_it_says() {
        for example in examples() {
            assert_eq!(ending(&example), example.expected, "{}", example.id);
        }
    }

    #[test]
    fn the_first_one_is_there_at_once() {
        let all = examples();
        let (first, ids) = (&all[0], all.iter().map(|e| &e.id).collect::<std::collections::BTreeSet<_>>());
        assert_eq!(
            (first.id.as_str(), first.title.as_str(), first.text.as_str()),
            (FIRST.id, FIRST.title, FIRST.text)
        );
        assert_eq!(ids.len(), all.len());
        assert_eq!(examples::title(&all, FIRST.text), FIRST.title);
    }
}

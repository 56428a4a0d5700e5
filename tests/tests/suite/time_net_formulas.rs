//! Safe P-time nets: the formulas of their steps against an explicit search that is written here from the definition of
//! a step (Igawa et al., 2020, section 2.3), and the numbers of variables of its table 1.

use std::collections::BTreeSet;

use solver_lite::Limits;
use solver_lite::smtlib::Session;
use veristep_core::formats::pn;
use veristep_core::generate::nets;
use veristep_core::net::condition::{Comparison, Condition, Linear};
use veristep_core::net::timed::Timed;
use veristep_core::net::timed::encoding::{
    Encoding, Goal, Logic, Question, Size, check, variables_before, write,
};
use veristep_core::net::{Net, PlaceId};
use veristep_tests::random::each;

const LOGICS: [Logic; 2] = [Logic::Difference, Logic::Arithmetic];

/// The formula and its size.
fn script(net: &Net, question: &Question) -> (String, Size) {
    let mut text = String::new();
    let size = write(&Timed::of(net).unwrap(), question, &mut text).unwrap();
    (text, size)
}

/// Is the formula satisfiable?
fn answer(text: &str) -> bool {
    let mut answers = Vec::new();
    Session::new(Limits::default()).run(text, &mut |answer| answers.push(answer.to_owned()));
    match answers.last().map(String::as_str) {
        Some("sat") => true,
        Some("unsat") => false,
        other => panic!("{other:?}: {text}"),
    }
}

/// A state: the time in units, and by place the age of its token.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct State {
    time: u32,
    ages: Vec<Option<u32>>,
}

/// The explicit search: with `steps` steps, the strict inequalities are satisfied by multiples of a unit, of which
/// there are `steps + 1` in one unit of the net.
struct Search<'a> {
    timed: &'a Timed<'a>,
    units: u32,
    /// Longer delays change nothing.
    longest: u32,
    /// May time not pass a moment at which a transition must fire?
    exact: bool,
}

impl Search<'_> {
    fn ready(&self, state: &State, place: PlaceId, age: Option<u32>) -> bool {
        let least = age.map(|age| age * self.units);
        state.ages[place.index()].zip(least).is_some_and(|(own, least)| own >= least)
    }

    fn fires(&self, state: &State, t: usize, must: bool) -> bool {
        let t = &self.timed.net.transitions[t];
        let delay = |place: PlaceId| self.timed.delays[place.index()];
        let input =
            |place| self.ready(state, place, if must { delay(place).most } else { Some(delay(place).least) });
        let inhibits =
            |place| self.ready(state, place, if must { Some(delay(place).least) } else { delay(place).most });
        t.inputs.iter().all(|arc| input(arc.place)) && !t.inhibitors.iter().any(|arc| inhibits(arc.place))
    }

    fn calm(&self, state: &State) -> bool {
        (0..self.timed.net.transitions.len()).all(|t| !self.fires(state, t, true))
    }

    /// The states after some time.
    fn elapsed(&self, state: &State) -> Vec<State> {
        let most = if self.calm(state) { self.longest } else { 0 };
        let later = |delay: u32| State {
            time: state.time + delay,
            ages: state.ages.iter().map(|age| age.map(|age| age + delay)).collect(),
        };
        let missed = (0..most).find(|delay| self.exact && !self.calm(&later(*delay)));
        (0..=missed.unwrap_or(most)).map(later).collect()
    }

    /// The states after the step from some state.
    fn after(&self, state: &State) -> BTreeSet<State> {
        let mut states: BTreeSet<State> = self.elapsed(state).into_iter().collect();
        for (t, transition) in self.timed.net.transitions.iter().enumerate() {
            let fired: Vec<State> =
                states.iter().filter(|state| self.fires(state, t, false)).cloned().collect();
            for mut after in fired {
                transition.inputs.iter().for_each(|arc| after.ages[arc.place.index()] = None);
                transition.outputs.iter().for_each(|arc| after.ages[arc.place.index()] = Some(0));
                states.insert(after);
            }
        }
        states
    }

    /// Is the goal reached?
    fn reaches(&self, steps: u32, goal: &Goal) -> bool {
        let ages = self.timed.net.places.iter().map(|place| (place.tokens > 0).then_some(0)).collect();
        let mut states = BTreeSet::from([State { time: 0, ages }]);
        for _ in 0..steps {
            states = states.iter().flat_map(|state| self.after(state)).collect();
        }
        states.iter().any(|state| match goal {
            Goal::Deadlock => {
                let old = |(place, age): (usize, &Option<u32>)| {
                    age.is_none() || self.ready(state, PlaceId::new(place), self.timed.delays[place].most)
                };
                self.calm(state) && state.ages.iter().enumerate().all(old)
            }
            Goal::Marking(condition, within) => {
                let tokens = |place: PlaceId| u32::from(state.ages[place.index()].is_some());
                condition.holds(&tokens) == Some(true)
                    && within.is_none_or(|time| state.time <= time * self.units)
            }
        })
    }
}

#[test]
fn formulas_of_steps_are_those_of_the_definition() {
    let (mut yes, mut no) = (0, 0);
    each(0..80, |rng| {
        let (places, transitions) = (2 + rng.below(4) as u32, 5 + rng.below(3) as u32);
        let mut net = nets::timed(places, transitions, rng.below(1 << 30) as u64);
        for place in &mut net.places {
            // Short delays, and some without an end.
            let least = rng.below(2) as u32;
            let most = (rng.below(6) > 0).then(|| least + rng.below(2) as u32);
            place.delay = place.delay.map(|delay| veristep_core::net::Interval { least, most, ..delay });
        }
        // Fewer transitions have deadlocks.
        let kept = 1 + rng.below(net.transitions.len().max(1));
        net.transitions.truncate(kept);
        let timed = Timed::of(&net).unwrap();
        let steps = 1 + rng.below(2) as u32;
        let (one, other) = (rng.below(net.places.len()), rng.below(net.places.len()));
        let mut terms = vec![(PlaceId::new(one), -1), (PlaceId::new(other), -1)];
        terms.sort_unstable();
        terms.dedup();
        let bound = -(terms.len() as i64);
        let marked = Condition::Linear(Linear { terms, op: Comparison::Le, bound });
        let goal = match rng.below(3) {
            0 => Goal::Deadlock,
            1 => Goal::Marking(marked, None),
            _ => Goal::Marking(marked.negated(), Some(rng.below(3) as u32)),
        };
        assert!(check(&goal).is_ok());
        let units = steps + 1;
        let expected = [false, true]
            .map(|exact| Search { timed: &timed, units, longest: 3 * units, exact }.reaches(steps, &goal));
        for (logic, exact) in LOGICS.into_iter().flat_map(|logic| [(logic, false), (logic, true)]) {
            let expected = expected[usize::from(exact)];
            for replace in [true, false] {
                let encoding = Encoding { logic, replace, exact };
                let question = Question { steps, encoding, goal: goal.clone() };
                let (text, _) = script(&net, &question);
                assert_eq!(answer(&text), expected, "{question:?}\n{}\n{text}", pn::print(&net));
            }
        }
        *(if expected[0] { &mut yes } else { &mut no }) += 1;
    });
    assert!(yes > 10 && no > 10, "{yes} {no}");
}

/// The paper's step lets time pass a moment at which `t` must fire, so that `u` may fire instead.
#[test]
fn the_paper_has_steps_that_are_no_runs() {
    let text = "net a { place p = 1 [1,1] place q = 1 [2,2] transition t: p -> transition u: q -> }";
    let net = pn::parse(text).unwrap();
    // p is marked and q is not.
    let terms = vec![(PlaceId::new(0), -1), (PlaceId::new(1), 1)];
    let goal = Condition::Linear(Linear { terms, op: Comparison::Le, bound: -1 });
    for logic in LOGICS {
        for exact in [false, true] {
            let encoding = Encoding { logic, replace: true, exact };
            let question = Question { steps: 3, encoding, goal: Goal::Marking(goal.clone(), None) };
            assert_eq!(answer(&script(&net, &question).0), !exact);
        }
    }
}

/// Σ of the places at a transition and of its output places.
fn changes(net: &Net) -> u64 {
    let of = |t: &veristep_core::net::Transition| {
        let places: BTreeSet<PlaceId> = t.inputs.iter().chain(&t.outputs).map(|arc| arc.place).collect();
        places.len() as u64 + t.outputs.len() as u64
    };
    net.transitions.iter().map(of).sum()
}

#[test]
fn variables_are_counted_as_in_table_1() {
    for (places, transitions, expected) in [
        (374, 389, (292_859, 292_469)),
        (1_030, 1_193, (2_462_895, 2_461_701)),
        (3_206, 4_049, (25_979_063, 25_975_013)),
    ] {
        let net = nets::timed(places, transitions, 1);
        assert_eq!((net.places.len(), net.transitions.len()), (places as usize, transitions as usize));
        let before = |logic| variables_before(&net, 1, logic);
        assert_eq!((before(Logic::Difference), before(Logic::Arithmetic)), expected);
        let (p, s) = (u64::from(places), changes(&net));
        for k in [1, 5] {
            let size = |logic| {
                let encoding = Encoding { logic, replace: true, exact: false };
                script(&net, &Question { steps: k, encoding, goal: Goal::Deadlock }).1.variables
            };
            let k = u64::from(k);
            assert_eq!(size(Logic::Difference), 2 * p + 1 + k * (1 + s));
            assert_eq!(size(Logic::Arithmetic), 2 * p + k * (p + 1 + s));
        }
    }
    let net = nets::timed(30, 40, 7);
    for logic in LOGICS {
        let encoding = Encoding { logic, replace: false, exact: false };
        let (_, size) = script(&net, &Question { steps: 3, encoding, goal: Goal::Deadlock });
        assert_eq!(size.variables, variables_before(&net, 3, logic));
    }
}

/// What is no safe P-time net is refused with its place.
#[test]
fn other_nets_are_refused() {
    for (text, expected) in [
        ("net a { place p = 2 [1,2] transition t: p -> }", "place 'p' has more than one token"),
        ("net a { place p = 1 transition t: 2 p -> }", "the arc between 'p' and 't' has a weight"),
        ("net a { place p = 1 transition t [1,2]: p -> }", "transition 't' has an interval"),
    ] {
        let net = pn::parse(text).unwrap();
        let problems = Timed::of(&net).unwrap_err();
        assert!(problems[0].message.starts_with(expected), "{}", problems[0].message);
        assert!(problems[0].span.start > 0);
    }
    let net = pn::parse("net a { place p = 1 [1,w[ place q [0,0] transition t: p -> q }").unwrap();
    let problems = Timed::of(&net).unwrap().without_end();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].message.starts_with("place 'p' has no upper end"), "{}", problems[0].message);
}

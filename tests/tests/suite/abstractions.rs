//! The may and must abstractions of random small systems against an enumeration of all their states, and the states
//! that searches before and after a refinement reach.

use std::collections::{BTreeMap, BTreeSet};

use veristep_core::draw::{Choice, Pictures, What};
use veristep_core::explain::explain;
use veristep_core::kit::{Journal, Recorder};
use veristep_core::run::{self, Kind, Options, Run};
use veristep_core::scene::{Body, Drawing, Mark, Scene};
use veristep_tests::models::poll_up_to;
use veristep_tests::random::{Rng, each};

/// The program counter, and two integers.
type State = (usize, [i64; 2]);

/// Integers with all orders among themselves and to the bounds from 0 to 3; and those that are tried as inputs.
const VALUES: std::ops::Range<i64> = -2..6;
const INPUTS: std::ops::Range<i64> = -4..8;

const LOCATIONS: [&str; 3] = ["a", "b", "c"];
const VARIABLES: [&str; 2] = ["x", "y"];

#[derive(Clone, Copy, Debug)]
enum Assigned {
    Constant(i64),
    Copied,
    Complement,
    Input,
}

#[derive(Clone, Copy, Debug)]
struct Command {
    from: usize,
    /// A variable is at most a number.
    guard: Option<(usize, i64)>,
    to: usize,
    target: usize,
    value: Assigned,
}

impl Command {
    fn random(rng: &mut Rng) -> Command {
        let value = match rng.below(5) {
            0 => Assigned::Constant(rng.range(0, 3)),
            1 => Assigned::Copied,
            2 | 3 => Assigned::Complement,
            _ => Assigned::Input,
        };
        let guard = rng.one_in(3).then(|| (rng.below(2), rng.range(0, 2)));
        Command { from: rng.below(3), guard, to: rng.below(3), target: rng.below(2), value }
    }

    fn text(&self) -> String {
        let guard = self.guard.map(|(v, k)| format!(" && {} <= {k}", VARIABLES[v])).unwrap_or_default();
        let (target, other) = (VARIABLES[self.target], VARIABLES[1 - self.target]);
        let value = match self.value {
            Assigned::Constant(k) => k.to_string(),
            Assigned::Copied => other.to_owned(),
            Assigned::Complement => format!("3 - {target}"),
            Assigned::Input => "input".to_owned(),
        };
        format!("pc = {}{guard} -> pc := {}, {target} := {value}", LOCATIONS[self.from], LOCATIONS[self.to])
    }

    fn successors(&self, (pc, values): State) -> Vec<State> {
        if pc != self.from || self.guard.is_some_and(|(v, k)| values[v] > k) {
            return Vec::new();
        }
        let after = |value: i64| {
            let mut next = values;
            next[self.target] = value;
            (self.to, next)
        };
        match self.value {
            Assigned::Constant(k) => vec![after(k)],
            Assigned::Copied => vec![after(values[1 - self.target])],
            Assigned::Complement => vec![after(3 - values[self.target])],
            Assigned::Input => INPUTS.map(after).collect(),
        }
    }
}

/// The truth of a predicate, given as it is printed: `x <= 1`, or `x - y <= 0`; none for other predicates.
fn truth(predicate: &str, [x, y]: [i64; 2]) -> Option<bool> {
    let (form, bound) = predicate.split_once(" <= ")?;
    let bound: i64 = bound.parse().ok().filter(|bound| (0..3).contains(bound))?;
    let value = match form {
        "x" => x,
        "y" => y,
        "x - y" if bound == 0 => x - y,
        "y - x" if bound == 0 => y - x,
        _ => return None,
    };
    Some(value <= bound)
}

/// An abstract state as its drawing names it.
fn name((pc, values): State, used: &[String]) -> String {
    let literal = |p: &String| if truth(p, values) == Some(true) { p.clone() } else { format!("not ({p})") };
    let control = std::iter::once(format!("pc = {}", LOCATIONS[pc]));
    control.chain(used.iter().map(literal)).collect::<Vec<_>>().join(", ")
}

/// The transitions between abstract states that are reachable from the first one, and whether they are must
/// transitions.
fn enumerated(commands: &[Command], start: State, used: &[String]) -> BTreeMap<(String, String), bool> {
    let every = (0..3).flat_map(|pc| VALUES.flat_map(move |x| VALUES.map(move |y| (pc, [x, y]))));
    let mut within: BTreeMap<String, Vec<State>> = BTreeMap::new();
    for state in every {
        within.entry(name(state, used)).or_default().push(state);
    }
    let mut all: BTreeMap<(String, String), bool> = BTreeMap::new();
    let (mut open, mut seen) = (vec![name(start, used)], BTreeSet::from([name(start, used)]));
    while let Some(from) = open.pop() {
        for command in commands {
            let targets =
                |s: &State| command.successors(*s).into_iter().map(|next| name(next, used)).collect();
            let each: Vec<BTreeSet<String>> = within[&from].iter().map(targets).collect();
            for to in each.iter().flatten().collect::<BTreeSet<_>>() {
                let must = each.iter().all(|targets| targets.contains(to));
                *all.entry((from.clone(), to.clone())).or_default() |= must;
                if seen.insert(to.clone()) {
                    open.push(to.clone());
                }
            }
        }
    }
    all
}

fn drawing(scene: &Scene, heading: &str) -> std::sync::Arc<Drawing> {
    let part = scene.parts.iter().find(|part| part.heading == heading).expect("the picture");
    let Body::Drawing(drawing) = &part.body else { panic!("no drawing") };
    std::sync::Arc::clone(drawing)
}

/// The drawn transitions, with whether they are drawn as must transitions.
fn drawn(drawing: &Drawing) -> BTreeMap<(String, String), bool> {
    let title = |key: &str| drawing.nodes.iter().find(|n| n.key == key).expect("a node").title.clone();
    let edge = |e: &veristep_core::scene::Edge| {
        ((title(&e.source), title(&e.target)), !e.marks.contains(&Mark::Inexact))
    };
    // The error reads both variables, so all predicates matter everywhere; only may transitions lead to it.
    drawing.edges.iter().map(edge).filter(|((_, to), _)| to != "violated").collect()
}

/// The pictures at the last step of a run, for the predicates of a set.
fn pictures(text: &str, chosen: Option<u64>) -> (Scene, Vec<Choice>) {
    let system = run::load(Kind::Gc, text).unwrap_or_else(|d| panic!("{}\n{text}", d[0].message));
    let property = run::property(&system, "").unwrap();
    let options = Options::with(&[("engine".to_owned(), "under".to_owned())]).unwrap();
    let mut run = Run::new(&system, &property, &options).unwrap();
    let mut pictures = Pictures::new(&run, &system);
    let mut sink = Recorder { journal: Journal::new(run.names()) };
    let _ = poll_up_to(&mut run, &mut sink, 2_000, &mut || u64::MAX);
    let index = sink.journal.events.len() - 1;
    let subjects = explain(&sink.journal, index).subjects.in_model(&sink.journal.names);
    let drawn = pictures.scene(&sink.journal, index, &subjects, What::Abstractions(chosen));
    (drawn.scene, drawn.predicates)
}

#[test]
fn may_and_must_transitions_are_those_of_an_enumeration() {
    let mut counted = [0; 2];
    each(0..60, |rng| {
        let commands: Vec<Command> = (0..3 + rng.below(4)).map(|_| Command::random(rng)).collect();
        let start = (0, [rng.range(0, 3), rng.range(0, 3)]);
        let mut predicates: Vec<String> =
            (0..rng.below(3)).map(|_| format!("{} <= {}", VARIABLES[rng.below(2)], rng.below(3))).collect();
        predicates.extend(rng.one_in(2).then(|| "x - y <= 0".to_owned()));
        let lines = commands.iter().map(Command::text);
        let lines = lines.chain(predicates.iter().map(|p| format!("predicate {p}")));
        let lines: String = lines.map(|line| format!("  {line}\n")).collect();
        let [x, y] = start.1;
        let text = format!(
            "system s {{\n  control pc : {{a, b, c}} = a\n  var x : int = {x}\n  var y : int = {y}\n{lines}  error x + y > 99\n}}\n"
        );
        let (_, all) = pictures(&text, Some(0));
        let known = |choice: &&Choice| truth(&choice.text, [0, 0]).is_some() && choice.id.0 < 8;
        let set = all.iter().filter(known).fold(0, |set, choice| set | (rng.bits() & 1) << choice.id.0);
        let (scene, all) = pictures(&text, Some(set));
        let used: Vec<String> = all.iter().filter(|c| c.used).map(|c| c.text.clone()).collect();
        let expected = enumerated(&commands, start, &used);
        let may = drawn(&drawing(&scene, "May abstraction"));
        assert_eq!(may, expected, "{used:?}\n{text}");
        let must = drawn(&drawing(&scene, "Must abstraction"));
        assert!(must.iter().all(|(ends, is_must)| *is_must && expected[ends]), "{text}");
        counted[0] += must.len();
        counted[1] += may.len() - must.len();
    });
    println!("{} must transitions, {} others", counted[0], counted[1]);
    assert!(counted.iter().all(|n| *n > 50), "{counted:?}");
}

/// Figure 5: a refinement can lose states, since others are met first.
#[test]
fn a_refinement_can_lose_states() {
    let path = format!("{}/corpus/gc/lost-states.gc", env!("CARGO_MANIFEST_DIR"));
    let (scene, _) = pictures(&std::fs::read_to_string(path).unwrap(), Some(0));
    let drawing = drawing(&scene, "Concrete states");
    let marked = |mark: Mark| -> Vec<&str> {
        let nodes = drawing.nodes.iter().filter(|node| node.marks.contains(&mark));
        nodes.map(|node| node.title.as_str()).collect()
    };
    assert_eq!(drawing.nodes.len(), 9);
    assert_eq!(marked(Mark::Earlier), ["pc = h, x = 6", "pc = f, x = 6"]);
    assert_eq!(marked(Mark::Later), ["pc = e, x = 7", "pc = h, x = 8"]);
    assert!(marked(Mark::Missed).is_empty());
}

//! The token game in the drawing of a net, against the net itself: markings, enabled transitions, and firing sequences
//! of the reachability graph.

use solver_lite::number::Q;
use veristep_core::draw::clock::{Clock, Delays, Move};
use veristep_core::draw::{self, Pictures, What};
use veristep_core::explain::Subjects;
use veristep_core::kit::{Cx, Fuel, Recorder};
use veristep_core::net::timed::run::Run as TimedRun;
use veristep_core::net::{Marking, Net, TransitionId};
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_core::scene::{Drawing, Mark, Scene, Thing};
use veristep_core::system::{EdgeId, System};
use veristep_tests::nets::net;
use veristep_tests::random::{Rng, each};
use veristep_tests::timed;

fn edge(t: TransitionId) -> EdgeId {
    EdgeId::new(t.index() + 1)
}

/// The marking after some firings from the initial one.
fn after(net: &Net, fired: &[EdgeId]) -> Marking {
    let mut marking = net.initial();
    for t in fired {
        let t = TransitionId::new(t.index() - 1);
        assert!(net.is_enabled(&marking, t));
        net.fire(&mut marking, t).unwrap();
    }
    marking
}

#[test]
fn drawings_are_played_as_nets() {
    let mut refused = 0;
    each(0..400, |rng| {
        let system = run::load(Kind::Pn, &net(rng)).unwrap();
        let net = system.net.clone().unwrap();
        let drawing = draw::model(&system);
        let mut fired = Vec::new();
        for _ in 0..8 {
            let (marking, played) = (after(&net, &fired), draw::played(&drawing, &fired));
            assert_eq!(draw::marking(&played), net.marking_text(&marking));
            let impossible: Vec<EdgeId> = fired.iter().copied().chain([EdgeId(0)]).collect();
            assert_eq!(draw::possible(&drawing, &impossible), fired.len());
            assert!(
                draw::is_same_net(&drawing, &played) == (draw::marking(&drawing) == draw::marking(&played))
            );
            let enabled: Vec<EdgeId> = net.enabled(&marking).map(edge).collect();
            assert_eq!(draw::enabled(&played), enabled);
            for t in net.transition_ids().map(edge) {
                let why = draw::why_disabled(&played, t);
                assert_eq!(why.is_none(), enabled.contains(&t), "{why:?}");
                refused += usize::from(why.is_some());
            }
            if enabled.is_empty() {
                break;
            }
            fired.push(*rng.pick(&enabled));
        }
    });
    assert!(refused > 1_000, "{refused}");
}

#[test]
fn what_disables_a_transition_is_stated() {
    let text = "net a { place p = 1 place q = 3 transition t: 2 p -> q transition u: -> p unless 2 q }";
    let drawing = draw::model(&run::load(Kind::Pn, text).unwrap());
    let why = |t: u32| draw::why_disabled(&drawing, EdgeId(t)).unwrap();
    assert_eq!(why(1), "t is not enabled: p has 1 of 2 tokens");
    assert_eq!(draw::transition_name(&drawing, EdgeId(1)), Some("t"));
    assert_eq!(draw::transition_name(&drawing, EdgeId(0)), None);
    assert_eq!(why(2), "u is not enabled: q has 3 tokens, and must have fewer than 2 (inhibitor arc)");
}

/// The reachability graph of a net, as it is drawn.
fn markings(system: &System) -> Scene {
    let property = run::property(system, "deadlock-free").unwrap();
    let mut run =
        Run::new(system, &property, &Options { method: Method::Explicit, ..Options::default() }).unwrap();
    let mut recorder = Recorder::default();
    recorder.journal.names = run.names();
    while recorder.journal.events.is_empty() {
        let _ = run.poll(&mut Cx { fuel: &mut Fuel::new(1), sink: &mut recorder });
    }
    let mut pictures = Pictures::new(&run, system);
    pictures.scene(&recorder.journal, 0, &Subjects::default(), What::Markings).scene
}

#[test]
fn every_marking_is_reached_by_the_firings_of_the_reachability_graph() {
    let (mut played, mut none) = (0, 0);
    each(0..150, |rng| {
        let system = run::load(Kind::Pn, &net(rng)).unwrap();
        let net = system.net.clone().unwrap();
        let scene = markings(&system);
        let Some((_, drawing)) = scene.drawings().next() else { return };
        let title = |drawing: &Drawing, number: u32| {
            let node = drawing.nodes.iter().find(|node| node.about.contains(&Thing::Marking(number)));
            node.map(|node| node.title.trim_end_matches(", dead").to_owned())
        };
        let start = net.marking_text(&net.initial());
        for number in (0..).take_while(|number| title(drawing, *number).is_some()) {
            let text = title(drawing, number).unwrap();
            let fired = draw::firings(drawing, &start, number).expect("it is reachable");
            assert_eq!(net.marking_text(&after(&net, &fired)), text);
            let marked = draw::with_marking(&scene, &text);
            let (_, marked) = marked.drawings().next().unwrap();
            let current: Vec<&str> =
                marked.nodes.iter().filter(|n| n.is(Mark::Current)).map(|n| &*n.key).collect();
            assert_eq!(current, [format!("m{number}")]);
            // From there it is not always possible to go back.
            none += usize::from(draw::firings(drawing, &text, 0).is_none());
            played += 1;
        }
    });
    assert!(played > 500 && none > 100, "{played} {none}");
}

/// The game of a time net against its runs: every part of the time that may pass is tried, one after the other.
#[test]
fn time_nets_are_played_by_their_runs() {
    let (mut fired, mut later, mut refused) = (0, 0, 0);
    each(0..300, |rng| {
        let of_places = rng.one_in(2);
        let system = run::load(Kind::Pn, &timed::net(rng, of_places)).unwrap();
        let (Some(net), Some(clocks)) = (system.net.clone(), system.clocks.clone()) else { return };
        let drawing = draw::model(&system);
        let clock = Clock::of(&drawing, &Delays::of(&net)).unwrap();
        let (mut moves, mut run): (Vec<Move>, _) = (Vec::new(), TimedRun::<Q>::new(&net, &clocks));
        for _ in 0..8 {
            assert_eq!(clock.possible(&moves), moves.len());
            let position = clock.position(&drawing, &moves, 0);
            assert_eq!(draw::marking(&position.drawing), net.marking_text(run.marking()));
            // A second token ends the game of a net with delays of places.
            let ready: Vec<EdgeId> = run.ready().filter(|t| run.clone().fire(*t).is_ok()).map(edge).collect();
            assert_eq!(draw::enabled(&position.drawing), ready);
            for t in net.transition_ids() {
                let why = clock.why_not(&position.drawing, &moves, 0, edge(t));
                assert_eq!(why.is_none(), run.clone().fire(t).is_ok(), "{why:?}");
                refused += usize::from(why.is_some());
            }
            let mut next: Vec<(u32, EdgeId)> = Vec::new();
            for wait in 0..=position.wait.1 {
                let mut then = run.clone();
                assert!(then.wait(&Q::ratio(i64::from(wait), 10)), "the clock moves as far as time may pass");
                for t in then.ready().filter(|t| then.clone().fire(*t).is_ok()).map(edge) {
                    if next.iter().all(|(_, other)| *other != t) {
                        next.push((wait, t));
                    }
                }
            }
            let mut too_long = run.clone();
            let is_too_long = !too_long.wait(&Q::ratio(i64::from(position.wait.1) + 1, 10));
            assert!(is_too_long || run.longest().is_none(), "it moves no farther");
            assert_eq!(position.next, next);
            later += next.iter().filter(|(wait, _)| *wait > 0).count();
            let part = |rng: &mut Rng| rng.below(1_000) as f64 / 1_000.0;
            let (chosen, late) = (part(rng), part(rng));
            let Some((wait, t)) = clock.random(&moves, 0, chosen, late) else {
                assert!(next.is_empty());
                break;
            };
            assert!(run.wait(&Q::ratio(i64::from(wait), 10)));
            assert_eq!(run.fire(TransitionId::new(t.index() - 1)), Ok(()));
            moves.push(Move { wait, fired: vec![t] });
            fired += 1;
        }
    });
    assert!(fired > 500 && later > 200 && refused > 1_000, "{fired} {later} {refused}");
}

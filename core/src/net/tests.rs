//! The search on packed markings against the firing rule.

use std::collections::HashMap;

use super::explore::{Explorer, Keep};
use super::symbolic::Diagram;
use super::*;
use crate::generate::nets::{self, RandomNet};

/// The reachable markings by the firing rule alone, up to a limit.
pub(crate) fn reachable(net: &Net, limit: usize) -> Option<Vec<Marking>> {
    let mut found = vec![net.initial()];
    let mut known: HashMap<Marking, ()> = found.iter().map(|m| (m.clone(), ())).collect();
    let mut at = 0;
    while at < found.len() {
        let from = found[at].clone();
        for t in net.enabled(&from) {
            let mut to = from.clone();
            net.fire(&mut to, t).ok()?;
            if known.insert(to.clone(), ()).is_none() {
                found.push(to);
            }
        }
        at += 1;
        if found.len() > limit {
            return None;
        }
    }
    Some(found)
}

fn explored(net: &Net) -> Explorer {
    let mut explorer = Explorer::new(net, &vec![1; net.places.len()], Keep::Markings);
    while !explorer.run(net, 1_000_000, 1_000).expect("few markings") {}
    explorer
}

#[test]
fn families_have_their_known_numbers_of_markings() {
    // The companion Pell numbers.
    for (n, markings) in [(1, 2), (2, 6), (3, 14), (5, 82), (8, 1154)] {
        assert_eq!(explored(&nets::philosophers(n, false)).len(), markings);
    }
    // The numbers that the paper of the kanban system gives.
    for (n, markings) in [(1, 160), (2, 4_600), (3, 58_400)] {
        assert_eq!(explored(&nets::kanban(n)).len(), markings);
    }
    assert_eq!(explored(&nets::exclusion(4, false)).len(), 5);
    assert_eq!(explored(&nets::exclusion(4, true)).len(), 6);
    assert_eq!(explored(&nets::producers(2)).len(), 2 * 2 * 3 * 3);
    assert_eq!(explored(&nets::workflow(3)).len(), 1 + 27 + 1);
}

#[test]
fn dead_markings_have_paths() {
    let net = nets::philosophers(4, false);
    let explorer = explored(&net);
    assert_eq!(explorer.dead().len(), 1);
    let path = explorer.path(&net, explorer.dead()[0] as usize);
    let mut marking = net.initial();
    for t in path {
        net.fire(&mut marking, t).unwrap();
    }
    assert_eq!(net.marking_text(&marking), "wait1 + wait2 + wait3 + wait4");
    assert!(explored(&nets::philosophers(4, true)).dead().is_empty());
}

#[test]
fn packed_search_finds_what_the_firing_rule_finds() {
    let mut compared = 0;
    for seed in 0..600 {
        let number = |shift: u32| u32::try_from(seed >> shift & 7).unwrap();
        let size = RandomNet {
            places: 1 + 5 * number(0),
            transitions: 1 + number(3),
            inhibitors: seed % 3 == 0,
            most: [1, 2, 5, 300][usize::try_from(seed % 4).unwrap()],
        };
        let net = nets::random(size, seed);
        let Some(markings) = reachable(&net, 3_000) else { continue };
        let explorer = explored(&net);
        let found: Vec<Marking> = (0..explorer.len()).map(|i| explorer.marking(i)).collect();
        assert_eq!(found, markings, "seed {seed}");
        let dead = |m: &&Marking| net.enabled(m).next().is_none();
        assert_eq!(explorer.dead().len(), markings.iter().filter(dead).count());
        compared += 1;
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn a_word_of_ones_is_stored() {
    let mut store = store::Store::new(1, true);
    for (word, expected) in [(u64::MAX, store::Inserted::New(0)), (7, store::Inserted::New(1))] {
        assert_eq!(store.insert_words(&[word]), Ok(expected));
    }
    assert_eq!(store.insert_words(&[u64::MAX]), Ok(store::Inserted::Known(Some(0))));
    for word in 0..5_000 {
        store.insert_words(&[word]).unwrap();
    }
    let mut tree = store::Tree::default();
    store.read(0, &mut tree);
    assert_eq!((tree.words.as_slice(), store.len()), (&[u64::MAX][..], 5_001));
}

#[test]
fn diagrams_contain_the_reachable_markings() {
    let mut compared = 0;
    for seed in 0..400_u64 {
        let number = |shift: u32| u32::try_from(seed >> shift & 7).unwrap();
        let size = RandomNet {
            places: 1 + 2 * number(0),
            transitions: 1 + number(3),
            inhibitors: seed % 3 == 0,
            most: [1, 2, 5][usize::try_from(seed % 3).unwrap()],
        };
        let net = nets::random(size, seed);
        let Some(markings) = reachable(&net, 2_000) else { continue };
        let mut diagram = Diagram::of(&net, 1_000_000).unwrap();
        assert_eq!(diagram.markings(), Some(markings.len() as u128), "seed {seed}");
        let dead = markings.iter().filter(|m| net.enabled(m).next().is_none()).count();
        assert_eq!(diagram.dead(&net), Ok(Some(dead as u128)), "seed {seed}");
        let most = |p: PlaceId| markings.iter().map(|m| m[p.index()]).max().unwrap();
        assert_eq!(diagram.bounds(), net.place_ids().map(most).collect::<Vec<_>>(), "seed {seed}");
        compared += 1;
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn diagrams_count_what_cannot_be_listed() {
    let mut diagram = Diagram::of(&nets::philosophers(60, false), 1_000_000).unwrap();
    // The companion Pell number of 60.
    let (mut a, mut b) = (2_u128, 2_u128);
    for _ in 1..60 {
        (a, b) = (b, 2 * b + a);
    }
    assert_eq!(diagram.markings(), Some(b));
    assert_eq!(diagram.dead(&nets::philosophers(60, false)), Ok(Some(1)));
    assert_eq!(Diagram::of(&nets::kanban(4), 1_000_000).unwrap().markings(), Some(454_475));
    let mut unbounded = Net::default();
    let p = unbounded.add_place("p", 0);
    unbounded.add_transition("t", &[], &[(p, 1)]);
    assert!(Diagram::of(&unbounded, 1_000_000).is_err());
}

/// A net is unbounded if and only if some firings can be repeated with more tokens each time.
#[test]
fn pumps_prove_that_nets_are_unbounded() {
    for (text, expected) in [
        ("net a { place p = 1 transition t: p -> 2 p }", Some((0, 1))),
        ("net a { place p = 2 place q transition t: p -> q transition u: q -> q + q }", Some((1, 1))),
        ("net a { place p = 2 place q transition t: p -> q transition u: q -> p }", None),
        ("net a { place p transition t: -> p unless p }", None),
    ] {
        let net = crate::formats::pn::parse(text).unwrap();
        let pump = crate::net::coverability::Tree::pump(&net, 1_000);
        assert_eq!(pump.map(|pump| (pump.stem.len(), pump.cycle.len())), expected, "{text}");
    }
}

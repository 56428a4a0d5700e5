//! Round trips, all kinds of damage, and steps found again.

use super::*;
use crate::kit::{Event, NodeId};
use crate::methods::cegar;

fn sample() -> Link {
    Link {
        kind: "cfa".into(),
        text: "main process p {\n  var x : int\n  init loc A\n  error loc E\n  A -> E { assume x > 0 }\n}\n"
            .repeat(3),
        property: "x <= 1".into(),
        options: vec![("steps".into(), "1000".into())],
        cursor: Some(Cursor { index: 7, iteration: 2, role: Some(Role::Interpolate), nth: 1, hash: 99 }),
        view: vec![("tab".into(), "path".into())],
        verdict: "holds".into(),
        trace: vec![1, 2, 3],
    }
}

/// A small pseudo-random generator.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }
}

#[test]
fn a_link_comes_back_whole() {
    let opened = Link::decode(&sample().encode()).expect("readable");
    assert_eq!(opened, Opened { link: sample(), lost: vec![], intact: true });
}

#[test]
fn a_cut_link_gives_the_beginning_of_the_model() {
    let mut dice = Dice(5);
    let mut link = sample();
    link.text =
        (0..200).map(|i| format!("L{i} -> L{} {{ x := x + {} }}\n", i + 1, dice.roll(90_000))).collect();
    let fragment = link.encode();
    let opened = Link::decode(&fragment[..fragment.len() / 2]).expect("partly readable");
    assert!(!opened.intact);
    assert!(opened.lost.contains(&"the step") && opened.lost.contains(&"the end of the model"));
    assert!(opened.link.text.len() > 500 && link.text.starts_with(&opened.link.text));
}

#[test]
fn other_versions_and_giants_are_refused() {
    assert_eq!(Link::decode("#Zabc"), Err(Broken::Version('Z')));
    assert_eq!(Link::decode("#"), Err(Broken::Unreadable));
    assert_eq!(Link::decode("#1"), Err(Broken::Unreadable));
    let giant = format!("#1{}", "A".repeat(MAX_FRAGMENT));
    assert_eq!(Link::decode(&giant), Err(Broken::TooLong(MAX_FRAGMENT)));
    let bomb = Link { text: " ".repeat(20 * MAX_CONTENT), ..Link::default() }.encode();
    assert!(bomb.len() < MAX_FRAGMENT, "the bomb is small");
    let opened = Link::decode(&bomb).expect("its beginning");
    assert!(!opened.intact && opened.link.text.len() <= MAX_CONTENT);
}

#[test]
fn no_fragment_panics() {
    let good: Vec<char> = sample().encode().chars().collect();
    let alphabet: Vec<char> = "ABab01-_=%#é\u{1F600}\0 ".chars().collect();
    let mut dice = Dice(0x9E37_79B9);
    for round in 0..20_000 {
        let mut text = if round % 2 == 0 { good.clone() } else { vec!['#', '1'] };
        for _ in 0..=dice.roll(12) {
            let c = alphabet[dice.roll(alphabet.len())];
            match dice.roll(4) {
                0 => text.truncate(dice.roll(text.len() + 1)),
                1 => text.push(c),
                2 if !text.is_empty() => {
                    let at = dice.roll(text.len());
                    text[at] = c;
                }
                _ => text.insert(dice.roll(text.len() + 1), c),
            }
        }
        let _ = Link::decode(&text.into_iter().collect::<String>());
    }
}

#[test]
fn a_changed_character_is_noticed() {
    let good = sample().encode();
    for at in 2..good.len() {
        let old = good.as_bytes()[at];
        let new = if old == b'A' { 'B' } else { 'A' };
        let changed = format!("{}{new}{}", &good[..at], &good[at + 1..]);
        if let Ok(opened) = Link::decode(&changed) {
            assert!(!opened.intact || opened.link == sample(), "position {at}");
        }
    }
}

fn journal(events: Vec<Event>) -> Journal {
    Journal { events, ..Journal::default() }
}

fn run(expanded: u32) -> Journal {
    let mut events = vec![];
    for iteration in 1..=2 {
        events.push(Event::IterationStarted { iteration });
        events.extend((0..expanded).map(|n| Event::Cegar(cegar::Event::NodeExpanded { node: NodeId(n) })));
        events.push(Event::Cegar(cegar::Event::Pruned { node: NodeId(0) }));
    }
    journal(events)
}

#[test]
fn the_same_run_gives_the_exact_step() {
    let journal = run(3);
    for index in 0..=journal.events.len() {
        assert_eq!(find(&Cursor::at(&journal, index), &journal, true), Place::Exact(index));
    }
}

#[test]
fn another_run_gives_the_nearest_step() {
    let (old, new) = (run(3), run(5));
    // The pruning of the second iteration is the last event in both.
    let cursor = Cursor::at(&old, old.events.len());
    assert_eq!(find(&cursor, &new, true), Place::Nearest(new.events.len()));
    assert_eq!(find(&cursor, &journal(new.events[..4].to_vec()), false), Place::NotYet);
    assert_eq!(find(&cursor, &journal(vec![]), true), Place::Nearest(0));
}

#[test]
fn what_is_kept_may_be_longer_than_a_link() {
    let line = |n: u32| format!("    loc l{n} // {}\n", n.wrapping_mul(2_654_435_761));
    let link = Link { kind: "cfa".to_owned(), text: (0..60_000).map(line).collect(), ..Link::default() };
    assert!(link.text.len() > MAX_CONTENT);
    let kept = link.encode();
    assert!(Link::decode(&kept).is_err());
    let opened = Link::unpack(&kept).expect("it can be read");
    assert!(opened.intact && opened.link == link);
}

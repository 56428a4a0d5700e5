//! Where the arrow keys lead: by event, by phase, by iteration.

use veristep_core::kit::{Event, Phase};

/// A way to go along the journal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// To the next event.
    Forward(Grain),
    /// To the one before.
    Back(Grain),
    /// Before the first event.
    Start,
    /// After the last.
    End,
    /// To this step.
    To(usize),
}

/// How far one step goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Grain {
    /// One event.
    #[default]
    Event,
    /// To the end of a phase.
    Phase,
    /// To the end of an iteration.
    Iteration,
}

/// What changes between two groups of events of this grain.
fn ends(events: &[Event], at: usize, grain: Grain) -> bool {
    let (Some(last), Some(next)) = (events.get(at.wrapping_sub(1)), events.get(at)) else { return true };
    let starts = matches!(next, Event::IterationStarted { .. });
    match grain {
        Grain::Event => true,
        Grain::Phase => starts || (next.phase() != last.phase() && !matches!(last, Event::IterationStarted { .. })),
        Grain::Iteration => starts,
    }
}

/// The cursor after a move, for a journal with these events.
#[must_use]
pub fn target(events: &[Event], cursor: usize, way: Move) -> usize {
    let end = events.len();
    match way {
        Move::Start => 0,
        Move::End => end,
        Move::To(index) => index.min(end),
        Move::Forward(grain) => {
            (cursor + 1..=end).find(|at| *at == end || ends(events, *at, grain)).unwrap_or(end)
        }
        Move::Back(grain) => (0..cursor.min(end + 1)).rev().find(|at| *at == 0 || ends(events, *at, grain)).unwrap_or(0),
    }
}

/// A stretch of events of one phase, for the timeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stretch {
    /// Its first event.
    pub start: usize,
    /// One past its last.
    pub end: usize,
    /// Its phase.
    pub phase: Phase,
}

/// The stretches of a journal, in order; the start of an iteration belongs to its abstraction.
#[must_use]
pub fn stretches(events: &[Event]) -> Vec<Stretch> {
    let mut all: Vec<Stretch> = Vec::new();
    for (i, event) in events.iter().enumerate() {
        let phase = event.phase().unwrap_or(Phase::Abstract);
        match all.last_mut() {
            Some(last) if last.phase == phase && event.phase().is_some() => last.end = i + 1,
            _ => all.push(Stretch { start: i, end: i + 1, phase }),
        }
    }
    all
}

/// The steps at which iterations begin.
#[must_use]
pub fn iteration_starts(events: &[Event]) -> Vec<usize> {
    let starts = events.iter().enumerate().filter(|(_, e)| matches!(e, Event::IterationStarted { .. }));
    starts.map(|(i, _)| i).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use veristep_core::kit::NodeId;

    fn run() -> Vec<Event> {
        let node = NodeId(0);
        let once = |iteration| {
            [
                Event::IterationStarted { iteration },
                Event::NodeSelected { node },
                Event::NodeExpanded { node },
                Event::CexFound { node, length: 1 },
                Event::PathInfeasible { steps: 1 },
                Event::Pruned { node },
            ]
        };
        [once(1), once(2)].concat()
    }

    fn walk(way: Move, from: usize) -> Vec<usize> {
        let events = run();
        let mut at = vec![from];
        for _ in 0..20 {
            let next = target(&events, *at.last().expect("one"), way);
            if Some(&next) == at.last() {
                break;
            }
            at.push(next);
        }
        at
    }

    #[test]
    fn forward_and_back_meet_the_same_steps() {
        for grain in [Grain::Event, Grain::Phase, Grain::Iteration] {
            let mut back = walk(Move::Back(grain), 12);
            back.reverse();
            assert_eq!(walk(Move::Forward(grain), 0), back);
        }
        assert_eq!(walk(Move::Forward(Grain::Phase), 0), [0, 3, 4, 5, 6, 9, 10, 11, 12]);
        assert_eq!(walk(Move::Forward(Grain::Iteration), 0), [0, 6, 12]);
    }

    #[test]
    fn moves_stay_inside() {
        assert_eq!(target(&[], 0, Move::Forward(Grain::Phase)), 0);
        assert_eq!(target(&[], 5, Move::Back(Grain::Event)), 0);
        assert_eq!(target(&run(), 3, Move::To(99)), 12);
    }

    #[test]
    fn stretches_cover_the_run() {
        let all = stretches(&run());
        assert_eq!((all[0].start, all.last().map(|s| s.end)), (0, Some(12)));
        assert!(all.windows(2).all(|w| w[0].end == w[1].start));
        assert_eq!(iteration_starts(&run()), [0, 6]);
    }
}

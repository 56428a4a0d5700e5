//! The timeline: where phases and iterations begin, and steps by event, phase or iteration.
//!
//! A phase is a maximal run of events of the same phase inside an iteration. The event that starts an iteration
//! belongs to the phase that follows it.

use crate::kit::{Event, Journal, Phase, Role};

/// The beginning of a phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PhaseMark {
    /// The number of its first event.
    pub start: usize,
    /// The phase; none where an iteration has no events yet.
    pub phase: Option<Phase>,
    /// The iteration it belongs to, from 1; 0 before the first.
    pub iteration: u32,
    /// Whether it is the first phase of its iteration.
    pub first: bool,
}

impl PhaseMark {
    /// The role of the phase; an iteration without events begins with exploration.
    #[must_use]
    pub fn role(&self) -> Role {
        self.phase.map_or(Role::Abstract, Phase::role)
    }
}

/// The granularity of a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Granularity {
    /// To the next event.
    Event,
    /// To the next beginning of a phase.
    Phase,
    /// To the next beginning of an iteration.
    Iteration,
}

/// The direction of a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Towards the start.
    Back,
    /// Towards the end.
    Forward,
}

/// The phases of a journal that grows.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    marks: Vec<PhaseMark>,
    iteration: u32,
    /// Where the current iteration began, as long as it has no phase.
    begun: Option<usize>,
    /// The number of events that were read.
    read: usize,
}

impl Timeline {
    /// Reads the events that were added since the last call.
    pub fn read(&mut self, journal: &Journal) {
        for (index, event) in journal.events.iter().enumerate().skip(self.read) {
            if let Event::IterationStarted { iteration } = event {
                self.marks.extend(self.without_events());
                self.iteration = *iteration;
                self.begun = Some(index);
            } else if let Some(phase) = event.phase() {
                let first = self.begun.is_some();
                if first || self.marks.last().is_none_or(|mark| mark.phase != Some(phase)) {
                    let start = self.begun.take().unwrap_or(index);
                    let (phase, iteration) = (Some(phase), self.iteration);
                    self.marks.push(PhaseMark { start, phase, iteration, first });
                }
            }
        }
        self.read = journal.events.len();
    }

    /// All phases, in order.
    #[must_use]
    pub fn marks(&self) -> Vec<PhaseMark> {
        self.marks.iter().copied().chain(self.without_events()).collect()
    }

    /// The current iteration, if it has no events yet.
    fn without_events(&self) -> Option<PhaseMark> {
        self.begun.map(|start| PhaseMark { start, phase: None, iteration: self.iteration, first: true })
    }
}

/// All phases of a run, in order.
#[must_use]
pub fn summary(journal: &Journal) -> Vec<PhaseMark> {
    let mut timeline = Timeline::default();
    timeline.read(journal);
    timeline.marks()
}

/// The position one step away in a run of so many events with these phases. A position is a number of events applied,
/// from 0 to the length of the run; the steps of a granularity go through the beginnings of its units and both ends,
/// and back undoes forward there.
#[must_use]
pub fn step(
    (marks, end): (&[PhaseMark], usize),
    index: usize,
    granularity: Granularity,
    direction: Direction,
) -> usize {
    let index = index.min(end);
    if granularity == Granularity::Event {
        return match direction {
            Direction::Back => index.saturating_sub(1),
            Direction::Forward => (index + 1).min(end),
        };
    }
    let wanted = |mark: &&PhaseMark| granularity == Granularity::Phase || mark.first;
    let mut stops = marks.iter().filter(wanted).map(|mark| mark.start);
    match direction {
        Direction::Forward => stops.find(|stop| *stop > index).unwrap_or(end),
        Direction::Back => stops.take_while(|stop| *stop < index).last().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::example;

    const UNITS: [Granularity; 3] = [Granularity::Event, Granularity::Phase, Granularity::Iteration];

    fn step(journal: &Journal, index: usize, unit: Granularity, direction: Direction) -> usize {
        super::step((&summary(journal), journal.events.len()), index, unit, direction)
    }

    fn stops(journal: &Journal, unit: Granularity) -> Vec<usize> {
        let mut stops = vec![0];
        loop {
            let last = *stops.last().unwrap_or(&0);
            let next = step(journal, last, unit, Direction::Forward);
            if next == last {
                return stops;
            }
            stops.push(next);
        }
    }

    #[test]
    fn marks_tile_the_run() {
        let journal = example::every_event();
        let marks = summary(&journal);
        assert_eq!(marks[0].start, 0);
        assert!(marks.windows(2).all(|pair| pair[0].start < pair[1].start));
        assert!(marks.windows(2).all(|pair| pair[1].first || pair[0].phase != pair[1].phase));
        assert!(
            marks.windows(2).all(|pair| pair[1].iteration == pair[0].iteration + u32::from(pair[1].first))
        );
        for mark in &marks {
            let event = &journal.events[mark.start];
            assert_eq!(mark.first, matches!(event, Event::IterationStarted { .. }));
            assert_eq!(event.phase().or(mark.phase), mark.phase);
        }
    }

    /// The phases are the same, however the journal grew.
    #[test]
    fn a_growing_journal_is_read_once() {
        let whole = example::every_event();
        for part in [1, 3, 7] {
            let (mut timeline, mut journal) = (Timeline::default(), Journal::default());
            for events in whole.events.chunks(part) {
                journal.events.extend(events);
                timeline.read(&journal);
                assert_eq!(timeline.marks(), summary(&journal));
            }
        }
    }

    #[test]
    fn an_iteration_without_events_is_a_mark() {
        let events = (1..=2).map(|iteration| Event::IterationStarted { iteration }).collect();
        let journal = Journal { events, ..Journal::default() };
        let starts: Vec<_> = summary(&journal).iter().map(|mark| (mark.start, mark.iteration)).collect();
        assert_eq!(starts, [(0, 1), (1, 2)]);
        assert!(summary(&Journal::default()).is_empty());
    }

    #[test]
    fn back_undoes_forward_on_the_stops() {
        let journal = example::every_event();
        for unit in UNITS {
            let stops = stops(&journal, unit);
            assert_eq!(stops.last(), Some(&journal.events.len()));
            for pair in stops.windows(2) {
                assert_eq!(step(&journal, pair[1], unit, Direction::Back), pair[0], "{unit:?}");
            }
            assert_eq!(step(&journal, 0, unit, Direction::Back), 0);
            assert_eq!(step(&journal, usize::MAX, unit, Direction::Forward), journal.events.len());
        }
    }

    #[test]
    fn between_stops_one_lands_on_the_neighbours() {
        let journal = example::every_event();
        for unit in UNITS {
            let stops = stops(&journal, unit);
            for index in 0..=journal.events.len() {
                let forward = step(&journal, index, unit, Direction::Forward);
                let back = step(&journal, index, unit, Direction::Back);
                assert!(stops.contains(&forward) && stops.contains(&back), "{unit:?} {index}");
                assert!(back <= index && index <= forward);
            }
        }
    }
}

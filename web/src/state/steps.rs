//! Navigation by the arrow keys. The stops are those of [`veristep_core::explain`].

use veristep_core::explain::{Direction, Granularity, step};
use veristep_core::kit::Journal;

/// A movement along the journal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// To the next stop.
    Forward(Granularity),
    /// To the one before.
    Back(Granularity),
    /// Before the first event.
    Start,
    /// After the last.
    End,
    /// To this step.
    To(usize),
}

/// The cursor after a move.
#[must_use]
pub fn target(journal: &Journal, cursor: usize, way: Move) -> usize {
    let end = journal.events.len();
    match way {
        Move::Start => 0,
        Move::End => end,
        Move::To(index) => index.min(end),
        Move::Forward(grain) => step(journal, cursor, grain, Direction::Forward),
        Move::Back(grain) => step(journal, cursor, grain, Direction::Back),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_stay_inside() {
        let journal = Journal::default();
        assert_eq!(target(&journal, 0, Move::Forward(Granularity::Phase)), 0);
        assert_eq!(target(&journal, 5, Move::Back(Granularity::Event)), 0);
        assert_eq!(target(&journal, 3, Move::To(99)), 0);
    }
}

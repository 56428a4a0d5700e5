//! Navigation by the arrow keys. The stops are those of [`veristep_core::explain`].

use veristep_core::explain::{Direction, Granularity, PhaseMark, step};

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

/// The cursor after a move in a run with these phases and so many events.
#[must_use]
pub fn target((marks, end): (&[PhaseMark], usize), cursor: usize, way: Move) -> usize {
    match way {
        Move::Start => 0,
        Move::End => end,
        Move::To(index) => index.min(end),
        Move::Forward(grain) => step((marks, end), cursor, grain, Direction::Forward),
        Move::Back(grain) => step((marks, end), cursor, grain, Direction::Back),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_stay_inside() {
        assert_eq!(target((&[], 0), 0, Move::Forward(Granularity::Phase)), 0);
        assert_eq!(target((&[], 0), 5, Move::Back(Granularity::Event)), 0);
        assert_eq!(target((&[], 0), 3, Move::To(99)), 0);
    }
}

//! All views at one step, folded up to the cursor.

use veristep_core::kit::{Event, Journal, View};
use veristep_core::views::{ArgView, CexView, PrecisionView, ProgressView};

/// All views of one prefix of a journal.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Frame {
    /// The number of folded events.
    pub cursor: usize,
    /// The graph.
    pub arg: ArgView,
    /// The counterexample.
    pub cex: CexView,
    /// The predicates.
    pub precision: PrecisionView,
    /// Phase and counts.
    pub progress: ProgressView,
    /// The last event.
    pub last: Option<Event>,
}

impl Frame {
    /// The frame of another step of the same journal. Forward, only the new events are applied.
    #[must_use]
    pub fn moved(&self, journal: &Journal, to: usize) -> Frame {
        let to = to.min(journal.events.len());
        let mut frame = if to >= self.cursor { self.clone() } else { Frame::default() };
        for event in &journal.events[frame.cursor..to] {
            frame.arg.apply(event, journal);
            frame.cex.apply(event, journal);
            frame.precision.apply(event, journal);
            frame.progress.apply(event, journal);
            frame.last = Some(*event);
        }
        frame.cursor = to;
        frame
    }
}

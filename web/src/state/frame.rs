//! All views at one step, folded up to the cursor.

use std::ops::Deref;
use std::rc::Rc;

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

/// A shared frame. Frames are compared by identity: comparing their contents takes longer than drawing them.
#[derive(Clone, Debug, Default)]
pub struct FrameRef(Rc<Frame>);

impl Deref for FrameRef {
    type Target = Frame;

    fn deref(&self) -> &Frame {
        &self.0
    }
}

impl PartialEq for FrameRef {
    fn eq(&self, other: &FrameRef) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Frame {
    /// Is it before a run, or the end of one with a verdict?
    #[must_use]
    pub fn at_rest(&self) -> bool {
        matches!(self.last, None | Some(Event::Decided { .. }))
    }

    fn apply(&mut self, event: Event, journal: &Journal) {
        self.arg.apply(&event, journal);
        self.cex.apply(&event, journal);
        self.precision.apply(&event, journal);
        self.progress.apply(&event, journal);
        self.last = Some(event);
        self.cursor += 1;
    }
}

/// The greatest number of keyframes, and the events between two of them at first.
const MOST: usize = 24;
const SPACING: usize = 512;

/// Frames of a journal at regular distances, from which those in between are folded: going back takes as long as going
/// forward. When there are too many, every other one is dropped.
#[derive(Clone, Debug)]
pub(super) struct Keyframes {
    /// In the order of their cursors.
    frames: Vec<FrameRef>,
    spacing: usize,
}

impl Default for Keyframes {
    fn default() -> Keyframes {
        Keyframes { frames: Vec::new(), spacing: SPACING }
    }
}

impl Keyframes {
    /// The frame of a step of the journal; `near` is a frame of it, too.
    pub(super) fn frame(&mut self, near: &FrameRef, journal: &Journal, to: usize) -> FrameRef {
        let to = to.min(journal.events.len());
        let known = self.frames.iter().chain([near]).filter(|frame| frame.cursor <= to);
        let start = known.max_by_key(|frame| frame.cursor).cloned().unwrap_or_default();
        if start.cursor == to {
            return start;
        }
        let mut frame = Frame::clone(&start);
        while frame.cursor < to {
            frame.apply(journal.events[frame.cursor], journal);
            let last = self.frames.last().map_or(0, |frame| frame.cursor);
            if frame.cursor >= last + self.spacing {
                self.keep(&frame);
            }
        }
        FrameRef(Rc::new(frame))
    }

    fn keep(&mut self, frame: &Frame) {
        self.frames.push(FrameRef(Rc::new(frame.clone())));
        if self.frames.len() > MOST {
            let mut number = 0;
            self.frames.retain(|_| {
                number += 1;
                number % 2 == 0
            });
            self.spacing *= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every frame is the fold of its prefix, in whatever order they are asked for.
    #[test]
    fn frames_are_folds_of_prefixes() {
        let events = (0..40_000).map(|n| Event::IterationStarted { iteration: n + 1 }).collect();
        let journal = Journal { events, ..Journal::default() };
        let mut keyframes = Keyframes::default();
        let mut near = FrameRef::default();
        let mut to = 1;
        for _ in 0..60 {
            near = keyframes.frame(&near, &journal, to);
            let mut fold = Frame::default();
            journal.events[..near.cursor].iter().for_each(|event| fold.apply(*event, &journal));
            assert_eq!((near.cursor, &*near), (to.min(40_000), &fold));
            assert!(keyframes.frames.len() <= MOST);
            to = (to * 7919 + 13) % 41_000;
        }
    }
}

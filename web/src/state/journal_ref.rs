//! A growing journal shared by many components.

use std::cell::{Ref, RefCell};
use std::rc::Rc;

use veristep_core::explain::{PhaseMark, Timeline};
use veristep_core::kit::{Journal, Names};

use crate::protocol::{Delta, unpack};
use crate::state::frame::{FrameRef, Keyframes};

/// The phases of the journal, as far as it was read.
#[derive(Debug, Default)]
struct Phases {
    timeline: Timeline,
    marks: Rc<Vec<PhaseMark>>,
    length: usize,
}

/// A shared journal. Two of them are equal if they are the same journal at the same length, so that a
/// component is drawn again only after a change.
#[derive(Clone, Debug)]
pub struct JournalRef {
    shared: Rc<RefCell<Journal>>,
    /// Its parts, as received.
    parts: Rc<RefCell<Vec<Vec<u8>>>>,
    keyframes: Rc<RefCell<Keyframes>>,
    phases: Rc<RefCell<Phases>>,
    length: usize,
}

impl JournalRef {
    /// An empty journal.
    #[must_use]
    pub fn new(names: Names) -> JournalRef {
        JournalRef {
            shared: Rc::new(RefCell::new(Journal::new(names))),
            parts: Rc::default(),
            keyframes: Rc::default(),
            phases: Rc::default(),
            length: 0,
        }
    }

    /// The number of events when this reference was created.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// The journal.
    #[must_use]
    pub fn get(&self) -> Ref<'_, Journal> {
        self.shared.borrow()
    }

    /// The views after some events; `near` is a frame of this journal, too.
    #[must_use]
    pub fn frame(&self, near: &FrameRef, to: usize) -> FrameRef {
        self.keyframes.borrow_mut().frame(near, &self.get(), to)
    }

    /// Its phases.
    #[must_use]
    pub fn marks(&self) -> Rc<Vec<PhaseMark>> {
        let (journal, mut phases) = (self.get(), self.phases.borrow_mut());
        if phases.length != journal.events.len() {
            phases.length = journal.events.len();
            phases.timeline.read(&journal);
            phases.marks = Rc::new(phases.timeline.marks());
        }
        phases.marks.clone()
    }

    /// Appends a packed [`Delta`]; `false` when it does not fit.
    pub fn append(&mut self, part: Vec<u8>) -> bool {
        let mut journal = self.shared.borrow_mut();
        let fits = unpack::<Delta>(&part).is_some_and(|delta| delta.append(&mut journal));
        self.length = journal.events.len();
        self.parts.borrow_mut().push(part);
        fits
    }

    /// Its names and its parts from a number on, for another engine.
    #[must_use]
    pub fn parts(&self, from: usize) -> (Names, Vec<Vec<u8>>) {
        (self.get().names.clone(), self.parts.borrow().get(from..).unwrap_or_default().to_vec())
    }
}

impl Default for JournalRef {
    fn default() -> JournalRef {
        JournalRef::new(Names::default())
    }
}

impl PartialEq for JournalRef {
    fn eq(&self, other: &JournalRef) -> bool {
        Rc::ptr_eq(&self.shared, &other.shared) && self.length == other.length
    }
}

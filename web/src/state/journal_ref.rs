//! A journal that many components look at while it grows.

use std::cell::{Ref, RefCell};
use std::rc::Rc;

use veristep_core::kit::{Journal, Names};

use crate::protocol::Delta;

/// A shared journal. Two of them are equal when they are the same journal at the same length, which is what a
/// component needs to know before it draws again.
#[derive(Clone, Debug)]
pub struct JournalRef {
    shared: Rc<RefCell<Journal>>,
    length: usize,
}

impl JournalRef {
    /// An empty journal.
    #[must_use]
    pub fn new(names: Names) -> JournalRef {
        JournalRef { shared: Rc::new(RefCell::new(Journal::new(names))), length: 0 }
    }

    /// The number of events when this reference was made.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// The journal.
    #[must_use]
    pub fn get(&self) -> Ref<'_, Journal> {
        self.shared.borrow()
    }

    /// Appends a part; `false` when it does not fit.
    pub fn append(&mut self, delta: Delta) -> bool {
        let mut journal = self.shared.borrow_mut();
        let fits = delta.append(&mut journal);
        self.length = journal.events.len();
        fits
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

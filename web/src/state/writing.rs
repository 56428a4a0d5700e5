//! Edits of a drawing on their way into the text: the engine writes them, one request after the other.

use std::rc::Rc;

use veristep_core::edit::automaton::Edit;
use veristep_core::edit::{Change, Refusal};

use crate::protocol::Job;

/// Edits that are not yet in the text, and what the engine answered so far.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Writing {
    pending: Option<Pending>,
    /// The results.
    pub answers: Answers,
}

/// Edits that the engine is asked to write.
#[derive(Clone, PartialEq, Debug)]
struct Pending {
    job: Job,
    /// The text that they are written into.
    text: Rc<str>,
    edits: Vec<Edit>,
    /// They come from a card, which shows a refusal itself.
    typed: bool,
}

/// What the engine answered to edits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answers {
    /// How many answers there were.
    pub count: u32,
    /// Why the last edit was refused.
    pub refused: Option<Rc<str>>,
}

/// What is to be done next.
#[derive(Clone, PartialEq, Debug)]
pub enum Next {
    /// Nothing.
    Nothing,
    /// The engine is asked to write these edits; whether they come from a card.
    Ask(Vec<Edit>, bool),
    /// The text is changed.
    Change(Vec<Vec<Change>>),
    /// The reason is shown: the edits are refused, and no card shows why.
    Say(Rc<str>),
}

/// Does an edit name an edge by its number, so that it is about one text only?
fn numbered(edit: &Edit) -> bool {
    match edit {
        Edit::SetStatements { .. } | Edit::Reconnect { .. } => true,
        Edit::Delete { edges, .. } => !edges.is_empty(),
        _ => false,
    }
}

impl Writing {
    /// Are there edits that are not yet in the text?
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// Forgets the edits that are not yet in the text.
    pub fn give_up(&mut self) {
        self.pending = None;
    }

    /// New edits, after those that are not yet in the text.
    pub fn edit(&mut self, edits: Vec<Edit>, typed: bool, is_reading: bool) -> Next {
        if (is_reading || self.is_pending()) && edits.iter().any(numbered) {
            return self.refuse("the text is still being read", typed);
        }
        let before = self.pending.take().map(|pending| (pending.edits, pending.typed));
        let (before, also_typed) = before.unwrap_or_default();
        Next::Ask(before.into_iter().chain(edits).collect(), typed || also_typed)
    }

    /// The engine is asked to write edits into a text.
    pub fn ask(&mut self, job: Job, text: &Rc<str>, edits: Vec<Edit>, typed: bool) {
        self.pending = Some(Pending { job, text: text.clone(), edits, typed });
    }

    /// The edits are not carried out.
    pub fn refuse(&mut self, why: &str, typed: bool) -> Next {
        let why: Rc<str> = why.into();
        self.answers = Answers { count: self.answers.count + 1, refused: Some(why.clone()) };
        if typed { Next::Nothing } else { Next::Say(why) }
    }

    /// The engine's answer. If the text was changed meanwhile, the edits are to be written into the new one.
    pub fn answer(&mut self, job: Job, now: &Rc<str>, written: Result<Vec<Vec<Change>>, Refusal>) -> Next {
        let Some(Pending { text, edits, typed, .. }) = self.pending.take_if(|pending| pending.job == job)
        else {
            return Next::Nothing;
        };
        if text != *now {
            return match edits.iter().any(numbered) {
                true => self.refuse("the text has changed meanwhile", typed),
                false => Next::Ask(edits, typed),
            };
        }
        let lists = match written {
            Ok(lists) => lists,
            Err(Refusal(why)) => return self.refuse(&why, typed),
        };
        self.answers = Answers { count: self.answers.count + 1, refused: None };
        match lists.iter().flatten().all(|change| change.span.of(&text) == change.text) {
            true => Next::Nothing,
            false => Next::Change(lists),
        }
    }
}

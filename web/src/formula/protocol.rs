//! Messages between the page of formulas and the engine. They are sent as bytes inside those of
//! [`crate::protocol`], so that the verifier's page does not contain this code.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use veristep_core::edit::automaton::Edit;
use veristep_core::edit::{Change, Refusal};
use veristep_core::scene::Drawing;

use crate::protocol::ModelInfo;

/// The number of a request, from 1.
pub type Job = u32;

/// An ultimately periodic word: by position, which atoms are true.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Letters {
    /// The stem.
    pub stem: Vec<Vec<bool>>,
    /// The cycle, repeated forever.
    pub cycle: Vec<Vec<bool>>,
}

impl Letters {
    /// How many positions differ.
    #[must_use]
    pub fn len(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The position in the word of a time.
    #[must_use]
    pub fn position(&self, time: usize) -> usize {
        match time.checked_sub(self.stem.len()) {
            Some(later) if !self.cycle.is_empty() => self.stem.len() + later % self.cycle.len(),
            _ => time,
        }
    }

    /// The letter at a position.
    pub fn letter_mut(&mut self, at: usize) -> Option<&mut Vec<bool>> {
        let stem = self.stem.len();
        if at < stem { self.stem.get_mut(at) } else { self.cycle.get_mut(at - stem) }
    }

    /// `10.01|11`: stem, then cycle.
    #[must_use]
    pub fn text(&self) -> String {
        let bits = |l: &Vec<bool>| l.iter().map(|b| if *b { '1' } else { '0' }).collect::<String>();
        let part = |part: &[Vec<bool>]| part.iter().map(bits).collect::<Vec<_>>().join(".");
        format!("{}|{}", part(&self.stem), part(&self.cycle))
    }

    /// The word of such a text.
    #[must_use]
    pub fn read(text: &str) -> Option<Letters> {
        let (stem, cycle) = text.split_once('|')?;
        let part = |text: &str, most: usize| -> Vec<Vec<bool>> {
            let letters = text.split('.').take(most);
            letters.map(|l| l.chars().map(|c| c == '1').collect()).collect()
        };
        let stem = if stem.is_empty() { Vec::new() } else { part(stem, LONGEST) };
        Some(Letters { stem, cycle: part(cycle, LONGEST) })
    }
}

/// The maximal number of letters read.
pub const TIME: u32 = 99;
/// The maximal length of stem and of cycle.
pub const LONGEST: usize = 16;

/// From the page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Ask {
    /// Something is to be shown.
    Show(Request),
    /// Edits are to be written into the text of a drawn automaton, each for the text after those before it.
    Edit {
        /// This request.
        job: Job,
        /// The text.
        text: String,
        /// The edits.
        edits: Vec<Edit>,
    },
}

/// From the engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// What is shown.
    Shown(Response),
    /// The changes of the text, or why there are none.
    Edited {
        /// The request.
        job: Job,
        /// The changes.
        written: Result<Vec<Vec<Change>>, Refusal>,
    },
}

/// A request to show something.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Request {
    /// This request.
    pub job: Job,
    /// The formula.
    pub formula: String,
    /// The text of a drawn automaton, which is shown instead of that of the formula, and compared with the formula.
    pub automaton: Option<String>,
    /// Another one to compare it with; empty for none.
    pub other: String,
    /// Show the automaton of the negation.
    pub negated: bool,
    /// Show the automaton with acceptance on transitions.
    pub generalized: bool,
    /// The word, with its atoms; none for a word chosen by the engine.
    pub word: Option<(Vec<String>, Letters)>,
    /// The letters that have been read.
    pub time: u32,
}

/// The answer to a [`Request`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Response {
    /// The request.
    pub job: Job,
    /// The answer, or an error in the formula or in the text of the drawn automaton.
    pub result: Result<Box<Shown>, Trouble>,
}

/// An error in a formula.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Trouble {
    /// In words.
    pub message: String,
    /// Where, in bytes.
    pub from: u32,
    /// The end; 0 if the error concerns the whole formula.
    pub to: u32,
}

/// Two formulas, or a drawn automaton and a formula, beside each other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Compared {
    /// Which one implies or includes the other.
    pub text: String,
    /// They are equivalent.
    pub same: bool,
    /// A word that only one of them has, if one was found.
    pub word: Option<Letters>,
}

/// The properties of a formula.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Shown {
    /// Its atoms.
    pub atoms: Vec<String>,
    /// Its classification.
    pub facts: Vec<(String, String)>,
    /// The automaton; none if it is too large to be drawn.
    pub picture: Option<Arc<Drawing>>,
    /// A drawn automaton as a model, to be edited.
    pub model: Option<Arc<ModelInfo>>,
    /// The word.
    pub word: Letters,
    /// Every subformula, its depth, and the positions where it is true.
    pub rows: Vec<(String, u32, Vec<bool>)>,
    /// Does the word satisfy the formula?
    pub satisfied: bool,
    /// Does the shown automaton accept it?
    pub accepted: bool,
    /// The states after the letters that have been read, and whether the rest of the word is accepted from there.
    pub active: Vec<(String, bool)>,
    /// Words that satisfy and violate the formula.
    pub examples: [Option<Letters>; 2],
    /// The comparison with the other formula, or of a drawn automaton with the formula; or an error in that formula.
    pub compared: Option<Result<Compared, Trouble>>,
    /// The automaton of the formula in the Hanoi omega-automata format, to be drawn further.
    pub hoa: String,
    /// The automaton for other tools: format and text.
    pub texts: Vec<(String, String)>,
}

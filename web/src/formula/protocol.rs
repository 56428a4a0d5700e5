//! What the page of formulas and the engine tell each other. The messages travel as bytes inside those of
//! [`crate::protocol`], so that the verifier's page need not know them.

use serde::{Deserialize, Serialize};

/// The number of a request, from 1.
pub type Job = u32;

/// An ultimately periodic word: by position, which atoms are true.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Letters {
    /// What comes once.
    pub stem: Vec<Vec<bool>>,
    /// What is repeated for ever.
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

    /// The position in the word of what comes at a time.
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

/// So many letters are read at most.
pub const TIME: u32 = 99;
/// Words have so many positions in stem and in cycle.
pub const LONGEST: usize = 16;

/// From the page.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Ask {
    /// This request.
    pub job: Job,
    /// The formula.
    pub formula: String,
    /// Another one to compare it with; empty for none.
    pub other: String,
    /// Show the automaton of the negation.
    pub negated: bool,
    /// Show the automaton with acceptance on transitions.
    pub generalized: bool,
    /// The word, with the atoms that it is about; none for a word of the engine's choice.
    pub word: Option<(Vec<String>, Letters)>,
    /// The letters that have been read.
    pub time: u32,
}

/// From the engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Told {
    /// The request.
    pub job: Job,
    /// The answer.
    pub result: Result<Box<Shown>, Trouble>,
}

/// What is wrong with a formula.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Trouble {
    /// In words.
    pub message: String,
    /// Where, in bytes.
    pub from: u32,
    /// To there; 0 if it is about all of it.
    pub to: u32,
}

/// A drawing of an automaton.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Picture {
    /// What is inside of an SVG element, of the engine's own making.
    pub svg: String,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Where a run is.
    pub now: Option<(u32, u32)>,
}

/// Two formulas beside each other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Compared {
    /// Which one implies the other.
    pub text: String,
    /// A word that satisfies only one of them, unless they are equivalent.
    pub word: Option<Letters>,
}

/// What is known of a formula.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Shown {
    /// Its atoms.
    pub atoms: Vec<String>,
    /// What and how it is.
    pub facts: Vec<(String, String)>,
    /// The automaton; none if it is too large to be drawn.
    pub picture: Option<Picture>,
    /// The word.
    pub word: Letters,
    /// Every subformula, its depth, and where it is true.
    pub rows: Vec<(String, u32, Vec<bool>)>,
    /// Is the formula true of the word?
    pub satisfied: bool,
    /// Does the automaton that is shown accept it?
    pub accepted: bool,
    /// The states after the letters that have been read, and whether the rest of the word is accepted from there.
    pub active: Vec<(String, bool)>,
    /// Words that satisfy and violate the formula.
    pub examples: [Option<Letters>; 2],
    /// How it compares with the other formula, or what is wrong with that one.
    pub compared: Option<Result<Compared, Trouble>>,
    /// The automaton for other tools: format and text.
    pub texts: Vec<(String, String)>,
}

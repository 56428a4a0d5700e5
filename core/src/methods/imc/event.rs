//! The events of interpolation-based model checking.

use serde::{Deserialize, Serialize};

use crate::kit::{self, Answer, Counted, Family, FormulaId, Journal, Problem, Reader, Role};

/// The phases, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Is a bad state reached from the image within the bound?
    Check,
    /// The image grows by an interpolant.
    Image,
    /// Does the image contain anything new?
    Close,
}

impl Phase {
    /// All of them.
    pub const ALL: [Phase; 3] = [Phase::Check, Phase::Image, Phase::Close];

    /// The name on screen.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Phase::Check => "Check",
            Phase::Image => "Image",
            Phase::Close => "Fixed point",
        }
    }

    /// The role that all methods share.
    #[must_use]
    pub fn role(self) -> Role {
        match self {
            Phase::Check | Phase::Close => Role::Check,
            Phase::Image => Role::Interpolate,
        }
    }
}

/// One fact about interpolation-based model checking.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Event {
    /// Is a bad state reachable from `R` within the bound?
    ImageChecked {
        /// The number of images in `R`, besides the initial states.
        images: u32,
        /// Unsat: it is not.
        answer: Answer,
    },
    /// An interpolant over-approximates the states after one more step.
    ImageGrew {
        /// How many images there were before.
        images: u32,
        /// The interpolant.
        formula: FormulaId,
    },
    /// Is the newest image contained in `R`?
    ClosureChecked {
        /// Unsat: it is.
        answer: Answer,
    },
}

impl Event {
    /// The phase it belongs to.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match self {
            Event::ImageChecked { .. } => Phase::Check,
            Event::ImageGrew { .. } => Phase::Image,
            Event::ClosureChecked { .. } => Phase::Close,
        }
    }

    /// Does it refer only to what is there?
    pub(crate) fn check(&self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        match *self {
            Event::ImageChecked { .. } | Event::ClosureChecked { .. } => Ok(()),
            Event::ImageGrew { formula, .. } => reader.formula(formula),
        }
    }
}

impl Family for Event {
    fn phase(&self) -> kit::Phase {
        kit::Phase::Imc(Event::phase(self))
    }

    fn asked(&self) -> u32 {
        match *self {
            Event::ImageChecked { .. } | Event::ImageGrew { .. } | Event::ClosureChecked { .. } => 1,
        }
    }

    fn counted(&self) -> Option<Counted> {
        match self {
            Event::ImageGrew { .. } => Some(Counted::Predicate),
            Event::ImageChecked { .. } | Event::ClosureChecked { .. } => None,
        }
    }

    fn line(&self, journal: &Journal) -> String {
        match *self {
            Event::ImageChecked { images, answer } => format!("  bad after {images} images? {answer:?}"),
            Event::ImageGrew { images, formula: id } => format!("  image {images}: {}", journal.formula(id)),
            Event::ClosureChecked { answer } => format!("  more than before? {answer:?}"),
        }
    }
}

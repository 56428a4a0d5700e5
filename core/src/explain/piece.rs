//! The pieces of a sentence: text, and references that the page makes clickable.

use crate::explain::{Concept, Context};
use crate::kit::{FormulaId, NodeId, PredicateId};
use crate::system::{EdgeId, LocationId, VarId};

/// The target of a reference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// A node of the abstract reachability graph.
    Node(NodeId),
    /// A location.
    Location(LocationId),
    /// An edge of the system.
    Edge(EdgeId),
    /// A predicate.
    Predicate(PredicateId),
    /// A formula of the journal.
    Formula(FormulaId),
}

/// A part of a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Plain words.
    Text(String),
    /// A formula that has no id of its own, such as a label.
    Code(String),
    /// A reference to an object of this run.
    Ref {
        /// The object.
        target: Target,
        /// Its text on screen.
        text: String,
    },
    /// A term of the glossary, in the form the sentence needs.
    Concept {
        /// The term.
        concept: Concept,
        /// Its text on screen.
        text: &'static str,
    },
}

impl Piece {
    /// The text to show.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Piece::Text(text) | Piece::Code(text) | Piece::Ref { text, .. } => text,
            Piece::Concept { text, .. } => text,
        }
    }

    /// Whether the text is a formula or an operation, which is set in a different font.
    #[must_use]
    pub fn is_code(&self) -> bool {
        match self {
            Piece::Text(_) | Piece::Concept { .. } => false,
            Piece::Code(_) => true,
            Piece::Ref { target, .. } => !matches!(target, Target::Node(_) | Target::Location(_)),
        }
    }
}

/// Something that can be part of a sentence about a run.
pub(crate) trait Say {
    /// Appends its pieces.
    fn say(&self, cx: &Context<'_>, out: &mut Vec<Piece>);
}

/// Builds a sentence from parts.
macro_rules! say {
    ($cx:expr; $($part:expr),* $(,)?) => {{
        let mut out = Vec::new();
        $( $crate::explain::piece::Say::say(&$part, $cx, &mut out); )*
        out
    }};
}
pub(crate) use crate::text::count;
pub(crate) use say;

/// A formula without an id.
pub(crate) struct Code(pub(crate) String);

/// A list: `a, b and c`, or `a, b, c and 9 more`.
pub(crate) struct List<'a, T>(pub(crate) &'a [T]);

/// Longer lists are cut off.
const LIST_MAX: usize = 6;

fn push_text(out: &mut Vec<Piece>, text: &str) {
    match out.last_mut() {
        Some(Piece::Text(last)) => last.push_str(text),
        _ => out.push(Piece::Text(text.to_owned())),
    }
}

impl Say for &str {
    fn say(&self, _: &Context<'_>, out: &mut Vec<Piece>) {
        push_text(out, self);
    }
}

impl Say for String {
    fn say(&self, _: &Context<'_>, out: &mut Vec<Piece>) {
        push_text(out, self);
    }
}

impl Say for u32 {
    fn say(&self, _: &Context<'_>, out: &mut Vec<Piece>) {
        push_text(out, &self.to_string());
    }
}

impl Say for Code {
    fn say(&self, _: &Context<'_>, out: &mut Vec<Piece>) {
        out.push(Piece::Code(self.0.clone()));
    }
}

impl Say for VarId {
    fn say(&self, cx: &Context<'_>, out: &mut Vec<Piece>) {
        out.push(Piece::Code(cx.journal.variable(*self).to_owned()));
    }
}

impl Say for Concept {
    fn say(&self, _: &Context<'_>, out: &mut Vec<Piece>) {
        out.push(Piece::Concept { concept: *self, text: self.name() });
    }
}

impl Say for (Concept, &'static str) {
    fn say(&self, _: &Context<'_>, out: &mut Vec<Piece>) {
        out.push(Piece::Concept { concept: self.0, text: self.1 });
    }
}

impl Say for NodeId {
    fn say(&self, _: &Context<'_>, out: &mut Vec<Piece>) {
        out.push(Piece::Ref { target: Target::Node(*self), text: self.to_string() });
    }
}

impl Say for LocationId {
    fn say(&self, cx: &Context<'_>, out: &mut Vec<Piece>) {
        let text = cx.journal.location(*self).to_owned();
        out.push(Piece::Ref { target: Target::Location(*self), text });
    }
}

impl Say for EdgeId {
    fn say(&self, cx: &Context<'_>, out: &mut Vec<Piece>) {
        out.push(Piece::Ref { target: Target::Edge(*self), text: cx.edge(*self).to_owned() });
    }
}

impl Say for PredicateId {
    fn say(&self, cx: &Context<'_>, out: &mut Vec<Piece>) {
        out.push(Piece::Ref { target: Target::Predicate(*self), text: cx.predicate(*self).to_owned() });
    }
}

impl Say for FormulaId {
    fn say(&self, cx: &Context<'_>, out: &mut Vec<Piece>) {
        out.push(Piece::Ref { target: Target::Formula(*self), text: cx.formula(*self).to_owned() });
    }
}

impl<T: Say> Say for Option<T> {
    fn say(&self, cx: &Context<'_>, out: &mut Vec<Piece>) {
        match self {
            Some(part) => part.say(cx, out),
            None => push_text(out, "?"),
        }
    }
}

impl Say for Vec<Piece> {
    fn say(&self, _: &Context<'_>, out: &mut Vec<Piece>) {
        for piece in self {
            match piece {
                Piece::Text(text) => push_text(out, text),
                piece => out.push(piece.clone()),
            }
        }
    }
}

impl<T: Say> Say for List<'_, T> {
    fn say(&self, cx: &Context<'_>, out: &mut Vec<Piece>) {
        let shown = if self.0.len() > LIST_MAX { LIST_MAX - 1 } else { self.0.len() };
        for (i, part) in self.0[..shown].iter().enumerate() {
            if i > 0 {
                push_text(out, if i + 1 == self.0.len() { " and " } else { ", " });
            }
            part.say(cx, out);
        }
        if shown < self.0.len() {
            push_text(out, &format!(" and {} more", self.0.len() - shown));
        }
    }
}

/// Singular or plural, as the number requires.
pub(crate) fn agree<'a>(number: usize, one: &'a str, many: &'a str) -> &'a str {
    if number == 1 { one } else { many }
}

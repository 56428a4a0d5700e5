//! The places of the parts of an automaton in its text.

use crate::diagnostic::Span;

/// The parts with their places.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    /// The number after `States:`.
    pub(super) states: Option<Span>,
    /// The initial states: number, its place, and the whole item.
    pub(super) starts: Vec<(usize, Span, Span)>,
    /// The number of atoms, and the whole item.
    pub(super) atoms: Option<(Span, Span)>,
    /// The item `Acceptance:`.
    pub(super) acceptance: Span,
    /// The numbers of the acceptance sets in the condition.
    pub(super) sets: Vec<usize>,
    /// Other items of the header.
    pub(super) others: Vec<Item>,
    /// The word `--BODY--`.
    pub(super) body: Span,
    /// The described states, in the order of the text.
    pub(super) blocks: Vec<Block>,
    /// The word `--END--`.
    pub(super) end: Span,
}

/// An item of the header.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// Its name, with a colon.
    pub(super) name: String,
    /// All of it.
    pub(super) span: Span,
    /// What is after the name: words, each with the `!` before it.
    pub(super) words: Vec<Span>,
}

/// A state with its transitions.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Its number,
    pub(super) state: usize,
    /// and its place.
    pub(super) number: Span,
    /// Its name, in quotation marks.
    pub(super) name: Option<Span>,
    /// The label of all its transitions, without brackets.
    pub(super) label: Option<Span>,
    /// Its acceptance sets, with braces.
    pub(super) marks: Option<Span>,
    /// All before its transitions.
    pub(super) head: Span,
    /// Its transitions.
    pub(super) edges: Vec<EdgeAt>,
}

impl Block {
    /// All of it.
    pub(super) fn span(&self) -> Span {
        let end = self.edges.last().map_or(self.head.end, |edge| edge.span.end);
        Span::new(self.head.start as usize, end as usize)
    }
}

/// A transition.
#[derive(Clone, Debug)]
pub(super) struct EdgeAt {
    /// Its label, without brackets.
    pub(super) label: Option<Span>,
    /// The number of its target.
    pub(super) target: Span,
    /// Its acceptance sets, with braces.
    pub(super) marks: Option<Span>,
    /// All of it.
    pub(super) span: Span,
}

//! The resulting text, and the place in the original text of each of its parts.
//!
//! Tokens that are not replaced keep their position on the line; comments and directives become blanks. Invariant: the
//! pieces are sorted by their start in the resulting text, and a piece ends where the next one starts.

use super::join::Joined;
use super::lex::{Kind, Token, digraph};
use crate::diagnostic::Span;

/// Origin of a part of the resulting text.
#[derive(Clone, Copy)]
enum Origin {
    /// Copied byte by byte from the original text, starting there.
    Copy(usize),
    /// The result of a macro whose name stands there.
    Macro(Span),
}

#[derive(Clone, Copy)]
struct Piece {
    start: usize,
    origin: Origin,
}

/// Pieces of the resulting text with their origin.
pub(super) struct Map {
    pieces: Vec<Piece>,
    /// Bytes of the original text.
    length: usize,
}

impl Map {
    /// The place in the original text of a range of bytes of the result.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        let first = self.place(start);
        let last = if end > start { self.place(end - 1).1 } else { first.0 };
        Span::new(first.0, last.max(first.0))
    }

    /// The range of the original text from which a byte of the result originates.
    fn place(&self, at: usize) -> (usize, usize) {
        let after = self.pieces.partition_point(|p| p.start <= at);
        let Some(piece) = after.checked_sub(1).map(|i| self.pieces[i]) else { return (0, 0) };
        match piece.origin {
            Origin::Copy(from) => {
                let at = from + (at - piece.start);
                (at.min(self.length), (at + 1).min(self.length))
            }
            Origin::Macro(span) => (span.start as usize, span.end as usize),
        }
    }

    fn push(&mut self, piece: Piece) {
        if let Some(last) = self.pieces.last_mut() {
            match (last.origin, piece.origin) {
                (Origin::Copy(a), Origin::Copy(b)) if a + (piece.start - last.start) == b => return,
                (Origin::Macro(a), Origin::Macro(b)) if a == b => return,
                _ if last.start == piece.start => {
                    *last = piece;
                    return;
                }
                _ => {}
            }
        }
        self.pieces.push(piece);
    }
}

/// The resulting text under construction.
pub(super) struct Output {
    pub(super) text: String,
    map: Map,
    /// Position in the joined text up to which everything was copied, made blank, or replaced.
    copied: usize,
    /// Removed line breaks before that position.
    breaks: usize,
    /// Line breaks inside of replaced text; they are written at the next end of a line.
    owed: usize,
    /// Kind and last byte of the last token, and whether it was copied.
    last: Option<(Kind, u8)>,
    direct: bool,
}

impl Output {
    pub(super) fn new(length: usize) -> Output {
        Output {
            text: String::new(),
            map: Map { pieces: Vec::new(), length },
            copied: 0,
            breaks: 0,
            owed: 0,
            last: None,
            direct: false,
        }
    }

    pub(super) fn finish(self) -> (String, Map) {
        (self.text, self.map)
    }

    /// Copies a token of the program that is not replaced.
    pub(super) fn copy(&mut self, arena: &str, joined: &Joined, token: Token) {
        let touches = self.direct && self.copied == token.start();
        self.blank_until(arena, joined, token.start());
        let spelling = token.of(arena);
        if !touches {
            self.separate(token, spelling, false);
        }
        match digraph(spelling) {
            Some(usual) => {
                let start = self.text.len();
                self.blank_until(arena, joined, token.end());
                self.text.replace_range(start..=start, usual);
            }
            None => self.advance(joined, token.end(), |text, from, to| text.push_str(&arena[from..to])),
        }
        self.direct = true;
        self.last = spelling.bytes().last().map(|b| (token.kind, b));
    }

    /// Writes a token that a macro produced; the name of the macro is at `place`.
    pub(super) fn produce(&mut self, arena: &str, token: Token, place: Span) {
        let spelling = token.of(arena);
        self.separate(token, spelling, token.space);
        self.map.push(Piece { start: self.text.len(), origin: Origin::Macro(place) });
        self.text.push_str(digraph(spelling).unwrap_or(spelling));
        self.direct = false;
        self.last = spelling.bytes().last().map(|b| (token.kind, b));
    }

    /// Writes blanks for everything up to a position: white space, comments and directives.
    pub(super) fn blank_until(&mut self, arena: &str, joined: &Joined, to: usize) {
        while self.copied < to {
            let line = arena[self.copied..to].find('\n').map_or(to, |i| self.copied + i);
            while let Some(at) = joined.breaks.get(self.breaks).map(|b| b.at).filter(|at| *at < line) {
                self.advance_blank(arena, joined, at);
                self.text.push('\n');
                self.breaks += 1;
            }
            self.advance_blank(arena, joined, line);
            if line < to {
                self.advance_blank(arena, joined, line + 1);
                self.text.extend(std::iter::repeat_n('\n', std::mem::take(&mut self.owed)));
            }
        }
    }

    fn advance_blank(&mut self, arena: &str, joined: &Joined, to: usize) {
        self.advance(joined, to, |text, from, to| {
            let blank = |b| if b == b'\n' || b == b'\t' { char::from(b) } else { ' ' };
            text.extend(arena.as_bytes()[from..to].iter().map(|b| blank(*b)));
        });
    }

    /// Copies up to a position in pieces without a removed line break.
    fn advance(&mut self, joined: &Joined, to: usize, write: impl Fn(&mut String, usize, usize)) {
        while self.copied < to {
            while joined.breaks.get(self.breaks).is_some_and(|b| b.at <= self.copied) {
                self.breaks += 1;
                self.owed += 1;
            }
            let end = joined.breaks.get(self.breaks).map_or(to, |b| b.at.min(to));
            let origin = Origin::Copy(joined.original(self.copied));
            self.map.push(Piece { start: self.text.len(), origin });
            write(&mut self.text, self.copied, end);
            self.copied = end;
        }
    }

    /// Skips everything up to a position: it belongs to a macro that is replaced.
    pub(super) fn skip(&mut self, arena: &str, joined: &Joined, to: usize) {
        if self.copied < to {
            self.owed += arena.as_bytes()[self.copied..to].iter().filter(|b| **b == b'\n').count();
            while joined.breaks.get(self.breaks).is_some_and(|b| b.at < to) {
                self.breaks += 1;
                self.owed += 1;
            }
            self.copied = to;
            self.direct = false;
        }
    }

    /// Writes a blank if requested, or if the next token would otherwise merge with the last one.
    fn separate(&mut self, token: Token, spelling: &str, wanted: bool) {
        let blank = self.text.bytes().last().is_none_or(|b| b.is_ascii_whitespace());
        let first = spelling.bytes().next().unwrap_or(b' ');
        if !blank && (wanted || self.last.is_some_and(|last| pastes(last, token.kind, first))) {
            self.text.push(' ');
        }
    }
}

/// May a token merge with the directly following one?
fn pastes((kind, last): (Kind, u8), next: Kind, first: u8) -> bool {
    let operator = |b: u8| b"+-*/%&|^<>=!:.#".contains(&b);
    match (kind, next) {
        (Kind::Identifier | Kind::Number, Kind::Identifier | Kind::Number) => true,
        (Kind::Identifier, Kind::String | Kind::Character) => true,
        (Kind::Number, Kind::Punctuator) => {
            first == b'.' || b"+-".contains(&first) && b"eEpP".contains(&last)
        }
        (Kind::Punctuator, Kind::Number) => last == b'.',
        (Kind::Punctuator, Kind::Punctuator) => operator(last) && operator(first),
        (Kind::Other, _) | (_, Kind::Other) => true,
        _ => false,
    }
}

//! The syntax of `.pn` texts, with error recovery: a broken declaration is skipped up to the next one.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Span, limits};
use crate::edit::Refusal;
use crate::edit::pins::Pins;
use crate::expr::{Parsed, Parser, Syntax, Tok};
use crate::formats::Name;
use crate::formats::family::{self, Entry, name};
use crate::formats::net::{Builder, tokens};
use crate::net::{ArcKind, Interval, NamedProperty, Net, Node, Place};

/// The words that begin a declaration.
const WORDS: [&str; 4] = ["place", "transition", "property", "layout"];

/// A text as it is written.
#[derive(Default)]
pub(super) struct Spec {
    /// The name of the net.
    pub(super) name: String,
    /// The places, with their tokens.
    pub(super) places: Vec<PlaceDecl>,
    /// The transitions, with their arcs.
    pub(super) transitions: Vec<TransitionDecl>,
    /// The properties.
    pub(super) properties: Vec<NamedProperty>,
    /// The blocks of the layout.
    pub(super) layouts: Vec<Layout>,
    /// The brace at the beginning.
    pub(super) open: Span,
    /// The brace at the end.
    pub(super) close: Span,
}

/// `place p "label" = 3 [2,5]`
pub(super) struct PlaceDecl {
    pub(super) name: Name,
    label: Option<String>,
    /// The end of the name with the label.
    pub(super) named: u32,
    /// The number of tokens, and the part from `=` to it.
    pub(super) tokens: Option<(u32, Span)>,
    pub(super) delay: Option<(Interval, Span)>,
    pub(super) span: Span,
}

/// `transition t "label" [2,5]: p + 2 q -> r unless s, 3 u`
pub(super) struct TransitionDecl {
    pub(super) name: Name,
    label: Option<String>,
    /// The end of the name with the label.
    pub(super) named: u32,
    pub(super) delay: Option<(Interval, Span)>,
    pub(super) inputs: Vec<Item>,
    pub(super) arrow: Span,
    pub(super) outputs: Vec<Item>,
    /// The word before the inhibitors.
    pub(super) unless: Span,
    pub(super) inhibitors: Vec<Item>,
    pub(super) span: Span,
}

/// An arc: `2 q`
pub(super) struct Item {
    weight: u32,
    pub(super) place: Name,
    pub(super) span: Span,
}

/// `layout { p 10 20  t -30 40 }`
pub(super) struct Layout {
    pub(super) entries: Vec<Entry>,
    pub(super) span: Span,
}

/// Parses a text that has passed `check_source`.
///
/// # Errors
/// All errors.
pub(super) fn parse(text: &str) -> Result<Net, Vec<Diagnostic>> {
    let (spec, out) = read(text);
    net(&spec, out)
}

/// Reads a text that has passed `check_source`; also returns the errors of its syntax.
pub(super) fn read(text: &str) -> (Spec, Vec<Diagnostic>) {
    let mut p = Parser::new(text, Syntax::Ltl);
    let mut spec = Spec::default();
    let read = spec.read(&mut p, text);
    if read.is_ok() && p.tok() != Tok::End {
        p.unexpected("the end of the text after the net's '}'");
    }
    (spec, p.out)
}

/// The net of a text with these errors so far.
///
/// # Errors
/// All errors.
pub(super) fn net(spec: &Spec, out: Vec<Diagnostic>) -> Result<Net, Vec<Diagnostic>> {
    let mut builder = Builder::default();
    builder.out = out;
    builder.net.name.clone_from(&spec.name);
    for PlaceDecl { name, label, tokens, delay, span, .. } in &spec.places {
        let tokens = tokens.map_or(0, |(tokens, _)| tokens);
        let (name, label) = (name.text.clone(), label.clone());
        builder.place(Place { name, label, tokens, delay: delay.map(|(own, _)| own), span: *span });
    }
    let mut declared = Vec::new();
    for t in &spec.transitions {
        if let Some(id) = builder.transition(&t.name.text, t.label.clone(), t.span) {
            builder.net.transitions[id.index()].delay = t.delay.map(|(own, _)| own);
            declared.push((id, t));
        }
    }
    for (id, t) in declared {
        for (kind, items) in t.sides() {
            for Item { weight, place: Name { text, span }, .. } in items {
                match builder.find(text) {
                    Some(Node::Place(place)) => builder.arc(kind, place, id, *weight, *span),
                    Some(Node::Transition(_)) => {
                        let message =
                            format!("'{text}' is a transition: arcs connect transitions with places");
                        builder.error(*span, message);
                    }
                    None => builder.error(*span, format!("there is no place '{text}'")),
                }
            }
        }
    }
    builder.net.properties.clone_from(&spec.properties);
    builder.net.pins = Arc::new(spec.pins());
    builder.finish()
}

impl TransitionDecl {
    /// The kinds of arcs, with those that are written.
    pub(super) fn sides(&self) -> [(ArcKind, &Vec<Item>); 3] {
        [
            (ArcKind::Input, &self.inputs),
            (ArcKind::Output, &self.outputs),
            (ArcKind::Inhibitor, &self.inhibitors),
        ]
    }
}

impl Spec {
    /// The positions of the layout; of several for one name the last one counts.
    pub(super) fn pins(&self) -> Pins {
        let entries = self.layouts.iter().flat_map(|layout| &layout.entries);
        entries.map(|(name, pin, _)| (name.text.clone(), *pin)).collect()
    }

    fn read(&mut self, p: &mut Parser<'_>, text: &str) -> Parsed<()> {
        word(p, "net")?;
        self.name = name(p)?.text;
        self.open = p.expect(Tok::Sym("{"))?.span;
        while !matches!(p.tok(), Tok::Sym("}") | Tok::End) {
            if self.declaration(p, text).is_err() {
                skip(p);
            }
            if p.out.len() > limits::DIAGNOSTICS {
                return Err(crate::expr::Reported);
            }
        }
        self.close = p.expect(Tok::Sym("}"))?.span;
        Ok(())
    }

    fn declaration(&mut self, p: &mut Parser<'_>, text: &str) -> Parsed<()> {
        match p.word() {
            "place" => self.place(p),
            "transition" => self.transition(p),
            "property" => {
                let property = family::property(p, text, &WORDS, &self.properties)?;
                self.properties.push(property);
                Ok(())
            }
            "layout" => {
                let (entries, span) = family::layout(p)?;
                self.layouts.push(Layout { entries, span });
                Ok(())
            }
            _ => Err(p.unexpected("'place', 'transition', 'property', 'layout' or '}'")),
        }
    }

    fn place(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let start = p.advance().span;
        let name = name(p)?;
        let label = label(p);
        let (named, equals) = (p.previous().end, p.token().span);
        let tokens = if p.eat(Tok::Sym("=")) { Some(number(p)?) } else { None };
        let tokens = tokens.map(|tokens| (tokens, equals.to(p.previous())));
        let delay = interval(p)?;
        let span = start.to(p.previous());
        self.places.push(PlaceDecl { name, label, named, tokens, delay, span });
        Ok(())
    }

    fn transition(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let start = p.advance().span;
        let name = name(p)?;
        let label = label(p);
        let named = p.previous().end;
        let delay = interval(p)?;
        p.expect(Tok::Sym(":"))?;
        let inputs = weighted(p, Tok::Sym("+"))?;
        let arrow = p.token().span;
        if !p.eat(Tok::Key("imply")) {
            return Err(p.unexpected("'+' or '->'"));
        }
        let outputs = weighted(p, Tok::Sym("+"))?;
        let unless = p.token().span;
        let inhibitors = if p.word() == "unless" && p.tok() == Tok::Ident {
            p.advance();
            let inhibitors = weighted(p, Tok::Sym(","))?;
            if inhibitors.is_empty() {
                return Err(p.unexpected("a place"));
            }
            inhibitors
        } else {
            Vec::new()
        };
        let span = start.to(p.previous());
        let decl =
            TransitionDecl { name, label, named, delay, inputs, arrow, outputs, unless, inhibitors, span };
        self.transitions.push(decl);
        Ok(())
    }
}

/// Skips to the next declaration.
fn skip(p: &mut Parser<'_>) {
    loop {
        match p.tok() {
            Tok::End | Tok::Sym("}") => return,
            Tok::Ident if WORDS.contains(&p.word()) => return,
            _ => p.advance(),
        };
    }
}

fn word(p: &mut Parser<'_>, word: &str) -> Parsed<()> {
    if p.tok() == Tok::Ident && p.word() == word {
        p.advance();
        return Ok(());
    }
    Err(p.unexpected(&format!("'{word}'")))
}

/// A text in quotation marks after a name.
fn label(p: &mut Parser<'_>) -> Option<String> {
    let quoted = p.word().strip_prefix('"')?.strip_suffix('"')?;
    p.advance();
    Some(quoted.to_owned())
}

fn number(p: &mut Parser<'_>) -> Parsed<u32> {
    if p.tok() != Tok::Number {
        let negative = p.tok() == Tok::Sym("-") && p.ahead(1) == Tok::Number;
        return Err(match negative {
            true => {
                let span = p.advance().span.to(p.token().span);
                p.error(span, "numbers of tokens, weights and times are not negative")
            }
            false => p.unexpected("a number"),
        });
    }
    let (text, span) = (p.word(), p.token().span);
    p.advance();
    tokens(text).map_err(|why| p.error(span, why))
}

/// `p + 2 q`, or nothing.
fn weighted(p: &mut Parser<'_>, separator: Tok) -> Parsed<Vec<Item>> {
    let mut arcs = Vec::new();
    let begins = |p: &Parser<'_>| {
        let declares = WORDS.contains(&p.word()) && matches!(p.ahead(1), Tok::Ident | Tok::Sym("{"));
        let declares = declares || p.word() == "unless";
        p.tok() == Tok::Number || p.tok() == Tok::Ident && !declares
    };
    if !begins(p) {
        return Ok(arcs);
    }
    loop {
        let start = p.token().span;
        let weight = if p.tok() == Tok::Number { number(p)? } else { 1 };
        // `2*p`, as in other languages.
        p.eat(Tok::Sym("*"));
        let place = name(p)?;
        arcs.push(Item { weight, span: start.to(place.span), place });
        if !p.eat(separator) {
            return Ok(arcs);
        }
    }
}

/// The interval of a text of its own.
///
/// # Errors
/// Why it is none.
pub(crate) fn interval_of(text: &str) -> Result<Interval, String> {
    let mut p = Parser::new(text, Syntax::Ltl);
    match interval(&mut p) {
        Ok(Some((interval, _))) if p.tok() == Tok::End && p.out.is_empty() => Ok(interval),
        _ => {
            let why = p.out.first().map(|d| format!(": {}", d.message)).unwrap_or_default();
            Err(format!("'{}' is no interval of time, as in [2,5] or [2,w[{why}", text.trim()))
        }
    }
}

/// The interval that a person typed, as it is written; empty if there is none. The brackets may be left out.
///
/// # Errors
/// If it is no interval.
pub(crate) fn typed_interval(typed: &str) -> Result<String, Refusal> {
    let text = typed.trim().replace('∞', "w");
    let text = match text.starts_with(['[', ']']) {
        _ if text.is_empty() => return Ok(text),
        true => text,
        false if text.ends_with('w') => format!("[{text}["),
        false => format!("[{text}]"),
    };
    interval_of(&text).map(|interval| interval.to_string()).map_err(Refusal::new)
}

/// `[2,5]`, `]2,5[`, `[2,w[`, or nothing.
fn interval(p: &mut Parser<'_>) -> Parsed<Option<(Interval, Span)>> {
    let after_least = match p.tok() {
        Tok::Sym("[") => false,
        Tok::Sym("]") => true,
        _ => return Ok(None),
    };
    let start = p.advance().span;
    let least = number(p)?;
    p.expect(Tok::Sym(","))?;
    let most = match p.word() {
        "w" | "inf" => {
            p.advance();
            None
        }
        _ => Some(number(p)?),
    };
    let before_most = match p.tok() {
        Tok::Sym("]") => false,
        Tok::Sym("[") => true,
        _ => return Err(p.unexpected("']' or '['")),
    };
    p.advance();
    let span = start.to(p.previous());
    let interval = Interval { least, after_least, most, before_most };
    match most {
        _ if interval.is_empty() => Err(p.error(span, "this interval of time is empty")),
        None if !before_most => Err(p.error(span, "an interval without an upper end is open: [2,w[")),
        _ => Ok(Some((interval, span))),
    }
}

//! The syntax of `.pn` texts, with error recovery: a broken declaration is skipped up to the next one.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Span, limits};
use crate::edit::pins::Pins;
use crate::expr::{Parsed, Parser, Syntax, Tok};
use crate::formats::Name;
use crate::formats::net::{ArcKind, Builder, tokens};
use crate::net::{Interval, NamedProperty, Net, Node, Place};

/// The words that begin a declaration.
const WORDS: [&str; 4] = ["place", "transition", "property", "layout"];

/// The arcs of one side of a transition.
struct Side {
    kind: ArcKind,
    /// Weights and names of places.
    arcs: Vec<(u32, Name)>,
}

/// A transition whose places are not resolved yet.
struct Arcs {
    transition: crate::net::TransitionId,
    sides: Vec<Side>,
}

/// Parses a text that has passed `check_source`.
pub(super) fn parse(text: &str) -> Result<Net, Vec<Diagnostic>> {
    let mut p = Parser::new(text, Syntax::Ltl);
    let mut reader = Reader { text, builder: Builder::default(), arcs: Vec::new(), pins: Pins::new() };
    let whole = reader.net(&mut p);
    if whole.is_ok() && p.tok() != Tok::End {
        p.unexpected("the end of the text after the net's '}'");
    }
    reader.resolve();
    let mut builder = reader.builder;
    builder.out.append(&mut p.out);
    builder.net.pins = Arc::new(reader.pins);
    builder.finish()
}

struct Reader<'a> {
    text: &'a str,
    builder: Builder,
    arcs: Vec<Arcs>,
    pins: Pins,
}

impl Reader<'_> {
    fn net(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        word(p, "net")?;
        self.builder.net.name = name(p)?.text;
        p.expect(Tok::Sym("{"))?;
        while !matches!(p.tok(), Tok::Sym("}") | Tok::End) {
            if self.declaration(p).is_err() {
                skip(p);
            }
            if p.out.len() > limits::DIAGNOSTICS {
                return Err(crate::expr::Reported);
            }
        }
        p.expect(Tok::Sym("}"))?;
        Ok(())
    }

    fn declaration(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        match p.word() {
            "place" => self.place(p),
            "transition" => self.transition(p),
            "property" => self.property(p),
            "layout" => self.layout(p),
            _ => Err(p.unexpected("'place', 'transition', 'property', 'layout' or '}'")),
        }
    }

    /// `place p "label" = 3 [2,5]`
    fn place(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let start = p.advance().span;
        let name = name(p)?;
        let label = label(p);
        let tokens = if p.eat(Tok::Sym("=")) { number(p)? } else { 0 };
        let delay = interval(p)?;
        let span = start.to(p.previous());
        self.builder.place(Place { name: name.text, label, tokens, delay, span });
        Ok(())
    }

    /// `transition t "label" [2,5]: p + 2 q -> r unless s, 3 u`
    fn transition(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let start = p.advance().span;
        let name = name(p)?;
        let label = label(p);
        let delay = interval(p)?;
        p.expect(Tok::Sym(":"))?;
        let inputs = weighted(p, Tok::Sym("+"))?;
        if !p.eat(Tok::Key("imply")) {
            return Err(p.unexpected("'+' or '->'"));
        }
        let outputs = weighted(p, Tok::Sym("+"))?;
        let unless = p.word() == "unless" && p.tok() == Tok::Ident;
        let inhibitors = if unless {
            p.advance();
            let inhibitors = weighted(p, Tok::Sym(","))?;
            if inhibitors.is_empty() {
                return Err(p.unexpected("a place"));
            }
            inhibitors
        } else {
            Vec::new()
        };
        let sides = [(ArcKind::Input, inputs), (ArcKind::Output, outputs), (ArcKind::Inhibitor, inhibitors)];
        let sides = sides.into_iter().map(|(kind, arcs)| Side { kind, arcs }).collect();
        let span = start.to(p.previous());
        if let Some(transition) = self.builder.transition(&name.text, label, span) {
            self.builder.net.transitions[transition.index()].delay = delay;
            self.arcs.push(Arcs { transition, sides });
        }
        Ok(())
    }

    /// `property name: text`
    fn property(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        p.advance();
        let name = name(p)?;
        let colon = p.expect(Tok::Sym(":"))?.span;
        let (mut depth, mut last) = (0_usize, colon);
        loop {
            match p.tok() {
                Tok::End => break,
                Tok::Sym("}") if depth == 0 => break,
                Tok::Ident if WORDS.contains(&p.word()) && self.begins_line(p.token().span) => break,
                Tok::Sym("{") => depth += 1,
                Tok::Sym("}") => depth -= 1,
                _ => {}
            }
            last = p.advance().span;
        }
        let span = Span { start: colon.end, end: last.end };
        let text = span.of(self.text);
        let blank = u32::try_from(text.len() - text.trim_start().len()).expect("texts are limited");
        let span = Span { start: span.start + blank, end: span.end };
        if text.trim().is_empty() {
            return Err(p.error(name.span, format!("the property '{}' is empty", name.text)));
        }
        if self.builder.net.properties.iter().any(|known| known.name == name.text) {
            return Err(p.error(name.span, format!("'{}' is declared twice", name.text)));
        }
        self.builder.net.properties.push(NamedProperty {
            name: name.text,
            text: span.of(self.text).to_owned(),
            span,
        });
        Ok(())
    }

    fn begins_line(&self, span: Span) -> bool {
        let before = &self.text[..span.start as usize];
        before.rsplit('\n').next().is_none_or(|line| line.trim().is_empty())
    }

    /// `layout { p 10 20  t -30 40 }`
    fn layout(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        p.advance();
        p.expect(Tok::Sym("{"))?;
        while !matches!(p.tok(), Tok::Sym("}") | Tok::End) {
            let name = name(p)?;
            let pin = (side(p)?, side(p)?);
            self.pins.insert(name.text, pin);
        }
        p.expect(Tok::Sym("}"))?;
        Ok(())
    }

    /// Resolves the places of arcs.
    fn resolve(&mut self) {
        for Arcs { transition, sides } in std::mem::take(&mut self.arcs) {
            for Side { kind, arcs } in sides {
                for (weight, Name { text, span }) in arcs {
                    match self.builder.find(&text) {
                        Some(Node::Place(place)) => self.builder.arc(kind, place, transition, weight, span),
                        Some(Node::Transition(_)) => {
                            let message =
                                format!("'{text}' is a transition: arcs connect transitions with places");
                            self.builder.error(span, message);
                        }
                        None => self.builder.error(span, format!("there is no place '{text}'")),
                    }
                }
            }
        }
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

/// A name, with or without quotation marks.
fn name(p: &mut Parser<'_>) -> Parsed<Name> {
    let (text, span) = p.name()?;
    let text = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).map_or(text.clone(), str::to_owned);
    if text.is_empty() {
        return Err(p.error(span, "a name has at least one character"));
    }
    Ok(Name { text, span })
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
                p.error(span, "numbers of tokens and weights are not negative")
            }
            false => p.unexpected("a number"),
        });
    }
    let (text, span) = (p.word(), p.token().span);
    p.advance();
    tokens(text).map_err(|why| p.error(span, why))
}

/// A side of a position in the layout.
fn side(p: &mut Parser<'_>) -> Parsed<i32> {
    let start = p.token().span;
    let negative = p.eat(Tok::Sym("-"));
    let side = number(p)?;
    match i32::try_from(side) {
        Ok(side) => Ok(if negative { -side } else { side }),
        Err(_) => Err(p.error(start.to(p.previous()), "this position is too far away")),
    }
}

/// `p + 2 q`, or nothing.
fn weighted(p: &mut Parser<'_>, separator: Tok) -> Parsed<Vec<(u32, Name)>> {
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
        let weight = if p.tok() == Tok::Number { number(p)? } else { 1 };
        // `2*p`, as in other languages.
        p.eat(Tok::Sym("*"));
        arcs.push((weight, name(p)?));
        if !p.eat(separator) {
            return Ok(arcs);
        }
    }
}

/// `[2,5]`, `]2,5[`, `[2,w[`, or nothing.
fn interval(p: &mut Parser<'_>) -> Parsed<Option<Interval>> {
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
        _ => Ok(Some(interval)),
    }
}

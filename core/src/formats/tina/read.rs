//! Reading TINA's nets: words separated by blanks, declarations that begin a line.

use crate::diagnostic::{Diagnostic, Span};
use crate::formats::net::Builder;
use crate::net::{ArcKind, Interval, Net, Node, Place, PlaceId, TransitionId};

/// Reads a text that has passed `check_source`.
pub(super) fn read(text: &str) -> Result<Net, Vec<Diagnostic>> {
    let mut reader = Reader { words: words(text), at: 0, end: text.len(), builder: Builder::default() };
    "net".clone_into(&mut reader.builder.net.name);
    while reader.at < reader.words.len() {
        if reader.declaration().is_err() {
            // Up to the next line.
            while reader.at < reader.words.len() && !reader.words[reader.at].first {
                reader.at += 1;
            }
        }
    }
    reader.builder.finish()
}

#[derive(Clone, Copy, Debug)]
struct Word<'a> {
    text: &'a str,
    span: Span,
    /// Is it the first word of its line?
    first: bool,
}

/// Names, signs `-> : ( ) [ ] , * ? ! < > =`, and names in braces as one word each. Comments begin with `#`.
fn words(text: &str) -> Vec<Word<'_>> {
    let (mut words, mut at, mut first) = (Vec::new(), 0, true);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match c {
            '\n' => {
                first = true;
                at += 1;
                continue;
            }
            c if c.is_whitespace() || c == '\u{feff}' => {
                at += c.len_utf8();
                continue;
            }
            '#' => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            '{' => braces(rest),
            '-' if rest.starts_with("->") => 2,
            c if is_name(c) => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        words.push(Word { text: &rest[..length], span: Span::new(at, at + length), first });
        first = false;
        at += length;
    }
    words
}

/// The length of a name in braces, or up to the end of the line without a closing one; a backslash protects the next
/// character.
fn braces(text: &str) -> usize {
    let mut protected = false;
    for (i, c) in text.char_indices() {
        match c {
            '\n' => return i,
            _ if protected => protected = false,
            '\\' => protected = true,
            '}' => return i + 1,
            _ => {}
        }
    }
    text.len()
}

/// A name in braces without the backslashes that protect characters.
fn unprotected(inner: &str) -> String {
    let mut chars = inner.chars();
    let next = || match chars.next()? {
        '\\' => chars.next(),
        c => Some(c),
    };
    std::iter::from_fn(next).collect()
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\'' | '.')
}

/// A diagnostic has been reported.
struct Reported;

struct Reader<'a> {
    words: Vec<Word<'a>>,
    at: usize,
    end: usize,
    builder: Builder,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> &'a str {
        self.words.get(self.at).map_or("", |w| w.text)
    }

    fn span(&self) -> Span {
        self.words.get(self.at).map_or(Span::new(self.end, self.end), |w| w.span)
    }

    /// Is the next word on the same line?
    fn goes_on(&self) -> bool {
        self.words.get(self.at).is_some_and(|w| !(w.first && is_keyword(w.text)))
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.goes_on() && self.peek() == word;
        self.at += usize::from(found);
        found
    }

    fn wrong<T>(&mut self, wanted: &str) -> Result<T, Reported> {
        let found = match self.peek() {
            "" => "the text ends".to_owned(),
            word => format!("'{}' is", word.chars().take(40).collect::<String>()),
        };
        self.builder.error(self.span(), format!("expected {wanted}, but {found} here"));
        Err(Reported)
    }

    fn expect(&mut self, word: &str) -> Result<(), Reported> {
        if self.eat(word) { Ok(()) } else { self.wrong(&format!("'{word}'")) }
    }

    fn declaration(&mut self) -> Result<(), Reported> {
        let word = self.words[self.at];
        self.at += 1;
        match word.text {
            "net" => {
                self.builder.net.name = self.name()?.0;
                Ok(())
            }
            "tr" => self.transition(word.span),
            "pl" => self.place(word.span),
            "lb" => self.label_of(),
            "nt" => {
                // A note: its name, a digit, and a text.
                while self.goes_on() {
                    self.at += 1;
                }
                Ok(())
            }
            "pr" => {
                let message = "priorities of transitions are not supported";
                self.builder.out.push(Diagnostic::unsupported(word.span, message));
                Err(Reported)
            }
            _ => {
                self.at -= 1;
                let result = self.wrong("'net', 'tr', 'pl', 'lb' or 'nt' at the start of a line");
                self.at += 1;
                result
            }
        }
    }

    fn name(&mut self) -> Result<(String, Span), Reported> {
        let (word, span) = (self.peek(), self.span());
        let inner = word.strip_prefix('{').and_then(|w| w.strip_suffix('}'));
        let is_plain = word.starts_with(is_name);
        if !self.goes_on() || inner.is_none() && !is_plain {
            return self.wrong("a name");
        }
        self.at += 1;
        Ok((inner.map_or_else(|| word.to_owned(), unprotected), span))
    }

    /// A number, which may end with K, M or G.
    fn number(&mut self) -> Result<u32, Reported> {
        let (word, span) = (self.peek(), self.span());
        let (digits, factor) = match word.bytes().last() {
            Some(b'K') => (&word[..word.len() - 1], 1_000),
            Some(b'M') => (&word[..word.len() - 1], 1_000_000),
            Some(b'G') => (&word[..word.len() - 1], 1_000_000_000),
            _ => (word, 1),
        };
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return self.wrong("a number");
        }
        self.at += 1;
        let number = digits.parse().ok().and_then(|n: u32| n.checked_mul(factor));
        number.ok_or_else(|| {
            let message =
                format!("{word} is too large: the limit of tokens, weights and times is {}", u32::MAX);
            self.builder.error(span, message);
            Reported
        })
    }

    fn label(&mut self) -> Result<Option<String>, Reported> {
        if self.eat(":") { Ok(Some(self.name()?.0)) } else { Ok(None) }
    }

    /// The place of that name, which arcs may use before it is declared.
    fn place_named(&mut self, name: &str, span: Span) -> Result<PlaceId, Reported> {
        match self.builder.find(name) {
            Some(Node::Place(place)) => Ok(place),
            Some(Node::Transition(_)) => {
                self.builder
                    .error(span, format!("'{name}' is a transition: arcs connect transitions with places"));
                Err(Reported)
            }
            None => {
                let place = Place { name: name.to_owned(), label: None, tokens: 0, delay: None, span };
                self.builder.place(place).ok_or(Reported)
            }
        }
    }

    fn transition_named(&mut self, name: &str, span: Span) -> Result<TransitionId, Reported> {
        match self.builder.find(name) {
            Some(Node::Transition(t)) => Ok(t),
            Some(Node::Place(_)) => {
                self.builder
                    .error(span, format!("'{name}' is a place: arcs connect transitions with places"));
                Err(Reported)
            }
            None => self.builder.transition(name, None, span).ok_or(Reported),
        }
    }

    /// `tr t : label [a,b] p q*2 -> r`; several declarations of a transition add up.
    fn transition(&mut self, start: Span) -> Result<(), Reported> {
        let (name, span) = self.name()?;
        let t = self.transition_named(&name, start.to(span))?;
        if let Some(label) = self.label()? {
            self.builder.net.transitions[t.index()].label = Some(label);
        }
        if let Some(interval) = self.interval()? {
            self.builder.net.transitions[t.index()].delay = Some(interval);
        }
        while self.goes_on() && self.peek() != "->" {
            let (place, span) = self.name()?;
            let place = self.place_named(&place, span)?;
            let (kind, weight) = self.arc(true)?;
            self.builder.arc(kind, place, t, weight, span);
        }
        if self.eat("->") {
            while self.goes_on() {
                let (place, span) = self.name()?;
                let place = self.place_named(&place, span)?;
                let (_, weight) = self.arc(false)?;
                self.builder.arc(ArcKind::Output, place, t, weight, span);
            }
        }
        Ok(())
    }

    /// `pl p : label (2) t*2 -> u`, with the transitions that add tokens and those that take them.
    fn place(&mut self, start: Span) -> Result<(), Reported> {
        let (name, span) = self.name()?;
        let place = self.place_named(&name, start.to(span))?;
        if let Some(label) = self.label()? {
            self.builder.net.places[place.index()].label = Some(label);
        }
        if self.eat("(") {
            let tokens = self.number()?;
            self.expect(")")?;
            self.builder.net.places[place.index()].tokens = tokens;
        }
        let mut takes = false;
        while self.goes_on() {
            if !takes && self.eat("->") {
                takes = true;
                continue;
            }
            let (name, span) = self.name()?;
            let t = self.transition_named(&name, span)?;
            let (kind, weight) = self.arc(takes)?;
            self.builder.arc(if takes { kind } else { ArcKind::Output }, place, t, weight, span);
        }
        Ok(())
    }

    /// `lb t label`
    fn label_of(&mut self) -> Result<(), Reported> {
        let (name, span) = self.name()?;
        let label = self.name()?.0;
        match self.builder.find(&name) {
            Some(Node::Place(p)) => self.builder.net.places[p.index()].label = Some(label),
            Some(Node::Transition(t)) => self.builder.net.transitions[t.index()].label = Some(label),
            None => self.builder.error(span, format!("there is no place or transition '{name}'")),
        }
        Ok(())
    }

    /// What follows the name in an arc: `*2`, and from places to transitions `?2` and `?-2`.
    fn arc(&mut self, may_inhibit: bool) -> Result<(ArcKind, u32), Reported> {
        if self.peek() == "!" {
            let message = "stopwatch arcs are not supported";
            self.builder.out.push(Diagnostic::unsupported(self.span(), message));
            return Err(Reported);
        }
        if may_inhibit && self.eat("?") {
            let kind = if self.eat("-") { ArcKind::Inhibitor } else { ArcKind::Read };
            return Ok((kind, self.number()?));
        }
        let weight = if self.eat("*") { self.number()? } else { 1 };
        Ok((ArcKind::Input, weight))
    }

    /// `[0,w[`, `[2,5]`, `]2,5]`, or nothing.
    fn interval(&mut self) -> Result<Option<Interval>, Reported> {
        let start = self.span();
        let after_least = if self.eat("[") {
            false
        } else if self.eat("]") {
            true
        } else {
            return Ok(None);
        };
        let least = self.number()?;
        self.expect(",")?;
        let most = if self.eat("w") { None } else { Some(self.number()?) };
        let before_most = if self.eat("[") {
            true
        } else if self.eat("]") {
            false
        } else {
            return self.wrong("']' or '['");
        };
        let interval = Interval { least, after_least, most, before_most: before_most || most.is_none() };
        if interval.is_empty() {
            let span = start.to(self.words[self.at - 1].span);
            self.builder.error(span, "this interval of time is empty");
            return Err(Reported);
        }
        Ok(Some(interval))
    }
}

/// The words that begin a declaration.
fn is_keyword(word: &str) -> bool {
    matches!(word, "net" | "tr" | "pl" | "lb" | "nt" | "pr")
}

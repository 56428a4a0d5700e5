//! The Hanoi omega-automata format, version 1 (Babiak and others, "The Hanoi Omega-Automata Format", 2015): automata
//! with Büchi or generalized Büchi acceptance, on states or transitions.

mod copied;
mod edit;
mod label;
mod lex;
mod names;
mod renumber;
mod written;

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::buchi::automaton::{Automaton, Marks, StateId, Transition};
use crate::buchi::guard::{Guard, Guards};
use crate::diagnostic::{Diagnostic, Span, check_source, limits};
use crate::text::count;
pub use copied::copied;
pub use edit::{automaton, drawn, edit};
pub use label::label_and_sets;
use lex::{Tok, Token, lex};
use written::{Block, EdgeAt, Item, Written};

/// The maximal number of atoms.
const ATOMS: usize = 256;
/// The maximal number of atoms where transitions have no label: then a state has one for each letter.
const UNLABELLED: usize = 20;

/// The text of an automaton.
#[must_use]
pub fn print(automaton: &Automaton, name: &str) -> String {
    let mut a = automaton.clone();
    let plain = a.is_plain();
    let mut out = "HOA: v1\n".to_owned();
    if !name.is_empty() {
        let _ = writeln!(out, "name: {}", quoted(name));
    }
    let _ = writeln!(out, "States: {}\nStart: {}", a.states.len(), a.initial.0);
    let atoms: Vec<String> = a.atoms.iter().map(|p| quoted(p)).collect();
    let _ =
        writeln!(out, "AP: {}{}{}", atoms.len(), if atoms.is_empty() { "" } else { " " }, atoms.join(" "));
    let (acceptance, formula) = match a.marks {
        0 => ("all".to_owned(), "0 t".to_owned()),
        1 => ("Buchi".to_owned(), "1 Inf(0)".to_owned()),
        n => {
            let all: Vec<String> = (0..n).map(|i| format!("Inf({i})")).collect();
            (format!("generalized-Buchi {n}"), format!("{n} {}", all.join("&")))
        }
    };
    let _ = writeln!(out, "acc-name: {acceptance}\nAcceptance: {formula}");
    let mut properties =
        vec!["trans-labels", "explicit-labels", if plain { "state-acc" } else { "trans-acc" }];
    properties.extend(a.is_complete().then_some("complete"));
    properties.extend(a.is_deterministic().then_some("deterministic"));
    let _ = writeln!(out, "properties: {}\n--BODY--", properties.join(" "));
    let marks = |m: Marks, n: u32| {
        let all: Vec<String> = (0..n).filter(|i| m.has(*i)).map(|i| i.to_string()).collect();
        if all.is_empty() { String::new() } else { format!(" {{{}}}", all.join(" ")) }
    };
    for q in a.ids() {
        let of_state =
            if plain && a.marks > 0 && a.is_accepting(q) { marks(Marks::all(1), 1) } else { String::new() };
        let _ = writeln!(out, "State: {}{of_state}", q.0);
        for t in a.states[q.index()].clone() {
            let label = match t.guard {
                Guard::TRUE => "t".to_owned(),
                Guard::FALSE => "f".to_owned(),
                guard => a.guards.text(guard, &|v| v.to_string()).replace(' ', ""),
            };
            let own = if plain { String::new() } else { marks(t.marks, a.marks) };
            let _ = writeln!(out, "[{label}] {}{own}", t.target.0);
        }
    }
    out.push_str("--END--\n");
    out
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Parses an automaton. Several initial states are replaced by a new one with the transitions of all.
///
/// # Errors
/// Errors and unsupported constructs, with places.
pub fn parse(text: &str) -> Result<Automaton, Vec<Diagnostic>> {
    let (mut automaton, _) = as_written(text)?;
    automaton.join_transitions();
    Ok(automaton)
}

/// Parses an automaton, whose transitions are in the order of the text, with the places of its parts.
///
/// # Errors
/// As of [`parse`].
fn as_written(text: &str) -> Result<(Automaton, Written), Vec<Diagnostic>> {
    check_source(text)?;
    let tokens = lex(text).map_err(|d| vec![d])?;
    let mut reader = Reader {
        text,
        tokens,
        at: 0,
        header: Header::default(),
        guards: Guards::default(),
        written: Written::default(),
    };
    let automaton = reader.automaton().map_err(|d| vec![d])?;
    Ok((automaton, reader.written))
}

type Read<T> = Result<T, Diagnostic>;

#[derive(Default)]
struct Header {
    states: Option<usize>,
    starts: Vec<usize>,
    atoms: Option<Vec<String>>,
    aliases: HashMap<String, Guard>,
    /// By acceptance set: its mark, if it occurs in the condition.
    sets: Option<Vec<Option<u32>>>,
}

struct Reader<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    header: Header,
    guards: Guards,
    written: Written,
}

impl Reader<'_> {
    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn tok(&self) -> Tok {
        self.token().tok
    }

    fn word(&self) -> &str {
        self.token().span.of(self.text)
    }

    /// From a token to the last one that was read.
    fn since(&self, first: Token) -> Span {
        let last = self.tokens[self.at.saturating_sub(1)].span.end;
        Span::new(first.span.start as usize, last.max(first.span.end) as usize)
    }

    fn advance(&mut self) -> Token {
        let token = self.token();
        if token.tok != Tok::End {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, sign: u8) -> bool {
        let found = self.tok() == Tok::Sign(sign);
        if found {
            self.advance();
        }
        found
    }

    fn wrong<T>(&self, message: impl Into<String>) -> Read<T> {
        Err(Diagnostic::error(self.token().span, message))
    }

    fn refused<T>(&self, message: impl Into<String>) -> Read<T> {
        Err(Diagnostic::unsupported(self.token().span, message))
    }

    fn expect(&mut self, sign: u8) -> Read<()> {
        if self.eat(sign) { Ok(()) } else { self.unexpected(&format!("'{}'", sign as char)) }
    }

    fn unexpected<T>(&self, wanted: &str) -> Read<T> {
        let found: String = match self.tok() {
            Tok::End => "the text ends".to_owned(),
            _ => format!("'{}' is", self.word().chars().take(40).collect::<String>()),
        };
        self.wrong(format!("expected {wanted}, but {found} here"))
    }

    fn number(&mut self) -> Read<usize> {
        if self.tok() != Tok::Number {
            return self.unexpected("a number");
        }
        match self.word().parse::<usize>() {
            Ok(n) if n <= limits::GRAPH => {
                self.advance();
                Ok(n)
            }
            _ => self.wrong(format!("this number is too large, the limit is {}", limits::GRAPH)),
        }
    }

    fn automaton(&mut self) -> Read<Automaton> {
        if self.word() != "HOA:" {
            return self.unexpected("'HOA: v1'");
        }
        self.advance();
        if !matches!(self.word(), "v1" | "v1.1") {
            return self.refused("only version 1 of the format is supported");
        }
        self.advance();
        // Aliases may precede the list of atoms that they use.
        let start = self.at;
        let header = self.tokens[start..].iter().take_while(|t| t.tok != Tok::Mark);
        if let Some(at) = header.clone().position(|t| t.span.of(self.text) == "AP:") {
            self.at = start + at + 1;
            self.atoms()?;
            self.at = start;
        }
        while self.word() != "--BODY--" {
            self.header_item()?;
        }
        self.written.body = self.advance().span;
        let automaton = self.body()?;
        self.written.end = self.advance().span;
        match self.tok() {
            Tok::End => Ok(automaton),
            Tok::Header if self.word() == "HOA:" => {
                self.refused("a second automaton begins here; only one is allowed")
            }
            _ => self.unexpected("the end of the automaton"),
        }
    }

    fn header_item(&mut self) -> Read<()> {
        if self.tok() != Tok::Header {
            return self.unexpected("a header item or '--BODY--'");
        }
        let item = self.word().to_owned();
        let first = self.advance();
        match item.as_str() {
            "States:" => {
                self.written.states = Some(self.token().span);
                self.header.states = Some(self.number()?);
            }
            "Start:" => {
                let number = self.token().span;
                let start = self.number()?;
                if self.tok() == Tok::Sign(b'&') {
                    return self.refused("alternating automata are not supported");
                }
                self.header.starts.push(start);
                self.written.starts.push((start, number, self.since(first)));
            }
            "AP:" => {
                let number = self.token().span;
                self.atoms()?;
                self.written.atoms = Some((number, self.since(first)));
            }
            "Alias:" => {
                let name = self.word().to_owned();
                if self.advance().tok != Tok::Alias {
                    return self.unexpected("the name of an alias, as in @a");
                }
                let meaning = self.label(0)?;
                self.header.aliases.insert(name, meaning);
            }
            "Acceptance:" => {
                self.acceptance()?;
                self.written.acceptance = self.since(first);
            }
            // Redundant: implied by the other items.
            _ => {
                let mut words = Vec::new();
                while !matches!(self.tok(), Tok::Header | Tok::Mark | Tok::End) {
                    let word = self.advance();
                    if word.tok == Tok::Sign(b'!') && self.tok() == Tok::Word {
                        self.advance();
                    }
                    words.push(self.since(word));
                }
                self.written.others.push(Item { name: item, span: self.since(first), words });
            }
        }
        Ok(())
    }

    fn atoms(&mut self) -> Read<()> {
        let place = self.token();
        let n = self.number()?;
        if n > ATOMS {
            return Err(Diagnostic::unsupported(
                place.span,
                format!("more than {ATOMS} atoms are not supported"),
            ));
        }
        let mut atoms = Vec::with_capacity(n);
        for _ in 0..n {
            if self.tok() != Tok::Text {
                return self.unexpected("the name of an atom, in quotation marks");
            }
            let word = self.word();
            let name = word[1..word.len() - 1].replace("\\\"", "\"").replace("\\\\", "\\");
            if atoms.contains(&name) {
                return self.wrong(format!("the atom '{name}' is named twice"));
            }
            atoms.push(name);
            self.advance();
        }
        self.header.atoms = Some(atoms);
        Ok(())
    }

    /// `1 Inf(0)`, `2 Inf(0) & Inf(1)`, `0 t`.
    fn acceptance(&mut self) -> Read<()> {
        let place = self.token();
        let n = self.number()?;
        if n > 64 {
            return Err(Diagnostic::unsupported(
                place.span,
                "more than 64 acceptance sets are not supported",
            ));
        }
        let mut sets = vec![None; n];
        let (mut marks, mut open) = (0, 0_usize);
        let supported = "supported are Büchi (Inf(0)) and generalized Büchi (Inf(0) & Inf(1) & …) acceptance";
        loop {
            while self.eat(b'(') {
                open += 1;
            }
            match self.word() {
                "t" => {
                    self.advance();
                }
                "Inf" => {
                    self.advance();
                    self.expect(b'(')?;
                    if self.tok() == Tok::Sign(b'!') {
                        return self
                            .refused(format!("complemented acceptance sets are not supported; {supported}"));
                    }
                    let mark = self.number()?;
                    let Some(set) = sets.get_mut(mark) else {
                        return self.wrong(format!("there is no acceptance set {mark}"));
                    };
                    if set.is_none() {
                        *set = Some(marks);
                        marks += 1;
                    }
                    self.expect(b')')?;
                }
                "Fin" => {
                    return self.refused(format!(
                        "co-Büchi, Rabin, Streett and parity acceptance (Fin) are not supported; {supported}"
                    ));
                }
                "f" => {
                    return self.refused(format!("the acceptance condition f is not supported; {supported}"));
                }
                _ => return self.refused(format!("this acceptance condition is not supported; {supported}")),
            }
            while open > 0 && self.eat(b')') {
                open -= 1;
            }
            if self.tok() == Tok::Sign(b'|') {
                return self
                    .refused(format!("disjunctions of acceptance sets are not supported; {supported}"));
            }
            if !self.eat(b'&') {
                break;
            }
        }
        if open > 0 {
            self.expect(b')')?;
        }
        self.header.sets = Some(sets);
        Ok(())
    }

    /// A label: `|` binds looser than `&`.
    fn label(&mut self, depth: u32) -> Read<Guard> {
        if depth > limits::DEPTH {
            return self
                .wrong(format!("the label is nested too deeply, the limit is {} levels", limits::DEPTH));
        }
        let mut sum = self.product(depth)?;
        while self.eat(b'|') {
            let next = self.product(depth)?;
            sum = self.guards.or(sum, next);
        }
        Ok(sum)
    }

    fn product(&mut self, depth: u32) -> Read<Guard> {
        let mut product = self.literal(depth)?;
        while self.eat(b'&') {
            let next = self.literal(depth)?;
            product = self.guards.and(product, next);
        }
        Ok(product)
    }

    fn literal(&mut self, depth: u32) -> Read<Guard> {
        let mut negated = false;
        while self.eat(b'!') {
            negated = !negated;
        }
        let positive = match self.tok() {
            Tok::Number => {
                let atom = self.number()?;
                let known = self.header.atoms.as_ref().map_or(0, Vec::len);
                if atom >= known {
                    self.at -= 1;
                    return self
                        .wrong(format!("there is no atom {atom}, since the header has 'AP: {known}'"));
                }
                self.guards.variable(u32::try_from(atom).expect("few atoms"))
            }
            Tok::Alias => {
                let Some(meaning) = self.header.aliases.get(self.word()).copied() else {
                    return self.wrong(format!("the alias '{}' is not declared", self.word()));
                };
                self.advance();
                meaning
            }
            Tok::Word if self.word() == "t" => {
                self.advance();
                Guard::TRUE
            }
            Tok::Word if self.word() == "f" => {
                self.advance();
                Guard::FALSE
            }
            Tok::Sign(b'(') => {
                self.advance();
                let inner = self.label(depth + 1)?;
                self.expect(b')')?;
                inner
            }
            _ => return self.unexpected("an atom's number, an alias, t, f or '('"),
        };
        Ok(if negated { self.guards.not(positive) } else { positive })
    }

    fn marks(&mut self) -> Read<Marks> {
        let mut marks = Marks::default();
        if self.eat(b'{') {
            while !self.eat(b'}') {
                let set = self.number()?;
                let Some(mark) = self.header.sets.as_ref().and_then(|sets| sets.get(set)) else {
                    self.at -= 1;
                    return self.wrong("there is no acceptance set of this number");
                };
                marks = marks.union(mark.map_or(Marks::default(), Marks::one));
            }
        }
        Ok(marks)
    }

    fn body(&mut self) -> Read<Automaton> {
        let atoms = self.header.atoms.clone().unwrap_or_default();
        let Some(sets) = &self.header.sets else { return self.wrong("the header has no 'Acceptance:'") };
        let marks = u32::try_from(sets.iter().flatten().count()).expect("few acceptance sets");
        let used = sets.iter().enumerate().filter(|(_, mark)| mark.is_some());
        self.written.sets = used.map(|(set, _)| set).collect();
        let mut states: Vec<Option<Vec<Transition>>> = vec![None; self.header.states.unwrap_or(0)];
        while self.word() != "--END--" {
            if self.word() == "--ABORT--" {
                return self.wrong("the tool that wrote the automaton aborted it");
            }
            self.state(&mut states, atoms.len())?;
        }
        let named = self
            .header
            .starts
            .iter()
            .copied()
            .chain(states.iter().flatten().flatten().map(|t| t.target.index()));
        let least = named.max().map_or(0, |n| n + 1).max(states.len());
        if let Some(declared) = self.header.states.filter(|declared| *declared < least) {
            return Err(self.unknown_state(declared));
        }
        let count = least.max(1);
        let mut states: Vec<Vec<Transition>> = states.into_iter().map(Option::unwrap_or_default).collect();
        states.resize(count, Vec::new());
        let initial = match self.header.starts[..] {
            [] => {
                // The automaton has no runs.
                states.push(Vec::new());
                states.len() - 1
            }
            [only] => only,
            _ => {
                let all = self.header.starts.iter().flat_map(|q| states[*q].clone()).collect();
                states.push(all);
                states.len() - 1
            }
        };
        let guards = std::mem::take(&mut self.guards);
        Ok(Automaton { atoms, guards, marks, initial: StateId::new(initial), states })
    }

    /// The first state that is named although the header declares fewer.
    fn unknown_state(&self, declared: usize) -> Diagnostic {
        let number = |span: &Span| span.of(self.text).parse().unwrap_or(0_usize);
        let targets = self.written.blocks.iter().flat_map(|block| {
            std::iter::once(block.number).chain(block.edges.iter().map(|edge| edge.target))
        });
        let named = self.written.starts.iter().map(|(_, span, _)| *span).chain(targets);
        let place = named.into_iter().find(|span| number(span) >= declared).unwrap_or_default();
        let message =
            format!("there is no state {}, since the header has 'States: {declared}'", number(&place));
        Diagnostic::error(place, message)
    }

    fn state(&mut self, states: &mut Vec<Option<Vec<Transition>>>, atoms: usize) -> Read<()> {
        if self.word() != "State:" {
            return self.unexpected("'State:' or '--END--'");
        }
        let first = self.advance();
        let of_state = self.bracketed()?;
        let place = self.token();
        let state = self.number()?;
        let name = (self.tok() == Tok::Text).then(|| self.advance().span);
        let marks_from = self.token();
        let state_marks = self.marks()?;
        let marks = self.since(marks_from);
        let mut block = Block {
            state,
            number: place.span,
            name,
            label: of_state.map(|(_, span)| span),
            marks: (marks_from.tok == Tok::Sign(b'{')).then_some(marks),
            head: self.since(first),
            edges: Vec::new(),
        };
        let (mut out, mut implicit) = (Vec::new(), 0_u32);
        while matches!(self.tok(), Tok::Sign(b'[') | Tok::Number) {
            let start = self.token();
            let own = self.bracketed()?;
            let guard = if let Some((label, _)) = own.or(of_state) {
                label
            } else {
                if atoms > UNLABELLED {
                    let message = format!(
                        "transitions without labels over more than {UNLABELLED} atoms are not supported"
                    );
                    return self.refused(&message);
                }
                let bits = implicit;
                implicit += 1;
                let literals: Vec<(u32, bool)> =
                    (0..u32::try_from(atoms).expect("few atoms")).map(|i| (i, bits >> i & 1 == 1)).collect();
                self.guards.cube(&literals)
            };
            let target_at = self.token().span;
            let target = StateId::new(self.number()?);
            if self.tok() == Tok::Sign(b'&') {
                return self.refused("alternating automata are not supported");
            }
            let marks_from = self.token();
            let own_marks = self.marks()?;
            let marks = (marks_from.tok == Tok::Sign(b'{')).then(|| self.since(marks_from));
            out.push(Transition { guard, marks: own_marks.union(state_marks), target });
            let label = own.map(|(_, span)| span);
            block.edges.push(EdgeAt { label, target: target_at, marks, span: self.since(start) });
        }
        if implicit > 0 && implicit != 1 << atoms {
            let message = format!(
                "state {state} has {} without a label; for {} there must be {}",
                count(implicit as usize, "transition"),
                count(atoms, "atom"),
                1_usize << atoms
            );
            return Err(Diagnostic::error(place.span, message));
        }
        if states.len() <= state {
            states.resize(state + 1, None);
        }
        if states[state].replace(out).is_some() {
            return Err(Diagnostic::error(place.span, format!("state {state} is described twice")));
        }
        self.written.blocks.push(block);
        Ok(())
    }

    /// A label in brackets, if there is one here, and the place of its text.
    fn bracketed(&mut self) -> Read<Option<(Guard, Span)>> {
        if !self.eat(b'[') {
            return Ok(None);
        }
        let first = self.token();
        let label = self.label(0)?;
        let span = self.since(first);
        self.expect(b']')?;
        Ok(Some((label, span)))
    }
}

#[cfg(test)]
mod tests;

//! Parsing of AIGER files.

use super::{Circuit, Gate, Latch, Literal, Reset};
use crate::diagnostic::{Diagnostic, Span, limits};

/// A line with its place.
struct Line<'a> {
    text: &'a str,
    span: Span,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    circuit: Circuit,
    defined: Vec<bool>,
}

/// An unsigned number.
fn number(word: &str) -> Option<u32> {
    word.bytes().all(|b| b.is_ascii_digit()).then(|| word.parse().ok())?
}

fn wrong<T>(span: Span, message: impl Into<String>) -> Result<T, Diagnostic> {
    Err(Diagnostic::error(span, message))
}

/// Parses an ASCII file.
pub(super) fn circuit(text: &str) -> Result<Circuit, Diagnostic> {
    let mut r = Reader { text, at: 0, circuit: Circuit::default(), defined: Vec::new() };
    let header = r.line()?;
    let counts = r.header(&header)?;
    let [most, inputs, latches, outputs, gates, bad, constraints, justice, fairness] = counts;
    let most_possible = u32::try_from(limits::SOURCE).unwrap_or(u32::MAX);
    if most > most_possible || inputs.saturating_add(latches).saturating_add(gates) > most {
        let message = format!(
            "the greatest variable is {most}, which does not fit {inputs} inputs, {latches} latches and {gates} gates"
        );
        return wrong(header.span, message);
    }
    r.circuit.most = most;
    r.defined = vec![false; most as usize + 1];
    r.defined[0] = true;
    r.body([inputs, latches, outputs, gates, bad, constraints, justice, fairness])?;
    (r.circuit.has_justice, r.circuit.has_fairness) = (justice > 0, fairness > 0);
    r.check_uses()?;
    r.symbols([inputs, latches, outputs, bad, constraints, justice, fairness])?;
    Ok(r.circuit)
}

impl<'a> Reader<'a> {
    fn line(&mut self) -> Result<Line<'a>, Diagnostic> {
        if self.at >= self.text.len() {
            return wrong(Span::new(self.at, self.at), "the file ends too early");
        }
        let rest = &self.text[self.at..];
        let length = rest.find('\n').unwrap_or(rest.len());
        let text = rest[..length].trim_end_matches('\r');
        let span = Span::new(self.at, self.at + text.len());
        self.at += (length + 1).min(rest.len());
        Ok(Line { text, span })
    }

    /// M I L O A and, if there are any, B C J F.
    fn header(&self, line: &Line<'_>) -> Result<[u32; 9], Diagnostic> {
        let mut words = line.text.split(' ');
        if words.next() != Some("aag") {
            return wrong(line.span, "an ASCII AIGER file starts with 'aag M I L O A'");
        }
        let numbers: Option<Vec<u32>> = words.map(number).collect();
        match numbers {
            Some(n) if (5..=9).contains(&n.len()) => {
                let mut all = [0; 9];
                all[..n.len()].copy_from_slice(&n);
                Ok(all)
            }
            _ => wrong(line.span, "the header is 'aag M I L O A', with up to four more counts B C J F"),
        }
    }

    /// A line of literals, with bounds on their number.
    fn literals(&mut self, least: usize, most: usize) -> Result<(Vec<Literal>, Span), Diagnostic> {
        let line = self.line()?;
        let numbers: Option<Vec<Literal>> = line.text.split(' ').map(number).collect();
        let Some(all) = numbers.filter(|n| (least..=most).contains(&n.len())) else {
            let wanted = if least == most { format!("{least}") } else { format!("{least} or {most}") };
            return wrong(line.span, format!("expected {wanted} literals, separated by single blanks"));
        };
        if let Some(large) = all.iter().find(|l| **l / 2 > self.circuit.most) {
            return wrong(line.span, format!("the literal {large} is above the greatest variable"));
        }
        Ok((all, line.span))
    }

    fn one(&mut self) -> Result<(Literal, Span), Diagnostic> {
        self.literals(1, 1).map(|(all, span)| (all[0], span))
    }

    fn define(&mut self, literal: Literal, span: Span) -> Result<(), Diagnostic> {
        if literal % 2 == 1 || literal == 0 {
            return wrong(
                span,
                format!("the literal {literal} cannot be defined: it is negated or constant"),
            );
        }
        if std::mem::replace(&mut self.defined[(literal / 2) as usize], true) {
            return wrong(span, format!("the literal {literal} is defined twice"));
        }
        Ok(())
    }

    fn body(&mut self, counts: [u32; 8]) -> Result<(), Diagnostic> {
        let [inputs, latches, outputs, gates, bad, constraints, justice, fairness] = counts;
        for _ in 0..inputs {
            let (literal, span) = self.one()?;
            self.define(literal, span)?;
            self.circuit.inputs.push((literal, span));
        }
        for _ in 0..latches {
            let (all, span) = self.literals(2, 3)?;
            self.define(all[0], span)?;
            let reset = match all.get(2) {
                None | Some(0) => Reset::Value(false),
                Some(1) => Reset::Value(true),
                Some(l) if *l == all[0] => Reset::Any,
                Some(l) => return wrong(span, format!("a latch starts with 0, 1 or itself, not with {l}")),
            };
            self.circuit.latches.push(Latch { literal: all[0], next: all[1], reset, span });
        }
        for _ in 0..outputs {
            let output = self.one()?;
            self.circuit.outputs.push(output);
        }
        for _ in 0..bad {
            let bad = self.one()?;
            self.circuit.bad.push(bad);
        }
        for _ in 0..constraints {
            let constraint = self.one()?;
            self.circuit.constraints.push(constraint);
        }
        let mut sizes = Vec::new();
        for _ in 0..justice {
            let line = self.line()?;
            let size: u32 =
                line.text.parse().or_else(|_| wrong(line.span, "expected the size of a justice property"))?;
            sizes.push(size);
        }
        for _ in 0..sizes.iter().map(|n| u64::from(*n)).sum::<u64>() + u64::from(fairness) {
            let other = self.one()?;
            self.circuit.others.push(other);
        }
        for _ in 0..gates {
            let (all, span) = self.literals(3, 3)?;
            self.define(all[0], span)?;
            self.circuit.gates.push(Gate { literal: all[0], operands: [all[1], all[2]], span });
        }
        Ok(())
    }

    /// Checks that every literal in use is defined.
    fn check_uses(&self) -> Result<(), Diagnostic> {
        let c = &self.circuit;
        let single = [&c.outputs, &c.bad, &c.constraints, &c.others].into_iter().flatten().copied();
        let latches = c.latches.iter().map(|l| (l.next, l.span));
        let gates = c.gates.iter().flat_map(|g| g.operands.map(|l| (l, g.span)));
        for (literal, span) in single.chain(latches).chain(gates) {
            if !self.defined[(literal / 2) as usize] {
                return wrong(span, format!("the literal {literal} is not defined"));
            }
        }
        Ok(())
    }

    /// The symbol table, up to the comment.
    fn symbols(&mut self, counts: [u32; 7]) -> Result<(), Diagnostic> {
        while self.at < self.text.len() {
            let line = self.line()?;
            if line.text == "c" {
                return Ok(());
            }
            let symbol = || {
                let (key, name) = line.text.split_once(' ')?;
                let letter = key.chars().next().filter(|_| !name.is_empty())?;
                let count = counts["ilobcjf".find(letter)?];
                let position = number(&key[1..])?;
                Some((letter, position as usize, name.to_owned(), position < count))
            };
            match symbol() {
                Some((letter, position, _, false)) => {
                    return wrong(line.span, format!("there is no {letter}{position} to be named"));
                }
                Some((letter, position, name, true)) => {
                    if self.circuit.names.insert((letter, position), name).is_some() {
                        return wrong(line.span, format!("{letter}{position} is named twice"));
                    }
                }
                None => {
                    return wrong(line.span, "expected a symbol such as 'i0 NAME', or 'c' before a comment");
                }
            }
        }
        Ok(())
    }
}

/// Converts a binary file to an ASCII one; `None` if it does not start with `aig`.
///
/// # Errors
/// A description of the error.
pub fn ascii(bytes: &[u8]) -> Option<Result<String, String>> {
    bytes.starts_with(b"aig ").then(|| decode(bytes))
}

fn decode(bytes: &[u8]) -> Result<String, String> {
    let mut at = 0;
    let mut line = || {
        let rest = bytes.get(at..).unwrap_or_default();
        let length = rest.iter().position(|b| *b == b'\n').ok_or("the file ends too early")?;
        at += length + 1;
        std::str::from_utf8(&rest[..length]).map_err(|_| "a line is not valid text")
    };
    let header = line()?;
    let counts: Option<Vec<u32>> = header.split(' ').skip(1).map(|w| w.parse().ok()).collect();
    let mut counts =
        counts.filter(|n| (5..=9).contains(&n.len())).ok_or("the header is 'aig M I L O A B C J F'")?;
    counts.resize(9, 0);
    let [most, inputs, latches, outputs, gates, bad, constraints, justice, fairness] =
        <[u32; 9]>::try_from(counts.clone()).map_err(|_| "the header has nine counts")?;
    if u64::from(inputs) + u64::from(latches) + u64::from(gates) != u64::from(most) {
        return Err(
            "in a binary file the greatest variable is the number of inputs, latches and gates".to_owned()
        );
    }
    if most as usize > limits::SOURCE {
        return Err(format!("{most} variables are too many"));
    }
    let counts: Vec<String> = counts.iter().map(u32::to_string).collect();
    let mut text = format!("aag {}\n", counts.join(" "));
    (1..=inputs).for_each(|i| text.push_str(&format!("{}\n", 2 * i)));
    for i in inputs + 1..=inputs + latches {
        text.push_str(&format!("{} {}\n", 2 * i, line()?));
    }
    for _ in 0..outputs.saturating_add(bad).saturating_add(constraints) {
        text.push_str(&format!("{}\n", line()?));
    }
    let mut members = u64::from(fairness);
    for _ in 0..justice {
        let size = line()?;
        members += size.parse::<u64>().map_err(|_| "the size of a justice property is a number")?;
        text.push_str(&format!("{size}\n"));
    }
    for _ in 0..members {
        text.push_str(&format!("{}\n", line()?));
    }
    let mut delta = || -> Result<u32, String> {
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let byte = *bytes.get(at).ok_or("the file ends within the gates")?;
            at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return u32::try_from(value).map_err(|_| "a difference of literals is too large".to_owned());
            }
            if shift > 28 {
                return Err("a difference of literals is too large".to_owned());
            }
        }
    };
    for i in inputs + latches + 1..=most {
        let gate = 2 * i;
        let first = delta()?;
        let a = gate.checked_sub(first).filter(|_| first > 0).ok_or("a gate uses a later gate")?;
        let b = a.checked_sub(delta()?).ok_or("a gate uses a later gate")?;
        text.push_str(&format!("{gate} {a} {b}\n"));
    }
    let rest = bytes.get(at..).unwrap_or_default();
    text.push_str(&String::from_utf8_lossy(rest));
    Ok(text)
}

//! Never claims of SPIN (Holzmann, "The SPIN Model Checker", 2003): Büchi automata whose states are labels, accepting
//! if these start with `accept`. A claim that reaches its end, or fails an assertion, has matched a violation; this is
//! an accepting sink.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::buchi::automaton::{Automaton, Marks, StateId, Transition};
use crate::buchi::guard::{Guard, Guards};
use crate::diagnostic::{Diagnostic, Span, check_source};
use crate::ltl::{self, Formula};

/// The text of an automaton with accepting states.
///
/// # Panics
/// If acceptance is not by states.
#[must_use]
pub fn print(automaton: &Automaton, name: &str) -> String {
    assert!(automaton.is_plain(), "never claims have accepting states");
    let mut a = automaton.clone();
    let label = |q: StateId| {
        let accepting = if automaton.is_accepting(q) { "accept" } else { "T0" };
        if q == automaton.initial { format!("{accepting}_init") } else { format!("{accepting}_S{}", q.0) }
    };
    let atom = |v: u32| {
        let name = &automaton.atoms[v as usize];
        let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        // Comparisons in SPIN's spelling.
        if plain {
            name.clone()
        } else {
            format!("({})", name.replace(" = ", " == ").replace(" /= ", " != "))
        }
    };
    let literal = |(v, positive): (u32, bool)| if positive { atom(v) } else { format!("!{}", atom(v)) };
    let mut out = format!("never {{ /* {} */\n", name.replace("*/", "* /"));
    // The first label is the initial one.
    let mut states: Vec<StateId> = a.ids().collect();
    states.sort_by_key(|q| *q != a.initial);
    for q in states {
        let _ = writeln!(out, "{}:", label(q));
        if a.out(q).is_empty() {
            out.push_str("  false;\n");
            continue;
        }
        out.push_str("  if\n");
        for t in a.out(q).to_vec() {
            let cubes = a.guards.implicants(t.guard).into_iter().map(|cube| {
                if cube.is_empty() {
                    "1".to_owned()
                } else {
                    cube.into_iter().map(literal).collect::<Vec<_>>().join(" && ")
                }
            });
            for cube in cubes {
                let _ = writeln!(out, "  :: ({cube}) -> goto {}", label(t.target));
            }
        }
        out.push_str("  fi;\n");
    }
    out.push_str("}\n");
    out
}

/// Parses a never claim.
///
/// # Errors
/// Errors in the text, with places.
pub fn parse(text: &str) -> Result<Automaton, Vec<Diagnostic>> {
    check_source(text)?;
    if let Some(at) = open_comment(text) {
        let message = "this comment is not closed by '*/'";
        return Err(vec![Diagnostic::error(Span::new(at, at + 2), message)]);
    }
    let mut reader = Reader::new(text);
    reader.claim()?;
    reader.automaton().map_err(|d| vec![d])
}

/// Is this the text of a never claim?
pub(super) fn is_claim(text: &str) -> bool {
    without_comments(text).trim_start().starts_with("never")
}

/// The next comment from an offset on: its range, and whether it is closed.
fn comment(text: &str, from: usize) -> Option<(usize, usize, bool)> {
    let start = ["/*", "//"].iter().filter_map(|open| text[from..].find(open)).min()? + from;
    let close = if text[start..].starts_with("/*") { "*/" } else { "\n" };
    let end = text[start + 2..].find(close).map(|i| start + 2 + i + close.len());
    Some((start, end.unwrap_or(text.len()), end.is_some() || close == "\n"))
}

/// The start of an unclosed comment.
fn open_comment(text: &str) -> Option<usize> {
    let mut at = 0;
    while let Some((start, end, closed)) = comment(text, at) {
        if !closed {
            return Some(start);
        }
        at = end;
    }
    None
}

/// The text with comments replaced by blanks.
fn without_comments(source: &str) -> String {
    let mut text = source.to_owned();
    let mut at = 0;
    while let Some((start, end, _)) = comment(&text, at) {
        let blank = |b: u8| if b == b'\n' { '\n' } else { ' ' };
        let blanks: String = text[start..end].bytes().map(blank).collect();
        text.replace_range(start..end, &blanks);
        at = end;
    }
    text
}

/// The target of a step.
enum To {
    Label(String, Span),
    /// Back to the start of the statement.
    Here,
    /// To the next statement; after the last one, the violation is complete.
    Next,
    /// To the accepting sink.
    End,
}

/// A guard: a formula over the atoms parsed so far, or `else`.
enum When {
    Formula(Formula),
    Else,
}

/// A state: its labels and its steps.
type State = (Vec<(String, Span)>, Vec<(When, To)>);

struct Reader {
    /// The text with comments replaced by blanks.
    text: String,
    at: usize,
    atoms: Vec<String>,
    states: Vec<State>,
}

impl Reader {
    fn new(source: &str) -> Reader {
        Reader { text: without_comments(source), at: 0, atoms: Vec::new(), states: Vec::new() }
    }

    fn rest(&mut self) -> &str {
        self.at += self.text[self.at..].len() - self.text[self.at..].trim_start().len();
        &self.text[self.at..]
    }

    fn word(&mut self) -> String {
        let name = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
        self.rest().chars().take_while(name).collect()
    }

    fn eat(&mut self, what: &str) -> bool {
        let found = self.rest().starts_with(what);
        if found {
            self.at += what.len();
        }
        found
    }

    fn wrong<T>(&mut self, message: impl Into<String>) -> Result<T, Vec<Diagnostic>> {
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        Err(vec![Diagnostic::error(Span::new(self.at, self.at + length), message)])
    }

    fn expect(&mut self, what: &str) -> Result<(), Vec<Diagnostic>> {
        if self.eat(what) { Ok(()) } else { self.wrong(format!("expected '{what}'")) }
    }

    fn claim(&mut self) -> Result<(), Vec<Diagnostic>> {
        self.expect("never")?;
        let name = self.word();
        self.at += name.len();
        self.expect("{")?;
        while !self.eat("}") {
            let mut labels = Vec::new();
            loop {
                let label = self.word();
                let after = self.at + label.len();
                if label.is_empty()
                    || !self.text[after..].trim_start().starts_with(':')
                    || self.text[after..].trim_start().starts_with("::")
                {
                    break;
                }
                let span = Span::new(self.at, after);
                self.at = after;
                self.expect(":")?;
                labels.push((label, span));
            }
            if labels.is_empty() && !self.states.is_empty() {
                return self.wrong("expected a label, as in 'accept_S1:'");
            }
            let steps = self.statement()?;
            self.states.push((labels, steps));
        }
        if self.states.is_empty() {
            return self.wrong("the claim has no states");
        }
        if self.rest().is_empty() { Ok(()) } else { self.wrong("expected the end of the claim") }
    }

    fn statement(&mut self) -> Result<Vec<(When, To)>, Vec<Diagnostic>> {
        let word = self.word();
        let always = When::Formula(Formula::Constant(true));
        let steps = match word.as_str() {
            "do" | "if" => {
                self.at += 2;
                let end = if word == "do" { "od" } else { "fi" };
                let mut steps = Vec::new();
                while self.word() != end {
                    self.expect("::")?;
                    steps.push(self.option(word == "do")?);
                }
                self.at += 2;
                steps
            }
            "skip" => {
                self.at += 4;
                vec![(always, To::Next)]
            }
            "false" => {
                self.at += 5;
                Vec::new()
            }
            "goto" => {
                return self.wrong("a state that is only a jump to another one is not supported");
            }
            _ => return self.wrong("expected 'do', 'if', 'skip' or 'false'"),
        };
        while self.eat(";") {}
        Ok(steps)
    }

    fn option(&mut self, repeats: bool) -> Result<(When, To), Vec<Diagnostic>> {
        let atomic = self.word() == "atomic";
        if atomic {
            self.at += 6;
            self.expect("{")?;
        }
        let when = self.guard()?;
        let mut to = if repeats { To::Here } else { To::Next };
        if self.eat("->") || self.eat(";") {
            let word = self.word();
            let start = self.at;
            self.at += word.len();
            match word.as_str() {
                "goto" => {
                    let label = self.word();
                    let span = Span::new(self.at, self.at + label.len());
                    self.at += label.len();
                    to = To::Label(label, span);
                }
                "assert" => {
                    self.guard()?;
                    to = To::End;
                }
                "break" if repeats => to = To::Next,
                _ => {
                    self.at = start;
                    return self.wrong("expected 'goto' and a label, 'break' or 'assert'");
                }
            }
        }
        if atomic {
            self.expect("}")?;
        }
        while self.eat(";") {}
        Ok((when, to))
    }

    /// A condition up to `->`, `::`, `;`, `}` or the word that ends the list.
    fn guard(&mut self) -> Result<When, Vec<Diagnostic>> {
        if self.word() == "else" {
            self.at += 4;
            return Ok(When::Else);
        }
        let start = self.at;
        let bytes = self.text.as_bytes();
        let (mut end, mut depth) = (start, 0_usize);
        while end < bytes.len() {
            let rest = &self.text[end..];
            let ends_word = |w: &str| {
                rest.starts_with(w)
                    && !(bytes[end - 1].is_ascii_alphanumeric() || bytes[end - 1] == b'_')
                    && !rest[2..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
            };
            match bytes[end] {
                b'(' => depth += 1,
                b')' if depth == 0 => break,
                b')' => depth -= 1,
                _ if depth > 0 => {}
                b'-' if rest.starts_with("->") => break,
                b':' if rest.starts_with("::") => break,
                b';' | b'}' => break,
                b'o' | b'f' if end > start && (ends_word("od") || ends_word("fi")) => break,
                _ => {}
            }
            end += rest.chars().next().map_or(1, char::len_utf8);
        }
        let blank: String = self.text[..start].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }).collect();
        let parsed = ltl::propositional(&(blank + &self.text[start..end]))?;
        if parsed.formula.is_temporal() {
            return self.wrong("a guard is about one state: it has no temporal operators");
        }
        let numbers: Vec<usize> = parsed
            .atoms
            .iter()
            .map(|name| {
                self.atoms.iter().position(|a| a == name).unwrap_or_else(|| {
                    self.atoms.push(name.clone());
                    self.atoms.len() - 1
                })
            })
            .collect();
        self.at = end;
        Ok(When::Formula(parsed.formula.renamed(&numbers)))
    }

    fn automaton(self) -> Result<Automaton, Diagnostic> {
        let mut number: HashMap<&str, usize> = HashMap::new();
        for (q, (labels, _)) in self.states.iter().enumerate() {
            for label in labels {
                let (label, span) = label;
                if number.insert(label, q).is_some() {
                    return Err(Diagnostic::error(*span, format!("there are two labels '{label}'")));
                }
            }
        }
        let end = StateId::new(self.states.len());
        let mut guards = Guards::default();
        let mut states = Vec::new();
        for (q, (labels, steps)) in self.states.iter().enumerate() {
            let accepting = labels.iter().any(|(l, _)| l.starts_with("accept"));
            let marks = if accepting { Marks::all(1) } else { Marks::default() };
            let (mut out, mut sum) = (Vec::new(), Guard::FALSE);
            for (when, _) in steps {
                if let When::Formula(f) = when {
                    let guard = guard(f, &mut guards);
                    sum = guards.or(sum, guard);
                }
            }
            for (when, to) in steps {
                let guard = match when {
                    When::Formula(f) => guard(f, &mut guards),
                    When::Else => guards.not(sum),
                };
                let target = match to {
                    To::Here => StateId::new(q),
                    To::Next => StateId::new(q + 1),
                    To::End => end,
                    To::Label(label, span) => match number.get(label.as_str()) {
                        Some(q) => StateId::new(*q),
                        None => return Err(Diagnostic::error(*span, format!("there is no label '{label}'"))),
                    },
                };
                if guard != Guard::FALSE {
                    out.push(Transition { guard, marks, target });
                }
            }
            states.push(out);
        }
        states.push(vec![Transition { guard: Guard::TRUE, marks: Marks::all(1), target: end }]);
        let automaton = Automaton { atoms: self.atoms, guards, marks: 1, initial: StateId(0), states };
        Ok(automaton.reduced().degeneralized())
    }
}

/// The letters that satisfy a formula without temporal operators.
fn guard(f: &Formula, guards: &mut Guards) -> Guard {
    let parts: Vec<Guard> = f.children().iter().map(|c| guard(c, guards)).collect();
    match f {
        Formula::Constant(true) => Guard::TRUE,
        Formula::Constant(false) => Guard::FALSE,
        Formula::Atom(p) => guards.variable(p.0),
        Formula::Not(_) => guards.not(parts[0]),
        Formula::And(_) => parts.into_iter().fold(Guard::TRUE, |a, b| guards.and(a, b)),
        Formula::Or(_) => parts.into_iter().fold(Guard::FALSE, |a, b| guards.or(a, b)),
        Formula::Implies(_) => {
            let not = guards.not(parts[0]);
            guards.or(not, parts[1])
        }
        Formula::Iff(_) | Formula::Xor(_) => {
            let not = guards.not(parts[1]);
            let iff = guards.choose(parts[0], parts[1], not);
            if matches!(f, Formula::Iff(_)) { iff } else { guards.not(iff) }
        }
        Formula::Unary(..) | Formula::Binary(..) => unreachable!("it is refused"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buchi::{Compared, of_formula, same_words};

    #[test]
    fn claims_are_read_as_they_are_written() {
        for text in ["G F p", "p U q", "F G (p & !q)", "G (p -> X q)", "false", "true"] {
            let p = crate::ltl::propositional(text).unwrap();
            let claim = print(&of_formula(&p.formula, &p.atoms).unwrap(), text);
            let read = parse(&claim).unwrap_or_else(|d| panic!("{}\n{claim}", d[0].message));
            let read = read.over(&p.atoms).unwrap();
            assert_eq!(same_words(&read, &p.formula).unwrap(), Compared::Same, "{text}\n{claim}");
        }
    }

    #[test]
    fn claims_of_other_tools_are_read() {
        let claims = [
            // SPIN's, with its assertion.
            "never {    /* !([]p) */\nT0_init:\n\tdo\n\t:: atomic { (! ((p))) -> assert(!(! ((p)))) }\n\t:: (1) -> goto T0_init\n\tod;\naccept_all:\n\tskip\n}",
            // With several labels on one state, `else`, and an option without a jump.
            "never x { S: do :: !p -> break :: else od; }",
            // A statement without `goto` continues at the next one.
            "never { T: if :: p -> goto T /* again // */ :: !p fi; S: do :: p :: !p -> goto S :: true -> break od }",
            "never { T: if :: (p) -> goto T :: !(p) -> goto accept_all fi; accept_all: skip; }",
            "never { // a comment with /* in it\nT: if :: (p) -> goto T :: !(p) -> goto accept_all fi; accept_all: skip; }",
        ];
        let f = crate::ltl::propositional("F !p").unwrap();
        for claim in claims {
            let read = parse(claim).unwrap_or_else(|d| panic!("{}\n{claim}", d[0].message));
            assert_eq!(
                same_words(&read.over(&f.atoms).unwrap(), &f.formula).unwrap(),
                Compared::Same,
                "{claim}"
            );
        }
    }

    #[test]
    fn mistakes_have_places() {
        for (text, at, message) in [
            ("never { S: do :: p -> goto T od }", 27, "there is no label 'T'"),
            ("never { S: while }", 11, "expected 'do', 'if', 'skip' or 'false'"),
            ("never { S: do :: G p -> goto S od }", 17, "a guard is about one state"),
            ("never { }", 9, "the claim has no states"),
            ("never { S: skip; S: skip }", 17, "there are two labels 'S'"),
            ("never { S: do :: p -> skip od }", 22, "expected 'goto' and a label"),
            ("never { S: skip /* }", 16, "this comment is not closed"),
            ("always { }", 0, "expected 'never'"),
        ] {
            let d = &parse(text).unwrap_err()[0];
            assert!(d.message.starts_with(message), "{text}: {}", d.message);
            assert_eq!(d.span.start, at, "{text}: {}", d.message);
        }
    }
}

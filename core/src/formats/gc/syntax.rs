//! The syntax of `.gc` texts, with error recovery: a broken declaration is skipped up to the next line that begins one.

use crate::diagnostic::{Diagnostic, Span, limits};
use crate::expr::ast::Ast;
use crate::expr::{Parsed, Parser, Reported, Syntax, Tok};
use crate::formats::Name;
use crate::formats::family::begins_line;
use crate::net::NamedProperty;

/// The words that begin a declaration, and are not names.
pub(super) const WORDS: [&str; 8] =
    ["system", "const", "var", "control", "for", "predicate", "error", "property"];

/// A text as it is written.
#[derive(Default)]
pub(super) struct Spec {
    /// The name of the system.
    pub(super) name: String,
    /// The declarations, in order.
    pub(super) items: Vec<Item>,
    /// The properties.
    pub(super) properties: Vec<NamedProperty>,
    /// How many blocks are open.
    open: usize,
}

/// A declaration.
pub(super) enum Item {
    /// `const n = 3`
    Constant(Name, Ast),
    /// `var x, y[1..n] : int = 0`
    Variables(Variables),
    /// A guarded command.
    Command(Command),
    /// `for i in 1..n { … }`
    For(For),
    /// `predicate x >= 0`
    Predicate(Ast),
    /// `error x = 2`
    Error(Ast),
}

/// Variables of one type.
pub(super) struct Variables {
    /// Are they program counters, which are never abstracted?
    pub(super) control: bool,
    /// Their names, each with the bounds of its indices.
    pub(super) names: Vec<(Name, Option<[Ast; 2]>)>,
    pub(super) ty: Written,
    /// Their initial value.
    pub(super) value: Option<Ast>,
}

/// A type as written.
pub(super) enum Written {
    Bool,
    Int,
    /// `{a, b}`
    Values(Vec<Name>),
}

/// `name: guard -> x := e, y := input`
pub(super) struct Command {
    pub(super) name: Option<Name>,
    pub(super) guard: Ast,
    pub(super) assignments: Vec<Assignment>,
    pub(super) span: Span,
}

/// `x := e`, `x[i] := input`
pub(super) struct Assignment {
    /// The variable, possibly with an index.
    pub(super) target: Ast,
    /// The value; none for an input.
    pub(super) value: Option<Ast>,
}

/// Declarations that are repeated for each value of a parameter.
pub(super) struct For {
    pub(super) parameter: Name,
    /// The first and the last value.
    pub(super) bounds: [Ast; 2],
    pub(super) body: Vec<Item>,
    /// The part before the body.
    pub(super) span: Span,
}

/// Parses a text that has passed `check_source`; also returns the errors of its syntax.
pub(super) fn parse(text: &str) -> (Spec, Vec<Diagnostic>) {
    let mut p = Parser::new(text, Syntax::Ltl);
    let mut spec = Spec::default();
    let read = spec.read(&mut p, text);
    if read.is_ok() && p.tok() != Tok::End {
        p.unexpected("the end of the text after the system's '}'");
    }
    (spec, p.out)
}

impl Spec {
    fn read(&mut self, p: &mut Parser<'_>, text: &str) -> Parsed<()> {
        if p.word() != "system" {
            return Err(p.unexpected("'system'"));
        }
        p.advance();
        self.name = name(p)?.text;
        p.expect(Tok::Sym("{"))?;
        self.items = self.items(p, text)?;
        p.expect(Tok::Sym("}"))?;
        Ok(())
    }

    /// Declarations up to a brace.
    fn items(&mut self, p: &mut Parser<'_>, text: &str) -> Parsed<Vec<Item>> {
        let mut items = Vec::new();
        while !matches!(p.tok(), Tok::Sym("}") | Tok::End) {
            match self.item(p, text) {
                Ok(item) => items.extend(item),
                Err(Reported) => skip(p, text),
            }
            while p.eat(Tok::Sym(";")) {}
            if p.out.len() > limits::DIAGNOSTICS {
                return Err(Reported);
            }
        }
        Ok(items)
    }

    fn item(&mut self, p: &mut Parser<'_>, text: &str) -> Parsed<Option<Item>> {
        Ok(Some(match p.word() {
            "const" => {
                p.advance();
                let name = name(p)?;
                p.expect(Tok::Sym("="))?;
                Item::Constant(name, p.expression()?)
            }
            "var" | "control" => Item::Variables(variables(p)?),
            "for" => Item::For(self.repeated(p, text)?),
            "predicate" => {
                p.advance();
                Item::Predicate(p.expression()?)
            }
            "error" => {
                p.advance();
                Item::Error(p.expression()?)
            }
            "property" => {
                self.property(p, text)?;
                return Ok(None);
            }
            _ => Item::Command(command(p)?),
        }))
    }

    fn repeated(&mut self, p: &mut Parser<'_>, text: &str) -> Parsed<For> {
        let start = p.advance().span;
        let parameter = name(p)?;
        if p.word() != "in" {
            return Err(p.unexpected("'in'"));
        }
        p.advance();
        let bounds = bounds(p)?;
        let span = start.to(p.previous());
        p.expect(Tok::Sym("{"))?;
        self.open += 1;
        let body = p.nested(|p| self.items(p, text));
        self.open -= 1;
        let body = body?;
        p.expect(Tok::Sym("}"))?;
        Ok(For { parameter, bounds, body, span })
    }

    /// `property name: text`, up to the end of its line; it goes on while an operator or a bracket is open.
    fn property(&mut self, p: &mut Parser<'_>, whole: &str) -> Parsed<()> {
        let start = p.advance().span;
        let name = name(p)?;
        let colon = p.expect(Tok::Sym(":"))?.span;
        if self.open > 0 {
            return Err(
                p.error(start, "a property stands outside of 'for': it is about the variables, as pc1")
            );
        }
        let (mut depth, mut last) = (0_usize, colon);
        loop {
            let new_line = begins_line(whole, p.token().span);
            let declares = WORDS.contains(&p.word()) || p.tok() == Tok::Ident && p.ahead(1) == Tok::Sym(":");
            match p.tok() {
                Tok::End => break,
                Tok::Sym("}" | ";") if depth == 0 => break,
                _ if new_line && declares && depth > 0 => {
                    return Err(p.unexpected("the end of the property: a bracket is open"));
                }
                _ if new_line && declares => break,
                tok if depth == 0 && new_line && starts(tok) && ends(last.of(whole)) => {
                    break;
                }
                Tok::Sym("{" | "(" | "[") => depth += 1,
                Tok::Sym("}" | ")" | "]") => depth = depth.saturating_sub(1),
                _ => {}
            }
            last = p.advance().span;
        }
        let text = Span { start: colon.end, end: last.end }.of(whole);
        let blank = u32::try_from(text.len() - text.trim_start().len()).expect("texts are limited");
        let span = Span { start: colon.end + blank, end: last.end };
        if text.trim().is_empty() {
            return Err(p.error(name.span, format!("the property '{}' is empty", name.text)));
        }
        if name.text == "error" || self.properties.iter().any(|known| known.name == name.text) {
            return Err(p.error(name.span, format!("'{}' is declared twice", name.text)));
        }
        self.properties.push(NamedProperty { name: name.text, text: span.of(whole).to_owned(), span });
        Ok(())
    }
}

/// Can a token begin an expression, rather than continue one? A sign begins a guard.
fn starts(tok: Tok) -> bool {
    matches!(
        tok,
        Tok::Ident | Tok::Number | Tok::Sym("(" | "-") | Tok::Key("!" | "not" | "if" | "true" | "false")
    )
}

/// Can a token end an expression?
fn ends(word: &str) -> bool {
    word.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ')' | ']' | '}' | '"'))
}

/// Skips to the next line, or over a block.
fn skip(p: &mut Parser<'_>, text: &str) {
    let mut depth = 0_usize;
    // At least one token, unless a brace ends the declarations.
    let mut first = true;
    loop {
        match p.tok() {
            Tok::End => return,
            Tok::Sym("}") if depth == 0 => return,
            Tok::Sym("{") => depth += 1,
            Tok::Sym("}") => depth -= 1,
            _ if depth == 0 && !first && begins_line(text, p.token().span) => return,
            _ => {}
        }
        p.advance();
        first = false;
    }
}

/// A name that is not a word of the language.
fn name(p: &mut Parser<'_>) -> Parsed<Name> {
    let word = p.word();
    if WORDS.contains(&word) || word == "input" || word == "skip" {
        return Err(p.error(p.token().span, format!("'{word}' is a word of the language, and not a name")));
    }
    let (text, span) = p.name()?;
    Ok(Name { text, span })
}

/// `1..n`
fn bounds(p: &mut Parser<'_>) -> Parsed<[Ast; 2]> {
    let first = p.expression()?;
    for _ in 0..2 {
        if !p.eat(Tok::Sym(".")) {
            return Err(p.unexpected("'..' between the first and the last number, as in 1..n"));
        }
    }
    Ok([first, p.expression()?])
}

fn variables(p: &mut Parser<'_>) -> Parsed<Variables> {
    let control = p.word() == "control";
    p.advance();
    let mut names = Vec::new();
    loop {
        let name = name(p)?;
        let indices = if p.eat(Tok::Sym("[")) {
            let bounds = bounds(p)?;
            p.expect(Tok::Sym("]"))?;
            Some(bounds)
        } else {
            None
        };
        names.push((name, indices));
        if !p.eat(Tok::Sym(",")) {
            break;
        }
    }
    p.expect(Tok::Sym(":"))?;
    let ty = ty(p)?;
    let value = if p.eat(Tok::Sym("=")) { Some(p.expression()?) } else { None };
    Ok(Variables { control, names, ty, value })
}

fn ty(p: &mut Parser<'_>) -> Parsed<Written> {
    let written = match p.word() {
        "bool" => Written::Bool,
        "int" => Written::Int,
        "{" => {
            p.advance();
            let mut values = vec![name(p)?];
            while p.eat(Tok::Sym(",")) {
                values.push(name(p)?);
            }
            p.expect(Tok::Sym("}"))?;
            return Ok(Written::Values(values));
        }
        _ => return Err(p.unexpected("a type (int, bool, or values as in {idle, busy})")),
    };
    p.advance();
    Ok(written)
}

fn command(p: &mut Parser<'_>) -> Parsed<Command> {
    let start = p.token().span;
    let named = p.tok() == Tok::Ident && p.ahead(1) == Tok::Sym(":");
    let name = if named {
        let name = name(p)?;
        p.advance();
        Some(name)
    } else {
        None
    };
    let guard = p.operand_of_implication()?;
    if !p.eat(Tok::Key("imply")) {
        return Err(p.unexpected("'->' after the guard of a command"));
    }
    let mut assignments = Vec::new();
    if p.word() == "skip" {
        p.advance();
        if p.tok() == Tok::Sym(",") {
            return Err(p.unexpected("the end of the command after 'skip'"));
        }
    } else {
        assignments.push(assignment(p)?);
        while p.eat(Tok::Sym(",")) {
            assignments.push(assignment(p)?);
        }
    }
    Ok(Command { name, guard, assignments, span: start.to(p.previous()) })
}

fn assignment(p: &mut Parser<'_>) -> Parsed<Assignment> {
    if p.tok() != Tok::Ident || WORDS.contains(&p.word()) {
        return Err(p.unexpected("an assignment, as in x := x + 1, or 'skip'"));
    }
    let target = p.access()?;
    p.expect(Tok::Sym(":="))?;
    let value = if p.word() == "input" {
        p.advance();
        if matches!(p.tok(), Tok::Sym("+" | "-" | "*" | "/") | Tok::Key("mod")) {
            return Err(p.unexpected("the end of the assignment: an input is a value by itself"));
        }
        None
    } else {
        Some(p.expression()?)
    };
    Ok(Assignment { target, value })
}

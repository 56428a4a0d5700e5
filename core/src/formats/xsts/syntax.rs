//! The syntax of extended symbolic transition systems, with error recovery: a broken statement is skipped up to the
//! next one.

use crate::diagnostic::{Diagnostic, Span, limits};
use crate::expr::ast::{Ast, TypeAst};
use crate::expr::{Parsed, Parser, Syntax, Tok};
use crate::formats::Name;

/// A whole text.
#[derive(Debug, Default)]
pub(super) struct Spec {
    pub(super) types: Vec<TypeDecl>,
    pub(super) variables: Vec<Decl>,
    /// The branches of each action.
    pub(super) trans: Vec<Statement>,
    pub(super) init: Vec<Statement>,
    pub(super) env: Vec<Statement>,
    pub(super) property: Option<Ast>,
}

#[derive(Debug)]
pub(super) struct TypeDecl {
    pub(super) name: Name,
    pub(super) literals: Vec<Name>,
}

/// A variable.
#[derive(Debug)]
pub(super) struct Decl {
    pub(super) name: Name,
    pub(super) ty: TypeAst,
    pub(super) value: Option<Ast>,
}

#[derive(Debug)]
pub(super) struct Statement {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum Kind {
    Assign(Name, Ast),
    /// `a[i] := e`
    Element(Name, Ast, Ast),
    Havoc(Name),
    Assume(Ast),
    Local(Decl),
    Block(Vec<Statement>),
    Choice(Vec<Statement>),
    /// A parallel composition of independent statements.
    Parallel(Vec<Statement>),
    If(Ast, Box<Statement>, Option<Box<Statement>>),
    For {
        variable: Name,
        from: Ast,
        to: Ast,
        body: Box<Statement>,
    },
}

/// Keywords that begin a statement.
const STATEMENTS: [&str; 9] = ["local", "havoc", "assume", "choice", "par", "ort", "if", "for", "else"];

/// Keywords that begin a part of the model.
const PARTS: [&str; 6] = ["type", "ctrl", "trans", "init", "env", "prop"];

/// Parses a text that has passed `check_source`.
pub(super) fn parse(text: &str) -> (Spec, Vec<Diagnostic>) {
    let mut p = Parser::new(text, Syntax::Xsts);
    let mut spec = Spec::default();
    let _ = specification(&mut p, &mut spec);
    (spec, p.out)
}

fn is_word(p: &Parser<'_>, word: &str) -> bool {
    p.tok() != Tok::End && p.word() == word
}

fn eat(p: &mut Parser<'_>, word: &str) -> bool {
    let found = is_word(p, word);
    if found {
        p.advance();
    }
    found
}

fn expect(p: &mut Parser<'_>, word: &str) -> Parsed<()> {
    if eat(p, word) { Ok(()) } else { Err(p.unexpected(&format!("'{word}'"))) }
}

fn name(p: &mut Parser<'_>) -> Parsed<Name> {
    let (text, span) = p.name()?;
    Ok(Name { text, span })
}

/// The parts in textual order.
fn specification(p: &mut Parser<'_>, spec: &mut Spec) -> Parsed<()> {
    while is_word(p, "type") {
        match type_declaration(p) {
            Ok(t) => spec.types.push(t),
            Err(_) => skip_part(p)?,
        }
    }
    while is_word(p, "ctrl") || is_word(p, "var") {
        eat(p, "ctrl");
        match expect(p, "var").and_then(|()| declaration(p)) {
            Ok(v) => spec.variables.push(v),
            Err(_) => skip_part(p)?,
        }
    }
    for (word, branches) in [("trans", &mut spec.trans), ("init", &mut spec.init), ("env", &mut spec.env)] {
        if !is_word(p, word) {
            let wanted = if word == "trans" { "'var' or 'trans'".to_owned() } else { format!("'{word}'") };
            return Err(p.unexpected(&wanted));
        }
        p.advance();
        *branches = alternatives(p)?;
    }
    if eat(p, "prop") {
        p.expect(Tok::Sym("{"))?;
        spec.property = Some(p.expression()?);
        p.expect(Tok::Sym("}"))?;
    }
    if p.tok() == Tok::End { Ok(()) } else { Err(p.unexpected("'prop { … }' or the end of the text")) }
}

/// Skips to the next part of the model, if there is one.
fn skip_part(p: &mut Parser<'_>) -> Parsed<()> {
    while p.tok() != Tok::End && p.tok() != Tok::Key("var") && !PARTS.contains(&p.word()) {
        p.advance();
    }
    if p.tok() == Tok::End || p.out.len() > limits::DIAGNOSTICS { Err(crate::expr::Reported) } else { Ok(()) }
}

/// `type T : { A, B }`
fn type_declaration(p: &mut Parser<'_>) -> Parsed<TypeDecl> {
    expect(p, "type")?;
    let type_name = name(p)?;
    p.expect(Tok::Sym(":"))?;
    p.expect(Tok::Sym("{"))?;
    let mut literals = vec![name(p)?];
    while p.eat(Tok::Sym(",")) {
        literals.push(name(p)?);
    }
    p.expect(Tok::Sym("}"))?;
    Ok(TypeDecl { name: type_name, literals })
}

/// `x : T = e` after `var`.
fn declaration(p: &mut Parser<'_>) -> Parsed<Decl> {
    let name = name(p)?;
    p.expect(Tok::Sym(":"))?;
    let ty = p.ty()?;
    let value = if p.eat(Tok::Sym("=")) { Some(p.expression()?) } else { None };
    Ok(Decl { name, ty, value })
}

/// `S or S or …`
fn alternatives(p: &mut Parser<'_>) -> Parsed<Vec<Statement>> {
    let mut all = vec![statement(p)?];
    while eat(p, "or") {
        all.push(statement(p)?);
    }
    Ok(all)
}

fn statement(p: &mut Parser<'_>) -> Parsed<Statement> {
    p.nested(|p| {
        let start = p.token().span;
        let kind = kind(p)?;
        Ok(Statement { kind, span: start.to(p.previous()) })
    })
}

fn kind(p: &mut Parser<'_>) -> Parsed<Kind> {
    let semicolon = |p: &mut Parser<'_>| p.expect(Tok::Sym(";"));
    match p.word() {
        "{" => block(p),
        "local" => {
            p.advance();
            expect(p, "var")?;
            let decl = declaration(p)?;
            semicolon(p)?;
            Ok(Kind::Local(decl))
        }
        "havoc" => {
            p.advance();
            let name = name(p)?;
            semicolon(p)?;
            Ok(Kind::Havoc(name))
        }
        "assume" => {
            p.advance();
            let condition = p.expression()?;
            semicolon(p)?;
            Ok(Kind::Assume(condition))
        }
        "choice" => {
            p.advance();
            Ok(Kind::Choice(alternatives(p)?))
        }
        // If these words are names of variables, an assignment follows.
        "par" if p.ahead(1) == Tok::Sym("{") => {
            p.advance();
            let mut all = vec![statement(p)?];
            while eat(p, "and") {
                all.push(statement(p)?);
            }
            Ok(Kind::Parallel(all))
        }
        "ort" if p.ahead(1) == Tok::Sym("{") => {
            p.advance();
            let mut all = vec![statement(p)?];
            while p.tok() == Tok::Sym("{") {
                all.push(statement(p)?);
            }
            Ok(Kind::Parallel(all))
        }
        "if" => {
            p.advance();
            p.expect(Tok::Sym("("))?;
            let condition = p.expression()?;
            p.expect(Tok::Sym(")"))?;
            let then = Box::new(statement(p)?);
            let other = if eat(p, "else") { Some(Box::new(statement(p)?)) } else { None };
            Ok(Kind::If(condition, then, other))
        }
        "for" => {
            p.advance();
            let variable = name(p)?;
            expect(p, "from")?;
            let from = p.expression()?;
            expect(p, "to")?;
            let to = p.expression()?;
            expect(p, "do")?;
            Ok(Kind::For { variable, from, to, body: Box::new(statement(p)?) })
        }
        _ if p.tok() == Tok::Ident => assignment(p),
        _ => Err(p.unexpected("a statement")),
    }
}

/// `x := e;` or `a[i] := e;`
fn assignment(p: &mut Parser<'_>) -> Parsed<Kind> {
    let name = name(p)?;
    let index = if p.eat(Tok::Sym("[")) {
        let index = p.expression()?;
        p.expect(Tok::Sym("]"))?;
        Some(index)
    } else {
        None
    };
    p.expect(Tok::Sym(":="))?;
    let value = p.expression()?;
    p.expect(Tok::Sym(";"))?;
    Ok(match index {
        Some(index) => Kind::Element(name, index, value),
        None => Kind::Assign(name, value),
    })
}

fn block(p: &mut Parser<'_>) -> Parsed<Kind> {
    p.expect(Tok::Sym("{"))?;
    let mut all = Vec::new();
    while !matches!(p.tok(), Tok::Sym("}") | Tok::End) && p.out.len() <= limits::DIAGNOSTICS {
        let before = p.token().span;
        match statement(p) {
            Ok(s) => all.push(s),
            Err(_) => skip_statement(p, before),
        }
    }
    p.expect(Tok::Sym("}"))?;
    Ok(Kind::Block(all))
}

/// Skips past the next semicolon, or to where a statement or block begins or ends.
fn skip_statement(p: &mut Parser<'_>, before: Span) {
    if p.token().span == before && p.tok() != Tok::Sym("}") {
        p.advance();
    }
    while !matches!(p.tok(), Tok::Sym("{" | "}") | Tok::End) {
        if p.eat(Tok::Sym(";")) || STATEMENTS.contains(&p.word()) {
            return;
        }
        p.advance();
    }
}

//! The syntax of specifications, with error recovery: a broken part is skipped up to the next declaration or
//! constraint.

use crate::diagnostic::limits;
use crate::expr::ast::{Ast, TypeAst};
use crate::expr::{Parsed, Parser, Syntax, Tok};
use crate::formats::Name;

/// A whole text.
#[derive(Debug, Default)]
pub(super) struct Spec {
    pub(super) name: String,
    pub(super) shared: Body,
    pub(super) systems: Vec<SystemDecl>,
    pub(super) properties: Vec<PropertyDecl>,
}

/// A constant or variable.
#[derive(Clone, Debug)]
pub(super) struct Decl {
    pub(super) name: Name,
    pub(super) ty: TypeAst,
    pub(super) value: Option<Ast>,
}

/// The contents of a system's braces.
#[derive(Clone, Debug, Default)]
pub(super) struct Body {
    pub(super) constants: Vec<Decl>,
    pub(super) variables: Vec<Decl>,
    pub(super) invariants: Vec<Ast>,
    pub(super) initial: Vec<Ast>,
    pub(super) transitions: Vec<Ast>,
}

/// A system, or the name of one.
#[derive(Clone, Debug)]
pub(super) enum Sts {
    Defined(Body),
    Named(Name, Vec<Ast>),
}

#[derive(Debug)]
pub(super) struct SystemDecl {
    pub(super) name: Name,
    pub(super) parameters: Vec<Decl>,
    pub(super) sts: Sts,
}

#[derive(Debug)]
pub(super) struct PropertyDecl {
    pub(super) name: Name,
    pub(super) sts: Sts,
    pub(super) condition: Ast,
}

/// Keywords that begin a part. They are not names in these positions.
const PARTS: [&str; 8] =
    ["property", "system", "const", "invariant", "initial", "transition", "specification", "models"];

/// Parses a text that has passed `check_source`.
pub(super) fn parse(text: &str) -> (Spec, Vec<crate::diagnostic::Diagnostic>) {
    let mut p = Parser::new(text, Syntax::Sts);
    let mut spec = Spec::default();
    let _ = specification(&mut p, &mut spec);
    (spec, p.out)
}

fn is_word(p: &Parser<'_>, word: &str) -> bool {
    p.tok() == Tok::Ident && p.word() == word
}

fn word(p: &mut Parser<'_>, word: &str) -> Parsed<()> {
    if is_word(p, word) {
        p.advance();
        return Ok(());
    }
    Err(p.unexpected(&format!("'{word}'")))
}

fn name(p: &mut Parser<'_>) -> Parsed<Name> {
    let (text, span) = p.name()?;
    Ok(Name { text, span })
}

fn specification(p: &mut Parser<'_>, spec: &mut Spec) -> Parsed<()> {
    word(p, "specification")?;
    spec.name = name(p)?.text;
    if p.tok() == Tok::Sym("(") {
        let start = p.token().span;
        if !parameters(p)?.is_empty() {
            p.out.push(crate::diagnostic::Diagnostic::unsupported(
                start.to(p.previous()),
                "parameters of a specification are not supported",
            ));
        }
    }
    p.expect(Tok::Sym("{"))?;
    while !matches!(p.tok(), Tok::Sym("}") | Tok::End) && p.out.len() <= limits::DIAGNOSTICS {
        let before = p.token().span;
        let read = match (p.tok(), p.word()) {
            (Tok::Key("var"), _) | (Tok::Ident, "const") => constraint(p, &mut spec.shared),
            (Tok::Ident, "system") => system(p).map(|s| spec.systems.push(s)),
            (Tok::Ident, "property") => property(p).map(|s| spec.properties.push(s)),
            _ => Err(p.unexpected("'const', 'var', 'system' or 'property'")),
        };
        if read.is_err() {
            skip(p, before);
        }
    }
    p.expect(Tok::Sym("}"))?;
    if p.tok() == Tok::End { Ok(()) } else { Err(p.unexpected("the end of the text")) }
}

/// Skips to the next keyword that begins a part.
fn skip(p: &mut Parser<'_>, before: crate::diagnostic::Span) {
    if p.token().span == before {
        p.advance();
    }
    while p.tok() != Tok::End
        && p.tok() != Tok::Key("var")
        && !(p.tok() == Tok::Ident && PARTS.contains(&p.word()))
    {
        p.advance();
    }
}

fn system(p: &mut Parser<'_>) -> Parsed<SystemDecl> {
    word(p, "system")?;
    let name = name(p)?;
    let parameters = if p.tok() == Tok::Sym("(") { parameters(p)? } else { Vec::new() };
    p.expect(Tok::Sym(":="))?;
    Ok(SystemDecl { name, parameters, sts: sts(p)? })
}

fn property(p: &mut Parser<'_>) -> Parsed<PropertyDecl> {
    word(p, "property")?;
    let name = name(p)?;
    p.expect(Tok::Sym(":"))?;
    let sts = sts(p)?;
    word(p, "models")?;
    word(p, "G")?;
    p.expect(Tok::Sym("("))?;
    let condition = p.expression()?;
    p.expect(Tok::Sym(")"))?;
    Ok(PropertyDecl { name, sts, condition })
}

fn sts(p: &mut Parser<'_>) -> Parsed<Sts> {
    if !p.eat(Tok::Sym("{")) {
        let name = name(p)?;
        let mut arguments = Vec::new();
        if p.eat(Tok::Sym("(")) {
            while p.tok() != Tok::Sym(")") {
                arguments.push(p.expression()?);
                if !p.eat(Tok::Sym(",")) {
                    break;
                }
            }
            p.expect(Tok::Sym(")"))?;
        }
        return Ok(Sts::Named(name, arguments));
    }
    let mut body = Body::default();
    while !matches!(p.tok(), Tok::Sym("}") | Tok::End) && p.out.len() <= limits::DIAGNOSTICS {
        let before = p.token().span;
        if constraint(p, &mut body).is_err() {
            skip(p, before);
        }
    }
    p.expect(Tok::Sym("}"))?;
    Ok(Sts::Defined(body))
}

/// A declaration or a constraint of a system.
fn constraint(p: &mut Parser<'_>, body: &mut Body) -> Parsed<()> {
    let kind = p.word();
    if p.tok() != Tok::Key("var") && !is_word(p, kind) {
        return Err(p.unexpected("'var', 'const', 'invariant', 'initial' or 'transition'"));
    }
    match kind {
        "var" | "const" => {
            p.advance();
            let (name, ty) = typed(p)?;
            let value = if p.eat(Tok::Sym(":=")) { Some(p.expression()?) } else { None };
            let all = if kind == "var" { &mut body.variables } else { &mut body.constants };
            all.push(Decl { name, ty, value });
        }
        "invariant" | "initial" | "transition" => {
            p.advance();
            let e = p.expression()?;
            match kind {
                "invariant" => body.invariants.push(e),
                "initial" => body.initial.push(e),
                _ => body.transitions.push(e),
            }
        }
        _ => return Err(p.unexpected("'var', 'const', 'invariant', 'initial' or 'transition'")),
    }
    Ok(())
}

fn typed(p: &mut Parser<'_>) -> Parsed<(Name, TypeAst)> {
    let name = name(p)?;
    p.expect(Tok::Sym(":"))?;
    Ok((name, p.ty()?))
}

fn parameters(p: &mut Parser<'_>) -> Parsed<Vec<Decl>> {
    p.expect(Tok::Sym("("))?;
    let mut all = Vec::new();
    while p.tok() != Tok::Sym(")") {
        let (name, ty) = typed(p)?;
        all.push(Decl { name, ty, value: None });
        if !p.eat(Tok::Sym(",")) {
            break;
        }
    }
    p.expect(Tok::Sym(")"))?;
    Ok(all)
}

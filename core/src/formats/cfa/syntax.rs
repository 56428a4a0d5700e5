//! The syntax of `.cfa` texts, with error recovery: a broken statement is skipped up to the next statement, a broken
//! declaration up to the next declaration, so that all errors are reported at once.

use crate::diagnostic::{Diagnostic, Span, limits};
use crate::expr::ast::{Ast, TypeAst};
use crate::expr::{Parsed, Parser, Syntax, Tok};
use crate::formats::Name;
use crate::system::Role;

/// A whole text.
#[derive(Debug, Default)]
pub(super) struct Spec {
    pub(super) globals: Vec<VarDecl>,
    pub(super) processes: Vec<Process>,
    /// The end of the text.
    pub(super) end: Span,
    /// The last word of the text.
    pub(super) last: Span,
}

#[derive(Debug)]
pub(super) struct VarDecl {
    pub(super) name: Name,
    pub(super) ty: TypeAst,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) struct Process {
    pub(super) name: Name,
    pub(super) main: bool,
    /// The place of a nonempty parameter list.
    pub(super) parameters: Option<Span>,
    pub(super) variables: Vec<VarDecl>,
    pub(super) locations: Vec<LocationDecl>,
    pub(super) edges: Vec<EdgeDecl>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    Initial,
    Final,
    Error,
}

impl Kind {
    /// The role of such a location.
    pub(super) fn role(self) -> Role {
        match self {
            Kind::Plain => Role::Plain,
            Kind::Initial => Role::Initial,
            Kind::Final => Role::Final,
            Kind::Error => Role::Error,
        }
    }
}

#[derive(Debug)]
pub(super) struct LocationDecl {
    pub(super) name: Name,
    pub(super) kind: Kind,
    /// From the first word to the name.
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) struct EdgeDecl {
    pub(super) source: Name,
    pub(super) target: Name,
    pub(super) statements: Vec<Statement>,
    /// The statements with their braces.
    pub(super) body: Option<Span>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) struct Statement {
    pub(super) kind: StatementKind,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum StatementKind {
    Assign(Name, Ast),
    Assume(Ast),
    Havoc(Name),
    Return,
}

/// Parses a text that has passed `check_source`.
pub(super) fn parse(text: &str) -> (Spec, Vec<Diagnostic>) {
    let mut p = Parser::new(text, Syntax::Cfa);
    let mut spec = Spec::default();
    while p.tok() != Tok::End {
        let before = p.token().span;
        let result = match p.tok() {
            Tok::Key("var") => variable(&mut p).map(|v| spec.globals.push(v)),
            Tok::Key("main" | "process") => process(&mut p).map(|x| spec.processes.push(x)),
            _ => Err(p.unexpected("'main process' or 'var'")),
        };
        if result.is_err() {
            if p.token().span == before {
                p.advance();
            }
            while !matches!(p.tok(), Tok::Key("var" | "main" | "process") | Tok::End) {
                p.advance();
            }
        }
        if too_many(&p) {
            break;
        }
    }
    (spec.end, spec.last) = (p.token().span, p.previous());
    (spec, p.out)
}

/// Has the limit on diagnostics been reached?
fn too_many(p: &Parser<'_>) -> bool {
    p.out.len() > limits::DIAGNOSTICS
}

fn name(p: &mut Parser<'_>) -> Parsed<Name> {
    let (text, span) = p.name()?;
    Ok(Name { text, span })
}

fn variable(p: &mut Parser<'_>) -> Parsed<VarDecl> {
    let start = p.token().span;
    p.expect(Tok::Key("var"))?;
    let name = name(p)?;
    p.expect(Tok::Sym(":"))?;
    let ty = p.ty()?;
    Ok(VarDecl { name, ty, span: start.to(p.previous()) })
}

fn process(p: &mut Parser<'_>) -> Parsed<Process> {
    let main = p.eat(Tok::Key("main"));
    p.expect(Tok::Key("process"))?;
    let name = name(p)?;
    let mut parameters = None;
    if p.tok() == Tok::Sym("(") {
        let start = p.token().span;
        let empty = p.ahead(1) == Tok::Sym(")");
        p.declarations()?;
        parameters = (!empty).then(|| start.to(p.previous()));
    }
    p.expect(Tok::Sym("{"))?;
    let (variables, locations, edges) = (Vec::new(), Vec::new(), Vec::new());
    let mut process = Process { name, main, parameters, variables, locations, edges };
    while !matches!(p.tok(), Tok::Sym("}") | Tok::End) {
        if part(p, &mut process).is_err() {
            skip_to_part(p);
        }
        if too_many(p) {
            return Ok(process);
        }
    }
    p.expect(Tok::Sym("}"))?;
    Ok(process)
}

/// A variable, location or edge.
fn part(p: &mut Parser<'_>, process: &mut Process) -> Parsed<()> {
    let span = p.token().span;
    match p.tok() {
        Tok::Key("var") => {
            let decl = variable(p)?;
            process.variables.push(decl);
        }
        Tok::Key("init" | "final" | "error" | "loc") => {
            let location = location(p)?;
            process.locations.push(location);
        }
        Tok::Ident => {
            let edge = edge(p)?;
            process.edges.push(edge);
        }
        _ => {
            let reported = p.unexpected("a variable, a location or an edge");
            p.advance();
            return Err(reported);
        }
    }
    let graph = limits::GRAPH;
    if process.locations.len() > graph || process.edges.len() > graph || process.variables.len() > graph {
        let message = format!("too many declarations, the limit is {graph} locations, edges or variables");
        while p.tok() != Tok::End {
            p.advance();
        }
        return Err(p.error(span, message));
    }
    Ok(())
}

/// Skips to the start of a declaration.
fn skip_to_part(p: &mut Parser<'_>) {
    let mut depth = 0usize;
    loop {
        match p.tok() {
            Tok::End => return,
            Tok::Key("var" | "loc" | "init" | "final" | "error") => return,
            Tok::Ident if depth == 0 && p.ahead(1) == Tok::Sym("->") => return,
            Tok::Sym("}") if depth == 0 => return,
            Tok::Sym("}") => depth -= 1,
            Tok::Sym("{") => depth += 1,
            _ => {}
        }
        p.advance();
    }
}

fn location(p: &mut Parser<'_>) -> Parsed<LocationDecl> {
    let start = p.token().span;
    let kind = match p.tok() {
        Tok::Key("init") => Kind::Initial,
        Tok::Key("final") => Kind::Final,
        Tok::Key("error") => Kind::Error,
        _ => Kind::Plain,
    };
    if kind != Kind::Plain {
        p.advance();
    }
    p.expect(Tok::Key("loc"))?;
    let name = name(p)?;
    let span = start.to(name.span);
    Ok(LocationDecl { name, kind, span })
}

fn edge(p: &mut Parser<'_>) -> Parsed<EdgeDecl> {
    let source = name(p)?;
    p.expect(Tok::Sym("->"))?;
    let target = name(p)?;
    let (mut statements, mut body) = (Vec::new(), None);
    let open = p.token().span;
    if p.eat(Tok::Sym("{")) {
        while !matches!(p.tok(), Tok::Sym("}") | Tok::End) && !starts_part(p) {
            match statement(p) {
                Ok(statement) => statements.push(statement),
                Err(_) => skip_to_statement(p),
            }
            if too_many(p) || statements.len() > limits::GRAPH {
                break;
            }
        }
        p.expect(Tok::Sym("}"))?;
        body = Some(open.to(p.previous()));
    }
    let span = source.span.to(p.previous());
    Ok(EdgeDecl { source, target, statements, body, span })
}

fn statement(p: &mut Parser<'_>) -> Parsed<Statement> {
    let start = p.token().span;
    let kind = match p.tok() {
        Tok::Key("assume") => {
            p.advance();
            StatementKind::Assume(p.expression()?)
        }
        Tok::Key("havoc") => {
            p.advance();
            StatementKind::Havoc(name(p)?)
        }
        Tok::Key("return") => {
            p.advance();
            p.expression()?;
            StatementKind::Return
        }
        Tok::Ident => {
            let target = name(p)?;
            p.expect(Tok::Sym(":="))?;
            StatementKind::Assign(target, p.expression()?)
        }
        _ => {
            let reported = p.unexpected("a statement (x := e, assume e, havoc x) or '}'");
            p.advance();
            return Err(reported);
        }
    };
    let span = start.to(p.previous());
    if p.tok() == Tok::Sym(";") {
        p.advance();
    }
    Ok(Statement { kind, span })
}

/// The statements of an edge, without braces.
///
/// # Errors
/// The first error.
pub(super) fn statements(text: &str) -> Result<Vec<Statement>, Diagnostic> {
    let mut p = Parser::new(text, Syntax::Cfa);
    let mut statements = Vec::new();
    while p.out.is_empty() && p.tok() != Tok::End {
        statements.extend(statement(&mut p));
    }
    match p.out.is_empty() {
        true => Ok(statements),
        false => Err(p.out.swap_remove(0)),
    }
}

/// Is a text one name?
pub(super) fn is_name(text: &str) -> bool {
    let p = Parser::new(text, Syntax::Cfa);
    p.tok() == Tok::Ident && p.token().span == Span::new(0, text.len()) && p.out.is_empty()
}

fn starts_part(p: &Parser<'_>) -> bool {
    matches!(p.tok(), Tok::Key("var" | "loc" | "init" | "final" | "error"))
        || (p.tok() == Tok::Ident && p.ahead(1) == Tok::Sym("->"))
}

/// Skips to the start of a statement or the end of the edge.
fn skip_to_statement(p: &mut Parser<'_>) {
    loop {
        match p.tok() {
            Tok::End | Tok::Sym("}") | Tok::Key("assume" | "havoc" | "return") => return,
            Tok::Ident if p.ahead(1) == Tok::Sym(":=") => return,
            // The closing brace is missing: `expect` reports it.
            _ if starts_part(p) => return,
            _ => {}
        }
        p.advance();
    }
}

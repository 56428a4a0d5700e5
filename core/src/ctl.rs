//! Computation tree logic over the data of a system (Clarke, Emerson and Sistla, "Automatic Verification of
//! Finite-State Concurrent Systems Using Temporal Logic Specifications", 1986).
//!
//! Formulas are interpreted over maximal paths, as in the Model Checking Contest: a path that ends in a deadlock is
//! one, so in a deadlock `EX a` is false, `AX a` is true, and `EG a` is `a`.

mod ambiguous;
mod reachability;

use crate::diagnostic::{Diagnostic, Span, check_source, limits};
use crate::expr::ast::{Ast, AstKind};
use crate::expr::{Binary, Expr, Kind, Names, Nary, Parser, Tok, Type, Unary, check_as};
use crate::ltl::{Temporal, is_name, misplaced, speaks_of_runs};
use crate::system::System;
use crate::system::net::dead;

pub use crate::expr::ast::Quantifier;

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub enum Ctl {
    /// A condition on the state.
    Condition(Expr),
    /// The negation.
    Not(Box<Ctl>),
    /// The conjunction.
    And(Vec<Ctl>),
    /// The disjunction.
    Or(Vec<Ctl>),
    /// A path quantifier with `X`, `F` or `G`.
    Unary(Quantifier, Temporal, Box<Ctl>),
    /// A path quantifier with `U`, `R`, `W` or `M`.
    Binary(Quantifier, Temporal, Box<[Ctl; 2]>),
}

/// The greatest size of the operands of an equivalence, which are copied.
const LARGEST: usize = 10_000;
const TOO_DEEP: &str = "the equivalences in this formula are nested too deeply";

impl Ctl {
    /// Parses a formula over the variables of `system`: `AG EF p = 1`, `E[a U b]`, with the operators of temporal
    /// formulas.
    ///
    /// # Errors
    /// Errors in the text; places are in `text`.
    pub fn parse(text: &str, system: &System) -> Result<Ctl, Vec<Diagnostic>> {
        check_source(text)?;
        let mut parser = Parser::branching(text, &Names::Known(&|name| is_name(name, system)));
        let ast = parser.expression();
        if ast.is_ok() && parser.tok() != Tok::End {
            parser.unexpected("the end of the formula");
        }
        let mut out = std::mem::take(&mut parser.out);
        if let Ok(ast) = &ast {
            ambiguous::check(ast, text, &mut out);
        }
        let formula = ast.ok().filter(|_| out.is_empty()).and_then(|ast| Ctl::of(&ast, system, &mut out));
        out.truncate(limits::DIAGNOSTICS);
        formula.filter(|_| out.is_empty()).ok_or(out)
    }

    /// Does the text contain a path quantifier?
    #[must_use]
    pub fn is_branching(text: &str, system: &System) -> bool {
        if check_source(text).is_err() {
            return false;
        }
        let mut parser = Parser::branching(text, &Names::Known(&|name| is_name(name, system)));
        while parser.tok() != Tok::End {
            if matches!(parser.tok(), Tok::Key("A" | "E")) && !names_location(text, parser.token().span) {
                return true;
            }
            parser.advance();
        }
        false
    }

    fn of(ast: &Ast, system: &System, out: &mut Vec<Diagnostic>) -> Option<Ctl> {
        if !speaks_of_runs(ast) {
            let expr = check_as(ast, &Type::Bool, system, out)?;
            return match system.without_arrays(&expr) {
                Ok(expr) => Some(Ctl::Condition(expr)),
                Err(d) => {
                    out.push(d);
                    None
                }
            };
        }
        let all = |asts: &[Ast], out: &mut Vec<Diagnostic>| {
            let all: Vec<Option<Ctl>> = asts.iter().map(|a| Ctl::of(a, system, out)).collect();
            all.into_iter().collect::<Option<Vec<Ctl>>>()
        };
        Some(match &ast.kind {
            AstKind::Unary(Unary::Not, a) => Ctl::of(a, system, out)?.negated(),
            AstKind::Nary(Nary::And, parts) => Ctl::And(all(parts, out)?),
            AstKind::Nary(Nary::Or, parts) => Ctl::Or(all(parts, out)?),
            AstKind::Binary(op @ (Binary::Imply | Binary::Iff | Binary::Xor), ab) => {
                let [a, b] = <[Ctl; 2]>::try_from(all(&ab[..], out)?).expect("two operands");
                if *op != Binary::Imply && a.size() + b.size() > LARGEST {
                    out.push(Diagnostic::unsupported(ast.span, TOO_DEEP));
                    return None;
                }
                match op {
                    Binary::Imply => Ctl::Or(vec![a.negated(), b]),
                    Binary::Iff => Ctl::either([a.clone(), b.clone()], [a.negated(), b.negated()]),
                    _ => Ctl::either([a.clone(), b.clone().negated()], [a.negated(), b]),
                }
            }
            AstKind::Ite(abc) => {
                let [c, a, b] = <[Ctl; 3]>::try_from(all(&abc[..], out)?).expect("three operands");
                Ctl::either([c.clone(), a], [c.negated(), b])
            }
            AstKind::Paths(quantifier, place, path) => {
                let AstKind::Temporal(op, _, operands) = &path.kind else {
                    let letter = quantifier.letter();
                    let message = format!(
                        "'{letter}' must be followed by X, F, G, or an operator in brackets as in {letter}[a U b]"
                    );
                    out.push(Diagnostic::error(*place, message));
                    return None;
                };
                let mut operands = all(operands, out)?;
                match <[Ctl; 2]>::try_from(std::mem::take(&mut operands)) {
                    Ok(ab) => Ctl::Binary(*quantifier, *op, Box::new(ab)),
                    Err(mut one) => Ctl::Unary(*quantifier, *op, Box::new(one.remove(0))),
                }
            }
            AstKind::Temporal(op, place, _) => {
                let letter = op.letter();
                let message =
                    format!("'{letter}' needs a path quantifier before it: A for all paths, E for some");
                out.push(Diagnostic::error(*place, message));
                return None;
            }
            AstKind::At(_) => {
                out.push(Diagnostic::unsupported(
                    ast.span,
                    "locations in formulas of branching time are not supported",
                ));
                return None;
            }
            _ => {
                misplaced(ast, out);
                return None;
            }
        })
    }

    /// The negation; double negations cancel.
    #[must_use]
    pub fn negated(self) -> Ctl {
        match self {
            Ctl::Not(inner) => *inner,
            Ctl::Condition(e) => Ctl::Condition(e.negated()),
            other => Ctl::Not(Box::new(other)),
        }
    }

    /// The number of its subformulas.
    fn size(&self) -> usize {
        1 + self.children().iter().map(Ctl::size).sum::<usize>()
    }

    fn either(a: [Ctl; 2], b: [Ctl; 2]) -> Ctl {
        Ctl::Or(vec![Ctl::And(a.into()), Ctl::And(b.into())])
    }

    /// The formula as a condition on states, if it has no path quantifier.
    #[must_use]
    pub fn condition(&self) -> Option<Expr> {
        let all = |parts: &[Ctl]| parts.iter().map(Ctl::condition).collect::<Option<Vec<Expr>>>();
        Some(match self {
            Ctl::Condition(e) => e.clone(),
            Ctl::Not(inner) => inner.condition()?.negated(),
            Ctl::And(parts) => Expr::and(all(parts)?),
            Ctl::Or(parts) => Expr::or(all(parts)?),
            Ctl::Unary(..) | Ctl::Binary(..) => return None,
        })
    }

    /// The condition c for which the formula is equivalent to `EF c`, if that is found by equivalences such as that of
    /// `EF EF c`.
    #[must_use]
    pub fn as_ef(&self) -> Option<Expr> {
        reachability::recognized(self, Quantifier::Some)
    }

    /// The condition c for which the formula is equivalent to `AG c`, if that is found.
    #[must_use]
    pub fn as_ag(&self) -> Option<Expr> {
        reachability::recognized(self, Quantifier::All)
    }

    /// The conditions in it, in textual order.
    #[must_use]
    pub fn conditions(&self) -> Vec<&Expr> {
        match self {
            Ctl::Condition(e) => vec![e],
            other => other.children().iter().flat_map(Ctl::conditions).collect(),
        }
    }

    /// The direct subformulas.
    #[must_use]
    pub fn children(&self) -> &[Ctl] {
        match self {
            Ctl::Condition(_) => &[],
            Ctl::Not(a) | Ctl::Unary(_, _, a) => std::slice::from_ref(a),
            Ctl::And(all) | Ctl::Or(all) => all,
            Ctl::Binary(_, _, ab) => &ab[..],
        }
    }

    /// Does it begin with a path quantifier?
    #[must_use]
    pub fn is_temporal(&self) -> bool {
        matches!(self, Ctl::Unary(..) | Ctl::Binary(..))
    }

    /// Does it begin with the path quantifier E?
    #[must_use]
    pub fn is_existential(&self) -> bool {
        matches!(self, Ctl::Unary(Quantifier::Some, ..) | Ctl::Binary(Quantifier::Some, ..))
    }

    /// The text of the formula.
    #[must_use]
    pub fn text(&self, system: &System) -> String {
        let join = |parts: &[Ctl], op: &str| {
            let parts: Vec<String> = parts.iter().map(|p| format!("({})", p.text(system))).collect();
            parts.join(op)
        };
        match self {
            Ctl::Condition(e) => condition_text(e, system),
            Ctl::Not(a) => format!("!{}", a.operand(system)),
            Ctl::And(parts) => join(parts, " && "),
            Ctl::Or(parts) => join(parts, " || "),
            Ctl::Unary(q, op, a) => format!("{}{} {}", q.letter(), op.letter(), a.operand(system)),
            Ctl::Binary(q, op, ab) => {
                format!("{}[{} {} {}]", q.letter(), ab[0].operand(system), op.letter(), ab[1].operand(system))
            }
        }
    }

    /// The text as an operand.
    fn operand(&self, system: &System) -> String {
        let text = self.text(system);
        match self {
            Ctl::Unary(..) | Ctl::Binary(..) => text,
            _ => format!("({text})"),
        }
    }
}

/// The text of a condition. The one of dead markings has a word of its own, unless it is as short as that.
fn condition_text(e: &Expr, system: &System) -> String {
    let is_long = |e: &Expr| matches!(e.kind, Kind::Nary(..));
    let (sign, inner) = match &e.kind {
        Kind::Unary(Unary::Not, inner) => ("!", &**inner),
        _ => ("", e),
    };
    match &system.net {
        Some(net) if is_long(inner) && *inner == dead(net) => format!("{sign}deadlock"),
        _ => system.expr_text(e),
    }
}

/// Is a place in a text inside of the name of a location, as in `@A`?
fn names_location(text: &str, at: Span) -> bool {
    let before = &text[..at.start as usize];
    before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').trim_end().ends_with('@')
}

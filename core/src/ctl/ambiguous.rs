//! Formulas that are easily misread: path quantifiers bind like negations, so `AG a || b` is `(AG a) || b`. Such
//! formulas are refused, with the two possible meanings.

use crate::diagnostic::{Diagnostic, Span};
use crate::expr::ast::{Ast, AstKind};
use crate::expr::{Binary, Nary};
use crate::ltl::speaks_of_runs;

/// Requires parentheses where the scope of a path quantifier is easily misread: where an implication, or an operand
/// without path quantifiers, follows.
pub(super) fn check(ast: &Ast, text: &str, out: &mut Vec<Diagnostic>) {
    let (operands, implies): (&[Ast], bool) = match &ast.kind {
        AstKind::Nary(Nary::And | Nary::Or, all) => (all, false),
        AstKind::Binary(Binary::Imply | Binary::Iff | Binary::Xor, ab) => (&ab[..], true),
        _ => (&[], false),
    };
    for pair in operands.windows(2) {
        let next = &pair[1];
        if let Some((quantifier, operand)) = open_at_end(&pair[0], text)
            && (implies || !speaks_of_runs(next))
        {
            let own = Span { end: pair[0].span.end, ..operand.span }.of(text);
            let after = Span { start: pair[0].span.end, end: next.span.start }.of(text);
            let (word, sign) = (quantifier.of(text), after.trim_matches(['(', ' ', '\n']));
            let message = format!(
                "this could mean '({word} {own}) {sign} …' or '{word} ({own} {sign} …)': add parentheses"
            );
            out.push(Diagnostic::error(quantifier.to(next.span), message));
        }
    }
    ast.children().into_iter().for_each(|child| check(child, text, out));
}

/// The path quantifier, such as `AG`, whose operand is the end of a formula, with that operand, if neither is in
/// parentheses.
fn open_at_end<'a>(ast: &'a Ast, text: &str) -> Option<(Span, &'a Ast)> {
    // Spans have the parentheses around a formula.
    let is_grouped = |ast: &Ast| ast.span.of(text).starts_with('(');
    if is_grouped(ast) {
        return None;
    }
    if let AstKind::Paths(_, start, path) = &ast.kind {
        let AstKind::Temporal(_, end, operands) = &path.kind else { return None };
        let [operand] = &operands[..] else { return None };
        return (!is_grouped(operand)).then_some((start.to(*end), operand));
    }
    ast.children().into_iter().last().and_then(|last| open_at_end(last, text))
}

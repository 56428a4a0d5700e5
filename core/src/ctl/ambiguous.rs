//! Formulas that are easily misread: path quantifiers bind like negations, so `AG a || b` is `(AG a) || b`. Such
//! formulas are refused, with the two possible meanings.

use crate::diagnostic::{Diagnostic, Span};
use crate::expr::ast::{Ast, AstKind};
use crate::expr::{Binary, Nary};

/// Requires parentheses where the scope of a path quantifier is easily misread: where an implication, or an operand
/// that is not about paths, follows.
pub(super) fn check(ast: &Ast, text: &str, out: &mut Vec<Diagnostic>) {
    let (operands, implies): (&[Ast], bool) = match &ast.kind {
        AstKind::Nary(Nary::And | Nary::Or, all) => (all, false),
        AstKind::Binary(Binary::Imply | Binary::Iff | Binary::Xor, ab) => (&ab[..], true),
        _ => (&[], false),
    };
    for pair in operands.windows(2) {
        let next = &pair[1];
        if let Some((quantifier, operand)) = open_at_end(&pair[0], text)
            && (implies || !is_of_paths(next))
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

/// Does it consist of formulas that begin with path quantifiers?
fn is_of_paths(ast: &Ast) -> bool {
    match &ast.kind {
        AstKind::Paths(..) => true,
        AstKind::Unary(..) | AstKind::Nary(..) | AstKind::Binary(..) => {
            ast.children().into_iter().all(is_of_paths)
        }
        _ => false,
    }
}

/// Is it in parentheses? They are in its span: the first character is one that the last one closes.
fn is_grouped(ast: &Ast, text: &str) -> bool {
    let text = ast.span.of(text);
    let mut open = 0_usize;
    let closed = text.char_indices().find(|(_, c)| {
        match c {
            '(' => open += 1,
            ')' => open = open.saturating_sub(1),
            _ => {}
        }
        open == 0
    });
    text.starts_with('(') && closed.is_some_and(|(at, _)| at + 1 == text.len())
}

/// The path quantifier, such as `AG`, whose operand is the end of a formula, with that operand, if neither is in
/// parentheses.
fn open_at_end<'a>(ast: &'a Ast, text: &str) -> Option<(Span, &'a Ast)> {
    if is_grouped(ast, text) {
        return None;
    }
    if let AstKind::Paths(_, start, path) = &ast.kind {
        let AstKind::Temporal(_, end, operands) = &path.kind else { return None };
        let [operand] = &operands[..] else { return None };
        return (!is_grouped(operand, text)).then_some((start.to(*end), operand));
    }
    ast.children().into_iter().last().and_then(|last| open_at_end(last, text))
}

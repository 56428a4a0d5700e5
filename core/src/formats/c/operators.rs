//! The structure of expressions: chains of operators, and absence of side effects.

use lang_c::ast::{
    BinaryOperator as B, Constant, Expression, FloatBase, SpecifierQualifier, TypeName, TypeSpecifier,
    UnaryOperator as U,
};
use lang_c::span::Node;

/// The operands of a chain of left-associative operators, each with its operator and the expression that ends with it.
pub(super) type Operands<'a> = Vec<(Option<(&'a B, &'a Node<Expression>)>, &'a Node<Expression>)>;

pub(super) fn spine<'a>(e: &'a Node<Expression>, belongs: &dyn Fn(&B) -> bool) -> Operands<'a> {
    let (mut operands, mut at) = (Vec::new(), e);
    while let Expression::BinaryOperator(b) = &at.node
        && belongs(&b.node.operator.node)
    {
        operands.push((Some((&b.node.operator.node, at)), &*b.node.rhs));
        at = &b.node.lhs;
    }
    operands.push((None, at));
    operands.reverse();
    operands
}

/// Does the operator only evaluate both operands?
pub(super) fn is_plain(op: &B) -> bool {
    !matches!(op, B::Index | B::Assign | B::LogicalAnd | B::LogicalOr) && compound(op).is_none()
}

/// Is it free of side effects?
pub(super) fn pure(e: &Node<Expression>) -> bool {
    match &e.node {
        Expression::Call(_) | Expression::Statement(_) => false,
        Expression::UnaryOperator(u) => {
            !matches!(
                u.node.operator.node,
                U::PostIncrement | U::PostDecrement | U::PreIncrement | U::PreDecrement
            ) && pure(&u.node.operand)
        }
        Expression::BinaryOperator(_) => {
            let without = |op: &B| is_plain(op) || matches!(op, B::LogicalAnd | B::LogicalOr);
            let operands = spine(e, &without);
            operands.len() > 1 && operands.iter().all(|(_, operand)| pure(operand))
        }
        Expression::Conditional(c) => {
            pure(&c.node.condition) && pure(&c.node.then_expression) && pure(&c.node.else_expression)
        }
        // A cast to `void` is either a side effect, or irrelevant.
        Expression::Cast(c) => !is_void(&c.node.type_name.node) && pure(&c.node.expression),
        Expression::Comma(all) => all.iter().all(pure),
        _ => true,
    }
}

/// Is its evaluation defined for all values of its parts? For unsupported expressions whose values are irrelevant.
pub(super) fn cannot_be_undefined(e: &Node<Expression>) -> bool {
    match &e.node {
        Expression::Identifier(_) | Expression::Constant(_) | Expression::StringLiteral(_) => true,
        // Conversion of a number that the integer type cannot represent is undefined.
        Expression::Cast(c) => {
            let inner = &c.node.expression;
            cannot_be_undefined(inner) && (is_floating(&c.node.type_name.node) || !has_fraction(inner))
        }
        Expression::UnaryOperator(u) => {
            let operand = &u.node.operand;
            let defined = match u.node.operator.node {
                U::Minus | U::Plus => has_fraction(operand),
                U::Negate => true,
                U::Complement => !has_fraction(operand),
                _ => false,
            };
            defined && cannot_be_undefined(operand)
        }
        Expression::BinaryOperator(_) => {
            let operands = spine(e, &is_plain);
            let (fractions, all) = (operands.iter().any(|(_, o)| has_fraction(o)), operands.len() > 1);
            let defined = |op: &B, right: &Node<Expression>| match op {
                B::Plus | B::Minus | B::Multiply => operands.len() == 2 && fractions,
                B::Divide => operands.len() == 2 && is_fraction_but_zero(right),
                B::BitwiseAnd | B::BitwiseOr | B::BitwiseXor => !fractions,
                B::Less | B::Greater | B::LessOrEqual | B::GreaterOrEqual | B::Equals | B::NotEquals => true,
                _ => false,
            };
            let each = |(op, o): &(Option<(&B, _)>, &Node<Expression>)| {
                op.is_none_or(|(op, _)| defined(op, o)) && !is_text(o) && cannot_be_undefined(o)
            };
            all && operands.iter().all(each)
        }
        Expression::Conditional(c) => [&c.node.condition, &c.node.then_expression, &c.node.else_expression]
            .into_iter()
            .all(|e| cannot_be_undefined(e)),
        _ => false,
    }
}

fn is_fraction_but_zero(e: &Node<Expression>) -> bool {
    let Expression::Constant(c) = &e.node else { return false };
    matches!(&c.node, Constant::Float(f) if f.base == FloatBase::Decimal && f.number.parse().is_ok_and(|x: f64| x > 1e-9))
}

/// Is it a floating constant, one that is cast to a floating type, or an arithmetic expression of such constants?
pub(super) fn has_fraction(e: &Node<Expression>) -> bool {
    match &e.node {
        Expression::Conditional(c) => {
            has_fraction(&c.node.then_expression) || has_fraction(&c.node.else_expression)
        }
        Expression::Comma(all) => all.last().is_some_and(has_fraction),
        Expression::Constant(c) => matches!(c.node, Constant::Float(_)),
        Expression::Cast(c) => is_floating(&c.node.type_name.node),
        Expression::UnaryOperator(u) => {
            matches!(u.node.operator.node, U::Minus | U::Plus) && has_fraction(&u.node.operand)
        }
        Expression::BinaryOperator(_) => {
            let operands = spine(e, &|op| matches!(op, B::Plus | B::Minus | B::Multiply | B::Divide));
            operands.len() > 1 && operands.iter().any(|(_, operand)| has_fraction(operand))
        }
        _ => false,
    }
}

/// Is it a string literal, or a choice of string literals?
pub(super) fn is_text(e: &Node<Expression>) -> bool {
    match &e.node {
        Expression::StringLiteral(s) => {
            s.node.iter().all(|part| part.starts_with('"') || part.starts_with("u8\""))
        }
        Expression::Conditional(c) => is_text(&c.node.then_expression) && is_text(&c.node.else_expression),
        _ => false,
    }
}

fn is_floating(name: &TypeName) -> bool {
    let word = |s: &Node<SpecifierQualifier>| matches!(&s.node, SpecifierQualifier::TypeSpecifier(t) if matches!(t.node, TypeSpecifier::Double | TypeSpecifier::Float));
    name.declarator.is_none() && name.specifiers.iter().any(word)
}

/// Is this `void`?
pub(super) fn is_void(name: &TypeName) -> bool {
    let word = |s: &Node<SpecifierQualifier>| matches!(&s.node, SpecifierQualifier::TypeSpecifier(t) if t.node == TypeSpecifier::Void);
    name.declarator.is_none() && name.specifiers.iter().any(word)
}

/// Is its value always a truth value?
pub(super) fn is_truth(e: &Node<Expression>) -> bool {
    match &e.node {
        Expression::UnaryOperator(u) => u.node.operator.node == U::Negate,
        Expression::BinaryOperator(b) => matches!(
            b.node.operator.node,
            B::LogicalAnd
                | B::LogicalOr
                | B::Less
                | B::Greater
                | B::LessOrEqual
                | B::GreaterOrEqual
                | B::Equals
                | B::NotEquals
        ),
        _ => false,
    }
}

/// The operator of a compound assignment like `+=`.
pub(super) fn compound(op: &B) -> Option<B> {
    Some(match op {
        B::AssignMultiply => B::Multiply,
        B::AssignDivide => B::Divide,
        B::AssignModulo => B::Modulo,
        B::AssignPlus => B::Plus,
        B::AssignMinus => B::Minus,
        B::AssignShiftLeft => B::ShiftLeft,
        B::AssignShiftRight => B::ShiftRight,
        B::AssignBitwiseAnd => B::BitwiseAnd,
        B::AssignBitwiseXor => B::BitwiseXor,
        B::AssignBitwiseOr => B::BitwiseOr,
        _ => return None,
    })
}

//! The shape of expressions: chains of operators, and what has no effects.

use lang_c::ast::{
    BinaryOperator as B, Expression, SpecifierQualifier, TypeName, TypeSpecifier, UnaryOperator as U,
};
use lang_c::span::Node;

/// The operands of a chain of operators that group to the left, each with its operator and the expression that ends with it.
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

/// Does the operator evaluate both operands and nothing else?
pub(super) fn is_plain(op: &B) -> bool {
    !matches!(op, B::Index | B::Assign | B::LogicalAnd | B::LogicalOr) && compound(op).is_none()
}

/// Has it no effects?
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
        // What is cast to `void` is an effect, or nothing.
        Expression::Cast(c) => !is_void(&c.node.type_name.node) && pure(&c.node.expression),
        Expression::Comma(all) => all.iter().all(pure),
        _ => true,
    }
}

/// Is this `void`?
pub(super) fn is_void(name: &TypeName) -> bool {
    let word = |s: &Node<SpecifierQualifier>| matches!(&s.node, SpecifierQualifier::TypeSpecifier(t) if t.node == TypeSpecifier::Void);
    name.declarator.is_none() && name.specifiers.iter().any(word)
}

/// Is its value a truth value, whatever is done with it?
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

/// The operator of an assignment like `+=`.
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

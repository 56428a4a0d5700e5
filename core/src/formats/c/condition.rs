//! Conditions: `? :`, `&&` and `||` whose operands have side effects, and branches on conditions.

use lang_c::ast::{BinaryOperator as B, Expression, UnaryOperator as U};
use lang_c::span::Node;

use super::Program;
use super::expression::Place;
use super::operators::{is_truth, pure, spine};
use super::types::{CType, Value, number};
use crate::diagnostic::Span;
use crate::expr::{Expr, Kind, Type};
use crate::system::{LocationId, Op};

/// The current locations if a condition is true, and if it is false.
pub(super) type Ways = (Option<LocationId>, Option<LocationId>);

impl Program<'_> {
    pub(super) fn conditional(
        &mut self,
        c: &lang_c::ast::ConditionalExpression,
        span: Span,
    ) -> Option<Value> {
        if pure(&c.then_expression) && pure(&c.else_expression) {
            let condition = self.used(&c.condition)?.condition();
            let a = self.guarded(condition.clone(), &c.then_expression)?;
            let b = self.guarded(condition.clone().negated(), &c.else_expression)?;
            if a.expr.ty == Type::Bool && b.expr.ty == Type::Bool {
                return Some(Value::truth(Expr::ite(condition, a.expr, b.expr).at(span)));
            }
            let ty = a.ty.common(&b.ty);
            let chosen = Expr::ite(condition, a.converted(&ty), b.converted(&ty)).at(span);
            return Some(Value::new(chosen, ty));
        }
        let (yes, no) = self.branch(&c.condition)?;
        let mut arms = Vec::new();
        for (at, e) in [(yes, &c.then_expression), (no, &c.else_expression)] {
            self.flow.go(at);
            // Its value is converted to the common type of both arms (C17, 6.5.15), unless it is unused.
            let value = self.rvalue_as(e, self.wants || !self.has_no_effect(e));
            arms.push((self.flow.at(), value?));
        }
        // The types of both arms determine that of the result.
        let void = arms.iter().any(|(_, value)| value.ty == CType::Void);
        let ty = if void { CType::Void } else { arms[0].1.ty.common(&arms[1].1.ty) };
        let result = (!void).then(|| Place::of(self.temporary("choice", &ty, span), ty));
        let after = self.flow.fresh();
        for (at, value) in &arms {
            self.flow.go(*at);
            if let Some(result) = &result {
                self.write(result, Some(value), span);
            }
            self.flow.jump(after, span);
        }
        self.flow.arrive(after);
        Some(match result {
            Some(result) => self.read(&result, span),
            None => Value::new(number(0).at(span), CType::Void),
        })
    }

    /// An operand that is evaluated only if a condition is true.
    fn guarded(&mut self, condition: Expr, e: &Node<Expression>) -> Option<Value> {
        self.guards.push(condition);
        let value = self.used(e);
        self.guards.pop();
        value
    }

    /// `a && f()` and `a || f()`, lowered to branches.
    pub(super) fn short_circuit(&mut self, e: &Node<Expression>, span: Span) -> Option<Value> {
        let v = self.temporary("choice", &CType::Bool, span);
        let (yes, no) = self.branch(e)?;
        let after = self.flow.fresh();
        for (at, truth) in [(yes, true), (no, false)] {
            self.flow.go(at);
            self.flow.step(Op::Assign(v, Expr::bool(truth)), span);
            self.flow.jump(after, span);
        }
        self.flow.arrive(after);
        Some(Value::truth(Expr::var(v, Type::Bool).at(span)))
    }

    /// Branches on a condition; the locations where it is true, and where it is false.
    pub(super) fn branch(&mut self, e: &Node<Expression>) -> Option<Ways> {
        let span = self.source.span(e);
        match &e.node {
            Expression::UnaryOperator(u) if u.node.operator.node == U::Negate => {
                let (yes, no) = self.branch(&u.node.operand)?;
                return Some((no, yes));
            }
            Expression::BinaryOperator(b) if needs_branches(e, &b.node.operator.node) => {
                let and = b.node.operator.node == B::LogicalAnd;
                let (yes, no) = self.branch(&b.node.lhs)?;
                self.flow.go(if and { yes } else { no });
                let (yes2, no2) = self.branch(&b.node.rhs)?;
                return Some(if and {
                    (yes2, self.merged(no, no2, span))
                } else {
                    (self.merged(yes, yes2, span), no2)
                });
            }
            _ if self.input(e).is_some() => {
                // Any value: both branches are possible.
                self.flow.mark(span);
                let (yes, no) = (self.flow.fresh(), self.flow.fresh());
                self.flow.way(super::INPUT_TRUE, yes, span);
                self.flow.way(super::INPUT_FALSE, no, span);
                let reached = self.flow.at().is_some();
                return Some((reached.then_some(yes), reached.then_some(no)));
            }
            _ => {}
        }
        let condition = self.truth(e)?.at(span);
        Some(self.fork(condition, span))
    }

    /// Branches on a condition converted to this argument type, if it is converted at all.
    pub(super) fn branch_as(&mut self, e: &Node<Expression>, ty: &Option<CType>) -> Option<Ways> {
        match ty {
            Some(ty) if self.input(e).is_none() && !is_truth(e) => {
                let value = self.used(e)?;
                let condition = Value::new(value.converted(ty), ty.clone()).condition();
                let span = self.source.span(e);
                Some(self.fork(condition.at(span), span))
            }
            _ => self.branch(e),
        }
    }

    /// An expression as a condition; a string literal is not zero.
    pub(super) fn truth(&mut self, e: &Node<Expression>) -> Option<Expr> {
        match e.node {
            Expression::StringLiteral(_) => Some(Expr::bool(true)),
            _ => Some(self.used(e)?.condition()),
        }
    }

    fn fork(&mut self, condition: Expr, span: Span) -> Ways {
        let here = self.flow.at();
        match condition.kind {
            Kind::Bool(true) => return (here, None),
            Kind::Bool(false) => return (None, here),
            _ => {}
        }
        self.flow.step(Op::Assume(condition.clone()), span);
        let yes = self.flow.at();
        self.flow.go(here);
        self.flow.step(Op::Assume(condition.negated()), span);
        let no = self.flow.at();
        self.flow.go(here);
        (yes, no)
    }

    fn merged(&mut self, a: Option<LocationId>, b: Option<LocationId>, span: Span) -> Option<LocationId> {
        let (Some(a), Some(b)) = (a, b) else { return a.or(b) };
        // A separate location, because the promises at one of them are not valid at the other.
        let both = self.flow.fresh();
        for at in [a, b] {
            self.flow.go(Some(at));
            self.flow.jump(both, span);
        }
        Some(both)
    }
}

/// Is this `a && b` or `a || b` with side effects in an operand after the first?
pub(super) fn needs_branches(e: &Node<Expression>, op: &B) -> bool {
    let logical = matches!(op, B::LogicalAnd | B::LogicalOr);
    logical && spine(e, &|o| o == op)[1..].iter().any(|(_, operand)| !pure(operand))
}

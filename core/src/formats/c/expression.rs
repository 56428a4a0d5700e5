//! Expressions: pure ones become expressions, side effects become preceding steps.

use lang_c::ast::{
    BinaryOperator as B, BinaryOperatorExpression, Expression, UnaryOperator as U, UnaryOperatorExpression,
};
use lang_c::span::Node;
use solver_lite::number::Q;

use super::builtin::Builtin;
use super::condition::needs_branches;
use super::operators::{compound, is_plain, pure, spine};
use super::types::{CType, INT, Value, any_value, negated, number, product, sum};
use super::{Entity, Program};
use crate::diagnostic::Span;
use crate::expr::{Binary, Expr, Kind, Nary, Sign, Type, VarId};
use crate::system::Op;

/// An lvalue.
pub(super) struct Place {
    /// The variable, or the first cell of an array.
    first: VarId,
    /// Its type, or that of a cell.
    ty: CType,
    /// The index of the cell, and the number of cells.
    cell: Option<(Expr, usize)>,
}

impl Place {
    /// A variable.
    pub(super) fn of(first: VarId, ty: CType) -> Place {
        Place { first, ty, cell: None }
    }
}

impl Program<'_> {
    /// The value of an expression; its side effects become steps. `None` after a report.
    pub(super) fn rvalue(&mut self, e: &Node<Expression>) -> Option<Value> {
        let span = self.source.span(e);
        self.check_sequence(e, span)?;
        match &e.node {
            Expression::Constant(c) => self.literal(&c.node, span),
            Expression::Identifier(id) => self.identifier(&id.node.name, e, span),
            Expression::BinaryOperator(b) if is_plain(&b.node.operator.node) => self.chain(e),
            Expression::BinaryOperator(b) => self.binary(e, &b.node, span),
            Expression::UnaryOperator(u) => self.unary(&u.node, span),
            Expression::Conditional(c) => self.conditional(&c.node, span),
            Expression::Call(c) => self.call(c, span),
            Expression::Cast(c) => {
                let ty = self.named_type(&c.node.type_name)?;
                let value = self.rvalue_as(&c.node.expression, self.wants || ty != CType::Void)?;
                if matches!(ty, CType::Array(..)) || value.ty == CType::Void && ty != CType::Void {
                    return self.error(span, "this cannot be converted to that type");
                }
                Some(if ty == CType::Void {
                    Value { ty, ..value }
                } else {
                    Value::new(value.converted(&ty), ty)
                })
            }
            Expression::Comma(all) => {
                if self.constants_only {
                    return self
                        .error(span, "a constant is expected here, but ',' is not allowed in constants");
                }
                let (last, before) = all.split_last()?;
                before.iter().try_for_each(|e| self.effect(e).map(|_| ()))?;
                self.rvalue(last)
            }
            Expression::SizeOfTy(t) => {
                let ty = self.named_type(&t.node.0)?;
                if ty == CType::Void {
                    return self.error(span, "'void' has no size");
                }
                Some(self.size(ty.size()))
            }
            Expression::SizeOfVal(e) => {
                let size = self.static_type(&e.node.0)?.size();
                Some(self.size(size))
            }
            Expression::StringLiteral(_) => self.unsupported(span, "string literals are not supported"),
            Expression::Member(_) => self.unsupported(span, "structures and unions are not supported"),
            _ => self.unsupported(span, "this expression is not supported"),
        }
    }

    /// The type of an unevaluated expression.
    fn static_type(&mut self, e: &Node<Expression>) -> Option<CType> {
        let span = self.source.span(e);
        match &e.node {
            Expression::Identifier(id) => {
                if self.declared_later(&id.node.name, e.span.start) {
                    return self.error(span, format!("'{}' is used before its declaration", id.node.name));
                }
                if let Some(Entity::Variable(_, ty)) = self.lookup(&id.node.name) {
                    return Some(ty);
                }
            }
            Expression::BinaryOperator(b) if b.node.operator.node == B::Index => {
                if let CType::Array(element, _) = self.static_type(&b.node.lhs)? {
                    return Some(*element);
                }
            }
            _ => {}
        }
        self.unsupported(span, "'sizeof' is supported for types, variables and elements only")
    }

    fn size(&mut self, bytes: usize) -> Value {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        Value::new(number(bytes), CType::Int { bits: self.model.long(), signed: false })
    }

    fn identifier(&mut self, name: &str, e: &Node<Expression>, span: Span) -> Option<Value> {
        if self.declared_later(name, e.span.start) {
            return self.error(span, format!("'{name}' is used before its declaration"));
        }
        match self.lookup(name) {
            Some(Entity::Variable(..)) if self.constants_only => {
                self.unsupported(span, "a constant is expected here, and this is a variable")
            }
            Some(Entity::Variable(_, CType::Array(..))) => {
                self.unsupported(span, "arrays as values (pointers) are not supported")
            }
            Some(Entity::Variable(..)) => {
                let place = self.place(e)?;
                Some(self.read(&place, span))
            }
            Some(Entity::Constant(c)) => Some(Value::new(c.at(span), INT)),
            Some(Entity::Type(..)) => self.error(span, format!("'{name}' is a type")),
            Some(Entity::Refused) => self.refused(name, span),
            None if super::headers::is_unsupported(name) => self.refused(name, span),
            None if self.functions.contains_key(name) || self.prototypes.contains_key(name) => {
                self.unsupported(span, "functions as values are not supported")
            }
            None => match super::source::usual_constant(name, self.model) {
                Some((value, ty)) => Some(Value::new(Expr::num(value, Type::Int).at(span), ty)),
                None => self.error(span, format!("unknown name '{name}'")),
            },
        }
    }

    /// Does the name occur before the global declaration that it would denote?
    pub(super) fn declared_later(&self, name: &str, at: usize) -> bool {
        let inner = self.scopes[1..].iter().any(|scope| scope.contains_key(name));
        !inner && self.global.get(name).is_some_and(|declared| *declared > at)
    }

    /// The lvalue of an expression; side effects of indices become steps.
    pub(super) fn place(&mut self, e: &Node<Expression>) -> Option<Place> {
        let span = self.source.span(e);
        match &e.node {
            Expression::Identifier(id) if self.declared_later(&id.node.name, e.span.start) => {
                self.error(span, format!("'{}' is used before its declaration", id.node.name))
            }
            Expression::Identifier(id) => match self.lookup(&id.node.name) {
                Some(Entity::Variable(first, ty)) => Some(Place::of(first, ty)),
                Some(Entity::Refused) => self.refused(&id.node.name, span),
                _ if super::headers::is_unsupported(&id.node.name) => self.refused(&id.node.name, span),
                _ => self.error(span, format!("unknown variable '{}'", id.node.name)),
            },
            Expression::BinaryOperator(b) if b.node.operator.node == B::Index => {
                if matches!(b.node.lhs.node, Expression::Constant(_)) {
                    return self.unsupported(span, "an index before its array is not supported");
                }
                let array = self.place(&b.node.lhs)?;
                let array = if pure(&b.node.rhs) { array } else { self.kept(array, Some(&b.node.rhs), span) };
                let index = self.used(&b.node.rhs)?;
                // The index occurs once for each element.
                let index = if index.expr.depth() > 3 { self.copied(index, span) } else { index }.exact();
                let CType::Array(element, n) = array.ty else {
                    return self.unsupported(span, "pointers are not supported");
                };
                if self.constants_only {
                    return self.error(span, "a constant is expected here");
                }
                self.inside(&index, n, span);
                // Cells are counted from the first one of the outermost array.
                let inner = element.cells();
                let cells =
                    if inner == 1 { index } else { product(index, number(i64::try_from(inner).ok()?)) };
                let (at, all) = match array.cell {
                    None => (cells, n * inner),
                    Some((base, all)) => (sum(base, Sign::Plus, cells), all),
                };
                Some(Place { first: array.first, ty: *element, cell: Some((Value::new(at, INT).expr, all)) })
            }
            Expression::UnaryOperator(u) if u.node.operator.node == U::Indirection => {
                self.unsupported(span, "pointers are not supported")
            }
            Expression::Member(_) => self.unsupported(span, "structures and unions are not supported"),
            Expression::StringLiteral(_) => self.unsupported(span, "string literals are not supported"),
            _ => self.error(span, "this cannot be assigned to"),
        }
    }

    /// Assumes that an index is inside of its array: otherwise behaviour is undefined in C.
    fn inside(&mut self, index: &Expr, n: usize, span: Span) {
        let n = i64::try_from(n).unwrap_or(i64::MAX);
        let known = matches!(&index.kind, Kind::Num(q) if !q.is_negative() && *q < Q::from(n));
        if !known {
            let above = Expr::compare(Binary::Le, number(0), index.clone());
            let below = Expr::compare(Binary::Lt, index.clone(), number(n));
            self.flow.step(Op::Assume(Expr::and(vec![above, below])), span);
        }
    }

    fn cell(&self, place: &Place, i: usize) -> Expr {
        let v = VarId::new(place.first.index() + i);
        Expr::var(v, self.variables[v.index()].ty.clone())
    }

    /// The value of an lvalue: that of one cell, or a case distinction over all.
    pub(super) fn read(&mut self, place: &Place, span: Span) -> Value {
        let value = match &place.cell {
            None => self.cell(place, 0),
            Some((index, all)) => match constant(index) {
                Some(i) => self.cell(place, i.min(all - 1)),
                None => (0..all - 1).rev().fold(self.cell(place, all - 1), |other, i| {
                    let here =
                        Expr::compare(Binary::Eq, index.clone(), number(i64::try_from(i).unwrap_or(0)));
                    Expr::ite(here, self.cell(place, i), other)
                }),
            },
        };
        Value::new(value.at(span), place.ty.clone())
    }

    /// Assigns to an lvalue; `None` assigns any value.
    pub(super) fn write(&mut self, place: &Place, value: Option<&Value>, span: Span) {
        let value = value.map(|v| v.converted(&place.ty));
        let op = match (&place.cell, value) {
            (None, None) => return self.any(place.first, &place.ty, span),
            (None, Some(e)) => Op::Assign(place.first, e),
            (Some((index, _)), Some(e)) => self.update(place, index, &e),
            (Some((index, _)), None) => {
                let v = self.temporary("input", &place.ty, span);
                self.any(v, &place.ty, span);
                self.update(place, index, &Expr::var(v, place.ty.variable()))
            }
        };
        self.flow.step(op, span);
    }

    fn update(&self, place: &Place, index: &Expr, e: &Expr) -> Op {
        let cell = |i: usize| VarId::new(place.first.index() + i);
        let all = place.cell.as_ref().map_or(1, |(_, all)| *all);
        if let Some(i) = constant(index) {
            return Op::Assign(cell(i.min(all - 1)), e.clone());
        }
        let chosen = |i: usize| {
            let here = Expr::compare(Binary::Eq, index.clone(), number(i64::try_from(i).unwrap_or(0)));
            (cell(i), Expr::ite(here, e.clone(), self.cell(place, i)))
        };
        Op::Update((0..all).map(chosen).collect())
    }

    /// Assigns any value of its type to a variable.
    pub(super) fn any(&mut self, v: VarId, ty: &CType, span: Span) {
        let label = format!("{} := any {ty}", self.variables[v.index()].name);
        let range = matches!(ty, CType::Int { .. }).then(|| ty.range());
        self.flow.labelled(any_value(v, range), label, span);
    }

    fn unary(&mut self, u: &UnaryOperatorExpression, span: Span) -> Option<Value> {
        let (sign, after) = match &u.operator.node {
            U::PostIncrement => (Sign::Plus, true),
            U::PreIncrement => (Sign::Plus, false),
            U::PostDecrement => (Sign::Minus, true),
            U::PreDecrement => (Sign::Minus, false),
            U::Address | U::Indirection => return self.unsupported(span, "pointers are not supported"),
            simple => return self.simple_unary(simple, &u.operand, span),
        };
        let place = self.place(&u.operand)?;
        self.assignable(&place, span)?;
        let place = self.kept(place, None, span);
        let mut old = self.read(&place, span);
        if after && self.wants {
            old = self.copied(old, span);
        }
        let one = Value::new(number(1), INT);
        let new = self.arithmetic(if sign == Sign::Plus { B::Plus } else { B::Minus }, &old, &one, span)?;
        self.write(&place, Some(&new), span);
        Some(if after { old } else { self.read(&place, span) })
    }

    fn simple_unary(&mut self, op: &U, operand: &Node<Expression>, span: Span) -> Option<Value> {
        if *op == U::Negate {
            return Some(Value::truth(self.truth(operand)?.negated().at(span)));
        }
        let value = self.used(operand)?;
        let ty = value.ty.promoted();
        let unsigned = matches!(ty, CType::Int { signed: false, .. });
        Some(match op {
            U::Plus => Value::new(value.converted(&ty), ty),
            U::Minus => {
                let number = Value::new(negated(value.converted(&ty)).at(span), ty.clone()).expr;
                if !unsigned {
                    self.promise_range(&number, ty.range());
                }
                Value { wrapped: !unsigned, ..Value::new(number, ty) }
            }
            // ~x is -x - 1.
            U::Complement => {
                let all = sum(negated(value.converted(&ty)), Sign::Minus, number(1));
                Value { wrapped: !unsigned, ..Value::new(all.at(span), ty) }
            }
            _ => return self.unsupported(span, "this operator is not supported"),
        })
    }

    fn binary(
        &mut self,
        whole: &Node<Expression>,
        b: &BinaryOperatorExpression,
        span: Span,
    ) -> Option<Value> {
        let op = &b.operator.node;
        match op {
            B::Index => {
                let place = self.place(whole)?;
                if matches!(place.ty, CType::Array(..)) {
                    return self.unsupported(span, "arrays as values (pointers) are not supported");
                }
                Some(self.read(&place, span))
            }
            B::Assign => self.assign(&b.lhs, &b.rhs, span),
            B::LogicalAnd | B::LogicalOr => {
                if needs_branches(whole, op) {
                    return self.short_circuit(whole, span);
                }
                let and = *op == B::LogicalAnd;
                let (before, mut parts) = (self.guards.len(), Vec::new());
                for (_, operand) in spine(whole, &|o| o == op) {
                    let Some(condition) = self.truth(operand) else {
                        self.guards.truncate(before);
                        return None;
                    };
                    self.guards.push(if and { condition.clone() } else { condition.clone().negated() });
                    parts.push(condition);
                }
                self.guards.truncate(before);
                let kind = Kind::Nary(if and { Nary::And } else { Nary::Or }, parts);
                Some(Value::truth(Expr { kind, ty: Type::Bool, span }))
            }
            _ => match compound(op) {
                Some(op) => {
                    let place = self.place(&b.lhs)?;
                    self.assignable(&place, span)?;
                    let place = self.kept(place, Some(&b.rhs), span);
                    let old = self.read(&place, span);
                    let right = self.used(&b.rhs)?;
                    let new = self.arithmetic(op, &old, &right, span)?;
                    self.write(&place, Some(&new), span);
                    Some(self.read(&place, span))
                }
                None => self.unsupported(span, "this operator is not supported"),
            },
        }
    }

    /// Operators without side effects, the leftmost operand first; `a + b + c` needs no recursion.
    fn chain(&mut self, e: &Node<Expression>) -> Option<Value> {
        let operands = spine(e, &|o| is_plain(o));
        let mut left = self.used(operands[0].1)?;
        for (operator, operand) in &operands[1..] {
            let (op, whole) = operator.expect("all but the first have one");
            // An operand that a later operand changes is read before it, from left to right.
            if self.has_effects(operand) && !left.expr.variables().is_empty() {
                let span = left.expr.span;
                left = self.copied(left, span);
            }
            let right = self.used(operand)?;
            left = self.arithmetic(op.clone(), &left, &right, self.source.span(whole))?;
        }
        Some(left)
    }

    /// Has an expression side effects, other than being one input?
    pub(super) fn has_effects(&self, e: &Node<Expression>) -> bool {
        !pure(e) && self.input(e).is_none()
    }

    /// Rejects assignments to constants.
    fn assignable(&mut self, place: &Place, span: Span) -> Option<()> {
        if self.constants_only {
            return self.error(span, "a constant is expected here");
        }
        if matches!(place.ty, CType::Array(..)) {
            return self.error(span, "arrays cannot be assigned");
        }
        if self.constants.contains(&place.first) {
            return self.error(span, "this is declared 'const' and cannot be assigned");
        }
        Some(())
    }

    pub(super) fn assign(
        &mut self,
        left: &Node<Expression>,
        right: &Node<Expression>,
        span: Span,
    ) -> Option<Value> {
        let place = self.place(left)?;
        self.assignable(&place, span)?;
        let place = self.kept(place, Some(right), span);
        self.assign_to(&place, right, span)?;
        Some(self.read(&place, span))
    }

    /// An lvalue whose index is changed neither by side effects of an expression, nor by the assignment itself.
    fn kept(&mut self, place: Place, e: Option<&Node<Expression>>, span: Span) -> Place {
        let own = |all: usize| place.first.index()..place.first.index() + all;
        let reads_own =
            |(index, all): &(Expr, usize)| index.variables().iter().any(|v| own(*all).contains(&v.index()));
        let still = e.is_none_or(pure) && !place.cell.as_ref().is_some_and(reads_own);
        match place.cell {
            Some((index, all)) if !still && constant(&index).is_none() => {
                let index = self.copied(Value::new(index, INT), span).expr;
                Place { cell: Some((index, all)), ..place }
            }
            _ => place,
        }
    }

    /// Assigns the value of an expression; an input is assigned directly.
    pub(super) fn assign_to(&mut self, place: &Place, right: &Node<Expression>, span: Span) -> Option<()> {
        if self.input(right).is_some_and(|ty| ty == place.ty) {
            let call = self.source.span(right);
            self.write(place, None, call);
        } else {
            let value = self.used(right)?;
            self.write(place, Some(&value), span);
        }
        Some(())
    }

    /// The type of an expression that is an input.
    pub(super) fn input(&self, e: &Node<Expression>) -> Option<CType> {
        let Expression::Call(call) = &e.node else { return None };
        let Expression::Identifier(id) = &call.node.callee.node else { return None };
        if !call.node.arguments.is_empty() {
            return None;
        }
        match self.builtin(&id.node.name) {
            Some(Builtin::Input(ty)) if !self.functions.contains_key(&id.node.name) => Some(ty),
            _ => None,
        }
    }

    /// A copy of a value that later side effects do not change.
    pub(super) fn copied(&mut self, value: Value, span: Span) -> Value {
        let v = self.temporary("old", &value.ty, span);
        self.flow.step(Op::Assign(v, value.converted(&value.ty)), span);
        Value::new(Expr::var(v, value.ty.variable()).at(span), value.ty)
    }

    /// The value of an expression, which is used or only evaluated for its side effects.
    pub(super) fn rvalue_as(&mut self, e: &Node<Expression>, used: bool) -> Option<Value> {
        let around = std::mem::replace(&mut self.wants, used);
        let value = self.rvalue(e);
        self.wants = around;
        value
    }

    /// The value of an expression that must have one.
    pub(super) fn used(&mut self, e: &Node<Expression>) -> Option<Value> {
        let value = self.rvalue_as(e, true)?;
        if value.ty == CType::Void {
            let span = self.source.span(e);
            return self.error(span, "this expression has no value");
        }
        Some(value)
    }
}

/// The index of a cell, if it is constant.
fn constant(index: &Expr) -> Option<usize> {
    match &index.kind {
        Kind::Num(q) => q.to_string().parse().ok(),
        _ => None,
    }
}

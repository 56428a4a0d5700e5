//! Statements.

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, BlockItem, Expression, ForInitializer, Label, Statement,
    UnaryOperator,
};
use lang_c::span::Node;
use std::collections::{HashMap, HashSet};

use super::condition::needs_branches;
use super::expression::Place;
use super::operators::is_void;
use super::prototype::Prototype;
use super::types::{self, CType, Value};
use super::{Entity, Program};
use crate::diagnostic::Span;
use crate::expr::{Binary, Expr, Kind, Type};
use crate::system::{LocationId, Op};

/// Targets of `break` and `continue`.
pub(super) struct Target {
    after: LocationId,
    again: Option<LocationId>,
    /// For a `switch`: its cases, and whether there is a default.
    cases: Option<Cases>,
}

#[derive(Default)]
struct Cases {
    constants: Vec<(Expr, LocationId, Span)>,
    default: Option<LocationId>,
}

impl<'a> Program<'a> {
    /// Lowers a statement; errors are collected.
    pub(super) fn statement(&mut self, s: &'a Node<Statement>) {
        let span = self.source.span(s);
        match &s.node {
            Statement::Compound(items) => self.block(items),
            Statement::Expression(None) => {}
            Statement::Expression(Some(e)) => _ = self.effect(e),
            Statement::If(i) => self.scoped(|p| p.conditional_statement(&i.node, span)),
            Statement::While(w) => {
                self.scoped(|p| p.while_loop(&w.node.expression, &w.node.statement, span));
            }
            Statement::DoWhile(d) => self.scoped(|p| p.do_loop(&d.node, span)),
            Statement::For(f) => {
                let after = self.flow.fresh();
                self.scoped(|p| p.for_loop(&f.node, after, span));
                self.flow.arrive(after);
            }
            Statement::Switch(sw) => self.scoped(|p| p.switch(&sw.node, span)),
            Statement::Labeled(l) => {
                self.label(&l.node.label, span);
                self.statement(&l.node.statement);
            }
            Statement::Goto(id) => {
                let call = self.calls.last_mut().expect("statements are allowed only in functions");
                if !call.labels.contains_key(&id.node.name) {
                    call.missing.insert(id.node.name.clone(), span);
                }
                let at = self.label_place(&id.node.name);
                self.flow.jump_over(Op::Skip, at, span);
                self.flow.go(None);
            }
            Statement::Break | Statement::Continue => self.leave_loop(s.node == Statement::Break, span),
            Statement::Return(value) => self.return_statement(value.as_deref(), span),
            Statement::Asm(_) => {
                self.unsupported::<()>(span, "assembler is not supported");
            }
        }
    }

    /// A statement that is a block, whose substatements are blocks, too (C17, 6.8.4 and 6.8.5).
    fn scoped(&mut self, lower: impl FnOnce(&mut Self)) {
        self.scopes.push(HashMap::new());
        let around = self.flow.enter();
        lower(self);
        self.flow.leave(around);
        self.scopes.pop();
    }

    fn part(&mut self, s: &'a Node<Statement>) {
        self.scoped(|p| p.statement(s));
    }

    fn block(&mut self, items: &'a [Node<BlockItem>]) {
        self.scoped(|p| p.items(items));
    }

    /// The contents of a block.
    pub(super) fn items(&mut self, items: &'a [Node<BlockItem>]) {
        for item in items {
            match &item.node {
                BlockItem::Declaration(d) => self.declaration(d, false),
                BlockItem::Statement(s) => self.statement(s),
                BlockItem::StaticAssert(a) => self.static_assertion(a),
            }
        }
    }

    /// An expression evaluated for its side effects; returns its type.
    pub(super) fn effect(&mut self, e: &Node<Expression>) -> Option<CType> {
        self.effect_as(e, false)
    }

    /// The same for an expression whose value may be used by an enclosing operator.
    fn effect_as(&mut self, e: &Node<Expression>, used: bool) -> Option<CType> {
        match &e.node {
            Expression::BinaryOperator(b) if needs_branches(e, &b.node.operator.node) => {
                return self.effect_of_branches(e, &b.node);
            }
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Negate => {
                return self.scalar_effect(&u.node.operand);
            }
            Expression::Cast(c) if is_void(&c.node.type_name.node) => {
                self.effect(&c.node.expression)?;
                return Some(CType::Void);
            }
            // Arrays and string literals are values here, which are not used.
            Expression::StringLiteral(_) => return Some(types::INT),
            Expression::Identifier(id) if !self.declared_later(&id.node.name, e.span.start) => {
                if let Some(Entity::Variable(_, ty @ CType::Array(..))) = self.lookup(&id.node.name) {
                    return Some(ty);
                }
            }
            _ => {}
        }
        let results = self.results.len();
        let value = self.rvalue_as(e, used);
        self.results.truncate(results);
        value.map(|value| value.ty)
    }

    /// `a && f()` or `a || f()`: the value of the last operand is unused.
    fn effect_of_branches(&mut self, e: &Node<Expression>, b: &BinaryOperatorExpression) -> Option<CType> {
        let span = self.source.span(e);
        let (yes, no) = self.decide(&b.lhs);
        let and = b.operator.node == BinaryOperator::LogicalAnd;
        let (goes_on, ends) = if and { (yes, no) } else { (no, yes) };
        let after = self.flow.fresh();
        self.flow.go(goes_on);
        let ty = self.scalar_effect(&b.rhs);
        self.flow.jump(after, span);
        self.flow.go(ends);
        self.flow.jump(after, span);
        self.flow.arrive(after);
        ty
    }

    /// The side effects of an operand that must have a value.
    fn scalar_effect(&mut self, e: &Node<Expression>) -> Option<CType> {
        match self.effect_as(e, !self.has_no_effect(e))? {
            CType::Void => {
                let span = self.source.span(e);
                self.error(span, "this expression has no value")
            }
            _ => Some(types::INT),
        }
    }

    /// Both branches of a condition; none after a report.
    fn decide(&mut self, e: &Node<Expression>) -> (Option<LocationId>, Option<LocationId>) {
        let results = self.results.len();
        let ways = self.branch(e).unwrap_or_default();
        self.results.truncate(results);
        ways
    }

    fn conditional_statement(&mut self, i: &'a lang_c::ast::IfStatement, span: Span) {
        let (yes, no) = self.decide(&i.condition);
        self.flow.go(yes);
        self.part(&i.then_statement);
        let after = self.flow.fresh();
        self.flow.jump(after, span);
        self.flow.go(no);
        if let Some(other) = &i.else_statement {
            self.part(other);
        }
        self.flow.jump(after, span);
        self.flow.arrive(after);
    }

    fn while_loop(&mut self, condition: &'a Node<Expression>, body: &'a Node<Statement>, span: Span) {
        let head = self.flow.fresh();
        self.flow.join(head, span);
        self.flow.mark(span);
        let after = self.flow.fresh();
        let (yes, no) = self.decide(condition);
        self.flow.go(no);
        self.flow.jump(after, span);
        self.flow.go(yes);
        self.inside_loop(after, Some(head), body);
        self.flow.jump(head, span);
        self.flow.arrive(after);
    }

    fn inside_loop(&mut self, after: LocationId, again: Option<LocationId>, body: &'a Node<Statement>) {
        self.targets.push(Target { after, again, cases: None });
        self.part(body);
        self.targets.pop();
    }

    fn do_loop(&mut self, d: &'a lang_c::ast::DoWhileStatement, span: Span) {
        let (head, again, after) = (self.flow.fresh(), self.flow.fresh(), self.flow.fresh());
        self.flow.join(head, span);
        self.inside_loop(after, Some(again), &d.statement);
        self.flow.jump(again, span);
        self.flow.arrive(again);
        let (yes, no) = self.decide(&d.expression);
        self.flow.go(yes);
        self.flow.jump(head, span);
        self.flow.go(no);
        self.flow.jump(after, span);
        self.flow.arrive(after);
    }

    fn for_loop(&mut self, f: &'a lang_c::ast::ForStatement, after: LocationId, span: Span) {
        match &f.initializer.node {
            ForInitializer::Empty => {}
            ForInitializer::StaticAssert(a) => self.static_assertion(a),
            ForInitializer::Expression(e) => _ = self.effect(e),
            ForInitializer::Declaration(d) => {
                self.automatic_only(&d.node.specifiers);
                self.only_variables(d);
                self.declaration(d, false);
            }
        }
        let (head, step) = (self.flow.fresh(), self.flow.fresh());
        self.flow.join(head, span);
        self.flow.mark(span);
        if let Some(condition) = &f.condition {
            let (yes, no) = self.decide(condition);
            self.flow.go(no);
            self.flow.jump(after, span);
            self.flow.go(yes);
        }
        self.inside_loop(after, Some(step), &f.statement);
        self.flow.jump(step, span);
        self.flow.arrive(step);
        if let Some(e) = &f.step {
            self.effect(e);
        }
        self.flow.jump(head, span);
    }

    fn switch(&mut self, s: &'a lang_c::ast::SwitchStatement, span: Span) {
        let results = self.results.len();
        // Errors in it have been reported; its body is translated all the same.
        let value = self.used(&s.expression).unwrap_or_else(|| Value::new(types::number(0), types::INT));
        self.results.truncate(results);
        let ty = value.ty.promoted();
        let value = value.converted(&ty);
        let here = self.flow.at();
        let after = self.flow.fresh();
        self.targets.push(Target { after, again: None, cases: Some(Cases::default()) });
        self.flow.go(None);
        self.part(&s.statement);
        self.flow.jump(after, span);
        let cases = self.targets.pop().and_then(|t| t.cases).unwrap_or_default();
        self.flow.go(here);
        self.flow.mark(span);
        let (mut others, mut met) = (Vec::new(), HashSet::new());
        for (constant, at, place) in cases.constants {
            let constant = Value::new(constant, types::WIDE).converted(&ty);
            if let Kind::Num(q) = &constant.kind
                && !met.insert(q.to_string())
            {
                self.error::<()>(place, format!("this 'switch' has {q} as a case twice"));
            }
            self.flow.jump_over(
                Op::Assume(Expr::compare(Binary::Eq, value.clone(), constant.clone())),
                at,
                span,
            );
            others.push(Expr::compare(Binary::Ne, value.clone(), constant));
        }
        self.flow.jump_over(Op::Assume(Expr::and(others)), cases.default.unwrap_or(after), span);
        self.flow.arrive(after);
    }

    fn label(&mut self, label: &'a Node<Label>, span: Span) {
        match &label.node {
            Label::Identifier(id) => {
                let at = self.label_place(&id.node.name);
                let call = self.calls.last_mut().expect("statements are allowed only in functions");
                call.missing.remove(&id.node.name);
                if !call.met.insert(id.node.name.clone()) {
                    self.error::<()>(span, format!("the label '{}' is defined twice", id.node.name));
                }
                self.flow.belongs_here(at);
                self.flow.join(at, span);
            }
            Label::Case(e) => {
                let Some(constant) = self.constant(e) else { return };
                let at = self.flow.fresh();
                self.flow.join(at, span);
                let constant = Expr::num(constant, Type::Int);
                let in_switch = self.targets.iter_mut().rev().find_map(|t| t.cases.as_mut());
                match in_switch {
                    Some(cases) => cases.constants.push((constant, at, span)),
                    None => {
                        self.error::<()>(span, "'case' outside of a 'switch'");
                    }
                }
            }
            Label::Default => {
                let at = self.flow.fresh();
                self.flow.join(at, span);
                match self.targets.iter_mut().rev().find_map(|t| t.cases.as_mut()) {
                    Some(cases) => {
                        if cases.default.replace(at).is_some() {
                            self.error::<()>(span, "this 'switch' has a second 'default'");
                        }
                    }
                    None => {
                        self.error::<()>(span, "'default' outside of a 'switch'");
                    }
                }
            }
            Label::CaseRange(_) => {
                self.unsupported::<()>(span, "ranges of cases are not supported");
            }
        }
    }

    fn label_place(&mut self, name: &str) -> LocationId {
        let call = self.calls.last_mut().expect("statements are allowed only in functions");
        *call.labels.entry(name.to_owned()).or_insert_with(|| self.flow.fresh())
    }

    fn leave_loop(&mut self, breaks: bool, span: Span) {
        let target = self.targets.iter().rev().find_map(|t| if breaks { Some(t.after) } else { t.again });
        self.flow.mark(span);
        match target {
            Some(at) => self.flow.jump(at, span),
            None => {
                let word = if breaks { "break" } else { "continue" };
                self.error::<()>(span, format!("'{word}' outside of a loop"));
            }
        }
    }

    fn return_statement(&mut self, value: Option<&'a Node<Expression>>, span: Span) {
        let call = self.calls.last().expect("statements are allowed only in functions");
        let (after, result, name) = (call.after, call.result.clone(), call.name.clone());
        self.flow.mark(span);
        match (value, result) {
            (Some(e), Some((v, ty))) => {
                self.assign_to(&Place::of(v, ty), e, span);
            }
            // The result of `main` is a number, which is irrelevant.
            (Some(e), None)
                if name == "main" && self.prototypes.get("main").is_none_or(Prototype::returns) =>
            {
                match self.effect(e) {
                    Some(CType::Void) => _ = self.error::<()>(span, "this expression has no value"),
                    Some(CType::Array(..)) => {
                        self.unsupported::<()>(span, "arrays as values (pointers) are not supported");
                    }
                    _ => {}
                }
            }
            (Some(e), None) => {
                if self.effect(e).is_some_and(|ty| ty != CType::Void) {
                    self.error::<()>(span, format!("'{name}' returns no value"));
                }
            }
            (None, Some(_)) => {
                self.error::<()>(span, format!("'{name}' returns a value, which is missing here"));
            }
            (None, None) if name == "main" && self.prototypes.get("main").is_some_and(Prototype::returns) => {
                self.error::<()>(span, "'main' returns a value, which is missing here");
            }
            (None, None) => {}
        }
        self.flow.jump(after, span);
    }
}

//! Unsequenced side effects (C17, 6.5, paragraph 2): behaviour is undefined if an object is modified twice, or modified
//! and read for another purpose, without a sequence point between.
//!
//! Operands of most operators, and arguments, are unsequenced. Those of `&&`, `||`, `? :` and `,` are sequenced, and so
//! is the body of a called function. Objects are distinguished by name, since expressions declare no names. Elements of
//! an array are distinguished by constant indices only.

use std::collections::BTreeSet;

use lang_c::ast::{BinaryOperator as B, Constant, Expression, IntegerBase, UnaryOperator as U};
use lang_c::span::Node;

use super::Program;
use super::operators::{compound, is_plain, pure, spine};
use crate::diagnostic::Span;
use crate::expr::Expr;

/// A variable, or an element of an array with its indices; an index is none if it is not constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Object {
    name: String,
    indices: Vec<Option<String>>,
}

impl Object {
    /// Are they the same object? `None` if this depends on values.
    fn is(&self, other: &Object) -> Option<bool> {
        if self.name != other.name {
            return Some(false);
        }
        let differ = |(a, b): (&Option<String>, &Option<String>)| a.is_some() && b.is_some() && a != b;
        if self.indices.iter().zip(&other.indices).any(differ) {
            return Some(false);
        }
        let known = |o: &Object| o.indices.iter().all(Option::is_some);
        (known(self) && known(other)).then_some(true)
    }
}

type Objects = BTreeSet<Object>;

/// The effects of evaluating an expression.
#[derive(Clone, Default)]
struct Effects {
    read: Objects,
    changed: Objects,
    /// The modified objects whose modification may follow the computation of the value.
    pending: Objects,
}

impl Effects {
    fn add(&mut self, other: Effects) {
        self.read.extend(other.read);
        self.changed.extend(other.changed);
        self.pending.extend(other.pending);
    }

    fn of_all<'e>(all: impl Iterator<Item = &'e Node<Expression>>) -> Effects {
        let mut sum = Effects::default();
        all.for_each(|e| sum.add(effects(e)));
        sum
    }

    fn changing(objects: Objects) -> Effects {
        Effects { changed: objects, ..Effects::default() }
    }

    /// Do the effects conflict: does one modify an object that the other reads or modifies? `None` if this depends on
    /// values.
    fn meets(&self, other: &Effects) -> Option<bool> {
        let pairs = |a: &Objects, b: &Objects| -> Vec<Option<bool>> {
            a.iter().flat_map(|x| b.iter().map(|y| x.is(y))).collect()
        };
        let all = [
            pairs(&self.changed, &other.changed),
            pairs(&self.changed, &other.read),
            pairs(&self.read, &other.changed),
        ]
        .concat();
        if all.contains(&Some(true)) {
            return Some(true);
        }
        if all.contains(&None) { None } else { Some(false) }
    }
}

impl Program<'_> {
    /// Behaviour is undefined if unsequenced parts of an expression conflict.
    pub(super) fn check_sequence(&mut self, e: &Node<Expression>, span: Span) -> Option<()> {
        if pure(e) {
            return Some(());
        }
        for (a, b) in unordered(e) {
            match a.meets(&b) {
                Some(false) => {}
                Some(true) => self.promise(Expr::bool(false), None),
                None => {
                    let message = "an element is changed and another one is used here without a defined \
                                   order; this is not supported";
                    return self.unsupported(span, message);
                }
            }
        }
        Some(())
    }
}

/// The pairs of unsequenced parts of an expression itself.
fn unordered(e: &Node<Expression>) -> Vec<(Effects, Effects)> {
    match &e.node {
        Expression::BinaryOperator(b) => match &b.node.operator.node {
            op if is_plain(op) => among(spine(e, &|o| is_plain(o)).iter().map(|(_, operand)| *operand)),
            B::Index => among(indices(e).into_iter()),
            op if is_assignment(op) => {
                let (mut left, right) = (index(&b.node.lhs), effects(&b.node.rhs));
                // The modification follows the values of both sides, but not necessarily their side effects.
                let change = Effects::changing(object(&b.node.lhs));
                let pending = [&left.pending, &right.pending].into_iter().flatten().cloned().collect();
                if compound(op).is_some() {
                    left.read.extend(object(&b.node.lhs));
                }
                let mut pairs = among(indices(&b.node.lhs).into_iter());
                pairs.extend([(left, right), (change, Effects::changing(pending))]);
                pairs
            }
            _ => Vec::new(),
        },
        Expression::Call(c) => among(c.node.arguments.iter()),
        Expression::UnaryOperator(u) if changes(&u.node.operator.node) => {
            let pending = index(&u.node.operand).pending;
            let mut pairs = among(indices(&u.node.operand).into_iter());
            pairs.push((Effects::changing(object(&u.node.operand)), Effects::changing(pending)));
            pairs
        }
        _ => Vec::new(),
    }
}

/// Each part with all preceding ones.
fn among<'e>(parts: impl Iterator<Item = &'e Node<Expression>>) -> Vec<(Effects, Effects)> {
    let mut before = Effects::default();
    let mut pairs = Vec::new();
    for part in parts.map(effects) {
        if !part.changed.is_empty() || !before.changed.is_empty() {
            pairs.push((before.clone(), part.clone()));
        }
        before.add(part);
    }
    pairs
}

fn is_assignment(op: &B) -> bool {
    *op == B::Assign || compound(op).is_some()
}

fn changes(op: &U) -> bool {
    matches!(op, U::PostIncrement | U::PostDecrement | U::PreIncrement | U::PreDecrement)
}

/// The effects of an expression.
fn effects(e: &Node<Expression>) -> Effects {
    match &e.node {
        Expression::Identifier(_) => Effects { read: object(e), ..Effects::default() },
        Expression::BinaryOperator(b) => match &b.node.operator.node {
            op if is_plain(op) => Effects::of_all(spine(e, &|o| is_plain(o)).iter().map(|(_, o)| *o)),
            B::Index => {
                let mut all = index(e);
                all.read.extend(object(e));
                all
            }
            op if is_assignment(op) => {
                let mut all = index(&b.node.lhs);
                all.add(effects(&b.node.rhs));
                if compound(op).is_some() {
                    all.read.extend(object(&b.node.lhs));
                }
                changed(all, object(&b.node.lhs))
            }
            // `&&` and `||`: side effects of the operands before the last one are complete then.
            op => in_order(spine(e, &|o| o == op).iter().map(|(_, operand)| *operand)),
        },
        Expression::UnaryOperator(u) if changes(&u.node.operator.node) => {
            let mut all = index(&u.node.operand);
            all.read.extend(object(&u.node.operand));
            changed(all, object(&u.node.operand))
        }
        Expression::UnaryOperator(u) => effects(&u.node.operand),
        Expression::Cast(c) => effects(&c.node.expression),
        Expression::Comma(all) => in_order(all.iter()),
        Expression::Conditional(c) => {
            let mut all = Effects { pending: Objects::new(), ..effects(&c.node.condition) };
            all.add(effects(&c.node.then_expression));
            all.add(effects(&c.node.else_expression));
            all
        }
        Expression::Call(c) => {
            Effects { pending: Objects::new(), ..Effects::of_all(c.node.arguments.iter()) }
        }
        _ => Effects::default(),
    }
}

fn in_order<'e>(parts: impl Iterator<Item = &'e Node<Expression>>) -> Effects {
    let mut all = Effects::default();
    for part in parts {
        all.pending.clear();
        all.add(effects(part));
    }
    all
}

fn changed(mut all: Effects, object: Objects) -> Effects {
    all.changed.extend(object.iter().cloned());
    all.pending.extend(object);
    all
}

/// The effects of the indices of an lvalue.
fn index(place: &Node<Expression>) -> Effects {
    Effects::of_all(indices(place).into_iter())
}

/// The indices of an lvalue, the last one first.
fn indices(place: &Node<Expression>) -> Vec<&Node<Expression>> {
    let (mut all, mut at) = (Vec::new(), place);
    while let Expression::BinaryOperator(b) = &at.node
        && b.node.operator.node == B::Index
    {
        all.push(&*b.node.rhs);
        at = &b.node.lhs;
    }
    all
}

/// The object of an lvalue; none for other expressions.
fn object(place: &Node<Expression>) -> Objects {
    let (mut indices, mut at) = (Vec::new(), place);
    while let Expression::BinaryOperator(b) = &at.node
        && b.node.operator.node == B::Index
    {
        indices.push(match &b.node.rhs.node {
            Expression::Constant(c) => match &c.node {
                Constant::Integer(i) if i.base == IntegerBase::Decimal => Some(i.number.to_string()),
                _ => None,
            },
            _ => None,
        });
        at = &b.node.lhs;
    }
    indices.reverse();
    let Expression::Identifier(id) = &at.node else { return Objects::new() };
    Objects::from([Object { name: id.node.name.clone(), indices }])
}

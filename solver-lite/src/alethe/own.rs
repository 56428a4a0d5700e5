//! Internal terms as Alethe terms.

use crate::alethe::Builder;
use crate::alethe::store::{Id, Lit, Shape};
use crate::literal::Literal;
use crate::number::Q;
use crate::term::print::smt_symbol;
use crate::term::{Node, Sort, Term};

/// The internal counterpart of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Own {
    Constant(bool),
    Literal(Lit),
}

impl Own {
    /// The literals of the clause "the formula is true (or false)": none if that is contradictory; `None` if it is
    /// valid.
    pub(super) fn side(self, positive: bool) -> Option<Vec<Lit>> {
        match self {
            Own::Constant(value) if value == positive => None,
            Own::Constant(_) => Some(Vec::new()),
            Own::Literal(l) => Some(vec![if positive { l } else { l.negated() }]),
        }
    }
}

impl Builder<'_> {
    /// A formula as a literal.
    pub(super) fn own(&mut self, t: Term) -> Own {
        match t {
            Term::TRUE => Own::Constant(true),
            Term::FALSE => Own::Constant(false),
            _ => {
                let id = self.write(t);
                Own::Literal(self.steps.store.lit(id))
            }
        }
    }

    /// The written form of an internal literal.
    pub(super) fn literal(&mut self, l: Literal) -> Lit {
        let id = self.write(l.term);
        let lit = self.steps.store.lit(id);
        if l.positive { lit } else { lit.negated() }
    }

    /// The written form of a term.
    pub(super) fn write(&mut self, root: Term) -> Id {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.own.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            self.terms.children(t, |c| stack.push(c));
            stack.retain({
                let mut i = 0;
                let own = &self.own;
                move |c| {
                    i += 1;
                    i <= before || !own.contains_key(c)
                }
            });
            if stack.len() == before {
                stack.pop();
                let id = self.form(t);
                self.own.insert(t, id);
            }
        }
        self.own[&root]
    }

    /// A term whose children have their written form.
    fn form(&mut self, t: Term) -> Id {
        let sort = self.terms.sort(t);
        let of = |c: &Term| self.own[c];
        let store = &mut self.steps.store;
        match self.terms.node(t) {
            Node::True | Node::False => store.bool(t == Term::TRUE),
            Node::Var(_) => {
                let name = self.terms.name(t).expect("a variable has a name");
                store.add(Shape::Symbol(smt_symbol(name)), sort)
            }
            Node::Not(a) => store.not(of(a)),
            Node::And(all) => store.formula("and", &all.iter().map(of).collect::<Vec<_>>()),
            Node::Or(all) => store.formula("or", &all.iter().map(of).collect::<Vec<_>>()),
            Node::Iff(a, b) => store.formula("=", &[of(a), of(b)]),
            Node::Ite(c, a, b) => store.apply("ite", &[of(c), of(a), of(b)], sort),
            Node::Le(form, q) | Node::Lt(form, q) | Node::Eq(form, q) => {
                let operator = match self.terms.node(t) {
                    Node::Le(..) => "<=",
                    Node::Lt(..) => "<",
                    _ => "=",
                };
                let bound = store.number(q, self.terms.sort(*form));
                store.formula(operator, &[of(form), bound])
            }
            Node::Linear(sort, l) => {
                let mut parts = Vec::with_capacity(l.terms.len() + 1);
                for (x, q) in &l.terms {
                    let factor = (!q.is_one()).then(|| store.number(q, *sort));
                    parts.push(factor.map_or(of(x), |q| store.apply("*", &[q, of(x)], *sort)));
                }
                if parts.is_empty() || l.constant != Q::ZERO {
                    parts.push(store.number(&l.constant, *sort));
                }
                if let [one] = parts[..] { one } else { store.apply("+", &parts, *sort) }
            }
            Node::Div(x, k) | Node::Mod(x, k) => {
                let operator = if matches!(self.terms.node(t), Node::Div(..)) { "div" } else { "mod" };
                let divisor = store.number(k, Sort::Int);
                store.apply(operator, &[of(x), divisor], Sort::Int)
            }
        }
    }
}

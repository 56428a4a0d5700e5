//! Formulas as written, and their text.

use std::fmt::Write as _;

use crate::expr::ast::Temporal;
use crate::id::id;

id!(
    /// An atom of a formula: a Boolean expression that is true or false at each position of a word.
    AtomId,
    "p"
);

/// A formula of linear temporal logic. Its depth is bounded as that of expressions is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// A truth constant.
    Constant(bool),
    /// An atom.
    Atom(AtomId),
    /// The negation.
    Not(Box<Formula>),
    /// The conjunction of two or more.
    And(Vec<Formula>),
    /// The disjunction of two or more.
    Or(Vec<Formula>),
    /// `a → b`
    Implies(Box<[Formula; 2]>),
    /// `a ↔ b`
    Iff(Box<[Formula; 2]>),
    /// `a ⊕ b`
    Xor(Box<[Formula; 2]>),
    /// `X a`, `F a` or `G a`.
    Unary(Temporal, Box<Formula>),
    /// `a U b`, `a R b`, `a W b` or `a M b`.
    Binary(Temporal, Box<[Formula; 2]>),
}

impl Formula {
    /// The negation; double negations cancel.
    #[must_use]
    pub fn negated(self) -> Formula {
        match self {
            Formula::Not(inner) => *inner,
            Formula::Constant(b) => Formula::Constant(!b),
            other => Formula::Not(Box::new(other)),
        }
    }

    /// `a ∧ b`
    #[must_use]
    pub fn and(self, other: Formula) -> Formula {
        Formula::And(vec![self, other])
    }

    /// The direct operands.
    #[must_use]
    pub fn children(&self) -> &[Formula] {
        match self {
            Formula::Constant(_) | Formula::Atom(_) => &[],
            Formula::Not(a) | Formula::Unary(_, a) => std::slice::from_ref(a),
            Formula::And(all) | Formula::Or(all) => all,
            Formula::Implies(ab) | Formula::Iff(ab) | Formula::Xor(ab) | Formula::Binary(_, ab) => &**ab,
        }
    }

    /// The same over other atoms: atom `i` becomes `to[i]`.
    #[must_use]
    pub fn renamed(&self, to: &[usize]) -> Formula {
        let all = |parts: &[Formula]| parts.iter().map(|p| p.renamed(to)).collect();
        let pair = |ab: &[Formula; 2]| Box::new([ab[0].renamed(to), ab[1].renamed(to)]);
        match self {
            Formula::Constant(b) => Formula::Constant(*b),
            Formula::Atom(p) => Formula::Atom(AtomId::new(to[p.index()])),
            Formula::Not(a) => Formula::Not(Box::new(a.renamed(to))),
            Formula::And(parts) => Formula::And(all(parts)),
            Formula::Or(parts) => Formula::Or(all(parts)),
            Formula::Implies(ab) => Formula::Implies(pair(ab)),
            Formula::Iff(ab) => Formula::Iff(pair(ab)),
            Formula::Xor(ab) => Formula::Xor(pair(ab)),
            Formula::Unary(op, a) => Formula::Unary(*op, Box::new(a.renamed(to))),
            Formula::Binary(op, ab) => Formula::Binary(*op, pair(ab)),
        }
    }

    /// Is the formula free of `X`? Then it is invariant under stuttering.
    #[must_use]
    pub fn is_next_free(&self) -> bool {
        !matches!(self, Formula::Unary(Temporal::Next, _))
            && self.children().iter().all(Formula::is_next_free)
    }

    /// Does it contain a temporal operator?
    #[must_use]
    pub fn is_temporal(&self) -> bool {
        matches!(self, Formula::Unary(..) | Formula::Binary(..))
            || self.children().iter().any(Formula::is_temporal)
    }

    /// One more than the largest atom.
    #[must_use]
    pub fn atoms(&self) -> usize {
        match self {
            Formula::Atom(p) => p.index() + 1,
            _ => self.children().iter().map(Formula::atoms).max().unwrap_or(0),
        }
    }

    /// The text, with parentheses where two different binary operators meet. `atom` gives the texts of atoms.
    #[must_use]
    pub fn text(&self, atom: &dyn Fn(AtomId) -> String) -> String {
        let mut out = String::new();
        self.write(&mut out, atom);
        out
    }

    fn write(&self, out: &mut String, atom: &dyn Fn(AtomId) -> String) {
        let list = |out: &mut String, parts: &[Formula], op: &str| {
            for (i, part) in parts.iter().enumerate() {
                if i > 0 {
                    let _ = write!(out, " {op} ");
                }
                part.operand(out, atom);
            }
        };
        match self {
            Formula::Constant(b) => out.push_str(if *b { "true" } else { "false" }),
            Formula::Atom(p) => out.push_str(&atom(*p)),
            Formula::Not(a) => {
                out.push('!');
                a.operand(out, atom);
            }
            Formula::Unary(op, a) => {
                out.push_str(op.letter());
                let tight = matches!(**a, Formula::Unary(..));
                if !tight {
                    out.push(' ');
                }
                a.operand(out, atom);
            }
            Formula::And(all) => list(out, all, "&"),
            Formula::Or(all) => list(out, all, "|"),
            Formula::Implies(ab) => list(out, &ab[..], "->"),
            Formula::Iff(ab) => list(out, &ab[..], "<->"),
            Formula::Xor(ab) => list(out, &ab[..], "xor"),
            Formula::Binary(op, ab) => list(out, &ab[..], op.letter()),
        }
    }

    fn operand(&self, out: &mut String, atom: &dyn Fn(AtomId) -> String) {
        let loose = match self {
            Formula::Constant(_) | Formula::Not(_) | Formula::Unary(..) => false,
            // `x = 1`, but not `done`.
            Formula::Atom(p) => !is_word(&atom(*p)),
            _ => true,
        };
        if loose {
            out.push('(');
        }
        self.write(out, atom);
        if loose {
            out.push(')');
        }
    }
}

/// Is this a name, possibly in quotation marks?
fn is_word(text: &str) -> bool {
    let plain = text
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'[' | b']' | b'@'));
    plain
        || text.len() > 1
            && text.starts_with('"')
            && text.ends_with('"')
            && !text[1..text.len() - 1].contains('"')
}

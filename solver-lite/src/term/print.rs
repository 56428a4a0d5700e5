//! Printing of terms: infix for readers (and for re-reading by the model languages), prefix for SMT-LIB.
//!
//! Both printers work with an explicit stack. A term is a graph and its text can be exponentially larger, so
//! both stop after a stated number of characters and end in `…`.

use std::fmt::{self, Write as _};

use crate::hash::Map;
use crate::number::Q;
use crate::term::{Linear, Node, Sort, Term, Terms};

/// Longer texts are cut off with `…`.
pub(crate) const TEXT_LIMIT: usize = 1 << 20;

/// The name of a number where a variable is compared with it.
type Values<'a> = &'a dyn Fn(&str, &Q) -> Option<String>;

/// Prints a term in infix notation: see [`Terms::infix`] and [`Terms::formula`].
pub struct Infix<'a>(&'a Terms, Term, &'static Signs, Option<Values<'a>>);

/// Prints a term in SMT-LIB's prefix notation: see [`Terms::smt`].
pub struct Smt<'a>(&'a Terms, Term, Option<&'a Map<Term, String>>);

/// Options of infix notation.
struct Signs {
    and: &'static str,
    or: &'static str,
    iff: &'static str,
    not: &'static str,
    at_most: &'static str,
    at_least: &'static str,
    unequal: &'static str,
    minus: &'static str,
    times: &'static str,
    /// Are rationals written `1%2`, which is Theta's literal, or `1/2`?
    percent: bool,
}

/// The notation of Theta's languages.
static THETA: Signs = Signs {
    and: " and ",
    or: " or ",
    iff: " iff ",
    not: "not ",
    at_most: "<=",
    at_least: ">=",
    unequal: "/=",
    minus: "-",
    times: " * ",
    percent: true,
};

/// The notation of papers.
static PAPER: Signs = Signs {
    and: " ∧ ",
    or: " ∨ ",
    iff: " ⇔ ",
    not: "¬",
    at_most: "≤",
    at_least: "≥",
    unequal: "≠",
    minus: "−",
    times: "·",
    percent: false,
};

enum Item {
    Text(&'static str),
    Owned(String),
    /// A term that may have to be put in parentheses.
    Operand(Term),
    Whole(Term),
    Negated(Term),
}

impl Terms {
    /// Infix text: `x <= 3 and not (y = z)`.
    #[must_use]
    pub fn infix(&self, t: Term) -> Infix<'_> {
        Infix(self, t, &THETA, None)
    }

    /// The same, where numbers may have names if they are equated with a variable (given by name).
    #[must_use]
    pub fn infix_with<'a>(&'a self, t: Term, values: Values<'a>) -> Infix<'a> {
        Infix(self, t, &THETA, Some(values))
    }

    /// Infix text in the notation of papers: `x ≤ 3 ∧ y ≠ 2·z`.
    #[must_use]
    pub fn formula(&self, t: Term) -> Infix<'_> {
        Infix(self, t, &PAPER, None)
    }

    /// SMT-LIB text: `(and (<= x 3) (not (= y z)))`.
    #[must_use]
    pub fn smt(&self, t: Term) -> Smt<'_> {
        Smt(self, t, None)
    }

    /// The same with names instead of some terms.
    pub(crate) fn smt_named<'a>(&'a self, t: Term, names: &'a Map<Term, String>) -> Smt<'a> {
        Smt(self, t, Some(names))
    }

    fn is_simple(&self, t: Term) -> bool {
        match self.node(t) {
            Node::True | Node::False | Node::Var(_) => true,
            Node::Linear(sort, l) => {
                l.terms.is_empty()
                    && !l.constant.is_negative()
                    && (*sort == Sort::Int || l.constant.is_integer())
            }
            _ => false,
        }
    }

    /// Pushes the parts of `form ⋈ bound` with all negative summands moved to the right, in writing order.
    fn comparison(&self, form: Term, op: &str, bound: &Q, signs: &Signs, out: &mut Vec<Item>) {
        let percent = signs.percent && !self.all_int(&self.linear(form));
        let mut left = self.linear(form);
        let mut right = Linear { terms: Vec::new(), constant: bound.clone() };
        left.terms.retain(|(t, q)| {
            if q.is_negative() {
                right.terms.push((*t, -q));
            }
            !q.is_negative()
        });
        if right.constant.is_negative() && !right.terms.is_empty() {
            left.constant = -&right.constant;
            right.constant = Q::ZERO;
        }
        self.sum_items(&left, percent, false, signs, out);
        out.push(Item::Owned(format!(" {op} ")));
        self.sum_items(&right, percent, false, signs, out);
    }

    /// Pushes a sum. Next to a rational variable an integer needs no `%1`; `alone` there is none.
    fn sum_items(&self, l: &Linear, percent: bool, alone: bool, signs: &Signs, out: &mut Vec<Item>) {
        let fraction = |q: &Q| percent && !q.is_integer();
        let mut first = true;
        for (t, q) in &l.terms {
            match (first, q.is_negative()) {
                (true, true) => out.push(Item::Text(signs.minus)),
                (false, true) => out.push(Item::Owned(format!(" {} ", signs.minus))),
                (false, false) => out.push(Item::Text(" + ")),
                (true, false) => {}
            }
            if !q.abs().is_one() {
                out.push(Item::Owned(format!("{}{}", constant(&q.abs(), fraction(q), signs), signs.times)));
            }
            out.push(Item::Operand(*t));
            first = false;
        }
        if first {
            let percent = percent && (alone || fraction(&l.constant));
            out.push(Item::Owned(constant(&l.constant, percent, signs)));
        } else if !l.constant.is_zero() {
            let sign = if l.constant.is_negative() { signs.minus } else { "+" };
            out.push(Item::Owned(format!(
                " {sign} {}",
                constant(&l.constant.abs(), fraction(&l.constant), signs)
            )));
        }
    }

    /// `x = 1` where the number has a name: `x` and that name.
    fn named(&self, t: Term, values: Values<'_>) -> Option<(&str, String)> {
        let Node::Eq(form, q) = self.node(t) else { return None };
        let name = self.name(*form)?;
        Some((name, values(name, q)?))
    }

    fn infix_items(&self, t: Term, signs: &'static Signs, out: &mut Vec<Item>) {
        let infix = |cs: &[Term], op: &'static str, out: &mut Vec<Item>| {
            for (i, c) in cs.iter().enumerate() {
                if i > 0 {
                    out.push(Item::Text(op));
                }
                out.push(Item::Operand(*c));
            }
        };
        match self.node(t) {
            Node::True => out.push(Item::Text("true")),
            Node::False => out.push(Item::Text("false")),
            Node::Var(_) => {
                let name = self.name(t).unwrap_or_default();
                // A quoted name may have line breaks, which would end a comment.
                let plain = |c: char| if c.is_control() { ' ' } else { c };
                out.push(Item::Owned(name.trim_end_matches(SAME_NAME).chars().map(plain).collect()));
            }
            Node::Not(a) => out.push(Item::Negated(*a)),
            Node::And(cs) => infix(cs, signs.and, out),
            Node::Or(cs) => infix(cs, signs.or, out),
            Node::Iff(a, b) => infix(&[*a, *b], signs.iff, out),
            Node::Ite(c, a, b) => {
                out.extend([Item::Text("if "), Item::Operand(*c), Item::Text(" then "), Item::Operand(*a)]);
                out.extend([Item::Text(" else "), Item::Operand(*b)]);
            }
            Node::Le(f, q) => self.comparison(*f, signs.at_most, q, signs, out),
            Node::Lt(f, q) => self.comparison(*f, "<", q, signs, out),
            Node::Eq(f, q) => self.comparison(*f, "=", q, signs, out),
            Node::Div(a, q) => out.extend([Item::Operand(*a), Item::Owned(format!(" / {q}"))]),
            Node::Mod(a, q) => out.extend([Item::Operand(*a), Item::Owned(format!(" mod {q}"))]),
            Node::Linear(sort, l) => {
                self.sum_items(l, signs.percent && *sort == Sort::Real, true, signs, out);
            }
        }
    }

    fn negated_items(&self, t: Term, signs: &'static Signs, out: &mut Vec<Item>) {
        match self.node(t) {
            Node::Le(f, q) if self.all_int(&self.linear(*f)) => {
                self.comparison(*f, signs.at_least, &(q + &Q::ONE), signs, out)
            }
            Node::Le(f, q) => self.comparison(*f, ">", q, signs, out),
            Node::Lt(f, q) => self.comparison(*f, signs.at_least, q, signs, out),
            Node::Eq(f, q) => self.comparison(*f, signs.unequal, q, signs, out),
            Node::Var(_) => out.extend([Item::Text(signs.not), Item::Whole(t)]),
            _ => out.extend([Item::Text(signs.not), Item::Text("("), Item::Whole(t), Item::Text(")")]),
        }
    }
}

/// A number in infix text.
fn constant(q: &Q, percent: bool, signs: &Signs) -> String {
    let n = q.abs();
    let text = if percent { format!("{}%{}", n.numerator(), n.denominator()) } else { n.to_string() };
    if q.is_negative() { format!("{}{text}", signs.minus) } else { text }
}

impl Infix<'_> {
    /// At most approximately this number of bytes of the text; a longer text ends in `…`.
    #[must_use]
    pub fn up_to(&self, bytes: usize) -> String {
        struct Short(String, usize);
        impl fmt::Write for Short {
            fn write_str(&mut self, part: &str) -> fmt::Result {
                self.0.push_str(part);
                if self.0.len() > self.1 { Err(fmt::Error) } else { Ok(()) }
            }
        }
        let mut out = Short(String::new(), bytes);
        if write!(out, "{self}").is_err() {
            out.0.push('…');
        }
        out.0
    }
}

impl fmt::Display for Infix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Infix(terms, root, signs, values) = *self;
        let mut stack = vec![Item::Whole(root)];
        let mut parts = Vec::new();
        let mut written = 0;
        while let Some(item) = stack.pop() {
            parts.clear();
            let (t, sign) = match item {
                Item::Whole(t) => (Some(t), "="),
                Item::Negated(t) => (Some(t), signs.unequal),
                _ => (None, ""),
            };
            if let Some((name, value)) = t.zip(values).and_then(|(t, values)| terms.named(t, values)) {
                written += name.len() + value.len();
                write!(f, "{name} {sign} {value}")?;
                continue;
            }
            match item {
                Item::Text(s) => {
                    written += s.len();
                    f.write_str(s)?;
                }
                Item::Owned(s) => {
                    written += s.len();
                    f.write_str(&s)?;
                }
                Item::Operand(t) if terms.is_simple(t) => terms.infix_items(t, signs, &mut parts),
                Item::Operand(t) => parts.extend([Item::Text("("), Item::Whole(t), Item::Text(")")]),
                Item::Whole(t) => terms.infix_items(t, signs, &mut parts),
                Item::Negated(t) => terms.negated_items(t, signs, &mut parts),
            }
            if written > TEXT_LIMIT {
                return f.write_char('…');
            }
            stack.extend(parts.drain(..).rev());
        }
        Ok(())
    }
}

/// Ends the inner names of variables that a script declares again with another sort.
pub(crate) const SAME_NAME: char = '|';

/// A name as SMT-LIB writes it: quoted where needed.
pub(crate) fn smt_symbol(name: &str) -> String {
    let name = name.trim_end_matches(SAME_NAME);
    let plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    if !name.is_empty() && name.chars().all(plain) && !name.starts_with(|c: char| c.is_ascii_digit()) {
        name.to_owned()
    } else {
        format!("|{name}|")
    }
}

/// A number as SMT-LIB writes it.
pub(crate) fn smt_number(q: &Q, sort: Sort) -> String {
    let (n, d) = (q.abs().numerator(), q.denominator());
    let point = if sort == Sort::Real { ".0" } else { "" };
    let positive = if d.is_one() { format!("{n}{point}") } else { format!("(/ {n}{point} {d}{point})") };
    if q.is_negative() { format!("(- {positive})") } else { positive }
}

impl fmt::Display for Smt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Smt(terms, root, names) = *self;
        let mut stack = vec![Item::Whole(root)];
        let mut written = 0;
        while let Some(item) = stack.pop() {
            match item {
                Item::Text(s) => f.write_str(s)?,
                Item::Owned(s) => {
                    written += s.len();
                    f.write_str(&s)?;
                }
                Item::Operand(t) | Item::Whole(t) | Item::Negated(t) => {
                    if let Some(name) = names.and_then(|names| names.get(&t)) {
                        f.write_str(name)?;
                        continue;
                    }
                    let mut parts = Vec::new();
                    terms.smt_items(t, &mut parts);
                    stack.extend(parts.into_iter().rev());
                }
            }
            if written > TEXT_LIMIT {
                return f.write_char('…');
            }
        }
        Ok(())
    }
}

impl Terms {
    fn smt_items(&self, t: Term, out: &mut Vec<Item>) {
        let apply = |op: String, cs: &[Term], out: &mut Vec<Item>| {
            out.push(Item::Owned(format!("({op}")));
            for c in cs {
                out.extend([Item::Text(" "), Item::Whole(*c)]);
            }
            out.push(Item::Text(")"));
        };
        let relation = |op: &str, form: Term, q: &Q, out: &mut Vec<Item>| {
            let text = smt_number(q, self.sort(form));
            out.extend([Item::Owned(format!("({op} ")), Item::Whole(form), Item::Owned(format!(" {text})"))]);
        };
        match self.node(t) {
            Node::True => out.push(Item::Text("true")),
            Node::False => out.push(Item::Text("false")),
            Node::Var(_) => out.push(Item::Owned(smt_symbol(self.name(t).unwrap_or_default()))),
            Node::Not(a) => apply("not".into(), &[*a], out),
            Node::And(cs) => apply("and".into(), cs, out),
            Node::Or(cs) => apply("or".into(), cs, out),
            Node::Iff(a, b) => apply("=".into(), &[*a, *b], out),
            Node::Ite(c, a, b) => apply("ite".into(), &[*c, *a, *b], out),
            Node::Le(form, q) => relation("<=", *form, q, out),
            Node::Lt(form, q) => relation("<", *form, q, out),
            Node::Eq(form, q) => relation("=", *form, q, out),
            Node::Div(a, q) => relation("div", *a, q, out),
            Node::Mod(a, q) => relation("mod", *a, q, out),
            Node::Linear(sort, l) if l.terms.is_empty() => {
                out.push(Item::Owned(smt_number(&l.constant, *sort)))
            }
            Node::Linear(sort, l) => self.smt_sum(*sort, l, out),
        }
    }

    fn smt_sum(&self, sort: Sort, l: &Linear, out: &mut Vec<Item>) {
        let many = l.terms.len() + usize::from(!l.constant.is_zero()) > 1;
        if many {
            out.push(Item::Text("(+"));
        }
        for (t, q) in &l.terms {
            if many {
                out.push(Item::Text(" "));
            }
            let cast = sort == Sort::Real && self.sort(*t) == Sort::Int;
            let (open, close) = if cast { ("(to_real ", ")") } else { ("", "") };
            if q.is_one() {
                out.extend([Item::Text(open), Item::Whole(*t), Item::Text(close)]);
            } else {
                out.push(Item::Owned(format!("(* {} {open}", smt_number(q, sort))));
                out.extend([Item::Whole(*t), Item::Text(close), Item::Text(")")]);
            }
        }
        if !l.constant.is_zero() {
            out.push(Item::Owned(format!(" {}", smt_number(&l.constant, sort))));
        }
        if many {
            out.push(Item::Text(")"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_read_as_people_write_them() {
        let mut t = Terms::new();
        let (x, y) = (t.var("x", Sort::Int), t.var("y", Sort::Int));
        let three = t.int(3);
        let p = t.lt(x, three);
        assert_eq!(t.infix(p).to_string(), "x <= 2");
        assert_eq!(t.formula(p).to_string(), "x ≤ 2");
        let n = t.not(p);
        assert_eq!(t.infix(n).to_string(), "x >= 3");
        let q = t.le(y, x);
        assert_eq!(t.infix(q).to_string(), "x >= y");
        let both = t.and([p, q]);
        assert_eq!(t.infix(both).to_string(), "(x <= 2) and (x >= y)");
        assert_eq!(t.smt(q).to_string(), "(not (<= (+ x (* (- 1) y)) (- 1)))");
    }

    #[test]
    fn shared_graphs_print_in_bounded_space() {
        let mut t = Terms::new();
        let mut a = t.var("a", Sort::Bool);
        for i in 0..60 {
            let b = t.var(&format!("b{i}"), Sort::Bool);
            let (l, r) = (t.and([a, b]), t.or([a, b]));
            a = t.iff(l, r);
        }
        assert!(t.infix(a).to_string().ends_with('…') && t.smt(a).to_string().ends_with('…'));
    }
}

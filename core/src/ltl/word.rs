//! Ultimately periodic words, and the evaluation of formulas on them.
//!
//! The value of a formula at each position is computed from those of its operands. Along the cycle a least (`U`, `F`,
//! `M`) or greatest (`R`, `G`, `W`) fixed point is reached after two backward passes.

use crate::ltl::{Formula, Temporal};

/// The atoms that are true at a position, by [`AtomId`](crate::ltl::AtomId).
pub type Letter = Vec<bool>;

/// `stem · cycle^ω`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The finite prefix.
    pub stem: Vec<Letter>,
    /// The cycle; at least one letter.
    pub cycle: Vec<Letter>,
}

impl Word {
    /// The number of positions in the stem and the cycle.
    #[must_use]
    pub fn len(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// Is there no position? Always false.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The letter at a position below [`Word::len`].
    #[must_use]
    pub fn letter(&self, at: usize) -> &Letter {
        self.stem.get(at).unwrap_or_else(|| &self.cycle[at - self.stem.len()])
    }

    /// The position after this one.
    #[must_use]
    pub fn next(&self, at: usize) -> usize {
        if at + 1 < self.len() { at + 1 } else { self.stem.len() }
    }

    /// Does the word satisfy the formula? An atom that a letter does not mention is false.
    #[must_use]
    pub fn satisfies(&self, formula: &Formula) -> bool {
        self.values(formula)[0]
    }

    /// The positions at which the formula is true.
    #[must_use]
    pub fn values(&self, formula: &Formula) -> Vec<bool> {
        let n = self.len();
        let both = |ab: &[Formula; 2]| (self.values(&ab[0]), self.values(&ab[1]));
        let each = |(a, b): (Vec<bool>, Vec<bool>), of: fn(bool, bool) -> bool| -> Vec<bool> {
            a.into_iter().zip(b).map(|(a, b)| of(a, b)).collect()
        };
        let junction = |all: &[Formula], neutral: bool, of: fn(bool, bool) -> bool| {
            all.iter().fold(vec![neutral; n], |sum, part| each((sum, self.values(part)), of))
        };
        match formula {
            Formula::Constant(b) => vec![*b; n],
            Formula::Atom(p) => (0..n).map(|i| self.letter(i).get(p.index()) == Some(&true)).collect(),
            Formula::Not(a) => self.values(a).into_iter().map(|x| !x).collect(),
            Formula::And(all) => junction(all, true, |a, b| a && b),
            Formula::Or(all) => junction(all, false, |a, b| a || b),
            Formula::Implies(ab) => each(both(ab), |a, b| !a || b),
            Formula::Iff(ab) => each(both(ab), |a, b| a == b),
            Formula::Xor(ab) => each(both(ab), |a, b| a != b),
            Formula::Unary(op, a) => self.unary(*op, &self.values(a)),
            Formula::Binary(op, ab) => {
                let (a, b) = both(ab);
                self.binary(*op, &a, &b)
            }
        }
    }

    /// The positions at which a temporal operator is true, given those of its operand.
    fn unary(&self, op: Temporal, a: &[bool]) -> Vec<bool> {
        match op {
            Temporal::Next => (0..self.len()).map(|i| a[self.next(i)]).collect(),
            Temporal::Finally => self.fixed_point(false, |i, later| a[i] || later),
            _ => self.fixed_point(true, |i, later| a[i] && later),
        }
    }

    /// The same for two operands.
    fn binary(&self, op: Temporal, a: &[bool], b: &[bool]) -> Vec<bool> {
        match op {
            Temporal::Until => self.fixed_point(false, |i, later| b[i] || a[i] && later),
            Temporal::WeakUntil => self.fixed_point(true, |i, later| b[i] || a[i] && later),
            Temporal::StrongRelease => self.fixed_point(false, |i, later| b[i] && (a[i] || later)),
            _ => self.fixed_point(true, |i, later| b[i] && (a[i] || later)),
        }
    }

    /// May the formula be true of a partially known word? Letters have two entries for each atom: it is certainly true,
    /// and it may be true.
    #[must_use]
    pub(crate) fn may_satisfy(&self, formula: &Formula) -> bool {
        self.bounds(formula).1[0]
    }

    /// The positions where the formula is certainly true, and where it may be: three-valued evaluation by subformulas.
    fn bounds(&self, formula: &Formula) -> (Vec<bool>, Vec<bool>) {
        let n = self.len();
        let each = |a: &[bool], b: &[bool], of: fn(bool, bool) -> bool| -> Vec<bool> {
            a.iter().zip(b).map(|(a, b)| of(*a, *b)).collect()
        };
        let not = |(sure, may): (Vec<bool>, Vec<bool>)| -> (Vec<bool>, Vec<bool>) {
            let negated = |all: Vec<bool>| all.into_iter().map(|x| !x).collect();
            (negated(may), negated(sure))
        };
        let junction = |parts: Vec<(Vec<bool>, Vec<bool>)>, neutral: bool, of: fn(bool, bool) -> bool| {
            let start = (vec![neutral; n], vec![neutral; n]);
            parts.iter().fold(start, |sum, part| (each(&sum.0, &part.0, of), each(&sum.1, &part.1, of)))
        };
        let and = |parts| junction(parts, true, |a, b| a && b);
        let or = |parts| junction(parts, false, |a, b| a || b);
        let same = |ab: &[Formula; 2]| {
            let (a, b) = (self.bounds(&ab[0]), self.bounds(&ab[1]));
            let both = and(vec![a.clone(), b.clone()]);
            or(vec![both, and(vec![not(a), not(b)])])
        };
        match formula {
            Formula::Constant(b) => (vec![*b; n], vec![*b; n]),
            Formula::Atom(p) => {
                let at = |k: usize| (0..n).map(move |i| self.letter(i).get(2 * p.index() + k) == Some(&true));
                (at(0).collect(), at(1).collect())
            }
            Formula::Not(a) => not(self.bounds(a)),
            Formula::And(all) => and(all.iter().map(|f| self.bounds(f)).collect()),
            Formula::Or(all) => or(all.iter().map(|f| self.bounds(f)).collect()),
            Formula::Implies(ab) => or(vec![not(self.bounds(&ab[0])), self.bounds(&ab[1])]),
            Formula::Iff(ab) => same(ab),
            Formula::Xor(ab) => not(same(ab)),
            Formula::Unary(op, a) => {
                let (sure, may) = self.bounds(a);
                (self.unary(*op, &sure), self.unary(*op, &may))
            }
            Formula::Binary(op, ab) => {
                let (a, b) = (self.bounds(&ab[0]), self.bounds(&ab[1]));
                (self.binary(*op, &a.0, &b.0), self.binary(*op, &a.1, &b.1))
            }
        }
    }

    /// The least (from false) or greatest (from true) solution of `x(i) = of(i, x(i + 1))`.
    fn fixed_point(&self, start: bool, of: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![start; self.len()];
        for _ in 0..2 {
            for i in (0..self.len()).rev() {
                values[i] = of(i, values[self.next(i)]);
            }
        }
        values
    }

    /// The text `{p, !q} {q}; cycle{p}` in which `atom` gives the names.
    #[must_use]
    pub fn text(&self, atoms: &[String]) -> String {
        let letter = |letter: &Letter| {
            let said = atoms.iter().enumerate().map(|(i, name)| {
                let sign = if letter.get(i) == Some(&true) { "" } else { "!" };
                if sign.is_empty() || name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
                    format!("{sign}{name}")
                } else {
                    format!("{sign}({name})")
                }
            });
            let said: Vec<String> = said.collect();
            if said.is_empty() { "1".to_owned() } else { said.join(" & ") }
        };
        let list = |all: &[Letter]| all.iter().map(letter).collect::<Vec<_>>().join("; ");
        let stem = if self.stem.is_empty() { String::new() } else { list(&self.stem) + "; " };
        format!("{stem}cycle{{{}}}", list(&self.cycle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, stem: &[&str], cycle: &[&str]) -> bool {
        let parsed = crate::ltl::propositional(text).unwrap();
        let letter = |l: &&str| parsed.atoms.iter().map(|p| l.contains(p.as_str())).collect();
        let word =
            Word { stem: stem.iter().map(letter).collect(), cycle: cycle.iter().map(letter).collect() };
        word.satisfies(&parsed.formula)
    }

    #[test]
    fn operators_mean_what_they_should() {
        assert!(of("p U q", &["p", "p"], &["q"]) && !of("p U q", &[], &["p"]));
        assert!(of("p W q", &[], &["p"]) && !of("p W q", &["p", ""], &["q"]));
        assert!(of("q R p", &["p", "pq"], &[""]) && of("q R p", &[], &["p"]));
        assert!(of("q M p", &["p", "pq"], &[""]) && !of("q M p", &[], &["p"]));
        assert!(of("GF p", &[], &["", "p"]) && !of("FG p", &[], &["", "p"]));
        assert!(of("X X p", &["", ""], &["p"]) && of("X X p", &["", "p"], &["", "p"].map(|_| "p")));
        assert!(
            of("p xor q", &["p"], &["pq"]) && of("p <-> q", &["pq"], &["p"]) && of("p -> F q", &[""], &[""])
        );
        // The value at the end of the cycle depends on its beginning.
        assert!(of("X(p U q)", &[""], &["q", "p"]) && of("F(p & X q)", &[], &["q", "p"]));
    }
}

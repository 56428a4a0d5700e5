//! Random formulas of linear arithmetic.

use solver_lite::number::Q;
use solver_lite::term::{Sort, Term, Terms};

use crate::random::Rng;

/// A generator of formulas over a fixed set of variables.
pub struct Formulas {
    /// Boolean variables.
    pub bools: Vec<Term>,
    /// Integer variables.
    pub ints: Vec<Term>,
    /// Real variables.
    pub reals: Vec<Term>,
    /// Constants are in `-magnitude..=magnitude`.
    pub magnitude: i64,
    /// Only comparisons `x − y ⋈ c` and `x ⋈ c`, for difference logic.
    pub differences: bool,
}

impl Formulas {
    /// A random formula with operators nested at most `depth` deep.
    pub fn formula(&self, t: &mut Terms, rng: &mut Rng, depth: usize) -> Term {
        if depth == 0 || rng.one_in(5) {
            return self.atom(t, rng, depth);
        }
        let (a, b) = (self.formula(t, rng, depth - 1), self.formula(t, rng, depth - 1));
        match rng.below(7) {
            0 => t.not(a),
            1 | 2 => t.and([a, b]),
            3 | 4 => t.or([a, b]),
            5 => t.iff(a, b),
            _ => {
                let c = self.formula(t, rng, depth - 1);
                t.ite(c, a, b)
            }
        }
    }

    fn atom(&self, t: &mut Terms, rng: &mut Rng, depth: usize) -> Term {
        if !self.bools.is_empty() && rng.one_in(4) {
            return *rng.pick(&self.bools);
        }
        let sort = if self.ints.is_empty() || !self.reals.is_empty() && rng.one_in(2) {
            Sort::Real
        } else {
            Sort::Int
        };
        let (a, b) = if self.differences {
            (self.difference(t, rng, sort), t.num(Q::from(rng.range(-self.magnitude, self.magnitude)), sort))
        } else {
            (self.sum(t, rng, sort, depth), self.sum(t, rng, sort, depth))
        };
        match rng.below(5) {
            0 => t.eq(a, b),
            1 | 2 => t.le(a, b),
            3 => t.lt(a, b),
            _ => {
                let e = t.eq(a, b);
                t.not(e)
            }
        }
    }

    fn sum(&self, t: &mut Terms, rng: &mut Rng, sort: Sort, depth: usize) -> Term {
        let mut summands = vec![t.num(Q::from(rng.range(-self.magnitude, self.magnitude)), sort)];
        for _ in 0..=rng.below(2) {
            let x = self.operand(t, rng, sort, depth);
            let factor = Q::from(*rng.pick(&[-3, -2, -1, -1, 1, 1, 1, 2, 3]));
            summands.push(t.scale(&factor, x));
        }
        t.add(summands)
    }

    fn difference(&self, t: &mut Terms, rng: &mut Rng, sort: Sort) -> Term {
        let all = if sort == Sort::Int { &self.ints } else { &self.reals };
        let (x, y) = (*rng.pick(all), *rng.pick(all));
        if rng.one_in(4) { x } else { t.sub(x, y) }
    }

    fn operand(&self, t: &mut Terms, rng: &mut Rng, sort: Sort, depth: usize) -> Term {
        let x = *rng.pick(if sort == Sort::Int { &self.ints } else { &self.reals });
        match rng.below(12) {
            0 if sort == Sort::Int => t.div(x, &Q::from(rng.range(2, 4))),
            1 if sort == Sort::Int => t.modulo(x, &Q::from(rng.range(2, 4))),
            2 if depth > 0 => {
                let c = self.formula(t, rng, depth - 1);
                let y = *rng.pick(if sort == Sort::Int { &self.ints } else { &self.reals });
                t.ite(c, x, y)
            }
            _ => x,
        }
    }
}

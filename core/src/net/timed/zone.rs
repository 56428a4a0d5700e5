//! Sets of real vectors that are given by bounds on differences, as matrices (Dill, "Timing Assumptions and
//! Verification of Finite-State Concurrent Systems", 1989).
//!
//! Variable 0 is the constant 0. Invariant: the matrix is closed, so each bound is the least one that the others imply.

/// A bound on a difference: less than a number, at most a number, or none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bound(i64);

impl Bound {
    /// No bound.
    pub const NONE: Bound = Bound(i64::MAX);
    /// At most 0.
    pub const ZERO: Bound = Bound::at_most(0);

    /// At most `n`.
    #[must_use]
    pub const fn at_most(n: i64) -> Bound {
        Bound(2 * n + 1)
    }

    /// Less than `n`.
    #[must_use]
    pub const fn below(n: i64) -> Bound {
        Bound(2 * n)
    }

    /// Less than `n` if it is open, otherwise at most `n`.
    #[must_use]
    pub const fn of(is_open: bool, n: i64) -> Bound {
        if is_open { Bound::below(n) } else { Bound::at_most(n) }
    }

    /// The number, and whether it is excluded.
    #[must_use]
    pub fn get(self) -> Option<(i64, bool)> {
        (self != Bound::NONE).then_some((self.0 >> 1, self.0 & 1 == 0))
    }
}

/// The bound on the sum of two differences.
impl std::ops::Add for Bound {
    type Output = Bound;

    fn add(self, other: Bound) -> Bound {
        if self == Bound::NONE || other == Bound::NONE {
            return Bound::NONE;
        }
        Bound((((self.0 >> 1) + (other.0 >> 1)) << 1) | (self.0 & other.0 & 1))
    }
}

/// A nonempty set.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Zone {
    /// The number of variables, the constant included.
    size: usize,
    /// By row and column, the bound on the difference of their variables.
    bounds: Vec<Bound>,
}

impl Zone {
    /// The set of the empty vector.
    #[must_use]
    pub fn new() -> Zone {
        Zone { size: 1, bounds: vec![Bound::ZERO] }
    }

    /// The number of variables, the constant included.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The bound on the difference of two variables.
    #[must_use]
    pub fn bound(&self, a: usize, b: usize) -> Bound {
        self.bounds[a * self.size + b]
    }

    fn set(&mut self, a: usize, b: usize, bound: Bound) {
        self.bounds[a * self.size + b] = bound;
    }

    /// The set over these variables, of which the first becomes the constant: the others are measured from it.
    #[must_use]
    pub fn over(&self, variables: &[usize]) -> Zone {
        let row = |a: &usize| variables.iter().map(|b| self.bound(*a, *b)).collect::<Vec<_>>();
        Zone { size: variables.len(), bounds: variables.iter().flat_map(row).collect() }
    }

    /// Adds a variable between these bounds; the lower one is a bound on its negative.
    pub fn add(&mut self, lower: Bound, upper: Bound) {
        let old = self.size;
        let mut bounds = Vec::with_capacity((old + 1) * (old + 1));
        for a in 0..old {
            bounds.extend((0..old).map(|b| self.bound(a, b)));
            bounds.push(self.bound(a, 0) + lower);
        }
        bounds.extend((0..old).map(|b| upper + self.bound(0, b)));
        bounds.push(Bound::ZERO);
        (self.size, self.bounds) = (old + 1, bounds);
    }

    /// Adds a bound; gives whether the set is still nonempty. If it is not, it must not be used any more.
    #[must_use]
    pub fn constrain(&mut self, a: usize, b: usize, bound: Bound) -> bool {
        if self.bound(a, b) <= bound {
            return true;
        }
        if bound + self.bound(b, a) < Bound::ZERO {
            return false;
        }
        for i in 0..self.size {
            let to = self.bound(i, a) + bound;
            if to == Bound::NONE {
                continue;
            }
            for j in 0..self.size {
                let through = to + self.bound(b, j);
                if through < self.bound(i, j) {
                    self.set(i, j, through);
                }
            }
        }
        true
    }

    /// Lets all variables grow by the same amount.
    pub fn up(&mut self) {
        (1..self.size).for_each(|a| self.set(a, 0, Bound::NONE));
    }

    /// Forgets the exact values of variables beyond these greatest constants, with which they are compared
    /// (extrapolation; Daws and Tripakis, "Model Checking of Real-Time Reachability Properties Using Abstractions",
    /// 1998). Exact for sets that are compared with constants only.
    #[must_use]
    pub fn beyond(mut self, greatest: &[i64]) -> Zone {
        for a in 0..self.size {
            for b in 0..self.size {
                let bound = self.bound(a, b);
                if a == b || bound == Bound::NONE {
                    continue;
                }
                if bound > Bound::at_most(greatest[a]) {
                    self.set(a, b, Bound::NONE);
                } else if bound < Bound::below(-greatest[b]) {
                    self.set(a, b, Bound::below(-greatest[b]));
                }
            }
        }
        self.close();
        self
    }

    /// Makes each bound the least one that the others imply.
    fn close(&mut self) {
        for via in 0..self.size {
            for a in 0..self.size {
                for b in 0..self.size {
                    let through = self.bound(a, via) + self.bound(via, b);
                    if through < self.bound(a, b) {
                        self.set(a, b, through);
                    }
                }
            }
        }
    }

    /// Is it part of another set over the same variables?
    #[must_use]
    pub fn is_in(&self, other: &Zone) -> bool {
        self.bounds.iter().zip(&other.bounds).all(|(own, other)| own <= other)
    }
}

impl Default for Zone {
    fn default() -> Zone {
        Zone::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_added_and_ordered() {
        assert_eq!(Bound::at_most(2) + Bound::below(-3), Bound::below(-1));
        assert_eq!(Bound::at_most(-2) + Bound::at_most(5), Bound::at_most(3));
        assert_eq!(Bound::NONE + Bound::at_most(-7), Bound::NONE);
        assert!(Bound::below(3) < Bound::at_most(3) && Bound::at_most(3) < Bound::below(4));
        assert_eq!(Bound::below(-4).get(), Some((-4, true)));
    }

    #[test]
    fn sets_are_closed() {
        let mut zone = Zone::new();
        zone.add(Bound::at_most(-1), Bound::at_most(3));
        zone.add(Bound::at_most(0), Bound::NONE);
        assert!(zone.constrain(2, 1, Bound::below(0)), "the second is less than the first");
        assert_eq!(zone.bound(2, 0), Bound::below(3));
        let smaller = {
            let mut smaller = zone.clone();
            assert!(smaller.constrain(1, 0, Bound::at_most(1)));
            smaller
        };
        assert!(smaller.is_in(&zone) && !zone.is_in(&smaller));
        assert!(!zone.clone().constrain(0, 2, Bound::at_most(-3)), "it is empty");
        let from_first = zone.over(&[2, 1]);
        assert_eq!(from_first.bound(0, 1), Bound::below(0));
    }
}

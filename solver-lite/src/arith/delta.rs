//! Numbers `c + d·δ` for an infinitesimal δ > 0: strict bounds become weak ones (Dutertre and de Moura, "A Fast
//! Linear-Arithmetic Solver for DPLL(T)", 2006, section 5).

use std::fmt;

use crate::number::Q;

/// `real + infinitesimal · δ`, ordered lexicographically.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Delta {
    pub(crate) real: Q,
    pub(crate) infinitesimal: Q,
}

impl Delta {
    pub(crate) fn new(real: Q, infinitesimal: Q) -> Delta {
        Delta { real, infinitesimal }
    }

    #[inline]
    pub(crate) fn add_scaled(&mut self, factor: &Q, other: &Delta) {
        self.real.add_product(factor, &other.real);
        if !other.infinitesimal.is_zero() {
            self.infinitesimal.add_product(factor, &other.infinitesimal);
        }
    }

    pub(crate) fn minus(&self, other: &Delta) -> Delta {
        Delta::new(&self.real - &other.real, &self.infinitesimal - &other.infinitesimal)
    }

    pub(crate) fn scaled(&self, factor: &Q) -> Delta {
        Delta::new(factor * &self.real, factor * &self.infinitesimal)
    }

    pub(crate) fn is_integer(&self) -> bool {
        self.infinitesimal.is_zero() && self.real.is_integer()
    }

    /// The largest integer that is at most this.
    pub(crate) fn floor(&self) -> Q {
        let floor = self.real.floor();
        if self.real.is_integer() && self.infinitesimal.is_negative() { &floor - &Q::ONE } else { floor }
    }

    /// The smallest integer that is at least this.
    pub(crate) fn ceil(&self) -> Q {
        let ceil = self.real.ceil();
        if self.real.is_integer() && self.infinitesimal.is_positive() { &ceil + &Q::ONE } else { ceil }
    }
}

impl From<Q> for Delta {
    fn from(real: Q) -> Delta {
        Delta { real, infinitesimal: Q::ZERO }
    }
}

impl fmt::Display for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Delta { real, infinitesimal } = self;
        let size = infinitesimal.abs();
        let delta = if size.is_one() { "δ".to_owned() } else { format!("{size}δ") };
        match (real.is_zero(), infinitesimal.is_zero(), infinitesimal.is_negative()) {
            (_, true, _) => write!(f, "{real}"),
            (true, false, negative) => write!(f, "{}{delta}", if negative { "−" } else { "" }),
            (false, false, negative) => write!(f, "{real} {} {delta}", if negative { "−" } else { "+" }),
        }
    }
}

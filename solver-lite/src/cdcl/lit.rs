//! Boolean variables and literals of the search, as dense numbers.

use std::fmt;

/// A Boolean variable: dense, in order of creation.
pub(crate) type Var = u32;

/// A variable or its negation: twice the variable, plus one when negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Lit(u32);

impl Lit {
    /// The literal of a variable with a sign.
    #[inline]
    pub(crate) fn new(var: Var, positive: bool) -> Lit {
        Lit(var << 1 | u32::from(!positive))
    }

    #[inline]
    pub(crate) fn var(self) -> Var {
        self.0 >> 1
    }

    #[inline]
    pub(crate) fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// An index for tables by literal.
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// Its representation in the arena of clauses.
    #[inline]
    pub(crate) fn word(self) -> u32 {
        self.0
    }

    #[inline]
    pub(crate) fn of_word(word: u32) -> Lit {
        Lit(word)
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_positive() { "" } else { "-" }, self.var())
    }
}

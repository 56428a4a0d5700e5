//! Linear arithmetic: is a set of inequalities consistent, over the reals and over the integers?

pub(crate) mod branch;
pub(crate) mod delta;
pub(crate) mod diophantine;
pub(crate) mod simplex;

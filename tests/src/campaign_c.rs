//! Random programs in C, and what a compiler's runs of them on all inputs say about our verdicts.
//!
//! [`writer`] makes a [`tree::Tree`], whose text is given to [`ours`] and to [`oracle`]; [`judge`] compares, and [`shrink`]
//! makes the tree of a disagreement smaller.

pub mod expressions;
pub mod judge;
pub mod oracle;
pub mod ours;
pub mod shrink;
pub mod statements;
pub mod tree;
pub mod writer;

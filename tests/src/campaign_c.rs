//! Random programs in C: our verdicts against a compiler's runs of them on all inputs.
//!
//! [`writer`] generates a [`tree::Tree`], whose text is passed to [`ours`] and to [`oracle`]; [`judge`] compares, and
//! [`shrink`] reduces the tree of a disagreement.

pub mod expressions;
pub mod judge;
pub mod oracle;
pub mod ours;
pub mod shrink;
pub mod statements;
pub mod tree;
pub mod writer;

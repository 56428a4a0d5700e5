//! Texts of models: reading and writing.

pub mod c;
pub mod cfa;
pub mod chc;

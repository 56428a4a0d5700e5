//! Texts of models: reading and writing.

pub mod c;
pub mod cfa;

//! Texts of models: reading and writing.

pub mod cfa;

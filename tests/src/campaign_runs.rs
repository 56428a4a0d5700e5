//! Random small control flow automata and extended transition systems, random properties of their runs, and their
//! answers.
//!
//! The code is independent of the engine: a model is a tree ([`model`]) that is printed as text for the engine and
//! interpreted state by state ([`meaning`]); a formula is decided by a separate expansion and a search for fair
//! components ([`formula`]). Disagreements are reduced on the trees ([`shrink`]).

pub mod formula;
pub mod generate;
pub mod meaning;
pub mod model;
pub mod shrink;

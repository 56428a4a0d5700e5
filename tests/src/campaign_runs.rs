//! Random small control flow automata and extended transition systems, random questions about their runs, and the answers.
//!
//! Nothing here knows the engine: a model is a tree ([`model`]) that is printed as text for the engine and interpreted state by
//! state ([`meaning`]); a formula is decided by an expansion of its own and a search for fair components ([`formula`]). What is
//! decided differently is made smaller on the trees ([`shrink`]).

pub mod formula;
pub mod generate;
pub mod meaning;
pub mod model;
pub mod shrink;

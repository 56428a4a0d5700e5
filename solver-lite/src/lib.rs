//! solver-lite: a DPLL(T) solver for linear arithmetic with checked proofs and interpolants.
//!
//! The crate knows no model of any kind: it is given terms and answers about them.
#![cfg_attr(test, allow(clippy::print_stdout))]

pub mod number;
pub mod term;

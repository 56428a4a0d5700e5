//! Linear temporal logic over the data of a system.
//!
//! Follows "CEGAR-based LTL model checking" (a thesis at BME), sections 2.4.1 and 3.3: operands of temporal operators
//! are arbitrary Boolean expressions over the variables. The maximal ones are the *atoms* of a formula. A formula is
//! interpreted over infinite words, at whose positions each atom is true or false. An ultimately periodic word is a
//! [`Word`], on which a formula is evaluated directly, without an automaton.

pub(crate) mod arrow;
mod class;
mod formula;
mod parse;
mod word;

pub use class::Class;
pub use formula::{AtomId, Formula};
pub use parse::{AtomMeaning, Propositional, Stated, is_temporal, propositional, stated};
pub(crate) use parse::{BETWEEN, condition, is_name, misplaced, number, speaks_of_runs};
pub use word::{Letter, Word};

pub use crate::expr::ast::Temporal;

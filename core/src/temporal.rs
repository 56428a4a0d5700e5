//! Temporal requirements on the runs of a system: the word of a run, fairness to edges, and the product of the system
//! with the automaton of the negated formula.
//!
//! Follows "CEGAR-based LTL model checking" (a thesis at BME), sections 3.2 to 3.4.

mod fairness;
mod product;
mod requirement;
mod safety;

pub use fairness::{Fairness, Strength};
pub use product::Product;
pub use requirement::{Demand, Requirement, Start, Step, Termination, WordSemantics};
pub use safety::Repeating;

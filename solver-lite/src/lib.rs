//! solver-lite: a DPLL(T) solver for linear arithmetic with checked proofs and interpolants.
//!
//! The crate is independent of models: it answers queries about terms. A query has the same answer in wasm and
//! natively.
//!
//! ```
//! use solver_lite::{Answer, Limits, Refutation, Solver, certify, interpolate, refute};
//! use solver_lite::term::{Sort, Terms};
//!
//! let mut t = Terms::new();
//! let (x, y) = (t.var("x", Sort::Int), t.var("y", Sort::Int));
//! let (three, five) = (t.int(3), t.int(5));
//!
//! // A model …
//! let mut solver = Solver::default();
//! let sum = t.add([x, y]);
//! let small = t.le(sum, five);
//! let big = t.ge(x, three);
//! solver.assert(&mut t, small);
//! let Answer::Sat(model) = solver.check(&mut t, &[big]) else { panic!() };
//! assert!(model.eval(&t, big).bool());
//!
//! // … and a refutation: x ≤ 3, y = x, y ≥ 5.
//! let path = [t.le(x, three), t.eq(y, x), t.ge(y, five)];
//! let Refutation::Proof(proof) = refute(&mut t, &path, Limits::default()) else { panic!() };
//! certify(&t, &path, &proof).unwrap();
//! let interpolants = interpolate::sequence(&mut t, &path, &proof);
//! let texts: Vec<String> = interpolants.iter().map(|i| t.infix(*i).to_string()).collect();
//! assert_eq!(texts, ["true", "x <= 3", "y <= 3", "false"]);
//! ```

mod alethe;
mod arith;
mod cdcl;
mod certify;
mod definition;
pub mod effort;
mod encode;
pub mod hash;
pub mod inside;
pub mod interpolate;
pub mod literal;
pub mod number;
pub mod proof;
mod reduce;
mod refute;
mod relevance;
mod rup;
mod search;
pub mod smtlib;
mod solver;
pub mod term;

pub use certify::{Rejected, certify};
pub use refute::{Refutation, refute};
pub use search::{Incomplete, Limits, Model, Strategy};
pub use solver::{Answer, Solver};

//! The search for accepting lassos in the product with the Büchi automaton: the events, explanations and certificates
//! of all methods that search for them.

mod event;
#[cfg(test)]
pub(crate) mod example;
pub(crate) mod explain;
pub(crate) mod progress;
pub(crate) mod run;
pub(crate) mod scene;

pub use event::{Event, Phase};

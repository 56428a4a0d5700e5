//! The page of Veristep: a Yew app, and the engine's worker. They share the messages of [`protocol`] and nothing else.
#![recursion_limit = "256"]

pub mod layout;
pub mod protocol;
pub mod state;
pub mod worker;

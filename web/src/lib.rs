//! The page of Veristep: a Yew app, and the engine's worker. They share only the messages of [`protocol`].
#![recursion_limit = "512"]

pub mod app;
pub mod browser;
pub mod client;
pub mod compare;
pub mod examples;
pub mod explained;
pub mod files;
pub mod formula;
pub mod keys;
pub mod pace;
pub mod protocol;
pub mod solver;
pub mod state;
pub mod text;
pub mod ui;
pub mod worker;

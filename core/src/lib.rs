//! Models, engines, traces, certificates and the journal.
//!
//! ```text
//! text → formats → System → engine (kit) → journal → views, explanations
//!                         └→ outcome with certificate → independent checker
//! ```

pub mod buchi;
pub mod certificate;
pub mod chart;
mod choice;
pub mod ctl;
mod data_model;
pub mod diagnostic;
pub mod draw;
pub mod edit;
pub mod encoding;
pub mod explain;
pub mod expr;
pub mod formats;
pub mod generate;
mod id;
pub mod kit;
pub mod layout;
pub mod link;
pub mod ltl;
pub mod methods;
pub mod net;
pub mod picture;
pub mod property;
pub mod run;
pub mod scene;
pub mod statements;
mod symbolic;
pub mod system;
pub mod temporal;
pub mod text;
pub mod vacuity;
pub mod views;

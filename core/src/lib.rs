//! Models, engines, traces, certificates and the journal.
pub mod explain;
pub mod kit;
pub mod system;
pub mod views;
pub mod link;
pub mod diagnostic;
pub mod text;
pub mod expr;

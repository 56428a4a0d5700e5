//! Edits of a drawing, as small changes of the text of the model.
//!
//! The text is the only model. A gesture becomes an [`Edit`](automaton::Edit) with a meaning, the format writes it as
//! few changes of the text, and the changed text is parsed again: unless it is exactly the intended model, nothing is
//! changed, and the [`Refusal`] says why. Comments, order, spacing and spelling of everything else stay as they are.

pub mod automaton;
pub(crate) mod lines;
pub mod net;
pub mod pins;
pub(crate) mod source;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::diagnostic::{Diagnostic, Span};

/// The replacement of a part of a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Change {
    /// The part that is replaced.
    pub span: Span,
    /// The text in its place.
    pub text: String,
}

impl Change {
    /// The text of a part is replaced.
    pub(crate) fn replace(span: Span, text: impl Into<String>) -> Change {
        Change { span, text: text.into() }
    }

    /// A text is inserted before the byte with this number.
    pub(crate) fn insert(at: usize, text: impl Into<String>) -> Change {
        Change { span: Span::new(at, at), text: text.into() }
    }
}

/// The reason why an edit is not carried out: one sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refusal(pub String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Refusal {
    /// The refusal with this reason.
    pub(crate) fn new(why: impl Into<String>) -> Refusal {
        Refusal(why.into())
    }

    /// The first error of a text.
    pub(crate) fn first(diagnostics: &[Diagnostic]) -> Refusal {
        Refusal(diagnostics.first().map(|diagnostic| diagnostic.message.clone()).unwrap_or_default())
    }
}

/// The text after changes, which are in textual order and do not overlap; `None` if they are not.
#[must_use]
pub fn changed(text: &str, changes: &[Change]) -> Option<String> {
    let (mut new, mut at) = (String::with_capacity(text.len()), 0);
    for Change { span, text: by } in changes {
        new.push_str(text.get(at..span.start as usize)?);
        new.push_str(by);
        at = span.end as usize;
    }
    new.push_str(text.get(at..)?);
    Some(new)
}

/// The end of a line in a text.
pub(crate) fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

//! Comparison of our verdict with the compiler's runs.

use super::oracle::Facts;
use super::ours::Answer;

/// The kind of a disagreement; none if both agree, or we have no verdict.
#[must_use]
pub fn class(facts: &Facts, ours: &Answer) -> Option<&'static str> {
    match ours {
        Answer::Broken(_) => Some("broken"),
        Answer::Refused(_) => facts.accepted.then_some("refused wrongly"),
        Answer::Unsupported(_) => None,
        _ if !facts.accepted => Some("accepted wrongly"),
        _ if facts.endless => None,
        Answer::Holds => facts.error.then_some("holds wrongly"),
        Answer::Violated => (!facts.error).then_some("violated wrongly"),
        Answer::Unknown(_) => None,
    }
}

//! Edits of a chart in its drawing. SCXML is written anew: the chart is edited in the project's own language, in which
//! an edit is a small change, and then written as SCXML.

use crate::edit::automaton::Edit;
use crate::edit::{Change, Refusal};
use crate::formats::sc;

/// The changes of a text that carry out edits one after the other.
///
/// # Errors
/// The first edit that is not possible, or why the text cannot be written anew.
pub(super) fn edit(text: &str, edits: &[Edit]) -> Result<Vec<Vec<Change>>, Refusal> {
    let refused = |diagnostics: Vec<_>| Refusal::first(&diagnostics);
    let mut all = Vec::new();
    let mut now = text.to_owned();
    for edit in edits {
        let own = match now.trim().is_empty() {
            true => String::new(),
            false => sc::print(&super::parse(&now).map_err(refused)?),
        };
        if now.contains("<!--") {
            return Err(Refusal::new(
                "an edit of the drawing writes the text anew, without its comments; remove them first, or edit the text",
            ));
        }
        let edited = sc::edited(&own, edit)?;
        let chart = sc::parse(&edited).map_err(refused)?;
        let new = super::print(&chart).map_err(Refusal)?;
        all.push(sc::difference(&now, &new).into_iter().collect());
        now = new;
    }
    Ok(all)
}

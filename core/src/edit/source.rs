//! Texts of automata that can be edited: what a language provides, and how edits become changes of a text.

use crate::diagnostic::Diagnostic;
use crate::edit::automaton::{Automaton, Edit};
use crate::edit::{Change, Refusal, changed};

/// A text with the places of its parts.
pub(crate) trait Source: Sized {
    /// Reads a text.
    fn of(text: String) -> Result<Self, Vec<Diagnostic>>;

    /// The text.
    fn text(&self) -> &str;

    /// The automaton, as it is written.
    fn automaton(&self) -> Automaton;

    /// The automaton after an edit other than [`Edit::Paste`].
    fn after(&self, edit: &Edit) -> Result<Automaton, Refusal>;

    /// The changes of an edit that is possible for this automaton.
    fn changes(&self, edit: &Edit) -> Result<Vec<Change>, Refusal>;

    /// Does a text have nothing but blanks and comments?
    fn is_empty(text: &str) -> bool;

    /// Writes an automaton with one location, which is initial, into an empty text.
    fn begin(text: &str, name: &str) -> Result<Change, Refusal>;

    /// The part of an automaton that a clipboard has, to be pasted into another one.
    fn part(text: &str, into: &Automaton) -> Result<Automaton, Refusal>;
}

/// The changes for edits one after the other, each for the text after those before it, and the text after all of them;
/// none if there is no automaton.
pub(crate) fn edited<S: Source>(
    text: &str,
    edits: &[Edit],
) -> Result<(Vec<Vec<Change>>, Option<S>), Refusal> {
    let read = |text: String| S::of(text).map_err(|diagnostics| Refusal::first(&diagnostics));
    let mut source = if S::is_empty(text) { None } else { Some(read(text.to_owned())?) };
    let mut all = Vec::new();
    for edit in edits {
        for edit in single(source.as_ref(), edit)? {
            let (changes, after) = match &source {
                Some(source) => one(source, &edit)?,
                None => begun(text, &edit)?,
            };
            all.push(changes);
            source = Some(after);
        }
    }
    Ok((all, source))
}

/// The edits that an edit consists of.
fn single<S: Source>(source: Option<&S>, edit: &Edit) -> Result<Vec<Edit>, Refusal> {
    let Edit::Paste { text } = edit else { return Ok(vec![edit.clone()]) };
    let own = source.map(S::automaton).unwrap_or_default();
    Ok(own.pasting(&S::part(text, &own)?))
}

/// The changes for one edit, and the text after them, which has exactly the intended automaton.
fn one<S: Source>(source: &S, edit: &Edit) -> Result<(Vec<Change>, S), Refusal> {
    let intended = source.after(edit)?;
    let mut changes = source.changes(edit)?;
    changes.sort_by_key(|change| change.span);
    let new = changed(source.text(), &changes).ok_or_else(not_expressible)?;
    match S::of(new) {
        Ok(after) if after.automaton() == intended => Ok((changes, after)),
        Ok(_) => Err(not_expressible()),
        Err(diagnostics) => Err(Refusal::first(&diagnostics)),
    }
}

/// A text without an automaton gets one with a first location.
fn begun<S: Source>(text: &str, edit: &Edit) -> Result<(Vec<Change>, S), Refusal> {
    let Edit::AddLocation { name, .. } = edit else {
        return Err(Refusal::new("there is no automaton yet"));
    };
    let changes = vec![S::begin(text, name)?];
    let after = S::of(changed(text, &changes).ok_or_else(not_expressible)?);
    Ok((changes, after.map_err(|diagnostics| Refusal::first(&diagnostics))?))
}

/// The refusal of an edit that nets have.
pub(crate) fn not_a_net() -> Refusal {
    Refusal::new("only Petri nets have places and transitions")
}

/// The changed text would not be the intended model.
pub(crate) fn not_expressible() -> Refusal {
    Refusal::new(
        "this cannot be written into the text without changing something else; edit the text instead",
    )
}

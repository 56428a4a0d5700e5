//! What changes when states are removed: later ones get smaller numbers, by which those without names are called.

use std::collections::BTreeSet;

use super::edit::Text;
use super::names::number_of;
use crate::diagnostic::Span;
use crate::edit::automaton::Automaton;
use crate::edit::pins::{self, Comment, Pin};
use crate::edit::{Change, Refusal};

impl Text {
    /// The new name of a state without a name, once others are gone.
    fn new_name(&self, state: usize, gone: &BTreeSet<usize>) -> Option<String> {
        let unnamed = number_of(&self.names[state]) == Some(state) && !gone.contains(&state);
        let fewer = gone.range(..state).count();
        (unnamed && fewer > 0).then(|| format!("q{}", state - fewer))
    }

    /// The places that change once states are gone: those of states without names go with them.
    pub(super) fn new_places(&self, gone: &BTreeSet<usize>) -> Vec<(String, Option<Pin>)> {
        let old = pins::of(&self.text, self.end(), Comment::Block);
        let mut new = old.clone();
        for (state, name) in self.names.iter().enumerate() {
            if gone.contains(&state) {
                new.remove(name);
            } else if let Some(other) = self.new_name(state, gone) {
                let pin = new.remove(name);
                new.remove(&other);
                new.extend(pin.map(|pin| (other, pin)));
            }
        }
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        let changed = names.into_iter().filter(|name| old.get(*name) != new.get(*name));
        changed.map(|name| (name.clone(), new.get(name).copied())).collect()
    }

    /// The states without names are called after their new numbers.
    pub(super) fn renumber(&self, new: &mut Automaton) -> Result<(), Refusal> {
        let kept: BTreeSet<&str> = new.locations.iter().map(|(name, _)| name.as_str()).collect();
        let gone: BTreeSet<usize> =
            (0..self.names.len()).filter(|state| !kept.contains(self.names[*state].as_str())).collect();
        for (state, name) in self.names.iter().enumerate() {
            if let Some(other) = self.new_name(state, &gone) {
                // The place of a state that is gone.
                new.pins.remove(&other);
                new.rename(name, &other)?;
            }
        }
        Ok(())
    }
}

/// The smaller number of a state once others are gone.
pub(super) fn renumbered(gone: &BTreeSet<usize>, state: usize, at: Span) -> Option<Change> {
    let fewer = gone.range(..state).count();
    (fewer > 0).then(|| Change::replace(at, (state - fewer).to_string()))
}

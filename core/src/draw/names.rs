//! The names of places and transitions in pictures: those for people, where no two of them are the same.

use std::collections::HashMap;

use crate::net::{Net, PlaceId, TransitionId, marking_text};

/// The names, by place and by transition.
pub(super) struct Names<'a> {
    places: Vec<&'a str>,
    transitions: Vec<&'a str>,
}

impl<'a> Names<'a> {
    /// The names of a net. A label that is also the label or the name of another node is not used.
    pub(super) fn of(net: &'a Net) -> Names<'a> {
        let places = || net.places.iter().map(|p| (p.name.as_str(), p.label.as_deref()));
        let transitions = || net.transitions.iter().map(|t| (t.name.as_str(), t.label.as_deref()));
        let mut uses: HashMap<&str, u32> = HashMap::new();
        for (name, label) in places().chain(transitions()) {
            *uses.entry(name).or_default() += 1;
            label
                .into_iter()
                .filter(|label| *label != name)
                .for_each(|label| *uses.entry(label).or_default() += 1);
        }
        let shown = |(name, label): (&'a str, Option<&'a str>)| {
            label.filter(|label| uses[label] == 1).unwrap_or(name)
        };
        Names { places: places().map(shown).collect(), transitions: transitions().map(shown).collect() }
    }

    /// The name of a place.
    pub(super) fn place(&self, place: PlaceId) -> &'a str {
        self.places[place.index()]
    }

    /// The name of a transition.
    pub(super) fn transition(&self, transition: TransitionId) -> &'a str {
        self.transitions[transition.index()]
    }

    /// A marking as text.
    pub(super) fn marking(&self, marking: &[u32]) -> String {
        marking_text(self.places.iter().zip(marking).map(|(name, tokens)| (*name, tokens.to_string())))
    }
}

//! Siphons and traps (Murata 1989, section VI.B).
//!
//! A set of places is a *siphon* if every transition that adds tokens to it also takes tokens from it: once empty, it
//! stays empty. It is a *trap* if every transition that takes tokens from it also adds some: once marked with enough
//! tokens, it stays marked. In a dead marking of an ordinary net, the places without tokens are a siphon; so an
//! ordinary net in which each minimal siphon contains a trap that is marked at the start has no deadlock (Commoner's
//! condition).

use super::{Net, PlaceArc, PlaceId};

/// A set of places, in ascending order.
pub type Places = Vec<PlaceId>;

/// There are more minimal siphons or traps than are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A siphon.
    Siphon,
    /// A trap: a siphon of the net with all arcs reversed.
    Trap,
}

impl Kind {
    /// The arcs whose places need company,
    fn into(self, t: &super::Transition) -> &[PlaceArc] {
        if self == Kind::Siphon { &t.outputs } else { &t.inputs }
    }

    /// and those that give it.
    fn from(self, t: &super::Transition) -> &[PlaceArc] {
        if self == Kind::Siphon { &t.inputs } else { &t.outputs }
    }
}

/// Is a set of places such a set? The empty one is.
#[must_use]
pub fn is_one(net: &Net, kind: Kind, places: &[PlaceId]) -> bool {
    let touches = |arcs: &[PlaceArc]| arcs.iter().any(|a| places.contains(&a.place));
    net.transitions.iter().all(|t| !touches(kind.into(t)) || touches(kind.from(t)))
}

/// The greatest siphon or trap inside of a set of places; empty if there is none.
#[must_use]
pub fn greatest(net: &Net, kind: Kind, inside: &[PlaceId]) -> Places {
    let mut kept = vec![false; net.places.len()];
    inside.iter().for_each(|p| kept[p.index()] = true);
    loop {
        let mut changed = false;
        for t in &net.transitions {
            if kind.from(t).iter().any(|a| kept[a.place.index()]) {
                continue;
            }
            for a in kind.into(t) {
                changed |= std::mem::replace(&mut kept[a.place.index()], false);
            }
        }
        if !changed {
            return net.place_ids().filter(|p| kept[p.index()]).collect();
        }
    }
}

/// The minimal siphons or traps that are not empty, at most `most` of them, in ascending order of size.
///
/// A set that lacks company for a transition is extended by each of its possible places in turn; places that have been
/// tried are excluded afterwards, so each set is found once.
///
/// # Errors
/// If there are more, or the search is too long.
pub fn minimal(net: &Net, kind: Kind, most: usize) -> Result<Vec<Places>, TooMany> {
    let mut found: Vec<Places> = Vec::new();
    let mut steps = 0;
    for first in net.place_ids() {
        // Sets whose least place is this one.
        let excluded: Vec<PlaceId> = net.place_ids().take_while(|p| *p < first).collect();
        let mut open = vec![(vec![first], excluded)];
        while let Some((set, excluded)) = open.pop() {
            steps += 1;
            if steps > 200 * most {
                return Err(TooMany);
            }
            if found.iter().any(|f| f.iter().all(|p| set.contains(p))) {
                continue;
            }
            let touches = |arcs: &[PlaceArc]| arcs.iter().any(|a| set.contains(&a.place));
            let lacking = net.transitions.iter().find(|t| touches(kind.into(t)) && !touches(kind.from(t)));
            let Some(t) = lacking else {
                let mut places = set;
                places.sort_unstable();
                found.retain(|f| !places.iter().all(|p| f.contains(p)));
                found.push(places);
                if found.len() > most {
                    return Err(TooMany);
                }
                continue;
            };
            let mut excluded = excluded;
            for arc in kind.from(t) {
                if excluded.contains(&arc.place) {
                    continue;
                }
                let mut larger = set.clone();
                larger.push(arc.place);
                open.push((larger, excluded.clone()));
                excluded.push(arc.place);
            }
        }
    }
    let candidates = found.clone();
    found.retain(|set| {
        let smaller = |other: &Places| other.len() < set.len() && other.iter().all(|p| set.contains(p));
        !candidates.iter().any(smaller)
    });
    found.sort_by_key(|set| (set.len(), set.clone()));
    Ok(found)
}

/// Is a set of places marked?
#[must_use]
pub fn is_marked(places: &[PlaceId], marking: &[u32]) -> bool {
    places.iter().any(|p| marking[p.index()] > 0)
}

//! Place/transition nets with weighted arcs and inhibitor arcs, and their firing rule (Murata, "Petri Nets: Properties,
//! Analysis and Applications", 1989, sections II and V).
//!
//! A marking gives each place a number of tokens. A transition is enabled if each of its input places has at least as
//! many tokens as the arc's weight, and each of its inhibitor places fewer. Firing it takes tokens from the input
//! places and adds tokens to the output places. Invariant: in each list of a transition the arcs are sorted by place,
//! each place occurs at most once, and weights are positive.

pub mod branching;
pub mod class;
pub mod condition;
pub mod coverability;
pub mod explore;
pub mod facts;
pub mod graph;
pub mod invariants;
pub mod order;
pub mod packed;
pub mod reduce;
pub mod siphons;
pub mod store;
pub mod stubborn;
pub mod symbolic;
#[cfg(test)]
mod tests;
pub mod timed;
pub mod walk;
pub mod witness;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::diagnostic::Span;
use crate::edit::pins::Pins;
use crate::id::id;

id!(
    /// A place of a net.
    PlaceId,
    "p"
);
id!(
    /// A transition of a net.
    TransitionId,
    "t"
);

/// The number of tokens of each place, by [`PlaceId`].
pub type Marking = Vec<u32>;

/// A place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its name; unique among places and transitions.
    pub name: String,
    /// A second name for people, if the format has one.
    pub label: Option<String>,
    /// The tokens at the start.
    pub tokens: u32,
    /// How long a token stays, in time nets with delays of places.
    pub delay: Option<Interval>,
    /// Where it is declared.
    pub span: Span,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Its name; unique among places and transitions.
    pub name: String,
    /// A second name for people, if the format has one.
    pub label: Option<String>,
    /// The places that it takes tokens from.
    pub inputs: Vec<PlaceArc>,
    /// The places that it adds tokens to.
    pub outputs: Vec<PlaceArc>,
    /// The places that disable it when they have at least as many tokens as the weight.
    pub inhibitors: Vec<PlaceArc>,
    /// Of read arcs: the tokens of input places that only have to be there. They are among the inputs and the outputs,
    /// but are not taken, so that the clocks of other transitions that need them go on.
    pub reads: Vec<PlaceArc>,
    /// How long it is enabled before it fires, in time nets with delays of transitions.
    pub delay: Option<Interval>,
    /// Where it is declared.
    pub span: Span,
}

/// An arc between a transition and a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceArc {
    /// The place.
    pub place: PlaceId,
    /// The weight; positive.
    pub weight: u32,
    /// Where it is written.
    pub span: Span,
}

/// The kind of an arc.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ArcKind {
    /// From a place to a transition, which takes tokens.
    Input,
    /// From a transition to a place, which gets tokens.
    Output,
    /// From a place to a transition, which the tokens of the place disable.
    Inhibitor,
    /// Between a place and a transition, which needs the tokens and leaves them: an input and an output arc in one.
    Read,
}

/// An interval of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub least: u32,
    /// Does it exclude its lower end?
    pub after_least: bool,
    /// The upper end; none if there is no upper bound.
    pub most: Option<u32>,
    /// Does it exclude its upper end?
    pub before_most: bool,
}

impl Interval {
    /// Every time.
    pub const ALWAYS: Interval = Interval { least: 0, after_least: false, most: None, before_most: false };

    /// Does it contain no time?
    #[must_use]
    pub fn is_empty(self) -> bool {
        let is_open = self.after_least || self.before_most;
        self.most.is_some_and(|most| most < self.least || most == self.least && is_open)
    }

    /// Does it permit every time?
    #[must_use]
    pub fn is_always(self) -> bool {
        self.least == 0 && !self.after_least && self.most.is_none()
    }
}

impl fmt::Display for Interval {
    /// As in `[2,5]`, `]2,5]` or `[2,w[`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = if self.after_least { ']' } else { '[' };
        let close = if self.before_most { '[' } else { ']' };
        match self.most {
            Some(most) => write!(f, "{open}{},{most}{close}", self.least),
            None => write!(f, "{open}{},w{close}", self.least),
        }
    }
}

/// A property that the text of a model states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedProperty {
    /// Its name.
    pub name: String,
    /// The property, in the syntax of the command line.
    pub text: String,
    /// Where the property is written.
    pub span: Span,
}

/// A net with its initial marking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Net {
    /// Its name.
    pub name: String,
    /// The places.
    pub places: Vec<Place>,
    /// The transitions.
    pub transitions: Vec<Transition>,
    /// The properties that its text states.
    pub properties: Vec<NamedProperty>,
    /// The positions in its text, by the names of places and transitions.
    pub pins: Arc<Pins>,
}

/// A place would have more than `u32::MAX` tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyTokens(pub PlaceId);

/// Adds an arc to a sorted list; the weights of several arcs to one place are added.
///
/// # Errors
/// If the sum of the weights is too large.
pub fn add_arc(arcs: &mut Vec<PlaceArc>, arc: PlaceArc) -> Result<(), TooManyTokens> {
    match arcs.binary_search_by_key(&arc.place, |a| a.place) {
        Ok(at) => {
            arcs[at].weight = arcs[at].weight.checked_add(arc.weight).ok_or(TooManyTokens(arc.place))?;
        }
        Err(at) => arcs.insert(at, arc),
    }
    Ok(())
}

/// The weight of the arc to a place; 0 without an arc.
#[must_use]
pub fn weight(arcs: &[PlaceArc], place: PlaceId) -> u32 {
    arcs.binary_search_by_key(&place, |a| a.place).map_or(0, |at| arcs[at].weight)
}

/// The first arcs, less the second ones.
fn without(arcs: &[PlaceArc], less: &[PlaceArc]) -> Vec<PlaceArc> {
    let rest =
        |arc: &PlaceArc| PlaceArc { weight: arc.weight.saturating_sub(weight(less, arc.place)), ..*arc };
    arcs.iter().map(rest).filter(|arc| arc.weight > 0).collect()
}

impl Transition {
    /// The inputs without the tokens that only have to be there.
    #[must_use]
    pub fn taken(&self) -> Vec<PlaceArc> {
        without(&self.inputs, &self.reads)
    }

    /// The outputs without the tokens that only have to be there.
    #[must_use]
    pub fn added(&self) -> Vec<PlaceArc> {
        without(&self.outputs, &self.reads)
    }

    /// The read arcs, each with all tokens that have to be in its place.
    #[must_use]
    pub fn read_arcs(&self) -> Vec<PlaceArc> {
        let whole = |arc: &PlaceArc| PlaceArc { weight: weight(&self.inputs, arc.place), ..*arc };
        self.reads.iter().map(whole).collect()
    }
}

impl Net {
    /// All places, in order.
    pub fn place_ids(&self) -> impl DoubleEndedIterator<Item = PlaceId> + ExactSizeIterator + use<> {
        (0..self.places.len()).map(PlaceId::new)
    }

    /// All transitions, in order.
    pub fn transition_ids(
        &self,
    ) -> impl DoubleEndedIterator<Item = TransitionId> + ExactSizeIterator + use<> {
        (0..self.transitions.len()).map(TransitionId::new)
    }

    /// A place.
    #[must_use]
    pub fn place(&self, place: PlaceId) -> &Place {
        &self.places[place.index()]
    }

    /// A transition.
    #[must_use]
    pub fn transition(&self, transition: TransitionId) -> &Transition {
        &self.transitions[transition.index()]
    }

    /// Adds a place.
    pub fn add_place(&mut self, name: impl Into<String>, tokens: u32) -> PlaceId {
        let place = Place { name: name.into(), label: None, tokens, delay: None, span: Span::default() };
        self.places.push(place);
        PlaceId::new(self.places.len() - 1)
    }

    /// Adds a transition with these weights of its input and output arcs.
    ///
    /// # Panics
    /// If a sum of weights is too large.
    pub fn add_transition(
        &mut self,
        name: impl Into<String>,
        inputs: &[(PlaceId, u32)],
        outputs: &[(PlaceId, u32)],
    ) -> TransitionId {
        let arcs = |all: &[(PlaceId, u32)]| {
            let mut arcs = Vec::new();
            for &(place, weight) in all {
                let arc = PlaceArc { place, weight, span: Span::default() };
                add_arc(&mut arcs, arc).expect("the weights are small");
            }
            arcs
        };
        let transition = Transition {
            name: name.into(),
            label: None,
            inputs: arcs(inputs),
            outputs: arcs(outputs),
            inhibitors: Vec::new(),
            reads: Vec::new(),
            delay: None,
            span: Span::default(),
        };
        self.transitions.push(transition);
        TransitionId::new(self.transitions.len() - 1)
    }

    /// Adds an inhibitor arc: the transition is disabled while the place has at least `weight` tokens.
    ///
    /// # Panics
    /// If there is one from this place already.
    pub fn add_inhibitor(&mut self, transition: TransitionId, place: PlaceId, weight: u32) {
        let arcs = &mut self.transitions[transition.index()].inhibitors;
        let at = arcs.binary_search_by_key(&place, |a| a.place).expect_err("the arc is new");
        arcs.insert(at, PlaceArc { place, weight, span: Span::default() });
    }

    /// The place of that name.
    #[must_use]
    pub fn find_place(&self, name: &str) -> Option<PlaceId> {
        self.places.iter().position(|p| p.name == name).map(PlaceId::new)
    }

    /// The transition of that name.
    #[must_use]
    pub fn find_transition(&self, name: &str) -> Option<TransitionId> {
        self.transitions.iter().position(|t| t.name == name).map(TransitionId::new)
    }

    /// The number of arcs, inhibitor arcs included.
    #[must_use]
    pub fn arcs(&self) -> usize {
        self.transitions.iter().map(|t| t.inputs.len() + t.outputs.len() + t.inhibitors.len()).sum()
    }

    /// The greatest weight of an arc; 0 without arcs.
    #[must_use]
    pub fn max_weight(&self) -> u32 {
        let arcs =
            |t: &Transition| t.inputs.iter().chain(&t.outputs).chain(&t.inhibitors).map(|a| a.weight).max();
        self.transitions.iter().filter_map(arcs).max().unwrap_or(0)
    }

    /// Has a transition an inhibitor arc?
    #[must_use]
    pub fn has_inhibitors(&self) -> bool {
        self.transitions.iter().any(|t| !t.inhibitors.is_empty())
    }

    /// Does time restrict when transitions fire?
    #[must_use]
    pub fn is_timed(&self) -> bool {
        let restricts = |delay: Option<Interval>| delay.is_some_and(|d| !d.is_always());
        self.places.iter().any(|p| restricts(p.delay)) || self.transitions.iter().any(|t| restricts(t.delay))
    }

    /// The initial marking.
    #[must_use]
    pub fn initial(&self) -> Marking {
        self.places.iter().map(|p| p.tokens).collect()
    }

    /// Is a transition enabled in a marking?
    ///
    /// # Panics
    /// If the marking is not one of this net.
    #[must_use]
    pub fn is_enabled(&self, marking: &[u32], transition: TransitionId) -> bool {
        let t = self.transition(transition);
        t.inputs.iter().all(|a| marking[a.place.index()] >= a.weight)
            && t.inhibitors.iter().all(|a| marking[a.place.index()] < a.weight)
    }

    /// The transitions that are enabled in a marking.
    pub fn enabled<'a>(&'a self, marking: &'a [u32]) -> impl Iterator<Item = TransitionId> + 'a {
        self.transition_ids().filter(|t| self.is_enabled(marking, *t))
    }

    /// Fires an enabled transition.
    ///
    /// # Errors
    /// If a place would have too many tokens; the marking is unchanged then.
    ///
    /// # Panics
    /// If the transition is not enabled.
    pub fn fire(&self, marking: &mut [u32], transition: TransitionId) -> Result<(), TooManyTokens> {
        assert!(self.is_enabled(marking, transition), "only enabled transitions fire");
        let t = self.transition(transition);
        for a in &t.outputs {
            let left = marking[a.place.index()] - weight(&t.inputs, a.place);
            left.checked_add(a.weight).ok_or(TooManyTokens(a.place))?;
        }
        for a in &t.inputs {
            marking[a.place.index()] -= a.weight;
        }
        for a in &t.outputs {
            marking[a.place.index()] += a.weight;
        }
        Ok(())
    }

    /// The change of the tokens of a place when a transition fires: an entry of the incidence matrix.
    #[must_use]
    pub fn change(&self, place: PlaceId, transition: TransitionId) -> i64 {
        let t = self.transition(transition);
        i64::from(weight(&t.outputs, place)) - i64::from(weight(&t.inputs, place))
    }

    /// The places whose tokens change when a transition fires, with the change: a column of the incidence matrix.
    #[must_use]
    pub fn effect(&self, transition: TransitionId) -> Vec<(PlaceId, i64)> {
        let t = self.transition(transition);
        let mut effect: Vec<(PlaceId, i64)> =
            t.inputs.iter().map(|a| (a.place, -i64::from(a.weight))).collect();
        for a in &t.outputs {
            match effect.binary_search_by_key(&a.place, |(p, _)| *p) {
                Ok(at) => effect[at].1 += i64::from(a.weight),
                Err(at) => effect.insert(at, (a.place, i64::from(a.weight))),
            }
        }
        effect.retain(|(_, change)| *change != 0);
        effect
    }

    /// A marking as text: the places with tokens, as in `p + 2 q`; `0` if there are none.
    #[must_use]
    pub fn marking_text(&self, marking: &[u32]) -> String {
        marking_text(self.places.iter().zip(marking).map(|(p, n)| (p.name.as_str(), n.to_string())))
    }
}

/// A marking as text, of the names and tokens of places.
pub(crate) fn marking_text<'a>(tokens: impl Iterator<Item = (&'a str, String)>) -> String {
    let part = |(name, tokens): (&str, String)| match tokens.as_str() {
        "0" => None,
        "1" => Some(name.to_owned()),
        tokens => Some(format!("{tokens} {name}")),
    };
    let parts: Vec<String> = tokens.filter_map(part).collect();
    if parts.is_empty() { "0".to_owned() } else { parts.join(" + ") }
}

/// A place or a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// A place.
    Place(PlaceId),
    /// A transition.
    Transition(TransitionId),
}

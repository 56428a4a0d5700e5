//! Safe P-time Petri nets (Igawa, Yokogawa, Amasaki, Kondo, Sato and Arimoto, "Symbolic Representation of Time Petri
//! Nets for Efficient Bounded Model Checking", 2020, section 2.1): each place has an interval of delays and at most one
//! token.
//!
//! A token becomes ready at an age within the interval of its place: not before the lower end, and not after the upper
//! end. A transition fires as soon as the tokens of its input places are ready and no token of its inhibitor places is.

pub mod encoding;

use super::{Interval, Net, Place, PlaceArc, Transition};
use crate::diagnostic::{Diagnostic, Span};

/// The delays of a place: the least age at which its token may be ready, and the age at which it is, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delay {
    /// The lower end.
    pub least: u32,
    /// The upper end; none if the token need never become ready.
    pub most: Option<u32>,
}

/// A net that is a safe P-time net, as far as its text shows: that no place gets a second token is not checked.
#[derive(Clone, Debug)]
pub struct Timed<'a> {
    /// The net.
    pub net: &'a Net,
    /// By place.
    pub delays: Vec<Delay>,
}

/// The delay of a place; without an interval the token may become ready at any age.
fn delay(place: &Place) -> Result<Delay, Diagnostic> {
    let unsupported =
        |what: &str| Err(Diagnostic::unsupported(place.span, format!("place '{}' {what}", place.name)));
    match place.delay {
        _ if place.tokens > 1 => {
            unsupported("has more than one token, but time nets with delays of places must be safe")
        }
        None => Ok(Delay { least: 0, most: None }),
        Some(Interval { after_least: true, .. } | Interval { before_most: true, most: Some(_), .. }) => {
            unsupported("has an open interval; delays of places have closed intervals")
        }
        Some(Interval { least, most, .. }) => Ok(Delay { least, most }),
    }
}

/// The problem of a transition, if it has one.
fn problem(net: &Net, t: &Transition) -> Option<Diagnostic> {
    let unsupported = |span: Span, what: String| Some(Diagnostic::unsupported(span, what));
    if t.delay.is_some_and(|delay| !delay.is_always()) {
        let what = format!("transition '{}' has an interval, but delays of places are expected", t.name);
        return unsupported(t.span, what);
    }
    let all = || t.inputs.iter().chain(&t.outputs).chain(&t.inhibitors);
    let heavy: &PlaceArc = all().find(|arc| arc.weight > 1)?;
    let place = &net.place(heavy.place).name;
    unsupported(
        heavy.span,
        format!(
            "the arc between '{place}' and '{}' has a weight, but time nets with delays of places must be safe",
            t.name
        ),
    )
}

impl Timed<'_> {
    /// The net as a P-time net.
    ///
    /// # Errors
    /// What the semantics does not have: intervals of transitions, open intervals, weights, and more than one token in
    /// a place at the start, each with its place in the text.
    pub fn of(net: &Net) -> Result<Timed<'_>, Vec<Diagnostic>> {
        let mut problems: Vec<Diagnostic> = net.transitions.iter().filter_map(|t| problem(net, t)).collect();
        let mut delays = Vec::with_capacity(net.places.len());
        for place in &net.places {
            match delay(place) {
                Ok(delay) => delays.push(delay),
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() { Ok(Timed { net, delays }) } else { Err(problems) }
    }

    /// The places whose tokens need never become ready, as problems: the question of deadlocks is about states in which
    /// all tokens are ready.
    #[must_use]
    pub fn without_end(&self) -> Vec<Diagnostic> {
        let places = self.net.places.iter().zip(&self.delays).filter(|(_, delay)| delay.most.is_none());
        let problem = |(place, _): (&Place, &Delay)| {
            let what = "has no upper end of its delay, which the question of deadlocks needs";
            Diagnostic::unsupported(place.span, format!("place '{}' {what}", place.name))
        };
        places.map(problem).collect()
    }
}

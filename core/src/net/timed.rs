//! Time Petri nets, in two semantics.
//!
//! *Intervals of transitions* (Merlin and Farber, "Recoverability of Communication Protocols", 1976; T-time nets): a
//! transition may fire when it has been enabled for a time within its interval, and time does not pass the upper end of
//! the interval of an enabled transition. The time since when a transition is enabled starts again when it fires, and
//! when another transition takes tokens that it needs, even if they are put back at once (intermediate semantics). A
//! transition that is enabled several times at once has one clock (single server).
//!
//! *Delays of places* (Igawa, Yokogawa, Amasaki, Kondo, Sato and Arimoto, "Symbolic Representation of Time Petri Nets
//! for Efficient Bounded Model Checking", 2020, section 2.1; safe P-time nets): each place has an interval of delays
//! and at most one token. A token becomes ready at an age within the interval of its place: not before the lower end,
//! and not after the upper end. A transition may fire when the tokens of its input places have reached their lower ends
//! and no token of an inhibitor place has reached its upper end; it must fire when the tokens of its input places have
//! reached their upper ends and no token of an inhibitor place has reached its lower end.

pub mod ages;
pub mod classes;
pub mod encoding;
pub mod run;
pub mod zone;

use super::{Interval, Net, Place, PlaceArc, PlaceId, Transition, TransitionId};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::VarId;

/// The delays of a place: the earliest age at which its token may be ready, and the latest, if there is one.
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
    if let Some(arc) = t.reads.first() {
        let place = &net.place(arc.place).name;
        let what = format!(
            "the arc between '{place}' and '{}' is a read arc, which time nets with delays of places do not have",
            t.name
        );
        return unsupported(arc.span, what);
    }
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

/// The prefix of properties of a time net without its intervals.
pub(crate) const UNTIMED: &str = "untimed:";

/// What the intervals of a time net belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semantics {
    /// Transitions: the time for which they are enabled.
    Transitions,
    /// Places: the ages of their tokens.
    Places,
}

impl Semantics {
    /// In words, for verdicts.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Semantics::Transitions => {
                "intervals of transitions (T-time, intermediate semantics, single server)"
            }
            Semantics::Places => {
                "delays of places (P-time: a transition may fire from the lower ends on, and must at the upper ends)"
            }
        }
    }
}

/// The clocks of a time net: their owners, and their variables in the net's system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// The semantics of the net.
    pub semantics: Semantics,
    /// The number of places, whose variables are the first ones.
    places: usize,
    /// By place, its delay; empty for intervals of transitions.
    delays: Vec<Delay>,
    /// By place or transition: the number of its clock, if its interval restricts anything.
    clock: Vec<Option<usize>>,
    /// By clock: its place or transition.
    owners: Vec<usize>,
}

impl Clocks {
    /// The clocks of a net; none if its intervals restrict nothing.
    ///
    /// # Errors
    /// What the semantics does not have, with places in the text.
    pub fn of(net: &Net) -> Result<Option<Clocks>, Vec<Diagnostic>> {
        if !net.is_timed() {
            return Ok(None);
        }
        let restricts = |delay: Option<Interval>| delay.is_some_and(|d| !d.is_always());
        let (semantics, delays, restricted): (_, _, Vec<bool>) =
            if net.places.iter().any(|p| restricts(p.delay)) {
                let delays = Timed::of(net)?.delays;
                let restricted = delays.iter().map(|d| d.least > 0 || d.most.is_some()).collect();
                (Semantics::Places, delays, restricted)
            } else {
                let restricted = net.transitions.iter().map(|t| restricts(t.delay)).collect();
                (Semantics::Transitions, Vec::new(), restricted)
            };
        let owners: Vec<usize> = (0..restricted.len()).filter(|i| restricted[*i]).collect();
        let mut clock = vec![None; restricted.len()];
        owners.iter().enumerate().for_each(|(i, owner)| clock[*owner] = Some(i));
        Ok(Some(Clocks { semantics, places: net.places.len(), delays, clock, owners }))
    }

    /// The number of clocks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.owners.len()
    }

    /// Is there no clock?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    /// The index of a clock's place or transition.
    #[must_use]
    pub fn owner(&self, clock: usize) -> usize {
        self.owners[clock]
    }

    /// The name of a clock's place or transition.
    #[must_use]
    pub fn name<'a>(&self, net: &'a Net, clock: usize) -> &'a str {
        let owner = self.owners[clock];
        match self.semantics {
            Semantics::Transitions => &net.transitions[owner].name,
            Semantics::Places => &net.places[owner].name,
        }
    }

    /// The clock of a place.
    #[must_use]
    pub fn of_place(&self, place: PlaceId) -> Option<usize> {
        self.clock[place.index()].filter(|_| self.semantics == Semantics::Places)
    }

    /// The clock of a transition.
    #[must_use]
    pub fn of_transition(&self, transition: TransitionId) -> Option<usize> {
        self.clock[transition.index()].filter(|_| self.semantics == Semantics::Transitions)
    }

    /// The delay of a place; any if the net has intervals of transitions.
    #[must_use]
    pub fn delay(&self, place: PlaceId) -> Delay {
        self.delays.get(place.index()).copied().unwrap_or(Delay { least: 0, most: None })
    }

    /// The variable of the time.
    #[must_use]
    pub fn time(&self) -> VarId {
        VarId::new(self.places)
    }

    /// The variable of the time of the last firing.
    #[must_use]
    pub fn fired(&self) -> VarId {
        VarId::new(self.places + 1)
    }

    /// The variable of the time since when a clock runs.
    #[must_use]
    pub fn since(&self, clock: usize) -> VarId {
        VarId::new(self.places + 2 + clock)
    }
}

//! Statecharts: hierarchical states, orthogonal regions, history, and data, with the meaning of SCXML ("State Chart
//! XML (SCXML): State Machine Notation for Control Abstraction", a recommendation of the W3C, 2015).
//!
//! Invariants: [`StateId`]s are in document order, so a state comes before its descendants, which are consecutive; the
//! root, with id 0, is the chart itself. Expressions are over [`Chart::variables`], followed by a truth value for each
//! state: is it active?

pub mod configuration;
pub mod explore;
pub mod facts;
pub mod lower;
pub mod machine;
pub mod reading;
pub mod simulation;

use std::collections::HashMap;
use std::sync::Arc;

use solver_lite::number::Q;

use crate::diagnostic::Span;
use crate::edit::pins::Pins;
use crate::expr::{Enumeration, Expr, Type, VarId};
use crate::id::id;
use crate::net::NamedProperty;

id!(
    /// A state of a chart, or the chart itself.
    StateId,
    "s"
);
id!(
    /// A transition of a chart.
    TransitionId,
    "t"
);
id!(
    /// An event.
    EventId,
    "ev"
);

/// A statechart.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Its name.
    pub name: String,
    /// The states in document order; the first one is the chart.
    pub states: Vec<State>,
    /// The transitions, in document order of their sources.
    pub transitions: Vec<Transition>,
    /// The data, and the parameters of events.
    pub variables: Vec<Variable>,
    /// The events.
    pub events: Vec<Event>,
    /// The states with clocks, and their clocks: variables that count the events [`Chart::TICK`] while the state is
    /// active, up to their greatest value.
    pub clocks: Vec<(StateId, VarId)>,
    /// The types that it declares.
    pub enumerations: Vec<Arc<Enumeration>>,
    /// How many raised events can wait.
    pub capacity: usize,
    /// Does a transition for `a` also wait for `a.b`?
    pub prefixes: bool,
    /// The properties that the text states.
    pub properties: Vec<NamedProperty>,
    /// The places that a person chose.
    pub pins: Arc<Pins>,
}

/// A state.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name, unique in the chart.
    pub name: String,
    /// The last part of its name, unique among its siblings.
    pub label: String,
    /// Its kind.
    pub kind: StateKind,
    /// The state that contains it; none for the chart.
    pub parent: Option<StateId>,
    /// The states in it, in document order; histories and final states included.
    pub children: Vec<StateId>,
    /// The id after its last descendant.
    pub end: StateId,
    /// Where a composite state or a history begins: the targets, and the actions on the way.
    pub initial: Initial,
    /// The actions on entry,
    pub entry: Vec<Action>,
    /// and on exit.
    pub exit: Vec<Action>,
    /// The transitions that leave it, in document order.
    pub transitions: Vec<TransitionId>,
    /// Is it drawn without what is in it?
    pub folded: bool,
    /// Where it is declared.
    pub span: Span,
}

/// The kinds of states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StateKind {
    /// Without states in it.
    Atomic,
    /// One of the states in it is active whenever it is.
    Composite,
    /// All of the states in it, its regions, are active whenever it is.
    Parallel,
    /// The containing state is complete when it is reached.
    Final,
    /// The states that were active when the containing state was left: its children, or (deep) all in it.
    History {
        /// All states in the containing state?
        deep: bool,
    },
}

/// The start of a composite state or history.
#[derive(Clone, Debug, Default)]
pub struct Initial {
    /// The states that are entered.
    pub targets: Vec<StateId>,
    /// The actions before they are entered.
    pub actions: Vec<Action>,
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The source.
    pub source: StateId,
    /// The targets; none if no state is left.
    pub targets: Vec<StateId>,
    /// The event that it waits for; `None` for a completion (eventless) transition.
    pub trigger: Option<Trigger>,
    /// Its guard as written.
    pub guard: Option<Expr>,
    /// How many ticks its source must have been active; then the trigger is the tick.
    pub after: Option<u32>,
    /// What must be true besides: the guard, and that the clock of the source is late enough.
    pub condition: Option<Expr>,
    /// Is the source left only if a target is outside?
    pub internal: bool,
    /// Its actions.
    pub actions: Vec<Action>,
    /// Where it is declared.
    pub span: Span,
}

/// What enables a transition besides its guard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// The events, sorted.
    pub events: Vec<EventId>,
    /// The events as written.
    pub text: String,
}

/// An action.
#[derive(Clone, Debug)]
pub enum Action {
    /// `x := e`
    Assign(VarId, Expr, Span),
    /// An event for the chart itself.
    Raise(EventId, Span),
    /// An event for the environment.
    Send(EventId, Span),
    /// The actions after the first condition that is true, or else the last ones.
    If(Vec<(Expr, Vec<Action>)>, Vec<Action>),
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name; `coin.amount` for a parameter.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its least and greatest value, if it is a bounded integer.
    pub range: Option<(Q, Q)>,
    /// Its initial value; none for a parameter.
    pub initial: Option<Expr>,
    /// Where it is declared.
    pub span: Span,
}

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// Can the environment send it?
    pub external: bool,
    /// Its parameters, which get values when the environment sends it.
    pub parameters: Vec<VarId>,
    /// Where it is first named.
    pub span: Span,
}

impl Chart {
    /// The chart itself as a state.
    pub const ROOT: StateId = StateId(0);

    /// The name of an event that stands for all that no transition names, if some transition waits for any event.
    pub const OTHER: &'static str = "*";

    /// The name of the event of discrete time.
    pub const TICK: &'static str = "tick";

    /// A state.
    #[must_use]
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }

    /// A transition.
    #[must_use]
    pub fn transition(&self, id: TransitionId) -> &Transition {
        &self.transitions[id.index()]
    }

    /// An event.
    #[must_use]
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// All states, in document order.
    pub fn state_ids(&self) -> impl DoubleEndedIterator<Item = StateId> + use<> {
        (0..self.states.len()).map(StateId::new)
    }

    /// All transitions, in document order.
    pub fn transition_ids(&self) -> impl Iterator<Item = TransitionId> + use<> {
        (0..self.transitions.len()).map(TransitionId::new)
    }

    /// All events, in the order of the text.
    pub fn event_ids(&self) -> impl Iterator<Item = EventId> + use<> {
        (0..self.events.len()).map(EventId::new)
    }

    /// The event of that name.
    #[must_use]
    pub fn find_event(&self, name: &str) -> Option<EventId> {
        self.events.iter().position(|e| e.name == name).map(EventId::new)
    }

    /// The event that enables the same transitions as one of this name: the same, the longest beginning of its parts
    /// that is an event, or [`Chart::OTHER`].
    #[must_use]
    pub fn received(&self, name: &str) -> Option<EventId> {
        let all = std::iter::successors(Some(name), |name| Some(name.rsplit_once('.')?.0));
        let parts = if self.prefixes { usize::MAX } else { 1 };
        all.take(parts).find_map(|name| self.find_event(name)).or_else(|| self.find_event(Chart::OTHER))
    }

    /// The truth value "this state is active" in expressions.
    #[must_use]
    pub fn active(&self, state: StateId) -> VarId {
        VarId::new(self.variables.len() + state.index())
    }

    /// The state whose truth value this is; `None` for data.
    #[must_use]
    pub fn state_of(&self, v: VarId) -> Option<StateId> {
        v.index().checked_sub(self.variables.len()).map(StateId::new)
    }

    /// Is `a` inside of `b`, and another state?
    #[must_use]
    pub fn is_inside(&self, a: StateId, b: StateId) -> bool {
        b < a && a < self.state(b).end
    }

    /// The states inside of a state, in document order.
    pub fn inside(&self, state: StateId) -> impl DoubleEndedIterator<Item = StateId> + use<> {
        (state.index() + 1..self.state(state).end.index()).map(StateId::new)
    }

    /// The states that contain a state, the innermost first; the last one is the chart.
    pub fn around(&self, state: StateId) -> impl Iterator<Item = StateId> {
        std::iter::successors(self.state(state).parent, |s| self.state(*s).parent)
    }

    /// The children that can be active: all but histories.
    pub fn substates(&self, state: StateId) -> impl DoubleEndedIterator<Item = StateId> {
        self.state(state).children.iter().copied().filter(|s| !self.is_history(*s))
    }

    /// The histories of a state.
    pub fn histories(&self, state: StateId) -> impl Iterator<Item = StateId> {
        self.state(state).children.iter().copied().filter(|s| self.is_history(*s))
    }

    /// Is it a history?
    #[must_use]
    pub fn is_history(&self, state: StateId) -> bool {
        matches!(self.state(state).kind, StateKind::History { .. })
    }

    /// Is it without states in it that can be active?
    #[must_use]
    pub fn is_atomic(&self, state: StateId) -> bool {
        matches!(self.state(state).kind, StateKind::Atomic | StateKind::Final)
    }

    /// Is it drawn without what is in it, although there is something?
    #[must_use]
    pub fn is_folded(&self, state: StateId) -> bool {
        self.state(state).folded && !self.state(state).children.is_empty()
    }

    /// The state that is drawn for a state: the outermost folded one around it, or itself.
    #[must_use]
    pub fn shown_as(&self, state: StateId) -> StateId {
        self.around(state).filter(|s| self.is_folded(*s)).last().unwrap_or(state)
    }

    /// The labels of a state and of those around it: `On.Red`.
    #[must_use]
    pub fn path(&self, state: StateId) -> String {
        let all = std::iter::once(state).chain(self.around(state)).filter(|s| *s != Chart::ROOT);
        let mut labels: Vec<&str> = all.map(|s| self.state(s).label.as_str()).collect();
        labels.reverse();
        labels.join(".")
    }

    /// For each state, the shortest end of its path that no other state has: `Main.Green`.
    #[must_use]
    pub fn short_paths(&self) -> Vec<String> {
        let paths: Vec<String> = self.state_ids().map(|s| self.path(s)).collect();
        let ends =
            |path: &'_ str| -> Vec<usize> { path.match_indices('.').map(|(dot, _)| dot + 1).rev().collect() };
        let mut known: HashMap<&str, usize> = HashMap::new();
        for path in &paths {
            let all = ends(path).into_iter().chain([0]);
            all.for_each(|end| *known.entry(&path[end..]).or_default() += 1);
        }
        let short = |path: &String| {
            let end = ends(path).into_iter().find(|end| known[&path[*end..]] == 1);
            path[end.unwrap_or(0)..].to_owned()
        };
        paths.iter().map(short).collect()
    }

    /// The state that a name denotes at a state: one inside of it, beside it, or further outside; otherwise as
    /// [`Chart::find_state`]. Only states inside of `scope` are meant.
    ///
    /// # Errors
    /// If there is none, or several.
    pub fn state_at(&self, (scope, at): (StateId, StateId), name: &str) -> Result<StateId, String> {
        // Names are unique in SCXML.
        if self.prefixes {
            return self.find_state(name);
        }
        let all = std::iter::once(at).chain(self.around(at)).filter(|s| *s != Chart::ROOT);
        let all = all.take_while(|s| *s == scope || self.is_inside(*s, scope));
        let full = all.map(|around| format!("{}.{name}", self.path(around)));
        let named = |full: String| self.state_ids().skip(1).find(|s| self.path(*s) == full);
        full.into_iter().find_map(named).map_or_else(|| self.find_within(scope, name), Ok)
    }

    /// Is a name the label of a state, after labels of states around it, in order?
    fn is_on_path(&self, name: &str, state: StateId) -> bool {
        let path = self.path(state);
        let mut labels = path.split('.').rev();
        let mut parts = name.split('.').rev();
        parts.next() == labels.next() && parts.all(|part| labels.any(|label| label == part))
    }

    /// The state of a name, or of the end of exactly one path: `On.Red`, `Red`; if there is none, of exactly one path
    /// on which these labels follow each other, perhaps with others between them: `On.Red` for `On.Working.Red`.
    ///
    /// # Errors
    /// If there is none, or several.
    pub fn find_state(&self, name: &str) -> Result<StateId, String> {
        self.find_within(Chart::ROOT, name)
    }

    /// The same among the states inside of a state.
    fn find_within(&self, scope: StateId, name: &str) -> Result<StateId, String> {
        let states = || self.inside(scope);
        if let Some(found) = states().find(|s| self.state(*s).name == name) {
            return Ok(found);
        }
        let ends = |s: &StateId| {
            let path = self.path(*s);
            path.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        let mut found: Vec<StateId> = states().filter(ends).collect();
        if found.is_empty() {
            found = states().filter(|s| self.is_on_path(name, *s)).collect();
        }
        match found[..] {
            [one] => Ok(one),
            [] => Err(format!("there is no state '{name}'")),
            [first, second, ..] => {
                let (first, second) = (self.path(first), self.path(second));
                Err(format!("there are several states '{name}', as {first} and {second}"))
            }
        }
    }
}

impl Chart {
    /// The name of the event that a state is complete.
    #[must_use]
    pub fn done_event(state: &str) -> String {
        format!("done.state.{state}")
    }

    /// The event that a state is complete, if a transition waits for it.
    #[must_use]
    pub fn completion(&self, state: StateId) -> Option<EventId> {
        self.find_event(&Chart::done_event(&self.state(state).name))
    }

    /// A transition in words: `Red -> Green on tick`.
    #[must_use]
    pub fn transition_text(&self, id: TransitionId) -> String {
        let t = self.transition(id);
        let mut text = self.state(t.source).name.clone();
        if !t.targets.is_empty() {
            let targets: Vec<&str> = t.targets.iter().map(|s| self.state(*s).name.as_str()).collect();
            text = format!("{text} -> {}", targets.join(", "));
        }
        match &t.trigger {
            Some(trigger) if trigger.text.starts_with("after ") => format!("{text} {}", trigger.text),
            Some(trigger) => format!("{text} on {}", trigger.text),
            None => format!("{text} always"),
        }
    }

    /// The variables that are declared: no parameters, and no clocks.
    pub fn data(&self) -> impl Iterator<Item = VarId> {
        let parameter = |v: &VarId| self.events.iter().any(|e| e.parameters.contains(v));
        let clock = |v: &VarId| self.clocks.iter().any(|(_, clock)| clock == v);
        (0..self.variables.len()).map(VarId::new).filter(move |v| !parameter(v) && !clock(v))
    }

    /// Does an action set a clock? It is not written in the text.
    #[must_use]
    pub fn is_clock_action(&self, action: &Action) -> bool {
        matches!(action, Action::Assign(v, ..) if self.clocks.iter().any(|(_, clock)| clock == v))
    }

    /// The names of the properties that the text states.
    #[must_use]
    pub fn property_names(&self) -> Vec<String> {
        self.properties.iter().map(|p| p.name.clone()).collect()
    }
}

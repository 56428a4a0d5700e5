//! Sets of states, and which sets are entered and left (SCXML, Appendix D).

use std::collections::{BTreeMap, BTreeSet};

use super::{Chart, StateId, StateKind, Transition};

/// A set of states, in document order.
pub type States = BTreeSet<StateId>;

/// For each history the states that it recorded.
pub type History = BTreeMap<StateId, Vec<StateId>>;

/// The states that a microstep enters.
#[derive(Clone, Debug, Default)]
pub struct Entered {
    /// The states.
    pub states: States,
    /// Those of them whose initial actions are executed.
    pub by_default: States,
    /// The histories without a record whose default transition is taken, by the state that contains them.
    pub defaults: BTreeMap<StateId, StateId>,
}

impl Chart {
    /// The states that targets stand for: a history is replaced by what it recorded, or by its default.
    #[must_use]
    pub fn effective_targets(&self, targets: &[StateId], history: &History) -> States {
        let mut all = States::new();
        for target in targets {
            match self.state(*target).kind {
                StateKind::History { .. } => match history.get(target) {
                    Some(recorded) => all.extend(recorded),
                    None => all.extend(self.effective_targets(&self.state(*target).initial.targets, history)),
                },
                _ => {
                    all.insert(*target);
                }
            }
        }
        all
    }

    /// The innermost composite state that contains the source and all targets, whose active substates a transition
    /// leaves; `None` if the transition has no targets.
    #[must_use]
    pub fn domain(&self, t: &Transition, history: &History) -> Option<StateId> {
        let targets = self.effective_targets(&t.targets, history);
        if targets.is_empty() {
            return None;
        }
        let contains = |s: StateId| targets.iter().all(|target| self.is_inside(*target, s));
        if t.internal && self.state(t.source).kind == StateKind::Composite && contains(t.source) {
            return Some(t.source);
        }
        let composite = |s: &StateId| self.state(*s).kind == StateKind::Composite;
        self.around(t.source).filter(composite).find(|s| contains(*s))
    }

    /// Adds the states that are entered for these targets inside of a domain.
    pub fn enter(&self, targets: &[StateId], domain: StateId, history: &History, entered: &mut Entered) {
        for target in targets {
            self.enter_inside(*target, history, entered);
        }
        for target in self.effective_targets(targets, history) {
            self.enter_around(target, domain, history, entered);
        }
    }

    /// `addDescendantStatesToEnter`: a state with what is inside of it by default.
    fn enter_inside(&self, state: StateId, history: &History, entered: &mut Entered) {
        match self.state(state).kind {
            StateKind::History { .. } => {
                let parent = self.state(state).parent.expect("a history is inside of a state");
                let targets = match history.get(&state) {
                    Some(recorded) => recorded,
                    None => {
                        entered.defaults.insert(parent, state);
                        &self.state(state).initial.targets
                    }
                };
                targets.iter().for_each(|s| self.enter_inside(*s, history, entered));
                targets.iter().for_each(|s| self.enter_around(*s, parent, history, entered));
            }
            StateKind::Composite => {
                entered.states.insert(state);
                entered.by_default.insert(state);
                let targets = &self.state(state).initial.targets;
                targets.iter().for_each(|s| self.enter_inside(*s, history, entered));
                targets.iter().for_each(|s| self.enter_around(*s, state, history, entered));
            }
            StateKind::Parallel => {
                entered.states.insert(state);
                self.enter_regions(state, history, entered);
            }
            StateKind::Atomic | StateKind::Final => {
                entered.states.insert(state);
            }
        }
    }

    /// `addAncestorStatesToEnter`: the states between a state and the domain, with their other regions.
    fn enter_around(&self, state: StateId, domain: StateId, history: &History, entered: &mut Entered) {
        for around in self.around(state).take_while(|s| *s != domain) {
            entered.states.insert(around);
            if self.state(around).kind == StateKind::Parallel {
                self.enter_regions(around, history, entered);
            }
        }
    }

    /// The regions of a state that nothing has been entered in.
    fn enter_regions(&self, state: StateId, history: &History, entered: &mut Entered) {
        for region in self.substates(state) {
            if !entered.states.iter().any(|s| self.is_inside(*s, region)) {
                self.enter_inside(region, history, entered);
            }
        }
    }

    /// Is a state complete: a final state in it is active, or all of its regions are complete?
    #[must_use]
    pub fn is_complete(&self, state: StateId, active: &States) -> bool {
        match self.state(state).kind {
            StateKind::Composite => {
                let last = |s: StateId| self.state(s).kind == StateKind::Final && active.contains(&s);
                self.substates(state).any(last)
            }
            StateKind::Parallel => self.substates(state).all(|s| self.is_complete(s, active)),
            _ => false,
        }
    }
}

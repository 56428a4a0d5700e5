//! What parts of a microstep read and write, and so which ones can be executed in another order.

use std::collections::BTreeSet;

use super::Lowering;
use crate::chart::{Action, StateId, StateKind, TransitionId};
use crate::expr::{Expr, VarId};

/// What is read and written: variables, activities of states, and the queue.
#[derive(Clone, Default)]
pub(super) struct Effect {
    reads: BTreeSet<VarId>,
    writes: BTreeSet<VarId>,
}

/// The queue.
const QUEUE: VarId = VarId(u32::MAX);

impl Effect {
    fn expression(&mut self, e: &Expr) {
        self.reads.extend(e.variables());
    }

    fn actions(&mut self, all: &[Action]) {
        for action in all {
            match action {
                Action::Assign(v, e, _) => {
                    self.expression(e);
                    self.writes.insert(*v);
                }
                Action::Raise(..) => {
                    self.writes.insert(QUEUE);
                }
                Action::Send(..) => {}
                Action::If(branches, otherwise) => {
                    for (condition, body) in branches {
                        self.expression(condition);
                        self.actions(body);
                    }
                    self.actions(otherwise);
                }
            }
        }
    }

    /// Does it not matter which of the two comes first?
    fn commutes(&self, other: &Effect) -> bool {
        self.writes.is_disjoint(&other.writes)
            && self.writes.is_disjoint(&other.reads)
            && self.reads.is_disjoint(&other.writes)
    }
}

/// The parts of a transition.
pub(super) struct Effects {
    guard: Effect,
    exit: Effect,
    content: Effect,
    entry: Effect,
}

impl Effects {
    /// May a transition be selected and executed as a whole, before another one is selected? All of what is left, the
    /// actions, and all of what is entered follow each other in a microstep.
    pub(super) fn precedes(&self, later: &Effects) -> bool {
        let own = [&self.exit, &self.content, &self.entry];
        own.into_iter().all(|part| part.commutes(&later.guard) && part.commutes(&later.exit))
            && self.entry.commutes(&later.content)
    }
}

impl Lowering<'_> {
    /// The parts of a transition with this domain.
    pub(super) fn effects(&self, t: TransitionId, domain: Option<StateId>) -> Effects {
        let chart = self.chart;
        let [mut guard, mut exit, mut content, mut entry] = [(); 4].map(|()| Effect::default());
        let t = chart.transition(t);
        guard.reads.insert(chart.active(t.source));
        t.condition.iter().for_each(|e| guard.expression(e));
        content.actions(&t.actions);
        for s in domain.into_iter().flat_map(|d| chart.inside(d)) {
            let state = chart.state(s);
            exit.actions(&state.exit);
            entry.actions(&state.entry);
            exit.writes.insert(chart.active(s));
            entry.writes.insert(chart.active(s));
            if state.kind == StateKind::Final && self.raises_completion(s) {
                entry.writes.insert(QUEUE);
                // Whether a state with regions is complete depends on its other regions.
                if let Some(around) = chart.around(s).nth(1) {
                    entry.reads.extend(chart.inside(around).map(|s| chart.active(s)));
                }
            }
        }
        let begun = domain.into_iter().flat_map(|d| std::iter::once(d).chain(chart.inside(d)));
        begun.for_each(|s| entry.actions(&chart.state(s).initial.actions));
        Effects { guard, exit, content, entry }
    }

    /// Does a transition wait for the completion of a state around this final state?
    fn raises_completion(&self, last: StateId) -> bool {
        self.chart.around(last).take(2).any(|s| self.chart.completion(s).is_some())
    }
}

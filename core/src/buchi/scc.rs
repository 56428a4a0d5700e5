//! Strongly connected components (Tarjan, "Depth-first search and linear graph algorithms", 1972), and what they imply
//! for an automaton: the useful states, and the strength of its acceptance.

use std::fmt;

use crate::buchi::automaton::{Automaton, Marks, StateId, Transition};
use crate::buchi::guard::Guard;

/// The components of a graph with numbered vertices, in reverse topological order: a component is numbered after all
/// its successors.
#[derive(Clone, Debug)]
pub(crate) struct Components {
    /// The component of each reachable vertex.
    pub(crate) of: Vec<Option<usize>>,
    /// The number of components.
    pub(crate) count: usize,
}

/// The components that are reachable from `roots`.
pub(crate) fn components(
    vertices: usize,
    roots: impl Iterator<Item = usize>,
    successors: &dyn Fn(usize) -> Vec<usize>,
) -> Components {
    let mut found = Components { of: vec![None; vertices], count: 0 };
    let mut index: Vec<Option<usize>> = vec![None; vertices];
    let mut low = vec![0; vertices];
    let (mut next, mut open) = (0, Vec::new());
    for root in roots {
        if index[root].is_some() {
            continue;
        }
        let mut stack = vec![(root, successors(root), 0)];
        (index[root], low[root]) = (Some(next), next);
        next += 1;
        open.push(root);
        while let Some((v, out, at)) = stack.last_mut() {
            let v = *v;
            if let Some(&w) = out.get(*at) {
                *at += 1;
                match index[w] {
                    None => {
                        (index[w], low[w]) = (Some(next), next);
                        next += 1;
                        open.push(w);
                        stack.push((w, successors(w), 0));
                    }
                    Some(i) if found.of[w].is_none() => low[v] = low[v].min(i),
                    Some(_) => {}
                }
                continue;
            }
            stack.pop();
            if let Some((parent, ..)) = stack.last() {
                low[*parent] = low[*parent].min(low[v]);
            }
            if Some(low[v]) == index[v] {
                while let Some(w) = open.pop() {
                    found.of[w] = Some(found.count);
                    if w == v {
                        break;
                    }
                }
                found.count += 1;
            }
        }
    }
    found
}

/// The components of an automaton, with their acceptance.
pub(crate) struct Structure {
    pub(crate) components: Components,
    /// By component: the marks of its transitions, if it has any.
    pub(crate) marks: Vec<Option<Marks>>,
    /// By component: is there a cycle with all marks?
    pub(crate) accepting: Vec<bool>,
    /// By component: is an accepting one reachable?
    pub(crate) useful: Vec<bool>,
}

impl Automaton {
    pub(crate) fn structure(&self) -> Structure {
        let successors = |v: usize| self.states[v].iter().map(|t| t.target.index()).collect();
        let components = components(self.states.len(), std::iter::once(self.initial.index()), &successors);
        let mut marks: Vec<Option<Marks>> = vec![None; components.count];
        let reached = || components.of.iter().enumerate().filter_map(|(v, c)| Some((v, (*c)?)));
        for (v, c) in reached() {
            for t in self.states[v].iter().filter(|t| components.of[t.target.index()] == Some(c)) {
                marks[c] = Some(marks[c].unwrap_or_default().union(t.marks));
            }
        }
        let accepting: Vec<bool> = marks.iter().map(|m| *m == Some(Marks::all(self.marks))).collect();
        let mut useful = accepting.clone();
        // Components are numbered in reverse topological order.
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); components.count];
        reached().for_each(|(v, c)| members[c].push(v));
        for c in 0..components.count {
            let leads = |v: &usize| {
                self.states[*v].iter().any(|t| components.of[t.target.index()].is_some_and(|d| useful[d]))
            };
            useful[c] = useful[c] || members[c].iter().any(leads);
        }
        Structure { components, marks, accepting, useful }
    }

    /// Is the language empty?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let structure = self.structure();
        !structure.accepting.contains(&true)
    }

    /// Removes states with an empty language, and marks outside of accepting components. If the language is empty, the
    /// initial state remains, without transitions. Acceptance by states is preserved.
    #[must_use]
    pub fn cleaned(mut self) -> Automaton {
        let plain = self.is_plain();
        let structure = self.structure();
        let of = |q: StateId| structure.components.of[q.index()];
        for (v, out) in self.states.iter_mut().enumerate() {
            let here = structure.components.of[v];
            let accepting = here.is_some_and(|c| structure.accepting[c]);
            out.retain(|t| of(t.target).is_some_and(|c| structure.useful[c]));
            for t in out.iter_mut() {
                if !accepting || !plain && of(t.target) != here {
                    t.marks = Marks::default();
                }
            }
        }
        self.join_transitions();
        self.renumbered()
    }
}

impl Structure {
    /// The component of a reachable state.
    pub(crate) fn component(&self, q: StateId) -> Option<usize> {
        self.components.of[q.index()]
    }

    /// Is the state in an accepting component?
    pub(crate) fn is_accepting(&self, q: StateId) -> bool {
        self.component(q).is_some_and(|c| self.accepting[c])
    }
}

/// The strength of an automaton; each kind is included in the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// Safety: every run is accepting; a word is rejected only if all runs get stuck.
    Safety,
    /// Terminal: after an accepting cycle is entered, every continuation is accepted.
    Terminal,
    /// Weak: in each component all cycles are accepting, or none.
    Weak,
    /// General.
    Strong,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Shape::Safety => "safety",
            Shape::Terminal => "terminal",
            Shape::Weak => "weak",
            Shape::Strong => "strong",
        })
    }
}

impl Automaton {
    /// The strength of the automaton.
    pub fn shape(&mut self) -> Shape {
        let structure = self.structure();
        let within = |v: usize, c: usize| -> Vec<Transition> {
            let inside = |t: &&Transition| structure.components.of[t.target.index()] == Some(c);
            self.states[v].iter().filter(inside).copied().collect()
        };
        let of: Vec<(usize, usize)> =
            structure.components.of.iter().enumerate().filter_map(|(v, c)| Some((v, (*c)?))).collect();
        let weak = (0..structure.components.count)
            .filter(|c| structure.accepting[*c])
            .all(|c| (0..self.marks).all(|mark| !self.has_cycle_without(mark, c, &of, &within)));
        if !weak {
            return Shape::Strong;
        }
        let cyclic = |c: usize| structure.marks[c].is_some();
        if (0..structure.components.count).all(|c| structure.accepting[c] || !cyclic(c)) {
            return Shape::Safety;
        }
        let guards = &mut self.guards;
        let complete = of.iter().filter(|(_, c)| structure.accepting[*c]).all(|(v, c)| {
            let inside =
                self.states[*v].iter().filter(|t| structure.components.of[t.target.index()] == Some(*c));
            inside.fold(Guard::FALSE, |all, t| guards.or(all, t.guard)) == Guard::TRUE
        });
        if complete { Shape::Terminal } else { Shape::Weak }
    }

    /// Is there a cycle in the component without the mark?
    fn has_cycle_without(
        &self,
        mark: u32,
        component: usize,
        of: &[(usize, usize)],
        within: &dyn Fn(usize, usize) -> Vec<Transition>,
    ) -> bool {
        let without = |v: usize| -> Vec<usize> {
            let all = within(v, component).into_iter();
            all.filter(|t| !t.marks.has(mark)).map(|t| t.target.index()).collect()
        };
        let members: Vec<usize> = of.iter().filter(|(_, c)| *c == component).map(|(v, _)| *v).collect();
        let inner = components(self.states.len(), members.iter().copied(), &without);
        members.iter().any(|v| without(*v).iter().any(|w| inner.of[*w] == inner.of[*v]))
    }
}

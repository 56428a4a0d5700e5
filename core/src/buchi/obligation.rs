//! Small deterministic automata for obligations: Boolean combinations of safety and guarantee (Dax, Eisinger and
//! Klaedtke, "Mechanizing the Powerset Construction for Restricted Classes of ω-Automata", 2007).
//!
//! The subset construction for an automaton of an obligation gives a deterministic automaton. One of its components is
//! accepting if the word of some cycle is accepted from there. With components numbered by levels, it is minimized like
//! an automaton on finite words (Löding, "Efficient minimization of deterministic weak ω-automata", 2001).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::buchi::automaton::{Automaton, Marks, StateId, Transition};
use crate::buchi::emptiness::{Explored, shortest};
use crate::buchi::guard::{Guard, Guards};
use crate::buchi::scc::Components;
use crate::ltl::Word;

/// The limit on subsets for each state of the automaton.
const SUBSETS: usize = 64;
/// The limit on atoms.
const ATOMS: usize = 12;
/// The limit on classes of letters for one subset.
const LETTERS: usize = 1_000;

/// The deterministic automaton of subsets; 0 is the initial one, and the empty subset accepts nothing.
struct Subsets {
    sets: Vec<BTreeSet<StateId>>,
    out: Vec<Vec<(Guard, usize)>>,
}

impl Automaton {
    /// The minimal deterministic weak automaton with accepting states: each component is accepting or rejecting as a
    /// whole. It is equivalent if the language is an obligation. `None` if the size limit is exceeded.
    #[must_use]
    pub fn as_obligation(&self) -> Option<Automaton> {
        if self.atoms.len() > ATOMS {
            return None;
        }
        let mut guards = self.guards.clone();
        let subsets = Subsets::of(self, &mut guards)?;
        let targets = subsets.out.iter().map(|out| out.iter().map(|(_, w)| *w).collect());
        let graph = Explored::of(targets.collect());
        let parts = graph.components(0);
        // The manager has the guards of the automaton and those of the subsets.
        let known = Automaton { guards: guards.clone(), ..self.clone() };
        let accepting: Vec<Option<bool>> =
            (0..parts.count).map(|c| subsets.accepts_cycle(&known, &graph, &parts, c)).collect();
        let levels = levels(&subsets, &parts, &accepting);
        Some(minimal(self, guards, &subsets, &levels).cleaned())
    }
}

impl Subsets {
    fn of(automaton: &Automaton, guards: &mut Guards) -> Option<Subsets> {
        let start = BTreeSet::from([automaton.initial]);
        let mut number = HashMap::from([(start.clone(), 0)]);
        let mut subsets = Subsets { sets: vec![start], out: Vec::new() };
        while subsets.out.len() < subsets.sets.len() {
            let set = subsets.sets[subsets.out.len()].clone();
            // Classes of letters, with the targets under each.
            let mut parts: Vec<(Guard, BTreeSet<StateId>)> = vec![(Guard::TRUE, BTreeSet::new())];
            for t in set.iter().flat_map(|q| automaton.out(*q)) {
                let mut next = Vec::with_capacity(parts.len() + 1);
                for (guard, targets) in parts {
                    let (taken, not) = (guards.and(guard, t.guard), guards.minus(guard, t.guard));
                    if not != Guard::FALSE {
                        next.push((not, targets.clone()));
                    }
                    if taken != Guard::FALSE {
                        next.push((taken, targets.into_iter().chain([t.target]).collect()));
                    }
                }
                parts = next;
                if parts.len() > LETTERS {
                    return None;
                }
            }
            let mut joined: BTreeMap<BTreeSet<StateId>, Guard> = BTreeMap::new();
            for (guard, targets) in parts {
                let before = joined.entry(targets).or_insert(Guard::FALSE);
                *before = guards.or(*before, guard);
            }
            let mut out = Vec::with_capacity(joined.len());
            for (targets, guard) in joined {
                let next = subsets.sets.len();
                let target = *number.entry(targets.clone()).or_insert(next);
                if target == next {
                    subsets.sets.push(targets);
                }
                out.push((guard, target));
            }
            subsets.out.push(out);
            if subsets.sets.len() > SUBSETS * (automaton.states.len() + 1) {
                return None;
            }
        }
        Some(subsets)
    }

    /// Is the word of some cycle of the component accepted? `None` if the component has no cycle.
    fn accepts_cycle(
        &self,
        automaton: &Automaton,
        graph: &Explored,
        parts: &Components,
        component: usize,
    ) -> Option<bool> {
        let start = (0..self.sets.len()).find(|v| parts.of[*v] == Some(component))?;
        let inside = |v: usize, i: usize| parts.of[self.out[v][i].1] == Some(component);
        let (way, _) = shortest(graph, start, &inside, &|v| v == start, true)?;
        let letter = |(v, i): (usize, usize)| automaton.letter(self.out[v][i].0);
        let word = Word { stem: Vec::new(), cycle: way.into_iter().map(letter).collect() };
        Some(self.sets[start].iter().any(|q| automaton.accepts_from(*q, &word)))
    }
}

/// A level for each component: the least number that is at least the levels of all reachable components, even for
/// accepting components and odd for rejecting ones. Components without a cycle have no parity.
fn levels(subsets: &Subsets, parts: &Components, accepting: &[Option<bool>]) -> Vec<usize> {
    let mut levels: Vec<usize> = vec![0; parts.count];
    // Components are numbered in reverse topological order.
    for c in 0..parts.count {
        let members = (0..subsets.sets.len()).filter(|v| parts.of[*v] == Some(c));
        let reached =
            members.flat_map(|v| &subsets.out[v]).filter_map(|(_, w)| parts.of[*w]).filter(|d| *d != c);
        let least = reached.map(|d| levels[d]).max();
        levels[c] = match (accepting[c], least) {
            (None, least) => least.unwrap_or(0),
            (Some(accepting), least) => {
                let least = least.unwrap_or(0);
                least + usize::from((least % 2 == 0) != accepting)
            }
        };
    }
    (0..subsets.sets.len()).map(|v| levels[parts.of[v].expect("it is reached")]).collect()
}

/// Merges subsets with the same acceptance and equivalent successors (Moore's algorithm).
fn minimal(automaton: &Automaton, mut guards: Guards, subsets: &Subsets, levels: &[usize]) -> Automaton {
    let n = subsets.sets.len();
    let mut class: Vec<usize> = levels.iter().map(|l| l % 2).collect();
    let mut count = 0;
    let mut signatures: Vec<BTreeMap<usize, Guard>> = Vec::new();
    loop {
        signatures.clear();
        let mut number: BTreeMap<(usize, Vec<(usize, Guard)>), usize> = BTreeMap::new();
        let mut next = Vec::with_capacity(n);
        for v in 0..n {
            let mut signature: BTreeMap<usize, Guard> = BTreeMap::new();
            for (guard, w) in &subsets.out[v] {
                let before = signature.entry(class[*w]).or_insert(Guard::FALSE);
                *before = guards.or(*before, *guard);
            }
            let key = (class[v], signature.clone().into_iter().collect());
            let fresh = number.len();
            next.push(*number.entry(key).or_insert(fresh));
            signatures.push(signature);
        }
        let stable = number.len() == count;
        count = number.len();
        if stable {
            break;
        }
        class = next;
    }
    let mut states: Vec<Vec<Transition>> = vec![Vec::new(); count];
    for v in 0..n {
        let out = &mut states[class[v]];
        if out.is_empty() {
            let marks = if levels[v].is_multiple_of(2) { Marks::all(1) } else { Marks::default() };
            let all = signatures[v].iter();
            out.extend(all.map(|(c, guard)| Transition { guard: *guard, marks, target: StateId::new(*c) }));
        }
    }
    Automaton { atoms: automaton.atoms.clone(), guards, marks: 1, initial: StateId::new(class[0]), states }
}

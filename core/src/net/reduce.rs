//! Structural reductions: smaller nets in which the same question has the same answer (Murata 1989, section V.C;
//! Bønneland, Dyhr, Jensen, Johannsen and Srba, "Stubborn versus structural reductions for Petri nets", 2019, whose
//! letters name the rules).
//!
//! ```text
//! for a condition: leave out the transitions that cannot contribute to it (I)
//! until no rule applies
//!   a transition moves tokens from one place to another one only → fuse the places (A)
//!   a place lies between transitions that fire together → fuse the transitions (B)
//!   two places have the same arcs → leave one out (C)
//!   two transitions have the same arcs → leave one out (D)
//!   a transition lacks tokens that nothing provides → leave it out (E)
//!   a place never disables a transition → leave it out (F)
//!   a transition changes nothing → leave it out (G)
//! ```
//!
//! For a formula of branching time, only rules C to F apply: they keep the reachability graph, without places that do
//! not matter.
//!
//! Places keep their numbers; those that are left out have no arcs. Each transition of the reduced net stands for a
//! sequence of transitions of the net, so that a run of the reduced net is one of the net.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Net, PlaceArc, PlaceId, Transition, TransitionId};
use crate::diagnostic::Span;

/// One application of a rule. Places have their numbers; transitions those of the net, and then, in the order in which
/// they arise, those that are fused by rule B.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// A: the transition only moves tokens from this place to another one.
    SequentialTransition(u32, u32),
    /// B: each transition that adds to this place is fused with each that takes from it.
    SequentialPlace(u32),
    /// C: the first place has the same arcs as the second one, and at least as many tokens.
    ParallelPlace(u32, u32),
    /// D: the first transition has the same arcs as the second one.
    ParallelTransition(u32, u32),
    /// E: the transition lacks tokens of the place, which never has more.
    DeadTransition(u32, u32),
    /// F: the place always has enough tokens, or none are needed.
    RedundantPlace(u32),
    /// G: the transition changes nothing.
    RedundantTransition(u32),
    /// I: the transitions cannot contribute to the condition.
    IrrelevantTransitions(Vec<u32>),
}

/// A reduced net.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The net.
    pub net: Net,
    /// By transition of it, the transitions of the original net that are fired instead.
    pub sequences: Vec<Vec<TransitionId>>,
    /// What is fired at the beginning.
    pub begin: Vec<TransitionId>,
    /// The rules that were applied, in order.
    pub rules: Vec<Rule>,
}

impl Rule {
    /// Its letter.
    #[must_use]
    pub fn letter(&self) -> char {
        match self {
            Rule::SequentialTransition(..) => 'A',
            Rule::SequentialPlace(_) => 'B',
            Rule::ParallelPlace(..) => 'C',
            Rule::ParallelTransition(..) => 'D',
            Rule::DeadTransition(..) => 'E',
            Rule::RedundantPlace(_) => 'F',
            Rule::RedundantTransition(_) => 'G',
            Rule::IrrelevantTransitions(_) => 'I',
        }
    }
}

impl Reduced {
    /// The run of the original net for one of the reduced net.
    #[must_use]
    pub fn lifted(&self, run: &[TransitionId]) -> Vec<TransitionId> {
        let fired = run.iter().flat_map(|t| &self.sequences[t.index()]);
        self.begin.iter().chain(fired).copied().collect()
    }

    /// The places with arcs.
    #[must_use]
    pub fn places(&self) -> BTreeSet<PlaceId> {
        let arcs = |t: &Transition| {
            t.inputs.iter().chain(&t.outputs).chain(&t.inhibitors).map(|arc| arc.place).collect::<Vec<_>>()
        };
        self.net.transitions.iter().flat_map(arcs).collect()
    }
}

type Weights = BTreeMap<u32, u32>;

/// A transition in progress.
#[derive(Clone, Debug, Default)]
struct Move {
    inputs: Weights,
    outputs: Weights,
    inhibitors: Weights,
    sequence: Vec<TransitionId>,
    is_gone: bool,
}

/// A place in progress, with the transitions at it.
#[derive(Clone, Debug, Default)]
struct At {
    tokens: u32,
    needing: BTreeSet<u32>,
    adding: BTreeSet<u32>,
    inhibited: BTreeSet<u32>,
    is_asked: bool,
}

/// Reductions in progress.
#[derive(Clone, Debug)]
pub struct Reducer {
    goal: Goal,
    moves: Vec<Move>,
    places: Vec<At>,
    begin: Vec<TransitionId>,
    rules: Vec<Rule>,
}

/// The greatest number of transitions that rule B fuses at a place, and the greatest length of a sequence.
const FUSED: usize = 6;
const LONGEST: usize = 1_000;
/// The greatest number of firings at the beginning, but for those of the last rule.
const BEGIN: usize = 100_000;

/// What is searched for in the net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// A marking that satisfies a condition on these places.
    Condition(Vec<PlaceId>),
    /// A dead marking.
    Dead,
    /// The truth of a formula of branching time whose conditions are on these places.
    Formula(Vec<PlaceId>),
}

/// Reduces a net.
#[must_use]
pub fn reduced(net: &Net, goal: &Goal) -> Reduced {
    let mut reducer = Reducer::new(net, goal);
    while reducer.pass() {}
    reducer.finish(net)
}

fn weights(arcs: &[PlaceArc]) -> Weights {
    arcs.iter().map(|arc| (arc.place.0, arc.weight)).collect()
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("nets are limited")
}

impl Reducer {
    /// The net before the first pass.
    #[must_use]
    pub fn new(net: &Net, goal: &Goal) -> Reducer {
        let asked: BTreeSet<&PlaceId> = match goal {
            Goal::Condition(asked) | Goal::Formula(asked) => asked.iter().collect(),
            Goal::Dead => BTreeSet::new(),
        };
        let at =
            |p: PlaceId| At { tokens: net.place(p).tokens, is_asked: asked.contains(&p), ..At::default() };
        let mut reducer = Reducer {
            goal: goal.clone(),
            moves: Vec::new(),
            places: net.place_ids().map(at).collect(),
            begin: Vec::new(),
            rules: Vec::new(),
        };
        for t in net.transition_ids() {
            let Transition { inputs, outputs, inhibitors, .. } = net.transition(t);
            reducer.add(Move {
                inputs: weights(inputs),
                outputs: weights(outputs),
                inhibitors: weights(inhibitors),
                sequence: vec![t],
                is_gone: false,
            });
        }
        if matches!(goal, Goal::Condition(_)) {
            reducer.remove_irrelevant_transitions();
        }
        reducer
    }

    fn add(&mut self, of: Move) {
        let t = number(self.moves.len());
        for p in of.inputs.keys() {
            self.places[*p as usize].needing.insert(t);
        }
        for p in of.outputs.keys() {
            self.places[*p as usize].adding.insert(t);
        }
        for p in of.inhibitors.keys() {
            self.places[*p as usize].inhibited.insert(t);
        }
        self.moves.push(of);
    }

    fn remove(&mut self, t: u32) {
        let of = &mut self.moves[t as usize];
        of.is_gone = true;
        for p in of.inputs.keys() {
            self.places[*p as usize].needing.remove(&t);
        }
        for p in of.outputs.keys() {
            self.places[*p as usize].adding.remove(&t);
        }
        for p in of.inhibitors.keys() {
            self.places[*p as usize].inhibited.remove(&t);
        }
    }

    /// Removes the arcs of a place.
    fn empty(&mut self, p: u32) {
        let at = std::mem::take(&mut self.places[p as usize]);
        for t in at.needing.iter() {
            self.moves[*t as usize].inputs.remove(&p);
        }
        for t in at.adding.iter() {
            self.moves[*t as usize].outputs.remove(&p);
        }
        for t in at.inhibited.iter() {
            self.moves[*t as usize].inhibitors.remove(&p);
        }
    }

    /// The change of a place by a transition.
    fn change(&self, t: u32, p: u32) -> i64 {
        let of = &self.moves[t as usize];
        let weight = |of: &Weights| i64::from(of.get(&p).copied().unwrap_or(0));
        weight(&of.outputs) - weight(&of.inputs)
    }

    /// The transitions that change a place.
    fn around(&self, p: u32) -> BTreeSet<u32> {
        let at = &self.places[p as usize];
        at.needing.union(&at.adding).copied().collect()
    }

    /// Rule I: only transitions that change an asked place, or that provide what such transitions need, contribute.
    fn remove_irrelevant_transitions(&mut self) {
        let mut relevant: BTreeSet<u32> = BTreeSet::new();
        let mut open: Vec<u32> = Vec::new();
        for p in (0..self.places.len()).map(number).filter(|p| self.places[*p as usize].is_asked) {
            open.extend(self.around(p).into_iter().filter(|t| self.change(*t, p) != 0));
        }
        while let Some(t) = open.pop() {
            if !relevant.insert(t) {
                continue;
            }
            for p in self.moves[t as usize].inputs.keys() {
                let adding = &self.places[*p as usize].adding;
                open.extend(adding.iter().filter(|other| self.change(**other, *p) > 0));
            }
            for p in self.moves[t as usize].inhibitors.keys() {
                let needing = &self.places[*p as usize].needing;
                open.extend(needing.iter().filter(|other| self.change(**other, *p) < 0));
            }
        }
        let gone: Vec<u32> = (0..self.moves.len()).map(number).filter(|t| !relevant.contains(t)).collect();
        if !gone.is_empty() {
            gone.iter().for_each(|t| self.remove(*t));
            self.rules.push(Rule::IrrelevantTransitions(gone));
        }
    }

    /// Tries each rule everywhere once; did one apply?
    pub fn pass(&mut self) -> bool {
        let before = self.rules.len();
        let mut open: Vec<u32> = (0..self.moves.len()).map(number).collect();
        while let Some(t) = open.pop() {
            if self.moves[t as usize].is_gone {
                continue;
            }
            if self.remove_dead_transition(t) {
                let outputs: Vec<u32> = self.moves[t as usize].outputs.keys().copied().collect();
                open.extend(outputs.iter().flat_map(|p| &self.places[*p as usize].needing));
            } else if matches!(self.goal, Goal::Condition(_)) {
                self.remove_redundant_transition(t);
            }
        }
        self.remove_parallel_transitions();
        for p in (0..self.places.len()).map(number) {
            let at = &self.places[p as usize];
            if at.is_asked || !at.inhibited.is_empty() || (at.needing.is_empty() && at.adding.is_empty()) {
                continue;
            }
            let is_gone = self.remove_redundant_place(p) || self.remove_parallel_place(p);
            if !is_gone && !matches!(self.goal, Goal::Formula(_)) {
                let _ = self.fuse_sequential_transition(p) || self.fuse_sequential_place(p);
            }
        }
        self.rules.len() > before
    }

    /// Rule E.
    fn remove_dead_transition(&mut self, t: u32) -> bool {
        let lacks = self.moves[t as usize].inputs.iter().find(|(p, weight)| {
            let at = &self.places[**p as usize];
            at.tokens < **weight && at.adding.iter().all(|other| self.change(*other, **p) <= 0)
        });
        let Some((p, _)) = lacks else { return false };
        self.rules.push(Rule::DeadTransition(t, *p));
        self.remove(t);
        true
    }

    /// Rule G.
    fn remove_redundant_transition(&mut self, t: u32) {
        let of = &self.moves[t as usize];
        if of.inputs == of.outputs {
            self.rules.push(Rule::RedundantTransition(t));
            self.remove(t);
        }
    }

    /// Rule D.
    fn remove_parallel_transitions(&mut self) {
        let mut first: BTreeMap<(Weights, Weights, Weights), u32> = BTreeMap::new();
        for t in (0..self.moves.len()).map(number) {
            let of = &self.moves[t as usize];
            if of.is_gone {
                continue;
            }
            let key = (of.inputs.clone(), of.outputs.clone(), of.inhibitors.clone());
            let kept = *first.entry(key).or_insert(t);
            if kept != t {
                self.rules.push(Rule::ParallelTransition(t, kept));
                self.remove(t);
            }
        }
    }

    /// Rule F.
    fn remove_redundant_place(&mut self, p: u32) -> bool {
        let at = &self.places[p as usize];
        let has_enough = at
            .needing
            .iter()
            .all(|t| self.change(*t, p) >= 0 && self.moves[*t as usize].inputs[&p] <= at.tokens);
        if has_enough {
            self.rules.push(Rule::RedundantPlace(p));
            self.empty(p);
        }
        has_enough
    }

    /// Rule C.
    fn remove_parallel_place(&mut self, p: u32) -> bool {
        let at = &self.places[p as usize];
        // The other place has an arc to the same transition.
        let Some(t) = at.needing.first() else { return false };
        let beside = &self.moves[*t as usize].inputs;
        let same = |q: &u32| {
            let other = &self.places[*q as usize];
            let weights = |t: &u32, p: &u32| {
                let of = &self.moves[*t as usize];
                (of.inputs.get(p).copied(), of.outputs.get(p).copied())
            };
            *q != p
                && at.tokens >= other.tokens
                && (&at.needing, &at.adding) == (&other.needing, &other.adding)
                && at.needing.union(&at.adding).all(|t| weights(t, &p) == weights(t, q))
        };
        let Some(q) = beside.keys().copied().find(|q| same(q)) else { return false };
        self.rules.push(Rule::ParallelPlace(p, q));
        self.empty(p);
        true
    }

    /// Rule A.
    fn fuse_sequential_transition(&mut self, p: u32) -> bool {
        let at = &self.places[p as usize];
        let Some(t) = at.needing.first().copied().filter(|_| at.needing.len() == 1) else { return false };
        let of = &self.moves[t as usize];
        let (Some((q, weight)), 1, 1) = (of.outputs.iter().next(), of.outputs.len(), of.inputs.len()) else {
            return false;
        };
        let (q, weight) = (*q, *weight);
        let to = &self.places[q as usize];
        if of.inputs[&p] != 1
            || q == p
            || !of.inhibitors.is_empty()
            || to.is_asked
            || !to.inhibited.is_empty()
        {
            return false;
        }
        let sum = |many: u32, more: u32| many.checked_mul(weight).and_then(|sum| sum.checked_add(more));
        let longest = |length: usize, many: u32| {
            length as u64 + u64::from(many) * of.sequence.len() as u64 <= LONGEST as u64
        };
        let fits = longest(0, at.tokens) && self.begin.len() <= BEGIN;
        let Some(tokens) = sum(at.tokens, to.tokens).filter(|_| fits) else { return false };
        // The arcs that are to be moved, with their weights before and after.
        let mut moved = Vec::new();
        for other in &at.adding {
            let from = &self.moves[*other as usize];
            let many = from.outputs[&p];
            match sum(many, from.outputs.get(&q).copied().unwrap_or(0)) {
                Some(all) if longest(from.sequence.len(), many) => moved.push((*other, many, all)),
                _ => return false,
            }
        }
        let (sequence, many) = (of.sequence.clone(), at.tokens as usize);
        self.begin.extend(sequence.repeat(many));
        self.places[q as usize].tokens = tokens;
        self.remove(t);
        for (other, many, all) in moved {
            let of = &mut self.moves[other as usize];
            of.outputs.remove(&p);
            of.outputs.insert(q, all);
            of.sequence.extend(sequence.repeat(many as usize));
            self.places[q as usize].adding.insert(other);
        }
        self.places[p as usize] = At::default();
        self.rules.push(Rule::SequentialTransition(p, t));
        true
    }

    /// Rule B.
    fn fuse_sequential_place(&mut self, p: u32) -> bool {
        let at = &self.places[p as usize];
        let (before, after) = (&at.adding, &at.needing);
        let Some(weight) = before.first().map(|t| self.moves[*t as usize].outputs[&p]) else { return false };
        let begins = |t: &u32| self.moves[*t as usize].outputs[&p] == weight && !after.contains(t);
        let ends = |t: &u32| {
            let of = &self.moves[*t as usize];
            of.inputs.len() == 1
                && of.inputs[&p] == weight
                && of.inhibitors.is_empty()
                && of.outputs.keys().all(|q| {
                    let to = &self.places[*q as usize];
                    !to.is_asked && to.inhibited.is_empty()
                })
        };
        let many = before.len() * after.len();
        let fits =
            at.tokens == 0 && !after.is_empty() && (many <= FUSED || many < before.len() + after.len());
        if !(fits && before.iter().all(begins) && after.iter().all(ends)) {
            return false;
        }
        let (before, after): (Vec<u32>, Vec<u32>) =
            (before.iter().copied().collect(), after.iter().copied().collect());
        let mut fused = Vec::new();
        for first in &before {
            for second in &after {
                let (first, second) = (&self.moves[*first as usize], &self.moves[*second as usize]);
                let mut one = first.clone();
                one.outputs.remove(&p);
                for (q, more) in &second.outputs {
                    let sum = one.outputs.entry(*q).or_default();
                    match sum.checked_add(*more) {
                        Some(all) => *sum = all,
                        None => return false,
                    }
                }
                one.sequence.extend(&second.sequence);
                if one.sequence.len() > LONGEST {
                    return false;
                }
                fused.push(one);
            }
        }
        before.iter().chain(&after).for_each(|t| self.remove(*t));
        fused.into_iter().for_each(|one| self.add(one));
        self.places[p as usize] = At::default();
        self.rules.push(Rule::SequentialPlace(p));
        true
    }

    /// The reduced net of the original one.
    #[must_use]
    pub fn finish(self, original: &Net) -> Reduced {
        let mut net = original.clone();
        for (place, at) in net.places.iter_mut().zip(&self.places) {
            place.tokens = at.tokens;
        }
        net.transitions.clear();
        let mut sequences = Vec::new();
        let arcs = |of: &Weights| {
            let arc = |(p, weight): (&u32, &u32)| PlaceArc {
                place: PlaceId(*p),
                weight: *weight,
                span: Span::default(),
            };
            of.iter().map(arc).collect::<Vec<_>>()
        };
        for of in self.moves.into_iter().filter(|of| !of.is_gone) {
            let names: Vec<&str> =
                of.sequence.iter().map(|t| original.transition(*t).name.as_str()).collect();
            net.transitions.push(Transition {
                name: names.first().copied().unwrap_or_default().to_owned(),
                label: (names.len() > 1).then(|| names.join("; ")),
                inputs: arcs(&of.inputs),
                outputs: arcs(&of.outputs),
                inhibitors: arcs(&of.inhibitors),
                reads: Vec::new(),
                delay: None,
                span: Span::default(),
            });
            sequences.push(of.sequence);
        }
        Reduced { net, sequences, begin: self.begin, rules: self.rules }
    }
}

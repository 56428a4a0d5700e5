//! Witnesses of formulas of branching time: paths of the reachability graph that show why a marking satisfies a formula
//! or not, with further witnesses along them where the formula is nested (Clarke, Jha, Lu and Veith, "Tree-Like
//! Counterexamples in Model Checking", 2002).
//!
//! A graph that is not complete has a witness if it decides the formula.
//!
//! A formula with the quantifier E that is true, and one with A that is false, have a path. The others are about all
//! paths, and have none.

use std::collections::{HashMap, VecDeque};

use super::branching::{Bound, Branching, FIRST, Set, Shape, always, shapes};
use super::explore::{Explorer, Keep, Stopped};
use super::{Marking, Net, TransitionId};
use crate::ctl::Ctl;
use crate::ltl::Temporal;
use crate::system::System;

/// The number of markings that are expanded in the search of witnesses.
pub const MARKINGS: usize = 200_000;
/// The greatest number of markings that are stored then.
const STORED: usize = 4 * MARKINGS;
/// The greatest number of markings of a witness, those of its parts included.
const LONGEST: usize = 1_000;

/// Why a marking satisfies a formula or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// The formula.
    pub formula: Ctl,
    /// Is it true?
    pub holds: bool,
    /// The marking.
    pub marking: Marking,
    /// A path from the marking: each firing with the marking after it.
    pub path: Vec<(TransitionId, Marking)>,
    /// How the path goes on.
    pub end: End,
    /// Witnesses of operands, each with its position in the path; 0 is the marking itself.
    pub parts: Vec<(usize, Witness)>,
    /// Are more parts left out, because the witness is long?
    pub omits: bool,
}

/// How a path goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// What it shows does not depend on it.
    Open,
    /// It ends in a dead marking.
    Dead,
    /// Its last marking is the one at this position, from where it is repeated for ever.
    Loop(usize),
    /// This number of firings is left out, because the path is long.
    Cut(usize),
}

/// A formula with the markings that satisfy it.
struct Evaluated<'a> {
    formula: &'a Ctl,
    set: Set,
    operands: Vec<Evaluated<'a>>,
}

/// A path, with the numbers of its markings, its end, and what it shows.
struct Path {
    firings: Vec<(TransitionId, usize)>,
    end: End,
    shape: Shape,
}

impl Witness {
    /// The witness of a formula in the initial marking; none if the first markings do not decide the formula, or a
    /// condition has no value.
    #[must_use]
    pub fn of(net: &Net, formula: &Ctl) -> Option<Witness> {
        let mut explorer = Explorer::new(net, &vec![1; net.places.len()], Keep::Graph);
        let mut wanted = FIRST;
        while explorer.expanded() < MARKINGS && !explorer.is_complete() {
            let left = wanted.min(MARKINGS) - explorer.expanded();
            let is_full = match explorer.run(net, STORED, left) {
                Ok(_) => false,
                Err(Stopped::Limit) => true,
                Err(Stopped::Tokens) => return None,
            };
            let graph = Branching::new(&explorer)?;
            for (bound, holds) in [(Bound::Certain, true), (Bound::Possible, false)] {
                let evaluated = graph.evaluated(formula, bound)?;
                if evaluated.set[0] == holds {
                    return Some(graph.witness(&evaluated, 0, &mut { LONGEST }));
                }
            }
            if is_full {
                break;
            }
            wanted *= 2;
        }
        None
    }

    /// Is it about all paths, so that no single one shows it?
    #[must_use]
    pub fn is_about_all(&self) -> bool {
        self.formula.is_temporal() && self.formula.is_existential() != self.holds
    }

    /// The number of markings of all paths.
    #[must_use]
    pub fn markings(&self) -> usize {
        1 + self.path.len() + self.parts.iter().map(|(_, part)| part.markings()).sum::<usize>()
    }

    /// The witness as lines of text, with the depth of each.
    #[must_use]
    pub fn lines(&self, system: &System, net: &Net) -> Vec<(usize, String)> {
        let mut lines = Vec::new();
        self.write(system, net, 0, &mut lines);
        lines
    }

    fn write(&self, system: &System, net: &Net, depth: usize, lines: &mut Vec<(usize, String)>) {
        let about = |m: &Marking| net.marking_text(m);
        let formula = self.formula.text(system);
        let paths = if self.is_about_all() { ", on all paths" } else { "" };
        lines.push((depth, format!("{formula} is {} in {}{paths}", self.holds, about(&self.marking))));
        let mut parts = self.parts.iter().peekable();
        for position in 0..=self.path.len() {
            if let Some((t, after)) = position.checked_sub(1).map(|i| &self.path[i]) {
                lines.push((depth + 1, format!("{} → {}", net.transition(*t).name, about(after))));
            }
            while let Some((_, part)) = parts.next_if(|(at, _)| *at == position) {
                part.write(system, net, depth + 1 + usize::from(position > 0), lines);
            }
        }
        let more = match self.end {
            End::Open => None,
            End::Dead => Some("deadlock".to_owned()),
            End::Loop(0) => Some("repeated for ever from the start".to_owned()),
            End::Loop(at) => Some(format!("repeated for ever from {}", about(&self.path[at - 1].1))),
            End::Cut(firings) => Some(format!("{firings} more firings are not shown")),
        };
        lines.extend(more.map(|more| (depth + 1, more)));
        if self.omits {
            lines.push((depth + 1, "more subformulas are not shown".to_owned()));
        }
    }
}

impl Branching<'_> {
    /// As [`Branching::satisfied`], which does not keep the sets of operands.
    fn evaluated<'f>(&self, formula: &'f Ctl, bound: Bound) -> Option<Evaluated<'f>> {
        let inner = Branching::of_operands(formula, bound);
        let operands = formula.children().iter().map(|operand| self.evaluated(operand, inner));
        let operands: Vec<Evaluated<'f>> = operands.collect::<Option<_>>()?;
        let set = self.combined(formula, operands.iter().map(|operand| &operand.set).collect(), bound)?;
        Some(Evaluated { formula, set, operands })
    }

    /// The witness in a marking, with at most so many markings more than its first one.
    fn witness(&self, of: &Evaluated<'_>, at: usize, left: &mut usize) -> Witness {
        let holds = of.set[at];
        let (mut path, mut end, mut shown) = (Vec::new(), End::Open, Vec::new());
        match of.formula {
            Ctl::Condition(_) => {}
            Ctl::Not(_) => shown.push((0, 0, at)),
            Ctl::And(_) | Ctl::Or(_) => {
                // One operand is enough, or all of them are necessary.
                let is_one = matches!(of.formula, Ctl::Or(_)) == holds;
                let operands = (0..of.operands.len()).filter(|i| of.operands[*i].set[at] == holds);
                shown.extend(operands.take(if is_one { 1 } else { usize::MAX }).map(|i| (0, i, at)));
            }
            Ctl::Unary(_, op, _) | Ctl::Binary(_, op, _) if of.formula.is_existential() == holds => {
                let found = self.path(of, *op, at);
                shown = found.shown(of, at);
                (path, end) = (found.firings, found.end);
                if path.len() > *left {
                    end = End::Cut(path.len() - *left);
                    path.truncate(*left);
                    shown.retain(|(position, ..)| *position <= path.len());
                }
            }
            Ctl::Unary(..) | Ctl::Binary(..) => {}
        }
        *left -= path.len();
        let (mut parts, mut omits) = (Vec::new(), false);
        for (position, operand, marking) in shown {
            omits = *left == 0;
            if omits {
                break;
            }
            *left -= 1;
            parts.push((position, self.witness(&of.operands[operand], marking, left)));
        }
        let path = path.into_iter().map(|(t, m)| (t, self.explorer.marking(m))).collect();
        Witness {
            formula: of.formula.clone(),
            holds,
            marking: self.explorer.marking(at),
            path,
            end,
            parts,
            omits,
        }
    }

    /// The path from a marking that shows why a temporal formula is true there, or false.
    fn path(&self, of: &Evaluated<'_>, op: Temporal, at: usize) -> Path {
        let holds = of.set[at];
        // A formula with A is false if the dual operator is true on a path, of the negated operands.
        let op = if holds { op } else { op.dual() };
        let is = |operand: usize, m: usize| of.operands[operand].set[m] == holds;
        if op == Temporal::Next {
            let firing = self.graph.after(at).iter().find(|f| is(0, f.to as usize)).expect("there is a step");
            let firings = vec![(firing.transition, firing.to as usize)];
            return Path { firings, end: End::Open, shape: Shape { along: None, end: Some(&[0]) } };
        }
        let found = shapes(op).iter().find_map(|shape| {
            let along = |m: usize| shape.along.is_none_or(|operand| is(operand, m));
            let (firings, end) = match shape.end {
                Some(end) => (self.reach(at, along, |m| end.iter().all(|i| is(*i, m)))?, End::Open),
                None => self.forever(at, along)?,
            };
            Some(Path { firings, end, shape: *shape })
        });
        found.expect("the marking is in one of the sets")
    }

    /// A shortest path to a set, before it through another one.
    fn reach(
        &self,
        at: usize,
        along: impl Fn(usize) -> bool,
        to: impl Fn(usize) -> bool,
    ) -> Option<Vec<(TransitionId, usize)>> {
        let mut before: HashMap<usize, (usize, TransitionId)> = HashMap::new();
        let mut queue = VecDeque::from([at]);
        while let Some(marking) = queue.pop_front() {
            if to(marking) {
                let (mut path, mut last) = (Vec::new(), marking);
                while last != at {
                    let (from, t) = before[&last];
                    path.push((t, last));
                    last = from;
                }
                path.reverse();
                return Some(path);
            }
            if !along(marking) {
                continue;
            }
            for firing in self.graph.after(marking) {
                let next = firing.to as usize;
                if next != at && !before.contains_key(&next) {
                    before.insert(next, (marking, firing.transition));
                    queue.push_back(next);
                }
            }
        }
        None
    }

    /// A path within a set to a deadlock or a marking that is on it.
    fn forever(
        &self,
        at: usize,
        within: impl Fn(usize) -> bool,
    ) -> Option<(Vec<(TransitionId, usize)>, End)> {
        let is_expanded = |m: usize| m < self.explorer.expanded();
        let within = (0..self.explorer.len()).map(|m| is_expanded(m) && within(m)).collect();
        let kept = always(self.graph, &self.reversed, within);
        if !kept[at] {
            return None;
        }
        let (mut path, mut marking) = (Vec::new(), at);
        let mut positions: HashMap<usize, usize> = HashMap::from([(at, 0)]);
        while let Some(firing) = self.graph.after(marking).iter().find(|f| kept[f.to as usize]) {
            marking = firing.to as usize;
            path.push((firing.transition, marking));
            if let Some(position) = positions.get(&marking) {
                return Some((path, End::Loop(*position)));
            }
            positions.insert(marking, path.len());
        }
        Some((path, End::Dead))
    }
}

impl Path {
    /// Which operands are shown where: the position, the number of the operand, and the marking there. Conditions
    /// need no witness.
    fn shown(&self, of: &Evaluated<'_>, at: usize) -> Vec<(usize, usize, usize)> {
        let markings: Vec<usize> = std::iter::once(at).chain(self.firings.iter().map(|(_, m)| *m)).collect();
        let last = self.firings.len();
        // The marking that closes a cycle was shown before, and that at the end has operands of its own.
        let along = if self.end == End::Dead { 0..last + 1 } else { 0..last };
        let along = along.flat_map(|position| self.shape.along.map(|operand| (position, operand)));
        let ends = self.shape.end.into_iter().flatten().map(|operand| (last, *operand));
        let is_nested = |operand: usize| !matches!(of.operands[operand].formula, Ctl::Condition(_));
        let shown = along.chain(ends).filter(|(_, operand)| is_nested(*operand));
        shown.map(|(position, operand)| (position, operand, markings[position])).collect()
    }
}

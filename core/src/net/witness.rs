//! Witnesses of formulas of branching time: paths of the reachability graph that show why a marking satisfies a formula
//! or not, with further witnesses along them where the formula is nested (Clarke, Jha, Lu and Veith, "Tree-Like
//! Counterexamples in Model Checking", 2002).
//!
//! A formula with the quantifier E that is true, and one with A that is false, have a path. The others are about all
//! paths, and have none.

use std::collections::{HashMap, VecDeque};

use super::branching::{Formula, Set, always};
use super::condition::Condition;
use super::explore::{Explorer, Keep};
use super::graph::{Graph, Reversed};
use super::{Marking, Net, TransitionId};
use crate::ctl::{Ctl, Quantifier};
use crate::ltl::Temporal;
use crate::system::System;

/// The greatest number of markings of a graph in which witnesses are searched.
pub const MARKINGS: usize = 200_000;
/// The greatest number of parts of a witness.
const PARTS: usize = 60;

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
    /// Witnesses of subformulas, each with its position in the path; 0 is the marking itself.
    pub parts: Vec<(usize, Witness)>,
}

/// How a path goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Anyhow: what it shows does not depend on it.
    Anyhow,
    /// It ends in a dead marking.
    Dead,
    /// Its last marking is the one at this position, from where it is repeated for ever.
    Loop(usize),
}

/// A path through a set.
enum Shape<'a> {
    /// The next marking is in a set.
    Step(&'a Set),
    /// Through the first set to the second one.
    Reach(&'a Set, &'a Set),
    /// Within a set, for ever or to a deadlock.
    Forever(&'a Set),
}

/// A formula with the markings that satisfy it.
struct Evaluated<'a> {
    formula: &'a Ctl,
    set: Set,
    parts: Vec<Evaluated<'a>>,
}

impl Witness {
    /// The witness of a formula in the initial marking; none if the net has too many markings, or a condition has no
    /// value.
    #[must_use]
    pub fn of(net: &Net, formula: &Ctl) -> Option<Witness> {
        let mut explorer = Explorer::new(net, &vec![1; net.places.len()], Keep::Graph);
        explorer.run(net, MARKINGS, MARKINGS + 1).ok().filter(|complete| *complete)?;
        let graph = explorer.graph()?;
        let search = Search { explorer: &explorer, graph, reversed: graph.reversed() };
        let evaluated = search.evaluated(formula)?;
        let mut left = PARTS;
        Some(search.witness(&evaluated, 0, &mut left))
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
        let truth = if self.holds { "true" } else { "false" };
        let formula = self.formula.text(system);
        let by_all = matches!(self.formula, Ctl::Unary(..) | Ctl::Binary(..))
            && self.formula.is_existential() != self.holds;
        let paths = if by_all { ", on all paths" } else { "" };
        lines.push((depth, format!("{formula} is {truth} in {}{paths}", about(&self.marking))));
        let mut parts = self.parts.iter().peekable();
        for position in 0..=self.path.len() {
            if let Some((t, after)) = position.checked_sub(1).map(|i| &self.path[i]) {
                lines.push((depth + 1, format!("{} → {}", net.transition(*t).name, about(after))));
            }
            while let Some((_, part)) = parts.next_if(|(at, _)| *at == position) {
                part.write(system, net, depth + 2, lines);
            }
        }
        match self.end {
            End::Anyhow => {}
            End::Dead => lines.push((depth + 1, "deadlock".to_owned())),
            End::Loop(_) => lines.push((depth + 1, "and so on for ever".to_owned())),
        }
    }
}

/// The graph in which witnesses are searched.
struct Search<'a> {
    explorer: &'a Explorer,
    graph: &'a Graph,
    reversed: Reversed,
}

impl Search<'_> {
    fn evaluated<'f>(&self, formula: &'f Ctl) -> Option<Evaluated<'f>> {
        let holds = |condition: &Condition| {
            let mut set = Vec::with_capacity(self.explorer.len());
            self.explorer.each(|_, tokens| set.push(condition.holds(&tokens)));
            set.into_iter().collect::<Option<Set>>()
        };
        let set = Formula::of(formula).satisfied((self.graph, &self.reversed), &holds)?;
        let parts = formula.children().iter().map(|part| self.evaluated(part)).collect::<Option<_>>()?;
        Some(Evaluated { formula, set, parts })
    }

    fn witness(&self, of: &Evaluated<'_>, at: usize, left: &mut usize) -> Witness {
        *left = left.saturating_sub(1);
        let holds = of.set[at];
        let (path, end) = self.path(of, at);
        let mut parts = Vec::new();
        let mut part = |position: usize, part: &Evaluated<'_>, marking: usize| {
            if *left > 0 {
                parts.push((position, self.witness(part, marking, left)));
            }
        };
        let is_nested = |part: &&Evaluated<'_>| !matches!(part.formula, Ctl::Condition(_));
        match of.formula {
            Ctl::Condition(_) => {}
            Ctl::Not(_) => part(0, &of.parts[0], at),
            Ctl::And(_) | Ctl::Or(_) => {
                // One operand is enough, or all of them are necessary.
                let is_one = matches!(of.formula, Ctl::Or(_)) == holds;
                let shown = of.parts.iter().filter(|part| part.set[at] == holds);
                shown.take(if is_one { 1 } else { usize::MAX }).for_each(|operand| part(0, operand, at));
            }
            Ctl::Unary(..) | Ctl::Binary(..) => {
                // On a path to a marking, the operands are about that one; otherwise about each.
                let first = if end == End::Anyhow { path.len() } else { 0 };
                for (position, marking) in std::iter::once(at).chain(path.iter().map(|(_, m)| *m)).enumerate()
                {
                    if position >= first && (end != End::Anyhow || (of.formula.is_existential() == holds)) {
                        of.parts
                            .iter()
                            .filter(is_nested)
                            .for_each(|operand| part(position, operand, marking));
                    }
                }
            }
        }
        let path = path.into_iter().map(|(t, m)| (t, self.explorer.marking(m))).collect();
        Witness { formula: of.formula.clone(), holds, marking: self.explorer.marking(at), path, end, parts }
    }

    /// The path from a marking that shows why it satisfies a formula or not; empty if there is none.
    fn path(&self, of: &Evaluated<'_>, at: usize) -> (Vec<(TransitionId, usize)>, End) {
        use Quantifier::{All, Some as Exists};
        let not = |set: &Set| -> Set { set.iter().map(|x| !x).collect() };
        let and = |a: &Set, b: &Set| -> Set { a.iter().zip(b).map(|(a, b)| *a && *b).collect() };
        let holds = of.set[at];
        let everywhere: Set = vec![true; of.set.len()];
        match of.formula {
            formula if formula.is_existential() != holds => (Vec::new(), End::Anyhow),
            Ctl::Unary(quantifier, op, _) => {
                let a = if holds { of.parts[0].set.clone() } else { not(&of.parts[0].set) };
                match (op, quantifier) {
                    (Temporal::Next, _) => self.shaped(at, &[Shape::Step(&a)]),
                    (Temporal::Finally, Exists) | (Temporal::Globally, All) => {
                        self.shaped(at, &[Shape::Reach(&everywhere, &a)])
                    }
                    _ => self.shaped(at, &[Shape::Forever(&a)]),
                }
            }
            Ctl::Binary(_, op, _) => {
                let (a, b) = (&of.parts[0].set, &of.parts[1].set);
                let both = and(a, b);
                let (not_a, not_b) = (not(a), not(b));
                let neither = and(&not_a, &not_b);
                let not_both = not(&both);
                let shapes = match (holds, op) {
                    (true, Temporal::Until) => vec![Shape::Reach(a, b)],
                    (true, Temporal::WeakUntil) => vec![Shape::Reach(a, b), Shape::Forever(a)],
                    (true, Temporal::StrongRelease) => vec![Shape::Reach(b, &both)],
                    (true, _) => vec![Shape::Reach(b, &both), Shape::Forever(b)],
                    (false, Temporal::Until) => vec![Shape::Reach(&not_b, &neither), Shape::Forever(&not_b)],
                    (false, Temporal::WeakUntil) => vec![Shape::Reach(&not_b, &neither)],
                    (false, Temporal::StrongRelease) => {
                        vec![Shape::Reach(&not_both, &not_b), Shape::Forever(&not_both)]
                    }
                    (false, _) => vec![Shape::Reach(&not_a, &not_b)],
                };
                self.shaped(at, &shapes)
            }
            _ => (Vec::new(), End::Anyhow),
        }
    }
    /// A path of the first of these shapes that the marking has.
    fn shaped(&self, at: usize, shapes: &[Shape<'_>]) -> (Vec<(TransitionId, usize)>, End) {
        let found = shapes.iter().find_map(|shape| match shape {
            Shape::Step(to) => {
                let firing = self.graph.after(at).iter().find(|f| to[f.to as usize])?;
                Some((vec![(firing.transition, firing.to as usize)], End::Anyhow))
            }
            Shape::Reach(through, to) => self.reach(at, through, to).map(|path| (path, End::Anyhow)),
            Shape::Forever(within) => self.forever(at, within),
        });
        found.unwrap_or((Vec::new(), End::Anyhow))
    }

    /// A shortest path to a set, before it through another one.
    fn reach(&self, at: usize, through: &Set, to: &Set) -> Option<Vec<(TransitionId, usize)>> {
        let mut before: HashMap<usize, (usize, TransitionId)> = HashMap::new();
        let mut queue = VecDeque::from([at]);
        while let Some(marking) = queue.pop_front() {
            if to[marking] {
                let (mut path, mut last) = (Vec::new(), marking);
                while last != at {
                    let (from, t) = before[&last];
                    path.push((t, last));
                    last = from;
                }
                path.reverse();
                return Some(path);
            }
            for firing in self.graph.after(marking).iter().filter(|_| through[marking]) {
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
    fn forever(&self, at: usize, within: &Set) -> Option<(Vec<(TransitionId, usize)>, End)> {
        let kept = always(self.graph, &self.reversed, within.clone());
        let (mut path, mut marking) = (Vec::new(), at);
        let mut positions: HashMap<usize, usize> = HashMap::from([(at, 0)]);
        if !kept[at] {
            return None;
        }
        loop {
            let Some(firing) = self.graph.after(marking).iter().find(|f| kept[f.to as usize]) else {
                return Some((path, End::Dead));
            };
            marking = firing.to as usize;
            if let Some(position) = positions.get(&marking) {
                // The marking that closes the path is the last one of it.
                path.push((firing.transition, marking));
                return Some((path, End::Loop(*position)));
            }
            path.push((firing.transition, marking));
            positions.insert(marking, path.len());
        }
    }
}

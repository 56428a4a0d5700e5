//! Structural reductions of a net, checked one by one: each rule is applied if its condition is true, with code of its
//! own.

use std::collections::{BTreeMap, BTreeSet};

use super::check::{Rejection, reject};
use crate::diagnostic::Span;
use crate::net::reduce::Rule;
use crate::net::{Net, PlaceArc, PlaceId, Transition};

/// What the rules have to preserve.
pub(super) enum Asked {
    /// Whether a marking is reachable that satisfies a condition on these places.
    Condition(BTreeSet<u32>),
    /// Whether a dead marking is reachable.
    Dead,
    /// The truth of formulas of branching time with conditions on these places: the reachability graph.
    Graph(BTreeSet<u32>),
}

/// The weights of the arcs between a transition and a place: taken, added, and of an inhibitor arc.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Arcs {
    takes: u32,
    adds: u32,
    inhibits: u32,
}

impl Arcs {
    fn change(self) -> i64 {
        i64::from(self.adds) - i64::from(self.takes)
    }
}

/// A net whose transitions are rows; rows that are left out are `None`.
struct Rows {
    rows: Vec<Option<BTreeMap<u32, Arcs>>>,
    tokens: Vec<u32>,
    /// By place, the rows in which it occurs, or did.
    at: Vec<BTreeSet<usize>>,
    asked: Asked,
}

/// The net after these rules.
pub(super) fn applied(net: &Net, asked: Asked, rules: &[Rule]) -> Result<Net, Rejection> {
    let mut rows = Rows {
        rows: Vec::new(),
        tokens: net.places.iter().map(|p| p.tokens).collect(),
        at: vec![BTreeSet::new(); net.places.len()],
        asked,
    };
    for t in &net.transitions {
        let mut row: BTreeMap<u32, Arcs> = BTreeMap::new();
        t.inputs.iter().for_each(|a| row.entry(a.place.0).or_default().takes = a.weight);
        t.outputs.iter().for_each(|a| row.entry(a.place.0).or_default().adds = a.weight);
        t.inhibitors.iter().for_each(|a| row.entry(a.place.0).or_default().inhibits = a.weight);
        rows.add(row);
    }
    for rule in rules {
        if rows.apply(rule).is_none() {
            return reject(format!("a reduction by rule {} is not possible ({rule:?})", rule.letter()));
        }
    }
    Ok(rows.net(net))
}

impl Rows {
    fn add(&mut self, row: BTreeMap<u32, Arcs>) {
        let t = self.rows.len();
        for p in row.keys() {
            self.at[*p as usize].insert(t);
        }
        self.rows.push(Some(row));
    }

    fn row(&self, t: u32) -> Option<&BTreeMap<u32, Arcs>> {
        self.rows.get(t as usize)?.as_ref()
    }

    /// The rows with arcs at a place.
    fn around(&self, p: u32) -> Option<Vec<(usize, Arcs)>> {
        let arcs = |t: &usize| Some((*t, *self.rows[*t].as_ref()?.get(&p)?));
        Some(self.at.get(p as usize)?.iter().filter_map(arcs).collect())
    }

    /// Is a place free of the question and of inhibitor arcs?
    fn is_free(&self, p: u32) -> Option<bool> {
        let inhibits = self.around(p)?.iter().any(|(_, arcs)| arcs.inhibits > 0);
        Some(!inhibits && !self.is_asked(p))
    }

    /// Does a condition speak of a place?
    fn is_asked(&self, p: u32) -> bool {
        match &self.asked {
            Asked::Condition(places) | Asked::Graph(places) => places.contains(&p),
            Asked::Dead => false,
        }
    }

    fn without(&mut self, p: u32) {
        for t in &self.at[p as usize] {
            if let Some(row) = &mut self.rows[*t] {
                row.remove(&p);
            }
        }
    }

    /// Applies a rule; `None` if its condition is false.
    fn apply(&mut self, rule: &Rule) -> Option<()> {
        let keeps_graph = matches!(rule.letter(), 'C' | 'D' | 'E' | 'F');
        if matches!(self.asked, Asked::Graph(_)) && !keeps_graph {
            return None;
        }
        match rule {
            Rule::SequentialTransition(p, t) => self.moves(*p, *t),
            Rule::SequentialPlace(p) => self.between(*p),
            Rule::ParallelPlace(p, q) => {
                // Inhibitor arcs of the place that stays do not matter.
                let moving = |of: u32| -> Option<Vec<(usize, u32, u32)>> {
                    let all = self.around(of)?.into_iter().map(|(t, arcs)| (t, arcs.takes, arcs.adds));
                    Some(all.filter(|(_, takes, adds)| (*takes, *adds) != (0, 0)).collect())
                };
                let fine = p != q
                    && self.is_free(*p)?
                    && moving(*p)? == moving(*q)?
                    && self.tokens[*p as usize] >= self.tokens[*q as usize];
                fine.then(|| self.without(*p))
            }
            Rule::ParallelTransition(t, kept) => {
                let fine = t != kept && self.row(*t)? == self.row(*kept)?;
                fine.then(|| self.rows[*t as usize] = None)
            }
            Rule::DeadTransition(t, p) => {
                let needed = self.row(*t)?.get(p)?.takes;
                let more = self.around(*p)?.iter().any(|(_, arcs)| arcs.change() > 0);
                (!more && self.tokens[*p as usize] < needed).then(|| self.rows[*t as usize] = None)
            }
            Rule::RedundantPlace(p) => {
                let tokens = *self.tokens.get(*p as usize)?;
                let around = self.around(*p)?;
                let enough =
                    |(_, arcs): &(usize, Arcs)| arcs.takes == 0 || arcs.change() >= 0 && arcs.takes <= tokens;
                (self.is_free(*p)? && around.iter().all(enough)).then(|| self.without(*p))
            }
            Rule::RedundantTransition(t) => {
                let nothing = self.row(*t)?.values().all(|arcs| arcs.change() == 0);
                (nothing && !matches!(self.asked, Asked::Dead)).then(|| self.rows[*t as usize] = None)
            }
            Rule::IrrelevantTransitions(gone) => self.irrelevant(gone),
        }
    }

    /// None of the transitions changes an asked place, adds to what others take, or takes from what inhibits others.
    fn irrelevant(&mut self, gone: &[u32]) -> Option<()> {
        let all: BTreeSet<usize> = gone.iter().map(|t| *t as usize).collect();
        for t in gone {
            for (p, arcs) in self.row(*t)? {
                let change = arcs.change();
                let mut others = self.around(*p)?.into_iter().filter(|(other, _)| !all.contains(other));
                let matters =
                    others.any(|(_, arcs)| change > 0 && arcs.takes > 0 || change < 0 && arcs.inhibits > 0);
                if matters || change != 0 && self.is_asked(*p) {
                    return None;
                }
            }
        }
        if matches!(self.asked, Asked::Dead) {
            return None;
        }
        all.into_iter().for_each(|t| self.rows[t] = None);
        Some(())
    }

    /// Tokens of the place go on at once by the transition, which takes one and needs nothing else.
    fn moves(&mut self, p: u32, t: u32) -> Option<()> {
        let row = self.row(t)?.clone();
        let (q, arcs) = row.iter().find(|(place, _)| **place != p)?;
        let (q, weight) = (*q, arcs.adds);
        let one = Arcs { takes: 1, ..Arcs::default() };
        let plain = Arcs { adds: weight, ..Arcs::default() };
        let around = self.around(p)?;
        let alone = around.iter().all(|(other, arcs)| arcs.takes == 0 || *other == t as usize);
        let fine = row.len() == 2
            && row.get(&p) == Some(&one)
            && *arcs == plain
            && weight > 0
            && alone
            && self.is_free(p)?
            && self.is_free(q)?;
        if !fine {
            return None;
        }
        let moved = |many: u32, more: u32| many.checked_mul(weight)?.checked_add(more);
        self.tokens[q as usize] = moved(self.tokens[p as usize], self.tokens[q as usize])?;
        self.tokens[p as usize] = 0;
        self.rows[t as usize] = None;
        for (other, arcs) in around.into_iter().filter(|(other, _)| *other != t as usize) {
            let row = self.rows[other].as_mut()?;
            let to = row.entry(q).or_default();
            to.adds = moved(arcs.adds, to.adds)?;
            row.remove(&p);
            self.at[q as usize].insert(other);
        }
        Some(())
    }

    /// Each transition that adds to the place is followed at once by one that takes from it, and needs nothing else.
    fn between(&mut self, p: u32) -> Option<()> {
        let around = self.around(p)?;
        let weight = around.first().map(|(_, arcs)| arcs.takes.max(arcs.adds))?;
        let (before, after): (Vec<_>, Vec<_>) = around.into_iter().partition(|(_, arcs)| arcs.adds > 0);
        let regular = before.iter().all(|(_, arcs)| *arcs == Arcs { adds: weight, ..Arcs::default() })
            && after.iter().all(|(_, arcs)| *arcs == Arcs { takes: weight, ..Arcs::default() });
        if !regular || after.is_empty() || self.tokens[p as usize] != 0 || !self.is_free(p)? {
            return None;
        }
        for (t, _) in &after {
            for (q, arcs) in self.rows[*t].as_ref()?.iter().filter(|(q, _)| **q != p) {
                if arcs.takes > 0 || arcs.inhibits > 0 || !self.is_free(*q)? {
                    return None;
                }
            }
        }
        let mut fused = Vec::new();
        for (first, _) in &before {
            for (second, _) in &after {
                let mut row = self.rows[*first].clone()?;
                row.remove(&p);
                for (q, arcs) in self.rows[*second].as_ref()?.iter().filter(|(q, _)| **q != p) {
                    let to = row.entry(*q).or_default();
                    to.adds = to.adds.checked_add(arcs.adds)?;
                }
                fused.push(row);
            }
        }
        before.iter().chain(&after).for_each(|(t, _)| self.rows[*t] = None);
        fused.into_iter().for_each(|row| self.add(row));
        Some(())
    }

    fn net(self, original: &Net) -> Net {
        let mut net = original.clone();
        net.places.iter_mut().zip(self.tokens).for_each(|(place, tokens)| place.tokens = tokens);
        net.transitions.clear();
        for row in self.rows.into_iter().flatten() {
            let arcs = |weight: fn(&Arcs) -> u32| {
                let own = row.iter().filter(|(_, arcs)| weight(arcs) > 0);
                let arc = |(p, arcs): (&u32, &Arcs)| PlaceArc {
                    place: PlaceId(*p),
                    weight: weight(arcs),
                    span: Span::default(),
                };
                own.map(arc).collect::<Vec<_>>()
            };
            net.transitions.push(Transition {
                name: String::new(),
                label: None,
                inputs: arcs(|a| a.takes),
                outputs: arcs(|a| a.adds),
                inhibitors: arcs(|a| a.inhibits),
                reads: Vec::new(),
                delay: None,
                span: Span::default(),
            });
        }
        net
    }
}

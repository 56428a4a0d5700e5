//! Where a text names states, and positions in the layout.

use std::ops::Range;

use super::lines::Lines;
use super::tree::{Id, ROOT, Tree, references};
use super::{Source, quoted, range};
use crate::chart::{Chart, StateId};
use crate::edit::pins::Pin;
use crate::formats::Name;

impl Source<'_> {
    /// The names of states that are replaced since their paths are others.
    pub(super) fn renamed(&self, intended: &Tree, all: bool) -> Vec<(Range<usize>, String)> {
        let mut found = Vec::new();
        let mut refers = |span: Range<usize>, owner: Id, target: Option<StateId>| {
            let Some(target) = target.map(|s| s.index()).filter(|id| intended.items.contains_key(id)) else {
                return;
            };
            let is_same = |id: Id| self.tree.path(id) == intended.path(id);
            if all || !is_same(target) || !is_same(owner) {
                let new = quoted(&intended.path(target).join("."));
                if self.text[span.clone()] != *new && !(is_same(target) && is_same(owner) && !all) {
                    found.push((span, new));
                }
            }
        };
        for (owner, state) in self.written.states.iter().enumerate() {
            let of_state = self.chart.state(StateId::new(owner));
            let initial = state.initial.iter().flat_map(|(names, _)| names).zip(&of_state.initial.targets);
            initial.for_each(|(name, target)| refers(range(name.span), owner, Some(*target)));
            for (t, transition) in state.transitions.iter().enumerate() {
                let Some(id) = of_state.transitions.get(t) else { continue };
                let targets = transition.targets.iter().zip(&self.chart.transition(*id).targets);
                targets.for_each(|(name, target)| refers(range(name.span), owner, Some(*target)));
            }
        }
        for (place, owner, target) in self.named() {
            refers(place, owner, Some(target));
        }
        for (name, _) in &self.written.positions {
            refers(range(name.span), ROOT, self.positioned(name));
        }
        found
    }

    /// The places (also in comments) where states are named in guards, actions and properties, with the state there,
    /// and the one named.
    pub(super) fn named(&self) -> Vec<(Range<usize>, Id, StateId)> {
        let mut found = Vec::new();
        for place in references(self.text) {
            let name = self.text[place.clone()].trim_matches('"');
            let at = u32::try_from(place.start).unwrap_or(u32::MAX);
            let of_property = self.chart.properties.iter().any(|p| p.span.start <= at && at < p.span.end);
            let owner = if of_property { ROOT } else { self.owners[self.line(at)] };
            let target = match of_property {
                true => self.chart.find_state(name),
                false => self.chart.state_at((Chart::ROOT, StateId::new(owner)), name),
            };
            found.extend(target.ok().map(|target| (place, owner, target)));
        }
        found
    }

    /// The state that an entry of the layout is about.
    fn positioned(&self, name: &Name) -> Option<StateId> {
        self.chart.state_ids().skip(1).find(|s| self.chart.state(*s).name == name.text)
    }

    /// Removes the entries of the layout about these states.
    pub(super) fn without_positions(&self, ids: &[Id]) -> Vec<(Range<usize>, String)> {
        let is_one = |name: &Name| self.positioned(name).is_some_and(|s| ids.contains(&s.index()));
        let all = self.written.positions.iter().filter(|(name, _)| is_one(name));
        all.map(|(_, span)| (range(*span), String::new())).collect()
    }

    /// The lines of layouts that had entries, and have none any more.
    pub(super) fn emptied<'a>(&'a self, lines: &'a Lines) -> impl Iterator<Item = usize> + 'a {
        let all =
            self.written.layouts.iter().flat_map(|layout| self.line(layout.start)..=self.line(layout.end));
        all.filter(|line| lines.all[*line].trim().is_empty() && !self.lines[*line].trim().is_empty())
    }

    /// Adds entries to the layout; lines that became empty in it are removed, and it, too, if it has no entries. No
    /// lines were added or removed before.
    pub(super) fn put_positions(&self, places: &[(String, Option<Pin>)], lines: &mut Lines) {
        let entry =
            |(name, pin): &(String, Option<Pin>)| pin.map(|(x, y)| format!("    {} {x} {y}", quoted(name)));
        let new: Vec<String> = places.iter().filter_map(entry).collect();
        let Some(layout) = self.written.layouts.last() else {
            if !new.is_empty() {
                let block = [vec!["  layout {".to_owned()], new, vec!["  }".to_owned()]].concat();
                lines.insert(self.block(ROOT).end, block);
            }
            return;
        };
        let (first, last) = (self.line(layout.start), self.line(layout.end));
        let gone: Vec<usize> = self.emptied(lines).collect();
        let is_empty = new.is_empty() && last == first + 1 + gone.len();
        if is_empty && lines.all[first].trim() == "layout {" && lines.all[last].trim() == "}" {
            return lines.remove(first..last + 1);
        }
        gone.into_iter().rev().for_each(|line| lines.remove(line..line + 1));
        if first == last {
            let at = lines.all[first].find('{').map_or(0, |at| at + 1);
            let new: String = new.iter().map(|entry| format!(" {}", entry.trim())).collect();
            return lines.all[first].insert_str(at, &new);
        }
        lines.insert(first + 1, new);
    }
}

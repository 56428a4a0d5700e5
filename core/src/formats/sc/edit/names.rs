//! Where a text names states, and positions in the layout.

use std::ops::Range;

use super::lines::Lines;
use super::tree::{Id, ROOT, Tree, references};
use super::{Source, quoted, range};
use crate::chart::StateId;
use crate::edit::pins::Pin;

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
        for (thing, place) in self.positions() {
            if let Ok(id) = self.tree.find(&thing) {
                refers(place, ROOT, Some(StateId::new(id)));
            }
        }
        found
    }

    /// The innermost state whose lines include a line.
    fn owner(&self, line: usize) -> Id {
        let all = self.tree.order().into_iter().rev();
        all.filter(|id| *id != ROOT).find(|id| self.block(*id).contains(&line)).unwrap_or(ROOT)
    }

    /// The places where states are named in guards, actions and properties, with the state there, and the one named.
    pub(super) fn named(&self) -> Vec<(Range<usize>, Id, StateId)> {
        let mut found = Vec::new();
        for place in references(self.text) {
            let name = self.text[place.clone()].trim_matches('"');
            let at = u32::try_from(place.start).unwrap_or(u32::MAX);
            let of_property = self.chart.properties.iter().any(|p| p.span.start <= at && at < p.span.end);
            let owner = if of_property { ROOT } else { self.owner(self.line(at)) };
            let target = match of_property {
                true => self.chart.find_state(name),
                false => self.chart.state_at(StateId::new(owner), name),
            };
            found.extend(target.ok().map(|target| (place, owner, target)));
        }
        found
    }

    /// The things with positions in the layout, with the places of their names.
    pub(super) fn positions(&self) -> Vec<(String, Range<usize>)> {
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = self.text[from..].find("layout {") {
            let start = from + at + "layout {".len();
            let end = self.text[start..].find('}').map_or(self.text.len(), |end| start + end);
            let mut words = Vec::new();
            let mut place = start;
            for word in self.text[start..end].split_whitespace() {
                let begins = place + self.text[place..end].find(word).unwrap_or(0);
                words.push((word, begins..begins + word.len()));
                place = begins + word.len();
            }
            for entry in words.chunks(3).filter(|entry| entry.len() == 3) {
                found.push((entry[0].0.trim_matches('"').to_owned(), entry[0].1.clone()));
            }
            from = end;
        }
        found
    }

    /// Other positions in the layout.
    pub(super) fn pinned(&self, places: &[(String, Option<Pin>)], lines: &mut Lines) {
        let mut gone = Vec::new();
        for (thing, place) in self.positions() {
            if places.iter().any(|(name, _)| *name == thing) {
                let line = self.line(u32::try_from(place.start).unwrap_or(u32::MAX));
                gone.push(line..line + 1);
            }
        }
        lines.remove_all(gone);
        let entry =
            |(name, pin): &(String, Option<Pin>)| pin.map(|(x, y)| format!("    {} {x} {y}", quoted(name)));
        let new: Vec<String> = places.iter().filter_map(entry).collect();
        let layout = lines.all.iter().rposition(|line| line.trim_start().starts_with("layout {"));
        let Some(layout) = layout else {
            if !new.is_empty() {
                let closes = lines.all.iter().rposition(|line| line.trim_start().starts_with('}'));
                let block = [vec!["  layout {".to_owned()], new, vec!["  }".to_owned()]].concat();
                lines.insert(closes.unwrap_or(lines.all.len()), block);
            }
            return;
        };
        let is_empty = new.is_empty() && lines.all.get(layout + 1).is_some_and(|line| line.trim() == "}");
        lines.insert(layout + 1, new);
        if is_empty {
            lines.remove(layout..layout + 2);
        }
    }
}

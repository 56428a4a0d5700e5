//! A chart as a tree with numbers for states, so that the intended result of an edit can be compared with the chart of
//! the changed text.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::chart::{Chart, StateId, StateKind};
use crate::edit::Refusal;
use crate::edit::automaton::{ChartEdit, Edit};
use crate::formats::sc::{actions_text, label};
use crate::system::Role;

/// A state of the tree, by its number.
pub(super) type Id = usize;

/// The chart itself.
pub(super) const ROOT: Id = 0;

/// A state, with texts in which other states are numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Item {
    pub(super) label: String,
    pub(super) parent: Id,
    pub(super) children: Vec<Id>,
    pub(super) word: Word,
    folded: bool,
    initial: Vec<Id>,
    /// The actions of the initial transition, on entry, and on exit.
    actions: [String; 3],
    pub(super) arrows: Vec<Arrow>,
}

/// The kinds of states as they are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Word {
    #[default]
    State,
    Region,
    Final,
    History {
        deep: bool,
    },
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Arrow {
    /// The label; none for one that is typed in an edit, whatever it is read as.
    pub(super) text: Option<String>,
    internal: bool,
    pub(super) targets: Vec<Id>,
}

/// A chart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Tree {
    pub(super) items: BTreeMap<Id, Item>,
    pub(super) variables: Vec<String>,
    properties: Vec<(String, String)>,
    capacity: usize,
}

impl Tree {
    /// The tree of a chart, in which a state has the number that is given for its path.
    pub(super) fn of(chart: &Chart, number: &dyn Fn(&str) -> Option<Id>) -> Tree {
        // Those that are not known have numbers of their own.
        let unknown = |s: StateId| usize::MAX - s.index();
        let known = |s: StateId| number(&chart.path(s)).unwrap_or_else(|| unknown(s));
        let ids: Vec<Id> = chart.state_ids().map(known).collect();
        let id = |s: &StateId| ids[s.index()];
        let numbered = |text: &str| numbered(text, &|name| chart.find_state(name).ok().map(|s| id(&s)));
        let item = |s: StateId| {
            let state = chart.state(s);
            let parent = state.parent.unwrap_or(Chart::ROOT);
            let of_parallel = chart.state(parent).kind == StateKind::Parallel;
            let arrow = |t: &crate::chart::TransitionId| {
                let t = chart.transition(*t);
                let targets = t.targets.iter().map(id).collect();
                Arrow { text: Some(numbered(&label(chart, t))), internal: t.internal, targets }
            };
            let word = match state.kind {
                StateKind::Final => Word::Final,
                StateKind::History { deep } => Word::History { deep },
                _ if of_parallel && s != Chart::ROOT => Word::Region,
                _ => Word::State,
            };
            let actions = [&state.initial.actions, &state.entry, &state.exit];
            Item {
                label: state.label.clone(),
                parent: id(&parent),
                children: state.children.iter().map(id).collect(),
                word,
                folded: state.folded,
                initial: state.initial.targets.iter().map(id).collect(),
                actions: actions.map(|all| numbered(&actions_text(chart, all))),
                arrows: state.transitions.iter().map(arrow).collect(),
            }
        };
        Tree {
            items: chart.state_ids().map(|s| (id(&s), item(s))).collect(),
            variables: chart.data().map(|v| chart.variables[v.index()].name.clone()).collect(),
            capacity: chart.capacity,
            properties: chart.properties.iter().map(|p| (p.name.clone(), numbered(&p.text))).collect(),
        }
    }

    /// Is another tree this one, whatever the labels that were typed are read as?
    pub(super) fn agrees(&self, other: &Tree) -> bool {
        let mut read = self.clone();
        for (id, item) in &mut read.items {
            for (number, arrow) in
                item.arrows.iter_mut().enumerate().filter(|(_, arrow)| arrow.text.is_none())
            {
                let found = other.items.get(id).and_then(|item| item.arrows.get(number));
                arrow.text = found.and_then(|arrow| arrow.text.clone());
            }
        }
        read.begins_at_children();
        let mut other = other.clone();
        other.begins_at_children();
        read == other
    }

    /// A state that begins in a state whose own beginning leads there begins with that state: this is the same.
    fn begins_at_children(&mut self) {
        for id in self.order() {
            while let [target] = self.items[&id].initial[..] {
                let around = self.items[&target].parent;
                let outer = &self.items[&around];
                if around == id || outer.initial != [target] || !outer.actions[0].is_empty() {
                    break;
                }
                self.item(id).initial = vec![around];
            }
        }
    }

    /// The path of a state.
    pub(super) fn path(&self, id: Id) -> Vec<&str> {
        let around = std::iter::successors(Some(id), |id| Some(self.items.get(id)?.parent));
        let inside = around.take_while(|id| *id != ROOT);
        let mut labels: Vec<&str> =
            inside.filter_map(|id| Some(self.items.get(&id)?.label.as_str())).collect();
        labels.reverse();
        labels
    }

    /// The state with a path; none for an empty one.
    pub(super) fn find(&self, path: &str) -> Result<Id, Refusal> {
        let found = self.items.keys().find(|id| **id != ROOT && self.path(**id).join(".") == path);
        found.copied().ok_or_else(|| Refusal::new(format!("there is no state '{path}'")))
    }

    /// The chart itself for an empty path, otherwise the state with it.
    pub(super) fn find_or_root(&self, path: &str) -> Result<Id, Refusal> {
        if path.is_empty() { Ok(ROOT) } else { self.find(path) }
    }

    /// Is `a` inside of `b`, or `b` itself?
    pub(super) fn is_within(&self, a: Id, b: Id) -> bool {
        a == b || a != ROOT && self.is_within(self.items[&a].parent, b)
    }

    /// Are the children of a state regions?
    pub(super) fn is_parallel(&self, id: Id) -> bool {
        self.items[&id].children.iter().any(|child| self.items[child].word == Word::Region)
    }

    /// The transition and the number of its target, of an arrow of the drawing.
    pub(super) fn arrow(&self, number: usize) -> Result<(Id, usize, usize), Refusal> {
        let all = self.order().into_iter().flat_map(|id| {
            let arrows = self.items[&id].arrows.iter().enumerate();
            arrows.flat_map(move |(t, arrow)| (0..arrow.targets.len()).map(move |target| (id, t, target)))
        });
        all.into_iter().nth(number).ok_or_else(|| Refusal::new("this arrow is not there any more"))
    }

    /// The states in the order of the text.
    pub(super) fn order(&self) -> Vec<Id> {
        let (mut all, mut open) = (Vec::new(), vec![ROOT]);
        while let Some(id) = open.pop() {
            all.push(id);
            open.extend(self.items[&id].children.iter().rev());
        }
        all
    }

    /// A label that no sibling has: this one, or a letter with a number.
    pub(super) fn free(&self, parent: Id, wanted: &str) -> String {
        let is_free =
            |label: &String| self.items[&parent].children.iter().all(|c| self.items[c].label != *label);
        let numbered = (1..).map(|n| format!("{wanted}{n}"));
        numbered.into_iter().find(is_free).unwrap_or_default()
    }

    fn check_label(&self, parent: Id, label: &str, own: Option<Id>) -> Result<(), Refusal> {
        if label.is_empty() || label.contains(['.', '"', '\n']) {
            return Err(Refusal::new(
                "the name of a state has at least one character, and no dots or quotation marks",
            ));
        }
        let taken =
            self.items[&parent].children.iter().any(|c| Some(*c) != own && self.items[c].label == label);
        if taken { Err(Refusal::new(format!("there is a state '{label}' here already"))) } else { Ok(()) }
    }

    fn next_id(&self) -> Id {
        self.items.keys().last().map_or(0, |last| last + 1)
    }

    fn add(&mut self, parent: Id, label: &str, word: Word) -> Result<Id, Refusal> {
        if matches!(self.items[&parent].word, Word::Final | Word::History { .. }) {
            return Err(Refusal::new("a final state or a history has no states in it"));
        }
        self.check_label(parent, label, None)?;
        let id = self.next_id();
        self.items.insert(id, Item { label: label.to_owned(), parent, word, ..Item::default() });
        self.item(parent).children.push(id);
        Ok(id)
    }

    fn item(&mut self, id: Id) -> &mut Item {
        self.items.get_mut(&id).expect("a state of the tree")
    }

    /// The chart after an edit; the new state if there is one.
    pub(super) fn after(&self, edit: &Edit) -> Result<Tree, Refusal> {
        let mut new = self.clone();
        match edit {
            Edit::AddLocation { name, .. } => {
                let (parent, label) = name.rsplit_once('.').unwrap_or(("", name));
                let parent = self.find_or_root(parent)?;
                let word = if self.is_parallel(parent) { Word::Region } else { Word::State };
                new.add(parent, label, word)?;
            }
            Edit::AddVariable { name, .. } => new.variables.push(name.clone()),
            Edit::Connect { source, target, .. } => {
                let (source, target) = (self.find(source)?, self.find(target)?);
                let arrow = Arrow { text: None, internal: false, targets: vec![target] };
                new.item(source).arrows.push(arrow);
            }
            Edit::SetStatements { edge, .. } => {
                let (id, t, _) = self.arrow(*edge)?;
                new.item(id).arrows[t].text = None;
            }
            Edit::Reconnect { edge, source, target } => {
                let ((from, t, n), source, target) =
                    (self.arrow(*edge)?, self.find(source)?, self.find(target)?);
                let mut arrow = new.item(from).arrows.remove(t);
                arrow.targets[n] = target;
                let at = if source == from { t } else { new.items[&source].arrows.len() };
                new.item(source).arrows.insert(at, arrow);
            }
            Edit::Rename { location, name } => {
                let id = self.find(location)?;
                let parent = self.items[&id].parent;
                let around = self.path(parent).join(".");
                let label = name.strip_prefix(&format!("{around}.")).unwrap_or(name);
                self.check_label(parent, label, Some(id))?;
                label.clone_into(&mut new.item(id).label);
            }
            Edit::SetRole { location, role } => new.set_role(self.find(location)?, *role)?,
            Edit::Delete { locations, edges } => new.delete(locations, edges)?,
            Edit::Move { .. } => {}
            Edit::Chart(edit) => new.restructure(edit)?,
            _ => return Err(Refusal::new("statecharts have states and transitions only")),
        }
        new.set_defaults();
        Ok(new)
    }

    fn set_role(&mut self, id: Id, role: Role) -> Result<(), Refusal> {
        let Item { parent, word, .. } = self.items[&id];
        match role {
            _ if word == Word::Region => {
                return Err(Refusal::new("all regions of a state are active together"));
            }
            _ if matches!(word, Word::History { .. }) => {
                return Err(Refusal::new("a history is neither initial nor final"));
            }
            Role::Initial => self.item(parent).initial = vec![id],
            Role::Final if !self.items[&id].children.is_empty() => {
                return Err(Refusal::new("a final state has no states in it"));
            }
            Role::Final => self.item(id).word = Word::Final,
            _ if word == Word::Final => self.item(id).word = Word::State,
            _ => return Err(Refusal::new("another state must become the initial one instead")),
        }
        Ok(())
    }

    fn delete(&mut self, locations: &[String], edges: &[usize]) -> Result<(), Refusal> {
        let mut gone = Vec::new();
        for name in locations {
            let id = self.find(name)?;
            gone.extend(self.items.keys().filter(|other| self.is_within(**other, id)).copied());
        }
        let mut arrows = Vec::new();
        for edge in edges {
            arrows.push(self.arrow(*edge)?);
        }
        for (id, item) in &mut self.items {
            let mut number = 0;
            item.arrows.retain(|arrow| {
                number += 1;
                let is_named = arrows.iter().any(|(of, t, _)| of == id && t + 1 == number);
                !is_named && arrow.targets.iter().all(|target| !gone.contains(target))
            });
            item.children.retain(|child| !gone.contains(child));
            item.initial.retain(|target| !gone.contains(target));
        }
        self.items.retain(|id, _| !gone.contains(id));
        Ok(())
    }

    fn restructure(&mut self, edit: &ChartEdit) -> Result<(), Refusal> {
        match edit {
            ChartEdit::Wrap { states, name } => {
                let mut ids = states.iter().map(|path| self.find(path)).collect::<Result<Vec<Id>, _>>()?;
                let Some(first) = ids.first() else { return Err(Refusal::new("no state is chosen")) };
                let parent = self.items[first].parent;
                if ids.iter().any(|id| self.items[id].parent != parent) || self.is_parallel(parent) {
                    return Err(Refusal::new(
                        "only states that are directly in one state can be wrapped, and no regions",
                    ));
                }
                let order = self.items[&parent].children.clone();
                ids.sort_by_key(|id| order.iter().position(|child| child == id));
                let around = self.add(parent, name, Word::State)?;
                let at = order.iter().position(|child| *child == ids[0]).unwrap_or(0);
                let children = &mut self.item(parent).children;
                children.retain(|child| !ids.contains(child) && *child != around);
                children.insert(at, around);
                ids.iter().for_each(|id| self.item(*id).parent = around);
                self.item(around).children = ids;
            }
            ChartEdit::AddRegion { state } => self.add_region(self.find(state)?)?,
            ChartEdit::AddHistory { state, deep } => {
                let id = self.find(state)?;
                let Some(first) = self.items[&id].initial.first().copied() else {
                    return Err(Refusal::new(
                        "a history belongs to a state with states in it; a state with regions has histories in its regions",
                    ));
                };
                let label = self.free(id, if *deep { "Deep" } else { "Last" });
                let history = self.add(id, &label, Word::History { deep: *deep })?;
                self.item(history).initial = vec![first];
                let children = &mut self.item(id).children;
                children.pop();
                children.insert(0, history);
            }
            ChartEdit::Fold { state, folded } => {
                let id = self.find(state)?;
                if matches!(self.items[&id].word, Word::Final | Word::History { .. }) {
                    return Err(Refusal::new("a final state or a history has no states in it"));
                }
                self.item(id).folded = *folded;
            }
            ChartEdit::MoveInto { state, into } => {
                let (id, into) = (self.find(state)?, self.find_or_root(into)?);
                let Item { parent, word, .. } = self.items[&id];
                if self.is_within(into, id) || into == parent {
                    return Err(Refusal::new("a state is moved into another one"));
                }
                if matches!(self.items[&into].word, Word::Final | Word::History { .. }) {
                    return Err(Refusal::new("a final state or a history has no states in it"));
                }
                if self.is_parallel(into) && word != Word::Region {
                    let (label, into) = (&self.items[&id].label, &self.items[&into].label);
                    let why = format!("'{into}' has regions; move '{label}' into one of them");
                    return Err(Refusal(why));
                }
                if word == Word::Region && !self.is_parallel(into) {
                    return Err(Refusal::new("a region can only be moved into a state with regions"));
                }
                let label = self.items[&id].label.clone();
                self.check_label(into, &label, None)?;
                let item = self.item(parent);
                item.children.retain(|child| *child != id);
                self.item(into).children.push(id);
                self.item(id).parent = into;
            }
        }
        Ok(())
    }

    /// A new region; what is in a state without regions becomes one first.
    fn add_region(&mut self, id: Id) -> Result<(), Refusal> {
        if matches!(self.items[&id].word, Word::Final | Word::History { .. }) {
            return Err(Refusal::new("a final state or a history has no regions"));
        }
        if !self.is_parallel(id) {
            let (children, initial) = {
                let item = self.item(id);
                (std::mem::take(&mut item.children), std::mem::take(&mut item.initial))
            };
            let actions = std::mem::take(&mut self.item(id).actions[0]);
            let label = self.free(id, "Region");
            let region = self.add(id, &label, Word::Region)?;
            children.iter().for_each(|child| self.item(*child).parent = region);
            (self.item(region).children, self.item(region).initial) = (children, initial);
            self.item(region).actions[0] = actions;
        }
        let label = self.free(id, "Region");
        self.add(id, &label, Word::Region)?;
        Ok(())
    }

    /// Composite states without an initial state in them begin with their first state.
    fn set_defaults(&mut self) {
        for id in self.order() {
            let is_history = matches!(self.items[&id].word, Word::History { .. });
            if is_history {
                continue;
            }
            let inside = |target: &Id| *target != id && self.is_within(*target, id);
            let kept: Vec<Id> = self.items[&id].initial.iter().filter(|t| inside(t)).copied().collect();
            let is_parallel = self.is_parallel(id);
            let can_begin = |child: &&Id| !matches!(self.items[*child].word, Word::History { .. });
            let first = self.items[&id].children.iter().find(can_begin).copied();
            let initial = if is_parallel {
                Vec::new()
            } else if kept.is_empty() {
                first.into_iter().collect()
            } else {
                kept
            };
            if initial.is_empty() || initial != self.items[&id].initial {
                let keeps =
                    !initial.is_empty() && initial.iter().all(|t| self.items[&id].initial.contains(t));
                let item = self.item(id);
                item.initial = initial;
                if !keeps {
                    item.actions[0].clear();
                }
            }
        }
    }
}

/// A text in which the names of states in `in(…)` and after `done.state.` are numbers.
pub(super) fn numbered(text: &str, number: &dyn Fn(&str) -> Option<Id>) -> String {
    let (mut new, mut last) = (String::new(), 0);
    for range in references(text) {
        new.push_str(&text[last..range.start]);
        let name = &text[range.clone()];
        new.push_str(&number(name.trim_matches('"')).map_or_else(|| name.to_owned(), |id| format!("#{id}")));
        last = range.end;
    }
    new + &text[last..]
}

/// The places of the names of states in `in(…)` and after `done.state.`.
pub(super) fn references(text: &str) -> Vec<Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut found = Vec::new();
    for begins in ["in", "In", "done.state."] {
        for (at, _) in text.match_indices(begins) {
            let after = at + begins.len();
            if text[..at].ends_with(is_word) {
                continue;
            }
            if begins == "done.state." {
                let rest = &text[after..];
                let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
                found.push(after..after + length);
                continue;
            }
            let rest = text[after..].trim_start();
            let Some(argument) = rest.strip_prefix('(') else { continue };
            let Some(end) = argument.find(')') else { continue };
            let name = &argument[..end];
            let start = text.len() - argument.len() + (name.len() - name.trim_start().len());
            found.push(start..start + name.trim().len());
        }
    }
    found.retain(|range| !range.is_empty());
    found.sort_by_key(|range| range.start);
    found
}

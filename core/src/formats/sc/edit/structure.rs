//! Edits that move, indent and remove whole states.

use std::ops::Range;

use super::lines::Lines;
use super::tree::{Id, ROOT, Tree, Word};
use super::{Source, quoted};
use crate::chart::StateId;
use crate::edit::Refusal;
use crate::edit::automaton::ChartEdit;

impl Source<'_> {
    /// Removes states and arrows.
    pub(super) fn remove(
        &self,
        locations: &[String],
        edges: &[usize],
        lines: &mut Lines,
    ) -> Result<(), Refusal> {
        let mut gone: Vec<Range<usize>> = Vec::new();
        let ids = self.with_inside(locations)?;
        for path in locations {
            gone.push(self.block(self.tree.find(path)?));
        }
        for edge in edges {
            gone.push(self.lines_of(self.transition(*edge)?.1)?);
        }
        for (owner, state) in self.written.states.iter().enumerate().filter(|(owner, _)| !ids.contains(owner))
        {
            for (t, transition) in state.transitions.iter().enumerate() {
                let Some(arrow) = self.tree.items[&owner].arrows.get(t) else { continue };
                if arrow.targets.iter().any(|target| ids.contains(target)) {
                    gone.push(self.lines_of(transition.span)?);
                }
            }
            let of_state = self.chart.state(StateId::new(owner));
            if let Some((names, _)) = &state.initial
                && of_state.initial.targets.iter().any(|target| ids.contains(&target.index()))
                && let Some(first) = names.first()
            {
                if matches!(self.tree.items[&owner].word, Word::History { .. }) {
                    return Err(Refusal::new("a history begins there; remove it first"));
                }
                gone.push(self.line(first.span.start)..self.line(first.span.start) + 1);
            }
        }
        self.is_unnamed(&ids)?;
        self.declare_nothing(&gone)?;
        gone.extend(self.emptied(lines).map(|line| line..line + 1));
        lines.remove_all(gone);
        Ok(())
    }

    /// States with all that are in them.
    pub(super) fn with_inside(&self, paths: &[String]) -> Result<Vec<Id>, Refusal> {
        let mut ids = Vec::new();
        for path in paths {
            let id = self.tree.find(path)?;
            ids.extend(self.tree.items.keys().filter(|other| self.tree.is_within(**other, id)).copied());
        }
        Ok(ids)
    }

    /// Lines that are removed must not declare something for the whole chart.
    fn declare_nothing(&self, gone: &[Range<usize>]) -> Result<(), Refusal> {
        const WORDS: [&str; 6] = ["event", "internal", "queue", "var", "property", "layout"];
        let declares = |line: &usize| {
            let mut words = self.lines[*line].split_whitespace();
            words.any(|word| WORDS.contains(&word)) && !self.lines[*line].contains("-> internal")
        };
        match gone.iter().cloned().flatten().find(declares) {
            Some(line) => Err(Refusal::new(format!(
                "line {} declares something for the whole chart; move it first",
                line + 1
            ))),
            None => Ok(()),
        }
    }

    /// States that are removed must not be named in guards, actions or properties that stay.
    fn is_unnamed(&self, ids: &[Id]) -> Result<(), Refusal> {
        for (place, owner, target) in self.named() {
            if ids.contains(&target.index()) && !ids.contains(&owner) {
                let at = u32::try_from(place.start).unwrap_or(u32::MAX);
                let (name, line) = (&self.text[place], self.line(at) + 1);
                return Err(Refusal::new(format!("line {line} names the state '{name}'; change it first")));
            }
        }
        Ok(())
    }

    pub(super) fn restructure(
        &self,
        edit: &ChartEdit,
        intended: &Tree,
        lines: &mut Lines,
    ) -> Result<(), Refusal> {
        match edit {
            ChartEdit::Wrap { states, name } => {
                let mut blocks = Vec::new();
                for path in states {
                    blocks.push(self.block_with_comments(self.tree.find(path)?));
                }
                blocks.sort_by_key(|block| block.start);
                let Some(first) = blocks.first().cloned() else { return Ok(()) };
                let indent = self.indent(first.end - 1);
                let indent = &indent[..indent.len().min(self.indent(first.start).len())];
                let mut new = vec![format!("{indent}state {}", quoted(name))];
                blocks.iter().for_each(|block| new.extend(lines.indented(block.clone(), 2)));
                lines.remove_all(blocks);
                lines.insert(first.start, new);
            }
            ChartEdit::AddRegion { state } => self.add_region(self.tree.find(state)?, intended, lines),
            ChartEdit::AddHistory { state, deep } => {
                let id = self.tree.find(state)?;
                let history = &intended.items[&intended.items[&id].children[0]];
                let begins =
                    self.chart.state(StateId::new(id)).initial.targets.first().map_or(ROOT, |s| s.index());
                let word = if *deep { "deep history" } else { "history" };
                let begins = self.name(intended, id, begins);
                let new = format!("{}{word} {} -> {begins}", self.indent_in(id), quoted(&history.label));
                lines.insert(self.before_states(id), vec![new]);
            }
            // It is done within the line of the state.
            ChartEdit::Fold { .. } => {}
            ChartEdit::MoveInto { state, into } => {
                let (id, into) = (self.tree.find(state)?, self.tree.find_or_root(into)?);
                let block = self.block_with_comments(id);
                let by = self.indent_in(into).len() as isize - self.indent(self.line_of(id)).len() as isize;
                let new = lines.indented(block.clone(), by);
                let at = self.after_states(into);
                lines.remove(block.clone());
                lines.insert(if block.end <= at { at - block.len() } else { at }, new);
                self.drop_initial(id, lines);
            }
        }
        Ok(())
    }

    /// A new region; what is in a state without regions becomes one first.
    fn add_region(&self, id: Id, intended: &Tree, lines: &mut Lines) {
        let inside = &intended.items[&id].children;
        let label = |n: usize| quoted(inside.get(n).map_or("", |child| &intended.items[child].label));
        let indent = self.indent_in(id);
        if self.tree.is_parallel(id) {
            lines.insert(self.after_states(id), vec![format!("{indent}region {}", label(inside.len() - 1))]);
            return;
        }
        let (mut moved, mut gone) = (Vec::new(), Vec::new());
        if let Some((names, _)) = &self.written.states[id].initial
            && let Some(first) = names.first()
        {
            let line = self.line(first.span.start);
            gone.push(line..line + 1);
        }
        gone.extend(self.tree.items[&id].children.iter().map(|child| self.block_with_comments(*child)));
        gone.iter().for_each(|block| moved.extend(lines.indented(block.clone(), 2)));
        let end = self.after_states(id);
        let removed: usize = gone.iter().map(ExactSizeIterator::len).sum();
        lines.remove_all(gone);
        let mut new = vec![format!("{indent}region {}", label(0))];
        new.extend(moved);
        new.push(format!("{indent}region {}", label(1)));
        lines.insert(end - removed, new);
    }

    /// The line of the initial state of a composite state, if a state that is moved out of it was that.
    fn drop_initial(&self, id: Id, lines: &mut Lines) {
        let parent = self.tree.items[&id].parent;
        let targets = &self.chart.state(StateId::new(parent)).initial.targets;
        let Some((names, _)) = &self.written.states[parent].initial else { return };
        if targets.iter().any(|target| self.tree.is_within(target.index(), id))
            && let Some(first) = names.first()
        {
            let text = self.lines[self.line(first.span.start)].trim();
            let word = text.split_whitespace().next().unwrap_or_default().to_owned();
            let indent = self.indent(self.line(first.span.start)).to_owned();
            let begins = format!("{indent}{word} ");
            let near = self.line(first.span.start);
            let order = (0..lines.all.len()).filter(|line| lines.all[*line].starts_with(&begins));
            let found = order.min_by_key(|line| line.abs_diff(near));
            lines.remove_all(found.map(|line| line..line + 1).into_iter().collect());
        }
    }
}

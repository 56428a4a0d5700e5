//! Edits of a chart in its drawing, as changes of a `.sc` text: lines are added, removed, moved and indented, and the
//! names of states that got other paths are replaced.
//!
//! The changed text is read again, and nothing is changed unless it is exactly the intended chart ([`tree`]).

mod lines;
mod names;
mod structure;
#[cfg(test)]
mod tests;
mod tree;

use std::collections::BTreeMap;
use std::ops::Range;

use super::print::name as quoted;
use super::syntax;
use crate::chart::{Chart, StateId};
use crate::diagnostic::Span;
use crate::edit::automaton::{ChartEdit, Edit};
use crate::edit::source::not_expressible;
use crate::edit::{Change, Refusal, newline};
use crate::formats::chart::Written;
use crate::system::Role;

use lines::Lines;
use tree::{Id, ROOT, Tree};

/// The changes of a text that carry out edits one after the other, each for the text after those before it.
///
/// # Errors
/// The first edit that is not possible; none is carried out then.
pub(super) fn edit(text: &str, edits: &[Edit]) -> Result<Vec<Vec<Change>>, Refusal> {
    let (mut now, mut all) = (text.to_owned(), Vec::new());
    for edit in edits {
        let new = after(&now, edit)?;
        all.push(difference(&now, &new).into_iter().collect());
        now = new;
    }
    Ok(all)
}

/// Why an edit is refused that would give another chart than the intended one.
const WHY: &str = "the text would then have another meaning elsewhere, for example since a name means another state; \
    choose another name, or edit the text instead";

/// The part between the first and the last difference.
pub(in crate::formats) fn difference(old: &str, new: &str) -> Option<Change> {
    let same = |a: (char, char)| a.0 == a.1;
    let length = |all: &mut dyn Iterator<Item = (char, char)>| {
        all.take_while(|pair| same(*pair)).map(|(c, _)| c.len_utf8()).sum::<usize>()
    };
    let start = length(&mut old.chars().zip(new.chars()));
    let end = length(&mut old[start..].chars().rev().zip(new[start..].chars().rev()));
    (old != new).then(|| Change::replace(Span::new(start, old.len() - end), &new[start..new.len() - end]))
}

/// A text after an edit.
pub(in crate::formats) fn after(text: &str, edit: &Edit) -> Result<String, Refusal> {
    let is_empty = |line: &str| line.trim().is_empty() || line.trim().starts_with("//");
    if let Edit::AddLocation { name, .. } = edit
        && text.lines().all(is_empty)
    {
        let newline = newline(text);
        let first = if text.is_empty() || text.ends_with('\n') { "" } else { newline };
        let chart = format!("chart Chart {{{newline}  state {}{newline}}}{newline}", quoted(name));
        let new = format!("{text}{first}{chart}");
        return super::parse(&new).map(|_| new).map_err(|diagnostics| Refusal::first(&diagnostics));
    }
    let source = Source::of(text)?;
    let intended = source.tree.after(edit)?;
    let paths: BTreeMap<String, Id> =
        intended.items.keys().map(|id| (intended.path(*id).join("."), *id)).collect();
    // Names are only replaced where they must be; where one is not understood then, all are.
    for all in [false, true] {
        let new = source.written(edit, &intended, all)?;
        if let Ok(chart) = super::parse(&new)
            && intended.agrees(&Tree::of(&chart, &|path| paths.get(path).copied()))
        {
            return Ok(new);
        }
    }
    match super::parse(&source.written(edit, &intended, false)?) {
        Err(diagnostics) => Err(Refusal::first(&diagnostics)),
        Ok(_) => Err(Refusal::new(WHY)),
    }
}

/// A text with its parts.
struct Source<'a> {
    text: &'a str,
    written: Written,
    chart: Chart,
    tree: Tree,
    lines: Vec<&'a str>,
    /// Where the lines begin.
    starts: Vec<usize>,
    /// The lines of each state, with all that is in it; of the chart, those between its braces.
    blocks: Vec<Range<usize>>,
    /// For each line, the innermost state whose lines include it.
    owners: Vec<Id>,
}

impl Source<'_> {
    fn of(text: &str) -> Result<Source<'_>, Refusal> {
        let chart = super::parse(text).map_err(|diagnostics| Refusal::first(&diagnostics))?;
        let (written, _) = syntax::parse(text);
        if !written.scopes.is_empty() {
            return Err(Refusal::new(
                "the drawing of a system of several charts cannot be edited; edit the text instead",
            ));
        }
        let numbers: BTreeMap<String, Id> = chart.state_ids().map(|s| (chart.path(s), s.index())).collect();
        let tree = Tree::of(&chart, &|path| numbers.get(path).copied());
        let lines: Vec<&str> = text.lines().collect();
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let (blocks, owners) = (Vec::new(), vec![ROOT; lines.len() + 1]);
        let mut source = Source { text, written, chart, tree, lines, starts, blocks, owners };
        for state in source.chart.state_ids() {
            let block = source.block_of(state.index());
            for line in block.clone().filter(|_| state != Chart::ROOT) {
                source.owners[line] = state.index();
            }
            source.blocks.push(block);
        }
        Ok(source)
    }

    /// The line of a byte, from 0.
    fn line(&self, at: u32) -> usize {
        self.starts.partition_point(|start| *start <= at as usize).saturating_sub(1)
    }

    /// The blanks at the beginning of a line.
    fn indent(&self, line: usize) -> &str {
        let line = self.lines.get(line).copied().unwrap_or_default();
        &line[..line.len() - line.trim_start().len()]
    }

    /// The line of a state.
    fn line_of(&self, state: Id) -> usize {
        self.line(self.chart.state(StateId::new(state)).span.start)
    }

    /// The lines of a state with all that is in it; of the chart, those between its braces.
    fn block(&self, state: Id) -> Range<usize> {
        self.blocks[state].clone()
    }

    /// Computes the lines of a state.
    fn block_of(&self, state: Id) -> Range<usize> {
        let depth = |line: &str| line.len() - line.trim_start().len();
        let is_code = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
        let first = self.line_of(state);
        let close = self.line(self.written.close.start).max(first + 1);
        if state == ROOT {
            return first + 1..close;
        }
        let column = depth(self.lines[first]);
        let rest = self.lines.get(first + 1..close).unwrap_or_default();
        let inside = rest.iter().take_while(|line| !is_code(line) || depth(line) > column);
        let length = inside.enumerate().filter(|(_, line)| is_code(line)).map(|(n, _)| n + 1).last();
        first..first + 1 + length.unwrap_or(0)
    }

    /// The same with the comments directly above it.
    fn block_with_comments(&self, state: Id) -> Range<usize> {
        let Range { start, end } = self.block(state);
        let column = self.indent(start).len();
        let is_comment = |line: &str| {
            line.trim_start().starts_with("//") && line.len() - line.trim_start().len() == column
        };
        let above = self.lines[..start].iter().rev().take_while(|line| is_comment(line)).count();
        start - above..end
    }

    /// The blanks before what is in a state.
    fn indent_in(&self, state: Id) -> String {
        let inside = self.tree.items[&state]
            .children
            .first()
            .map(|child| self.indent(self.line_of(*child)).to_owned());
        inside.unwrap_or_else(|| format!("{}  ", self.indent(self.line_of(state))))
    }

    /// The line before which a state is added that comes after all others in a state.
    fn after_states(&self, state: Id) -> usize {
        match self.tree.items[&state].children.last() {
            Some(last) => self.block(*last).end,
            None if state == ROOT => {
                let block = self.block(ROOT);
                let ends = |line: &str| {
                    line.trim_start().starts_with("property") || line.trim_start().starts_with("layout")
                };
                let lines = self.lines.iter().enumerate().skip(block.start).take(block.len());
                let mut ends = lines.filter(|(_, line)| ends(line)).map(|(number, _)| number);
                ends.next().unwrap_or(block.end)
            }
            None => self.block(state).end,
        }
    }

    /// The line before which a transition of a state is added: after its own lines, and before the states in it.
    fn before_states(&self, state: Id) -> usize {
        let first = self.tree.items[&state].children.first();
        first.map_or_else(|| self.after_states(state), |first| self.block_with_comments(*first).start)
    }

    /// The transition of an arrow: its place in the text, and the places of its targets.
    fn transition(&self, edge: usize) -> Result<(Id, Span, Vec<Span>, usize), Refusal> {
        let (source, t, target) = self.tree.arrow(edge)?;
        let written = self.written.states[source].transitions.get(t).ok_or_else(not_expressible)?;
        Ok((source, written.span, written.targets.iter().map(|name| name.span).collect(), target))
    }

    /// A name by which a state is found from another one in the intended chart: its label, or all of its path.
    fn name(&self, intended: &Tree, from: Id, to: Id) -> String {
        let item = &intended.items[&to];
        let is_beside = intended.items.get(&from).is_some_and(|source| source.parent == item.parent);
        let unique = intended.items.values().filter(|other| other.label == item.label).count() == 1;
        match is_beside || unique {
            true => quoted(&item.label),
            false => quoted(&intended.path(to).join(".")),
        }
    }

    /// The text with an edit, in which names of states are replaced: all, or only those that got another path.
    fn written(&self, edit: &Edit, intended: &Tree, all: bool) -> Result<String, Refusal> {
        let mut text = self.text.to_owned();
        let mut changes = self.renamed(intended, all);
        let spans = self.changes(edit, intended)?;
        // What is replaced as a whole needs no other names in it.
        changes.retain(|(place, _)| {
            spans.iter().all(|(span, _)| span.end <= place.start || place.end <= span.start)
        });
        changes.extend(spans);
        changes.sort_by_key(|(place, _)| place.start);
        for (place, new) in changes.iter().rev() {
            text.replace_range(place.clone(), new);
        }
        let mut lines = Lines { all: text.lines().map(str::to_owned).collect() };
        self.rearrange(edit, intended, &mut lines)?;
        let newline = newline(self.text);
        Ok(lines.all.join(newline) + if self.text.ends_with('\n') { newline } else { "" })
    }

    /// Changes within lines.
    fn changes(&self, edit: &Edit, intended: &Tree) -> Result<Vec<(Range<usize>, String)>, Refusal> {
        Ok(match edit {
            Edit::Rename { location, .. } => {
                let id = self.tree.find(location)?;
                let span = range(self.chart.state(StateId::new(id)).span);
                vec![(span, quoted(&intended.items[&id].label))]
            }
            Edit::SetStatements { edge, statements } => {
                let (source, t, _) = self.tree.arrow(*edge)?;
                let internal = self.written.states[source].transitions[t].internal;
                let (_, span, targets, _) = self.transition(*edge)?;
                vec![(range(span), self.rewritten(statements, internal, &targets))]
            }
            Edit::Reconnect { edge, source, target } => {
                let (from, _, targets, n) = self.transition(*edge)?;
                let (source, target) = (self.tree.find(source)?, self.tree.find(target)?);
                if from != source {
                    return Ok(vec![]);
                }
                vec![(range(targets[n]), self.name(intended, from, target))]
            }
            Edit::SetRole { location, role } => {
                let id = self.tree.find(location)?;
                self.role(id, *role, intended)
            }
            Edit::Move { places } => {
                let ids: Vec<Id> = places.iter().filter_map(|(name, _)| self.tree.find(name).ok()).collect();
                self.without_positions(&ids)
            }
            Edit::Chart(ChartEdit::Fold { state, folded }) => {
                let id = StateId::new(self.tree.find(state)?);
                let end = range(self.chart.state(id).span).end;
                match (*folded, self.written.states[id.index()].folded) {
                    (true, None) => vec![(end..end, " folded".to_owned())],
                    (false, Some(word)) => {
                        let before = self.text[..word.start as usize].trim_end().len();
                        vec![(before..word.end as usize, String::new())]
                    }
                    _ => vec![],
                }
            }
            Edit::Delete { locations, .. } => self.without_positions(&self.with_inside(locations)?),
            _ => vec![],
        })
    }

    /// Another role within the lines; an initial state may need a line.
    fn role(&self, id: Id, role: Role, intended: &Tree) -> Vec<(Range<usize>, String)> {
        let parent = self.tree.items[&id].parent;
        if role == Role::Initial {
            let Some((names, _)) = &self.written.states[parent].initial else { return vec![] };
            let (Some(first), Some(last)) = (names.first(), names.last()) else { return vec![] };
            return vec![(range(first.span.to(last.span)), quoted(&intended.items[&id].label))];
        }
        let line = self.line_of(id);
        let start =
            self.text.split_inclusive('\n').take(line).map(str::len).sum::<usize>() + self.indent(line).len();
        let old = if role == Role::Final { "state" } else { "final" };
        let new = if role == Role::Final { "final" } else { "state" };
        if self.text[start..].starts_with(old) {
            vec![(start..start + old.len(), new.to_owned())]
        } else {
            vec![]
        }
    }

    /// A transition with another label and the same targets.
    fn rewritten(&self, label: &str, internal: bool, targets: &[Span]) -> String {
        let first = targets.first().zip(targets.last());
        let targets = first.map_or("", |(first, last)| first.to(*last).of(self.text));
        transition(label, &format!("{}{targets}", if internal { "internal " } else { "" }))
    }

    /// Lines that are added, removed, moved or indented.
    fn rearrange(&self, edit: &Edit, intended: &Tree, lines: &mut Lines) -> Result<(), Refusal> {
        match edit {
            Edit::AddLocation { name, .. } => {
                let (parent, label) = name.rsplit_once('.').unwrap_or(("", name));
                let parent = self.tree.find_or_root(parent)?;
                let word = if self.tree.is_parallel(parent) { "region" } else { "state" };
                let new = format!("{}{word} {}", self.indent_in(parent), quoted(label));
                lines.insert(self.after_states(parent), vec![new]);
            }
            Edit::AddVariable { name, ty } => {
                let block = self.block(ROOT);
                let is_one = |line: &str| line.trim_start().starts_with("var ");
                let last = lines.all[block.clone()].iter().rposition(|line| is_one(line));
                let at = last.map_or(block.start, |last| block.start + last + 1);
                lines.insert(at, vec![format!("{}var {} : {ty}", self.indent_in(ROOT), quoted(name))]);
            }
            Edit::Connect { source, target, statements } => {
                let (source, target) = (self.tree.find(source)?, self.tree.find(target)?);
                let text = transition(statements, &self.name(intended, source, target));
                self.add_transition(source, &text, lines);
            }
            Edit::Reconnect { edge, source, target } => {
                let (from, span, targets, n) = self.transition(*edge)?;
                let (source, target) = (self.tree.find(source)?, self.tree.find(target)?);
                if from != source {
                    let old = targets[n];
                    let before = &self.text[span.start as usize..old.start as usize];
                    let after = &self.text[old.end as usize..span.end as usize];
                    let text = format!("{before}{}{after}", self.name(intended, source, target));
                    let at = self.before_states(source);
                    let new = format!("{}{}", self.indent_in(source), text.replace(['\n', '\r'], " "));
                    let gone = self.lines_of(span)?;
                    lines.insert(at, vec![new]);
                    lines.remove(if at <= gone.start { gone.start + 1..gone.end + 1 } else { gone });
                }
            }
            Edit::SetRole { location, role: Role::Initial } => {
                let id = self.tree.find(location)?;
                let parent = self.tree.items[&id].parent;
                if self.written.states[parent].initial.is_none() {
                    let new =
                        format!("{}initial {}", self.indent_in(parent), quoted(&intended.items[&id].label));
                    let at = if parent == ROOT { self.before_states(ROOT) } else { self.line_of(parent) + 1 };
                    lines.insert(at, vec![new]);
                }
            }
            Edit::Delete { locations, edges } => self.remove(locations, edges, lines)?,
            Edit::Chart(edit) => self.restructure(edit, intended, lines)?,
            Edit::Move { places } => self.put_positions(places, lines),
            _ => {}
        }
        Ok(())
    }

    fn add_transition(&self, source: Id, text: &str, lines: &mut Lines) {
        lines.insert(self.before_states(source), vec![format!("{}{text}", self.indent_in(source))]);
    }

    /// The lines of a transition that has lines of its own.
    fn lines_of(&self, span: Span) -> Result<Range<usize>, Refusal> {
        let (first, last) = (self.line(span.start), self.line(span.end));
        let before = self.text[..span.start as usize].rsplit('\n').next().unwrap_or_default();
        let after = self.text[span.end as usize..].split('\n').next().unwrap_or_default().trim();
        let is_alone = before.trim().is_empty() && (after.is_empty() || after.starts_with("//"));
        if is_alone {
            Ok(first..last + 1)
        } else {
            Err(Refusal::new("this transition shares its line with others; edit the text instead"))
        }
    }
}

/// A transition with a label as typed, such as `e [guard] / actions`, to targets.
fn transition(label: &str, targets: &str) -> String {
    let label = label.trim().replace(['\n', '\r'], " ");
    // A slash in the guard divides numbers.
    let guard = label.find('[').zip(label.find(']'));
    let slash = match guard {
        Some((open, close)) => {
            label.match_indices('/').map(|(at, _)| at).find(|at| *at < open || *at > close)
        }
        None => label.find('/'),
    };
    let (head, actions) = slash.map_or((label.as_str(), ""), |at| (&label[..at], &label[at..]));
    let head = head.trim();
    let first = head.split([' ', '[']).next().unwrap_or_default();
    let head = match first {
        "on" | "after" | "always" | "done" => head.to_owned(),
        "" => format!("always {head}").trim().to_owned(),
        _ => format!("on {head}"),
    };
    let target = if targets.is_empty() { String::new() } else { format!(" -> {targets}") };
    let actions = if actions.is_empty() { String::new() } else { format!(" {}", actions.trim()) };
    format!("{head}{target}{actions}")
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

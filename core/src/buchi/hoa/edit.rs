//! Edits of an automaton in its text: states are locations, transitions edges, whose statement is the label with the
//! names of atoms, and after it the acceptance sets of the transition: `request & !answer {0}`.
//!
//! A state without a name is called `q` and its number.

use std::collections::BTreeSet;

use super::label::{label_and_sets, name_in_label, named_label, typed};
use super::lex::{Tok, lex};
use super::names::{names, number_of, own_name};
use super::renumber::renumbered;
use super::written::{Block, EdgeAt, Item, Written};
use super::{as_written, quoted};
use crate::buchi::automaton::Automaton as Buchi;
use crate::buchi::guard::{Guard, Guards};
use crate::diagnostic::{Diagnostic, Span};
use crate::edit::automaton::{Automaton, EdgeText, Edit};
use crate::edit::lines::Lines;
use crate::edit::pins::{self, Comment, Pin};
use crate::edit::source::{self, Source, not_expressible};
use crate::edit::{Change, Refusal};
use crate::system::Role;

/// The automaton of a text, as it is written.
///
/// # Errors
/// The errors of the text.
pub fn automaton(text: &str) -> Result<Automaton, Vec<Diagnostic>> {
    Text::of(text.to_owned()).map(|text| text.automaton())
}

/// The automaton of a text, and as it is written. The transitions of a state are in the order of the text. An automaton
/// without exactly one initial state gets one more state, the last, which is initial and has the transitions of all
/// initial states of the text.
///
/// # Errors
/// The errors of the text.
pub fn drawn(text: &str) -> Result<(Buchi, Automaton), Vec<Diagnostic>> {
    Text::of(text.to_owned()).map(|text| (text.buchi.clone(), text.automaton()))
}

/// The changes of a text that carry out edits one after the other, each for the text after those before it.
///
/// # Errors
/// The first edit that is not possible. If one of them leads to a text that is not correct, or not the intended
/// automaton, none is carried out.
pub fn edit(text: &str, edits: &[Edit]) -> Result<Vec<Vec<Change>>, Refusal> {
    source::edited::<Text>(text, edits).map(|(all, _)| all)
}

/// The limit on operations for labels that are not in the text.
const OPERATIONS: usize = 200_000;
/// In place of a label that would be too long.
const MANY: &str = "\"many letters\"";

/// An automaton in its text.
pub(super) struct Text {
    pub(super) text: String,
    /// Its transitions are in the order of the text.
    buchi: Buchi,
    written: Written,
    /// The names of its states.
    pub(super) names: Vec<String>,
    /// By state, the number of its block, if it is described.
    described: Vec<Option<usize>>,
}

impl Source for Text {
    fn of(text: String) -> Result<Text, Vec<Diagnostic>> {
        let (buchi, written) = as_written(&text)?;
        let names = names(&text, &written);
        let mut described = vec![None; names.len()];
        written.blocks.iter().enumerate().for_each(|(number, block)| described[block.state] = Some(number));
        Ok(Text { text, buchi, written, names, described })
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn automaton(&self) -> Automaton {
        let is_initial = |state: &usize| self.written.starts.iter().any(|(start, ..)| start == state);
        let role = |state: usize| if is_initial(&state) { Role::Initial } else { Role::Plain };
        let mut guards = self.buchi.guards.clone();
        guards.limit(Some(OPERATIONS));
        let edges = self.edges().into_iter().map(|(state, number, edge)| EdgeText {
            source: self.names[state].clone(),
            target: self.names[self.number(edge.target)].clone(),
            statements: vec![self.label((state, number, edge), &mut guards)],
        });
        Automaton {
            variables: self.buchi.atoms.iter().map(|atom| (atom.clone(), String::new())).collect(),
            locations: self
                .names
                .iter()
                .enumerate()
                .map(|(state, name)| (name.clone(), role(state)))
                .collect(),
            accepting: (0..self.names.len())
                .filter(|state| self.is_accepting(*state))
                .map(|state| self.names[state].clone())
                .collect(),
            edges: edges.collect(),
            places: None,
            intervals: Vec::new(),
            pins: pins::of(&self.text, self.end(), Comment::Block),
        }
    }

    fn after(&self, edit: &Edit) -> Result<Automaton, Refusal> {
        let own = self.automaton();
        if Text::leaves_label(edit, &own) {
            return Ok(own);
        }
        let mut atoms = self.buchi.atoms.clone();
        let statements = match edit {
            Edit::Connect { statements, .. } | Edit::SetStatements { statements, .. } => {
                let (label, sets) = typed(statements, &mut atoms)?;
                vec![format!("{}{sets}", named_label(&label, &atoms))]
            }
            _ => vec![],
        };
        let mut new = own.after(edit, |_| Ok(statements.clone()))?;
        for atom in &atoms[self.buchi.atoms.len()..] {
            new.variables.push((atom.clone(), String::new()));
        }
        match edit {
            // A transition is written after the others of its state.
            Edit::Reconnect { edge, source, .. } if *source != own.edges[*edge].source => {
                let moved = new.edges.remove(*edge);
                new.edges.push(moved);
            }
            Edit::Delete { .. } => self.renumber(&mut new)?,
            // Without an acceptance set, all states are accepting.
            Edit::AddLocation { name, .. } if self.written.sets.is_empty() => {
                new.accepting.insert(name.clone());
            }
            _ => {}
        }
        let place = |edge: &EdgeText| new.locations.iter().position(|(name, _)| *name == edge.source);
        new.edges.sort_by_key(place);
        Ok(new)
    }

    fn changes(&self, edit: &Edit) -> Result<Vec<Change>, Refusal> {
        let mut changes = match edit {
            Edit::Move { places } => return Ok(self.pinned(places)),
            Edit::Rename { location, name } => return self.renamed(location, name),
            Edit::AddLocation { name, role } => self.with_state(name, *role)?,
            Edit::AddVariable { name, .. } => self.with_atoms(&[name]),
            Edit::Connect { source, target, statements } => self.connected(source, target, statements)?,
            Edit::SetRole { location, role } => self.with_role(self.state(location)?, *role)?,
            Edit::SetAccepting { locations, accepting } => self.with_acceptance(locations, *accepting)?,
            Edit::SetStatements { .. } if Text::leaves_label(edit, &self.automaton()) => vec![],
            Edit::SetStatements { edge, statements } => self.labelled(*edge, statements)?,
            Edit::Reconnect { edge, source, target } => self.reconnected(*edge, source, target)?,
            Edit::Delete { locations, edges } => self.without(locations, edges)?,
            // A paste was split into other edits before.
            Edit::AddTransition { .. } | Edit::SetTokens { .. } | Edit::SetInterval { .. } => {
                return Err(source::not_a_net());
            }
            Edit::Chart(_) | Edit::Paste { .. } => return Err(not_expressible()),
        };
        if !changes.is_empty() {
            changes.extend(self.claims(edit));
        }
        Ok(changes)
    }

    fn is_empty(text: &str) -> bool {
        lex(text).is_ok_and(|tokens| tokens.first().is_some_and(|token| token.tok == Tok::End))
    }

    fn begin(text: &str, name: &str) -> Result<Change, Refusal> {
        let name = own_name(name, 0)?;
        let first = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        let header = "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nacc-name: Buchi\nAcceptance: 1 Inf(0)";
        Ok(Change::insert(text.len(), format!("{first}{header}\n--BODY--\nState: 0{name}\n--END--\n")))
    }

    fn part(text: &str, into: &Automaton) -> Result<Automaton, Refusal> {
        let found = automaton(text).ok().filter(|part| !part.locations.is_empty());
        let mut part = found.ok_or_else(|| Refusal::new("the clipboard has no states of an automaton"))?;
        // States without a name are called after their new numbers.
        let first = into.locations.len();
        for at in (0..part.locations.len()).rev() {
            let old = part.locations[at].0.clone();
            if number_of(&old).is_some() {
                part.rename(&old, &format!("q{}", first + at))?;
            }
        }
        Ok(part)
    }
}

/// Acceptance sets in braces.
fn written_sets(sets: &[usize]) -> String {
    let sets: Vec<String> = sets.iter().map(usize::to_string).collect();
    format!("{{{}}}", sets.join(" "))
}

impl Text {
    /// Does an edit set the label that the transition has already?
    fn leaves_label(edit: &Edit, own: &Automaton) -> bool {
        let Edit::SetStatements { edge, statements } = edit else { return false };
        own.edges.get(*edge).is_some_and(|edge| edge.statements == [statements.trim()])
    }

    fn lines(&self) -> Lines<'_> {
        Lines(&self.text)
    }

    pub(super) fn end(&self) -> usize {
        self.written.end.end as usize
    }

    fn number(&self, span: Span) -> usize {
        span.of(&self.text).parse().unwrap_or_default()
    }

    fn state(&self, name: &str) -> Result<usize, Refusal> {
        self.names.iter().position(|own| own == name).ok_or_else(not_expressible)
    }

    fn block(&self, state: usize) -> Option<&Block> {
        self.written.blocks.get((*self.described.get(state)?)?)
    }

    /// The transitions: state, number out of it, and place.
    fn edges(&self) -> Vec<(usize, usize, &EdgeAt)> {
        let mut blocks: Vec<&Block> = self.written.blocks.iter().collect();
        blocks.sort_by_key(|block| block.state);
        let mut all = Vec::new();
        for block in blocks {
            all.extend(block.edges.iter().enumerate().map(|(number, edge)| (block.state, number, edge)));
        }
        all
    }

    fn edge(&self, number: usize) -> Result<(usize, &EdgeAt), Refusal> {
        self.edges().get(number).map(|(state, _, edge)| (*state, *edge)).ok_or_else(not_expressible)
    }

    /// The label of a transition, with its acceptance sets.
    fn label(&self, (state, number, edge): (usize, usize, &EdgeAt), guards: &mut Guards) -> String {
        let label = edge.label.or_else(|| self.block(state)?.label);
        let label = match label.map(|span| span.of(&self.text)).filter(|label| !label.contains('@')) {
            Some(label) => named_label(label, &self.buchi.atoms),
            // Without a label or with aliases, whose meaning is elsewhere.
            None => {
                let guard = self.buchi.states[state][number].guard;
                let name = |atom: u32| name_in_label(&self.buchi.atoms[atom as usize]);
                match guard {
                    Guard::TRUE => "true".to_owned(),
                    Guard::FALSE => "false".to_owned(),
                    _ if guards.is_exhausted() => MANY.to_owned(),
                    _ => {
                        let text = guards.text(guard, &name);
                        if guards.is_exhausted() { MANY.to_owned() } else { text }
                    }
                }
            }
        };
        match edge.marks {
            Some(marks) => format!("{label} {}", written_sets(&self.sets(marks))),
            None => label,
        }
    }

    /// The numbers of acceptance sets in braces.
    fn sets(&self, span: Span) -> Vec<usize> {
        let text = span.of(&self.text);
        let tokens = lex(text).unwrap_or_default();
        tokens.iter().filter_map(|token| token.span.of(text).parse().ok()).collect()
    }

    /// Does the text say that the state is accepting?
    fn is_accepting(&self, state: usize) -> bool {
        let marks = self.block(state).and_then(|block| block.marks);
        let own = marks.map_or_else(Vec::new, |span| self.sets(span));
        self.written.sets.iter().all(|set| own.contains(set))
    }

    fn pinned(&self, places: &[(String, Option<Pin>)]) -> Vec<Change> {
        pins::set(&self.text, (self.end(), Comment::Block), places)
    }

    /// Removes items of `properties:` that an edit can make untrue; those about the form of the text (`trans-labels`,
    /// `state-acc`, …) stay.
    fn claims(&self, edit: &Edit) -> Vec<Change> {
        let on_edge = match edit {
            Edit::Connect { statements, .. } | Edit::SetStatements { statements, .. } => {
                !label_and_sets(statements).1.is_empty()
            }
            _ => false,
        };
        let on_states = matches!(edit, Edit::SetAccepting { .. });
        let mut form = vec!["trans-labels", "explicit-labels", "no-univ-branch"];
        form.extend((!on_edge).then_some("state-acc"));
        form.extend((!on_states).then_some("trans-acc"));
        let mut changes = Vec::new();
        for Item { span, words, .. } in self.written.others.iter().filter(|item| item.name == "properties:") {
            let of = |word: &Span| word.of(&self.text);
            let untrue = |word: &&Span| !form.contains(&of(word));
            let untrue: Vec<Span> = words.iter().filter(untrue).copied().collect();
            if untrue.len() == words.len() && !of(span).contains("/*") {
                changes.push(self.lines().remove(*span));
            } else {
                changes.extend(untrue.into_iter().map(|word| self.lines().remove(word)));
            }
        }
        changes
    }

    /// A line of the header, before `--BODY--`.
    fn header(&self, item: &str) -> Change {
        let apart = self.lines().apart(self.written.body);
        Change::insert(self.written.body.start as usize, format!("{item}{apart}"))
    }

    /// Declarations after the last state.
    fn appended(&self, blocks: &[String]) -> Vec<Change> {
        let after = self.written.blocks.last().map_or(self.written.body, Block::span);
        let changes = blocks.iter().map(|block| self.lines().insert_after(after, block, false));
        let joined = |one: Change, other: Change| Change { text: one.text + &other.text, ..one };
        changes.reduce(joined).into_iter().collect()
    }

    /// Other numbers of states in the header.
    fn counted(&self, count: usize) -> Option<Change> {
        self.written.states.map(|span| Change::replace(span, count.to_string()))
    }

    fn with_state(&self, name: &str, role: Role) -> Result<Vec<Change>, Refusal> {
        let number = self.names.len();
        let name = own_name(name, number)?;
        let mut changes = self.appended(&[format!("State: {number}{name}")]);
        changes.extend(self.counted(number + 1));
        if role != Role::Plain {
            let initial = self.with_role(number, role)?;
            let own = format!("State: {number}");
            changes.extend(initial.into_iter().filter(|change| !change.text.contains(&own)));
        }
        Ok(changes)
    }

    fn with_atoms(&self, names: &[&String]) -> Vec<Change> {
        if names.is_empty() {
            return vec![];
        }
        let more: String = names.iter().map(|name| format!(" {}", quoted(name))).collect();
        let count = self.buchi.atoms.len() + names.len();
        match self.written.atoms {
            Some((number, item)) => {
                vec![Change::replace(number, count.to_string()), Change::insert(item.end as usize, more)]
            }
            None => vec![self.header(&format!("AP: {count}{more}"))],
        }
    }

    /// A typed label in brackets with its acceptance sets, and the changes that declare its new atoms.
    fn typed(&self, statements: &str) -> Result<(String, String, Vec<Change>), Refusal> {
        let mut atoms = self.buchi.atoms.clone();
        let (label, sets) = typed(statements, &mut atoms)?;
        let new: Vec<&String> = atoms[self.buchi.atoms.len()..].iter().collect();
        Ok((label, sets, self.with_atoms(&new)))
    }

    fn connected(&self, source: &str, target: &str, statements: &str) -> Result<Vec<Change>, Refusal> {
        let (label, sets, mut changes) = self.typed(statements)?;
        let edge = format!("[{label}] {}{sets}", self.state(target)?);
        changes.extend(self.with_edge(self.state(source)?, &edge)?);
        changes.extend(self.described(self.state(target)?, self.state(source)?));
        Ok(changes)
    }

    /// A state that others lead to, or that is initial, is described, unless it is this one.
    fn described(&self, state: usize, other: usize) -> Vec<Change> {
        match self.block(state) {
            None if state != other => self.appended(&[format!("State: {state}")]),
            _ => vec![],
        }
    }

    /// A transition after the others of its state.
    fn with_edge(&self, state: usize, edge: &str) -> Result<Vec<Change>, Refusal> {
        let Some(block) = self.block(state) else {
            return Ok(self.appended(&[format!("State: {state}{}{edge}", self.lines().newline())]));
        };
        if block.label.is_some() || block.edges.iter().any(|edge| edge.label.is_none()) {
            return Err(Refusal::new(
                "the transitions of this state have no labels of their own; edit the text instead",
            ));
        }
        let after = block.edges.last().map_or(block.head, |edge| edge.span);
        Ok(vec![self.lines().insert_after(after, edge, false)])
    }

    fn renamed(&self, location: &str, name: &str) -> Result<Vec<Change>, Refusal> {
        let state = self.state(location)?;
        if location == name {
            return Ok(vec![]);
        }
        let new = own_name(name, state)?;
        let mut changes = match self.block(state) {
            Some(Block { name: Some(old), .. }) if new.is_empty() => vec![self.lines().remove(*old)],
            Some(Block { name: Some(old), .. }) => vec![Change::replace(*old, new.trim_start())],
            Some(block) if !new.is_empty() => vec![Change::insert(block.number.end as usize, new)],
            None if !new.is_empty() => self.appended(&[format!("State: {state}{new}")]),
            _ => vec![],
        };
        let pin = pins::of(&self.text, self.end(), Comment::Block).get(location).copied();
        if let Some(pin) = pin {
            changes.extend(self.pinned(&[(location.to_owned(), None), (name.to_owned(), Some(pin))]));
        }
        Ok(changes)
    }

    /// The state becomes the initial one, or is none any more.
    fn with_role(&self, state: usize, role: Role) -> Result<Vec<Change>, Refusal> {
        let starts = &self.written.starts;
        match role {
            Role::Plain => {
                let own = starts.iter().filter(|(start, ..)| *start == state);
                Ok(own.map(|(_, _, item)| self.lines().remove(*item)).collect())
            }
            Role::Initial if starts.iter().any(|(start, ..)| *start == state) => {
                let others = starts.iter().filter(|(start, ..)| *start != state);
                Ok(others.map(|(_, _, item)| self.lines().remove(*item)).collect())
            }
            Role::Initial => {
                let mut changes = self.described(state, self.names.len());
                let Some(((_, number, _), others)) = starts.split_first() else {
                    changes.push(self.header(&format!("Start: {state}")));
                    return Ok(changes);
                };
                changes.push(Change::replace(*number, state.to_string()));
                changes.extend(others.iter().map(|(_, _, item)| self.lines().remove(*item)));
                Ok(changes)
            }
            _ => Err(Refusal::new("a Büchi automaton has no error or final states")),
        }
    }

    /// States are accepting, or not. Where all are, because there is no acceptance set, there is one then.
    fn with_acceptance(&self, names: &[String], accepting: bool) -> Result<Vec<Change>, Refusal> {
        let chosen = names.iter().map(|name| self.state(name)).collect::<Result<BTreeSet<usize>, _>>()?;
        let mut changes = Vec::new();
        let mut sets = self.written.sets.clone();
        let mut new: Vec<(usize, bool)> = chosen.iter().map(|state| (*state, accepting)).collect();
        if sets.is_empty() {
            if accepting || chosen.is_empty() {
                return Ok(changes);
            }
            sets.push(0);
            changes.push(Change::replace(self.written.acceptance, "Acceptance: 1 Inf(0)"));
            let names = self.written.others.iter().filter(|item| item.name == "acc-name:");
            changes.extend(names.map(|item| Change::replace(item.span, "acc-name: Buchi")));
            new.extend(
                (0..self.names.len()).filter(|state| !chosen.contains(state)).map(|state| (state, true)),
            );
        } else {
            new.retain(|(state, accepting)| self.is_accepting(*state) != *accepting);
        }
        let marks = format!(" {}", written_sets(&sets));
        let mut blocks = Vec::new();
        for (state, accepting) in new {
            let marks = if accepting { marks.as_str() } else { "" };
            match self.block(state) {
                Some(Block { marks: Some(old), .. }) => changes.push(match accepting {
                    true => Change::replace(*old, marks.trim_start()),
                    false => self.lines().remove(*old),
                }),
                Some(block) if accepting => {
                    let end = block.name.unwrap_or(block.number).end as usize;
                    changes.push(Change::insert(end, marks));
                }
                Some(_) => {}
                None if accepting => blocks.push(format!("State: {state}{marks}")),
                None => {}
            }
        }
        changes.extend(self.appended(&blocks));
        Ok(changes)
    }

    fn labelled(&self, edge: usize, statements: &str) -> Result<Vec<Change>, Refusal> {
        let (_, edge) = self.edge(edge)?;
        let (label, sets, mut changes) = self.typed(statements)?;
        let Some(old) = edge.label else {
            return Err(Refusal::new("this transition has no label of its own; edit the text instead"));
        };
        if old.of(&self.text) != label {
            changes.push(Change::replace(old, label));
        }
        let written = edge.marks.map_or_else(String::new, |span| written_sets(&self.sets(span)));
        match edge.marks {
            _ if written == sets.trim() => {}
            Some(old) if sets.is_empty() => changes.push(self.lines().remove(old)),
            Some(old) => changes.push(Change::replace(old, sets.trim_start())),
            None => changes.push(Change::insert(edge.target.end as usize, sets)),
        }
        Ok(changes)
    }

    fn reconnected(&self, edge: usize, source: &str, target: &str) -> Result<Vec<Change>, Refusal> {
        let (from, edge) = self.edge(edge)?;
        let (source, target) = (self.state(source)?, self.state(target)?);
        if from == source {
            let same = self.number(edge.target) == target;
            if same {
                return Ok(vec![]);
            }
            let changes = vec![Change::replace(edge.target, target.to_string())];
            return Ok([changes, self.described(target, source)].concat());
        }
        if edge.label.is_none() {
            return Err(Refusal::new("this transition has no label of its own; edit the text instead"));
        }
        let before = Span::new(edge.span.start as usize, edge.target.start as usize).of(&self.text);
        let after = Span::new(edge.target.end as usize, edge.span.end as usize).of(&self.text);
        let gone = self.lines().remove(edge.span);
        let mut changes = self.with_edge(source, &format!("{before}{target}{after}"))?;
        match &mut changes[..] {
            // After the line that is removed.
            [new] if gone.span.start < new.span.start && new.span.start < gone.span.end => {
                let newline = self.lines().newline();
                new.text = format!("{}{newline}", new.text.trim_start_matches(newline));
                new.span = gone.span;
            }
            _ => changes.push(gone),
        }
        changes.extend(self.described(target, source));
        Ok(changes)
    }

    /// Without states and transitions; states with larger numbers get smaller ones.
    fn without(&self, locations: &[String], edges: &[usize]) -> Result<Vec<Change>, Refusal> {
        let gone = locations.iter().map(|name| self.state(name)).collect::<Result<BTreeSet<usize>, _>>()?;
        let removed = self.automaton().removed(locations, edges);
        let lines = self.lines();
        let mut changes = Vec::new();
        for (number, (state, _, edge)) in self.edges().into_iter().enumerate() {
            match (removed.contains(&number), gone.contains(&state)) {
                (_, true) => {}
                (true, false)
                    if edge.label.is_none() && self.block(state).is_some_and(|b| b.label.is_none()) =>
                {
                    return Err(Refusal::new(
                        "this transition has no label of its own; edit the text instead",
                    ));
                }
                (true, false) => changes.push(lines.remove(edge.span)),
                (false, false) => changes.extend(renumbered(&gone, self.number(edge.target), edge.target)),
            }
        }
        for block in &self.written.blocks {
            match gone.contains(&block.state) {
                true => {
                    changes.push(lines.remove(block.head));
                    changes.extend(block.edges.iter().map(|edge| lines.remove(edge.span)));
                }
                false => changes.extend(renumbered(&gone, block.state, block.number)),
            }
        }
        for (start, number, item) in &self.written.starts {
            match gone.contains(start) {
                true => changes.push(lines.remove(*item)),
                false => changes.extend(renumbered(&gone, *start, *number)),
            }
        }
        if !gone.is_empty() {
            changes.extend(self.counted(self.names.len() - gone.len()));
        }
        changes.extend(self.pinned(&self.new_places(&gone)));
        Ok(changes)
    }
}

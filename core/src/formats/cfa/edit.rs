//! Edits of the automaton of a `.cfa` text, as changes of the text.

use super::syntax::{self, EdgeDecl, LocationDecl, Process, Spec, Statement};
use crate::diagnostic::{Diagnostic, Span};
use crate::edit::automaton::{Automaton, EdgeText, Edit};
use crate::edit::lines::Lines;
use crate::edit::pins::{self, Comment, Pin};
use crate::edit::source::{self, Source, not_expressible};
use crate::edit::{Change, Refusal};
use crate::formats::Name;
use crate::system::Role;

const NO_ACCEPTANCE: &str = "control flow automata have no accepting locations";

/// The automaton of a text, as it is written.
///
/// # Errors
/// The errors of the text. Names and types are not checked.
pub fn automaton(text: &str) -> Result<Automaton, Vec<Diagnostic>> {
    Text::of(text.to_owned()).map(|source| source.automaton())
}

/// The changes of a text that carry out edits one after the other, each for the text after those before it.
///
/// # Errors
/// The first edit that is not possible. If one of them leads to a text that is not correct, or not the intended model,
/// none is carried out.
pub fn edit(text: &str, edits: &[Edit]) -> Result<Vec<Vec<Change>>, Refusal> {
    let (all, source) = source::edited::<Text>(text, edits)?;
    match source.map(|source| super::check(&source.spec)) {
        Some(Err(diagnostics)) => Err(Refusal::first(&diagnostics)),
        _ => Ok(all),
    }
}

/// The single statements of what was typed.
fn typed(text: &str) -> Result<Vec<String>, Refusal> {
    let statements = syntax::statements(text).map_err(|diagnostic| Refusal::first(&[diagnostic]))?;
    Ok(statements.iter().map(|statement| statement.span.of(text).to_owned()).collect())
}

/// A part of an automaton as declarations, for the clipboard.
#[must_use]
pub fn copied(part: &Automaton) -> String {
    let mut lines: Vec<String> =
        part.variables.iter().map(|(name, ty)| format!("var {name} : {ty}")).collect();
    lines.extend(part.locations.iter().map(|(name, role)| format!("{}loc {name}", word(*role))));
    for EdgeText { source, target, statements } in &part.edges {
        lines.push(format!("{source} -> {target}{}", block(statements, "", "\n")));
    }
    lines.extend(part.pins.iter().map(|(name, pin)| pins::written(name, *pin, Comment::Line)));
    lines.join("\n")
}

fn named(name: &str) -> Result<(), Refusal> {
    if syntax::is_name(name) {
        return Ok(());
    }
    let why = "a name has letters, digits and _, does not begin with a digit, and is no reserved word";
    Err(Refusal::new(format!("'{name}' cannot be a name: {why}")))
}

/// The word for a role before `loc`.
fn word(role: Role) -> &'static str {
    match role {
        Role::Plain => "",
        Role::Initial => "init ",
        Role::Final => "final ",
        Role::Error => "error ",
    }
}

/// A text with its parts.
struct Text {
    text: String,
    spec: Spec,
    main: usize,
}

impl Source for Text {
    fn of(text: String) -> Result<Text, Vec<Diagnostic>> {
        crate::diagnostic::check_source(&text)?;
        let (spec, diagnostics) = syntax::parse(&text);
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        let main = spec.processes.iter().position(|process| process.main);
        let none = || vec![Diagnostic::error(spec.end, "there is no main process")];
        let main = main.ok_or_else(none)?;
        Ok(Text { text, spec, main })
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn automaton(&self) -> Automaton {
        let main = self.main();
        let variables = self.spec.globals.iter().chain(&main.variables);
        let edge = |edge: &EdgeDecl| EdgeText {
            source: edge.source.text.clone(),
            target: edge.target.text.clone(),
            statements: edge.statements.iter().map(|s| s.span.of(&self.text).to_owned()).collect(),
        };
        Automaton {
            variables: variables
                .map(|v| (v.name.text.clone(), v.ty.span.of(&self.text).to_owned()))
                .collect(),
            locations: main.locations.iter().map(|l| (l.name.text.clone(), l.kind.role())).collect(),
            edges: main.edges.iter().map(edge).collect(),
            pins: pins::of(&self.text, self.end(), Comment::Line),
            ..Automaton::default()
        }
    }

    fn after(&self, edit: &Edit) -> Result<Automaton, Refusal> {
        self.automaton().after(edit, typed)
    }

    /// The changes of an edit that is possible for this automaton.
    fn changes(&self, edit: &Edit) -> Result<Vec<Change>, Refusal> {
        let main = self.main();
        Ok(match edit {
            Edit::AddLocation { name, role } => {
                named(name)?;
                let mut changes = self.giving_up(*role);
                let last = main.locations.last().ok_or_else(not_expressible)?;
                changes.push(self.lines().insert_after(
                    last.span,
                    &format!("{}loc {name}", word(*role)),
                    false,
                ));
                changes
            }
            Edit::AddVariable { name, ty } => {
                named(name)?;
                vec![self.variable(&format!("var {name} : {}", ty.trim()))?]
            }
            Edit::Connect { source, target, statements } => {
                let edge = |indent: &str| {
                    let body = block(&typed(statements)?, indent, self.lines().newline());
                    Ok(format!("{source} -> {target}{body}"))
                };
                let (after, apart) = match (main.edges.last(), main.locations.last()) {
                    (Some(edge), _) => (edge.span, false),
                    (None, location) => (location.ok_or_else(not_expressible)?.span, true),
                };
                vec![self.lines().insert_after(after, &edge(self.lines().indent(after))?, apart)]
            }
            Edit::Rename { location, name } => {
                named(name)?;
                let renamed = self.uses(location).map(|span| Change::replace(span, name)).collect();
                let pin = pins::of(&self.text, self.end(), Comment::Line).get(location).copied();
                let places = pin.map(|pin| [(location.clone(), None), (name.clone(), Some(pin))]);
                let moved = places.filter(|_| location != name).map(|places| self.pinned(&places));
                [renamed, moved.unwrap_or_default()].concat()
            }
            Edit::SetRole { location, role } => {
                let decl = self.location(location).ok_or_else(not_expressible)?;
                match decl.kind.role() == *role {
                    true => vec![],
                    false => [self.giving_up(*role), vec![self.with_role(decl, *role)]].concat(),
                }
            }
            Edit::SetStatements { edge, statements } => {
                self.statements(main.edges.get(*edge).ok_or_else(not_expressible)?, &typed(statements)?)
            }
            Edit::Reconnect { edge, source, target } => {
                let edge = main.edges.get(*edge).ok_or_else(not_expressible)?;
                let ends = [(&edge.source, source), (&edge.target, target)];
                let other = ends.into_iter().filter(|(old, new)| old.text != **new);
                other.map(|(old, new)| Change::replace(old.span, new)).collect()
            }
            Edit::Delete { locations, edges } => {
                let edges =
                    self.automaton().removed(locations, edges).into_iter().map(|i| main.edges[i].span);
                let gone = |l: &&LocationDecl| locations.contains(&l.name.text);
                let spans = main.locations.iter().filter(gone).map(|location| location.span).chain(edges);
                let places: Vec<_> = locations.iter().map(|name| (name.clone(), None)).collect();
                spans.map(|span| self.lines().remove(span)).chain(self.pinned(&places)).collect()
            }
            Edit::AddTransition { .. } | Edit::SetTokens { .. } | Edit::SetInterval { .. } => {
                return Err(source::not_a_net());
            }
            Edit::Chart(_) | Edit::Paste { .. } => return Err(not_expressible()),
            Edit::SetAccepting { .. } => return Err(Refusal::new(NO_ACCEPTANCE)),
            Edit::Move { places } => self.pinned(places),
        })
    }

    fn is_empty(text: &str) -> bool {
        let (spec, diagnostics) = syntax::parse(text);
        diagnostics.is_empty() && spec.processes.is_empty() && spec.globals.is_empty()
    }

    /// A new automaton with one location, after what a text has.
    fn begin(text: &str, name: &str) -> Result<Change, Refusal> {
        named(name)?;
        let first = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        let automaton = format!("{first}main process automaton {{\n    init loc {name}\n}}\n");
        Ok(Change::insert(text.len(), automaton))
    }

    /// The automaton of declarations, as [`copied`] writes them, or of a whole text.
    fn part(text: &str, _: &Automaton) -> Result<Automaton, Refusal> {
        let body = pins::body(text);
        let wrapped = format!("main process part {{\n{body}\n}}\n{}", &text[body.len()..]);
        let found = automaton(&wrapped).or_else(|_| automaton(text));
        let found = found.ok().filter(|part| !part.locations.is_empty());
        found.ok_or_else(|| Refusal::new("the clipboard has no locations of an automaton"))
    }
}

impl Text {
    fn lines(&self) -> Lines<'_> {
        Lines(&self.text)
    }

    fn main(&self) -> &Process {
        &self.spec.processes[self.main]
    }

    /// The end of the model, after which lines with places may follow.
    fn end(&self) -> usize {
        self.spec.last.end as usize
    }

    /// A new variable: after the others, or before the locations.
    fn variable(&self, text: &str) -> Result<Change, Refusal> {
        let main = self.main();
        if let Some(last) = main.variables.last() {
            return Ok(self.lines().insert_after(last.span, text, false));
        }
        let first = main.locations.first().ok_or_else(not_expressible)?.span;
        let apart = self.lines().apart(first);
        Ok(Change::insert(first.start as usize, format!("{text}{apart}")))
    }

    fn location(&self, name: &str) -> Option<&LocationDecl> {
        self.main().locations.iter().find(|location| location.name.text == name)
    }

    /// The places of the name of a location.
    fn uses<'b>(&'b self, location: &'b str) -> impl Iterator<Item = Span> + 'b {
        let main = self.main();
        let ends = main.edges.iter().flat_map(|edge| [&edge.source, &edge.target]);
        let names = main.locations.iter().map(|location| &location.name).chain(ends);
        names.filter(move |Name { text, .. }| text == location).map(|name| name.span)
    }

    fn pinned(&self, places: &[(String, Option<Pin>)]) -> Vec<Change> {
        pins::set(&self.text, (self.end(), Comment::Line), places)
    }

    /// The location with a role of which there is one becomes plain.
    fn giving_up(&self, role: Role) -> Vec<Change> {
        let own = |location: &&LocationDecl| role != Role::Plain && location.kind.role() == role;
        self.main().locations.iter().filter(own).map(|decl| self.with_role(decl, Role::Plain)).collect()
    }

    /// Another word before `loc`.
    fn with_role(&self, decl: &LocationDecl, role: Role) -> Change {
        let start = decl.span.start as usize;
        let old = word(decl.kind.role()).trim_end();
        let blank = self.text[start + old.len()..].starts_with(' ') && !old.is_empty();
        Change::replace(Span::new(start, start + old.len() + usize::from(blank)), word(role))
    }

    /// The statements of an edge become others; those that are the same stay as they are.
    fn statements(&self, edge: &EdgeDecl, new: &[String]) -> Vec<Change> {
        let old: Vec<&str> = edge.statements.iter().map(|s| s.span.of(&self.text)).collect();
        let Some(body) = edge.body else {
            let block = block(new, self.lines().indent(edge.span), self.lines().newline());
            return vec![Change::insert(edge.target.span.end as usize, block)];
        };
        let inside = Span::new(body.start as usize + 1, body.end as usize - 1);
        let after = Span::new(edge.target.span.end as usize, body.end as usize);
        let comments = ["//", "/*"].iter().any(|comment| after.of(&self.text).contains(comment));
        let lines = inside.of(&self.text).contains('\n');
        if !comments && (new.is_empty() || (old.len() < 2 && new.len() > 1 && !lines)) {
            let block = block(new, self.lines().indent(edge.span), self.lines().newline());
            return vec![Change::replace(after, block)];
        }
        let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        let rest = (old.len() - same).min(new.len() - same);
        let end = (0..rest).take_while(|i| old[old.len() - 1 - i] == new[new.len() - 1 - i]).count();
        let (before, now) = (&edge.statements[same..old.len() - end], &new[same..new.len() - end]);
        // One for one, as far as there are as many; the comments between them stay.
        let paired = before.iter().zip(now);
        let differs = |(old, new): &(&Statement, &String)| old.span.of(&self.text) != new.as_str();
        let mut changes: Vec<Change> =
            paired.filter(differs).map(|(old, new)| Change::replace(old.span, new)).collect();
        let pairs = before.len().min(now.len());
        changes.extend(before[pairs..].iter().map(|old| self.lines().remove(self.with_semicolon(old.span))));
        let more = &now[pairs..];
        if more.is_empty() {
            return changes;
        }
        let at = (same + pairs).checked_sub(1);
        match (at, edge.statements.first()) {
            (Some(last), _) => {
                let last = self.with_semicolon(edge.statements[last].span);
                changes.extend(
                    more.iter().map(|text| self.lines().insert_after(last, text, false)).reduce(joined),
                );
            }
            (None, Some(first)) => {
                let (start, apart) = (first.span.start as usize, self.lines().apart(first.span));
                let text: String = more.iter().map(|text| format!("{text}{apart}")).collect();
                changes.push(Change::insert(start, text));
            }
            (None, None) if !comments => {
                let block = block(new, self.lines().indent(edge.span), self.lines().newline());
                changes.push(Change::replace(body, block.trim_start()));
            }
            (None, None) => changes.push(Change::insert(inside.end as usize, format!("{} ", new.join(" ")))),
        }
        changes
    }

    /// A statement with the semicolon after it.
    fn with_semicolon(&self, span: Span) -> Span {
        let rest = &self.text[span.end as usize..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let semicolon = rest[blank..].starts_with(';');
        if semicolon { Span::new(span.start as usize, span.end as usize + blank + 1) } else { span }
    }
}

/// Two insertions at one place.
fn joined(first: Change, second: Change) -> Change {
    Change { text: first.text + &second.text, ..first }
}

/// The statements of an edge with their braces, after a blank: one on the line of the edge, several on lines of their
/// own.
fn block(statements: &[String], indent: &str, newline: &str) -> String {
    match statements {
        [] => String::new(),
        [one] => format!(" {{ {one} }}"),
        many => {
            let lines: String = many.iter().map(|one| format!("{indent}    {one}{newline}")).collect();
            format!(" {{{newline}{lines}{indent}}}")
        }
    }
}

//! Edits of the net of a `.pn` text, as changes of the text.

use super::syntax::{self, Item, PlaceDecl, Spec, TransitionDecl};
use super::{name, typed_interval};
use crate::diagnostic::{Diagnostic, Span, check_source};
use crate::edit::automaton::{Automaton, Edit};
use crate::edit::lines::Lines;
use crate::edit::net::{self, Arc};
use crate::edit::pins::Pin;
use crate::edit::source::{Source, not_expressible};
use crate::edit::{Change, Refusal};
use crate::expr::{Parser, Syntax, Tok};
use crate::formats::net::edited;
use crate::formats::tidy;
use crate::net::{ArcKind, Net};

/// The net of a text, as it is written.
///
/// # Errors
/// The errors of the text.
pub fn automaton(text: &str) -> Result<Automaton, Vec<Diagnostic>> {
    Text::of(text.to_owned()).map(|source| source.automaton())
}

/// The changes of a text that carry out edits one after the other, each for the text after those before it.
///
/// # Errors
/// The first edit that is not possible; none is carried out then.
pub fn edit(text: &str, edits: &[Edit]) -> Result<Vec<Vec<Change>>, Refusal> {
    edited::<Text>(text, edits, |source| (source.net, source.text))
}

/// A text with its parts.
struct Text {
    text: String,
    spec: Spec,
    net: Net,
}

impl Source for Text {
    fn of(text: String) -> Result<Text, Vec<Diagnostic>> {
        check_source(&text)?;
        let (spec, out) = syntax::read(&text);
        let net = syntax::net(&spec, out).map_err(tidy)?;
        Ok(Text { text, spec, net })
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn automaton(&self) -> Automaton {
        net::automaton(&self.net, &self.net.pins)
    }

    fn after(&self, edit: &Edit) -> Result<Automaton, Refusal> {
        net::after(&self.automaton(), edit, (named, typed_interval))
    }

    fn changes(&self, edit: &Edit) -> Result<Vec<Change>, Refusal> {
        let automaton = self.automaton();
        let arc = |edge: usize| automaton.arc(automaton.edges.get(edge).ok_or_else(not_expressible)?);
        Ok(match edit {
            Edit::AddLocation { name: new, .. } => vec![self.declared(true, &format!("place {}", name(new)))],
            Edit::AddTransition { name: new } => {
                vec![self.declared(false, &format!("transition {}: ->", name(new)))]
            }
            Edit::SetTokens { place, tokens } => {
                vec![self.tokens(self.place(place).ok_or_else(not_expressible)?, *tokens)]
            }
            Edit::SetInterval { node, interval } => {
                self.interval(node, &typed_interval(interval)?).ok_or_else(not_expressible)?
            }
            Edit::Connect { .. } | Edit::SetStatements { .. } | Edit::Reconnect { .. } => {
                let after = self.after(edit)?;
                let mut arcs = Vec::new();
                for edge in after.edges.iter().filter(|edge| !automaton.edges.contains(edge)) {
                    arcs.push(after.arc(edge)?);
                }
                let mut gone = Vec::new();
                for edge in automaton.edges.iter().filter(|edge| !after.edges.contains(edge)) {
                    gone.push(automaton.arc(edge)?);
                }
                match (&gone[..], &arcs[..]) {
                    // Another weight is written into its place.
                    ([old], [new]) if side(old) == side(new) && old.place == new.place => {
                        self.reweighted(old, new.weight)
                    }
                    _ => self.rearranged(&gone, &arcs),
                }
            }
            Edit::Rename { location, name: new } => self.renamed(location, &name(new)),
            Edit::Delete { locations, edges } => {
                let mut gone = Vec::new();
                for edge in automaton.removed(locations, edges) {
                    let arc = arc(edge)?;
                    if !locations.iter().any(|name| name == arc.transition) {
                        gone.push(arc);
                    }
                }
                let places: Vec<_> = locations.iter().map(|name| (name.clone(), None)).collect();
                let spans = self.declarations().filter(|(name, _)| locations.iter().any(|gone| gone == name));
                let removed = spans.map(|(_, span)| self.lines().remove(span));
                removed.chain(self.rearranged(&gone, &[])).chain(self.pinned(&places)).collect()
            }
            Edit::Move { places } => self.pinned(places),
            Edit::SetRole { .. }
            | Edit::SetAccepting { .. }
            | Edit::AddVariable { .. }
            | Edit::Chart(_)
            | Edit::Paste { .. } => {
                return Err(not_expressible());
            }
        })
    }

    fn is_empty(text: &str) -> bool {
        check_source(text).is_ok() && Parser::new(text, Syntax::Ltl).tok() == Tok::End
    }

    fn begin(text: &str, new: &str) -> Result<Change, Refusal> {
        named(new)?;
        let first = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        Ok(Change::insert(text.len(), format!("{first}net drawn {{\n  place {}\n}}\n", name(new))))
    }

    fn part(text: &str, _: &Automaton) -> Result<Automaton, Refusal> {
        part(text)
    }
}

/// The part of a net that a clipboard has: a text of this language, or its declarations.
pub(crate) fn part(text: &str) -> Result<Automaton, Refusal> {
    let found = automaton(text).or_else(|_| automaton(&format!("net part {{ {text} \n}}")));
    let found = found.ok().filter(|part| !part.locations.is_empty());
    found.ok_or_else(|| Refusal::new("the clipboard has no part of a net"))
}

/// Can this be a name?
fn named(name: &str) -> Result<(), Refusal> {
    match name.trim().is_empty() || name.contains(['"', '\n', '\r']) {
        true => Err(Refusal::new(format!(
            "'{name}' cannot be a name: a name is not empty and has no quotation marks"
        ))),
        false => Ok(()),
    }
}

/// What an arc is written beside.
fn side<'a>(arc: &Arc<'a>) -> (&'a str, ArcKind) {
    (arc.transition, arc.kind)
}

fn written(arc: &Arc<'_>) -> String {
    if arc.weight == 1 { name(arc.place) } else { format!("{} {}", arc.weight, name(arc.place)) }
}

impl Text {
    fn lines(&self) -> Lines<'_> {
        Lines(&self.text)
    }

    fn place(&self, name: &str) -> Option<&PlaceDecl> {
        self.spec.places.iter().find(|place| place.name.text == name)
    }

    fn transition(&self, name: &str) -> Option<&TransitionDecl> {
        self.spec.transitions.iter().find(|transition| transition.name.text == name)
    }

    /// The declarations of places and transitions, with their names.
    fn declarations(&self) -> impl Iterator<Item = (&str, Span)> {
        let places = self.spec.places.iter().map(|place| (place.name.text.as_str(), place.span));
        places.chain(self.spec.transitions.iter().map(|t| (t.name.text.as_str(), t.span)))
    }

    /// A new declaration, after the others of its kind.
    fn declared(&self, place: bool, text: &str) -> Change {
        let places = self.spec.places.last().map(|place| place.span);
        let transitions = self.spec.transitions.last().map(|transition| transition.span);
        let (own, other) = if place { (places, None) } else { (transitions, places) };
        match (own, other) {
            (Some(last), _) => self.lines().insert_after(last, text, false),
            (None, Some(last)) => self.lines().insert_after(last, text, true),
            (None, None) => self.first(text),
        }
    }

    /// A declaration after the brace at the beginning.
    fn first(&self, text: &str) -> Change {
        let newline = self.lines().newline();
        let open = self.spec.open.end as usize;
        let is_alone = self.lines().rest_of_line(open).trim().is_empty() && self.text[open..].contains('\n');
        match is_alone {
            true => {
                let end = open + self.lines().rest_of_line(open).len();
                Change::insert(end, format!("{newline}  {text}"))
            }
            false => Change::insert(open, format!(" {text} ")),
        }
    }

    fn tokens(&self, place: &PlaceDecl, tokens: u32) -> Change {
        match (place.tokens, tokens) {
            (Some((_, span)), 0) => Change::replace(Span { start: place.named, end: span.end }, ""),
            (Some((_, span)), tokens) => {
                let number = span.end as usize - number_at_end(span.of(&self.text)).len();
                Change::replace(Span::new(number, span.end as usize), tokens.to_string())
            }
            (None, 0) => Change::insert(place.named as usize, ""),
            (None, tokens) => Change::insert(place.named as usize, format!(" = {tokens}")),
        }
    }

    /// Another interval of a place or a transition, or none.
    fn interval(&self, node: &str, interval: &str) -> Option<Vec<Change>> {
        let place = self.place(node).map(|p| (p.tokens.map_or(p.named, |(_, span)| span.end), p.delay));
        let (before, old) = place.or_else(|| self.transition(node).map(|t| (t.named, t.delay)))?;
        let change = match old {
            Some((_, span)) if interval.is_empty() => {
                // With the blanks before it, but not with a comment.
                let start = self.text[..span.start as usize].trim_end_matches([' ', '\t']).len();
                Change::replace(Span::new(start, span.end as usize), "")
            }
            Some((_, span)) => Change::replace(span, interval),
            None if interval.is_empty() => return Some(Vec::new()),
            None => Change::insert(before as usize, format!(" {interval}")),
        };
        Some(vec![change])
    }

    /// The arcs between the place and the transition of an arc that are of its kind, as written.
    fn items(&self, arc: &Arc<'_>) -> Vec<&Item> {
        let sides = self.transition(arc.transition).map(TransitionDecl::sides);
        let own = sides.into_iter().flatten().filter(|(kind, _)| *kind == arc.kind);
        own.flat_map(|(_, items)| items).filter(|item| item.place.text == arc.place).collect()
    }

    /// Another weight of an arc, which may be written as several.
    fn reweighted(&self, old: &Arc<'_>, weight: u32) -> Vec<Change> {
        let [first, more @ ..] = &self.items(old)[..] else { return Vec::new() };
        let new = Arc { weight, ..*old };
        if more.is_empty() {
            let place = first.place.span.of(&self.text);
            let text = if weight == 1 { place.to_owned() } else { format!("{weight} {place}") };
            return vec![Change::replace(first.span, text)];
        }
        self.rearranged(&[*old], &[new])
    }

    /// Some arcs are not written any more, others are new.
    fn rearranged(&self, gone: &[Arc<'_>], new: &[Arc<'_>]) -> Vec<Change> {
        let mut changes = Vec::new();
        for transition in &self.spec.transitions {
            for (kind, items) in transition.sides() {
                let own = |arc: &&Arc<'_>| side(arc) == (transition.name.text.as_str(), kind);
                let gone: Vec<&str> = gone.iter().filter(own).map(|arc| arc.place).collect();
                let new: Vec<String> = new.iter().filter(own).map(written).collect();
                if !gone.is_empty() || !new.is_empty() {
                    self.side(transition, (kind, items), &gone, &new, &mut changes);
                }
            }
        }
        changes
    }

    /// The changes of one side of a transition.
    fn side(
        &self,
        transition: &TransitionDecl,
        (kind, items): (ArcKind, &[Item]),
        gone: &[&str],
        new: &[String],
        changes: &mut Vec<Change>,
    ) {
        let separator = if kind == ArcKind::Inhibitor { ", " } else { " + " };
        let new = new.join(separator);
        let is_gone = |item: &Item| gone.contains(&item.place.text.as_str());
        let (first, last) = match items {
            [] => return changes.push(self.begun(transition, kind, &new)),
            [first, ..] => (first, &items[items.len() - 1]),
        };
        if items.iter().all(is_gone) {
            let whole = Span { start: first.span.start, end: last.span.end };
            changes.push(match new.is_empty() {
                false => Change::replace(whole, new),
                true => self.ended(transition, kind, whole),
            });
            return;
        }
        let mut kept = false;
        for (at, item) in items.iter().enumerate() {
            let span = match (is_gone(item), kept) {
                (false, _) => {
                    kept = true;
                    continue;
                }
                (true, true) => Span { start: items[at - 1].span.end, end: item.span.end },
                (true, false) => Span { start: item.span.start, end: items[at + 1].span.start },
            };
            changes.push(Change::replace(span, ""));
        }
        if !new.is_empty() {
            let more = format!("{separator}{new}");
            match changes.last_mut().filter(|change| change.span.end == last.span.end) {
                Some(change) => change.text = more,
                None => changes.push(Change::insert(last.span.end as usize, more)),
            }
        }
    }

    /// The first arcs of a side.
    fn begun(&self, transition: &TransitionDecl, kind: ArcKind, new: &str) -> Change {
        let arrow = transition.arrow;
        match kind {
            ArcKind::Input => {
                let blank = if self.text[..arrow.start as usize].ends_with(' ') { "" } else { " " };
                Change::insert(arrow.start as usize, format!("{blank}{new} "))
            }
            ArcKind::Output => Change::insert(arrow.end as usize, format!(" {new}")),
            ArcKind::Inhibitor | ArcKind::Read => {
                let end = transition.outputs.last().map_or(arrow.end, |item| item.span.end);
                Change::insert(end as usize, format!(" unless {new}"))
            }
        }
    }

    /// A side has no arcs any more.
    fn ended(&self, transition: &TransitionDecl, kind: ArcKind, items: Span) -> Change {
        let (start, end) = (items.start as usize, items.end as usize);
        match kind {
            ArcKind::Input => {
                let blanks = self.text[end..].len() - self.text[end..].trim_start_matches(' ').len();
                Change::replace(Span::new(start, end + blanks), "")
            }
            ArcKind::Output | ArcKind::Inhibitor | ArcKind::Read => {
                let start = if kind == ArcKind::Output { start } else { transition.unless.start as usize };
                let start = self.text[..start].trim_end_matches(' ').len();
                Change::replace(Span::new(start, end), "")
            }
        }
    }

    /// Another name, everywhere.
    fn renamed(&self, old: &str, new: &str) -> Vec<Change> {
        let places = self.spec.places.iter().map(|place| &place.name);
        let transitions = self.spec.transitions.iter().map(|t| &t.name);
        let sides = self.spec.transitions.iter().flat_map(TransitionDecl::sides);
        let arcs = sides.flat_map(|(_, items)| items.iter().map(|item| &item.place));
        let entries = self.spec.layouts.iter().flat_map(|layout| &layout.entries).map(|entry| &entry.0);
        let all = places.chain(transitions).chain(arcs).chain(entries);
        let uses = all.filter(|name| name.text == old).map(|name| name.span);
        let in_properties = self.spec.properties.iter().flat_map(|p| mentions(&p.text, old, p.span.start));
        let spans: Vec<Span> = uses.chain(in_properties).collect();
        spans.into_iter().map(|span| Change::replace(span, new)).collect()
    }

    /// Positions of the layout, or none.
    fn pinned(&self, places: &[(String, Option<Pin>)]) -> Vec<Change> {
        let newline = self.lines().newline();
        let (mut changes, mut new) = (Vec::new(), String::new());
        let goes = |of: &str| places.iter().any(|(name, pin)| name == of && pin.is_none());
        for layout in &self.spec.layouts {
            let is_over = !layout.entries.is_empty() && layout.entries.iter().all(|(n, ..)| goes(&n.text));
            if is_over && places.iter().all(|(_, pin)| pin.is_none()) {
                changes.push(self.lines().remove(layout.span));
                continue;
            }
            let gone = layout.entries.iter().filter(|(name, ..)| goes(&name.text));
            changes.extend(gone.map(|(.., span)| self.lines().remove(*span)));
        }
        for (of, pin) in places {
            let Some((x, y)) = pin else { continue };
            let mut entries = self.spec.layouts.iter().flat_map(|layout| &layout.entries);
            match entries.rfind(|(name, ..)| name.text == *of) {
                Some((_, old, _)) if old == &(*x, *y) => {}
                Some((name, _, span)) => {
                    let numbers = Span { start: name.span.end, end: span.end };
                    changes.push(Change::replace(numbers, format!(" {x} {y}")));
                }
                None => new.push_str(&format!("{newline}    {} {x} {y}", name(of))),
            }
        }
        if !new.is_empty() {
            changes.push(self.more_positions(&new, goes));
        }
        changes
    }

    /// More lines of the layout, after the last one that stays.
    fn more_positions(&self, new: &str, goes: impl Fn(&str) -> bool) -> Change {
        let newline = self.lines().newline();
        if let Some(layout) = self.spec.layouts.last() {
            let stays = layout.entries.iter().rfind(|(name, ..)| !goes(&name.text));
            let open = layout.span.start as usize + layout.span.of(&self.text).find('{').unwrap_or(0) + 1;
            let last = stays.map_or(open, |(.., span)| span.end as usize);
            let rest = self.lines().rest_of_line(last);
            let is_last_of_line = last + rest.len() < layout.span.end as usize;
            return match is_last_of_line {
                true => Change::insert(last + rest.len(), new),
                false => Change::insert(last, format!("{new}{newline} ")),
            };
        }
        let close = self.spec.close.start as usize;
        let before = self.text[..close].trim_end_matches([' ', '\t']);
        let own_line = before.ends_with('\n');
        let at = if own_line { before.len() } else { close };
        let first = if own_line { newline.to_owned() } else { newline.repeat(2) };
        Change::insert(at, format!("{first}  layout {{{new}{newline}  }}{newline}"))
    }
}

/// Digits at the end of a text.
fn number_at_end(text: &str) -> &str {
    &text[text.trim_end_matches(|c: char| c.is_ascii_digit()).len()..]
}

/// Does a word mean something else in properties? A place of this name is written in quotation marks there.
fn is_word(word: &str) -> bool {
    let temporal = word.chars().all(|c| "AEFGXURWM".contains(c)) && word.len() < 3;
    temporal
        || matches!(word, "fireable" | "deadlock" | "true" | "false" | "ctl" | "and" | "or" | "not" | "xor")
}

/// Where a property mentions a place or a transition.
fn mentions(property: &str, of: &str, start: u32) -> Vec<Span> {
    let mut p = Parser::new(property, Syntax::Ltl);
    let mut found = Vec::new();
    while p.tok() != Tok::End {
        let word = p.word();
        let quoted = word.strip_prefix('"').and_then(|word| word.strip_suffix('"'));
        let is_name = quoted.is_some() || p.tok() == Tok::Ident && !is_word(word);
        let plain = quoted.unwrap_or(word);
        let span = p.advance().span;
        if is_name && plain == of {
            found.push(Span { start: start + span.start, end: start + span.end });
        }
    }
    found
}

//! Edits of the net of a PNML text, as changes of the text.
//!
//! A node is called by its `id`; a node with a second name (`<name>`) gets the new one as both when it is renamed.

use std::collections::BTreeSet;

use roxmltree::{Attribute, Document, Node as Element};

use super::write::interval_part;
use super::{TOOL, read};
use crate::diagnostic::{Diagnostic, Span, check_source};
use crate::edit::automaton::{Automaton, EdgeText, Edit};
use crate::edit::lines::Lines;
use crate::edit::net::{self, Arc};
use crate::edit::pins::{Pin, Pins};
use crate::edit::source::{Source, not_expressible};
use crate::edit::{Change, Refusal};
use crate::formats::net::edited;
use crate::formats::pn::{self, typed_interval};
use crate::formats::xml::{child, children, content, document};
use crate::net::{ArcKind, Net};
use crate::text::escaped;

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

/// A text, its net, and all positions that it has.
struct Text {
    text: String,
    net: Net,
    pins: Pins,
}

impl Source for Text {
    fn of(text: String) -> Result<Text, Vec<Diagnostic>> {
        check_source(&text)?;
        let (net, pins) = read::with_pins(&text)?;
        Ok(Text { text, net, pins })
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn automaton(&self) -> Automaton {
        net::automaton(&self.net, &self.pins)
    }

    fn after(&self, edit: &Edit) -> Result<Automaton, Refusal> {
        net::after(&self.automaton(), edit, (named, typed_interval))
    }

    fn changes(&self, edit: &Edit) -> Result<Vec<Change>, Refusal> {
        let document = document(&self.text).map_err(|wrong| Refusal::first(&[wrong]))?;
        let written = Written { text: &self.text, document: &document };
        let automaton = self.automaton();
        Ok(match edit {
            Edit::AddLocation { name, .. } => vec![written.declared("place", name)?],
            Edit::AddTransition { name } => vec![written.declared("transition", name)?],
            Edit::SetTokens { place, tokens } => {
                let place = written.node(place).ok_or_else(not_expressible)?;
                written.numbers(place, "initialMarking", *tokens)
            }
            Edit::SetInterval { node, interval } => {
                let node = written.node(node).ok_or_else(not_expressible)?;
                written.interval(node, &typed_interval(interval)?).into_iter().collect()
            }
            Edit::Connect { .. } | Edit::SetStatements { .. } | Edit::Reconnect { .. } => {
                let after = self.after(edit)?;
                let differs = |one: &Automaton, other: &Automaton| -> Vec<EdgeText> {
                    one.edges.iter().filter(|edge| !other.edges.contains(edge)).cloned().collect()
                };
                let (gone, new) = (differs(&automaton, &after), differs(&after, &automaton));
                written.rearranged((&automaton, &gone), (&after, &new))?
            }
            Edit::Rename { location, name } => written.renamed(location, name),
            Edit::Delete { locations, edges } => {
                let gone: Vec<EdgeText> = automaton
                    .removed(locations, edges)
                    .into_iter()
                    .filter_map(|edge| automaton.edges.get(edge).cloned())
                    .collect();
                let mut changes = written.rearranged((&automaton, &gone), (&automaton, &[]))?;
                let names = written.with_references(locations);
                let nodes =
                    written.elements(&["place", "transition", "referencePlace", "referenceTransition"]);
                let gone = nodes.filter(|node| names.contains(node.attribute("id").unwrap_or_default()));
                changes.extend(gone.map(|node| written.lines().remove(span(node))));
                changes
            }
            Edit::Move { places } => written.pinned(places)?,
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
        text.trim().is_empty()
    }

    fn begin(_: &str, name: &str) -> Result<Change, Refusal> {
        named(name)?;
        let mut net = Net { name: "drawn".to_owned(), ..Net::default() };
        net.add_place(name, 0);
        Ok(Change::insert(0, super::print(&net)))
    }

    fn part(text: &str, _: &Automaton) -> Result<Automaton, Refusal> {
        automaton(text).or_else(|_| pn::part(text))
    }
}

/// Can this be the id of a node?
fn named(name: &str) -> Result<(), Refusal> {
    let letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    match begins && name.chars().all(letter) {
        true => Ok(()),
        false => Err(Refusal::new(format!(
            "'{name}' cannot be an id: an id has letters, digits, '_', '-' and '.', and begins with a letter"
        ))),
    }
}

/// The place of an element.
fn span(element: Element<'_, '_>) -> Span {
    let range = element.range();
    Span::new(range.start, range.end)
}

/// The place of the value of an attribute.
fn value(attribute: Attribute<'_, '_>) -> Span {
    let range = attribute.range_value();
    Span::new(range.start, range.end)
}

/// The attribute with a number, where TAPAAL has one.
fn number_attribute<'a>(element: Element<'a, '_>, name: &str) -> Option<Attribute<'a, 'a>> {
    element.attribute_node(name).filter(|attribute| !read::is_always(attribute.value()))
}

/// The element with a position.
fn position_of(x: i32, y: i32) -> String {
    format!("<position x=\"{x}\" y=\"{y}\"/>")
}

/// Another position in two attributes, or none.
fn moved_attributes(sides: [Attribute<'_, '_>; 2], pin: Option<Pin>) -> Vec<Change> {
    let Some((x, y)) = pin else {
        return sides.map(|side| Change::replace(Span::new(side.range().start, side.range().end), "")).into();
    };
    let moved = sides.into_iter().zip([x, y]).filter(|(side, at)| side.value().trim().parse() != Ok(*at));
    moved.map(|(side, at)| Change::replace(value(side), at.to_string())).collect()
}

/// A document with its text.
struct Written<'a, 'input> {
    text: &'a str,
    document: &'a Document<'input>,
}

impl<'a, 'input> Written<'a, 'input> {
    fn lines(&self) -> Lines<'a> {
        Lines(self.text)
    }

    /// The elements with these names, in the order of the text.
    fn elements(&self, names: &'static [&'static str]) -> impl Iterator<Item = Element<'a, 'input>> {
        self.document.descendants().filter(|node| names.contains(&node.tag_name().name()))
    }

    /// The place or transition with an id.
    fn node(&self, id: &str) -> Option<Element<'a, 'input>> {
        self.elements(&["place", "transition"]).find(|node| node.attribute("id") == Some(id))
    }

    /// A new place or transition, after the others of its kind.
    fn declared(&self, kind: &'static str, name: &str) -> Result<Change, Refusal> {
        let name = escaped(name);
        self.appended(kind, &format!("<{kind} id=\"{name}\"><name><text>{name}</text></name></{kind}>"))
    }

    /// A new element, after the others of its kind; without them after other nodes, or into the page.
    fn appended(&self, kind: &'static str, xml: &str) -> Result<Change, Refusal> {
        let last = |kind: &str| self.document.descendants().rfind(|node| node.tag_name().name() == kind);
        // Declarations of tokens in places have the same name, but are no nodes.
        let before = last(kind).or_else(|| last("transition")).or_else(|| last("place"));
        if let Some(before) = before {
            return Ok(self.lines().insert_after(span(before), xml, false));
        }
        let into = last("page").or_else(|| last("net")).ok_or_else(not_expressible)?;
        Ok(self.inside(into, xml))
    }

    /// A new child of an element, after the others.
    fn inside(&self, element: Element<'a, 'input>, xml: &str) -> Change {
        let whole = span(element);
        let text = whole.of(self.text);
        if let Some(tag) = text.strip_suffix("/>") {
            let from = whole.start as usize + tag.trim_end().len();
            let name = tag[1..].split([' ', '\t', '\r', '\n']).next().unwrap_or_default();
            return Change::replace(Span::new(from, whole.end as usize), format!(">{xml}</{name}>"));
        }
        match element.children().rfind(Element::is_element) {
            Some(last) => self.lines().insert_after(span(last), xml, false),
            None => {
                let close = text.rfind("</").unwrap_or(text.len());
                let content = text[..close].trim_end().len();
                Change::insert(whole.start as usize + content, xml)
            }
        }
    }

    /// A number in a child of an element, or in an attribute, or in both.
    fn numbers(&self, element: Element<'a, 'input>, name: &'static str, number: u32) -> Vec<Change> {
        let attribute = number_attribute(element, name);
        let attribute = attribute.map(|attribute| Change::replace(value(attribute), number.to_string()));
        let own = child(element, name).is_some() || attribute.is_none();
        own.then(|| self.number(element, name, number)).into_iter().chain(attribute).collect()
    }

    /// A number in a child of an element, which may not be there.
    fn number(&self, element: Element<'a, 'input>, name: &'static str, number: u32) -> Change {
        let Some(of) = child(element, name) else {
            // Some tools write `<value>` for `<text>`.
            let own =
                if self.text.contains("<value>") && !self.text.contains("<text>") { "value" } else { "text" };
            return self.inside(element, &format!("<{name}><{own}>{number}</{own}></{name}>"));
        };
        let (text, place) = content(of);
        match text.rsplit_once(',') {
            Some((before, _)) => Change::replace(place, format!("{before},{number}")),
            None if !text.is_empty() => Change::replace(place, number.to_string()),
            None => {
                let inner = child(of, "text").or_else(|| child(of, "value"));
                let xml = number.to_string();
                match inner {
                    Some(inner) => self.inside(inner, &xml),
                    None => self.inside(of, &format!("<text>{xml}</text>")),
                }
            }
        }
    }

    /// Another interval of a place or a transition, or none.
    fn interval(&self, node: Element<'a, 'input>, interval: &str) -> Option<Change> {
        let own = |part: &Element<'a, 'input>| part.attribute("tool") == Some(TOOL);
        let old = children(node, "toolspecific")
            .filter(own)
            .find_map(|part| Some((part, child(part, "interval")?)));
        Some(match old {
            None if interval.is_empty() => return None,
            None => self.inside(node, &interval_part(interval)),
            Some((part, old)) if interval.is_empty() => {
                let is_alone = part.children().filter(Element::is_element).count() == 1;
                self.lines().remove(span(if is_alone { part } else { old }))
            }
            Some((_, old)) => Change::replace(content(old).1, interval),
        })
    }

    /// These names, and those of the references to them.
    fn with_references(&self, names: &[String]) -> BTreeSet<String> {
        let mut all: BTreeSet<String> = names.iter().cloned().collect();
        loop {
            let before = all.len();
            for reference in self.elements(&["referencePlace", "referenceTransition"]) {
                if let (Some(id), Some(of)) = (reference.attribute("id"), reference.attribute("ref"))
                    && all.contains(of)
                {
                    all.insert(id.to_owned());
                }
            }
            if all.len() == before {
                return all;
            }
        }
    }

    /// The elements of an arc, which may be written as several.
    fn arcs(&self, net: &Automaton, edge: &EdgeText) -> Result<Vec<Element<'a, 'input>>, Refusal> {
        let inhibitor = net.arc(edge)?.kind == ArcKind::Inhibitor;
        let (from, to) = (
            self.with_references(std::slice::from_ref(&edge.source)),
            self.with_references(std::slice::from_ref(&edge.target)),
        );
        let end = |arc: &Element<'_, '_>, name: &str, of: &BTreeSet<String>| {
            arc.attribute(name).is_some_and(|name| of.contains(name))
        };
        let all = self.elements(&["arc"]);
        Ok(all
            .filter(|arc| end(arc, "source", &from) && end(arc, "target", &to))
            .filter(|arc| read::arc_types(*arc).iter().any(|kind| kind == "inhibitor") == inhibitor)
            .collect())
    }

    /// Some arcs are not written any more, others are new; another weight or another end is written into its place.
    fn rearranged(
        &self,
        (before, gone): (&Automaton, &[EdgeText]),
        (after, new): (&Automaton, &[EdgeText]),
    ) -> Result<Vec<Change>, Refusal> {
        let mut changes = Vec::new();
        if let ([old], [new]) = (gone, new) {
            let (was, is) = (before.arc(old)?, after.arc(new)?);
            let arcs = self.arcs(before, old)?;
            if let ([arc], true) = (&arcs[..], was.kind == is.kind) {
                let ends = [("source", &new.source, &old.source), ("target", &new.target, &old.target)];
                for (name, new, _) in ends.into_iter().filter(|(_, new, old)| new != old) {
                    let attribute = arc.attribute_node(name).ok_or_else(not_expressible)?;
                    changes.push(Change::replace(value(attribute), escaped(new)));
                }
                if was.weight != is.weight {
                    changes.extend(self.weight(*arc, is.weight));
                }
                return Ok(changes);
            }
        }
        let mut written = Vec::new();
        for edge in gone {
            written.extend(self.arcs(before, edge)?);
        }
        for edge in new {
            let arc = self.arc(&after.arc(edge)?);
            match written.is_empty() {
                true => changes.push(self.appended("arc", &arc)?),
                false => changes.push(Change::replace(span(written.remove(0)), arc)),
            }
        }
        changes.extend(written.into_iter().map(|arc| self.lines().remove(span(arc))));
        Ok(changes)
    }

    /// Another weight of an arc.
    fn weight(&self, arc: Element<'a, 'input>, weight: u32) -> Vec<Change> {
        let specific = children(arc, "toolspecific").find(|part| child(*part, "weight").is_some());
        let specific = specific.map(|part| self.number(part, "weight", weight));
        let is_there =
            |name: &'static str| child(arc, name).is_some() || number_attribute(arc, name).is_some();
        let mut changes: Vec<Change> = specific.into_iter().collect();
        if is_there("weight") {
            changes.extend(self.numbers(arc, "weight", weight));
        }
        if is_there("inscription") || changes.is_empty() {
            changes.extend(self.numbers(arc, "inscription", weight));
        }
        changes
    }

    /// A new arc. How inhibitor arcs are written depends on the tool that wrote the text.
    fn arc(&self, arc: &Arc<'_>) -> String {
        let taken: BTreeSet<&str> =
            self.document.descendants().filter_map(|node| node.attribute("id")).collect();
        let id = (1..).map(|number| format!("arc{number}")).find(|id| !taken.contains(id.as_str()));
        let (place, transition) = (escaped(arc.place), escaped(arc.transition));
        let (source, target) = match arc.kind {
            ArcKind::Output => (transition, place),
            _ => (place, transition),
        };
        let as_element = self.elements(&["arc"]).any(|arc| child(arc, "type").is_some());
        let (attribute, element) = match (arc.kind, as_element) {
            (ArcKind::Inhibitor, true) => ("", "<type value=\"inhibitor\"/>"),
            (ArcKind::Inhibitor, false) => (" type=\"inhibitor\"", ""),
            _ => ("", ""),
        };
        let inscription = match arc.weight {
            1 => String::new(),
            weight => format!("<inscription><text>{weight}</text></inscription>"),
        };
        let tag = format!(
            "arc id=\"{}\" source=\"{source}\" target=\"{target}\"{attribute}",
            id.unwrap_or_default()
        );
        match (inscription.is_empty(), element.is_empty()) {
            (true, true) => format!("<{tag}/>"),
            _ => format!("<{tag}>{inscription}{element}</arc>"),
        }
    }

    /// Another id of a node, everywhere, and another second name.
    fn renamed(&self, old: &str, new: &str) -> Vec<Change> {
        let new = escaped(new);
        let mut changes = Vec::new();
        let parts: &[(&[&str], &[&str])] = &[
            (&["place", "transition"], &["id"]),
            (&["arc"], &["source", "target"]),
            (&["referencePlace", "referenceTransition"], &["ref"]),
        ];
        for element in self.document.descendants() {
            for (names, attributes) in parts {
                let own = attributes.iter().filter(|_| names.contains(&element.tag_name().name()));
                for attribute in own.filter_map(|name| element.attribute_node(*name)) {
                    if attribute.value() == old {
                        changes.push(Change::replace(value(attribute), new.as_str()));
                    }
                }
            }
        }
        let node = self.node(old);
        let label = node.and_then(|node| child(node, "name")).map(content);
        let label = label.filter(|(text, _)| !text.is_empty()).map(|(_, at)| at);
        let label = label.or_else(|| node.and_then(|node| node.attribute_node("name")).map(value));
        changes.extend(label.map(|at| Change::replace(at, new)));
        changes
    }

    /// Positions of nodes, or none.
    fn pinned(&self, places: &[(String, Option<Pin>)]) -> Result<Vec<Change>, Refusal> {
        let mut changes = Vec::new();
        for (name, pin) in places {
            let node = self.node(name).ok_or_else(not_expressible)?;
            let graphics = child(node, "graphics");
            let position = graphics.and_then(|graphics| child(graphics, "position"));
            let own = [node.attribute_node("positionX"), node.attribute_node("positionY")];
            if let ([Some(x), Some(y)], None) = (own, position) {
                changes.extend(moved_attributes([x, y], *pin));
                continue;
            }
            match (pin, position, graphics) {
                (None, Some(position), Some(graphics)) => {
                    let alone = graphics.children().filter(Element::is_element).count() == 1;
                    changes.push(self.lines().remove(span(if alone { graphics } else { position })));
                }
                (None, ..) => {}
                (Some((x, y)), Some(position), _) => {
                    let sides = [position.attribute_node("x"), position.attribute_node("y")];
                    match sides {
                        [Some(a), Some(b)] => changes.extend(moved_attributes([a, b], Some((*x, *y)))),
                        _ => changes.push(Change::replace(span(position), position_of(*x, *y))),
                    }
                }
                (Some((x, y)), None, Some(graphics)) => {
                    changes.push(self.inside(graphics, &position_of(*x, *y)));
                }
                (Some((x, y)), None, None) => {
                    let xml = format!("<graphics>{}</graphics>", position_of(*x, *y));
                    changes.push(self.inside(node, &xml));
                }
            }
        }
        Ok(changes)
    }
}

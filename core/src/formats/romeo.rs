//! The time Petri nets of ROMEO (`.xml`): intervals of transitions.
//!
//! ```text
//! <TPN name="train">
//!   <place id="1" label="far" initialMarking="1"> … </place>
//!   <transition id="1" label="App" eft="0" lft="infini"> … </transition>
//!   <arc place="1" transition="1" type="PlaceTransition" weight="1"> … </arc>
//! </TPN>
//! ```
//!
//! Ids are numbers of their own for places and for transitions, and several nodes may have one label. A node is called
//! by its label if it is the only one with it, otherwise by label and id. Parameters, scheduling, and other kinds of
//! arcs than `PlaceTransition`, `TransitionPlace`, `read` and `logicalInhibitor` are refused by name.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use roxmltree::Node as Element;

use crate::diagnostic::{Diagnostic, Span, check_source};
use crate::edit::pins::{Pins, pin};
use crate::formats::net::{Builder, system, tokens};
use crate::formats::table::{Format, Reader};
use crate::formats::tidy;
use crate::formats::xml::{child, children, document, tag};
use crate::layout::Point;
use crate::net::{ArcKind, Interval, Net, Place, PlaceId, TransitionId};

/// The description of the format.
pub(super) const FORMAT: Format =
    Format { name: "romeo", endings: &["xml"], resembles: |text| text.contains("<TPN"), rank: 0 };

/// The reader of the format.
pub(super) const READER: Reader = Reader {
    parse: |text, asked| parse(text).and_then(|net| system(net, text, asked)),
    properties: |_| Vec::new(),
    edit: None,
};

/// Parses a net.
///
/// # Errors
/// All errors and unsupported constructs, in textual order.
pub fn parse(text: &str) -> Result<Net, Vec<Diagnostic>> {
    check_source(text)?;
    let document = document(text).map_err(|d| vec![d])?;
    let mut reader = Reading::default();
    let root = document.root_element();
    let net = if root.tag_name().name() == "TPN" { Some(root) } else { child(root, "TPN") };
    if let Some(second) = children(root, "TPN").nth(1) {
        reader.refuse(tag(second), "files with several nets are not supported");
    }
    match net {
        Some(net) => reader.net(net),
        None => {
            let message = format!("expected <TPN>, but this is <{}>", root.tag_name().name());
            reader.builder.error(tag(root), message);
        }
    }
    reader.builder.net.pins = Arc::new(reader.pins);
    reader.builder.finish().map_err(tidy)
}

#[derive(Default)]
struct Reading<'a> {
    builder: Builder,
    places: HashMap<&'a str, PlaceId>,
    transitions: HashMap<&'a str, TransitionId>,
    pins: Pins,
}

impl<'a> Reading<'a> {
    fn refuse(&mut self, span: Span, message: impl Into<String>) {
        self.builder.out.push(Diagnostic::unsupported(span, message));
    }

    fn net<'input: 'a>(&mut self, net: Element<'a, 'input>) {
        net.attribute("name")
            .unwrap_or("net")
            .rsplit('/')
            .next()
            .unwrap_or("net")
            .clone_into(&mut self.builder.net.name);
        let nodes: Vec<Element<'a, 'input>> =
            children(net, "place").chain(children(net, "transition")).collect();
        let mut labels: BTreeMap<&str, usize> = BTreeMap::new();
        for node in &nodes {
            *labels.entry(node.attribute("label").unwrap_or_default()).or_default() += 1;
        }
        for node in nodes {
            let is_place = node.tag_name().name() == "place";
            let Some(id) = self.id(node, is_place) else { continue };
            let label = node.attribute("label").unwrap_or_default();
            let name = match labels.get(label) {
                Some(1) if !label.is_empty() => label.to_owned(),
                _ => self.name(label, id, is_place, &labels),
            };
            if is_place {
                self.place(node, id, &name)
            } else {
                self.transition(node, id, &name)
            }
            self.pin(node, &name);
        }
        children(net, "arc").for_each(|arc| self.arc(arc));
        let known = ["place", "transition", "arc", "preferences", "misc", "timedCost", "project"];
        for other in net.children().filter(|n| n.is_element() && !known.contains(&n.tag_name().name())) {
            self.refuse(tag(other), format!("<{}> is not supported in a net", other.tag_name().name()));
        }
    }

    fn id<'input: 'a>(&mut self, node: Element<'a, 'input>, is_place: bool) -> Option<&'a str> {
        let what = if is_place { "place" } else { "transition" };
        let Some(id) = node.attribute("id") else {
            self.builder.error(tag(node), format!("this <{what}> has no id"));
            return None;
        };
        if is_place && self.places.contains_key(id) || !is_place && self.transitions.contains_key(id) {
            self.builder.error(tag(node), format!("there are two {what}s with the id '{id}'"));
            return None;
        }
        Some(id)
    }

    /// A name of several nodes' label and the own id, which no other node has.
    fn name(&self, label: &str, id: &str, is_place: bool, labels: &BTreeMap<&str, usize>) -> String {
        let base = if label.is_empty() { if is_place { "p" } else { "t" } } else { label };
        let mut name = format!("{base}_{id}");
        while self.builder.find(&name).is_some() || labels.contains_key(name.as_str()) {
            name.push('_');
        }
        name
    }

    fn place<'input: 'a>(&mut self, node: Element<'a, 'input>, id: &'a str, name: &str) {
        let tokens = node.attribute("initialMarking").map_or(0, |text| self.number(node, text));
        if let Some(part) = child(node, "scheduling") {
            let is_used = |name: &str| part.attribute(name).is_some_and(|value| value.trim() != "0");
            if is_used("gamma") || is_used("omega") {
                self.refuse(tag(part), format!("scheduling of '{name}' is not supported"));
            }
        }
        let place = Place { name: name.to_owned(), label: None, tokens, delay: None, span: tag(node) };
        if let Some(place) = self.builder.place(place) {
            self.places.insert(id, place);
        }
    }

    fn transition<'input: 'a>(&mut self, node: Element<'a, 'input>, id: &'a str, name: &str) {
        for parameter in ["eft_param", "lft_param"] {
            if node.attribute(parameter).is_some_and(|value| !matches!(value.trim(), "" | "0")) {
                self.refuse(tag(node), format!("parameters are not supported ('{parameter}' of '{name}')"));
            }
        }
        if node.attribute("speed").is_some_and(|speed| speed.trim() != "1") {
            self.refuse(tag(node), format!("the speed of '{name}' is not supported"));
        }
        let least = node.attribute("eft").map_or(0, |text| self.number(node, text));
        let most = match node.attribute("lft").map(str::trim) {
            None | Some("infini" | "inf" | "infinity") => None,
            Some(text) => Some(self.number(node, text)),
        };
        let interval = Interval { least, after_least: false, most, before_most: most.is_none() };
        if interval.is_empty() {
            self.builder.error(tag(node), format!("the interval of '{name}' is empty"));
        }
        if let Some(t) = self.builder.transition(name, None, tag(node)) {
            self.builder.net.transitions[t.index()].delay = Some(interval).filter(|i| !i.is_always());
            self.transitions.insert(id, t);
        }
    }

    fn number<'input: 'a>(&mut self, node: Element<'a, 'input>, text: &str) -> u32 {
        tokens(text).unwrap_or_else(|why| {
            self.builder.error(tag(node), why);
            1
        })
    }

    fn arc<'input: 'a>(&mut self, arc: Element<'a, 'input>) {
        let kind = match arc.attribute("type").unwrap_or_default() {
            "PlaceTransition" => ArcKind::Input,
            "TransitionPlace" => ArcKind::Output,
            "read" => ArcKind::Read,
            "logicalInhibitor" => ArcKind::Inhibitor,
            "" => return self.builder.error(tag(arc), "this arc has no type"),
            other => return self.refuse(tag(arc), format!("arcs of the type '{other}' are not supported")),
        };
        let weight = arc.attribute("weight").map_or(1, |text| self.number(arc, text));
        let place = arc.attribute("place").and_then(|id| self.places.get(id)).copied();
        let transition = arc.attribute("transition").and_then(|id| self.transitions.get(id)).copied();
        match (place, transition) {
            (Some(place), Some(transition)) => self.builder.arc(kind, place, transition, weight, tag(arc)),
            (None, _) => self.builder.error(tag(arc), "the place of this arc does not exist"),
            (_, None) => self.builder.error(tag(arc), "the transition of this arc does not exist"),
        }
    }

    fn pin<'input: 'a>(&mut self, node: Element<'a, 'input>, name: &str) {
        let Some(position) = child(node, "graphics").and_then(|g| child(g, "position")) else { return };
        let side =
            |name: &str| position.attribute(name)?.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        if let (Some(x), Some(y)) = (side("x"), side("y")) {
            self.pins.insert(name.to_owned(), pin(Point { x, y }));
        }
    }
}

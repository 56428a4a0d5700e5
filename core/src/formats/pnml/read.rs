//! Reading PNML.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use roxmltree::Node as Element;

use crate::diagnostic::{Diagnostic, Span};
use crate::edit::pins::{Pin, Pins, pin};
use crate::formats::net::{Builder, tokens};
use crate::formats::pn::interval_of;
use crate::formats::pnml::TOOL;
use crate::formats::xml::{child, children, content, document, tag};
use crate::layout::Point;
use crate::net::{ArcKind, Interval, Net, Node, Place};

/// Reads a text that has passed `check_source`.
pub(super) fn read(text: &str) -> Result<Net, Vec<Diagnostic>> {
    with_pins(text).map(|(net, _)| net)
}

/// Reads a text; also returns the positions of all nodes, those that others have as well included.
pub(super) fn with_pins(text: &str) -> Result<(Net, Pins), Vec<Diagnostic>> {
    let document = document(text).map_err(|d| vec![d])?;
    let mut reader = Reader::default();
    if let Some(net) = reader.only_net(document.root_element()) {
        reader.net(net);
    }
    reader.finish()
}

#[derive(Default)]
struct Reader<'a, 'input> {
    builder: Builder,
    /// The elements in pages, in the order of the text.
    arcs: Vec<Element<'a, 'input>>,
    references: Vec<Reference>,
    /// The nodes that references stand for.
    resolved: HashMap<String, Node>,
    pins: Pins,
}

/// A reference node.
struct Reference {
    id: String,
    target: String,
    /// Does it stand for a place?
    is_place: bool,
    span: Span,
}

impl<'a, 'input> Reader<'a, 'input> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.builder.error(span, message);
    }

    fn refuse(&mut self, span: Span, message: impl Into<String>) {
        self.builder.out.push(Diagnostic::unsupported(span, message));
    }

    fn finish(mut self) -> Result<(Net, Pins), Vec<Diagnostic>> {
        self.builder.net.pins = Arc::new(apart(self.pins.clone()));
        Ok((self.builder.finish()?, self.pins))
    }

    /// The net of the document, if there is one.
    fn only_net(&mut self, root: Element<'a, 'input>) -> Option<Element<'a, 'input>> {
        if root.tag_name().name() == "net" {
            return Some(root);
        }
        if root.tag_name().name() != "pnml" {
            let message = format!("expected <pnml>, but this is <{}>", root.tag_name().name());
            self.error(tag(root), message);
            return None;
        }
        let nets: Vec<Element<'a, 'input>> = children(root, "net").collect();
        match nets.as_slice() {
            [net] => return Some(*net),
            [] => self.error(tag(root), "there is no <net>"),
            [_, second, ..] => {
                let message =
                    format!("the file has {} nets; files with several nets are not supported", nets.len());
                self.refuse(tag(*second), message);
            }
        }
        None
    }

    fn net(&mut self, net: Element<'a, 'input>) {
        if let Some(kind) = net.attribute("type").filter(|kind| !is_place_transition(kind)) {
            let short = kind.rsplit('/').next().unwrap_or(kind);
            let message = if is_coloured(kind) {
                format!("coloured nets are not supported (net type '{short}')")
            } else {
                format!("nets of the type '{short}' are not supported")
            };
            return self.refuse(tag(net), message);
        }
        let name = child(net, "name").map(|n| content(n).0).filter(|n| !n.is_empty());
        let id = net.attribute("id").filter(|id| !id.is_empty());
        self.builder.net.name = name.or(id.map(str::to_owned)).unwrap_or_else(|| "net".to_owned());
        self.elements(net);
        self.resolve();
        for arc in std::mem::take(&mut self.arcs) {
            self.arc(arc);
        }
    }

    /// Places, transitions and references of a net and its pages; arcs are collected.
    fn elements(&mut self, net: Element<'a, 'input>) {
        let mut open = vec![net.children()];
        while let Some(level) = open.last_mut() {
            let Some(element) = level.next() else {
                open.pop();
                continue;
            };
            if !element.is_element() {
                continue;
            }
            match element.tag_name().name() {
                "page" => open.push(element.children()),
                "place" => self.place(element),
                "transition" => self.transition(element),
                "arc" => self.arcs.push(element),
                "referencePlace" | "referenceTransition" => self.reference(element),
                "declaration" => self.declaration(element),
                "name" | "graphics" | "toolspecific" | "labels" | "text" | "tokenclass" => {}
                other => self.refuse(tag(element), format!("<{other}> is not supported in a net")),
            }
        }
    }

    /// Declarations are those of coloured nets; an empty list of them is common.
    fn declaration(&mut self, element: Element<'a, 'input>) {
        let declares = |n: &Element<'a, 'input>| {
            n.is_element()
                && !matches!(
                    n.tag_name().name(),
                    "declaration" | "structure" | "declarations" | "text" | "graphics"
                )
        };
        if let Some(sort) = element.descendants().find(declares) {
            self.refuse(tag(sort), format!("coloured nets are not supported (<{}>)", sort.tag_name().name()));
        }
    }

    /// The id of an element.
    fn id(&mut self, element: Element<'a, 'input>) -> Option<&'a str> {
        let id = element.attribute("id").filter(|id| !id.is_empty());
        if id.is_none() {
            self.error(tag(element), format!("this <{}> has no id", element.tag_name().name()));
        }
        id
    }

    /// Reports children that would change the meaning of the net; the others are ignored.
    fn only(&mut self, element: Element<'a, 'input>, id: &str, ignored: &[&str]) {
        for part in element.children().filter(Element::is_element) {
            let name = part.tag_name().name();
            if matches!(name, "name" | "graphics" | "toolspecific") || ignored.contains(&name) {
                continue;
            }
            let message = match name {
                "type" | "hlinitialMarking" | "hlinscription" | "condition" => {
                    format!("coloured nets are not supported (<{name}> of '{id}')")
                }
                _ => format!("<{name}> of '{id}' is not supported"),
            };
            self.refuse(tag(part), message);
        }
    }

    fn label(element: Element<'a, 'input>, id: &str) -> Option<String> {
        let written = child(element, "name").map(|n| content(n).0);
        let label = written.or_else(|| element.attribute("name").map(str::to_owned));
        label.filter(|label| !label.is_empty() && label != id)
    }

    fn place(&mut self, element: Element<'a, 'input>) {
        let Some(id) = self.id(element) else { return };
        let tokens = self.number_of(element, "initialMarking", id, 0).unwrap_or(0);
        self.only(element, id, &["initialMarking", "capacity"]);
        if let Some(invariant) = element.attribute("invariant").filter(|text| !is_always(text)) {
            let message = format!("ages of tokens are not supported (the invariant '{invariant}' of '{id}')");
            self.refuse(tag(element), message);
        }
        let own = child(element, "capacity").into_iter();
        let capacities = own.chain(children(element, "toolspecific").filter_map(|t| child(t, "capacity")));
        for capacity in capacities {
            let (text, span) = content(capacity);
            if !matches!(text.as_str(), "" | "0" | "Unlimited" | "unlimited" | "inf" | "Default,0") {
                self.refuse(span, format!("the capacity of '{id}' is not supported"));
            }
        }
        let label = Self::label(element, id);
        let delay = self.interval(element, id);
        let place = Place { name: id.to_owned(), label, tokens, delay, span: tag(element) };
        if self.builder.place(place).is_some() {
            self.pin(element, id);
        }
    }

    fn transition(&mut self, element: Element<'a, 'input>) {
        let Some(id) = self.id(element) else { return };
        // PIPE writes these for every transition.
        self.only(element, id, &["orientation", "rate", "infiniteServer", "timed", "priority"]);
        for (name, usual) in [("timed", "false"), ("priority", "1")] {
            if let Some((text, span)) = child(element, name).map(content).filter(|(text, _)| text != usual) {
                self.refuse(span, format!("<{name}> of '{id}' is not supported ('{text}')"));
            }
        }
        let delay = self.interval(element, id);
        if let Some(t) = self.builder.transition(id, Self::label(element, id), tag(element)) {
            self.builder.net.transitions[t.index()].delay = delay;
            self.pin(element, id);
        }
    }

    /// The interval of time in the project's own tool-specific part.
    fn interval(&mut self, element: Element<'a, 'input>, id: &str) -> Option<Interval> {
        let own = |part: &Element<'a, 'input>| part.attribute("tool") == Some(TOOL);
        let all: Vec<_> = children(element, "toolspecific").filter(own).collect();
        let mut intervals = all.iter().flat_map(|part| children(*part, "interval"));
        let first = intervals.next()?;
        if let Some(second) = intervals.next() {
            self.error(tag(second), format!("'{id}' has two intervals of time"));
        }
        let (text, span) = content(first);
        interval_of(&text).map_err(|why| self.error(span, format!("{why} (of '{id}')"))).ok()
    }

    fn reference(&mut self, element: Element<'a, 'input>) {
        let Some(id) = self.id(element) else { return };
        match element.attribute("ref") {
            Some(target) => self.references.push(Reference {
                id: id.to_owned(),
                target: target.to_owned(),
                is_place: element.tag_name().name() == "referencePlace",
                span: tag(element),
            }),
            None => self.error(tag(element), format!("the reference '{id}' has no attribute 'ref'")),
        }
    }

    fn pin(&mut self, element: Element<'a, 'input>, id: &str) {
        let position = child(element, "graphics").and_then(|g| child(g, "position"));
        let side = |name: &str, own: &str| {
            let text = match position {
                Some(position) => position.attribute(name),
                None => element.attribute(own),
            };
            text?.trim().parse::<f64>().ok().filter(|x| x.is_finite())
        };
        if let (Some(x), Some(y)) = (side("x", "positionX"), side("y", "positionY")) {
            self.pins.insert(id.to_owned(), pin(Point { x, y }));
        }
    }

    /// A number that is written as a child or, by TAPAAL, as an attribute, if it is there.
    fn number_of(
        &mut self,
        element: Element<'a, 'input>,
        name: &'static str,
        id: &str,
        empty: u32,
    ) -> Option<u32> {
        let mut all: Vec<u32> = Vec::new();
        for part in children(element, name) {
            all.push(self.number(content(part), empty));
        }
        if let Some(text) = element.attribute(name).filter(|text| !is_always(text)) {
            if text.trim_start().starts_with(['[', '(', '<']) {
                let message = format!("ages of tokens are not supported ('{text}' of '{id}')");
                self.refuse(tag(element), message);
                return None;
            }
            all.push(self.number((text.trim().to_owned(), tag(element)), empty));
        }
        if all.iter().any(|number| *number != all[0]) {
            self.error(tag(element), format!("'{id}' has different values of '{name}'"));
        }
        all.first().copied()
    }

    /// A number of tokens or a weight, or the one for an empty text; PIPE writes `Default,3`.
    fn number(&mut self, (text, span): (String, Span), empty: u32) -> u32 {
        let number = text.strip_prefix("Default,").unwrap_or(&text);
        if number.is_empty() {
            return empty;
        }
        tokens(number).unwrap_or_else(|why| {
            self.error(span, why);
            // Not another error about weights.
            1
        })
    }

    /// The place or transition at an end of an arc.
    fn end(&mut self, arc: Element<'a, 'input>, id: &str, end: &str) -> Option<(Node, &'a str)> {
        let Some(name) = arc.attribute(end) else {
            self.error(tag(arc), format!("the arc '{id}' has no {end}"));
            return None;
        };
        let node = self.resolved.get(name).copied().or_else(|| self.builder.find(name));
        if node.is_none() && !self.references.iter().any(|r| r.id == name) {
            let message = format!("the {end} of the arc '{id}' is '{name}', which does not exist");
            self.error(tag(arc), message);
        }
        Some((node?, name))
    }

    /// The nodes that references stand for, through other references.
    fn resolve(&mut self) {
        let references = std::mem::take(&mut self.references);
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for (i, reference) in references.iter().enumerate() {
            let twice =
                numbers.insert(&reference.id, i).is_some() || self.builder.find(&reference.id).is_some();
            if twice {
                self.error(reference.span, format!("'{}' is declared twice", reference.id));
            }
        }
        for reference in &references {
            let (mut path, mut at) = (Vec::new(), reference);
            let node = loop {
                path.push(at);
                if let Some(node) =
                    self.resolved.get(&at.target).copied().or_else(|| self.builder.find(&at.target))
                {
                    break Some(node);
                }
                match numbers.get(at.target.as_str()) {
                    Some(next) if path.len() <= references.len() => at = &references[*next],
                    _ => break None,
                }
            };
            match node {
                Some(node) if reference.is_place == matches!(node, Node::Place(_)) => {
                    self.resolved.extend(path.iter().map(|r| (r.id.clone(), node)));
                }
                Some(_) => {
                    let kind = if reference.is_place { "place" } else { "transition" };
                    let message = format!("the reference '{}' does not stand for a {kind}", reference.id);
                    self.error(reference.span, message);
                }
                None => {
                    let message = format!("the reference '{}' leads to no place or transition", reference.id);
                    self.error(reference.span, message);
                }
            }
        }
        self.references = references;
    }

    fn arc(&mut self, arc: Element<'a, 'input>) {
        let id = arc.attribute("id").unwrap_or("without id");
        self.only(arc, id, &["inscription", "type", "arctype", "arcpath", "tagged"]);
        let (source, target) = (self.end(arc, id, "source"), self.end(arc, id, "target"));
        let Some(kind) = self.arc_kind(arc, id) else { return };
        let inscription = self.number_of(arc, "inscription", id, 1);
        let specific = children(arc, "toolspecific").filter_map(|t| child(t, "weight")).next();
        let specific = specific.map(|n| self.number(content(n), 1));
        let own = self.number_of(arc, "weight", id, 1);
        let weight = inscription.into_iter().chain(specific).chain(own).max().unwrap_or(1);
        let (Some((source, from)), Some((target, to))) = (source, target) else { return };
        let span = tag(arc);
        match (source, target) {
            (Node::Place(p), Node::Transition(t)) => self.builder.arc(kind, p, t, weight, span),
            (Node::Transition(t), Node::Place(p)) => match kind {
                ArcKind::Input => self.builder.arc(ArcKind::Output, p, t, weight, span),
                ArcKind::Read => self.builder.arc(kind, p, t, weight, span),
                ArcKind::Inhibitor | ArcKind::Output => {
                    let message = format!("the inhibitor arc '{id}' leads from a transition to a place");
                    self.error(span, message);
                }
            },
            (Node::Place(_), Node::Place(_)) => {
                self.error(span, format!("the arc '{id}' connects two places, '{from}' and '{to}'"));
            }
            (Node::Transition(_), Node::Transition(_)) => {
                self.error(span, format!("the arc '{id}' connects two transitions, '{from}' and '{to}'"));
            }
        }
    }

    /// The kind of an arc, as for one from a place to a transition.
    fn arc_kind(&mut self, arc: Element<'a, 'input>, id: &str) -> Option<ArcKind> {
        let types = arc_types(arc);
        if let Some(other) = types.iter().find(|other| **other != types[0]) {
            let message = format!("the arc '{id}' has two types, '{}' and '{other}'", types[0]);
            self.error(tag(arc), message);
            return None;
        }
        match types.first().map_or("normal", String::as_str) {
            "normal" | "timed" => Some(ArcKind::Input),
            "inhibitor" => Some(ArcKind::Inhibitor),
            "read" | "test" => Some(ArcKind::Read),
            "" => {
                self.error(tag(arc), format!("the type of the arc '{id}' is empty"));
                None
            }
            other => {
                self.refuse(tag(arc), format!("arcs of the type '{other}' are not supported (arc '{id}')"));
                None
            }
        }
    }
}

/// The types of an arc, as they are written: as elements, as attributes, and in tool-specific parts.
pub(super) fn arc_types(arc: Element<'_, '_>) -> Vec<String> {
    let elements = |at: Element<'_, '_>| -> Vec<String> {
        let all = children(at, "type").chain(children(at, "arctype"));
        all.map(|n| n.attribute("value").map_or_else(|| content(n).0, str::to_owned)).collect()
    };
    let mut all = elements(arc);
    all.extend(["type", "arctype"].into_iter().filter_map(|name| arc.attribute(name)).map(str::to_owned));
    // Other types in tool-specific parts are not about the firing of transitions.
    let known = |kind: &String| matches!(kind.as_str(), "inhibitor" | "read" | "test" | "reset");
    all.extend(children(arc, "toolspecific").flat_map(elements).filter(known));
    all.into_iter().map(|kind| if kind == "tapnInhibitor" { "inhibitor".to_owned() } else { kind }).collect()
}

/// Is this interval of ages, or invariant, of TAPAAL no restriction?
pub(super) fn is_always(text: &str) -> bool {
    matches!(text.replace(' ', "").as_str(), "[0,inf)" | "<inf")
}

/// The names of the type of place/transition nets: of ISO 15909-2, of EPNML, and of PIPE.
fn is_place_transition(kind: &str) -> bool {
    let kind = kind.trim().to_ascii_lowercase();
    let name = kind.trim_end_matches('/').rsplit(['/', '#', ':']).next().unwrap_or_default();
    kind.is_empty()
        || kind == "p/t net"
        || ["ptnet", "pt-net", "epnml"].iter().any(|begin| name.starts_with(begin))
}

fn is_coloured(kind: &str) -> bool {
    let kind = kind.to_ascii_lowercase();
    ["symmetric", "highlevel", "hlpn", "hlcore", "pt-hl", "colo"].iter().any(|part| kind.contains(part))
}

/// The positions of things that are alone at theirs: some tools write the same one for everything.
fn apart(pins: Pins) -> Pins {
    let mut there: BTreeMap<Pin, usize> = BTreeMap::new();
    for at in pins.values() {
        *there.entry(*at).or_default() += 1;
    }
    pins.into_iter().filter(|(_, at)| there[at] == 1).collect()
}

//! Nets as they are written: places and transitions are the locations of an [`Automaton`], arcs its edges.
//!
//! Places come before transitions. The arcs of a transition are together: those from its input places, those to its
//! output places, those from its inhibitor places, each in the order of the places.

use std::collections::HashMap;

use crate::edit::Refusal;
use crate::edit::automaton::{Automaton, EdgeText, Edit};
use crate::edit::pins::Pins;
use crate::net::{ArcKind, Net, PlaceArc};
use crate::system::Role;

/// The word for an inhibitor arc.
const INHIBITOR: &str = "inhibitor";

/// An arc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arc<'a> {
    /// Its place.
    pub place: &'a str,
    /// Its transition.
    pub transition: &'a str,
    /// Its kind.
    pub kind: ArcKind,
    /// Its weight.
    pub weight: u32,
}

/// What is written at an arc: its weight if it is not 1, after the word `inhibitor` if it is one.
#[must_use]
pub fn label(inhibitor: bool, weight: u32) -> String {
    match (inhibitor, weight) {
        (true, 1) => INHIBITOR.to_owned(),
        (true, weight) => format!("{INHIBITOR} {weight}"),
        (false, 1) => String::new(),
        (false, weight) => weight.to_string(),
    }
}

/// Is an arc with this label an inhibitor arc, and what is its weight?
///
/// # Errors
/// If it is no label of an arc.
pub fn read(label: &str) -> Result<(bool, u32), Refusal> {
    let label = label.trim();
    let rest = [INHIBITOR, "unless"].iter().find_map(|word| label.strip_prefix(word));
    let number = rest.unwrap_or(label).trim();
    let weight = if number.is_empty() { Some(1) } else { number.parse().ok().filter(|weight| *weight > 0) };
    let weight = weight.ok_or_else(|| {
        Refusal::new(format!("'{label}' is no weight; a weight is a whole number from 1 to {}", u32::MAX))
    })?;
    Ok((rest.is_some(), weight))
}

/// The statements of an edge for the label of an arc.
fn statements(label: &str) -> Result<Vec<String>, Refusal> {
    let (inhibitor, weight) = read(label)?;
    Ok(Some(self::label(inhibitor, weight)).filter(|text| !text.is_empty()).into_iter().collect())
}

/// The net as an automaton, with these places in the drawing.
#[must_use]
pub fn automaton(net: &Net, pins: &Pins) -> Automaton {
    let edge = |source: &str, target: &str, inhibitor: bool, weight: u32| EdgeText {
        source: source.to_owned(),
        target: target.to_owned(),
        statements: Some(label(inhibitor, weight)).filter(|text| !text.is_empty()).into_iter().collect(),
    };
    let place = |arc: &PlaceArc| net.place(arc.place).name.as_str();
    let mut edges = Vec::new();
    for t in &net.transitions {
        edges.extend(t.inputs.iter().map(|arc| edge(place(arc), &t.name, false, arc.weight)));
        edges.extend(t.outputs.iter().map(|arc| edge(&t.name, place(arc), false, arc.weight)));
        edges.extend(t.inhibitors.iter().map(|arc| edge(place(arc), &t.name, true, arc.weight)));
    }
    let names = net.places.iter().map(|p| &p.name).chain(net.transitions.iter().map(|t| &t.name));
    let places = net.places.iter().map(|p| (&p.name, p.delay));
    let intervals = places.chain(net.transitions.iter().map(|t| (&t.name, t.delay)));
    Automaton {
        locations: names.map(|name| (name.clone(), Role::Plain)).collect(),
        edges,
        places: Some(net.places.iter().map(|p| (p.name.clone(), p.tokens)).collect()),
        intervals: intervals.filter_map(|(name, delay)| Some((name.clone(), delay?.to_string()))).collect(),
        pins: pins.clone(),
        ..Automaton::default()
    }
}

impl Automaton {
    /// Is this location a place of a net?
    #[must_use]
    pub fn is_place(&self, name: &str) -> bool {
        self.places.as_ref().is_some_and(|places| places.contains_key(name))
    }

    /// An edge of a net as an arc.
    ///
    /// # Errors
    /// If it does not connect a place with a transition, or is an inhibitor arc to a place.
    pub fn arc<'a>(&self, edge: &'a EdgeText) -> Result<Arc<'a>, Refusal> {
        let EdgeText { source, target, statements } = edge;
        let (inhibitor, weight) = read(statements.first().map_or("", String::as_str))?;
        let (place, transition, kind) = match (self.is_place(source), self.is_place(target)) {
            (true, false) if inhibitor => (source, target, ArcKind::Inhibitor),
            (true, false) => (source, target, ArcKind::Input),
            (false, true) if !inhibitor => (target, source, ArcKind::Output),
            (false, true) => {
                return Err(Refusal::new("an inhibitor arc leads from a place to a transition"));
            }
            (both, _) => {
                let kind = if both { "places" } else { "transitions" };
                let why = format!("'{source}' and '{target}' are both {kind}");
                return Err(Refusal::new(format!("{why}: an arc connects a place with a transition")));
            }
        };
        Ok(Arc { place, transition, kind, weight })
    }
}

/// A part of a net as a text of the project's own language, for the clipboard.
#[must_use]
pub fn copied(part: &Automaton) -> String {
    let mut text = "net part {\n".to_owned();
    for (name, _) in part.locations.iter().filter(|(name, _)| part.is_place(name)) {
        let tokens = part.places.as_ref().and_then(|places| places.get(name)).copied().unwrap_or(0);
        text.push_str(&format!("  place {} = {tokens}{}\n", quoted(name), interval_of_node(part, name)));
    }
    for (name, _) in part.locations.iter().filter(|(name, _)| !part.is_place(name)) {
        let arcs = part.edges.iter().filter_map(|edge| part.arc(edge).ok());
        let arcs: Vec<Arc<'_>> = arcs.filter(|arc| arc.transition == name).collect();
        let side = |kind: ArcKind, separator: &str| {
            let own = arcs.iter().filter(|arc| arc.kind == kind);
            own.map(|arc| format!("{} {}", arc.weight, quoted(arc.place))).collect::<Vec<_>>().join(separator)
        };
        let (takes, gives) = (side(ArcKind::Input, " + "), side(ArcKind::Output, " + "));
        let unless = side(ArcKind::Inhibitor, ", ");
        let unless = if unless.is_empty() { unless } else { format!(" unless {unless}") };
        text.push_str(&format!(
            "  transition {}{}: {takes} -> {gives}{unless}\n",
            quoted(name),
            interval_of_node(part, name)
        ));
    }
    if !part.pins.is_empty() {
        let lines = part.pins.iter().map(|(name, (x, y))| format!("    {} {x} {y}\n", quoted(name)));
        text.push_str(&format!("  layout {{\n{}  }}\n", lines.collect::<String>()));
    }
    text + "}\n"
}

fn interval_of_node(net: &Automaton, name: &str) -> String {
    net.interval(name).map_or_else(String::new, |interval| format!(" {interval}"))
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

/// Refuses what cannot be a name, and reads a typed interval of time.
pub type Words = (fn(&str) -> Result<(), Refusal>, fn(&str) -> Result<String, Refusal>);

/// The net after an edit other than [`Edit::Paste`], in the words of its language.
///
/// # Errors
/// Why the edit is not possible.
pub fn after(net: &Automaton, edit: &Edit, (named, interval): Words) -> Result<Automaton, Refusal> {
    if let Edit::AddLocation { name, .. } | Edit::AddTransition { name } | Edit::Rename { name, .. } = edit {
        named(name)?;
    }
    if matches!(edit, Edit::SetRole { .. } | Edit::SetAccepting { .. } | Edit::AddVariable { .. }) {
        return Err(Refusal::new("nets have places, transitions and arcs only"));
    }
    let new = match edit {
        Edit::AddLocation { name, .. } => {
            let mut new = net.after(&Edit::AddTransition { name: name.clone() }, statements)?;
            new.places.iter_mut().for_each(|places| places.extend([(name.clone(), 0)]));
            new
        }
        Edit::SetInterval { node, interval: typed } => {
            let interval = interval(typed)?;
            net.after(&Edit::SetInterval { node: node.clone(), interval }, statements)?
        }
        _ => net.after(edit, statements)?,
    };
    sort(new)
}

/// Sorts what was added.
fn sort(mut net: Automaton) -> Result<Automaton, Refusal> {
    let mut locations = std::mem::take(&mut net.locations);
    locations.sort_by_key(|(name, _)| !net.is_place(name));
    net.locations = locations;
    let order: HashMap<&str, usize> = net.locations.iter().map(|l| l.0.as_str()).zip(0..).collect();
    let mut arcs = Vec::new();
    for edge in &net.edges {
        let Arc { place, transition, kind, .. } = net.arc(edge)?;
        arcs.push(((order.get(transition), kind, order.get(place)), edge));
    }
    arcs.sort_by_key(|(key, _)| *key);
    if let Some(pair) = arcs.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let EdgeText { source, target, .. } = pair[0].1;
        return Err(Refusal::new(format!(
            "there is such an arc from '{source}' to '{target}' already; its weight can be changed"
        )));
    }
    let edges = arcs.into_iter().map(|(_, edge)| edge.clone()).collect();
    let mut intervals = net.intervals.clone();
    intervals.sort_by_key(|(name, _)| order.get(name.as_str()));
    (net.edges, net.intervals) = (edges, intervals);
    Ok(net)
}

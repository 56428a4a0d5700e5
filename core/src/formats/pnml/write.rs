//! Writing PNML.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::formats::identifier;
use crate::formats::pnml::TOOL;
use crate::net::{Interval, Net, PlaceArc};
use crate::text::escaped;

/// The net as a PNML document with one page. Names that are no XML identifiers are changed, and kept as `<name>`.
/// Inhibitor arcs have the attribute `type="inhibitor"`, as in TAPAAL.
#[must_use]
pub fn print(net: &Net) -> String {
    // Names that are identifiers stay, whatever the others become.
    let names = net.places.iter().map(|p| &p.name).chain(net.transitions.iter().map(|t| &t.name));
    let mut taken: HashSet<String> = names.filter(|name| is_id(name)).cloned().collect();
    let mut own = |name: &String| if is_id(name) { name.clone() } else { identifier(name, &mut taken, "") };
    let places: Vec<String> = net.places.iter().map(|p| own(&p.name)).collect();
    let transitions: Vec<String> = net.transitions.iter().map(|t| own(&t.name)).collect();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n  \
         <net id=\"{}\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n    <page id=\"{}\">\n",
        id(&net.name, &mut taken),
        id("page", &mut taken)
    );
    for (place, id) in net.places.iter().zip(&places) {
        let _ = writeln!(text, "      <place id=\"{id}\">");
        node(&mut text, net, &place.name, place.label.as_deref());
        if place.tokens > 0 {
            let _ = writeln!(text, "        <initialMarking><text>{}</text></initialMarking>", place.tokens);
        }
        interval(&mut text, place.delay);
        text.push_str("      </place>\n");
    }
    for (t, id) in net.transitions.iter().zip(&transitions) {
        let _ = writeln!(text, "      <transition id=\"{id}\">");
        node(&mut text, net, &t.name, t.label.as_deref());
        interval(&mut text, t.delay);
        text.push_str("      </transition>\n");
    }
    let mut number = 0;
    let mut arc = |a: &PlaceArc, source: &str, target: &str, kind: &str| {
        number += 1;
        let name = id(&format!("arc{number}"), &mut taken);
        let _ = write!(text, "      <arc id=\"{name}\" source=\"{source}\" target=\"{target}\"{kind}");
        let _ = match a.weight {
            1 => writeln!(text, "/>"),
            weight => writeln!(text, "><inscription><text>{weight}</text></inscription></arc>"),
        };
    };
    for (t, own) in net.transitions.iter().zip(&transitions) {
        t.taken().iter().for_each(|a| arc(a, &places[a.place.index()], own, ""));
        t.read_arcs().iter().for_each(|a| arc(a, &places[a.place.index()], own, " type=\"read\""));
        t.added().iter().for_each(|a| arc(a, own, &places[a.place.index()], ""));
        t.inhibitors.iter().for_each(|a| arc(a, &places[a.place.index()], own, " type=\"inhibitor\""));
    }
    text.push_str("    </page>\n");
    let _ = writeln!(text, "    <name><text>{}</text></name>\n  </net>\n</pnml>", escaped(&net.name));
    text
}

/// Name and position.
fn node(text: &mut String, net: &Net, name: &str, label: Option<&str>) {
    let _ = writeln!(text, "        <name><text>{}</text></name>", escaped(label.unwrap_or(name)));
    if let Some((x, y)) = net.pins.get(name) {
        let _ = writeln!(text, "        <graphics><position x=\"{x}\" y=\"{y}\"/></graphics>");
    }
}

/// An interval of time, in a tool-specific part.
fn interval(text: &mut String, delay: Option<Interval>) {
    if let Some(delay) = delay {
        let _ = writeln!(text, "        {}", interval_part(&delay.to_string()));
    }
}

/// The element with an interval of time.
pub(super) fn interval_part(interval: &str) -> String {
    format!("<toolspecific tool=\"{TOOL}\" version=\"1\"><interval>{interval}</interval></toolspecific>")
}

/// Is it an XML identifier of letters, digits, `_`, `-` and `.`?
fn is_id(name: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(inner)
}

/// An XML identifier that is not taken.
fn id(name: &str, taken: &mut HashSet<String>) -> String {
    if is_id(name) && taken.insert(name.to_owned()) { name.to_owned() } else { identifier(name, taken, "") }
}

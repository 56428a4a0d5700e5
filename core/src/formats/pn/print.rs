//! Writing nets as `.pn` texts.

use std::fmt::Write as _;

use crate::expr::{Parser, Syntax, Tok};
use crate::formats::net::distinct;
use crate::net::{Interval, Net, PlaceArc};

/// The net as a text of this language. Texts that cannot stand in quotation marks are changed there: quotation marks
/// become apostrophes, and line breaks become blanks; names that are the same then get numbers.
#[must_use]
pub fn print(net: &Net) -> String {
    let net = &*distinct(net, name);
    let mut text = format!("net {} {{\n", name(&net.name));
    for place in &net.places {
        let _ = write!(text, "  place {}{}", name(&place.name), label(place.label.as_deref()));
        if place.tokens > 0 {
            let _ = write!(text, " = {}", place.tokens);
        }
        let _ = writeln!(text, "{}", interval(place.delay));
    }
    if !net.transitions.is_empty() {
        text.push('\n');
    }
    for t in &net.transitions {
        let (inputs, outputs) = (side(net, &t.inputs, " + "), side(net, &t.outputs, " + "));
        let before = if inputs.is_empty() { String::new() } else { format!("{inputs} ") };
        let after = if outputs.is_empty() { String::new() } else { format!(" {outputs}") };
        let label = label(t.label.as_deref());
        let _ = write!(text, "  transition {}{label}{}: {before}->{after}", name(&t.name), interval(t.delay));
        if !t.inhibitors.is_empty() {
            let _ = write!(text, " unless {}", side(net, &t.inhibitors, ", "));
        }
        text.push('\n');
    }
    for (i, property) in net.properties.iter().enumerate() {
        let blank = if i == 0 { "\n" } else { "" };
        let _ = writeln!(text, "{blank}  property {}: {}", name(&property.name), property.text.trim());
    }
    if !net.pins.is_empty() {
        text.push_str("\n  layout {\n");
        for (thing, (x, y)) in net.pins.iter() {
            let _ = writeln!(text, "    {} {x} {y}", name(thing));
        }
        text.push_str("  }\n");
    }
    text.push_str("}\n");
    text
}

/// One side of a transition.
fn side(net: &Net, arcs: &[PlaceArc], separator: &str) -> String {
    let arc = |a: &PlaceArc| {
        let place = name(&net.place(a.place).name);
        if a.weight == 1 { place } else { format!("{} {place}", a.weight) }
    };
    arcs.iter().map(arc).collect::<Vec<_>>().join(separator)
}

fn label(label: Option<&str>) -> String {
    label.map_or_else(String::new, |label| format!(" {}", quoted(label)))
}

fn interval(delay: Option<Interval>) -> String {
    delay.map_or_else(String::new, |delay| format!(" {delay}"))
}

/// A name, in quotation marks where these are needed.
pub(crate) fn name(name: &str) -> String {
    let words = ["place", "transition", "property", "layout", "unless", "w", "inf"];
    let p = Parser::new(name, Syntax::Ltl);
    let is_plain = p.tok() == Tok::Ident && p.ahead(1) == Tok::End && p.word() == name && p.out.is_empty();
    if is_plain && !name.starts_with('"') && !words.contains(&name) { name.to_owned() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "'").replace(['\n', '\r'], " "))
}

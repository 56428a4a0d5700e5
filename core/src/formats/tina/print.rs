//! Writing TINA's nets.

use std::fmt::Write as _;

use crate::formats::net::distinct;
use crate::net::{Net, PlaceArc};

/// The net as a text for TINA. Places are declared first, which keeps their order.
#[must_use]
pub fn print(net: &Net) -> String {
    let net = &*distinct(net, name);
    let mut text = format!("net {}\n", name(&net.name));
    for place in &net.places {
        let _ = write!(text, "pl {}{}", name(&place.name), label(place.label.as_deref()));
        if place.tokens > 0 {
            let _ = write!(text, " ({})", place.tokens);
        }
        text.push('\n');
    }
    for t in &net.transitions {
        let _ = write!(text, "tr {}{}", name(&t.name), label(t.label.as_deref()));
        if let Some(delay) = t.delay {
            let _ = write!(text, " {delay}");
        }
        t.taken().iter().for_each(|a| arc(&mut text, net, a, "*"));
        t.read_arcs().iter().for_each(|a| arc(&mut text, net, a, "?"));
        t.inhibitors.iter().for_each(|a| arc(&mut text, net, a, "?-"));
        text.push_str(" ->");
        t.added().iter().for_each(|a| arc(&mut text, net, a, "*"));
        text.push('\n');
    }
    text
}

fn arc(text: &mut String, net: &Net, arc: &PlaceArc, sign: &str) {
    let place = name(&net.place(arc.place).name);
    let _ = match (arc.weight, sign) {
        (1, "*") => write!(text, " {place}"),
        (weight, _) => write!(text, " {place}{sign}{weight}"),
    };
}

fn label(label: Option<&str>) -> String {
    label.map_or_else(String::new, |label| format!(" : {}", name(label)))
}

/// A name, in braces where these are needed.
fn name(name: &str) -> String {
    let is_plain =
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '\''));
    if is_plain {
        return name.to_owned();
    }
    let protected: String = name
        .chars()
        .flat_map(|c| {
            let backslash = matches!(c, '{' | '}' | '\\').then_some('\\');
            backslash.into_iter().chain([if c == '\n' || c == '\r' { ' ' } else { c }])
        })
        .collect();
    format!("{{{protected}}}")
}

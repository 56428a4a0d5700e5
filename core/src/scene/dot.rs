//! Graphs for Graphviz. The places of the nodes are given (`neato -n` keeps them, `dot` computes its own).

use std::fmt::Write as _;

use crate::scene::{Dash, Drawing, Ink, Mark, Node, RowKind, Shape, Style};

/// A text in quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn style(style: &Style) -> &'static str {
    match (style.dash, style.faded) {
        (Dash::Solid, false) => "solid",
        (Dash::Dashed, _) => "dashed",
        (Dash::Dotted, _) | (Dash::Solid, true) => "dotted",
    }
}

fn label(node: &Node) -> String {
    let row =
        |kind: RowKind| node.rows.iter().filter(move |row| row.kind == kind).map(|row| row.text.as_str());
    // The name of a place is beside it.
    let name = row(RowKind::Name).filter(|_| node.side.is_none());
    let head: Vec<&str> = name.chain(row(RowKind::Corner)).collect();
    let rows: Vec<String> = [head.join("  ")]
        .into_iter()
        .filter(|head| !head.is_empty())
        .chain(row(RowKind::Fact).map(str::to_owned))
        .collect();
    // A line break of the language is written after the quoting of backslashes.
    quoted(&rows.join("\n")).replace('\n', "\\n")
}

pub(super) fn write(drawing: &Drawing, title: &str) -> String {
    let mut dot = format!(
        "digraph {} {{\n  graph [fontname=\"monospace\"];\n  node [fontname=\"monospace\", fontsize=10, style=filled];\n  edge [fontname=\"monospace\", fontsize=10];\n",
        quoted(title)
    );
    for node in drawing.nodes.iter().filter(|node| node.shape != Shape::Stub) {
        let Style { stroke, fill, text, width, double, halo, .. } = node.style();
        let centre = node.rect.centre();
        let shape = match node.shape {
            Shape::Box | Shape::Pill | Shape::Frame => "box",
            Shape::Ellipse => "ellipse",
            Shape::Place => "circle",
            Shape::Tile | Shape::Stub => "square",
        };
        let beside = match (node.side, node.rows.first()) {
            (Some(_), Some(name)) => format!(", xlabel={}, fixedsize=true", quoted(&name.text)),
            _ => String::new(),
        };
        let colour = |ink: Ink| if ink == Ink::None { "transparent" } else { ink.light() };
        let _ = writeln!(
            dot,
            "  {} [label={}{beside}, shape={shape}, style=\"filled,{}\", color=\"{}\", fillcolor=\"{}\", fontcolor=\"{}\", penwidth={}, peripheries={}, pos=\"{:.1},{:.1}\", width={:.3}, height={:.3}];",
            quoted(&node.key),
            label(node),
            style(&node.style()),
            colour(halo.unwrap_or(stroke)),
            colour(fill),
            colour(text),
            if halo.is_some() { 3.0 } else { width },
            if double { 2 } else { 1 },
            // Points instead of pixels, and y up.
            centre.x * 0.75,
            -centre.y * 0.75,
            node.rect.width / 96.0,
            node.rect.height / 96.0,
        );
    }
    for edge in &drawing.edges {
        let found = Style::of_edge(&edge.marks);
        let _ = writeln!(
            dot,
            "  {} -> {} [label={}, style={}, color=\"{}\", fontcolor=\"{}\", penwidth={}{}];",
            quoted(&edge.source),
            quoted(&edge.target),
            quoted(&edge.label),
            style(&found),
            found.stroke.light(),
            found.text.light(),
            found.width,
            if edge.marks.contains(&Mark::Inhibitor) { ", arrowhead=odot" } else { "" }
        );
    }
    dot.push_str("}\n");
    dot
}

//! Pictures of TikZ with the coordinates of the drawing, as a document of their own that can be pasted into another.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::layout::Point;
use crate::scene::svg::points;
use crate::scene::{Anchor, Dash, Drawing, Edge, Ink, Mark, Node, Rect, RowKind, Shape, Style, TOKEN};

/// Pixels to points of TeX.
const UNIT: f64 = 0.75;

pub(super) fn write(drawing: &Drawing, title: &str) -> String {
    let mut body = String::new();
    let mut inks = BTreeSet::new();
    let mut used = |ink: Ink| {
        inks.insert(ink.name());
        name(ink)
    };
    for region in &drawing.regions {
        let style = Style::of_region(&region.marks);
        let _ = writeln!(body, "  \\path[{}] {};", options(&style, &mut used), rectangle(region.rect));
    }
    for line in &drawing.lines {
        let options = options(&Style::of_edge(&line.marks), &mut used);
        let _ = writeln!(body, "  \\path[{options}] {};", curve(&line.path));
    }
    for edge in &drawing.edges {
        draw_edge(&mut body, edge, &mut used);
    }
    for node in &drawing.nodes {
        draw_node(&mut body, node, &mut used);
    }
    for label in &drawing.labels {
        let style = Style::of_node(&label.marks);
        if label.marks.contains(&Mark::Known) {
            let _ = writeln!(body, "  \\fill[white] {};", rectangle(label.rect()));
        }
        draw_text(&mut body, &label.text, label.at, label.anchor, (&used(style.text), false));
    }
    let mut colours = String::new();
    for ink in Ink::ALL.iter().filter(|ink| **ink != Ink::None && inks.contains(ink.name())) {
        let _ = writeln!(
            colours,
            "\\definecolor{{{}}}{{HTML}}{{{}}}",
            name(*ink),
            ink.light().trim_start_matches('#').to_uppercase()
        );
    }
    let is_inhibitor = |edge: &Edge| edge.marks.contains(&Mark::Inhibitor);
    let arrows = if drawing.edges.iter().any(is_inhibitor) { "\\usetikzlibrary{arrows.meta}\n" } else { "" };
    format!(
        "% {}\n\\documentclass[tikz,border=2pt]{{standalone}}\n\\usepackage[T1]{{fontenc}}\n\\usepackage{{amssymb}}\n{arrows}{colours}\\begin{{document}}\n\\begin{{tikzpicture}}[x={UNIT}pt,y=-{UNIT}pt,font=\\ttfamily\\scriptsize,inner sep=0pt,>=stealth]\n{body}\\end{{tikzpicture}}\n\\end{{document}}\n",
        title.replace('\n', " ")
    )
}

fn name(ink: Ink) -> String {
    if ink == Ink::None { "none".to_owned() } else { format!("vs-{}", ink.name()) }
}

fn options(style: &Style, used: &mut impl FnMut(Ink) -> String) -> String {
    let mut options = Vec::new();
    if style.stroke != Ink::None {
        options.push(format!("draw={},line width={:.2}pt", used(style.stroke), style.width * UNIT));
    }
    if style.fill != Ink::None {
        options.push(format!("fill={}", used(style.fill)));
    }
    match style.dash {
        Dash::Solid => {}
        Dash::Dashed => options.push("dashed".to_owned()),
        Dash::Dotted => options.push("densely dotted".to_owned()),
    }
    if style.faded {
        options.push("opacity=0.5".to_owned());
    }
    options.join(",")
}

fn at(point: Point) -> String {
    format!("({:.1},{:.1})", point.x, point.y)
}

fn rectangle(rect: Rect) -> String {
    format!("{} rectangle {}", at(Point::new(rect.x, rect.y)), at(Point::new(rect.right(), rect.bottom())))
}

/// Path data of `M`, `L`, `C`, `Q` and `Z` as a path of TikZ.
fn curve(path: &str) -> String {
    let starts: Vec<usize> =
        path.match_indices(|c: char| c.is_ascii_alphabetic()).map(|(start, _)| start).collect();
    let mut text = String::new();
    let mut before = Point::default();
    for (i, start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(path.len());
        let points = points(&path[*start..end]);
        match points.as_slice() {
            [] => text.push_str(" -- cycle"),
            [to] if path[*start..].starts_with('M') => {
                let _ = write!(text, " {}", at(*to));
            }
            [to] => {
                let _ = write!(text, " -- {}", at(*to));
            }
            [by, to] => {
                // A quadratic curve as a cubic one.
                let third = |from: Point| {
                    Point::new(from.x + (by.x - from.x) * 2.0 / 3.0, from.y + (by.y - from.y) * 2.0 / 3.0)
                };
                let _ =
                    write!(text, " .. controls {} and {} .. {}", at(third(before)), at(third(*to)), at(*to));
            }
            [a, b, to, ..] => {
                let _ = write!(text, " .. controls {} and {} .. {}", at(*a), at(*b), at(*to));
            }
        }
        before = points.last().copied().unwrap_or(before);
    }
    text.trim_start().to_owned()
}

fn draw_edge(body: &mut String, edge: &Edge, used: &mut impl FnMut(Ink) -> String) {
    let style = Style::of_edge(&edge.marks);
    if edge.arrow.path.is_empty() {
        return;
    }
    let head = if edge.marks.contains(&Mark::Inhibitor) { "-{Circle[open]}" } else { "->" };
    let _ = writeln!(body, "  \\path[{head},{}] {};", options(&style, used), curve(&edge.arrow.path));
    if let Some(plate) = edge.plate() {
        let _ = writeln!(body, "  \\fill[white] {};", rectangle(plate));
        let at = Point::new(edge.arrow.label.x, edge.arrow.label.y + 4.0);
        draw_text(body, &edge.label, at, Anchor::Middle, (&used(style.text), false));
    }
}

fn draw_node(body: &mut String, node: &Node, used: &mut impl FnMut(Ink) -> String) {
    let style = node.style();
    if let Some(ink) = style.halo {
        let halo =
            Style { stroke: ink, fill: Ink::None, width: 3.0, dash: Dash::Solid, faded: false, ..style };
        let _ = writeln!(body, "  \\path[{}] {};", options(&halo, used), shape(node, node.rect.inset(-4.0)));
    }
    let _ = writeln!(body, "  \\path[{}] {};", options(&style, used), shape(node, node.rect));
    if style.double {
        let inner = Style { fill: Ink::None, ..style };
        let _ = writeln!(body, "  \\path[{}] {};", options(&inner, used), shape(node, node.rect.inset(3.5)));
    }
    if node.is(Mark::Initial) {
        let (x, y) = (node.rect.x, node.rect.centre().y);
        let _ = writeln!(body, "  \\draw[->] {} -- {};", at(Point::new(x - 24.0, y)), at(Point::new(x, y)));
    }
    for token in node.tokens() {
        let radius = TOKEN * UNIT;
        let _ = writeln!(body, "  \\fill[{}] {} circle [radius={radius:.2}pt];", used(style.text), at(token));
    }
    if let Some(name) = node.name_rect() {
        // Arcs may lead there.
        let _ = writeln!(body, "  \\fill[white,opacity=0.8] {};", rectangle(name));
    }
    for (row, at, anchor) in node.placed() {
        let bold = row.kind == RowKind::Name;
        let ink = if bold { style.text } else { Ink::Muted };
        draw_text(body, &row.text, at, anchor, (&used(ink), bold));
    }
}

fn shape(node: &Node, rect: Rect) -> String {
    let rounded = |by: f64| format!("[rounded corners={:.1}pt] {}", by * UNIT, rectangle(rect));
    match node.shape {
        Shape::Box | Shape::Frame => rounded(8.0),
        Shape::Pill => rounded(rect.height / 2.0 - 0.1),
        Shape::Tile => rectangle(rect),
        Shape::Ellipse | Shape::Place => {
            let (a, b) = (rect.width / 2.0 * UNIT, rect.height / 2.0 * UNIT);
            format!("{} ellipse [x radius={a:.2}pt, y radius={b:.2}pt]", at(rect.centre()))
        }
        Shape::Stub => {
            let (x, y) = (rect.centre().x, rect.y);
            format!(
                "{} -- {} {} -- {}",
                at(Point::new(x, y)),
                at(Point::new(x, y + 9.0)),
                at(Point::new(x - 4.0, y + 9.0)),
                at(Point::new(x + 4.0, y + 9.0))
            )
        }
    }
}

fn draw_text(body: &mut String, text: &str, at: Point, anchor: Anchor, (ink, bold): (&str, bool)) {
    let anchor = match anchor {
        Anchor::Start => "base west",
        Anchor::Middle => "base",
        Anchor::End => "base east",
    };
    let weight = if bold { "\\bfseries " } else { "" };
    let _ = writeln!(
        body,
        "  \\node[anchor={anchor},text={ink}] at ({:.1},{:.1}) {{{weight}{}}};",
        at.x,
        at.y,
        tex(text)
    );
}

/// A text for TeX.
fn tex(text: &str) -> String {
    let mut tex = String::new();
    for c in text.chars() {
        match c {
            '\\' => tex.push_str("\\textbackslash{}"),
            '{' | '}' | '#' | '$' | '%' | '&' | '_' => {
                tex.push('\\');
                tex.push(c);
            }
            '^' => tex.push_str("\\textasciicircum{}"),
            '~' => tex.push_str("\\textasciitilde{}"),
            '<' => tex.push_str("\\textless{}"),
            '>' => tex.push_str("\\textgreater{}"),
            '|' => tex.push_str("\\textbar{}"),
            '"' => tex.push_str("\\textquotedbl{}"),
            '≤' => tex.push_str("$\\leq$"),
            '≥' => tex.push_str("$\\geq$"),
            '≠' => tex.push_str("$\\neq$"),
            '∧' => tex.push_str("$\\wedge$"),
            '∨' => tex.push_str("$\\vee$"),
            '¬' => tex.push_str("$\\neg$"),
            '→' => tex.push_str("$\\rightarrow$"),
            '⇒' => tex.push_str("$\\Rightarrow$"),
            '↔' => tex.push_str("$\\leftrightarrow$"),
            '∅' => tex.push_str("$\\emptyset$"),
            '…' => tex.push_str("\\ldots{}"),
            '∈' => tex.push_str("$\\in$"),
            '·' => tex.push_str("$\\cdot$"),
            '↷' => tex.push_str("$\\curvearrowright$"),
            '○' => tex.push_str("$\\circ$"),
            '✕' => tex.push_str("$\\times$"),
            '↑' => tex.push_str("$\\uparrow$"),
            '′' => tex.push_str("$'$"),
            '①'..='⑳' => {
                let _ = write!(tex, "({})", c as u32 - 0x245f);
            }
            c if c.is_ascii() || ('\u{a0}'..'\u{180}').contains(&c) => tex.push(c),
            _ => tex.push('?'),
        }
    }
    tex
}

//! SVG files: attributes only, so that every viewer shows them alike.

use std::fmt::Write as _;

use crate::layout::{Arrow, Point, cubic_at};
use crate::scene::measure::FONT;
use crate::scene::{Anchor, Dash, Drawing, Edge, Ink, Mark, Node, Rect, RowKind, Shape, Style, TOKEN, width};
use crate::text::escaped;

/// The head of an arrow that points to the right, with its tip at the origin.
pub(super) const TIP: &str = "M0 0L-8 -4L-6.4 0L-8 4Z";
/// The circle at the end of an inhibitor arc.
const CIRCLE: &str = "M0 0A4 4 0 1 0 -8 0A4 4 0 1 0 0 0Z";

/// The points of path data of `M`, `L`, `C`, `Q` and `Z`.
pub(super) fn points(path: &str) -> Vec<Point> {
    let words = path.split(|c: char| c == ' ' || c.is_ascii_alphabetic());
    let numbers: Vec<f64> = words.filter(|word| !word.is_empty()).map(number).collect();
    numbers.chunks_exact(2).map(|c| Point::new(c[0], c[1])).collect()
}

/// A number of path data: digits, and perhaps a sign and a point. (Reading floats in general would be a large part of
/// the page.)
fn number(text: &str) -> f64 {
    let (mut value, mut unit) = (0.0, 0.0);
    for c in text.chars() {
        match c.to_digit(10) {
            Some(digit) => {
                value = value * 10.0 + f64::from(digit);
                unit *= 10.0;
            }
            None if c == '.' => unit = 1.0,
            None => {}
        }
    }
    let value = if unit > 0.0 { value / unit } else { value };
    if text.starts_with('-') { -value } else { value }
}

/// The rectangle around the points of path data.
pub(crate) fn bounds(path: &str) -> Option<Rect> {
    points(path).into_iter().map(|p| Rect { x: p.x, y: p.y, width: 0.0, height: 0.0 }).reduce(Rect::with)
}

/// The point at which a path begins.
pub(crate) fn first_point(path: &str) -> Option<Point> {
    pieces(path).next().and_then(|piece| points(piece).first().copied())
}

/// The pieces of path data: each begins with its letter.
fn pieces(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = path;
    std::iter::from_fn(move || {
        let end = rest.get(1..)?.find(|c: char| c.is_ascii_alphabetic()).map_or(rest.len(), |at| at + 1);
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

/// Points along path data of `M`, `L` and `C`, about this far apart.
pub(super) fn along(path: &str) -> Vec<Point> {
    const APART: f64 = 8.0;
    let mut found: Vec<Point> = Vec::new();
    for piece in pieces(path) {
        let ends = points(piece);
        let Some((from, to)) = found.last().copied().zip(ends.last().copied()) else {
            found.extend(ends);
            continue;
        };
        let control =
            if let [first, second, _] = ends[..] { [from, first, second, to] } else { [from, from, to, to] };
        let length = control.windows(2).map(|pair| (pair[1].x - pair[0].x).hypot(pair[1].y - pair[0].y));
        let parts = (length.sum::<f64>() / APART).ceil().max(1.0);
        let mut part = 0.0;
        while part < parts {
            part += 1.0;
            found.push(cubic_at(control, part / parts));
        }
    }
    found
}

/// Path data of `M`, `L`, `C`, `Q` and `Z`, moved.
pub(crate) fn shifted(path: &str, by: Point) -> String {
    let mut moved = String::with_capacity(path.len());
    for piece in pieces(path) {
        moved.push_str(&piece[..1]);
        let words: Vec<String> =
            points(piece).iter().map(|p| format!("{:.1} {:.1}", p.x + by.x, p.y + by.y)).collect();
        moved.push_str(&words.join(" "));
    }
    moved
}

/// Path data of `M`, `L` and `C`, from its end to its beginning.
pub(crate) fn reversed(path: &str) -> String {
    let pieces: Vec<(&str, Vec<Point>)> = pieces(path).map(|piece| (&piece[..1], points(piece))).collect();
    let mut data = String::new();
    let mut next = "M";
    for (letter, points) in pieces.iter().rev() {
        let Some((end, controls)) = points.split_last() else { continue };
        let _ = write!(data, "{next}{:.1} {:.1}", end.x, end.y);
        next = if controls.is_empty() { letter } else { " " };
        if !controls.is_empty() {
            data.push_str(letter);
        }
        let words: Vec<String> = controls.iter().rev().map(|p| format!("{:.1} {:.1}", p.x, p.y)).collect();
        data.push_str(&words.join(" "));
    }
    data
}

pub(super) fn write(drawing: &Drawing, title: &str) -> String {
    let Rect { x, y, width, height } = drawing.extent;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"{x:.1} {y:.1} {width:.1} {height:.1}\" font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"{FONT}\">\n<title>{}</title>\n<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"#ffffff\"/>\n",
        escaped(title)
    );
    for region in &drawing.regions {
        let style = Style::of_region(&region.marks);
        let _ = writeln!(svg, "<rect {} {}/>", corners(region.rect), paint(&style));
    }
    for line in &drawing.lines {
        let _ = writeln!(svg, "<path d=\"{}\" {}/>", line.path, paint(&Style::of_edge(&line.marks)));
    }
    for edge in &drawing.edges {
        draw_edge(&mut svg, edge);
    }
    for node in &drawing.nodes {
        draw_node(&mut svg, node);
    }
    for label in &drawing.labels {
        if label.marks.contains(&Mark::Known) {
            let _ = write!(svg, "<rect {} rx=\"3\" fill=\"#ffffff\"/>", corners(label.rect()));
        }
        let ink = Style::of_node(&label.marks).text;
        let bold = label.marks.contains(&Mark::Axis);
        draw_text(&mut svg, &label.text, label.at, label.anchor, ink, bold);
    }
    svg.push_str("</svg>\n");
    svg
}

fn corners(rect: Rect) -> String {
    format!(
        "x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"",
        rect.x, rect.y, rect.width, rect.height
    )
}

/// The attributes of an outline.
fn paint(style: &Style) -> String {
    let mut text = format!("fill=\"{}\" stroke=\"{}\"", style.fill.light(), style.stroke.light());
    if style.stroke != Ink::None {
        let _ = write!(text, " stroke-width=\"{}\"", style.width);
    }
    match style.dash {
        Dash::Solid => {}
        Dash::Dashed => text.push_str(" stroke-dasharray=\"5 4\""),
        Dash::Dotted => text.push_str(" stroke-dasharray=\"2 3\""),
    }
    if style.faded {
        text.push_str(" opacity=\"0.5\"");
    }
    text
}

fn draw_edge(svg: &mut String, edge: &Edge) {
    let style = Style::of_edge(&edge.marks);
    let Arrow { path, tip, angle, label } = &edge.arrow;
    if path.is_empty() {
        return;
    }
    let ink = style.stroke.light();
    let head = match edge.marks.contains(&Mark::Inhibitor) {
        true => format!("d=\"{CIRCLE}\" fill=\"#ffffff\" stroke=\"{ink}\" stroke-width=\"1.5\""),
        false => format!("d=\"{TIP}\" fill=\"{ink}\""),
    };
    let _ = writeln!(
        svg,
        "<g><title>{}</title><path d=\"{path}\" {}/><path {head} transform=\"translate({:.1} {:.1}) rotate({angle:.0})\"/>",
        escaped(&edge.title),
        paint(&style),
        tip.x,
        tip.y
    );
    if let Some(plate) = edge.plate() {
        let _ = write!(svg, "<rect {} rx=\"3\" fill=\"#ffffff\"/>", corners(plate));
        let at = Point::new(label.x, label.y + 4.5);
        draw_text(svg, &edge.label, at, Anchor::Middle, style.text, false);
    }
    svg.push_str("</g>\n");
}

/// The outline of a node as an element with these attributes.
fn outline(node: &Node, rect: Rect, attributes: &str) -> String {
    match node.shape {
        Shape::Box | Shape::Frame => format!("<rect {} rx=\"8\" {attributes}/>", corners(rect)),
        Shape::Pill => format!("<rect {} rx=\"{:.1}\" {attributes}/>", corners(rect), rect.height / 2.0),
        Shape::Tile => format!("<rect {} {attributes}/>", corners(rect)),
        Shape::Ellipse | Shape::Place => {
            let centre = rect.centre();
            format!(
                "<ellipse cx=\"{:.1}\" cy=\"{:.1}\" rx=\"{:.1}\" ry=\"{:.1}\" {attributes}/>",
                centre.x,
                centre.y,
                rect.width / 2.0,
                rect.height / 2.0
            )
        }
        Shape::Stub => {
            let (x, y) = (rect.x + rect.width / 2.0, rect.y);
            format!("<path d=\"M{x:.1} {y:.1}v9m-4 0h8m-6.5 3h5\" {attributes}/>")
        }
    }
}

fn draw_node(svg: &mut String, node: &Node) {
    let style = node.style();
    let _ = writeln!(svg, "<g><title>{}</title>", escaped(&node.title));
    if let Some(ink) = style.halo {
        let attributes = format!("fill=\"none\" stroke=\"{}\" stroke-width=\"3\"", ink.light());
        svg.push_str(&outline(node, node.rect.inset(-4.0), &attributes));
    }
    svg.push_str(&outline(node, node.rect, &paint(&style)));
    if style.double {
        svg.push_str(&outline(node, node.rect.inset(3.5), &paint(&Style { fill: Ink::None, ..style })));
    }
    if node.is(Mark::Initial) {
        let (x, y) = (node.rect.x, node.rect.centre().y);
        let ink = Ink::Text.light();
        let _ = write!(
            svg,
            "<path d=\"M{:.1} {y:.1}h16\" stroke=\"{ink}\" stroke-width=\"1.6\"/><path d=\"M{:.1} {y:.1}l-8 -4v8z\" fill=\"{ink}\"/>",
            x - 24.0,
            x - 1.0
        );
    }
    for Point { x, y } in node.tokens() {
        let ink = style.text.light();
        let _ = write!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{TOKEN}\" fill=\"{ink}\"/>");
    }
    if let Some(head) = node.head_rect() {
        let _ = write!(svg, "<rect {} rx=\"3\" fill=\"{}\"/>", corners(head), Ink::Sunken.light());
    }
    if let Some(name) = node.name_rect() {
        // Arcs may lead there.
        let _ = write!(svg, "<rect {} rx=\"3\" fill=\"#ffffff\" fill-opacity=\"0.8\"/>", corners(name));
    }
    for (row, at, anchor) in node.placed() {
        let (ink, bold) = match row.kind {
            RowKind::Name => (style.text, true),
            RowKind::Corner | RowKind::Fact => (Ink::Muted, false),
        };
        draw_text(svg, &row.text, at, anchor, ink, bold);
    }
    svg.push_str("</g>\n");
}

fn draw_text(svg: &mut String, text: &str, at: Point, anchor: Anchor, ink: Ink, bold: bool) {
    let anchor = match anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let weight = if bold { " font-weight=\"700\"" } else { "" };
    // The length keeps the text in its place whatever the font is.
    let length = width(text);
    let _ = write!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" textLength=\"{length:.1}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{}\"{anchor}{weight}>{}</text>",
        at.x,
        at.y,
        ink.light(),
        escaped(text)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_data_is_read_and_moved() {
        let path = "M1.5 -2L30 4.25C0 0 -7 8 9.1 10Z";
        let all = [(1.5, -2.0), (30.0, 4.25), (0.0, 0.0), (-7.0, 8.0), (9.1, 10.0)];
        assert_eq!(points(path), all.map(|(x, y)| Point::new(x, y)));
        let moved = points(&shifted(path, Point::new(10.0, -1.0)));
        assert_eq!(moved[3], Point::new(3.0, 7.0));
        let rect = bounds(path).expect("it has points");
        assert_eq!((rect.x, rect.y, rect.right(), rect.bottom()), (-7.0, -2.0, 30.0, 10.0));
    }
}

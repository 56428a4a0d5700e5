//! A whole scene as one drawing, for files: its parts beside each other, each below its heading and its caption, and
//! tables as rows of boxes.

use crate::layout::Point;
use crate::scene::svg::shifted;
use crate::scene::{
    Anchor, Body, Drawing, LINE, Label, Line, Mark, Node, PADDING, Part, Rect, Row, Scene, Shape, Table,
    width,
};

/// Between parts.
const GAP: f64 = 48.0;
/// The width of a sign of the legend, and the least width of a line of it.
const SIGN: f64 = 18.0;
const WIDE: f64 = 560.0;
/// The number of characters in a line of a caption.
const LETTERS: usize = 64;
/// The width of the last column of a table, after which entries continue in the next line.
const COLUMN: f64 = 760.0;

/// The scene as one drawing.
pub(super) fn of(scene: &Scene) -> Drawing {
    let mut sheet = Drawing::default();
    let mut left = 0.0;
    let alone = scene.parts.len() < 2;
    for (number, part) in scene.parts.iter().enumerate() {
        let mut one = above(part);
        let top = one.labels.len() as f64 * LINE + if one.labels.is_empty() { 0.0 } else { 12.0 };
        let body = match &part.body {
            Body::Nothing => Drawing::default(),
            Body::Drawing(drawing) => Drawing::clone(drawing),
            Body::Table(table) => from_table(table),
        };
        let extent = body.extent;
        append(
            &mut one,
            body,
            Point::new(-extent.x, top - extent.y),
            if alone { None } else { Some(number) },
        );
        let one = one.bounded(0.0);
        let right = one.extent.right();
        append(&mut sheet, one, Point::new(left, 0.0), None);
        left += right + GAP;
    }
    sheet.bounded(16.0)
}

/// The scene as one drawing with a legend below.
pub(super) fn with_legend(scene: &Scene) -> Drawing {
    let mut sheet = of(scene);
    let marks = sheet.legend();
    let (left, right) = (sheet.extent.x + 16.0, sheet.extent.right().max(sheet.extent.x + WIDE));
    let (mut x, mut y) = (left, sheet.extent.bottom() + LINE);
    for mark in marks {
        let Some(meaning) = mark.meaning() else { continue };
        let wide = SIGN + 8.0 + width(meaning) + 2.0 * PADDING;
        if x > left && x + wide > right {
            (x, y) = (left, y + 1.4 * LINE);
        }
        if sheet.on_edges_only(mark) {
            sheet
                .lines
                .push(Line { path: format!("M{x:.1} {y:.1}L{:.1} {y:.1}", x + SIGN), marks: vec![mark] });
        } else {
            let mut sign =
                Node::new(format!("legend/{}", mark.name()), Shape::Box, Vec::new(), meaning.to_owned());
            // The arrow of an initial node is on its left.
            x += if mark == Mark::Initial { SIGN } else { 0.0 };
            sign.rect = Rect { x, y: y - 6.0, width: SIGN, height: 12.0 };
            sheet.nodes.push(sign.marked(&[(mark, true)]));
        }
        let at = Point::new(x + SIGN + 8.0, y + 4.5);
        sheet.labels.push(Label {
            text: meaning.to_owned(),
            at,
            anchor: Anchor::Start,
            marks: vec![Mark::Muted],
        });
        x += wide;
    }
    sheet.bounded(16.0)
}

/// The heading and the caption of a part, as lines.
fn above(part: &Part) -> Drawing {
    let mut lines: Vec<(String, Mark)> = Vec::new();
    if !part.heading.is_empty() {
        lines.push((part.heading.clone(), Mark::Axis));
    }
    let mut line = String::new();
    for word in part.caption.to_string().split_whitespace() {
        if !line.is_empty() && line.chars().count() + word.chars().count() >= LETTERS {
            lines.push((std::mem::take(&mut line), Mark::Muted));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if !line.is_empty() {
        lines.push((line, Mark::Muted));
    }
    let label = |(i, (text, mark)): (usize, (String, Mark))| Label {
        text,
        at: Point::new(0.0, (i as f64 + 0.8) * LINE),
        anchor: Anchor::Start,
        marks: vec![mark],
    };
    Drawing { labels: lines.into_iter().enumerate().map(label).collect(), ..Drawing::default() }
}

/// A table as boxes.
fn from_table(table: &Table) -> Drawing {
    let mut drawing = Drawing::default();
    let columns = table.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let mut lefts = vec![0.0];
    for column in 0..columns {
        let cells = table.rows.iter().filter_map(|row| row.cells.get(column));
        let wide = |text: &str| width(text) + 2.0 * PADDING + 8.0;
        let entries = cells.map(|cell| cell.iter().map(|chip| wide(&chip.text.to_string())).sum::<f64>());
        let heading = table.columns.get(column).map_or(0.0, |text| wide(text));
        let widest = entries.fold(heading, f64::max).min(COLUMN);
        lefts.push(lefts[column] + widest + 12.0);
    }
    for (column, text) in table.columns.iter().enumerate() {
        let at = Point::new(lefts.get(column).copied().unwrap_or(0.0), LINE);
        drawing.labels.push(Label { text: text.clone(), at, anchor: Anchor::Start, marks: vec![Mark::Axis] });
    }
    let mut top = LINE + 12.0;
    for row in &table.rows {
        let mut bottom = top + 26.0;
        for (column, cell) in row.cells.iter().enumerate() {
            let (mut x, mut y) = (lefts[column], top);
            for (number, chip) in cell.iter().enumerate() {
                let text = chip.text.to_string();
                let wide = width(&text) + 2.0 * PADDING;
                if x > lefts[column] && x + wide > lefts[column] + COLUMN {
                    (x, y) = (lefts[column], y + 32.0);
                }
                let key = format!("{}.{column}.{number}", row.key);
                let mut node = Node::new(key, Shape::Box, vec![Row::fact(text.clone(), None)], text);
                node.rect = Rect { x, y, width: wide, height: 26.0 };
                (node.marks, node.about) = (chip.marks.clone(), chip.about.clone());
                drawing.nodes.push(node);
                x += wide + 8.0;
                bottom = bottom.max(y + 26.0);
            }
        }
        top = bottom + 10.0;
    }
    drawing.bounded(0.0)
}

/// Adds a drawing to another, moved; keys get the number of their part, if it is given.
fn append(sheet: &mut Drawing, drawing: Drawing, by: Point, number: Option<usize>) {
    let rect = |rect: Rect| Rect { x: rect.x + by.x, y: rect.y + by.y, ..rect };
    let point = |point: Point| Point::new(point.x + by.x, point.y + by.y);
    let key = |key: String| number.map_or(key.clone(), |number| format!("{number}/{key}"));
    for mut region in drawing.regions {
        (region.rect, region.key) = (rect(region.rect), key(region.key));
        sheet.regions.push(region);
    }
    for mut line in drawing.lines {
        line.path = shifted(&line.path, by);
        sheet.lines.push(line);
    }
    for mut edge in drawing.edges {
        edge.arrow.path = shifted(&edge.arrow.path, by);
        (edge.arrow.tip, edge.arrow.label) = (point(edge.arrow.tip), point(edge.arrow.label));
        (edge.key, edge.source, edge.target) = (key(edge.key), key(edge.source), key(edge.target));
        sheet.edges.push(edge);
    }
    for mut node in drawing.nodes {
        (node.rect, node.key) = (rect(node.rect), key(node.key));
        sheet.nodes.push(node);
    }
    for mut label in drawing.labels {
        label.at = point(label.at);
        sheet.labels.push(label);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_legend_is_below_and_has_each_role_once() {
        let node = |key: &str, mark| {
            Node::new(key.to_owned(), Shape::Box, vec![Row::name(key)], key.to_owned())
                .marked(&[(mark, true)])
        };
        let nodes = vec![node("a", Mark::Covered), node("b", Mark::Covered), node("c", Mark::Waiting)];
        let lines = vec![Line { path: "M0 0L9 9".to_owned(), marks: vec![Mark::Border] }];
        let drawing = Drawing { nodes, lines, ..Drawing::default() }.bounded(8.0);
        let scene = Scene::of("", crate::scene::Text::default(), Body::Drawing(drawing.into()));
        let (plain, sheet) = (scene.sheet(), scene.sheet_with_legend());
        let words: Vec<&str> = sheet.labels.iter().map(|label| label.text.as_str()).collect();
        assert_eq!(words, ["○ on the waitlist", "↷ covered", "border"]);
        assert!(sheet.labels.iter().all(|label| label.at.y > plain.extent.bottom()));
        assert_eq!((sheet.nodes.len() - plain.nodes.len(), sheet.lines.len() - plain.lines.len()), (2, 1));
    }
}

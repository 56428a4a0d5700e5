//! The drawing of a model. It is computed in the worker: the layout of graphs with cycles is a large program.

use crate::layout::layered::{self, Options};
use crate::layout::{Point, Size};
use crate::protocol::{LocationInfo, ModelInfo, Picture, PictureEdge, Role};
use crate::text::{operation, short};

const CHAR: f64 = 6.7;
const LONGEST: usize = 34;
const HEIGHT: f64 = 30.0;
const LABEL_HEIGHT: f64 = 16.0;

fn width(text: &str) -> f64 {
    text.chars().count() as f64 * CHAR
}

fn size_of(location: &LocationInfo) -> Size {
    match location.role {
        Role::Between => Size::new(14.0, 14.0),
        _ => Size::new((width(&location.name) + 26.0).max(46.0), HEIGHT),
    }
}

/// Draws a model.
pub(super) fn draw(model: &ModelInfo) -> Picture {
    let boxes: Vec<Size> = model.locations.iter().map(size_of).collect();
    let labels: Vec<String> = model.edges.iter().map(|e| short(&operation(&e.text), LONGEST)).collect();
    let label_size = |label: &String| Size::new(width(label) + 6.0, LABEL_HEIGHT);
    let edges: Vec<layered::Edge> = model
        .edges
        .iter()
        .zip(&labels)
        .map(|(edge, label)| layered::Edge {
            source: edge.source.index(),
            target: edge.target.index(),
            label: (!label.is_empty()).then(|| label_size(label)),
        })
        .collect();
    let initial = model.locations.iter().position(|l| l.role == Role::Initial).unwrap_or(0);
    let drawing = layered::draw(&boxes, &edges, initial, &Options::default());
    let boxes = drawing.nodes.iter().zip(&boxes).map(|(centre, size)| part(*centre, *size)).collect();
    let mut extent = [0.0, 0.0, drawing.size.width as f32, drawing.size.height as f32];
    for (arrow, label) in drawing.edges.iter().zip(&labels).filter(|(_, label)| !label.is_empty()) {
        extent = around(extent, part(arrow.label, Size::new(width(label) + 16.0, LABEL_HEIGHT)));
    }
    let point = |p: Point| [p.x as f32, p.y as f32];
    let edges = drawing.edges.into_iter().zip(labels).map(|(arrow, text)| PictureEdge {
        tip: point(arrow.tip),
        label: point(arrow.label),
        angle: arrow.angle as f32,
        path: arrow.path,
        text,
    });
    Picture { boxes, edges: edges.collect(), extent }
}

fn part(centre: Point, size: Size) -> [f32; 4] {
    let (left, top) = (centre.x - size.width / 2.0, centre.y - size.height / 2.0);
    [left as f32, top as f32, size.width as f32, size.height as f32]
}

/// The smallest rectangle around both.
fn around(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    let (x, y) = (a[0].min(b[0]), a[1].min(b[1]));
    let (right, bottom) = ((a[0] + a[2]).max(b[0] + b[2]), (a[1] + a[3]).max(b[1] + b[3]));
    [x, y, right - x, bottom - y]
}

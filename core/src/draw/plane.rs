//! The states of a system over two variables, or over one, with their transitions and the borders of cells (Hajdu,
//! Tóth, Vörös and Majzik, "A Configurable CEGAR Framework with Interpolation-Based Refinements", 2016, figures 1 to
//! 4).

use std::sync::Arc;

use crate::certificate::{TraceRow, formula};
use crate::draw::Moment;
use crate::expr::Expr;
use crate::kit::{CellId, FormulaId, Journal};
use crate::layout::{Arrow, Point, Size};
use crate::picture::{Axis, Plane};
use crate::scene::{
    self, Anchor, Body, Drawing, Edge, Label, Line, Mark, Node, Part, Rect, Region, Shape, Text, Thing,
    middle, width,
};
use crate::system::{LocationId, System, VarId};
use crate::text::count;
use crate::views::CellsView;

/// With more transitions only those of the cells of the step are drawn.
const ARROWS: usize = 150;
/// The longest name of an axis.
const NAME: usize = 24;
/// The radius of a dot.
const DOT: f64 = 7.0;

/// Which dots are in a cell: those that its label does not exclude.
struct Inside {
    cell: CellId,
    holds: Vec<bool>,
}

/// The overlay on the states.
struct Overlay {
    cells: Vec<Inside>,
    /// For the split cells: the dots on the other side.
    splits: Vec<(CellId, Vec<bool>)>,
    /// The dots that are dead ends, and those that are bad.
    failure: Option<[Vec<bool>; 2]>,
}

/// Reads a formula of the journal.
fn read(journal: &Journal, id: FormulaId, system: &System) -> Option<Expr> {
    formula(scene::formula(journal, id), system).ok()
}

/// The dots where an expression is true; `open` where two values do not determine it.
fn holds(plane: &Plane, e: &Expr, open: bool) -> Vec<bool> {
    let (x, y) = (&plane.x, &plane.y);
    let at = |i: usize| {
        let (a, b) = (&x.values[i % x.values.len()], &y.values[i / x.values.len()]);
        let of = |v: VarId| {
            let own = [(x.variable, a), (y.variable, b)].into_iter().find(|(w, _)| *w == v);
            own.map(|(_, value)| value.clone())
        };
        e.eval_known(&of).ok().flatten().map_or(open, |value| value.bool())
    };
    (0..plane.dots.len()).map(at).collect()
}

impl Overlay {
    fn new(plane: &mut Plane, view: &CellsView, journal: &Journal, system: &System) -> Overlay {
        let label = |cell: &CellId| read(journal, view.cells.get(cell)?.label?, system);
        let known = view.cells.keys().filter_map(|cell| Some((*cell, label(cell)?)));
        let cells = known.map(|(cell, e)| Inside { cell, holds: holds(plane, &e, true) }).collect();
        let splits =
            view.interpolants.iter().filter_map(|(cell, f)| Some((*cell, read(journal, *f, system)?)));
        let splits = splits.map(|(cell, e)| (cell, holds(plane, &e, false))).collect();
        let failure = view.failure.and_then(|at| {
            let path: Option<Vec<Expr>> = view.path.iter().take(at + 2).map(label).collect();
            let path = path?;
            plane.failure(&path[..=at.min(path.len() - 1)], path.get(at + 1))
        });
        Overlay { cells, splits, failure }
    }

    /// Are the dots in different cells?
    fn differ(&self, a: usize, b: usize) -> bool {
        self.cells.iter().any(|r| r.holds[a] != r.holds[b])
    }

    /// Are the dots on different sides of a split?
    fn splits(&self, a: usize, b: usize) -> bool {
        self.splits.iter().any(|(cell, side)| {
            let within =
                self.cells.iter().find(|r| r.cell == *cell).is_some_and(|r| r.holds[a] && r.holds[b]);
            within && side[a] != side[b]
        })
    }
}

/// The coordinates.
struct Frame {
    pitch: f64,
    columns: usize,
    rows: usize,
}

impl Frame {
    fn new(plane: &Plane) -> Frame {
        let (columns, rows) = (plane.x.values.len(), plane.y.values.len());
        Frame { pitch: if columns.max(rows) > 8 { 46.0 } else { 76.0 }, columns, rows }
    }

    fn centre(&self, dot: usize) -> Point {
        let (column, row) = (dot % self.columns, dot / self.columns);
        Point::new((column as f64 + 0.5) * self.pitch, ((self.rows - 1 - row) as f64 + 0.5) * self.pitch)
    }

    fn square(&self, dot: usize) -> Rect {
        Rect::around(self.centre(dot), Size::new(self.pitch, self.pitch))
    }
}

/// The plane at a step; `run` is the run that was found, if it is to be drawn.
pub(super) fn plane(plane: &mut Plane, moment: &Moment<'_>, system: &System, run: &[TraceRow]) -> Part {
    let view = &moment.cells;
    let overlay = Overlay::new(plane, view, moment.journal, system);
    let frame = Frame::new(plane);
    let mut drawing = Drawing::default();
    squares(&mut drawing, plane, &frame, &overlay, view);
    borders(&mut drawing, plane, &frame, &overlay);
    arrows(&mut drawing, plane, &frame, &overlay, view);
    let visited = visited(plane, system, run);
    for (i, step) in visited.windows(2).enumerate() {
        drawing.edges.push(arrow(&frame, format!("r{i}"), (step[0], step[1]), &[Mark::Run]));
    }
    dots(&mut drawing, plane, &frame, &overlay, system);
    axes(&mut drawing, (&plane.x, &plane.y), system, frame.pitch);
    let caption = Text::plain(&caption(plane, &overlay, view));
    if drawing.nodes.is_empty() {
        return Part { heading: "States".to_owned(), caption, body: Body::Nothing };
    }
    Part { heading: "States".to_owned(), caption, body: Body::Drawing(Arc::new(drawing.bounded(12.0))) }
}

/// A square behind each dot, in the colour of its cell, and the names of the cells.
fn squares(drawing: &mut Drawing, plane: &Plane, frame: &Frame, overlay: &Overlay, view: &CellsView) {
    for dot in (0..plane.dots.len()).filter(|d| plane.dots[*d].is_some()) {
        let Some(inside) = overlay.cells.iter().find(|r| r.holds[dot]) else { continue };
        let kept = view.cells.get(&inside.cell).is_some_and(|c| c.kept);
        let mut marks = vec![Mark::kind(inside.cell.index())];
        marks.extend(kept.then_some(Mark::Kept));
        marks.extend(view.focus.contains(&inside.cell).then_some(Mark::Current));
        drawing.regions.push(Region {
            key: format!("q{dot}"),
            rect: frame.square(dot),
            marks,
            about: vec![Thing::Cell(inside.cell)],
        });
    }
    let mut named: Vec<usize> = Vec::new();
    for inside in &overlay.cells {
        // The name is in the highest row, at the left.
        let own = (0..plane.dots.len()).filter(|d| inside.holds[*d] && plane.dots[*d].is_some());
        let Some(first) = own.min_by_key(|d| (frame.rows - d / frame.columns, d % frame.columns)) else {
            continue;
        };
        let square = frame.square(first);
        let above = named.iter().filter(|d| **d == first).count() as f64;
        drawing.labels.push(Label {
            text: inside.cell.to_string(),
            at: Point::new(square.x + 5.0, square.y + 14.0 + 14.0 * above),
            anchor: Anchor::Start,
            marks: vec![Mark::Muted],
        });
        named.push(first);
    }
}

/// Lines between neighbours in different cells, or on different sides of a split.
fn borders(drawing: &mut Drawing, plane: &Plane, frame: &Frame, overlay: &Overlay) {
    let mut line = |a: usize, b: usize, (from, to): (Point, Point)| {
        let mark = match (overlay.splits(a, b), overlay.differ(a, b)) {
            (true, _) => Mark::Fresh,
            (false, true) => Mark::Border,
            (false, false) => return,
        };
        let path = format!("M{:.1} {:.1}L{:.1} {:.1}", from.x, from.y, to.x, to.y);
        drawing.lines.push(Line { path, marks: vec![mark] });
    };
    for dot in 0..plane.dots.len() {
        let square = frame.square(dot);
        let corner = Point::new(square.right(), square.y);
        if dot % frame.columns + 1 < frame.columns {
            line(dot, dot + 1, (corner, Point::new(square.right(), square.bottom())));
        }
        if dot + frame.columns < plane.dots.len() {
            line(dot, dot + frame.columns, (Point::new(square.x, square.y), corner));
        }
    }
}

fn arrows(drawing: &mut Drawing, plane: &Plane, frame: &Frame, overlay: &Overlay, view: &CellsView) {
    let focused: Vec<&Inside> = overlay.cells.iter().filter(|r| view.focus.contains(&r.cell)).collect();
    for (from, to) in &plane.arrows {
        let about = focused.iter().any(|r| r.holds[*from] || r.holds[*to]);
        if plane.arrows.len() <= ARROWS || about {
            let marks = if about { &[Mark::Taken][..] } else { &[] };
            drawing.edges.push(arrow(frame, format!("a{from}-{to}"), (*from, *to), marks));
        }
    }
}

/// An arrow between two dots, bent a little, so that both directions and dots in between are distinguishable.
fn arrow(frame: &Frame, key: String, (from, to): (usize, usize), marks: &[Mark]) -> Edge {
    let (a, b) = (frame.centre(from), frame.centre(to));
    let (path, before, tip) = if from == to {
        // Leaves and enters the dot along its radius.
        let on = |x: f64, reach: f64| Point::new(a.x + x * reach, a.y - 0.85 * reach);
        let (start, p, q, tip) = (on(-0.53, DOT), on(-0.9, 30.0), on(0.9, 30.0), on(0.53, DOT + 1.0));
        let path = format!(
            "M{:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
            start.x, start.y, p.x, p.y, q.x, q.y, tip.x, tip.y
        );
        (path, q, tip)
    } else {
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let length = dx.hypot(dy);
        let (ux, uy) = (dx / length, dy / length);
        let by = Point::new(
            f64::midpoint(a.x, b.x) - uy * length * 0.14,
            f64::midpoint(a.y, b.y) + ux * length * 0.14,
        );
        let start = Point::new(a.x + ux * 9.0 - uy * 2.0, a.y + uy * 9.0 + ux * 2.0);
        let tip = Point::new(b.x - ux * 8.0 - uy * 2.0, b.y - uy * 8.0 + ux * 2.0);
        let path =
            format!("M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}", start.x, start.y, by.x, by.y, tip.x, tip.y);
        (path, by, tip)
    };
    let angle = (tip.y - before.y).atan2(tip.x - before.x).to_degrees();
    Edge {
        arrow: Arrow { path, tip, angle, label: tip },
        marks: marks.to_vec(),
        ..Edge::new(key, format!("d{from}"), format!("d{to}"))
    }
}

/// The dots along a run, as far as its states are drawn.
fn visited(plane: &Plane, system: &System, run: &[TraceRow]) -> Vec<usize> {
    let begins = |l: LocationId| l == system.initial && !system.returns_to_start();
    let counts = |l: LocationId| !system.location(l).anonymous && Some(l) != system.error && !begins(l);
    let is_state = |row: &&TraceRow| system.find_location(&row.location).is_some_and(counts);
    let place = |axis: &Axis, row: &TraceRow| {
        let name = &system.variable(axis.variable).name;
        let (_, text) = row.values.iter().find(|(n, _)| n == name)?;
        axis.values.iter().position(|v| system.value_text(axis.variable, v) == *text)
    };
    let alone = plane.x.variable == plane.y.variable;
    let line = |row: &TraceRow| if alone { Some(0) } else { place(&plane.y, row) };
    let dot = |row: &TraceRow| Some(line(row)? * plane.x.values.len() + place(&plane.x, row)?);
    run.iter().filter(is_state).map_while(dot).collect()
}

fn dots(drawing: &mut Drawing, plane: &Plane, frame: &Frame, overlay: &Overlay, system: &System) {
    for (i, dot) in plane.dots.iter().enumerate() {
        let Some(dot) = dot else { continue };
        let at = |side: usize| overlay.failure.as_ref().is_some_and(|f| f[side][i]);
        let title = values((&plane.x, i % frame.columns), (&plane.y, i / frame.columns), system);
        let mut node = Node::new(format!("d{i}"), Shape::Ellipse, Vec::new(), title).marked(&[
            (Mark::DeadEnd, at(0)),
            (Mark::Leads, at(1) && !at(0)),
            (Mark::Violating, dot.violates && dot.always),
            (Mark::Sometimes, dot.violates && !dot.always),
            (Mark::HasInitial, dot.initial),
        ]);
        node.rect = Rect::around(frame.centre(i), Size::new(2.0 * DOT, 2.0 * DOT));
        drawing.nodes.push(node);
    }
}

/// The values at a place of two axes, or of one if both are the same.
pub(super) fn values(x: (&Axis, usize), y: (&Axis, usize), system: &System) -> String {
    let value = |(axis, n): (&Axis, usize)| {
        let name = &system.variable(axis.variable).name;
        format!("{name} = {}", system.value_text(axis.variable, &axis.values[n]))
    };
    if x.0.variable == y.0.variable { value(x) } else { format!("{}, {}", value(x), value(y)) }
}

/// The values and the names of the axes of a grid of squares, with the origin at its upper left corner.
pub(super) fn axes(drawing: &mut Drawing, (x, y): (&Axis, &Axis), system: &System, pitch: f64) {
    let rows = y.values.len();
    let bottom = rows as f64 * pitch;
    let text = |axis: &Axis, n: usize| system.value_text(axis.variable, &axis.values[n]);
    let name = |axis: &Axis| middle(&system.variable(axis.variable).name, NAME);
    let widest = |axis: &Axis| (0..axis.values.len()).map(|n| width(&text(axis, n))).fold(0.0, f64::max);
    // Values are thinned out to fit.
    let every = (1..).find(|n| *n as f64 * pitch >= widest(x) + 8.0).unwrap_or(1);
    let mut label = |text: String, at: Point, anchor: Anchor, mark: Mark| {
        drawing.labels.push(Label { text, at, anchor, marks: vec![mark] });
    };
    for column in (0..x.values.len()).step_by(every) {
        let at = Point::new((column as f64 + 0.5) * pitch, bottom + 17.0);
        label(text(x, column), at, Anchor::Middle, Mark::Muted);
    }
    let right = x.values.len() as f64 * pitch;
    let end = right.max(width(&name(x)) + 2.0 * width("x"));
    label(format!("{} →", name(x)), Point::new(end, bottom + 38.0), Anchor::End, Mark::Axis);
    if x.variable == y.variable {
        return;
    }
    for row in (0..rows).step_by(if pitch < 18.0 { 2 } else { 1 }) {
        let at = Point::new(-8.0, ((rows - 1 - row) as f64 + 0.5) * pitch + 4.5);
        label(text(y, row), at, Anchor::End, Mark::Muted);
    }
    label(format!("↑ {}", name(y)), Point::new(-8.0, -10.0), Anchor::Start, Mark::Axis);
}

fn caption(plane: &Plane, overlay: &Overlay, view: &CellsView) -> String {
    let states = plane.dots.iter().flatten().count();
    let pairs = match (plane.x.variable == plane.y.variable, states) {
        (true, _) => count(states, "value"),
        (false, 1) => "1 pair of values".to_owned(),
        (false, _) => format!("{states} pairs of values"),
    };
    let mut text = format!("{pairs}, {} between them.", count(plane.arrows.len(), "transition"));
    if plane.cut {
        text.push_str(" Some transitions may not be drawn.");
    }
    if plane.x.clipped || plane.y.clipped {
        text.push_str(" Some values are not drawn.");
    }
    if let (Some([dead, leads]), Some(cell)) =
        (&overlay.failure, view.failure.and_then(|at| view.path.get(at)))
    {
        let marked = |marks: &[bool]| marks.iter().filter(|m| **m).count();
        text.push_str(&format!(
            " In {cell}: {} reachable along the counterexample, {} with its next transition.",
            marked(dead),
            marked(leads)
        ));
    }
    text
}

//! The states of a system over two variables, with their transitions and the borders of cells (Hajdu, Tóth, Vörös and
//! Majzik, "A Configurable CEGAR Framework with Interpolation-Based Refinements", 2016, figures 1 to 4).

use std::fmt::Write as _;

use veristep_core::certificate::formula;
use veristep_core::expr::Expr;
use veristep_core::kit::{CellId, FormulaId, Journal};
use veristep_core::picture::{Axis, Plane};
use veristep_core::system::{LocationId, System, VarId};
use veristep_core::text::escaped;
use veristep_core::views::CellsView;

use super::Moment;
use super::cells::{counted, text};
use crate::protocol::TraceRow;
use crate::text::short;

/// With more transitions only those of the cells of the step are drawn.
const ARROWS: usize = 150;
const TOP: f64 = 14.0;

/// Which dots are in a cell: those that its label does not exclude.
struct Region {
    cell: CellId,
    holds: Vec<bool>,
}

/// The overlay on the states.
struct Overlay {
    regions: Vec<Region>,
    /// For the split cells: the dots on the other side.
    splits: Vec<(CellId, Vec<bool>)>,
    /// The dots that are dead ends, and those that are bad.
    failure: Option<[Vec<bool>; 2]>,
}

/// Reads a formula of the journal.
fn read(journal: &Journal, formula_id: FormulaId, system: &System) -> Option<Expr> {
    formula(text(journal, formula_id), system).ok()
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

fn overlay(plane: &mut Plane, view: &CellsView, journal: &Journal, system: &System) -> Overlay {
    let label = |cell: &CellId| read(journal, view.cells.get(cell)?.label?, system);
    let known = view.cells.keys().filter_map(|cell| Some((*cell, label(cell)?)));
    let regions = known.map(|(cell, e)| Region { cell, holds: holds(plane, &e, true) }).collect();
    let splits = view.interpolants.iter().filter_map(|(cell, f)| Some((*cell, read(journal, *f, system)?)));
    let splits = splits.map(|(cell, e)| (cell, holds(plane, &e, false))).collect();
    let failure = view.failure.and_then(|at| {
        let path: Option<Vec<Expr>> = view.path.iter().take(at + 2).map(label).collect();
        let path = path?;
        plane.failure(&path[..=at.min(path.len() - 1)], path.get(at + 1))
    });
    Overlay { regions, splits, failure }
}

/// The coordinates.
struct Frame {
    pitch: f64,
    left: f64,
    columns: usize,
    rows: usize,
}

impl Frame {
    fn new(plane: &Plane, system: &System) -> Frame {
        let (columns, rows) = (plane.x.values.len(), plane.y.values.len());
        let longest =
            plane.y.values.iter().map(|v| system.value_text(plane.y.variable, v).len()).max().unwrap_or(1);
        let letters = longest.max(name(system, &plane.y).chars().count() + 2);
        let pitch = if columns.max(rows) > 8 { 46.0 } else { 76.0 };
        Frame { pitch, left: 8.0 * letters as f64 + 14.0, columns, rows }
    }

    fn centre(&self, dot: usize) -> (f64, f64) {
        let (column, row) = (dot % self.columns, dot / self.columns);
        let x = self.left + (column as f64 + 0.5) * self.pitch;
        (x, TOP + ((self.rows - 1 - row) as f64 + 0.5) * self.pitch)
    }

    fn size(&self) -> (f64, f64) {
        (self.left + self.columns as f64 * self.pitch + 16.0, TOP + self.rows as f64 * self.pitch + 44.0)
    }
}

fn name(system: &System, axis: &Axis) -> String {
    short(&system.variable(axis.variable).name, 24)
}

/// The plane with a summary and its legend.
pub(super) fn draw(plane: &mut Plane, moment: &Moment<'_>, system: &System, run: &[TraceRow]) -> String {
    let view = &moment.cells;
    let overlay = overlay(plane, view, moment.journal, system);
    let frame = Frame::new(plane, system);
    let said = said(plane, &overlay, view);
    let mut svg = ["tip", "tip run"].map(tip).concat();
    squares(&mut svg, plane, &frame, &overlay, view);
    borders(&mut svg, plane, &frame, &overlay);
    arrows(&mut svg, plane, &frame, &overlay, view);
    let visited = visited(plane, system, run);
    visited.windows(2).for_each(|step| arrow(&mut svg, &frame, (step[0], step[1]), "arrow run"));
    dots(&mut svg, plane, &frame, &overlay);
    scales(&mut svg, plane, &frame, system);
    let (width, height) = frame.size();
    format!(
        "<h2>States</h2><p>{said}</p><svg class=\"drawing plane\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{said}\">{svg}</svg><ul class=\"legend\"><li><i class=\"ring twice\"></i>initial</li>{}{}{}</ul>",
        violating(plane),
        if visited.len() < 2 { "" } else { "<li><i class=\"run\"></i>the trace found</li>" },
        if view.cells.is_empty() { "" } else { CELLS }
    )
}

/// The legend of red rings, if there are any. A dot may stand for several states.
fn violating(plane: &Plane) -> String {
    let dots = || plane.dots.iter().flatten().filter(|d| d.violates);
    let mut text = String::new();
    if dots().any(|d| d.always) {
        text.push_str("<li><i class=\"ring bad\"></i>violates the property</li>");
    }
    if dots().any(|d| !d.always) {
        text.push_str(
            "<li><i class=\"ring bad some\"></i>some state with these values violates the property</li>",
        );
    }
    text
}

const CELLS: &str = "<li><i class=\"ring dead\"></i>dead end: reachable along the counterexample</li><li><i class=\"ring leads\"></i>bad: has the next transition of it</li><li><i class=\"dashed\"></i>border of cells</li><li><i class=\"dashed new\"></i>new split</li>";

/// A square behind each dot, in the colour of its cell.
fn squares(svg: &mut String, plane: &Plane, frame: &Frame, overlay: &Overlay, view: &CellsView) {
    for dot in (0..plane.dots.len()).filter(|d| plane.dots[*d].is_some()) {
        let Some(region) = overlay.regions.iter().find(|r| r.holds[dot]) else { continue };
        let kept = if view.cells.get(&region.cell).is_some_and(|c| c.kept) { " kept" } else { "" };
        let now = if view.focus.contains(&region.cell) { " now" } else { "" };
        let ((x, y), half) = (frame.centre(dot), frame.pitch / 2.0);
        let _ = write!(
            svg,
            "<rect class=\"k{}{kept}{now}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
            region.cell.index() % 8,
            x - half,
            y - half,
            frame.pitch,
            frame.pitch
        );
    }
    let mut named: Vec<usize> = Vec::new();
    for region in &overlay.regions {
        // The name is in the highest row, at the left.
        let own = (0..plane.dots.len()).filter(|d| region.holds[*d] && plane.dots[*d].is_some());
        let Some(first) = own.min_by_key(|d| (frame.rows - d / frame.columns, d % frame.columns)) else {
            continue;
        };
        let ((x, y), half) = (frame.centre(first), frame.pitch / 2.0);
        let _ = write!(
            svg,
            "<text class=\"cell\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x - half + 5.0,
            y - half + 14.0 + 12.0 * named.iter().filter(|d| **d == first).count() as f64,
            region.cell
        );
        named.push(first);
    }
}

/// Lines between neighbours in different cells, or on different sides of a split.
fn borders(svg: &mut String, plane: &Plane, frame: &Frame, overlay: &Overlay) {
    let differ = |a: usize, b: usize| overlay.regions.iter().any(|r| r.holds[a] != r.holds[b]);
    let splits = |a: usize, b: usize| {
        overlay.splits.iter().any(|(cell, side)| {
            let within =
                overlay.regions.iter().find(|r| r.cell == *cell).is_some_and(|r| r.holds[a] && r.holds[b]);
            within && side[a] != side[b]
        })
    };
    let mut line = |a: usize, b: usize, path: String| {
        let class = match (splits(a, b), differ(a, b)) {
            (true, _) => "split new",
            (false, true) => "split",
            _ => return,
        };
        let _ = write!(svg, "<path class=\"{class}\" d=\"{path}\"/>");
    };
    for dot in 0..plane.dots.len() {
        let ((x, y), half) = (frame.centre(dot), frame.pitch / 2.0);
        if dot % frame.columns + 1 < frame.columns {
            line(dot, dot + 1, format!("M{:.1} {:.1}v{:.1}", x + half, y - half, frame.pitch));
        }
        if dot + frame.columns < plane.dots.len() {
            line(dot, dot + frame.columns, format!("M{:.1} {:.1}h{:.1}", x - half, y - half, frame.pitch));
        }
    }
}

fn arrows(svg: &mut String, plane: &Plane, frame: &Frame, overlay: &Overlay, view: &CellsView) {
    let focused: Vec<&Region> = overlay.regions.iter().filter(|r| view.focus.contains(&r.cell)).collect();
    for (from, to) in &plane.arrows {
        let about = focused.iter().any(|r| r.holds[*from] || r.holds[*to]);
        if plane.arrows.len() > ARROWS && !about {
            continue;
        }
        arrow(svg, frame, (*from, *to), if about { "arrow now" } else { "arrow" });
    }
}

/// The tip of arrows; its name is that of its class.
fn tip(class: &str) -> String {
    let name = class.replace(' ', "-");
    format!(
        "<defs><marker id=\"vs-{name}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"10\" markerHeight=\"10\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"{class}\" d=\"M0 0L8 4L0 8Z\"/></marker></defs>"
    )
}

fn arrow(svg: &mut String, frame: &Frame, (from, to): (usize, usize), class: &str) {
    let ((a, b), (c, d)) = (frame.centre(from), frame.centre(to));
    let path = if from == to {
        format!("M{:.1} {:.1}c-16 -20 24 -20 10 -1", a - 5.0, b - 7.0)
    } else {
        let (dx, dy) = (c - a, d - b);
        let length = dx.hypot(dy);
        let (ux, uy) = (dx / length, dy / length);
        // Bent a little, so that both directions and dots in between are distinguishable.
        let (mx, my) = ((a + c) / 2.0 - uy * length * 0.14, (b + d) / 2.0 + ux * length * 0.14);
        format!(
            "M{:.1} {:.1}Q{mx:.1} {my:.1} {:.1} {:.1}",
            a + ux * 9.0 - uy * 2.0,
            b + uy * 9.0 + ux * 2.0,
            c - ux * 11.0 - uy * 3.0,
            d - uy * 11.0 + ux * 3.0
        )
    };
    let tip = if class.ends_with("run") { "tip-run" } else { "tip" };
    let _ = write!(svg, "<path class=\"{class}\" marker-end=\"url(#vs-{tip})\" d=\"{path}\"/>");
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
    let dot = |row: &TraceRow| Some(place(&plane.y, row)? * plane.x.values.len() + place(&plane.x, row)?);
    run.iter().filter(is_state).map_while(dot).collect()
}

fn dots(svg: &mut String, plane: &Plane, frame: &Frame, overlay: &Overlay) {
    for (i, dot) in plane.dots.iter().enumerate() {
        let Some(dot) = dot else { continue };
        let (x, y) = frame.centre(i);
        let marked = |side: usize| overlay.failure.as_ref().is_some_and(|f| f[side][i]);
        let class = match (marked(0), marked(1), dot.violates) {
            (true, _, _) => "dot dead",
            (_, true, _) => "dot leads",
            (_, _, true) if dot.always => "dot bad",
            (_, _, true) => "dot bad some",
            _ => "dot",
        };
        let _ = write!(svg, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6.5\"/>");
        if dot.initial {
            let _ = write!(svg, "<circle class=\"twice\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"9.5\"/>");
        }
    }
}

fn scales(svg: &mut String, plane: &Plane, frame: &Frame, system: &System) {
    let below = TOP + frame.rows as f64 * frame.pitch;
    for (column, value) in plane.x.values.iter().enumerate() {
        let (x, _) = frame.centre(column);
        let _ = write!(
            svg,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            below + 16.0,
            system.value_text(plane.x.variable, value)
        );
    }
    for (row, value) in plane.y.values.iter().enumerate() {
        let (_, y) = frame.centre(row * frame.columns);
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            frame.left - 8.0,
            y + 4.0,
            system.value_text(plane.y.variable, value)
        );
    }
    let _ = write!(
        svg,
        "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{} →</text><text class=\"name\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{} ↑</text>",
        frame.left + frame.columns as f64 * frame.pitch,
        below + 36.0,
        escaped(&name(system, &plane.x)),
        frame.left - 8.0,
        below + 16.0,
        escaped(&name(system, &plane.y))
    );
}

fn said(plane: &Plane, overlay: &Overlay, view: &CellsView) -> String {
    let states = plane.dots.iter().flatten().count();
    let mut text = format!(
        "{}, {} between them.",
        counted(states, "pair of values", "pairs of values"),
        counted(plane.arrows.len(), "transition", "transitions")
    );
    if plane.cut {
        text.push_str(" Some transitions may not be drawn.");
    }
    if plane.x.clipped || plane.y.clipped {
        text.push_str(" Some values are not drawn.");
    }
    if let (Some([dead, leads]), Some(cell)) =
        (&overlay.failure, view.failure.and_then(|at| view.path.get(at)))
    {
        let count = |marks: &[bool]| marks.iter().filter(|m| **m).count();
        let _ = write!(
            text,
            " In {cell}: {} reachable along the counterexample, {} with its next transition.",
            count(dead),
            count(leads)
        );
    }
    text
}

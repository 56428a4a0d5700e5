//! Two variables at a location, or one: the values allowed by the abstraction, and those reached by sampled runs; the
//! lines are the borders between regions of the predicates.

use std::sync::Arc;

use crate::draw::plane::{axes as scale, values};
use crate::draw::{Drawn, Moment};
use crate::kit::{NodeId, PredicateId};
use crate::layout::{Point, Size, between};
use crate::picture::{Grid, axes, grid, variables};
use crate::scene::{Body, Drawing, Line, Mark, Node, Rect, Region, Scene, Shape, Text, fit, width};
use crate::system::{LocationId, State, System, VarId};
use crate::views::Status;

/// The least and the greatest side of a square, and the size of the whole grid that is aimed at.
const LEAST: f64 = 22.0;
const GREATEST: f64 = 56.0;
const GRID: f64 = 320.0;
/// With so few columns a square is as wide as the longest value.
const FEW: usize = 6;
/// The longest predicate in the caption.
const PREDICATE: usize = 60;

/// The values at a location.
pub(super) fn states(
    system: &System,
    moment: &Moment<'_>,
    samples: &[(LocationId, State)],
    (location, node): (LocationId, Option<NodeId>),
    chosen: Option<(VarId, VarId)>,
) -> Drawn {
    let views = (moment.journal, &moment.arg, &moment.precision);
    let variables = variables(system).into_iter().map(|v| (v, system.variable(v).name.clone())).collect();
    let chosen = chosen.filter(|(x, y)| x.index().max(y.index()) < system.variables.len());
    let Some(axes) = chosen.or_else(|| axes(location, system, views, samples)) else {
        return Scene::sentence("The model has no variables.").into();
    };
    let grid = grid(axes, (location, node), system, views, samples);
    let heading = format!("Values at {}", moment.journal.location(location));
    let drawn = Arc::new(drawing(&grid, system, moment));
    let scene = Scene::of(&heading, caption(&grid, system, moment), Body::Drawing(drawn));
    Drawn { scene, variables, axes: Some(axes), ..Drawn::default() }
}

/// The predicates of the last iteration that found any.
fn fresh(moment: &Moment<'_>) -> Vec<PredicateId> {
    let newest = moment.precision.predicates.iter().map(|(_, since)| *since).max();
    moment.precision.predicates.iter().filter(|(_, since)| Some(*since) == newest).map(|(p, _)| *p).collect()
}

/// The side of a square.
fn side(grid: &Grid, system: &System) -> f64 {
    let (columns, rows) = (grid.x.values.len(), grid.y.values.len());
    let text = |n: usize| width(&system.value_text(grid.x.variable, &grid.x.values[n])) + 10.0;
    let widest = (0..columns).filter(|_| columns <= FEW).map(text).fold(0.0, f64::max);
    between(GRID / columns.max(rows).max(1) as f64, LEAST, GREATEST).max(widest.min(2.0 * GREATEST))
}

fn drawing(grid: &Grid, system: &System, moment: &Moment<'_>) -> Drawing {
    let (columns, rows) = (grid.x.values.len(), grid.y.values.len());
    let side = side(grid, system);
    let square = |i: usize| {
        let (column, row) = (i % columns, rows - 1 - i / columns);
        Rect { x: column as f64 * side, y: row as f64 * side, width: side, height: side }
    };
    let mut drawing = Drawing::default();
    for (i, cell) in grid.cells.iter().enumerate() {
        let marks = match (cell.chosen, cell.allowed) {
            (true, _) => vec![Mark::Allowed, Mark::Chosen],
            (false, true) => vec![Mark::Allowed],
            (false, false) => vec![Mark::Excluded],
        };
        drawing.regions.push(Region { key: format!("q{i}"), rect: square(i), marks, about: Vec::new() });
        if cell.reached {
            let title = values((&grid.x, i % columns), (&grid.y, i / columns), system);
            let mut dot = Node::new(format!("d{i}"), Shape::Ellipse, Vec::new(), title);
            dot.rect = Rect::around(square(i).centre(), Size::new(10.0, 10.0));
            drawing.nodes.push(dot.marked(&[(Mark::Reached, true)]));
        }
    }
    let fresh = fresh(moment);
    let mut line = |a: usize, b: usize, (from, to): (Point, Point)| {
        let (a, b) = (grid.cells[a].region, grid.cells[b].region);
        if a != b {
            let differs = |i: &usize| grid.regions[a][*i] != grid.regions[b][*i];
            let new = (0..grid.predicates.len()).filter(differs).any(|i| fresh.contains(&grid.predicates[i]));
            let path = format!("M{:.1} {:.1}L{:.1} {:.1}", from.x, from.y, to.x, to.y);
            drawing.lines.push(Line { path, marks: vec![if new { Mark::Fresh } else { Mark::Border }] });
        }
    };
    for i in 0..grid.cells.len() {
        let square = square(i);
        let corner = Point::new(square.right(), square.y);
        if i % columns + 1 < columns {
            line(i, i + 1, (corner, Point::new(square.right(), square.bottom())));
        }
        if i + columns < grid.cells.len() {
            line(i, i + columns, (Point::new(square.x, square.y), corner));
        }
    }
    scale(&mut drawing, (&grid.x, &grid.y), system, side);
    drawing.bounded(12.0)
}

fn caption(grid: &Grid, system: &System, moment: &Moment<'_>) -> Text {
    // Nodes that are not expanded.
    let incomplete = moment.arg.live().any(|(_, n)| matches!(n.status, Status::Open | Status::Current));
    let allowed = grid.cells.iter().filter(|c| c.allowed).count();
    let reached = grid.cells.iter().filter(|c| c.reached).count();
    let clipped = [&grid.x, &grid.y].into_iter().filter(|a| a.clipped);
    let cut: Vec<&str> = clipped.map(|a| system.variable(a.variable).name.as_str()).collect();
    let cut = if cut.is_empty() {
        String::new()
    } else {
        format!(" Only some of the values of {} are drawn.", cut.join(" and "))
    };
    let so_far = if incomplete { " so far (the graph is incomplete)" } else { "" };
    let subject = match moment.journal.names.markings {
        true => "the markings have",
        false => "the abstraction allows",
    };
    let alone = grid.x.variable == grid.y.variable;
    let values = if alone { "values" } else { "pairs of values" };
    let mut text = Text::plain(&format!(
        "Of {} drawn {values} {subject} {allowed}{so_far}; sampled runs reach {reached} of them.{cut}",
        grid.cells.len()
    ));
    if moment.journal.names.markings {
        return text;
    }
    if grid.predicates.is_empty() {
        let over = if alone { "this variable" } else { "these two variables" };
        return text.then(&format!(" No predicate over {over} alone yet."));
    }
    for (i, p) in grid.predicates.iter().enumerate() {
        let predicate = moment.journal.predicates.get(p.index()).map_or("?", String::as_str);
        text = text
            .then(if i == 0 { " Separated by " } else { ", " })
            .and(Text::code(&fit(predicate, PREDICATE)));
    }
    text.then(".")
}

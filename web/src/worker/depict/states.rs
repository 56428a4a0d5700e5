//! Two variables at a location: the values allowed by the abstraction, and those reached by sampled runs; the lines are
//! the borders between regions of the predicates.

use std::fmt::Write as _;

use veristep_core::kit::{NodeId, PredicateId};
use veristep_core::picture::{Axis, Grid, axes, grid, variables};
use veristep_core::system::{LocationId, State, System, VarId};
use veristep_core::views::Status;

use crate::explained::Depicted;
use crate::worker::depict::Moment;
use veristep_core::text::escaped;

const CELL: usize = 18;
/// The width of a letter.
const LETTER: usize = 8;
const TOP: usize = 10;

pub(super) fn draw(
    system: &System,
    moment: &Moment<'_>,
    samples: &[(LocationId, State)],
    (location, node): (LocationId, Option<NodeId>),
    chosen: Option<(VarId, VarId)>,
) -> Depicted {
    let views = (moment.journal, &moment.arg, &moment.precision);
    let names = variables(system).into_iter().map(|v| (v, system.variable(v).name.clone())).collect();
    let place = escaped(moment.journal.location(location));
    let chosen = chosen.filter(|(x, y)| x.index().max(y.index()) < system.variables.len());
    let Some(axes) = chosen.or_else(|| axes(location, system, views, samples)) else {
        return Depicted {
            html: "<p class=\"muted\">A grid needs two variables.</p>".to_owned(),
            ..Depicted::default()
        };
    };
    let html = match grid(axes, (location, node), system, views, samples) {
        Some(grid) => format!(
            "<h2>Values at {place}</h2><p>{}</p>{}{}<p class=\"muted\">Select a location or a node to see its values.</p>",
            escaped(&summary(&grid, system, moment)),
            picture(&grid, system, moment),
            legend(&grid, moment)
        ),
        None => "<p class=\"muted\">Choose two different variables.</p>".to_owned(),
    };
    Depicted { html, variables: names, axes: Some(axes), ..Depicted::default() }
}

/// The predicates of the last iteration that found any.
fn fresh(moment: &Moment<'_>) -> Vec<PredicateId> {
    let newest = moment.precision.predicates.iter().map(|(_, since)| *since).max();
    moment.precision.predicates.iter().filter(|(_, since)| Some(*since) == newest).map(|(p, _)| *p).collect()
}

fn picture(grid: &Grid, system: &System, moment: &Moment<'_>) -> String {
    let (columns, rows) = (grid.x.values.len(), grid.y.values.len());
    let name = |axis: &Axis| crate::text::short(&system.variable(axis.variable).name, 16);
    let longest = |axis: &Axis| {
        axis.values.iter().map(|v| system.value_text(axis.variable, v).len()).max().unwrap_or(1)
    };
    let left = LETTER * longest(&grid.y).max(name(&grid.y).chars().count() + 2) + 12;
    let (width, height) =
        (left + columns * CELL + 24 + LETTER * name(&grid.x).chars().count(), TOP + rows * CELL + 40);
    // Labels are thinned out to fit.
    let every = (LETTER * longest(&grid.x)).div_ceil(CELL).max(1 + usize::from(columns > 12));
    let mut svg = String::new();
    let corner = |column: usize, row: usize| (left + column * CELL, TOP + (rows - 1 - row) * CELL);
    for (i, cell) in grid.cells.iter().enumerate() {
        let (x, y) = corner(i % columns, i / columns);
        let class = match (cell.chosen, cell.allowed) {
            (true, _) => "chosen",
            (false, true) => "allowed",
            (false, false) => "excluded",
        };
        let _ =
            write!(svg, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"/>");
        if cell.reached {
            let _ = write!(svg, "<circle cx=\"{}\" cy=\"{}\" r=\"4.5\"/>", x + CELL / 2, y + CELL / 2);
        }
    }
    svg.push_str(&splits(grid, &fresh(moment), corner));
    for (i, value) in grid.x.values.iter().enumerate().filter(|(i, _)| i % every == 0) {
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            left + i * CELL + CELL / 2,
            TOP + rows * CELL + 15,
            system.value_text(grid.x.variable, value)
        );
    }
    for (i, value) in grid.y.values.iter().enumerate().filter(|(i, _)| rows <= 12 || i % 2 == 0) {
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            left - 6,
            corner(0, i).1 + CELL / 2 + 4,
            system.value_text(grid.y.variable, value)
        );
    }
    let _ = write!(
        svg,
        "<text class=\"name\" x=\"{}\" y=\"{}\">{}</text><text class=\"name\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
        left + columns * CELL + 8,
        TOP + rows * CELL + 15,
        escaped(&name(&grid.x)),
        left - 6,
        TOP + rows * CELL + 32,
        escaped(&name(&grid.y)) + " ↑"
    );
    format!(
        "<svg class=\"drawing grid\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">{svg}</svg>",
        escaped(&summary(grid, system, moment))
    )
}

/// The lines between cells separated by a predicate; those of new predicates are emphasized.
fn splits(grid: &Grid, fresh: &[PredicateId], corner: impl Fn(usize, usize) -> (usize, usize)) -> String {
    let (columns, rows) = (grid.x.values.len(), grid.y.values.len());
    let mut lines = String::new();
    let mut line = |a: usize, b: usize, path: String| {
        let (a, b) = (grid.cells[a].region, grid.cells[b].region);
        if a != b {
            let differs = |i: &usize| grid.regions[a][*i] != grid.regions[b][*i];
            let new = (0..grid.predicates.len()).filter(differs).any(|i| fresh.contains(&grid.predicates[i]));
            let _ = write!(lines, "<path class=\"split{}\" d=\"{path}\"/>", if new { " new" } else { "" });
        }
    };
    for row in 0..rows {
        for column in 0..columns {
            let (x, y) = corner(column, row);
            let at = row * columns + column;
            if column + 1 < columns {
                line(at, at + 1, format!("M{} {y}v{CELL}", x + CELL));
            }
            if row + 1 < rows {
                line(at, at + columns, format!("M{x} {y}h{CELL}"));
            }
        }
    }
    lines
}

/// Are there unexpanded nodes?
fn goes_on(moment: &Moment<'_>) -> bool {
    moment.arg.live().any(|(_, n)| matches!(n.status, Status::Open | Status::Current))
}

fn summary(grid: &Grid, system: &System, moment: &Moment<'_>) -> String {
    let allowed = grid.cells.iter().filter(|c| c.allowed).count();
    let reached = grid.cells.iter().filter(|c| c.reached).count();
    let clipped = [&grid.x, &grid.y].into_iter().filter(|a| a.clipped);
    let cut: Vec<&str> = clipped.map(|a| system.variable(a.variable).name.as_str()).collect();
    let cut = if cut.is_empty() {
        String::new()
    } else {
        format!(" Only some of the values of {} are drawn.", cut.join(" and "))
    };
    let so_far = if goes_on(moment) { " so far (the graph is incomplete)" } else { "" };
    format!(
        "Of {} drawn pairs of values the abstraction allows {allowed}{so_far}; sampled runs reach {reached} of them.{cut}",
        grid.cells.len()
    )
}

fn legend(grid: &Grid, moment: &Moment<'_>) -> String {
    let fresh = fresh(moment);
    let not = if goes_on(moment) { "not allowed so far" } else { "excluded" };
    let mut html = format!(
        "<ul class=\"legend\"><li><i class=\"allowed\"></i>allowed by a node of the graph</li><li><i class=\"excluded\"></i>{not}</li><li><i class=\"dot\"></i>reached by a sampled run (there may be more)</li></ul>",
    );
    if grid.predicates.is_empty() {
        html.push_str("<p class=\"muted\">No predicate over these two variables alone yet.</p>");
    } else {
        html.push_str("<p class=\"muted\">Separated by ");
        for (i, p) in grid.predicates.iter().enumerate() {
            let text = moment.journal.predicates.get(p.index()).map_or("?", String::as_str);
            let new = if fresh.contains(p) { " class=\"new\"" } else { "" };
            let _ = write!(
                html,
                "{}<code{new}>{}</code>",
                if i > 0 { ", " } else { "" },
                escaped(&crate::text::short(text, 60))
            );
        }
        html.push_str("</p>");
    }
    html
}

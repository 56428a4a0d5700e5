//! The abstract transition system of refinement by splitting: cells and their transitions (Hajdu, Tóth, Vörös and
//! Majzik, "A Configurable CEGAR Framework with Interpolation-Based Refinements", 2016, figures 1(b) to 3(b)).

use std::fmt::Write as _;

use veristep_core::kit::{CellId, Journal};
use veristep_core::text::escaped;
use veristep_core::views::{CellView, CellsView};

use crate::layout::Size;
use crate::layout::layered::{self, Edge, Options};
use crate::text::short;

/// The maximal number of drawn cells.
const DRAWN: usize = 60;
/// The maximal length of a drawn label.
const LABEL: usize = 30;

/// The drawn cells: those of the current search come first.
fn chosen(view: &CellsView) -> Vec<CellId> {
    let first = view.path.iter().chain(&view.stack).chain(&view.focus);
    let mut all: Vec<CellId> = Vec::new();
    for cell in first.chain(view.cells.keys()) {
        if view.cells.contains_key(cell) && !all.contains(cell) && all.len() < DRAWN {
            all.push(*cell);
        }
    }
    all.sort();
    all
}

/// The graph with a summary and its legend.
pub(super) fn draw(view: &CellsView, journal: &Journal) -> String {
    let drawn = chosen(view);
    let label = |cell: &CellView| cell.label.map_or("not reached yet", |f| text(journal, f));
    let told: Vec<String> = drawn.iter().map(|c| short(label(&view.cells[c]), LABEL)).collect();
    let sizes: Vec<Size> =
        told.iter().map(|t| Size::new((t.chars().count().max(6) * 7 + 22) as f64, 44.0)).collect();
    let at = |cell: &CellId| drawn.iter().position(|c| c == cell);
    let ends = view.transitions.iter().filter_map(|(from, to)| Some((at(from)?, at(to)?)));
    let edges: Vec<Edge> = ends.map(|(source, target)| Edge { source, target, label: None }).collect();
    let initial = drawn.iter().position(|c| view.cells[c].initial).unwrap_or(0);
    let drawing = layered::draw(&sizes, &edges, initial, &Options { rank_gap: 34.0, ..Options::default() });
    let mut svg = String::new();
    for (edge, arrow) in edges.iter().zip(&drawing.edges) {
        let pair = [drawn[edge.source], drawn[edge.target]];
        let class = if view.path.windows(2).any(|w| w == pair) { "edge path" } else { "edge" };
        let _ = write!(
            svg,
            "<path class=\"{class}\" d=\"{}\"/><path class=\"{class} tip\" d=\"M0 0L-8 -4L-8 4Z\" transform=\"translate({:.1} {:.1}) rotate({:.0})\"/>",
            arrow.path, arrow.tip.x, arrow.tip.y, arrow.angle
        );
    }
    for ((cell, told), (size, centre)) in drawn.iter().zip(&told).zip(sizes.iter().zip(&drawing.nodes)) {
        let known = &view.cells[cell];
        let (x, y) = (centre.x - size.width / 2.0, centre.y - size.height / 2.0);
        let _ = write!(svg, "<g class=\"{}\"><title>{}</title>", class(view, *cell), escaped(label(known)));
        let rect = |inset: f64, more: &str| {
            format!(
                "<rect class=\"box {more}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"8\"/>",
                x + inset,
                y + inset,
                size.width - 2.0 * inset,
                size.height - 2.0 * inset
            )
        };
        svg.push_str(&rect(0.0, &format!("k{}", cell.index() % 8)));
        if known.initial {
            svg.push_str(&rect(3.0, &format!("inner k{}", cell.index() % 8)));
        }
        let _ = write!(
            svg,
            "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\">{cell}</text><text class=\"fact\" x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
            centre.x,
            centre.y - 5.0,
            centre.x,
            centre.y + 12.0,
            escaped(told)
        );
    }
    let (width, height) = (drawing.size.width, drawing.size.height);
    let said = said(view, drawn.len());
    format!(
        "<h2>Abstract transition system</h2><p>{said}</p><svg class=\"drawing cells\" width=\"{width:.0}\" height=\"{height:.0}\" style=\"min-width:{:.0}px\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{said}\">{svg}</svg>{LEGEND}",
        width * 0.6
    )
}

const LEGEND: &str = "<ul class=\"legend\"><li><i class=\"twice\"></i>contains an initial state</li><li><i class=\"stack\"></i>on the stack of the search</li><li><i class=\"bad\"></i>contains a state that violates the property</li><li><i class=\"kept\"></i>kept from before the last split</li></ul>";

fn class(view: &CellsView, cell: CellId) -> String {
    let known = &view.cells[&cell];
    let marks = [
        (view.stack.contains(&cell), "stack"),
        (known.violates == Some(true), "bad"),
        (known.kept, "kept"),
        (known.split, "split"),
        (known.label.is_none(), "open"),
        (view.focus.contains(&cell), "now"),
    ];
    let marks: Vec<&str> = marks.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
    format!("node {}", marks.join(" "))
}

fn said(view: &CellsView, drawn: usize) -> String {
    let kept = view.cells.values().filter(|c| c.kept).count();
    let mut text = format!(
        "{}, {} between them.",
        counted(view.cells.len(), "cell", "cells"),
        counted(view.transitions.len(), "transition", "transitions")
    );
    if kept > 0 {
        let _ = write!(text, " {} kept from before the last split.", counted(kept, "cell is", "cells are"));
    }
    if drawn < view.cells.len() {
        let _ = write!(text, " {drawn} are drawn.");
    }
    text
}

pub(super) fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// The text of a formula.
pub(super) fn text(journal: &Journal, formula: veristep_core::kit::FormulaId) -> &str {
    journal.formulas.get(formula.index()).map_or("?", String::as_str)
}

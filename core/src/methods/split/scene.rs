//! The abstract transition system of refinement by splitting: cells and their transitions (Hajdu, Tóth, Vörös and
//! Majzik, "A Configurable CEGAR Framework with Interpolation-Based Refinements", 2016, figures 1(b) to 3(b)).

use std::sync::Arc;

use crate::kit::{CellId, Journal};
use crate::layout::layered::Options;
use crate::methods::split::view::{CellView, CellsView};
use crate::scene::{Body, Drawing, Edge, Mark, Node, Part, Row, Shape, Text, Thing, fit, formula};
use crate::text::count;

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

/// The cells as a graph, with a summary.
pub(crate) fn cells(view: &CellsView, journal: &Journal) -> Part {
    let heading = "Abstract transition system".to_owned();
    if view.cells.is_empty() {
        let caption = Text::plain("No cell yet: the search begins with the next step.");
        return Part { heading, caption, body: Body::Nothing };
    }
    let drawn = chosen(view);
    let label = |cell: &CellView| cell.label.map_or("not reached yet", |f| formula(journal, f));
    let node = |cell: &CellId| {
        let known = &view.cells[cell];
        let rows = vec![Row::name(cell.to_string()), Row::fact(fit(label(known), LABEL), None)];
        let title = format!("{cell}: {}", label(known));
        Node::new(cell.to_string(), Shape::Box, rows, title).about([Thing::Cell(*cell)]).marked(&[
            (Mark::kind(cell.index()), !known.kept),
            (Mark::HasInitial, known.initial),
            (Mark::Stack, view.stack.contains(cell)),
            (Mark::Violating, known.violates == Some(true)),
            (Mark::Kept, known.kept),
            (Mark::Split, known.split),
            (Mark::Unreached, known.label.is_none()),
            (Mark::Current, view.focus.contains(cell)),
        ])
    };
    let edge = |(from, to): &(CellId, CellId)| {
        let on_path = view.path.windows(2).any(|w| w == [*from, *to]);
        Edge::new(format!("{from}-{to}"), from.to_string(), to.to_string()).marked(&[(Mark::Path, on_path)])
    };
    let initial = drawn.iter().position(|c| view.cells[c].initial).unwrap_or(0);
    let nodes: Vec<Node> = drawn.iter().map(node).collect();
    let edges: Vec<Edge> = view.transitions.iter().map(edge).collect();
    let options = Options { rank_gap: 34.0, ..Options::default() };
    let drawing = Drawing::layered(nodes, edges, initial, &options);
    Part {
        heading,
        caption: Text::plain(&caption(view, drawn.len())),
        body: Body::Drawing(Arc::new(drawing)),
    }
}

fn caption(view: &CellsView, drawn: usize) -> String {
    let kept = view.cells.values().filter(|c| c.kept).count();
    let (cells, transitions) = (view.cells.len(), view.transitions.len());
    let mut text = format!("{}, {} between them.", count(cells, "cell"), count(transitions, "transition"));
    match kept {
        0 => {}
        1 => text.push_str(" 1 cell is kept from before the last split."),
        _ => text.push_str(&format!(" {kept} cells are kept from before the last split.")),
    }
    if drawn < cells {
        text.push_str(&format!(" {drawn} are drawn."));
    }
    text
}

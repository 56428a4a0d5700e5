//! The automaton of a temporal formula with the state that a step is about, and the search in the product: cyan, blue and
//! red as nested depth-first search has it, the stack, and the lasso that was found.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use veristep_core::buchi::StateId;
use veristep_core::buchi::emptiness::Colour;
use veristep_core::kit::{Event, NodeId};
use veristep_core::ltl::Product;
use veristep_core::text::escaped;
use veristep_core::views::Status;

use crate::layout::Size;
use crate::layout::layered::{self, Edge, Options};
use crate::ui::short;
use crate::worker::depict::Moment;
use crate::worker::depict::automaton::{self, Marked};

/// So many nodes are drawn.
const DRAWN: usize = 60;
/// So many letters of what a node says are.
const LABEL: usize = 24;

/// The automaton, then the search.
pub(super) fn draw(product: &Product, moment: &Moment<'_>, events: &[Event]) -> String {
    let search = Search::of(events);
    let root = |n: &&NodeId| moment.arg.nodes.get(n.index()).is_some_and(|n| n.from.is_none());
    let about = moment.subjects.nodes.first();
    // A path is told from its start; where it ends is more telling.
    let now = about.filter(|n| !root(n)).or(search.lasso.last()).or(search.stack.last()).or(about).copied();
    format!(
        "<div class=\"beside\"><div><h2>Automaton of what must not happen</h2><p>{}</p>{}</div><div><h2>Search in the product</h2>{}</div></div>",
        said(product, moment, now),
        automaton::draw(&product.automaton, &marked(product, moment, now)),
        search.draw(product, moment, now)
    )
}

fn state_of(product: &Product, moment: &Moment<'_>, node: NodeId) -> Option<StateId> {
    let label = &moment.arg.nodes.get(node.index())?.label;
    product.pairs.get(label.location.index())?.1
}

/// Where the automaton is, and the transitions that led there.
fn marked(product: &Product, moment: &Moment<'_>, now: Option<NodeId>) -> Marked {
    let Some(state) = now.and_then(|n| state_of(product, moment, n)) else { return Marked::default() };
    let from = now.and_then(|n| moment.arg.nodes.get(n.index())?.from);
    let taken = from.and_then(|(parent, edge)| {
        product.guards.get(edge.index())?.as_ref()?;
        Some(state_of(product, moment, parent).unwrap_or(product.automaton.initial))
    });
    let taken = taken.map_or(Vec::new(), |before| {
        let out = product.automaton.out(before).iter().enumerate();
        out.filter(|(_, t)| t.target == state).map(|(i, _)| (before, i)).collect()
    });
    Marked { active: vec![(state, true)], taken }
}

fn said(product: &Product, moment: &Moment<'_>, now: Option<NodeId>) -> String {
    let Some(node) = now else { return "Its states with a double border are accepting.".to_owned() };
    let Some(state) = state_of(product, moment, node) else {
        return format!("At {node} it has read no letter yet.");
    };
    let from = moment.arg.nodes.get(node.index()).and_then(|n| n.from);
    if from.is_none() {
        return format!("At {node} it is in {state} and has read no letter yet.");
    }
    let read = from.and_then(|(_, edge)| product.guards.get(edge.index())?.as_ref());
    match read {
        Some(guard) => format!(
            "At {node} it is in {state}, after reading a letter in which <code>{}</code> is true.",
            escaped(&product.system.expr_text(guard))
        ),
        None => format!(
            "At {node} it is in {state}; the last step was no position of the word, so it stayed there."
        ),
    }
}

/// What the search has done in this iteration.
#[derive(Default)]
struct Search {
    colours: BTreeMap<NodeId, Colour>,
    stack: Vec<NodeId>,
    lasso: Vec<NodeId>,
}

impl Search {
    fn of(events: &[Event]) -> Search {
        let mut search = Search::default();
        for event in events {
            match *event {
                Event::IterationStarted { .. } => search = Search::default(),
                Event::Coloured { node, colour } => {
                    search.colours.insert(node, colour);
                    search.stack.retain(|n| *n != node);
                    if colour == Colour::Cyan {
                        search.stack.push(node);
                    }
                }
                Event::LassoFound { .. } => search.lasso.clear(),
                Event::LassoVisited { node, .. } => search.lasso.push(node),
                _ => {}
            }
        }
        search
    }

    fn draw(&self, product: &Product, moment: &Moment<'_>, now: Option<NodeId>) -> String {
        let arg = &moment.arg;
        let resolved = |n: NodeId| match arg.nodes[n.index()].status {
            Status::Covered(by) => by,
            _ => n,
        };
        let live: BTreeSet<NodeId> = arg.live().map(|(id, _)| id).collect();
        let drawn: Vec<NodeId> = live.iter().copied().filter(|n| resolved(*n) == *n).take(DRAWN).collect();
        if drawn.is_empty() {
            return "<p class=\"muted\">Nothing has been found yet.</p>".to_owned();
        }
        let at = |n: NodeId| drawn.binary_search(&n).ok();
        let mut ends: Vec<(usize, usize)> = Vec::new();
        for child in live.iter().filter(|n| arg.nodes[n.index()].from.is_some()) {
            let Some((parent, _)) = arg.nodes[child.index()].from else { continue };
            if let Some(pair) =
                at(resolved(parent)).zip(at(resolved(*child))).filter(|pair| !ends.contains(pair))
            {
                ends.push(pair);
            }
        }
        let edges: Vec<Edge> = ends
            .iter()
            .map(|(source, target)| Edge { source: *source, target: *target, label: None })
            .collect();
        let told: Vec<[String; 2]> = drawn
            .iter()
            .map(|n| {
                let label = &arg.nodes[n.index()].label;
                let facts = moment.journal.facts(label).join(", ");
                [
                    moment.journal.location(label.location).to_owned(),
                    if facts.is_empty() { "anything".to_owned() } else { facts },
                ]
            })
            .collect();
        let size = |[name, facts]: &[String; 2]| {
            let letters = (name.chars().count() + 5).max(facts.chars().count().min(LABEL));
            Size::new((letters * 7 + 20) as f64, 42.0)
        };
        let sizes: Vec<Size> = told.iter().map(size).collect();
        let drawing = layered::draw(&sizes, &edges, 0, &Options { rank_gap: 30.0, ..Options::default() });
        let on_lasso = |a: usize, b: usize| {
            self.lasso.windows(2).any(|w| at(resolved(w[0])) == Some(a) && at(resolved(w[1])) == Some(b))
        };
        let mut svg = String::new();
        for ((source, target), arrow) in ends.iter().zip(&drawing.edges) {
            let class = if on_lasso(*source, *target) { "edge path" } else { "edge" };
            let _ = write!(
                svg,
                "<g class=\"{class}\"><path d=\"{}\"/><path class=\"arrow\" d=\"M0 0L-8 -4L-6.4 0L-8 4Z\" transform=\"translate({:.1} {:.1}) rotate({:.0})\"/></g>",
                arrow.path, arrow.tip.x, arrow.tip.y, arrow.angle
            );
        }
        for ((node, [name, facts]), (size, centre)) in
            drawn.iter().zip(&told).zip(sizes.iter().zip(&drawing.nodes))
        {
            let location = arg.nodes[node.index()].label.location;
            let accepting = product.accepting.get(location.index()) == Some(&true);
            let colour = self.colours.get(node).map_or("white", |c| c.name());
            let current = if now.map(resolved) == Some(*node) { " now" } else { "" };
            let (x, y) = (centre.x - size.width / 2.0, centre.y - size.height / 2.0);
            let _ = write!(
                svg,
                "<g class=\"state {colour}{current}\"><title>{}</title>",
                escaped(&format!("{node}: {name}, {facts}"))
            );
            for inset in [0.0, 3.5].into_iter().take(1 + usize::from(accepting)) {
                let _ = write!(
                    svg,
                    "<rect class=\"box{}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"8\"/>",
                    if inset > 0.0 { " inner" } else { "" },
                    x + inset,
                    y + inset,
                    size.width - 2.0 * inset,
                    size.height - 2.0 * inset
                );
            }
            let _ = write!(
                svg,
                "<text class=\"name\" text-anchor=\"middle\" x=\"{0:.1}\" y=\"{1:.1}\">{node} {2}</text><text class=\"fact\" text-anchor=\"middle\" x=\"{0:.1}\" y=\"{3:.1}\">{4}</text></g>",
                centre.x,
                centre.y - 3.0,
                escaped(name),
                centre.y + 13.0,
                escaped(&short(facts, LABEL))
            );
        }
        let (width, height) = (drawing.size.width, drawing.size.height);
        let more = if live.len() > DRAWN { format!(" The first {DRAWN} are drawn.") } else { String::new() };
        let stack: Vec<String> = self.stack.iter().map(NodeId::to_string).collect();
        let stack = if stack.is_empty() { "empty".to_owned() } else { stack.join(" → ") };
        format!(
            "<p>Stack of the search: <code>{stack}</code>.{more}</p><svg class=\"drawing automaton product\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"The product as far as it was explored: {} states\">{svg}</svg>{LEGEND}",
            drawn.len()
        )
    }
}

const LEGEND: &str = "<ul class=\"legend\"><li><i class=\"twice\"></i>accepting</li><li><i class=\"cyan\"></i>on the stack</li><li><i class=\"blue\"></i>left by the first search</li><li><i class=\"red\"></i>on no accepting cycle</li></ul>";

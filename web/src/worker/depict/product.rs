//! The automaton of a temporal formula with the current state of the step, and the search in the product: the colours
//! cyan, blue and red of the nested depth-first search, the stack, and the lasso found.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use veristep_core::buchi::StateId;
use veristep_core::buchi::emptiness::Colour;
use veristep_core::kit::{Event, NodeId};
use veristep_core::methods::lasso;
use veristep_core::temporal::Product;
use veristep_core::text::escaped;
use veristep_core::views::Status;

use crate::layout::layered::{self, Edge, Options};
use crate::layout::{Point, Size};
use crate::text::short;
use crate::worker::depict::Moment;
use crate::worker::depict::automaton::{self, Marked};

/// The maximal number of drawn nodes.
const DRAWN: usize = 60;
/// The maximal length of a node's label.
const LABEL: usize = 24;

/// The automaton, then the search.
pub(super) fn draw(product: &Product, moment: &Moment<'_>, events: &[Event]) -> String {
    let search = Search::of(events);
    let root = |n: &&NodeId| moment.arg.nodes.get(n.index()).is_some_and(|n| n.from.is_none());
    let about = moment.subjects.nodes.first();
    // The subjects list a path from its start; its end is the current state.
    let now = about.filter(|n| !root(n)).or(search.lasso.last()).or(search.stack.last()).or(about).copied();
    format!(
        "<div class=\"beside\"><div><h2>Büchi automaton of the negated formula</h2><p>{}</p>{}</div><div><h2>Search in the product</h2>{}</div></div>",
        said(product, moment, now),
        automaton::draw(&product.automaton, &marked(product, moment, now)),
        search.draw(product, moment, now)
    )
}

fn state_of(product: &Product, moment: &Moment<'_>, node: NodeId) -> Option<StateId> {
    let label = &moment.arg.nodes.get(node.index())?.label;
    product.pairs.get(label.location.index())?.1
}

/// The current state of the automaton, and the transitions into it.
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
    let Some(node) = now else { return "States with a double border are accepting.".to_owned() };
    let Some(state) = state_of(product, moment, node) else {
        return format!("At {node} no letter is read yet.");
    };
    let from = moment.arg.nodes.get(node.index()).and_then(|n| n.from);
    if from.is_none() {
        return format!("State {state} at {node}, no letter read yet.");
    }
    let read = from.and_then(|(_, edge)| product.guards.get(edge.index())?.as_ref());
    match read {
        Some(guard) => format!(
            "State {state} at {node}, after a letter that satisfies <code>{}</code>.",
            escaped(&product.system.expr_text(guard))
        ),
        None => format!("State {state} at {node}, unchanged: the last step is not a position of the word."),
    }
}

/// The search in this iteration.
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
                Event::Lasso(lasso::Event::Coloured { node, colour }) => {
                    search.colours.insert(node, colour);
                    search.stack.retain(|n| *n != node);
                    if colour == Colour::Cyan {
                        search.stack.push(node);
                    }
                }
                Event::Lasso(lasso::Event::LassoFound { .. })
                | Event::Lasso(lasso::Event::RankingFound { .. }) => search.lasso.clear(),
                Event::Lasso(lasso::Event::LassoVisited { node, .. }) => search.lasso.push(node),
                Event::Lasso(lasso::Event::LetterChecked { .. } | lasso::Event::CycleChecked { .. }) => {}
                Event::Lasso(lasso::Event::LassoClosed { .. } | lasso::Event::RecurrenceFound { .. }) => {}
                Event::Cegar(_) | Event::Bmc(_) | Event::Induction(_) | Event::Imc(_) | Event::Pdr(_) => {}
                Event::Split(_) | Event::Explicit(_) | Event::Decided { .. } => {}
            }
        }
        search
    }

    /// The nodes that are drawn, and the steps between them: a covered node is the one that covers it.
    fn graph(moment: &Moment<'_>) -> (Vec<NodeId>, Vec<Edge>) {
        let live: BTreeSet<NodeId> = moment.arg.live().map(|(id, _)| id).collect();
        let drawn: Vec<NodeId> =
            live.iter().copied().filter(|n| resolved(moment, *n) == *n).take(DRAWN).collect();
        let at = |n: NodeId| drawn.binary_search(&resolved(moment, n)).ok();
        let mut edges: Vec<Edge> = Vec::new();
        for child in live {
            let Some((parent, _)) = moment.arg.nodes[child.index()].from else { continue };
            let Some((source, target)) = at(parent).zip(at(child)) else { continue };
            let edge = Edge { source, target, label: None };
            if !edges.contains(&edge) {
                edges.push(edge);
            }
        }
        (drawn, edges)
    }

    fn draw(&self, product: &Product, moment: &Moment<'_>, now: Option<NodeId>) -> String {
        let (drawn, edges) = Search::graph(moment);
        if drawn.is_empty() {
            return "<p class=\"muted\">No state explored yet.</p>".to_owned();
        }
        let boxes: Vec<Node> = drawn.iter().map(|n| self.boxed(*n, product, moment, now)).collect();
        let sizes: Vec<Size> = boxes.iter().map(Node::size).collect();
        let drawing = layered::draw(&sizes, &edges, 0, &Options { rank_gap: 30.0, ..Options::default() });
        let mut svg = String::new();
        for (edge, arrow) in edges.iter().zip(&drawing.edges) {
            let ends = [drawn[edge.source], drawn[edge.target]];
            let on_lasso =
                self.lasso.windows(2).any(|w| [resolved(moment, w[0]), resolved(moment, w[1])] == ends);
            let class = if on_lasso { "edge path" } else { "edge" };
            let _ = write!(
                svg,
                "<g class=\"{class}\"><path d=\"{}\"/><path class=\"arrow\" d=\"M0 0L-8 -4L-6.4 0L-8 4Z\" transform=\"translate({:.1} {:.1}) rotate({:.0})\"/></g>",
                arrow.path, arrow.tip.x, arrow.tip.y, arrow.angle
            );
        }
        for (node, centre) in boxes.iter().zip(&drawing.nodes) {
            node.draw(&mut svg, *centre);
        }
        let (width, height) = (drawing.size.width, drawing.size.height);
        let more =
            if drawn.len() == DRAWN { format!(" At most {DRAWN} states are drawn.") } else { String::new() };
        let stack: Vec<String> = self.stack.iter().map(NodeId::to_string).collect();
        let stack = if stack.is_empty() { "empty".to_owned() } else { stack.join(" → ") };
        format!(
            "<p>Stack of the search: <code>{stack}</code>.{more}</p><svg class=\"drawing automaton product\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"The explored part of the product: {} states\">{svg}</svg>{LEGEND}",
            drawn.len()
        )
    }

    fn boxed(&self, node: NodeId, product: &Product, moment: &Moment<'_>, now: Option<NodeId>) -> Node {
        let label = &moment.arg.nodes[node.index()].label;
        let facts = moment.journal.facts(label).join(", ");
        let colour = self.colours.get(&node).map_or("white", |c| c.name());
        let current = now.is_some_and(|n| resolved(moment, n) == node);
        Node {
            name: format!("{node} {}", moment.journal.location(label.location)),
            facts: if facts.is_empty() { "anything".to_owned() } else { facts },
            class: format!("state {colour}{}", if current { " now" } else { "" }),
            accepting: product.accepting.get(label.location.index()) == Some(&true),
        }
    }
}

/// The node that covers this one, or itself.
fn resolved(moment: &Moment<'_>, node: NodeId) -> NodeId {
    match moment.arg.nodes[node.index()].status {
        Status::Covered(by) => by,
        _ => node,
    }
}

/// A state of the product as it is drawn.
struct Node {
    name: String,
    facts: String,
    class: String,
    accepting: bool,
}

impl Node {
    fn size(&self) -> Size {
        let letters = self.name.chars().count().max(self.facts.chars().count().min(LABEL));
        Size::new((letters * 7 + 20) as f64, 42.0)
    }

    fn draw(&self, svg: &mut String, centre: Point) {
        let size = self.size();
        let (x, y) = (centre.x - size.width / 2.0, centre.y - size.height / 2.0);
        let (name, facts) = (escaped(&self.name), escaped(&self.facts));
        let _ = write!(svg, "<g class=\"{}\"><title>{name}: {facts}</title>", self.class);
        let insets = if self.accepting { &[0.0, 3.5][..] } else { &[0.0] };
        for inset in insets {
            let _ = write!(
                svg,
                "<rect class=\"box{}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"8\"/>",
                if *inset > 0.0 { " inner" } else { "" },
                x + inset,
                y + inset,
                size.width - 2.0 * inset,
                size.height - 2.0 * inset
            );
        }
        let _ = write!(
            svg,
            "<text class=\"name\" text-anchor=\"middle\" x=\"{0:.1}\" y=\"{1:.1}\">{name}</text><text class=\"fact\" text-anchor=\"middle\" x=\"{0:.1}\" y=\"{2:.1}\">{3}</text></g>",
            centre.x,
            centre.y - 3.0,
            centre.y + 13.0,
            escaped(&short(&self.facts, LABEL))
        );
    }
}

const LEGEND: &str = "<ul class=\"legend\"><li><i class=\"twice\"></i>accepting</li><li><i class=\"cyan\"></i>on the stack</li><li><i class=\"blue\"></i>finished by the outer search</li><li><i class=\"red\"></i>on no accepting cycle</li></ul>";

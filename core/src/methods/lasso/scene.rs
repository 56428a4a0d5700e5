//! The search for accepting cycles: the explored part of the product with the colours of the nested depth-first search,
//! its stack, and the lasso found.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::buchi::emptiness::Colour;
use crate::kit::{Event, Journal, NodeId};
use crate::layout::layered::Options;
use crate::methods::lasso;
use crate::scene::{Body, Drawing, Edge, Mark, Node, Part, Row, Shape, Text, Thing, fit};
use crate::temporal::Product;
use crate::views::{ArgView, Status};

/// The maximal number of drawn nodes.
const DRAWN: usize = 60;
/// The maximal length of a drawn label.
const LABEL: usize = 24;

/// The search in the current iteration.
#[derive(Default)]
pub(crate) struct Search {
    colours: BTreeMap<NodeId, Colour>,
    /// The nodes on the stack, from the root.
    pub(crate) stack: Vec<NodeId>,
    /// The nodes of the lasso found, from its start.
    pub(crate) lasso: Vec<NodeId>,
}

impl Search {
    /// The search after these events.
    pub(crate) fn of(events: &[Event]) -> Search {
        let mut search = Search::default();
        for event in events {
            match *event {
                Event::IterationStarted { .. } => search = Search::default(),
                Event::Lasso(event) => search.apply(event),
                Event::Cegar(_)
                | Event::Bmc(_)
                | Event::Induction(_)
                | Event::Imc(_)
                | Event::Equation(_)
                | Event::Pdr(_) => {}
                Event::Split(_) | Event::Explicit(_) | Event::Under(_) => {}
                Event::CombinedApprox(_) | Event::Decided { .. } => {}
            }
        }
        search
    }

    fn apply(&mut self, event: lasso::Event) {
        match event {
            lasso::Event::Coloured { node, colour } => {
                self.colours.insert(node, colour);
                self.stack.retain(|n| *n != node);
                if colour == Colour::Cyan {
                    self.stack.push(node);
                }
            }
            lasso::Event::LassoFound { .. } | lasso::Event::RankingFound { .. } => self.lasso.clear(),
            lasso::Event::LassoVisited { node, .. } => self.lasso.push(node),
            lasso::Event::LetterChecked { .. } | lasso::Event::CycleChecked { .. } => {}
            lasso::Event::LassoClosed { .. } | lasso::Event::RecurrenceFound { .. } => {}
        }
    }

    /// The explored part; `now` is the current node.
    pub(crate) fn part(
        &self,
        product: &Product,
        (graph, journal): (&ArgView, &Journal),
        now: Option<NodeId>,
    ) -> Part {
        let live: BTreeSet<NodeId> = graph.live().map(|(id, _)| id).collect();
        let own = |n: &NodeId| resolved(graph, *n) == *n;
        let all = live.iter().copied().filter(own).count();
        let drawn: Vec<NodeId> = live.iter().copied().filter(own).take(DRAWN).collect();
        let heading = "Search in the product".to_owned();
        if drawn.is_empty() {
            let caption = Text::plain("No state explored yet.");
            return Part { heading, caption, body: Body::Nothing };
        }
        let nodes = drawn.iter().map(|n| self.node(*n, product, (graph, journal), now)).collect();
        let mut edges: BTreeMap<String, Edge> = BTreeMap::new();
        for child in live {
            let Some((parent, by)) = graph.nodes[child.index()].from else { continue };
            let (source, target) = (resolved(graph, parent), resolved(graph, child));
            let on_lasso = |w: &[NodeId]| resolved(graph, w[0]) == source && resolved(graph, w[1]) == target;
            let path = self.lasso.windows(2).any(on_lasso);
            let text = journal.names.edges.get(by.index()).map_or("", |e| e.text.as_str());
            let edge = Edge::new(format!("{source}-{target}"), source.to_string(), target.to_string())
                .labelled(String::new(), crate::text::operation(text))
                .marked(&[(Mark::Path, path)]);
            edges.entry(edge.key.clone()).or_insert(edge);
        }
        let options = Options { rank_gap: 30.0, ..Options::default() };
        let drawing = Drawing::layered(nodes, edges.into_values().collect(), 0, &options);
        let stack: Vec<String> = self.stack.iter().map(NodeId::to_string).collect();
        let stack = if stack.is_empty() { Text::plain("empty") } else { Text::code(&stack.join(" → ")) };
        let mut caption = Text::plain("Stack of the search: ").and(stack).then(".");
        if all > drawn.len() {
            caption = caption.then(&format!(" The first {} of {all} states are drawn.", drawn.len()));
        }
        Part { heading, caption, body: Body::Drawing(Arc::new(drawing)) }
    }

    fn node(
        &self,
        node: NodeId,
        product: &Product,
        (graph, journal): (&ArgView, &Journal),
        now: Option<NodeId>,
    ) -> Node {
        let label = &graph.nodes[node.index()].label;
        let facts = journal.facts(label).join(", ");
        let facts = if facts.is_empty() { "anything".to_owned() } else { facts };
        let name = journal.location(label.location);
        let rows = vec![Row::name(name), Row::corner(node.to_string()), Row::fact(fit(&facts, LABEL), None)];
        let colour = self.colours.get(&node).copied();
        let place = journal.names.place(label.location);
        Node::new(node.to_string(), Shape::Box, rows, format!("{node} {name}: {facts}"))
            .about([Thing::Node(node), Thing::Location(place)])
            .marked(&[
                (Mark::Cyan, colour == Some(Colour::Cyan)),
                (Mark::Blue, colour == Some(Colour::Blue)),
                (Mark::Red, colour == Some(Colour::Red)),
                (Mark::Accepting, product.accepting.get(label.location.index()) == Some(&true)),
                (Mark::Current, now.is_some_and(|n| resolved(graph, n) == node)),
            ])
    }
}

/// The node that covers this one, or itself.
fn resolved(graph: &ArgView, node: NodeId) -> NodeId {
    match graph.nodes.get(node.index()).map(|n| n.status) {
        Some(Status::Covered(by)) => by,
        _ => node,
    }
}

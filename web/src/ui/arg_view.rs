//! The abstract reachability graph: a tree with covered-by edges laid over it.

use std::rc::Rc;

use veristep_core::kit::{Event, NodeId, Phase, Role};
use veristep_core::views::{ArgNodeView, Status};
use yew::prelude::*;

use crate::explained::{Pick, Subjects};
use crate::layout::tidy::{self, Covers, Node, Options, Show, Tidy};
use crate::layout::{Arrow, Point, Size};
use crate::state::{Action, Frame, JournalRef, Related, ShowGhosts};
use crate::ui::Act;
use crate::ui::arg_node::{ArgEdge, ArgNode, Words};
use crate::ui::cfa_view::{arrow_head, node_id, px};
use crate::ui::drawing::{Drawing, Rect};

/// The props.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The journal.
    pub journal: JournalRef,
    /// The step.
    pub frame: Rc<Frame>,
    /// The subjects of the step.
    pub subjects: Rc<Subjects>,
    /// The phase of the step.
    pub phase: Option<&'static str>,
    /// The objects related to the selection.
    pub related: Rc<Related>,
    /// Removed nodes.
    pub ghosts: ShowGhosts,
    /// More buttons.
    pub tools: Html,
    /// Fits when it changes.
    pub fit: u32,
    /// The callback for actions.
    pub act: Act,
}

/// From this number of nodes on, only those in view are drawn.
const CULL_FROM: usize = 1500;

struct Plan {
    tidy: Tidy,
    words: Vec<Option<Words>>,
    on_path: Vec<bool>,
    covered: Vec<(usize, usize)>,
    /// Their edges; in large graphs they are drawn as they come into view.
    covers: Option<Covers>,
}

/// The first event of the pruning of which the step is a part; none in other phases.
fn pruning_since(events: &[Event]) -> Option<usize> {
    let pruning = |event: &Event| event.phase().map(Phase::role) == Some(Role::Prune);
    events.last().filter(|last| pruning(last))?;
    Some(events.iter().rposition(|event| !pruning(event)).map_or(0, |before| before + 1))
}

fn plan(props: &Props) -> Plan {
    let journal = props.journal.get();
    let arg = &props.frame.arg;
    // Removed nodes stay as ghosts until the pruning that removed them is over.
    let since = pruning_since(&journal.events[..props.frame.cursor.min(journal.events.len())]);
    let ghost = |node: &ArgNodeView| match props.ghosts {
        ShowGhosts::Always => true,
        ShowGhosts::Briefly => node.died.zip(since).is_some_and(|(died, since)| died >= since),
    };
    let shown = |node: &ArgNodeView| !node.pruned || ghost(node);
    let words: Vec<Option<Words>> = arg
        .nodes
        .iter()
        .enumerate()
        .map(|(i, node)| shown(node).then(|| Words::new(node_id(i), node, &journal)))
        .collect();
    let nodes: Vec<Node> = arg
        .nodes
        .iter()
        .zip(&words)
        .map(|(node, words)| Node {
            parent: node.from.map(|(parent, _)| parent.index()),
            size: words.as_ref().map_or(Size::default(), Words::size),
            show: if words.is_some() { Show::Open } else { Show::Hidden },
        })
        .collect();
    let mut on_path = vec![false; arg.nodes.len()];
    for node in props.frame.cex.nodes(arg) {
        if arg.nodes.get(node.index()).is_some_and(|n| !n.pruned) {
            on_path[node.index()] = true;
        }
    }
    let tidy = tidy::draw(&nodes, &Options::default());
    let covered: Vec<(usize, usize)> = arg
        .live()
        .filter_map(|(id, node)| match node.status {
            Status::Covered(by) => Some((id.index(), by.index())),
            _ => None,
        })
        .collect();
    let covers = (arg.nodes.len() <= CULL_FROM).then(|| tidy.covers(&covered));
    Plan { tidy, words, on_path, covered, covers }
}

fn rect(plan: &Plan, index: usize) -> Option<Rect> {
    let centre: Point = (*plan.tidy.nodes.get(index)?)?;
    let size = plan.words[index].as_ref()?.box_size();
    let (width, height) = (size.width, size.height);
    Some(Rect { x: centre.x - width / 2.0, y: centre.y - height / 2.0, width, height })
}

/// The graph.
#[component]
pub fn ArgView(props: &Props) -> Html {
    let plan = Rc::new(plan(props));
    let extent = match &plan.covers {
        Some(Covers { start, end, .. }) => {
            Rect { x: start.x, y: start.y, width: end.x - start.x, height: end.y - start.y }
        }
        None => Rect { width: plan.tidy.size.width, height: plan.tidy.size.height, ..Rect::default() },
    };
    let focus = props.subjects.nodes.iter().take(2).filter_map(|n| rect(&plan, n.index())).reduce(Rect::with);
    let count = props.frame.arg.live().count();
    let cull = props.frame.arg.nodes.len() > CULL_FROM;
    let content = Rc::new(Content {
        plan,
        frame: props.frame.clone(),
        subjects: props.subjects.clone(),
        related: props.related.clone(),
        journal: props.journal.clone(),
        act: props.act.clone(),
    });
    let draw = Callback::from(move |seen: Rect| content.draw(cull.then_some(seen)));
    html! {
        <Drawing label={format!("Abstract reachability graph with {count} nodes")} name="arg" content={extent} {focus} {draw}
            phase={props.phase} tools={props.tools.clone()} fit={props.fit} />
    }
}

struct Content {
    plan: Rc<Plan>,
    frame: Rc<Frame>,
    subjects: Rc<Subjects>,
    related: Rc<Related>,
    journal: JournalRef,
    act: Act,
}

impl Content {
    fn draw(&self, seen: Option<Rect>) -> Html {
        let count = self.frame.arg.nodes.len();
        let visible =
            |i: &usize| rect(&self.plan, *i).is_some_and(|r| seen.is_none_or(|seen| seen.meets(&r)));
        let nodes: Vec<usize> = (0..count).filter(visible).collect();
        html! {
            <>
                { for nodes.iter().map(|i| self.edge(*i)) }
                { for nodes.iter().map(|i| self.blocked(*i)) }
                { for nodes.iter().map(|i| self.node(*i)) }
                { match &self.plan.covers {
                    Some(covers) => covers_of(&self.plan.covered, covers),
                    None => {
                        let seen: Vec<_> = self.plan.covered.iter().copied().filter(|(from, _)| visible(from)).collect();
                        covers_of(&seen, &self.plan.tidy.covers(&seen))
                    }
                } }
            </>
        }
    }

    fn edge(&self, index: usize) -> Html {
        let Some(arrow) = &self.plan.tidy.edges[index] else { return Html::default() };
        let node = &self.frame.arg.nodes[index];
        let Some((_, edge)) = node.from else { return Html::default() };
        let path = self.plan.on_path[index];
        let text =
            self.journal.get().names.edges.get(edge.index()).map(|e| e.text.clone()).unwrap_or_default();
        let now = self.subjects.edges.contains(&edge) && self.subjects.nodes.contains(&node_id(index));
        html! {
            <ArgEdge key={format!("e{index}")} arrow={arrow.clone()} {text} ghost={node.pruned} {path} {now}
                related={self.related.edges.contains(&edge)} {edge} act={self.act.clone()} />
        }
    }

    fn node(&self, index: usize) -> Html {
        let id = node_id(index);
        let (Some(rect), Some(words)) = (rect(&self.plan, index), self.plan.words[index].clone()) else {
            return Html::default();
        };
        let node = &self.frame.arg.nodes[index];
        let focus = self.subjects.nodes.iter().position(|n| *n == id);
        html! {
            <ArgNode key={format!("n{index}")} {id} {rect} {words} status={node.status} pruned={node.pruned} {focus}
                related={self.related.nodes.contains(&id)} on_path={self.plan.on_path[index]}
                facts={self.related.predicates.iter().copied().collect::<Vec<_>>()} act={self.act.clone()} />
        }
    }

    /// Infeasible edges: short stubs that end in a bar.
    fn blocked(&self, index: usize) -> Html {
        let node = &self.frame.arg.nodes[index];
        let Some(r) = rect(&self.plan, index).filter(|_| !node.blocked.is_empty()) else {
            return Html::default();
        };
        let journal = self.journal.get();
        let stub = |(i, edge): (usize, &veristep_core::system::EdgeId)| {
            let text = journal
                .names
                .edges
                .get(edge.index())
                .map(|e| crate::text::operation(&e.text))
                .unwrap_or_default();
            let (x, y) = (r.x + r.width - 9.0 - 13.0 * i as f64, r.y + r.height);
            let last =
                self.subjects.edges.contains(edge) && self.subjects.nodes.first() == Some(&node_id(index));
            html! {
                <g key={format!("b{index}-{}", edge.0)} class={classes!("blocked", last.then_some("now"))}>
                    <title>{ format!("infeasible: {text}") }</title>
                    <path d={format!("M{} {}v9m-4 0h8m-6.5 3h5", px(x), px(y))} />
                </g>
            }
        };
        node.blocked.iter().enumerate().take(4).map(stub).collect()
    }
}

/// Covered-by edges.
fn covers_of(covered: &[(usize, usize)], covers: &Covers) -> Html {
    let one = |((from, to), arrow): (&(usize, usize), &Option<Arrow>)| {
        let Some(arrow) = arrow else { return Html::default() };
        html! {
            <g key={format!("c{from}")} class="cover">
                <title>{ format!("{} is covered by {}", node_id(*from), node_id(*to)) }</title>
                <path d={arrow.path.clone()} />
                { arrow_head(arrow) }
            </g>
        }
    };
    covered.iter().zip(&covers.arrows).map(one).collect()
}

/// Picks a node.
#[must_use]
pub fn pick_node(act: &Act, id: NodeId) -> Callback<()> {
    let act = act.clone();
    Callback::from(move |()| act.emit(Action::Pick(Some(Pick::Node(id)))))
}

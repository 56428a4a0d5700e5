//! A node of the graph, and the edge above it. Both are drawn again only if they changed.

use veristep_core::kit::{Journal, NodeId, PredicateId};
use veristep_core::system::EdgeId;
use veristep_core::views::{ArgNodeView, Status};
use yew::prelude::*;

use crate::explained::Pick;
use crate::layout::{Arrow, Size};
use crate::state::Action;
use crate::text::{operation, short};
use crate::ui::Act;
use crate::ui::arg_view::pick_node;
use crate::ui::cfa_view::{arrow_head, edge_label, px};
use crate::ui::drawing::Rect;

const NAME_CHAR: f64 = 7.4;
const FACT_CHAR: f64 = 6.4;
const LABEL_CHAR: f64 = 6.7;
const LONGEST_FACT: usize = 30;
const MOST_FACTS: usize = 4;
const LONGEST_LABEL: usize = 24;
const LINE: f64 = 14.0;
const HEAD: f64 = 24.0;

/// The text of a node.
#[derive(Clone, PartialEq, Debug)]
pub struct Words {
    /// Its number.
    pub id: String,
    /// Its location.
    pub name: String,
    /// Its facts.
    pub facts: Vec<(Option<PredicateId>, String)>,
    /// How many facts are not shown.
    pub more: usize,
    /// All of it, for screen readers.
    pub whole: String,
    /// The operation of the edge above.
    pub label: String,
}

impl Words {
    /// The words of a node.
    #[must_use]
    pub fn new(id: NodeId, node: &ArgNodeView, journal: &Journal) -> Words {
        let all = journal.facts(&node.label);
        // Values come first and belong to no predicate, then literals, then disjunctions.
        let (values, literals) = (node.label.values.len(), &node.label.literals);
        let predicate = |i: usize| i.checked_sub(values).and_then(|i| literals.get(i)).map(|(p, _)| *p);
        let fact = |(i, text): (usize, &String)| {
            let text = text.strip_prefix("not ").map_or(text.clone(), |rest| format!("¬{rest}"));
            (predicate(i), short(&text, LONGEST_FACT))
        };
        let label = node.from.and_then(|(_, edge)| journal.names.edges.get(edge.index()));
        Words {
            id: id.to_string(),
            name: journal.location(node.label.location).to_owned(),
            facts: all.iter().enumerate().take(MOST_FACTS).map(fact).collect(),
            more: all.len().saturating_sub(MOST_FACTS),
            whole: journal.label(&node.label),
            label: label.map(|e| short(&operation(&e.text), LONGEST_LABEL)).unwrap_or_default(),
        }
    }

    /// The size of the box.
    #[must_use]
    pub fn box_size(&self) -> Size {
        let wide = |text: &str, char: f64| text.chars().count() as f64 * char;
        let head = wide(&self.name, NAME_CHAR) + wide(&self.id, FACT_CHAR) + 46.0;
        let facts = self.facts.iter().map(|(_, text)| wide(text, FACT_CHAR) + 18.0);
        let width = facts.fold(head, f64::max).max(74.0);
        let lines = self.facts.len() + usize::from(self.more > 0);
        Size::new(width, HEAD + if lines > 0 { lines as f64 * LINE + 6.0 } else { 4.0 })
    }

    /// The room it needs, with the label of the edge above.
    #[must_use]
    pub fn size(&self) -> Size {
        let size = self.box_size();
        Size::new(size.width.max(self.label.chars().count() as f64 * LABEL_CHAR + 8.0), size.height)
    }
}

/// A node's props.
#[derive(Properties, PartialEq)]
pub struct NodeProps {
    /// Its number.
    pub id: NodeId,
    /// Its place.
    pub rect: Rect,
    /// Its text.
    pub words: Words,
    /// Its status.
    pub status: Status,
    /// It was removed.
    pub pruned: bool,
    /// Its rank among the subjects of the step.
    pub focus: Option<usize>,
    /// It is related to the selection.
    pub related: bool,
    /// It is on the counterexample.
    pub on_path: bool,
    /// The predicates related to the selection.
    pub facts: Vec<PredicateId>,
    /// The callback for actions.
    pub act: Act,
}

/// A node.
#[component]
pub fn ArgNode(props: &NodeProps) -> Html {
    let pick = pick_node(&props.act, props.id);
    let onclick = pick.reform(|_: MouseEvent| ());
    let (status, mark) = match props.status {
        Status::Open => ("open", "○"),
        Status::Current | Status::Expanded => ("expanded", ""),
        Status::Covered(_) => ("covered", "↷"),
        Status::Target => ("target", "✕"),
    };
    let class = classes!(
        "node",
        status,
        props.pruned.then_some("pruned"),
        props.focus.map(|rank| if rank == 0 { "first" } else { "second" }),
        props.related.then_some("related"),
        props.on_path.then_some("onpath"),
    );
    let r = props.rect;
    let grown = |by: f64| (px(r.x - by), px(r.y - by), px(r.width + 2.0 * by), px(r.height + 2.0 * by));
    let (gx, gy, gw, gh) = grown(8.0);
    let (hx, hy, hw, hh) = grown(4.0);
    let (ix, iy, iw, ih) = grown(-3.5);
    let said = format!("{} at {}, {}: {}", props.id, props.words.name, said(props), props.words.whole);
    html! {
        <g {class} role="img" aria-label={said} {onclick} data-node={props.id.0.to_string()}>
            <title>{ format!("{}: {}", props.words.name, props.words.whole) }</title>
            if props.focus.is_some() {
                <rect class="glow" x={gx} y={gy} width={gw} height={gh} rx="15" />
                <rect class="halo" x={hx} y={hy} width={hw} height={hh} rx="11" />
            }
            <rect class="box" x={px(r.x)} y={px(r.y)} width={px(r.width)} height={px(r.height)} rx="8" />
            if props.status == Status::Target {
                <rect class="box inner" x={ix} y={iy} width={iw} height={ih} rx="5" />
            }
            <text class="name" x={px(r.x + 10.0)} y={px(r.y + 18.0)}>{ &props.words.name }</text>
            if !mark.is_empty() {
                <text class="mark" x={px(r.x + r.width - 25.0 - props.words.id.len() as f64 * FACT_CHAR)} y={px(r.y + 18.0)}>{ mark }</text>
            }
            <text class="id" x={px(r.x + r.width - 9.0)} y={px(r.y + 17.5)} text-anchor="end">{ props.id.to_string() }</text>
            { facts(props) }
        </g>
    }
}

/// A node's state in words.
fn said(props: &NodeProps) -> String {
    let status = match props.status {
        Status::Open => "waiting".to_owned(),
        Status::Current => "being expanded".to_owned(),
        Status::Expanded => "expanded".to_owned(),
        Status::Covered(by) => format!("covered by {by}"),
        Status::Target => "at the error location".to_owned(),
    };
    if props.pruned { format!("removed, was {status}") } else { status }
}

fn facts(props: &NodeProps) -> Html {
    let r = props.rect;
    let line = |i: usize| px(r.y + HEAD + 10.0 + i as f64 * LINE);
    let fact = |(i, (id, text)): (usize, &(Option<PredicateId>, String))| {
        let related = id.is_some_and(|id| props.facts.contains(&id));
        let class = classes!("fact", related.then_some("related"));
        html! { <text {class} x={px(r.x + 10.0)} y={line(i)}>{ text }</text> }
    };
    html! {
        <>
            { for props.words.facts.iter().enumerate().map(fact) }
            if props.words.more > 0 {
                <text class="fact" x={px(r.x + 10.0)} y={line(props.words.facts.len())}>{ format!("and {} more", props.words.more) }</text>
            }
        </>
    }
}

/// An edge's props.
#[derive(Properties, PartialEq)]
pub struct EdgeProps {
    /// Its curve.
    pub arrow: Arrow,
    /// Its operation.
    pub text: String,
    /// It was removed.
    pub ghost: bool,
    /// It is on the counterexample.
    pub path: bool,
    /// It is a subject of the step.
    pub now: bool,
    /// It is related to the selection.
    pub related: bool,
    /// The model's edge.
    pub edge: EdgeId,
    /// The callback for actions.
    pub act: Act,
}

/// An edge of the graph.
#[component]
pub fn ArgEdge(props: &EdgeProps) -> Html {
    let onclick = {
        let (act, edge) = (props.act.clone(), props.edge);
        Callback::from(move |_: MouseEvent| act.emit(Action::Pick(Some(Pick::Edge(edge)))))
    };
    let class = classes!(
        "edge",
        props.ghost.then_some("ghost"),
        props.path.then_some("path"),
        props.now.then_some("now"),
        props.related.then_some("related"),
    );
    let arrow = &props.arrow;
    let label = operation(&props.text);
    html! {
        <g {class} {onclick}>
            <title>{ label.clone() }</title>
            <path d={arrow.path.clone()} />
            { arrow_head(arrow) }
            <path class="hit" d={arrow.path.clone()} />
            { edge_label(arrow.label, &short(&label, LONGEST_LABEL)) }
        </g>
    }
}

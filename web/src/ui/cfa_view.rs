//! The model as a graph of locations and edges.

use std::rc::Rc;

use veristep_core::kit::NodeId;
use veristep_core::system::{EdgeId, LocationId};
use veristep_core::views::ArgNodeView;
use yew::prelude::*;

use crate::explained::{Pick, Subjects};
use crate::layout::{Arrow, Point};
use crate::protocol::{ModelInfo, Picture, Role};
use crate::state::{Action, Frame, JournalRef, Related};
use crate::text::{operation, short};
use crate::ui::Act;
use crate::ui::drawing::{Drawing, Rect};

/// The props.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The model.
    pub model: Option<Rc<ModelInfo>>,
    /// The subjects of the step.
    pub subjects: Rc<Subjects>,
    /// The phase of the step.
    pub phase: Option<&'static str>,
    /// The step.
    pub frame: Rc<Frame>,
    /// The journal.
    pub journal: JournalRef,
    /// The objects related to the selection.
    pub related: Rc<Related>,
    /// Fits when it changes.
    pub fit: u32,
    /// The callback for actions.
    pub act: Act,
}

const CHAR: f64 = 6.7;

/// The drawn model.
#[component]
pub fn CfaView(props: &Props) -> Html {
    let Some(model) = props.model.clone() else {
        return html! {
            <div class="empty"><p>{ "The drawing appears here once the text has no errors." }</p></div>
        };
    };
    let plan = &model.picture;
    let content = rect_of(&plan.extent);
    let focus = focus(plan, &props.subjects, &model);
    let drawn = html! {
        <>
            { for (0..model.edges.len()).map(|i| edge(i, &model, plan, props)) }
            { for (0..model.locations.len()).map(|i| place(i, &model, plan, props)) }
            { for (0..model.locations.len()).map(|i| known(i, plan, props)) }
        </>
    };
    let label = format!(
        "Control flow automaton with {} locations and {} edges",
        model.locations.len(),
        model.edges.len()
    );
    let draw = Callback::from(move |_: Rect| drawn.clone());
    html! { <Drawing {label} name="cfa" {content} {focus} {draw} phase={props.phase} fit={props.fit} /> }
}

fn rect_of(part: &[f32; 4]) -> Rect {
    let [x, y, width, height] = part.map(f64::from);
    Rect { x, y, width, height }
}

/// The location of the step, or else the ends of its edge.
fn focus(plan: &Picture, subjects: &Subjects, model: &ModelInfo) -> Option<Rect> {
    let rect = |id: LocationId| plan.boxes.get(id.index()).map(rect_of);
    let edge = subjects.edges.last().and_then(|e| model.edges.get(e.index()));
    let ends = edge.into_iter().flat_map(|edge| [edge.source, edge.target]);
    current(subjects, model).and_then(rect).or_else(|| ends.filter_map(rect).reduce(Rect::with))
}

/// The current location of the step: the end of a path, or else its first subject.
fn current(subjects: &Subjects, model: &ModelInfo) -> Option<LocationId> {
    let end = subjects.edges.last().and_then(|e| model.edges.get(e.index())).map(|e| e.target);
    // A block comes with the edges in it, and is no path.
    let path = subjects.edges.iter().all(|e| e.index() < model.edges.len());
    end.filter(|_| path && subjects.edges.len() > 1).or_else(|| subjects.locations.first().copied())
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

fn edge(index: usize, model: &ModelInfo, plan: &Picture, props: &Props) -> Html {
    let id = EdgeId(number(index));
    let drawn = &plan.edges[index];
    let point = |at: [f32; 2]| Point::new(f64::from(at[0]), f64::from(at[1]));
    let arrow = &Arrow {
        path: drawn.path.clone(),
        tip: point(drawn.tip),
        angle: f64::from(drawn.angle),
        label: point(drawn.label),
    };
    let onclick = {
        let act = props.act.clone();
        Callback::from(move |_: MouseEvent| act.emit(Action::Pick(Some(Pick::Edge(id)))))
    };
    let sliced = props.journal.get().names.sliced.contains(&id);
    let class = classes!(
        "edge",
        (props.subjects.edges.last() == Some(&id)).then_some("now"),
        props.subjects.edges.contains(&id).then_some("trail"),
        props.related.edges.contains(&id).then_some("related"),
        sliced.then_some("left-out"),
    );
    let without = if sliced { " (removed by slicing, completely or in part)" } else { "" };
    html! {
        <g key={format!("e{index}")} {class} {onclick}>
            <title>{ operation(&model.edges[index].text) }{ without }</title>
            <path d={arrow.path.clone()} />
            { arrow_head(arrow) }
            <path class="hit" d={arrow.path.clone()} />
            { edge_label(arrow.label, &drawn.text) }
        </g>
    }
}

/// The label of an edge, on a plate that hides the line behind it.
pub fn edge_label(at: Point, text: &str) -> Html {
    if text.is_empty() {
        return Html::default();
    }
    let width = text.chars().count() as f64 * CHAR + 4.0;
    html! {
        <>
            <rect class="plate" x={px(at.x - width / 2.0)} y={px(at.y - 7.5)} width={px(width)} height="15" rx="3" />
            <text class="label" x={px(at.x)} y={px(at.y + 4.0)} text-anchor="middle">{ text.to_owned() }</text>
        </>
    }
}

/// The tip of an arrow.
pub fn arrow_head(arrow: &Arrow) -> Html {
    let transform = format!("translate({} {}) rotate({})", px(arrow.tip.x), px(arrow.tip.y), px(arrow.angle));
    html! { <path class="arrow" d="M0 0L-8 -4L-6.4 0L-8 4Z" {transform} /> }
}

/// A coordinate with one digit after the point.
#[must_use]
pub fn px(value: f64) -> String {
    crate::text::decimal(value, 1)
}

fn place(index: usize, model: &ModelInfo, plan: &Picture, props: &Props) -> Html {
    let id = LocationId(number(index));
    let location = &model.locations[index];
    let rect = rect_of(&plan.boxes[index]);
    let pick = {
        let act = props.act.clone();
        Callback::from(move |()| act.emit(Action::Pick(Some(Pick::Location(id)))))
    };
    let onclick = pick.reform(|_: MouseEvent| ());
    let onkeydown = on_enter(pick);
    let (role, said) = match location.role {
        Role::Plain => ("plain", ""),
        Role::Initial => ("initial", ", initial"),
        Role::Final => ("final", ", final"),
        Role::Error => ("error", ", error"),
        Role::Between => ("between", ", between two statements"),
    };
    let here = nodes_at(index, props).count();
    let is_now = current(&props.subjects, model) == Some(id);
    let related = props.related.locations.contains(&id);
    let class = classes!("node", "place", role, is_now.then_some("current"), related.then_some("related"));
    let (x, y, w, h) = (px(rect.x), px(rect.y), px(rect.width), px(rect.height));
    let middle = px(rect.x + rect.width / 2.0);
    html! {
        <g key={format!("l{index}")} {class} tabindex="0" role="button" aria-pressed={related.to_string()} {onclick} {onkeydown}
            aria-label={format!("{}, location{said}, {here} in the graph", location.name)}>
            if is_now {
                <rect class="glow" x={px(rect.x - 7.0)} y={px(rect.y - 7.0)} width={px(rect.width + 14.0)} height={px(rect.height + 14.0)} rx="20" />
                <rect class="halo" x={px(rect.x - 4.0)} y={px(rect.y - 4.0)} width={px(rect.width + 8.0)} height={px(rect.height + 8.0)} rx="18" />
            }
            <rect class="box" {x} {y} width={w} height={h} />
            if location.role == Role::Error {
                <rect class="box" style="fill:none" x={px(rect.x + 3.5)} y={px(rect.y + 3.5)} width={px(rect.width - 7.0)} height={px(rect.height - 7.0)} />
            }
            if location.role == Role::Between {
                <title>{ &location.name }</title>
            } else {
            <text class="name" x={middle} y={px(rect.y + 19.0)} text-anchor="middle">{ &location.name }</text>
            }
            if location.role == Role::Initial {
                <path class="start" d={format!("M{} {}l-16 0", px(rect.x - 9.0), px(rect.y + 15.0))} style="stroke:var(--text);stroke-width:1.6" />
                <path d={format!("M{} {}l-7 -4l0 8z", px(rect.x - 2.0), px(rect.y + 15.0))} style="fill:var(--text)" />
            }
        </g>
    }
}

/// The nodes of the graph at a location.
fn nodes_at(index: usize, props: &Props) -> impl Iterator<Item = &ArgNodeView> {
    let journal = props.journal.get();
    let here = move |node: &&ArgNodeView| journal.names.place(node.label.location).index() == index;
    props.frame.arg.live().map(|(_, node)| node).filter(here)
}

/// The number of nodes beside a location, and below it their labels.
fn known(index: usize, plan: &Picture, props: &Props) -> Html {
    let here = nodes_at(index, props).count();
    if here == 0 {
        return Html::default();
    }
    let rect = rect_of(&plan.boxes[index]);
    let journal = props.journal.get();
    let mut labels: Vec<String> = Vec::new();
    for node in nodes_at(index, props).filter(|n| !n.label.is_top()) {
        let text = journal.facts(&node.label).join(", ");
        if !labels.contains(&text) {
            labels.push(text);
        }
    }
    let all = labels.join("\n");
    let more = if labels.len() > 1 { " ∨ …" } else { "" };
    // At most the distance to the next location in the row.
    let beside = plan.boxes.iter().map(rect_of).filter(|r| (r.y - rect.y).abs() < 40.0 && r.x != rect.x);
    let free = beside.map(|r| (r.x - rect.x).abs()).fold(200.0, f64::min);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few characters")]
    let room = ((free / CHAR) as usize).saturating_sub(1);
    let at = Point::new(rect.x + rect.width / 2.0, rect.y + rect.height + 8.0);
    let label = labels
        .first()
        .map(|text| edge_label(at, &(short(text, room.saturating_sub(more.chars().count())) + more)));
    html! {
        <g key={format!("n{index}")} class="known" aria-hidden="true">
            <title>{ all }</title>
            { label }
            <text class="count" x={px(rect.x + rect.width + 5.0)} y={px(rect.y + 6.0)}>{ here }</text>
        </g>
    }
}

/// Enter and Space are equivalent to a click.
#[must_use]
pub fn on_enter(act: Callback<()>) -> Callback<KeyboardEvent> {
    Callback::from(move |event: KeyboardEvent| {
        if matches!(event.key().as_str(), "Enter" | " ") {
            event.prevent_default();
            event.stop_propagation();
            act.emit(());
        }
    })
}

/// A node's number, for keys and names.
#[must_use]
pub fn node_id(index: usize) -> NodeId {
    NodeId(number(index))
}

//! A node of a drawing.

use veristep_core::scene::{Ink, Mark, Node, Rect, RowKind, Shape, TOKEN};
use yew::prelude::*;

use super::{about, anchor, classes, ink, names, on_click, on_enter, pick, px, sides};
use crate::ui::Act;

/// The props.
#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// The node.
    pub(super) node: Node,
    /// It is related to the selection.
    pub(super) related: bool,
    /// By row, is it related to the selection?
    pub(super) rows: Vec<bool>,
    /// With a handle from which edges are drawn.
    pub(super) handle: bool,
    /// The callback for actions.
    pub(super) act: Act,
}

/// A node.
#[component]
pub(super) fn NodeView(props: &Props) -> Html {
    let node = &props.node;
    let style = node.style();
    let picked = pick(&node.about, &props.act);
    let onclick = picked.as_ref().map(on_click);
    let onkeydown = picked.as_ref().map(|pick| on_enter(pick.clone()));
    let class = classes!("node", names(&node.marks), props.related.then_some("related"));
    let body = html! {
        <>
            <title>{ &node.title }</title>
            { ground(node) }
            if style.halo.is_some() {
                { outline(node, node.rect.inset(-8.0), "glow".into(), String::new()) }
                { outline(node, node.rect.inset(-4.0), "halo".into(), String::new()) }
            }
            { outline(node, node.rect, classes!("box", classes(&style)), format!("stroke-width:{}", px(style.width))) }
            if style.double {
                { outline(node, node.rect.inset(3.5), classes!("inner", ink("stroke", style.stroke)), String::new()) }
            }
            if node.is(Mark::Initial) { { start(node.rect) } }
            if props.handle { <circle class="handle" cx={px(node.rect.right() + 3.0)} cy={px(node.rect.centre().y)} r="6" /> }
            { for node.tokens().into_iter().map(|at| html! { <circle class="dot" cx={px(at.x)} cy={px(at.y)} r={px(TOKEN)} /> }) }
            { for node.placed().into_iter().zip(&props.rows).map(|((row, at, at_anchor), related)| {
                let (kind, colour) = match row.kind {
                    RowKind::Name => ("name", style.text),
                    RowKind::Corner => ("corner", Ink::Muted),
                    RowKind::Fact => ("fact", if style.text == Ink::Text { Ink::Muted } else { style.text }),
                };
                let class = classes!(kind, ink("text", colour), related.then_some("related"));
                html! { <text {class} x={px(at.x)} y={px(at.y)} text-anchor={anchor(at_anchor)}>{ &row.text }</text> }
            }) }
        </>
    };
    let about = about(&node.about);
    match onclick {
        Some(onclick) => html! {
            <g {class} data-key={node.key.clone()} data-about={about} role="button" tabindex="-1" aria-pressed={props.related.to_string()}
                {onclick} {onkeydown}>{ body }</g>
        },
        None => {
            html! { <g {class} data-key={node.key.clone()} role="img" aria-label={node.title.clone()}>{ body }</g> }
        }
    }
}

/// The ground of a name that is beside its node, and all of both, which a finger can touch anywhere.
fn ground(node: &Node) -> Html {
    let rect = |rect: Rect, class: &'static str| {
        let (x, y, width, height) = sides(rect);
        html! { <rect {class} {x} {y} {width} {height} rx="3" /> }
    };
    if let Some(head) = node.head_rect() {
        return rect(head, "head");
    }
    let Some(name) = node.name_rect() else { return Html::default() };
    html! { <>{ rect(node.extent(), "area") }{ rect(name, "plate") }</> }
}

/// The arrow into an initial node.
fn start(rect: Rect) -> Html {
    let (x, y) = (rect.x, rect.centre().y);
    html! {
        <>
            <path class="start" d={format!("M{} {}h14", px(x - 22.0), px(y))} />
            <path class="start tip" d={format!("M{} {}l-8 -4v8z", px(x - 1.0), px(y))} />
        </>
    }
}

/// An outline in the shape of a node.
fn outline(node: &Node, rect: Rect, class: Classes, style: String) -> Html {
    let (x, y, width, height) = sides(rect);
    match node.shape {
        Shape::Box | Shape::Frame => html! { <rect {class} {style} {x} {y} {width} {height} rx="8" /> },
        Shape::Pill => html! { <rect {class} {style} {x} {y} {width} {height} rx={px(rect.height / 2.0)} /> },
        Shape::Tile => html! { <rect {class} {style} {x} {y} {width} {height} /> },
        Shape::Ellipse | Shape::Place => {
            let centre = rect.centre();
            html! { <ellipse {class} {style} cx={px(centre.x)} cy={px(centre.y)} rx={px(rect.width / 2.0)} ry={px(rect.height / 2.0)} /> }
        }
        Shape::Stub => {
            let at = rect.centre().x;
            html! { <path {class} {style} d={format!("M{} {}v9m-4 0h8m-6.5 3h5", px(at), px(node.rect.y))} /> }
        }
    }
}

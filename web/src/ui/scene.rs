//! The renderer of scenes: drawings on canvases, tables, legends, and an outline of each drawing for keyboard and
//! screen reader. Parts are drawn again only if they changed.

mod edge;
mod find;
mod legend;
mod node;
mod outline;
mod picture;
mod table;

use std::rc::Rc;
use std::sync::Arc;

use veristep_core::layout::between;
use veristep_core::scene::{
    Body, Drawing, Edge, Ink, Label, Line, Mark, Node, Part, Phrase, Rect, Region, Scene, Style, Text, Thing,
};
use web_sys::Element;
use yew::prelude::*;

use crate::browser;
use crate::protocol::FileFormat;
use crate::state::{Action, Related};
use crate::text::decimal;
use crate::ui::Act;
pub use crate::ui::canvas::{Card, Carried, DragPart, End, Fit, Gesture, OnEdit};
use crate::ui::canvas::{head, is_carried, is_more};
use crate::ui::icon::icon;
use edge::EdgeView;
use node::NodeView;
use picture::PictureView;

/// How a scene is shown.
#[derive(Clone, PartialEq)]
pub struct Shown {
    /// A name for tests.
    pub name: &'static str,
    /// The objects related to the selection.
    pub related: Rc<Related>,
    /// What is kept in view instead of the current elements.
    pub focus: Option<Thing>,
    /// The run has not begun or has ended: without current elements and without a path, the beginning is in view.
    pub at_rest: bool,
    /// The phase whose colour marks the current elements.
    pub phase: Option<&'static str>,
    /// How drawings place themselves.
    pub fit: Fit,
    /// What drawings do with gestures, where they can be edited.
    pub on_edit: OnEdit,
    /// A card over the first drawing, or above its list.
    pub card: Option<Card>,
    /// More buttons on the first drawing.
    pub tools: Html,
    /// Saves the scene as a file.
    pub save: Option<Callback<FileFormat>>,
    /// The callback for actions.
    pub act: Act,
}

impl Shown {
    /// A picture of which nothing can be selected.
    pub fn alone() -> Shown {
        Shown {
            name: "drawn",
            related: Rc::default(),
            focus: None,
            at_rest: false,
            phase: None,
            fit: Fit { number: 0, projected: browser::is_projected() },
            on_edit: None,
            card: None,
            tools: Html::default(),
            save: None,
            act: Callback::noop(),
        }
    }
}

/// A scene: its parts beside each other.
pub fn scene(scene: &Scene, shown: &Shown) -> Html {
    let alone = scene.parts.len() == 1;
    html! {
        <div class={classes!("scene", alone.then_some("alone"))}>
            { for scene.parts.iter().enumerate().map(|(i, one)| part(i, one, shown)) }
        </div>
    }
}

/// The part of the width of a drawing that it needs, and the limits of that width, in pixels.
const NEEDED: f64 = 0.85;
const NARROWEST: f64 = 220.0;
const WIDEST: f64 = 620.0;

fn part(index: usize, part: &Part, shown: &Shown) -> Html {
    let first = index == 0;
    let save = shown.save.clone().filter(|_| first);
    let about = above(&part.heading, &part.caption);
    let body = match &part.body {
        Body::Nothing => html! {
            <>
                if !part.heading.is_empty() { { head(&above(&part.heading, &Text::default()), Vec::new()) } }
                <div class="empty"><p>{ text(&part.caption) }</p></div>
            </>
        },
        Body::Table(found) => table::table(&part.heading, &about, found, &Shown { save, ..shown.clone() }),
        Body::Drawing(drawing) => {
            let tools = if first { shown.tools.clone() } else { Html::default() };
            let name = if first { shown.name.to_owned() } else { format!("{}-{index}", shown.name) };
            picture(&part.heading, about, drawing, name, &Shown { tools, save, ..shown.clone() })
        }
    };
    // Narrow drawings are beside each other, wide ones below.
    let style = match &part.body {
        Body::Drawing(drawing) => {
            let wide = between(NEEDED * drawing.extent.width, NARROWEST, WIDEST);
            Some(format!("flex-basis:{}px", decimal(wide, 0)))
        }
        Body::Table(_) | Body::Nothing => None,
    };
    html! { <section class="part" key={index} {style}>{ body }</section> }
}

/// What is shown above a picture.
pub fn above(heading: &str, caption: &Text) -> Html {
    html! {
        <div class="about">
            if !heading.is_empty() { <h2>{ heading }</h2> }
            if !caption.0.is_empty() { <p>{ text(caption) }</p> }
        </div>
    }
}

/// A button that opens a list of file formats.
fn save(save: &Callback<FileFormat>) -> Html {
    let one = |format: &FileFormat| {
        let (save, format) = (save.clone(), *format);
        let onclick = Callback::from(move |event: MouseEvent| {
            let list = event.target_dyn_into::<Element>().and_then(|e| e.closest("details").ok().flatten());
            list.iter().for_each(|list| drop(list.remove_attribute("open")));
            save.emit(format);
        });
        html! { <button class="btn" {onclick}>{ format.names().0 }</button> }
    };
    html! {
        <details class="menu">
            <summary class="btn" aria-label="Save the picture" title="Save the picture" data-testid="save-picture">{ icon("download") }</summary>
            <div class="formats">{ for FileFormat::ALL.iter().map(one) }</div>
        </details>
    }
}

/// A drawing with its legend, or as a list; its heading is for screen readers.
pub fn picture(heading: &str, about: Html, drawing: &Arc<Drawing>, name: String, shown: &Shown) -> Html {
    html! { <PictureView heading={heading.to_owned()} {about} drawing={drawing.clone()} {name} shown={shown.clone()} /> }
}

/// Of a drawing with more nodes only what is in view is drawn.
const ALL: usize = 60;

/// The elements of a drawing that meet a part of it, from back to front.
fn content(
    drawing: &Drawing,
    window: &Rect,
    related: &Related,
    (act, edited, found): (&Act, bool, Option<Rect>),
) -> Html {
    let is_related = |about: &[Thing]| about.first().is_some_and(|thing| related.contains(*thing));
    let all = drawing.nodes.len() <= ALL;
    let in_view = |edge: &&Edge| all || edge.extent().is_some_and(|extent| extent.meets(window));
    let edge = |edge: &Edge| {
        let related = edge.about.iter().any(|thing| related.contains(*thing));
        html! { <EdgeView key={edge.key.clone()} edge={edge.clone()} {related} act={act.clone()} /> }
    };
    // Above the nodes, whose borders they are at. What is between the statements of an edge has none.
    let grips = |edge: &Edge| {
        let ends = [&edge.source, &edge.target];
        let [source, target] = ends.map(|key| drawing.node(key).is_some_and(|node| !node.is(Mark::Between)));
        let related = edge.about.iter().any(|thing| related.contains(*thing));
        related.then(|| edge::grips(edge, (source, target)))
    };
    let node = |node: &Node| {
        let rows: Vec<bool> =
            node.rows.iter().map(|row| row.about.is_some_and(|thing| related.contains(thing))).collect();
        html! { <NodeView key={node.key.clone()} node={node.clone()} related={is_related(&node.about)} {rows} handle={edited && !node.is(Mark::Between)} act={act.clone()} /> }
    };
    html! {
        <>
            { for drawing.regions.iter().map(|region| region_view(region, is_related(&region.about))) }
            { for drawing.lines.iter().map(line_view) }
            // Groups of their own, so that elements are found by their keys.
            <g>{ for drawing.edges.iter().filter(in_view).map(edge) }</g>
            <g>{ for drawing.nodes.iter().filter(|node| all || node.rect.meets(window)).map(node) }</g>
            if edited { { for drawing.edges.iter().filter_map(grips) } }
            { for drawing.labels.iter().map(label_view) }
            { for found.map(found_view) }
        </>
    }
}

/// A frame around what was searched for.
#[inline(never)]
fn found_view(place: Rect) -> Html {
    let (x, y, width, height) = sides(place.inset(-5.0));
    html! { <rect class="found" {x} {y} {width} {height} rx="8" /> }
}

fn line_view(line: &Line) -> Html {
    let style = Style::of_edge(&line.marks);
    html! { <path class={classes!("line", classes(&style), names(&line.marks))} d={line.path.clone()} /> }
}

fn region_view(region: &Region, related: bool) -> Html {
    let style = Style::of_region(&region.marks);
    let (x, y, width, height) = sides(region.rect);
    let class = classes!("region", classes(&style), names(&region.marks), related.then_some("related"));
    html! { <rect key={region.key.clone()} {class} {x} {y} {width} {height} /> }
}

fn label_view(label: &Label) -> Html {
    let style = Style::of_node(&label.marks);
    let class = classes!("label", ink("text", style.text), names(&label.marks));
    let words = html! { <text {class} x={px(label.at.x)} y={px(label.at.y)} text-anchor={anchor(label.anchor)}>{ &label.text }</text> };
    if !label.marks.contains(&Mark::Known) {
        return words;
    }
    let (x, y, width, height) = sides(label.rect());
    html! { <><rect class="plate" {x} {y} {width} {height} rx="3" />{ words }</> }
}

/// The classes of an outline: its inks and its dashes.
fn classes(style: &Style) -> Classes {
    use veristep_core::scene::Dash;
    let dash = match style.dash {
        Dash::Solid => None,
        Dash::Dashed => Some("dashed"),
        Dash::Dotted => Some("dotted"),
    };
    classes!(ink("stroke", style.stroke), ink("fill", style.fill), dash, style.faded.then_some("faded"))
}

/// The class of a colour.
fn ink(part: &'static str, ink: Ink) -> String {
    format!("{part}-{}", ink.name())
}

/// The roles as classes, for tests and for what style sheets add.
fn names(marks: &[Mark]) -> Classes {
    marks.iter().map(|mark| format!("is-{}", mark.name())).collect::<Vec<_>>().into()
}

fn anchor(anchor: veristep_core::scene::Anchor) -> &'static str {
    use veristep_core::scene::Anchor;
    match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    }
}

/// A coordinate with one digit after the point.
fn px(value: f64) -> String {
    decimal(value, 1)
}

fn sides(rect: Rect) -> (String, String, String, String) {
    (px(rect.x), px(rect.y), px(rect.width), px(rect.height))
}

/// A text in which formulas are set apart.
pub fn text(text: &Text) -> Html {
    let phrase = |phrase: &Phrase| match phrase {
        Phrase::Plain(text) => html! { { text } },
        Phrase::Code(text) => html! { <code>{ text }</code> },
    };
    html! { <>{ for text.0.iter().map(phrase) }</> }
}

/// A text with code between backticks.
pub fn with_code(text: &str) -> Html {
    let part = |(i, part): (usize, &str)| {
        if i % 2 == 0 {
            html! { { part } }
        } else {
            html! { <code>{ part }</code> }
        }
    };
    html! { <>{ for text.split('`').enumerate().map(part) }</> }
}

/// What an element stands for, as an attribute: elements of the same thing are highlighted together.
pub fn about(things: &[Thing]) -> Option<String> {
    let tokens: Vec<String> = things.iter().map(|thing| thing.token()).collect();
    (!tokens.is_empty()).then(|| tokens.join(" "))
}

/// Selects what an element stands for.
fn pick(about: &[Thing], act: &Act) -> Option<Callback<()>> {
    let thing = *about.first()?;
    let act = act.clone();
    Some(Callback::from(move |()| act.emit(Action::Pick(Some(thing)))))
}

/// What can be chosen together with others.
const CHOOSABLE: &str = ".edited .node:not(.is-between), .edited [role=treeitem]";

/// A click selects, but for one that chooses several nodes of a drawing that can be edited.
fn on_click(pick: &Callback<()>) -> Callback<MouseEvent> {
    let pick = pick.clone();
    Callback::from(move |event: MouseEvent| {
        let element = event.target_dyn_into::<Element>().filter(|_| is_more(&event));
        let of_several = |it: &Element| it.closest(CHOOSABLE).ok().flatten().is_some();
        if !element.as_ref().is_some_and(of_several) {
            pick.emit(());
        }
    })
}

/// Enter and Space are equivalent to a click, unless the element is moved by keys.
fn on_enter(pick: Callback<()>) -> Callback<KeyboardEvent> {
    Callback::from(move |event: KeyboardEvent| {
        let moves = || event.target_dyn_into::<Element>().is_some_and(|it| is_carried(&it));
        if matches!(event.key().as_str(), "Enter" | " ") && !event.shift_key() && !moves() {
            event.prevent_default();
            event.stop_propagation();
            pick.emit(());
        }
    })
}

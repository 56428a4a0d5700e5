//! A drawing on a canvas with its legend, or as a list.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use veristep_core::scene::{Drawing, Edge, Label, Mark, Node, Rect, Shape, Thing};
use veristep_core::text::count;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use super::find::use_find;
use super::legend::legend;
use super::outline::outline;
use super::{ALL, Shown, content, save};
use crate::browser;
use crate::ui::canvas::{Canvas, head};
use crate::ui::icon::icon;

thread_local! {
    /// The form that was chosen last, in which new pictures begin.
    static LISTED: Cell<bool> = const { Cell::new(false) };
}

/// The props.
#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// Its heading, for screen readers.
    pub(super) heading: AttrValue,
    /// What is shown above it.
    pub(super) about: Html,
    /// The drawing.
    pub(super) drawing: Arc<Drawing>,
    /// A name for tests.
    pub(super) name: AttrValue,
    /// How it is shown.
    pub(super) shown: Shown,
}

/// Whether the drawing is shown as a list, the button for that, and what a click on it does.
#[hook]
fn use_listed() -> (bool, NodeRef, Callback<MouseEvent>) {
    let listed = use_state_eq(|| LISTED.get());
    let button = use_node_ref();
    let toggled = use_mut_ref(|| false);
    {
        // The button is another element in the other form.
        let (button, toggled) = (button.clone(), toggled.clone());
        use_effect_with(*listed, move |_| {
            if toggled.replace(false) {
                button.cast::<HtmlElement>().iter().for_each(|button| drop(button.focus()));
            }
        });
    }
    let onclick = {
        let (listed, toggled) = (listed.clone(), toggled.clone());
        Callback::from(move |_: MouseEvent| {
            LISTED.set(!*listed);
            *toggled.borrow_mut() = true;
            listed.set(!*listed);
        })
    };
    (*listed, button, onclick)
}

/// The drawing.
#[component]
pub(super) fn PictureView(props: &Props) -> Html {
    let Props { heading, about, drawing, name, shown } = props;
    let (listed, button, onclick) = use_listed();
    let find = use_find(shown.name);
    let tools = html! {
        <>
            { for shown.save.iter().map(save) }
            { shown.tools.clone() }
            if !listed { { find.button(drawing) } }
            <button ref={button} class="btn" aria-pressed={listed.to_string()} aria-label="Show as a list" title="Show as a list (for the keyboard)" {onclick} data-testid="as-list">{ icon("list") }</button>
        </>
    };
    let now = drawing.nodes.iter().find(|node| current(drawing)(node)).map(|node| node.key.as_str());
    let at_now = use_node_ref();
    {
        let at_now = at_now.clone();
        use_effect_with((listed, now.map(str::to_owned)), move |_| {
            at_now.cast::<Element>().iter().for_each(browser::bring_into_view);
        });
    }
    if listed {
        return html! {
            <>
                { head(about, vec![tools]) }
                { for shown.card.iter().map(|card| html! { <div class="over listed">{ card.body.clone() }</div> }) }
                { outline(heading, drawing, shown, (now, &at_now)) }
            </>
        };
    }
    let found = if find.is_open() { find.found(drawing) } else { None };
    let draw = {
        let (drawing, related, act) = (drawing.clone(), shown.related.clone(), shown.act.clone());
        let edited = shown.on_edit.is_some();
        Callback::from(move |window| content(&drawing, &window, &related, (&act, edited, found)))
    };
    // While it is open, the search has the row above the drawing.
    let (about, tools) = match find.is_open() {
        true => (find.field(drawing), Html::default()),
        false => (about.clone(), tools),
    };
    let of_selection = |node: &&Node| node.about.first().is_some_and(|thing| shown.related.contains(*thing));
    let selected = drawing.nodes.iter().filter(of_selection).map(|node| node.rect).reduce(Rect::with);
    let is_current = current(drawing);
    let around = around(drawing);
    let solid = drawing.nodes.iter().filter(|node| node.shape != Shape::Frame);
    let marks: Rc<[(Rect, bool)]> =
        solid.map(|node| (node.rect, is_current(node) || node.is(Mark::Path))).collect();
    let plates = drawing.edges.iter().filter_map(Edge::plate).chain(drawing.labels.iter().map(Label::rect));
    let texts: Rc<[Rect]> = plates.chain(drawing.nodes.iter().filter_map(Node::head_rect)).collect();
    let whole = drawing.nodes.len() <= ALL;
    let (nodes, edges) = (count(drawing.nodes.len(), "node"), count(drawing.edges.len(), "edge"));
    let part = if whole { "" } else { "; those in view can be selected, the list has all" };
    let label = format!("{heading}: {nodes} and {edges}{part}");
    html! {
        <>
            <Canvas {label} {name} {whole} content={drawing.extent} focus={focus(drawing, shown)} {around} find={find.opener()} {found} {selected} {marks} {texts} phase={shown.phase} fit={shown.fit} on_edit={shown.on_edit.clone()} card={shown.card.clone()} {about} {tools} {draw} />
            { legend(drawing, shown.phase) }
        </>
    }
}

/// The nodes of the step. If a path is infeasible, they are those of the empty image.
fn current(drawing: &Drawing) -> impl Fn(&Node) -> bool + use<> {
    let dead_end = drawing.nodes.iter().any(|node| node.is(Mark::Empty));
    move |node| match dead_end {
        true => node.is(Mark::Empty),
        false => node.is(Mark::Current) || node.is(Mark::Active) || node.is(Mark::Lost) || is_active(node),
    }
}

/// Is it an active state of a chart without others in it?
fn is_active(node: &Node) -> bool {
    node.is(Mark::InConfiguration) && node.shape != Shape::Frame
}

/// What is kept in view with the focus where there is room: all nodes of the step, and what is searched for.
fn around(drawing: &Drawing) -> Option<Rect> {
    let is_current = current(drawing);
    let of_step = |node: &&Node| is_current(node) || node.is(Mark::Second) || node.is(Mark::Target);
    drawing.nodes.iter().filter(of_step).map(|node| node.rect).reduce(Rect::with)
}

/// What is kept in view: what was asked for, the current elements, others of the step, or the end of a path; before and
/// after a run without a path, the beginning.
fn focus(drawing: &Drawing, shown: &Shown) -> Option<Rect> {
    let nodes = || drawing.nodes.iter();
    let all = |of: &dyn Fn(&Node) -> bool| nodes().filter(|node| of(node)).map(|n| n.rect).reduce(Rect::with);
    let asked = shown.focus.and_then(|thing| nodes().find(|node| node.about.first() == Some(&thing)));
    let begin = || {
        let first = nodes().find(|node| node.is(Mark::Initial)).or(drawing.nodes.first());
        first.filter(|node| node.shape != Shape::Frame)
    };
    let ends = |node: &&Node| node.is(Mark::Path) || node.is(Mark::Violating);
    // Markings are not the nodes of a step, so there the beginning is in view without a current one.
    let rests = shown.at_rest || nodes().any(|node| matches!(node.about.first(), Some(Thing::Marking(_))));
    let end = nodes().rev().find(ends).or_else(|| begin().filter(|_| rests));
    asked
        .map(|node| node.rect)
        .or_else(|| all(&current(drawing)))
        .or_else(|| all(&|node| node.is(Mark::Second)))
        .or_else(|| end.map(|node| node.rect))
}

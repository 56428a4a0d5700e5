//! A canvas: a drawing that can be moved and zoomed, and otherwise keeps its focus in view.

mod gesture;
mod keys;
mod minimap;
mod place;

use std::rc::Rc;

use veristep_core::layout::between;
use veristep_core::scene::Rect;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{Element, ResizeObserver};
use yew::prelude::*;

use crate::text::decimal;
use crate::ui::icon::icon;
pub use gesture::{Carried, DragPart, End, Gesture, KEYED, OnEdit, is_more, key_of};
use gesture::{Moved, Press, ZOOM_STEP, dragging, on_click, on_twice, on_wheel, use_wheel};
use keys::{Named, on_focus, on_key};
pub use keys::{by_key, is_carried};
pub use place::{Fit, Place};

/// The props.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What it is, for screen readers.
    pub label: AttrValue,
    /// A name for tests.
    pub name: AttrValue,
    /// The extent of the content.
    pub content: Rect,
    /// All of it exists as elements, so that all can be printed.
    pub whole: bool,
    /// The part to keep in view.
    #[prop_or_default]
    pub focus: Option<Rect>,
    /// A larger part to keep in view where there is room for it.
    #[prop_or_default]
    pub around: Option<Rect>,
    /// The part that is selected.
    #[prop_or_default]
    pub selected: Option<Rect>,
    /// The places of the nodes for the map, with those of the focus.
    #[prop_or_default]
    pub marks: Rc<[(Rect, bool)]>,
    /// The places of the texts beside nodes, which the map covers only if it must.
    #[prop_or_default]
    pub texts: Rc<[Rect]>,
    /// Draws what meets a part of the drawing.
    pub draw: Callback<Rect, Html>,
    /// What is above it: a heading, a caption.
    #[prop_or_default]
    pub about: Html,
    /// More buttons.
    #[prop_or_default]
    pub tools: Html,
    /// The phase whose colour marks the current elements.
    #[prop_or_default]
    pub phase: Option<&'static str>,
    /// How it places itself.
    #[prop_or_default]
    pub fit: Fit,
    /// What it does with gestures, where it can be edited.
    #[prop_or_default]
    pub on_edit: OnEdit,
    /// Opens a search in it.
    pub find: Callback<()>,
    /// What was found, which is brought into view.
    #[prop_or_default]
    pub found: Option<Rect>,
    /// A card over the drawing.
    #[prop_or_default]
    pub card: Option<Card>,
}

/// A card over a drawing, at a part of it.
#[derive(Clone, PartialEq)]
pub struct Card {
    /// The part.
    pub at: Rect,
    /// The card.
    pub body: Html,
}

/// The sides of a card, which is moved so that it is in the panel.
const CARD: (f64, f64) = (264.0, 216.0);

/// The margin around the selection when it is shown, in the units of the drawing.
const SURROUNDINGS: f64 = 24.0;

/// Follows the size of an element.
#[hook]
fn use_size(node: &NodeRef) -> (f64, f64) {
    let size = use_state_eq(|| (0.0, 0.0));
    {
        let (node, size) = (node.clone(), size.clone());
        use_effect_with((), move |()| {
            let observed = node.cast::<Element>().map(|element| {
                let target = element.clone();
                let measure = Closure::<dyn FnMut()>::new(move || {
                    let rect = target.get_bounding_client_rect();
                    size.set((rect.width(), rect.height()));
                });
                let observer = ResizeObserver::new(measure.as_ref().unchecked_ref());
                if let Ok(observer) = &observer {
                    observer.observe(&element);
                }
                (observer, measure)
            });
            move || {
                if let Some((Ok(observer), _)) = &observed {
                    observer.disconnect();
                }
            }
        });
    }
    *size
}

/// What is drawn: a little more than what is in view, so that dragging seldom draws anew.
#[hook]
fn use_drawn(seen: Rect, draw: &Callback<Rect, Html>) -> Rc<Html> {
    let window = use_mut_ref(Rect::default);
    let mut last = window.borrow_mut();
    *last = place::window(*last, seen);
    use_memo((*last, draw.clone()), |(window, draw)| draw.emit(*window))
}

/// The place of the drawing, and the one that a person chose; `None` while the drawing places itself.
#[hook]
fn use_place(props: &Props, view: (f64, f64)) -> (UseStateHandle<Option<Place>>, Place) {
    let has_room = |part: &Rect| Place::has_room(view, *part, props.fit);
    let focus = props
        .around
        .map(|part| props.focus.map_or(part, |focus| part.with(focus)))
        .filter(has_room)
        .or(props.focus);
    let moved = use_state_eq(|| None::<Place>);
    let followed = use_mut_ref(|| None::<(Fit, Place)>);
    {
        let moved = moved.clone();
        use_effect_with(props.fit, move |_| moved.set(None));
    }
    {
        // A drawing that was moved keeps its scale; it moves again when its focus changes and is not in view.
        let (moved, focus) = (moved.clone(), props.focus);
        use_effect_with(focus, move |_| {
            if let (Some(place), Some(focus)) = (*moved, focus) {
                moved.set(Some(place.showing(view, focus)));
            }
        });
    }
    let place = moved.unwrap_or_else(|| {
        let last = followed.borrow().filter(|(fit, _)| *fit == props.fit && view.0 > 0.0);
        let first = || Place::automatic(view, props.content, focus, props.fit);
        last.map_or_else(first, |(_, place)| place.following(view, props.content, focus, props.fit))
    });
    {
        // What was found stays in view when the search is closed.
        let moved = moved.clone();
        use_effect_with(props.found, move |found| {
            found.iter().for_each(|found| moved.set(Some(place.showing(view, *found))));
        });
    }
    if moved.is_none() {
        *followed.borrow_mut() = Some((props.fit, place)).filter(|_| view.0 > 0.0);
    }
    (moved, place)
}

/// The place of the map, if it is needed. While a person moves the drawing, perhaps by the map, it stays where it is.
#[hook]
fn use_spot(props: &Props, follows: bool, at: ((f64, f64), Place)) -> Option<minimap::Spot> {
    let last = use_mut_ref(|| None);
    let things = (&*props.marks, &*props.texts);
    if minimap::is_in_view(props.content, at.1.seen(at.0), things) {
        return None;
    }
    let stays = *last.borrow();
    if follows || stays.is_none() {
        *last.borrow_mut() = Some(minimap::spot(props.content, at, things, stays));
    }
    *last.borrow()
}

/// A smaller difference of scales is not seen.
const SAME_SCALE: f64 = 0.01;

/// Does a drawing that the user has not moved get another scale, in the same panel and for the same model? Then it
/// glides there, so that what stays can be followed by eye.
#[hook]
fn use_glide(follows: bool, now: (f64, (f64, f64), Fit)) -> bool {
    let last = use_mut_ref(|| now);
    let before = last.replace(now);
    let same = before.1 == now.1 && before.2 == now.2 && now.1.0 > 0.0;
    follows && same && (before.0 - now.0).abs() >= SAME_SCALE
}

/// The canvas.
#[component]
pub fn Canvas(props: &Props) -> Html {
    let node = use_node_ref();
    let view = use_size(&node);
    let press = use_mut_ref(Press::default);
    let (moved, place) = use_place(props, view);
    let drawn = use_drawn(place.seen(view), &props.draw);
    let glides = use_glide(moved.is_none(), (place.scale, view, props.fit));
    let spot = use_spot(props, moved.is_none(), (view, place));
    let map =
        use_memo((props.content, props.marks.clone()), |(content, marks)| minimap::paths(*content, marks));
    let go: Moved = {
        let moved = moved.clone();
        Callback::from(move |place| moved.set(Some(place)))
    };
    use_wheel(&node, on_wheel(node.clone(), go.clone(), place));
    let (onpointerdown, onpointermove, onpointerup) = dragging(&node, &press, (&go, &props.on_edit), place);
    let onkeydown = on_key(go.clone(), (props.on_edit.clone(), props.find.clone()), place, centre(view));
    let named = use_state_eq(|| None::<Named>);
    {
        // The element with the focus may not exist any more.
        let named = named.clone();
        use_effect_with(props.draw.clone(), move |_| named.set(None));
    }
    let onfocusin = on_focus(&node, go.clone(), (place, view), named.clone());
    let onclick = on_click(&press, &props.on_edit);
    let ondblclick = on_twice(&node, &props.on_edit, place);
    let onfocusout = {
        let named = named.clone();
        Callback::from(move |_: FocusEvent| named.set(None))
    };
    let follow = {
        let moved = moved.clone();
        Callback::from(move |_: MouseEvent| moved.set(None))
    };
    // The size on paper, where it is reduced to the width of the paper.
    let (wide, high) = (decimal(view.0.max(1.0), 0), decimal(view.1.max(1.0), 0));
    let print = if props.whole { Place::fitting(view, props.content) } else { place };
    let (x, y, scale) = (decimal(print.x, 1), decimal(print.y, 1), decimal(print.scale, 5));
    let style =
        format!("--wide:{wide}px;--ratio:{wide}/{high};--printed:translate({x}px,{y}px) scale({scale})");
    let (x, y, scale) = (decimal(place.x, 1), decimal(place.y, 1), decimal(place.scale, 5));
    let transform = format!("translate({x} {y}) scale({scale})");
    html! {
        <>
            { head(&props.about, tools(props, (view, place), moved.is_some().then_some(follow), &go)) }
            <div class="canvas" ref={node} {style} data-phase={props.phase}>
                <svg class="drawing" viewBox={format!("0 0 {wide} {high}")} role="group" aria-label={props.label.clone()} tabindex="0" data-testid={props.name.clone()}
                    {onpointerdown} {onpointermove} onpointercancel={onpointerup.clone()} {onpointerup} {onkeydown} {onclick} {ondblclick} {onfocusin} {onfocusout}>
                    if view.0 > 0.0 {
                        <g class={classes!("placed", glides.then_some("glides"))} {transform}>{ (*drawn).clone() }</g>
                    }
                </svg>
                // Screen readers read it as the name of the element.
                if let Some(named) = &*named { <p class={classes!("named", named.below.then_some("below"))} aria-hidden="true">{ &named.text }</p> }
                { for props.card.iter().map(|card| over(card, (view, place))) }
                { minimap::minimap(props.content, (view, place), (spot, &map), &go) }
            </div>
        </>
    }
}

/// A card below its part of the drawing, or above it.
fn over(card: &Card, (view, place): ((f64, f64), Place)) -> Html {
    let (middle, above) = (place.x + card.at.centre().x * place.scale, place.y + card.at.y * place.scale);
    let below = place.y + card.at.bottom() * place.scale + 8.0;
    let left = between(middle - CARD.0 / 2.0, 4.0, view.0 - CARD.0 - 4.0);
    let top = if below + CARD.1 <= view.1 { below } else { above - CARD.1 - 8.0 };
    let top = between(top, 4.0, view.1 - CARD.1 - 4.0);
    let rest = decimal(view.1 - top - 4.0, 0);
    let style = format!("left:{}px;top:{}px;max-height:{rest}px", decimal(left, 0), decimal(top, 0));
    html! { <div class="over" {style}>{ card.body.clone() }</div> }
}

/// The middle of a panel.
fn centre(view: (f64, f64)) -> (f64, f64) {
    (view.0 / 2.0, view.1 / 2.0)
}

/// The buttons of a drawing; `follow` makes one that was moved follow the step again.
fn tools(
    props: &Props,
    (view, place): ((f64, f64), Place),
    follow: Option<Callback<MouseEvent>>,
    go: &Moved,
) -> Vec<Html> {
    let to = |next: Place| go.reform(move |_: MouseEvent| next);
    let zoomed = |factor: f64| to(place.zoomed(factor, centre(view)));
    let mut tools = vec![props.tools.clone()];
    if let Some(follow) = follow {
        tools.push(html! { <button class="btn" aria-label="Follow the step" title="Follow the step (F)" onclick={follow}>{ icon("follow") }</button> });
    }
    if let Some(selected) = props.selected {
        let show = to(Place::fitting(view, selected.inset(-SURROUNDINGS)));
        tools.push(html! { <button class="btn" aria-label="Show the selection" title="Show the selection" onclick={show} data-testid="show-selection">{ icon("select") }</button> });
    }
    tools.push(html! {
        <>
            <button class="btn" aria-label="Zoom out" title="Zoom out (-)" onclick={zoomed(1.0 / ZOOM_STEP)}>{ icon("minus") }</button>
            <button class="btn" aria-label="Zoom in" title="Zoom in (+)" onclick={zoomed(ZOOM_STEP)}>{ icon("plus") }</button>
            <button class="btn" aria-label="Fit the drawing" title="Show all" onclick={to(Place::fitting(view, props.content))}>{ icon("fit") }</button>
        </>
    });
    tools
}

/// The row above a canvas: what it shows, and its buttons.
pub fn head(about: &Html, tools: Vec<Html>) -> Html {
    html! { <div class="head">{ about.clone() }<div class="tools">{ for tools }</div></div> }
}

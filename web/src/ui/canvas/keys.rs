//! Moving, zooming, going from node to node, and editing by keyboard.

use veristep_core::layout::Point;
use veristep_core::scene::Rect;
use wasm_bindgen::JsCast;
use web_sys::{DomRect, Element};
use yew::prelude::*;

use super::Place;
use super::gesture::{Carried, DragPart, Gesture, KEYED, Moved, OnEdit, ZOOM_STEP, inside, key_of};
use crate::browser;

const PAN_STEP: f64 = 48.0;
/// A key moves a node by this distance.
const NODE_STEP: f64 = 10.0;
/// While a pointer was used last, the arrows step through the run. A drawing has this attribute then.
const POINTED: &str = "data-pointed";

/// A pointer is used in a drawing, or the keyboard again.
pub(super) fn pointed(element: Option<&Element>, pointed: bool) {
    let Some(drawing) = element.and_then(|it| it.closest("svg.drawing").ok().flatten()) else { return };
    let _ = if pointed { drawing.set_attribute(POINTED, "") } else { drawing.remove_attribute(POINTED) };
}

/// Zooms with + and -, moves with the arrows (left and right with Alt: alone they step). From the drawing, Enter leads
/// to its nodes, and arrows from one to the other. Where the drawing can be edited, other keys edit the node or edge
/// that has the focus.
pub(super) fn on_key(
    moved: Moved,
    (on_edit, find): (OnEdit, Callback<()>),
    place: Place,
    centre: (f64, f64),
) -> Callback<KeyboardEvent> {
    Callback::from(move |event: KeyboardEvent| {
        let target = event.target_dyn_into::<Element>();
        let done = || {
            event.prevent_default();
            event.stop_propagation();
        };
        if matches!(event.key().as_str(), "f" | "F") && (event.ctrl_key() || event.meta_key()) {
            done();
            return find.emit(());
        }
        if let Some((on_edit, gesture)) = on_edit.as_ref().zip(by_key(&event)) {
            done();
            pointed(target.as_ref(), false);
            if matches!(gesture, Gesture::Drag { .. } | Gesture::Carry(..)) {
                moved.emit(place);
            }
            return on_edit.emit(gesture);
        }
        if let Some(next) = target.as_ref().and_then(|target| walk(&event, target)) {
            done();
            pointed(Some(&next), false);
            return browser::focus_on(&next);
        }
        let next = match (event.key().as_str(), event.alt_key()) {
            ("+" | "=" | "]", _) => place.zoomed(ZOOM_STEP, centre),
            ("-" | "[", _) => place.zoomed(1.0 / ZOOM_STEP, centre),
            ("ArrowLeft", true) => place.moved(PAN_STEP, 0.0),
            ("ArrowRight", true) => place.moved(-PAN_STEP, 0.0),
            ("ArrowUp", _) => place.moved(0.0, PAN_STEP),
            ("ArrowDown", _) => place.moved(0.0, -PAN_STEP),
            _ => return,
        };
        done();
        // The element with the focus may be no longer in view, and then does not exist.
        let drawing = target.and_then(|it| it.closest("svg.drawing").ok().flatten());
        drawing.iter().for_each(browser::focus_on);
        moved.emit(next);
    })
}

/// The direction of an arrow key.
fn direction(event: &KeyboardEvent) -> Option<(f64, f64)> {
    match event.key().as_str() {
        "ArrowLeft" => Some((-1.0, 0.0)),
        "ArrowRight" => Some((1.0, 0.0)),
        "ArrowUp" => Some((0.0, -1.0)),
        "ArrowDown" => Some((0.0, 1.0)),
        _ => None,
    }
}

/// The element that a key leads to: from the drawing to its nodes, from a node to the next one in a direction, and
/// with Alt along edges.
#[inline(never)]
fn walk(event: &KeyboardEvent, from: &Element) -> Option<Element> {
    let find = |within: &Element, selector: &str| within.query_selector(selector).ok().flatten();
    if event.ctrl_key() || event.meta_key() || event.shift_key() {
        return None;
    }
    if from.matches("svg.drawing").ok()? {
        let first = |selector: &&str| find(from, &format!(".node[tabindex]{selector}"));
        let enters = event.key() == "Enter";
        return [".related", ".is-current", ".is-initial", ""].iter().filter(|_| enters).find_map(first);
    }
    let towards = direction(event)?;
    let drawing =
        from.closest("svg.drawing").ok().flatten().filter(|drawing| !drawing.has_attribute(POINTED))?;
    let from = from.closest(".node, .edge").ok().flatten()?;
    let attribute = |name: &str| from.get_attribute(name).unwrap_or_default();
    let of = |selector: &str, name: &str, value: &str| {
        let value = Some(attribute(value));
        all(&drawing, selector).into_iter().filter(|one| one.get_attribute(name) == value).collect::<Vec<_>>()
    };
    let next = if from.matches(".edge").ok()? {
        match towards {
            (-1.0, _) => of(".node", "data-key", "data-from").pop(),
            (1.0, _) => of(".node", "data-key", "data-to").pop(),
            (_, by) => beside(&of(".edge", "data-from", "data-from"), &from, by > 0.0),
        }
    } else if event.alt_key() {
        let end = if towards.0 + towards.1 > 0.0 { "data-from" } else { "data-to" };
        of(".edge", end, "data-key").into_iter().next()
    } else {
        nearest(&drawing, &from, towards)
    };
    // Without another one the focus stays.
    next.or(Some(from))
}

/// The elements of a drawing that match a selector.
fn all(drawing: &Element, selector: &str) -> Vec<Element> {
    let Ok(found) = drawing.query_selector_all(selector) else { return Vec::new() };
    (0..found.length()).filter_map(|at| found.get(at)?.dyn_into().ok()).collect()
}

/// The one after another one, or before it, from the last one to the first.
fn beside(all: &[Element], from: &Element, after: bool) -> Option<Element> {
    let at = all.iter().position(|one| one == from)?;
    let by = if after { 1 } else { all.len() - 1 };
    all.get((at + by) % all.len()).cloned()
}

fn middle(rect: &DomRect) -> Point {
    Point::new(rect.left() + rect.width() / 2.0, rect.top() + rect.height() / 2.0)
}

/// The nearest node in a direction; a distance across counts twice.
fn nearest(drawing: &Element, from: &Element, (right, down): (f64, f64)) -> Option<Element> {
    let here = middle(&from.get_bounding_client_rect());
    let distance = |one: &Element| {
        let there = middle(&one.get_bounding_client_rect());
        let (x, y) = (there.x - here.x, there.y - here.y);
        let (along, across) = (x * right + y * down, (x * down + y * right).abs());
        (along > 1.0).then_some(along + 2.0 * across)
    };
    let mut best: Option<(f64, Element)> = None;
    for one in all(drawing, ".node[tabindex]") {
        if let Some(found) = distance(&one)
            && best.as_ref().is_none_or(|(least, _)| found < *least)
        {
            best = Some((found, one));
        }
    }
    best.map(|(_, one)| one)
}

/// The gesture that a key stands for, at the node or the edge that has the focus.
pub fn by_key(event: &KeyboardEvent) -> Option<Gesture> {
    let target = event.target_dyn_into::<Element>()?;
    let ctrl = event.ctrl_key() || event.meta_key();
    if is_carried(&target) {
        return by_key_while_carried(event);
    }
    match event.key().as_str() {
        "a" | "A" if ctrl => return Some(Gesture::ChooseAll),
        "d" | "D" if ctrl => return Some(Gesture::Duplicate),
        // Otherwise Escape closes or stops something else.
        "Escape" if target.closest(".edited.several").ok().flatten().is_some() => {
            return Some(Gesture::Choose { key: None, more: false });
        }
        _ => {}
    }
    let key = key_of(&target, KEYED)?;
    if event.repeat() && !event.shift_key() {
        return None;
    }
    let plain = !ctrl && !event.alt_key();
    match event.key().as_str() {
        "F2" => return Some(Gesture::Open { key: Some(key), at: Point::default() }),
        "Delete" | "Backspace" => return Some(Gesture::Delete(key)),
        "Enter" | " " if event.shift_key() => return Some(Gesture::Choose { key: Some(key), more: true }),
        of @ ("+" | "=" | "-") if plain && target.closest(".edited.of-net").ok().flatten().is_some() => {
            return Some(Gesture::Count { key, more: of != "-" });
        }
        "c" | "C" if plain => return Some(Gesture::Connect(key)),
        "m" | "M" if plain => return Some(Gesture::Carry(Carried::Begin(key))),
        _ => {}
    }
    let towards = direction(event)?;
    match (event.alt_key(), event.shift_key(), ctrl) {
        (true, true, false) => {
            let by = (towards.0 * NODE_STEP, towards.1 * NODE_STEP);
            Some(Gesture::Drag { key, by, part: DragPart::Key })
        }
        (false, false, true) => Some(Gesture::Append(key, towards)),
        _ => None,
    }
}

/// Is a node moved by keys in the drawing of this element?
pub fn is_carried(element: &Element) -> bool {
    element.closest(".edited.carrying").ok().flatten().is_some()
}

/// Arrows move what is carried, with Shift by one pixel; Escape puts it back.
fn by_key_while_carried(event: &KeyboardEvent) -> Option<Gesture> {
    if let Some((right, down)) = direction(event) {
        let step = if event.shift_key() { 1.0 } else { NODE_STEP };
        return Some(Gesture::Carry(Carried::By(right * step, down * step)));
    }
    match event.key().as_str() {
        _ if event.repeat() => None,
        "Escape" => Some(Gesture::Carry(Carried::Back)),
        "Enter" | " " | "m" | "M" => Some(Gesture::Carry(Carried::Put)),
        _ => None,
    }
}

/// All of what is shortened in the element that has the focus.
#[derive(Clone, PartialEq)]
pub(super) struct Named {
    /// The text.
    pub(super) text: AttrValue,
    /// It is shown at the bottom, since the element is in the upper half.
    pub(super) below: bool,
}

/// An element that gets the focus by the keyboard is brought into view, and named in full.
pub(super) fn on_focus(
    node: &NodeRef,
    moved: Moved,
    (place, view): (Place, (f64, f64)),
    named: UseStateHandle<Option<Named>>,
) -> Callback<FocusEvent> {
    let node = node.clone();
    Callback::from(move |event: FocusEvent| {
        let Some(element) = event.target_dyn_into::<Element>() else { return };
        if !element.matches(".node:focus-visible, .edge:focus-visible").unwrap_or(false) {
            return;
        }
        let title = element.query_selector("title").ok().flatten().and_then(|title| title.text_content());
        let rect = element.get_bounding_client_rect();
        let (left, top) = inside(&node, 0, 0);
        let to = |at: f64, by: f64| (at - by) / place.scale;
        let part = Rect {
            x: to(rect.left() + left, place.x),
            y: to(rect.top() + top, place.y),
            width: rect.width() / place.scale,
            height: rect.height() / place.scale,
        };
        let next = place.showing(view, part);
        let below = (next.y + part.centre().y * next.scale) * 2.0 < view.1;
        named.set(title.map(|text| Named { text: text.into(), below }));
        if next != place {
            moved.emit(next);
        }
    })
}

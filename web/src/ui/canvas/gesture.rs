//! Moving, zooming and editing by pointer and wheel.

use std::cell::RefCell;
use std::rc::Rc;

use veristep_core::layout::Point;
use veristep_core::scene::Rect;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{AddEventListenerOptions, Element, WheelEvent};
use yew::prelude::*;

use super::Place;
use super::keys::pointed;
use crate::browser;

/// One step of zooming.
pub(super) const ZOOM_STEP: f64 = 1.25;
/// Nodes that can be moved: not those between the statements of an edge.
const MOVABLE: &str = ".node[data-key]:not(.is-between)";
/// A press becomes a drag after this many pixels.
const DRAG_FROM: f64 = 4.0;
/// The pixels of a line and of a page of a wheel.
const WHEEL_LINE: f64 = 16.0;
const WHEEL_PAGE: f64 = 240.0;

/// What a person does to a drawing that can be edited. Nodes and edges are given by their keys.
#[derive(Clone, PartialEq, Debug)]
pub enum Gesture {
    /// A node is dragged, or moved by a key.
    Drag {
        /// The node.
        key: String,
        /// How far from where it was at the beginning, in the units of the drawing.
        by: (f64, f64),
        /// The part of the gesture.
        part: DragPart,
    },
    /// A line is drawn from the handle of a node.
    Link {
        /// The node.
        from: String,
        /// The end of the line.
        at: Point,
        /// The node there.
        to: Option<String>,
        /// The part of the gesture.
        part: DragPart,
    },
    /// An end of an edge is drawn to another node.
    Reconnect {
        /// The edge.
        edge: String,
        /// Which end.
        end: End,
        /// The end of the line.
        at: Point,
        /// The node there.
        to: Option<String>,
        /// The part of the gesture.
        part: DragPart,
    },
    /// A double click or F2: edits an element, or adds a node.
    Open {
        /// The node or edge.
        key: Option<String>,
        /// The place.
        at: Point,
    },
    /// A node or an edge is to be removed.
    Delete(String),
    /// An edge from a node is wanted.
    Connect(String),
    /// A new node after a node, in a direction.
    Append(String, (f64, f64)),
    /// A token more or less in a place of a net.
    Count {
        /// The place.
        key: String,
        /// More.
        more: bool,
    },
    /// Moving by keys.
    Carry(Carried),
    /// A click, or its key: chooses a node, or takes it out of several; without a node, none is chosen.
    Choose {
        /// The node.
        key: Option<String>,
        /// The others stay chosen.
        more: bool,
    },
    /// A frame is drawn around nodes, which are chosen then.
    Marquee {
        /// The frame.
        frame: Rect,
        /// The part of the gesture.
        part: DragPart,
    },
    /// All nodes are chosen.
    ChooseAll,
    /// The chosen nodes are wanted twice.
    Duplicate,
}

/// An end of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Where it starts.
    Source,
    /// Where it ends.
    Target,
}

/// The parts of moving by keys.
#[derive(Clone, PartialEq, Debug)]
pub enum Carried {
    /// A node can be moved from now on.
    Begin(String),
    /// It moves on, in the units of the drawing.
    By(f64, f64),
    /// It stays there.
    Put,
    /// It goes back to where it was.
    Back,
}

/// Elements that gestures are about: what has a key, in a drawing or in its list.
pub const KEYED: &str = "[data-key]:not(.is-between)";
/// The handle of a node, from which edges are drawn.
const HANDLE: &str = ".handle";
/// The ends of a selected edge.
const SOURCE_GRIP: &str = ".grip.of-source";
const TARGET_GRIP: &str = ".grip.of-target";

/// The parts of dragging.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DragPart {
    /// The first move.
    First,
    /// Another move.
    Next,
    /// It stays there.
    Drop,
    /// It does not move after all.
    GiveUp,
    /// All at once, by a key.
    Key,
}

/// Pointers that are down, by their number: where, and the place of the drawing when the last one came or went.
#[derive(Default)]
pub(super) struct Press {
    pointers: Vec<(i32, (f64, f64))>,
    from: Option<(Place, (f64, f64), f64)>,
    dragging: bool,
    /// The node under the pointer, if nodes can be dragged.
    holding: Option<String>,
    /// The pointer is at its handle.
    linking: bool,
    /// The pointer is at this end of an edge, which it holds.
    gripping: Option<End>,
    /// The pointer draws a frame around nodes.
    framing: bool,
    /// Since it is down, the pointer was moved: no click.
    moved: bool,
}

/// The middle of some points, and their distance from it.
fn middle(pointers: &[(i32, (f64, f64))]) -> ((f64, f64), f64) {
    let n = pointers.len().max(1) as f64;
    let (x, y) = pointers.iter().fold((0.0, 0.0), |(x, y), (_, p)| (x + p.0 / n, y + p.1 / n));
    let spread = pointers.iter().map(|(_, p)| (p.0 - x).hypot(p.1 - y)).sum::<f64>() / n;
    ((x, y), spread)
}

impl Press {
    fn restart(&mut self, place: Place) {
        let (at, spread) = middle(&self.pointers);
        self.from = Some((place, at, spread));
    }

    fn down(&mut self, id: i32, at: (f64, f64), place: Place) {
        self.pointers.retain(|(known, _)| *known != id);
        self.pointers.push((id, at));
        self.restart(place);
    }

    fn up(&mut self, id: i32, place: Place) {
        self.pointers.retain(|(known, _)| *known != id);
        self.restart(place);
        if self.pointers.is_empty() {
            self.dragging = false;
        }
    }

    /// What the pointer does to the node that it holds.
    fn drag(&self, part: DragPart, event: &PointerEvent) -> Option<Gesture> {
        if !self.dragging {
            return None;
        }
        let ((place, start, _), (now, _)) = (self.from?, middle(&self.pointers));
        if self.framing {
            let (from, to) = (place.inverse(start), place.inverse(now));
            let frame = Rect {
                x: from.x.min(to.x),
                y: from.y.min(to.y),
                width: (to.x - from.x).abs(),
                height: (to.y - from.y).abs(),
            };
            return Some(Gesture::Marquee { frame, part });
        }
        let key = self.holding.clone()?;
        if self.linking || self.gripping.is_some() {
            let (to, part) = self.end(part, event);
            let at = place.inverse(now);
            return Some(match self.gripping {
                Some(end) => Gesture::Reconnect { edge: key, end, at, to, part },
                None => Gesture::Link { from: key, at, to, part },
            });
        }
        let by = ((now.0 - start.0) / place.scale, (now.1 - start.1) / place.scale);
        Some(Gesture::Drag { key, by, part })
    }

    /// The node at the end of a line. A line that ends outside of the drawing is given up.
    fn end(&self, part: DragPart, event: &PointerEvent) -> (Option<String>, DragPart) {
        let under = browser::document().element_from_point(event.client_x() as f32, event.client_y() as f32);
        let drawing = |element: &Element| element.closest("svg.drawing").ok().flatten();
        let own = event.target_dyn_into::<Element>().as_ref().and_then(drawing);
        let under = under.filter(|element| own.is_some() && drawing(element) == own);
        let part = if under.is_none() && part == DragPart::Drop { DragPart::GiveUp } else { part };
        (under.and_then(|element| key_of(&element, MOVABLE)), part)
    }

    /// The new place, if the pointers drag or pinch the drawing. Coordinates are those of the panel.
    fn along(&mut self, id: i32, at: (f64, f64)) -> Option<Place> {
        self.pointers.iter_mut().find(|(known, _)| *known == id)?.1 = at;
        let (place, start, spread) = self.from?;
        let (now, wide) = middle(&self.pointers);
        let by = (now.0 - start.0, now.1 - start.1);
        self.dragging |= self.pointers.len() > 1 || by.0.hypot(by.1) >= DRAG_FROM;
        self.moved |= self.dragging;
        let factor = if self.pointers.len() > 1 && spread > 1.0 { wide / spread } else { 1.0 };
        if self.holding.is_some() || self.framing {
            // The drawing stays where it is while a node is dragged.
            return self.dragging.then_some(place);
        }
        self.dragging.then(|| place.zoomed(factor, start).moved(by.0, by.1))
    }
}

type Pointer = Callback<PointerEvent>;
pub(super) type Moved = Callback<Place>;

/// A point of a pointer or a wheel in the panel.
pub(super) fn inside(node: &NodeRef, x: i32, y: i32) -> (f64, f64) {
    let rect = node.cast::<Element>().map(|e| e.get_bounding_client_rect());
    let corner = rect.map_or((0.0, 0.0), |r| (r.left(), r.top()));
    (f64::from(x) - corner.0, f64::from(y) - corner.1)
}

/// The handlers for pointer down, move and up.
pub(super) fn dragging(
    node: &NodeRef,
    press: &Rc<RefCell<Press>>,
    (moved, on_edit): (&Moved, &OnEdit),
    place: Place,
) -> (Pointer, Pointer, Pointer) {
    let point = {
        let node = node.clone();
        move |event: &PointerEvent| inside(&node, event.client_x(), event.client_y())
    };
    let down = {
        let (press, point, on_edit) = (press.clone(), point.clone(), on_edit.clone());
        Callback::from(move |event: PointerEvent| {
            if event.button() == 0 {
                let mut press = press.borrow_mut();
                press.down(event.pointer_id(), point(&event), place);
                let target = event.target_dyn_into::<Element>();
                pointed(target.as_ref(), true);
                if press.pointers.len() > 1 {
                    emit(&on_edit, press.drag(DragPart::GiveUp, &event));
                }
                let first = press.pointers.len() == 1;
                press.moved &= !first;
                let target = target.filter(|_| first && on_edit.is_some());
                let is =
                    |selector: &str| target.as_ref().is_some_and(|it| it.matches(selector).unwrap_or(false));
                press.linking = is(HANDLE);
                // A finger moves the drawing instead, but for handles.
                let grips = [(SOURCE_GRIP, End::Source), (TARGET_GRIP, End::Target)];
                press.gripping = grips.into_iter().find(|(grip, _)| is(grip)).map(|(_, end)| end);
                let holds = press.linking || press.gripping.is_some() || event.pointer_type() != "touch";
                let held = if press.gripping.is_some() { KEYED } else { MOVABLE };
                press.holding = target.as_ref().filter(|_| holds).and_then(|it| key_of(it, held));
                let chooses = |it: &Element| is_more(&event) && key_of(it, KEYED).is_none();
                press.framing = press.holding.is_none() && target.as_ref().is_some_and(chooses);
            }
        })
    };
    let along = {
        let (press, moved, node, on_edit) = (press.clone(), moved.clone(), node.clone(), on_edit.clone());
        Callback::from(move |event: PointerEvent| {
            if event.buttons() == 0 {
                // The release was not heard.
                emit(&on_edit, press.borrow().drag(DragPart::GiveUp, &event));
                return press.borrow_mut().up(event.pointer_id(), place);
            }
            let part = if press.borrow().dragging { DragPart::Next } else { DragPart::First };
            let next = press.borrow_mut().along(event.pointer_id(), point(&event));
            if let Some(next) = next {
                // Yew listens at the root of the page, and events of a captured pointer go to the element that
                // captured it: this must be the drawing, which has the handlers.
                let drawing =
                    node.cast::<Element>().and_then(|e| e.query_selector("svg.drawing").ok().flatten());
                if let Some(drawing) = drawing {
                    let _ = drawing.set_pointer_capture(event.pointer_id());
                }
                moved.emit(next);
                emit(&on_edit, press.borrow().drag(part, &event));
            }
        })
    };
    let (press, on_edit) = (press.clone(), on_edit.clone());
    let up = Callback::from(move |event: PointerEvent| {
        let part = if event.type_() == "pointercancel" { DragPart::GiveUp } else { DragPart::Drop };
        let drag = press.borrow().drag(part, &event);
        press.borrow_mut().up(event.pointer_id(), place);
        emit(&on_edit, drag);
    });
    (down, along, up)
}

/// The callback for gestures, where the drawing can be edited.
pub type OnEdit = Option<Callback<Gesture>>;

fn emit(on_edit: &OnEdit, gesture: Option<Gesture>) {
    on_edit.iter().zip(gesture).for_each(|(heard, gesture)| heard.emit(gesture));
}

/// Does a click or a drag add to what is chosen: with Shift, or while several are being chosen?
pub fn is_more(event: &MouseEvent) -> bool {
    let element = event.target_dyn_into::<Element>();
    event.shift_key() || element.is_some_and(|it| it.closest(".edited.choosing").ok().flatten().is_some())
}

/// The key of the element around another one.
pub fn key_of(element: &Element, selector: &str) -> Option<String> {
    element.closest(selector).ok().flatten()?.get_attribute("data-key")
}

/// A click, which is none if the pointer was moved.
pub(super) fn on_click(press: &Rc<RefCell<Press>>, on_edit: &OnEdit) -> Option<Callback<MouseEvent>> {
    let (press, on_edit) = (press.clone(), on_edit.clone()?);
    Some(Callback::from(move |event: MouseEvent| {
        let Some(element) = event.target_dyn_into::<Element>().filter(|_| !press.borrow().moved) else {
            return;
        };
        let key = key_of(&element, MOVABLE);
        on_edit.emit(match key {
            // From a handle to another node by two clicks.
            Some(key) if element.matches(HANDLE).unwrap_or(false) => Gesture::Connect(key),
            key => Gesture::Choose { key, more: is_more(&event) },
        });
    }))
}

/// A double click.
pub(super) fn on_twice(node: &NodeRef, on_edit: &OnEdit, place: Place) -> Option<Callback<MouseEvent>> {
    let (node, on_edit) = (node.clone(), on_edit.clone()?);
    Some(Callback::from(move |event: MouseEvent| {
        let Some(element) = event.target_dyn_into::<Element>() else { return };
        let at = place.inverse(inside(&node, event.client_x(), event.client_y()));
        if element.closest(".is-between").ok().flatten().is_none() {
            on_edit.emit(Gesture::Open { key: key_of(&element, KEYED), at });
        }
    }))
}

/// The wheel zooms at the pointer; with Shift it moves the drawing.
pub(super) fn on_wheel(node: NodeRef, moved: Moved, place: Place) -> Callback<WheelEvent> {
    Callback::from(move |event: WheelEvent| {
        // A card over the drawing scrolls.
        let element = event.target_dyn_into::<Element>();
        if element.is_some_and(|it| it.closest(".over").ok().flatten().is_some()) {
            return;
        }
        event.prevent_default();
        let unit = match event.delta_mode() {
            WheelEvent::DOM_DELTA_LINE => WHEEL_LINE,
            WheelEvent::DOM_DELTA_PAGE => WHEEL_PAGE,
            _ => 1.0,
        };
        let (x, y) = (event.delta_x() * unit, event.delta_y() * unit);
        moved.emit(if event.shift_key() {
            if x == 0.0 { place.moved(-y, 0.0) } else { place.moved(-x, -y) }
        } else {
            place.zoomed((-y / 300.0).exp(), inside(&node, event.client_x(), event.client_y()))
        });
    })
}

/// Calls back for wheel events, before the browser scrolls or zooms.
#[hook]
pub(super) fn use_wheel(node: &NodeRef, heard: Callback<WheelEvent>) {
    let node = node.clone();
    use_effect(move || {
        let element = node.cast::<Element>();
        let listen = Closure::<dyn Fn(WheelEvent)>::new(move |event: WheelEvent| heard.emit(event));
        let options = AddEventListenerOptions::new();
        options.set_passive(false);
        if let Some(element) = &element {
            let _ = element.add_event_listener_with_callback_and_add_event_listener_options(
                "wheel",
                listen.as_ref().unchecked_ref(),
                &options,
            );
        }
        move || {
            if let Some(element) = &element {
                let _ = element.remove_event_listener_with_callback("wheel", listen.as_ref().unchecked_ref());
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Place = Place { x: 0.0, y: 0.0, scale: 1.0 };

    #[test]
    fn a_drag_follows_the_pointer_and_a_press_does_not_move_anything() {
        let mut press = Press::default();
        press.down(1, (10.0, 10.0), HERE);
        assert_eq!(press.along(1, (12.0, 11.0)), None);
        assert_eq!(press.along(1, (110.0, 10.0)), Some(Place { x: 100.0, ..HERE }));
        press.up(1, HERE);
        assert_eq!(press.along(1, (200.0, 10.0)), None);
    }

    #[test]
    fn two_fingers_zoom_around_their_middle() {
        let mut press = Press::default();
        press.down(1, (100.0, 100.0), HERE);
        press.down(2, (200.0, 100.0), HERE);
        press.along(1, (50.0, 100.0));
        let place = press.along(2, (250.0, 100.0)).expect("a pinch");
        assert!((place.scale - 2.0).abs() < 1e-9 && (place.x - -150.0).abs() < 1e-9);
    }
}

//! A drawing that can be panned and zoomed, and otherwise keeps its focus in view.
//!
//! Until the user moves it, the position of a drawing is a function of its size and its focus only, so the
//! same step always gives the same picture.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{AddEventListenerOptions, Element, ResizeObserver, WheelEvent};
use yew::prelude::*;

use crate::layout::between;
use crate::text::decimal;
use crate::ui::icon::icon;

/// A rectangle of the drawing.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Rect {
    /// Left.
    pub x: f64,
    /// Top.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Rect {
    /// Whether two rectangles share a point.
    #[must_use]
    pub fn meets(&self, other: &Rect) -> bool {
        self.x <= other.x + other.width
            && other.x <= self.x + self.width
            && self.y <= other.y + other.height
            && other.y <= self.y + self.height
    }

    /// The smallest rectangle around both.
    #[must_use]
    pub fn with(self, other: Rect) -> Rect {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let right = (self.x + self.width).max(other.x + other.width);
        let bottom = (self.y + self.height).max(other.y + other.height);
        Rect { x, y, width: right - x, height: bottom - y }
    }
}

/// The position of a drawing: translation, then scale.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    x: f64,
    y: f64,
    scale: f64,
}

/// The default smallest scale of fitting; larger drawings follow their focus.
const SMALLEST_AUTO: f64 = 0.72;
const LARGEST_AUTO: f64 = 1.15;
const SMALLEST: f64 = 0.05;
const LARGEST: f64 = 4.0;
const ZOOM_STEP: f64 = 1.25;
const PAN_STEP: f64 = 48.0;
/// A press becomes a drag after this many pixels.
const DRAG_FROM: f64 = 4.0;

/// The position that shows the whole content, or as much around the focus as is legible.
#[must_use]
pub fn automatic(view: (f64, f64), content: Rect, focus: Option<Rect>, smallest: f64) -> Place {
    let whole = (view.0 / content.width.max(1.0)).min(view.1 / content.height.max(1.0));
    let scale = between(whole, smallest, LARGEST_AUTO);
    let along = |view: f64, start: f64, length: f64, focus: f64| {
        let drawn = length * scale;
        if drawn <= view {
            return (view - drawn) / 2.0 - start * scale;
        }
        let centred = view / 2.0 - focus * scale;
        between(centred, view - drawn - start * scale, -start * scale)
    };
    let focus = focus.unwrap_or(Rect { width: content.width, height: 0.0, ..content });
    Place {
        x: along(view.0, content.x, content.width, focus.x + focus.width / 2.0),
        y: along(view.1, content.y, content.height, focus.y + focus.height / 2.0),
        scale,
    }
}

fn zoomed(place: Place, factor: f64, at: (f64, f64)) -> Place {
    let scale = between(place.scale * factor, SMALLEST, LARGEST);
    let ratio = scale / place.scale;
    Place { x: at.0 - (at.0 - place.x) * ratio, y: at.1 - (at.1 - place.y) * ratio, scale }
}

/// The props.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What it is, for screen readers.
    pub label: AttrValue,
    /// A name for tests.
    pub name: &'static str,
    /// The extent of the content.
    pub content: Rect,
    /// The part to keep in view.
    #[prop_or_default]
    pub focus: Option<Rect>,
    /// The smallest scale of fitting.
    #[prop_or(SMALLEST_AUTO)]
    pub smallest: f64,
    /// Draws the part of the content that can be seen.
    pub draw: Callback<Rect, Html>,
    /// More buttons.
    #[prop_or_default]
    pub tools: Html,
    /// The phase whose colour marks the current elements.
    #[prop_or_default]
    pub phase: Option<&'static str>,
    /// Fits whenever this changes.
    #[prop_or_default]
    pub fit: u32,
}

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

/// Calls back for wheel events, before the browser scrolls or zooms.
#[hook]
fn use_wheel(node: &NodeRef, heard: Callback<WheelEvent>) {
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

/// The wheel moves the drawing; with Ctrl, or pinching, it zooms.
fn on_wheel(node: NodeRef, moved: UseStateHandle<Option<Place>>, place: Place) -> Callback<WheelEvent> {
    Callback::from(move |event: WheelEvent| {
        event.prevent_default();
        let next = if event.ctrl_key() || event.meta_key() {
            let rect = node.cast::<Element>().map(|e| e.get_bounding_client_rect());
            let corner = rect.map_or((0.0, 0.0), |r| (r.left(), r.top()));
            let at = (f64::from(event.client_x()) - corner.0, f64::from(event.client_y()) - corner.1);
            zoomed(place, (-event.delta_y() / 200.0).exp(), at)
        } else {
            Place { x: place.x - event.delta_x(), y: place.y - event.delta_y(), ..place }
        };
        moved.set(Some(next));
    })
}

/// A press: where, the place then, and whether it became a drag.
type Press = Rc<RefCell<Option<(f64, f64, Place, bool)>>>;

type Pointer = Callback<PointerEvent>;

/// The handlers for pointer down, move and up.
fn dragging(
    drag: &Press,
    moved: &UseStateHandle<Option<Place>>,
    place: Place,
) -> (Pointer, Pointer, Pointer) {
    let press = drag.clone();
    let down = Callback::from(move |event: PointerEvent| {
        *press.borrow_mut() = Some((f64::from(event.client_x()), f64::from(event.client_y()), place, false));
    });
    let (press, moved) = (drag.clone(), moved.clone());
    let along = Callback::from(move |event: PointerEvent| {
        let mut press = press.borrow_mut();
        let Some((x, y, from, dragging)) = press.as_mut() else { return };
        if event.buttons() == 0 {
            *press = None;
            return;
        }
        let by = (f64::from(event.client_x()) - *x, f64::from(event.client_y()) - *y);
        if !*dragging && by.0.hypot(by.1) >= DRAG_FROM {
            *dragging = true;
            if let Some(element) = event.current_target().and_then(|t| t.dyn_into::<Element>().ok()) {
                let _ = element.set_pointer_capture(event.pointer_id());
            }
        }
        if *dragging {
            moved.set(Some(Place { x: from.x + by.0, y: from.y + by.1, ..*from }));
        }
    });
    let press = drag.clone();
    let up = Callback::from(move |_: PointerEvent| *press.borrow_mut() = None);
    (down, along, up)
}

/// Zooms with + and -, moves with the arrows (left and right with Alt: alone they step).
fn on_key(moved: UseStateHandle<Option<Place>>, place: Place, centre: (f64, f64)) -> Callback<KeyboardEvent> {
    Callback::from(move |event: KeyboardEvent| {
        let pan = |x: f64, y: f64| Place { x: place.x + x, y: place.y + y, ..place };
        let next = match (event.key().as_str(), event.alt_key()) {
            ("+" | "=" | "]", _) => zoomed(place, ZOOM_STEP, centre),
            ("-" | "[", _) => zoomed(place, 1.0 / ZOOM_STEP, centre),
            ("ArrowLeft", true) => pan(PAN_STEP, 0.0),
            ("ArrowRight", true) => pan(-PAN_STEP, 0.0),
            ("ArrowUp", _) => pan(0.0, PAN_STEP),
            ("ArrowDown", _) => pan(0.0, -PAN_STEP),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        moved.set(Some(next));
    })
}

/// A drawing.
#[component]
pub fn Drawing(props: &Props) -> Html {
    let node = use_node_ref();
    let view = use_size(&node);
    // `None` while the drawing places itself.
    let moved = use_state_eq(|| None::<Place>);
    let drag = use_mut_ref(|| None::<(f64, f64, Place, bool)>);
    {
        let moved = moved.clone();
        use_effect_with(props.fit, move |_| moved.set(None));
    }
    let place = moved.unwrap_or_else(|| automatic(view, props.content, props.focus, props.smallest));
    use_wheel(&node, on_wheel(node.clone(), moved.clone(), place));
    let (onpointerdown, onpointermove, onpointerup) = dragging(&drag, &moved, place);
    let centre = (view.0 / 2.0, view.1 / 2.0);
    let onkeydown = on_key(moved.clone(), place, centre);
    let set = |next: Option<Place>| {
        let moved = moved.clone();
        Callback::from(move |_: MouseEvent| moved.set(next))
    };
    let seen = Rect {
        x: -place.x / place.scale,
        y: -place.y / place.scale,
        width: view.0 / place.scale,
        height: view.1 / place.scale,
    };
    let transform = format!(
        "translate({} {}) scale({})",
        decimal(place.x, 1),
        decimal(place.y, 1),
        decimal(place.scale, 3)
    );
    html! {
        <div class="canvas" ref={node} data-phase={props.phase}>
            <svg class="drawing" role="group" aria-label={props.label.clone()} tabindex="0" data-testid={props.name}
                {onpointerdown} {onpointermove} {onpointerup} {onkeydown}>
                <defs>
                    <pattern id={format!("hatch-{}", props.name)} width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                        <path d="M0 0V7" />
                    </pattern>
                </defs>
                if view.0 > 0.0 {
                    <g {transform}>{ props.draw.emit(seen) }</g>
                }
            </svg>
            <div class="tools">
                { props.tools.clone() }
                <button class="btn" aria-label="Zoom out" onclick={set(Some(zoomed(place, 1.0 / ZOOM_STEP, centre)))}>{ icon("minus") }</button>
                <button class="btn" aria-label="Zoom in" onclick={set(Some(zoomed(place, ZOOM_STEP, centre)))}>{ icon("plus") }</button>
                <button class="btn" aria-label="Fit the drawing" title="Fit (F)" onclick={set(None)}>{ icon("fit") }</button>
            </div>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(width: f64, height: f64) -> Rect {
        Rect { width, height, ..Rect::default() }
    }

    #[test]
    fn small_drawings_are_centred_and_large_ones_follow_the_focus() {
        let small = automatic((400.0, 300.0), content(100.0, 100.0), None, SMALLEST_AUTO);
        assert!((small.x - (400.0 - 115.0) / 2.0).abs() < 0.01 && small.scale <= LARGEST_AUTO);
        let focus = Rect { x: 4000.0, y: 0.0, width: 100.0, height: 40.0 };
        let large = automatic((400.0, 300.0), content(8000.0, 200.0), Some(focus), SMALLEST_AUTO);
        let middle = large.x + 4050.0 * large.scale;
        assert!((middle - 200.0).abs() < 0.01);
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let place = Place { x: 10.0, y: 20.0, scale: 1.0 };
        let next = zoomed(place, 2.0, (110.0, 120.0));
        assert!((next.x - -90.0).abs() < 1e-9 && (next.y - -80.0).abs() < 1e-9);
    }
}

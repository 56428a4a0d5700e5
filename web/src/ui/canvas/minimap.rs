//! A small map of a drawing that is larger than its panel.

use veristep_core::scene::Rect;
use web_sys::Element;
use yew::prelude::*;

use super::{Moved, Place};
use crate::text::decimal;

/// The largest sides of the map.
const WIDTH: f64 = 132.0;
const HEIGHT: f64 = 92.0;
/// Between the map and the border of the panel.
const BORDER: f64 = 8.0;
/// A part of the drawing on each side, mostly its margin, that may be out of view without a map.
const CUT: f64 = 0.06;

/// The scale of a map.
fn scale(content: Rect) -> f64 {
    (WIDTH / content.width.max(1.0)).min(HEIGHT / content.height.max(1.0))
}

/// A rectangle of the drawing on the map: its corner and its sides.
fn part(content: Rect, scale: f64, rect: Rect) -> (String, String, String, String) {
    let (x, y) = ((rect.x - content.x) * scale, (rect.y - content.y) * scale);
    let side = |length: f64| decimal((length * scale).max(1.5), 1);
    (decimal(x, 1), decimal(y, 1), side(rect.width), side(rect.height))
}

/// The other nodes and those of the step, each as one path: elements take longer to draw than their rectangles.
pub(super) fn paths(content: Rect, marks: &[(Rect, bool)]) -> [AttrValue; 2] {
    let scale = scale(content);
    [false, true].map(|kind| {
        let of_kind = marks.iter().filter(|(_, now)| *now == kind);
        let rects = of_kind.map(|(rect, _)| {
            let (x, y, width, height) = part(content, scale, *rect);
            format!("M{x} {y}h{width}v{height}h-{width}z")
        });
        rects.collect::<String>().into()
    })
}

/// The map; pressing it moves the drawing there.
pub(super) fn minimap(
    content: Rect,
    (view, place): ((f64, f64), Place),
    (corner, paths): (Option<&'static str>, &[AttrValue; 2]),
    moved: &Moved,
) -> Html {
    let seen = place.seen(view);
    let cut = content.inset(CUT * content.width.max(content.height));
    if seen.contains(&cut) || view.0 < 2.2 * WIDTH || view.1 < 2.2 * HEIGHT {
        return Html::default();
    }
    let scale = scale(content);
    let go = {
        let moved = moved.clone();
        Callback::from(move |event: PointerEvent| {
            event.stop_propagation();
            if event.buttons() == 0 {
                return;
            }
            let Some(rect) = event.target_dyn_into::<Element>().and_then(|e| e.closest("svg").ok().flatten())
            else {
                return;
            };
            let corner = rect.get_bounding_client_rect();
            let at =
                (f64::from(event.client_x()) - corner.left(), f64::from(event.client_y()) - corner.top());
            moved.emit(place.centred(view, (content.x + at.0 / scale, content.y + at.1 / scale)));
        })
    };
    let (x, y, width, height) = part(content, scale, seen);
    let size = (content.width * scale, content.height * scale);
    let (w, h) = (decimal(size.0, 0), decimal(size.1, 0));
    html! {
        <svg class={classes!("minimap", corner)} width={w} height={h} aria-hidden="true" data-testid="minimap" onpointerdown={go.clone()} onpointermove={go}>
            <path d={paths[0].clone()} />
            <path class="now" d={paths[1].clone()} />
            <rect class="seen" {x} {y} {width} {height} />
        </svg>
    }
}

/// The class of the corner of the panel in which the map covers no node, if there is one; otherwise at the lower left.
pub(super) fn corner(
    content: Rect,
    (view, place): ((f64, f64), Place),
    marks: &[(Rect, bool)],
) -> Option<&'static str> {
    let (width, height) = (content.width * scale(content), content.height * scale(content));
    let (right, bottom) = (view.0 - width - BORDER, view.1 - height - BORDER);
    let corners = [(None, BORDER, bottom), (Some("top"), BORDER, BORDER), (Some("top right"), right, BORDER)];
    let free = |(_, x, y): &(_, f64, f64)| {
        let map = Rect { x: *x, y: *y, width, height };
        let on_panel = |rect: &Rect| Rect {
            x: place.x + rect.x * place.scale,
            y: place.y + rect.y * place.scale,
            width: rect.width * place.scale,
            height: rect.height * place.scale,
        };
        !marks.iter().any(|(rect, _)| on_panel(rect).meets(&map))
    };
    corners.into_iter().find(free).and_then(|(corner, _, _)| corner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_is_in_a_corner_without_nodes() {
        let place = Place { x: 0.0, y: 0.0, scale: 1.0 };
        let at = |x, y| (Rect { x, y, width: 40.0, height: 40.0 }, false);
        let content = Rect { x: 0.0, y: 0.0, width: 2.0 * WIDTH, height: 2.0 * HEIGHT };
        let corner = |marks: &[(Rect, bool)]| corner(content, ((600.0, 400.0), place), marks);
        let (lower, upper, right) = (at(20.0, 340.0), at(20.0, 20.0), at(540.0, 20.0));
        assert_eq!(corner(&[upper, right]), None);
        assert_eq!(corner(&[lower, right]), Some("top"));
        assert_eq!(corner(&[lower, upper]), Some("top right"));
        assert_eq!(corner(&[lower, upper, right]), None);
    }
}

//! A small map of a drawing that is larger than its panel.

use veristep_core::layout::Size;
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

/// The least side of the map: that of a long path has free space beside it.
const NARROWEST: f64 = 28.0;

/// The scale of a map.
fn scale(content: Rect) -> f64 {
    (WIDTH / content.width.max(1.0)).min(HEIGHT / content.height.max(1.0))
}

/// The part of the drawing that is on the map: all of it.
fn mapped(content: Rect) -> Rect {
    let least = NARROWEST / scale(content);
    Rect::around(content.centre(), Size::new(content.width.max(least), content.height.max(least)))
}

/// A rectangle of the drawing on the map: its corner and its sides.
fn part(content: Rect, scale: f64, rect: Rect) -> (String, String, String, String) {
    let (x, y) = ((rect.x - content.x) * scale, (rect.y - content.y) * scale);
    let side = |length: f64| decimal((length * scale).max(1.5), 1);
    (decimal(x, 1), decimal(y, 1), side(rect.width), side(rect.height))
}

/// The other nodes and those of the step, each as one path: elements take longer to draw than their rectangles.
pub(super) fn paths(content: Rect, marks: &[(Rect, bool)]) -> [AttrValue; 2] {
    let (content, scale) = (mapped(content), scale(content));
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
    let (content, scale) = (mapped(content), scale(content));
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

/// The class of the corner of the panel in which the map covers least: at best nothing, and rather texts and other
/// nodes than those of the step. It stays in its last corner if no other one is better.
pub(super) fn corner(
    content: Rect,
    (view, place): ((f64, f64), Place),
    (marks, texts): (&[(Rect, bool)], &[Rect]),
    last: Option<&'static str>,
) -> Option<&'static str> {
    let mapped = mapped(content);
    let (width, height) = (mapped.width * scale(content), mapped.height * scale(content));
    let (right, bottom) = (view.0 - width - BORDER, view.1 - height - BORDER);
    let corners = [
        (None, BORDER, bottom),
        (Some("at-right"), right, bottom),
        (Some("at-top"), BORDER, BORDER),
        (Some("at-top at-right"), right, BORDER),
    ];
    // The covered area; that of nodes of the step counts much more.
    let cost = |(name, x, y): (Option<&str>, f64, f64)| {
        let covered = |(rect, now): &(Rect, bool)| {
            let (left, top) = (place.x + rect.x * place.scale, place.y + rect.y * place.scale);
            let wide = (left + rect.width * place.scale).min(x + width) - left.max(x);
            let high = (top + rect.height * place.scale).min(y + height) - top.max(y);
            wide.max(0.0) * high.max(0.0) * if *now { 100.0 } else { 1.0 }
        };
        let texts = texts.iter().map(|rect| covered(&(*rect, false)));
        marks.iter().map(covered).chain(texts).sum::<f64>() + if name == last { 0.0 } else { 1.0 }
    };
    let costs = corners.map(|corner| (cost(corner), corner.0));
    costs
        .into_iter()
        .reduce(|best, next| if next.0 < best.0 { next } else { best })
        .and_then(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_is_in_a_corner_without_nodes() {
        let place = Place { x: 0.0, y: 0.0, scale: 1.0 };
        let at = |x, y| (Rect { x, y, width: 40.0, height: 40.0 }, false);
        let content = Rect { x: 0.0, y: 0.0, width: 2.0 * WIDTH, height: 2.0 * HEIGHT };
        let corner = |marks: &[(Rect, bool)]| corner(content, ((600.0, 400.0), place), (marks, &[]), None);
        let (left, right) = (at(20.0, 340.0), at(540.0, 340.0));
        let (upper, farthest) = (at(20.0, 20.0), at(540.0, 20.0));
        assert_eq!(corner(&[upper, farthest]), None);
        assert_eq!(corner(&[left, upper]), Some("at-right"));
        assert_eq!(corner(&[left, right]), Some("at-top"));
        assert_eq!(corner(&[left, right, upper]), Some("at-top at-right"));
        // Where it cannot but cover a node, it does not cover that of the step.
        assert_eq!(corner(&[(left.0, true), right, upper, farthest]), Some("at-right"));
    }
}

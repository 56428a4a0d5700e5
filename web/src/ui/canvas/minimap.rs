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
/// Without a map, so much of a node or text may be out of view.
const CUT: f64 = 3.0;
/// Without a map, this part of the drawing may be out of view on each side.
const MARGIN: f64 = 0.06;

/// The least side of the map: that of a long path has free space beside it.
const NARROWEST: f64 = 28.0;

/// The size of a map for which there is no free place otherwise.
const SMALL: f64 = 0.65;
/// The number of places of the map along a side of the panel.
const PLACES: u8 = 8;

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

/// A place of the map at the border of the panel.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Spot {
    /// To the right and down, 0 to 1 of what is free.
    at: (f64, f64),
    /// The size, a factor.
    size: f64,
}

impl Spot {
    /// The map in its panel.
    fn rect(self, content: Rect, view: (f64, f64)) -> Rect {
        let (mapped, scale) = (mapped(content), scale(content) * self.size);
        let (width, height) = (mapped.width * scale, mapped.height * scale);
        let free = (view.0 - width - 2.0 * BORDER, view.1 - height - 2.0 * BORDER);
        Rect { x: BORDER + self.at.0 * free.0, y: BORDER + self.at.1 * free.1, width, height }
    }

    /// The places by number, the corners first.
    fn numbered(number: u8) -> Spot {
        let part = f64::from(number / 4 % PLACES) / f64::from(PLACES);
        let at = match number % 4 {
            0 => (part, 1.0),
            1 => (1.0, 1.0 - part),
            2 => (0.0, part),
            _ => (1.0 - part, 0.0),
        };
        Spot { at, size: if number < 4 * PLACES { 1.0 } else { SMALL } }
    }
}

/// The map; pressing it moves the drawing there.
pub(super) fn minimap(
    content: Rect,
    (view, place): ((f64, f64), Place),
    (spot, paths): (Option<Spot>, &[AttrValue; 2]),
    moved: &Moved,
) -> Html {
    let seen = place.seen(view);
    let Some(spot) = spot else { return Html::default() };
    if is_smaller(view, 1.5) {
        return Html::default();
    }
    let at = spot.rect(content, view);
    let (content, scale) = (mapped(content), scale(content));
    let go = {
        let (moved, scale) = (moved.clone(), scale * spot.size);
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
    let inner = format!("0 0 {} {}", decimal(content.width * scale, 0), decimal(content.height * scale, 0));
    let style = format!("left:{}px;top:{}px", decimal(at.x, 0), decimal(at.y, 0));
    html! {
        <svg class="minimap" {style} width={decimal(at.width, 0)} height={decimal(at.height, 0)} viewBox={inner} aria-hidden="true" data-testid="minimap" onpointerdown={go.clone()} onpointermove={go}>
            <path d={paths[0].clone()} />
            <path class="now" d={paths[1].clone()} />
            <rect class="seen" {x} {y} {width} {height} />
        </svg>
    }
}

/// Is the whole drawing in view, so that it needs no map?
pub(super) fn is_in_view(content: Rect, seen: Rect, (marks, texts): (&[(Rect, bool)], &[Rect])) -> bool {
    let nearly = seen.inset(-CUT);
    seen.contains(&content.inset(MARGIN * content.width.max(content.height)))
        && marks.iter().map(|(rect, _)| rect).chain(texts).all(|rect| nearly.contains(rect))
}

/// The place at which the map covers least: at best nothing, and rather texts and other nodes than those of the step.
/// It stays where it is as long as it covers nothing there.
pub(super) fn spot(
    content: Rect,
    (view, place): ((f64, f64), Place),
    (marks, texts): (&[(Rect, bool)], &[Rect]),
    last: Option<Spot>,
) -> Spot {
    let cost = |spot: Spot| {
        let map = spot.rect(content, view);
        let map = Rect {
            x: (map.x - place.x) / place.scale,
            y: (map.y - place.y) / place.scale,
            width: map.width / place.scale,
            height: map.height / place.scale,
        };
        let mut cost = 0.0;
        for (rect, now) in marks {
            // Nodes of the step have rings, and count much more.
            cost += if *now { 100.0 * common(&rect.inset(-8.0), &map) } else { common(rect, &map) };
        }
        for rect in texts {
            cost += common(rect, &map);
        }
        cost
    };
    // In a small panel, the map is small.
    let small = is_smaller(view, 2.2);
    let first = if small { 4 * PLACES } else { 0 };
    let last = last.filter(|last| (last.size < 1.0) == small);
    let mut best = last.unwrap_or(Spot::numbered(first));
    let mut least = cost(best);
    for spot in (first..8 * PLACES).map(Spot::numbered) {
        if least <= 0.0 {
            break;
        }
        let covered = cost(spot);
        if covered < least {
            (best, least) = (spot, covered);
        }
    }
    best
}

/// Is a panel smaller than so many maps?
fn is_smaller(view: (f64, f64), maps: f64) -> bool {
    view.0 < maps * WIDTH || view.1 < maps * HEIGHT
}

/// The area of what two rectangles have in common.
fn common(a: &Rect, b: &Rect) -> f64 {
    let wide = a.right().min(b.right()) - a.x.max(b.x);
    let high = a.bottom().min(b.bottom()) - a.y.max(b.y);
    wide.max(0.0) * high.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_covers_nothing_where_it_can() {
        let place = Place { x: 0.0, y: 0.0, scale: 1.0 };
        let at = |x, y| (Rect { x, y, width: 40.0, height: 40.0 }, false);
        let content = Rect { x: 0.0, y: 0.0, width: 2.0 * WIDTH, height: 2.0 * HEIGHT };
        let last = |marks: &[(Rect, bool)], last| spot(content, ((600.0, 400.0), place), (marks, &[]), last);
        let spot = |marks: &[(Rect, bool)]| last(marks, None).at;
        let (left, right) = (at(20.0, 340.0), at(540.0, 340.0));
        let (upper, farthest) = (at(20.0, 20.0), at(540.0, 20.0));
        assert_eq!(spot(&[upper, farthest]), (0.0, 1.0));
        assert_eq!(spot(&[left, upper]), (1.0, 1.0));
        assert_eq!(spot(&[left, right]), (0.0, 0.0));
        assert_eq!(spot(&[left, right, upper]), (1.0, 0.0));
        // Between nodes in all corners.
        assert_eq!(spot(&[left, right, upper, farthest]), (0.125, 1.0));
        // It stays where it covers nothing.
        let stays = Some(Spot { at: (1.0, 0.0), size: 1.0 });
        assert_eq!(last(&[left], stays).at, (1.0, 0.0));
        // Where it cannot but cover a node, it does not cover that of the step.
        let wall = |now| (Rect { x: 0.0, y: 0.0, width: 300.0, height: 400.0 }, now);
        let other = |now| (Rect { x: 300.0, y: 0.0, width: 300.0, height: 400.0 }, now);
        assert_eq!(spot(&[wall(true), other(false)]).0, 1.0);
        assert_eq!(spot(&[wall(false), other(true)]).0, 0.0);
    }
}

//! The place of a drawing in its panel: pure functions.

use veristep_core::layout::between;
use veristep_core::scene::Rect;

/// A translation, then a scale.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
    /// The scale.
    pub scale: f64,
}

/// How drawings place themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fit {
    /// Whenever it changes, drawings that were moved place themselves again.
    pub number: u32,
    /// Larger, for a projector.
    pub projected: bool,
}

impl Fit {
    /// The factor of the scales of automatic places.
    fn factor(self) -> f64 {
        if self.projected { PROJECTED } else { 1.0 }
    }
}

/// The factor of a projector; the style sheet has the same for texts.
const PROJECTED: f64 = 1.4;
/// The scales of automatic places: texts of 13 px are never drawn with less than 11 px. Larger drawings follow their
/// focus.
const SMALLEST_AUTO: f64 = 0.85;
const LARGEST_AUTO: f64 = 1.15;
const SMALLEST: f64 = 0.05;
const LARGEST: f64 = 4.0;
/// The margin around the focus in the panel.
const MARGIN: f64 = 24.0;
/// The height of the map and the buttons at the lower side of the panel, which must not cover the focus.
const BELOW: f64 = 104.0;

impl Place {
    /// The place that shows the whole content, or as much around the focus as is legible.
    #[must_use]
    pub fn automatic(view: (f64, f64), content: Rect, focus: Option<Rect>, fit: Fit) -> Place {
        let factor = fit.factor();
        let scale = between(whole(view, content), SMALLEST_AUTO * factor, LARGEST_AUTO * factor);
        let along = |view: f64, start: f64, length: f64, focus: f64, beyond: f64| {
            let drawn = length * scale;
            if drawn <= view {
                return (view - drawn) / 2.0 - start * scale;
            }
            let centred = view / 2.0 - focus * scale;
            between(centred, view - drawn - beyond - start * scale, -start * scale)
        };
        let focus = focus.unwrap_or(Rect { width: content.width, height: 0.0, ..content });
        Place {
            x: along(view.0, content.x, content.width, focus.centre().x, 0.0),
            y: along(view.1, content.y, content.height, focus.centre().y, BELOW),
            scale,
        }
    }

    /// The place that shows the whole content, however small.
    #[must_use]
    pub fn fitting(view: (f64, f64), content: Rect) -> Place {
        let scale = between(whole(view, content), SMALLEST, LARGEST_AUTO);
        let centre = content.centre();
        Place { x: view.0 / 2.0 - centre.x * scale, y: view.1 / 2.0 - centre.y * scale, scale }
    }

    /// This place as long as the focus is in view and nothing could be seen better; otherwise the automatic one. So
    /// what stays does not move from step to step.
    #[must_use]
    pub fn following(self, view: (f64, f64), content: Rect, focus: Option<Rect>, fit: Fit) -> Place {
        let new = Place::automatic(view, content, focus, fit);
        let all_fits = content.width * new.scale <= view.0 && content.height * new.scale <= view.1;
        let seen = self.seen((view.0, view.1 - BELOW)).inset(MARGIN / self.scale);
        let in_view = |rect: Rect| seen.contains(&rect);
        let same_scale = (self.scale - new.scale).abs() < 0.01;
        if !all_fits && same_scale && focus.is_none_or(in_view) { self } else { new }
    }

    /// Enlarged by a factor; the point of the panel stays where it is.
    #[must_use]
    pub fn zoomed(self, factor: f64, at: (f64, f64)) -> Place {
        let scale = between(self.scale * factor, SMALLEST, LARGEST);
        let ratio = scale / self.scale;
        Place { x: at.0 - (at.0 - self.x) * ratio, y: at.1 - (at.1 - self.y) * ratio, scale }
    }

    /// Moved by some pixels of the panel.
    #[must_use]
    pub fn moved(self, x: f64, y: f64) -> Place {
        Place { x: self.x + x, y: self.y + y, ..self }
    }

    /// Moved so that a point of the drawing is in the middle of the panel.
    #[must_use]
    pub fn centred(self, view: (f64, f64), at: (f64, f64)) -> Place {
        Place { x: view.0 / 2.0 - at.0 * self.scale, y: view.1 / 2.0 - at.1 * self.scale, ..self }
    }

    /// The part of the drawing that is in view.
    #[must_use]
    pub fn seen(self, view: (f64, f64)) -> Rect {
        Rect {
            x: -self.x / self.scale,
            y: -self.y / self.scale,
            width: view.0 / self.scale,
            height: view.1 / self.scale,
        }
    }
}

/// The part of a drawing that is drawn when another part is seen: the last one as long as it has what is seen and not
/// much more, otherwise what is seen with a border.
#[must_use]
pub(super) fn window(last: Rect, seen: Rect) -> Rect {
    let side = |rect: Rect| rect.width.max(rect.height);
    let kept = last.contains(&seen) && side(last) <= 4.0 * side(seen);
    if kept { last } else { seen.inset(-side(seen) / 3.0) }
}

/// The scale at which the content just fits.
fn whole(view: (f64, f64), content: Rect) -> f64 {
    (view.0 / content.width.max(1.0)).min(view.1 / content.height.max(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEW: (f64, f64) = (400.0, 300.0);
    const USUAL: Fit = Fit { number: 0, projected: false };

    fn content(width: f64, height: f64) -> Rect {
        Rect { width, height, ..Rect::default() }
    }

    fn focus(x: f64) -> Option<Rect> {
        Some(Rect { x, y: 0.0, width: 100.0, height: 40.0 })
    }

    #[test]
    fn small_drawings_are_centred_and_large_ones_follow_the_focus() {
        let small = Place::automatic(VIEW, content(100.0, 100.0), None, USUAL);
        assert!((small.x - (400.0 - 115.0) / 2.0).abs() < 0.01 && small.scale <= LARGEST_AUTO);
        let large = Place::automatic(VIEW, content(8000.0, 200.0), focus(4000.0), USUAL);
        let middle = large.x + 4050.0 * large.scale;
        assert!((middle - 200.0).abs() < 0.01);
    }

    #[test]
    fn drawings_are_larger_for_a_projector() {
        let large =
            |projected| Place::automatic(VIEW, content(8000.0, 200.0), None, Fit { number: 0, projected });
        assert!((large(true).scale / large(false).scale - PROJECTED).abs() < 0.01);
    }

    #[test]
    fn a_drawing_moves_only_when_its_focus_leaves_the_panel() {
        let wide = content(8000.0, 200.0);
        let place = Place::automatic(VIEW, wide, focus(4000.0), USUAL);
        assert_eq!(place.following(VIEW, wide, focus(4100.0), USUAL), place);
        assert_eq!(place.following(VIEW, wide, None, USUAL), place);
        assert_eq!(
            place.following(VIEW, wide, focus(5000.0), USUAL),
            Place::automatic(VIEW, wide, focus(5000.0), USUAL)
        );
    }

    #[test]
    fn what_is_drawn_changes_seldom_and_has_what_is_seen() {
        let (mut last, mut changes) = (Rect::default(), 0);
        for step in 0..400_i32 {
            let x = f64::from((step % 50) * 8 - step);
            let seen = Rect { x, y: 0.5 * x, width: 300.0 + f64::from(step), height: 200.0 };
            let next = window(last, seen);
            assert!(next.contains(&seen), "{seen:?}");
            changes += i32::from(next != last);
            last = next;
        }
        assert!(changes < 80, "{changes}");
        let tall = Rect { x: 0.0, y: 0.0, width: 100.0, height: 900.0 };
        assert_eq!(window(window(last, tall), tall), window(last, tall));
        let near = Rect { x: 0.0, y: 0.0, width: 20.0, height: 10.0 };
        assert!(window(last, near).width < 100.0, "a small part is not drawn with all around it");
    }

    #[test]
    fn the_focus_at_the_lower_side_is_above_the_map() {
        let tall = content(300.0, 4000.0);
        let last = Rect { x: 0.0, y: 3940.0, width: 100.0, height: 40.0 };
        let place = Place::automatic(VIEW, tall, Some(last), USUAL);
        assert!(place.y + last.bottom() * place.scale <= VIEW.1 - BELOW);
        let above = Place { y: place.y + 60.0, ..place };
        assert_eq!(above.following(VIEW, tall, Some(last), USUAL), place);
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let place = Place { x: 10.0, y: 20.0, scale: 1.0 };
        let next = place.zoomed(2.0, (110.0, 120.0));
        assert!((next.x - -90.0).abs() < 1e-9 && (next.y - -80.0).abs() < 1e-9);
    }

    #[test]
    fn everything_is_in_view_after_fitting() {
        for rect in [content(10.0, 10.0), content(5000.0, 20.0), Rect { x: -90.0, ..content(20.0, 5000.0) }] {
            let seen = Place::fitting(VIEW, rect).seen(VIEW).inset(-0.01);
            assert!(seen.x <= rect.x && seen.right() >= rect.right(), "{rect:?}");
            assert!(seen.y <= rect.y && seen.bottom() >= rect.bottom(), "{rect:?}");
        }
    }
}

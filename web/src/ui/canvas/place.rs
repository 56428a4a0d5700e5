//! The place of a drawing in its panel: pure functions.

use veristep_core::layout::{Point, between};
use veristep_core::scene::Rect;

/// A translation, then a scale.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
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
/// focus. They are few, so that a drawing that grows seldom changes its scale, after which all texts are laid out anew.
const SCALES: [f64; 4] = [1.15, 1.05, 0.95, 0.85];
/// A drawing that fits its panel gets another place only for a scale that is larger by this factor, or if its centre is
/// away from that of the panel by more than this part of the panel.
const LARGER: f64 = 1.25;
const OFF_CENTRE: f64 = 0.2;
const SMALLEST: f64 = 0.05;
const LARGEST: f64 = 4.0;
/// The margin around the focus in the panel.
const MARGIN: f64 = 24.0;

impl Place {
    /// The place that shows the whole content, or as much around the focus as is legible.
    #[must_use]
    pub fn automatic(view: (f64, f64), content: Rect, focus: Option<Rect>, fit: Fit) -> Place {
        let factor = fit.factor();
        let fits = |scale: &f64| *scale <= whole(view, content);
        let scales = SCALES.map(|scale| scale * factor);
        let scale = scales.into_iter().find(fits).unwrap_or(scales[SCALES.len() - 1]);
        let focus = focus.unwrap_or(Rect { width: content.width, height: 0.0, ..content }).centre();
        let centred = Place { x: view.0 / 2.0 - focus.x * scale, y: view.1 / 2.0 - focus.y * scale, scale };
        let whole =
            Place { scale, ..Place::default() }.centred(view, (content.centre().x, content.centre().y));
        let x = if content.width * scale <= view.0 { whole.x } else { centred.x };
        let y = if content.height * scale <= view.1 { whole.y } else { centred.y };
        Place { x, y, scale }.within(view, content)
    }

    /// Can a part be seen as a whole at the least automatic scale?
    #[must_use]
    pub fn has_room(view: (f64, f64), part: Rect, fit: Fit) -> bool {
        let scale = SCALES[SCALES.len() - 1] * fit.factor();
        part.width * scale + 2.0 * MARGIN <= view.0 && part.height * scale + 2.0 * MARGIN <= view.1
    }

    /// The place that shows the whole content, however small.
    #[must_use]
    pub fn fitting(view: (f64, f64), content: Rect) -> Place {
        let scale = whole(view, content).min(SCALES[0]);
        let centre = content.centre();
        Place { scale, ..Place::default() }.centred(view, (centre.x, centre.y))
    }

    /// Moved as little as possible so that there is no free space on one side while content is cut on the other.
    fn within(self, view: (f64, f64), content: Rect) -> Place {
        let along = |at: f64, view: f64, start: f64, end: f64| {
            let (first, last) = (-start * self.scale, view - end * self.scale);
            between(at, first.min(last), first.max(last))
        };
        Place {
            x: along(self.x, view.0, content.x, content.right()),
            y: along(self.y, view.1, content.y, content.bottom()),
            ..self
        }
    }

    /// This place as long as the focus is in view and nothing could be seen better; otherwise the automatic one. So
    /// what stays does not move from step to step.
    #[must_use]
    pub fn following(self, view: (f64, f64), content: Rect, focus: Option<Rect>, fit: Fit) -> Place {
        let new = Place::automatic(view, content, focus, fit);
        let kept = self.within(view, content);
        let keeps = if whole(view, content) >= new.scale {
            let (now, best) = (kept.seen(view).centre(), new.seen(view).centre());
            let away = ((now.x - best.x) * kept.scale / view.0)
                .abs()
                .max(((now.y - best.y) * kept.scale / view.1).abs());
            whole(view, content) >= kept.scale && new.scale < LARGER * kept.scale && away < OFF_CENTRE
        } else {
            let seen = kept.seen(view).inset(MARGIN / kept.scale);
            (self.scale - new.scale).abs() < 0.01 && focus.is_none_or(|focus| seen.contains(&focus))
        };
        if keeps { kept } else { new }
    }

    /// Enlarged by a factor; the point of the panel stays where it is.
    #[must_use]
    pub fn zoomed(self, factor: f64, at: (f64, f64)) -> Place {
        let scale = between(self.scale * factor, SMALLEST.min(self.scale), LARGEST);
        let ratio = scale / self.scale;
        Place { x: at.0 - (at.0 - self.x) * ratio, y: at.1 - (at.1 - self.y) * ratio, scale }
    }

    /// This place if a part of the drawing is in view; otherwise moved so that it is in the middle.
    #[must_use]
    pub fn showing(self, view: (f64, f64), part: Rect) -> Place {
        let centre = part.centre();
        let at = Rect { x: centre.x, y: centre.y, ..Rect::default() };
        let in_view = self.seen(view).contains(&at);
        if in_view { self } else { self.centred(view, (centre.x, centre.y)) }
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

    /// The point of the drawing at a point of the panel.
    #[must_use]
    pub fn inverse(self, at: (f64, f64)) -> Point {
        Point::new((at.0 - self.x) / self.scale, (at.1 - self.y) / self.scale)
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
    (view.0 / content.width.max(1.0)).min(view.1.max(1.0) / content.height.max(1.0))
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
        assert!((small.x - (400.0 - 115.0) / 2.0).abs() < 0.01 && small.scale <= SCALES[0]);
        let large = Place::automatic(VIEW, content(8000.0, 200.0), focus(4000.0), USUAL);
        let middle = large.x + 4050.0 * large.scale;
        assert!((middle - 200.0).abs() < 0.01);
    }

    #[test]
    fn a_drawing_that_fits_seldom_moves() {
        let place = Place::automatic(VIEW, content(300.0, 200.0), None, USUAL);
        // It becomes larger and smaller by a label.
        for height in [220.0, 200.0, 225.0, 190.0] {
            assert_eq!(place.following(VIEW, content(300.0, height), None, USUAL), place);
        }
        let full = place.following(VIEW, content(340.0, 320.0), None, USUAL);
        assert!(full.scale < place.scale && full.y >= -0.01);
        // Much smaller, it is in the middle again.
        let small = full.following(VIEW, content(60.0, 40.0), None, USUAL);
        assert_eq!(small, Place::automatic(VIEW, content(60.0, 40.0), None, USUAL));
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
    fn a_place_changes_only_for_what_is_not_in_view() {
        let place = Place { x: 0.0, y: 0.0, scale: 1.0 };
        let part = |x| Rect { x, y: 20.0, width: 40.0, height: 20.0 };
        assert_eq!(place.showing(VIEW, part(100.0)), place);
        let moved = place.showing(VIEW, part(900.0));
        assert!((moved.x - (200.0 - 920.0)).abs() < 1e-9 && moved.scale == place.scale);
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let place = Place { x: 10.0, y: 20.0, scale: 1.0 };
        let next = place.zoomed(2.0, (110.0, 120.0));
        assert!((next.x - -90.0).abs() < 1e-9 && (next.y - -80.0).abs() < 1e-9);
    }

    #[test]
    fn everything_is_in_view_after_fitting() {
        for rect in [
            content(10.0, 10.0),
            content(90_000.0, 20.0),
            content(5000.0, 20.0),
            Rect { x: -90.0, ..content(20.0, 5000.0) },
        ] {
            let seen = Place::fitting(VIEW, rect).seen(VIEW).inset(-0.01);
            assert!(seen.x <= rect.x && seen.right() >= rect.right(), "{rect:?}");
            assert!(seen.y <= rect.y && seen.bottom() >= rect.bottom(), "{rect:?}");
        }
    }

    #[test]
    fn nothing_of_a_drawing_that_fits_is_cut() {
        for height in [100.0, 230.0, 290.0, 340.0] {
            let place = Place::automatic(VIEW, content(300.0, height), focus(200.0), USUAL);
            assert!(place.y >= -0.01 && place.y + height * place.scale <= VIEW.1 + 0.01, "{place:?}");
        }
    }

    #[test]
    fn another_drawing_at_the_same_scale_is_in_view() {
        let wide = content(8000.0, 3000.0);
        let place = Place::automatic(VIEW, wide, focus(7000.0), USUAL);
        let other = content(900.0, 400.0);
        let next = place.following(VIEW, other, None, USUAL);
        let seen = next.seen(VIEW);
        assert!(seen.x >= -0.01 && seen.right() <= other.right() + 0.01, "{seen:?}");
        assert!((next.scale - place.scale).abs() < 0.01 && seen.meets(&other));
    }
}

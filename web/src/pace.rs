//! When the page is drawn: a growing run from time to time, so that Pause and Stop are never late, and a step together
//! with its explanation if that comes soon.

use std::cell::Cell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use js_sys::Date;

use crate::browser;

/// A step is drawn together with its explanation if that arrives within this many milliseconds.
pub const TOGETHER: u32 = 10;
/// After events that were not drawn: the page is drawn after this many milliseconds, unless it is too early then.
pub const LATEST: u32 = 250;
/// The pause between two views of a growing run: `LOAD` times the time until a view is painted, and at least `LEAST`
/// milliseconds.
const LOAD: f64 = 4.0;
const LEAST: f64 = 120.0;

/// The times of drawing.
#[derive(Default)]
pub struct Pace {
    /// When the last change of the page began, in milliseconds.
    began: f64,
    /// From when on a growing run is drawn again; never while a view is not painted.
    next: Rc<Cell<f64>>,
    /// The next drawing, and when it is due.
    timer: Option<(f64, Timeout)>,
}

impl Pace {
    /// Is it too early to draw a growing run again?
    #[must_use]
    pub fn is_early(&self) -> bool {
        Date::now() < self.next.get()
    }

    /// Draws within this many milliseconds, unless the page is drawn before.
    pub fn draw_within(&mut self, time: u32, draw: impl FnOnce() + 'static) {
        let due = Date::now() + f64::from(time);
        if self.timer.as_ref().is_none_or(|(sooner, _)| due < *sooner) {
            self.timer = Some((due, Timeout::new(time, draw)));
        }
    }

    /// A drawing starts, because of a change that began at this time.
    pub fn starts(&mut self, began: f64) {
        self.began = began;
        self.timer = None;
    }

    /// The planned drawing is due.
    pub fn due(&mut self) {
        self.timer = None;
    }

    /// The page was rendered, and is painted soon.
    pub fn rendered(&self) {
        let (began, next) = (self.began, self.next.clone());
        next.set(f64::INFINITY);
        browser::after_frame(move || {
            let now = Date::now();
            next.set(now + (LOAD * (now - began)).max(LEAST));
        });
    }
}

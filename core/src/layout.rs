//! Drawing: positions and curves for trees and graphs, computed from sizes alone.
//!
//! This module depends on neither browser nor model. [`tidy`] draws the abstract reachability graph as a tree in which
//! existing nodes hardly move when nodes are appended; [`layered`] draws graphs with cycles. Coordinates are
//! pixels, x to the right and y down, positions are centres; the same input gives the same drawing everywhere.

mod curve;
pub mod layered;
pub mod tidy;

pub(crate) use curve::cubic_at;

use serde::{Deserialize, Serialize};

/// A point.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

/// The extent of a node or a label.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Size {
    /// From left to right.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
}

impl Point {
    /// The point at these coordinates.
    #[must_use]
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }
}

impl Size {
    /// A size; negative numbers and NaN count as 0, and there is an upper limit.
    #[must_use]
    pub fn new(width: f64, height: f64) -> Size {
        let sane = |length: f64| if length.is_finite() { between(length, 0.0, 1_000_000.0) } else { 0.0 };
        Size { width: sane(width), height: sane(height) }
    }
}

/// A drawn arrow.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Arrow {
    /// The curve as SVG path data, from the tail to the tip.
    pub path: String,
    /// The tip.
    pub tip: Point,
    /// The direction at the tip in degrees: 0 to the right, 90 down.
    pub angle: f64,
    /// The centre of the label's place.
    pub label: Point,
}

impl Arrow {
    /// An arrow that bends towards a point; its label lies at this part of its length.
    #[must_use]
    pub fn bent(start: Point, towards: Point, tip: Point, label: f64) -> Arrow {
        let control = |end: Point| {
            let part = |end: f64, towards: f64| end + (towards - end) * 2.0 / 3.0;
            Point::new(part(end.x, towards.x), part(end.y, towards.y))
        };
        let points = [start, control(start), control(tip), tip];
        let mut curve = curve::Curve::from(start);
        curve.cubic(points[1], points[2], tip);
        Arrow { angle: curve.angle(), tip, label: curve::cubic_at(points, label), path: curve.data() }
    }

    /// A straight arrow, with its label in the middle.
    #[must_use]
    pub fn straight(start: Point, tip: Point) -> Arrow {
        let mut curve = curve::Curve::from(start);
        curve.line(tip);
        let label = Point::new(f64::midpoint(start.x, tip.x), f64::midpoint(start.y, tip.y));
        Arrow { angle: curve.angle(), tip, label, path: curve.data() }
    }

    /// A loop at a side of a node, towards which the unit vector leads; its label has this size. Of several loops at
    /// one side, the one with this number.
    #[must_use]
    pub fn looped(side: Point, (x, y): (f64, f64), number: usize, label: Size) -> Arrow {
        let number = number as f64;
        let reach = 26.0 + 20.0 * number;
        // Out of the node, and to the right of that.
        let at =
            |out: f64, right: f64| Point::new(side.x + out * x - right * y, side.y + out * y + right * x);
        let tip = at(0.0, 5.0);
        let mut curve = curve::Curve::from(at(0.0, -5.0));
        curve.cubic(at(reach, -5.0 - 0.6 * reach), at(reach, 5.0 + 0.6 * reach), tip);
        let label = match y == 0.0 {
            true => at(0.75 * reach + 6.0 + label.width / 2.0, 20.0 * number * x),
            false => at(0.75 * reach + 4.0 + label.height / 2.0 + 5.0 * number, 0.0),
        };
        Arrow { angle: curve.angle(), tip, label, path: curve.data() }
    }
}

/// Sorts indices by a value of each, stably. (Each sorted type costs 4 kB of machine code, so these
/// drawings sort indices only.)
pub(crate) fn in_order_of(indices: &mut [usize], value: &dyn Fn(usize) -> f64) {
    indices.sort_by(|a, b| value(*a).total_cmp(&value(*b)));
}

/// `value` clamped to the bounds. (`f64::clamp` would link the formatting of floats.)
#[must_use]
pub fn between(value: f64, low: f64, high: f64) -> f64 {
    value.min(high).max(low)
}

//! Curves of lines and cubics, written as SVG path data.

use std::fmt::{self, Write as _};

use crate::layout::Point;

/// A curve that is being drawn.
pub(super) struct Curve {
    data: String,
    at: Point,
    /// The point the last piece came from, for the direction at the end.
    before: Point,
}

impl Curve {
    pub(super) fn from(start: Point) -> Curve {
        let mut data = String::with_capacity(96);
        let _ = write!(data, "M{} {}", short(start.x), short(start.y));
        Curve { data, at: start, before: start }
    }

    /// A straight line; nothing when it has no length.
    pub(super) fn line(&mut self, to: Point) {
        if near(self.at, to) {
            return;
        }
        let _ = write!(self.data, "L{} {}", short(to.x), short(to.y));
        self.before = self.at;
        self.at = to;
    }

    /// A cubic with two control points.
    pub(super) fn cubic(&mut self, c1: Point, c2: Point, to: Point) {
        if near(self.at, to) && near(c1, to) && near(c2, to) {
            return;
        }
        let n = short;
        let _ = write!(self.data, "C{} {} {} {} {} {}", n(c1.x), n(c1.y), n(c2.x), n(c2.y), n(to.x), n(to.y));
        self.before = if near(c2, to) { c1 } else { c2 };
        self.at = to;
    }

    /// Down or up to a point with vertical ends; straight when the point is right below or above.
    pub(super) fn swing(&mut self, to: Point) {
        if (self.at.x - to.x).abs() < 0.5 {
            return self.line(to);
        }
        let middle = f64::midpoint(self.at.y, to.y);
        self.cubic(Point::new(self.at.x, middle), Point::new(to.x, middle), to);
    }

    /// The direction at the end, in degrees.
    pub(super) fn angle(&self) -> f64 {
        if near(self.before, self.at) {
            return 90.0;
        }
        (self.at.y - self.before.y).atan2(self.at.x - self.before.x).to_degrees()
    }

    pub(super) fn end(&self) -> Point {
        self.at
    }

    pub(super) fn data(self) -> String {
        self.data
    }
}

fn near(a: Point, b: Point) -> bool {
    (a.x - b.x).abs() < 0.05 && (a.y - b.y).abs() < 0.05
}

/// A coordinate with one digit after the point, and none when it is zero.
fn short(value: f64) -> Tenths {
    #[expect(clippy::cast_possible_truncation, reason = "coordinates are small, and the cast saturates")]
    Tenths((value * 10.0).round() as i64)
}

/// A number of tenths. Written without the formatting of floats, which would be a large part of the page.
struct Tenths(i64);

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0.unsigned_abs() / 10, self.0.unsigned_abs() % 10);
        let sign = if self.0 < 0 { "-" } else { "" };
        if rest == 0 { write!(f, "{sign}{whole}") } else { write!(f, "{sign}{whole}.{rest}") }
    }
}

/// A point of a cubic.
pub(crate) fn cubic_at(p: [Point; 4], t: f64) -> Point {
    let s = 1.0 - t;
    let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
    let sum = |of: fn(&Point) -> f64| p.iter().zip(weights).map(|(p, w)| of(p) * w).sum();
    Point::new(sum(|p| p.x), sum(|p| p.y))
}

/// The numbers of a path's data.
#[cfg(test)]
pub(super) fn numbers(path: &str) -> Vec<f64> {
    let spaced: String = path.chars().map(|c| if c.is_ascii_alphabetic() { ' ' } else { c }).collect();
    spaced.split_whitespace().map(|n| n.parse().expect("a number")).collect()
}

/// Points along a path of `M`, `L` and `C`.
#[cfg(test)]
pub(super) fn samples(path: &str) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    let starts: Vec<usize> =
        path.match_indices(|c: char| c.is_ascii_alphabetic()).map(|(at, _)| at).collect();
    for (i, start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(path.len());
        let n = numbers(&path[*start..end]);
        let p: Vec<Point> = n.chunks(2).map(|c| Point::new(c[0], c[1])).collect();
        match (points.last().copied(), p.as_slice()) {
            (Some(from), [to]) => points.extend((1..=8).map(|t| {
                let t = f64::from(t) / 8.0;
                Point::new(from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t)
            })),
            (Some(from), [c1, c2, to]) => {
                points.extend((1..=16).map(|t| cubic_at([from, *c1, *c2, *to], f64::from(t) / 16.0)))
            }
            (_, p) => points.extend(p),
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_data_is_short_and_ends_with_a_direction() {
        let mut curve = Curve::from(Point::new(0.04, 0.0));
        curve.swing(Point::new(0.0, 10.26));
        assert_eq!(curve.angle().round(), 90.0);
        curve.swing(Point::new(20.0, 30.0));
        assert_eq!(curve.angle().round(), 90.0);
        assert_eq!(curve.data(), "M0 0L0 10.3C0 20.1 20 20.1 20 30");
    }

    #[test]
    fn nothing_is_drawn_twice() {
        let at = Point::new(1.0, 2.0);
        let mut curve = Curve::from(at);
        curve.line(at);
        curve.cubic(at, at, at);
        assert_eq!(curve.angle(), 90.0);
        assert_eq!(curve.data(), "M1 2");
    }
}

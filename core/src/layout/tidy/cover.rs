//! Covered-by edges over a tree: each is one cubic that leaves and arrives at free sides and avoids nodes and
//! labels.
//!
//! A few dozen curves are tried for each: arcs around the right and the left, further and further out, and swings
//! from one side to another. The shortest that crosses none of them wins; where there is none, or it would go far out,
//! the edge takes a [`corridor`] between the nodes. Routes may leave the tree's own extent.

use super::{ARROW, Tidy, corridor};
use crate::layout::curve::{Curve, cubic_at};
use crate::layout::{Arrow, Point, Size, between, in_order_of};

/// The distance of the points where a curve is tested against nodes, in pixels.
const STEP: f64 = 13.0;
/// Arcs over longer distances are illegible.
const FAR: f64 = 2_000.0;
/// How far out the arcs go.
const BULGES: [f64; 5] = [26.0, 52.0, 96.0, 170.0, 300.0];
/// At the top and at the bottom of a node, it arrives so far from the middle, as a part of half the side.
const ASIDE: f64 = 0.4;
/// A curve keeps this far away from nodes.
const CLEARANCE: f64 = 5.0;

/// A side of a node.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
    Top,
    Bottom,
}

impl Side {
    fn outwards(self) -> Point {
        match self {
            Side::Left => Point::new(-1.0, 0.0),
            Side::Right => Point::new(1.0, 0.0),
            Side::Top => Point::new(0.0, -1.0),
            Side::Bottom => Point::new(0.0, 1.0),
        }
    }
}

/// The chosen way of a covered-by edge.
enum Route {
    /// One cubic.
    Cubic([Point; 4]),
    /// Straight lines with rounded corners.
    Corners(Vec<Point>),
}

/// A curve that is considered.
struct Candidate {
    points: [Point; 4],
    /// Its cost beyond length and crossings.
    dislike: f64,
}

impl Tidy {
    /// The curve of each covered-by edge, from the covered node to the covering one; `None` where nothing is to be
    /// drawn. A covering node that is folded away is replaced by the node that stands in for it.
    #[must_use]
    pub fn covers(&self, covers: &[(usize, usize)]) -> Vec<Option<Arrow>> {
        let mut arrivals = vec![0_usize; self.nodes.len()];
        let mut route = |(from, to): &(usize, usize)| {
            let (to, start, end) = self.ends(*from, *to)?;
            // Several arrivals at one node are spread over its side.
            let spread = [0.0, 0.5, -0.5, 0.25, -0.25][arrivals[to] % 5];
            arrivals[to] += 1;
            Some(self.cover((*from, start), (to, end), spread).arrow())
        };
        covers.iter().map(&mut route).collect()
    }

    /// The drawn node at the end, and both positions.
    fn ends(&self, from: usize, to: usize) -> Option<(usize, Point, Point)> {
        let to = (*self.stand_in.get(to)?)?;
        let start = (*self.nodes.get(from)?)?;
        let end = (*self.nodes.get(to)?)?;
        (from != to).then_some((to, start, end))
    }

    fn cover(&self, from: (usize, Point), to: (usize, Point), spread: f64) -> Route {
        let (a, b) = (self.sizes[from.0], self.sizes[to.0]);
        let straight = distance(from.1, to.1);
        let mut best = (f64::INFINITY, [from.1, from.1, to.1, to.1]);
        let found = if straight < FAR { candidates((from.1, a), (to.1, b), spread) } else { Vec::new() };
        let mut order = (0..found.len()).collect::<Vec<_>>();
        in_order_of(&mut order, &|at| found[at].least());
        for candidate in order.into_iter().map(|at| &found[at]) {
            if candidate.least() >= best.0 {
                break;
            }
            let limit = best.0 - candidate.dislike;
            if let Some(length) = self.clear_length(candidate.points, from.0, to.0, limit) {
                best = (candidate.dislike + length, candidate.points);
            }
        }
        // A wide arc is worse than a corridor, and no arc at all much more so.
        if best.0 < 1.6 * straight + 200.0 {
            return Route::Cubic(best.1);
        }
        match self.corridor(from, to, spread) {
            Some(corners) if 60.0 + length(&corners) < best.0 => Route::Corners(corners),
            _ => Route::Cubic(best.1),
        }
    }

    /// The length of a curve that crosses no node and no label; `None` if it crosses one or is not shorter than
    /// `limit`.
    fn clear_length(&self, points: [Point; 4], from: usize, to: usize, limit: f64) -> Option<f64> {
        let mut sum = 0.0;
        let mut before = points[0];
        let steps = between(length(&points) / STEP, 12.0, 150.0).round();
        let mut t = 0.0;
        while t < steps {
            t += 1.0;
            let at = cubic_at(points, t / steps);
            sum += distance(before, at);
            before = at;
            let node = self.node_at(at);
            // Through its own ends a curve only goes at its tips.
            let tip = (node == Some(from) && t <= 2.0) || (node == Some(to) && t + 2.0 >= steps);
            if sum >= limit || (node.is_some() && !tip) || self.is_label(at) {
                return None;
            }
        }
        Some(sum)
    }

    /// Is a point in the label of an edge of the tree?
    fn is_label(&self, at: Point) -> bool {
        let (widths, height) = &self.labels;
        let next = self.rows.partition_point(|row| row.top < at.y);
        let Some(row) = self.rows.get(next) else { return false };
        let above = row.top - at.y;
        if above < ARROW || above > ARROW + height {
            return false;
        }
        let place = |node: usize| self.nodes[node].unwrap_or_default().x;
        let right = row.nodes.partition_point(|node| place(*node) < at.x);
        let near = [right.checked_sub(1), Some(right)].into_iter().flatten().filter_map(|i| row.nodes.get(i));
        near.into_iter().any(|node| (at.x - place(*node)).abs() < widths[*node] / 2.0)
    }

    /// The node at a point, with some clearance.
    pub(super) fn node_at(&self, at: Point) -> Option<usize> {
        let row = self.rows.partition_point(|row| row.bottom + CLEARANCE < at.y);
        let row = self.rows.get(row).filter(|row| row.top - CLEARANCE <= at.y)?;
        let place = |node: usize| self.nodes[node].unwrap_or_default();
        let next = row.nodes.partition_point(|node| place(*node).x < at.x);
        [next.checked_sub(1), Some(next)]
            .into_iter()
            .flatten()
            .filter_map(|i| row.nodes.get(i).copied())
            .find(|node| {
                let (centre, size) = (place(*node), self.sizes[*node]);
                (at.x - centre.x).abs() < size.width / 2.0 + CLEARANCE
                    && (at.y - centre.y).abs() < size.height / 2.0 + CLEARANCE
            })
    }
}

/// The middle of a side, moved along it by a part of its length.
fn port((centre, size): (Point, Size), side: Side, spread: f64) -> Point {
    let out = side.outwards();
    let (w, h) = (size.width / 2.0, size.height / 2.0);
    Point::new(
        centre.x + out.x * w + out.y.abs() * spread * w,
        centre.y + out.y * h + out.x.abs() * spread * h,
    )
}

impl Candidate {
    /// It cannot cost less.
    fn least(&self) -> f64 {
        self.dislike + distance(self.points[0], self.points[3])
    }
}

/// The length of a broken line.
fn length(points: &[Point]) -> f64 {
    points.windows(2).map(|pair| distance(pair[0], pair[1])).sum()
}

fn distance(a: Point, b: Point) -> f64 {
    (a.x - b.x).hypot(a.y - b.y)
}

fn candidates(from: (Point, Size), to: (Point, Size), spread: f64) -> Vec<Candidate> {
    let mut found = Vec::with_capacity(2 * BULGES.len() + 2 * SWINGS.len());
    let rise = (from.0.y - to.0.y).abs();
    for side in [Side::Right, Side::Left] {
        let (start, end) = (port(from, side, 0.0), port(to, side, spread));
        let out = side.outwards().x;
        let base = if out > 0.0 { start.x.max(end.x) } else { start.x.min(end.x) };
        for bulge in BULGES {
            let far = base + out * (bulge + rise * 0.12);
            found.push(Candidate {
                points: [start, Point::new(far, start.y), Point::new(far, end.y), end],
                dislike: 0.0,
            });
        }
    }
    for (leaving, arriving, dislike) in SWINGS {
        // Beside the tree's own edge, on the side where the covered node is.
        let aside = if from.0.x < to.0.x { -ASIDE } else { ASIDE };
        let aside = if matches!(arriving, Side::Top | Side::Bottom) { aside } else { 0.0 };
        let (start, end) = (port(from, leaving, 0.0), port(to, arriving, spread + aside));
        let (out, into) = (leaving.outwards(), arriving.outwards());
        for part in [0.3, 0.6] {
            let reach = between(distance(start, end) * part, 24.0, 260.0);
            let points = [
                start,
                Point::new(start.x + out.x * reach, start.y + out.y * reach),
                Point::new(end.x + into.x * reach, end.y + into.y * reach),
                end,
            ];
            found.push(Candidate { points, dislike });
        }
    }
    found
}

/// Pairs of sides with a penalty: at the bottom and at the top are the tree's edges.
const SWINGS: [(Side, Side, f64); 10] = [
    (Side::Left, Side::Right, 0.0),
    (Side::Right, Side::Left, 0.0),
    (Side::Right, Side::Bottom, 40.0),
    (Side::Left, Side::Bottom, 40.0),
    (Side::Bottom, Side::Left, 40.0),
    (Side::Bottom, Side::Right, 40.0),
    (Side::Bottom, Side::Bottom, 60.0),
    (Side::Right, Side::Top, 90.0),
    (Side::Left, Side::Top, 90.0),
    (Side::Top, Side::Bottom, 180.0),
];

impl Route {
    fn arrow(&self) -> Arrow {
        match self {
            Route::Cubic(points) => {
                let mut curve = Curve::from(points[0]);
                curve.cubic(points[1], points[2], points[3]);
                let label = cubic_at(*points, 0.5);
                Arrow { tip: curve.end(), angle: curve.angle(), path: curve.data(), label }
            }
            Route::Corners(corners) => corridor::rounded(corners),
        }
    }
}

//! Covered-by edges over a tree: each is one cubic that leaves and arrives at free sides and avoids nodes.
//!
//! A handful of curves is tried for each: arcs around the right and the left, further and further out, and swings
//! between facing sides. The one that crosses the fewest nodes wins, then the shortest.

use super::Tidy;
use crate::layout::curve::{Curve, cubic_at};
use crate::layout::{Arrow, Point, Size};

/// Points at which a curve is tested against nodes.
const SAMPLES: u32 = 28;
/// A node that is crossed counts like this many pixels.
const CROSSING: f64 = 420.0;
/// How far out the arcs go.
const BULGES: [f64; 5] = [26.0, 52.0, 96.0, 170.0, 300.0];
/// A curve keeps this far away from nodes.
const CLEARANCE: f64 = 3.0;

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

/// A curve that is considered.
struct Candidate {
    points: [Point; 4],
    /// What it costs beyond its length and crossings.
    dislike: f64,
}

impl Tidy {
    /// The curve of each covered-by edge, from the covered node to the covering one. A covering node that is
    /// folded away is replaced by the node that stands in for it; `None` when nothing is to be drawn.
    #[must_use]
    pub fn covers(&self, covers: &[(usize, usize)]) -> Vec<Option<Arrow>> {
        let mut arrivals = vec![0_usize; self.nodes.len()];
        covers
            .iter()
            .map(|(from, to)| {
                let to = (*self.stand_in.get(*to)?)?;
                let (start, end) = (*self.nodes.get(*from)?, *self.nodes.get(to)?);
                let (start, end) = (start?, end?);
                if *from == to {
                    return None;
                }
                // Several arrivals at one node are spread over its side.
                let spread = [0.0, 0.5, -0.5, 0.25, -0.25][arrivals[to] % 5];
                arrivals[to] += 1;
                Some(self.cover(*from, start, to, end, spread))
            })
            .collect()
    }

    fn cover(&self, from: usize, start: Point, to: usize, end: Point, spread: f64) -> Arrow {
        let (a, b) = (self.sizes[from], self.sizes[to]);
        let best = candidates((start, a), (end, b), spread)
            .into_iter()
            .map(|candidate| (self.cost(&candidate, from, to), candidate.points))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let points = best.map_or([start, start, end, end], |(_, points)| points);
        let mut curve = Curve::from(points[0]);
        curve.cubic(points[1], points[2], points[3]);
        let label = cubic_at(points, 0.5);
        Arrow { tip: curve.end(), angle: curve.angle(), path: curve.data(), label }
    }

    fn cost(&self, candidate: &Candidate, from: usize, to: usize) -> f64 {
        let mut length = 0.0;
        let mut crossed: Vec<usize> = Vec::new();
        let mut outside = 0.0;
        let mut before = candidate.points[0];
        for i in 1..=SAMPLES {
            let at = cubic_at(candidate.points, f64::from(i) / f64::from(SAMPLES));
            length += (at.x - before.x).hypot(at.y - before.y);
            // Left of the drawing and above it there is no room.
            outside += (-at.x).max(0.0) + (-at.y).max(0.0);
            before = at;
            if let Some(node) = self.node_at(at).filter(|node| i < SAMPLES && *node != from) {
                // Through the covering node is as bad as through any other, except at the tip.
                if (node != to || i + 2 < SAMPLES) && crossed.last() != Some(&node) {
                    crossed.push(node);
                }
            }
        }
        length + candidate.dislike + CROSSING * crossed.len() as f64 + outside * 50.0
    }

    /// The node at a point, with some clearance.
    pub(super) fn node_at(&self, at: Point) -> Option<usize> {
        let row = self.rows.partition_point(|row| row.bottom + CLEARANCE < at.y);
        let row = self.rows.get(row).filter(|row| row.top - CLEARANCE <= at.y)?;
        let place = |node: usize| self.nodes[node].unwrap_or_default();
        let next = row.nodes.partition_point(|node| place(*node).x < at.x);
        [next.checked_sub(1), Some(next)].into_iter().flatten().filter_map(|i| row.nodes.get(i).copied()).find(
            |node| {
                let (centre, size) = (place(*node), self.sizes[*node]);
                (at.x - centre.x).abs() < size.width / 2.0 + CLEARANCE
                    && (at.y - centre.y).abs() < size.height / 2.0 + CLEARANCE
            },
        )
    }
}

/// The middle of a side, moved along it by a part of its length.
fn port((centre, size): (Point, Size), side: Side, spread: f64) -> Point {
    let out = side.outwards();
    let (w, h) = (size.width / 2.0, size.height / 2.0);
    Point::new(centre.x + out.x * w + out.y.abs() * spread * w, centre.y + out.y * h + out.x.abs() * spread * h)
}

fn candidates(from: (Point, Size), to: (Point, Size), spread: f64) -> Vec<Candidate> {
    let mut found = Vec::with_capacity(2 * BULGES.len() + 5);
    let rise = (from.0.y - to.0.y).abs();
    for side in [Side::Right, Side::Left] {
        let (start, end) = (port(from, side, 0.0), port(to, side, spread));
        let out = side.outwards().x;
        let base = if out > 0.0 { start.x.max(end.x) } else { start.x.min(end.x) };
        for bulge in BULGES {
            let far = base + out * (bulge + rise * 0.12);
            // An arc that leaves away from where it goes reads worse.
            let away = ((start.x - end.x) * out).min(0.0).abs() * 0.2;
            let points = [start, Point::new(far, start.y), Point::new(far, end.y), end];
            found.push(Candidate { points, dislike: away });
        }
    }
    let facing = if to.0.x < from.0.x { (Side::Left, Side::Right) } else { (Side::Right, Side::Left) };
    let vertical = if to.0.y < from.0.y { (Side::Top, Side::Bottom) } else { (Side::Bottom, Side::Top) };
    let swings = [
        (facing.0, facing.1, 0.0),
        (facing.0, Side::Bottom, 20.0),
        (facing.0, vertical.1, 20.0),
        // Top and bottom are where tree edges are.
        (vertical.0, vertical.1, 90.0),
        (Side::Bottom, Side::Bottom, 30.0),
    ];
    for (leaving, arriving, dislike) in swings {
        let (start, end) = (port(from, leaving, 0.0), port(to, arriving, spread));
        let reach = ((start.x - end.x).hypot(start.y - end.y) * 0.4).clamp(24.0, 160.0);
        let (out, into) = (leaving.outwards(), arriving.outwards());
        let points = [
            start,
            Point::new(start.x + out.x * reach, start.y + out.y * reach),
            Point::new(end.x + into.x * reach, end.y + into.y * reach),
            end,
        ];
        found.push(Candidate { points, dislike });
    }
    found
}

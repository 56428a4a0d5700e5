//! Corridors: a way between the nodes for covered-by edges that no single cubic can draw well.
//!
//! Below each row of a tree there is a gap. The edge leaves its node at the bottom, follows that gap to a column
//! that is free in all rows up to (or down to) the other node, and arrives there from the gap below it. Outside
//! the tree a column is always free.

use super::{Row, TRUNK, Tidy};
use crate::layout::curve::Curve;
use crate::layout::{Arrow, Point};

/// A corridor keeps this far away from nodes, at least: current nodes have a ring.
const CLEARANCE: f64 = 11.0;
/// Neighbouring corridors are this far apart.
const LANE: f64 = 4.0;
/// The radius of corners.
const RADIUS: f64 = 10.0;

impl Tidy {
    /// The corners of a way from below one node to below another.
    pub(super) fn corridor(
        &self,
        from: (usize, Point),
        to: (usize, Point),
        spread: f64,
    ) -> Option<Vec<Point>> {
        let row = |at: Point| self.rows.partition_point(|row| row.bottom < at.y);
        let (low, high) = (row(from.1), row(to.1));
        // Below the signs at nodes; the tree's own curves swing there, and labels are further below.
        let gap = |row: usize, shift: f64| self.rows.get(row).map(|row| row.bottom + TRUNK + 3.0 + shift);
        let start = Point::new(from.1.x, from.1.y + self.sizes[from.0].height / 2.0);
        let across = self.sizes[to.0].width * (0.25 + spread * 0.3);
        let side = if from.1.x < to.1.x { -1.0 } else { 1.0 };
        let end = Point::new(to.1.x + side * across, to.1.y + self.sizes[to.0].height / 2.0);
        let lane = LANE * (from.0 % 3) as f64;
        let (out, into) = (gap(low, lane)?, gap(high, LANE * spread)?);
        if low == high {
            return Some(vec![start, Point::new(start.x, out), Point::new(end.x, out), end]);
        }
        let column = self.column(low.min(high) + 1, low.max(high), (start.x, end.x), CLEARANCE + lane);
        let corners = [(start.x, out), (column, out), (column, into), (end.x, into)];
        let corners = corners.map(|(x, y)| Point::new(x, y));
        Some(std::iter::once(start).chain(corners).chain([end]).collect())
    }

    /// The x of the best column that is free in these rows, on the way from one x to another.
    fn column(&self, first: usize, last: usize, (a, b): (f64, f64), clearance: f64) -> f64 {
        let rows = self.rows.get(first..=last).unwrap_or(&[]);
        // Near where the edge starts: there, fewer edges want the same column.
        let wish = a + 0.15 * (b - a);
        let detour = |x: f64| (x - a).abs() + (x - b).abs();
        let [left, right] = [-1.0, 1.0].map(|side| self.free_column(rows, wish, side, clearance));
        if detour(left) < detour(right) { left } else { right }
    }

    /// The free column nearest to `x` on one side of it: every blocking node moves it further.
    fn free_column(&self, rows: &[Row], mut x: f64, side: f64, clearance: f64) -> f64 {
        let mut clear = 0;
        for row in rows.iter().cycle() {
            if clear >= rows.len() {
                break;
            }
            clear += 1;
            while let Some(pushed) = self.pushed(row, x, side, clearance) {
                x = pushed;
                clear = 1;
            }
        }
        x
    }

    /// Beyond the node of a row that blocks `x`, if one does.
    fn pushed(&self, row: &Row, x: f64, side: f64, clearance: f64) -> Option<f64> {
        let place = |node: &usize| self.nodes[*node].map_or(0.0, |at| at.x);
        let next = row.nodes.partition_point(|node| place(node) < x);
        [next.checked_sub(1), Some(next)].into_iter().flatten().filter_map(|i| row.nodes.get(i)).find_map(
            |node| {
                let half = self.sizes[*node].width / 2.0 + clearance;
                // Slightly beyond the edge counts as free, so that every push makes progress.
                ((x - place(node)).abs() < half - 0.01).then(|| place(node) + side * half)
            },
        )
    }
}

/// Straight lines with rounded corners, as an arrow.
pub(super) fn rounded(corners: &[Point]) -> Arrow {
    let (Some(first), Some(last)) = (corners.first(), corners.last()) else { return Arrow::default() };
    let mut curve = Curve::from(*first);
    for three in corners.windows(3) {
        let [before, corner, after] = [three[0], three[1], three[2]];
        let enter = towards(corner, before);
        let leave = towards(corner, after);
        curve.line(enter);
        curve.cubic(towards(corner, enter), towards(corner, leave), leave);
    }
    curve.line(*last);
    let label = corners[corners.len() / 2];
    Arrow { tip: curve.end(), angle: curve.angle(), path: curve.data(), label }
}

/// The point one radius away from a corner, or half the way when that is less.
fn towards(corner: Point, other: Point) -> Point {
    let (dx, dy) = (other.x - corner.x, other.y - corner.y);
    let length = dx.hypot(dy);
    let part = if length > 0.0 { RADIUS.min(length / 2.0) / length } else { 0.0 };
    Point::new(corner.x + dx * part, corner.y + dy * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_rounded() {
        let corners = [(0.0, 0.0), (0.0, 40.0), (50.0, 40.0), (50.0, 0.0)].map(|(x, y)| Point::new(x, y));
        let arrow = rounded(&corners);
        assert!(arrow.path.starts_with("M0 0L0 30C0 35 5 40 10 40L40 40C"), "{}", arrow.path);
        assert_eq!((arrow.tip, arrow.angle.round()), (corners[3], -90.0));
        assert_eq!(rounded(&[]), Arrow::default());
    }
}

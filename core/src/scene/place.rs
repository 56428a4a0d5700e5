//! Nodes with their names beside them: places of Petri nets, which are circles with tokens inside, and small
//! transitions.

use serde::{Deserialize, Serialize};

use crate::layout::{Point, Size};
use crate::scene::measure::BASE;
use crate::scene::{Anchor, HEAD, LINE, Node, PADDING, Rect, Row, RowKind, Shape, width};

/// The least diameter.
const DIAMETER: f64 = 38.0;
/// The sides of a small transition.
const SMALL: f64 = 22.0;
/// From the circle to the name.
const GAP: f64 = 5.0;
/// The radius of a token.
pub const TOKEN: f64 = 4.2;
/// From the centre of the circle to the tokens around it.
const APART: f64 = 8.0;
/// More tokens are written as a number.
const DOTS: usize = 5;
/// The sign of a token in texts.
const SIGN: char = '●';

/// A side of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Side {
    /// At the right.
    Right,
    /// Below.
    Below,
    /// Above.
    Above,
    /// At the left.
    Left,
}

impl Side {
    /// All of them, the best for a name first.
    pub(super) const ALL: [Side; 4] = [Side::Right, Side::Below, Side::Above, Side::Left];
}

/// Some tokens as a text: signs, or a number.
#[must_use]
pub fn tokens(number: u32) -> String {
    if number as usize <= DOTS { SIGN.to_string().repeat(number as usize) } else { number.to_string() }
}

/// The number of tokens that a text of [`tokens`] is about.
#[must_use]
pub fn number_of(text: &str) -> u32 {
    text.parse().unwrap_or_else(|_| u32::try_from(text.chars().filter(|c| *c == SIGN).count()).unwrap_or(0))
}

/// The size of a circle with these rows.
pub(super) fn size(rows: &[Row]) -> Size {
    let numbers = rows.iter().filter(|row| row.kind == RowKind::Fact && !row.text.starts_with(SIGN));
    let side = numbers.map(|row| width(&row.text) + 8.0).fold(DIAMETER, f64::max);
    Size::new(side, side)
}

impl Node {
    /// As a small square, with its name beside it.
    #[must_use]
    pub fn small(self) -> Node {
        let rect = Rect::around(self.rect.centre(), Size::new(SMALL, SMALL));
        Node { rect, side: Some(Side::Right), ..self }
    }

    /// The place of a name that is outside of the outline.
    #[must_use]
    pub fn name_rect(&self) -> Option<Rect> {
        let side = self.side?;
        let name = self.rows.iter().find(|row| row.kind == RowKind::Name)?;
        let (length, Rect { x, y, .. }, centre) = (width(&name.text), self.rect, self.rect.centre());
        let (x, y) = match side {
            Side::Right => (self.rect.right() + GAP, centre.y - LINE / 2.0),
            Side::Below => (centre.x - length / 2.0, self.rect.bottom() + 2.0),
            Side::Above => (centre.x - length / 2.0, y - LINE - 2.0),
            Side::Left => (x - GAP - length, centre.y - LINE / 2.0),
        };
        Some(Rect { x, y, width: length, height: LINE })
    }

    /// The place of the texts of a frame, where arrows may lead.
    #[must_use]
    pub fn head_rect(&self) -> Option<Rect> {
        let widest = self.rows.iter().map(|row| width(&row.text)).fold(0.0, f64::max);
        let height = HEAD - 6.0 + self.rows.len().saturating_sub(1) as f64 * LINE;
        let Rect { x, y, .. } = self.rect;
        let head = Rect { x: x + PADDING - 3.0, y: y + 3.0, width: widest + 6.0, height };
        (self.shape == Shape::Frame && !self.rows.is_empty()).then_some(head)
    }

    /// The rectangle around its outline and its name.
    #[must_use]
    pub fn extent(&self) -> Rect {
        self.name_rect().map_or(self.rect, |name| self.rect.with(name))
    }

    /// The centres of its tokens, if they are drawn one by one.
    #[must_use]
    pub fn tokens(&self) -> Vec<Point> {
        let text = self.rows.iter().find(|row| row.kind == RowKind::Fact).map_or("", |row| &row.text);
        if self.shape != Shape::Place || !text.starts_with(SIGN) {
            return Vec::new();
        }
        let at: &[(f64, f64)] = match number_of(text) {
            1 => &[(0.0, 0.0)],
            2 => &[(-0.8, 0.0), (0.8, 0.0)],
            3 => &[(0.0, -0.9), (-0.9, 0.7), (0.9, 0.7)],
            4 => &[(-0.8, -0.8), (0.8, -0.8), (-0.8, 0.8), (0.8, 0.8)],
            _ => &[(-1.0, -1.0), (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
        };
        let centre = self.rect.centre();
        at.iter().map(|(x, y)| Point::new(centre.x + x * APART, centre.y + y * APART)).collect()
    }

    /// Its rows if the name is beside it. Tokens drawn as dots have no row of text.
    pub(super) fn rows_beside(&self, name: Rect) -> Vec<(&Row, Point, Anchor)> {
        let (inside, centre) = (self.rect.centre(), name.centre());
        let place = |row: &Row| match row.kind {
            RowKind::Name => Some(centre),
            _ => (!row.text.starts_with(SIGN)).then_some(inside),
        };
        let placed = |row| place(row).map(|at| (row, Point::new(at.x, at.y + BASE), Anchor::Middle));
        self.rows.iter().filter_map(placed).collect()
    }

    /// The radius of its corners.
    pub(super) fn corner(&self) -> f64 {
        match self.shape {
            Shape::Place | Shape::Ellipse => self.rect.height / 2.0,
            Shape::Tile => 0.0,
            Shape::Box | Shape::Pill | Shape::Stub | Shape::Frame => 8.0,
        }
    }
}

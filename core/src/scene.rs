//! Pictures as data. A scene is what is to be seen at one step: nodes, edges, regions, labels and tables, with places,
//! with marks by role instead of colours, and with the thing of the model or of the run that each part stands for.
//!
//! Scenes depend on no browser. The page, SVG, DOT and TikZ are renderers of the same scene. Keys are stable: the same
//! thing has the same key at every step. Coordinates are pixels at the default size, x to the right and y down.

mod build;
mod dot;
mod mark;
mod measure;
mod outline;
mod pinned;
mod place;
mod sheet;
mod style;
mod svg;
mod thing;
mod tikz;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::layout::{Arrow, Point, Size};

pub use build::formula;
pub use mark::Mark;
pub use measure::{HEAD, LINE, PADDING, fit, middle, width};
pub use outline::Entry;
pub use place::{Side, TOKEN, number_of, tokens};
pub use style::{Dash, Ink, Style};
pub(crate) use svg::{bounds, first_point, reversed, shifted};
pub use thing::Thing;

/// A picture.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Scene {
    /// Its parts, beside each other where there is room.
    pub parts: Vec<Part>,
}

/// A part of a picture.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Part {
    /// Its heading; it names the part.
    pub heading: String,
    /// Sentences above it.
    pub caption: Text,
    /// What it shows.
    pub body: Body,
}

/// What a part shows.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub enum Body {
    /// The caption only.
    #[default]
    Nothing,
    /// A drawing.
    Drawing(Arc<Drawing>),
    /// A table.
    Table(Table),
}

/// A text in which formulas are set apart.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Text(pub Vec<Phrase>);

/// A part of a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Phrase {
    /// Words.
    Plain(String),
    /// A formula, an operation or a name of the model.
    Code(String),
}

/// A drawing: regions at the back, then lines, edges, nodes and labels.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Drawing {
    /// Areas behind the rest.
    pub regions: Vec<Region>,
    /// Lines without ends of their own.
    pub lines: Vec<Line>,
    /// Edges.
    pub edges: Vec<Edge>,
    /// Nodes.
    pub nodes: Vec<Node>,
    /// Free labels, such as those of axes.
    pub labels: Vec<Label>,
    /// The rectangle around everything.
    pub extent: Rect,
}

/// A rectangle.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Rect {
    /// Left.
    pub x: f64,
    /// Top.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// The outline of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Shape {
    /// A rectangle with rounded corners.
    #[default]
    Box,
    /// A rectangle with half circles as sides.
    Pill,
    /// An ellipse.
    Ellipse,
    /// A rectangle with sharp corners.
    Tile,
    /// A circle with its name beside it and tokens inside.
    Place,
    /// A short bar at the end of a stub: an edge that cannot be taken.
    Stub,
    /// A rectangle with rounded corners around other nodes, with its rows at the top.
    Frame,
}

/// A node.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Node {
    /// Its stable key.
    pub key: String,
    /// Its place.
    pub rect: Rect,
    /// Its outline.
    pub shape: Shape,
    /// Its rows.
    pub rows: Vec<Row>,
    /// What it is, in full.
    pub title: String,
    /// Its roles.
    pub marks: Vec<Mark>,
    /// What it stands for, the most specific first.
    pub about: Vec<Thing>,
    /// The side at which its name is, if that is outside of it.
    pub side: Option<Side>,
}

/// A row of text in a node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The text, shortened.
    pub text: String,
    /// Its kind.
    pub kind: RowKind,
    /// What it stands for.
    pub about: Option<Thing>,
}

/// The kind of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum RowKind {
    /// The name, emphasized.
    Name,
    /// A number in the corner, beside the name.
    Corner,
    /// A formula or a value.
    Fact,
}

/// An edge.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Edge {
    /// Its stable key.
    pub key: String,
    /// The key of the node it leaves.
    pub source: String,
    /// The key of the node it enters.
    pub target: String,
    /// Its curve.
    pub arrow: Arrow,
    /// Its label, shortened.
    pub label: String,
    /// What it is, in full.
    pub title: String,
    /// Its roles.
    pub marks: Vec<Mark>,
    /// What it stands for.
    pub about: Vec<Thing>,
}

/// An area behind the nodes.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Region {
    /// Its stable key.
    pub key: String,
    /// Its place.
    pub rect: Rect,
    /// Its roles.
    pub marks: Vec<Mark>,
    /// What it stands for.
    pub about: Vec<Thing>,
}

/// A line.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Line {
    /// Its curve as SVG path data of `M`, `L`, `C` and `Z`.
    pub path: String,
    /// Its roles.
    pub marks: Vec<Mark>,
}

/// The horizontal position of a label at its point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Anchor {
    /// The text begins there.
    Start,
    /// The text is centred there.
    #[default]
    Middle,
    /// The text ends there.
    End,
}

/// A free label.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Label {
    /// Its text, shortened.
    pub text: String,
    /// The point on its base line.
    pub at: Point,
    /// The position of the text at the point.
    pub anchor: Anchor,
    /// Its roles.
    pub marks: Vec<Mark>,
}

/// A table.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Table {
    /// The headings of its columns.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<TableRow>,
}

/// A row of a table.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TableRow {
    /// Its stable key.
    pub key: String,
    /// By column, the entries there.
    pub cells: Vec<Vec<Chip>>,
}

/// An entry of a table.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Chip {
    /// Its text.
    pub text: Text,
    /// What it is, in full; empty if the text has all of it.
    pub title: String,
    /// Its roles.
    pub marks: Vec<Mark>,
    /// What it stands for.
    pub about: Vec<Thing>,
}

/// The roles with a meaning, each once, in the order of the legend.
fn in_legend<'a>(marks: impl Iterator<Item = &'a Mark>) -> Vec<Mark> {
    let mut all: Vec<Mark> = marks.copied().filter(|mark| mark.meaning().is_some()).collect();
    all.sort_unstable();
    // Kinds without order have one entry.
    all.dedup_by_key(|mark| mark.meaning());
    all
}

impl Table {
    /// The roles in it, in the order of the legend.
    #[must_use]
    pub fn legend(&self) -> Vec<Mark> {
        let chips = self.rows.iter().flat_map(|row| row.cells.iter().flatten());
        in_legend(chips.flat_map(|chip| &chip.marks))
    }
}

impl Scene {
    /// A picture of one part.
    #[must_use]
    pub fn of(heading: &str, caption: Text, body: Body) -> Scene {
        Scene { parts: vec![Part { heading: heading.to_owned(), caption, body }] }
    }

    /// A sentence in place of a picture.
    #[must_use]
    pub fn sentence(text: &str) -> Scene {
        Scene::of("", Text::plain(text), Body::Nothing)
    }

    /// The sentence in place of a picture, if it is one.
    #[must_use]
    pub fn as_sentence(&self) -> Option<String> {
        match &self.parts[..] {
            [Part { caption, body: Body::Nothing, .. }] => Some(caption.to_string()),
            _ => None,
        }
    }

    /// The headings of its parts.
    #[must_use]
    pub fn title(&self) -> String {
        let headings =
            self.parts.iter().map(|part| part.heading.as_str()).filter(|heading| !heading.is_empty());
        headings.collect::<Vec<_>>().join("; ")
    }

    /// All parts as one drawing, with headings and captions.
    #[must_use]
    pub fn sheet(&self) -> Drawing {
        sheet::of(self)
    }

    /// The same with a legend below, for formats that are viewed.
    #[must_use]
    pub fn sheet_with_legend(&self) -> Drawing {
        sheet::with_legend(self)
    }

    /// The drawings with their headings.
    pub fn drawings(&self) -> impl Iterator<Item = (&Part, &Drawing)> {
        self.parts.iter().filter_map(|part| match &part.body {
            Body::Drawing(drawing) => Some((part, &**drawing)),
            Body::Table(_) | Body::Nothing => None,
        })
    }
}

impl Text {
    /// Words.
    #[must_use]
    pub fn plain(text: &str) -> Text {
        Text(vec![Phrase::Plain(text.to_owned())])
    }

    /// A formula.
    #[must_use]
    pub fn code(text: &str) -> Text {
        Text(vec![Phrase::Code(text.to_owned())])
    }

    /// This text, then another.
    #[must_use]
    pub fn and(mut self, other: Text) -> Text {
        self.0.extend(other.0);
        self
    }

    /// This text, then words.
    #[must_use]
    pub fn then(self, words: &str) -> Text {
        self.and(Text::plain(words))
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for phrase in &self.0 {
            match phrase {
                Phrase::Plain(text) | Phrase::Code(text) => f.write_str(text)?,
            }
        }
        Ok(())
    }
}

/// A number rounded to tenths.
fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn rounded(point: Point) -> Point {
    Point::new(tenths(point.x), tenths(point.y))
}

impl Rect {
    /// With its sides at tenths of a pixel.
    fn rounded(self) -> Rect {
        let (x, y) = (tenths(self.x), tenths(self.y));
        Rect { x, y, width: tenths(self.right() - x), height: tenths(self.bottom() - y) }
    }

    /// The rectangle of this size around a centre.
    #[must_use]
    pub fn around(centre: Point, size: Size) -> Rect {
        let (x, y) = (centre.x - size.width / 2.0, centre.y - size.height / 2.0);
        Rect { x, y, width: size.width, height: size.height }
    }

    /// The right side.
    #[must_use]
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    /// The lower side.
    #[must_use]
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    /// The centre.
    #[must_use]
    pub fn centre(&self) -> Point {
        Point::new(self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// Do the rectangles share a point?
    #[must_use]
    pub fn meets(&self, other: &Rect) -> bool {
        self.x <= other.right()
            && other.x <= self.right()
            && self.y <= other.bottom()
            && other.y <= self.bottom()
    }

    /// Is the other one inside?
    #[must_use]
    pub fn contains(&self, other: &Rect) -> bool {
        self.x <= other.x
            && self.y <= other.y
            && other.right() <= self.right()
            && other.bottom() <= self.bottom()
    }

    /// The smallest rectangle around both.
    #[must_use]
    pub fn with(self, other: Rect) -> Rect {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let (right, bottom) = (self.right().max(other.right()), self.bottom().max(other.bottom()));
        Rect { x, y, width: right - x, height: bottom - y }
    }

    /// The rectangle without (or, if negative, with) a border of this width.
    #[must_use]
    pub fn inset(self, by: f64) -> Rect {
        Rect { x: self.x + by, y: self.y + by, width: self.width - 2.0 * by, height: self.height - 2.0 * by }
    }
}

impl Node {
    /// Is it marked so?
    #[must_use]
    pub fn is(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }

    /// The rows with the points on their base lines and their anchors.
    ///
    /// A node that has facts is set flush left, with the corner at the right; a name alone is centred.
    #[must_use]
    pub fn placed(&self) -> Vec<(&Row, Point, Anchor)> {
        let facts = self.rows.iter().filter(|row| row.kind == RowKind::Fact).count();
        let alone = facts == 0 && !self.rows.iter().any(|row| row.kind == RowKind::Corner);
        let middle = self.rect.x + self.rect.width / 2.0;
        if let Some(name) = self.name_rect() {
            return self.rows_beside(name);
        }
        if (alone && self.shape != Shape::Frame) || matches!(self.shape, Shape::Ellipse) {
            let first = self.rect.centre().y + measure::BASE - (self.rows.len() as f64 - 1.0) * LINE / 2.0;
            let row = |(i, row)| (row, Point::new(middle, first + i as f64 * LINE), Anchor::Middle);
            return self.rows.iter().enumerate().map(row).collect();
        }
        let headed = self.rows.iter().any(|row| row.kind != RowKind::Fact);
        let is_centred = facts == 0 && self.shape != Shape::Frame;
        let head = self.rect.y + if is_centred { self.rect.height / 2.0 + measure::BASE } else { HEAD - 7.0 };
        let first = if headed { head + LINE } else { self.rect.y + LINE };
        let (left, right) = (self.rect.x + PADDING, self.rect.right() - PADDING);
        let mut fact = 0.0;
        let mut placed = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            placed.push(match row.kind {
                RowKind::Name => (row, Point::new(left, head), Anchor::Start),
                RowKind::Corner => (row, Point::new(right, head), Anchor::End),
                RowKind::Fact => {
                    fact += 1.0;
                    (row, Point::new(left, first + (fact - 1.0) * LINE), Anchor::Start)
                }
            });
        }
        placed
    }
}

impl Edge {
    /// The place of its label, with a margin.
    #[must_use]
    pub fn plate(&self) -> Option<Rect> {
        let size = Size::new(width(&self.label) + 6.0, LINE + 1.0);
        (!self.label.is_empty()).then(|| Rect::around(self.arrow.label, size))
    }

    /// Points along its arrow.
    #[must_use]
    pub fn along(&self) -> Vec<Point> {
        svg::along(&self.arrow.path)
    }

    /// The rectangle around its arrow and its label.
    #[must_use]
    pub fn extent(&self) -> Option<Rect> {
        svg::bounds(&self.arrow.path).into_iter().chain(self.plate()).reduce(Rect::with)
    }
}

impl Label {
    /// The place of the text.
    #[must_use]
    pub fn rect(&self) -> Rect {
        let length = width(&self.text);
        let x = match self.anchor {
            Anchor::Start => self.at.x,
            Anchor::Middle => self.at.x - length / 2.0,
            Anchor::End => self.at.x - length,
        };
        Rect { x, y: self.at.y - LINE + 4.0, width: length, height: LINE }
    }
}

impl Drawing {
    /// Sets the extent to what is drawn, with a margin, and rounds all places to tenths of a pixel.
    #[must_use]
    pub fn bounded(mut self, margin: f64) -> Drawing {
        self.nodes.iter_mut().for_each(|node| node.rect = node.rect.rounded());
        self.regions.iter_mut().for_each(|region| region.rect = region.rect.rounded());
        self.labels.iter_mut().for_each(|label| label.at = rounded(label.at));
        for Arrow { tip, label, angle, .. } in self.edges.iter_mut().map(|edge| &mut edge.arrow) {
            (*tip, *label, *angle) = (rounded(*tip), rounded(*label), tenths(*angle));
        }
        let all = self.nodes.iter().map(Node::extent);
        let all = all.chain(self.regions.iter().map(|region| region.rect));
        let all = all.chain(self.edges.iter().filter_map(Edge::plate));
        let all = all.chain(self.labels.iter().map(Label::rect));
        let curves = self.edges.iter().map(|edge| edge.arrow.path.as_str());
        let curves = curves.chain(self.lines.iter().map(|line| line.path.as_str()));
        let all = all.chain(curves.filter_map(svg::bounds));
        self.extent = all.reduce(Rect::with).unwrap_or_default().inset(-margin).rounded();
        self
    }

    /// The node with this key.
    #[must_use]
    pub fn node(&self, key: &str) -> Option<&Node> {
        self.nodes.iter().find(|node| node.key == key)
    }

    /// The marks in the drawing that have a meaning of their own, in a fixed order.
    #[must_use]
    pub fn legend(&self) -> Vec<Mark> {
        let nodes = self.nodes.iter().flat_map(|node| &node.marks);
        let edges = self.edges.iter().flat_map(|edge| &edge.marks);
        let regions = self.regions.iter().flat_map(|region| &region.marks);
        let lines = self.lines.iter().flat_map(|line| &line.marks);
        in_legend(nodes.chain(edges).chain(regions).chain(lines))
    }

    /// Have only edges and lines this role?
    #[must_use]
    pub fn on_edges_only(&self, mark: Mark) -> bool {
        !self.nodes.iter().any(|node| node.is(mark))
            && !self.regions.iter().any(|region| region.marks.contains(&mark))
    }

    /// As SVG that opens on its own: no script, no font and no style sheet from elsewhere.
    #[must_use]
    pub fn to_svg(&self, title: &str) -> String {
        svg::write(self, title)
    }

    /// As a graph for Graphviz, with the places of the nodes.
    #[must_use]
    pub fn to_dot(&self, title: &str) -> String {
        dot::write(self, title)
    }

    /// As a picture of TikZ, with the same coordinates.
    #[must_use]
    pub fn to_tikz(&self, title: &str) -> String {
        tikz::write(self, title)
    }

    /// The drawing as a list of its nodes with their edges.
    #[must_use]
    pub fn outline(&self) -> Vec<Entry> {
        outline::of(self)
    }
}

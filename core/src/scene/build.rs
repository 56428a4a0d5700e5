//! Building drawings: nodes get sizes from their texts, and graphs get places from the layered layout.

use std::collections::BTreeMap;

use crate::kit::{Answer, FormulaId, Journal};
use crate::layout::Size;
use crate::layout::layered::{self, Options};
use crate::scene::measure::head_size;
use crate::scene::place;
use crate::scene::{
    Chip, Drawing, Edge, LINE, Mark, Node, PADDING, Rect, Row, RowKind, Shape, Side, Text, Thing, fit, width,
};

impl Row {
    /// A name.
    #[must_use]
    pub fn name(text: impl Into<String>) -> Row {
        Row { text: text.into(), kind: RowKind::Name, about: None }
    }

    /// A number in the corner.
    #[must_use]
    pub fn corner(text: impl Into<String>) -> Row {
        Row { text: text.into(), kind: RowKind::Corner, about: None }
    }

    /// A fact.
    #[must_use]
    pub fn fact(text: impl Into<String>, about: Option<Thing>) -> Row {
        Row { text: text.into(), kind: RowKind::Fact, about }
    }
}

impl Node {
    /// A node as large as its rows need, at no place yet.
    #[must_use]
    pub fn new(key: String, shape: Shape, rows: Vec<Row>, title: String) -> Node {
        let single = rows.iter().all(|row| row.kind == RowKind::Name);
        let size = match shape {
            Shape::Ellipse => {
                let widest = rows.iter().map(|row| width(&row.text)).fold(0.0, f64::max);
                let side = (widest + 2.0 * PADDING).max(42.0);
                Size::new(side, (rows.len() as f64 * LINE + 2.0 * PADDING).max(42.0))
            }
            Shape::Place => place::size(&rows),
            Shape::Stub => Size::new(10.0, 14.0),
            _ if single => {
                let widest = rows.iter().map(|row| width(&row.text)).fold(0.0, f64::max);
                Size::new((widest + 2.6 * PADDING).max(46.0), rows.len() as f64 * LINE + 13.0)
            }
            _ => head_size(&rows),
        };
        let rect = Rect { width: size.width, height: size.height, ..Rect::default() };
        let side = (shape == Shape::Place).then_some(Side::Right);
        Node { key, rect, shape, rows, title, side, ..Node::default() }
    }

    /// With roles, each if its condition holds.
    #[must_use]
    pub fn marked(mut self, marks: &[(Mark, bool)]) -> Node {
        self.marks.extend(marks.iter().filter(|(_, holds)| *holds).map(|(mark, _)| *mark));
        self
    }

    /// With what it stands for.
    #[must_use]
    pub fn about(mut self, things: impl IntoIterator<Item = Thing>) -> Node {
        self.about.extend(things);
        self
    }
}

impl Edge {
    /// An edge at no place yet.
    #[must_use]
    pub fn new(key: String, source: String, target: String) -> Edge {
        Edge { key, source, target, ..Edge::default() }
    }

    /// With a short label, and all of it as a title.
    #[must_use]
    pub fn labelled(mut self, label: String, title: String) -> Edge {
        (self.label, self.title) = (label, title);
        self
    }

    /// With roles, each if its condition holds.
    #[must_use]
    pub fn marked(mut self, marks: &[(Mark, bool)]) -> Edge {
        self.marks.extend(marks.iter().filter(|(_, holds)| *holds).map(|(mark, _)| *mark));
        self
    }
}

impl Chip {
    /// An entry with a role.
    #[must_use]
    pub fn new(mark: Mark, text: Text) -> Chip {
        Chip { text, marks: vec![mark], ..Chip::default() }
    }

    /// An entry without roles, with all of it as a title.
    #[must_use]
    pub fn titled(text: Text, title: String) -> Chip {
        Chip { text, title, ..Chip::default() }
    }

    /// A question with the solver's answer; `yes` is the role of the answer yes.
    #[must_use]
    pub fn answered(question: &str, answer: Answer, yes: Mark) -> Chip {
        let (mark, word) = match answer {
            Answer::Sat => (yes, "yes"),
            Answer::Unsat => (Mark::No, "no"),
            Answer::Unknown => (Mark::Open, "unknown"),
        };
        Chip::new(mark, Text::plain(&format!("{question} {word}")))
    }
}

/// The longest formula in a table.
const FORMULA: usize = 90;

/// A formula of a journal.
#[must_use]
pub fn formula(journal: &Journal, id: FormulaId) -> &str {
    journal.formulas.get(id.index()).map_or("?", String::as_str)
}

impl Text {
    /// A formula of a journal, shortened.
    #[must_use]
    pub fn formula(journal: &Journal, id: FormulaId) -> Text {
        Text::code(&fit(formula(journal, id), FORMULA))
    }
}

impl Drawing {
    /// A graph, laid out in layers from its first node or the one with this index. Edges between other nodes are left
    /// out.
    #[must_use]
    pub fn layered(mut nodes: Vec<Node>, edges: Vec<Edge>, initial: usize, options: &Options) -> Drawing {
        let places: BTreeMap<&str, usize> =
            nodes.iter().enumerate().map(|(i, node)| (node.key.as_str(), i)).collect();
        let ends =
            |edge: &Edge| Some((*places.get(edge.source.as_str())?, *places.get(edge.target.as_str())?));
        let (mut kept, mut drawn) = (Vec::new(), Vec::new());
        for edge in edges {
            let Some((source, target)) = ends(&edge) else { continue };
            let label = edge.plate().map(|plate| Size::new(plate.width, plate.height));
            drawn.push(layered::Edge::new(source, target, label));
            kept.push(edge);
        }
        let sizes: Vec<Size> = nodes.iter().map(|n| Size::new(n.rect.width, n.rect.height)).collect();
        let vertex = |(node, size): (&Node, &Size)| layered::Node {
            size: *size,
            corner: node.corner(),
            beside: node.name_rect().map_or(0.0, |name| name.right() - node.rect.right()),
        };
        let vertices: Vec<layered::Node> = nodes.iter().zip(&sizes).map(vertex).collect();
        let placed = layered::draw(&vertices, &drawn, initial, options);
        for ((node, centre), size) in nodes.iter_mut().zip(&placed.nodes).zip(&sizes) {
            node.rect = Rect::around(*centre, *size);
        }
        for (edge, arrow) in kept.iter_mut().zip(placed.edges) {
            edge.arrow = arrow;
        }
        Drawing { nodes, edges: kept, ..Drawing::default() }.bounded(options.margin)
    }
}

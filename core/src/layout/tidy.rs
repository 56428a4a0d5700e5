//! A tidy tree for the abstract reachability graph, stable under growth.
//!
//! Like the drawings of Walker and of Buchheim, Jünger and Leipert: one row a depth, parents centred over their
//! children, order kept, linear time. One rule differs, so that nodes keep their places while the engine appends
//! nodes: a subtree never extends to the left of the place its root would have as a leaf. Then every x depends
//! only on what is to the left and below, and grows with it: appending a node moves nodes to the right or not at
//! all. (Walker's trees tuck a subtree under its left neighbour, and pull it back out later.)
//!
//! Covered-by edges are not part of the tree; [`Tidy::covers`] lays them over it.

mod corridor;
mod cover;
#[cfg(test)]
mod tests;

use crate::layout::curve::Curve;
use crate::layout::{Arrow, Point, Size, in_order_of};

/// Which part of a subtree is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Show {
    /// The node and its children.
    #[default]
    Open,
    /// The node only, in place of its whole subtree.
    Folded,
    /// Neither the node nor its subtree.
    Hidden,
}

/// A node of the tree.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Node {
    /// Its parent, which must come earlier; any other number makes the node a root.
    pub parent: Option<usize>,
    /// Its extent.
    pub size: Size,
    /// The width of the label of the edge above it.
    pub label: f64,
    /// The drawn part of its subtree.
    pub show: Show,
    /// Its centre in the previous drawing: the tree is moved by the most common distance across and down to it.
    pub before: Option<Point>,
}

/// Distances.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// Between children of the same node.
    pub sibling_gap: f64,
    /// Between neighbours that are not siblings.
    pub branch_gap: f64,
    /// Between rows, for the curves of edges.
    pub level_gap: f64,
    /// Above each node, for the label of the edge to it; 0 if edges have no labels.
    pub label_room: f64,
    /// Around the drawing.
    pub margin: f64,
}

/// Between the label of an edge and the node below it: the arrow and the ring around a current node are there.
const ARROW: f64 = 16.0;
/// Below a node, where its edges are one line, so that there is room for signs beside it.
const TRUNK: f64 = 14.0;

impl Default for Options {
    fn default() -> Options {
        Options { sibling_gap: 16.0, branch_gap: 28.0, level_gap: 48.0, label_room: 18.0, margin: 24.0 }
    }
}

/// A drawn tree.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tidy {
    /// The centre of each node, if it is drawn.
    pub nodes: Vec<Option<Point>>,
    /// The edge from the parent of each node, if both are drawn.
    pub edges: Vec<Option<Arrow>>,
    /// For each node, how many nodes below it are not drawn.
    pub folded: Vec<usize>,
    /// The node that is drawn for each node: itself, or the folded one above it.
    pub stand_in: Vec<Option<usize>>,
    /// The extent of the tree.
    pub size: Size,
    sizes: Vec<Size>,
    /// The width of the label above each node, and the height of all.
    labels: (Vec<f64>, f64),
    rows: Vec<Row>,
}

/// The nodes of one depth.
#[derive(Clone, PartialEq, Debug, Default)]
struct Row {
    /// From left to right.
    nodes: Vec<usize>,
    top: f64,
    bottom: f64,
}

/// Draws a tree, or several side by side.
#[must_use]
pub fn draw(nodes: &[Node], options: &Options) -> Tidy {
    let shape = Shape::new(nodes);
    let sizes: Vec<Size> = nodes.iter().map(|n| Size::new(n.size.width, n.size.height)).collect();
    let wide = |(node, size): (&Node, &Size)| Size::new(size.width.max(node.label), size.height);
    let rooms: Vec<Size> = nodes.iter().zip(&sizes).map(wide).collect();
    let x = across(nodes, &shape, &rooms, options);
    let mut tidy = Tidy {
        nodes: vec![None; nodes.len()],
        edges: vec![None; nodes.len()],
        folded: shape.folded,
        stand_in: shape.stand_in,
        size: Size::default(),
        rows: rows(&shape.depth, &x, &sizes, options),
        sizes,
        labels: (nodes.iter().map(|node| node.label).collect(), options.label_room),
    };
    for row in &tidy.rows {
        for node in &row.nodes {
            tidy.nodes[*node] = Some(Point::new(x[*node], f64::midpoint(row.top, row.bottom)));
            tidy.size.width = tidy.size.width.max(x[*node] + rooms[*node].width / 2.0 + options.margin);
        }
        tidy.size.height = row.bottom + options.margin;
    }
    tidy.settle(nodes);
    for child in 0..nodes.len() {
        let parent = shape.parent[child];
        tidy.edges[child] = parent.and_then(|parent| tidy.edge(parent, child, options));
    }
    tidy
}

impl Tidy {
    /// Moves the whole tree by the most common distances, so that most nodes are where they were.
    fn settle(&mut self, nodes: &[Node]) {
        let moves = || nodes.iter().zip(&self.nodes).filter_map(|(node, now)| node.before.zip(*now));
        let x = most_common(&moves().map(|(before, now)| before.x - now.x).collect::<Vec<_>>());
        let y = most_common(&moves().map(|(before, now)| before.y - now.y).collect::<Vec<_>>());
        for node in self.nodes.iter_mut().flatten() {
            *node = Point::new(node.x + x, node.y + y);
        }
        for row in &mut self.rows {
            (row.top, row.bottom) = (row.top + y, row.bottom + y);
        }
    }

    /// From below the parent to above the child; the end is straight, below its label.
    fn edge(&self, parent: usize, child: usize, options: &Options) -> Option<Arrow> {
        let (from, to) = (self.nodes[parent]?, self.nodes[child]?);
        let start = Point::new(from.x, from.y + self.sizes[parent].height / 2.0);
        let end = Point::new(to.x, to.y - self.sizes[child].height / 2.0);
        let row = self.rows.iter().rfind(|row| row.top <= end.y + 0.01)?;
        let label = Point::new(to.x, row.top - ARROW - options.label_room / 2.0);
        let mut curve = Curve::from(start);
        // Inside the parent's row the edge runs straight, so that it does not touch a higher neighbour.
        let below = self.rows.iter().rfind(|row| row.top <= from.y)?.bottom + TRUNK;
        curve.line(Point::new(start.x, below));
        curve.swing(Point::new(end.x, row.top - ARROW - options.label_room));
        curve.line(end);
        Some(Arrow { tip: end, angle: 90.0, path: curve.data(), label })
    }
}

/// The most common of some distances, in halves of a pixel; 0 if there are none.
fn most_common(distances: &[f64]) -> f64 {
    let mut order: Vec<usize> = (0..distances.len()).collect();
    in_order_of(&mut order, &|at| distances[at]);
    let halves = |at: &usize| (distances[*at] * 2.0).round() / 2.0;
    let runs = order.chunk_by(|a, b| (halves(a) - halves(b)).abs() < 0.25);
    let longest = runs.reduce(|best, run| if run.len() > best.len() { run } else { best });
    longest.map_or(0.0, |run| halves(&run[0]))
}

/// The tree structure, and its drawn part.
struct Shape {
    /// A parent that comes earlier; `None` for roots.
    parent: Vec<Option<usize>>,
    /// The children that are drawn, in order.
    children: Vec<Vec<usize>>,
    /// The depth of nodes that are drawn.
    depth: Vec<Option<usize>>,
    folded: Vec<usize>,
    stand_in: Vec<Option<usize>>,
}

impl Shape {
    fn new(nodes: &[Node]) -> Shape {
        let count = nodes.len();
        let parent: Vec<Option<usize>> =
            nodes.iter().enumerate().map(|(id, node)| node.parent.filter(|p| *p < id)).collect();
        let mut shape = Shape {
            children: vec![Vec::new(); count],
            depth: vec![None; count],
            folded: vec![0; count],
            stand_in: vec![None; count],
            parent,
        };
        // Parents come first, so one pass goes down and one goes up.
        for (id, node) in nodes.iter().enumerate() {
            let drawn = node.show != Show::Hidden;
            match shape.parent[id] {
                None if drawn => (shape.depth[id], shape.stand_in[id]) = (Some(0), Some(id)),
                None => {}
                Some(parent) => match (shape.depth[parent], nodes[parent].show) {
                    (Some(depth), Show::Open) if drawn => {
                        (shape.depth[id], shape.stand_in[id]) = (Some(depth + 1), Some(id));
                        shape.children[parent].push(id);
                    }
                    (Some(_), Show::Folded) | (None, _) => shape.stand_in[id] = shape.stand_in[parent],
                    // Hidden by itself: no node stands in for it.
                    (Some(_), _) => {}
                },
            }
        }
        for id in (0..count).rev() {
            if let Some(parent) = shape.parent[id] {
                shape.folded[parent] += shape.folded[id] + usize::from(shape.depth[id].is_none());
            }
        }
        shape
    }
}

/// The x of each drawn node, in whole pixels: the least that keeps the gaps, the centring, and the rule on growth.
fn across(nodes: &[Node], shape: &Shape, sizes: &[Size], options: &Options) -> Vec<f64> {
    let mut x = vec![0.0; nodes.len()];
    // The last node placed in each row.
    let mut last: Vec<Option<usize>> = Vec::new();
    // The least x of a node that is being placed: its place as a leaf.
    let mut least = vec![0.0; nodes.len()];
    let mut stack: Vec<(usize, usize)> = Vec::new();
    for root in (0..nodes.len()).filter(|id| shape.depth[*id] == Some(0)) {
        stack.push((root, 0));
        while let Some((node, next)) = stack.last_mut() {
            let (node, at) = (*node, *next);
            *next += 1;
            let depth = shape.depth[node].unwrap_or(0);
            if at == 0 {
                if last.len() <= depth {
                    last.resize(depth + 1, None);
                }
                let half = sizes[node].width / 2.0;
                let free = last[depth].map_or(options.margin + half, |before: usize| {
                    let siblings = shape.parent[before] == shape.parent[node] && depth > 0;
                    let gap = if siblings { options.sibling_gap } else { options.branch_gap };
                    x[before] + sizes[before].width / 2.0 + gap + half
                });
                let free = free.ceil();
                let first = shape.parent[node].filter(|p| shape.children[*p].first() == Some(&node));
                least[node] = first.map_or(free, |parent| free.max(least[parent]));
            }
            if let Some(child) = shape.children[node].get(at) {
                stack.push((*child, 0));
                continue;
            }
            x[node] = match (shape.children[node].first(), shape.children[node].last()) {
                (Some(first), Some(end)) => f64::midpoint(x[*first], x[*end]).round(),
                _ => least[node],
            };
            last[depth] = Some(node);
            stack.pop();
        }
    }
    x
}

fn rows(depth: &[Option<usize>], x: &[f64], sizes: &[Size], options: &Options) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (node, depth) in depth.iter().enumerate() {
        let Some(depth) = *depth else { continue };
        if rows.len() <= depth {
            rows.resize(depth + 1, Row::default());
        }
        rows[depth].nodes.push(node);
    }
    let mut top = options.margin;
    for row in &mut rows {
        in_order_of(&mut row.nodes, &|node| x[node]);
        row.top = top;
        row.bottom = top + row.nodes.iter().map(|n| sizes[*n].height).fold(0.0, f64::max);
        top = row.bottom + options.level_gap + options.label_room;
    }
    rows
}

//! The graph of differences: terms on a circle, at fixed positions, and the constraints in force.

use yew::prelude::*;

use crate::solver::arithmetic_view::Marks;
use crate::solver::protocol::Edge;
use crate::solver::words::text;
use crate::text::{decimal, short};

/// Larger graphs are shown as lists.
const NODES: usize = 28;

type Node = (Option<u32>, String);

/// The graph and its list.
pub fn graph(marks: &Marks, nodes: &[Node], edges: &[Edge]) -> Html {
    let name = |n: u32| name(marks, nodes, n);
    let row = |Edge { from, to, bound, literal, refused }: &Edge| {
        html! {
            <li class={marks.class(*literal)} title={format!("because of {}", text(marks.opened, *literal))}>
                { match (*to, *from) {
                    (0, from) => format!("−{} {bound}", name(from)),
                    (to, 0) => format!("{} {bound}", name(to)),
                    (to, from) => format!("{} − {} {bound}", name(to), name(from)),
                } }
                if *refused { { " would close a negative cycle" } }
            </li>
        }
    };
    html! {
        <div class="differences">
            if nodes.len() <= NODES { { Circle::new(nodes.len()).draw(marks, nodes, edges) } }
            if let Some(sum) = marks.contradiction.then(|| sum(marks, edges)).flatten() {
                <p class="cycle-sum">{ "The sum of the bounds around the cycle is " }<strong>{ sum }</strong>{ ": a term would be less than itself." }</p>
            }
            <ol class="rows" tabindex="0" aria-label="Constraints in force">
                { for edges.iter().map(row) }
                if edges.is_empty() { <li class="muted">{ "No constraint is in force." }</li> }
            </ol>
        </div>
    }
}

fn name<'a>(marks: &'a Marks, nodes: &[Node], n: u32) -> &'a str {
    nodes.get(n as usize).and_then(|(name, _)| *name).map_or("0", |name| marks.name(name))
}

fn class(marks: &Marks, edge: &Edge) -> Classes {
    classes!("difference", marks.class(edge.literal), edge.refused.then_some("refused"))
}

/// `3 − 2 + 4 − 6 = −1`: what the bounds of a negative cycle add up to, if they are integers.
fn sum(marks: &Marks, edges: &[Edge]) -> Option<String> {
    let guilty = edges.iter().filter(|e| marks.guilty.contains(&e.literal));
    let mut total: i64 = 0;
    let mut text = String::new();
    for edge in guilty {
        let bound = edge.bound.strip_prefix("≤ ")?;
        let (sign, size) = bound.strip_prefix('−').map_or((1, bound), |size| (-1, size));
        let size: i64 = size.parse().ok()?;
        total = total.checked_add(sign * size)?;
        let joint = match (text.is_empty(), sign) {
            (true, 1) => "",
            (true, _) => "−",
            (false, 1) => " + ",
            (false, _) => " − ",
        };
        text.push_str(joint);
        text.push_str(&size.to_string());
    }
    (total < 0).then(|| format!("{text} = −{}", -total))
}

fn at(v: f64) -> String {
    decimal(v, 1)
}

/// Where nodes are drawn.
struct Circle {
    count: f64,
    radius: f64,
    width: f64,
    height: f64,
}

impl Circle {
    fn new(nodes: usize) -> Circle {
        let count = nodes.max(1) as f64;
        let radius = (count * 17.0).clamp(64.0, 190.0);
        Circle { count, radius, width: 2.3 * radius + 230.0, height: 2.0 * radius + 84.0 }
    }

    fn place(&self, n: u32) -> (f64, f64) {
        let angle = f64::from(n) / self.count * std::f64::consts::TAU - std::f64::consts::FRAC_PI_2;
        (self.width / 2.0 + self.radius * 1.15 * angle.cos(), self.height / 2.0 + self.radius * angle.sin())
    }

    fn draw(&self, marks: &Marks, nodes: &[Node], edges: &[Edge]) -> Html {
        // Zero is drawn where something is compared with it.
        let zero = edges.iter().any(|e| e.from == 0 || e.to == 0);
        let shown = nodes.iter().enumerate().filter(|(n, _)| zero || *n > 0);
        // Several constraints between the same terms lie beside each other.
        let nth =
            |i: usize| edges[..i].iter().filter(|e| (e.from, e.to) == (edges[i].from, edges[i].to)).count();
        html! {
            <svg class="graph" viewBox={format!("0 0 {} {}", at(self.width), at(self.height))} style={format!("max-width:{}px", at(self.width * 1.25))}
                role="img" aria-label={format!("A graph of {} terms and {} constraints", nodes.len(), edges.len())}>
                { for edges.iter().enumerate().map(|(i, e)| self.arrow(marks, e, nth(i))) }
                { for edges.iter().enumerate().map(|(i, e)| self.label(marks, e, nth(i))) }
                { for shown.map(|(n, (_, value))| self.node(name(marks, nodes, n as u32), value, n as u32)) }
            </svg>
        }
    }

    /// The middle of the bend of an edge: to one side, so that there and back are two curves.
    fn bend(&self, edge: &Edge, nth: usize) -> (f64, f64) {
        let ((x1, y1), (x2, y2)) = (self.place(edge.from), self.place(edge.to));
        let bend = 0.12 + 0.13 * nth as f64;
        (f64::midpoint(x1, x2) - (y2 - y1) * bend, f64::midpoint(y1, y2) + (x2 - x1) * bend)
    }

    /// An edge from y to x is the constraint x − y ≤ bound.
    fn arrow(&self, marks: &Marks, edge: &Edge, nth: usize) -> Html {
        let ((x1, y1), (x2, y2)) = (self.place(edge.from), self.place(edge.to));
        let (cx, cy) = self.bend(edge, nth);
        let (ex, ey) = (cx - x2, cy - y2);
        let back = ex.hypot(ey).max(1.0);
        let (tx, ty) = (x2 + ex / back * 17.0, y2 + ey / back * 17.0);
        let angle = (-ey).atan2(-ex).to_degrees();
        html! {
            <g class={class(marks, edge)}>
                <path d={format!("M{} {} Q{} {} {} {}", at(x1), at(y1), at(cx), at(cy), at(tx), at(ty))} />
                <path class="tip" d="M0 0L-9 4L-9 -4z" transform={format!("translate({} {}) rotate({})", at(tx), at(ty), at(angle))} />
                <title>{ text(marks.opened, edge.literal).to_owned() }</title>
            </g>
        }
    }

    /// The bound, nearer to the start, so that labels of edges that cross or come back keep apart.
    fn label(&self, marks: &Marks, edge: &Edge, nth: usize) -> Html {
        let ((x1, y1), (x2, y2)) = (self.place(edge.from), self.place(edge.to));
        let (cx, cy) = self.bend(edge, nth);
        let t = 0.34 + 0.16 * nth.min(3) as f64;
        let on = |from: f64, by: f64, to: f64| {
            (1.0 - t) * (1.0 - t) * from + 2.0 * t * (1.0 - t) * by + t * t * to
        };
        let (x, y) = (on(x1, cx, x2), on(y1, cy, y2));
        html! { <g class={class(marks, edge)}><text x={at(x)} y={at(y + 4.0)}>{ &edge.bound }</text></g> }
    }

    /// A term with its value outside of the circle, where no edge is.
    fn node(&self, name: &str, value: &str, n: u32) -> Html {
        let (x, y) = self.place(n);
        let (dx, dy) = (x - self.width / 2.0, y - self.height / 2.0);
        let far = dx.hypot(dy).max(1.0);
        let (anchor, vx, vy) = match dx {
            24.0.. => ("start", x + 18.0, y + dy / far * 12.0),
            ..-24.0 => ("end", x - 18.0, y + dy / far * 12.0),
            _ => ("middle", x + dx / far * 30.0, y + dy / far * 26.0),
        };
        html! {
            <g class="point">
                <circle cx={at(x)} cy={at(y)} r="14" />
                <text class="name" x={at(x)} y={at(y + 4.0)}>{ short(name, 4) }</text>
                <text class={classes!("value", anchor)} x={at(vx)} y={at(vy + 4.0)}>{ format!("{} = {value}", short(name, 14)) }</text>
            </g>
        }
    }
}

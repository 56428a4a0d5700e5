//! The path of a counterexample drawn twice: its abstract states above, below them the concrete states reachable along
//! it, which shrink to the empty set where the path is spurious.

use std::sync::Arc;

use solver_lite::term::Value;

use crate::certificate::formula;
use crate::draw::{Moment, Pictures};
use crate::expr::Expr;
use crate::kit::{Answer, FormulaId, NodeId};
use crate::layout::{Arrow, Point};
use crate::picture::Image;
use crate::scene::{
    self, Body, Drawing, Edge, Line, Mark, Node, Rect, Row, Scene, Shape, Text, Thing, fit, middle, width,
};
use crate::system::{EdgeId, VarId};
use crate::text::{count, operation};
use crate::views::{Feasibility, LassoView};

/// The maximal number of drawn states of the path, the last of them around the infeasible step.
const PLACES: usize = 16;
/// The maximal number of values for each state.
const MOST: usize = 4;
/// The maximal number of shown variables.
const SHOWN: usize = 3;
/// The maximal number of facts of a state.
const FACTS: usize = 3;
/// The length of facts, names and operations.
const CHARS: usize = 18;
/// The room for the label of an operation between two states.
const LABEL: usize = 14;
/// The top of the states, below the arc of a cycle.
const TOP: f64 = 0.0;
/// The height of the arc of a cycle.
const ARC: f64 = 44.0;

/// The path at a step.
pub(super) fn path(pictures: &mut Pictures, moment: &Moment<'_>) -> Scene {
    let nodes = moment.cex.nodes(&moment.arg);
    if nodes.is_empty() {
        return Scene::sentence("No abstract counterexample at this step.");
    }
    let arrived = |n: &NodeId| moment.arg.nodes.get(n.index()).and_then(|n| n.from).map(|(_, edge)| edge);
    let edges: Vec<EdgeId> = nodes.iter().filter_map(arrived).collect();
    // Steps not checked yet are left out.
    let tried = moment.cex.prefixes.iter().map(|(steps, _)| *steps as usize).max();
    let known = match moment.cex.feasibility {
        Feasibility::Infeasible(steps) => steps as usize,
        Feasibility::Feasible => edges.len(),
        Feasibility::Open => tried.unwrap_or(0),
    };
    let known = known.min(edges.len());
    let last = if edges.len() < PLACES { edges.len() } else { (known + 2).min(edges.len()) };
    let first = (last + 1).saturating_sub(PLACES);
    let shown = shown(pictures, &edges);
    let facts = |n: &NodeId| -> Vec<Expr> {
        let facts = moment.journal.facts(&moment.arg.nodes[n.index()].label);
        facts.iter().filter_map(|fact| formula(fact, &pictures.system).ok()).collect()
    };
    let facts: Vec<Vec<Expr>> = nodes.iter().take(known + 1).map(facts).collect();
    let images = pictures.images().along(&edges[..known], &facts, first.min(known), &shown, MOST);
    let system = Arc::clone(&pictures.system);
    let words = |values: &[Value]| -> String {
        let pair =
            |(v, x): (&VarId, &Value)| format!("{}={}", system.variable(*v).name, system.value_text(*v, x));
        shown.iter().zip(values).map(pair).collect::<Vec<_>>().join(" ")
    };
    let names: Vec<&str> = shown.iter().map(|v| system.variable(*v).name.as_str()).collect();
    let mut strip = Strip { moment, nodes: &nodes, edges: &edges, first, last, drawing: Drawing::default() };
    let images: Vec<Node> =
        images.iter().enumerate().map(|(i, image)| concrete(first.min(known) + i, image, &words)).collect();
    strip.draw(images);
    let mut caption = moment.cex.lasso.as_ref().map(|lasso| lead(moment, lasso)).unwrap_or_default();
    caption = caption.then(&description(moment, &names, known, edges.len()));
    caption = match first {
        0 => caption,
        1 => caption.then(" The first step is not drawn."),
        _ => caption.then(&format!(" The first {first} steps are not drawn.")),
    };
    Scene::of("Counterexample", caption, Body::Drawing(Arc::new(strip.drawing.bounded(16.0))))
}

/// The drawing of a part of a path.
struct Strip<'a> {
    moment: &'a Moment<'a>,
    nodes: &'a [NodeId],
    edges: &'a [EdgeId],
    first: usize,
    last: usize,
    drawing: Drawing,
}

impl Strip<'_> {
    /// States in a row, and below them the sets of concrete states.
    fn draw(&mut self, images: Vec<Node>) {
        let infeasible = match self.moment.cex.feasibility {
            Feasibility::Infeasible(steps) => Some(steps as usize),
            Feasibility::Feasible | Feasibility::Open => None,
        };
        let broken = |i: usize| infeasible.is_some_and(|steps| i >= steps);
        let states: Vec<Node> = (self.first..=self.last).map(|i| self.state(i, broken(i))).collect();
        let height = states.iter().map(|node| node.rect.height).fold(0.0, f64::max);
        let below = TOP + height + 36.0;
        let mut left = 0.0;
        for (node, i) in states.into_iter().zip(self.first..) {
            let image = images.iter().find(|image| image.key == format!("i{i}"));
            let column = node.rect.width.max(image.map_or(0.0, |image| image.rect.width));
            if i > self.first {
                let gap = width(&self.label(i)).max(30.0) + 26.0;
                self.arrow(i, (left, left + gap), broken(i));
                left += gap;
            }
            let middle = left + column / 2.0;
            if let Some(image) = image {
                let mut image = image.clone();
                image.rect = Rect { x: middle - image.rect.width / 2.0, y: below, ..image.rect };
                self.drawing.lines.push(Line {
                    path: format!("M{middle:.1} {:.1}L{middle:.1} {below:.1}", TOP + height + 4.0),
                    marks: vec![Mark::Means],
                });
                self.drawing.nodes.push(image);
            }
            let rect = Rect { x: left, y: TOP, width: column, height };
            self.drawing.nodes.push(Node { rect, ..node });
            left += column;
        }
        let lasso = self.moment.cex.lasso.as_ref();
        let back = lasso.and_then(|l| Some((l, (l.back as usize).checked_sub(self.first)?)));
        if let Some((lasso, back)) = back
            && self.last == self.edges.len()
            && self.nodes.len() == self.moment.cex.length as usize + 1
        {
            self.cycle(back + self.first, lasso);
        }
    }

    /// The operation before a state, shortened.
    fn label(&self, i: usize) -> String {
        middle(&self.operation(i), LABEL)
    }

    fn operation(&self, i: usize) -> String {
        let names = &self.moment.journal.names;
        names.edges.get(self.edges[i - 1].index()).map(|e| operation(&e.text)).unwrap_or_default()
    }

    fn arrow(&mut self, i: usize, (from, to): (f64, f64), broken: bool) {
        let y = TOP + 15.0;
        let mut edge = Edge::new(format!("e{i}"), format!("s{}", i - 1), format!("s{i}"))
            .labelled(self.label(i), self.operation(i))
            .marked(&[(Mark::Broken, broken)]);
        edge.about =
            self.moment.journal.names.with_inner(self.edges[i - 1]).into_iter().map(Thing::Edge).collect();
        edge.arrow = Arrow {
            path: format!("M{from:.1} {:.1}L{to:.1} {:.1}", y + 12.0, y + 12.0),
            tip: Point::new(to, y + 12.0),
            angle: 0.0,
            label: Point::new(f64::midpoint(from, to) - 3.0, y - 3.0),
        };
        self.drawing.edges.push(edge);
    }

    /// An abstract state.
    fn state(&self, i: usize, broken: bool) -> Node {
        let (id, journal) = (self.nodes[i], self.moment.journal);
        let label = &self.moment.arg.nodes[id.index()].label;
        let facts = journal.facts(label);
        let mut rows =
            vec![Row::name(middle(journal.location(label.location), CHARS)), Row::corner(id.to_string())];
        let fact = |text: &str| Row::fact(fit(text, CHARS), None);
        match facts.len() {
            0 => rows.push(fact("anything")),
            n if n <= FACTS => rows.extend(facts.iter().map(|text| fact(text))),
            n => {
                rows.extend(facts.iter().take(FACTS - 1).map(|text| fact(text)));
                rows.push(fact(&format!("and {} more", n - FACTS + 1)));
            }
        }
        let title = format!("{id}: {}", journal.label(label));
        Node::new(format!("s{i}"), Shape::Box, rows, title)
            .about([Thing::Node(id), Thing::Location(journal.names.place(label.location))])
            .marked(&[
                (Mark::Broken, broken),
                (Mark::Current, self.moment.subjects.nodes.first() == Some(&id)),
            ])
    }

    /// The back edge of a lasso to the start of its cycle (figure 3.10 of "CEGAR-based LTL model checking").
    fn cycle(&mut self, back: usize, lasso: &LassoView) {
        let rect = |i: usize| self.drawing.node(&format!("s{i}")).map(|node| node.rect);
        let Some((from, to)) = rect(self.last).zip(rect(back)) else { return };
        let (from, to) = (from.centre().x, to.centre().x - 6.0);
        let (mark, text) = match lasso.closes {
            _ if lasso.recurrent_set.is_some() => {
                (Mark::Path, "no state repeats, but the cycle is always enabled again")
            }
            _ if lasso.ranking.is_some() => (Mark::Bad, "a ranking function decreases: the cycle ends"),
            Some(Answer::Unsat) => (Mark::Bad, "no state repeats: the cycle does not close"),
            Some(Answer::Sat) => (Mark::Path, "the state repeats: an infinite run"),
            _ => (Mark::Back, "the same abstract state"),
        };
        let up = TOP - ARC;
        let middle = f64::midpoint(from, to);
        self.drawing.edges.push(Edge {
            arrow: Arrow {
                path: format!(
                    "M{from:.1} {TOP:.1}C{from:.1} {up:.1} {to:.1} {up:.1} {to:.1} {:.1}",
                    TOP - 1.0
                ),
                tip: Point::new(to, TOP - 1.0),
                angle: 90.0,
                label: Point::new(middle, up + 2.0),
            },
            ..Edge::new("back".to_owned(), format!("s{}", self.last), format!("s{back}"))
                .labelled(text.to_owned(), text.to_owned())
                .marked(&[(mark, true), (Mark::Back, mark != Mark::Path)])
        });
    }
}

/// A set of concrete states; it is the wider, the more states it has.
fn concrete(i: usize, image: &Image, words: &dyn Fn(&[Value]) -> String) -> Node {
    let key = format!("i{i}");
    if image.is_empty() {
        let title = "unreachable along the path".to_owned();
        return Node::new(key, Shape::Ellipse, vec![Row::name("∅")], title).marked(&[(Mark::Empty, true)]);
    }
    let mut lines: Vec<String> = image.states.iter().map(|values| words(values)).collect();
    let named = lines.iter().any(|line| !line.is_empty());
    if !named {
        lines = vec!["some".to_owned()];
    }
    if image.more && named {
        lines.push("and more".to_owned());
    }
    let rows = lines.iter().map(|line| Row::fact(fit(line, 24), None)).collect();
    let mut node = Node::new(key, Shape::Box, rows, lines.join("; ")).marked(&[(Mark::Concrete, true)]);
    let count = image.states.len() + usize::from(image.more);
    let least = 60.0 + 18.0 * count as f64;
    node.rect.width = node.rect.width.max(least);
    node
}

/// The result for a lasso.
fn lead(moment: &Moment<'_>, lasso: &LassoView) -> Text {
    let code = |f: FormulaId| Text::code(scene::formula(moment.journal, f));
    match (moment.cex.feasibility, lasso.closes) {
        _ if let Some(set) = lasso.recurrent_set => Text::plain("No state repeats, but ").and(code(set)).then(
            " is a recurrent set at the start of the cycle: the cycle is enabled there and leads back into the set, so it can be repeated infinitely often. ",
        ),
        _ if let Some(ranking) = lasso.ranking => {
            Text::plain("The cycle terminates for all values: the ranking function ")
                .and(code(ranking))
                .then(" decreases around it and is bounded by 0. ")
        }
        (Feasibility::Infeasible(_), _) => {
            Text::plain("Spurious: no run follows the stem and the cycle once. ")
        }
        (_, Some(Answer::Unsat)) => Text::plain(
            "A run follows the cycle once, but none returns to the same state: the cycle does not close. ",
        ),
        (_, Some(Answer::Sat)) => Text::plain(
            "A run returns to the same values of all relevant variables, so it can repeat the cycle infinitely often. ",
        ),
        _ => Text::plain(
            "An accepting lasso of abstract states. Is there a run along it, and does its cycle close? ",
        ),
    }
}

/// What is drawn.
fn description(moment: &Moment<'_>, names: &[&str], known: usize, length: usize) -> String {
    let of = if names.is_empty() { String::new() } else { format!(", as values of {}", names.join(", ")) };
    let what =
        format!("Above: the abstract states of the path. Below: the concrete states reachable along it{of}.");
    let ends = match moment.cex.feasibility {
        Feasibility::Infeasible(steps) => {
            format!(" After step {steps} there are none: the path is infeasible.")
        }
        Feasibility::Feasible => " The path is feasible.".to_owned(),
        Feasibility::Open if known < length => format!(" {} of {length} checked.", count(known, "step")),
        Feasibility::Open => String::new(),
    };
    what + &ends
}

/// The variables that occur most often on the path.
fn shown(pictures: &Pictures, edges: &[EdgeId]) -> Vec<VarId> {
    let system = &pictures.system;
    let variables = system.variables.len();
    let mut count = vec![0usize; variables];
    for edge in edges {
        let inner = pictures.blocks.get(*edge).map_or(vec![*edge], |b| b.edges.clone());
        for edge in inner {
            // A relation numbers the new values after the variables.
            let tally = &mut |e: &Expr| e.variables().iter().for_each(|v| count[v.index() % variables] += 1);
            system.edge(edge).op.exprs(tally);
        }
    }
    let mut all: Vec<VarId> = system.var_ids().filter(|v| count[v.index()] > 0).collect();
    all.sort_by_key(|v| std::cmp::Reverse(count[v.index()]));
    all.truncate(SHOWN);
    all.sort_unstable();
    all
}

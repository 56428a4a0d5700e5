//! The path of a counterexample drawn twice: its abstract states above, below them the concrete states reachable along
//! it, which shrink to the empty set where the path is spurious.

use std::fmt::Write as _;
use std::sync::Arc;

use solver_lite::term::Value;
use veristep_core::certificate::formula;
use veristep_core::expr::Expr;
use veristep_core::kit::{Answer, FormulaId, NodeId};
use veristep_core::picture::Image;
use veristep_core::system::{EdgeId, VarId};
use veristep_core::views::{Feasibility, LassoView};

use crate::text::{operation, short};
use crate::worker::depict::{Moment, Scene};
use veristep_core::text::{count, escaped};

/// The maximal number of drawn states of the path, the last of them around the infeasible step.
const PLACES: usize = 16;
/// The maximal number of values for each state.
const MOST: usize = 4;
/// The maximal number of shown variables.
const SHOWN: usize = 3;

const PITCH: usize = 186;
const BOX: usize = 118;
/// The margin on both sides, so that the widest set of concrete states fits.
const MARGIN: usize = (PITCH - BOX) / 2;
const LINE: usize = 14;
const CHARS: usize = 17;
/// The height of the arc of a cycle.
const ABOVE: usize = 38;

pub(super) fn draw(scene: &mut Scene, moment: &Moment<'_>) -> String {
    let nodes = moment.cex.nodes(&moment.arg);
    if nodes.is_empty() {
        return String::new();
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
    let shown = shown(scene, &edges);
    let said = |n: &NodeId| -> Vec<Expr> {
        let facts = moment.journal.facts(&moment.arg.nodes[n.index()].label);
        facts.iter().filter_map(|fact| formula(fact, &scene.system).ok()).collect()
    };
    let said: Vec<Vec<Expr>> = nodes.iter().take(known + 1).map(said).collect();
    let images = scene.images().along(&edges[..known], &said, first.min(known), &shown, MOST);
    let system = Arc::clone(&scene.system);
    let told = |values: &[Value]| -> String {
        let pairs = shown.iter().zip(values);
        let told = pairs.map(|(v, x)| format!("{}={}", system.variable(*v).name, system.value_text(*v, x)));
        told.collect::<Vec<_>>().join(" ")
    };
    let names: Vec<&str> = shown.iter().map(|v| scene.system.variable(*v).name.as_str()).collect();
    let mut svg = String::new();
    let facts = (first..=last)
        .map(|i| moment.journal.facts(&moment.arg.nodes[nodes[i].index()].label).len().min(3))
        .max()
        .unwrap_or(0);
    let below = 46 + facts.max(1) * LINE + 34;
    for (column, i) in (first..=last).enumerate() {
        let broken = matches!(moment.cex.feasibility, Feasibility::Infeasible(steps) if i >= steps as usize);
        let x = MARGIN + column * PITCH;
        if i > first {
            arrow(&mut svg, moment, x, edges[i - 1], broken);
        }
        place(&mut svg, moment, x, nodes[i], broken);
        if let Some(image) = i.checked_sub(first.min(known)).and_then(|i| images.get(i)) {
            bag(&mut svg, x, below, image, &told);
        }
    }
    let top = match moment.cex.lasso.as_ref().and_then(|l| Some((l, (l.back as usize).checked_sub(first)?))) {
        Some((lasso, back)) if last == edges.len() && nodes.len() == moment.cex.length as usize + 1 => {
            cycle(&mut svg, (back, last - first), lasso);
            ABOVE
        }
        _ => 0,
    };
    let (width, height) = (2 * MARGIN + (last - first) * PITCH + BOX, below + 26 + (MOST + 1) * LINE + top);
    let left_out = match first {
        0 => String::new(),
        1 => " The first step is not drawn.".to_owned(),
        _ => format!(" The first {first} steps are not drawn."),
    };
    format!(
        "{}<p class=\"muted\">{}{left_out}</p><div class=\"twice\" tabindex=\"0\"><svg class=\"drawing\" width=\"{width}\" height=\"{height}\" viewBox=\"0 -{top} {width} {height}\" role=\"img\" aria-label=\"The path, abstract above and concrete below\">{svg}</svg></div>",
        moment.cex.lasso.as_ref().map(|l| lead(moment, l)).unwrap_or_default(),
        escaped(&words(moment, &names, known, edges.len()))
    )
}

/// The back edge of a lasso to the start of its cycle (figure 3.10 of "CEGAR-based LTL model checking").
fn cycle(svg: &mut String, (back, last): (usize, usize), lasso: &LassoView) {
    let middle = |column: usize| MARGIN + column * PITCH + BOX / 2;
    let (from, to) = (middle(last), middle(back));
    let (class, text) = match lasso.closes {
        _ if lasso.recurrent_set.is_some() => {
            ("edge cycle path", "no state repeats, but the cycle is always enabled again")
        }
        _ if lasso.ranking.is_some() => ("edge cycle open", "a ranking function decreases: the cycle ends"),
        Some(Answer::Unsat) => ("edge cycle open", "no state repeats: the cycle does not close"),
        Some(Answer::Sat) => ("edge cycle path", "the state repeats: an infinite run"),
        _ => ("edge cycle", "the same abstract state"),
    };
    // The label begins inside of the picture.
    let label = usize::midpoint(from, to).max(MARGIN + text.len() * 13 / 4);
    let _ = write!(
        svg,
        "<g class=\"{class}\"><path d=\"M{from} 14C{from} -26 {to} -26 {to} 7\"/><path class=\"arrow\" d=\"M{to} 15l-4 -8l4 1.6l4 -1.6z\"/><text class=\"label\" x=\"{label}\" y=\"-22\" text-anchor=\"middle\">{text}</text></g>"
    );
}

/// The result for a lasso, as HTML.
fn lead(moment: &Moment<'_>, lasso: &LassoView) -> String {
    let code = |f: FormulaId| {
        let text = moment.journal.formulas.get(f.index()).map_or("?", String::as_str);
        format!("<code>{}</code>", escaped(text))
    };
    let text = match (moment.cex.feasibility, lasso.closes) {
        _ if let Some(set) = lasso.recurrent_set => format!(
            "No state repeats, but {} is a recurrent set at the start of the cycle: the cycle is enabled there and leads back into the set, so it can be repeated infinitely often.",
            code(set)
        ),
        _ if let Some(ranking) = lasso.ranking => format!(
            "The cycle terminates for all values: the ranking function {} decreases around it and is bounded by 0.",
            code(ranking)
        ),
        (Feasibility::Infeasible(_), _) => "Spurious: no run follows the stem and the cycle once.".to_owned(),
        (_, Some(Answer::Unsat)) => {
            "A run follows the cycle once, but none returns to the same state: the cycle does not close."
                .to_owned()
        }
        (_, Some(Answer::Sat)) => {
            "A run returns to the same values of all relevant variables, so it can repeat the cycle infinitely often."
                .to_owned()
        }
        _ => "An accepting lasso of abstract states. Is there a run along it, and does its cycle close?"
            .to_owned(),
    };
    format!("<p>{text}</p>")
}

/// The caption of the picture.
fn words(moment: &Moment<'_>, names: &[&str], known: usize, length: usize) -> String {
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
fn shown(scene: &Scene, edges: &[EdgeId]) -> Vec<VarId> {
    let variables = scene.system.variables.len();
    let mut count = vec![0usize; variables];
    for edge in edges {
        let inner = scene.blocks.get(*edge).map_or(vec![*edge], |b| b.edges.clone());
        for edge in inner {
            scene
                .system
                .edge(edge)
                .op
                // A relation numbers the new values after the variables.
                .exprs(&mut |e| e.variables().iter().for_each(|v| count[v.index() % variables] += 1));
        }
    }
    let mut all: Vec<VarId> = scene.system.var_ids().filter(|v| count[v.index()] > 0).collect();
    all.sort_by_key(|v| std::cmp::Reverse(count[v.index()]));
    all.truncate(SHOWN);
    all.sort_unstable();
    all
}

fn arrow(svg: &mut String, moment: &Moment<'_>, x: usize, edge: EdgeId, broken: bool) {
    let text = moment.journal.names.edges.get(edge.index()).map(|e| operation(&e.text)).unwrap_or_default();
    let class = if broken { "edge ghost" } else { "edge" };
    let (from, middle) = (x + BOX - PITCH, x - (PITCH - BOX) / 2);
    let _ = write!(
        svg,
        "<g class=\"{class}\"><title>{}</title><path d=\"M{from} 32H{}\"/><path class=\"arrow\" d=\"M{} 32l-8 -4l1.6 4l-1.6 4z\"/><text class=\"label\" x=\"{middle}\" y=\"25\" text-anchor=\"middle\">{}</text></g>",
        escaped(&text),
        x - 7,
        x - 1,
        escaped(&short(&text, 10))
    );
}

/// An abstract state.
fn place(svg: &mut String, moment: &Moment<'_>, x: usize, node: NodeId, broken: bool) {
    let label = &moment.arg.nodes[node.index()].label;
    let facts = moment.journal.facts(label);
    let lines = facts.len().min(3);
    let class = if broken { "node ghost" } else { "node" };
    let _ = write!(
        svg,
        "<g class=\"{class}\"><title>{}</title><rect class=\"box\" x=\"{x}\" y=\"16\" width=\"{BOX}\" height=\"{}\" rx=\"8\"/><text class=\"name\" x=\"{}\" y=\"36\">{}</text><text class=\"id\" x=\"{}\" y=\"36\" text-anchor=\"end\">{node}</text>",
        escaped(&moment.journal.label(label)),
        30 + lines.max(1) * LINE,
        x + 10,
        escaped(&short(moment.journal.location(label.location), 9)),
        x + BOX - 9,
    );
    let shown: Vec<String> = match facts.len() {
        0 => vec!["anything".to_owned()],
        1..=3 => facts,
        n => facts.into_iter().take(2).chain([format!("and {} more", n - 2)]).collect(),
    };
    for (i, fact) in shown.iter().enumerate() {
        let _ = write!(
            svg,
            "<text class=\"fact\" x=\"{}\" y=\"{}\">{}</text>",
            x + 10,
            52 + i * LINE,
            escaped(&short(fact, CHARS))
        );
    }
    svg.push_str("</g>");
}

/// Concrete states: the size of the shape grows with their number.
fn bag(svg: &mut String, x: usize, y: usize, image: &Image, told: &dyn Fn(&[Value]) -> String) {
    let count = image.states.len() + usize::from(image.more);
    let middle = x + BOX / 2;
    let _ = write!(svg, "<path class=\"means\" d=\"M{middle} {}V{y}\"/>", y - 26);
    if image.is_empty() {
        let _ = write!(
            svg,
            "<g class=\"bag none\"><title>unreachable along the path</title><ellipse cx=\"{middle}\" cy=\"{}\" rx=\"17\" ry=\"17\"/><text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">∅</text></g>",
            y + 17,
            y + 22
        );
        return;
    }
    let mut lines: Vec<String> = image.states.iter().map(|values| told(values)).collect();
    let named = lines.iter().any(|line| !line.is_empty());
    if !named {
        lines = vec!["some".to_owned()];
    }
    if image.more && named {
        lines.push("and more".to_owned());
    }
    let longest = lines.iter().map(|line| line.chars().count() * 7 + 16).max().unwrap_or(0);
    let width = (BOX * (40 + 60 * count.min(MOST + 1) / (MOST + 1)) / 100).max(longest.min(PITCH - 12));
    let height = 14 + lines.len() * LINE;
    let _ = write!(
        svg,
        "<g class=\"bag\"><title>{}</title><rect x=\"{}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"16\"/>",
        escaped(&lines.join("; ")),
        middle - width / 2
    );
    for (i, line) in lines.iter().enumerate() {
        let _ = write!(
            svg,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            y + 18 + i * LINE,
            escaped(&short(line, (width / 7).max(5)))
        );
    }
    svg.push_str("</g>");
}

//! Büchi automata: accepting states with a double border, guards on the transitions, and current states of runs.

use std::fmt::Write as _;

use veristep_core::buchi::{Automaton, Guard, StateId};
use veristep_core::text::escaped;

use crate::formula::protocol::Drawn;
use crate::layout::layered::{self, Edge, Options};
use crate::layout::{Arrow, Point, Size};
use crate::text::short;

/// The maximal number of drawn states.
const DRAWN: usize = 40;
/// The maximal length of a drawn guard.
const LABEL: usize = 26;
const CHAR: f64 = 6.7;
const RADIUS: f64 = 21.0;

/// The marks of a drawing.
#[derive(Default)]
pub(in crate::worker) struct Marked {
    /// The current states of runs, and whether the rest of the word is accepted from there.
    pub(in crate::worker) active: Vec<(StateId, bool)>,
    /// Transitions: a state and the number of the transition out of it.
    pub(in crate::worker) taken: Vec<(StateId, usize)>,
}

/// A transition as it is drawn: the state it leaves, its number there, and its guard, short with its marks and in full.
struct DrawnEdge {
    from: StateId,
    number: usize,
    label: String,
    guard: String,
}

fn transitions(automaton: &Automaton) -> Vec<DrawnEdge> {
    let plain = automaton.is_plain();
    let mut guards = automaton.guards.clone();
    let mut all = Vec::new();
    for from in automaton.ids() {
        for (number, t) in automaton.out(from).iter().enumerate() {
            let guard = match t.guard {
                Guard::TRUE => "true".to_owned(),
                guard => guards.text(guard, &|v| automaton.atoms[v as usize].clone()),
            };
            let marks: String =
                (0..automaton.marks).filter(|m| !plain && t.marks.has(*m)).map(circled).collect();
            all.push(DrawnEdge { from, number, label: format!("{}{marks}", short(&guard, LABEL)), guard });
        }
    }
    all
}

/// The graph as a picture.
pub(in crate::worker) fn draw(automaton: &Automaton, marked: &Marked) -> String {
    let count = automaton.states.len();
    if count > DRAWN {
        return format!("<p class=\"muted\">The automaton has {count} states, too many to be drawn.</p>");
    }
    let Drawn { svg, width, height, .. } = picture(automaton, marked);
    let said = format!("Automaton with {count} states and {} transitions", automaton.transitions());
    format!(
        "<svg class=\"drawing automaton\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{said}\">{svg}</svg>"
    )
}

/// The graph as a part of another drawing.
pub(in crate::worker) fn picture(automaton: &Automaton, marked: &Marked) -> Drawn {
    let transitions = transitions(automaton);
    let edge = |t: &DrawnEdge| Edge {
        source: t.from.index(),
        target: automaton.out(t.from)[t.number].target.index(),
        label: Some(Size::new(width(&t.label), 16.0)),
    };
    let edges: Vec<Edge> = transitions.iter().map(edge).collect();
    let sizes = vec![Size::new(2.0 * RADIUS, 2.0 * RADIUS); automaton.states.len()];
    let options = Options { corner: RADIUS, node_gap: 34.0, rank_gap: 26.0, ..Options::default() };
    let drawing = layered::draw(&sizes, &edges, automaton.initial.index(), &options);
    let mut svg = "<g transform=\"translate(16 0)\">".to_owned();
    for (transition, arrow) in transitions.iter().zip(&drawing.edges) {
        let taken = marked.taken.contains(&(transition.from, transition.number));
        draw_transition(&mut svg, transition, arrow, taken);
    }
    for (q, at) in automaton.ids().zip(&drawing.nodes) {
        let active = marked.active.iter().find(|(p, _)| *p == q).map(|(_, alive)| *alive);
        draw_state(&mut svg, automaton, q, *at, active);
    }
    svg.push_str("</g>");
    let ends = drawing.edges.iter().zip(&transitions).map(|(a, t)| a.label.x + width(&t.label) / 2.0 + 8.0);
    let right = ends.fold(drawing.size.width, f64::max) + 16.0;
    let now = marked.active.first().map(|(q, _)| drawing.nodes[q.index()]);
    let now = now.map(|at| (at.x as u32 + 16, at.y as u32));
    Drawn { svg, width: right.ceil() as u32, height: drawing.size.height.ceil() as u32, now }
}

fn width(label: &str) -> f64 {
    label.chars().count() as f64 * CHAR + 6.0
}

fn draw_transition(svg: &mut String, drawn: &DrawnEdge, arrow: &Arrow, taken: bool) {
    let class = if taken { "edge path" } else { "edge" };
    let width = width(&drawn.label);
    let _ = write!(
        svg,
        "<g class=\"{class}\"><title>{}</title><path d=\"{}\"/><path class=\"arrow\" d=\"M0 0L-8 -4L-6.4 0L-8 4Z\" transform=\"translate({:.1} {:.1}) rotate({:.0})\"/><rect class=\"plate\" x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"15\" rx=\"3\"/><text class=\"label\" text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
        escaped(&drawn.guard),
        arrow.path,
        arrow.tip.x,
        arrow.tip.y,
        arrow.angle,
        arrow.label.x - width / 2.0,
        arrow.label.y - 7.5,
        arrow.label.x,
        arrow.label.y + 4.0,
        escaped(&drawn.label)
    );
}

/// A state; `active` if it is a current state of a run, and whether the rest of the word is accepted.
fn draw_state(svg: &mut String, automaton: &Automaton, q: StateId, at: Point, active: Option<bool>) {
    let tone = match active {
        Some(true) => " active",
        Some(false) => " active lost",
        None => "",
    };
    let _ = write!(
        svg,
        "<g class=\"state{tone}\"><circle class=\"box\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{RADIUS}\"/>",
        at.x, at.y
    );
    if automaton.is_plain() && automaton.is_accepting(q) {
        let _ = write!(
            svg,
            "<circle class=\"box inner\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{}\"/>",
            at.x,
            at.y,
            RADIUS - 4.0
        );
    }
    if q == automaton.initial {
        let (x, y) = (at.x - RADIUS, at.y);
        let _ = write!(
            svg,
            "<path class=\"start\" d=\"M{:.1} {y:.1}h16\"/><path class=\"start tip\" d=\"M{:.1} {y:.1}l-8 -4v8z\"/>",
            x - 20.0,
            x - 1.0
        );
    }
    let _ = write!(
        svg,
        "<text class=\"name\" text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{q}</text></g>",
        at.x,
        at.y + 4.0
    );
}

/// The mark of an acceptance set.
fn circled(mark: u32) -> char {
    char::from_u32(0x2460 + mark).filter(|_| mark < 20).unwrap_or('•')
}

//! Büchi automata: accepting states with a double border, guards on the transitions, and where runs of a word are.

use std::fmt::Write as _;

use veristep_core::buchi::{Automaton, StateId};
use veristep_core::text::escaped;

use crate::layout::Size;
use crate::layout::layered::{self, Edge, Options};
use crate::ui::short;

/// So many states are drawn.
const DRAWN: usize = 40;
/// So many letters of a guard are.
const LABEL: usize = 26;
const CHAR: f64 = 6.7;
const STATE: f64 = 42.0;

/// What is marked in a drawing.
#[derive(Default)]
pub(in crate::worker) struct Marked {
    /// States where a run is, and whether what comes is accepted from there.
    pub(in crate::worker) active: Vec<(StateId, bool)>,
    /// Transitions: a state and the number of the transition out of it.
    pub(in crate::worker) taken: Vec<(StateId, usize)>,
}

/// The graph with its legend.
pub(in crate::worker) fn draw(automaton: &Automaton, marked: &Marked) -> String {
    if automaton.states.len() > DRAWN {
        return format!(
            "<p class=\"muted\">The automaton has {} states, too many to be drawn.</p>",
            automaton.states.len()
        );
    }
    let plain = automaton.is_plain();
    let mut guards = automaton.guards.clone();
    let mut edges = Vec::new();
    let mut labels = Vec::new();
    let mut transitions = Vec::new();
    for q in automaton.ids() {
        for (i, t) in automaton.out(q).iter().enumerate() {
            let full = guards.text(t.guard, &|v| automaton.atoms[v as usize].clone());
            let marks: String =
                (0..automaton.marks).filter(|m| !plain && t.marks.has(*m)).map(circled).collect();
            let full = if full == "1" { "true".to_owned() } else { full };
            let label = format!("{}{marks}", short(&full, LABEL));
            let size = Size::new(label.chars().count() as f64 * CHAR + 6.0, 16.0);
            edges.push(Edge { source: q.index(), target: t.target.index(), label: Some(size) });
            labels.push((label, full));
            transitions.push((q, i));
        }
    }
    let sizes = vec![Size::new(STATE, STATE); automaton.states.len()];
    let options = Options { corner: STATE / 2.0, node_gap: 34.0, rank_gap: 26.0, ..Options::default() };
    let drawing = layered::draw(&sizes, &edges, automaton.initial.index(), &options);
    let mut svg = String::new();
    let mut right = drawing.size.width;
    for (((arrow, (label, full)), transition), edge) in
        drawing.edges.iter().zip(&labels).zip(&transitions).zip(&edges)
    {
        let class = if marked.taken.contains(transition) { "edge path" } else { "edge" };
        let width = edge.label.map_or(0.0, |l| l.width);
        right = right.max(arrow.label.x + width / 2.0 + 8.0);
        let _ = write!(
            svg,
            "<g class=\"{class}\"><title>{}</title><path d=\"{}\"/><path class=\"arrow\" d=\"M0 0L-8 -4L-6.4 0L-8 4Z\" transform=\"translate({:.1} {:.1}) rotate({:.0})\"/><rect class=\"plate\" x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"15\" rx=\"3\"/><text class=\"label\" text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
            escaped(full),
            arrow.path,
            arrow.tip.x,
            arrow.tip.y,
            arrow.angle,
            arrow.label.x - width / 2.0,
            arrow.label.y - 7.5,
            arrow.label.x,
            arrow.label.y + 4.0,
            escaped(label)
        );
    }
    for (q, at) in automaton.ids().zip(&drawing.nodes) {
        let tone = match marked.active.iter().find(|(p, _)| *p == q) {
            Some((_, true)) => " active",
            Some((_, false)) => " active lost",
            None => "",
        };
        let accepting = plain && automaton.marks > 0 && automaton.is_accepting(q) || automaton.marks == 0;
        let _ = write!(
            svg,
            "<g class=\"state{tone}\"><circle class=\"box\" cx=\"{0:.1}\" cy=\"{1:.1}\" r=\"21\"/>",
            at.x, at.y
        );
        if plain && accepting {
            let _ =
                write!(svg, "<circle class=\"box inner\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"17\"/>", at.x, at.y);
        }
        if q == automaton.initial {
            let (x, y) = (at.x - STATE / 2.0, at.y);
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
    let (left, width, height) = (-16.0, right + 16.0, drawing.size.height);
    let said = format!(
        "Automaton with {} states and {} transitions",
        automaton.states.len(),
        automaton.transitions()
    );
    format!(
        "<svg class=\"drawing automaton\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"{left:.0} 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{said}\">{svg}</svg>"
    )
}

/// The sign of an acceptance set.
fn circled(mark: u32) -> char {
    char::from_u32(0x2460 + mark).filter(|_| mark < 20).unwrap_or('•')
}

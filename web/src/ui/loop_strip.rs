//! The loop of abstraction and refinement, with the current phase highlighted.

use std::rc::Rc;

use veristep_core::explain::PhaseMark;
use veristep_core::kit::{Phase, Role};
use veristep_core::methods::cegar;
use yew::prelude::*;

use crate::state::{Action, Frame, FrameRef, Move};
use crate::ui::icon::icon;
use crate::ui::{Act, role_name};

/// The phases of the running method, family by family, in the order in which these begin.
fn phases(marks: &[PhaseMark], refines: bool) -> Vec<Phase> {
    let mut phases: Vec<Phase> = Vec::new();
    for phase in marks.iter().filter_map(|mark| mark.phase) {
        if !phases.contains(&phase) {
            phases.extend(phase.family());
        }
    }
    if phases.is_empty() && refines { cegar::Phase::ALL.map(Phase::Cegar).to_vec() } else { phases }
}

/// The props.
pub struct Props {
    /// The step.
    pub frame: FrameRef,
    /// Has the run a graph?
    pub graph: bool,
    /// Is abstraction refinement the method of the options?
    pub refines: bool,
    /// Where phases begin.
    pub marks: Rc<Vec<PhaseMark>>,
    /// The number of events.
    pub length: usize,
    /// The callback for actions.
    pub act: Act,
}

fn count(number: u32, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
}

fn note(phase: Phase, frame: &Frame, graph: bool) -> String {
    let Some(now) = frame.progress.iterations.last() else { return String::new() };
    // Other methods have no graph to count in.
    if !graph {
        return String::new();
    }
    match phase.role() {
        Role::Abstract => count(now.nodes, "new node", "new nodes"),
        Role::Check if matches!(phase, Phase::Under(_)) => format!("{} matched", now.covered),
        Role::Check => format!("{} covered", now.covered),
        Role::Concretize => match frame.cex.target {
            Some(_) => count(frame.cex.length, "step", "steps"),
            None => "no path".to_owned(),
        },
        Role::Interpolate => count(u32::try_from(frame.cex.interpolants.len()).unwrap_or(0), "cut", "cuts"),
        Role::Refine => count(now.predicates, "predicate", "predicates"),
        Role::Prune => "pruned".to_owned(),
        Role::Done => String::new(),
    }
}

/// Where the next phase of this kind begins, from the cursor on, or else the last one before.
fn next_of(phase: Phase, marks: &[PhaseMark], cursor: usize) -> Option<usize> {
    let mut of_kind = marks.iter().filter(|mark| mark.phase == Some(phase)).map(|mark| mark.start + 1);
    let after = of_kind.clone().find(|start| *start > cursor);
    after.or_else(|| of_kind.next_back())
}

/// The strip.
pub fn loop_strip(props: &Props) -> Html {
    let frame = &props.frame;
    let iteration = frame.progress.iterations.len();
    let current = frame.progress.phase;
    let begun = frame.progress.iterations.last().map_or(0, |i| i.start);
    let seen = |phase: Phase| {
        let reached =
            props.marks.iter().any(|m| m.phase == Some(phase) && m.start >= begun && m.start < frame.cursor);
        reached && current != Some(phase)
    };
    let chip = |phase: Phase| {
        let title = phase.title();
        let lit = current == Some(phase) && frame.cursor > 0;
        let to = next_of(phase, &props.marks, frame.cursor);
        let act = props.act.clone();
        let onclick = Callback::from(move |_| {
            if let Some(to) = to {
                act.emit(Action::Go(Move::To(to)));
            }
        });
        let class = classes!("phase", lit.then_some("lit"), seen(phase).then_some("past"));
        html! {
            <button {class} data-phase={role_name(phase.role())} aria-current={lit.then_some("step")} disabled={to.is_none()} {onclick}
                title={format!("Go to the next “{title}”")}>
                <span class="dot" aria-hidden="true"></span>
                <span class="words"><span class="name">{ title }</span>
                    <span class="note">{ if lit || seen(phase) { note(phase, frame, props.graph) } else { String::new() } }</span></span>
            </button>
        }
    };
    let number = |searched: bool| {
        let nodes = frame.arg.live().filter(|(_, node)| node.searched == searched).count();
        u32::try_from(nodes).unwrap_or(u32::MAX)
    };
    let alive = || match (number(true), number(false)) {
        (0, nodes) => count(nodes, "node in the graph", "nodes in the graph"),
        (states, 0) => count(states, "state", "states"),
        (states, nodes) => {
            format!("{} · {}", count(states, "state", "states"), count(nodes, "node", "nodes"))
        }
    };
    let asked: u32 = frame.progress.iterations.iter().map(|i| i.queries).sum();
    let so_far = match iteration {
        0 => "no step yet".to_owned(),
        _ if !props.graph => count(asked, "query", "queries"),
        _ => alive(),
    };
    html! {
        <div class="strip" data-testid="loop-strip" role="group" aria-label="Phases of the method">
            <div class="iteration">
                <strong>{ if iteration == 0 { "Ready".to_owned() } else { format!("Iteration {iteration}") } }</strong>
                <span>{ so_far }</span>
            </div>
            <div class="phases">{ for phases(&props.marks, props.refines).into_iter().map(chip) }</div>
            <div class="back" aria-hidden="true">{ icon("loop") }<span>{ "repeat until decided" }</span></div>
        </div>
    }
}

//! The abstract counterexample as a path of formulas, cut in two, with the interpolant at the cut.

use std::rc::Rc;

use veristep_core::draw;
use veristep_core::kit::{Answer, Event, Journal};
use veristep_core::methods::cegar;
use veristep_core::text::count;
use veristep_core::views::{CexView, Feasibility};
use yew::prelude::*;

use crate::explained::{Answer as Judged, Explained, Line, Thing};
use crate::state::{Action, FrameRef, JournalRef, Move, View};
use crate::text::operation;
use crate::ui::Act;
use crate::ui::icon::icon;
use crate::ui::scene::{Shown, scene};
use crate::ui::why_panel::maths;

/// The props.
pub struct Props {
    /// The journal.
    pub journal: JournalRef,
    /// The step.
    pub frame: FrameRef,
    /// The shown cut.
    pub cut: Option<u32>,
    /// The explanation of the interpolant there.
    pub explained: Option<Rc<Explained>>,
    /// The path as a picture.
    pub depicted: Option<Rc<Explained>>,
    /// How the picture is shown.
    pub shown: Shown,
    /// The settings of the views.
    pub view: View,
    /// The callback for actions.
    pub act: Act,
}

/// The path.
pub fn path_view(props: &Props) -> Html {
    let cex = &props.frame.cex;
    if cex.target.is_none() {
        return nothing(props);
    }
    let cut = props.cut;
    html! {
        <div class="scroll">
            <div class="path-view" data-testid="path-view">
                // The result for a lasso is in the caption of its picture.
                if cex.lasso.is_none() { <p class="lead">{ lead(cex) }</p> }
                { depicted(props.depicted.as_ref(), &props.shown) }
                { card(props, cut) }
                <div class="pathlist" role="group" aria-label="The steps of the path, and the cuts between them">
                    { for (0..cex.length).map(|step| row(props, step, cut)) }
                </div>
            </div>
        </div>
    }
}

/// A picture of the engine.
pub fn depicted(explained: Option<&Rc<Explained>>, shown: &Shown) -> Html {
    depicted_with(explained, None, shown)
}

/// The picture of the step; of a reachability graph, this marking of the token game is the current one.
pub fn depicted_with(explained: Option<&Rc<Explained>>, played: Option<&str>, shown: &Shown) -> Html {
    let drawn = explained.map(|explained| &explained.depicted.drawn.scene);
    let body = drawn.map(|drawn| match played {
        Some(marking) => scene(&draw::with_marking(drawn, marking), shown),
        None => scene(drawn, shown),
    });
    html! { <div class="depicted" data-testid="depicted">{ body }</div> }
}

fn lead(cex: &CexView) -> Html {
    let length = count(cex.length as usize, "step");
    match cex.feasibility {
        Feasibility::Open => {
            html! { { format!("An abstract path of {length} to the error location. Is it feasible?") } }
        }
        Feasibility::Feasible => {
            html! { { format!("Feasible: a run follows the path of {length}.") } }
        }
        Feasibility::Infeasible(steps) => html! {
            <>{ format!("Spurious: no run follows the first {}of {length}. ", if steps == 1 { String::new() } else { format!("{steps} ") }) }
              { "Move the cut to compare the interpolants." }</>
        },
    }
}

fn nothing(props: &Props) -> Html {
    let journal = props.journal.get();
    let stops = |range: std::ops::Range<usize>| {
        range
            .filter(|i| {
                matches!(
                    journal.events[*i],
                    Event::Cegar(cegar::Event::PathInfeasible { .. })
                        | Event::Cegar(cegar::Event::PathFeasible { .. })
                )
            })
            .collect::<Vec<_>>()
    };
    let cursor = props.frame.cursor.min(journal.events.len());
    let (before, after) = (stops(0..cursor), stops(cursor..journal.events.len()));
    let button = |title: &'static str, at: Option<usize>| {
        let Some(at) = at else { return Html::default() };
        let to = settled(&journal, at);
        let act = props.act.clone();
        let onclick = Callback::from(move |_| act.emit(Action::Go(Move::To(to))));
        html! { <button class="btn" {onclick} data-testid="go-counterexample">{ title }</button> }
    };
    html! {
        <div class="empty">
            <strong>{ "No abstract counterexample at this step" }</strong>
            <p>{ "An abstract path to the error location, or an accepting lasso, is shown here as formulas, with the interpolants that prove it spurious. A run that violates the property is shown with the verdict." }</p>
            <div class="row">
                { button("Previous counterexample", before.last().copied()) }
                { button("Next counterexample", after.first().copied()) }
            </div>
        </div>
    }
}

/// The step after the last interpolant of the path decided at `at`.
fn settled(journal: &Journal, at: usize) -> usize {
    let rest = journal.events[at + 1..].iter().take_while(|e| !matches!(e, Event::IterationStarted { .. }));
    let said = |e: &Event| {
        matches!(
            e,
            Event::Cegar(cegar::Event::Interpolated { .. })
                | Event::Cegar(cegar::Event::ValuationFound { .. })
        )
    };
    let last = rest.enumerate().filter(|(_, e)| said(e)).last();
    at + 1 + last.map_or(0, |(index, _)| index + 1)
}

fn row(props: &Props, step: u32, cut: Option<u32>) -> Html {
    let (cex, journal) = (&props.frame.cex, props.journal.get());
    let encoded = cex.steps.get(step as usize);
    let edge = encoded.map(|s| s.edge);
    let op = edge.and_then(|e| journal.names.edges.get(e.index())).map(|e| operation(&e.text));
    let ssa = encoded.and_then(|s| journal.formulas.get(s.formula.index())).cloned();
    let values = cex
        .valuations
        .iter()
        .find(|(at, _)| *at == step + 1)
        .and_then(|(_, f)| journal.formulas.get(f.index()));
    let tried = cex.prefixes.iter().rev().find(|(steps, _)| *steps == step + 1).map(|(_, answer)| *answer);
    let side = match cut {
        Some(cut) if cex.feasibility != Feasibility::Feasible => Some(if step < cut { "a" } else { "b" }),
        _ => None,
    };
    let mark = match tried {
        Some(Answer::Sat) => {
            html! { <span class="ok" title="feasible up to here">{ icon("check") }<span class="sr">{ "feasible" }</span></span> }
        }
        Some(Answer::Unsat) => {
            html! { <span class="dead" title="infeasible from here">{ icon("cross") }<span class="sr">{ "infeasible" }</span></span> }
        }
        Some(Answer::Unknown) => html! { <span title="unknown">{ "?" }</span> },
        None => html! { <span></span> },
    };
    let act = props.act.clone();
    let pick = Callback::from(move |_| {
        if let Some(edge) = edge {
            act.emit(Action::Pick(Some(Thing::Edge(edge))));
        }
    });
    html! {
        <>
            if step > 0 { { cut_line(props, step, cut) } }
            <div class={classes!("pathrow", side)} onclick={pick}>
                <span class="no">{ step + 1 }{ " " }<span class="side">{ side.map(str::to_ascii_uppercase) }</span></span>
                <span class="op">{ op.unwrap_or_else(|| "…".to_owned()) }</span>
                <span class="ssa">{ ssa.unwrap_or_default() }
                    if let Some(values) = values { <br /><strong>{ values }</strong> }
                </span>
                { mark }
            </div>
        </>
    }
}

fn cut_line(props: &Props, at: u32, cut: Option<u32>) -> Html {
    let journal = props.journal.get();
    let interpolant = props.frame.cex.interpolants.iter().find(|(cut, _, _)| *cut == at);
    let text = interpolant.and_then(|(_, _, f)| journal.formulas.get(f.index())).cloned();
    if text.is_none() && matches!(props.frame.cex.feasibility, Feasibility::Feasible) {
        return Html::default();
    }
    let (act, view) = (props.act.clone(), props.view.clone());
    let onclick = Callback::from(move |_| act.emit(Action::View(View { cut: Some(at), ..view.clone() })));
    let label = text.as_ref().map_or_else(|| format!("cut {at}"), |text| format!("cut {at}: {text}"));
    html! {
        <button class="cutline" aria-pressed={(cut == Some(at)).to_string()} {onclick} aria-label={format!("cut after step {at}")}><span>{ label }</span></button>
    }
}

/// The interpolant at the cut, with the lines of mathematics of its event.
fn card(props: &Props, cut: Option<u32>) -> Html {
    let cex = &props.frame.cex;
    if cex.feasibility == Feasibility::Feasible || cut.is_none() {
        return Html::default();
    }
    let journal = props.journal.get();
    let Some(cut) = cut else { return Html::default() };
    let Some((_, node, formula)) = cex.interpolants.iter().find(|(at, _, _)| *at == cut) else {
        return html! { <div class="card"><p class="muted">{ format!("The interpolant at cut {cut} has not been computed at this step.") }</p></div> };
    };
    let text = journal.formulas.get(formula.index()).cloned().unwrap_or_default();
    let act = props.act.clone();
    let node = *node;
    let pick = Callback::from(move |_| act.emit(Action::Pick(Some(Thing::Node(node)))));
    let lines: &[Line] = props.explained.as_ref().map_or(&[], |explained| &explained.maths);
    let judged = lines.iter().filter(|line| line.answer.is_some());
    html! {
        <div class="card interpolant" data-testid="interpolant">
            <div class="row"><h2 class="grow">{ format!("Interpolant at cut {cut}") }</h2>
                <button class="btn small" onclick={pick}>{ format!("node {node}") }</button></div>
            <p class="formula">{ text }</p>
            <ul class="ticks">
                { for judged.map(|line| tick(&line.label, &line.formula, line.answer)) }
            </ul>
            <details><summary class="muted">{ "All formulas" }</summary><div class="maths">{ for lines.iter().map(maths) }</div></details>
        </div>
    }
}

fn tick(label: &str, formula: &str, given: Option<Judged>) -> Html {
    let (class, sign) = match given {
        Some(Judged::Holds | Judged::Unsat) => ("yes", "check"),
        Some(Judged::Fails | Judged::Sat) => ("no", "cross"),
        _ => ("open", "unknown"),
    };
    let said = given.map(Judged::name).unwrap_or_default();
    html! { <li {class}>{ icon(sign) }<span>{ label.to_owned() }{ ": " }<code>{ crate::text::short(formula, 90) }</code>{ " " }<span class="muted">{ said }</span></span></li> }
}

//! The search of a check: its steps, the trail by level, the conflict, and arithmetic.

use std::rc::Rc;

use veristep_core::draw::{self, Literal};
use veristep_core::scene::{Body, Mark, Scene, Text};
use yew::prelude::*;

use crate::solver::arithmetic_view::arithmetic;
use crate::solver::protocol::{Lit, Opened, Step};
use crate::solver::replay::{Analysis, Frame};
use crate::solver::words::{chips, lost, text, tone, what, why};
use crate::solver::{Move, Msg, saved};
use crate::ui::icon::icon;

/// The props.
pub struct Props {
    /// The check.
    pub opened: Rc<Opened>,
    /// Its answer.
    pub answer: String,
    /// The state at the step.
    pub frame: Rc<Frame>,
    /// The number of steps.
    pub step: usize,
    /// The callback for messages.
    pub act: Callback<Msg>,
}

/// The search.
pub fn search(props: &Props) -> Html {
    let Props { opened, frame, step, .. } = props;
    let current = step.checked_sub(1).and_then(|at| opened.steps.get(at));
    html! {
        <div class="search" data-testid="search">
            { transport(props) }
            if !matches!(props.answer.as_str(), "sat" | "unsat") {
                <p class="slip">{ format!("The answer of the check is {}. This is the search for the supported part, within a short limit.", props.answer) }</p>
            }
            { said(opened, current.map(|(step, _)| step), *step) }
            <div class="inside">
                { trail(opened, frame, &props.act) }
                <div class="beside">
                    if let Some(analysis) = &frame.analysis {
                        { conflict(opened, analysis) }
                    }
                    { arithmetic(opened, frame, *step, &props.act) }
                </div>
            </div>
        </div>
    }
}

fn said(opened: &Opened, step: Option<&Step>, count: usize) -> Html {
    let ((title, what), why) = match step {
        Some(step) => (what(opened, step), why(opened, step)),
        None => (
            ("Before the first step", "The search has not started.".to_owned()),
            "The check is repeated from scratch, recorded and without variable elimination: steps and model may differ; the answer is the same if both have one."
                .to_owned(),
        ),
    };
    html! {
        <div class={classes!("said", step.map(tone))} data-testid="said">
            <strong>{ title }</strong><p class="what">{ what }</p><p class="because">{ why }</p>
            if opened.cut && count == opened.steps.len() {
                <p class="because">{ format!("The search continues; its first {count} steps are shown.") }</p>
            }
        </div>
    }
}

fn transport(props: &Props) -> Html {
    let (last, step) = (props.opened.steps.len(), props.step);
    let button = |to: Move, sign: &'static str, label: &'static str, enabled: bool| {
        let act = props.act.clone();
        let onclick = Callback::from(move |_: MouseEvent| act.emit(Msg::Go(to)));
        html! { <button class="btn quiet icon-only" title={label} aria-label={label} disabled={!enabled} {onclick}>{ icon(sign) }</button> }
    };
    let slide = {
        let act = props.act.clone();
        Callback::from(move |event: InputEvent| {
            if let Ok(to) = crate::browser::value_of(&event).parse() {
                act.emit(Msg::Go(Move::To(to)));
            }
        })
    };
    html! {
        <div class="transport" role="group" aria-label="Steps of the search">
            <div class="keys">
                { button(Move::Start, "start", "Before the first step (Home)", step > 0) }
                { button(Move::BackConflict, "back-phase", "Back to the last conflict (Shift ←)", step > 0) }
                { button(Move::Back, "back", "One step back (←)", step > 0) }
                { button(Move::Forward, "forward", "One step forward (→)", step < last) }
                { button(Move::NextConflict, "forward-phase", "Forward to the next conflict (Shift →)", step < last) }
                { button(Move::End, "end", "After the last step (End)", step < last) }
            </div>
            <div class="track">
                <div class="rail" aria-hidden="true">{ rail(&props.opened.steps) }</div>
                <input type="range" min="0" max={last.to_string()} value={step.to_string()} oninput={slide} aria-label="Step"
                    aria-valuetext={format!("step {step} of {last}")} />
            </div>
            <span class="counter" data-testid="step-counter">{ format!("{step} / {last}{}", if props.opened.cut { "+" } else { "" }) }</span>
        </div>
    }
}

/// A line coloured by the kinds of steps. Neighbours of one kind are one piece.
fn rail(steps: &[(Step, Option<u32>)]) -> Html {
    let mut pieces: Vec<(usize, usize, &'static str)> = Vec::new();
    for (i, (step, _)) in steps.iter().enumerate() {
        match pieces.last_mut() {
            Some((_, length, kind)) if *kind == tone(step) => *length += 1,
            _ => pieces.push((i, 1, tone(step))),
        }
    }
    let piece = |(from, length, kind): &(usize, usize, &'static str)| {
        html! { <rect class={*kind} x={from.to_string()} y="0" width={length.to_string()} height="1" /> }
    };
    html! {
        <svg viewBox={format!("0 0 {} 1", steps.len().max(1))} preserveAspectRatio="none">{ for pieces.iter().map(piece) }</svg>
    }
}

fn counts(frame: &Frame) -> String {
    let [decisions, conflicts, pivots, learned] = frame.counts;
    let all =
        [(decisions, "decision"), (conflicts, "conflict"), (pivots, "pivot"), (learned, "learned clause")];
    let some = all.iter().filter(|(n, what)| *n > 0 || *what == "decision");
    let part = |(n, what): &(u32, &str)| format!("{n} {what}{}", if *n == 1 { "" } else { "s" });
    some.map(part).collect::<Vec<_>>().join(" · ")
}

/// The trail as a table; the literals of a conflict, those of the step and its premises are marked.
fn trail(opened: &Opened, frame: &Frame, act: &Callback<Msg>) -> Html {
    let hot = frame.false_clause();
    let literal = |(lit, how): &(Lit, Mark)| Literal {
        text: text(opened, *lit).to_owned(),
        reason: *how,
        marks: vec![
            (Mark::Conflict, hot.contains(&(lit.0, !lit.1))),
            (Mark::Current, frame.subject == Some(*lit)),
            (Mark::Premise, frame.because.contains(lit)),
        ],
    };
    let level = |level: &[(Lit, Mark)]| level.iter().map(literal).collect();
    let levels: Vec<Vec<Literal>> = frame.levels().into_iter().map(level).collect();
    let scene = Scene::of("Trail", Text::plain(&counts(frame)), Body::Table(draw::trail(&levels)));
    html! {
        <section class="card-panel trail" aria-label="Trail" data-testid="trail">{ saved::scene(scene, "trail", act) }</section>
    }
}

fn conflict(opened: &Opened, analysis: &Analysis) -> Html {
    let atoms = &opened.atoms;
    let mut before: &[Lit] = &analysis.clause;
    let mut rows = Vec::new();
    for (on, with, gives) in &analysis.resolved {
        // False at level 0, so they are left out.
        let whole = before.iter().chain(with).filter(|l| l.0 != on.0);
        let mut dropped: Vec<Lit> = whole.filter(|l| !gives.contains(l)).copied().collect();
        dropped.sort_unstable();
        dropped.dedup();
        rows.push(html! {
            <li><span class="with">{ "with " }{ chips(atoms, with, |l| l.0 == on.0) }</span>
                <span class="gives">{ chips(atoms, gives, |_| false) }{ lost(atoms, &dropped, "false at level 0, so it is omitted") }</span></li>
        });
        before = gives;
    }
    let learned = analysis.learned.as_ref().map(|(learned, level)| {
        let dropped: Vec<Lit> = before.iter().filter(|l| !learned.contains(l)).copied().collect();
        html! {
            <li class="learned"><strong>{ "learned" }</strong>{ " " }{ chips(atoms, learned, |_| false) }
                { lost(atoms, &dropped, "follows from the others or is false at level 0, so it is omitted") }
                <span class="muted">{ format!("  back to level {level}") }</span></li>
        }
    });
    html! {
        <section class="card-panel conflict" aria-label="Conflict" data-testid="conflict">
            <header><h3>{ if analysis.theory { "Conflict in arithmetic" } else { "Conflict" } }</h3></header>
            <ol class="resolution">
                <li><span class="gives">{ chips(atoms, &analysis.clause, |_| false) }</span></li>
                { for rows }
                { for learned }
            </ol>
        </section>
    }
}

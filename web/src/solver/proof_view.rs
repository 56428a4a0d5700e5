//! A refutation step by step; selecting a step shows its premises and the steps derived from it.

use std::rc::Rc;
use std::sync::Arc;

use veristep_core::scene::{Body, Drawing, Scene, Text, Thing};
use veristep_core::text::count;
use yew::prelude::*;

use crate::solver::protocol::{Lit, Opened, Proof, ProofStep, Rule, Theory};
use crate::solver::words::{chips, of};
use crate::solver::{Msg, graph_view, saved};
use crate::state::{Action, Related};
use crate::ui::scene::{self, Shown};

/// The props.
pub struct Props {
    /// The check.
    pub opened: Rc<Opened>,
    /// The refutation, once it is there.
    pub proof: Option<Rc<Result<Proof, String>>>,
    /// The selected step.
    pub picked: Option<usize>,
    /// The callback for messages.
    pub act: Callback<Msg>,
}

/// The refutation as a graph; selecting a clause marks its premises.
fn picture(drawing: &Arc<Drawing>, props: &Props, premises: &[usize]) -> Html {
    let clause = |number: usize| Thing::Clause(u32::try_from(number).unwrap_or(u32::MAX));
    let related = Related {
        others: props.picked.iter().chain(premises).map(|number| clause(*number)).collect(),
        ..Related::default()
    };
    let pick = |action: Action| match action {
        Action::Pick(Some(Thing::Clause(number))) => Msg::PickStep(Some(number as usize)),
        _ => Msg::PickStep(None),
    };
    let shown = Shown {
        name: "refutation",
        related: Rc::new(related),
        // At first the empty clause, which is the last one.
        focus: Some(clause(props.picked.unwrap_or(drawing.nodes.len().saturating_sub(1)))),
        act: props.act.reform(pick),
        ..Shown::alone()
    };
    let scene = Scene::of("Refutation", Text::default(), Body::Drawing(drawing.clone()));
    let save = Some(saved::saving(&scene, "refutation", &props.act));
    html! { <div class="refutation">{ scene::scene(&scene, &Shown { save, ..shown }) }</div> }
}

/// Longer proofs are shown up to here, from their end.
const ROWS: usize = 400;

/// The refutation.
pub fn proof(props: &Props) -> Html {
    let found = match props.proof.as_deref() {
        Some(Ok(found)) => found,
        Some(Err(why)) => return html! { <div class="empty"><p>{ why }</p></div> },
        None => {
            return html! { <div class="empty"><p>{ "The assertions are being refuted with a proof…" }</p></div> };
        }
    };
    let steps = &found.steps;
    if steps.is_empty() {
        let text =
            format!("The refutation has {} steps, too many to be shown here. It was checked.", found.size);
        return html! { <div class="empty"><p>{ text }</p></div> };
    }
    let leaves = |wanted: fn(&Rule) -> bool| steps.iter().filter(|s| wanted(&s.rule)).count();
    let assertions = leaves(|r| matches!(r, Rule::Assertion(_)));
    let definitions = leaves(|r| matches!(r, Rule::Definition(_)));
    let lemmas = leaves(|r| matches!(r, Rule::Theory(..)));
    let resolutions = leaves(|r| matches!(r, Rule::Resolution(..)));
    let premises: Vec<usize> =
        props.picked.and_then(|p| steps.get(p)).map(|s| premises(&s.rule)).unwrap_or_default();
    let from = steps.len().saturating_sub(ROWS);
    let row = |(i, step): (usize, &ProofStep)| {
        let act = props.act.clone();
        let picked = props.picked == Some(i);
        let onclick = Callback::from(move |_: MouseEvent| act.emit(Msg::PickStep((!picked).then_some(i))));
        let uses = props.picked.is_some_and(|p| self::premises(&step.rule).contains(&p));
        let class = classes!(
            "proof-step",
            kind(&step.rule),
            premises.contains(&i).then_some("premise"),
            uses.then_some("user"),
            picked.then_some("picked")
        );
        html! {
            <li {class} id={format!("proof-{i}")}>
                <button class="no" {onclick} aria-pressed={picked.to_string()} title="Show its premises">{ (i + 1).to_string() }</button>
                <div class="clause">{ chips(&found.atoms, &step.clause, |_| false) }</div>
                <div class="rule">{ reason(&props.opened, found, &step.rule, &props.act) }</div>
                if picked && !step.cycle.is_empty() { { graph_view::cycle(&step.cycle, &props.act) } }
            </li>
        }
    };
    html! {
        <div class="proof" data-testid="proof">
            <p class="lead">
                { format!("A refutation of {}: {}, {}, {} of arithmetic, {}. ", count(steps.len(), "step"), count(assertions, "assertion"),
                    count(definitions, "definition"), count(lemmas, "lemma"), count(resolutions, "resolution")) }
                <span class="answer good">{ crate::ui::icon::icon("check") }{ "checked" }</span>
                { " by a checker independent of the search." }
                if let Some(step) = longest_cycle(steps, from) {
                    { " " }<button class="link-btn" onclick={props.act.reform(move |_: MouseEvent| Msg::PickStep(Some(step)))} data-testid="show-cycle">{ "Show a negative cycle" }</button>
                }
            </p>
            if let Some(drawing) = &found.picture { { picture(drawing, props, &premises) } }
            if from > 0 { <p class="muted">{ format!("The last {ROWS} steps are shown.") }</p> }
            <ol class="proof-steps">{ for steps.iter().enumerate().skip(from).map(row) }</ol>
        </div>
    }
}

/// Of the lemmas that are shown, the first one with the longest negative cycle.
fn longest_cycle(steps: &[ProofStep], from: usize) -> Option<usize> {
    let cycles = steps.iter().enumerate().skip(from).rev().filter(|(_, step)| !step.cycle.is_empty());
    cycles.max_by_key(|(_, step)| step.cycle.len()).map(|(number, _)| number)
}

/// The premises of a step.
fn premises(rule: &Rule) -> Vec<usize> {
    match rule {
        Rule::Resolution(first, chain) => {
            std::iter::once(*first).chain(chain.iter().map(|(_, s)| *s)).map(|s| s as usize).collect()
        }
        _ => Vec::new(),
    }
}

/// Its name in the style sheet.
pub fn kind(rule: &Rule) -> &'static str {
    match rule {
        Rule::Assertion(_) => "assertion",
        Rule::Definition(_) => "defines",
        Rule::Theory(..) => "theory",
        Rule::Resolution(..) => "resolution",
    }
}

/// The justification of a clause.
pub fn reason(opened: &Opened, proof: &Proof, rule: &Rule, act: &Callback<Msg>) -> Html {
    match rule {
        Rule::Assertion(i) => {
            let name = opened.assertions.get(*i as usize).map_or("", |(name, _)| name);
            html! { <span class="tag">{ format!("assertion {name}") }</span> }
        }
        Rule::Definition(of) => {
            html! { <><span class="tag">{ "definition" }</span>{ " of " }<code>{ crate::text::short(of, 60) }</code></> }
        }
        Rule::Theory(parts, theory) => {
            let how = match theory {
                Theory::Farkas => "the sum of these is a contradiction",
                Theory::Modular => "this combination of equations has no integer solution",
                Theory::Cycle => "these differences form a negative cycle",
            };
            let part = |(factor, lit): &(String, Lit)| {
                let factor =
                    if factor.is_empty() || factor == "1" { String::new() } else { format!("{factor} × ") };
                html! { <li><code>{ factor }{ "(" }{ of(&proof.atoms, *lit).to_owned() }{ ")" }</code></li> }
            };
            html! { <><span class="tag">{ "arithmetic" }</span>{ " " }{ how }<ul class="farkas">{ for parts.iter().map(part) }</ul></> }
        }
        Rule::Resolution(first, chain) => {
            let link = |s: u32| {
                let act = act.clone();
                let onclick = Callback::from(move |_: MouseEvent| act.emit(Msg::PickStep(Some(s as usize))));
                html! { <button class="ref" {onclick}>{ (s + 1).to_string() }</button> }
            };
            let part = |(atom, s): &(u32, u32)| {
                html! { <>{ " · " }<span class="muted">{ "on " }</span><code>{ crate::text::short(of(&proof.atoms, (*atom, true)), 36) }</code>{ " with " }{ link(*s) }</> }
            };
            html! { <><span class="tag">{ "resolve" }</span>{ " " }{ link(*first) }{ for chain.iter().map(part) }</> }
        }
    }
}

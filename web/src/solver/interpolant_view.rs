//! The partition of the assertions, and the interpolant built leaf by leaf along the refutation.

use std::rc::Rc;

use yew::prelude::*;

use crate::solver::Msg;
use crate::solver::proof_view::{kind, reason};
use crate::solver::protocol::{Interpolation, Method, Opened, Proof, ProofStep, Rule, Side};
use crate::solver::words::chips;
use crate::ui::icon::icon;

/// The props.
pub struct Props {
    /// The check.
    pub opened: Rc<Opened>,
    /// The refutation, once it is there.
    pub proof: Option<Rc<Result<Proof, String>>>,
    /// The number of assertions in A.
    pub cut: u32,
    /// The interpolation rules.
    pub method: Method,
    /// The result, once it is there.
    pub found: Option<Rc<Result<Interpolation, String>>>,
    /// The number of labelled proof steps.
    pub leaf: usize,
    /// The callback for messages.
    pub act: Callback<Msg>,
}

/// Rows shown at once.
const ROWS: usize = 400;

/// The partition and the interpolant.
pub fn interpolant(props: &Props) -> Html {
    let opened = &props.opened;
    if opened.assertions.len() < 2 {
        return html! { <div class="empty"><p>{ "A single assertion cannot be partitioned. Assert its conjuncts one by one." }</p></div> };
    }
    let found = match (props.proof.as_deref(), props.found.as_deref()) {
        (Some(Ok(proof)), Some(Ok(found))) => html! { <>{ result(found) }{ leaves(props, proof, found) }</> },
        (Some(Err(why)), _) | (_, Some(Err(why))) => html! { <p class="slip">{ why }</p> },
        _ => html! { <p class="muted pad">{ "The assertions are being refuted and interpolated…" }</p> },
    };
    html! {
        <div class="interpolation" data-testid="interpolation">
            { choices(props) }
            { partition(props) }
            { found }
        </div>
    }
}

fn select(label: &'static str, names: &[&'static str], chosen: u8, choose: Callback<u8>) -> Html {
    let onchange = Callback::from(move |event: Event| {
        let value =
            event.target_dyn_into::<web_sys::HtmlSelectElement>().and_then(|s| s.value().parse().ok());
        if let Some(value) = value {
            choose.emit(value);
        }
    });
    let option = |(i, name): (usize, &&'static str)| {
        html! { <option value={i.to_string()} selected={i == usize::from(chosen)}>{ *name }</option> }
    };
    html! {
        <label class="choice"><span class="muted">{ label }</span>
            <select class="field" {onchange}>{ for names.iter().enumerate().map(option) }</select></label>
    }
}

fn choices(props: &Props) -> Html {
    let last = props.opened.assertions.len() - 1;
    let slide = {
        let act = props.act.clone();
        Callback::from(move |event: InputEvent| {
            if let Ok(cut) = crate::browser::value_of(&event).parse() {
                act.emit(Msg::Cut(cut));
            }
        })
    };
    let method = props.method;
    let boolean = props.act.reform(move |boolean| Msg::Method(Method { boolean, ..method }));
    let arithmetic = props.act.reform(move |arithmetic| Msg::Method(Method { arithmetic, ..method }));
    html! {
        <div class="row choices">
            <label class="choice cut"><span class="muted">{ format!("cut after {} of {}", props.cut, last + 1) }</span>
                <input type="range" min="1" max={last.to_string()} value={props.cut.to_string()} oninput={slide} data-testid="cut" /></label>
            { select("Boolean rules", &Method::BOOLEAN, method.boolean, boolean) }
            { select("arithmetic", &Method::ARITHMETIC, method.arithmetic, arithmetic) }
        </div>
    }
}

fn partition(props: &Props) -> Html {
    let side = |a: bool| {
        let all = props.opened.assertions.iter().enumerate();
        let part = all.filter(move |(i, _)| (*i < props.cut as usize) == a);
        let item = |(_, (name, text)): (usize, &(String, String))| {
            html! { <li><span class="muted">{ name }</span><code title={text.clone()}>{ crate::text::short(text, 120) }</code></li> }
        };
        html! {
            <section class={classes!("side", if a { "a" } else { "b" })}>
                <h3>{ if a { "A" } else { "B" } }</h3><ol>{ for part.map(item) }</ol>
            </section>
        }
    };
    html! { <div class="sides">{ side(true) }{ side(false) }</div> }
}

fn result(found: &Interpolation) -> Html {
    let tick = |answer: Option<bool>, what: &'static str| match answer {
        Some(good) => html! {
            <li class={if good { "yes" } else { "no" }}>{ icon(if good { "check" } else { "cross" }) }{ what }</li>
        },
        None => html! { <li class="muted">{ format!("{what}: too large to be checked here") }</li> },
    };
    let [only_a, shared, only_b] = &found.variables;
    let list = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    html! {
        <section class="card interpolant" aria-label="Interpolant">
            <span class="muted">{ "interpolant" }</span>
            <code class="formula" data-testid="interpolant">{ found.interpolant.clone() }</code>
            <ul class="ticks">
                { tick(found.checked[0], "implied by A") }
                { tick(found.checked[1], "inconsistent with B") }
                { tick(found.checked[2], "only symbols common to both") }
            </ul>
            <p class="muted">{ format!("only A: {} · both: {} · only B: {}", list(only_a), list(shared), list(only_b)) }</p>
        </section>
    }
}

/// The rules, in one sentence each.
fn rules(method: Method) -> &'static str {
    match method.boolean {
        0 => {
            "A clause of A is labelled with its literals shared with B, a clause of B with true. Resolution on an atom local to A joins the partial interpolants by “or”, otherwise by “and”."
        }
        1 => {
            "A clause of A is labelled false, a clause of B true. Resolution on an atom local to A joins the partial interpolants by “or”, local to B by “and”; a shared atom selects between them."
        }
        _ => {
            "A clause of A is labelled false, a clause of B with its negated literals shared with A. Resolution on an atom local to B joins the partial interpolants by “and”, otherwise by “or”."
        }
    }
}

/// The derivation of the partial interpolant of a step.
fn how(method: Method, step: &ProofStep, sides: &[Side]) -> String {
    let in_a = sides.first() == Some(&Side::A);
    match (&step.rule, method.boolean) {
        (Rule::Assertion(_) | Rule::Definition(_), 0) if in_a => "A clause of A: its shared literals.",
        (Rule::Assertion(_) | Rule::Definition(_), _) if in_a => "A clause of A: false.",
        (Rule::Assertion(_) | Rule::Definition(_), 2) => "A clause of B: its shared literals, negated.",
        (Rule::Assertion(_) | Rule::Definition(_), _) => "A clause of B: true.",
        (Rule::Theory(..), 2) => "A theory lemma: the negated sum of the comparisons of B; on a cycle, one sum for each path of B's edges.",
        (Rule::Theory(..), _) => "A theory lemma: the sum of the comparisons of A; on a cycle, one sum for each path of A's edges.",
        (Rule::Resolution(..), boolean) => {
            let joint = |side: &Side| match (boolean, side) {
                (0 | 1, Side::A) | (2, Side::A | Side::Both) => "or",
                (1, Side::Both) => "the atom selects",
                _ => "and",
            };
            let all: Vec<&str> = sides.iter().map(joint).collect();
            return format!("The partial interpolants of the clauses, joined in turn by: {}.", all.join(", "));
        }
    }
    .to_owned()
}

fn leaves(props: &Props, proof: &Proof, found: &Interpolation) -> Html {
    let last = proof.steps.len();
    if found.partials.is_empty() || last == 0 {
        return html! { <p class="muted">{ format!("The refutation has {} steps, too many to label one by one.", proof.size) }</p> };
    }
    let go = |to: usize, sign: &'static str, label: &'static str, enabled: bool| {
        let act = props.act.clone();
        let onclick = Callback::from(move |_: MouseEvent| act.emit(Msg::Leaf(to)));
        html! { <button class="btn quiet icon-only" title={label} aria-label={label} disabled={!enabled} {onclick}>{ icon(sign) }</button> }
    };
    let at = props.leaf.min(last);
    let from = at.saturating_sub(ROWS);
    let row = |(i, step): (usize, &ProofStep)| {
        let partial = found.partials.get(i).cloned().unwrap_or_default();
        let sides = found.sides.get(i).map_or(&[][..], Vec::as_slice);
        let side = match (&step.rule, sides.first()) {
            (Rule::Assertion(_) | Rule::Definition(_), Some(Side::A)) => "in-a",
            (Rule::Assertion(_) | Rule::Definition(_), _) => "in-b",
            _ => kind(&step.rule),
        };
        html! {
            <li class={classes!("proof-step", side, (i + 1 == at).then_some("picked"))} id={format!("leaf-{}", i + 1)}>
                <span class="no">{ (i + 1).to_string() }</span>
                <div class="clause">{ chips(&proof.atoms, &step.clause, |_| false) }</div>
                <div class="partial"><code title={partial.clone()}>{ crate::text::short(&partial, 160) }</code></div>
                if i + 1 == at {
                    <div class="rule">{ how(found.method, step, sides) }{ " " }{ reason(&props.opened, proof, &step.rule, &props.act) }</div>
                }
            </li>
        }
    };
    html! {
        <section class="leaves" aria-label="Leaf by leaf">
            <header class="row">
                <h3>{ "Leaf by leaf" }</h3>
                <div class="keys">
                    { go(1, "start", "The first leaf (Home)", at > 1) }
                    { go(at.saturating_sub(1).max(1), "back", "One step back (←)", at > 1) }
                    { go((at + 1).min(last), "forward", "One step forward (→)", at < last) }
                    { go(last, "end", "The empty clause (End)", at < last) }
                </div>
                <span class="counter">{ format!("{at} / {last}") }</span>
            </header>
            <p class="muted">{ "Every clause of the refutation has a partial interpolant; that of the empty clause is the interpolant. " }{ rules(found.method) }</p>
            <ol class="proof-steps">{ for proof.steps.iter().enumerate().take(at).skip(from).map(row) }</ol>
        </section>
    }
}

//! Assertions cut in two, and the interpolant built leaf by leaf along the refutation.

use std::rc::Rc;

use yew::prelude::*;

use crate::solver::Msg;
use crate::solver::proof_view::{kind, reason};
use crate::solver::protocol::{Interpolation, Method, Opened, ProofStep};
use crate::solver::words::chips;
use crate::ui::icon::icon;

/// What it shows.
pub struct Props {
    /// The check.
    pub opened: Rc<Opened>,
    /// So many assertions are A.
    pub cut: u32,
    /// How.
    pub method: Method,
    /// What came of it, once it is there.
    pub found: Option<Rc<Result<Interpolation, String>>>,
    /// So many steps of the proof are labelled.
    pub leaf: usize,
    /// Where to ask.
    pub act: Callback<Msg>,
}

/// Rows shown at once.
const ROWS: usize = 400;

/// The partition and the interpolant.
pub fn interpolant(props: &Props) -> Html {
    let opened = &props.opened;
    let steps = match &opened.proof {
        Ok(steps) if opened.assertions.len() >= 2 => steps,
        Ok(_) => {
            return html! { <div class="empty"><p>{ "One assertion cannot be cut in two. Assert the parts of the conjunction one by one." }</p></div> };
        }
        Err(why) => return html! { <div class="empty"><p>{ why }</p></div> },
    };
    html! {
        <div class="interpolation" data-testid="interpolation">
            { choices(props) }
            { partition(props) }
            { match props.found.as_deref() {
                None => html! { <p class="muted pad">{ "The interpolant is on its way…" }</p> },
                Some(Err(why)) => html! { <p class="slip">{ why }</p> },
                Some(Ok(found)) => html! { <>{ result(found) }{ leaves(props, steps, found) }</> },
            } }
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
            html! { <li><span class="muted">{ name }</span><code title={text.clone()}>{ crate::ui::short(text, 120) }</code></li> }
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
    let tick = |good: bool, what: &'static str| {
        html! {
            <li class={if good { "yes" } else { "no" }}>{ icon(if good { "check" } else { "cross" }) }{ what }</li>
        }
    };
    let [only_a, shared, only_b] = &found.variables;
    let list = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    html! {
        <section class="card interpolant" aria-label="Interpolant">
            <span class="muted">{ "interpolant" }</span>
            <code class="formula" data-testid="interpolant">{ found.partials.last().cloned().unwrap_or_default() }</code>
            <ul class="ticks">
                { tick(found.checked[0], "it follows from A") }
                { tick(found.checked[1], "it contradicts B") }
                { tick(found.checked[2], "it speaks only of what both speak of") }
            </ul>
            <p class="muted">{ format!("only A: {} · both: {} · only B: {}", list(only_a), list(shared), list(only_b)) }</p>
        </section>
    }
}

fn leaves(props: &Props, steps: &[ProofStep], found: &Interpolation) -> Html {
    let last = steps.len();
    let go = |to: usize, sign: &'static str, label: &'static str, enabled: bool| {
        let act = props.act.clone();
        let onclick = Callback::from(move |_: MouseEvent| act.emit(Msg::Leaf(to)));
        html! { <button class="btn quiet icon-only" title={label} aria-label={label} disabled={!enabled} {onclick}>{ icon(sign) }</button> }
    };
    let at = props.leaf.min(last);
    let from = at.saturating_sub(ROWS);
    let row = |(i, step): (usize, &ProofStep)| {
        let partial = found.partials.get(i).cloned().unwrap_or_default();
        html! {
            <li class={classes!("proof-step", kind(&step.rule), (i + 1 == at).then_some("picked"))}>
                <span class="no">{ (i + 1).to_string() }</span>
                <div class="clause">{ chips(&props.opened, &step.clause, |_| false) }</div>
                <div class="partial"><code title={partial.clone()}>{ crate::ui::short(&partial, 160) }</code></div>
                if i + 1 == at { <div class="rule">{ reason(&props.opened, &step.rule, &props.act) }</div> }
            </li>
        }
    };
    html! {
        <section class="leaves" aria-label="Leaf by leaf">
            <header class="row">
                <h3>{ "Leaf by leaf" }</h3>
                <div class="keys">
                    { go(1, "start", "The first leaf", at > 1) }
                    { go(at.saturating_sub(1).max(1), "back", "One step back", at > 1) }
                    { go((at + 1).min(last), "forward", "One step forward", at < last) }
                    { go(last, "end", "The empty clause", at < last) }
                </div>
                <span class="counter">{ format!("{at} / {last}") }</span>
            </header>
            <p class="muted">{ "Every clause of the refutation gets a partial interpolant. A leaf of B says true; a leaf of A says what B knows of it; a lemma of arithmetic adds up A's inequalities; a resolution joins two by “or” where only A knows the atom, otherwise by “and”." }</p>
            <ol class="proof-steps">{ for steps.iter().enumerate().take(at).skip(from).map(row) }</ol>
        </section>
    }
}

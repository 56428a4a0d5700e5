//! Why this step: what happened, why, and the mathematics.

use std::rc::Rc;

use yew::prelude::*;

use crate::explained::{Answer, Explained, Line, Part, Thing};
use crate::protocol::Library;
use crate::state::{Action, Granularity, Move, Related, View};
use crate::ui::icon::icon;
use crate::ui::scene::about;
use crate::ui::{Act, ask};

/// The props.
pub struct Props {
    /// The explanation of the last event; none before the first.
    pub explanation: Option<Rc<Explained>>,
    /// The phase: its name in the style sheet and on screen.
    pub phase: Option<(&'static str, &'static str)>,
    /// The objects related to the selection.
    pub related: Rc<Related>,
    /// The selection in words.
    pub picked: Option<String>,
    /// The glossary.
    pub library: Rc<Library>,
    /// The settings of the views.
    pub view: View,
    /// There are events to go to.
    pub has_run: bool,
    /// The callback for actions.
    pub act: Act,
}

/// The explanation.
pub fn why_panel(props: &Props) -> Html {
    let body = match &props.explanation {
        Some(explanation) => explained(explanation, props),
        None => before(props),
    };
    html! {
        <section class="panel why-panel" aria-labelledby="why-title" data-testid="why-panel" data-phase={props.phase.map(|p| p.0)}>
            <header><h2 id="why-title">{ "Why this step" }</h2><span class="grow"></span>{ selection(props) }</header>
            <div class="scroll">{ body }</div>
        </section>
    }
}

fn selection(props: &Props) -> Html {
    let Some(picked) = &props.picked else { return Html::default() };
    let onclick = ask(&props.act, || Action::Pick(None));
    html! {
        <button class="btn small" {onclick} title={format!("Selected: {picked}. Press to clear.")} style="min-width:0;overflow:hidden" data-testid="selection">
            <span style="overflow:hidden;text-overflow:ellipsis">{ crate::text::short(picked, 22) }</span>{ icon("cross") }
        </button>
    }
}

fn before(props: &Props) -> Html {
    let step = ask(&props.act, || Action::Go(Move::Forward(Granularity::Event)));
    let lead = if props.has_run { "This is before the first step." } else { "No events yet." };
    html! {
        <div class="why">
            <div><h3>{ lead }</h3></div>
            <p class="what">{ "The verifier tries to show that no run of the model violates the property." }</p>
            <p>{ "Each step is explained here: what happened, why, and the formulas behind it. Words with a dotted line have a definition; clicking a name or a formula selects it in all panels." }</p>
            <p><button class="btn" onclick={step}>{ icon("forward") }{ "First step" }</button></p>
        </div>
    }
}

fn explained(explanation: &Explained, props: &Props) -> Html {
    html! {
        <div class="why" data-testid="explanation" data-step={(explanation.index + 1).to_string()}>
            <div>
                if let Some((_, title)) = props.phase {
                    <span class="phase-chip">{ title }</span>
                }
                <h3 data-testid="why-title">{ &explanation.title }</h3>
            </div>
            <p class="what">{ pieces(&explanation.what, props) }</p>
            <div><h4>{ "Why" }</h4><p>{ pieces(&explanation.why, props) }</p></div>
            if !explanation.maths.is_empty() {
                <div><h4 class="with-link">{ "Formulas" }
                    if explanation.asked {
                        <button class="link-btn" onclick={ask(&props.act, || Action::AskSolver)} data-testid="ask-solver">{ "Open in the solver" }</button>
                    }</h4><div class="maths">{ for explanation.maths.iter().map(maths) }</div></div>
            }
            if let Some(slip) = &explanation.slip {
                <div class="slip"><strong>{ "Often misunderstood" }</strong><p>{ slip }</p></div>
            }
            { definition(props) }
        </div>
    }
}

/// Shows or hides a definition.
fn define(props: &Props, term: Option<u32>) -> Callback<MouseEvent> {
    let (act, view) = (props.act.clone(), props.view.clone());
    Callback::from(move |_| act.emit(Action::View(View { term, ..view.clone() })))
}

fn definition(props: &Props) -> Html {
    let word = props.view.term.and_then(|term| props.library.words.get(term as usize));
    let Some((name, meaning)) = word else { return Html::default() };
    let close = define(props, None);
    html! {
        <div class="definition" role="status" id="definition">
            <div class="row"><strong class="grow">{ name }</strong>
                <button class="btn quiet small icon-only" aria-label="Close the definition" onclick={close}>{ icon("cross") }</button></div>
            { meaning }
        </div>
    }
}

/// The punctuation at the beginning of a part, which stays on the line of what is before it.
fn punctuation(part: Option<&Part>) -> &str {
    let Some(Part::Text(text)) = part else { return "" };
    &text[..text.find(|c| !matches!(c, ',' | '.' | ';' | ':' | ')' | '?')).unwrap_or(text.len())]
}

fn pieces(parts: &[Part], props: &Props) -> Html {
    let one = |(i, part): (usize, &Part)| {
        let after = punctuation(parts.get(i + 1));
        match part {
            Part::Text(text) => {
                let from = if i > 0 { punctuation(Some(part)).len() } else { 0 };
                html! { { format!("{}{after}", &text[from..]) } }
            }
            _ if after.is_empty() => piece(part, props),
            _ => html! { <span class="kept">{ piece(part, props) }{ after }</span> },
        }
    };
    parts.iter().enumerate().map(one).collect()
}

fn piece(part: &Part, props: &Props) -> Html {
    match part {
        Part::Text(text) => html! { { text } },
        Part::Code(text) => html! { <code class="code">{ text }</code> },
        Part::Ref(pick, text) => reference(*pick, text, props),
        Part::Concept(which, text) => {
            let open = props.view.term == Some(*which);
            let meaning = props.library.words.get(*which as usize).map(|(_, meaning)| meaning.clone());
            html! {
                <button class="term" aria-expanded={open.to_string()} title={meaning}
                    onclick={define(props, (!open).then_some(*which))}>{ text }</button>
            }
        }
    }
}

fn reference(pick: Thing, text: &str, props: &Props) -> Html {
    let related = props.related.contains(pick);
    let act = props.act.clone();
    let onclick = Callback::from(move |_| act.emit(Action::Pick(Some(pick))));
    html! { <button class="ref" data-about={about(&[pick])} aria-pressed={related.to_string()} {onclick}>{ text.to_owned() }</button> }
}

/// A line of mathematics.
pub fn maths(line: &Line) -> Html {
    html! {
        <div>
            <span class="label">{ &line.label }</span>
            <span class="formula">{ &line.formula }</span>
            if let Some(given) = line.answer { { answer(given) } }
        </div>
    }
}

/// An answer, by word, shape and colour.
pub fn answer(given: Answer) -> Html {
    let (tone, sign) = match given {
        Answer::Holds => ("good", "check"),
        Answer::Fails => ("bad", "cross"),
        Answer::Sat => ("sat", "plus"),
        Answer::Unsat => ("unsat", "minus"),
        Answer::Unknown => ("open", "unknown"),
    };
    html! { <span class={classes!("answer", tone)}>{ icon(sign) }{ given.name() }</span> }
}

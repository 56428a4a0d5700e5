//! The verdict, its certificate, and the button that checks it.

use veristep_core::kit::Verdict;
use veristep_core::property::NO_PROPERTY;
use veristep_core::text::count;
use yew::prelude::*;

use crate::browser;
use crate::protocol::{Accepted, ProgressRow, Proof, Shown, Stop, TraceRow};
use crate::state::{Action, Checked, Run, SimulationMove, Status, View, events_of};
use crate::ui::icon::icon;
use crate::ui::{Act, ask};

/// The props.
pub struct Props {
    /// The run.
    pub run: Run,
    /// It belongs to the current text and property.
    pub current: bool,
    /// It belongs to the current text, for any property.
    pub same_model: bool,
    /// The number of events.
    pub length: usize,
    /// The locations related to the selection, by name.
    pub related: Vec<String>,
    /// The settings of the views.
    pub view: View,
    /// The callback for actions.
    pub act: Act,
}

/// The banner: the verdict, or why there is none.
pub fn verdict_banner(props: &Props) -> Html {
    let open = props.view.certificate;
    let Some((class, sign, title, reason)) = words(props) else { return Html::default() };
    let (reason, reading) = split(&reason);
    let outcome = props.run.outcome.as_ref().filter(|_| props.run.revealed);
    let proof = outcome.and_then(|o| o.certificate.clone());
    let toggle = {
        let (act, view) = (props.act.clone(), props.view.clone());
        Callback::from(move |_| act.emit(Action::View(View { certificate: !open, ..view.clone() })))
    };
    html! {
        <>
            <div class={classes!("verdict", class, (!props.current).then_some("stale"))} role="status" data-testid="verdict">
                <span class="mark">{ icon(sign) }</span>
                <div class="says">
                    <strong>{ title }</strong>{ " " }<span class="reason">{ reason }</span>
                    if !reading.is_empty() { <details class="reading"><summary>{ "Steps, positions, finite runs" }</summary>{ reading }{ "." }</details> }
                </div>
                if let Some(proof) = &proof {
                    <button class="btn small" aria-expanded={open.to_string()} onclick={toggle} data-testid="certificate-toggle">
                        { match proof.shown {
                            Shown::Invariant(_) => "Invariant",
                            Shown::Markings(_) => "Markings",
                            Shown::Trace(_) => "Trace",
                            Shown::Lasso(..) => "Lasso",
                            Shown::Progress(_) => "Ranks",
                            Shown::Structure(_) => "Structure",
                        } }
                    </button>
                    { check_button(props) }
                    { simulate_button(props, proof) }
                }
                { continue_button(props) }
                { reveal_button(props) }
            </div>
            { checked(&props.run.checked) }
            if let (true, Some(proof)) = (open, &proof) {
                { certificate(proof, props) }
            }
        </>
    }
}

/// The reason with the assumptions on fairness, and the definition of words, which is shown on demand.
fn split(reason: &str) -> (String, String) {
    let Some((reason, reading)) = reason.split_once("; a step is ") else {
        return (reason.to_owned(), String::new());
    };
    let is_assumed = |clause: &&str| clause.starts_with("runs are ");
    let (assumed, defined): (Vec<&str>, Vec<&str>) = reading.split("; ").partition(is_assumed);
    let reason = std::iter::once(reason).chain(assumed).collect::<Vec<_>>().join("; ");
    (reason, format!("A step is {}", defined.join("; ")))
}

/// The banner in place of a verdict if neither model nor user states a property.
pub fn no_property(why: &str, has_run: bool, act: &Act) -> Html {
    let why = why.strip_prefix(NO_PROPERTY).unwrap_or(why).trim_start_matches([':', ' ']).to_owned();
    let stale = if has_run { ". The run below is about the model before your changes." } else { "" };
    let onclick = ask(act, || Action::AskSomething);
    html! {
        <div class="verdict neutral" role="status" data-testid="nothing-asked">
            <span class="mark">{ icon("info") }</span>
            <div class="says" id="nothing-asked"><strong>{ "No property" }</strong><span class="reason">{ why }{ stale }</span></div>
            <button class="btn small" {onclick} data-testid="ask-something">{ "Write a property" }</button>
        </div>
    }
}

type Words = (&'static str, &'static str, String, String);

fn words(props: &Props) -> Option<Words> {
    let stale = match (props.current, props.same_model) {
        (true, _) => "",
        (false, true) => ". This is about the property before your changes.",
        (false, false) => ". This is about the model before your changes.",
    };
    let said = match (&props.run.status, props.run.outcome.as_ref()) {
        (Status::Done, Some(_)) if !props.run.revealed => (
            "stopped",
            "forward",
            "Stepping".to_owned(),
            format!("The run has {}. Its verdict is shown at the end.", count(props.length, "event")),
        ),
        (Status::Done, Some(outcome)) => {
            let (class, icon, title) = match (&outcome.verdict, &outcome.vacuous) {
                (Verdict::Holds, Some(why)) => ("unknown", "info", format!("Holds vacuously: {why}")),
                (Verdict::Holds, None) => ("holds", "check", "Holds".to_owned()),
                (Verdict::Violated, _) => ("violated", "cross", "Violated".to_owned()),
                (Verdict::Unknown(_), _) => ("unknown", "unknown", "Unknown".to_owned()),
            };
            (class, icon, title, outcome.reason.clone() + &trust(&props.run.checked))
        }
        (Status::Paused(Stop::Asked), _) => {
            ("stopped", "pause", "Paused".to_owned(), format!("{} events so far.", props.length))
        }
        (Status::Paused(Stop::Fuel), _) => (
            "stopped",
            "pause",
            "Budget used up".to_owned(),
            format!(
                "No verdict after {} steps and {} events. The run can be continued.",
                props.run.used, props.length
            ),
        ),
        (Status::Paused(Stop::Events), _) => (
            "stopped",
            "pause",
            "Paused".to_owned(),
            format!("{} events are recorded. Press Continue to record more.", props.length),
        ),
        (Status::Stopped, _) => (
            "stopped",
            "stop",
            "Stopped".to_owned(),
            format!("No verdict. The {} events up to here can be inspected.", props.length),
        ),
        (Status::Failed(why), _) if why.contains(NO_PROPERTY) => {
            let what =
                why.split_once(NO_PROPERTY).map_or("", |(_, what)| what).trim_start_matches([':', ' ']);
            ("stopped", "info", "No property".to_owned(), what.to_owned())
        }
        // That another text or property could not be run says nothing about this one.
        (Status::Failed(_), _) if !props.current => return None,
        (Status::Failed(why), _) => ("unknown", "warning", "The run failed".to_owned(), why.clone()),
        _ => return None,
    };
    let reason = if stale.is_empty() { &said.3 } else { said.3.trim_end_matches('.') };
    Some((said.0, said.1, said.2, format!("{reason}{stale}")))
}

/// The unchecked assumptions of the verdict.
fn trust(checked: &Checked) -> String {
    match checked {
        Checked::Accepted(accepted) if !accepted.trusted.is_empty() => {
            format!("; not checked: {}", accepted.trusted.join(" "))
        }
        _ => String::new(),
    }
}

fn check_button(props: &Props) -> Html {
    let onclick = ask(&props.act, || Action::Check);
    let asked = matches!(props.run.checked, Checked::Asked(_));
    html! {
        <button class="btn small" {onclick} disabled={asked} data-testid="check-it" aria-label={if asked { "Checking…" } else { "Check it" }} title="Check the certificate with an independent checker">
            { icon("shield") }<span class="words">{ if asked { "Checking…" } else { "Check it" } }</span>
        </button>
    }
}

/// The events of a run of a chart are played.
fn simulate_button(props: &Props, proof: &Proof) -> Html {
    let is_chart = props.run.model.as_ref().is_some_and(|model| model.chart.is_some());
    let events = events_of(&proof.shown.run().rows);
    if !is_chart || events.is_empty() || !props.same_model {
        return Html::default();
    }
    let play = SimulationMove::Load(events.clone(), events.len());
    let onclick = props.act.reform(move |_: MouseEvent| Action::Simulate(play.clone()));
    html! { <button class="btn small" {onclick} title="Play the events of this run in the chart" data-testid="play-found">{ icon("play") }<span class="words">{ "Play it" }</span></button> }
}

fn reveal_button(props: &Props) -> Html {
    if props.run.revealed || props.run.outcome.is_none() {
        return Html::default();
    }
    let onclick = ask(&props.act, || Action::Reveal);
    html! { <button class="btn small" {onclick} data-testid="reveal">{ icon("forward") }{ "Show the verdict" }</button> }
}

fn continue_button(props: &Props) -> Html {
    if !matches!(props.run.status, Status::Paused(_)) || !props.current {
        return Html::default();
    }
    let onclick = ask(&props.act, || Action::Run);
    html! { <button class="btn small" {onclick} data-testid="continue">{ icon("play") }{ "Continue" }</button> }
}

fn checked(checked: &Checked) -> Html {
    match checked {
        Checked::No | Checked::Asked(_) => Html::default(),
        Checked::Accepted(Accepted { checked, trusted }) => html! {
            <div class="checked yes" role="status" data-testid="checked" data-grade={if trusted.is_empty() { "checked" } else { "trusted" }}>
                { icon("shield") }<span><strong>{ if trusted.is_empty() { "Accepted by the independent checker." } else { "Accepted by the independent checker, except for unchecked parts:" } }</strong></span>
                <ul>
                    { for checked.iter().map(|w| html! { <li>{ w }</li> }) }
                    { for trusted.iter().map(|w| html! { <li data-testid="trusted">{ "Not checked: " }{ w }</li> }) }
                </ul>
            </div>
        },
        Checked::Refused(why) => html! {
            <div class="checked no" role="status" data-testid="checked">
                { icon("warning") }<span><strong>{ "Rejected by the independent checker: " }</strong>{ why }</span>
            </div>
        },
    }
}

fn certificate(proof: &Proof, props: &Props) -> Html {
    let copy = {
        let json = proof.json.clone();
        Callback::from(move |_| browser::copy(&json, Callback::noop()))
    };
    let download = {
        let json = proof.json.clone();
        Callback::from(move |_| browser::download("veristep-certificate.json", "application/json", &json))
    };
    html! {
        <div class="certificate" data-testid="certificate">
            <div class="lead"><span class="grow">{ &proof.lead }</span>
                <button class="btn small" onclick={copy}>{ icon("copy") }{ "JSON" }</button>
                <button class="btn small" onclick={download}>{ icon("download") }{ "File" }</button>
            </div>
            { match &proof.shown {
                Shown::Invariant(rows) => invariant(rows, ["Location", "Invariant"], &props.related),
                Shown::Structure(rows) => invariant(rows, ["State", "Formula"], &[]),
                Shown::Markings(rows) => markings(rows),
                Shown::Trace(rows) => trace(rows, None),
                Shown::Lasso(rows, back) => trace(rows, Some(*back)),
                Shown::Progress(rows) => progress(rows),
            } }
            <p class="lead muted">{ &proof.cost }</p>
        </div>
    }
}

fn invariant(rows: &[(String, String)], head: [&'static str; 2], related: &[String]) -> Html {
    let row = |(location, formula): &(String, String)| {
        html! {
            <tr class={related.contains(location).then_some("related")}>
                <td class="code">{ location }</td><td class="code">{ formula }</td>
            </tr>
        }
    };
    html! {
        <table class="data">
            <thead><tr>{ for head.map(|title| html! { <th scope="col">{ title }</th> }) }</tr></thead>
            <tbody>{ for rows.iter().map(row) }</tbody>
        </table>
    }
}

fn markings(rows: &[(String, String)]) -> Html {
    let row = |(what, number): &(String, String)| html! { <tr><th scope="row">{ what }</th><td class="code">{ number }</td></tr> };
    html! { <table class="data"><tbody>{ for rows.iter().map(row) }</tbody></table> }
}

fn progress(rows: &[ProgressRow]) -> Html {
    let row = |row: &ProgressRow| {
        html! {
            <tr><td class="code">{ &row.location }</td><td class="code">{ &row.state }</td>
                <td class="code">{ &row.rank }</td><td class="code">{ &row.formula }</td></tr>
        }
    };
    html! {
        <table class="data">
            <thead><tr>{ for ["Location", "Automaton", "Rank", "States"].map(|t| html! { <th scope="col">{ t }</th> }) }</tr></thead>
            <tbody>{ for rows.iter().map(row) }</tbody>
        </table>
    }
}

/// The shown rows of a run, each with its number, the operation since the previous one, and the name of the step.
fn steps(rows: &[TraceRow]) -> Vec<(usize, String, &str, &TraceRow)> {
    let mut operations: Vec<String> = Vec::new();
    let mut shown = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        if !row.operation.is_empty() {
            operations.push(crate::text::operation(&row.operation));
        }
        if let Some(step) = &row.step {
            shown.push((i, std::mem::take(&mut operations).join("; "), step.as_str(), row));
        }
    }
    shown
}

/// The places of a net whose tokens have columns of their own.
const COLUMNS: usize = 16;

/// The states of a run; those of the cycle are marked.
fn trace(rows: &[TraceRow], back: Option<usize>) -> Html {
    let names: Vec<String> =
        rows.last().map(|r| r.values.iter().map(|(n, _)| n.clone()).collect()).unwrap_or_default();
    let shown = steps(rows);
    let actions = rows.iter().any(|row| row.step.as_ref() != Some(&row.location));
    // The steps of a net are its transitions, and a large marking is a text.
    let is_net = !shown.is_empty() && shown.iter().all(|(_, operation, step, _)| operation == step);
    let as_text = is_net && names.len() > COLUMNS;
    // A cycle that begins inside of an action is marked from the end of this action on.
    let back = back.and_then(|back| shown.iter().map(|(i, ..)| *i).find(|i| *i >= back));
    let row = |(n, (i, operation, step, row)): (usize, &(usize, String, &str, &TraceRow))| {
        let value = |name: &String| {
            let now = row.values.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone()).unwrap_or_default();
            html! { <td class="code">{ now }</td> }
        };
        html! {
            <tr key={n} class={back.is_some_and(|b| *i >= b).then_some("repeated")}>
                <td class="code">{ n }{ if back == Some(*i) { " ↻" } else { "" } }</td>
                if !is_net { <td class="code">{ operation }</td> }
                <td class="code">{ *step }</td>
                if as_text { <td class="code">{ row.marking() }</td> } else { { for names.iter().map(value) } }
            </tr>
        }
    };
    html! {
        <table class="data">
            <thead><tr><th scope="col">{ "Step" }</th>
                if !is_net { <th scope="col">{ "Operation" }</th> }
                <th scope="col">{ match (is_net, actions) { (true, _) => "Transition", (_, true) => "Action", _ => "Location" } }</th>
                if as_text { <th scope="col">{ "Marking" }</th> } else { { for names.iter().map(|name| html! { <th scope="col" class="mono">{ name }</th> }) } }
            </tr></thead>
            <tbody>{ for shown.iter().enumerate().map(row) }</tbody>
        </table>
    }
}

//! A statechart that is played: the events of the environment as buttons, and what they do as a table, microstep by
//! microstep. The drawing shows the active states and the transitions of the microstep.

use std::collections::BTreeMap;
use std::rc::Rc;

use veristep_core::chart::Chart;
use veristep_core::chart::simulation::{Moment, Offer, Reaction, Values};
use veristep_core::text::count;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::browser;
use crate::explained::Thing;
use crate::protocol::{ChartFacts, FoundRun};
use crate::state::{Action, Run, Simulated, SimulationMove, events_of};
use crate::ui::Act;
use crate::ui::icon::icon;

/// The greatest number of reactions that are shown before the position and after it.
const SHOWN: usize = 60;

/// The props.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The simulation.
    pub simulation: Rc<Simulated>,
    /// The run that was found, if there is one.
    pub found: Option<FoundRun>,
    /// The callback for actions.
    pub act: Act,
}

/// The run that a verdict is about, once it is shown.
pub fn found(run: Option<&Run>) -> Option<FoundRun> {
    let run = run.filter(|run| run.revealed)?;
    let found = run.outcome.as_ref()?.certificate.as_ref()?.shown.run();
    Some(found).filter(|found| !found.rows.is_empty())
}

/// The simulation.
#[component]
pub fn SimulationView(props: &Props) -> Html {
    let Props { simulation, found, act } = props;
    let typed = use_state_eq(BTreeMap::<(String, usize), String>::new);
    // The reaction that is shown is in view in the table.
    use_effect_with((simulation.at, simulation.moment, simulation.answer.clone()), |_| {
        let current = browser::document().query_selector(".sequence [aria-current]");
        current.ok().flatten().iter().for_each(browser::bring_into_view);
    });
    // The result of a search for mistakes, below the table, is scrolled into view when it arrives.
    let known = use_mut_ref(|| simulation.facts.clone());
    use_effect_with(simulation.facts.clone(), move |facts| {
        let is_new = known.replace(facts.clone()) != *facts && facts.is_some();
        let list = browser::document().query_selector(".chart-checks dl").ok().flatten();
        list.filter(|_| is_new).iter().for_each(browser::bring_into_view);
    });
    let moves = act.reform(Action::Simulate);
    let Some(answer) = &simulation.answer else {
        return html! { <div class="empty"><p>{ "The chart can be played once the text has no errors." }</p></div> };
    };
    html! {
        <div class="simulation" data-testid="simulation">
            { controls(simulation, found.as_ref(), &moves) }
            { offers(&answer.offers, &typed, &moves) }
            if let Some(why) = answer.end.as_ref().filter(|_| simulation.at + 1 >= answer.reactions.len()) {
                <p class="play-status ended" role="status" data-testid="simulation-end">{ format!("The execution ends here: {why}.") }</p>
            }
            <div class="scroll">
                { sequence(simulation, &answer.reactions, repeated(simulation, found.as_ref()), &moves) }
                { for simulation.shown().map(values) }
                { checks(simulation.facts.as_deref(), &moves, act) }
            </div>
        </div>
    }
}

/// A button with an icon.
fn go(
    play: Option<SimulationMove>,
    (name, words, test): (&'static str, &'static str, &'static str),
    moves: &Callback<SimulationMove>,
) -> Html {
    let disabled = play.is_none();
    let moves = moves.clone();
    let onclick = Callback::from(move |_: MouseEvent| play.iter().for_each(|play| moves.emit(play.clone())));
    html! { <button class="btn" aria-label={words} title={words} {disabled} {onclick} data-testid={test}>{ icon(name) }</button> }
}

/// The buttons for moves along the events that were sent.
fn controls(simulation: &Simulated, found: Option<&FoundRun>, moves: &Callback<SimulationMove>) -> Html {
    let at = simulation.at;
    let back = at.checked_sub(1).map(|at| SimulationMove::To(at, None));
    let again = (at < simulation.events.len()).then_some(SimulationMove::To(at + 1, None));
    let load = found.map(|found| {
        let events = events_of(&found.rows);
        let (moves, at) = (moves.clone(), events.len());
        Callback::from(move |_: MouseEvent| moves.emit(SimulationMove::Load(events.clone(), at)))
    });
    let random = {
        let (moves, offers) = (moves.clone(), simulation.answer.as_ref().map(|answer| answer.offers.clone()));
        Callback::from(move |_: MouseEvent| {
            let event = offers.as_deref().and_then(at_random);
            event.into_iter().for_each(|event| moves.emit(SimulationMove::Send(event)));
        })
    };
    let ended = simulation.answer.as_ref().is_none_or(|answer| answer.offers.is_empty());
    html! {
        <div class="row" role="toolbar" aria-label="Simulation">
            { go((at > 0).then_some(SimulationMove::To(0, None)), ("start", "To the start", "simulation-start"), moves) }
            { go(back, ("back-phase", "Back to before the last event", "simulation-back"), moves) }
            { go(simulation.beside(false), ("back", "One microstep back", "microstep-back"), moves) }
            { go(simulation.beside(true), ("forward", "One microstep on", "microstep-on"), moves) }
            { go(again, ("forward-phase", "On to after the next event", "simulation-again"), moves) }
            <button class="btn small" onclick={random} disabled={ended} title="Send any event that enables a transition" data-testid="simulation-random">{ "Random event" }</button>
            if let Some(onclick) = load {
                <button class="btn small" {onclick} title="Send the events of the counterexample" data-testid="simulation-found">{ "Play the counterexample" }</button>
            }
        </div>
    }
}

/// A random number below another one.
fn random(below: usize) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below the number")]
    let chosen = (js_sys::Math::random() * below as f64) as usize;
    chosen
}

/// Any event with any values, of those that enable transitions if there are some.
fn at_random(offers: &[Offer]) -> Option<String> {
    let mut all: Vec<&Offer> = offers.iter().filter(|offer| offer.reacts).collect();
    if all.is_empty() {
        all = offers.iter().collect();
    }
    let offer = all.get(random(all.len()))?;
    let value = |values: &Values| match values {
        Values::Listed(all) => all.get(random(all.len())).cloned().unwrap_or_default(),
        Values::Between(least, greatest) => match (least.parse::<i64>(), greatest.parse::<i64>()) {
            (Ok(least), Ok(greatest)) => {
                let number = greatest.saturating_sub(least).min(1_000);
                (least + i64::try_from(random(usize::try_from(number).unwrap_or(0) + 1)).unwrap_or(0))
                    .to_string()
            }
            _ => least.clone(),
        },
        Values::Integers => random(10).to_string(),
    };
    let values: Vec<String> = offer.parameters.iter().map(|(_, values)| value(values)).collect();
    Some(event_text(&offer.event, &values))
}

/// An event as written.
fn event_text(event: &str, values: &[String]) -> String {
    if values.is_empty() { event.to_owned() } else { format!("{event}({})", values.join(",")) }
}

type Typed = UseStateHandle<BTreeMap<(String, usize), String>>;

/// The events that the environment can send, each as a button beside fields for its parameters.
fn offers(offers: &[Offer], typed: &Typed, moves: &Callback<SimulationMove>) -> Html {
    let value = |event: &str, number: usize, values: &Values| {
        typed.get(&(event.to_owned(), number)).cloned().unwrap_or_else(|| match values {
            Values::Listed(all) => all.first().cloned().unwrap_or_default(),
            Values::Between(least, _) => least.clone(),
            Values::Integers => "0".to_owned(),
        })
    };
    let field = |event: &str, number: usize, (name, values): &(String, Values)| {
        let set = {
            let (typed, key) = (typed.clone(), (event.to_owned(), number));
            Callback::from(move |value: String| {
                let mut all = (*typed).clone();
                all.insert(key.clone(), value);
                typed.set(all);
            })
        };
        let now = value(event, number, values);
        let label = format!("{name} of {event}");
        match values {
            Values::Listed(all) => {
                let onchange = Callback::from(move |event: Event| {
                    let chosen = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value());
                    chosen.into_iter().for_each(|value| set.emit(value));
                });
                let option = |one: &String| html! { <option value={one.clone()} selected={*one == now}>{ one }</option> };
                html! { <select class="field" aria-label={label.clone()} title={label} {onchange}>{ for all.iter().map(option) }</select> }
            }
            Values::Between(..) | Values::Integers => {
                let (min, max) = match values {
                    Values::Between(least, greatest) => (Some(least.clone()), Some(greatest.clone())),
                    _ => (None, None),
                };
                let oninput = Callback::from(move |event: InputEvent| set.emit(browser::value_of(&event)));
                html! { <input class="field number" type="number" step="1" {min} {max} aria-label={label.clone()} title={label} value={now} {oninput} /> }
            }
        }
    };
    let one = |offer: &Offer| {
        let parameters = offer.parameters.iter().enumerate();
        let values: Vec<String> = parameters.map(|(n, (_, values))| value(&offer.event, n, values)).collect();
        let event = event_text(&offer.event, &values);
        let moves = moves.clone();
        let onclick = Callback::from(move |_: MouseEvent| moves.emit(SimulationMove::Send(event.clone())));
        let title = if offer.reacts {
            "Send this event: it enables a transition"
        } else {
            "No transition is enabled by this event"
        };
        html! {
            <span class="offer" key={offer.event.clone()}>
                <button class={classes!("btn", "small", offer.reacts.then_some("enabled"))} {title} {onclick} data-testid="send-event">{ &offer.event }</button>
                { for offer.parameters.iter().enumerate().map(|(n, parameter)| field(&offer.event, n, parameter)) }
            </span>
        }
    };
    html! {
        <div class="row offers" role="group" aria-label="Events of the environment">
            <span class="muted">{ "Events" }</span>
            { for offers.iter().map(one) }
        </div>
    }
}

/// The number of the first event that is repeated for ever, if the events are those of an infinite run.
fn repeated(simulation: &Simulated, found: Option<&FoundRun>) -> Option<usize> {
    let FoundRun { rows, back } = found?;
    let before = rows.iter().take((*back)? + 1).filter(|row| row.step.is_some()).count();
    (simulation.events == events_of(rows) && before <= simulation.events.len()).then_some(before)
}

/// What the events do, as a table.
fn sequence<'a>(
    simulation: &Simulated,
    reactions: &'a [Reaction],
    repeated: Option<usize>,
    moves: &Callback<SimulationMove>,
) -> Html {
    let (first, last) = (simulation.at.saturating_sub(SHOWN), (simulation.at + SHOWN).min(reactions.len()));
    let of = |(at, reaction): (usize, &'a Reaction)| {
        reaction.moments.iter().enumerate().map(move |(n, moment)| ((at, n), moment))
    };
    let shown = reactions.iter().enumerate().take(last).skip(first.saturating_sub(1));
    let moments: Vec<((usize, usize), &Moment)> = shown.flat_map(of).collect();
    let rows = |(at, reaction): (usize, &Reaction)| {
        let number = reaction.moments.len();
        let row = |(n, moment): (usize, &Moment)| {
            let before = moments.iter().rev().find(|(place, _)| *place < (at, n));
            let is_current = at == simulation.at && simulation.moment.map_or(n + 1 == number, |it| it == n);
            let play = SimulationMove::To(at, Some(n));
            let moves = moves.clone();
            let onclick = Callback::from(move |_: MouseEvent| moves.emit(play.clone()));
            let event = match (n, at) {
                (0, 0) => "start".to_owned(),
                (0, _) => reaction.event.clone(),
                _ => moment.event.clone().unwrap_or_else(|| "completion".to_owned()),
            };
            let is_repeated = repeated.is_some_and(|first| at >= first);
            let class = classes!(
                (n > 0).then_some("micro"),
                (at > simulation.at).then_some("later"),
                is_repeated.then_some("repeated")
            );
            html! {
                <tr key={format!("{at}.{n}")} {class} aria-current={is_current.then_some("step")} data-testid="moment">
                    <td class="no">{ if n == 0 { at.to_string() } else { String::new() } }</td>
                    <td><button class="link-btn" {onclick}>{ event }</button></td>
                    <td>{ microstep(moment, before.map(|(_, moment)| *moment)) }</td>
                    <td class="code">{ moment.configuration.join(", ") }</td>
                </tr>
            }
        };
        let left_out = (reaction.left_out > 0).then(|| {
            html! { <tr><td /><td class="muted" colspan="3">{ format!("{} before the last ones are not shown", count(reaction.left_out, "microstep")) }</td></tr> }
        });
        let mut all: Vec<Html> = reaction.moments.iter().enumerate().map(row).collect();
        all.splice(number / 2..number / 2, left_out);
        all.into_iter().collect::<Html>()
    };
    html! {
        <table class="data sequence" data-testid="sequence">
            <thead><tr><th>{ "#" }</th><th>{ "Event" }</th><th>{ "Microstep" }</th><th>{ "Active after it" }</th></tr></thead>
            <tbody>
                if first > 0 { <tr><td /><td class="muted" colspan="3">{ format!("{} before", count(first, "event")) }</td></tr> }
                { for reactions.iter().enumerate().take(last).skip(first).map(rows) }
                if let Some(first) = repeated.filter(|_| last == reactions.len()) {
                    <tr><td /><td class="muted" colspan="3" data-testid="repeated">{ again(first, reactions.len() - 1) }</td></tr>
                }
                if last < reactions.len() { <tr><td /><td class="muted" colspan="3">{ format!("{} after", count(reactions.len() - last, "event")) }</td></tr> }
            </tbody>
        </table>
    }
}

/// Which events are repeated.
fn again(first: usize, last: usize) -> String {
    if first == last {
        format!("Event {first} is repeated for ever.")
    } else {
        format!("The events {first} to {last} are repeated for ever.")
    }
}

/// What a microstep does, after the one before it.
fn microstep(moment: &Moment, before: Option<&Moment>) -> Html {
    let old = |name: &str| before.and_then(|it| it.values.iter().find(|(n, _)| n == name)).map(|(_, v)| v);
    let is_set = |(name, value): &&(String, String)| before.is_some() && old(name) != Some(value);
    let set: Vec<String> =
        moment.values.iter().filter(is_set).map(|(name, value)| format!("{name} := {value}")).collect();
    let list = |word: &str, all: &[String]| {
        let texts = (!all.is_empty()).then(|| format!("{word} {}", all.join(", ")));
        texts.into_iter().map(|text| html! { <span class="set">{ text }</span> }).collect::<Html>()
    };
    let discarded = moment.transitions.is_empty() && moment.event.is_some() && moment.fault.is_none();
    let is_tick = moment.event.as_deref() == Some(Chart::TICK);
    let why =
        if is_tick { "no transition: only time passes" } else { "no transition: the event is discarded" };
    html! {
        <>
            if discarded { <span class="muted">{ why }</span> }
            if let Some(fault) = &moment.fault { <span class="failed">{ format!("not executed: {fault}") }</span> }
            { for moment.transitions.iter().map(|(_, text)| html! { <span class="taken">{ text }</span> }) }
            { list("exits", &moment.exited) }
            { list("enters", &moment.entered) }
            { list("sets", &set) }
            { list("raises", &moment.raised) }
            { list("sends", &moment.sent) }
            { list("queue:", &moment.queue) }
        </>
    }
}

/// The variables.
fn values(moment: &Moment) -> Html {
    if moment.values.is_empty() {
        return Html::default();
    }
    let row = |(name, value): &(String, String)| html! { <tr><td class="code">{ name }</td><td class="code">{ value }</td></tr> };
    html! {
        <table class="data variables" data-testid="chart-values">
            <thead><tr><th>{ "Variable" }</th><th>{ "Value" }</th></tr></thead>
            <tbody>{ for moment.values.iter().map(row) }</tbody>
        </table>
    }
}

/// What hints at mistakes, on request.
fn checks(facts: Option<&ChartFacts>, moves: &Callback<SimulationMove>, act: &Act) -> Html {
    let onclick = moves.reform(|_: MouseEvent| SimulationMove::Facts);
    let body = facts.map(|facts| listed(facts, moves, act));
    html! {
        <section class="chart-checks">
            <button class="btn small" {onclick} title="Search for states that are never entered, transitions that are never taken, conflicts that only the order of the text resolves, and executions that cannot continue" data-testid="chart-checks">{ icon("find") }{ "Search for mistakes" }</button>
            { for body }
        </section>
    }
}

fn listed(facts: &ChartFacts, moves: &Callback<SimulationMove>, act: &Act) -> Html {
    let things = |title: &'static str, none: &'static str, all: &[(String, Thing)]| {
        let one = |(text, thing): &(String, Thing)| {
            let (act, thing) = (act.clone(), *thing);
            let onclick = Callback::from(move |_: MouseEvent| act.emit(Action::Pick(Some(thing))));
            html! { <li><button class="link-btn" {onclick}>{ text }</button></li> }
        };
        html! { <><dt>{ title }</dt><dd>if all.is_empty() { <span class="muted">{ none }</span> } else { <ul>{ for all.iter().map(one) }</ul> }</dd></> }
    };
    let fault = |(events, why): &(Vec<String>, String)| {
        let play = SimulationMove::Load(events.clone(), events.len());
        let moves = moves.clone();
        let onclick = Callback::from(move |_: MouseEvent| moves.emit(play.clone()));
        let text =
            if events.is_empty() { "at the start".to_owned() } else { format!("after {}", events.join(" ")) };
        html! { <li>{ format!("{text}: {why} ") }<button class="btn small" {onclick}>{ "Play" }</button></li> }
    };
    let searched = format!("{} searched", count(facts.states, "stable state"));
    let all = if facts.complete { "All " } else { "" };
    let rest = if facts.complete {
        ""
    } else {
        ", not all: states and transitions below may be reachable, and others may be missing"
    };
    html! {
        <>
            <p class="muted" role="status" data-testid="chart-facts">{ format!("{all}{searched}{rest}.") }</p>
            <dl>
                { things("States that are never entered", "none", &facts.unreachable) }
                { things("Transitions that are never taken", "none", &facts.dead) }
                { things("Conflicting transitions, of which the first in the text is taken", "none", &facts.by_order) }
                <dt>{ "Executions that cannot continue: an endless macrostep, a full queue, or a value out of range" }</dt>
                <dd>if facts.faults.is_empty() { <span class="muted">{ "none" }</span> } else { <ul>{ for facts.faults.iter().map(fault) }</ul> }</dd>
            </dl>
        </>
    }
}

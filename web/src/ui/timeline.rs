//! The timeline: iterations as segments, phases as colours, a scrubber over them, and the navigation buttons.

use std::rc::Rc;

use veristep_core::explain::{Granularity, PhaseMark};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::state::{Action, Move, View};
use crate::text::decimal;
use crate::ui::icon::icon;
use crate::ui::{Act, ask, role_name};

/// The props.
pub struct Props {
    /// Where phases begin.
    pub marks: Rc<Vec<PhaseMark>>,
    /// The stretches, from [`rail`].
    pub rail: Html,
    /// The number of events.
    pub length: usize,
    /// The step.
    pub cursor: usize,
    /// The step in words.
    pub said: AttrValue,
    /// Playing.
    pub playing: bool,
    /// The settings of the views.
    pub view: View,
    /// The callback for actions.
    pub act: Act,
}

/// The width of the rail, in its own units.
const RAIL: f64 = 1000.0;
/// Narrower stretches are merged with their neighbours.
const NARROWEST: f64 = 0.7;
/// The share of the rail that the label of an iteration needs: its border, and each digit.
const LABEL_BORDER: f64 = 0.025;
const DIGIT: f64 = 0.025;

/// Steps a second, by the index in [`View::speed`].
pub const SPEEDS: [(u32, &str); 5] =
    [(1, "1 / s"), (3, "3 / s"), (8, "8 / s"), (25, "25 / s"), (60, "60 / s")];

/// The timeline.
pub fn timeline(props: &Props) -> Html {
    let ahead = if props.length == 0 { 0.0 } else { props.cursor as f64 / props.length as f64 * RAIL };
    let oninput = {
        let act = props.act.clone();
        Callback::from(move |event: InputEvent| {
            let to = event.target_dyn_into::<HtmlInputElement>().and_then(|input| input.value().parse().ok());
            if let Some(to) = to {
                act.emit(Action::Go(Move::To(to)));
            }
        })
    };
    html! {
        <div class="transport" data-testid="timeline">
            { buttons(props) }
            <div class="track">
                <div class="marks" aria-hidden="true">{ iterations(props) }</div>
                <div class="rail">
                    <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
                        { props.rail.clone() }
                        <rect class="ahead" x={decimal(ahead, 2)} y="0" width={decimal(RAIL - ahead, 2)} height="10" />
                    </svg>
                </div>
                <input type="range" min="0" max={props.length.to_string()} value={props.cursor.to_string()} {oninput}
                    aria-label="Step" aria-valuetext={props.said.clone()} disabled={props.length == 0} data-testid="scrubber" />
            </div>
            <span class="counter" data-testid="counter">{ format!("{} / {}", props.cursor, props.length) }</span>
            { extras(props) }
        </div>
    }
}

/// The coloured stretches of phases; drawn anew only when the journal grows.
pub fn rail(marks: &[PhaseMark], length: usize) -> Html {
    let scale = RAIL / length.max(1) as f64;
    let mut rects: Vec<Html> = Vec::new();
    let mut drawn = 0.0;
    for (i, mark) in marks.iter().enumerate() {
        let end = marks.get(i + 1).map_or(length, |next| next.start) as f64 * scale;
        if end - drawn < NARROWEST && i + 1 < marks.len() {
            continue;
        }
        let class = format!("fill-{}", role_name(mark.role()));
        let width = decimal(end - drawn, 2);
        rects.push(html! { <rect {class} x={decimal(drawn, 2)} y="0" {width} height="10" /> });
        drawn = end;
    }
    rects.into_iter().collect()
}

fn iterations(props: &Props) -> Html {
    let starts: Vec<&PhaseMark> = props.marks.iter().filter(|mark| mark.first).collect();
    let mut free = 0.0;
    let one = |(i, mark): (usize, &&PhaseMark)| {
        let at = mark.start as f64 / props.length.max(1) as f64;
        let end = starts.get(i + 1).map_or(props.length, |next| next.start);
        if at < free {
            return Html::default();
        }
        free = at + LABEL_BORDER + DIGIT * mark.iteration.to_string().len() as f64;
        let now = mark.start < props.cursor && props.cursor <= end;
        html! { <span class={now.then_some("now")} style={format!("left:{}%", decimal(at * 100.0, 2))}>{ mark.iteration }</span> }
    };
    starts.iter().enumerate().map(one).collect()
}

fn buttons(props: &Props) -> Html {
    let button = |sign: &'static str,
                  label: &'static str,
                  way: Move,
                  class: &'static str,
                  test: &'static str| {
        let act = props.act.clone();
        let back = matches!(way, Move::Back(_) | Move::Start);
        let disabled =
            if back { props.cursor == 0 } else { props.length > 0 && props.cursor == props.length };
        let onclick = Callback::from(move |_| act.emit(Action::Go(way)));
        html! {
            <button class={classes!("btn", "quiet", "icon-only", "keep", class)} aria-label={label} title={label} {disabled} {onclick} data-testid={test}>
                { icon(sign) }
            </button>
        }
    };
    let play = ask(&props.act, || Action::Play);
    let (sign, label) =
        if props.playing { ("pause", "Stop playing (Space)") } else { ("play", "Play (Space)") };
    html! {
        <div class="keys" role="group" aria-label="Move through the run">
            { button("start", "To the start (Home)", Move::Start, "by-phase", "go-start") }
            { button("back-phase", "Back by a phase (Shift ←)", Move::Back(Granularity::Phase), "", "back-phase") }
            { button("back", "Back by an event (←)", Move::Back(Granularity::Event), "", "back") }
            <button class="btn play keep" aria-label={label} title={label} onclick={play} data-testid="play">{ icon(sign) }</button>
            { button("forward", "Forward by an event (→)", Move::Forward(Granularity::Event), "", "forward") }
            { button("forward-phase", "Forward by a phase (Shift →)", Move::Forward(Granularity::Phase), "", "forward-phase") }
            { button("end", "To the end (End)", Move::End, "by-phase", "go-end") }
        </div>
    }
}

fn extras(props: &Props) -> Html {
    let on_grain = {
        let (act, view) = (props.act.clone(), props.view.clone());
        Callback::from(move |event: Event| {
            let value = event.target_dyn_into::<HtmlSelectElement>().map(|s| s.value()).unwrap_or_default();
            let grain = match value.as_str() {
                "phase" => Granularity::Phase,
                "iteration" => Granularity::Iteration,
                _ => Granularity::Event,
            };
            act.emit(Action::View(View { grain, ..view.clone() }));
        })
    };
    let on_speed = {
        let (act, view) = (props.act.clone(), props.view.clone());
        Callback::from(move |event: Event| {
            let value = event.target_dyn_into::<HtmlSelectElement>().and_then(|s| s.value().parse().ok());
            act.emit(Action::View(View { speed: value.unwrap_or(1), ..view.clone() }));
        })
    };
    let grain = |grain: Granularity, name: &'static str| {
        html! { <option value={name} selected={props.view.grain == grain}>{ format!("by {name}") }</option> }
    };
    html! {
        <div class="keys extras">
            <select class="field" aria-label="Play by" onchange={on_grain}>
                { grain(Granularity::Event, "event") }{ grain(Granularity::Phase, "phase") }{ grain(Granularity::Iteration, "iteration") }
            </select>
            <select class="field" aria-label="Speed" onchange={on_speed}>
                { for SPEEDS.iter().enumerate().map(|(i, (_, name))| html! { <option value={i.to_string()} selected={props.view.speed == i}>{ *name }</option> }) }
            </select>
        </div>
    }
}

//! The options of runs and of the page.

use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::protocol::RunOption;
use crate::state::{Action, options};
use crate::ui::Act;
use crate::ui::popover::Popover;

/// The props.
pub struct Props {
    /// The fuel of a run.
    pub fuel: u64,
    /// The options of runs.
    pub known: Vec<RunOption>,
    /// Those other than the defaults.
    pub options: Vec<(String, String)>,
    /// The callback for actions.
    pub act: Act,
    /// The callback that closes it.
    pub on_close: Callback<()>,
}

const BUDGETS: &[(u64, &str)] = &[
    (300_000, "short: 300 000 steps"),
    (3_000_000, "normal: 3 million steps"),
    (100_000_000, "long: 100 million steps"),
];

/// The options card.
pub fn options(props: &Props) -> Html {
    let on_budget = {
        let act = props.act.clone();
        Callback::from(move |event: Event| {
            if let Some(fuel) =
                event.target_dyn_into::<HtmlSelectElement>().and_then(|s| s.value().parse().ok())
            {
                act.emit(Action::Fuel(fuel));
            }
        })
    };
    let budget = |(fuel, text): &(u64, &'static str)| {
        html! { <option value={fuel.to_string()} selected={*fuel == props.fuel}>{ *text }</option> }
    };
    html! {
        <Popover name="options" title="Options" on_close={props.on_close.clone()}>
            { choices(&props.known, "", &props.options, &props.act) }
            <label class="row">
                <span class="grow">{ "Budget of a run" }</span>
                <select class="field" data-testid="budget" onchange={on_budget}>{ for BUDGETS.iter().map(budget) }</select>
            </label>
            <p class="muted">{ "When the budget is used up the run pauses and can be continued. Budgets count \
                steps, not time, so a run is the same on every machine. The strategies of cegar are those \
                of Hajdu and Micskei, “Efficient Strategies for CEGAR-Based Model Checking” (2020)." }</p>
        </Popover>
    }
}

/// The other known options that are applicable with the chosen ones.
pub fn choices(known: &[RunOption], without: &str, chosen: &[(String, String)], act: &Act) -> Html {
    let offered = known.iter().filter(|o| o.name != without && options::applies(known, chosen, o));
    offered.map(|o| row(o, options::value(known, chosen, &o.name), act)).collect()
}

fn row(option: &RunOption, chosen: &str, act: &Act) -> Html {
    let (act, name) = (act.clone(), option.name.clone());
    let onchange = Callback::from(move |event: Event| {
        let target = event.target();
        let select =
            target.as_ref().and_then(|t| t.dyn_ref::<HtmlSelectElement>()).map(HtmlSelectElement::value);
        let input =
            || target.as_ref().and_then(|t| t.dyn_ref::<HtmlInputElement>()).map(HtmlInputElement::value);
        if let Some(value) = select.or_else(input) {
            act.emit(Action::Option(name.clone(), value));
        }
    });
    let what = option.choices.iter().find(|(c, _)| c == chosen).map_or(&option.hint, |(_, what)| what);
    let test = format!("option-{}", option.name);
    let choice = |(c, _): &(String, String)| {
        html! { <option value={c.clone()} selected={c == chosen}>{ c.clone() }</option> }
    };
    html! {
        <label class="choice" key={option.name.clone()}>
            <span class="row"><span class="grow">{ option.title.clone() }</span>
                if option.choices.is_empty() {
                    <input class="field mono" value={chosen.to_owned()} {onchange} spellcheck="false" autocomplete="off" data-testid={test} />
                } else {
                    <select class="field" data-testid={test} {onchange}>{ for option.choices.iter().map(choice) }</select>
                }</span>
            <span class="muted">{ what.clone() }</span>
        </label>
    }
}

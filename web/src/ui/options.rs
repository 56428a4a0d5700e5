//! The options of runs and of the page.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::state::Action;
use crate::ui::Act;
use crate::ui::popover::Popover;

/// What it shows.
pub struct Props {
    /// The fuel of a run.
    pub fuel: u64,
    /// Where to ask.
    pub act: Act,
    /// What closes it.
    pub on_close: Callback<()>,
}

const BUDGETS: &[(u64, &str)] = &[
    (300_000, "short: 300 000 steps"),
    (3_000_000, "normal: 3 million steps"),
    (100_000_000, "long: 100 million steps"),
];

/// The options card.
pub fn options(props: &Props) -> Html {
    let onchange = {
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
            <p><strong>{ "Method " }</strong>{ "Predicate abstraction with counterexample-guided refinement (CEGAR): \
                Cartesian, breadth first, one precision for all locations, sequence interpolants, lazy pruning." }</p>
            <label class="row">
                <span class="grow">{ "Budget of a run" }</span>
                <select class="field" data-testid="budget" {onchange}>{ for BUDGETS.iter().map(budget) }</select>
            </label>
            <p class="muted">{ "When the budget is used up the run stands still and can be continued. Budgets count \
                steps, not time, so a run goes the same way on every machine." }</p>
        </Popover>
    }
}

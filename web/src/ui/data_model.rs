//! The sizes of C's types: an option of programs in C only.

use veristep_core::formats::c::DataModel;
use veristep_core::run::Kind;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

const ALL: [DataModel; 2] = [DataModel::Ilp32, DataModel::Lp64];

/// The choice of the data model; nothing if the model is no program in C.
pub fn data_model(kind: Kind, on_choice: Callback<DataModel>) -> Html {
    let Some(chosen) = kind.data_model() else { return Html::default() };
    let onchange = Callback::from(move |event: Event| {
        let name = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value());
        if let Some(model) = ALL.into_iter().find(|model| name.as_deref() == Some(model.name())) {
            on_choice.emit(model);
        }
    });
    let option = |model: DataModel| {
        let title = format!("long has {} bits", model.long());
        html! { <option value={model.name()} {title} selected={model == chosen}>{ model.name() }</option> }
    };
    html! {
        <label class="data-model"><span class="label-text">{ "Data model" }</span>
            <select class="field" aria-label="Data model" title={format!("The sizes of C’s types: long has {} bits", chosen.long())} {onchange} data-testid="data-model">
                { for ALL.into_iter().map(option) }
            </select>
        </label>
    }
}

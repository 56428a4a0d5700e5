//! Concrete values of one or two variables against those allowed by the abstraction; the engine draws the picture.

use std::rc::Rc;

use veristep_core::draw::Drawn;
use veristep_core::system::VarId;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::explained::Explained;
use crate::state::{Action, View};
use crate::ui::Act;
use crate::ui::path_view::depicted;
use crate::ui::scene::Shown;

/// The grid, with two lists to choose variables from.
pub fn states_view(picture: Option<&Rc<Explained>>, shown: &Shown, view: &View) -> Html {
    let Some(explained) = picture else {
        return html! {
            <div class="empty">
                <strong>{ "No states yet" }</strong>
                <p>{ "After the first step, the values of one or two variables at a location are drawn here: those reached by runs, and those allowed by the abstraction." }</p>
            </div>
        };
    };
    html! {
        <div class="states" data-testid="states">
            { choosers(&explained.depicted.drawn, view, &shown.act) }
            { depicted(picture, shown) }
        </div>
    }
}

fn choosers(drawn: &Drawn, view: &View, act: &Act) -> Html {
    let Some((x, y)) = drawn.axes else { return Html::default() };
    let choose = |label: &'static str,
                  variables: &[(VarId, String)],
                  chosen: VarId,
                  with: fn((VarId, VarId), VarId) -> (VarId, VarId)| {
        let (act, view) = (act.clone(), view.clone());
        let onchange = Callback::from(move |event: Event| {
            let value = event.target_dyn_into::<HtmlSelectElement>().and_then(|s| s.value().parse().ok());
            if let Some(v) = value {
                act.emit(Action::View(View { axes: Some(with((x, y), VarId(v))), ..view.clone() }));
            }
        });
        let option = |(v, name): &(VarId, String)| {
            html! { <option value={v.0.to_string()} selected={*v == chosen}>{ name.clone() }</option> }
        };
        html! { <label>{ label }<select class="field" {onchange}>{ for variables.iter().map(option) }</select></label> }
    };
    // A variable on both axes is drawn alone.
    let alone = x == y;
    let mut others = drawn.variables.clone();
    others.iter_mut().filter(|(v, _)| *v == x).for_each(|(_, name)| *name = "none".to_owned());
    let across = if alone { |(_, _), v| (v, v) } else { |(x, y), v| (v, if v == y { x } else { y }) };
    html! {
        <div class="row">
            { choose("horizontal axis ", &drawn.variables, x, across) }
            { choose("vertical axis ", &others, y, |(x, _), v| (x, v)) }
        </div>
    }
}

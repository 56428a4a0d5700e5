//! The run of a time net on the axis of time, with a clock to be dragged; the engine draws the picture.

use std::rc::Rc;

use veristep_core::draw::MOMENTS;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::explained::Explained;
use crate::state::{Action, View};
use crate::ui::path_view::depicted;
use crate::ui::scene::Shown;

/// The clock above the picture.
pub fn timeline_view(picture: Option<&Rc<Explained>>, shown: &Shown, view: &View) -> Html {
    let is_drawn = picture.is_some_and(|p| p.depicted.drawn.scene.as_sentence().is_none());
    let (act, chosen) = (shown.act.clone(), view.clone());
    let oninput = Callback::from(move |event: InputEvent| {
        let value = event.target_dyn_into::<HtmlInputElement>().and_then(|input| input.value().parse().ok());
        if let Some(clock) = value {
            act.emit(Action::View(View { clock, ..chosen.clone() }));
        }
    });
    html! {
        <div class="states timeline" data-testid="timeline">
            if is_drawn {
                <label class="clock">{ "Time " }
                    <input type="range" min="0" max={MOMENTS.to_string()} step="1" value={view.clock.to_string()} {oninput} aria-label="A moment of the run" data-testid="clock" />
                </label>
            }
            { depicted(picture, shown) }
        </div>
    }
}

//! The journal as text: a window of events around the current one.

use std::ops::Range;

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use crate::state::{Action, JournalRef, Move};
use crate::ui::{Act, role_name};

/// The props.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The journal.
    pub journal: JournalRef,
    /// The step.
    pub cursor: usize,
    /// The callback for actions.
    pub act: Act,
}

/// The number of events listed before and after the current one.
const AROUND: usize = 120;

fn window(cursor: usize, length: usize) -> Range<usize> {
    cursor.saturating_sub(AROUND)..(cursor + AROUND).min(length)
}

/// The list.
#[component]
pub fn EventsView(props: &Props) -> Html {
    let list = use_node_ref();
    {
        let list = list.clone();
        use_effect_with((props.cursor, props.journal.length()), move |_| {
            let Some(list) = list.cast::<HtmlElement>() else { return };
            let current = list.query_selector("[aria-current]").ok().flatten();
            if let Some(item) = current.and_then(|e: Element| e.dyn_into::<HtmlElement>().ok()) {
                let middle = item.offset_top() - list.offset_top() - list.client_height() / 2;
                list.set_scroll_top(middle.max(0));
            }
        });
    }
    let journal = props.journal.get();
    let shown = window(props.cursor, journal.events.len());
    let line = |index: usize| {
        let event = &journal.events[index];
        let act = props.act.clone();
        let onclick = Callback::from(move |_| act.emit(Action::Go(Move::To(index + 1))));
        let current = index + 1 == props.cursor;
        html! {
            <button key={index} {onclick} aria-current={current.then_some("step")} class={(index >= props.cursor).then_some("later")}
                data-phase={event.phase().map_or("done", |phase| role_name(phase.role()))}>
                <span class="no">{ index + 1 }</span><span class="tick" aria-hidden="true"></span><span>{ journal.event_line(event).trim_end().to_owned() }</span>
            </button>
        }
    };
    let (earlier, later) = (shown.start, journal.events.len() - shown.end);
    if journal.events.is_empty() {
        return html! { <div class="empty"><strong>{ "No events yet" }</strong><p>{ "Press Run: the events of the run are listed here, in order." }</p></div> };
    }
    html! {
        <div class="scroll events" ref={list} data-testid="events" tabindex="0" role="group" aria-label="Events">
            if earlier > 0 { <p class="more">{ format!("{earlier} earlier events") }</p> }
            { for shown.map(line) }
            if later > 0 { <p class="more">{ format!("{later} later events") }</p> }
        </div>
    }
}

//! The keys and the glossary.

use std::rc::Rc;

use yew::prelude::*;

use crate::protocol::Library;
use crate::ui::popover::Popover;

/// The props.
pub struct Props {
    /// The glossary.
    pub library: Rc<Library>,
    /// The callback that closes it.
    pub on_close: Callback<()>,
}

const KEYS: &[(&[&str], &str)] = &[
    (&["←", "→"], "one event back or forward"),
    (&["Shift", "← →"], "by phase"),
    (&["Ctrl", "← →"], "by iteration"),
    (&["Home", "End"], "before the first event, after the last"),
    (&["Space"], "play or stop playing"),
    (&["R"], "run"),
    (&["F"], "fit the drawing"),
    (&["P"], "larger texts and drawings, for a projector"),
    (&["+", "−"], "zoom the drawing that has the focus; Alt and arrows move it"),
    (&["Enter", "arrows"], "from a drawing that has the focus to its nodes, and from node to node"),
    (&["Ctrl", "F"], "find in a drawing that has the focus"),
    (&["Alt", "arrows"], "from a focused node to its edges, and along them"),
    (&["F2"], "diagram of an automaton: edit the focused location or edge"),
    (&["Ctrl", "arrows"], "diagram: a new location after the focused one"),
    (&["C"], "diagram: an edge from the focused location"),
    (&["M"], "diagram: move the focused location with the arrows; Enter ends, Escape undoes"),
    (&["Delete"], "diagram: remove the focused location or edge"),
    (&["Shift", "Enter"], "diagram: choose several locations, one after the other"),
    (&["Ctrl", "A"], "diagram: choose all locations"),
    (&["Ctrl", "C"], "diagram: copy the chosen locations; Ctrl X cuts, Ctrl V pastes"),
    (&["Ctrl", "D"], "diagram: duplicate the chosen locations"),
    (&["Ctrl", "O"], "open a file"),
    (&["Ctrl", "S"], "save the model as a file"),
    (&["Ctrl", "Z"], "undo the last change of the text or the diagram; Ctrl Y again"),
    (&["?"], "this help"),
    (&["Esc"], "close a dialog; otherwise stop the run"),
];

/// The help card.
pub fn help(props: &Props) -> Html {
    let key = |(keys, what): &(&[&str], &'static str)| {
        html! {
            <><dt>{ for keys.iter().map(|k| html! { <kbd>{ *k }</kbd> }) }</dt><dd>{ *what }</dd></>
        }
    };
    let word =
        |(name, definition): &(String, String)| html! { <div><dt>{ name }</dt><dd>{ definition }</dd></div> };
    html! {
        <Popover name="help" title="How to use Veristep" on_close={props.on_close.clone()}>
            <p>{ "Write a model or choose an example, press Run, and follow the verification step by step. \
                  Everything is computed in this tab: nothing is uploaded, and a link contains the model and the step." }</p>
            <h2>{ "Keys" }</h2>
            <dl class="keys-table">{ for KEYS.iter().map(key) }</dl>
            <h2>{ "Glossary" }</h2>
            <dl class="glossary">{ for props.library.words.iter().map(word) }</dl>
        </Popover>
    }
}

//! Key bindings, unless the focused element uses the key itself.

use veristep_core::explain::Granularity;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

use crate::browser::TYPING;
use crate::state::{Action, Move, Undo};

/// The effect of a key.
#[derive(PartialEq, Debug)]
pub enum Wish {
    /// An action.
    Do(Action),
    /// Fit the drawings.
    Fit,
    /// Change between the usual size and that for a projector.
    Project,
    /// Show or hide the help.
    Help,
    /// Close a card or stop.
    Escape,
    /// Close a card or leave the field.
    Leave,
}

const PRESSING: &str = "button, summary, [role=button], [role=treeitem]";

/// The effect of a key.
#[must_use]
pub fn wish(event: &KeyboardEvent) -> Option<Wish> {
    let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
    let inside =
        |selector: &str| target.as_ref().is_some_and(|t| t.closest(selector).ok().flatten().is_some());
    let key = event.key();
    if key == "Escape" {
        return match (inside(".cm-editor"), inside(TYPING)) {
            (true, _) => None,
            (false, true) => Some(Wish::Leave),
            (false, false) => Some(Wish::Escape),
        };
    }
    let ctrl = event.ctrl_key() || event.meta_key();
    match key.as_str() {
        _ if event.repeat() || event.default_prevented() => {}
        "o" | "O" if ctrl => return Some(Wish::Do(Action::OpenFile)),
        "s" | "S" if ctrl => return Some(Wish::Do(Action::SaveModel)),
        _ => {}
    }
    if inside(TYPING) || event.alt_key() || event.default_prevented() {
        return None;
    }
    if key == " " && inside(PRESSING) {
        return None;
    }
    meaning(&key, event.shift_key(), ctrl)
}

fn meaning(key: &str, shift: bool, ctrl: bool) -> Option<Wish> {
    let grain = match (shift, ctrl) {
        (_, true) => Granularity::Iteration,
        (true, _) => Granularity::Phase,
        _ => Granularity::Event,
    };
    let action = match (key, ctrl) {
        ("ArrowRight", _) => Action::Go(Move::Forward(grain)),
        ("ArrowLeft", _) => Action::Go(Move::Back(grain)),
        ("Home", _) => Action::Go(Move::Start),
        ("End", _) => Action::Go(Move::End),
        (" ", false) => Action::Play,
        ("r" | "R", false) => Action::Run,
        ("f" | "F", false) => return Some(Wish::Fit),
        ("p" | "P", false) => return Some(Wish::Project),
        ("?", false) => return Some(Wish::Help),
        ("z" | "Z", true) => Action::Undo(if shift { Undo::Again } else { Undo::Back }),
        ("y" | "Y", true) => Action::Undo(Undo::Again),
        _ => return None,
    };
    Some(Wish::Do(action))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_go_by_event_phase_and_iteration() {
        let forward = |grain| Some(Wish::Do(Action::Go(Move::Forward(grain))));
        assert_eq!(meaning("ArrowRight", false, false), forward(Granularity::Event));
        assert_eq!(meaning("ArrowRight", true, false), forward(Granularity::Phase));
        assert_eq!(meaning("ArrowRight", false, true), forward(Granularity::Iteration));
        assert_eq!(meaning("r", false, true), None, "Ctrl R belongs to the browser");
    }
}

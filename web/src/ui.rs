//! The user interface: one component a file.

pub mod arg_node;
pub mod arg_tree;
pub mod arg_view;
pub mod cfa_view;
pub mod data_model;
pub mod drawing;
pub mod editor;
pub mod events_view;
pub mod gallery;
pub mod help;
pub mod icon;
pub mod loop_strip;
pub mod model_panel;
pub mod notices;
pub mod options;
pub mod path_view;
pub mod popover;
pub mod precision_view;
pub mod share;
pub mod splitter;
pub mod states_view;
pub mod timeline;
pub mod top_bar;
pub mod verdict_banner;
pub mod view_panel;
pub mod why_panel;

use veristep_core::kit::Role;
use yew::{Callback, MouseEvent};

use crate::state::Action;

/// The callback of components for actions.
pub type Act = Callback<Action>;

/// The callback of a button with a fixed action.
#[must_use]
pub fn ask(act: &Act, action: fn() -> Action) -> Callback<MouseEvent> {
    let act = act.clone();
    Callback::from(move |_| act.emit(action()))
}

/// The CSS class of a phase's role.
#[must_use]
pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::Abstract => "abstract",
        Role::Check => "check",
        Role::Concretize => "concretize",
        Role::Interpolate => "interpolate",
        Role::Refine => "refine",
        Role::Prune => "prune",
        Role::Done => "done",
    }
}

/// An operation as it is drawn: an assumption in brackets.
#[must_use]
pub fn operation(text: &str) -> String {
    let part = |part: &str| {
        let part = part.trim();
        part.strip_prefix("assume ").map_or_else(|| part.to_owned(), |condition| format!("[{condition}]"))
    };
    text.split(';').map(part).collect::<Vec<_>>().join("; ")
}

/// A text truncated to this many characters, with an ellipsis.
#[must_use]
pub fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(most.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

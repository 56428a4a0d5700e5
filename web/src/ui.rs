//! The user interface: one component a file.

pub mod abstractions_view;
pub mod arg_view;
pub mod canvas;
pub mod cfa_view;
pub mod data_model;
pub mod documents;
pub mod editor;
pub mod events_view;
pub mod gallery;
pub mod graph_editor;
pub mod help;
pub mod icon;
pub mod loop_strip;
pub mod model_panel;
pub mod notices;
pub mod options;
pub mod path_view;
pub mod phone_tabs;
mod play;
pub mod popover;
pub mod precision_view;
pub mod scene;
pub mod share;
pub mod simulation_view;
pub mod splitter;
pub mod states_view;
pub mod timeline;
pub mod timeline_view;
pub mod top_bar;
pub mod verdict_banner;
pub mod view_panel;
pub mod why_panel;

use veristep_core::kit::Role;
use yew::{Callback, MouseEvent};

use crate::browser;
use crate::state::{Action, Theme};

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

/// The name under which the theme is stored.
const THEME: &str = "theme";

/// The stored theme.
#[must_use]
pub fn stored_theme() -> Theme {
    browser::stored(THEME).as_deref().map(Theme::from_name).unwrap_or_default()
}

/// Stores a theme for all pages.
pub fn store_theme(theme: Theme) {
    browser::store(THEME, theme.name());
}

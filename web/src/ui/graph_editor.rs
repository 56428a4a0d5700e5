//! The editor of drawn automata: of locations and edges, or of states and transitions.

mod appending;
mod arcs;
mod card;
mod charts;
mod completion;
mod editor;
mod ends;
mod moving;
mod several;
mod text_edges;
mod things;

use std::rc::Rc;

use veristep_core::edit::automaton::{Automaton, Edit};
use veristep_core::system;
use yew::prelude::*;

use crate::protocol::{ModelInfo, Role};
use crate::state::{Action, Answers, Related};
use crate::ui::Act;
use crate::ui::icon::icon;
use card::Subject;
pub use editor::{Editor, use_editor};
pub use moving::moved;

/// What an automaton reads or does along its edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Edges have statements over declared variables.
    ControlFlow,
    /// Edges have labels over atoms, which need not be declared; nodes can be accepting.
    Buchi,
    /// Nodes are states, which can contain others; edges have events, guards and actions.
    Chart,
    /// Nodes are places, which have tokens, and transitions; edges are arcs, which have weights.
    Net,
}

/// A kind of automata, in its own words.
pub struct Language {
    /// The kind.
    pub kind: Kind,
    /// `automaton`
    pub whole: &'static str,
    /// `location`
    pub node: &'static str,
    /// `edge`
    pub edge: &'static str,
    /// What is written at an edge.
    pub label: &'static str,
    /// An example of it.
    pub example: &'static str,
    /// How it is written.
    pub enter: &'static str,
    /// The name of the first node.
    pub first: &'static str,
    /// The letter of the names of others, before a number.
    pub letter: &'static str,
    /// The roles of nodes, of which each has one, with their names.
    pub roles: &'static [(Role, system::Role, &'static str)],
    /// A part as text, for the clipboard.
    pub copied: fn(&Automaton) -> String,
}

impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        std::ptr::eq(self, other)
    }
}

/// What is edited.
#[derive(Clone, PartialEq)]
pub struct Edited {
    /// Its kind.
    pub language: &'static Language,
    /// It can be edited.
    pub editable: bool,
    /// The text.
    pub text: Rc<str>,
    /// The results of edits of the drawing.
    pub answers: Answers,
    /// The model.
    pub model: Option<Rc<ModelInfo>>,
    /// The objects related to the selection.
    pub related: Rc<Related>,
    /// The callback for actions.
    pub act: Act,
}

/// The buttons for edits: a new node, several nodes, the selected thing, and giving all nodes back to the layout if a
/// person moved some.
pub fn tools(edited: &Edited, editor: &Rc<Editor>) -> Html {
    let pinned = edited.model.iter().flat_map(|model| &model.locations).filter(|location| location.pinned);
    let places: Vec<_> = pinned.map(|location| (location.name.clone(), None)).collect();
    let act = edited.act.clone();
    let tidy = (!places.is_empty()).then(|| {
        Callback::from(move |_: MouseEvent| {
            act.emit(Action::Edit(vec![Edit::Move { places: places.clone() }], false));
        })
    });
    let selected = editor.selected();
    let edit = editor.opener(selected.unwrap_or(Subject::New(None)));
    let node = edited.language.node;
    html! {
        <>
            <button class="btn" aria-label={format!("New {node}")} title={format!("New {node} (double click)")} onclick={editor.opener(Subject::New(None))} data-testid="new-location">{ icon("new-node") }</button>
            <button class="btn" aria-pressed={editor.is_choosing().to_string()} aria-label={format!("Choose several {node}s")} title={format!("Choose several {node}s (Shift and click, or Shift and drag)")} onclick={editor.chooser()} data-testid="choose-several">{ icon("marquee") }</button>
            <button class="btn" disabled={selected.is_none()} aria-label="Edit the selection" title="Edit the selection (F2 or double click)" onclick={edit} data-testid="edit-selection">{ icon("pencil") }</button>
            if let Some(onclick) = tidy {
                <button class="btn" aria-label="Tidy: lay out all nodes again" title="Tidy: lay out all nodes again" {onclick} data-testid="tidy">{ icon("tidy") }</button>
            }
        </>
    }
}

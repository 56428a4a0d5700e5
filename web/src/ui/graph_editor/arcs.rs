//! What the editor of nets does: arcs without cards, tokens, and intervals of time.

use std::rc::Rc;

use veristep_core::edit::automaton::Edit;
use veristep_core::system::LocationId;
use veristep_core::text::count;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::Kind;
use super::card::{Ask, Field, Subject, button};
use super::editor::Editor;
use super::text_edges::name_of;
use super::things::Part;
use crate::browser;
use crate::protocol::ModelInfo;
use crate::state::Action;

impl Editor {
    /// A new edge: its card, or at once if it is an arc.
    pub(super) fn connect(&self, from: LocationId, to: LocationId) {
        if !self.is_net() {
            return self.card_of(Subject::Connect(from, to));
        }
        self.change(&mut |open| (open.line, open.draft) = (None, None));
        self.edited.act.emit(Action::Edit(self.arc(from, to).into_iter().collect(), false));
    }

    /// Is it the editor of a net?
    pub(super) fn is_net(&self) -> bool {
        self.edited.language.kind == Kind::Net
    }

    /// A new arc between these nodes.
    #[inline(never)]
    pub(super) fn arc(&self, from: LocationId, to: LocationId) -> Option<Edit> {
        let model = self.edited.model.as_deref()?;
        let (source, target) = (name_of(model, from), name_of(model, to));
        Some(Edit::Connect { source, target, statements: String::new() })
    }

    /// Another number of tokens in the place of the open card, which stays open.
    #[inline(never)]
    pub(super) fn set_tokens(&self, id: LocationId, tokens: u32) {
        let Some(model) = &self.edited.model else { return };
        self.next.borrow_mut().of = Some((model.clone(), true));
        let edit = Edit::SetTokens { place: name_of(model, id), tokens };
        self.edited.act.emit(Action::Edit(vec![edit], false));
    }

    /// One token more or less in a place. Each key counts, also before the model has what the one before it changed.
    #[inline(never)]
    pub(super) fn count(&self, model: &Rc<ModelInfo>, key: &str, more: bool) {
        let Some(Part::Node(id)) = model.part(key) else { return };
        let Some(tokens) = model.locations.get(id.index()).and_then(|location| location.tokens) else {
            return;
        };
        let is_same =
            |(of, place, _): &(Rc<ModelInfo>, LocationId, u32)| Rc::ptr_eq(of, model) && *place == id;
        let counted = self.next.borrow_mut().counted.take().filter(is_same);
        let tokens = counted.map_or(tokens, |(.., tokens)| tokens);
        let now = if more { tokens.saturating_add(1) } else { tokens.saturating_sub(1) };
        self.next.borrow_mut().counted = Some((model.clone(), id, now));
        if now != tokens {
            let place = name_of(model, id);
            let news = format!("{place} has {}.", count(now as usize, "token"));
            self.edit(vec![Edit::SetTokens { place, tokens: now }], &news);
        }
    }
}

/// The tokens of a place: one less, typed, one more.
#[inline(never)]
pub(super) fn counted(tokens: u32, ask: &Callback<Ask>) -> Html {
    // Each key counts: another part of the page may draw the field again before it is left.
    let oninput = {
        let ask = ask.clone();
        Callback::from(move |event: InputEvent| {
            let typed = event.target_dyn_into::<HtmlInputElement>().map(|input| input.value());
            typed
                .and_then(|typed| typed.trim().parse().ok())
                .into_iter()
                .for_each(|n| ask.emit(Ask::Tokens(n)));
        })
    };
    html! {
        <div class="row" role="group" aria-label="Tokens">
            <span>{ "Tokens" }</span>
            { button("−", "fewer", None, Ask::Tokens(tokens.saturating_sub(1)), ask) }
            <input class="field tokens" type="number" min="0" aria-label="Number of tokens" value={tokens.to_string()} {oninput} data-testid="tokens" />
            { button("+", "more", None, Ask::Tokens(tokens.saturating_add(1)), ask) }
        </div>
    }
}

/// The interval of time of a place or a transition.
#[inline(never)]
pub(super) fn interval(interval: &str, refused: bool, typed: &Callback<(Field, String)>) -> Html {
    let invalid = refused.then_some("true");
    let oninput = typed.reform(|event| (Field::Interval, browser::value_of(&event)));
    html! {
        <label class="row">
            <span>{ "Interval" }</span>
            <input class="field" value={interval.to_owned()} aria-invalid={invalid} placeholder="of time: [2,5], [2,w[" size="10" autocomplete="off" spellcheck="false" {oninput} data-testid="interval" />
        </label>
    }
}

//! The precision: predicates and variables, with the iteration that found each.

use std::rc::Rc;

use yew::prelude::*;

use crate::explained::{Subjects, Thing};
use crate::state::{Action, FrameRef, JournalRef, Related};
use crate::ui::Act;
use crate::ui::scene::about;

/// The props.
pub struct Props {
    /// The journal.
    pub journal: JournalRef,
    /// The step.
    pub frame: FrameRef,
    /// The subjects of the step.
    pub subjects: Rc<Subjects>,
    /// The objects related to the selection.
    pub related: Rc<Related>,
    /// The callback for actions.
    pub act: Act,
}

/// The predicates.
pub fn precision_view(props: &Props) -> Html {
    let known = &props.frame.precision.predicates;
    let searched = &props.frame.precision.searched;
    let variables = &props.frame.precision.variables;
    if known.is_empty() && variables.is_empty() && searched.is_empty() {
        return html! {
            <div class="empty">
                <strong>{ "The precision is empty" }</strong>
                <p>{ "At first the abstraction distinguishes locations only. Each spurious counterexample adds predicates that exclude it." }</p>
            </div>
        };
    }
    let journal = props.journal.get();
    let iteration = props.frame.progress.iterations.len();
    let one = |(id, since): &(veristep_core::kit::PredicateId, u32)| {
        let id = *id;
        let known_at = props.frame.arg.live().filter(|(_, n)| n.label.predicates().any(|p| p == id)).count();
        let new = *since as usize == iteration;
        let picked = props.related.predicates.contains(&id) || props.subjects.predicates.contains(&id);
        let act = props.act.clone();
        let onclick = Callback::from(move |_| act.emit(Action::Pick(Some(Thing::Predicate(id)))));
        html! {
            <li key={id.0}>
                <button class="pred" data-about={about(&[Thing::Predicate(id)])} aria-pressed={picked.to_string()} {onclick}>
                    <span class="muted mono">{ id.to_string() }</span>
                    <span class="formula">{ journal.predicates.get(id.index()).cloned().unwrap_or_default() }</span>
                    <span class="since">
                        <span class={new.then_some("new")}>{ if new { format!("new in {since}") } else { format!("since {since}") } }</span>
                        { format!(" · known at {known_at}") }
                    </span>
                </button>
            </li>
        }
    };
    let tracked = |(v, since): &(veristep_core::system::VarId, u32)| {
        let with = |n: &veristep_core::views::ArgNodeView| n.label.values.iter().any(|(w, _)| w == v);
        let known_at = props.frame.arg.live().filter(|(_, n)| with(n)).count();
        let new = *since as usize == iteration;
        html! {
            <li key={format!("v{}", v.0)}>
                <span class="pred">
                    <span class="muted">{ "value of" }</span>
                    <span class="formula">{ journal.variable(*v).to_owned() }</span>
                    <span class="since">
                        <span class={new.then_some("new")}>{ if new { format!("new in {since}") } else { format!("since {since}") } }</span>
                        { format!(" · known at {known_at}") }
                    </span>
                </span>
            </li>
        }
    };
    html! {
        <div class="scroll">
            <div class="precision" data-testid="precision">
                <p class="muted">{ "The abstraction distinguishes states only by these. “Known at” counts the nodes where the value, or the truth of the predicate, is determined." }</p>
                if !searched.is_empty() { <strong>{ "Abstraction refinement" }</strong> }
                <ul style="display:grid;gap:8px">{ for variables.iter().map(tracked) }{ for known.iter().map(one) }</ul>
                if !searched.is_empty() {
                    <strong>{ "Search of concrete states" }</strong>
                    <ul style="display:grid;gap:8px">{ for searched.iter().map(one) }</ul>
                }
            </div>
        </div>
    }
}

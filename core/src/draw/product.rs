//! The automaton of a temporal formula with its current state, and the search in the product beside it.

use std::sync::Arc;

use crate::buchi::StateId;
use crate::draw::Moment;
use crate::draw::{Marked, automaton};
use crate::kit::{Event, NodeId};
use crate::methods::lasso::scene::Search;
use crate::scene::{Body, Part, Scene, Text};
use crate::temporal::Product;

/// The automaton, then the search.
pub(super) fn product(product: &Product, moment: &Moment<'_>, events: &[Event]) -> Scene {
    let search = Search::of(events);
    let root = |n: &&NodeId| moment.arg.nodes.get(n.index()).is_some_and(|n| n.from.is_none());
    let about = moment.subjects.nodes.first();
    // The subjects list a path from its start; its end is the current state.
    let now = about.filter(|n| !root(n)).or(search.lasso.last()).or(search.stack.last()).or(about).copied();
    let drawn = automaton(&product.automaton, &marked(product, moment, now));
    let mut caption = caption(product, moment, now);
    if drawn.is_none() {
        let states = product.automaton.states.len();
        caption = caption.then(&format!(" The automaton has {states} states, too many to be drawn."));
    }
    let body = drawn.map_or(Body::Nothing, |drawn| Body::Drawing(Arc::new(drawn)));
    let automaton = Part { heading: "Büchi automaton of the negated formula".to_owned(), caption, body };
    Scene { parts: vec![automaton, search.part(product, (&moment.arg, moment.journal), now)] }
}

fn state_of(product: &Product, moment: &Moment<'_>, node: NodeId) -> Option<StateId> {
    let label = &moment.arg.nodes.get(node.index())?.label;
    product.pairs.get(label.location.index())?.1
}

/// The current state of the automaton, and the transitions into it.
fn marked(product: &Product, moment: &Moment<'_>, now: Option<NodeId>) -> Marked {
    let Some(state) = now.and_then(|n| state_of(product, moment, n)) else { return Marked::default() };
    let from = now.and_then(|n| moment.arg.nodes.get(n.index())?.from);
    let taken = from.and_then(|(parent, edge)| {
        product.guards.get(edge.index())?.as_ref()?;
        Some(state_of(product, moment, parent).unwrap_or(product.automaton.initial))
    });
    let taken = taken.map_or(Vec::new(), |before| {
        let out = product.automaton.out(before).iter().enumerate();
        out.filter(|(_, t)| t.target == state).map(|(i, _)| (before, i)).collect()
    });
    Marked { active: vec![(state, true)], taken }
}

fn caption(product: &Product, moment: &Moment<'_>, now: Option<NodeId>) -> Text {
    let Some(node) = now else { return Text::plain("States with a double border are accepting.") };
    let Some(state) = state_of(product, moment, node) else {
        return Text::plain(&format!("At {node} no letter is read yet."));
    };
    let from = moment.arg.nodes.get(node.index()).and_then(|n| n.from);
    if from.is_none() {
        return Text::plain(&format!("State {state} at {node}, no letter read yet."));
    }
    match from.and_then(|(_, edge)| product.guards.get(edge.index())?.as_ref()) {
        Some(guard) => Text::plain(&format!("State {state} at {node}, after a letter that satisfies "))
            .and(Text::code(&product.system.expr_text(guard)))
            .then("."),
        None => Text::plain(&format!(
            "State {state} at {node}, unchanged: the last step is not a position of the word."
        )),
    }
}

//! What the editor of statecharts does: states in states, regions, histories, and moving states into others.

use veristep_core::edit::automaton::{ChartEdit, Edit};
use veristep_core::edit::pins::{Pin, pin};
use veristep_core::layout::Point;
use veristep_core::scene::{Node, Rect, Shape};
use veristep_core::system::{self, LocationId};
use yew::prelude::*;

use super::card::{Ask, button, select};
use super::text_edges::name_of;
use super::things::Part;
use crate::protocol::{Inside, LocationInfo, ModelInfo};

/// What the card of a state asks for besides what all automata have.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum ChartAsk {
    /// A new state in it.
    Substate,
    /// A new region.
    Region,
    /// A history, deep or not.
    History(bool),
    /// A new state around it, or around all that are chosen.
    Wrap,
    /// It is drawn without what is in it, or with it again.
    Fold(bool),
    /// It becomes part of this state; none for the chart itself.
    Into(Option<LocationId>),
}

/// The last part of a path.
pub(super) fn label(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(_, label)| label)
}

/// The path of the state around a state; empty for the chart itself.
pub(super) fn around(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(around, _)| around)
}

/// The path of a state in another one.
pub(super) fn inside(around: &str, label: &str) -> String {
    if around.is_empty() { label.to_owned() } else { format!("{around}.{label}") }
}

/// A label that no state has.
pub(super) fn free(model: &ModelInfo) -> String {
    let is_free = |text: &String| model.locations.iter().all(|it| label(&it.name) != text);
    (1..).map(|number| format!("S{number}")).find(is_free).unwrap_or_default()
}

/// The innermost state at a place that can contain others, but none of those that begin with a path.
pub(super) fn container<'a>(model: &'a ModelInfo, at: Point, but: Option<&str>) -> &'a str {
    let here = Rect { x: at.x, y: at.y, ..Rect::default() };
    let is_frame = |node: &&Node| node.shape == Shape::Frame && node.rect.contains(&here);
    let frames = model.drawing.nodes.iter().filter(is_frame);
    let names = frames.filter_map(|node| match model.part(&node.key)? {
        Part::Node(id) => Some(model.locations.get(id.index())?.name.as_str()),
        Part::Edge(_) => None,
    });
    let is_other = |name: &&str| but.is_none_or(|but| *name != but && !name.starts_with(&format!("{but}.")));
    names.rev().find(is_other).unwrap_or("")
}

/// Where a state is drawn.
fn rect(model: &ModelInfo, id: LocationId) -> Option<Rect> {
    model.drawing.node(&model.key(id)).map(|node| node.rect)
}

/// The place of a state from the top left corner of the state around it.
fn relative(model: &ModelInfo, path: &str, at: Point) -> Pin {
    let around = model.locations.iter().position(|it| it.name == around(path));
    let rect = around.and_then(|number| rect(model, LocationId::new(number)));
    let (x, y) = rect.map_or((0.0, 0.0), |rect| (rect.x, rect.y));
    pin(Point::new(at.x - x, at.y - y))
}

/// The edit for states that were dragged to these middles: one that is dragged into another state becomes part of it.
#[inline(never)]
pub(super) fn dropped(model: &ModelInfo, places: &[(LocationId, Point)]) -> Vec<Edit> {
    if let [(id, at)] = places {
        let state = name_of(model, *id);
        let into = container(model, *at, Some(&state)).to_owned();
        if into != around(&state) {
            // Its place was that in another state.
            let places = vec![(state.clone(), None)];
            return vec![Edit::Move { places }, Edit::Chart(ChartEdit::MoveInto { state, into })];
        }
    }
    let moved = |id: LocationId| places.iter().find(|(one, _)| *one == id).map(|(_, at)| *at);
    let beside: Vec<String> = places.iter().map(|(id, _)| around(&name_of(model, *id)).to_owned()).collect();
    // Those beside them that a person placed before stay where they are drawn.
    let all = model.locations.iter().enumerate().filter_map(|(number, location)| {
        let id = LocationId::new(number);
        let is_pinned =
            location.pinned && beside.iter().any(|around_it| *around_it == around(&location.name));
        let shown = || is_pinned.then(|| rect(model, id)).flatten().map(|rect| rect.centre());
        let at = moved(id).or_else(shown)?;
        Some((location.name.clone(), Some(relative(model, &location.name, at))))
    });
    vec![Edit::Move { places: all.collect() }]
}

/// A new state after another one, with a transition to it, and what that is called for screen readers: in the state at
/// its place, or else beside the other one.
#[inline(never)]
pub(super) fn appended(model: &ModelInfo, source: &str, place: Option<Pin>) -> (Vec<Edit>, String) {
    let at = place.map(|(x, y)| Point::new(x.into(), y.into()));
    let around = at.map_or(around(source), |at| container(model, at, None));
    let target = inside(around, &free(model));
    let news = format!("State {target} was added, with a transition from {source}.");
    let new = Edit::AddLocation { name: target.clone(), role: system::Role::Plain };
    (vec![new, Edit::Connect { source: source.to_owned(), target, statements: "go".to_owned() }], news)
}

/// The path of a state of a chart that gets this label; of other locations, that is the name.
pub(super) fn renamed(model: &ModelInfo, id: LocationId, label: &str) -> String {
    if model.is_chart() { inside(around(&name_of(model, id)), label) } else { label.to_owned() }
}

/// The edits that a card of a state, or of several, asks for.
#[inline(never)]
pub(super) fn asked(model: &ModelInfo, asked: ChartAsk, states: &[String], is_folded: bool) -> Vec<Edit> {
    let Some(state) = states.first().cloned() else { return vec![] };
    let adds = matches!(asked, ChartAsk::Substate | ChartAsk::Region | ChartAsk::History(_));
    // What is added to a state is shown.
    let unfolded = (is_folded && adds).then(|| ChartEdit::Fold { state: state.clone(), folded: false });
    let edit = match asked {
        ChartAsk::Substate => {
            let name = inside(&state, &free(model));
            Edit::AddLocation { name, role: system::Role::Plain }
        }
        ChartAsk::Region => Edit::Chart(ChartEdit::AddRegion { state }),
        ChartAsk::History(deep) => Edit::Chart(ChartEdit::AddHistory { state, deep }),
        ChartAsk::Wrap => Edit::Chart(ChartEdit::Wrap { name: free(model), states: states.to_vec() }),
        ChartAsk::Fold(folded) => Edit::Chart(ChartEdit::Fold { state, folded }),
        ChartAsk::Into(into) => {
            let into = into.map(|id| name_of(model, id)).unwrap_or_default();
            Edit::Chart(ChartEdit::MoveInto { state, into })
        }
    };
    unfolded.map(Edit::Chart).into_iter().chain([edit]).collect()
}

/// The state that an edit is about, or that it adds, by the path that it has then.
pub(super) fn about(edit: &ChartEdit) -> Option<String> {
    match edit {
        ChartEdit::Wrap { states, name } => Some(inside(around(states.first()?), name)),
        ChartEdit::MoveInto { state, into } => Some(inside(into, label(state))),
        ChartEdit::Fold { state, .. } | ChartEdit::AddRegion { state } => Some(state.clone()),
        ChartEdit::AddHistory { state, .. } => Some(state.clone()),
    }
}

/// The buttons of the card of a state, and the states that it can be moved into.
#[inline(never)]
pub(super) fn structure_fields(model: &ModelInfo, id: LocationId, ask: &Callback<Ask>) -> Html {
    let one = |label: &str, asked: ChartAsk| button(label, "structure", None, Ask::Chart(asked), ask);
    let folded = model.locations.get(id.index()).and_then(|state| state.folded);
    let into = destinations(model, id);
    let fold = |folded: bool| {
        let word = if folded { "unfold" } else { "fold" };
        button(word, "fold", None, Ask::Chart(ChartAsk::Fold(!folded)), ask)
    };
    html! {
        <>
        <div class="row" role="group" aria-label="Structure">
            { for folded.map(fold) }
            { one("add substate", ChartAsk::Substate) }
            { one("add region", ChartAsk::Region) }
            { one("add history", ChartAsk::History(false)) }
            { one("add deep history", ChartAsk::History(true)) }
            { one("wrap in new state", ChartAsk::Wrap) }
        </div>
        if !into.is_empty() {
            { select("move into", ("choose a state", None), &into, (|id| Ask::Chart(ChartAsk::Into((id != CHART).then_some(id))), ask)) }
        }
        </>
    }
}

/// The chart itself, where a state is chosen.
const CHART: LocationId = LocationId(u32::MAX);

/// The states that a state can be moved into, and the chart; for a region, those with regions.
fn destinations(model: &ModelInfo, id: LocationId) -> Vec<(LocationId, String)> {
    let Some(state) = model.locations.get(id.index()) else { return vec![] };
    let (name, within) = (&*state.name, format!("{}.", state.name));
    let inside = |name: &str| model.locations.iter().find(|it| it.name == name).map(|it| it.inside);
    let is_region = inside(around(name)) == Some(Inside::Regions) && state.inside != Inside::Nothing;
    let wanted = if is_region { Inside::Regions } else { Inside::States };
    let is_one = |(_, it): &(u32, &LocationInfo)| {
        it.inside == wanted && it.name != name && it.name != around(name) && !it.name.starts_with(&within)
    };
    let all = (0..).zip(&model.locations).filter(is_one).map(|(at, it)| (LocationId(at), it.name.clone()));
    let chart = (!around(name).is_empty() && !is_region).then(|| (CHART, "the chart".to_owned()));
    chart.into_iter().chain(all).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_parts() {
        assert_eq!((label("On.Red"), around("On.Red"), around("Off")), ("Red", "On", ""));
        assert_eq!((inside("On", "Red"), inside("", "Off")), ("On.Red".to_owned(), "Off".to_owned()));
    }
}

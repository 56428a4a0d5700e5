//! The edges of the text, as which the edges of the model were written.

use veristep_core::edit::automaton::{Automaton, EdgeText};
use veristep_core::edit::pins::pin;
use veristep_core::system::{self, EdgeId, LocationId};

use super::{Kind, Language};
use crate::protocol::{LocationInfo, ModelInfo, Role};

/// An edge of the text: its number, the edges of the model that it is, and its ends.
pub(super) struct Written {
    pub(super) number: usize,
    pub(super) parts: Vec<EdgeId>,
    pub(super) source: LocationId,
    pub(super) target: LocationId,
}

/// The edges of the text, in its order. An edge with more statements is a path in the model.
pub(super) fn written(model: &ModelInfo) -> Vec<Written> {
    let mut all: Vec<Written> = Vec::new();
    for (id, edge) in (0..).map(EdgeId).zip(&model.edges) {
        let from = model.locations.get(edge.source.index());
        let continues = from.is_some_and(|from| from.role == Role::Between);
        match all.last_mut().filter(|_| continues) {
            Some(last) => {
                last.parts.push(id);
                last.target = edge.target;
            }
            None => {
                let (source, target) = (edge.source, edge.target);
                all.push(Written { number: all.len(), parts: vec![id], source, target });
            }
        }
    }
    all
}

/// The edge of the text that an edge of the model belongs to.
pub(super) fn written_edge(model: &ModelInfo, id: EdgeId) -> Option<Written> {
    written(model).into_iter().find(|edge| edge.parts.contains(&id))
}

/// The statements of an edge as written.
pub(super) fn statements(
    model: &ModelInfo,
    (language, text): (&Language, &str),
    edge: &Written,
) -> Vec<String> {
    if language.kind != Kind::ControlFlow {
        return edge
            .parts
            .iter()
            .map(|id| model.edges[id.index()].text.clone())
            .filter(|text| !text.is_empty())
            .collect();
    }
    let mut statements = Vec::new();
    // The place of an edge without statements is that of the whole edge.
    for edge in edge.parts.iter().map(|id| &model.edges[id.index()]).filter(|edge| !edge.text.is_empty()) {
        let place = edge.span.map(|span| span.start as usize..span.end as usize);
        statements.extend(place.and_then(|place| text.get(place)).map(str::to_owned));
    }
    statements
}

/// The name of a location.
pub(super) fn name_of(model: &ModelInfo, id: LocationId) -> String {
    model.locations.get(id.index()).map(|location| location.name.clone()).unwrap_or_default()
}

/// The part of the automaton with these locations.
pub(super) fn part(model: &ModelInfo, (language, text): (&Language, &str), names: &[String]) -> Automaton {
    let role = |role: Role| {
        language.roles.iter().find(|(shown, ..)| *shown == role).map_or(system::Role::Plain, |it| it.1)
    };
    let named = model.locations.iter().filter(|location| location.role != Role::Between);
    let place =
        |at: usize| model.drawing.node(&model.key(LocationId::new(at))).map(|node| pin(node.rect.centre()));
    let pinned = model.locations.iter().enumerate().filter(|(_, location)| location.pinned);
    let edge = |edge: &Written| EdgeText {
        source: name_of(model, edge.source),
        target: name_of(model, edge.target),
        statements: statements(model, (language, text), edge),
    };
    let accepting = model.locations.iter().filter(|location| location.accepting);
    let places = model.locations.iter().filter_map(|it| Some((it.name.clone(), it.tokens?)));
    let interval = |it: &LocationInfo| {
        let text = it.interval.as_ref().filter(|text| !text.is_empty())?;
        Some((it.name.clone(), text.clone()))
    };
    let whole = Automaton {
        variables: model.variables.clone(),
        locations: named.map(|location| (location.name.clone(), role(location.role))).collect(),
        edges: written(model).iter().map(edge).collect(),
        accepting: accepting.map(|location| location.name.clone()).collect(),
        intervals: model.locations.iter().filter_map(interval).collect(),
        places: (language.kind == Kind::Net).then(|| places.collect()),
        pins: pinned.filter_map(|(at, location)| Some((location.name.clone(), place(at)?))).collect(),
    };
    whole.part(names)
}

#[cfg(test)]
pub(super) mod tests {
    use veristep_core::diagnostic::Span;

    use super::*;
    use crate::protocol::{EdgeInfo, LocationInfo};
    use crate::ui::cfa_view::LANGUAGE;

    pub(in super::super) const TEXT: &str = "A -> B { x := 1; x := 2 } B->A";

    /// Two edges, the first of which has two statements.
    pub(in super::super) fn model() -> ModelInfo {
        let location =
            |name: &str, role| LocationInfo { name: name.to_owned(), role, ..LocationInfo::default() };
        let edge = |source: u32, target: u32, written: &str, text: &str| EdgeInfo {
            source: LocationId(source),
            target: LocationId(target),
            text: text.to_owned(),
            span: TEXT.find(written).map(|at| Span::new(at, at + written.len())),
        };
        ModelInfo {
            locations: vec![
                location("A", Role::Initial),
                location("B", Role::Plain),
                location("l1", Role::Between),
            ],
            edges: vec![
                edge(0, 2, "x := 1", "x := 1"),
                edge(2, 1, "x := 2", "x := 2"),
                edge(1, 0, "B->A", ""),
            ],
            ..ModelInfo::default()
        }
    }

    #[test]
    fn an_edge_of_the_text_has_all_its_statements() {
        let model = model();
        let first = written_edge(&model, EdgeId(0)).expect("an edge");
        assert_eq!((first.number, first.source, first.target), (0, LocationId(0), LocationId(1)));
        assert_eq!(statements(&model, (&LANGUAGE, TEXT), &first), ["x := 1", "x := 2"]);
        assert_eq!(written_edge(&model, EdgeId(1)).map(|edge| edge.number), Some(0));
        let second = written_edge(&model, EdgeId(2)).expect("an edge");
        assert_eq!((second.number, statements(&model, (&LANGUAGE, TEXT), &second).len()), (1, 0));
        assert!(written_edge(&model, EdgeId(3)).is_none());
    }

    #[test]
    fn a_part_has_the_edges_between_its_locations() {
        let names = ["A".to_owned(), "B".to_owned()];
        let both = part(&model(), (&LANGUAGE, TEXT), &names);
        assert_eq!(
            both.locations,
            [("A".to_owned(), system::Role::Initial), ("B".to_owned(), system::Role::Plain)]
        );
        assert_eq!(both.edges.len(), 2);
        assert_eq!(part(&model(), (&LANGUAGE, TEXT), &names[..1]).edges.len(), 0);
    }
}

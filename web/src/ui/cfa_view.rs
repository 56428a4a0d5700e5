//! The model as a graph of locations and edges.

use std::rc::Rc;
use std::sync::Arc;

use veristep_core::draw::{self, GraphPart, Step, Taken};
use veristep_core::edit::automaton::Edit;
use veristep_core::layout::Point;
use veristep_core::scene::{Drawing, Mark, Text, Thing};
use yew::prelude::*;

use crate::explained::Subjects;
use crate::protocol::ModelInfo;
use crate::state::{Action, FrameRef, JournalRef, PictureOf, Related};
use crate::ui::Act;
use crate::ui::canvas::Fit;
use crate::ui::icon::icon;
use crate::ui::scene::{Carried, Shown, above, picture};

/// The props.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// It can be edited.
    pub drawable: bool,
    /// The model.
    pub model: Option<Rc<ModelInfo>>,
    /// The subjects of the step.
    pub subjects: Rc<Subjects>,
    /// The phase of the step.
    pub phase: Option<&'static str>,
    /// The step.
    pub frame: FrameRef,
    /// The journal.
    pub journal: JournalRef,
    /// The objects related to the selection.
    pub related: Rc<Related>,
    /// How drawings place themselves.
    pub fit: Fit,
    /// The callback for actions.
    pub act: Act,
}

/// The drawn model.
#[component]
pub fn CfaView(props: &Props) -> Html {
    let dragged = use_state(|| None::<Dragged>);
    let placed = use_memo((props.model.clone(), dragged.clone()), |(model, dragged)| {
        let model = model.as_ref()?;
        let of_this = |dragged: &&Dragged| Rc::ptr_eq(&dragged.of, model);
        let drawing = match dragged.as_ref().filter(of_this) {
            Some(Dragged { place, .. }) => carried(&model.drawing, place),
            None => model.drawing.clone(),
        };
        Some((Taken::of(&drawing), drawing))
    });
    let drawn = use_memo(
        (placed.clone(), props.journal.clone(), props.frame.clone(), props.subjects.clone()),
        |(placed, journal, frame, subjects)| {
            let (taken, drawing) = placed.as_ref().as_ref()?;
            if frame.cursor == 0 {
                return Some(drawing.clone());
            }
            let journal = journal.get();
            let (graph, cex) = (&frame.arg, &frame.cex);
            let step = Step {
                journal: &journal,
                graph,
                cex,
                subjects,
                part: GraphPart::default(),
                most: draw::MOST,
                last: None,
            };
            Some(draw::model_at(drawing, taken, &step).into())
        },
    );
    let Some(drawing) = &*drawn else {
        return html! {
            <div class="empty"><p>{ "The drawing appears here once the text has no errors." }</p></div>
        };
    };
    let shown = Shown {
        name: "cfa",
        related: props.related.clone(),
        focus: None,
        // Without a location of the step the initial one is in view.
        at_rest: true,
        phase: props.phase,
        fit: props.fit,
        carry: props
            .model
            .as_ref()
            .filter(|_| props.drawable)
            .map(|model| on_carry(model, &props.act, &dragged)),
        tools: tidy(props),
        save: Some(props.act.reform(|format| Action::Save(PictureOf::Model, format))),
        act: props.act.clone(),
    };
    let title = "Control flow automaton";
    picture(title, above(title, &Text::default()), drawing, "cfa".to_owned(), &shown)
}

/// The margin around the drawing.
const MARGIN: f64 = 24.0;
/// A node snaps to the line of another one at this distance.
const SNAP: f64 = 5.0;

/// A node that is dragged, until the model has its new place.
#[derive(Clone, PartialEq)]
struct Dragged {
    of: Rc<ModelInfo>,
    place: (String, Point),
}

#[inline(never)]
fn carried(drawing: &Drawing, place: &(String, Point)) -> Arc<Drawing> {
    Arc::new(drawing.clone().pinned(std::slice::from_ref(place), MARGIN))
}

/// A node follows the pointer, and stays where it is dropped.
fn on_carry(
    model: &Rc<ModelInfo>,
    act: &Act,
    dragged: &UseStateHandle<Option<Dragged>>,
) -> Callback<Carried> {
    let (model, act, dragged) = (model.clone(), act.clone(), dragged.clone());
    Callback::from(move |Carried { key, by, dropped }: Carried| {
        let drawing = &model.drawing;
        let Some(node) = drawing.node(&key).filter(|node| !node.is(Mark::Between)) else { return };
        let Some(Thing::Location(id)) = node.about.first() else { return };
        let Some(location) = model.locations.get(id.index()) else { return };
        let from = node.rect.centre();
        let others =
            || drawing.nodes.iter().filter(|other| other.key != key).map(|other| other.rect.centre());
        let at = Point::new(
            snapped(from.x + by.0, others().map(|other| other.x)),
            snapped(from.y + by.1, others().map(|other| other.y)),
        );
        dragged.set(Some(Dragged { of: model.clone(), place: (key.clone(), at) }));
        if dropped {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "coordinates are small, and the cast saturates"
            )]
            let pin = (at.x as i32, at.y as i32);
            act.emit(Action::Draw(vec![Edit::Move { places: vec![(location.name.clone(), Some(pin))] }]));
        }
    })
}

/// A whole coordinate, that of the nearest other node if it is near.
fn snapped(at: f64, others: impl Iterator<Item = f64>) -> f64 {
    let near = others.filter(|other| (other - at).abs() <= SNAP);
    let nearest = near.reduce(|a, b| if (a - at).abs() <= (b - at).abs() { a } else { b });
    nearest.unwrap_or(at).round()
}

/// The button that gives all nodes back to the layout, if a person moved some.
fn tidy(props: &Props) -> Html {
    let pinned = props.model.iter().flat_map(|model| &model.locations).filter(|location| location.pinned);
    let places: Vec<_> = pinned.map(|location| (location.name.clone(), None)).collect();
    if places.is_empty() || !props.drawable {
        return Html::default();
    }
    let act = props.act.clone();
    let onclick = Callback::from(move |_: MouseEvent| {
        act.emit(Action::Draw(vec![Edit::Move { places: places.clone() }]));
    });
    html! { <button class="btn" aria-label="Tidy: lay out all nodes again" title="Tidy: lay out all nodes again" {onclick} data-testid="tidy">{ icon("tidy") }</button> }
}

//! The model as a graph of locations and edges.

use std::rc::Rc;
use std::sync::Arc;

use veristep_core::draw::{self, GraphPart, Step, Taken};
use veristep_core::edit::automaton::Edit;
use veristep_core::edit::pins::{FARTHEST, Pin};
use veristep_core::layout::{Point, between};
use veristep_core::scene::{Drawing, Text, Thing};
use yew::prelude::*;

use crate::explained::Subjects;
use crate::protocol::ModelInfo;
use crate::state::{Action, FrameRef, JournalRef, PictureOf, Related};
use crate::ui::Act;
use crate::ui::canvas::Fit;
use crate::ui::icon::icon;
use crate::ui::scene::{Drag, DragPart, Shown, above, picture};

/// The props.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// It can be edited.
    pub editable: bool,
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
            Some(dragged) => moved(&model.drawing, dragged),
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
        on_drag: props
            .model
            .as_ref()
            .filter(|_| props.editable)
            .map(|model| dragging_nodes(model, &props.act, &dragged)),
        tools: tidy(props),
        save: Some(props.act.reform(|format| Action::Save(PictureOf::Model, format))),
        act: props.act.clone(),
    };
    let title = "Control flow automaton";
    picture(title, above(title, &Text::default()), drawing, "cfa".to_owned(), &shown)
}

/// A node snaps to the line of another one at this distance.
const SNAP: f64 = 5.0;

/// A node that is dragged, until the model has its new place.
#[derive(Clone)]
struct Dragged {
    /// The model that it is dragged in.
    of: Rc<ModelInfo>,
    key: String,
    /// Where it was at the beginning, and where it is.
    from: Point,
    at: Point,
}

impl PartialEq for Dragged {
    fn eq(&self, other: &Dragged) -> bool {
        Rc::ptr_eq(&self.of, &other.of) && self.key == other.key && self.at == other.at
    }
}

#[inline(never)]
fn moved(drawing: &Drawing, dragged: &Dragged) -> Arc<Drawing> {
    Arc::new(drawing.clone().pinned(&[(dragged.key.clone(), dragged.at)], draw::MARGIN))
}

/// A node follows the pointer, and stays where it is dropped.
fn dragging_nodes(
    model: &Rc<ModelInfo>,
    act: &Act,
    dragged: &UseStateHandle<Option<Dragged>>,
) -> Callback<Drag> {
    let (model, act, dragged) = (model.clone(), act.clone(), dragged.clone());
    Callback::from(move |Drag { key, by, part }: Drag| {
        let Some(node) = model.drawing.node(&key) else { return };
        let Some(Thing::Location(id)) = node.about.first() else { return };
        let Some(location) = model.locations.get(id.index()) else { return };
        let last = dragged.as_ref().filter(|last| last.key == key);
        let shown = last.filter(|last| Rc::ptr_eq(&last.of, &model)).map(|last| last.at);
        let from = match (part, last) {
            (DragPart::Next | DragPart::Drop, Some(last)) => last.from,
            _ => shown.unwrap_or(node.rect.centre()),
        };
        let others = || model.drawing.nodes.iter().filter(|other| other.key != key).map(|o| o.rect.centre());
        let along = |from: f64, by: f64, others: &mut dyn Iterator<Item = f64>| {
            if by == 0.0 { from.round() } else { snapped(from + by, others) }
        };
        let at = Point::new(
            along(from.x, by.0, &mut others().map(|other| other.x)),
            along(from.y, by.1, &mut others().map(|other| other.y)),
        );
        if part == DragPart::GiveUp {
            return dragged.set(None);
        }
        dragged.set(Some(Dragged { of: model.clone(), key: key.clone(), from, at }));
        if matches!(part, DragPart::Drop | DragPart::Key) {
            act.emit(Action::Edit(vec![Edit::Move { places: vec![(location.name.clone(), Some(pin(at)))] }]));
        }
    })
}

/// A place of the drawing as one of the text.
fn pin(at: Point) -> Pin {
    let farthest = f64::from(FARTHEST);
    #[expect(clippy::cast_possible_truncation, reason = "places are limited")]
    let whole = |side: f64| between(side, -farthest, farthest) as i32;
    (whole(at.x), whole(at.y))
}

/// A whole coordinate, that of the nearest other node if it is near.
fn snapped(at: f64, others: &mut dyn Iterator<Item = f64>) -> f64 {
    let near = others.filter(|other| (other - at).abs() <= SNAP);
    let nearest = near.reduce(|a, b| if (a - at).abs() <= (b - at).abs() { a } else { b });
    nearest.unwrap_or(at).round()
}

/// The button that gives all nodes back to the layout, if a person moved some.
fn tidy(props: &Props) -> Html {
    let pinned = props.model.iter().flat_map(|model| &model.locations).filter(|location| location.pinned);
    let places: Vec<_> = pinned.map(|location| (location.name.clone(), None)).collect();
    if places.is_empty() || !props.editable {
        return Html::default();
    }
    let act = props.act.clone();
    let onclick = Callback::from(move |_: MouseEvent| {
        act.emit(Action::Edit(vec![Edit::Move { places: places.clone() }]));
    });
    html! { <button class="btn" aria-label="Tidy: lay out all nodes again" title="Tidy: lay out all nodes again" {onclick} data-testid="tidy">{ icon("tidy") }</button> }
}

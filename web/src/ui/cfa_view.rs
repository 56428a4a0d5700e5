//! The model as a graph of locations and edges, which can be edited.

mod card;
mod editor;
mod moving;
mod several;
mod text_edges;

use std::rc::Rc;

use veristep_core::draw::{self, GraphPart, Step, Taken};
use veristep_core::edit::automaton::Edit;
use veristep_core::scene::Text;
use yew::prelude::*;

use crate::explained::Subjects;
use crate::protocol::ModelInfo;
use crate::state::{Action, Answers, FrameRef, JournalRef, PictureOf, Related};
use crate::ui::Act;
use crate::ui::canvas::Fit;
use crate::ui::icon::icon;
use crate::ui::scene::{Shown, above, picture};
use card::Subject;
use editor::{Editor, use_editor};
use moving::moved;

/// The props.
#[derive(Properties, Clone, PartialEq)]
pub struct Props {
    /// It can be edited.
    pub editable: bool,
    /// It is the drawing of an older text, because the text has errors.
    pub stale: bool,
    /// The text.
    pub text: Rc<str>,
    /// The results of edits of the drawing.
    pub answers: Answers,
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
    let editor = use_editor(props);
    let placed = use_memo((props.model.clone(), editor.dragged()), |(model, dragged)| {
        let model = model.as_ref()?;
        let drawing = match dragged {
            Some(dragged) => moved(model, dragged),
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
    let Some(drawing) = &*drawn else { return editor.empty() };
    let shown = Shown {
        name: "cfa",
        related: editor.related(),
        focus: None,
        // Without a location of the step the initial one is in view.
        at_rest: true,
        phase: props.phase,
        fit: props.fit,
        on_edit: props.editable.then(|| editor.gestures()),
        card: editor.has_card().then(|| editor.card(drawing)).flatten(),
        tools: if props.editable { tools(props, &editor) } else { Html::default() },
        save: Some(props.act.reform(|format| Action::Save(PictureOf::Model, format))),
        act: props.act.clone(),
    };
    let title = "Control flow automaton";
    let stale = || Text::plain("of the last text without errors");
    let above = above(title, &if props.stale { stale() } else { Text::default() });
    html! {
        <div class={classes!("edited", props.stale.then_some("stale"), editor.classes())} onfocusin={editor.user()}>
            { picture(title, above, &editor.linked(drawing), "cfa".to_owned(), &shown) }
            <p class="sr" role="status">{ editor.news() }</p>
        </div>
    }
}

/// The buttons for edits: a new location, the selected thing, and giving all nodes back to the layout if a person moved
/// some.
fn tools(props: &Props, editor: &Rc<Editor>) -> Html {
    let pinned = props.model.iter().flat_map(|model| &model.locations).filter(|location| location.pinned);
    let places: Vec<_> = pinned.map(|location| (location.name.clone(), None)).collect();
    let act = props.act.clone();
    let tidy = (!places.is_empty()).then(|| {
        Callback::from(move |_: MouseEvent| {
            act.emit(Action::Edit(vec![Edit::Move { places: places.clone() }], false));
        })
    });
    let selected = editor.selected();
    let edit = editor.opener(selected.unwrap_or(Subject::New(None)));
    html! {
        <>
            <button class="btn" aria-label="New location" title="New location (double click)" onclick={editor.opener(Subject::New(None))} data-testid="new-location">{ icon("new-node") }</button>
            <button class="btn" aria-pressed={editor.is_choosing().to_string()} aria-label="Choose several locations" title="Choose several locations (Shift and click, or Shift and drag)" onclick={editor.chooser()} data-testid="choose-several">{ icon("marquee") }</button>
            <button class="btn" disabled={selected.is_none()} aria-label="Edit the selection" title="Edit the selection (F2 or double click)" onclick={edit} data-testid="edit-selection">{ icon("pencil") }</button>
            if let Some(onclick) = tidy {
                <button class="btn" aria-label="Tidy: lay out all nodes again" title="Tidy: lay out all nodes again" {onclick} data-testid="tidy">{ icon("tidy") }</button>
            }
        </>
    }
}

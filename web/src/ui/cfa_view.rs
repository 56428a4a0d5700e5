//! The model as a graph of locations and edges.

use std::rc::Rc;

use veristep_core::draw::{self, GraphPart, Step, Taken};
use veristep_core::scene::Text;
use yew::prelude::*;

use crate::explained::Subjects;
use crate::protocol::ModelInfo;
use crate::state::{Action, FrameRef, JournalRef, PictureOf, Related};
use crate::ui::Act;
use crate::ui::canvas::Fit;
use crate::ui::scene::{Shown, above, picture};

/// The props.
#[derive(Properties, PartialEq)]
pub struct Props {
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
    let taken = use_memo(props.model.clone(), |model| model.as_ref().map(|model| Taken::of(&model.drawing)));
    let drawn = use_memo(
        (props.model.clone(), props.journal.clone(), props.frame.clone(), props.subjects.clone()),
        |(model, journal, frame, subjects)| {
            let (model, taken) = model.as_ref().zip(taken.as_ref().as_ref())?;
            if frame.cursor == 0 {
                return Some(model.drawing.clone());
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
            Some(draw::model_at(&model.drawing, taken, &step).into())
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
        tools: Html::default(),
        save: Some(props.act.reform(|format| Action::Save(PictureOf::Model, format))),
        act: props.act.clone(),
    };
    let title = "Control flow automaton";
    picture(title, above(title, &Text::default()), drawing, "cfa".to_owned(), &shown)
}

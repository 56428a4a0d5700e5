//! The model: its text, its drawing, and its errors.

use std::rc::Rc;

use veristep_core::diagnostic::{Diagnostic, LineIndex};
use yew::prelude::*;

use crate::explained::Subjects;
use crate::protocol::ModelInfo;
use crate::state::{
    Action, Answers, Editable, EditorRequest, FrameRef, Game, JournalRef, LeftTab, Related, Simulated, View,
    pick_at,
};
use crate::ui::Act;
use crate::ui::canvas::Fit;
use crate::ui::cfa_view::CfaView;
use crate::ui::editor::{Editor, Mark, NOW};
use crate::ui::icon::icon;
use crate::ui::scene::with_code;

/// The props.
pub struct Props {
    /// The text.
    pub text: Rc<str>,
    /// Changes when it was replaced.
    pub version: u32,
    /// The model to draw.
    pub model: Option<Rc<ModelInfo>>,
    /// The exercise of the example, if it is one.
    pub lesson: Option<String>,
    /// The errors.
    pub diagnostics: Rc<Vec<Diagnostic>>,
    /// The subjects of the current step; none if the run belongs to another text.
    pub subjects: Rc<Subjects>,
    /// The phase of the current step.
    pub phase: Option<&'static str>,
    /// The current step.
    pub frame: FrameRef,
    /// The journal.
    pub journal: JournalRef,
    /// The token game.
    pub game: Rc<Game>,
    /// The simulation of a chart, if that is shown.
    pub simulation: Option<Rc<Simulated>>,
    /// The objects related to the selection.
    pub related: Rc<Related>,
    /// What the editor of the text is to do next.
    pub command: Option<EditorRequest>,
    /// The drawing can be edited.
    pub editable: Editable,
    /// The results of edits of the drawing.
    pub answers: Answers,
    /// The settings of the views.
    pub view: View,
    /// How drawings place themselves.
    pub fit: Fit,
    /// The callback for actions.
    pub act: Act,
}

/// The model panel.
pub fn model_panel(props: &Props) -> Html {
    let tab = |which: LeftTab, title: &'static str| {
        let (act, view) = (props.act.clone(), props.view.clone());
        let onclick = Callback::from(move |_| act.emit(Action::View(View { left: which, ..view.clone() })));
        html! {
            <button class="tab" role="tab" aria-selected={(props.view.left == which).to_string()} {onclick}>{ title }</button>
        }
    };
    let body = match props.view.left {
        LeftTab::Both => "both",
        LeftTab::Text => "text",
        LeftTab::Diagram => "diagram",
    };
    let on_change = {
        let act = props.act.clone();
        Callback::from(move |text: Rc<str>| act.emit(Action::Edited(text)))
    };
    let on_cursor = {
        let (act, model, fine) = (props.act.clone(), props.model.clone(), props.diagnostics.is_empty());
        Callback::from(move |offset: u32| {
            if let Some(pick) = model.as_ref().filter(|_| fine).and_then(|m| pick_at(m, offset)) {
                act.emit(Action::Point(pick));
            }
        })
    };
    html! {
        <section class="panel model" aria-labelledby="model-title" data-testid="model-panel">
            <header>
                <h2 id="model-title">{ "Model" }</h2>
                <span class="grow"></span>
                <div class="tabs" role="tablist" aria-label="Show the model as">
                    { tab(LeftTab::Both, "Both") }{ tab(LeftTab::Text, "Text") }{ tab(LeftTab::Diagram, "Diagram") }
                </div>
            </header>
            if let Some(lesson) = &props.lesson {
                <p class="lesson" title={lesson.replace('`', "")} data-testid="lesson">{ icon("info") }<span>{ with_code(lesson) }</span></p>
            }
            <div class={classes!("model-body", body)}>
                <Editor text={props.text.clone()} version={props.version} diagnostics={props.diagnostics.clone()}
                    marks={marks(props)} command={props.command.clone()} {on_change} {on_cursor} />
                { problems(props) }
                <div class="diagram-half">
                    <CfaView key={props.version} editable={props.editable} stale={!props.diagnostics.is_empty()} text={props.text.clone()} answers={props.answers.clone()} model={props.model.clone()} subjects={props.subjects.clone()} phase={props.phase}
                        frame={props.frame.clone()} journal={props.journal.clone()} game={props.game.clone()} simulation={props.simulation.clone()} related={props.related.clone()} fit={props.fit} act={props.act.clone()} />
                </div>
            </div>
        </section>
    }
}

/// The text of the current step and of the selection; none while the text has errors.
fn marks(props: &Props) -> Vec<Mark> {
    let Some(model) = props.model.as_ref().filter(|_| props.diagnostics.is_empty()) else { return vec![] };
    let edge = |id: &veristep_core::system::EdgeId| model.edges.get(id.index()).and_then(|e| e.span);
    let place = |id: &veristep_core::system::LocationId| model.locations.get(id.index()).and_then(|l| l.span);
    let now = props.subjects.edges.last().and_then(edge).map(|span| Mark { span, class: NOW });
    let picked =
        props.related.edges.iter().filter_map(edge).chain(props.related.locations.iter().filter_map(place));
    now.into_iter().chain(picked.map(|span| Mark { span, class: "vs-picked" })).collect()
}

fn problems(props: &Props) -> Html {
    // An empty text is the beginning of a model.
    if props.diagnostics.is_empty() || props.text.trim().is_empty() {
        return html! { <div hidden=true></div> };
    }
    let lines = LineIndex::new(&props.text);
    let one = |diagnostic: &Diagnostic| {
        let (line, column) = lines.position(diagnostic.span.start);
        let (act, span) = (props.act.clone(), diagnostic.span);
        html! {
            <li>
                <button onclick={Callback::from(move |_| act.emit(Action::Jump(span)))} data-testid="problem">
                    { icon("warning") }
                    <span class="where">{ format!("{line}:{column}") }</span>
                    <span>{ &diagnostic.message }</span>
                </button>
            </li>
        }
    };
    html! {
        <div class="problems" role="status" aria-label="Problems in the text" data-testid="problems">
            <ul>{ for props.diagnostics.iter().map(one) }</ul>
        </div>
    }
}

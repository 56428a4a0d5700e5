//! The abstract reachability graph, folded from the journal by the page itself, so that stepping needs no engine.

use std::rc::Rc;

use veristep_core::draw::{self, GraphPart, Step};
use veristep_core::scene::Scene;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::explained::{Subjects, Thing};
use crate::protocol::FileFormat;
use crate::state::{Action, FrameRef, JournalRef, PictureOf, Related};
use crate::ui::Act;
use crate::ui::canvas::Fit;
use crate::ui::scene::{Shown, scene};

/// Saves a scene in a file of this name.
pub type SaveScene = Callback<(AttrValue, Scene, FileFormat)>;

/// The props.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The journal.
    pub journal: JournalRef,
    /// The step.
    pub frame: FrameRef,
    /// The subjects of the step.
    pub subjects: Rc<Subjects>,
    /// The phase of the step.
    pub phase: Option<&'static str>,
    /// The objects related to the selection.
    pub related: Rc<Related>,
    /// The part that is drawn.
    #[prop_or_default]
    pub part: GraphPart,
    /// The run is followed: the next view comes soon.
    #[prop_or_default]
    pub growing: bool,
    /// Without selection, so that nothing is searched: the scene is saved in a file of this name.
    #[prop_or_default]
    pub alone: Option<(AttrValue, SaveScene)>,
    /// More buttons.
    pub tools: Html,
    /// How drawings place themselves.
    pub fit: Fit,
    /// The callback for actions.
    pub act: Act,
}

/// The maximal number of nodes that are drawn while the run is followed, so that a view takes little time.
const WHILE_GROWING: usize = 40;

/// The graph.
#[component]
pub fn ArgView(props: &Props) -> Html {
    // The last drawing, of the same model.
    let before = use_mut_ref(|| (0, Scene::default()));
    let number = props.fit.number;
    let drawn = use_memo(
        (props.journal.clone(), props.frame.clone(), props.subjects.clone(), (props.part, props.growing)),
        |(journal, frame, subjects, (part, growing))| -> Scene {
            let journal = journal.get();
            let (graph, cex, part) = (&frame.arg, &frame.cex, *part);
            let most = if *growing { WHILE_GROWING } else { draw::MOST };
            let mut before = before.borrow_mut();
            let same = before.0 == number;
            let last = before.1.drawings().next().map(|(_, drawing)| drawing).filter(|_| same);
            let scene = draw::graph(&Step {
                journal: &journal,
                graph,
                cex,
                subjects,
                part,
                most,
                last,
                configurations: None,
            });
            *before = (number, scene.clone());
            scene
        },
    );
    // A node that was just selected is in view; after a step, the step is.
    let last = use_mut_ref(|| (FrameRef::default(), None, false));
    let focus = {
        let mut last = last.borrow_mut();
        let same = last.0 == props.frame;
        let selected = same && (last.2 || last.1 != props.part.chosen);
        *last = (props.frame.clone(), props.part.chosen, selected);
        props.part.chosen.filter(|_| selected).map(Thing::Node)
    };
    let shown = Shown {
        name: "arg",
        focus,
        at_rest: props.frame.at_rest(),
        on_edit: None,
        card: None,
        related: props.related.clone(),
        phase: props.phase,
        fit: props.fit,
        tools: html! { <>if props.alone.is_none() { { search(props) } }{ props.tools.clone() }</> },
        save: Some(saving(props, &drawn)),
        act: props.act.clone(),
    };
    scene(&drawn, &shown)
}

/// The picture of the run is made by the engine, which has it at every step; that of a graph alone is the shown one.
fn saving(props: &Props, drawn: &Rc<Scene>) -> Callback<FileFormat> {
    match &props.alone {
        None => props.act.reform(|format| Action::Save(PictureOf::Run, format)),
        Some((name, save)) => {
            let (name, drawn) = (name.clone(), drawn.clone());
            save.reform(move |format| (name.clone(), Scene::clone(&drawn), format))
        }
    }
}

/// Enter selects the next node that contains the text.
fn search(props: &Props) -> Html {
    let (act, journal, frame, chosen) =
        (props.act.clone(), props.journal.clone(), props.frame.clone(), props.part.chosen);
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
        input.set_custom_validity("");
        if event.key() != "Enter" {
            return;
        }
        match draw::find(&journal.get(), &frame.arg, &input.value(), chosen) {
            Some(node) if Some(node) == chosen => {}
            Some(node) => act.emit(Action::Pick(Some(Thing::Node(node)))),
            None => {
                input.set_custom_validity("No node of the graph contains this text.");
                input.report_validity();
            }
        }
    });
    html! {
        <input class="field find" type="search" placeholder="Find" aria-label="Find a node by number, location or label; Enter finds the next"
            title="Find a node by number, location or label; Enter finds the next" {onkeydown} data-testid="find-node" />
    }
}

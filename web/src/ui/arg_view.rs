//! The abstract reachability graph, folded from the journal by the page itself, so that stepping needs no engine.

use std::rc::Rc;

use veristep_core::draw::{self, Step};
use veristep_core::scene::Scene;
use yew::prelude::*;

use crate::explained::Subjects;
use crate::state::{FrameRef, JournalRef, Related, ShowGhosts};
use crate::ui::Act;
use crate::ui::scene::{Shown, scene};

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
    /// Removed nodes.
    pub ghosts: ShowGhosts,
    /// As a list.
    #[prop_or_default]
    pub as_list: bool,
    /// More buttons.
    pub tools: Html,
    /// Fits when it changes.
    pub fit: u32,
    /// The callback for actions.
    pub act: Act,
}

/// The graph.
#[component]
pub fn ArgView(props: &Props) -> Html {
    let drawn = use_memo(
        (props.journal.clone(), props.frame.clone(), props.subjects.clone(), props.ghosts),
        |(journal, frame, subjects, ghosts)| -> Scene {
            let journal = journal.get();
            let removed = *ghosts == ShowGhosts::Always;
            draw::graph(&Step { journal: &journal, graph: &frame.arg, cex: &frame.cex, subjects, removed })
        },
    );
    let shown = Shown {
        name: "arg",
        related: props.related.clone(),
        phase: props.phase,
        fit: props.fit,
        as_list: props.as_list,
        tools: props.tools.clone(),
        act: props.act.clone(),
    };
    scene(&drawn, &shown)
}

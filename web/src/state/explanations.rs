//! Explanations of the shown step: requested one at a time, and cached.

use std::mem::discriminant;
use std::rc::Rc;

use veristep_core::draw::What;

use crate::explained::{Explained, Part, Subjects, Thing};
use crate::protocol::{Job, ToEngine};
use crate::state::{Effect, Engine, MiddleTab, State, Status};

/// The maximal number of cached explanations.
const KEPT: usize = 128;

/// The explanations of one run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Explanations {
    kept: Vec<Rc<Explained>>,
    asked: Option<(u32, Option<What>)>,
    /// Steps without an explanation, because computing it ended the engine.
    left: Vec<u32>,
}

impl State {
    /// The explanation of an event, if it is there.
    #[must_use]
    pub fn explanation_of(&self, index: usize) -> Option<Rc<Explained>> {
        self.explanations.kept.iter().find(|explained| explained.index as usize == index).cloned()
    }

    /// The explanation of the shown step; while it is pending, the previous one.
    #[must_use]
    pub fn explanation(&self) -> Option<Rc<Explained>> {
        let last = self.frame.cursor.checked_sub(1)?;
        self.explanation_of(last).or_else(|| match self.engine {
            Engine::Lost(_) => Some(Rc::new(self.bare(last))),
            _ => self.explanations.kept.last().cloned(),
        })
    }

    /// The subjects of the shown step; while its explanation is pending, those of the graph.
    #[must_use]
    pub fn subjects(&self) -> Subjects {
        let explained = self.frame.cursor.checked_sub(1).and_then(|last| self.explanation_of(last));
        let focus = || Subjects { nodes: self.frame.arg.focus.clone(), ..Subjects::default() };
        explained.map_or_else(focus, |explained| explained.subjects.clone())
    }

    /// An event without an engine to explain it.
    fn bare(&self, index: usize) -> Explained {
        let journal = self.journal.get();
        let title = journal.events.get(index).map(|event| journal.event_line(event)).unwrap_or_default();
        let what = vec![Part::Text("The engine of this run has stopped.".to_owned())];
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        Explained { index, title: title.trim().to_owned(), what, ..Explained::default() }
    }

    /// Requests the next missing explanation.
    pub fn ask_for_explanations(&mut self) -> Option<Effect> {
        let run = self.run.as_ref()?;
        if self.explanations.asked.is_some() || (self.following && run.status == Status::Running) {
            return None;
        }
        let path = (self.view.middle == MiddleTab::Path).then(|| self.interpolation()).flatten();
        let (shown, what) = (self.frame.cursor.checked_sub(1), self.what());
        let explained = |index: usize, what: Option<What>| {
            self.explanation_of(index)
                .is_some_and(|explained| what.is_none() || explained.depicted.what == what)
        };
        let needed = [shown.map(|index| (index, what)), path.map(|(index, _)| (index, None))];
        let (index, what) = needed.into_iter().flatten().find(|(index, what)| !explained(*index, *what))?;
        let index = u32::try_from(index).ok()?;
        self.explanations.asked = Some((index, what));
        Some(Effect::Send(ToEngine::Explain { job: run.job, index, what }))
    }

    /// The picture beside the shown step.
    pub(super) fn what(&self) -> Option<What> {
        let (location, node) = match self.pick {
            Some(Thing::Location(location)) => (Some(location), None),
            Some(Thing::Node(node)) => {
                (self.frame.arg.nodes.get(node.index()).map(|n| n.label.location), Some(node))
            }
            _ => (None, None),
        };
        match self.view.middle {
            MiddleTab::Path => Some(What::Path),
            MiddleTab::Product => Some(What::Product),
            MiddleTab::States => Some(What::States { location, node, axes: self.view.axes }),
            MiddleTab::Graph if !self.journal.get().has_graph() => Some(What::Method),
            MiddleTab::Graph | MiddleTab::Precision | MiddleTab::Events => None,
        }
    }

    /// The picture of the shown step, or while it is pending the previous one.
    #[must_use]
    pub fn depicted(&self) -> Option<Rc<Explained>> {
        let last = self.frame.cursor.checked_sub(1)?;
        let what = self.what().as_ref().map(discriminant);
        let same = |explained: &&Rc<Explained>| explained.depicted.what.as_ref().map(discriminant) == what;
        let all = || self.explanations.kept.iter().rev().filter(same);
        all().find(|explained| explained.index as usize == last).or_else(|| all().next()).cloned()
    }

    pub(super) fn heard_explanation(&mut self, job: Job, explained: Explained) {
        if self.run.as_ref().is_none_or(|run| run.job != job) {
            return;
        }
        self.explanations.asked = None;
        self.explanations.kept.retain(|other| other.index != explained.index);
        if self.explanations.kept.len() == KEPT {
            self.explanations.kept.remove(0);
        }
        self.explanations.kept.push(Rc::new(explained));
    }

    /// Is an explanation pending?
    pub(super) fn explaining(&self) -> bool {
        self.explanations.asked.is_some()
    }

    /// The pending explanation failed; the step is shown without it.
    pub(super) fn leave_unexplained(&mut self) {
        let Some((index, what)) = self.explanations.asked.take() else { return };
        let mut bare = self.bare(index as usize);
        bare.depicted.what = what;
        self.explanations.kept.retain(|explained| explained.index != index);
        self.explanations.kept.push(Rc::new(bare));
        self.explanations.left.push(index);
    }

    /// Discards pending requests to an engine that ended.
    pub(super) fn forget_asked(&mut self) -> Vec<Effect> {
        self.explanations.asked = None;
        vec![]
    }

    /// Requests failed explanations again, with the journal.
    pub(super) fn explain_again(&mut self) -> Vec<Effect> {
        let left = std::mem::take(&mut self.explanations.left);
        self.explanations.kept.retain(|explained| !left.contains(&explained.index));
        self.give_journal_back()
    }

    /// Sends the journal to a new engine, for explanations.
    pub(super) fn give_journal_back(&mut self) -> Vec<Effect> {
        self.explanations.asked = None;
        let Some(run) = self.run.as_ref().filter(|_| self.journal.length() > 0) else { return vec![] };
        self.restoring = true;
        let (names, parts) = self.journal.parts();
        vec![Effect::Send(ToEngine::Restore { job: run.job, names, parts })]
    }
}

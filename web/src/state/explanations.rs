//! Explanations of the shown step: requested one at a time, and cached. Those of the next and the previous step are
//! requested ahead, so that most steps are drawn at once.
//!
//! An engine in a long query of the solver does not answer. Then another one, the viewer, gets the journal so far and
//! explains its steps as long as the run is at work.

use std::mem::discriminant;
use std::rc::Rc;

use veristep_core::draw::What;

use crate::explained::{Explained, Part, Subjects, Thing};
use crate::protocol::{FromEngine, Job, ToEngine};
use crate::state::{Effect, Engine, MiddleTab, Run, State, Status};

/// The maximal number of cached explanations.
const KEPT: usize = 128;

/// The explanations of one run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Explanations {
    kept: Vec<Rc<Explained>>,
    asked: Option<Asked>,
    /// Steps without an explanation, because computing it ended the engine.
    left: Vec<u32>,
    viewer: Viewer,
}

/// A requested explanation.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Asked {
    index: u32,
    what: Option<What>,
    /// It was requested from the engine, perhaps also from the viewer.
    of_engine: bool,
}

/// The second engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Viewer {
    /// There is none.
    #[default]
    None,
    /// It has this run, and so many parts of its journal.
    Has(Job, usize),
    /// It failed on this run.
    Lost(Job),
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
            // The nearest one: others were requested ahead.
            _ => self.explanations.kept.iter().min_by_key(|e| (e.index as usize).abs_diff(last)).cloned(),
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

    /// Is there the explanation of an event, with this picture if one is asked for?
    fn is_explained(&self, index: usize, what: Option<What>) -> bool {
        self.explanation_of(index).is_some_and(|explained| what.is_none() || explained.depicted.what == what)
    }

    /// The next missing explanation, if one can be requested.
    fn unexplained(&self) -> Option<(Job, u32, Option<What>)> {
        let run = self.run.as_ref()?;
        if self.explanations.asked.is_some() || (self.following && run.status == Status::Running) {
            return None;
        }
        let path = (self.view.middle == MiddleTab::Path).then(|| self.interpolation()).flatten();
        let (shown, what) = (self.frame.cursor.checked_sub(1), self.what());
        let needed = [shown.map(|index| (index, what)), path.map(|(index, _)| (index, None))];
        let ahead = self.ahead().into_iter().map(|index| (index, what));
        let all = needed.into_iter().flatten().chain(ahead);
        let (index, what) = all.into_iter().find(|(index, what)| !self.is_explained(*index, *what))?;
        Some((run.job, u32::try_from(index).ok()?, what))
    }

    /// The events before and after that of the shown step, if their explanations take little time: the engine is idle,
    /// and the view needs no picture of it.
    fn ahead(&self) -> Vec<usize> {
        if self.what().is_some() || self.working() || self.engine != Engine::Ready {
            return vec![];
        }
        let cursor = self.frame.cursor;
        let there = |index: &usize| *index < self.journal.length();
        [Some(cursor), cursor.checked_sub(2)].into_iter().flatten().filter(there).collect()
    }

    /// Is a message only the explanation of a step that is not shown?
    #[must_use]
    pub fn is_ahead(&self, message: &FromEngine) -> bool {
        let other = |index: u32| index as usize + 1 != self.frame.cursor;
        matches!(message, FromEngine::Explained { explained, .. } if other(explained.index))
            && self.view.middle != MiddleTab::Path
    }

    /// Requests the next missing explanation.
    pub fn ask_for_explanations(&mut self) -> Vec<Effect> {
        if !self.is_viewed() {
            self.forget_viewer();
        }
        let Some((job, index, what)) = self.unexplained() else { return vec![] };
        let of_engine = !self.is_viewed();
        self.explanations.asked = Some(Asked { index, what, of_engine });
        let expected = (of_engine && self.working()).then_some(Effect::ExpectSoon(job, index));
        self.send_or_view(ToEngine::Explain { job, index, what }).into_iter().chain(expected).collect()
    }

    /// Sends a request about the run to the viewer, if there is one, or else to the engine.
    pub(super) fn send_or_view(&mut self, message: ToEngine) -> Vec<Effect> {
        if self.is_viewed() { self.view_with(message) } else { vec![Effect::Send(message)] }
    }

    /// Is there a viewer, and does the run still need it?
    #[must_use]
    pub fn is_viewed(&self) -> bool {
        self.working() && matches!(self.explanations.viewer, Viewer::Has(..))
    }

    /// There is no viewer any more: what only it was asked for is requested again.
    fn forget_viewer(&mut self) {
        if matches!(self.explanations.viewer, Viewer::Has(..)) {
            self.explanations.viewer = Viewer::None;
        }
        self.explanations.asked = self.explanations.asked.filter(|asked| asked.of_engine);
    }

    /// Is the engine at work, so that an answer may be late?
    fn working(&self) -> bool {
        let at_work = |run: &Run| matches!(run.status, Status::Running | Status::Pausing | Status::Stopping);
        self.engine == Engine::Ready && self.run.as_ref().is_some_and(at_work)
    }

    /// Sends a message to the viewer, after the parts of the journal that it does not have.
    fn view_with(&mut self, message: ToEngine) -> Vec<Effect> {
        let Some(run) = &self.run else { return vec![] };
        let job = run.job;
        let had = match self.explanations.viewer {
            Viewer::Has(of, parts) if of == job => Some(parts),
            _ => None,
        };
        let (names, parts) = self.journal.parts(had.unwrap_or(0));
        let now = had.unwrap_or(0) + parts.len();
        let news = match had {
            Some(_) if parts.is_empty() => None,
            Some(_) => Some(ToEngine::Grown { job, parts }),
            None => Some(ToEngine::Restore { job, of: Box::new(run.of()), names, parts }),
        };
        self.explanations.viewer = Viewer::Has(job, now);
        news.into_iter().chain([message]).map(Effect::View).collect()
    }

    /// The engine has not answered: the viewer is asked, unless it failed on this run.
    pub(super) fn late(&mut self, job: Job, index: u32) -> Vec<Effect> {
        let Some(asked) = self.explanations.asked else { return vec![] };
        let current = self.run.as_ref().is_some_and(|run| run.job == job);
        if asked.index != index
            || !current
            || !self.working()
            || self.explanations.viewer == Viewer::Lost(job)
        {
            return vec![];
        }
        self.view_with(ToEngine::Explain { job, index, what: asked.what })
    }

    /// An answer of the viewer.
    pub(super) fn heard_viewer(&mut self, message: FromEngine) -> Vec<Effect> {
        match message {
            FromEngine::Explained { job, explained } => self.heard_explanation(job, explained),
            FromEngine::Saved { name, format, content } => return self.saved(name, format, content),
            FromEngine::Panicked { .. } => return self.viewer_lost(),
            _ => {}
        }
        vec![]
    }

    /// The viewer cannot be used: the engine is asked.
    pub(super) fn viewer_lost(&mut self) -> Vec<Effect> {
        self.forget_viewer();
        if let Some(run) = &self.run {
            self.explanations.viewer = Viewer::Lost(run.job);
        }
        vec![]
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
            MiddleTab::Markings => Some(What::Markings),
            MiddleTab::Structure => Some(What::Structure),
            MiddleTab::Timeline => Some(What::Timeline(self.view.clock)),
            MiddleTab::Abstractions => Some(What::Abstractions(self.view.predicates)),
            MiddleTab::States => Some(What::States { location, node, axes: self.view.axes }),
            MiddleTab::Graph if !self.journal.get().has_graph() => Some(What::Method),
            MiddleTab::Graph | MiddleTab::Simulation | MiddleTab::Precision | MiddleTab::Events => None,
        }
    }

    /// The picture of the shown step, or while it is pending the previous one.
    #[must_use]
    pub fn depicted(&self) -> Option<Rc<Explained>> {
        let last = self.frame.cursor.checked_sub(1)?;
        let what = self.what().as_ref().map(discriminant);
        let same = |explained: &&Rc<Explained>| explained.depicted.what.as_ref().map(discriminant) == what;
        let all = || self.explanations.kept.iter().rev().filter(same);
        all().min_by_key(|explained| (explained.index as usize).abs_diff(last)).cloned()
    }

    pub(super) fn heard_explanation(&mut self, job: Job, explained: Explained) {
        if self.run.as_ref().is_none_or(|run| run.job != job) {
            return;
        }
        // A late request is answered twice.
        let answers = |asked: &Asked| asked.index == explained.index && asked.what == explained.depicted.what;
        self.explanations.asked = self.explanations.asked.filter(|asked| !answers(asked));
        let what = self.what();
        let better = |kept: &Rc<Explained>| {
            kept.index == explained.index && kept.depicted.what == what && explained.depicted.what != what
        };
        if self.explanations.kept.iter().any(better) {
            return;
        }
        self.explanations.kept.retain(|other| other.index != explained.index);
        if self.explanations.kept.len() == KEPT {
            let away = |kept: &Rc<Explained>| (kept.index as usize + 1).abs_diff(self.frame.cursor);
            let farthest = (0..KEPT).max_by_key(|at| away(&self.explanations.kept[*at]));
            self.explanations.kept.remove(farthest.unwrap_or(0));
        }
        self.explanations.kept.push(Rc::new(explained));
    }

    /// Is the explanation of the shown step pending?
    #[must_use]
    pub fn awaits_explanation(&self) -> bool {
        let there = |last| self.is_explained(last, self.what());
        self.explanations.asked.is_some() && !self.frame.cursor.checked_sub(1).is_none_or(there)
    }

    /// Is an explanation pending?
    pub(super) fn explaining(&self) -> bool {
        self.explanations.asked.is_some()
    }

    /// The pending explanation failed; the step is shown without it.
    pub(super) fn leave_unexplained(&mut self) {
        let Some(Asked { index, what, .. }) = self.explanations.asked.take() else { return };
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
        let (names, parts) = self.journal.parts(0);
        vec![Effect::Send(ToEngine::Restore { job: run.job, of: Box::new(run.of()), names, parts })]
    }
}

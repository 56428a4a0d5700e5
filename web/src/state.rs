//! The state of the page and the one function that changes it.
//!
//! [`State::apply`] takes an [`Action`] and returns the [`Effect`]s that the app has to carry out (messages to the
//! engine, the address bar, timers). It touches no browser, so all of it is tested natively.

use std::rc::Rc;

use veristep_core::diagnostic::Diagnostic;
use veristep_core::formats::c::DataModel;
use veristep_core::kit::Event;
use veristep_core::link::Cursor;
use veristep_core::methods::cegar;
use veristep_core::run::Kind;

use crate::examples;
use crate::explained::Thing;
use crate::protocol::{Accepted, Budget, Job, Library, ModelInfo, RunResult, Stop, ToEngine};

mod action;
mod document;
mod editing;
mod explanations;
mod failure;
mod frame;
mod game;
mod journal_ref;
mod linking;
mod messages;
pub mod options;
mod runs;
mod saving;
mod selection;
mod simulation;
mod steps;
#[cfg(test)]
mod tests;
mod view;
mod writing;

pub use editing::Editable;
use editing::same_model;

pub use action::{Action, EditorCommand, EditorRequest, Effect, Undo};
pub use document::Document;
pub use explanations::Explanations;
pub use failure::{Doing, Failure};
pub use frame::{Frame, FrameRef};
pub use game::{Autoplay, Game, GameMove, RATES};
pub use journal_ref::JournalRef;
pub use saving::PictureOf;
pub use selection::{Related, chosen_cut, pick_at, span_of};
pub use simulation::{Simulated, SimulationMove, events_of};
pub use steps::{Move, target};
pub use veristep_core::explain::Granularity;
pub use view::{LeftTab, MiddleTab, PhoneTab, Popover, ShowGhosts, Theme, View};
pub use writing::{Answers, Next, Writing};

/// The budget of a run before it pauses.
pub const BUDGET: Budget = Budget { fuel: 3_000_000, events: 200_000 };
/// The budget of a run started by a link before it pauses.
pub const LINK_BUDGET: Budget = Budget { fuel: 400_000, events: 50_000 };

/// The status of the engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// The worker is starting.
    #[default]
    Starting,
    /// It is ready.
    Ready,
    /// It runs on the page's own thread, because no worker could be started.
    MainThread,
    /// It cannot be started.
    Lost(String),
}

/// The status of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// The engine is running.
    Running,
    /// A pause was requested.
    Pausing,
    /// It is paused.
    Paused(Stop),
    /// A stop was requested.
    Stopping,
    /// It was stopped; its journal stays usable.
    Stopped,
    /// It ended with an outcome.
    Done,
    /// It could not start, or failed.
    Failed(String),
}

/// The result of the independent checker.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Checked {
    /// Not requested.
    #[default]
    No,
    /// Requested.
    Asked(Job),
    /// Accepted, with what was checked.
    Accepted(Accepted),
    /// Rejected, with the reason.
    Refused(String),
}

/// A run and its state.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// Its number.
    pub job: Job,
    /// Its status.
    pub status: Status,
    /// The text of its model.
    pub text: Rc<str>,
    /// The language of that text.
    pub kind: Kind,
    /// Its property.
    pub property: String,
    /// Its options.
    pub options: Vec<(String, String)>,
    /// Its model.
    pub model: Option<Rc<ModelInfo>>,
    /// The outcome.
    pub outcome: Option<Rc<RunResult>>,
    /// The verdict is shown. For a run that is stepped through it is hidden until its end.
    pub revealed: bool,
    /// Fuel used when it paused.
    pub used: u64,
    /// The checker's result for the certificate.
    pub checked: Checked,
}

/// A message that stays until it is dismissed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// Its tone.
    pub tone: Tone,
    /// In words.
    pub text: String,
}

/// The tone of a notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// For information.
    Info,
    /// A warning.
    Warning,
}

/// The whole state of the page.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    /// The text in the editor.
    pub text: Rc<str>,
    /// The language of the text, with the sizes of C's types.
    pub kind: Kind,
    /// Changes when the text was replaced from outside the editor.
    pub text_version: u32,
    /// The example it came from.
    pub example: Option<Rc<str>>,
    /// Where it is kept.
    pub document: Document,
    /// The property; empty for the format's own.
    pub property: String,
    /// The options of runs other than the defaults, by name.
    pub options: Vec<(String, String)>,
    /// The model of the last text without errors.
    pub model: Option<Rc<ModelInfo>>,
    /// The token game, if the model is a net.
    pub game: Rc<Game>,
    /// The simulation, if the model is a chart.
    pub simulation: Rc<Simulated>,
    /// Errors in the text.
    pub diagnostics: Rc<Vec<Diagnostic>>,
    /// The error in the property, in words.
    pub property_problem: Option<Rc<str>>,
    /// The engine.
    pub engine: Engine,
    /// The run that is shown.
    pub run: Option<Run>,
    /// Its journal.
    pub journal: JournalRef,
    /// The views at the shown step.
    pub frame: FrameRef,
    /// The cursor follows the end of the journal.
    pub following: bool,
    /// Playing.
    pub playing: bool,
    /// The step to go to as soon as the journal contains it.
    pub wanted: Option<Wanted>,
    /// The selected object.
    pub pick: Option<Thing>,
    /// The settings of the views.
    pub view: View,
    /// Messages.
    pub notices: Vec<Notice>,
    /// The verdict stated by the opened link, to be compared with the outcome.
    pub claimed: String,
    /// The fuel budget of a run.
    pub fuel: u64,
    /// Examples, options and glossary, sent by the engine.
    pub library: Rc<Library>,
    explanations: Explanations,
    last_job: Job,
    parse_job: Job,
    /// The text that was sent to be parsed last.
    parse_text: Rc<str>,
    /// The text or the property was changed or sent to be parsed, and there is no answer yet.
    reading: bool,
    /// A journal was restored, and the engine has not answered since.
    restoring: bool,
    /// The edits of the drawing.
    pub writing: Writing,
    /// The next change of the text is one of the drawing.
    from_drawing: bool,
    /// How the last engine ended, if it crashed.
    pub failure: Option<Failure>,
}

/// A step to go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// This index.
    Index(usize),
    /// The step of a link.
    Linked(Cursor),
}

impl State {
    /// The initial state.
    #[must_use]
    pub fn new() -> State {
        State { fuel: BUDGET.fuel, ..State::default() }
    }

    /// Is the run of the current text and property?
    #[must_use]
    pub fn current(&self) -> bool {
        let same = |run: &Run| {
            same_model(&run.text, &self.text)
                && run.kind == self.kind
                && run.property == self.property
                && run.options == self.options
        };
        self.run.as_ref().is_some_and(same)
    }

    /// Is the run of the current text, for any property?
    #[must_use]
    pub fn same_model(&self) -> bool {
        let same = |run: &Run| same_model(&run.text, &self.text) && run.kind == self.kind;
        self.run.as_ref().is_some_and(same)
    }

    /// If neither model nor user states a property: the reason, and possible properties.
    #[must_use]
    pub fn no_property(&self) -> Option<&str> {
        let model = self.model.as_ref().filter(|_| self.diagnostics.is_empty())?;
        model.no_property.as_deref().filter(|_| self.property.trim().is_empty())
    }

    /// The title of the example, or else the name of the model.
    #[must_use]
    pub fn title(&self) -> String {
        let of_model = || self.model.as_ref().map(|model| model.name.clone()).unwrap_or_default();
        match examples::title(&self.library.examples, &self.text) {
            "" => of_model(),
            title => title.to_owned(),
        }
    }

    /// The model of the shown run, or else the one in the editor.
    #[must_use]
    pub fn shown_model(&self) -> Option<&Rc<ModelInfo>> {
        let of_run = self.run.as_ref().filter(|_| self.current()).and_then(|run| run.model.as_ref());
        of_run.or(self.model.as_ref())
    }

    /// Is the run in progress?
    #[must_use]
    pub fn busy(&self) -> bool {
        let status = self.run.as_ref().map(|run| &run.status);
        matches!(status, Some(Status::Running | Status::Pausing | Status::Stopping))
    }

    /// The objects related to the selection.
    #[must_use]
    pub fn related(&self) -> Related {
        Related::to(self.pick, &self.frame, &self.journal.get(), self.shown_model().map(|m| &**m))
    }

    /// Changes the state; returns the effects to carry out.
    pub fn apply(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Edited(text) => self.edited(text),
            Action::Parse => self.parse(),
            Action::Load { example, kind, text, property, options } => {
                let method = options::method(kind, &text).filter(|_| options.is_empty());
                self.options = options.into_iter().chain(method).collect();
                self.load(example, (text, kind), property)
            }
            Action::Open(link, lost) => self.open(*link, &lost),
            Action::Property(property) => {
                self.property = property;
                self.reading = true;
                vec![Effect::ParseSoon, Effect::SaveLink]
            }
            Action::DataModel(model) => self.read_with(model),
            Action::Option(name, value) => {
                options::set(&self.library.options, &mut self.options, &name, &value);
                vec![Effect::SaveLink]
            }
            Action::Fuel(fuel) => self.budgeted(fuel),
            Action::Engine(message) => self.receive(*message),
            Action::OnMainThread => self.on_main_thread(),
            Action::EngineLost(why) => self.engine_lost(why),
            Action::TryAgain => self.try_again(),
            Action::DismissFailure => self.dismiss_failure(),
            Action::EngineEnded => self.engine_ended(),
            Action::Late(job, index) => self.late(job, index),
            Action::Viewer(message) => self.heard_viewer(*message),
            Action::ViewerLost => self.viewer_lost(),
            Action::AskSomething => vec![Effect::FocusProperty],
            Action::Run => self.run_or_continue(true),
            Action::Reveal => self.reveal(),
            Action::Pause => self.ask(Status::Pausing, |job| ToEngine::Pause { job }),
            Action::Stop => self.stop(),
            Action::Check => self.check(),
            Action::Go(way) => self.go(way),
            Action::Game(play) => self.play_net(play),
            Action::Simulate(play) => self.simulate(play),
            Action::Play => self.play(),
            Action::Tick => self.tick(),
            Action::Pick(pick) => self.picked(pick),
            Action::Point(pick) => {
                self.pick = Some(pick);
                vec![]
            }
            Action::Jump(span) => vec![Effect::Command(EditorCommand::Reveal(span))],
            Action::Edit(edits, typed) => self.edit(edits, typed),
            Action::Undo(undo) => vec![Effect::Command(EditorCommand::Undo(undo))],
            Action::Copied(copied) => {
                self.view.copied = copied;
                vec![]
            }
            Action::View(view) => self.show(view),
            Action::Dismiss(index) => {
                if index < self.notices.len() {
                    self.notices.remove(index);
                }
                vec![]
            }
            Action::Say(notice) => self.said(&notice),
            Action::Document(document) => self.set_document(document),
            Action::Saved(version, name, file) => self.saved_as(version, name, file),
            Action::OpenFile => vec![Effect::OpenFile],
            Action::SaveModel => self.save_model(),
            Action::Save(of, format) => self.save(of, format),
            Action::AskSolver => self.ask_solver(),
            Action::Compare => self.compare(),
        }
    }

    /// Changes the settings of the views; what was copied is no longer the link if another one is shown.
    fn show(&mut self, view: View) -> Vec<Effect> {
        let same = view.popover == self.view.popover && view.share_step == self.view.share_step;
        let other = view.middle != self.view.middle;
        self.view = View { copied: same && view.copied, ..view };
        if other { self.other_tab() } else { vec![] }
    }

    fn budgeted(&mut self, fuel: u64) -> Vec<Effect> {
        self.fuel = fuel;
        vec![]
    }

    fn said(&mut self, notice: &Notice) -> Vec<Effect> {
        self.say(notice.tone, &notice.text);
        vec![]
    }

    fn say(&mut self, tone: Tone, text: &str) {
        if self.notices.iter().all(|notice| notice.text != text) {
            self.notices.push(Notice { tone, text: text.to_owned() });
        }
    }

    fn next_job(&mut self) -> Job {
        self.last_job += 1;
        self.last_job
    }

    fn edited(&mut self, text: Rc<str>) -> Vec<Effect> {
        if text == self.text {
            return vec![];
        }
        let own = |example: &Rc<str>| examples::is_another(&self.library.examples, example, &text);
        let kind = self.kind.edited(&self.text, &text);
        if kind != self.kind || self.example.as_ref().is_some_and(own) {
            self.example = None;
        }
        let method = options::method(self.kind, &self.text);
        options::follow(&mut self.options, method, options::method(kind, &text));
        (self.kind, self.text) = (kind, text);
        self.forget_refusal();
        self.document.changed = true;
        self.reading = true;
        self.pick = None;
        self.playing = false;
        match std::mem::take(&mut self.from_drawing) {
            false => vec![Effect::ParseSoon],
            // The engine parses it already.
            true if self.parse_text == self.text => vec![Effect::SaveLink],
            true => self.parse(),
        }
    }

    /// Parses a program again with these sizes of types.
    fn read_with(&mut self, model: DataModel) -> Vec<Effect> {
        match self.kind.with(model) {
            Some(kind) if kind != self.kind => {
                self.kind = kind;
                self.parse()
            }
            _ => vec![],
        }
    }

    fn parse(&mut self) -> Vec<Effect> {
        if self.stops_engine() {
            return vec![Effect::SaveLink];
        }
        self.parse_job = self.next_job();
        self.parse_text = self.text.clone();
        self.reading = true;
        vec![
            Effect::Send(ToEngine::Parse {
                job: self.parse_job,
                kind: self.kind,
                text: self.text.to_string(),
                property: self.property.clone(),
            }),
            Effect::SaveLink,
        ]
    }

    fn load(
        &mut self,
        example: Option<Rc<str>>,
        (text, kind): (Rc<str>, Kind),
        property: String,
    ) -> Vec<Effect> {
        let mut effects = self.stop();
        // The editor has one kind of line end.
        let text =
            if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text };
        (self.text, self.kind) = (text, kind);
        self.view.predicates = None;
        self.writing.give_up();
        self.text_version += 1;
        self.example = example;
        self.document = Document::default();
        self.property = property;
        self.model = None;
        self.dismiss_failure();
        self.diagnostics = Rc::default();
        self.property_problem = None;
        self.forget_run();
        self.claimed.clear();
        self.put_game(Game::default());
        self.simulation = Rc::default();
        effects.extend(self.parse());
        effects
    }

    fn forget_run(&mut self) {
        self.run = None;
        self.journal = JournalRef::default();
        self.explanations = Explanations::default();
        self.frame = FrameRef::default();
        self.pick = None;
        self.view.axes = None;
        self.playing = false;
        self.following = false;
        self.wanted = None;
    }

    /// The event of the interpolant at the shown cut, and the cut.
    #[must_use]
    pub fn interpolation(&self) -> Option<(usize, u32)> {
        let journal = self.journal.get();
        let own = self
            .frame
            .cursor
            .checked_sub(1)
            .and_then(|last| self.explanation_of(last))
            .and_then(|t| t.subjects.cut);
        let cut = chosen_cut(&self.frame.cex, &journal, self.view.cut, own)?;
        let events = &journal.events[..self.frame.cursor.min(journal.events.len())];
        let is_it =
            |e: &Event| matches!(e, Event::Cegar(cegar::Event::Interpolated { cut: at, .. }) if *at == cut);
        Some((events.iter().rposition(is_it)?, cut))
    }

    fn move_to(&mut self, cursor: usize) {
        if cursor != self.frame.cursor {
            self.frame = self.journal.frame(&self.frame, cursor);
        }
        self.reveal_at_end();
    }

    fn go(&mut self, way: Move) -> Vec<Effect> {
        self.playing = false;
        self.following = false;
        self.wanted = None;
        let forward = matches!(way, Move::Forward(_));
        let startable = self.run.is_none() || !self.current();
        if forward && startable && self.diagnostics.is_empty() && !self.busy() {
            let effects = self.step_through();
            self.wanted = self.current().then_some(Wanted::Index(1));
            return effects;
        }
        let cursor = target((&self.journal.marks(), self.journal.length()), self.frame.cursor, way);
        self.move_to(cursor);
        vec![Effect::SaveLink]
    }

    fn play(&mut self) -> Vec<Effect> {
        self.following = false;
        if self.playing {
            self.playing = false;
            return vec![];
        }
        let mut effects = vec![];
        if self.run.is_none() || !self.current() {
            effects = self.step_through();
        } else if self.frame.cursor == self.journal.length() && !self.busy() {
            self.move_to(0);
        }
        self.playing = self.current();
        effects
    }

    fn tick(&mut self) -> Vec<Effect> {
        if !self.playing {
            return vec![];
        }
        let cursor = target(
            (&self.journal.marks(), self.journal.length()),
            self.frame.cursor,
            Move::Forward(self.view.grain),
        );
        self.move_to(cursor);
        if cursor == self.journal.length() && !self.busy() {
            self.playing = false;
            return vec![Effect::SaveLink];
        }
        vec![]
    }
}

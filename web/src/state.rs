//! The state of the page and the one function that changes it.
//!
//! [`State::apply`] takes an [`Action`] and gives the [`Effect`]s that the app has to carry out (messages to the
//! engine, the address bar, timers). It touches no browser, so all of it is tested natively.

use std::rc::Rc;

use veristep_core::diagnostic::{Diagnostic, Span};
use veristep_core::formats::c::DataModel;
use veristep_core::kit::{Event, FormulaId, Journal};
use veristep_core::link::{Cursor, Link};
use veristep_core::methods::cegar;
use veristep_core::run::Kind;
use veristep_core::views::CexView;

use crate::examples;
use crate::protocol::{Accepted, Budget, FromEngine, Job, Library, ModelInfo, Outcome, Stop, ToEngine};

mod death;
mod engine_says;
mod frame;
mod journal_ref;
mod linking;
pub mod options;
mod runs;
mod selection;
mod steps;
mod telling;
#[cfg(test)]
mod tests;
mod view;

pub use death::{Death, Doing};
pub use frame::Frame;
pub use journal_ref::JournalRef;
pub use selection::{Pick, Related, describe, pick_at, span_of};
pub use steps::{Move, target};
pub use telling::Told;
pub use veristep_core::explain::Granularity;
pub use view::{LeftTab, MiddleTab, PhoneTab, Popover, ShowGhosts, Theme, View};

/// What a run may use before it asks.
pub const BUDGET: Budget = Budget { fuel: 3_000_000, events: 200_000 };
/// What a run started by a link may use before it asks.
pub const LINK_BUDGET: Budget = Budget { fuel: 400_000, events: 50_000 };

/// Whether there is somebody to verify.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// The worker is starting.
    #[default]
    Starting,
    /// It is there.
    Ready,
    /// It runs on the page's own thread, because no worker could be started.
    MainThread,
    /// It cannot be started.
    Lost(String),
}

/// Where a run stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// The engine works.
    Running,
    /// It was asked to stand still.
    Pausing,
    /// It stands still.
    Paused(Stop),
    /// It was asked to give up.
    Stopping,
    /// It gave up; what was found stays usable.
    Stopped,
    /// It ended with an outcome.
    Done,
    /// It could not begin, or broke.
    Failed(String),
}

/// What the independent checker said.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Checked {
    /// Not asked.
    #[default]
    No,
    /// Asked.
    Asked(Job),
    /// It accepts: what it checked.
    Accepted(Accepted),
    /// It refuses, because.
    Refused(String),
}

/// One run and its record.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// Its number.
    pub job: Job,
    /// Where it stands.
    pub status: Status,
    /// The text it is about.
    pub text: Rc<str>,
    /// What that text was read as.
    pub kind: Kind,
    /// The property it is about.
    pub property: String,
    /// Its options.
    pub options: Vec<(String, String)>,
    /// Its model.
    pub model: Option<Rc<ModelInfo>>,
    /// What was found.
    pub outcome: Option<Rc<Outcome>>,
    /// The verdict is shown. While a run is stepped through it is not, until its end.
    pub revealed: bool,
    /// Fuel used, when it stands still.
    pub used: u64,
    /// The checker's word on the certificate.
    pub checked: Checked,
}

/// A message to the reader that stays until it is dismissed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// Good or bad.
    pub tone: Tone,
    /// In words.
    pub text: String,
}

/// How a notice is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// For information.
    Info,
    /// Something to know.
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
    /// The property; empty for the format's own.
    pub property: String,
    /// The options of runs that are not as usual, by name.
    pub options: Vec<(String, String)>,
    /// The last text that could be read.
    pub model: Option<Rc<ModelInfo>>,
    /// What is wrong with the text.
    pub diagnostics: Rc<Vec<Diagnostic>>,
    /// What is wrong with the property, in words.
    pub property_problem: Option<Rc<str>>,
    /// The engine.
    pub engine: Engine,
    /// The run that is shown.
    pub run: Option<Run>,
    /// Its journal.
    pub journal: JournalRef,
    /// What is shown of it.
    pub frame: Rc<Frame>,
    /// The cursor goes with the end of the journal.
    pub following: bool,
    /// Steps are taken by themselves.
    pub playing: bool,
    /// The step to go to as soon as the journal has it.
    pub wanted: Option<Wanted>,
    /// What is picked.
    pub pick: Option<Pick>,
    /// What is shown where.
    pub view: View,
    /// Messages.
    pub notices: Vec<Notice>,
    /// The claim of the link that was opened, to be compared with the outcome.
    pub claimed: String,
    /// The fuel a run may use.
    pub fuel: u64,
    /// What the engine brought along.
    pub library: Rc<Library>,
    told: Told,
    last_job: Job,
    parse_job: Job,
    /// The text was sent to be read, and there is no answer yet.
    reading: bool,
    /// A journal was given back, and the engine has done nothing with it yet.
    restoring: bool,
    /// How the last engine ended, if it ended by itself.
    pub death: Option<Death>,
}

/// A step to go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// This index.
    Index(usize),
    /// The step of a link.
    Linked(Cursor),
}

/// What can happen.
#[derive(PartialEq, Debug)]
pub enum Action {
    /// The user typed.
    Edited(Rc<str>),
    /// It is time to read the text.
    Parse,
    /// Another model was chosen.
    Load {
        /// The example's id.
        example: Option<Rc<str>>,
        /// The language of the model.
        kind: Kind,
        /// The model.
        text: Rc<str>,
        /// The property.
        property: String,
        /// The options that are not as usual.
        options: Vec<(String, String)>,
    },
    /// A link was opened.
    Open(Box<Link>, Vec<&'static str>),
    /// The property was changed.
    Property(String),
    /// The sizes of C's types were changed.
    DataModel(DataModel),
    /// An option of runs was changed.
    Option(String, String),
    /// The budget was changed.
    Fuel(u64),
    /// The engine spoke.
    Engine(Box<FromEngine>),
    /// The engine is on the main thread.
    OnMainThread,
    /// The engine broke or cannot be started.
    EngineLost(String),
    /// Try again what ended the engine.
    TryAgain,
    /// The message about the engine's end was read.
    DismissDeath,
    /// The engine did not answer and was ended.
    EngineEnded,
    /// Write a property.
    AskSomething,
    /// Verify, or run on.
    Run,
    /// Show the verdict of a run that is stepped through.
    Reveal,
    /// Stand still.
    Pause,
    /// Give up.
    Stop,
    /// Have the certificate checked.
    Check,
    /// Go along the journal.
    Go(Move),
    /// Start or stop playing.
    Play,
    /// Time for the next step while playing.
    Tick,
    /// Pick something, or nothing.
    Pick(Option<Pick>),
    /// Pick what stands at the text's cursor; the text itself stays as it is.
    Point(Pick),
    /// Show a place in the text.
    Jump(Span),
    /// The link was copied, or not.
    Copied(bool),
    /// Change what is shown.
    View(View),
    /// A notice was read.
    Dismiss(usize),
    /// Say something.
    Say(Notice),
    /// Show what the solver was asked for this step, on its own page.
    AskSolver,
    /// Compare strategies on the model.
    Compare,
}

/// What the app has to do.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Send a message.
    Send(ToEngine),
    /// Read the text when typing stops.
    ParseSoon,
    /// End the engine unless this run stops soon.
    StopForCertain(Job),
    /// Start another engine.
    Respawn,
    /// Write the address bar.
    SaveLink,
    /// Select a place in the text.
    Reveal(Span),
    /// Put the focus into the property's field.
    FocusProperty,
    /// Open another page beside this one, with this fragment.
    Open(&'static str, String),
}

/// The cut that is looked at: the reader's choice, or the step's own, or the last whose interpolant says something.
#[must_use]
pub fn chosen_cut(cex: &CexView, journal: &Journal, choice: Option<u32>, own: Option<u32>) -> Option<u32> {
    let inside = |cut: &u32| *cut >= 1 && *cut < cex.length;
    let says = |id: FormulaId| {
        journal.formulas.get(id.index()).is_some_and(|text| !matches!(text.as_str(), "true" | "false"))
    };
    let telling = || cex.interpolants.iter().rev().find(|(_, _, f)| says(*f)).map(|(cut, _, _)| *cut);
    let last = || telling().or_else(|| cex.interpolants.last().map(|(cut, _, _)| *cut));
    choice.filter(inside).or(own.filter(inside)).or_else(last)
}

impl State {
    /// The state before anything happened.
    #[must_use]
    pub fn new() -> State {
        State { fuel: BUDGET.fuel, ..State::default() }
    }

    /// The run is about the text and property as they are now.
    #[must_use]
    pub fn current(&self) -> bool {
        let same = |run: &Run| {
            run.text == self.text
                && run.kind == self.kind
                && run.property == self.property
                && run.options == self.options
        };
        self.run.as_ref().is_some_and(same)
    }

    /// The run is about the text as it is now, whatever was asked.
    #[must_use]
    pub fn same_model(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.text == self.text && run.kind == self.kind)
    }

    /// Why nothing is asked, and what could be, if neither the model nor the reader asks anything.
    #[must_use]
    pub fn asks_nothing(&self) -> Option<&str> {
        let model = self.model.as_ref().filter(|_| self.diagnostics.is_empty())?;
        model.asks_nothing.as_deref().filter(|_| self.property.trim().is_empty())
    }

    /// The model that the shown run is about, or else the one in the editor.
    #[must_use]
    pub fn shown_model(&self) -> Option<&Rc<ModelInfo>> {
        let of_run = self.run.as_ref().filter(|_| self.current()).and_then(|run| run.model.as_ref());
        of_run.or(self.model.as_ref())
    }

    /// The engine is at work on the run.
    #[must_use]
    pub fn busy(&self) -> bool {
        let status = self.run.as_ref().map(|run| &run.status);
        matches!(status, Some(Status::Running | Status::Pausing | Status::Stopping))
    }

    /// What the selection is about.
    #[must_use]
    pub fn related(&self) -> Related {
        Related::to(self.pick, &self.frame, &self.journal.get(), self.shown_model().map(|m| &**m))
    }

    /// Changes the state; gives what is left to do.
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
                vec![Effect::ParseSoon, Effect::SaveLink]
            }
            Action::DataModel(model) => self.read_with(model),
            Action::Option(name, value) => {
                options::set(&self.library.options, &mut self.options, &name, &value);
                vec![Effect::SaveLink]
            }
            Action::Fuel(fuel) => {
                self.fuel = fuel;
                vec![]
            }
            Action::Engine(message) => self.engine_says(*message),
            Action::OnMainThread => self.on_main_thread(),
            Action::EngineLost(why) => self.engine_lost(why),
            Action::TryAgain => self.try_again(),
            Action::DismissDeath => self.dismiss_death(),
            Action::EngineEnded => self.engine_ended(),
            Action::AskSomething => vec![Effect::FocusProperty],
            Action::Run => self.run_or_continue(true),
            Action::Reveal => self.reveal(),
            Action::Pause => self.ask(Status::Pausing, |job| ToEngine::Pause { job }),
            Action::Stop => self.stop(),
            Action::Check => self.check(),
            Action::Go(way) => self.go(way),
            Action::Play => self.play(),
            Action::Tick => self.tick(),
            Action::Pick(pick) => self.picked(pick),
            Action::Point(pick) => {
                self.pick = Some(pick);
                vec![]
            }
            Action::Jump(span) => vec![Effect::Reveal(span)],
            Action::Copied(copied) => {
                self.view.copied = copied;
                vec![]
            }
            Action::View(view) => {
                let same = view.popover == self.view.popover && view.share_step == self.view.share_step;
                self.view = View { copied: same && view.copied, ..view };
                vec![]
            }
            Action::Dismiss(index) => {
                if index < self.notices.len() {
                    self.notices.remove(index);
                }
                vec![]
            }
            Action::Say(notice) => {
                self.say(notice.tone, &notice.text);
                vec![]
            }
            Action::AskSolver => self.ask_solver(),
            Action::Compare => self.compare(),
        }
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
        self.pick = None;
        self.playing = false;
        vec![Effect::ParseSoon]
    }

    /// Reads a program again with these sizes of types.
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
        if self.is_deadly() {
            return vec![Effect::SaveLink];
        }
        self.parse_job = self.next_job();
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
        (self.text, self.kind) = (text, kind);
        self.text_version += 1;
        self.example = example;
        self.property = property;
        self.model = None;
        self.dismiss_death();
        self.diagnostics = Rc::default();
        self.property_problem = None;
        self.forget_run();
        self.claimed.clear();
        effects.extend(self.parse());
        effects
    }

    fn forget_run(&mut self) {
        self.run = None;
        self.journal = JournalRef::default();
        self.told = Told::default();
        self.frame = Rc::default();
        self.pick = None;
        self.view.axes = None;
        self.playing = false;
        self.following = false;
        self.wanted = None;
    }

    /// The event that gave the interpolant at the cut that is looked at, and the cut.
    #[must_use]
    pub fn interpolation(&self) -> Option<(usize, u32)> {
        let journal = self.journal.get();
        let own =
            self.frame.cursor.checked_sub(1).and_then(|last| self.told(last)).and_then(|t| t.subjects.cut);
        let cut = chosen_cut(&self.frame.cex, &journal, self.view.cut, own)?;
        let events = &journal.events[..self.frame.cursor.min(journal.events.len())];
        let is_it =
            |e: &Event| matches!(e, Event::Cegar(cegar::Event::Interpolated { cut: at, .. }) if *at == cut);
        Some((events.iter().rposition(is_it)?, cut))
    }

    fn move_to(&mut self, cursor: usize) {
        if cursor != self.frame.cursor {
            let frame = self.frame.moved(&self.journal.get(), cursor);
            self.frame = Rc::new(frame);
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
            self.wanted = Some(Wanted::Index(1));
            return effects;
        }
        let cursor = target(&self.journal.get(), self.frame.cursor, way);
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
        self.playing = self.run.is_some();
        effects
    }

    fn tick(&mut self) -> Vec<Effect> {
        if !self.playing {
            return vec![];
        }
        let cursor = target(&self.journal.get(), self.frame.cursor, Move::Forward(self.view.grain));
        self.move_to(cursor);
        if cursor == self.journal.length() && !self.busy() {
            self.playing = false;
            return vec![Effect::SaveLink];
        }
        vec![]
    }

    fn picked(&mut self, pick: Option<Pick>) -> Vec<Effect> {
        self.pick = if self.pick == pick { None } else { pick };
        let span = self.pick.and_then(|pick| span_of(pick, self.shown_model()?));
        span.map(Effect::Reveal).into_iter().collect()
    }
}

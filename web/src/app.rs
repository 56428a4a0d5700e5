//! The page as a whole: holds the state, carries out its effects, and lays the panels out.

use std::rc::Rc;

use gloo_timers::callback::{Interval, Timeout};
use js_sys::Date;
use veristep_core::explain::PhaseMark;
use veristep_core::kit::{Phase, Role};
use veristep_core::link::{Broken, Link};
use veristep_core::run::{Kind, Options};
use web_sys::KeyboardEvent;
use yew::prelude::*;

use crate::client::{Client, Heard};
use crate::examples::{self, FIRST};
use crate::explained::{Explained, Subjects, plain};
use crate::files;
use crate::pace::{self, Pace};
use crate::protocol::FromEngine;
use crate::state::options::value as option_value;
use crate::state::{
    Action, EditorRequest, Effect, Engine, FrameRef, JournalRef, Notice, PhoneTab, Popover, Related, State,
    Status, Tone, View,
};
use crate::ui::canvas::Fit;
use crate::ui::splitter::Splitter;
use crate::ui::timeline::{self, SPEEDS};
use crate::ui::{
    Act, gallery, help, loop_strip, model_panel, notices, options, phone_tabs, role_name, share, store_theme,
    stored_theme, top_bar, view_panel, why_panel,
};
use crate::{browser, keys};

/// The pause in typing before the text is parsed, in milliseconds.
const PARSE_AFTER: u32 = 220;
/// The delay before the step is written to the address.
const SAVE_AFTER: u32 = 450;
/// For later steps, hashing all earlier events is too slow; the Share card still does it.
const SAVED_UP_TO: usize = 20_000;
/// The time limit for an explanation while a run works, after which the viewer is asked.
const ANSWER_WITHIN: u32 = 250;
/// The time limit for a stopped run to answer.
const STOP_WITHIN: u32 = 800;

/// What happens to the page.
pub enum Msg {
    /// An action was requested.
    Do(Action),
    /// A message of the engine.
    Heard(Heard),
    /// A message of the viewer.
    HeardViewer(Heard),
    /// A key was pressed.
    Key(KeyboardEvent),
    /// The address changed.
    Address,
    /// Write the address.
    Save,
    /// Draw what has changed.
    Draw,
    /// A stopped run has not answered.
    StillThere(u32),
}

/// Data derived from the step, cached until the step changes.
#[derive(Default)]
struct Derived {
    explanation: Option<Rc<Explained>>,
    subjects: Rc<Subjects>,
    marks: Rc<Vec<PhaseMark>>,
    rail: Html,
    marks_of: (u32, usize),
}

/// The page.
pub struct App {
    state: State,
    client: Client,
    /// Explains steps while the engine is in a long query.
    viewer: Option<Client>,
    derived: Derived,
    fit: u32,
    command: Option<EditorRequest>,
    late_timer: Option<Timeout>,
    parse_timer: Option<Timeout>,
    save_timer: Option<Timeout>,
    stop_timer: Option<Timeout>,
    play_timer: Option<(u32, Interval)>,
    saved: String,
    listeners: Vec<browser::Listener>,
    act: Act,
    pace: Pace,
}

impl Component for App {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<App>) -> App {
        let client = Client::start(ctx.link().callback(Msg::Heard));
        let mut state = State::new();
        state.view.theme = stored_theme();
        browser::set_theme(state.view.theme.name());
        let mut app = App {
            state,
            client,
            viewer: None,
            derived: Derived::default(),
            fit: 0,
            command: None,
            late_timer: None,
            parse_timer: None,
            save_timer: None,
            stop_timer: None,
            play_timer: None,
            saved: String::new(),
            listeners: Vec::new(),
            act: ctx.link().callback(Msg::Do),
            pace: Pace::default(),
        };
        app.listeners =
            browser::listen(ctx.link().callback(Msg::Key), ctx.link().callback(|()| Msg::Address));
        app.listeners.push(files::listen(&app.act));
        app.open_address(ctx);
        app.derive(ctx);
        app
    }

    fn update(&mut self, ctx: &Context<App>, message: Msg) -> bool {
        let cursor = self.state.frame.cursor;
        match message {
            Msg::Do(action) => self.act(ctx, action),
            Msg::Heard(heard) => {
                let grew = matches!(&heard, Heard::Message(message) if matches!(**message, FromEngine::Events { .. }));
                let ahead = matches!(&heard, Heard::Message(message) if self.state.is_ahead(message));
                self.heard(ctx, heard);
                if ahead {
                    self.derive(ctx);
                    return false;
                }
                if grew && self.is_early() {
                    self.draw_within(ctx, pace::LATEST);
                    return false;
                }
            }
            Msg::HeardViewer(heard) => self.heard_viewer(ctx, heard),
            Msg::Key(event) => self.key(ctx, &event),
            Msg::Address => {
                if browser::fragment() != self.saved {
                    self.open_address(ctx);
                }
            }
            Msg::Save => {
                self.save();
                return false;
            }
            Msg::Draw => {
                self.pace.due();
                if self.is_early() {
                    self.draw_within(ctx, pace::LATEST);
                    return false;
                }
            }
            Msg::StillThere(job) => {
                let stopping =
                    self.state.run.as_ref().is_some_and(|r| r.job == job && r.status == Status::Stopping);
                if stopping {
                    self.act(ctx, Action::EngineEnded);
                }
            }
        }
        let began = Date::now();
        self.state.catch_up();
        self.keep_playing(ctx);
        self.derive(ctx);
        if !self.state.is_viewed() {
            self.viewer = None;
        }
        let stepped = self.state.frame.cursor != cursor && !self.is_growing();
        if stepped && self.state.awaits_explanation() {
            self.draw_within(ctx, pace::TOGETHER);
            return false;
        }
        self.pace.starts(began);
        true
    }

    fn rendered(&mut self, _: &Context<App>, first: bool) {
        self.pace.rendered();
        browser::drawn(first, !matches!(self.state.engine, Engine::Starting));
    }

    fn view(&self, _: &Context<App>) -> Html {
        self.page()
    }
}

impl App {
    /// Is a run followed while it works?
    fn is_growing(&self) -> bool {
        self.state.following && self.state.busy()
    }

    /// Was a growing run drawn a moment ago?
    fn is_early(&self) -> bool {
        self.is_growing() && self.pace.is_early()
    }

    fn draw_within(&mut self, ctx: &Context<App>, time: u32) {
        let link = ctx.link().clone();
        self.pace.draw_within(time, move || link.send_message(Msg::Draw));
    }

    /// Opens the link in the address, or the first example.
    fn open_address(&mut self, ctx: &Context<App>) {
        let fragment = browser::fragment();
        self.saved.clone_from(&fragment);
        if fragment.len() > 1 {
            match Link::decode(&fragment) {
                Ok(opened) => {
                    let mut lost = opened.lost;
                    if !opened.intact && lost.is_empty() {
                        lost.push("a valid checksum");
                    }
                    return self.act(ctx, Action::Open(Box::new(opened.link), lost));
                }
                Err(broken) => self.say_broken(ctx, &broken),
            }
        }
        let (example, text) = (Some(FIRST.id.into()), FIRST.text.into());
        let (kind, property) = (Kind::Cfa, String::new());
        self.act(ctx, Action::Load { example, kind, text, property, options: vec![] });
    }

    fn say_broken(&mut self, ctx: &Context<App>, broken: &Broken) {
        let text = format!("{broken} The first example is shown instead.");
        self.act(ctx, Action::Say(Notice { tone: Tone::Warning, text }));
    }

    fn act(&mut self, ctx: &Context<App>, action: Action) {
        let (theme, projected) = (self.state.view.theme, self.state.view.projected);
        if self.state.document.changed && files::is_to_be_kept_before(&action) {
            files::keep_model(&mut self.state);
        }
        for effect in self.state.apply(action) {
            self.carry_out(ctx, effect);
        }
        if self.state.view.theme != theme {
            let name = self.state.view.theme.name();
            browser::set_theme(name);
            store_theme(self.state.view.theme);
        }
        if self.state.view.projected != projected {
            browser::set_projected(!projected);
        }
    }

    fn carry_out(&mut self, ctx: &Context<App>, effect: Effect) {
        let link = ctx.link().clone();
        match effect {
            Effect::Send(message) => self.client.send(&message),
            Effect::ExpectSoon(job, index) => {
                let late = move || link.send_message(Msg::Do(Action::Late(job, index)));
                self.late_timer = Some(Timeout::new(ANSWER_WITHIN, late));
            }
            Effect::View(message) => {
                let start = || Client::start(link.callback(Msg::HeardViewer));
                self.viewer.get_or_insert_with(start).send(&message);
            }
            Effect::ParseSoon => {
                self.parse_timer =
                    Some(Timeout::new(PARSE_AFTER, move || link.send_message(Msg::Do(Action::Parse))));
            }
            Effect::StopForCertain(job) => {
                self.stop_timer =
                    Some(Timeout::new(STOP_WITHIN, move || link.send_message(Msg::StillThere(job))));
            }
            Effect::Respawn => {
                self.client = Client::start(ctx.link().callback(Msg::Heard));
            }
            Effect::FocusProperty => browser::focus("#property"),
            Effect::Open(page, fragment) => browser::open(&format!("{page}{fragment}")),
            Effect::OpenFile => files::open(&self.act),
            Effect::SaveModel(file, name, text) => {
                files::save(file, &name, &text, (self.state.text_version, &self.act));
            }
            Effect::Offer(name, format, content) => {
                let failed = link.callback(|()| {
                    let text = "This browser cannot make a PNG of the picture; SVG may work.".to_owned();
                    Msg::Do(Action::Say(Notice { tone: Tone::Warning, text }))
                });
                browser::offer(&name, format.names(), &content, failed);
            }
            Effect::SaveLink => {
                if self.save_timer.is_none() {
                    self.save_timer = Some(Timeout::new(SAVE_AFTER, move || link.send_message(Msg::Save)));
                }
            }
            Effect::Command(command) => {
                let number = self.command.as_ref().map_or(1, |last| last.number + 1);
                self.command = Some(EditorRequest { number, command: Rc::new(command) });
            }
        }
    }

    fn heard(&mut self, ctx: &Context<App>, heard: Heard) {
        if matches!(heard, Heard::OnMainThread) {
            self.act(ctx, Action::OnMainThread);
        }
        match self.client.listen(heard) {
            Some(Ok(message)) => self.act(ctx, Action::Engine(Box::new(message))),
            Some(Err(why)) => {
                self.act(ctx, Action::Say(Notice { tone: Tone::Warning, text: why.clone() }));
                self.act(ctx, Action::EngineLost(why));
            }
            None => {}
        }
    }

    /// A viewer that fails is not started on the page's thread, which it would block.
    fn heard_viewer(&mut self, ctx: &Context<App>, heard: Heard) {
        let Some(viewer) = self.viewer.as_mut().filter(|_| matches!(heard, Heard::Message(_))) else {
            return self.act(ctx, Action::ViewerLost);
        };
        match viewer.listen(heard) {
            Some(Ok(message)) => self.act(ctx, Action::Viewer(Box::new(message))),
            Some(Err(_)) => self.act(ctx, Action::ViewerLost),
            None => {}
        }
    }

    fn key(&mut self, ctx: &Context<App>, event: &KeyboardEvent) {
        let Some(wish) = keys::wish(event) else { return };
        let view = self.state.view.clone();
        let popover = |popover: Option<Popover>| Action::View(View { popover, ..view.clone() });
        let action = match wish {
            keys::Wish::Do(action) => action,
            keys::Wish::Fit => {
                self.fit += 1;
                event.prevent_default();
                return;
            }
            keys::Wish::Project => {
                self.fit += 1;
                Action::View(View { projected: !view.projected, ..view })
            }
            keys::Wish::Help => {
                popover(if view.popover == Some(Popover::Help) { None } else { Some(Popover::Help) })
            }
            keys::Wish::Escape | keys::Wish::Leave if view.popover.is_some() => popover(None),
            // The field may clear itself, too.
            keys::Wish::Leave => return browser::leave(event),
            keys::Wish::Escape if self.state.busy() => Action::Stop,
            keys::Wish::Escape => Action::Pick(None),
        };
        event.prevent_default();
        self.act(ctx, action);
    }

    /// Starts or stops the clock of playing.
    fn keep_playing(&mut self, ctx: &Context<App>) {
        let speed = SPEEDS.get(self.state.view.speed).map_or(3, |(speed, _)| *speed);
        match (&self.play_timer, self.state.playing) {
            (Some((at, _)), true) if *at == speed => {}
            (_, true) => {
                let link = ctx.link().clone();
                let interval = Interval::new(1000 / speed, move || link.send_message(Msg::Do(Action::Tick)));
                self.play_timer = Some((speed, interval));
            }
            (_, false) => self.play_timer = None,
        }
    }

    fn save(&mut self) {
        self.save_timer = None;
        if self.state.document.changed {
            files::keep_model(&mut self.state);
        }
        if self.state.run.is_none() && self.state.text.as_ref() == FIRST.text {
            return;
        }
        if self.state.frame.cursor > SAVED_UP_TO {
            return;
        }
        let fragment = self.state.link(true).encode();
        if fragment.len() <= veristep_core::link::MAX_FRAGMENT && fragment != self.saved {
            browser::replace_fragment(&fragment);
            self.saved = fragment;
        }
    }

    /// Data of the panels derived from the state.
    fn derive(&mut self, ctx: &Context<App>) {
        let job = self.state.run.as_ref().map_or(0, |run| run.job);
        let length = self.state.journal.length();
        if self.derived.marks_of != (job, length) {
            self.derived.marks = self.state.journal.marks();
            self.derived.rail = timeline::rail(&self.derived.marks, length);
            self.derived.marks_of = (job, length);
        }
        for effect in self.state.ask_for_explanations() {
            self.carry_out(ctx, effect);
        }
        self.derived.explanation = self.state.explanation();
        let subjects = self.state.subjects();
        if *self.derived.subjects != subjects {
            self.derived.subjects = Rc::new(subjects);
        }
    }

    fn page(&self) -> Html {
        let state = &self.state;
        let phone = match state.view.phone {
            PhoneTab::Model => "model",
            PhoneTab::View => "view",
            PhoneTab::Why => "why",
        };
        let related = Rc::new(state.related());
        html! {
            <div class="app" data-phone={phone} data-following={self.is_growing().then_some("")}>
                { self.top() }
                { notices::notices(&notices::Props { notices: state.notices.clone(), failure: state.failure.clone(), stops_engine: state.stops_engine(), act: self.act.clone() }) }
                { phone_tabs::phone_tabs(&state.view, &self.act) }
                { self.panels(&related) }
                { self.deck() }
                { self.popover() }
                <p class="sr" role="status" data-testid="live">{ self.said() }</p>
            </div>
        }
    }

    /// Another model is placed anew.
    fn fit(&self) -> Fit {
        Fit { number: self.fit.wrapping_add(self.state.text_version), projected: self.state.view.projected }
    }

    fn runnable(&self) -> bool {
        self.state.diagnostics.is_empty() && self.state.model.is_some() && !self.state.stops_engine()
    }

    fn top(&self) -> Html {
        let state = &self.state;
        let status =
            state.run.as_ref().filter(|_| state.current() || state.busy()).map(|run| run.status.clone());
        html! {
            { top_bar::top_bar(&top_bar::Props { title: state.title().into(), model: state.model.clone(), property: state.property.clone().into(), problem: state.property_problem.as_deref().map(|text| text.to_owned().into()), kind: state.kind, method: method(state).into(), engine: state.engine.clone(), status, runnable: self.runnable(), view: state.view.clone(), act: self.act.clone() }) }
        }
    }

    fn panels(&self, related: &Rc<Related>) -> Html {
        let (state, derived) = (&self.state, &self.derived);
        // The start of an iteration counts as exploration.
        let phase = state.frame.last.as_ref().map(|event| {
            let phase = event.phase();
            let role = phase.map_or(Role::Abstract, Phase::role);
            (role_name(role), phase.map_or("Start", Phase::title))
        });
        let model = model_panel::Props {
            text: state.text.clone(),
            version: state.text_version,
            model: state.shown_model().cloned(),
            lesson: state.example.as_ref().and_then(|id| examples::lesson(&state.library.examples, id)),
            diagnostics: state.diagnostics.clone(),
            subjects: if state.current() { derived.subjects.clone() } else { Rc::default() },
            phase: phase.map(|(role, _)| role),
            frame: if state.same_model() { state.frame.clone() } else { FrameRef::default() },
            journal: if state.same_model() { state.journal.clone() } else { JournalRef::default() },
            game: state.game.clone(),
            simulation: state.simulates().then(|| state.simulation.clone()),
            related: related.clone(),
            command: self.command.clone(),
            editable: state.editable(),
            answers: state.writing.answers.clone(),
            view: state.view.clone(),
            fit: self.fit(),
            act: self.act.clone(),
        };
        let looked_at = state.interpolation();
        let view = view_panel::Props {
            run: state.run.clone(),
            current: state.current(),
            same_model: state.same_model(),
            journal: state.journal.clone(),
            frame: state.frame.clone(),
            subjects: derived.subjects.clone(),
            cut: looked_at.map(|(_, cut)| cut).or(state.view.cut).or(derived.subjects.cut),
            explained: looked_at.and_then(|(index, _)| state.explanation_of(index)),
            depicted: state.depicted(),
            phase: phase.map(|(role, _)| role),
            related: related.clone(),
            part: state.graph_part(),
            growing: self.is_growing(),
            view: state.view.clone(),
            is_net: state.model.as_ref().is_some_and(|model| model.net.is_some()),
            simulation: state.is_chart().then(|| state.simulation.clone()),
            played: state.played(),
            runnable: self.runnable(),
            no_property: state.no_property().map(|why| why.to_owned().into()),
            fit: self.fit(),
            act: self.act.clone(),
        };
        html! {
            <main class="panels">
                { model_panel::model_panel(&model) }
                <Splitter sets="--left" label="Width of the model panel" start=30.0 />
                { view_panel::view_panel(&view) }
                <Splitter sets="--right" label="Width of the explanation" start=24.0 />
                { self.why(related, phase) }
            </main>
        }
    }

    fn why(&self, related: &Rc<Related>, phase: Option<(&'static str, &'static str)>) -> Html {
        let (state, derived) = (&self.state, &self.derived);
        why_panel::why_panel(&why_panel::Props {
            explanation: derived.explanation.clone(),
            phase,
            related: related.clone(),
            picked: state.picked_name(),
            library: state.library.clone(),
            view: state.view.clone(),
            has_run: state.journal.length() > 0,
            act: self.act.clone(),
        })
    }

    fn deck(&self) -> Html {
        let (state, derived) = (&self.state, &self.derived);
        let (length, cursor) = (state.journal.length(), state.frame.cursor);
        let along = timeline::Props {
            marks: derived.marks.clone(),
            rail: derived.rail.clone(),
            length,
            cursor,
            said: self.said().into(),
            playing: state.playing,
            view: state.view.clone(),
            act: self.act.clone(),
        };
        html! {
            <footer class="deck" aria-label="Run">
                { loop_strip::loop_strip(&loop_strip::Props { frame: state.frame.clone(), graph: state.journal.get().has_graph(), refines: option_value(&state.library.options, &state.options, Options::ENGINE) == "cegar", marks: derived.marks.clone(), length, act: self.act.clone() }) }
                { timeline::timeline(&along) }
            </footer>
        }
    }

    /// The step in words, for screen readers.
    fn said(&self) -> String {
        let (cursor, length) = (self.state.frame.cursor, self.state.journal.length());
        if self.is_growing() {
            return format!("Running, {} events so far", length / 1000 * 1000);
        }
        match &self.derived.explanation {
            Some(e) => {
                format!("Step {cursor} of {length}: {}. {}", e.title, plain(&e.what))
            }
            None => format!("Before the first of {length} steps"),
        }
    }

    fn popover(&self) -> Html {
        let on_close = {
            let (act, view) = (self.act.clone(), self.state.view.clone());
            Callback::from(move |()| act.emit(Action::View(View { popover: None, ..view.clone() })))
        };
        let act = self.act.clone();
        match self.state.view.popover {
            None => Html::default(),
            Some(Popover::Gallery) => {
                let (current, view) = (self.state.example.clone(), self.state.view.clone());
                let library = self.state.library.clone();
                gallery::gallery(&gallery::Props { library, current, view, act, on_close })
            }
            Some(Popover::Options) => {
                let (fuel, options) = (self.state.fuel, self.state.options.clone());
                let known = self.state.library.options.clone();
                options::options(&options::Props { fuel, known, options, act, on_close })
            }
            Some(Popover::Help) => help::help(&help::Props { library: self.state.library.clone(), on_close }),
            Some(Popover::Share) => {
                let view = self.state.view.clone();
                let url = format!("{}{}", browser::address(), self.state.link(view.share_step).encode());
                let current = self.state.run.is_none() || self.state.current();
                share::share(&share::Props { url, current, view, act, on_close })
            }
        }
    }
}

/// The method that Run uses, and of abstraction refinement the domain.
fn method(state: &State) -> String {
    let value = |name| option_value(&state.library.options, &state.options, name);
    match value(Options::ENGINE) {
        "cegar" => value("domain").to_owned(),
        method => method.to_owned(),
    }
}

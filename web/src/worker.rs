//! The engine's side of the page: receives messages, works in slices, sends events as they occur.
//!
//! A slice takes about 20 ms; after it the worker yields a macrotask, so that Pause and Cancel are received. Within a
//! slice the fuel is portioned so that a portion takes a few milliseconds. New events are sent at least every 16 ms,
//! the first ones of a run at once. Portions depend on the clock, results do not: fuel schedules do not change a run.

use std::cell::RefCell;

use js_sys::{Function, Reflect, Uint8Array};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};

use veristep_core::draw::{self, Drawn, What};
use veristep_core::edit::automaton::Edit;
use veristep_core::edit::changed;
use veristep_core::kit::{Journal, apart};
use veristep_core::run::{self, Kind};
use veristep_core::scene::Scene;

use crate::explained::{Depicted, Explained, Subjects};
use crate::protocol::{FileFormat, FromEngine, Library, PORT, PROTOCOL, Picture, ToEngine, pack, unpack};

mod adapter;
mod chart;
mod explaining;
mod formula;
mod gallery;
mod job;
mod options;
mod question;
#[cfg(test)]
mod tests;

use job::{Progress, Record, Work};
use question::Questions;

/// How long one slice takes, in milliseconds.
const SLICE: f64 = 20.0;
/// New events are sent at least this often.
const BATCH: f64 = 16.0;

/// Replaces a picture of a run that another one followed.
const GONE: &str = "This run is not kept any more.";

/// The receiver of messages.
#[derive(Clone)]
enum Line {
    Worker(DedicatedWorkerGlobalScope),
    Port(MessagePort),
}

impl Line {
    fn send(&self, message: &FromEngine) {
        let bytes = Uint8Array::from(pack(message).as_slice());
        let result = match self {
            Line::Worker(scope) => scope.post_message(&bytes),
            Line::Port(port) => port.post_message(&bytes),
        };
        result.expect("bytes can be sent");
    }

    fn listen(&self, on_message: &Function) {
        match self {
            Line::Worker(scope) => scope.set_onmessage(Some(on_message)),
            Line::Port(port) => port.set_onmessage(Some(on_message)),
        }
    }
}

struct Server {
    line: Line,
    work: Option<Work>,
    /// The finished run that is shown.
    record: Option<Record>,
    /// The next slice comes by a message to itself: timers wait 4 ms.
    tick: MessagePort,
    ticking: bool,
    questions: Questions,
}

thread_local! {
    static SERVER: RefCell<Option<Server>> = const { RefCell::new(None) };
}

/// Starts the engine's program, in a worker or beside the page.
///
/// # Panics
/// When it is started anywhere else.
pub fn start() {
    let global = js_sys::global();
    let port = Reflect::get(&global, &PORT.into()).ok().and_then(|port| port.dyn_into::<MessagePort>().ok());
    let line = port.map_or_else(|| Line::Worker(global.unchecked_into()), Line::Port);
    report_panics(line.clone());
    let listen = Closure::<dyn Fn(MessageEvent)>::new(|event: MessageEvent| {
        let bytes = event.data().dyn_into::<Uint8Array>().map(|bytes| bytes.to_vec()).unwrap_or_default();
        if let Some(message) = unpack::<ToEngine>(&bytes) {
            with(|server| server.handle(message));
        }
    });
    line.listen(listen.as_ref().unchecked_ref());
    listen.forget();
    line.send(&FromEngine::Ready {
        protocol: PROTOCOL,
        build: env!("CARGO_PKG_VERSION").to_owned(),
        library: Library {
            words: explaining::words(),
            examples: gallery::examples(),
            options: options::options(),
        },
    });
    let tick = ticks(|| {
        with(|server| {
            server.ticking = false;
            server.slice();
        });
    });
    SERVER.with_borrow_mut(|server| {
        *server = Some(Server {
            line,
            work: None,
            record: None,
            tick,
            ticking: false,
            questions: Questions::default(),
        })
    });
}

/// A port; each message to it calls a function.
fn ticks(call: impl Fn() + 'static) -> MessagePort {
    let channel = MessageChannel::new().expect("every browser has channels");
    let listen = Closure::<dyn Fn(MessageEvent)>::new(move |_| call());
    channel.port1().set_onmessage(Some(listen.as_ref().unchecked_ref()));
    listen.forget();
    channel.port2()
}

fn with(change: impl FnOnce(&mut Server)) {
    SERVER.with_borrow_mut(|server| {
        if let Some(server) = server {
            change(server);
        }
    });
}

/// A panic ends this instance; it is reported first.
fn report_panics(line: Line) {
    std::panic::set_hook(Box::new(move |info| {
        line.send(&FromEngine::Panicked { message: info.to_string() });
        console_error_panic_hook::hook(info);
    }));
}

impl Server {
    fn handle(&mut self, message: ToEngine) {
        match message {
            ToEngine::Parse { job, kind, text, property } => self.parse(job, (kind, &text), &property),
            ToEngine::Start { job, kind, text, property, options, budget } => {
                match Work::new(job, (kind, &text), &property, &options, budget) {
                    Ok(work) => {
                        self.line.send(&FromEngine::Started { job, names: work.names() });
                        self.work = Some(work);
                        self.tick_soon();
                    }
                    Err(message) => self.line.send(&FromEngine::Refused { job, message }),
                }
            }
            ToEngine::Pause { job } => self.with_work(job, Work::pause),
            ToEngine::Continue { job, budget } => {
                self.with_work(job, |work| work.run_on(budget));
                self.tick_soon();
            }
            ToEngine::Cancel { job } => {
                self.retire();
                self.line.send(&FromEngine::Cancelled { job });
            }
            ToEngine::Explain { job, index, what } => {
                if let Some(explained) = self.explain(job, index, what) {
                    self.line.send(&FromEngine::Explained { job, explained });
                }
            }
            ToEngine::Edit { job, kind, text, property, edits } => {
                // The new text is parsed while the page shows it.
                if let Some(text) = apart(|| self.edit(job, kind, &text, &edits)) {
                    self.parse(job, (kind, &text), &property);
                }
            }
            ToEngine::Save { model, picture, format } => {
                let (name, content) = apart(|| self.save(&model, picture, format));
                self.line.send(&FromEngine::Saved { name, format, content });
            }
            ToEngine::Restore { job, of, names, parts } => {
                self.record = apart(|| Record::restored(job, *of, names, &parts));
            }
            ToEngine::Grown { job, parts } => {
                if let Some(record) = self.record.as_mut().filter(|record| record.job() == job)
                    && !record.grow(&parts)
                {
                    self.record = None;
                }
            }
            ToEngine::Solver(bytes) => {
                if let Some(ask) = unpack(&bytes) {
                    let line = self.line.clone();
                    apart(|| {
                        self.questions.answer(ask, &mut |told| line.send(&FromEngine::Solver(pack(&told))))
                    });
                }
            }
            ToEngine::Formula(bytes) => {
                if let Some(ask) = unpack(&bytes) {
                    self.line.send(&FromEngine::Formula(pack(&apart(|| formula::answer(&ask)))));
                }
            }
            ToEngine::Chart(bytes) => self.chart(&bytes),
            ToEngine::Certify { job, kind, text, property, certificate } => {
                let result = apart(|| adapter::certify(kind, &text, &property, &certificate));
                self.line.send(&FromEngine::Certified { job, result });
            }
        }
    }

    /// Answers a packed request about a chart.
    fn chart(&self, bytes: &[u8]) {
        if let Some(request) = unpack(bytes) {
            self.line.send(&FromEngine::Chart(pack(&apart(|| chart::answer(&request)))));
        }
    }

    /// Parses a model while it is edited.
    fn parse(&self, job: u32, (kind, text): (Kind, &str), property: &str) {
        let (model, diagnostics, property) = match adapter::parse(kind, text, property) {
            Ok((model, wrong)) => (Some(model), vec![], wrong),
            Err(diagnostics) => (None, diagnostics, None),
        };
        self.line.send(&FromEngine::Parsed { job, model, diagnostics, property });
    }

    /// Writes packed edits of a drawing into the text of a model, and gives the new text.
    fn edit(&self, job: u32, kind: Kind, text: &str, edits: &[u8]) -> Option<String> {
        let edits = unpack::<Vec<Edit>>(edits)?;
        let written = run::edit(kind, text, &edits);
        self.line.send(&FromEngine::Edited { job, written: pack(&written) });
        written.ok()?.iter().try_fold(text.to_owned(), |text, changes| changed(&text, changes))
    }

    /// The journal of a run.
    fn journal(&self, job: u32) -> Option<&Journal> {
        let work = self.work.as_ref().filter(|work| work.job() == job).map(Work::journal);
        work.or_else(|| self.record.as_ref().filter(|record| record.job() == job).map(Record::journal))
    }

    /// A picture of a step that has these subjects.
    ///
    /// # Errors
    /// Why there is none.
    fn draw(&mut self, job: u32, index: u32, subjects: &Subjects, what: What) -> Result<Drawn, String> {
        let (journal, pictures) = match (&mut self.work, &mut self.record) {
            (Some(work), _) if work.job() == job => work.shown(),
            (_, Some(record)) if record.job() == job => record.shown()?,
            _ => return Err(GONE.to_owned()),
        };
        Ok(pictures.scene(journal, index as usize, subjects, what))
    }

    /// A picture as a file: its name, and its content.
    fn save(
        &mut self,
        model: &str,
        picture: Picture,
        format: FileFormat,
    ) -> (String, Result<String, String>) {
        match picture {
            Picture::Model { kind, text, property } => {
                let system = adapter::load(kind, &text, &property);
                let write = |system| written(&draw::of_model(&system), model, format);
                (model.to_owned(), system.map(|(system, _)| write(system)))
            }
            Picture::Step { job, index, what } => {
                let name = format!("{model}-{}-{}", what.name(), index + 1);
                let Some(journal) = self.journal(job) else { return (name, Err(GONE.to_owned())) };
                let subjects = explaining::tell(journal, index).subjects;
                let scene = self.draw(job, index, &subjects, what).map(|drawn| drawn.scene);
                (name, scene.map(|scene| written(&scene, &titled(model, index, &scene), format)))
            }
            Picture::Shown(scene) => (model.to_owned(), Ok(written(&scene, &scene.title(), format))),
            Picture::Graph { job, index, part } => {
                let name = format!("{model}-graph-{}", index + 1);
                let Some(journal) = self.journal(job) else { return (name, Err(GONE.to_owned())) };
                let subjects = explaining::tell(journal, index).subjects;
                let scene = draw::graph_at((journal, index as usize), &subjects, part);
                (name, Ok(written(&scene, &titled(model, index, &scene), format)))
            }
        }
    }

    fn explain(&mut self, job: u32, index: u32, what: Option<What>) -> Option<Explained> {
        let mut explained = explaining::tell(self.journal(job)?, index);
        if let Some(what) = what {
            let drawn = self.draw(job, index, &explained.subjects, what);
            let drawn = drawn.unwrap_or_else(|why| Scene::sentence(&why).into());
            explained.depicted = Depicted { what: Some(what), drawn };
        }
        Some(explained)
    }

    /// The run is finished; its journal is kept for explanations.
    fn retire(&mut self) {
        if let Some(work) = self.work.take() {
            self.record = Some(work.into_record());
        }
    }

    fn with_work(&mut self, job: u32, change: impl FnOnce(&mut Work)) {
        if let Some(work) = self.work.as_mut().filter(|work| work.job() == job) {
            change(work);
        }
    }

    fn tick_soon(&mut self) {
        if self.ticking {
            return;
        }
        self.ticking = true;
        let _ = self.tick.post_message(&JsValue::NULL);
    }

    fn slice(&mut self) {
        let Some(work) = self.work.as_mut() else { return };
        let (began, mut sent) = (now(), now());
        loop {
            let progress = work.portion(now);
            let over = !matches!(progress, Progress::More) || now() - began >= SLICE;
            if over || work.is_new() || now() - sent >= BATCH {
                while let Some(delta) = work.news() {
                    let delta = pack(&delta);
                    self.line.send(&FromEngine::Events { job: work.job(), delta });
                }
                sent = now();
            }
            match progress {
                Progress::More if over => break self.tick_soon(),
                Progress::More => {}
                Progress::Stopped(why) => {
                    let message = FromEngine::Paused { job: work.job(), why, used: work.used() };
                    break self.line.send(&message);
                }
                Progress::Done(outcome) => {
                    let message = FromEngine::Done { job: work.job(), outcome };
                    self.line.send(&message);
                    break self.retire();
                }
            }
        }
    }
}

/// The title of a picture of a step.
fn titled(model: &str, index: u32, scene: &Scene) -> String {
    format!("{model}, step {}: {}", index + 1, scene.title())
}

/// A scene as a file; the page makes PNG of SVG.
fn written(scene: &Scene, title: &str, format: FileFormat) -> String {
    match format {
        FileFormat::Svg | FileFormat::Png => scene.sheet_with_legend().to_svg(title),
        FileFormat::Dot => scene.sheet().to_dot(title),
        FileFormat::Tikz => scene.sheet_with_legend().to_tikz(title),
    }
}

#[wasm_bindgen]
extern "C" {
    /// Milliseconds since the worker began.
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

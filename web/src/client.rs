//! The page's connection to the engine: starts the worker, queues messages until it is ready.
//!
//! When no worker can be started, the same program runs on the page's own thread, over a message channel. A worker
//! that does not respond is ended with [`Client::terminate`]; the page then starts another.

use js_sys::{Function, Reflect, Uint8Array};
use veristep_core::scene::Scene;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{
    Event, HtmlMetaElement, MessageChannel, MessageEvent, MessagePort, Url, Worker, WorkerOptions, WorkerType,
};
use yew::Callback;

use crate::browser;
use crate::protocol::{FileFormat, FromEngine, PORT, PROTOCOL, Picture, ToEngine, pack, unpack};

/// The message of an engine with another [`PROTOCOL`].
const OTHER_VERSION: &str = "The page and its engine are of different versions; reloading should help.";

/// An event of the connection.
#[derive(Debug)]
pub enum Heard {
    /// A message of the engine.
    Message(Box<FromEngine>),
    /// The engine now runs on the page's thread.
    OnMainThread,
    /// The worker failed; `started` if it had sent a message.
    Failed(String),
}

enum Line {
    Worker(Worker),
    Port(MessagePort),
}

/// A connection to an engine.
pub struct Client {
    line: Option<Line>,
    ready: bool,
    queue: Vec<Vec<u8>>,
    heard: Callback<Heard>,
    listeners: Vec<Closure<dyn Fn(Event)>>,
}

#[wasm_bindgen]
extern "C" {
    /// Imports the engine's program into the page itself.
    #[wasm_bindgen(js_namespace = veristep, js_name = engine, catch)]
    fn import_engine() -> Result<js_sys::Promise, JsValue>;
}

fn engine_url() -> Option<String> {
    let meta = browser::document().query_selector("meta[name=engine]").ok()??;
    let name = meta.dyn_into::<HtmlMetaElement>().ok()?.content();
    let base = browser::document().base_uri().ok()??;
    Some(Url::new_with_base(&name, &base).ok()?.href())
}

fn spawn_worker() -> Result<Worker, JsValue> {
    let url = engine_url().ok_or("the page has no engine URL")?;
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    Worker::new_with_options(&url, &options)
}

impl Client {
    /// Starts an engine; its messages are passed to `heard`.
    #[must_use]
    pub fn start(heard: Callback<Heard>) -> Client {
        let mut client = Client { line: None, ready: false, queue: Vec::new(), heard, listeners: Vec::new() };
        match spawn_worker() {
            Ok(worker) => client.use_worker(worker),
            Err(_) => client.use_main_thread(),
        }
        client
    }

    fn listener(&mut self, listen: impl Fn(Event) + 'static) -> Function {
        let closure = Closure::<dyn Fn(Event)>::new(listen);
        let function = closure.as_ref().unchecked_ref::<Function>().clone();
        self.listeners.push(closure);
        function
    }

    fn on_message(&mut self) -> Function {
        let heard = self.heard.clone();
        self.listener(move |event: Event| {
            let data = event.unchecked_into::<MessageEvent>().data();
            let bytes = data.dyn_into::<Uint8Array>().map(|bytes| bytes.to_vec()).unwrap_or_default();
            match unpack(&bytes) {
                Some(message) => heard.emit(Heard::Message(Box::new(message))),
                None => heard.emit(Heard::Failed("the engine sent an unreadable message".to_owned())),
            }
        })
    }

    fn use_worker(&mut self, worker: Worker) {
        let on_message = self.on_message();
        worker.set_onmessage(Some(&on_message));
        let heard = self.heard.clone();
        let on_error = self.listener(move |event: Event| {
            let message = Reflect::get(&event, &"message".into()).ok().and_then(|m| m.as_string());
            event.prevent_default();
            heard.emit(Heard::Failed(message.unwrap_or_else(|| "its file could not be loaded".to_owned())));
        });
        worker.set_onerror(Some(&on_error));
        self.line = Some(Line::Worker(worker));
    }

    /// Runs the engine on this thread.
    pub fn use_main_thread(&mut self) {
        let started = || -> Result<(MessagePort, js_sys::Promise), JsValue> {
            let channel = MessageChannel::new()?;
            Reflect::set(&js_sys::global(), &PORT.into(), &channel.port2())?;
            Ok((channel.port1(), import_engine()?))
        };
        self.ready = false;
        match started() {
            Ok((port, import)) => {
                let on_message = self.on_message();
                port.set_onmessage(Some(&on_message));
                self.line = Some(Line::Port(port));
                self.heard.emit(Heard::OnMainThread);
                let heard = self.heard.clone();
                wasm_bindgen_futures::spawn_local(async move {
                    if wasm_bindgen_futures::JsFuture::from(import).await.is_err() {
                        heard.emit(Heard::Failed("the engine's program could not be loaded".to_owned()));
                    }
                });
            }
            Err(_) => self.heard.emit(Heard::Failed("this browser lacks workers and channels".to_owned())),
        }
    }

    /// The engine's message, or why it cannot be used. A worker that cannot be started is replaced by an engine on
    /// this thread; one that ended without a message, as after a stack overflow, is reported like a panic.
    pub fn listen(&mut self, heard: Heard) -> Option<Result<FromEngine, String>> {
        match heard {
            Heard::Message(message) => match *message {
                FromEngine::Ready { protocol, .. } if protocol != PROTOCOL => {
                    Some(Err(OTHER_VERSION.to_owned()))
                }
                FromEngine::Ready { .. } => {
                    self.opened();
                    Some(Ok(*message))
                }
                _ => Some(Ok(*message)),
            },
            Heard::OnMainThread => None,
            Heard::Failed(_) if !self.is_ready() && self.is_worker() => {
                self.use_main_thread();
                None
            }
            Heard::Failed(message) if self.is_worker() => Some(Ok(FromEngine::Panicked { message })),
            Heard::Failed(why) => {
                Some(Err(format!("The engine cannot be used: {why}. Reloading the page may help.")))
            }
        }
    }

    /// Has the engine sent a message?
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.ready
    }

    /// Whether it is a worker.
    #[must_use]
    pub fn is_worker(&self) -> bool {
        matches!(self.line, Some(Line::Worker(_)))
    }

    /// The engine is ready: queued messages are sent.
    fn opened(&mut self) {
        self.ready = true;
        for bytes in std::mem::take(&mut self.queue) {
            self.post(&bytes);
        }
    }

    /// Sends a message, now or as soon as the engine is there.
    pub fn send(&mut self, message: &ToEngine) {
        let bytes = pack(message);
        if self.ready { self.post(&bytes) } else { self.queue.push(bytes) }
    }

    /// Requests a scene as a file of this name.
    pub fn save(&mut self, name: &str, scene: Scene, format: FileFormat) {
        let picture = Picture::Shown(scene);
        self.send(&ToEngine::Save { model: name.to_owned(), picture, format });
    }

    fn post(&self, bytes: &[u8]) {
        let bytes = Uint8Array::from(bytes);
        let result = match &self.line {
            Some(Line::Worker(worker)) => worker.post_message(&bytes),
            Some(Line::Port(port)) => port.post_message(&bytes),
            None => Ok(()),
        };
        if result.is_err() {
            self.heard.emit(Heard::Failed("a message could not be sent".to_owned()));
        }
    }

    /// Terminates the worker.
    pub fn terminate(&mut self) {
        match self.line.take() {
            Some(Line::Worker(worker)) => {
                // After a panic its error event is still pending, and is ignored.
                worker.set_onmessage(None);
                worker.set_onerror(None);
                worker.terminate();
            }
            Some(Line::Port(port)) => port.close(),
            None => {}
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.terminate();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Library;

    #[test]
    fn an_engine_of_another_protocol_is_refused() {
        let heard = Callback::noop();
        let mut client = Client { line: None, ready: false, queue: Vec::new(), heard, listeners: Vec::new() };
        let ready = |protocol| {
            let message = FromEngine::Ready { protocol, build: String::new(), library: Library::default() };
            Heard::Message(Box::new(message))
        };
        assert_eq!(client.listen(ready(PROTOCOL + 1)), Some(Err(OTHER_VERSION.to_owned())));
        assert!(!client.is_ready());
        assert!(client.listen(ready(PROTOCOL)).is_some_and(|message| message.is_ok()) && client.is_ready());
    }
}

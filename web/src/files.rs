//! Models as files, and those that the browser keeps on this machine. The functions of `static/files` are loaded when
//! they are needed for the first time.

use std::rc::Rc;

use js_sys::Array;
use veristep_core::link::Link;
use veristep_core::run::Kind;
use wasm_bindgen::prelude::*;
use web_sys::{CustomEvent, Event};
use yew::Callback;

use crate::browser::{self, Listener};
use crate::state::{Action, Document, Notice, State, Tone};

#[wasm_bindgen]
extern "C" {
    /// Calls a function of `static/files`, then `done` with its result or with the reason why it failed.
    #[wasm_bindgen(js_namespace = veristep, js_name = files)]
    fn call(work: &str, args: &Array, done: &JsValue);

    /// A file that was chosen.
    type PickedFile;
    #[wasm_bindgen(method, getter)]
    fn name(this: &PickedFile) -> String;
    #[wasm_bindgen(method, getter)]
    fn text(this: &PickedFile) -> String;
    #[wasm_bindgen(method, getter)]
    fn file(this: &PickedFile) -> u32;

    /// A model that is kept.
    type Entry;
    #[wasm_bindgen(method, getter)]
    fn id(this: &Entry) -> String;
    #[wasm_bindgen(method, getter, js_name = name)]
    fn entry_name(this: &Entry) -> String;
    #[wasm_bindgen(method, getter)]
    fn time(this: &Entry) -> f64;
    #[wasm_bindgen(method, getter)]
    fn content(this: &Entry) -> String;
}

/// A model that the browser keeps on this machine.
#[derive(Clone, PartialEq, Debug)]
pub struct Kept {
    /// Its number.
    pub id: Rc<str>,
    /// Its name.
    pub name: String,
    /// When it was kept, in milliseconds since 1970.
    pub time: f64,
    /// The model as a link.
    pub content: Rc<str>,
}

/// The time in milliseconds since 1970.
#[must_use]
pub fn now() -> f64 {
    js_sys::Date::now()
}

/// Another number for a model.
#[must_use]
pub fn new_id() -> Rc<str> {
    let random = u64::from((js_sys::Math::random() * f64::from(u32::MAX)) as u32);
    format!("{}-{random}", now() as u64).into()
}

/// Calls a function; what it gives, or the reason why it failed.
fn with(work: &str, args: &[JsValue], done: impl FnOnce(Result<JsValue, String>) + 'static) {
    let done = move |result: JsValue, why: JsValue| {
        done(why.as_string().map_or(Ok(result), Err));
    };
    call(work, &args.iter().collect(), &Closure::once_into_js(done));
}

/// Says why something failed, or goes on with what was chosen, if something was.
fn picked(act: &Callback<Action>, result: Result<JsValue, String>) -> Option<PickedFile> {
    match result {
        Ok(chosen) if chosen.is_undefined() => None,
        Ok(chosen) => Some(chosen.unchecked_into()),
        Err(text) => {
            act.emit(Action::Say(Notice { tone: Tone::Warning, text }));
            None
        }
    }
}

/// Loads a file as the model, if one was chosen.
#[inline(never)]
fn load(act: &Callback<Action>, result: Result<JsValue, String>) {
    let Some(chosen) = picked(act, result) else { return };
    let (name, text) = (chosen.name(), chosen.text());
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
    let kind = Kind::of_link(&ending, &text);
    let (property, options) = (String::new(), Vec::new());
    act.emit(Action::Load { example: None, kind, text: text.into(), property, options });
    act.emit(Action::Document(Document { file: Some((name.into(), chosen.file())), ..Document::default() }));
}

/// Opens a file that a person chooses.
#[inline(never)]
pub fn open(act: &Callback<Action>) {
    let act = act.clone();
    with("open", &[], move |result| load(&act, result));
}

/// Saves the model: into the file with this number, or into one that a person chooses.
#[inline(never)]
pub fn save(file: u32, name: &str, text: &str, (version, act): (u32, &Callback<Action>)) {
    let act = act.clone();
    with("save", &[file.into(), name.into(), text.into()], move |result| {
        if let Some(saved) = picked(&act, result) {
            act.emit(Action::Saved(version, saved.name().into(), saved.file()));
        }
    });
}

/// Opens files that are dropped on the page.
#[must_use]
pub fn listen(act: &Callback<Action>) -> Listener {
    let act = act.clone();
    let listener = Listener::new(move |event: Event| dropped(&act, &event));
    let hears = listener.as_ref().unchecked_ref();
    let _ = browser::window().add_event_listener_with_callback("veristep-drop", hears);
    listener
}

#[inline(never)]
fn dropped(act: &Callback<Action>, event: &Event) {
    let (act, event) = (act.clone(), event.unchecked_ref::<CustomEvent>());
    with("dropped", &[event.detail()], move |result| load(&act, result));
}

/// Does an action replace the model, or show the kept models?
#[inline(never)]
#[must_use]
pub fn is_to_be_kept_before(action: &Action) -> bool {
    matches!(action, Action::Load { .. } | Action::Open(..) | Action::View(_))
}

/// Keeps the model on this machine, unless it is empty.
#[inline(never)]
pub fn keep_model(state: &mut State) {
    if !state.text.trim().is_empty() {
        let (name, content) = (state.file_name(), state.link(false).encode().into());
        let kept = state.document.kept.take();
        let id = kept.map_or_else(new_id, |(id, _)| id);
        state.document.kept = Some((id.clone(), name.as_str().into()));
        state.document.changed = false;
        keep(&Kept { id, name, time: now(), content });
    }
}

/// Keeps a model on this machine. Where that is not allowed, the list of kept models says so.
pub fn keep(kept: &Kept) {
    let args = [(&*kept.id).into(), kept.name.as_str().into(), (&*kept.content).into(), kept.time.into()];
    with("keep", &args, |_| ());
}

/// Forgets a model that is kept.
pub fn forget(id: &str) {
    with("forget", &[id.into()], |_| ());
}

/// Calls back with the kept models, newest first; with `None` if nothing can be kept here.
pub fn list(done: impl FnOnce(Option<Vec<Kept>>) + 'static) {
    let entry = |entry: JsValue| {
        let entry: Entry = entry.unchecked_into();
        let (id, content) = (entry.id().into(), entry.content().into());
        Kept { id, name: entry.entry_name(), time: entry.time(), content }
    };
    with("kept", &[], move |result| {
        done(result.ok().map(|all| all.unchecked_into::<Array>().iter().map(entry).collect()));
    });
}

/// Opens a kept model.
pub fn open_kept(kept: &Kept, act: &Callback<Action>) {
    match Link::unpack(&kept.content) {
        Ok(opened) if opened.intact => {
            act.emit(Action::Open(Box::new(opened.link), Vec::new()));
            let own = Some((kept.id.clone(), kept.name.as_str().into()));
            act.emit(Action::Document(Document { kept: own, ..Document::default() }));
        }
        _ => {
            let text = "This model cannot be read any more.".to_owned();
            act.emit(Action::Say(Notice { tone: Tone::Warning, text }));
        }
    }
}

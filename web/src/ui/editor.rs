//! The text of the model: CodeMirror, loaded when the page is idle, over a plain text area that is shown at once.

use std::rc::Rc;

use js_sys::{Array, Object, Promise, Reflect};
use veristep_core::diagnostic::{Diagnostic, Severity, Span};
use veristep_core::edit::{Change, changed};
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlTextAreaElement};
use yew::prelude::*;

use crate::browser;
use crate::state::{EditorCommand, EditorRequest, Undo};
use crate::text;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = veristep, js_name = editor, catch)]
    fn load_editor() -> Result<Promise, JsValue>;

    type EditorModule;
    #[wasm_bindgen(method, catch)]
    fn mount(this: &EditorModule, host: &Element, options: &JsValue) -> Result<Handle, JsValue>;

    /// A mounted editor.
    #[derive(Clone)]
    type Handle;
    #[wasm_bindgen(method, js_name = setDoc)]
    fn set_doc(this: &Handle, text: &str);
    #[wasm_bindgen(method, js_name = setDiagnostics)]
    fn set_diagnostics(this: &Handle, list: &Array);
    #[wasm_bindgen(method, catch)]
    fn change(this: &Handle, lists: &Array) -> Result<(), JsValue>;
    #[wasm_bindgen(method)]
    fn undo(this: &Handle);
    #[wasm_bindgen(method)]
    fn redo(this: &Handle);
    #[wasm_bindgen(method)]
    fn select(this: &Handle, from: u32, to: u32);
    #[wasm_bindgen(method)]
    fn reveal(this: &Handle, from: u32, to: u32);
    #[wasm_bindgen(method)]
    fn highlight(this: &Handle, ranges: &Array);
    #[wasm_bindgen(method, js_name = onCursor)]
    fn on_cursor(this: &Handle, callback: &JsValue);
    #[wasm_bindgen(method)]
    fn destroy(this: &Handle);
}

/// The class of the text of the step; it is scrolled into view.
pub const NOW: &str = "vs-now";

/// A decorated place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// Where.
    pub span: Span,
    /// Its class.
    pub class: &'static str,
}

/// The props.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What it is, for screen readers.
    #[prop_or("Model text")]
    pub label: &'static str,
    /// The language, as `static/editor` names it.
    #[prop_or("cfa")]
    pub language: &'static str,
    /// The text.
    pub text: Rc<str>,
    /// Changes when the text was replaced from outside.
    pub version: u32,
    /// Its errors.
    pub diagnostics: Rc<Vec<Diagnostic>>,
    /// Decorated places.
    pub marks: Vec<Mark>,
    /// What to do next.
    pub command: Option<EditorRequest>,
    /// The user typed.
    pub on_change: Callback<Rc<str>>,
    /// The user moved the cursor to this byte.
    pub on_cursor: Callback<u32>,
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object.into()
}

fn range(text: &str, span: Span, more: &[(&str, JsValue)]) -> JsValue {
    let mut fields = vec![
        ("from", JsValue::from(text::utf16(text, span.start))),
        ("to", JsValue::from(text::utf16(text, span.end))),
    ];
    fields.extend(more.iter().map(|(name, value)| (*name, value.clone())));
    object(&fields)
}

/// Mounts CodeMirror into `host`.
async fn mount(
    host: Element,
    names: (&'static str, &'static str),
    text: Rc<str>,
    change: JsValue,
) -> Result<Handle, JsValue> {
    let module = wasm_bindgen_futures::JsFuture::from(load_editor()?).await?;
    let options = object(&[
        ("doc", JsValue::from_str(&text)),
        ("ariaLabel", names.0.into()),
        ("language", names.1.into()),
        ("onChange", change),
    ]);
    module.unchecked_into::<EditorModule>().mount(&host, &options)
}

/// Makes the current version of a callback callable from JavaScript.
#[hook]
fn use_latest<T: Clone + 'static>(value: &T) -> Rc<std::cell::RefCell<T>> {
    let latest = use_mut_ref(|| value.clone());
    latest.replace(value.clone());
    latest
}

/// The text, and the callbacks for edits and cursor.
type Latest = Rc<std::cell::RefCell<(Rc<str>, Callback<Rc<str>>, Callback<u32>)>>;

/// Loads and mounts CodeMirror once, unless the address contains `?plain`.
#[hook]
fn use_mounted(
    host: &NodeRef,
    names: (&'static str, &'static str),
    handle: &UseStateHandle<Option<Handle>>,
    latest: &Latest,
) {
    let (host, handle, latest) = (host.clone(), handle.clone(), latest.clone());
    use_effect_with((), move |()| {
        let Some(element) = host.cast::<Element>().filter(|_| !browser::has_query("plain")) else {
            return;
        };
        wasm_bindgen_futures::spawn_local(async move {
            let changed = latest.clone();
            let on_change =
                Closure::<dyn Fn(String)>::new(move |text: String| changed.borrow().1.emit(text.into()));
            let text = latest.borrow().0.clone();
            let Ok(mounted) = mount(element, names, text, on_change.into_js_value()).await else { return };
            let on_cursor = Closure::<dyn Fn(u32)>::new(move |offset: u32| {
                let (text, _, heard) = latest.borrow().clone();
                heard.emit(text::from_utf16(&text, offset));
            });
            mounted.on_cursor(&on_cursor.into_js_value());
            handle.set(Some(mounted));
        });
    });
}

/// Marks places of the text, and brings that of the step into view.
fn highlight(handle: &Handle, text: &str, marks: &[Mark]) {
    let one = |mark: &Mark| range(text, mark.span, &[("cls", mark.class.into())]);
    handle.highlight(&marks.iter().map(one).collect());
    if let Some(now) = marks.iter().find(|mark| mark.class == NOW) {
        handle.reveal(text::utf16(text, now.span.start), text::utf16(text, now.span.end));
    }
}

/// Carries out an command in CodeMirror.
#[inline(never)]
fn carry_out(handle: &Handle, text: &str, command: &EditorCommand) {
    match command {
        EditorCommand::Reveal(span) => {
            handle.select(text::utf16(text, span.start), text::utf16(text, span.end))
        }
        EditorCommand::Undo(Undo::Back) => handle.undo(),
        EditorCommand::Undo(Undo::Again) => handle.redo(),
        EditorCommand::Change(lists) => {
            let mut current = text.to_owned();
            let converted = Array::new();
            for list in lists.iter() {
                let one = |change: &Change| {
                    range(&current, change.span, &[("insert", change.text.as_str().into())])
                };
                converted.push(&list.iter().map(one).collect::<Array>());
                current = changed(&current, list).unwrap_or(current);
            }
            // Changes that do not fit the text of the editor change nothing.
            let _ = handle.change(&converted);
        }
    }
}

/// Carries out an command in the text area, whose history is the browser's.
#[inline(never)]
fn carry_out_plainly(area: NodeRef, text: &str, command: &EditorCommand, on_change: &Callback<Rc<str>>) {
    match command {
        EditorCommand::Reveal(span) => {
            if let Some(area) = area.cast::<HtmlTextAreaElement>() {
                let _ = area.set_selection_range(text::utf16(text, span.start), text::utf16(text, span.end));
            }
        }
        EditorCommand::Undo(_) => {}
        EditorCommand::Change(lists) => {
            let new = lists.iter().try_fold(text.to_owned(), |text, list| changed(&text, list));
            new.iter().for_each(|new| on_change.emit(new.as_str().into()));
        }
    }
}

/// The editor. With `?plain` in the address it stays a text area.
#[component]
pub fn Editor(props: &Props) -> Html {
    let host = use_node_ref();
    let area = use_node_ref();
    let handle = use_state(|| None::<Handle>);
    let latest = use_latest(&(props.text.clone(), props.on_change.clone(), props.on_cursor.clone()));
    use_mounted(&host, (props.label, props.language), &handle, &latest);
    let ready = handle.is_some();
    {
        let (handle, text) = (handle.clone(), props.text.clone());
        use_effect_with((props.version, ready), move |_| {
            if let Some(handle) = &*handle {
                handle.set_doc(&text);
            }
        });
    }
    {
        let (handle, text) = (handle.clone(), props.text.clone());
        use_effect_with((props.diagnostics.clone(), ready), move |(diagnostics, _)| {
            let one = |d: &Diagnostic| {
                let severity = if d.severity == Severity::Warning { "warning" } else { "error" };
                range(
                    &text,
                    visible(&text, d.span),
                    &[("severity", severity.into()), ("message", d.message.as_str().into())],
                )
            };
            if let Some(handle) = &*handle {
                handle.set_diagnostics(&diagnostics.iter().map(one).collect());
            }
        });
    }
    {
        // After the frame: the editor reads its selection, so before it the page would be laid out twice.
        let (handle, text, newest) = (handle.clone(), props.text.clone(), use_mut_ref(|| 0_u32));
        use_effect_with((props.marks.clone(), ready), move |(marks, _)| {
            let (marks, number) = (marks.clone(), newest.borrow().wrapping_add(1));
            *newest.borrow_mut() = number;
            browser::after_frame(move || match &*handle {
                Some(handle) if *newest.borrow() == number => highlight(handle, &text, &marks),
                _ => {}
            });
        });
    }
    {
        let (handle, text, area) = (handle.clone(), props.text.clone(), area.clone());
        let on_change = props.on_change.clone();
        use_effect_with(props.command.clone(), move |next| match (next, &*handle) {
            (None, _) => {}
            (Some(next), Some(handle)) => carry_out(handle, &text, &next.command),
            (Some(next), None) => carry_out_plainly(area, &text, &next.command, &on_change),
        });
    }
    let oninput = {
        let on_change = props.on_change.clone();
        Callback::from(move |event: InputEvent| on_change.emit(browser::value_of(&event).into()))
    };
    html! {
        <div class="text-half" data-testid="editor">
            <div class="editor-host" ref={host} hidden={!ready}></div>
            if !ready {
                <textarea class="plain-editor" ref={area} aria-label={props.label} spellcheck="false" value={props.text.to_string()} {oninput} />
            }
        </div>
    }
}

/// An empty span has nothing to underline: the character at it, or before the end.
fn visible(source: &str, span: Span) -> Span {
    if span.end > span.start {
        return span;
    }
    let end = u32::try_from(source.len()).unwrap_or(u32::MAX);
    if span.start < end {
        Span { start: span.start, end: span.start + 1 }
    } else {
        Span { start: end.saturating_sub(1), end }
    }
}

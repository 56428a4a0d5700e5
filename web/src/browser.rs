//! Browser functions, each of which may fail: storage, clipboard, files, the address bar.

use gloo_timers::callback::Timeout;
use js_sys::{Array, Promise};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{
    Blob, BlobPropertyBag, ClipboardEvent, Document, Element, HtmlAnchorElement, HtmlElement,
    HtmlInputElement, HtmlTextAreaElement, ScrollIntoViewOptions, ScrollLogicalPosition, Url, Window,
};
use yew::prelude::*;

/// The window.
///
/// # Panics
/// Outside of a page.
#[must_use]
pub fn window() -> Window {
    web_sys::window().expect("a page has a window")
}

/// The document.
///
/// # Panics
/// Outside of a page.
#[must_use]
pub fn document() -> Document {
    window().document().expect("a window has a document")
}

/// The value stored under a name; none if storage throws, as in an iframe of another origin.
#[must_use]
pub fn stored(name: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(&format!("veristep.{name}")).ok()?
}

/// Stores a value if the browser permits it.
pub fn store(name: &str, value: &str) {
    if let Ok(Some(storage)) = window().local_storage() {
        let _ = storage.set_item(&format!("veristep.{name}"), value);
    }
}

/// Sets the colours: `light`, `dark`, or anything else for those of the system.
pub fn set_theme(name: &str) {
    set_root("data-theme", name);
}

/// Sets the size of texts: for a projector, or as usual.
pub fn set_projected(projected: bool) {
    set_root("data-size", if projected { "projected" } else { "usual" });
}

/// Elements that use keys themselves.
pub const TYPING: &str =
    "input:not([type=range]), textarea, select, [contenteditable=true], .cm-editor, .clock input";

/// Is the page in the size for a projector?
#[must_use]
pub fn is_projected() -> bool {
    let root = document().document_element();
    root.is_some_and(|root| root.get_attribute("data-size").as_deref() == Some("projected"))
}

/// Changes between the usual size and that for a projector if the key is P, outside of fields; `false` for other keys.
pub fn project(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    let types = target.is_some_and(|element| element.closest(TYPING).ok().flatten().is_some());
    let is_key =
        !types && !event.ctrl_key() && !event.meta_key() && matches!(event.key().as_str(), "p" | "P");
    if is_key {
        set_projected(!is_projected());
    }
    is_key
}

/// Sets an attribute of the root element, which the style sheet reads.
fn set_root(attribute: &str, value: &str) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute(attribute, value);
    }
}

/// The content of an input or text area.
#[must_use]
pub fn value_of(event: &InputEvent) -> String {
    if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
        return input.value();
    }
    event.target_dyn_into::<HtmlTextAreaElement>().map(|area| area.value()).unwrap_or_default()
}

/// What is done with the clipboard.
pub enum Clipboard {
    /// Something is copied to it.
    Copy,
    /// Something is copied to it and removed.
    Cut,
    /// This text is pasted.
    Paste(String),
}

/// Listens to copying, cutting and pasting while the focus is in a drawing that is edited, and not in a field; the
/// callback returns the text for the clipboard. The result ends it.
pub fn on_clipboard(heard: Callback<Clipboard, Option<String>>) -> impl FnOnce() {
    const TYPES: [&str; 3] = ["copy", "cut", "paste"];
    let listener = Listener::new(move |event: Event| {
        let focused = document().active_element();
        let is_drawing = |it: &Element| {
            it.closest(".edited").ok().flatten().is_some() && it.closest(TYPING).ok().flatten().is_none()
        };
        let event: &ClipboardEvent = event.unchecked_ref();
        let Some(data) = event.clipboard_data().filter(|_| focused.as_ref().is_some_and(is_drawing)) else {
            return;
        };
        let clipboard = match event.type_().as_str() {
            "copy" => Clipboard::Copy,
            "cut" => Clipboard::Cut,
            _ => Clipboard::Paste(data.get_data("text/plain").unwrap_or_default()),
        };
        let pastes = matches!(clipboard, Clipboard::Paste(_));
        let text = heard.emit(clipboard);
        text.iter().for_each(|text| drop(data.set_data("text/plain", text)));
        if pastes || text.is_some() {
            event.prevent_default();
        }
    });
    let document = document();
    for name in TYPES {
        let _ = document.add_event_listener_with_callback(name, listener.as_ref().unchecked_ref());
    }
    move || {
        for name in TYPES {
            let _ = document.remove_event_listener_with_callback(name, listener.as_ref().unchecked_ref());
        }
    }
}

/// Puts a text into the clipboard; reports success.
pub fn copy(text: &str, done: Callback<bool>) {
    let clipboard = window().navigator().clipboard();
    if clipboard.is_undefined() {
        done.emit(false);
        return;
    }
    let promise = clipboard.write_text(text);
    wasm_bindgen_futures::spawn_local(async move {
        done.emit(wasm_bindgen_futures::JsFuture::from(promise).await.is_ok());
    });
}

/// Offers a text as a file.
pub fn download(name: &str, kind: &str, text: &str) {
    let offer = || -> Result<(), wasm_bindgen::JsValue> {
        let bag = BlobPropertyBag::new();
        bag.set_type(kind);
        let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&text.into()), &bag)?;
        let url = Url::create_object_url_with_blob(&blob)?;
        let anchor: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
        anchor.set_href(&url);
        anchor.set_download(name);
        anchor.click();
        Url::revoke_object_url(&url)
    };
    let _ = offer();
}

/// Scrolls as little as it takes to show an element.
pub fn bring_into_view(element: &Element) {
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&options);
}

#[wasm_bindgen]
extern "C" {
    /// Offers a picture in SVG as a file in PNG; resolves to whether that worked.
    #[wasm_bindgen(js_namespace = veristep, js_name = offerPng)]
    fn offer_png(name: &str, svg: &str) -> Promise;
}

/// Offers a picture as a file: its name without the ending, the names of its format, and its content.
pub fn offer(name: &str, (_, ending, kind): (&str, &str, &str), content: &str, failed: Callback<()>) {
    let name = format!("{name}.{ending}");
    if ending != "png" {
        return download(&name, kind, content);
    }
    let promise = offer_png(&name, content);
    wasm_bindgen_futures::spawn_local(async move {
        let offered = wasm_bindgen_futures::JsFuture::from(promise).await;
        if !offered.is_ok_and(|offered| offered.is_truthy()) {
            failed.emit(());
        }
    });
}

/// Offers a picture that the engine wrote, or returns why there is none.
#[must_use]
pub fn offer_saved(
    name: &str,
    format: (&str, &str, &str),
    content: Result<String, String>,
) -> Option<String> {
    match content {
        Ok(content) => {
            offer(name, format, &content, Callback::noop());
            None
        }
        Err(why) => Some(format!("The picture cannot be saved: {why}")),
    }
}

/// The fragment of the address, `#` included.
#[must_use]
pub fn fragment() -> String {
    window().location().hash().unwrap_or_default()
}

/// The address without its fragment.
#[must_use]
pub fn address() -> String {
    let href = window().location().href().unwrap_or_default();
    href.split('#').next().unwrap_or_default().to_owned()
}

/// Replaces the fragment without adding to the history.
pub fn replace_fragment(fragment: &str) {
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(fragment));
    }
}

/// An event listener, registered until it is dropped.
pub type Listener = Closure<dyn Fn(Event)>;

/// Listens to keys and changes of the address.
#[must_use]
pub fn listen(on_key: Callback<KeyboardEvent>, on_address: Callback<()>) -> Vec<Listener> {
    let keys = Listener::new(move |event: Event| {
        if let Ok(event) = event.dyn_into::<KeyboardEvent>() {
            on_key.emit(event);
        }
    });
    let address = Listener::new(move |_| on_address.emit(()));
    let _ = document().add_event_listener_with_callback("keydown", keys.as_ref().unchecked_ref());
    let _ = window().add_event_listener_with_callback("hashchange", address.as_ref().unchecked_ref());
    vec![keys, address]
}

/// The page was drawn: the loading text is removed, and `data-ready` is set once the page is ready.
pub fn drawn(first: bool, ready: bool) {
    if first && let Some(boot) = document().query_selector(".vs-boot").ok().flatten() {
        boot.remove();
    }
    if ready && let Some(body) = document().body() {
        let _ = body.set_attribute("data-ready", "true");
    }
}

/// Calls a function after the next frame was painted.
pub fn after_frame(then: impl FnOnce() + 'static) {
    let painted = Closure::once_into_js(move || Timeout::new(0, then).forget());
    let _ = window().request_animation_frame(painted.unchecked_ref());
}

/// Focuses the element of a selector.
pub fn focus(selector: &str) {
    document().query_selector(selector).ok().flatten().iter().for_each(focus_on);
}

/// Focuses an element.
pub fn focus_on(element: &Element) {
    // Elements of drawings have the method, too.
    let _ = element.unchecked_ref::<HtmlElement>().focus();
}

/// Takes the focus from the target of an event.
pub fn leave(event: &KeyboardEvent) {
    if let Some(field) = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok()) {
        let _ = field.blur();
    }
}

/// Opens a page in another tab.
pub fn open(address: &str) {
    let _ = window().open_with_url_and_target(address, "_blank");
}

/// A parameter of the query.
#[must_use]
pub fn has_query(name: &str) -> bool {
    let search = window().location().search().unwrap_or_default();
    search.trim_start_matches('?').split('&').any(|part| part.split('=').next() == Some(name))
}

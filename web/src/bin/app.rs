//! The page's program: for now one line that waits for the engine's greeting.
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Url, Worker, WorkerOptions, WorkerType};
use yew::prelude::*;

#[component]
fn App() -> Html {
    let greeting = use_state(|| String::from("starting the engine"));
    {
        let greeting = greeting.clone();
        use_effect_with((), move |()| {
            let worker = start_engine(move |text| greeting.set(text));
            move || worker.terminate()
        });
    }
    html! { <main><h1>{ "Veristep" }</h1><p>{ (*greeting).clone() }</p></main> }
}

fn start_engine(on_text: impl Fn(String) + 'static) -> Worker {
    let document = the_document();
    let meta = document
        .query_selector("meta[name=engine]")
        .ok()
        .flatten()
        .and_then(|meta| meta.get_attribute("content"))
        .expect("the page names its engine");
    let base = document.base_uri().ok().flatten().expect("a base address");
    let url = Url::new_with_base(&meta, &base).expect("a valid address").href();
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let worker = Worker::new_with_options(&url, &options).expect("a worker");
    let listen = Closure::<dyn Fn(MessageEvent)>::new(move |message: MessageEvent| {
        on_text(message.data().as_string().unwrap_or_default());
        if let Some(body) = the_document().body() {
            body.set_attribute("data-ready", "true").expect("an attribute can be set");
        }
    });
    worker.set_onmessage(Some(listen.as_ref().unchecked_ref()));
    listen.forget();
    worker
}

fn the_document() -> web_sys::Document {
    web_sys::window().and_then(|window| window.document()).expect("a page")
}

fn main() {
    console_error_panic_hook::set_once();
    yew::Renderer::<App>::new().render();
}

//! The page of temporal formulas: a formula is translated to an automaton, which reads a word letter by letter.

pub mod protocol;
mod word_view;

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use veristep_core::link::Link;
use veristep_core::scene::{Body, Scene, Text};
use veristep_core::text::count;
use yew::prelude::*;

use crate::client::{Client, Heard};
use crate::formula::protocol::{Compared, Job, Letters, Request, Response, Shown, TIME, Trouble};
use crate::protocol::{FileFormat, FromEngine, ToEngine, pack, unpack};
use crate::state::Theme;
use crate::ui::icon::icon;
use crate::ui::scene;
use crate::{browser, ui};

/// The kind of text, in links.
const KIND: &str = "ltl";
/// Example formulas, after Dwyer, Avrunin and Corbett ("Patterns in Property Specifications", 1999) and textbooks.
const EXAMPLES: [(&str, &str); 8] = [
    ("response", "G (request -> F answer)"),
    ("precedence", "!answer W request"),
    ("infinitely often", "G F green"),
    ("eventually always", "F G stable"),
    ("strong fairness", "G F enabled -> G F taken"),
    ("until", "red U green"),
    ("next", "G (coin -> X coffee)"),
    ("between", "G ((open & !close & F close) -> (safe U close))"),
];

/// What happens to the page.
pub enum Msg {
    /// A message of the engine.
    Heard(Heard),
    /// The formula was edited.
    Formula(String),
    /// The other formula was edited.
    Other(String),
    /// Show the automaton of the negation, or not.
    Negated,
    /// Show acceptance on transitions, or not.
    Generalized,
    /// Another word.
    Word(Letters),
    /// Set the number of letters read.
    Time(usize),
    /// The text of the automaton in this format, or none.
    Format(Option<usize>),
    /// A link was requested.
    Share,
    /// A text is to be put into the clipboard.
    Copy(String),
    /// A link is in the clipboard, or could not be put there.
    Copied(bool),
    /// Save the automaton as a file.
    Save(FileFormat),
    /// The next colour theme.
    Theme,
    /// The address changed.
    Address,
    /// A key was pressed.
    Key(KeyboardEvent),
    /// The time limit of a request expired.
    Late(Job),
}

/// The time limit of an answer, in milliseconds.
const LIMIT: u32 = 8_000;

/// The page.
pub struct FormulaPage {
    client: Client,
    lost: Option<String>,
    notice: Option<String>,
    ask: Request,
    shown: Option<Rc<Shown>>,
    trouble: Option<Trouble>,
    /// The number of different automata so far.
    fit: u32,
    format: Option<usize>,
    ready: bool,
    theme: Theme,
    copied: bool,
    saved: String,
    heard: Callback<Heard>,
    late: Callback<Job>,
    /// Set while an answer is pending.
    waiting: Option<Timeout>,
    _listeners: Vec<browser::Listener>,
}

impl Component for FormulaPage {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<FormulaPage>) -> FormulaPage {
        let theme = ui::stored_theme();
        browser::set_theme(theme.name());
        let heard = ctx.link().callback(Msg::Heard);
        let mut page = FormulaPage {
            client: Client::start(heard.clone()),
            lost: None,
            notice: None,
            ask: Request::default(),
            shown: None,
            trouble: None,
            fit: 0,
            format: None,
            ready: false,
            theme,
            copied: false,
            saved: String::new(),
            heard,
            late: ctx.link().callback(Msg::Late),
            waiting: None,
            _listeners: browser::listen(
                ctx.link().callback(Msg::Key),
                ctx.link().callback(|()| Msg::Address),
            ),
        };
        page.open_address();
        page
    }

    fn update(&mut self, ctx: &Context<FormulaPage>, message: Msg) -> bool {
        self.copied &= matches!(message, Msg::Heard(_) | Msg::Copied(_));
        match message {
            Msg::Heard(heard) => self.heard(heard),
            Msg::Formula(text) => {
                self.ask.formula = text;
                self.ask.time = 0;
                self.fit += 1;
                self.send();
            }
            Msg::Other(text) => {
                self.ask.other = text;
                self.send();
            }
            Msg::Negated => {
                self.ask.negated = !self.ask.negated;
                self.fit += 1;
                self.send();
            }
            Msg::Generalized => {
                self.ask.generalized = !self.ask.generalized;
                self.format = None;
                self.fit += 1;
                self.send();
            }
            Msg::Word(word) => {
                if let Some(shown) = &self.shown {
                    self.ask.word = Some((shown.atoms.clone(), word));
                    self.send();
                }
            }
            Msg::Time(time) => {
                self.ask.time = u32::try_from(time).unwrap_or(TIME).min(TIME);
                self.send();
            }
            Msg::Format(format) => self.format = format,
            Msg::Share => {
                self.save();
                browser::copy(
                    &format!("{}{}", browser::address(), self.saved),
                    ctx.link().callback(Msg::Copied),
                );
            }
            Msg::Copy(text) => browser::copy(&text, Callback::noop()),
            Msg::Copied(copied) => self.copied = copied,
            Msg::Save(format) => {
                if let Some(picture) = self.shown.as_ref().and_then(|shown| shown.picture.clone()) {
                    let scene = Scene::of(&self.ask.formula, Text::default(), Body::Drawing(picture));
                    self.client.save("automaton", scene, format);
                }
            }
            Msg::Theme => {
                self.theme = self.theme.next();
                ui::store_theme(self.theme);
                browser::set_theme(self.theme.name());
            }
            Msg::Address => {
                if browser::fragment() != self.saved {
                    self.open_address();
                }
            }
            Msg::Key(event) => return self.key(ctx, &event),
            Msg::Late(job) => self.give_up(job),
        }
        true
    }

    fn rendered(&mut self, _: &Context<FormulaPage>, first: bool) {
        browser::drawn(first, self.shown.is_some() || self.lost.is_some() || self.trouble.is_some());
    }

    fn view(&self, ctx: &Context<FormulaPage>) -> Html {
        let act = ctx.link().callback(|message: Msg| message);
        html! {
            <div class="app formula">
                { self.top(&act) }
                if let Some(text) = self.notice.as_ref().or(self.lost.as_ref()) {
                    <p class="notice" role="status">{ icon("info") }{ text }</p>
                }
                <main class={classes!("halves", self.waiting.is_some().then_some("waiting"))}>
                    <section class="panel" aria-label="Formula"><div class="scroll">{ self.question(&act) }</div></section>
                    <section class={classes!("panel", self.trouble.is_some().then_some("stale"))} aria-label="Automaton">{ self.answer(&act) }</section>
                </main>
            </div>
        }
    }
}

impl FormulaPage {
    /// Opens the link in the address, or the first example.
    fn open_address(&mut self) {
        let fragment = browser::fragment();
        self.saved.clone_from(&fragment);
        self.notice = None;
        let mut ask = Request { job: self.ask.job, formula: EXAMPLES[0].1.to_owned(), ..Request::default() };
        // A request that is answered two letters later, forever.
        ask.word = Some((
            ["request", "answer"].map(str::to_owned).to_vec(),
            Letters::read("00|10.00.01").unwrap_or_default(),
        ));
        if fragment.len() > 1 {
            match Link::decode(&fragment) {
                Ok(opened) if opened.link.kind == KIND => {
                    let link = opened.link;
                    let of = |name: &str| link.view.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
                    let atoms = of("atoms").map(|a| a.split('\n').map(str::to_owned).collect::<Vec<_>>());
                    ask.word = atoms.zip(of("word").and_then(|w| Letters::read(&w)));
                    ask.time = of("time").and_then(|t| t.parse().ok()).unwrap_or(0).min(TIME);
                    ask.negated = of("negated").is_some();
                    ask.generalized = of("generalized").is_some();
                    (ask.formula, ask.other) = (link.text, link.property);
                    if !opened.intact {
                        self.notice =
                            Some("This link was cut off or changed; it may be incomplete.".to_owned());
                    }
                }
                Ok(_) => self.notice = Some("This link contains no formula.".to_owned()),
                Err(broken) => self.notice = Some(format!("{broken} An example is shown instead.")),
            }
        }
        self.ask = ask;
        self.send();
    }

    /// Puts everything into the address.
    fn save(&mut self) {
        let mut view = vec![("time".to_owned(), self.ask.time.to_string())];
        if let Some((atoms, word)) = &self.ask.word {
            view.push(("atoms".to_owned(), atoms.join("\n")));
            view.push(("word".to_owned(), word.text()));
        }
        for (name, is) in [("negated", self.ask.negated), ("generalized", self.ask.generalized)] {
            if is {
                view.push((name.to_owned(), String::new()));
            }
        }
        let link = Link {
            kind: KIND.to_owned(),
            text: self.ask.formula.clone(),
            property: self.ask.other.clone(),
            view,
            ..Link::default()
        };
        self.saved = link.encode();
        browser::replace_fragment(&self.saved);
    }

    fn send(&mut self) {
        self.ask.job += 1;
        self.client.send(&ToEngine::Formula(pack(&self.ask)));
        self.wait();
    }

    /// Starts the time limit of an answer once the engine is ready.
    fn wait(&mut self) {
        let (late, job) = (self.late.clone(), self.ask.job);
        self.waiting = self.ready.then(|| Timeout::new(LIMIT, move || late.emit(job)));
    }

    /// Replaces an engine that does not answer.
    fn give_up(&mut self, job: Job) {
        if job == self.ask.job {
            self.restart();
            let message = "time limit exceeded; the command 'veristep ltl' has the option --timeout";
            self.trouble = Some(Trouble { message: message.to_owned(), ..Trouble::default() });
        }
    }

    fn restart(&mut self) {
        self.client.terminate();
        self.client = Client::start(self.heard.clone());
        (self.ready, self.waiting) = (false, None);
    }

    fn heard(&mut self, heard: Heard) {
        match self.client.listen(heard) {
            Some(Ok(message)) => self.heard_message(message),
            Some(Err(why)) => self.lost = Some(why),
            None => {}
        }
    }

    fn heard_message(&mut self, message: FromEngine) {
        match message {
            FromEngine::Ready { .. } => {
                self.ready = true;
                self.wait();
            }
            FromEngine::Formula(bytes) => match unpack::<Response>(&bytes) {
                Some(response) if response.job == self.ask.job => self.receive(response),
                _ => {}
            },
            FromEngine::Saved { name, format, content } => {
                self.notice = browser::offer_saved(&name, format.names(), content);
            }
            FromEngine::Panicked { message } => {
                self.restart();
                self.notice = Some(format!(
                    "The engine stopped and was restarted. This is a defect of Veristep: {message}"
                ));
            }
            _ => {}
        }
    }

    fn receive(&mut self, response: Response) {
        self.waiting = None;
        match response.result {
            Ok(shown) => {
                self.ask.word = Some((shown.atoms.clone(), shown.word.clone()));
                self.shown = Some(Rc::from(shown));
                self.trouble = None;
                // The first answer belongs to the address.
                let untouched = response.job == 1;
                if !untouched {
                    self.save();
                }
            }
            Err(trouble) => self.trouble = Some(trouble),
        }
    }

    /// Arrow keys move along the word.
    fn key(&mut self, ctx: &Context<FormulaPage>, event: &KeyboardEvent) -> bool {
        use wasm_bindgen::JsCast;
        let typing = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
        let typing = typing.is_some_and(|e| matches!(e.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT"));
        if typing || event.ctrl_key() || event.meta_key() || event.alt_key() {
            return false;
        }
        if browser::project(event) {
            return true;
        }
        let time = self.ask.time as usize;
        let to = match event.key().as_str() {
            "ArrowRight" => time + 1,
            "ArrowLeft" => time.saturating_sub(1),
            "Home" => 0,
            _ => return false,
        };
        event.prevent_default();
        ctx.link().send_message(Msg::Time(to));
        false
    }

    fn top(&self, act: &Callback<Msg>) -> Html {
        let (sign, label) = self.theme.sign();
        html! {
            <header class="top">
                <a class="brand" href="./" title="To the verifier"><img src="icons/icon.svg" alt="" width="26" height="26" /><span>{ "Veristep" }</span></a>
                <h1 class="title">{ "Temporal formulas" }</h1>
                <span class="grow"></span>
                <button class="btn" onclick={act.reform(|_: MouseEvent| Msg::Share)} title="Copies a link that contains the formula and the word" data-testid="share">
                    { icon(if self.copied { "check" } else { "share" }) }<span class="words">{ if self.copied { "Copied" } else { "Share" } }</span></button>
                <button class="btn quiet icon-only" aria-label={label} title={label} onclick={act.reform(|_: MouseEvent| Msg::Theme)}>{ icon(sign) }</button>
            </header>
        }
    }

    /// The formula, its properties, and a second one to compare it with.
    fn question(&self, act: &Callback<Msg>) -> Html {
        let input = |make: fn(String) -> Msg| act.reform(move |e: InputEvent| make(browser::value_of(&e)));
        let example = |(title, text): &(&'static str, &'static str)| {
            let text = (*text).to_owned();
            let title_text = text.clone();
            let onclick = act.reform(move |_: MouseEvent| Msg::Formula(text.clone()));
            html! { <button class="btn small" {onclick} title={title_text}>{ *title }</button> }
        };
        let compared =
            self.shown.as_ref().filter(|_| self.trouble.is_none()).and_then(|s| s.compared.as_ref());
        let wrong = compared.and_then(|compared| compared.as_ref().err());
        html! {
            <div class="asks">
                <label class="big">{ "Formula" }
                    <input class="field mono" spellcheck="false" autocomplete="off" value={self.ask.formula.clone()} oninput={input(Msg::Formula)}
                        aria-invalid={self.trouble.is_some().to_string()} data-testid="formula" /></label>
                { self.trouble.as_ref().map(|t| complaint(t, &self.ask.formula)).unwrap_or_default() }
                <div class="row examples" aria-label="Examples">{ for EXAMPLES.iter().map(example) }</div>
                <p class="muted">{ "G always, F eventually, X next, U until, R release, W weak until, M strong release; " }<code>{ "! & | -> <->" }</code>{ "; an atom is a name, a comparison, or any text in quotation marks." }</p>
                if let Some(shown) = &self.shown {
                    <table class={classes!("data", "facts", self.trouble.is_some().then_some("stale"))} data-testid="facts"><tbody>
                        { for shown.facts.iter().map(|(what, how)| html! { <tr><th>{ what }</th><td>{ how }</td></tr> }) }
                    </tbody></table>
                }
                <label class="big">{ "Compare with" }
                    <input class="field mono" spellcheck="false" autocomplete="off" placeholder="another formula" value={self.ask.other.clone()} oninput={input(Msg::Other)}
                        aria-invalid={wrong.is_some().to_string()} data-testid="other" /></label>
                { wrong.map(|t| complaint(t, &self.ask.other)).unwrap_or_default() }
                { compared.and_then(|compared| compared.as_ref().ok()).map(|c| how_compared(c, act)).unwrap_or_default() }
                { self.texts(act) }
            </div>
        }
    }

    fn texts(&self, act: &Callback<Msg>) -> Html {
        let Some(shown) = &self.shown else { return Html::default() };
        let button = |(i, (name, _)): (usize, &(String, String))| {
            let next = (self.format != Some(i)).then_some(i);
            let onclick = act.reform(move |_: MouseEvent| Msg::Format(next));
            html! { <button class="btn small" aria-pressed={(self.format == Some(i)).to_string()} {onclick}>{ name }</button> }
        };
        let text = self.format.and_then(|i| shown.texts.get(i)).map(|(_, text)| text.clone());
        html! {
            <>
                <div class="row">{ "The automaton as " }{ for shown.texts.iter().enumerate().map(button) }</div>
                if let Some(text) = text {
                    <pre class="export" tabindex="0" data-testid="export">{ &text }</pre>
                    <button class="btn small" onclick={act.reform(move |_: MouseEvent| Msg::Copy(text.clone()))}>{ icon("copy") }{ "Copy" }</button>
                }
            </>
        }
    }

    /// The automaton, to be moved and zoomed.
    fn picture(&self, shown: &Shown, act: &Callback<Msg>) -> Html {
        let Some(picture) = shown.picture.clone() else {
            return html! { <div class="empty"><p>{ "The automaton has too many states to be drawn; its text is complete." }</p></div> };
        };
        let fit = scene::Fit { number: self.fit, projected: browser::is_projected() };
        let save = Some(act.reform(Msg::Save));
        let shown = scene::Shown { fit, save, ..scene::Shown::alone() };
        let size =
            format!("{}, {}.", count(picture.nodes.len(), "state"), count(picture.edges.len(), "edge"));
        let about = scene::above("", &Text::plain(&size));
        scene::picture("Automaton", about, &picture, "drawn".to_owned(), &shown)
    }

    /// The automaton above, the word below.
    fn answer(&self, act: &Callback<Msg>) -> Html {
        let Some(shown) = &self.shown else {
            return html! { <div class="empty"><p>{ "The automaton appears here." }</p></div> };
        };
        let toggle = |label: &'static str, on: bool, title: &'static str, make: fn() -> Msg| {
            let onclick = act.reform(move |_: MouseEvent| make());
            html! { <button class="btn small" aria-pressed={on.to_string()} {title} {onclick}>{ label }</button> }
        };
        html! {
            <>
                <header>
                    <h2>{ if self.ask.negated { "Automaton of the negation" } else { "Automaton" } }</h2>
                    <span class="grow"></span>
                    { toggle("negation", self.ask.negated, "The automaton that a verifier uses: it accepts the words that violate the formula", || Msg::Negated) }
                    { toggle("generalized", self.ask.generalized, "Acceptance sets on transitions, before degeneralization", || Msg::Generalized) }
                </header>
                <div class="drawn" data-testid="automaton">{ self.picture(shown, act) }</div>
                if self.ask.generalized {
                    <p class="acceptance muted">{ "A run is accepting if it takes transitions with each of the marks ①, ②, … infinitely often." }</p>
                }
                { word_view::word_view(shown, self.ask.time as usize, self.ask.negated, act) }
            </>
        }
    }
}

/// The implications between the formulas, and a word that separates them.
fn how_compared(compared: &Compared, act: &Callback<Msg>) -> Html {
    let same = compared.word.is_none();
    let load = compared.word.clone().map(|word| {
        let onclick = act.reform(move |_: MouseEvent| Msg::Word(word.clone()));
        html! { <button class="btn small" {onclick} data-testid="tell-apart">{ "Show the word" }</button> }
    });
    html! {
        <p class={classes!("chip", if same { "holds" } else { "violated" })} role="status" data-testid="compared">
            { icon(if same { "check" } else { "cross" }) }<span>{ &compared.text }</span>{ load.unwrap_or_default() }</p>
    }
}

/// An error, below its position.
fn complaint(trouble: &Trouble, text: &str) -> Html {
    let at = (trouble.from as usize).min(text.len());
    let column = text.get(..at).map_or(0, |before| before.chars().count());
    let place = if trouble.to > 0 { format!("column {}: ", column + 1) } else { String::new() };
    html! {
        <p class="complaint" role="alert" data-testid="complaint">
            { icon("warning") }<span><strong>{ place }</strong>{ &trouble.message }</span></p>
    }
}

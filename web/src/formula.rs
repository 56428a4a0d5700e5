//! The page of temporal formulas: a formula is translated to an automaton, which reads a word letter by letter; or an
//! automaton is drawn and compared with the formula.

mod drawn;
pub mod protocol;
mod question;
mod word_view;

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use veristep_core::link::Link;
use veristep_core::scene::{Body, Scene, Text};
use veristep_core::text::count;
use yew::prelude::*;

use crate::client::{Client, Heard};
use crate::formula::drawn::{Done, Drawn};
use crate::formula::protocol::{Answer, Ask, Job, Letters, Request, Response, Shown, TIME, Trouble};
use crate::formula::word_view::About;
use crate::protocol::{FileFormat, FromEngine, ModelInfo, ToEngine, pack, unpack};
use crate::state::{Action, Theme, Undo};
use crate::ui::icon::icon;
use crate::ui::scene;
use crate::{browser, ui};

/// The kind of text, in links.
const KIND: &str = "ltl";
/// That of drawn automata.
const DRAWN: &str = "hoa";
/// Example formulas, after Dwyer, Avrunin and Corbett ("Property Specification Patterns for Finite-State
/// Verification", 1998) and textbooks.
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
    /// Show the drawn automaton instead of that of the formula, or not.
    Draws(bool),
    /// An automaton is drawn further, from this text.
    Begin(String),
    /// The text of the drawn automaton was changed.
    Text(Rc<str>),
    /// The drawn automaton was edited, or a thing in it was selected.
    Act(Action),
    /// An empty automaton.
    New,
    /// The last change of the drawn automaton is undone, or done again.
    Undo(Undo),
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
    /// The drawn automaton.
    drawn: Drawn,
    /// The drawn automaton is shown instead of that of the formula.
    draws: bool,
    /// The text of the last automaton of a formula.
    of_formula: Option<String>,
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
            drawn: Drawn::default(),
            draws: false,
            of_formula: None,
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
            Msg::Draws(_) | Msg::Begin(_) | Msg::Text(_) | Msg::Act(_) | Msg::New | Msg::Undo(_) => {
                self.draw(message);
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
                let of_formula = || self.shown.as_ref().and_then(|shown| shown.picture.clone());
                if let Some(picture) = if self.draws { self.drawn.picture() } else { of_formula() } {
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
                    <section class={classes!("panel", (self.trouble.is_some() && !self.draws).then_some("stale"))} aria-label="Automaton">{ self.answer(&act) }</section>
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
        self.draws = false;
        let mut ask = Request { job: self.ask.job, formula: EXAMPLES[0].1.to_owned(), ..Request::default() };
        // A request that is answered two letters later, forever.
        ask.word = Some((
            ["request", "answer"].map(str::to_owned).to_vec(),
            Letters::read("00|10.00.01").unwrap_or_default(),
        ));
        if fragment.len() > 1 {
            match Link::decode(&fragment) {
                Ok(opened) if matches!(opened.link.kind.as_str(), KIND | DRAWN) => {
                    let link = opened.link;
                    self.draws = link.kind == DRAWN;
                    let of = |name: &str| link.view.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
                    let atoms = of("atoms").map(|a| a.split('\n').map(str::to_owned).collect::<Vec<_>>());
                    ask.word = atoms.zip(of("word").and_then(|w| Letters::read(&w)));
                    ask.time = of("time").and_then(|t| t.parse().ok()).unwrap_or(0).min(TIME);
                    ask.negated = of("negated").is_some();
                    ask.generalized = of("generalized").is_some();
                    match self.draws {
                        true => {
                            self.fit += 1;
                            self.drawn = Drawn::of(&link.text, self.fit);
                            ask.formula = link.property;
                        }
                        false => (ask.formula, ask.other) = (link.text, link.property),
                    }
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
        let (kind, text, property) = match self.draws {
            true => (DRAWN, self.drawn.text.to_string(), self.ask.formula.clone()),
            false => (KIND, self.ask.formula.clone(), self.ask.other.clone()),
        };
        let link = Link { kind: kind.to_owned(), text, property, view, ..Link::default() };
        self.saved = link.encode();
        browser::replace_fragment(&self.saved);
    }

    fn send(&mut self) {
        self.ask.job += 1;
        self.ask.automaton = self.draws.then(|| self.drawn.text.to_string());
        self.client.send(&ToEngine::Formula(pack(&Ask::Show(self.ask.clone()))));
        self.wait();
    }

    /// What concerns the drawn automaton.
    #[inline(never)]
    fn draw(&mut self, message: Msg) {
        match message {
            Msg::Draws(draws) => {
                self.draws = draws;
                (self.format, self.shown, self.trouble) = (None, None, None);
                self.fit += 1;
                self.send();
            }
            Msg::Begin(text) if self.drawn.is_empty() => {
                self.drawn = Drawn::of(&text, self.fit);
                self.draw(Msg::Draws(true));
            }
            Msg::Text(text) => {
                self.drawn.typed(text);
                self.send();
            }
            Msg::New => self.drawn.replace(""),
            Msg::Undo(undo) => self.drawn.undo(undo),
            Msg::Act(Action::Edit(edits, typed)) => {
                let done = self.drawn.edit(edits, typed);
                self.done(done);
            }
            Msg::Act(Action::Pick(thing)) => self.drawn.pick(thing),
            _ => {}
        }
    }

    /// What an edit of the drawing leads to.
    fn done(&mut self, done: Done) {
        self.notice = None;
        match done {
            Done::Nothing => {}
            Done::Ask(ask) => self.client.send(&ToEngine::Formula(pack(&ask))),
            Done::Say(why) => self.notice = Some(why),
        }
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
        self.drawn.restarted();
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
            FromEngine::Formula(bytes) => match unpack::<Answer>(&bytes) {
                Some(Answer::Shown(response)) if response.job == self.ask.job => self.receive(response),
                Some(Answer::Edited { job, written }) => {
                    let done = self.drawn.written(job, written);
                    self.done(done);
                }
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
        if self.draws {
            let model = response
                .result
                .as_ref()
                .map(|shown| shown.model.clone().map(|m| Rc::new(ModelInfo::clone(&m))));
            self.drawn.read(model.map_err(Trouble::clone));
        }
        match response.result {
            Ok(shown) => {
                if !self.draws {
                    self.of_formula = Some(shown.hoa.clone());
                }
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
        let editable = event.target().and_then(|t| t.dyn_into::<web_sys::HtmlElement>().ok());
        if typing || editable.is_some_and(|element| element.is_content_editable()) {
            return false;
        }
        if self.draws && (event.ctrl_key() || event.meta_key()) {
            let undo = match (event.key().as_str(), event.shift_key()) {
                ("z" | "Z", false) => Undo::Back,
                ("z" | "Z", true) | ("y" | "Y", _) => Undo::Again,
                _ => return false,
            };
            event.prevent_default();
            self.drawn.undo(undo);
            return true;
        }
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
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
                <button class="btn" onclick={act.reform(|_: MouseEvent| Msg::Share)} title="Copies a link that contains the formula, the word and the drawn automaton" data-testid="share">
                    { icon(if self.copied { "check" } else { "share" }) }<span class="words">{ if self.copied { "Copied" } else { "Share" } }</span></button>
                <button class="btn quiet icon-only" aria-label={label} title={label} onclick={act.reform(|_: MouseEvent| Msg::Theme)}>{ icon(sign) }</button>
            </header>
        }
    }

    /// The automaton, to be moved and zoomed.
    fn picture(&self, shown: &Shown, fit: scene::Fit, act: &Callback<Msg>) -> Html {
        let Some(picture) = shown.picture.clone() else {
            return html! { <div class="empty"><p>{ "The automaton has too many states to be drawn; its text is complete." }</p></div> };
        };
        let save = Some(act.reform(Msg::Save));
        let shown = scene::Shown { fit, save, ..scene::Shown::alone() };
        let size =
            format!("{}, {}.", count(picture.nodes.len(), "state"), count(picture.edges.len(), "edge"));
        let about = scene::above("", &Text::plain(&size));
        scene::picture("Automaton", about, &picture, "drawn".to_owned(), &shown)
    }

    /// The automaton above, the word below.
    fn answer(&self, act: &Callback<Msg>) -> Html {
        let toggle = |label: &'static str, on: bool, title: &'static str, make: fn() -> Msg| {
            let onclick = act.reform(move |_: MouseEvent| make());
            html! { <button class="btn small" aria-pressed={on.to_string()} {title} {onclick}>{ label }</button> }
        };
        let fit = scene::Fit { number: self.fit, projected: browser::is_projected() };
        let picture = match (&self.shown, self.draws) {
            (_, true) => self.drawn.view(fit, act),
            (Some(shown), false) => self.picture(shown, fit, act),
            (None, false) => html! { <div class="empty"><p>{ "The automaton appears here." }</p></div> },
        };
        let word = self.shown.as_ref().filter(|_| !self.draws || self.drawn.has_model());
        let word = word.map(|shown| word_view::word_view(shown, self.ask.time as usize, self.about(), act));
        // Elements keep their places, so that the drawing stays the same component.
        let nothing = || html! { <div hidden=true></div> };
        html! {
            <>
                <header>
                    <h2>{ if self.ask.negated && !self.draws { "Automaton of the negation" } else { "Automaton" } }</h2>
                    <div class="row" role="group" aria-label="Which automaton">
                        { toggle("of the formula", !self.draws, "The automaton of the formula", || Msg::Draws(false)) }
                        { toggle("drawn", self.draws, "An automaton of your own, to be compared with the formula", || Msg::Draws(true)) }
                    </div>
                    <span class="grow"></span>
                    if self.draws {
                        { for self.of_formula.iter().filter(|_| self.drawn.is_empty()).map(|text| begin(text, act)) }
                    } else {
                        { toggle("negation", self.ask.negated, "The automaton that a verifier uses: it accepts the words that violate the formula", || Msg::Negated) }
                        { toggle("generalized", self.ask.generalized, "Acceptance sets on transitions, before degeneralization", || Msg::Generalized) }
                    }
                </header>
                <div class="drawn" data-testid="automaton">{ picture }</div>
                <p class="acceptance muted" hidden={self.draws || !self.ask.generalized}>{ "A run is accepting if it takes transitions with each of the marks ①, ②, … infinitely often." }</p>
                { word.unwrap_or_else(nothing) }
            </>
        }
    }

    /// Which automaton reads the word.
    fn about(&self) -> About {
        match (self.draws, self.ask.negated) {
            (true, _) => About::Drawn,
            (false, true) => About::Negation,
            (false, false) => About::Formula,
        }
    }
}

/// A button that copies the automaton of the formula into the drawing.
fn begin(text: &str, act: &Callback<Msg>) -> Html {
    let text = text.to_owned();
    let onclick = act.reform(move |_: MouseEvent| Msg::Begin(text.clone()));
    html! { <button class="btn small" {onclick} title="Draws the automaton of the formula, to be changed" data-testid="begin">{ "Start from the formula's automaton" }</button> }
}

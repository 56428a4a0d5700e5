//! The solver's page: an SMT-LIB script, its answers, and for each check the search step by step, the
//! refutation, and interpolants built leaf by leaf. A link of the verifier to one of its steps opens the queries
//! of that step.

pub mod arithmetic_view;
mod conversation;
mod frame;
pub mod graph_view;
pub mod interpolant_view;
pub mod proof_view;
pub mod protocol;
pub mod replay;
pub mod saved;
pub mod script_panel;
pub mod scripts;
pub mod search_view;
pub mod tableau_view;
pub mod words;

use std::rc::Rc;

use veristep_core::link::{Link, MAX_FRAGMENT};
use veristep_core::run::Kind;
use veristep_core::scene::Scene;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};
use yew::prelude::*;

use crate::client::{Client, Heard};
use crate::protocol::FileFormat;
use crate::solver::protocol::{Interpolation, Job, Method, Opened, Proof, Request, Said, Step};
use crate::solver::replay::{Frame, replay};
use crate::solver::scripts::SCRIPTS;
use crate::state::Theme;
use crate::ui::icon::icon;
use crate::{browser, ui};

/// Where to go in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// Before the first step.
    Start,
    /// After the last one.
    End,
    /// One step.
    Forward,
    /// One step.
    Back,
    /// To the next conflict.
    NextConflict,
    /// To the conflict before.
    BackConflict,
    /// After this many steps.
    To(usize),
}

/// The views of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tab {
    /// The search.
    #[default]
    Search,
    /// The refutation.
    Proof,
    /// The interpolants.
    Interpolants,
}

impl Tab {
    const ALL: [Tab; 3] = [Tab::Search, Tab::Proof, Tab::Interpolants];

    fn title(self) -> &'static str {
        match self {
            Tab::Search => "Search",
            Tab::Proof => "Proof",
            Tab::Interpolants => "Interpolants",
        }
    }
}

/// The current work of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// Nothing.
    Idle,
    /// The script.
    Running,
    /// The search of a check.
    Opening(u32),
    /// A refutation.
    Proving,
    /// An interpolant.
    Interpolating,
    /// The queries of a step of a run.
    Repeating,
}

/// What happens to the page.
pub enum Msg {
    /// A message of the engine.
    Heard(Heard),
    /// The script was edited.
    Typed(Rc<str>),
    /// Execute the script.
    Run,
    /// End the engine and start another.
    Stop,
    /// Load a script of the list.
    Load(usize),
    /// Show another query of the linked step.
    Question(usize),
    /// Open a check.
    Open(u32),
    /// Go to a step of the search.
    Go(Move),
    /// Show a view.
    Show(Tab),
    /// Select a step of the refutation.
    PickStep(Option<usize>),
    /// Move the cut.
    Cut(u32),
    /// Change the interpolation rules.
    Method(Method),
    /// Label this many steps.
    Leaf(usize),
    /// Save a scene as a file of this name.
    SavePicture(&'static str, Scene, FileFormat),
    /// The next colour theme.
    Theme,
    /// A link to the script was requested.
    Share,
    /// The link is in the clipboard.
    Copied(bool),
    /// A key was pressed.
    Key(KeyboardEvent),
    /// The address changed.
    Address,
}

/// An open check.
pub struct Inside {
    opened: Rc<Opened>,
    step: usize,
    frame: Rc<Frame>,
    proof: Option<Rc<Result<Proof, String>>>,
    picked: Option<usize>,
    cut: u32,
    method: Method,
    found: Option<Rc<Result<Interpolation, String>>>,
    leaf: usize,
}

impl Inside {
    fn new(opened: Opened) -> Inside {
        let cut = u32::try_from(opened.assertions.len() / 2).unwrap_or(1).max(1);
        Inside {
            opened: Rc::new(opened),
            step: 0,
            frame: Rc::default(),
            proof: None,
            picked: None,
            cut,
            method: Method::default(),
            found: None,
            leaf: 0,
        }
    }
}

/// The view requested by a link.
fn wanted(link: &Link) -> Option<(u32, usize, Tab)> {
    let of = |name: &str| link.view.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
    let tab = of("tab").and_then(|title| Tab::ALL.into_iter().find(|tab| tab.title() == title));
    Some((of("check")?.parse().ok()?, of("step")?.parse().ok()?, tab.unwrap_or_default()))
}

/// The queries of a step of a verification run.
#[derive(Clone, PartialEq, Default)]
pub struct Linked {
    /// The purpose of each query, and its script.
    pub questions: Vec<(String, String)>,
    /// The one that is shown.
    pub shown: usize,
    /// The step, from 1.
    pub step: u32,
    /// The address of the run.
    pub back: String,
}

/// The page.
pub struct Solver {
    client: Client,
    ready: bool,
    lost: Option<String>,
    text: Rc<str>,
    version: u32,
    /// The last request, and its kind.
    job: Job,
    work: Work,
    /// The script was stopped before its end.
    stopped: bool,
    /// The view requested by a link: check, step, tab.
    wanted: Option<(u32, usize, Tab)>,
    heard: Callback<Heard>,
    /// The text that the answers belong to.
    ran: Rc<str>,
    said: Rc<Vec<Said>>,
    inside: Option<Inside>,
    linked: Option<Rc<Linked>>,
    tab: Tab,
    theme: Theme,
    /// The current literal is to be brought into view.
    scroll: bool,
    copied: bool,
    notice: Option<String>,
    saved: String,
    listeners: Vec<browser::Listener>,
}

impl Component for Solver {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<Solver>) -> Solver {
        let theme = ui::stored_theme();
        browser::set_theme(theme.name());
        let mut page = Solver {
            client: Client::start(ctx.link().callback(Msg::Heard)),
            ready: false,
            lost: None,
            text: "".into(),
            version: 0,
            job: 0,
            work: Work::Idle,
            stopped: false,
            wanted: None,
            heard: ctx.link().callback(Msg::Heard),
            ran: "".into(),
            said: Rc::default(),
            inside: None,
            linked: None,
            tab: Tab::Search,
            theme,
            scroll: false,
            copied: false,
            notice: None,
            saved: String::new(),
            listeners: Vec::new(),
        };
        page.listeners =
            browser::listen(ctx.link().callback(Msg::Key), ctx.link().callback(|()| Msg::Address));
        page.open_address();
        page
    }

    fn update(&mut self, ctx: &Context<Solver>, message: Msg) -> bool {
        self.copied &= matches!(message, Msg::Heard(_));
        match message {
            Msg::Heard(heard) => self.heard(heard),
            Msg::Typed(text) => {
                self.text = text;
                self.wanted = None;
            }
            Msg::Run => {
                self.wanted = None;
                self.run();
            }
            Msg::Stop => {
                self.stop();
            }
            Msg::Load(which) => {
                self.linked = None;
                self.wanted = None;
                self.load(SCRIPTS[which.min(SCRIPTS.len() - 1)].text);
            }
            Msg::Question(which) => self.question(which),
            Msg::Open(check) => self.open(check),
            Msg::Go(to) => self.go(to),
            Msg::Show(tab) => {
                self.tab = tab;
                self.ask_for_view();
            }
            Msg::PickStep(step) => {
                self.tab = Tab::Proof;
                self.inside.iter_mut().for_each(|inside| inside.picked = step);
                if let Some(step) = step {
                    reveal(&format!("proof-{step}"));
                }
            }
            Msg::Cut(cut) => {
                self.inside.iter_mut().for_each(|inside| (inside.cut, inside.found) = (cut, None));
                self.ask_for_view();
            }
            Msg::Method(method) => {
                self.inside.iter_mut().for_each(|inside| (inside.method, inside.found) = (method, None));
                self.ask_for_view();
            }
            Msg::Leaf(leaf) => self.inside.iter_mut().for_each(|inside| inside.leaf = leaf),
            Msg::SavePicture(name, scene, format) => self.client.save(name, scene, format),
            Msg::Theme => {
                self.theme = self.theme.next();
                browser::set_theme(self.theme.name());
                ui::store_theme(self.theme);
            }
            Msg::Share => self.share(ctx),
            Msg::Copied(done) => {
                self.copied = done;
                self.notice = (!done).then(|| "The link is in the address bar.".to_owned());
            }
            Msg::Key(event) => return self.key(ctx, &event),
            Msg::Address => {
                if browser::fragment() != self.saved {
                    self.open_address();
                }
            }
        }
        true
    }

    fn rendered(&mut self, _: &Context<Solver>, first: bool) {
        browser::drawn(first, self.ready || self.lost.is_some());
        if std::mem::take(&mut self.scroll) {
            scroll_to(".trail .is-current");
        }
    }

    fn view(&self, ctx: &Context<Solver>) -> Html {
        let act = ctx.link().callback(|message: Msg| message);
        html! {
            <div class="app solver">
                { self.top(&act) }
                if let Some(text) = self.notice.as_ref().or(self.lost.as_ref()) {
                    <p class="notice" role="status">{ icon("info") }{ text }</p>
                }
                if let Some(linked) = &self.linked { { frame::asked(linked, &act) } }
                <main class="halves">
                    { script_panel::script_panel(&script_panel::Props {
                        text: self.text.clone(), version: self.version, said: self.said.clone(), current: self.ran == self.text,
                        work: self.work, stopped: self.stopped, chosen: self.inside.as_ref().map(|i| i.opened.check), act: act.clone(),
                    }) }
                    <section class={classes!("panel", "zoom", (self.ran != self.text).then_some("stale"))} aria-label="The check">{ self.zoom(&act) }</section>
                </main>
            </div>
        }
    }
}

/// Scrolls as little as it takes to show an element.
fn scroll_to(selector: &str) {
    if let Ok(Some(element)) = browser::document().query_selector(selector) {
        browser::bring_into_view(&element);
    }
}

/// Scrolls an element into view, once it is drawn.
fn reveal(id: &str) {
    let id = id.to_owned();
    gloo_timers::callback::Timeout::new(20, move || {
        if let Some(element) = browser::document().get_element_by_id(&id) {
            element.scroll_into_view_with_bool(false);
        }
    })
    .forget();
}

impl Solver {
    /// Opens the link in the address: a script, or a step of a verification run; without one, the first script.
    fn open_address(&mut self) {
        let fragment = browser::fragment();
        self.saved.clone_from(&fragment);
        self.notice = None;
        if fragment.len() <= 1 {
            return self.load(SCRIPTS[0].text);
        }
        match Link::decode(&fragment) {
            Ok(opened) if opened.link.kind == script_panel::KIND => {
                self.linked = None;
                if !opened.intact {
                    self.notice =
                        Some("This link was cut off or changed; the script may be incomplete.".to_owned());
                }
                self.wanted = wanted(&opened.link);
                self.load(&opened.link.text);
            }
            Ok(opened) => {
                let Link { kind, text, property, options, cursor, .. } = opened.link;
                let kind = Kind::of_link(&kind, &text);
                let step = cursor.map_or(0, |cursor| cursor.index);
                self.linked = Some(Rc::new(Linked { step, back: fragment, ..Linked::default() }));
                self.wanted = None;
                self.reset("");
                let job = self.next_job();
                let hash = cursor.map_or(0, |cursor| cursor.hash);
                let event = step.saturating_sub(1);
                self.send(
                    &Request::Questions { job, kind, text, property, options, event, hash },
                    Work::Repeating,
                );
            }
            Err(broken) => {
                self.notice = Some(format!("{broken} Here is the first script instead."));
                self.load(SCRIPTS[0].text);
            }
        }
    }

    /// Puts a link to the script and the step into the address bar and the clipboard.
    fn share(&mut self, ctx: &Context<Solver>) {
        let fragment = self.link().encode();
        if fragment.len() > MAX_FRAGMENT {
            self.notice = Some("The script is too long for a link; send it as a file.".to_owned());
            return;
        }
        browser::replace_fragment(&fragment);
        browser::copy(&format!("{}{fragment}", browser::address()), ctx.link().callback(Msg::Copied));
        self.saved = fragment;
    }

    fn link(&self) -> Link {
        let view = self.inside.as_ref().map_or(vec![], |inside| {
            let tab = self.tab.title().to_owned();
            vec![
                ("check".to_owned(), inside.opened.check.to_string()),
                ("step".to_owned(), inside.step.to_string()),
                ("tab".to_owned(), tab),
            ]
        });
        Link { kind: script_panel::KIND.to_owned(), text: self.text.to_string(), view, ..Link::default() }
    }

    fn go(&mut self, to: Move) {
        let Some(inside) = &mut self.inside else { return };
        let steps = &inside.opened.steps;
        let conflict = |(step, _): &(Step, Option<u32>)| matches!(step, Step::Conflict(..));
        let now = inside.step;
        let to = match to {
            Move::Start => 0,
            Move::End => steps.len(),
            Move::Forward => now + 1,
            Move::Back => now.saturating_sub(1),
            Move::NextConflict => {
                steps.iter().skip(now).position(conflict).map_or(steps.len(), |at| now + at + 1)
            }
            Move::BackConflict => {
                steps[..now.saturating_sub(1)].iter().rposition(conflict).map_or(0, |at| at + 1)
            }
            Move::To(step) => step,
        };
        inside.step = to.min(steps.len());
        inside.frame = Rc::new(replay(steps, inside.step));
        self.scroll = true;
    }

    /// Arrow keys step through the search, unless the focused element uses them itself.
    fn key(&mut self, ctx: &Context<Solver>, event: &KeyboardEvent) -> bool {
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        let inside = |s: &str| target.as_ref().is_some_and(|t| t.closest(s).ok().flatten().is_some());
        if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            ctx.link().send_message(Msg::Run);
            return false;
        }
        let typing = "input, textarea, select, [contenteditable=true], .cm-editor";
        if (inside(typing) && !inside(".transport"))
            || event.alt_key()
            || event.ctrl_key()
            || event.meta_key()
        {
            return false;
        }
        if browser::project(event) {
            return true;
        }
        if self.tab == Tab::Proof {
            return false;
        }
        let to = match (event.key().as_str(), event.shift_key()) {
            ("ArrowRight", false) => Move::Forward,
            ("ArrowLeft", false) => Move::Back,
            ("ArrowRight", true) => Move::NextConflict,
            ("ArrowLeft", true) => Move::BackConflict,
            ("Home", _) => Move::Start,
            ("End", _) => Move::End,
            _ => return false,
        };
        event.prevent_default();
        match self.tab {
            Tab::Interpolants => self.go_leaf(to),
            _ => self.go(to),
        }
        true
    }

    fn go_leaf(&mut self, to: Move) {
        let Some(inside) = &mut self.inside else { return };
        let last = inside.proof.as_deref().and_then(|p| p.as_ref().ok()).map_or(0, |p| p.steps.len());
        inside.leaf = match to {
            Move::Start => 1,
            Move::End => last,
            Move::Back | Move::BackConflict => inside.leaf.saturating_sub(1).max(1),
            Move::Forward | Move::NextConflict => inside.leaf + 1,
            Move::To(leaf) => leaf,
        }
        .min(last);
        reveal(&format!("leaf-{}", inside.leaf));
    }
}

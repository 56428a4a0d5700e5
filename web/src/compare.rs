//! The page that compares strategies: one model under several configurations, as a table and as graphs side by side.
//! Rows run one after the other on one engine; every one can be opened in the stepper.

mod chooser;
pub mod export;
mod graphs;
mod queue;
pub mod row;
mod table;

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use veristep_core::link::{Cursor, Link, MAX_FRAGMENT};
use veristep_core::run::{Kind, Options};
use veristep_core::scene::Scene;
use yew::prelude::*;

use veristep_core::diagnostic::Diagnostic;
use veristep_core::formats::c::DataModel;

use crate::client::{Client, Heard};
use crate::compare::row::{Column, Row};
use crate::examples::{FIRST, title};
use crate::protocol::{FileFormat, Job, Library};
use crate::state::{Theme, options};
use crate::ui::arg_view::SaveScene;
use crate::ui::icon::icon;
use crate::{browser, ui};

/// Options with values other than the defaults.
pub type Choices = options::Values;

/// The maximal number of graphs side by side.
const MOST_GRAPHS: usize = 4;
/// The offered time limits of a row, in seconds.
const LIMITS: [u32; 4] = [2, 10, 30, 120];

/// What happens to the page.
pub enum Msg {
    /// A message of the engine.
    Heard(Heard),
    /// The model was edited.
    Typed(Rc<str>),
    /// The property was edited.
    Property(String),
    /// The sizes of C's types were chosen.
    DataModel(DataModel),
    /// Another example.
    Load(usize),
    /// Run all rows that have no result.
    Run,
    /// Stop the running row.
    Stop,
    /// The time limit of a row expired.
    Late(Job),
    /// The time limit of a row, in seconds.
    Limit(u32),
    /// An option of the configuration being edited.
    Draft(String, String),
    /// Add the configuration being edited.
    Add,
    /// Replace the set of configurations.
    Preset(Vec<Choices>),
    /// Remove a row.
    Remove(usize),
    /// Show or hide the graph of a row.
    Toggle(usize),
    /// Order rows by a column.
    Sort(Column),
    /// The shown part of each run, in percent.
    Part(u32),
    /// The table as a file.
    Save(export::Format),
    /// The graph of a row as a file.
    SavePicture(AttrValue, Scene, FileFormat),
    /// A link was requested.
    Share,
    /// The link is in the clipboard.
    Copied(bool),
    /// The next colour theme.
    Theme,
    /// A key was pressed.
    Key(KeyboardEvent),
    /// The address changed.
    Address,
    /// Ignored.
    Nothing,
}

/// The page.
pub struct Compare {
    client: Client,
    heard: Callback<Heard>,
    save: SaveScene,
    late: Callback<Job>,
    ready: bool,
    notice: Option<String>,
    lost: Option<String>,
    library: Rc<Library>,
    text: Rc<str>,
    /// The language of the text, with the sizes of C's types.
    kind: Kind,
    /// The text and the property that were parsed, with the language.
    read: Option<(Kind, Rc<str>, String)>,
    /// The text whose parsing ended an engine, with its language.
    stopped_on: Option<(Kind, Rc<str>, String)>,
    diagnostics: Rc<Vec<Diagnostic>>,
    version: u32,
    property: String,
    rows: Vec<Row>,
    /// The options that came with the link.
    own: Choices,
    /// The engine has run before.
    warm: bool,
    /// The row that is running, and its timer.
    running: Option<(usize, Timeout)>,
    last_job: Job,
    limit: u32,
    draft: Choices,
    part: u32,
    theme: Theme,
    copied: bool,
    saved: String,
    listeners: Vec<browser::Listener>,
}

impl Component for Compare {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<Compare>) -> Compare {
        let theme = ui::stored_theme();
        browser::set_theme(theme.name());
        let mut page = Compare {
            client: Client::start(ctx.link().callback(Msg::Heard)),
            save: ctx.link().callback(|(name, scene, format)| Msg::SavePicture(name, scene, format)),
            heard: ctx.link().callback(Msg::Heard),
            late: ctx.link().callback(Msg::Late),
            ready: false,
            notice: None,
            lost: None,
            library: Rc::default(),
            text: "".into(),
            kind: Kind::default(),
            read: None,
            stopped_on: None,
            diagnostics: Rc::default(),
            warm: false,
            own: Choices::new(),
            version: 0,
            property: String::new(),
            rows: Vec::new(),
            running: None,
            last_job: 0,
            limit: 10,
            draft: Choices::new(),
            part: 100,
            theme,
            copied: false,
            saved: String::new(),
            listeners: Vec::new(),
        };
        page.listeners =
            browser::listen(ctx.link().callback(Msg::Key), ctx.link().callback(|()| Msg::Address));
        page.open_address();
        page
    }

    fn update(&mut self, ctx: &Context<Compare>, message: Msg) -> bool {
        if !matches!(message, Msg::Heard(_) | Msg::Late(_) | Msg::Key(_) | Msg::Nothing) {
            self.copied = false;
            self.notice = None;
        }
        match message {
            Msg::Heard(heard) => self.heard(heard),
            Msg::Typed(text) => self.typed(text),
            Msg::Property(property) => {
                self.property = property;
                self.forget();
            }
            Msg::DataModel(model) => {
                self.kind = self.kind.with(model).unwrap_or(self.kind);
                self.forget();
            }
            Msg::Load(which) => self.load_example(which),
            Msg::Run => {
                self.again();
                self.run();
            }
            Msg::Stop => self.stop("stopped"),
            Msg::Late(job) => self.late(job),
            Msg::Limit(seconds) => self.limit = seconds,
            Msg::Draft(name, value) => options::set(&self.library.options, &mut self.draft, &name, &value),
            Msg::Add => {
                if self.rows.iter().any(|row| row.choices == self.draft) {
                    self.notice = Some("This configuration is in the table already.".to_owned());
                }
                self.add(self.draft.clone());
                self.run();
            }
            Msg::Preset(all) => {
                self.stop("stopped");
                self.rows.clear();
                all.into_iter().for_each(|choices| self.add(choices));
                self.run();
            }
            Msg::Remove(at) => self.remove(at),
            Msg::Toggle(at) => self.toggle(at),
            Msg::Sort(column) => self.sort(column),
            Msg::Part(percent) => {
                self.part = percent;
                self.rows.iter_mut().for_each(|row| row.fold(percent));
            }
            Msg::Save(format) => self.save_table(format),
            Msg::SavePicture(name, scene, format) => self.client.save(&name, scene, format),
            Msg::Share => self.share(ctx),
            Msg::Copied(done) => {
                self.copied = done;
                self.notice = (!done).then(|| "The link is in the address bar.".to_owned());
            }
            Msg::Theme => {
                self.theme = self.theme.next();
                browser::set_theme(self.theme.name());
                ui::store_theme(self.theme);
            }
            Msg::Address => {
                if browser::fragment() != self.saved {
                    self.stop("stopped");
                    self.open_address();
                }
            }
            Msg::Key(event) => return browser::project(&event),
            Msg::Nothing => return false,
        }
        true
    }

    fn rendered(&mut self, _: &Context<Compare>, first: bool) {
        browser::drawn(first, self.ready || self.lost.is_some());
    }

    fn view(&self, ctx: &Context<Compare>) -> Html {
        let act = ctx.link().callback(|message: Msg| message);
        html! {
            <div class="app compare">
                { self.top(&act) }
                if let Some(text) = self.lost.as_ref().or(self.notice.as_ref()) { <p class="notice" role="status">{ icon("info") }<span class="text">{ text }</span></p> }
                <main class="bench">
                    { self.chooser(&act) }
                    <div class="results">
                        { self.table(&act) }
                        { self.graphs(&act) }
                    </div>
                </main>
            </div>
        }
    }
}

impl Compare {
    fn save_table(&self, format: export::Format) {
        let (name, kind, text) = export::file(format, self.title(), &self.rows);
        browser::download(&name, kind, &text);
    }

    fn title(&self) -> &str {
        let named = title(&self.library.examples, &self.text);
        if named.is_empty() { "Your model" } else { named }
    }

    /// Opens the link in the address, or the first example with the schedule of `auto`.
    fn open_address(&mut self) {
        let fragment = browser::fragment();
        self.saved.clone_from(&fragment);
        self.notice = None;
        let mut link = Link { text: FIRST.text.to_owned(), ..Link::default() };
        if fragment.len() > 1 {
            match Link::decode(&fragment) {
                Ok(opened) => {
                    if !opened.intact {
                        self.notice =
                            Some("This link was cut off or changed; the model may be incomplete.".to_owned());
                    }
                    link = opened.link;
                }
                Err(broken) => self.notice = Some(format!("{broken} The first example is shown instead.")),
            }
        }
        self.text = link.text.as_str().into();
        self.kind = Kind::of_link(&link.kind, &link.text);
        self.version += 1;
        self.property = link.property;
        self.rows.clear();
        self.own = link.options.clone();
        let named: Vec<Choices> =
            link.view.iter().filter(|(n, _)| n == "row").map(|(_, v)| row::read(v)).collect();
        if named.is_empty() {
            let own = link.options.into_iter().filter(|(name, _)| name != Options::ENGINE).collect();
            std::iter::once(own).chain(chooser::schedule()).for_each(|choices| self.add(choices));
        } else {
            named.into_iter().for_each(|choices| self.add(choices));
        }
        self.run();
    }

    fn load_example(&mut self, which: usize) {
        let library = Rc::clone(&self.library);
        if let Some(example) = library.examples.get(which) {
            self.stop("stopped");
            self.text = example.text.as_str().into();
            self.kind = example.kind;
            self.version += 1;
            self.property.clone_from(&example.property);
            self.forget();
            self.run();
        }
    }

    /// Another text; if it is C as before, the sizes of types stay.
    fn typed(&mut self, text: Rc<str>) {
        if text != self.text {
            self.kind = self.kind.edited(&self.text, &text);
            self.text = text;
            self.forget();
        }
    }

    /// Adds a row unless it exists.
    fn add(&mut self, choices: Choices) {
        if !self.rows.iter().any(|row| row.choices == choices) {
            self.rows.push(Row::new(choices));
        }
    }

    fn remove(&mut self, at: usize) {
        let was_running = self.running.as_ref().is_some_and(|(running, _)| *running == at);
        if was_running {
            self.stop("stopped");
        }
        self.rows.remove(at);
        match &mut self.running {
            Some((running, _)) if *running > at => *running -= 1,
            _ => {}
        }
        if was_running {
            self.run();
        }
    }

    fn toggle(&mut self, at: usize) {
        let shown = self.rows.iter().filter(|row| row.shown).count();
        let part = self.part;
        let Some(row) = self.rows.get_mut(at) else { return };
        if row.shown || shown < MOST_GRAPHS {
            row.shown = !row.shown;
            row.fold(part);
        } else {
            self.notice = Some(format!("At most {MOST_GRAPHS} graphs can be shown side by side; hide one."));
        }
    }

    /// Rows move only when nothing is running.
    fn sort(&mut self, column: Column) {
        if self.running.is_none() {
            self.rows.sort_by(|a, b| row::order(a, b, column));
        }
    }

    fn link(&self) -> Link {
        let rows = self.rows.iter().map(|row| ("row".to_owned(), row::write(&row.choices)));
        Link {
            kind: self.kind.name().to_owned(),
            text: self.text.to_string(),
            property: self.property.clone(),
            view: rows.collect(),
            ..Link::default()
        }
    }

    /// A link that opens a row in the stepper.
    fn stepper(&self, row: &Row) -> Option<String> {
        let ran = row.journal.length() > 0;
        let cursor = ran.then(|| Cursor::at(&row.journal.get(), row.journal.length()));
        let link = Link { options: row.choices.clone(), view: Vec::new(), cursor, ..self.link() };
        let fragment = link.encode();
        (fragment.len() <= MAX_FRAGMENT).then(|| format!("./{fragment}"))
    }

    fn share(&mut self, ctx: &Context<Compare>) {
        let fragment = self.link().encode();
        if fragment.len() > MAX_FRAGMENT {
            self.notice = Some("The model is too long for a link; send it as a file.".to_owned());
            return;
        }
        browser::replace_fragment(&fragment);
        browser::copy(&format!("{}{fragment}", browser::address()), ctx.link().callback(Msg::Copied));
        self.saved = fragment;
    }
}

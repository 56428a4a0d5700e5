//! A drawn automaton: its text, its edits, and the panel in which it is drawn.

use std::rc::Rc;
use std::sync::Arc;

use veristep_core::buchi::hoa;
use veristep_core::diagnostic::{Diagnostic, Span};
use veristep_core::edit::automaton::Edit;
use veristep_core::edit::{Change, Refusal};
use veristep_core::scene::{Drawing, Text, Thing};
use veristep_core::system;
use veristep_core::text::count;
use yew::prelude::*;

use crate::formula::Msg;
use crate::formula::protocol::{Ask, Job, Trouble};
use crate::protocol::{FileFormat, ModelInfo, Role};
use crate::state::{EditorCommand, EditorRequest, Next, Related, Undo, Writing};
use crate::ui::editor::Editor as TextEditor;
use crate::ui::graph_editor::{Edited, Kind, Language, moved, tools, use_editor};
use crate::ui::scene::{Fit, Shown, above, picture};

/// Büchi automata.
static LANGUAGE: Language = Language {
    kind: Kind::Buchi,
    whole: "automaton",
    node: "state",
    edge: "transition",
    label: "Label",
    example: "request & !answer",
    enter: "A Boolean formula over the atoms (!, &, |, ->); empty for true. After it, acceptance sets in braces: {0}",
    first: "q0",
    letter: "q",
    roles: &[(Role::Initial, system::Role::Initial, "initial")],
    copied: hoa::copied,
};

/// A drawn automaton, of which the text is the only model.
#[derive(Default)]
pub(super) struct Drawn {
    /// The text.
    pub(super) text: Rc<str>,
    /// Changes when it was replaced.
    version: u32,
    /// The automaton of the last text without errors.
    model: Option<Rc<ModelInfo>>,
    /// The error in the text.
    trouble: Option<Trouble>,
    /// The engine has not yet read the text.
    reading: bool,
    writing: Writing,
    /// States may have other numbers in the text than in the drawing.
    renumbers: bool,
    /// The next change of the text is one of the drawing.
    from_drawing: bool,
    command: Option<EditorRequest>,
    /// What is selected.
    related: Rc<Related>,
    jobs: Job,
}

/// What an edit of the drawing leads to.
pub(super) enum Done {
    /// Nothing more.
    Nothing,
    /// The engine is asked.
    Ask(Ask),
    /// The reason for a refusal is shown.
    Say(String),
}

impl Drawn {
    /// A text from outside.
    pub(super) fn of(text: &str, version: u32) -> Drawn {
        Drawn { text: text.into(), version, reading: true, ..Drawn::default() }
    }

    /// Is there nothing yet?
    pub(super) fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The automaton, if the text has no errors.
    pub(super) fn has_model(&self) -> bool {
        self.model.is_some()
    }

    /// The error in the text.
    pub(super) fn trouble(&self) -> Option<&Trouble> {
        self.trouble.as_ref()
    }

    /// The text was changed, by typing or by drawing.
    pub(super) fn typed(&mut self, text: Rc<str>) {
        self.text = text;
        self.reading = true;
        self.renumbers |= !std::mem::take(&mut self.from_drawing);
    }

    /// The engine has read the text.
    pub(super) fn read(&mut self, model: Result<Option<Rc<ModelInfo>>, Trouble>) {
        (self.reading, self.renumbers) = (false, false);
        match model {
            Ok(model) => {
                let changed = match (&self.model, &model) {
                    (Some(old), Some(new)) => (&old.locations, &old.edges) != (&new.locations, &new.edges),
                    _ => true,
                };
                if changed {
                    self.related = Rc::default();
                }
                (self.model, self.trouble) = (model, None);
            }
            Err(trouble) => self.trouble = Some(trouble),
        }
    }

    fn is_editable(&self) -> bool {
        self.trouble.is_none()
    }

    /// Edits of the drawing.
    pub(super) fn edit(&mut self, edits: Vec<Edit>, typed: bool) -> Done {
        // Other states may be called by the numbers of those that are drawn.
        let next = match self.renumbers {
            true => self.writing.refuse("the text is still being read", typed),
            false => self.writing.edit(edits.clone(), typed, self.reading),
        };
        let removes = |edit: &Edit| matches!(edit, Edit::Delete { locations, .. } if !locations.is_empty());
        self.renumbers |= matches!(next, Next::Ask(..)) && edits.iter().any(removes);
        self.go_on(next)
    }

    /// The engine's answer to edits.
    pub(super) fn written(&mut self, job: Job, written: Result<Vec<Vec<Change>>, Refusal>) -> Done {
        let next = self.writing.answer(job, &self.text, written);
        self.go_on(next)
    }

    /// Another engine has not read the text, which cannot be edited in the drawing until it changes.
    pub(super) fn restarted(&mut self) {
        let message = "the engine stopped when it read this text".to_owned();
        self.trouble = Some(Trouble { message, ..Trouble::default() }).filter(|_| !self.is_empty());
        (self.reading, self.renumbers) = (false, false);
        if self.writing.is_pending() {
            self.writing.give_up();
            self.writing.refuse("the engine was restarted", true);
        }
    }

    fn go_on(&mut self, next: Next) -> Done {
        match next {
            Next::Nothing => Done::Nothing,
            Next::Ask(_, typed) if !self.is_editable() => {
                let next = self.writing.refuse("the text has errors", typed);
                self.go_on(next)
            }
            Next::Ask(edits, typed) => {
                self.jobs += 1;
                self.writing.ask(self.jobs, &self.text, edits.clone(), typed);
                Done::Ask(Ask::Edit { job: self.jobs, text: self.text.to_string(), edits })
            }
            Next::Change(lists) => {
                self.from_drawing = true;
                self.command(EditorCommand::Change(lists.into()));
                Done::Nothing
            }
            Next::Say(why) => Done::Say(format!("Not changed: {why}.")),
        }
    }

    /// What the editor of the text is to do next.
    pub(super) fn command(&mut self, command: EditorCommand) {
        let number = self.command.as_ref().map_or(1, |last| last.number + 1);
        self.command = Some(EditorRequest { number, command: Rc::new(command) });
    }

    /// Undoes the last change of the text, or does it again.
    pub(super) fn undo(&mut self, undo: Undo) {
        self.command(EditorCommand::Undo(undo));
    }

    /// Another text in place of all of it, which can be undone.
    pub(super) fn replace(&mut self, text: &str) {
        let change = Change { span: Span::new(0, self.text.len()), text: text.to_owned() };
        self.command(EditorCommand::Change(Rc::from([vec![change]])));
    }

    /// A thing of the drawing is selected.
    pub(super) fn pick(&mut self, thing: Option<Thing>) {
        let mut related = Related::default();
        match thing {
            Some(Thing::Location(id)) => drop(related.locations.insert(id)),
            Some(Thing::Edge(id)) => drop(related.edges.insert(id)),
            _ => {}
        }
        self.related = if self.related.as_ref() == &related { Rc::default() } else { Rc::new(related) };
    }

    /// The text, to be edited.
    pub(super) fn text_view(&self, act: &Callback<Msg>) -> Html {
        let diagnostic = |trouble: &Trouble| {
            Diagnostic::error(Span { start: trouble.from, end: trouble.to }, trouble.message.clone())
        };
        let diagnostics: Vec<Diagnostic> = self.trouble.iter().map(diagnostic).collect();
        html! {
            <div class="hoa">
                <TextEditor label="Text of the automaton" language="hoa" text={self.text.clone()} version={self.version} diagnostics={Rc::new(diagnostics)}
                    marks={vec![]} command={self.command.clone()} on_change={act.reform(Msg::Text)} on_cursor={Callback::noop()} />
            </div>
        }
    }

    /// The drawing, to be edited.
    pub(super) fn view(&self, fit: Fit, act: &Callback<Msg>) -> Html {
        let edited = Edited {
            language: &LANGUAGE,
            editable: self.is_editable(),
            text: self.text.clone(),
            answers: self.writing.answers.clone(),
            model: self.model.clone(),
            related: self.related.clone(),
            act: act.reform(Msg::Act),
        };
        let large = !self.is_empty() && self.model.is_none() && !self.reading && self.trouble.is_none();
        html! { <DrawnView key={self.version} {edited} {fit} {large} save={act.reform(Msg::Save)} /> }
    }

    /// The drawing, to be saved as a file.
    pub(super) fn picture(&self) -> Option<Arc<Drawing>> {
        self.model.as_ref().map(|model| model.drawing.clone())
    }
}

/// The props.
#[derive(Properties, PartialEq)]
struct Props {
    /// What is edited.
    edited: Edited,
    /// How the drawing places itself.
    fit: Fit,
    /// The automaton has too many states.
    large: bool,
    /// Saves the drawing as a file.
    save: Callback<FileFormat>,
}

/// The drawing.
#[component]
fn DrawnView(props: &Props) -> Html {
    let edited = &props.edited;
    let editor = use_editor(edited);
    let Some(model) = edited.model.as_ref().filter(|model| !model.locations.is_empty()) else {
        if props.large {
            return html! { <div class="empty"><p>{ "The automaton has too many states to be drawn." }</p></div> };
        }
        return editor.empty();
    };
    let drawing = match editor.dragged() {
        Some(dragged) => moved(model, &dragged),
        None => model.drawing.clone(),
    };
    let shown = Shown {
        related: editor.related(),
        fit: props.fit,
        on_edit: edited.editable.then(|| editor.gestures()),
        card: editor.has_card().then(|| editor.card(&drawing)).flatten(),
        tools: if edited.editable { tools(edited, &editor) } else { Html::default() },
        save: Some(props.save.clone()),
        act: edited.act.clone(),
        ..Shown::alone()
    };
    let (states, transitions) = (model.locations.len(), model.edges.len());
    let size = format!("{}, {}.", count(states, "state"), count(transitions, "transition"));
    let stale = if edited.editable { size } else { "of the last text without errors".to_owned() };
    let above = above("", &Text::plain(&stale));
    html! {
        <div class={classes!("edited", (!edited.editable).then_some("stale"), editor.classes())} onfocusin={editor.user()}>
            { picture("Automaton", above, &editor.linked(&drawing), "drawn".to_owned(), &shown) }
            <p class="sr" role="status">{ editor.news() }</p>
        </div>
    }
}

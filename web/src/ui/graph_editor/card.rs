//! The card in which a location or an edge of the automaton is edited, at its place in the drawing.

use std::cell::Cell;
use std::rc::Rc;

use veristep_core::edit::automaton::Edit;
use veristep_core::edit::net::read;
use veristep_core::edit::pins::Pin;
use veristep_core::layout::Point;
use veristep_core::system::{self, EdgeId, LocationId};
use web_sys::{HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

use super::arcs::{counted, interval};
use super::charts::{self, ChartAsk, inside};
use super::completion::completions;
use super::moving::placed;
use super::several::{Arrangement, choices};
use super::text_edges::{name_of, statements, written, written_edge};
use super::{Kind, Language};
use crate::browser;
use crate::protocol::{LocationInfo, ModelInfo, Role};

/// What a card is about.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Subject {
    /// A new location, which gets this place if it has one.
    New(Option<Pin>),
    /// A location.
    Location(LocationId),
    /// The end of a new edge.
    Target(LocationId),
    /// A new edge.
    Connect(LocationId, LocationId),
    /// An edge.
    Edge(EdgeId),
    /// A new variable.
    Variable,
    /// So many locations.
    Several(usize),
}

/// An open card.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Draft {
    /// What it is about.
    pub(super) subject: Subject,
    /// The name or the statements, as typed so far.
    pub(super) text: String,
    /// The text as the card opened.
    pub(super) first: String,
    /// Of a place or a transition, its interval of time, as typed so far.
    pub(super) interval: Option<String>,
    /// While an edit is carried out: how many answers there were before.
    pub(super) asked: Option<u32>,
    /// Why the last edit was refused.
    pub(super) refused: Option<Rc<str>>,
    /// The card that is opened again after this one.
    pub(super) before: Option<Box<Draft>>,
}

/// What can be typed in a card.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Field {
    /// The name or the statements.
    Text,
    /// The interval of time.
    Interval,
}

/// What a card asks for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Ask {
    /// The typed text is complete.
    Accept,
    /// The card is not needed any more.
    Close,
    /// Another role.
    Role(system::Role),
    /// The state accepts, or not.
    Accepting(bool),
    /// The new node of a net is a transition.
    Transition,
    /// Another number of tokens.
    Tokens(u32),
    /// The arc is an inhibitor arc, or not any more.
    Inhibitor(bool),
    /// The location or the edge is to be removed.
    Delete,
    /// An edge to this location.
    To(LocationId),
    /// Another source of the edge.
    Source(LocationId),
    /// Another target of the edge.
    Target(LocationId),
    /// The card of an edge.
    Edge(EdgeId),
    /// A new variable.
    Variable,
    /// Other places for several locations.
    Arrange(Arrangement),
    /// Several locations into the clipboard.
    Copy,
    /// Several locations once more.
    Duplicate,
    /// Another structure of a chart.
    Chart(ChartAsk),
}

/// A name that no location and no variable has.
pub(super) fn new_name(model: Option<&ModelInfo>, language: &Language) -> String {
    let Language { first, letter, .. } = language;
    let Some(model) = model else { return (*first).to_owned() };
    // States without names are called by their numbers, from 0.
    let mut number = if language.kind == Kind::Buchi { model.locations.len() } else { 1 };
    loop {
        let name = format!("{letter}{number}");
        number += 1;
        let is_free = model.locations.iter().all(|location| location.name != name)
            && model.variables.iter().all(|(variable, ty)| ty.is_empty() || *variable != name);
        if is_free {
            return name;
        }
    }
}

/// A name that no node of a net has, for a transition.
pub(super) fn new_transition_name(model: &ModelInfo) -> String {
    let is_free = |name: &String| model.locations.iter().all(|location| location.name != *name);
    (1..).map(|number| format!("t{number}")).find(is_free).unwrap_or_default()
}

/// A new transition, with the name that was typed.
#[inline(never)]
pub(super) fn new_transition(draft: &Draft, place: Option<Pin>, model: Option<&ModelInfo>) -> Vec<Edit> {
    let Some(model) = model else { return Vec::new() };
    let is_typed = draft.text != draft.first;
    let name = if is_typed { draft.text.trim().to_owned() } else { new_transition_name(model) };
    vec![Edit::AddTransition { name: name.clone() }, placed(name, place, Some(model))]
}

/// The label of an arc with this weight, as typed.
pub(super) fn label(inhibitor: bool, weight: &str) -> String {
    if inhibitor { format!("inhibitor {weight}") } else { weight.to_owned() }
}

/// Is an arc of a net an inhibitor arc, and its weight.
fn arc(model: &ModelInfo, id: EdgeId) -> (bool, u32) {
    let text = model.edges.get(id.index()).map_or("", |edge| &edge.text);
    read(text).unwrap_or((false, 1))
}

impl Draft {
    /// A card as it opens.
    pub(super) fn new(
        subject: Subject,
        model: Option<&ModelInfo>,
        (language, text): (&Language, &str),
    ) -> Draft {
        let text = match (subject, model) {
            (Subject::New(_), Some(model)) if language.kind == Kind::Chart => charts::free(model),
            (Subject::New(_), model) => new_name(model, language),
            (Subject::Location(id), Some(model)) if language.kind == Kind::Chart => {
                charts::label(&name_of(model, id)).to_owned()
            }
            (Subject::Location(id), Some(model)) => name_of(model, id),
            (Subject::Edge(id), Some(model)) if language.kind == Kind::Net => arc(model, id).1.to_string(),
            (Subject::Edge(id), Some(model)) => written_edge(model, id)
                .map(|edge| statements(model, (language, text), &edge).join("\n"))
                .unwrap_or_default(),
            _ => String::new(),
        };
        let interval = interval_of(subject, model).cloned();
        Draft { subject, first: text.clone(), text, interval, asked: None, refused: None, before: None }
    }

    /// Was another interval of time typed?
    fn has_other_interval(&self, model: Option<&ModelInfo>) -> bool {
        self.interval.as_ref() != interval_of(self.subject, model)
    }

    /// Was something typed about what is there already?
    pub(super) fn is_typed(&self, model: Option<&ModelInfo>) -> bool {
        !matches!(self.subject, Subject::New(_))
            && (self.text != self.first || self.has_other_interval(model))
    }

    /// What is written when the text of the card is accepted.
    pub(super) fn accepted(&self, model: Option<&ModelInfo>) -> Vec<Edit> {
        let text = self.text.trim().to_owned();
        match (self.subject, model) {
            (Subject::New(place), Some(model)) if model.is_chart() => {
                vec![Edit::AddLocation {
                    name: inside(container_at(model, place), &text),
                    role: system::Role::Plain,
                }]
            }
            (Subject::New(place), model) => new_location(text, place, model),
            (Subject::Location(id), Some(model)) => {
                let interval = self.interval.clone().filter(|_| self.has_other_interval(Some(model)));
                let interval = interval.map(|interval| Edit::SetInterval { node: text.clone(), interval });
                let is_named = interval.is_none() || self.text != self.first;
                let name = Edit::Rename { location: name_of(model, id), name: text };
                Some(name).filter(|_| is_named).into_iter().chain(interval).collect()
            }
            (Subject::Variable, _) => {
                let (name, ty) = text.split_once(':').unwrap_or((&text, "int"));
                vec![Edit::AddVariable { name: name.trim().to_owned(), ty: ty.trim().to_owned() }]
            }
            (Subject::Connect(from, to), Some(model)) => {
                let (source, target) = (name_of(model, from), name_of(model, to));
                vec![Edit::Connect { source, target, statements: text }]
            }
            (Subject::Edge(id), Some(model)) => match written_edge(model, id) {
                Some(edge) => {
                    let statements = label(arc(model, id).0, &text);
                    vec![Edit::SetStatements { edge: edge.number, statements }]
                }
                None => vec![],
            },
            _ => vec![],
        }
    }
}

/// The state of a chart at a place.
fn container_at(model: &ModelInfo, place: Option<Pin>) -> &str {
    place.map_or("", |(x, y)| charts::container(model, Point::new(x.into(), y.into()), None))
}

/// The interval of time of a place or a transition.
fn interval_of(subject: Subject, model: Option<&ModelInfo>) -> Option<&String> {
    let Subject::Location(id) = subject else { return None };
    model?.locations.get(id.index())?.interval.as_ref()
}

/// A new location; the first one is the initial one.
pub(super) fn new_location(name: String, place: Option<Pin>, model: Option<&ModelInfo>) -> Vec<Edit> {
    let role = if model.is_some() { system::Role::Plain } else { system::Role::Initial };
    vec![Edit::AddLocation { name: name.clone(), role }, placed(name, place, model)]
}

/// A word at the beginning of a title.
fn capital(word: &str) -> String {
    let mut word = word.to_owned();
    word[..1].make_ascii_uppercase();
    word
}

/// The card.
pub(super) fn card(
    draft: &Draft,
    (model, language): (Option<&ModelInfo>, &Language),
    field: &NodeRef,
    (ask, typed): (&Callback<Ask>, &Callback<(Field, String)>),
) -> Html {
    let refused = draft.refused.as_deref();
    let is_of_interval = draft.text == draft.first && draft.has_other_interval(model);
    let named = |id: LocationId| model.map(|model| name_of(model, id)).unwrap_or_default();
    let Language { node, edge, .. } = language;
    let (title, action) = match draft.subject {
        Subject::New(_) if language.kind == Kind::Net => (format!("New {node}"), "Add place"),
        Subject::New(_) => (format!("New {node}"), "Add"),
        Subject::Variable => ("New variable".to_owned(), "Add"),
        Subject::Several(number) => (format!("{number} {node}s"), ""),
        Subject::Location(id) => {
            let place = model.is_some_and(|model| model.is_place(id));
            let kind = match language.kind {
                Kind::Net if place => "Place".to_owned(),
                Kind::Net => "Transition".to_owned(),
                _ => capital(node),
            };
            (format!("{kind} {}", named(id)), if language.kind == Kind::Net { "Apply" } else { "Rename" })
        }
        Subject::Target(id) => (format!("New {edge} from {}", named(id)), ""),
        Subject::Connect(from, to) => (format!("New {edge} {} → {}", named(from), named(to)), "Connect"),
        Subject::Edge(id) => {
            let written = model.and_then(|model| written_edge(model, id));
            let ends = written.map(|edge| format!("{} → {}", named(edge.source), named(edge.target)));
            (format!("{} {}", capital(edge), ends.unwrap_or_default()), "Apply")
        }
    };
    let onsubmit = {
        let ask = ask.clone();
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            ask.emit(Ask::Accept);
        })
    };
    let onkeydown = {
        let ask = ask.clone();
        let is_new = matches!(draft.subject, Subject::New(_)) && language.kind == Kind::Net;
        Callback::from(move |event: KeyboardEvent| by_key(&event, is_new, &ask))
    };
    html! {
        <form class="edit-card" aria-label={title.clone()} {onsubmit} {onkeydown} data-testid="edit-card">
            <div class="row"><strong>{ title }</strong><span class="grow"></span>{ button("×", "close", None, Ask::Close, ask) }</div>
            { input((draft, language), field, typed.reform(|event| (Field::Text, browser::value_of(&event))), refused.is_some() && !is_of_interval) }
            { for draft.interval.as_ref().map(|text| interval(text, refused.is_some() && draft.has_other_interval(model), typed)) }
            { for model.map(|model| completions(draft, (model, language), field, typed)) }
            if let Some(why) = refused { <p class="refused" role="alert" data-testid="refused">{ format!("{why}.") }</p> }
            if !action.is_empty() { <button type="submit" class="btn small" data-testid="accept">{ action }</button> }
            { for model.map(|model| more(draft.subject, (model, language), ask)) }
        </form>
    }
}

/// Escape closes the card; in statements, Enter writes them and begins a new line with Shift. A new node of a net is a
/// transition with Shift.
fn by_key(event: &KeyboardEvent, is_new_of_net: bool, ask: &Callback<Ask>) {
    let asked = match event.key().as_str() {
        "Escape" => Ask::Close,
        "Enter" if !event.shift_key() && event.target_dyn_into::<HtmlTextAreaElement>().is_some() => {
            Ask::Accept
        }
        "Enter" if event.shift_key() && is_new_of_net => Ask::Transition,
        _ => return,
    };
    event.stop_propagation();
    event.prevent_default();
    ask.emit(asked);
}

/// A button of a card.
#[inline(never)]
pub(super) fn button(
    label: &str,
    test: &'static str,
    pressed: Option<bool>,
    asked: Ask,
    ask: &Callback<Ask>,
) -> Html {
    let onclick = ask.reform(move |_: MouseEvent| asked);
    let pressed = pressed.map(|pressed| pressed.to_string());
    let name = (asked == Ask::Close).then_some("Close");
    let class = if matches!(asked, Ask::Edge(_) | Ask::Variable) { "link-btn" } else { "btn small" };
    html! { <button type="button" {class} aria-label={name} aria-pressed={pressed} {onclick} data-testid={test}>{ label }</button> }
}

/// The field for a name, a variable, or statements.
fn input(
    (draft, language): (&Draft, &Language),
    field: &NodeRef,
    oninput: Callback<InputEvent>,
    refused: bool,
) -> Html {
    let invalid = refused.then_some("true");
    let value = draft.text.clone();
    match draft.subject {
        Subject::Target(_) | Subject::Several(_) => Html::default(),
        Subject::Edge(_) if language.kind == Kind::Net => html! {
            <label class="row"><span>{ "Weight" }</span><input ref={field} class="field" inputmode="numeric" aria-label="Weight" aria-invalid={invalid} autocomplete="off" {value} {oninput} /></label>
        },
        Subject::Connect(..) | Subject::Edge(_) => html! {
            <textarea ref={field} class="field" aria-label={language.label} aria-invalid={invalid} spellcheck="false" rows={if language.kind == Kind::Buchi { "2" } else { "3" }}
                placeholder={language.example} title={language.enter} {value} {oninput} />
        },
        _ => {
            let about = if draft.subject == Subject::Variable { "x : int" } else { "Name" };
            html! {
                <input ref={field} class="field" aria-label={about} placeholder={about} aria-invalid={invalid} spellcheck="false" autocomplete="off" {value} {oninput} />
            }
        }
    }
}

/// What else can be done with a location or an edge.
fn more(subject: Subject, (model, language): (&ModelInfo, &Language), ask: &Callback<Ask>) -> Html {
    match subject {
        Subject::New(_) if language.kind == Kind::Net => {
            button("Add transition (Shift Enter)", "add-transition", None, Ask::Transition, ask)
        }
        Subject::New(_) | Subject::Variable => Html::default(),
        Subject::Several(_) => choices(language, ask),
        Subject::Connect(..) => variables((model, language), ask),
        Subject::Target(from) => html! {
            <>
                <p class="muted">{ format!("Click a {} in the drawing, or choose one:", language.node) }</p>
                { choose((model, language), "to", (None, !model.is_place(from)), (Ask::To, ask)) }
            </>
        },
        Subject::Location(id) => {
            let now = model.locations.get(id.index()).map(|location| location.role);
            let role = |(shown, role, word): &(Role, system::Role, &'static str)| {
                let is = now == Some(*shown);
                // Where one role is offered, it can be taken away, too.
                let asked = if is && language.roles.len() == 1 { system::Role::Plain } else { *role };
                button(word, "role", Some(is), Ask::Role(asked), ask)
            };
            let accepting = model.locations.get(id.index()).is_some_and(|location| location.accepting);
            let mut edges = Vec::new();
            for edge in written(model).iter().filter(|edge| edge.source == id) {
                let statements: Vec<&str> =
                    edge.parts.iter().map(|id| &*model.edges[id.index()].text).collect();
                let text = format!("→ {} {}", name_of(model, edge.target), statements.join("; "));
                edges.push(html! { <li>{ button(&text, "edge", None, Ask::Edge(edge.parts[0]), ask) }</li> });
            }
            html! {
                <>
                    { for model.locations.get(id.index()).and_then(|it| it.tokens).map(|tokens| counted(tokens, ask)) }
                    <div class="row" role="group" aria-label="Role" hidden={language.roles.is_empty()}>
                        { for language.roles.iter().map(role) }
                        if language.kind == Kind::Buchi { { button("accepting", "accepting", Some(accepting), Ask::Accepting(!accepting), ask) } }
                    </div>
                    if language.kind == Kind::Chart {
                        { charts::structure_fields(model, id, ask) }
                    }
                    { choose((model, language), &format!("{} to", language.edge), (None, !model.is_place(id)), (Ask::To, ask)) }
                    <ul>{ for edges }</ul>
                    { button("Delete", "delete", None, Ask::Delete, ask) }
                </>
            }
        }
        Subject::Edge(id) => {
            let Some(edge) = written_edge(model, id) else { return Html::default() };
            html! {
                <>
                    if language.kind == Kind::Net && model.is_place(edge.source) {
                        { button("inhibitor arc", "inhibitor", Some(arc(model, id).0), Ask::Inhibitor(!arc(model, id).0), ask) }
                    }
                    { choose((model, language), "from", (Some(edge.source), model.is_place(edge.source)), (Ask::Source, ask)) }
                    { choose((model, language), "to", (Some(edge.target), model.is_place(edge.target)), (Ask::Target, ask)) }
                    { variables((model, language), ask) }
                    { button("Delete", "delete", None, Ask::Delete, ask) }
                </>
            }
        }
    }
}

/// The variables that statements can use, and a new one; of letters, the atoms.
fn variables((model, language): (&ModelInfo, &Language), ask: &Callback<Ask>) -> Html {
    let names: Vec<&str> = model.variables.iter().map(|(name, _)| name.as_str()).collect();
    if language.kind == Kind::Net || language.kind == Kind::Chart {
        return Html::default();
    }
    if language.kind == Kind::Buchi {
        return html! { <p class="row muted">{ format!("Atoms: {}", if names.is_empty() { "none yet".to_owned() } else { names.join(", ") }) }</p> };
    }
    let names = if names.is_empty() { "no variables".to_owned() } else { names.join(", ") };
    html! { <p class="row"><span class="muted">{ names }</span>{ button("new variable", "new-variable", None, Ask::Variable, ask) }</p> }
}

/// A choice of a location; of a net, among the places or among the transitions.
#[inline(never)]
fn choose(
    (model, language): (&ModelInfo, &Language),
    label: &str,
    (now, place): (Option<LocationId>, bool),
    asked: (fn(LocationId) -> Ask, &Callback<Ask>),
) -> Html {
    let offered = |it: &LocationInfo| match language.kind {
        Kind::Net => it.tokens.is_some() == place,
        _ => it.role != Role::Between,
    };
    let all = (0..).zip(&model.locations).filter(|(_, location)| offered(location));
    let all: Vec<_> = all.map(|(at, location)| (LocationId(at), location.name.clone())).collect();
    select(label, (&format!("choose a {}", language.node), now), &all, asked)
}

/// A choice of one of these; a text is shown if none of them is chosen now.
#[inline(never)]
pub(super) fn select(
    label: &str,
    (none, now): (&str, Option<LocationId>),
    all: &[(LocationId, String)],
    (asked, ask): (fn(LocationId) -> Ask, &Callback<Ask>),
) -> Html {
    let chosen = {
        let ask = ask.clone();
        move |select: Option<HtmlSelectElement>| {
            if let Some(id) = select.and_then(|it| it.value().parse().ok()) {
                ask.emit(asked(LocationId(id)));
            }
        }
    };
    // Keys go through the choices; Enter takes one.
    let keyed = Rc::new(Cell::new(false));
    let onchange = {
        let (chosen, keyed) = (chosen.clone(), keyed.clone());
        Callback::from(move |event: Event| {
            if !keyed.get() {
                chosen(event.target_dyn_into());
            }
        })
    };
    let onkeydown = {
        let keyed = keyed.clone();
        Callback::from(move |event: KeyboardEvent| match event.key().as_str() {
            "Enter" => {
                event.prevent_default();
                event.stop_propagation();
                chosen(event.target_dyn_into());
            }
            "Tab" | "Escape" => {}
            _ => keyed.set(true),
        })
    };
    let onpointerdown = Callback::from(move |_: PointerEvent| keyed.set(false));
    let shown = |(id, name): &(LocationId, String)| {
        html! { <option value={id.0.to_string()} selected={now == Some(*id)}>{ name }</option> }
    };
    let none_yet = now.is_none().then(|| html! { <option value="" selected=true>{ none }</option> });
    html! { <label class="row"><span>{ label }</span><select class="field" title="Keys: arrows, then Enter" {onchange} {onkeydown} {onpointerdown}>{ for none_yet }{ for all.iter().map(shown) }</select></label> }
}

/// The first field of the open card, or the first of its choices.
const FIELD: &str = ".edit-card :is(.field, select, [data-testid=arrange])";

/// Focuses the first field of the card.
pub(super) fn focus(field: &NodeRef) {
    browser::focus(FIELD);
    // Where the card replaces another one, its field is there after the next frame only.
    browser::after_frame(|| {
        if browser::document().query_selector(".edit-card :focus").ok().flatten().is_none() {
            browser::focus(FIELD);
        }
    });
    if let Some(input) = field.cast::<HtmlInputElement>() {
        input.select();
    }
}

#[cfg(test)]
mod tests {
    use super::super::text_edges::tests::{TEXT, model};
    use super::*;
    use crate::ui::cfa_view::LANGUAGE;

    #[test]
    fn statements_are_written_into_their_edge() {
        let model = model();
        for id in [0, 1] {
            let draft = Draft::new(Subject::Edge(EdgeId(id)), Some(&model), (&LANGUAGE, TEXT));
            assert_eq!(draft.text, "x := 1\nx := 2");
            let edit = Edit::SetStatements { edge: 0, statements: draft.text.clone() };
            assert_eq!(draft.accepted(Some(&model)), [edit]);
        }
    }

    #[test]
    fn new_names_are_free() {
        assert_eq!(new_name(None, &LANGUAGE), "start");
        assert_eq!(new_name(Some(&model()), &LANGUAGE), "l2");
        let first = Draft::new(Subject::New(None), None, (&LANGUAGE, "")).accepted(None);
        assert!(matches!(&first[..], [Edit::AddLocation { role: system::Role::Initial, .. }, _]));
        let variable =
            Draft { text: " y : bool ".to_owned(), ..Draft::new(Subject::Variable, None, (&LANGUAGE, "")) };
        assert_eq!(
            variable.accepted(None),
            [Edit::AddVariable { name: "y".to_owned(), ty: "bool".to_owned() }]
        );
    }
}

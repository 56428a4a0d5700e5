//! Editing the automaton in its drawing: gestures become edits, which the engine writes into the text.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use veristep_core::edit::automaton::Edit;
use veristep_core::edit::pins::pin;
use veristep_core::layout::{Point, Size};
use veristep_core::scene::{Drawing, Line, Rect};
use veristep_core::system::LocationId;
use yew::prelude::*;

use super::card::{self, Ask, Draft, Field, Subject};
use super::charts::{self, ChartAsk};
use super::moving::Dragged;
use super::text_edges::{name_of, written, written_edge};
use super::things::Part;
use super::{Edited, Kind};
use crate::browser;
use crate::protocol::{ModelInfo, Role};
use crate::state::Action;
use crate::text::decimal;
use crate::ui::scene::{Card, Carried, DragPart, Gesture};

/// The drawing, and what has the focus after a card.
const CANVAS: &str = ".edited svg.drawing";

/// What is open or drawn while the automaton is edited.
#[derive(Clone, PartialEq, Default)]
pub(super) struct Open {
    /// The open card.
    pub(super) draft: Option<Draft>,
    /// The nodes that are dragged.
    pub(super) dragged: Option<Dragged>,
    /// They are moved by keys.
    pub(super) carried: bool,
    /// The line from a handle to the pointer.
    pub(super) line: Option<(Point, Point)>,
    /// The names of the chosen locations.
    pub(super) chosen: Rc<BTreeSet<String>>,
    /// Those that were chosen before the frame.
    pub(super) before: Rc<BTreeSet<String>>,
    /// The frame around what is chosen.
    pub(super) marquee: Option<Rect>,
    /// Without Shift, too, clicks and drags choose locations.
    pub(super) choosing: bool,
    /// It had the focus, so that copying and pasting can concern it.
    pub(super) used: bool,
    /// What was edited, for screen readers.
    pub(super) news: String,
}

/// What is done with a location, given by its name.
pub(super) enum Then {
    /// It gets the focus.
    Focus(String),
    /// Its card is opened.
    Open(String),
}

/// What is done once the page shows it.
#[derive(Default)]
pub(super) struct Next {
    /// What is done with a location once it is there.
    pub(super) then: Option<Then>,
    /// After nodes were dropped: how many answers there were before.
    pub(super) dropped: Option<u32>,
    /// The card whose first field has got the focus.
    card: Option<Subject>,
    /// While a location is added: how many answers there were before. Another one would get the same name.
    adding: Option<u32>,
    /// The model that the open card is about. One edit may be carried out that keeps its numbers.
    pub(super) of: Option<(Rc<ModelInfo>, bool)>,
    /// The tokens that a key gave to a place of this model.
    pub(super) counted: Option<(Rc<ModelInfo>, LocationId, u32)>,
    /// The locations before some were pasted, and how many answers there were.
    pub(super) pasted: Option<(BTreeSet<String>, u32)>,
}

/// The editor of a model.
pub struct Editor {
    pub(super) open: UseStateHandle<Open>,
    /// The first field of the card.
    field: NodeRef,
    pub(super) next: Rc<RefCell<Next>>,
    pub(super) edited: Edited,
}

/// The editor of the model.
#[hook]
pub fn use_editor(edited: &Edited) -> Rc<Editor> {
    let editor = Rc::new(Editor {
        open: use_state_eq(Open::default),
        field: use_node_ref(),
        next: use_mut_ref(Next::default),
        edited: edited.clone(),
    });
    {
        let editor = editor.clone();
        let subject = editor.open.draft.as_ref().map(|draft| draft.subject);
        use_effect_with((edited.answers.clone(), edited.model.clone(), subject), move |_| editor.follow());
    }
    {
        let editor = editor.clone();
        use_effect(move || {
            let heard = editor.listen();
            move || heard.into_iter().for_each(|end| end())
        });
    }
    editor
}

impl Editor {
    /// What was edited, for screen readers.
    pub fn news(&self) -> &str {
        &self.open.news
    }

    /// The nodes that are dragged.
    pub fn dragged(&self) -> Option<Dragged> {
        self.open.dragged.clone()
    }

    /// What gestures depend on, as classes.
    pub fn classes(&self) -> Classes {
        let several = !self.open.chosen.is_empty();
        if !self.edited.editable {
            return Classes::new();
        }
        classes!(
            several.then_some("several"),
            (self.edited.language.kind == Kind::Net).then_some("of-net"),
            self.open.choosing.then_some("choosing"),
            self.open.carried.then_some("carrying")
        )
    }

    /// Notes that it has the focus.
    pub fn user(self: &Rc<Self>) -> Option<Callback<FocusEvent>> {
        let editor = self.clone();
        let unused = self.edited.editable && !self.open.used;
        unused.then(|| Callback::from(move |_| editor.change(&mut |open| open.used = true)))
    }

    /// Do clicks choose several locations without Shift?
    pub(super) fn is_choosing(&self) -> bool {
        self.open.choosing
    }

    /// Lets clicks and drags choose several locations, or not any more.
    pub(super) fn chooser(self: &Rc<Self>) -> Callback<MouseEvent> {
        let editor = self.clone();
        Callback::from(move |_| editor.change(&mut |open| open.choosing = !open.choosing))
    }

    /// Changes what is open.
    pub(super) fn change(&self, change: &mut dyn FnMut(&mut Open)) {
        let mut open = Open::clone(&self.open);
        change(&mut open);
        self.open.set(open);
    }

    /// A card as it opens.
    fn draft(&self, subject: Subject) -> Draft {
        Draft::new(subject, self.edited.model.as_deref(), (self.edited.language, &self.edited.text))
    }

    /// Opens a card.
    pub(super) fn card_of(&self, subject: Subject) {
        let draft = self.draft(subject);
        self.show(draft);
    }

    fn show(&self, draft: Draft) {
        self.next.borrow_mut().of = self.edited.model.clone().map(|model| (model, false));
        self.change(&mut |open| (open.line, open.draft) = (None, Some(draft.clone())));
    }

    /// Edits at once, without a card; a new location gets the focus.
    pub(super) fn edit(&self, edits: Vec<Edit>, news: &str) {
        if let Some(Edit::AddLocation { name, .. } | Edit::AddTransition { name }) = edits.first() {
            let mut next = self.next.borrow_mut();
            if next.adding.replace(self.edited.answers.count) == Some(self.edited.answers.count) {
                return;
            }
            next.then = Some(Then::Focus(name.clone()));
        }
        self.change(&mut |open| {
            open.line = None;
            news.clone_into(&mut open.news);
        });
        self.edited.act.emit(Action::Edit(edits, false));
    }

    /// What the page has to do after its state changed.
    fn follow(&self) {
        if let Some(draft) = &self.open.draft {
            self.follow_card(draft);
        }
        self.follow_dropped();
        self.follow_chosen();
        let mut next = self.next.borrow_mut();
        let subject = self.open.draft.as_ref().map(|draft| draft.subject);
        if next.card != subject {
            match subject {
                Some(_) => card::focus(&self.field),
                None => browser::focus(CANVAS),
            }
            next.card = subject;
        }
        let Some(model) = &self.edited.model else { return };
        let place = |then: &Then| {
            let (Then::Focus(name) | Then::Open(name)) = then;
            model.locations.iter().position(|it| it.name == *name).map(LocationId::new)
        };
        let Some(id) = next.then.as_ref().and_then(place) else { return };
        let then = next.then.take();
        drop(next);
        let key = model.key(id);
        match then {
            Some(Then::Open(_)) => self.card_of(Subject::Location(id)),
            _ => browser::after_frame(move || browser::focus(&format!(".edited [data-key={key}]"))),
        }
    }

    /// An edit that was carried out closes its card; a refusal is shown there. A card about another model closes, too.
    fn follow_card(&self, draft: &Draft) {
        let answers = &self.edited.answers;
        let is_answered = draft.asked.is_some_and(|before| before < answers.count);
        let mut next = self.next.borrow_mut();
        if let Some(why) = answers.refused.clone().filter(|_| is_answered) {
            next.then = None;
            return self.change(&mut |open| {
                open.draft
                    .iter_mut()
                    .for_each(|draft| (draft.asked, draft.refused) = (None, Some(why.clone())));
            });
        }
        let of_other = match (&mut next.of, &self.edited.model) {
            (Some((of, keeps)), Some(model)) if !Rc::ptr_eq(of, model) => {
                // The picture may have changed, for example since a run goes on.
                let same = (&of.locations, &of.edges) == (&model.locations, &model.edges);
                *of = model.clone();
                !same && !std::mem::take(keeps) && !matches!(draft.subject, Subject::Several(_))
            }
            _ => false,
        };
        if is_answered || (of_other && draft.asked.is_none()) {
            let before = draft.before.as_deref().filter(|_| is_answered).cloned();
            if let Some((_, keeps)) = &mut next.of {
                *keeps = before.is_some();
            }
            self.change(&mut |open| {
                open.draft.clone_from(&before);
                open.news = format!("The {} was changed.", self.edited.language.whole);
            });
        }
    }

    /// Opens the card of a new location.
    pub(super) fn opener(self: &Rc<Self>, subject: Subject) -> Callback<MouseEvent> {
        let editor = self.clone();
        Callback::from(move |_| editor.card_of(subject))
    }

    /// What of the selection can be edited.
    pub(super) fn selected(&self) -> Option<Subject> {
        match &self.chosen()[..] {
            [] => {}
            [(one, _)] => return Some(Subject::Location(*one)),
            many => return Some(Subject::Several(many.len())),
        }
        let related = &*self.edited.related;
        let model = self.edited.model.as_ref()?;
        let (edges, locations) = (model.selected_edges(related), model.selected_nodes(related));
        let mut all = (edges.iter(), locations.iter());
        match (all.0.next(), all.0.next(), all.1.next(), all.1.next()) {
            (Some(edge), None, ..) => Some(Subject::Edge(*edge)),
            (None, None, Some(location), None) => Some(Subject::Location(*location)),
            _ => None,
        }
        .filter(|_| related.nodes.len() != 1)
    }

    /// Is a card open? Its code is loaded after that of the first drawing.
    pub fn has_card(&self) -> bool {
        self.edited.editable && self.open.draft.is_some()
    }

    /// The open card at its place.
    #[inline(never)]
    pub fn card(self: &Rc<Self>, drawing: &Drawing) -> Option<Card> {
        let draft = self.open.draft.as_ref()?;
        let model = self.edited.model.as_deref();
        let node = |id: LocationId| drawing.node(&model?.key(id)).map(|node| node.rect);
        // A variable is declared beside the card that needs it.
        let subject = draft.before.as_ref().map_or(draft.subject, |before| before.subject);
        let at = match subject {
            Subject::Variable => None,
            Subject::New(place) => {
                place.map(|(x, y)| Rect::around(Point::new(x.into(), y.into()), Size::default()))
            }
            Subject::Location(id) | Subject::Target(id) | Subject::Connect(_, id) => node(id),
            Subject::Several(_) => self.chosen().iter().filter_map(|(id, _)| node(*id)).reduce(Rect::with),
            Subject::Edge(id) => {
                let edge = model.and_then(|model| model.edge_in(drawing, id));
                edge.and_then(|edge| edge.plate().or_else(|| edge.extent()))
            }
        };
        let (asking, typing) = (self.clone(), self.clone());
        let ask = Callback::from(move |asked| asking.ask(asked));
        let typed = Callback::from(move |(field, text): (Field, String)| {
            typing.change(&mut |open| {
                open.draft.iter_mut().for_each(|draft| match field {
                    Field::Text => draft.text.clone_from(&text),
                    Field::Interval => draft.interval = Some(text.clone()),
                });
            });
        });
        let about = (model, self.edited.language);
        let body = card::card(draft, about, &self.field, (&ask, &typed));
        Some(Card { at: at.unwrap_or_default(), body })
    }

    /// Does what a card asks for, unless an edit is being carried out.
    fn ask(&self, asked: Ask) {
        let Some(draft) =
            self.open.draft.as_ref().filter(|draft| draft.asked.is_none() || asked == Ask::Close)
        else {
            return;
        };
        let model = self.edited.model.as_deref();
        // What was typed is not lost when something else is chosen.
        let typed = if draft.is_typed(model) { draft.accepted(model) } else { vec![] };
        let kept = Some(Box::new(draft.clone())).filter(|_| !typed.is_empty());
        let edits = match (asked, draft.subject) {
            (Ask::Accept, _) => draft.accepted(model),
            (Ask::Close, _) => {
                let before = draft.before.as_deref().cloned();
                return self.change(&mut |open| open.draft.clone_from(&before));
            }
            (Ask::Variable, _) => {
                let before = Some(Box::new(Draft { refused: None, ..draft.clone() }));
                return self.show(Draft { before, ..self.draft(Subject::Variable) });
            }
            (_, Subject::Several(_)) => return self.ask_several(asked),
            (Ask::Chart(asked), Subject::Location(id)) => {
                let Some(model) = model else { return };
                // What was typed is its name by then.
                let state = charts::renamed(model, id, draft.text.trim());
                let is_folded = model.locations.get(id.index()).is_some_and(|it| it.folded == Some(true));
                typed.into_iter().chain(charts::asked(model, asked, &[state], is_folded)).collect()
            }
            (Ask::Edge(id), _) => {
                return self.show(Draft { before: kept, ..self.draft(Subject::Edge(id)) });
            }
            (Ask::Tokens(tokens), Subject::Location(id)) => return self.set_tokens(id, tokens),
            (Ask::Transition, Subject::New(place)) => card::new_transition(draft, place, model),
            (Ask::To(to), Subject::Location(from) | Subject::Target(from)) if self.is_net() => {
                typed.into_iter().chain(self.arc(from, to)).collect()
            }
            (Ask::To(to), Subject::Location(from) | Subject::Target(from)) => {
                let edge = self.draft(Subject::Connect(from, to));
                return self.show(Draft { before: kept, ..edge });
            }
            (_, subject) => {
                let chosen = self.for_choice(asked, subject, draft.text.trim());
                typed.into_iter().filter(|_| asked != Ask::Delete).chain(chosen).collect()
            }
        };
        if edits.is_empty() {
            return;
        }
        // A new state is named at once.
        let opens = matches!(asked, Ask::Chart(ChartAsk::Substate | ChartAsk::Wrap));
        let about = edits.last().and_then(|edit| self.about(edit));
        self.next.borrow_mut().then = about.map(if opens { Then::Open } else { Then::Focus });
        self.change(&mut |open| {
            let count = self.edited.answers.count;
            open.draft.iter_mut().for_each(|draft| (draft.asked, draft.refused) = (Some(count), None));
        });
        self.edited.act.emit(Action::Edit(edits, true));
    }

    /// The location that an edit in a card is about: of an edge, its source.
    fn about(&self, edit: &Edit) -> Option<String> {
        let of = |edge: usize| {
            let model = self.edited.model.as_deref()?;
            written(model).into_iter().nth(edge).map(|edge| name_of(model, edge.source))
        };
        match edit {
            Edit::AddLocation { name, .. } | Edit::AddTransition { name } | Edit::Rename { name, .. } => {
                Some(name.clone())
            }
            Edit::SetTokens { place: node, .. } | Edit::SetInterval { node, .. } => Some(node.clone()),
            Edit::SetRole { location, .. } => Some(location.clone()),
            Edit::SetAccepting { locations, .. } => locations.first().cloned(),
            Edit::Connect { source, .. } | Edit::Reconnect { source, .. } => Some(source.clone()),
            Edit::SetStatements { edge, .. } => of(*edge),
            Edit::Move { places } => places.first().map(|(name, _)| name.clone()),
            Edit::Chart(edit) => charts::about(edit),
            _ => None,
        }
    }

    /// The edit for a choice in the card of a location, which has this name by then, or of an edge.
    fn for_choice(&self, asked: Ask, subject: Subject, name: &str) -> Option<Edit> {
        let model = self.edited.model.as_deref()?;
        match (asked, subject) {
            (Ask::Role(role), Subject::Location(id)) => {
                Some(Edit::SetRole { location: charts::renamed(model, id, name), role })
            }
            (Ask::Accepting(accepting), Subject::Location(_)) => {
                Some(Edit::SetAccepting { locations: vec![name.to_owned()], accepting })
            }
            (Ask::Delete, Subject::Location(id)) => {
                Some(Edit::Delete { locations: vec![name_of(model, id)], edges: vec![] })
            }
            (_, Subject::Edge(id)) => {
                let edge = written_edge(model, id)?;
                let (source, target) = match asked {
                    Ask::Inhibitor(inhibitor) => {
                        let statements = card::label(inhibitor, name);
                        return Some(Edit::SetStatements { edge: edge.number, statements });
                    }
                    Ask::Delete => return Some(Edit::Delete { locations: vec![], edges: vec![edge.number] }),
                    Ask::Source(source) => (source, edge.target),
                    Ask::Target(target) => (edge.source, target),
                    _ => return None,
                };
                let (source, target) = (name_of(model, source), name_of(model, target));
                Some(Edit::Reconnect { edge: edge.number, source, target })
            }
            _ => None,
        }
    }

    /// In place of a drawing: an empty text can become one, also by pasting.
    pub fn empty(self: &Rc<Self>) -> Html {
        let body = match self.edited.editable {
            true => self.begin(),
            false => html! {
                <div class="empty"><p>{ "The drawing appears here once the text has no errors." }</p></div>
            },
        };
        html! { <div class="edited" onfocusin={self.user()}>{ body }</div> }
    }

    #[inline(never)]
    fn begin(self: &Rc<Self>) -> Html {
        match self.card(&Drawing::default()) {
            Some(card) => html! { <div class="over listed">{ card.body }</div> },
            None => html! {
                <div class="empty">
                    <p>{ format!("There is no {} yet. Draw one, or paste a copied part (Ctrl V).", self.edited.language.whole) }</p>
                    <button class="btn primary" onclick={self.opener(Subject::New(None))} data-testid="first-location">{ if self.is_net() { "Draw the first place".to_owned() } else { format!("Draw the first {}", self.edited.language.node) } }</button>
                </div>
            },
        }
    }

    /// The drawing with the line from a handle to the pointer, or with the frame around what is chosen.
    #[inline(never)]
    pub fn linked(&self, drawing: &Arc<Drawing>) -> Arc<Drawing> {
        let path = match (self.open.line, self.open.marquee) {
            (Some((from, to)), _) => {
                let [x, y, to_x, to_y] = [from.x, from.y, to.x, to.y].map(|side| decimal(side, 1));
                format!("M{x} {y}L{to_x} {to_y}")
            }
            (None, Some(Rect { x, y, width, height })) => {
                let [x, y, width, height] = [x, y, width, height].map(|side| decimal(side, 1));
                format!("M{x} {y}h{width}v{height}h-{width}z")
            }
            (None, None) => return drawing.clone(),
        };
        let mut drawing = Drawing::clone(drawing);
        drawing.lines.push(Line { path, marks: Vec::new() });
        Arc::new(drawing)
    }

    /// What gestures do.
    pub fn gestures(self: &Rc<Self>) -> Callback<Gesture> {
        let editor = self.clone();
        Callback::from(move |gesture| editor.gesture(gesture))
    }

    #[inline(never)]
    fn gesture(&self, gesture: Gesture) {
        let Some(model) = &self.edited.model else { return };
        // Nodes between statements are not in the text.
        let between = |key: &str| match model.part(key) {
            Some(Part::Node(id)) => {
                model.locations.get(id.index()).is_some_and(|location| location.role == Role::Between)
            }
            _ => false,
        };
        if let Gesture::Open { key: Some(key), .. } | Gesture::Delete(key) | Gesture::Append(key, _) =
            &gesture
            && between(key)
        {
            return;
        }
        match gesture {
            Gesture::Drag { key, by, part } => self.drag(model, &key, by, part),
            Gesture::Link { from, at, to, part } => self.link(model, &from, (at, to), part),
            Gesture::Reconnect { edge, end, at, to, part } => {
                self.reconnect(model, (&edge, end), (at, to), part);
            }
            Gesture::Choose { key: Some(key), .. } if self.target_of().is_some() => {
                self.connect_to(model, &key);
            }
            Gesture::Choose { .. } if self.open.carried => self.carry(model, &Carried::Put),
            Gesture::Choose { key, more } => self.choose(model, key.as_deref(), more),
            Gesture::Marquee { frame, part } => self.choose_within(model, frame, part),
            Gesture::ChooseAll => self.choose_all(model),
            Gesture::Duplicate => self.duplicate(),
            Gesture::Carry(carried) => self.carry(model, &carried),
            Gesture::Open { key: None, at } => self.card_of(Subject::New(Some(pin(at)))),
            Gesture::Open { key: Some(key), .. } => match model.part(&key) {
                Some(Part::Node(id)) => match self.together_with(id).len() {
                    many @ 2.. => self.card_of(Subject::Several(many)),
                    _ => self.card_of(Subject::Location(id)),
                },
                Some(Part::Edge(id)) => self.card_of(Subject::Edge(id)),
                None => {}
            },
            Gesture::Connect(key) => {
                if let Some(Part::Node(id)) = model.part(&key) {
                    self.card_of(Subject::Target(id));
                }
            }
            Gesture::Delete(key) => self.delete(model, &key),
            Gesture::Append(key, towards) => self.append(model, &key, towards),
            Gesture::Count { key, more } => self.count(model, &key, more),
        }
    }

    /// Removes a location with its edges, with all that are chosen if it is one of them, or an edge.
    fn delete(&self, model: &ModelInfo, key: &str) {
        browser::focus(CANVAS);
        match model.part(key) {
            Some(Part::Node(id)) => self.delete_locations(&self.together_with(id)),
            Some(Part::Edge(id)) => {
                let Some(edge) = written_edge(model, id) else { return };
                let edit = Edit::Delete { locations: vec![], edges: vec![edge.number] };
                self.edit(vec![edit], &format!("The {} was deleted.", self.edited.language.edge));
            }
            None => {}
        }
    }

    /// A line is drawn from the handle of a node to another one, or to a place for a new one.
    fn link(&self, model: &ModelInfo, from: &str, (at, to): (Point, Option<String>), part: DragPart) {
        let Some(Part::Node(source)) = model.part(from) else { return };
        if part != DragPart::Drop {
            let node = model.drawing.node(from).filter(|_| part != DragPart::GiveUp);
            let line = node.map(|node| (Point::new(node.rect.right(), node.rect.centre().y), at));
            return self.change(&mut |open| open.line = line);
        }
        match to.as_deref().and_then(|to| model.part(to)) {
            Some(Part::Node(target)) => self.connect(source, target),
            _ => self.connect_new(model, source, Some(pin(at))),
        }
    }
}

//! Several locations: choosing, arranging, copying and deleting them.

use std::collections::BTreeSet;
use std::rc::Rc;

use veristep_core::edit::automaton::Edit;
use veristep_core::edit::pins::pin;
use veristep_core::layout::{Point, Size};
use veristep_core::scene::Rect;
use veristep_core::system::LocationId;
use yew::prelude::*;

use super::card::{Ask, Subject, button};
use super::charts::{self, ChartAsk};
use super::editor::{Editor, Open, Then};
use super::text_edges::{name_of, part};
use super::things::Part;
use super::{Kind, Language};
use crate::browser;
use crate::protocol::{ModelInfo, Role};
use crate::state::Related;
use crate::ui::scene::DragPart;

/// How several locations are arranged.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Arrangement {
    /// At one height.
    Row,
    /// One below the other.
    Column,
    /// With equal distances, from left to right.
    Across,
    /// With equal distances, from top to bottom.
    Down,
}

impl Arrangement {
    /// All with their names.
    pub(super) const ALL: [(Arrangement, &'static str); 4] = [
        (Arrangement::Row, "in a row"),
        (Arrangement::Column, "in a column"),
        (Arrangement::Across, "spread across"),
        (Arrangement::Down, "spread down"),
    ];

    /// The places of these middles.
    fn places(self, middles: &[Point]) -> Vec<Point> {
        let (x, y): (Vec<f64>, Vec<f64>) = middles.iter().map(|at| (at.x, at.y)).unzip();
        let (x, y) = match self {
            Arrangement::Row => (apart(&x, &y, APART.0), level(&y)),
            Arrangement::Column => (level(&x), apart(&y, &x, APART.1)),
            Arrangement::Across => (spread(&x), y),
            Arrangement::Down => (x, spread(&y)),
        };
        x.into_iter().zip(y).map(|(x, y)| Point::new(x, y)).collect()
    }
}

/// The least distances of locations in a row and in a column.
const APART: (f64, f64) = (110.0, 70.0);

/// Numbers in the same order, of the same ones in that of others, with at least this distance.
fn apart(sides: &[f64], others: &[f64], least: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..sides.len()).collect();
    order.sort_by(|a, b| sides[*a].total_cmp(&sides[*b]).then(others[*a].total_cmp(&others[*b])));
    let mut new = sides.to_vec();
    for pair in order.windows(2) {
        new[pair[1]] = new[pair[1]].max(new[pair[0]] + least);
    }
    new
}

/// For each number the mean of all.
fn level(sides: &[f64]) -> Vec<f64> {
    vec![sides.iter().sum::<f64>() / sides.len().max(1) as f64; sides.len()]
}

/// Numbers in the same order and with the same ends, with equal distances.
fn spread(sides: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..sides.len()).collect();
    order.sort_by(|one, other| sides[*one].total_cmp(&sides[*other]));
    let mut new = sides.to_vec();
    if let (Some(first), Some(last)) = (order.first(), order.last()) {
        let (low, high) = (sides[*first], sides[*last]);
        let step = (high - low) / (sides.len().max(2) - 1) as f64;
        for (place, at) in order.iter().enumerate() {
            new[*at] = low + step * place as f64;
        }
    }
    new
}

/// The locations of the text, with their numbers.
fn locations(model: &ModelInfo) -> impl Iterator<Item = (LocationId, &str)> {
    let all = (0..).map(LocationId).zip(&model.locations);
    all.filter(|(_, location)| location.role != Role::Between)
        .map(|(id, location)| (id, location.name.as_str()))
}

impl Editor {
    /// The chosen locations that the model has.
    pub(super) fn chosen(&self) -> Vec<(LocationId, &str)> {
        let model = self.edited.model.as_deref().filter(|_| !self.open.chosen.is_empty());
        let all = model.into_iter().flat_map(locations);
        all.filter(|(_, name)| self.open.chosen.contains(*name)).collect()
    }

    /// The chosen locations, or what is related to the selection.
    pub fn related(&self) -> Rc<Related> {
        let chosen = self.chosen();
        match &self.edited.model {
            Some(model) if !chosen.is_empty() => {
                Related::of_nodes(model, chosen.iter().map(|(id, _)| *id)).into()
            }
            _ => self.edited.related.clone(),
        }
    }

    /// The locations that an edit at a location is about: all that are chosen, if it is one of them.
    pub(super) fn together_with(&self, id: LocationId) -> Vec<(LocationId, &str)> {
        let chosen = self.chosen();
        if chosen.iter().any(|(one, _)| *one == id) {
            return chosen;
        }
        self.edited.model.iter().flat_map(|model| locations(model)).filter(|(one, _)| *one == id).collect()
    }

    /// Other locations are chosen.
    fn choose_names(&self, names: BTreeSet<String>, marquee: Option<Rect>) {
        let names = Rc::new(names);
        let node = self.edited.language.node;
        self.change(&mut |open| {
            if open.chosen != names {
                open.news = match names.len() {
                    0 => String::new(),
                    1 => format!("1 {node} is chosen."),
                    many => format!("{many} {node}s are chosen."),
                };
                open.draft.take_if(|draft| matches!(draft.subject, Subject::Several(_)));
            }
            (open.chosen, open.marquee) = (names.clone(), marquee);
        });
    }

    /// A click or its key at a location, or beside all.
    #[inline(never)]
    pub(super) fn choose(&self, model: &ModelInfo, key: Option<&str>, more: bool) {
        let id = match key.and_then(|key| model.part(key)) {
            Some(Part::Node(id)) => Some(id),
            _ => None,
        };
        let found = locations(model).find(|(one, _)| id == Some(*one)).map(|(_, name)| name.to_owned());
        let Some(clicked) = found.filter(|_| more) else {
            if !more {
                self.choose_names(BTreeSet::new(), None);
            }
            return;
        };
        let mut names = BTreeSet::clone(&self.open.chosen);
        if names.is_empty()
            && let Some(Subject::Location(first)) = self.selected()
        {
            names.insert(name_of(model, first));
        }
        if self.open.chosen.contains(&clicked) {
            names.remove(&clicked);
        } else {
            names.insert(clicked);
        }
        self.choose_names(names, None);
    }

    /// All locations are chosen.
    pub(super) fn choose_all(&self, model: &ModelInfo) {
        self.choose_names(locations(model).map(|(_, name)| name.to_owned()).collect(), None);
    }

    /// The locations within a frame are chosen, too.
    #[inline(never)]
    pub(super) fn choose_within(&self, model: &ModelInfo, frame: Rect, part: DragPart) {
        let within = |id: LocationId| {
            let node = model.drawing.node(&model.key(id));
            node.is_some_and(|node| frame.meets(&Rect::around(node.rect.centre(), Size::new(1.0, 1.0))))
        };
        let before = if part == DragPart::First { &self.open.chosen } else { &self.open.before }.clone();
        let mut names = BTreeSet::clone(&before);
        if part != DragPart::GiveUp {
            names.extend(locations(model).filter(|(id, _)| within(*id)).map(|(_, name)| name.to_owned()));
        }
        let drawn = matches!(part, DragPart::First | DragPart::Next);
        self.choose_names(names, Some(frame).filter(|_| drawn));
        self.change(&mut |open| open.before = before.clone());
    }

    /// The text of the chosen locations, or of the selected one, for the clipboard.
    fn copied(&self) -> Option<String> {
        let model = self.edited.model.as_deref()?;
        let mut names: Vec<String> = self.chosen().iter().map(|(_, name)| (*name).to_owned()).collect();
        if let (true, Some(Subject::Location(id))) = (names.is_empty(), self.selected()) {
            names.push(name_of(model, id));
        }
        let part = part(model, (self.edited.language, &self.edited.text), &names);
        Some((self.edited.language.copied)(&part)).filter(|text| !text.is_empty())
    }

    /// Pastes a part of an automaton, whose locations are chosen then.
    fn paste(&self, text: String) {
        let model = self.edited.model.iter();
        let names = model.flat_map(|model| &model.locations).map(|location| location.name.clone());
        self.next.borrow_mut().pasted = Some((names.collect(), self.edited.answers.count));
        self.edit(vec![Edit::Paste { text }], "");
    }

    /// Locations that were pasted are chosen once they are there; what is not there any more is not chosen.
    pub(super) fn follow_chosen(&self) {
        let Some(model) = &self.edited.model else { return };
        let mut next = self.next.borrow_mut();
        let answers = &self.edited.answers;
        next.pasted.take_if(|(_, count)| answers.refused.is_some() && *count < answers.count);
        let is_new = |before: &BTreeSet<String>| locations(model).any(|(_, name)| !before.contains(name));
        let pasted = next.pasted.take_if(|(before, _)| is_new(before));
        drop(next);
        let there = |name: &str| match &pasted {
            Some((before, _)) => !before.contains(name),
            None => self.open.chosen.contains(name),
        };
        let chosen: BTreeSet<String> =
            locations(model).filter(|(_, name)| there(name)).map(|(_, name)| name.to_owned()).collect();
        if chosen != *self.open.chosen {
            self.choose_names(chosen, None);
        }
    }

    /// The chosen locations, or the selected one, once more.
    #[inline(never)]
    pub(super) fn duplicate(&self) {
        self.copied().into_iter().for_each(|text| self.paste(text));
    }

    /// Removes the chosen locations, or the selected one, with their edges.
    fn delete_chosen(&self) {
        match self.selected() {
            Some(Subject::Location(id)) => self.delete_locations(&self.together_with(id)),
            _ => self.delete_locations(&self.chosen()),
        }
    }

    /// Removes locations with their edges.
    #[inline(never)]
    pub(super) fn delete_locations(&self, locations: &[(LocationId, &str)]) {
        let news = match locations {
            [] => return,
            [(_, one)] => format!("{one} was deleted."),
            many => format!("{} {}s were deleted.", many.len(), self.edited.language.node),
        };
        let locations = locations.iter().map(|(_, name)| (*name).to_owned()).collect();
        self.edit(vec![Edit::Delete { locations, edges: vec![] }], &news);
    }

    /// Does what the card of several locations asks for.
    #[inline(never)]
    pub(super) fn ask_several(&self, asked: Ask) {
        match asked {
            Ask::Copy => {
                let open = self.open.clone();
                let done = Callback::from(move |copied: bool| {
                    let news = if copied {
                        "The selection was copied."
                    } else {
                        "The browser does not allow copying."
                    };
                    open.set(Open { news: news.to_owned(), ..Open::clone(&open) });
                });
                self.copied().iter().for_each(|text| browser::copy(text, done.clone()));
            }
            Ask::Duplicate => self.duplicate(),
            Ask::Delete => self.delete_chosen(),
            Ask::Arrange(how) => self.arrange(how),
            Ask::Chart(asked) => {
                let states: Vec<String> = self.chosen().iter().map(|(_, name)| (*name).to_owned()).collect();
                let Some(model) = &self.edited.model else { return };
                let edits = charts::asked(model, asked, &states, false);
                let new = edits.iter().find_map(|edit| match edit {
                    Edit::Chart(edit) => charts::about(edit),
                    _ => None,
                });
                self.next.borrow_mut().then = new.map(Then::Open);
                self.edit(edits, "The states are wrapped in a new one.");
            }
            Ask::Accepting(accepting) => {
                let locations = self.chosen().iter().map(|(_, name)| (*name).to_owned()).collect();
                self.edit(vec![Edit::SetAccepting { locations, accepting }], "The states were changed.");
            }
            _ => {}
        }
    }

    fn arrange(&self, how: Arrangement) {
        let Some(model) = &self.edited.model else { return };
        let node = |(id, name): (LocationId, &str)| {
            let node = model.drawing.node(&model.key(id))?;
            Some((name.to_owned(), node.rect.centre()))
        };
        let (names, middles): (Vec<_>, Vec<_>) = self.chosen().into_iter().filter_map(node).unzip();
        let places =
            names.into_iter().zip(how.places(&middles).into_iter().map(|at| Some(pin(at)))).collect();
        self.edit(vec![Edit::Move { places }], "The selection was arranged.");
    }

    /// Copies, cuts and pastes while the drawing has the focus.
    #[inline(never)]
    pub(super) fn listen(self: &Rc<Self>) -> Option<impl FnOnce() + use<>> {
        let editor = self.clone();
        (self.edited.editable && self.open.used).then(|| {
            browser::on_clipboard(Callback::from(move |clipboard: browser::Clipboard| match clipboard {
                browser::Clipboard::Paste(text) => {
                    editor.paste(text);
                    None
                }
                browser::Clipboard::Copy => editor.copied(),
                browser::Clipboard::Cut => {
                    let text = editor.copied();
                    editor.delete_chosen();
                    text
                }
            }))
        })
    }
}

/// What can be done with several locations.
#[inline(never)]
pub(super) fn choices(language: &Language, ask: &Callback<Ask>) -> Html {
    let arrange =
        |(how, label): &(Arrangement, &'static str)| button(label, "arrange", None, Ask::Arrange(*how), ask);
    html! {
        <>
            if language.kind == Kind::Chart {
                <div class="row">{ button("Wrap in new state", "wrap", None, Ask::Chart(ChartAsk::Wrap), ask) }</div>
            } else {
                <div class="row" role="group" aria-label="Arrange">{ for Arrangement::ALL.iter().map(arrange) }</div>
            }
            if language.kind == Kind::Buchi {
                <div class="row">
                    { button("accepting", "accepting", None, Ask::Accepting(true), ask) }
                    { button("not accepting", "accepting", None, Ask::Accepting(false), ask) }
                </div>
            }
            <div class="row">
                if language.kind != Kind::Chart {
                    { button("Copy", "copy", None, Ask::Copy, ask) }
                    { button("Duplicate", "duplicate", None, Ask::Duplicate, ask) }
                }
                { button("Delete", "delete", None, Ask::Delete, ask) }
            </div>
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arranged_locations_are_in_a_line_or_at_equal_distances() {
        let middles = [Point::new(0.0, 0.0), Point::new(300.0, 90.0), Point::new(120.0, 180.0)];
        let at = |how: Arrangement| how.places(&middles).iter().map(|at| (at.x, at.y)).collect::<Vec<_>>();
        assert_eq!(at(Arrangement::Row), [(0.0, 90.0), (300.0, 90.0), (120.0, 90.0)]);
        assert_eq!(at(Arrangement::Column), [(140.0, 0.0), (140.0, 90.0), (140.0, 180.0)]);
        assert_eq!(at(Arrangement::Across), [(0.0, 0.0), (300.0, 90.0), (150.0, 180.0)]);
        assert_eq!(at(Arrangement::Down), [(0.0, 0.0), (300.0, 90.0), (120.0, 180.0)]);
        let column = [Point::new(50.0, 0.0), Point::new(50.0, 80.0)];
        let row: Vec<_> = Arrangement::Row.places(&column).iter().map(|at| (at.x, at.y)).collect();
        assert_eq!(row, [(50.0, 40.0), (160.0, 40.0)], "no location covers another one");
    }
}

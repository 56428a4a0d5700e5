//! Moving locations: by pointer, and by keys.

use std::rc::Rc;
use std::sync::Arc;

use veristep_core::draw;
use veristep_core::edit::automaton::Edit;
use veristep_core::edit::pins::{Pin, pin};
use veristep_core::layout::Point;
use veristep_core::scene::Drawing;

use super::charts;
use super::editor::Editor;
use super::text_edges::name_of;
use super::things::Part;
use crate::protocol::ModelInfo;
use crate::state::Action;
use crate::ui::scene::{Carried, DragPart};

/// A node snaps to the line of another one at this distance.
const SNAP: f64 = 5.0;

/// The distance of a new node from others.
const ROOM: f64 = 40.0;

/// Nodes that are dragged, until the model has their new places.
#[derive(Clone)]
pub struct Dragged {
    /// The model that they are dragged in.
    of: Rc<ModelInfo>,
    /// Their keys and where they were at the beginning, that of the pointer first.
    nodes: Rc<[(String, Point)]>,
    /// The displacement since then.
    by: (f64, f64),
}

impl Dragged {
    /// Where a node is.
    fn place(&self, key: &str) -> Option<Point> {
        let found = self.nodes.iter().find(|(one, _)| one == key);
        found.map(|(_, from)| Point::new(from.x + self.by.0, from.y + self.by.1))
    }
}

impl PartialEq for Dragged {
    fn eq(&self, other: &Dragged) -> bool {
        Rc::ptr_eq(&self.of, &other.of) && self.nodes == other.nodes && self.by == other.by
    }
}

/// The drawing of a model, with the nodes that are dragged where they are.
#[inline(never)]
pub fn moved(model: &Rc<ModelInfo>, dragged: &Dragged) -> Arc<Drawing> {
    if !Rc::ptr_eq(&dragged.of, model) {
        return model.drawing.clone();
    }
    let drawing = Drawing::clone(&model.drawing);
    let places: Vec<(String, Point)> =
        dragged.nodes.iter().filter_map(|(key, _)| Some((key.clone(), dragged.place(key)?))).collect();
    if model.is_chart() {
        return Arc::new(draw::carried(&drawing, &places));
    }
    Arc::new(drawing.pinned(&places, draw::MARGIN))
}

impl Editor {
    /// Nodes follow the pointer, and stay where they are dropped: the one at the pointer, with all that are chosen if
    /// it is one of them.
    pub(super) fn drag(&self, model: &Rc<ModelInfo>, key: &str, by: (f64, f64), part: DragPart) {
        let begun = matches!(part, DragPart::Next | DragPart::Drop);
        let dragged = match part {
            DragPart::GiveUp => None,
            _ => self.dragged_by(model, (key, begun), by, part != DragPart::Key),
        };
        self.change(&mut |open| open.dragged.clone_from(&dragged));
        if let (DragPart::Drop | DragPart::Key, Some(dragged)) = (part, &dragged) {
            self.put(model, dragged);
        }
    }

    /// A node and what is moved with it, dragged by a distance, perhaps since it began to be dragged. By pointer, it
    /// snaps to the lines of others.
    fn dragged_by(
        &self,
        model: &Rc<ModelInfo>,
        (key, begun): (&str, bool),
        by: (f64, f64),
        snaps: bool,
    ) -> Option<Dragged> {
        let last = self
            .open
            .dragged
            .as_ref()
            .filter(|last| begun && last.nodes.first().is_some_and(|it| it.0 == key));
        let nodes = last.map_or_else(|| self.moving(model, key), |last| last.nodes.clone());
        let (_, from) = nodes.first()?;
        let others = || {
            let all =
                model.drawing.nodes.iter().filter(|other| nodes.iter().all(|(key, _)| *key != other.key));
            all.map(|other| other.rect.centre())
        };
        let along = |from: f64, by: f64, others: &mut dyn Iterator<Item = f64>| match by {
            0.0 => from.round() - from,
            by if snaps => snapped(from + by, others) - from,
            by => (from + by).round() - from,
        };
        let by = (
            along(from.x, by.0, &mut others().map(|other| other.x)),
            along(from.y, by.1, &mut others().map(|other| other.y)),
        );
        Some(Dragged { of: model.clone(), nodes, by })
    }

    /// Nodes whose move was refused are where they were before.
    pub(super) fn follow_dropped(&self) {
        let answers = &self.edited.answers;
        let answered = self.next.borrow_mut().dropped.take_if(|before| *before < answers.count);
        if answered.is_some() && answers.refused.is_some() {
            self.change(&mut |open| open.dragged = None);
        }
    }

    /// The nodes that are dragged with a node, and where they are shown; that node first.
    fn moving(&self, model: &Rc<ModelInfo>, key: &str) -> Rc<[(String, Point)]> {
        let Some(Part::Node(id)) = model.part(key) else { return Rc::default() };
        let shown = self.open.dragged.as_ref().filter(|last| Rc::ptr_eq(&last.of, model));
        let place = |key: String| {
            let at = shown.and_then(|last| last.place(&key));
            Some((key.clone(), at.or_else(|| Some(model.drawing.node(&key)?.rect.centre()))?))
        };
        let together = self.together_with(id);
        let others = together.iter().map(|(one, _)| *one).filter(|one| *one != id);
        std::iter::once(id).chain(others).filter_map(|one| place(model.key(one))).collect()
    }

    /// Nodes stay where they were dragged, unless the edit is refused.
    fn put(&self, model: &ModelInfo, dragged: &Dragged) {
        self.next.borrow_mut().dropped = Some(self.edited.answers.count);
        if model.is_chart() {
            let place = |key: &str| match model.part(key)? {
                Part::Node(id) => Some((id, dragged.place(key)?)),
                Part::Edge(_) => None,
            };
            let places: Vec<_> = dragged.nodes.iter().filter_map(|(key, _)| place(key)).collect();
            return self.edited.act.emit(Action::Edit(charts::dropped(model, &places), false));
        }
        let place = |key: &str| match model.part(key)? {
            Part::Node(id) => Some((name_of(model, id), Some(pin(dragged.place(key)?)))),
            Part::Edge(_) => None,
        };
        let places = dragged.nodes.iter().filter_map(|(key, _)| place(key)).collect();
        self.edited.act.emit(Action::Edit(vec![Edit::Move { places }], false));
    }

    /// Moves nodes by keys.
    #[inline(never)]
    pub(super) fn carry(&self, model: &Rc<ModelInfo>, carried: &Carried) {
        let now = self.open.dragged.as_ref().filter(|_| self.open.carried);
        let key = now.and_then(|now| now.nodes.first()).map(|(key, _)| key.as_str());
        let (dragged, news) = match (carried, now.zip(key)) {
            (Carried::Begin(key), _) => {
                let news = "Arrows move it, Enter ends, Escape undoes.";
                (self.dragged_by(model, (key, false), (0.0, 0.0), false), news)
            }
            (Carried::By(x, y), Some((now, key))) => {
                let by = (now.by.0 + x, now.by.1 + y);
                (self.dragged_by(model, (key, true), by, false), self.news())
            }
            (Carried::Put, Some((now, _))) => {
                self.put(model, now);
                (Some(now.clone()), "It was moved.")
            }
            _ => (None, "It was not moved."),
        };
        let goes_on = matches!(carried, Carried::Begin(_) | Carried::By(..)) && dragged.is_some();
        self.change(&mut |open| {
            open.carried = goes_on;
            open.dragged.clone_from(&dragged);
            news.clone_into(&mut open.news);
        });
    }
}

/// The edit that places a new node: at this place, or else below the drawing if other nodes have places.
pub(super) fn placed(name: String, place: Option<Pin>, model: Option<&ModelInfo>) -> Edit {
    let others = model.filter(|model| model.locations.iter().any(|location| location.pinned));
    let below = others.map(|model| model.drawing.extent).map(|extent| {
        let at = Point::new(extent.x + draw::MARGIN + ROOM, extent.bottom() - draw::MARGIN + ROOM);
        pin(at)
    });
    let mut places = vec![(name, place.or(below))];
    // The first node is pinned where it is drawn, so that the second one does not move it.
    if let (Some(_), Some(ModelInfo { locations, drawing, .. })) = (place, model)
        && let ([first], [node]) = (&locations[..], &drawing.nodes[..])
        && !first.pinned
    {
        places.push((first.name.clone(), Some(pin(node.rect.centre()))));
    }
    Edit::Move { places }
}

/// A whole coordinate, that of the nearest other node if it is near.
fn snapped(at: f64, others: &mut dyn Iterator<Item = f64>) -> f64 {
    let near = others.filter(|other| (other - at).abs() <= SNAP);
    let nearest = near.reduce(|a, b| if (a - at).abs() <= (b - at).abs() { a } else { b });
    nearest.unwrap_or(at).round()
}

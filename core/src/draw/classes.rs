//! The state classes of a time net, or its zones, and the firings between them.

use std::sync::Arc;

use crate::draw::markings::{DEAD, MARKINGS, graph, rows};
use crate::draw::names::Names;
use crate::net::timed::classes::{Class, Reached, Rule, Stopped};
use crate::net::timed::zone::Bound;
use crate::net::timed::{Clocks, Semantics};
use crate::net::{Net, PlaceId, TransitionId};
use crate::scene::{Body, Mark, Node, Row, Scene, Shape, Text, Thing, middle};
use crate::text::count;

/// The greatest number of conditions that are written in a node, and their greatest length.
const CONDITIONS: usize = 6;
const LONGEST: usize = 30;

/// The classes, with that of a step, given by its number.
#[inline(never)]
pub(super) fn classes(net: &Net, clocks: &Clocks, now: Option<usize>) -> Scene {
    let rule = Rule::new(net, clocks);
    let mut reached = Reached::default();
    reached.add(rule.initial(), None, false);
    let (mut edges, mut at, mut why) = (Vec::new(), 0, None);
    while at < reached.len() {
        match rule.successors(reached.class(at)) {
            Err(stopped) => why = Some(stopped),
            Ok(successors) => {
                for (t, class) in successors {
                    if reached.len() >= MARKINGS && !reached.knows(&class) {
                        why = why.or(Some(Stopped::Cases));
                        continue;
                    }
                    let to = reached.add(class, Some((at, t)), clocks.semantics == Semantics::Places).0;
                    edges.push((at, t, to));
                }
            }
        }
        at += 1;
    }
    let names = Names::of(net);
    let node = |number: usize| {
        let class = reached.class(number);
        let text = names.marking(&class.marking);
        let conditions = conditions(&names, clocks, class);
        let is_dead = net.enabled(&class.marking).next().is_none();
        let mut rows = rows(&text);
        let shown = conditions.iter().take(CONDITIONS).map(|c| Row::fact(middle(c, LONGEST), None));
        rows.extend(shown);
        if conditions.len() > CONDITIONS {
            rows.push(Row::fact("…".to_owned(), None));
        }
        let title = [vec![text], conditions].concat().join("; ");
        let title = if is_dead { format!("{title}{DEAD}") } else { title };
        Node::new(format!("m{number}"), Shape::Box, rows, title)
            .marked(&[
                (Mark::Initial, number == 0),
                (Mark::Dead, is_dead),
                (Mark::Current, now == Some(number)),
            ])
            .about(u32::try_from(number).map(Thing::Marking))
    };
    let nodes: Vec<Node> = (0..reached.len()).map(node).collect();
    let drawing = graph(net, nodes, &edges);
    let (heading, what) = match clocks.semantics {
        Semantics::Transitions => ("State class graph", "state class"),
        Semantics::Places => ("Zones", "zone"),
    };
    let caption = match why {
        None => format!("{}, {}.", count(reached.len(), what), count(edges.len(), "firing")),
        Some(Stopped::Second(t, p)) => format!(
            "The net is not safe: {} gives a second token to {}.",
            names.transition(t),
            names.place(p)
        ),
        Some(_) => format!("The first {}; there are more.", count(reached.len(), what)),
    };
    let meaning = match clocks.semantics {
        Semantics::Transitions => " Each transition stands for the time until it fires.",
        Semantics::Places => " Each place stands for the age of its token, right after a firing.",
    };
    let caption = Text::plain(&(caption + meaning));
    Scene::of(heading, caption, Body::Drawing(Arc::new(drawing)))
}

/// The conditions of a class: bounds, and differences that do not follow from them.
fn conditions(names: &Names<'_>, clocks: &Clocks, class: &Class) -> Vec<String> {
    let name = |x: usize| {
        let owner = class.owners[x - 1] as usize;
        match clocks.semantics {
            Semantics::Transitions => names.transition(TransitionId::new(owner)),
            Semantics::Places => names.place(PlaceId::new(owner)),
        }
    };
    let zone = &class.times;
    let less = |is_open: bool| if is_open { "<" } else { "≤" };
    let mut all = Vec::new();
    for x in 1..zone.size() {
        let (lower, upper) = (zone.bound(0, x).get().unwrap_or((0, false)), zone.bound(x, 0).get());
        let (least, own) = (-lower.0, name(x));
        all.push(match upper {
            Some((most, false)) if most == least => format!("{own} = {most}"),
            Some((most, is_open)) => {
                format!("{least} {} {own} {} {most}", less(lower.1), less(is_open))
            }
            None if least == 0 && !lower.1 => continue,
            None => format!("{least} {} {own}", less(lower.1)),
        });
    }
    for x in 1..zone.size() {
        for y in (1..zone.size()).filter(|y| *y != x) {
            let bound = zone.bound(x, y);
            let implied = zone.bound(x, 0) + zone.bound(0, y);
            if bound != Bound::NONE
                && bound < implied
                && let Some((n, is_open)) = bound.get()
            {
                let (a, b) = (name(x), name(y));
                all.push(match n {
                    0 => format!("{a} {} {b}", less(is_open)),
                    n if n < 0 => format!("{a} + {} {} {b}", -n, less(is_open)),
                    n => format!("{a} {} {b} + {n}", less(is_open)),
                });
            }
        }
    }
    all
}

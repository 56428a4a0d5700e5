//! A run of a time net on the axis of time: for each clock the spans in which it runs, the firings, and the net at one
//! moment.

use std::sync::Arc;

use solver_lite::number::Q;

use crate::draw::FoundRun;
use crate::draw::names::Names;
use crate::layout::{Point, Size};
use crate::net::timed::run::{Longest, Run, Time};
use crate::net::timed::{Clocks, Semantics};
use crate::net::{Interval, Net, PlaceId, TransitionId};
use crate::scene::{
    Anchor, Body, Drawing, Label, Line, Mark, Node, Part, Rect, Row, RowKind, Scene, Shape, Text, Thing,
    middle, width,
};
use crate::system::{EdgeId, VarId};
use crate::text::count;

/// The width of the axis, and the least distance of two labels on it.
const WIDTH: f64 = 400.0;
const APART: f64 = 34.0;
/// The height of the line of a clock, and of its spans.
const LINE: f64 = 34.0;
const SPAN: f64 = 24.0;
/// The greatest numbers of clocks and of firings that are drawn.
const CLOCKS: usize = 60;
const FIRINGS: usize = 400;
/// The greatest length of a name.
const LONGEST: usize = 18;
/// From a node to the ring around it, and the number of its parts.
const GAP: f64 = 5.0;
const PARTS: usize = 72;

/// The steps of [`What::Timeline`](super::What::Timeline) from the start of the run to its end.
pub const MOMENTS: u32 = 1_000;

/// A step of a run: some time passes, or a transition fires.
#[derive(Clone, Debug)]
enum Move {
    Wait(Q),
    Fire(TransitionId),
}

/// The times in which a clock runs.
struct Span {
    clock: usize,
    from: Q,
    to: Q,
    /// It still runs at the end.
    is_open: bool,
}

/// The moves of a run: after the initial marking, up to the edge of the property, if it is finite.
fn moves(net: &Net, run: &FoundRun) -> Option<Vec<Move>> {
    let mut time = Q::ZERO;
    let mut moves = Vec::new();
    let end = if run.back.is_some() { run.rows.len() } else { run.rows.len().checked_sub(1)? };
    for row in run.rows.get(2..end)? {
        // In an infinite run without firings from some time on, a state is repeated.
        let Some(edge) = row.edge.map(|edge| edge as usize) else { continue };
        if (1..=net.transitions.len()).contains(&edge) {
            moves.push(Move::Fire(TransitionId::new(edge - 1)));
            continue;
        }
        let now = number(row.time.as_deref()?)?;
        moves.push(Move::Wait(&now - &time));
        time = now;
    }
    Some(moves)
}

/// A time as it is written in a run: `3`, `7/2`.
fn number(text: &str) -> Option<Q> {
    let part = |text: &str| text.trim().parse::<i64>().ok();
    match text.split_once(['/', '%']) {
        Some((a, b)) => Some(Q::ratio(part(a)?, part(b).filter(|b| *b != 0)?)),
        None => part(text).map(Q::from),
    }
}

/// The interval of a clock.
pub(super) fn interval(net: &Net, clocks: &Clocks, clock: usize) -> Interval {
    let owner = clocks.owner(clock);
    match clocks.semantics {
        Semantics::Transitions => net.transitions[owner].delay.unwrap_or(Interval::ALWAYS),
        Semantics::Places => {
            let delay = clocks.delay(PlaceId::new(owner));
            Interval { least: delay.least, most: delay.most, ..Interval::ALWAYS }
        }
    }
}

fn name<'a>(names: &Names<'a>, clocks: &Clocks, clock: usize) -> &'a str {
    let owner = clocks.owner(clock);
    match clocks.semantics {
        Semantics::Transitions => names.transition(TransitionId::new(owner)),
        Semantics::Places => names.place(PlaceId::new(owner)),
    }
}

/// The clocks that run in a state.
fn running<T: Time>(net: &Net, clocks: &Clocks, run: &Run<'_, T>) -> Vec<bool> {
    let runs = |clock: usize| match clocks.semantics {
        Semantics::Transitions => net.is_enabled(run.marking(), TransitionId::new(clocks.owner(clock))),
        Semantics::Places => run.marking()[clocks.owner(clock)] > 0,
    };
    (0..clocks.len()).map(runs).collect()
}

/// The run as a timeline, and the net at a moment of it, given in parts of a thousand of its duration.
#[inline(never)]
pub(super) fn timeline(net: &Net, drawing: &Drawing, clocks: &Clocks, found: &FoundRun, at: u32) -> Scene {
    let Some(moves) = moves(net, found) else {
        return Scene::sentence("The timeline is that of the run that was found; so far there is none.");
    };
    let firings = moves.iter().filter(|m| matches!(m, Move::Fire(_))).count();
    if clocks.len() > CLOCKS || firings > FIRINGS {
        let text =
            format!("The run has {firings} firings and {} clocks, too many to be drawn.", clocks.len());
        return Scene::sentence(&text);
    }
    let (mut run, mut spans, mut fired) = (Run::new(net, clocks), Vec::new(), Vec::new());
    let mut since: Vec<Option<Q>> =
        running(net, clocks, &run).into_iter().map(|runs| runs.then_some(Q::ZERO)).collect();
    for step in &moves {
        match step {
            Move::Wait(delay) => {
                run.wait(delay);
            }
            Move::Fire(t) => {
                if run.fire(*t).is_err() {
                    break;
                }
                fired.push((run.time().clone(), *t));
                for (clock, runs) in running(net, clocks, &run).into_iter().enumerate() {
                    let begin = runs.then(|| run.time() - run.age(clocks.owner(clock)));
                    if since[clock] != begin {
                        let old = std::mem::replace(&mut since[clock], begin);
                        let to = run.time().clone();
                        spans.extend(old.map(|from| Span { clock, from, to, is_open: false }));
                    }
                }
            }
        }
    }
    let end = run.time().clone();
    for (clock, from) in since.into_iter().enumerate() {
        // What begins at the end has no extent.
        let from = from.filter(|from| *from < end || end.is_zero());
        spans.extend(from.map(|from| Span { clock, from, to: end.clone(), is_open: true }));
    }
    let moment = &(&end * &Q::from(i64::from(at.min(MOMENTS)))) / &Q::from(i64::from(MOMENTS));
    let back = found.back.and_then(|back| number(found.rows.get(back)?.time.as_deref()?));
    let repeated = back.as_ref().map_or_else(String::new, |back| {
        format!(" What happens from the time {} on is repeated infinitely often.", back.text())
    });
    let gantt = Gantt { net, clocks, names: Names::of(net), end: end.clone(), back };
    let caption = format!(
        "{} in the time {}.{repeated} The spans are the ages of the clocks.",
        count(fired.len(), "firing"),
        end.text()
    );
    let body = Body::Drawing(Arc::new(gantt.drawing(&spans, &fired, &moment)));
    let now = at_moment(net, drawing, clocks, &moves, &moment);
    Scene { parts: vec![Part { heading: "Timeline".to_owned(), caption: Text::plain(&caption), body }, now] }
}

/// The timeline in the making.
struct Gantt<'a> {
    net: &'a Net,
    clocks: &'a Clocks,
    names: Names<'a>,
    end: Q,
    /// The time at which the cycle of an infinite run begins.
    back: Option<Q>,
}

impl Gantt<'_> {
    fn x(&self, time: &Q) -> f64 {
        let end = self.end.approximate();
        if end > 0.0 { time.approximate() / end * WIDTH } else { 0.0 }
    }

    fn drawing(&self, spans: &[Span], fired: &[(Q, TransitionId)], moment: &Q) -> Drawing {
        let mut used: Vec<usize> = spans.iter().map(|span| span.clock).collect();
        used.sort_unstable();
        used.dedup();
        let line = |clock: usize| used.binary_search(&clock).unwrap_or(0) as f64 * LINE;
        let mut drawing = Drawing::default();
        let bottom = used.len() as f64 * LINE;
        for clock in &used {
            let text = middle(name(&self.names, self.clocks, *clock), LONGEST);
            let at = Point::new(-12.0, line(*clock) + SPAN / 2.0 + 5.0);
            drawing.labels.push(Label { text, at, anchor: Anchor::End, marks: Vec::new() });
        }
        for (number, span) in spans.iter().enumerate() {
            self.span(&mut drawing, number, span, line(span.clock));
        }
        self.firings(&mut drawing, fired, bottom);
        drawing.lines.extend(self.back.as_ref().map(|back| self.cycle(back, bottom)));
        let x = self.x(moment);
        drawing.lines.push(vertical(x, -14.0, bottom + 8.0, Mark::Moment));
        drawing.bounded(16.0)
    }

    /// The span of a clock: up to the lower end of its interval, and after it.
    fn span(&self, drawing: &mut Drawing, number: usize, span: &Span, y: f64) {
        let interval = interval(self.net, self.clocks, span.clock);
        let reached = (&span.from + &Q::from(i64::from(interval.least))).min(span.to.clone());
        let until = if span.is_open { "the end".to_owned() } else { span.to.text() };
        let what = match self.clocks.semantics {
            Semantics::Transitions => "enabled",
            Semantics::Places => "has a token",
        };
        let own = name(&self.names, self.clocks, span.clock);
        let title = format!("{own} {what} from {} to {until}", span.from.text());
        let about = match self.clocks.semantics {
            Semantics::Transitions => Thing::Edge(EdgeId::new(self.clocks.owner(span.clock) + 1)),
            Semantics::Places => Thing::Variable(VarId::new(self.clocks.owner(span.clock))),
        };
        for (part, from, to, marks) in [
            ("young", &span.from, &reached, [(Mark::Young, true)]),
            ("ready", &reached, &span.to, [(Mark::Ready, true)]),
        ] {
            let (left, right) = (self.x(from), self.x(to));
            let is_empty = from >= to && (part == "young" || span.from < span.to);
            if is_empty {
                continue;
            }
            let age = (to - &span.from).text();
            let fits = right - left > width(&age) + 6.0;
            let rows =
                if fits { vec![Row { text: age, kind: RowKind::Fact, about: None }] } else { Vec::new() };
            let rect = Rect { x: left, y, width: (right - left).max(4.0), height: SPAN };
            let mut node = Node::new(format!("{part}{number}"), Shape::Tile, rows, title.clone());
            node.rect = rect;
            drawing.nodes.push(node.marked(&marks).about([about]));
        }
    }

    /// The cycle of an infinite run: a line from its end back to where it begins.
    fn cycle(&self, back: &Q, bottom: f64) -> Line {
        let (from, to, low) = (self.x(back), self.x(&self.end), bottom + 30.0);
        let path = format!(
            "M {to:.1} {bottom:.1} L {to:.1} {low:.1} L {from:.1} {low:.1} L {from:.1} {bottom:.1} M {:.1} {:.1} L {from:.1} {bottom:.1} L {:.1} {:.1}",
            from - 4.0,
            bottom + 7.0,
            from + 4.0,
            bottom + 7.0
        );
        Line { path, marks: vec![Mark::Back] }
    }

    /// The firings, with the dates of those that are apart.
    fn firings(&self, drawing: &mut Drawing, fired: &[(Q, TransitionId)], bottom: f64) {
        let mut last = f64::NEG_INFINITY;
        let mut at = 0;
        while at < fired.len() {
            let time = &fired[at].0;
            let same = fired[at..].iter().take_while(|(other, _)| other == time).count();
            let names: Vec<&str> =
                fired[at..at + same].iter().map(|(_, t)| self.names.transition(*t)).collect();
            let x = self.x(time);
            drawing.lines.push(vertical(x, -6.0, bottom, Mark::Muted));
            // Several firings at one date are above each other.
            for (i, name) in names.iter().rev().enumerate() {
                let text = middle(name, LONGEST);
                let is_near = x - last < APART.max(width(&text));
                if !is_near || same > 1 {
                    let point = Point::new(x, -20.0 - 17.0 * i as f64);
                    drawing.labels.push(Label { text, at: point, anchor: Anchor::Middle, marks: Vec::new() });
                }
            }
            if x - last >= APART {
                let label = Point::new(x, bottom + 18.0);
                let text = time.text();
                drawing.labels.push(Label {
                    text,
                    at: label,
                    anchor: Anchor::Middle,
                    marks: vec![Mark::Axis],
                });
                last = x;
            }
            at += same;
        }
    }
}

fn vertical(x: f64, top: f64, bottom: f64, mark: Mark) -> Line {
    Line { path: format!("M {x:.1} {top:.1} L {x:.1} {bottom:.1}"), marks: vec![mark] }
}

/// The net at a moment of the run: its marking, with rings that fill up with the ages of its clocks.
fn at_moment(net: &Net, drawing: &Drawing, clocks: &Clocks, moves: &[Move], moment: &Q) -> Part {
    let mut run = Run::new(net, clocks);
    let mut last = None;
    for step in moves {
        match step {
            Move::Wait(delay) => {
                let left = moment - run.time();
                if left < *delay {
                    run.wait(&left);
                    break;
                }
                run.wait(delay);
            }
            Move::Fire(t) => {
                if run.fire(*t).is_err() {
                    break;
                }
                last = Some(*t);
            }
        }
    }
    let mut drawing = drawing.clone();
    show(&mut drawing, net, clocks, &run);
    if let Some(t) = last {
        let node = drawing.nodes.get_mut(net.places.len() + t.index());
        node.into_iter().for_each(|node| node.marks.push(Mark::Taken));
    }
    let names = Names::of(net);
    let ready: Vec<&str> = run.ready().map(|t| names.transition(t)).collect();
    let ready = if ready.is_empty() {
        "nothing may fire".to_owned()
    } else {
        format!("{} may fire", ready.join(", "))
    };
    let caption = format!("{}; {ready}; {}.", names.marking(run.marking()), longest_text(run.longest()));
    let heading = format!("The net at the time {}", moment.text());
    Part { heading, caption: Text::plain(&caption), body: Body::Drawing(Arc::new(drawing.bounded(0.0))) }
}

/// How long time may pass, in words.
pub(super) fn longest_text<T: Time>(longest: Option<Longest<T>>) -> String {
    match longest {
        None => "time may pass for ever".to_owned(),
        Some(Longest { delay, .. }) if delay <= T::NONE => "time stops until a transition fires".to_owned(),
        Some(Longest { delay, is_open }) => {
            let less = if is_open { "less than" } else { "at most" };
            format!("time may pass for {less} {}", delay.text())
        }
    }
}

/// Draws the state of a run: the marking, the transitions that may fire, and rings that fill up with the ages of the
/// clocks.
pub(super) fn show<T: Time>(drawing: &mut Drawing, net: &Net, clocks: &Clocks, run: &Run<'_, T>) {
    super::net::show_marking(drawing, run.marking());
    let (places, transitions) = drawing.nodes.split_at_mut(net.places.len());
    for (node, t) in transitions.iter_mut().zip(net.transition_ids()) {
        node.marks.retain(|mark| !matches!(mark, Mark::Enabled | Mark::InConflict));
        let may_fire = run.may_fire(t) && run.overfull(t).is_none();
        node.marks.extend(may_fire.then_some(Mark::Enabled));
        super::net::entitle(node, may_fire);
    }
    let mut lines = Vec::new();
    for (clock, runs) in running(net, clocks, run).into_iter().enumerate() {
        let owner = clocks.owner(clock);
        let node = match clocks.semantics {
            Semantics::Transitions => transitions.get(owner),
            Semantics::Places => places.get(owner),
        };
        if let Some(node) = node.filter(|_| runs) {
            lines.extend(dial(node, interval(net, clocks, clock), run.age(owner)));
        }
    }
    drawing.lines.extend(lines);
}

/// The age of a clock around its node: a ring, or a bar below a transition, that is full at the upper end of its
/// interval.
fn dial<T: Time>(node: &Node, interval: Interval, age: &T) -> Vec<Line> {
    let full = f64::from(interval.most.unwrap_or(interval.least).max(1));
    let filled = (age.approximate() / full).clamp(0.0, 1.0);
    let is_ready = *age >= T::units(interval.least);
    let mark = if is_ready { Mark::Ready } else { Mark::Young };
    let path = |part: f64| match node.shape {
        Shape::Place => ring(node.rect.centre(), Size::new(node.rect.width, node.rect.height), part),
        _ => {
            let (x, y) = (node.rect.x, node.rect.y + node.rect.height + GAP);
            format!("M {x:.1} {y:.1} L {:.1} {y:.1}", x + part * node.rect.width)
        }
    };
    let track = Line { path: path(1.0), marks: vec![Mark::Muted] };
    let own = (filled > 0.0).then(|| Line { path: path(filled), marks: vec![mark] });
    std::iter::once(track).chain(own).collect()
}

/// A part of a circle around a node, from the top clockwise.
fn ring(centre: Point, size: Size, part: f64) -> String {
    let radius = size.width.max(size.height) / 2.0 + GAP;
    let last = ((part * PARTS as f64).ceil() as usize).max(1);
    let point = |i: usize| {
        let angle = (i as f64 / PARTS as f64).min(part) * std::f64::consts::TAU;
        format!("{:.1} {:.1}", centre.x + radius * angle.sin(), centre.y - radius * angle.cos())
    };
    let points: Vec<String> = (0..=last).map(point).collect();
    format!("M {}", points.join(" L "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::TraceRow;

    /// Before a firing, the net has the marking before it, although the transition may fire sooner.
    #[test]
    fn firings_come_at_their_dates() {
        let text =
            "net a { place p = 1 place q place r transition t [0,5]: p -> q transition u [2,2]: q -> r }";
        let system = crate::run::load(crate::run::Kind::Pn, text).expect("a net");
        let (net, clocks) = (system.net.clone().expect("a net"), system.clocks.clone().expect("a time net"));
        let drawing = crate::draw::model(&system);
        let row = |edge: Option<u32>, time: i64| TraceRow {
            operation: String::new(),
            edge,
            location: String::new(),
            step: None,
            values: Vec::new(),
            places: 0,
            time: Some(time.to_string()),
        };
        let wait = Some(3);
        let rows = [
            row(None, 0),
            row(Some(0), 0),
            row(wait, 3),
            row(Some(1), 3),
            row(wait, 5),
            row(Some(2), 5),
            row(Some(4), 5),
        ];
        let found = FoundRun { rows: rows.to_vec(), back: None };
        let caption = |at: u32| {
            let scene = timeline(&net, &drawing, &clocks, &found, at);
            scene.parts.last().map(|part| part.caption.to_string()).unwrap_or_default()
        };
        assert_eq!(caption(0), "p; t may fire; time may pass for at most 5.");
        assert_eq!(caption(400), "p; t may fire; time may pass for at most 3.");
        assert_eq!(caption(800), "q; nothing may fire; time may pass for at most 1.");
        assert!(caption(MOMENTS).starts_with("r; nothing may fire"), "{}", caption(MOMENTS));
    }
}

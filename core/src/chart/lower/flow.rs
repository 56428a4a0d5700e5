//! Structured steps as locations and edges.

use crate::diagnostic::Span;
use crate::expr::{Expr, Kind};
use crate::system::{Edge, Location, LocationId, Op, Role};

/// A structured step.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// An operation.
    Do(Op),
    /// The steps after the first condition that is true, or else the last ones.
    If(Vec<(Expr, Vec<Step>)>, Vec<Step>),
    /// As `If`, where at most one condition is true.
    Switch(Vec<(Expr, Vec<Step>)>, Vec<Step>),
    /// The text of the edge that comes next, for people.
    Label(String, Span),
    /// Continues at a location; the edge gets this text if it has none.
    Go(LocationId, String),
    /// The execution cannot continue: the queue overflows, or a variable leaves its range.
    Fault(String),
}

impl Step {
    /// Steps under a condition.
    pub(super) fn when(condition: Expr, body: Vec<Step>) -> Step {
        Step::Switch(vec![(condition, body)], Vec::new())
    }
}

/// A point between steps: a location, and the operations since then.
#[derive(Clone)]
pub(super) struct Point {
    at: LocationId,
    ops: Vec<Op>,
    label: String,
    span: Span,
}

impl Point {
    pub(super) fn new(at: LocationId, label: &str) -> Point {
        Point { at, ops: Vec::new(), label: label.to_owned(), span: Span::default() }
    }
}

/// Locations and edges.
#[derive(Default)]
pub(super) struct Flow {
    pub(super) locations: Vec<Location>,
    pub(super) edges: Vec<Edge>,
    /// Where executions end that cannot continue.
    pub(super) fault: Option<LocationId>,
}

impl Flow {
    pub(super) fn location(&mut self, name: &str, role: Role, anonymous: bool) -> LocationId {
        self.locations.push(Location { name: name.to_owned(), role, anonymous, span: Span::default() });
        LocationId::new(self.locations.len() - 1)
    }

    /// Executes steps from a point on; `None` if no execution reaches their end.
    pub(super) fn run(&mut self, steps: &[Step], from: Point) -> Option<Point> {
        let mut point = from;
        for step in steps {
            match step {
                Step::Do(op) => point = self.operation(op.clone(), point),
                Step::Label(text, span) => {
                    if !point.label.is_empty() && !point.ops.is_empty() {
                        point = self.fork(point);
                    }
                    (point.label, point.span) = (text.clone(), *span);
                }
                Step::Go(target, label) => {
                    if point.label.is_empty() {
                        point.label.clone_from(label);
                    }
                    self.edge(point, *target);
                    return None;
                }
                Step::Fault(label) => {
                    point.label.clone_from(label);
                    let fault = self.fault.expect("set at the start");
                    self.edge(point, fault);
                    return None;
                }
                Step::If(branches, otherwise) => point = self.branches(branches, otherwise, false, point)?,
                Step::Switch(branches, otherwise) => {
                    point = self.branches(branches, otherwise, true, point)?
                }
            }
        }
        Some(point)
    }

    fn branches(
        &mut self,
        branches: &[(Expr, Vec<Step>)],
        otherwise: &[Step],
        exclusive: bool,
        from: Point,
    ) -> Option<Point> {
        let possible: Vec<_> = branches.iter().filter(|(c, _)| c.kind != Kind::Bool(false)).collect();
        if possible.is_empty() {
            return self.run(otherwise, from);
        }
        let from = self.fork(from);
        let (mut ends, mut before) = (Vec::new(), Vec::new());
        for (condition, body) in possible {
            let mut all = if exclusive { Vec::new() } else { before.clone() };
            if condition.kind != Kind::Bool(true) {
                all.push(condition.clone());
            }
            before.push(condition.clone().negated());
            ends.extend(self.branch(all, body, &from));
            if condition.kind == Kind::Bool(true) {
                return self.meet(ends);
            }
        }
        ends.extend(self.branch(before, otherwise, &from));
        self.meet(ends)
    }

    fn branch(&mut self, conditions: Vec<Expr>, body: &[Step], from: &Point) -> Option<Point> {
        let mut point = from.clone();
        if !conditions.is_empty() {
            point.ops.push(Op::Assume(Expr::and(conditions)));
        }
        self.run(body, point)
    }

    /// A point without operations since its location.
    fn fork(&mut self, point: Point) -> Point {
        if point.ops.is_empty() {
            return point;
        }
        let at = self.anonymous();
        self.edge(point, at);
        Point::new(at, "")
    }

    /// The point where all of these meet.
    fn meet(&mut self, mut ends: Vec<Point>) -> Option<Point> {
        if ends.len() < 2 {
            return ends.pop();
        }
        let at = self.anonymous();
        for end in ends {
            self.edge(end, at);
        }
        Some(Point::new(at, ""))
    }

    fn anonymous(&mut self) -> LocationId {
        let name = format!("#{}", self.locations.len());
        self.location(&name, Role::Plain, true)
    }

    /// Appends an operation. A havocked variable is not written again on the same edge.
    fn operation(&mut self, op: Op, mut point: Point) -> Point {
        let any: Vec<_> = point.ops.iter().flat_map(Op::havocs).collect();
        if op.written().iter().any(|v| any.contains(v)) {
            point = self.fork(point);
        }
        point.ops.push(op);
        point
    }

    /// The edge with the operations since a location.
    pub(super) fn edge(&mut self, from: Point, target: LocationId) {
        let Point { at: source, mut ops, label, span } = from;
        let op = match ops.len() {
            0 => Op::Skip,
            1 => ops.remove(0),
            _ => Op::Sequence(ops),
        };
        self.edges.push(Edge { source, target, op, label, span });
    }
}

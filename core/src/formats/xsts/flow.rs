//! Lowering of actions to edges. Statements without branches are one edge; anonymous locations are created where
//! branches begin or meet. A loop with constant bounds is unrolled, if it is not too long.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Span, limits};
use crate::expr::ast::{Ast, AstKind};
use crate::expr::{Binary, Expr, Kind as E, Sign, Type, Unary, VarId, check, check_as};
use crate::system::{Edge, Location, LocationId, Op, Role};

use super::resolve::Variables;
use super::syntax::{Decl, Kind, Statement};

/// The limit on operations of an unrolled loop.
const WRITTEN_OUT: usize = 2_000;

/// The point before a statement: a location, and the operations since then.
#[derive(Clone)]
pub(super) struct End {
    at: LocationId,
    ops: Vec<Op>,
    /// The place of these operations.
    span: Option<Span>,
    /// The place of the condition under which they are executed, which is before other statements.
    condition: Option<Span>,
    /// The index of this alternative among those that leave its location, in textual order.
    alternative: usize,
}

/// Locations and edges as far as they are known.
pub(super) struct Flow {
    pub(super) variables: Variables,
    pub(super) locations: Vec<Location>,
    pub(super) edges: Vec<Edge>,
    /// The number of alternatives so far.
    begun: usize,
    /// By edge: the alternative that it begins.
    alternatives: BTreeMap<usize, usize>,
    pub(super) out: Vec<Diagnostic>,
}

impl Flow {
    pub(super) fn new(variables: Variables) -> Flow {
        let (locations, edges, out) = (Vec::new(), Vec::new(), Vec::new());
        Flow { variables, locations, edges, begun: 0, alternatives: BTreeMap::new(), out }
    }

    pub(super) fn error(&mut self, span: Span, message: String) {
        self.out.push(Diagnostic::error(span, message));
    }

    pub(super) fn location(&mut self, name: &str, role: Role, anonymous: bool, span: Span) -> LocationId {
        self.locations.push(Location { name: name.to_owned(), role, anonymous, span });
        LocationId::new(self.locations.len() - 1)
    }

    /// A point before statements.
    fn begin(&mut self, at: LocationId) -> End {
        self.begun += 1;
        End { at, ops: Vec::new(), span: None, condition: None, alternative: self.begun }
    }

    /// The points after a condition and after its opposite, which has the place of the condition if nothing follows.
    fn cases(&mut self, at: LocationId, condition: Expr, span: Span) -> [End; 2] {
        let opposite = condition.clone().negated();
        let holds = End { ops: vec![Op::Assume(condition)], span: Some(span), ..self.begin(at) };
        let fails = End { ops: vec![Op::Assume(opposite)], condition: Some(span), ..self.begin(at) };
        [holds, fails]
    }

    /// An edge with the operations since a location; `span` is its place if it has none.
    fn edge(&mut self, from: End, target: LocationId, span: Span) {
        let End { at: source, mut ops, alternative, .. } = from;
        let span = from.span.or(from.condition).unwrap_or(span);
        let op = match ops.len() {
            0 => Op::Skip,
            1 => ops.remove(0),
            _ => Op::Sequence(ops),
        };
        self.alternatives.insert(self.edges.len(), alternative);
        self.edges.push(Edge { source, target, op, label: String::new(), span });
    }

    /// An action from one location to another: one of its branches.
    pub(super) fn action(&mut self, branches: &[Statement], from: LocationId, to: LocationId) {
        let first = self.edges.len();
        for branch in branches {
            let begin = self.begin(from);
            for end in self.branch(branch, begin) {
                self.edge(end, to, branch.span);
            }
        }
        self.sort(first, from);
    }

    /// Sorts the edges that leave a location in textual order, which is visible to users: a longer alternative gets its
    /// first edge before a shorter one.
    fn sort(&mut self, first: usize, source: LocationId) {
        let places: Vec<usize> =
            (first..self.edges.len()).filter(|e| self.edges[*e].source == source).collect();
        let mut ordered = places.clone();
        ordered.sort_by_key(|e| self.alternatives[e]);
        let ordered: Vec<Edge> = ordered.into_iter().map(|e| self.edges[e].clone()).collect();
        for (place, edge) in places.into_iter().zip(ordered) {
            self.edges[place] = edge;
        }
    }

    /// The location where all of these meet.
    fn meet(&mut self, mut ends: Vec<End>, span: Span) -> End {
        if ends.len() == 1 {
            return ends.remove(0);
        }
        let name = format!("#{}", self.locations.len());
        let at = self.location(&name, Role::Plain, true, span);
        for end in ends {
            self.edge(end, at, span);
        }
        self.begin(at)
    }

    /// The same, where several edges may begin.
    fn fork(&mut self, end: End, span: Span) -> LocationId {
        if end.ops.is_empty() {
            return end.at;
        }
        let name = format!("#{}", self.locations.len());
        let at = self.location(&name, Role::Plain, true, span);
        self.edge(end, at, span);
        at
    }

    /// Appends an operation. A havocked variable is not written again on the same edge.
    fn op(&mut self, op: Op, mut end: End, span: Span) -> End {
        let any: Vec<VarId> = end.ops.iter().flat_map(Op::havocs).collect();
        if op.written().iter().any(|v| any.contains(v)) {
            let at = self.fork(end, span);
            end = self.begin(at);
        }
        end.ops.push(op);
        let joined = |one: Span| Span { start: one.start.min(span.start), end: one.end.max(span.end) };
        end.span = Some(end.span.map_or(span, joined));
        end
    }

    fn condition(&mut self, ast: &Ast) -> Expr {
        let checked = check_as(ast, &Type::Bool, &self.variables, &mut self.out);
        checked.unwrap_or_else(|| Expr::bool(true))
    }

    /// A statement that is a block, even without braces: its declarations are local.
    fn branch(&mut self, s: &Statement, from: End) -> Vec<End> {
        self.variables.open();
        let ends = self.statement(s, from);
        self.variables.close();
        ends
    }

    fn statement(&mut self, s: &Statement, from: End) -> Vec<End> {
        if self.edges.len() > limits::GRAPH {
            return vec![from];
        }
        match &s.kind {
            Kind::Assign(name, value) => {
                let Some((v, ty)) = self.variables.target(name, &mut self.out) else {
                    check(value, &self.variables, &mut self.out);
                    return vec![from];
                };
                let Some(e) = check_as(value, &ty, &self.variables, &mut self.out) else { return vec![from] };
                vec![self.op(Op::Assign(v, e), from, s.span)]
            }
            Kind::Element(name, index, value) => {
                let op = self.element(name, index, value);
                op.map_or(vec![from.clone()], |op| vec![self.op(op, from, s.span)])
            }
            Kind::Havoc(name) => match self.variables.target(name, &mut self.out) {
                Some((v, _)) => vec![self.op(Op::Havoc(v), from, s.span)],
                None => vec![from],
            },
            Kind::Assume(condition) => {
                let condition = self.condition(condition);
                vec![self.op(Op::Assume(condition), from, s.span)]
            }
            Kind::Local(decl) => vec![self.local(decl, from, s.span)],
            Kind::Block(all) => {
                self.variables.open();
                let mut ends = vec![from];
                for s in all {
                    let end = self.meet(ends, s.span);
                    ends = self.statement(s, end);
                }
                self.variables.close();
                ends
            }
            Kind::Choice(branches) => {
                let at = self.fork(from, s.span);
                let branch = |flow: &mut Flow, b| {
                    let begin = flow.begin(at);
                    flow.branch(b, begin)
                };
                branches.iter().flat_map(|b| branch(self, b)).collect()
            }
            Kind::Parallel(branches) => self.parallel(branches, from, s.span),
            Kind::If(condition, then, other) => {
                let c = self.condition(condition);
                let at = self.fork(from, s.span);
                let [begin, otherwise] = self.cases(at, c, condition.span);
                let mut ends = self.branch(then, begin);
                match other {
                    Some(other) => ends.extend(self.branch(other, otherwise)),
                    None => ends.push(otherwise),
                }
                ends
            }
            Kind::For { variable, from: first, to, body } => {
                self.variables.open();
                let ends = self.repeat(variable, (first, to), body, from, s.span);
                self.variables.close();
                ends
            }
        }
    }

    /// In sequence, which is equivalent: no branch reads or writes what another one writes.
    fn parallel(&mut self, branches: &[Statement], mut from: End, span: Span) -> Vec<End> {
        let mut others: Vec<[BTreeSet<VarId>; 2]> = Vec::new();
        for branch in branches {
            let (at, first) = (self.fork(from, span), self.edges.len());
            let begin = self.begin(at);
            let ends = self.branch(branch, begin);
            let end = self.meet(ends, branch.span);
            let at = self.fork(end, branch.span);
            let (mut written, mut read) = (BTreeSet::new(), BTreeSet::new());
            for op in self.edges[first..].iter().map(|e| &e.op) {
                written.extend(op.written());
                op.exprs(&mut |e| read.extend(e.variables()));
            }
            let shares = |[w, r]: &[BTreeSet<VarId>; 2]| {
                !w.is_disjoint(&written) || !w.is_disjoint(&read) || !r.is_disjoint(&written)
            };
            if others.iter().any(shares) {
                let message =
                    "branches of a parallel statement that share what one of them writes are not supported";
                self.out.push(Diagnostic::unsupported(branch.span, message));
            }
            others.push([written, read]);
            from = self.begin(at);
        }
        vec![from]
    }

    fn element(&mut self, name: &crate::formats::Name, index: &Ast, value: &Ast) -> Option<Op> {
        let (v, ty) = self.variables.target(name, &mut self.out)?;
        let Type::Array(index_type, element) = &ty else {
            self.error(name.span, format!("'{}' is not an array, but {ty}", name.text));
            return None;
        };
        let i = check_as(index, index_type, &self.variables, &mut self.out);
        let e = check_as(value, element, &self.variables, &mut self.out);
        let array = Expr::var(v, ty.clone()).at(name.span);
        let kind = E::Write(Arc::new([array, i?, e?]));
        Some(Op::Assign(v, Expr { kind, ty, span: name.span }))
    }

    /// A local variable: without an initializer it has any value.
    fn local(&mut self, decl: &Decl, from: End, span: Span) -> End {
        let Some(ty) = decl.ty.resolve(&self.variables, &mut self.out) else { return from };
        let value = decl.value.as_ref().and_then(|v| check_as(v, &ty, &self.variables, &mut self.out));
        if self.variables.is_local(&decl.name.text) {
            self.error(decl.name.span, format!("'{}' is declared twice in this block", decl.name.text));
        }
        let v = self.variables.declare_local(&decl.name, ty);
        match value {
            Some(e) => self.op(Op::Assign(v, e), from, span),
            None => self.op(Op::Havoc(v), from, span),
        }
    }

    /// `for i from a to b do S`: `i` is `a`, `a + 1`, …, `b − 1`.
    fn repeat(
        &mut self,
        variable: &crate::formats::Name,
        (first, to): (&Ast, &Ast),
        body: &Statement,
        from: End,
        span: Span,
    ) -> Vec<End> {
        let int = |flow: &mut Flow, e: &Ast| check_as(e, &Type::Int, &flow.variables, &mut flow.out);
        let (first, to) = (int(self, first), int(self, to));
        let (Some(first), Some(to)) = (first, to) else { return vec![from] };
        let i = self.variables.declare_local(variable, Type::Int);
        let counter = || Expr::var(i, Type::Int).at(variable.span);
        let written = self.written(body, &variable.text);
        if written {
            self.error(variable.span, format!("'{}' is assigned inside of its loop", variable.text));
            return vec![from];
        }
        if let Some(count) = constant_count(&first, &to)
            && count.saturating_mul(size(body)) <= WRITTEN_OUT
        {
            let mut ends = vec![from];
            for k in 0..count {
                let end = self.meet(ends, span);
                let k = Expr::num(solver_lite::number::Q::from(i64::try_from(k).unwrap_or(0)), Type::Int);
                let value = Expr {
                    kind: E::Sum(vec![(Sign::Plus, first.clone()), (Sign::Plus, k)]),
                    ..first.clone()
                };
                let value = value.as_constant().map_or(value.clone(), |c| Expr::constant(c, Type::Int));
                let end = self.op(Op::Assign(i, value), end, variable.span);
                ends = self.branch(body, end);
            }
            return ends;
        }
        // The bound is evaluated once, at the start.
        let last = self.variables.declare_hidden(&format!("{}.to", variable.text), Type::Int, variable.span);
        let end = self.op(Op::Assign(last, to), from, variable.span);
        let end = self.op(Op::Assign(i, first), end, variable.span);
        let name = format!("#{}", self.locations.len());
        let head = self.location(&name, Role::Plain, true, span);
        self.edge(end, head, span);
        let more = Expr::compare(Binary::Lt, counter(), Expr::var(last, Type::Int)).at(span);
        let [begin, done] = self.cases(head, more, variable.span);
        let one = Expr::num(solver_lite::number::Q::ONE, Type::Int);
        let next =
            Expr { kind: E::Sum(vec![(Sign::Plus, counter()), (Sign::Plus, one)]), ty: Type::Int, span };
        for end in self.branch(body, begin) {
            let end = self.op(Op::Assign(i, next.clone()), end, variable.span);
            self.edge(end, head, variable.span);
        }
        vec![done]
    }

    /// Does the body assign a variable of this name, other than one that shadows it?
    fn written(&self, s: &Statement, name: &str) -> bool {
        match &s.kind {
            Kind::Assign(n, _) | Kind::Element(n, ..) | Kind::Havoc(n) => n.text == name,
            Kind::Assume(_) | Kind::Local(_) => false,
            Kind::Block(all) => {
                let until =
                    all.iter().take_while(|s| !matches!(&s.kind, Kind::Local(d) if d.name.text == name));
                until.into_iter().any(|s| self.written(s, name))
            }
            Kind::Choice(all) | Kind::Parallel(all) => all.iter().any(|s| self.written(s, name)),
            Kind::If(_, then, other) => {
                self.written(then, name) || other.as_ref().is_some_and(|s| self.written(s, name))
            }
            Kind::For { variable, body, .. } => variable.text != name && self.written(body, name),
        }
    }
}

/// The number of rounds of a loop with these bounds, if they are constants.
fn constant_count(first: &Expr, to: &Expr) -> Option<usize> {
    let number = |e: &Expr| e.as_constant().map(|c| c.num().clone());
    let difference = &number(to)? - &number(first)?;
    if difference.is_negative() {
        Some(0)
    } else {
        difference.to_string().parse().ok().filter(|n| *n <= WRITTEN_OUT)
    }
}

fn size(s: &Statement) -> usize {
    match &s.kind {
        Kind::Block(all) | Kind::Choice(all) | Kind::Parallel(all) => {
            all.iter().map(size).fold(1, usize::saturating_add)
        }
        Kind::If(_, then, other) => {
            size(then).saturating_add(other.as_ref().map_or(1, |s| size(s).saturating_add(1)))
        }
        Kind::For { from, to, body, .. } => {
            let number = |e: &Ast| match &e.kind {
                AstKind::Int(q) => q.to_i64(),
                AstKind::Unary(Unary::Neg, a) => match &a.kind {
                    AstKind::Int(q) => q.to_i64().map(|n| -n),
                    _ => None,
                },
                _ => None,
            };
            let rounds = number(to).zip(number(from)).map(|(to, from)| to.saturating_sub(from).max(0));
            let rounds = rounds.and_then(|n| usize::try_from(n).ok()).unwrap_or(10);
            // Too long to be unrolled, so it remains a loop.
            let once = size(body);
            let all = rounds.saturating_mul(once);
            1_usize.saturating_add(if all > WRITTEN_OUT { once.saturating_mul(10) } else { all })
        }
        _ => 1,
    }
}

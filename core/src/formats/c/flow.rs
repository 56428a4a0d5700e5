//! The automaton under construction: the current location, steps, branches and joins.

use solver_lite::number::Q;

use super::types::any_value;
use crate::diagnostic::{LineIndex, Span};
use crate::expr::{Expr, VarId};
use crate::system::{DraftVariable, Edge, EdgeId, Lifetimes, Location, LocationId, Op, Role};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Locations and edges so far.
pub(super) struct Flow {
    locations: Vec<Place>,
    edges: Vec<Edge>,
    /// By location: has it an incoming edge?
    entered: Vec<bool>,
    /// The current location; none after a jump.
    at: Option<LocationId>,
    error: Option<LocationId>,
    exit: Option<LocationId>,
    /// Promises: conditions assumed on leaving a location.
    promises: Vec<Promise>,
    /// Chains of variables in scope: each with the chain before it.
    alive: Vec<(Option<usize>, VarId)>,
    /// The chain at the current location.
    now_alive: Option<usize>,
    /// Edges after which a variable has an arbitrary value that was not assigned, with the variable.
    unset: BTreeSet<(usize, VarId)>,
    /// Variables with static storage duration.
    always: Vec<VarId>,
    /// For each of `alive` the block that declares it.
    declared_in: Vec<Option<usize>>,
    /// Blocks: each with its parent, and the location where it is entered.
    blocks: Vec<(Option<usize>, Option<LocationId>)>,
    /// The innermost block at the current location.
    now_in: Option<usize>,
    /// Edges of jumps, which may pass declarations, with the scope at their source.
    jumps: Vec<(usize, Around)>,
}

/// A condition that the language guarantees at a location; otherwise behaviour is undefined.
struct Promise {
    at: LocationId,
    condition: Expr,
    /// If the condition is a range check: the number and its range.
    number: Option<(Expr, (Q, Q))>,
}

/// A location, with the place of its first statement.
struct Place {
    span: Option<Span>,
    alive: Option<usize>,
    /// Its innermost block.
    block: Option<usize>,
}

/// The scope around a block: the variables and the parent block.
#[derive(Clone, Copy)]
pub(super) struct Around {
    alive: Option<usize>,
    block: Option<usize>,
}

/// Locations, edges, the initial location, and the lifetimes of variables.
pub(super) type Graph = (Vec<Location>, Vec<Edge>, LocationId, Lifetimes);

const START: LocationId = LocationId(0);

impl Flow {
    pub(super) fn new() -> Flow {
        let (locations, entered) = (vec![Place { span: None, alive: None, block: None }], vec![true]);
        Flow {
            locations,
            edges: Vec::new(),
            entered,
            at: Some(START),
            error: None,
            exit: None,
            promises: Vec::new(),
            alive: Vec::new(),
            now_alive: None,
            unset: BTreeSet::new(),
            always: Vec::new(),
            declared_in: Vec::new(),
            blocks: Vec::new(),
            now_in: None,
            jumps: Vec::new(),
        }
    }

    /// A variable, or the cells of an array, has static storage duration.
    pub(super) fn always(&mut self, first: VarId, cells: usize) {
        self.always.extend((0..cells).map(|i| VarId::new(first.index() + i)));
    }

    /// The lifetime of a variable, or of the cells of an array, begins.
    pub(super) fn begins(&mut self, first: VarId, cells: usize) {
        for i in 0..cells {
            self.alive.push((self.now_alive, VarId::new(first.index() + i)));
            self.declared_in.push(self.now_in);
            self.now_alive = Some(self.alive.len() - 1);
        }
    }

    /// The variables in scope.
    pub(super) fn existing(&self) -> Option<usize> {
        self.now_alive
    }

    /// Enters a block; returns the argument for [`Flow::leave`].
    pub(super) fn enter(&mut self) -> Around {
        let around = Around { alive: self.now_alive, block: self.now_in };
        self.blocks.push((self.now_in, self.at));
        self.now_in = Some(self.blocks.len() - 1);
        around
    }

    /// Leaves a block: the variables declared in it end their lifetime.
    pub(super) fn leave(&mut self, around: Around) {
        (self.now_alive, self.now_in) = (around.alive, around.block);
    }

    /// The last step leaves a variable that it writes uninitialised.
    pub(super) fn gives_no_value(&mut self, v: VarId) {
        if self.at.is_some() {
            self.unset.insert((self.edges.len() - 1, v));
        }
    }

    /// Assigns a location to the current block, wherever it was first mentioned.
    pub(super) fn belongs_here(&mut self, at: LocationId) {
        let place = &mut self.locations[at.index()];
        (place.alive, place.block) = (self.now_alive, self.now_in);
    }

    /// The number of steps.
    pub(super) fn size(&self) -> usize {
        self.edges.len()
    }

    /// The current location.
    pub(super) fn at(&self) -> Option<LocationId> {
        self.at
    }

    /// A new location without incoming edges.
    pub(super) fn fresh(&mut self) -> LocationId {
        self.locations.push(Place { span: None, alive: self.now_alive, block: self.now_in });
        self.entered.push(false);
        LocationId::new(self.locations.len() - 1)
    }

    /// Sets the current location.
    pub(super) fn go(&mut self, to: Option<LocationId>) {
        self.at = to;
    }

    /// Behaviour is undefined unless the condition is true (or the number is in the range).
    pub(super) fn promise(&mut self, condition: Expr, number: Option<(Expr, (Q, Q))>) {
        if let Some(at) = self.at {
            self.promises.push(Promise { at, condition, number });
        }
    }

    /// Adds the promises to the operations. The range of an assigned number is that of its variable.
    fn keep_promises(&mut self, variables: &[DraftVariable]) {
        let mut by_location: HashMap<LocationId, Vec<&Promise>> = HashMap::new();
        for promise in &self.promises {
            by_location.entry(promise.at).or_default().push(promise);
        }
        for edge in &mut self.edges {
            let assigned = |promise: &Promise| match (&edge.op, &promise.number) {
                (Op::Assign(v, value), Some((e, range))) => {
                    value.kind == e.kind && variables[v.index()].promised.as_ref() == Some(range)
                }
                _ => false,
            };
            let here = by_location.get(&edge.source).into_iter().flatten().filter(|p| !assigned(p));
            let within: Vec<Expr> = here.map(|p| p.condition.clone()).collect();
            if !within.is_empty() {
                let op = std::mem::replace(&mut edge.op, Op::Skip);
                edge.op = Op::Sequence(vec![Op::Promise(Expr::and(within)), op]);
            }
        }
    }

    /// Something begins at this place of the text.
    pub(super) fn mark(&mut self, span: Span) {
        if let Some(at) = self.at.filter(|_| span != Span::default()) {
            self.locations[at.index()].span.get_or_insert(span);
        }
    }

    /// An edge from the current location, if there is one.
    pub(super) fn edge(&mut self, op: Op, target: LocationId, span: Span) {
        if let Some(source) = self.at {
            self.entered[target.index()] = true;
            self.edges.push(Edge { source, target, op, label: String::new(), span });
        }
    }

    /// A single step; returns the index of its edge.
    pub(super) fn step(&mut self, op: Op, span: Span) -> usize {
        if self.at.is_some() {
            self.mark(span);
            let next = self.fresh();
            self.edge(op, next, span);
            self.at = Some(next);
        }
        self.edges.len().saturating_sub(1)
    }

    /// A single step with this label.
    pub(super) fn labelled(&mut self, op: Op, label: String, span: Span) {
        if self.at.is_some() {
            let edge = self.step(op, span);
            self.edges[edge].label = label;
        }
    }

    pub(super) fn set_op(&mut self, edge: usize, op: Op) {
        let empty = matches!(&op, Op::Update(all) if all.is_empty());
        self.edges[edge].op = if empty { Op::Skip } else { op };
    }

    /// An edge of a `goto` or to a case, which may pass declarations.
    pub(super) fn jump_over(&mut self, op: Op, to: LocationId, span: Span) {
        self.edge(op, to, span);
        if self.at.is_some() {
            self.jumps.push((self.edges.len() - 1, Around { alive: self.now_alive, block: self.now_in }));
        }
    }

    /// Variables whose declarations a jump passes have any value on entry to their block (C17, 6.2.4, paragraph 6),
    /// whether by the jump or otherwise.
    fn give_any_values(&mut self, variables: &[DraftVariable]) {
        let Passed { mut given, passed } = self.passed();
        let mut at_entries: HashMap<LocationId, BTreeSet<VarId>> = HashMap::new();
        for (block, all) in passed {
            if let Some(at) = self.blocks[block].1 {
                at_entries.entry(at).or_default().extend(all);
            }
        }
        for (i, edge) in self.edges.iter().enumerate() {
            let all = at_entries.get(&edge.source).into_iter().flatten();
            given.extend(all.filter(|v| !edge.op.written().contains(v)).map(|v| (i, *v)));
        }
        for (edge, v) in &given {
            let edge = &mut self.edges[*edge];
            let first = any_value(*v, variables[v.index()].promised.clone());
            edge.op = Op::Sequence(match std::mem::replace(&mut edge.op, Op::Skip) {
                Op::Skip => vec![first],
                op => vec![first, op],
            });
        }
        self.unset.extend(given);
    }

    fn passed(&self) -> Passed {
        let Passed { mut given, mut passed } = Passed::default();
        let mut entered: Vec<(usize, usize)> = Vec::new();
        for (jump, here) in &self.jumps {
            let there = &self.locations[self.edges[*jump].target.index()];
            let blocks = reached_newly(here.block, there.block, |i| self.blocks[i].0);
            for new in reached_newly(here.alive, there.alive, |i| self.alive[i].0) {
                let v = self.alive[new].1;
                match self.declared_in[new] {
                    Some(block) if !blocks.contains(&block) => _ = passed.entry(block).or_default().insert(v),
                    _ => _ = given.insert((*jump, v)),
                }
            }
            entered.extend(blocks.into_iter().map(|block| (*jump, block)));
        }
        for (jump, block) in entered {
            given.extend(passed.get(&block).into_iter().flatten().map(|v| (jump, *v)));
        }
        Passed { given, passed }
    }

    /// Jumps to a location that may have other incoming edges.
    pub(super) fn jump(&mut self, to: LocationId, span: Span) {
        self.edge(Op::Skip, to, span);
        self.at = None;
    }

    /// Continues at a location that may have other incoming edges.
    pub(super) fn join(&mut self, at: LocationId, span: Span) {
        self.jump(at, span);
        self.at = Some(at);
    }

    /// Continues at a location if it has incoming edges.
    pub(super) fn arrive(&mut self, at: LocationId) {
        self.at = self.entered[at.index()].then_some(at);
    }

    /// One of several branches, with this label.
    pub(super) fn way(&mut self, label: &str, target: LocationId, span: Span) {
        self.edge(Op::Skip, target, span);
        if let (Some(_), Some(edge)) = (self.at, self.edges.last_mut()) {
            label.clone_into(&mut edge.label);
        }
    }

    /// The program fails here, with this label.
    pub(super) fn fail(&mut self, label: &str, span: Span) {
        let error = self.error.unwrap_or_else(|| self.fresh());
        self.error = Some(error);
        self.mark(span);
        self.way(label, error, span);
        self.at = None;
    }

    /// The program terminates here.
    pub(super) fn end(&mut self, span: Span) {
        let exit = self.exit.unwrap_or_else(|| self.fresh());
        self.exit = Some(exit);
        self.jump(exit, span);
    }

    /// The finished automaton, without empty steps and unreachable locations. The variables in scope at the end of
    /// `main` are those of the final state. There is an error location if the program is `asked` whether it fails.
    pub(super) fn finish(
        mut self,
        lines: LineIndex<'_>,
        variables: &[DraftVariable],
        (last, asked): (Option<usize>, bool),
    ) -> Graph {
        let error = self.error.or_else(|| asked.then(|| self.fresh()));
        self.give_any_values(variables);
        self.keep_promises(variables);
        let target = self.shortcuts(last);
        for edge in &mut self.edges {
            edge.target = target[edge.target.index()];
        }
        let start = target[START.index()];
        let reached = self.reached(start);
        let keep = |l: LocationId| reached[l.index()] || Some(l) == error;
        let mut number = vec![LocationId(0); self.locations.len()];
        let mut names = Names { lines, taken: std::collections::HashMap::new() };
        let (mut locations, mut alive) = (Vec::new(), Vec::new());
        for l in (0..self.locations.len()).map(LocationId::new).filter(|l| keep(*l)) {
            number[l.index()] = LocationId::new(locations.len());
            let role = match l {
                _ if Some(l) == error => Role::Error,
                _ if l == start => Role::Initial,
                _ if Some(l) == self.exit => Role::Final,
                _ => Role::Plain,
            };
            let span = self.locations[l.index()].span;
            let name = names.of(role, span);
            locations.push(Location { name, role, anonymous: false, span: span.unwrap_or_default() });
            let ends = matches!(role, Role::Error | Role::Final);
            alive.push(if ends { last } else { self.locations[l.index()].alive });
        }
        let mut unset = BTreeSet::new();
        let mut edges = Vec::new();
        for (i, edge) in self.edges.into_iter().enumerate().filter(|(_, e)| reached[e.source.index()]) {
            let here = self.unset.range((i, VarId::new(0))..(i + 1, VarId::new(0)));
            unset.extend(here.map(|(_, v)| (EdgeId::new(edges.len()), *v)));
            edges.push(edge);
        }
        for edge in &mut edges {
            (edge.source, edge.target) = (number[edge.source.index()], number[edge.target.index()]);
        }
        let lifetimes = Lifetimes::new((self.alive, alive), unset, self.always);
        (locations, edges, number[start.index()], lifetimes)
    }

    /// Is there a variable in scope at the location but not at the target? The scope at the end is given.
    fn loses(&self, l: LocationId, target: LocationId, last: Option<usize>) -> bool {
        let ends = Some(target) == self.exit || Some(target) == self.error;
        let there = if ends { last } else { self.locations[target.index()].alive };
        let here = self.locations[l.index()].alive;
        let before = |at: Option<usize>| at.and_then(|i| self.alive[i].0);
        let mut chain = std::iter::successors(there, |i| before(Some(*i)));
        here.is_some_and(|here| chain.all(|i| i != here))
    }

    /// For each location the end of the chain of empty steps without alternatives that leaves it. The last state of a
    /// variable's lifetime is kept.
    fn shortcuts(&self, last: Option<usize>) -> Vec<LocationId> {
        let mut only = vec![None; self.locations.len()];
        let mut several = vec![false; self.locations.len()];
        for edge in &self.edges {
            let source = edge.source.index();
            several[source] |= only[source].is_some();
            only[source] = Some((edge.target, edge.op == Op::Skip && edge.label.is_empty()));
        }
        let next = |l: LocationId| match only[l.index()] {
            Some((target, true)) if !several[l.index()] && !self.loses(l, target, last) => Some(target),
            _ => None,
        };
        let follow = |l: LocationId| {
            let mut at = l;
            // A cycle of such steps is unchanged.
            for _ in 0..self.locations.len() {
                match next(at) {
                    Some(target) if target != l => at = target,
                    Some(_) => return l,
                    None => return at,
                }
            }
            l
        };
        (0..self.locations.len()).map(LocationId::new).map(follow).collect()
    }

    fn reached(&self, start: LocationId) -> Vec<bool> {
        let mut outgoing: Vec<Vec<LocationId>> = vec![Vec::new(); self.locations.len()];
        for edge in &self.edges {
            outgoing[edge.source.index()].push(edge.target);
        }
        let mut reached = vec![false; self.locations.len()];
        let mut stack = vec![start];
        while let Some(l) = stack.pop() {
            if !std::mem::replace(&mut reached[l.index()], true) {
                stack.extend(&outgoing[l.index()]);
            }
        }
        reached
    }
}

/// Variables whose declarations jumps pass: by edge, those that get any value on the jump; by block, those that get any
/// value on entry to the block.
#[derive(Default)]
struct Passed {
    given: BTreeSet<(usize, VarId)>,
    passed: BTreeMap<usize, BTreeSet<VarId>>,
}

/// The ancestors of one node of a tree that are not ancestors of another one, both included; parents have smaller
/// indices.
fn reached_newly(
    mut here: Option<usize>,
    mut there: Option<usize>,
    parent: impl Fn(usize) -> Option<usize>,
) -> Vec<usize> {
    let mut new = Vec::new();
    while here != there {
        if there > here {
            new.extend(there);
            there = there.and_then(&parent);
        } else {
            here = here.and_then(&parent);
        }
    }
    new
}

/// Names of locations: by line, `L12`, and `L12_2` for the second one of a line.
struct Names<'a> {
    lines: LineIndex<'a>,
    taken: std::collections::HashMap<String, u32>,
}

impl Names<'_> {
    fn of(&mut self, role: Role, span: Option<Span>) -> String {
        let base = match (role, span) {
            (Role::Error, _) => "error".to_owned(),
            (Role::Final, _) => "end".to_owned(),
            (_, Some(span)) => format!("L{}", self.lines.position(span.start).0),
            (Role::Initial, None) => "start".to_owned(),
            (_, None) => "L".to_owned(),
        };
        let count = self.taken.entry(base.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { base } else { format!("{base}_{count}") }
    }
}

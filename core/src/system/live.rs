//! Live variables: a variable is *live* at a location if some path from there reads it before it is written (the
//! classical backward data-flow analysis). Values that are not live are computed by the interpreter only.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::expr::{Expr, VarId};
use crate::system::{LocationId, Op, System};

impl System {
    /// The variables that are live at the start, if it is on no cycle: they are read before they are written.
    #[must_use]
    pub fn read_first(&self) -> BTreeSet<VarId> {
        let live = self.live();
        let mut first = BTreeSet::new();
        for edge in self.out_edges(self.initial).iter().map(|e| self.edge(*e)) {
            let mut backwards = Backwards::of(&edge.op);
            first.extend(backwards.always());
            live[edge.target.index()].iter().for_each(|v| first.extend(backwards.before(*v)));
        }
        first.extend(self.initial_formula.variables());
        first
    }

    /// By variable: is it shown in a trace? Values that are computed within a step only for other values, like the
    /// gates of a circuit, are not. All places of a net are.
    #[must_use]
    pub fn shown(&self) -> Vec<bool> {
        let mut shown = vec![true; self.variables.len()];
        if self.net.is_some() {
            return shown;
        }
        let mut hide = |own: Option<VarId>, e: &crate::expr::Expr| {
            e.variables().into_iter().filter(|v| Some(*v) != own).for_each(|v| shown[v.index()] = false);
        };
        for edge in &self.edges {
            parts(&edge.op, &mut |op| match op {
                Op::Assume(e) => hide(None, e),
                Op::Assign(v, e) => hide(Some(*v), e),
                Op::Update(all) => all.iter().for_each(|(v, e)| hide(Some(*v), e)),
                _ => {}
            });
        }
        for (location, live) in self.locations.iter().zip(self.live()) {
            if !location.anonymous {
                live.iter().for_each(|v| shown[v.index()] = true);
            }
        }
        self.edges.iter().flat_map(|e| e.op.havocs()).for_each(|v| shown[v.index()] = true);
        shown
    }

    /// The live variables of each location. Variables of the invariant are always live.
    ///
    /// Each variable is propagated backwards separately, over the operations that write it, so the work is proportional
    /// to the dependences, and not to their number times the number of variables.
    #[must_use]
    pub fn live(&self) -> Vec<BTreeSet<VarId>> {
        let mut live = vec![BTreeSet::new(); self.locations.len()];
        let mut into: Vec<Into> = live.iter().map(|_| Into::default()).collect();
        let mut open: Vec<(LocationId, VarId)> = Vec::new();
        let mut edges: Vec<Backwards<'_>> = self.edges.iter().map(|e| Backwards::of(&e.op)).collect();
        for (i, edge) in self.edges.iter().enumerate() {
            into[edge.target.index()].add(i, edge.source, &edges[i]);
            open.extend(edges[i].always().into_iter().map(|v| (edge.source, v)));
        }
        let always = self.invariant.variables();
        open.extend(self.location_ids().flat_map(|l| always.iter().map(move |v| (l, *v))));
        while let Some((at, v)) = open.pop() {
            if !live[at.index()].insert(v) {
                continue;
            }
            let into = &into[at.index()];
            let writers = into.writers.get(&v).map_or(&[][..], |all| all);
            for i in into.relations.iter().chain(writers) {
                open.extend(edges[*i].before(v).into_iter().map(|w| (self.edges[*i].source, w)));
            }
            // An edge that does not write the variable leaves it live.
            let mut writing: BTreeMap<LocationId, usize> = BTreeMap::new();
            writers.iter().for_each(|i| *writing.entry(self.edges[*i].source).or_default() += 1);
            let others = into.others.iter().filter(|(source, all)| writing.get(source) != Some(all));
            open.extend(others.map(|(source, _)| (*source, v)));
        }
        live
    }
}

/// The edges to a location.
#[derive(Default)]
struct Into {
    /// Those with relations.
    relations: Vec<usize>,
    /// By variable, those of the others that write it.
    writers: HashMap<VarId, Vec<usize>>,
    /// By source, the number of those without relations.
    others: BTreeMap<LocationId, usize>,
}

impl Into {
    fn add(&mut self, edge: usize, source: LocationId, op: &Backwards<'_>) {
        if !op.relations.is_empty() {
            return self.relations.push(edge);
        }
        *self.others.entry(source).or_default() += 1;
        op.writers.keys().for_each(|v| self.writers.entry(*v).or_default().push(edge));
    }
}

/// The operation, or its parts.
fn parts<'a>(op: &'a Op, visit: &mut dyn FnMut(&'a Op)) {
    match op {
        Op::Sequence(ops) => ops.iter().for_each(|op| parts(op, visit)),
        op => visit(op),
    }
}

/// The variables that are live before an operation, given those after it.
struct Backwards<'a> {
    parts: Vec<&'a Op>,
    /// The parts that write a variable, in their order, with the assigned expression, unless it is a havoc.
    writers: HashMap<VarId, Vec<(usize, Option<&'a Expr>)>>,
    /// Relations, each with the number of variables whose next values it determines, which are the first ones.
    relations: Vec<(usize, usize)>,
    /// Already propagated: the writers, and the variables that are live before the whole operation.
    followed: HashSet<(usize, VarId)>,
    found: HashSet<VarId>,
}

impl<'a> Backwards<'a> {
    fn of(op: &'a Op) -> Backwards<'a> {
        let mut all = Vec::new();
        parts(op, &mut |part| all.push(part));
        let mut writers: HashMap<VarId, Vec<(usize, Option<&Expr>)>> = HashMap::new();
        let mut relations = Vec::new();
        for (i, part) in all.iter().enumerate() {
            let mut writes = |v: VarId, e| writers.entry(v).or_default().push((i, e));
            match part {
                Op::Assign(v, e) => writes(*v, Some(e)),
                Op::Update(all) => all.iter().for_each(|(v, e)| writes(*v, Some(e))),
                Op::Havoc(v) => writes(*v, None),
                Op::Relation(n, _) => relations.push((i, *n)),
                Op::Skip | Op::Assume(_) | Op::Promise(_) | Op::Sequence(_) => {}
            }
        }
        Backwards { parts: all, writers, relations, followed: HashSet::new(), found: HashSet::new() }
    }

    /// The variables that are read in any case.
    fn always(&mut self) -> Vec<VarId> {
        let mut open = Vec::new();
        for (i, part) in self.parts.iter().enumerate() {
            match part {
                Op::Assume(e) | Op::Promise(e) => open.extend(e.variables().into_iter().map(|v| (i, v))),
                Op::Relation(n, e) => {
                    let old = e.variables().into_iter().filter(|v| !Op::related(*n, *v).1);
                    open.extend(old.map(|v| (i, v)));
                }
                _ => {}
            }
        }
        self.follow(open)
    }

    /// The additional variables that are live before it, if a variable is live after it.
    fn before(&mut self, v: VarId) -> Vec<VarId> {
        self.follow(vec![(self.parts.len(), v)])
    }

    /// Propagates variables that are live before a part.
    fn follow(&mut self, mut open: Vec<(usize, VarId)>) -> Vec<VarId> {
        let mut new = Vec::new();
        while let Some((at, v)) = open.pop() {
            let writes = self.writers.get(&v).map_or(&[][..], |all| all);
            let writer = writes[..writes.partition_point(|(i, _)| *i < at)].last().copied();
            let before = &self.relations[..self.relations.partition_point(|(i, _)| *i < at)];
            let relation = before.iter().rev().find(|(_, n)| v.index() < *n).map(|(i, _)| *i);
            let writer = match (writer, relation) {
                (Some((i, e)), r) if r.is_none_or(|r| r < i) => Some((i, e)),
                (_, relation) => relation.map(|r| (r, None)),
            };
            match writer {
                None => new.extend(self.found.insert(v).then_some(v)),
                Some((i, e)) if self.followed.insert((i, v)) => {
                    open.extend(e.into_iter().flat_map(Expr::variables).map(|w| (i, w)));
                }
                Some(_) => {}
            }
        }
        new
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_written_before_it_is_read_is_not_live() {
        let text = "main process p { var x : int var y : int var t : int init loc A loc B error loc E
            A -> B { x := 0 } B -> B { t := x + y x := t } B -> E { assume x < 0 } }";
        let system = crate::formats::cfa::parse(text).unwrap();
        let live = system.live();
        let names = |l: &str| {
            let at = system.find_location(l).unwrap();
            live[at.index()].iter().map(|v| system.variable(*v).name.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(names("A"), ["y"]);
        assert_eq!(names("B"), ["x", "y"]);
        assert!(names("E").is_empty());
    }
}

//! Which values matter where: a variable is *live* at a location if some way from there reads it before it is written
//! (the classical data-flow analysis, backwards). Values that are not live are computed by the interpreter only.

use std::collections::BTreeSet;

use crate::expr::VarId;
use crate::system::{LocationId, Op, System};

impl System {
    /// The variables whose initial values matter if nothing leads back to the start: they are read before they are written.
    #[must_use]
    pub fn read_first(&self) -> BTreeSet<VarId> {
        let live = self.live();
        let mut first = BTreeSet::new();
        for edge in self.out_edges(self.initial).iter().map(|e| self.edge(*e)) {
            let mut before = live[edge.target.index()].clone();
            read_before(&edge.op, &mut before);
            first.extend(before);
        }
        first.extend(self.initial_formula.variables());
        first
    }

    /// By variable: is it worth telling in a run? What is computed within a step for other values of it, like the gates of a
    /// circuit, and not read after it, is not.
    #[must_use]
    pub fn told(&self) -> Vec<bool> {
        let mut told = vec![true; self.variables.len()];
        let mut hide = |own: Option<VarId>, e: &crate::expr::Expr| {
            e.variables().into_iter().filter(|v| Some(*v) != own).for_each(|v| told[v.index()] = false);
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
                live.iter().for_each(|v| told[v.index()] = true);
            }
        }
        self.edges.iter().flat_map(|e| e.op.havocs()).for_each(|v| told[v.index()] = true);
        told
    }

    /// The live variables of each location. What the invariant speaks of always is.
    #[must_use]
    pub fn live(&self) -> Vec<BTreeSet<VarId>> {
        let always: BTreeSet<VarId> = self.invariant.variables().into_iter().collect();
        let mut live = vec![always; self.locations.len()];
        let mut into = vec![Vec::new(); self.locations.len()];
        for edge in self.edge_ids().map(|e| self.edge(e)) {
            into[edge.target.index()].push(edge);
        }
        let mut queue: Vec<LocationId> = self.location_ids().collect();
        while let Some(at) = queue.pop() {
            for edge in &into[at.index()] {
                let mut before = live[at.index()].clone();
                read_before(&edge.op, &mut before);
                let source = &mut live[edge.source.index()];
                let known = source.len();
                source.extend(before);
                if source.len() > known {
                    queue.push(edge.source);
                }
            }
        }
        live
    }
}

/// The operation, or those that it is made of.
fn parts(op: &Op, visit: &mut dyn FnMut(&Op)) {
    match op {
        Op::Sequence(ops) => ops.iter().for_each(|op| parts(op, visit)),
        op => visit(op),
    }
}

/// From what is live after an operation to what is live before it.
fn read_before(op: &Op, live: &mut BTreeSet<VarId>) {
    match op {
        Op::Skip => {}
        Op::Assume(e) | Op::Promise(e) => live.extend(e.variables()),
        Op::Assign(v, e) => {
            if live.remove(v) {
                live.extend(e.variables());
            }
        }
        Op::Update(all) => {
            let read: Vec<_> = all.iter().filter(|(v, _)| live.contains(v)).collect();
            read.iter().for_each(|(v, _)| {
                live.remove(v);
            });
            read.iter().for_each(|(_, e)| live.extend(e.variables()));
        }
        Op::Havoc(v) => {
            live.remove(v);
        }
        Op::Relation(n, e) => {
            live.clear();
            live.extend(e.variables().into_iter().filter(|v| !Op::related(*n, *v).1));
        }
        Op::Sequence(ops) => ops.iter().rev().for_each(|op| read_before(op, live)),
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

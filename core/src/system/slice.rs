//! Backward slicing: removes parts without influence on the reachability of the error location (after Sallai, Hajdu,
//! Tóth and Micskei, "Towards Evaluating Size Reduction Techniques for Software Model Checking", 2017, section 3).
//!
//! Two kinds of parts are removed, which preserves the answer: edges to locations from which the error location is
//! unreachable, and assignments to variables outside of the *cone of influence*, on which no condition depends. Ids of
//! locations and edges are preserved, so events and runs refer to the whole system.

use std::collections::BTreeSet;

use crate::system::{Edge, EdgeId, Op, System, VarId, distances};

/// The removed parts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sliced {
    /// Edges that are removed.
    pub edges: Vec<EdgeId>,
    /// Edges whose operation is removed.
    pub assignments: Vec<EdgeId>,
    /// Variables on which no condition depends.
    pub variables: Vec<VarId>,
}

impl System {
    /// The slice for the error location, and the removed parts. Without an error location it is the whole system.
    #[must_use]
    pub fn slice(&self) -> (System, Sliced) {
        let mut slice = self.clone();
        let mut sliced = Sliced::default();
        if self.error.is_none() {
            return (slice, sliced);
        }
        let distance = distances(self);
        let leads_nowhere = |e: &Edge| distance[e.target.index()].is_none();
        sliced.edges = self.edge_ids().filter(|e| leads_nowhere(self.edge(*e))).collect();
        let kept: Vec<EdgeId> = self.edge_ids().filter(|e| !leads_nowhere(self.edge(*e))).collect();
        let relevant = self.cone(&kept);
        sliced.variables = self.var_ids().filter(|v| !relevant.contains(v)).collect();
        for id in kept {
            let op = &mut slice.edges[id.index()].op;
            let reduced = self.reduced(op, &relevant);
            if reduced != *op {
                *op = reduced;
                sliced.assignments.push(id);
            }
        }
        slice.leave_out(&sliced.edges);
        (slice, sliced)
    }

    /// The variables on which conditions of these edges depend.
    fn cone(&self, kept: &[EdgeId]) -> BTreeSet<VarId> {
        let mut relevant: BTreeSet<VarId> =
            self.initial_formula.variables().into_iter().chain(self.invariant.variables()).collect();
        loop {
            let before = relevant.len();
            for id in kept {
                self.grow(&self.edge(*id).op, &mut relevant);
            }
            if relevant.len() == before {
                return relevant;
            }
        }
    }

    fn grow(&self, op: &Op, relevant: &mut BTreeSet<VarId>) {
        match op {
            Op::Skip | Op::Promise(_) | Op::Havoc(_) => {}
            Op::Assume(e) => relevant.extend(e.variables()),
            Op::Relation(n, e) => relevant.extend(e.variables().into_iter().map(|v| Op::related(*n, v).0)),
            Op::Assign(v, e) if relevant.contains(v) => relevant.extend(e.variables()),
            Op::Assign(..) => {}
            Op::Update(all) => {
                for (_, e) in all.iter().filter(|(v, _)| relevant.contains(v)).collect::<Vec<_>>() {
                    relevant.extend(e.variables());
                }
            }
            Op::Sequence(_) if self.input(op).is_some() => {}
            Op::Sequence(ops) => ops.iter().for_each(|op| self.grow(op, relevant)),
        }
    }

    /// The variable of an operation that is a single havoc.
    fn input(&self, op: &Op) -> Option<VarId> {
        let Op::Sequence(ops) = op else { return None };
        let [Op::Havoc(v), Op::Assume(e)] = ops.as_slice() else { return None };
        let (lo, _) = self.variable(*v).promised.clone()?;
        let least = solver_lite::term::Value::Num(lo);
        let possible = e.variables() == [*v] && e.eval(&|_| least.clone()).is_ok_and(|value| value.bool());
        possible.then_some(*v)
    }

    fn reduced(&self, op: &Op, relevant: &BTreeSet<VarId>) -> Op {
        match op {
            Op::Promise(_) => Op::Skip,
            Op::Assign(v, _) | Op::Havoc(v) if !relevant.contains(v) => Op::Skip,
            Op::Update(all) => {
                let kept: Vec<_> = all.iter().filter(|(v, _)| relevant.contains(v)).cloned().collect();
                if kept.is_empty() { Op::Skip } else { Op::Update(kept) }
            }
            Op::Sequence(ops) => match self.input(op) {
                Some(v) if !relevant.contains(&v) => Op::Skip,
                Some(_) => op.clone(),
                None => Op::Sequence(ops.iter().map(|op| self.reduced(op, relevant)).collect()),
            },
            op => op.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_influence_goes() {
        let text = "main process p { var x : int var y : int var z : int var i : int
            init loc A loc B loc C final loc F error loc E
            A -> B { x := 0 } B -> B { y := y + 1 } B -> C { z := x } B -> F { assume i > 0 }
            C -> E { assume z > 5 } C -> F { assume z <= 5 } }";
        let system = crate::formats::cfa::parse(text).unwrap();
        let (slice, sliced) = system.slice();
        let label = |e: &EdgeId| system.edge(*e).label.clone();
        assert_eq!(sliced.edges.iter().map(label).collect::<Vec<_>>(), ["[i > 0]", "[z <= 5]"]);
        assert_eq!(sliced.assignments.iter().map(label).collect::<Vec<_>>(), ["y := y + 1"]);
        let names: Vec<&str> = sliced.variables.iter().map(|v| system.variable(*v).name.as_str()).collect();
        assert_eq!(names, ["y", "i"]);
        let b = system.find_location("B").unwrap();
        assert_eq!((system.out_edges(b).len(), slice.out_edges(b).len()), (3, 2));
    }
}

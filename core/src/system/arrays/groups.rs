//! Which arrays flow into each other, and at which constant indices they are used.

use std::collections::BTreeSet;

use super::{Keys, Uses, not_constant, small_domain};
use crate::diagnostic::Diagnostic;
use crate::expr::{Expr, Kind, Type, VarId};
use crate::system::{Draft, Op};

struct Groups {
    /// Union-find: the representative is where the chain ends.
    parent: Vec<usize>,
    uses: Uses,
    refused: Vec<(Option<usize>, Diagnostic)>,
    edge: usize,
}

/// The indices of the cells of each array, the same throughout a group.
///
/// # Errors
/// Indices that are neither constant nor of a small type.
pub(super) fn keys(draft: &Draft) -> Result<Keys, Vec<(Option<usize>, Diagnostic)>> {
    let n = draft.variables.len();
    if !draft.variables.iter().any(|v| v.ty.is_array()) {
        return Ok(vec![BTreeSet::new(); n]);
    }
    let mut groups = Groups { parent: (0..n).collect(), uses: Uses::new(), refused: Vec::new(), edge: 0 };
    for (i, edge) in draft.edges.iter().enumerate() {
        groups.edge = i;
        groups.op(&edge.op);
    }
    if !groups.refused.is_empty() {
        return Err(groups.refused);
    }
    let mut by_group = vec![BTreeSet::new(); n];
    for (v, keys) in std::mem::take(&mut groups.uses) {
        by_group[groups.find(v)].extend(keys);
    }
    let keys = draft.variables.iter().enumerate().map(|(i, v)| match &v.ty {
        Type::Array(index, _) => match small_domain(index) {
            Some(all) => all.into_iter().collect(),
            None => by_group[groups.find(VarId::new(i))].clone(),
        },
        _ => BTreeSet::new(),
    });
    Ok(keys.collect())
}

/// The first array variable in the spine of an array expression.
pub(super) fn variable(e: &Expr) -> Option<VarId> {
    match &e.kind {
        Kind::Var(v) => Some(*v),
        Kind::Write(abc) => variable(&abc[0]),
        Kind::Ite(abc) => variable(&abc[1]).or_else(|| variable(&abc[2])),
        _ => None,
    }
}

impl Groups {
    fn find(&mut self, v: VarId) -> usize {
        let mut at = v.index();
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    fn union(&mut self, a: Option<VarId>, b: Option<VarId>) {
        if let (Some(a), Some(b)) = (a, b) {
            let (a, b) = (self.find(a), self.find(b));
            self.parent[a.max(b)] = a.min(b);
        }
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Skip | Op::Havoc(_) => {}
            Op::Assume(e) | Op::Promise(e) => self.expr(e, None),
            Op::Assign(v, e) => self.expr(e, Some(*v)),
            Op::Update(all) => all.iter().for_each(|(v, e)| self.expr(e, Some(*v))),
            Op::Sequence(ops) => ops.iter().for_each(|op| self.op(op)),
        }
    }

    /// Looks at `e`, whose value (if it is an array) flows into `into`.
    fn expr(&mut self, e: &Expr, into: Option<VarId>) {
        let array = e.ty.is_array();
        match &e.kind {
            Kind::Var(v) if array => self.union(Some(*v), into),
            Kind::Write(abc) => {
                self.expr(&abc[0], into);
                self.index(&abc[1], into.or_else(|| variable(&abc[0])), true);
                self.expr(&abc[2], None);
            }
            Kind::Array(elements, default) => {
                for [index, element] in elements {
                    self.index(index, into, into.is_some());
                    self.expr(element, None);
                }
                self.expr(default, None);
            }
            Kind::Ite(abc) if array => {
                let into = into.or_else(|| variable(e));
                self.expr(&abc[0], None);
                self.expr(&abc[1], into);
                self.expr(&abc[2], into);
            }
            Kind::Read(ab) => {
                let of = variable(&ab[0]);
                self.expr(&ab[0], of);
                self.index(&ab[1], of, of.is_some());
            }
            Kind::Binary(_, ab) if ab[0].ty.is_array() => {
                let one = variable(&ab[0]).or_else(|| variable(&ab[1]));
                ab.iter().for_each(|e| self.expr(e, one));
            }
            _ => e.children().into_iter().for_each(|c| self.expr(c, None)),
        }
    }

    /// An index into `of`; `must` says that it has to be constant unless its type is small.
    fn index(&mut self, index: &Expr, of: Option<VarId>, must: bool) {
        self.expr(index, None);
        match (index.as_constant(), of) {
            (Some(key), Some(v)) => self.uses.entry(v).or_default().push(key),
            (None, _) if must && small_domain(&index.ty).is_none() => {
                if let Err(d) = not_constant::<()>(index.span, &index.ty) {
                    self.refused.push((Some(self.edge), d));
                }
            }
            _ => {}
        }
    }
}

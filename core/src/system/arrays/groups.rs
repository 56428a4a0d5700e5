//! Groups of related arrays, and the constant indices at which they are accessed.

use std::collections::BTreeSet;

use super::{Keys, Uses, not_constant, small_domain};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Expr, Kind, Type, VarId};
use crate::system::{Draft, Op};

/// Why elements without a cell are relevant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Matter {
    /// The array is read at a variable index of a type that is not small.
    Read,
    /// The array is written at a variable index of a type that is not small.
    Written,
    /// The whole array is compared with another one.
    Compared,
}

struct Groups {
    /// Union-find: the representative is the root of the chain.
    parent: Vec<usize>,
    uses: Uses,
    /// Uses of elements without a cell: the array, the edge, and the place.
    elsewhere: Vec<(Matter, VarId, Option<usize>, Span)>,
    refused: Vec<(Option<usize>, Diagnostic)>,
    edge: Option<usize>,
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
    // Next values have the same cells.
    let parent = (0..n).chain(0..n).collect();
    let mut groups =
        Groups { parent, uses: Uses::new(), elsewhere: Vec::new(), refused: Vec::new(), edge: None };
    for (i, edge) in draft.edges.iter().enumerate() {
        groups.edge = Some(i);
        groups.op(&edge.op);
    }
    groups.edge = None;
    for e in draft.asked.iter().chain(draft.embedded.iter().map(|(_, e)| e)).chain([&draft.invariant]) {
        groups.expr(e, None);
    }
    groups.refuse_unclear(draft);
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

/// Does the operation assign a literal to the array?
fn starts_with_literal(op: &Op, v: VarId) -> bool {
    let literal = |e: &Expr| {
        let mut arrays = false;
        e.visit(&mut |e| arrays |= matches!(e.kind, Kind::Var(_)) && e.ty.is_array());
        !arrays
    };
    match op {
        Op::Assign(w, e) => *w == v && literal(e),
        Op::Update(all) => all.iter().any(|(w, e)| *w == v && literal(e)),
        Op::Sequence(ops) => ops.iter().any(|op| starts_with_literal(op, v)),
        _ => false,
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
            Op::Assume(e) | Op::Promise(e) | Op::Relation(_, e) => self.expr(e, None),
            Op::Assign(v, e) => self.expr(e, Some(*v)),
            Op::Update(all) => all.iter().for_each(|(v, e)| self.expr(e, Some(*v))),
            Op::Sequence(ops) => ops.iter().for_each(|op| self.op(op)),
        }
    }

    /// Visits `e`, whose value (if it is an array) flows into `into`.
    fn expr(&mut self, e: &Expr, into: Option<VarId>) {
        let array = e.ty.is_array();
        match &e.kind {
            Kind::Var(v) if array => self.union(Some(*v), into),
            Kind::Write(abc) => {
                self.expr(&abc[0], into);
                self.index(&abc[1], into.or_else(|| variable(&abc[0])), true, true);
                self.expr(&abc[2], None);
            }
            Kind::Array(elements, default) => {
                for [index, element] in elements {
                    self.index(index, into, into.is_some(), true);
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
                self.index(&ab[1], of, of.is_some(), false);
            }
            Kind::Binary(_, ab) if ab[0].ty.is_array() => {
                let one = variable(&ab[0]).or_else(|| variable(&ab[1]));
                if let Some(v) = one.filter(|_| !self.is_small(&ab[0].ty)) {
                    self.elsewhere.push((Matter::Compared, v, self.edge, e.span));
                }
                ab.iter().for_each(|e| self.expr(e, one));
            }
            _ => e.children().into_iter().for_each(|c| self.expr(c, None)),
        }
    }

    fn is_small(&self, array: &Type) -> bool {
        matches!(array, Type::Array(index, _) if small_domain(index).is_some())
    }

    /// An array that is read at variable indices has one value at all indices without a cell. So it must not be written
    /// at such an index, nor have arbitrary initial values.
    fn refuse_unclear(&mut self, draft: &Draft) {
        let uses = std::mem::take(&mut self.elsewhere);
        for (matter, v, edge, span) in &uses {
            let group = self.find(*v);
            let mut also =
                |what: fn(Matter) -> bool| uses.iter().any(|u| what(u.0) && self.find(u.1) == group);
            let written = also(|m| m == Matter::Written);
            if *matter != Matter::Written && written {
                let message =
                    "reading or comparing an array that is written at variable indices is not supported here";
                self.refused.push((*edge, Diagnostic::unsupported(*span, message)));
            } else if *matter == Matter::Read && !self.uniform(group, draft) {
                let name = &draft.variables[v.index() % draft.variables.len()].name;
                let message = format!(
                    "reading '{name}' at a variable index is not supported, because its elements at indices that are not constant may have different initial values"
                );
                self.refused.push((*edge, Diagnostic::unsupported(*span, message)));
            }
        }
    }

    /// Is every array of the group assigned at the start, and never havocked?
    fn uniform(&mut self, group: usize, draft: &Draft) -> bool {
        let members: Vec<VarId> =
            (0..draft.variables.len()).map(VarId::new).filter(|v| self.find(*v) == group).collect();
        let first = |v: &VarId| {
            let mut begin = draft.edges.iter().filter(|e| e.source == draft.initial).peekable();
            begin.peek().is_some() && begin.all(|e| starts_with_literal(&e.op, *v))
        };
        let any = |v: &VarId| draft.edges.iter().any(|e| e.op.havocs().contains(v));
        members.iter().all(|v| first(v) && !any(v))
    }

    /// An index into `of`; `must` requires it to be constant, unless its type is small.
    fn index(&mut self, index: &Expr, of: Option<VarId>, must: bool, writes: bool) {
        self.expr(index, None);
        match (index.as_constant(), of) {
            (Some(key), Some(v)) => self.uses.entry(v).or_default().push(key),
            (None, Some(v)) if must && index.ty == Type::Int => {
                let matter = if writes { Matter::Written } else { Matter::Read };
                self.elsewhere.push((matter, v, self.edge, index.span));
            }
            (None, _) if must && small_domain(&index.ty).is_none() => {
                if let Err(d) = not_constant::<()>(index.span, &index.ty) {
                    self.refused.push((self.edge, d));
                }
            }
            _ => {}
        }
    }
}

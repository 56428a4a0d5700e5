//! Snapshots of the state of the arithmetic, for observers: the simplex tableau with bounds and values, or the graph of
//! differences in force.
//!
//! Bounds and edges carry the literal they come from, of type `R`: a literal of the search while it runs, one of terms
//! afterwards.

use crate::number::Q;
use crate::term::Term;

/// The state of the decision procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Snapshot<R> {
    /// General sums.
    Tableau(TableauSnapshot<R>),
    /// Differences only.
    Graph(GraphSnapshot<R>),
}

/// Columns with bounds and values, and the rows that define the basic ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableauSnapshot<R> {
    /// Variables and sums.
    pub columns: Vec<ColumnSnapshot<R>>,
    /// Each basic column (by index) as the sum of multiples of nonbasic ones.
    pub rows: Vec<(usize, Vec<(usize, Q)>)>,
}

/// A variable or a sum that has bounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColumnSnapshot<R> {
    /// Its term.
    pub term: Term,
    /// Its value, where δ is an arbitrarily small positive number.
    pub value: String,
    /// The lower bound, and the literal it comes from.
    pub lower: Option<(String, R)>,
    /// The upper bound, and the literal it comes from.
    pub upper: Option<(String, R)>,
    /// Is the value out of its bounds?
    pub violated: bool,
}

/// Terms, and the constraints between them that are in force.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphSnapshot<R> {
    /// A term (`None` for zero) and its value, with δ as in tableaus.
    pub nodes: Vec<(Option<Term>, String)>,
    /// Each constraint `to − from ≤ bound`.
    pub edges: Vec<EdgeSnapshot<R>>,
}

/// A constraint `to − from ≤ bound`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgeSnapshot<R> {
    /// A node, by index.
    pub from: usize,
    /// A node, by index.
    pub to: usize,
    /// The bound.
    pub bound: Q,
    /// Is it `<`?
    pub strict: bool,
    /// Is it refused because it would close a negative cycle?
    pub refused: bool,
    /// The literal it comes from.
    pub literal: R,
}

impl<R> Snapshot<R> {
    /// The size of the drawing: columns, entries of rows, nodes, edges.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Snapshot::Tableau(t) => t.columns.len() + t.rows.iter().map(|(_, sum)| sum.len()).sum::<usize>(),
            Snapshot::Graph(g) => g.nodes.len() + g.edges.len(),
        }
    }

    /// The same with other literals.
    pub(crate) fn map<S>(self, f: &impl Fn(R) -> S) -> Snapshot<S> {
        let bound = |b: Option<(String, R)>| b.map(|(value, reason)| (value, f(reason)));
        match self {
            Snapshot::Tableau(TableauSnapshot { columns, rows }) => {
                let column = |c: ColumnSnapshot<R>| {
                    let ColumnSnapshot { term, value, lower, upper, violated } = c;
                    ColumnSnapshot { term, value, lower: bound(lower), upper: bound(upper), violated }
                };
                Snapshot::Tableau(TableauSnapshot {
                    columns: columns.into_iter().map(column).collect(),
                    rows,
                })
            }
            Snapshot::Graph(GraphSnapshot { nodes, edges }) => {
                let edge = |e: EdgeSnapshot<R>| {
                    let EdgeSnapshot { from, to, bound, strict, refused, literal } = e;
                    EdgeSnapshot { from, to, bound, strict, refused, literal: f(literal) }
                };
                Snapshot::Graph(GraphSnapshot { nodes, edges: edges.into_iter().map(edge).collect() })
            }
        }
    }
}

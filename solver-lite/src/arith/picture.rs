//! Pictures of the state of the arithmetic, for observers: the simplex tableau with bounds and values, or the graph of
//! differences in force.
//!
//! Bounds and edges carry the literal they come from, of type `R`: a literal of the search while it runs, one of terms
//! afterwards.

use crate::number::Q;
use crate::term::Term;

/// The state of the decision procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Picture<R> {
    /// General sums.
    Tableau(TableauPicture<R>),
    /// Differences only.
    Graph(GraphPicture<R>),
}

/// Columns with bounds and values, and the rows that define the basic ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableauPicture<R> {
    /// Variables and sums.
    pub columns: Vec<ColumnPicture<R>>,
    /// Each basic column (by index) as the sum of multiples of nonbasic ones.
    pub rows: Vec<(usize, Vec<(usize, Q)>)>,
}

/// A variable or a sum that has bounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColumnPicture<R> {
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
pub struct GraphPicture<R> {
    /// A term (`None` for zero) and its value, with δ as in tableaus.
    pub nodes: Vec<(Option<Term>, String)>,
    /// Each constraint `to − from ≤ bound`.
    pub edges: Vec<EdgePicture<R>>,
}

/// A constraint `to − from ≤ bound`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgePicture<R> {
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

impl<R> Picture<R> {
    /// The size of the drawing: columns, entries of rows, nodes, edges.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Picture::Tableau(t) => t.columns.len() + t.rows.iter().map(|(_, sum)| sum.len()).sum::<usize>(),
            Picture::Graph(g) => g.nodes.len() + g.edges.len(),
        }
    }

    /// The same with other literals.
    pub(crate) fn map<S>(self, f: &impl Fn(R) -> S) -> Picture<S> {
        let bound = |b: Option<(String, R)>| b.map(|(value, reason)| (value, f(reason)));
        match self {
            Picture::Tableau(TableauPicture { columns, rows }) => {
                let column = |c: ColumnPicture<R>| {
                    let ColumnPicture { term, value, lower, upper, violated } = c;
                    ColumnPicture { term, value, lower: bound(lower), upper: bound(upper), violated }
                };
                Picture::Tableau(TableauPicture { columns: columns.into_iter().map(column).collect(), rows })
            }
            Picture::Graph(GraphPicture { nodes, edges }) => {
                let edge = |e: EdgePicture<R>| {
                    let EdgePicture { from, to, bound, strict, refused, literal } = e;
                    EdgePicture { from, to, bound, strict, refused, literal: f(literal) }
                };
                Picture::Graph(GraphPicture { nodes, edges: edges.into_iter().map(edge).collect() })
            }
        }
    }
}

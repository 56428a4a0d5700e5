//! The ids of objects that an engine creates.

use crate::id::id;

id!(
    /// A node of the abstract reachability graph.
    NodeId, "n"
);
id!(
    /// A predicate of the precision.
    PredicateId, "p"
);
id!(
    /// A cell: an abstract state that may be split.
    CellId, "c"
);
id!(
    /// A formula shown with an event: a step of a path, an interpolant, a valuation.
    FormulaId, "f"
);

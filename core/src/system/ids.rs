//! The ids of the parts of a system.

use crate::id::id;

id!(
    /// A variable of a system.
    VarId,
    "v"
);
id!(
    /// A location of a system.
    LocationId,
    "l"
);
id!(
    /// An edge of a system.
    EdgeId,
    "e"
);

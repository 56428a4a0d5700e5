//! Dense ids of the parts of a system.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The id of the part at `index`.
            ///
            /// # Panics
            /// If there are more than 2^32 parts.
            #[must_use]
            pub fn new(index: usize) -> $name {
                $name(u32::try_from(index).expect("fewer than 2^32 parts"))
            }

            /// The position in the system's list.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

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

//! Placeholder ids until the system is written here.
use serde::{Deserialize, Serialize};
use std::fmt;
macro_rules! id {
    ($name:ident, $p:literal) => {
        /// An id.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);
        impl $name {
            /// Index.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($p, "{}"), self.0)
            }
        }
    };
}
id!(VarId, "v");
id!(LocationId, "l");
id!(EdgeId, "e");

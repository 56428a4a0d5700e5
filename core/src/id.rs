//! Typed ids: dense, in creation order, never reused.

/// Declares an id type over `u32` that is printed with a prefix.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
        )]
        pub struct $name(pub u32);

        impl $name {
            /// The id with this index.
            ///
            /// # Panics
            /// If the index is 2^32 or more.
            #[must_use]
            pub fn new(index: usize) -> $name {
                $name(u32::try_from(index).expect("fewer than 2^32 ids"))
            }

            /// The index in the list of its kind.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

pub(crate) use id;

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

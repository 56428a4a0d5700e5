//! The sizes of types in C that an implementation defines.

/// The implementation-defined sizes of types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    /// `int`, `long` and sizes have 32 bits.
    #[default]
    Ilp32,
    /// `int` has 32 bits, `long` and sizes have 64.
    Lp64,
}

impl DataModel {
    /// Its usual name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }

    /// The bits of `long`, and of `size_t`.
    #[must_use]
    pub fn long(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}

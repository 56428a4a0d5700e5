//! Functions that a program need not define.

use super::types::{CType, DataModel, INT};

/// What a function does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    /// Gives any value of a type.
    Input(CType),
    /// Goes on only if its argument is not zero.
    Assume,
    /// Fails if its argument is zero.
    Assert,
    /// Fails.
    Fail,
    /// Ends the program.
    Exit,
    /// Prints, or does something else that has no effect on variables; its result has this type, and is not supported.
    Effectless(CType),
    /// Gives its first argument.
    First,
}

/// The function of this name. Those that a program defines itself come first, except those that fail.
pub(super) fn builtin(name: &str, model: DataModel) -> Option<Builtin> {
    let int = |bits, signed| Some(Builtin::Input(CType::Int { bits, signed }));
    let long = model.long();
    if let Some(ty) = name.strip_prefix("__VERIFIER_nondet_") {
        return match ty {
            "int" => int(32, true),
            "uint" | "unsigned" | "unsigned_int" | "u32" => int(32, false),
            "long" | "ssize_t" => int(long, true),
            "ulong" | "size_t" => int(long, false),
            "short" => int(16, true),
            "ushort" | "u16" => int(16, false),
            "char" => int(8, true),
            "uchar" | "u8" => int(8, false),
            "longlong" => int(64, true),
            "ulonglong" => int(64, false),
            "bool" | "_Bool" => Some(Builtin::Input(CType::Bool)),
            _ => None,
        };
    }
    match name {
        "nondet" | "nondet_int" => int(32, true),
        "nondet_uint" => int(32, false),
        "nondet_bool" => Some(Builtin::Input(CType::Bool)),
        "__VERIFIER_assume" | "assume" => Some(Builtin::Assume),
        "__VERIFIER_assert" | "assert" => Some(Builtin::Assert),
        "reach_error" | "__VERIFIER_error" | "__assert_fail" | "__assert" => Some(Builtin::Fail),
        "abort" | "exit" | "_exit" => Some(Builtin::Exit),
        "printf" | "puts" | "putchar" | "fflush" => Some(Builtin::Effectless(INT)),
        "perror" | "srand" => Some(Builtin::Effectless(CType::Void)),
        "__builtin_expect" => Some(Builtin::First),
        _ => None,
    }
}

/// Does a call of it fail, even if the program says what else it does?
pub(super) fn always_fails(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}

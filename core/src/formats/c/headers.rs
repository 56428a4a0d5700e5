//! The macros of standard headers (C17, 7), which are built in and not read from files.
//!
//! A macro that the standard requires, but whose value is not known here, is still defined, so that `#ifdef` is
//! correct. It is rejected in conditions, and where an expression uses it.

use solver_lite::number::Q;

use super::preprocess::Replacement;
use super::types::{CType, DataModel};

/// Macros of a header without a known value, separated by blanks; headers without any are included, too.
const UNSUPPORTED: [(&str, &str); 24] = [
    ("assert.h", ""),
    ("ctype.h", ""),
    ("errno.h", "EDOM EILSEQ ERANGE errno"),
    ("inttypes.h", ""),
    ("limits.h", "MB_LEN_MAX"),
    ("locale.h", "LC_ALL LC_COLLATE LC_CTYPE LC_MONETARY LC_NUMERIC LC_TIME"),
    (
        "math.h",
        "HUGE_VAL HUGE_VALF HUGE_VALL INFINITY NAN FP_INFINITE FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO FP_ILOGB0 \
         FP_ILOGBNAN MATH_ERRNO MATH_ERREXCEPT math_errhandling fpclassify isfinite isinf isnan isnormal signbit \
         isgreater isgreaterequal isless islessequal islessgreater isunordered",
    ),
    ("memory.h", ""),
    (
        "pthread.h",
        "PTHREAD_MUTEX_INITIALIZER PTHREAD_COND_INITIALIZER PTHREAD_ONCE_INIT PTHREAD_CREATE_DETACHED \
         PTHREAD_CREATE_JOINABLE",
    ),
    ("setjmp.h", "setjmp"),
    ("signal.h", "SIG_DFL SIG_ERR SIG_IGN SIGABRT SIGFPE SIGILL SIGINT SIGSEGV SIGTERM"),
    ("stdarg.h", "va_arg va_copy va_end va_start"),
    ("stdbool.h", ""),
    ("stddef.h", "offsetof"),
    (
        "stdint.h",
        "INT_FAST8_MIN INT_FAST8_MAX UINT_FAST8_MAX INT_FAST16_MIN INT_FAST16_MAX UINT_FAST16_MAX INT_FAST32_MIN \
         INT_FAST32_MAX UINT_FAST32_MAX INT_FAST64_MIN INT_FAST64_MAX UINT_FAST64_MAX SIG_ATOMIC_MIN SIG_ATOMIC_MAX \
         WCHAR_MIN WCHAR_MAX WINT_MIN WINT_MAX",
    ),
    (
        "stdio.h",
        "_IOFBF _IOLBF _IONBF BUFSIZ FOPEN_MAX FILENAME_MAX L_tmpnam SEEK_CUR SEEK_END SEEK_SET TMP_MAX",
    ),
    ("stdlib.h", "MB_CUR_MAX"),
    ("stdnoreturn.h", ""),
    ("string.h", ""),
    ("strings.h", ""),
    ("sys/types.h", ""),
    ("time.h", "CLOCKS_PER_SEC TIME_UTC"),
    ("unistd.h", "STDIN_FILENO STDOUT_FILENO STDERR_FILENO"),
    ("wchar.h", "WCHAR_MAX WCHAR_MIN WEOF"),
];

/// Names that are supported only as arguments of functions that print.
const PRINTED: [&str; 7] =
    ["NULL", "stdin", "stdout", "stderr", "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"];

/// Has a name a meaning in C that is not supported here?
pub(super) fn is_unsupported(name: &str) -> bool {
    let named = |(_, names): &(&str, &str)| names.split_ascii_whitespace().any(|n| n == name);
    PRINTED.contains(&name) || UNSUPPORTED.iter().any(named)
}

/// A pointer, which is supported as an argument only.
const NULL: (&str, Replacement) = ("NULL", Replacement::Unsupported);

type Macros = Vec<(&'static str, Replacement)>;

/// The macros of a header; none if it is unknown.
pub(super) fn header(name: &str, model: DataModel) -> Option<Macros> {
    let (_, unsupported) = UNSUPPORTED.iter().find(|(header, _)| *header == name)?;
    let mut macros: Macros =
        unsupported.split_ascii_whitespace().map(|n| (n, Replacement::Unsupported)).collect();
    let mut words = |all: &[(&'static str, &str)]| {
        macros.extend(all.iter().map(|(n, v)| (*n, Replacement::List((*v).to_owned()))));
    };
    match name {
        "assert.h" => words(&[("static_assert", "_Static_assert")]),
        "stdbool.h" => {
            words(&[
                ("bool", "_Bool"),
                ("true", "1"),
                ("false", "0"),
                ("__bool_true_false_are_defined", "1"),
            ]);
        }
        "stdnoreturn.h" => words(&[("noreturn", "_Noreturn")]),
        "stddef.h" | "string.h" | "time.h" | "locale.h" | "wchar.h" | "unistd.h" => macros.push(NULL),
        "stdlib.h" => {
            words(&[("EXIT_SUCCESS", "0"), ("EXIT_FAILURE", "1"), ("RAND_MAX", "2147483647")]);
            macros.push(NULL);
        }
        "stdio.h" => {
            words(&[("EOF", "(-1)")]);
            macros.extend(["NULL", "stdin", "stdout", "stderr"].map(|n| (n, Replacement::Unsupported)));
        }
        "limits.h" => {
            words(&[("CHAR_BIT", "8")]);
            macros.extend(ranges(&LIMITS, model));
        }
        "stdint.h" => macros.extend(widths(model)),
        "inttypes.h" => {
            macros.extend(header("stdint.h", model)?);
            macros.extend(FORMATS.split_ascii_whitespace().map(|n| (n, Replacement::List(format(n, model)))));
        }
        _ => {}
    }
    Some(macros)
}

/// The conversion for a macro like `PRId64`; only the size matters, not the representation.
fn format(name: &str, model: DataModel) -> String {
    let size = &name[4..];
    let wide = size.ends_with("64") || size == "MAX";
    let word = size == "PTR" || size == "FAST16" || size == "FAST32";
    match model {
        DataModel::Lp64 if wide || word => "\"ld\"",
        DataModel::Ilp32 if wide => "\"lld\"",
        _ => "\"d\"",
    }
    .to_owned()
}

/// Macros for format strings of numbers (C17, 7.8.1).
const FORMATS: &str = "PRId8 PRId16 PRId32 PRId64 PRIdMAX PRIdPTR PRIi8 PRIi16 PRIi32 PRIi64 PRIiMAX PRIiPTR PRIo8 PRIo16 PRIo32 \
    PRIo64 PRIoMAX PRIoPTR PRIu8 PRIu16 PRIu32 PRIu64 PRIuMAX PRIuPTR PRIx8 PRIx16 PRIx32 PRIx64 PRIxMAX PRIxPTR PRIX8 \
    PRIX16 PRIX32 PRIX64 PRIXMAX PRIXPTR SCNd8 SCNd16 SCNd32 SCNd64 SCNdMAX SCNdPTR SCNi8 SCNi16 SCNi32 SCNi64 SCNiMAX \
    SCNiPTR SCNo8 SCNo16 SCNo32 SCNo64 SCNoMAX SCNoPTR SCNu8 SCNu16 SCNu32 SCNu64 SCNuMAX SCNuPTR SCNx8 SCNx16 SCNx32 \
    SCNx64 SCNxMAX SCNxPTR PRIdLEAST8 PRIdLEAST16 PRIdLEAST32 PRIdLEAST64 PRIiLEAST8 PRIiLEAST16 PRIiLEAST32 PRIiLEAST64 \
    PRIuLEAST8 PRIuLEAST16 PRIuLEAST32 PRIuLEAST64 PRIxLEAST8 PRIxLEAST16 PRIxLEAST32 PRIxLEAST64 PRIdFAST8 PRIdFAST16 \
    PRIdFAST32 PRIdFAST64 PRIuFAST8 PRIuFAST16 PRIuFAST32 PRIuFAST64";

/// Macros for the least and the greatest value of a type, with the suffix of its constants; without a width, the type
/// is `long`.
type Range = (&'static str, &'static str, u32, bool, &'static str);

pub(super) const LIMITS: [Range; 11] = [
    ("SCHAR_MIN", "SCHAR_MAX", 8, true, ""),
    ("CHAR_MIN", "CHAR_MAX", 8, true, ""),
    ("", "UCHAR_MAX", 8, false, ""),
    ("SHRT_MIN", "SHRT_MAX", 16, true, ""),
    ("", "USHRT_MAX", 16, false, ""),
    ("INT_MIN", "INT_MAX", 32, true, ""),
    ("", "UINT_MAX", 32, false, "U"),
    ("LONG_MIN", "LONG_MAX", 0, true, "L"),
    ("", "ULONG_MAX", 0, false, "UL"),
    ("LLONG_MIN", "LLONG_MAX", 64, true, "LL"),
    ("", "ULLONG_MAX", 64, false, "ULL"),
];

const WIDTHS: [Range; 18] = [
    ("INT8_MIN", "INT8_MAX", 8, true, ""),
    ("", "UINT8_MAX", 8, false, ""),
    ("INT16_MIN", "INT16_MAX", 16, true, ""),
    ("", "UINT16_MAX", 16, false, ""),
    ("INT32_MIN", "INT32_MAX", 32, true, ""),
    ("", "UINT32_MAX", 32, false, "U"),
    ("INT64_MIN", "INT64_MAX", 64, true, "LL"),
    ("", "UINT64_MAX", 64, false, "ULL"),
    ("INT_LEAST8_MIN", "INT_LEAST8_MAX", 8, true, ""),
    ("", "UINT_LEAST8_MAX", 8, false, ""),
    ("INT_LEAST16_MIN", "INT_LEAST16_MAX", 16, true, ""),
    ("", "UINT_LEAST16_MAX", 16, false, ""),
    ("INT_LEAST32_MIN", "INT_LEAST32_MAX", 32, true, ""),
    ("", "UINT_LEAST32_MAX", 32, false, "U"),
    ("INT_LEAST64_MIN", "INT_LEAST64_MAX", 64, true, "LL"),
    ("", "UINT_LEAST64_MAX", 64, false, "ULL"),
    ("INTMAX_MIN", "INTMAX_MAX", 64, true, "LL"),
    ("", "UINTMAX_MAX", 64, false, "ULL"),
];

pub(super) fn range(of: &Range, model: DataModel) -> (Q, Q) {
    let bits = if of.2 == 0 { model.long() } else { of.2 };
    CType::Int { bits, signed: of.3 }.range()
}

fn ranges(all: &[Range], model: DataModel) -> Macros {
    let mut macros = Vec::new();
    for of in all {
        let (_, greatest) = range(of, model);
        macros.push((of.1, Replacement::List(format!("{greatest}{}", of.4))));
        if !of.0.is_empty() {
            macros.push((of.0, Replacement::List(format!("(-{greatest}{}-1)", of.4))));
        }
    }
    macros
}

/// The macros of `<stdint.h>` with values. Sizes are of type `int` or `long`.
fn widths(model: DataModel) -> Macros {
    let mut macros = ranges(&WIDTHS, model);
    let suffix = if model == DataModel::Lp64 { "L" } else { "" };
    let (least, greatest) = CType::Int { bits: model.long(), signed: true }.range();
    let (_, all) = CType::Int { bits: model.long(), signed: false }.range();
    for (min, max) in [("INTPTR_MIN", "INTPTR_MAX"), ("PTRDIFF_MIN", "PTRDIFF_MAX")] {
        macros.push((max, Replacement::List(format!("{greatest}{suffix}"))));
        macros.push((min, Replacement::List(format!("({}{suffix}-1)", &least + &Q::ONE))));
    }
    for max in ["UINTPTR_MAX", "SIZE_MAX"] {
        macros.push((max, Replacement::List(format!("{all}U{suffix}"))));
    }
    let wide = if model == DataModel::Lp64 { "L" } else { "LL" };
    let constants: [(&str, String); 10] = [
        ("INT8_C(c)", "c".to_owned()),
        ("UINT8_C(c)", "c".to_owned()),
        ("INT16_C(c)", "c".to_owned()),
        ("UINT16_C(c)", "c".to_owned()),
        ("INT32_C(c)", "c".to_owned()),
        ("UINT32_C(c)", "c ## U".to_owned()),
        ("INT64_C(c)", format!("c ## {wide}")),
        ("UINT64_C(c)", format!("c ## U{wide}")),
        ("INTMAX_C(c)", format!("c ## {wide}")),
        ("UINTMAX_C(c)", format!("c ## U{wide}")),
    ];
    macros.extend(constants.map(|(name, text)| (name, Replacement::List(text))));
    macros
}

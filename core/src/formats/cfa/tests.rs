//! Tests of the `.cfa` format.
#![allow(clippy::print_stdout)]

use super::*;
use crate::diagnostic::limits;
use crate::system::Op;

/// Reads the rows of a manifest about a kind of file.
fn rows(kind: &str) -> Vec<(String, String, String)> {
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/models");
    let Ok(manifest) = std::fs::read_to_string(format!("{models}/MANIFEST.tsv")) else {
        println!("skipped: {models} is not there");
        return Vec::new();
    };
    let mut rows = Vec::new();
    for line in manifest.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        if columns[1] == kind {
            let text = std::fs::read_to_string(format!("{models}/{}", columns[0])).unwrap();
            rows.push((text, columns[2].to_owned(), format!("{}: {}", columns[0], columns[3])));
        }
    }
    rows
}

/// The stack of the page's engine; code that is not optimised needs more.
const STACK: usize = if cfg!(debug_assertions) { 8 << 20 } else { 1 << 20 };

#[test]
fn real_models_have_the_stated_counts() {
    for (text, property, about) in rows("cfa").into_iter().chain(rows("cfa-ltl")) {
        let facts = inspect(&text).unwrap_or_else(|d| panic!("{about}: {d:?}"));
        match parse(&text) {
            Ok(system) => {
                system.validate().unwrap_or_else(|m| panic!("{about}: {m}"));
                assert_eq!(facts.locations, system.locations.len());
                round_trip(&system);
            }
            Err(d) => assert!(d.iter().all(|d| d.message.contains("floating-point")), "{about}: {d:?}"),
        }
        let Some(counts) = property.strip_prefix("parse:") else { continue };
        for part in counts.split(',') {
            let actual = match part.split_once('=').map(|(what, _)| what) {
                Some("vars") => format!("vars={}", facts.variables),
                Some("locs") => format!("locs={}", facts.locations),
                Some("edges") => format!("edges={}", facts.edges),
                _ if facts.has_error => "error-location".to_owned(),
                _ => "no-error-location".to_owned(),
            };
            assert_eq!(actual, part, "{about}");
        }
    }
}

/// Parsing a printed text gives the same edges, and a fixed point of printing.
fn round_trip(system: &System) {
    let text = print(system);
    let again = parse(&text).unwrap_or_else(|d| panic!("{d:?}\n{text}"));
    again.validate().unwrap();
    let second = print(&again);
    assert_eq!(second, print(&parse(&second).unwrap()));
    // An edge of several statements becomes several edges after printing and parsing.
    if system.edges.iter().all(|e| !matches!(e.op, Op::Update(_) | Op::Sequence(_))) {
        assert_eq!(text, second);
        for (a, b) in system.edges.iter().zip(&again.edges) {
            assert_eq!((&a.op, a.source, a.target), (&b.op, b.source, b.target));
        }
    }
}

fn messages(text: &str) -> Vec<String> {
    let lines = crate::diagnostic::LineIndex::new(text);
    let place = |d: &Diagnostic| {
        let (line, column) = lines.position(d.span.start);
        format!("{line}:{column} {}", d.message)
    };
    parse(text).unwrap_err().iter().map(place).collect()
}

#[test]
fn several_mistakes_in_one_run() {
    let text = "main process m {
        var x : int
        var x : bool
        loc A error loc E1 error loc E2
        A -> B { x := true y := 1 }
        A -> A { x = 3 assume x havoc z x := 2 }
    }";
    let found = messages(text);
    assert_eq!(found.len(), 1, "syntax comes first: {found:?}");
    assert!(found[0].starts_with("6:20 expected ':='"), "{found:?}");
    let found = messages(&text.replace("x = 3", ""));
    let starts = [
        "1:14 process 'm' has no 'init loc'",
        "3:13 the variable 'x' is declared twice",
        "4:38 'E2' is a second error location",
        "5:14 unknown location 'B'",
        "5:23 expected int, but this is bool",
        "5:28 unknown variable 'y'",
        "6:26 expected bool, but this is int",
        "6:34 unknown variable 'z'",
    ];
    assert_eq!(found.len(), starts.len(), "{found:#?}");
    for (found, start) in found.iter().zip(starts) {
        assert!(found.starts_with(start), "{found} is not {start}");
    }
}

#[test]
fn broken_syntax_is_reported_once_per_part() {
    let found = messages(
        "main process m {
        init loc A
        loc
        var y int
        A -> A { assume (1 + ) y := }
        A -> A { havoc }
        }",
    );
    assert_eq!(found.len(), 5, "{found:#?}");
    assert!(messages("").len() == 1 && messages("process p { }")[0].contains("no main process"));
    assert!(messages("main process m { init loc A")[0].contains("the text ends"));
}

#[test]
fn unsupported_things_are_named_with_their_place() {
    let with = |declaration: &str, statement: &str| {
        let text = format!(
            "main process m {{ init loc A var x : int var r : rat {declaration}\nA -> A {{ {statement} }} }}"
        );
        inspect(&text).unwrap_or_else(|d| panic!("{text}: {d:?}"));
        messages(&text).join("\n")
    };
    assert!(with("", "havoc x x := x * x").starts_with("2:23 nonlinear multiplication is not supported"));
    assert!(with("", "havoc x x := 1 / x").starts_with("2:27 division by something that is not constant"));
    assert!(with("", "assume forall (i : int) i = x").starts_with("2:17 a quantifier"));
    assert!(with("", "assume x' = x").starts_with("2:17 a primed variable"));
    assert!(with("", "return x").starts_with("2:10 'return'"));
    assert!(with("", "assume x(1) = 1").starts_with("2:17 a function application"));
    assert!(with("var f : (int) -> int", "").starts_with("1:61 a function type"));
    assert!(with("var f : fp[5:11]", "f := f fpadd[RNE] f").starts_with("1:61 the floating-point type"));
    assert!(with("var a : [int] -> [int] -> int", "").contains("arrays of arrays"));
    assert!(with("var a : [int] -> int", "havoc x x := a[x]").contains("reading 'a' at a variable index"));
    let both = with("var a : [int] -> int", "a := a[x <- 1] x := a[x]");
    assert!(both.contains("written at variable indices"), "{both}");
    assert!(
        with("var a : [rat] -> int", "a := a[r <- 1]")
            .contains("an array index of type rat must be a constant")
    );
    assert!(with("var b : bv[32] var c : bv[32]", "b := b bvmul c").contains("up to 16 bits"));
}

#[test]
fn known_values_make_products_linear() {
    let text = "main process m { var x : int var y : int var z : int
        init loc A loc B loc C error loc E
        A -> B { x := 11 y := 5 }
        B -> C { z := x * y z := z + x / y z := z + x mod y }
        C -> E { assume z = 58 } }";
    let system = parse(text).unwrap();
    system.validate().unwrap();
    let product = &system.edges[2];
    assert_eq!(product.label, "z := x * y");
    assert_eq!(system.op_text(&product.op), "z := 11 * 5");
}

#[test]
fn limits_are_named() {
    let deep = |n: usize| {
        format!("main process m {{ init loc A A -> A {{ assume {}true{} }} }}", "(".repeat(n), ")".repeat(n))
    };
    parse(&deep(100)).unwrap();
    assert!(messages(&deep(100_000))[0].contains("the limit is 200 levels"));
    let chain =
        format!("main process m {{ var x : int init loc A A -> A {{ x := x{} }} }}", " + x".repeat(20_000));
    assert_eq!(parse(&chain).unwrap().edges.len(), 1);
    let quotients =
        format!("main process m {{ var x : int init loc A A -> A {{ x := x{} }} }}", " / 2".repeat(20_000));
    assert!(messages(&quotients)[0].contains("the limit is 200 levels"));
    let spread = |what: &str, n: usize| {
        let text =
            "main process m { var p : bool var s : [bv[6]] -> bv[6] init loc A A -> A { assume EXPR } }";
        let e = format!("{}p{}", what.repeat(n), ")".repeat(what.matches('(').count() * n));
        parse(&text.replace("EXPR", &e))
    };
    for what in ["not (", "p imply ", "p and (p or ", "if p then true else ", "p xor (p iff "] {
        spread(what, 60).unwrap_or_else(|d| panic!("{what}: {d:?}"));
        spread(what, 5000).unwrap_err();
    }
    let reads = format!("{}6'd1{}", "s[".repeat(40), "]".repeat(40));
    let text = format!(
        "main process m {{ var s : [bv[6]] -> bv[6] init loc A A -> A {{ assume s[6'd2] = {reads} }} }}"
    );
    assert!(messages(&text)[0].contains("too large to split"));
    let name = "a".repeat(2000);
    assert!(
        messages(&format!("main process {name} {{ init loc A }}"))[0].contains("the limit is 1024 bytes")
    );
    let huge = " ".repeat(limits::SOURCE + 1);
    assert!(messages(&huge)[0].contains("4 MiB"));
}

#[test]
fn recursion_fits_the_stack_of_a_worker() {
    let run = || {
        let starts = [
            "not (",
            "p imply ",
            "p and (p or ",
            "if p then true else ",
            "s[",
            "(",
            "x + (",
            "p = (b bvor (2'd1 ++ 2'd1) = b and (",
            "-",
        ];
        for what in starts {
            for n in [20, 40, 60, 90, 150, 199, 300] {
                let close: String = what
                    .chars()
                    .rev()
                    .filter_map(|c| match c {
                        '(' => Some(')'),
                        '[' => Some(']'),
                        _ => None,
                    })
                    .collect();
                let inner = if what == "s[" {
                    "b"
                } else if what.contains('x') || what == "-" {
                    "x"
                } else {
                    "p"
                };
                let e = format!("{}{inner}{}", what.repeat(n), close.repeat(n));
                let e = match inner {
                    "b" => format!("b = {e}"),
                    "x" => format!("x = {e}"),
                    _ => e,
                };
                let text = format!(
                    "main process m {{ var p : bool var x : int var b : bv[4] var s : [bv[4]] -> bv[4] init loc A A -> A {{ assume {e} }} }}"
                );
                if let Ok(system) = parse(&text) {
                    let state = system.variables.iter().map(|v| v.ty.some_value()).collect();
                    system.validate().unwrap();
                    system
                        .successors(&system.edges[0].op, &state, &|_| Vec::new())
                        .for_each(|s| drop(s.unwrap()));
                    // Splitting of arrays increases the nesting of expressions.
                    if what != "s[" {
                        assert_eq!(print(&parse(&print(&system)).unwrap()), print(&system));
                    }
                }
            }
        }
    };
    std::thread::Builder::new().stack_size(STACK).spawn(run).unwrap().join().unwrap();
}

#[test]
fn nested_array_literals_are_read_once_and_not_too_deep() {
    let nest = |n: usize, one: &dyn Fn(String) -> String| (0..n).fold("b".to_owned(), |e, _| one(e));
    let model =
        |e: &str| format!("main process m {{ var b : bv[4] init loc A A -> A {{ assume b = {e} }} }}");
    // Twice the work a level would be 2^60.
    let text = model(&nest(60, &|e| format!("[{e} <- b, default <- b][b]")));
    assert!(parse(&text).is_ok());
    // Each level nests a hundred choices.
    let elements: String = (0..100).map(|i| format!("4'd{} <- b, ", i % 16)).collect();
    let text = model(&nest(20, &|e| format!("[{elements}default <- {e}][b]")));
    let run = move || messages(&text);
    let refused = std::thread::Builder::new().stack_size(STACK).spawn(run).unwrap().join().unwrap();
    assert!(refused[0].contains("nest deeper than 1000"), "{refused:?}");
}

#[test]
fn many_unsupported_uses_are_no_mistake() {
    let variable = |i| format!("var f{i} : [int] -> [int] -> int ");
    let variables: String = (0..limits::DIAGNOSTICS + 10).map(variable).collect();
    let diagnostics = parse(&format!("main process m {{ {variables} init loc A }}")).unwrap_err();
    assert_eq!(diagnostics.len(), limits::DIAGNOSTICS + 1);
    assert!(diagnostics.iter().all(|d| d.severity == crate::diagnostic::Severity::Unsupported));
}

#[test]
fn large_models_are_read_quickly() {
    let mut text = String::from("main process m { var x : int init loc L0\n");
    for i in 1..20_000 {
        text.push_str(&format!("loc L{i} L{} -> L{i} {{ assume x < {i} x := x + 1 }}\n", i - 1));
    }
    let system = parse(&(text + "}")).unwrap();
    assert_eq!((system.locations.len(), system.edges.len()), (39_999, 39_998));
}

/// A deterministic generator (xorshift, Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % n
    }
}

const SAMPLE: &str = "var g : bool
main process sample {
    var x : int var r : rat var b : bv[4] var a : [int] -> int var s : [bv[2]] -> bool
    init loc L0 loc L1 final loc L2 error loc ERR
    L0 -> L1 { x := if g then -3 else x / 2 r := 4 % 5 b := 4'd5 bvadd b[4:2] ++ 2'b01 }
    L1 -> L1 { a := [0 <- x, default <- a[1]] s := s[b[2:0] <- g xor a[0] = 3] // comment
    }
    L1 -> L2 { assume not x = 1 and (x) /= (2) or x <= 3 imply g iff true }
    L1 -> ERR { assume b bvult 4'xf havoc x /* x */ }
    L2 -> L0
}
";

#[test]
fn the_sample_round_trips() {
    let system = parse(SAMPLE).unwrap_or_else(|d| panic!("{d:?}"));
    system.validate().unwrap();
    round_trip(&system);
}

#[test]
fn nothing_panics() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let words = [
        "(", ")", "[", "]", "{", "}", "<-", "not ", "if ", "0", "x", "b", "a", "'", "4'd9", "%", "fpadd",
        "-", "é", "\0", "/*",
    ];
    for round in 0..6000 {
        let mut bytes = SAMPLE.as_bytes().to_vec();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes.truncate(at),
                1 => bytes[at] = u8::try_from(random.below(256)).unwrap(),
                2 => {
                    let word = words[random.below(words.len())].bytes();
                    bytes.splice(at..at, word);
                }
                _ => {
                    let end = (at + random.below(12)).min(bytes.len());
                    bytes.drain(at..end);
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        let (system, facts) = (parse(&text), inspect(&text));
        match system {
            Ok(system) => system.validate().unwrap_or_else(|m| panic!("round {round}: {m}\n{text}")),
            Err(diagnostics) => assert!(!diagnostics.is_empty(), "round {round}"),
        }
        drop(facts);
    }
    for _ in 0..2000 {
        let text: String = (0..random.below(60)).map(|_| words[random.below(words.len())]).collect();
        let _ = parse(&format!(
            "main process m {{ var x : int var b : bv[4] init loc A A -> A {{ assume {text} }} }}"
        ));
        let _ = parse(&text);
    }
}

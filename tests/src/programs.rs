//! Random control flow automata over small integers.

use std::fmt::Write as _;

use crate::random::Rng;

/// Values are in `0..SIZE`: every assignment ends in `mod`, every havoc is followed by its range.
pub const SIZE: i64 = 4;

fn operand(rng: &mut Rng) -> String {
    match rng.below(3) {
        0 => rng.range(0, SIZE - 1).to_string(),
        _ => (*rng.pick(&["x", "y", "z"])).to_owned(),
    }
}

/// A condition over `x`, `y` and `z`.
pub fn condition(rng: &mut Rng, depth: usize) -> String {
    if depth > 0 && rng.one_in(3) {
        let op = *rng.pick(&["and", "or", "imply", "iff", "xor"]);
        return format!("({}) {op} ({})", condition(rng, depth - 1), condition(rng, depth - 1));
    }
    if rng.one_in(6) {
        return format!("not ({})", condition(rng, depth));
    }
    let op = *rng.pick(&["=", "/=", "<", "<=", ">", ">="]);
    match rng.below(4) {
        0 => format!("{} + {} {op} {}", operand(rng), operand(rng), operand(rng)),
        1 => format!("({} mod 2) {op} {}", operand(rng), operand(rng)),
        _ => format!("{} {op} {}", operand(rng), operand(rng)),
    }
}

fn statement(rng: &mut Rng) -> String {
    let v = *rng.pick(&["x", "y", "z"]);
    match rng.below(6) {
        0 => format!("havoc {v}\n assume 0 <= {v} and {v} < {SIZE}"),
        1 | 2 => format!("assume {}", condition(rng, 1)),
        3 => format!("{v} := if {} then {} else {}", condition(rng, 0), operand(rng), operand(rng)),
        4 => format!("{v} := ({} + {} * {}) mod {SIZE}", operand(rng), rng.range(-2, 3), operand(rng)),
        _ => format!("{v} := ({} - {}) mod {SIZE}", operand(rng), operand(rng)),
    }
}

/// A control flow automaton as text.
#[must_use]
pub fn automaton(rng: &mut Rng) -> String {
    let locations = rng.range(3, 6);
    let mut text =
        "main process random {\n var x : int\n var y : int\n var z : int\n init loc start\n".to_owned();
    for l in 0..locations {
        let _ = writeln!(text, " loc l{l}");
    }
    text.push_str(" error loc bad\n");
    let values = [0; 3].map(|_| rng.range(0, SIZE - 1));
    let _ =
        writeln!(text, " start -> l0 {{\n x := {}\n y := {}\n z := {}\n }}", values[0], values[1], values[2]);
    for l in 0..locations {
        for _ in 0..rng.range(1, 2) {
            let target = rng.range(0, locations - 1);
            let body: Vec<String> = (0..rng.range(0, 2)).map(|_| statement(rng)).collect();
            let _ = writeln!(text, " l{l} -> l{target} {{\n {}\n }}", body.join("\n "));
        }
    }
    let from = rng.range(0, locations - 1);
    let _ = writeln!(text, " l{from} -> bad {{ assume {} }}\n}}", condition(rng, 2));
    text
}

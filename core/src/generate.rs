//! Families of models of any size, as texts: for benchmark tables, tests and lessons.

pub mod charts;
pub mod nets;
pub mod timed;

use std::fmt::Write as _;

/// Fischer's mutual exclusion protocol for `processes` processes as a `.sts` text (Lamport, "A Fast Mutual Exclusion
/// Algorithm", 1987, section 2, attributes it to Fischer). Each process has a clock in real time.
///
/// A process that finds the lock free writes its number into it within one unit of time. After at least two units it
/// enters if the lock still has its number. The faulty variant does not wait.
#[must_use]
pub fn fischer(processes: u32, faulty: bool) -> String {
    let all = 1..=processes;
    let mut text = format!(
        "// {}: Fischer's protocol, {processes} processes{}\nspecification Fischer {{\n    property exclusion : {{\n",
        if faulty && processes > 1 { "violated" } else { "holds" },
        if faulty { ", which do not wait" } else { "" }
    );
    text.push_str("        // The time until something happens.\n        var delay : rat\n        invariant delay >= 0\n");
    let _ = writeln!(text, "        var lock : int\n        invariant 0 <= lock and lock <= {processes}");
    text.push_str("        initial lock = 0\n");
    for i in all.clone() {
        let _ = write!(
            text,
            "\n        // 0 idle, 1 about to take the lock, 2 waiting, 3 in the critical section\n\
             \x20       var at{i} : int\n        var clock{i} : rat\n        invariant 0 <= at{i} and at{i} <= 3\n\
             \x20       invariant clock{i} >= 0\n        invariant at{i} = 1 imply clock{i} + delay <= 1\n\
             \x20       initial at{i} = 0 and clock{i} = 0\n"
        );
    }
    let least = if faulty { 0 } else { 2 };
    let mut steps = Vec::new();
    for i in all.clone() {
        let mut step = |from: &str, lock: &str, to: u32, resets: bool| {
            let mut parts = vec![from.to_owned(), format!("lock' = {lock}"), format!("at{i}' = {to}")];
            for j in all.clone() {
                if j != i {
                    parts.push(format!("at{j}' = at{j}"));
                }
                let clock = if j == i && resets { "0".to_owned() } else { format!("clock{j} + delay") };
                parts.push(format!("clock{j}' = {clock}"));
            }
            steps.push(format!("({})", parts.join(" and ")));
        };
        step(&format!("at{i} = 0 and lock = 0"), "lock", 1, true);
        step(&format!("at{i} = 1 and clock{i} + delay <= 1"), &i.to_string(), 2, true);
        step(&format!("at{i} = 2 and clock{i} + delay >= {least} and lock = {i}"), "lock", 3, false);
        step(&format!("at{i} = 2 and clock{i} + delay >= {least} and lock /= {i}"), "lock", 0, false);
        step(&format!("at{i} = 3"), "0", 0, false);
    }
    let _ = writeln!(text, "\n        transition\n            {}", steps.join(" or\n            "));
    let pairs = all.clone().flat_map(|i| (i + 1..=processes).map(move |j| (i, j)));
    let apart: Vec<String> = pairs.map(|(i, j)| format!("not (at{i} = 3 and at{j} = 3)")).collect();
    let apart = if apart.is_empty() { "true".to_owned() } else { apart.join(" and ") };
    let _ = writeln!(text, "    }} models G({apart})\n}}");
    text
}

/// The program of a programmable logic controller for `channels` motors as a `.sts` text: a cycle reads Boolean inputs,
/// then executes four statements for each motor. At the end of a cycle no motor runs while its alarm is set. In the
/// faulty variant the last motor ignores its alarm.
#[must_use]
pub fn plc(channels: u32, faulty: bool) -> String {
    let end = 4 * channels + 1;
    let mut text = format!(
        "// {}: the cycle of a controller of {channels} {}{}\nspecification Controller {{\n    property requirement : {{\n",
        if faulty && channels > 0 { "violated" } else { "holds" },
        if channels == 1 { "motor" } else { "motors" },
        if faulty { ", the last of which ignores its alarm" } else { "" }
    );
    let _ = write!(
        text,
        "        // 0 reads the inputs, {end} is the end of a cycle.\n        var loc : int\n        invariant 0 <= loc and loc <= {end}\n\
         \x20       initial loc = 0\n        transition loc' = (if loc = {end} then 0 else loc + 1)\n"
    );
    for i in 1..=channels {
        for input in ["start", "stop", "fault", "reset"] {
            let _ = write!(
                text,
                "\n        var {input}{i} : bool\n        initial not {input}{i}\n        transition loc = 0 or {input}{i}' = {input}{i}\n"
            );
        }
        let heeds = if faulty && i == channels { String::new() } else { format!(" and not alarm{i}") };
        let statements = [
            (format!("pressed{i}"), format!("start{i} and not before{i}")),
            (format!("before{i}"), format!("start{i}")),
            (format!("alarm{i}"), format!("fault{i} or (alarm{i} and not reset{i})")),
            (format!("running{i}"), format!("(running{i} or pressed{i}) and not stop{i}{heeds}")),
        ];
        for (line, (name, value)) in (4 * i - 3..).zip(statements) {
            let _ = write!(
                text,
                "\n        var {name} : bool\n        initial not {name}\n        transition {name}' = (if loc = {line} then {value} else {name})\n"
            );
        }
    }
    let safe: Vec<String> = (1..=channels).map(|i| format!("not (running{i} and alarm{i})")).collect();
    let safe = if safe.is_empty() { "true".to_owned() } else { safe.join(" and ") };
    let _ = writeln!(text, "    }} models G(loc = {end} imply ({safe}))\n}}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Kind, load};

    #[test]
    fn all_sizes_can_be_read() {
        for n in 1..5 {
            for faulty in [false, true] {
                for text in [fischer(n, faulty), plc(n, faulty)] {
                    assert!(load(Kind::Sts, &text).is_ok(), "{text}");
                }
            }
        }
    }
}

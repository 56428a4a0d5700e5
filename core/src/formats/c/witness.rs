//! Witnesses for programs in C, in version 2.0 of the format of the Competition on Software Verification (Ayaziová,
//! Beyer, Lingsch-Rosenfeld, Spiessl and Strejček, "Software Verification Witnesses 2.0", 2024).
//!
//! A violation witness consists of the values of the inputs, in order, and the violating call; a correctness witness of
//! an invariant for each loop. Invariants mention variables in scope at the loop only; conjuncts over others, or not
//! expressible in C, are omitted, which weakens the invariant.

use std::fmt::Write as _;

use super::types::DataModel;
use crate::certificate::{Certificate, TraceState};
use crate::diagnostic::LineIndex;
use crate::expr::{Binary, Expr, Kind, Nary, Sign, Unary, VarId};
use crate::system::{EdgeId, System};

/// Metadata of a witness.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program's file.
    pub file: String,
    /// The SHA-256 of its text, in hexadecimal digits.
    pub hash: String,
    /// The creation time, as in RFC 3339.
    pub created: String,
    /// The unique identifier of the witness, as in RFC 9562.
    pub uuid: String,
    /// The sizes of types.
    pub model: DataModel,
}

/// The witness of a certified verdict on a program.
#[must_use]
pub fn witness(system: &System, text: &str, certificate: &Certificate, task: &Task) -> String {
    let writer = Writer { system, text, lines: LineIndex::new(text), task };
    match certificate {
        Certificate::Trace { states } => writer.violation(states),
        Certificate::Invariant { locations } => writer.correctness(locations),
        // The format does not support infinite runs.
        Certificate::Lasso { .. }
        | Certificate::Progress { .. }
        | Certificate::Structure { .. }
        | Certificate::Explored { .. } => String::new(),
    }
}

struct Writer<'a> {
    system: &'a System,
    text: &'a str,
    lines: LineIndex<'a>,
    task: &'a Task,
}

/// The values of a run's inputs, in order.
pub(super) fn inputs(system: &System, states: &[TraceState]) -> Vec<String> {
    states.iter().filter_map(|s| input(system, s)).collect()
}

/// The value of an input, if the last step before a state read one.
fn input(system: &System, state: &TraceState) -> Option<String> {
    let id = state.edge? as usize;
    let edge = system.edges.get(id)?;
    match &edge.label[..] {
        super::INPUT_TRUE => return Some("1".to_owned()),
        super::INPUT_FALSE => return Some("0".to_owned()),
        _ => {}
    }
    // Reading an uninitialised variable is not a call.
    let declares =
        |v: &VarId| system.lifetimes.as_ref().is_some_and(|l| l.gives_no_value(EdgeId::new(id), *v));
    let havoc = edge.op.havocs().into_iter().find(|v| !declares(v))?;
    let value = &state.values.get(havoc.index())?.1;
    Some(match value.as_str() {
        "true" => "1".to_owned(),
        "false" => "0".to_owned(),
        number => number.to_owned(),
    })
}

/// A quoted string.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

impl Writer<'_> {
    fn head(&self, kind: &str) -> String {
        let Task { file, hash, created, uuid, model } = self.task;
        let (file, version, model) = (quoted(file), env!("CARGO_PKG_VERSION"), model.name());
        format!(
            "- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n    uuid: \"{uuid}\"\n    \
             creation_time: \"{created}\"\n    producer:\n      name: \"Veristep\"\n      version: \"{version}\"\n    \
             task:\n      input_files:\n        - {file}\n      input_file_hashes:\n        {file}: \"{hash}\"\n      \
             specification: \"G ! call(reach_error())\"\n      data_model: {model}\n      language: C\n  content:\n"
        )
    }

    /// The position of an offset, as lines of a mapping.
    fn place(&self, offset: u32, indent: &str) -> String {
        let (line, column) = self.lines.position(offset);
        let file = quoted(&self.task.file);
        format!(
            "{indent}location:\n{indent}  file_name: {file}\n{indent}  line: {line}\n{indent}  column: {column}\n"
        )
    }

    fn violation(&self, states: &[TraceState]) -> String {
        let mut out = self.head("violation_sequence");
        let steps = states.iter().filter_map(|s| Some((s, self.system.edges.get(s.edge? as usize)?)));
        let mut target = 0;
        for (state, edge) in steps {
            target = edge.span.start;
            let Some(value) = input(self.system, state) else { continue };
            // The closing parenthesis of the call.
            let place = self.place(edge.span.end.saturating_sub(1), "            ");
            let value = quoted(&format!("\\result == {value}"));
            let _ = write!(
                out,
                "    - segment:\n        - waypoint:\n            type: function_return\n            action: follow\n\
                 {place}            constraint:\n              value: {value}\n              format: ext_c_expression\n"
            );
        }
        let place = self.place(target, "            ");
        out + "    - segment:\n        - waypoint:\n            type: target\n            action: follow\n"
            + &place
    }

    fn correctness(&self, locations: &[(String, String)]) -> String {
        let mut out = self.head("invariant_set");
        let start = out.len();
        for (name, formula) in locations {
            let Some(location) = self.system.find_location(name) else { continue };
            let at = self.system.location(location).span;
            let head = ["while", "for"].iter().any(|word| at.of(self.text).starts_with(word));
            let Ok(formula) = crate::certificate::formula(formula, self.system) else { continue };
            let Some(invariant) = self.weaker(&formula, at.start).filter(|_| head) else { continue };
            let place = self.place(at.start, "        ");
            let _ = write!(
                out,
                "    - invariant:\n        type: loop_invariant\n{place}        value: {}\n        format: c_expression\n",
                quoted(&invariant)
            );
        }
        // Without loops there are no invariants.
        if out.len() == start { out.trim_end().to_owned() + " []\n" } else { out }
    }

    /// A formula without the conjuncts that are not expressible at a place, which weakens it; `None` if nothing is
    /// left.
    fn weaker(&self, formula: &Expr, at: u32) -> Option<String> {
        match &formula.kind {
            Kind::Bool(true) => None,
            Kind::Nary(Nary::And, all) => {
                let said: Vec<String> = all.iter().filter_map(|e| self.weaker(e, at)).collect();
                (!said.is_empty()).then(|| format!("({})", said.join(" && ")))
            }
            Kind::Nary(Nary::Or, all) => {
                let said: Option<Vec<String>> = all.iter().map(|e| self.weaker(e, at)).collect();
                Some(format!("({})", said?.join(" || ")))
            }
            _ => self.expr(formula, at),
        }
    }

    /// An expression in C, in parentheses where needed.
    fn expr(&self, e: &Expr, at: u32) -> Option<String> {
        let join = |all: &[Expr], op: &str| -> Option<String> {
            let parts: Option<Vec<String>> = all.iter().map(|e| self.expr(e, at)).collect();
            Some(format!("({})", parts?.join(op)))
        };
        let two = |ab: &[Expr; 2], op: &str| join(&ab[..], op);
        Some(match &e.kind {
            Kind::Bool(b) => u8::from(*b).to_string(),
            Kind::Num(q) => q.to_string(),
            Kind::Var(v) => match &self.system.variable(*v).promised {
                // In a comparison with an unsigned number, negative numbers would be converted to large ones.
                Some((lo, hi)) if lo.is_zero() && *hi >= crate::expr::power_of_two(33) => return None,
                Some((lo, hi)) if lo.is_zero() && *hi >= crate::expr::power_of_two(31) => {
                    format!("(long long) {}", self.variable(*v, at)?)
                }
                _ => self.variable(*v, at)?,
            },
            Kind::Unary(Unary::Not, a) => format!("!{}", self.bracketed(a, at)?),
            // Avoids intermediate overflow of int.
            Kind::Unary(Unary::Neg, a) => format!("(-(long long) {})", self.bracketed(a, at)?),
            Kind::Binary(Binary::Eq | Binary::Iff, ab) => two(ab, " == ")?,
            Kind::Binary(Binary::Ne | Binary::Xor, ab) => two(ab, " != ")?,
            Kind::Binary(Binary::Lt, ab) => two(ab, " < ")?,
            Kind::Binary(Binary::Le, ab) => two(ab, " <= ")?,
            Kind::Binary(Binary::Gt, ab) => two(ab, " > ")?,
            Kind::Binary(Binary::Ge, ab) => two(ab, " >= ")?,
            Kind::Binary(Binary::Imply, ab) => {
                format!("(!{} || {})", self.bracketed(&ab[0], at)?, self.expr(&ab[1], at)?)
            }
            Kind::Nary(Nary::And, all) => join(all, " && ")?,
            Kind::Nary(Nary::Or, all) => join(all, " || ")?,
            Kind::Nary(Nary::Mul, all) => {
                let parts: Option<Vec<String>> = all.iter().map(|e| self.bracketed(e, at)).collect();
                format!("((long long) {})", parts?.join(" * "))
            }
            Kind::Sum(all) => {
                let mut text = String::new();
                for (i, (sign, e)) in all.iter().enumerate() {
                    let sign = if *sign == Sign::Plus { "+" } else { "-" };
                    let part = self.bracketed(e, at)?;
                    let _ = match i {
                        0 => write!(text, "(long long) {part}"),
                        _ => write!(text, " {sign} {part}"),
                    };
                }
                format!("({text})")
            }
            Kind::Ite(abc) => format!(
                "({} ? {} : {})",
                self.bracketed(&abc[0], at)?,
                self.bracketed(&abc[1], at)?,
                self.bracketed(&abc[2], at)?
            ),
            _ => return None,
        })
    }

    fn bracketed(&self, e: &Expr, at: u32) -> Option<String> {
        let text = self.expr(e, at)?;
        let simple = text.starts_with('(') || text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        Some(if simple { text } else { format!("({text})") })
    }

    /// The name of a variable in the source, if it is in scope at a place.
    fn variable(&self, v: VarId, at: u32) -> Option<String> {
        let variable = self.system.variable(v);
        let name = variable.span.of(self.text);
        let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let own = variable.name == name || variable.name.ends_with(&format!("_{name}"));
        (is_name && own && in_scope(self.text, variable.span.start, at)).then(|| name.to_owned())
    }
}

/// Is a declaration at one position in scope at another? Determined by braces: declarations end with their block, and
/// parameters with the body of their function.
fn in_scope(text: &str, declared: u32, at: u32) -> bool {
    let (declared, at) = (declared as usize, at as usize);
    if declared >= at || at > text.len() {
        return false;
    }
    let brackets =
        |bytes: &[u8]| -> i32 { bytes.iter().map(|b| i32::from(*b == b'(') - i32::from(*b == b')')).sum() };
    let parameter = brackets(&text.as_bytes()[..declared]) > 0;
    let mut depth = 0;
    for b in &text.as_bytes()[declared..at] {
        match b {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        let ended = if parameter { depth == 0 && *b == b'}' } else { depth < 0 };
        if ended {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> Task {
        let (hash, created) = ("00".to_owned(), "2020-01-01T00:00:00Z".to_owned());
        Task { file: "p.c".to_owned(), hash, created, model: DataModel::Ilp32, uuid: "u".to_owned() }
    }

    #[test]
    fn a_violation_tells_the_inputs_and_the_call() {
        let text = "int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\nint main(void) {\n  \
                    int x = __VERIFIER_nondet_int();\n  if (x > 6) reach_error();\n}\n";
        let system = super::super::parse(text, super::super::DataModel::Ilp32).unwrap();
        let edge = |i: u32, x: &str| TraceState {
            edge: Some(i),
            location: String::new(),
            values: vec![("x".to_owned(), x.to_owned())],
        };
        let number =
            |of: &str| u32::try_from(system.edges.iter().position(|e| e.label == of).unwrap()).unwrap();
        let states = vec![
            TraceState {
                edge: None,
                location: String::new(),
                values: vec![("x".to_owned(), "0".to_owned())],
            },
            edge(number("x := any int"), "7"),
            edge(number("[x > 6]"), "7"),
            edge(number("reach_error()"), "7"),
        ];
        let yaml = witness(&system, text, &Certificate::Trace { states }, &task());
        assert!(yaml.contains("value: \"\\\\result == 7\""), "{yaml}");
        assert!(yaml.contains("line: 4\n              column: 33"), "{yaml}");
        assert!(yaml.contains("type: target\n            action: follow\n            location:\n              file_name: \"p.c\"\n              line: 5\n              column: 14"), "{yaml}");
    }

    #[test]
    fn an_invariant_speaks_of_what_is_in_scope() {
        let text = "int g;\nvoid f(int p) { int q = p; g = q; }\nint main(void) {\n  int x = 0;\n  while (x < 5) { int y = x; f(y); x++; }\n  return 0;\n}\n";
        let system = super::super::parse(text, super::super::DataModel::Ilp32).unwrap();
        let head = system.locations.iter().find(|l| l.span.of(text).starts_with("while")).unwrap();
        let formula = "x <= 5 and f_q = 0 and g + x >= 0 and y = 0".to_owned();
        let locations = vec![(head.name.clone(), formula)];
        let yaml = witness(&system, text, &Certificate::Invariant { locations }, &task());
        assert!(yaml.contains("value: \"((x <= 5) && (((long long) g + x) >= 0))\""), "{yaml}");
        assert!(yaml.contains("line: 5\n          column: 3"), "{yaml}");
    }
}

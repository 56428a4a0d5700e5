//! A system as `.cfa` text.
//!
//! Names that are not identifiers (cells of arrays, anonymous locations) are spelled with underscores, and kept
//! distinct. Parsing the text gives the same system up to these names, places and labels. If arrays with variable
//! indices have been split, expressions may be nested too deeply to be parsed again.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::expr::VarId;
use crate::formats::identifier;
use crate::system::{Op, Role, System};

/// Writes a system; simultaneous assignments become single ones, with helper variables where order matters.
#[must_use]
pub fn print(system: &System) -> String {
    let mut taken = HashSet::new();
    let variables: Vec<String> =
        system.variables.iter().map(|v| identifier(&v.name, &mut taken, "")).collect();
    let locations: Vec<String> =
        system.locations.iter().map(|l| identifier(&l.name, &mut taken, "")).collect();
    let mut printer = Printer { system, variables, taken, helpers: Vec::new() };
    let mut edges = String::new();
    for edge in &system.edges {
        let (source, target) = (&locations[edge.source.index()], &locations[edge.target.index()]);
        let mut statements = Vec::new();
        printer.statements(&edge.op, &mut statements);
        match statements.len() {
            0 => writeln!(edges, "    {source} -> {target}"),
            1 => writeln!(edges, "    {source} -> {target} {{ {} }}", statements[0]),
            _ => writeln!(
                edges,
                "    {source} -> {target} {{\n        {}\n    }}",
                statements.join("\n        ")
            ),
        }
        .expect("strings can be written to");
    }
    let mut out = format!("main process {} {{\n", identifier(&system.name, &mut HashSet::new(), ""));
    for (v, name) in system.variables.iter().zip(&printer.variables) {
        let _ = writeln!(out, "    var {name} : {}", v.declared);
    }
    for (name, ty) in &printer.helpers {
        let _ = writeln!(out, "    var {name} : {ty}");
    }
    out.push('\n');
    for (l, name) in system.locations.iter().zip(&locations) {
        let role = match l.role {
            Role::Plain => "",
            Role::Initial => "init ",
            Role::Final => "final ",
            Role::Error => "error ",
        };
        let _ = writeln!(out, "    {role}loc {name}");
    }
    out.push('\n');
    out.push_str(&edges);
    out.push_str("}\n");
    out
}

struct Printer<'a> {
    system: &'a System,
    variables: Vec<String>,
    taken: HashSet<String>,
    /// Variables for simultaneous assignments: name and type.
    helpers: Vec<(String, String)>,
}

impl Printer<'_> {
    fn name(&self, v: VarId) -> &str {
        &self.variables[v.index()]
    }

    /// A variable for the new value of `v`.
    fn helper(&mut self, v: VarId) -> String {
        let helper = identifier(&format!("{}_new", self.name(v)), &mut self.taken, "");
        self.helpers.push((helper.clone(), self.system.variable(v).declared.to_string()));
        helper
    }

    fn statements(&mut self, op: &Op, out: &mut Vec<String>) {
        let name = |v: VarId| self.variables[v.index()].clone();
        match op {
            Op::Skip | Op::Promise(_) => {}
            Op::Assume(e) => out.push(format!("assume {}", e.text(&name))),
            Op::Assign(v, e) => out.push(format!("{} := {}", name(*v), e.text(&name))),
            Op::Havoc(v) => out.push(format!("havoc {}", name(*v))),
            Op::Sequence(ops) => ops.iter().for_each(|op| self.statements(op, out)),
            Op::Relation(n, e) => {
                let helpers: Vec<String> = (0..*n).map(|i| self.helper(VarId::new(i))).collect();
                out.extend(helpers.iter().map(|h| format!("havoc {h}")));
                let related = e.text(&|v| match Op::related(*n, v) {
                    (v, true) => helpers[v.index()].clone(),
                    (v, false) => self.variables[v.index()].clone(),
                });
                out.push(format!("assume {related}"));
                out.extend(helpers.iter().zip(&self.variables).map(|(h, v)| format!("{v} := {h}")));
            }
            Op::Update(all) => {
                let written: HashSet<VarId> = all.iter().map(|(v, _)| *v).collect();
                let mut late = Vec::new();
                for (v, e) in all {
                    let text = e.text(&|v| self.variables[v.index()].clone());
                    // An assignment that reads only its own variable may be last, in any order.
                    if e.variables().iter().any(|x| x != v && written.contains(x)) {
                        let helper = self.helper(*v);
                        out.push(format!("{helper} := {text}"));
                        late.push(format!("{} := {helper}", self.name(*v)));
                    } else {
                        late.push(format!("{} := {text}", self.name(*v)));
                    }
                }
                out.append(&mut late);
            }
        }
    }
}

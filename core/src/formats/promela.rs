//! A system and a temporal formula in Promela, the language of SPIN: one process, whose loop has an option for each
//! path between consecutive positions of the word. An option is one `d_step`, so SPIN's word has the same positions.
//!
//! In SPIN, the initial state is a position, and the last state of a finite run is repeated. Here initial values are
//! chosen first, `started` is true from position 0 on, and a finite run whose last state is not repeated sets
//! `stopped`; the formula takes both into account.

mod moves;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;

use solver_lite::term::Value;

use crate::expr::{Binary, Expr, Kind, Nary, Type, Unary, VarId};
use crate::formats::flat::without_names;
use crate::formats::identifier;
use crate::formats::infix::Words;
use crate::ltl::{AtomId, AtomMeaning, Formula, Temporal};
use crate::system::{LocationId, System, VarType};
use crate::temporal::{Product, Requirement};
use moves::{Move, Moves};

const WORDS: Words = Words {
    truth: ["false", "true"],
    not: "!",
    and: "&&",
    or: "||",
    imply: "->",
    xor: "xor",
    iff: "==",
    eq: "==",
    ite: ["", "->", ":"],
    rational: |_| Err("Promela has no rational numbers".to_owned()),
    quotient,
    literal: |_, number| number.to_string(),
};

const RESERVED: &str = "active assert atomic bit bool break byte chan cond c_code c_decl c_expr c_state c_track d_step do D_proctype \
    else empty enabled eval false fi for full get_priority goto hidden if in init inline int len local ltl mtype nempty never \
    nfull notrace np_ od of pc_value pid printf printm priority proctype provided return run select set_priority short show \
    skip timeout trace true typedef unless unsigned xr xs always eventually until weakuntil stronguntil release next X U V W \
    at property started stopped main _ _last _nr_pr _pid _priority";

/// The limit on values of a choice.
const VALUES: u64 = 256;

struct Writer<'a> {
    system: &'a System,
    variables: Vec<String>,
    /// The names of variables whose new values are computed before others change.
    copies: Vec<String>,
    locations: BTreeMap<LocationId, String>,
}

/// The text of the system with the formula, as `ltl property`.
///
/// # Errors
/// The construct that Promela cannot express: rational numbers, values from unbounded ranges.
pub fn print(system: &System, requirement: &Requirement) -> Result<String, String> {
    let formula = requirement.formula().ok_or("Promela is for temporal formulas, not for automata")?;
    let mut taken = HashSet::new();
    let variables: Vec<String> =
        system.variables.iter().map(|v| identifier(&v.name, &mut taken, RESERVED)).collect();
    let copies =
        variables.iter().map(|name| identifier(&format!("new_{name}"), &mut taken, RESERVED)).collect();
    let moves = Moves::of(system, requirement)?;
    let mut name = |l: &LocationId| (*l, identifier(&system.location(*l).name, &mut taken, RESERVED));
    let locations = moves.positions.iter().map(&mut name).collect();
    let writer = Writer { system, variables, copies, locations };
    let mut out = String::new();
    let names: Vec<&str> = writer.locations.values().map(String::as_str).collect();
    let at = &writer.locations[&system.initial];
    let _ = writeln!(out, "/* {} */", requirement.text(system).replace("*/", "* /"));
    let _ = writeln!(out, "mtype = {{ {} }};\nmtype at = {at};", names.join(", "));
    for (v, name) in system.variables.iter().zip(&writer.variables) {
        let _ = writeln!(out, "{} {name};", writer.type_of(&v.ty)?);
    }
    let mut copies = BTreeSet::new();
    let options: Result<Vec<String>, String> =
        moves.all.iter().map(|m| writer.option(m, &mut copies)).collect();
    let options = options?;
    for v in copies {
        let v: VarId = v;
        let ty = writer.type_of(&system.variable(v).ty)?;
        let _ = writeln!(out, "hidden {ty} {};", writer.copies[v.index()]);
    }
    out.push_str("bool started, stopped;\n\nactive proctype main() {\n");
    out.push_str(&writer.initial_values(requirement)?);
    out.push_str("  do\n");
    options.iter().for_each(|o| out.push_str(o));
    out.push_str("  :: else -> stopped = true; break\n  od\n}\n\n");
    let formula = writer.formula(&formula, &requirement.atoms)?;
    let _ = writeln!(out, "ltl property {{\n  (<> stopped) || ((!started) U (started && {formula}))\n}}");
    Ok(out)
}

impl Writer<'_> {
    fn type_of(&self, ty: &VarType) -> Result<&'static str, String> {
        match ty {
            VarType::Bool => Ok("bool"),
            VarType::Real => Err("Promela has no rational numbers".to_owned()),
            _ => Ok("int"),
        }
    }

    fn expression(&self, e: &Expr) -> Result<String, String> {
        let e = plain(without_names(e)?);
        WORDS.text(&e, &|v| self.variables[v.index()].clone())
    }

    fn conjunction(&self, all: &[Expr]) -> Result<String, String> {
        let all: Result<Vec<String>, String> = all.iter().map(|e| self.expression(e)).collect();
        Ok(all?.join(" && "))
    }

    /// One path between positions; `copies` are the variables whose new values are computed before others change.
    fn option(&self, m: &Move, copies: &mut BTreeSet<VarId>) -> Result<String, String> {
        let mut guard = format!("at == {}", self.locations[&m.source]);
        if !m.guards.is_empty() {
            let _ = write!(guard, " && {}", self.conjunction(&m.guards)?);
        }
        let (mut first, mut then) = (Vec::new(), Vec::new());
        for (v, value) in &m.writes {
            let name = &self.variables[v.index()];
            let read_later = m.writes.range(v..).skip(1).any(|(_, e)| e.variables().contains(v));
            let value = self.expression(value)?;
            if read_later {
                copies.insert(*v);
                let copy = &self.copies[v.index()];
                first.push(format!("{copy} = {value}"));
                then.push(format!("{name} = {copy}"));
            } else {
                first.push(format!("{name} = {value}"));
            }
        }
        first.append(&mut then);
        if m.source != m.target {
            first.push(format!("at = {}", self.locations[&m.target]));
        }
        if m.starts {
            first.push("started = true".to_owned());
        }
        if first.is_empty() {
            first.push("skip".to_owned());
        }
        Ok(format!("  :: d_step {{ {guard} -> {} }}\n", first.join("; ")))
    }

    /// Chooses values of the variables that are read before they are written; returns whether these are initial ones.
    fn initial_values(&self, requirement: &Requirement) -> Result<String, String> {
        let system = self.system;
        let automaton = requirement.forbidden(system).map_err(|e| e.to_string())?;
        let product = Product::new(system, requirement, automaton).system;
        let mut live = product.live()[product.initial.index()].clone();
        live.extend(system.initial_formula.variables());
        let mut out = String::new();
        let mut conditions = vec![system.initial_formula.clone(), system.invariant.clone()];
        conditions.retain(|e| e.as_constant() != Some(Value::Bool(true)));
        for v in system.var_ids() {
            let (ty, name) = (&system.variable(v).ty, &self.variables[v.index()]);
            if !live.contains(&v) {
                // Any value of the range suffices.
                let value = value_text(&ty.some_value());
                let _ = writeln!(out, "  {name} = {value};");
                continue;
            }
            let values = moves::values(system, v, v, &conditions)
                .ok_or_else(|| format!("the initial value of {name} is not bounded"))?;
            if let [value] = &values[..] {
                let _ = writeln!(out, "  {name} = {};", value_text(value));
                continue;
            }
            let options: Vec<String> =
                values.iter().map(|value| format!(":: {name} = {}", value_text(value))).collect();
            let _ = writeln!(out, "  if {} fi;", options.join(" "));
        }
        let starts = requirement.starts_at_once(system);
        let start = if starts { "started = true" } else { "skip" };
        if conditions.is_empty() && starts {
            let _ = writeln!(out, "  {start};");
        } else if !conditions.is_empty() {
            let all = self.conjunction(&conditions)?;
            let _ = writeln!(out, "  if :: {all} -> {start} :: else -> stopped = true; end: (false) fi;");
        }
        Ok(out)
    }

    /// The formula in SPIN's syntax, which has neither `W` nor `M` nor exclusive or.
    fn formula(&self, f: &Formula, atoms: &[AtomMeaning]) -> Result<String, String> {
        let texts: Result<Vec<String>, String> = atoms
            .iter()
            .map(|atom| match atom {
                AtomMeaning::Condition(e) => Ok(format!("({})", self.expression(e)?)),
                AtomMeaning::At(l) => {
                    Ok(self.locations.get(l).map_or("false".to_owned(), |name| format!("(at == {name})")))
                }
                AtomMeaning::Over(..) => {
                    Err("the edge taken by a step is not part of a state in Promela".to_owned())
                }
            })
            .collect();
        let texts = texts?;
        Ok(spelled(f, &|p| texts[p.index()].clone()))
    }
}

/// A formula in SPIN's syntax, which has neither `W` nor `M` nor exclusive or.
#[must_use]
pub fn spelled(f: &Formula, atom: &dyn Fn(AtomId) -> String) -> String {
    let text = |f: &Formula| spelled(f, atom);
    let list = |all: &[Formula], op: &str| all.iter().map(text).collect::<Vec<_>>().join(op);
    match f {
        Formula::Constant(b) => b.to_string(),
        Formula::Atom(p) => atom(*p),
        Formula::Not(a) => format!("!({})", text(a)),
        Formula::And(all) => format!("({})", list(all, " && ")),
        Formula::Or(all) => format!("({})", list(all, " || ")),
        Formula::Implies(ab) => format!("({})", list(&ab[..], " -> ")),
        Formula::Iff(ab) => format!("({})", list(&ab[..], " <-> ")),
        Formula::Xor(ab) => format!("!({})", list(&ab[..], " <-> ")),
        Formula::Unary(op, a) => {
            let op = match op {
                Temporal::Next => "X",
                Temporal::Finally => "<>",
                Temporal::Globally => "[]",
                _ => unreachable!("it has two operands"),
            };
            format!("{op} ({})", text(a))
        }
        Formula::Binary(op, ab) => {
            let [a, b] = [&ab[0], &ab[1]].map(text);
            match op {
                Temporal::Until => format!("({a} U {b})"),
                Temporal::Release => format!("({a} V {b})"),
                Temporal::WeakUntil => format!("({b} V ({a} || {b}))"),
                _ => format!("({b} U ({a} && {b}))"),
            }
        }
    }
}

/// In Promela, division truncates towards zero; here the remainder of `/` and `mod` is never negative.
fn quotient(op: Binary, a: &str, b: &str) -> String {
    let rest = format!("({a} % {b})");
    // A comparison is 0 or 1.
    let least = match b.parse::<u32>() {
        Ok(_) => format!("(({a} % {b} + {b}) % {b})"),
        Err(_) => format!("({rest} + ({rest} < 0) * (({b} > 0) * 2 - 1) * {b})"),
    };
    match op {
        Binary::Rem => rest,
        Binary::Mod => least,
        _ => format!("(({a} - {least}) / {b})"),
    }
}

/// The same without implications and exclusive or, which Promela's expressions do not have.
fn plain(mut e: Expr) -> Expr {
    for child in e.children_mut() {
        *child = plain(std::mem::replace(child, Expr::bool(false)));
    }
    match &e.kind {
        Kind::Binary(Binary::Imply, ab) => {
            Expr { kind: Kind::Nary(Nary::Or, vec![ab[0].clone().negated(), ab[1].clone()]), ..e }
        }
        Kind::Binary(Binary::Xor, ab) => {
            Expr { kind: Kind::Binary(Binary::Ne, [ab[0].clone(), ab[1].clone()].into()), ..e }
        }
        Kind::Unary(Unary::Neg, a) => match &a.kind {
            Kind::Num(q) => Expr::num(-q.clone(), Type::Int),
            _ => e,
        },
        _ => e,
    }
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Num(q) => q.to_string(),
    }
}

//! AIGER circuits (Biere, "The AIGER And-Inverter Graph (AIG) Format Version 20071012", 2007; Biere, Heljanko and
//! Wieringa, "AIGER 1.9 And Beyond", 2011): the ASCII format, and the binary one through [`ascii`].
//!
//! A latch is a truth value of the state, an input is an arbitrary truth value in each step, and a gate is computed
//! within the step. A step chooses inputs, computes gates in topological order, assumes constraints, and updates all
//! latches simultaneously. The bad states are those of the B section, or otherwise the outputs.

mod read;
#[cfg(test)]
mod tests;
mod witness;
mod write;

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Span, check_source, limits};
use crate::expr::{Expr, Kind, Nary, Type, VarId};
use crate::formats::table::{Format, Reader};
use crate::formats::{Taken, unique};
use crate::system::{Draft, DraftVariable, Edge, Location, LocationId, Op, Role, System};

pub use read::ascii;
pub use witness::{read_witness, witness};
pub use write::print;

/// A literal: twice the number of a variable, plus one if it is negated; 0 is false and 1 is true.
type Literal = u32;

/// The initial value of a latch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reset {
    Value(bool),
    Any,
}

#[derive(Clone, Debug)]
struct Latch {
    literal: Literal,
    next: Literal,
    reset: Reset,
    span: Span,
}

#[derive(Clone, Debug)]
struct Gate {
    literal: Literal,
    operands: [Literal; 2],
    span: Span,
}

/// The contents of a file.
#[derive(Clone, Debug, Default)]
struct Circuit {
    inputs: Vec<(Literal, Span)>,
    latches: Vec<Latch>,
    outputs: Vec<(Literal, Span)>,
    bad: Vec<(Literal, Span)>,
    constraints: Vec<(Literal, Span)>,
    gates: Vec<Gate>,
    /// The greatest index of a variable.
    most: u32,
    /// Names of inputs, latches, outputs and bad properties, by letter and position.
    names: HashMap<(char, usize), String>,
    /// Literals of justice properties and fairness constraints, which are irrelevant for safety.
    others: Vec<(Literal, Span)>,
    /// Are there justice properties, and fairness constraints?
    has_justice: bool,
    has_fairness: bool,
}

/// The description of the format.
pub(super) const FORMAT: Format = Format {
    name: "aag",
    endings: &["aag", "aig", "aiger"],
    resembles: |text| text.starts_with("aag "),
    rank: 0,
};

/// The reader of the format.
pub(super) const READER: Reader =
    Reader { parse: |text, _| parse(text), properties: |_| Vec::new(), edit: None };

/// Parses a circuit in the ASCII format.
///
/// # Errors
/// Errors and unsupported constructs.
pub fn parse(text: &str) -> Result<System, Vec<Diagnostic>> {
    check_source(text)?;
    let circuit = read::circuit(text).map_err(|d| vec![d])?;
    let gates = circuit.ordered().map_err(|d| vec![d])?;
    Builder::new(&circuit).system(&gates)
}

impl Circuit {
    fn name(&self, letter: char, position: usize) -> Option<&str> {
        self.names.get(&(letter, position)).map(String::as_str)
    }

    /// The gates in topological order.
    fn ordered(&self) -> Result<Vec<&Gate>, Diagnostic> {
        let mut definition: Vec<Option<&Gate>> = vec![None; self.most as usize + 1];
        for gate in &self.gates {
            definition[(gate.literal / 2) as usize] = Some(gate);
        }
        let mut done = vec![false; self.most as usize + 1];
        let mut open = vec![false; self.most as usize + 1];
        let mut order = Vec::with_capacity(self.gates.len());
        for root in &self.gates {
            let mut stack = vec![root.literal / 2];
            while let Some(&at) = stack.last() {
                let Some(gate) = definition[at as usize].filter(|_| !done[at as usize]) else {
                    stack.pop();
                    continue;
                };
                let missing = gate
                    .operands
                    .map(|l| l / 2)
                    .into_iter()
                    .find(|v| definition[*v as usize].is_some() && !done[*v as usize]);
                match missing {
                    Some(v) if open[v as usize] || v == at => {
                        return Err(Diagnostic::error(gate.span, "this gate depends on itself"));
                    }
                    Some(v) => {
                        open[at as usize] = true;
                        stack.push(v);
                    }
                    None => {
                        done[at as usize] = true;
                        order.push(gate);
                        stack.pop();
                    }
                }
            }
        }
        Ok(order)
    }
}

/// Builds the system.
struct Builder<'a> {
    circuit: &'a Circuit,
    variables: Vec<DraftVariable>,
    /// The variable of the system for each variable of the circuit.
    ids: Vec<Option<VarId>>,
    taken: Taken,
    /// The number of latches and inputs for each name of the symbol table.
    named: HashMap<String, usize>,
}

impl<'a> Builder<'a> {
    fn new(circuit: &'a Circuit) -> Builder<'a> {
        let ids = vec![None; circuit.most as usize + 1];
        let (mut taken, mut named) = (Taken::default(), HashMap::new());
        for name in
            circuit.names.iter().filter(|((letter, _), _)| "il".contains(*letter)).map(|(_, name)| name)
        {
            taken.reserve(name);
            *named.entry(name.clone()).or_insert(0) += 1;
        }
        Builder { circuit, variables: Vec::new(), ids, taken, named }
    }

    /// Declares a latch, an input or a gate. It has a name of the symbol table only if that name is unique.
    fn declare(&mut self, literal: Literal, (letter, position): (char, usize), span: Span) {
        let given = self.circuit.name(letter, position);
        let name = identifier(given, letter, position);
        let own = given == Some(name.as_str()) && self.named.get(&name) == Some(&1);
        let unique = if own { name } else { unique(&name, '_', &mut self.taken) };
        self.ids[(literal / 2) as usize] = Some(VarId::new(self.variables.len()));
        self.variables.push(DraftVariable { name: unique, ty: Type::Bool, span, promised: None });
    }

    fn expr(&self, literal: Literal) -> Expr {
        let positive = match self.ids[(literal / 2) as usize] {
            Some(v) => Expr::var(v, Type::Bool),
            None => Expr::bool(false),
        };
        if literal % 2 == 1 { positive.negated() } else { positive }
    }

    fn var(&self, literal: Literal) -> VarId {
        self.ids[(literal / 2) as usize].expect("it is declared")
    }

    fn system(mut self, gates: &[&Gate]) -> Result<System, Vec<Diagnostic>> {
        let circuit = self.circuit;
        for (i, latch) in circuit.latches.iter().enumerate() {
            self.declare(latch.literal, ('l', i), latch.span);
        }
        for (i, (input, span)) in circuit.inputs.iter().enumerate() {
            self.declare(*input, ('i', i), *span);
        }
        for gate in gates {
            self.declare(gate.literal, ('a', (gate.literal / 2) as usize), gate.span);
        }
        let span = Span::default();
        let place = |name: &str, role: Role, anonymous: bool| Location {
            name: name.to_owned(),
            role,
            anonymous,
            span,
        };
        let locations = vec![
            place("start", Role::Initial, true),
            place("state", Role::Plain, false),
            place("bad", Role::Error, false),
        ];
        let [start, state, bad] = [0, 1, 2].map(LocationId::new);
        let edge =
            |source, target, op, label: &str| Edge { source, target, op, label: label.to_owned(), span };
        let resets = circuit.latches.iter().filter_map(|l| match l.reset {
            Reset::Value(value) => Some((self.var(l.literal), Expr::bool(value))),
            Reset::Any => None,
        });
        let resets: Vec<_> = resets.collect();
        let reset = if resets.is_empty() { Op::Skip } else { Op::Update(resets) };
        let next: Vec<_> = circuit.latches.iter().map(|l| (self.var(l.literal), self.expr(l.next))).collect();
        let wanted: Vec<Literal> = circuit.latches.iter().map(|l| l.next).collect();
        let mut edges = vec![edge(start, state, reset, "reset")];
        let step = self.step(gates, &wanted, (!next.is_empty()).then_some(Op::Update(next)));
        edges.push(edge(state, state, step, "step"));
        let (letter, bads) =
            if circuit.bad.is_empty() { ('o', &circuit.outputs) } else { ('b', &circuit.bad) };
        for (i, (literal, _)) in bads.iter().enumerate() {
            let op = self.step(gates, &[*literal], Some(Op::Assume(self.expr(*literal))));
            let label = circuit.name(letter, i).map_or_else(|| format!("{letter}{i}"), str::to_owned);
            edges.push(edge(state, bad, op, &label));
            if edges.len() * gates.len() > limits::GRAPH * 10 {
                return Err(vec![Diagnostic::unsupported(span, "too many properties and gates")]);
            }
        }
        let (variables, name) = (self.variables, "circuit".to_owned());
        let (invariant, asked) = (Expr::bool(true), Vec::new());
        let draft =
            Draft { name, variables, locations, edges, initial: start, invariant, asked, embedded: None };
        let mut system = draft.finish()?;
        system.circuit = Some(crate::system::Circuit {
            latches: circuit.latches.len(),
            has_constraints: !circuit.constraints.is_empty(),
            has_fairness: circuit.has_fairness,
            asks_justice: circuit.has_justice && circuit.bad.is_empty(),
        });
        Ok(system)
    }

    /// Chooses inputs, computes the required gates, assumes constraints; then `last`.
    fn step(&self, gates: &[&Gate], wanted: &[Literal], last: Option<Op>) -> Op {
        let circuit = self.circuit;
        let mut needed = vec![false; circuit.most as usize + 1];
        wanted
            .iter()
            .chain(circuit.constraints.iter().map(|(l, _)| l))
            .for_each(|l| needed[(*l / 2) as usize] = true);
        for gate in gates.iter().rev() {
            if needed[(gate.literal / 2) as usize] {
                gate.operands.iter().for_each(|l| needed[(*l / 2) as usize] = true);
            }
        }
        let mut ops: Vec<Op> = circuit.inputs.iter().map(|(l, _)| Op::Havoc(self.var(*l))).collect();
        for gate in gates.iter().filter(|g| needed[(g.literal / 2) as usize]) {
            let operands = gate.operands.map(|l| self.expr(l)).to_vec();
            let both = Expr { kind: Kind::Nary(Nary::And, operands), ty: Type::Bool, span: gate.span };
            ops.push(Op::Assign(self.var(gate.literal), both));
        }
        if !circuit.constraints.is_empty() {
            let all = circuit.constraints.iter().map(|(l, _)| self.expr(*l)).collect();
            ops.push(Op::Assume(Expr::and(all)));
        }
        ops.extend(last);
        Op::Sequence(ops)
    }
}

/// A name that is an identifier of the expression language.
fn identifier(name: Option<&str>, letter: char, position: usize) -> String {
    let default = format!("{letter}{position}");
    let Some(name) = name else { return default };
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let starts = plain.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if starts && crate::expr::keyword(&plain).is_none() { plain } else { format!("_{plain}") }
}

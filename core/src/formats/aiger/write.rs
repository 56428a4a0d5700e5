//! Translation of finite-state systems to circuits.
//!
//! A relation between old and new states is not a function, so the circuit guesses: each latch gets the value of an
//! input, and a constraint requires that old and new values are related. The constraint is waived in bad states,
//! because a run may end there. A latch that is false in the first state only restricts it to the initial states.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use solver_lite::term::{Node, Sort, Term, Terms};

use crate::symbolic::Symbolic;
use crate::system::System;

use super::Literal;

/// Writes a system as a circuit whose bad-state property is reachability of the error location.
///
/// # Errors
/// The construct that a circuit cannot represent.
pub fn print(system: &Arc<System>) -> Result<String, String> {
    let mut symbolic = Symbolic::new(system, &[]);
    let [init, trans, bad] = symbolic.formulas();
    let boolean = |t: &Term| symbolic.encoding.terms.sort(*t) == Sort::Bool;
    if !symbolic.current.iter().all(boolean) {
        return Err("only systems whose variables have few values each can be written as circuits".to_owned());
    }
    let (state, next) = (symbolic.current.clone(), symbolic.next.clone());
    let terms = &symbolic.encoding.terms;
    let mut aig = Aig::default();
    // Inputs come first: guesses for the latches, then the other variables of the formulas.
    for t in next.iter().copied().chain([init, trans, bad].into_iter().flat_map(|t| terms.vars(t))) {
        if !state.contains(&t) && !aig.known.contains_key(&t) {
            let input = aig.variable();
            aig.inputs.push((input, terms.name(t).unwrap_or("?").to_owned()));
            aig.known.insert(t, input);
        }
    }
    let inputs: Vec<Literal> = next.iter().map(|t| aig.known[t]).collect();
    let started = aig.variable();
    let latches: Vec<Literal> = state.iter().map(|_| aig.variable()).collect();
    aig.known.extend(state.iter().copied().zip(latches.iter().copied()));
    let [init, trans, bad] = [init, trans, bad].map(|t| aig.literal(terms, t));
    let [init, trans, bad] = [init?, trans?, bad?];
    let goes_on = aig.or([trans, bad]);
    let starts = aig.or([started, init]);
    let constraint = aig.and([goes_on, starts]);
    let mut out =
        format!("aag {} {} {} 0 {} 1 1\n", aig.next, aig.inputs.len(), latches.len() + 1, aig.gates.len());
    aig.inputs.iter().for_each(|(input, _)| {
        let _ = writeln!(out, "{input}");
    });
    let _ = writeln!(out, "{started} 1 0");
    for (latch, input) in latches.iter().zip(inputs) {
        let _ = writeln!(out, "{latch} {input} {latch}");
    }
    let _ = writeln!(out, "{bad}\n{constraint}");
    for (gate, [a, b]) in &aig.gates {
        let _ = writeln!(out, "{gate} {a} {b}");
    }
    let plain = |name: &str| name.replace(char::is_whitespace, "_");
    for (i, (_, name)) in aig.inputs.iter().enumerate() {
        let _ = writeln!(out, "i{i} {}", plain(name));
    }
    let _ = writeln!(out, "l0 started");
    for (i, t) in state.iter().enumerate() {
        let _ = writeln!(out, "l{} {}", i + 1, plain(terms.name(*t).unwrap_or("?")));
    }
    Ok(out)
}

/// A graph of and-gates.
#[derive(Default)]
struct Aig {
    /// The number of variables so far.
    next: u32,
    inputs: Vec<(Literal, String)>,
    gates: Vec<(Literal, [Literal; 2])>,
    /// The literals of terms, and of gates by their operands.
    known: HashMap<Term, Literal>,
    shared: HashMap<[Literal; 2], Literal>,
}

impl Aig {
    fn variable(&mut self) -> Literal {
        self.next += 1;
        2 * self.next
    }

    fn gate(&mut self, a: Literal, b: Literal) -> Literal {
        let operands = [a.max(b), a.min(b)];
        match operands {
            [_, 0] => 0,
            [a, 1] => a,
            [a, b] if a == b => a,
            [a, b] if a == (b ^ 1) => 0,
            _ => match self.shared.get(&operands) {
                Some(gate) => *gate,
                None => {
                    let gate = self.variable();
                    self.gates.push((gate, operands));
                    self.shared.insert(operands, gate);
                    gate
                }
            },
        }
    }

    fn and(&mut self, all: impl IntoIterator<Item = Literal>) -> Literal {
        all.into_iter().fold(1, |a, b| self.gate(a, b))
    }

    fn or(&mut self, all: impl IntoIterator<Item = Literal>) -> Literal {
        self.and(all.into_iter().map(|l| l ^ 1)) ^ 1
    }

    /// The literal of a Boolean term over known variables.
    fn literal(&mut self, terms: &Terms, t: Term) -> Result<Literal, String> {
        for t in terms.subterms(&[t]) {
            if self.known.contains_key(&t) {
                continue;
            }
            let of = |t: &Term| self.known[t];
            let literal = match terms.node(t) {
                Node::True => 1,
                Node::False => 0,
                Node::Not(a) => of(a) ^ 1,
                Node::And(all) => {
                    let all: Vec<Literal> = all.iter().map(of).collect();
                    self.and(all)
                }
                Node::Or(all) => {
                    let all: Vec<Literal> = all.iter().map(of).collect();
                    self.or(all)
                }
                Node::Iff(a, b) => {
                    let (a, b) = (of(a), of(b));
                    self.choice(a, b, b ^ 1)
                }
                Node::Ite(c, a, b) if terms.sort(t) == Sort::Bool => {
                    let (c, a, b) = (of(c), of(a), of(b));
                    self.choice(c, a, b)
                }
                _ => return Err("integers without a small range cannot be part of a circuit".to_owned()),
            };
            self.known.insert(t, literal);
        }
        Ok(self.known[&t])
    }

    /// `a` if `c` is true, else `b`.
    fn choice(&mut self, c: Literal, a: Literal, b: Literal) -> Literal {
        let (then, other) = (self.gate(c, a), self.gate(c ^ 1, b));
        self.or([then, other])
    }
}

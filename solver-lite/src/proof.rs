//! Refutations: resolution over Boolean terms, with leaves that are assertions, definitions or theory lemmas.
//!
//! A proof is data. It is built by [`crate::refute`], read by [`crate::interpolate`] and checked by
//! [`crate::certify`], which shares no code with the search.

use std::fmt::{self, Write as _};

use crate::literal::{Clause, Literal};
use crate::number::Q;
use crate::term::{Term, Terms};

/// A step of a proof, by index.
pub type StepId = usize;

/// The certificate of a theory lemma.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Certificate {
    /// Farkas: the literals' inequalities, multiplied by these positive numbers and added up, give `c ≤ 0` with
    /// `c > 0`, or `0 < 0`.
    Farkas(Vec<Q>),
    /// The literals come in pairs `f ≤ b, f ≥ b`. The equations, multiplied by these numbers (one a pair) and added
    /// up, have integer coefficients over integer variables and a constant that is not an integer.
    Modular(Vec<Q>),
    /// Differences `x − y ≤ c` (or `<`) that add up along a cycle to `0 ≤ c` with `c < 0`: Farkas with coefficients 1.
    Cycle,
}

/// The justification of a clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rule {
    /// A single literal, the assertion of this index.
    Assertion(usize),
    /// A defining clause of this term.
    Definition(Term),
    /// Its negated literals (in this order) are contradictory in the theory.
    Theory(Vec<Literal>, Certificate),
    /// The first clause resolved with each further clause in turn, on the given term.
    Resolution(StepId, Vec<(Term, StepId)>),
}

/// One step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The derived clause.
    pub clause: Clause,
    /// Its justification.
    pub rule: Rule,
}

/// A refutation: premises come before conclusions, the last step is the empty clause.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proof {
    /// The steps.
    pub steps: Vec<Step>,
}

impl Proof {
    /// Keeps only the steps on which the last one depends.
    #[must_use]
    pub fn trimmed(self) -> Proof {
        let mut needed = vec![false; self.steps.len()];
        if let Some(last) = needed.last_mut() {
            *last = true;
        }
        for (i, step) in self.steps.iter().enumerate().rev() {
            if let (true, Rule::Resolution(first, chain)) = (needed[i], &step.rule) {
                needed[*first] = true;
                chain.iter().for_each(|(_, s)| needed[*s] = true);
            }
        }
        let mut new = vec![0; self.steps.len()];
        let mut steps = Vec::new();
        for (i, mut step) in self.steps.into_iter().enumerate() {
            if !needed[i] {
                continue;
            }
            if let Rule::Resolution(first, chain) = &mut step.rule {
                *first = new[*first];
                chain.iter_mut().for_each(|(_, s)| *s = new[*s]);
            }
            new[i] = steps.len();
            steps.push(step);
        }
        Proof { steps }
    }

    /// The assertions the proof uses, ascending: an unsatisfiable core.
    #[must_use]
    pub fn core(&self) -> Vec<usize> {
        let used = |step: &Step| match step.rule {
            Rule::Assertion(i) => Some(i),
            _ => None,
        };
        let mut core: Vec<usize> = self.steps.iter().filter_map(used).collect();
        core.sort_unstable();
        core.dedup();
        core
    }

    /// The proof as text, one step a line.
    #[must_use]
    pub fn text(&self, terms: &Terms) -> String {
        let mut out = String::new();
        for (i, step) in self.steps.iter().enumerate() {
            let literals: Vec<String> = step.clause.iter().map(|l| literal_text(terms, *l)).collect();
            let clause = if literals.is_empty() { "false".to_owned() } else { literals.join(" or ") };
            let _ = match &step.rule {
                Rule::Assertion(a) => writeln!(out, "{i}: {clause}  [assertion {a}]"),
                Rule::Definition(t) => writeln!(out, "{i}: {clause}  [definition of {}]", terms.smt(*t)),
                Rule::Theory(_, Certificate::Farkas(q)) => writeln!(out, "{i}: {clause}  [farkas {q:?}]"),
                Rule::Theory(_, Certificate::Modular(q)) => writeln!(out, "{i}: {clause}  [modular {q:?}]"),
                Rule::Theory(_, Certificate::Cycle) => writeln!(out, "{i}: {clause}  [cycle]"),
                Rule::Resolution(first, chain) => {
                    let rest: Vec<String> = chain.iter().map(|(_, s)| s.to_string()).collect();
                    writeln!(out, "{i}: {clause}  [resolve {first} {}]", rest.join(" "))
                }
            };
        }
        out
    }
}

fn literal_text(terms: &Terms, l: Literal) -> String {
    let text = terms.smt(l.term).to_string();
    if l.positive { text } else { format!("(not {text})") }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Certificate::Farkas(q) => write!(f, "Farkas coefficients {q:?}"),
            Certificate::Modular(q) => write!(f, "modular combination {q:?}"),
            Certificate::Cycle => f.write_str("negative cycle"),
        }
    }
}

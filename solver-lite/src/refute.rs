//! Refutations with a checked proof: varisat as proof engine.
//!
//! A search finds the theory lemmas; a fresh varisat then refutes definitions, lemmas and assertions with its
//! checking proof processor. Each learned clause arrives with the clauses that propagate its negation to a conflict;
//! replaying that propagation backwards gives explicit resolutions.

use varisat::checker::{CheckedProofStep, CheckerData, ProofProcessor};
use varisat::{ExtendFormula, Solver as Sat};

use crate::cdcl::lit::Lit;
use crate::definition::is_gate;
use crate::effort;
use crate::encode::{Encoder, Origin};
use crate::hash::{Map, Set};
use crate::literal::{Literal, clause};
use crate::number::Q;
use crate::proof::{Certificate, Proof, Rule, Step, StepId};
use crate::rup;
use crate::search::{Found, Incomplete, Limits, Model, Search, foreign, native};
use crate::term::{Term, Terms};

/// Result of a search for a refutation.
pub enum Refutation {
    /// The assertions are contradictory.
    Proof(Proof),
    /// They are satisfiable.
    Model(Model),
    /// Not decided.
    Incomplete(Incomplete),
}

/// Refutes the conjunction of `assertions`. Theory conflicts are searched among late assertions first, so that along a
/// path the explanation is close to its end.
pub fn refute(terms: &mut Terms, assertions: &[Term], limits: Limits) -> Refutation {
    if let Some(proof) = immediate(assertions) {
        return Refutation::Proof(proof);
    }
    let mut search = Search::new();
    // For each comparison the number (from 1) of the first assertion in which it occurs: a fact is as old as its
    // source.
    let mut first_use: Map<Term, u32> = Map::default();
    for (a, rank) in assertions.iter().zip(1..) {
        let known = search.encoder.comparisons().len();
        search.assert(terms, *a);
        first_use.extend(search.encoder.comparisons()[known..].iter().map(|(_, t)| (*t, rank)));
    }
    if search.encoder.comparisons().is_empty() {
        // Clauses alone decide, so no theory lemmas are needed.
        if let Ok(Some(proof)) = proof(terms, assertions, &search, limits) {
            return Refutation::Proof(proof);
        }
    }
    let priority = |t: Term| first_use.get(&t).copied().unwrap_or(0);
    match search.solve(terms, assertions, &[], Some(&priority), limits) {
        Found::Model(model) => Refutation::Model(model),
        Found::Incomplete(why) => Refutation::Incomplete(why),
        Found::Unsat => match replay(terms, assertions, &search, limits) {
            Ok(proof) => Refutation::Proof(proof),
            Err(why) => Refutation::Incomplete(why),
        },
    }
}

/// One of them is `false`.
pub(crate) fn immediate(assertions: &[Term]) -> Option<Proof> {
    let i = assertions.iter().position(|a| *a == Term::FALSE)?;
    Some(Proof { steps: vec![Step { clause: Vec::new(), rule: Rule::Assertion(i) }] })
}

/// The clauses needed for the assertions: of a gate's definition only the consequences of the value that it is to have
/// (Plaisted and Greenbaum, "A Structure-preserving Clause Form Translation", 1986). Clauses of arithmetic are kept:
/// lemmas may depend on any of them.
fn needed(terms: &Terms, encoder: &Encoder, assertions: &[Term]) -> Vec<usize> {
    let is_kept = |i: usize| match encoder.origin(i) {
        Origin::Definition(t) => !is_gate(terms, t),
        Origin::Bounds => true,
    };
    let mut needed: Vec<bool> = (0..encoder.clauses()).map(is_kept).collect();
    let mut stack: Vec<Literal> = assertions.iter().map(|a| Literal::of(terms, *a)).collect();
    for i in (0..needed.len()).filter(|i| needed[*i]) {
        stack.extend(encoder.clause(i).iter().map(|l| encoder.literal(*l)));
    }
    let mut seen: Set<Literal> = Set::default();
    while let Some(wanted) = stack.pop() {
        if !is_gate(terms, wanted.term) || !seen.insert(wanted) {
            continue;
        }
        let var = encoder.var(wanted.term).expect("it was encoded");
        let opposite = Lit::new(var, !wanted.positive);
        for i in encoder.defining(wanted.term).filter(|i| encoder.clause(*i).contains(&opposite)) {
            needed[i] = true;
            let others = encoder.clause(i).iter().filter(|l| **l != opposite);
            stack.extend(others.map(|l| encoder.literal(*l)));
        }
    }
    (0..needed.len()).filter(|i| needed[*i]).collect()
}

/// The input clauses of the final refutation, as proof steps.
fn inputs(terms: &Terms, assertions: &[Term], search: &Search) -> Vec<Step> {
    let mut steps = Vec::new();
    for (i, a) in assertions.iter().enumerate().filter(|(_, a)| **a != Term::TRUE) {
        steps.push(Step { clause: vec![Literal::of(terms, *a)], rule: Rule::Assertion(i) });
    }
    let encoder = &search.encoder;
    let clause_of = |lits: &mut dyn Iterator<Item = Lit>| clause(lits.map(|l| encoder.literal(l)).collect());
    for i in needed(terms, encoder, assertions) {
        let c = clause_of(&mut encoder.clause(i).iter().copied());
        let rule = match encoder.origin(i) {
            Origin::Definition(t) => Rule::Definition(t),
            Origin::Bounds => {
                let literals = c.iter().map(|l| l.negated()).collect();
                Rule::Theory(literals, Certificate::Farkas(vec![Q::ONE, Q::ONE]))
            }
        };
        steps.push(Step { clause: c, rule });
    }
    for lemma in search.lemmas() {
        let negated = clause_of(&mut lemma.lits.iter().map(|l| !*l));
        let literals = lemma.lits.iter().map(|l| encoder.literal(*l)).collect();
        steps.push(Step { clause: negated, rule: Rule::Theory(literals, lemma.certificate.clone()) });
    }
    steps
}

/// The proof for the result of `search`: `assertions` are contradictory.
///
/// # Errors
/// If the proof exceeds the limits: learned clauses count as conflicts. varisat cannot be interrupted, but it stops
/// when its proof is refused.
pub(crate) fn replay(
    terms: &Terms,
    assertions: &[Term],
    search: &Search,
    limits: Limits,
) -> Result<Proof, Incomplete> {
    if let Some(proof) = immediate(assertions) {
        return Ok(proof);
    }
    Ok(proof(terms, assertions, search, limits)?.expect("clauses and lemmas are contradictory"))
}

/// The same; `None` if clauses and lemmas are satisfiable.
fn proof(
    terms: &Terms,
    assertions: &[Term],
    search: &Search,
    limits: Limits,
) -> Result<Option<Proof>, Incomplete> {
    let steps = inputs(terms, assertions, search);
    let lit = |l: &Literal| {
        let var = search.encoder.var(l.term).expect("it was encoded");
        foreign(Lit::new(var, l.positive))
    };
    let cnf: Vec<Vec<varisat::Lit>> = steps.iter().map(|s| s.clause.iter().map(lit).collect()).collect();
    let mut recorder = Recorder { inputs: Map::default(), steps: Vec::new(), limits, words: 0, over: None };
    for (i, c) in cnf.iter().enumerate() {
        let mut sorted = c.clone();
        sorted.sort_unstable();
        recorder.inputs.entry(sorted).or_insert(i);
    }
    {
        let mut sat = Sat::new();
        sat.add_proof_processor(&mut recorder);
        for c in undecided(&cnf) {
            sat.add_clause(&cnf[c]);
        }
        effort::spend(cnf.len());
        let solved = sat.solve();
        drop(sat);
        if let Some(why) = recorder.over {
            return Err(why);
        }
        if solved.expect("varisat's own proof is accepted by its checker") {
            return Ok(None);
        }
    }
    let resolver = Resolver { steps, by_id: Map::default() };
    Ok(Some(resolver.run(recorder, |lit| search.encoder.literal(native(lit))).trimmed()))
}

/// The clauses left after propagation of facts, and those that propagated; the others are satisfied by the facts.
fn undecided(cnf: &[Vec<varisat::Lit>]) -> Vec<usize> {
    let lits = cnf.iter().flatten().map(|l| l.code() | 1).max().map_or(0, |last| last + 1);
    let mut with: Vec<Vec<usize>> = vec![Vec::new(); lits];
    for (i, c) in cnf.iter().enumerate() {
        c.iter().for_each(|l| with[l.code()].push(i));
    }
    let mut holds = vec![false; lits];
    let mut open: Vec<usize> = cnf.iter().map(Vec::len).collect();
    let mut propagated = vec![false; cnf.len()];
    let mut queue: Vec<usize> = (0..cnf.len()).filter(|i| open[*i] == 1).collect();
    while let Some(i) = queue.pop() {
        if cnf[i].iter().any(|l| holds[l.code()]) {
            continue;
        }
        propagated[i] = true;
        let Some(fact) = cnf[i].iter().find(|l| !holds[(!**l).code()]) else {
            // The facts are contradictory.
            return (0..cnf.len()).filter(|i| propagated[*i]).collect();
        };
        holds[fact.code()] = true;
        for other in &with[(!*fact).code()] {
            open[*other] -= 1;
            if open[*other] <= 1 {
                queue.push(*other);
            }
        }
    }
    let satisfied = |c: &Vec<varisat::Lit>| c.iter().any(|l| holds[l.code()]);
    (0..cnf.len()).filter(|i| propagated[*i] || !satisfied(&cnf[*i])).collect()
}

/// A proof step of varisat, in its own ids.
enum Recorded {
    Input { id: u64, input: usize },
    Derived { id: u64, clause: Vec<varisat::Lit>, hints: Vec<u64> },
}

struct Recorder {
    inputs: Map<Vec<varisat::Lit>, usize>,
    steps: Vec<Recorded>,
    limits: Limits,
    /// Words of the steps.
    words: usize,
    /// The limit that was reached.
    over: Option<Incomplete>,
}

impl Recorder {
    fn charge(&mut self, words: usize) -> Result<(), anyhow::Error> {
        self.words += words;
        if self.steps.len() as u64 > self.limits.conflicts.saturating_add(self.inputs.len() as u64) {
            self.over = Some(Incomplete::Conflicts);
        } else if 8 * self.words > self.limits.memory {
            self.over = Some(Incomplete::Memory);
        }
        if self.over.is_some() { Err(anyhow::anyhow!("a limit was reached")) } else { Ok(()) }
    }
}

impl ProofProcessor for Recorder {
    fn process_step(&mut self, step: &CheckedProofStep, data: CheckerData) -> Result<(), anyhow::Error> {
        let user = |lits: &[varisat::Lit]| -> Vec<varisat::Lit> {
            let translate = |l: &varisat::Lit| {
                let var = data.user_from_proof_var(l.var()).expect("no variable is hidden");
                varisat::Lit::from_var(var, l.is_positive())
            };
            let mut lits: Vec<varisat::Lit> = lits.iter().map(translate).collect();
            lits.sort_unstable();
            lits
        };
        match step {
            CheckedProofStep::AddClause { id, clause } => {
                let input = self.inputs[&user(clause)];
                self.steps.push(Recorded::Input { id: *id, input });
                self.charge(2)?;
            }
            CheckedProofStep::AtClause { id, clause, propagations, .. } => {
                self.steps.push(Recorded::Derived {
                    id: *id,
                    clause: user(clause),
                    hints: propagations.to_vec(),
                });
                self.charge(8 + clause.len() + propagations.len())?;
            }
            _ => {}
        }
        Ok(())
    }
}

/// Turns propagation hints into resolutions.
struct Resolver {
    steps: Vec<Step>,
    by_id: Map<u64, StepId>,
}

impl Resolver {
    fn run(mut self, recorder: Recorder, literal: impl Fn(varisat::Lit) -> Literal) -> Proof {
        for step in recorder.steps {
            let (id, at) = match step {
                Recorded::Input { id, input } => (id, input),
                Recorded::Derived { id, clause, hints } => {
                    let target: Vec<Literal> = clause.into_iter().map(&literal).collect();
                    let hints: Vec<StepId> = hints.iter().map(|hint| self.by_id[hint]).collect();
                    let derived = rup::derive(&mut self.steps, &target, &hints);
                    (id, derived.expect("the hints propagate to a conflict"))
                }
            };
            self.by_id.insert(id, at);
            if self.steps[at].clause.is_empty() {
                self.steps.truncate(at + 1);
                break;
            }
        }
        Proof { steps: self.steps }
    }
}

//! Proofs of the steps of a sequence, built from the refutation of the sequence.
//!
//! To refute a step from scratch can be far harder than the original query. But the refutation explains why the step
//! follows: for each of its clauses `C`, with partial interpolants `p` at the earlier cut and `q` at the later one, `p`
//! and the assertions between imply `q` or the literals of `C` that belong between (after D'Silva, Kroening, Purandare
//! and Weissenbacher, "Interpolant Strength", 2010, and Gurfinkel, Rollini and Sharygina, "Interpolation Properties and
//! SAT-Based Model Checking", 2013). Each of these claims follows from those of the premises by unit propagation; the
//! last one states that the step follows. Leaves of arithmetic are small queries of their own.

use std::collections::BTreeSet;
use std::ops::Range;

use super::facts::Facts;
use super::partial::{Partial, Partials, Written};
use super::{Boolean, Cut, Method, Side, last, ranges, simplify};
use crate::definition::definition;
use crate::hash::Map;
use crate::literal::{Clause, Literal, clause, inequality};
use crate::number::Q;
use crate::proof::{Certificate, Proof, Rule, Step, StepId};
use crate::refute::{Refutation, immediate, refute};
use crate::rup;
use crate::search::{Incomplete, Limits};
use crate::term::{Term, Terms};

/// Refutes the negation of each step of the sequence of [`at_cuts`](super::at_cuts). `each` receives the refuted terms,
/// in this order: an interpolant (`true` before the first cut), the assertions up to the next cut, and the negation of
/// the next interpolant (of `false` after the last); and the refutation, which [`crate::certify()`] can check.
///
/// The proof must contain only terms of the assertions ([`is_about`](super::is_about)).
///
/// # Errors
/// When a refutation exceeds the limits.
///
/// # Panics
/// If the cuts do not ascend, or one is behind the last assertion.
pub fn steps(
    terms: &mut Terms,
    assertions: &[Term],
    proof: &Proof,
    cuts: &[usize],
    method: Method,
    limits: Limits,
    each: &mut dyn FnMut(&Terms, &[Term], &Proof),
) -> Result<(), Incomplete> {
    assert!(cuts.is_sorted() && cuts.iter().all(|c| *c <= assertions.len()), "cuts ascend");
    let ranges = ranges(terms, assertions);
    let labelled = |terms: &mut Terms, cut| Labelled::new(terms, proof, Cut { ranges: &ranges, cut, method });
    let mut before = labelled(terms, 0);
    for cut in cuts.iter().copied().chain([assertions.len()]) {
        let after = labelled(terms, cut);
        let mut premises = vec![before.interpolant(terms)];
        premises.extend(&assertions[before.cut.cut..cut]);
        let next = after.interpolant(terms);
        premises.push(terms.not(next));
        let refuted = step(terms, &premises, proof, [&before, &after], limits)?;
        each(terms, &premises, &refuted);
        before = after;
    }
    Ok(())
}

/// A proof with its partial interpolants at a cut.
struct Labelled<'a> {
    cut: Cut<'a>,
    graph: Partials,
    partials: Vec<Vec<Partial>>,
    /// The nodes of the graph as terms.
    gates: Vec<Term>,
    /// The construction of the interpolant's term.
    written: Vec<Written>,
    /// The interpolant before it was simplified.
    raw: Term,
    /// The interpolant after simplification.
    said: Term,
    /// The proof of their equivalence.
    facts: Facts,
}

impl<'a> Labelled<'a> {
    fn new(terms: &mut Terms, proof: &Proof, cut: Cut<'a>) -> Self {
        let (graph, partials) = cut.partials(terms, proof);
        let gates = graph.gates(terms);
        let written = graph.written(terms, last(partials.last().expect("a proof has steps")));
        let raw = written.last().expect("the root is written").term;
        let mut facts = Facts::default();
        let said = simplify::simplify(terms, raw, Some(&mut facts));
        Labelled { cut, graph, partials, gates, written, raw, said, facts }
    }

    fn gate(&self, p: Partial) -> Term {
        self.gates[p.index()]
    }

    /// The partial interpolant of a step's clause.
    fn of_step(&self, i: StepId) -> Partial {
        last(&self.partials[i])
    }

    /// The interpolant.
    fn interpolant(&self, terms: &mut Terms) -> Term {
        self.cut.signed(terms, self.said)
    }
}

/// The refutation of one step.
fn step(
    terms: &mut Terms,
    premises: &[Term],
    proof: &Proof,
    [before, after]: [&Labelled; 2],
    limits: Limits,
) -> Result<Proof, Incomplete> {
    if let Some(proof) = immediate(premises) {
        return Ok(proof);
    }
    // By dual rules the later cut has the smaller A, and interpolants are negated partial ones.
    let dual = before.cut.method.boolean == Boolean::Dual;
    let [small, large] = if dual { [after, before] } else { [before, after] };
    let mut window = Window {
        terms,
        limits,
        steps: Vec::new(),
        bytes: 0,
        counted: 0,
        defined: Map::default(),
        small,
        large,
        between: before.cut.cut..after.cut.cut,
    };
    let mut units: Vec<StepId> = Vec::new();
    for i in [0, premises.len() - 1] {
        if premises[i] != Term::TRUE {
            let clause = vec![Literal::of(window.terms, premises[i])];
            units.push(window.push(clause, Rule::Assertion(i)));
        }
    }
    units.extend(window.written(small, true)?);
    units.extend(window.claims(proof)?);
    units.extend(window.written(large, false)?);
    let end = window.derive(Vec::new(), &units)?.expect("nothing is not true anyway");
    window.steps.truncate(end + 1);
    Ok(Proof { steps: window.steps }.trimmed())
}

/// Between two cuts: `small` has fewer assertions on the A side than `large`.
struct Window<'a> {
    terms: &'a mut Terms,
    limits: Limits,
    /// The derived steps.
    steps: Vec<Step>,
    /// Size of the steps in bytes.
    bytes: usize,
    counted: usize,
    /// Steps of the definitions of terms.
    defined: Map<Literal, Range<StepId>>,
    small: &'a Labelled<'a>,
    large: &'a Labelled<'a>,
    /// The assertions between the cuts.
    between: Range<usize>,
}

impl Window<'_> {
    fn push(&mut self, clause: Clause, rule: Rule) -> StepId {
        self.steps.push(Step { clause, rule });
        self.steps.len() - 1
    }

    /// The defining clauses of a term.
    fn define(&mut self, t: Term) -> Vec<StepId> {
        [false, true].into_iter().flat_map(|gate| self.define_half(t, gate)).collect()
    }

    /// The defining clauses of a Boolean operator in which it is positive (its consequences if it is false) or negative
    /// (its consequences if it is true).
    fn define_half(&mut self, t: Term, positive: bool) -> Range<StepId> {
        let half = Literal { term: t, positive };
        if let Some(range) = self.defined.get(&half) {
            return range.clone();
        }
        let start = self.steps.len();
        for clause in definition(self.terms, t) {
            if clause.contains(&half) {
                self.push(clause, Rule::Definition(t));
            }
        }
        self.defined.insert(half, start..self.steps.len());
        start..self.steps.len()
    }

    /// Consequences of a true partial interpolant of the smaller cut, or of a false one of the larger cut.
    fn open(&mut self, at: &Labelled, p: Partial) -> Range<StepId> {
        self.define_half(at.gate(p), std::ptr::eq(at, self.large))
    }

    /// A goal as a clause; `None` if it is trivially true.
    fn goal(&self, mut goal: Vec<Literal>) -> Option<Clause> {
        goal.retain(|l| *l != Literal::of(self.terms, Term::FALSE));
        let goal = clause(goal);
        let valid = |l: &Literal| l.term == Term::TRUE || goal.binary_search(&l.negated()).is_ok();
        if goal.iter().any(valid) { None } else { Some(goal) }
    }

    /// A step whose clause is a subset of `goal`, by unit propagation from the premises. `None` if the goal is
    /// trivially true.
    fn derive(&mut self, goal: Vec<Literal>, premises: &[StepId]) -> Result<Option<StepId>, Incomplete> {
        let Some(goal) = self.goal(goal) else { return Ok(None) };
        let derived = rup::derive(&mut self.steps, &goal, premises);
        self.charge()?;
        Ok(Some(derived.expect("a claim follows from its premises by unit propagation")))
    }

    /// Are the steps within the limit of memory?
    fn charge(&mut self) -> Result<(), Incomplete> {
        for step in &self.steps[self.counted..] {
            let chain =
                if let Rule::Resolution(_, chain) = &step.rule { size_of_val(chain.as_slice()) } else { 0 };
            self.bytes += size_of::<Step>() + size_of_val(step.clause.as_slice()) + chain;
        }
        self.counted = self.steps.len();
        if self.bytes > self.limits.memory { Err(Incomplete::Memory) } else { Ok(()) }
    }

    /// A step whose clause is a subset of `goal`, which is valid: from a refutation of its negation, without the
    /// assertions of the negation. `None` if the goal is trivially true.
    fn search(&mut self, goal: Vec<Literal>) -> Result<Option<StepId>, Incomplete> {
        let Some(goal) = self.goal(goal) else { return Ok(None) };
        let negated: Vec<Term> = goal.iter().map(|l| l.negated().to_term(self.terms)).collect();
        let proof = match refute(self.terms, &negated, self.limits) {
            Refutation::Proof(proof) => proof,
            Refutation::Incomplete(why) => return Err(why),
            Refutation::Model(_) => unreachable!("a partial interpolant follows"),
        };
        let mut lifted: Vec<Option<StepId>> = Vec::with_capacity(proof.steps.len());
        for step in proof.steps {
            let at = match step.rule {
                Rule::Assertion(_) => None,
                Rule::Definition(_) | Rule::Theory(..) => Some(self.push(step.clause, step.rule)),
                Rule::Resolution(first, chain) => {
                    let used = [first].into_iter().chain(chain.into_iter().map(|(_, s)| s)).rev();
                    let premises: Vec<StepId> = used.filter_map(|s| lifted[s]).collect();
                    let target: Vec<Literal> = step.clause.iter().chain(&goal).copied().collect();
                    rup::derive(&mut self.steps, &target, &premises)
                }
            };
            lifted.push(at);
        }
        self.charge()?;
        Ok(Some(lifted.last().copied().flatten().expect("a refutation ends in the empty clause")))
    }

    /// Does the literal belong between the cuts?
    fn is_between(&self, l: &Literal) -> bool {
        let side = |at: &Labelled| at.cut.side(self.terms, l.term);
        let shared = self.large.cut.method.boolean == Boolean::Pudlak;
        side(self.small) != Side::A
            && match side(self.large) {
                Side::A => true,
                Side::Both => shared,
                Side::B => false,
            }
    }

    /// The claim of a clause with these partial interpolants.
    fn claim(&self, p: Partial, q: Partial, clause: &[Literal]) -> Vec<Literal> {
        let mut goal: Vec<Literal> = clause.iter().filter(|l| self.is_between(l)).copied().collect();
        goal.push(Literal::of(self.terms, self.small.gate(p)).negated());
        goal.push(Literal::of(self.terms, self.large.gate(q)));
        goal
    }

    /// The claims of all steps; the last one: the smaller cut's partial interpolant implies the larger one's.
    fn claims(&mut self, proof: &Proof) -> Result<Option<StepId>, Incomplete> {
        let (small, large) = (self.small, self.large);
        let mut claims: Vec<Option<StepId>> = Vec::with_capacity(proof.steps.len());
        for (i, step) in proof.steps.iter().enumerate() {
            let goal = self.goal(self.claim(small.of_step(i), large.of_step(i), &step.clause));
            let claim = match (goal, &step.rule) {
                (None, _) => None,
                (Some(goal), Rule::Assertion(a)) => {
                    let position = self.between.contains(a).then(|| 1 + a - self.between.start);
                    self.input(i, &step.clause, position.map(Rule::Assertion), goal)?
                }
                (Some(goal), Rule::Definition(t)) => {
                    let a = |at: &Labelled| at.cut.a_only(self.terms, *t);
                    let rule = (a(large) && !a(small)).then_some(Rule::Definition(*t));
                    self.input(i, &step.clause, rule, goal)?
                }
                (Some(goal), Rule::Theory(literals, Certificate::Modular(ys))) => {
                    self.modular(literals, ys, goal)?
                }
                (Some(goal), Rule::Theory(..)) => self.search(goal)?,
                (Some(_), Rule::Resolution(first, chain)) if small.cut.method.boolean == Boolean::Pudlak => {
                    self.one_by_one(proof, &claims, i, *first, chain)?
                }
                (Some(goal), Rule::Resolution(first, chain)) => {
                    self.resolution(&claims, i, *first, chain, goal)?
                }
            };
            claims.push(claim);
        }
        Ok(claims.last().copied().flatten())
    }

    /// The claim of a modular lemma: the remainder of the larger cut's divisibility equals that of the smaller one's up
    /// to the equations between and an integer. So it is 0 or beyond its bounds, which no other split would show.
    fn modular(
        &mut self,
        literals: &[Literal],
        ys: &[Q],
        goal: Vec<Literal>,
    ) -> Result<Option<StepId>, Incomplete> {
        let (small, large) = (self.small, self.large);
        let mut rest = large.cut.remainder(self.terms, literals, ys);
        rest.add_scaled(&Q::MINUS_ONE, &small.cut.remainder(self.terms, literals, ys));
        for (pair, y) in literals.chunks_exact(2).zip(ys) {
            let in_a = |at: &Labelled| pair.iter().all(|l| at.cut.a_only(self.terms, l.term));
            if in_a(large) && !in_a(small) {
                let equation = inequality(self.terms, pair[0]).expect("an inequality").linear;
                rest.add_scaled(&-y, &equation);
            }
        }
        let split = self.terms.le_zero(rest);
        let split = Literal::of(self.terms, split);
        let mut cases = Vec::new();
        for case in [split, split.negated()] {
            cases.extend(self.search(goal.iter().copied().chain([case]).collect())?);
        }
        self.derive(goal, &cases)
    }

    /// The claim of an input clause: the clause itself if it is one of those between, and the claims of its partial
    /// interpolants.
    fn input(
        &mut self,
        i: usize,
        clause: &[Literal],
        rule: Option<Rule>,
        goal: Vec<Literal>,
    ) -> Result<Option<StepId>, Incomplete> {
        let mut premises: Vec<StepId> =
            rule.map(|rule| self.push(clause.to_vec(), rule)).into_iter().collect();
        for at in [self.small, self.large] {
            let mut chain = vec![at.of_step(i)];
            while let Some(p) = chain.pop() {
                if let Some(operands) = at.graph.operands(p) {
                    premises.extend(self.open(at, p));
                    chain.extend(operands);
                }
            }
        }
        self.derive(goal, &premises)
    }
    /// The claim of a resolvent. Along the chain of clauses, from its end to its start, every claim is a unit.
    fn resolution(
        &mut self,
        claims: &[Option<StepId>],
        i: StepId,
        first: StepId,
        chain: &[(Term, StepId)],
        goal: Vec<Literal>,
    ) -> Result<Option<StepId>, Incomplete> {
        let mut premises: Vec<StepId> = claims[first].into_iter().collect();
        for (link, (_, premise)) in chain.iter().enumerate() {
            for at in [self.small, self.large] {
                let (p, q) = (at.partials[i][link], at.partials[i][link + 1]);
                if p != q {
                    premises.extend(self.open(at, q));
                }
            }
            premises.extend(claims[*premise]);
        }
        premises.reverse();
        self.derive(goal, &premises)
    }

    /// By Pudlák's rules the claim of a resolvent needs a case split on the pivot, so each resolvent has its own claim.
    fn one_by_one(
        &mut self,
        proof: &Proof,
        claims: &[Option<StepId>],
        i: StepId,
        first: StepId,
        chain: &[(Term, StepId)],
    ) -> Result<Option<StepId>, Incomplete> {
        let mut resolvent: BTreeSet<Literal> = proof.steps[first].clause.iter().copied().collect();
        let mut claim = claims[first];
        for (link, (pivot, premise)) in chain.iter().enumerate() {
            resolvent.extend(&proof.steps[*premise].clause);
            resolvent.retain(|l| l.term != *pivot);
            let mut premises: Vec<StepId> = claim.into_iter().chain(claims[*premise]).collect();
            for at in [self.small, self.large] {
                let p = at.partials[i][link + 1];
                premises.extend(self.open(at, p));
                for operand in at.graph.operands(p).into_iter().flatten() {
                    premises.extend(self.open(at, operand));
                }
            }
            let clause: Vec<Literal> = resolvent.iter().copied().collect();
            let goal =
                self.claim(self.small.partials[i][link + 1], self.large.partials[i][link + 1], &clause);
            if [self.small, self.large].iter().any(|at| at.cut.side(self.terms, *pivot) == Side::Both) {
                let split = Literal { term: *pivot, positive: true };
                let case = self.derive(goal.iter().copied().chain([split]).collect(), &premises)?;
                premises.extend(case);
            }
            claim = self.derive(goal, &premises)?;
        }
        Ok(claim)
    }

    /// A cut's interpolant implies its partial interpolant before simplification, or the converse: node by node.
    fn written(&mut self, at: &Labelled, to_gate: bool) -> Result<Vec<StepId>, Incomplete> {
        let implies = |terms: &Terms, gate: Term, t: Term| {
            let (gate, t) = (Literal::of(terms, gate), Literal::of(terms, t));
            if to_gate { vec![t.negated(), gate] } else { vec![gate.negated(), t] }
        };
        let mut claims: Map<Partial, Option<StepId>> = Map::default();
        for w in &at.written {
            let mut premises: Vec<StepId> = self.define_half(w.term, !to_gate).collect();
            for p in &w.chain {
                premises.extend(self.define_half(at.gate(*p), to_gate));
            }
            for p in &w.operands {
                premises.extend(claims[p]);
            }
            let goal = implies(self.terms, at.gate(w.chain[0]), w.term);
            claims.insert(w.chain[0], self.derive(goal, &premises)?);
        }
        let facts = self.facts(&at.facts)?;
        let goal = implies(self.terms, at.raw, at.said);
        let simplified = self.derive(goal, &facts)?;
        let root = at.of_step(at.partials.len() - 1);
        Ok(claims[&root].into_iter().chain(simplified).collect())
    }

    /// Derives the facts recorded by simplification; returns those about whole formulas.
    fn facts(&mut self, facts: &Facts) -> Result<Vec<StepId>, Incomplete> {
        let mut steps: Vec<Option<StepId>> = Vec::with_capacity(facts.all.len());
        for fact in &facts.all {
            let mut premises: Vec<StepId> = Vec::new();
            premises
                .extend(fact.after.iter().flat_map(|range| steps[range.clone()].iter().flatten().copied()));
            for t in &fact.defined {
                premises.extend(self.define(*t));
            }
            let clause = fact.clause.clone();
            let by_arithmetic = fact.after.is_empty() && fact.defined.is_empty();
            steps.push(if by_arithmetic { self.search(clause)? } else { self.derive(clause, &premises)? });
        }
        let rounds = facts.rounds.iter();
        Ok(rounds.flat_map(|range| steps[range.clone()].iter().flatten().copied()).collect())
    }
}

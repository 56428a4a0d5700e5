//! CDCL(T): conflict-driven clause learning with a theory.
//!
//! ```text
//! loop
//!   propagate clauses and theory to a fixpoint
//!   conflict at level 0                 → Unsat
//!   conflict                            → analyse, learn, jump back
//!   limit of effort reached             → Pending (call again to continue)
//!   restart due                         → restart, delete clauses
//!   an assumption is false              → Unsat under assumptions
//!   a variable is unassigned            → decide it
//!   otherwise                           → Consistent
//! ```
//!
//! Clauses as in MiniSat (Eén and Sörensson, "An Extensible SAT-solver", 2003), clause quality as in Glucose (Audemard
//! and Simon, "Predicting Learnt Clauses Quality in Modern SAT Solvers", 2009), the theory as in Nieuwenhuis, Oliveras
//! and Tinelli, "Solving SAT and SAT Modulo Theories" (2006). There is no proof log here: the theory keeps its lemmas,
//! and `refute` finds a refutation from clauses and lemmas.
//!
//! Invariants: when no conflict is pending, every watched literal that is false has a true partner of no higher level
//! or was false when its clause was added; the theory has received exactly the trail below `told`, level by level.

mod analyze;
mod clauses;
pub(crate) mod lit;
mod observer;
mod order;

mod watches;

use crate::arith::snapshot::Snapshot;
use crate::cdcl::analyze::Analysis;
use crate::cdcl::clauses::{ClauseRef, Clauses};
use crate::cdcl::lit::{Lit, Var};
use crate::cdcl::order::Order;
use crate::cdcl::watches::Watches;
use crate::term::Term;

pub(crate) use crate::cdcl::observer::{Observer, Off, Step};

/// Interface of the theory. A conflict is a set of true literals that contradict each other; an explanation is the set
/// of true literals that imply another one. The theory logs both as lemmas.
pub(crate) trait Theory {
    /// Is this variable a comparison of the theory?
    fn knows(&self, var: Var) -> bool;
    /// A literal became true. Returns a conflict if it is detected at once.
    fn assert(&mut self, lit: Lit) -> Result<(), Vec<Lit>>;
    /// Are the asserted literals consistent? Implied literals are added to `implied`.
    fn check(&mut self, implied: &mut Vec<Lit>) -> Result<(), Vec<Lit>>;
    /// The explanation of an implied literal: literals that imply it.
    fn explain(&mut self, lit: Lit) -> Vec<Lit>;
    /// The same for observers, without logging.
    fn why(&mut self, lit: Lit) -> Vec<Lit>;
    /// Opens a level.
    fn push(&mut self);
    /// Closes all but the first `levels` levels.
    fn backtrack(&mut self, levels: usize);
    /// The value to decide for a variable, which had this value last; none if any will do.
    fn phase(&self, var: Var, last: Option<bool>) -> Option<bool>;
    /// Has this call reached its limit of effort?
    fn exhausted(&self) -> bool;
    /// For observers: a snapshot of the current state.
    fn snapshot(&mut self) -> Snapshot<Lit>;
    /// For observers: the pivots since the last call, each with the snapshot after it. They are recorded from the first
    /// snapshot on.
    fn pivots(&mut self) -> Vec<(Term, Term, Option<Snapshot<Lit>>)>;
}

/// Is a variable to be decided?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    Never,
    /// Until the next call of [`Cdcl::want`].
    Now,
    Always,
}

/// Result of [`Cdcl::run`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// All wanted variables have values; they satisfy clauses and theory.
    Consistent,
    /// Contradictory; the assumptions used are in [`Cdcl::failed`].
    Unsat,
    /// The limit of effort was reached.
    Pending,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reason {
    /// Decided, assumed, or a fact.
    None,
    Clause(ClauseRef),
    /// Propagated by the theory, which can explain it.
    Theory,
}

/// A conflict found by propagation.
enum Conflict {
    Clause(ClauseRef),
    /// True literals that contradict each other in the theory.
    Theory(Vec<Lit>),
}

/// The value of a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Truth {
    Open,
    True,
    False,
}

/// Conflicts between restarts, times the Luby sequence.
const RESTART: u64 = 50;
/// Learned clauses before half of them is deleted: initial number and increment.
const FORGET: u64 = 3_000;
const FORGET_MORE: u64 = 500;
/// Clauses of at most this number of levels are never deleted.
const GLUE: u32 = 2;

/// The state of a search.
#[derive(Clone, Debug)]
pub(crate) struct Cdcl {
    clauses: Clauses,
    watches: Watches,
    /// By literal.
    values: Vec<Truth>,
    /// By variable.
    reasons: Vec<Reason>,
    levels: Vec<u32>,
    /// The last value, if there was one.
    phases: Vec<Option<bool>>,
    wanted: Vec<Wanted>,
    /// Variables that are wanted now (some of them always, since).
    now: Vec<Var>,
    order: Order,
    trail: Vec<Lit>,
    /// Start of levels 1, 2, … on the trail.
    starts: Vec<usize>,
    /// Clauses were propagated up to this position of the trail.
    head: usize,
    /// The theory received the trail up to this position.
    told: usize,
    implied: Vec<Lit>,
    analysis: Analysis,
    /// Contradictory under all assumptions.
    contradictory: bool,
    failed: Vec<Lit>,
    /// The assumptions; the first levels belong to them.
    assumptions: Vec<Lit>,
    /// Conflicts since the start.
    pub(crate) conflicts: u64,
    /// Assignments since the start.
    pub(crate) assigned: usize,
    restarts: u64,
    since_restart: u64,
    forget_at: u64,
    forgotten: u64,
}

impl Default for Cdcl {
    fn default() -> Cdcl {
        Cdcl {
            clauses: Clauses::default(),
            watches: Watches::default(),
            values: Vec::new(),
            reasons: Vec::new(),
            levels: Vec::new(),
            phases: Vec::new(),
            wanted: Vec::new(),
            now: Vec::new(),
            order: Order::default(),
            trail: Vec::new(),
            starts: Vec::new(),
            head: 0,
            told: 0,
            implied: Vec::new(),
            analysis: Analysis::default(),
            contradictory: false,
            failed: Vec::new(),
            assumptions: Vec::new(),
            conflicts: 0,
            assigned: 0,
            restarts: 0,
            since_restart: 0,
            forget_at: FORGET,
            forgotten: 0,
        }
    }
}

impl Cdcl {
    /// Creates the variables below `n`.
    pub(crate) fn grow(&mut self, n: usize) {
        self.values.resize(2 * n, Truth::Open);
        self.reasons.resize(n, Reason::None);
        self.levels.resize(n, 0);
        self.phases.resize(n, None);
        self.wanted.resize(n, Wanted::Never);
        self.order.grow(n);
        self.watches.grow(n);
        self.analysis.grow(n);
    }

    /// Unwanted variables are not decided: every assignment of the others can be completed. Valid until the next call.
    pub(crate) fn want(&mut self, wanted: &[Var]) {
        for var in self.now.drain(..) {
            let wanted = &mut self.wanted[var as usize];
            if *wanted == Wanted::Now {
                *wanted = Wanted::Never;
            }
        }
        wanted.iter().for_each(|var| self.want_also(*var));
    }

    /// Wants one more variable.
    pub(crate) fn want_also(&mut self, var: Var) {
        if self.wanted[var as usize] == Wanted::Never {
            self.wanted[var as usize] = Wanted::Now;
            self.now.push(var);
            self.may_decide(var);
        }
    }

    /// These variables are decided in all searches from now on.
    pub(crate) fn want_always(&mut self, wanted: &[Var]) {
        for var in wanted {
            self.wanted[*var as usize] = Wanted::Always;
            self.may_decide(*var);
        }
    }

    fn may_decide(&mut self, var: Var) {
        if self.value(Lit::new(var, true)) == Truth::Open {
            self.order.insert(var);
        }
    }

    #[inline]
    pub(crate) fn value(&self, lit: Lit) -> Truth {
        self.values[lit.index()]
    }

    /// The number of the current level.
    pub(crate) fn level(&self) -> usize {
        self.starts.len()
    }

    /// Memory in use by clauses, in words.
    pub(crate) fn size(&self) -> usize {
        self.clauses.size()
    }

    /// After `Unsat`: the assumptions used; none if clauses and theory alone are contradictory.
    pub(crate) fn failed(&self) -> &[Lit] {
        &self.failed
    }

    /// Adds a clause at any time; jumps back as far as necessary.
    pub(crate) fn add(&mut self, theory: &mut impl Theory, lits: &[Lit]) {
        let mut lits: Vec<Lit> = lits.to_vec();
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|w| w[0] == !w[1]) {
            return;
        }
        if lits.len() >= 2 && lits.iter().all(|l| self.value(*l) == Truth::Open) {
            let clause = self.clauses.add(&lits, None);
            self.watches.attach(clause, &lits);
            return;
        }
        let fact = |s: &Cdcl, l: Lit| s.levels[l.var() as usize] == 0;
        if lits.iter().any(|l| self.value(*l) == Truth::True && fact(self, *l)) {
            return;
        }
        lits.retain(|l| self.value(*l) != Truth::False || !fact(self, *l));
        // The two literals that became false last come first, to be watched.
        lits.sort_by_key(|l| match self.value(*l) {
            Truth::False => (1, u32::MAX - self.levels[l.var() as usize]),
            Truth::True | Truth::Open => (0, 0),
        });
        let level = |s: &Cdcl, l: Lit| s.levels[l.var() as usize] as usize;
        match lits.as_slice() {
            [] => {
                self.contradictory = true;
                self.failed.clear();
            }
            [one] => {
                self.backtrack(theory, 0);
                self.assign(*one, Reason::None);
            }
            [first, second, ..] => {
                if self.value(*second) == Truth::False && self.value(*first) != Truth::True {
                    let (a, b) = (*first, *second);
                    let same = self.value(a) == Truth::False && level(self, a) == level(self, b);
                    let back = level(self, b) - usize::from(same);
                    self.backtrack(theory, back);
                }
                let clause = self.clauses.add(&lits, None);
                self.watches.attach(clause, &lits);
                if self.value(lits[1]) == Truth::False && self.value(lits[0]) == Truth::Open {
                    self.assign(lits[0], Reason::Clause(clause));
                }
            }
        }
    }

    /// Sets the assumptions. Their consequences are kept for the longest common prefix with the old ones.
    pub(crate) fn assume(&mut self, theory: &mut impl Theory, assumptions: &[Lit]) {
        let same = self.assumptions.iter().zip(assumptions).take_while(|(old, new)| old == new).count();
        self.backtrack(theory, same);
        self.assumptions.truncate(same);
        self.assumptions.extend(&assumptions[same..]);
    }

    /// Searches under the assumptions until there is an answer or `conflicts` more conflicts have occurred.
    pub(crate) fn run<O: Observer>(
        &mut self,
        theory: &mut impl Theory,
        conflicts: u64,
        observer: &mut O,
    ) -> Status {
        let last = self.conflicts.saturating_add(conflicts);
        observer.observe(theory);
        observer.step(|| Step::Began(self.trail.clone(), self.starts.clone()));
        loop {
            if self.contradictory {
                self.failed.clear();
                return Status::Unsat;
            }
            if let Some(conflict) = self.propagate(theory, observer) {
                self.conflicts += 1;
                self.since_restart += 1;
                self.resolve(theory, conflict, observer);
            } else if self.conflicts >= last || theory.exhausted() || observer.full() {
                return Status::Pending;
            } else if self.since_restart >= RESTART * luby(self.restarts) {
                self.restart(theory, observer);
            } else if self.conflicts >= self.forget_at {
                self.forget();
            } else if let Some(&assumption) = self.assumptions.get(self.level()) {
                if self.value(assumption) == Truth::False {
                    self.failed = self.why_false(theory, assumption);
                    return Status::Unsat;
                }
                self.open_level(theory);
                if self.value(assumption) == Truth::Open {
                    observer.step(|| Step::Decided(assumption));
                    self.assign(assumption, Reason::None);
                }
            } else if let Some(lit) = self.decision(theory) {
                self.open_level(theory);
                observer.step(|| Step::Decided(lit));
                self.assign(lit, Reason::None);
            } else {
                observer.step(|| Step::Consistent);
                return Status::Consistent;
            }
        }
    }

    /// Undoes all decisions and assumptions.
    pub(crate) fn reset(&mut self, theory: &mut impl Theory) {
        self.backtrack(theory, 0);
    }

    /// Passes the facts to a new theory.
    pub(crate) fn tell_again(&mut self) {
        debug_assert_eq!(self.level(), 0);
        self.told = 0;
    }

    fn decision(&mut self, theory: &impl Theory) -> Option<Lit> {
        while let Some(var) = self.order.pop() {
            if self.wanted[var as usize] != Wanted::Never && self.value(Lit::new(var, true)) == Truth::Open {
                let phase = theory.phase(var, self.phases[var as usize]).unwrap_or(false);
                return Some(Lit::new(var, phase));
            }
        }
        None
    }

    fn open_level(&mut self, theory: &mut impl Theory) {
        self.starts.push(self.trail.len());
        theory.push();
    }

    fn assign(&mut self, lit: Lit, reason: Reason) {
        debug_assert_eq!(self.value(lit), Truth::Open);
        self.values[lit.index()] = Truth::True;
        self.values[(!lit).index()] = Truth::False;
        self.reasons[lit.var() as usize] = reason;
        self.levels[lit.var() as usize] = self.starts.len() as u32;
        self.assigned += 1;
        self.trail.push(lit);
    }

    fn backtrack(&mut self, theory: &mut impl Theory, level: usize) {
        if self.level() <= level {
            return;
        }
        let start = self.starts[level];
        for lit in self.trail.drain(start..).rev() {
            self.values[lit.index()] = Truth::Open;
            self.values[(!lit).index()] = Truth::Open;
            self.phases[lit.var() as usize] = Some(lit.is_positive());
            if self.wanted[lit.var() as usize] != Wanted::Never {
                self.order.insert(lit.var());
            }
        }
        self.starts.truncate(level);
        self.head = self.head.min(start);
        self.told = self.told.min(start);
        theory.backtrack(level);
    }

    /// Clauses first; the theory is called at their fixpoint.
    fn propagate<O: Observer>(&mut self, theory: &mut impl Theory, observer: &mut O) -> Option<Conflict> {
        loop {
            if let Some(clause) = self.propagate_clauses(observer) {
                return Some(Conflict::Clause(clause));
            }
            while self.told < self.trail.len() {
                let lit = self.trail[self.told];
                self.told += 1;
                if !theory.knows(lit.var()) {
                    continue;
                }
                let asserted = theory.assert(lit);
                observer.observe(theory);
                observer.step(|| Step::Asserted(lit));
                if let Err(conflict) = asserted {
                    return Some(Conflict::Theory(conflict));
                }
            }
            let mut implied = std::mem::take(&mut self.implied);
            implied.clear();
            let checked = theory.check(&mut implied);
            if O::ON {
                for (leaving, entering, snapshot) in theory.pivots() {
                    observer.snapshot(|| snapshot);
                    observer.see(Step::Pivoted(leaving, entering));
                }
            }
            let mut contradicted = None;
            for &lit in &implied {
                match self.value(lit) {
                    Truth::True => {}
                    Truth::Open => {
                        observer.step(|| Step::Implied(lit, theory.why(lit)));
                        self.assign(lit, Reason::Theory);
                        if self.level() == 0 {
                            // Facts are not resolved later, so the lemma is logged now.
                            theory.explain(lit);
                        }
                    }
                    Truth::False => contradicted = contradicted.or(Some(lit)),
                }
            }
            self.implied = implied;
            if let Err(conflict) = checked {
                return Some(Conflict::Theory(conflict));
            }
            if let Some(lit) = contradicted {
                let mut conflict = theory.explain(lit);
                conflict.push(!lit);
                return Some(Conflict::Theory(conflict));
            }
            if self.head == self.trail.len() {
                return None;
            }
        }
    }

    fn restart<O: Observer>(&mut self, theory: &mut impl Theory, observer: &mut O) {
        self.restarts += 1;
        self.since_restart = 0;
        self.backtrack(theory, 0);
        observer.observe(theory);
        observer.step(|| Step::Restarted);
    }

    /// Deletes the worse half of the learned clauses, but none that is a reason.
    fn forget(&mut self) {
        self.forgotten += 1;
        self.forget_at = self.conflicts + FORGET + FORGET_MORE * self.forgotten;
        let mut locked: Vec<ClauseRef> = Vec::new();
        for lit in &self.trail {
            if let Reason::Clause(c) = self.reasons[lit.var() as usize] {
                locked.push(c);
            }
        }
        locked.sort_unstable();
        let clauses = &self.clauses;
        let mut worst: Vec<(u32, ClauseRef)> = clauses
            .learned
            .iter()
            .filter(|c| clauses.glue(**c) > GLUE && locked.binary_search(c).is_err())
            .map(|c| (clauses.glue(*c), *c))
            .collect();
        // High glue first, among equals the older.
        worst.sort_unstable_by_key(|(glue, c)| (u32::MAX - glue, *c));
        worst.truncate(worst.len() / 2);
        let mut gone: Vec<ClauseRef> = worst.into_iter().map(|(_, c)| c).collect();
        gone.sort_unstable();
        let moved = self.clauses.retain(&|c| gone.binary_search(&c).is_err());
        for lit in &self.trail {
            if let Reason::Clause(c) = &mut self.reasons[lit.var() as usize] {
                *c = moved.now(*c);
            }
        }
        self.watches.rebuild(&self.clauses);
    }
}

/// The Luby sequence 1 1 2 1 1 2 4 …, from index 0.
fn luby(index: u64) -> u64 {
    let mut i = index + 1;
    loop {
        let k = 64 - u64::from(i.leading_zeros());
        if i == (1 << k) - 1 {
            return 1 << (k - 1);
        }
        i -= (1 << (k - 1)) - 1;
    }
}

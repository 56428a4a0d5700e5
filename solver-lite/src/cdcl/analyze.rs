//! Conflict analysis: the false clause is resolved with reasons until one literal of the current level is left (the
//! first unique implication point), literals implied by the others are dropped, the search jumps back.

use crate::cdcl::lit::Lit;
use crate::cdcl::observer::{Observer, Step};
use crate::cdcl::{Cdcl, Conflict, Reason, Theory, Truth};

/// Working memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Analysis {
    /// By variable: is it in the resolvent, or known to be implied by it?
    seen: Vec<Mark>,
    /// Variables whose mark is to be cleared.
    marked: Vec<u32>,
    /// By level: the number of the last count of levels that met it.
    stamps: Vec<u64>,
    stamp: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Mark {
    #[default]
    None,
    /// In the resolvent.
    Source,
    /// Implied by literals of the resolvent.
    Removable,
    /// Not implied.
    Needed,
}

impl Analysis {
    pub(super) fn grow(&mut self, n: usize) {
        self.seen.resize(n, Mark::None);
        self.stamps.resize(self.stamps.len().max(n + 1), 0);
    }

    fn mark(&mut self, var: u32, mark: Mark) {
        if self.seen[var as usize] == Mark::None {
            self.marked.push(var);
        }
        self.seen[var as usize] = mark;
    }

    fn clear(&mut self) {
        for var in self.marked.drain(..) {
            self.seen[var as usize] = Mark::None;
        }
    }
}

impl Cdcl {
    /// Learns from a conflict, or finds that the clauses are contradictory.
    pub(super) fn resolve<O: Observer>(
        &mut self,
        theory: &mut impl Theory,
        conflict: Conflict,
        observer: &mut O,
    ) {
        let clause: Vec<Lit> = match conflict {
            Conflict::Clause(c) => {
                self.used(c);
                observer.step(|| Step::Conflict(self.clauses.lits(c).collect(), false));
                self.clauses.lits(c).collect()
            }
            Conflict::Theory(lits) => {
                let clause: Vec<Lit> = lits.into_iter().map(|l| !l).collect();
                observer.step(|| Step::Conflict(clause.clone(), true));
                clause
            }
        };
        // A theory may detect a conflict late.
        let level = clause.iter().map(|l| self.levels[l.var() as usize] as usize).max().unwrap_or(0);
        if level == 0 {
            self.contradictory = true;
            return;
        }
        self.backtrack(theory, level);
        let mut learned = self.first_point(theory, clause, observer);
        self.minimize(theory, &mut learned);
        self.analysis.clear();
        self.order.decay();
        self.learn(theory, learned, observer);
    }

    /// The clause learned from the first unique implication point, whose literal comes first.
    fn first_point<O: Observer>(
        &mut self,
        theory: &mut impl Theory,
        mut clause: Vec<Lit>,
        observer: &mut O,
    ) -> Vec<Lit> {
        let level = self.level() as u32;
        let mut learned: Vec<Lit> = vec![clause[0]];
        let mut open = 0;
        let mut at = self.trail.len();
        loop {
            for lit in &clause {
                let var = lit.var();
                if self.analysis.seen[var as usize] != Mark::None || self.levels[var as usize] == 0 {
                    continue;
                }
                self.analysis.mark(var, Mark::Source);
                debug_assert_ne!(self.value(*lit), Truth::Open);
                self.order.bump(var);
                if self.levels[var as usize] == level {
                    open += 1;
                } else {
                    learned.push(*lit);
                }
            }
            let pivot = loop {
                at -= 1;
                if self.analysis.seen[self.trail[at].var() as usize] != Mark::None {
                    break self.trail[at];
                }
            };
            open -= 1;
            if open == 0 {
                learned[0] = !pivot;
                return learned;
            }
            self.reason(theory, pivot, &mut clause);
            if O::ON {
                let resolvent = self.resolvent(&learned[1..], &clause, at, level);
                observer.see(Step::Resolved { lit: pivot, reason: clause.clone(), resolvent });
            }
            clause.retain(|l| *l != pivot);
        }
    }

    /// For observers: the resolvent after a step.
    fn resolvent(&self, older: &[Lit], reason: &[Lit], at: usize, level: u32) -> Vec<Lit> {
        let here = self.trail[..at].iter().filter(|l| self.levels[l.var() as usize] == level);
        let here = here
            .map(|l| !*l)
            .filter(|l| self.analysis.seen[l.var() as usize] == Mark::Source || reason.contains(l));
        let below = |l: &&Lit| {
            let of = self.levels[l.var() as usize];
            of > 0 && of < level && !older.contains(l)
        };
        let mut all: Vec<Lit> = here.collect();
        all.extend(older);
        all.extend(reason.iter().filter(below));
        all
    }

    /// The reason of `lit`. Literals implied by the theory are explained once; the explanation is kept as a clause.
    fn reason(&mut self, theory: &mut impl Theory, lit: Lit, out: &mut Vec<Lit>) {
        out.clear();
        match self.reasons[lit.var() as usize] {
            Reason::None => unreachable!("decisions are not resolved"),
            Reason::Clause(c) => {
                self.used(c);
                out.extend(self.clauses.lits(c));
            }
            Reason::Theory => {
                out.push(lit);
                out.extend(theory.explain(lit).into_iter().map(|l| !l));
                #[cfg(debug_assertions)]
                {
                    let at = |l: Lit| self.trail.iter().position(|t| *t == l);
                    for l in &out[1..] {
                        assert!(at(!*l).is_some() && at(!*l) < at(lit), "explained by what came later");
                    }
                }
                // Watched are the implied literal and the last one that became false.
                let latest = |s: &Cdcl, l: Lit| s.levels[l.var() as usize];
                if let Some(last) = (1..out.len()).max_by_key(|i| latest(self, out[*i])) {
                    out.swap(1, last);
                    let glue = self.glue(out);
                    let c = self.clauses.add(out, Some(glue));
                    self.watches.attach(c, out);
                    self.reasons[lit.var() as usize] = Reason::Clause(c);
                }
            }
        }
    }

    /// A learned clause was used: its glue may have decreased.
    fn used(&mut self, c: u32) {
        if self.clauses.is_learned(c) && self.clauses.glue(c) > 2 {
            let lits: Vec<Lit> = self.clauses.lits(c).collect();
            let glue = self.glue(&lits);
            if glue < self.clauses.glue(c) {
                self.clauses.set_glue(c, glue);
            }
        }
    }

    /// The number of levels of the literals.
    fn glue(&mut self, lits: &[Lit]) -> u32 {
        self.analysis.stamp += 1;
        let mut glue = 0;
        for lit in lits {
            let level = self.levels[lit.var() as usize] as usize;
            if level >= self.analysis.stamps.len() {
                // Assumptions that are true already open levels without variables.
                self.analysis.stamps.resize(level + 1, 0);
            }
            if self.analysis.stamps[level] != self.analysis.stamp {
                self.analysis.stamps[level] = self.analysis.stamp;
                glue += 1;
            }
        }
        glue
    }

    /// Drops literals whose negation follows from the negations of the others (Sörensson and Biere, "Minimizing Learned
    /// Clauses", 2009).
    fn minimize(&mut self, theory: &mut impl Theory, learned: &mut Vec<Lit>) {
        let mut levels: u64 = 0;
        for lit in &learned[1..] {
            levels |= 1 << (self.levels[lit.var() as usize] & 63);
        }
        let mut kept = 1;
        for i in 1..learned.len() {
            let lit = learned[i];
            if self.reasons[lit.var() as usize] == Reason::None || !self.follows(theory, lit, levels) {
                learned[kept] = lit;
                kept += 1;
            }
        }
        learned.truncate(kept);
    }

    /// Does the false literal `lit` follow from the negations of literals marked as sources? Explicit stack: a frame is
    /// a literal and the rest of its reason.
    fn follows(&mut self, theory: &mut impl Theory, lit: Lit, levels: u64) -> bool {
        let mut stack: Vec<(Lit, Vec<Lit>)> = Vec::new();
        let mut reason = Vec::new();
        self.reason(theory, !lit, &mut reason);
        stack.push((lit, reason));
        while let Some((lit, rest)) = stack.last_mut() {
            let lit = *lit;
            let Some(next) = rest.pop() else {
                stack.pop();
                if self.analysis.seen[lit.var() as usize] == Mark::None {
                    self.analysis.mark(lit.var(), Mark::Removable);
                }
                continue;
            };
            let (var, level) = (next.var(), self.levels[next.var() as usize]);
            if var == lit.var() || level == 0 {
                continue;
            }
            match self.analysis.seen[var as usize] {
                Mark::Source | Mark::Removable => {}
                Mark::None
                    if self.reasons[var as usize] != Reason::None && levels >> (level & 63) & 1 == 1 =>
                {
                    let mut reason = Vec::new();
                    self.reason(theory, !next, &mut reason);
                    stack.push((next, reason));
                }
                Mark::None | Mark::Needed => {
                    if self.analysis.seen[var as usize] == Mark::None {
                        self.analysis.mark(var, Mark::Needed);
                    }
                    for (open, _) in &stack {
                        if self.analysis.seen[open.var() as usize] == Mark::None {
                            self.analysis.mark(open.var(), Mark::Needed);
                        }
                    }
                    return false;
                }
            }
        }
        true
    }

    fn learn<O: Observer>(&mut self, theory: &mut impl Theory, mut learned: Vec<Lit>, observer: &mut O) {
        let last = (1..learned.len()).max_by_key(|i| self.levels[learned[*i].var() as usize]);
        let back = last.map_or(0, |i| self.levels[learned[i].var() as usize] as usize);
        if let Some(i) = last {
            learned.swap(1, i);
        }
        let glue = self.glue(&learned);
        observer.step(|| Step::Learned(learned.clone(), back));
        self.backtrack(theory, back);
        observer.observe(theory);
        let reason = if learned.len() > 1 {
            let clause = self.clauses.add(&learned, Some(glue));
            self.watches.attach(clause, &learned);
            Reason::Clause(clause)
        } else {
            Reason::None
        };
        observer.step(|| Step::Propagated(learned[0], learned.clone()));
        self.assign(learned[0], reason);
    }

    /// The assumptions that make `assumption` false, itself included.
    pub(super) fn why_false(&mut self, theory: &mut impl Theory, assumption: Lit) -> Vec<Lit> {
        let mut failed = vec![assumption];
        if self.levels[assumption.var() as usize] == 0 {
            return failed;
        }
        self.analysis.mark(assumption.var(), Mark::Source);
        let mut reason = Vec::new();
        for at in (self.starts[0]..self.trail.len()).rev() {
            let lit = self.trail[at];
            if self.analysis.seen[lit.var() as usize] == Mark::None {
                continue;
            }
            if self.reasons[lit.var() as usize] == Reason::None {
                failed.push(lit);
                continue;
            }
            self.reason(theory, lit, &mut reason);
            for l in reason.iter().filter(|l| self.levels[l.var() as usize] > 0) {
                self.analysis.mark(l.var(), Mark::Source);
            }
        }
        self.analysis.clear();
        failed
    }
}

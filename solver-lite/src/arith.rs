//! Linear arithmetic as a theory: difference logic where all comparisons are differences, the simplex otherwise. Every
//! conflict and every explanation is logged as a lemma with its certificate.

pub(crate) mod branch;
pub(crate) mod delta;
pub(crate) mod difference;
pub(crate) mod diophantine;
pub(crate) mod lemma;
pub(crate) mod simplex;
pub(crate) mod snapshot;
pub(crate) mod tableau;

use crate::arith::difference::Graph;
use crate::arith::lemma::Lemma;
use crate::arith::simplex::{Failure, Simplex};
use crate::arith::snapshot::Snapshot;
use crate::cdcl::Theory;
use crate::cdcl::lit::{Lit, Var};
use crate::term::{Term, Terms};

/// The decision procedure in use.
#[derive(Clone, Debug)]
pub(crate) enum Procedure {
    /// Every comparison is a difference of two terms of one sort.
    Difference(Box<Graph>),
    /// General sums.
    Linear(Box<Simplex>),
}

/// State at the beginning of a level.
#[derive(Clone, Copy, Debug)]
enum Mark {
    Difference(difference::Mark),
    Linear(simplex::Mark),
}

/// The theory, with all its lemmas.
#[derive(Clone, Debug)]
pub(crate) struct Arithmetic {
    pub(crate) procedure: Procedure,
    levels: Vec<Mark>,
    /// All lemmas so far.
    pub(crate) log: Vec<Lemma>,
    /// Size of the log in words, approximately.
    pub(crate) log_size: usize,
    /// Registered comparisons.
    registered: usize,
    /// Limit of pivots for one check.
    pub(crate) pivot_limit: u64,
    exhausted: bool,
}

impl Default for Arithmetic {
    fn default() -> Arithmetic {
        Arithmetic {
            procedure: Procedure::Linear(Box::default()),
            levels: Vec::new(),
            log: Vec::new(),
            log_size: 0,
            registered: 0,
            pivot_limit: u64::MAX,
            exhausted: false,
        }
    }
}

impl Arithmetic {
    /// Are there comparisons that are not registered yet?
    pub(crate) fn lacks(&self, all: &[(Var, Term)]) -> bool {
        self.registered < all.len()
    }

    /// Registers new comparisons; `all` are all comparisons so far, the registered ones first. Returns whether the
    /// decision procedure was replaced by a new one, in which nothing is asserted yet.
    pub(crate) fn register(&mut self, terms: &Terms, all: &[(Var, Term)]) -> bool {
        let first = std::mem::replace(&mut self.registered, all.len());
        if first == all.len() {
            return false;
        }
        if first == 0 {
            self.procedure = Arithmetic::procedure_for(terms, all);
            return true;
        }
        for (var, t) in &all[first..] {
            match &mut self.procedure {
                // Splits were registered when they were created.
                Procedure::Linear(simplex) if simplex.knows(*var) => {}
                Procedure::Linear(simplex) => simplex.register(terms, *var, *t),
                Procedure::Difference(graph) => {
                    if graph.register(terms, *var, *t).is_err() {
                        self.procedure = Arithmetic::procedure_for(terms, all);
                        return true;
                    }
                }
            }
        }
        false
    }

    fn procedure_for(terms: &Terms, all: &[(Var, Term)]) -> Procedure {
        if let Ok(graph) = Graph::new(terms, all) {
            return Procedure::Difference(Box::new(graph));
        }
        let mut simplex = Simplex::default();
        for (var, t) in all {
            simplex.register(terms, *var, *t);
        }
        Procedure::Linear(Box::new(simplex))
    }

    /// Logs a lemma and returns its literals.
    pub(crate) fn record(&mut self, lemma: Lemma) -> Vec<Lit> {
        let lits = lemma.lits.clone();
        self.log_size += lemma.size();
        self.log.push(lemma);
        lits
    }

    /// Memory in use in words, approximately.
    pub(crate) fn size(&self) -> usize {
        self.log_size
            + match &self.procedure {
                Procedure::Difference(graph) => graph.size(),
                Procedure::Linear(simplex) => simplex.size(),
            }
    }

    /// Pivots so far.
    pub(crate) fn pivots(&self) -> u64 {
        match &self.procedure {
            Procedure::Difference(_) => 0,
            Procedure::Linear(simplex) => simplex.pivots,
        }
    }

    /// Sets the limit of pivots a check for a new search.
    pub(crate) fn allow(&mut self, pivots: u64) {
        self.pivot_limit = pivots;
        self.exhausted = false;
    }

    /// Several conflicts among literals, all of which are new here; none if they are consistent.
    ///
    /// # Errors
    /// If the limit of pivots is reached before a conflict is found.
    pub(crate) fn contradictions(&mut self, lits: &[Lit], most: usize) -> Result<Vec<Lemma>, ()> {
        let mut found: Vec<Lemma> = Vec::new();
        match &mut self.procedure {
            Procedure::Difference(graph) => {
                for lit in lits {
                    // The edge that closes a cycle is left out, so that other cycles are found.
                    found.extend(graph.assert(*lit).err());
                    if found.len() >= most {
                        break;
                    }
                }
            }
            Procedure::Linear(simplex) => {
                for lit in lits {
                    found.extend(simplex.assert(*lit).err());
                }
                while found.len() < most {
                    match simplex.check(self.pivot_limit) {
                        Ok(()) => break,
                        Err(Failure::PivotLimit) if found.is_empty() => return Err(()),
                        Err(Failure::PivotLimit) => break,
                        Err(Failure::Conflicts(conflicts)) => {
                            conflicts.iter().for_each(|c| simplex.withdraw(c.lits[0]));
                            found.extend(conflicts);
                        }
                    }
                }
            }
        }
        found.truncate(most);
        Ok(found)
    }

    /// The explanation of a propagated literal.
    fn explanation(&mut self, lit: Lit) -> Lemma {
        match &mut self.procedure {
            Procedure::Difference(graph) => graph.explain(lit),
            Procedure::Linear(simplex) => simplex.explain(lit),
        }
    }
}

impl Theory for Arithmetic {
    #[inline]
    fn knows(&self, var: Var) -> bool {
        match &self.procedure {
            Procedure::Difference(graph) => graph.knows(var),
            Procedure::Linear(simplex) => simplex.knows(var),
        }
    }

    fn assert(&mut self, lit: Lit) -> Result<(), Vec<Lit>> {
        let asserted = match &mut self.procedure {
            Procedure::Difference(graph) => graph.assert(lit),
            Procedure::Linear(simplex) => simplex.assert(lit),
        };
        asserted.map_err(|lemma| self.record(lemma))
    }

    fn check(&mut self, implied: &mut Vec<Lit>) -> Result<(), Vec<Lit>> {
        match &mut self.procedure {
            Procedure::Difference(graph) => {
                graph.imply(implied);
                Ok(())
            }
            Procedure::Linear(simplex) => match simplex.check(self.pivot_limit) {
                Ok(()) => {
                    simplex.imply(implied);
                    Ok(())
                }
                Err(Failure::PivotLimit) => {
                    self.exhausted = true;
                    Ok(())
                }
                Err(Failure::Conflicts(mut conflicts)) => {
                    // The shorter conflict is preferred.
                    let shortest = (0..conflicts.len()).min_by_key(|i| conflicts[*i].lits.len());
                    let best = conflicts.swap_remove(shortest.expect("at least one"));
                    Err(self.record(best))
                }
            },
        }
    }

    fn explain(&mut self, lit: Lit) -> Vec<Lit> {
        let lemma = self.explanation(lit);
        let mut lits = self.record(lemma);
        lits.retain(|l| *l != !lit);
        lits
    }

    fn why(&mut self, lit: Lit) -> Vec<Lit> {
        let mut lits = self.explanation(lit).lits;
        lits.retain(|l| *l != !lit);
        lits
    }

    fn push(&mut self) {
        self.levels.push(match &self.procedure {
            Procedure::Difference(graph) => Mark::Difference(graph.mark()),
            Procedure::Linear(simplex) => Mark::Linear(simplex.mark()),
        });
    }

    fn backtrack(&mut self, levels: usize) {
        match (&mut self.procedure, self.levels.get(levels)) {
            (Procedure::Difference(graph), Some(Mark::Difference(mark))) => graph.undo(*mark),
            (Procedure::Linear(simplex), Some(Mark::Linear(mark))) => simplex.undo(*mark),
            (_, None) => {}
            _ => unreachable!("procedures change at level 0 only"),
        }
        self.levels.truncate(levels);
    }

    fn phase(&self, var: Var, last: Option<bool>) -> Option<bool> {
        match &self.procedure {
            // The saved phase first: it keeps the order of jobs that was found.
            Procedure::Difference(graph) => last.or_else(|| graph.phase(var)),
            Procedure::Linear(simplex) => simplex.phase(var).or(last),
        }
    }

    fn exhausted(&self) -> bool {
        self.exhausted
    }

    fn snapshot(&mut self) -> Snapshot<Lit> {
        match &mut self.procedure {
            Procedure::Difference(graph) => Snapshot::Graph(graph.snapshot()),
            Procedure::Linear(simplex) => {
                simplex.watched.get_or_insert_default();
                Snapshot::Tableau(simplex.snapshot())
            }
        }
    }

    fn pivots(&mut self) -> Vec<(Term, Term, Option<Snapshot<Lit>>)> {
        match &mut self.procedure {
            Procedure::Difference(_) => Vec::new(),
            Procedure::Linear(simplex) => {
                let pivots = simplex.watched.as_mut().map(std::mem::take).unwrap_or_default();
                pivots.into_iter().map(|(out, into, t)| (out, into, t.map(Snapshot::Tableau))).collect()
            }
        }
    }
}

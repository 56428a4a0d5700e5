//! The inside of one question: what the online search decides, propagates, contradicts and learns, step by step.
//!
//! Nobody looks while verdicts are sought. A question is asked again here, with an onlooker; the search is deterministic, so
//! it does the same.

use crate::cdcl::lit::Lit;
use crate::cdcl::{Observer, Step};
use crate::literal::Literal;
use crate::search::{Found, Limits, Search, Strategy};
use crate::term::{Term, Terms};

/// One step, in literals of terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inside {
    /// A decision opened a level.
    Decided(Literal),
    /// All but one literal of a clause were false.
    Propagated(Literal, Vec<Literal>),
    /// Linear arithmetic implies it.
    Implied(Literal),
    /// All literals of this clause are false.
    Conflict(Vec<Literal>),
    /// The negations of these literals contradict each other in linear arithmetic.
    Contradiction(Vec<Literal>),
    /// The conflict was resolved with the reason of a literal, which gave the last clause.
    Resolved(Literal, Vec<Literal>, Vec<Literal>),
    /// A clause was learned; the search went back to this level.
    Learned(Vec<Literal>, usize),
    /// All decisions were taken back.
    Restarted,
}

/// Keeps the first steps.
struct Recorder {
    steps: Vec<Step>,
    most: usize,
}

impl Observer for Recorder {
    const ON: bool = true;

    fn see(&mut self, step: Step) {
        if self.steps.len() < self.most {
            self.steps.push(step);
        }
    }
}

/// Asks whether the assertions are consistent and tells the first `most` steps of the search.
pub fn inside(terms: &mut Terms, assertions: &[Term], limits: Limits, most: usize) -> Vec<Inside> {
    let mut search = Search::default();
    for a in assertions {
        search.assert(terms, *a);
    }
    let mut recorder = Recorder { steps: Vec::new(), most };
    let limits = Limits { strategy: Strategy::Online, ..limits };
    let (Found::Model(_) | Found::Unsat | Found::Incomplete(_)) =
        search.solve_watched(terms, assertions, &[], None, limits, &mut recorder);
    let one = |l: Lit| search.encoder.literal(l);
    let many = |lits: Vec<Lit>| -> Vec<Literal> { lits.into_iter().map(one).collect() };
    let told = |step| match step {
        Step::Decided(l) | Step::Assumed(l) => Inside::Decided(one(l)),
        Step::Propagated(l, clause) => Inside::Propagated(one(l), many(clause)),
        Step::Implied(l) => Inside::Implied(one(l)),
        Step::Conflict(clause, false) => Inside::Conflict(many(clause)),
        Step::Conflict(clause, true) => Inside::Contradiction(many(clause)),
        Step::Resolved { lit, reason, resolvent } => {
            Inside::Resolved(one(lit), many(reason), many(resolvent))
        }
        Step::Learned(clause, level) => Inside::Learned(many(clause), level),
        Step::Restarted => Inside::Restarted,
    };
    recorder.steps.into_iter().map(told).collect()
}

impl Inside {
    /// The step in words, with terms as people write them.
    #[must_use]
    pub fn text(&self, terms: &Terms) -> String {
        let one = |l: &Literal| {
            let text = terms.infix(l.term).to_string();
            if l.positive { text } else { format!("not ({text})") }
        };
        let clause = |all: &[Literal]| {
            let texts: Vec<String> = all.iter().map(one).collect();
            if texts.is_empty() { "false".to_owned() } else { texts.join("  or  ") }
        };
        match self {
            Inside::Decided(l) => format!("decide {}", one(l)),
            Inside::Propagated(l, reason) => format!("propagate {}  because of  {}", one(l), clause(reason)),
            Inside::Implied(l) => format!("arithmetic implies {}", one(l)),
            Inside::Conflict(c) => format!("conflict: {}", clause(c)),
            Inside::Contradiction(c) => format!("arithmetic demands {}", clause(c)),
            Inside::Resolved(l, reason, result) => {
                format!("resolve on {}  with  {}  gives  {}", one(l), clause(reason), clause(result))
            }
            Inside::Learned(c, level) => format!("learn {}, back to level {level}", clause(c)),
            Inside::Restarted => "restart".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn a_conflict_is_analysed_step_by_step() {
        let mut t = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|n| t.var(n, Sort::Int));
        let p = t.var("p", Sort::Bool);
        let not_p = t.not(p);
        // Either way round the three numbers cannot be ordered.
        let mut assertions = Vec::new();
        for (guard, [a, b, c]) in [(p, [x, y, z]), (not_p, [z, y, x])] {
            for order in [t.lt(a, b), t.lt(b, c), t.lt(c, a)] {
                assertions.push(t.or([guard, order]));
            }
        }
        let steps = inside(&mut t, &assertions, Limits::default(), 1_000);
        let texts: Vec<String> = steps.iter().map(|s| s.text(&t)).collect();
        let told = |what: &str| texts.iter().any(|s| s.starts_with(what));
        for what in ["decide", "propagate", "arithmetic", "resolve on", "learn"] {
            assert!(told(what), "{what}: {texts:#?}");
        }
        assert!(check_resolutions(&steps) >= 2, "{texts:#?}");
        assert_eq!(inside(&mut t, &assertions, Limits::default(), 2).len(), 2);
    }

    /// The literals of a resolvent come from the two clauses. Gives the number of conflicts.
    fn check_resolutions(steps: &[Inside]) -> usize {
        let mut clause: Vec<Literal> = Vec::new();
        let mut count = 0;
        for step in steps {
            match step {
                Inside::Conflict(c) | Inside::Contradiction(c) => {
                    clause.clone_from(c);
                    count += 1;
                }
                Inside::Resolved(l, reason, result) => {
                    let rest = clause.iter().chain(reason).filter(|x| x.term != l.term);
                    for literal in result {
                        assert!(rest.clone().any(|x| x == literal), "{literal:?} comes from nowhere");
                    }
                    clause.clone_from(result);
                }
                _ => {}
            }
        }
        count
    }
}

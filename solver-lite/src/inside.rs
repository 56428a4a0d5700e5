//! The search for one query, step by step: decisions, propagations, conflicts and learned clauses.
//!
//! Verdicts are computed without an observer. Here a query is solved again with one, always by the online search and
//! without eliminating variables. The search is deterministic, so every run gives the same steps.

pub use crate::arith::snapshot::{ColumnSnapshot, EdgeSnapshot, GraphSnapshot, Snapshot, TableauSnapshot};
use crate::cdcl::lit::Lit;
use crate::cdcl::{Observer, Step};
use crate::literal::Literal;
use crate::number::Q;
use crate::search::{Found, Limits, Search, Strategy};
use crate::term::{Term, Terms};

/// A step, in literals of terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inside {
    /// The search begins, or continues, with this trail; the levels begin at these positions.
    Began(Vec<Literal>, Vec<usize>),
    /// A decision opened a level.
    Decided(Literal),
    /// All but one literal of a clause were false.
    Propagated(Literal, Vec<Literal>),
    /// A literal was passed to the theory.
    Asserted(Literal),
    /// In the tableau the first term left the basis and the second one entered it.
    Pivoted(Term, Term),
    /// Linear arithmetic propagated a literal, with its explanation.
    Implied(Literal, Vec<Literal>),
    /// All literals of this clause are false.
    Conflict(Vec<Literal>),
    /// The negations of these literals are contradictory in linear arithmetic.
    Contradiction(Vec<Literal>),
    /// The conflict was resolved with the reason of a literal, which is the last clause.
    Resolved(Literal, Vec<Literal>, Vec<Literal>),
    /// A clause was learned; the search jumped back to this level.
    Learned(Vec<Literal>, usize),
    /// The values are not integers: one of these literals must hold.
    Demanded(Vec<Literal>),
    /// All decisions were undone.
    Restarted,
    /// All relevant variables have values, which satisfy the arithmetic over the rationals.
    Consistent,
    /// A model was found, with these values of numbers.
    Found(Vec<(Term, Q)>),
    /// A limit was reached.
    GaveUp,
    /// There is a contradiction at level 0.
    Refuted,
}

/// A step, and the state of arithmetic after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The step.
    pub step: Inside,
    /// Index of the snapshot; none before arithmetic has a state, or where it is too large to draw.
    pub snapshot: Option<usize>,
}

/// The search for one query.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Story {
    /// The steps, from the first.
    pub moments: Vec<Moment>,
    /// The snapshots of the steps.
    pub snapshots: Vec<Snapshot<Literal>>,
    /// Were there more steps than requested?
    pub cut: bool,
}

/// Records the first steps.
struct Recorder {
    steps: Vec<(Step, Option<usize>)>,
    most: usize,
    cut: bool,
    snapshots: Vec<Snapshot<Lit>>,
    /// Is the last snapshot up to date?
    current: bool,
    /// The remaining budget for snapshots.
    ink: usize,
}

/// Limit of the total size of all snapshots ([`Snapshot::size`]).
const INK: usize = 400_000;

impl Observer for Recorder {
    const ON: bool = true;

    fn see(&mut self, step: Step) {
        let snapshot = self.snapshots.len().checked_sub(1).filter(|_| self.current);
        if self.steps.len() < self.most {
            self.steps.push((step, snapshot));
        } else {
            self.cut = true;
        }
    }

    fn full(&self) -> bool {
        self.steps.len() == self.most
    }

    fn snapshot(&mut self, snapshot: impl FnOnce() -> Option<Snapshot<Lit>>) {
        let drawn = (!self.full() && self.ink > 0).then(snapshot).flatten();
        self.current = drawn.is_some();
        let Some(snapshot) = drawn else { return };
        self.ink = self.ink.saturating_sub(snapshot.size());
        if self.snapshots.last() != Some(&snapshot) {
            self.snapshots.push(snapshot);
        }
    }
}

/// Searches for a model of the assertions and returns the first `most` steps.
pub fn inside(terms: &mut Terms, assertions: &[Term], limits: Limits, most: usize) -> Story {
    let mut search = Search::default();
    for a in assertions {
        search.assert(terms, *a);
    }
    let mut recorder =
        Recorder { steps: Vec::new(), most, cut: false, snapshots: Vec::new(), current: false, ink: INK };
    let limits = Limits { strategy: Strategy::Online, ..limits };
    let (Found::Model(_) | Found::Unsat | Found::Incomplete(_)) =
        search.solve_watched(terms, assertions, &[], None, limits, &mut recorder);
    let one = |l: Lit| search.encoder.literal(l);
    let many = |lits: Vec<Lit>| -> Vec<Literal> { lits.into_iter().map(one).collect() };
    let told = |step| match step {
        Step::Began(trail, starts) => Inside::Began(many(trail), starts),
        Step::Decided(l) => Inside::Decided(one(l)),
        Step::Propagated(l, clause) => Inside::Propagated(one(l), many(clause)),
        Step::Asserted(l) => Inside::Asserted(one(l)),
        Step::Pivoted(left, entered) => Inside::Pivoted(left, entered),
        Step::Implied(l, because) => Inside::Implied(one(l), many(because)),
        Step::Conflict(clause, false) => Inside::Conflict(many(clause)),
        Step::Conflict(clause, true) => Inside::Contradiction(many(clause)),
        Step::Resolved { lit, reason, resolvent } => {
            Inside::Resolved(one(lit), many(reason), many(resolvent))
        }
        Step::Learned(clause, level) => Inside::Learned(many(clause), level),
        Step::Demanded(clause) => Inside::Demanded(many(clause)),
        Step::Restarted => Inside::Restarted,
        Step::Consistent => Inside::Consistent,
        Step::Found(values) => Inside::Found(values),
        Step::GaveUp => Inside::GaveUp,
        Step::Refuted => Inside::Refuted,
    };
    let Recorder { steps, snapshots, cut, .. } = recorder;
    Story {
        moments: steps.into_iter().map(|(s, snapshot)| Moment { step: told(s), snapshot }).collect(),
        snapshots: snapshots.into_iter().map(|p| p.map(&one)).collect(),
        cut,
    }
}

impl Inside {
    /// The step in words, with terms in infix notation.
    #[must_use]
    pub fn text(&self, terms: &Terms) -> String {
        let one = |l: &Literal| literal_text(terms, *l);
        let clause = |all: &[Literal]| clause_text(terms, all);
        match self {
            Inside::Began(trail, _) => match trail.len() {
                0 => "begin".to_owned(),
                1 => format!("begin with one fact: {}", one(&trail[0])),
                n => format!("begin with {n} facts"),
            },
            Inside::Decided(l) => format!("decide {}", one(l)),
            Inside::Propagated(l, reason) => format!("propagate {}  because of  {}", one(l), clause(reason)),
            Inside::Asserted(l) => format!("assert {} to the theory", one(l)),
            Inside::Pivoted(left, entered) => {
                format!("pivot: {} leaves the basis, {} enters it", terms.infix(*left), terms.infix(*entered))
            }
            Inside::Implied(l, because) => {
                let because: Vec<String> = because.iter().map(one).collect();
                format!("arithmetic implies {}  because of  {}", one(l), because.join("  and  "))
            }
            Inside::Conflict(c) => format!("conflict: {}", clause(c)),
            Inside::Contradiction(c) => format!("conflict in arithmetic: {}", clause(c)),
            Inside::Resolved(l, reason, result) => {
                format!("resolve on {}  with  {}  gives  {}", one(l), clause(reason), clause(result))
            }
            Inside::Learned(c, level) => format!("learn {}, back to level {level}", clause(c)),
            Inside::Demanded(c) => format!("lemma for integers: {}", clause(c)),
            Inside::Restarted => "restart".to_owned(),
            Inside::Consistent => "consistent with arithmetic".to_owned(),
            Inside::Found(values) => {
                let one = |(t, q): &(Term, Q)| format!("{} = {q}", terms.infix(*t));
                let values: Vec<String> = values.iter().map(one).collect();
                format!("satisfiable: {}", values.join(", "))
            }
            Inside::GaveUp => "a limit was reached".to_owned(),
            Inside::Refuted => "unsatisfiable".to_owned(),
        }
    }
}

/// Limit of the printed bytes of a literal.
const LITERAL: usize = 1_000;

/// A literal in infix notation.
#[must_use]
pub fn literal_text(terms: &Terms, l: Literal) -> String {
    let text = terms.infix(l.term).up_to(LITERAL);
    if l.positive { text } else { format!("not ({text})") }
}

/// A clause in infix notation; the empty one is `false`.
#[must_use]
pub fn clause_text(terms: &Terms, clause: &[Literal]) -> String {
    let texts: Vec<String> = clause.iter().map(|l| literal_text(terms, *l)).collect();
    if texts.is_empty() { "false".to_owned() } else { texts.join("  or  ") }
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
        // In both cases the three numbers cannot be ordered.
        let mut assertions = Vec::new();
        for (guard, [a, b, c]) in [(p, [x, y, z]), (not_p, [z, y, x])] {
            for order in [t.lt(a, b), t.lt(b, c), t.lt(c, a)] {
                assertions.push(t.or([guard, order]));
            }
        }
        let story = inside(&mut t, &assertions, Limits::default(), 1_000);
        let texts: Vec<String> = story.moments.iter().map(|m| m.step.text(&t)).collect();
        let told = |what: &str| texts.iter().any(|s| s.starts_with(what));
        for what in ["decide", "propagate", "assert", "resolve on", "learn"] {
            assert!(told(what), "{what}: {texts:#?}");
        }
        assert!(check_resolutions(&story) >= 2, "{texts:#?}");
        assert_eq!(inside(&mut t, &assertions, Limits::default(), 2).moments.len(), 2);
    }

    /// Sums need pivots; the rows of the tableau define the basic columns, and its values satisfy the rows.
    #[test]
    fn pivots_are_shown() {
        let mut t = Terms::new();
        let [x, y] = ["x", "y"].map(|n| t.var(n, Sort::Real));
        let (sum, half) = (t.add([x, y]), t.num(Q::ratio(1, 2), Sort::Real));
        let difference = t.sub(x, y);
        let assertions = [t.gt(sum, half), t.le(x, half), t.ge(difference, half)];
        let story = inside(&mut t, &assertions, Limits::default(), 100);
        let pivots = story.moments.iter().filter(|m| matches!(m.step, Inside::Pivoted(..))).count();
        assert!(pivots >= 1, "{story:#?}");
        assert!(matches!(story.moments.last().map(|m| &m.step), Some(Inside::Refuted)));
        let rows = |p: &Snapshot<Literal>| match p {
            Snapshot::Tableau(tableau) => tableau.rows.len(),
            Snapshot::Graph(_) => 0,
        };
        assert!(story.snapshots.iter().all(|p| rows(p) == 2));
        let broken = |p: &Snapshot<Literal>| match p {
            Snapshot::Tableau(tableau) => tableau.columns.iter().any(|c| c.violated),
            Snapshot::Graph(_) => false,
        };
        assert!(story.snapshots.iter().any(broken), "a bound is out of reach before the pivot");
    }

    #[test]
    fn differences_and_splits_are_shown() {
        let mut t = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|n| t.var(n, Sort::Int));
        let assertions = [t.lt(x, y), t.lt(y, z), t.lt(z, x)];
        let story = inside(&mut t, &assertions, Limits::default(), 100);
        let last = story.snapshots.last().expect("a graph");
        assert!(
            matches!(last, Snapshot::Graph(graph) if graph.edges.len() == 3 && graph.edges[2].refused),
            "{last:?}"
        );
        assert!(story.moments.iter().any(|m| matches!(&m.step, Inside::Contradiction(c) if c.len() == 3)));

        // With x = 2 the sum 3x − 2y is even.
        let (one, two) = (t.int(1), t.int(2));
        let (three_x, two_y) = (t.scale(&Q::from(3), x), t.scale(&Q::from(2), y));
        let sum = t.sub(three_x, two_y);
        let assertions = [t.ge(sum, one), t.le(sum, one), t.ge(x, two), t.le(x, two)];
        let story = inside(&mut t, &assertions, Limits::default(), 1_000);
        assert!(story.moments.iter().any(|m| matches!(m.step, Inside::Demanded(_))), "{story:#?}");
    }

    /// The literals of a resolvent come from the two clauses. Gives the number of conflicts.
    fn check_resolutions(story: &Story) -> usize {
        let mut clause: Vec<Literal> = Vec::new();
        let mut count = 0;
        for moment in &story.moments {
            match &moment.step {
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

//! The search for a model or a contradiction, in one of two ways.
//!
//! *Lazy* ([`lazy`]): varisat finds whole Boolean models, the theory adds conflicts. Best where the Boolean skeleton
//! decides. *Online* ([`online`]): CDCL(T) of this crate, which can be interrupted. Best as soon as sums of bounds
//! matter. Both use the clauses of one encoder, so a query may begin lazily and continue online.

mod lazy;
mod online;

use crate::arith::lemma::Lemma;
use crate::cdcl::lit::{Lit, Var};
use crate::cdcl::{Observer, Off};
use crate::definition::is_gate;
use crate::encode::Encoder;
use crate::hash::{Map, Set};
use crate::literal::Literal;
use crate::number::Q;
use crate::search::lazy::Lazy;
pub(crate) use crate::search::lazy::{foreign, native};
use crate::search::online::Online;
use crate::term::{Reachable, Sort, Term, Terms, Value};

/// The way a query is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// By the shape of the query; docs/decisions.md has the rule and its measurements.
    #[default]
    Auto,
    /// Boolean models of varisat, checked one after the other.
    Lazy,
    /// CDCL(T).
    Online,
}

/// Bounds of one check. They count steps, never time, so an answer is the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Conflicts of the search; a model that the theory refutes counts as one, too.
    pub conflicts: u64,
    /// Pivots in one check of the simplex.
    pub pivots: u64,
    /// Nodes of one branch and bound.
    pub branches: u64,
    /// Bytes for clauses, lemmas and the tableau, approximately (varisat's own clauses are not counted).
    pub memory: usize,
    /// The way to search.
    pub strategy: Strategy,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            conflicts: 10_000_000,
            pivots: 100_000,
            branches: 2_000,
            memory: 1 << 30,
            strategy: Strategy::Auto,
        }
    }
}

impl std::str::FromStr for Strategy {
    type Err = String;

    /// `auto`, `lazy` or `online`.
    fn from_str(name: &str) -> Result<Strategy, String> {
        match name {
            "auto" => Ok(Strategy::Auto),
            "lazy" => Ok(Strategy::Lazy),
            "online" => Ok(Strategy::Online),
            _ => Err(format!("the search is auto, lazy or online, not '{name}'")),
        }
    }
}

/// Why a check has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Incomplete {
    /// Too many conflicts.
    Conflicts,
    /// Too many pivots.
    Pivots,
    /// Branch and bound found no integer point and no refutation.
    Branches,
    /// Clauses, lemmas and tableau grew too large.
    Memory,
}

impl std::fmt::Display for Incomplete {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Incomplete::Conflicts => "the limit of conflicts was reached",
            Incomplete::Pivots => "the limit of simplex pivots was reached",
            Incomplete::Branches => "branch and bound over the integers reached its limit",
            Incomplete::Memory => "the limit of memory was reached",
        })
    }
}

/// A satisfying assignment. Variables without a value in it are `false` or 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    values: Map<Term, Value>,
}

impl Model {
    /// The value of a variable.
    #[must_use]
    pub fn of_var(&self, terms: &Terms, var: Term) -> Value {
        self.values.get(&var).cloned().unwrap_or_else(|| match terms.sort(var) {
            Sort::Bool => Value::Bool(false),
            Sort::Int | Sort::Real => Value::Num(Q::ZERO),
        })
    }

    /// The values of numbers, by variable.
    pub(crate) fn numbers(&self, terms: &Terms) -> Vec<(Term, Q)> {
        let number = |(t, v): (&Term, &Value)| match v {
            Value::Num(q) if terms.name(*t).is_some() => Some((*t, q.clone())),
            _ => None,
        };
        let mut all: Vec<(Term, Q)> = self.values.iter().filter_map(number).collect();
        all.sort_by_key(|(t, _)| *t);
        all
    }

    pub(crate) fn set(&mut self, var: Term, value: Value) {
        self.values.insert(var, value);
    }

    /// The values of several terms.
    #[must_use]
    pub fn eval_all(&self, terms: &Terms, all: &[Term]) -> Vec<Value> {
        terms.eval_all(all, |v| self.of_var(terms, v))
    }

    /// The same, where the sub-terms are known.
    pub(crate) fn eval_below(&self, terms: &Terms, below: &Reachable, all: &[Term]) -> Vec<Value> {
        terms.eval_below(below, all, |v| self.of_var(terms, v))
    }

    /// The value of any term.
    #[must_use]
    pub fn eval(&self, terms: &Terms, t: Term) -> Value {
        terms.eval(t, |v| self.of_var(terms, v))
    }
}

/// Result of a search.
pub(crate) enum Found {
    Model(Model),
    Unsat,
    Incomplete(Incomplete),
}

/// The order in which theory literals are asserted in the simplex: greater first, one check a value. The first conflict
/// is then among the greatest values. `None`: all at once.
pub(crate) type Priority<'a> = Option<&'a dyn Fn(Term) -> u32>;

/// A query: the asserted and assumed terms, as terms and as literals.
pub(crate) struct Question<'a> {
    /// All permanent assertions, then the assumptions.
    pub(crate) roots: &'a [Term],
    pub(crate) assumptions: &'a [Lit],
    /// The variables relevant to all queries from now on.
    pub(crate) always: &'a [Var],
    /// Further variables relevant to this one.
    pub(crate) relevant: &'a [Var],
    pub(crate) limits: Limits,
}

/// Limits of the lazy search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Patience {
    rounds: u64,
    /// The limit of rounds if all comparisons are differences, which the online search propagates fast.
    differences: u64,
    pivots: u64,
    /// Nodes of a branch and bound; at the limit the query continues online.
    branches: u64,
}

impl Patience {
    const ENDLESS: Patience =
        Patience { rounds: u64::MAX, differences: u64::MAX, pivots: u64::MAX, branches: u64::MAX };
    /// Sufficient where the Boolean skeleton refutes the query.
    const FIRST: Patience = Patience { rounds: 4, differences: 1, pivots: 200, branches: 50 };
    /// Sufficient where it nearly decides; elsewhere it costs little.
    const SHORT: Patience = Patience { rounds: 40, differences: 0, pivots: 1_000, branches: 50 };
    /// For queries with an order of theory literals.
    const ORDERED: Patience = Patience { rounds: 500, differences: 500, pivots: 20_000, branches: u64::MAX };
}

/// The next search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    Lazy(Patience),
    /// Online with few conflicts.
    Glance,
    Online,
}

/// Limit of conflicts; the online search finds most easy models within it.
const GLANCE: u64 = 200;

/// Limit of conflicts for finding a core; otherwise all assumptions are the core.
const CORE: u64 = 5_000;

/// Limit of comparisons of a query whose theory literals are ordered: those of a path of a program.
const SMALL: usize = 300;

/// A search with all its lemmas.
#[derive(Default)]
pub(crate) struct Search {
    pub(crate) encoder: Encoder,
    lazy: Option<Lazy>,
    online: Option<Online>,
    /// Permanent assertions.
    facts: Vec<Lit>,
    /// The variables of facts, and the terms they come from.
    fact_vars: Vec<Var>,
    fact_terms: Set<Term>,
    /// The same for each term that was assumed.
    rests_on: Map<Term, Box<[Var]>>,
    /// Is the Boolean constant a fact?
    knows_true: bool,
    /// The search that answered the last query.
    was_lazy: bool,
}

impl Search {
    pub(crate) fn new() -> Search {
        Search::default()
    }

    /// Asserts `t` permanently.
    pub(crate) fn assert(&mut self, terms: &mut Terms, t: Term) {
        let lit = self.literal(terms, t);
        let Search { encoder, fact_vars, fact_terms, .. } = self;
        collect(terms, encoder, t, fact_terms, &Set::default(), fact_vars);
        self.facts.push(lit);
    }

    /// The literal of a Boolean term, whose defining clauses are added.
    fn literal(&mut self, terms: &mut Terms, t: Term) -> Lit {
        self.encoder.encode(terms, t);
        let literal = Literal::of(terms, t);
        let lit = self.encoder.lit(literal);
        if literal.term == Term::TRUE && !std::mem::replace(&mut self.knows_true, true) {
            self.facts.push(Lit::new(lit.var(), true));
        }
        lit
    }

    /// Are `asserted`, which are all assertions so far, and `assumed` satisfiable?
    pub(crate) fn solve(
        &mut self,
        terms: &mut Terms,
        asserted: &[Term],
        assumed: &[Term],
        priority: Priority,
        limits: Limits,
    ) -> Found {
        self.solve_watched(terms, asserted, assumed, priority, limits, &mut Off)
    }

    /// The same with an observer of the online search.
    pub(crate) fn solve_watched<O: Observer>(
        &mut self,
        terms: &mut Terms,
        asserted: &[Term],
        assumed: &[Term],
        priority: Priority,
        limits: Limits,
        observer: &mut O,
    ) -> Found {
        let assumptions: Vec<Lit> = assumed.iter().map(|t| self.literal(terms, *t)).collect();
        let roots: Vec<Term> = asserted.iter().chain(assumed).copied().collect();
        let relevant = self.relevant(terms, assumed);
        let turns = self.turns(limits.strategy, priority.is_some());
        let (assumptions, always, relevant) = (&assumptions[..], &self.fact_vars[..], &relevant[..]);
        let question = Question { roots: &roots, assumptions, always, relevant, limits };
        let mut last = Found::Incomplete(Incomplete::Conflicts);
        for turn in turns {
            self.was_lazy = matches!(turn, Turn::Lazy(_));
            last = match turn {
                Turn::Lazy(patience) => {
                    let lazy = self.lazy.get_or_insert_with(Lazy::default);
                    lazy.feed(&self.encoder, &self.facts);
                    if let Some(found) = lazy.solve(terms, &mut self.encoder, &question, priority, patience) {
                        return found;
                    }
                    continue;
                }
                // Queries of differences skip the limited online search.
                Turn::Glance if self.has_differences() => continue,
                Turn::Glance | Turn::Online => {
                    let online = self.online.get_or_insert_with(Online::default);
                    // Lemmas of the lazy search help to find a core; in a search for a model they slow propagation.
                    if let (Strategy::Online, Some(lazy)) = (limits.strategy, &self.lazy) {
                        online.learn(&self.encoder, lazy.lemmas());
                    }
                    let most = if turn == Turn::Glance { GLANCE } else { u64::MAX };
                    let limits = Limits { conflicts: limits.conflicts.min(most), ..limits };
                    let question = Question { limits, ..question };
                    online.solve(terms, &mut self.encoder, &self.facts, &question, observer)
                }
            };
            if !matches!(last, Found::Incomplete(_)) {
                return last;
            }
        }
        last
    }

    /// Were all comparisons differences in the last lazy search?
    fn has_differences(&self) -> bool {
        self.lazy.as_ref().is_some_and(Lazy::has_differences)
    }

    /// The variables of assumptions that are in no fact.
    fn relevant(&mut self, terms: &Terms, assumed: &[Term]) -> Vec<Var> {
        let mut relevant = Vec::new();
        for t in assumed {
            let own = self.rests_on.entry(*t).or_insert_with(|| {
                let mut own = Vec::new();
                let seen = &mut Set::default();
                collect(terms, &self.encoder, *t, seen, &self.fact_terms, &mut own);
                own.into()
            });
            relevant.extend(own.iter());
        }
        relevant
    }

    /// The order and the limits of the searches for a query.
    fn turns(&self, strategy: Strategy, ordered: bool) -> Vec<Turn> {
        match strategy {
            Strategy::Online => vec![Turn::Online],
            Strategy::Lazy => vec![Turn::Lazy(Patience::ENDLESS)],
            Strategy::Auto if ordered && self.encoder.comparisons().len() <= SMALL => {
                vec![Turn::Lazy(Patience::ORDERED), Turn::Online]
            }
            // Only Boolean terms: equally fast online, and there it can be limited.
            Strategy::Auto if self.encoder.comparisons().is_empty() => vec![Turn::Online],
            Strategy::Auto => {
                vec![Turn::Lazy(Patience::FIRST), Turn::Glance, Turn::Lazy(Patience::SHORT), Turn::Online]
            }
        }
    }

    /// The failed assumptions of the last unsatisfiable answer, as indices into `assumed`; not minimal. A query
    /// answered by varisat is solved again online, with all lemmas, since varisat's core lacks its explanation.
    pub(crate) fn failed(
        &mut self,
        terms: &mut Terms,
        asserted: &[Term],
        assumed: &[Term],
        limits: Limits,
    ) -> Vec<usize> {
        if self.was_lazy && !assumed.is_empty() {
            let limits =
                Limits { strategy: Strategy::Online, conflicts: limits.conflicts.min(CORE), ..limits };
            if !matches!(self.solve(terms, asserted, assumed, None, limits), Found::Unsat) {
                return (0..assumed.len()).collect();
            }
        }
        let failed: Set<Lit> = self.online.iter().flat_map(|o| o.failed()).copied().collect();
        let lits: Vec<Lit> = assumed.iter().map(|t| self.literal(terms, *t)).collect();
        (0..assumed.len()).filter(|i| failed.contains(&lits[*i])).collect()
    }

    /// All theory lemmas so far.
    pub(crate) fn lemmas(&self) -> impl Iterator<Item = &Lemma> {
        let lazy = self.lazy.iter().flat_map(|l| l.lemmas());
        lazy.chain(self.online.iter().flat_map(|o| o.lemmas()))
    }
}

/// Adds the variables of all terms on which `root` depends, definitions included, except through terms of `known`.
fn collect(
    terms: &Terms,
    encoder: &Encoder,
    root: Term,
    seen: &mut Set<Term>,
    known: &Set<Term>,
    vars: &mut Vec<Var>,
) {
    let mut stack = vec![root];
    while let Some(t) = stack.pop() {
        if known.contains(&t) || !seen.insert(t) {
            continue;
        }
        vars.extend(encoder.var(t));
        terms.children(t, |c| stack.push(c));
        if !is_gate(terms, t) {
            for clause in encoder.definition(t) {
                stack.extend(clause.iter().map(|l| encoder.term(l.var())));
            }
        }
    }
}

/// The part of a model that is known: truth of variables, values of numbers.
fn model(terms: &Terms, encoder: &Encoder, truth: impl Fn(Var) -> bool, numbers: Map<Term, Q>) -> Model {
    let mut values: Map<Term, Value> = Map::default();
    for var in 0..encoder.len() as Var {
        let t = encoder.term(var);
        if terms.name(t).is_some() {
            values.insert(t, Value::Bool(truth(var)));
        }
    }
    let named = numbers.into_iter().filter(|(t, _)| terms.name(*t).is_some());
    values.extend(named.map(|(t, q)| (t, Value::Num(q))));
    Model { values }
}

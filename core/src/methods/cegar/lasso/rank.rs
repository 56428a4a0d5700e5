//! Linear ranking functions: no step of a cycle increases the function, and one step decreases it by at least 1 where
//! it is not negative (Podelski and Rybalchenko, "A Complete Method for the Synthesis of Linear Ranking Functions",
//! 2004, with a function for each location of the cycle).
//!
//! A step is a polyhedron over the values before and after it. A function does not increase there if a combination of
//! its inequalities with nonnegative factors implies it (Farkas). So functions and factors are a solution of a linear
//! program. For a step with several polyhedra, those of counterexample models are added.

use std::collections::{BTreeMap, BTreeSet};

use solver_lite::number::Q;
use solver_lite::term::{Linear, Node, Sort, Term, Terms, Value};
use solver_lite::{Answer as Checked, Limits, Model, Solver};

use super::{LassoCegar, Traversed};
use crate::methods::cegar::Cegar;
use crate::system::{LocationId, VarId};

/// The greatest number of polyhedra of a cycle.
const POLYHEDRA: usize = 12;
/// The greatest length of a cycle.
const STEPS: usize = 40;

/// A linear function of the values at each location of a cycle.
#[derive(Clone, Debug)]
pub(crate) struct Measure {
    /// Over current values.
    pub(crate) at: BTreeMap<LocationId, Term>,
}

/// `Σ coefficient · term ≤ bound`
#[derive(Clone, Debug)]
pub(super) struct Inequality {
    pub(super) form: Vec<(Term, Q)>,
    pub(super) bound: Q,
}

/// A step of the cycle: where it begins and ends, and the terms of the values there.
struct Step<'a> {
    from: LocationId,
    to: LocationId,
    before: &'a [Term],
    after: &'a [Term],
    /// The formula of the step.
    formula: Term,
    polyhedra: Vec<Vec<Inequality>>,
}

impl LassoCegar {
    /// A measure of the lasso's cycle, if there is one.
    pub(super) fn ranking(&mut self, lasso: &Traversed) -> Option<Measure> {
        let last = lasso.path.edges.len();
        if last - lasso.back > STEPS {
            return None;
        }
        let mut steps = Vec::new();
        for k in lasso.back..last {
            let formula = self.step_formula(lasso, k);
            let first = polyhedron(&self.cegar.encoding.terms, formula, &lasso.model);
            let location = |i: usize| self.cegar.arg.node(lasso.path.nodes[i]).state.location;
            steps.push(Step {
                from: location(k),
                to: location(k + 1),
                before: &lasso.path.values[k],
                after: &lasso.path.values[k + 1],
                formula,
                polyhedra: vec![first],
            });
        }
        let live = self.live.clone();
        (0..steps.len()).rev().find_map(|decreasing| measure(&mut self.cegar, &live, &mut steps, decreasing))
    }

    /// The formula of a step of the cycle, with the label of its start and the invariant.
    fn step_formula(&mut self, lasso: &Traversed, k: usize) -> Term {
        let values = &lasso.path.values[k];
        let label = self.cegar.label_at(lasso.path.nodes[k], values);
        let encoding = &mut self.cegar.encoding;
        let always = encoding.instantiate(encoding.always, &|v| values[v.index()], &|v| values[v.index()]);
        encoding.terms.and([label, always, lasso.path.assertions[k + 1]])
    }
}

/// A measure that this step decreases; polyhedra are added until it is correct for all of them.
fn measure(
    cegar: &mut Cegar,
    live: &[BTreeSet<VarId>],
    steps: &mut [Step<'_>],
    decreasing: usize,
) -> Option<Measure> {
    for _ in 0..POLYHEDRA {
        let found = solve(cegar, live, steps, decreasing)?;
        match counterexample(cegar, &found, steps, decreasing) {
            Ok(None) => return Some(found),
            Ok(Some((k, model))) => {
                let more = polyhedron(&cegar.encoding.terms, steps[k].formula, &model);
                steps[k].polyhedra.push(more);
            }
            Err(()) => return None,
        }
    }
    None
}

/// The unknowns of the linear program: the coefficients at each location, and the constant.
struct Unknowns {
    terms: Terms,
    factors: BTreeMap<(LocationId, VarId), Term>,
    constants: BTreeMap<LocationId, Term>,
    count: usize,
}

impl Unknowns {
    fn fresh(&mut self) -> Term {
        self.count += 1;
        self.terms.var(&format!("u{}", self.count), Sort::Real)
    }

    fn constant(&mut self, l: LocationId) -> Term {
        if let Some(known) = self.constants.get(&l) {
            return *known;
        }
        let fresh = self.fresh();
        *self.constants.entry(l).or_insert(fresh)
    }

    fn factor(&mut self, l: LocationId, v: VarId) -> Term {
        if let Some(known) = self.factors.get(&(l, v)) {
            return *known;
        }
        let fresh = self.fresh();
        *self.factors.entry((l, v)).or_insert(fresh)
    }

    /// The function at a location, as coefficients of terms that are unknowns.
    fn function(
        &mut self,
        numeric: &BTreeSet<VarId>,
        l: LocationId,
        values: &[Term],
        sign: &Q,
        into: &mut BTreeMap<Term, Vec<Term>>,
    ) {
        for v in numeric {
            let factor = self.factor(l, *v);
            let factor = self.terms.scale(sign, factor);
            into.entry(values[v.index()]).or_default().push(factor);
        }
    }

    /// The constraints for: `Σ coefficient · term + constant ≥ 0` follows from the inequalities.
    fn follows(
        &mut self,
        from: &[Inequality],
        form: &BTreeMap<Term, Vec<Term>>,
        constant: Term,
    ) -> Vec<Term> {
        let zero = self.terms.num(Q::ZERO, Sort::Real);
        let weights: Vec<Term> = from.iter().map(|_| self.fresh()).collect();
        let mut parts: Vec<Term> = weights.iter().map(|w| self.terms.ge(*w, zero)).collect();
        let mut columns = form.clone();
        let mut bound = Vec::new();
        for (inequality, weight) in from.iter().zip(&weights) {
            for (t, a) in &inequality.form {
                let part = self.terms.scale(a, *weight);
                columns.entry(*t).or_default().push(part);
            }
            bound.push(self.terms.scale(&inequality.bound, *weight));
        }
        for sum in columns.into_values() {
            let sum = self.terms.add(sum);
            parts.push(self.terms.eq(sum, zero));
        }
        let bound = self.terms.add(bound);
        parts.push(self.terms.le(bound, constant));
        parts
    }
}

/// Solves the linear program.
fn solve(
    cegar: &mut Cegar,
    live: &[BTreeSet<VarId>],
    steps: &[Step<'_>],
    decreasing: usize,
) -> Option<Measure> {
    let numeric = |l: LocationId| -> BTreeSet<VarId> {
        let is_number = |v: &&VarId| cegar.system.variable(**v).ty.sort() != Sort::Bool;
        live[l.index()].iter().filter(is_number).copied().collect()
    };
    let (factors, constants) = (BTreeMap::new(), BTreeMap::new());
    let mut u = Unknowns { terms: Terms::new(), factors, constants, count: 0 };
    let minus = -&Q::ONE;
    let mut parts = Vec::new();
    for (k, step) in steps.iter().enumerate() {
        let mut form = BTreeMap::new();
        u.function(&numeric(step.from), step.from, step.before, &Q::ONE, &mut form);
        let own = form.clone();
        u.function(&numeric(step.to), step.to, step.after, &minus, &mut form);
        let (from, to) = (u.constant(step.from), u.constant(step.to));
        let less = u.terms.num(if k == decreasing { Q::ONE } else { Q::ZERO }, Sort::Real);
        let difference = u.terms.sub(from, to);
        let difference = u.terms.sub(difference, less);
        for polyhedron in &step.polyhedra {
            parts.extend(u.follows(polyhedron, &form, difference));
            if k == decreasing {
                parts.extend(u.follows(polyhedron, &own, from));
            }
        }
    }
    let mut solver = Solver::new(Limits::default());
    parts.iter().for_each(|p| solver.assert(&mut u.terms, *p));
    let Checked::Sat(model) = solver.check(&mut u.terms, &[]) else { return None };
    Some(cegar.measure_of(&u, &model))
}

impl Cegar {
    /// The functions of a solution, scaled to integers.
    fn measure_of(&mut self, u: &Unknowns, model: &Model) -> Measure {
        let value = |t: &Term| model.eval(&u.terms, *t).num().clone();
        let all = u.factors.values().chain(u.constants.values()).map(value);
        let scale = all.fold(Q::ONE, |scale, q| scale.lcm(&q.denominator()));
        let mut at = BTreeMap::new();
        for (l, constant) in &u.constants {
            let mut form = Vec::new();
            let mut real = false;
            for ((_, v), factor) in u.factors.range((*l, VarId(0))..=(*l, VarId(u32::MAX))) {
                let factor = &value(factor) * &scale;
                if !factor.is_zero() {
                    real |= self.system.variable(*v).ty.sort() == Sort::Real;
                    form.push((self.encoding.current(*v), factor));
                }
            }
            form.sort();
            let sort = if real { Sort::Real } else { Sort::Int };
            let linear = Linear { terms: form, constant: &value(constant) * &scale };
            at.insert(*l, self.encoding.terms.sum(linear, sort));
        }
        Measure { at }
    }
}

/// A model of a step that refutes the measure.
fn counterexample(
    cegar: &mut Cegar,
    measure: &Measure,
    steps: &[Step<'_>],
    decreasing: usize,
) -> Result<Option<(usize, Model)>, ()> {
    for (k, step) in steps.iter().enumerate() {
        let encoding = &mut cegar.encoding;
        let from = encoding
            .instantiate(measure.at[&step.from], &|v| step.before[v.index()], &|v| step.before[v.index()]);
        let to = encoding
            .instantiate(measure.at[&step.to], &|v| step.after[v.index()], &|v| step.after[v.index()]);
        let right = decreases(&mut encoding.terms, from, to, k == decreasing);
        let wrong = encoding.terms.not(right);
        let mut solver = Solver::new(cegar.limits);
        for t in [step.formula, wrong] {
            solver.assert(&mut cegar.encoding.terms, t);
        }
        cegar.now().queries += 1;
        match solver.check(&mut cegar.encoding.terms, &[]) {
            Checked::Sat(model) => return Ok(Some((k, model))),
            Checked::Unsat => {}
            Checked::Unknown(_) => return Err(()),
        }
    }
    Ok(None)
}

/// The value does not increase; if `strictly`, it decreases by at least 1 and was not negative.
pub(super) fn decreases(terms: &mut Terms, from: Term, to: Term, strictly: bool) -> Term {
    let (from, to) = (terms.to_real(from), terms.to_real(to));
    if !strictly {
        return terms.le(to, from);
    }
    let one = terms.num(Q::ONE, Sort::Real);
    let zero = terms.num(Q::ZERO, Sort::Real);
    let least = terms.add([to, one]);
    let (less, bounded) = (terms.le(least, from), terms.ge(from, zero));
    terms.and([less, bounded])
}

/// The inequalities that a model makes true, and that together make a formula true.
pub(super) fn polyhedron(terms: &Terms, formula: Term, model: &Model) -> Vec<Inequality> {
    let holds = |t: Term| matches!(model.eval(terms, t), Value::Bool(true));
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut stack = vec![(formula, true)];
    while let Some((t, positive)) = stack.pop() {
        if !seen.insert((t, positive)) {
            continue;
        }
        match terms.node(t) {
            Node::Not(a) => stack.push((*a, !positive)),
            Node::And(all) | Node::Or(all) => {
                let each = matches!(terms.node(t), Node::And(_)) == positive;
                let mut chosen = all.iter().filter(|c| each || holds(**c) == positive);
                if each {
                    stack.extend(chosen.map(|c| (*c, positive)));
                } else {
                    stack.extend(chosen.next().map(|c| (*c, positive)));
                }
            }
            Node::Iff(a, b) => stack.extend([(*a, holds(*a)), (*b, holds(*b))]),
            Node::Ite(c, a, b) if terms.sort(t) == Sort::Bool => {
                let branch = if holds(*c) { a } else { b };
                stack.extend([(*c, holds(*c)), (*branch, positive)]);
            }
            Node::Le(form, bound) | Node::Lt(form, bound) => {
                found.push(inequality(terms, *form, bound, positive))
            }
            Node::Eq(form, bound) if positive => {
                found.push(inequality(terms, *form, bound, true));
                found.push(at_least(terms, *form, bound));
            }
            // The side of the model.
            Node::Eq(form, bound) => {
                let value = model.eval(terms, *form).num().clone();
                let step = if terms.sort(*form) == Sort::Int { Q::ONE } else { Q::ZERO };
                if value < *bound {
                    found.push(inequality(terms, *form, &(bound - &step), true));
                } else {
                    found.push(at_least(terms, *form, &(bound + &step)));
                }
            }
            _ => {}
        }
    }
    found
}

/// `form ≤ bound`, or its negation, which over the integers is stronger than `form ≥ bound`.
fn inequality(terms: &Terms, form: Term, bound: &Q, positive: bool) -> Inequality {
    if !positive {
        let step = if terms.sort(form) == Sort::Int { Q::ONE } else { Q::ZERO };
        return at_least(terms, form, &(bound + &step));
    }
    let linear = terms.linear(form);
    Inequality { form: linear.terms, bound: bound - &linear.constant }
}

/// `form ≥ bound`
fn at_least(terms: &Terms, form: Term, bound: &Q) -> Inequality {
    let linear = terms.linear(form);
    let minus = -&Q::ONE;
    let form = linear.terms.into_iter().map(|(t, a)| (t, &a * &minus)).collect();
    Inequality { form, bound: &(bound - &linear.constant) * &minus }
}

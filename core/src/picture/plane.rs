//! The states of a transition system over two of its variables, or over one (Hajdu, Tóth, Vörös and Majzik, "A
//! Configurable CEGAR Framework with Interpolation-Based Refinements", 2016, figures 1 to 4). A dot represents all
//! states with its values.

use std::collections::BTreeMap;
use std::sync::Arc;

use solver_lite::number::Q;
use solver_lite::term::{Sort, Term, Value};
use solver_lite::{Answer, Limits};

use crate::expr::{Expr, to_term};
use crate::picture::Axis;
use crate::symbolic::{Context, Symbolic, Unrolling};
use crate::system::{System, VarId};

/// The greatest number of drawn values of a variable.
const MOST: i64 = 16;
/// The greatest number of values that are tried to find an initial one.
const TRIED: i64 = 256;
/// The greatest number of transitions.
const ARROWS: usize = 600;

/// A pair of values that some state has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dot {
    /// An initial state has them.
    pub initial: bool,
    /// A state that violates the property has them.
    pub violates: bool,
    /// So do all states with them.
    pub always: bool,
}

/// The states over two variables.
pub struct Plane {
    symbolic: Symbolic,
    limits: Limits,
    init: Term,
    trans: Term,
    bad: Term,
    /// Across.
    pub x: Axis,
    /// Upwards; the same variable if it is drawn alone.
    pub y: Axis,
    /// Row by row, the lowest value of `y` first; nothing where no state has these values.
    pub dots: Vec<Option<Dot>>,
    /// From a dot to a dot.
    pub arrows: Vec<(usize, usize)>,
    /// Not all transitions were found.
    pub cut: bool,
    /// The two values of each dot, over current values.
    values: Vec<Term>,
}

/// The variables of a system's states that can be drawn.
#[must_use]
pub fn state_variables(system: &Arc<System>) -> Vec<VarId> {
    let symbolic = Symbolic::new(system, &[]);
    let drawn = |v: &VarId| system.variable(*v).ty.sort() != Sort::Real;
    symbolic.variables.into_iter().filter(drawn).take(64).collect()
}

impl Plane {
    /// The states of a system with an error location.
    #[must_use]
    pub fn new(system: &Arc<System>, (x, y): (VarId, VarId), limits: Limits) -> Plane {
        let mut symbolic = Symbolic::new(system, &[]);
        let [init, trans, bad] = symbolic.formulas();
        let alone = x == y;
        let x = axis(&mut symbolic, x, init, limits);
        let y = if alone { Axis::none(y) } else { axis(&mut symbolic, y, init, limits) };
        let mut values = Vec::with_capacity(x.values.len() * y.values.len());
        for b in &y.values {
            for a in &x.values {
                let first = has(&mut symbolic, x.variable, a);
                let second = if alone { Term::TRUE } else { has(&mut symbolic, y.variable, b) };
                values.push(symbolic.terms().and([first, second]));
            }
        }
        let (dots, arrows) = (Vec::new(), Vec::new());
        let mut plane = Plane { symbolic, limits, init, trans, bad, x, y, dots, arrows, cut: false, values };
        plane.find_dots();
        plane.find_arrows();
        plane
    }

    fn context(&mut self, asserted: &[Term]) -> Context {
        let mut context = Context::new(self.limits);
        asserted.iter().for_each(|t| context.assert(self.symbolic.terms(), *t));
        context
    }

    fn find_dots(&mut self) {
        // If no run returns to the initial location, it has no states: the initial states are those after the first
        // step.
        let before = self.symbolic.start();
        let started = before.map_or(Term::TRUE, |t| self.symbolic.terms().not(t));
        let inv = self.symbolic.inv;
        let good = self.symbolic.terms().not(self.bad);
        let mut exist = self.context(&[inv, started]);
        let mut starts = self.context(&[self.init, if before.is_some() { self.trans } else { Term::TRUE }]);
        let mut violate = self.context(&[self.bad, started]);
        let mut conform = self.context(&[inv, good, started]);
        for value in self.values.clone() {
            let after = if before.is_some() { self.symbolic.primed(value) } else { value };
            let mut ask = |context: &mut Context, value: Term| context.check(self.symbolic.terms(), &[value]);
            if matches!(ask(&mut exist, value), Answer::Unsat) {
                self.dots.push(None);
                continue;
            }
            let initial = matches!(ask(&mut starts, after), Answer::Sat(_));
            let violates = matches!(ask(&mut violate, value), Answer::Sat(_));
            let always = violates && matches!(ask(&mut conform, value), Answer::Unsat);
            self.dots.push(Some(Dot { initial, violates, always }));
        }
    }

    fn find_arrows(&mut self) {
        let after: Vec<Term> = self.values.clone().into_iter().map(|t| self.symbolic.primed(t)).collect();
        let drawn = self.symbolic.terms().or(after.clone());
        let before = self.symbolic.start();
        let started = before.map_or(Term::TRUE, |t| self.symbolic.terms().not(t));
        let mut context = self.context(&[self.trans, drawn, started]);
        for (from, value) in self.values.clone().into_iter().enumerate() {
            let mut assumed = vec![value];
            while self.dots[from].is_some() {
                let model = match context.check(self.symbolic.terms(), &assumed) {
                    Answer::Sat(model) => model,
                    Answer::Unsat => break,
                    Answer::Unknown(_) => {
                        self.cut = true;
                        break;
                    }
                };
                let holds = |t: &Term| model.eval(&self.symbolic.encoding.terms, *t).bool();
                let Some(to) = after.iter().position(holds) else { break };
                if self.arrows.len() == ARROWS {
                    self.cut = true;
                    return;
                }
                self.arrows.push((from, to));
                assumed.push(self.symbolic.terms().not(after[to]));
            }
        }
    }

    /// An expression as a formula over a state; `None` if it contains variables that do not belong to one.
    fn about(&mut self, e: &Expr) -> Option<Term> {
        if !e.variables().iter().all(|v| self.symbolic.variables.contains(v)) {
            return None;
        }
        let variables = e.variables().into_iter();
        let current: BTreeMap<VarId, Term> =
            variables.map(|v| (v, self.symbolic.encoding.current(v))).collect();
        let t = to_term(e, self.symbolic.terms(), &mut |v| current[&v]);
        Some(self.symbolic.in_state(t))
    }

    /// For an abstract path up to its failure state: which dots of that state are *dead ends*, to which a concrete path
    /// leads, and which are *bad*, from which a step leads to the next state, or which violate the property if there is
    /// no next state (section 4.3). `None` if the labels contain other variables.
    pub fn failure(&mut self, path: &[Expr], next: Option<&Expr>) -> Option<[Vec<bool>; 2]> {
        let labels: Option<Vec<Term>> = path.iter().map(|e| self.about(e)).collect();
        let labels = labels?;
        let at = labels.len().checked_sub(1)?;
        let mut unrolling = Unrolling::default();
        let mut before = vec![unrolling.at(&mut self.symbolic, self.init, 0)];
        for (i, label) in labels.iter().enumerate() {
            before.push(unrolling.at(&mut self.symbolic, *label, i));
            if i > 0 {
                before.push(unrolling.at(&mut self.symbolic, self.trans, i - 1));
            }
        }
        let mut after = vec![labels[at]];
        match next {
            Some(next) => {
                let next = self.about(next)?;
                after.extend([self.trans, self.symbolic.primed(next)]);
            }
            None => after.push(self.bad),
        }
        let (mut before, mut after) = (self.context(&before), self.context(&after));
        let mut found = [Vec::new(), Vec::new()];
        for value in self.values.clone() {
            let there = unrolling.at(&mut self.symbolic, value, at);
            let terms = self.symbolic.terms();
            found[0].push(matches!(before.check(terms, &[there]), Answer::Sat(_)));
            found[1].push(matches!(after.check(terms, &[value]), Answer::Sat(_)));
        }
        Some(found)
    }
}

/// `v = value` in a state.
fn has(symbolic: &mut Symbolic, v: VarId, value: &Value) -> Term {
    let current = symbolic.encoding.current(v);
    let same = crate::encoding::equal(symbolic.terms(), current, value);
    symbolic.in_state(same)
}

/// The first of these values that a variable has initially, or any initial value if these are too many; otherwise 0.
fn initial(symbolic: &mut Symbolic, v: VarId, init: Term, (lo, hi): (i64, i64), limits: Limits) -> i64 {
    let mut context = Context::new(limits);
    context.assert(symbolic.terms(), init);
    if hi.saturating_sub(lo) < TRIED {
        // They may be encoded in binary.
        let mut starts = |n: &i64| {
            let same = has(symbolic, v, &Value::Num(Q::from(*n)));
            matches!(context.check(symbolic.terms(), &[same]), Answer::Sat(_))
        };
        return (lo..=hi).find(&mut starts).unwrap_or(0);
    }
    match context.check(symbolic.terms(), &[]) {
        Answer::Sat(model) => {
            let value = model.eval(&symbolic.encoding.terms, symbolic.encoding.current(v));
            value.num().to_i64().unwrap_or(0)
        }
        _ => 0,
    }
}

/// All values of a variable if there are few; otherwise some around an initial one.
fn axis(symbolic: &mut Symbolic, v: VarId, init: Term, limits: Limits) -> Axis {
    if symbolic.blocks.system.variable(v).ty.sort() == Sort::Bool {
        return Axis { variable: v, values: vec![Value::Bool(false), Value::Bool(true)], clipped: false };
    }
    let bounds = symbolic.bounds(v).and_then(|(lo, hi)| Some((lo.to_i64()?, hi.to_i64()?)));
    let (first, last, clipped) = match bounds {
        Some((lo, hi)) if hi.saturating_sub(lo) < MOST => (lo, hi, false),
        bounds => {
            let (lo, hi) = bounds.unwrap_or((i64::MIN, i64::MAX));
            let before = initial(symbolic, v, init, (lo, hi), limits).saturating_sub(1);
            let first = before.clamp(lo, hi - MOST + 1);
            (first, first + MOST - 1, true)
        }
    };
    let values = (first..=last).map(|n| Value::Num(Q::from(n))).collect();
    Axis { variable: v, values, clipped }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Kind, load, property};

    fn plane(text: &str) -> Plane {
        let system = load(Kind::Sts, text).unwrap();
        let asked = property(&system, "").unwrap();
        let system = Arc::new(asked.apply(system));
        let variables = state_variables(&system);
        Plane::new(&system, (variables[0], variables[1]), Limits::default())
    }

    #[test]
    fn one_variable_is_a_line() {
        let text = "specification S { property p : { var x : int invariant 0 <= x and x <= 3 initial x = 0
            transition x' = (if x < 3 then x + 1 else x) } models G(x /= 3) }";
        let system = load(Kind::Sts, text).unwrap();
        let asked = property(&system, "").unwrap();
        let system = Arc::new(asked.apply(system));
        let x = state_variables(&system)[0];
        let plane = Plane::new(&system, (x, x), Limits::default());
        assert_eq!(plane.arrows, [(0, 1), (1, 2), (2, 3), (3, 3)]);
        assert!(plane.dots[0].is_some_and(|d| d.initial) && plane.dots[3].is_some_and(|d| d.violates));
    }

    /// Figure 1 of the paper.
    #[test]
    fn states_and_transitions_are_found() {
        let text = "specification S { property p : { var x : int var y : int
            invariant 0 <= x and x <= 3 and 0 <= y and y <= 1 initial x = 0 and y = 0
            transition (x + y = 0 and x' - y' = 2) or (x + y = 1 and x' = 1 and y' = 1) or (x + y = 3 and x' = 3 and y' = 0)
            } models G(x /= 3 or y /= 0) }";
        let plane = plane(text);
        assert_eq!(plane.dots.iter().flatten().count(), 8);
        assert_eq!(plane.arrows, [(0, 2), (0, 7), (1, 5), (3, 3), (4, 5), (6, 3)]);
        let marked = |of: fn(&Dot) -> bool| -> Vec<usize> {
            (0..8).filter(|i| plane.dots[*i].as_ref().is_some_and(of)).collect()
        };
        assert_eq!(marked(|d| d.initial), [0]);
        assert_eq!(marked(|d| d.violates && d.always), [3]);
    }

    #[test]
    fn of_many_values_those_around_an_initial_one_are_drawn() {
        for last in [200, 2_000] {
            let text = format!(
                "specification S {{ property p : {{ var x : int var y : int
                invariant 0 <= x and x <= {last} and 0 <= y and y <= {last} initial x = 100 and y = {last}
                transition x' = x + 1 and y' = y }} models G(x + y < 150) }}"
            );
            let plane = plane(&text);
            let drawn =
                |axis: &Axis| -> Vec<i64> { axis.values.iter().filter_map(|v| v.num().to_i64()).collect() };
            assert_eq!(drawn(&plane.x), (99..=114).collect::<Vec<_>>());
            assert_eq!(drawn(&plane.y), (last - 15..=last).collect::<Vec<_>>());
            assert!(plane.x.clipped && plane.y.clipped);
        }
    }
}

//! A cycle whose values change: a formula is true where it begins, and then every step is possible with the choices of the run,
//! and the formula is true again at the end (Gupta, Henzinger, Majumdar, Rybalchenko and Xu, "Proving Non-Termination", 2008).

use solver_lite::term::{Term, Value};

use super::check::{Obligations, Rejection, Report, reject};
use super::parse;
use crate::certificate::TraceState;
use crate::expr::{Expr, to_term};
use crate::system::{LocationId, Op, State, System};

/// The cycle from each state of a set.
pub(super) struct Kept<'a> {
    obligations: Obligations<'a>,
    set: Term,
    /// By position of the cycle: the values there, over those at its start.
    values: Vec<Vec<Term>>,
}

impl<'a> Kept<'a> {
    /// Shows that the cycle can be taken for ever.
    ///
    /// # Errors
    /// Why it may not be.
    pub(super) fn new(
        system: &'a System,
        cycle: &[(LocationId, State)],
        steps: &[TraceState],
        formula: &str,
    ) -> Result<Kept<'a>, Rejection> {
        let formula = parse::formula(formula, system)
            .map_err(|why| Rejection(format!("what the cycle keeps cannot be read: {why}")))?;
        let start = &cycle[0].1;
        if !formula.eval(&|v| start[v.index()].clone()).is_ok_and(|x| x.bool()) {
            return reject("what the cycle keeps is not true where it begins");
        }
        if system.variables.iter().any(|v| v.promised.is_some()) {
            return reject("a variable of this model may leave its range when the cycle is repeated");
        }
        let mut o = Obligations::over(system);
        let mut now = o.current.clone();
        let set = to_term(&formula, &mut o.terms, &mut |v| now[v.index()]);
        let mut values = vec![now.clone()];
        for (step, (_, state)) in steps.iter().zip(&cycle[1..]) {
            // Where a run stays, nothing changes, so it stays again.
            if let Some(edge) = step.edge {
                let op = &system.edges[edge as usize].op;
                if promises(op) {
                    return reject(
                        "whether a value fits into its type when the cycle is repeated is not known",
                    );
                }
                let chosen = constants(&mut o, system, state);
                let before = now.clone();
                let effect =
                    system.effect(op, &mut o.terms, &mut |v| before[v.index()], &mut |v| chosen[v.index()]);
                effect.values.iter().for_each(|(v, value)| now[v.index()] = *value);
                let mut possible = effect.constraints;
                possible.push(to_term(&system.invariant, &mut o.terms, &mut |v| now[v.index()]));
                for v in system.var_ids() {
                    possible.push(system.domain(v, now[v.index()], &mut o.terms));
                }
                let possible = o.terms.and(possible);
                let not = o.terms.not(possible);
                let why = format!(
                    "'{}' may be impossible when the cycle is repeated",
                    system.edges[edge as usize].label
                );
                o.refute(&[set, not], &why)?;
            }
            values.push(now.clone());
        }
        let again = to_term(&formula, &mut o.terms, &mut |v| now[v.index()]);
        let not = o.terms.not(again);
        o.refute(&[set, not], "what the cycle keeps is not true any more after it")?;
        Ok(Kept { obligations: o, set, values })
    }

    /// Does an expression have this value at a position of the cycle each time around?
    pub(super) fn fixed(&mut self, position: usize, e: &Expr, value: bool) -> bool {
        let (o, values) = (&mut self.obligations, &self.values[position]);
        let t = to_term(e, &mut o.terms, &mut |v| values[v.index()]);
        let other = if value { o.terms.not(t) } else { t };
        o.refute(&[self.set, other], "").is_ok()
    }

    /// What was shown.
    pub(super) fn report(self) -> Report {
        self.obligations.report
    }
}

/// The values of a state as terms.
fn constants(o: &mut Obligations<'_>, system: &System, state: &State) -> Vec<Term> {
    let constant = |(v, value): (&crate::system::Variable, &Value)| match value {
        Value::Bool(true) => Term::TRUE,
        Value::Bool(false) => Term::FALSE,
        Value::Num(q) => o.terms.num(q.clone(), v.ty.sort()),
    };
    system.variables.iter().zip(state).map(constant).collect()
}

/// Does an operation say that a value fits into its type?
fn promises(op: &Op) -> bool {
    match op {
        Op::Promise(_) => true,
        Op::Sequence(all) => all.iter().any(promises),
        _ => false,
    }
}

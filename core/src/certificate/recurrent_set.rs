//! A cycle whose values change between rounds: a formula is true at its start, every step is possible with the choices
//! of the run, and the formula is true again at its end (Gupta, Henzinger, Majumdar, Rybalchenko and Xu, "Proving
//! Non-Termination", 2008).

use solver_lite::term::{Term, Value};

use super::check::{Obligations, Rejection, Report, reject};
use super::parse;
use crate::certificate::TraceState;
use crate::expr::{Expr, to_term};
use crate::system::{LocationId, State, System};

/// The cycle, executed from each state of a set.
pub(super) struct RecurrentSet<'a> {
    obligations: Obligations<'a>,
    set: Term,
    /// By position of the cycle: the values there, over those at its start.
    values: Vec<Vec<Term>>,
}

impl<'a> RecurrentSet<'a> {
    /// Proves that the cycle can be repeated infinitely often.
    ///
    /// # Errors
    /// Why the cycle may not be repeatable.
    pub(super) fn new(
        system: &'a System,
        cycle: &[(LocationId, State)],
        steps: &[TraceState],
        formula: &str,
    ) -> Result<RecurrentSet<'a>, Rejection> {
        let formula = parse::formula(formula, system)
            .map_err(|why| Rejection(format!("the formula of the cycle cannot be parsed: {why}")))?;
        if system.variables.iter().any(|v| v.promised.is_some()) {
            return reject("a variable of this model may leave its range when the cycle is repeated");
        }
        let mut o = Obligations::over(system);
        let mut now = o.current.clone();
        // Ranges and the system's invariant are true after each step, so also at the start.
        let always = o.always();
        let set = to_term(&formula, &mut o.terms, &mut |v| now[v.index()]);
        let set = o.terms.and([always, set]);
        let start = constants(&mut o, &cycle[0].1);
        let is = |(v, value): (&Term, &Term)| o.terms.eq(*v, *value);
        let start: Vec<Term> = now.iter().zip(&start).map(is).collect();
        let outside = o.terms.not(set);
        o.refute(&[&start[..], &[outside]].concat(), "the formula of the cycle is not true at its start")?;
        let mut values = vec![now.clone()];
        for (step, (_, state)) in steps.iter().zip(&cycle[1..]) {
            // A run that repeats its state does so infinitely often.
            if let Some(edge) = step.edge {
                let op = &system.edges[edge as usize].op;
                if op.promises() {
                    return reject(
                        "whether a value fits into its type when the cycle is repeated is not known",
                    );
                }
                let (next, chosen) = (o.next.clone(), constants(&mut o, state));
                let possible = system.follow(op, &mut o.terms, &mut now, (&next, &chosen));
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
        o.refute(&[set, not], "the formula of the cycle is not true at its end")?;
        Ok(RecurrentSet { obligations: o, set, values })
    }

    /// Has the expression this value at a position of the cycle in each round?
    pub(super) fn fixed(&mut self, position: usize, e: &Expr, value: bool) -> bool {
        let (o, values) = (&mut self.obligations, &self.values[position]);
        let t = to_term(e, &mut o.terms, &mut |v| values[v.index()]);
        let other = if value { o.terms.not(t) } else { t };
        o.refute(&[self.set, other], "").is_ok()
    }

    /// The report.
    pub(super) fn report(self) -> Report {
        self.obligations.report
    }
}

/// The values of a state as terms.
fn constants(o: &mut Obligations<'_>, state: &State) -> Vec<Term> {
    let constant = |(t, value): (&Term, &Value)| match value {
        Value::Bool(true) => Term::TRUE,
        Value::Bool(false) => Term::FALSE,
        Value::Num(q) => {
            let sort = o.terms.sort(*t);
            o.terms.num(q.clone(), sort)
        }
    };
    o.current.clone().iter().zip(state).map(constant).collect()
}

//! All successors of a state if every havoc has finitely many choices: for explicit search and for tests.

use solver_lite::term::Value;

use crate::expr::{EvalError, VarId};
use crate::system::{Op, State, System};

/// The successors of one state by one operation, in lexicographic order of the choices.
pub struct Successors<'a> {
    system: &'a System,
    op: &'a Op,
    state: &'a State,
    choices: Odometer,
}

impl System {
    /// All states after `op`, where `choices` gives the values for a havoc.
    #[must_use]
    pub fn successors<'a>(
        &'a self,
        op: &'a Op,
        state: &'a State,
        choices: &dyn Fn(VarId) -> Vec<Value>,
    ) -> Successors<'a> {
        let digits = op.havocs().into_iter().map(choices).collect();
        Successors { system: self, op, state, choices: Odometer::new(digits) }
    }
}

impl Iterator for Successors<'_> {
    type Item = Result<State, EvalError>;

    fn next(&mut self) -> Option<Self::Item> {
        for values in self.choices.by_ref() {
            let mut values = values.into_iter();
            let mut havoc = |_| values.next().expect("one value per havoc");
            match self.system.post(self.op, self.state, &mut havoc) {
                Ok(None) => {}
                Ok(Some(state)) => return Some(Ok(state)),
                Err(e) => return Some(Err(e)),
            }
        }
        None
    }
}

/// All combinations of values, the last position changing fastest.
pub fn valuations(choices: Vec<Vec<Value>>) -> impl Iterator<Item = State> {
    Odometer::new(choices)
}

struct Odometer {
    digits: Vec<Vec<Value>>,
    /// The next combination, by position in `digits`; `None` after the last one.
    at: Option<Vec<usize>>,
}

impl Odometer {
    fn new(digits: Vec<Vec<Value>>) -> Odometer {
        let possible = digits.iter().all(|d| !d.is_empty());
        let at = possible.then(|| vec![0; digits.len()]);
        Odometer { digits, at }
    }
}

impl Iterator for Odometer {
    type Item = Vec<Value>;

    fn next(&mut self) -> Option<Vec<Value>> {
        let at = self.at.as_mut()?;
        let values = at.iter().zip(&self.digits).map(|(i, d)| d[*i].clone()).collect();
        let turned = (0..at.len()).rev().find(|&k| {
            at[k] = (at[k] + 1) % self.digits[k].len();
            at[k] != 0
        });
        if turned.is_none() {
            self.at = None;
        }
        Some(values)
    }
}

//! A run that repeats itself for ever, against a formula: the interpreter takes its steps, the formula is evaluated on the
//! word of its states. Neither an automaton nor an engine has a part in it.

use super::check::{Rejection, Report, reject, steps};
use crate::certificate::TraceState;
use crate::ltl::Requirement;
use crate::system::System;

/// Does the run violate the formula?
pub(super) fn check(
    system: &System,
    requirement: &Requirement,
    states: &[TraceState],
    back: usize,
) -> Result<Report, Rejection> {
    let run = steps(system, states, &|l| requirement.reading.repeats(system, l))?;
    let last = run.len() - 1;
    if back >= last {
        return reject(format!("the cycle from position {back} to {last} has no step"));
    }
    if run[back] != run[last] {
        return reject(format!("the run is not in the same state at positions {back} and {last}"));
    }
    let Some(word) = requirement.word(system, &run, back) else {
        return reject("no step of the cycle is one of the word");
    };
    if word.satisfies(&requirement.stated.formula) {
        let names = requirement.stated.names(system);
        return reject(format!("the formula is true of the run: its word is {}", word.text(&names)));
    }
    Ok(Report {
        obligations: last + 1,
        proof_steps: 0,
        sentences: vec![
            "The run starts in an initial state.".to_owned(),
            format!("The interpreter took all {last} steps and found the stated values."),
            format!(
                "The last state is that of position {back} again, so the run can go on like this for ever."
            ),
            format!("Evaluated on the {} positions of its word, the formula is false.", word.len()),
        ],
    })
}

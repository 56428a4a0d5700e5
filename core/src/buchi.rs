//! Büchi automata: from formulas, smaller, from and to the texts of other tools.
//!
//! `translate` builds a generalized automaton, `simulation` and `scc` make it smaller, `degeneralize` gives it accepting
//! states; [`of_formula`] does all of that.

mod accept;
pub mod automaton;
mod degeneralize;
pub mod emptiness;
pub mod guard;
pub mod hoa;
mod normal;
mod obligation;
mod product;
mod scc;
mod simulation;
mod translate;

pub use automaton::{Automaton, Marks, StateId, Transition};
pub use guard::{Guard, Guards};
pub use scc::Shape;
pub(crate) use scc::components;
pub use translate::{TooLarge, translate};

use crate::ltl::{Class, Formula};

/// A small generalized automaton of a formula.
///
/// # Errors
/// If it is too large.
pub fn generalized(formula: &Formula, atoms: &[String]) -> Result<Automaton, TooLarge> {
    Ok(translate(formula, atoms)?.reduced())
}

/// A small automaton with accepting states for the words that satisfy a formula.
///
/// # Errors
/// If it is too large.
pub fn of_formula(formula: &Formula, atoms: &[String]) -> Result<Automaton, TooLarge> {
    let generalized = generalized(formula, atoms)?;
    let plain = generalized.clone().degeneralized().reduced();
    let most = plain.states.len();
    Ok(match generalized.as_obligation().filter(|d| d.states.len() <= most) {
        Some(d) if is_automaton_of(&d, formula, &generalized)? => d,
        _ => plain,
    })
}

/// The limit on states of products that compare automata.
const COMPARED: usize = 20_000;

/// Are the words of a deterministic weak automaton those of the formula, whose automaton the last one is?
fn is_automaton_of(candidate: &Automaton, formula: &Formula, known: &Automaton) -> Result<bool, TooLarge> {
    if !matches!(Class::of(formula), Class::Recurrence | Class::Persistence | Class::Reactivity) {
        return Ok(true);
    }
    let negated = translate(&formula.clone().negated(), &candidate.atoms)?;
    let none = |a: &Automaton, b: &Automaton| a.intersection(b, COMPARED).is_some_and(|both| both.is_empty());
    Ok(none(candidate, &negated) && none(&candidate.clone().weak_complement(), known))
}

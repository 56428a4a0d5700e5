//! Büchi automata: from formulas, smaller, from and to the texts of other tools.
//!
//! `translate` builds a generalized automaton, `simulation` and `scc` make it smaller, `degeneralize` gives it accepting
//! states; [`of_formula`] does all of that.

mod accept;
pub mod automaton;
mod complement;
mod degeneralize;
pub mod dot;
pub mod emptiness;
pub mod guard;
pub mod hoa;
pub mod never;
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

use crate::diagnostic::Diagnostic;
use crate::ltl::{Class, Formula, Word};

/// The formula in negation normal form, rewritten to something smaller where its form tells how.
#[must_use]
pub fn simplified(formula: &Formula) -> Formula {
    let mut store = normal::Store::new();
    let id = store.of(formula);
    store.formula(id)
}

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

/// A word that satisfies the first formula and not the second one; none if the first one implies the second.
///
/// # Errors
/// If an automaton is too large.
pub fn difference(a: &Formula, b: &Formula, atoms: &[String]) -> Result<Option<Word>, TooLarge> {
    Ok(generalized(&a.clone().and(b.clone().negated()), atoms)?.some_word())
}

/// Reads an automaton: in the Hanoi omega-automata format, or a never claim of SPIN.
///
/// # Errors
/// What is wrong with the text, with its place.
pub fn read(text: &str) -> Result<Automaton, Vec<Diagnostic>> {
    if never::is_claim(text) { never::parse(text) } else { hoa::parse(text) }
}

/// What came of comparing an automaton with a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compared {
    /// It accepts exactly the words that satisfy the formula.
    Same,
    /// This word is accepted (or not) and does not satisfy it (or does).
    Differ(Word, bool),
    /// The automaton is too large to be complemented.
    Unknown,
}

/// Compares an automaton with a formula over the same atoms.
///
/// # Errors
/// If the formula's automaton is too large.
pub fn same_words(automaton: &Automaton, formula: &Formula) -> Result<Compared, TooLarge> {
    let negated = generalized(&formula.clone().negated(), &automaton.atoms)?;
    let Some(wrong) = automaton.intersection(&negated, COMPARED) else { return Ok(Compared::Unknown) };
    if let Some(word) = wrong.some_word() {
        return Ok(Compared::Differ(word, true));
    }
    let Some(complement) = automaton.clone().reduced().degeneralized().reduced().complement() else {
        return Ok(Compared::Unknown);
    };
    let known = generalized(formula, &automaton.atoms)?;
    let Some(missing) = complement.reduced().intersection(&known, COMPARED) else {
        return Ok(Compared::Unknown);
    };
    Ok(missing.some_word().map_or(Compared::Same, |word| Compared::Differ(word, false)))
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

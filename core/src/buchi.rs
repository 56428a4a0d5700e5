//! Büchi automata: translation of formulas, reduction, and formats of other tools.
//!
//! `translate` builds a generalized automaton, `simulation` and `scc` reduce it, `degeneralize` turns it into one with
//! accepting states; [`of_formula`] does all of this.

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
pub mod patterns;
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

/// The formula in negation normal form, simplified by syntactic rewriting.
#[must_use]
pub fn simplified(formula: &Formula) -> Formula {
    let mut store = normal::Store::new();
    let id = store.of(formula);
    store.formula(id)
}

/// A reduced generalized Büchi automaton of a formula.
///
/// # Errors
/// If the size limit is exceeded.
pub fn generalized(formula: &Formula, atoms: &[String]) -> Result<Automaton, TooLarge> {
    Ok(translate(formula, atoms)?.reduced())
}

/// A reduced Büchi automaton with accepting states that accepts the words that satisfy a formula.
///
/// # Errors
/// If the size limit is exceeded.
pub fn of_formula(formula: &Formula, atoms: &[String]) -> Result<Automaton, TooLarge> {
    let generalized = generalized(formula, atoms)?;
    let plain = generalized.clone().degeneralized().reduced();
    let most = plain.states.len();
    Ok(match generalized.as_obligation().filter(|d| d.states.len() <= most) {
        Some(d) if is_automaton_of(&d, formula, &generalized)? => d,
        _ => plain,
    })
}

/// A word that satisfies the first formula but not the second; none if the first implies the second.
///
/// # Errors
/// If an automaton is too large.
pub fn difference(a: &Formula, b: &Formula, atoms: &[String]) -> Result<Option<Word>, TooLarge> {
    Ok(generalized(&a.clone().and(b.clone().negated()), atoms)?.some_word())
}

/// Parses an automaton: in the Hanoi omega-automata format, or a never claim of SPIN.
///
/// # Errors
/// Errors in the text, with places.
pub fn read(text: &str) -> Result<Automaton, Vec<Diagnostic>> {
    if never::is_claim(text) { never::parse(text) } else { hoa::parse(text) }
}

/// Result of the comparison of an automaton with a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compared {
    /// The automaton accepts exactly the words that satisfy the formula.
    Same,
    /// A word on which they differ, and whether the automaton accepts it.
    Differ(Word, bool),
    /// The automaton is too large to be complemented.
    Unknown,
}

/// Compares an automaton with a formula over the same atoms.
///
/// # Errors
/// If the formula's automaton is too large.
pub fn same_words(automaton: &Automaton, formula: &Formula) -> Result<Compared, TooLarge> {
    Ok(match is_included(automaton, formula)? {
        Inclusion::Fails(word) => Compared::Differ(word, true),
        Inclusion::Unknown => Compared::Unknown,
        Inclusion::Holds => match includes(automaton, formula)? {
            Inclusion::Fails(word) => Compared::Differ(word, false),
            Inclusion::Unknown => Compared::Unknown,
            Inclusion::Holds => Compared::Same,
        },
    })
}

/// Whether one language is included in another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inclusion {
    /// It is.
    Holds,
    /// It is not: this word is missing in the other one.
    Fails(Word),
    /// An automaton is too large.
    Unknown,
}

impl Inclusion {
    /// By the intersection with the complement of the other language.
    fn of(one: &Automaton, complement: &Automaton) -> Inclusion {
        match one.intersection(complement, COMPARED) {
            None => Inclusion::Unknown,
            Some(both) => both.some_word().map_or(Inclusion::Holds, Inclusion::Fails),
        }
    }
}

/// Do all words that an automaton accepts satisfy a formula over the same atoms?
///
/// # Errors
/// If the formula's automaton is too large.
pub fn is_included(automaton: &Automaton, formula: &Formula) -> Result<Inclusion, TooLarge> {
    let negated = generalized(&formula.clone().negated(), &automaton.atoms)?;
    Ok(Inclusion::of(automaton, &negated))
}

/// Does an automaton accept all words that satisfy a formula over the same atoms?
///
/// # Errors
/// If the formula's automaton is too large.
pub fn includes(automaton: &Automaton, formula: &Formula) -> Result<Inclusion, TooLarge> {
    let known = generalized(formula, &automaton.atoms)?;
    let complement = automaton.clone().reduced().degeneralized().reduced().complement();
    Ok(complement.map_or(Inclusion::Unknown, |complement| Inclusion::of(&known, &complement.reduced())))
}

/// The limit on states of products that compare automata.
const COMPARED: usize = 20_000;

/// Does a deterministic weak automaton accept exactly the words that satisfy the formula? The last parameter is the
/// formula's automaton.
fn is_automaton_of(candidate: &Automaton, formula: &Formula, known: &Automaton) -> Result<bool, TooLarge> {
    if !matches!(Class::of(formula), Class::Recurrence | Class::Persistence | Class::Reactivity) {
        return Ok(true);
    }
    let negated = translate(&formula.clone().negated(), &candidate.atoms)?;
    let none = |a: &Automaton, b: &Automaton| a.intersection(b, COMPARED).is_some_and(|both| both.is_empty());
    Ok(none(candidate, &negated) && none(&candidate.clone().weak_complement(), known))
}

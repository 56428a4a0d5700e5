//! The patterns of Dwyer, Avrunin and Corbett, "Property Specification Patterns for Finite-State Verification" (1998):
//! eleven kinds of requirements in five scopes, and which of them an automaton states.

use std::fmt;

use crate::buchi::{Automaton, Compared, Guard, TooLarge, same_words};
use crate::ltl::{Formula, Propositional, Word, propositional};

/// A pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// What it requires: `s responds to p`.
    pub kind: &'static str,
    /// When: `between q and r`.
    pub scope: &'static str,
    /// The formula, over `p`, `q`, `r`, `s`, `t` and `z`.
    pub formula: &'static str,
}

/// The scopes.
const SCOPES: [&str; 5] = ["globally", "before r", "after q", "between q and r", "after q until r"];

/// The kinds, each with its formulas by scope.
const KINDS: [(&str, [&str; 5]); 11] = [
    (
        "absence of p",
        [
            "G !p",
            "F r -> (!p U r)",
            "G (q -> G !p)",
            "G ((q & !r & F r) -> (!p U r))",
            "G ((q & !r) -> (!p W r))",
        ],
    ),
    (
        "existence of p",
        [
            "F p",
            "!r W (p & !r)",
            "G !q | F (q & F p)",
            "G ((q & !r) -> (!r W (p & !r)))",
            "G ((q & !r) -> (!r U (p & !r)))",
        ],
    ),
    (
        "p becomes true at most twice",
        [
            "!p W (p W (!p W (p W G !p)))",
            "F r -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p U r)))))))))",
            "F q -> (!q U (q & (!p W (p W (!p W (p W G !p))))))",
            "G ((q & F r) -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p U r))))))))))",
            "G (q -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p W r) | G p)))))))))",
        ],
    ),
    (
        "universality of p",
        ["G p", "F r -> (p U r)", "G (q -> G p)", "G ((q & !r & F r) -> (p U r))", "G ((q & !r) -> (p W r))"],
    ),
    (
        "s precedes p",
        [
            "!p W s",
            "F r -> (!p U (s | r))",
            "G !q | F (q & (!p W s))",
            "G ((q & !r & F r) -> (!p U (s | r)))",
            "G ((q & !r) -> (!p W (s | r)))",
        ],
    ),
    (
        "s responds to p",
        [
            "G (p -> F s)",
            "F r -> ((p -> (!r U (s & !r))) U r)",
            "G (q -> G (p -> F s))",
            "G ((q & !r & F r) -> ((p -> (!r U (s & !r))) U r))",
            "G ((q & !r) -> ((p -> (!r U (s & !r))) W r))",
        ],
    ),
    (
        "s and then t precede p",
        [
            "F p -> (!p U (s & !p & X (!p U t)))",
            "F r -> (!p U (r | (s & !p & X (!p U t))))",
            "G !q | (!q U ((q & F p) -> (!p U (s & !p & X (!p U t)))))",
            "G ((q & F r) -> (!p U (r | (s & !p & X (!p U t)))))",
            "G (q -> (F p -> (!p U (r | (s & !p & X (!p U t))))))",
        ],
    ),
    (
        "p precedes s and then t",
        [
            "F (s & X F t) -> (!s U p)",
            "F r -> (!(s & !r & X (!r U (t & !r))) U (r | p))",
            "G !q | (!q U (q & (F (s & X F t) -> (!s U p))))",
            "G ((q & F r) -> (!(s & !r & X (!r U (t & !r))) U (r | p)))",
            "G (q -> ((!(s & !r & X (!r U (t & !r))) U (r | p)) | G !(s & X F t)))",
        ],
    ),
    (
        "p responds to s and then t",
        [
            "G ((s & X F t) -> X F (t & F p))",
            "F r -> (((s & X (!r U t)) -> X (!r U (t & F p))) U r)",
            "G (q -> G ((s & X F t) -> X (!t U (t & F p))))",
            "G ((q & F r) -> (((s & X (!r U t)) -> X (!r U (t & F p))) U r))",
            "G (q -> (((s & X (!r U t)) -> X (!r U (t & F p))) U (r | G ((s & X (!r U t)) -> X (!r U (t & F p))))))",
        ],
    ),
    (
        "s and then t respond to p",
        [
            "G (p -> F (s & X F t))",
            "F r -> ((p -> (!r U (s & !r & X (!r U t)))) U r)",
            "G (q -> G (p -> (s & X F t)))",
            "G ((q & F r) -> ((p -> (!r U (s & !r & X (!r U t)))) U r))",
            "G (q -> ((p -> (!r U (s & !r & X (!r U t)))) U (r | G (p -> (s & X F t)))))",
        ],
    ),
    (
        "s and then t, without z before, respond to p",
        [
            "G (p -> F (s & !z & X (!z U t)))",
            "F r -> ((p -> (!r U (s & !r & !z & X ((!r & !z) U t)))) U r)",
            "G (q -> G (p -> (s & !z & X (!z U t))))",
            "G ((q & F r) -> ((p -> (!r U (s & !r & !z & X ((!r & !z) U t)))) U r))",
            "G (q -> ((p -> (!r U (s & !r & !z & X ((!r & !z) U t)))) U (r | G (p -> (s & !z & X (!z U t))))))",
        ],
    ),
];

/// The 55 patterns, by kind and scope.
pub fn all() -> impl Iterator<Item = Pattern> {
    let of = |(kind, formulas): &'static (&'static str, [&'static str; 5])| {
        let one = move |(scope, formula): (&&'static str, &&'static str)| Pattern { kind, scope, formula };
        SCOPES.iter().zip(formulas).map(one)
    };
    KINDS.iter().flat_map(of)
}

/// A pattern with what its letters stand for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// The pattern.
    pub pattern: Pattern,
    /// The letters with the atoms of the automaton.
    pub letters: Vec<(String, String)>,
}

/// `s responds to p, globally (p is request, s is answer)`: letters that are called as their atoms are left out.
impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pattern { kind, scope, .. } = self.pattern;
        write!(f, "{kind}, {scope}")?;
        let others = self.letters.iter().filter(|(letter, atom)| letter != atom);
        let others: Vec<String> = others.map(|(letter, atom)| format!("{letter} is {atom}")).collect();
        if others.is_empty() { Ok(()) } else { write!(f, " ({})", others.join(", ")) }
    }
}

/// The words that are tried first.
const TRIED: u64 = 96;
/// The maximal number of atoms, since a pattern has at most so many letters.
const ATOMS: usize = 6;

/// The patterns that an automaton states, whose letters stand for the atoms that its guards depend on: those whose
/// formulas exactly the accepted words satisfy. Patterns that cannot be compared because of the size of the automaton
/// are left out.
///
/// # Errors
/// If the automaton of a pattern is too large.
pub fn of(automaton: &Automaton) -> Result<Vec<Instance>, TooLarge> {
    let atoms = used(automaton);
    if atoms.len() > ATOMS {
        return Ok(Vec::new());
    }
    let words: Vec<(Word, bool)> = (0..TRIED)
        .map(|seed| {
            let word = word(seed, automaton.atoms.len());
            let accepted = automaton.accepts(&word);
            (word, accepted)
        })
        .collect();
    let mut found = Vec::new();
    for pattern in all() {
        let Ok(Propositional { formula, atoms: letters }) = propositional(pattern.formula) else { continue };
        if letters.len() != atoms.len() {
            continue;
        }
        for order in orders(&atoms) {
            let formula: Formula = formula.renamed(&order);
            let agrees = words.iter().all(|(word, accepted)| word.satisfies(&formula) == *accepted);
            if agrees && same_words(automaton, &formula)? == Compared::Same {
                let named =
                    |(letter, atom): (&String, &usize)| (letter.clone(), automaton.atoms[*atom].clone());
                let mut letters: Vec<_> = letters.iter().zip(&order).map(named).collect();
                letters.sort();
                found.push(Instance { pattern, letters });
            }
        }
    }
    Ok(found)
}

/// The atoms that the guards depend on.
fn used(automaton: &Automaton) -> Vec<usize> {
    let guards = automaton.states.iter().flatten().map(|t| t.guard).filter(|guard| *guard > Guard::TRUE);
    let mut used: Vec<usize> =
        guards.flat_map(|guard| automaton.guards.support(guard)).map(|v| v as usize).collect();
    used.sort_unstable();
    used.dedup();
    used
}

/// All orders of some numbers.
fn orders(numbers: &[usize]) -> Vec<Vec<usize>> {
    if numbers.is_empty() {
        return vec![vec![]];
    }
    let mut all = Vec::new();
    for (at, first) in numbers.iter().enumerate() {
        let rest = [&numbers[..at], &numbers[at + 1..]].concat();
        all.extend(orders(&rest).into_iter().map(|order| [vec![*first], order].concat()));
    }
    all
}

/// A word with few letters, by its number.
fn word(seed: u64, atoms: usize) -> Word {
    let mut bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = |below: u64| {
        // Xorshift (Marsaglia, "Xorshift RNGs", 2003).
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        (bits >> 32) % below
    };
    let (stem, cycle) = (next(5), 1 + next(4));
    let rare = 2 + next(3);
    let mut letters =
        |count: u64| (0..count).map(|_| (0..atoms).map(|_| next(rare) == 0).collect()).collect();
    Word { stem: letters(stem), cycle: letters(cycle) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buchi::of_formula;

    #[test]
    fn every_pattern_is_found_in_its_automaton() {
        let mut patterns = 0;
        for pattern in all() {
            let p = propositional(pattern.formula).unwrap();
            let automaton = of_formula(&p.formula, &p.atoms).unwrap();
            let found = of(&automaton).unwrap();
            let small = automaton.states.len() <= 12;
            let same =
                found.iter().any(|one| one.pattern == pattern && one.letters.iter().all(|(l, a)| l == a));
            assert!(same || !small, "{pattern:?}: {found:?}");
            patterns += usize::from(same);
        }
        assert!(patterns > 45, "{patterns}");
    }

    #[test]
    fn letters_stand_for_atoms() {
        let p = propositional("G (request -> F answer)").unwrap();
        let found = of(&of_formula(&p.formula, &p.atoms).unwrap()).unwrap();
        let [one] = &found[..] else { panic!("{found:?}") };
        assert_eq!((one.pattern.kind, one.pattern.scope), ("s responds to p", "globally"));
        let of = |letter: &str, atom: &str| (letter.to_owned(), atom.to_owned());
        assert_eq!(one.letters, [of("p", "request"), of("s", "answer")]);
        let p = propositional("G F a").unwrap();
        assert_eq!(super::of(&of_formula(&p.formula, &p.atoms).unwrap()), Ok(vec![]));
    }
}

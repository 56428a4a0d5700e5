//! The patterns of Dwyer, Avrunin and Corbett, "Property Specification Patterns for Finite-State Verification" (1998):
//! eleven kinds of requirements in five scopes, and which of them an automaton states. The formulas are as published,
//! also where a scope is stricter than the others (the chains of responses after q).

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
            "G (q -> ((!(!r & s & X (!r U (!r & t))) U (r | p)) | G !(s & X F t)))",
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
        "s and then t, without z between them, respond to p",
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

/// A pattern with what its placeholders stand for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// The pattern.
    pub pattern: Pattern,
    /// The placeholders with the atoms of the automaton, which are different.
    pub placeholders: Vec<(String, String)>,
}

/// The patterns that an automaton states.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stated {
    /// Those whose formulas exactly the accepted words satisfy.
    pub instances: Vec<Instance>,
    /// The number of patterns for which this is not known, because the automaton is too large or has too many atoms.
    pub undecided: usize,
}

/// `s responds to p, globally (p is request, s is answer)`: placeholders that are called as their atoms are left out.
impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pattern { kind, scope, .. } = self.pattern;
        write!(f, "{kind}, {scope}")?;
        let others = self.placeholders.iter().filter(|(placeholder, atom)| placeholder != atom);
        let others: Vec<String> =
            others.map(|(placeholder, atom)| format!("{placeholder} is {atom}")).collect();
        if others.is_empty() { Ok(()) } else { write!(f, " ({})", others.join(", ")) }
    }
}

/// The number of pseudo-random words that are tried before the exact comparison.
const TRIED: u64 = 96;
/// The maximal number of atoms.
const ATOMS: usize = 6;

/// The patterns that an automaton states, whose placeholders stand for different atoms of its guards.
///
/// # Errors
/// If the automaton of a pattern is too large.
///
/// # Panics
/// Never: the formulas of the patterns can be read.
pub fn of(automaton: &Automaton) -> Result<Stated, TooLarge> {
    let atoms = used(automaton);
    let mut stated = Stated::default();
    if atoms.len() > ATOMS {
        stated.undecided = all().count();
        return Ok(stated);
    }
    let words: Vec<(Word, bool)> = (0..TRIED)
        .map(|seed| {
            let word = word(seed, automaton.atoms.len());
            let accepted = automaton.accepts(&word);
            (word, accepted)
        })
        .collect();
    for pattern in all() {
        let Propositional { formula, atoms: names } = propositional(pattern.formula).expect("a formula");
        let mut undecided = false;
        for chosen in arrangements(&atoms, names.len()) {
            let formula: Formula = formula.renamed(&chosen);
            if !words.iter().all(|(word, accepted)| word.satisfies(&formula) == *accepted) {
                continue;
            }
            match same_words(automaton, &formula)? {
                Compared::Same => {
                    let named =
                        |(name, atom): (&String, &usize)| (name.clone(), automaton.atoms[*atom].clone());
                    let mut placeholders: Vec<_> = names.iter().zip(&chosen).map(named).collect();
                    placeholders.sort();
                    stated.instances.push(Instance { pattern, placeholders });
                }
                Compared::Differ(..) => {}
                Compared::Unknown => undecided = true,
            }
        }
        stated.undecided += usize::from(undecided);
    }
    Ok(stated)
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

/// All sequences of so many different ones of some numbers.
fn arrangements(numbers: &[usize], length: usize) -> Vec<Vec<usize>> {
    if length == 0 {
        return vec![vec![]];
    }
    let mut all = Vec::new();
    for (at, first) in numbers.iter().enumerate() {
        let rest = [&numbers[..at], &numbers[at + 1..]].concat();
        all.extend(arrangements(&rest, length - 1).into_iter().map(|more| [vec![*first], more].concat()));
    }
    all
}

/// A pseudo-random word, which the seed determines.
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

    fn stated(formula: &str) -> Stated {
        let p = propositional(formula).unwrap();
        of(&of_formula(&p.formula, &p.atoms).unwrap()).unwrap()
    }

    #[test]
    fn every_pattern_is_found_in_its_automaton() {
        let mut not_found = Vec::new();
        for (number, pattern) in all().enumerate() {
            let found = stated(pattern.formula);
            let own = |one: &Instance| one.pattern == pattern && one.placeholders.iter().all(|(p, a)| p == a);
            if !found.instances.iter().any(own) {
                assert!(found.undecided > 0, "{pattern:?}: {found:?}");
                not_found.push(number + 1);
            }
        }
        assert_eq!(not_found, [44, 45], "their automata are too large to be complemented");
    }

    #[test]
    fn placeholders_stand_for_atoms() {
        let found = stated("G (request -> F answer)").instances;
        let [one] = &found[..] else { panic!("{found:?}") };
        assert_eq!(one.to_string(), "s responds to p, globally (p is request, s is answer)");
        assert_eq!(stated("G F a"), Stated::default());
        // The language does not depend on an atom of the guards.
        let p = propositional("(G a & F b) | (G a & G !b)").unwrap();
        let raw = crate::buchi::translate(&p.formula, &p.atoms).unwrap();
        assert_eq!(of(&raw).unwrap().instances[0].to_string(), "universality of p, globally (p is a)");
        let many = "G (a & b & c & d & e & f & g)";
        assert_eq!(stated(many).undecided, 55);
    }
}

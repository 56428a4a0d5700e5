//! Automata of random formulas against the semantics of formulas on words, and sizes for those of classic formulas.

use veristep_core::buchi;
use veristep_tests::ltl::{classic, formula, word};
use veristep_tests::random::each;

/// Number of formulas, from `FORMULAS`.
fn count() -> usize {
    std::env::var("FORMULAS").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000)
}

#[test]
fn automata_accept_what_satisfies_their_formulas() {
    let names: Vec<String> = (0..3).map(|i| format!("p{i}")).collect();
    each((0..).take(count()), |rng| {
        let i = rng.seed();
        let (atoms, size) = (1 + rng.below(3), 2 + rng.below(9));
        let f = formula(rng, size, atoms);
        let text = f.text(&|p| names[p.index()].clone());
        let raw = buchi::translate(&f, &names).unwrap();
        let small = raw.clone().reduced();
        let plain = small.clone().degeneralized();
        let smallest = plain.clone().reduced();
        let chosen = buchi::of_formula(&f, &names).unwrap();
        assert!(plain.is_plain() && smallest.is_plain() && chosen.is_plain(), "{i} {text}");
        for _ in 0..12 {
            let w = word(rng, atoms);
            let expected = w.satisfies(&f);
            for (stage, a) in [
                ("translated", &raw),
                ("reduced", &small),
                ("plain", &plain),
                ("plain, reduced", &smallest),
                ("chosen", &chosen),
            ] {
                assert_eq!(a.accepts(&w), expected, "{i} {stage} {text} on {}", w.text(&names[..atoms]));
            }
        }
    });
}

/// The complement of an automaton accepts the other words.
#[test]
fn complements_accept_the_other_words() {
    let names: Vec<String> = (0..2).map(|i| format!("p{i}")).collect();
    let mut complemented = 0;
    each((0..).take(count() / 20), |rng| {
        let i = rng.seed();
        let size = 2 + rng.below(7);
        let f = formula(rng, size, 2);
        // Not minimized: the hard case are nondeterministic automata.
        let a = buchi::generalized(&f, &names).unwrap().degeneralized().reduced();
        let Some(complement) = a.complement().filter(|_| a.states.len() <= 5) else { return };
        complemented += 1;
        for _ in 0..20 {
            let w = word(rng, 2);
            let text = f.text(&|p| names[p.index()].clone());
            assert_eq!(complement.accepts(&w), !w.satisfies(&f), "{i} {text} on {}", w.text(&names));
        }
    });
    println!("{complemented} automata were complemented");
    assert!(complemented * 40 > count(), "{complemented}");
}

/// The formulas of the patterns are those of the set of their authors.
#[test]
fn patterns_are_as_published() {
    let classic = classic("dwyer");
    assert_eq!(classic.len(), buchi::patterns::all().count());
    for (published, pattern) in classic.iter().zip(buchi::patterns::all()) {
        // Both number their atoms in the order of the text.
        let own = veristep_core::ltl::propositional(pattern.formula).unwrap();
        let (a, b, atoms) = (&published.formula, &own.formula, &own.atoms);
        let differ = |a, b| buchi::difference(a, b, atoms).unwrap();
        assert_eq!((differ(a, b), differ(b, a)), (None, None), "{pattern:?}");
    }
}

/// States of plain automata over the classic sets, and over their negations.
#[test]
fn automata_of_classic_formulas_are_small() {
    for (set, most) in [("dwyer", 270), ("etessami-holzmann", 60), ("somenzi-bloem", 95)] {
        let (mut sizes, mut negated) = (Vec::new(), Vec::new());
        for p in classic(set) {
            sizes.push(buchi::of_formula(&p.formula, &p.atoms).unwrap().states.len());
            negated.push(buchi::of_formula(&p.formula.negated(), &p.atoms).unwrap().states.len());
        }
        let (total, negated_total): (usize, usize) = (sizes.iter().sum(), negated.iter().sum());
        println!("{set}: {total} states, negated {negated_total}\n{sizes:?}\n{negated:?}");
        assert!(total <= most, "{set}: {total} states");
    }
}

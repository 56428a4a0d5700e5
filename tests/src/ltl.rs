//! Random formulas of temporal logic, and random words; and the classic sets of formulas.

use veristep_core::ltl::{AtomId, Formula, Propositional, Temporal, Word};

use crate::random::Rng;

/// A random formula of about this size over this many atoms.
pub fn formula(rng: &mut Rng, size: usize, atoms: usize) -> Formula {
    if size <= 1 {
        return match rng.below(12) {
            0 => Formula::Constant(rng.one_in(2)),
            _ => Formula::Atom(AtomId::new(rng.below(atoms))),
        };
    }
    let one = |rng: &mut Rng| Box::new(formula(rng, size - 1, atoms));
    match rng.below(14) {
        0 => return Formula::Not(one(rng)),
        1 => return Formula::Unary(Temporal::Next, one(rng)),
        2 | 3 => return Formula::Unary(Temporal::Finally, one(rng)),
        4 | 5 => return Formula::Unary(Temporal::Globally, one(rng)),
        _ => {}
    }
    let left = 1 + rng.below(size - 1);
    let (a, b) = (formula(rng, left, atoms), formula(rng, size - left, atoms));
    let binary = |op| Formula::Binary(op, Box::new([a.clone(), b.clone()]));
    match rng.below(9) {
        0 | 1 => Formula::And(vec![a, b]),
        2 | 3 => Formula::Or(vec![a, b]),
        4 => binary(Temporal::Until),
        5 => binary(Temporal::Release),
        6 => binary(Temporal::WeakUntil),
        7 => binary(Temporal::StrongRelease),
        _ => match rng.below(3) {
            0 => Formula::Implies(Box::new([a, b])),
            1 => Formula::Iff(Box::new([a, b])),
            _ => Formula::Xor(Box::new([a, b])),
        },
    }
}

/// A random word over this many atoms.
pub fn word(rng: &mut Rng, atoms: usize) -> Word {
    let letters = |rng: &mut Rng, n: usize| {
        (0..n).map(|_| (0..atoms).map(|_| rng.one_in(2)).collect()).collect::<Vec<_>>()
    };
    let (stem, cycle) = (rng.below(5), 1 + rng.below(4));
    Word { stem: letters(rng, stem), cycle: letters(rng, cycle) }
}

/// The formulas of a file of the corpus: one per line.
///
/// # Panics
/// If the file does not exist, or a line is not a formula.
#[must_use]
pub fn classic(name: &str) -> Vec<Propositional> {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/ltl").join(name).with_extension("ltl");
    let text = std::fs::read_to_string(&path).expect("the corpus is there");
    let lines = text.lines().filter(|l| !l.starts_with('#') && !l.is_empty());
    lines.map(|l| veristep_core::ltl::propositional(l).unwrap_or_else(|e| panic!("{l}: {}", e[0]))).collect()
}

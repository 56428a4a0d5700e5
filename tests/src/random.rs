//! A small seeded generator (xorshift64*): the same seed gives the same test on every machine. A failing test is shrunk
//! on its choices, so that no type needs a shrinker of its own (MacIver and Donaldson, "Test-Case Reduction via
//! Test-Case Generation", 2020).

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;
use std::time::{Duration, Instant};

/// A source of pseudo-random choices, which are recorded.
#[derive(Clone, Debug)]
pub struct Rng {
    seed: u64,
    state: u64,
    /// The choices of another run, which are repeated first.
    given: Vec<u64>,
    /// The choices so far.
    drawn: Vec<u64>,
}

impl Rng {
    /// A generator; different seeds give unrelated sequences.
    #[must_use]
    pub fn new(seed: u64) -> Rng {
        let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        Rng { seed, state, given: Vec::new(), drawn: Vec::new() }
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The next choice: the given one if there is one, at most `last`.
    fn draw(&mut self, last: u64, fresh: impl FnOnce(u64) -> u64) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        let bits = self.state.wrapping_mul(0x2545_F491_4F6C_DD1D);
        let choice = self.given.get(self.drawn.len()).map_or_else(|| fresh(bits), |given| *given.min(&last));
        self.drawn.push(choice);
        choice
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.draw(u64::MAX, |bits| bits)
    }

    /// A number below `n`.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        let n = u64::try_from(n).expect("64 bits");
        usize::try_from(self.draw(n - 1, |bits| (bits >> 11) % n)).expect("below n")
    }

    /// A number in `low..=high`.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        low + i64::try_from(self.below(usize::try_from(high - low + 1).expect("low ≤ high"))).expect("small")
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, options: &'a [T]) -> &'a T {
        &options[self.below(options.len())]
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// The time for shrinking a failure.
const PATIENCE: Duration = Duration::from_secs(20);

thread_local! {
    /// Failures of this thread are not printed.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs a test for each seed. A failing one is repeated with fewer and smaller choices as long as it fails, and the
/// smallest failure is reported.
///
/// # Panics
/// If the test does.
#[expect(clippy::print_stdout, reason = "the harness prints it only for a failing test")]
pub fn each(seeds: impl IntoIterator<Item = u64>, mut test: impl FnMut(&mut Rng)) {
    for seed in seeds {
        let mut rng = Rng::new(seed);
        if fails(&mut test, &mut rng) {
            let given = shrunk(seed, rng.drawn, &mut test);
            println!("seed {seed}, shrunk to {} choices", given.len());
            test(&mut Rng { given, ..Rng::new(seed) });
            panic!("seed {seed} does not fail again: the test depends on more than its choices");
        }
    }
}

/// Does the test fail? Its messages are not printed.
fn fails(test: &mut impl FnMut(&mut Rng), rng: &mut Rng) -> bool {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |info| {
            if !QUIET.get() {
                usual(info);
            }
        }));
    });
    QUIET.set(true);
    let failed = catch_unwind(AssertUnwindSafe(|| test(rng))).is_err();
    QUIET.set(false);
    failed
}

/// Choices with which the test still fails: without parts of the sequence, and with smaller numbers.
fn shrunk(seed: u64, mut choices: Vec<u64>, test: &mut impl FnMut(&mut Rng)) -> Vec<u64> {
    let begun = Instant::now();
    let mut improves = |candidate: Vec<u64>, choices: &mut Vec<u64>| {
        let mut rng = Rng { given: candidate, ..Rng::new(seed) };
        let better = begun.elapsed() < PATIENCE && fails(test, &mut rng) && smaller(&rng.drawn, choices);
        if better {
            *choices = rng.drawn;
        }
        better
    };
    loop {
        let before = choices.clone();
        let mut length = choices.len() / 2;
        while length > 0 {
            let mut at = 0;
            while at + length <= choices.len() {
                let without = [&choices[..at], &choices[at + length..]].concat();
                at += if improves(without, &mut choices) { 0 } else { length };
            }
            length /= 2;
        }
        for at in 0..choices.len() {
            for less in
                [0, choices.get(at).map_or(0, |c| c / 2), choices.get(at).map_or(0, |c| c.saturating_sub(1))]
            {
                if choices.get(at).is_some_and(|c| less < *c) {
                    let mut candidate = choices.clone();
                    candidate[at] = less;
                    improves(candidate, &mut choices);
                }
            }
        }
        if choices == before || begun.elapsed() >= PATIENCE {
            return choices;
        }
    }
}

/// Shorter, or as long and smaller.
fn smaller(a: &[u64], b: &[u64]) -> bool {
    (a.len(), a) < (b.len(), b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of numbers of which three are at least 10.
    fn three_large(rng: &mut Rng) {
        let numbers: Vec<usize> = (0..rng.below(30)).map(|_| rng.below(100)).collect();
        let large = numbers.iter().filter(|n| **n >= 10).count();
        assert!(large < 3, "{numbers:?}");
    }

    #[test]
    fn failures_are_shrunk() {
        let mut rng = Rng::new(5);
        assert!(fails(&mut three_large, &mut rng));
        assert_eq!(shrunk(5, rng.drawn, &mut three_large), [3, 10, 10, 10]);
    }

    #[test]
    fn the_smallest_failure_is_reported() {
        let message = catch_unwind(|| {
            QUIET.set(true);
            each(5..6, three_large);
        })
        .unwrap_err();
        QUIET.set(false);
        assert_eq!(message.downcast_ref::<String>().map(String::as_str), Some("[10, 10, 10]"));
    }

    #[test]
    fn choices_are_repeated() {
        let mut rng = Rng::new(9);
        let choices = |rng: &mut Rng| (rng.below(7), rng.range(-3, 3), rng.one_in(2), rng.bits());
        let first = choices(&mut rng);
        let mut again = Rng { given: rng.drawn, ..Rng::new(10) };
        assert_eq!(choices(&mut again), first);
    }
}

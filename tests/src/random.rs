//! A small seeded generator (xorshift64*): the same seed gives the same test on every machine. A failing test is shrunk
//! on its choices, so that no type needs a shrinker of its own (MacIver and Donaldson, "Test-Case Reduction via
//! Test-Case Generation", 2020).

use std::cell::{Cell, RefCell};
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
    /// Failures of this thread are not printed, and the place of the last one is noted.
    static QUIET: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs a test for each seed. A failing one is repeated with fewer and smaller choices as long as it fails at the same
/// place, and the smallest failure is reported.
///
/// # Panics
/// If the test does.
#[expect(clippy::print_stdout, reason = "the harness prints it only for a failing test")]
pub fn each(seeds: impl IntoIterator<Item = u64>, mut test: impl FnMut(&mut Rng)) {
    for seed in seeds {
        let mut rng = Rng::new(seed);
        if let Some(place) = failure(&mut test, &mut rng) {
            let given = shrunk(seed, rng.drawn, &place, &mut test);
            println!("seed {seed} fails at {place}; shrunk to {} choices", given.len());
            test(&mut Rng { given, ..Rng::new(seed) });
            panic!("seed {seed} does not fail again: the test depends on more than its choices");
        }
    }
}

/// The place where the test fails, if it does. Its messages are not printed.
fn failure(test: &mut impl FnMut(&mut Rng), rng: &mut Rng) -> Option<String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |info| {
            PLACE.set(info.location().map(ToString::to_string).unwrap_or_default());
            if !QUIET.get() {
                usual(info);
            }
        }));
    });
    let before = QUIET.replace(true);
    let failed = catch_unwind(AssertUnwindSafe(|| test(rng))).is_err();
    QUIET.set(before);
    failed.then(|| PLACE.take())
}

/// Choices with which the test still fails there: without parts of the sequence, and with smaller numbers.
fn shrunk(seed: u64, mut choices: Vec<u64>, place: &str, test: &mut impl FnMut(&mut Rng)) -> Vec<u64> {
    let begun = Instant::now();
    let late = || begun.elapsed() >= PATIENCE;
    let mut improves = |given: Vec<u64>, choices: &mut Vec<u64>| {
        let mut rng = Rng { given, ..Rng::new(seed) };
        let better = failure(test, &mut rng).is_some_and(|at| at == place) && smaller(&rng.drawn, choices);
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
            while at + length <= choices.len() && !late() {
                let without = [&choices[..at], &choices[at + length..]].concat();
                at += if improves(without, &mut choices) { 0 } else { length };
            }
            length /= 2;
        }
        let mut at = 0;
        while at < choices.len() && !late() {
            for less in [|_| 0, |c: u64| c / 2, |c: u64| c.saturating_sub(1)] {
                let (now, mut candidate) = (choices.get(at).copied().unwrap_or(0), choices.clone());
                if less(now) < now {
                    candidate[at] = less(now);
                    improves(candidate, &mut choices);
                }
            }
            at += 1;
        }
        if choices == before || late() {
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
        let place = failure(&mut three_large, &mut rng).expect("a failure");
        assert!(place.contains("random.rs"), "{place}");
        assert_eq!(shrunk(5, rng.drawn, &place, &mut three_large), [3, 10, 10, 10]);
    }

    #[test]
    fn the_smallest_failure_is_reported() {
        let before = QUIET.replace(true);
        let message = catch_unwind(|| each(5..6, three_large)).unwrap_err();
        QUIET.set(before);
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

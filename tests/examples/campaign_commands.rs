//! Random systems of guarded commands, with `under` and its options and other methods, against an enumeration of their
//! states: `campaign_commands SEED COUNT`.
#![allow(clippy::print_stdout)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use veristep_tests::commands::{Counted, examine};
use veristep_tests::random::Rng;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|n| n.parse::<u64>().unwrap_or(1));
    let (seed, count) = (arguments.next().unwrap_or(1), arguments.next().unwrap_or(1_000));
    let (mut findings, mut counted) = (0, Counted::default());
    for number in 0..count {
        let mut rng = Rng::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
        let examined = catch_unwind(AssertUnwindSafe(|| examine(&mut rng, &mut counted)));
        findings += u64::from(examined.is_err());
    }
    println!("{counted:?}");
    println!("{findings} findings");
    std::process::exit(i32::from(findings > 0));
}

//! Properties of random time Petri nets, with every method and every encoding of bounded model checking, against an
//! enumeration of states on a grid of times: `campaign_time SEED COUNT`, with COUNT nets of each semantics.
#![allow(clippy::print_stdout)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use veristep_tests::random::Rng;
use veristep_tests::timed::{Counted, examine};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|n| n.parse::<u64>().unwrap_or(1));
    let (seed, count) = (arguments.next().unwrap_or(1), arguments.next().unwrap_or(1_000));
    let mut findings = 0;
    for of_places in [false, true] {
        let mut counted = Counted::default();
        for number in 0..count {
            let mut rng = Rng::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
            let examined = catch_unwind(AssertUnwindSafe(|| examine(&mut rng, of_places, &mut counted)));
            findings += u64::from(examined.is_err());
        }
        println!("{}: {counted:?}", if of_places { "delays of places" } else { "intervals of transitions" });
    }
    println!("{findings} findings");
    std::process::exit(i32::from(findings > 0));
}

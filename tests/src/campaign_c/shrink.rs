//! Reduces a disagreement while its kind is unchanged.

use super::judge::class;
use super::oracle::Oracle;
use super::ours::{Answer, answer};
use super::writer::Program;

/// Limit of smaller programs tried.
const TRIES: usize = 400;

/// The smallest program found, and our answer to it.
#[must_use]
pub fn shrink(oracle: &Oracle, program: &Program, found: &str, steps: u64) -> (Program, Option<Answer>) {
    let (mut best, mut last, mut tries) = (program.clone(), None, 0);
    loop {
        let mut better = None;
        'search: for n in 0..best.tree.size() {
            for by in best.tree.at(n).map_or_else(Vec::new, super::tree::Tree::smaller) {
                tries += 1;
                if tries > TRIES {
                    return (best, last);
                }
                let mut candidate = best.clone();
                candidate.tree.replace(n, by);
                if let Some(ours) = still(oracle, &candidate, found, steps) {
                    better = Some((candidate, ours));
                    break 'search;
                }
            }
        }
        match better {
            Some((candidate, ours)) => (best, last) = (candidate, Some(ours)),
            None => return (best, last),
        }
    }
}

/// Our answer if the disagreement remains.
fn still(oracle: &Oracle, program: &Program, found: &str, steps: u64) -> Option<Answer> {
    let ours = answer(&program.tree.text(), program.lp64, steps);
    if matches!(ours, Answer::Unsupported(_) | Answer::Unknown(_)) {
        return None;
    }
    let facts = oracle.facts(&[program], program.lp64).ok()?;
    (class(facts.first()?, &ours) == Some(found)).then_some(ours)
}

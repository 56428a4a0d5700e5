//! The state of a search after some of its steps: a fold, so that forward and back are the same.

use std::collections::HashMap;

use veristep_core::scene::Mark;

use crate::solver::protocol::{Lit, Step};

/// A conflict being analysed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Analysis {
    /// Is it a theory conflict?
    pub theory: bool,
    /// The conflict clause.
    pub clause: Vec<Lit>,
    /// Resolution steps: pivot, reason, resolvent.
    pub resolved: Vec<(Lit, Vec<Lit>, Vec<Lit>)>,
    /// The learned clause, and the level of the backjump.
    pub learned: Option<(Vec<Lit>, u32)>,
}

/// The search after a step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Frame {
    /// True literals, oldest first, each with the role of its reason.
    pub trail: Vec<(Lit, Mark)>,
    /// Where levels 1, 2, … begin.
    pub starts: Vec<usize>,
    /// The current conflict.
    pub analysis: Option<Analysis>,
    /// Decisions, conflicts, pivots and learned clauses so far.
    pub counts: [u32; 4],
    /// The literal of the last step.
    pub subject: Option<Lit>,
    /// Its premises in the theory.
    pub because: Vec<Lit>,
    back: Option<u32>,
}

/// The state after the first `count` steps.
#[must_use]
pub fn replay(steps: &[(Step, Option<u32>)], count: usize) -> Frame {
    let mut frame = Frame::default();
    steps.iter().take(count).for_each(|(step, _)| frame.apply(step));
    frame
}

impl Frame {
    fn apply(&mut self, step: &Step) {
        // Literals removed by the backjump are still shown with the learned clause.
        if let Some(level) = self.back.take() {
            self.analysis = None;
            self.back_to(level);
        }
        self.subject = None;
        self.because.clear();
        match step {
            Step::Began(trail, starts) => {
                self.starts = starts.iter().map(|s| *s as usize).collect();
                let known: HashMap<Lit, Mark> = self.trail.iter().copied().collect();
                let how = |(at, lit): (usize, &Lit)| match known.get(lit) {
                    _ if self.starts.contains(&at) => Mark::Decided,
                    Some(how) => *how,
                    None if self.starts.is_empty() => Mark::Fact,
                    None => Mark::Propagated,
                };
                self.trail = trail.iter().enumerate().map(|(at, l)| (*l, how((at, l)))).collect();
                self.analysis = None;
            }
            Step::Decided(lit) => {
                self.starts.push(self.trail.len());
                self.counts[0] += 1;
                self.push(*lit, Mark::Decided);
            }
            Step::Propagated(lit, _) => self.push(*lit, Mark::Propagated),
            Step::Implied(lit, because) => {
                self.push(*lit, Mark::Implied);
                self.because.clone_from(because);
            }
            Step::Asserted(lit) => self.subject = Some(*lit),
            Step::Pivoted(..) => self.counts[2] += 1,
            Step::Conflict(clause, theory) => {
                self.counts[1] += 1;
                let (clause, theory) = (clause.clone(), *theory);
                self.analysis = Some(Analysis { theory, clause, ..Analysis::default() });
            }
            Step::Resolved(on, reason, result) => {
                if let Some(analysis) = &mut self.analysis {
                    analysis.resolved.push((*on, reason.clone(), result.clone()));
                }
            }
            Step::Learned(clause, level) => {
                self.counts[3] += 1;
                self.back = Some(*level);
                let analysis = self.analysis.get_or_insert_default();
                analysis.learned = Some((clause.clone(), *level));
            }
            Step::Restarted => self.back_to(0),
            Step::Demanded(_) | Step::Consistent | Step::Found(_) | Step::Refuted | Step::GaveUp => {}
        }
    }

    fn push(&mut self, lit: Lit, how: Mark) {
        self.trail.push((lit, how));
        self.subject = Some(lit);
    }

    fn back_to(&mut self, level: u32) {
        if let Some(start) = self.starts.get(level as usize) {
            self.trail.truncate(*start);
            self.starts.truncate(level as usize);
        }
    }

    /// The false clause at this step: the conflict clause or the last resolvent.
    #[must_use]
    pub fn false_clause(&self) -> &[Lit] {
        let Some(analysis) = &self.analysis else { return &[] };
        analysis.resolved.last().map_or(&analysis.clause, |(_, _, result)| result)
    }

    /// The trail by level.
    #[must_use]
    pub fn levels(&self) -> Vec<&[(Lit, Mark)]> {
        let mut ends = self.starts.clone();
        ends.push(self.trail.len());
        let mut from = 0;
        let level = |end: usize| {
            let part = &self.trail[from.min(end)..end];
            from = end;
            part
        };
        ends.into_iter().map(level).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learned_takes_decisions_back() {
        let (a, b, c) = ((0, true), (1, true), (2, true));
        let not = |(atom, sign): Lit| (atom, !sign);
        let steps = [
            Step::Began(vec![a], vec![]),
            Step::Decided(b),
            Step::Propagated(c, vec![c, not(b)]),
            Step::Conflict(vec![not(c), not(a)], false),
            Step::Resolved(c, vec![c, not(b)], vec![not(b)]),
            Step::Learned(vec![not(b)], 0),
            Step::Propagated(not(b), vec![not(b)]),
        ]
        .map(|step| (step, None));
        let before = replay(&steps, 6);
        assert_eq!(before.levels().iter().map(|l| l.len()).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(before.false_clause(), [not(b)]);
        let after = replay(&steps, 7);
        assert_eq!(after.trail, [(a, Mark::Fact), (not(b), Mark::Propagated)]);
        assert_eq!((after.starts.len(), after.analysis, after.counts), (0, None, [1, 1, 0, 1]));
        assert_eq!(replay(&steps, 0), Frame::default());
    }
}

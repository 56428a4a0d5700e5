//! What a run costs: counts of each iteration, and their sums.

use serde::{Deserialize, Serialize};

/// Counts of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Rounds of abstraction and refinement.
    pub iterations: u32,
    /// Nodes ever added to the graph.
    pub nodes: u32,
    /// Predicates tracked, each as often as locations that track it.
    pub predicates: u32,
    /// Variables tracked, each as often as locations that track it.
    pub variables: u32,
    /// Abstract states that need not be explored again after a refinement.
    pub kept: u32,
    /// Concrete states reached by explicit search, without those inside a step and those at the error location.
    pub concrete: u32,
    /// Queries to the solver.
    pub queries: u32,
}

impl Counts {
    /// The sums over these iterations.
    #[must_use]
    pub fn of(iterations: &[IterationCounts]) -> Counts {
        let sum = |of: fn(&IterationCounts) -> u32| iterations.iter().map(of).sum();
        Counts {
            iterations: u32::try_from(iterations.len()).unwrap_or(u32::MAX),
            nodes: sum(|i| i.nodes),
            predicates: sum(|i| i.predicates),
            variables: sum(|i| i.variables),
            kept: sum(|i| i.kept),
            concrete: sum(|i| i.concrete),
            queries: sum(|i| i.queries),
        }
    }
}

/// The counts of one iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct IterationCounts {
    /// Nodes added.
    pub nodes: u32,
    /// Predicates found, each as often as locations that track it.
    pub predicates: u32,
    /// Variables found, each as often as locations that track it.
    pub variables: u32,
    /// Abstract states that the next iteration need not explore again.
    pub kept: u32,
    /// Concrete states reached by explicit search.
    pub concrete: u32,
    /// Queries to the solver.
    pub queries: u32,
}

//! The reachability graph: which firing leads from which marking to which.

use super::TransitionId;

/// A firing, as an edge of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Firing {
    /// The transition.
    pub transition: TransitionId,
    /// The number of the marking after it.
    pub to: u32,
}

/// The edges of the markings that have been expanded, in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Where the edges of each marking start, and the end of the last ones.
    starts: Vec<usize>,
    firings: Vec<Firing>,
}

impl Default for Graph {
    fn default() -> Graph {
        Graph { starts: vec![0], firings: Vec::new() }
    }
}

impl Graph {
    /// The number of markings with their edges.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Has no marking been expanded?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of edges.
    #[must_use]
    pub fn firings(&self) -> usize {
        self.firings.len()
    }

    /// The edges of a marking; none if it has not been expanded.
    #[must_use]
    pub fn after(&self, marking: usize) -> &[Firing] {
        let Some(end) = self.starts.get(marking + 1) else { return &[] };
        &self.firings[self.starts[marking]..*end]
    }

    /// Adds an edge of the marking that is expanded.
    pub(super) fn push_firing(&mut self, firing: Firing) {
        self.firings.push(firing);
    }

    /// The marking that is expanded has no more edges.
    pub(super) fn finish_marking(&mut self) {
        self.starts.push(self.firings.len());
    }

    /// The edges backwards; `markings` is the number of all markings, with those that have not been expanded.
    ///
    /// # Panics
    /// If an edge leads to another marking.
    #[must_use]
    pub fn reversed(&self, markings: usize) -> Reversed {
        let mut starts = vec![0_usize; markings + 1];
        for firing in &self.firings {
            starts[firing.to as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut sources = vec![0_u32; self.firings.len()];
        for from in 0..self.len() {
            for firing in self.after(from) {
                let at = &mut next[firing.to as usize];
                sources[*at] = u32::try_from(from).expect("at most 2^32 markings");
                *at += 1;
            }
        }
        Reversed { starts, sources }
    }
}

/// The edges of a graph, backwards.
#[derive(Clone, Debug)]
pub struct Reversed {
    starts: Vec<usize>,
    sources: Vec<u32>,
}

impl Reversed {
    /// The markings from which an edge leads to this one; with several edges, several times.
    #[must_use]
    pub fn before(&self, marking: usize) -> &[u32] {
        &self.sources[self.starts[marking]..self.starts[marking + 1]]
    }
}

//! Why there is no accepting cycle: a rank for each abstract state that no step increases, and that decreases when an
//! accepting state is left. The components of the graph, numbered after those that they lead to, are such ranks.

use std::ops::ControlFlow::Break;

use super::{LassoCegar, ROOT, Stage};
use crate::buchi::emptiness::Graph as _;
use crate::buchi::{components, hoa};
use crate::cegar::{Next, Outcome};
use crate::certificate::{Certificate, ProgressNode};
use crate::kit::{Event, NodeId, Sink, UnknownReason, Verdict};

impl LassoCegar {
    /// The search found no accepting cycle.
    pub(super) fn holds<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        let Some(certificate) = self.progress() else {
            return LassoCegar::give_up(sink, UnknownReason::TooLarge);
        };
        sink.event(Event::Decided { verdict: Verdict::Holds });
        Break(Box::new(Outcome { verdict: Verdict::Holds, certificate: Some(certificate) }))
    }

    fn progress(&mut self) -> Option<Certificate> {
        let successors = |v: usize| self.graph.successors(v).unwrap_or_default().to_vec();
        let ranks = components(self.graph.out.len(), std::iter::once(ROOT), &successors);
        let mut nodes = Vec::new();
        for (v, rank) in ranks.of.iter().enumerate() {
            let Some(rank) = rank else { continue };
            let state = self.cegar.arg.node(NodeId::new(v)).state.clone();
            let (location, automaton) = self.product.pairs[state.location.index()];
            let meaning = self.cegar.encoding.meaning(&state);
            nodes.push(ProgressNode {
                location: self.model.location(location).name.clone(),
                state: automaton.map(|q| q.0),
                rank: vec![rank.to_string()],
                formula: self.cegar.encoding.whole_text(meaning)?,
            });
        }
        Some(Certificate::Progress { automaton: hoa::print(&self.product.automaton, ""), nodes })
    }
}

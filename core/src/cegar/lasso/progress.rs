//! Why there is no accepting cycle: a rank for each abstract state that no step increases, and that decreases when an
//! accepting state is left. The components of the graph, numbered after those that they lead to, are such ranks.

use std::ops::ControlFlow::Break;

use super::{LassoCegar, ROOT, Stage};
use crate::buchi::emptiness::Graph as _;
use crate::buchi::{components, hoa};
use crate::cegar::{Next, Outcome};
use crate::certificate::{Certificate, ProgressNode};
use crate::kit::{Event, NodeId, Sink, UnknownReason, Verdict};
use crate::ltl::Product;
use crate::system::{LocationId, System};

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
            let meaning = self.cegar.encoding.meaning(&state);
            nodes.push((state.location, vec![rank.to_string()], self.cegar.encoding.whole_text(meaning)?));
        }
        Some(certificate(&self.model, &self.product, nodes))
    }
}

/// The certificate made of sets of states of the product: location, rank and formula.
pub(crate) fn certificate(
    model: &System,
    product: &Product,
    sets: Vec<(LocationId, Vec<String>, String)>,
) -> Certificate {
    let node = |(location, rank, formula): (LocationId, Vec<String>, String)| {
        let (location, state) = product.pairs[location.index()];
        let location = model.location(location).name.clone();
        ProgressNode { location, state: state.map(|q| q.0), rank, formula }
    };
    let nodes = sets.into_iter().map(node).collect();
    Certificate::Progress { automaton: hoa::print(&product.automaton, ""), nodes }
}

//! Why there is no accepting cycle: a rank for each abstract state that no step increases, and that decreases when an
//! accepting state is left. The components of the graph, numbered after those that they lead to, are such ranks.

use std::collections::BTreeMap;
use std::ops::ControlFlow::Break;

use super::{LassoCegar, Stage};
use crate::buchi::emptiness::Vertex;
use crate::certificate::Certificate;
use crate::kit::{NodeId, Sink, UnknownReason, Verdict};
use crate::methods::lasso::progress::certificate;
use crate::methods::outcome::{Next, done, stop};

impl LassoCegar {
    /// No accepting cycle can be repeated infinitely often; the vertices of the graph have these ranks.
    pub(super) fn holds<S: Sink>(
        &mut self,
        ranks: &BTreeMap<Vertex, Vec<String>>,
        sink: &mut S,
    ) -> Next<Stage> {
        let Some(certificate) = self.progress(ranks) else {
            return stop(UnknownReason::TooLarge, sink);
        };
        Break(Box::new(done(Verdict::Holds, Some(certificate), sink)))
    }

    fn progress(&mut self, ranks: &BTreeMap<Vertex, Vec<String>>) -> Option<Certificate> {
        let mut nodes = Vec::new();
        for (v, rank) in ranks {
            let state = self.cegar.arg.node(NodeId::new(*v)).state.clone();
            let mut parts = Vec::with_capacity(rank.len());
            for part in rank {
                // The number of a measure, or a number.
                parts.push(match part.strip_prefix('#') {
                    None => part.clone(),
                    Some(m) => {
                        let measure = &self.measures[m.parse::<usize>().expect("the number of a measure")];
                        self.cegar.encoding.whole_text(measure.at[&state.location])?
                    }
                });
            }
            let meaning = self.cegar.encoding.meaning(&state);
            nodes.push((state.location, parts, self.cegar.encoding.whole_text(meaning)?));
        }
        Some(certificate(&self.model, &self.product, nodes))
    }
}

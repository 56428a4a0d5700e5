//! How the run of an engine ends.

use std::ops::ControlFlow::{self, Break};

use crate::certificate::Certificate;
use crate::kit::{Event, Sink, UnknownReason, Verdict};
use crate::system::{EdgeId, System};

/// How the run of an engine ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// Its certificate, unless the verdict is unknown.
    pub certificate: Option<Certificate>,
}

impl Outcome {
    /// Is it a run of a chart that ends because it cannot continue?
    pub(crate) fn ends_in_fault(&self, system: &System) -> bool {
        let Some(Certificate::Trace { states }) = &self.certificate else { return false };
        let mut edges = states.iter().filter_map(|state| state.edge.map(EdgeId));
        system.fault.is_some_and(|fault| edges.any(|edge| system.edge(edge).target == fault))
    }
}

/// The next stage of an engine, or the outcome of its run.
pub(crate) type Next<Stage> = ControlFlow<Box<Outcome>, Stage>;

/// The run ends with this verdict.
pub(crate) fn done<S: Sink>(verdict: Verdict, certificate: Option<Certificate>, sink: &mut S) -> Outcome {
    sink.event(Event::Decided { verdict });
    Outcome { verdict, certificate }
}

/// The outcome unknown.
pub(crate) fn give_up<S: Sink>(why: UnknownReason, sink: &mut S) -> Outcome {
    done(Verdict::Unknown(why), None, sink)
}

/// The run ends with unknown.
pub(crate) fn stop<Stage, S: Sink>(why: UnknownReason, sink: &mut S) -> Next<Stage> {
    Break(Box::new(give_up(why, sink)))
}

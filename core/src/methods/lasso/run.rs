//! From a lasso of the product, given by a model, to one of the system, replayed in the interpreter.

use crate::certificate::{Certificate, TraceState};
use crate::expr::EvalError;
use crate::kit::UnknownReason;
use crate::system::{EdgeId, State, System, VarId};
use crate::temporal::Product;

/// A run of the system: each state with the edge that leads to it; none of the first one, and none where the state
/// before it is repeated.
type Run = Vec<(Option<EdgeId>, State)>;

/// Replays edges of the product in the interpreter; only initial and nondeterministic values come from `states`. The
/// cycle begins at position `back` and ends with the last edge. Dead variables may differ at its ends, and others if
/// there is a recurrent set. If a state repeats after some iterations, the recurrent set is not needed.
///
/// # Errors
/// Why the run cannot be reported.
pub(crate) fn certificate(
    model: &System,
    product: &Product,
    edges: &[EdgeId],
    states: &[State],
    (back, mut recurrent_set): (usize, Option<String>),
) -> Result<Certificate, UnknownReason> {
    let mut run: Run = vec![(None, states[0].clone())];
    let mut start = 0;
    for (i, step) in edges.iter().enumerate() {
        if i == back {
            start = run.len() - 1;
        }
        let source = product.system.edge(*step).source;
        let edge = product.edges[step.index()];
        // The first letter is read without a step of the system.
        if edge.is_some() || product.pairs[source.index()].1.is_some() {
            let state = after(model, edge, &run[run.len() - 1].1, &states[i + 1])?;
            run.push((edge, state));
        }
    }
    let needed = recurrent_set.is_some() || matters(model, product, [&run[start].1, &run[run.len() - 1].1]);
    if needed && let Some(begin) = settled(model, &mut run, start) {
        (start, recurrent_set) = (begin, None);
    }
    let mut states: Vec<TraceState> =
        run.iter().map(|(edge, state)| TraceState::new(model, *edge, state)).collect();
    // A state that repeats the one before it has the same location.
    for i in 1..states.len() {
        if states[i].edge.is_none() {
            states[i].location = states[i - 1].location.clone();
        }
    }
    Ok(Certificate::Lasso { states, back: start, recurrent_set })
}

/// Does it matter that a cycle ends in another state than it begins in? It does if a variable that differs occurs in
/// the formula or may leave its range.
fn matters(model: &System, product: &Product, [first, last]: [&State; 2]) -> bool {
    let differs = |v: &VarId| first[v.index()] != last[v.index()];
    let promised = |v: &VarId| model.variable(*v).promised.is_some();
    model.var_ids().any(|v| promised(&v) && differs(&v)) || product.named.iter().any(differs)
}

/// The greatest number of further iterations of the cycle.
const ROUNDS: usize = 8;

/// Repeats the cycle, with the same choices, until it ends in a state in which an earlier iteration began, and adds the
/// iterations before that one to the stem; gives the start of the new cycle. Otherwise it is unknown whether changing
/// values stay in their range and keep parts of the formula true. Without such a state, the run is unchanged.
fn settled(model: &System, run: &mut Run, start: usize) -> Option<usize> {
    let length = run.len() - 1 - start;
    let mut longer = run.clone();
    for round in 0..=ROUNDS {
        let end = longer.len() - 1;
        let mut begins = (0..=round).map(|i| start + i * length);
        if let Some(begin) = begins.find(|i| longer[*i].1 == longer[end].1) {
            *run = longer;
            return Some(begin);
        }
        for i in end - length + 1..=end {
            let (edge, choices) = longer[i].clone();
            let state = after(model, edge, &longer[longer.len() - 1].1, &choices).ok()?;
            longer.push((edge, state));
        }
    }
    None
}

/// The state after an edge with the choices of `result`; without an edge, the same one.
fn after(
    model: &System,
    edge: Option<EdgeId>,
    before: &State,
    result: &State,
) -> Result<State, UnknownReason> {
    let Some(edge) = edge else { return Ok(before.clone()) };
    let next = model.post(&model.edge(edge).op, before, &mut |v| result[v.index()].clone());
    let next = next.map_err(|e| match e {
        EvalError::Overflow => UnknownReason::Overflow,
        _ => UnknownReason::Solver,
    })?;
    let next = next.ok_or(UnknownReason::Solver)?;
    if model.keeps_promises(&next) { Ok(next) } else { Err(UnknownReason::Overflow) }
}

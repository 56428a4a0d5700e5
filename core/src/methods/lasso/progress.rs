//! The certificate that no reachable cycle of the product contains an accepting state: sets of states with ranks.

use crate::buchi::hoa;
use crate::certificate::{Certificate, ProgressNode};
use crate::system::{LocationId, System};
use crate::temporal::Product;

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

//! An order of the places in which those that a transition connects are close to each other (Aloul, Markov and
//! Sakallah, "FORCE: A Fast and Easy-To-Implement Variable-Ordering Heuristic", 2003).

use super::{Net, PlaceId, Transition};

/// The greatest number of rounds.
const ROUNDS: usize = 200;

/// The places in such an order.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "positions are small numbers")]
pub fn force(net: &Net) -> Vec<PlaceId> {
    let places = |t: &Transition| -> Vec<usize> {
        let mut all: Vec<usize> =
            t.inputs.iter().chain(&t.outputs).chain(&t.inhibitors).map(|a| a.place.index()).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let edges: Vec<Vec<usize>> = net.transitions.iter().map(places).filter(|e| e.len() > 1).collect();
    let mut order: Vec<PlaceId> = net.place_ids().collect();
    let mut best = (usize::MAX, order.clone());
    for _ in 0..ROUNDS {
        let mut position = vec![0_usize; order.len()];
        order.iter().enumerate().for_each(|(i, p)| position[p.index()] = i);
        let span = |e: &Vec<usize>| {
            let (least, most) =
                e.iter().fold((usize::MAX, 0), |(a, b), p| (a.min(position[*p]), b.max(position[*p])));
            most - least
        };
        let total: usize = edges.iter().map(span).sum();
        if total >= best.0 {
            break;
        }
        best = (total, order.clone());
        let mut sums = vec![(0.0, 0.0); order.len()];
        for e in &edges {
            let centre = e.iter().map(|p| position[*p] as f64).sum::<f64>() / e.len() as f64;
            for p in e {
                sums[*p].0 += centre;
                sums[*p].1 += 1.0;
            }
        }
        let target = |p: &PlaceId| match sums[p.index()] {
            (_, 0.0) => position[p.index()] as f64,
            (sum, count) => sum / count,
        };
        order.sort_by(|a, b| target(a).total_cmp(&target(b)).then(a.cmp(b)));
    }
    best.1
}

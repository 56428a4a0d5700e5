//! Random Petri nets with what is true of them, by enumeration with the firing rule.

use std::collections::{BTreeMap, HashMap};

use veristep_core::net::reduce::Rule;
use veristep_core::net::{Marking, Net};

use crate::random::Rng;

/// A random net as a text. Small numbers make properties true and false in turn.
pub fn net(rng: &mut Rng) -> String {
    let places = 1 + rng.below(5);
    let mut text = "net random {\n".to_owned();
    for i in 0..places {
        text.push_str(&format!("  place p{i} = {}\n", rng.below(3)));
    }
    for t in 0..1 + rng.below(6) {
        let side = |rng: &mut Rng, most: usize, separator: &str| {
            let mut arcs: BTreeMap<usize, usize> = BTreeMap::new();
            for _ in 0..rng.below(most) {
                arcs.insert(rng.below(places), 1 + rng.below(5) / 4);
            }
            let arc = |(p, w): (&usize, &usize)| if *w == 1 { format!("p{p}") } else { format!("{w} p{p}") };
            arcs.iter().map(arc).collect::<Vec<_>>().join(separator)
        };
        let (inputs, outputs) = (side(rng, 4, " + "), side(rng, 3, " + "));
        let inhibitors = if rng.below(6) == 0 { side(rng, 3, ", ") } else { String::new() };
        let unless = if inhibitors.is_empty() { String::new() } else { format!(" unless {inhibitors}") };
        text.push_str(&format!("  transition t{t}: {inputs} -> {outputs}{unless}\n"));
    }
    text.push_str("}\n");
    text
}

/// The reachable markings with the numbers of their successors; none if there are more than the limit.
pub fn graph(net: &Net, limit: usize) -> Option<(Vec<Marking>, Vec<Vec<usize>>)> {
    let mut markings = vec![net.initial()];
    let mut numbers: HashMap<Marking, usize> = HashMap::from([(net.initial(), 0)]);
    let mut after = Vec::new();
    while after.len() < markings.len() {
        let from = markings[after.len()].clone();
        let mut own = Vec::new();
        for t in net.enabled(&from) {
            let mut to = from.clone();
            net.fire(&mut to, t).ok()?;
            let next = markings.len();
            let number = *numbers.entry(to.clone()).or_insert(next);
            if number == next {
                markings.push(to);
            }
            own.push(number);
        }
        after.push(own);
        if markings.len() > limit {
            return None;
        }
    }
    Some((markings, after))
}

/// A condition on a marking, with its meaning.
pub struct Condition {
    /// As it is asked.
    pub text: String,
    /// Is it true in a marking?
    pub holds: Box<dyn Fn(&Marking) -> bool>,
}

/// A random condition.
pub fn condition(rng: &mut Rng, net: &Net) -> Condition {
    let n = net.places.len();
    let (a, b) = (rng.below(n), rng.below(n));
    let bound = u32::try_from(rng.below(4)).unwrap();
    match rng.below(6) {
        0 => Condition { text: format!("p{a} <= {bound}"), holds: Box::new(move |m| m[a] <= bound) },
        1 => Condition { text: format!("p{a} = {bound}"), holds: Box::new(move |m| m[a] == bound) },
        2 => Condition {
            text: format!("p{a} + 2 * p{b} > {bound}"),
            holds: Box::new(move |m| m[a] + 2 * m[b] > bound),
        },
        3 => Condition { text: format!("p{a} >= p{b}"), holds: Box::new(move |m| m[a] >= m[b]) },
        4 => Condition {
            text: format!("!(p{a} = 1 && p{b} != {bound})"),
            holds: Box::new(move |m| !(m[a] == 1 && m[b] != bound)),
        },
        _ => {
            let t = rng.below(net.transitions.len());
            let t = veristep_core::net::TransitionId::new(t);
            let net = net.clone();
            Condition { text: format!("fireable({t})"), holds: Box::new(move |m| net.is_enabled(m, t)) }
        }
    }
}

/// A formula of branching time, with the set of markings that satisfy it.
pub fn formula(
    rng: &mut Rng,
    net: &Net,
    graph: &(Vec<Marking>, Vec<Vec<usize>>),
    depth: usize,
) -> (String, Vec<bool>) {
    let (markings, after) = graph;
    let n = markings.len();
    if depth == 0 || rng.below(5) == 0 {
        let c = condition(rng, net);
        return (c.text, markings.iter().map(|m| (c.holds)(m)).collect());
    }
    let (a_text, a) = formula(rng, net, graph, depth - 1);
    let exists = rng.below(2) == 0;
    let letter = if exists { "E" } else { "A" };
    // On a path to a successor in the set, or on all paths, of which there is one.
    let step = |set: &[bool], m: usize| {
        if exists {
            after[m].iter().any(|x| set[*x])
        } else {
            !after[m].is_empty() && after[m].iter().all(|x| set[*x])
        }
    };
    let fixed = |start: bool, inside: &dyn Fn(&[bool], usize) -> bool| {
        let mut set = vec![start; n];
        // At most one marking changes in each round.
        for _ in 0..=n {
            let next: Vec<bool> = (0..n).map(|m| inside(&set, m)).collect();
            if next == set {
                break;
            }
            set = next;
        }
        set
    };
    let ends = |m: usize| after[m].is_empty();
    match rng.below(8) {
        0 => (format!("!({a_text})"), a.iter().map(|x| !x).collect()),
        1 => {
            let (b_text, b) = formula(rng, net, graph, depth - 1);
            (format!("({a_text}) && ({b_text})"), (0..n).map(|m| a[m] && b[m]).collect())
        }
        2 => {
            let next = |m: usize| if exists { step(&a, m) } else { after[m].iter().all(|x| a[*x]) };
            (format!("{letter}X ({a_text})"), (0..n).map(next).collect())
        }
        3 => (format!("{letter}F ({a_text})"), fixed(false, &|z, m| a[m] || step(z, m))),
        4 => (format!("{letter}G ({a_text})"), fixed(true, &|z, m| a[m] && (ends(m) || step(z, m)))),
        which => {
            let (b_text, b) = formula(rng, net, graph, depth - 1);
            let (op, set) = match which {
                5 => ("U", fixed(false, &|z, m| b[m] || a[m] && step(z, m))),
                6 => ("R", fixed(true, &|z, m| b[m] && (a[m] || ends(m) || step(z, m)))),
                _ => ("W", fixed(true, &|z, m| b[m] || a[m] && (ends(m) || step(z, m)))),
            };
            (format!("{letter}[({a_text}) {op} ({b_text})]"), set)
        }
    }
}

/// Two random conditions, joined by an operator.
#[must_use]
pub fn joined(rng: &mut Rng, net: &Net) -> Condition {
    let (a, b) = (condition(rng, net), condition(rng, net));
    let op = *rng.pick(&["&&", "||", "->", "<->", "xor"]);
    let text = format!("({}) {op} ({})", a.text, b.text);
    let holds = move |m: &Marking| {
        let (a, b) = ((a.holds)(m), (b.holds)(m));
        match op {
            "&&" => a && b,
            "||" => a || b,
            "->" => !a || b,
            "<->" => a == b,
            _ => a != b,
        }
    };
    Condition { text, holds: Box::new(holds) }
}

/// Any structural reduction, possible or not.
pub fn rule(rng: &mut Rng, net: &Net) -> Rule {
    let (places, transitions) = (net.places.len(), net.transitions.len());
    let number = |n: usize| u32::try_from(n).expect("nets are small");
    let place = |rng: &mut Rng| number(rng.below(places + 1));
    let transition = |rng: &mut Rng| number(rng.below(transitions + 2));
    match rng.below(8) {
        0 => Rule::SequentialTransition(place(rng), transition(rng)),
        1 => Rule::SequentialPlace(place(rng)),
        2 => Rule::ParallelPlace(place(rng), place(rng)),
        3 => Rule::ParallelTransition(transition(rng), transition(rng)),
        4 => Rule::DeadTransition(transition(rng), place(rng)),
        5 => Rule::RedundantPlace(place(rng)),
        6 => Rule::RedundantTransition(transition(rng)),
        _ => Rule::IrrelevantTransitions((0..transitions).filter(|_| rng.one_in(2)).map(number).collect()),
    }
}

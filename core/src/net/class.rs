//! Structural classes of nets (Murata 1989, section III.B).

use super::{Net, Node, PlaceArc};

/// The classes of a net, from its arcs alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// All weights are 1, and there are no inhibitor arcs.
    pub is_ordinary: bool,
    /// Each transition has one input and one output place.
    pub is_state_machine: bool,
    /// Each place has one input and one output transition.
    pub is_marked_graph: bool,
    /// Transitions that share an input place have no other input places.
    pub is_free_choice: bool,
    /// Transitions that share an input place have the same input places.
    pub is_extended_free_choice: bool,
    /// Of two places with a common output transition, the output transitions of one include those of the other.
    pub is_asymmetric_choice: bool,
    /// No transition has the same place as input and output.
    pub is_pure: bool,
    /// Are all places and transitions connected, whatever the direction of arcs?
    pub is_connected: bool,
}

impl Class {
    /// The classes of a net.
    #[must_use]
    pub fn of(net: &Net) -> Class {
        let arcs = || net.transitions.iter().flat_map(|t| t.inputs.iter().chain(&t.outputs));
        let is_ordinary = arcs().all(|a| a.weight == 1) && !net.has_inhibitors();
        let (mut before, mut after) =
            (vec![Vec::new(); net.places.len()], vec![Vec::new(); net.places.len()]);
        for (i, t) in net.transitions.iter().enumerate() {
            t.inputs.iter().for_each(|a| after[a.place.index()].push(i));
            t.outputs.iter().for_each(|a| before[a.place.index()].push(i));
        }
        let places = |arcs: &[PlaceArc]| arcs.iter().map(|a| a.place).collect::<Vec<_>>();
        let inputs: Vec<_> = net.transitions.iter().map(|t| places(&t.inputs)).collect();
        let shared = || after.iter().filter(|a| a.len() > 1);
        let within = |a: &Vec<usize>, b: &Vec<usize>| a.iter().all(|t| b.contains(t));
        Class {
            is_ordinary,
            is_state_machine: is_ordinary
                && net.transitions.iter().all(|t| t.inputs.len() == 1 && t.outputs.len() == 1),
            is_marked_graph: is_ordinary
                && before.iter().zip(&after).all(|(b, a)| b.len() == 1 && a.len() == 1),
            is_free_choice: is_ordinary && shared().all(|ts| ts.iter().all(|t| inputs[*t].len() == 1)),
            is_extended_free_choice: is_ordinary
                && shared().all(|ts| ts.iter().all(|t| inputs[*t] == inputs[ts[0]])),
            is_asymmetric_choice: is_ordinary
                && inputs.iter().all(|all| {
                    let mut sets: Vec<&Vec<usize>> = all.iter().map(|p| &after[p.index()]).collect();
                    sets.sort_by_key(|s| s.len());
                    sets.windows(2).all(|pair| within(pair[0], pair[1]))
                }),
            is_pure: net
                .transitions
                .iter()
                .all(|t| t.inputs.iter().all(|a| super::weight(&t.outputs, a.place) == 0)),
            is_connected: is_connected(net),
        }
    }

    /// The name of the smallest class, for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Class { is_state_machine: true, is_marked_graph: true, .. } => "state machine and marked graph",
            Class { is_state_machine: true, .. } => "state machine",
            Class { is_marked_graph: true, .. } => "marked graph",
            Class { is_free_choice: true, .. } => "free-choice net",
            Class { is_extended_free_choice: true, .. } => "extended free-choice net",
            Class { is_asymmetric_choice: true, .. } => "asymmetric-choice net",
            Class { is_ordinary: true, .. } => "ordinary net",
            _ => "general net",
        }
    }
}

fn is_connected(net: &Net) -> bool {
    let index = |node: Node| match node {
        Node::Place(p) => p.index(),
        Node::Transition(t) => net.places.len() + t.index(),
    };
    let mut parent: Vec<usize> = (0..net.places.len() + net.transitions.len()).collect();
    fn root(parent: &mut [usize], mut at: usize) -> usize {
        while parent[at] != at {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        at
    }
    for t in net.transition_ids() {
        let own = index(Node::Transition(t));
        let t = net.transition(t);
        for a in t.inputs.iter().chain(&t.outputs).chain(&t.inhibitors) {
            let (a, b) = (root(&mut parent, own), root(&mut parent, index(Node::Place(a.place))));
            parent[a] = b;
        }
    }
    let count = (0..parent.len()).filter(|i| parent[*i] == *i).count();
    count <= 1
}

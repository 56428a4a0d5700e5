//! The coverability tree (Karp and Miller, "Parallel Program Schemata", 1969), for nets without inhibitor arcs: it is
//! finite for every net, and the places in which ω occurs are the unbounded ones.
//!
//! ```text
//! the root is the initial marking
//! for each new node, in the order of creation
//!   it equals a node above it → it has no children
//!   for each enabled transition: the marking after it; for each node above with a smaller marking,
//!   the places that have grown get ω
//! ```

use super::{Net, TransitionId};

/// The number of tokens of a place, or ω: as many as wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Count {
    /// So many.
    Tokens(u32),
    /// Any number can be exceeded.
    Omega,
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Count::Tokens(n) => write!(f, "{n}"),
            Count::Omega => f.write_str("ω"),
        }
    }
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverNode {
    /// The marking.
    pub marking: Vec<Count>,
    /// The node above, and the transition that leads here.
    pub from: Option<(usize, TransitionId)>,
    /// Does it equal a node above it?
    pub is_repeated: bool,
    /// Does it enable no transition?
    pub is_dead: bool,
}

/// The coverability tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The nodes; the first is the root.
    pub nodes: Vec<CoverNode>,
}

/// Why there is no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTree {
    /// The net has inhibitor arcs, for which the construction is wrong.
    Inhibitors,
    /// It has more nodes than the limit.
    TooLarge,
}

/// A proof that a net is unbounded: after the first firings, the others lead to a marking with at least as many tokens
/// in each place and more in some, so they can be repeated for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pump {
    /// The firings before.
    pub stem: Vec<TransitionId>,
    /// The firings that are repeated.
    pub cycle: Vec<TransitionId>,
}

impl Tree {
    /// The tree of a net, with at most so many nodes.
    ///
    /// # Errors
    /// Why there is none.
    pub fn of(net: &Net, most: usize) -> Result<Tree, NoTree> {
        Tree::grown(net, most, false)
    }

    /// A proof that a net is unbounded, if the first nodes of its tree have one.
    #[must_use]
    pub fn pump(net: &Net, most: usize) -> Option<Pump> {
        let Tree { nodes } = Tree::grown(net, most, true).ok()?;
        // It is the only node with ω, so the path to it is a sequence of firings.
        let last = nodes.len() - 1;
        let is_omega = |n: &Count| *n == Count::Omega;
        nodes[last].marking.iter().any(is_omega).then_some(())?;
        let (mut marking, mut path) = (vec![nodes[0].marking.clone()], Vec::new());
        let mut at = last;
        while let Some((before, t)) = nodes[at].from {
            path.push(t);
            at = before;
        }
        path.reverse();
        for t in &path {
            let after = fired(net, marking.last()?, *t).ok()??;
            marking.push(after);
        }
        let end = marking.last()?;
        let less = |m: &Vec<Count>| m != end && m.iter().zip(end).all(|(a, b)| a <= b);
        let start = marking.iter().rposition(less)?;
        let cycle = path.split_off(start);
        Some(Pump { stem: path, cycle })
    }

    /// The tree, or its part up to the first node with ω.
    fn grown(net: &Net, most: usize, until_omega: bool) -> Result<Tree, NoTree> {
        if net.has_inhibitors() {
            return Err(NoTree::Inhibitors);
        }
        let marking = net.initial().into_iter().map(Count::Tokens).collect();
        let mut nodes = vec![CoverNode { marking, from: None, is_repeated: false, is_dead: false }];
        let mut at = 0;
        while at < nodes.len() {
            let above: Vec<usize> =
                std::iter::successors(nodes[at].from, |(n, _)| nodes[*n].from).map(|(n, _)| n).collect();
            nodes[at].is_repeated = above.iter().any(|n| nodes[*n].marking == nodes[at].marking);
            if !nodes[at].is_repeated {
                let mut is_dead = true;
                for t in net.transition_ids() {
                    let Some(mut marking) =
                        fired(net, &nodes[at].marking, t).map_err(|()| NoTree::TooLarge)?
                    else {
                        continue;
                    };
                    is_dead = false;
                    for n in std::iter::once(at).chain(above.iter().copied()) {
                        let smaller = &nodes[n].marking;
                        if *smaller != marking && smaller.iter().zip(&marking).all(|(a, b)| a <= b) {
                            for (own, less) in marking.iter_mut().zip(smaller) {
                                if less < own {
                                    *own = Count::Omega;
                                }
                            }
                        }
                    }
                    let from = Some((at, t));
                    let is_unbounded = marking.contains(&Count::Omega);
                    nodes.push(CoverNode { marking, from, is_repeated: false, is_dead: false });
                    if until_omega && is_unbounded {
                        return Ok(Tree { nodes });
                    }
                }
                nodes[at].is_dead = is_dead;
            }
            if nodes.len() > most {
                return Err(NoTree::TooLarge);
            }
            at += 1;
        }
        Ok(Tree { nodes })
    }

    /// By place, the greatest number of tokens in a reachable marking, or ω.
    #[must_use]
    pub fn bounds(&self) -> Vec<Count> {
        let mut bounds = self.nodes[0].marking.clone();
        for node in &self.nodes {
            for (bound, count) in bounds.iter_mut().zip(&node.marking) {
                *bound = (*bound).max(*count);
            }
        }
        bounds
    }

    /// Is every place bounded?
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        !self.bounds().contains(&Count::Omega)
    }
}

/// The marking after a firing; none if the transition is not enabled.
fn fired(net: &Net, marking: &[Count], t: TransitionId) -> Result<Option<Vec<Count>>, ()> {
    let t = net.transition(t);
    let mut after = marking.to_vec();
    for a in &t.inputs {
        if let Count::Tokens(n) = &mut after[a.place.index()] {
            match n.checked_sub(a.weight) {
                Some(left) => *n = left,
                None => return Ok(None),
            }
        }
    }
    for a in &t.outputs {
        if let Count::Tokens(n) = &mut after[a.place.index()] {
            *n = n.checked_add(a.weight).ok_or(())?;
        }
    }
    Ok(Some(after))
}

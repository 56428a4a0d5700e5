//! Facts about a net, from its structure and from its reachable markings.

use super::class::Class;
use super::explore::{Explorer, Keep};
use super::graph::Graph;
use super::invariants::{self, Invariant};
use super::siphons::{self, Kind, Places};
use super::symbolic::Diagram;
use super::{Net, TransitionId};

/// Limits of the analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Markings of the reachability graph.
    pub markings: usize,
    /// Nodes of the coverability tree.
    pub cover: usize,
    /// Minimal invariants, siphons and traps.
    pub sets: usize,
    /// Nodes of a decision diagram.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { markings: 3_000_000, cover: 20_000, sets: 1_000, nodes: 1_000_000 }
    }
}

/// The greatest number of markings of a graph on which liveness and home states are computed.
const GRAPH: usize = 2_000_000;

/// Places times transitions of the nets whose siphons and traps are computed.
const SMALL: usize = 4_000_000;

/// Liveness of a transition (Murata 1989, section IV.C), as far as the finite graph decides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Liveness {
    /// Level 0: it can never fire.
    Dead,
    /// Level 1: it can fire, but not infinitely often.
    Potentially,
    /// Level 3: some run fires it infinitely often. (In a bounded net, levels 2 and 3 are the same.)
    Infinitely,
    /// Level 4: from every reachable marking a marking can be reached in which it is enabled.
    Live,
}

/// What the structure says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// The class of the net.
    pub class: Class,
    /// The minimal place invariants, if there are not too many.
    pub place_invariants: Option<Vec<Invariant>>,
    /// The minimal transition invariants, if there are not too many.
    pub transition_invariants: Option<Vec<Invariant>>,
    /// The minimal siphons, if there are not too many.
    pub siphons: Option<Vec<Places>>,
    /// The minimal traps, if there are not too many.
    pub traps: Option<Vec<Places>>,
    /// By place, an upper bound that place invariants give.
    pub bounds: Vec<Option<u32>>,
}

impl Structure {
    /// The class only.
    #[must_use]
    pub fn of_class(net: &Net) -> Structure {
        Structure {
            class: Class::of(net),
            place_invariants: None,
            transition_invariants: None,
            siphons: None,
            traps: None,
            bounds: vec![None; net.places.len()],
        }
    }

    /// Computes it.
    #[must_use]
    pub fn of(net: &Net, limits: Limits) -> Structure {
        let place_invariants = invariants::of_places(net, limits.sets).ok();
        let bounds = match &place_invariants {
            Some(all) => invariants::bounds(net, all),
            None => vec![None; net.places.len()],
        };
        // Of large nets they are too many anyway.
        let is_small = net.places.len().saturating_mul(net.transitions.len()) <= SMALL;
        let sets = |kind: Kind| if is_small { siphons::minimal(net, kind, limits.sets).ok() } else { None };
        Structure {
            class: Class::of(net),
            transition_invariants: invariants::of_transitions(net, limits.sets).ok(),
            siphons: sets(Kind::Siphon),
            traps: sets(Kind::Trap),
            bounds,
            place_invariants,
        }
    }

    /// The minimal siphons without a trap inside that is marked at the start: those that may lose all tokens.
    #[must_use]
    pub fn open_siphons(&self, net: &Net) -> Option<Vec<&Places>> {
        let initial = net.initial();
        let is_open = |s: &&Places| !siphons::is_marked(&siphons::greatest(net, Kind::Trap, s), &initial);
        self.siphons.as_ref().map(|all| all.iter().filter(is_open).collect())
    }
}

/// What the reachable markings say, if all of them were enumerated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behaviour {
    /// The number of reachable markings.
    pub markings: usize,
    /// The number of firings between them.
    pub firings: u64,
    /// The number of dead markings.
    pub dead: usize,
    /// By place, the greatest number of tokens.
    pub bounds: Vec<u32>,
    /// By transition, its liveness; none if the graph was too large.
    pub liveness: Option<Vec<Liveness>>,
    /// The number of home states: markings that can be reached from every reachable marking.
    pub home: Option<usize>,
    /// A shortest firing sequence to a dead marking.
    pub deadlock: Option<Vec<TransitionId>>,
}

impl Behaviour {
    /// Enumerates the markings; none if there are more than the limit.
    #[must_use]
    pub fn of(net: &Net, structure: &Structure, limits: Limits) -> Option<Behaviour> {
        let bounds: Vec<u32> = structure.bounds.iter().map(|b| b.unwrap_or(1)).collect();
        let mut search = Explorer::new(net, &bounds, Keep::Graph);
        if !complete(&mut search, net, limits.markings.min(GRAPH)) {
            // Without edges more markings have room.
            search.forget_graph();
            if !complete(&mut search, net, limits.markings) {
                return None;
            }
        }
        let mut bounds = vec![0; net.places.len()];
        search.each(|_, tokens| {
            for (p, bound) in net.place_ids().zip(&mut bounds) {
                *bound = tokens(p).max(*bound);
            }
        });
        let graph = search.graph();
        let components = graph.map(Components::of);
        Some(Behaviour {
            markings: search.len(),
            firings: search.firings(),
            dead: search.dead().len(),
            bounds,
            liveness: graph.zip(components.as_ref()).map(|(g, c)| liveness(net, g, c)),
            home: components.as_ref().map(Components::home),
            deadlock: search.dead().first().map(|m| search.path(net, *m as usize)),
        })
    }

    /// The greatest number of tokens of a place.
    #[must_use]
    pub fn bound(&self) -> u32 {
        self.bounds.iter().copied().max().unwrap_or(0)
    }
}

/// What a decision diagram says about the reachable markings, however many they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The number of reachable markings; none if it has more than 128 bits.
    pub markings: Option<u128>,
    /// The number of dead markings.
    pub dead: Option<u128>,
    /// By place, the greatest number of tokens.
    pub bounds: Vec<u32>,
    /// The number of nodes of the diagram.
    pub nodes: usize,
}

impl Counted {
    /// Computes the diagram; none if it is too large, or if place invariants do not bound the net: then it might have
    /// no end.
    #[must_use]
    pub fn of(net: &Net, structure: &Structure, limits: Limits) -> Option<Counted> {
        if structure.bounds.iter().any(Option::is_none) {
            return None;
        }
        let mut diagram = Diagram::of(net, limits.nodes).ok()?;
        let dead = diagram.dead(net).ok().flatten();
        Some(Counted { markings: diagram.markings(), dead, bounds: diagram.bounds(), nodes: diagram.nodes() })
    }
}

/// Explores all markings; false if there are more than the limit.
fn complete(search: &mut Explorer, net: &Net, limit: usize) -> bool {
    loop {
        match search.run(net, limit, 10_000) {
            Ok(true) => return true,
            Ok(false) => {}
            Err(_) => return false,
        }
    }
}

/// The strongly connected components of a graph (Tarjan, "Depth-First Search and Linear Graph Algorithms", 1972).
struct Components {
    /// By marking, its component. Edges lead to the same component or to smaller ones.
    of: Vec<u32>,
    /// By component: its size, and whether an edge leaves it.
    sizes: Vec<usize>,
    is_left: Vec<bool>,
}

impl Components {
    fn of(graph: &Graph) -> Components {
        const NEW: u32 = u32::MAX;
        let n = graph.len();
        let (mut index, mut low) = (vec![NEW; n], vec![0_u32; n]);
        let mut of = vec![NEW; n];
        let (mut sizes, mut next, mut open) = (Vec::new(), 0_u32, Vec::new());
        // The path of the search: a marking and the next one of its edges.
        let mut path: Vec<(usize, usize)> = Vec::new();
        for root in 0..n {
            if index[root] != NEW {
                continue;
            }
            path.push((root, 0));
            while let Some((at, edge)) = path.last_mut() {
                let at = *at;
                if *edge == 0 {
                    (index[at], low[at]) = (next, next);
                    next += 1;
                    open.push(at);
                }
                if let Some(firing) = graph.after(at).get(*edge) {
                    *edge += 1;
                    let to = firing.to as usize;
                    if index[to] == NEW {
                        path.push((to, 0));
                    } else if of[to] == NEW {
                        low[at] = low[at].min(index[to]);
                    }
                    continue;
                }
                path.pop();
                if let Some((before, _)) = path.last() {
                    low[*before] = low[*before].min(low[at]);
                }
                if low[at] == index[at] {
                    let component = u32::try_from(sizes.len()).expect("at most 2^32 components");
                    let mut size = 0;
                    while let Some(member) = open.pop() {
                        of[member] = component;
                        size += 1;
                        if member == at {
                            break;
                        }
                    }
                    sizes.push(size);
                }
            }
        }
        let mut is_left = vec![false; sizes.len()];
        for m in 0..n {
            if graph.after(m).iter().any(|f| of[f.to as usize] != of[m]) {
                is_left[of[m] as usize] = true;
            }
        }
        Components { of, sizes, is_left }
    }

    /// The markings of the only component that is not left; 0 if there are several.
    fn home(&self) -> usize {
        let mut last = (0..self.sizes.len()).filter(|c| !self.is_left[*c]);
        match (last.next(), last.next()) {
            (Some(only), None) => self.sizes[only],
            _ => 0,
        }
    }
}

fn liveness(net: &Net, graph: &Graph, components: &Components) -> Vec<Liveness> {
    let mut levels = vec![Liveness::Dead; net.transitions.len()];
    // The last components in which each transition fires.
    let last = components.is_left.iter().filter(|left| !**left).count();
    let mut fires_in: Vec<Vec<u32>> = vec![Vec::new(); net.transitions.len()];
    for m in 0..graph.len() {
        for firing in graph.after(m) {
            let (from, to) = (components.of[m], components.of[firing.to as usize]);
            let level = if from == to { Liveness::Infinitely } else { Liveness::Potentially };
            let known = &mut levels[firing.transition.index()];
            *known = level.max(*known);
            let fires = &mut fires_in[firing.transition.index()];
            if !components.is_left[from as usize] && !fires.contains(&from) {
                fires.push(from);
            }
        }
    }
    for (level, fires) in levels.iter_mut().zip(&fires_in) {
        if fires.len() == last {
            *level = Liveness::Live;
        }
    }
    levels
}

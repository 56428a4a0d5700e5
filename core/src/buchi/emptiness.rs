//! Emptiness: search for an accepting lasso in a graph that is built on the fly. A search requests the successors of a
//! vertex and resumes when they are known.
//!
//! Two searches find an *accepting lasso*, a path to a cycle with an accepting vertex. *Nested depth-first search*
//! (Schwoon and Esparza, "A Note on On-the-Fly Verification Algorithms", 2005, after Courcoubetis, Vardi, Wolper and
//! Yannakakis 1992) starts a second search from accepting vertices in postorder, which looks for a path back:
//!
//! ```text
//! blue(s): s is cyan                                   red(s): for t after s
//!   for t after s                                                t is cyan → a cycle
//!     t is cyan, s or t accepting → a cycle                      t is blue → t is red; red(t)
//!     t is white → blue(t)
//!   if s is accepting: red(s); s is red, else s is blue
//! ```
//!
//! The search for *components* (Couvreur 1999) keeps the roots of the components of the current path, and merges
//! components that a new edge connects into a cycle. A component with an accepting vertex and an internal edge has an
//! accepting cycle.

use std::collections::VecDeque;

use crate::choice::choice;

/// A vertex of a graph.
pub type Vertex = usize;

/// A graph to be searched.
pub trait Graph {
    /// The successors of a vertex; `None` if they are not known yet.
    fn successors(&self, v: Vertex) -> Option<&[Vertex]>;
    /// Is the vertex accepting?
    fn accepting(&self, v: Vertex) -> bool;
}

/// The explored part of a graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Explored {
    /// By vertex: its successors, if they are known.
    pub(crate) out: Vec<Option<Vec<Vertex>>>,
    /// By vertex: is it accepting?
    pub(crate) accepting: Vec<bool>,
}

impl Graph for Explored {
    fn successors(&self, v: Vertex) -> Option<&[Vertex]> {
        self.out.get(v)?.as_deref()
    }

    fn accepting(&self, v: Vertex) -> bool {
        self.accepting[v]
    }
}

impl Explored {
    /// A fully known graph without accepting vertices.
    pub(crate) fn of(out: Vec<Vec<Vertex>>) -> Explored {
        Explored { accepting: vec![false; out.len()], out: out.into_iter().map(Some).collect() }
    }

    /// Adds a vertex.
    pub(crate) fn add(&mut self, accepting: bool) {
        self.out.push(None);
        self.accepting.push(accepting);
    }

    /// A shortest path of at least one step, in the known part of the graph.
    pub(crate) fn path(&self, from: Vertex, to: Vertex) -> Option<Vec<(Vertex, usize)>> {
        let mut before: Vec<Option<(Vertex, usize)>> = vec![None; self.out.len()];
        let mut queue = VecDeque::from([from]);
        while let Some(v) = queue.pop_front() {
            for (i, w) in self.successors(v).unwrap_or_default().iter().enumerate() {
                if before[*w].is_none() {
                    before[*w] = Some((v, i));
                    queue.push_back(*w);
                }
            }
        }
        let mut path = vec![before[to]?];
        while path[path.len() - 1].0 != from {
            path.push(before[path[path.len() - 1].0]?);
        }
        path.reverse();
        Some(path)
    }

    /// The components that are reachable from a vertex.
    pub(crate) fn components(&self, start: Vertex) -> super::scc::Components {
        let successors = |v: Vertex| self.successors(v).unwrap_or_default().to_vec();
        super::scc::components(self.out.len(), std::iter::once(start), &successors)
    }
}

choice! {
    /// How accepting cycles are searched for; only of use for temporal formulas.
    Emptiness {
        #[default]
        Nested = "nested": "Nested depth-first search: a second search from each accepting state finds cycles through it.",
        Components = "components": "Strongly connected components are found by one depth-first search.",
    }
}

/// The colour of a vertex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize)]
pub enum Colour {
    /// Not visited.
    #[default]
    White,
    /// On the path of the first search.
    Cyan,
    /// The first search has finished it.
    Blue,
    /// It is on no accepting cycle: the second search has visited it, or its component is finished.
    Red,
}

impl Colour {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Colour::White => "white",
            Colour::Cyan => "cyan",
            Colour::Blue => "blue",
            Colour::Red => "red",
        }
    }
}

/// A path to a cycle, and the cycle: each step is a vertex and the index of the successor taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Steps {
    /// From the start to the cycle.
    pub stem: Vec<(Vertex, usize)>,
    /// The cycle; at least one step.
    pub cycle: Vec<(Vertex, usize)>,
}

/// Result of one step of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The successors of this vertex are needed.
    Needs(Vertex),
    /// A vertex changed its colour.
    Coloured(Vertex, Colour),
    /// An edge without effect was explored, or the second search backtracked.
    Moved,
    /// There is an accepting lasso.
    Found(Steps),
    /// There is no accepting lasso.
    Empty,
}

/// The state of a search.
#[derive(Clone, Debug)]
pub enum Search {
    /// Nested depth-first search.
    Nested(Nested),
    /// Search for components.
    Components(Components),
}

impl Search {
    /// A search from a vertex.
    #[must_use]
    pub fn new(which: Emptiness, start: Vertex) -> Search {
        match which {
            Emptiness::Nested => Search::Nested(Nested::new(start)),
            Emptiness::Components => Search::Components(Components::new(start)),
        }
    }

    /// One step.
    pub fn step(&mut self, graph: &impl Graph) -> Progress {
        match self {
            Search::Nested(s) => s.step(graph),
            Search::Components(s) => s.step(graph),
        }
    }
}

/// The colours of vertices.
#[derive(Clone, Debug, Default)]
struct Colours(Vec<Colour>);

impl Colours {
    fn of(&self, v: Vertex) -> Colour {
        self.0.get(v).copied().unwrap_or_default()
    }

    fn set(&mut self, v: Vertex, colour: Colour) -> Progress {
        if self.0.len() <= v {
            self.0.resize(v + 1, Colour::White);
        }
        self.0[v] = colour;
        Progress::Coloured(v, colour)
    }
}

/// A path: vertices, each with the index of its next successor to explore.
type Way = Vec<(Vertex, usize)>;

/// The steps along a path: the last explored successor of each vertex.
fn taken(way: &[(Vertex, usize)]) -> impl Iterator<Item = (Vertex, usize)> {
    way.iter().map(|(v, next)| (*v, next - 1))
}

/// The state of a nested depth-first search.
#[derive(Clone, Debug)]
pub struct Nested {
    colours: Colours,
    start: Vertex,
    blue: Way,
    red: Way,
}

impl Nested {
    fn new(start: Vertex) -> Nested {
        Nested { colours: Colours::default(), start, blue: Vec::new(), red: Vec::new() }
    }

    fn step(&mut self, graph: &impl Graph) -> Progress {
        if !self.red.is_empty() {
            return self.red(graph);
        }
        let Some((v, next)) = self.blue.last_mut() else {
            if self.colours.of(self.start) != Colour::White {
                return Progress::Empty;
            }
            self.blue.push((self.start, 0));
            return self.colours.set(self.start, Colour::Cyan);
        };
        let v = *v;
        let Some(out) = graph.successors(v) else { return Progress::Needs(v) };
        let Some(&t) = out.get(*next) else {
            if graph.accepting(v) {
                self.red.push((v, 0));
                return Progress::Moved;
            }
            self.blue.pop();
            return self.colours.set(v, Colour::Blue);
        };
        *next += 1;
        match self.colours.of(t) {
            Colour::Cyan if graph.accepting(v) || graph.accepting(t) => Progress::Found(self.lasso(t)),
            Colour::White => {
                self.blue.push((t, 0));
                self.colours.set(t, Colour::Cyan)
            }
            _ => Progress::Moved,
        }
    }

    fn red(&mut self, graph: &impl Graph) -> Progress {
        let (v, next) = self.red.last_mut().expect("the second search is under way");
        let out = graph.successors(*v).expect("the first search was there");
        let Some(&t) = out.get(*next) else {
            self.red.pop();
            if !self.red.is_empty() {
                return Progress::Moved;
            }
            let (seed, _) = self.blue.pop().expect("the second search began at its end");
            return self.colours.set(seed, Colour::Red);
        };
        *next += 1;
        match self.colours.of(t) {
            Colour::Cyan => Progress::Found(self.lasso(t)),
            Colour::Blue => {
                self.red.push((t, 0));
                self.colours.set(t, Colour::Red)
            }
            _ => Progress::Moved,
        }
    }

    /// The path of the first search through `t` to its end, then the path of the second search back to `t`.
    fn lasso(&self, t: Vertex) -> Steps {
        let at = self.blue.iter().position(|(v, _)| *v == t).expect("it is on the way");
        let end = if self.red.is_empty() { self.blue.len() } else { self.blue.len() - 1 };
        let cycle = taken(&self.blue[at..end]).chain(taken(&self.red)).collect();
        Steps { stem: taken(&self.blue[..at]).collect(), cycle }
    }
}

/// The state of a search for components.
#[derive(Clone, Debug)]
pub struct Components {
    colours: Colours,
    start: Vertex,
    way: Way,
    /// Vertices in no finished component, in the order of discovery, and their positions in this list.
    open: Vec<Vertex>,
    place: Vec<usize>,
    /// The positions of component roots, and whether their components have an accepting vertex.
    roots: Vec<(usize, bool)>,
    /// Vertices of finished components whose colour has not been reported yet.
    closed: Vec<Vertex>,
}

impl Components {
    fn new(start: Vertex) -> Components {
        let (colours, way, open) = (Colours::default(), Vec::new(), Vec::new());
        Components { colours, start, way, open, place: Vec::new(), roots: Vec::new(), closed: Vec::new() }
    }

    fn enter(&mut self, v: Vertex, graph: &impl Graph) -> Progress {
        self.way.push((v, 0));
        if self.place.len() <= v {
            self.place.resize(v + 1, 0);
        }
        self.place[v] = self.open.len();
        self.roots.push((self.open.len(), graph.accepting(v)));
        self.open.push(v);
        self.colours.set(v, Colour::Cyan)
    }

    fn step(&mut self, graph: &impl Graph) -> Progress {
        if let Some(v) = self.closed.pop() {
            return self.colours.set(v, Colour::Red);
        }
        let Some((v, next)) = self.way.last_mut() else {
            if self.colours.of(self.start) != Colour::White {
                return Progress::Empty;
            }
            return self.enter(self.start, graph);
        };
        let v = *v;
        let Some(out) = graph.successors(v) else { return Progress::Needs(v) };
        let Some(&t) = out.get(*next) else {
            self.way.pop();
            if self.roots.last().is_some_and(|(at, _)| *at == self.place[v]) {
                self.roots.pop();
                self.closed.extend(self.open.drain(self.place[v]..));
                return Progress::Moved;
            }
            return self.colours.set(v, Colour::Blue);
        };
        *next += 1;
        match self.colours.of(t) {
            Colour::White => self.enter(t, graph),
            Colour::Red => Progress::Moved,
            Colour::Cyan | Colour::Blue => {
                let (mut accepting, place) = (false, self.place[t]);
                while let Some((at, acc)) = self.roots.pop() {
                    accepting |= acc;
                    if at <= place {
                        self.roots.push((at, accepting));
                        break;
                    }
                }
                if accepting { Progress::Found(self.lasso(graph)) } else { Progress::Moved }
            }
        }
    }

    /// The path to the last component, then to an accepting vertex in it and back.
    fn lasso(&self, graph: &impl Graph) -> Steps {
        let (root, _) = *self.roots.last().expect("there is a component");
        let member =
            |v: Vertex| self.place.get(v).is_some_and(|p| self.open.get(*p) == Some(&v) && *p >= root);
        let inside = |v: Vertex, i: usize| graph.successors(v).is_some_and(|out| member(out[i]));
        let first = self.open[root];
        let until = self.way.iter().position(|(v, _)| *v == first).expect("roots are on the way");
        let mut stem: Vec<(Vertex, usize)> = taken(&self.way[..until]).collect();
        let connected = "a component is connected";
        let (to, seed) = shortest(graph, first, &inside, &|v| graph.accepting(v), false).expect(connected);
        stem.extend(to);
        let (cycle, _) = shortest(graph, seed, &inside, &|v| v == seed, true).expect(connected);
        Steps { stem, cycle }
    }
}

/// A shortest path over allowed edges to a target vertex, with at least one step if it must `move`; and its end. `None`
/// if there is no path.
pub(crate) fn shortest(
    graph: &impl Graph,
    start: Vertex,
    allowed: &dyn Fn(Vertex, usize) -> bool,
    wanted: &dyn Fn(Vertex) -> bool,
    moves: bool,
) -> Option<(Vec<(Vertex, usize)>, Vertex)> {
    if !moves && wanted(start) {
        return Some((Vec::new(), start));
    }
    let mut from = std::collections::HashMap::new();
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(v) = queue.pop_front() {
        for (i, &t) in graph.successors(v).into_iter().flatten().enumerate() {
            if !allowed(v, i) || from.contains_key(&t) || t == start && !wanted(t) {
                continue;
            }
            from.insert(t, (v, i));
            if !wanted(t) {
                queue.push_back(t);
                continue;
            }
            let mut way = vec![from[&t]];
            while way[way.len() - 1].0 != start {
                way.push(from[&way[way.len() - 1].0]);
            }
            way.reverse();
            return Some((way, t));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Known(Vec<Vec<Vertex>>, Vec<bool>);

    impl Graph for Known {
        fn successors(&self, v: Vertex) -> Option<&[Vertex]> {
            Some(&self.0[v])
        }

        fn accepting(&self, v: Vertex) -> bool {
            self.1[v]
        }
    }

    /// All graphs of three vertices, and many of six, compared with the transitive closure of the edges.
    #[test]
    fn both_searches_find_what_is_there() {
        let mut seed = 1_u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        for _ in 0..3_000 {
            let n = 6;
            let edges = (0..n).map(|_| (0..n).filter(|_| random(4) == 0).collect()).collect();
            let graph = Known(edges, (0..n).map(|_| random(3) == 0).collect());
            let mut reach: Vec<Vec<bool>> =
                (0..n).map(|v| (0..n).map(|w| graph.0[v].contains(&w)).collect()).collect();
            for k in 0..n {
                for i in 0..n {
                    for j in 0..n {
                        reach[i][j] |= reach[i][k] && reach[k][j];
                    }
                }
            }
            let expected = (0..n).any(|v| graph.1[v] && (v == 0 || reach[0][v]) && reach[v][v]);
            for which in [Emptiness::Nested, Emptiness::Components] {
                let mut search = Search::new(which, 0);
                let found = loop {
                    match search.step(&graph) {
                        Progress::Found(steps) => break Some(steps),
                        Progress::Empty => break None,
                        _ => {}
                    }
                };
                assert_eq!(found.is_some(), expected);
                let Some(Steps { stem, cycle }) = found else { continue };
                let mut at = 0;
                for (v, i) in stem.iter().chain(&cycle) {
                    assert_eq!(at, *v);
                    at = graph.0[*v][*i];
                }
                assert_eq!(at, cycle[0].0);
                assert!(cycle.iter().any(|(v, _)| graph.1[*v]));
            }
        }
    }
}

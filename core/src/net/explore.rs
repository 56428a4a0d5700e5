//! The set of reachable markings, breadth first (Murata 1989, section V.A).
//!
//! ```text
//! add the initial marking to the queue
//! while a marking is in the queue
//!   for each enabled transition
//!     the marking after it is new → add it to the queue
//! ```
//!
//! The queue is the [`Store`] itself, in the order of insertion. When a field of the packed markings turns out to be
//! too small, the layout is widened and the store is written again; numbers of markings stay.

use super::condition::Condition;
use super::graph::{Firing, Graph};
use super::packed::{Layout, TooNarrow};
use super::store::{Full, Inserted, Root, Store, Tree};
use super::stubborn::Stubborn;
use super::{Marking, Net, PlaceId, TransitionId};

/// A search in progress.
#[derive(Clone, Debug)]
pub struct Explorer {
    layout: Layout,
    store: Store,
    /// The next marking to be expanded.
    next: usize,
    /// By marking, the one that it was reached from; itself for the initial one.
    parents: Vec<u32>,
    dead: Vec<u32>,
    firings: u64,
    /// The edges, if they are recorded.
    graph: Option<Graph>,
    from: Tree,
    to: Tree,
    /// The transitions that are fired in each marking, if not all that are enabled.
    stubborn: Option<Stubborn>,
    /// The numbers of the enabled transitions of `from`.
    enabled: Vec<usize>,
    left_out: u64,
    /// The markings after `from`.
    after: Vec<After>,
    /// Their words.
    words: Vec<u64>,
}

/// A marking after the one that is expanded.
#[derive(Clone, Copy, Debug)]
struct After {
    transition: TransitionId,
    root: Root,
}

/// A firing in the marking that is expanded, as it is reported.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The number of the marking before it.
    pub from: usize,
    /// The transition.
    pub transition: TransitionId,
    /// The number of the marking after it, if it is new or the search knows the numbers.
    pub to: Option<usize>,
    /// Is the marking after it new?
    pub is_new: bool,
    layout: &'a Layout,
    words: &'a [u64],
}

impl Found<'_> {
    /// The tokens of a place after the firing.
    #[must_use]
    pub fn tokens(&self, place: PlaceId) -> u32 {
        self.layout.tokens(self.words, place)
    }
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The limit on markings is reached.
    Limit,
    /// A place has too many tokens to be counted.
    Tokens,
}

impl From<Full> for Stopped {
    fn from(_: Full) -> Stopped {
        Stopped::Limit
    }
}

/// What a search keeps beside the markings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Nothing.
    Markings,
    /// The numbers of known markings.
    Numbers,
    /// The edges of the reachability graph.
    Graph,
}

impl Explorer {
    /// A search before its first step. `bounds` are tokens that the places are expected to have at most; more are
    /// possible.
    #[must_use]
    pub fn new(net: &Net, bounds: &[u32], keep: Keep) -> Explorer {
        let initial = net.initial();
        let most: Vec<u32> = initial.iter().zip(bounds).map(|(a, b)| *a.max(b)).collect();
        let layout = Layout::new(net, &most);
        let mut store = Store::new(layout.words(), keep != Keep::Markings);
        store.insert_words(&layout.pack(&initial)).expect("the store is empty");
        Explorer {
            layout,
            store,
            next: 0,
            parents: vec![0],
            dead: Vec::new(),
            firings: 0,
            graph: (keep == Keep::Graph).then(Graph::default),
            from: Tree::default(),
            to: Tree::default(),
            stubborn: None,
            enabled: Vec::new(),
            left_out: 0,
            after: Vec::new(),
            words: Vec::new(),
        }
    }

    /// From now on, only the transitions of stubborn sets are fired.
    #[must_use]
    pub fn reduced(mut self, stubborn: Stubborn) -> Explorer {
        self.stubborn = Some(stubborn);
        self
    }

    /// The number of markings so far.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "the initial marking is always there")]
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// The number of markings that have been expanded.
    #[must_use]
    pub fn expanded(&self) -> usize {
        self.next
    }

    /// Have all reachable markings been found?
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.next == self.store.len()
    }

    /// The markings that have been expanded and enable no transition.
    #[must_use]
    pub fn dead(&self) -> &[u32] {
        &self.dead
    }

    /// The number of firings of transitions.
    #[must_use]
    pub fn firings(&self) -> u64 {
        self.firings
    }

    /// The number of firings of enabled transitions that were left out.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The edges so far, if they are recorded.
    #[must_use]
    pub fn graph(&self) -> Option<&Graph> {
        self.graph.as_ref()
    }

    /// From now on, known markings are found without their numbers, which saves memory.
    pub fn forget_numbers(&mut self) {
        if self.graph.is_none() {
            self.store.forget_numbers();
        }
    }

    /// From now on, no edges are recorded, and known markings are found without their numbers.
    pub fn forget_graph(&mut self) {
        self.graph = None;
        self.store.forget_numbers();
    }

    /// The bytes of the stored markings.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.store.bytes() + 4 * self.parents.len()
    }

    /// The marking of that number.
    #[must_use]
    pub fn marking(&self, number: usize) -> Marking {
        let mut tree = Tree::default();
        self.store.read(number, &mut tree);
        self.layout.unpack(&tree.words)
    }

    /// Calls `visit` on each marking, in the order of their numbers.
    pub fn each(&self, mut visit: impl FnMut(usize, &dyn Fn(PlaceId) -> u32)) {
        let mut tree = Tree::default();
        for number in 0..self.len() {
            self.store.read(number, &mut tree);
            visit(number, &|p| self.layout.tokens(&tree.words, p));
        }
    }

    /// The markings that satisfy a condition, by number; none if it has no value in a marking.
    #[must_use]
    pub fn satisfying(&self, condition: &Condition) -> Option<Vec<bool>> {
        let mut truths = Vec::with_capacity(self.len());
        self.each(|_, tokens| truths.push(condition.holds(&tokens)));
        truths.into_iter().collect()
    }

    /// Expands markings until more than `limit` are stored or this many have been expanded; true if all are.
    ///
    /// # Errors
    /// Why the search cannot go on.
    pub fn run(&mut self, net: &Net, limit: usize, expansions: usize) -> Result<bool, Stopped> {
        for _ in 0..expansions {
            if self.is_complete() {
                return Ok(true);
            }
            if self.store.len() > limit {
                return Err(Stopped::Limit);
            }
            self.expand(net, |_| {})?;
        }
        Ok(self.is_complete())
    }

    /// Expands the next marking, of which there must be one; each firing is reported. True if it is dead.
    ///
    /// # Errors
    /// Why the search cannot go on.
    pub fn expand(&mut self, net: &Net, mut found: impl FnMut(&Found<'_>)) -> Result<bool, Stopped> {
        self.select(net);
        while let Err(narrow) = self.fire_all()? {
            self.widen(net, narrow)?;
            self.select(net);
        }
        let (from, number) = (self.next, u32::try_from(self.next).map_err(|_| Stopped::Limit)?);
        let width = self.layout.words();
        for (after, words) in self.after.iter().zip(self.words.chunks_exact(width)) {
            let inserted = self.store.insert(after.root)?;
            let (to, is_new) = match inserted {
                Inserted::New(to) => (Some(to), true),
                Inserted::Known(to) => (to, false),
            };
            if is_new {
                self.parents.push(number);
            }
            let transition = after.transition;
            found(&Found { from, transition, to, is_new, layout: &self.layout, words });
            if let Some(graph) = &mut self.graph {
                let to = to.and_then(|to| u32::try_from(to).ok()).expect("numbers are known, and small");
                graph.push_firing(Firing { transition, to });
            }
        }
        if let Some(graph) = &mut self.graph {
            graph.finish_marking();
        }
        self.firings += self.after.len() as u64;
        let is_dead = self.after.is_empty();
        if is_dead {
            self.dead.push(number);
        }
        self.next += 1;
        Ok(is_dead)
    }

    /// Selects the transitions that are fired in the next marking.
    fn select(&mut self, net: &Net) {
        self.store.read(self.next, &mut self.from);
        let (layout, words) = (&self.layout, &self.from.words);
        self.enabled.clear();
        self.enabled.extend((0..layout.moves()).filter(|number| layout.is_enabled(words, *number)));
        if let Some(stubborn) = &mut self.stubborn
            && self.enabled.len() > 1
        {
            let enabled: Vec<TransitionId> = self.enabled.iter().map(|n| layout.transition(*n)).collect();
            stubborn.compute(net, &|p| layout.tokens(words, p), &enabled);
            self.enabled.retain(|number| stubborn.contains(layout.transition(*number)));
            self.left_out += (enabled.len() - self.enabled.len()) as u64;
        }
    }

    /// Fires the selected transitions in the next marking.
    fn fire_all(&mut self) -> Result<Result<(), TooNarrow>, Stopped> {
        self.after.clear();
        self.words.clear();
        for i in 0..self.enabled.len() {
            let number = self.enabled[i];
            self.to.copy_from(&self.from);
            if let Err(narrow) = self.layout.fire(&mut self.to.words, number) {
                return Ok(Err(narrow));
            }
            let root = self.store.root(&mut self.to, self.layout.changed(number))?;
            self.after.push(After { transition: self.layout.transition(number), root });
            self.words.extend_from_slice(&self.to.words);
        }
        Ok(Ok(()))
    }

    /// Writes all markings with wider fields.
    #[cold]
    fn widen(&mut self, net: &Net, narrow: TooNarrow) -> Result<(), Stopped> {
        let wider = self.layout.widened(net, narrow).ok_or(Stopped::Tokens)?;
        let mut store = Store::new(wider.words(), self.store.is_numbered());
        for number in 0..self.store.len() {
            self.store.read(number, &mut self.from);
            store.insert_words(&wider.pack(&self.layout.unpack(&self.from.words)))?;
        }
        (self.layout, self.store) = (wider, store);
        Ok(())
    }

    /// The firing sequence to a marking.
    ///
    /// # Panics
    /// If the net is not the one of this search.
    #[must_use]
    pub fn path(&self, net: &Net, number: usize) -> Vec<TransitionId> {
        let mut path = Vec::new();
        let mut at = number;
        while at != 0 {
            let (before, after) = (self.parents[at] as usize, self.marking(at));
            let start = self.marking(before);
            let leads_there = |t: &TransitionId| {
                let mut marking = start.clone();
                net.fire(&mut marking, *t).is_ok() && marking == after
            };
            path.push(net.enabled(&start).find(leads_there).expect("a transition leads here"));
            at = before;
        }
        path.reverse();
        path
    }
}

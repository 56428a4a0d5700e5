//! Variables by activity: a binary heap with the position of each variable (VSIDS as in MiniSat; Eén and Sörensson, "An
//! Extensible SAT-solver", 2003). Variables that never took part in a conflict come last, by age, and need no heap:
//! many queries are answered without one.

use crate::cdcl::lit::Var;

const ABSENT: u32 = u32::MAX;
/// Activities are scaled down past this.
const LARGE: f64 = 1e100;
const DECAY: f64 = 0.95;

/// The order in which variables are decided.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    activity: Vec<f64>,
    /// Variables with activity (of very old ones it may have become zero since).
    heap: Vec<Var>,
    /// The position of a variable in the heap.
    place: Vec<u32>,
    /// All variables without activity below this one were removed.
    idle: Var,
    increment: f64,
}

impl Default for Order {
    fn default() -> Order {
        Order { activity: Vec::new(), heap: Vec::new(), place: Vec::new(), idle: 0, increment: 1.0 }
    }
}

impl Order {
    /// Creates the variables below `n`, with activity zero.
    pub(crate) fn grow(&mut self, n: usize) {
        self.activity.resize(n, 0.0);
        self.place.resize(n, ABSENT);
    }

    /// Inserts a variable, if it is absent.
    pub(crate) fn insert(&mut self, var: Var) {
        if self.activity[var as usize] == 0.0 {
            self.idle = self.idle.min(var);
        } else if self.place[var as usize] == ABSENT {
            self.place[var as usize] = self.heap.len() as u32;
            self.heap.push(var);
            self.up(self.heap.len() - 1);
        }
    }

    /// Removes the most active variable, or one that was removed already.
    pub(crate) fn pop(&mut self) -> Option<Var> {
        let Some(&top) = self.heap.first() else { return self.next_idle() };
        self.place[top as usize] = ABSENT;
        let last = self.heap.pop().expect("not empty");
        if last != top {
            self.heap[0] = last;
            self.place[last as usize] = 0;
            self.down(0);
        }
        Some(top)
    }

    fn next_idle(&mut self) -> Option<Var> {
        let rest = self.activity.get(self.idle as usize..)?;
        let next = rest.iter().position(|a| *a == 0.0).map(|at| self.idle + at as Var);
        self.idle = next.map_or(self.activity.len() as Var, |next| next + 1);
        next
    }

    /// A variable took part in a conflict; it has a value.
    pub(crate) fn bump(&mut self, var: Var) {
        let activity = &mut self.activity[var as usize];
        *activity += self.increment;
        if *activity > LARGE {
            self.activity.iter_mut().for_each(|a| *a /= LARGE);
            self.increment /= LARGE;
        }
        let at = self.place[var as usize];
        if at != ABSENT {
            self.up(at as usize);
        }
    }

    /// Decays the activity of older conflicts.
    pub(crate) fn decay(&mut self) {
        self.increment /= DECAY;
    }

    /// Greater activity first, then the older variable: the order is total, so runs are the same everywhere.
    fn before(&self, a: Var, b: Var) -> bool {
        let (x, y) = (self.activity[a as usize], self.activity[b as usize]);
        x > y || x == y && a < b
    }

    fn up(&mut self, mut at: usize) {
        let var = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            if !self.before(var, self.heap[parent]) {
                break;
            }
            self.put(at, self.heap[parent]);
            at = parent;
        }
        self.put(at, var);
    }

    fn down(&mut self, mut at: usize) {
        let var = self.heap[at];
        loop {
            let mut child = 2 * at + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.before(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            if !self.before(self.heap[child], var) {
                break;
            }
            self.put(at, self.heap[child]);
            at = child;
        }
        self.put(at, var);
    }

    fn put(&mut self, at: usize, var: Var) {
        self.heap[at] = var;
        self.place[var as usize] = at as u32;
    }
}

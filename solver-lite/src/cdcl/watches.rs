//! Two watched literals: a clause is visited only when one of its first two literals becomes false.

use crate::cdcl::clauses::{ClauseRef, Clauses};
use crate::cdcl::lit::Lit;
use crate::cdcl::observer::{Observer, Step};
use crate::cdcl::{Cdcl, Reason, Truth};

#[derive(Clone, Copy, Debug)]
struct Watch {
    /// The place of the clause, with [`BINARY`] if the blocker is its only other literal: a watch has eight bytes.
    link: u32,
    /// Another literal of the clause: while it is true the clause need not be visited.
    blocker: Lit,
}

const BINARY: u32 = 1 << 31;

impl Watch {
    #[inline]
    fn clause(self) -> ClauseRef {
        self.link & !BINARY
    }

    #[inline]
    fn is_binary(self) -> bool {
        self.link & BINARY != 0
    }
}

/// By literal: the clauses to visit when it becomes false.
#[derive(Clone, Debug, Default)]
pub(super) struct Watches {
    of: Vec<Vec<Watch>>,
}

impl Watches {
    pub(super) fn grow(&mut self, n: usize) {
        self.of.resize(2 * n, Vec::new());
    }

    /// Watches the first two literals.
    pub(super) fn attach(&mut self, clause: ClauseRef, lits: &[Lit]) {
        let link = if lits.len() == 2 { clause | BINARY } else { clause };
        self.of[lits[0].index()].push(Watch { link, blocker: lits[1] });
        self.of[lits[1].index()].push(Watch { link, blocker: lits[0] });
    }

    pub(super) fn rebuild(&mut self, clauses: &Clauses) {
        self.of.iter_mut().for_each(Vec::clear);
        for &clause in clauses.fixed.iter().chain(&clauses.learned) {
            let lits: Vec<Lit> = clauses.lits(clause).take(3).collect();
            self.attach(clause, &lits);
        }
    }
}

impl Cdcl {
    /// Unit propagation; returns a false clause if there is one.
    pub(super) fn propagate_clauses<O: Observer>(&mut self, observer: &mut O) -> Option<ClauseRef> {
        while self.head < self.trail.len() {
            let no = !self.trail[self.head];
            self.head += 1;
            let mut list = std::mem::take(&mut self.watches.of[no.index()]);
            let conflict = self.visit(no, &mut list, observer);
            self.watches.of[no.index()] = list;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Visits the clauses that watch the false literal `no`; those that find another literal to watch leave `list`.
    fn visit<O: Observer>(&mut self, no: Lit, list: &mut Vec<Watch>, observer: &mut O) -> Option<ClauseRef> {
        let mut kept = 0;
        let mut conflict = None;
        let mut at = 0;
        'watches: while at < list.len() {
            let watch = list[at];
            at += 1;
            let blocker = self.value(watch.blocker);
            let mut first = watch.blocker;
            if blocker != Truth::True && !watch.is_binary() {
                let words = self.clauses.words_mut(watch.clause());
                if words[0] == no.word() {
                    words.swap(0, 1);
                }
                first = Lit::of_word(words[0]);
                if self.values[first.index()] != Truth::True {
                    for k in 2..words.len() {
                        let other = Lit::of_word(words[k]);
                        if self.values[other.index()] != Truth::False {
                            words.swap(1, k);
                            let watch = Watch { blocker: first, ..watch };
                            self.watches.of[other.index()].push(watch);
                            continue 'watches;
                        }
                    }
                }
            }
            list[kept] = Watch { blocker: first, ..watch };
            kept += 1;
            match self.value(first) {
                Truth::True => {}
                Truth::Open => {
                    observer.step(|| Step::Propagated(first, self.clauses.lits(watch.clause()).collect()));
                    self.assign(first, Reason::Clause(watch.clause()));
                }
                Truth::False => {
                    conflict = Some(watch.clause());
                    break;
                }
            }
        }
        list.copy_within(at.., kept);
        list.truncate(kept + list.len() - at);
        conflict
    }
}

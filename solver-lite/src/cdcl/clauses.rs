//! The arena of clauses. A clause is two words of header and its literals; the first two literals are watched.

use crate::cdcl::lit::Lit;

/// A clause: the place of its header in the arena.
pub(crate) type ClauseRef = u32;

const LEARNED: u32 = 1 << 31;
/// Words of the header: length with the flag, then glue (the number of levels when it was learned).
const HEADER: usize = 2;

/// All clauses with at least two literals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clauses {
    words: Vec<u32>,
    /// Learned clauses that may be deleted, oldest first.
    pub(crate) learned: Vec<ClauseRef>,
    /// All others.
    pub(crate) fixed: Vec<ClauseRef>,
}

impl Clauses {
    /// Adds a clause; with `glue` it may be deleted later.
    pub(crate) fn add(&mut self, lits: &[Lit], glue: Option<u32>) -> ClauseRef {
        debug_assert!(lits.len() >= 2);
        assert!(self.words.len() < 1 << 31, "fewer than 2^31 words of clauses");
        let clause = self.words.len() as u32;
        let length = u32::try_from(lits.len()).expect("short clauses");
        self.words.push(if glue.is_some() { length | LEARNED } else { length });
        self.words.push(glue.unwrap_or(0));
        self.words.extend(lits.iter().map(|l| l.word()));
        if glue.is_some() { &mut self.learned } else { &mut self.fixed }.push(clause);
        clause
    }

    #[inline]
    pub(crate) fn len(&self, clause: ClauseRef) -> usize {
        (self.words[clause as usize] & !LEARNED) as usize
    }

    /// The literals as words (see [`Lit::word`]).
    #[inline]
    pub(crate) fn words(&self, clause: ClauseRef) -> &[u32] {
        let start = clause as usize + HEADER;
        &self.words[start..start + self.len(clause)]
    }

    #[inline]
    pub(crate) fn words_mut(&mut self, clause: ClauseRef) -> &mut [u32] {
        let start = clause as usize + HEADER;
        let end = start + self.len(clause);
        &mut self.words[start..end]
    }

    pub(crate) fn lits(&self, clause: ClauseRef) -> impl Iterator<Item = Lit> + '_ {
        self.words(clause).iter().map(|w| Lit::of_word(*w))
    }

    /// The number of levels of the clause when it was learned, or the smallest since.
    pub(crate) fn glue(&self, clause: ClauseRef) -> u32 {
        self.words[clause as usize + 1]
    }

    pub(crate) fn set_glue(&mut self, clause: ClauseRef, glue: u32) {
        self.words[clause as usize + 1] = glue;
    }

    pub(crate) fn is_learned(&self, clause: ClauseRef) -> bool {
        self.words[clause as usize] & LEARNED != 0
    }

    /// Words in use.
    pub(crate) fn size(&self) -> usize {
        self.words.len()
    }

    /// Keeps the learned clauses that `keep` accepts and compacts the arena. Returns the new places.
    pub(crate) fn retain(&mut self, keep: &dyn Fn(ClauseRef) -> bool) -> Moved {
        let mut kept = Clauses::default();
        let mut moved: Vec<(ClauseRef, ClauseRef)> = Vec::new();
        for &c in &self.fixed {
            let lits: Vec<Lit> = self.lits(c).collect();
            moved.push((c, kept.add(&lits, None)));
        }
        for &c in self.learned.iter().filter(|c| keep(**c)) {
            let lits: Vec<Lit> = self.lits(c).collect();
            moved.push((c, kept.add(&lits, Some(self.glue(c)))));
        }
        moved.sort_unstable();
        *self = kept;
        Moved(moved)
    }
}

/// New places of clauses.
pub(crate) struct Moved(Vec<(ClauseRef, ClauseRef)>);

impl Moved {
    /// The new place of a clause that was kept.
    pub(crate) fn now(&self, old: ClauseRef) -> ClauseRef {
        let at = self.0.binary_search_by_key(&old, |m| m.0).expect("the clause was kept");
        self.0[at].1
    }
}

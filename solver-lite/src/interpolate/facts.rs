//! Why a simplified formula is equivalent to the original one: clauses, each of which follows easily from earlier ones.

use std::ops::Range;

use crate::hash::Map;
use crate::literal::Literal;
use crate::term::{Node, Term, Terms};

/// A valid clause: it follows by unit propagation from earlier ones and definitions, or without premises by arithmetic.
pub(super) struct Fact {
    /// The clause.
    pub(super) clause: Vec<Literal>,
    /// Earlier facts, by index.
    pub(super) after: Vec<Range<usize>>,
    /// Terms whose definitions are used.
    pub(super) defined: Vec<Term>,
}

/// All facts about a simplified formula.
#[derive(Default)]
pub(super) struct Facts {
    /// All facts; premises come first.
    pub(super) all: Vec<Fact>,
    /// Those about the whole formula, by round.
    pub(super) rounds: Vec<Range<usize>>,
}

impl Facts {
    /// The facts about the last formula.
    pub(super) fn last(&self) -> Range<usize> {
        self.all.len().saturating_sub(2)..self.all.len()
    }

    /// Two facts: `a` and `b` are equivalent, unless one of `guard` is true.
    pub(super) fn equal(
        &mut self,
        terms: &Terms,
        guard: &[Literal],
        a: Term,
        b: Term,
        after: &[Range<usize>],
        defined: &[Term],
    ) -> Range<usize> {
        if a == b {
            return 0..0;
        }
        let (p, q) = (Literal::of(terms, a), Literal::of(terms, b));
        for pair in [[p.negated(), q], [p, q.negated()]] {
            let clause = guard.iter().copied().chain(pair).collect();
            self.all.push(Fact { clause, after: after.to_vec(), defined: defined.to_vec() });
        }
        self.last()
    }

    /// An operator and the same operator over the images of its operands.
    pub(super) fn image(
        &mut self,
        terms: &Terms,
        guard: &[Literal],
        t: Term,
        new: Term,
        image: &Map<Term, Term>,
        why: &Map<Term, Range<usize>>,
    ) -> Range<usize> {
        if t == new {
            return 0..0;
        }
        let (mut after, mut defined) = (Vec::new(), vec![t, terms.strip(new).0]);
        if new == Term::TRUE || new == Term::FALSE {
            // Follows from the guard.
            defined.extend(guard.iter().map(|l| l.term));
        }
        terms.children(t, |c| {
            after.extend(why.get(&c).cloned());
            // It may be merged into the operator.
            defined.extend(image.get(&c).map(|new| terms.strip(*new).0));
        });
        self.equal(terms, guard, t, new, &after, &defined)
    }

    /// A conjunction or disjunction before and after its operands were simplified with each other.
    pub(super) fn junction(
        &mut self,
        terms: &Terms,
        [whole, new]: [Term; 2],
        images: &[(Term, Map<Term, Term>)],
        dropped: &[(Term, Term)],
    ) {
        let conjunction = matches!(terms.node(whole), Node::And(_));
        let mut after = Vec::new();
        for (gone, kept) in dropped {
            let [gone, kept] = [gone, kept].map(|t| Literal::of(terms, *t));
            let clause = if conjunction { vec![kept.negated(), gone] } else { vec![kept, gone.negated()] };
            self.all.push(Fact { clause, after: Vec::new(), defined: Vec::new() });
            after.push(self.all.len() - 1..self.all.len());
        }
        let mut defined = vec![whole, terms.strip(new).0];
        for (operand, image) in images.iter().filter(|(_, image)| !image.is_empty()) {
            // Where the conjunction is false (or the disjunction true) the facts about its operands need not hold.
            for context in [whole, new] {
                let l = Literal::of(terms, context);
                let guard = [if conjunction { l.negated() } else { l }];
                let mut why: Map<Term, Range<usize>> = Map::default();
                for t in terms.subterms(&[*operand]) {
                    let to = image[&t];
                    let facts = self.image(terms, &guard, t, to, image, &why);
                    why.insert(t, facts);
                }
                after.extend(why.remove(operand));
            }
            defined.extend([terms.strip(*operand).0, terms.strip(image[operand]).0]);
        }
        // An operand without an image may be merged, too.
        defined.extend(images.iter().map(|(operand, _)| terms.strip(*operand).0));
        self.equal(terms, &[], whole, new, &after, &defined);
    }
}

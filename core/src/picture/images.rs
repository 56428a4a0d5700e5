//! The concrete states at each step of an abstract path: the image of the path so far, which shrinks to the empty set
//! where the path is spurious.

use solver_lite::term::{Term, Value};
use solver_lite::{Answer, Limits, Solver};

use std::sync::Arc;

use crate::encoding::precision::Precision;
use crate::encoding::{Encoding, equal};
use crate::expr::Expr;
use crate::system::{Blocks, EdgeId, System, VarId};

/// States after some steps of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Image {
    /// Values of the shown variables, each combination once.
    pub states: Vec<Vec<Value>>,
    /// There are more, or there may be.
    pub more: bool,
}

impl Image {
    /// No run reaches this step.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states.is_empty() && !self.more
    }
}

/// Computes images of paths of one system.
pub struct Images {
    system: Arc<System>,
    encoding: Encoding,
    limits: Limits,
}

impl Images {
    /// For paths with these steps.
    #[must_use]
    pub fn new(blocks: &Blocks, limits: Limits) -> Images {
        let encoding = Encoding::new(&blocks.system, blocks, Precision::new(None));
        Images { system: Arc::clone(&blocks.system), encoding, limits }
    }

    /// The image after the first `first` edges and after each further one, at most `most` combinations of the shown
    /// variables each, up to the first that is empty. `known` contains the labels of the path's states: if a domain has
    /// several successors, they exclude some states.
    pub fn along(
        &mut self,
        edges: &[EdgeId],
        known: &[Vec<Expr>],
        first: usize,
        shown: &[VarId],
        most: usize,
    ) -> Vec<Image> {
        let (mut assertions, values) = self.encoding.along(&self.system, edges);
        for ((assertion, values), known) in assertions.iter_mut().zip(&values).zip(known) {
            let terms = &mut self.encoding.terms;
            let known = known.iter().map(|e| crate::expr::to_term(e, terms, &mut |v| values[v.index()]));
            let parts: Vec<Term> = known.chain([*assertion]).collect();
            *assertion = terms.and(parts);
        }
        let mut images = Vec::new();
        for steps in first..=edges.len() {
            let shown: Vec<Term> = shown.iter().map(|v| values[steps][v.index()]).collect();
            let image = self.image(&assertions[..=steps], &shown, most);
            let empty = image.is_empty();
            images.push(image);
            if empty {
                break;
            }
        }
        images
    }

    fn image(&mut self, assertions: &[Term], shown: &[Term], most: usize) -> Image {
        let mut solver = Solver::new(self.limits);
        let terms = &mut self.encoding.terms;
        assertions.iter().for_each(|t| solver.assert(terms, *t));
        let mut states = Vec::new();
        loop {
            match solver.check(terms, &[]) {
                Answer::Unsat => return Image { states, more: false },
                Answer::Sat(model) if states.len() < most => {
                    let found = model.eval_all(terms, shown);
                    let same = shown.iter().zip(&found).map(|(t, value)| equal(terms, *t, value));
                    let same: Vec<Term> = same.collect();
                    let same = terms.and(same);
                    let other = terms.not(same);
                    solver.assert(terms, other);
                    states.push(found);
                }
                Answer::Sat(_) | Answer::Unknown(_) => return Image { states, more: true },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_shrink() {
        let text = "main process p { var x : int var b : bool init loc A loc B loc C error loc E
            A -> B { havoc x assume 0 <= x and x <= 2 } B -> C { assume x /= 1 } C -> E { assume x = 1 } }";
        let system = Arc::new(crate::formats::cfa::parse(text).unwrap());
        let singles: Vec<EdgeId> = system.edge_ids().collect();
        let block = vec![EdgeId::new(singles.len())];
        let counts = |blocks: Blocks, path: &[EdgeId]| -> Vec<(usize, bool)> {
            let images = Images::new(&blocks, Limits::default()).along(path, &[], 0, &[VarId(0)], 5);
            assert!(images.last().unwrap().is_empty());
            images.iter().map(|i| (i.states.len(), i.more)).collect()
        };
        let apart = counts(Blocks::none(&system), &singles);
        assert_eq!(apart[apart.len() - 3..], [(3, false), (2, false), (0, false)]);
        assert_eq!(counts(Blocks::of(&system), &block), [(5, true), (0, false)]);
        // The labels of the states exclude some.
        let zero = crate::certificate::formula("x = 0", &system).unwrap();
        let mut known = vec![Vec::new(); singles.len()];
        known[singles.len() - 2].push(zero);
        let mut images = Images::new(&Blocks::none(&system), Limits::default());
        let images = images.along(&singles, &known, 0, &[VarId(0)], 5);
        assert_eq!(images[singles.len() - 2].states.len(), 1);
    }
}

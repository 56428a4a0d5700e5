//! The experiment of Hajdu and Micskei (2020, section 4.1.4, Table 3): for each research question the strategies that
//! are compared. Options that a question does not vary have their defaults.

use crate::methods::cegar::strategy::{Domain, Refinement, Search, Split, Strategy};

/// A research question.
#[derive(Clone, Debug)]
pub struct Question {
    /// `RQ1` to `RQ6`.
    pub name: &'static str,
    /// The option that is varied, as a title.
    pub title: &'static str,
    /// The figure of the paper that has its heat map.
    pub figure: u32,
    /// The strategies that are compared, in the order of the figure.
    pub strategies: Vec<Strategy>,
}

/// All six questions.
///
/// # Panics
/// Never: the names are known.
#[must_use]
pub fn questions() -> Vec<Question> {
    let three = [Domain::PredBool, Domain::PredCart, Domain::Expl];
    let pred = [Domain::PredBool, Domain::PredCart, Domain::PredSplit];
    let with = |domain: Domain| Strategy { domain, ..Strategy::default() };
    let refined = |refinements: &[Refinement]| -> Vec<Strategy> {
        let all = three.iter().flat_map(|d| refinements.iter().map(|r| (*d, *r)));
        all.map(|(domain, refinement)| Strategy { refinement, ..with(domain) }).collect()
    };
    let enumerations = [Search::Bfs, Search::Dfs].into_iter().flat_map(|search| {
        let limits = ["1*", "1", "5", "10", "50", "0"].into_iter();
        limits.map(move |k| Strategy {
            search,
            max_enum: k.parse().expect("a known limit"),
            ..Strategy { domain: Domain::Expl, ..Strategy::default() }
        })
    });
    let searches = three.iter().flat_map(|d| Search::ALL.iter().map(|s| Strategy { search: *s, ..with(*d) }));
    let splits = pred.iter().flat_map(|d| Split::ALL.iter().map(|s| Strategy { split: *s, ..with(*d) }));
    use Refinement::{BwBin, FwBin, MaxPrune, MinPrune, MultiSeq, Seq};
    let question = |name, title, figure, strategies| Question { name, title, figure, strategies };
    vec![
        question("RQ1", "configurable explicit domain", 9, enumerations.collect()),
        question("RQ2", "error location-based search", 10, searches.collect()),
        question("RQ3", "splitting predicates", 11, splits.collect()),
        question("RQ4", "backward binary interpolation", 12, refined(&[BwBin, FwBin, Seq])),
        question("RQ5", "multiple counterexamples", 13, refined(&[MultiSeq, Seq])),
        question("RQ6", "multiple refinements", 14, refined(&[BwBin, FwBin, MaxPrune, MinPrune])),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_its_numbers_of_strategies() {
        let sizes: Vec<usize> = questions().iter().map(|q| q.strategies.len()).collect();
        assert_eq!(sizes, [12, 15, 9, 9, 6, 12]);
        assert!(questions().iter().flat_map(|q| &q.strategies).all(|s| s.check().is_ok()));
    }
}

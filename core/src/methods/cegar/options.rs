//! The options of abstraction refinement, in the order of the page.

use crate::buchi::emptiness::Emptiness;
use crate::methods::cegar::strategy::{
    CycleRefinement, Domain, Granularity, Letters, Pruning, Ranking, Refinement, Search, Slice, Split, Steps,
    Strategy,
};
use crate::methods::options::MethodOption;

/// Values of `max-enum`.
const LIMITS: [(&str, &str); 6] = [
    ("1*", "Values are evaluated; no solver queries."),
    ("1", "At most one successor, found by the solver."),
    ("5", "Up to five successors."),
    ("10", "Up to ten successors."),
    ("50", "Up to fifty successors."),
    ("0", "All successors; there may be infinitely many."),
];

/// The names and descriptions of a choice.
macro_rules! choices {
    ($choice:ident) => {
        $choice::ALL.iter().map(|c| (c.name(), c.what())).collect()
    };
}

/// All options.
pub(crate) fn offered() -> Vec<MethodOption> {
    let usual = Strategy::default();
    let list = |name, title, choices| MethodOption::list(name, title, &usual.get(name), choices);
    let domains = |wanted: fn(Domain) -> bool| -> Vec<&str> {
        Domain::ALL.iter().filter(|d| wanted(**d)).map(|d| d.name()).collect()
    };
    vec![
        list("domain", "Abstract domain", choices!(Domain)),
        list("max-enum", "Maximal number of successors", LIMITS.to_vec())
            .only("domain", domains(Domain::has_values)),
        list("precision", "Precision", choices!(Granularity)),
        list("search", "Search", choices!(Search)),
        list("split", "Predicates", choices!(Split)).only("domain", domains(Domain::has_predicates)),
        list("refinement", "Refinement", choices!(Refinement)),
        list("prune", "Pruning", choices!(Pruning)),
        list("slice", "Slice", choices!(Slice)),
        list("steps", "Steps", choices!(Steps)),
        emptiness(),
        list("fold", "Cycles without repeated state", choices!(CycleRefinement)),
        list("letters", "Steps of the automaton", choices!(Letters)),
        list("ranking", "Terminating cycles", choices!(Ranking)),
        MethodOption::text(
            "explicit",
            "Variables with values",
            "Names, separated by commas; if empty, chosen by a heuristic.",
        )
        .only("domain", vec![Domain::Combined.name()]),
        MethodOption::text(
            "initial",
            "Initial precision",
            "Predicates (and explicit variables), separated by semicolons.",
        ),
    ]
}

/// The search for accepting cycles, also of explicit search.
pub(crate) fn emptiness() -> MethodOption {
    MethodOption::list("emptiness", "Accepting cycles", Emptiness::default().name(), choices!(Emptiness))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_option_of_a_strategy_is_offered_with_its_default() {
        let offered = offered();
        for (name, option) in crate::methods::cegar::OPTIONS.iter().zip(&offered) {
            assert_eq!(option.name, *name);
            assert_eq!(option.usual, Strategy::default().get(name));
            assert!(
                option.choices.is_empty() || option.choices.iter().any(|(c, _)| *c == option.usual),
                "{name}"
            );
        }
        assert_eq!(offered.len(), crate::methods::cegar::OPTIONS.len());
    }
}

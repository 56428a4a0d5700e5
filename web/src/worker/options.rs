//! The options of runs as sent to the page, which needs no change for a new option.

use veristep_core::methods::cegar::{
    CycleRefinement, Domain, Emptiness, Granularity, Letters, Pruning, Ranking, Refinement, Search, Slice,
    Split, Steps, Strategy,
};

use veristep_core::run::Method;

use crate::protocol::RunOption;

/// All options, in the order of the page.
pub(super) fn options() -> Vec<RunOption> {
    let most = [
        ("1*", "Values are evaluated; no solver queries."),
        ("1", "At most one successor, found by the solver."),
        ("5", "Up to five successors."),
        ("10", "Up to ten successors."),
        ("50", "Up to fifty successors."),
        ("0", "All successors; there may be infinitely many."),
    ];
    let domains = |wanted: fn(Domain) -> bool| -> Vec<String> {
        Domain::ALL.iter().filter(|d| wanted(**d)).map(ToString::to_string).collect()
    };
    let (values, predicates) = (domains(Domain::has_values), domains(Domain::has_predicates));
    let only = |name: &str, of: Vec<String>| vec![(name.to_owned(), of)];
    let mut all = vec![
        RunOption {
            usual: "cegar".to_owned(),
            only: vec![],
            ..list("engine", "Method", &named(&Method::ALL, Method::name, Method::what))
        },
        list("domain", "Abstract domain", &named(Domain::ALL, Domain::name, Domain::what)),
        with(list("max-enum", "Maximal number of successors", &most), only("domain", values)),
        list("precision", "Precision", &named(Granularity::ALL, Granularity::name, Granularity::what)),
        list("search", "Search", &named(Search::ALL, Search::name, Search::what)),
        with(
            list("split", "Predicates", &named(Split::ALL, Split::name, Split::what)),
            only("domain", predicates),
        ),
        list("refinement", "Refinement", &named(Refinement::ALL, Refinement::name, Refinement::what)),
        list("prune", "Pruning", &named(Pruning::ALL, Pruning::name, Pruning::what)),
        list("slice", "Slice", &named(Slice::ALL, Slice::name, Slice::what)),
        list("steps", "Steps", &named(Steps::ALL, Steps::name, Steps::what)),
        list("emptiness", "Accepting cycles", &named(Emptiness::ALL, Emptiness::name, Emptiness::what)),
        list(
            "fold",
            "Cycles without repeated state",
            &named(CycleRefinement::ALL, CycleRefinement::name, CycleRefinement::what),
        ),
        list("letters", "Steps of the automaton", &named(Letters::ALL, Letters::name, Letters::what)),
        list("ranking", "Terminating cycles", &named(Ranking::ALL, Ranking::name, Ranking::what)),
        with(
            written(
                "explicit",
                "Variables with values",
                "Names, separated by commas; if empty, chosen by a heuristic.",
            ),
            only("domain", vec![Domain::Combined.to_string()]),
        ),
        written(
            "initial",
            "Initial precision",
            "Predicates (and explicit variables), separated by semicolons.",
        ),
    ];
    all.extend(others());
    all
}

/// Options of the methods without an abstract reachability graph.
fn others() -> Vec<RunOption> {
    vec![
        of(
            "bmc",
            "",
            written("bound", "Bound", "Maximal number of steps; if empty, the search is unbounded."),
        ),
        of(
            "split",
            "pred",
            list(
                "domain",
                "Cells",
                &[
                    ("pred", "A cell: states that agree on the predicates."),
                    ("combined", "Also one cell for each value of small domains."),
                    ("expl", "A cell: one value for each visible variable."),
                ],
            ),
        ),
        of(
            "split",
            "craig",
            list(
                "refinement",
                "Refinement",
                &[
                    ("craig", "One interpolant splits the failure state."),
                    ("seq", "A sequence of interpolants splits all states of the path."),
                ],
            ),
        ),
        of(
            "split",
            "on",
            list(
                "incremental",
                "Incremental search",
                &[("on", "The prefix before the split cell is kept."), ("off", "The search restarts.")],
            ),
        ),
        of(
            "split",
            "",
            written(
                "explicit",
                "Variables with values",
                "Names, separated by commas; if empty, chosen by a heuristic.",
            ),
        ),
        of("split", "", written("initial", "Initial predicates", "Conditions, separated by semicolons.")),
    ]
}

fn named<T: Copy>(
    all: &[T],
    name: fn(T) -> &'static str,
    what: fn(T) -> &'static str,
) -> Vec<(&'static str, &'static str)> {
    all.iter().map(|c| (name(*c), what(*c))).collect()
}

/// An option of a strategy that is chosen from a list.
fn list(name: &str, title: &str, choices: &[(&str, &str)]) -> RunOption {
    RunOption {
        name: name.to_owned(),
        title: title.to_owned(),
        usual: Strategy::default().get(name),
        choices: choices.iter().map(|(c, what)| ((*c).to_owned(), (*what).to_owned())).collect(),
        hint: String::new(),
        only: vec![("engine".to_owned(), vec!["cegar".to_owned()])],
    }
}

fn written(name: &str, title: &str, hint: &str) -> RunOption {
    RunOption { hint: hint.to_owned(), ..list(name, title, &[]) }
}

/// The same for another method, with its usual value.
fn of(engine: &str, usual: &str, option: RunOption) -> RunOption {
    RunOption {
        usual: usual.to_owned(),
        only: vec![("engine".to_owned(), vec![engine.to_owned()])],
        ..option
    }
}

fn with(mut option: RunOption, mut only: Vec<(String, Vec<String>)>) -> RunOption {
    option.only.append(&mut only);
    option
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::options::set;
    use veristep_core::methods::cegar::OPTIONS;

    #[test]
    fn all_options_are_offered() {
        let known = options();
        assert!(OPTIONS.iter().all(|name| known.iter().any(|o| o.name == *name)));
        for o in known.iter().filter(|o| !o.choices.is_empty()) {
            assert!(o.choices.iter().any(|(c, _)| *c == o.usual), "{}", o.name);
        }
    }

    #[test]
    fn only_what_is_unusual_and_has_a_meaning_is_kept() {
        let (known, mut all) = (options(), vec![]);
        let mut after = |name: &str, value: &str| -> Vec<String> {
            set(&known, &mut all, name, value);
            all.iter().map(|(n, v)| format!("{n}={v}")).collect()
        };
        after("domain", "expl");
        after("search", "err");
        assert_eq!(after("max-enum", "5"), ["domain=expl", "max-enum=5", "search=err"]);
        assert_eq!(after("domain", "pred-bool"), ["domain=pred-bool", "search=err"]);
        assert_eq!(after("search", "bfs"), ["domain=pred-bool"]);
        assert_eq!(after("engine", "split"), ["engine=split"]);
        assert_eq!(after("domain", "expl"), ["engine=split", "domain=expl"]);
        after("refinement", "seq");
        assert_eq!(
            after("initial", "x < 2"),
            ["engine=split", "domain=expl", "refinement=seq", "initial=x < 2"]
        );
        assert_eq!(after("engine", "auto"), ["engine=auto"]);
    }
}

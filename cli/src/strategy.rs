//! The options of a method on the command line.

use clap::Args;
use veristep_core::methods::cegar::{
    CycleRefinement, Emptiness, Granularity, Letters, MaxEnum, Pruning, Ranking, Search, Slice, Split, Steps,
};
use veristep_core::run::Options;

use crate::input::{BadInput, bad};

/// The given options; all others have their default.
#[derive(Args, Clone, Default)]
pub(crate) struct Choices {
    /// Abstract domain: pred-cart, pred-bool, pred-split, expl or combined; for split pred, expl or combined
    #[arg(long, value_name = "D")]
    domain: Option<String>,
    /// Limit of enumerated successors in expl and combined: 1* (without the solver), a number, 0 (no limit)
    #[arg(long, value_name = "K")]
    max_enum: Option<MaxEnum>,
    /// Variables with explicit values in combined, by name; by default those compared with constants only
    #[arg(long, value_name = "X,Y,…")]
    explicit: Option<String>,
    /// Slicing, which removes irrelevant parts of the model: on or off
    #[arg(long, value_name = "S")]
    slice: Option<Slice>,
    /// Step of the graph: single (an edge) or blocks (all paths between two cutpoints)
    #[arg(long, value_name = "S")]
    steps: Option<Steps>,
    /// Initial precision, separated by `;`: predicates, and variables for expl and combined; for under predicates
    /// besides the guards
    #[arg(long, value_name = "P; Q; …")]
    initial: Option<String>,
    /// Scope of the precision: global or local (per location)
    #[arg(long, value_name = "P")]
    precision: Option<Granularity>,
    /// Search order: bfs, dfs, err, err-dfs or dfs-err; for under bfs or dfs
    #[arg(long, value_name = "S")]
    search: Option<Search>,
    /// Splitting of interpolants into predicates: whole, conjuncts or atoms
    #[arg(long, value_name = "S")]
    split: Option<Split>,
    /// Refinement of counterexamples: seq, fw-bin, bw-bin, multi-seq, max-prune or min-prune; for split craig or seq
    #[arg(long, value_name = "R")]
    refinement: Option<String>,
    /// Pruning of the graph: lazy or full
    #[arg(long, value_name = "P")]
    prune: Option<Pruning>,
    /// Search for accepting cycles, for temporal formulas: nested or components
    #[arg(long, value_name = "S")]
    emptiness: Option<Emptiness>,
    /// Refinement of cycles that do not close, for temporal formulas: value, path or relation
    #[arg(long, value_name = "F")]
    fold: Option<CycleRefinement>,
    /// Letters read by the automaton, for temporal formulas: exact or abstract
    #[arg(long, value_name = "L")]
    letters: Option<Letters>,
    /// Proofs that cycles terminate or do not terminate, for temporal formulas: on or off
    #[arg(long, value_name = "S")]
    ranking: Option<Ranking>,
    /// Incremental exploration for split, which keeps everything explored before the first split state: on or off
    #[arg(long, value_name = "S")]
    incremental: Option<String>,
    /// Stubborn sets for explicit search of Petri nets: on or off
    #[arg(long, value_name = "S")]
    stubborn: Option<String>,
    /// Structural reductions for explicit search of Petri nets: large (nets with at least 100 transitions), all or off
    #[arg(long, value_name = "S")]
    reduce: Option<String>,
    /// Greatest number of steps for bmc, or of visits for k-liveness
    #[arg(long, value_name = "K")]
    bound: Option<u32>,
    /// Time in bmc of nets with delays of places: dl (difference logic) or la (linear arithmetic)
    #[arg(long, value_name = "E")]
    encoding: Option<String>,
    /// Replacing of variables of such a net whose value does not change: on or off
    #[arg(long, value_name = "S")]
    replace: Option<String>,
    /// The same as --replace off
    #[arg(long, conflicts_with = "replace")]
    no_replace: bool,
    /// End of a search of under: full (all states are explored) or first (at the first error)
    #[arg(long, value_name = "S")]
    stop: Option<String>,
    /// New predicates of under: solver (where a step is not exact) or substitution (of every step, without the solver)
    #[arg(long, value_name = "E")]
    exactness: Option<String>,
    /// After how many inexact searches under adds predicates for one concrete state: a number, or off
    #[arg(long, value_name = "N")]
    concrete: Option<String>,
    /// Passing of time in such a net: exact, or paper (also past a moment at which a transition must fire)
    #[arg(long, value_name = "E")]
    elapse: Option<String>,
}

impl Choices {
    /// The options by name.
    pub(crate) fn named(&self) -> Vec<(String, String)> {
        let all = [
            ("domain", self.domain.clone()),
            ("max-enum", self.max_enum.map(|c| c.to_string())),
            ("explicit", self.explicit.clone()),
            ("slice", self.slice.map(|c| c.to_string())),
            ("steps", self.steps.map(|c| c.to_string())),
            ("initial", self.initial.clone()),
            ("precision", self.precision.map(|c| c.to_string())),
            ("search", self.search.map(|c| c.to_string())),
            ("split", self.split.map(|c| c.to_string())),
            ("refinement", self.refinement.clone()),
            ("prune", self.prune.map(|c| c.to_string())),
            ("emptiness", self.emptiness.map(|c| c.to_string())),
            ("fold", self.fold.map(|c| c.to_string())),
            ("letters", self.letters.map(|c| c.to_string())),
            ("ranking", self.ranking.map(|c| c.to_string())),
        ];
        let bound = ("bound", self.bound.map(|b| b.to_string()));
        let texts = [
            ("incremental", self.incremental.clone()),
            ("stubborn", self.stubborn.clone()),
            ("reduce", self.reduce.clone()),
            ("encoding", self.encoding.clone()),
            ("replace", self.no_replace.then(|| "off".to_owned()).or_else(|| self.replace.clone())),
            ("elapse", self.elapse.clone()),
            ("stop", self.stop.clone()),
            ("exactness", self.exactness.clone()),
            ("concrete", self.concrete.clone()),
        ];
        all.into_iter()
            .chain([bound])
            .chain(texts)
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect()
    }

    /// The defaults with these options. Without an engine and options, several strategies run in turn.
    pub(crate) fn options(&self, engine: Option<&str>) -> Result<Options, BadInput> {
        let mut named = self.named();
        let steps = [&self.encoding, &self.replace, &self.elapse];
        let unrolls = self.no_replace || steps.iter().any(|option| option.is_some());
        let under = [&self.stop, &self.exactness, &self.concrete].iter().any(|option| option.is_some());
        let chosen = if self.bound.is_some() || unrolls { "bmc" } else { "cegar" };
        let chosen = if under { "under" } else { chosen };
        let engine = engine.unwrap_or(if named.is_empty() { "auto" } else { chosen });
        named.push((Options::ENGINE.to_owned(), engine.to_owned()));
        Options::with(&named).or_else(|why| bad(format!("error: {why}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::FromArgMatches as _;
    use veristep_core::run::Method;

    #[test]
    fn each_option_of_a_method_is_an_argument_and_is_passed_on() {
        let command = Choices::augment_args(clap::Command::new("check"));
        for method in Method::ALL {
            for option in (method.about().options)() {
                let value = option.choices.first().map_or("3", |(value, _)| *value);
                let argument = format!("--{}", option.name);
                let read = command.clone().try_get_matches_from(["check", &argument, value]);
                let choices = Choices::from_arg_matches(&read.expect(option.name)).expect("arguments");
                let named = [(option.name.to_owned(), value.to_owned())];
                assert_eq!(choices.named(), named, "{}", method.name());
            }
        }
    }
}

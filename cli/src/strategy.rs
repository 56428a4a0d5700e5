//! The choices of a method on the command line.

use clap::Args;
use veristep_core::methods::cegar::{
    Emptiness, Fold, Granularity, Letters, MaxEnum, Pruning, Ranking, Search, Slice, Split, Steps,
};
use veristep_core::run::Options;

use crate::input::{BadInput, bad};

/// Choices that were made; what was not chosen is as usual.
#[derive(Args, Clone, Default)]
pub(crate) struct Choices {
    /// The abstract domain: pred-cart, pred-bool, pred-split, expl or combined; of split pred, expl or combined
    #[arg(long, value_name = "D")]
    domain: Option<String>,
    /// How many successors expl and combined may list: 1* (without the solver), a number, 0 (no limit)
    #[arg(long, value_name = "K")]
    max_enum: Option<MaxEnum>,
    /// The variables that combined gives values to, by name; otherwise those compared with constants only
    #[arg(long, value_name = "X,Y,…")]
    explicit: Option<String>,
    /// Leave out what has no influence: on or off
    #[arg(long, value_name = "S")]
    slice: Option<Slice>,
    /// What is one step of the graph: single (an edge) or blocks (all between two loop heads)
    #[arg(long, value_name = "S")]
    steps: Option<Steps>,
    /// What is tracked from the start: predicates, and variables for expl and combined; separated by ;
    #[arg(long, value_name = "P; Q; …")]
    initial: Option<String>,
    /// Where things are tracked: global or local
    #[arg(long, value_name = "P")]
    precision: Option<Granularity>,
    /// The order in which the graph is explored: bfs, dfs, err, err-dfs or dfs-err
    #[arg(long, value_name = "S")]
    search: Option<Search>,
    /// How interpolants become predicates: whole, conjuncts or atoms
    #[arg(long, value_name = "S")]
    split: Option<Split>,
    /// How counterexamples are explained: seq, fw-bin, bw-bin, multi-seq, max-prune or min-prune; of split craig or seq
    #[arg(long, value_name = "R")]
    refinement: Option<String>,
    /// How the graph is cut back: lazy or full
    #[arg(long, value_name = "P")]
    prune: Option<Pruning>,
    /// How accepting cycles are searched for, for temporal formulas: nested or components
    #[arg(long, value_name = "S")]
    emptiness: Option<Emptiness>,
    /// How a cycle that does not close is refined, for temporal formulas: value, path or relation
    #[arg(long, value_name = "F")]
    fold: Option<Fold>,
    /// On what the automaton steps, for temporal formulas: exact or abstract
    #[arg(long, value_name = "L")]
    letters: Option<Letters>,
    /// Whether it is tried to show that cycles end, or never do, for temporal formulas: on or off
    #[arg(long, value_name = "S")]
    ranking: Option<Ranking>,
    /// Whether split keeps what was explored before the first state that is split: on or off
    #[arg(long, value_name = "S")]
    incremental: Option<String>,
    /// The greatest number of steps that bmc looks at, or of visits that k-liveness allows
    #[arg(long, value_name = "K")]
    bound: Option<u32>,
}

impl Choices {
    /// The choices by name.
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
        let incremental = ("incremental", self.incremental.clone());
        all.into_iter()
            .chain([bound, incremental])
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect()
    }

    /// The usual options with these choices. Without an engine and choices, several strategies take turns.
    pub(crate) fn options(&self, engine: Option<&str>) -> Result<Options, BadInput> {
        let mut named = self.named();
        let chosen = if self.bound.is_some() { "bmc" } else { "cegar" };
        let engine = engine.unwrap_or(if named.is_empty() { "auto" } else { chosen });
        named.push(("engine".to_owned(), engine.to_owned()));
        Options::with(&named).or_else(|why| bad(format!("error: {why}")))
    }
}

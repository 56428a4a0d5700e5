//! The options of a run (Hajdu and Micskei 2020, section 4.1.3 and Table 2), with the names used on the command line,
//! in the page and in links.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use crate::buchi::emptiness::Emptiness;
use crate::choice::choice;

choice! {
    /// The abstract domain (sections 2.2.1, 3.1.1, 3.1.3; `combined`: Hajdu, Tóth, Vörös and Majzik, "A Configurable
    /// CEGAR Framework with Interpolation-Based Refinements", 2016, section 4.1).
    Domain {
        #[default]
        PredCart = "pred-cart": "Each state is a conjunction of predicates and negated predicates.",
        PredBool = "pred-bool": "Each state is any Boolean combination of predicates.",
        PredSplit = "pred-split": "Like pred-bool, but each conjunction becomes a state of its own.",
        Expl = "expl": "Each state is an assignment of values to tracked variables.",
        Combined = "combined": "Control-like variables have values, the others are abstracted by predicates.",
    }
}

choice! {
    /// Scope of the precision: global or per location (section 2.2.1, "Locations").
    Granularity {
        #[default]
        Global = "global": "One precision for all locations.",
        Local = "local": "A separate precision for each location.",
    }
}

choice! {
    /// The order in which the graph is explored (section 3.1.2).
    Search {
        #[default]
        Bfs = "bfs": "Nodes near the root come first.",
        Dfs = "dfs": "Nodes far from the root come first.",
        Err = "err": "Nodes whose location is near the error location come first.",
        ErrDfs = "err-dfs": "Depth counts twice, the distance to the error location once.",
        DfsErr = "dfs-err": "The distance to the error location counts twice, depth once.",
    }
}

choice! {
    /// How an interpolant becomes predicates (section 3.1.3).
    Split {
        #[default]
        Whole = "whole": "An interpolant is one predicate.",
        Conjuncts = "conjuncts": "Each conjunct of an interpolant is a predicate.",
        Atoms = "atoms": "Each atom of an interpolant is a predicate.",
    }
}

choice! {
    /// How a spurious counterexample is interpolated (sections 2.2.2, 3.2.1 to 3.2.3).
    Refinement {
        #[default]
        Seq = "seq": "A sequence interpolant: one formula for each state of the path.",
        FwBin = "fw-bin": "A binary interpolant after the longest feasible prefix.",
        BwBin = "bw-bin": "A binary interpolant before the longest feasible suffix.",
        MultiSeq = "multi-seq": "Sequence interpolants of all counterexamples; a minimal set of them is refined.",
        MaxPrune = "max-prune": "The one of fw-bin and bw-bin that prunes nearest to the error location.",
        MinPrune = "min-prune": "The one of fw-bin and bw-bin that prunes nearest to the start.",
    }
}

choice! {
    /// How the graph is pruned (section 2.2.2, "Pruning").
    Pruning {
        #[default]
        Lazy = "lazy": "The graph is kept up to the first node that is refined.",
        Full = "full": "The graph is rebuilt from the root.",
    }
}

choice! {
    /// Whether the system is reduced before the run.
    Slice {
        #[default]
        Off = "off": "The whole system is explored.",
        On = "on": "Edges and assignments that do not affect the reachability of the error location are removed.",
    }
}

choice! {
    /// The steps of the graph: single edges or large blocks (Beyer, Cimatti, Griggio, Keremoglu and Sebastiani,
    /// "Software Model Checking via Large-Block Encoding", 2009).
    Steps {
        #[default]
        Single = "single": "Each edge is a step.",
        Blocks = "blocks": "All paths between two cutpoints are one step: a large block.",
    }
}

choice! {
    /// Refinement of a cycle that does not close; for temporal formulas only ("CEGAR-based LTL model checking",
    /// section 3.4.4).
    CycleRefinement {
        #[default]
        Value = "value": "An interpolant of the path and the equality of its ends, with the values of a model at the start.",
        Path = "path": "Interpolants along a path whose cycle starts with the values of a model.",
        Relation = "relation": "A ranking function or a recurrent set of the cycle is computed first; if there is none, as value.",
    }
}

choice! {
    /// How the automaton steps; for temporal formulas only ("CEGAR-based LTL model checking", section 3.4.2).
    Letters {
        #[default]
        Exact = "exact": "The guards of the automaton are part of the steps of the system.",
        Abstract = "abstract": "The automaton steps on the abstract state that is reached; paths are first checked without its guards.",
    }
}

choice! {
    /// Termination of cycles: ranking functions and recurrent sets; for temporal formulas only.
    Ranking {
        #[default]
        On = "on": "If a cycle is found again after a refinement, a ranking function or a recurrent set of it is computed.",
        Off = "off": "Cycles are only refined with predicates.",
    }
}

/// How many successors of an operation the explicit domain enumerates at most (section 3.1.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MaxEnum {
    /// One, without a query: `1*`.
    Evaluated,
    /// At most this number.
    AtMost(NonZeroU32),
    /// Any number: `0`. If there are infinitely many, the run does not terminate.
    Unlimited,
}

impl Default for MaxEnum {
    fn default() -> MaxEnum {
        MaxEnum::AtMost(NonZeroU32::new(10).expect("ten is not zero"))
    }
}

impl fmt::Display for MaxEnum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MaxEnum::Evaluated => f.write_str("1*"),
            MaxEnum::AtMost(k) => write!(f, "{k}"),
            MaxEnum::Unlimited => f.write_str("0"),
        }
    }
}

impl FromStr for MaxEnum {
    type Err = String;

    fn from_str(text: &str) -> Result<MaxEnum, String> {
        if text == "1*" {
            return Ok(MaxEnum::Evaluated);
        }
        let k: u32 = text.parse().map_err(|_| format!("'{text}' is neither 1* nor a number"))?;
        Ok(NonZeroU32::new(k).map_or(MaxEnum::Unlimited, MaxEnum::AtMost))
    }
}

/// All options of a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Strategy {
    /// The abstract domain.
    pub domain: Domain,
    /// The limit of the enumeration of successors; only for domains with values.
    pub max_enum: MaxEnum,
    /// The scope of the precision.
    pub precision: Granularity,
    /// The order of exploration.
    pub search: Search,
    /// How interpolants become predicates; only for domains with predicates.
    pub split: Split,
    /// How counterexamples are interpolated.
    pub refinement: Refinement,
    /// How the graph is pruned.
    pub prune: Pruning,
    /// Whether the system is reduced first.
    pub slice: Slice,
    /// Single edges or large blocks.
    pub steps: Steps,
    /// The search for accepting cycles.
    pub emptiness: Emptiness,
    /// The refinement of cycles.
    pub cycles: CycleRefinement,
    /// How the automaton steps.
    pub letters: Letters,
    /// Whether ranking functions and recurrent sets are computed.
    pub ranking: Ranking,
    /// The variables with values in the domain `combined`, by name; chosen by a heuristic if empty.
    pub explicit: Vec<String>,
    /// The initial precision: predicates, and names of variables if the domain has values.
    pub initial: Vec<String>,
}

/// The names of all options, as on the command line.
pub const OPTIONS: [&str; 15] = [
    "domain",
    "max-enum",
    "precision",
    "search",
    "split",
    "refinement",
    "prune",
    "slice",
    "steps",
    "emptiness",
    "fold",
    "letters",
    "ranking",
    "explicit",
    "initial",
];

impl Strategy {
    /// Sets an option by name.
    ///
    /// # Errors
    /// What is wrong with the name or the value, in words.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let wrong = |why: String| format!("{name}: {why}");
        match name {
            "domain" => self.domain = value.parse().map_err(wrong)?,
            "max-enum" => self.max_enum = value.parse().map_err(wrong)?,
            "precision" => self.precision = value.parse().map_err(wrong)?,
            "search" => self.search = value.parse().map_err(wrong)?,
            "split" => self.split = value.parse().map_err(wrong)?,
            "refinement" => self.refinement = value.parse().map_err(wrong)?,
            "prune" => self.prune = value.parse().map_err(wrong)?,
            "slice" => self.slice = value.parse().map_err(wrong)?,
            "steps" => self.steps = value.parse().map_err(wrong)?,
            "emptiness" => self.emptiness = value.parse().map_err(wrong)?,
            "fold" => self.cycles = value.parse().map_err(wrong)?,
            "letters" => self.letters = value.parse().map_err(wrong)?,
            "ranking" => self.ranking = value.parse().map_err(wrong)?,
            "explicit" => self.explicit = listed(value, ','),
            "initial" => self.initial = listed(value, ';'),
            _ => return Err(format!("there is no option '{name}'; there are {}", OPTIONS.join(", "))),
        }
        Ok(())
    }

    /// The value of an option by name; empty for an unknown name.
    #[must_use]
    pub fn get(&self, name: &str) -> String {
        match name {
            "domain" => self.domain.to_string(),
            "max-enum" => self.max_enum.to_string(),
            "precision" => self.precision.to_string(),
            "search" => self.search.to_string(),
            "split" => self.split.to_string(),
            "refinement" => self.refinement.to_string(),
            "prune" => self.prune.to_string(),
            "slice" => self.slice.to_string(),
            "steps" => self.steps.to_string(),
            "emptiness" => self.emptiness.to_string(),
            "fold" => self.cycles.to_string(),
            "letters" => self.letters.to_string(),
            "ranking" => self.ranking.to_string(),
            "explicit" => self.explicit.join(","),
            "initial" => self.initial.join("; "),
            _ => String::new(),
        }
    }

    /// The options that differ from the defaults, by name.
    #[must_use]
    pub fn unusual(&self) -> Vec<(String, String)> {
        let usual = Strategy::default();
        let differs = OPTIONS.iter().filter(|name| self.get(name) != usual.get(name));
        differs.map(|name| ((*name).to_owned(), self.get(name))).collect()
    }

    /// A short name: `expl 5 dfs`, with the domain and the options that differ from the defaults.
    #[must_use]
    pub fn short(&self) -> String {
        let mut words = vec![self.domain.to_string()];
        let others = self.unusual().into_iter().filter(|(name, _)| name != "domain");
        words.extend(others.map(|(name, value)| if name == "slice" { "sliced".to_owned() } else { value }));
        words.join(" ")
    }

    /// Checks that the options are compatible.
    ///
    /// # Errors
    /// The reason, in words.
    pub fn check(&self) -> Result<(), String> {
        if !self.explicit.is_empty() && self.domain != Domain::Combined {
            return Err(format!(
                "variables with values are chosen for the domain combined, not for {}",
                self.domain
            ));
        }
        if self.steps == Steps::Blocks && self.domain.has_values() && self.max_enum == MaxEnum::Evaluated {
            return Err("a large block cannot be evaluated, so max-enum 1* requires single steps".to_owned());
        }
        let usual = Strategy::default();
        if self.max_enum != usual.max_enum && !self.domain.has_values() {
            return Err(format!(
                "the domain {} enumerates no values, so max-enum has no effect",
                self.domain
            ));
        }
        if self.split != usual.split && !self.domain.has_predicates() {
            return Err(format!("the domain {} has no predicates to split", self.domain));
        }
        Ok(())
    }
}

fn listed(text: &str, separator: char) -> Vec<String> {
    text.split(separator).map(str::trim).filter(|n| !n.is_empty()).map(str::to_owned).collect()
}

impl Domain {
    /// Do its states contain values of variables?
    #[must_use]
    pub fn has_values(self) -> bool {
        matches!(self, Domain::Expl | Domain::Combined)
    }

    /// May an operation lead from one state to several?
    #[must_use]
    pub fn has_several_successors(self) -> bool {
        self.has_values() || self == Domain::PredSplit
    }

    /// Do its states contain predicates?
    #[must_use]
    pub fn has_predicates(self) -> bool {
        self != Domain::Expl
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_found_by_its_name() {
        let mut s = Strategy::default();
        for name in OPTIONS {
            let value = s.get(name);
            s.set(name, &value).unwrap();
        }
        assert_eq!(s, Strategy::default());
        for (name, value) in
            [("domain", "expl"), ("max-enum", "1*"), ("search", "err-dfs"), ("prune", "full")]
        {
            s.set(name, value).unwrap();
            assert_eq!(s.get(name), value);
        }
        assert_eq!(s.short(), "expl 1* err-dfs full");
        assert!(s.set("domain", "bdd").unwrap_err().contains("pred-cart, pred-bool"));
        assert!(s.set("max-enum", "many").is_err());
        assert!(s.set("colour", "red").unwrap_err().contains("refinement"));
    }

    #[test]
    fn what_has_no_meaning_is_refused() {
        let with = |all: &[(&str, &str)]| {
            let mut s = Strategy::default();
            all.iter().for_each(|(name, value)| s.set(name, value).unwrap());
            s.check()
        };
        assert!(with(&[]).is_ok());
        assert!(with(&[("domain", "expl"), ("max-enum", "0")]).is_ok());
        assert!(with(&[("max-enum", "5")]).unwrap_err().contains("enumerates no values"));
        assert!(with(&[("domain", "expl"), ("split", "atoms")]).unwrap_err().contains("no predicates"));
        assert!(with(&[("explicit", "x, y")]).unwrap_err().contains("combined"));
        assert!(with(&[("domain", "combined"), ("explicit", "x, y")]).is_ok());
    }
}

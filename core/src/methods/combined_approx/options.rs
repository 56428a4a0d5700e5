//! The options of under- and over-approximation in turns: some of those of the two engines.

use crate::methods::Plan;
use crate::methods::cegar::{Domain, Refinement, Strategy};
use crate::methods::options::{MethodOption, Options};
use crate::methods::under::{self, UnderOptions};

/// The options.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CombinedOptions {
    /// Those of the under-approximation.
    pub under: UnderOptions,
    /// Those of the over-approximation.
    pub over: Strategy,
}

/// The domains: those with predicates.
const DOMAINS: [Domain; 3] = [Domain::PredCart, Domain::PredBool, Domain::PredSplit];

/// The options of the under-approximation that are offered.
const UNDER: [&str; 3] = ["exactness", "concrete", "initial"];

/// The descriptions of the options.
pub(super) fn offered() -> Vec<MethodOption> {
    let usual = CombinedOptions::default().over;
    let mut all = vec![
        MethodOption::list(
            "domain",
            "Abstract domain",
            usual.domain.name(),
            DOMAINS.iter().map(|d| (d.name(), d.what())).collect(),
        ),
        MethodOption::list(
            "refinement",
            "Refinement",
            usual.refinement.name(),
            Refinement::ALL.iter().map(|r| (r.name(), r.what())).collect(),
        ),
    ];
    all.extend((under::ABOUT.options)().into_iter().filter(|o| UNDER.contains(&o.name)));
    all
}

impl CombinedOptions {
    /// Sets an option by its name.
    ///
    /// # Errors
    /// What is wrong with the value, in words.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        if UNDER.contains(&name) {
            return self.under.set(name, value);
        }
        if name == "domain" && !DOMAINS.iter().any(|d| d.name() == value) {
            return Err(format!("domain: '{value}' is none of {}", DOMAINS.map(Domain::name).join(", ")));
        }
        self.over.set(name, value)
    }

    /// The options that differ from their defaults, by name.
    pub(crate) fn choices(&self) -> Vec<(String, String)> {
        [self.over.unusual(), self.under.choices()].concat()
    }

    /// In short, for people.
    pub(crate) fn short(&self) -> String {
        let words = self.choices().into_iter().map(|(name, value)| format!("{name} {value}"));
        std::iter::once("combined-approx".to_owned()).chain(words).collect::<Vec<_>>().join(", ")
    }
}

/// The plan of these options.
pub(super) fn plan(options: &Options) -> Option<Plan> {
    Some(Plan::CombinedApprox(options.combined.clone()))
}

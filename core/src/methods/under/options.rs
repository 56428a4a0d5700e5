//! The options of under-approximation refinement.

use crate::expr::Expr;
use crate::methods::options::{MethodOption, Options};
use crate::property;
use crate::system::System;

/// The order of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Breadth first.
    #[default]
    Bfs,
    /// Depth first.
    Dfs,
}

/// Where new predicates come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Exactness {
    /// From implications that the solver refutes (section 4.2).
    #[default]
    Solver,
    /// From substitutions alone, without a solver (section 7.3).
    Substitution,
}

/// The options.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UnderOptions {
    /// The order of the search.
    pub order: Order,
    /// Does the search end at the first error? Otherwise each search is completed.
    pub first: bool,
    /// Where new predicates come from.
    pub exactness: Exactness,
    /// Do predicates belong to the program counter of the transition that needs them (section 7.2)?
    pub local: bool,
    /// After this many searches in which a transition is inexact, its concrete state becomes predicates (section 6.1);
    /// never if zero.
    pub concrete: u32,
    /// Predicates to begin with, besides the atoms of the guards: conditions separated by `;`.
    pub initial: String,
}

/// The descriptions of the options.
pub(super) fn offered() -> Vec<MethodOption> {
    vec![
        MethodOption::list(
            "search",
            "Order of the search",
            "bfs",
            vec![("bfs", "breadth first"), ("dfs", "depth first")],
        ),
        MethodOption::list(
            "stop",
            "End of a search",
            "full",
            vec![("full", "when all states are explored"), ("first", "at the first error")],
        ),
        MethodOption::list(
            "exactness",
            "New predicates",
            "solver",
            vec![
                ("solver", "where the solver finds a loss of precision"),
                ("substitution", "of every transition, without the solver"),
            ],
        ),
        MethodOption::list(
            "precision",
            "Scope of predicates",
            "global",
            vec![("global", "all states"), ("local", "the program counter of the transition")],
        ),
        MethodOption::list(
            "concrete",
            "Predicates for one concrete state",
            "off",
            vec![
                ("off", "never"),
                ("3", "after 3 searches in which a transition is inexact"),
                ("6", "after 6 searches"),
                ("12", "after 12 searches"),
            ],
        ),
        MethodOption::text("initial", "Further initial predicates", "conditions, separated by ;"),
    ]
}

impl UnderOptions {
    /// Sets an option by its name.
    ///
    /// # Errors
    /// What is wrong with the value, in words.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let wrong = |those: &str| Err(format!("{name}: '{value}' is none of {those}"));
        match (name, value) {
            ("search", "bfs") => self.order = Order::Bfs,
            ("search", "dfs") => self.order = Order::Dfs,
            ("search", _) => return wrong("bfs, dfs"),
            ("stop", "full" | "first") => self.first = value == "first",
            ("stop", _) => return wrong("full, first"),
            ("exactness", "solver") => self.exactness = Exactness::Solver,
            ("exactness", "substitution") => self.exactness = Exactness::Substitution,
            ("exactness", _) => return wrong("solver, substitution"),
            ("precision", "global" | "local") => self.local = value == "local",
            ("precision", _) => return wrong("global, local"),
            ("concrete", "off") => self.concrete = 0,
            ("concrete", _) => match value.parse() {
                Ok(n) if n > 0 => self.concrete = n,
                _ => {
                    return Err(format!(
                        "concrete: '{value}' is neither off nor a number from 1 to 4294967295"
                    ));
                }
            },
            ("initial", _) => value.clone_into(&mut self.initial),
            _ => return Err(format!("the engine under has no option '{name}'")),
        }
        Ok(())
    }

    /// The options that differ from their defaults, by name.
    pub(crate) fn choices(&self) -> Vec<(String, String)> {
        let usual = UnderOptions::default();
        let mut all = Vec::new();
        let mut differs = |name: &str, differs: bool, value: &str| {
            all.extend(differs.then(|| (name.to_owned(), value.to_owned())));
        };
        differs("search", self.order != usual.order, "dfs");
        differs("stop", self.first, "first");
        differs("exactness", self.exactness != usual.exactness, "substitution");
        differs("precision", self.local, "local");
        let concrete = if self.concrete == 0 { "off".to_owned() } else { self.concrete.to_string() };
        differs("concrete", self.concrete != usual.concrete, &concrete);
        differs("initial", !self.initial.is_empty(), &self.initial);
        all
    }

    /// In short, for people.
    pub(crate) fn short(&self) -> String {
        let words = self.choices().into_iter().map(|(name, value)| match name.as_str() {
            "search" => value,
            "stop" => "first error".to_owned(),
            _ => format!("{name} {value}"),
        });
        std::iter::once("under".to_owned()).chain(words).collect::<Vec<_>>().join(", ")
    }

    /// The further predicates of the options and of the model.
    ///
    /// # Errors
    /// What is wrong with them, in words.
    pub(super) fn given(&self, system: &System) -> Result<Vec<Expr>, String> {
        let mut all = system.predicates.clone();
        for text in self.initial.split(';').map(str::trim).filter(|text| !text.is_empty()) {
            let read = property::condition(text, system);
            all.push(read.map_err(|d| format!("initial: '{text}': {}", d[0].message))?);
        }
        Ok(all)
    }
}

/// The plan of these options.
pub(super) fn plan(options: &Options) -> Option<crate::methods::Plan> {
    Some(crate::methods::Plan::Under(options.under.clone()))
}

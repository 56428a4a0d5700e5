//! The options of a run.

use solver_lite::Limits;

use crate::methods::Plan;
use crate::methods::cegar::Strategy;
use crate::methods::split::SplitOptions;
use crate::methods::table::Method;

/// The options of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The method.
    pub method: Method,
    /// The options of `cegar`; other methods have their own.
    pub strategy: Strategy,
    /// The options of `split`.
    pub split: SplitOptions,
    /// The greatest length of the runs in bounded model checking.
    pub bound: Option<u32>,
    /// Limits of each query to the solver.
    pub limits: Limits,
}

impl Default for Options {
    /// Tighter than the solver's own: a hard query is given up sooner, but the run stays responsive and within the
    /// memory of a browser tab.
    fn default() -> Options {
        let (conflicts, pivots, branches, memory) = (10_000, 10_000, 1_000, 256 << 20);
        let limits = Limits { conflicts, pivots, branches, memory, ..Limits::default() };
        Options {
            method: Method::Cegar,
            strategy: Strategy::default(),
            split: SplitOptions::default(),
            bound: None,
            limits,
        }
    }
}

impl Options {
    /// The method with its options; none for `auto`.
    pub(crate) fn plan(&self) -> Option<Plan> {
        (self.method.about().plan)(self)
    }

    /// A short name of the method and its options.
    #[must_use]
    pub fn short(&self) -> String {
        self.plan().map_or_else(|| "auto".to_owned(), |plan| plan.short())
    }

    /// The default options with these changes, by name.
    ///
    /// # Errors
    /// What is wrong with a name or a value, in words.
    pub fn with(choices: &[(String, String)]) -> Result<Options, String> {
        let mut options = Options::default();
        if let Some((_, engine)) = choices.iter().find(|(name, _)| name == "engine") {
            options.method = engine.parse()?;
        }
        for (name, value) in choices {
            match name.as_str() {
                "engine" => {}
                _ if options.method == Method::Split => options.split.set(name, value)?,
                "bound" => {
                    let bound =
                        value.parse().map_err(|_| format!("bound: '{value}' is not a number of steps"))?;
                    options.bound = Some(bound);
                }
                _ => options.strategy.set(name, value)?,
            }
        }
        let mut usual = Strategy::default();
        if options.method == Method::Explicit {
            usual.emptiness = options.strategy.emptiness;
        }
        if options.method != Method::Cegar && options.strategy != usual {
            let chosen: Vec<String> = options.strategy.unusual().into_iter().map(|(name, _)| name).collect();
            return Err(format!(
                "the engine {} does not support these options of cegar: {}",
                options.method.name(),
                chosen.join(", ")
            ));
        }
        if options.bound.is_some() && !options.method.about().options.contains(&"bound") {
            let those = Method::names(|about| about.options.contains(&"bound"));
            return Err(format!(
                "the engine {} has no option bound; those that have it: {those}",
                options.method.name()
            ));
        }
        options.strategy.check()?;
        Ok(options)
    }
}

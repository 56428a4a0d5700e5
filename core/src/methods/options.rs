//! The options of a run.

use solver_lite::Limits;

use crate::methods::Plan;
use crate::methods::bmc::BmcOptions;
use crate::methods::cegar::Strategy;
use crate::methods::combined_approx::CombinedOptions;
use crate::methods::explicit::Reduce;
use crate::methods::split::SplitOptions;
use crate::methods::table::Method;
use crate::methods::under::UnderOptions;

/// The description of an option of a method, for command line and page.
pub struct MethodOption {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name in words.
    pub title: &'static str,
    /// Its default value.
    pub usual: String,
    /// Its values with their descriptions; none for free text.
    pub choices: Vec<(&'static str, &'static str)>,
    /// The syntax of free text.
    pub hint: &'static str,
    /// Another option of the method and its values for which this one has a meaning.
    pub only: Option<(&'static str, Vec<&'static str>)>,
}

impl MethodOption {
    /// An option that is chosen from a list.
    pub(crate) fn list(
        name: &'static str,
        title: &'static str,
        usual: &str,
        choices: Vec<(&'static str, &'static str)>,
    ) -> MethodOption {
        MethodOption { name, title, usual: usual.to_owned(), choices, hint: "", only: None }
    }

    /// An option that is written as text; empty by default.
    pub(crate) fn text(name: &'static str, title: &'static str, hint: &'static str) -> MethodOption {
        MethodOption { hint, ..MethodOption::list(name, title, "", Vec::new()) }
    }

    /// It has a meaning only if another option has one of these values.
    pub(crate) fn only(self, name: &'static str, values: Vec<&'static str>) -> MethodOption {
        MethodOption { only: Some((name, values)), ..self }
    }
}

/// The options of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The method.
    pub method: Method,
    /// The options of `cegar`; other methods have their own.
    pub strategy: Strategy,
    /// The options of `split`.
    pub split: SplitOptions,
    /// The options of bounded model checking; the bound is also that of visits in k-liveness.
    pub bmc: BmcOptions,
    /// The options of under-approximation refinement.
    pub under: UnderOptions,
    /// The options of under- and over-approximation in turns.
    pub combined: CombinedOptions,
    /// Stubborn sets of Petri nets in explicit search.
    pub stubborn: bool,
    /// Structural reductions of Petri nets in explicit search.
    pub reduce: Reduce,
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
            bmc: BmcOptions::default(),
            under: UnderOptions::default(),
            combined: CombinedOptions::default(),
            stubborn: true,
            reduce: Reduce::default(),
            limits,
        }
    }
}

impl Options {
    /// The name of the option that selects the method.
    pub const ENGINE: &str = "engine";

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
        if let Some((_, engine)) = choices.iter().find(|(name, _)| name == Options::ENGINE) {
            options.method = engine.parse()?;
        }
        for (name, value) in choices.iter().filter(|(name, _)| name != Options::ENGINE) {
            if !options.method.about().has_option(name) {
                return Err(Options::no_such(options.method, name));
            }
            match name.as_str() {
                "bound" | "encoding" | "replace" | "elapse" => options.bmc.set(name, value)?,
                "stubborn" => {
                    options.stubborn = match value.as_str() {
                        "on" => true,
                        "off" => false,
                        _ => return Err(format!("stubborn: '{value}' is neither on nor off")),
                    }
                }
                "reduce" => {
                    let found = Reduce::ALL.iter().find(|(_, name, _)| name == value);
                    let found = found.ok_or_else(|| format!("reduce: '{value}' is not large, all or off"))?;
                    options.reduce = found.0;
                }
                _ if options.method == Method::Under => options.under.set(name, value)?,
                _ if options.method == Method::CombinedApprox => options.combined.set(name, value)?,
                _ if options.method == Method::Split => options.split.set(name, value)?,
                _ => options.strategy.set(name, value)?,
            }
        }
        options.strategy.check()?;
        Ok(options)
    }

    /// The message that a method does not have an option.
    fn no_such(method: Method, name: &str) -> String {
        let those: Vec<&str> =
            Method::ALL.into_iter().filter(|m| m.about().has_option(name)).map(Method::name).collect();
        if those.is_empty() {
            let all: Vec<&str> = (method.about().options)().iter().map(|option| option.name).collect();
            let all = if all.is_empty() { "none".to_owned() } else { all.join(", ") };
            return format!("there is no option '{name}'; the options of {}: {all}", method.name());
        }
        format!(
            "the engine {} has no option '{name}'; those that have it: {}",
            method.name(),
            those.join(", ")
        )
    }
}

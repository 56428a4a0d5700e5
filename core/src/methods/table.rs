//! The table of methods. Command line, page, comparison and tests read it; a method describes itself in its own folder.

use crate::methods::options::{MethodOption, Options};
use crate::methods::{
    Plan, auto, bmc, cegar, combined_approx, equation, explicit, imc, k_liveness, kind, pdr, split, under,
};

/// The description of a method, for the command line and the page.
pub struct About {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, as a sentence.
    pub what: &'static str,
    /// Does it support reachability properties?
    pub states: bool,
    /// Does it support properties of infinite runs?
    pub runs: bool,
    /// Its options.
    pub options: fn() -> Vec<MethodOption>,
    /// The method with these options; none for `auto`, which has no options.
    pub(crate) plan: fn(&Options) -> Option<Plan>,
}

impl About {
    /// Does it have an option of this name?
    #[must_use]
    pub fn has_option(&self, name: &str) -> bool {
        (self.options)().iter().any(|option| option.name == name)
    }
}

/// Declares the methods, in the order in which they are offered, each with its description.
macro_rules! methods {
    ($($(#[$meta:meta])* $method:ident: $about:path,)*) => {
        /// The methods.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub enum Method {
            $($(#[$meta])* $method,)*
        }

        impl Method {
            /// All methods, in the order in which they are offered.
            pub const ALL: [Method; [$(Method::$method),*].len()] = [$(Method::$method),*];

            /// The description of the method.
            #[must_use]
            pub fn about(self) -> &'static About {
                match self {
                    $(Method::$method => &$about,)*
                }
            }
        }
    };
}

methods! {
    /// One strategy of abstraction refinement.
    #[default]
    Cegar: cegar::ABOUT,
    /// A portfolio of methods.
    Auto: auto::ABOUT,
    /// Refinement by splitting abstract states.
    Split: split::ABOUT,
    /// Bounded model checking.
    Bmc: bmc::ABOUT,
    /// k-induction.
    KInduction: kind::ABOUT,
    /// Interpolation-based model checking.
    Imc: imc::ABOUT,
    /// Property-directed reachability.
    Pdr: pdr::ABOUT,
    /// Explicit search.
    Explicit: explicit::ABOUT,
    /// Counting visits of accepting states.
    KLiveness: k_liveness::ABOUT,
    /// The state equation of a Petri net.
    StateEquation: equation::ABOUT,
    /// Refinement of an under-approximation.
    Under: under::ABOUT,
    /// Under- and over-approximation in turns.
    CombinedApprox: combined_approx::ABOUT,
}

impl Method {
    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// What it does, as a sentence.
    #[must_use]
    pub fn what(self) -> &'static str {
        self.about().what
    }

    /// The names of the methods that satisfy a predicate, for messages.
    #[must_use]
    pub fn names(of_interest: fn(&About) -> bool) -> String {
        let names =
            Method::ALL.iter().map(|m| m.about()).filter(|about| of_interest(about)).map(|about| about.name);
        names.collect::<Vec<_>>().join(", ")
    }
}

impl std::str::FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Method, String> {
        let found = Method::ALL.into_iter().find(|m| m.name() == text);
        found.ok_or_else(|| format!("engine: '{text}' is none of {}", Method::names(|_| true)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_method_is_found_by_its_name() {
        for method in Method::ALL {
            assert_eq!(method.name().parse(), Ok(method));
            let about = method.about();
            assert!(about.states || about.runs, "{} answers something", about.name);
        }
        assert!(
            "none"
                .parse::<Method>()
                .is_err_and(|why| why.ends_with("k-liveness, state-equation, under, combined-approx"))
        );
    }

    /// Each option can be set to another value, and is among those of the plan.
    #[test]
    fn each_option_is_read_and_kept() {
        for method in Method::ALL {
            for option in (method.about().options)() {
                let other =
                    option.choices.iter().map(|(value, _)| *value).find(|value| *value != option.usual);
                let value = other.unwrap_or(if option.name == "bound" { "3" } else { "x" });
                let needed = option.only.iter().map(|(name, values)| (*name, values[0]));
                let chosen = [(Options::ENGINE, method.name())]
                    .into_iter()
                    .chain(needed)
                    .chain([(option.name, value)]);
                let chosen: Vec<(String, String)> =
                    chosen.map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
                let usual = [(Options::ENGINE, method.name()), (option.name, option.usual.as_str())];
                let usual = usual.map(|(n, v)| (n.to_owned(), v.to_owned()));
                let unchanged =
                    option.usual.is_empty() || Options::with(&usual) == Options::with(&usual[..1]);
                assert!(unchanged, "{}: the default of {}", method.name(), option.name);
                let options = Options::with(&chosen).unwrap_or_else(|why| panic!("{}: {why}", method.name()));
                let kept = options.plan().expect("auto has no options").choices();
                assert!(
                    kept.contains(&(option.name.to_owned(), value.to_owned())),
                    "{}: {kept:?}",
                    option.name
                );
            }
        }
    }
}

//! Phases: each method has its own, with a role that all methods share.

use serde::{Deserialize, Serialize};

use crate::methods::{bmc, cegar, combined_approx, equation, explicit, imc, kind, lasso, pdr, split, under};

/// The role of a phase in the scheme of abstraction and refinement; for other methods, the closest role.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Role {
    /// States or sets of states are explored.
    Abstract,
    /// A property of the explored states is checked.
    Check,
    /// A possible counterexample is checked on the concrete system.
    Concretize,
    /// A proof is turned into formulas.
    Interpolate,
    /// The abstraction is refined.
    Refine,
    /// Outdated parts are removed.
    Prune,
    /// A verdict was reached.
    Done,
}

/// A phase of some method.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Of abstraction refinement.
    Cegar(cegar::Phase),
    /// Of the search for infinite runs.
    Lasso(lasso::Phase),
    /// Of bounded model checking.
    Bmc(bmc::Phase),
    /// Of k-induction.
    Induction(kind::Phase),
    /// Of interpolation-based model checking.
    Imc(imc::Phase),
    /// Of property-directed reachability.
    Pdr(pdr::Phase),
    /// Of refinement by splitting.
    Split(split::Phase),
    /// Of explicit search.
    Explicit(explicit::Phase),
    /// Of the state equation.
    Equation(equation::Phase),
    /// Of under-approximation refinement.
    Under(under::Phase),
    /// Of under- and over-approximation in turns.
    CombinedApprox(combined_approx::Phase),
    /// The end of every run.
    Decided,
}

impl Phase {
    /// Its name on screen.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Phase::Cegar(phase) => phase.title(),
            Phase::Lasso(phase) => phase.title(),
            Phase::Bmc(phase) => phase.title(),
            Phase::Induction(phase) => phase.title(),
            Phase::Imc(phase) => phase.title(),
            Phase::Pdr(phase) => phase.title(),
            Phase::Split(phase) => phase.title(),
            Phase::Explicit(phase) => phase.title(),
            Phase::Equation(phase) => phase.title(),
            Phase::Under(phase) => phase.title(),
            Phase::CombinedApprox(phase) => phase.title(),
            Phase::Decided => "Decided",
        }
    }

    /// Its role.
    #[must_use]
    pub fn role(self) -> Role {
        match self {
            Phase::Cegar(phase) => phase.role(),
            Phase::Lasso(phase) => phase.role(),
            Phase::Bmc(phase) => phase.role(),
            Phase::Induction(phase) => phase.role(),
            Phase::Imc(phase) => phase.role(),
            Phase::Pdr(phase) => phase.role(),
            Phase::Split(phase) => phase.role(),
            Phase::Explicit(phase) => phase.role(),
            Phase::Equation(phase) => phase.role(),
            Phase::Under(phase) => phase.role(),
            Phase::CombinedApprox(phase) => phase.role(),
            Phase::Decided => Role::Done,
        }
    }

    /// All phases of the same family of events, in their order; the end belongs to none.
    #[must_use]
    pub fn family(self) -> Vec<Phase> {
        match self {
            Phase::Cegar(_) => cegar::Phase::ALL.map(Phase::Cegar).to_vec(),
            Phase::Lasso(_) => lasso::Phase::ALL.map(Phase::Lasso).to_vec(),
            Phase::Bmc(_) => bmc::Phase::ALL.map(Phase::Bmc).to_vec(),
            Phase::Induction(_) => kind::Phase::ALL.map(Phase::Induction).to_vec(),
            Phase::Imc(_) => imc::Phase::ALL.map(Phase::Imc).to_vec(),
            Phase::Pdr(_) => pdr::Phase::ALL.map(Phase::Pdr).to_vec(),
            Phase::Split(_) => split::Phase::ALL.map(Phase::Split).to_vec(),
            Phase::Explicit(_) => explicit::Phase::ALL.map(Phase::Explicit).to_vec(),
            Phase::Equation(_) => equation::Phase::ALL.map(Phase::Equation).to_vec(),
            Phase::Under(_) => under::Phase::ALL.map(Phase::Under).to_vec(),
            Phase::CombinedApprox(_) => combined_approx::Phase::ALL.map(Phase::CombinedApprox).to_vec(),
            Phase::Decided => Vec::new(),
        }
    }
}

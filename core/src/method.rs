//! The methods, and one of them at work.

use std::sync::Arc;
use std::task::Poll;

use solver_lite::Limits;

use crate::buchi;
use crate::cegar::lasso::LassoCegar;
use crate::cegar::{Cegar, IterationCounts, Outcome, Strategy};
use crate::engines::Shared;
use crate::engines::bmc::Bmc;
use crate::engines::explicit::Explicit;
use crate::engines::imc::Imc;
use crate::engines::kind::KInduction;
use crate::engines::pdr::Pdr;
use crate::engines::split::{SplitEngine, SplitOptions};
use crate::kit::{Cx, Engine, Sink};
use crate::ltl::Product;
use crate::property::Property;
use crate::system::{Blocks, EdgeId, System};

/// A method with its choices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Plan {
    /// Abstraction refinement.
    Cegar(Strategy),
    /// Bounded model checking, up to so many steps.
    Bmc(Option<u32>),
    /// k-induction.
    KInduction,
    /// Interpolation-based model checking.
    Imc,
    /// Property-directed reachability.
    Pdr,
    /// Refinement by splitting abstract states.
    Split(SplitOptions),
    /// Explicit search.
    Explicit,
}

impl Plan {
    /// In short, for people.
    #[must_use]
    pub fn short(&self) -> String {
        match self {
            Plan::Cegar(strategy) => strategy.short(),
            Plan::Bmc(None) => "bmc".to_owned(),
            Plan::Bmc(Some(bound)) => format!("bmc, bound {bound}"),
            Plan::KInduction => "kind".to_owned(),
            Plan::Imc => "imc".to_owned(),
            Plan::Pdr => "pdr".to_owned(),
            Plan::Split(options) => options.short(),
            Plan::Explicit => "explicit".to_owned(),
        }
    }

    /// The choices by name, as [`Options::with`](crate::run::Options::with) takes them.
    #[must_use]
    pub fn choices(&self) -> Vec<(String, String)> {
        let mut choices = vec![("engine".to_owned(), self.engine().to_owned())];
        match self {
            Plan::Cegar(strategy) => choices = strategy.unusual(),
            Plan::Bmc(Some(bound)) => choices.push(("bound".to_owned(), bound.to_string())),
            Plan::Split(options) => choices.extend(options.choices()),
            _ => {}
        }
        choices
    }

    /// The name of the engine on the command line.
    #[must_use]
    pub fn engine(&self) -> &'static str {
        match self {
            Plan::Cegar(_) => "cegar",
            Plan::Bmc(_) => "bmc",
            Plan::KInduction => "kind",
            Plan::Imc => "imc",
            Plan::Pdr => "pdr",
            Plan::Split(_) => "split",
            Plan::Explicit => "explicit",
        }
    }
}

/// What a method works on.
#[derive(Clone)]
pub(crate) enum Task {
    /// Can the error location be reached?
    Reach(Arc<System>),
    /// Is there a run that an automaton of what the requirement forbids accepts?
    Runs { model: Arc<System>, product: Arc<Product> },
}

impl Task {
    /// The question of a property.
    ///
    /// # Errors
    /// Why it cannot be asked, in words.
    pub(crate) fn new(system: &System, property: &Property) -> Result<Task, String> {
        let Property::Temporal(requirement) = property else {
            return Ok(Task::Reach(Arc::new(property.apply(system.clone()))));
        };
        let negated = requirement.stated.formula.clone().negated();
        let automaton =
            buchi::of_formula(&negated, &requirement.stated.names(system)).map_err(|e| e.to_string())?;
        let product = Arc::new(Product::new(system, requirement, automaton));
        Ok(Task::Runs { model: Arc::new(system.clone()), product })
    }

    /// The system that is explored.
    pub(crate) fn system(&self) -> &Arc<System> {
        match self {
            Task::Reach(system) => system,
            Task::Runs { product, .. } => &product.system,
        }
    }
}

/// A method at work.
#[derive(Clone)]
pub(crate) enum Work {
    Cegar(Box<Cegar>),
    Lasso(Box<LassoCegar>),
    Bmc(Box<Bmc>),
    KInduction(Box<KInduction>),
    Imc(Box<Imc>),
    Pdr(Box<Pdr>),
    Split(Box<SplitEngine>),
    Explicit(Box<Explicit>),
}

impl Work {
    /// Nothing has been done yet.
    ///
    /// # Errors
    /// Why the plan cannot be used for this question, in words.
    pub(crate) fn new(task: &Task, plan: &Plan, limits: Limits) -> Result<Work, String> {
        let system = match task {
            Task::Reach(system) => system,
            Task::Runs { model, product } => {
                let Plan::Cegar(strategy) = plan else {
                    let engine = plan.engine();
                    return Err(format!(
                        "the engine {engine} answers no questions about infinite runs; use cegar"
                    ));
                };
                let engine =
                    LassoCegar::new(Arc::clone(model), Arc::clone(product), strategy.clone(), limits)?;
                return Ok(Work::Lasso(Box::new(engine)));
            }
        };
        Ok(match plan {
            Plan::Cegar(strategy) => {
                Work::Cegar(Box::new(Cegar::new(Arc::clone(system), strategy.clone(), limits)?))
            }
            Plan::Bmc(bound) => Work::Bmc(Box::new(Bmc::new(system, *bound, limits))),
            Plan::KInduction => Work::KInduction(Box::new(KInduction::new(system, limits))),
            Plan::Imc => Work::Imc(Box::new(Imc::new(system, limits))),
            Plan::Pdr => Work::Pdr(Box::new(Pdr::new(system, limits))),
            Plan::Split(options) => Work::Split(Box::new(SplitEngine::new(system, options.clone(), limits)?)),
            Plan::Explicit => Work::Explicit(Box::new(Explicit::new(system, limits))),
        })
    }

    fn shared(&self) -> Option<&Shared> {
        match self {
            Work::Cegar(_) | Work::Lasso(_) => None,
            Work::Bmc(e) => Some(&e.shared),
            Work::KInduction(e) => Some(&e.shared),
            Work::Imc(e) => Some(&e.shared),
            Work::Pdr(e) => Some(&e.shared),
            Work::Split(e) => Some(&e.shared),
            Work::Explicit(e) => Some(&e.shared),
        }
    }

    /// Abstraction refinement, if that is the method.
    pub(crate) fn cegar(&self) -> Option<&Cegar> {
        match self {
            Work::Cegar(e) => Some(e),
            Work::Lasso(e) => Some(e.cegar()),
            _ => None,
        }
    }

    /// Counts of each iteration so far.
    pub(crate) fn iterations(&self) -> &[IterationCounts] {
        self.shared().map_or_else(|| self.cegar().map_or(&[][..], Cegar::iterations), |s| &s.iterations)
    }

    /// What may be a step of it.
    pub(crate) fn blocks(&self) -> Option<&Blocks> {
        self.shared().map_or_else(|| self.cegar().map(Cegar::blocks), |s| Some(&*s.symbolic.blocks))
    }

    /// The edges that are left out, wholly or in part.
    pub(crate) fn left_out(&self) -> &[EdgeId] {
        self.cegar().map_or(&[], Cegar::left_out)
    }
}

impl Engine for Work {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        match self {
            Work::Cegar(e) => e.poll(cx),
            Work::Lasso(e) => e.poll(cx),
            Work::Bmc(e) => e.poll(cx),
            Work::KInduction(e) => e.poll(cx),
            Work::Imc(e) => e.poll(cx),
            Work::Pdr(e) => e.poll(cx),
            Work::Split(e) => e.poll(cx),
            Work::Explicit(e) => e.poll(cx),
        }
    }
}

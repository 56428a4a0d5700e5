//! The methods, and the engine of one of them.

pub mod auto;
pub mod bmc;
pub mod cegar;
pub mod combined_approx;
pub mod equation;
pub mod explicit;
pub mod imc;
pub mod k_liveness;
pub mod kind;
pub mod lasso;
pub mod options;
pub mod outcome;
pub mod pdr;
pub(crate) mod shared;
pub mod split;
pub mod table;
pub mod under;

use std::sync::Arc;
use std::task::Poll;

use solver_lite::Limits;

use crate::expr::Expr;
use crate::kit::{Cx, Engine, Fuel, IterationCounts, Notes, Sink, apart};
use crate::methods::bmc::lasso::BmcLasso;
use crate::methods::bmc::steps::StepBmc;
use crate::methods::bmc::{Bmc, BmcOptions};
use crate::methods::cegar::lasso::LassoCegar;
use crate::methods::cegar::{Cegar, Emptiness, Strategy};
use crate::methods::combined_approx::{CombinedApprox, CombinedOptions};
use crate::methods::equation::Equation;
use crate::methods::explicit::classes::ClassSearch;
use crate::methods::explicit::lasso::ExplicitLasso;
use crate::methods::explicit::net::{NetSearch, Question};
use crate::methods::explicit::{Explicit, ExplicitOptions, Reduce};
use crate::methods::imc::Imc;
use crate::methods::k_liveness::KLiveness;
use crate::methods::kind::KInduction;
use crate::methods::options::Options;
use crate::methods::outcome::Outcome;
use crate::methods::pdr::Pdr;
use crate::methods::shared::Shared;
use crate::methods::split::{SplitEngine, SplitOptions};
use crate::methods::table::Method;
use crate::methods::under::{Under, UnderOptions};
use crate::net::Net;
use crate::net::condition::Condition;
use crate::net::timed::Semantics;
use crate::net::timed::encoding::{Encoding, Size};
use crate::property::Property;
use crate::system::{Blocks, EdgeId, Op, System};
use crate::temporal::Product;

/// A method with its options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Plan {
    /// Abstraction refinement.
    Cegar(Strategy),
    /// Bounded model checking, up to a number of steps.
    Bmc(BmcOptions),
    /// k-induction.
    KInduction,
    /// Interpolation-based model checking.
    Imc,
    /// Property-directed reachability.
    Pdr,
    /// Refinement by splitting abstract states.
    Split(SplitOptions),
    /// Explicit search.
    Explicit(ExplicitOptions),
    /// k-liveness, up to a number of visits of accepting states; for infinite runs.
    KLiveness(Option<u32>),
    /// The state equation, for Petri nets.
    StateEquation,
    /// Refinement of an under-approximation.
    Under(UnderOptions),
    /// Under- and over-approximation in turns.
    CombinedApprox(CombinedOptions),
}

impl Plan {
    /// In short, for people.
    #[must_use]
    pub fn short(&self) -> String {
        match self {
            Plan::Cegar(strategy) => strategy.short(),
            Plan::Split(options) => options.short(),
            Plan::Under(options) => options.short(),
            Plan::CombinedApprox(options) => options.short(),
            Plan::Bmc(options) => options.short(),
            Plan::KLiveness(Some(bound)) => format!("{}, bound {bound}", self.engine()),
            Plan::Explicit(options) => {
                let mut words = vec![self.engine().to_owned()];
                words.extend(
                    (options.emptiness != Emptiness::default()).then(|| options.emptiness.to_string()),
                );
                words.extend((!options.stubborn).then(|| "without stubborn sets".to_owned()));
                let reduce = (options.reduce != Reduce::default()).then(|| options.reduce.name());
                words.extend(reduce.map(|name| format!("reduce {name}")));
                words.join(" ")
            }
            Plan::KLiveness(None) => self.engine().to_owned(),
            Plan::KInduction | Plan::Imc | Plan::Pdr | Plan::StateEquation => self.engine().to_owned(),
        }
    }

    /// The options by name, as expected by [`Options::with`](crate::run::Options::with).
    #[must_use]
    pub fn choices(&self) -> Vec<(String, String)> {
        let mut choices = vec![(Options::ENGINE.to_owned(), self.engine().to_owned())];
        match self {
            Plan::Cegar(strategy) => choices = strategy.unusual(),
            Plan::Bmc(options) => choices.extend(options.choices()),
            Plan::KLiveness(Some(bound)) => choices.push(("bound".to_owned(), bound.to_string())),
            Plan::Explicit(ExplicitOptions { emptiness, stubborn, reduce }) => {
                if *emptiness != Emptiness::default() {
                    choices.push(("emptiness".to_owned(), emptiness.to_string()));
                }
                if !stubborn {
                    choices.push(("stubborn".to_owned(), "off".to_owned()));
                }
                if *reduce != Reduce::default() {
                    choices.push(("reduce".to_owned(), reduce.name().to_owned()));
                }
            }
            Plan::Split(options) => choices.extend(options.choices()),
            Plan::Under(options) => choices.extend(options.choices()),
            Plan::CombinedApprox(options) => choices.extend(options.choices()),
            Plan::KLiveness(None) => {}
            Plan::KInduction | Plan::Imc | Plan::Pdr | Plan::StateEquation => {}
        }
        choices
    }

    /// The method.
    #[must_use]
    pub fn method(&self) -> Method {
        match self {
            Plan::Cegar(_) => Method::Cegar,
            Plan::Bmc(_) => Method::Bmc,
            Plan::KInduction => Method::KInduction,
            Plan::Imc => Method::Imc,
            Plan::Pdr => Method::Pdr,
            Plan::Split(_) => Method::Split,
            Plan::Explicit(_) => Method::Explicit,
            Plan::KLiveness(_) => Method::KLiveness,
            Plan::StateEquation => Method::StateEquation,
            Plan::Under(_) => Method::Under,
            Plan::CombinedApprox(_) => Method::CombinedApprox,
        }
    }

    /// The name of the engine on the command line.
    #[must_use]
    pub fn engine(&self) -> &'static str {
        self.method().name()
    }
}

/// Why explicit search cannot be used.
const NO_TIME: &str = "the engine explicit decides properties of the markings of a time net; conditions about its time are decided by auto, pdr, imc, kind, bmc and cegar";

/// Why the options of bounded model checking about time cannot be used.
const NO_STEPS: &str = "the options encoding, replace and elapse are for nets with delays of places, and for deadlock-free, conditions on markings, and EF (c && time <= D)";

/// The input of a method.
#[derive(Clone)]
pub(crate) enum Task {
    /// Can the error location be reached?
    Reach(Arc<System>),
    /// A question about the markings of a net; if it is one of reachability, the error location of the system is
    /// reached by violations.
    Markings { system: Arc<System>, net: Arc<Net>, question: Arc<Question> },
    /// Is there a run that is accepted by the Büchi automaton of the negated formula?
    Runs { model: Arc<System>, product: Arc<Product> },
}

impl Task {
    /// The task of a property.
    ///
    /// # Errors
    /// Why it cannot be checked, in words.
    pub(crate) fn new(system: &System, property: &Property) -> Result<Task, String> {
        let Property::Temporal(requirement) = property else {
            let applied = Arc::new(property.apply(system.clone()));
            return Ok(match &system.net {
                Some(net) if !property.is_timed(system) || property.is_within(system) => {
                    Task::of_net(applied, net, (system, property))
                }
                _ => Task::Reach(applied),
            });
        };
        if system.clocks.as_ref().is_some_and(|clocks| clocks.semantics == Semantics::Places) {
            return Err("temporal formulas are not supported for nets with delays of places".to_owned());
        }
        let automaton = requirement.forbidden(system).map_err(|e| e.to_string())?;
        let product = Arc::new(Product::new(system, requirement, automaton));
        Ok(Task::Runs { model: Arc::new(system.clone()), product })
    }

    /// The task of a property of a net.
    #[inline(never)]
    fn of_net(applied: Arc<System>, net: &Arc<Net>, (system, property): (&System, &Property)) -> Task {
        let question = match property {
            Property::ErrorUnreachable | Property::Temporal(_) => return Task::Reach(applied),
            Property::Invariant(e) => Question::Reach(Condition::of(e).negated()),
            Property::Reachable(e) => match system.within(e) {
                Some((condition, time)) => Question::Within(condition, time),
                None => Question::Reach(Condition::of(e)),
            },
            Property::DeadlockFree => Question::Deadlock,
            Property::Branching(formula) => Question::Branching(formula.clone(), formula.text(system)),
        };
        Task::Markings { system: applied, net: Arc::clone(net), question: Arc::new(question) }
    }

    /// The product, for a temporal formula.
    pub(crate) fn product(&self) -> Option<&Arc<Product>> {
        match self {
            Task::Reach(_) | Task::Markings { .. } => None,
            Task::Runs { product, .. } => Some(product),
        }
    }

    /// The same question without the runs of a chart that end because they cannot continue; none if there are none, or
    /// if this is the question. Locations and edges keep their numbers.
    pub(crate) fn without_faults(&self) -> Option<Task> {
        let Task::Reach(system) = self else { return None };
        let fault = system.fault.filter(|fault| Some(*fault) != system.error)?;
        let mut system = System::clone(system);
        for edge in system.edges.iter_mut().filter(|edge| edge.source == fault) {
            edge.op = Op::Assume(Expr::bool(false));
        }
        Some(Task::Reach(Arc::new(system)))
    }

    /// The system that is explored.
    pub(crate) fn system(&self) -> &Arc<System> {
        match self {
            Task::Reach(system) | Task::Markings { system, .. } => system,
            Task::Runs { product, .. } => &product.system,
        }
    }
}

/// The engine of a method.
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
    ExplicitLasso(Box<ExplicitLasso>),
    NetSearch(Box<NetSearch>),
    Classes(Box<ClassSearch>),
    Steps(Box<StepBmc>),
    Equation(Box<Equation>),
    BmcLasso(Box<BmcLasso>),
    KLiveness(Box<KLiveness>),
    Under(Box<Under>),
    CombinedApprox(Box<CombinedApprox>),
}

impl Work {
    /// An engine before its first step.
    ///
    /// # Errors
    /// Why the plan cannot be used for this task, in words.
    pub(crate) fn new(task: &Task, plan: &Plan, limits: Limits) -> Result<Work, String> {
        let system = match task {
            Task::Reach(system) => system,
            Task::Markings { system, net, question } => {
                match Work::of_markings((system, net, question), plan, limits)? {
                    Some(work) => return Ok(work),
                    None => system,
                }
            }
            Task::Runs { model, product } => return apart(|| Work::of_runs((model, product), plan, limits)),
        };
        Ok(match plan {
            Plan::Cegar(strategy) => {
                Work::Cegar(Box::new(Cegar::new(Arc::clone(system), strategy.clone(), limits)?))
            }
            Plan::Explicit(_) if system.clocks.is_some() => return Err(NO_TIME.to_owned()),
            Plan::Bmc(options) if options.encoding != Encoding::default() => return Err(NO_STEPS.to_owned()),
            Plan::Bmc(options) => Work::Bmc(Box::new(Bmc::new(system, options.bound, limits))),
            Plan::KInduction => Work::KInduction(Box::new(KInduction::new(system, limits))),
            Plan::Imc => Work::Imc(Box::new(Imc::new(system, limits))),
            Plan::Pdr => Work::Pdr(Box::new(Pdr::new(system, limits))),
            Plan::Split(options) => Work::Split(Box::new(SplitEngine::new(system, options.clone(), limits)?)),
            Plan::Explicit(_) => Work::Explicit(Box::new(Explicit::new(system, limits))),
            Plan::StateEquation => Work::Equation(Box::new(Equation::new(system, None, limits))),
            Plan::Under(options) => Work::Under(Box::new(Under::new(system, options.clone(), limits)?)),
            Plan::CombinedApprox(options) => {
                Work::CombinedApprox(Box::new(CombinedApprox::new(system, options.clone(), limits)?))
            }
            Plan::KLiveness(_) => {
                return Err("the engine k-liveness supports temporal formulas only".to_owned());
            }
        })
    }

    /// An engine for markings of a net, if the plan has one of its own.
    #[inline(never)]
    fn of_markings(
        (system, net, question): (&Arc<System>, &Arc<Net>, &Arc<Question>),
        plan: &Plan,
        limits: Limits,
    ) -> Result<Option<Work>, String> {
        if let Some(clocks) = &system.clocks {
            return match plan {
                Plan::Explicit(_) if matches!(**question, Question::Within(..)) => Err(NO_TIME.to_owned()),
                Plan::Explicit(_) => Ok(Some(Work::Classes(Box::new(ClassSearch::new(
                    system,
                    (net, clocks),
                    question,
                    limits,
                ))))),
                Plan::Bmc(BmcOptions { encoding, bound }) => {
                    let goal = question.timed_goal();
                    let steps =
                        goal.and_then(|goal| StepBmc::new(system, net, goal, (*encoding, *bound), limits));
                    if steps.is_none() && *encoding != Encoding::default() {
                        return Err(NO_STEPS.to_owned());
                    }
                    Ok(steps.map(|steps| Work::Steps(Box::new(steps))))
                }
                Plan::StateEquation => {
                    Ok(Some(Work::Equation(Box::new(Equation::new(system, None, limits)))))
                }
                _ => Ok(None),
            };
        }
        Ok(match (plan, &**question) {
            (Plan::Explicit(options), _) => {
                Some(Work::NetSearch(Box::new(NetSearch::new(system, net, question, *options))))
            }
            (_, Question::Branching(..)) => {
                let engine = plan.engine();
                return Err(format!(
                    "the engine {engine} does not support formulas of branching time; explicit and auto do"
                ));
            }
            (Plan::StateEquation, _) => {
                Some(Work::Equation(Box::new(Equation::new(system, Some((net, question)), limits))))
            }
            _ => None,
        })
    }

    /// An engine for a property of infinite runs.
    fn of_runs(
        (model, product): (&Arc<System>, &Arc<Product>),
        plan: &Plan,
        limits: Limits,
    ) -> Result<Work, String> {
        Ok(match plan {
            Plan::Cegar(strategy) => {
                let (model, product) = (Arc::clone(model), Arc::clone(product));
                Work::Lasso(Box::new(LassoCegar::new(model, product, strategy.clone(), limits)?))
            }
            Plan::Bmc(BmcOptions { bound, .. }) => {
                Work::BmcLasso(Box::new(BmcLasso::new(model, product, *bound, limits)))
            }
            Plan::Explicit(_) if product.is_about_time(model) => return Err(NO_TIME.to_owned()),
            Plan::Explicit(options) => {
                Work::ExplicitLasso(Box::new(ExplicitLasso::new(model, product, options.emptiness, limits)))
            }
            Plan::KLiveness(bound) => {
                Work::KLiveness(Box::new(KLiveness::new(model, product, *bound, limits)))
            }
            Plan::KInduction
            | Plan::Imc
            | Plan::Pdr
            | Plan::Split(_)
            | Plan::StateEquation
            | Plan::Under(_)
            | Plan::CombinedApprox(_) => {
                let (engine, those) = (plan.engine(), Method::names(|about| about.runs));
                return Err(format!(
                    "the engine {engine} does not support temporal formulas; those that do: {those}"
                ));
            }
        })
    }

    fn shared(&self) -> Option<&Shared> {
        match self {
            Work::Cegar(_) | Work::Lasso(_) | Work::NetSearch(_) => None,
            Work::Classes(_) | Work::Steps(_) | Work::Equation(_) => None,
            Work::Under(_) | Work::CombinedApprox(_) => None,
            Work::Bmc(e) => Some(&e.shared),
            Work::KInduction(e) => Some(&e.shared),
            Work::Imc(e) => Some(&e.shared),
            Work::Pdr(e) => Some(&e.shared),
            Work::Split(e) => Some(&e.shared),
            Work::Explicit(e) => Some(&e.shared),
            Work::ExplicitLasso(e) => Some(e.shared()),
            Work::BmcLasso(e) => Some(&e.bmc.shared),
            Work::KLiveness(e) => Some(&e.pdr.shared),
        }
    }

    /// The engine of abstraction refinement, if that is the method.
    pub(crate) fn cegar(&self) -> Option<&Cegar> {
        match self {
            Work::Cegar(e) => Some(e),
            Work::Lasso(e) => Some(e.cegar()),
            _ => None,
        }
    }

    /// Counts of each iteration so far.
    pub(crate) fn iterations(&self) -> &[IterationCounts] {
        match self {
            Work::NetSearch(e) => e.iterations(),
            Work::Classes(e) => e.iterations(),
            Work::Steps(e) => e.iterations(),
            Work::Equation(e) => e.iterations(),
            Work::Under(e) => e.iterations(),
            Work::CombinedApprox(e) => e.iterations(),
            _ => self
                .shared()
                .map_or_else(|| self.cegar().map_or(&[][..], Cegar::iterations), |s| &s.iterations),
        }
    }

    /// The size of the formula about a time net, with the number of variables before unchanged ones are replaced.
    pub(crate) fn size(&self) -> Option<(Size, u64)> {
        match self {
            Work::Steps(e) => Some(e.size()),
            _ => None,
        }
    }

    /// The large blocks that may be its steps.
    pub(crate) fn blocks(&self) -> Option<&Blocks> {
        self.shared().map_or_else(|| self.cegar().map(Cegar::blocks), |s| Some(&*s.symbolic.blocks))
    }

    /// The edges that slicing removes, wholly or in part.
    pub(crate) fn sliced(&self) -> &[EdgeId] {
        self.cegar().map_or(&[], Cegar::sliced)
    }
}

impl Engine for Work {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        match self {
            Work::Cegar(e) => poll_through_notes(&mut **e, cx),
            Work::Lasso(e) => poll_through_notes(&mut **e, cx),
            Work::Bmc(e) => poll_through_notes(&mut **e, cx),
            Work::KInduction(e) => poll_through_notes(&mut **e, cx),
            Work::Imc(e) => poll_through_notes(&mut **e, cx),
            Work::Pdr(e) => poll_through_notes(&mut **e, cx),
            Work::Split(e) => poll_through_notes(&mut **e, cx),
            Work::Explicit(e) => poll_through_notes(&mut **e, cx),
            Work::ExplicitLasso(e) => poll_through_notes(&mut **e, cx),
            Work::NetSearch(e) => poll_through_notes(&mut **e, cx),
            Work::Classes(e) => poll_through_notes(&mut **e, cx),
            Work::Steps(e) => poll_through_notes(&mut **e, cx),
            Work::Equation(e) => poll_through_notes(&mut **e, cx),
            Work::BmcLasso(e) => poll_through_notes(&mut **e, cx),
            Work::KLiveness(e) => poll_through_notes(&mut **e, cx),
            Work::Under(e) => apart(|| e.poll(cx)),
            Work::CombinedApprox(e) => apart(|| e.poll(cx)),
        }
    }
}

/// Polls an engine step by step with the sink `Notes`, so that its code is compiled for one type of sink only.
#[inline(never)]
fn poll_through_notes<E: Engine, S: Sink>(engine: &mut E, cx: &mut Cx<'_, S>) -> Poll<E::Outcome> {
    loop {
        let mut one = Fuel::new(cx.fuel.left().min(1));
        let mut notes = Notes::of(cx.sink);
        let polled = engine.poll(&mut Cx { fuel: &mut one, sink: &mut notes });
        notes.report(cx.sink);
        if polled.is_ready() || !cx.fuel.spend() {
            return polled;
        }
    }
}

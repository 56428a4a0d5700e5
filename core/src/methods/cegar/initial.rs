//! The initial precision, chosen by the user (Hajdu and Micskei 2020, section 2.2.1 with Figure 3 shows two such
//! precisions for the program of Figure 1).

use crate::expr::{Expr, to_term};
use crate::kit::Sink;
use crate::methods::cegar::Cegar;
use crate::methods::cegar::refiner::Find;
use crate::methods::cegar::strategy::Strategy;
use crate::property::condition;
use crate::system::{LocationId, System, VarId};

/// An element of the initial precision.
#[derive(Clone, Debug)]
pub(super) enum Given {
    Variable(VarId),
    Predicate(Expr),
    /// A predicate of another engine.
    Shared(Expr),
}

/// Parses the initial precision.
pub(super) fn expressions(system: &System, strategy: &Strategy) -> Result<Vec<Given>, String> {
    let one = |text: &String| {
        let variable = system.find_variable(text).filter(|_| strategy.domain.has_values());
        if let Some(v) = variable {
            return Ok(Given::Variable(v));
        }
        let predicate =
            condition(text, system).map_err(|d| format!("initial: '{text}': {}", d[0].message))?;
        if strategy.domain.has_predicates() {
            Ok(Given::Predicate(predicate))
        } else {
            Err(format!("initial: '{text}' is a predicate, but the domain {} has none", strategy.domain))
        }
    };
    strategy.initial.iter().map(one).collect()
}

impl Cegar {
    /// Tracks what is given globally.
    pub(super) fn track_given<S: Sink>(&mut self, sink: &mut S) {
        for given in std::mem::take(&mut self.given) {
            let is_shared = matches!(given, Given::Shared(_));
            let known = self.encoding.precision.ids().count();
            let find = match given {
                Given::Variable(v) => {
                    self.explicit.insert(v);
                    Find::Variable(v)
                }
                Given::Predicate(e) | Given::Shared(e) => {
                    let term = {
                        let current: Vec<_> =
                            self.system.var_ids().map(|v| self.encoding.current(v)).collect();
                        to_term(&e, &mut self.encoding.terms, &mut |v| current[v.index()])
                    };
                    if self.encoding.terms.constant(term).is_some() {
                        continue;
                    }
                    let predicate = self.encoding.predicate(term);
                    if is_shared && predicate.index() == known {
                        self.shared.insert(predicate);
                    }
                    Find::Predicate(predicate)
                }
            };
            let locations = (0..self.system.locations.len()).map(LocationId::new);
            let mut places: Vec<_> = locations.map(|l| self.encoding.precision.place(l)).collect();
            places.dedup();
            for place in places {
                self.track(find, place, sink);
            }
        }
    }
}

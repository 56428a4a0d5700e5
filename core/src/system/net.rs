//! Conditions on markings of systems that are nets.

use solver_lite::number::Q;

use crate::expr::{Binary, Expr, Type, VarId};
use crate::net::{Net, PlaceArc, PlaceId, TransitionId, weight};
use crate::system::System;

/// The tokens of a place.
pub(crate) fn place(p: PlaceId) -> Expr {
    Expr::var(VarId::new(p.index()), Type::Int)
}

/// A number of tokens.
pub(crate) fn number(n: u32) -> Expr {
    Expr::num(Q::from(i64::from(n)), Type::Int)
}

/// The condition under which a transition is enabled.
pub(crate) fn enabled(net: &Net, transition: TransitionId) -> Expr {
    enabled_without(net, transition, &[])
}

/// The condition under which a transition is enabled when these tokens are taken.
pub(crate) fn enabled_without(net: &Net, transition: TransitionId, taken: &[PlaceArc]) -> Expr {
    let t = net.transition(transition);
    let compare = |op: Binary| {
        move |a: &PlaceArc| {
            let more = u64::from(a.weight) + u64::from(weight(taken, a.place));
            let more = Expr::num(Q::from(i64::try_from(more).expect("two weights")), Type::Int);
            Expr::compare(op, place(a.place), more)
        }
    };
    let inputs = t.inputs.iter().map(compare(Binary::Ge));
    Expr::and(inputs.chain(t.inhibitors.iter().map(compare(Binary::Lt))).collect())
}

/// The condition under which no transition is enabled.
pub(crate) fn dead(net: &Net) -> Expr {
    Expr::and(net.transition_ids().map(|t| enabled(net, t).negated()).collect())
}

/// The condition that no place has more than `bound` tokens.
pub(crate) fn bounded(net: &Net, bound: u32) -> Expr {
    Expr::and(net.place_ids().map(|p| Expr::compare(Binary::Le, place(p), number(bound))).collect())
}

impl System {
    /// `fireable(t, u)`: one of the transitions is enabled, `fireable()`: one of all; `deadlock`: none is. `None` for
    /// other names, and if the system is no net.
    #[inline(never)]
    pub(super) fn net_condition(&self, name: &str, arguments: &[&str]) -> Option<Result<Expr, String>> {
        let net = self.net.as_deref()?;
        match (name, arguments) {
            ("deadlock", []) => Some(Ok(dead(net))),
            ("fireable", []) => Some(Ok(dead(net).negated())),
            ("fireable", names) => {
                let one = |name: &&str| {
                    let found = net.find_transition(name).or_else(|| {
                        let labelled = |t: &TransitionId| net.transition(*t).label.as_deref() == Some(*name);
                        let mut all = net.transition_ids().filter(labelled);
                        all.next().filter(|_| all.next().is_none())
                    });
                    found.map(|t| enabled(net, t)).ok_or_else(|| format!("there is no transition '{name}'"))
                };
                Some(names.iter().map(one).collect::<Result<Vec<Expr>, String>>().map(Expr::or))
            }
            _ => None,
        }
    }

    /// The place of that name in the net, or with that label if it is the only one.
    #[inline(never)]
    pub(super) fn net_place(&self, name: &str) -> Option<VarId> {
        let net = self.net.as_deref()?;
        let labelled = || {
            let mut all = net.place_ids().filter(|p| net.place(*p).label.as_deref() == Some(name));
            all.next().filter(|_| all.next().is_none())
        };
        net.find_place(name).or_else(labelled).map(|p| VarId::new(p.index()))
    }
}

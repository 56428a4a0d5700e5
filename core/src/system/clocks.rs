//! Conditions on the clocks of systems that are time nets.

use solver_lite::number::Q;

use crate::diagnostic::Span;
use crate::expr::{Binary, Expr, Kind, Nary, Sign, Type, VarId};
use crate::net::condition::Condition;
use crate::net::timed::{Clocks, Semantics};
use crate::net::{Net, PlaceArc, PlaceId, TransitionId, weight};
use crate::system::net::{dead, number, place};
use crate::system::{LocationId, System};

/// A time.
pub(crate) fn rational(n: u32) -> Expr {
    Expr::num(Q::from(i64::from(n)), Type::Rat)
}

/// The value of a variable that is a time.
pub(crate) fn date(v: VarId) -> Expr {
    Expr::var(v, Type::Rat)
}

/// `a - b ⋈ n`
pub(crate) fn difference(a: VarId, b: VarId, op: Binary, n: Expr) -> Expr {
    let sum = Kind::Sum(vec![(Sign::Plus, date(a)), (Sign::Minus, date(b))]);
    Expr::compare(op, Expr { kind: sum, ty: Type::Rat, span: Span::default() }, n)
}

/// The age of a clock satisfies a comparison.
pub(crate) fn age(clocks: &Clocks, clock: usize, op: Binary, n: u32) -> Expr {
    difference(clocks.time(), clocks.since(clock), op, rational(n))
}

/// The place has a token.
pub(crate) fn marked(p: PlaceId) -> Expr {
    Expr::compare(Binary::Ge, place(p), number(1))
}

/// In a net with delays of places: the transition may fire, besides that its input places have tokens. They have
/// reached the lower ends, and no token of an inhibitor place its upper end.
fn ready(net: &Net, clocks: &Clocks, t: TransitionId) -> Vec<Expr> {
    let t = net.transition(t);
    let delay = |arc: &PlaceArc| clocks.delay(arc.place);
    let inputs = t.inputs.iter().filter_map(|arc| {
        let least = delay(arc).least;
        clocks.of_place(arc.place).filter(|_| least > 0).map(|c| age(clocks, c, Binary::Ge, least))
    });
    let inhibitors = t.inhibitors.iter().filter_map(|arc| {
        let young = age(clocks, clocks.of_place(arc.place)?, Binary::Lt, delay(arc).most?);
        Some(Expr::or(vec![marked(arc.place).negated(), young]))
    });
    inputs.chain(inhibitors).collect()
}

/// The output places of a transition that are no input places.
fn filled(net: &Net, t: TransitionId) -> impl Iterator<Item = PlaceId> {
    let t = net.transition(t);
    t.outputs.iter().map(|arc| arc.place).filter(|p| weight(&t.inputs, *p) == 0)
}

/// The conditions under which a transition of a net with delays of places fires: it may fire, and no place gets a
/// second token.
pub(crate) fn fires(net: &Net, clocks: &Clocks, t: TransitionId) -> Vec<Expr> {
    let mut all: Vec<Expr> = net.transition(t).inputs.iter().map(|arc| marked(arc.place)).collect();
    all.extend(ready(net, clocks, t));
    all.extend(filled(net, t).map(|p| marked(p).negated()));
    all
}

impl System {
    /// The clocks, if this is a time net.
    #[must_use]
    pub fn clocks(&self) -> Option<Clocks> {
        Clocks::of(self.net.as_deref()?).ok()?
    }

    /// The location after waiting, if this is a time net.
    pub(crate) fn waited(&self) -> Option<LocationId> {
        self.clocks().map(|_| LocationId::new(2))
    }

    /// In a time net: the location and the states there in which no transition will ever fire. With delays of places,
    /// all tokens have reached the upper ends then.
    pub(crate) fn stuck(&self) -> Option<(LocationId, Expr)> {
        let (net, clocks) = (self.net.as_deref()?, self.clocks()?);
        if clocks.semantics == Semantics::Transitions {
            return Some((LocationId::new(1), dead(net)));
        }
        let old = net.place_ids().filter_map(|p| {
            let old = age(&clocks, clocks.of_place(p)?, Binary::Ge, clocks.delay(p).most?);
            Some(Expr::or(vec![marked(p).negated(), old]))
        });
        Some((self.waited()?, Expr::and([dead(net)].into_iter().chain(old).collect())))
    }

    /// In a net with delays of places, where no place may get a second token: the conditions after waiting under which
    /// one does, each with a description.
    pub(crate) fn second_tokens(&self) -> Vec<(String, Expr)> {
        let (Some(net), Some(clocks)) = (self.net.as_deref(), self.clocks()) else { return Vec::new() };
        if clocks.semantics == Semantics::Transitions {
            return Vec::new();
        }
        let one = |t: TransitionId| {
            let inputs = net.transition(t).inputs.iter().map(|a| marked(a.place));
            let parts: Vec<Expr> = inputs.chain(ready(net, &clocks, t)).collect();
            filled(net, t).map(move |p| {
                (System::second_token(net, t, p), Expr::and([&parts[..], &[marked(p)]].concat()))
            })
        };
        net.transition_ids().flat_map(one).collect()
    }

    /// The description of a second token.
    pub(crate) fn second_token(net: &Net, t: TransitionId, p: PlaceId) -> String {
        format!("'{}' gives a second token to '{}'", net.transition(t).name, net.place(p).name)
    }

    /// A condition on the marking and the latest time, if the condition is of this form: `c && time <= 5`.
    pub(crate) fn within(&self, condition: &Expr) -> Option<(Condition, u32)> {
        let time = self.clocks()?.time();
        let parts = match &condition.kind {
            Kind::Nary(Nary::And, parts) => parts.as_slice(),
            _ => std::slice::from_ref(condition),
        };
        let latest = |e: &Expr| match &e.kind {
            Kind::Binary(Binary::Le, ab) if ab[0].kind == Kind::Var(time) => match &ab[1].kind {
                Kind::Num(n) => n.to_i64().and_then(|n| u32::try_from(n).ok()),
                _ => None,
            },
            _ => None,
        };
        let at = parts.iter().position(|part| latest(part).is_some())?;
        let others: Vec<Expr> = [&parts[..at], &parts[at + 1..]].concat();
        let others = Expr::and(others);
        let places = self.net.as_ref()?.places.len();
        let is_marking = others.variables().iter().all(|v| v.index() < places);
        is_marking.then(|| Some((Condition::of(&others), latest(&parts[at])?)))?
    }

    /// Does the edge give a second token to a place that may have one only?
    pub(crate) fn is_second_token(&self, edge: usize) -> bool {
        edge >= self.edges.len().saturating_sub(self.second_tokens().len())
    }
}

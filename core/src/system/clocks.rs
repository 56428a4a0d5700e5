//! Conditions on the clocks of systems that are time nets.

use solver_lite::number::Q;

use crate::diagnostic::Span;
use crate::expr::{Binary, Expr, Kind, Nary, Sign, Type, VarId};
use crate::net::condition::Condition;
use crate::net::timed::{Clocks, Semantics};
use crate::net::{Net, PlaceArc, PlaceId, TransitionId, weight};
use crate::system::net::{dead, number, place};
use crate::system::{Edge, EdgeId, LocationId, Op, System};

/// The locations of a time net after the start: after a firing, and when time has passed.
pub(crate) const AT_MARKING: LocationId = LocationId(1);
pub(crate) const AFTER_WAITING: LocationId = LocationId(2);

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
    /// The edge on which time passes, if this is a time net.
    pub(crate) fn waiting(&self) -> Option<EdgeId> {
        self.clocks.as_ref().and(self.net.as_deref()).map(|net| EdgeId::new(net.transitions.len() + 1))
    }

    /// In a time net: the location and the states there in which no transition will ever fire. With delays of places,
    /// all tokens have reached the upper ends then.
    pub(crate) fn stuck(&self) -> Option<(LocationId, Expr)> {
        let (net, clocks) = (self.net.as_deref()?, self.clocks.as_deref()?);
        if clocks.semantics == Semantics::Transitions {
            return Some((AT_MARKING, dead(net)));
        }
        let old = net.place_ids().filter_map(|p| {
            let old = age(clocks, clocks.of_place(p)?, Binary::Ge, clocks.delay(p).most?);
            Some(Expr::or(vec![marked(p).negated(), old]))
        });
        Some((AFTER_WAITING, Expr::and([dead(net)].into_iter().chain(old).collect())))
    }

    /// The transitions of a net with delays of places, each with a place that is not to get a second token from it.
    fn fillings(&self) -> impl Iterator<Item = (&Net, &Clocks, TransitionId, PlaceId)> {
        let clocks = self.clocks.as_deref().filter(|clocks| clocks.semantics == Semantics::Places);
        let both = self.net.as_deref().zip(clocks).into_iter();
        both.flat_map(|(net, clocks)| {
            let of = move |t| filled(net, t).map(move |p| (net, clocks, t, p));
            net.transition_ids().flat_map(of)
        })
    }

    /// In a net with delays of places: the edges after waiting, to the error location, on which a place gets a second
    /// token. A property adds them after its own edges.
    pub(crate) fn second_tokens(&self, error: LocationId) -> Vec<Edge> {
        let edge = |(net, clocks, t, p): (&Net, &Clocks, TransitionId, PlaceId)| {
            let mut all: Vec<Expr> = net.transition(t).inputs.iter().map(|arc| marked(arc.place)).collect();
            all.extend(ready(net, clocks, t));
            all.push(marked(p));
            let label =
                format!("'{}' gives a second token to '{}'", net.transition(t).name, net.place(p).name);
            let (op, span) = (Op::Assume(Expr::and(all)), Span::default());
            Edge { source: AFTER_WAITING, target: error, op, label, span }
        };
        self.fillings().map(edge).collect()
    }

    /// The edge on which a transition gives a second token to a place, if a property has been applied.
    pub(crate) fn second_token(&self, t: TransitionId, p: PlaceId) -> Option<EdgeId> {
        let number = self.fillings().position(|(_, _, own, to)| (own, to) == (t, p))?;
        Some(EdgeId::new((self.edges.len() + number).checked_sub(self.fillings().count())?))
    }

    /// Does the edge give a second token to a place?
    pub(crate) fn is_second_token(&self, edge: EdgeId) -> bool {
        edge.index() + self.fillings().count() >= self.edges.len()
    }

    /// The edge of the property from a location to the error location.
    pub(crate) fn violation(&self, at: LocationId) -> Option<EdgeId> {
        let is = |e: &EdgeId| Some(self.edge(*e).target) == self.error && self.edge(*e).source == at;
        self.edge_ids().find(is)
    }

    /// Is a condition about the time or the clocks of a time net, and not about its marking alone?
    pub(crate) fn is_about_time(&self, condition: &Expr) -> bool {
        condition.variables().iter().any(|v| self.is_time(*v))
    }

    /// Is a variable the time or the clock of a time net?
    pub(crate) fn is_time(&self, v: VarId) -> bool {
        self.net.as_ref().is_some_and(|net| v.index() >= net.places.len())
    }

    /// A condition on the marking and the latest time, if the condition is of this form: `c && time <= 5`.
    pub(crate) fn within(&self, condition: &Expr) -> Option<(Condition, u32)> {
        let time = self.clocks.as_ref()?.time();
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
        let others = Expr::and([&parts[..at], &parts[at + 1..]].concat());
        if self.is_about_time(&others) {
            return None;
        }
        Some((Condition::of(&others), latest(&parts[at])?))
    }
}

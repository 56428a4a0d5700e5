//! The steps of a time net as statements: time passes, then a transition fires. Written from the definitions, not from
//! the operations of the system, with which it shares the numbers of variables and the reading of intervals
//! ([`Clocks`]).

use solver_lite::number::Q;

use super::{firing, initial};
use crate::diagnostic::Span;
use crate::expr::{Binary, Expr, Kind, Sign, Type, VarId};
use crate::net::timed::{Clocks, Semantics};
use crate::net::{Net, PlaceArc, PlaceId, Transition, TransitionId, weight};
use crate::statements::{Action, Place, Statement, Statements, Style};
use crate::system::{Role, System};

/// The statements of a time net.
pub(super) fn statements(system: &System, net: &Net, clocks: &Clocks) -> Statements {
    let timed = Timed { net, clocks };
    let zero = |v: VarId| Expr::compare(Binary::Eq, date(v), rational(0));
    let dates = system.var_ids().skip(net.places.len()).map(zero);
    let place = |name: &str| Place { name: name.to_owned(), role: Role::Plain };
    let fires = |t: TransitionId| Action { from: 1, to: 0, body: timed.fires(t) };
    let wait = Action { from: 0, to: 1, body: timed.waits() };
    Statements {
        variables: system.variables.iter().map(|v| (v.name.clone(), v.ty.clone())).collect(),
        own: system.var_ids().collect(),
        first: initial(net).chain(dates).collect(),
        invariant: Vec::new(),
        style: Style::Firings,
        places: vec![place("marking"), place(super::super::timed::WAITED)],
        start: 0,
        actions: std::iter::once(wait).chain(net.transition_ids().map(fires)).collect(),
        stuck: Some(timed.stuck()),
        never: net.transition_ids().flat_map(|t| timed.second(t)).map(|e| (1, e)).collect(),
    }
}

struct Timed<'a> {
    net: &'a Net,
    clocks: &'a Clocks,
}

fn rational(n: u32) -> Expr {
    Expr::num(Q::from(i64::from(n)), Type::Rat)
}

fn date(v: VarId) -> Expr {
    Expr::var(v, Type::Rat)
}

/// The date `n` after another one.
fn later(v: VarId, n: u32) -> Expr {
    let sum = Kind::Sum(vec![(Sign::Plus, date(v)), (Sign::Plus, rational(n))]);
    Expr { kind: sum, ty: Type::Rat, span: Span::default() }
}

fn tokens(op: Binary, p: PlaceId, n: u64) -> Expr {
    let n = Expr::num(Q::from(i64::try_from(n).expect("a sum of weights")), Type::Int);
    Expr::compare(op, Expr::var(VarId::new(p.index()), Type::Int), n)
}

fn marked(arc: &PlaceArc) -> Expr {
    tokens(Binary::Gt, arc.place, 0)
}

/// The transition has its tokens, when those of `taken` are taken.
fn has_tokens(t: &Transition, taken: &[PlaceArc]) -> Expr {
    let more = |arc: &PlaceArc| u64::from(arc.weight) + u64::from(weight(taken, arc.place));
    let inhibited = t.inhibitors.iter().map(|arc| tokens(Binary::Ge, arc.place, more(arc)).negated());
    Expr::and(t.inputs.iter().map(|arc| tokens(Binary::Ge, arc.place, more(arc))).chain(inhibited).collect())
}

impl Timed<'_> {
    fn since_transition(&self, t: TransitionId) -> Option<VarId> {
        self.clocks.of_transition(t).map(|c| self.clocks.since(c))
    }

    /// The date at which the token of an arc's place has some age; none if there is no such age.
    fn at_age(&self, arc: &PlaceArc, age: Option<u32>) -> Option<Expr> {
        match self.clocks.of_place(arc.place) {
            Some(clock) => age.map(|age| later(self.clocks.since(clock), age)),
            // Its token is ready at any age, and never has to be.
            None => age.map(|_| rational(0)),
        }
    }

    fn waits(&self) -> Vec<Statement> {
        let (time, fired) = (self.clocks.time(), self.clocks.fired());
        let mut body =
            vec![Statement::Any(time), Statement::Assume(Expr::compare(Binary::Le, date(fired), date(time)))];
        for t in self.net.transition_ids() {
            match self.clocks.semantics {
                Semantics::Transitions => {
                    let (Some(since), Some(delay)) = (self.since_transition(t), self.net.transition(t).delay)
                    else {
                        continue;
                    };
                    let Some(most) = delay.most else { continue };
                    let over = if delay.before_most { Binary::Ge } else { Binary::Gt };
                    let late = Expr::compare(over, date(time), later(since, most));
                    let late = Expr::and(vec![has_tokens(self.net.transition(t), &[]), late]);
                    body.push(Statement::Assume(late.negated()));
                }
                Semantics::Places => body.extend(self.missed(t).map(|e| Statement::Assume(e.negated()))),
            }
        }
        body
    }

    /// The conditions under which the transition had to fire at an earlier moment. The first such moment is the last
    /// upper end of an input token, or the last firing.
    fn missed(&self, t: TransitionId) -> impl Iterator<Item = Expr> {
        let t = self.net.transition(t);
        let delay = |arc: &PlaceArc| self.clocks.delay(arc.place);
        let ends: Option<Vec<Expr>> = t.inputs.iter().map(|arc| self.at_age(arc, delay(arc).most)).collect();
        let fired = date(self.clocks.fired());
        let moments = ends.iter().flat_map(|ends| std::iter::once(fired.clone()).chain(ends.iter().cloned()));
        let missed = |moment: Expr| {
            let mut all: Vec<Expr> = t.inputs.iter().map(marked).collect();
            all.push(Expr::compare(Binary::Lt, moment.clone(), date(self.clocks.time())));
            let reached = |end: &Expr| Expr::compare(Binary::Ge, moment.clone(), end.clone());
            all.push(reached(&fired));
            all.extend(ends.iter().flatten().map(reached));
            all.extend(t.inhibitors.iter().map(|arc| {
                let young = match (delay(arc).least, self.at_age(arc, Some(delay(arc).least))) {
                    (1.., Some(ready)) => Expr::compare(Binary::Lt, moment.clone(), ready),
                    _ => Expr::bool(false),
                };
                Expr::or(vec![marked(arc).negated(), young])
            }));
            Expr::and(all)
        };
        moments.map(missed).collect::<Vec<_>>().into_iter()
    }

    /// What time requires of a firing.
    fn ready(&self, t: TransitionId) -> Vec<Expr> {
        let time = || date(self.clocks.time());
        let transition = self.net.transition(t);
        match self.clocks.semantics {
            Semantics::Transitions => {
                let (Some(since), Some(delay)) = (self.since_transition(t), transition.delay) else {
                    return Vec::new();
                };
                let op = if delay.after_least { Binary::Lt } else { Binary::Le };
                vec![Expr::compare(op, later(since, delay.least), time())]
            }
            Semantics::Places => {
                let delay = |arc: &PlaceArc| self.clocks.delay(arc.place);
                let inputs = transition.inputs.iter().filter(|arc| delay(arc).least > 0);
                let inputs = inputs.filter_map(|arc| self.at_age(arc, Some(delay(arc).least)));
                let inputs = inputs.map(|ready| Expr::compare(Binary::Le, ready, time()));
                let inhibitors = transition.inhibitors.iter().filter_map(|arc| {
                    let old = Expr::compare(Binary::Le, self.at_age(arc, delay(arc).most)?, time());
                    Some(Expr::and(vec![marked(arc), old]).negated())
                });
                inputs.chain(inhibitors).collect()
            }
        }
    }

    fn fires(&self, t: TransitionId) -> Vec<Statement> {
        let transition = self.net.transition(t);
        let now = || date(self.clocks.time());
        let mut body: Vec<Statement> = self.ready(t).into_iter().map(Statement::Assume).collect();
        let mut restart = Vec::new();
        match self.clocks.semantics {
            Semantics::Transitions => {
                for u in self.net.transition_ids() {
                    let Some(since) = self.since_transition(u) else { continue };
                    let other = self.net.transition(u);
                    let near = |arc: &PlaceArc| {
                        weight(&transition.inputs, arc.place) + weight(&transition.outputs, arc.place) > 0
                    };
                    if u != t && !other.inputs.iter().chain(&other.inhibitors).any(near) {
                        continue;
                    }
                    let goes_on = match u == t {
                        true => Expr::bool(false),
                        false => {
                            Expr::and(vec![has_tokens(other, &[]), has_tokens(other, &transition.taken())])
                        }
                    };
                    restart.push(Statement::Assign(since, Expr::ite(goes_on, date(since), now())));
                }
            }
            // Inhibitor places with young tokens do not disable it, so only the input places are tested.
            Semantics::Places => {
                for arc in &transition.outputs {
                    let clock = self.clocks.of_place(arc.place).map(|c| self.clocks.since(c));
                    restart.extend(clock.map(|since| Statement::Assign(since, now())));
                }
            }
        }
        body.push(Statement::Assign(self.clocks.fired(), now()));
        let untimed = firing(transition).into_iter().filter(|statement| {
            let is_test = matches!(statement, Statement::Assume(_));
            !is_test || self.clocks.semantics == Semantics::Transitions
        });
        if self.clocks.semantics == Semantics::Places {
            body.extend(transition.inputs.iter().map(|arc| Statement::Assume(marked(arc))));
        }
        // Tests and clocks are about the marking before.
        let (tests, moves): (Vec<Statement>, Vec<Statement>) =
            untimed.partition(|statement| matches!(statement, Statement::Assume(_)));
        body.into_iter().chain(tests).chain(restart).chain(moves).collect()
    }

    /// The states in which no transition will ever fire, and their place.
    fn stuck(&self) -> (usize, Expr) {
        let dead = |t: &Transition| has_tokens(t, &[]).negated();
        let mut all: Vec<Expr> = self.net.transitions.iter().map(dead).collect();
        if self.clocks.semantics == Semantics::Transitions {
            return (0, Expr::and(all));
        }
        for p in self.net.place_ids() {
            let arc = PlaceArc { place: p, weight: 1, span: Span::default() };
            let Some(end) = self.at_age(&arc, self.clocks.delay(p).most) else { continue };
            let young = Expr::compare(Binary::Gt, end, date(self.clocks.time()));
            all.push(Expr::and(vec![marked(&arc), young]).negated());
        }
        (1, Expr::and(all))
    }

    /// With delays of places: the states in which a firing gives a second token to a place.
    fn second(&self, t: TransitionId) -> Vec<Expr> {
        if self.clocks.semantics == Semantics::Transitions {
            return Vec::new();
        }
        let transition = self.net.transition(t);
        let inputs: Vec<Expr> = transition.inputs.iter().map(marked).chain(self.ready(t)).collect();
        let full = transition.outputs.iter().filter(|arc| weight(&transition.inputs, arc.place) == 0);
        full.map(|arc| Expr::and([&inputs[..], &[marked(arc)]].concat())).collect()
    }
}

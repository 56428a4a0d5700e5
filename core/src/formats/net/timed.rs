//! The clocks of a time net in its system.
//!
//! Besides the places, the system has the time, the time of the last firing, and for each clock the time since when it
//! runs. A step has two edges: time passes, as long as nothing must fire, and then a transition fires. All conditions
//! compare the difference of two of these variables with a number (Igawa, Yokogawa, Amasaki, Kondo, Sato and Arimoto,
//! "Symbolic Representation of Time Petri Nets for Efficient Bounded Model Checking", 2020, section 2.3). Unlike the
//! encoding there, time does not pass a moment at which a transition must fire, and a step fires one transition.

use std::collections::HashSet;

use solver_lite::number::Q;

use crate::diagnostic::Span;
use crate::expr::{Binary, Expr, Type, VarId};
use crate::formats::identifier;
use crate::net::timed::{Clocks, Delay, Semantics};
use crate::net::{Interval, Net, PlaceArc, TransitionId};
use crate::system::clocks::{AFTER_WAITING, AT_MARKING, age, date, difference, fires, marked, rational};
use crate::system::net::{enabled, enabled_without};
use crate::system::{Draft, DraftVariable, Edge, Op};

/// The location between the passing of time and a firing.
pub(super) const WAITED: &str = "waited";

/// Adds the clocks to a net's system, whose first edge assigns the initial marking and whose other edges fire the
/// transitions at the second location. The third location is the one after waiting.
pub(super) fn with_clocks(draft: &mut Draft, net: &Net, clocks: &Clocks) {
    let mut taken: HashSet<String> = draft.variables.iter().map(|v| v.name.clone()).collect();
    let mut add = |name: &str| {
        let name = identifier(name, &mut taken, "");
        draft.variables.push(DraftVariable { name, ty: Type::Rat, span: Span::default(), promised: None });
    };
    add("time");
    add("fired");
    (0..clocks.len()).for_each(|i| add(&format!("since_{}", clocks.name(net, i))));
    let timing = Timing { net, clocks };
    for (i, edge) in draft.edges.iter_mut().enumerate() {
        let op = std::mem::replace(&mut edge.op, Op::Skip);
        edge.op = match i.checked_sub(1) {
            None => Op::Sequence(vec![op, Op::Update(timing.reset())]),
            Some(t) => {
                edge.source = AFTER_WAITING;
                timing.firing(TransitionId::new(t), op)
            }
        };
    }
    let (op, label) = (timing.waiting(), "time passes".to_owned());
    draft.edges.push(Edge { source: AT_MARKING, target: AFTER_WAITING, op, label, span: Span::default() });
}

/// The conditions of a time net.
struct Timing<'a> {
    net: &'a Net,
    clocks: &'a Clocks,
}

impl Timing<'_> {
    /// At the start all clocks are 0.
    fn reset(&self) -> Vec<(VarId, Expr)> {
        let (time, fired) = (self.clocks.time(), self.clocks.fired());
        let clocks = (0..self.clocks.len()).map(|i| self.clocks.since(i));
        [time, fired].into_iter().chain(clocks).map(|v| (v, rational(0))).collect()
    }

    /// Time passes, as long as nothing must fire.
    fn waiting(&self) -> Op {
        let (time, fired) = (self.clocks.time(), self.clocks.fired());
        let mut parts = vec![Expr::compare(Binary::Ge, date(time), date(fired))];
        parts.extend(self.net.transition_ids().filter_map(|t| match self.clocks.semantics {
            Semantics::Transitions => self.before_end(t),
            Semantics::Places => self.not_forced(t),
        }));
        Op::Sequence(vec![Op::Havoc(time), Op::Assume(Expr::and(parts))])
    }

    fn age(&self, clock: usize, op: Binary, n: u32) -> Expr {
        age(self.clocks, clock, op, n)
    }

    /// The transition is not enabled, or not longer than its interval permits.
    fn before_end(&self, t: TransitionId) -> Option<Expr> {
        let Interval { most, before_most, .. } = self.net.transition(t).delay?;
        let (clock, most) = (self.clocks.of_transition(t)?, most?);
        let op = if before_most { Binary::Lt } else { Binary::Le };
        Some(Expr::or(vec![enabled(self.net, t).negated(), self.age(clock, op, most)]))
    }

    /// The transition was not forced to fire before now. It is forced when all tokens of its input places have reached
    /// the upper ends, unless the token of an inhibitor place has reached its lower end by then.
    fn not_forced(&self, t: TransitionId) -> Option<Expr> {
        let t = self.net.transition(t);
        let delay = |arc: &PlaceArc| self.clocks.delay(arc.place);
        let mut ends = Vec::with_capacity(t.inputs.len());
        for arc in &t.inputs {
            ends.push((self.clocks.of_place(arc.place)?, delay(arc).most?));
        }
        let mut ways: Vec<Expr> = t.inputs.iter().map(|arc| marked(arc.place).negated()).collect();
        ways.push(Expr::compare(Binary::Le, date(self.clocks.time()), date(self.clocks.fired())));
        ways.extend(ends.iter().map(|(clock, most)| self.age(*clock, Binary::Le, *most)));
        for arc in &t.inhibitors {
            let Delay { least, .. } = delay(arc);
            let Some(own) = self.clocks.of_place(arc.place).filter(|_| least > 0) else {
                ways.push(marked(arc.place));
                continue;
            };
            let (own, fired) = (self.clocks.since(own), self.clocks.fired());
            let mut by_then = vec![difference(fired, own, Binary::Ge, rational(least))];
            by_then.extend(ends.iter().map(|(clock, most)| {
                let sooner = Q::from(i64::from(least) - i64::from(*most));
                difference(self.clocks.since(*clock), own, Binary::Ge, Expr::num(sooner, Type::Rat))
            }));
            ways.push(Expr::and(vec![marked(arc.place), Expr::or(by_then)]));
        }
        Some(Expr::or(ways))
    }

    /// The transition fires, if time permits it. The conditions are about the marking before, so the clocks are
    /// assigned before the tokens are moved.
    fn firing(&self, t: TransitionId, untimed: Op) -> Op {
        let moved = match untimed {
            Op::Sequence(parts) => parts.into_iter().filter(|op| !matches!(op, Op::Assume(_))).collect(),
            Op::Assume(_) => Vec::new(),
            op => vec![op],
        };
        let mut clocks = vec![(self.clocks.fired(), date(self.clocks.time()))];
        let conditions = match self.clocks.semantics {
            Semantics::Transitions => {
                clocks.extend(self.restarted(t));
                [vec![enabled(self.net, t)], self.after_begin(t).into_iter().collect()].concat()
            }
            Semantics::Places => {
                let outputs = self.net.transition(t).outputs.iter();
                let filled = outputs.filter_map(|arc| self.clocks.of_place(arc.place));
                clocks.extend(filled.map(|c| (self.clocks.since(c), date(self.clocks.time()))));
                fires(self.net, self.clocks, t)
            }
        };
        let mut all = vec![Op::Assume(Expr::and(conditions)), Op::Update(clocks)];
        all.extend(moved);
        Op::Sequence(all)
    }

    /// The transition has been enabled long enough.
    fn after_begin(&self, t: TransitionId) -> Option<Expr> {
        let Interval { least, after_least, .. } = self.net.transition(t).delay?;
        let op = if after_least { Binary::Gt } else { Binary::Ge };
        let clock = self.clocks.of_transition(t).filter(|_| least > 0 || after_least)?;
        Some(self.age(clock, op, least))
    }

    /// The clocks of the transitions that may become enabled by the firing of `t` start again: of `t` itself, and of
    /// those that are not enabled before it and when it has taken its tokens (intermediate semantics).
    fn restarted(&self, t: TransitionId) -> Vec<(VarId, Expr)> {
        let fired = self.net.transition(t);
        let taken = fired.taken();
        let touches = |u: TransitionId| {
            let u = self.net.transition(u);
            let mut own = u.inputs.iter().chain(&u.inhibitors).map(|arc| arc.place);
            own.any(|p| fired.inputs.iter().chain(&fired.outputs).any(|arc| arc.place == p))
        };
        let restarted = self.net.transition_ids().filter_map(|u| {
            let since = self.clocks.since(self.clocks.of_transition(u)?);
            let now = date(self.clocks.time());
            if u == t {
                return Some((since, now));
            }
            let stays = || Expr::and(vec![enabled(self.net, u), enabled_without(self.net, u, &taken)]);
            touches(u).then(|| (since, Expr::ite(stays(), date(since), now)))
        });
        restarted.collect()
    }
}

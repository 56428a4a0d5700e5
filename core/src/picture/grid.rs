//! The values of two variables at a location as a grid, or of one as a line: the regions of the tracked predicates, the
//! values that the abstraction allows, and the values that sampled runs reach.

use std::collections::{BTreeMap, BTreeSet};

use solver_lite::number::Q;
use solver_lite::term::Value;

use crate::certificate::formula;
use crate::expr::{Expr, Kind};
use crate::kit::{Journal, Label, NodeId, PredicateId};
use crate::system::{LocationId, State, System, VarId, VarType};
use crate::views::{ArgView, PrecisionView};

/// The greatest number of drawn values of a variable.
const MOST: i64 = 20;

/// A variable and its drawn values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axis {
    /// The variable.
    pub variable: VarId,
    /// Its drawn values, ascending.
    pub values: Vec<Value>,
    /// Are there relevant values beyond them?
    pub clipped: bool,
}

impl Axis {
    /// The other axis of a variable that is drawn alone: of one value, which is not the variable's.
    #[must_use]
    pub(super) fn none(variable: VarId) -> Axis {
        Axis { variable, values: vec![Value::Bool(true)], clipped: false }
    }
}

/// The state of a pair of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Cells of the same region are not distinguished by the predicates.
    pub region: usize,
    /// Some node at the location allows it.
    pub allowed: bool,
    /// So does the selected node.
    pub chosen: bool,
    /// Some sampled run reaches it.
    pub reached: bool,
}

/// A grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid {
    /// Across.
    pub x: Axis,
    /// Upwards; the same variable if it is drawn alone.
    pub y: Axis,
    /// Row by row, the lowest value of `y` first.
    pub cells: Vec<Cell>,
    /// The predicates that distinguish cells.
    pub predicates: Vec<PredicateId>,
    /// The truth of these predicates in each region; `None` where it cannot be computed.
    pub regions: Vec<Vec<Option<bool>>>,
}

/// The data of a location.
struct Known<'a> {
    system: &'a System,
    /// Nodes are markings, in which places without tokens are left out.
    markings: bool,
    labels: Vec<&'a Label>,
    /// The predicates tracked there, as expressions.
    predicates: BTreeMap<PredicateId, Expr>,
    /// States of runs.
    states: Vec<&'a State>,
}

impl<'a> Known<'a> {
    fn at(
        location: LocationId,
        system: &'a System,
        (journal, arg, precision): (&Journal, &'a ArgView, &PrecisionView),
        samples: &'a [(LocationId, State)],
    ) -> Known<'a> {
        let here = |p: PredicateId| {
            precision.places.is_empty() || precision.places.iter().any(|(q, l)| *q == p && *l == location)
        };
        let texts = precision.predicates.iter().map(|(p, _)| *p).filter(|p| here(*p));
        let read = |p: PredicateId| Some((p, formula(journal.predicates.get(p.index())?, system).ok()?));
        Known {
            system,
            markings: journal.names.markings,
            labels: arg.live().map(|(_, n)| &*n.label).filter(|l| l.location == location).collect(),
            predicates: texts.filter_map(read).collect(),
            states: samples.iter().filter(|(l, _)| *l == location).map(|(_, s)| s).collect(),
        }
    }

    /// Could a state with these two values be in one of the nodes, as far as the values determine it?
    fn allows(&self, labels: &[&Label], of: &dyn Fn(VarId) -> Option<Value>) -> bool {
        let literal = |(p, positive): &(PredicateId, bool)| {
            let known = self.predicates.get(p).and_then(|e| e.eval_known(of).ok().flatten());
            known.is_none_or(|value| value.bool() == *positive)
        };
        let value = |(v, text): &(VarId, String)| {
            of(*v).is_none_or(|value| self.system.value_text(*v, &value) == *text)
        };
        let has_value = |label: &Label, v: VarId| label.values.iter().any(|(w, _)| *w == v);
        let is_zero = |v: VarId| of(v).is_none_or(|value| value == Value::Num(Q::ZERO));
        let empty = |label: &Label| self.system.var_ids().all(|v| has_value(label, v) || is_zero(v));
        labels.iter().any(|label| {
            label.values.iter().all(value)
                && (!self.markings || empty(label))
                && label.literals.iter().all(literal)
                && (label.either.is_empty() || label.either.iter().any(|cube| cube.iter().all(literal)))
        })
    }

    fn axis(&self, v: VarId, system: &System) -> Axis {
        if system.variable(v).ty == VarType::Bool {
            return Axis { variable: v, values: vec![Value::Bool(false), Value::Bool(true)], clipped: false };
        }
        let mut constants = BTreeSet::new();
        for e in self.predicates.values().filter(|e| e.variables().contains(&v)) {
            e.visit(&mut |e| {
                if let Kind::Num(q) = &e.kind {
                    constants.extend(q.to_i64().filter(|n| n.abs() < 1 << 40));
                }
            });
        }
        let seen = self.states.iter().filter_map(|s| match &s[v.index()] {
            Value::Num(q) => q.floor().to_i64().filter(|n| n.abs() < 1 << 40),
            Value::Bool(_) => None,
        });
        let seen: BTreeSet<i64> = seen.collect();
        let all = || constants.iter().chain(&seen).copied();
        let (least, greatest) = (all().min().unwrap_or(0) - 1, all().max().unwrap_or(2) + 1);
        // Tokens are not negative.
        let least = if system.net.is_some() { least.max(0) } else { least };
        // A range that is too wide is drawn around the constants of the predicates, around 0, or from its least value
        // on.
        let clipped = greatest - least >= MOST;
        let first = match (constants.first(), constants.last()) {
            (Some(low), Some(high)) if clipped => ((low + high) / 2 - MOST / 2).max(least),
            _ if clipped && least < 0 && greatest > 0 => (-MOST / 4).max(least),
            _ => least,
        };
        let last = if clipped { (first + MOST - 1).min(greatest) } else { greatest };
        let values = (first..=last).map(|n| Value::Num(Q::from(n)));
        let values = values.filter(|value| system.variable(v).ty.contains(value)).collect();
        Axis { variable: v, values, clipped }
    }
}

/// The variables that can be drawn: the first 64.
#[must_use]
pub fn variables(system: &System) -> Vec<VarId> {
    system.var_ids().take(64).collect()
}

/// The two most relevant variables at a location, by predicates, values and sampled states. A single one is given
/// twice, and `None` if there is none.
#[must_use]
pub fn axes(
    location: LocationId,
    system: &System,
    views: (&Journal, &ArgView, &PrecisionView),
    samples: &[(LocationId, State)],
) -> Option<(VarId, VarId)> {
    let known = Known::at(location, system, views, samples);
    let weight = |v: VarId| {
        let spoken = known.predicates.values().filter(|e| e.variables().contains(&v)).count();
        let valued = known.labels.iter().any(|l| l.values.iter().any(|(w, _)| *w == v));
        let mut seen: Vec<&Value> = Vec::new();
        for state in known.states.iter().take(200) {
            if !seen.contains(&&state[v.index()]) {
                seen.push(&state[v.index()]);
            }
        }
        let number = usize::from(system.variable(v).ty != VarType::Bool);
        spoken * 50 + usize::from(valued) * 40 + number * 20 + seen.len().min(15)
    };
    let mut all: Vec<VarId> = variables(system);
    all.sort_by_key(|v| std::cmp::Reverse(weight(*v)));
    let x = *all.first()?;
    let y = all.get(1).copied().unwrap_or(x);
    Some((x.min(y), x.max(y)))
}

/// The grid of two variables at a location, with a selected node of it; a line if they are the same.
#[must_use]
pub fn grid(
    (x, y): (VarId, VarId),
    (location, node): (LocationId, Option<NodeId>),
    system: &System,
    views: (&Journal, &ArgView, &PrecisionView),
    samples: &[(LocationId, State)],
) -> Grid {
    let known = Known::at(location, system, views, samples);
    let looked_at: Vec<&Label> =
        node.and_then(|n| views.1.nodes.get(n.index())).map(|n| &*n.label).into_iter().collect();
    let across = known.axis(x, system);
    let up = if x == y { Axis::none(x) } else { known.axis(y, system) };
    let telling = known.predicates.iter().filter(|(_, e)| e.variables().iter().all(|v| *v == x || *v == y));
    let telling: Vec<(PredicateId, &Expr)> = telling.map(|(p, e)| (*p, e)).collect();
    let mut regions: Vec<Vec<Option<bool>>> = Vec::new();
    let mut cells = Vec::with_capacity(across.values.len() * up.values.len());
    for b in &up.values {
        for a in &across.values {
            let of = |v: VarId| if v == x { Some(a.clone()) } else { (v == y).then(|| b.clone()) };
            let sign = |e: &Expr| e.eval_known(&of).ok().flatten().map(|value| value.bool());
            let signs: Vec<Option<bool>> = telling.iter().map(|(_, e)| sign(e)).collect();
            let region = regions.iter().position(|r| *r == signs).unwrap_or_else(|| {
                regions.push(signs);
                regions.len() - 1
            });
            let reached = known.states.iter().any(|s| s[x.index()] == *a && (x == y || s[y.index()] == *b));
            let (allowed, chosen) = (known.allows(&known.labels, &of), known.allows(&looked_at, &of));
            cells.push(Cell { region, allowed, chosen, reached });
        }
    }
    let predicates = telling.into_iter().map(|(p, _)| p).collect();
    Grid { x: across, y: up, cells, predicates, regions }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::{Cx, Fuel, Recorder, View};
    use crate::picture::sample;
    use crate::property::Property;
    use crate::run::{Options, Run};

    /// Every reached cell is allowed by the abstraction, whose cells lie in regions that a predicate distinguishes.
    #[test]
    fn reached_is_allowed() {
        let text = "main process p { var x : int var i : int init loc A loc L loc M final loc F error loc E
            A -> L { x := 0 i := 0 } L -> M { assume i < 9 x := 1 - x } M -> L { i := i + 1 }
            L -> E { assume i >= 9 and x > 1 } L -> F { assume i >= 9 and x <= 1 } }";
        let system = crate::formats::cfa::parse(text).unwrap();
        let property = Property::ErrorUnreachable;
        for (domain, tells_apart) in [("pred-cart", true), ("expl", false)] {
            let options = Options::with(&[("domain".to_owned(), domain.to_owned())]).unwrap();
            let mut run = Run::new(&system, &property, &options).unwrap();
            let mut sink = Recorder { journal: Journal::new(run.names()) };
            let mut fuel = Fuel::new(100_000);
            assert!(run.poll(&mut Cx { fuel: &mut fuel, sink: &mut sink }).is_ready());
            let (mut arg, mut precision) = (ArgView::default(), PrecisionView::default());
            for event in &sink.journal.events {
                arg.apply(event, &sink.journal);
                precision.apply(event, &sink.journal);
            }
            let samples = sample(&system, 1_000);
            let l = system.find_location("L").unwrap();
            let views = (&sink.journal, &arg, &precision);
            assert_eq!(axes(l, &system, views, &samples), Some((VarId(0), VarId(1))));
            let drawn = grid((VarId(0), VarId(1)), (l, None), &system, views, &samples);
            assert_eq!(drawn.cells.len(), drawn.x.values.len() * drawn.y.values.len());
            assert_eq!(drawn.cells.iter().filter(|c| c.reached).count(), 10);
            assert!(drawn.cells.iter().all(|c| c.allowed || !c.reached));
            assert!(drawn.cells.iter().any(|c| !c.allowed));
            let told_apart = drawn.cells.iter().map(|c| c.region).collect::<BTreeSet<_>>().len();
            assert_eq!(told_apart > 1, tells_apart, "{domain}");
            // One variable alone: the same values are reached.
            let line = grid((VarId(0), VarId(0)), (l, None), &system, views, &samples);
            assert_eq!(line.cells.len(), drawn.x.values.len());
            let columns = drawn.x.values.len();
            for (column, cell) in line.cells.iter().enumerate() {
                let above = drawn.cells.iter().skip(column).step_by(columns);
                assert_eq!(cell.reached, above.clone().any(|c| c.reached));
                assert!(cell.allowed || !above.clone().any(|c| c.allowed));
            }
        }
    }
}

//! Reductions of questions about infinite runs to reachability.
//!
//! *Liveness to safety* (Biere, Artho and Schuppan, "Liveness Checking as Safety Checking", 2002): a run may save its
//! state once; the error location is reached if the saved state occurs again after an accepting location.
//!
//! *k-liveness* (Claessen and Sörensson, "A Liveness Checking Algorithm that Counts", 2012): visits of accepting states
//! are counted; the error location is reached if there are more than `k`. If it is unreachable, no run is accepting,
//! even if there are infinitely many states.

use crate::diagnostic::Span;
use crate::expr::{Binary, Expr, Kind, Sign, Type, VarId};
use crate::system::{Blocks, Edge, Location, LocationId, Op, Role, System, VarType, Variable};
use crate::temporal::Product;
use solver_lite::number::Q;

/// A product with a saved state.
#[derive(Clone, Debug)]
pub struct Repeating {
    /// The system; its error location is reached if the saved state recurs.
    pub system: System,
    /// The number of edges of the product; the edges that save follow, then those to the error location.
    pub plain: usize,
    /// The number of edges that save.
    pub saves: usize,
}

fn int(n: usize) -> Expr {
    Expr::num(Q::from(i64::try_from(n).expect("few locations")), Type::Int)
}

fn equal(a: Expr, b: Expr) -> Expr {
    Expr::compare(Binary::Eq, a, b)
}

/// Adds variables and an error location of this name.
fn extended(product: &Product, more: Vec<(String, VarType, Type)>) -> (System, LocationId) {
    let mut system = (*product.system).clone();
    let (mut variables, mut locations) = (system.variables.clone(), system.locations.clone());
    for (name, ty, declared) in more {
        variables.push(Variable { name, ty, declared, span: Span::default(), promised: None });
    }
    let error = LocationId::new(locations.len());
    let span = Span::default();
    locations.push(Location { name: "repeated·".to_owned(), role: Role::Error, anonymous: false, span });
    let old = system;
    system = System::new(old.name, variables, locations, old.edges, old.initial);
    system.formalism = old.formalism;
    system.syntax = old.syntax;
    system.enumerations = old.enumerations;
    system.arrays = old.arrays;
    system.initial_formula = old.initial_formula;
    system.invariant = old.invariant;
    (system, error)
}

fn sequence(first: Op, then: Op) -> Op {
    match first {
        Op::Skip => then,
        Op::Sequence(mut all) => {
            all.push(then);
            Op::Sequence(all)
        }
        first => Op::Sequence(vec![first, then]),
    }
}

impl Product {
    /// The product with a saved state.
    #[must_use]
    pub fn repeating(&self) -> Repeating {
        let n = self.system.variables.len();
        let cutpoints = Blocks::of(&self.system).cutpoints;
        let live = self.system.live();
        let copies =
            self.system.variables.iter().map(|v| (format!("{}·", v.name), v.ty.clone(), v.declared.clone()));
        let last = Q::from(i64::try_from(self.pairs.len()).expect("few locations"));
        let (at, seen) = (VarId::new(2 * n), VarId::new(2 * n + 1));
        let more = copies.chain([
            ("saved·".to_owned(), VarType::Range { lo: Q::ZERO, hi: last }, Type::Int),
            ("seen·".to_owned(), VarType::Bool, Type::Bool),
        ]);
        let (mut system, error) = extended(self, more.collect());
        let saved = |system: &System, v: VarId| {
            Expr::var(VarId::new(n + v.index()), system.variable(v).declared.clone())
        };
        let place = || Expr::var(at, Type::Int);
        system.initial_formula = Expr::and(vec![system.initial_formula.clone(), equal(place(), int(0))]);
        for edge in &mut system.edges {
            if self.accepting[edge.target.index()] {
                edge.op =
                    sequence(std::mem::replace(&mut edge.op, Op::Skip), Op::Assign(seen, Expr::bool(true)));
            }
        }
        let plain = system.edges.len();
        let span = Span::default();
        let saving: Vec<LocationId> = self.system.location_ids().filter(|l| cutpoints[l.index()]).collect();
        for l in &saving {
            let mut ops = vec![Op::Assume(equal(place(), int(0))), Op::Assign(at, int(l.index() + 1))];
            ops.push(Op::Assign(seen, Expr::bool(false)));
            for v in &live[l.index()] {
                let value = Expr::var(*v, system.variable(*v).declared.clone());
                ops.push(Op::Assign(VarId::new(n + v.index()), value));
            }
            let label = "save".to_owned();
            system.edges.push(Edge { source: *l, target: *l, op: Op::Sequence(ops), label, span });
        }
        for l in &saving {
            let mut same = vec![equal(place(), int(l.index() + 1)), Expr::var(seen, Type::Bool)];
            for v in &live[l.index()] {
                let value = Expr::var(*v, system.variable(*v).declared.clone());
                same.push(equal(value, saved(&system, *v)));
            }
            let op = Op::Assume(Expr::and(same));
            system.edges.push(Edge { source: *l, target: error, op, label: "same".to_owned(), span });
        }
        system.index_edges();
        Repeating { system, plain, saves: saving.len() }
    }

    /// The counter variable in the system of [`Product::counting`].
    #[must_use]
    pub fn counter(&self) -> VarId {
        VarId::new(self.system.variables.len())
    }

    /// The product that counts how often the automaton leaves an accepting state; more than `most` times are an error.
    #[must_use]
    pub fn counting(&self, most: u32) -> System {
        let count = self.counter();
        let ty = VarType::Range { lo: Q::ZERO, hi: Q::from(i64::from(most)) };
        // Invariants over the counter are texts, so its name must be an identifier.
        let mut name = "visits".to_owned();
        while self.system.find_variable(&name).is_some() {
            name.push('_');
        }
        let (mut system, error) = extended(self, vec![(name, ty, Type::Int)]);
        let visits = || Expr::var(count, Type::Int);
        let limit = || Expr::num(Q::from(i64::from(most)), Type::Int);
        system.initial_formula = Expr::and(vec![system.initial_formula.clone(), equal(visits(), int(0))]);
        let mut fails = Vec::new();
        // Counted per letter, wherever the run is then.
        let accepts = |l: LocationId| self.pairs[l.index()].1.is_some_and(|q| self.automaton.is_accepting(q));
        let counts = |(i, e): &(usize, &mut Edge)| accepts(e.source) && self.guards[*i].is_some();
        for (_, edge) in system.edges.iter_mut().enumerate().filter(counts) {
            let op = std::mem::replace(&mut edge.op, Op::Skip);
            let full = Op::Assume(equal(visits(), limit()));
            let (label, span) = (edge.label.clone(), edge.span);
            fails.push(Edge {
                source: edge.source,
                target: error,
                op: sequence(op.clone(), full),
                label,
                span,
            });
            let more = vec![(Sign::Plus, visits()), (Sign::Plus, int(1))];
            let more = Expr { kind: Kind::Sum(more), ty: Type::Int, span: Span::default() };
            let free = Op::Assume(Expr::compare(Binary::Lt, visits(), limit()));
            edge.op = sequence(sequence(op, free), Op::Assign(count, more));
        }
        system.edges.extend(fails);
        system.index_edges();
        system
    }

    /// A formula about the counting system, with this number for the counter.
    #[must_use]
    pub fn with_count(&self, formula: &Expr, number: u32) -> Expr {
        let mut formula = formula.clone();
        replace(&mut formula, self.counter(), i64::from(number));
        formula
    }
}

fn replace(e: &mut Expr, v: VarId, number: i64) {
    if e.kind == Kind::Var(v) {
        e.kind = Kind::Num(Q::from(number));
        return;
    }
    e.children_mut().into_iter().for_each(|e| replace(e, v, number));
}

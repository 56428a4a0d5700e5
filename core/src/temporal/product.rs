//! The product of a system and an automaton, as a system ("CEGAR-based LTL model checking", section 3.4.2). Its
//! locations are pairs of a location and a state of the automaton, so both are tracked explicitly. Abstract domains,
//! terms and the interpreter apply to products as to any system.
//!
//! In each step the system moves first. Then the atoms are evaluated in the new state, and the automaton reads them.
//! Between two positions of the word the automaton stays. A run of the product is accepting if it visits accepting
//! locations infinitely often.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::buchi::{Automaton, Guard, StateId};
use crate::diagnostic::Span;
use crate::expr::Expr;
use crate::ltl::AtomMeaning;
use crate::net::timed::Semantics;
use crate::system::{Edge, EdgeId, Formalism, Location, LocationId, Op, Role, System, VarId};
use crate::temporal::Requirement;

/// The product.
#[derive(Clone, Debug)]
pub struct Product {
    /// The product as a system, without an error location.
    pub system: Arc<System>,
    /// The Büchi automaton of the negated formula.
    pub automaton: Automaton,
    /// By location of the product: the pair; the location before position 0 has no automaton state.
    pub pairs: Vec<(LocationId, Option<StateId>)>,
    /// By edge of the product: the edge of the system; none for edges that only read the first letter, or repeat the
    /// last state.
    pub edges: Vec<Option<EdgeId>>,
    /// By edge of the product: the guard of the automaton in the target state; none where the automaton stays.
    pub guards: Vec<Option<Expr>>,
    /// By edge of the product: the operation of the system alone, and its label.
    pub own: Vec<(Op, String)>,
    /// By location of the product: is the automaton in an accepting state?
    pub accepting: Vec<bool>,
    /// The semantics of the system, if it is a time net.
    pub time: Option<Semantics>,
    /// The variables of the formula, even if its automaton does not depend on them.
    pub named: BTreeSet<VarId>,
}

struct Building<'a> {
    system: &'a System,
    requirement: &'a Requirement,
    automaton: Automaton,
    number: HashMap<(LocationId, Option<StateId>), LocationId>,
    pairs: Vec<(LocationId, Option<StateId>)>,
    edges: Vec<Edge>,
    taken: Vec<Option<EdgeId>>,
    guards: Vec<Option<Expr>>,
    own: Vec<(Op, String)>,
}

impl Product {
    /// The product with the automaton of the negated property, over the atoms of the requirement.
    ///
    /// # Panics
    /// If acceptance is not by states.
    #[must_use]
    pub fn new(system: &System, requirement: &Requirement, automaton: Automaton) -> Product {
        assert!(automaton.is_plain(), "acceptance is a matter of states");
        let initial = automaton.initial;
        let mut building = Building {
            system,
            requirement,
            automaton,
            number: HashMap::new(),
            pairs: Vec::new(),
            edges: Vec::new(),
            taken: Vec::new(),
            guards: Vec::new(),
            own: Vec::new(),
        };
        let at_once = requirement.starts_at_once(system);
        let start = building.location((system.initial, if at_once { None } else { Some(initial) }));
        let mut at = 0;
        while at < building.pairs.len() {
            building.expand(LocationId::new(at));
            at += 1;
        }
        building.finish(start)
    }

    /// The system with the guards of the automaton removed.
    #[must_use]
    pub fn without_guards(&self) -> System {
        let mut system = (*self.system).clone();
        for (edge, own) in system.edges.iter_mut().zip(&self.own) {
            (edge.op, edge.label) = own.clone();
        }
        system
    }

    /// By location: the variables whose values are read later, or by the automaton on entry.
    #[must_use]
    pub fn read_values(&self) -> Vec<BTreeSet<VarId>> {
        let mut read = self.system.live();
        for (edge, guard) in self.system.edges.iter().zip(&self.guards) {
            read[edge.target.index()].extend(guard.iter().flat_map(Expr::variables));
        }
        read
    }

    /// Is the formula about the time or the clocks of a time net?
    #[must_use]
    pub fn is_about_time(&self, model: &System) -> bool {
        self.named.iter().any(|v| model.is_time(*v))
    }

    /// The text of an automaton state.
    #[must_use]
    pub fn state_name(state: Option<StateId>) -> String {
        state.map_or_else(|| "start".to_owned(), |q| q.to_string())
    }
}

impl Building<'_> {
    fn location(&mut self, pair: (LocationId, Option<StateId>)) -> LocationId {
        let next = LocationId::new(self.pairs.len());
        let id = *self.number.entry(pair).or_insert(next);
        if id == next {
            self.pairs.push(pair);
        }
        id
    }

    /// The edges that leave a location of the product.
    fn expand(&mut self, source: LocationId) {
        let (at, state) = self.pairs[source.index()];
        let Some(state) = state else {
            self.reads(source, None, at, self.automaton.initial);
            return;
        };
        for edge in self.system.out_edges(at) {
            let target = self.system.edge(*edge).target;
            if self.requirement.is_position(self.system, target) {
                self.reads(source, Some(*edge), target, state);
            } else {
                let target = self.location((target, Some(state)));
                self.edge(source, target, Some(*edge), None);
            }
        }
        if self.requirement.stays(self.system, at, &self.automaton, state).is_some() {
            self.reads(source, None, at, state);
        }
    }

    /// Takes an edge, if there is one; the automaton reads the letter of the target location.
    fn reads(&mut self, source: LocationId, edge: Option<EdgeId>, reached: LocationId, state: StateId) {
        for t in self.automaton.out(state).to_vec() {
            let guard = self.guard(t.guard, edge, reached);
            if guard.kind == crate::expr::Kind::Bool(false) {
                continue;
            }
            let target = self.location((reached, Some(t.target)));
            self.edge(source, target, edge, Some(guard));
        }
    }

    fn edge(&mut self, source: LocationId, target: LocationId, edge: Option<EdgeId>, guard: Option<Expr>) {
        self.guards.push(guard.clone());
        let guard = guard.filter(|g| g.kind != crate::expr::Kind::Bool(true));
        let (mut ops, mut label, mut span) = (Vec::new(), Vec::new(), Span::default());
        if let Some(edge) = edge.map(|e| self.system.edge(e)) {
            ops.push(edge.op.clone());
            label.extend(Some(edge.label.clone()).filter(|l| !l.is_empty()));
            span = edge.span;
        } else if let (at, Some(_)) = self.pairs[source.index()] {
            let stays =
                self.requirement.semantics.stays(self.system, at).filter(|e| e.as_constant().is_none());
            label.extend(stays.as_ref().map(|_| "stopped".to_owned()));
            ops.extend(stays.map(Op::Assume));
        }
        ops.retain(|op| *op != Op::Skip);
        self.own.push((ops.first().cloned().unwrap_or(Op::Skip), label.join(" ")));
        if let Some(guard) = guard {
            label.push(format!("⟨{}⟩", self.system.expr_text(&guard)));
            ops.push(Op::Assume(guard));
        }
        let op = match ops.len() {
            0 => Op::Skip,
            1 => ops.remove(0),
            _ => Op::Sequence(ops),
        };
        self.edges.push(Edge { source, target, op, label: label.join(" "), span });
        self.taken.push(edge);
    }

    /// A guard as a condition on the states reached at a location over an edge, or none.
    fn guard(&mut self, guard: Guard, edge: Option<EdgeId>, location: LocationId) -> Expr {
        let mut guard = guard;
        for (i, atom) in self.requirement.atoms.iter().enumerate() {
            if let Some(value) = atom.known(edge, location) {
                let variable = u32::try_from(i).expect("few atoms");
                guard = self.automaton.guards.restrict(guard, variable, value);
            }
        }
        let mut cubes = Vec::new();
        for cube in self.automaton.guards.implicants(guard) {
            let literal = |(v, positive): (u32, bool)| match &self.requirement.atoms[v as usize] {
                AtomMeaning::Condition(e) => {
                    if positive {
                        e.clone()
                    } else {
                        e.clone().negated()
                    }
                }
                _ => unreachable!("it has a value here"),
            };
            cubes.push(Expr::and(cube.into_iter().map(literal).collect()));
        }
        Expr::or(cubes)
    }

    fn finish(self, initial: LocationId) -> Product {
        let model = self.system;
        let name = |(l, q): &(LocationId, Option<StateId>)| {
            format!("{}·{}", model.location(*l).name, Product::state_name(*q))
        };
        let locations = self.pairs.iter().enumerate().map(|(i, pair)| Location {
            name: name(pair),
            role: if i == initial.index() { Role::Initial } else { Role::Plain },
            anonymous: model.location(pair.0).anonymous,
            span: model.location(pair.0).span,
        });
        let locations = locations.collect();
        let mut system =
            System::new(model.name.clone(), model.variables.clone(), locations, self.edges, initial);
        system.formalism = model.formalism;
        system.syntax = model.syntax;
        system.enumerations.clone_from(&model.enumerations);
        system.arrays.clone_from(&model.arrays);
        system.initial_formula = model.initial_formula.clone();
        system.invariant = model.invariant.clone();
        let automaton = self.automaton;
        // If the formula ignores some states, a run may be infinite without reaching a position; so it may if the
        // reaction of a chart to an event does not end.
        let endless = self.requirement.meant.is_some() || model.formalism == Formalism::Chart;
        let read = |l: LocationId| {
            let requirement = self.requirement;
            !endless || requirement.is_position(model, l) || requirement.semantics.stays(model, l).is_some()
        };
        let accepts =
            |(l, q): &(LocationId, Option<StateId>)| q.is_some_and(|q| automaton.is_accepting(q)) && read(*l);
        let accepting = self.pairs.iter().map(accepts).collect();
        let conditions = self.requirement.atoms.iter().filter_map(|atom| match atom {
            AtomMeaning::Condition(e) => Some(e.variables()),
            _ => None,
        });
        Product {
            named: conditions.flatten().collect(),
            system: Arc::new(system),
            time: model.clocks.as_ref().map(|clocks| clocks.semantics),
            automaton,
            pairs: self.pairs,
            edges: self.taken,
            guards: self.guards,
            own: self.own,
            accepting,
        }
    }
}

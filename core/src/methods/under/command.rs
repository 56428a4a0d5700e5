//! The edges of a system as guarded commands over terms (section 3.1): a guard, and a value for each variable that is
//! assigned. Values that are chosen by the environment are *inputs* (section 7.1); so are all new values of a relation.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use solver_lite::smtlib::{Asking, script};
use solver_lite::term::{Node, Sort, Term, Terms, Value};

use crate::encoding::{READABLE, constant, equal};
use crate::expr::to_term;
use crate::kit::{Notes, Question, Sink};
use crate::system::{EdgeId, Literals, LocationId, State, System, VarId};

/// An edge as a guarded command.
#[derive(Clone, Debug)]
pub(super) struct Command {
    pub(super) edge: EdgeId,
    pub(super) target: LocationId,
    /// Over current values and inputs.
    pub(super) guard: Term,
    /// The new values of the variables that are assigned.
    pub(super) values: BTreeMap<VarId, Term>,
    /// The variables that get any value of their type, with the terms of these values.
    pub(super) inputs: Vec<(VarId, Term)>,
}

/// A system as guarded commands.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) terms: Terms,
    /// The current values.
    pub(super) current: Vec<Term>,
    variable_of: HashMap<Term, VarId>,
    /// By location.
    pub(super) commands: Vec<Vec<Command>>,
    /// The variables whose values matter, by location.
    pub(super) live: Vec<BTreeSet<VarId>>,
    /// The program counters, which are never abstracted.
    pub(super) control: BTreeSet<VarId>,
    literals: Literals,
}

impl Model {
    /// The commands of a system.
    pub(super) fn new(system: &System) -> Model {
        let mut terms = Terms::new();
        let mut all = |suffix: &str| -> Vec<Term> {
            let var = |v: &crate::system::Variable| terms.var(&format!("{}{suffix}", v.name), v.ty.sort());
            system.variables.iter().map(var).collect()
        };
        let (current, next) = (all(""), all("?"));
        let mut model = Model {
            variable_of: current.iter().zip(system.var_ids()).map(|(t, v)| (*t, v)).collect(),
            terms,
            current,
            commands: Vec::new(),
            live: live(system),
            control: system.control.clone(),
            literals: system.literals(),
        };
        for location in system.location_ids() {
            let mut here = Vec::new();
            for edge in system.out_edges(location) {
                here.push(model.command(system, *edge, &next));
            }
            model.commands.push(here);
        }
        model
    }

    fn command(&mut self, system: &System, id: EdgeId, next: &[Term]) -> Command {
        let edge = system.edge(id);
        let inputs: Vec<(VarId, Term)> = edge.op.havocs().into_iter().map(|v| (v, next[v.index()])).collect();
        let current = &self.current;
        let effect =
            system.effect(&edge.op, &mut self.terms, &mut |v| current[v.index()], &mut |v| next[v.index()]);
        let after = |v: VarId| effect.values.get(&v).copied().unwrap_or(current[v.index()]);
        let invariant = to_term(&system.invariant, &mut self.terms, &mut |v| after(v));
        let guard = self.terms.and(effect.constraints.into_iter().chain([invariant]));
        Command { edge: id, target: edge.target, guard, values: effect.values, inputs }
    }

    /// The variable of a current value.
    pub(super) fn variable(&self, t: Term) -> Option<VarId> {
        self.variable_of.get(&t).copied()
    }

    /// The variables of a term, ascending.
    pub(super) fn variables(&self, t: Term) -> Vec<VarId> {
        let mut all: Vec<VarId> = self.terms.vars(t).into_iter().filter_map(|x| self.variable(x)).collect();
        all.sort_unstable();
        all
    }

    /// A term after a command.
    pub(super) fn after(&mut self, t: Term, command: &Command) -> Term {
        let of = &self.variable_of;
        self.terms.substitute(t, |_, x| command.values.get(of.get(&x)?).copied())
    }

    /// A term whose program counters have the values of a state.
    pub(super) fn at(&mut self, t: Term, state: &State) -> Term {
        if self.control.is_empty() {
            return t;
        }
        let (of, control) = (&self.variable_of, &self.control);
        self.terms.substitute(t, |terms, x| {
            let v = of.get(&x).filter(|v| control.contains(v))?;
            let sort = terms.sort(x);
            Some(constant(terms, &state[v.index()], sort))
        })
    }

    /// A term whose variables have the values of a state; inputs remain.
    pub(super) fn in_state(&mut self, t: Term, state: &State) -> Term {
        let of = &self.variable_of;
        self.terms.substitute(t, |terms, x| {
            let v = of.get(&x)?;
            let sort = terms.sort(x);
            Some(constant(terms, &state[v.index()], sort))
        })
    }

    /// The truth of a formula without inputs in a state.
    pub(super) fn holds(&self, t: Term, state: &State) -> bool {
        self.terms.eval(t, |x| state[self.variable_of[&x].index()].clone()).bool()
    }

    /// The atoms of a formula: its largest parts that are no connectives, without negation.
    pub(super) fn atoms(&self, t: Term) -> Vec<Term> {
        let (mut found, mut seen, mut open) = (Vec::new(), HashSet::new(), vec![t]);
        while let Some(t) = open.pop() {
            match self.terms.node(t) {
                Node::True | Node::False => {}
                Node::Not(a) => open.push(*a),
                Node::And(all) | Node::Or(all) => open.extend(all.iter().rev()),
                Node::Iff(a, b) => open.extend([*b, *a]),
                Node::Ite(c, a, b) if self.terms.sort(t) == Sort::Bool => open.extend([*b, *a, *c]),
                _ if seen.insert(t) => found.push(t),
                _ => {}
            }
        }
        found
    }

    /// Is it about variables that are no program counters?
    pub(super) fn is_data(&self, atom: Term) -> bool {
        let vars = self.terms.vars(atom);
        let data = |t: &Term| self.variable(*t).is_some_and(|v| !self.control.contains(&v));
        vars.iter().any(data) && vars.iter().all(|t| self.variable(*t).is_some())
    }

    /// The values of a state at a location, as atoms.
    pub(super) fn equalities(&mut self, location: LocationId, state: &State) -> Vec<Term> {
        let data = self.live[location.index()].difference(&self.control);
        let equal = data.map(|v| equal(&mut self.terms, self.current[v.index()], &state[v.index()]));
        let equal: Vec<Term> = equal.collect();
        equal.into_iter().map(|t| self.terms.strip(t).0).collect()
    }

    /// Do literals, in ascending order, give the truth of each atom of a formula?
    pub(super) fn is_decided(&mut self, literals: &[Term], formula: Term) -> bool {
        self.atoms(formula).into_iter().all(|atom| {
            let negated = self.terms.not(atom);
            [atom, negated].iter().any(|t| literals.binary_search(t).is_ok())
        })
    }

    /// The variable and its value, if a formula is `v = value`, `b` or `not b`.
    pub(super) fn given(&self, t: Term) -> Option<(VarId, Value)> {
        match self.terms.node(t) {
            Node::Eq(form, bound) => Some((self.variable(*form)?, Value::Num(bound.clone()))),
            Node::Var(_) => Some((self.variable(t)?, Value::Bool(true))),
            Node::Not(b) => Some((self.variable(*b)?, Value::Bool(false))),
            _ => None,
        }
    }

    /// The conjuncts of a formula.
    pub(super) fn conjuncts(&self, t: Term) -> Vec<Term> {
        match self.terms.node(t) {
            Node::True => Vec::new(),
            Node::And(all) => all.to_vec(),
            _ => vec![t],
        }
    }

    /// Reports a query about the conjunction of formulas.
    pub(super) fn report(&self, what: &str, all: &[Term], sink: &mut Notes) {
        sink.question(|| {
            let all = all.iter().filter(|t| **t != Term::TRUE);
            let all: Vec<(Option<&str>, Term)> = all.map(|t| (None, *t)).collect();
            Question { what: what.to_owned(), script: script(&self.terms, &all, Asking::Check) }
        });
    }

    /// A formula as text for readers.
    pub(super) fn text(&self, t: Term) -> String {
        self.terms.infix_with(t, &|name, q| self.literals.name(name, q)).up_to(READABLE)
    }

    /// A formula as text that can be read back; none if it is too long to be printed completely.
    pub(super) fn whole_text(&self, t: Term) -> Option<String> {
        let text = self.terms.infix_with(t, &|name, q| self.literals.name(name, q)).to_string();
        Some(text).filter(|text| !text.ends_with('…'))
    }
}

/// As [`System::live`]; at an initial location to which no run returns, only variables read before they are written.
fn live(system: &System) -> Vec<BTreeSet<VarId>> {
    let mut live = system.live();
    if !system.returns_to_start() {
        live[system.initial.index()] = system.read_first();
    }
    live
}

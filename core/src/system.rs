//! The common representation of all formalisms: scalar variables, locations, and edges with operations.
//!
//! Engines use only this representation. Invariants (see [`System::validate`]): ids are valid indices; expressions are
//! typed, without arrays, and linear, so that [`to_term`](crate::expr::to_term) cannot fail; variables start with any
//! value of their type that satisfies the initial formula. Formats build a [`Draft`], which [`Draft::finish`] converts.

mod arrays;
mod block;
pub(crate) mod clocks;
mod constants;
mod distance;
mod draft;
pub(crate) mod enabled;
mod enumerate;
mod lifetimes;
mod literals;
mod live;
pub(crate) mod net;
mod op;
pub(crate) mod path;
mod semantics;
mod slice;
#[cfg(test)]
mod tests;
mod validate;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use solver_lite::number::Q;
use solver_lite::term::{Sort, Value};

use crate::chart::reading::Reading;
use crate::data_model::DataModel;
use crate::diagnostic::{Diagnostic, Span};
use crate::edit::pins::Pins;
use crate::expr::ast::Ast;
use crate::expr::{Enumeration, Expr, Lookup, Parser, Scope, Syntax, Type};
use crate::net::timed::Clocks;
use crate::net::{NamedProperty, Net};

pub use crate::id::{EdgeId, LocationId, VarId};
pub use arrays::ArrayCells;
pub use block::{Block, Blocks};
pub use distance::distances;
pub use draft::{Draft, DraftVariable};
pub use enumerate::{Successors, valuations};
pub use lifetimes::Lifetimes;
pub(crate) use literals::Literals;
pub use op::Op;
pub use semantics::{Effect, Relation};
pub use slice::Sliced;

/// The values of all variables, by [`VarId`].
pub type State = Vec<Value>;

/// The type of a variable: its set of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VarType {
    /// Truth values.
    Bool,
    /// All integers.
    Int,
    /// All rational numbers.
    Real,
    /// The integers from `lo` to `hi`.
    Range {
        /// The least value.
        lo: Q,
        /// The greatest value.
        hi: Q,
    },
}

impl VarType {
    /// The sort of terms for this variable.
    #[must_use]
    pub fn sort(&self) -> Sort {
        match self {
            VarType::Bool => Sort::Bool,
            VarType::Int | VarType::Range { .. } => Sort::Int,
            VarType::Real => Sort::Real,
        }
    }

    /// Is this a value of the type?
    #[must_use]
    pub fn contains(&self, value: &Value) -> bool {
        match (self, value) {
            (VarType::Bool, Value::Bool(_)) | (VarType::Real, Value::Num(_)) => true,
            (VarType::Int, Value::Num(q)) => q.is_integer(),
            (VarType::Range { lo, hi }, Value::Num(q)) => q.is_integer() && lo <= q && q <= hi,
            _ => false,
        }
    }

    /// A default value of this type: false, 0, or the least.
    #[must_use]
    pub fn some_value(&self) -> Value {
        match self {
            VarType::Bool => Value::Bool(false),
            VarType::Int | VarType::Real => Value::Num(Q::ZERO),
            VarType::Range { lo, .. } => Value::Num(lo.clone()),
        }
    }

    /// The number of its values, if finite and small enough to be counted.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        match self {
            VarType::Bool => Some(2),
            VarType::Range { lo, hi } => u64::try_from((hi - lo).to_i64()?.checked_add(1)?).ok(),
            VarType::Int | VarType::Real => None,
        }
    }

    /// All of its values, in order; none if they cannot be counted.
    #[must_use]
    pub fn values(&self) -> Vec<Value> {
        match self {
            VarType::Bool => vec![Value::Bool(false), Value::Bool(true)],
            VarType::Range { lo, .. } => {
                let places = (0..self.size().unwrap_or(0)).filter_map(|i| i64::try_from(i).ok());
                places.map(|i| Value::Num(lo + &Q::from(i))).collect()
            }
            VarType::Int | VarType::Real => Vec::new(),
        }
    }

    /// The type of variables that are declared with `ty`; `None` for arrays.
    #[must_use]
    pub fn of(ty: &Type) -> Option<VarType> {
        Some(match ty {
            Type::Bool => VarType::Bool,
            Type::Int => VarType::Int,
            Type::Rat => VarType::Real,
            Type::Bv(n) => VarType::Range { lo: Q::ZERO, hi: &crate::expr::power_of_two(*n) - &Q::ONE },
            Type::Enum(e) => VarType::Range { lo: Q::ZERO, hi: e.last() },
            Type::Array(..) => return None,
        })
    }
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name; cells of arrays are called `a[0]` and `a[*]`.
    pub name: String,
    /// Its type.
    pub ty: VarType,
    /// Its type in expressions.
    pub declared: Type,
    /// Where it is declared.
    pub span: Span,
    /// The range in which the source language defines the value, if values can leave it here: such a run is not a run
    /// of the source.
    pub promised: Option<(Q, Q)>,
}

/// The formalism of a model: what locations and edges stand for, and so what a step of a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Formalism {
    /// A control flow automaton, whose steps are the edges or their statements. Programs and circuits are automata.
    #[default]
    Automaton,
    /// A symbolic transition system: a step is a transition between its states.
    Symbolic,
    /// An extended symbolic transition system: a step is one of the [`Actions`].
    Extended,
    /// A Petri net: a step is the firing of a transition.
    Net,
    /// Guarded commands: a step is the execution of a command.
    Commands,
    /// A statechart: a step is the reaction to an event of the environment.
    Chart,
}

/// The locations before the three actions of an extended symbolic transition system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Actions {
    /// Before `init`.
    pub init: LocationId,
    /// Before `env`.
    pub env: LocationId,
    /// Before `trans`.
    pub trans: LocationId,
}

/// The role of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Role {
    /// An ordinary location.
    Plain,
    /// The initial location.
    Initial,
    /// The program terminates here.
    Final,
    /// The error location.
    Error,
}

/// A control location.
#[derive(Clone, Debug, PartialEq)]
pub struct Location {
    /// Its name; unique.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// Is it between two statements of an edge of the source?
    pub anonymous: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A control edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The source.
    pub source: LocationId,
    /// The target.
    pub target: LocationId,
    /// The operation.
    pub op: Op,
    /// The operation as written (arrays are not split there); empty for [`Op::Skip`].
    pub label: String,
    /// Where it is written.
    pub span: Span,
}

/// Properties of a circuit that restrict which questions are supported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Circuit {
    /// The number of latches, which are the first variables; the others are inputs and gates, whose values exist during
    /// steps only.
    pub latches: usize,
    /// Do constraints exclude target states of edges?
    pub has_constraints: bool,
    /// Are there fairness constraints?
    pub has_fairness: bool,
    /// Are there justice properties, and no bad-state properties?
    pub asks_justice: bool,
}

/// A transition system with control locations.
#[derive(Clone, Debug)]
pub struct System {
    /// The name of the model.
    pub name: String,
    /// The formalism of the model.
    pub formalism: Formalism,
    /// The syntax of formulas over it, which its format sets.
    pub syntax: Syntax,
    /// The places of actions, if the formalism has them; a product with an automaton has none.
    pub actions: Option<Actions>,
    /// The property contained in the model, with its name.
    pub embedded: Option<(String, Expr)>,
    /// The properties that the text states, by name.
    pub stated: Vec<NamedProperty>,
    /// The variables that are declared as program counters.
    pub control: BTreeSet<VarId>,
    /// The predicates that the text gives to methods.
    pub predicates: Vec<Expr>,
    /// The types that the model declares.
    pub enumerations: Vec<Arc<Enumeration>>,
    /// The variables.
    pub variables: Vec<Variable>,
    /// The arrays that have been split into variables.
    pub arrays: Vec<ArrayCells>,
    /// The locations.
    pub locations: Vec<Location>,
    /// The edges, in the order of the source.
    pub edges: Vec<Edge>,
    /// The places of locations that a person chose, by their names.
    pub pins: Arc<Pins>,
    /// The initial location.
    pub initial: LocationId,
    /// The error location, if there is one.
    pub error: Option<LocationId>,
    /// A constraint on the values at the start.
    pub initial_formula: Expr,
    /// A constraint on the values in every state (not the property).
    pub invariant: Expr,
    /// The sizes of types, if this is a program in C.
    pub data_model: Option<DataModel>,
    /// The scopes of variables; none if all variables always exist.
    pub lifetimes: Option<Arc<Lifetimes>>,
    /// The source text, if [`Statements`](crate::statements::Statements) can be parsed from it again.
    pub source: Option<Arc<str>>,
    /// Were variables in edges replaced by their known values?
    pub has_known_values: bool,
    /// Restrictions on properties, if this is a circuit.
    pub circuit: Option<Circuit>,
    /// The net, if this is a Petri net: its places are the variables, and its transitions the edges.
    pub net: Option<Arc<Net>>,
    /// Its clocks, if it is a time net.
    pub clocks: Option<Arc<Clocks>>,
    /// The chart, if this is a statechart.
    pub chart: Option<Arc<Reading>>,
    /// Where executions of the chart end that cannot continue, if there can be some.
    pub fault: Option<LocationId>,
    outgoing: Vec<Vec<EdgeId>>,
    names: HashMap<String, VarId>,
}

impl System {
    /// A system without constraints on its values; the error location is the first one with that role.
    #[must_use]
    pub fn new(
        name: String,
        variables: Vec<Variable>,
        locations: Vec<Location>,
        edges: Vec<Edge>,
        initial: LocationId,
    ) -> System {
        let error = locations.iter().position(|l| l.role == Role::Error).map(LocationId::new);
        let names = variables.iter().enumerate().map(|(i, v)| (v.name.clone(), VarId::new(i))).collect();
        let mut system = System {
            name,
            formalism: Formalism::default(),
            syntax: Syntax::default(),
            actions: None,
            embedded: None,
            stated: Vec::new(),
            control: BTreeSet::new(),
            predicates: Vec::new(),
            enumerations: Vec::new(),
            variables,
            arrays: Vec::new(),
            locations,
            edges,
            pins: Arc::default(),
            initial,
            error,
            initial_formula: Expr::bool(true),
            invariant: Expr::bool(true),
            data_model: None,
            lifetimes: None,
            source: None,
            has_known_values: false,
            circuit: None,
            net: None,
            clocks: None,
            chart: None,
            fault: None,
            outgoing: Vec::new(),
            names,
        };
        system.index_edges();
        system
    }

    /// Updates derived data after a change of locations or edges.
    pub fn index_edges(&mut self) {
        self.outgoing = vec![Vec::new(); self.locations.len()];
        for (i, edge) in self.edges.iter().enumerate() {
            self.outgoing[edge.source.index()].push(EdgeId::new(i));
        }
    }

    /// Disconnects edges from their sources; they remain in the list.
    fn leave_out(&mut self, edges: &[EdgeId]) {
        let edges: BTreeSet<EdgeId> = edges.iter().copied().collect();
        for list in &mut self.outgoing {
            list.retain(|e| !edges.contains(e));
        }
    }

    /// Is the initial location the target of an edge?
    #[must_use]
    pub fn returns_to_start(&self) -> bool {
        self.outgoing.iter().flatten().any(|e| self.edge(*e).target == self.initial)
    }

    /// The edges that leave `location`, in order.
    #[must_use]
    pub fn out_edges(&self, location: LocationId) -> &[EdgeId] {
        &self.outgoing[location.index()]
    }

    /// An edge.
    #[must_use]
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// A location.
    #[must_use]
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.index()]
    }

    /// A variable.
    #[must_use]
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.index()]
    }

    /// All variables, in order.
    pub fn var_ids(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.variables.len()).map(VarId::new)
    }

    /// All locations, in order.
    pub fn location_ids(&self) -> impl Iterator<Item = LocationId> + use<> {
        (0..self.locations.len()).map(LocationId::new)
    }

    /// All edges, in order.
    pub fn edge_ids(&self) -> impl Iterator<Item = EdgeId> + use<> {
        (0..self.edges.len()).map(EdgeId::new)
    }

    /// The location of that name.
    #[must_use]
    pub fn find_location(&self, name: &str) -> Option<LocationId> {
        self.locations.iter().position(|l| l.name == name).map(LocationId::new)
    }

    /// The variable (or cell, as `a[0]`) of that name.
    #[must_use]
    pub fn find_variable(&self, name: &str) -> Option<VarId> {
        self.names.get(name).copied()
    }

    /// Do the words of its runs begin with the initial state, whatever is asked?
    #[must_use]
    pub fn begins_with_states(&self) -> bool {
        use Formalism::{Chart, Commands, Net, Symbolic};
        matches!(self.formalism, Symbolic | Net | Commands | Chart)
    }

    /// Do steps of this formalism have the names of actions?
    #[must_use]
    pub fn has_actions(&self) -> bool {
        self.formalism == Formalism::Extended
    }

    /// For formalisms with actions: the name of the action that ends with an edge (given by its index; none for the
    /// start of a run), or `Some(None)` where the state after it is not observable.
    #[must_use]
    pub fn action_before(&self, edge: Option<usize>) -> Option<Option<&'static str>> {
        if !self.has_actions() {
            return None;
        }
        let Some(edge) = edge else { return Some(Some("initial values")) };
        let edge = self.edges.get(edge)?;
        let Some(actions) = self.actions else { return Some(None) };
        Some(match edge.target {
            env if env == actions.env && self.follows(actions.init, edge.source) => Some("init"),
            env if env == actions.env => Some("trans"),
            trans if trans == actions.trans => Some("env"),
            _ => None,
        })
    }

    /// Is a location inside of the action that begins at `start`, or at its start?
    fn follows(&self, start: LocationId, location: LocationId) -> bool {
        let (mut open, mut seen) = (vec![start], BTreeSet::new());
        while let Some(l) = open.pop() {
            if l == location {
                return true;
            }
            if seen.insert(l) {
                let targets = self.out_edges(l).iter().map(|e| self.edge(*e).target);
                open.extend(targets.filter(|t| self.location(*t).anonymous));
            }
        }
        false
    }

    /// A parser of formulas over the system, in the syntax of the model's language.
    #[must_use]
    pub fn parser<'a>(&self, text: &'a str) -> Parser<'a> {
        Parser::new(text, self.syntax)
    }

    /// Does the model have values that its language writes as `1%2`?
    #[must_use]
    pub fn has_fractions(&self) -> bool {
        let rational = |v: &Variable| v.declared == Type::Rat;
        self.formalism != Formalism::Extended && self.variables.iter().any(rational)
    }

    /// The diagnostic for a quotient in a condition where there are fractions: `1/2` in it would be 0.
    #[must_use]
    pub fn refused_quotient(&self, ast: &Ast) -> Option<Diagnostic> {
        let span = ast.rounded_quotient().filter(|_| self.has_fractions())?;
        let message = "a quotient of integers is rounded: write its value, or a fraction with '%', as in 1%2";
        Some(Diagnostic::error(span, message))
    }

    /// Are all values in the range defined by the source language?
    #[must_use]
    pub fn keeps_promises(&self, state: &State) -> bool {
        self.variables.iter().zip(state).all(|(v, value)| match (&v.promised, value) {
            (Some((lo, hi)), Value::Num(q)) => lo <= q && q <= hi,
            _ => true,
        })
    }

    /// The text of an expression over this system's variables.
    #[must_use]
    pub fn expr_text(&self, expr: &Expr) -> String {
        expr.text(&|v| self.variable(v).name.clone())
    }

    /// The text of an operation, as in [`Edge::label`].
    #[must_use]
    pub fn op_text(&self, op: &Op) -> String {
        op.text(&|v| self.variable(v).name.clone())
    }
}

/// Arrays are found under ids past the variables; [`System::without_arrays`] replaces them by their cells.
impl Scope for System {
    fn lookup(&self, name: &str) -> Result<(VarId, Type), Lookup> {
        if let Some(v) = self.find_variable(name) {
            return Ok((v, self.variable(v).declared.clone()));
        }
        if let Some(v) = self.net_place(name) {
            return Ok((v, Type::Int));
        }
        let k = self.arrays.iter().position(|a| a.name == name).ok_or(Lookup::Unknown)?;
        Ok((VarId::new(self.variables.len() + k), self.arrays[k].ty()))
    }

    fn named_type(&self, name: &str) -> Option<Type> {
        self.enumerations().into_iter().find(|e| e.name == name).map(Type::Enum)
    }

    fn enumerations(&self) -> Vec<Arc<Enumeration>> {
        self.enumerations.clone()
    }

    fn condition(&self, name: &str, arguments: &[&str]) -> Option<Result<Expr, String>> {
        match &self.chart {
            Some(chart) => chart.condition(name, arguments),
            None => self.net_condition(name, arguments),
        }
    }
}

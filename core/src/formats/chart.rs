//! What the formats of statecharts share: from the states as written, with names and untyped expressions, to a chart.

mod data;
mod events;
mod states;
mod transitions;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::chart::lower::lower;
use crate::chart::{Chart, StateId, StateKind, Variable};
use crate::diagnostic::{Diagnostic, Span};
use crate::edit::pins::Pins;
use crate::expr::ast::Ast;
use crate::expr::{Enumeration, Expr, Lookup, Scope, Type, VarId, check_as};
use crate::formats::{Name, mistakes, tidy};
use crate::net::NamedProperty;
use crate::system::System;

/// A chart as written. Its states are in document order, and the first one is the chart.
#[derive(Default)]
pub(super) struct Written {
    pub(super) states: Vec<WrittenState>,
    pub(super) variables: Vec<WrittenVariable>,
    pub(super) events: Vec<WrittenEvent>,
    /// The number of places for raised events, if it is given.
    pub(super) capacity: Option<usize>,
    pub(super) properties: Vec<NamedProperty>,
    pub(super) pins: Pins,
    /// The entries of the layout: the names, and the places of the entries.
    pub(super) positions: Vec<(Name, Span)>,
    /// The layouts.
    pub(super) layouts: Vec<Span>,
    /// The closing brace of the chart.
    pub(super) close: Span,
    /// Are names of states unique in the whole chart?
    pub(super) flat_names: bool,
    /// Is an event also meant by a name with fewer parts, as `a` for `a.b`?
    pub(super) prefixes: bool,
    /// The components of a system: their states, and what the names of their variables begin with.
    pub(super) scopes: Vec<(Range<usize>, String)>,
}

impl Written {
    /// The component of a state: its region, and what the names of its variables begin with; of a single chart, all.
    fn scope_of(&self, at: StateId) -> (StateId, &str) {
        let found = self.scopes.iter().find(|(states, _)| states.contains(&at.index()));
        found.map_or((Chart::ROOT, ""), |(states, prefix)| (StateId::new(states.start), prefix))
    }

    /// Adds a state, without what is in it: its index.
    pub(super) fn add(&mut self, name: Name, kind: StateKind, parent: Option<usize>) -> usize {
        self.states.push(WrittenState {
            name,
            label: None,
            folded: None,
            kind,
            parent,
            initial: None,
            entry: Vec::new(),
            exit: Vec::new(),
            transitions: Vec::new(),
        });
        self.states.len() - 1
    }
}

/// A state as written.
pub(super) struct WrittenState {
    pub(super) name: Name,
    /// The last part of its name, if that is not the name.
    pub(super) label: Option<String>,
    /// Where it is said that it is drawn without what is in it.
    pub(super) folded: Option<Span>,
    pub(super) kind: StateKind,
    pub(super) parent: Option<usize>,
    /// Targets and actions of the initial transition, or of a history's default; none if it is not given.
    pub(super) initial: Option<(Vec<Name>, Vec<WrittenAction>)>,
    pub(super) entry: Vec<WrittenAction>,
    pub(super) exit: Vec<WrittenAction>,
    pub(super) transitions: Vec<WrittenTransition>,
}

/// A transition as written.
#[derive(Default)]
pub(super) struct WrittenTransition {
    /// The events that it waits for; `None` for a completion transition.
    pub(super) events: Option<Vec<Name>>,
    /// The time that its source must have been active.
    pub(super) after: Option<(u32, Span)>,
    pub(super) guard: Option<Ast>,
    pub(super) targets: Vec<Name>,
    pub(super) internal: bool,
    pub(super) actions: Vec<WrittenAction>,
    pub(super) span: Span,
}

/// An action as written.
#[derive(Clone)]
pub(super) enum WrittenAction {
    Assign(Name, Ast),
    Raise(Name),
    Send(Name),
    If(Vec<(Ast, Vec<WrittenAction>)>, Vec<WrittenAction>),
}

/// A variable as written.
pub(super) struct WrittenVariable {
    pub(super) name: Name,
    /// Its type; that of its value if there is none.
    pub(super) ty: Option<WrittenType>,
    pub(super) value: Option<Ast>,
}

/// A type as written.
#[derive(Clone)]
pub(super) enum WrittenType {
    Bool,
    Int,
    /// `0..5`
    Range(Ast, Ast),
    /// `{a, b}`
    Values(Vec<Name>),
}

/// A declaration of an event.
pub(super) struct WrittenEvent {
    pub(super) name: Name,
    /// Does the environment send it? If it is not declared, it does if the chart does not raise it.
    pub(super) external: bool,
    pub(super) parameters: Vec<(Name, WrittenType)>,
}

/// What the name of a variable of a system begins with in an expression of a component.
pub(super) const SYSTEM: char = '\0';

/// How many raised events can wait if nothing else is written.
pub(super) const CAPACITY: usize = 8;

/// The chart of a text with these errors so far.
///
/// # Errors
/// All errors and unsupported constructs, in textual order.
pub(super) fn build(written: &Written, out: Vec<Diagnostic>) -> Result<Chart, Vec<Diagnostic>> {
    let (chart, scopes) = (Chart::default(), Scopes::default());
    let mut builder = Builder { written, chart, out, scopes, at: Chart::ROOT };
    builder.states();
    builder.variables();
    builder.events();
    builder.declare_clocks();
    if builder.out.is_empty() {
        builder.contents();
    }
    if builder.out.is_empty() { Ok(builder.chart) } else { Err(tidy(builder.out)) }
}

/// The system of a chart with this text.
///
/// # Errors
/// What is not supported, and errors in the properties of the text.
pub(super) fn system(chart: Chart, text: &str) -> Result<System, Vec<Diagnostic>> {
    let mut system = lower(chart).map_err(tidy)?;
    system.source = Some(text.into());
    let mistakes = mistakes(&system);
    if mistakes.is_empty() { Ok(system) } else { Err(tidy(mistakes)) }
}

/// The type of a variable as `.sc` writes it, where `name` writes values.
pub(super) fn type_text(variable: &Variable, name: &dyn Fn(&str) -> String) -> String {
    match (&variable.range, &variable.ty) {
        (Some((least, greatest)), _) => format!("{least}..{greatest}"),
        (None, Type::Enum(values)) => {
            let values: Vec<String> = values.literals.iter().map(|v| name(v)).collect();
            format!("{{{}}}", values.join(", "))
        }
        (None, ty) => ty.to_string(),
    }
}

/// What expressions can name.
#[derive(Default)]
struct Scopes {
    names: HashMap<String, (VarId, Type)>,
    /// The clock of each state with transitions after some time.
    clocks: HashMap<StateId, VarId>,
}

struct Builder<'a> {
    written: &'a Written,
    chart: Chart,
    out: Vec<Diagnostic>,
    scopes: Scopes,
    /// The state whose contents are read.
    at: StateId,
}

/// The names that an expression in a chart can use.
struct Here<'a> {
    chart: &'a Chart,
    names: &'a HashMap<String, (VarId, Type)>,
    /// The component of a system that it belongs to: its state, and what the names of its variables begin with.
    scope: (StateId, &'a str),
    /// The state where it stands.
    at: StateId,
}

impl Scope for Here<'_> {
    fn lookup(&self, name: &str) -> Result<(VarId, Type), Lookup> {
        let own = format!("{}{name}", self.scope.1);
        let found = self.names.get(name.strip_prefix(SYSTEM).unwrap_or(&own));
        found.cloned().ok_or(Lookup::Unknown)
    }

    fn enumerations(&self) -> Vec<Arc<Enumeration>> {
        self.chart.enumerations.clone()
    }

    fn condition(&self, name: &str, arguments: &[&str]) -> Option<Result<Expr, String>> {
        match (name, arguments) {
            ("in" | "In", [state]) => {
                let found = self.chart.state_at((self.scope.0, self.at), state.trim_matches(['"', '\'']));
                Some(found.map(|s| Expr::var(self.chart.active(s), Type::Bool)))
            }
            ("in" | "In", _) => Some(Err(format!("'{name}' has one state as its argument"))),
            _ => None,
        }
    }
}

impl Builder<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.out.push(Diagnostic::error(span, message));
    }

    fn expression(&mut self, e: &Ast, ty: &Type) -> Option<Expr> {
        let here = Here {
            chart: &self.chart,
            names: &self.scopes.names,
            scope: self.written.scope_of(self.at),
            at: self.at,
        };
        check_as(e, ty, &here, &mut self.out)
    }
}

//! Variables, parameters of events, and clocks.

use std::collections::{BTreeSet, HashMap};

use solver_lite::number::Q;
use solver_lite::term::Value;

use super::{Builder, Here, WrittenType};
use crate::chart::{Action, Chart, StateId, Variable};
use crate::diagnostic::Diagnostic;
use crate::expr::ast::Ast;
use crate::expr::{Expr, Type, VarId, check, check_as};
use crate::formats::Name;
use crate::formats::family::enumeration;

impl Builder<'_> {
    pub(super) fn variables(&mut self) {
        for variable in &self.written.variables {
            self.variable(
                &variable.name,
                &variable.name.text,
                variable.ty.as_ref(),
                variable.value.as_ref(),
                true,
            );
        }
    }

    /// Declares a variable, or (if it has no value of its own) a parameter.
    pub(super) fn variable(
        &mut self,
        name: &Name,
        full: &str,
        ty: Option<&WrittenType>,
        value: Option<&Ast>,
        initialized: bool,
    ) -> Option<VarId> {
        if self.scopes.names.contains_key(full) {
            self.error(name.span, format!("'{full}' is declared twice"));
            return None;
        }
        let (ty, range) = match ty {
            Some(ty) => self.ty(ty)?,
            None => {
                let here = Here {
                    chart: &self.chart,
                    names: &HashMap::new(),
                    scope: (Chart::ROOT, ""),
                    at: Chart::ROOT,
                };
                let value = value.or_else(|| {
                    self.out.push(Diagnostic::error(
                        name.span,
                        format!("'{full}' has neither a type nor a value"),
                    ));
                    None
                })?;
                (check(value, &here, &mut self.out)?.ty, None)
            }
        };
        let initial = match value {
            Some(value) => {
                let here = Here {
                    chart: &self.chart,
                    names: &HashMap::new(),
                    scope: (Chart::ROOT, ""),
                    at: Chart::ROOT,
                };
                Some(check_as(value, &ty, &here, &mut self.out)?)
            }
            None => None,
        };
        let span = name.span;
        let mut variable = Variable { name: full.to_owned(), ty: ty.clone(), range, initial, span };
        match variable.initial.as_ref().map(|e| (e.span, e.as_constant())) {
            Some((at, Some(value))) if !variable.contains(&value) => {
                self.error(at, format!("this is not in the range of '{full}'"));
            }
            Some((at, None)) => self.error(at, "an initial value does not depend on states or variables"),
            None if initialized => variable.initial = Some(Expr::constant(variable.least(), ty.clone())),
            _ => {}
        }
        let id = VarId::new(self.chart.variables.len());
        self.scopes.names.insert(full.to_owned(), (id, ty));
        self.chart.variables.push(variable);
        Some(id)
    }

    pub(super) fn ty(&mut self, ty: &WrittenType) -> Option<(Type, Option<(Q, Q)>)> {
        match ty {
            WrittenType::Bool => Some((Type::Bool, None)),
            WrittenType::Int => Some((Type::Int, None)),
            WrittenType::Range(first, last) => {
                let (least, greatest) = (self.number(first)?, self.number(last)?);
                if greatest < least {
                    self.error(first.span.to(last.span), "there is no number in this range");
                    return None;
                }
                Some((Type::Int, Some((least, greatest))))
            }
            WrittenType::Values(values) => {
                let shared = enumeration(values, &mut self.chart.enumerations, &mut self.out);
                Some((Type::Enum(shared), None))
            }
        }
    }

    pub(super) fn number(&mut self, e: &Ast) -> Option<Q> {
        let here =
            Here { chart: &self.chart, names: &HashMap::new(), scope: (Chart::ROOT, ""), at: Chart::ROOT };
        let value = check_as(e, &Type::Int, &here, &mut self.out)?.as_constant();
        match value {
            Some(Value::Num(q)) => Some(q),
            _ => {
                self.error(e.span, "this is not the value of a number");
                None
            }
        }
    }

    /// The clock of each state with transitions after some time, which counts up to the latest time. All variables are
    /// declared before expressions are read, since the activities of states are numbered after them.
    pub(super) fn declare_clocks(&mut self) {
        for (i, state) in self.written.states.iter().enumerate().skip(1) {
            let Some((time, span)) =
                state.transitions.iter().filter_map(|t| t.after).max_by_key(|(time, _)| *time)
            else {
                continue;
            };
            if self.chart.events.iter().any(|e| e.name == Chart::TICK && !e.external) {
                self.error(
                    span,
                    "the environment sends no 'tick', which 'after' waits for: it is declared as internal",
                );
                return;
            }
            let id = VarId::new(self.chart.variables.len());
            let name = format!("{}.time", self.chart.states[i].name);
            let (span, initial) = (self.chart.states[i].span, Some(Expr::num(Q::ZERO, Type::Int)));
            let range = Some((Q::ZERO, Q::from(i64::from(time))));
            self.chart.variables.push(Variable { name, ty: Type::Int, range, initial, span });
            self.scopes.clocks.insert(StateId::new(i), id);
        }
    }

    /// Clocks begin at 0 on entry, and are 0 outside of their states.
    pub(super) fn clocks(&mut self) {
        let clocks: BTreeSet<(StateId, VarId)> = self.scopes.clocks.iter().map(|(s, v)| (*s, *v)).collect();
        for (s, v) in &clocks {
            let state = &mut self.chart.states[s.index()];
            let reset = Action::Assign(*v, Expr::num(Q::ZERO, Type::Int), state.span);
            state.entry.insert(0, reset.clone());
            state.exit.push(reset);
        }
        self.chart.clocks = clocks.into_iter().collect();
    }
}

//! A system before lowering: typed, but with whole arrays, and possibly nonlinear.

use std::collections::BTreeSet;

use solver_lite::number::Q;
use solver_lite::term::{Term, Terms};

use crate::diagnostic::{Diagnostic, Severity, Span, limits};
use crate::expr::{Expr, Kind, Type, VarId, try_lower};
use crate::system::arrays::Layout;
use crate::system::{Edge, Location, LocationId, Op, System, VarType, Variable, constants};

/// A declared variable of any type.
#[derive(Clone, Debug)]
pub struct DraftVariable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Where it is declared.
    pub span: Span,
    /// As in [`Variable::promised`].
    pub promised: Option<(Q, Q)>,
}

/// The result of a format's resolver; [`VarId`]s index the declared variables.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The name of the model.
    pub name: String,
    /// The declared variables.
    pub variables: Vec<DraftVariable>,
    /// The locations.
    pub locations: Vec<Location>,
    /// The edges; [`Draft::finish`] fills in empty labels.
    pub edges: Vec<Edge>,
    /// The initial location.
    pub initial: LocationId,
    /// As in [`System::invariant`].
    pub invariant: Expr,
    /// The property, if known: its array accesses contribute cells.
    pub asked: Vec<Expr>,
    /// As in [`System::embedded`].
    pub embedded: Option<(String, Expr)>,
}

/// A rejected construct with its edge.
type Refusal = (Option<usize>, Diagnostic);

impl Draft {
    /// The system: arrays are split into cells, every expression is linear.
    ///
    /// # Errors
    /// All unsupported constructs, by name and place.
    pub fn finish(mut self) -> Result<System, Vec<Diagnostic>> {
        let names: Vec<String> = self.variables.iter().map(|v| v.name.clone()).collect();
        for edge in self.edges.iter_mut().filter(|e| e.label.is_empty()) {
            edge.label = edge.op.text(&|v| names[v.index()].clone());
        }
        let mut facts = None;
        let mut improved = BTreeSet::new();
        loop {
            let refused = match self.lower() {
                Ok(mut system) => {
                    system.has_known_values = !improved.is_empty();
                    return Ok(system);
                }
                Err(refused) => refused,
            };
            let all_unsupported = refused.iter().all(|(_, d)| d.severity == Severity::Unsupported);
            let edges: BTreeSet<usize> = refused.iter().filter_map(|(edge, _)| *edge).collect();
            // Every round except the last visits a new edge.
            if !all_unsupported || edges.is_subset(&improved) {
                return Err(refused.into_iter().map(|(_, d)| d).collect());
            }
            let facts = facts.get_or_insert_with(|| constants::analyse(&self));
            for &i in edges.difference(&improved) {
                let edge = &mut self.edges[i];
                match &facts[edge.source.index()] {
                    Some(facts) => constants::substitute(&mut edge.op, facts),
                    // Unreachable, so the operation of the edge has no effect on runs.
                    None => edge.op = Op::Assume(Expr::bool(false)),
                }
            }
            improved.extend(edges);
        }
    }

    fn lower(&self) -> Result<System, Vec<Refusal>> {
        let layout = Layout::of(self)?;
        let mut refused = Vec::new();
        let mut edges = Vec::with_capacity(self.edges.len());
        let formulas = [Some(&self.invariant), self.embedded.as_ref().map(|(_, e)| e)];
        let formulas = formulas.map(|e| e.map(|e| layout.scalar(e)));
        for (i, edge) in self.edges.iter().enumerate() {
            match layout.op(&edge.op) {
                Ok(op) => edges.push(Edge { op, ..edge.clone() }),
                Err(d) => refused.push((Some(i), d)),
            }
        }
        let variables = layout.variables(&self.variables);
        let mut check = Linearity::new(&variables);
        for (i, edge) in edges.iter().enumerate().filter(|_| refused.is_empty()) {
            edge.op.exprs(&mut |e| check.expr(Some(i), e));
        }
        let formulas = formulas.map(|e| match e? {
            Ok(e) => {
                check.expr(None, &e);
                Some(e)
            }
            Err(d) => {
                refused.push((None, d));
                None
            }
        });
        refused.append(&mut check.refused);
        if !refused.is_empty() {
            return Err(refused);
        }
        let values = variables.len().saturating_mul(self.locations.len());
        if values > limits::VALUES {
            let message = format!(
                "the model has {} variables and {} locations, which makes more than {} values in a run that visits all",
                variables.len(),
                self.locations.len(),
                limits::VALUES
            );
            return Err(vec![(None, Diagnostic::unsupported(Span::default(), message))]);
        }
        let (name, locations) = (self.name.clone(), self.locations.clone());
        let mut system = System::new(name, variables, locations, edges, self.initial);
        system.arrays = layout.into_arrays();
        let [invariant, embedded] = formulas;
        system.invariant = invariant.unwrap_or_else(|| Expr::bool(true));
        system.embedded = self.embedded.as_ref().map(|(name, _)| name.clone()).zip(embedded);
        Ok(system)
    }
}

/// Lowers expressions, and records rejected constructs.
struct Linearity {
    terms: Terms,
    vars: Vec<Term>,
    refused: Vec<Refusal>,
}

impl Linearity {
    fn new(variables: &[Variable]) -> Linearity {
        let mut terms = Terms::new();
        let next = variables.iter().map(|v| (format!("{}'", v.name), v.ty.sort()));
        let all: Vec<_> = variables.iter().map(|v| (v.name.clone(), v.ty.sort())).chain(next).collect();
        let vars = all.iter().map(|(name, sort)| terms.var(name, *sort)).collect();
        Linearity { terms, vars, refused: Vec::new() }
    }

    fn expr(&mut self, edge: Option<usize>, e: &Expr) {
        let vars = &self.vars;
        if let Err(d) = try_lower(e, &mut self.terms, &mut |v: VarId| vars[v.index()]) {
            self.refused.push((edge, d));
        }
    }
}

impl System {
    /// Is `e` (over this system's variables, arrays included) supported by engines?
    ///
    /// # Errors
    /// The unsupported construct, by name and place.
    pub fn without_arrays(&self, e: &Expr) -> Result<Expr, Diagnostic> {
        // Cells are determined by the accesses of the model, which a comparison in a property may exceed.
        let mut compared = None;
        e.visit(&mut |e| match &e.kind {
            Kind::Binary(_, ab) if ab[0].ty.is_array() => compared = Some(e.span),
            _ => {}
        });
        if let Some(span) = compared {
            return Err(Diagnostic::unsupported(span, "comparing arrays in a property is not supported"));
        }
        let scalar = Layout::of_system(self).scalar(e)?;
        let mut check = Linearity::new(&self.variables);
        check.expr(None, &scalar);
        match check.refused.pop() {
            Some((_, d)) => Err(d),
            None => Ok(scalar),
        }
    }
}

impl DraftVariable {
    /// The variable itself, unless it is an array.
    pub(super) fn variable(&self) -> Option<Variable> {
        Some(Variable {
            name: self.name.clone(),
            ty: VarType::of(&self.ty)?,
            declared: self.ty.clone(),
            span: self.span,
            promised: self.promised.clone(),
        })
    }
}

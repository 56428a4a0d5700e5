//! Splitting of arrays into cells.
//!
//! Arrays that are related by assignment or comparison form a group and have the same cells: all indices if the index
//! type is small, otherwise the constant indices used anywhere in the group, plus one cell *elsewhere* for all other
//! indices. The encoding is exact: no read accesses *elsewhere*, and it is compared only if the element type has
//! infinitely many values, so that every combination of equal and different remainders is represented by numbers.

mod groups;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use solver_lite::number::Q;
use solver_lite::term::Value;

use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Binary, BvCompare, Expr, Kind, Type, Unary, VarId};
use crate::system::{Draft, DraftVariable, Op, System, VarType, Variable};

/// The largest width of an index type with a cell for every index.
const SMALL: u32 = 6;
/// The limit on nodes created or visited by splitting one operation.
const NODES: usize = 500_000;

/// An array and its cells.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayCells {
    /// The name of the array.
    pub name: String,
    /// The type of its indices.
    pub index: Type,
    /// The type of its elements.
    pub element: Type,
    /// The cells, ascending by index.
    pub cells: Vec<(Value, VarId)>,
    /// The cell for all other indices, if there are any.
    pub elsewhere: Option<VarId>,
    /// Where it is declared.
    pub span: Span,
}

impl ArrayCells {
    /// The type of the array.
    #[must_use]
    pub fn ty(&self) -> Type {
        Type::Array(Box::new(self.index.clone()), Box::new(self.element.clone()))
    }
}

/// The cells of a declared variable.
#[derive(Clone, Debug)]
enum Place {
    Scalar(VarId),
    Cells(ArrayCells),
}

/// The cells of all declared variables.
pub(super) struct Layout {
    /// By declared variable, and once more for next values in relations.
    places: Vec<Place>,
    /// The number of variables of the system.
    scalars: usize,
    has_arrays: bool,
    /// The remaining budget of [`NODES`] for the current operation.
    budget: Cell<usize>,
}

/// The element to access.
#[derive(Clone)]
enum At<'a> {
    Index(&'a Expr),
    Elsewhere,
}

/// All values of a small type, ascending.
fn small_domain(ty: &Type) -> Option<Vec<Value>> {
    match ty {
        Type::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Type::Bv(n) if *n <= SMALL => Some((0..1i64 << n).map(|i| Value::Num(Q::from(i))).collect()),
        Type::Enum(e) if e.literals.len() <= 1 << SMALL => {
            Some(e.literals.iter().filter_map(|l| e.number(l)).map(Value::Num).collect())
        }
        _ => None,
    }
}

fn unsupported<T>(span: Span, message: &str) -> Result<T, Diagnostic> {
    Err(Diagnostic::unsupported(span, message))
}

impl Layout {
    /// Computes the groups and their cells.
    ///
    /// # Errors
    /// Indices that are neither constant nor of a small type.
    pub(super) fn of(draft: &Draft) -> Result<Layout, Vec<(Option<usize>, Diagnostic)>> {
        let keys = groups::keys(draft)?;
        let mut count = 0;
        let mut fresh = || {
            count += 1;
            VarId::new(count - 1)
        };
        let twice = draft.variables.iter().zip(&keys).chain(draft.variables.iter().zip(&keys));
        let places = twice.map(|(v, keys)| match &v.ty {
            Type::Array(index, element) => {
                let complete = small_domain(index).is_some() || uses_all(index, keys.len());
                Place::Cells(ArrayCells {
                    name: v.name.clone(),
                    index: (**index).clone(),
                    element: (**element).clone(),
                    cells: keys.iter().map(|k| (k.clone(), fresh())).collect(),
                    elsewhere: (!complete).then(&mut fresh),
                    span: v.span,
                })
            }
            _ => Place::Scalar(fresh()),
        });
        let places = places.collect();
        Ok(Layout::with(places, count / 2))
    }

    /// The layout of a finished system, where arrays have ids after the variables; next values have none.
    pub(super) fn of_system(system: &System) -> Layout {
        let scalars = system.var_ids().map(Place::Scalar);
        let places = scalars.chain(system.arrays.iter().cloned().map(Place::Cells)).collect();
        Layout::with(places, system.variables.len())
    }

    fn with(places: Vec<Place>, scalars: usize) -> Layout {
        let has_arrays = places.iter().any(|p| matches!(p, Place::Cells(_)));
        Layout { places, scalars, has_arrays, budget: Cell::new(NODES) }
    }

    /// The variables of the system.
    pub(super) fn variables(&self, declared: &[DraftVariable]) -> Vec<Variable> {
        let mut variables = Vec::new();
        for (place, v) in self.places.iter().zip(declared) {
            let Place::Cells(array) = place else {
                variables.extend(v.variable());
                continue;
            };
            let mut cell = |key: &str| {
                let ty = VarType::of(&array.element).expect("no arrays of arrays");
                let name = format!("{}[{key}]", array.name);
                variables.push(Variable {
                    name,
                    ty,
                    declared: array.element.clone(),
                    span: v.span,
                    promised: None,
                });
            };
            for (key, _) in &array.cells {
                cell(&key_text(key, &array.index));
            }
            if array.elsewhere.is_some() {
                cell("*");
            }
        }
        variables
    }

    pub(super) fn into_arrays(self) -> Vec<ArrayCells> {
        let cells = |p| if let Place::Cells(a) = p { Some(a) } else { None };
        let declared = self.places.len() / 2;
        self.places.into_iter().take(declared).filter_map(cells).collect()
    }

    fn new_id(&self, v: VarId) -> VarId {
        match &self.places[v.index()] {
            Place::Scalar(v) => *v,
            Place::Cells(a) => panic!("'{}' is not a scalar", a.name),
        }
    }

    /// Takes `nodes` from the budget.
    fn charge(&self, nodes: usize, span: Span) -> Result<(), Diagnostic> {
        match self.budget.get().checked_sub(nodes) {
            Some(left) => {
                self.budget.set(left);
                Ok(())
            }
            None => {
                let message = format!("this use of arrays is too large to split, the limit is {NODES} parts");
                unsupported(span, &message)
            }
        }
    }

    /// The operation on cells.
    pub(super) fn op(&self, op: &Op) -> Result<Op, Diagnostic> {
        self.budget.set(NODES);
        self.split(op)
    }

    fn split(&self, op: &Op) -> Result<Op, Diagnostic> {
        Ok(match op {
            Op::Skip => Op::Skip,
            Op::Assume(e) => Op::Assume(self.scalar(e)?),
            Op::Promise(e) => Op::Promise(self.scalar(e)?),
            Op::Relation(_, e) => Op::Relation(self.scalars, self.scalar(e)?),
            Op::Havoc(v) => match &self.places[v.index()] {
                Place::Scalar(v) => Op::Havoc(*v),
                Place::Cells(a) => {
                    let all = a.cells.iter().map(|(_, v)| *v).chain(a.elsewhere);
                    Op::Sequence(all.map(Op::Havoc).collect())
                }
            },
            Op::Assign(..) | Op::Update(_) => {
                let mut all = Vec::new();
                match op {
                    Op::Assign(v, e) => self.assign(*v, e, &mut all)?,
                    Op::Update(parts) => parts.iter().try_for_each(|(v, e)| self.assign(*v, e, &mut all))?,
                    _ => unreachable!("matched above"),
                }
                match all.len() {
                    0 => Op::Skip,
                    1 => {
                        let (v, e) = all.remove(0);
                        Op::Assign(v, e)
                    }
                    _ => Op::Update(all),
                }
            }
            Op::Sequence(ops) => Op::Sequence(ops.iter().map(|op| self.split(op)).collect::<Result<_, _>>()?),
        })
    }

    fn assign(&self, v: VarId, e: &Expr, all: &mut Vec<(VarId, Expr)>) -> Result<(), Diagnostic> {
        let array = match &self.places[v.index()] {
            Place::Scalar(v) => {
                all.push((*v, self.scalar(e)?));
                return Ok(());
            }
            Place::Cells(array) => array,
        };
        for (key, cell) in &array.cells {
            let index = Expr::constant(key.clone(), array.index.clone());
            let value = self.element(e, &At::Index(&index))?;
            if value.kind != Kind::Var(*cell) {
                all.push((*cell, value));
            }
        }
        if let Some(cell) = array.elsewhere {
            let value = self.element(e, &At::Elsewhere)?;
            if value.kind != Kind::Var(cell) {
                all.push((cell, value));
            }
        }
        Ok(())
    }

    /// A non-array expression, with inner arrays replaced.
    pub(super) fn scalar(&self, e: &Expr) -> Result<Expr, Diagnostic> {
        if !self.has_arrays && !mentions_arrays(e) {
            return Ok(e.clone());
        }
        self.charge(1, e.span)?;
        match &e.kind {
            Kind::Var(v) => Ok(Expr { kind: Kind::Var(self.new_id(*v)), ..e.clone() }),
            Kind::Read(ab) => {
                let index = match ab[1].as_constant() {
                    Some(value) => Expr::constant(value, ab[1].ty.clone()).at(ab[1].span),
                    None => self.scalar(&ab[1])?,
                };
                Ok(self.element(&ab[0], &At::Index(&index))?.at(e.span))
            }
            Kind::Binary(op @ (Binary::Eq | Binary::Ne), ab) if ab[0].ty.is_array() => {
                let equal = self.equal(&ab[0], &ab[1], e.span)?;
                Ok(if *op == Binary::Eq { equal } else { equal.negated() })
            }
            _ => {
                self.charge(e.children().len(), e.span)?;
                let mut e = e.clone();
                for child in e.children_mut() {
                    *child = self.scalar(child)?;
                }
                Ok(e)
            }
        }
    }

    fn equal(&self, a: &Expr, b: &Expr, span: Span) -> Result<Expr, Diagnostic> {
        let Some(array) = groups::variable(a).or_else(|| groups::variable(b)) else {
            return unsupported(span, "comparing two array literals is not supported");
        };
        let Place::Cells(array) = &self.places[array.index()] else { panic!("an array is split into cells") };
        if array.elsewhere.is_some() && matches!(array.element, Type::Bool | Type::Bv(_) | Type::Enum(_)) {
            let message = format!("comparing arrays of type {} is not supported", array.ty());
            return unsupported(span, &message);
        }
        let mut parts = Vec::new();
        let keys: Vec<Expr> =
            array.cells.iter().map(|(k, _)| Expr::constant(k.clone(), array.index.clone())).collect();
        let elsewhere = array.elsewhere.map(|_| At::Elsewhere);
        for at in keys.iter().map(At::Index).chain(elsewhere) {
            let part = Expr::compare(Binary::Eq, self.element(a, &at)?, self.element(b, &at)?);
            parts.push(part.at(span));
        }
        Ok(Expr::and(parts).at(span))
    }

    /// The element of the array expression `a` at an index, which is constant or already without arrays.
    fn element(&self, a: &Expr, at: &At<'_>) -> Result<Expr, Diagnostic> {
        self.charge(1, a.span)?;
        match &a.kind {
            Kind::Var(v) => {
                let Place::Cells(array) = &self.places[v.index()] else {
                    panic!("an array is split into cells")
                };
                if let At::Index(index) = at
                    && index.as_constant().is_none()
                {
                    self.charge(count(index).saturating_mul(array.cells.len().max(1)), a.span)?;
                }
                array.element_at(at, a.span)
            }
            Kind::Write(abc) => {
                let rest = self.element(&abc[0], at)?;
                self.overwritten(rest, &abc[1], &abc[2], at)
            }
            Kind::Array(elements, default) => {
                let variable = matches!(at, At::Index(index) if index.as_constant().is_none());
                if variable && elements.len() > ELEMENTS {
                    let message = format!(
                        "an array literal that is read at a variable index may have {ELEMENTS} elements"
                    );
                    return unsupported(a.span, &message);
                }
                let mut value = self.scalar(default)?;
                for [index, element] in elements {
                    value = self.overwritten(value, index, element, at)?;
                }
                if variable && value.depth() > NESTED {
                    let message = format!("array literals nest deeper than {NESTED} levels here");
                    return unsupported(a.span, &message);
                }
                Ok(value)
            }
            Kind::Ite(abc) => {
                let (then, other) = (self.element(&abc[1], at)?, self.element(&abc[2], at)?);
                if then == other {
                    return Ok(then);
                }
                Ok(Expr::ite(self.scalar(&abc[0])?, then, other))
            }
            _ => panic!("an expression of type {} is not an array", a.ty),
        }
    }

    /// `if at = index then element else rest`
    fn overwritten(&self, rest: Expr, index: &Expr, element: &Expr, at: &At<'_>) -> Result<Expr, Diagnostic> {
        let known = index.as_constant();
        let wanted = match at {
            At::Index(wanted) => wanted,
            // *Elsewhere* of an array that is written at variable indices is not read.
            At::Elsewhere => return Ok(rest),
        };
        match (&known, wanted.as_constant()) {
            (Some(a), Some(b)) if *a == b => self.scalar(element),
            (Some(_), Some(_)) => Ok(rest),
            _ => {
                self.charge(count(wanted), index.span)?;
                let same = Expr::compare(Binary::Eq, (*wanted).clone(), self.scalar(index)?).at(index.span);
                Ok(Expr::ite(same, self.scalar(element)?, rest))
            }
        }
    }
}

/// Is there a cell for every value of the index type? Then there is no *elsewhere*.
fn uses_all(index: &Type, indices: usize) -> bool {
    matches!(index, Type::Bv(n) if 1usize.checked_shl(*n) == Some(indices))
}

/// A literal read at a variable index adds one level of nesting for each element.
const ELEMENTS: usize = 100;

/// The limit on nesting of literals, which bounds recursion over expressions.
const NESTED: usize = 1_000;

/// Rejects an index.
fn not_constant<T>(span: Span, ty: &Type) -> Result<T, Diagnostic> {
    let message = format!(
        "an array index of type {ty} must be a constant (variable indices are supported for bool and up to bv[{SMALL}])"
    );
    unsupported(span, &message)
}

fn count(e: &Expr) -> usize {
    let mut n = 0;
    e.visit(&mut |_| n += 1);
    n
}

/// An index as spelled in the name of its cell.
fn key_text(key: &Value, ty: &Type) -> String {
    match key {
        Value::Bool(b) => b.to_string(),
        Value::Num(q) if matches!(ty, Type::Rat | Type::Enum(_)) => crate::expr::number_text(q, ty),
        Value::Num(q) => q.to_string(),
    }
}

impl ArrayCells {
    fn element_at(&self, at: &At<'_>, span: Span) -> Result<Expr, Diagnostic> {
        let cell = |v: VarId| Expr::var(v, self.element.clone()).at(span);
        let index = match at {
            At::Index(index) => index,
            At::Elsewhere => return Ok(cell(self.elsewhere.expect("asked for only where it exists"))),
        };
        let Some(key) = index.as_constant() else {
            return match self.elsewhere {
                None => Ok(self.select(index, &self.cells, span)),
                Some(rest) if self.index == Type::Int => Ok(self.find(index, rest, span)),
                Some(_) => not_constant(index.span, &self.index),
            };
        };
        match self.cells.binary_search_by(|(k, _)| k.cmp(&key)) {
            Ok(i) => Ok(cell(self.cells[i].1)),
            Err(_) => {
                let key = key_text(&key, &self.index);
                let message =
                    format!("'{}[{key}]': the model never uses this index, so it has no cell", self.name);
                unsupported(index.span, &message)
            }
        }
    }

    /// `if index = 0 then a[0] else if index = 1 then a[1] else … a[*]`
    fn find(&self, index: &Expr, rest: VarId, span: Span) -> Expr {
        let element = |v: VarId| Expr::var(v, self.element.clone()).at(span);
        self.cells.iter().rev().fold(element(rest), |other, (key, v)| {
            let key = Expr::constant(key.clone(), self.index.clone());
            let here = Expr::compare(Binary::Eq, index.clone(), key).at(index.span);
            Expr::ite(here, element(*v), other).at(span)
        })
    }

    /// A binary search for `index` among `cells` as nested choices.
    fn select(&self, index: &Expr, cells: &[(Value, VarId)], span: Span) -> Expr {
        if let [(_, v)] = cells {
            return Expr::var(*v, self.element.clone()).at(span);
        }
        let (low, high) = cells.split_at(cells.len() / 2);
        let first = Expr::constant(high[0].0.clone(), self.index.clone());
        let below = match self.index {
            Type::Bool => Expr { kind: Kind::Unary(Unary::Not, Arc::new(index.clone())), ..index.clone() },
            Type::Enum(_) | Type::Int => Expr::compare(Binary::Lt, index.clone(), first).at(index.span),
            _ => Expr::compare(Binary::BvCompare(BvCompare::Ult), index.clone(), first).at(index.span),
        };
        Expr::ite(below, self.select(index, low, span), self.select(index, high, span)).at(span)
    }
}

/// The indices of every array, by declared variable.
type Keys = Vec<std::collections::BTreeSet<Value>>;

/// The form of an index at an access.
type Uses = BTreeMap<VarId, Vec<Value>>;

fn mentions_arrays(e: &Expr) -> bool {
    let mut found = false;
    e.visit(&mut |e| found |= e.ty.is_array());
    found
}

//! Parsing of formulas and values of certificates. Variables with a range (bit-vectors) are integers here, and cells of
//! arrays are separate variables, as in the system.

use solver_lite::number::Q;
use solver_lite::term::{Sort, Value};

use crate::diagnostic::{check_source, limits};
use crate::expr::{Expr, Lookup, Parser, Scope, Tok, Type, check_as, keyword};
use crate::system::{System, VarId};

/// The variables of a system as named in certificates.
struct Scalars<'a> {
    system: &'a System,
    /// With a number appended, the name of a cell, which is not an identifier itself.
    cell: String,
}

impl<'a> Scalars<'a> {
    fn new(system: &'a System) -> Scalars<'a> {
        let mut cell = "_cell_".to_owned();
        while system.variables.iter().any(|v| v.name.starts_with(&cell)) {
            cell.insert(0, '_');
        }
        Scalars { system, cell }
    }
}

impl Scope for Scalars<'_> {
    fn lookup(&self, name: &str) -> Result<(VarId, Type), Lookup> {
        let cell = || name.strip_prefix(&self.cell).and_then(|n| n.parse().ok());
        let cell = || cell().filter(|n| *n < self.system.variables.len()).map(VarId::new);
        let id = self.system.find_variable(name).or_else(cell).ok_or(Lookup::Unknown)?;
        let ty = match self.system.variable(id).ty.sort() {
            Sort::Bool => Type::Bool,
            Sort::Int => Type::Int,
            Sort::Real => Type::Rat,
        };
        Ok((id, ty))
    }
}

/// Parses a formula of a certificate over the variables of `system`.
///
/// # Errors
/// A description of the error.
pub fn formula(text: &str, system: &System) -> Result<Expr, String> {
    if text.len() > limits::SOURCE {
        return Err(format!("it has {} bytes, the limit is {}", text.len(), limits::SOURCE));
    }
    let scalars = Scalars::new(system);
    if text.contains(&scalars.cell) {
        return Err(format!("names with '{}' are not allowed here", scalars.cell));
    }
    let text = scalars.with_cells(&system.without_literals(text));
    check_source(&text).map_err(|d| d[0].message.clone())?;
    let mut parser = Parser::printed(&text);
    let ast = parser.expression();
    let complete = parser.tok() == Tok::End;
    let mut diagnostics = std::mem::take(&mut parser.out);
    let expr = match ast {
        Ok(ast) if complete && diagnostics.is_empty() => {
            check_as(&ast, &Type::Bool, &scalars, &mut diagnostics)
        }
        _ => None,
    };
    match (expr, diagnostics.first()) {
        (Some(expr), None) => system.without_arrays(&expr).map_err(|d| d.message),
        (_, Some(d)) => Err(d.message.clone()),
        (None, None) => Err("it is not a single formula".to_owned()),
    }
}

impl Scalars<'_> {
    /// Replaces names that are not identifiers by identifiers.
    fn with_cells(&self, text: &str) -> String {
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
        let plain = |name: &str| !name.contains(['[', '.', '$']) && keyword(name).is_none();
        let variables = self.system.variables.iter().enumerate();
        let mut others: Vec<_> = variables.filter(|(_, v)| !plain(&v.name)).collect();
        // Longer names first: they may have shorter ones as prefixes.
        others.sort_by_key(|(_, v)| std::cmp::Reverse(v.name.len()));
        let mut out = text.to_owned();
        for (i, v) in others {
            let mut parts = out.split(&v.name);
            let mut new = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                if new.ends_with(inside) || part.starts_with(inside) && !v.name.ends_with(']') {
                    new.push_str(&v.name);
                } else {
                    new.push_str(&format!("{}{i}", self.cell));
                }
                new.push_str(part);
            }
            out = new;
        }
        out
    }
}

/// Parses the value of a variable.
pub(crate) fn value(text: &str, system: &System, v: VarId) -> Result<Value, String> {
    let variable = system.variable(v);
    let literal = match &variable.declared {
        Type::Enum(e) => e.number(text.strip_prefix(&format!("{}.", e.name)).unwrap_or(text)),
        _ => None,
    };
    if let Some(number) = literal {
        return Ok(Value::Num(number));
    }
    let value = match (variable.ty.sort(), text) {
        (Sort::Bool, "true") => Value::Bool(true),
        (Sort::Bool, "false") => Value::Bool(false),
        (Sort::Bool, _) => return Err(format!("'{text}' is not a truth value for {}", variable.name)),
        _ if text.len() > limits::DIGITS => {
            return Err(format!("a value has more than {} digits", limits::DIGITS));
        }
        _ => {
            let number: Result<Q, _> = text.parse();
            Value::Num(number.map_err(|_| format!("'{text}' is not a number for {}", variable.name))?)
        }
    };
    if variable.ty.contains(&value) {
        Ok(value)
    } else {
        Err(format!("{text} is not a value of the type of {}", variable.name))
    }
}

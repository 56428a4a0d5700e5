//! Names of enumeration values, which are numbers internally.

use std::collections::BTreeMap;

use solver_lite::number::Q;
use solver_lite::term::Value;

use crate::expr::value_text;
use crate::expr::{Enumeration, Type, VarId};
use crate::system::System;

/// The names of values, by variable.
#[derive(Clone, Debug, Default)]
pub(crate) struct Literals(BTreeMap<String, Vec<String>>);

impl Literals {
    /// The name of a value of a variable, whose name may have an index (`x⟨2⟩`) or a prime.
    pub(crate) fn name(&self, variable: &str, number: &Q) -> Option<String> {
        let name = variable.split('⟨').next().unwrap_or(variable).trim_end_matches(['\'', '′']);
        self.0.get(name)?.get(usize::try_from(number.to_i64()?).ok()?).cloned()
    }
}

impl System {
    /// The name of a value; prefixed by its type if the name alone is ambiguous.
    fn literal(&self, of: &Enumeration, number: &Q) -> Option<String> {
        let literal = of.literal(number)?;
        let others = self.enumerations.iter().filter(|e| e.number(literal).is_some()).count();
        let alone = others == 1 && self.find_variable(literal).is_none();
        Some(if alone { literal.to_owned() } else { format!("{}.{literal}", of.name) })
    }

    /// A value of a variable for users: `true`, `3`, `-1/2`, `Red`.
    #[must_use]
    pub fn value_text(&self, v: VarId, value: &Value) -> String {
        let named = match (&self.variable(v).declared, value) {
            (Type::Enum(e), Value::Num(q)) => self.literal(e, q),
            _ => None,
        };
        named.unwrap_or_else(|| value_text(value))
    }

    /// The names of the values of all variables whose type is an enumeration.
    pub(crate) fn literals(&self) -> Literals {
        let mut of = BTreeMap::new();
        for variable in &self.variables {
            if let Type::Enum(e) = &variable.declared {
                let numbers = (0..e.literals.len()).filter_map(|i| i64::try_from(i).ok()).map(Q::from);
                let names = numbers.filter_map(|q| self.literal(e, &q)).collect();
                of.insert(variable.name.clone(), names);
            }
        }
        Literals(of)
    }

    /// The text of a formula with numbers instead of enumeration literals.
    pub(crate) fn without_literals(&self, text: &str) -> String {
        let mut numbers: BTreeMap<String, String> = BTreeMap::new();
        for e in &self.enumerations {
            for (i, literal) in e.literals.iter().enumerate() {
                let number = Q::from(i64::try_from(i).unwrap_or(i64::MAX));
                numbers.insert(format!("{}.{literal}", e.name), number.to_string());
                numbers.extend(self.literal(e, &number).map(|name| (name, number.to_string())));
            }
        }
        if numbers.is_empty() {
            return text.to_owned();
        }
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(inside) {
            let end = rest[start..].find(|c| !inside(c)).map_or(rest.len(), |n| start + n);
            let word = &rest[start..end];
            out.push_str(&rest[..start]);
            let known = numbers.get(word).filter(|_| self.find_variable(word).is_none());
            out.push_str(known.map_or(word, String::as_str));
            rest = &rest[end..];
        }
        out + rest
    }
}

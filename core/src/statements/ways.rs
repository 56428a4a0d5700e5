//! Path conditions through statements: conditions over the values before a path, and the values after it.

use solver_lite::number::Q;
use solver_lite::term::{Sort, Term, Terms};

use super::{Statement, Statements, numbers};
use crate::expr::{Expr, VarId, try_lower};

/// A path through statements.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    /// The path condition, over the values before it and those that were chosen.
    pub(crate) conditions: Vec<Term>,
    /// The values after it.
    pub(crate) values: Vec<Term>,
    /// The number of chosen values, each of which has a fresh variable.
    pub(crate) chosen: usize,
}

impl Way {
    /// The empty path.
    pub(crate) fn new(values: Vec<Term>) -> Way {
        Way { conditions: Vec::new(), values, chosen: 0 }
    }
}

/// Symbolic execution of statements.
pub(crate) struct Ways<'a> {
    statements: &'a Statements,
    terms: &'a mut Terms,
    /// The limit on paths.
    limit: usize,
    /// The remaining budget of executed statements.
    left: &'a mut usize,
}

impl<'a> Ways<'a> {
    pub(crate) fn new(
        statements: &'a Statements,
        terms: &'a mut Terms,
        limit: usize,
        left: &'a mut usize,
    ) -> Ways<'a> {
        Ways { statements, terms, limit, left }
    }

    /// All paths through statements that continue this one; `None` if a limit is exceeded, or a term is not linear.
    pub(crate) fn through(&mut self, body: &[Statement], begin: Way) -> Option<Vec<Way>> {
        let mut now = vec![begin];
        for statement in body {
            let mut next = Vec::new();
            for way in now {
                next.extend(self.one(statement, way)?);
                if next.len() > self.limit {
                    return None;
                }
            }
            now = next;
        }
        Some(now)
    }

    fn one(&mut self, statement: &Statement, mut way: Way) -> Option<Vec<Way>> {
        *self.left = self.left.checked_sub(1)?;
        match statement {
            Statement::Assign(v, e) => way.values[v.index()] = self.term(e, &way)?,
            Statement::Any(v) => {
                let (name, ty) = &self.statements.variables[v.index()];
                way.chosen += 1;
                let chosen = self.terms.var(&format!("{name}%{}%{}", v.index(), way.chosen), ty.sort());
                way.values[v.index()] = chosen;
                way.conditions.push(ty.domain(chosen, self.terms));
            }
            Statement::Assume(e) => match self.term(e, &way)? {
                Term::TRUE => {}
                Term::FALSE => return Some(Vec::new()),
                condition => way.conditions.push(condition),
            },
            Statement::Choice(branches) => {
                let mut all = Vec::new();
                for branch in branches {
                    all.extend(self.through(branch, way.clone())?);
                }
                return Some(all);
            }
            Statement::Repeat { counter, from, to, body } => {
                let (from, to) = (self.constant(from, &way)?, self.constant(to, &way)?);
                let mut now = vec![way];
                for n in numbers(from, to)? {
                    *self.left = self.left.checked_sub(1)?;
                    let n = self.terms.num(Q::from(n), Sort::Int);
                    let mut next = Vec::new();
                    for mut way in now {
                        way.values[counter.index()] = n;
                        next.extend(self.through(body, way)?);
                        if next.len() > self.limit {
                            return None;
                        }
                    }
                    now = next;
                }
                return Some(now);
            }
        }
        Some(vec![way])
    }

    fn term(&mut self, e: &Expr, way: &Way) -> Option<Term> {
        try_lower(e, self.terms, &mut |v: VarId| way.values[v.index()]).ok()
    }

    /// The value of an expression that is the same on all runs.
    fn constant(&mut self, e: &Expr, way: &Way) -> Option<i64> {
        let t = self.term(e, way)?;
        self.terms.constant(t)?.num().to_i64()
    }
}

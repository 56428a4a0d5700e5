//! Fairness assumptions.

use solver_lite::term::Value;

use crate::diagnostic::{Diagnostic, Span};
use crate::expr::Expr;
use crate::ltl::arrow::{choices, named, taken};
use crate::ltl::{AtomMeaning, BETWEEN, Formula, Temporal, number};
use crate::system::{EdgeId, LocationId, System};

/// The strength of a fairness assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strength {
    /// If the edge is enabled from some time on, it is taken infinitely often ("justice").
    Weak,
    /// If the edge is enabled infinitely often, it is taken infinitely often ("compassion").
    Strong,
}

/// A fairness assumption: runs are fair to these edges.
#[derive(Clone, Debug, PartialEq)]
pub struct Fairness {
    /// Its strength.
    pub strength: Strength,
    /// The edges as named in the text: `A->B`, or `all`.
    pub name: String,
}

/// The limit on parts of a formula about edges.
const EDGES: usize = 12;

/// `weak=A->B`
impl std::fmt::Display for Fairness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let strength = match self.strength {
            Strength::Weak => "weak",
            Strength::Strong => "strong",
        };
        write!(f, "{strength}={}", self.name)
    }
}

impl Fairness {
    /// The edges it names, each with its first step, its target, and when it is enabled.
    ///
    /// # Errors
    /// If the enabling condition is not known.
    pub(crate) fn conditions(
        &self,
        system: &System,
    ) -> Result<Vec<(String, EdgeId, LocationId, Expr)>, String> {
        let mut all = Vec::new();
        for name in self.names(system) {
            for arrow in named(&name, system)? {
                all.push((name.clone(), arrow.first, arrow.target, arrow.enabled(system)?));
            }
        }
        Ok(all)
    }

    /// The edges, by name.
    fn names(&self, system: &System) -> Vec<String> {
        match self.name.as_str() {
            "all" => choices(system),
            name => vec![name.to_owned()],
        }
    }

    /// The assumption as a formula; required atoms are added, and the edges counted.
    ///
    /// # Errors
    /// If there are no such edges, or too many, or an enabling condition is not known; `place` is where they are named.
    pub(super) fn formula(
        &self,
        system: &System,
        atoms: &mut Vec<AtomMeaning>,
        count: &mut usize,
        place: Span,
    ) -> Result<Formula, Diagnostic> {
        let names = self.names(system);
        *count += names.len();
        if *count > EDGES {
            let message = format!(
                "fairness to {count} edges makes the formula too large; name the relevant ones, as in weak=A->B"
            );
            return Err(Diagnostic::unsupported(place, message));
        }
        let mistake = |why| Diagnostic::error(place, why);
        let mut atom = |meaning: AtomMeaning| Formula::Atom(number(atoms, meaning));
        let inner: Vec<EdgeId> =
            system.edge_ids().filter(|e| system.location(system.edge(*e).target).anonymous).collect();
        let between = (self.strength == Strength::Weak && !inner.is_empty())
            .then(|| atom(AtomMeaning::Over(inner, BETWEEN.to_owned())));
        let mut parts = Vec::new();
        for name in names {
            let arrows = named(&name, system).map_err(mistake)?;
            let taken = atom(taken(&name, system).map_err(mistake)?);
            let at = atom(AtomMeaning::At(arrows[0].source));
            let ways = arrows.iter().map(|arrow| arrow.enabled(system));
            let not_known = |why| {
                let message =
                    format!("the enabling condition of the edge '{name}' cannot be computed: {why}");
                Diagnostic::unsupported(place, message)
            };
            let guard = Expr::or(ways.collect::<Result<_, _>>().map_err(not_known)?);
            let enabled = match guard.as_constant() {
                Some(Value::Bool(false)) => Formula::Constant(false),
                Some(_) => at,
                None => at.and(atom(AtomMeaning::Condition(guard))),
            };
            let unary = |op, f: Formula| Formula::Unary(op, Box::new(f));
            let infinitely = |f: Formula| unary(Temporal::Globally, unary(Temporal::Finally, f));
            parts.push(match self.strength {
                // Between the statements of an edge, no edge is enabled or disabled.
                Strength::Weak => infinitely(Formula::Or(match between.as_ref() {
                    Some(between) => vec![enabled.negated().and(between.clone().negated()), taken],
                    None => vec![enabled.negated(), taken],
                })),
                Strength::Strong => Formula::Or(vec![
                    unary(Temporal::Finally, unary(Temporal::Globally, enabled.negated())),
                    infinitely(taken),
                ]),
            });
        }
        Ok(match parts.len() {
            0 => Formula::Constant(true),
            1 => parts.remove(0),
            _ => Formula::And(parts),
        })
    }
}

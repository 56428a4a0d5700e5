//! Fairness assumptions, and atoms about the edge taken by a step.

use solver_lite::term::Value;

use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Expr, Kind};
use crate::ltl::parse::{BETWEEN, number};
use crate::ltl::{AtomMeaning, Formula, Temporal};
use crate::system::enabled::Enabled;
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

/// An edge of the source, from a named location to a named one. The system may have several edges and anonymous
/// locations between these, one for each statement.
struct Arrow {
    source: LocationId,
    target: LocationId,
    /// The edge of the system that leaves the source location.
    first: EdgeId,
    /// The edges of the system that enter the target location.
    last: Vec<EdgeId>,
}

impl Arrow {
    /// When it is enabled: some path from its source to its target is feasible.
    fn enabled(&self, system: &System) -> Result<Expr, String> {
        if system.invariant.kind != Kind::Bool(true) {
            return Err("the enabled steps depend on the model's invariant".to_owned());
        }
        Enabled::new(system, &|l| system.location(l).anonymous, Some(self.target)).edge(self.first)
    }
}

fn arrows(system: &System) -> Vec<Arrow> {
    let mut arrows: Vec<Arrow> = Vec::new();
    for first in system.edge_ids() {
        let source = system.edge(first).source;
        if system.location(source).anonymous {
            continue;
        }
        let (mut open, mut seen) = (vec![first], vec![first]);
        while let Some(edge) = open.pop() {
            let target = system.edge(edge).target;
            if !system.location(target).anonymous {
                match arrows.iter_mut().find(|a| a.first == first && a.target == target) {
                    Some(arrow) => arrow.last.push(edge),
                    None => arrows.push(Arrow { source, target, first, last: vec![edge] }),
                }
                continue;
            }
            for next in system.out_edges(target) {
                if !seen.contains(next) {
                    seen.push(*next);
                    open.push(*next);
                }
            }
        }
    }
    arrows
}

/// The edges that `A->B` or `A->B#2` denotes: all from `A` to `B`, or the second of them.
fn named(name: &str, system: &System) -> Result<Vec<Arrow>, String> {
    let (ends, number) = match name.rsplit_once('#') {
        Some((ends, n)) => {
            let n = n.trim().parse::<usize>().ok().filter(|n| *n > 0);
            (ends, Some(n.ok_or_else(|| format!("'{name}': expected a number after '#'"))?))
        }
        None => (name, None),
    };
    let (from, to) = ends.split_once("->").ok_or_else(|| format!("'{name}' does not have the form A->B"))?;
    let place = |name: &str| {
        let name = name.trim();
        system.find_location(name).ok_or_else(|| format!("there is no location '{name}'"))
    };
    let (source, target) = (place(from)?, place(to)?);
    let mut all: Vec<Arrow> =
        arrows(system).into_iter().filter(|a| (a.source, a.target) == (source, target)).collect();
    if let Some(n) = number {
        if n > all.len() {
            return Err(format!("'{name}': the number of edges between these locations is {}", all.len()));
        }
        all = vec![all.swap_remove(n - 1)];
    }
    if all.is_empty() { Err(format!("there is no edge '{name}'")) } else { Ok(all) }
}

/// The atom that is true where the last step took an edge of that name.
///
/// # Errors
/// If there is none.
pub(super) fn taken(name: &str, system: &System) -> Result<AtomMeaning, String> {
    let arrows = named(name, system)?;
    let edges: Vec<EdgeId> = arrows.iter().flat_map(|a| a.last.clone()).collect();
    let others = self::arrows(system);
    let mut others =
        others.iter().filter(|a| arrows.iter().all(|b| (b.first, b.target) != (a.first, a.target)));
    if others.any(|a| a.last.iter().any(|e| edges.contains(e))) {
        return Err(format!(
            "the edge '{name}' has its last step in common with another edge, so they cannot be distinguished"
        ));
    }
    let location = |l: LocationId| &system.location(l).name;
    let mut text = format!("{}->{}", location(arrows[0].source), location(arrows[0].target));
    if let Some((_, n)) = name.rsplit_once('#') {
        text = format!("{text}#{}", n.trim());
    }
    Ok(AtomMeaning::Over(edges, text))
}

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

/// Is the location on a cycle?
fn comes_back(location: LocationId, arrows: &[Arrow]) -> bool {
    let (mut open, mut seen) = (vec![location], Vec::new());
    while let Some(l) = open.pop() {
        for next in arrows.iter().filter(|a| a.source == l).map(|a| a.target) {
            if next == location {
                return true;
            }
            if !seen.contains(&next) {
                seen.push(next);
                open.push(next);
            }
        }
    }
    false
}

/// The names of the edges with alternatives whose source is on a cycle; runs are trivially fair to all others.
fn choices(system: &System) -> Vec<String> {
    let arrows = arrows(system);
    let mut names = Vec::new();
    for (i, a) in arrows.iter().enumerate() {
        let others = arrows.iter().filter(|b| b.source == a.source).count();
        if others < 2 || !comes_back(a.source, &arrows) {
            continue;
        }
        let same = |b: &&Arrow| (b.source, b.target) == (a.source, a.target);
        let name = |l: LocationId| &system.location(l).name;
        let mut text = format!("{}->{}", name(a.source), name(a.target));
        if arrows.iter().filter(same).count() > 1 {
            text = format!("{text}#{}", arrows[..=i].iter().filter(same).count());
        }
        names.push(text);
    }
    names
}

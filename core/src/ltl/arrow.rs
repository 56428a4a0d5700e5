//! The edges of a source by name, `A->B` or `A->B#2`, in atoms about the edge taken by a step and in fairness.

use crate::expr::{Expr, Kind};
use crate::ltl::AtomMeaning;
use crate::system::enabled::Enabled;
use crate::system::{EdgeId, LocationId, System};

/// An edge of the source, from a named location to a named one. The system may have several edges and anonymous
/// locations between these, one for each statement.
pub(crate) struct Arrow {
    pub(crate) source: LocationId,
    pub(crate) target: LocationId,
    /// The edge of the system that leaves the source location.
    pub(crate) first: EdgeId,
    /// The edges of the system that enter the target location.
    last: Vec<EdgeId>,
}

impl Arrow {
    /// When it is enabled: some path from its source to its target is feasible.
    pub(crate) fn enabled(&self, system: &System) -> Result<Expr, String> {
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
pub(crate) fn named(name: &str, system: &System) -> Result<Vec<Arrow>, String> {
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
pub(crate) fn taken(name: &str, system: &System) -> Result<AtomMeaning, String> {
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
pub(crate) fn choices(system: &System) -> Vec<String> {
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

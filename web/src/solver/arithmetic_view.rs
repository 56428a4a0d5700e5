//! Arithmetic at a step: the simplex tableau, or the graph of differences.

use std::collections::HashSet;

use veristep_core::scene::{Body, Mark, Scene, Text};
use yew::prelude::*;

use crate::solver::graph_view::graph;
use crate::solver::protocol::{Lit, Opened, Snapshot, Step};
use crate::solver::replay::Frame;
use crate::solver::tableau_view::tableau;
use crate::solver::{Msg, saved};

/// The marks of a picture.
pub struct Marks<'a> {
    /// The check.
    pub opened: &'a Opened,
    /// The step.
    pub step: Option<&'a Step>,
    /// The negated literals of the conflict clause.
    pub guilty: HashSet<Lit>,
    /// The literal of the step.
    pub subject: Option<Lit>,
    /// The step is a theory conflict.
    pub contradiction: bool,
}

impl Marks<'_> {
    /// The CSS classes of an element with this literal.
    pub fn class(&self, lit: Lit) -> Classes {
        let guilty = self.guilty.contains(&lit).then_some("guilty");
        classes!(guilty, (self.subject == Some(lit)).then_some("subject"))
    }

    /// The roles of a constraint or a bound with this literal.
    pub fn roles(&self, lit: Lit) -> Vec<(Mark, bool)> {
        vec![(Mark::Taken, self.subject == Some(lit)), (Mark::Conflict, self.guilty.contains(&lit))]
    }

    /// The name of a column or a node.
    pub fn name(&self, name: u32) -> &str {
        self.opened.names.get(name as usize).map_or("", String::as_str)
    }

    /// The term that a short name abbreviates.
    pub fn meaning(&self, name: u32) -> Option<&str> {
        self.opened.meanings.get(name as usize)?.as_deref()
    }
}

/// The picture of a step.
pub fn arithmetic(opened: &Opened, frame: &Frame, step: usize, act: &Callback<Msg>) -> Html {
    let current = step.checked_sub(1).and_then(|at| opened.steps.get(at));
    let snapshot = current.and_then(|(_, snapshot)| *snapshot).and_then(|p| opened.snapshots.get(p as usize));
    // The negated conflict clause, or the premises of an implied literal.
    let guilty = frame.false_clause().iter().map(|(atom, sign)| (*atom, !sign));
    let guilty = guilty.chain(frame.because.iter().copied()).collect();
    let contradiction = frame.analysis.as_ref().is_some_and(|a| a.theory && a.resolved.is_empty());
    let step_made = current.map(|(step, _)| step);
    let marks = Marks { opened, step: step_made, guilty, subject: frame.subject, contradiction };
    let (title, body) = match snapshot {
        Some(Snapshot::Tableau { columns, rows }) => {
            ("Simplex tableau", saved::scene(tableau(&marks, columns, rows), "tableau", act))
        }
        Some(Snapshot::Graph { nodes, edges }) => ("Differences", graph(&marks, nodes, edges, act)),
        None => (
            "Arithmetic",
            saved::scene(
                Scene::of("Arithmetic", Text::plain(nothing(opened, step)), Body::Nothing),
                "arithmetic",
                act,
            ),
        ),
    };
    html! { <section class="card-panel arithmetic" aria-label={title} data-testid="arithmetic">{ body }</section> }
}

fn nothing(opened: &Opened, step: usize) -> &'static str {
    let response = opened.steps.iter().take(step).any(|(s, _)| matches!(s, Step::Asserted(_)));
    match (step, response) {
        (0, _) => "Bounds, pivots and cycles are shown here once the theory is used.",
        (_, true) => "The tableau is too large to be drawn.",
        (_, false) => "No comparison is asserted to the theory yet.",
    }
}

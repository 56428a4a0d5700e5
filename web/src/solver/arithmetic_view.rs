//! Arithmetic at a step: the simplex tableau, or the graph of differences.

use std::collections::HashSet;

use yew::prelude::*;

use crate::solver::graph_view::graph;
use crate::solver::protocol::{Lit, Opened, Picture, Step};
use crate::solver::replay::Frame;
use crate::solver::tableau_view::tableau;

/// What a picture is marked with.
pub struct Marks<'a> {
    /// The check.
    pub opened: &'a Opened,
    /// The step.
    pub step: Option<&'a Step>,
    /// The literals that make the false clause false.
    pub guilty: HashSet<Lit>,
    /// The literal the step is about.
    pub subject: Option<Lit>,
}

impl Marks<'_> {
    /// The classes of what a literal stands behind.
    pub fn class(&self, lit: Lit) -> Classes {
        let guilty = self.guilty.contains(&lit).then_some("guilty");
        classes!(guilty, (self.subject == Some(lit)).then_some("subject"))
    }

    /// The name of a column or a node.
    pub fn name(&self, name: u32) -> &str {
        self.opened.names.get(name as usize).map_or("", String::as_str)
    }
}

/// The picture of a step.
pub fn arithmetic(opened: &Opened, frame: &Frame, current: Option<&(Step, Option<u32>)>) -> Html {
    let picture = current.and_then(|(_, picture)| *picture).and_then(|p| opened.pictures.get(p as usize));
    // What makes the false clause false.
    let guilty = frame.false_clause().iter().map(|(atom, sign)| (*atom, !sign)).collect();
    let marks = Marks { opened, step: current.map(|(step, _)| step), guilty, subject: frame.subject };
    let (title, body) = match picture {
        Some(Picture::Tableau { columns, rows }) => ("Simplex tableau", tableau(&marks, columns, rows)),
        Some(Picture::Graph { nodes, edges }) => ("Differences", graph(&marks, nodes, edges)),
        None => ("Arithmetic", html! { <p class="muted pad">{ nothing(opened, current.is_some()) }</p> }),
    };
    html! {
        <section class="card-panel arithmetic" aria-label={title} data-testid="arithmetic">
            <header><h3>{ title }</h3></header>
            { body }
        </section>
    }
}

fn nothing(opened: &Opened, begun: bool) -> &'static str {
    if opened.pictures.is_empty() && begun {
        "No comparison has been decided so far: the Boolean part is at work."
    } else if begun {
        "Nothing is drawn for this step: arithmetic was not asked yet, or the picture is too large."
    } else {
        "Bounds, pivots and cycles are shown here as soon as arithmetic is asked."
    }
}

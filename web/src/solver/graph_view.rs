//! The graph of differences, and the list of constraints in force.

use std::sync::Arc;

use veristep_core::draw::{self, Difference};
use veristep_core::scene::{Body, Mark, Scene, Text};
use yew::prelude::*;

use crate::solver::arithmetic_view::Marks;
use crate::solver::protocol::Edge;
use crate::solver::words::text;
use crate::solver::{Msg, saved};

type Node = (Option<u32>, String);

/// The graph and its list.
pub fn graph(marks: &Marks, nodes: &[Node], edges: &[Edge], act: &Callback<Msg>) -> Html {
    let name = |n: u32| name(marks, nodes, n);
    let row = |Edge { from, to, bound, literal, refused }: &Edge| {
        html! {
            <li class={marks.class(*literal)} title={format!("because of {}", text(marks.opened, *literal))}>
                { match (*to, *from) {
                    (0, from) => format!("−{} {bound}", name(from)),
                    (to, 0) => format!("{} {bound}", name(to)),
                    (to, from) => format!("{} − {} {bound}", name(to), name(from)),
                } }
                if *refused { { " would close a negative cycle" } }
            </li>
        }
    };
    html! {
        <div class="differences">
            { picture(marks, nodes, edges, act) }
            if let Some(sum) = marks.contradiction.then(|| sum(marks, edges)).flatten() {
                <p class="cycle-sum">{ "The sum of the bounds around the cycle is " }<strong>{ sum }</strong>{ ": a term would be less than itself." }</p>
            }
            <ol class="rows" tabindex="0" aria-label="Constraints in force">
                { for edges.iter().map(row) }
                if edges.is_empty() { <li class="muted">{ "No constraint is in force." }</li> }
            </ol>
        </div>
    }
}

fn name<'a>(marks: &'a Marks, nodes: &[Node], n: u32) -> &'a str {
    nodes.get(n as usize).and_then(|(name, _)| *name).map_or("0", |name| marks.name(name))
}

/// The picture: the constraints of a conflict, that of the step, and those that contradict others are marked.
fn picture(marks: &Marks, nodes: &[Node], edges: &[Edge], act: &Callback<Msg>) -> Html {
    let term = |(n, (_, value)): (usize, &Node)| (name(marks, nodes, n as u32).to_owned(), value.clone());
    let terms: Vec<(String, String)> = nodes.iter().enumerate().map(term).collect();
    let constraint = |edge: &Edge| Difference {
        from: edge.from as usize,
        to: edge.to as usize,
        bound: edge.bound.clone(),
        title: text(marks.opened, edge.literal).to_owned(),
        marks: marks.roles(edge.literal).into_iter().chain([(Mark::Refused, edge.refused)]).collect(),
    };
    let constraints: Vec<Difference> = edges.iter().map(constraint).collect();
    let body = draw::differences(&terms, &constraints)
        .map_or(Body::Nothing, |drawing| Body::Drawing(Arc::new(drawing)));
    let scene = Scene::of("Differences", Text::default(), body);
    html! { <div class="drawn-differences">{ saved::scene(scene, "differences", act) }</div> }
}

/// `3 − 2 + 4 − 6 = −1`: what the bounds of a negative cycle add up to, if they are integers.
fn sum(marks: &Marks, edges: &[Edge]) -> Option<String> {
    let guilty = edges.iter().filter(|e| marks.guilty.contains(&e.literal));
    let mut total: i64 = 0;
    let mut text = String::new();
    for edge in guilty {
        let bound = edge.bound.strip_prefix("≤ ")?;
        let (sign, size) = bound.strip_prefix('−').map_or((1, bound), |size| (-1, size));
        let size: i64 = size.parse().ok()?;
        total = total.checked_add(sign * size)?;
        let joint = match (text.is_empty(), sign) {
            (true, 1) => "",
            (true, _) => "−",
            (false, 1) => " + ",
            (false, _) => " − ",
        };
        text.push_str(joint);
        text.push_str(&size.to_string());
    }
    (total < 0).then(|| format!("{text} = −{}", -total))
}

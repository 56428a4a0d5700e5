//! The graph of differences, and the list of constraints in force.

use std::sync::Arc;

use veristep_core::draw::{self, Difference};
use veristep_core::scene::{Body, Mark, Scene, Text};
use yew::prelude::*;

use crate::solver::arithmetic_view::Marks;
use crate::solver::protocol::{self, Edge};
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
    let guilty = edges.iter().filter(|e| marks.guilty.contains(&e.literal)).map(|e| e.bound.as_str());
    html! {
        <div class="differences">
            { picture(marks, nodes, edges, act) }
            if let Some(sum) = marks.contradiction.then(|| sum(guilty)).flatten() {
                { summed(&sum) }
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

/// The negative cycle of a lemma, and what its bounds add up to.
pub fn cycle(edges: &[protocol::Difference], act: &Callback<Msg>) -> Html {
    let mut terms = vec![("0".to_owned(), String::new())];
    let mut number = |name: &String| {
        terms.iter().position(|(term, _)| term == name).unwrap_or_else(|| {
            terms.push((name.clone(), String::new()));
            terms.len() - 1
        })
    };
    let constraint = |protocol::Difference { from, to, bound }: &protocol::Difference| Difference {
        from: number(from),
        to: number(to),
        bound: bound.clone(),
        title: format!("{to} − {from} {bound}"),
        marks: vec![(Mark::Conflict, true)],
    };
    let constraints: Vec<Difference> = edges.iter().map(constraint).collect();
    let Some(drawing) = draw::differences(&terms, &constraints) else { return Html::default() };
    let scene = Scene::of("Negative cycle", Text::default(), Body::Drawing(Arc::new(drawing)));
    html! {
        <section class="drawn-differences" aria-label="Negative cycle" data-testid="cycle">
            { saved::scene(scene, "cycle", act) }
            { for sum(edges.iter().map(|edge| edge.bound.as_str())).map(|sum| summed(&sum)) }
        </section>
    }
}

fn summed(sum: &str) -> Html {
    html! { <p class="cycle-sum">{ "The sum of the bounds around the cycle is " }<strong>{ sum }</strong>{ ": a term would be less than itself." }</p> }
}

/// `3 − 2 + 4 − 6 = −1`: what the bounds of a negative cycle add up to, if they are integers. With a strict bound, a
/// sum of 0 is a contradiction, too.
fn sum<'a>(bounds: impl Iterator<Item = &'a str>) -> Option<String> {
    let (mut total, mut strict) = (0_i64, false);
    let mut text = String::new();
    for bound in bounds {
        strict |= bound.starts_with("< ");
        let bound = bound.strip_prefix("≤ ").or_else(|| bound.strip_prefix("< "))?;
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
    match total {
        0 if strict => Some(format!("{text} = 0, with a strict bound")),
        _ => (total < 0).then(|| format!("{text} = −{}", -total)),
    }
}

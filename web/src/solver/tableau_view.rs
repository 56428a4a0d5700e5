//! The simplex tableau: bounds and values of all columns, and the rows that define the basic ones.

use std::collections::HashSet;

use yew::prelude::*;

use crate::solver::arithmetic_view::Marks;
use crate::solver::protocol::{Column, Lit, Step};
use crate::solver::words::text;

/// Larger tableaus are not laid out as tables.
const COLUMNS: usize = 60;

type Row = (u32, Vec<(u32, String)>);

/// The tableau.
pub fn tableau(marks: &Marks, columns: &[Column], rows: &[Row]) -> Html {
    let basic: HashSet<u32> = rows.iter().map(|(b, _)| *b).collect();
    let line = |(i, c): (usize, &Column)| line(marks, c, basic.contains(&(i as u32)));
    let shown = columns.len().min(COLUMNS);
    html! {
        <div class="tableau">
            <div class="scroll-x" tabindex="0" aria-label="Bounds and values">
                <table>
                    <thead><tr><th scope="col">{ "term" }</th><th scope="col">{ "at least" }</th><th scope="col">{ "value" }</th>
                        <th scope="col">{ "at most" }</th><th scope="col"><span class="sr">{ "kind" }</span></th></tr></thead>
                    <tbody>{ for columns.iter().take(shown).enumerate().map(line) }</tbody>
                </table>
                if shown < columns.len() { <p class="muted">{ format!("and {} more columns", columns.len() - shown) }</p> }
            </div>
            if columns.iter().any(|c| c.value.contains('δ')) {
                <p class="muted hint">{ "δ is a sufficiently small positive number: it turns strict bounds into weak ones." }</p>
            }
            if !rows.is_empty() {
                <ol class="rows" tabindex="0" aria-label="Rows">{ for rows.iter().take(COLUMNS).map(|r| row(marks, columns, r)) }</ol>
            }
        </div>
    }
}

/// The columns that left and entered the basis at this step.
fn pivot(marks: &Marks) -> (Option<u32>, Option<u32>) {
    match marks.step {
        Some(Step::Pivoted(left, entered)) => (Some(*left), Some(*entered)),
        _ => (None, None),
    }
}

fn line(marks: &Marks, c: &Column, basic: bool) -> Html {
    let (left, entered) = pivot(marks);
    let bound = |b: &Option<(String, Lit)>| match b {
        None => html! { <td class="none">{ "·" }</td> },
        Some((value, lit)) => {
            html! { <td class={marks.class(*lit)} title={format!("because of {}", text(marks.opened, *lit))}>{ value }</td> }
        }
    };
    let class = classes!(
        c.violated.then_some("violated"),
        (Some(c.name) == left).then_some("left"),
        (Some(c.name) == entered).then_some("entered")
    );
    html! {
        <tr {class}>
            <th scope="row" title={marks.meaning(c.name).map(str::to_owned)}>{ marks.name(c.name).to_owned() }
                if let Some(meaning) = marks.meaning(c.name) { <span class="meaning">{ format!(" = {meaning}") }</span> }</th>
            { bound(&c.lower) }<td class="value">{ &c.value }</td>{ bound(&c.upper) }
            <td class="kind">{ if basic { "basic" } else { "" } }</td>
        </tr>
    }
}

fn row(marks: &Marks, columns: &[Column], (basic, sum): &Row) -> Html {
    let (left, entered) = pivot(marks);
    let column = |c: u32| columns.get(c as usize).map(|c| c.name);
    let of = |c: u32| column(c).map_or("", |name| marks.name(name));
    let part = |(i, (c, q)): (usize, &(u32, String))| {
        let moved = left.is_some() && column(*c) == left;
        html! { <span class={classes!(moved.then_some("left"))}>{ summand(i == 0, q, of(*c)) }</span> }
    };
    let came = entered.is_some() && column(*basic) == entered;
    html! {
        <li class={classes!(came.then_some("entered"))}>
            <strong>{ of(*basic).to_owned() }</strong>{ " = " }{ for sum.iter().enumerate().map(part) }
            if sum.is_empty() { { "0" } }
        </li>
    }
}

/// `+ 2·x`, `− x`, `x` …
fn summand(first: bool, q: &str, of: &str) -> String {
    let (sign, size) = q.strip_prefix('-').map_or(("+", q), |size| ("−", size));
    let factor = if size == "1" { String::new() } else { format!("{size}·") };
    let of = if of.contains(' ') { format!("({of})") } else { of.to_owned() };
    match (first, sign) {
        (true, "+") => format!("{factor}{of}"),
        (true, _) => format!("−{factor}{of}"),
        _ => format!(" {sign} {factor}{of}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_read_as_people_write_them() {
        let all = [("1", "x"), ("-1", "y"), ("-3/2", "x + y"), ("2", "z")];
        let text: String = all.iter().enumerate().map(|(i, (q, of))| summand(i == 0, q, of)).collect();
        assert_eq!(text, "x − y − 3/2·(x + y) + 2·z");
        assert_eq!(summand(true, "-1", "y"), "−y");
    }
}

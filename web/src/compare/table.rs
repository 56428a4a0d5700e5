//! One line for each configuration.

use yew::prelude::*;

use crate::compare::row::{Column, Row, Status};
use crate::compare::{Compare, Msg};
use crate::ui::icon::icon;

impl Compare {
    pub(super) fn table(&self, act: &Callback<Msg>) -> Html {
        let heading = |column: Column| {
            let onclick = act.reform(move |_: MouseEvent| Msg::Sort(column));
            html! { <th class="number" scope="col"><button class="link-btn" title={format!("{}. Click to sort by this column.", column.what())} {onclick}>{ column.title() }</button></th> }
        };
        html! {
            <section class="panel table" aria-label="Results">
                <div class="scroll">
                    <table class="data" data-testid="results">
                        <thead><tr>
                            <th scope="col">{ "graph" }</th><th scope="col">{ "configuration" }</th><th scope="col">{ "verdict" }</th>
                            { for Column::ALL.into_iter().map(heading) }
                            <th></th>
                        </tr></thead>
                        <tbody>{ for self.rows.iter().enumerate().map(|(at, row)| self.line(at, row, act)) }</tbody>
                    </table>
                    if self.rows.is_empty() { <p class="empty">{ "Choose a set of strategies on the left, or add a configuration." }</p> }
                </div>
            </section>
        }
    }

    fn line(&self, at: usize, row: &Row, act: &Callback<Msg>) -> Html {
        let toggle = act.reform(move |_: Event| Msg::Toggle(at));
        let remove = act.reform(move |_: MouseEvent| Msg::Remove(at));
        let name = row.name();
        let number = |column: Column| {
            let best = row.number(column).is_some() && self.best(column) == row.number(column);
            let text = row.number(column).map_or_else(|| "–".to_owned(), |n| spaced(n, column));
            html! { <td class={classes!("number", best.then_some("best"))}>{ text }</td> }
        };
        html! {
            <tr key={name.clone()} class={classes!((row.status == Status::Running).then_some("now"))}>
                <td><input type="checkbox" checked={row.shown} onchange={toggle} disabled={row.journal.length() == 0} aria-label={format!("Show the graph of {name}")} /></td>
                <td class="code">{ &name }</td>
                <td>{ verdict(row) }</td>
                { for Column::ALL.into_iter().map(number) }
                <td class="buttons">
                    if let Some(href) = row.stepper.clone() { <a class="btn small" {href} target="_blank" title="Open this run step by step">{ "open" }</a> }
                    <button class="btn quiet small" aria-label={format!("Remove {name}")} title="Remove" onclick={remove}>{ icon("cross") }</button>
                </td>
            </tr>
        }
    }

    /// The least number among the rows with a verdict, if less is better and they differ.
    fn best(&self, column: Column) -> Option<u64> {
        let numbers = || self.rows.iter().filter(|row| row.is_decided()).filter_map(|row| row.number(column));
        let counts_effort = !matches!(column, Column::Predicates | Column::Variables);
        numbers().min().filter(|least| counts_effort && numbers().any(|n| n > *least))
    }
}

/// The verdict by word, shape and colour.
pub(super) fn verdict(row: &Row) -> Html {
    let word = row.verdict();
    let (tone, sign) = match word {
        "holds" => ("holds", "check"),
        "violated" => ("violated", "cross"),
        "waiting" => ("idle", "list"),
        "running" | "checking" => ("idle", "loop"),
        _ => ("unknown", "unknown"),
    };
    let reason = match (word, &row.outcome) {
        ("checking", _) => "An independent checker checks the certificate".to_owned(),
        ("not certified", _) => {
            "The independent checker has not accepted the certificate: the verdict is unknown".to_owned()
        }
        (_, Some(outcome)) => outcome.reason.clone(),
        (_, None) => word.to_owned(),
    };
    html! {
        <span class={classes!("answer", tone)} title={reason}>{ icon(sign) }{ word.to_owned() }
            if row.is_decided() && row.trusted.is_empty() {
                <span class="muted" title="An independent checker has accepted the certificate">{ "✓ certified" }</span>
            } else if row.is_decided() {
                <span class="muted" title={row.trusted.join(" ")}>{ "✓ certified in part" }</span>
            }</span>
    }
}

/// `1 234`; times as `12.4 ms` or `1.2 s`.
fn spaced(n: u64, column: Column) -> String {
    if column == Column::Time {
        return match n {
            0..1_000 => format!("{}.{} ms", n / 10, n % 10),
            1_000..10_000 => format!("{} ms", n / 10),
            _ => format!("{}.{} s", n / 10_000, n / 1_000 % 10),
        };
    }
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

//! Tables of scenes.

use veristep_core::scene::{Chip, Style, Table, TableRow};
use yew::prelude::*;

use super::{Shown, classes, ink, names, pick, text};

/// The table.
pub(super) fn table(table: &Table, shown: &Shown) -> Html {
    let row = |row: &TableRow| {
        html! {
            <tr key={row.key.clone()}>
                { for row.cells.iter().enumerate().map(|(column, cell)| {
                    let chips = html! { <ul>{ for cell.iter().map(|one| chip(one, shown)) }</ul> };
                    if column == 0 { html! { <th scope="row">{ chips }</th> } } else { html! { <td>{ chips }</td> } }
                }) }
            </tr>
        }
    };
    html! {
        <div class="scroll">
            <table class="chips">
                <thead><tr>{ for table.columns.iter().map(|name| html! { <th scope="col">{ name }</th> }) }</tr></thead>
                <tbody>{ for table.rows.iter().map(row) }</tbody>
            </table>
        </div>
    }
}

/// An entry.
fn chip(chip: &Chip, shown: &Shown) -> Html {
    let style = Style::of_node(&chip.marks);
    let class = classes!("chip-entry", names(&chip.marks), classes(&style), ink("text", style.text));
    let related = chip.about.iter().any(|thing| shown.related.contains(*thing));
    match pick(&chip.about, &shown.act) {
        Some(pick) => html! {
            <li {class}><button class="link-btn" aria-pressed={related.to_string()} onclick={pick.reform(|_: MouseEvent| ())}>{ text(&chip.text) }</button></li>
        },
        None => html! { <li {class}>{ text(&chip.text) }</li> },
    }
}

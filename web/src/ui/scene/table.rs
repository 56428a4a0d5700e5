//! Tables of scenes.

use veristep_core::scene::{Chip, Mark, Style, Table, TableRow};
use yew::prelude::*;

use super::{Shown, about, classes, ink, names, pick, save, text};
use crate::ui::canvas::head;

/// The table with its legend.
pub(super) fn table(heading: &str, about: &Html, table: &Table, shown: &Shown) -> Html {
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
    let marks = table.legend();
    // Where the newest entry is marked, it is the last one: the end of the table is in view.
    let grows = marks.contains(&Mark::Newest).then_some("grows");
    html! {
        <>
            { head(about, shown.save.iter().map(save).collect()) }
            <div class={classes!("scroll", grows)} tabindex="0" role="group" aria-label={heading.to_owned()}>
                <table class="chips">
                    <thead><tr>{ for table.columns.iter().map(|name| html! { <th scope="col">{ name }</th> }) }</tr></thead>
                    <tbody>{ for table.rows.iter().map(row) }</tbody>
                </table>
            </div>
            if !marks.is_empty() { { legend(&marks) } }
        </>
    }
}

/// The class of an entry with these roles.
fn class_of(marks: &[Mark]) -> Classes {
    let style = Style::of_node(marks);
    let plain = marks.is_empty().then_some("plain");
    classes!("chip-entry", plain, names(marks), classes(&style), ink("text", style.text))
}

/// An entry.
fn chip(chip: &Chip, shown: &Shown) -> Html {
    let class = class_of(&chip.marks);
    let title = (!chip.title.is_empty()).then(|| chip.title.clone());
    let related = chip.about.iter().any(|thing| shown.related.contains(*thing));
    match pick(&chip.about, &shown.act) {
        Some(pick) => html! {
            <li {class} {title} data-about={about(&chip.about)}><button class="link-btn" aria-pressed={related.to_string()} onclick={pick.reform(|_: MouseEvent| ())}>{ text(&chip.text) }</button></li>
        },
        None => html! { <li {class} {title}>{ text(&chip.text) }</li> },
    }
}

fn legend(marks: &[Mark]) -> Html {
    html! {
        <ul class="legend" aria-label="Legend">
            { for marks.iter().map(|mark| html! { <li class={class_of(&[*mark])}>{ mark.meaning() }</li> }) }
        </ul>
    }
}

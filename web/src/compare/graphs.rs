//! The graphs of chosen rows, side by side, at the same part of their runs.

use std::rc::Rc;

use yew::prelude::*;

use crate::compare::row::Row;
use crate::compare::table::verdict;
use crate::compare::{Compare, Msg};
use crate::explained::Subjects;
use crate::state::Related;
use crate::ui::arg_view::{ArgView, SaveScene};
use crate::ui::canvas::Fit;

impl Compare {
    pub(super) fn graphs(&self, act: &Callback<Msg>) -> Html {
        let shown: Vec<&Row> = self.rows.iter().filter(|row| row.shown && row.journal.length() > 0).collect();
        let slide = act.reform(|event: InputEvent| {
            crate::browser::value_of(&event).parse().map_or(Msg::Nothing, Msg::Part)
        });
        if shown.is_empty() {
            return html! { <section class="panel graphs"><p class="empty">{ "Select rows of the table to show their graphs side by side." }</p></section> };
        }
        html! {
            <section class="panel graphs" aria-label="Graphs">
                <header>
                    <h2>{ "Abstract reachability graphs" }</h2>
                    <label class="slider"><span class="muted">{ "part of each run shown" }</span>
                        <input type="range" min="0" max="100" value={self.part.to_string()} oninput={slide} data-testid="part" />
                        <span class="mono">{ format!("{} %", self.part) }</span></label>
                </header>
                <div class="side-by-side">{ for shown.iter().map(|row| graph(row, &self.save)) }</div>
            </section>
        }
    }
}

fn graph(row: &Row, save: &SaveScene) -> Html {
    let frame = &row.frame;
    let (nodes, iterations) = (frame.arg.live().count(), frame.progress.iterations.len());
    let name = row.name();
    html! {
        <figure key={name.clone()} class="graph">
            <figcaption><span class="mono">{ &name }</span>{ verdict(row) }
                <span class="grow"></span><span class="muted">{ format!("{nodes} nodes, iteration {iterations}") }</span></figcaption>
            <ArgView journal={row.journal.clone()} frame={frame.clone()} subjects={Rc::<Subjects>::default()} phase={None::<&'static str>}
                related={Rc::<Related>::default()} tools={Html::default()} alone={(AttrValue::from(file_name(&name)), save.clone())} fit={Fit { number: 0, projected: crate::browser::is_projected() }} act={Callback::noop()} />
        </figure>
    }
}

/// The file of the graph of a row: its name in letters, digits and hyphens.
fn file_name(row: &str) -> String {
    let words = row.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.fold("graph".to_owned(), |name, word| format!("{name}-{word}"))
}

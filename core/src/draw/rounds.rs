//! The table of rounds of the methods without a graph.

use crate::kit::{Event, Journal};
use crate::methods::{bmc, equation, imc, kind, pdr};
use crate::scene::{Body, Chip, Mark, Part, Table, TableRow, Text};

/// The maximal number of shown rounds, and of entries of each; the last ones are kept.
const ROUNDS: usize = 30;
const ENTRIES: usize = 24;

/// The rounds up to the last of these events, which is marked.
pub(super) fn rounds(events: &[Event], journal: &Journal) -> Part {
    let mut rounds: Vec<(u32, Vec<Chip>)> = Vec::new();
    for (i, event) in events.iter().enumerate() {
        if let Event::IterationStarted { iteration } = event {
            // The entry of the step: the round has no other one yet.
            let begins =
                (i + 1 == events.len()).then(|| Chip::new(Mark::Newest, Text::plain("the round begins")));
            rounds.push((*iteration, begins.into_iter().collect()));
        }
        if let Some(mut chip) = chip(event, journal) {
            if i + 1 == events.len() {
                chip.marks.push(Mark::Newest);
            }
            match rounds.last_mut() {
                Some((_, chips)) => chips.push(chip),
                None => rounds.push((1, vec![chip])),
            }
        }
    }
    let earlier = rounds.len().saturating_sub(ROUNDS);
    let row = |(number, chips): &(u32, Vec<Chip>)| {
        let first = chips.len().saturating_sub(ENTRIES);
        let more =
            (first > 0).then(|| Chip::new(Mark::Muted, Text::plain(&format!("{first} earlier events"))));
        let number_cell = vec![Chip::new(Mark::Muted, Text::plain(&number.to_string()))];
        let entries = more.into_iter().chain(chips[first..].iter().cloned()).collect();
        TableRow { key: format!("r{number}"), cells: vec![number_cell, entries] }
    };
    let caption = match earlier {
        0 => Text::default(),
        1 => Text::plain("1 earlier round is not shown."),
        _ => Text::plain(&format!("{earlier} earlier rounds are not shown.")),
    };
    let table = Table {
        columns: vec!["Round".to_owned(), "Queries and results".to_owned()],
        rows: rounds[earlier..].iter().map(row).collect(),
    };
    Part { heading: "Rounds".to_owned(), caption, body: Body::Table(table) }
}

fn chip(event: &Event, journal: &Journal) -> Option<Chip> {
    match *event {
        Event::Bmc(event) => Some(bmc::scene::chip(event)),
        Event::Induction(event) => Some(kind::scene::chip(event)),
        Event::Imc(event) => Some(imc::scene::chip(event, journal)),
        Event::Equation(event) => Some(equation::scene::chip(event, journal)),
        Event::Pdr(event) => Some(pdr::scene::chip(event, journal)),
        Event::Decided { verdict } => Some(Chip::new(Mark::Fact, Text::plain(&verdict.to_string()))),
        // A new row, or shown as a graph or as cells.
        Event::IterationStarted { .. } => None,
        Event::Cegar(_) | Event::Lasso(_) | Event::Split(_) | Event::Explicit(_) | Event::Under(_) => None,
        Event::CombinedApprox(_) => None,
    }
}

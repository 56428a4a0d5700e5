//! Explicit search on families of Petri nets: markings a second, and bytes a marking.
//!
//! `cargo run --release -p veristep-benches --example nets [-- FAMILY N …]`
#![allow(clippy::print_stdout)]

use std::time::Instant;

use veristep_core::generate::nets;
use veristep_core::net::Net;
use veristep_core::net::explore::{Explorer, Keep};

/// The net of that family and size.
fn family(name: &str, n: u32) -> Option<Net> {
    Some(match name {
        "philosophers" => nets::philosophers(n, false),
        "kanban" => nets::kanban(n),
        "producers" => nets::producers(n),
        "workflow" => nets::workflow(n),
        _ => return None,
    })
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usual = [
        "philosophers",
        "12",
        "philosophers",
        "16",
        "kanban",
        "4",
        "kanban",
        "5",
        "producers",
        "12",
        "workflow",
        "13",
    ];
    let usual: Vec<String> = usual.map(str::to_owned).into();
    let rows = if arguments.is_empty() { &usual } else { &arguments };
    println!(
        "{:16} {:>4} {:>10} {:>11} {:>8} {:>10} {:>9}",
        "family", "n", "markings", "firings", "ms", "M/s", "bytes"
    );
    for row in rows.chunks_exact(2) {
        let Some(net) = row[1].parse().ok().and_then(|n| family(&row[0], n)) else {
            println!("{} {}: unknown", row[0], row[1]);
            continue;
        };
        let start = Instant::now();
        let mut search = Explorer::new(&net, &vec![1; net.places.len()], Keep::Markings);
        let complete = loop {
            match search.run(&net, 100_000_000, 10_000) {
                Ok(false) => {}
                Ok(true) => break true,
                Err(_) => break false,
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        let markings = search.len() as f64;
        println!(
            "{:16} {:>4} {:>10} {:>11} {:>8.0} {:>10.2} {:>9.1}{}",
            row[0],
            row[1],
            search.len(),
            search.firings(),
            seconds * 1e3,
            markings / seconds / 1e6,
            search.bytes() as f64 / markings,
            if complete { "" } else { " (stopped)" }
        );
    }
}

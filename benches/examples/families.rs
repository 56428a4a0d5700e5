//! Writes the queries of [`veristep_benches::rows`] into a folder, one file each: `families FOLDER`.
#![allow(clippy::print_stdout)]

use veristep_benches::{Encoding, rows};

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    for (encoding, tag) in [(Encoding::Differences, "dl"), (Encoding::Sums, "la")] {
        let (deadlock, timed) = rows(encoding);
        for (kind, all) in [("deadlock", deadlock), ("timed", timed)] {
            for row in all {
                let name =
                    format!("{tag}-{kind}-{}.smt2", row.name.replace([' ', ','], "_").replace("__", "_"));
                std::fs::write(std::path::Path::new(&folder).join(&name), row.text)
                    .expect("a writable folder");
                println!("{name}\t{}", row.status);
            }
        }
    }
}

//! Law 5: golden journals of small models. `BLESS=1` (or `cargo xtask bless`) writes them anew.

use std::path::PathBuf;

use veristep_tests::models;

/// Longer journals are not pinned.
const LINES: usize = 700;

#[test]
fn golden_journals() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden");
    let bless = std::env::var_os("BLESS").is_some();
    let mut pinned = 0;
    for model in models::all() {
        let (_, outcome, journal) = model.record(|| u64::MAX);
        let text = journal.to_string();
        if outcome.is_none() || text.lines().count() > LINES {
            continue;
        }
        pinned += 1;
        let file = folder.join(format!("{}.journal", model.name));
        if bless {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &text).unwrap();
            continue;
        }
        let expected = std::fs::read_to_string(&file)
            .unwrap_or_else(|_| panic!("{} has no golden journal; run cargo xtask bless", model.name));
        let different = text.lines().zip(expected.lines()).position(|(a, b)| a != b);
        let at = different.unwrap_or(text.lines().count().min(expected.lines().count()));
        let line = |t: &str| t.lines().nth(at).unwrap_or("(the end)").to_owned();
        assert!(
            text == expected,
            "{}, line {}:\n now {}\n was {}",
            model.name,
            at + 1,
            line(&text),
            line(&expected)
        );
    }
    assert!(pinned >= 20, "only {pinned} journals are small enough");
}

//! Families of statecharts of any size, as `.sc` texts.

use std::fmt::Write as _;

/// A line of stations, each a chart of nine states with a variable: a station checks a piece, works on it or sends it
/// back, and hands it to the next one along a synchronous channel. In the faulty variant the first property is
/// violated: a station that hands a piece over still counts it.
#[must_use]
pub fn line(stations: u32, faulty: bool) -> String {
    let (verdict, handed) =
        if faulty { ("violated", "send handed") } else { ("holds", "pieces := 0; send handed") };
    let mut text = format!("// {verdict}: a station without a piece counts none.\n");
    text.push_str(
        "chart Station {
  var pieces : 0..3 = 0
  state Idle
    on piece -> Holding / pieces := 1
  state Holding
    initial Check
    on reject -> Clean / pieces := 0
    state Check
      on ok -> Work
      on bad [pieces < 3] -> Rework / pieces := pieces + 1
    state Work
      after 2 -> Cool
    state Rework
      on ok -> Check
      on bad -> Scrap
    state Cool
      after 1 -> Ready
    state Scrap
      always -> Clean / pieces := 0
    state Ready
",
    );
    let _ = writeln!(
        text,
        "      on next -> Idle / {handed}\n  state Clean\n    after 1 -> Idle\n}}\nsystem Line {{"
    );
    let all: Vec<String> = (1..=stations).map(|n| format!("s{n}")).collect();
    let _ = writeln!(text, "  component {} : Station", all.join(", "));
    for pair in all.windows(2) {
        let _ = writeln!(text, "  channel {}.handed -> {}.piece", pair[0], pair[1]);
    }
    let last = &all[all.len() - 1];
    let _ = writeln!(
        text,
        "  property idle_is_empty: in(s1.Idle) -> s1.pieces = 0
  property works_on_a_piece: in({last}.Work) -> {last}.pieces >= 1
  property never_three: s1.pieces < 3
}}"
    );
    text
}

//! Tests of the language of charts.

use super::parse;
use crate::chart::explore::explore;
use crate::chart::facts::Facts;
use crate::chart::machine::{Fault, Machine};

const LIGHT: &str = "chart Light {
  var waiting : bool = false
  initial Red
  state Red
    on button / waiting := true
    on tick [waiting] -> Green
  state Green  on tick -> Red / waiting := false
}";

#[test]
fn a_chart_of_one_slide() {
    let chart = parse(LIGHT).unwrap_or_else(|d| panic!("{}", d[0]));
    let machine = Machine::new(&chart);
    let (mut status, _) = machine.start().unwrap();
    for (event, state) in [("tick", "Red"), ("button", "Red"), ("tick", "Green"), ("tick", "Red")] {
        let event = chart.find_event(event).unwrap();
        status = machine.react(&status, event, &[]).unwrap().0;
        assert!(status.active.contains(&chart.find_state(state).unwrap()), "{state}");
    }
    assert_eq!(explore(&chart, 100).statuses.len(), 3);
}

#[test]
fn lines_belong_to_the_states_above_them() {
    let chart = parse(
        "chart C {
           event coin(amount : 1..3), stop
           var credit : 0..5 = 0
           state On
             region Left
               state A  on coin [credit + coin.amount <= 5] -> B / credit := credit + coin.amount
               state B
                 always [credit > 2] -> End
               final End
             region Right
               history H -> C
               state C  on stop -> D
               state D
             done -> Off
             on stop -> H
           state Off
             entry / if credit > 4 { raise x; send beep } else { credit := 0 }
             after 2 -> On
         }",
    )
    .unwrap_or_else(|d| panic!("{}", d[0]));
    let names: Vec<&str> = chart.states.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(
        names.join(" "),
        "C On On.Left On.Left.A On.Left.B On.Left.End On.Right On.Right.H On.Right.C On.Right.D Off"
    );
    let found = explore(&chart, 1000);
    assert!(!found.truncated && found.faults.is_empty(), "{:?}", found.faults);
}

#[test]
fn wrong_lines_are_reported() {
    for (text, message) in [
        ("chart C { state A on x }", "neither a target"),
        ("chart C { state A on x -> B }", "there is no state 'B'"),
        ("chart C { state A on x -> A / y := 1 }", "unknown variable 'y'"),
        ("chart C { }", "no states"),
        ("chart C {\nstate A\nstate A }", "two states 'A'"),
        ("chart C { state A state B }", "a line of its own"),
        ("chart C { var x : 0..3 = 7 state A }", "not in the range"),
        ("chart C { region A }", "inside of a state"),
        ("chart C {\nstate A\nhistory H }", "no default"),
        ("chart C { state A property p: G (x = 1) }", "unknown name 'x'"),
        ("chart C { state state }", "a word of the language"),
        ("chart C { state A on e [1] -> A }", "expected bool"),
        ("chart C { state A foo }", "a word that begins a line"),
    ] {
        let wrong = crate::run::load(crate::run::Kind::Sc, text).err().unwrap_or_else(|| panic!("{text}"));
        assert!(wrong[0].message.contains(message), "{text}: {}", wrong[0].message);
    }
}

#[test]
fn facts_hint_at_mistakes() {
    let chart = parse(
        "chart C {
           state A
             on e -> B
             on e [in(A)] -> C
             on f -> D
           state B  on x -> A
           state C  on e -> A
           state D  always -> E
           state E  always -> D
           state F
         }",
    )
    .unwrap_or_else(|d| panic!("{}", d[0]));
    let facts = Facts::of(&chart, 100);
    let names: Vec<&str> = facts.unreachable.iter().map(|s| chart.state(*s).name.as_str()).collect();
    assert_eq!(names, ["C", "D", "E", "F"]);
    let dead: Vec<String> = facts.dead.iter().map(|t| chart.transition_text(*t)).collect();
    assert!(dead.contains(&"C -> A on e".to_owned()) && dead.contains(&"A -> C on e".to_owned()), "{dead:?}");
    let chosen: Vec<_> = facts.conflicts.iter().map(|(a, b)| [a.0, b.0]).collect();
    assert_eq!(chosen, [[0, 1]]);
    assert!(
        facts.found.faults.iter().any(|(_, fault)| *fault == Fault::Livelock),
        "{:?}",
        facts.found.faults
    );
}

#[test]
fn clocks_and_states_have_numbers_of_their_own() {
    let text = "chart C {
      initial A
      state B
      state A
        on e [in(A)] -> B
        after 5 -> A
      state D  after 2 -> B
    }";
    let chart = parse(text).unwrap_or_else(|d| panic!("{}", d[0]));
    assert!(explore(&chart, 100).statuses.iter().any(|s| s.active.contains(&chart.find_state("B").unwrap())));
    assert_eq!(crate::formats::sc::print(&chart).matches("[in(A)]").count(), 1);
}

#[test]
fn names_in_guards_denote_the_nearest_state() {
    let text = "chart C {
      initial B
      state A
      state B
        on f -> A
        on e [in(A)] -> ok
        state Z
        state A
        state ok
    }";
    let chart = parse(text).unwrap_or_else(|d| panic!("{}", d[0]));
    let found = explore(&chart, 100);
    let ok = chart.find_state("B.ok").unwrap();
    assert!(found.statuses.iter().any(|s| s.active.contains(&ok)));
    let internal = parse("chart C { internal tick\nstate A after 2 -> A }").expect_err("no tick");
    assert!(internal[0].message.contains("no 'tick'"), "{}", internal[0].message);
}

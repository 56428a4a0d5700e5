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
    assert_eq!(names, ["C", "F"]);
    let dead: Vec<String> = facts.dead.iter().map(|t| chart.transition_text(*t)).collect();
    assert!(dead.contains(&"C -> A on e".to_owned()) && dead.contains(&"A -> C on e".to_owned()), "{dead:?}");
    let chosen: Vec<_> = facts.conflicts.iter().map(|(a, b)| [a.0, b.0]).collect();
    assert_eq!(chosen, [[0, 1]]);
    assert!(
        facts.found.faults.keys().any(|(_, fault)| *fault == Fault::Livelock),
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

/// A text with an error: line and message.
fn error(text: &str) -> String {
    let found = parse(text).expect_err("an error");
    let line = text[..found[0].span.start as usize].matches('\n').count() + 1;
    format!("{line}: {}", found[0].message)
}

#[test]
fn systems_of_charts_are_composed() {
    let chart = "chart A {\n state X\n  on go -> Y / send out\n state Y\n  on back -> X\n}\n";
    let both = |system: &str| format!("{chart}system S {{\n component a, b : A\n {system}\n}}\n");
    let found = |text: &str| explore(&parse(text).expect("a system"), 100);
    // Without a channel they are independent.
    assert_eq!(found(&both("")).statuses.len(), 4);
    // Along a channel the other one goes at once.
    let synchronous = found(&both("channel a.out -> b.go"));
    let chart = parse(&both("channel a.out -> b.go")).expect("a system");
    let external: Vec<&str> = chart.events.iter().filter(|e| e.external).map(|e| e.name.as_str()).collect();
    assert_eq!(external, ["a.go", "a.back", "b.back"]);
    assert_eq!(synchronous.statuses.len(), 4);
    // In a queue messages wait, and too many of them are a fault.
    let queued = parse(&both("channel line: a.out -> b.go queue 2")).expect("a system");
    let found = explore(&queued, 100);
    assert_eq!((found.statuses.len(), found.faults.len()), (12, 1));
    assert!(queued.find_event("line").is_some_and(|e| queued.event(e).external));
    assert!(queued.find_state("b.Y").is_ok());
}

#[test]
fn mistakes_in_systems_have_their_places() {
    let chart = "chart A {\n event go(n : 0..1)\n state X\n  on go -> X / send out\n}\n";
    assert_eq!(
        error(&format!("{chart}chart B {{ state X }}\n")),
        "6: a text with several charts needs a 'system' of them after the last one"
    );
    let with = |system: &str| error(&format!("{chart}system S {{\n{system}\n}}\n"));
    assert_eq!(with("component a : B"), "7: there is no chart 'B'");
    assert_eq!(with("component a, a : A"), "7: the name 'a' is used twice");
    assert_eq!(with("component a : A channel a.out -> b.go"), "7: there is no component 'b'");
    assert_eq!(with("component a : A channel a.out -> a.stop"), "7: no transition waits for 'a.stop'");
    assert_eq!(
        with("component a : A channel a.out -> a.go"),
        "7: 'a.go' has parameters, but channels carry no values"
    );
    assert_eq!(
        with("component a : A channel a.out -> a.go queue 2"),
        "7: a channel with a queue has a name: channel line: a.out -> b.in queue 3"
    );
    assert_eq!(
        with("state X"),
        "7: expected 'component', 'channel', 'queue', 'property', or '}', but 'state' is here instead"
    );
}

/// Names in a component are those of its chart, also where another component or the system has the same.
#[test]
fn components_have_names_of_their_own() {
    let text = "chart A {
  var line : 0..5 = 4
  state Red
    on go -> Green / line := line + 1; send out
  state Green
    on tick [in(Green)] -> Red / line := 4
}
system S {
  component a, b : A
  channel line: a.out -> b.go queue 2
}
";
    let chart = parse(text).expect("a system");
    assert!(chart.find_event("tick").is_some() && chart.find_event("a.tick").is_none());
    let found = explore(&chart, 1_000);
    assert!(
        found
            .faults
            .keys()
            .all(|(_, fault)| matches!(fault, Fault::Range(v) if chart.variables[v.index()].name == "line"))
    );
    let wrong = text.replace("in(Green)", "in(Blue)").replace("-> Green", "-> b.Green");
    assert_eq!(error(&wrong), "4: there is no state 'b.Green'");
}

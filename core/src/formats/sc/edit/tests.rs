//! Edits of the examples and of small texts.

use super::edit;
use crate::edit::automaton::{ChartEdit, Edit};
use crate::edit::changed;
use crate::formats::sc::{self, parse};
use crate::system::Role;

const LIGHT: &str = "\
// A light.
chart Light {
  event switch
  initial Off
  // It is dark.
  state Off
    on switch -> On
  state On
    initial Red
    on switch -> Off
    // It is red.
    state Red
      on tick -> Green // soon
    state Green
      on tick [!in(Red)] -> Red / raise done_it
  property safe: !(in(On.Red) && in(Green))
}
";

fn apply(text: &str, edits: &[Edit]) -> Result<String, String> {
    let lists = edit(text, edits).map_err(|refusal| refusal.0)?;
    let apply = |text: String, list: &Vec<crate::edit::Change>| changed(&text, list);
    lists.iter().try_fold(text.to_owned(), apply).ok_or_else(|| "the changes do not fit".to_owned())
}

fn done(edits: &[Edit]) -> String {
    apply(LIGHT, edits).unwrap_or_else(|why| panic!("{why}"))
}

fn name(name: &str) -> String {
    name.to_owned()
}

#[test]
fn states_are_added_renamed_and_removed() {
    let new = done(&[Edit::AddLocation { name: name("On.Yellow"), role: Role::Plain }]);
    assert!(new.contains("raise done_it\n    state Yellow\n  property"), "{new}");
    let renamed = done(&[Edit::Rename { location: name("On.Red"), name: name("Stop") }]);
    assert!(
        renamed.contains("initial On.Stop") && renamed.contains("[!in(On.Stop)] -> On.Stop"),
        "{renamed}"
    );
    assert!(
        renamed.contains("!(in(On.Stop) && in(Green))") && renamed.contains("// It is red."),
        "{renamed}"
    );
    let removed = done(&[Edit::Delete { locations: vec![name("Off")], edges: vec![] }]);
    assert!(!removed.contains("Off") && removed.contains("// It is dark."), "{removed}");
    let used = apply(LIGHT, &[Edit::Delete { locations: vec![name("On.Red")], edges: vec![] }]);
    assert_eq!(used, Err(name("line 15 names the state 'Red'; change it first")));
}

#[test]
fn arrows_are_added_labelled_led_elsewhere_and_removed() {
    let connect = Edit::Connect {
        source: name("Off"),
        target: name("On.Green"),
        statements: name("[in(Off)] / send x"),
    };
    assert!(done(&[connect]).contains("-> On\n    always [in(Off)] -> Green / send x\n  state On"));
    let label = Edit::SetStatements { edge: 1, statements: name("after 3 / raise late") };
    assert!(done(&[label]).contains("after 3 -> Off / raise late"));
    let target = Edit::Reconnect { edge: 2, source: name("On.Red"), target: name("Off") };
    assert!(done(&[target]).contains("on tick -> Off // soon"));
    let source = Edit::Reconnect { edge: 3, source: name("Off"), target: name("On.Red") };
    let moved = done(&[source]);
    assert!(moved.contains("on switch -> On\n    on tick [!in(Red)] -> Red / raise done_it\n"), "{moved}");
    let gone = done(&[Edit::Delete { locations: vec![], edges: vec![2] }]);
    assert!(!gone.contains("soon") && gone.contains("state Red\n    state Green"), "{gone}");
    let two = Edit::SetStatements { edge: 0, statements: name("switch -> Off\n on tick") };
    assert!(apply(LIGHT, &[two]).is_err());
}

#[test]
fn charts_get_another_structure() {
    let wrap = |states: &[&str]| {
        let states = states.iter().map(|state| name(state)).collect();
        Edit::Chart(ChartEdit::Wrap { states, name: name("Work") })
    };
    let wrapped = done(&[wrap(&["On.Red", "On.Green"])]);
    assert!(wrapped.contains("    state Work\n      // It is red.\n      state Red\n"), "{wrapped}");
    assert!(wrapped.contains("!(in(On.Work.Red) && in(On.Work.Green))"), "{wrapped}");
    let regions = done(&[Edit::Chart(ChartEdit::AddRegion { state: name("On") })]);
    assert!(regions.contains("    region Region1\n      initial "), "{regions}");
    assert!(regions.ends_with(
        "    region Region2\n  property safe: !(in(On.Region1.Red) && in(On.Region1.Green))\n}\n"
    ));
    let three =
        apply(&regions, &[Edit::Chart(ChartEdit::AddRegion { state: name("On") })]).expect("a region");
    assert!(three.contains("    region Region2\n    region Region3\n"));
    let history = done(&[Edit::Chart(ChartEdit::AddHistory { state: name("On"), deep: true })]);
    assert!(history.contains("    deep history Deep1 -> Red\n    // It is red."), "{history}");
    let moved = done(&[Edit::Chart(ChartEdit::MoveInto { state: name("On.Red"), into: name("") })]);
    assert!(
        !moved.contains("initial Red")
            && moved.contains("\n  // It is red.\n  state Red\n    on tick -> On.Green // soon\n"),
        "{moved}"
    );
    let initial = done(&[Edit::SetRole { location: name("On.Green"), role: Role::Initial }]);
    assert!(initial.contains("    initial Green\n"));
    let last = apply(LIGHT, &[Edit::SetRole { location: name("Off"), role: Role::Final }]);
    assert!(last.is_err(), "a final state has no transitions");
}

#[test]
fn states_are_folded_in_their_line() {
    let fold = |state: &str, folded| Edit::Chart(ChartEdit::Fold { state: name(state), folded });
    let folded = done(&[fold("On", true)]);
    assert!(folded.contains("  state On folded\n"), "{folded}");
    let chart = parse(&folded).expect("a chart");
    let on = chart.find_state("On").expect("a state");
    assert!(chart.is_folded(on) && sc::print(&chart).contains("state On folded\n"));
    assert_eq!(chart.shown_as(chart.find_state("On.Red").expect("a state")), on);
    assert_eq!(apply(&folded, &[fold("On", false)]).expect("unfolded"), LIGHT);
    // A state that has nothing in it is drawn as it is.
    let leaf = apply(LIGHT, &[fold("Off", true), fold("On", true), fold("On", true)]).expect("folded");
    let chart = parse(&leaf).expect("a chart");
    assert!(!chart.is_folded(chart.find_state("Off").expect("a state")));
    let named =
        "chart C {\n  state folded\n    on e -> folded\n  state \"a b\" folded // small\n    state D\n}\n";
    let chart = parse(named).expect("a state can have this name");
    assert_eq!(chart.state_ids().filter(|s| chart.is_folded(*s)).count(), 1);
    assert!(parse("chart C {\n  state A\n    history H -> B folded\n    state B\n}\n").is_err());
    let open = apply(named, &[fold("a b", false)]).expect("unfolded");
    assert!(open.contains("  state \"a b\" // small\n"), "{open}");
}

#[test]
fn texts_begin_and_layouts_are_kept() {
    let first =
        apply("// mine\n", &[Edit::AddLocation { name: name("A"), role: Role::Initial }]).expect("a chart");
    assert_eq!(first, "// mine\nchart Chart {\n  state A\n}\n");
    let pin = |place| Edit::Move { places: vec![(name("On.Red"), place)] };
    let placed = done(&[pin(Some((10, -20)))]);
    assert!(
        placed.ends_with("  layout {\n    \"On.Red\" 10 -20\n  }\n}\n") || placed.contains("On.Red 10 -20"),
        "{placed}"
    );
    let again = apply(&placed, &[pin(Some((1, 2)))]).expect("another place");
    assert_eq!(parse(&again).expect("a chart").pins.len(), 1);
    assert_eq!(apply(&again, &[pin(None)]).expect("no place"), LIGHT);
}

#[test]
fn layouts_are_edited_entry_by_entry() {
    let text = "chart C {\n  state \"Big State\"\n  state B\n  layout { \"Big State\" 1 2  B 3 4 }\n}\n";
    let moved =
        apply(text, &[Edit::Move { places: vec![(name("Big State"), Some((5, 6)))] }]).expect("moved");
    let pins = parse(&moved).expect("a chart").pins;
    assert_eq!((pins.get("Big State"), pins.get("B")), (Some(&(5, 6)), Some(&(3, 4))));
    let gone =
        apply(text, &[Edit::Delete { locations: vec![name("Big State")], edges: vec![] }]).expect("gone");
    assert_eq!(parse(&gone).expect("a chart").pins.len(), 1);
    let declared = "chart C {\n  state A\n    on e -> B\n    internal f\n  state B\n}\n";
    let refused = apply(declared, &[Edit::Delete { locations: vec![name("A")], edges: vec![] }]);
    assert_eq!(refused, Err(name("line 4 declares something for the whole chart; move it first")));
    let comment = apply("// mine", &[Edit::AddLocation { name: name("A"), role: Role::Initial }]);
    assert_eq!(comment.as_deref(), Ok("// mine\nchart Chart {\n  state A\n}\n"));
    let guard = "chart C {\n  state A\n    on e [true -> false] -> internal B\n    state B\n}\n";
    let label = Edit::SetStatements { edge: 0, statements: name("e [false]") };
    assert!(apply(guard, &[label]).expect("a label").contains("on e [false] -> internal B"));
}

//! Texts that are read, that are refused, and that are edited.

use super::*;
use crate::edit::automaton::Edit;
use crate::ltl::propositional;
use crate::system::Role;

#[test]
fn what_is_printed_is_read_again() {
    for text in ["G(p -> F q)", "GFp & GFq", "p U q", "false", "true", "F(p & X(q & XF!p))"] {
        let f = propositional(text).unwrap();
        for a in [
            crate::buchi::of_formula(&f.formula, &f.atoms).unwrap(),
            crate::buchi::generalized(&f.formula, &f.atoms).unwrap(),
        ] {
            let printed = print(&a, text);
            assert_eq!(print(&parse(&printed).unwrap(), text), printed);
        }
    }
}

#[test]
fn other_spellings_are_read() {
    let text = "HOA: v1 States: 2 Start: 0 Start: 1 acc-name: Buchi Acceptance: 1 Inf(0) AP: 2 \"a\" \"b c\"
        Alias: @x 0 & !1 /* comment */ --BODY-- State: [@x | 1] 0 \"first\" {0} 1 State: 1 0 1 0 {0} 1 --END--";
    let a = parse(text).unwrap();
    assert_eq!((a.states.len(), a.marks, a.atoms[1].as_str()), (3, 1, "b c"));
    let error = |text: &str| parse(text).unwrap_err().remove(0).message;
    let text = "HOA: v1 States: 1 Start: 0 Acceptance: 3 (Inf(2)&(Inf(0))) AP: 0 --BODY-- State: 0 [t] 0 {1 2} --END--";
    let a = parse(text).unwrap();
    assert_eq!((a.marks, a.states[0][0].marks), (2, Marks::one(0)), "set 1 is not in the condition");
    assert!(error("HOA: v1 Acceptance: 2 Fin(0) & Inf(1) --BODY-- --END--").contains("Fin"));
    assert!(
        error("HOA: v1 Acceptance: 1 Inf(0) AP: 1 \"a\" --BODY-- State: 0 [3] 0 --END--")
            .contains("no atom 3")
    );
    assert!(error("HOA: v1 Start: 0&1 Acceptance: 0 t").contains("alternating"));
    assert!(error("digraph {}").contains("HOA"));
    let text =
        "\u{feff}HOA: v1 Alias: @a 0 AP: 1 \"p\" Start: 0 Acceptance: 0 t --BODY-- State: 0 [@a] 0 --END--";
    assert_eq!(parse(text).unwrap().transitions(), 1, "aliases may come first");
    assert!(error(&format!("{text} {}", &text[3..])).contains("second automaton"));
    assert!(error(&text.replace("[@a]", "")).contains("there must be 2"));
    let atoms: String = (0..40).map(|i| format!(" \"p{i}\"")).collect();
    let many = text.replace("AP: 1 \"p\"", &format!("AP: 40{atoms}"));
    assert_eq!(parse(&many).unwrap().atoms.len(), 40);
    assert!(error(&many.replace("[@a]", "")).contains("more than 20 atoms"));
    assert!(
        error("HOA: v1 States: 1 Start: 0 Acceptance: 0 t --BODY-- State: 0 [t] 5 --END--")
            .contains("no state 5")
    );
}

/// The text after edits, which can be undone.
fn after(text: &str, edits: &[Edit]) -> String {
    let lists = edit(text, edits).unwrap_or_else(|why| panic!("{why}\n{text}"));
    lists.iter().fold(text.to_owned(), |text, changes| crate::edit::changed(&text, changes).unwrap())
}

fn connect(source: &str, target: &str, statements: &str) -> Edit {
    let [source, target, statements] = [source, target, statements].map(str::to_owned);
    Edit::Connect { source, target, statements }
}

#[test]
fn an_automaton_is_drawn_from_nothing() {
    let state = |name: &str| Edit::AddLocation { name: name.to_owned(), role: Role::Plain };
    let edits = [
        state("q0"),
        state("wait"),
        connect("q0", "q0", "!request | answer"),
        connect("q0", "wait", "request & !answer"),
        connect("wait", "wait", ""),
        Edit::SetAccepting { locations: vec!["q0".to_owned()], accepting: true },
        connect("wait", "q0", "x > 1"),
        Edit::Move { places: vec![("wait".to_owned(), Some((120, 40)))] },
    ];
    let text = after("", &edits);
    assert_eq!(
        text,
        "HOA: v1
States: 2
Start: 0
AP: 3 \"request\" \"answer\" \"x > 1\"
acc-name: Buchi
Acceptance: 1 Inf(0)
--BODY--
State: 0 {0}
[!0 | 1] 0
[0 & !1] 1
State: 1 \"wait\"
[t] 1
[2] 0
--END--

/* layout wait 120 40 */
"
    );
    let drawn = automaton(&text).unwrap();
    assert_eq!(drawn.edges[3].statements, ["\"x > 1\""]);
    let renamed = Edit::Rename { location: "wait".to_owned(), name: "q1".to_owned() };
    assert!(after(&text, &[renamed]).contains("State: 1\n") && !text.contains("layout q1"));
    // The other states get smaller numbers.
    let gone = Edit::Delete { locations: vec!["q0".to_owned()], edges: vec![] };
    let text = after(&text, &[gone]);
    assert!(text.contains("States: 1\nAP") && text.contains("State: 0 \"wait\"\n[t] 0\n--END--"), "{text}");
}

#[test]
fn what_an_edit_makes_untrue_is_removed() {
    let formula = propositional("G(p -> F q)").unwrap();
    let text = print(&crate::buchi::of_formula(&formula.formula, &formula.atoms).unwrap(), "");
    assert!(text.contains(" deterministic"));
    let edge = after(&text, &[connect("q0", "q0", "p {0}")]);
    assert!(!edge.contains("deterministic") && !edge.contains("state-acc"), "{edge}");
    assert!(after(&text, &[connect("q0", "q0", "p")]).contains("state-acc"));
    assert!(edge.contains("[0] 0 {0}\n"), "{edge}");
    let moved = Edit::Move { places: vec![("q0".to_owned(), Some((1, 2)))] };
    assert_eq!(after(&text, &[moved]), format!("{text}\n/* layout q0 1 2 */\n"));
}

#[test]
fn what_the_format_cannot_say_is_refused() {
    let text =
        "HOA: v1 States: 2 Start: 0 AP: 1 \"a\" Acceptance: 0 t --BODY-- State: [0] 0 1 State: 1 0 1 --END--";
    let why = |one: Edit| edit(text, &[one]).unwrap_err().0;
    assert!(why(connect("q0", "q0", "a")).contains("labels of their own"));
    assert!(why(connect("q1", "q0", "a")).contains("labels of their own"));
    assert!(why(connect("q1", "q0", "F a")).contains("temporal"));
    assert!(why(connect("q1", "q0", "a &")).contains("expected"));
    let named = |name: &str| Edit::Rename { location: "q0".to_owned(), name: name.to_owned() };
    assert!(why(named("q7")).contains("without a name") && why(named("")).contains("at least one"));
    let one = |accepting| Edit::SetAccepting { locations: vec!["q0".to_owned()], accepting };
    assert_eq!(after(text, &[one(true)]), text);
    let text = after(text, &[one(false)]);
    assert!(text.contains("Acceptance: 1 Inf(0)") && text.contains("State: 1 {0} 0 1"), "{text}");
}

#[test]
fn texts_that_were_misread() {
    let of = |body: &str| {
        format!("HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"p\"\nAcceptance: 1 Inf(0)\n--BODY--\n{body}--END--\n")
    };
    // No letter takes this transition.
    let never = parse(&of("State: 0 {0}\n[f] 0\n")).unwrap();
    assert_eq!((never.some_word(), never.transitions()), (None, 0));
    assert!(parse("HOA: v1 /* a /* b */ c */ States: 0 AP: 0 Acceptance: 0 t --BODY-- --END--").is_ok());
    let parts = parse(&of("State: 0 {0}\n[t] 0\nState: 1 {0}\n[0] 1\n")).unwrap();
    let atoms: Vec<String> = (0..40).map(|i| format!("a{i}")).chain(["p".to_owned()]).collect();
    assert_eq!(parts.over(&atoms).unwrap().some_word().unwrap().cycle.len(), 1);
}

#[test]
fn edits_change_nothing_else() {
    let of = |header: &str, body: &str| {
        format!(
            "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"p\"\n{header}Acceptance: 1 Inf(0)\n--BODY--\n{body}--END--\n"
        )
    };
    let role = |location: &str| Edit::SetRole { location: location.to_owned(), role: Role::Initial };
    let same = of("properties: deterministic\n", "State: 0 \"q7\" {0}\n[t] 0\n");
    let accepting = Edit::SetAccepting { locations: vec!["q0".to_owned()], accepting: true };
    let rename = |old: &str, new: &str| Edit::Rename { location: old.to_owned(), name: new.to_owned() };
    let ends = Edit::Reconnect { edge: 0, source: "q0".to_owned(), target: "q0".to_owned() };
    let label = Edit::SetStatements { edge: 0, statements: String::new() };
    for edit in [role("q0"), accepting, rename("q0", "q0"), ends, label] {
        assert_eq!(after(&same, &[edit]), same);
    }
    // States that are named are described, and what is not true any more is removed.
    let text = of("properties: implicit-labels state-acc\n", "State: 0 {0}\n0 0\n");
    let text = after(&text, &[connect("q1", "q0", "p")]);
    assert!(text.contains("properties: state-acc\n") && text.contains("State: 1\n[0] 0\n"), "{text}");
    let text = after(&of("", "State: 0 {0}\n[t] 0\n"), &[connect("q0", "q1", "p")]);
    assert!(text.contains("[t] 0\n[0] 1\nState: 1\n--END--"), "{text}");
    // Comments stay, places of others, too.
    let text = of("", "State: 0 /* n */ \"x\" /* m */ {0}\n[0] 0 /* k */ {0}\nState: 1\n[t] 0\n");
    let edits = [rename("x", "y"), Edit::SetStatements { edge: 0, statements: "!p {0}".to_owned() }];
    let text = after(&text, &edits);
    assert!(text.contains("State: 0 /* n */ \"y\" /* m */ {0}\n[!0] 0 /* k */ {0}\n"), "{text}");
    let gone = Edit::Delete { locations: vec!["y".to_owned()], edges: vec![] };
    let text = after(&format!("{text}/* layout q0 5 5 */\n/* layout z 1 1 */\n"), &[gone]);
    assert!(text.contains("/* layout z 1 1 */") && !text.contains("layout q0"), "{text}");
    let all = Edit::Delete { locations: vec!["q0".to_owned()], edges: vec![] };
    assert!(after(&text, &[all]).contains("States: 0"));
    let many: Vec<String> = (0..30).map(|i| format!("a{i}")).collect();
    let long = connect("q0", "q0", &many.join(" xor "));
    assert!(edit(&text, &[long]).unwrap_err().0.contains("too long"));
}

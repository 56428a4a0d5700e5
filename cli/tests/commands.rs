//! The command line as used by scripts: output, messages, exit status.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn veristep(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_veristep")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn corpus(name: &str) -> String {
    format!("{}/../tests/corpus/cfa/{name}.cfa", env!("CARGO_MANIFEST_DIR"))
}

/// A file of this test run.
fn scratch(name: &str, contents: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, contents).unwrap();
    path
}

fn path(p: &Path) -> &str {
    p.to_str().unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(&output.stdout)))
}

#[test]
fn verdicts_and_exit_status() {
    for (name, status, verdict) in [("peterson", 0, "holds"), ("peterson-bug", 1, "violated")] {
        let output = veristep(&["check", &corpus(name), "--format", "json"]);
        let object = json(&output);
        assert_eq!((output.status.code(), object["verdict"].as_str()), (Some(status), Some(verdict)));
        assert_eq!(object["certified"], true);
        for field in ["iterations", "abstract_states", "predicates", "queries"] {
            assert!(object[field].as_u64().is_some(), "{field}: {object}");
        }
        assert_eq!(
            object["per_iteration"].as_array().unwrap().len() as u64,
            object["iterations"].as_u64().unwrap()
        );
        assert_eq!(object["trace"].is_array(), verdict == "violated");
    }
}

#[test]
fn limits_end_in_unknown() {
    for limit in [["--timeout", "0.5"], ["--fuel", "300"]] {
        let output = veristep(&["check", &corpus("diverging"), "--format", "json", limit[0], limit[1]]);
        assert_eq!(output.status.code(), Some(3));
        let object = json(&output);
        assert_eq!(
            (object["verdict"].as_str(), object["certified"].as_bool()),
            (Some("unknown"), Some(false))
        );
        assert!(object["reason"].as_str().unwrap().contains(limit[0]), "{object}");
    }
}

#[test]
fn properties_from_the_command_line_and_from_files() {
    let model = corpus("counting-loop");
    let status = |arguments: &[&str]| veristep(&[&["check", &model], arguments].concat()).status.code();
    assert_eq!(status(&["--property", "x <= 5"]), Some(1), "x starts with any value");
    assert_eq!(status(&["--property", "x = x"]), Some(0));
    let file = scratch("x.prop", "prop { x = x }\n");
    assert_eq!(status(&["--property-file", path(&file)]), Some(0));
    let file = scratch("two.prop", "// two questions\nx = x\nx <= 5\n");
    let output = veristep(&["check", &model, "--property-file", path(&file), "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let verdicts: Vec<Value> =
        text(&output.stdout).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!([&verdicts[0]["verdict"], &verdicts[1]["verdict"]], ["holds", "violated"]);
}

#[test]
fn certificates_are_written_accepted_and_bound_to_their_model() {
    for (name, other) in [("peterson", "peterson-bug"), ("peterson-bug", "peterson")] {
        let file = scratch(&format!("{name}.json"), "");
        veristep(&["check", &corpus(name), "--certificate", path(&file)]);
        let accepted = veristep(&["certify", &corpus(name), path(&file)]);
        assert_eq!(accepted.status.code(), Some(0), "{}", text(&accepted.stdout));
        assert!(text(&accepted.stdout).starts_with("accepted: "));
        let rejected = veristep(&["certify", &corpus(other), path(&file)]);
        assert_eq!(rejected.status.code(), Some(1), "{}", text(&rejected.stdout));
        assert!(text(&rejected.stdout).starts_with("rejected: "));
    }
}

#[test]
fn journals_and_links_are_written() {
    let file = scratch("figure.journal", "");
    let model = corpus("hajdu-micskei-2020-figure-1");
    veristep(&["check", &model, "--journal", path(&file)]);
    let journal = std::fs::read_to_string(&file).unwrap();
    assert!(journal.starts_with("veristep journal 1\niteration 1\n") && journal.ends_with("decided Holds\n"));
    let output = veristep(&["link", &model, "--base", "https://example.org/"]);
    let link = text(&output.stdout);
    assert!(link.starts_with("https://example.org/#"), "{link}");
    let fragment = link.trim().split_once('#').unwrap().1;
    let opened = veristep_core::link::Link::decode(fragment).unwrap();
    assert_eq!(opened.link.text, std::fs::read_to_string(model).unwrap());
}

#[test]
fn mistakes_are_named_with_their_place() {
    let bad = scratch("bad.cfa", "main process p {\n  var x : int\n  init loc a\n  a -> b { x := y }\n}\n");
    let cases: &[(&[&str], &str)] = &[
        (&["check", path(&bad)], "bad.cfa:4:"),
        (&["check", "there-is-no-such-file.cfa"], "there-is-no-such-file.cfa: error: "),
        (
            &["check", &corpus("parity"), "--kind", "petri"],
            "error: models of kind 'petri' are not supported yet",
        ),
        (&["check", &corpus("parity"), "--engine", "magic"], "invalid value 'magic'"),
        (&["check", &corpus("parity"), "--property", "x +"], "property:1:4: error: "),
        (
            &["check", &corpus("parity"), "--timeout", "0"],
            "error: --timeout needs a positive number of seconds",
        ),
        (&["certify", &corpus("parity"), path(&bad)], "not a certificate"),
        (&["frobnicate"], "unrecognized subcommand 'frobnicate'"),
    ];
    for (arguments, message) in cases {
        let output = veristep(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(message), "{arguments:?} says: {said}");
    }
    let binary = scratch("binary.cfa", "");
    std::fs::write(&binary, b"main\n\xff\xfe").unwrap();
    assert!(
        text(&veristep(&["check", path(&binary)]).stderr)
            .contains("binary.cfa:2:1: error: the file is not UTF-8")
    );
}

#[test]
fn what_is_not_supported_is_unknown_with_its_place() {
    let model = scratch(
        "float.cfa",
        "main process p {\n  var f : fp[5:11]\n  init loc a\n  error loc b\n  a -> b { }\n}\n",
    );
    let output = veristep(&["check", path(&model), "--format", "json"]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    assert!(json(&output)["reason"].as_str().unwrap().contains("float.cfa:2:"), "{}", text(&output.stdout));
}

#[test]
fn garbled_certificates_never_panic() {
    let model = corpus("parity");
    let file = scratch("whole.json", "");
    veristep(&["check", &model, "--certificate", path(&file)]);
    let whole = std::fs::read(&file).unwrap();
    let mut state: u64 = 9;
    for round in 0..40 {
        let mut bytes = whole.clone();
        for _ in 0..3 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (state >> 33) as usize % bytes.len();
            bytes[at] = b"0(){}[]\"x:,= -+*9"[(state >> 20) as usize % 17];
        }
        let file = scratch(&format!("garbled-{round}.json"), "");
        std::fs::write(&file, bytes).unwrap();
        let output = veristep(&["certify", &model, path(&file)]);
        let known = matches!(output.status.code(), Some(0..=3));
        assert!(known && !text(&output.stderr).contains("panicked"), "{round}: {}", text(&output.stderr));
    }
}

/// The rows of the shared manifest: right and certified within 30 s each, or listed.
#[test]
fn shared_control_flow_automata() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/models");
    let Ok(manifest) = std::fs::read_to_string(folder.join("MANIFEST.tsv")) else {
        println!("skipped: there is no folder ../shared/models");
        return;
    };
    let (mut right, mut rows) = (0, 0);
    for row in manifest.lines().map(|l| l.split('\t').collect::<Vec<_>>()) {
        if row[1] != "cfa" || row[2] != "error-location-unreachable" {
            continue;
        }
        rows += 1;
        let file = folder.join(row[0]);
        let output = veristep(&["check", path(&file), "--timeout", "30", "--format", "json"]);
        let object = json(&output);
        let verdict = object["verdict"].as_str().unwrap();
        let expected = if row[3] == "safe" { "holds" } else { "violated" };
        if verdict == "unknown" {
            println!("{}: unknown: {}", row[0], object["reason"]);
            continue;
        }
        assert_eq!(verdict, expected, "{}", row[0]);
        assert_eq!(object["certified"], true, "{}", row[0]);
        right += 1;
    }
    println!("{right} of {rows} right and certified");
    assert!(right * 10 >= rows * 9);
}

#[test]
fn a_journal_is_written_even_when_a_limit_ends_the_run() {
    for limit in [["--fuel", "300"], ["--timeout", "0.3"]] {
        let file = scratch(&format!("cut{}.journal", limit[0]), "");
        veristep(&["check", &corpus("diverging"), "--journal", path(&file), limit[0], limit[1]]);
        assert!(std::fs::read_to_string(&file).unwrap().lines().count() > 100, "{limit:?}");
    }
}

#[test]
fn names_that_look_like_other_properties_are_invariants() {
    let text = "main process p {\n var embedded : int\n var F1 : int\n init loc a\n loc b\n a -> b { embedded := 1 }\n}\n";
    let model = scratch("names.cfa", text);
    for (property, status) in [
        ("embedded = embedded", 0),
        ("F1 = F1", 0),
        ("ltl:F1 = F1", 0),
        ("F (embedded = 1)", 0),
        ("ctl:AF embedded = 1", 3),
    ] {
        let output = veristep(&["check", path(&model), "--property", property, "--format", "json"]);
        assert_eq!(output.status.code(), Some(status), "{property}: {}", text_of(&output));
        assert_eq!(json(&output)["verdict"], if status == 0 { "holds" } else { "unknown" }, "{property}");
    }
    let output = veristep(&["check", path(&model), "--property", "embedded:x"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text_of(&output).contains("the model contains no property"));
}

fn text_of(output: &Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

#[test]
fn large_array_literals_are_bounded() {
    let elements: Vec<String> = (0..20_000).map(|n| format!("{} <- {n}", n % 4)).collect();
    let literal = elements.join(", ").replace("0 <-", "2'd0 <-").replace("1 <-", "2'd1 <-");
    let body =
        format!("x := [{}, default <- 0][i]", literal.replace("2 <-", "2'd2 <-").replace("3 <-", "2'd3 <-"));
    let text = format!(
        "main process p {{\n var i : bv[2]\n var x : int\n init loc a\n error loc b\n a -> b {{ {body} }}\n}}\n"
    );
    let output = veristep(&["check", path(&scratch("wide.cfa", &text))]);
    assert!(matches!(output.status.code(), Some(2 | 3)), "{}", text_of(&output));
}

#[test]
fn strategies_are_chosen_refused_and_named() {
    let model = corpus("hajdu-micskei-2020-figure-4-left");
    let run = |words: &[&str]| veristep(&[&["check", &model, "--format", "json"], words].concat());
    let output = run(&["--domain", "expl", "--max-enum", "3"]);
    assert_eq!((output.status.code(), json(&output)["strategy"].as_str()), (Some(3), Some("expl 3")));
    let output = run(&["--domain", "expl", "--max-enum", "4", "--search", "err", "--slice", "on"]);
    assert_eq!(
        (output.status.code(), json(&output)["strategy"].as_str()),
        (Some(0), Some("expl 4 err sliced"))
    );
    let output = run(&[]);
    assert_eq!((output.status.code(), json(&output)["certified"].as_bool()), (Some(0), Some(true)));
    for wrong in [["--max-enum", "3"], ["--domain", "bdd"], ["--initial", "x >"], ["--explicit", "x"]] {
        let output = run(&wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(text(&output.stderr).contains("error"), "{wrong:?}: {}", text(&output.stderr));
    }
    let output = run(&["--domain", "combined", "--explicit", "nobody"]);
    assert!(text(&output.stderr).contains("no variable 'nobody'"), "{}", text(&output.stderr));
    let output = run(&["--engine", "auto", "--search", "err"]);
    assert!(
        text(&output.stderr).contains("has no option 'search'; those that have it: cegar"),
        "{}",
        text(&output.stderr)
    );
}

/// The file of a program of the corpus.
fn program(name: &str) -> String {
    format!("{}/../tests/corpus/c/{name}.c", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn programs_get_verdicts_and_witnesses() {
    let file = scratch("witness.yml", "");
    let output = veristep(&["check", &program("locks-bug"), "--witness", path(&file)]);
    assert_eq!(output.status.code(), Some(1), "{}", text_of(&output));
    let witness = std::fs::read_to_string(&file).unwrap();
    assert!(witness.contains("entry_type: violation_sequence") && witness.contains("line: 15"), "{witness}");
    let output = veristep(&["check", &program("loops"), "--witness", path(&file)]);
    assert_eq!(output.status.code(), Some(0), "{}", text_of(&output));
    let witness = std::fs::read_to_string(&file).unwrap();
    assert!(witness.contains("type: loop_invariant") && witness.contains("line: 12"), "{witness}");
    let output = veristep(&["check", &corpus("parity"), "--witness", path(&file)]);
    assert!(text(&output.stderr).contains("programs in C"), "{}", text(&output.stderr));
    let wrong = "int main(void) {\n  int *p;\n  float f;\n  return 0;\n}\n";
    let output = veristep(&["check", path(&scratch("pointers.c", wrong))]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("pointers.c:2:") && said.contains("pointers.c:3:"), "{said}");
}

#[test]
fn models_are_converted_and_compared() {
    let output = veristep(&["convert", &program("calls"), "--to", "chc"]);
    assert!(text(&output.stdout).starts_with("(set-logic HORN)"), "{}", text_of(&output));
    let file = scratch("converted.cfa", "");
    veristep(&["convert", &program("locks-bug"), "--to", "cfa", "-o", path(&file)]);
    assert_eq!(veristep(&["check", path(&file)]).status.code(), Some(1));
    let few = [corpus("parity"), corpus("peterson-bug"), program("calls")];
    let models: Vec<&str> = few.iter().map(String::as_str).collect();
    let compared =
        |words: &[&str]| veristep(&[&["bench", "--timeout", "1"], models.as_slice(), words].concat());
    let output = compared(&["--strategy", "RQ4", "--format", "csv"]);
    assert_eq!(output.status.code(), Some(0), "{}", text_of(&output));
    assert_eq!(text(&output.stdout).lines().count(), 1 + 3 * 9, "{}", text(&output.stdout));
    let output = compared(&["--strategy", "domain=expl,max-enum=5", "--strategy", "auto"]);
    assert!(text(&output.stdout).contains("virtual best"), "{}", text_of(&output));
    assert!(text(&compared(&["--format", "svg"]).stdout).starts_with("<svg"));
    assert!(text(&compared(&["--format", "latex"]).stdout).contains("\\begin{tabular}"));
    assert_eq!(compared(&["--strategy", "fast"]).status.code(), Some(2));
}

#[test]
fn a_certificate_names_the_property_that_the_model_carries() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (model, file) = (folder.join("carried.sts"), folder.join("carried.json"));
    let text =
        "specification S { property p : { var x : int initial x = 0 transition x' = x } models G(x = 1) }";
    std::fs::write(&model, text).unwrap();
    veristep(&["check", path(&model), "--certificate", path(&file)]);
    assert!(std::fs::read_to_string(&file).unwrap().contains("\"embedded:p\""));
    for property in [&[][..], &["--property", ""], &["--property", "x = 1"]] {
        let accepted = veristep(&[&["certify", path(&model), path(&file)], property].concat());
        assert_eq!(accepted.status.code(), Some(0), "{property:?}");
    }
}

#[test]
fn petri_nets_are_generated_analysed_converted_and_played() {
    let net = scratch(
        "philosophers.pn",
        &text(&veristep(&["generate", "philosophers", "-n", "5", "--faulty"]).stdout),
    );
    let facts = json(&veristep(&["analyze", path(&net), "--format", "json"]));
    assert_eq!((&facts["reachable_markings"], &facts["dead_markings"]), (&82.into(), &1.into()));
    assert_eq!((&facts["places"], &facts["arcs"], &facts["safe"]), (&20.into(), &50.into(), &true.into()));
    let large = scratch("large.pn", &text(&veristep(&["generate", "philosophers", "-n", "40"]).stdout));
    let facts = json(&veristep(&["analyze", path(&large), "--format", "json", "--limit", "1000"]));
    assert!(facts["reachable_markings"].as_u64().is_some_and(|n| n > 1 << 40), "{facts}");
    assert_eq!(facts["dead_markings"], 0);
    // The same net in all formats.
    for (to, name) in [("pnml", "philosophers.pnml"), ("net", "philosophers.net")] {
        let other = scratch(name, &text(&veristep(&["convert", path(&net), "--to", to]).stdout));
        let output = veristep(&["check", path(&other), "--property", "deadlock-free", "--format", "json"]);
        let answer = json(&output);
        assert_eq!(
            (output.status.code(), &answer["verdict"], &answer["certified"]),
            (Some(1), &"violated".into(), &true.into())
        );
    }
    let query = "<property-set><property><id>a</id><description/><formula><all-paths><globally><exists-path><finally>\
        <integer-ge><tokens-count><place>eat1</place></tokens-count><integer-constant>1</integer-constant></integer-ge>\
        </finally></exists-path></globally></all-paths></formula></property></property-set>";
    let query = scratch("query.xml", query);
    let asked =
        |id: &str| veristep(&["check", path(&net), "--property", &format!("query:{}#{id}", query.display())]);
    assert_eq!(asked("a").status.code(), Some(1), "a deadlock can be reached");
    assert_eq!(asked("b").status.code(), Some(2), "there is no such property");
    let played = text(&veristep(&["simulate", path(&net), "--steps", "3", "--seed", "7"]).stdout);
    assert_eq!(played.lines().count(), 4, "{played}");
    assert_eq!(played, text(&veristep(&["simulate", path(&net), "--steps", "3", "--seed", "7"]).stdout));
}

/// What a net cannot have in a format is refused; facts are printed when a limit is reached; other encodings are read.
#[test]
fn nets_at_the_limits() {
    let timed = scratch("timed.net", "tr t [1,1] p -> q\npl p (1)\n");
    let converted = |to: &str| veristep(&["convert", path(&timed), "--to", to]);
    assert!(text(&converted("pnml").stdout).contains("<interval>[1,1]</interval>"));
    assert!(text(&converted("pn").stdout).contains("[1,1]"));
    let places = scratch("places.pn", "net a { place p = 1 [1,1] place q [0,2] transition t: p -> q }");
    let refused = veristep(&["convert", path(&places), "--to", "net"]);
    assert_eq!(refused.status.code(), Some(3), "TINA's language has no intervals of places");
    let asked = [
        "check",
        path(&places),
        "--property",
        "EF (q = 1 && time <= 1)",
        "--engine",
        "bmc",
        "--format",
        "json",
    ];
    let found = json(&veristep(&asked));
    // One step of one transition: (1 (1 + 1) + 1) (2·2 + 1) variables.
    assert_eq!((&found["verdict"], &found["certified"]), (&"holds".into(), &true.into()));
    assert_eq!((&found["bound"], &found["variables_before"]), (&1.into(), &15.into()));
    let bounded = |net| veristep(&["check", path(net), "--property", "bounded"]).status.code();
    assert_eq!(bounded(&places), Some(0));
    let large = scratch("many.pn", &text(&veristep(&["generate", "philosophers", "-n", "2000"]).stdout));
    let stopped = veristep(&["analyze", path(&large), "--format", "json", "--timeout", "0.5"]);
    assert_eq!(stopped.status.code(), Some(3));
    assert_eq!(
        (&json(&stopped)["places"], &json(&stopped)["bounded"]),
        (&8_000.into(), &serde_json::Value::Null)
    );
    let grows = scratch("grows.pn", "net a { place p = 1 transition t: p -> 2 p }");
    assert_eq!(bounded(&grows), Some(1));
    let unbounded = scratch(
        "grows.pn",
        "net a { place p = 1 place q transition t: p -> p + q transition u: 2 q -> 3 q }",
    );
    assert_eq!(json(&veristep(&["analyze", path(&unbounded), "--format", "json"]))["bounded"], false);
    assert!(
        veristep(&["draw", path(&large), "--what", "model", "--out", path(&scratch("x.svg", ""))])
            .status
            .success()
    );
    let query = "<property-set>\n<property><id>a</id><formula><exists-path><finally><is-fireable><transition>nope</transition>\
        </is-fireable></finally></exists-path></formula></property></property-set>";
    let query = scratch("unknown.xml", query);
    let asked = veristep(&["check", path(&unbounded), "--property", &format!("query:{}#a", query.display())]);
    assert!(
        text(&asked.stderr).contains("unknown.xml:2:1: error: the query 'a': "),
        "{}",
        text(&asked.stderr)
    );
    let latin = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><pnml><net id=\"n\" type=\"ptnet\"><place id=\"p\"><name><text>\u{e9}t\u{e9}</text></name></place></net></pnml>";
    let file = scratch("latin.pnml", "");
    let bytes: Vec<u8> = latin.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    std::fs::write(&file, bytes).unwrap();
    assert!(text(&veristep(&["convert", path(&file), "--to", "pn"]).stdout).contains("\"\u{e9}t\u{e9}\""));
    let units: Vec<u8> =
        std::iter::once(0xfeff).chain(latin.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    std::fs::write(&file, units).unwrap();
    assert!(text(&veristep(&["convert", path(&file), "--to", "pn"]).stdout).contains("\"\u{e9}t\u{e9}\""));
}

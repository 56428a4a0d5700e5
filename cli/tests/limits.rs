//! Hostile inputs end early, with a message that names the limit; answers that cannot be written are errors.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn scratch(name: &str, contents: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, contents).unwrap();
    path
}

fn veristep(arguments: &[&str]) -> (Output, Duration) {
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_veristep")).args(arguments).output().unwrap();
    (output, start.elapsed())
}

/// Status, and all that was printed.
fn check(name: &str, text: &str, more: &[&str]) -> (Option<i32>, String) {
    let file = scratch(name, text);
    let (output, elapsed) = veristep(&[&["check", file.to_str().unwrap()], more].concat());
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    // Well above the time of an unoptimised build, and well below the former time of these inputs.
    assert!(elapsed < Duration::from_secs(60), "{name}: {elapsed:?}");
    (output.status.code(), said)
}

fn program(body: &str) -> String {
    format!("int main(void) {{ int a = 0, b = 0; {body} if (b) reach_error(); return 0; }}")
}

#[test]
fn programs_that_nest_too_deep_are_refused_with_the_limit() {
    let many = |text: &str| text.repeat(20_000);
    let deep = [
        many("else if (a) b = 1; ").replacen("else ", "", 1),
        many("if (a) ") + "b = 1;",
        many("a = ") + "1;",
        format!("b = {}0;", many("a ? 1 : ")),
        format!("b = {}a;", many("!")),
        format!("b = {}a;", many("(int) ")),
        many("{") + &many("}"),
        (0..20_000).map(|i| format!("l{i}: ")).collect::<String>() + ";",
        format!("int c{};", many("[1]")),
    ];
    for (i, body) in deep.iter().enumerate() {
        let (status, said) = check(&format!("deep-{i}.c"), &program(body), &[]);
        assert!(status == Some(3) && said.contains("nests deeper than 150 levels"), "{i}: {status:?} {said}");
    }
    for (i, operator) in ["+", "&&", "|"].iter().enumerate() {
        let body = format!("b = {}a;", many(&format!("a {operator} ")));
        let (status, said) = check(&format!("long-{i}.c"), &program(&body), &[]);
        assert!(status == Some(3) && said.contains("more than 500 operators"), "{i}: {status:?} {said}");
    }
}

#[test]
fn what_grows_exponentially_is_refused_with_the_limit() {
    let calls: String =
        (1..=40).map(|i| format!("void f{i}(void) {{ f{}(); f{}(); }}\n", i - 1, i - 1)).collect();
    let calls = format!("void f0(void) {{}}\n{calls}int main(void) {{ f40(); assert(1); return 0; }}");
    let (status, said) = check("calls.c", &calls, &[]);
    assert!(status == Some(3) && said.contains("more than 20000 calls"), "{said}");
    let macros: String = (1..60).map(|i| format!("#define M{i} M{} M{}\n", i - 1, i - 1)).collect();
    let (status, said) = check("macros.c", &format!("#define M0 1\n{macros}int x = M59;"), &[]);
    assert!(status == Some(2) || status == Some(3), "{said}");
    assert!(said.contains("1000000 tokens"), "{said}");
    let loops = format!("{}x := x + 1;{}", "for i from 0 to 2 do { ".repeat(60), "}".repeat(60));
    let loops = format!("var x : integer = 0\ntrans {{ {loops} }}\ninit {{}}\nenv {{}}\nprop {{ x >= 0 }}\n");
    let (status, said) = check("loops.xsts", &loops, &[]);
    assert_eq!(status, Some(0), "{said}");
    let model = "main process m { var x : int init loc A loc B A -> B { x := 0 } B -> B { x := x + 1 } }";
    let iff: Vec<String> = (0..24).map(|i| format!("F (x = {i})")).collect();
    let (status, said) = check("iff.cfa", model, &["--property", &iff.join(" <-> ")]);
    assert!(status == Some(3) && said.contains("more than 2000000 parts"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn reading_is_within_the_limits_and_answers_have_to_be_written() {
    let pipe = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pipe.cfa");
    let _ = std::fs::remove_file(&pipe);
    if Command::new("mkfifo").arg(&pipe).status().is_ok_and(|s| s.success()) {
        let pipe = pipe.to_str().unwrap();
        for arguments in
            [&["check", pipe][..], &["smt", pipe], &["link", pipe], &["ltl", "G p", "--automaton", pipe]]
        {
            let (output, elapsed) = veristep(&[arguments, &["--timeout", "1"]].concat());
            assert_eq!(output.status.code(), Some(3), "{arguments:?}");
            assert!(elapsed < Duration::from_secs(20), "{arguments:?}: {elapsed:?}");
        }
    }
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/cfa/parity.cfa");
    for arguments in [
        &["check", model][..],
        &["check", model, "--format", "json"],
        &["convert", model, "--to", "cfa"],
        &["generate", "fischer", "--processes", "2"],
        &["ltl", "G p"],
        &["link", model],
        &["--help"],
        &["check", "--help"],
        &["--version"],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_veristep"));
        let output = command.args(arguments).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains("could not be written"), "{arguments:?}: {said}");
    }
}

#[test]
fn nothing_asked_is_no_verdict_and_vacuous_verdicts_say_so() {
    let plain = "int main(void) { int x = 1; return x; }";
    let (status, said) = check("plain.c", plain, &[]);
    assert!(status == Some(2) && said.contains("no property to check"), "{said}");
    for asked in ["error-location-unreachable", "true"] {
        let (status, said) = check("plain.c", plain, &["--property", asked, "--format", "json"]);
        assert_eq!(status, Some(0), "{said}");
        let object: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert!(object["vacuous"].is_string() && object["data_model"] == "ILP32", "{said}");
        assert_eq!(object["grade"], "checked", "{said}");
    }
    let size = "int main(void) { if (sizeof(long) == 8) reach_error(); return 0; }";
    assert_eq!(check("size.c", size, &[]).0, Some(0));
    assert_eq!(check("size.c", size, &["--data-model", "LP64"]).0, Some(1));
}

#[test]
fn certificates_of_other_models_and_properties_are_refused() {
    let model =
        scratch("one.c", "int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 3); return 0; }");
    let file = scratch("one.json", "");
    let (model, file) = (model.to_str().unwrap(), file.to_str().unwrap());
    veristep(&["check", model, "--certificate", file]);
    assert_eq!(veristep(&["certify", model, file]).0.status.code(), Some(0));
    let rejected = |arguments: &[&str], why: &str| {
        let (output, _) = veristep(arguments);
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.code() == Some(1) && said.contains(why), "{said}");
    };
    rejected(&["certify", model, file, "--data-model", "LP64"], "data model");
    let text = std::fs::read_to_string(model).unwrap();
    let other = scratch("other.c", &(text + " "));
    rejected(&["certify", other.to_str().unwrap(), file], "another model");
    let changed =
        std::fs::read_to_string(file).unwrap().replace("error-location-unreachable", "unreach-call");
    let changed = scratch("changed.json", &changed);
    rejected(&["certify", model, changed.to_str().unwrap()], "property was changed");
}

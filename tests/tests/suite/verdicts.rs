//! Small models whose verdict depends on a detail of the semantics: their first comments contain the verdicts, one per
//! line, as `// violated PROPERTY` (without a property, the model's own; `refused` if the model or property must not
//! get a verdict, and `unsupported` if only because of an unsupported construct).

use std::path::{Path, PathBuf};

use veristep_core::certificate;
use veristep_core::diagnostic::{Diagnostic, Severity};
use veristep_core::kit::{Off, Verdict};
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_tests::models::poll_up_to;

const VERDICTS: [&str; 5] = ["holds", "violated", "unknown", "refused", "unsupported"];

fn answer(kind: Kind, text: &str, asked: &str, method: Method) -> Result<String, String> {
    let refused = |d: Vec<Diagnostic>| {
        let only = d.iter().all(|d| d.severity == Severity::Unsupported);
        format!("{}: {}", if only { "refused, unsupported" } else { "refused" }, d[0].message)
    };
    let system = run::load_for(kind, text, Some(asked)).map_err(refused)?;
    let property = run::property(&system, asked).map_err(refused)?;
    let options = Options { method, ..Options::default() };
    let mut run = Run::new(&system, &property, &options)?;
    let Some(outcome) = poll_up_to(&mut run, &mut Off, 100_000, &mut || u64::MAX) else {
        return Err("not decided".to_owned());
    };
    if let Some(c) = &outcome.certificate {
        certificate::check(&system, &property, c).unwrap_or_else(|why| panic!("{asked}: {why}\n{text}"));
    }
    Ok(match outcome.verdict {
        Verdict::Holds => "holds".to_owned(),
        Verdict::Violated => "violated".to_owned(),
        Verdict::Unknown(_) => format!("unknown: {}", outcome.reason),
    })
}

fn check(path: &Path, wrong: &mut Vec<String>) -> usize {
    let kind = path.extension().and_then(|e| Kind::of_name(e.to_str()?)).expect("a model");
    let text = std::fs::read_to_string(path).unwrap();
    let mut questions = 0;
    for line in text.lines().map_while(|l| l.strip_prefix("// ")) {
        let (expected, asked) = line.split_once(' ').unwrap_or((line, ""));
        if !VERDICTS.contains(&expected) {
            break;
        }
        let got = answer(kind, &text, asked, Method::Auto).unwrap_or_else(|why| why);
        let wanted = if expected == "unsupported" { "refused, unsupported" } else { expected };
        if !got.starts_with(wanted) {
            wrong.push(format!("{}: '{asked}' should be {expected}, but is {got}", path.display()));
        }
        questions += 1;
    }
    assert!(questions > 0, "{} names no verdict", path.display());
    questions
}

#[test]
fn models_have_the_verdicts_they_name() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus/verdicts");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    let questions: usize = files.iter().map(|f| check(f, &mut wrong)).sum();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(questions >= 15, "{questions} questions");
}

/// Large blocks leave values open that do not matter where edges join.
#[test]
fn dead_values_are_no_part_of_invariants() {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus/verdicts/dead-value-where-edges-meet.cfa");
    let text = std::fs::read_to_string(path).unwrap();
    for method in [Method::Pdr, Method::Imc, Method::Split] {
        assert_eq!(answer(Kind::Cfa, &text, "", method).as_deref(), Ok("holds"), "{method:?}");
    }
}

/// A relation writes the model's own variables, and none added by methods.
#[test]
fn relations_are_verified_by_all_methods_for_runs() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus/verdicts/relation-in-a-product.sts");
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(answer(Kind::Sts, &text, "F (x = 2)", Method::Bmc).as_deref(), Ok("violated"));
    let got = answer(Kind::Sts, &text, "F (x = 1 or y = 1)", Method::KLiveness);
    assert_eq!(got.as_deref(), Ok("holds"));
    let grows =
        "specification S { property p : { var x : int var b : bool transition x' > x } models G(x > 0) }";
    let system = run::load_for(Kind::Sts, grows, Some("F b")).unwrap();
    let property = run::property(&system, "F b").unwrap();
    let options = Options { method: Method::KLiveness, ..Options::default() };
    let mut run = Run::new(&system, &property, &options).unwrap();
    // k-liveness does not decide it.
    poll_up_to(&mut run, &mut Off, 20, &mut || u64::MAX);
}

//! The queries of the events of a run: solved again as scripts they get the same answers.

use solver_lite::Limits;
use solver_lite::smtlib::Session;
use veristep_core::kit::{Answer, Event, Journal, Question, Recorder};
use veristep_core::methods::cegar;
use veristep_core::run::{Method, Options, Run, property, questions};
use veristep_tests::models::{self, RUNS, STATES, STEPS, poll_up_to};

/// Longer runs are not repeated for each of their events.
const EVENTS: usize = 250;

fn answers(question: &Question) -> Vec<String> {
    let mut all = Vec::new();
    Session::new(Limits::default()).run(&question.script, &mut |answer| all.push(answer.to_owned()));
    all
}

fn word(answer: Answer) -> &'static str {
    match answer {
        Answer::Sat => "sat",
        Answer::Unsat => "unsat",
        Answer::Unknown => "unknown",
    }
}

/// Every strategy reports the number of queries of its events, and they are scripts with answers.
#[test]
fn every_strategy_tells_its_questions() {
    let strategies: [&[(&str, &str)]; 5] = [
        &[("domain", "expl"), ("max-enum", "5")],
        &[("domain", "pred-bool"), ("refinement", "bw-bin")],
        &[("domain", "pred-split"), ("refinement", "fw-bin")],
        &[("domain", "combined"), ("refinement", "max-prune")],
        &[("refinement", "multi-seq"), ("split", "atoms")],
    ];
    let mut seen = 0;
    for choices in strategies {
        let choices: Vec<(String, String)> =
            choices.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let options = Options::with(&choices).unwrap();
        for model in models::all().iter().filter(|m| m.name.contains("figure") || m.name.contains("lock")) {
            let mut run = model.run_with(&options);
            let mut sink = Recorder { journal: Journal::new(run.names()) };
            models::poll_up_to(&mut run, &mut sink, 300, &mut || u64::MAX);
            let property = property(&model.system, "").expect("the format's own");
            for (i, event) in sink.journal.events.iter().enumerate().take(80) {
                let told =
                    questions(&model.system, &property, &options, i, STEPS).expect("the event comes again");
                assert_eq!(told.found().len(), event.asked() as usize, "{} {i}: {event:?}", model.name);
                for question in told.found() {
                    let answer = answers(question);
                    assert!(
                        matches!(answer[0].as_str(), "sat" | "unsat" | "unknown"),
                        "{answer:?}: {}",
                        question.script
                    );
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 300, "only {seen} questions");
}

/// The queries of an event are found again, whatever the method.
#[test]
fn each_method_reports_the_queries_of_its_events() {
    for method in Method::ALL.into_iter().filter(|m| *m != Method::Auto) {
        let about = method.about();
        let options = Options::with(&[(Options::ENGINE.to_owned(), about.name.to_owned())]).unwrap();
        let mut seen = 0;
        for (question, _) in STATES.iter().filter(|_| about.states).chain(RUNS.iter().filter(|_| about.runs))
        {
            let (system, property) = models::load(*question);
            let mut run = Run::new(&system, &property, &options).unwrap();
            let mut sink = Recorder { journal: Journal::new(run.names()) };
            let _ = poll_up_to(&mut run, &mut sink, 40, &mut || u64::MAX);
            for (i, event) in sink.journal.events.iter().enumerate().take(60) {
                let found = questions(&system, &property, &options, i, 40).expect("the event comes again");
                let name = format!("{}, {question:?}, {i}: {event:?}", about.name);
                assert_eq!(!found.found().is_empty(), event.was_asked(), "{name}");
                for question in found.found() {
                    seen += 1;
                    let answers = answers(question);
                    assert!(
                        answers.iter().all(|a| !a.starts_with("(error")),
                        "{name}: {answers:?}\n{}",
                        question.script
                    );
                }
            }
        }
        assert!(seen > 5 || method == Method::Explicit, "{}: {seen} queries", about.name);
    }
}

#[test]
fn questions_can_be_put_again() {
    let mut seen = 0;
    for model in models::all() {
        let property = property(&model.system, "").expect("the format's own");
        let (_, _, journal) = model.record(|| u64::MAX);
        if journal.events.len() > EVENTS {
            continue;
        }
        for (i, event) in journal.events.iter().enumerate() {
            let sink = questions(&model.system, &property, &Options::default(), i, STEPS);
            let sink = sink.expect("the event comes again");
            assert_eq!(sink.hash(), journal.prefix_hash(i + 1), "{} {i}", model.name);
            let asked = sink.found();
            assert_eq!(!asked.is_empty(), event.was_asked(), "{} {i}: {event:?}", model.name);
            for question in asked {
                assert!(!answers(question)[0].starts_with("(error"), "{}", question.script);
            }
            let Some(last) = asked.last() else { continue };
            seen += 1;
            match *event {
                Event::Cegar(cegar::Event::CoverChecked { answer, .. })
                | Event::Cegar(cegar::Event::EdgeChecked { answer, .. })
                | Event::Cegar(cegar::Event::PrefixChecked { answer, .. })
                | Event::Cegar(cegar::Event::SuffixChecked { answer, .. }) => {
                    assert_eq!(answers(last), [word(answer)], "{} {i}: {}", model.name, last.script);
                }
                Event::Cegar(cegar::Event::PredicateChecked { asked: count, .. }) => {
                    assert_eq!(asked.len(), usize::from(count))
                }
                Event::Cegar(cegar::Event::PathRefuted { .. }) => {
                    let all = answers(last);
                    assert_eq!(all[0], "unsat");
                    assert!(!all[1].starts_with("(error"), "{all:?}");
                }
                _ => unreachable!("nothing was asked for {event:?}"),
            }
        }
    }
    assert!(seen > 500, "only {seen} questions");
    let model = &models::all()[0];
    let none = questions(
        &model.system,
        &property(&model.system, "").expect("the format's own"),
        &Options::default(),
        1 << 30,
        STEPS,
    );
    assert!(none.is_none(), "there is no such event");
}

//! The page's behaviour without a browser.

use super::*;
use crate::explained::Explained;
use crate::protocol::{
    Delta, FileFormat, FromEngine, Library, PROTOCOL, Picture, RunResult, ToEngine, Written, unpack,
};
use veristep_core::diagnostic::Span;
use veristep_core::draw::{Fold, GraphPart, What};
use veristep_core::edit::automaton::Edit;
use veristep_core::edit::{Change, Refusal, changed};
use veristep_core::kit::{Counts, Event, Label, Names, NodeId, Verdict};
use veristep_core::link::Link;
use veristep_core::methods::cegar;
use veristep_core::system::LocationId;

fn loaded() -> State {
    let mut state = State::new();
    state.apply(Action::Engine(Box::new(FromEngine::Ready {
        protocol: PROTOCOL,
        build: String::new(),
        library: Library::default(),
    })));
    state.apply(Action::Load {
        example: None,
        kind: Kind::Cfa,
        text: "main".into(),
        property: String::new(),
        options: vec![],
    });
    state
}

fn events(from: u32, count: u32) -> Vec<u8> {
    let node = NodeId(0);
    let all = (from..from + count).map(|i| match i {
        0 => Event::IterationStarted { iteration: 1 },
        1 => Event::Cegar(cegar::Event::NodeAdded { node, from: None }),
        _ => Event::Cegar(cegar::Event::NodeExpanded { node }),
    });
    let label = Label { location: LocationId(0), values: vec![], literals: vec![], either: vec![] };
    crate::protocol::pack(&Delta {
        from,
        events: all.collect(),
        states: if from == 0 { vec![label] } else { vec![] },
        ..Delta::default()
    })
}

fn says(state: &mut State, message: FromEngine) -> Vec<Effect> {
    let effects = state.apply(Action::Engine(Box::new(message)));
    state.catch_up();
    effects
}

fn running() -> (State, Job) {
    let mut state = loaded();
    state.apply(Action::Run);
    let job = state.run.as_ref().expect("a run").job;
    says(&mut state, FromEngine::Started { job, names: Names::default() });
    says(&mut state, FromEngine::Events { job, delta: events(0, 6) });
    (state, job)
}

fn outcome(verdict: Verdict) -> RunResult {
    RunResult {
        verdict,
        reason: String::new(),
        vacuous: None,
        certificate: None,
        counts: Counts::default(),
        used: 6,
        ms: 0.0,
    }
}

#[test]
fn a_run_is_followed_to_its_end() {
    let (mut state, job) = running();
    assert_eq!(state.frame.cursor, 6);
    says(&mut state, FromEngine::Done { job, outcome: outcome(Verdict::Holds) });
    assert!(!state.busy() && state.current());
    assert_eq!(state.run.as_ref().map(|r| r.status.clone()), Some(Status::Done));
}

#[test]
fn back_and_forth_gives_the_same_frame() {
    let (mut state, _) = running();
    let end = state.frame.clone();
    state.apply(Action::Go(Move::Back(Granularity::Event)));
    state.apply(Action::Go(Move::Start));
    assert_eq!(*state.frame, Frame::default());
    state.apply(Action::Go(Move::End));
    assert_eq!(*state.frame, *end);
}

#[test]
fn late_answers_are_dropped() {
    let (mut state, job) = running();
    state.apply(Action::Load {
        example: None,
        kind: Kind::Cfa,
        text: "other".into(),
        property: String::new(),
        options: vec![],
    });
    says(&mut state, FromEngine::Events { job, delta: events(6, 3) });
    says(&mut state, FromEngine::Done { job, outcome: outcome(Verdict::Violated) });
    assert!(state.run.is_none());
    assert_eq!(state.journal.length(), 0);
}

#[test]
fn stopping_keeps_what_was_found() {
    let (mut state, job) = running();
    let effects = state.apply(Action::Stop);
    assert!(effects.contains(&Effect::StopForCertain(job)));
    says(&mut state, FromEngine::Cancelled { job });
    assert_eq!(state.run.as_ref().map(|r| r.status.clone()), Some(Status::Stopped));
    assert_eq!(state.journal.length(), 6);
}

#[test]
fn an_engine_that_does_not_answer_is_replaced() {
    let (mut state, _) = running();
    state.apply(Action::Stop);
    let effects = state.apply(Action::EngineEnded);
    assert_eq!(effects[0], Effect::Respawn);
    assert!(matches!(&effects[1], Effect::Send(ToEngine::Restore { parts, .. }) if *parts == [events(0, 6)]));
    assert_eq!(state.run.as_ref().map(|r| r.status.clone()), Some(Status::Stopped));
}

fn dies(state: &mut State, why: &str) -> Vec<Effect> {
    says(state, FromEngine::Panicked { message: why.to_owned() })
}

fn doing(state: &State) -> Option<Doing> {
    state.failure.as_ref().map(|failure| failure.doing)
}

fn parses(effects: &[Effect]) -> bool {
    effects.iter().any(|e| matches!(e, Effect::Send(ToEngine::Parse { .. })))
}

#[test]
fn an_engine_that_ends_by_itself_is_replaced_and_what_it_did_is_said() {
    let (mut state, _) = running();
    state.reading = false;
    let effects = dies(&mut state, "out of memory");
    assert_eq!(effects[0], Effect::Respawn);
    assert!(matches!(effects[1], Effect::Send(ToEngine::Restore { .. })));
    assert_eq!(doing(&state), Some(Doing::Running));
    // If it were restored again, the journal could end every engine.
    let effects = dies(&mut state, "out of memory");
    assert_eq!(effects, vec![Effect::Respawn]);
}

#[test]
fn a_text_that_ended_the_engine_is_read_again_only_on_request() {
    let mut state = loaded();
    dies(&mut state, "stack overflow");
    assert_eq!(doing(&state), Some(Doing::Reading));
    assert!(state.stops_engine() && !parses(&state.apply(Action::Parse)));
    assert_eq!(state.apply(Action::Run), vec![]);
    assert!(parses(&state.apply(Action::TryAgain)) && !state.stops_engine());
    dies(&mut state, "stack overflow");
    state.apply(Action::Edited("main2".into()));
    assert!(!state.stops_engine() && parses(&state.apply(Action::Parse)));
}

#[test]
fn a_model_without_a_property_is_not_run() {
    let mut state = loaded();
    let job = state.parse_job;
    let why = Some("no property to check: the model has no error location".to_owned());
    let model = Some(ModelInfo { no_property: why, ..ModelInfo::default() });
    says(&mut state, FromEngine::Parsed { job, model, diagnostics: vec![], property: None });
    assert_eq!(state.apply(Action::Run), vec![Effect::FocusProperty]);
    assert!(state.run.is_none() && state.no_property().is_some());
    state.apply(Action::Property("x >= 0".to_owned()));
    assert!(state.no_property().is_none() && !state.apply(Action::Run).is_empty() && state.run.is_some());
}

/// The engine has read the text.
fn has_model(state: &mut State) {
    let (job, model) = (state.parse_job, Some(ModelInfo::default()));
    says(state, FromEngine::Parsed { job, model, diagnostics: vec![], property: None });
}

fn written(job: Job, written: Written) -> FromEngine {
    FromEngine::Edited { job, written: crate::protocol::pack(&written) }
}

#[test]
fn moving_keeps_the_run_and_other_changes_do_not() {
    let (mut state, job) = running();
    has_model(&mut state);
    says(&mut state, FromEngine::Done { job, outcome: outcome(Verdict::Holds) });
    let places = vec![("A".to_owned(), Some((10, 20)))];
    let edits = vec![Edit::Move { places }];
    let asked = state.apply(Action::Edit(edits.clone(), false));
    let [Effect::Send(ToEngine::Edit { job, edits: sent, .. })] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!(unpack::<Vec<Edit>>(sent), Some(edits));
    let end = u32::try_from(state.text.len()).expect("short");
    let change = Change { span: Span { start: end, end }, text: "\n\n// layout A 10 20\n".to_owned() };
    let told = says(&mut state, written(*job, Ok(vec![vec![change]])));
    let [Effect::Command(EditorCommand::Change(lists))] = &told[..] else { panic!("{told:?}") };
    let new = lists.iter().fold(state.text.to_string(), |text, list| changed(&text, list).expect("in order"));
    let read = FromEngine::Parsed { job: *job, model: None, diagnostics: vec![], property: None };
    assert_eq!(state.apply(Action::Edited(new.into())), [Effect::SaveLink], "the engine reads it already");
    assert!(state.reading);
    says(&mut state, read);
    assert!(!state.reading, "the second answer to an edit is the model");
    assert!(state.current(), "the run is one of the moved model, too");
    assert_eq!(says(&mut state, written(*job, Ok(vec![]))), vec![], "only once");
    state.apply(Action::Edited("other".into()));
    assert!(!state.current());
}

#[test]
fn edits_are_not_lost_while_the_engine_works() {
    let (mut state, _) = running();
    has_model(&mut state);
    let place = |name: &str| Edit::Move { places: vec![(name.to_owned(), Some((1, 2)))] };
    let asked = |effects: &[Effect]| {
        let sent = effects.iter().find_map(|effect| match effect {
            Effect::Send(ToEngine::Edit { job, text, edits, .. }) => {
                Some((*job, text.clone(), edits.clone()))
            }
            _ => None,
        });
        let (job, text, edits) = sent.expect("a request");
        (job, text, unpack::<Vec<Edit>>(&edits).expect("edits"))
    };
    let (first, ..) = asked(&state.apply(Action::Edit(vec![place("A")], false)));
    let (second, _, edits) = asked(&state.apply(Action::Edit(vec![place("B")], false)));
    assert_eq!(edits, [place("A"), place("B")], "both, since the first is not in the text");
    assert_eq!(says(&mut state, written(first, Ok(vec![]))), vec![]);
    // The user types before the answer.
    state.apply(Action::Edited("main2".into()));
    let (third, text, edits) = asked(&says(&mut state, written(second, Ok(vec![]))));
    assert_eq!((text.as_str(), edits.len()), ("main2", 2));
    // The engine is replaced.
    state.apply(Action::Stop);
    let (fourth, _, edits) = asked(&state.apply(Action::EngineEnded));
    assert!(fourth > third && edits.len() == 2);
    assert_eq!(says(&mut state, written(fourth, Ok(vec![]))), vec![]);
}

#[test]
fn texts_have_one_kind_of_line_end() {
    let mut state = loaded();
    let (text, property, options) = ("a\r\nb\rc\n".into(), String::new(), vec![]);
    state.apply(Action::Load { example: None, kind: Kind::Cfa, text, property, options });
    assert_eq!(&*state.text, "a\nb\nc\n");
}

#[test]
fn an_edit_that_is_refused_changes_nothing() {
    let mut state = loaded();
    assert_eq!(state.apply(Action::Edit(vec![], false)), vec![], "there is no model yet");
    has_model(&mut state);
    let asked = state.apply(Action::Edit(vec![], false));
    let [Effect::Send(ToEngine::Edit { job, .. })] = asked[..] else { panic!("{asked:?}") };
    let why = Refusal("there is a 'B' already".to_owned());
    assert_eq!(says(&mut state, written(job, Err(why))), vec![]);
    assert!(state.notices.iter().any(|notice| notice.text.contains("a 'B' already")));
}

#[test]
fn edges_are_edited_in_the_text_that_they_were_seen_in() {
    let delete = || Action::Edit(vec![Edit::Delete { locations: vec![], edges: vec![1] }], true);
    let refused = |state: &State, count: u32| {
        assert_eq!(state.writing.answers.count, count);
        assert!(state.writing.answers.refused.is_some(), "the card says why");
        assert!(state.notices.is_empty(), "nothing else does");
    };
    let mut state = loaded();
    has_model(&mut state);
    // The user types before the answer.
    let asked = state.apply(delete());
    let [Effect::Send(ToEngine::Edit { job, .. })] = asked[..] else { panic!("{asked:?}") };
    state.apply(Action::Edited("main2".into()));
    assert_eq!(says(&mut state, written(job, Ok(vec![]))), vec![]);
    refused(&state, 1);
    // The new text is not read yet.
    state.apply(Action::Parse);
    assert_eq!(state.apply(delete()), vec![]);
    refused(&state, 2);
    has_model(&mut state);
    assert_eq!(state.apply(delete()).len(), 1);
    assert_eq!(state.apply(delete()), vec![], "the first one may change the numbers");
    refused(&state, 3);
}

#[test]
fn a_property_that_cannot_be_read_is_not_run() {
    let (mut state, job) = running();
    says(&mut state, FromEngine::Done { job, outcome: outcome(Verdict::Holds) });
    let parsed = |state: &mut State, property: Option<&str>| {
        state.apply(Action::Parse);
        let (job, property) = (state.parse_job, property.map(str::to_owned));
        says(state, FromEngine::Parsed { job, model: None, diagnostics: vec![], property });
    };
    state.apply(Action::Property("x <=".to_owned()));
    parsed(&mut state, Some("a term is expected"));
    assert_eq!(state.apply(Action::Run), vec![Effect::FocusProperty]);
    assert_eq!(state.run.as_ref().map(|run| run.job), Some(job), "the finished run stays");
    state.apply(Action::Property("x <= 1".to_owned()));
    assert_ne!(state.apply(Action::Run), vec![Effect::FocusProperty], "not even before the property is read");
    parsed(&mut state, None);
    assert!(state.run.as_ref().is_some_and(|run| run.job != job));
}

#[test]
fn links_carry_the_data_model() {
    let mut state = loaded();
    let text = "int main(void) { return 0; }";
    state.apply(Action::Edited(text.into()));
    assert_eq!(state.kind, Kind::C);
    assert!(parses(&state.apply(Action::DataModel(DataModel::Lp64))));
    state.apply(Action::Edited(format!("{text} ").into()));
    let link = state.link(false);
    assert_eq!(link.kind, "c-lp64");
    let mut other = loaded();
    other.apply(Action::Open(Box::new(link), vec![]));
    assert_eq!(other.kind, Kind::CLp64);
    other.apply(Action::Edited("main process p { }".into()));
    assert_eq!(other.kind, Kind::Cfa);
}

#[test]
fn a_link_restores_the_step() {
    let (mut first, job) = running();
    says(&mut first, FromEngine::Done { job, outcome: outcome(Verdict::Holds) });
    first.apply(Action::Go(Move::To(4)));
    let link = first.link(true);

    let mut second = loaded();
    second.apply(Action::Open(Box::new(link), vec![]));
    let job = second.run.as_ref().expect("it runs").job;
    says(&mut second, FromEngine::Started { job, names: Names::default() });
    says(&mut second, FromEngine::Events { job, delta: events(0, 3) });
    assert_eq!(second.frame.cursor, 0);
    says(&mut second, FromEngine::Events { job, delta: events(3, 3) });
    says(&mut second, FromEngine::Done { job, outcome: outcome(Verdict::Holds) });
    assert_eq!(*second.frame, *first.frame);
    assert!(second.notices.is_empty());
}

#[test]
fn a_wrong_claim_is_named() {
    let (mut first, job) = running();
    says(&mut first, FromEngine::Done { job, outcome: outcome(Verdict::Holds) });
    let link = first.link(true);
    let mut second = loaded();
    second.apply(Action::Open(Box::new(link), vec!["the view"]));
    let job = second.run.as_ref().expect("it runs").job;
    says(&mut second, FromEngine::Started { job, names: Names::default() });
    says(&mut second, FromEngine::Events { job, delta: events(0, 2) });
    says(&mut second, FromEngine::Done { job, outcome: outcome(Verdict::Violated) });
    let all = second.notices.iter().map(|n| n.text.as_str()).collect::<Vec<_>>().join(" ");
    assert!(all.contains("the view") && all.contains("states") && all.contains("closest"), "{all}");
}

#[test]
fn the_first_step_starts_the_run() {
    let mut state = loaded();
    let effects = state.apply(Action::Go(Move::Forward(Granularity::Event)));
    assert!(matches!(effects[..], [Effect::Send(ToEngine::Start { .. })]));
    let job = state.run.as_ref().expect("a run").job;
    says(&mut state, FromEngine::Started { job, names: Names::default() });
    says(&mut state, FromEngine::Events { job, delta: events(0, 6) });
    assert_eq!(state.frame.cursor, 1);
}

#[test]
fn explanations_are_asked_for_one_at_a_time() {
    let (mut state, job) = running();
    let explain = |index| ToEngine::Explain { job, index, what: None };
    assert_eq!(state.ask_for_explanations(), vec![], "not while the run is followed");
    state.apply(Action::Go(Move::To(3)));
    assert_eq!(state.ask_for_explanations(), vec![Effect::Send(explain(2)), Effect::ExpectSoon(job, 2)]);
    state.apply(Action::Go(Move::To(4)));
    assert_eq!(state.ask_for_explanations(), vec![], "one is on its way");
    let explained = Explained { index: 2, title: "three".into(), ..Explained::default() };
    says(&mut state, FromEngine::Explained { job, explained });
    assert_eq!(state.explanation().map(|e| e.title.clone()), Some("three".into()), "better than nothing");
    says(&mut state, FromEngine::Done { job, outcome: outcome(Verdict::Holds) });
    assert_eq!(state.ask_for_explanations(), vec![Effect::Send(explain(3))], "an idle engine answers");
}

#[test]
fn the_viewer_explains_while_the_engine_does_not_answer() {
    let (mut state, job) = running();
    let explain = |index| Effect::View(ToEngine::Explain { job, index, what: None });
    let answer = |index| {
        let explained = Explained { index, title: format!("step {index}"), ..Explained::default() };
        Action::Viewer(Box::new(FromEngine::Explained { job, explained }))
    };
    state.apply(Action::Go(Move::To(3)));
    state.ask_for_explanations();
    assert_eq!(state.apply(Action::Late(job, 1)), vec![], "another step");
    let [restore, asked] = &state.apply(Action::Late(job, 2))[..] else { panic!("two messages") };
    assert!(
        matches!(restore, Effect::View(ToEngine::Restore { parts, of, .. }) if parts.len() == 1 && of.text == "main")
    );
    assert_eq!(*asked, explain(2));
    state.apply(answer(2));
    assert_eq!(state.explanation().map(|e| e.title.clone()).as_deref(), Some("step 2"));
    // It gets each part of the journal once.
    says(&mut state, FromEngine::Events { job, delta: events(6, 2) });
    state.apply(Action::Go(Move::To(7)));
    let grown = Effect::View(ToEngine::Grown { job, parts: vec![events(6, 2)] });
    assert_eq!(state.ask_for_explanations(), vec![grown, explain(6)]);
    state.apply(answer(6));
    state.apply(Action::Go(Move::To(5)));
    assert_eq!(state.ask_for_explanations(), vec![explain(4)]);
    // The late answer of the engine to the first request does not end the pending one.
    let ask = ToEngine::Explain { job, index: 4, what: None };
    let late = Explained { index: 2, title: "late".into(), ..Explained::default() };
    says(&mut state, FromEngine::Explained { job, explained: late });
    assert_eq!(state.ask_for_explanations(), vec![], "step 5 is pending");
    // The viewer is lost: the engine is asked, and no other viewer.
    assert_eq!(state.apply(Action::ViewerLost), vec![]);
    assert!(!state.is_viewed());
    assert_eq!(state.ask_for_explanations(), vec![Effect::Send(ask), Effect::ExpectSoon(job, 4)]);
    assert_eq!(state.apply(Action::Late(job, 4)), vec![]);
}

#[test]
fn the_viewer_ends_with_the_work_of_the_run() {
    let viewed = || {
        let (mut state, job) = running();
        state.apply(Action::Go(Move::To(3)));
        state.ask_for_explanations();
        assert_eq!(state.apply(Action::Late(job, 2)).len(), 2);
        let explained = Explained { index: 2, ..Explained::default() };
        state.apply(Action::Viewer(Box::new(FromEngine::Explained { job, explained })));
        state.apply(Action::Go(Move::To(5)));
        assert!(matches!(state.ask_for_explanations()[..], [Effect::View(_)]) && state.is_viewed());
        (state, job)
    };
    let (mut state, job) = viewed();
    says(&mut state, FromEngine::Done { job, outcome: outcome(Verdict::Holds) });
    assert!(!state.is_viewed());
    state.apply(Action::Go(Move::To(5)));
    let again = Effect::Send(ToEngine::Explain { job, index: 4, what: None });
    assert_eq!(state.ask_for_explanations(), vec![again], "what the viewer did not answer");
    let (mut state, _) = viewed();
    let (text, property, options) = ("other".into(), String::new(), vec![]);
    state.apply(Action::Load { example: None, kind: Kind::Cfa, text, property, options });
    assert!(!state.is_viewed(), "another model");
}

#[test]
fn a_run_that_is_stepped_through_shows_its_verdict_at_the_end() {
    let mut state = loaded();
    state.apply(Action::Go(Move::Forward(Granularity::Event)));
    let job = state.run.as_ref().expect("a run").job;
    says(&mut state, FromEngine::Started { job, names: Names::default() });
    says(&mut state, FromEngine::Events { job, delta: events(0, 6) });
    says(&mut state, FromEngine::Done { job, outcome: outcome(Verdict::Violated) });
    let revealed = |state: &State| state.run.as_ref().is_some_and(|run| run.revealed);
    assert!(state.frame.cursor == 1 && !revealed(&state));
    state.apply(Action::Go(Move::End));
    assert!(revealed(&state));
    state.apply(Action::Go(Move::Start));
    assert!(revealed(&state), "what was seen stays");
}

#[test]
fn whoever_asks_for_the_verdict_sees_it() {
    let (state, _) = running();
    assert!(state.run.is_some_and(|run| run.revealed), "Run shows it at once");
    let mut state = loaded();
    state.apply(Action::Play);
    assert!(state.run.as_ref().is_some_and(|run| !run.revealed));
    state.apply(Action::Reveal);
    assert!(state.run.is_some_and(|run| run.revealed));
}

#[test]
fn the_kind_of_a_model_is_not_guessed_twice() {
    // By its keywords, this automaton could be an extended transition system.
    let text = "main p { trans env }";
    let link = Link { kind: "cfa".to_owned(), text: text.to_owned(), ..Link::default() };
    let mut state = loaded();
    state.apply(Action::Open(Box::new(link), vec![]));
    assert_eq!(state.kind, Kind::Cfa);
    state.apply(Action::Edited(format!("{text} ").into()));
    assert_eq!(state.kind, Kind::Cfa);
}

#[test]
fn the_method_follows_the_model_until_one_is_chosen() {
    let mut state = loaded();
    let engine = |state: &State| state.options.iter().find(|(n, _)| n == "engine").map(|(_, v)| v.clone());
    assert_eq!(engine(&state), None);
    state.apply(Action::Edited("aag 1 0 1 0 0\n2 3\n".into()));
    assert_eq!((state.kind, engine(&state).as_deref()), (Kind::Aiger, Some("auto")));
    state.apply(Action::Edited("main process p { init loc A }".into()));
    assert_eq!((state.kind, engine(&state)), (Kind::Cfa, None));
    state.options = vec![("domain".to_owned(), "expl".to_owned())];
    state.apply(Action::Edited("aag 1 0 1 0 0\n2 3\n".into()));
    assert_eq!(state.options, [("domain".to_owned(), "expl".to_owned())]);
}

#[test]
fn explanations_are_kept_one_for_each_event() {
    let mut state = loaded();
    state.apply(Action::Run);
    let job = state.run.as_ref().expect("a run").job;
    for (index, title) in [(0, "first"), (1, "second"), (1, "again")] {
        let explanation = Explained { index, title: title.to_owned(), ..Explained::default() };
        says(&mut state, FromEngine::Explained { job, explained: explanation });
    }
    let title = |index| state.explanation_of(index).map(|explained| explained.title.clone());
    assert_eq!((title(0).as_deref(), title(1).as_deref(), title(2)), (Some("first"), Some("again"), None));
}

/// The picture that a request to save is about.
fn saved(state: &mut State, of: PictureOf) -> Picture {
    match state.apply(Action::Save(of, FileFormat::Png)).pop() {
        Some(Effect::Send(ToEngine::Save { picture, format: FileFormat::Png, .. })) => picture,
        other => panic!("{other:?}"),
    }
}

#[test]
fn pictures_are_saved_as_they_are_shown() {
    let mut fresh = loaded();
    assert!(matches!(saved(&mut fresh, PictureOf::Model), Picture::Model { text, .. } if text == "main"));
    let (mut state, job) = running();
    state.apply(Action::Go(Move::Back(Granularity::Event)));
    let at = |what| Picture::Step { job, index: 4, what };
    state.apply(Action::Pick(Some(Thing::Node(NodeId(0)))));
    state.view.ghosts = ShowGhosts::Always;
    let part = GraphPart { chosen: Some(NodeId(0)), removed: true, fold: Fold::Iterations };
    state.view.fold = Fold::Iterations;
    let graph = Picture::Graph { job, index: 4, part };
    assert_eq!(saved(&mut state, PictureOf::Run), graph);
    assert_eq!(saved(&mut state, PictureOf::Model), at(What::Model));
    state.view.middle = MiddleTab::Path;
    assert_eq!(saved(&mut state, PictureOf::Run), at(What::Path));
    state.apply(Action::Edited("other".into()));
    assert!(matches!(saved(&mut state, PictureOf::Model), Picture::Model { text, .. } if text == "other"));
    let answer = |content| FromEngine::Saved { name: "m-path-5".into(), format: FileFormat::Svg, content };
    let offered = Effect::Offer("m-path-5".into(), FileFormat::Svg, "<svg/>".into());
    assert_eq!(says(&mut state, answer(Ok("<svg/>".into()))), [offered]);
    assert!(says(&mut state, answer(Err("it is gone".into()))).is_empty());
    assert!(state.notices.iter().any(|notice| notice.text.contains("it is gone")));
}

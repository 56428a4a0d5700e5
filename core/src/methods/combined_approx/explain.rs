//! Explanations of under- and over-approximation in turns.

use crate::explain::glossary::Concept;
use crate::explain::piece::{count, say};
use crate::explain::round::{NO_VERDICT, concluded, titled};
use crate::explain::{Context, Explanation, Subjects, line};
use crate::kit::{self, PredicateId, UnknownReason, Verdict};
use crate::methods::combined_approx::{Event, Side};
use crate::methods::{cegar, under};

/// Explains an event.
pub(crate) fn explain(cx: &Context<'_>, event: Event) -> Explanation {
    match event {
        Event::TurnBegan { side, turn, resumed } => turn_began(cx, side, (turn, resumed)),
        Event::Shared { predicate, with } => shared(cx, predicate, with),
        Event::GaveUp { side, why } => gave_up(cx, side, why),
    }
}

/// The start of a turn.
pub(crate) fn round(cx: &Context<'_>, event: Event) -> Explanation {
    let Event::TurnBegan { side, turn, .. } = event else {
        return titled(
            "Next turn".to_owned(),
            say![cx; "The next turn begins."],
            say![cx; "Two engines run in turns."],
        );
    };
    titled(
        format!("Turn {}: {}", cx.iteration(), side.name()),
        say![cx; "It is turn ", turn, " of the ", side.name(), "."],
        say![cx; "The under-approximation executes concrete states, so every error that it finds is real. The \
            over-approximation contains all behaviours of the model, so the property holds if it contains no error. They run in \
            turns, and the first one with an answer ends the run."],
    )
}

fn turn_began(cx: &Context<'_>, side: Side, (turn, resumed): (u32, bool)) -> Explanation {
    let (what, why) = match (side, resumed) {
        (_, true) => (
            say![cx; "The ", side.name(), " continues its iteration."],
            say![cx; "Its last turn was interrupted, since the iteration takes long. So neither engine waits for the other one."],
        ),
        (Side::Under, false) => (
            say![cx; "The under-approximation searches concrete states."],
            say![cx; "States with the same truth of all ", Concept::Predicate, "s are matched. The predicates are its own and those \
                that the over-approximation found."],
        ),
        (Side::Over, false) => (
            say![cx; "The over-approximation continues its ", Concept::Arg, "."],
            say![cx; "It tracks its own ", Concept::Predicate, "s and those that the under-approximation found. Nodes that are in the \
                graph already keep their labels."],
        ),
    };
    let maths = vec![line("turn", turn.to_string())];
    Explanation { maths, ..titled(title(side), what, why) }
}

fn title(side: Side) -> String {
    match side {
        Side::Under => "Turn of the under-approximation".to_owned(),
        Side::Over => "Turn of the over-approximation".to_owned(),
    }
}

fn shared(cx: &Context<'_>, predicate: PredicateId, with: Side) -> Explanation {
    let why = match with {
        Side::Under => {
            say![cx; "An ", Concept::Interpolant, " of a ", Concept::Spurious, " counterexample contains it. With it, the \
            search distinguishes states that the proof distinguishes, so it can reach errors that it missed."]
        }
        Side::Over => {
            say![cx; "It is a part of a ", Concept::WeakestPrecondition, " that was not implied. With it, the proof may not \
            need a counterexample to find it."]
        }
    };
    Explanation {
        maths: vec![line("predicate", cx.journal.literal((predicate, true)))],
        subjects: Subjects { predicates: vec![predicate], ..Subjects::default() },
        ..titled(
            "Shared predicate".to_owned(),
            say![cx; "The ", with.name(), " uses the ", Concept::Predicate, " ", predicate, " of the ", with.other().name(),
                " from now on."],
            why,
        )
    }
}

fn gave_up(cx: &Context<'_>, side: Side, why: UnknownReason) -> Explanation {
    titled(
        format!("No verdict of the {}", side.name()),
        say![cx; "The ", side.name(), " ends without a verdict: ", why.to_string(), "."],
        say![cx; "The other engine continues alone, unless it has ended, too."],
    )
}

/// Which engine has the last turn, and how many predicates each of them found.
fn shares(cx: &Context<'_>) -> (Option<Side>, [usize; 2], usize) {
    let (mut last, mut found, mut shared) = (None, [0, 0], 0);
    for event in &cx.journal.events[..cx.index.min(cx.journal.events.len())] {
        match event {
            kit::Event::CombinedApprox(Event::TurnBegan { side, .. }) => last = Some(*side),
            kit::Event::CombinedApprox(Event::Shared { .. }) => shared += 1,
            kit::Event::Under(under::Event::PredicateAdded { .. }) => found[0] += 1,
            kit::Event::Cegar(cegar::Event::PrecisionGrew { .. }) => found[1] += 1,
            _ => {}
        }
    }
    (last, found, shared)
}

/// The end of the run.
pub(crate) fn decided(cx: &Context<'_>, verdict: Verdict) -> Explanation {
    let (last, found, shared) = shares(cx);
    let mut end = match (verdict, last) {
        (Verdict::Unknown(_), _) => Explanation { slip: Some(NO_VERDICT), ..concluded(cx, verdict) },
        (Verdict::Holds, Some(Side::Under)) => under::explain::decided(cx, verdict),
        _ => concluded(cx, verdict),
    };
    let answer = match (verdict, last) {
        (Verdict::Unknown(_), _) | (_, None) => "none".to_owned(),
        (_, Some(side)) => side.name().to_owned(),
    };
    end.maths = vec![
        line("answer of the", answer),
        line("in all", count(cx.iteration(), "turn")),
        line("predicates of the search", found[0].to_string()),
        line("predicates of the proof", found[1].to_string()),
        line("shared", shared.to_string()),
    ];
    end
}

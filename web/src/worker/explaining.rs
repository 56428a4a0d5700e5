//! Explanations and the glossary, converted to messages.

use veristep_core::explain::{Concept, Explanation, Judgement, MathLine, Piece, Target, explain};
use veristep_core::kit::Journal;

use crate::explained::{Answer, Depicted, Explained, Line, Part, Thing};

/// The words of the glossary with their definitions.
pub(super) fn words() -> Vec<(String, String)> {
    Concept::ALL.iter().map(|concept| (concept.name().to_owned(), concept.definition().to_owned())).collect()
}

/// Explains an event.
pub(super) fn tell(journal: &Journal, index: u32) -> Explained {
    let Explanation { title, what, why, maths, slip, subjects } = explain(journal, index as usize);
    Explained {
        index,
        title,
        what: what.into_iter().map(|p| part(p, journal)).collect(),
        why: why.into_iter().map(|p| part(p, journal)).collect(),
        maths: maths.into_iter().map(line).collect(),
        slip: slip.map(str::to_owned),
        asked: journal.events.get(index as usize).is_some_and(|e| e.was_asked()),
        subjects: subjects.in_model(&journal.names),
        depicted: Depicted::default(),
    }
}

/// References are to parts of the model.
fn part(piece: Piece, journal: &Journal) -> Part {
    match piece {
        Piece::Text(text) => Part::Text(text),
        Piece::Code(text) => Part::Code(text),
        Piece::Ref { target, text } => match target {
            Target::Node(id) => Part::Ref(Thing::Node(id), text),
            Target::Location(id) => Part::Ref(Thing::Location(journal.names.place(id)), text),
            Target::Edge(id) if journal.names.origin.is_some() => {
                match journal.names.with_inner(id).first() {
                    Some(edge) => Part::Ref(Thing::Edge(*edge), text),
                    None => Part::Code(text),
                }
            }
            Target::Edge(id) => Part::Ref(Thing::Edge(id), text),
            Target::Predicate(id) => Part::Ref(Thing::Predicate(id), text),
            Target::Formula(_) => Part::Code(text),
        },
        Piece::Concept { concept, text } => {
            let number = Concept::ALL.iter().position(|t| *t == concept).unwrap_or(0);
            Part::Concept(u32::try_from(number).unwrap_or(0), text.to_owned())
        }
    }
}

fn line(line: MathLine) -> Line {
    let answer = line.verdict.map(|verdict| match verdict {
        Judgement::Sat => Answer::Sat,
        Judgement::Unsat => Answer::Unsat,
        Judgement::Holds => Answer::Holds,
        Judgement::Fails => Answer::Fails,
        Judgement::Unknown => Answer::Unknown,
    });
    Line { label: line.label, formula: line.formula, answer }
}

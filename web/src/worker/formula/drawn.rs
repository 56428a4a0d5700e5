//! A drawn automaton: its picture, the runs of a word on it, and its comparison with the formula.

use std::sync::Arc;

use veristep_core::buchi::{self, Automaton, Inclusion, dot, hoa, never};
use veristep_core::draw;
use veristep_core::edit::automaton::Automaton as Drawn;
use veristep_core::ltl::{self, AtomId, Formula, Word};
use veristep_core::system::{LocationId, Role as SystemRole};

use super::{chosen_word, large, letters, listed, of_automaton, patterns, runs, trouble};
use crate::formula::protocol::{Compared, Request, Shown, TIME, Trouble};
use crate::protocol::{EdgeInfo, LocationInfo, ModelInfo, Role};

/// What is shown of the automaton with this text.
pub(super) fn shown(ask: &Request, text: &str) -> Result<Shown, Trouble> {
    if text.trim().is_empty() {
        return Ok(Shown::default());
    }
    let (written, drawn) = hoa::drawn(text).map_err(|d| trouble(&d))?;
    let automaton = hoa::parse(text).map_err(|d| trouble(&d))?;
    let mut atoms = automaton.atoms.clone();
    let formula = formula(&ask.formula, &mut atoms);
    let [written, automaton] = [written, automaton].map(|one| one.over(&atoms).unwrap_or(one));
    let rejected = automaton.clone().reduced().degeneralized().reduced().complement();
    let examples = [Some(&automaton), rejected.as_ref()]
        .map(|one| one.and_then(Automaton::some_word).map(|word| letters(&word, atoms.len())));
    let word = chosen_word(ask, &atoms, &examples);
    let as_word = Word { stem: word.stem.clone(), cycle: word.cycle.clone() };
    let now = now(&written, &drawn, &as_word, ask.time.min(TIME) as usize);
    let name = |p: AtomId| atoms[p.index()].clone();
    let parsed = formula.as_ref().and_then(|formula| formula.as_ref().ok());
    let mut rows = Vec::new();
    parsed.iter().for_each(|formula| listed(formula, 0, &as_word, &name, &mut rows));
    let picture = draw::drawn_automaton(&drawn, &now.active, &now.taken).map(Arc::new);
    let model = picture.clone().map(|drawing| Arc::new(ModelInfo { drawing, ..model(&drawn, &atoms) }));
    Ok(Shown {
        facts: [facts(&automaton, &drawn), patterns(&automaton)?].concat(),
        picture: None,
        hoa: String::new(),
        model,
        rows,
        satisfied: parsed.is_some_and(|formula| as_word.satisfies(formula)),
        accepted: automaton.accepts(&as_word),
        active: now.active.iter().map(|(q, alive)| (drawn.locations[*q].0.clone(), *alive)).collect(),
        compared: formula.map(|formula| compared(&automaton, &formula?, atoms.len())),
        texts: texts(&automaton),
        atoms,
        word,
        examples,
    })
}

/// The formula over the atoms of the automaton and its own, if there is one.
fn formula(text: &str, atoms: &mut Vec<String>) -> Option<Result<Formula, Trouble>> {
    if text.trim().is_empty() {
        return None;
    }
    Some(ltl::propositional(text).map_err(|d| trouble(&d)).map(|parsed| parsed.over(atoms)))
}

/// Where runs are, and the transitions that the next letter takes.
struct Now {
    active: Vec<(usize, bool)>,
    taken: Vec<usize>,
}

fn now(written: &Automaton, drawn: &Drawn, word: &Word, time: usize) -> Now {
    let marked = runs(written, word, time);
    let count = drawn.locations.len();
    // The first transition out of each state, among all.
    let first = |state: usize| {
        let before = |source: &str| drawn.locations[..state].iter().any(|(name, _)| name == source);
        drawn.edges.iter().filter(|edge| before(&edge.source)).count()
    };
    let out = |state: usize| drawn.edges.iter().filter(|e| e.source == drawn.locations[state].0).count();
    let initial = |state: &usize| drawn.locations[*state].1 == SystemRole::Initial;
    let starts: Vec<usize> = (0..count).filter(initial).collect();
    let mut now = Now { active: Vec::new(), taken: Vec::new() };
    for (state, alive) in marked.active {
        match state.index() < count {
            true => now.active.push((state.index(), alive)),
            // The state that stands for several initial ones.
            false => now.active.extend(starts.iter().map(|start| (*start, alive))),
        }
    }
    for (state, mut number) in marked.taken {
        if state.index() < count {
            now.taken.push(first(state.index()) + number);
            continue;
        }
        for start in &starts {
            match number < out(*start) {
                true => {
                    now.taken.push(first(*start) + number);
                    break;
                }
                false => number -= out(*start),
            }
        }
    }
    now
}

/// What is known of the automaton, with the numbers of what is drawn.
fn facts(automaton: &Automaton, drawn: &Drawn) -> Vec<(String, String)> {
    let mut facts = of_automaton(automaton, (drawn.locations.len(), drawn.edges.len()));
    if !drawn.locations.iter().any(|(_, role)| *role == SystemRole::Initial) {
        facts.push(("initial state".to_owned(), "none, so it accepts no word".to_owned()));
    }
    facts
}

/// The automaton as a model of the page: states are locations, transitions edges; the atoms are also those of the
/// formula.
fn model(drawn: &Drawn, atoms: &[String]) -> ModelInfo {
    let state = |name: &str| LocationId::new(drawn.locations.iter().position(|l| l.0 == name).unwrap_or(0));
    let location = |(name, role): &(String, SystemRole)| LocationInfo {
        name: name.clone(),
        role: if *role == SystemRole::Initial { Role::Initial } else { Role::Plain },
        accepting: drawn.accepting.contains(name),
        pinned: drawn.pins.contains_key(name),
        ..LocationInfo::default()
    };
    let edges = drawn.edges.iter().map(|edge| EdgeInfo {
        source: state(&edge.source),
        target: state(&edge.target),
        text: edge.statements.join(" "),
        span: None,
    });
    ModelInfo {
        variables: atoms.iter().map(|atom| (atom.clone(), String::new())).collect(),
        locations: drawn.locations.iter().map(location).collect(),
        edges: edges.collect(),
        ..ModelInfo::default()
    }
}

/// Which words only one of them has.
fn compared(automaton: &Automaton, formula: &Formula, atoms: usize) -> Result<Compared, Trouble> {
    let included = buchi::is_included(automaton, formula).map_err(large)?;
    let includes = buchi::includes(automaton, formula).map_err(large)?;
    let text = match (&included, &includes) {
        (Inclusion::Holds, Inclusion::Holds) => {
            "Equivalent: the automaton accepts exactly the words that satisfy the formula."
        }
        (Inclusion::Holds, Inclusion::Fails(_)) => {
            "Included: every accepted word satisfies the formula, but some words that satisfy it are not accepted."
        }
        (Inclusion::Fails(_), Inclusion::Holds) => {
            "The automaton accepts every word that satisfies the formula, and others, which do not."
        }
        (Inclusion::Fails(_), Inclusion::Fails(_)) => {
            "Neither includes the other: some accepted words do not satisfy the formula, and some that satisfy it are not accepted."
        }
        (Inclusion::Holds, Inclusion::Unknown) => {
            "Included: every accepted word satisfies the formula. The automaton is too large to decide whether it accepts all of them."
        }
        (Inclusion::Fails(_), Inclusion::Unknown) => {
            "Different: some accepted words do not satisfy the formula."
        }
        (Inclusion::Unknown, Inclusion::Fails(_)) => {
            "Different: some words that satisfy the formula are not accepted."
        }
        (Inclusion::Unknown, Inclusion::Holds) => {
            "The automaton accepts every word that satisfies the formula. It is too large to decide whether it accepts others."
        }
        (Inclusion::Unknown, Inclusion::Unknown) => "The automaton is too large to be compared.",
    };
    let same = (&included, &includes) == (&Inclusion::Holds, &Inclusion::Holds);
    let word = [included, includes].into_iter().find_map(|inclusion| match inclusion {
        Inclusion::Fails(word) => Some(letters(&word, atoms)),
        _ => None,
    });
    Ok(Compared { text: text.to_owned(), same, word })
}

/// The automaton in other formats.
fn texts(automaton: &Automaton) -> Vec<(String, String)> {
    let mut texts = vec![("DOT".to_owned(), dot::print(automaton, "drawn"))];
    if automaton.is_plain() {
        texts.push(("never claim".to_owned(), never::print(automaton, "drawn")));
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESPONSE: &str = "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"p\" \"s\"\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0 {0}\n[!0 | 1] 0\n[0 & !1] 1\nState: 1 \"wait\"\n[!1] 1\n[1] 0\n--END--\n";

    fn of(text: &str, formula: &str) -> Shown {
        let request = Request { formula: formula.to_owned(), ..Request::default() };
        shown(&request, text).expect("an automaton")
    }

    fn comparison(text: &str, formula: &str) -> Compared {
        of(text, formula).compared.expect("a formula").expect("one that can be read")
    }

    #[test]
    fn an_automaton_is_compared_with_a_formula() {
        let same = comparison(RESPONSE, "G (p -> F s)");
        assert!(same.same && same.word.is_none(), "{same:?}");
        let less = comparison(RESPONSE, "G (p -> F s) | G F p");
        assert!(!less.same && less.text.starts_with("Included"), "{less:?}");
        let more = comparison(RESPONSE, "G !p");
        assert!(more.text.starts_with("The automaton accepts every word"), "{more:?}");
        let neither = comparison(RESPONSE, "F other");
        assert!(neither.text.starts_with("Neither"), "{neither:?}");
        assert!(of(RESPONSE, "G (").compared.expect("a formula").is_err());
        assert_eq!(of(RESPONSE, " ").compared, None);
        let facts = of(RESPONSE, "").facts;
        assert!(
            facts.iter().any(|(_, how)| how.ends_with("Corbett: s responds to p, globally")),
            "{facts:?}"
        );
    }

    #[test]
    fn several_initial_states_are_marked_as_they_are_drawn() {
        let text = "HOA: v1\nStates: 3\nStart: 0\nStart: 2\nAP: 1 \"a\"\nAcceptance: 0 t\n--BODY--\nState: 0\n[0] 1\n[!0] 0\nState: 2\n[0] 2\nState: 1 \"one\"\n--END--\n";
        let (written, drawn) = hoa::drawn(text).expect("an automaton");
        let word = Word { stem: vec![], cycle: vec![vec![true]] };
        let first = now(&written, &drawn, &word, 0);
        assert_eq!((first.active, first.taken), (vec![(0, true), (2, true)], vec![0, 2]));
        let second = now(&written, &drawn, &word, 1);
        assert_eq!((second.active, second.taken), (vec![(1, false), (2, true)], vec![2]));
        let model = model(&drawn, &[]);
        let roles: Vec<Role> = model.locations.iter().map(|location| location.role).collect();
        assert_eq!(roles, [Role::Initial, Role::Plain, Role::Initial]);
        assert_eq!(model.edges.iter().map(|edge| edge.source.0).collect::<Vec<_>>(), [0, 0, 2]);
    }
}

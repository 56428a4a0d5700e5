//! Answers to the requests of the page of formulas.

mod drawn;

use std::collections::BTreeSet;
use std::sync::Arc;

use veristep_core::buchi::{self, Automaton, StateId, dot, hoa, never};
use veristep_core::diagnostic::Diagnostic;
use veristep_core::draw::{self, Marked};
use veristep_core::ltl::{self, AtomId, Class, Formula, Word};
use veristep_core::text::count;

use crate::formula::protocol::{
    Answer, Ask, Compared, LONGEST, Letters, Request, Response, Shown, TIME, Trouble,
};

/// The maximal number of listed subformulas.
const ROWS: usize = 24;

/// Answers a request.
pub(super) fn answer(ask: &Ask) -> Answer {
    match ask {
        Ask::Show(request) => {
            let shown = match &request.automaton {
                Some(text) => drawn::shown(request, text),
                None => shown(request),
            };
            Answer::Shown(Response { job: request.job, result: shown.map(Box::new) })
        }
        Ask::Edit { job, text, edits } => Answer::Edited { job: *job, written: hoa::edit(text, edits) },
    }
}

fn trouble(d: &[Diagnostic]) -> Trouble {
    d.first().map_or_else(Trouble::default, |d| Trouble {
        message: d.message.clone(),
        from: d.span.start,
        to: d.span.end.max(1),
    })
}

fn large(why: buchi::TooLarge) -> Trouble {
    Trouble { message: why.to_string(), ..Trouble::default() }
}

fn shown(ask: &Request) -> Result<Shown, Trouble> {
    let parsed = ltl::propositional(&ask.formula).map_err(|d| trouble(&d))?;
    let (formula, mut atoms) = (parsed.formula, parsed.atoms);
    let other = match ask.other.trim() {
        "" => None,
        text => Some(ltl::propositional(text).map_err(|d| trouble(&d)).map(|other| other.over(&mut atoms))),
    };
    let drawn = if ask.negated { formula.clone().negated() } else { formula.clone() };
    let automaton = match ask.generalized {
        true => buchi::generalized(&drawn, &atoms),
        false => buchi::of_formula(&drawn, &atoms),
    }
    .map_err(large)?;
    let some = |f: &Formula| {
        Ok(buchi::generalized(f, &atoms).map_err(large)?.some_word().map(|w| letters(&w, atoms.len())))
    };
    let examples = [some(&formula)?, some(&formula.clone().negated())?];
    let word = chosen_word(ask, &atoms, &examples);
    let as_word = Word { stem: word.stem.clone(), cycle: word.cycle.clone() };
    let marked = runs(&automaton, &as_word, ask.time.min(TIME) as usize);
    let of_formula = match ask.negated || ask.generalized {
        true => buchi::of_formula(&formula, &atoms).map_err(large)?,
        false => automaton.clone(),
    };
    let name = |p: AtomId| atoms[p.index()].clone();
    let mut rows = Vec::new();
    listed(&formula, 0, &as_word, &name, &mut rows);
    Ok(Shown {
        facts: [
            facts(&formula, &examples, &name),
            of_automaton(&automaton, (automaton.states.len(), automaton.transitions())),
            patterns(&of_formula)?,
        ]
        .concat(),
        picture: draw::automaton(&automaton, &marked).map(Arc::new),
        model: None,
        rows,
        satisfied: as_word.satisfies(&formula),
        accepted: automaton.accepts(&as_word),
        active: marked.active.iter().map(|(q, alive)| (q.to_string(), *alive)).collect(),
        compared: other.map(|other| compared(&formula, &other?, &atoms)),
        texts: texts(&automaton, &ask.formula, ask.negated),
        hoa: hoa::print(&of_formula, &ask.formula),
        atoms,
        word,
        examples,
    })
}

/// A word in the page's form: every letter assigns every atom.
fn letters(word: &Word, atoms: usize) -> Letters {
    let letter = |l: &Vec<bool>| (0..atoms).map(|p| l.get(p) == Some(&true)).collect();
    let part = |part: &[Vec<bool>]| part.iter().map(letter).collect();
    Letters { stem: part(&word.stem), cycle: part(&word.cycle) }
}

/// The word over other atoms; atoms that it does not assign are false.
fn over(names: &[String], word: &Letters, atoms: &[String]) -> Letters {
    let letter = |l: &Vec<bool>| {
        let value = |a: &String| names.iter().position(|n| n == a).and_then(|i| l.get(i)) == Some(&true);
        atoms.iter().map(value).collect::<Vec<bool>>()
    };
    let part = |part: &[Vec<bool>]| part.iter().take(LONGEST).map(letter).collect::<Vec<_>>();
    let mut cycle = part(&word.cycle);
    if cycle.is_empty() {
        cycle.push(vec![false; atoms.len()]);
    }
    Letters { stem: part(&word.stem), cycle }
}

fn listed(
    f: &Formula,
    depth: u32,
    word: &Word,
    name: &dyn Fn(AtomId) -> String,
    rows: &mut Vec<(String, u32, Vec<bool>)>,
) {
    let text = f.text(name);
    if rows.len() >= ROWS || matches!(f, Formula::Atom(_) | Formula::Constant(_)) && depth > 0 {
        return;
    }
    if !rows.iter().any(|(t, ..)| *t == text) {
        rows.push((text, depth, word.values(f)));
    }
    f.children().iter().for_each(|c| listed(c, depth + 1, word, name, rows));
}

fn facts(
    formula: &Formula,
    examples: &[Option<Letters>; 2],
    name: &dyn Fn(AtomId) -> String,
) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let mut fact = |what: &str, how: String| facts.push((what.to_owned(), how));
    fact("simplified", buchi::simplified(formula).text(name));
    fact("class", Class::of(formula).to_string());
    let stutter = if formula.is_next_free() {
        "without X: invariant under stuttering"
    } else {
        "with X: possibly sensitive to stuttering"
    };
    fact("stuttering", stutter.to_owned());
    let status = match examples {
        [None, _] => "unsatisfiable: no word satisfies it",
        [_, None] => "valid: every word satisfies it",
        _ => "some words satisfy it, some do not",
    };
    fact("truth", status.to_owned());
    facts
}

/// The facts of an automaton with so many states and transitions.
fn of_automaton(automaton: &Automaton, (states, transitions): (usize, usize)) -> Vec<(String, String)> {
    let mut automaton = automaton.clone();
    let kind = if automaton.is_deterministic() { "deterministic" } else { "nondeterministic" };
    let sets = match automaton.marks {
        _ if automaton.is_plain() => String::new(),
        n => format!(", {}", count(n as usize, "acceptance set")),
    };
    let (states, transitions) = (count(states, "state"), count(transitions, "transition"));
    vec![("automaton".to_owned(), format!("{states}, {transitions}, {kind}, {}{sets}", automaton.shape()))]
}

/// Which of the patterns an automaton states.
fn patterns(automaton: &Automaton) -> Result<Vec<(String, String)>, Trouble> {
    let stated = buchi::patterns::of(automaton).map_err(large)?;
    let all = format!("of the {} of Dwyer, Avrunin and Corbett", buchi::patterns::all().count());
    let list: Vec<String> = stated.instances.iter().map(ToString::to_string).collect();
    let mut text = match (list.len(), stated.undecided) {
        (0, 0) => format!("none {all}"),
        (0, _) => format!("none found {all}"),
        (number, _) => format!("{number} {all}: {}", list.join("; ")),
    };
    if stated.undecided > 0 {
        let undecided = count(stated.undecided, "pattern");
        text.push_str(&format!("; {undecided} not decided, since the automaton is too large"));
    }
    Ok(vec![("patterns".to_owned(), text)])
}

/// The word of a request; one over other atoms is replaced by an example.
fn chosen_word(ask: &Request, atoms: &[String], examples: &[Option<Letters>; 2]) -> Letters {
    let about = |names: &[String]| names.is_empty() || names.iter().any(|n| atoms.contains(n));
    let wanted = ask.word.as_ref().filter(|(names, _)| about(names));
    let wanted = wanted.map(|(names, word)| over(names, word, atoms));
    wanted
        .or_else(|| examples.iter().flatten().next().cloned())
        .unwrap_or_else(|| over(&[], &Letters::default(), atoms))
}

fn compared(a: &Formula, b: &Formula, atoms: &[String]) -> Result<Compared, Trouble> {
    let left = buchi::difference(a, b, atoms).map_err(large)?;
    let right = buchi::difference(b, a, atoms).map_err(large)?;
    let text = match (&left, &right) {
        (None, None) => "They are equivalent.",
        (None, Some(_)) => {
            "The first implies the second, but not conversely: some words satisfy only the second."
        }
        (Some(_), None) => {
            "The second implies the first, but not conversely: some words satisfy only the first."
        }
        (Some(_), Some(_)) => {
            "Neither implies the other: some words satisfy only the first, some only the second."
        }
    };
    let word = left.or(right).map(|w| letters(&w, atoms.len()));
    Ok(Compared { text: text.to_owned(), same: word.is_none(), word })
}

fn texts(automaton: &Automaton, formula: &str, negated: bool) -> Vec<(String, String)> {
    let name = if negated { format!("!({formula})") } else { formula.to_owned() };
    let mut texts = vec![
        ("HOA".to_owned(), hoa::print(automaton, &name)),
        ("DOT".to_owned(), dot::print(automaton, &name)),
    ];
    if automaton.is_plain() {
        texts.push(("never claim".to_owned(), never::print(automaton, &name)));
    }
    texts
}

/// The states of runs of a word after some letters.
fn runs(automaton: &Automaton, word: &Word, time: usize) -> Marked {
    let mut now = BTreeSet::from([automaton.initial]);
    let mut at = 0;
    let enabled = |q: StateId, at: usize| {
        let letter = word.letter(at);
        let holds = |v: u32| letter.get(v as usize) == Some(&true);
        let out = automaton.out(q).iter().enumerate();
        out.filter(|(_, t)| automaton.guards.eval(t.guard, &holds))
            .map(|(i, t)| (i, t.target))
            .collect::<Vec<_>>()
    };
    for _ in 0..time {
        now = now.into_iter().flat_map(|q| enabled(q, at)).map(|(_, target)| target).collect();
        at = word.next(at);
    }
    let rest = Word {
        stem: (at.min(word.stem.len())..word.stem.len()).map(|i| word.letter(i).clone()).collect(),
        cycle: match at.checked_sub(word.stem.len()) {
            Some(turn) => {
                let n = word.cycle.len();
                (0..n).map(|i| word.cycle[(turn + i) % n].clone()).collect()
            }
            None => word.cycle.clone(),
        },
    };
    let active = now.iter().map(|q| (*q, automaton.accepts_from(*q, &rest))).collect();
    let taken = now.iter().flat_map(|q| enabled(*q, at).into_iter().map(|(i, _)| (*q, i))).collect();
    Marked { active, taken }
}

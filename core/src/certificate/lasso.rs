//! Check of an ultimately periodic run against a formula: the interpreter executes its steps, and the formula is
//! evaluated on the word of its states. Neither an automaton nor an engine is used.
//!
//! A variable is *stable* at a position of the cycle if it has the same value there in each round, under the same
//! choices: its value at the start equals that at the end, or it was computed from stable ones. The cycle can be
//! repeated if all its conditions depend on stable variables only. An atom over other variables may be true or false
//! there; the formula has to be false in both cases. Where this is not sufficient, the certificate has a formula that
//! is true at the start of each round ([`RecurrentSet`]). In a time net the dates grow in each round: its cycle can be
//! repeated if the marking and the ages of enabled transitions permit it ([`timed::repeats`]).

use std::collections::BTreeSet;

use super::check::{Rejection, Report, reject, steps};
use super::recurrent_set::RecurrentSet;
use super::{tableau, timed};
use crate::buchi::{Automaton, Guard, Guards};
use crate::certificate::TraceState;
use crate::expr::Expr;
use crate::ltl::{AtomMeaning, Letter, Word};
use crate::system::{EdgeId, LocationId, Op, State, System, VarId};
use crate::temporal::{Demand, Requirement};

type Variables = BTreeSet<VarId>;

/// Does the run violate the formula?
pub(super) fn check(
    system: &System,
    requirement: &Requirement,
    (states, back): (&[TraceState], usize),
    recurrent_set: Option<&str>,
) -> Result<Report, Rejection> {
    let stays = |l: LocationId, state: &State| {
        let condition = requirement.semantics.stays(system, l);
        condition.is_some_and(|e| e.eval(&|v| state[v.index()].clone()).is_ok_and(|x| x.bool()))
    };
    let run = steps(system, states, &stays)?;
    let last = run.len() - 1;
    if back >= last {
        return reject(format!("the cycle from position {back} to {last} has no step"));
    }
    if run[back].0 != run[last].0 {
        return reject(format!("the run is not at the same location at positions {back} and {last}"));
    }
    let (cycle, after) = (&run[back..], &states[back + 1..]);
    let (word, shown, repeats) = match recurrent_set {
        Some(formula) => {
            let mut recurrent_set = RecurrentSet::new(system, cycle, after, formula)?;
            let word = word(system, requirement, (&run, states), back, &mut |i, e, value| {
                recurrent_set.fixed(i, e, value)
            });
            let repeats = format!(
                "If {formula} is true at position {back}, the steps from there are possible, and it is true again after them: so they can be repeated infinitely often."
            );
            (word, recurrent_set.report(), repeats)
        }
        None if let Some(clocks) = &system.clocks => {
            let repeats = timed::repeats(system, clocks, states, back)?;
            let fixed = |e: &Expr| !system.is_about_time(e);
            let word = word(system, requirement, (&run, states), back, &mut |_, e, _| fixed(e));
            (word, Report::default(), repeats)
        }
        None => {
            let stable = stable(system, cycle, after)?;
            let fixed = |i: usize, e: &Expr| e.variables().iter().all(|v| stable[i].contains(v));
            let word = word(system, requirement, (&run, states), back, &mut |i, e, _| fixed(i, e));
            let repeats = if run[back].1 == run[last].1 {
                format!(
                    "The last state equals that of position {back}, so the cycle can be repeated infinitely often."
                )
            } else {
                format!(
                    "All values on which the steps from position {back} depend are the same again, so they can be repeated infinitely often."
                )
            };
            (word, Report::default(), repeats)
        }
    };
    let Some(word) = word else { return reject("no position of the word is on the cycle") };
    let judged = judge(requirement, &word)?;
    Ok(Report {
        obligations: last + 1 + shown.obligations,
        proof_steps: shown.proof_steps,
        sentences: vec![
            "The run starts in an initial state.".to_owned(),
            format!("All {last} steps were replayed in the interpreter, with the stated values."),
            repeats,
            format!("On the {} positions of its word, {judged}.", word.len()),
        ],
        ..Report::default()
    })
}

/// The stable variables at each position of the cycle.
fn stable(
    system: &System,
    cycle: &[(LocationId, State)],
    steps: &[TraceState],
) -> Result<Vec<Variables>, Rejection> {
    let (first, last) = (&cycle[0].1, &cycle[cycle.len() - 1].1);
    let mut start: Variables = system.var_ids().filter(|v| first[v.index()] == last[v.index()]).collect();
    let needed: Vec<VarId> = system
        .var_ids()
        .filter(|v| system.variable(*v).promised.is_some())
        .chain(system.invariant.variables())
        .collect();
    loop {
        let mut at = vec![start.clone()];
        for step in steps {
            let mut after = at[at.len() - 1].clone();
            // A run that repeats its state does so for ever.
            if let Some(edge) = step.edge {
                after_op(system, &system.edges[edge as usize].op, &mut after)?;
            }
            if let Some(v) = needed.iter().find(|v| !after.contains(v)) {
                return reject(format!(
                    "{} may leave its range when the cycle is repeated",
                    system.variable(*v).name
                ));
            }
            at.push(after);
        }
        let again: Variables = start.intersection(&at[at.len() - 1]).copied().collect();
        if again == start {
            return Ok(at);
        }
        start = again;
    }
}

/// The stable variables after an operation.
fn after_op(system: &System, op: &Op, stable: &mut Variables) -> Result<(), Rejection> {
    let all = |e: &Expr, stable: &Variables| e.variables().iter().all(|v| stable.contains(v));
    match op {
        Op::Skip => {}
        Op::Assume(e) | Op::Promise(e) => {
            if !all(e, stable) {
                return reject(format!(
                    "whether '{}' is true when the cycle is repeated is not known",
                    system.expr_text(e)
                ));
            }
        }
        Op::Assign(v, e) => set(*v, all(e, stable), stable),
        Op::Update(updates) => {
            let before = stable.clone();
            updates.iter().for_each(|(v, e)| set(*v, all(e, &before), stable));
        }
        Op::Havoc(v) => set(*v, true, stable),
        Op::Relation(n, e) => {
            if !e.variables().iter().all(|v| v.index() >= *n || stable.contains(v)) {
                return reject("whether a step is possible when the cycle is repeated is not known");
            }
            stable.extend((0..*n).map(VarId::new));
        }
        Op::Sequence(ops) => ops.iter().try_for_each(|op| after_op(system, op, stable))?,
    }
    Ok(())
}

fn set(v: VarId, is_stable: bool, stable: &mut Variables) {
    if is_stable {
        stable.insert(v);
    } else {
        stable.remove(&v);
    }
}

/// Does the word violate the requirement? The result is the reason.
fn judge(requirement: &Requirement, word: &Word) -> Result<&'static str, Rejection> {
    match &requirement.demand {
        Demand::Satisfy(_) => {
            let formula = requirement.formula().expect("a formula is demanded");
            // Unknown atoms at two positions may be equal there, which only the tableau takes into account.
            let unknown =
                || tableau::excludes(&letters(word), word.stem.len(), &names(requirement), &formula);
            if word.may_satisfy(&formula) && unknown() != Some(true) {
                return reject("the run satisfies the formula, or may satisfy it");
            }
            Ok("the formula is false")
        }
        Demand::Never(automaton) => {
            if word.may_satisfy(&requirement.assumed.clone().negated()) {
                return reject("the run is not fair, or may not be fair");
            }
            let unknown = || tableau::includes(&letters(word), word.stem.len(), automaton);
            if !certain(automaton).accepts(word) && unknown() != Some(true) {
                return reject("the automaton does not accept the run, or may not accept it");
            }
            Ok("the automaton accepts")
        }
    }
}

/// The known atoms of each letter.
fn letters(word: &Word) -> Vec<Vec<Option<bool>>> {
    let value = |both: &[bool]| (both[0] == both[1]).then_some(both[0]);
    word.stem.iter().chain(&word.cycle).map(|l| l.chunks(2).map(value).collect()).collect()
}

/// Names of atoms, of which only the number matters.
fn names(requirement: &Requirement) -> Vec<String> {
    (0..requirement.atoms.len()).map(|p| format!("p{p}")).collect()
}

/// An automaton over three-valued words; transitions are taken only if their guards are certainly true.
fn certain(automaton: &Automaton) -> Automaton {
    let mut old = automaton.guards.clone();
    let atoms = automaton.atoms.iter().flat_map(|a| [a.clone(), a.clone()]).collect();
    let mut certain = Automaton { atoms, guards: Guards::default(), ..automaton.clone() };
    for t in certain.states.iter_mut().flatten() {
        let mut sum = Guard::FALSE;
        for cube in old.implicants(t.guard) {
            let literal = |(v, positive): (u32, bool)| (2 * v + u32::from(!positive), positive);
            let cube: Vec<(u32, bool)> = cube.into_iter().map(literal).collect();
            let cube = certain.guards.cube(&cube);
            sum = certain.guards.or(sum, cube);
        }
        t.guard = sum;
    }
    certain
}

/// The word of the run. Each atom has two entries: certainly true, and possibly true; `fixed` decides whether an
/// expression has its value at a position of the cycle in each round.
fn word(
    system: &System,
    requirement: &Requirement,
    (run, steps): (&[(LocationId, State)], &[TraceState]),
    back: usize,
    fixed: &mut dyn FnMut(usize, &Expr, bool) -> bool,
) -> Option<Word> {
    let mut word = Word { stem: Vec::new(), cycle: Vec::new() };
    for (i, (location, state)) in run.iter().enumerate() {
        let counts = match i {
            0 => requirement.starts_at_once(system),
            // A run that repeats its state repeats its letter.
            _ => steps[i].edge.is_none() || requirement.is_position(system, *location),
        };
        if !counts {
            continue;
        }
        if requirement.meant.is_some() && steps[i].edge.is_none() && word.is_empty() {
            // The run ends before the first position of the word.
            return None;
        }
        let values = requirement.letter(steps[i].edge.map(EdgeId), *location, state);
        let mut both = |(atom, value): (&AtomMeaning, bool)| match atom {
            AtomMeaning::Condition(e) if i > back && !fixed(i - back, e, value) => [false, true],
            _ => [value; 2],
        };
        let letter: Letter = requirement.atoms.iter().zip(values).flat_map(&mut both).collect();
        if i <= back { word.stem.push(letter) } else { word.cycle.push(letter) }
    }
    (!word.cycle.is_empty()).then_some(word)
}

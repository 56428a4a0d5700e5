//! Literals, clauses and steps as text and as HTML.

use yew::prelude::*;

use crate::solver::protocol::{Lit, Opened, Step};

/// Texts of atoms: of the negation and of the atom itself.
pub type Atoms = [[String; 2]];

/// The text of a literal.
#[must_use]
pub fn of(atoms: &Atoms, (atom, sign): Lit) -> &str {
    atoms.get(atom as usize).map_or("", |texts| &texts[usize::from(sign)])
}

/// The text of a literal of a check.
#[must_use]
pub fn text(opened: &Opened, lit: Lit) -> &str {
    of(&opened.atoms, lit)
}

/// The text of a clause; the empty one is `false`.
#[must_use]
pub fn clause(opened: &Opened, lits: &[Lit]) -> String {
    let texts: Vec<&str> = lits.iter().map(|l| text(opened, *l)).collect();
    if texts.is_empty() { "false".to_owned() } else { texts.join("  or  ") }
}

/// Does the literal stand for a formula?
fn is_formula(text: &str) -> bool {
    text.contains(['∧', '∨', '⇔'])
}

/// A clause as chips; literals `marked` stand out, those that stand for formulas step back.
pub fn chips(atoms: &Atoms, lits: &[Lit], marked: impl Fn(Lit) -> bool) -> Html {
    if lits.is_empty() {
        return html! { <span class="lit none">{ "false" }</span> };
    }
    let one = |(i, lit): (usize, &Lit)| {
        let text = of(atoms, *lit);
        let formula = is_formula(text).then_some("formula");
        html! {
            <>
                if i > 0 { <span class="or">{ " or " }</span> }
                <span class={classes!("lit", formula, marked(*lit).then_some("marked"))} title={text.to_owned()}>{ text.to_owned() }</span>
            </>
        }
    };
    lits.iter().enumerate().map(one).collect()
}

/// Literals that a clause has lost, struck through, and why.
pub fn lost(atoms: &Atoms, lits: &[Lit], why: &'static str) -> Html {
    let one = |lit: &Lit| html! { <s class="lit lost" title={why}>{ of(atoms, *lit).to_owned() }</s> };
    lits.iter().map(one).collect()
}

/// A step: what it is called, and what happened.
#[must_use]
pub fn what(opened: &Opened, step: &Step) -> (&'static str, String) {
    let name = |n: u32| opened.names.get(n as usize).map_or("", String::as_str);
    let lit = |l: &Lit| text(opened, *l);
    match step {
        Step::Began(trail, starts) => (
            "Begin",
            match (trail.as_slice(), starts.len()) {
                ([], _) => "The search begins; nothing is known yet.".to_owned(),
                ([one], 0) => format!("One fact is known: {}.", lit(one)),
                (many, 0) => format!("{} facts are known.", many.len()),
                (many, decided) => {
                    format!("The search goes on with {} literals, {decided} of them decided.", many.len())
                }
            },
        ),
        Step::Decided(l) => ("Decide", format!("Assume {}.", lit(l))),
        Step::Propagated(l, _) => ("Propagate", format!("{} must hold.", lit(l))),
        Step::Told(l) => ("Tell arithmetic", format!("Arithmetic takes note of {}.", lit(l))),
        Step::Pivoted(left, entered) => {
            ("Pivot", format!("{} leaves the basis, {} enters it.", name(*left), name(*entered)))
        }
        Step::Implied(l, _) => ("Imply", format!("{} must hold.", lit(l))),
        Step::Conflict(_, false) => ("Conflict", "All literals of a clause are false.".to_owned()),
        Step::Conflict(_, true) => {
            ("Conflict in arithmetic", "Comparisons that hold contradict each other.".to_owned())
        }
        Step::Resolved(on, _, gives) => {
            ("Resolve", format!("On {}: {}.", text(opened, (on.0, true)), clause(opened, gives)))
        }
        Step::Learned(c, level) => ("Learn", format!("{}, and go back to level {level}.", clause(opened, c))),
        Step::Demanded(c) => ("Lemma for integers", format!("{}.", clause(opened, c))),
        Step::Restarted => ("Restart", "All decisions are taken back.".to_owned()),
        Step::Consistent => {
            ("Consistent", "Everything that matters has a value, and arithmetic agrees.".to_owned())
        }
        Step::Found(values) if values.is_empty() => {
            ("Satisfiable", "The values on the trail are a model.".to_owned())
        }
        Step::Found(values) => {
            let values: Vec<String> =
                values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            ("Satisfiable", format!("{}.", crate::ui::short(&values.join(", "), 400)))
        }
        Step::GaveUp => ("Not decided", "A limit was reached.".to_owned()),
        Step::Refuted => ("Unsatisfiable", "There is a contradiction that no decision avoids.".to_owned()),
    }
}

/// Why a step was made.
#[must_use]
pub fn why(opened: &Opened, step: &Step) -> String {
    let name = |n: &u32| opened.names.get(*n as usize).map_or("", String::as_str);
    match step {
        Step::Began(..) => "What is asserted holds at level 0, and so does all that clauses derive from it. A formula with ∧ or ∨ is a literal of its own, defined by clauses.".to_owned(),
        Step::Decided(_) => "Nothing else follows, so the search guesses and opens a new level, which can be taken back.".to_owned(),
        Step::Propagated(_, why) => {
            format!("It is the only literal of a clause that is not false: {}.", clause(opened, why))
        }
        Step::Told(_) => "The literal is a comparison: it becomes a bound of the tableau, or an edge of the graph.".to_owned(),
        Step::Pivoted(left, entered) => format!(
            "The value of {} was out of its bounds. It is set to the bound it violated, and {}, which has room to move, makes up for it.",
            name(left),
            name(entered)
        ),
        Step::Implied(_, because) => {
            let because: Vec<&str> = because.iter().map(|l| text(opened, *l)).collect();
            format!("In arithmetic it follows from {}.", because.join(" and "))
        }
        Step::Conflict(c, false) => format!("The clause is {}.", clause(opened, c)),
        Step::Conflict(c, true) => {
            format!("Therefore one of these must hold, and all are false: {}.", clause(opened, c))
        }
        Step::Resolved(on, with, _) => format!(
            "{} was derived from the clause {}; the two clauses together give the new one.",
            text(opened, *on),
            clause(opened, with)
        ),
        Step::Learned(..) => "Only one literal of the current level is left. With this clause the search would have known better, so it is kept.".to_owned(),
        Step::Demanded(_) => "The values are no integers. Terms were split at fractions until every branch was closed, or equations were found to have no integer solution; this clause is what one of these says.".to_owned(),
        Step::Restarted => "What was learned stays; the search begins anew with the variables that matter now.".to_owned(),
        Step::Consistent => "Over the rationals this is a model. For integers a point has still to be found, or lemmas that exclude it.".to_owned(),
        Step::Found(_) => "A model that is answered is evaluated on every assertion first.".to_owned(),
        Step::GaveUp => "Neither a model nor a contradiction was found within the limits.".to_owned(),
        Step::Refuted if opened.steps.len() <= 2 => "An assertion is false as it stands (comparisons are brought into a normal form when they are read), or two of them demand opposite values.".to_owned(),
        Step::Refuted => "Nothing is left to try. The proof is found again from the clauses and the lemmas of arithmetic, and checked.".to_owned(),
    }
}

/// The colour of a step in the rail.
#[must_use]
pub fn tone(step: &Step) -> &'static str {
    match step {
        Step::Decided(_) => "decide",
        Step::Propagated(..) | Step::Implied(..) => "propagate",
        Step::Told(_) | Step::Pivoted(..) => "arithmetic",
        Step::Conflict(..) | Step::Resolved(..) | Step::Refuted => "conflict",
        Step::Learned(..)
        | Step::Demanded(_)
        | Step::Restarted
        | Step::Consistent
        | Step::Found(_)
        | Step::GaveUp => "learn",
        Step::Began(..) => "begin",
    }
}

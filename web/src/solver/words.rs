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

/// Does the literal name a formula?
fn is_formula(text: &str) -> bool {
    text.contains(['∧', '∨', '⇔'])
}

/// A clause as chips; `marked` literals are emphasized, those that name formulas are muted.
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

/// Removed literals of a clause, struck through, and the reason.
pub fn lost(atoms: &Atoms, lits: &[Lit], why: &'static str) -> Html {
    let one = |lit: &Lit| html! { <s class="lit lost" title={why}>{ of(atoms, *lit).to_owned() }</s> };
    lits.iter().map(one).collect()
}

/// A step: its name, and a sentence.
#[must_use]
pub fn what(opened: &Opened, step: &Step) -> (&'static str, String) {
    let name = |n: u32| opened.names.get(n as usize).map_or("", String::as_str);
    let lit = |l: &Lit| text(opened, *l);
    match step {
        Step::Began(trail, starts) => (
            "Begin",
            match (trail.as_slice(), starts.len()) {
                ([], _) => "The search begins with an empty trail.".to_owned(),
                ([one], 0) => format!("One literal is a fact: {}.", lit(one)),
                (many, 0) => format!("{} literals are facts.", many.len()),
                (many, decided) => {
                    format!("The search continues with {} literals, {decided} of them decided.", many.len())
                }
            },
        ),
        Step::Decided(l) => ("Decide", format!("Assume {}.", lit(l))),
        Step::Propagated(l, _) => ("Propagate", format!("{} must hold.", lit(l))),
        Step::Asserted(l) => ("Assert to theory", format!("The theory solver receives {}.", lit(l))),
        Step::Pivoted(left, entered) => {
            ("Pivot", format!("{} leaves the basis, {} enters it.", name(*left), name(*entered)))
        }
        Step::Implied(l, _) => ("Imply", format!("{} must hold.", lit(l))),
        Step::Conflict(_, false) => ("Conflict", "All literals of a clause are false.".to_owned()),
        Step::Conflict(_, true) => {
            ("Conflict in arithmetic", "True comparisons are inconsistent.".to_owned())
        }
        Step::Resolved(on, _, gives) => {
            ("Resolve", format!("On {}: {}.", text(opened, (on.0, true)), clause(opened, gives)))
        }
        Step::Learned(c, level) => ("Learn", format!("{}; backjump to level {level}.", clause(opened, c))),
        Step::Demanded(c) => ("Lemma for integers", format!("{}.", clause(opened, c))),
        Step::Restarted => ("Restart", "All decisions are undone.".to_owned()),
        Step::Consistent => {
            ("Consistent", "All relevant atoms have values consistent with arithmetic.".to_owned())
        }
        Step::Found(values) if values.is_empty() => {
            ("Satisfiable", "The values on the trail are a model.".to_owned())
        }
        Step::Found(values) => {
            let values: Vec<String> =
                values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            ("Satisfiable", format!("{}.", crate::text::short(&values.join(", "), 400)))
        }
        Step::GaveUp => ("Not decided", "A limit was reached.".to_owned()),
        Step::Refuted => ("Unsatisfiable", "The conflict does not depend on any decision.".to_owned()),
    }
}

/// The reason of a step.
#[must_use]
pub fn why(opened: &Opened, step: &Step) -> String {
    let name = |n: &u32| opened.names.get(*n as usize).map_or("", String::as_str);
    match step {
        Step::Began(..) => "Assertions and what unit propagation derives from them hold at level 0. A formula with ∧ or ∨ gets a literal of its own, defined by clauses.".to_owned(),
        Step::Decided(_) => "No more literals can be propagated: a literal is decided at a new level, which can be undone.".to_owned(),
        Step::Propagated(_, why) => {
            format!("It is the only literal not false in the clause {}.", clause(opened, why))
        }
        Step::Asserted(_) => "A comparison is a bound of the tableau, or an edge of the graph.".to_owned(),
        Step::Pivoted(left, entered) => format!(
            "The value of {} violated a bound. It is set to this bound, and {}, which has slack, compensates for it.",
            name(left),
            name(entered)
        ),
        Step::Implied(_, because) => {
            let because: Vec<&str> = because.iter().map(|l| text(opened, *l)).collect();
            format!("Arithmetic implies it from {}.", because.join(" and "))
        }
        Step::Conflict(c, false) => format!("The clause is {}.", clause(opened, c)),
        Step::Conflict(c, true) => {
            format!("One of these must hold, but all are false: {}.", clause(opened, c))
        }
        Step::Resolved(on, with, _) => format!(
            "{} was propagated by the clause {}; the result is the resolvent of both clauses.",
            text(opened, *on),
            clause(opened, with)
        ),
        Step::Learned(..) => "Only one literal of the current level is left (first UIP). The clause is kept: it prevents this conflict.".to_owned(),
        Step::Demanded(_) => "The values are not integers. By branching at fractions, or from equations without integer solution, this clause is implied.".to_owned(),
        Step::Restarted => "Learned clauses stay; the search restarts with the variables of highest activity.".to_owned(),
        Step::Consistent => "This is a model over the rationals. Integer values, or lemmas that exclude them, are still to be found.".to_owned(),
        Step::Found(_) => "A model is evaluated on every assertion before it is reported.".to_owned(),
        Step::GaveUp => "Neither a model nor a contradiction was found within the limits.".to_owned(),
        Step::Refuted if opened.steps.len() <= 2 => "An assertion simplifies to false (comparisons are normalized), or two of them are complementary.".to_owned(),
        Step::Refuted => "The search is exhausted. The proof is reconstructed from clauses and theory lemmas, and checked.".to_owned(),
    }
}

/// The colour of a step in the rail.
#[must_use]
pub fn tone(step: &Step) -> &'static str {
    match step {
        Step::Decided(_) => "decide",
        Step::Propagated(..) | Step::Implied(..) => "propagate",
        Step::Asserted(_) | Step::Pivoted(..) => "arithmetic",
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

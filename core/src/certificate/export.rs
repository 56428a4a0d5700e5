//! The obligations of certificates for *holds* as SMT-LIB scripts for other solvers; each must be `unsat`.
//!
//! The scripts are written from the model's operations and the certificate's formulas as text. They do not use the
//! terms, normal forms and encodings of the engines and the checker. An invariant has one script for the initial
//! location (initial states satisfy its formula), one for the error location (no state satisfies its formula), and one
//! for each other location with a formula (all paths to the next location with a formula lead into that formula). On a
//! path, `t` is true of the edges that are taken, and each passed location is entered over one of its edges. Scripts
//! for sets with ranks are in [`ranks`].

mod ranks;
mod writer;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::check::{Rejection, reject};
use super::parse;
use crate::certificate::Certificate;
use crate::expr::{Expr, Kind};
use crate::property::Property;
use crate::system::{LocationId, System};
use writer::{Writer, expr};

/// A script with its file name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The file's name.
    pub name: String,
    /// Commands in SMT-LIB 2.6; the expected answer is `unsat`.
    pub text: String,
}

/// The scripts of a certificate.
///
/// # Errors
/// If the certificate is a run, cannot be parsed, or is not expressible in SMT-LIB.
pub fn export(
    system: &System,
    property: &Property,
    certificate: &Certificate,
) -> Result<Vec<Script>, Rejection> {
    let locations = match (certificate, property) {
        (Certificate::Invariant { locations }, _) => locations,
        (Certificate::Progress { automaton, nodes }, Property::Temporal(requirement)) => {
            return ranks::scripts(system, requirement, automaton, nodes);
        }
        _ => return reject("a run has no obligations: it is replayed in an interpreter"),
    };
    let system = property.apply(system.clone());
    let mut formulas: Vec<Option<Expr>> = vec![None; system.locations.len()];
    for (name, text) in locations {
        let Some(location) = system.find_location(name) else {
            return reject(format!("there is no location '{name}'"));
        };
        let formula = parse::formula(text, &system).map_err(Rejection)?;
        formulas[location.index()] = Some(formula);
    }
    formulas[system.initial.index()].get_or_insert_with(|| Expr::bool(true));
    let Some(error) = system.error else { return reject("the model has no error location") };
    if formulas[error.index()].is_none() {
        return reject("the error location has no formula");
    }
    let mut scripts = vec![initial(&system, &formulas)?, unreachable(&system, &formulas, error)?];
    for location in system.location_ids() {
        let formula = formulas[location.index()].as_ref();
        if formula.is_some_and(|f| f.kind != Kind::Bool(false)) && !system.out_edges(location).is_empty() {
            scripts.push(ways(&system, &formulas, location)?);
        }
    }
    Ok(scripts)
}

fn initial(system: &System, formulas: &[Option<Expr>]) -> Result<Script, Rejection> {
    let mut w = Writer::new(system, "Every initial state satisfies the formula of the initial location.");
    let state = w.state()?;
    w.assert_all(&[&system.initial_formula, &system.invariant], &state)?;
    let formula = formulas[system.initial.index()].as_ref().expect("it has one");
    let formula = expr(formula, &state)?;
    let _ = writeln!(w.out, "(assert (not {formula}))");
    Ok(w.done("initial".to_owned()))
}

fn unreachable(system: &System, formulas: &[Option<Expr>], error: LocationId) -> Result<Script, Rejection> {
    let mut w = Writer::new(system, "No state satisfies the formula of the error location.");
    let state = w.state()?;
    let formula = formulas[error.index()].as_ref().expect("it has one");
    w.assert_all(&[formula, &system.invariant], &state)?;
    Ok(w.done("error".to_owned()))
}

/// The locations without formulas on the paths from a location, in topological order.
fn between(
    system: &System,
    formulas: &[Option<Expr>],
    begin: LocationId,
) -> Result<Vec<LocationId>, Rejection> {
    // By location, once it is entered: are all of its successors in the order?
    let (mut order, mut done) = (Vec::new(), BTreeMap::<LocationId, bool>::new());
    let mut open = vec![(begin, false)];
    while let Some((at, after)) = open.pop() {
        if after {
            done.insert(at, true);
            order.push(at);
            continue;
        }
        if done.contains_key(&at) {
            continue;
        }
        done.insert(at, false);
        open.push((at, true));
        let targets = system.out_edges(at).iter().map(|edge| system.edge(*edge).target);
        for target in targets.filter(|t| formulas[t.index()].is_none()) {
            match done.get(&target) {
                None => open.push((target, false)),
                Some(true) => {}
                Some(false) => {
                    let name = &system.location(target).name;
                    return reject(format!("{name} is on a cycle of locations without formulas"));
                }
            }
        }
    }
    order.reverse();
    Ok(order)
}

fn ways(system: &System, formulas: &[Option<Expr>], begin: LocationId) -> Result<Script, Rejection> {
    let name = &system.location(begin).name;
    let mut w =
        Writer::new(system, &format!("All paths from {name} lead into the formula of the next location."));
    let state = w.state()?;
    let formula = formulas[begin.index()].as_ref().expect("it has one");
    w.assert_all(&[formula, &system.invariant], &state)?;
    let mut passed: BTreeMap<LocationId, Vec<(String, Vec<String>)>> = BTreeMap::new();
    passed.insert(begin, vec![("true".to_owned(), state)]);
    let mut wrong = Vec::new();
    for at in between(system, formulas, begin)? {
        let Some(entries) = passed.remove(&at) else { continue };
        let (here, state) = w.meet(entries)?;
        for edge in system.out_edges(at).iter().map(|e| system.edge(*e)) {
            let taken = w.fresh("t", "Bool");
            let _ = writeln!(w.out, "(assert (=> {taken} {here}))");
            let mut after = state.clone();
            w.op(&edge.op, &taken, &mut after)?;
            let invariant = expr(&system.invariant, &after)?;
            let _ = writeln!(w.out, "(assert (=> {taken} {invariant}))");
            match &formulas[edge.target.index()] {
                Some(goal) => {
                    let goal = expr(goal, &after)?;
                    let ranges = w.ranges(&after);
                    wrong.push(format!("(and {taken} (not (and true {goal}{ranges})))"));
                }
                None => passed.entry(edge.target).or_default().push((taken, after)),
            }
        }
    }
    assert!(passed.is_empty(), "each location comes after those before it");
    let _ = writeln!(w.out, "(assert (or false false {}))", wrong.join(" "));
    Ok(w.done(format!("from-{}", begin.index())))
}

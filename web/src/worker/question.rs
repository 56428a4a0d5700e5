//! The solver's side of its page: scripts, the inside of a check, interpolants, the questions behind an event.

use std::collections::{BTreeSet, HashMap};

use solver_lite::inside::{self, Inside};
use solver_lite::interpolate::{self, Arithmetic, Boolean};
use solver_lite::literal::Literal;
use solver_lite::proof::{self, Certificate, Proof};
use solver_lite::smtlib::{Flow, Script, Session};
use solver_lite::term::{Term, Terms};
use solver_lite::{Limits, Refutation, certify, refute};
use veristep_core::run::{self, Options};

use crate::solver::protocol::{
    Ask, Column, Edge, Interpolation, Lit, Method, Opened, Picture, ProofStep, Rule, Said, Step, Theory, Told,
};
use crate::worker::adapter;

/// Steps of a search that are shown.
const STEPS: usize = 3_000;
/// Larger proofs are not shown.
const PROOF: usize = 3_000;
/// Memory of one question; a tab has not more than 4 GiB.
const MEMORY: usize = 1 << 30;

fn limits() -> Limits {
    Limits { memory: MEMORY, ..Limits::default() }
}

/// Answers a request; what is found goes to `tell` as it comes.
pub(super) fn answer(ask: Ask, tell: &mut impl FnMut(Told)) {
    match ask {
        Ask::Run { job, text } => {
            let mut session = Session::new(limits());
            let mut script = Script::new(&text);
            let mut flow = Flow::Continue;
            while flow == Flow::Continue {
                let before = session.checks();
                let mut answers = Vec::new();
                flow = session.step(&mut script, &mut |answer| answers.push(answer.to_owned()));
                let check = (session.checks() > before).then(|| number(before));
                let line = script.line();
                answers
                    .into_iter()
                    .for_each(|text| tell(Told::Said { job, said: Said { line, text, check } }));
            }
            tell(Told::Ran { job });
        }
        Ask::Open { job, text, check } => {
            if let Some((session, answer)) = until(&text, check) {
                tell(Told::Opened { job, opened: Box::new(open(session, check, answer)) });
            }
        }
        Ask::Interpolate { job, text, check, cut, method } => {
            let result = until(&text, check)
                .ok_or_else(|| "the script has no such check".to_owned())
                .and_then(|(session, _)| interpolation(session, cut, method));
            tell(Told::Interpolated { job, result });
        }
        Ask::Questions { job, text, property, event } => {
            let result = adapter::load(&text, &property).map(|(system, property)| {
                let asked = run::questions(&system, &property, &Options::default(), event as usize);
                asked.into_iter().map(|q| (q.what, q.script)).collect()
            });
            tell(Told::Questions { job, result });
        }
    }
}

/// A number as papers write it.
fn minus(text: &str) -> String {
    text.replace('-', "−")
}

fn number(n: impl TryInto<u32>) -> u32 {
    n.try_into().unwrap_or(u32::MAX)
}

/// Executes a script up to the answer of a check.
fn until(text: &str, check: u32) -> Option<(Session, String)> {
    let mut session = Session::new(limits());
    let mut script = Script::new(text);
    let mut last = String::new();
    while session.checks() <= u64::from(check) {
        if session.step(&mut script, &mut |answer| last = answer.to_owned()) == Flow::Ended {
            break;
        }
    }
    (session.checks() == u64::from(check) + 1).then_some((session, last))
}

/// Texts of terms, each once.
#[derive(Default)]
struct Texts {
    atoms: Vec<[String; 2]>,
    atom_of: HashMap<Term, u32>,
    names: Vec<String>,
    name_of: HashMap<Term, u32>,
}

impl Texts {
    fn lit(&mut self, terms: &mut Terms, literal: Literal) -> Lit {
        let atoms = &mut self.atoms;
        let atom = *self.atom_of.entry(literal.term).or_insert_with(|| {
            let text = |terms: &mut Terms, positive| {
                let term = Literal { positive, ..literal }.to_term(terms);
                terms.formula(term).to_string()
            };
            atoms.push([text(terms, false), text(terms, true)]);
            number(atoms.len() - 1)
        });
        (atom, literal.positive)
    }

    fn lits(&mut self, terms: &mut Terms, literals: &[Literal]) -> Vec<Lit> {
        literals.iter().map(|l| self.lit(terms, *l)).collect()
    }

    fn name(&mut self, terms: &Terms, t: Term) -> u32 {
        let names = &mut self.names;
        *self.name_of.entry(t).or_insert_with(|| {
            names.push(terms.formula(t).to_string());
            number(names.len() - 1)
        })
    }
}

fn open(mut session: Session, check: u32, answer: String) -> Opened {
    let refuted = session.is_unsat();
    let names = session.names();
    let (terms, all) = session.assertions();
    let story = inside::inside(terms, &all, limits(), STEPS);
    let label = |(i, name): (usize, Option<String>)| name.unwrap_or_else(|| format!("{}", i + 1));
    let labels = names.into_iter().enumerate().map(label);
    let assertions = labels.zip(&all).map(|(name, t)| (name, terms.formula(*t).to_string())).collect();
    let mut texts = Texts::default();
    let mut steps = Vec::with_capacity(story.moments.len());
    for moment in &story.moments {
        steps.push((step(terms, &mut texts, &moment.step), moment.picture.map(number)));
    }
    let mut pictures = Vec::with_capacity(story.pictures.len());
    for picture in &story.pictures {
        pictures.push(shown(terms, &mut texts, picture));
    }
    let proof = if refuted {
        match session.refuted() {
            Ok((proof, _, _)) if proof.steps.len() > PROOF => {
                let size = proof.steps.len();
                Err(format!("The refutation has {size} steps, more than can be shown here. It was checked."))
            }
            Ok((proof, terms, _)) => Ok(proof_steps(terms, &mut texts, &proof)),
            Err(why) => Err(format!("The refutation could not be made explicit: {why}.")),
        }
    } else {
        Err("Only a contradiction has a proof; this check was not answered with unsat.".to_owned())
    };
    let Texts { atoms, names, .. } = texts;
    Opened { check, answer, assertions, atoms, steps, cut: story.cut, pictures, names, proof }
}

fn step(terms: &mut Terms, texts: &mut Texts, step: &Inside) -> Step {
    match step {
        Inside::Began(trail, starts) => {
            Step::Began(texts.lits(terms, trail), starts.iter().map(|s| number(*s)).collect())
        }
        Inside::Decided(l) => Step::Decided(texts.lit(terms, *l)),
        Inside::Propagated(l, reason) => Step::Propagated(texts.lit(terms, *l), texts.lits(terms, reason)),
        Inside::Told(l) => Step::Told(texts.lit(terms, *l)),
        Inside::Pivoted(left, entered) => {
            Step::Pivoted(texts.name(terms, *left), texts.name(terms, *entered))
        }
        Inside::Implied(l) => Step::Implied(texts.lit(terms, *l)),
        Inside::Conflict(c) => Step::Conflict(texts.lits(terms, c), false),
        Inside::Contradiction(c) => Step::Conflict(texts.lits(terms, c), true),
        Inside::Resolved(l, reason, result) => {
            Step::Resolved(texts.lit(terms, *l), texts.lits(terms, reason), texts.lits(terms, result))
        }
        Inside::Learned(c, level) => Step::Learned(texts.lits(terms, c), number(*level)),
        Inside::Demanded(c) => Step::Demanded(texts.lits(terms, c)),
        Inside::Restarted => Step::Restarted,
        Inside::Consistent => Step::Consistent,
        Inside::Refuted => Step::Refuted,
    }
}

fn shown(terms: &mut Terms, texts: &mut Texts, picture: &inside::Picture<Literal>) -> Picture {
    match picture {
        inside::Picture::Tableau(tableau) => {
            let mut columns = Vec::with_capacity(tableau.columns.len());
            for c in &tableau.columns {
                let mut bound = |b: &Option<(String, Literal)>| {
                    b.as_ref().map(|(value, reason)| (minus(value), texts.lit(terms, *reason)))
                };
                let (lower, upper) = (bound(&c.lower), bound(&c.upper));
                let name = texts.name(terms, c.term);
                columns.push(Column { name, value: minus(&c.value), lower, upper, violated: c.violated });
            }
            let sum = |s: &[(usize, solver_lite::number::Q)]| {
                s.iter().map(|(column, q)| (number(*column), q.to_string())).collect()
            };
            let rows = tableau.rows.iter().map(|(basic, s)| (number(*basic), sum(s))).collect();
            Picture::Tableau { columns, rows }
        }
        inside::Picture::Graph(graph) => {
            let node =
                |(term, value): &(Option<Term>, String)| (term.map(|t| texts.name(terms, t)), minus(value));
            let nodes = graph.nodes.iter().map(node).collect();
            let mut edges = Vec::with_capacity(graph.edges.len());
            for e in &graph.edges {
                let bound = format!("{} {}", if e.strict { "<" } else { "≤" }, minus(&e.bound.to_string()));
                let (from, to, literal) = (number(e.from), number(e.to), texts.lit(terms, e.literal));
                edges.push(Edge { from, to, bound, literal, refused: e.refused });
            }
            Picture::Graph { nodes, edges }
        }
    }
}

fn proof_steps(terms: &mut Terms, texts: &mut Texts, proof: &Proof) -> Vec<ProofStep> {
    let mut steps = Vec::with_capacity(proof.steps.len());
    for step in &proof.steps {
        let rule = match &step.rule {
            proof::Rule::Assertion(i) => Rule::Assertion(number(*i)),
            proof::Rule::Definition(t) => Rule::Definition(terms.formula(*t).to_string()),
            proof::Rule::Theory(literals, certificate) => {
                let (factors, kind) = match certificate {
                    Certificate::Farkas(q) => {
                        (q.iter().map(|q| minus(&q.to_string())).collect(), Theory::Farkas)
                    }
                    // One factor for each pair of bounds.
                    Certificate::Modular(q) => (
                        q.iter().flat_map(|q| [minus(&q.to_string()), String::new()]).collect(),
                        Theory::Modular,
                    ),
                    Certificate::Cycle => (vec![String::new(); literals.len()], Theory::Cycle),
                };
                let factors: Vec<String> = factors;
                Rule::Theory(factors.into_iter().zip(texts.lits(terms, literals)).collect(), kind)
            }
            proof::Rule::Resolution(first, chain) => {
                let mut on = Vec::with_capacity(chain.len());
                for (pivot, premise) in chain {
                    let (atom, _) = texts.lit(terms, Literal { term: *pivot, positive: true });
                    on.push((atom, number(*premise)));
                }
                Rule::Resolution(number(*first), on)
            }
        };
        steps.push(ProofStep { clause: texts.lits(terms, &step.clause), rule });
    }
    steps
}

fn interpolation(mut session: Session, cut: u32, method: Method) -> Result<Interpolation, String> {
    if !session.is_unsat() {
        return Err(
            "Only a contradiction has interpolants; this check was not answered with unsat.".to_owned()
        );
    }
    let why = |why: solver_lite::Incomplete| format!("The refutation could not be made explicit: {why}.");
    let (mut proof, terms, all) = session.refuted().map_err(why)?;
    if !interpolate::is_about(terms, &all, &proof) {
        proof = match refute(terms, &all, limits()) {
            Refutation::Proof(proof) => proof,
            Refutation::Incomplete(limit) => return Err(why(limit)),
            Refutation::Model(_) => return Err("The assertions have a model.".to_owned()),
        };
    }
    if proof.steps.len() > PROOF {
        let size = proof.steps.len();
        return Err(format!(
            "The refutation has {size} steps, more than can be shown; (get-interpolants) answers all the same."
        ));
    }
    let at = (cut as usize).min(all.len());
    let chosen = interpolate::Method {
        boolean: [Boolean::McMillan, Boolean::Pudlak, Boolean::Dual][usize::from(method.boolean.min(2))],
        arithmetic: [Arithmetic::Farkas, Arithmetic::Decomposed][usize::from(method.arithmetic.min(1))],
    };
    let partials = interpolate::partials(terms, &all, &proof, at, chosen);
    let interpolant = partials.last().copied().unwrap_or(Term::TRUE);
    let not = terms.not(interpolant);
    let contradictory = |terms: &mut Terms, parts: &[Term]| match refute(terms, parts, limits()) {
        Refutation::Proof(proof) => certify(terms, parts, &proof).is_ok(),
        Refutation::Model(_) | Refutation::Incomplete(_) => false,
    };
    let follows = contradictory(terms, &[&all[..at], &[not]].concat());
    let refutes = contradictory(terms, &[&all[at..], &[interpolant]].concat());
    let variables = |terms: &Terms, parts: &[Term]| -> BTreeSet<String> {
        let named = parts.iter().flat_map(|t| terms.vars(*t));
        named.filter_map(|v| terms.name(v).map(str::to_owned)).collect()
    };
    let (a, b) = (variables(terms, &all[..at]), variables(terms, &all[at..]));
    let shared: BTreeSet<String> = a.intersection(&b).cloned().collect();
    let speaks = variables(terms, &[interpolant]).is_subset(&shared);
    let only = |mine: &BTreeSet<String>| mine.difference(&shared).cloned().collect::<Vec<_>>();
    let variables = [only(&a), shared.iter().cloned().collect(), only(&b)];
    let texts = partials.iter().map(|t| terms.formula(*t).to_string()).collect();
    Ok(Interpolation {
        cut: number(at),
        method,
        partials: texts,
        variables,
        checked: [follows, refutes, speaks],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(ask: Ask) -> Vec<Told> {
        let mut all = Vec::new();
        answer(ask, &mut |told| all.push(told));
        all
    }

    const CHAIN: &str = "(declare-const x Int)(declare-const y Int)\n(assert (<= x 3))\n(assert (= y x))\n(check-sat)\n(assert (>= y 5))\n(check-sat)";

    #[test]
    fn a_script_is_answered_line_by_line() {
        let all = told(Ask::Run { job: 7, text: CHAIN.to_owned() });
        let said = |line, text: &str, check| Told::Said {
            job: 7,
            said: Said { line, text: text.to_owned(), check: Some(check) },
        };
        assert_eq!(all, [said(4, "sat", 0), said(6, "unsat", 1), Told::Ran { job: 7 }]);
    }

    #[test]
    fn a_check_is_opened() {
        let all = told(Ask::Open { job: 1, text: CHAIN.to_owned(), check: 1 });
        let [Told::Opened { opened, .. }] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!((opened.answer.as_str(), opened.assertions.len()), ("unsat", 3));
        assert!(matches!(opened.steps.last(), Some((Step::Refuted, _))), "{:?}", opened.steps);
        let proof = opened.proof.as_ref().expect("a contradiction");
        assert!(proof.last().is_some_and(|s| s.clause.is_empty()));
        let missing = told(Ask::Open { job: 1, text: CHAIN.to_owned(), check: 2 });
        assert!(missing.is_empty());
    }

    #[test]
    fn each_method_interpolates() {
        let all = [(0, 0, "y ≤ 3"), (1, 0, "y ≤ 3"), (2, 0, "y ≤ 4"), (0, 1, "y ≤ 3")];
        for (boolean, arithmetic, expected) in all {
            let method = Method { boolean, arithmetic };
            let all = told(Ask::Interpolate { job: 1, text: CHAIN.to_owned(), check: 1, cut: 2, method });
            let [Told::Interpolated { result: Ok(found), .. }] = all.as_slice() else { panic!("{all:?}") };
            assert_eq!(found.partials.last().map(String::as_str), Some(expected));
            assert_eq!(found.checked, [true; 3]);
            assert_eq!(found.variables, [vec!["x".to_owned()], vec!["y".to_owned()], vec![]]);
        }
    }
}

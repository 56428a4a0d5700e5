//! The engine's side of the solver's page: scripts, recorded searches, interpolants, the queries of an event.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use solver_lite::inside::{self, Inside};
use solver_lite::interpolate::{self, Arithmetic, Boolean};
use solver_lite::literal::{Inequality, Literal, inequality};
use solver_lite::number::Q;
use solver_lite::proof::{self, Certificate, Proof};
use solver_lite::smtlib::{Flow, Script, Session};
use solver_lite::term::{Node, Term, Terms};
use solver_lite::{Limits, Refutation, certify, refute};
use veristep_core::draw::{self, Clause, Reason};
use veristep_core::run::{self, Kind, Options};

use crate::solver::protocol::{
    self, Column, Edge, Interpolation, Lit, Method, Opened, ProofStep, Request, Response, Rule, Said, Side,
    Snapshot, Step, Theory,
};
use crate::worker::adapter;

/// Steps of a search that are shown.
const STEPS: usize = 3_000;
/// Larger proofs are not shown.
const PROOF: usize = 3_000;
/// The steps of larger proofs are not labelled one by one.
const LABELLED: usize = 400;
/// The maximal number of steps of a repeated run.
const FUEL: u64 = 1 << 20;
/// Longer texts end in `…`.
const TEXT: usize = 4_000;
/// The memory limit of one query; a tab has at most 4 GiB.
const MEMORY: usize = 1 << 30;

fn limits() -> Limits {
    Limits { memory: MEMORY, ..Limits::default() }
}

/// The last refutation, and its query: another cut needs no new proof.
#[derive(Default)]
pub(super) struct Questions {
    proved: Option<Proved>,
}

struct Proved {
    text: String,
    check: u32,
    terms: Terms,
    assertions: Vec<Term>,
    /// The names of the assertions.
    names: Vec<String>,
    proof: Proof,
}

impl Questions {
    /// Answers a request; results are passed to `respond` as they are found.
    pub(super) fn answer(&mut self, ask: Request, respond: &mut impl FnMut(Response)) {
        match ask {
            Request::Run { job, text } => run_script(job, &text, respond),
            Request::Open { job, text, check } => {
                let result = until(&text, check).map(|mut session| Box::new(open(&mut session, check)));
                respond(Response::Opened { job, result });
            }
            Request::Prove { job, text, check } => {
                let proof = self.prove(&text, check).map(proof_steps);
                respond(Response::Proved { job, proof });
            }
            Request::Interpolate { job, text, check, cut, method } => {
                let result = self.prove(&text, check).map(|proved| interpolation(proved, cut, method));
                respond(Response::Interpolated { job, result });
            }
            Request::Questions { job, kind, text, property, options, event, hash } => {
                let result = questions((kind, &text), &property, &options, event, hash);
                respond(Response::Questions { job, result });
            }
        }
    }

    /// An accepted refutation of a check's assertions.
    fn prove(&mut self, text: &str, check: u32) -> Result<&mut Proved, String> {
        let known = self.proved.as_ref().is_some_and(|p| p.check == check && p.text == text);
        if !known {
            self.proved = None;
            let session = until(text, check)?;
            let names = labels(&session);
            let (mut terms, assertions) = session.into_assertions();
            let proof = match refute(&mut terms, &assertions, limits()) {
                Refutation::Proof(proof) => proof,
                Refutation::Model(_) => return Err("Only unsatisfiable checks have a proof.".to_owned()),
                Refutation::Incomplete(why) => {
                    return Err(format!("No explicit refutation was found: {why}."));
                }
            };
            certify(&terms, &assertions, &proof).map_err(|why| format!("Rejected by the checker: {why}"))?;
            let text = text.to_owned();
            self.proved = Some(Proved { text, check, terms, assertions, names, proof });
        }
        Ok(self.proved.as_mut().expect("just made"))
    }
}

fn run_script(job: u32, text: &str, respond: &mut impl FnMut(Response)) {
    let mut session = Session::new(limits());
    let mut script = Script::new(text);
    let mut flow = Flow::Continue;
    while flow == Flow::Continue {
        let before = session.checks();
        let mut answers = Vec::new();
        flow = session.step(&mut script, &mut |answer| answers.push(answer.to_owned()));
        let asked = session.checks() > before;
        let check = asked.then(|| number(before));
        let line = script.line();
        for answer in answers {
            let (first, rest) = match answer.split_once('\n') {
                Some((first, rest)) if asked => (first.to_owned(), Some(rest.to_owned())),
                _ => (answer, None),
            };
            let why = session.reason_unknown().filter(|_| asked);
            let text = why.map_or_else(|| first.clone(), |why| format!("{first}: {why}"));
            respond(Response::Said { job, said: Said { line, text, check } });
            if let Some(text) = rest {
                respond(Response::Said { job, said: Said { line, text, check: None } });
            }
        }
    }
    respond(Response::Ran { job });
}

/// The queries of an event of a run, and whether the run is that of the link.
fn questions(
    (kind, text): (Kind, &str),
    property: &str,
    options: &[(String, String)],
    event: u32,
    hash: u32,
) -> Result<(Vec<(String, String)>, bool), String> {
    let (system, property) = adapter::load(kind, text, property)?;
    let options = Options::with(options)?;
    let repeated = run::questions(&system, &property, &options, event as usize, FUEL);
    let asked = repeated.ok_or("The run does not reach the step of this link.")?;
    let all = asked.found().iter().map(|q| (q.what.clone(), q.script.clone())).collect();
    Ok((all, asked.hash() == hash))
}

/// The state of a script at one of its checks. Earlier checks are not solved.
fn until(text: &str, check: u32) -> Result<Session, String> {
    let mut session = Session::new(Limits { conflicts: 0, pivots: 0, branches: 0, ..limits() });
    let mut script = Script::new(text);
    while session.checks() <= u64::from(check) {
        if session.step(&mut script, &mut |_| {}) == Flow::Ended {
            break;
        }
    }
    if session.checks() == u64::from(check) + 1 {
        Ok(session)
    } else {
        Err("The script does not contain this check.".to_owned())
    }
}

/// A formula in mathematical notation, truncated at a limit.
fn text(terms: &Terms, t: Term) -> String {
    terms.formula(t).up_to(TEXT)
}

/// A number in mathematical notation.
fn minus(text: &str) -> String {
    text.replace('-', "−")
}

fn number(n: impl TryInto<u32>) -> u32 {
    n.try_into().unwrap_or(u32::MAX)
}

/// Texts of terms, each once.
#[derive(Default)]
struct Texts {
    atoms: Vec<[String; 2]>,
    atom_of: HashMap<Term, u32>,
    names: Vec<String>,
    meanings: Vec<Option<String>>,
    name_of: HashMap<Term, u32>,
}

impl Texts {
    fn lit(&mut self, terms: &mut Terms, literal: Literal) -> Lit {
        let atoms = &mut self.atoms;
        let atom = *self.atom_of.entry(literal.term).or_insert_with(|| {
            let signed = |terms: &mut Terms, positive| {
                let term = Literal { positive, ..literal }.to_term(terms);
                text(terms, term)
            };
            atoms.push([signed(terms, false), signed(terms, true)]);
            number(atoms.len() - 1)
        });
        (atom, literal.positive)
    }

    fn lits(&mut self, terms: &mut Terms, literals: &[Literal]) -> Vec<Lit> {
        literals.iter().map(|l| self.lit(terms, *l)).collect()
    }

    /// The name of a column or a node; a sum gets a short one.
    fn name(&mut self, terms: &Terms, t: Term) -> u32 {
        let (names, meanings) = (&mut self.names, &mut self.meanings);
        *self.name_of.entry(t).or_insert_with(|| {
            let text = text(terms, t);
            if matches!(terms.node(t), Node::Linear(..)) {
                names.push(format!("s{}", meanings.iter().flatten().count() + 1));
                meanings.push(Some(text));
            } else {
                names.push(text);
                meanings.push(None);
            }
            number(names.len() - 1)
        })
    }
}

/// The names of the assertions, or their numbers.
fn labels(session: &Session) -> Vec<String> {
    let label = |(i, name): (usize, Option<String>)| name.unwrap_or_else(|| (i + 1).to_string());
    session.names().into_iter().enumerate().map(label).collect()
}

fn open(session: &mut Session, check: u32) -> Opened {
    let labels = labels(session).into_iter();
    let (terms, all) = session.assertions();
    let story = inside::inside(terms, &all, limits(), STEPS);
    let assertions = labels.zip(&all).map(|(name, t)| (name, text(terms, *t))).collect();
    let mut texts = Texts::default();
    let mut steps = Vec::with_capacity(story.moments.len());
    for moment in &story.moments {
        steps.push((step(terms, &mut texts, &moment.step), moment.snapshot.map(number)));
    }
    let mut snapshots = Vec::with_capacity(story.snapshots.len());
    for snapshot in &story.snapshots {
        snapshots.push(shown(terms, &mut texts, snapshot));
    }
    let Texts { atoms, names, meanings, .. } = texts;
    Opened { check, assertions, atoms, steps, cut: story.cut, snapshots, names, meanings }
}

fn step(terms: &mut Terms, texts: &mut Texts, step: &Inside) -> Step {
    match step {
        Inside::Began(trail, starts) => {
            Step::Began(texts.lits(terms, trail), starts.iter().map(|s| number(*s)).collect())
        }
        Inside::Decided(l) => Step::Decided(texts.lit(terms, *l)),
        Inside::Propagated(l, reason) => Step::Propagated(texts.lit(terms, *l), texts.lits(terms, reason)),
        Inside::Asserted(l) => Step::Asserted(texts.lit(terms, *l)),
        Inside::Pivoted(left, entered) => {
            Step::Pivoted(texts.name(terms, *left), texts.name(terms, *entered))
        }
        Inside::Implied(l, because) => Step::Implied(texts.lit(terms, *l), texts.lits(terms, because)),
        Inside::Conflict(c) => Step::Conflict(texts.lits(terms, c), false),
        Inside::Contradiction(c) => Step::Conflict(texts.lits(terms, c), true),
        Inside::Resolved(l, reason, result) => {
            Step::Resolved(texts.lit(terms, *l), texts.lits(terms, reason), texts.lits(terms, result))
        }
        Inside::Learned(c, level) => Step::Learned(texts.lits(terms, c), number(*level)),
        Inside::Demanded(c) => Step::Demanded(texts.lits(terms, c)),
        Inside::Restarted => Step::Restarted,
        Inside::Consistent => Step::Consistent,
        Inside::Found(values) => {
            let value = |(t, q): &(Term, Q)| (text(terms, *t), minus(&q.to_string()));
            Step::Found(values.iter().map(value).collect())
        }
        Inside::GaveUp => Step::GaveUp,
        Inside::Refuted => Step::Refuted,
    }
}

fn shown(terms: &mut Terms, texts: &mut Texts, snapshot: &inside::Snapshot<Literal>) -> Snapshot {
    match snapshot {
        inside::Snapshot::Tableau(tableau) => {
            let mut columns = Vec::with_capacity(tableau.columns.len());
            for c in &tableau.columns {
                let mut bound = |b: &Option<(String, Literal)>| {
                    b.as_ref().map(|(value, reason)| (minus(value), texts.lit(terms, *reason)))
                };
                let (lower, upper) = (bound(&c.lower), bound(&c.upper));
                let name = texts.name(terms, c.term);
                columns.push(Column { name, value: minus(&c.value), lower, upper, violated: c.violated });
            }
            let sum =
                |s: &[(usize, Q)]| s.iter().map(|(column, q)| (number(*column), q.to_string())).collect();
            let rows = tableau.rows.iter().map(|(basic, s)| (number(*basic), sum(s))).collect();
            Snapshot::Tableau { columns, rows }
        }
        inside::Snapshot::Graph(graph) => {
            let node =
                |(term, value): &(Option<Term>, String)| (term.map(|t| texts.name(terms, t)), minus(value));
            let nodes = graph.nodes.iter().map(node).collect();
            let mut edges = Vec::with_capacity(graph.edges.len());
            for e in &graph.edges {
                let bound = format!("{} {}", if e.strict { "<" } else { "≤" }, minus(&e.bound.to_string()));
                let (from, to, literal) = (number(e.from), number(e.to), texts.lit(terms, e.literal));
                edges.push(Edge { from, to, bound, literal, refused: e.refused });
            }
            Snapshot::Graph { nodes, edges }
        }
    }
}

fn proof_steps(proved: &mut Proved) -> protocol::Proof {
    let Proved { terms, names, proof, .. } = proved;
    let size = number(proof.steps.len());
    if proof.steps.len() > PROOF {
        return protocol::Proof { size, steps: Vec::new(), atoms: Vec::new(), picture: None };
    }
    let mut texts = Texts::default();
    let texts = &mut texts;
    let mut steps = Vec::with_capacity(proof.steps.len());
    for step in &proof.steps {
        let rule = match &step.rule {
            proof::Rule::Assertion(i) => Rule::Assertion(number(*i)),
            proof::Rule::Definition(t) => Rule::Definition(text(terms, *t)),
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
        steps.push(ProofStep {
            clause: texts.lits(terms, &step.clause),
            rule,
            cycle: cycle(terms, &step.rule),
        });
    }
    let atoms = std::mem::take(&mut texts.atoms);
    let clauses: Vec<Clause> = steps.iter().map(|step| clause(step, names, &atoms)).collect();
    let picture = draw::refutation(&clauses).map(Arc::new);
    protocol::Proof { size, steps, atoms, picture }
}

/// The edges of the negative cycle that a lemma is about; none if it is about something else.
fn cycle(terms: &Terms, rule: &proof::Rule) -> Vec<protocol::Difference> {
    let proof::Rule::Theory(literals, certificate) = rule else { return Vec::new() };
    let has_unit_factors = match certificate {
        Certificate::Cycle => true,
        Certificate::Farkas(factors) => factors.iter().all(Q::is_one),
        Certificate::Modular(_) => false,
    };
    let edges = literals.iter().map(|literal| difference(terms, *literal));
    let mut edges: Vec<_> = edges.collect::<Option<_>>().filter(|_| has_unit_factors).unwrap_or_default();
    // Each edge begins where the one before it ends.
    for next in 1..edges.len() {
        let follows = |other: &protocol::Difference| other.from == edges[next - 1].to;
        if let Some(found) = edges[next..].iter().position(follows) {
            edges.swap(next, next + found);
        }
    }
    let closes = edges.iter().zip(edges.iter().cycle().skip(1)).all(|(a, b)| a.to == b.from);
    if closes { edges } else { Vec::new() }
}

/// A literal as an edge of the graph of differences, if it is one.
fn difference(terms: &Terms, literal: Literal) -> Option<protocol::Difference> {
    let Inequality { linear, strict } = inequality(terms, literal)?;
    let (to, from) = match linear.terms.as_slice() {
        [(x, p)] if p.is_one() => (Some(*x), None),
        [(y, q)] if *q == Q::MINUS_ONE => (None, Some(*y)),
        [(x, p), (y, q)] if p.is_one() && *q == Q::MINUS_ONE => (Some(*x), Some(*y)),
        [(y, q), (x, p)] if p.is_one() && *q == Q::MINUS_ONE => (Some(*x), Some(*y)),
        _ => return None,
    };
    let name = |term: Option<Term>| term.map_or_else(|| "0".to_owned(), |t| text(terms, t));
    let bound = format!("{} {}", if strict { "<" } else { "≤" }, minus(&(-&linear.constant).to_string()));
    Some(protocol::Difference { from: name(from), to: name(to), bound })
}

/// A step for the picture of the refutation.
fn clause(step: &ProofStep, names: &[String], atoms: &[[String; 2]]) -> Clause {
    let text = |(atom, sign): (u32, bool)| atoms[atom as usize][usize::from(sign)].clone();
    let (reason, premises) = match &step.rule {
        Rule::Assertion(i) => {
            (Reason::Assertion(names.get(*i as usize).cloned().unwrap_or_default()), vec![])
        }
        Rule::Definition(_) => (Reason::Definition, vec![]),
        Rule::Theory(..) => (Reason::Arithmetic, vec![]),
        Rule::Resolution(first, chain) => {
            let others = chain.iter().map(|(atom, premise)| (*premise as usize, Some(text((*atom, true)))));
            (Reason::Resolution, std::iter::once((*first as usize, None)).chain(others).collect())
        }
    };
    Clause { literals: step.clause.iter().map(|literal| text(*literal)).collect(), reason, premises }
}

fn interpolation(proved: &mut Proved, cut: u32, method: Method) -> Interpolation {
    let Proved { terms, assertions: all, proof, .. } = proved;
    let at = (cut as usize).min(all.len());
    let chosen = interpolate::Method {
        boolean: [Boolean::McMillan, Boolean::Pudlak, Boolean::Dual][usize::from(method.boolean.min(2))],
        arithmetic: [Arithmetic::Farkas, Arithmetic::Decomposed][usize::from(method.arithmetic.min(1))],
    };
    let labelled = proof.steps.len() <= LABELLED;
    let partials = if labelled {
        interpolate::partials(terms, all, proof, at, chosen)
    } else {
        interpolate::at_cuts(terms, all, proof, &[at], chosen)
    };
    let interpolant = partials.last().copied().unwrap_or(Term::TRUE);
    let (mut accepted, mut said) = (Vec::new(), Vec::new());
    let mut judge = |terms: &Terms, step: &[Term], proof: &proof::Proof| {
        accepted.push(certify(terms, step, proof).is_ok());
        said.push(step[0]);
    };
    // Not checked within the limits: reported as unknown.
    let within = interpolate::steps(terms, all, proof, &[at], chosen, limits(), &mut judge).is_ok();
    let same = said.get(1) == Some(&interpolant);
    let holds = |step: usize| within.then(|| same && accepted[step]);
    let (follows, refutes) = (holds(0), holds(1));
    let variables = |terms: &Terms, parts: &[Term]| -> BTreeSet<String> {
        let named = parts.iter().flat_map(|t| terms.vars(*t));
        named.filter_map(|v| terms.name(v).map(str::to_owned)).collect()
    };
    let (a, b) = (variables(terms, &all[..at]), variables(terms, &all[at..]));
    let shared: BTreeSet<String> = a.intersection(&b).cloned().collect();
    let speaks = variables(terms, &[interpolant]).is_subset(&shared);
    let only = |mine: &BTreeSet<String>| mine.difference(&shared).cloned().collect::<Vec<_>>();
    let side = |side: &interpolate::Side| match side {
        interpolate::Side::A => Side::A,
        interpolate::Side::B => Side::B,
        interpolate::Side::Both => Side::Both,
    };
    let sides = if labelled { interpolate::sides(terms, all, proof, at, chosen) } else { Vec::new() };
    let texts: Vec<String> = partials.iter().map(|t| text(terms, *t)).collect();
    Interpolation {
        cut: number(at),
        method,
        interpolant: texts.last().cloned().unwrap_or_default(),
        partials: if labelled { texts } else { Vec::new() },
        sides: sides.iter().map(|all| all.iter().map(side).collect()).collect(),
        variables: [only(&a), shared.iter().cloned().collect(), only(&b)],
        checked: [follows, refutes, Some(speaks)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(ask: Request) -> Vec<Response> {
        let mut all = Vec::new();
        Questions::default().answer(ask, &mut |response| all.push(response));
        all
    }

    const CHAIN: &str = "(declare-const x Int)(declare-const y Int)\n(assert (<= x 3))\n(assert (= y x))\n(check-sat)\n(assert (>= y 5))\n(check-sat)";

    #[test]
    fn a_script_is_answered_line_by_line() {
        let all = response(Request::Run { job: 7, text: CHAIN.to_owned() });
        let said = |line, text: &str, check| Response::Said {
            job: 7,
            said: Said { line, text: text.to_owned(), check: Some(check) },
        };
        assert_eq!(all, [said(4, "sat", 0), said(6, "unsat", 1), Response::Ran { job: 7 }]);
    }

    #[test]
    fn a_check_is_opened() {
        let all = response(Request::Open { job: 1, text: CHAIN.to_owned(), check: 1 });
        let [Response::Opened { result: Ok(opened), .. }] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!(opened.assertions.len(), 3);
        assert!(matches!(opened.steps.last(), Some((Step::Refuted, _))), "{:?}", opened.steps);
        let all = response(Request::Prove { job: 1, text: CHAIN.to_owned(), check: 1 });
        let [Response::Proved { proof: Ok(proof), .. }] = all.as_slice() else { panic!("{all:?}") };
        assert!(proof.steps.last().is_some_and(|s| s.clause.is_empty()));
        let cycle =
            proof.steps.iter().map(|step| &step.cycle).find(|cycle| !cycle.is_empty()).expect("a cycle");
        let ends = |end: fn(&protocol::Difference) -> &String| cycle.iter().map(end).collect::<BTreeSet<_>>();
        assert_eq!(ends(|edge| &edge.from), ends(|edge| &edge.to), "{cycle:?}");
        let picture = proof.picture.as_ref().expect("it is small");
        assert_eq!(picture.nodes.len(), proof.steps.len());
        assert!(picture.nodes.iter().any(|node| node.title.contains("assertion 3: y ≥ 5")));
        let all = response(Request::Prove { job: 1, text: CHAIN.to_owned(), check: 0 });
        assert!(matches!(all.as_slice(), [Response::Proved { proof: Err(_), .. }]), "{all:?}");
        let missing = response(Request::Open { job: 1, text: CHAIN.to_owned(), check: 2 });
        assert!(matches!(missing.as_slice(), [Response::Opened { result: Err(_), .. }]), "{missing:?}");
    }

    #[test]
    fn each_method_interpolates() {
        let all = [(0, 0, "y ≤ 3"), (1, 0, "y ≤ 3"), (2, 0, "y ≤ 4"), (0, 1, "y ≤ 3")];
        for (boolean, arithmetic, expected) in all {
            let method = Method { boolean, arithmetic };
            let all =
                response(Request::Interpolate { job: 1, text: CHAIN.to_owned(), check: 1, cut: 2, method });
            let [Response::Interpolated { result: Ok(found), .. }] = all.as_slice() else {
                panic!("{all:?}")
            };
            assert_eq!(found.interpolant, expected);
            assert_eq!(found.partials.len(), found.sides.len());
            assert_eq!(found.checked, [Some(true); 3]);
            assert_eq!(found.variables, [vec!["x".to_owned()], vec!["y".to_owned()], vec![]]);
        }
    }
}

//! Certificates of random models with one change of their meaning: `campaign_certificates SEED COUNT`.
//!
//! Three kinds of change: the certificate's own formulas, runs and ranks ([`mutants`]); the property, to a smaller one
//! or to another one; the model, to a smaller one. Each result is checked. An accepted certificate has to be right:
//! each obligation of an accepted invariant is proved by `z3` (from the PATH), and for each accepted certificate an
//! interpreter of the models has to give the same verdict. Without `z3` invariants count as unproved.
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use veristep_core::certificate::{self, Certificate};
use veristep_core::kit::Off;
use veristep_core::property::Property;
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_core::system::System;
use veristep_tests::campaign_runs::generate;
use veristep_tests::campaign_runs::meaning::answer;
use veristep_tests::campaign_runs::model::{Model, Question, Shape};
use veristep_tests::campaign_runs::shrink::smaller;
use veristep_tests::models::poll_up_to;
use veristep_tests::mutants::mutant;
use veristep_tests::random::Rng;

/// Changes of one certificate.
const CHANGES: usize = 24;
/// Limit of steps of a run.
const STEPS: u64 = 1_000;

/// A solver that answers scripts one after the other.
struct Z3 {
    _process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Z3 {
    fn start() -> Option<Z3> {
        let mut process = Command::new("z3")
            .args(["-in", "-t:5000"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let (input, output) = (process.stdin.take()?, BufReader::new(process.stdout.take()?));
        Some(Z3 { _process: process, input, output })
    }

    /// The answer to a script.
    fn answer(&mut self, script: &str) -> std::io::Result<String> {
        let script = script.replace("(exit)", "");
        write!(self.input, "(reset)\n{script}\n")?;
        self.input.flush()?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line.trim().to_owned())
    }
}

/// A model and a property in the checker's form.
fn asked(model: &Model, question: &Question) -> Option<(System, Property)> {
    let (text, question) = (model.text(), model.question(question));
    let kind = if matches!(model.shape, Shape::Automaton(..)) { Kind::Cfa } else { Kind::Xsts };
    let system = run::load_for(kind, &text, Some(&question)).ok()?;
    let property = run::property(&system, &question).ok()?;
    Some((system, property))
}

fn certified(model: &Model, question: &Question, method: Method) -> Option<Certificate> {
    let (system, property) = asked(model, question)?;
    let mut run = Run::new(&system, &property, &Options { method, ..Options::default() }).ok()?;
    poll_up_to(&mut run, &mut Off, STEPS, &mut || u64::MAX)?.certificate
}

fn name(certificate: &Certificate) -> &'static str {
    match certificate {
        Certificate::Invariant { .. } => "invariant",
        Certificate::Trace { .. } => "trace",
        Certificate::Lasso { .. } => "lasso",
        Certificate::Progress { .. } => "progress",
        Certificate::Explored { .. } => "explored",
        Certificate::Structure { .. } => "structure",
    }
}

#[derive(Default)]
struct Campaign {
    z3: Option<Z3>,
    changes: u64,
    counts: BTreeMap<String, u64>,
}

impl Campaign {
    fn count(&mut self, what: String) {
        *self.counts.entry(what).or_default() += 1;
    }

    /// Checks a certificate that may not be one of this model and this property.
    fn check(&mut self, change: &str, certificate: &Certificate, model: &Model, question: &Question) {
        let Some((system, property)) = asked(model, question) else { return };
        self.changes += 1;
        let kind = name(certificate);
        let met =
            catch_unwind(AssertUnwindSafe(|| certificate::check(&system, &property, certificate).is_ok()));
        let Ok(accepted) = met else { return self.found("a panic", change, certificate, model, question) };
        if !accepted {
            return self.count(format!("{kind}, {change}: rejected"));
        }
        self.count(format!("{kind}, {change}: accepted"));
        let holds = matches!(certificate, Certificate::Invariant { .. } | Certificate::Progress { .. });
        match answer(model, question) {
            Some(right) if right != holds => {
                self.found("a wrong verdict", change, certificate, model, question)
            }
            Some(_) => self.count("accepted, verdict confirmed by the interpreter".to_owned()),
            None => self.count("accepted, the interpreter has no answer".to_owned()),
        }
        if let Certificate::Invariant { .. } = certificate {
            self.prove(change, certificate, (model, question), (&system, &property));
        }
    }

    fn prove(
        &mut self,
        change: &str,
        certificate: &Certificate,
        (model, question): (&Model, &Question),
        (system, property): (&System, &Property),
    ) {
        let Ok(scripts) = certificate::export(system, property, certificate) else {
            return self.count("accepted invariant, not exported".to_owned());
        };
        let Some(z3) = &mut self.z3 else { return self.count("accepted invariant, no z3".to_owned()) };
        let answers: Vec<String> =
            scripts.iter().map(|s| z3.answer(&s.text).unwrap_or_else(|e| e.to_string())).collect();
        self.count("accepted invariant, sent to z3".to_owned());
        for answer in answers {
            self.count(format!("obligation, z3: {answer}"));
            if answer != "unsat" {
                self.found(&format!("z3 answers {answer}"), change, certificate, model, question);
            }
        }
    }

    fn found(
        &mut self,
        what: &str,
        change: &str,
        certificate: &Certificate,
        model: &Model,
        question: &Question,
    ) {
        self.count(format!("FINDING: {what}"));
        let certificate = serde_json::to_string(certificate).expect("it can be written");
        println!(
            "\n== {what} after a change of the {change}\n{certificate}\n// {}\n{}",
            model.question(question),
            model.text()
        );
    }

    fn model(&mut self, rng: &mut Rng) {
        let model = generate::model(rng);
        let question = generate::question(rng, &model);
        let method = *rng.pick(&[Method::Auto, Method::Cegar, Method::Pdr, Method::Explicit]);
        let Some(certificate) = certified(&model, &question, method) else { return };
        let Some((system, _)) = asked(&model, &question) else { return };
        self.count(format!("certificates: {}", name(&certificate)));
        for _ in 0..CHANGES / 2 {
            if let Some(changed) = mutant(&certificate, &system, rng) {
                self.check("certificate", &changed, &model, &question);
            }
        }
        let all: Vec<(Model, Question)> = smaller(&model, &question).collect();
        for _ in 0..CHANGES / 4 {
            if !all.is_empty() {
                let (model, question) = rng.pick(&all);
                self.check("model or property", &certificate, model, question);
            }
            let other = generate::question(rng, &model);
            self.check("question", &certificate, &model, &other);
        }
    }
}

fn main() {
    let arguments: Vec<u64> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let [seed, count] = arguments[..] else {
        println!("usage: campaign_certificates SEED COUNT");
        return;
    };
    let mut campaign = Campaign { z3: Z3::start(), ..Campaign::default() };
    let mut block = 0;
    while campaign.changes < count {
        let mut rng = Rng::new(seed.wrapping_mul(1_000_003).wrapping_add(block));
        for _ in 0..8 {
            rng.bits();
        }
        campaign.model(&mut rng);
        block += 1;
    }
    println!("{} changes of certificates, {block} models", campaign.changes);
    campaign.counts.iter().for_each(|(what, n)| println!("{n:8} {what}"));
}

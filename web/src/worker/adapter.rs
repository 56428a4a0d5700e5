//! The only interface between the page and the engine's façade.

use std::collections::BTreeMap;
use std::task::Poll;

use veristep_core::certificate::{AbstractState, Certificate, File, Identity, ProgressNode, check, rows};
use veristep_core::diagnostic::{Diagnostic, LineIndex, Span};
use veristep_core::draw::clock::Delays;
use veristep_core::draw::{self, Pictures};
use veristep_core::edit;
use veristep_core::edit::automaton::EdgeText;
use veristep_core::kit::{Counts, Cx, Names, Sink, Verdict};
use veristep_core::net::{NamedProperty, Net};
use veristep_core::property::Property;
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_core::system::{self, Edge, LocationId, System};
use veristep_core::text::count;
use veristep_core::vacuity::vacuous;

use crate::protocol::{
    Accepted, EdgeInfo, Inside, LocationInfo, ModelInfo, ProgressRow, Proof, Role, RunResult, Shown,
};
use crate::worker::chart;

/// Parses a model and a property; also returns the property's error.
pub(super) fn parse(
    kind: Kind,
    text: &str,
    property: &str,
) -> Result<(ModelInfo, Option<String>), Vec<Diagnostic>> {
    let system = run::load_for(kind, text, asked(property))?;
    let mut model = info(&system);
    model.no_property = Property::no_property(&system);
    let wrong = asked(property).and_then(|text| run::property(&system, text).err());
    Ok((model, wrong.map(|diagnostics| first("The property cannot be read", property, diagnostics))))
}

/// The property, or none for the model's own.
fn asked(property: &str) -> Option<&str> {
    Some(property).filter(|text| !text.trim().is_empty())
}

/// The first diagnostic of a text.
fn first(what: &str, text: &str, diagnostics: Vec<Diagnostic>) -> String {
    let Some(d) = diagnostics.into_iter().next() else { return what.to_owned() };
    // A diagnostic of the whole text has no position.
    if d.span == Span::new(0, text.len()) {
        return format!("{what}: {}", d.message);
    }
    let (line, column) = LineIndex::new(text).position(d.span.start);
    let line = if text.contains('\n') { format!("line {line}, ") } else { String::new() };
    format!("{what}; {line}column {column}: {}", d.message)
}

fn info(system: &System) -> ModelInfo {
    let location = |l: &system::Location| LocationInfo {
        inside: Inside::default(),
        folded: None,
        name: l.name.clone(),
        role: match l.role {
            system::Role::Plain if l.anonymous => Role::Between,
            system::Role::Plain => Role::Plain,
            system::Role::Initial => Role::Initial,
            system::Role::Final => Role::Final,
            system::Role::Error => Role::Error,
        },
        span: (!l.anonymous).then_some(l.span),
        pinned: system.pins.contains_key(&l.name),
        accepting: false,
        tokens: None,
        interval: None,
    };
    let edge =
        |e: &Edge| EdgeInfo { source: e.source, target: e.target, text: e.label.clone(), span: Some(e.span) };
    ModelInfo {
        name: system.name.clone(),
        variables: system.variables.iter().map(|v| (v.name.clone(), v.declared.to_string())).collect(),
        locations: system.locations.iter().map(location).collect(),
        edges: system.edges.iter().map(edge).collect(),
        drawing: draw::model(system).into(),
        net: system.net.as_ref().map(|net| Box::new(drawn(net))),
        chart: system.chart.as_ref().map(|reading| Box::new(chart::info(system, reading))),
        delays: system.net.as_ref().filter(|net| net.is_timed()).map(|net| Delays::of(net)),
        no_property: None,
        properties: properties(system.net.as_ref().map_or(&system.stated, |net| &net.properties)),
    }
}

/// The properties that a model states, if there are several.
fn properties(stated: &[NamedProperty]) -> Vec<String> {
    let all = stated.iter().map(|property| format!("embedded:{}", property.name));
    if stated.len() > 1 { all.collect() } else { Vec::new() }
}

/// A net as it is drawn.
fn drawn(net: &Net) -> ModelInfo {
    let drawn = edit::net::automaton(net, &net.pins);
    let number: BTreeMap<&str, usize> = drawn.locations.iter().map(|l| l.0.as_str()).zip(0..).collect();
    let location = |(name, _): &(String, system::Role)| LocationInfo {
        name: name.clone(),
        tokens: drawn.places.as_ref().and_then(|places| places.get(name).copied()),
        interval: Some(drawn.interval(name).unwrap_or_default().to_owned()),
        pinned: drawn.pins.contains_key(name),
        ..LocationInfo::default()
    };
    let end = |name: &str| LocationId::new(number.get(name).copied().unwrap_or(0));
    let edge = |edge: &EdgeText| EdgeInfo {
        source: end(&edge.source),
        target: end(&edge.target),
        text: edge.statements.concat(),
        span: None,
    };
    ModelInfo {
        name: net.name.clone(),
        locations: drawn.locations.iter().map(location).collect(),
        edges: drawn.edges.iter().map(edge).collect(),
        ..ModelInfo::default()
    }
}

/// The maximal number of rows of a shown table.
const ROWS: usize = 200;

pub(super) fn load(kind: Kind, text: &str, property: &str) -> Result<(System, Property), String> {
    let system =
        run::load_for(kind, text, asked(property)).map_err(|d| first("The model cannot be read", text, d))?;
    let property =
        run::property(&system, property).map_err(|d| first("The property cannot be read", property, d))?;
    Ok((system, property))
}

/// A run of the façade.
pub(super) struct Engine {
    run: Run,
    /// The model, composed with the property.
    model: System,
    /// The model and the property as given.
    asked: (System, Property),
    /// The subject of a certificate.
    of: Identity,
    /// Was the strategy chosen by the engine?
    auto: bool,
}

/// Prepares a run.
pub(super) fn start(
    kind: Kind,
    text: &str,
    property: &str,
    options: &[(String, String)],
) -> Result<(Engine, Names), String> {
    let asked = property;
    let (system, property) = load(kind, text, asked)?;
    let of = Identity::new(kind, text, &system, asked);
    let options = Options::with(options)?;
    let run = Run::new(&system, &property, &options)?;
    let names = run.names();
    let auto = options.method == Method::Auto;
    let model = property.apply(system.clone());
    Ok((Engine { run, model, asked: (system, property), of, auto }, names))
}

/// The cost of a run, in words.
fn cost(counts: Counts) -> String {
    let all = [
        ("iteration", counts.iterations),
        ("node", counts.nodes),
        ("predicate", counts.predicates),
        ("variable", counts.variables),
        ("solver query", counts.queries),
    ];
    let shown = all.into_iter().filter(|(noun, n)| *n > 0 || *noun != "variable");
    shown.map(|(noun, n)| count(n as usize, noun)).collect::<Vec<_>>().join(", ")
}

impl Engine {
    /// The model, for pictures.
    pub(super) fn pictures(&self) -> Pictures {
        Pictures::new(&self.run, &self.asked.0)
    }

    /// Runs on until an outcome or until the fuel is used up.
    pub(super) fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<RunResult> {
        self.run.poll(cx).map(|outcome| self.outcome(outcome))
    }

    fn outcome(&self, outcome: run::Conclusion) -> RunResult {
        let counts = outcome.stats.total;
        let cost = cost(counts);
        let holds = outcome.verdict == Verdict::Holds;
        let (system, property) = &self.asked;
        let vacuous = holds.then(|| vacuous(system, property)).flatten();
        let mut reason = outcome.reason;
        if self.auto {
            reason = format!("{reason}; found with the strategy {}", outcome.strategy);
        }
        if let Some(model) = system.data_model {
            reason = format!("{reason}; read as C17, {}: long has {} bits", model.name(), model.long());
        }
        RunResult {
            verdict: outcome.verdict,
            reason,
            vacuous,
            certificate: outcome.certificate.map(|c| self.proof(&c, holds, cost)),
            counts,
            used: 0,
            ms: 0.0,
        }
    }

    fn proof(&self, certificate: &Certificate, holds: bool, cost: String) -> Proof {
        let shown = match certificate {
            Certificate::Invariant { locations } => {
                let more = |left| ("…".to_owned(), left);
                Shown::Invariant(cut(locations.iter().cloned(), more))
            }
            Certificate::Structure { predicates, states, .. } => {
                let more = |left| ("…".to_owned(), left);
                let row = |(i, s): (usize, &AbstractState)| (format!("a{i}"), s.formula(predicates));
                Shown::Structure(cut(states.iter().enumerate().map(row), more))
            }
            Certificate::Explored { markings, reduced, partial, rules, .. } => {
                let what = match (reduced, partial, rules.is_empty()) {
                    (true, ..) => "markings reached",
                    (_, true, _) => "markings expanded",
                    (.., true) => "reachable markings",
                    _ => "reachable markings of the reduced net",
                };
                let rules = (!rules.is_empty()).then(|| ("structural reductions", rules.len().to_string()));
                let rows = std::iter::once((what, markings.to_string())).chain(rules);
                Shown::Markings(rows.map(|(what, number)| (what.to_owned(), number)).collect())
            }
            Certificate::Trace { states } => Shown::Trace(rows(&self.model, states)),
            Certificate::Lasso { states, back, .. } => Shown::Lasso(rows(&self.model, states), *back),
            Certificate::Progress { nodes, .. } => {
                let row = |n: &ProgressNode| ProgressRow {
                    location: n.location.clone(),
                    state: n.state.map_or_else(|| "start".to_owned(), |q| format!("q{q}")),
                    rank: n.rank.join(", "),
                    formula: n.formula.clone(),
                };
                let more = |formula| ProgressRow {
                    location: "…".to_owned(),
                    state: String::new(),
                    rank: String::new(),
                    formula,
                };
                Shown::Progress(cut(nodes.iter().map(row), more))
            }
        };
        let json = File::new(self.of.clone(), certificate.clone()).text();
        Proof { lead: lead(certificate, holds), shown, cost, json }
    }
}

/// The first rows of a table, and one with the number of the others.
fn cut<T>(mut rows: impl ExactSizeIterator<Item = T>, more: impl FnOnce(String) -> T) -> Vec<T> {
    let mut shown: Vec<T> = rows.by_ref().take(ROWS).collect();
    if rows.len() > 0 {
        shown.push(more(format!("{} more, which are in the file", rows.len())));
    }
    shown
}

/// What a certificate proves.
fn lead(certificate: &Certificate, holds: bool) -> String {
    match (certificate, holds) {
        (Certificate::Invariant { .. }, true) => {
            "An inductive invariant: true initially, preserved by every edge, and inconsistent with a violation of the property."
        }
        (Certificate::Invariant { .. }, false) => {
            "An inductive invariant: true initially, preserved by every edge, and inconsistent with the target states."
        }
        (Certificate::Structure { .. }, _) => {
            "Every step of the model leads from an abstract state into an abstract state of the structure, and none of them violates the property. A command without inputs is possible in all states of an abstract state or in none."
        }
        (Certificate::Explored { reduced: true, .. }, _) => {
            "A subset of the reachable markings that suffices: none of them violates the property. The checker enumerates it again and verifies each stubborn set."
        }
        (Certificate::Explored { partial: true, .. }, _) => {
            "The first markings of a breadth-first search, which decide the formula whatever follows the others. The checker enumerates them again."
        }
        (Certificate::Explored { .. }, true) => {
            "All reachable markings: none of them contradicts the property. The checker enumerates them again."
        }
        (Certificate::Explored { satisfied: false, .. }, false) => {
            "All reachable markings: the formula is false in the initial one. The checker enumerates them again."
        }
        (Certificate::Explored { .. }, false) => {
            "All reachable markings: none of them satisfies the condition. The checker enumerates them again."
        }
        (Certificate::Trace { .. }, false) => "A run of the model that violates the property.",
        (Certificate::Trace { .. }, true) => "A run that reaches a target state.",
        (Certificate::Lasso { recurrent_set: None, .. }, _) => {
            "A lasso: a run that repeats its cycle infinitely often and violates the formula."
        }
        (Certificate::Lasso { recurrent_set: Some(set), .. }, _) => {
            return format!(
                "A run that repeats the steps of its cycle infinitely often and violates the formula: if {set} at ↻, the cycle is enabled and leads back to such a state."
            );
        }
        (Certificate::Progress { .. }, _) => {
            "Every run stays in these sets; no step increases the rank, and leaving an accepting state of the automaton decreases it: no run violates the formula."
        }
    }
    .to_owned()
}

/// Runs the independent checker on a certificate; returns what it checked.
pub(super) fn certify(kind: Kind, text: &str, property: &str, certificate: &str) -> Result<Accepted, String> {
    let (system, property) = load(kind, text, property)?;
    let file: File = serde_json::from_str(certificate).map_err(|e| e.to_string())?;
    file.of.is_of(kind, text)?;
    let report = check(&system, &property, &file.certificate).map_err(|rejection| rejection.to_string())?;
    Ok(Accepted { checked: report.sentences, trusted: report.trusted })
}

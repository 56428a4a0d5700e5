//! TEMPORARY: a play-acted engine until the real one is here.
use std::collections::VecDeque;
use std::task::Poll;

use veristep_core::diagnostic::{Diagnostic, Span};
use veristep_core::kit::*;
use veristep_core::system::{EdgeId, LocationId};

use crate::protocol::*;

pub(super) struct Engine {
    model: ModelInfo,
    at: usize,
    script: Option<Vec<Item>>,
}

enum Item {
    E(Event),
    S(Label),
    P(String),
    F(String),
}

pub(super) fn parse(text: &str) -> (Option<ModelInfo>, Vec<Diagnostic>) {
    let mut m = ModelInfo { name: "p".into(), ..ModelInfo::default() };
    let mut at = 0;
    let mut open: Option<(usize, usize, usize, String)> = None;
    let find = |m: &ModelInfo, n: &str| m.locations.iter().position(|l| l.name == n);
    for line in text.split_inclusive('\n') {
        let t = line.trim();
        let span = |a: usize, b: usize| Some(Span::new(a, b));
        let start = at + (line.len() - line.trim_start().len());
        let end = start + t.len();
        if let Some(i) = t.find("loc ") {
            if !t.starts_with("//") {
                let role = match &t[..i] {
                    "init " => Role::Initial,
                    "final " => Role::Final,
                    "error " => Role::Error,
                    _ => Role::Plain,
                };
                m.locations.push(LocationInfo { name: t[i + 4..].trim().into(), role, span: span(start, end) });
            }
        } else if let Some(v) = t.strip_prefix("var ") {
            let (n, ty) = v.split_once(':').unwrap_or((v, "int"));
            m.variables.push((n.trim().into(), ty.trim().into()));
        } else if t.contains("->") {
            let (a, rest) = t.split_once("->").unwrap();
            let (b, body) = rest.split_once('{').unwrap_or((rest, ""));
            let (Some(a), Some(b)) = (find(&m, a.trim()), find(&m, b.trim())) else {
                return (None, vec![Diagnostic::error(Span::new(start, end), "unknown location")]);
            };
            let body = body.trim();
            if let Some(b2) = body.strip_suffix('}') {
                m.edges.push(edge(a, b, b2.trim().into(), start, end));
            } else {
                open = Some((a, b, start, body.into()));
            }
        } else if t == "}" {
            if let Some((a, b, s, text)) = open.take() {
                m.edges.push(edge(a, b, text, s, end));
            }
        } else if let Some(o) = open.as_mut() {
            if !o.3.is_empty() {
                o.3.push_str("; ");
            }
            o.3.push_str(t);
        } else if t.starts_with("???") {
            return (None, vec![Diagnostic::error(Span::new(start, end), "unexpected ???")]);
        }
        at += line.len();
    }
    (Some(m), vec![])
}

fn edge(a: usize, b: usize, text: String, s: usize, e: usize) -> EdgeInfo {
    EdgeInfo { source: LocationId(a as u32), target: LocationId(b as u32), text, span: Some(Span::new(s, e)) }
}

pub(super) fn start(text: &str) -> Result<(Engine, Names), String> {
    let (m, d) = parse(text);
    let Some(m) = m else { return Err(d[0].message.clone()) };
    let names = Names {
        locations: m.locations.iter().map(|l| l.name.clone()).collect(),
        edges: m
            .edges
            .iter()
            .map(|e| EdgeName { source: e.source, target: e.target, text: e.text.clone() })
            .collect(),
    };
    Ok((Engine { model: m, at: 0, script: None }, names))
}

fn script(m: &ModelInfo) -> Vec<Item> {
    use Item::*;
    let mut out = vec![];
    let p0 = PredicateId(0);
    let mut next = 0;
    let mut f = 0;
    for iteration in 1..=3 {
        out.push(E(Event::IterationStarted { iteration }));
        let mut wait = VecDeque::new();
        let lits = if iteration > 1 { vec![(p0, true)] } else { vec![] };
        let init = m.locations.iter().position(|l| l.role == Role::Initial).unwrap_or(0);
        let mut nodes: Vec<(NodeId, LocationId, Option<(NodeId, EdgeId)>)> = vec![];
        let mut add = |out: &mut Vec<Item>, nodes: &mut Vec<_>, loc, from| {
            let node = NodeId(next);
            next += 1;
            out.push(S(Label { location: loc, literals: lits.clone() }));
            out.push(E(Event::NodeAdded { node, from }));
            nodes.push((node, loc, from));
            node
        };
        let r = add(&mut out, &mut nodes, LocationId(init as u32), None);
        wait.push_back(r);
        let root = r;
        let mut target = None;
        while let Some(n) = wait.pop_front() {
            out.push(E(Event::NodeSelected { node: n }));
            let loc = nodes.iter().find(|x| x.0 == n).unwrap().1;
            if m.locations[loc.index()].role == Role::Error {
                target = Some(n);
                break;
            }
            if let Some(by) = nodes.iter().find(|x| x.1 == loc && x.0 < n) {
                out.push(E(Event::CoverChecked { node: n, by: by.0, answer: Answer::Unsat }));
                out.push(E(Event::NodeCovered { node: n, by: by.0 }));
                continue;
            }
            for (i, e) in m.edges.iter().enumerate().filter(|(_, e)| e.source == loc) {
                let edge = EdgeId(i as u32);
                let bad = m.locations[e.target.index()].role == Role::Error && iteration == 3;
                let answer = if bad { Answer::Unsat } else { Answer::Sat };
                out.push(E(Event::EdgeChecked { node: n, edge, answer }));
                if bad {
                    continue;
                }
                if iteration > 1 {
                    out.push(E(Event::PredicateChecked { node: n, edge, predicate: p0, truth: Truth::True }));
                }
                let c = add(&mut out, &mut nodes, e.target, Some((n, edge)));
                wait.push_back(c);
            }
            out.push(E(Event::NodeExpanded { node: n }));
        }
        let Some(t) = target else { break };
        let mut path = vec![];
        let mut cur = t;
        while let Some((p, e)) = nodes.iter().find(|x| x.0 == cur).unwrap().2 {
            path.push((p, e));
            cur = p;
        }
        path.reverse();
        let steps = path.len() as u32;
        out.push(E(Event::CexFound { node: t, length: steps }));
        for (i, (_, e)) in path.iter().enumerate() {
            out.push(F(format!("{} @{i}", m.edges[e.index()].text)));
            out.push(E(Event::StepEncoded { step: i as u32, edge: *e, formula: FormulaId(f) }));
            f += 1;
        }
        for k in 1..=steps {
            let answer = if k == steps { Answer::Unsat } else { Answer::Sat };
            out.push(E(Event::PrefixChecked { steps: k, answer }));
        }
        out.push(E(Event::PathInfeasible { steps }));
        for cut in 1..steps {
            out.push(F("x <= 1".into()));
            let node = path[cut as usize].0;
            out.push(E(Event::Interpolated { cut, node, formula: FormulaId(f) }));
            f += 1;
        }
        if iteration == 1 {
            out.push(P("x <= 1".into()));
            out.push(E(Event::PrecisionGrew { predicate: p0 }));
        }
        out.push(E(Event::Pruned { node: root }));
    }
    out.push(E(Event::Decided { verdict: Verdict::Holds }));
    out
}

impl Engine {
    pub(super) fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        let model = self.model.clone();
        let script = self.script.get_or_insert_with(|| script(&model));
        let (mut s, mut p, mut f) = (0, 0, 0);
        for item in &script[..self.at] {
            match item {
                Item::S(_) => s += 1,
                Item::P(_) => p += 1,
                Item::F(_) => f += 1,
                Item::E(_) => {}
            }
        }
        while self.at < script.len() {
            if !cx.fuel.spend() {
                return Poll::Pending;
            }
            match &script[self.at] {
                Item::E(e) => cx.sink.event(*e),
                Item::S(l) => {
                    cx.sink.state(NodeId(s), || l.clone());
                    s += 1;
                }
                Item::P(t) => {
                    cx.sink.predicate(PredicateId(p), || t.clone());
                    p += 1;
                }
                Item::F(t) => {
                    cx.sink.formula(FormulaId(f), || t.clone());
                    f += 1;
                }
            }
            self.at += 1;
        }
        let shown = self.model.locations.iter().map(|l| (l.name.clone(), "x <= 1".to_owned())).collect();
        Poll::Ready(Outcome {
            verdict: Verdict::Holds,
            reason: "the reachability graph is complete and contains no error location".into(),
            certificate: Some(Proof { shown: Shown::Invariant(shown), json: "{}".into() }),
            stats: vec![("nodes".into(), 20)],
            used: 0,
        })
    }
}

//! Writing charts as SCXML. What SCXML lacks stands in a namespace of the project's own: types, parameters of events,
//! timeouts, properties, the length of the queue, and positions.

use std::fmt::Write as _;

use super::EXTENSION;
use crate::chart::{Action, Chart, Initial, StateId, StateKind, Transition, Trigger};
use crate::expr::{Binary, Expr, Kind, Nary, Type, Unary};
use crate::formats::chart::type_text;
use crate::formats::infix::Words;

/// The operators of ECMAScript.
const OPERATORS: Words = Words {
    truth: ["false", "true"],
    not: "!",
    and: "&&",
    or: "||",
    imply: "||",
    iff: "==",
    xor: "!=",
    eq: "==",
    ite: ["", "?", ":"],
    rational: |_| Err("rational numbers".to_owned()),
    quotient: |_, a, b| format!("({a} % {b})"),
    literal: |values, number| quoted(values.literal(number).unwrap_or_default()),
};

/// The chart as a text of SCXML.
///
/// # Errors
/// What cannot be written: quotients, conditional expressions, events that are beginnings of others.
pub fn print(chart: &Chart) -> Result<String, String> {
    let clash = |a: &str| chart.events.iter().find(|b| b.name.starts_with(&format!("{a}.")));
    if !chart.prefixes
        && let Some((a, b)) = chart.events.iter().find_map(|a| Some((a, clash(&a.name)?)))
    {
        return Err(format!("in SCXML a transition for '{}' is also one for '{}'", a.name, b.name));
    }
    let names = chart.events.iter().map(|e| &e.name).chain(chart.variables.iter().map(|v| &v.name));
    let mut names = names.chain(chart.states.iter().skip(1).map(|s| &s.label));
    if let Some(name) =
        names.find(|n| n.contains(|c: char| c.is_whitespace() || matches!(c, ',' | '\'' | '"')))
    {
        return Err(format!("'{name}' cannot be a name in SCXML"));
    }
    let mut writer = Writer { chart, ids: ids(chart), text: String::new() };
    let initial = writer.initial_attribute();
    let _ = writeln!(
        writer.text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" \
         xmlns:veristep=\"{EXTENSION}\" version=\"1.0\" datamodel=\"ecmascript\" name=\"{}\"{} veristep:queue=\"{}\">",
        escaped(&chart.name),
        initial,
        chart.capacity
    );
    writer.extension();
    writer.data()?;
    writer.inside(Chart::ROOT, 1)?;
    Ok(writer.text + "</scxml>\n")
}

/// The ids of states, without dots, since `done.state.a` is also a transition's name for `done.state.a.b`: the label
/// where it is unique, otherwise those of the states around it, too.
fn ids(chart: &Chart) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for s in chart.state_ids() {
        let label = chart.state(s).label.replace('.', "_");
        let same = chart.states.iter().skip(1).filter(|other| other.label.replace('.', "_") == label).count();
        let mut id = if same > 1 { chart.state(s).name.replace('.', "_") } else { label };
        while s != Chart::ROOT && ids.iter().skip(1).any(|known| *known == id) {
            id.push('_');
        }
        ids.push(id);
    }
    ids
}

struct Writer<'a> {
    chart: &'a Chart,
    /// The ids of the states.
    ids: Vec<String>,
    text: String,
}

impl Writer<'_> {
    /// The chart's initial states; SCXML has no place for actions there, so that those need an element.
    fn initial_attribute(&self) -> String {
        let initial = &self.chart.state(Chart::ROOT).initial;
        if initial.targets.is_empty() || !initial.actions.is_empty() {
            return String::new();
        }
        let ids: Vec<String> = initial.targets.iter().map(|s| self.id(*s)).collect();
        format!(" initial=\"{}\"", escaped(&ids.join(" ")))
    }

    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "  ".repeat(depth));
    }

    fn extension(&mut self) {
        let chart = self.chart;
        let own = |name: &str| !name.starts_with("done.state.") && name != Chart::OTHER;
        for event in chart.events.iter().filter(|e| own(&e.name)) {
            let begin =
                format!("<veristep:event name=\"{}\" external=\"{}\"", escaped(&event.name), event.external);
            if event.parameters.is_empty() {
                self.line(1, &format!("{begin}/>"));
                continue;
            }
            self.line(1, &format!("{begin}>"));
            for v in &event.parameters {
                let variable = &chart.variables[v.index()];
                let name = variable.name.strip_prefix(&format!("{}.", event.name)).unwrap_or(&variable.name);
                let ty = escaped(&type_text(variable, &|value| format!("\"{}\"", quoted(value))));
                self.line(2, &format!("<veristep:parameter name=\"{}\" type=\"{ty}\"/>", escaped(name)));
            }
            self.line(1, "</veristep:event>");
        }
        for property in &chart.properties {
            let (name, text) = (escaped(&property.name), escaped(property.text.trim()));
            self.line(1, &format!("<veristep:property name=\"{name}\">{text}</veristep:property>"));
        }
    }

    fn data(&mut self) -> Result<(), String> {
        let chart = self.chart;
        let all: Vec<_> = chart.data().collect();
        if all.is_empty() {
            return Ok(());
        }
        self.line(1, "<datamodel>");
        for v in all {
            let variable = &chart.variables[v.index()];
            let value = match &variable.initial {
                Some(e) => format!(" expr=\"{}\"", escaped(&self.expression(e)?)),
                None => String::new(),
            };
            let ty = escaped(&type_text(variable, &|value| format!("\"{}\"", quoted(value))));
            let name = escaped(&variable.name);
            self.line(2, &format!("<data id=\"{name}\"{value} veristep:type=\"{ty}\"/>"));
        }
        self.line(1, "</datamodel>");
        Ok(())
    }

    /// What is inside of a state.
    fn inside(&mut self, state: StateId, depth: usize) -> Result<(), String> {
        let chart = self.chart;
        let s = chart.state(state);
        match s.kind {
            StateKind::Composite if state != Chart::ROOT || !s.initial.actions.is_empty() => {
                self.line(depth, "<initial>");
                self.initial(&s.initial, depth + 1)?;
                self.line(depth, "</initial>");
            }
            StateKind::History { .. } => self.initial(&s.initial, depth)?,
            _ => {}
        }
        for (element, all) in [("onentry", &s.entry), ("onexit", &s.exit)] {
            if all.iter().any(|a| !chart.is_clock_action(a)) {
                self.line(depth, &format!("<{element}>"));
                self.actions(all, depth + 1)?;
                self.line(depth, &format!("</{element}>"));
            }
        }
        for t in &s.transitions {
            self.transition(chart.transition(*t), depth)?;
        }
        for child in &s.children {
            let c = chart.state(*child);
            let (element, kind) = match c.kind {
                StateKind::Parallel => ("parallel", ""),
                StateKind::Final => ("final", ""),
                StateKind::History { deep: false } => ("history", " type=\"shallow\""),
                StateKind::History { deep: true } => ("history", " type=\"deep\""),
                StateKind::Atomic | StateKind::Composite => ("state", ""),
            };
            let place = chart
                .pins
                .get(&c.name)
                .map_or_else(String::new, |(x, y)| format!(" veristep:x=\"{x}\" veristep:y=\"{y}\""));
            let id = self.id(*child);
            let label = match *id == c.label {
                true => String::new(),
                false => format!(" veristep:label=\"{}\"", escaped(&c.label)),
            };
            let folded = if chart.is_folded(*child) { " veristep:folded=\"true\"" } else { "" };
            self.line(depth, &format!("<{element} id=\"{}\"{label}{kind}{place}{folded}>", escaped(&id)));
            self.inside(*child, depth + 1)?;
            self.line(depth, &format!("</{element}>"));
        }
        Ok(())
    }

    fn id(&self, state: StateId) -> String {
        self.ids[state.index()].clone()
    }

    /// The events of a transition, as SCXML names them.
    fn events(&self, trigger: &Trigger) -> String {
        let done = |s: &StateId| Chart::done_event(&self.chart.state(*s).name);
        let own = |word: &str| match self.chart.state_ids().find(|s| done(s) == word) {
            Some(s) => Chart::done_event(&self.ids[s.index()]),
            None => word.to_owned(),
        };
        let words = trigger.text.split([',', ' ']).filter(|e| !e.is_empty());
        escaped(&words.map(own).collect::<Vec<_>>().join(" "))
    }

    fn targets(&self, all: &[StateId]) -> String {
        escaped(&all.iter().map(|s| self.id(*s)).collect::<Vec<_>>().join(" "))
    }

    fn initial(&mut self, initial: &Initial, depth: usize) -> Result<(), String> {
        let targets = self.targets(&initial.targets);
        self.line(depth, &format!("<transition target=\"{targets}\">"));
        self.actions(&initial.actions, depth + 1)?;
        self.line(depth, "</transition>");
        Ok(())
    }

    fn transition(&mut self, t: &Transition, depth: usize) -> Result<(), String> {
        let mut attributes = String::new();
        match (&t.trigger, t.after) {
            (_, Some(time)) => {
                let _ = write!(attributes, " event=\"{}\" veristep:after=\"{time}\"", Chart::TICK);
            }
            (Some(trigger), None) => {
                let _ = write!(attributes, " event=\"{}\"", self.events(trigger));
            }
            (None, None) => {}
        }
        if let Some(guard) = &t.guard {
            let _ = write!(attributes, " cond=\"{}\"", escaped(&self.expression(guard)?));
        }
        if !t.targets.is_empty() {
            let _ = write!(attributes, " target=\"{}\"", self.targets(&t.targets));
        }
        if t.internal {
            attributes.push_str(" type=\"internal\"");
        }
        if t.actions.is_empty() {
            self.line(depth, &format!("<transition{attributes}/>"));
            return Ok(());
        }
        self.line(depth, &format!("<transition{attributes}>"));
        self.actions(&t.actions, depth + 1)?;
        self.line(depth, "</transition>");
        Ok(())
    }

    fn actions(&mut self, all: &[Action], depth: usize) -> Result<(), String> {
        let chart = self.chart;
        for action in all.iter().filter(|a| !chart.is_clock_action(a)) {
            match action {
                Action::Assign(v, e, _) => {
                    let (name, value) = (&chart.variables[v.index()].name, self.expression(e)?);
                    let line =
                        format!("<assign location=\"{}\" expr=\"{}\"/>", escaped(name), escaped(&value));
                    self.line(depth, &line);
                }
                Action::Raise(e, _) => {
                    let name = escaped(&chart.event(*e).name);
                    self.line(depth, &format!("<raise event=\"{name}\"/>"));
                }
                Action::Send(e, _) => {
                    let name = escaped(&chart.event(*e).name);
                    self.line(depth, &format!("<send event=\"{name}\" target=\"#_parent\"/>"));
                }
                Action::If(branches, otherwise) => {
                    for (i, (condition, body)) in branches.iter().enumerate() {
                        let condition = escaped(&self.expression(condition)?);
                        let element = if i == 0 {
                            format!("<if cond=\"{condition}\">")
                        } else {
                            format!("<elseif cond=\"{condition}\"/>")
                        };
                        self.line(depth, &element);
                        self.actions(body, depth + 1)?;
                    }
                    if !otherwise.is_empty() {
                        self.line(depth, "<else/>");
                        self.actions(otherwise, depth + 1)?;
                    }
                    self.line(depth, "</if>");
                }
            }
        }
        Ok(())
    }

    fn expression(&self, e: &Expr) -> Result<String, String> {
        let e = without_implications(e)?;
        OPERATORS.text(&e, &|v| match self.chart.state_of(v) {
            Some(s) => format!("In('{}')", self.id(s)),
            None => self.chart.variables[v.index()].name.clone(),
        })
    }
}

/// The expression with operators of ECMAScript only.
fn without_implications(e: &Expr) -> Result<Expr, String> {
    let mut e = e.clone();
    for child in e.children_mut() {
        *child = without_implications(child)?;
    }
    match &e.kind {
        Kind::Binary(Binary::Imply, ab) => {
            let not = Kind::Unary(Unary::Not, std::sync::Arc::new(ab[0].clone()));
            let not = Expr { kind: not, ty: Type::Bool, span: e.span };
            Ok(Expr { kind: Kind::Nary(Nary::Or, vec![not, ab[1].clone()]), ..e })
        }
        Kind::Binary(Binary::Div | Binary::Mod, _) => {
            Err("SCXML with integers has no '/', and no '%' of negative numbers as here".to_owned())
        }
        Kind::Ite(_) => Err("conditional expressions are not written to SCXML".to_owned()),
        _ => Ok(e),
    }
}

/// A string of ECMAScript.
fn quoted(value: &str) -> String {
    if value.starts_with('\'') { value.to_owned() } else { format!("'{value}'") }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

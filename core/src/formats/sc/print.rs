//! Writing charts as `.sc` texts.

use std::fmt::Write as _;

use super::syntax::{RESERVED, WORDS};
use crate::chart::{Action, Chart, StateId, StateKind, Transition, TransitionId, Trigger};
use crate::expr::{Binary, Expr, Parser, Syntax, Tok, Type, VarId};
use crate::formats::chart::type_text;
use crate::formats::infix::Words;

/// The operators.
const OPERATORS: Words = Words {
    truth: ["false", "true"],
    not: "!",
    and: "&&",
    or: "||",
    imply: "->",
    iff: "<->",
    xor: "xor",
    eq: "=",
    ite: ["if ", "then", "else"],
    rational: |q| Ok(q.to_string()),
    quotient: |op, a, b| match op {
        Binary::Div => format!("({a} / {b})"),
        Binary::Mod => format!("({a} % {b})"),
        _ => format!("({a} rem {b})"),
    },
    literal: |values, number| name(values.literal(number).unwrap_or_default()),
};

/// The chart as a text of this language.
#[must_use]
pub fn print(chart: &Chart) -> String {
    let mut text = format!("chart {} {{\n", name(&chart.name));
    for v in chart.data() {
        let variable = &chart.variables[v.index()];
        let value =
            variable.initial.as_ref().map_or_else(String::new, |e| format!(" = {}", expression(chart, e)));
        let _ = writeln!(text, "  var {} : {}{value}", name(&variable.name), type_text(variable, &name));
    }
    for event in chart.events.iter().filter(|e| !e.name.starts_with("done.state.") && e.name != Chart::OTHER)
    {
        let parameter = |v: &VarId| {
            let variable = &chart.variables[v.index()];
            let own = variable.name.strip_prefix(&format!("{}.", event.name)).unwrap_or(&variable.name);
            format!("{} : {}", name(own), type_text(variable, &name))
        };
        let parameters: Vec<String> = event.parameters.iter().map(parameter).collect();
        let parameters =
            if parameters.is_empty() { String::new() } else { format!("({})", parameters.join(", ")) };
        let word = if event.external { "event" } else { "internal" };
        let _ = writeln!(text, "  {word} {}{parameters}", name(&event.name));
    }
    let _ = writeln!(text, "  queue {}", chart.capacity);
    inside(chart, Chart::ROOT, 1, &mut text);
    for property in &chart.properties {
        let _ = writeln!(text, "  property {}: {}", name(&property.name), property.text.trim());
    }
    if !chart.pins.is_empty() {
        text.push_str("  layout {\n");
        for (thing, (x, y)) in chart.pins.iter() {
            let state = chart.state_ids().skip(1).find(|s| chart.state(*s).name == *thing);
            let thing = state.map_or_else(|| name(thing), |s| path(chart, s));
            let _ = writeln!(text, "    {thing} {x} {y}");
        }
        text.push_str("  }\n");
    }
    text + "}\n"
}

/// What is inside of a state.
fn inside(chart: &Chart, state: StateId, depth: usize, text: &mut String) {
    let blank = "  ".repeat(depth);
    let s = chart.state(state);
    if s.kind == StateKind::Composite {
        let _ = writeln!(
            text,
            "{blank}initial {}{}",
            targets(chart, &s.initial.targets),
            slash(chart, &s.initial.actions)
        );
    }
    for (word, all) in [("entry", &s.entry), ("exit", &s.exit)] {
        let all = actions(chart, all);
        if !all.is_empty() {
            let _ = writeln!(text, "{blank}{word} / {all}");
        }
    }
    // A transition for the completion of a state that is never complete is left out.
    let possible = |t: &&TransitionId| {
        chart.transition(**t).trigger.as_ref().is_none_or(|trigger| !trigger.events.is_empty())
    };
    for t in s.transitions.iter().filter(possible) {
        let _ = writeln!(text, "{blank}{}", transition(chart, chart.transition(*t)));
    }
    for child in &s.children {
        let c = chart.state(*child);
        let word = match c.kind {
            StateKind::Final => "final",
            StateKind::History { deep: false } => "history",
            StateKind::History { deep: true } => "deep history",
            _ if s.kind == StateKind::Parallel => "region",
            _ => "state",
        };
        let begins = match c.kind {
            StateKind::History { .. } => {
                format!(" -> {}{}", targets(chart, &c.initial.targets), slash(chart, &c.initial.actions))
            }
            _ => String::new(),
        };
        let folded = if chart.is_folded(*child) { " folded" } else { "" };
        let _ = writeln!(text, "{blank}{word} {}{begins}{folded}", name(&label_of(&c.label)));
        inside(chart, *child, depth + 1, text);
    }
}

/// The text at the arrow of a transition: `e [guard] / actions`.
pub fn label(chart: &Chart, t: &Transition) -> String {
    let begins = match (&t.trigger, t.after) {
        (_, Some(time)) => format!("after {time}"),
        (None, _) => String::new(),
        (Some(trigger), _) if is_done(chart, t, trigger) => "done".to_owned(),
        (Some(trigger), _) => trigger.text.clone(),
    };
    let guard = t.guard.as_ref().map_or_else(String::new, |e| format!(" [{}]", expression(chart, e)));
    format!("{begins}{guard}{}", slash(chart, &t.actions)).trim().to_owned()
}

/// Does a transition wait for the completion of its source?
fn is_done(chart: &Chart, t: &Transition, trigger: &Trigger) -> bool {
    trigger.text == Chart::done_event(&chart.state(t.source).name)
}

fn transition(chart: &Chart, t: &Transition) -> String {
    let begins = match (&t.trigger, t.after) {
        (_, Some(time)) => format!("after {time}"),
        (None, _) => "always".to_owned(),
        (Some(trigger), _) if is_done(chart, t, trigger) => "done".to_owned(),
        (Some(trigger), _) => {
            format!("on {}", events(chart, trigger).join(", "))
        }
    };
    let guard = t.guard.as_ref().map_or_else(String::new, |e| format!(" [{}]", expression(chart, e)));
    let internal = if t.internal { "internal " } else { "" };
    let arrow = match t.targets.is_empty() {
        true => String::new(),
        false => format!(" -> {internal}{}", targets(chart, &t.targets)),
    };
    let mut text = format!("{begins}{guard}{arrow}{}", slash(chart, &t.actions));
    if t.targets.is_empty() && t.actions.is_empty() {
        // A transition without effect hides those of the states around its source.
        text.push_str(" / skip");
    }
    text
}

/// The events of a transition. Names that also mean longer ones, as in SCXML, are written out.
fn events(chart: &Chart, trigger: &Trigger) -> Vec<String> {
    if trigger.text.split([',', ' ']).any(|word| word == "*") {
        return vec!["*".to_owned()];
    }
    let own = trigger.events.iter().map(|e| &chart.event(*e).name).filter(|e| *e != Chart::OTHER);
    own.map(|e| match chart.state_ids().find(|s| *e == Chart::done_event(&chart.state(*s).name)) {
        Some(s) => name(&Chart::done_event(&plain_path(chart, s))),
        None => name(e),
    })
    .collect()
}

/// The labels of a state and of those around it.
fn path(chart: &Chart, state: StateId) -> String {
    name(&plain_path(chart, state))
}

fn plain_path(chart: &Chart, state: StateId) -> String {
    let path = std::iter::once(state).chain(chart.around(state)).filter(|s| *s != Chart::ROOT);
    let mut labels: Vec<String> = path.map(|s| label_of(&chart.state(s).label)).collect();
    labels.reverse();
    labels.join(".")
}

/// The name of a state has no dots here.
fn label_of(label: &str) -> String {
    label.replace('.', "_")
}

fn targets(chart: &Chart, all: &[StateId]) -> String {
    all.iter().map(|s| path(chart, *s)).collect::<Vec<_>>().join(", ")
}

fn slash(chart: &Chart, all: &[Action]) -> String {
    let all = actions(chart, all);
    if all.is_empty() { all } else { format!(" / {all}") }
}

/// Actions, with semicolons between them.
pub(crate) fn actions(chart: &Chart, all: &[Action]) -> String {
    let own = all.iter().filter(|a| !chart.is_clock_action(a));
    own.map(|a| action(chart, a)).collect::<Vec<_>>().join("; ")
}

fn action(chart: &Chart, action: &Action) -> String {
    match action {
        Action::Assign(v, e, _) => {
            format!("{} := {}", name(&chart.variables[v.index()].name), expression(chart, e))
        }
        Action::Raise(e, _) => format!("raise {}", name(&chart.event(*e).name)),
        Action::Send(e, _) => format!("send {}", name(&chart.event(*e).name)),
        Action::If(branches, otherwise) => {
            let body = |all: &[Action]| if all.is_empty() { "skip".to_owned() } else { actions(chart, all) };
            let branch =
                |(c, all): &(Expr, Vec<Action>)| format!("if {} {{ {} }}", expression(chart, c), body(all));
            let mut text = branches.iter().map(branch).collect::<Vec<_>>().join(" else ");
            if !otherwise.is_empty() {
                let _ = write!(text, " else {{ {} }}", body(otherwise));
            }
            text
        }
    }
}

fn expression(chart: &Chart, e: &Expr) -> String {
    let text = OPERATORS.text(e, &|v| match chart.state_of(v) {
        Some(s) => format!("in({})", path(chart, s)),
        None => name(&chart.variables[v.index()].name),
    });
    let text = text.expect("rational numbers are written");
    let is_operator = !matches!(e.ty, Type::Enum(_)) && text.starts_with('(') && text.ends_with(')');
    if is_operator { text[1..text.len() - 1].to_owned() } else { text }
}

/// A name, in quotation marks where these are needed.
pub(super) fn name(name: &str) -> String {
    let p = Parser::new(name, Syntax::Ltl);
    let is_plain = p.tok() == Tok::Ident && p.ahead(1) == Tok::End && p.word() == name && p.out.is_empty();
    let is_word = WORDS.contains(&name) || RESERVED.contains(&name);
    if is_plain && !is_word && !name.starts_with('"') { name.to_owned() } else { format!("\"{name}\"") }
}

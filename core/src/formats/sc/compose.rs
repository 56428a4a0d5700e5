//! Systems of several charts: each component is a region of one chart, and has events and variables of its own. An
//! event that a component sends along a channel is raised for the receiver at once, or waits in the channel until it
//! is delivered, which the environment decides.

use std::collections::BTreeSet;

use super::syntax::{Channel, System};
use crate::chart::{Chart, StateKind};
use crate::diagnostic::{Diagnostic, limits};
use crate::expr::ast::{Ast, AstKind};
use crate::expr::{Parser, Syntax};
use crate::formats::Name;
use crate::formats::chart::{
    CAPACITY, SYSTEM, Written, WrittenAction, WrittenEvent, WrittenState, WrittenTransition, WrittenVariable,
    build,
};

/// The chart of a system of these charts.
pub(super) fn composed(charts: &[Written], system: &System, out: &mut Vec<Diagnostic>) -> Written {
    check(charts, system, out);
    let used: Vec<(&Name, &Written)> = system
        .components
        .iter()
        .filter_map(|(name, of)| {
            Some((name, charts.iter().find(|chart| chart.states[0].name.text == of.text)?))
        })
        .collect();
    let capacities = used.iter().map(|(_, chart)| chart.capacity.unwrap_or(CAPACITY));
    let capacity = system.capacity.or_else(|| capacities.max());
    let mut whole = Written { properties: system.properties.clone(), capacity, ..Written::default() };
    whole.add(system.name.clone(), StateKind::Composite, None);
    whole.add(system.name.clone(), StateKind::Parallel, Some(0));
    let size: usize = used.iter().map(|(_, chart)| chart.states.len()).sum();
    if size > limits::GRAPH {
        let message = format!("too many states in all components, the limit is {}", limits::GRAPH);
        out.push(Diagnostic::error(system.name.span, message));
    }
    if !out.is_empty() {
        return whole;
    }
    for (instance, chart) in &used {
        Component { chart, instance, system }.add(&mut whole);
    }
    for channel in &system.channels {
        if let Err(diagnostic) = connect(channel, &used, &mut whole) {
            out.push(diagnostic);
        }
    }
    whole
}

/// Checks the charts one by one, and the names of charts, components and channels.
fn check(charts: &[Written], system: &System, out: &mut Vec<Diagnostic>) {
    let mut names = BTreeSet::new();
    for chart in charts {
        let name = &chart.states[0].name;
        if !names.insert(&name.text) {
            out.push(Diagnostic::error(name.span, format!("there are two charts '{}'", name.text)));
        }
        out.extend(build(chart, Vec::new()).err().into_iter().flatten());
        let stated = chart.properties.iter().map(|property| property.span);
        let message = "the properties of a system of charts are written into the system";
        out.extend(stated.map(|span| Diagnostic::error(span, message)));
    }
    let mut own = BTreeSet::new();
    let queues = system.channels.iter().filter_map(|channel| Some(&channel.queue.as_ref()?.0));
    for name in system.components.iter().map(|(name, _)| name).chain(queues) {
        if name.text.contains('.') || name.text == Chart::TICK {
            let message = format!("'{}' cannot be the name of a component or a channel", name.text);
            out.push(Diagnostic::error(name.span, message));
        } else if !own.insert(&name.text) {
            out.push(Diagnostic::error(name.span, format!("the name '{}' is used twice", name.text)));
        }
    }
    for (_, of) in system.components.iter().filter(|(_, of)| !names.contains(&of.text)) {
        out.push(Diagnostic::error(of.span, format!("there is no chart '{}'", of.text)));
    }
}

/// A chart as a component of a system.
struct Component<'a> {
    chart: &'a Written,
    instance: &'a Name,
    system: &'a System,
}

impl Component<'_> {
    /// Adds its states as a region, with its variables and events.
    fn add(&self, whole: &mut Written) {
        let first = whole.states.len();
        for (number, state) in self.chart.states.iter().enumerate() {
            let name = if number == 0 { self.instance.clone() } else { state.name.clone() };
            let parent = state.parent.map_or(1, |parent| first + parent);
            let at = whole.add(name, state.kind, Some(parent));
            self.contents(state, &mut whole.states[at]);
        }
        let path = |name: &str| format!("{}.{}.{name}", self.system.name.text, self.instance.text);
        whole.pins.extend(self.chart.pins.iter().map(|(name, pin)| (path(name), *pin)));
        whole.scopes.push((first..whole.states.len(), format!("{}.", self.instance.text)));
        for variable in &self.chart.variables {
            let (ty, value) = (variable.ty.clone(), variable.value.clone());
            whole.variables.push(WrittenVariable { name: self.own(&variable.name), ty, value });
        }
        for event in &self.chart.events {
            let (external, parameters) = (event.external, event.parameters.clone());
            let name = self.event(&event.name);
            if !whole.events.iter().any(|known| known.name.text == name.text) {
                whole.events.push(WrittenEvent { name, external, parameters });
            }
        }
    }

    fn contents(&self, state: &WrittenState, new: &mut WrittenState) {
        new.label.clone_from(&state.label);
        new.folded = state.folded;
        new.initial = state.initial.as_ref().map(|(names, all)| (names.clone(), self.actions(all)));
        (new.entry, new.exit) = (self.actions(&state.entry), self.actions(&state.exit));
        let transition = |t: &WrittenTransition| WrittenTransition {
            events: t.events.as_ref().map(|names| names.iter().flat_map(|name| self.events(name)).collect()),
            after: t.after,
            guard: t.guard.clone(),
            targets: t.targets.clone(),
            internal: t.internal,
            actions: self.actions(&t.actions),
            span: t.span,
        };
        new.transitions = state.transitions.iter().map(transition).collect();
    }

    /// A name of its own.
    fn own(&self, name: &Name) -> Name {
        Name { text: format!("{}.{}", self.instance.text, name.text), span: name.span }
    }

    /// An event in the whole system. All components have the same time.
    fn event(&self, name: &Name) -> Name {
        match name.text.strip_prefix(&Chart::done_event("")) {
            Some(state) => {
                let path = format!("{}.{}.{state}", self.system.name.text, self.instance.text);
                Name { text: Chart::done_event(&path), span: name.span }
            }
            None if name.text == Chart::TICK => name.clone(),
            None => self.own(name),
        }
    }

    /// The events that it waits for; any event is one of its own, or that time passes.
    fn events(&self, name: &Name) -> Vec<Name> {
        if !name.text.is_empty() {
            return vec![self.event(name)];
        }
        let own = Name { text: format!("{}.*", self.instance.text), span: name.span };
        let tick = Name { text: Chart::TICK.to_owned(), span: name.span };
        let has_time = self
            .chart
            .states
            .iter()
            .flat_map(|state| &state.transitions)
            .any(|t| t.after.is_some() || t.events.iter().flatten().any(|name| name.text == Chart::TICK));
        std::iter::once(own).chain(has_time.then_some(tick)).collect()
    }

    fn actions(&self, all: &[WrittenAction]) -> Vec<WrittenAction> {
        all.iter().flat_map(|action| self.action(action)).collect()
    }

    fn action(&self, action: &WrittenAction) -> Vec<WrittenAction> {
        vec![match action {
            WrittenAction::Assign(name, value) => WrittenAction::Assign(self.own(name), value.clone()),
            WrittenAction::Raise(name) => WrittenAction::Raise(self.event(name)),
            WrittenAction::Send(name) => return self.sent(self.own(name)),
            WrittenAction::If(branches, otherwise) => {
                let branch =
                    |(condition, body): &(Ast, Vec<WrittenAction>)| (condition.clone(), self.actions(body));
                WrittenAction::If(branches.iter().map(branch).collect(), self.actions(otherwise))
            }
        }]
    }

    /// The actions for sending an event: one for each channel from it, or the event to the environment.
    fn sent(&self, event: Name) -> Vec<WrittenAction> {
        let along = self.system.channels.iter().filter(|channel| channel.from.text == event.text);
        let actions: Vec<WrittenAction> = along
            .map(|channel| match &channel.queue {
                Some((name, _)) => WrittenAction::Assign(name.clone(), count(name, "n + 1")),
                None => WrittenAction::Raise(channel.to.clone()),
            })
            .collect();
        if actions.is_empty() { vec![WrittenAction::Send(event)] } else { actions }
    }
}

/// An expression over the number of messages in a channel, wherever it stands.
fn count(channel: &Name, rest: &str) -> Ast {
    let mut p = Parser::new(rest, Syntax::Ltl);
    let mut read = p.expression().unwrap_or_else(|_| unreachable!("an expression"));
    let first = match &mut read.kind {
        AstKind::Sum(parts) => parts.first_mut().map(|(_, part)| part),
        AstKind::Binary(_, sides) => sides.first_mut(),
        _ => None,
    };
    if let Some(first) = first {
        first.kind = AstKind::Name(format!("{SYSTEM}{}", channel.text));
    }
    read.span = channel.span;
    read
}

/// Adds what a channel needs: the event of the receiver, which the environment does not send; and if it has a queue,
/// the number of messages in it, and their delivery.
fn connect(channel: &Channel, used: &[(&Name, &Written)], whole: &mut Written) -> Result<(), Diagnostic> {
    let Channel { from, to, queue } = channel;
    let component = |event: &Name| {
        let (component, own) = event.text.split_once('.').unwrap_or((&event.text, ""));
        let known =
            used.iter().find(|(name, _)| name.text == component).map(|(_, chart)| (*chart, own.to_owned()));
        known.ok_or_else(|| Diagnostic::error(event.span, format!("there is no component '{component}'")))
    };
    let (sender, sent) = component(from)?;
    component(to)?;
    if !sends(sender, &sent) {
        return Err(Diagnostic::error(from.span, format!("'{}' is not sent", from.text)));
    }
    let mut waits =
        whole.states.iter().flat_map(|state| &state.transitions).flat_map(|t| t.events.iter().flatten());
    let is_meant = |name: &Name| match name.text.strip_suffix('*') {
        Some(begins) => to.text.starts_with(begins),
        None => name.text == to.text,
    };
    if !waits.any(is_meant) {
        return Err(Diagnostic::error(to.span, format!("no transition waits for '{}'", to.text)));
    }
    match whole.events.iter_mut().find(|event| event.name.text == to.text) {
        Some(event) if !event.parameters.is_empty() => {
            return Err(Diagnostic::error(
                to.span,
                format!("'{}' has parameters, but channels carry no values", to.text),
            ));
        }
        Some(event) => event.external = false,
        None => whole.events.push(WrittenEvent { name: to.clone(), external: false, parameters: Vec::new() }),
    }
    if let Some((name, length)) = queue {
        let ty = super::syntax::type_of(&format!("0..{length}"));
        whole.variables.push(WrittenVariable { name: name.clone(), ty, value: None });
        let one_less = WrittenAction::Assign(name.clone(), count(name, "n - 1"));
        whole.states[1].transitions.push(WrittenTransition {
            events: Some(vec![name.clone()]),
            guard: Some(count(name, "n > 0")),
            actions: vec![one_less, WrittenAction::Raise(to.clone())],
            span: name.span,
            ..WrittenTransition::default()
        });
    }
    Ok(())
}

/// Does a chart send an event?
fn sends(chart: &Written, event: &str) -> bool {
    fn sends(all: &[WrittenAction], event: &str) -> bool {
        all.iter().any(|action| match action {
            WrittenAction::Send(name) => name.text == event,
            WrittenAction::If(branches, otherwise) => {
                branches.iter().any(|(_, body)| sends(body, event)) || sends(otherwise, event)
            }
            _ => false,
        })
    }
    chart.states.iter().any(|state| {
        let initial = state.initial.as_ref().map_or(&[][..], |(_, actions)| actions);
        let own = [&state.entry[..], &state.exit, initial];
        let transitions = state.transitions.iter().map(|t| &t.actions[..]);
        own.into_iter().chain(transitions).any(|all| sends(all, event))
    })
}

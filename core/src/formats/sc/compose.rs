//! Systems of several charts: each component is a region of one chart, and has events and variables of its own. An
//! event that a component sends along a channel is raised for the receiver at once, or waits in the channel until it
//! is delivered, which the environment decides.

use super::syntax::{Channel, System};
use crate::chart::{Chart, StateKind};
use crate::diagnostic::Diagnostic;
use crate::expr::ast::Ast;
use crate::expr::{Parser, Syntax};
use crate::formats::Name;
use crate::formats::chart::{
    Written, WrittenAction, WrittenEvent, WrittenState, WrittenTransition, WrittenVariable,
};

/// The chart of a system of these charts.
pub(super) fn composed(charts: &[Written], system: &System, out: &mut Vec<Diagnostic>) -> Written {
    let mut whole = Written { properties: system.properties.clone(), ..Written::default() };
    let capacities = charts.iter().filter_map(|chart| chart.capacity);
    whole.capacity = system.capacity.or_else(|| capacities.max());
    whole.add(system.name.clone(), StateKind::Composite, None);
    whole.add(system.name.clone(), StateKind::Parallel, Some(0));
    for (instance, of) in &system.components {
        if system.components.iter().filter(|(other, _)| other.text == instance.text).count() > 1 {
            out.push(Diagnostic::error(
                instance.span,
                format!("there are two components '{}'", instance.text),
            ));
        }
        match charts.iter().find(|chart| chart.states[0].name.text == of.text) {
            Some(chart) => Component { chart, instance, system }.add(&mut whole),
            None => out.push(Diagnostic::error(of.span, format!("there is no chart '{}'", of.text))),
        }
    }
    if out.is_empty() {
        for channel in &system.channels {
            if let Err(diagnostic) = connect(channel, &mut whole) {
                out.push(diagnostic);
            }
        }
    }
    whole
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
        whole.scopes.push((first..whole.states.len(), format!("{}.", self.instance.text)));
        for variable in &self.chart.variables {
            let (ty, value) = (variable.ty.clone(), variable.value.clone());
            whole.variables.push(WrittenVariable { name: self.own(&variable.name), ty, value });
        }
        for event in &self.chart.events {
            let (external, parameters) = (event.external, event.parameters.clone());
            whole.events.push(WrittenEvent { name: self.own(&event.name), external, parameters });
        }
    }

    fn contents(&self, state: &WrittenState, new: &mut WrittenState) {
        new.label.clone_from(&state.label);
        new.initial = state.initial.as_ref().map(|(names, all)| (names.clone(), self.actions(all)));
        (new.entry, new.exit) = (self.actions(&state.entry), self.actions(&state.exit));
        let transition = |t: &WrittenTransition| WrittenTransition {
            events: t.events.as_ref().map(|names| names.iter().map(|name| self.event(name)).collect()),
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

    /// An event that it waits for. All components have the same time.
    fn event(&self, name: &Name) -> Name {
        match name.text.strip_prefix(&Chart::done_event("")) {
            Some(state) => {
                let path = format!("{}.{}.{state}", self.system.name.text, self.instance.text);
                Name { text: Chart::done_event(&path), span: name.span }
            }
            None if name.text == Chart::TICK => name.clone(),
            None if name.text.is_empty() => {
                Name { text: format!("{}.*", self.instance.text), span: name.span }
            }
            None => self.own(name),
        }
    }

    fn actions(&self, all: &[WrittenAction]) -> Vec<WrittenAction> {
        all.iter().flat_map(|action| self.action(action)).collect()
    }

    fn action(&self, action: &WrittenAction) -> Vec<WrittenAction> {
        vec![match action {
            WrittenAction::Assign(name, value) => WrittenAction::Assign(self.own(name), value.clone()),
            WrittenAction::Raise(name) => WrittenAction::Raise(self.own(name)),
            WrittenAction::Send(name) => return self.sent(self.own(name)),
            WrittenAction::If(branches, otherwise) => {
                let branch =
                    |(condition, body): &(Ast, Vec<WrittenAction>)| (condition.clone(), self.actions(body));
                WrittenAction::If(branches.iter().map(branch).collect(), self.actions(otherwise))
            }
        }]
    }

    /// What sending an event means: along each channel from it, or to the environment.
    fn sent(&self, event: Name) -> Vec<WrittenAction> {
        let along = self.system.channels.iter().filter(|channel| channel.from.text == event.text);
        let actions: Vec<WrittenAction> = along
            .map(|channel| match &channel.queue {
                Some((name, _)) => WrittenAction::Assign(name.clone(), count(name, "+ 1")),
                None => WrittenAction::Raise(channel.to.clone()),
            })
            .collect();
        if actions.is_empty() { vec![WrittenAction::Send(event)] } else { actions }
    }
}

/// An expression over the number of messages in a channel.
fn count(channel: &Name, rest: &str) -> Ast {
    let text = format!("\"{}\" {rest}", channel.text);
    let mut p = Parser::new(&text, Syntax::Ltl);
    let mut read = p.expression().unwrap_or_else(|_| unreachable!("an expression over a name"));
    read.span = channel.span;
    read
}

/// Adds what a channel needs: the event of the receiver, which the environment does not send; and if it has a queue,
/// the number of messages in it, and their delivery.
fn connect(channel: &Channel, whole: &mut Written) -> Result<(), Diagnostic> {
    let Channel { from, to, queue } = channel;
    let has_component = |event: &Name| {
        let component = event.text.split('.').next().unwrap_or_default();
        let known = whole.scopes.iter().any(|(_, prefix)| *prefix == format!("{component}."));
        if known {
            Ok(())
        } else {
            Err(Diagnostic::error(event.span, format!("there is no component '{component}'")))
        }
    };
    has_component(from)?;
    has_component(to)?;
    let mut waits =
        whole.states.iter().flat_map(|state| &state.transitions).flat_map(|t| t.events.iter().flatten());
    if !waits.any(|name| name.text == to.text) {
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
        let one_less = WrittenAction::Assign(name.clone(), count(name, "- 1"));
        whole.states[1].transitions.push(WrittenTransition {
            events: Some(vec![name.clone()]),
            guard: Some(count(name, "> 0")),
            actions: vec![one_less, WrittenAction::Raise(to.clone())],
            span: name.span,
            ..WrittenTransition::default()
        });
    }
    Ok(())
}

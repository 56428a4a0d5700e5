//! The elements of an SCXML document.

use std::collections::HashMap;

use roxmltree::{Attribute, Node};

use super::EXTENSION;
use super::expression::{expression, strings};
use crate::chart::StateKind;
use crate::diagnostic::{Diagnostic, Span, limits};
use crate::expr::ast::{Ast, AstKind};
use crate::expr::{Binary, Nary, Unary};
use crate::formats::Name;
use crate::formats::chart::{
    Written, WrittenAction, WrittenEvent, WrittenTransition, WrittenType, WrittenVariable,
};
use crate::formats::sc::type_of;
use crate::formats::xml::{self, tag};
use crate::net::NamedProperty;

/// Reads a document; also returns what is wrong or not supported.
pub(super) fn read(text: &str) -> Result<(Written, Vec<Diagnostic>), Diagnostic> {
    let document = xml::document(text)?;
    let root = document.root_element();
    if root.tag_name().name() != "scxml" {
        return Err(Diagnostic::error(tag(root), "expected the element <scxml>"));
    }
    let mut reader = Reader::default();
    reader.written.flat_names = true;
    reader.written.prefixes = true;
    reader.root(root);
    reader.types();
    Ok((reader.written, reader.out))
}

#[derive(Default)]
struct Reader {
    written: Written,
    out: Vec<Diagnostic>,
    /// The number of states without a name.
    nameless: usize,
    strings: Vec<String>,
    /// By variable: the first value that is assigned to it.
    assigned: HashMap<String, Ast>,
}

/// The place of an attribute.
fn place(a: Attribute<'_, '_>) -> Span {
    let range = a.range_value();
    Span::new(range.start, range.end)
}

impl Reader {
    /// The type of each variable is that of its value, or of the first one that is assigned to it. All strings of the
    /// document are the values of one type.
    fn types(&mut self) {
        let strings: Vec<Name> =
            self.strings.iter().map(|text| Name { text: text.clone(), span: Span::default() }).collect();
        let mut known: HashMap<String, WrittenType> = HashMap::new();
        for v in &mut self.written.variables {
            if let Some(ty) = &v.ty {
                known.insert(v.name.text.clone(), ty.clone());
                continue;
            }
            let first = v.value.as_ref().or_else(|| self.assigned.get(&v.name.text));
            let ty = match first.map(|e| &e.kind) {
                Some(AstKind::Name(name)) if name.starts_with('\'') => WrittenType::Values(strings.clone()),
                Some(AstKind::Name(name)) => known.get(name).cloned().unwrap_or(WrittenType::Int),
                Some(AstKind::Int(_) | AstKind::Sum(_) | AstKind::Unary(Unary::Neg, _)) | None => {
                    WrittenType::Int
                }
                Some(AstKind::Nary(Nary::Mul, _) | AstKind::Binary(Binary::Rem, _)) => WrittenType::Int,
                Some(_) => WrittenType::Bool,
            };
            known.insert(v.name.text.clone(), ty.clone());
            v.ty = Some(ty);
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.out.push(Diagnostic::error(span, message));
    }

    fn unsupported(&mut self, node: Node<'_, '_>, what: &str) {
        self.out.push(Diagnostic::unsupported(tag(node), format!("{what} is not supported")));
    }

    fn root(&mut self, node: Node<'_, '_>) {
        let written = match node.attribute("datamodel") {
            None | Some("" | "ecmascript" | "null") => true,
            Some(_) => false,
        };
        if !written {
            self.unsupported(node, "this data model (other than ecmascript and null)");
        }
        if node.attribute("binding") == Some("late") {
            self.unsupported(node, "late binding of data");
        }
        let name = node.attribute("name").unwrap_or("chart").to_owned();
        self.written.add(Name { text: name, span: tag(node) }, StateKind::Composite, None);
        self.written.states[0].initial = self.initial_attribute(node);
        if let Some(queue) = node.attribute((EXTENSION, "queue")) {
            let capacity = queue.parse::<usize>().ok().filter(|n| (1..=64).contains(n));
            if capacity.is_none() {
                self.error(tag(node), "the length of the queue is a number from 1 to 64");
            }
            self.written.capacity = capacity;
        }
        self.children(node, 0);
    }

    fn initial_attribute(&mut self, node: Node<'_, '_>) -> Option<(Vec<Name>, Vec<WrittenAction>)> {
        let targets = names(node.attribute_node("initial")?);
        (!targets.is_empty()).then(|| (targets, Vec::new()))
    }

    /// The elements inside of a state.
    fn children(&mut self, node: Node<'_, '_>, at: usize) {
        for child in node.children().filter(Node::is_element) {
            if self.out.len() > limits::DIAGNOSTICS {
                return;
            }
            self.child(child, at);
        }
    }

    fn child(&mut self, node: Node<'_, '_>, at: usize) {
        if node.tag_name().namespace() == Some(EXTENSION) {
            return self.extension(node);
        }
        match node.tag_name().name() {
            "state" => self.state(node, StateKind::Atomic, at),
            "parallel" => self.state(node, StateKind::Parallel, at),
            "final" => self.state(node, StateKind::Final, at),
            "history" => {
                let deep = match node.attribute("type") {
                    None | Some("shallow") => false,
                    Some("deep") => true,
                    Some(_) => return self.error(tag(node), "the type of a history is shallow or deep"),
                };
                self.state(node, StateKind::History { deep }, at);
            }
            "onentry" => {
                let actions = self.actions(node);
                self.written.states[at].entry.extend(actions);
            }
            "onexit" => {
                let actions = self.actions(node);
                self.written.states[at].exit.extend(actions);
            }
            "initial" => {
                let Some(t) = xml::child(node, "transition") else {
                    return self.error(tag(node), "expected a <transition> in <initial>");
                };
                self.begins(t, at);
            }
            "transition" => {
                if matches!(self.written.states[at].kind, StateKind::History { .. }) {
                    self.begins(node, at);
                } else {
                    let t = self.transition(node);
                    self.written.states[at].transitions.push(t);
                }
            }
            "datamodel" => xml::children(node, "data").for_each(|data| self.data(data)),
            "donedata" => self.unsupported(node, "the element <donedata>"),
            other @ ("invoke" | "script") => self.unsupported(node, &format!("the element <{other}>")),
            other => self.error(tag(node), format!("<{other}> is no element of SCXML that can stand here")),
        }
    }

    /// The transition of an initial state or a history, which has no event and no condition.
    fn begins(&mut self, node: Node<'_, '_>, at: usize) {
        let t = self.transition(node);
        if t.events.is_some() || t.guard.is_some() {
            return self.error(tag(node), "this transition has no event and no condition");
        }
        if self.written.states[at].initial.replace((t.targets, t.actions)).is_some() {
            self.error(tag(node), "there is another initial transition, or attribute 'initial'");
        }
    }

    /// What SCXML lacks: declarations of events, and properties.
    fn extension(&mut self, node: Node<'_, '_>) {
        let Some(name) = self.required(node, "name") else { return };
        match node.tag_name().name() {
            "event" => {
                let mut parameters = Vec::new();
                for child in xml::children(node, "parameter") {
                    let (Some(name), Some(ty)) = (self.required(child, "name"), self.required(child, "type"))
                    else {
                        return;
                    };
                    let Some(ty) = type_of(&ty.text) else {
                        return self.error(ty.span, format!("'{}' is no type", ty.text));
                    };
                    parameters.push((name, ty));
                }
                let external = node.attribute("external") != Some("false");
                self.written.events.push(WrittenEvent { name, external, parameters });
            }
            "property" => {
                let (text, span) = xml::content(node);
                self.written.properties.push(NamedProperty { name: name.text, text, span });
            }
            other => self.error(tag(node), format!("<{other}> is no element of this namespace")),
        }
    }

    fn state(&mut self, node: Node<'_, '_>, kind: StateKind, parent: usize) {
        let name = match node.attribute_node("id") {
            Some(id) => Name { text: id.value().trim().to_owned(), span: place(id) },
            None => {
                self.nameless += 1;
                Name { text: format!("{}_{}", node.tag_name().name(), self.nameless), span: tag(node) }
            }
        };
        if name.text.is_empty() || name.text.contains(char::is_whitespace) {
            return self.error(name.span, "the id of a state is a word");
        }
        let side = |side| node.attribute((EXTENSION, side)).and_then(|n| n.parse::<i32>().ok());
        if let (Some(x), Some(y)) = (side("x"), side("y")) {
            self.written.pins.insert(name.text.clone(), (x, y));
        }
        if node.ancestors().count() > limits::DEPTH as usize {
            return self
                .error(name.span, format!("states are nested too deeply, the limit is {}", limits::DEPTH));
        }
        let at = self.written.add(name, kind, Some(parent));
        let folded = node.attribute_node((EXTENSION, "folded")).filter(|folded| folded.value() == "true");
        self.written.states[at].folded = folded.map(place);
        self.written.states[at].label = node.attribute((EXTENSION, "label")).map(str::to_owned);
        self.written.states[at].initial = self.initial_attribute(node);
        self.children(node, at);
    }

    fn data(&mut self, node: Node<'_, '_>) {
        let Some(id) = node.attribute_node("id") else {
            return self.error(tag(node), "<data> has no id");
        };
        if node.has_attribute("src") {
            return self.unsupported(node, "data from another file");
        }
        let name = Name { text: id.value().to_owned(), span: place(id) };
        let ty = match node.attribute((EXTENSION, "type")) {
            None => None,
            Some(text) => match type_of(text) {
                Some(ty) => Some(ty),
                None => return self.error(tag(node), format!("'{text}' is no type")),
            },
        };
        let text: String = node.children().filter_map(|n| n.text()).collect();
        let value = match node.attribute_node("expr") {
            Some(e) => self.expression(e.value(), place(e)),
            None if !text.trim().is_empty() => self.expression(&text, tag(node)),
            None => return self.written.variables.push(WrittenVariable { name, ty, value: None }),
        };
        if value.is_some() {
            self.written.variables.push(WrittenVariable { name, ty, value });
        }
    }

    fn expression(&mut self, text: &str, span: Span) -> Option<Ast> {
        match expression(text, span) {
            Ok(e) => {
                strings(&e, &mut self.strings);
                Some(e)
            }
            Err(problem) => {
                self.out.push(problem);
                None
            }
        }
    }

    fn transition(&mut self, node: Node<'_, '_>) -> WrittenTransition {
        let cond = node.attribute_node("cond");
        let guard = cond.and_then(|cond| self.expression(cond.value(), place(cond)));
        let after = node.attribute_node((EXTENSION, "after"));
        let after = after.and_then(|a| {
            let time = a.value().parse::<u32>().ok().filter(|n| *n > 0);
            if time.is_none() {
                self.error(place(a), "a time is a number of ticks, at least 1");
            }
            Some((time?, place(a)))
        });
        let internal = match node.attribute("type") {
            None | Some("external") => false,
            Some("internal") => true,
            Some(_) => {
                self.error(tag(node), "the type of a transition is internal or external");
                false
            }
        };
        WrittenTransition {
            events: node.attribute_node("event").map(names),
            after,
            guard,
            targets: node.attribute_node("target").map(names).unwrap_or_default(),
            internal,
            actions: self.actions(node),
            span: tag(node),
        }
    }

    fn actions(&mut self, node: Node<'_, '_>) -> Vec<WrittenAction> {
        let all: Vec<Node<'_, '_>> = node.children().filter(Node::is_element).collect();
        all.into_iter().filter_map(|child| self.action(child)).collect()
    }

    fn action(&mut self, node: Node<'_, '_>) -> Option<WrittenAction> {
        match node.tag_name().name() {
            "log" => None,
            "raise" => {
                let event = self.required(node, "event")?;
                Some(WrittenAction::Raise(event))
            }
            "assign" => {
                let location = self.required(node, "location")?;
                let text: String = node.children().filter_map(|n| n.text()).collect();
                let value = match node.attribute_node("expr") {
                    Some(e) => self.expression(e.value(), place(e)),
                    None => self.expression(&text, tag(node)),
                };
                let value = value?;
                self.assigned.entry(location.text.clone()).or_insert_with(|| value.clone());
                Some(WrittenAction::Assign(location, value))
            }
            "if" if node.ancestors().count() > limits::DEPTH as usize => {
                self.error(
                    tag(node),
                    format!("elements are nested too deeply, the limit is {}", limits::DEPTH),
                );
                None
            }
            "if" => self.conditional(node),
            "send" => self.send(node),
            other @ ("script" | "invoke" | "cancel" | "foreach") => {
                self.unsupported(node, &format!("the element <{other}>"));
                None
            }
            other => {
                self.error(tag(node), format!("<{other}> is no action of SCXML"));
                None
            }
        }
    }

    /// An event for the chart itself (`#_internal`), or for the environment (`#_parent`).
    fn send(&mut self, node: Node<'_, '_>) -> Option<WrittenAction> {
        let plain = |name: &str| matches!(name, "event" | "target" | "id");
        if let Some(other) = node.attributes().find(|a| !plain(a.name())) {
            self.unsupported(node, &format!("<send> with '{}'", other.name()));
            return None;
        }
        if let Some(child) = node.children().find(Node::is_element) {
            self.unsupported(child, &format!("<{}> in <send>", child.tag_name().name()));
            return None;
        }
        let event = self.required(node, "event")?;
        match node.attribute("target") {
            Some("#_internal") => Some(WrittenAction::Raise(event)),
            Some("#_parent") => Some(WrittenAction::Send(event)),
            Some(_) => {
                self.unsupported(node, "this target of <send>");
                None
            }
            None => {
                self.unsupported(node, "<send> without a target, to the chart's queue of external events");
                None
            }
        }
    }

    fn required(&mut self, node: Node<'_, '_>, name: &str) -> Option<Name> {
        let found = node.attribute_node(name);
        if found.is_none() {
            self.error(tag(node), format!("<{}> has no '{name}'", node.tag_name().name()));
        }
        found.map(|a| Name { text: a.value().trim().to_owned(), span: place(a) })
    }

    /// `<if>` with its `<elseif>` and `<else>`, which stand between the actions.
    fn conditional(&mut self, node: Node<'_, '_>) -> Option<WrittenAction> {
        let mut branches = Vec::new();
        let (mut body, mut condition) = (Vec::new(), Some(self.condition(node)));
        for child in node.children().filter(Node::is_element) {
            let next = match child.tag_name().name() {
                "elseif" => Some(self.condition(child)),
                "else" => None,
                _ => {
                    body.extend(self.action(child));
                    continue;
                }
            };
            match std::mem::replace(&mut condition, next) {
                Some(condition) => branches.push((condition, std::mem::take(&mut body))),
                None => self.error(tag(child), "this follows <else>"),
            }
        }
        let otherwise = match condition {
            Some(condition) => {
                branches.push((condition, body));
                Vec::new()
            }
            None => body,
        };
        let branches = branches.into_iter().map(|(c, body)| Some((c?, body))).collect::<Option<_>>()?;
        Some(WrittenAction::If(branches, otherwise))
    }

    fn condition(&mut self, node: Node<'_, '_>) -> Option<Ast> {
        let cond = node.attribute_node("cond");
        if cond.is_none() {
            self.error(tag(node), format!("<{}> has no 'cond'", node.tag_name().name()));
        }
        cond.and_then(|cond| self.expression(cond.value(), place(cond)))
    }
}

/// The words of an attribute.
fn names(a: Attribute<'_, '_>) -> Vec<Name> {
    a.value().split_whitespace().map(|text| Name { text: text.to_owned(), span: place(a) }).collect()
}

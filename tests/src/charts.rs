//! Random statecharts as SCXML texts, and the stable states of the system of a chart by explicit search.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use solver_lite::term::Value;
use veristep_core::generate::nets::Choices;
use veristep_core::system::{LocationId, State, System, VarType};

/// A random chart of about `size` states.
#[must_use]
pub fn random(seed: u64, size: u32) -> String {
    text(seed, size, false)
}

/// The same without constructs that XState lacks: initial states that are not direct substates, actions of initial
/// transitions, defaults of histories with actions, `In` in actions.
#[must_use]
pub fn simple(seed: u64, size: u32) -> String {
    text(seed, size, true)
}

fn text(seed: u64, size: u32, simple: bool) -> String {
    let (names, histories) = (Vec::new(), Vec::new());
    let mut random = Random { choices: Choices(seed), names, histories, left: size, simple };
    let tree = random.tree();
    let mut text =
        "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" datamodel=\"ecmascript\" version=\"1.0\">\n\
                    <datamodel><data id=\"x\" expr=\"0\"/><data id=\"b\" expr=\"false\"/></datamodel>\n"
            .to_owned();
    for child in &tree {
        random.write(child, &mut text);
    }
    text + "</scxml>\n"
}

struct Random {
    choices: Choices,
    names: Vec<String>,
    histories: Vec<String>,
    left: u32,
    simple: bool,
}

/// A state: its name, element, and the states in it.
struct Node {
    name: String,
    kind: &'static str,
    inside: Vec<Node>,
}

impl Node {
    fn names(&self) -> Vec<String> {
        std::iter::once(self.name.clone()).chain(self.inside.iter().flat_map(Node::names)).collect()
    }
}

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.choices.below(n)
    }

    fn tree(&mut self) -> Vec<Node> {
        let mut all = Vec::new();
        while self.left > 0 || all.len() < 2 {
            all.push(self.node(0, "state"));
        }
        if self.below(3) == 0 {
            all.push(self.leaf("final"));
        }
        all
    }

    fn leaf(&mut self, kind: &'static str) -> Node {
        self.left = self.left.saturating_sub(1);
        let name = format!("s{}", self.names.len());
        self.names.push(name.clone());
        Node { name, kind, inside: Vec::new() }
    }

    fn node(&mut self, depth: u32, kind: &'static str) -> Node {
        let mut node = self.leaf(kind);
        if depth > 3 || self.below(2) == 0 || self.left == 0 {
            return node;
        }
        let parallel = self.below(3) == 0;
        node.kind = if parallel { "parallel" } else { "state" };
        for _ in 0..2 + self.below(2) {
            node.inside.push(self.node(depth + 1, "state"));
        }
        if !parallel && self.below(3) == 0 {
            node.inside.push(self.leaf("final"));
        }
        if self.below(3) == 0 {
            let name = format!("h{}", self.histories.len());
            self.histories.push(name.clone());
            node.inside.insert(0, Node { name, kind: "history", inside: Vec::new() });
        }
        node
    }

    fn any_state(&mut self) -> String {
        let n = self.below(u32::try_from(self.names.len()).unwrap());
        self.names[n as usize].clone()
    }

    fn write(&mut self, node: &Node, text: &mut String) {
        if node.kind == "history" {
            return;
        }
        writeln!(text, "<{} id=\"{}\">", node.kind, node.name).unwrap();
        for element in ["onentry", "onexit"] {
            if self.below(4) == 0 {
                writeln!(text, "<{element}>{}</{element}>", self.actions()).unwrap();
            }
        }
        let (histories, states): (Vec<&Node>, Vec<&Node>) =
            node.inside.iter().partition(|child| child.kind == "history");
        for history in histories {
            let deep = self.below(2) == 0;
            let inside: Vec<String> = match deep && !self.simple {
                true => states.iter().flat_map(|s| s.names()).collect(),
                false => states.iter().map(|s| s.name.clone()).collect(),
            };
            let target = &inside[self.below(u32::try_from(inside.len()).unwrap()) as usize];
            let depth = if deep { "deep" } else { "shallow" };
            let actions = if self.below(3) == 0 && !self.simple { self.actions() } else { String::new() };
            let transition = format!("<transition target=\"{target}\">{actions}</transition>");
            writeln!(text, "<history id=\"{}\" type=\"{depth}\">{transition}</history>", history.name)
                .unwrap();
        }
        if node.kind == "state" && !states.is_empty() && self.below(3) == 0 && !self.simple {
            let inside: Vec<String> = states.iter().flat_map(|s| s.names()).collect();
            let target = &inside[self.below(u32::try_from(inside.len()).unwrap()) as usize];
            let actions = self.actions();
            writeln!(text, "<initial><transition target=\"{target}\">{actions}</transition></initial>")
                .unwrap();
        }
        if node.kind != "final" {
            for _ in 0..self.below(4) {
                let transition = self.transition();
                text.push_str(&transition);
            }
        }
        for child in states {
            self.write(child, text);
        }
        writeln!(text, "</{}>", node.kind).unwrap();
    }

    fn transition(&mut self) -> String {
        let mut text = "<transition".to_owned();
        let event = ["a", "b", "c", "r", "done.state", "*", ""][self.choices_of(&[6, 6, 6, 4, 1, 1, 1])];
        if !event.is_empty() {
            write!(text, " event=\"{event}\"").unwrap();
        }
        if self.below(3) == 0 || event.is_empty() {
            write!(text, " cond=\"{}\"", self.condition()).unwrap();
        }
        if self.below(6) > 0 {
            let target = match self.histories.len() {
                n if n > 0 && self.below(4) == 0 => {
                    let n = self.below(u32::try_from(n).unwrap());
                    self.histories[n as usize].clone()
                }
                _ => self.any_state(),
            };
            write!(text, " target=\"{target}\"").unwrap();
        }
        if self.below(4) == 0 {
            text.push_str(" type=\"internal\"");
        }
        let actions = if self.below(3) == 0 { self.actions() } else { String::new() };
        text + &format!(">{actions}</transition>\n")
    }

    /// An index with these weights.
    fn choices_of(&mut self, weights: &[u32]) -> usize {
        let mut n = self.below(weights.iter().sum());
        for (i, weight) in weights.iter().enumerate() {
            if n < *weight {
                return i;
            }
            n -= weight;
        }
        unreachable!("below the sum")
    }

    fn condition(&mut self) -> String {
        match self.below(4) {
            0 => "b".to_owned(),
            1 => format!("x == {}", self.below(3)),
            2 => format!("In('{}')", self.any_state()),
            _ => format!("!b || x &lt; {}", self.below(3)),
        }
    }

    fn actions(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.below(2) {
            match self.below(5) {
                0 => text.push_str("<assign location=\"b\" expr=\"!b\"/>"),
                1 => text.push_str("<assign location=\"x\" expr=\"(x + 1) % 3\"/>"),
                2 => text.push_str("<raise event=\"r\"/>"),
                3 => text.push_str("<raise event=\"a\"/>"),
                _ => {
                    let condition = if self.simple { "x == 1".to_owned() } else { self.condition() };
                    write!(
                        text,
                        "<if cond=\"{condition}\"><assign location=\"x\" expr=\"1\"/><else/><raise event=\"q\"/></if>"
                    )
                    .unwrap();
                }
            }
        }
        text
    }
}

/// The reachable states at the named locations of a system, without the initial location; `None` if there are more than
/// `limit` states at all locations.
///
/// # Panics
/// If an operation has no value.
#[must_use]
pub fn observed(system: &System, limit: usize) -> Option<BTreeSet<State>> {
    let values = |v| system.variable(v).ty.values();
    let start: State = system
        .variables
        .iter()
        .map(|v| match v.ty {
            VarType::Bool => Value::Bool(false),
            _ => v.ty.some_value(),
        })
        .collect();
    let mut seen: BTreeMap<LocationId, BTreeSet<State>> = BTreeMap::new();
    let mut open = vec![(system.initial, start)];
    let mut count = 0;
    while let Some((l, state)) = open.pop() {
        if !seen.entry(l).or_default().insert(state.clone()) {
            continue;
        }
        count += 1;
        if count > limit {
            return None;
        }
        for e in system.out_edges(l) {
            let edge = system.edge(*e);
            open.extend(system.successors(&edge.op, &state, &values).map(|s| (edge.target, s.unwrap())));
        }
    }
    let named = |l: &LocationId| !system.location(*l).anonymous;
    Some(seen.into_iter().filter(|(l, _)| named(l)).flat_map(|(_, states)| states).collect())
}

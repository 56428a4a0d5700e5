//! Formulas, and a search for fair paths of a graph that satisfy one.
//!
//! A vertex is a state of the graph and the set of pending formulas of its path. Reading the letter of the state splits
//! the pending formulas into a condition on the state and formulas pending at the next one (Couvreur, "On-the-fly
//! verification of linear temporal logic", 1999); a step postpones those `a U b` of which only `a` was used. A path is
//! accepted if it postpones none for ever and is fair: components are computed, states forbidden by strong fairness are
//! removed and the rest is searched again (Emerson and Lei, "Modalities for model checking", 1987).

use std::collections::HashMap;

/// A formula of linear temporal logic over numbered atoms.
#[derive(Clone, Debug)]
pub enum Ltl {
    /// A constant.
    Const(bool),
    /// An atom.
    Atom(usize),
    /// The negation.
    Not(Box<Ltl>),
    /// `X`, `F` or `G`.
    Unary(char, Box<Ltl>),
    /// `U`, `R`, `W`, `M`, `&`, `|`, `>` (implication) or `=` (equivalence).
    Pair(char, Box<[Ltl; 2]>),
}

impl Ltl {
    /// The text, in parentheses everywhere.
    pub fn text(&self, atom: &dyn Fn(usize) -> String) -> String {
        match self {
            Ltl::Const(b) => b.to_string(),
            Ltl::Atom(i) => atom(*i),
            Ltl::Not(a) => format!("!({})", a.text(atom)),
            Ltl::Unary(op, a) => format!("{op} ({})", a.text(atom)),
            Ltl::Pair(op, ab) => {
                let op = match op {
                    '>' => "->".to_owned(),
                    '=' => "<->".to_owned(),
                    op => op.to_string(),
                };
                format!("(({}) {op} ({}))", ab[0].text(atom), ab[1].text(atom))
            }
        }
    }
}

/// A formula in which negations are at atoms; operands are numbers of formulas.
#[derive(Clone, Copy, PartialEq)]
enum Node {
    Const(bool),
    Literal(usize, bool),
    And(usize, usize),
    Or(usize, usize),
    Next(usize),
    Until(usize, usize),
    Release(usize, usize),
}

/// Numbered formulas; a set of them is a bit set.
#[derive(Default)]
struct Table(Vec<Node>);

impl Table {
    fn add(&mut self, node: Node) -> usize {
        self.0.iter().position(|n| *n == node).unwrap_or_else(|| {
            self.0.push(node);
            self.0.len() - 1
        })
    }

    /// A formula, or its negation.
    fn of(&mut self, f: &Ltl, positive: bool) -> usize {
        let node = match f {
            Ltl::Const(b) => Node::Const(*b == positive),
            Ltl::Atom(i) => Node::Literal(*i, positive),
            Ltl::Not(a) => return self.of(a, !positive),
            Ltl::Unary('X', a) => Node::Next(self.of(a, positive)),
            Ltl::Unary(op, a) => {
                let unit = self.add(Node::Const((*op == 'F') == positive));
                let a = self.of(a, positive);
                if (*op == 'F') == positive { Node::Until(unit, a) } else { Node::Release(unit, a) }
            }
            Ltl::Pair('=', ab) => {
                let both = [self.of(&ab[0], true), self.of(&ab[1], positive)];
                let none = [self.of(&ab[0], false), self.of(&ab[1], !positive)];
                let [both, none] = [both, none].map(|[a, b]| self.add(Node::And(a, b)));
                Node::Or(both, none)
            }
            Ltl::Pair(op, ab) => {
                let a = self.of(&ab[0], positive != (*op == '>'));
                let b = self.of(&ab[1], positive);
                match (op, positive) {
                    ('&', true) | ('|' | '>', false) => Node::And(a, b),
                    ('|' | '>', true) | ('&', false) => Node::Or(a, b),
                    ('U', true) | ('R', false) => Node::Until(a, b),
                    ('R', true) | ('U', false) => Node::Release(a, b),
                    // a W b = b R (a | b), a M b = b U (a & b)
                    ('W', true) | ('M', false) => Node::Release(b, self.add(Node::Or(a, b))),
                    _ => Node::Until(b, self.add(Node::And(a, b))),
                }
            }
        };
        self.add(node)
    }

    /// All ways to satisfy the pending formulas: the formulas pending next, and those postponed.
    fn expand(&self, owed: u64, letter: &[bool]) -> Vec<(u64, u64)> {
        let mut found = Vec::new();
        let mut open = vec![(owed, 0u64, 0u64, 0u64)];
        while let Some((now, done, next, postponed)) = open.pop() {
            if now == 0 {
                if !found.contains(&(next, postponed)) {
                    found.push((next, postponed));
                }
                continue;
            }
            let i = now.trailing_zeros() as usize;
            let (bit, done) = (1u64 << i, done | 1 << i);
            let mut go = |more: &[usize], next: u64, postponed: u64| {
                let more = more.iter().fold(0u64, |sum, m| sum | 1 << m);
                open.push((now & !bit | more & !done, done, next, postponed));
            };
            match self.0[i] {
                Node::Const(b) if b => go(&[], next, postponed),
                Node::Literal(a, positive) if letter[a] == positive => go(&[], next, postponed),
                Node::Const(_) | Node::Literal(..) => {}
                Node::And(a, b) => go(&[a, b], next, postponed),
                Node::Or(a, b) => {
                    go(&[a], next, postponed);
                    go(&[b], next, postponed);
                }
                Node::Next(a) => go(&[], next | 1 << a, postponed),
                Node::Until(a, b) => {
                    go(&[b], next, postponed);
                    go(&[a], next | bit, postponed | bit);
                }
                Node::Release(a, b) => {
                    go(&[a, b], next, postponed);
                    go(&[b], next | bit, postponed);
                }
            }
        }
        found
    }
}

/// A graph whose states have letters.
#[derive(Default)]
pub struct Graph {
    /// By state: which atoms are true.
    pub letters: Vec<Vec<bool>>,
    /// By state: the next ones.
    pub next: Vec<Vec<usize>>,
    /// Where paths begin.
    pub starts: Vec<usize>,
    /// By assumption of weak fairness: the states of which a fair path visits some infinitely often.
    pub weak: Vec<Vec<bool>>,
    /// By assumption of strong fairness: the states where the edge is enabled, and those reached over it.
    pub strong: Vec<[Vec<bool>; 2]>,
}

/// States of the graph with pending formulas, and steps with postponed formulas.
struct Product {
    state: Vec<usize>,
    steps: Vec<Vec<(usize, u64)>>,
}

/// Limit of vertices.
const VERTICES: usize = 60_000;

/// Does every fair path satisfy the formula? `None` if the limit is reached.
#[must_use]
pub fn holds(graph: &Graph, formula: &Ltl) -> Option<bool> {
    let mut table = Table::default();
    let root = table.of(formula, false);
    if table.0.len() > 60 {
        return None;
    }
    let product = product(graph, &table, 1 << root)?;
    let is_until = |n: &Node| matches!(n, Node::Until(..));
    let untils: Vec<u64> =
        table.0.iter().enumerate().filter(|(_, n)| is_until(n)).map(|(i, _)| 1 << i).collect();
    let mut open = vec![(0..product.state.len()).collect::<Vec<usize>>()];
    while let Some(part) = open.pop() {
        for component in components(&product, &part) {
            match judge(graph, &product, &component, &untils) {
                Judged::Fair => return Some(false),
                Judged::Empty => {}
                Judged::Rest(rest) => open.push(rest),
            }
        }
    }
    Some(true)
}

fn product(graph: &Graph, table: &Table, owed: u64) -> Option<Product> {
    let mut number: HashMap<(usize, u64), usize> = HashMap::new();
    let mut keys: Vec<(usize, u64)> = Vec::new();
    let mut of = |key: (usize, u64), keys: &mut Vec<(usize, u64)>| {
        *number.entry(key).or_insert_with(|| {
            keys.push(key);
            keys.len() - 1
        })
    };
    for s in &graph.starts {
        of((*s, owed), &mut keys);
    }
    let mut steps = Vec::new();
    while steps.len() < keys.len() {
        let (state, owed) = keys[steps.len()];
        let mut out = Vec::new();
        for (next, postponed) in table.expand(owed, &graph.letters[state]) {
            out.extend(graph.next[state].iter().map(|t| (of((*t, next), &mut keys), postponed)));
        }
        steps.push(out);
        if keys.len() > VERTICES {
            return None;
        }
    }
    Some(Product { state: keys.iter().map(|k| k.0).collect(), steps })
}

/// Kind of a component.
enum Judged {
    /// Some fair path stays in it.
    Fair,
    /// None does.
    Empty,
    /// The states of such paths, a part of the component.
    Rest(Vec<usize>),
}

fn judge(graph: &Graph, product: &Product, component: &[usize], untils: &[u64]) -> Judged {
    let inside = |v: usize| component.binary_search(&v).is_ok();
    let steps = component.iter().flat_map(|v| product.steps[*v].iter().copied());
    let steps: Vec<(usize, u64)> = steps.filter(|(to, _)| inside(*to)).collect();
    let visits = |set: &[bool]| component.iter().any(|v| set[product.state[*v]]);
    let fulfilled = untils.iter().all(|u| steps.iter().any(|(_, postponed)| postponed & u == 0));
    if steps.is_empty() || !fulfilled || !graph.weak.iter().all(|w| visits(w)) {
        return Judged::Empty;
    }
    let unfair: Vec<&[Vec<bool>; 2]> =
        graph.strong.iter().filter(|[enabled, taken]| visits(enabled) && !visits(taken)).collect();
    if unfair.is_empty() {
        return Judged::Fair;
    }
    let stays = |v: &&usize| !unfair.iter().any(|[enabled, _]| enabled[product.state[**v]]);
    Judged::Rest(component.iter().filter(stays).copied().collect())
}

/// The strongly connected components of a part, each ascending (Tarjan, with a stack of its own).
fn components(product: &Product, part: &[usize]) -> Vec<Vec<usize>> {
    let n = product.state.len();
    let mut inside = vec![false; n];
    part.iter().for_each(|v| inside[*v] = true);
    let (mut index, mut low) = (vec![usize::MAX; n], vec![usize::MAX; n]);
    let (mut path, mut on_path, mut count, mut found) = (Vec::new(), vec![false; n], 0, Vec::new());
    for &root in part {
        if index[root] != usize::MAX {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((v, at)) = calls.last_mut() {
            let v = *v;
            if *at == 0 {
                (index[v], low[v], on_path[v]) = (count, count, true);
                count += 1;
                path.push(v);
            }
            if let Some((w, _)) = product.steps[v].get(*at) {
                *at += 1;
                if inside[*w] && index[*w] == usize::MAX {
                    calls.push((*w, 0));
                } else if inside[*w] && on_path[*w] {
                    low[v] = low[v].min(index[*w]);
                }
                // A vertex is entered once.
                continue;
            }
            calls.pop();
            if let Some((parent, _)) = calls.last() {
                low[*parent] = low[*parent].min(low[v]);
            }
            if low[v] == index[v] {
                let from = path.iter().rposition(|w| *w == v).expect("it is on the path");
                let mut component = path.split_off(from);
                component.iter().for_each(|w| on_path[*w] = false);
                component.sort_unstable();
                found.push(component);
            }
        }
    }
    found
}

//! Temporal formulas on random programs in C against an interpreter of the generator's statements:
//! `campaign_temporal SEED COUNT`.
//!
//! A program has a few global variables, inputs of small ranges, calls, terminating loops and perhaps one infinite
//! loop. For each choice of inputs the interpreter records the values of the global variables after each assignment;
//! formulas without `X` do not depend on the other positions. A terminated run stutters, or is ignored (`stuck=never`).
#![allow(clippy::print_stdout)]

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use veristep_core::certificate;
use veristep_core::kit::{Off, Verdict};
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_tests::campaign_runs::formula::{Graph, Ltl, holds};
use veristep_tests::models::poll_up_to;
use veristep_tests::random::Rng;

/// Properties of one program.
const QUESTIONS: usize = 4;
/// Limit of steps of a run, of the engine and of the interpreter.
const STEPS: u64 = 2_000;
const NAMES: [&str; 6] = ["g0", "g1", "g2", "a", "b", "i"];
const GLOBALS: usize = 3;

#[derive(Clone, Debug)]
enum Num {
    Const(i64),
    Var(usize),
    /// `(a + b) % n`
    Sum(Box<[Num; 2]>, i64),
    /// `c ? a : b`
    Choice(Box<Cond>, Box<[Num; 2]>),
}

#[derive(Clone, Debug)]
enum Cond {
    Compare(usize, Box<[Num; 2]>),
    /// `&&`, or `||`
    Pair(bool, Box<[Cond; 2]>),
    Not(Box<Cond>),
}

#[derive(Clone, Debug)]
enum Statement {
    Assign(usize, Num),
    If(Cond, Vec<Statement>, Vec<Statement>),
    /// `for (int i = 0; i < n; i++)`
    Repeat(i64, Vec<Statement>),
    /// `while (1)`
    Forever(Vec<Statement>),
    Break(Cond),
    Continue(Cond),
    /// `return`, or `abort()`
    End(Cond, bool),
    Call,
}

#[derive(Clone, Debug)]
struct Program {
    first: [i64; GLOBALS],
    /// The greatest values of the inputs.
    inputs: [i64; 2],
    function: Vec<Statement>,
    main: Vec<Statement>,
}

/// An atom: a comparison of two numbers.
type Atom = (usize, Num, Num);

impl Num {
    fn of(&self, v: &[i64]) -> i64 {
        match self {
            Num::Const(n) => *n,
            Num::Var(x) => v[*x],
            Num::Sum(ab, n) => (ab[0].of(v) + ab[1].of(v)) % n,
            Num::Choice(c, ab) => ab[usize::from(!c.of(v))].of(v),
        }
    }

    fn text(&self) -> String {
        match self {
            Num::Const(n) => n.to_string(),
            Num::Var(x) => NAMES[*x].to_owned(),
            Num::Sum(ab, n) => format!("(({} + {}) % {n})", ab[0].text(), ab[1].text()),
            Num::Choice(c, ab) => format!("({} ? {} : {})", c.text(), ab[0].text(), ab[1].text()),
        }
    }

    fn random(rng: &mut Rng, depth: usize, names: usize) -> Num {
        match rng.below(if depth == 0 { 2 } else { 5 }) {
            0 => Num::Const(rng.range(0, 3)),
            1 => Num::Var(rng.below(names)),
            2 | 3 => {
                let ab = [Num::random(rng, depth - 1, names), Num::random(rng, depth - 1, names)];
                Num::Sum(Box::new(ab), rng.range(2, 4))
            }
            _ => {
                let c = Cond::random(rng, depth - 1, names);
                let ab = [Num::random(rng, depth - 1, names), Num::random(rng, depth - 1, names)];
                Num::Choice(Box::new(c), Box::new(ab))
            }
        }
    }
}

const COMPARISONS: [&str; 4] = ["==", "!=", "<", "<="];

fn compare(op: usize, a: i64, b: i64) -> bool {
    [a == b, a != b, a < b, a <= b][op]
}

impl Cond {
    fn of(&self, v: &[i64]) -> bool {
        match self {
            Cond::Compare(op, ab) => compare(*op, ab[0].of(v), ab[1].of(v)),
            Cond::Pair(true, ab) => ab[0].of(v) && ab[1].of(v),
            Cond::Pair(false, ab) => ab[0].of(v) || ab[1].of(v),
            Cond::Not(c) => !c.of(v),
        }
    }

    fn text(&self) -> String {
        match self {
            Cond::Compare(op, ab) => format!("({} {} {})", ab[0].text(), COMPARISONS[*op], ab[1].text()),
            Cond::Pair(and, ab) => {
                format!("({} {} {})", ab[0].text(), if *and { "&&" } else { "||" }, ab[1].text())
            }
            Cond::Not(c) => format!("!{}", c.text()),
        }
    }

    fn random(rng: &mut Rng, depth: usize, names: usize) -> Cond {
        if depth > 0 && rng.one_in(3) {
            let (a, b) = (Cond::random(rng, depth - 1, names), Cond::random(rng, depth - 1, names));
            return if rng.one_in(3) {
                Cond::Not(Box::new(a))
            } else {
                Cond::Pair(rng.one_in(2), Box::new([a, b]))
            };
        }
        let ab = [Num::random(rng, depth.min(1), names), Num::random(rng, 0, names)];
        Cond::Compare(rng.below(4), Box::new(ab))
    }
}

/// The context of a statement.
#[derive(Clone, Copy)]
struct Place {
    depth: usize,
    /// Visible names: global ones, and in `main` the inputs.
    names: usize,
    in_loop: bool,
}

fn block(rng: &mut Rng, at: Place, most: usize) -> Vec<Statement> {
    (0..=rng.below(most)).map(|_| statement(rng, at)).collect()
}

fn statement(rng: &mut Rng, at: Place) -> Statement {
    let inner = Place { depth: at.depth.saturating_sub(1), ..at };
    let main = at.names > GLOBALS;
    match rng.below(if at.depth == 0 { 6 } else { 11 }) {
        4 if main => Statement::Call,
        5 if at.in_loop => {
            let c = Cond::random(rng, 1, at.names);
            if rng.one_in(2) { Statement::Break(c) } else { Statement::Continue(c) }
        }
        6 if main => Statement::End(Cond::random(rng, 1, at.names), rng.one_in(2)),
        7 | 8 => {
            let c = Cond::random(rng, 2, at.names);
            Statement::If(
                c,
                block(rng, inner, 2),
                if rng.one_in(2) { block(rng, inner, 2) } else { Vec::new() },
            )
        }
        9 => Statement::Repeat(rng.range(1, 3), block(rng, Place { in_loop: true, ..inner }, 3)),
        _ => Statement::Assign(rng.below(at.names), Num::random(rng, 2, at.names)),
    }
}

impl Program {
    fn random(rng: &mut Rng) -> Program {
        let place = |names| Place { depth: 2, names, in_loop: false };
        let mut main = block(rng, place(5), 4);
        if rng.one_in(2) {
            main.push(Statement::Forever(block(rng, Place { in_loop: true, ..place(5) }, 4)));
            if rng.one_in(2) {
                main.push(statement(rng, place(5)));
            }
        }
        let function = block(rng, Place { depth: 1, ..place(GLOBALS) }, 2);
        Program {
            first: [0, 0, 0].map(|_| rng.range(0, 2)),
            inputs: [rng.range(0, 3), rng.range(0, 1)],
            function,
            main,
        }
    }

    fn text(&self) -> String {
        let mut out =
            "extern unsigned char __VERIFIER_nondet_uchar(void);\nextern void __VERIFIER_assume(int);\n"
                .to_owned();
        out.push_str("extern void abort(void);\n");
        for ((ty, name), first) in ["int", "unsigned char", "long"].iter().zip(NAMES).zip(self.first) {
            let _ = writeln!(out, "{ty} {name} = {first};");
        }
        out.push_str("void f(void) {\n");
        write_block(&self.function, &mut out);
        out.push_str("}\nint main(void) {\n");
        for (name, most) in ["a", "b"].iter().zip(self.inputs) {
            let _ =
                writeln!(out, "int {name} = __VERIFIER_nondet_uchar(); __VERIFIER_assume({name} <= {most});");
        }
        write_block(&self.main, &mut out);
        out.push_str("return 0;\n}\n");
        out
    }
}

fn write_block(block: &[Statement], out: &mut String) {
    for s in block {
        let _ = match s {
            Statement::Assign(x, e) => writeln!(out, "{} = {};", NAMES[*x], e.text()),
            Statement::Break(c) => writeln!(out, "if ({}) break;", c.text()),
            Statement::Continue(c) => writeln!(out, "if ({}) continue;", c.text()),
            Statement::End(c, true) => writeln!(out, "if ({}) return 0;", c.text()),
            Statement::End(c, false) => writeln!(out, "if ({}) abort();", c.text()),
            Statement::Call => writeln!(out, "f();"),
            Statement::If(c, yes, no) => {
                let _ = writeln!(out, "if ({}) {{", c.text());
                write_block(yes, out);
                if !no.is_empty() {
                    out.push_str("} else {\n");
                    write_block(no, out);
                }
                writeln!(out, "}}")
            }
            Statement::Repeat(n, body) => {
                let _ = writeln!(out, "for (int i = 0; i < {n}; i++) {{");
                write_block(body, out);
                writeln!(out, "}}")
            }
            Statement::Forever(body) => {
                out.push_str("while (1) {\n");
                write_block(body, out);
                writeln!(out, "}}")
            }
        };
    }
}

/// Continuation after a statement.
#[derive(PartialEq)]
enum Then {
    Next,
    Break,
    Continue,
    End,
    /// From the last position to one after this one, for ever.
    Back(usize),
}

/// One run of a program.
struct Machine<'a> {
    program: &'a Program,
    values: Vec<i64>,
    word: Vec<[i64; GLOBALS]>,
}

impl Machine<'_> {
    fn block(&mut self, block: &[Statement]) -> Then {
        for s in block {
            match self.statement(s) {
                Then::Next => {}
                other => return other,
            }
        }
        Then::Next
    }

    fn statement(&mut self, s: &Statement) -> Then {
        let when = |c: &Cond, v: &[i64], then| if c.of(v) { then } else { Then::Next };
        match s {
            Statement::Assign(x, e) => {
                self.values[*x] = e.of(&self.values);
                if *x < GLOBALS {
                    self.word.push([self.values[0], self.values[1], self.values[2]]);
                }
                Then::Next
            }
            Statement::Break(c) => when(c, &self.values, Then::Break),
            Statement::Continue(c) => when(c, &self.values, Then::Continue),
            Statement::End(c, _) => when(c, &self.values, Then::End),
            Statement::Call => self.block(&self.program.function),
            Statement::If(c, yes, no) => self.block(if c.of(&self.values) { yes } else { no }),
            Statement::Repeat(n, body) => {
                for _ in 0..*n {
                    match self.block(body) {
                        Then::Next | Then::Continue => {}
                        Then::Break => break,
                        other => return other,
                    }
                }
                Then::Next
            }
            Statement::Forever(body) => {
                let mut seen: HashMap<Vec<i64>, usize> = HashMap::new();
                loop {
                    if let Some(at) = seen.insert(self.values.clone(), self.word.len() - 1) {
                        return Then::Back(at);
                    }
                    match self.block(body) {
                        Then::Next | Then::Continue => {}
                        Then::Break => return Then::Next,
                        other => return other,
                    }
                }
            }
        }
    }
}

/// All runs, as a graph of positions.
fn graph(program: &Program, stay: bool, atoms: &[Atom]) -> Graph {
    let mut graph = Graph::default();
    for a in 0..=program.inputs[0] {
        for b in 0..=program.inputs[1] {
            let values = [program.first.to_vec(), vec![a, b]].concat();
            let mut machine = Machine { program, values, word: vec![program.first] };
            let then = machine.block(&program.main);
            let (first, last) = (graph.letters.len(), machine.word.len() - 1);
            let back = match then {
                Then::Back(at) => (at + 1).min(last),
                _ if stay => last,
                _ => continue,
            };
            graph.starts.push(first);
            for (i, values) in machine.word.iter().enumerate() {
                let letter = |(op, x, y): &Atom| compare(*op, x.of(values), y.of(values));
                graph.letters.push(atoms.iter().map(letter).collect());
                graph.next.push(vec![first + if i == last { back } else { i + 1 }]);
            }
        }
    }
    graph
}

fn formula(rng: &mut Rng, size: usize, atoms: usize) -> Ltl {
    if size == 0 {
        return Ltl::Atom(rng.below(atoms));
    }
    match rng.below(9) {
        0 => Ltl::Not(Box::new(formula(rng, size - 1, atoms))),
        1..=4 => Ltl::Unary(*rng.pick(&['F', 'G']), Box::new(formula(rng, size - 1, atoms))),
        _ => {
            let left = rng.below(size);
            let op = *rng.pick(&['U', 'R', 'W', 'M', '&', '|', '>', '=']);
            Ltl::Pair(op, Box::new([formula(rng, left, atoms), formula(rng, size - 1 - left, atoms)]))
        }
    }
}

/// A property: do terminated runs stutter, the atoms, and the formula.
type Question = (bool, Vec<Atom>, Ltl);

fn question(rng: &mut Rng) -> Question {
    let simple = |rng: &mut Rng| {
        if rng.one_in(3) { Num::Var(rng.below(GLOBALS)) } else { Num::Const(rng.range(0, 3)) }
    };
    let atoms: Vec<Atom> =
        (0..2).map(|_| (rng.below(4), Num::Var(rng.below(GLOBALS)), simple(rng))).collect();
    let size = rng.below(5) + 1;
    (rng.one_in(2), atoms, formula(rng, size, 2))
}

fn text((stay, atoms, formula): &Question) -> String {
    let atom = |i: usize| {
        let (op, a, b) = &atoms[i];
        format!("({} {} {})", a.text(), ["=", "/=", "<", "<="][*op], b.text())
    };
    format!("ltl[stuck={}]: {}", if *stay { "final" } else { "never" }, formula.text(&atom))
}

/// Our answer, or why there is none.
fn ours(program: &str, question: &str, method: Method) -> Result<bool, String> {
    let first = |d: Vec<veristep_core::diagnostic::Diagnostic>| format!("refused: {}", d[0].message);
    let system = run::load_for(Kind::C, program, Some(question)).map_err(first)?;
    let property = run::property(&system, question).map_err(first)?;
    let options = Options { method, ..Options::default() };
    let mut run = Run::new(&system, &property, &options).map_err(|why| format!("refused: {why}"))?;
    let outcome = poll_up_to(&mut run, &mut Off, STEPS, &mut || u64::MAX).ok_or("unknown: steps")?;
    if matches!(outcome.verdict, Verdict::Unknown(_)) {
        return Err(format!("unknown: {}", outcome.reason));
    }
    let certificate = outcome.certificate.ok_or("FINDING no certificate")?;
    match certificate::check(&system, &property, &certificate) {
        Err(why) if !why.0.contains("could not be decided") => Err(format!("FINDING rejected: {}", why.0)),
        _ => Ok(outcome.verdict == Verdict::Holds),
    }
}

/// The class of a finding.
fn finding(program: &Program, asked: &Question, method: Method) -> Result<String, String> {
    let (source, property) = (program.text(), text(asked));
    let met = catch_unwind(AssertUnwindSafe(|| ours(&source, &property, method)));
    let met = met.unwrap_or_else(|_| Err("FINDING panic".to_owned()));
    let expected = holds(&graph(program, asked.0, &asked.1), &asked.2);
    Ok(match (met, expected) {
        (Err(why), _) => why,
        (Ok(_), None) => "no expected answer".to_owned(),
        (Ok(got), Some(expected)) if got != expected => {
            format!("FINDING holds is {got}, should be {expected}")
        }
        (Ok(got), _) => return Err(if got { "holds" } else { "violated" }.to_owned()),
    })
}

/// Blocks with one statement less, or with a part of one in its place.
fn smaller(block: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for (i, s) in block.iter().enumerate() {
        let with = |by: &[Statement]| [&block[..i], by, &block[i + 1..]].concat();
        all.push(with(&[]));
        match s {
            Statement::If(c, yes, no) => {
                all.extend([with(yes), with(no)]);
                all.extend(
                    smaller(yes).into_iter().map(|y| with(&[Statement::If(c.clone(), y, no.clone())])),
                );
                all.extend(
                    smaller(no).into_iter().map(|n| with(&[Statement::If(c.clone(), yes.clone(), n)])),
                );
            }
            Statement::Repeat(n, b) => {
                all.extend(smaller(b).into_iter().map(|b| with(&[Statement::Repeat(*n, b)])))
            }
            Statement::Forever(b) => {
                all.extend(smaller(b).into_iter().map(|b| with(&[Statement::Forever(b)])))
            }
            _ => {}
        }
    }
    all
}

fn shrink(program: &Program, question: &Question, method: Method, class: &str) -> (Program, Question) {
    let mut least = (program.clone(), question.clone());
    loop {
        let (p, q) = &least;
        let mains = smaller(&p.main).into_iter().map(|main| (Program { main, ..p.clone() }, q.clone()));
        let functions =
            smaller(&p.function).into_iter().map(|function| (Program { function, ..p.clone() }, q.clone()));
        let parts: Vec<Ltl> = match &q.2 {
            Ltl::Not(a) | Ltl::Unary(_, a) => vec![(**a).clone()],
            Ltl::Pair(_, ab) => ab.to_vec(),
            _ => Vec::new(),
        };
        let questions = parts.into_iter().map(|f| (p.clone(), (q.0, q.1.clone(), f)));
        let same = |(p, q): &(Program, Question)| finding(p, q, method).is_ok_and(|c| c == class);
        let Some(found) = mains.chain(functions).chain(questions).find(same) else { return least };
        least = found;
    }
}

fn main() {
    let arguments: Vec<u64> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let [seed, count] = arguments[..] else {
        println!("usage: campaign_temporal SEED COUNT");
        return;
    };
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for number in 0..count {
        let mut rng = Rng::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
        for _ in 0..8 {
            rng.bits();
        }
        let program = Program::random(&mut rng);
        for _ in 0..QUESTIONS {
            let question = question(&mut rng);
            let method = *rng.pick(&[Method::Auto, Method::Auto, Method::Cegar, Method::KLiveness]);
            let class = match finding(&program, &question, method) {
                Ok(class) | Err(class) => class,
            };
            let n = counts.entry(class.clone()).or_default();
            *n += 1;
            if class.starts_with("FINDING") && *n <= 3 {
                let (program, question) = shrink(&program, &question, method, &class);
                println!(
                    "\n== program {number}: {class} ({})\n// {}\n{}",
                    method.name(),
                    text(&question),
                    program.text()
                );
            }
        }
    }
    println!("{count} programs, {} questions", count as usize * QUESTIONS);
    counts.iter().for_each(|(what, n)| println!("{n:8} {what}"));
}

//! Programs in C: our own with expected verdicts, and random ones whose values are compared with a C compiler's.

use std::fmt::Write as _;
use std::process::Command;

use veristep_core::certificate;
use veristep_core::kit::Off;
use veristep_core::property::Property;
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_core::system::{Role, State, System};
use veristep_tests::models::poll_up_to;
use veristep_tests::random::{Rng, each};

/// A program with this text has this verdict, and its certificate is accepted.
fn assert_verdict(name: &str, text: &str, expected: &str) {
    let system = run::load(Kind::C, text).unwrap_or_else(|d| panic!("{name}: {}", d[0].message));
    let options = Options { method: Method::Auto, ..Options::default() };
    let mut run = Run::new(&system, &Property::ErrorUnreachable, &options).unwrap();
    let outcome = poll_up_to(&mut run, &mut Off, 60_000, &mut || u64::MAX).unwrap();
    assert_eq!(outcome.verdict.to_string(), expected, "{name}: {}", outcome.reason);
    if let Some(c) = &outcome.certificate {
        certificate::check(&system, &Property::ErrorUnreachable, c).unwrap();
    }
}

#[test]
fn corpus_programs_have_their_verdicts() {
    let folder = |path: std::path::PathBuf| std::fs::read_dir(path).unwrap().map(|f| f.unwrap().path());
    let corpus = veristep_tests::corpus();
    let mut files: Vec<_> =
        folder(corpus.join("c")).chain(folder(corpus.join("../../static/examples"))).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "c"));
    files.sort();
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let expected = text.trim_start_matches("// ").split(':').next().unwrap();
        // Examples of the page begin with a description, and hold.
        let expected = if file.ends_with("two-locks.c") { "holds" } else { expected };
        assert_verdict(&file.display().to_string(), &text, expected);
    }
    assert!(files.len() >= 9);
}

/// A loop that takes some of the locks and releases them in the same order, with a check for each.
fn locks(n: usize) -> String {
    let each = |line: &dyn Fn(usize) -> String| (0..n).map(line).collect::<String>();
    format!(
        "extern int __VERIFIER_nondet_int(void); void reach_error() {{}}
        int main() {{ {} while (__VERIFIER_nondet_int()) {{ {} {} {} }} return 0; E: reach_error(); return 1; }}",
        each(&|i| format!("int p{i} = __VERIFIER_nondet_int(); int l{i};\n")),
        each(&|i| format!("l{i} = 0;\n")),
        each(&|i| format!("if (p{i}) l{i} = 1;\n")),
        each(&|i| format!("if (p{i}) {{ if (l{i} != 1) goto E; l{i} = 0; }}\n")),
    )
}

/// There are 4ⁿ ways through the loop.
#[test]
fn many_ways_through_a_loop_are_one_step() {
    for n in [2, 6, 15] {
        let text = locks(n);
        assert_verdict("locks", &text, "holds");
        assert_verdict("a lock less", &text.replacen("l1 = 1", "l1 = 2", 1), "violated");
    }
}

const TYPES: [&str; 6] = ["int", "unsigned int", "short", "unsigned char", "char", "long long"];

struct Writer<'a> {
    rng: &'a mut Rng,
    text: String,
    loops: usize,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn variable(&mut self) -> String {
        format!("v{}", self.rng.below(TYPES.len()))
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.rng.one_in(3) {
            return match self.rng.below(3) {
                0 => self.rng.range(-9, 99).to_string(),
                1 if self.rng.one_in(4) => "b".to_owned(),
                _ => self.variable(),
            };
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        let small = self.rng.range(1, 9);
        match self.rng.below(13) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {small})"),
            3 => format!("({a} / {small})"),
            4 => format!("({a} % {small})"),
            5 => format!("({a} {} {b})", self.rng.pick(&["<", "<=", ">", ">=", "==", "!="])),
            6 => format!("({a} && {b})"),
            7 => format!("({a} || {b})"),
            8 => format!("(!{a})"),
            9 => format!("({a} ? {b} : {small})"),
            10 => format!("(({}) {a})", self.rng.pick(&TYPES)),
            11 => format!("({a} & {})", self.rng.pick(&[0, 1, 3, 7, 255])),
            _ => format!("(- {a} / -{small})"),
        }
    }

    fn statement(&mut self, depth: usize) {
        let v = self.variable();
        let e = self.expression(2);
        let choice = self.rng.below(if depth == 0 { 5 } else { 10 });
        match choice {
            0 | 1 => self.line(&format!("{v} = {e};")),
            2 => {
                let op = *self.rng.pick(&["+=", "-="]);
                self.line(&format!("{v} {op} {e};"));
            }
            3 => {
                let op = *self.rng.pick(&["++", "--"]);
                self.line(&format!("{v}{op};"));
            }
            4 => {
                // `g` is not an operand of `e`: the order of effects is not defined.
                let op = *self.rng.pick(&["++", "--"]);
                self.line(&format!("g = {v}{op} + 1; {v} = f({e});"));
            }
            5 | 6 => {
                self.line(&format!("if ({e}) {{"));
                self.block(depth - 1);
                self.text.push_str("} else {\n");
                self.block(depth - 1);
                self.text.push_str("}\n");
            }
            7 => {
                self.loops += 1;
                let n = self.loops;
                let times = self.rng.range(1, 4);
                self.line(&format!("for (int i{n} = 0; i{n} < {times}; i{n}++) {{"));
                self.block(depth - 1);
                if self.rng.one_in(2) {
                    let jump = *self.rng.pick(&["break", "continue"]);
                    self.line(&format!("if ({e}) {jump};"));
                }
                self.text.push_str("}\n");
            }
            8 => {
                self.line(&format!("switch ({e} % 3) {{ case 0: "));
                self.statement(depth - 1);
                self.text.push_str("case 1: ");
                self.statement(depth - 1);
                self.text.push_str("break; default: ");
                self.statement(depth - 1);
                self.text.push_str("}\n");
            }
            _ => self.line(&format!("b = {e}; g += a[({v} & 3)]; a[(g & 1)] = {e};")),
        }
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..self.rng.range(1, 3) {
            self.statement(depth);
        }
    }
}

fn program(rng: &mut Rng) -> String {
    let mut w = Writer { rng, text: String::new(), loops: 0 };
    w.text.push_str("int printf(const char *, ...);\nint g = 5;\nint a[4] = { 1, 2, 3 };\n");
    w.text.push_str(
        "int f(int x) { if (x > 50) return x % 10; g++; return x - 1; }\nint main(void) {\n_Bool b = 0;\n",
    );
    for (i, ty) in TYPES.iter().enumerate() {
        let _ = writeln!(w.text, "{ty} v{i} = {};", w.rng.range(-20, 120));
    }
    for _ in 0..w.rng.range(2, 6) {
        w.statement(2);
    }
    w.text.push_str(
        "printf(\"%d %d %d %d %d %d %d %u %d %d %d %lld\\n\", b, g, a[0], a[1], a[2], a[3], v0, v1, v2, v3, v4, v5);\nreturn 0;\n}\n",
    );
    w.text
}

/// The names of what a program prints.
const PRINTED: [&str; 12] = ["b", "g", "a_0", "a_1", "a_2", "a_3", "v0", "v1", "v2", "v3", "v4", "v5"];

/// The final values of the variables in our interpreter; `None` after an overflow.
fn interpreted(system: &System) -> Option<String> {
    let mut state: State = system.variables.iter().map(|v| v.ty.some_value()).collect();
    let mut at = system.initial;
    for _ in 0..100_000 {
        if system.location(at).role == Role::Final {
            let value = |name: &&str| match &state[system.find_variable(name).unwrap().index()] {
                solver_lite::term::Value::Bool(b) => u8::from(*b).to_string(),
                solver_lite::term::Value::Num(q) => q.to_string(),
            };
            return Some(PRINTED.iter().map(value).collect::<Vec<_>>().join(" "));
        }
        let edges = system.out_edges(at).iter().map(|e| system.edge(*e));
        let next = edges
            .filter_map(|e| Some((e.target, system.post(&e.op, &state, &mut |_| unreachable!()).unwrap()?)));
        let next: Vec<_> = next.collect();
        assert_eq!(next.len(), 1, "at {}", system.location(at).name);
        (at, state) = next.into_iter().next().unwrap();
        if !system.keeps_promises(&state) {
            return None;
        }
    }
    panic!("the program does not end");
}

#[test]
fn random_programs_compute_what_a_compiler_says() {
    if Command::new("cc").arg("--version").output().is_err() {
        println!("skipped: there is no C compiler");
        return;
    }
    let folder = std::env::temp_dir().join(format!("veristep-c-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (mut same, mut overflowed) = (0, 0);
    each(0..150, |rng| {
        let seed = rng.seed();
        let text = program(rng);
        let (source, binary) = (folder.join("p.c"), folder.join("p"));
        std::fs::write(&source, &text).unwrap();
        let compiled = Command::new("cc").args(["-w", "-fwrapv", "-o"]).arg(&binary).arg(&source).status();
        let status = compiled.expect("the compiler starts");
        assert!(status.success(), "seed {seed}\n{text}");
        let expected = String::from_utf8(Command::new(&binary).output().unwrap().stdout).unwrap();
        let system = run::load(Kind::C, &text).unwrap_or_else(|d| panic!("seed {seed}: {:?}\n{text}", d[0]));
        match interpreted(&system) {
            Some(found) => {
                assert_eq!(found, expected.trim(), "seed {seed}\n{text}");
                same += 1;
            }
            None => overflowed += 1,
        }
    });
    std::fs::remove_dir_all(&folder).unwrap();
    println!("{same} programs agree, {overflowed} overflow");
    assert!(same >= 100, "{same} programs agree, {overflowed} overflow");
}

//! The generator: declarations, macros, functions, `main` with its inputs.

use crate::random::Rng;

use super::tree::{Kind, Part, Tree};

/// Names that a program declares globally, and functions it may define.
pub const GLOBALS: &[&str] =
    &["main", "g0", "g1", "g2", "a0", "f0", "f1", "f2", "E0", "K0", "K1", "K2", "T0"];
/// Names of macros.
pub const MACROS: &[&str] = &["M0", "M1", "M2", "N0", "F0", "F1", "F2", "CAT"];

/// A program with the data for the oracle.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its text.
    pub tree: Tree,
    /// Has `long` 64 bits?
    pub lp64: bool,
    /// The least and the greatest value of each of two inputs.
    pub ranges: [i32; 4],
}

/// A name that can be used.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    /// For an array its lengths, the outermost first.
    pub(super) lengths: Vec<usize>,
    pub(super) fixed: bool,
    pub(super) global: bool,
}

/// Effects of the operands of an expression, which restrict others without a sequence point.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    pub(super) read: Vec<String>,
    pub(super) written: Vec<String>,
    pub(super) called: bool,
    pub(super) global: bool,
}

impl Effects {
    /// May a variable be changed by the operands?
    pub(super) fn touch(&self, v: &Variable) -> bool {
        self.written.contains(&v.name) || v.global && self.called
    }
}

/// The generator's state.
pub(super) struct Writer {
    pub(super) rng: Rng,
    pub(super) scopes: Vec<Vec<Variable>>,
    pub(super) effects: Effects,
    /// Only expressions without effects.
    pub(super) pure: bool,
    /// The number of parameters of each function.
    pub(super) functions: Vec<usize>,
    /// The number of parameters of each function-like macro.
    pub(super) macros: [usize; 3],
    pub(super) names: usize,
    pub(super) loops: usize,
    /// Labels that come later.
    pub(super) labels: Vec<String>,
    pub(super) in_function: bool,
}

/// Types of variables.
pub(super) const TYPES: [&str; 20] = [
    "int",
    "int",
    "int",
    "unsigned int",
    "unsigned",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
    "enum E0",
    "T0",
    "long unsigned int",
    "short int",
    "int long long",
];

const PROTOTYPES: &str = "extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
extern int printf(const char *, ...);
";

/// The program of a seed.
#[must_use]
pub fn program(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    for _ in 0..3 {
        rng.bits();
    }
    let lp64 = rng.one_in(2);
    let mut w = Writer {
        rng,
        scopes: vec![Vec::new()],
        effects: Effects::default(),
        pure: false,
        functions: Vec::new(),
        macros: [1, 2, 2],
        names: 0,
        loops: 0,
        labels: Vec::new(),
        in_function: false,
    };
    let mut parts: Vec<Part> = vec![PROTOTYPES.into()];
    let top = w.top();
    parts.extend(top);
    for n in 0..w.rng.below(3) {
        let f = w.function(n);
        parts.push(f.into());
    }
    let (main, ranges) = w.main();
    parts.push(main.into());
    Program { tree: Tree { kind: Kind::Fixed, parts }, lp64, ranges }
}

impl Writer {
    pub(super) fn item(text: String) -> Part {
        Tree { kind: Kind::Item, parts: vec![text.into()] }.into()
    }

    /// Types, macros and global variables.
    fn top(&mut self) -> Vec<Part> {
        let mut out = Vec::new();
        let least = *self.rng.pick(&["", " = 1", " = -1", " = -2", " = 'a'"]);
        out.push(Self::item(format!("enum E0 {{ K0{least}, K1, K2 = {} }};\n", self.rng.range(-1, 9))));
        let ty = *self.rng.pick(&TYPES[..15]);
        out.push(Self::item(format!("typedef {ty} T0;\n")));
        out.extend(self.macros());
        for n in 0..3 {
            let ty = *self.rng.pick(&TYPES);
            let value = self.literal();
            let storage = *self.rng.pick(&["", "", "static "]);
            let minus = *self.rng.pick(&["", "-"]);
            let name = format!("g{n}");
            let one = format!("{storage}{ty} {name} = {minus}{value};\n");
            out.push(match self.rng.below(6) {
                0 => Self::item(format!("{storage}{ty} {name};\n")),
                1 => {
                    let condition = self.condition();
                    let other = self.literal();
                    Self::item(format!("#if {condition}\n{one}#else\n{ty} {name} = {other};\n#endif\n"))
                }
                _ => Self::item(one),
            });
            self.declare(&name, &[], false);
        }
        let (ty, lengths) = (*self.rng.pick(&TYPES), self.lengths(4));
        let values = self.values(&lengths);
        out.push(Self::item(format!("{ty} a0{} = {values};\n", brackets(&lengths))));
        self.declare("a0", &lengths, false);
        out
    }

    fn macros(&mut self) -> Vec<Part> {
        let mut out = Vec::new();
        for name in ["M0", "M1", "M2"] {
            let body = match self.rng.below(6) {
                0 if name != "M0" => format!("(M0 + {})", self.literal()),
                1 => format!("({} - {})", self.literal(), self.literal()),
                2 => format!("{} + {}", self.literal(), self.literal()),
                3 => "K1".to_owned(),
                _ => self.literal(),
            };
            out.push(Self::item(format!("#define {name} {body}\n")));
        }
        let bodies = [
            "((x) + 1)",
            "(x * 2)",
            "((x) > 3 ? 3 : (x))",
            "(-(x))",
            "(((x) & 3) + M0)",
            "((unsigned char)(x))",
            "x",
        ];
        out.push(Self::item(format!("#define F0(x) {}\n", self.rng.pick(&bodies))));
        let bodies = [
            "((x) < (y))",
            "((x) - (y))",
            "((x) ? (y) : 2)",
            "F0(x) + F0(y)",
            "(F0((x)) == y)",
            "(x y)",
            "(x)",
        ];
        let body = match self.rng.pick(&bodies) {
            &"(x y)" => "((x) \\\n   && /* and */ (y))",
            body => body,
        };
        out.push(Self::item(format!("#define F1(x, y) {body}\n")));
        let bodies = ["F1(y, x)", "((x), (y))", "((x) || (y))", "F1((x), F0(y))"];
        out.push(Self::item(format!("#define F2(x, y) {}\n", self.rng.pick(&bodies))));
        out.push("#define CAT(x, y) x ## y\n".into());
        out
    }

    /// A condition of the preprocessor.
    pub(super) fn condition(&mut self) -> String {
        let (a, b) = (self.rng.range(0, 9), self.rng.range(1, 5));
        match self.rng.below(10) {
            0 => format!("defined M{}", self.rng.below(3)),
            1 => "defined(N0)".to_owned(),
            2 => format!("N0 + {a} > {b}"),
            3 => format!("({a} - {b}) / {b} < -1 || !{a}"),
            4 => format!("-{b} < {a}u"),
            5 => format!("{a} % {b} ? {a} == {b} : 'a' > {b}"),
            6 => format!("F0({a}) > {b} && defined F0"),
            7 => format!("CAT({a}, {b}) > 0x1{b}"),
            8 => format!("~{a} < 0 && (1 << {b}) > {a}"),
            _ => format!("({a} & {b}) == 0"),
        }
    }

    pub(super) fn declare(&mut self, name: &str, lengths: &[usize], fixed: bool) {
        let global = self.scopes.len() == 1;
        let v = Variable { name: name.to_owned(), lengths: lengths.to_vec(), fixed, global };
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(v);
        }
    }

    /// A name that is new in the innermost scope, though it may hide another.
    pub(super) fn new_name(&mut self, array: bool) -> Option<String> {
        let name = if array {
            self.names += 1;
            format!("b{}", self.names)
        } else {
            (*self.rng.pick(&["x0", "x1", "x2", "x3", "g0", "g1"])).to_owned()
        };
        let taken = self.scopes.last().is_some_and(|s| s.iter().any(|v| v.name == name));
        (!taken).then_some(name)
    }

    fn function(&mut self, n: usize) -> Tree {
        let count = self.rng.below(3);
        let mut parameters = Vec::new();
        self.scopes.push(Vec::new());
        for i in 0..count {
            parameters.push(format!("{} x{i}", self.rng.pick(&TYPES)));
            self.declare(&format!("x{i}"), &[], false);
        }
        let list = if count == 0 { "void".to_owned() } else { parameters.join(", ") };
        let ty = *self.rng.pick(&TYPES);
        self.in_function = true;
        let body = self.statements(1, 3);
        let result = self.full(2);
        self.in_function = false;
        self.scopes.pop();
        self.functions.push(count);
        let head = format!("{ty} f{n}({list}) {{\n");
        Tree::new(Kind::Fixed, [head.into(), body.into(), "return ".into(), result.into(), ";\n}\n".into()])
    }

    fn main(&mut self) -> (Tree, [i32; 4]) {
        let mut ranges = [0; 4];
        let mut text = (*self.rng.pick(&["int main(void) {\n", "int main() {\n"])).to_owned();
        self.scopes.push(Vec::new());
        for n in 0..self.rng.below(2) + 1 {
            let name = ["y0", "y1"][n];
            let (least, greatest, function) = match self.rng.below(5) {
                0 if n == 0 => (-128, 127, "char"),
                1 if n == 0 => (0, 255, "uchar"),
                2 => (0, 1, "bool"),
                _ => {
                    let least = i32::try_from(self.rng.range(-3, 2)).unwrap_or(0);
                    (least, least + 4, "int")
                }
            };
            let wide = ["int", "long", "short", "char", "unsigned", "long long"];
            let ty = if function == "int" { self.rng.pick(&wide) } else { self.rng.pick(&TYPES) };
            let source = if function == "int" { "int i = __VERIFIER_nondet_int();" } else { "" };
            if function == "int" {
                let source = source.replacen(" i ", &format!(" {name}i "), 1);
                text.push_str(&source);
                text.push_str(&match self.rng.below(2) {
                    0 => format!(" __VERIFIER_assume({name}i >= {least} && {name}i <= {greatest});"),
                    _ => format!(" if ({name}i < {least} || {name}i > {greatest}) return 0;"),
                });
                text.push_str(&format!(" {ty} {name} = {name}i;\n"));
            } else {
                text.push_str(&format!("{ty} {name} = __VERIFIER_nondet_{function}();\n"));
            }
            ranges[2 * n] = least;
            ranges[2 * n + 1] = greatest;
            self.declare(name, &[], false);
        }
        let most = self.rng.below(5) + 2;
        let body = self.statements(2, most);
        let check = self.check();
        self.scopes.pop();
        let main = Tree::new(Kind::Fixed, [text.into(), body.into(), check.into(), "return 0;\n}\n".into()]);
        (main, ranges)
    }
}

/// `[2][3]`
pub(super) fn brackets(lengths: &[usize]) -> String {
    lengths.iter().map(|n| format!("[{n}]")).collect()
}

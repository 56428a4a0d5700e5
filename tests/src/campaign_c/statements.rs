//! Random statements and declarations; all loops end.

use super::tree::{Kind, Part, Tree};
use super::writer::{TYPES, Writer, brackets};

impl Writer {
    /// Several statements, without a scope of their own.
    pub(super) fn statements(&mut self, depth: usize, most: usize) -> Tree {
        let mut parts = Vec::new();
        for _ in 0..self.rng.below(most) + 1 {
            if self.rng.one_in(3) {
                parts.extend(self.declaration().map(Part::Tree));
            }
            parts.push(self.statement(depth).into());
        }
        Tree { kind: Kind::Fixed, parts }
    }

    fn declaration(&mut self) -> Option<Tree> {
        let ty = *self.rng.pick(&TYPES);
        let array = self.rng.one_in(4);
        let name = self.new_name(array)?;
        if array {
            let lengths = self.lengths(3);
            let (values, storage) = (self.values(&lengths), *self.rng.pick(&["", "static "]));
            self.declare(&name, &lengths, false);
            return Some(Tree::new(
                Kind::Item,
                [format!("{storage}{ty} {name}{} = {values};\n", brackets(&lengths)).into()],
            ));
        }
        if self.rng.one_in(4) {
            let value = self.literal();
            self.declare(&name, &[], false);
            return Some(Tree::new(Kind::Item, [format!("static {ty} {name} = {value};\n").into()]));
        }
        // The name is visible already in its own initial value.
        let fixed = self.rng.one_in(5);
        let hidden = self.scopes.iter().flatten().any(|v| v.name == name);
        let value = if hidden { self.pure_literal() } else { self.full(2) };
        self.declare(&name, &[], fixed);
        let start = format!("{}{ty} {name} = ", if fixed { "const " } else { "" });
        Some(Tree::new(Kind::Item, [start.into(), value.into(), ";\n".into()]))
    }

    /// One to three lengths of an array, of few elements.
    pub(super) fn lengths(&mut self, most: usize) -> Vec<usize> {
        let levels = *self.rng.pick(&[1, 1, 1, 2, 3]);
        let most = if levels == 1 { most } else { 2 };
        (0..levels).map(|_| self.rng.below(most) + 1).collect()
    }

    /// Values of an array's elements in braces, with some braces left out, and some elements.
    pub(super) fn values(&mut self, lengths: &[usize]) -> String {
        let (mut at, mut all, size) = (0, Vec::new(), lengths.iter().product::<usize>());
        let mut left = self.rng.below(size + 1) + 1;
        while at < size && left > 0 {
            left -= 1;
            // Braces belong to the outermost part that begins here.
            let part = (1..=lengths.len()).map(|level| &lengths[level..]);
            let part = part.into_iter().find(|part| at % part.iter().product::<usize>() == 0).unwrap_or(&[]);
            if self.rng.one_in(3) {
                all.push(if part.is_empty() {
                    format!("{{ {} }}", self.literal())
                } else {
                    self.values(part)
                });
                at += part.iter().product::<usize>();
            } else {
                all.push(self.literal());
                at += 1;
            }
        }
        format!("{{ {} }}", all.join(", "))
    }

    fn pure_literal(&mut self) -> Tree {
        let value = self.literal();
        Tree::expression([value.into()])
    }

    /// A block with a scope of its own.
    fn block(&mut self, depth: usize) -> Tree {
        self.scopes.push(Vec::new());
        let body = self.statements(depth, 3);
        self.scopes.pop();
        Tree::statement(["{\n".into(), body.into(), "}\n".into()])
    }

    /// `if (…) reach_error();`
    pub(super) fn check(&mut self) -> Tree {
        let a = self.full(2);
        let op = *self.rng.pick(&["==", "==", "<", ">"]);
        let n = self.literal();
        Tree::statement(["if (".into(), a.into(), format!(" {op} {n}) reach_error();\n").into()])
    }

    fn statement(&mut self, depth: usize) -> Tree {
        let below = depth.saturating_sub(1);
        match self.rng.below(if depth == 0 { 9 } else { 22 }) {
            0..=3 => self.assignment(),
            4 => {
                let e = self.full(3);
                Tree::statement([e.into(), ";\n".into()])
            }
            5 => self.check(),
            6 => self.jump(),
            7 => self.redefinition(),
            8 => {
                let e = self.full(2);
                Tree::statement(["printf(\"\", ".into(), e.into(), ");\n".into()])
            }
            9..=11 => self.branch(below),
            12 | 13 => self.repeated(below),
            14 | 15 => self.choice(below),
            16 => self.block(below),
            17 => self.forward(below),
            18 => self.backward(below),
            19 => self.jump_inside(below),
            20 => self.passed_declaration(below),
            _ => {
                let condition = self.condition();
                let (a, b) = (self.statement(below), self.statement(below));
                Tree::statement([
                    format!("#if {condition}\n").into(),
                    a.into(),
                    "\n#else\n".into(),
                    b.into(),
                    "\n#endif\n".into(),
                ])
            }
        }
    }

    fn assignment(&mut self) -> Tree {
        let e = self.full(3);
        let effects = self.effects.clone();
        let array = self.rng.one_in(4);
        let free =
            |v: &super::writer::Variable| !v.fixed && v.lengths.is_empty() != array && !effects.touch(v);
        let Some(v) = self.variable(&free) else { return Tree::statement([e.into(), ";\n".into()]) };
        let fixed = ["/= 3", "%= 5", "&= 7", "<<= 1", ">>= 1", "/= -1", "%= -1", "/= 0", "<<= 31", ">>= 40"];
        let (op, end) = match self.rng.below(8) {
            0 => ("+=", Some(e)),
            1 => ("-=", Some(e)),
            2 => ("*= 2 +", Some(e)),
            3 => (*self.rng.pick(&fixed), None),
            _ => ("=", Some(e)),
        };
        let mut parts: Vec<Part> = vec![v.name.clone().into()];
        if array {
            self.effects.written.push(v.name);
            for length in v.lengths {
                // A call on the right side may come before an index that is out of range, or after it.
                let index = self.index(length, !effects.called);
                parts.extend(["[".into(), index.into(), "]".into()]);
            }
        }
        parts.push(format!(" {op} ").into());
        parts.extend(end.map(Part::Tree));
        parts.push(";\n".into());
        Tree { kind: Kind::Statement, parts }
    }

    /// A jump to a later label, or out of the function.
    fn jump(&mut self) -> Tree {
        let e = self.full(2);
        let jump = match self.labels.last() {
            Some(label) if self.rng.clone().one_in(2) => format!(") goto {label};\n"),
            _ if self.in_function => format!(") return {};\n", self.literal()),
            _ if self.rng.one_in(2) => ") abort();\n".to_owned(),
            _ => ") return 0;\n".to_owned(),
        };
        Tree::statement(["if (".into(), e.into(), jump.into()])
    }

    fn redefinition(&mut self) -> Tree {
        let (n, value) = (self.rng.below(3), self.literal());
        let text = match self.rng.below(3) {
            0 => format!("\n#undef N0\n#define N0 {}\n", self.rng.below(9)),
            1 => "\n#ifdef N0\n#undef N0\n#endif\n".to_owned(),
            _ => format!("\n#undef M{n}\n#define M{n} {value}\n"),
        };
        Tree::statement([text.into()])
    }

    fn branch(&mut self, depth: usize) -> Tree {
        let e = self.full(3);
        let a = self.block(depth);
        if self.rng.one_in(2) {
            return Tree::statement(["if (".into(), e.into(), ") ".into(), a.into()]);
        }
        let b = self.block(depth);
        Tree::statement(["if (".into(), e.into(), ") ".into(), a.into(), "else ".into(), b.into()])
    }

    fn repeated(&mut self, depth: usize) -> Tree {
        self.loops += 1;
        let (i, times) = (format!("i{}", self.loops), self.rng.range(1, 3));
        self.scopes.push(Vec::new());
        self.declare(&i, &[], true);
        let body = self.block(depth);
        let e = self.full(2);
        let leave = *self.rng.pick(&["break", "continue"]);
        let leave = Tree::statement(["if (".into(), e.into(), format!(") {leave};\n").into()]);
        let more = self.full(1);
        self.scopes.pop();
        let (start, end) = match self.rng.below(4) {
            0 => (format!("for (int {i} = 0; {i} < {times}; {i}++) {{\n"), None),
            1 => (format!("for (char {i} = {times}, n = 1; {i}; n++, --{i}) {{\n"), None),
            2 => (format!("{{ int {i} = {times}; while ({i}-- > 0) {{\n"), Some(" }\n".into())),
            _ => {
                let start = format!("{{ unsigned {i} = 0; do {{\n");
                let end = Tree::new(
                    Kind::Fixed,
                    [format!(" while (++{i} < {times} && ").into(), more.into(), "); }\n".into()],
                );
                (start, Some(end.into()))
            }
        };
        let mut parts: Vec<Part> = vec![start.into(), body.into(), leave.into(), "}\n".into()];
        parts.extend(end);
        Tree { kind: Kind::Statement, parts }
    }

    fn choice(&mut self, depth: usize) -> Tree {
        let e = self.full(2);
        let mut parts: Vec<Part> = vec!["switch (".into(), e.into(), ") {\n".into()];
        let first = self.rng.range(-2, 2);
        for i in 0..self.rng.range(1, 3) {
            let label = match self.rng.below(3) {
                0 => format!("case {}:\n", first + i),
                1 => format!("case (char) {}:\n", first + i),
                _ => format!("case {} - 1:\n", first + i + 1),
            };
            parts.push(label.into());
            parts.push(self.block(depth).into());
            if self.rng.one_in(2) {
                parts.push(Tree::statement(["break;\n".into()]).into());
            }
            if i == 0 && self.rng.one_in(2) {
                parts.push("default:\n".into());
                parts.push(self.block(depth).into());
            }
        }
        parts.push("}\n".into());
        Tree { kind: Kind::Statement, parts }
    }

    fn label(&mut self) -> String {
        self.names += 1;
        format!("L{}", self.names)
    }

    fn forward(&mut self, depth: usize) -> Tree {
        let label = self.label();
        self.labels.push(label.clone());
        let jump = self.jump();
        let body = self.block(depth);
        self.labels.pop();
        Tree::statement([jump.into(), body.into(), format!("{label}: ;\n").into()])
    }

    fn backward(&mut self, depth: usize) -> Tree {
        let (label, n) = (self.label(), self.rng.range(1, 2));
        let body = self.block(depth);
        let text = format!("if (c{label}++ < {n}) goto {label};\n}}\n");
        Tree::statement([format!("{{ int c{label} = 0;\n{label}:\n").into(), body.into(), text.into()])
    }

    /// A declaration that is reached at first, and skipped by a later jump in its block.
    fn passed_declaration(&mut self, depth: usize) -> Tree {
        let (again, over, e) = (self.label(), self.label(), self.full(2));
        let ty = *self.rng.pick(&TYPES);
        let body = self.block(depth);
        let (start, end) = *self.rng.pick(&[
            ("{\n", "}\n"),
            ("switch (0) { default:\n", "}\n"),
            ("do {\n", "} while (c < 2);\n"),
            ("if (c) { } else {\n", "}\n"),
        ]);
        let (op, n) = (*self.rng.pick(&["==", "!=", "<", ">"]), self.literal());
        Tree::statement([
            format!("{{ int c = 0;\n{start}{again}: c++;\nif (c == 2) goto {over};\n{ty} k{over} = ").into(),
            e.into(),
            ";\n".into(),
            body.into(),
            format!("if (c < 2) goto {again};\n{over}: if (k{over} {op} {n}) reach_error();\n{end}}}\n")
                .into(),
        ])
    }

    /// A jump into a block or a loop.
    fn jump_inside(&mut self, depth: usize) -> Tree {
        let (label, e) = (self.label(), self.full(2));
        let (a, b) = (self.block(depth), self.block(depth));
        let start = *self.rng.pick(&["if (c) {\n", "while (c-- > 0) {\n", "switch (c) { default:\n", "{\n"]);
        Tree::statement([
            "{ int c = 2;\nif (".into(),
            e.into(),
            format!(") goto {label};\n{start}").into(),
            a.into(),
            format!("{label}: ;\n").into(),
            b.into(),
            "}\n}\n".into(),
        ])
    }
}

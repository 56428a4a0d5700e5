//! Random expressions whose value does not depend on the order of evaluation.

use super::tree::{Kind, Part, Tree};
use super::writer::{TYPES, Writer};

impl Writer {
    /// A number or character literal.
    pub(super) fn literal(&mut self) -> String {
        let special = [
            "'a'",
            "'\\n'",
            "'\\0'",
            "'\\377'",
            "'\\x7f'",
            "0x1F",
            "017",
            "127",
            "128",
            "255",
            "256",
            "-1",
            "32768",
            "65535",
            "2147483647",
            "0x80000000",
            "0xFFFFFFFF",
            "4294967295",
            "2147483648",
            "1u",
            "2U",
            "3l",
            "4L",
            "5ul",
            "6LL",
            "7uLL",
            "0xFFul",
            "010u",
            "K0",
            "K2",
            "100000",
            "0xFFFFFFFFFF",
        ];
        match self.rng.below(3) {
            0 => (*self.rng.pick(&special)).to_owned(),
            _ => self.rng.range(0, 12).to_string(),
        }
    }

    /// A whole expression.
    pub(super) fn full(&mut self, depth: usize) -> Tree {
        self.effects = super::writer::Effects::default();
        self.expression(depth)
    }

    /// Index of a variable that is visible and satisfies a condition.
    pub(super) fn variable(
        &mut self,
        fits: &dyn Fn(&super::writer::Variable) -> bool,
    ) -> Option<super::writer::Variable> {
        let all: Vec<_> = self.scopes.iter().flatten().collect();
        let seen = |i: usize| all[i + 1..].iter().all(|v| v.name != all[i].name);
        let candidates: Vec<usize> = (0..all.len()).filter(|i| seen(*i) && fits(all[*i])).collect();
        if candidates.is_empty() {
            return None;
        }
        let chosen = *self.rng.pick(&candidates);
        let v = all[chosen].clone();
        Some(v)
    }

    fn leaf(&mut self) -> Tree {
        if self.rng.one_in(3) {
            let text = match self.rng.below(6) {
                0 => format!("M{}", self.rng.below(3)),
                1 => format!("CAT({}, {})", self.rng.range(1, 4), self.rng.range(0, 9)),
                _ => self.literal(),
            };
            return Tree::expression([text.into()]);
        }
        let effects = self.effects.clone();
        let v = self.variable(&|v| v.lengths.is_empty() && !effects.touch(v));
        let Some(v) = v else { return Tree::expression(["3".into()]) };
        self.effects.global |= v.global;
        self.effects.read.push(v.name.clone());
        Tree::expression([v.name.into()])
    }

    /// Operands after a sequence point conflict only with operands around both.
    fn after(&mut self, outer: &super::writer::Effects, depth: usize) -> Tree {
        let first = std::mem::replace(&mut self.effects, outer.clone());
        let e = self.expression(depth);
        self.effects.read.extend(first.read);
        self.effects.written.extend(first.written);
        self.effects.called |= first.called;
        self.effects.global |= first.global;
        e
    }

    pub(super) fn expression(&mut self, depth: usize) -> Tree {
        if depth == 0 || self.rng.one_in(5) {
            return self.leaf();
        }
        if self.rng.one_in(5) {
            return self.special(depth - 1);
        }
        let outer = self.effects.clone();
        let a = self.expression(depth - 1);
        match self.rng.below(16) {
            kind @ (0..=8 | 13) => self.several_operands(kind, a, &outer, depth - 1),
            kind => self.one_operand(kind, a),
        }
    }

    fn several_operands(
        &mut self,
        kind: usize,
        a: Tree,
        outer: &super::writer::Effects,
        depth: usize,
    ) -> Tree {
        let op = match kind {
            0..=2 => *self.rng.pick(&[" + ", " - ", " - ", " * 2 + ", " & 1 & "]),
            3 | 4 => *self.rng.pick(&[" < ", " <= ", " > ", " >= ", " == ", " != "]),
            5 | 6 => *self.rng.pick(&[" && ", " || "]),
            7 => " ? ",
            8 => ", ",
            _ => *self.rng.pick(&[" | !", " ^ !", " & !"]),
        };
        if op == " & 1 & " {
            return Tree::expression(["(".into(), a.into(), " & 3)".into()]);
        }
        // Between these operands there is a sequence point.
        let sequenced = (5..=8).contains(&kind);
        let b = if sequenced { self.after(outer, depth) } else { self.expression(depth) };
        let begin = if kind == 13 { "(!" } else { "(" };
        let mut parts: Vec<Part> = vec![begin.into(), a.into(), op.into(), b.into()];
        if kind == 7 {
            parts.extend([" : ".into(), self.after(outer, depth).into()]);
        }
        parts.push(")".into());
        Tree { kind: Kind::Expression, parts }
    }

    fn one_operand(&mut self, kind: usize, a: Tree) -> Tree {
        let n = self.rng.range(1, 7);
        let after = match kind {
            9 => format!(" {}{n})", self.rng.pick(&["/", "%", "/ -", "% -"])),
            10 => format!(" {} {})", self.rng.pick(&["<<", ">>"]), n - 1),
            12 => format!(" & {})", self.rng.pick(&["0", "1", "3", "7", "255", "0xFFFF", "1u", "15L"])),
            _ => ")".to_owned(),
        };
        let before = match kind {
            11 => format!("({}", self.rng.pick(&["-", "~", "!", "+", "!!"])),
            9 | 10 | 12 => "(".to_owned(),
            _ => format!("(({}) ", self.rng.pick(&TYPES)),
        };
        Tree::expression([before.into(), a.into(), after.into()])
    }

    /// Calls, macros, elements, sizes and effects.
    fn special(&mut self, depth: usize) -> Tree {
        match self.rng.below(8) {
            0 => self.size(),
            1 | 2 => self.macro_call(depth),
            3 => self.element(),
            4 | 5 if !self.pure => self.call(depth),
            _ if !self.pure => self.effect(depth),
            _ => self.leaf(),
        }
    }

    fn size(&mut self) -> Tree {
        let ty = *self.rng.pick(&TYPES);
        if self.rng.one_in(2) {
            return Tree::expression([format!("sizeof({ty})").into()]);
        }
        let v = self.variable(&|_| true).map_or_else(|| "g0".to_owned(), |v| v.name);
        Tree::expression([format!("sizeof {v}").into()])
    }

    fn macro_call(&mut self, depth: usize) -> Tree {
        let pure = std::mem::replace(&mut self.pure, true);
        let n = self.rng.below(3);
        let a = self.expression(depth);
        let e = if self.macros[n] == 1 {
            Tree::expression([format!("F{n}(").into(), a.into(), ")".into()])
        } else {
            let b = self.expression(depth);
            Tree::expression([format!("(F{n} (").into(), a.into(), ",\n ".into(), b.into(), "))".into()])
        };
        self.pure = pure;
        e
    }

    /// An element of an array; its index is usually in range.
    fn element(&mut self) -> Tree {
        let effects = self.effects.clone();
        let free = |v: &super::writer::Variable| !v.lengths.is_empty() && !effects.touch(v);
        let Some(v) = self.variable(&free) else { return self.leaf() };
        self.effects.global |= v.global;
        self.effects.read.push(v.name.clone());
        let mut parts = vec![super::tree::Part::Text(v.name)];
        for length in v.lengths {
            let index = self.index(length, false);
            parts.extend(["[".into(), index.into(), "]".into()]);
        }
        Tree { kind: super::tree::Kind::Expression, parts }
    }

    /// An index; out of range only where an element is written, as compilers drop reads without effect.
    pub(super) fn index(&mut self, length: usize, outside: bool) -> Tree {
        if self.rng.one_in(2) {
            let beyond = outside && self.rng.one_in(9);
            let n = self.rng.below(length + usize::from(beyond));
            return Tree::expression([n.to_string().into()]);
        }
        let leaf = self.leaf();
        let mask = if length >= 4 { 3 } else { usize::from(length >= 2) };
        Tree::expression(["(".into(), leaf.into(), format!(" & {mask})").into()])
    }

    fn call(&mut self, depth: usize) -> Tree {
        if self.functions.is_empty() || self.effects.called || self.effects.global {
            return self.leaf();
        }
        let n = self.rng.below(self.functions.len());
        let mut parts = vec![super::tree::Part::Text(format!("f{n}("))];
        for i in 0..self.functions[n] {
            parts.push(if i == 0 { "" } else { ", " }.into());
            parts.push(self.expression(depth.min(1)).into());
        }
        parts.push(")".into());
        let clash = self.effects.called;
        self.effects.called = true;
        self.effects.global = true;
        if clash {
            return Tree::expression(["2".into()]);
        }
        Tree { kind: super::tree::Kind::Expression, parts }
    }

    /// An expression that changes a variable.
    fn effect(&mut self, depth: usize) -> Tree {
        if self.rng.one_in(2) {
            let effects = self.effects.clone();
            let free = |v: &super::writer::Variable| {
                v.lengths.is_empty() && !v.fixed && !effects.touch(v) && !effects.read.contains(&v.name)
            };
            let Some(v) = self.variable(&free) else { return self.leaf() };
            self.effects.written.push(v.name.clone());
            self.effects.global |= v.global;
            let (before, after) = *self.rng.pick(&[("++", ""), ("--", ""), ("", "++"), ("", "--")]);
            return Tree::expression([format!("({before}{}{after})", v.name).into()]);
        }
        let outer = self.effects.clone();
        self.effects = super::writer::Effects::default();
        let e = self.expression(depth);
        let inner = std::mem::replace(&mut self.effects, outer.clone());
        let met = |name: &String| outer.written.contains(name) || outer.read.contains(name);
        let clash = inner.read.iter().chain(&inner.written).any(met)
            || (inner.called || inner.global) && (outer.called || outer.global);
        let free = |v: &super::writer::Variable| {
            v.lengths.is_empty() && !v.fixed && !met(&v.name) && !inner.written.contains(&v.name) && !v.global
        };
        let v = self.variable(&free);
        let (Some(v), false) = (v, clash) else { return self.leaf() };
        self.effects.read.extend(inner.read);
        self.effects.written.extend(inner.written);
        self.effects.written.push(v.name.clone());
        self.effects.called |= inner.called;
        self.effects.global |= inner.global;
        let op = *self.rng.pick(&["=", "=", "+=", "-="]);
        Tree::expression([format!("({} {op} ", v.name).into(), e.into(), ")".into()])
    }
}

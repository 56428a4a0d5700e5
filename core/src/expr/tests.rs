//! Property tests of expressions: text, evaluation and lowering agree.

use std::collections::BTreeMap;
use std::sync::Arc;

use solver_lite::number::Q;
use solver_lite::term::{Term, Terms, Value};

use crate::diagnostic::Diagnostic;
use crate::expr::lex::Syntax;
use crate::expr::{
    Enumeration, Expr, Lookup, Parser, Scope, Type, VarId, bits, check, power_of_two, try_lower,
};
use crate::system::valuations;

/// Variables of every type: `p q : bool`, `i j : int`, `r s : rat`, `a1 b1 : bv[1]`, …, `a5 b5 : bv[5]`, `m n : Light`.
struct Vars(Vec<(String, Type)>);

fn vars() -> Vars {
    let mut all = Vec::new();
    for (names, ty) in [(["p", "q"], Type::Bool), (["i", "j"], Type::Int), (["r", "s"], Type::Rat)] {
        all.extend(names.map(|n| (n.to_owned(), ty.clone())));
    }
    for n in 1..=5 {
        all.extend(["a", "b"].map(|name| (format!("{name}{n}"), Type::Bv(n))));
    }
    all.extend(["m", "n"].map(|n| (n.to_owned(), Type::Enum(light()))));
    Vars(all)
}

fn light() -> Arc<Enumeration> {
    let literals = ["Red", "Yellow", "Green"].map(str::to_owned).to_vec();
    Arc::new(Enumeration { name: "Light".to_owned(), literals })
}

impl Scope for Vars {
    fn lookup(&self, name: &str) -> Result<(VarId, Type), Lookup> {
        let i = self.0.iter().position(|(n, _)| n == name).ok_or(Lookup::Unknown)?;
        Ok((VarId::new(i), self.0[i].1.clone()))
    }

    fn enumerations(&self) -> Vec<Arc<Enumeration>> {
        vec![light()]
    }
}

fn parse(text: &str, vars: &Vars) -> Result<Expr, Vec<Diagnostic>> {
    let mut p = Parser::new(text, Syntax::Cfa);
    let ast = p.expression();
    let mut out = p.out;
    match ast {
        Ok(ast) if out.is_empty() => check(&ast, vars, &mut out).ok_or(out),
        _ => Err(out),
    }
}

fn message(text: &str) -> String {
    let d = &parse(text, &vars()).unwrap_err()[0];
    format!("{}:{}", d.span.of(text), d.message)
}

/// A deterministic generator (xorshift, Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % n
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    /// The text of an expression of type `ty`, with all operands in parentheses.
    fn text(&mut self, ty: &Type, depth: usize) -> String {
        if depth == 0 || self.below(6) == 0 {
            return self.leaf(ty);
        }
        let d = depth - 1;
        if self.below(8) == 0 {
            let (c, a, b) = (self.text(&Type::Bool, d), self.text(ty, d), self.text(ty, d));
            return format!("if {c} then {a} else {b}");
        }
        match ty {
            Type::Bool => self.truth(d),
            Type::Int => match self.below(6) {
                0 => format!("-({})", self.text(ty, d)),
                1 => format!("({}) * {}", self.text(ty, d), self.leaf_number(-3, 4)),
                2 => {
                    let (a, op) = (self.text(ty, d), self.pick(&["/", "mod", "rem"]));
                    let k = if self.below(2) == 0 { self.leaf_number(1, 5) } else { self.leaf_number(-4, 0) };
                    format!("({a}) {op} {k}")
                }
                _ => self.chain(ty, &["+", "-"], d),
            },
            Type::Rat => match self.below(4) {
                0 => format!("({}) / {} % {}", self.text(ty, d), 1 + self.below(4), 1 + self.below(3)),
                1 => format!("({}) * ({})", self.text(&Type::Int, d), self.leaf_rat()),
                2 => format!("({}) + ({})", self.text(ty, d), self.text(&Type::Int, d)),
                _ => self.chain(ty, &["+", "-"], d),
            },
            Type::Bv(n) => self.word(*n, d),
            Type::Enum(_) => self.leaf(ty),
            Type::Array(..) => unreachable!("not generated"),
        }
    }

    fn chain(&mut self, ty: &Type, ops: &[&'static str], depth: usize) -> String {
        let mut text = format!("({})", self.text(ty, depth));
        for _ in 0..=self.below(3) {
            text = format!("{text} {} ({})", self.pick(ops), self.text(ty, depth));
        }
        text
    }

    fn truth(&mut self, d: usize) -> String {
        let all = [Type::Int, Type::Rat, Type::Bool, Type::Bv(3), Type::Enum(light())];
        match self.below(7) {
            0 => format!("not ({})", self.text(&Type::Bool, d)),
            1 => {
                let ty = all[self.below(all.len())].clone();
                format!("({}) {} ({})", self.text(&ty, d), self.pick(&["=", "/="]), self.text(&ty, d))
            }
            2 => {
                let ty = [Type::Int, Type::Rat][self.below(2)].clone();
                let op = self.pick(&["<", "<=", ">", ">="]);
                format!("({}) {op} ({})", self.text(&ty, d), self.text(&ty, d))
            }
            3 => {
                let ops = ["bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"];
                let ty = Type::Bv(2 + u32::try_from(self.below(3)).unwrap());
                format!("({}) {} ({})", self.text(&ty, d), self.pick(&ops), self.text(&ty, d))
            }
            4 => format!(
                "({}) {} ({})",
                self.text(&Type::Bool, d),
                self.pick(&["iff", "imply", "xor"]),
                self.text(&Type::Bool, d)
            ),
            5 => self.chain(&Type::Bool, &["and"], d),
            _ => self.chain(&Type::Bool, &["or"], d),
        }
    }

    fn word(&mut self, n: u32, d: usize) -> String {
        let ty = Type::Bv(n);
        match self.below(8) {
            0 => format!("{} ({})", self.pick(&["bvneg", "bvnot"]), self.text(&ty, d)),
            1 if n > 1 => format!(
                "({}) {} bv[{n}]",
                self.text(&Type::Bv(n - 1), d),
                self.pick(&["bv_zero_extend", "bv_sign_extend"])
            ),
            2 if n > 1 => format!("({}) ++ ({})", self.text(&Type::Bv(1), d), self.text(&Type::Bv(n - 1), d)),
            3 if n < 4 => format!("({})[{}:1]", self.text(&Type::Bv(n + 1), d), n + 1),
            4 => self.chain(&ty, &["bvadd", "bvsub"], d),
            5 => {
                let op = ["bvand", "bvor", "bvxor", "bvmul"][self.below(4)];
                self.chain(&ty, &[op], d)
            }
            _ => {
                let ops = [
                    "bvshl", "bvashr", "bvlshr", "bvrol", "bvror", "bvudiv", "bvsdiv", "bvsmod", "bvurem",
                    "bvsrem",
                ];
                format!("({}) {} ({})", self.text(&ty, d), self.pick(&ops), self.text(&ty, d.min(1)))
            }
        }
    }

    fn leaf_number(&mut self, lo: i64, hi: i64) -> i64 {
        lo + i64::try_from(self.below(usize::try_from(hi - lo).unwrap())).unwrap()
    }

    fn leaf_rat(&mut self) -> String {
        format!("{} % {}", self.below(7), 1 + self.below(4))
    }

    fn leaf(&mut self, ty: &Type) -> String {
        let variable = self.below(3) > 0;
        match ty {
            Type::Bool if variable => self.pick(&["p", "q"]).to_owned(),
            Type::Bool => self.pick(&["true", "false"]).to_owned(),
            Type::Int if variable => self.pick(&["i", "j"]).to_owned(),
            Type::Int => self.leaf_number(-9, 10).to_string(),
            Type::Rat if variable => self.pick(&["r", "s"]).to_owned(),
            Type::Rat => self.leaf_rat(),
            Type::Bv(n) if variable => format!("{}{n}", self.pick(&["a", "b"])),
            Type::Bv(n) => format!("{n}'d{}", self.below(1 << n)),
            Type::Enum(_) if variable => self.pick(&["m", "n"]).to_owned(),
            Type::Enum(_) => self.pick(&["Red", "Yellow", "Light.Green"]).to_owned(),
            Type::Array(..) => unreachable!("not generated"),
        }
    }

    fn value(&mut self, ty: &Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(self.below(2) == 0),
            Type::Int => Value::Num(Q::from(self.leaf_number(-12, 13))),
            Type::Rat => Value::Num(Q::ratio(self.leaf_number(-9, 10), self.leaf_number(1, 5))),
            Type::Bv(n) => Value::Num(Q::from(self.leaf_number(0, 1 << n))),
            Type::Enum(_) => Value::Num(Q::from(self.leaf_number(0, 3))),
            Type::Array(..) => unreachable!("not generated"),
        }
    }
}

fn name(v: VarId) -> String {
    vars().0[v.index()].0.clone()
}

/// The value computed via terms.
fn term_value(e: &Expr, values: &[Value]) -> Result<Value, Diagnostic> {
    let all = vars();
    let mut terms = Terms::new();
    let of: Vec<Term> = all.0.iter().map(|(n, ty)| terms.var(n, ty.sort().unwrap())).collect();
    let t = try_lower(e, &mut terms, &mut |v| of[v.index()])?;
    let by_term: BTreeMap<Term, Value> = of.iter().copied().zip(values.iter().cloned()).collect();
    Ok(terms.eval(t, |v| by_term[&v].clone()))
}

#[test]
fn text_evaluation_and_lowering_agree() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let scope = vars();
    let mut lowered = 0;
    for round in 0..4000 {
        let types = [Type::Bool, Type::Int, Type::Rat, Type::Bv(1), Type::Bv(3), Type::Bv(4)];
        let ty = types[round % types.len()].clone();
        let text = random.text(&ty, 3);
        let e = parse(&text, &scope).unwrap_or_else(|d| panic!("{text}: {d:?}"));
        let printed = e.text(&name);
        let again = parse(&printed, &scope).unwrap_or_else(|d| panic!("{text}\n{printed}: {d:?}"));
        assert_eq!(e, again, "{text}\n{printed}");
        for _ in 0..3 {
            let values: Vec<Value> = scope.0.iter().map(|(_, ty)| random.value(ty)).collect();
            let value = e.eval(&|v| values[v.index()].clone()).unwrap_or_else(|d| panic!("{text}: {d}"));
            assert_eq!(term_value(&e, &values), Ok(value), "{text} at {values:?}");
            lowered += 1;
        }
    }
    assert_eq!(lowered, 12_000);
}

#[test]
fn every_bit_vector_operator_exhaustively() {
    let scope = vars();
    let binary = [
        "bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor", "bvshl", "bvashr", "bvlshr", "bvrol", "bvror",
        "bvudiv", "bvsdiv", "bvsmod", "bvurem", "bvsrem", "bvult", "bvule", "bvugt", "bvuge", "bvslt",
        "bvsle", "bvsgt", "bvsge", "=", "/=", "++",
    ];
    for n in 1..=5u32 {
        let mut texts: Vec<String> = binary.iter().map(|op| format!("a{n} {op} b{n}")).collect();
        texts.extend(["bvneg", "bvnot"].map(|op| format!("{op} a{n}")));
        texts.extend(["zero", "sign"].map(|w| format!("a{n} bv_{w}_extend bv[7]")));
        texts.extend((0..n).flat_map(|i| (i + 1..=n).map(move |u| format!("a{n}[{u}:{i}]"))));
        let domain: Vec<Value> = (0..1i64 << n).map(|i| Value::Num(Q::from(i))).collect();
        let (a, b) = (4 + 2 * n as usize, 5 + 2 * n as usize);
        for text in texts {
            let e = parse(&text, &scope).unwrap();
            for pair in valuations(vec![domain.clone(), domain.clone()]) {
                let mut values: Vec<Value> = vec![Value::Num(Q::ZERO); scope.0.len()];
                (values[a], values[b]) = (pair[0].clone(), pair[1].clone());
                let value = e.eval(&|v| values[v.index()].clone()).unwrap();
                assert_eq!(term_value(&e, &values).unwrap(), value, "{text} at {pair:?}");
                // A constant operand has a separate encoding.
                let closed = text.replace(&format!("b{n}"), &format!("{n}'d{}", pair[1].num()));
                let closed = parse(&closed, &scope).unwrap();
                assert_eq!(term_value(&closed, &values).unwrap(), value, "{text} at constant {pair:?}");
            }
        }
    }
}

#[test]
fn bit_vector_operators_have_smt_lib_values() {
    for (text, value) in [
        ("4'd5 bvsub 4'd7", 14),
        ("4'b0001 bvror 4'd1", 8),
        ("4'b1000 bvashr 4'd1", 12),
        ("4'b1100 bvlshr 4'd1", 6),
        ("4'd7 bvudiv 4'd0", 15),
        ("4'd7 bvsdiv 4'd0", 15),
        ("4'd9 bvsdiv 4'd0", 1),
        ("4'd9 bvsdiv 4'd2", 13),
        ("4'd9 bvsrem 4'd4", 13),
        ("4'd9 bvsmod 4'd4", 1),
        ("4'd-8 bvsdiv 4'd-1", 8),
        ("2'b10 ++ 2'b01 ++ 1'b1", 19),
        ("5'b10011[5:3]", 2),
        ("2'b10 bv_sign_extend bv[4]", 14),
        ("-7 rem 3", -1),
        ("7 rem -3", 1),
        ("-7 mod 3", 2),
        ("-7 / 2", -4),
    ] {
        let e = parse(text, &vars()).unwrap();
        assert_eq!(e.as_constant(), Some(Value::Num(Q::from(value))), "{text}");
    }
    let wide = parse("64'd18446744073709551615 bvadd 64'd1 bvsub 64'd2", &vars()).unwrap();
    assert_eq!(wide.as_constant(), Some(Value::Num(&power_of_two(64) - &Q::from(2))));
    for word in [0, 1, u64::MAX, 1 << 63, (1 << 63) - 1, u64::MAX - 1] {
        assert_eq!(bits::from_q(&bits::to_q(word)), word);
    }
}

#[test]
fn precedence_is_theta_s() {
    let same = |a: &str, b: &str| {
        let (x, y) = (parse(a, &vars()), parse(b, &vars()));
        assert_eq!(x.unwrap_or_else(|d| panic!("{a}: {d:?}")), y.unwrap(), "{a} is not {b}");
    };
    same("not i = j and p", "(not (i = j)) and p");
    same("p or q xor p and q", "p or (q xor (p and q))");
    same("p imply q imply p iff q", "(p imply (q imply p)) iff q");
    same("i = j iff p", "(i = j) iff p");
    same("i + j * 2 < -i - j", "(i + (j * 2)) < ((-i) - j)");
    same("a4 bvor b4 bvand a4 bvadd b4 bvmul a4 = b4", "(a4 bvor (b4 bvand (a4 bvadd (b4 bvmul a4)))) = b4");
    same("i / 2 * 3 mod 4", "((i / 2) * 3) mod 4");
    same("if p then i else j + 1", "if p then i else (j + 1)");
    same("r < i + 1 % 1", "r < (i + 1)".replace('1', "1 % 1").as_str());
    same("r < 1", "r < 1 % 1");
    same("bvnot a2 ++ b2 bvadd a4", "((bvnot a2) ++ b2) bvadd a4");
    same("p = q or q", "(p = q) or q");
}

#[test]
fn mistakes_are_named_at_the_word() {
    assert_eq!(message("i + p"), "p:expected int or rat, but this is bool");
    assert!(message("i < j < 3").starts_with("<:comparisons cannot be chained"));
    assert!(message("p = not q").starts_with("not:'not' binds looser"));
    assert_eq!(message("a3 = b4"), "b4:the operand types differ: the first is bv[3], but this is bv[4]");
    assert!(message("a3 < b3").contains("bvult"));
    assert!(message("x + 1").starts_with("x:unknown name 'x'"));
    assert!(message("3'd8").contains("does not fit into 3 bits"));
    assert!(message("65'd8").contains("between 1 and 64 bits"));
    assert!(message("1 % 0").starts_with("0:the denominator"));
    assert!(message("a3[4:0]").contains("selects no bits of a bv[3]"));
    assert!(message("(i + ").contains("the text ends"));
    assert!(message("[default <- 1]").contains("needs its index type"));
    assert!(message("if then").contains("the reserved word 'then'"));
}

#[test]
fn only_linear_expressions_are_lowered() {
    let scope = vars();
    let refused = |text: &str| {
        let e = parse(text, &scope).unwrap();
        let values: Vec<Value> = scope.0.iter().map(|(_, ty)| Random(1).value(ty)).collect();
        term_value(&e, &values).err().map(|d| format!("{}:{}", d.span.of(text), d.message))
    };
    assert_eq!(refused("2 + i * j").unwrap(), "i * j:nonlinear multiplication is not supported");
    assert_eq!(refused("i * (j - j + 2) * 3"), None);
    assert_eq!(refused("i * j * 0"), None);
    assert!(refused("i / j").unwrap().starts_with("j:division by something that is not constant"));
    assert_eq!(refused("i mod (j - j)").unwrap(), "(j - j):division by zero");
    assert_eq!(refused("if false then i * j else i"), None);
}

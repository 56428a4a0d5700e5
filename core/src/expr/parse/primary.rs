//! Primary expressions: literals, names, parentheses, accesses, and floating point, which is parsed only to be rejected
//! by name.

use solver_lite::number::Q;

use super::{FLOATS, Parsed, Parser, level};
use crate::diagnostic::{Span, limits};
use crate::expr::Unary;
use crate::expr::ast::{Ast, AstKind};
use crate::expr::lex::{Syntax, Tok};

impl Parser<'_> {
    /// A primary expression with the accesses and the extension after it.
    pub(crate) fn access(&mut self) -> Parsed<Ast> {
        let mut op = self.primary()?;
        loop {
            op = match self.tok() {
                Tok::Sym("[") => self.bracket(op)?,
                Tok::Sym("(") if !self.begins_line(op.span) => self.application(op)?,
                Tok::Sym("'") if !matches!(self.syntax(), Syntax::Xsts | Syntax::Ltl) => {
                    let span = op.span.to(self.advance().span);
                    let kind = match self.syntax() {
                        Syntax::Sts => AstKind::Next(Box::new(op)),
                        _ => AstKind::Unsupported("a primed variable"),
                    };
                    self.node(kind, span)?
                }
                _ => break,
            };
        }
        Ok(op)
    }

    /// Is the current token on a later line than `before`, in a language whose lines may begin with a condition in
    /// parentheses?
    fn begins_line(&self, before: Span) -> bool {
        let between = Span { start: before.end, end: self.token().span.start };
        self.syntax() == Syntax::Ltl && between.of(self.text).contains('\n')
    }

    /// `… bv_zero_extend bv[n]`, after any operand that binds tighter.
    pub(super) fn extension(&mut self, op: Ast) -> Parsed<Ast> {
        let signed = match self.tok() {
            Tok::Key("bv_zero_extend") => false,
            Tok::Key("bv_sign_extend") => true,
            _ => return Ok(op),
        };
        self.advance();
        self.expect(Tok::Key("bv"))?;
        let width = self.width()?;
        let span = op.span.to(self.previous());
        let unary = if signed { Unary::SignExtend(width) } else { Unary::ZeroExtend(width) };
        self.node(AstKind::Unary(unary, Box::new(op)), span)
    }

    fn application(&mut self, op: Ast) -> Parsed<Ast> {
        self.advance();
        let mut arguments = Vec::new();
        if self.tok() != Tok::Sym(")") {
            arguments.push(self.expression()?);
            while self.eat(Tok::Sym(",")) {
                arguments.push(self.expression()?);
            }
        }
        let span = op.span.to(self.expect(Tok::Sym(")"))?.span);
        let kind = match op.kind {
            AstKind::Name(name) => AstKind::Call(name, arguments),
            _ => AstKind::Unsupported("a function application"),
        };
        self.node(kind, span)
    }

    /// `a[i]`, `a[i <- e]` or `a[until:from]`.
    fn bracket(&mut self, op: Ast) -> Parsed<Ast> {
        self.advance();
        if self.tok() == Tok::Number && self.ahead(1) == Tok::Sym(":") {
            let until = self.small()?;
            self.advance();
            let from = self.small()?;
            let span = op.span.to(self.expect(Tok::Sym("]"))?.span);
            return self.node(AstKind::Unary(Unary::Extract { until, from }, Box::new(op)), span);
        }
        let index = self.expression()?;
        if self.eat(Tok::Sym("<-")) {
            let element = self.expression()?;
            let span = op.span.to(self.expect(Tok::Sym("]"))?.span);
            return self.node(AstKind::Write(Box::new([op, index, element])), span);
        }
        if self.tok() != Tok::Sym("]") {
            return Err(self.unexpected("']' or '<-'"));
        }
        let span = op.span.to(self.advance().span);
        self.node(AstKind::Read(Box::new([op, index])), span)
    }

    fn primary(&mut self) -> Parsed<Ast> {
        let span = self.token().span;
        match self.tok() {
            Tok::Ident => {
                let mut name = self.word().trim_matches('"').to_owned();
                self.advance();
                if self.tok() == Tok::Sym(".") && self.ahead(1) == Tok::Ident {
                    self.advance();
                    name = format!("{name}.{}", self.word());
                    let span = span.to(self.advance().span);
                    return self.node(AstKind::Name(name), span);
                }
                self.node(AstKind::Name(name), span)
            }
            Tok::Sym("@") => {
                self.advance();
                // The next word is a name even if it is an operator, as in `F @F`.
                let (name, end) = match self.tok() {
                    Tok::Key(word) => (word.to_owned(), self.advance().span),
                    _ => self.name()?,
                };
                self.node(AstKind::At(name.trim_matches('"').to_owned()), span.to(end))
            }
            Tok::Number => self.number(),
            Tok::Bits => self.bits(),
            Tok::Key(word @ ("true" | "false")) => {
                self.advance();
                self.node(AstKind::Bool(word == "true"), span)
            }
            Tok::Sym("(") => {
                self.advance();
                let inner = self.expression()?;
                let end = self.expect(Tok::Sym(")"))?.span;
                Ok(Ast { span: span.to(end), ..inner })
            }
            Tok::Sym("[") if self.syntax() != Syntax::Ltl => self.array(),
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn integer(&mut self) -> Parsed<Q> {
        let span = self.token().span;
        if self.tok() != Tok::Number {
            return Err(self.unexpected("a number"));
        }
        let digits = self.word();
        self.advance();
        let in_limit = digits.len() <= limits::DIGITS;
        // The lexer has reported a number above the length limit.
        if !in_limit {
            return Ok(Q::ZERO);
        }
        digits.parse().map_err(|_| self.error(span, "this is not a number"))
    }

    fn number(&mut self) -> Parsed<Ast> {
        let start = self.token().span;
        let numerator = self.integer()?;
        let divides = match self.tok() {
            Tok::Sym(sign) => sign == "%",
            Tok::Key("mod") => self.fractions && self.word() == "%" && self.ahead(1) == Tok::Number,
            _ => false,
        };
        if !divides {
            return self.node(AstKind::Int(numerator), start);
        }
        self.advance();
        let span = self.token().span;
        let denominator = self.integer()?;
        if denominator.is_zero() {
            return Err(self.error(span, "the denominator of this rational number is zero"));
        }
        self.node(AstKind::Rat(&numerator / &denominator), start.to(span))
    }

    fn bits(&mut self) -> Parsed<Ast> {
        let (word, span) = (self.word(), self.advance().span);
        if self.tok() == Tok::Sym(".") {
            self.advance();
            let end = self.expect(Tok::Bits)?.span;
            return self.node(AstKind::Unsupported(FLOATS), span.to(end));
        }
        let (width, value) = word.split_once('\'').expect("lexed as a bit-vector literal");
        let width = self.checked_width(width, span)?;
        match bits_value(width, value) {
            Some(value) => self.node(AstKind::Bits(width, value), span),
            None => Err(self.error(span, format!("the number does not fit into {width} bits"))),
        }
    }

    /// `[i <- e, …, <t> default <- d]`
    fn array(&mut self) -> Parsed<Ast> {
        let start = self.advance().span;
        let mut elements = Vec::new();
        while !matches!(self.tok(), Tok::Sym("<") | Tok::Key("default")) {
            let index = self.expression()?;
            self.expect(Tok::Sym("<-"))?;
            let element = self.expression()?;
            elements.push([index, element]);
            if !self.eat(Tok::Sym(",")) {
                return Err(self.unexpected("',' and then 'default <- …'"));
            }
        }
        let mut index = None;
        if self.eat(Tok::Sym("<")) {
            index = Some(self.ty()?);
            self.expect(Tok::Sym(">"))?;
        }
        self.expect(Tok::Key("default"))?;
        self.expect(Tok::Sym("<-"))?;
        let default = Box::new(self.expression()?);
        let span = start.to(self.expect(Tok::Sym("]"))?.span);
        if elements.is_empty() && index.is_none() {
            let message =
                "an array literal without elements needs its index type, as in [<int> default <- 0]";
            return Err(self.error(span, message));
        }
        self.node(AstKind::Array { elements, index, default }, span)
    }

    /// Is the parenthesis here the parameter list of a function literal?
    pub(super) fn is_function(&self) -> bool {
        matches!(
            (self.ahead(1), self.ahead(2), self.ahead(3)),
            (Tok::Ident, Tok::Sym(":"), _) | (Tok::Sym(")"), Tok::Sym("->"), _)
        )
    }

    pub(super) fn function(&mut self) -> Parsed<Ast> {
        let start = self.token().span;
        self.declarations()?;
        self.expect(Tok::Sym("->"))?;
        let body = self.climb(level::ITE)?;
        self.node(AstKind::Unsupported("a function literal"), start.to(body.span))
    }

    /// A floating-point operator in front of its operand, with its bracketed parameters.
    pub(super) fn float_prefix(&mut self) -> Parsed<Ast> {
        let start = self.advance().span;
        while self.tok() == Tok::Sym("[") {
            while !matches!(self.tok(), Tok::Sym("]") | Tok::End) {
                self.advance();
            }
            self.expect(Tok::Sym("]"))?;
        }
        let operand = self.climb(level::UNARY)?;
        self.node(AstKind::Unsupported(FLOATS), start.to(operand.span))
    }

    /// The width before the quote of a literal.
    fn checked_width(&mut self, digits: &str, span: Span) -> Parsed<u32> {
        match digits.parse() {
            Ok(width) if (1..=limits::BITS).contains(&width) => Ok(width),
            _ => Err(self.error(span, format!("a bit-vector has between 1 and {} bits", limits::BITS))),
        }
    }
}

/// The value of `b0101`, `d12`, `d-3` or `xff` in `width` bits.
fn bits_value(width: u32, text: &str) -> Option<u64> {
    let (base, digits) = text.split_at(1);
    let limit = 1i128 << width;
    let value = match base {
        "b" => i128::from_str_radix(digits, 2),
        "x" => i128::from_str_radix(digits, 16),
        _ => digits.parse(),
    }
    .ok()?;
    if value >= limit || value < -(limit >> 1) {
        return None;
    }
    u64::try_from(value.rem_euclid(limit)).ok()
}

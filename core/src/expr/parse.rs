//! Parsing of expressions and types by precedence climbing.
//!
//! The levels are those of Theta's `CfaDsl.g4`, loosest first: `if`, `iff`, `imply`, quantifiers, `fpmax`, `or`, `xor`,
//! `and`, `not`, (in temporal formulas `U`, `R`, `W`, `M`, then `X`, `F`, `G` and `!`), `=`, `<`, `bvor`, `bvxor`,
//! `bvand`, shifts, `+`, `*`, `++`, extensions, signs, `bvnot`, accesses. Chains of one associative operator become one
//! node. Nesting is counted, so recursion is bounded.

mod primary;
mod types;

use crate::diagnostic::{Diagnostic, Span, limits};
use crate::expr::ast::{Ast, AstKind, Quantifier, Temporal};
use crate::expr::lex::{Syntax, Tok, Token, lex};
use crate::expr::{Binary, BvBinary, BvCompare, Nary, Sign, Unary};

/// Binding strength; larger binds tighter.
pub(crate) mod level {
    pub(crate) const ITE: u8 = 0;
    pub(crate) const IFF: u8 = 1;
    pub(crate) const IMPLY: u8 = 2;
    pub(crate) const QUANTIFIED: u8 = 3;
    pub(crate) const FP_FUNCTION: u8 = 4;
    pub(crate) const OR: u8 = 5;
    pub(crate) const XOR: u8 = 6;
    pub(crate) const AND: u8 = 7;
    pub(crate) const NOT: u8 = 8;
    pub(crate) const UNTIL: u8 = 9;
    pub(crate) const NEXT: u8 = 10;
    pub(crate) const EQUALITY: u8 = 11;
    pub(crate) const RELATION: u8 = 12;
    pub(crate) const BV_OR: u8 = 13;
    pub(crate) const BV_XOR: u8 = 14;
    pub(crate) const BV_AND: u8 = 15;
    pub(crate) const SHIFT: u8 = 16;
    pub(crate) const ADDITIVE: u8 = 17;
    pub(crate) const MULTIPLICATIVE: u8 = 18;
    pub(crate) const CONCAT: u8 = 19;
    pub(crate) const EXTEND: u8 = 20;
    pub(crate) const UNARY: u8 = 21;
    pub(crate) const BV_NOT: u8 = 22;
    pub(crate) const ACCESS: u8 = 23;
}

/// A diagnostic has been reported; the caller recovers.
#[derive(Clone, Copy, Debug)]
pub struct Reported;

/// The result of parsing a part of a text.
pub type Parsed<T> = Result<T, Reported>;

/// A cursor over the tokens of a text.
pub struct Parser<'a> {
    text: &'a str,
    syntax: Syntax,
    tokens: Vec<Token>,
    at: usize,
    nesting: u32,
    /// Does `n % d` denote a fraction, in a language where `%` is a remainder?
    pub(crate) fractions: bool,
    /// Diagnostics reported so far.
    pub out: Vec<Diagnostic>,
}

/// The kind of node that an infix operator builds.
#[derive(Clone, Copy)]
enum Infix {
    Binary(Binary),
    Nary(Nary),
    Sum(Sign),
    BvSum(Sign),
    Temporal(Temporal),
    Unsupported(&'static str),
}

#[derive(Clone, Copy, PartialEq)]
enum Fix {
    Left,
    Right,
    /// Non-associative: `a = b = c` is a syntax error.
    None,
}

fn infix(tok: Tok, syntax: Syntax) -> Option<(Infix, u8, Fix)> {
    use BvBinary::{Ashr, Lshr, Rol, Ror, Sdiv, Shl, Smod, Srem, Udiv, Urem};
    let (Tok::Sym(word) | Tok::Key(word)) = tok else { return None };
    let compare = |c| Some((Infix::Binary(Binary::BvCompare(c)), level::RELATION, Fix::None));
    let shift = |s| Some((Infix::Binary(Binary::Bv(s)), level::SHIFT, Fix::Left));
    let times = |i| Some((i, level::MULTIPLICATIVE, Fix::Left));
    let until = |t| Some((Infix::Temporal(t), level::UNTIL, Fix::Right));
    match word {
        "U" => until(Temporal::Until),
        "R" | "V" => until(Temporal::Release),
        "W" => until(Temporal::WeakUntil),
        "M" => until(Temporal::StrongRelease),
        "iff" => Some((Infix::Binary(Binary::Iff), level::IFF, Fix::Right)),
        "imply" => Some((Infix::Binary(Binary::Imply), level::IMPLY, Fix::Right)),
        "or" if syntax == Syntax::Xsts => None,
        "or" | "||" => Some((Infix::Nary(Nary::Or), level::OR, Fix::Left)),
        "xor" => Some((Infix::Binary(Binary::Xor), level::XOR, Fix::Right)),
        "and" => Some((Infix::Nary(Nary::And), level::AND, Fix::Left)),
        "=" if syntax == Syntax::Xsts => None,
        "=" | "==" => Some((Infix::Binary(Binary::Eq), level::EQUALITY, Fix::None)),
        "/=" => Some((Infix::Binary(Binary::Ne), level::EQUALITY, Fix::None)),
        "<" => Some((Infix::Binary(Binary::Lt), level::RELATION, Fix::None)),
        "<=" => Some((Infix::Binary(Binary::Le), level::RELATION, Fix::None)),
        ">" => Some((Infix::Binary(Binary::Gt), level::RELATION, Fix::None)),
        ">=" => Some((Infix::Binary(Binary::Ge), level::RELATION, Fix::None)),
        "bvult" => compare(BvCompare::Ult),
        "bvule" => compare(BvCompare::Ule),
        "bvugt" => compare(BvCompare::Ugt),
        "bvuge" => compare(BvCompare::Uge),
        "bvslt" => compare(BvCompare::Slt),
        "bvsle" => compare(BvCompare::Sle),
        "bvsgt" => compare(BvCompare::Sgt),
        "bvsge" => compare(BvCompare::Sge),
        "bvor" => Some((Infix::Nary(Nary::BvOr), level::BV_OR, Fix::Left)),
        "bvxor" => Some((Infix::Nary(Nary::BvXor), level::BV_XOR, Fix::Left)),
        "bvand" => Some((Infix::Nary(Nary::BvAnd), level::BV_AND, Fix::Left)),
        "bvshl" => shift(Shl),
        "bvashr" => shift(Ashr),
        "bvlshr" => shift(Lshr),
        "bvrol" => shift(Rol),
        "bvror" => shift(Ror),
        "+" => Some((Infix::Sum(Sign::Plus), level::ADDITIVE, Fix::Left)),
        "-" => Some((Infix::Sum(Sign::Minus), level::ADDITIVE, Fix::Left)),
        "bvadd" => Some((Infix::BvSum(Sign::Plus), level::ADDITIVE, Fix::Left)),
        "bvsub" => Some((Infix::BvSum(Sign::Minus), level::ADDITIVE, Fix::Left)),
        "fpadd" | "fpsub" => Some((Infix::Unsupported(FLOATS), level::ADDITIVE, Fix::Left)),
        "*" => times(Infix::Nary(Nary::Mul)),
        "/" => times(Infix::Binary(Binary::Div)),
        "mod" => times(Infix::Binary(Binary::Mod)),
        "rem" => times(Infix::Binary(Binary::Rem)),
        "bvmul" => times(Infix::Nary(Nary::BvMul)),
        "bvudiv" => times(Infix::Binary(Binary::Bv(Udiv))),
        "bvsdiv" => times(Infix::Binary(Binary::Bv(Sdiv))),
        "bvsmod" => times(Infix::Binary(Binary::Bv(Smod))),
        "bvurem" => times(Infix::Binary(Binary::Bv(Urem))),
        "bvsrem" => times(Infix::Binary(Binary::Bv(Srem))),
        "fpmul" | "fpdiv" | "fprem" => times(Infix::Unsupported(FLOATS)),
        "fpmax" | "fpmin" => Some((Infix::Unsupported(FLOATS), level::FP_FUNCTION, Fix::None)),
        "++" => Some((Infix::Nary(Nary::Concat), level::CONCAT, Fix::Left)),
        _ => None,
    }
}

/// The names that may occur in a temporal formula.
pub(crate) enum Names<'a> {
    /// The names that satisfy this predicate.
    Known(&'a dyn Fn(&str) -> bool),
    /// Any name.
    Any,
}

impl Names<'_> {
    fn has(&self, word: &str) -> bool {
        match self {
            Names::Known(is_name) => is_name(word),
            Names::Any => false,
        }
    }

    /// May the text after the letter of an operator, without a blank between, be a name?
    fn may_be(&self, word: &str) -> bool {
        match self {
            Names::Known(is_name) => is_name(word),
            Names::Any => word.starts_with(|c: char| c.is_ascii_lowercase()),
        }
    }
}

/// The letters of temporal operators; `V` is SPIN's `R`.
const LETTERS: [&str; 8] = ["G", "F", "X", "U", "R", "V", "W", "M"];

/// The letters of path quantifiers.
const QUANTIFIERS: [&str; 2] = ["A", "E"];

/// The name under which floating point is rejected.
const FLOATS: &str = "floating-point arithmetic";

impl<'a> Parser<'a> {
    /// A cursor at the start of `text`, which must have passed `check_source`.
    #[must_use]
    pub fn new(text: &'a str, syntax: Syntax) -> Parser<'a> {
        let mut out = Vec::new();
        let tokens = lex(text, syntax, &mut out);
        Parser { text, syntax, tokens, at: 0, nesting: 0, fractions: false, out }
    }

    /// A cursor at the start of `text` in the syntax in which expressions are printed.
    #[must_use]
    pub fn printed(text: &'a str) -> Parser<'a> {
        Parser::new(text, Syntax::Cfa)
    }

    /// A cursor at the start of a temporal formula. Letters of temporal operators are operators unless they are names.
    /// A sequence of letters before an unknown name is split: `GFa`.
    pub(crate) fn temporal(text: &'a str, names: &Names<'_>) -> Parser<'a> {
        Parser::with_letters(text, names, "GFX")
    }

    /// The same for a formula of branching time, whose path quantifiers are letters, too: `AGEFa`.
    pub(crate) fn branching(text: &'a str, names: &Names<'_>) -> Parser<'a> {
        Parser::with_letters(text, names, "AEGFX")
    }

    /// The letters of `prefixes` may stand before a name without a blank.
    fn with_letters(text: &'a str, names: &Names<'_>, prefixes: &str) -> Parser<'a> {
        let mut parser = Parser::new(text, Syntax::Ltl);
        let operator = |word: &str| {
            let quantifier = QUANTIFIERS.iter().find(|q| **q == word && prefixes.contains(**q));
            LETTERS.iter().find(|l| **l == word).or(quantifier)
        };
        let tokens = std::mem::take(&mut parser.tokens);
        for token in tokens {
            let word = token.span.of(text);
            if token.tok != Tok::Ident || names.has(word) {
                parser.tokens.push(token);
                continue;
            }
            if let Some(letter) = operator(word) {
                parser.tokens.push(Token { tok: Tok::Key(letter), span: token.span });
                continue;
            }
            let letters = word.chars().take_while(|c| prefixes.contains(*c)).count();
            let splits = letters == word.len() || names.may_be(&word[letters..]);
            let start = token.span.start as usize;
            let letters = if splits { letters } else { 0 };
            for i in 0..letters {
                let letter = operator(&word[i..=i]).expect("one of them");
                parser
                    .tokens
                    .push(Token { tok: Tok::Key(letter), span: Span::new(start + i, start + i + 1) });
            }
            if letters < word.len() {
                let span = Span::new(start + letters, start + word.len());
                parser.tokens.push(Token { span, ..token });
            }
        }
        parser
    }

    /// The syntax of the text.
    #[must_use]
    pub fn syntax(&self) -> Syntax {
        self.syntax
    }

    /// The current token.
    #[must_use]
    pub fn token(&self) -> Token {
        self.tokens[self.at]
    }

    /// The kind of the current token.
    #[must_use]
    pub fn tok(&self) -> Tok {
        self.token().tok
    }

    /// The kind of the `n`-th next token.
    #[must_use]
    pub fn ahead(&self, n: usize) -> Tok {
        self.tokens.get(self.at + n).map_or(Tok::End, |t| t.tok)
    }

    /// The text of the current token.
    #[must_use]
    pub fn word(&self) -> &'a str {
        self.token().span.of(self.text)
    }

    /// The place of the token before the current one.
    #[must_use]
    pub fn previous(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// Advances to the next token, if there is one.
    pub fn advance(&mut self) -> Token {
        let token = self.token();
        if token.tok != Tok::End {
            self.at += 1;
        }
        token
    }

    /// Consumes `tok` if it is the current token.
    pub fn eat(&mut self, tok: Tok) -> bool {
        let found = self.tok() == tok;
        if found {
            self.advance();
        }
        found
    }

    /// Consumes `tok`, or reports that it is missing.
    ///
    /// # Errors
    /// If the current token is another one.
    pub fn expect(&mut self, tok: Tok) -> Parsed<Token> {
        if self.tok() == tok { Ok(self.advance()) } else { Err(self.unexpected(&describe(tok))) }
    }

    /// Consumes a name.
    ///
    /// # Errors
    /// If the current token is something else.
    pub fn name(&mut self) -> Parsed<(String, Span)> {
        if self.tok() == Tok::Ident {
            let name = self.word().to_owned();
            return Ok((name, self.advance().span));
        }
        Err(self.unexpected("a name"))
    }

    /// Reports an error at `span`.
    pub fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.out.push(Diagnostic::error(span, message));
        Reported
    }

    /// Reports that `wanted` was expected here.
    pub fn unexpected(&mut self, wanted: &str) -> Reported {
        let found = match self.tok() {
            Tok::End => "the text ends".to_owned(),
            Tok::Key(_) if self.word().starts_with(char::is_alphabetic) => {
                format!("the reserved word '{}' is", self.word())
            }
            _ => {
                let word: String = self.word().chars().take(40).collect();
                format!("'{word}' is")
            }
        };
        let place = if self.tok() == Tok::End { " here" } else { " here instead" };
        let span = self.token().span;
        self.error(span, format!("expected {wanted}, but {found}{place}"))
    }

    /// Parses an expression.
    ///
    /// # Errors
    /// After a report.
    pub fn expression(&mut self) -> Parsed<Ast> {
        self.climb(level::ITE)
    }

    /// Parses an expression that ends before an implication outside of parentheses.
    ///
    /// # Errors
    /// After a report.
    pub(crate) fn operand_of_implication(&mut self) -> Parsed<Ast> {
        self.climb(level::QUANTIFIED)
    }

    /// Parses an expression that ends before a comparison outside of parentheses.
    ///
    /// # Errors
    /// After a report.
    pub(crate) fn operand_of_comparison(&mut self) -> Parsed<Ast> {
        self.climb(level::ADDITIVE)
    }

    fn node(&mut self, kind: AstKind, span: Span) -> Parsed<Ast> {
        let Some(ast) = Ast::new(kind, span) else { return Err(self.too_deep(span)) };
        Ok(ast)
    }

    fn too_deep(&mut self, span: Span) -> Reported {
        let message = format!("the expression is nested too deeply, the limit is {} levels", limits::DEPTH);
        self.out.push(Diagnostic::unsupported(span, message));
        Reported
    }

    /// Calls `parse` one level of nesting deeper.
    pub(crate) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= limits::DEPTH {
            let span = self.token().span;
            return Err(self.too_deep(span));
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    /// An expression whose operators bind at least as tightly as `least`.
    fn climb(&mut self, least: u8) -> Parsed<Ast> {
        self.nested(|p| {
            let first = p.prefix(least)?;
            p.chain(first, least)
        })
    }

    /// Extends `left` to the right while operators bind tightly enough.
    fn chain(&mut self, mut left: Ast, least: u8) -> Parsed<Ast> {
        // Is `left` a chain built by this loop (and not one in parentheses)?
        let mut open = false;
        let mut last_unchained = u8::MAX;
        loop {
            if level::EXTEND >= least && matches!(self.tok(), Tok::Key("bv_zero_extend" | "bv_sign_extend")) {
                left = self.extension(left)?;
                open = false;
                continue;
            }
            let Some((op, at, fix)) = infix(self.tok(), self.syntax) else { break };
            if at < least {
                break;
            }
            if fix == Fix::None && at >= last_unchained {
                let span = self.token().span;
                return Err(self.error(span, "comparisons cannot be chained; put one of them in parentheses"));
            }
            let place = self.advance().span;
            self.rounding_mode(op)?;
            let right = self.climb(if fix == Fix::Right { at } else { at + 1 })?;
            left = self.join((op, place), left, right, open)?;
            open = true;
            last_unchained = if fix == Fix::None { at } else { u8::MAX };
        }
        Ok(left)
    }

    fn rounding_mode(&mut self, op: Infix) -> Parsed<()> {
        if matches!(op, Infix::Unsupported(_)) && self.tok() == Tok::Sym("[") {
            self.advance();
            self.name()?;
            self.expect(Tok::Sym("]"))?;
        }
        Ok(())
    }

    fn join(&mut self, (op, place): (Infix, Span), left: Ast, right: Ast, open: bool) -> Parsed<Ast> {
        let span = left.span.to(right.span);
        let depth = left.depth.max(right.depth + 1);
        let kind = match (op, left.kind) {
            (Infix::Binary(op), kind) => AstKind::Binary(op, Box::new([Ast { kind, ..left }, right])),
            (Infix::Nary(op), AstKind::Nary(same, mut all)) if same == op && open => {
                all.push(right);
                return self.grown(AstKind::Nary(op, all), span, depth);
            }
            (Infix::Sum(sign), AstKind::Sum(mut all)) if open => {
                all.push((sign, right));
                return self.grown(AstKind::Sum(all), span, depth);
            }
            (Infix::BvSum(sign), AstKind::BvSum(mut all)) if open => {
                all.push((sign, right));
                return self.grown(AstKind::BvSum(all), span, depth);
            }
            (Infix::Nary(op), kind) => AstKind::Nary(op, vec![Ast { kind, ..left }, right]),
            (Infix::Sum(sign), kind) => AstKind::Sum(vec![(Sign::Plus, Ast { kind, ..left }), (sign, right)]),
            (Infix::BvSum(sign), kind) => {
                AstKind::BvSum(vec![(Sign::Plus, Ast { kind, ..left }), (sign, right)])
            }
            (Infix::Temporal(op), kind) => AstKind::Temporal(op, place, vec![Ast { kind, ..left }, right]),
            (Infix::Unsupported(what), _) => AstKind::Unsupported(what),
        };
        self.node(kind, span)
    }

    /// A chain with one more operand; the depth is updated without a traversal of the others.
    fn grown(&mut self, kind: AstKind, span: Span, depth: u32) -> Parsed<Ast> {
        if depth > limits::DEPTH { Err(self.too_deep(span)) } else { Ok(Ast { kind, span, depth }) }
    }

    /// Rejects a prefix operator as the operand of an operator that binds tighter.
    fn loose(&mut self, word: &str, binds: u8, least: u8) -> Parsed<()> {
        if least <= binds {
            return Ok(());
        }
        let span = self.token().span;
        Err(self
            .error(span, format!("'{word}' binds looser than the operator before it; put it in parentheses")))
    }

    fn prefix(&mut self, least: u8) -> Parsed<Ast> {
        let start = self.token().span;
        let word = match self.tok() {
            Tok::Key(word) | Tok::Sym(word) => word,
            _ => return self.access(),
        };
        match word {
            "if" => {
                self.loose(word, level::ITE, least)?;
                self.advance();
                let condition = self.expression()?;
                self.expect(Tok::Key("then"))?;
                let then = self.expression()?;
                self.expect(Tok::Key("else"))?;
                let other = self.climb(level::ITE)?;
                let span = start.to(other.span);
                self.node(AstKind::Ite(Box::new([condition, then, other])), span)
            }
            "forall" | "exists" => {
                self.loose(word, level::QUANTIFIED, least)?;
                self.advance();
                self.declarations()?;
                let body = self.climb(level::QUANTIFIED)?;
                self.node(AstKind::Unsupported("a quantifier"), start.to(body.span))
            }
            "G" | "F" | "X" => {
                self.loose(word, level::NEXT, least)?;
                self.temporal_prefix(word)
            }
            "A" | "E" => {
                self.loose(word, level::NEXT, least)?;
                self.quantified(if word == "A" { Quantifier::All } else { Quantifier::Some })
            }
            "!" => {
                self.loose(word, level::NEXT, least)?;
                self.unary(Unary::Not, level::NEXT)
            }
            // After a temporal operator, only the following operator can be meant.
            "not" if least > level::NOT && least <= level::NEXT => self.unary(Unary::Not, level::NEXT),
            "not" => {
                self.loose(word, level::NOT, least)?;
                self.unary(Unary::Not, level::NOT)
            }
            "bvnot" => self.unary(Unary::BvNot, level::BV_NOT),
            "-" | "bvneg" | "+" | "bvpos" => {
                self.loose(word, level::UNARY, least)?;
                match word {
                    "-" => self.unary(Unary::Neg, level::UNARY),
                    "bvneg" => self.unary(Unary::BvNeg, level::UNARY),
                    _ => {
                        self.advance();
                        let operand = self.climb(level::UNARY)?;
                        let span = start.to(operand.span);
                        self.node(AstKind::Positive(Box::new(operand)), span)
                    }
                }
            }
            "(" if self.is_function() => self.function(),
            _ if word.starts_with("fp") && word != "fp" => self.float_prefix(),
            _ => self.access(),
        }
    }

    /// `G a`, `F a`, `X a`
    fn temporal_prefix(&mut self, word: &str) -> Parsed<Ast> {
        let op = match word {
            "G" => Temporal::Globally,
            "F" => Temporal::Finally,
            _ => Temporal::Next,
        };
        let start = self.advance().span;
        let operand = self.climb(level::NEXT)?;
        let span = start.to(operand.span);
        self.node(AstKind::Temporal(op, start, vec![operand]), span)
    }

    /// A path quantifier with the formula after it.
    fn quantified(&mut self, quantifier: Quantifier) -> Parsed<Ast> {
        let start = self.advance().span;
        let path = if self.eat(Tok::Sym("[")) {
            let path = self.expression()?;
            self.expect(Tok::Sym("]"))?;
            path
        } else {
            self.climb(level::NEXT)?
        };
        let span = start.to(self.previous());
        self.node(AstKind::Paths(quantifier, start, Box::new(path)), span)
    }

    fn unary(&mut self, op: Unary, binds: u8) -> Parsed<Ast> {
        let start = self.advance().span;
        let operand = self.climb(binds)?;
        let span = start.to(operand.span);
        self.node(AstKind::Unary(op, Box::new(operand)), span)
    }
}

/// A token as spelled in messages.
fn describe(tok: Tok) -> String {
    match tok {
        Tok::Ident => "a name".to_owned(),
        Tok::Number => "a number".to_owned(),
        Tok::Bits => "a bit-vector literal".to_owned(),
        Tok::Sym(word) | Tok::Key(word) => format!("'{word}'"),
        Tok::End => "the end".to_owned(),
    }
}

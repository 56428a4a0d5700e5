//! Lexing of Theta's languages, which share one expression grammar and differ in the spelling of operators.
//!
//! A text becomes a list of tokens that ends with [`Tok::End`]; comments and blanks are dropped. Invalid characters,
//! unclosed comments and overlong words are reported, and lexing continues.

use crate::diagnostic::{Diagnostic, Span, limits};

/// A kind of token; its text is given by the span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tok {
    /// A name.
    Ident,
    /// A decimal integer.
    Number,
    /// A bit-vector literal such as `4'd5`.
    Bits,
    /// Punctuation.
    Sym(&'static str),
    /// A reserved word.
    Key(&'static str),
    /// The end of the text.
    End,
}

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// Its kind.
    pub tok: Tok,
    /// Its place.
    pub span: Span,
}

/// The words and operators of one of Theta's languages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// Control-flow automata, and formulas of certificates and properties.
    #[default]
    Cfa,
    /// Symbolic transition systems, with the keywords of the language's first version, too.
    Sts,
    /// Extended symbolic transition systems, with operators as in C.
    Xsts,
    /// Formulas of linear temporal logic, with the operators of Theta's, Spot's and SPIN's, and mathematical signs.
    Ltl,
}

/// Longest first, so that the first match is the longest.
const SYMBOLS: [&str; 28] = [
    ":=", "->", "<-", "<=", ">=", "/=", "++", "(", ")", "[", "]", "{", "}", ",", ":", ";", "=", "<", ">",
    "+", "-", "*", "/", "%", "'", ".", "!", "&",
];

/// Operators of extended symbolic transition systems, with their spelling in other languages.
const XSTS_SYMBOLS: [(&str, Tok); 7] = [
    ("&&", Tok::Key("and")),
    ("||", Tok::Sym("||")),
    ("==", Tok::Sym("==")),
    ("!=", Tok::Sym("/=")),
    ("=>", Tok::Key("imply")),
    ("!", Tok::Key("not")),
    ("%", Tok::Key("mod")),
];

/// Operators of temporal formulas, longest first. `!` binds tighter than `not`.
const LTL_SYMBOLS: [(&str, Tok); 43] = [
    ("<->", Tok::Key("iff")),
    ("<=>", Tok::Key("iff")),
    ("&&", Tok::Key("and")),
    ("/\\", Tok::Key("and")),
    ("||", Tok::Key("or")),
    ("\\/", Tok::Key("or")),
    ("->", Tok::Key("imply")),
    ("=>", Tok::Key("imply")),
    ("[]", Tok::Key("G")),
    ("<>", Tok::Key("F")),
    ("==", Tok::Sym("=")),
    ("!=", Tok::Sym("/=")),
    ("<=", Tok::Sym("<=")),
    // `x<-1` is a comparison here.
    ("<", Tok::Sym("<")),
    ("&", Tok::Key("and")),
    ("|", Tok::Key("or")),
    ("^", Tok::Key("xor")),
    ("!", Tok::Key("!")),
    ("~", Tok::Key("!")),
    ("%", Tok::Key("mod")),
    ("@", Tok::Sym("@")),
    ("□", Tok::Key("G")),
    ("◻", Tok::Key("G")),
    ("◇", Tok::Key("F")),
    ("◊", Tok::Key("F")),
    ("○", Tok::Key("X")),
    ("◯", Tok::Key("X")),
    ("𝓤", Tok::Key("U")),
    ("𝒰", Tok::Key("U")),
    ("∧", Tok::Key("and")),
    ("∨", Tok::Key("or")),
    ("¬", Tok::Key("!")),
    ("→", Tok::Key("imply")),
    ("⇒", Tok::Key("imply")),
    ("↔", Tok::Key("iff")),
    ("⇔", Tok::Key("iff")),
    ("⊕", Tok::Key("xor")),
    ("≠", Tok::Sym("/=")),
    ("≤", Tok::Sym("<=")),
    ("≥", Tok::Sym(">=")),
    ("⊤", Tok::Key("true")),
    ("⊥", Tok::Key("false")),
    ("−", Tok::Sym("-")),
];

/// Synonyms: words with the meaning of a word of another language.
const ALIASES: [(Syntax, &str, &str); 8] = [
    (Syntax::Sts, "integer", "int"),
    (Syntax::Sts, "boolean", "bool"),
    (Syntax::Sts, "real", "rat"),
    (Syntax::Sts, "equal", "iff"),
    (Syntax::Xsts, "integer", "int"),
    (Syntax::Xsts, "boolean", "bool"),
    (Syntax::Xsts, "rational", "rat"),
    (Syntax::Ltl, "implies", "imply"),
];

/// The reserved words of Theta's CFA language (and, through expressions, of its other languages).
#[rustfmt::skip]
const KEYWORDS: [&str; 76] = [
    "var", "main", "process", "init", "final", "error", "loc", "bool", "int", "rat", "bv", "fp", "if",
    "then", "else", "iff", "imply", "forall", "exists", "or", "and", "xor", "not", "mod", "rem", "true",
    "false", "default", "havoc", "assume", "return", "bv_zero_extend", "bv_sign_extend", "bvadd", "bvsub",
    "bvpos", "bvneg", "bvmul", "bvudiv", "bvsdiv", "bvsmod", "bvurem", "bvsrem", "bvor", "bvand", "bvxor",
    "bvnot", "bvshl", "bvashr", "bvlshr", "bvrol", "bvror", "bvult", "bvule", "bvugt", "bvuge", "bvslt",
    "bvsle", "bvsgt", "bvsge", "fpabs", "fpfrombv", "fpisnan", "fpmax", "fpmin", "fprem", "fproundtoint",
    "fpsqrt", "fptobv", "fptofp", "fpsub", "fpadd", "fpmul", "fpdiv", "fppos", "fpneg",
];

/// The reserved words of symbolic transition systems.
const STS: [&str; 20] = [
    "var", "bool", "int", "rat", "if", "then", "else", "iff", "imply", "forall", "exists", "or", "and",
    "xor", "not", "mod", "rem", "true", "false", "default",
];

/// The reserved words of extended symbolic transition systems.
const XSTS: [&str; 13] =
    ["var", "if", "then", "else", "iff", "xor", "or", "rem", "true", "false", "default", "havoc", "assume"];

/// The reserved words of temporal formulas.
const LTL: [&str; 13] =
    ["if", "then", "else", "iff", "imply", "or", "and", "xor", "not", "mod", "rem", "true", "false"];

/// Is `word` reserved, that is, not usable as a name?
#[must_use]
pub fn keyword(word: &str) -> Option<&'static str> {
    KEYWORDS.iter().find(|k| **k == word).copied()
}

impl Syntax {
    /// The kind of a word in this language.
    fn word(self, word: &str) -> Tok {
        if let Some((_, _, same)) = ALIASES.iter().find(|(syntax, w, _)| *syntax == self && *w == word) {
            return Tok::Key(same);
        }
        match keyword(word) {
            Some(key) => match self {
                Syntax::Cfa => Tok::Key(key),
                Syntax::Sts if STS.contains(&key) => Tok::Key(key),
                Syntax::Xsts if XSTS.contains(&key) => Tok::Key(key),
                Syntax::Ltl if LTL.contains(&key) => Tok::Key(key),
                Syntax::Sts | Syntax::Xsts | Syntax::Ltl => Tok::Ident,
            },
            None => Tok::Ident,
        }
    }
}

/// Splits `text` into tokens; the last one is [`Tok::End`].
pub(crate) fn lex(text: &str, syntax: Syntax, out: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut lexer = Lexer { text, syntax, at: 0, tokens: Vec::new() };
    while lexer.at < text.len() {
        lexer.step(out);
    }
    let end = Span::new(text.len(), text.len());
    lexer.tokens.push(Token { tok: Tok::End, span: end });
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a str,
    syntax: Syntax,
    at: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn step(&mut self, out: &mut Vec<Diagnostic>) {
        let rest = self.rest();
        let first = rest.chars().next().expect("not at the end");
        if first.is_ascii_whitespace() || first == '\u{feff}' {
            self.at += first.len_utf8();
        } else if rest.starts_with("//") {
            self.at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            self.block_comment(out);
        } else if first.is_ascii_alphabetic() || first == '_' || first == '$' && self.dotted() {
            self.word(out);
        } else if first == '"' && self.syntax == Syntax::Ltl {
            self.quoted(out);
        } else if first.is_ascii_digit() {
            self.number(out);
        } else if let Some((symbol, tok)) = self.operator() {
            self.push(tok, symbol.len());
        } else if let Some(symbol) = SYMBOLS.iter().find(|s| rest.starts_with(**s)) {
            self.push(Tok::Sym(symbol), symbol.len());
        } else {
            let span = Span::new(self.at, self.at + first.len_utf8());
            out.push(Diagnostic::error(span, format!("unexpected character {first:?}")));
            self.at += first.len_utf8();
        }
    }

    /// May names have dots and dollar signs?
    fn dotted(&self) -> bool {
        matches!(self.syntax, Syntax::Xsts | Syntax::Ltl)
    }

    /// A name in quotation marks.
    fn quoted(&mut self, out: &mut Vec<Diagnostic>) {
        let close = self.rest()[1..].find(['"', '\n']).filter(|n| self.rest()[1 + n..].starts_with('"'));
        match close {
            Some(n) => self.push(Tok::Ident, n + 2),
            None => {
                let span = Span::new(self.at, self.at + 1);
                out.push(Diagnostic::error(span, "this quotation mark is not closed"));
                self.at = self.text.len();
            }
        }
    }

    /// An operator that exists in this language only.
    fn operator(&self) -> Option<(&'static str, Tok)> {
        let own: &[(&str, Tok)] = match self.syntax {
            Syntax::Xsts => &XSTS_SYMBOLS,
            Syntax::Ltl => &LTL_SYMBOLS,
            Syntax::Cfa | Syntax::Sts => &[],
        };
        own.iter().find(|(s, _)| self.rest().starts_with(s)).copied()
    }

    fn push(&mut self, tok: Tok, length: usize) {
        self.tokens.push(Token { tok, span: Span::new(self.at, self.at + length) });
        self.at += length;
    }

    fn block_comment(&mut self, out: &mut Vec<Diagnostic>) {
        match self.rest().find("*/").filter(|&at| at >= 2) {
            Some(end) => self.at += end + 2,
            // `/*/` opens a comment and does not close it
            None => match self.rest()[2..].find("*/") {
                Some(end) => self.at += end + 4,
                None => {
                    let span = Span::new(self.at, self.at + 2);
                    out.push(Diagnostic::error(span, "this comment is not closed by '*/'"));
                    self.at = self.text.len();
                }
            },
        }
    }

    fn length_while(&self, accept: impl Fn(u8) -> bool) -> usize {
        self.rest().bytes().take_while(|b| accept(*b)).count()
    }

    fn word(&mut self, out: &mut Vec<Diagnostic>) {
        let more = |b: u8| self.dotted() && (b == b'$' || b == b'.');
        let length = self.length_while(|b| b.is_ascii_alphanumeric() || b == b'_' || more(b));
        // Two dots are between numbers, as in `m..n`.
        let length = self.rest()[..length].find("..").filter(|n| *n > 0).unwrap_or(length);
        if length > limits::IDENTIFIER {
            let message = format!("a name of {length} bytes, the limit is {} bytes", limits::IDENTIFIER);
            out.push(Diagnostic::error(Span::new(self.at, self.at + length), message));
        }
        let tok = self.syntax.word(&self.rest()[..length]);
        self.push(tok, length);
    }

    fn number(&mut self, out: &mut Vec<Diagnostic>) {
        let digits = self.length_while(|b| b.is_ascii_digit());
        let bits = self.bits_after(digits);
        let length = digits + bits.unwrap_or(0);
        if length > limits::DIGITS {
            let message = format!("a number of {length} digits, the limit is {}", limits::DIGITS);
            out.push(Diagnostic::error(Span::new(self.at, self.at + length), message));
        }
        self.push(if bits.is_some() { Tok::Bits } else { Tok::Number }, length);
    }

    /// The length of `'b0101`, `'d12`, `'d-3` or `'xff` after the width.
    fn bits_after(&self, digits: usize) -> Option<usize> {
        let rest = &self.rest().as_bytes()[digits..];
        if rest.first() != Some(&b'\'') {
            return None;
        }
        let (sign, accept): (usize, fn(&u8) -> bool) = match rest.get(1)? {
            b'b' => (0, |b| matches!(b, b'0' | b'1')),
            b'd' => (usize::from(matches!(rest.get(2), Some(b'+' | b'-'))), u8::is_ascii_digit),
            b'x' => (0, u8::is_ascii_hexdigit),
            _ => return None,
        };
        let count = rest[2 + sign..].iter().take_while(|b| accept(b)).count();
        (count > 0).then_some(2 + sign + count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let mut out = Vec::new();
        let tokens = lex(text, Syntax::Cfa, &mut out);
        assert!(out.is_empty(), "{out:?}");
        tokens.iter().map(|t| t.span.of(text)).collect()
    }

    #[test]
    fn splits_as_theta_does() {
        assert_eq!(words("x:=4'd-3++y/**/ // end"), ["x", ":=", "4'd-3", "++", "y", ""]);
        assert_eq!(
            words("__a<-1%2 5'b1.10'd0 x'"),
            ["__a", "<-", "1", "%", "2", "5'b1", ".", "10'd0", "x", "'", ""]
        );
    }

    #[test]
    fn syntaxes_spell_operators_differently() {
        let text = "a.b != 1 % 2 && !init => real";
        let tokens =
            |syntax: Syntax| lex(text, syntax, &mut Vec::new()).iter().map(|t| t.tok).collect::<Vec<_>>();
        let (key, sym) = (Tok::Key, Tok::Sym);
        let xsts = [
            Tok::Ident,
            sym("/="),
            Tok::Number,
            key("mod"),
            Tok::Number,
            key("and"),
            key("not"),
            Tok::Ident,
            key("imply"),
            Tok::Ident,
            Tok::End,
        ];
        assert_eq!(tokens(Syntax::Xsts), xsts);
        assert_eq!(tokens(Syntax::Sts)[..3], [Tok::Ident, sym("."), Tok::Ident]);
        assert!(tokens(Syntax::Sts).contains(&key("rat")) && tokens(Syntax::Cfa).contains(&key("init")));
    }

    #[test]
    fn reports_and_goes_on() {
        let mut out = Vec::new();
        let tokens = lex("a § b /* open", Syntax::Cfa, &mut out);
        assert_eq!(tokens.len(), 3);
        assert_eq!(out.len(), 2);
        assert!(out[1].message.contains("not closed"));
    }
}

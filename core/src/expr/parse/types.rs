//! Types and parameter lists.

use super::{Parsed, Parser};
use crate::diagnostic::limits;
use crate::expr::ast::{TypeAst, TypeKind};
use crate::expr::lex::{Syntax, Tok};

impl Parser<'_> {
    /// Parses a type.
    ///
    /// # Errors
    /// After a report.
    pub fn ty(&mut self) -> Parsed<TypeAst> {
        self.nested(Parser::ty_here)
    }

    fn ty_here(&mut self) -> Parsed<TypeAst> {
        let start = self.token().span;
        let kind = match self.tok() {
            Tok::Key("bool") => TypeKind::Bool,
            Tok::Key("int") => TypeKind::Int,
            Tok::Key("rat") => TypeKind::Rat,
            Tok::Key("bv") => {
                self.advance();
                let kind = TypeKind::Bv(self.width()?);
                return Ok(TypeAst { kind, span: start.to(self.previous()) });
            }
            Tok::Key("fp") => {
                self.advance();
                self.expect(Tok::Sym("["))?;
                self.small()?;
                if !self.eat(Tok::Sym(":")) && !self.eat(Tok::Sym(",")) {
                    return Err(self.unexpected("':'"));
                }
                self.small()?;
                let span = start.to(self.expect(Tok::Sym("]"))?.span);
                return Ok(TypeAst { kind: TypeKind::Unsupported("the floating-point type"), span });
            }
            Tok::Sym("[") => {
                self.advance();
                let index = Box::new(self.ty()?);
                self.expect(Tok::Sym("]"))?;
                self.expect(Tok::Sym("->"))?;
                let element = Box::new(self.ty()?);
                let span = start.to(element.span);
                return Ok(TypeAst { kind: TypeKind::Array(index, element), span });
            }
            Tok::Sym("(") => {
                self.advance();
                self.ty()?;
                while self.eat(Tok::Sym(",")) {
                    self.ty()?;
                }
                self.expect(Tok::Sym(")"))?;
                self.expect(Tok::Sym("->"))?;
                let result = self.ty()?;
                return Ok(TypeAst {
                    kind: TypeKind::Unsupported("a function type"),
                    span: start.to(result.span),
                });
            }
            Tok::Ident => TypeKind::Named(self.word().to_owned()),
            _ => return Err(self.unexpected(self.types())),
        };
        self.advance();
        Ok(TypeAst { kind, span: start })
    }

    fn types(&self) -> &'static str {
        match self.syntax() {
            Syntax::Cfa => "a type (bool, int, rat, bv[n] or [index] -> element)",
            Syntax::Sts => "a type (bool, int, rat or [index] -> element)",
            Syntax::Xsts | Syntax::Ltl => "a type (boolean, integer, an enumeration or [index] -> element)",
        }
    }

    /// `[n]` after `bv`.
    pub(super) fn width(&mut self) -> Parsed<u32> {
        self.expect(Tok::Sym("["))?;
        let span = self.token().span;
        let width = self.small()?;
        if width == 0 || width > limits::BITS {
            return Err(self.error(span, format!("a bit-vector has between 1 and {} bits", limits::BITS)));
        }
        self.expect(Tok::Sym("]"))?;
        Ok(width)
    }

    /// A number that fits 32 bits.
    pub(super) fn small(&mut self) -> Parsed<u32> {
        let span = self.token().span;
        if self.tok() != Tok::Number {
            return Err(self.unexpected("a number"));
        }
        let word = self.word();
        self.advance();
        word.parse().map_err(|_| self.error(span, "this number is too large here"))
    }

    /// `(a : t, b : t)`; parsed only to be skipped, because parameters are not supported.
    pub(crate) fn declarations(&mut self) -> Parsed<()> {
        self.expect(Tok::Sym("("))?;
        while self.tok() != Tok::Sym(")") {
            self.name()?;
            self.expect(Tok::Sym(":"))?;
            self.ty()?;
            if !self.eat(Tok::Sym(",")) {
                break;
            }
        }
        self.expect(Tok::Sym(")"))?;
        Ok(())
    }
}

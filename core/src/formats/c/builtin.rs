//! Built-in functions, which a program need not define.

use lang_c::ast::Expression;
use lang_c::span::Node;

use super::Program;
use super::operators::{cannot_be_undefined, is_text, pure};
use super::types::{CType, DataModel, INT, Value, number};
use crate::diagnostic::Span;
use crate::expr::Expr;

/// The effect of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    /// Returns any value of a type.
    Input(CType),
    /// Continues only if its argument is not zero.
    Assume,
    /// Fails if its argument is zero.
    Assert,
    /// Fails.
    Fail,
    /// Ends the program.
    Exit,
    /// Prints, or has another effect that does not involve variables; its result has this type and is not supported.
    Effectless(CType),
    /// Returns its first argument.
    First,
}

/// The built-in function of this name. Definitions in the program take precedence, except for functions that fail.
pub(super) fn builtin(name: &str, model: DataModel) -> Option<Builtin> {
    let int = |bits, signed| Some(Builtin::Input(CType::Int { bits, signed }));
    let long = model.long();
    if let Some(ty) = name.strip_prefix("__VERIFIER_nondet_") {
        return match ty {
            "int" => int(32, true),
            "uint" | "unsigned" | "unsigned_int" | "u32" => int(32, false),
            "long" | "ssize_t" => int(long, true),
            "ulong" | "size_t" => int(long, false),
            "short" => int(16, true),
            "ushort" | "u16" => int(16, false),
            "char" => int(8, true),
            "uchar" | "u8" => int(8, false),
            "longlong" => int(64, true),
            "ulonglong" => int(64, false),
            "bool" | "_Bool" => Some(Builtin::Input(CType::Bool)),
            _ => None,
        };
    }
    match name {
        "nondet" | "nondet_int" => int(32, true),
        "nondet_uint" => int(32, false),
        "nondet_bool" => Some(Builtin::Input(CType::Bool)),
        "__VERIFIER_assume" | "assume" => Some(Builtin::Assume),
        "__VERIFIER_assert" | "assert" => Some(Builtin::Assert),
        "reach_error" | "__VERIFIER_error" | "__assert_fail" | "__assert" => Some(Builtin::Fail),
        "abort" | "exit" | "_exit" => Some(Builtin::Exit),
        "printf" | "puts" | "putchar" | "fflush" => Some(Builtin::Effectless(INT)),
        "perror" | "srand" => Some(Builtin::Effectless(CType::Void)),
        "__builtin_expect" => Some(Builtin::First),
        _ => None,
    }
}

/// Is it an error function, even if the program defines it?
pub(super) fn always_fails(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}

impl Program<'_> {
    /// The value of a call of a built-in function.
    pub(super) fn known_by_name(
        &mut self,
        name: &str,
        arguments: &[Node<Expression>],
        span: Span,
    ) -> Option<Value> {
        let Some(builtin) = self.builtin(name) else {
            let declared = self.unsupported.contains(name) && builtin(name, self.model).is_some();
            return self.unsupported(
                span,
                match declared {
                    true => format!("the type that '{name}' is declared with is not supported"),
                    false => format!("the function '{name}' is not defined"),
                },
            );
        };
        if let Builtin::Effectless(_) | Builtin::Exit = builtin {
            self.check_usual(name, arguments, span)?;
        }
        self.flow.mark(span);
        let read = match builtin {
            Builtin::Assume | Builtin::Assert | Builtin::First => 1,
            Builtin::Input(_) | Builtin::Fail | Builtin::Exit | Builtin::Effectless(_) => 0,
        };
        let unread = &arguments[read.min(arguments.len())..];
        let types = unread.iter().map(|argument| self.unused(argument)).collect::<Option<Vec<_>>>()?;
        if name == "printf" {
            self.check_format(arguments, &types, span)?;
        }
        match builtin {
            Builtin::Input(ty) => {
                let v = self.temporary("input", &ty, span);
                self.any(v, &ty, span);
                return Some(Value::new(Expr::var(v, ty.variable()).at(span), ty));
            }
            Builtin::Assume | Builtin::Assert => {
                let [argument] = arguments else {
                    return self.error(span, format!("'{name}' expects one argument"));
                };
                let (yes, no) = self.branch_as(argument, &self.argument_type(name))?;
                if builtin == Builtin::Assert {
                    self.flow.go(no);
                    self.flow.fail(&format!("{name} fails"), span);
                }
                self.flow.go(yes);
            }
            Builtin::Fail => self.flow.fail(&format!("{name}()"), span),
            Builtin::Exit => self.flow.end(span),
            Builtin::Effectless(CType::Void) => {}
            Builtin::Effectless(_) if self.wants => {
                return self.unsupported(span, format!("the result of '{name}' is not supported"));
            }
            Builtin::Effectless(ty) => return Some(Value::new(number(0).at(span), ty)),
            Builtin::First => {
                let long = CType::Int { bits: self.model.long(), signed: true };
                let value = self.used(arguments.first()?)?;
                return Some(Value::new(value.converted(&long), long));
            }
        }
        Some(Value::new(number(0).at(span), CType::Void))
    }

    /// Checks the arguments of a library function that has no effect here or ends the program: their number, and string
    /// literals where one is expected.
    fn check_usual(&mut self, name: &str, arguments: &[Node<Expression>], span: Span) -> Option<()> {
        let fits = match name {
            "printf" => !arguments.is_empty(),
            "abort" => arguments.is_empty(),
            _ => arguments.len() == 1,
        };
        if !fits {
            return self.error(span, format!("'{name}' is called with another number of arguments"));
        }
        let text = matches!(name, "printf" | "puts" | "perror");
        if text && !is_text(&arguments[0]) {
            return self
                .unsupported(span, format!("the first argument of '{name}' has to be a string literal"));
        }
        Some(())
    }

    /// Evaluates an argument whose value is irrelevant and may be unsupported: it may be printed. Returns its type
    /// after promotion, if it is supported.
    pub(super) fn unused(&mut self, argument: &Node<Expression>) -> Option<Option<CType>> {
        let reported = self.out.len();
        // The value is used (C17, 6.9.1, paragraph 12); the value of a library call is not supported, but may be
        // passed.
        let value = self.rvalue_as(argument, !self.has_no_effect(argument));
        if value.as_ref().is_some_and(|value| value.ty == CType::Void) {
            let span = self.source.span(argument);
            return self.error(span, "this expression has no value");
        }
        let ty = value.map(|value| value.ty.promoted());
        if !pure(argument) {
            return ty.map(Some);
        }
        if cannot_be_undefined(argument) {
            self.keep_errors(reported);
        }
        Some(ty)
    }

    /// Is this a call of a function without effect here?
    pub(super) fn has_no_effect(&self, e: &Node<Expression>) -> bool {
        let Expression::Call(call) = &e.node else { return false };
        let Expression::Identifier(id) = &call.node.callee.node else { return false };
        !self.functions.contains_key(&id.node.name)
            && matches!(self.builtin(&id.node.name), Some(Builtin::Effectless(_)))
    }

    /// The effect of a function without a definition. The program may declare the type of an input.
    pub(super) fn builtin(&self, name: &str) -> Option<Builtin> {
        let declared = self.prototypes.get(name).map(|p| &p.result);
        match (builtin(name, self.model)?, declared) {
            (Builtin::Input(_) | Builtin::Assume | Builtin::Assert, None)
                if self.unsupported.contains(name) =>
            {
                None
            }
            (Builtin::Input(_), Some(ty)) if *ty != CType::Void => Some(Builtin::Input(ty.clone())),
            (usual, _) => Some(usual),
        }
    }

    /// The type to which the argument of an assumption or assertion is converted; the macro `assert` compares it
    /// unconverted.
    fn argument_type(&self, name: &str) -> Option<CType> {
        match self.prototypes.get(name).and_then(|p| p.parameters.as_ref()?.first()) {
            Some((ty, _)) => Some(ty.clone()),
            None => (name != "assert").then_some(INT),
        }
    }
}

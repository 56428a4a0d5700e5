//! Definitions of macros (C17 6.10.3): a line after `#define` becomes a name and a replacement list.
//!
//! The list is divided into parts, in which parameters and the operators `#` and `##` are already recognized.
//! Invariant: `##` is neither the first nor the last part, and the operand of `#` is a parameter.

use std::collections::HashMap;

use super::lex::{Kind, Token};

/// An element of a replacement list.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Token(Token),
    /// The parameter with this index; its token carries the white space.
    Parameter(usize, Token),
    /// `#` before the parameter with this index; the token is the `#`.
    Stringify(usize, Token),
    /// `##`.
    Paste,
}

/// The parameters of a function-like macro.
pub(super) struct Parameters {
    names: Vec<Token>,
    /// Is the last one a list of any number of arguments?
    pub(super) variadic: bool,
}

impl Parameters {
    pub(super) fn count(&self) -> usize {
        self.names.len()
    }
}

/// A macro.
pub(super) struct Macro {
    /// None for an object-like macro.
    pub(super) parameters: Option<Parameters>,
    pub(super) parts: Vec<Part>,
    /// The replacement list as it is written.
    pub(super) body: Vec<Token>,
    /// The header that defines it.
    pub(super) header: Option<String>,
    pub(super) meaning: Meaning,
}

/// The replacement of a macro.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Its replacement list.
    List,
    /// The number of the line: `__LINE__`.
    Line,
    /// The name itself: the macro is built in.
    Itself,
    /// The value is unknown.
    Unsupported,
}

/// Names that must not be defined or undefined (C17 6.10.8).
const RESERVED: [&str; 8] = [
    "defined",
    "__FILE__",
    "__LINE__",
    "__DATE__",
    "__TIME__",
    "__STDC__",
    "__STDC_HOSTED__",
    "__STDC_VERSION__",
];

/// An error in a directive, with its token.
pub(super) struct Mistake {
    pub(super) at: Token,
    pub(super) message: String,
    /// Is it correct, but not supported?
    pub(super) unsupported: bool,
}

impl Mistake {
    pub(super) fn new(at: Token, message: impl Into<String>) -> Mistake {
        Mistake { at, message: message.into(), unsupported: false }
    }
}

/// Rejects invalid names of macros.
pub(super) fn check_name(text: &str, name: Token, reserved: bool) -> Result<(), Mistake> {
    let spelling = name.of(text);
    if name.kind != Kind::Identifier {
        return Err(Mistake::new(name, format!("'{spelling}' is not the name of a macro")));
    }
    if reserved && RESERVED.contains(&spelling) {
        return Err(Mistake::new(
            name,
            format!("the macro '{spelling}' can neither be defined nor undefined"),
        ));
    }
    check_variadic(text, name, false)
}

/// Refuses `__VA_ARGS__` in places other than the replacement list of a variadic macro.
fn check_variadic(text: &str, name: Token, variadic: bool) -> Result<(), Mistake> {
    match name.of(text) {
        "__VA_ARGS__" if !variadic => Err(Mistake::new(
            name,
            "'__VA_ARGS__' is only allowed in a macro with '...' as its last parameter",
        )),
        "__VA_OPT__" => {
            Err(Mistake { unsupported: true, ..Mistake::new(name, "'__VA_OPT__' of C23 is not supported") })
        }
        _ => Ok(()),
    }
}

/// Reads the tokens after `define`, of which the first is the name.
pub(super) fn parse(text: &str, line: &[Token], reserved: bool) -> Result<Macro, Mistake> {
    check_name(text, line[0], reserved)?;
    let mut rest = &line[1..];
    let mut parameters = None;
    if let Some(open) = rest.first().filter(|t| t.is(text, "(") && !t.space) {
        let (names, variadic, length) = parse_parameters(text, &rest[1..], *open)?;
        rest = &rest[1 + length..];
        parameters = Some(Parameters { names, variadic });
    }
    let parts = parse_parts(text, rest, parameters.as_ref())?;
    Ok(Macro { parameters, parts, body: rest.to_vec(), header: None, meaning: Meaning::List })
}

/// The parameters after `(`, whether the last is variadic, and the number of tokens up to and with `)`.
fn parse_parameters(text: &str, rest: &[Token], open: Token) -> Result<(Vec<Token>, bool, usize), Mistake> {
    let mut names = Vec::new();
    if rest.first().is_some_and(|t| t.is(text, ")")) {
        return Ok((names, false, 1));
    }
    let mut at = 0;
    loop {
        let token = rest.get(at).copied();
        let name = token.ok_or_else(|| Mistake::new(open, "the list of parameters has no ')'"))?;
        let mut variadic = name.is(text, "...");
        if !variadic && name.kind != Kind::Identifier {
            return Err(Mistake::new(name, format!("'{}' is not a parameter of a macro", name.of(text))));
        }
        check_variadic(text, name, false)?;
        at += 1;
        names.push(name);
        // `name...` is an extension of GCC: a name for the list of arguments.
        if !variadic && rest.get(at).is_some_and(|t| t.is(text, "...")) {
            (variadic, at) = (true, at + 1);
        }
        match rest.get(at) {
            Some(t) if t.is(text, ")") => return Ok((names, variadic, at + 1)),
            Some(t) if t.is(text, ",") && !variadic => at += 1,
            Some(t) => {
                let wanted = if variadic { "')'" } else { "',' or ')'" };
                return Err(Mistake::new(*t, format!("{wanted} is expected here, not '{}'", t.of(text))));
            }
            None => return Err(Mistake::new(open, "the list of parameters has no ')'")),
        }
    }
}

fn parse_parts(text: &str, body: &[Token], parameters: Option<&Parameters>) -> Result<Vec<Part>, Mistake> {
    let mut index = HashMap::new();
    let names = parameters.map_or(&[][..], |p| &p.names);
    for (i, name) in names.iter().enumerate() {
        let spelling = if name.is(text, "...") { "__VA_ARGS__" } else { name.of(text) };
        if index.insert(spelling, i).is_some() {
            return Err(Mistake::new(*name, format!("the macro has two parameters '{spelling}'")));
        }
    }
    let variadic = index.contains_key("__VA_ARGS__");
    let mut parts = Vec::with_capacity(body.len());
    let mut tokens = body.iter().copied();
    while let Some(token) = tokens.next() {
        if token.kind == Kind::Identifier {
            check_variadic(text, token, variadic)?;
        }
        parts.push(if token.is_paste(text) {
            Part::Paste
        } else if token.is_hash(text) && parameters.is_some() {
            let operand = tokens.next().and_then(|t| index.get(t.of(text)));
            match operand {
                Some(i) => Part::Stringify(*i, token),
                None => return Err(Mistake::new(token, "'#' is not followed by a parameter of the macro")),
            }
        } else {
            match index.get(token.of(text)) {
                Some(i) if token.kind == Kind::Identifier => Part::Parameter(*i, token),
                _ => Part::Token(token),
            }
        });
    }
    match body.iter().find(|t| t.is_paste(text)) {
        Some(paste)
            if matches!(parts.first(), Some(Part::Paste)) || matches!(parts.last(), Some(Part::Paste)) =>
        {
            Err(Mistake::new(*paste, "'##' stands at an end of the replacement list"))
        }
        _ => Ok(parts),
    }
}

/// Are two definitions of a name the same (C17 6.10.3, paragraph 2)?
pub(super) fn same(text: &str, one: &Macro, other: &Macro) -> bool {
    let spellings = |a: &[Token], b: &[Token]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.kind == b.kind && a.of(text) == b.of(text))
    };
    let parameters = match (&one.parameters, &other.parameters) {
        (None, None) => true,
        (Some(a), Some(b)) => a.variadic == b.variadic && spellings(&a.names, &b.names),
        _ => false,
    };
    let spaces = one.body.iter().zip(&other.body).skip(1).all(|(a, b)| a.space == b.space);
    parameters && spellings(&one.body, &other.body) && spaces
}

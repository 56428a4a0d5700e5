//! Macro replacement (C17 6.10.3.1 to 6.10.3.4).
//!
//! The replacement of a macro is a list of tokens on a stack; the next token comes from the top of the stack, and from
//! the program if the stack is empty. A macro is disabled while its replacement is on the stack, and a disabled name
//! that is read is painted: it is never replaced again. That is the algorithm of GCC (`cppinternals`, “Macro Expansion
//! Algorithm”). Invariant: a macro is disabled exactly if a list of the stack belongs to it.

use std::rc::Rc;

use super::super::asked::ASSERTIONS;
use super::lex::{Cursor, Kind, Token};
use super::macros::{Macro, Meaning, Parameters, Part};
use super::{NESTING, Preprocessor, Result, STEPS, TOKENS};
use crate::diagnostic::{Diagnostic, limits};

/// A list of tokens that is read before the rest of the program.
pub(super) struct Context {
    tokens: Vec<Token>,
    at: usize,
    /// The macro that it replaces; none for a list that is expanded separately, whose end is not crossed.
    of: Option<usize>,
    /// The place of the macro's name in the program, or that of the outermost macro whose replacement contains it.
    named: usize,
}

/// The arguments of a function-like macro.
#[derive(Default)]
struct Arguments {
    /// One list for each parameter.
    lists: Vec<Vec<Token>>,
    /// Are there no arguments for `...`?
    omitted: bool,
}

impl Preprocessor<'_> {
    /// The next token after macro replacement.
    pub(super) fn next(&mut self) -> Result<Token> {
        loop {
            let token = self.read()?;
            if token.kind != Kind::Identifier || token.painted {
                return Ok(token);
            }
            match self.lookup(token) {
                Some(id) if self.invoke(id, token)? => {}
                _ => return Ok(token),
            }
        }
    }

    /// The macro that a token names.
    fn lookup(&self, token: Token) -> Option<usize> {
        self.names.get(token.of(&self.arena)).copied()
    }

    /// The next token before macro replacement.
    fn read(&mut self) -> Result<Token> {
        while let Some(top) = self.contexts.last_mut() {
            if let Some(&token) = top.tokens.get(top.at) {
                top.at += 1;
                self.direct = false;
                self.count_step()?;
                return Ok(self.paint(token));
            }
            if top.of.is_none() {
                return Ok(Token::new(Kind::End, 0, 0));
            }
            self.pop();
        }
        let mut token = self.source_token()?;
        self.direct = true;
        token.space |= std::mem::take(&mut self.carry);
        Ok(token)
    }

    /// Marks the name of a disabled macro.
    fn paint(&mut self, mut token: Token) -> Token {
        token.space |= std::mem::take(&mut self.carry);
        if token.kind == Kind::Identifier && self.lookup(token).is_some_and(|id| self.disabled[id]) {
            token.painted = true;
        }
        token
    }

    fn pop(&mut self) {
        if let Some(id) = self.contexts.pop().and_then(|c| c.of) {
            self.disabled[id] = false;
        }
    }

    fn count_step(&mut self) -> Result<()> {
        self.steps += 1;
        if self.steps > STEPS {
            return Err(self.exceeded(format!("macros need more than {STEPS} steps to be replaced")));
        }
        Ok(())
    }

    /// Stops: a limit is exceeded.
    fn exceeded(&mut self, message: String) -> Diagnostic {
        self.stopped = true;
        Diagnostic::unsupported(self.place, message)
    }

    /// Fully expands a list of tokens as if it were the rest of the program.
    pub(super) fn expand_list(&mut self, tokens: Vec<Token>) -> Result<Vec<Token>> {
        if self.depth == NESTING {
            return Err(self.exceeded(format!("arguments of macros nest deeper than {NESTING} levels")));
        }
        self.depth += 1;
        let carry = std::mem::take(&mut self.carry);
        let bottom = self.contexts.len();
        let named = self.contexts.last().map_or(self.begin, |c| c.named);
        self.contexts.push(Context { tokens, at: 0, of: None, named });
        let mut expanded = Vec::new();
        let result = loop {
            match self.next() {
                Ok(token) if token.kind == Kind::End => break Ok(expanded),
                Ok(token) => expanded.push(token),
                Err(error) => break Err(error),
            }
        };
        while self.contexts.len() > bottom {
            self.pop();
        }
        self.depth -= 1;
        self.carry = carry;
        result
    }

    /// Replaces a macro; false if it is function-like and its name is not followed by `(`.
    fn invoke(&mut self, id: usize, name: Token) -> Result<bool> {
        let definition = Rc::clone(&self.macros[id]);
        match definition.meaning {
            Meaning::Unsupported if self.in_directive => {
                let message = format!("the macro '{}' is not supported", name.of(&self.arena));
                return Err(Diagnostic::unsupported(self.place, message));
            }
            Meaning::Itself | Meaning::Unsupported => return Ok(false),
            Meaning::List | Meaning::Line => {}
        }
        let direct = self.direct;
        if direct {
            self.place = self.span(name);
            if !self.in_directive {
                self.begin = name.start();
            }
        }
        // The place is that of the macro, or of the macro whose replacement contains it.
        let written = self.begin <= name.start() && name.end() <= self.source;
        let named = if written { name.start() } else { self.contexts.last().map_or(self.begin, |c| c.named) };
        let mut arguments = Arguments::default();
        if let Some(parameters) = &definition.parameters {
            if !self.opens()? {
                return Ok(false);
            }
            self.collecting = true;
            let collected = self.collect(parameters, name);
            self.collecting = false;
            arguments = collected?;
        }
        self.asserts |= !self.in_directive && ASSERTIONS.contains(&name.of(&self.arena));
        if !self.in_directive {
            if direct {
                self.output.blank_until(&self.arena, &self.joined, name.start());
            }
            self.output.skip(&self.arena, &self.joined, self.cursor.at);
        }
        let is_line = definition.meaning == Meaning::Line;
        if is_line && self.renumbered {
            let message = "'__LINE__' after '#line' is not supported";
            return Err(Diagnostic::unsupported(self.joined.span(name.start(), name.end()), message));
        }
        let mut tokens =
            if is_line { vec![self.line_number(named)?] } else { self.substitute(&definition, &arguments)? };
        self.produced += tokens.len();
        match tokens.first_mut() {
            Some(first) => first.space = name.space,
            None => self.carry |= name.space,
        }
        self.disabled[id] = true;
        self.contexts.push(Context { tokens, at: 0, of: Some(id), named });
        Ok(true)
    }

    /// Advances over the next token if it is `(`.
    fn opens(&mut self) -> Result<bool> {
        while let Some(top) = self.contexts.last_mut() {
            if let Some(token) = top.tokens.get(top.at) {
                let opens = token.is(&self.arena, "(");
                top.at += usize::from(opens);
                return Ok(opens);
            }
            if top.of.is_none() {
                return Ok(false);
            }
            self.pop();
        }
        let before = self.cursor.clone();
        loop {
            let token = self.cursor.next(&self.arena);
            if token.kind == Kind::Newline {
                continue;
            }
            let opens = token.is(&self.arena, "(");
            if !opens {
                self.cursor = before;
            }
            return Ok(opens);
        }
    }

    /// Reads the arguments of a macro after `(`, up to and with `)`.
    fn collect(&mut self, parameters: &Parameters, name: Token) -> Result<Arguments> {
        let count = parameters.count();
        let mut arguments = vec![Vec::new()];
        let mut open = 0_usize;
        loop {
            let token = self.read()?;
            let spelling = if token.kind == Kind::Punctuator { token.of(&self.arena) } else { "" };
            match spelling {
                "(" => open += 1,
                ")" if open == 0 => break,
                ")" => open -= 1,
                "," if open == 0 && !(parameters.variadic && arguments.len() == count) => {
                    arguments.push(Vec::new());
                    continue;
                }
                _ if token.kind == Kind::End => {
                    let message = format!("the arguments of macro '{}' have no ')'", name.of(&self.arena));
                    return Err(Diagnostic::error(self.place, message));
                }
                _ => {}
            }
            if let Some(last) = arguments.last_mut() {
                last.push(token);
            }
        }
        let found = if count == 0 && arguments[0].is_empty() { arguments.len() - 1 } else { arguments.len() };
        let omitted = parameters.variadic && (found + 1 == count || count == 1 && arguments[0].is_empty());
        if found + 1 == count && omitted {
            arguments.push(Vec::new());
        } else if found != count {
            let name = name.of(&self.arena);
            let message = format!("macro '{name}' has {count} parameters, but {found} arguments here");
            return Err(Diagnostic::error(self.place, message));
        }
        Ok(Arguments { lists: arguments, omitted })
    }

    /// The replacement list with the arguments in it (C17 6.10.3.1 to 6.10.3.3).
    fn substitute(&mut self, definition: &Macro, arguments: &Arguments) -> Result<Vec<Token>> {
        let parts = &definition.parts;
        let variadic = definition.parameters.as_ref().filter(|p| p.variadic).map(|p| p.count() - 1);
        let mut expanded: Vec<Option<Vec<Token>>> = vec![None; arguments.lists.len()];
        let mut out = Vec::new();
        let (mut glue, mut carry) = (false, false);
        for (i, part) in parts.iter().enumerate() {
            let glued = matches!(parts.get(i + 1), Some(Part::Paste));
            let single;
            let (piece, space) = match *part {
                Part::Paste => {
                    glue = true;
                    continue;
                }
                Part::Token(token) => {
                    single = [token];
                    (&single[..], token.space)
                }
                Part::Stringify(index, hash) => {
                    single = [self.stringify(&arguments.lists[index])?];
                    (&single[..], hash.space)
                }
                Part::Parameter(index, name) => {
                    let raw = glue || glued;
                    if glue && variadic == Some(index) && self.is_comma(parts.get(i.wrapping_sub(2))) {
                        // `, ## __VA_ARGS__` is an extension of GCC: no comma before no arguments.
                        glue = false;
                        if arguments.omitted {
                            out.pop();
                            continue;
                        }
                    }
                    if raw {
                        (&arguments.lists[index][..], name.space)
                    } else {
                        let list = match expanded[index].take() {
                            Some(list) => list,
                            None => self.expand_list(arguments.lists[index].clone())?,
                        };
                        (&expanded[index].insert(list)[..], name.space)
                    }
                }
            };
            let empty = [Token::new(Kind::Placemarker, 0, 0)];
            let piece = if piece.is_empty() && (glue || glued) { &empty } else { piece };
            match piece {
                [] => carry |= space,
                [first, rest @ ..] => {
                    let first = Token { space: space | std::mem::take(&mut carry), ..*first };
                    self.append(&mut out, first, rest, std::mem::take(&mut glue))?;
                }
            }
        }
        out.retain(|t| t.kind != Kind::Placemarker);
        Ok(out)
    }

    fn is_comma(&self, part: Option<&Part>) -> bool {
        matches!(part, Some(Part::Token(t)) if t.is(&self.arena, ","))
    }

    /// Appends tokens; with `glue`, the last one and the first of them become one.
    fn append(&mut self, out: &mut Vec<Token>, first: Token, rest: &[Token], glue: bool) -> Result<()> {
        if self.produced + out.len() + rest.len() >= TOKENS {
            return Err(self.exceeded(format!("macros expand to more than {TOKENS} tokens")));
        }
        let left = if glue { out.pop() } else { None };
        out.push(match left {
            Some(left) => self.paste(left, first)?,
            None => first,
        });
        out.extend_from_slice(rest);
        Ok(())
    }

    /// The operator `##` (C17 6.10.3.3).
    fn paste(&mut self, left: Token, right: Token) -> Result<Token> {
        if left.kind == Kind::Placemarker {
            return Ok(Token { space: left.space, ..right });
        }
        if right.kind == Kind::Placemarker {
            return Ok(left);
        }
        let spelling = [left.of(&self.arena), right.of(&self.arena)].concat();
        let token = self.create(&spelling)?;
        match token.filter(|t| t.kind != Kind::Other) {
            Some(token) => Ok(Token { space: left.space, ..token }),
            None => {
                let parts = (left.of(&self.arena), right.of(&self.arena));
                let message = format!("'##' of '{}' and '{}' is not a token", parts.0, parts.1);
                Err(Diagnostic::error(self.place, message))
            }
        }
    }

    /// The operator `#` (C17 6.10.3.2).
    fn stringify(&mut self, argument: &[Token]) -> Result<Token> {
        let mut spelling = String::from("\"");
        for (i, token) in argument.iter().enumerate() {
            if token.space && i > 0 {
                spelling.push(' ');
            }
            for c in token.of(&self.arena).chars() {
                if matches!(c, '"' | '\\') && matches!(token.kind, Kind::String | Kind::Character) {
                    spelling.push('\\');
                }
                spelling.push(c);
            }
        }
        spelling.push('"');
        match self.create(&spelling)? {
            Some(token) if token.kind == Kind::String => Ok(token),
            _ => Err(Diagnostic::error(self.place, "'#' does not produce a string literal here")),
        }
    }

    /// A new token with a spelling; none if the spelling is not that of one token.
    pub(super) fn create(&mut self, spelling: &str) -> Result<Option<Token>> {
        self.bytes += spelling.len();
        if self.bytes > limits::SOURCE {
            return Err(self.exceeded(format!("macros produce more than {} bytes", limits::SOURCE)));
        }
        let start = self.arena.len();
        self.arena.push_str(spelling);
        let mut cursor = Cursor::new(start, self.arena.len());
        let token = cursor.next(&self.arena);
        let whole = token.start() == start && token.end() == self.arena.len() && token.end() > start;
        Ok(Some(Token { first: false, ..token }).filter(|_| whole))
    }
}

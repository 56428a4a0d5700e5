//! S-expressions, one top-level expression at a time, in a flat arena: no recursion in reading, walking or dropping.

use crate::smtlib::lexer::{Complaint, Kind, Lexer, Place, Token};

/// Limit of nested parentheses.
pub(crate) const DEPTH: usize = 1_000_000;
/// Limit of symbols, numbers and lists in one command.
pub(crate) const ITEMS: usize = 20_000_000;

/// An expression of an [`Arena`], by index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Id(u32);

#[derive(Clone, Copy, Debug)]
struct Item<'t> {
    /// `Open` for a list.
    token: Token<'t>,
    /// Of a list: its range in `children`.
    first: u32,
    count: u32,
}

/// What an expression is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expr<'a, 't> {
    List(&'a [Id]),
    Atom(Kind, &'t str),
}

/// The expressions of one command.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arena<'t> {
    items: Vec<Item<'t>>,
    children: Vec<Id>,
}

impl<'t> Arena<'t> {
    pub(crate) fn get(&self, id: Id) -> Expr<'_, 't> {
        let item = &self.items[id.0 as usize];
        match item.token.kind {
            Kind::Open => Expr::List(&self.children[item.first as usize..(item.first + item.count) as usize]),
            kind => Expr::Atom(kind, item.token.text),
        }
    }

    pub(crate) fn place(&self, id: Id) -> Place {
        self.items[id.0 as usize].token.place
    }

    /// The expression as written.
    pub(crate) fn source(&self, id: Id, text: &'t str) -> &'t str {
        let token = &self.items[id.0 as usize].token;
        &text[token.start..token.end]
    }

    /// The text of a symbol, quoted or not.
    pub(crate) fn symbol(&self, id: Id) -> Option<&'t str> {
        match self.get(id) {
            Expr::Atom(Kind::Symbol | Kind::Quoted, s) => Some(s),
            _ => None,
        }
    }

    /// The elements of a list.
    pub(crate) fn list(&self, id: Id) -> Option<&[Id]> {
        match self.get(id) {
            Expr::List(all) => Some(all),
            Expr::Atom(..) => None,
        }
    }

    fn push(&mut self, token: Token<'t>) -> Result<Id, Complaint> {
        if self.items.len() >= ITEMS {
            let message = format!("a command may have at most {ITEMS} symbols, numbers and lists");
            return Err(Complaint::new(token.place, message));
        }
        let id = Id(u32::try_from(self.items.len()).expect("fewer than ITEMS"));
        self.items.push(Item { token, first: 0, count: 0 });
        Ok(id)
    }

    /// Reads the next expression; `None` at the end of the text.
    pub(crate) fn read(lexer: &mut Lexer<'t>) -> Result<Option<(Arena<'t>, Id)>, Complaint> {
        let mut arena = Arena::default();
        // Open lists, and the finished elements of all of them.
        let mut open: Vec<(Id, usize)> = Vec::new();
        let mut elements: Vec<Id> = Vec::new();
        loop {
            let Some(token) = lexer.next()? else {
                let Some((list, _)) = open.last() else { return Ok(None) };
                return Err(Complaint::new(arena.place(*list), "this parenthesis is not closed"));
            };
            let done = match token.kind {
                Kind::Open => {
                    if open.len() >= DEPTH {
                        let message = format!("at most {DEPTH} parentheses may be open");
                        return Err(Complaint::new(token.place, message));
                    }
                    open.push((arena.push(token)?, elements.len()));
                    continue;
                }
                Kind::Close => {
                    let Some((list, first)) = open.pop() else {
                        return Err(Complaint::new(token.place, "unmatched closing parenthesis"));
                    };
                    let start = u32::try_from(arena.children.len()).expect("fewer than ITEMS");
                    arena.children.extend(elements.drain(first..));
                    let item = &mut arena.items[list.0 as usize];
                    item.first = start;
                    item.count = u32::try_from(arena.children.len()).expect("fewer than ITEMS") - start;
                    item.token.end = token.end;
                    list
                }
                _ => arena.push(token)?,
            };
            if open.is_empty() {
                return Ok(Some((arena, done)));
            }
            elements.push(done);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_one_after_the_other() {
        let text = "(a (b 1) ()) c";
        let mut lexer = Lexer::new(text);
        let (arena, root) = Arena::read(&mut lexer).unwrap().unwrap();
        let all = arena.list(root).unwrap();
        assert_eq!(all.len(), 3);
        assert_eq!(arena.symbol(all[0]), Some("a"));
        assert_eq!(arena.source(all[1], text), "(b 1)");
        assert_eq!(arena.list(all[2]), Some(&[][..]));
        let (arena, root) = Arena::read(&mut lexer).unwrap().unwrap();
        assert_eq!(arena.symbol(root), Some("c"));
        assert!(Arena::read(&mut lexer).unwrap().is_none());
    }

    #[test]
    fn parentheses_are_checked() {
        let complaint = |text: &str| {
            let c = Arena::read(&mut Lexer::new(text)).unwrap_err();
            format!("{}: {}", c.place, c.message)
        };
        assert_eq!(complaint("(a\n (b)"), "1:1: this parenthesis is not closed");
        assert_eq!(complaint(" )"), "1:2: unmatched closing parenthesis");
        let deep = "(".repeat(DEPTH + 1);
        assert_eq!(complaint(&deep), "1:1000001: at most 1000000 parentheses may be open");
    }
}

//! Programs as trees of text, in which statements and expressions can be replaced by smaller ones.

/// The kind of a tree, which determines its replacements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// May become empty, or one of the statements in it.
    Statement,
    /// May become a constant, or one of the expressions in it.
    Expression,
    /// A declaration or directive: may be deleted.
    Item,
    /// Unchanged.
    Fixed,
}

/// A piece of text, or a tree.
#[derive(Clone, Debug)]
pub enum Part {
    /// Unchanged.
    Text(String),
    /// May be replaced.
    Tree(Tree),
}

impl From<&str> for Part {
    fn from(text: &str) -> Part {
        Part::Text(text.to_owned())
    }
}

impl From<String> for Part {
    fn from(text: String) -> Part {
        Part::Text(text)
    }
}

impl From<Tree> for Part {
    fn from(tree: Tree) -> Part {
        Part::Tree(tree)
    }
}

/// A part of a program.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Its kind.
    pub kind: Kind,
    /// From the left to the right.
    pub parts: Vec<Part>,
}

impl Tree {
    /// A tree of these parts.
    #[must_use]
    pub fn new<const N: usize>(kind: Kind, parts: [Part; N]) -> Tree {
        Tree { kind, parts: parts.into() }
    }

    /// An expression.
    #[must_use]
    pub fn expression<const N: usize>(parts: [Part; N]) -> Tree {
        Tree::new(Kind::Expression, parts)
    }

    /// A statement.
    #[must_use]
    pub fn statement<const N: usize>(parts: [Part; N]) -> Tree {
        Tree::new(Kind::Statement, parts)
    }

    /// The text of the program.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Tree(tree) => tree.write(out),
            }
        }
    }

    /// The number of trees in it, itself included.
    #[must_use]
    pub fn size(&self) -> usize {
        1 + self.children().map(Tree::size).sum::<usize>()
    }

    fn children(&self) -> impl Iterator<Item = &Tree> {
        self.parts.iter().filter_map(|p| if let Part::Tree(t) = p { Some(t) } else { None })
    }

    /// The tree with this number, in the order of the text.
    #[must_use]
    pub fn at(&self, n: usize) -> Option<&Tree> {
        let mut left = n;
        if left == 0 {
            return Some(self);
        }
        left -= 1;
        for child in self.children() {
            let size = child.size();
            if left < size {
                return child.at(left);
            }
            left -= size;
        }
        None
    }

    /// Replaces the tree with this number.
    pub fn replace(&mut self, n: usize, by: Tree) {
        if n == 0 {
            *self = by;
            return;
        }
        let mut left = n - 1;
        for part in &mut self.parts {
            if let Part::Tree(child) = part {
                let size = child.size();
                if left < size {
                    return child.replace(left, by);
                }
                left -= size;
            }
        }
    }

    /// Its replacements, the smallest first.
    #[must_use]
    pub fn smaller(&self) -> Vec<Tree> {
        let constant = |text: &str| Tree { kind: Kind::Fixed, parts: vec![text.into()] };
        match self.kind {
            Kind::Fixed => Vec::new(),
            Kind::Item => vec![constant("")],
            Kind::Statement | Kind::Expression => {
                let statement = self.kind == Kind::Statement;
                let mut out: Vec<Tree> =
                    if statement { vec![constant(";\n")] } else { ["0", "1"].map(constant).into() };
                if !statement && self.size() == 1 && self.text().len() == 1 {
                    out.clear();
                }
                let all = (1..self.size()).filter_map(|n| self.at(n));
                out.extend(all.filter(|t| t.kind == self.kind).take(12).cloned());
                out
            }
        }
    }
}

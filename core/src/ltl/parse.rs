//! Parsing of formulas ("CEGAR-based LTL model checking", section 3.3): the text is parsed as an expression that may
//! contain temporal operators; its maximal subexpressions without temporal operators are the atoms.

use crate::diagnostic::{Diagnostic, Span, check_source, limits};
use crate::expr::ast::{Ast, AstKind};
use crate::expr::{Binary, Expr, Names, Nary, Parser, Scope, Tok, Type, Unary, check_as};
use crate::ltl::{AtomId, Formula, arrow};
use crate::system::{EdgeId, LocationId, System};

/// A formula over the variables of a system.
#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    /// The formula.
    pub formula: Formula,
    /// The meaning of its atoms.
    pub atoms: Vec<AtomMeaning>,
}

impl Stated {
    /// The formula as a condition on states; none if it contains temporal operators or locations.
    #[must_use]
    pub fn condition(&self) -> Option<Expr> {
        condition(&self.formula, &self.atoms)
    }
}

/// A formula without temporal operators and locations as a condition on states.
pub(crate) fn condition(formula: &Formula, atoms: &[AtomMeaning]) -> Option<Expr> {
    let each = |all: &[Formula]| all.iter().map(|f| condition(f, atoms)).collect::<Option<Vec<Expr>>>();
    let both = |op: Binary, ab: &[Formula; 2]| {
        Some(Expr::compare(op, condition(&ab[0], atoms)?, condition(&ab[1], atoms)?))
    };
    Some(match formula {
        Formula::Constant(truth) => Expr::bool(*truth),
        Formula::Atom(p) => match &atoms[p.index()] {
            AtomMeaning::Condition(e) => e.clone(),
            _ => return None,
        },
        Formula::Not(inner) => condition(inner, atoms)?.negated(),
        Formula::And(all) => Expr::and(each(all)?),
        Formula::Or(all) => Expr::or(each(all)?),
        Formula::Implies(ab) => both(Binary::Imply, ab)?,
        Formula::Iff(ab) => both(Binary::Iff, ab)?,
        Formula::Xor(ab) => both(Binary::Xor, ab)?,
        Formula::Unary(..) | Formula::Binary(..) => return None,
    })
}

/// The meaning of an atom.
#[derive(Clone, Debug, PartialEq)]
pub enum AtomMeaning {
    /// A Boolean expression is true.
    Condition(Expr),
    /// The run is at this location: `@L`.
    At(LocationId),
    /// The last step took one of these edges, which have this name: `@"A->B"`.
    Over(Vec<EdgeId>, String),
}

impl AtomMeaning {
    /// Its text.
    #[must_use]
    pub fn text(&self, system: &System) -> String {
        match self {
            AtomMeaning::Condition(e) => system.expr_text(e),
            AtomMeaning::At(l) => at(&system.location(*l).name),
            AtomMeaning::Over(_, name) => at(name),
        }
    }

    /// Can it be true at a position of a word, where `place` gives the locations of positions?
    pub(crate) fn can_be_seen(&self, system: &System, place: &dyn Fn(LocationId) -> bool) -> bool {
        match self {
            AtomMeaning::Condition(_) => true,
            AtomMeaning::At(l) => place(*l),
            AtomMeaning::Over(edges, name) => {
                name == BETWEEN || edges.iter().all(|e| place(system.edge(*e).target))
            }
        }
    }

    /// Its value, if it is the same in all states that are reached at this location over this edge (or none).
    #[must_use]
    pub fn known(&self, edge: Option<EdgeId>, location: LocationId) -> Option<bool> {
        match self {
            AtomMeaning::Condition(_) => None,
            AtomMeaning::At(l) => Some(*l == location),
            AtomMeaning::Over(edges, _) => Some(edge.is_some_and(|e| edges.contains(&e))),
        }
    }
}

/// The name of the edges that lead to locations between the statements of an edge of the text.
pub(crate) const BETWEEN: &str = "between";

/// A location or an edge as spelled in formulas.
fn at(name: &str) -> String {
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if plain { format!("@{name}") } else { format!("@\"{name}\"") }
}

/// A formula over propositions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Propositional {
    /// The formula.
    pub formula: Formula,
    /// The names of its atoms: propositions, or comparisons as written.
    pub atoms: Vec<String>,
}

/// Parses a formula over the variables of `system`. Its atoms are the maximal subformulas without temporal operators.
///
/// # Errors
/// Errors in the text; places are in `text`.
pub fn stated(text: &str, system: &System) -> Result<Stated, Vec<Diagnostic>> {
    let ast = parse(text, &Names::Known(&|name| is_name(name, system)), system.has_fractions())?;
    let mut out = Vec::new();
    let mut atoms: Vec<AtomMeaning> = Vec::new();
    let mut atom = |ast: &Ast, out: &mut Vec<Diagnostic>| {
        if let AstKind::At(name) = &ast.kind {
            let meaning = match system.find_location(name) {
                Some(location) => Ok(AtomMeaning::At(location)),
                None if name.contains("->") => arrow::taken(name, system),
                None => Err(format!("there is no location '{name}'")),
            };
            let meaning = meaning.map_err(|why| out.push(Diagnostic::error(ast.span, why))).ok()?;
            return Some(Formula::Atom(number(&mut atoms, meaning)));
        }
        let read = truth_as_number(ast).unwrap_or_else(|| ast.clone());
        if let Some(refused) = system.refused_quotient(ast) {
            out.push(refused);
            return None;
        }
        let expr = check_as(&read, &Type::Bool, system, out)?;
        let expr = system.without_arrays(&expr).map_err(|d| out.push(d)).ok()?;
        if let crate::expr::Kind::Bool(b) = expr.kind {
            return Some(Formula::Constant(b));
        }
        Some(Formula::Atom(number(&mut atoms, AtomMeaning::Condition(expr))))
    };
    let formula = build(&ast, &mut atom, &mut out);
    match formula {
        Some(formula) if out.is_empty() => Ok(Stated { formula, atoms }),
        _ => Err(limited(out)),
    }
}

/// Does this denote a variable or an enumeration literal, with or without its type?
pub(crate) fn is_name(name: &str, system: &System) -> bool {
    system.lookup(name).is_ok()
        || system.enumerations().iter().any(|e| {
            let literal =
                name.strip_prefix(e.name.as_str()).and_then(|rest| rest.strip_prefix('.')).unwrap_or(name);
            e.literals.iter().any(|l| l == literal)
        })
}

/// Does the text contain a temporal operator or a location?
#[must_use]
pub fn is_temporal(text: &str, system: &System) -> bool {
    if check_source(text).is_err() {
        return false;
    }
    let mut parser = Parser::temporal(text, &Names::Known(&|name| is_name(name, system)));
    while parser.tok() != Tok::End {
        if matches!(parser.tok(), Tok::Key("G" | "F" | "X" | "U" | "R" | "V" | "W" | "M") | Tok::Sym("@")) {
            return true;
        }
        parser.advance();
    }
    false
}

/// Parses a formula over propositions. What is neither a name nor a logical operator is a proposition: `x > 1`.
///
/// # Errors
/// Errors in the text.
pub fn propositional(text: &str) -> Result<Propositional, Vec<Diagnostic>> {
    let ast = parse(text, &Names::Any, false)?;
    let mut out = Vec::new();
    let mut atoms: Vec<String> = Vec::new();
    let formula = build_all(&ast, &mut atoms, text, &mut out);
    match formula {
        Some(formula) if out.is_empty() => Ok(Propositional { formula, atoms }),
        _ => Err(limited(out)),
    }
}

impl Propositional {
    /// The formula over a list of atoms, to which those that it lacks are added.
    #[must_use]
    pub fn over(&self, atoms: &mut Vec<String>) -> Formula {
        let number = |name: &String| {
            atoms.iter().position(|atom| atom == name).unwrap_or_else(|| {
                atoms.push(name.clone());
                atoms.len() - 1
            })
        };
        let numbers: Vec<usize> = self.atoms.iter().map(number).collect();
        self.formula.renamed(&numbers)
    }
}

impl Stated {
    /// The texts of the atoms.
    #[must_use]
    pub fn names(&self, system: &System) -> Vec<String> {
        self.atoms.iter().map(|a| a.text(system)).collect()
    }

    /// The text of the formula.
    #[must_use]
    pub fn text(&self, system: &System) -> String {
        self.formula.text(&|p| self.atoms[p.index()].text(system))
    }
}

fn parse(text: &str, names: &Names<'_>, fractions: bool) -> Result<Ast, Vec<Diagnostic>> {
    check_source(text)?;
    let mut parser = Parser::temporal(text, names);
    parser.fractions = fractions;
    let ast = parser.expression();
    if ast.is_ok() && parser.tok() != Tok::End {
        parser.unexpected("the end of the formula");
    }
    let out = std::mem::take(&mut parser.out);
    match ast {
        Ok(ast) if out.is_empty() => Ok(ast),
        _ => Err(limited(out.into_iter().map(|d| of_other_logics(text, d)).collect())),
    }
}

/// Reports formulas of other logics.
fn of_other_logics(text: &str, d: Diagnostic) -> Diagnostic {
    let (before, after) = text.split_at((d.span.start as usize).min(text.len()));
    let word =
        before.trim_end().rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let temporal = |c: char| "GFXUR[<".contains(c);
    match word {
        "G" | "F" | "X" | "U" | "R" if after.starts_with('[') => Diagnostic::unsupported(
            d.span,
            format!("bounds of operators, as in {word}[2:3], are not supported"),
        ),
        "A" | "E" if after.starts_with(temporal) => {
            let message =
                format!("the path quantifiers of CTL ({word}) are not supported: a formula covers all runs");
            Diagnostic::unsupported(d.span, message)
        }
        _ => d,
    }
}

fn limited(mut out: Vec<Diagnostic>) -> Vec<Diagnostic> {
    out.truncate(limits::DIAGNOSTICS);
    out
}

/// The number of an atom, which is added if it is new.
pub(crate) fn number<T: PartialEq>(atoms: &mut Vec<T>, atom: T) -> AtomId {
    let at = atoms.iter().position(|a| *a == atom).unwrap_or_else(|| {
        atoms.push(atom);
        atoms.len() - 1
    });
    AtomId::new(at)
}

/// `1` and `0` as truth constants.
fn truth_as_number(ast: &Ast) -> Option<Ast> {
    let AstKind::Int(q) = &ast.kind else { return None };
    let value = match q.to_i64()? {
        0 => false,
        1 => true,
        _ => return None,
    };
    Some(Ast { kind: AstKind::Bool(value), ..ast.clone() })
}

/// Does it depend on more than the values in a state?
pub(crate) fn speaks_of_runs(ast: &Ast) -> bool {
    matches!(ast.kind, AstKind::Temporal(..) | AstKind::Paths(..) | AstKind::At(_))
        || ast.children().into_iter().any(speaks_of_runs)
}

/// The operands of a logical or temporal operator, and the constructor of the formula.
type Operator<'a> = (Vec<&'a Ast>, Box<dyn FnOnce(Vec<Formula>) -> Formula>);

fn operator(ast: &Ast) -> Option<Operator<'_>> {
    let pair = |parts: Vec<Formula>| -> Box<[Formula; 2]> {
        Box::new(<[Formula; 2]>::try_from(parts).expect("two operands"))
    };
    Some(match &ast.kind {
        AstKind::Temporal(op, _, all) => {
            let op = *op;
            let make = move |mut parts: Vec<Formula>| match parts.len() {
                1 => Formula::Unary(op, Box::new(parts.remove(0))),
                _ => Formula::Binary(op, pair(parts)),
            };
            (all.iter().collect(), Box::new(make))
        }
        AstKind::Unary(Unary::Not, a) => (vec![&**a], Box::new(|mut parts| parts.remove(0).negated())),
        AstKind::Nary(Nary::And, all) => (all.iter().collect(), Box::new(Formula::And)),
        AstKind::Nary(Nary::Or, all) => (all.iter().collect(), Box::new(Formula::Or)),
        AstKind::Binary(op @ (Binary::Imply | Binary::Iff | Binary::Xor), ab) => {
            let op = *op;
            let make = move |parts: Vec<Formula>| match op {
                Binary::Imply => Formula::Implies(pair(parts)),
                Binary::Iff => Formula::Iff(pair(parts)),
                _ => Formula::Xor(pair(parts)),
            };
            (ab.iter().collect(), Box::new(make))
        }
        AstKind::Ite(abc) => {
            let make = |parts: Vec<Formula>| {
                let [c, a, b] = <[Formula; 3]>::try_from(parts).expect("three operands");
                Formula::Or(vec![c.clone().and(a), c.negated().and(b)])
            };
            (abc.iter().collect(), Box::new(make))
        }
        _ => return None,
    })
}

/// The formula of an expression; `atom` makes the atoms of its maximal subexpressions without temporal operators.
fn build(
    ast: &Ast,
    atom: &mut dyn FnMut(&Ast, &mut Vec<Diagnostic>) -> Option<Formula>,
    out: &mut Vec<Diagnostic>,
) -> Option<Formula> {
    if !speaks_of_runs(ast) || matches!(ast.kind, AstKind::At(_)) {
        return atom(ast, out);
    }
    let Some((operands, make)) = operator(ast) else {
        misplaced(ast, out);
        return None;
    };
    let parts: Vec<Option<Formula>> = operands.into_iter().map(|a| build(a, atom, out)).collect();
    Some(make(parts.into_iter().collect::<Option<Vec<Formula>>>()?))
}

/// A comparison as written, without parentheses around it.
fn without_parentheses(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    let closed = |inner: &str| {
        let mut depth = 0_i32;
        let step = |c: char| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth
        };
        inner.chars().map(step).all(|depth| depth >= 0)
    };
    match inner {
        Some(inner) if closed(inner) => without_parentheses(inner.trim()),
        _ => text,
    }
}

/// The same, where every operand of a logical operator is a separate formula.
fn build_all(ast: &Ast, atoms: &mut Vec<String>, text: &str, out: &mut Vec<Diagnostic>) -> Option<Formula> {
    if let Some((operands, make)) = operator(ast) {
        let parts: Vec<Option<Formula>> =
            operands.into_iter().map(|a| build_all(a, atoms, text, out)).collect();
        return Some(make(parts.into_iter().collect::<Option<Vec<Formula>>>()?));
    }
    if speaks_of_runs(ast) && !matches!(ast.kind, AstKind::At(_)) {
        misplaced(ast, out);
        return None;
    }
    let read = truth_as_number(ast);
    match &read.as_ref().unwrap_or(ast).kind {
        AstKind::Bool(b) => Some(Formula::Constant(*b)),
        AstKind::At(name) => Some(Formula::Atom(number(atoms, format!("@{name}")))),
        AstKind::Name(name) => Some(Formula::Atom(number(atoms, name.clone()))),
        AstKind::Binary(..) | AstKind::Read(_) => {
            let words: Vec<&str> = without_parentheses(ast.span.of(text)).split_whitespace().collect();
            Some(Formula::Atom(number(atoms, words.join(" "))))
        }
        _ => {
            out.push(Diagnostic::error(ast.span, "this is neither true nor false"));
            None
        }
    }
}

/// Reports temporal operators below an operator that is not logical or temporal.
pub(crate) fn misplaced(ast: &Ast, out: &mut Vec<Diagnostic>) {
    for child in ast.children() {
        if let Some((op, place)) = outermost(child) {
            let message = format!(
                "'{op}' is a temporal formula, so it cannot be an operand of arithmetic or a comparison"
            );
            out.push(Diagnostic::error(place, message));
        }
    }
}

fn outermost(ast: &Ast) -> Option<(&'static str, Span)> {
    match &ast.kind {
        AstKind::Temporal(op, place, _) => Some((op.letter(), *place)),
        AstKind::Paths(quantifier, place, _) => Some((quantifier.letter(), *place)),
        AstKind::At(_) => Some(("@", ast.span)),
        _ => ast.children().into_iter().find_map(outermost),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "main process m { var x : int var done : bool init loc A loc B
        A -> B { x := 0 } B -> B { x := x + 1 } }";

    fn system() -> System {
        crate::formats::cfa::parse(MODEL).unwrap()
    }

    fn read(text: &str) -> String {
        let parsed = propositional(text).unwrap_or_else(|e| panic!("{text}: {}", e[0].message));
        parsed.formula.text(&|p| parsed.atoms[p.index()].clone())
    }

    #[test]
    fn spellings_of_all_tools_are_read() {
        for (text, same) in [
            ("[] (p -> <> q)", "G (p -> F q)"),
            ("□(p → ◇ q)", "G (p -> F q)"),
            ("G(p => F q)", "G (p -> F q)"),
            ("!a U b", "!a U b"),
            ("not a U b", "!(a U b)"),
            ("¬a U b", "!a U b"),
            ("a U b U c", "a U (b U c)"),
            ("p V q", "p R q"),
            ("GFp0 && FGp1", "GF p0 & FG p1"),
            ("p /\\ q \\/ !r", "(p & q) | !r"),
            ("a <-> X b", "a <-> X b"),
            ("a W b | c M d", "(a W b) | (c M d)"),
            ("1 U p", "true U p"),
            ("G x > 5 & y", "G (x > 5) & y"),
            ("\"the door\" U b", "(the door) U b"),
            ("G not p", "G !p"),
            ("if p then F q else G r", "(p & F q) | (!p & G r)"),
        ] {
            assert_eq!(read(text), same, "{text}");
        }
    }

    #[test]
    fn maximal_conditions_are_atoms() {
        let s = system();
        let of = |text: &str| stated(text, &s).unwrap();
        let f = of("F G (x + 2 > 5) and true");
        assert_eq!((f.text(&s).as_str(), f.atoms.len()), ("FG (x + 2 > 5) & true", 1));
        assert_eq!(of("G (x > 5 and done or x = 1)").atoms.len(), 1);
        assert_eq!(of("G (x > 5 and F done)").names(&s), ["x > 5", "done"]);
        assert_eq!(of("G(x = 1) or F(x = 1)").atoms.len(), 1);
        assert_eq!(of("x<-1 U done").names(&s), ["x < -1", "done"]);
    }

    #[test]
    fn mistakes_point_at_the_operator() {
        let s = system();
        let at = |text: &str| {
            let d = stated(text, &s).unwrap_err().remove(0);
            (d.span.start, d.message)
        };
        let (place, message) = at("(G(true)) > 5");
        assert!(place == 1 && message.contains("'G'"), "{place} {message}");
        assert_eq!(at("done and x + (F(done)) = 2").0, 14);
        assert!(at("G(x)").1.contains("expected bool, but this is int"));
        assert!(at("G(y = 1)").1.contains("unknown name 'y'"));
        assert!(at("G done F").1.contains("the end of the formula"));
        assert!(at("G F[2:3] done").1.contains("bounds of operators"));
        let halves =
            crate::formats::cfa::parse("main process p { var r : rat init loc a a -> a { r := 3%4 } }")
                .unwrap();
        let halved = stated("G (r > 1/2)", &halves).unwrap_err().remove(0);
        assert!(halved.span.start == 7 && halved.message.contains("rounded"), "{halved:?}");
        assert!(stated("G (r > 1%2)", &halves).is_ok());
        assert!(at("done and A G done").1.contains("CTL"));
        assert!(at("done U").1.contains("expected an expression"));
        assert!(at("G (done").1.contains("expected ')'"));
    }
}

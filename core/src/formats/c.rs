//! A subset of C (`.c`): integers, arrays of fixed size, functions without recursion, all control flow.
//!
//! [`parse`] reads a text with the `lang-c` parser and lowers it to a control-flow automaton: each simple statement is an
//! edge with its place in the text, functions are inlined, and the error location stands for a call of `reach_error` (or a
//! failed `assert`, …). What is not supported is named with its place.
//!
//! **Meaning.** `int` and `long` have 32 bits, `long long` has 64, `short` 16, `char` 8 and a sign (the ILP32 model).
//! Unsigned arithmetic wraps around, conversions to a narrower type wrap around, `/` and `%` truncate. Overflow of signed
//! arithmetic is undefined in C: numbers go on growing here, and a run that leaves the range of its type is not reported
//! as a violation (see [`Variable::promised`](crate::system::Variable)). Inputs (`__VERIFIER_nondet_int` and its like) have any value of their type; so has a
//! local variable before it is assigned, if it is declared in a loop or a function. An index outside of its array ends a
//! run.

mod arithmetic;
mod builtin;
mod expression;
mod flow;
mod function;
mod literal;
mod source;
mod statement;
mod types;
mod witness;

use lang_c::ast::{ExternalDeclaration, FunctionDefinition, TranslationUnit};
use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Diagnostic, Span, check_source, limits};
use crate::expr::{Binary, Expr, Type, VarId};
use crate::system::{Draft, DraftVariable, Op, System};
use flow::Flow;
use source::Source;
use types::CType;
pub use witness::{Task, witness};

/// What stands at the two ways of a condition that is an input.
const INPUT_TRUE: &str = "[input]";
const INPUT_FALSE: &str = "[not input]";

/// Reads a program.
///
/// # Errors
/// What is wrong with the text, or not supported, in the order of the text.
pub fn parse(text: &str) -> Result<System, Vec<Diagnostic>> {
    check_source(text)?;
    let source = Source::read(text)?;
    let unit = source.parse()?;
    let mut program = Program::new(&source);
    program.unit(&unit);
    let mut out = std::mem::take(&mut program.out);
    if !out.is_empty() {
        out.sort_by_key(|d| d.span);
        out.dedup();
        out.truncate(limits::DIAGNOSTICS);
        return Err(out);
    }
    let unassigned = std::mem::take(&mut program.unassigned);
    let mut system = program.finish(text)?.finish()?;
    let ranges = unassigned.into_iter().filter_map(|v| in_range(v, &system));
    system.initial_formula = Expr::and(ranges.collect());
    Ok(system)
}

/// That a variable has a value of its type.
fn in_range(v: VarId, system: &System) -> Option<Expr> {
    let (lo, hi) = system.variable(v).promised.clone()?;
    let x = || Expr::var(v, Type::Int);
    let above = Expr::compare(Binary::Le, Expr::num(lo, Type::Int), x());
    let below = Expr::compare(Binary::Le, x(), Expr::num(hi, Type::Int));
    Some(Expr::and(vec![above, below]))
}

/// Something that a name stands for.
#[derive(Clone)]
enum Entity {
    /// A variable; an array has several, one after the other.
    Variable(VarId, CType),
    /// A constant of an enumeration.
    Constant(Expr),
    /// A type of its own.
    Type(CType),
}

/// A program that is being lowered.
struct Program<'a> {
    source: &'a Source,
    out: Vec<Diagnostic>,
    variables: Vec<DraftVariable>,
    /// By place of declaration: an inlined function has the same variables each time.
    declared: HashMap<(String, usize), VarId>,
    names: HashSet<String>,
    functions: HashMap<String, &'a FunctionDefinition>,
    scopes: Vec<HashMap<String, Entity>>,
    flow: Flow,
    /// The calls that are being inlined, outermost first.
    calls: Vec<function::Call>,
    /// Where `break` and `continue` lead.
    targets: Vec<statement::Target>,
    /// Variables of `main` that have any value at the start.
    unassigned: Vec<VarId>,
    /// Initial values of variables that exist from the start.
    initial: Vec<(VarId, Expr)>,
    /// Functions whose results the current expression has used.
    results: Vec<String>,
    /// Is the value of the current expression used?
    wants: bool,
    /// The macros that are being put in, and how many have been.
    expanding: Vec<String>,
    expanded: usize,
}

impl<'a> Program<'a> {
    fn new(source: &'a Source) -> Program<'a> {
        Program {
            source,
            out: Vec::new(),
            variables: Vec::new(),
            declared: HashMap::new(),
            names: HashSet::new(),
            functions: HashMap::new(),
            scopes: vec![HashMap::new()],
            flow: Flow::new(),
            calls: Vec::new(),
            targets: Vec::new(),
            unassigned: Vec::new(),
            initial: Vec::new(),
            results: Vec::new(),
            wants: true,
            expanding: Vec::new(),
            expanded: 0,
        }
    }

    fn unit(&mut self, unit: &'a TranslationUnit) {
        for external in &unit.0 {
            match &external.node {
                ExternalDeclaration::FunctionDefinition(f) => {
                    if let Some(name) = types::name(&f.node.declarator.node) {
                        self.functions.insert(name.node.name.clone(), &f.node);
                    }
                }
                ExternalDeclaration::Declaration(d) => self.declaration(d, true),
                ExternalDeclaration::StaticAssert(_) => {}
            }
        }
        // The values at the start come first; they are known in the end.
        let start = self.flow.step(Op::Skip, Span::default());
        match self.functions.get("main") {
            Some(main) => self.main(main),
            None => {
                self.out.push(Diagnostic::error(Span::default(), "the program has no function 'main'"));
            }
        }
        self.flow.set_op(start, Op::Update(std::mem::take(&mut self.initial)));
    }

    fn finish(self, text: &str) -> Result<Draft, Vec<Diagnostic>> {
        let (locations, edges, initial) = self.flow.finish(text, &self.variables);
        if locations.len() > limits::GRAPH || edges.len() > limits::GRAPH {
            let message =
                format!("the program has more than {} statements when functions are inlined", limits::GRAPH);
            return Err(vec![Diagnostic::unsupported(Span::default(), message)]);
        }
        Ok(Draft {
            name: "main".to_owned(),
            variables: self.variables,
            locations,
            edges,
            initial,
            invariant: Expr::bool(true),
            asked: Vec::new(),
            embedded: None,
        })
    }

    fn unsupported<T>(&mut self, span: Span, what: impl Into<String>) -> Option<T> {
        let diagnostic = Diagnostic::unsupported(span, what);
        if !self.out.contains(&diagnostic) {
            self.out.push(diagnostic);
        }
        None
    }

    fn error<T>(&mut self, span: Span, what: impl Into<String>) -> Option<T> {
        self.out.push(Diagnostic::error(span, what));
        None
    }

    fn lookup(&self, name: &str) -> Option<Entity> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).cloned())
    }
}

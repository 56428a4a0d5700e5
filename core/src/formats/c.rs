//! A subset of C (`.c`): integers, arrays of fixed size, functions without recursion, all control flow.
//!
//! [`parse`] parses a text with the `lang-c` parser and lowers it to a control-flow automaton: each simple statement is
//! an edge with its place in the text, functions are inlined, and the error location represents a call of `reach_error`
//! (or a failed `assert`, …). Unsupported constructs are reported with their places.
//!
//! **Semantics.** That of C17 (ISO/IEC 9899:2018), with GCC's choices where it is implementation-defined: `int` has 32
//! bits, `long long` 64, `short` 16, `char` 8 and a sign; `long` has 32 or 64 (see [`DataModel`]). Unsigned arithmetic
//! wraps around, conversions to a narrower type wrap around, `/` and `%` truncate. Signed overflow is undefined in C:
//! here numbers are unbounded, and a run that leaves the range of its type is not reported as a violation (see
//! [`Variable::promised`](crate::system::Variable)). Inputs (`__VERIFIER_nondet_int` and similar functions) have any
//! value of their type, as do uninitialised local variables. An index outside of its array ends a run.

mod arithmetic;
mod asked;
mod builtin;
mod condition;
mod declaration;
mod expression;
mod flow;
mod format;
mod function;
mod harness;
mod headers;
mod literal;
mod nesting;
mod operators;
mod preprocess;
mod prototype;
mod sequence;
mod source;
mod statement;
mod types;
mod witness;

use lang_c::ast::{ExternalDeclaration, FunctionDefinition, StaticAssert, TranslationUnit};
use lang_c::span::Node;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use solver_lite::number::Q;
use solver_lite::term::Value;

use crate::diagnostic::{Diagnostic, LineIndex, Severity, Span, check_source, limits};
use crate::expr::{Binary, Expr, Kind, Type, VarId};
use crate::formats::table::{Format, Reader, has_word};
use crate::system::{Draft, DraftVariable, Lifetimes, Op, System};
use flow::Flow;
pub use harness::harness;
use source::Source;
pub use types::DataModel;
use types::{CType, in_range};
pub use witness::{Task, witness};

/// The description of the format, where `long` has 32 bits.
pub(super) const ILP32: Format = Format {
    name: "c",
    endings: &["c", "i"],
    resembles: |text| text.contains(';') || has_word(text, "int") || text.contains("#include"),
    rank: 4,
};

/// The reader where `long` has 32 bits.
pub(super) const READER_ILP32: Reader =
    Reader { parse: |text, _| parse(text, DataModel::Ilp32), properties: |_| Vec::new(), edit: None };

/// The description of the format, where `long` has 64 bits; no file or text has it by itself.
pub(super) const LP64: Format = Format { name: "c-lp64", endings: &[], resembles: |_| false, rank: 5 };

/// The reader where `long` has 64 bits.
pub(super) const READER_LP64: Reader =
    Reader { parse: |text, _| parse(text, DataModel::Lp64), properties: |_| Vec::new(), edit: None };

/// Labels of the two branches of a condition that is an input.
const INPUT_TRUE: &str = "[input]";
const INPUT_FALSE: &str = "[not input]";

/// Parses a program.
///
/// # Errors
/// Errors and unsupported constructs, in textual order.
pub fn parse(text: &str, model: DataModel) -> Result<System, Vec<Diagnostic>> {
    check_source(text)?;
    let source = Source::read(text, model)?;
    let unit = source.parse()?;
    let mut program = Program::new(&source, model);
    program.unit(&unit);
    let mut out = std::mem::take(&mut program.out);
    if out.is_empty() {
        out = program.mistakes_elsewhere(&unit);
    }
    if !out.is_empty() {
        out.sort_by_key(|d| d.span);
        out.dedup();
        out.truncate(limits::DIAGNOSTICS);
        return Err(out);
    }
    let unassigned = std::mem::take(&mut program.unassigned);
    let (draft, lifetimes) = program.finish(text)?;
    let mut system = draft.finish()?;
    system.lifetimes = Some(Arc::new(lifetimes));
    system.data_model = Some(model);
    let known = |v: VarId| Some(in_range(v, system.variable(v).promised.clone()?));
    let ranges = unassigned.into_iter().filter_map(known);
    system.initial_formula = Expr::and(ranges.collect());
    Ok(system)
}

/// The entity denoted by a name.
#[derive(Clone)]
enum Entity {
    /// A variable; the cells of an array are consecutive variables.
    Variable(VarId, CType),
    /// An enumeration constant.
    Constant(Expr),
    /// A named type.
    Type(CType, prototype::Written),
    /// A rejected declaration, which has been reported; uses are not reported again.
    Refused,
}

/// A program that is being lowered.
struct Program<'a> {
    source: &'a Source,
    out: Vec<Diagnostic>,
    variables: Vec<DraftVariable>,
    /// By place of declaration: the variables of an inlined function are shared by its calls.
    declared: HashMap<(String, usize), VarId>,
    /// Names of variables in use.
    names: HashSet<String>,
    /// The last number appended to each name.
    numbers: HashMap<String, usize>,
    /// The variables for each name, as in the text or qualified by their function.
    called: HashMap<(String, bool), Vec<VarId>>,
    /// Variables whose names are not unique.
    ambiguous: BTreeSet<VarId>,
    functions: HashMap<String, &'a FunctionDefinition>,
    scopes: Vec<HashMap<String, Entity>>,
    flow: Flow,
    /// The calls that are being inlined, outermost first.
    calls: Vec<function::Call>,
    /// Targets of `break` and `continue`.
    targets: Vec<statement::Target>,
    /// Uninitialised variables of `main`.
    unassigned: Vec<VarId>,
    /// Parameters of `main`.
    given: Vec<VarId>,
    /// Initial values of variables that exist from the start.
    initial: BTreeMap<VarId, Expr>,
    /// Functions whose results occur in the current expression.
    results: Vec<String>,
    /// Is the value of the current expression used?
    wants: bool,
    /// The sizes of types.
    model: DataModel,
    /// Global names, by where they are declared.
    global: HashMap<String, usize>,
    /// The known types of functions, as far as they are supported.
    prototypes: HashMap<String, prototype::Prototype>,
    /// Functions with unsupported types.
    unsupported: HashSet<String>,
    /// Functions declared not to return.
    noreturn: HashSet<String>,
    /// The first occurrence of each function's name.
    functions_at: HashMap<String, usize>,
    /// The first declaration of each function's parameters, outside of blocks.
    prototyped_at: HashMap<String, usize>,
    /// The types of global variables as written, and whether they have external linkage.
    written: HashMap<VarId, (prototype::Written, bool)>,
    /// Constant variables, each given by its first cell.
    constants: HashSet<VarId>,
    /// Variables declared `extern`, and those that are defined.
    external: BTreeSet<VarId>,
    defined: HashSet<VarId>,
    elsewhere: Vec<VarId>,
    /// Global variables with an initial value.
    initialized: HashSet<VarId>,
    /// The condition under which the current operand is evaluated.
    guards: Vec<Expr>,
    /// Is this a constant expression?
    constants_only: bool,
    /// The number of undefined operations in constants.
    undefined: usize,
    /// The number of inlined calls.
    inlined: usize,
    /// Functions that were inlined.
    reached: HashSet<String>,
    /// Are calls translated without the body of their function?
    bodiless: bool,
    /// The variables in scope at the end of `main`.
    last: Option<usize>,
}

impl<'a> Program<'a> {
    fn new(source: &'a Source, model: DataModel) -> Program<'a> {
        Program {
            source,
            out: Vec::new(),
            variables: Vec::new(),
            declared: HashMap::new(),
            names: HashSet::new(),
            numbers: HashMap::new(),
            called: HashMap::new(),
            ambiguous: BTreeSet::new(),
            functions: HashMap::new(),
            scopes: vec![HashMap::new()],
            flow: Flow::new(),
            calls: Vec::new(),
            targets: Vec::new(),
            unassigned: Vec::new(),
            given: Vec::new(),
            initial: BTreeMap::new(),
            results: Vec::new(),
            wants: true,
            model,
            global: HashMap::new(),
            prototypes: HashMap::new(),
            unsupported: HashSet::new(),
            noreturn: HashSet::new(),
            functions_at: HashMap::new(),
            prototyped_at: HashMap::new(),
            written: HashMap::new(),
            constants: HashSet::new(),
            external: BTreeSet::new(),
            defined: HashSet::new(),
            elsewhere: Vec::new(),
            initialized: HashSet::new(),
            guards: Vec::new(),
            constants_only: false,
            undefined: 0,
            inlined: 0,
            reached: HashSet::new(),
            bodiless: false,
            last: None,
        }
    }

    fn declarations(&mut self, unit: &'a TranslationUnit) {
        for external in &unit.0 {
            match &external.node {
                ExternalDeclaration::FunctionDefinition(f) => self.definition(&f.node),
                ExternalDeclaration::Declaration(d) => self.declaration(d, true),
                ExternalDeclaration::StaticAssert(a) => self.static_assertion(a),
            }
        }
    }

    fn unit(&mut self, unit: &'a TranslationUnit) {
        self.declarations(unit);
        // External variables have any value.
        let elsewhere = self.external.iter().filter(|v| !self.defined.contains(v));
        self.elsewhere = elsewhere.copied().collect();
        self.unassigned.extend(&self.elsewhere);
        // The initial values come first; they are complete only here.
        let start = self.flow.step(Op::Skip, Span::default());
        match self.functions.get("main") {
            Some(main) => self.main(main),
            None => {
                self.out.push(Diagnostic::error(Span::default(), "the program has no function 'main'"));
            }
        }
        let initial = std::mem::take(&mut self.initial);
        self.flow.set_op(start, Op::Update(initial.into_iter().collect()));
    }

    fn finish(self, text: &str) -> Result<(Draft, Lifetimes), Vec<Diagnostic>> {
        let lines = LineIndex::new(text);
        let (locations, edges, initial, mut lifetimes) =
            self.flow.finish(lines, &self.variables, (self.last, self.source.asks()));
        if locations.len() > limits::GRAPH || edges.len() > limits::GRAPH {
            let message =
                format!("the program has more than {} statements when functions are inlined", limits::GRAPH);
            return Err(vec![Diagnostic::unsupported(Span::default(), message)]);
        }
        lifetimes.given = self.elsewhere.iter().copied().chain(self.given).collect();
        (lifetimes.external, lifetimes.ambiguous) = (self.elsewhere, self.ambiguous);
        let draft = Draft {
            name: "main".to_owned(),
            variables: self.variables,
            locations,
            edges,
            initial,
            invariant: Expr::bool(true),
            asked: Vec::new(),
            embedded: None,
        };
        Ok((draft, lifetimes))
    }

    /// Behaviour is undefined unless the condition is true, in states where the current operand is evaluated.
    fn promise(&mut self, condition: Expr, number: Option<(Expr, (Q, Q))>) {
        if condition.kind == Kind::Bool(true) {
            return;
        }
        if condition.kind == Kind::Bool(false) && self.guards.iter().all(|g| g.kind == Kind::Bool(true)) {
            self.undefined += 1;
        }
        if self.guards.is_empty() {
            return self.flow.promise(condition, number);
        }
        let mut parts: Vec<Expr> = self.guards.iter().map(|g| g.clone().negated()).collect();
        parts.push(condition);
        let condition = Expr::or(parts);
        if condition.as_constant() != Some(Value::Bool(true)) {
            self.flow.promise(condition, None);
        }
    }

    /// Behaviour is undefined unless the number is in the range.
    fn promise_range(&mut self, number: &Expr, (least, greatest): (Q, Q)) {
        let bound = |q: &Q| Expr::num(q.clone(), Type::Int);
        let above = Expr::compare(Binary::Ge, number.clone(), bound(&least));
        let within = Expr::and(vec![above, Expr::compare(Binary::Le, number.clone(), bound(&greatest))]);
        let within = match within.as_constant() {
            Some(Value::Bool(known)) => Expr::bool(known),
            _ => within,
        };
        self.promise(within, Some((number.clone(), (least, greatest))));
    }

    /// `_Static_assert`
    fn static_assertion(&mut self, a: &Node<StaticAssert>) {
        let span = self.source.span(a);
        if self.constant(&a.node.expression).is_some_and(|q| q.is_zero()) {
            let message: String = a.node.message.node.concat().replace('"', "");
            self.error::<()>(span, format!("the static assertion fails: {message}"));
        }
    }

    fn unsupported<T>(&mut self, span: Span, what: impl Into<String>) -> Option<T> {
        let diagnostic = Diagnostic::unsupported(span, what);
        if !self.out.contains(&diagnostic) {
            self.out.push(diagnostic);
        }
        None
    }

    /// A use of a name whose declaration was rejected. The reason has been reported, or is irrelevant without a use.
    fn refused<T>(&mut self, name: &str, span: Span) -> Option<T> {
        if self.out.is_empty() { self.unsupported(span, format!("'{name}' is not supported")) } else { None }
    }

    /// Of the diagnostics from this index on, keeps only errors; unsupported constructs are irrelevant here.
    fn keep_errors(&mut self, from: usize) {
        let found = self.out.split_off(from);
        self.out.extend(found.into_iter().filter(|d| d.severity == Severity::Error));
    }

    fn error<T>(&mut self, span: Span, what: impl Into<String>) -> Option<T> {
        self.out.push(Diagnostic::error(span, what));
        None
    }

    fn lookup(&self, name: &str) -> Option<Entity> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).cloned())
    }
}

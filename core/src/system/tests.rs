//! Tests of systems: terms and interpreter agree, arrays keep their meaning.

use std::collections::BTreeMap;

use solver_lite::number::Q;
use solver_lite::term::{Sort, Term, Terms, Value};

use crate::formats::cfa;
use crate::system::{Op, State, System, VarId, valuations};

fn model(body: &str) -> System {
    let text = format!("main process m {{ init loc A loc B {body} }}");
    let system = cfa::parse(&text).unwrap_or_else(|d| panic!("{text}: {d:?}"));
    system.validate().unwrap_or_else(|m| panic!("{text}: {m}"));
    system
}

fn num(n: i64) -> Value {
    Value::Num(Q::from(n))
}

/// A few values of a variable.
fn choices(system: &System, v: VarId) -> Vec<Value> {
    match system.variable(v).ty.sort() {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        _ => (-1..5).map(num).filter(|x| system.variable(v).ty.contains(x)).collect(),
    }
}

/// Is `after` related to `before` by the term of `op`?
fn related(system: &System, op: &Op, before: &State, after: &State) -> bool {
    let mut terms = Terms::new();
    let mut declare = |suffix: &str| -> Vec<Term> {
        let name = |v: VarId| format!("{}{suffix}", system.variable(v).name);
        system.var_ids().map(|v| terms.var(&name(v), system.variable(v).ty.sort())).collect()
    };
    let (cur, next) = (declare(""), declare("'"));
    let relation = system.relation(op, &mut terms, &mut |v| cur[v.index()], &mut |v| next[v.index()]);
    let mut values: BTreeMap<Term, Value> = BTreeMap::new();
    for v in system.var_ids() {
        values.insert(cur[v.index()], before[v.index()].clone());
        values.insert(next[v.index()], after[v.index()].clone());
        if !relation.written.contains(&v) && before[v.index()] != after[v.index()] {
            return false;
        }
    }
    terms.eval(relation.formula, |t| values[&t].clone()).bool()
}

#[test]
fn terms_and_interpreter_agree() {
    let system = model(
        "var x : int var y : int var p : bool var b : bv[2]
         A -> B { assume x < 3 } A -> B { x := x + y } A -> B { havoc b } A -> B { havoc p }
         A -> B { p := x = y or b bvult 2'd2 } A -> B { b := b bvadd 2'd3 } A -> B",
    );
    let all: Vec<Vec<Value>> = system.var_ids().map(|v| choices(&system, v)).collect();
    let states: Vec<State> = valuations(all).collect();
    assert_eq!(states.len(), 6 * 6 * 2 * 4);
    let two = Op::Sequence(vec![
        system.edges[1].op.clone(),
        system.edges[0].op.clone(),
        system.edges[2].op.clone(),
    ]);
    let swap = {
        let var = |v: u32| crate::expr::Expr::var(VarId(v), crate::expr::Type::Int);
        Op::Update(vec![(VarId(0), var(1)), (VarId(1), var(0))])
    };
    let ops: Vec<Op> = system.edges.iter().map(|e| e.op.clone()).chain([two, swap]).collect();
    for op in &ops {
        for before in states.iter().step_by(7) {
            let after: Vec<State> =
                system.successors(op, before, &|v| choices(&system, v)).map(Result::unwrap).collect();
            for state in &after {
                assert!(related(&system, op, before, state), "{op:?}");
            }
            for state in states.iter().step_by(11) {
                assert_eq!(
                    related(&system, op, before, state),
                    after.contains(state),
                    "{op:?} {before:?} {state:?}"
                );
            }
        }
    }
}

/// Executes the edges in order; `None` if an assumption fails.
fn run(system: &System, mut state: State) -> Option<State> {
    for e in &system.edges {
        state = system.post(&e.op, &state, &mut |_| num(0)).unwrap()?;
    }
    Some(state)
}

fn start(system: &System) -> State {
    system.variables.iter().map(|v| v.ty.some_value()).collect()
}

fn value(system: &System, state: &State, name: &str) -> Value {
    state[system.find_variable(name).unwrap_or_else(|| panic!("no {name}")).index()].clone()
}

#[test]
fn arrays_with_constant_indices() {
    let system = model(
        "var a : [int] -> int var b : [int] -> int var x : int var e : bool var f : bool
         A -> B { a := [0 <- 7, 1 <- 8, 0 <- 9, default <- 5] b := a[1 <- a[0] + 1][34 <- 6]
                  x := b[1] + a[34] e := a = b f := (if e then a else b[34 <- 5][1 <- 8]) = a }",
    );
    let names: Vec<&str> = system.variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names[..5], ["a[0]", "a[1]", "a[34]", "a[*]", "b[0]"]);
    let end = run(&system, start(&system)).unwrap();
    assert_eq!(value(&system, &end, "b[1]"), num(10));
    assert_eq!(value(&system, &end, "x"), num(15));
    assert_eq!(value(&system, &end, "b[*]"), num(5));
    assert_eq!(value(&system, &end, "e"), Value::Bool(false));
    assert_eq!(value(&system, &end, "f"), Value::Bool(true));
    assert_eq!(system.edges[1].label, "b := a[1 <- a[0] + 1][34 <- 6]");
    assert_eq!(system.arrays.len(), 2);
}

#[test]
fn arrays_with_small_indices_take_variables() {
    let system = model(
        "var a : [bv[2]] -> int var m : [bool] -> bv[3] var i : bv[2] var x : int var p : bool
         A -> B { a := [<bv[2]> default <- 4] i := 2'd3 a := a[i <- 9][2'd1 <- 6] x := a[i] + a[2'd1] + a[i bvadd 2'd1]
                  m := m[x = 19 <- 3'd5] p := m[true] = 3'd5 and m[p] /= m[not p] }",
    );
    assert!(system.find_variable("a[*]").is_none());
    let end = run(&system, start(&system)).unwrap();
    assert_eq!(value(&system, &end, "x"), num(19));
    assert_eq!(value(&system, &end, "m[true]"), num(5));
    assert_eq!(value(&system, &end, "p"), Value::Bool(true));
}

#[test]
fn an_array_is_assigned_at_once() {
    let system = model("var a : [bool] -> int A -> B { a := [true <- a[false], default <- a[true]] }");
    let end = run(&system, vec![num(1), num(2)]).unwrap();
    assert_eq!(end, vec![num(2), num(1)]);
    assert!(matches!(system.edges[0].op, Op::Update(_)));
    assert_eq!(
        cfa::parse(&cfa::print(&system))
            .map(|s| run(&s, vec![num(1), num(2), num(0), num(0)]).unwrap()[..2].to_vec()),
        Ok(end)
    );
}

#[test]
fn havoc_of_an_array_is_havoc_of_its_cells() {
    let system = model("var a : [int] -> bool A -> B { havoc a assume a[3] }");
    assert_eq!(system.edges[0].op.havocs().len(), 2);
    assert_eq!(system.edges[0].label, "havoc a");
}

//! Each command and each error of the front end, and random input.

use super::*;
use crate::number::Q;
use crate::term::Sort;

fn run_with(limits: Limits, text: &str) -> Vec<String> {
    let mut all = Vec::new();
    Session::new(limits).run(text, &mut |answer| all.push(answer.to_owned()));
    all
}

/// The answers, one a line.
fn run(text: &str) -> String {
    run_with(Limits::default(), text).join("\n")
}

/// The answer to `(assert TERM)` with some declarations before it.
fn refused(term: &str) -> String {
    let declarations =
        "(declare-fun p () Bool)(declare-fun x () Int)(declare-fun y () Int)(declare-fun r () Real)
(define-fun f ((a Int)) Int (+ a 1))\n";
    let answer = run(&format!("{declarations}(assert {term})"));
    let answer = answer.strip_prefix("(error \"").unwrap_or_else(|| panic!("accepted: {term} ({answer})"));
    answer.strip_suffix("\")").unwrap_or(answer).to_owned()
}

/// Is this formula over integers x, y, reals r, s and Booleans p, q true in some, in no assignment?
fn verdict(formula: &str) -> String {
    run(&format!(
        "(declare-const x Int)(declare-const y Int)(declare-const r Real)(declare-const s Real)
         (declare-const p Bool)(declare-const q Bool)(assert {formula})(check-sat)"
    ))
}

#[test]
fn operators_mean_what_the_standard_says() {
    let valid = [
        "(= (=> p q p) (or (not p) (not q) p))",
        "(= (xor p q p) q)",
        "(= (= p q p) (and (= p q) (= q p)))",
        "(not (distinct p q (not p)))",
        "(= (- x y 1) (+ x (- y) (- 1)))",
        "(= (- 7) (- 3 10))",
        "(= (* 2 x (- 3)) (- (* 6 x)))",
        "(= (/ r 2 (- 5)) (* (- 0.1) r))",
        "(= (div (- 7) 2) (- 4))",
        "(= (div (- 7) (- 2)) 4)",
        "(= (mod (- 7) (- 2)) 1)",
        "(= x (+ (* 3 (div x 3)) (mod x 3)))",
        "(>= (abs x) 0 (- (abs x)))",
        "(=> (< x y 3) (<= x 1))",
        "(=> (> r s 0) (> r 0))",
        "(= (to_real (+ x y)) (+ x (to_real y)))",
        "(not (= (+ (* 2 r) x) (+ x (* 2 r) 1)))",
        "(let ((x y) (y x)) (= (- x y) (- (- y x))))",
        "(let ((z x)) (let ((x y)) (let ((y z)) (= (+ x y) (+ y x)))))",
        "(= (ite p x 2.5) (ite p (to_real x) (/ 5 2)))",
        "(= 123456789012345678901234567890 (* 10 12345678901234567890123456789))",
        "(! (or p (not p)) :pattern (x) :weight 3)",
    ];
    for formula in valid {
        assert_eq!(verdict(&format!("(not {formula})")), "unsat", "{formula}");
        assert_eq!(verdict(formula), "sat", "{formula}");
    }
    assert_eq!(verdict("(distinct x y 1 (+ x y))"), "sat");
    assert_eq!(verdict("(and (< 0 x y 3) (distinct x y 1))"), "unsat");
}

#[test]
fn numerals_are_real_where_the_logic_has_no_integers() {
    let text = "(declare-fun x () Real)(assert (= (* 2 x) 1))(check-sat)(get-value (x (+ x 1) (= x 0)))";
    for logic in ["QF_LRA", "QF_RDL", "ALL"] {
        let expected = "sat\n((x (/ 1.0 2.0)) ((+ x 1) (/ 3.0 2.0)) ((= x 0) false))";
        assert_eq!(run(&format!("(set-logic {logic}){text}")), expected);
    }
    let answer = run("(set-logic QF_LRA)(assert (= (div 4 2) 2))");
    assert!(answer.contains("1:35: an Int was expected, this is Real"), "{answer}");
}

#[test]
fn terms_are_refused_with_their_place() {
    for (term, message) in [
        ("x", "3:9: a Bool was expected, this is Int"),
        ("(* x y)", "3:14: nonlinear: a product may have one factor that is not constant"),
        ("(= (/ 1 r) 2)", "3:17: nonlinear: the divisor is not constant"),
        ("(= (mod x 0) 2)", "3:19: division by zero is not supported"),
        ("(= (mod r 2) 2)", "3:17: an Int was expected, this is Real"),
        ("(and p x)", "3:16: a Bool was expected, this is Int"),
        ("(< p x)", "3:12: a number was expected, this is Bool"),
        ("(= p x)", "3:14: a Bool was expected, this is Int"),
        ("(not p p)", "3:10: 'not' needs 1 arguments, 2 given"),
        ("(=> p)", "3:10: '=>' needs at least 2 arguments, 1 given"),
        ("(ite p p)", "3:10: 'ite' needs 3 arguments, 2 given"),
        ("(ite p x p)", "3:18: a number was expected, this is Bool"),
        ("(g x)", "3:10: unknown function 'g'"),
        ("(p x)", "3:10: 'p' is not a function"),
        ("(= (f) 1)", "3:12: 'f' without arguments is written without parentheses"),
        ("(= f 1)", "3:12: 'f' needs 1 arguments"),
        ("(= (f x y) 1)", "3:13: 1 arguments are needed, 2 given"),
        ("(= (f p) 1)", "3:15: Int was expected, this is Bool"),
        ("z", "3:9: unknown symbol 'z'"),
        ("(< x -3)", "3:14: unknown symbol '-3'; write (- 3)"),
        ("()", "3:9: a term was expected"),
        ("(let ((a 1) (a 2)) p)", "3:9: 'a' is bound twice"),
        ("(let () p)", "3:9: 'let' needs bindings like ((x term))"),
        ("(let ((a)) p)", "3:15: a binding like (x term) was expected"),
        ("(forall ((z Int)) p)", "3:10: quantifiers are not supported"),
        ("((_ divisible 3) x)", "3:10: indexed and qualified operators are not supported"),
        ("(is_int r)", "3:10: 'is_int' is not supported"),
        ("(= #b01 #b01)", "3:12: bit vectors are not supported"),
        ("(! p :named)", "3:14: :named needs a symbol"),
        ("(! p :named x)", "3:21: 'x' is already declared"),
        ("(! p named)", "3:14: an attribute like :named was expected"),
        ("p p", "3:1: expected (assert term)"),
    ] {
        assert_eq!(refused(term), message, "{term}");
    }
    let many = "x ".repeat(2_001);
    assert!(refused(&format!("(distinct {many})")).ends_with("at most 2000 arguments"));
}

#[test]
fn declarations_are_refused_with_their_place() {
    for (text, message) in [
        ("(set-logic QF_BV)", "1:12: the logic 'QF_BV' is not supported"),
        ("(set-logic ALL)(set-logic ALL)", "1:16: the logic is already set"),
        ("(declare-const and Bool)", "1:16: 'and' has a fixed meaning and cannot be declared"),
        ("(declare-const a Bool)(declare-const a Int)", "1:38: 'a' is already declared"),
        ("(declare-const a Array)", "1:18: the sort 'Array' is not supported"),
        ("(declare-const a (_ BitVec 8))", "1:18: the sort (_ BitVec 8) is not supported"),
        ("(declare-fun a Int)", "1:1: expected (declare-fun name () Sort)"),
        ("(define-fun f ((a Int) (a Int)) Int a)", "1:25: 'a' is a parameter twice"),
        ("(define-fun f ((a Int)) Bool a)", "1:30: Bool was expected, this is Int"),
        ("(define-fun f ((a Bool)) Bool (! a :named n))", "1:43: no :named in the body"),
        ("(define-fun-rec f ((a Int)) Int a)", "1:1: 'define-fun-rec' is not supported"),
        ("(pop)", "1:1: 0 frames are open"),
        ("(push x)", "1:7: a number up to 1000000 was expected"),
        ("(get-model)", "1:1: there is no model: the last answer was not sat"),
        ("(get-unsat-core)", "1:1: there is no refutation: the last answer was not unsat"),
        ("(get-info :reason-unknown)", "1:1: the last answer was not unknown"),
        ("(echo a)", "1:7: a string was expected"),
        ("(frobnicate)", "1:1: unknown command 'frobnicate'"),
        ("check-sat", "1:1: a command like (check-sat) was expected"),
        ("(assert true", "1:1: this parenthesis is not closed"),
    ] {
        let answer = run(text);
        assert!(answer.starts_with(&format!("(error \"{message}")), "{text}: {answer}");
    }
}

#[test]
fn after_an_error_the_session_goes_on_but_does_not_guess() {
    let text = "(declare-const x Int)(push)(assert (= (* x x) 2))(assert (> x 0))(check-sat)
(get-info :reason-unknown)(assert (< x 0))(check-sat)(pop)(check-sat)";
    let expected = "(error \"1:44: nonlinear: a product may have one factor that is not constant\")
unknown\n(:reason-unknown \"incomplete: an earlier command was rejected\")\nunsat\nsat";
    assert_eq!(run(text), expected);
    let ended = run("(echo \"a\")(echo \"b)(echo \"c\")");
    assert_eq!(ended, "\"a\"\n(error \"1:28: this string is not closed\")");
}

#[test]
fn functions_without_use_do_no_harm() {
    let text = "(set-logic QF_UF)(declare-sort U 0)(declare-const u U)(declare-fun f (U) U)
(declare-const a Bool)(assert a)(check-sat)(assert (= u u))(check-sat)";
    let expected = "sat\n(error \"2:55: constants of a declared sort are not supported\")\nunknown";
    assert_eq!(run(text), expected);
}

#[test]
fn definitions_are_expanded() {
    let text = "(set-logic QF_LRA)(define-sort Time () Real)(declare-const |a b| Time)
(define-fun twice ((u Time)) Real (let ((v u)) (+ u v)))(define-const four Real 4)
(define-fun big ((u Real) (v Real)) Bool (> (twice u) v))
(assert (big |a b| (twice four)))(assert (<= |a b| 4.5))(check-sat)(get-model)
(assert (not (big |a b| 8)))(check-sat)";
    assert_eq!(run(text), "sat\n(\n  (define-fun |a b| () Real (/ 9.0 2.0))\n)\nunsat");
}

#[test]
fn frames_scope_assertions_and_names() {
    let text = "(set-option :print-success true)(declare-const a Bool)(push 2)(declare-const b Int)
(assert (! (and a (> b 0)) :named n))(assert (not n))(check-sat)(pop)(pop)(declare-const b Bool)
(assert (= b a))(check-sat)(get-value (b))";
    let expected = "success\nsuccess\nsuccess\nsuccess\nsuccess\nsuccess\nunsat\nsuccess\nsuccess\nsuccess\nsuccess\nsat\n((b true))";
    assert_eq!(run(text), expected);
    let global =
        "(set-option :global-declarations true)(push)(declare-const c Int)(pop)(assert (= c 1))(check-sat)";
    assert_eq!(run(global), "sat");
}

#[test]
fn cores_assumptions_and_assignments() {
    let text = "(set-option :minimal-unsat-cores true)(declare-const x Int)(declare-const p Bool)
(assert (! (> x 3) :named low))(assert (! (< x 9) :named mid))(assert (! (=> p (< x 2)) :named high))
(check-sat-assuming ((not p) (> x 4)))(get-assignment)(get-unsat-core)
(check-sat-assuming ((> x 4) p))(get-unsat-core)(get-unsat-assumptions)";
    let answers = run(text);
    let expected = "sat\n((high true) (low true) (mid true))
(error \"3:55: there is no refutation: the last answer was not unsat\")\nunsat\n(high)\n((> x 4) p)";
    assert_eq!(answers, expected);
}

#[test]
fn interpolants_of_groups() {
    let text = "(set-option :check-interpolants true)(set-option :check-proofs true)
(declare-const x Int)(declare-const y Int)(declare-const z Int)
(assert (! (<= x 3) :named a))(assert (! (= y x) :named b))(assert (! (= z y) :named c))(assert (>= z 5))
(check-sat)(get-interpolants a (and b c))(get-interpolants (and a b) c)(get-interpolants c b a)
(get-interpolants a (b) c)(get-interpolants a)(get-interpolants a a)(get-interpolants a d)";
    let answers = run_with(Limits::default(), text);
    assert!(answers[0].starts_with("unsat\n; a refutation of "), "{answers:?}");
    assert_eq!(answers[1], "((<= x 3))");
    assert_eq!(answers[2], "((<= y 3))");
    assert_eq!(answers[3].lines().count(), 2);
    assert!(answers[4].contains("4:44: a group is a name") || answers[4].contains("trees are not supported"));
    assert!(answers[5].contains("between 2 and 10000 groups"));
    assert!(answers[6].contains("'a' is in a group already"));
    assert!(answers[7].contains("no assertion is named 'd'"));
}

#[test]
fn information_options_and_reset() {
    let text = "(set-logic QF_LIA)(set-info :status sat)(get-info :name)(set-option :random-seed 3)
(get-option :random-seed)(get-option :x)(get-info :assertion-stack-levels)(get-info :foo)
(declare-const x Int)(assert (! (> x 1) :named n))(get-assertions)(reset-assertions)(declare-const x Real)
(assert (= x 0.5))(check-sat)(reset)(declare-const x Bool)(assert (and x (not x)))(check-sat)(get-proof)
(exit)(check-sat)";
    let expected = "(:name \"veristep\")\n3\nunsupported\n(:assertion-stack-levels 0)\nunsupported
((! (not (<= x 1)) :named n))\nsat\nunsat\n(\n0: false  [assertion 0]\n)";
    assert_eq!(run(text), expected);
}

#[test]
fn deep_nesting_is_no_recursion() {
    let depth = 60_000;
    let mut text = String::from("(declare-const a Bool)(declare-const b Bool)(assert ");
    for i in 0..depth {
        let last = if i == 0 { "a".to_owned() } else { format!("v{}", i - 1) };
        text.push_str(&format!("(let ((v{i} (xor {last} b))) "));
    }
    text.push_str(&format!("(not v{})", depth - 1));
    text.push_str(&")".repeat(depth + 1));
    text.push_str(&format!("(assert {} a {})", "(not ".repeat(depth).trim_end(), ")".repeat(depth)));
    text.push_str("(check-sat)");
    // An even number of `xor b` is no change, an even number of negations either.
    assert_eq!(run(&text), "unsat");
}

/// Mutated scripts must not panic; any answer is accepted.
#[test]
fn garbage_never_panics() {
    let seeds = [
        "(set-logic QF_LIA)(declare-fun x () Int)(declare-const y Int)(assert (! (< (+ x (* 2 y)) (div x 3)) :named a))
(push 1)(assert (or (= x 3) (distinct x y (- 2) (mod y 2))))(check-sat)(get-model)(get-value (x (+ x y)))(pop 1)
(check-sat-assuming ((> x y) (not (= x 3))))(get-unsat-core)(get-assertions)(reset-assertions)(exit)",
        "(set-logic QF_LRA)(declare-fun u () Real)(define-fun f ((a Real) (b Bool)) Real (ite b a (/ a 2.5)))
(assert (! (let ((v (f u true)) (w u)) (=> (> v 1) (< (abs w) 0.5))) :named a))(assert (! (> u 7) :named b))
(check-sat)(get-interpolants a b)(get-proof)(get-unsat-assumptions)(echo \"a\"\"b\")(get-info :name)(reset)",
    ];
    let pieces = [
        "(", ")", " ", "x", "u", "1", "-", "|", "\"", ":named", "let", "0", "é", "#", "a", "(assert ",
        "(/ 1 0)",
    ];
    let limits = Limits { conflicts: 20, pivots: 50, branches: 5, ..Limits::default() };
    let mut state = 0x1234_5678_9abc_def1_u64;
    let mut below = |n: usize| {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        usize::try_from(state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33).expect("31 bits") % n
    };
    for i in 0..4_000 {
        let mut text: Vec<char> = seeds[i % 2].chars().collect();
        for _ in 0..=below(4) {
            let at = below(text.len());
            match below(4) {
                0 => drop(text.remove(at)),
                1 => drop(text.splice(at..at, pieces[below(pieces.len())].chars())),
                2 => {
                    let (from, length) = (below(text.len()), below(30));
                    let part: Vec<char> = text.iter().skip(from).take(length).copied().collect();
                    text.splice(at..at, part);
                }
                _ => drop(text.drain(at..(at + below(20)).min(text.len()))),
            }
        }
        let text: String = text.into_iter().collect();
        run_with(limits, &text);
    }
}

/// `holes + 1` pigeons in `holes` holes: hard for resolution.
fn pigeons(holes: usize) -> String {
    let mut text = String::new();
    for p in 0..=holes {
        for h in 0..holes {
            text += &format!("(declare-const p{p}_{h} Bool)");
        }
        let places: Vec<String> = (0..holes).map(|h| format!("p{p}_{h}")).collect();
        text += &format!("(assert (or {}))", places.join(" "));
    }
    for h in 0..holes {
        for p in 0..=holes {
            for q in 0..p {
                text += &format!("(assert (not (and p{p}_{h} p{q}_{h})))");
            }
        }
    }
    text + "(check-sat)(get-info :reason-unknown)"
}

#[test]
fn conflicts_and_memory_are_limited() {
    let answers = |limits: Limits| {
        let mut all = Vec::new();
        Session::new(limits).run(&pigeons(11), &mut |a| all.push(a.to_owned()));
        all.join("\n")
    };
    let short = Limits { conflicts: 500, ..Limits::default() };
    assert!(answers(short).contains("limit of conflicts"), "{}", answers(short));
    let small = Limits { memory: 200_000, ..Limits::default() };
    assert!(answers(small).contains("limit of memory"), "{}", answers(small));
}

#[test]
fn a_name_declared_again_is_printed_as_it_is_written() {
    let answers = run("(set-logic ALL)(push 1)(declare-fun x () Int)(pop 1)
         (declare-fun x () Real)(declare-fun |x'| () Real)
         (assert (! (and (> x 1.5) (< |x'| 7.0)) :named A))
         (assert (! (and (< x 1.0) (> |x'| 3.0)) :named B))
         (check-sat)(get-interpolants A B)");
    assert_eq!(answers, "unsat\n((not (<= x (/ 3.0 2.0))))");
}

#[test]
fn a_core_that_cannot_be_had_is_refused_each_time() {
    let mut text = String::from("(set-logic QF_LIA)");
    for i in 0..80 {
        text += &format!("(declare-fun v{i} () Int)");
    }
    for i in 1..80 {
        text += &format!("(assert (= v{i} (+ v{} 1)))", i - 1);
    }
    text += "(declare-fun x () Int)(declare-fun y () Int)(declare-fun z () Int)(declare-fun w () Int)
        (assert (= (+ x y) (* 2 z)))(assert (= (- x y) (+ (* 2 w) 1)))
        (check-sat)(get-unsat-core)(get-unsat-core)";
    let answers = run(&text);
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines.len(), 3, "{answers}");
    assert!(
        lines[0] == "unsat" && lines[1..].iter().all(|l| l.contains("cannot be made explicit")),
        "{answers}"
    );
}

#[test]
fn what_was_withdrawn_leaves_no_traces_in_interpolants() {
    // Found by the fuzzer: the definition of a remainder that is in none of the assertions occurred in the refutation.
    let answers =
        run("(set-option :produce-interpolants true)(set-option :check-interpolants true)(set-logic QF_LIA)
         (declare-fun x () Int)(declare-fun y () Int)
         (push 1)(assert (= (mod x 3) 1))(check-sat)(pop 1)
         (assert (! (= (+ (* 7 x) y) 37) :named A))
         (assert (! (and (= (- (* 5 x) y) (- 12)) (distinct (div x 3) y)) :named B))
         (check-sat)(get-interpolants A B)(set-option :interpolation-boolean dual)(get-interpolants A B)");
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines[..2], ["sat", "unsat"], "{answers}");
    assert!(!answers.contains("error") && lines[2] != "(false)" && lines[3] != "(false)", "{answers}");
}

/// A printed query is read as the same query.
#[test]
fn questions_are_written_as_scripts() {
    let mut t = Terms::new();
    let (x, y) = (t.var("x", Sort::Int), t.var("a name", Sort::Real));
    let (three, half) = (t.int(3), t.num(Q::ratio(-1, 2), Sort::Real));
    let third = t.modulo(x, &Q::from(3));
    let real = t.to_real(x);
    let all = [t.gt(third, three), t.le(y, half), t.lt(y, real)];
    let named: Vec<(Option<&str>, Term)> = vec![(None, all[0]), (Some("small"), all[1]), (None, all[2])];
    let text = script(&t, &named, Asking::Interpolants);
    let mut answers = Vec::new();
    Session::new(Limits::default()).run(&text, &mut |a| answers.push(a.to_owned()));
    assert_eq!(answers[0], "unsat", "{text}\n{answers:?}");
    assert!(answers[1].starts_with('(') && !answers[1].starts_with("(error"), "{answers:?}");
}

/// A term whose text would be exponentially long.
#[test]
fn shared_terms_are_written_once() {
    let mut t = Terms::new();
    let x = t.var("x", Sort::Int);
    let one = t.int(1);
    let mut p = t.le(x, one);
    for i in 0..200 {
        let q = t.var(&format!("q{i}"), Sort::Bool);
        let (left, right) = (t.and([p, q]), t.or([p, q]));
        p = t.iff(left, right);
    }
    let text = script(&t, &[(None, p)], Asking::Check);
    assert!(text.len() < 60_000, "{} bytes", text.len());
    assert_eq!(run(&text), "sat");
}

/// Reserved names of SMT-LIB, and names used twice, are changed.
#[test]
fn names_are_made_fresh() {
    let mut t = Terms::new();
    let [a, b, c] = ["let", "a1", "distinct"].map(|n| t.var(n, Sort::Int));
    let all = [t.le(a, b), t.lt(b, c), t.lt(c, a)];
    let named: Vec<(Option<&str>, Term)> = vec![(Some("a1"), all[0]), (None, all[1]), (Some("a1"), all[2])];
    let text = script(&t, &named, Asking::Interpolants);
    let answers = run(&text);
    assert!(answers.starts_with("unsat\n(") && !answers.contains("error"), "{text}\n{answers}");
}

/// Checks are counted across resets: the third one is the third one.
#[test]
fn checks_are_counted_through_resets() {
    let mut session = Session::new(Limits::default());
    session.run("(check-sat)(reset)(check-sat)(reset-assertions)(check-sat)", &mut |_| {});
    assert_eq!(session.checks(), 3);
}

/// Options fixed by the caller are kept after a reset, and scripts cannot switch them off.
#[test]
fn some_options_are_insisted_on() {
    let mut session = Session::new(Limits::default());
    session.insist(":check-proofs", "true");
    session.insist(":steps", "true");
    let mut answers = Vec::new();
    let unsat = "(declare-const |a\nb| Int)(assert (< |a\nb| 0))(assert (> |a\nb| 0))(check-sat)";
    let text = format!("{unsat}(reset)(set-option :check-proofs false)(set-option :steps false){unsat}");
    session.run(&text, &mut |a| answers.push(a.to_owned()));
    assert_eq!(answers.len(), 2);
    for answer in answers {
        let mut lines = answer.lines();
        assert_eq!(lines.next(), Some("unsat"));
        assert!(answer.contains("was accepted") && answer.contains("; 1 "), "{answer}");
        assert!(lines.all(|line| line.starts_with(';')), "{answer}");
    }
}

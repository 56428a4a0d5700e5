//! Tests of the preprocessor; the expected texts were compared with those of `gcc -E -P`.

use super::*;
use crate::diagnostic::Severity;

fn headers(name: &str) -> Option<Vec<(&'static str, Replacement)>> {
    let list = |all: &[(&'static str, &str)]| {
        all.iter().map(|(n, r)| (*n, Replacement::List((*r).to_owned()))).collect()
    };
    match name {
        "limits.h" => Some(list(&[("INT_MAX", "2147483647"), ("INT_MIN", "(-2147483647-1)")])),
        "stddef.h" | "stdio.h" => Some(list(&[("NULL", "0")])),
        "stdint.h" => Some(list(&[("INT64_C(c)", "c ## LL")])),
        _ => None,
    }
}

fn run(text: &str) -> std::result::Result<Preprocessed, Vec<Diagnostic>> {
    preprocess(text, &[("__STDC__", "1"), ("__LP64__", "1")], &headers)
}

/// The resulting text with single blanks, or the messages.
fn words(text: &str) -> String {
    match run(text) {
        Ok(program) => program.text.split_whitespace().collect::<Vec<_>>().join(" "),
        Err(errors) => errors.iter().map(|e| e.message.clone()).collect::<Vec<_>>().join("; "),
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(words(text), expected, "{text}");
}

/// The text is rejected at `place` with a message that contains `message`.
#[track_caller]
fn refused(text: &str, place: &str, message: &str) {
    let errors = run(text).err().unwrap_or_else(|| panic!("{text:?} is accepted"));
    assert!(errors[0].message.contains(message), "{text:?}: {}", errors[0].message);
    assert_eq!(errors[0].span.of(text), place, "{text:?}: {}", errors[0].message);
}

#[track_caller]
fn holds(condition: &str) {
    check(&format!("#if {condition}\nyes\n#else\nno\n#endif\n"), "yes");
}

#[test]
fn text_without_macros_stays_where_it_is() {
    let text = "int main(void) {\n\treturn 1+-1; // é\n}\n/* a\n b */ int x;\n#pragma x\nint y;";
    let blank = "int main(void) {\n\treturn 1+-1;      \n}\n    \n      int x;\n         \nint y;";
    assert_eq!(run(text).unwrap().text, blank);
    assert_eq!(run("").unwrap().text, "");
    let text = "a\n#if defined X || 1\n b\n#else\nc\n#endif\n#include <stdio.h>\n  d = e;\n";
    let program = run(text).unwrap();
    assert_eq!(program.text.trim_end(), format!("a\n{:18}\n b\n     \n \n{:6}\n{:18}\n  d = e;", "", "", ""));
    let at = program.text.find("d = e").unwrap();
    assert_eq!(program.span(at, at + 5).of(text), "d = e");
    assert_eq!(run("\u{feff}int x;").unwrap().text, "int x;");
    assert_eq!(run("a\0b\rc").unwrap().text, "a b c");
}

#[test]
fn lines_are_joined_and_counted() {
    check("a\\\nb \"x\\\r\ny\"", "ab \"xy\"");
    check("// comment \\\nint hidden;\nint shown;", "int shown;");
    check("// comment \\  \nint hidden;\nint shown;", "int shown;");
    check("#define A \\\r\n 5 // c \\\r\n c\r\nA\r\n", "5");
    assert!(run("a??/\nb").is_err());
    check("a ? b ?? c", "a ? b ?? c");
    // Lines that are not joined keep their numbers.
    let text = "#define A \\\n 5\nint \\\n x = A;\n#define f(x, y) x\nf(1,\n 2) +\nlast";
    let result = run(text).unwrap().text;
    assert_eq!(result.lines().position(|l| l == "last"), text.lines().position(|l| l == "last"), "{result}");
    check("a\n\\\n__LINE__\n#line 70\n__FILE__", "a 3 \"program.c\"");
    assert!(run("#line 70\n__LINE__").is_err());
}

#[test]
fn comments_and_literals() {
    check(
        "\"/* no */ // no\" '\"' \"a\\\"b\" '\\'' x/**/y /*/ c */ z",
        "\"/* no */ // no\" '\"' \"a\\\"b\" '\\'' x y z",
    );
    check("#define A /* of two\nlines */ 12 // end\nA", "12");
    check("# /* c */ define B 3\n/* x */ # define C 4\nB C", "3 4");
    check("#if 1 /* c\nd */ && 0\nb\n#endif /* e */\nf", "f");
    refused("a /* b", "/*", "no end");
    refused("#if 0\n/* b\n#endif", "/*", "no end");
    refused("x \"abc\ny", "\"abc", "closing quote");
    refused("#define q 'a\nq", "q", "closing quote");
    check("#if 0\ndon't \"stop /* here\n#else\nok\n#endif", "ok");
    check("#define unused don't\nok", "ok");
}

#[test]
fn object_like_macros() {
    check("#define foo foo a foo\nfoo", "foo a foo");
    check("#define A B\n#define B A\nA B", "A B");
    check("#define int long\n#define while if\nint x; while (1);", "long x; if (1);");
    check("#define a b\n1.a a.1 a\"x\" \"x\"a a'x' 1a", "1.a b .1 b \"x\" \"x\"b b 'x' 1a");
    check("#define A 1\n#define A 1\n#undef A\n#undef A\nA", "A");
    check("#define E\nE E int E x E;", "int x ;");
    check("#define u8 z\nu8 u8\"a\" L\"b\" L'c' u'd' u8R", "z u8\"a\" L\"b\" L'c' u'd' u8R");
    check("__STDC__ __LP64__ __DATE__ __func__", "1 1 \"Jan 1 1970\" __func__");
}

#[test]
fn tokens_do_not_run_together() {
    check("#define x -1\n-x +x - x", "- -1 + -1 - -1");
    check("#define y +\n+y y+ y+y", "+ + + + + + +");
    check("#define EMPTY\n-EMPTY- +EMPTY+ a EMPTY b", "- - + + a b");
    check("#define f(x) =x\n#define n 1\nf(=) n.n n##", "'##' is allowed only in directives");
    check("#define n 1\n#define e\nn.n .e.e. 1e+n x=n;", "1 . 1 . . . 1e+n x=1;");
}

#[test]
fn function_like_macros() {
    check("#define f(x) x\nf\n(1) f f(2) f", "1 f 2 f");
    check("#define f(x) [x]\n#define g f\ng(1) g\n(2) g g", "[1] [2] f f");
    check("#define f(x,y) x+y\nf((1,2),3) f(,) f(a,)", "(1,2)+3 + a+");
    check("#define f(x,y) x+y\nf([1,2)", "[1+2");
    check("#define f() z\nf() f( ) f(/**/)", "z z z");
    check("#define f (x)\nf(1)", "(x)(1)");
    check("#define f(x) x x\nf(f(f(1)))", "1 1 1 1 1 1 1 1");
    check("#define f(x) x\nf\n#define z 1\n(2) z", "f (2) 1");
    check("#define m1 m2 (\n#define m2(x) x m1\nm1(2) 3)", "(2) 3 m2 (");
    check("#define WRAP f(\n#define f(x) <x>\nWRAP 1) WRAP 2 )", "<1> <2>");
    check("#define lp (\n#define f(x) <x>\n#define id(x) x\nid(f lp 1)) id(f)(2)", "<1> <2>");
    check("#define a() b\n#define b() a\na()()()()()", "b");
}

#[test]
fn names_are_not_replaced_within_themselves() {
    check("#define SELF(x) (SELF(x))\nSELF(SELF(1))", "(SELF((SELF(1))))");
    check("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2*9*g");
    check("#define foo(x) bar x\nfoo(foo) (2)", "bar foo (2)");
    check("#define AA BB\n#define BB AA(x)\n#define foo() bar\nfoo() AA BB foo\n()", "bar AA(x) BB(x) bar");
    let nil = "#define NIL(arg) arg\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)";
    check(nil, "42");
    check("#define X(a) a##1 a\n#define k1 K\n#define k L\nX(k)", "K L");
}

#[test]
fn arguments_become_strings_and_tokens_are_joined() {
    check(
        "#define s(x) #x\ns( a   b  ) s(\"a\\n\" 'c' '\"' \"\\\\\") s(a/* */b)",
        "\"a b\" \"\\\"a\\\\n\\\" 'c' '\\\"' \\\"\\\\\\\\\\\"\" \"a b\"",
    );
    check(
        "#define s(x) #x\n#define E\n#define xs(x) s(x)\nxs(a E b) xs(-E -) xs(E) s(E) s()",
        "\"a b\" \"- -\" \"\" \"E\" \"\"",
    );
    check(
        "#define s(x) #x\n#define g(x) [ x]\n#define xs(x) s(x)\nxs(g()) xs(g(1)) s(\na\n b\n)",
        "\"[ ]\" \"[ 1]\" \"a b\"",
    );
    check(
        "#define f(x,y) x##y\nf(+,+) f(-,>) f(L,'a') f(1,e5) f(.,5) f(a,1) f(<,<=) f(,)",
        "++ -> L'a' 1e5 .5 a1 <<=",
    );
    check(
        "#define t(x,y,z) x ## y ## z\nt(1,2,3) t(,4,5) t(6,,7) t(8,9,) t(10,,) t(,11,) t(,,12) t(,,);",
        "123 45 67 89 10 11 12 ;",
    );
    check("#define f(x) x ## x x #x\n#define b 9\nf(b)", "bb 9 \"b\"");
    let hash = "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n\
                #define join(c, d) in_between(c hash_hash d)\njoin(x, y);";
    check(hash, "\"x ## y\";");
    check("#define CAT(a,b) CAT_(a,b)\n#define CAT_(a,b) a##b\nCAT(x,__LINE__)", "x3");
    refused("#define f(x,y) x##y\nf(+,-) 1", "f", "'##' of '+' and '-'");
    refused("#define f(x,y) x##y\nf(/,/) 1", "f", "'##' of '/' and '/'");
    refused("#define s(x) #x\ns(\\) 1", "s", "string literal");
}

#[test]
fn variadic_macros() {
    check(
        "#define d(...) printf(e, __VA_ARGS__)\nd(\"F\"); d(\"%d\", x);",
        "printf(e, \"F\"); printf(e, \"%d\", x);",
    );
    check("#define s(...) #__VA_ARGS__\ns(The first, second,third ) s()", "\"The first, second,third\" \"\"");
    check("#define V(x,...) <x|__VA_ARGS__>\nV(1) V(1,2,3) V(,) V()", "<1| > <1|2,3> < | > < | >");
    check(
        "#define e(a, ...) F(a, ## __VA_ARGS__)\ne(1) e(1,) e(1,2) e(1,2,3)",
        "F(1) F(1, ) F(1, 2) F(1, 2,3)",
    );
    check("#define e(...) F(x, ## __VA_ARGS__)\ne() e(1) e(1,2)", "F(x) F(x, 1) F(x, 1,2)");
    check("#define e(a, args...) F(a, ## args) [args]\ne(1) e(1,2,3)", "F(1) [] F(1, 2,3) [2,3]");
}

#[test]
fn examples_of_the_standard() {
    let text = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n\
        #define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n\
        #define r(x,y) x ## y\n#define str(x) # x\nf(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\n\
        g(x+(3,4)-w) | h 5) & m\n(f)^m(m);\np() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\n\
        char c[2][6] = { str(hello), str() };\n";
    let expected = "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1); \
        f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1); \
        int i[] = { 1, 23, 4, 5, }; char c[2][6] = { \"hello\", \"\" };";
    check(text, expected);
    let text = "#define str(s) # s\n#define xstr(s) str(s)\n#define INCFILE(n) vers ## n\n\
        #define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n#define HIGHLOW \"hello\"\n\
        #define LOW LOW \", world\"\nfputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4') // this goes away\n\
        == 0) str(: @\\n), s);\nxstr(INCFILE(2).h)\nglue(HIGH, LOW);\nxglue(HIGH, LOW)\n";
    let expected = "fputs(\"strncmp(\\\"abc\\\\0d\\\", \\\"abc\\\", '\\\\4') == 0\" \": @\\n\", s); \"vers2.h\" \
        \"hello\"; \"hello\" \", world\"";
    check(text, expected);
}

#[test]
fn digraphs_are_translated() {
    check("%:define A <: :> <% %>\nA <:1:>", "[ ] { } [ 1]");
    check("%:define s(x) %:x\n%:define c(a,b) a%:%:b\ns(<:) c(1,2)", "\"<:\" 12");
    assert_eq!(run("  a<:0:>;").unwrap().text, "  a[ 0] ;");
}

#[test]
fn wrong_definitions_and_arguments() {
    refused("#define f(x) z\nf(1,2)", "f", "1 parameters, but 2 arguments");
    refused("#define f() z\nf(1)", "f", "0 parameters, but 1 arguments");
    refused("#define f(x,y) z\nf(1)", "f", "2 parameters, but 1 arguments");
    refused("#define f(x) z\nf(1", "f", "no ')'");
    refused("#define f(x) z\nf(1\n#if 1\n2)\n#endif", "#", "within the arguments");
    refused("#define A 1\n#define A 2", "A", "another definition");
    refused("#define A(x) x+1\n#define A(x) x +1", "A", "another definition");
    refused("#define A(x) x\n#define A(y) y", "A", "another definition");
    for name in ["defined", "__FILE__", "__LINE__", "__DATE__", "__TIME__", "__STDC__"] {
        refused(&format!("#define {name} 1"), name, "neither");
        refused(&format!("#undef {name}"), name, "neither");
    }
    refused("#define", "#define", "without the name");
    refused("#define 3 x", "3", "not the name");
    refused("#define f(x,x) 1", "x", "two parameters");
    refused("#define f(x) #y", "#", "not followed by a parameter");
    refused("#define f(x) ## x", "##", "at an end");
    refused("#define f x ##", "##", "at an end");
    refused("#define __VA_ARGS__ 1", "__VA_ARGS__", "only allowed");
    refused("#define f(x) __VA_ARGS__", "__VA_ARGS__", "only allowed");
    refused("#define f(...) __VA_OPT__(x)", "__VA_OPT__", "C23");
    refused("#define f(x,...,y)", ",", "')' is expected");
    refused("#define f(x y)", "y", "',' or ')'");
    refused("#define f(x", "(", "no ')'");
    refused("#undef", "#undef", "needs the name");
    refused("#undef A B", "B", "not expected");
}

#[test]
fn groups_are_taken_or_skipped() {
    check("#ifndef A\n#define A\n#endif\n#ifdef A\na\n#elif 1/0\nb\n#else\nc\n#endif", "a");
    check("#if 0\n#elif 0\n#elif 1\nc\n#elif 1\nd\n#else\ne\n#endif", "c");
    check(
        "#if 0\n# unknown\n#if garbage ((\n#elif more $\n#else\n#endif\n#include <x>\n#else junk\nx\n#endif junk",
        "x",
    );
    check("#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 1\nc\n#endif", "c");
    check("#if 0\n#error fine\n#endif\n# 12 \"foo.c\" 3\n#\n#warning hi\n#ident \"x\"\nx", "x");
    check("#pragma pack(1)\n_Pragma(\"pack(2)\") int x;\n#define P(x) _Pragma(#x) y\nP(a b)", "int x; y");
    refused("#if 1", "#if", "no '#endif'");
    refused("#endif", "#endif", "without '#if'");
    refused("#else", "#else", "without '#if'");
    refused("#if 1\n#else\n# else\n#endif", "# else", "after '#else'");
    refused("#if 1\n#else\n#elif 1\n#endif", "#elif", "after '#else'");
    refused("#ifdef\n#endif", "#ifdef", "needs the name");
    refused("#ifdef A && B\n#endif", "&&", "not expected");
    refused("#error no way \"it's", "#error", "#error no way \"it's");
    refused("#foo", "#foo", "not a directive");
    refused("#if 0\n#elifdef A\n#endif", "#elifdef", "C23");
    refused("_Pragma(1)", "_Pragma", "string literal");
    refused("a # b", "#", "only in directives");
    let both = run("#foo\n#if 1/0\n#endif\n#bar").err().unwrap();
    assert_eq!(both.iter().map(|e| e.span.start).collect::<Vec<_>>(), [0, 9, 20], "mistakes are collected");
}

#[test]
fn conditions() {
    holds("(1 ? 2 : 3/0) == 2 && (0 && 1/0 || 1)");
    holds("-1 > 0u && -1 >> 1 == -1 && (-1 < 0) && 5 % -3 == 2 && ~0 == -1");
    holds("0x10 == 16 && 010 == 8 && 0b11 == 3 && 10uLL == 10 && 18446744073709551615u == -1");
    holds(
        "'a' == 97 && '\\x41' == 65 && '\\377' < 0 && 'ab' == 24930 && L'a' == 97 && '\\n' == 10 && '\\0' == 0",
    );
    holds("(2 || 3) == 1 && !(3 && 0) && !!5 && (0 ? 1u : -1) > 0");
    holds("1 - 1 - 1 == -1 && 2 + 3 * 4 == 14 && 1 << 2 + 1 == 8 && (1 | 2 ^ 3 & 1) == 3 && 2 > 1 > 0");
    holds("- - 1 == 1 && -1 + +1 == 0 && !1 + 1 == 1 && (1 ? 0 : 1 ? 2 : 3) == 0 && (0 && (1, 2)) == 0");
    holds("unknown == 0 && int == 0 && defined __STDC__ && !defined(X) && defined __LINE__ && __LINE__ == 1");
    check("#define F(x) (x)\n#if F(1) && F(defined F)\ny\n#endif", "y");
    for (condition, message) in [
        ("1/0", "division by zero"),
        ("1%0", "division by zero"),
        ("1 +", "ends too early"),
        ("(1", "no ')'"),
        ("1 = 2", "'='"),
        ("1.0", "'1.0'"),
        ("\"a\"", "\"a\""),
        ("1 2", "'2'"),
        ("''", "empty"),
        ("'\\xfff'", "escape"),
        ("'abcde'", "too many"),
        ("0x", "'0x'"),
        ("09", "'09'"),
        ("1lL", "'1lL'"),
        ("99999999999999999999", "64 bits"),
        ("9223372036854775807 + 1", "overflows"),
        ("1 << 64", "0 to 63"),
        ("1, 2", "','"),
        ("1 ? 2", "no ':'"),
        ("foo(1)", "'('"),
        ("__has_include(<x>)", "not supported"),
        ("1 + defined", "'defined'"),
    ] {
        let text = format!("#if {condition}\n#endif");
        let errors = run(&text).err().unwrap_or_else(|| panic!("{text}"));
        assert!(errors[0].message.contains(message), "{text}: {}", errors[0].message);
    }
    refused("#if  \n#endif", "#if", "missing");
    refused("#define D defined X\n#if 1 + D\n#endif", "1 + D", "as the result of a macro");
}

#[test]
fn headers_define_macros() {
    check(
        "#include <limits.h>\n#include <stddef.h>\n#include \"stdio.h\"\nINT_MIN NULL",
        "(-2147483647-1) 0",
    );
    check("#define H <limits.h>\n#include H\nINT_MAX", "2147483647");
    check("#define H \"limits.h\"\n#include H // c\nINT_MAX", "2147483647");
    check("#include <stdint.h>\nINT64_C(3)", "3LL");
    check("#include <limits.h>\n#undef INT_MAX\n#define INT_MAX 5\n#include <limits.h>\nINT_MAX", "5");
    check("#define assert(x) old\n#include <assert.h>\nassert(a)", "assert(a)");
    let twice =
        "#define NDEBUG\n#include <assert.h>\nassert(a)\n#undef NDEBUG\n#include <assert.h>\nassert(b)";
    check(twice, "((void)0) assert(b)");
    refused("#include <limits.h>\n#define INT_MAX 5", "INT_MAX", "in <limits.h>");
    refused("#define NULL 1\n#include <stddef.h>", "<stddef.h>", "in <stddef.h>");
    refused("#include <x/y.h>", "<x/y.h>", "<x/y.h> is not supported");
    refused("#include \"my.h\"", "\"my.h\"", "gcc -E");
    refused("#include <x", "#include", "no closing '>'");
    refused("#include", "#include", "not followed");
    refused("#include <stdio.h> x", "x", "not expected");
    let errors = run("#include <x.h>\n#include \"y.h\"").err().unwrap();
    assert!(errors.len() == 2 && errors.iter().all(|e| e.severity == Severity::Unsupported));
}

#[test]
fn each_part_has_its_place() {
    let text = "\u{feff}#define N 10\r\n#define f(x) (x + N)\r\nint é = N + f(\r\n3) + la\\\r\nst;";
    let program = run(text).unwrap();
    let place = |part: &str| {
        let at = program.text.find(part).unwrap_or_else(|| panic!("{part}: {}", program.text));
        program.span(at, at + part.len()).of(text)
    };
    assert_eq!(place("int é"), "int é");
    assert_eq!(place("10"), "N");
    assert_eq!(place("(3"), "f");
    assert_eq!(place("int é = 10"), "int é = N");
    assert_eq!(place("10 + (3 + 10)"), "N + f");
    assert_eq!(place("last"), "la\\\r\nst");
    assert_eq!(place("st;"), "st;");
    let end = program.text.len();
    assert_eq!(program.span(end, end), Span::new(text.len(), text.len()));
    assert_eq!(program.span(end + 9, 0).of(text), "");
}

#[test]
fn everything_is_bounded() {
    let lines = |line: &dyn Fn(usize) -> String, n| (0..n).map(line).collect::<String>();
    let double = lines(&|i| format!("#define A{i} A{j} A{j}\n", j = i + 1), 40);
    refused(&format!("{double}A0"), "A0", "more than 1000000 tokens");
    let nested = lines(&|i| format!("#define A{i}(x) A{j}(A{j}(x))\n", j = i + 1), 40);
    refused(&format!("{nested}A0(1)"), "A0", "1000000 tokens");
    let quotes = lines(&|i| format!("#define A{i}(x) A{j}(#x)\n", j = i + 1), 60);
    refused(&format!("{quotes}A0(\"\\\\\")"), "A0", "more than 4194304 bytes");
    let paste = format!("#define P {}a\nP 1", "a##".repeat(100_000));
    refused(&paste, "P", "bytes");
    let call = |n: usize| format!("#define f(x) x\n{}1{}", "f(".repeat(n), ")".repeat(n));
    check(&call(199), "1");
    refused(&call(300), "f", "deeper than 200 levels");
    refused(&"#if 1\n".repeat(300), "#if", "deeper than 200 levels");
    for part in ["(", "1 ? ", "1 ? 1 : ", "1 + ("] {
        let errors = run(&format!("#if {}\n#endif", part.repeat(10_000))).err().unwrap();
        assert!(errors[0].message.contains("200 levels"), "{part}");
    }
    check(&format!("#if {}1\nx\n#endif", "!".repeat(10_000)), "x");
    check(&format!("#if {}1\nx\n#endif", "1 && ".repeat(10_000)), "x");
    check(&lines(&|i| format!("#define A{i} A{}\n", i + 1), 5_000).replace("A0 ", "X "), "");
    assert_eq!(run(&"#foo\n".repeat(1000)).err().map(|e| e.len()), Some(limits::DIAGNOSTICS));
    for long in ["'", "/* ", "\"\\\n", "a\\\n", "  \\\n", "#\n", "f ", "/**/", "é", "_Pragma(\"\")", "f(1) "]
    {
        let _ = run(&format!("#define f(x) x\n{}", long.repeat(50_000)));
    }
}

/// Parts of random texts, separated by blanks; `_` stands for a blank, and `|` for a line break.
const PARTS: &str = "| | | _ \\| \\_\r| \r| /* */ // # ## |#define_a_ |#define_f(x)_ |#define_g(x,...)_ |#undef_ |#if_ |#elif_ \
    |#else| |#endif| |#ifdef_ |#include_ <limits.h> \" ' 'a' \"s\" ( ( ) ) , f f( g g( a b x __VA_ARGS__ defined 1 \
    0x1u .5 + - ? : && / % << <: é \0 \u{2028} \\ L";

/// Random texts of tokens: no panic, and what is copied is found at its place.
#[test]
fn random_texts() {
    let spelled = |part: &str| match part {
        "__VA_ARGS__" => part.to_owned(),
        _ => part.replace('_', " ").replace('|', "\n"),
    };
    let mut parts: Vec<String> = PARTS.split(' ').filter(|p| !p.is_empty()).map(spelled).collect();
    parts.extend(["_Pragma(", "__LINE__"].map(str::to_owned));
    let mut seed = 1_u64;
    let mut random = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % n
    };
    for _ in 0..20_000 {
        let text: String = (0..random(60)).map(|_| &parts[random(parts.len())][..]).collect();
        match run(&text) {
            Ok(program) => {
                for (at, c) in program.text.char_indices() {
                    let span = program.span(at, at + c.len_utf8());
                    assert!(span.start <= span.end && span.end as usize <= text.len(), "{text:?}");
                    let part = text.get(span.start as usize..span.end as usize).unwrap_or(" ");
                    let is_name = part.starts_with(|c: char| c.is_alphabetic() || c == '_');
                    let copied = part.starts_with(c) || is_name || "[]{}".contains(c);
                    assert!(copied || c.is_whitespace(), "{text:?}: {c:?} at {span:?}");
                }
            }
            Err(errors) => {
                for error in errors {
                    assert!(
                        text.get(error.span.start as usize..error.span.end as usize).is_some(),
                        "{text:?}"
                    );
                }
            }
        }
    }
}

//! Tests of SCXML documents that are wrong or not supported.

use super::parse;
use crate::diagnostic::Severity;

#[test]
fn what_is_not_supported_is_named() {
    for (inside, named) in [
        ("<state id='a'><invoke/></state>", "<invoke>"),
        ("<state id='a'><onentry><script>x()</script></onentry></state>", "<script>"),
        ("<state id='a'><onentry><send event='e' delay='1s'/></onentry></state>", "'delay'"),
        ("<state id='a'><onentry><send event='e'/></onentry></state>", "without a target"),
        ("<state id='a'><transition cond='_event.name == 1' target='a'/></state>", "'_event.name'"),
        ("<datamodel><data id='x' src='f'/></datamodel><state id='a'/>", "another file"),
        ("<datamodel><data id='x' expr='[1]'/></datamodel><state id='a'/>", "'['"),
        ("<datamodel><data id='x' expr='1.5'/></datamodel><state id='a'/>", "decimal integer"),
        (
            "<datamodel><data id='x' expr='1'/></datamodel><state id='a'><transition cond='x = 1' target='a'/></state>",
            "'='",
        ),
    ] {
        let text = format!("<scxml>{inside}</scxml>");
        let wrong = parse(&text).expect_err(inside);
        assert_eq!(wrong[0].severity, Severity::Unsupported, "{inside}: {}", wrong[0].message);
        assert!(wrong[0].message.contains(named), "{inside}: {}", wrong[0].message);
    }
}

#[test]
fn what_is_wrong_is_named() {
    for (text, named) in [
        ("<scxml/>", "no states"),
        ("<state/>", "<scxml>"),
        ("<scxml><state id='a'><transition target='b'/></state></scxml>", "no state 'b'"),
        ("<scxml><state id='a'/><state id='a'/></scxml>", "two states"),
        ("<scxml><state id='a'><onentry><raise/></onentry></state></scxml>", "no 'event'"),
        ("<scxml><state id='a'><foo/></state></scxml>", "<foo>"),
    ] {
        let wrong = parse(text).expect_err(text);
        assert!(wrong[0].message.contains(named), "{text}: {}", wrong[0].message);
    }
}

#[test]
fn negation_binds_its_operand() {
    let guard = |cond: &str| {
        parse(&format!(
            "<scxml><datamodel><data id='x' expr='1'/><data id='b' expr='true'/></datamodel>\
             <state id='a'><transition cond='{cond}' target='a'/></state></scxml>"
        ))
    };
    for cond in [
        "!b",
        "!b &amp;&amp; x == 1",
        "!(x == 1) || b",
        "!In(\"a\") &amp;&amp; x % 2 == 1",
        "(!b) == b",
        "!!b",
    ] {
        assert!(guard(cond).is_ok(), "{cond}");
    }
    for cond in ["!x == 1", "!b == b", "!b != b", "b &amp;&amp; !x &lt; 1", "!(b) == b", "!x + 1 == 1"] {
        let wrong = guard(cond).expect_err(cond);
        assert_eq!(wrong[0].severity, Severity::Unsupported, "{cond}: {}", wrong[0].message);
    }
}

#[test]
fn transitions_that_mean_nothing_are_reported() {
    for (inside, named) in [
        ("<transition event='e' target='a'/><state id='a'/>", "cannot be left"),
        ("<onentry><raise event='e'/></onentry><state id='a'/>", "no actions on entry"),
        (
            "<parallel id='p'><state id='a'><state id='c'/><state id='d'/></state><state id='b'/></parallel>\
          <state id='s'><transition event='e' target='b c d'/></state>",
            "entered together",
        ),
        ("<state id='s' initial='a b'><state id='a'/><state id='b'/></state>", "entered together"),
        (
            "<state id='s'><initial><transition event='e' target='a'/></initial><state id='a'/></state>",
            "no event",
        ),
        ("<state id='a'><transition type='inside' target='a'/></state>", "internal or external"),
    ] {
        let wrong = parse(&format!("<scxml>{inside}</scxml>")).expect_err(inside);
        assert!(wrong.iter().any(|d| d.message.contains(named)), "{inside}: {}", wrong[0].message);
    }
}

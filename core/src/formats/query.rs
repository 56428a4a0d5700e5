//! Query files of the Model Checking Contest and of TAPAAL (`query.xml`): named formulas of branching time, written as
//! properties of this project.

use std::fmt::Write as _;

use roxmltree::Node as Element;

use crate::diagnostic::{Diagnostic, Span, check_source, limits};
use crate::formats::pn::name as quoted;
use crate::formats::xml::{child, children, content, document, tag};

/// A named formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Its name in the file.
    pub id: String,
    /// Its description.
    pub description: String,
    /// The property, in the syntax of the command line; or what is not supported.
    pub property: Result<String, Diagnostic>,
    /// Its place.
    pub span: Span,
}

/// Reads the formulas of a file.
///
/// # Errors
/// Why it is no such file.
pub fn parse(text: &str) -> Result<Vec<Query>, Vec<Diagnostic>> {
    check_source(text)?;
    let document = document(text).map_err(|d| vec![d])?;
    let root = document.root_element();
    if root.tag_name().name() != "property-set" {
        let message = format!("expected <property-set>, but this is <{}>", root.tag_name().name());
        return Err(vec![Diagnostic::error(tag(root), message)]);
    }
    Ok(children(root, "property").map(query).collect())
}

fn query(property: Element<'_, '_>) -> Query {
    let part = |name: &'static str| child(property, name).map(|n| content(n).0).unwrap_or_default();
    let formula = child(property, "formula").ok_or_else(|| {
        Diagnostic::error(tag(property), format!("the property '{}' has no formula", part("id")))
    });
    let written = formula.and_then(|f| {
        let mut text = String::from("ctl:");
        let [inner] = operands(f)?;
        write(inner, &mut text, 0)?;
        Ok(text)
    });
    Query { id: part("id"), description: part("description"), property: written, span: tag(property) }
}

/// All child elements.
fn inner<'a, 'input>(node: Element<'a, 'input>) -> Vec<Element<'a, 'input>> {
    node.children().filter(Element::is_element).collect()
}

/// The child elements, if there are so many.
fn operands<'a, 'input, const N: usize>(
    node: Element<'a, 'input>,
) -> Result<[Element<'a, 'input>; N], Diagnostic> {
    <[Element<'a, 'input>; N]>::try_from(inner(node)).map_err(|all| {
        let message = format!("<{}> has {} operands, not {N}", node.tag_name().name(), all.len());
        Diagnostic::error(tag(node), message)
    })
}

/// Writes a formula or a sum.
fn write(node: Element<'_, '_>, out: &mut String, depth: u32) -> Result<(), Diagnostic> {
    if depth > limits::DEPTH {
        return Err(Diagnostic::unsupported(tag(node), "the formula is nested too deeply"));
    }
    let name = node.tag_name().name();
    let join = |out: &mut String, operator: &str| {
        let all = inner(node);
        if all.is_empty() {
            return Err(Diagnostic::error(tag(node), format!("<{name}> has no operands")));
        }
        out.push('(');
        for (i, operand) in all.into_iter().enumerate() {
            if i > 0 {
                out.push_str(operator);
            }
            write(operand, out, depth + 1)?;
        }
        out.push(')');
        Ok(())
    };
    let two = |out: &mut String, operator: &str| operands::<2>(node).and_then(|_| join(out, operator));
    match name {
        "true" | "false" => out.push_str(name),
        // A place may have the name `deadlock`.
        "deadlock" => out.push_str("!fireable()"),
        "negation" => {
            let [operand] = operands(node)?;
            out.push_str("!(");
            write(operand, out, depth + 1)?;
            out.push(')');
        }
        "conjunction" => join(out, " && ")?,
        "disjunction" => join(out, " || ")?,
        "exclusive-disjunction" => two(out, " xor ")?,
        "implication" => two(out, " -> ")?,
        "equivalence" => two(out, " <-> ")?,
        "integer-eq" => two(out, " = ")?,
        "integer-ne" => two(out, " != ")?,
        "integer-lt" => two(out, " < ")?,
        "integer-le" => two(out, " <= ")?,
        "integer-gt" => two(out, " > ")?,
        "integer-ge" => two(out, " >= ")?,
        "integer-sum" => join(out, " + ")?,
        "integer-product" => join(out, " * ")?,
        "integer-difference" => join(out, " - ")?,
        "integer-constant" | "tokens-count" | "is-fireable" => leaf(node, out)?,
        "all-paths" | "exists-path" => {
            let [path] = operands(node)?;
            let is_all = name == "all-paths";
            // In a deadlock AX is true and EX is false, unless the query has it otherwise.
            let at_end = child(path, "if-no-successors").map(|n| content(n).0);
            let at_end = at_end.map_or(is_all, |text| text == "true");
            let is_other = path.tag_name().name() == "next" && at_end != is_all;
            out.push_str(match (is_other, is_all) {
                (true, true) => "(fireable() && A",
                (true, false) => "(!fireable() || E",
                (false, true) => "A",
                (false, false) => "E",
            });
            path_formula(path, out, depth + 1)?;
            out.push_str(if is_other { ")" } else { "" });
        }
        other => {
            return Err(Diagnostic::unsupported(tag(node), format!("<{other}> is not supported in a query")));
        }
    }
    Ok(())
}

/// Writes a number, a sum of tokens, or whether transitions are enabled.
fn leaf(node: Element<'_, '_>, out: &mut String) -> Result<(), Diagnostic> {
    match node.tag_name().name() {
        "integer-constant" => {
            let (text, span) = content(node);
            let digits = text.strip_prefix('-').unwrap_or(&text);
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(Diagnostic::error(
                    span,
                    format!("expected a whole number, but this is '{text}'"),
                ));
            }
            let _ = write!(out, "({text})");
        }
        "tokens-count" => {
            let places: Vec<String> = children(node, "place").map(|p| quoted(&content(p).0)).collect();
            let sum = if places.is_empty() { "0".to_owned() } else { places.join(" + ") };
            let _ = write!(out, "({sum})");
        }
        "is-fireable" => {
            let named: Vec<String> = children(node, "transition").map(|t| quoted(&content(t).0)).collect();
            if named.is_empty() {
                return Err(Diagnostic::error(tag(node), "<is-fireable> names no transition"));
            }
            let _ = write!(out, "fireable({})", named.join(", "));
        }
        _ => {}
    }
    Ok(())
}

/// Writes what follows a path quantifier.
fn path_formula(path: Element<'_, '_>, out: &mut String, depth: u32) -> Result<(), Diagnostic> {
    let operand = |node: Element<'_, '_>, out: &mut String| {
        let [inner] = operands(node)?;
        write(inner, out, depth + 1)
    };
    match path.tag_name().name() {
        "finally" | "globally" => {
            out.push_str(if path.tag_name().name() == "finally" { "F (" } else { "G (" });
            operand(path, out)?;
            out.push(')');
        }
        "next" => {
            out.push_str("X (");
            let is_formula =
                |n: &Element<'_, '_>| !matches!(n.tag_name().name(), "if-no-successors" | "steps");
            let formula: Vec<Element<'_, '_>> = inner(path).into_iter().filter(is_formula).collect();
            if let Some(steps) = child(path, "steps").filter(|s| content(*s).0 != "1") {
                return Err(Diagnostic::unsupported(tag(steps), "several steps of <next> are not supported"));
            }
            let [formula] = <[Element<'_, '_>; 1]>::try_from(formula)
                .map_err(|_| Diagnostic::error(tag(path), "<next> has one operand"))?;
            write(formula, out, depth + 1)?;
            out.push(')');
        }
        "until" => {
            let part = |name: &'static str| {
                let [part] = <[Element<'_, '_>; 1]>::try_from(children(path, name).collect::<Vec<_>>())
                    .map_err(|all| {
                        let message = format!("<until> has {} <{name}>, not one", all.len());
                        Diagnostic::error(tag(path), message)
                    })?;
                Ok(part)
            };
            let is_weak = child(path, "strength").is_some_and(|strength| content(strength).0 == "weak");
            out.push('[');
            operand(part("before")?, out)?;
            out.push_str(if is_weak { " W " } else { " U " });
            operand(part("reach")?, out)?;
            out.push(']');
        }
        other => {
            let message = format!("<{other}> is not supported after a path quantifier");
            return Err(Diagnostic::unsupported(tag(path), message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(formula: &str) -> Result<String, String> {
        let text = format!(
            "<property-set xmlns=\"http://tapaal.net/\"><property><id>q</id><description>d</description><formula>{formula}</formula></property></property-set>"
        );
        parse(&text).unwrap().remove(0).property.map_err(|d| d.message)
    }

    #[test]
    fn formulas_become_properties() {
        let p = "<tokens-count><place>P0</place><place>a b</place></tokens-count>";
        let less = format!("<integer-lt>{p}<integer-constant>-3</integer-constant></integer-lt>");
        assert_eq!(
            one(&format!("<exists-path><finally>{less}</finally></exists-path>")).unwrap(),
            "ctl:EF (((P0 + \"a b\") < (-3)))"
        );
        assert_eq!(
            one("<negation><all-paths><until><before><true/></before><reach><is-fireable><transition>t</transition><transition>u</transition></is-fireable></reach></until></all-paths></negation>").unwrap(),
            "ctl:!(A[true U fireable(t, u)])"
        );
        assert_eq!(one("<all-paths><next><if-no-successors>true</if-no-successors><steps>1</steps><deadlock/></next></all-paths>").unwrap(), "ctl:AX (!fireable())");
        // What the query says of deadlocks differs from AX and EX.
        let next = |path: &str, end: &str| {
            one(&format!("<{path}><next><if-no-successors>{end}</if-no-successors><true/></next></{path}>"))
        };
        assert_eq!(next("all-paths", "false").unwrap(), "ctl:(fireable() && AX (true))");
        assert_eq!(next("exists-path", "true").unwrap(), "ctl:(!fireable() || EX (true))");
        assert_eq!(next("exists-path", "false").unwrap(), "ctl:EX (true)");
        assert_eq!(
            one("<exists-path><until><strength>weak</strength><before><true/></before><reach><false/></reach></until></exists-path>").unwrap(),
            "ctl:E[true W false]"
        );
        assert!(one("<place-bound/>").unwrap_err().contains("<place-bound> is not supported"));
        assert!(one("<negation/>").unwrap_err().contains("0 operands"));
        assert!(parse("<html/>").is_err());
    }
}

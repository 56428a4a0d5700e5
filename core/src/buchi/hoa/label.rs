//! Labels of transitions: with the names of atoms, as people write them, and with their numbers, as the format does.
//! After a label, the acceptance sets of the transition can follow: `request & !answer {0}`.

use super::lex::{Tok, lex};
use crate::edit::Refusal;
use crate::ltl::{AtomId, Formula, propositional};

/// The label of a transition, and its acceptance sets in braces.
#[must_use]
pub fn label_and_sets(text: &str) -> (&str, &str) {
    let text = text.trim();
    let inside = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b == b' ');
    let brace = text.strip_suffix('}').and_then(|rest| rest.rfind('{').filter(|at| inside(&rest[at + 1..])));
    let (label, sets) = text.split_at(brace.unwrap_or(text.len()));
    (label.trim(), sets)
}

/// A typed label as the format writes it, and its acceptance sets after a blank; new atoms are added to the others.
pub(super) fn typed(text: &str, atoms: &mut Vec<String>) -> Result<(String, String), Refusal> {
    let (label, sets) = label_and_sets(text);
    let sets = if sets.is_empty() { String::new() } else { format!(" {sets}") };
    if label.is_empty() {
        return Ok(("t".to_owned(), sets));
    }
    let found = propositional(label).map_err(|diagnostics| Refusal::first(&diagnostics))?;
    if found.formula.is_temporal() {
        return Err(Refusal::new("a label is a Boolean formula over the atoms, without temporal operators"));
    }
    if found.atoms.iter().any(|atom| atom.starts_with('@')) {
        return Err(Refusal::new("aliases cannot be used here; write the atoms"));
    }
    if size(&found.formula) > LONGEST {
        return Err(Refusal::new("the label is too long when it is written with !, & and | only"));
    }
    Ok((label_of(&found.over(atoms), 0), sets))
}

/// The maximal number of atoms of a written label.
const LONGEST: usize = 2_000;

/// The number of atoms of a formula as a label.
fn size(formula: &Formula) -> usize {
    let parts = formula.children().iter().map(size).fold(0, usize::saturating_add);
    match formula {
        Formula::Iff(_) | Formula::Xor(_) => parts.saturating_mul(2),
        _ => parts.saturating_add(1),
    }
}

/// A formula without temporal operators as a label. `around` is the precedence of what is around it: 1 in a
/// disjunction, 2 in a conjunction, 3 below a negation.
fn label_of(formula: &Formula, around: u8) -> String {
    let joined = |parts: &[Formula], op: &str, own: u8| {
        let parts: Vec<String> = parts.iter().map(|part| label_of(part, own)).collect();
        let text = parts.join(op);
        if own < around { format!("({text})") } else { text }
    };
    let not = |formula: &Formula| formula.clone().negated();
    match formula {
        Formula::Constant(value) => if *value { "t" } else { "f" }.to_owned(),
        Formula::Atom(atom) => atom.index().to_string(),
        Formula::Not(inner) => format!("!{}", label_of(inner, 3)),
        Formula::And(all) => joined(all, " & ", 2),
        Formula::Or(all) => joined(all, " | ", 1),
        Formula::Implies(ab) => joined(&[not(&ab[0]), ab[1].clone()], " | ", 1),
        Formula::Iff(ab) | Formula::Xor(ab) => {
            let second = if matches!(formula, Formula::Iff(_)) { not(&ab[1]) } else { ab[1].clone() };
            let one = ab[0].clone().and(not(&second));
            joined(&[one, not(&ab[0]).and(second)], " | ", 1)
        }
        // Not in a label.
        Formula::Unary(..) | Formula::Binary(..) => String::new(),
    }
}

/// A label with the names of atoms instead of their numbers, without comments.
pub(super) fn named_label(label: &str, atoms: &[String]) -> String {
    let Ok(tokens) = lex(label) else { return label.to_owned() };
    let (mut out, mut at) = (String::new(), 0);
    for token in &tokens {
        // Comments are left out.
        let apart = &label[at..token.span.start as usize];
        out.push_str(if apart.contains("/*") { " " } else { apart });
        let word = token.span.of(label);
        match token.tok {
            Tok::Number => {
                let atom = word.parse().ok().and_then(|number: usize| atoms.get(number));
                out.push_str(&atom.map_or_else(|| word.to_owned(), |atom| name_in_label(atom)));
            }
            Tok::Word if word == "t" => out.push_str("true"),
            Tok::Word if word == "f" => out.push_str("false"),
            _ => out.push_str(word),
        }
        at = token.span.end as usize;
    }
    out
}

/// An atom in a label: in quotation marks unless it is a name.
pub(super) fn name_in_label(atom: &str) -> String {
    let alone = propositional(atom).is_ok_and(|found| found.formula == Formula::Atom(AtomId(0)));
    let is_name = atom.chars().all(is_letter);
    if alone && is_name { atom.to_owned() } else { format!("\"{atom}\"") }
}

/// Can names have this character? All characters beyond ASCII count as letters, because the tables of Unicode would
/// enlarge the page.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii()
}

/// A label with the numbers of atoms instead of their names, as [`named_label`] writes them; new atoms are added to the
/// others.
pub(super) fn numbered_label(label: &str, atoms: &mut Vec<String>) -> String {
    let (mut out, mut rest) = (String::new(), label);
    while let Some(first) = rest.chars().next() {
        let (name, length) = match rest[1..].find('"').filter(|_| first == '"') {
            Some(end) => (&rest[1..=end], end + 2),
            None => match rest.find(|c| !is_letter(c)).unwrap_or(rest.len()) {
                0 => ("", first.len_utf8()),
                end => (&rest[..end], end),
            },
        };
        match (name, &rest[..length]) {
            ("true", "true") => out.push('t'),
            ("false", "false") => out.push('f'),
            ("", other) => out.push_str(other),
            _ => {
                let number = atoms.iter().position(|atom| atom == name).unwrap_or(atoms.len());
                if number == atoms.len() {
                    atoms.push(name.to_owned());
                }
                out.push_str(&number.to_string());
            }
        }
        rest = &rest[length..];
    }
    out
}

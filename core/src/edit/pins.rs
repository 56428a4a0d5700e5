//! The places of what a person moved, as comment lines at the end of a text: `// layout NAME X Y`, in whole pixels, or
//! `/* layout NAME X Y */`.
//!
//! Other tools read them as comments. A line for a name that the model does not have is kept and ignored.

use std::collections::BTreeMap;

use crate::diagnostic::Span;
use crate::edit::{Change, newline};
use crate::layout::{Point, between};

/// A place in whole pixels: to the right, and down.
pub type Pin = (i32, i32);

/// The pinned things with their places.
pub type Pins = BTreeMap<String, Pin>;

/// How a language writes comments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comment {
    /// `// …`, to the end of the line.
    Line,
    /// `/* … */`
    Block,
}

impl Comment {
    /// What is before the name.
    fn prefix(self) -> &'static str {
        match self {
            Comment::Line => "// layout ",
            Comment::Block => "/* layout ",
        }
    }

    /// What is after the place.
    fn suffix(self) -> &'static str {
        match self {
            Comment::Line => "",
            Comment::Block => " */",
        }
    }
}

/// Places farther away are no places.
const FARTHEST: i32 = 100_000;

/// A place of a drawing as one of the text.
#[must_use]
pub fn pin(at: Point) -> Pin {
    let farthest = f64::from(FARTHEST);
    #[expect(clippy::cast_possible_truncation, reason = "places are limited")]
    let whole = |side: f64| between(side.round(), -farthest, farthest) as i32;
    (whole(at.x), whole(at.y))
}

/// A line with a place.
struct Line<'a> {
    /// With the end of the line.
    whole: Span,
    /// From the first slash to the end of the comment.
    text: Span,
    name: &'a str,
    pin: Pin,
}

/// The lines with places after the byte with this number, which is the end of the model.
fn lines(text: &str, end: usize, comment: Comment) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut start = end;
    for line in text.get(end..).unwrap_or_default().split_inclusive('\n') {
        let whole = Span::new(start, start + line.len());
        let blank = line.len() - line.trim_start().len();
        let words = line.trim();
        let text = Span::new(start + blank, start + blank + words.len());
        let found = read(words, comment).filter(|_| start > end);
        lines.extend(found.map(|(name, pin)| Line { whole, text, name, pin }));
        start += line.len();
    }
    lines
}

fn read(line: &str, comment: Comment) -> Option<(&str, Pin)> {
    let inside = line.strip_prefix(comment.prefix())?.strip_suffix(comment.suffix())?;
    let (rest, y) = inside.rsplit_once(' ')?;
    let (name, x) = rest.rsplit_once(' ')?;
    let name = name.trim();
    let (x, y): Pin = (x.parse().ok()?, y.parse().ok()?);
    let near = [x, y].iter().all(|side| (-FARTHEST..=FARTHEST).contains(side));
    (near && !name.is_empty()).then_some((name, (x, y)))
}

/// The places that a text pins after the end of the model; of several lines for one name the last one counts.
#[must_use]
pub fn of(text: &str, end: usize, comment: Comment) -> Pins {
    // Most texts have none.
    let has_some = text.get(end..).is_some_and(|rest| rest.contains(comment.prefix()));
    if has_some { found(text, end, comment) } else { Pins::new() }
}

#[inline(never)]
fn found(text: &str, end: usize, comment: Comment) -> Pins {
    lines(text, end, comment).into_iter().map(|line| (line.name.to_owned(), line.pin)).collect()
}

/// A text without the lines with places, as comments to the end of the line, and the blank lines at its end: what does
/// not change when things are moved.
#[must_use]
pub fn body(text: &str) -> &str {
    let mut body = text.trim_end();
    while let Some(line) =
        body.rfind('\n').map(|at| at + 1).filter(|at| read(body[*at..].trim(), Comment::Line).is_some())
    {
        body = body[..line].trim_end();
    }
    body
}

/// The changes that give things these places, or none. New lines are sorted among the others.
pub(crate) fn set(
    text: &str,
    (end, comment): (usize, Comment),
    places: &[(String, Option<Pin>)],
) -> Vec<Change> {
    let lines = lines(text, end, comment);
    let places: BTreeMap<&str, Option<Pin>> =
        places.iter().map(|(name, pin)| (name.as_str(), *pin)).collect();
    let mut changes = Vec::new();
    let mut inserted: BTreeMap<usize, String> = BTreeMap::new();
    let newline = newline(text);
    for (name, pin) in places {
        let own = || lines.iter().filter(|line| line.name == name);
        match (pin, own().next_back()) {
            (None, _) => changes.extend(own().map(|line| Change::replace(line.whole, ""))),
            (Some(pin), Some(line)) if line.pin == pin => {}
            (Some(pin), Some(line)) => changes.push(Change::replace(line.text, written(name, pin, comment))),
            (Some(pin), None) => {
                let before = lines.iter().rfind(|line| line.name < name);
                let at = before.map(|line| line.whole.end).or(lines.first().map(|line| line.whole.start));
                let at = at.map_or(text.len(), |at| at as usize);
                let line = inserted.entry(at).or_insert_with(|| match lines.is_empty() {
                    true if ends_blank(text) => String::new(),
                    true if text.ends_with('\n') => newline.to_owned(),
                    true => newline.repeat(2),
                    false => String::new(),
                });
                let open = at == text.len() && !lines.is_empty() && !text.ends_with('\n');
                line.push_str(&match open {
                    true => format!("{newline}{}", written(name, pin, comment)),
                    false => format!("{}{newline}", written(name, pin, comment)),
                });
            }
        }
    }
    // With the last line goes the blank line before it.
    let gone = changes.iter().filter(|change| change.text.is_empty()).count();
    if let (Some(first), true) = (changes.first_mut(), gone > 0 && gone == lines.len() && inserted.is_empty())
    {
        let start = first.span.start as usize;
        if ends_blank(&text[..start]) {
            first.span = Span::new(start - newline.len(), first.span.end as usize);
        }
    }
    changes.extend(inserted.into_iter().map(|(at, text)| Change::insert(at, text)));
    changes.sort_by_key(|change| change.span);
    changes
}

/// Is the last line of a text blank?
fn ends_blank(text: &str) -> bool {
    text.ends_with("\n\n") || text.ends_with("\n\r\n")
}

/// The line with a place.
pub(crate) fn written(name: &str, (x, y): Pin, comment: Comment) -> String {
    format!("{}{name} {x} {y}{}", comment.prefix(), comment.suffix())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::changed;

    fn after(text: &str, places: &[(&str, Option<Pin>)]) -> String {
        let end = text.find('}').map_or(0, |at| at + 1);
        let places: Vec<_> = places.iter().map(|(name, pin)| ((*name).to_owned(), *pin)).collect();
        let new = changed(text, &set(text, (end, Comment::Line), &places)).expect("changes in order");
        let mut expected = of(text, end, Comment::Line);
        for (name, pin) in places {
            match pin {
                Some(pin) => drop(expected.insert(name, pin)),
                None => drop(expected.remove(&name)),
            }
        }
        assert_eq!(of(&new, end, Comment::Line), expected, "{new}");
        new
    }

    #[test]
    fn lines_are_sorted_and_only_those_that_change_are_written() {
        let first = after("{ }", &[("b", Some((1, 2))), ("a", Some((-3, 4)))]);
        assert_eq!(first, "{ }\n\n// layout a -3 4\n// layout b 1 2\n");
        let second = after(&first, &[("aa", Some((0, 0))), ("b", Some((9, 9))), ("c", Some((5, 5)))]);
        assert_eq!(second, "{ }\n\n// layout a -3 4\n// layout aa 0 0\n// layout b 9 9\n// layout c 5 5\n");
        assert_eq!(
            after(&second, &[("a", None), ("c", None), ("d", None)]),
            "{ }\n\n// layout aa 0 0\n// layout b 9 9\n"
        );
        assert_eq!(after(&second, &[("b", Some((9, 9)))]), second);
    }

    #[test]
    fn moving_changes_nothing_else() {
        let text = "{ }\n// layout of the plant\n\n// layout a 1 2\n";
        assert_eq!(body(text), "{ }\n// layout of the plant");
        assert_eq!(body(&after(text, &[("b", Some((0, 0))), ("a", None)])), body(text));
        assert_eq!(body("{ }"), "{ }");
        let there_and_back = |text: &str| {
            let moved = after(text, &[("a", Some((1, 2))), ("b", Some((3, 4)))]);
            after(&moved, &[("a", None), ("b", None)])
        };
        for text in ["{ }\n", "{ }\r\n", "{ }\r\n// b\r\n"] {
            assert_eq!(there_and_back(text), text);
        }
        // A blank line that was there serves as the one before the places, and goes with them.
        assert_eq!(there_and_back("{ }\n\n\n"), "{ }\n\n");
    }

    #[test]
    fn other_comments_and_odd_lines_stay() {
        let text =
            "{ } // layout a 1 1\r\n// layout\r\n// layout a 1\r\n  // layout b 1 1\r\n// layout b 2 2";
        assert_eq!(after(text, &[]), text);
        assert_eq!(of(text, 3, Comment::Line), Pins::from([("b".to_owned(), (2, 2))]));
        let more = after(text, &[("b", Some((3, 3))), ("c", Some((4, 4)))]);
        assert_eq!(more, text.replace("b 2 2", "b 3 3\r\n// layout c 4 4"));
        assert_eq!(
            after(&more, &[("b", None)]),
            more.replace("  // layout b 1 1\r\n// layout b 3 3\r\n", "")
        );
    }
}

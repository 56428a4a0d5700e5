//! The trail of a search: the true literals by decision level, each marked by its reason.

use crate::scene::{Chip, Mark, Table, TableRow, Text, fit};

/// The maximal length of a drawn literal.
const LONGEST: usize = 60;

/// A true literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Literal {
    /// Its text.
    pub text: String,
    /// Its reason, as a role.
    pub reason: Mark,
    /// Its other roles.
    pub marks: Vec<(Mark, bool)>,
}

/// The trail, by level from 0.
#[must_use]
pub fn trail(levels: &[Vec<Literal>]) -> Table {
    let chip = |literal: &Literal| {
        let title =
            literal.reason.meaning().map_or(literal.text.clone(), |how| format!("{} ({how})", literal.text));
        let marks = literal.marks.iter().filter(|(_, holds)| *holds).map(|(mark, _)| *mark);
        Chip {
            marks: std::iter::once(literal.reason).chain(marks).collect(),
            ..Chip::titled(Text::code(&fit(&literal.text, LONGEST)), title)
        }
    };
    let row = |(number, literals): (usize, &Vec<Literal>)| TableRow {
        key: format!("l{number}"),
        cells: vec![
            vec![Chip::new(Mark::Muted, Text::plain(&number.to_string()))],
            literals.iter().map(chip).collect(),
        ],
    };
    Table {
        columns: vec!["Level".to_owned(), "True literals".to_owned()],
        rows: levels.iter().enumerate().map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_a_row_and_each_literal_is_marked_by_its_reason() {
        let literal = |text: &str, how, current| Literal {
            text: text.to_owned(),
            reason: how,
            marks: vec![(Mark::Current, current), (Mark::Conflict, false)],
        };
        let levels = [
            vec![],
            vec![literal("x ≤ 3", Mark::Decided, false), literal(&"y + ".repeat(40), Mark::Implied, true)],
        ];
        let table = trail(&levels);
        assert_eq!(table.rows.iter().map(|row| row.cells[1].len()).collect::<Vec<_>>(), [0, 2]);
        let [first, second] = &table.rows[1].cells[1][..] else { panic!("two literals") };
        assert_eq!((first.marks.as_slice(), first.title.as_str()), (&[Mark::Decided][..], "x ≤ 3 (decided)"));
        assert_eq!(second.marks, [Mark::Implied, Mark::Current]);
        assert!(second.text.to_string().chars().count() <= LONGEST && second.title.len() > 160);
        assert_eq!(table.legend(), [Mark::Current, Mark::Decided, Mark::Implied]);
    }
}

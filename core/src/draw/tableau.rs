//! The simplex tableau: for each column its bounds and its value, and for a basic one the row that defines it.

use crate::scene::{Chip, Mark, Table, TableRow, Text, fit};

/// The maximal number of drawn columns, and the maximal length of a drawn term.
const DRAWN: usize = 60;
const LONGEST: usize = 48;

/// A column of the tableau.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The term that a short name abbreviates.
    pub meaning: Option<String>,
    /// The bounds.
    pub lower: Option<Bound>,
    /// The other bound.
    pub upper: Option<Bound>,
    /// Its value, and whether it violates a bound.
    pub value: (String, bool),
    /// Of a basic column the sum that it equals: coefficients and names.
    pub row: Option<Vec<(String, String)>>,
    /// Its roles.
    pub marks: Vec<(Mark, bool)>,
}

/// A bound of a column.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bound {
    /// Its value.
    pub value: String,
    /// The literal that states it.
    pub literal: String,
    /// Its roles.
    pub marks: Vec<(Mark, bool)>,
}

/// The tableau as a table.
#[must_use]
pub fn tableau(columns: &[Column]) -> Table {
    let mut rows: Vec<TableRow> = columns.iter().take(DRAWN).map(row).collect();
    if columns.len() > DRAWN {
        let more = format!("{} more", columns.len() - DRAWN);
        let cells = vec![vec![Chip::new(Mark::Muted, Text::plain(&more))]];
        rows.push(TableRow { key: "…".to_owned(), cells });
    }
    Table { columns: ["Term", "At least", "Value", "At most", "Row"].map(str::to_owned).to_vec(), rows }
}

fn row(column: &Column) -> TableRow {
    let named =
        column.meaning.as_ref().map_or(column.name.clone(), |meaning| format!("{} = {meaning}", column.name));
    let name = marked(Chip::titled(Text::code(&fit(&named, LONGEST)), named), &column.marks);
    let bound = |bound: &Option<Bound>| {
        let chip = |bound: &Bound| {
            let because = format!("because of {}", bound.literal);
            marked(Chip::titled(Text::code(&bound.value), because), &bound.marks)
        };
        bound.iter().map(chip).collect()
    };
    let (value, outside) = &column.value;
    let value = marked(Chip::titled(Text::code(value), String::new()), &[(Mark::Outside, *outside)]);
    let sum = column.row.iter().map(|sum| {
        let sum = sum_text(sum);
        Chip::titled(Text::code(&sum), format!("{} = {sum}", column.name))
    });
    TableRow {
        key: column.name.clone(),
        cells: vec![vec![name], bound(&column.lower), vec![value], bound(&column.upper), sum.collect()],
    }
}

fn marked(chip: Chip, marks: &[(Mark, bool)]) -> Chip {
    Chip { marks: marks.iter().filter(|(_, holds)| *holds).map(|(mark, _)| *mark).collect(), ..chip }
}

/// A sum: `x − y − 3/2·(x + y)`.
fn sum_text(sum: &[(String, String)]) -> String {
    if sum.is_empty() {
        return "0".to_owned();
    }
    sum.iter().enumerate().map(|(i, (factor, of))| summand(i == 0, factor, of)).collect()
}

/// `+ 2·x`, `− x`, `x` …
fn summand(first: bool, factor: &str, of: &str) -> String {
    let (sign, size) = factor.strip_prefix('-').map_or(("+", factor), |size| ("−", size));
    let factor = if size == "1" { String::new() } else { format!("{size}·") };
    let of = if of.contains(' ') { format!("({of})") } else { of.to_owned() };
    match (first, sign) {
        (true, "+") => format!("{factor}{of}"),
        (true, _) => format!("−{factor}{of}"),
        _ => format!(" {sign} {factor}{of}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_written_as_in_a_book() {
        let all = [("1", "x"), ("-1", "y"), ("-3/2", "x + y"), ("2", "z")];
        let all = all.map(|(factor, of)| (factor.to_owned(), of.to_owned()));
        assert_eq!(sum_text(&all), "x − y − 3/2·(x + y) + 2·z");
        assert_eq!(summand(true, "-1", "y"), "−y");
        assert_eq!(sum_text(&[]), "0");
    }

    #[test]
    fn basic_columns_have_rows_and_violated_bounds_are_marked() {
        let bound = |value: &str, guilty| Bound {
            value: value.to_owned(),
            literal: format!("x ≤ {value}"),
            marks: vec![(Mark::Conflict, guilty)],
        };
        let slack = Column {
            name: "s".to_owned(),
            meaning: Some("x + y".to_owned()),
            upper: Some(bound("3", true)),
            value: ("5".to_owned(), true),
            row: Some(vec![("1".to_owned(), "x".to_owned()), ("1".to_owned(), "y".to_owned())]),
            marks: vec![(Mark::Leaving, true)],
            ..Column::default()
        };
        let x = Column { name: "x".to_owned(), lower: Some(bound("0", false)), ..Column::default() };
        let table = tableau(&[slack.clone(), x]);
        let text = |row: usize, column: usize| {
            table.rows[row].cells[column].iter().map(|chip| chip.text.to_string()).collect::<String>()
        };
        assert_eq!([text(0, 0), text(0, 1), text(0, 4)], ["s = x + y", "", "x + y"]);
        assert_eq!([text(1, 0), text(1, 1), text(1, 4)], ["x", "0", ""]);
        assert_eq!(table.legend(), [Mark::Conflict, Mark::Outside, Mark::Leaving]);
        let large = tableau(&vec![slack; DRAWN + 7]);
        assert_eq!(large.rows.len(), DRAWN + 1);
        assert_eq!(large.rows[DRAWN].cells[0][0].text.to_string(), "7 more");
    }
}

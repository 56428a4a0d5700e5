//! The table as a file.

use std::fmt::Write as _;

use crate::compare::row::{Column, Row};
use crate::text::ascii_name;

/// The formats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// One line a row.
    Csv,
    /// A table for a paper.
    Latex,
}

/// The file's name, its kind and its text.
#[must_use]
pub fn file(format: Format, title: &str, rows: &[Row]) -> (String, &'static str, String) {
    match format {
        Format::Csv => (format!("{}.csv", ascii_name(title)), "text/csv", csv(title, rows)),
        Format::Latex => (format!("{}.tex", ascii_name(title)), "application/x-tex", latex(title, rows)),
    }
}

fn cell(row: &Row, column: Column) -> String {
    let text = |n: u64| if column == Column::Time { format!("{}.{}", n / 10, n % 10) } else { n.to_string() };
    row.number(column).map(text).unwrap_or_default()
}

/// With the columns of `veristep bench --format csv`, but for the expected verdict.
fn csv(title: &str, rows: &[Row]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut out =
        "model,strategy,verdict,certified,iterations,abstract_states,predicates,tracked_variables,queries,ms,reason\n"
            .to_owned();
    for row in rows {
        let numbers: Vec<String> = Column::ALL.iter().map(|c| cell(row, *c)).collect();
        let decided = row.outcome.as_ref().filter(|_| row.is_decided() || row.verdict() == "unknown");
        let reason = decided.map_or(row.verdict(), |o| &o.reason);
        let _ = writeln!(
            out,
            "{},{},{},{},{},{}",
            quoted(title),
            quoted(&row.name()),
            if row.is_decided() { row.verdict() } else { "unknown" },
            row.certified == Some(true),
            numbers.join(","),
            quoted(reason)
        );
    }
    out
}

/// A `tabular`; the package `booktabs` is needed.
fn latex(title: &str, rows: &[Row]) -> String {
    let plain = |text: &str| {
        let escaped = |c: char| match c {
            '\\' => "\\textbackslash{}".to_owned(),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => format!("\\{c}"),
            '<' => "$<$".to_owned(),
            '>' => "$>$".to_owned(),
            '^' | '~' => format!("\\{c}{{}}"),
            c => c.to_string(),
        };
        text.chars().map(escaped).collect::<String>()
    };
    let mut out =
        format!("% {}\n\\begin{{tabular}}{{llrrrrrr}}\n\\toprule\nstrategy & verdict", plain(title));
    for column in Column::ALL {
        let unit = if column == Column::Time { " (ms)" } else { "" };
        let _ = write!(out, " & {}{unit}", column.title());
    }
    out.push_str(" \\\\\n\\midrule\n");
    for row in rows {
        let _ = write!(out, "\\texttt{{{}}} & {}", plain(&row.name()), plain(row.verdict()));
        for column in Column::ALL {
            let text = cell(row, column);
            let _ = write!(out, " & {}", if text.is_empty() { "--" } else { &text });
        }
        out.push_str(" \\\\\n");
    }
    out.push_str("\\bottomrule\n\\end{tabular}\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::row::Status;
    use crate::protocol::RunResult;
    use std::rc::Rc;
    use veristep_core::kit::Counts;
    use veristep_core::kit::Verdict;

    fn rows() -> Vec<Row> {
        let counts = Counts { iterations: 4, nodes: 25, predicates: 3, queries: 80, ..Counts::default() };
        let outcome = RunResult {
            verdict: Verdict::Holds,
            reason: "the error location is unreachable".to_owned(),
            vacuous: None,
            certificate: None,
            counts,
            used: 0,
            ms: 12.41,
        };
        let mut done = Row::new(vec![("search".to_owned(), "err".to_owned())]);
        (done.status, done.outcome, done.certified) = (Status::Done, Some(Rc::new(outcome)), Some(true));
        let mut late = Row::new(vec![("domain".to_owned(), "expl".to_owned())]);
        late.status = Status::Ended("no answer in 10 s".to_owned());
        vec![done, late]
    }

    #[test]
    fn tables_are_written() {
        let (name, _, text) = file(Format::Csv, "Figure 1", &rows());
        assert_eq!(name, "Figure-1.csv");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1],
            r#""Figure 1","pred-cart err",holds,true,4,25,3,0,80,12.4,"the error location is unreachable""#
        );
        assert_eq!(lines[2], r#""Figure 1","expl",unknown,false,,,,,,,"no answer in 10 s""#);
        let (_, _, text) = file(Format::Latex, "50 % & more", &rows());
        assert!(text.starts_with("% 50 \\% \\& more\n"));
        assert!(text.contains("\\texttt{pred-cart err} & holds & 4 & 25 & 3 & 0 & 80 & 12.4 \\\\"));
        assert!(text.contains("\\texttt{expl} & no answer in 10 s & -- &"));
    }
}

//! Heat maps: for each strategy and category the number of decided models and the time.

use std::fmt::Write as _;

use veristep_core::text::escaped;

use super::Measured;
use super::models::Model;

/// A heat map.
pub(super) struct Map {
    title: String,
    /// Names of categories and their numbers of models; the last one is all of them.
    columns: Vec<(String, usize)>,
    /// Name of the strategy and a cell for each column; the last row is the virtual best.
    rows: Vec<(String, Vec<Cell>)>,
}

#[derive(Clone, Copy, Default)]
struct Cell {
    decided: usize,
    ms: u64,
}

impl Map {
    pub(super) fn new(title: &str, models: &[Model], rows: Vec<(String, Vec<Measured>)>) -> Map {
        let mut columns: Vec<(String, usize)> = Vec::new();
        for model in models {
            match columns.iter_mut().find(|(name, _)| *name == model.category) {
                Some((_, n)) => *n += 1,
                None => columns.push((model.category.clone(), 1)),
            }
        }
        columns.push(("all".to_owned(), models.len()));
        let best = (0..models.len()).map(|i| {
            let decided = rows.iter().map(|(_, r)| &r[i]).filter(|m| m.verdict != "unknown");
            decided.min_by_key(|m| m.ms).cloned().unwrap_or_else(|| rows[0].1[i].clone())
        });
        let best: Vec<Measured> = best.collect();
        let mut all = rows;
        if all.len() > 1 {
            all.push(("virtual best".to_owned(), best));
        }
        let cells = |measured: &[Measured]| {
            let cell = |(category, _): &(String, usize)| {
                let here =
                    models.iter().zip(measured).filter(|(m, _)| category == "all" || m.category == *category);
                let decided =
                    here.map(|(_, m)| m).filter(|m| m.verdict == "holds" || m.verdict == "violated");
                decided.fold(Cell::default(), |c, m| Cell { decided: c.decided + 1, ms: c.ms + m.ms })
            };
            columns.iter().map(cell).collect()
        };
        let rows = all.iter().map(|(name, measured)| (name.clone(), cells(measured))).collect();
        Map { title: title.to_owned(), columns, rows }
    }

    fn headers(&self) -> Vec<String> {
        self.columns.iter().map(|(name, n)| format!("{name} ({n})")).collect()
    }

    /// The map as lines of text; shades show the number of decided models.
    pub(super) fn text(&self) -> String {
        let wide = self.rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(8);
        let headers = self.headers();
        let mut text = format!("{}\n{:wide$}", self.title, "");
        for h in &headers {
            let _ = write!(text, "  {h:>18}");
        }
        text.push('\n');
        for (name, cells) in &self.rows {
            let _ = write!(text, "{name:wide$}");
            for (cell, (_, n)) in cells.iter().zip(&self.columns) {
                let shade = ["  ", "░░", "▒▒", "▓▓", "██"][4 * cell.decided / n];
                let _ = write!(text, "  {:>5} {:>8} {shade} ", cell.decided, time(cell.ms));
            }
            text.push('\n');
        }
        text.push('\n');
        text
    }

    /// The map as a LaTeX table.
    pub(super) fn latex(&self) -> String {
        let escaped =
            |t: &str| t.replace('\\', "").replace('_', "\\_").replace('%', "\\%").replace('&', "\\&");
        let mut text =
            format!("% {}\n\\begin{{tabular}}{{l{}}}\n", self.title, "r".repeat(self.columns.len()));
        let headers: Vec<String> = self.headers().iter().map(|h| escaped(h)).collect();
        let _ = writeln!(text, "  & {} \\\\ \\hline", headers.join(" & "));
        for (name, cells) in &self.rows {
            let cells: Vec<String> =
                cells.iter().map(|c| format!("{} ({})", c.decided, time(c.ms))).collect();
            let _ = writeln!(text, "  {} & {} \\\\", escaped(name), cells.join(" & "));
        }
        text.push_str("\\end{tabular}\n\n");
        text
    }
}

fn time(ms: u64) -> String {
    if ms < 1000 { format!("{ms} ms") } else { format!("{}.{} s", ms / 1000, ms % 1000 / 100) }
}

const ROW: usize = 24;
const CELL: usize = 118;
const NAME: usize = 190;

/// All maps as one picture.
pub(super) fn svg(maps: &[Map]) -> String {
    let width = NAME + 20 + CELL * maps.iter().map(|m| m.columns.len()).max().unwrap_or(1);
    let height: usize = maps.iter().map(|m| ROW * (m.rows.len() + 3)).sum::<usize>() + ROW;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    let mut y = ROW;
    for map in maps {
        let _ = writeln!(
            svg,
            "<text x=\"10\" y=\"{y}\" font-weight=\"600\" font-size=\"14\">{}</text>",
            escaped(&map.title)
        );
        y += ROW;
        for (i, header) in map.headers().iter().enumerate() {
            let x = NAME + i * CELL + CELL / 2;
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill=\"#444\">{}</text>",
                escaped(header)
            );
        }
        y += ROW / 3;
        for (name, cells) in &map.rows {
            let base = y + ROW - 8;
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{base}\" text-anchor=\"end\">{}</text>",
                NAME - 8,
                escaped(name)
            );
            for (i, (cell, (_, n))) in cells.iter().zip(&map.columns).enumerate() {
                let x = NAME + i * CELL;
                // From red over yellow to green.
                let hue = 125 * cell.decided / n;
                let _ = writeln!(
                    svg,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"hsl({hue},60%,78%)\"/>\
                     <text x=\"{}\" y=\"{base}\" text-anchor=\"middle\">{} · {}</text>",
                    CELL - 3,
                    ROW - 3,
                    x + CELL / 2,
                    cell.decided,
                    time(cell.ms)
                );
            }
            y += ROW;
        }
        y += ROW;
    }
    svg.push_str("</svg>\n");
    svg
}

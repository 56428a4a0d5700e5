//! Limits of size: one for each kind of file and one for Rust functions.

use super::{File, source};

const FILE_LINES: usize = 600;
const STYLE_LINES: usize = 900;
const FUNCTION_LINES: usize = 70;
const COMMENT_COLUMNS: usize = 120;
/// The limit of the median length of Rust files.
const MEDIAN_LINES: usize = 200;

/// Functions allowed to be longer: path, name, reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[];

pub(super) fn check(files: &[File]) -> Vec<String> {
    let mut findings: Vec<String> = files.iter().filter_map(long_file).collect();
    findings.extend(long_median(files));
    for file in files.iter().filter(|file| file.has_ending(&["rs"])) {
        findings.extend(long_functions(file));
        findings.extend(wide_comments(file));
    }
    findings
}

fn long_file(file: &File) -> Option<String> {
    let cap = match () {
        () if file.has_ending(&["rs", "js", "mjs"]) => FILE_LINES,
        () if file.has_ending(&["css"]) => STYLE_LINES,
        () => return None,
    };
    let lines = file.text.lines().count();
    (lines > cap).then(|| format!("{}: {lines} lines, {cap} are allowed", file.path))
}

/// Half of the Rust files are short.
fn long_median(files: &[File]) -> Option<String> {
    let rust = files.iter().filter(|file| file.has_ending(&["rs"]));
    let mut lines: Vec<usize> = rust.map(|file| file.text.lines().count()).collect();
    lines.sort_unstable();
    let median = lines.get(lines.len() / 2).copied().unwrap_or(0);
    (median > MEDIAN_LINES)
        .then(|| format!("the median Rust file has {median} lines, {MEDIAN_LINES} are allowed"))
}

/// Comments that rustfmt does not wrap.
fn wide_comments(file: &File) -> Vec<String> {
    let wide = |line: &str| line.trim_start().starts_with("//") && line.chars().count() > COMMENT_COLUMNS;
    let lines = file.text.lines().enumerate().filter(|(_, line)| wide(line));
    lines
        .map(|(number, _)| {
            format!("{}:{}: a comment wider than {COMMENT_COLUMNS} columns", file.path, number + 1)
        })
        .collect()
}

fn long_functions(file: &File) -> Vec<String> {
    let code = source::blank(&file.text);
    let lines: Vec<&str> = code.lines().collect();
    let mut findings = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let length = body_length(&lines[number..]);
        let excused = EXCEPTIONS.iter().any(|(path, function, _)| *path == file.path && *function == name);
        if length > FUNCTION_LINES && !excused {
            let place = format!("{}:{}", file.path, number + 1);
            findings.push(format!("{place}: `{name}` has {length} lines, {FUNCTION_LINES} are allowed"));
        }
    }
    findings
}

/// The name of the function that a line begins to define.
fn function_name(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    words.by_ref().find(|word| *word == "fn")?;
    let name = words.next()?;
    let end = name.find(|char: char| !(char.is_alphanumeric() || char == '_')).unwrap_or(name.len());
    (end > 0).then(|| &name[..end])
}

/// Lines from a signature to the brace that closes its body; 0 for a declaration without one.
fn body_length(lines: &[&str]) -> usize {
    let (mut braces, mut brackets) = (0_usize, 0_usize);
    for (number, line) in lines.iter().enumerate() {
        for char in line.chars() {
            match char {
                '(' | '[' => brackets += 1,
                ')' | ']' => brackets = brackets.saturating_sub(1),
                '{' => braces += 1,
                '}' if braces <= 1 => return number + 1,
                '}' => braces -= 1,
                ';' if braces + brackets == 0 => return 0,
                _ => {}
            }
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::file;

    fn function(lines: usize) -> String {
        format!("//! x\nfn long() {{\n{}}}\n", "    call(\"}\");\n".repeat(lines - 2))
    }

    #[test]
    fn a_wide_comment_is_found() {
        let text = format!("//! x\n    // {}\n", "word ".repeat(30));
        assert_eq!(check(&[file("core/src/a.rs", &text)]).len(), 1);
        let code = format!("//! x\nconst A: &str = \"{}\";\n", "word ".repeat(30));
        assert!(check(&[file("core/src/a.rs", &code)]).is_empty());
    }

    #[test]
    fn a_long_function_is_found_and_a_short_one_is_not() {
        assert!(check(&[file("a.rs", &function(FUNCTION_LINES))]).is_empty());
        let found = check(&[file("a.rs", &function(FUNCTION_LINES + 1))]);
        assert_eq!(found, ["a.rs:2: `long` has 71 lines, 70 are allowed"]);
    }

    #[test]
    fn declarations_do_not_swallow_what_follows() {
        let text = format!(
            "trait T {{\n    fn short(&self);\n    fn array(&self) -> [u8; 4];\n}}\n{}",
            function(60)
        );
        assert!(check(&[file("a.rs", &text)]).is_empty());
    }

    #[test]
    fn a_long_file_is_found() {
        assert_eq!(check(&[file("a.rs", &"//\n".repeat(601)), file("b.rs", ""), file("c.rs", "")]).len(), 1);
        assert_eq!(check(&[file("a.rs", &"//\n".repeat(201))]).len(), 1);
        assert_eq!(check(&[file("a.mjs", &"//\n".repeat(601))]).len(), 1);
        assert_eq!(check(&[file("a.css", &"\n".repeat(901))]).len(), 1);
        assert!(check(&[file("a.css", &"\n".repeat(900)), file("a.txt", &"\n".repeat(9000))]).is_empty());
    }
}

//! Dead files: sources that no module declares, and files of the page that nothing names.

use super::File;

/// Files of `static` that nothing needs to name: examples are found by their folder, and browsers ask for some by
/// themselves.
const FOUND: &[&str] =
    &["static/examples/", "static/scripts/", "static/icons/", "static/editor/", "static/files/"];

pub(super) fn check(files: &[File]) -> Vec<String> {
    let undeclared = files.iter().filter(|file| is_module(&file.path) && !is_declared(file, files));
    let unnamed = files.iter().filter(|file| is_asset(&file.path) && !is_named(file, files));
    let undeclared = undeclared.map(|file| format!("{}: no module declares this file", file.path));
    undeclared.chain(unnamed.map(|file| format!("{}: nothing names this file", file.path))).collect()
}

/// Is this a Rust file that is part of a crate only if a module declares it?
fn is_module(path: &str) -> bool {
    let Some((_, inside)) = path.split_once("/src/").filter(|_| path.ends_with(".rs")) else { return false };
    !matches!(inside, "lib.rs" | "main.rs") && !inside.starts_with("bin/")
}

/// Does the module above it declare it?
fn is_declared(file: &File, files: &[File]) -> bool {
    let path = file.path.trim_end_matches(".rs");
    let Some((folder, name)) = path.rsplit_once('/') else { return false };
    let parents = if folder.ends_with("/src") {
        vec![format!("{folder}/lib.rs"), format!("{folder}/main.rs")]
    } else {
        vec![format!("{folder}.rs")]
    };
    let declares = |line: &str| {
        let line = line.trim_start();
        let rest =
            line.split_once("mod ").filter(|(before, _)| before.is_empty() || before.starts_with("pub"));
        rest.is_some_and(|(_, rest)| rest.trim_end_matches(';') == name)
    };
    files.iter().any(|file| parents.contains(&file.path) && file.text.lines().any(declares))
}

fn is_asset(path: &str) -> bool {
    path.starts_with("static/") && !FOUND.iter().any(|folder| path.starts_with(folder))
}

/// Does another file contain its name?
fn is_named(file: &File, files: &[File]) -> bool {
    let name = file.path.rsplit('/').next().unwrap_or_default();
    files.iter().any(|other| other.path != file.path && other.text.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::file;

    #[test]
    fn a_file_that_no_module_declares_is_found() {
        let root = file("core/src/lib.rs", "//! x\npub mod a;\n#[cfg(test)]\nmod tests;\n");
        let inner = file("core/src/a.rs", "//! x\npub(crate) mod b;\n");
        let all = ["core/src/tests.rs", "core/src/a/b.rs", "core/src/a/c.rs", "core/src/bin/page.rs"];
        let mut files: Vec<File> = all.map(|path| file(path, "//! x\n")).into();
        files.extend([root, inner]);
        assert_eq!(check(&files), ["core/src/a/c.rs: no module declares this file"]);
    }

    #[test]
    fn a_file_of_the_page_that_nothing_names_is_found() {
        let files = [
            file("static/index.html", "<link href=\"app.css\">"),
            file("Trunk.toml", "target = \"static/index.html\""),
            file("static/app.css", ""),
            file("static/old.css", ""),
            file("static/examples/a.cfa", ""),
        ];
        assert_eq!(check(&files), ["static/old.css: nothing names this file"]);
    }
}

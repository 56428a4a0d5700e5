//! `cargo xtask dist`: the release build in `dist/`, and its sizes against the budgets in `xtask/budgets.txt`.

use crate::run::{Build, Fallible, Project};
use crate::setup;
use std::fs;
use std::path::Path;

/// For each part of the page the greatest number of gzipped bytes.
const BUDGETS: &str = include_str!("../budgets.txt");
const GZIP_FRAME: usize = 18;
const LEVEL: u8 = 9;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    FirstInteraction,
    AppRun,
    AppRest,
    Engine,
    EngineSecond,
    Solver,
    Compare,
    Formula,
    Editor,
    Files,
    Rest,
}

impl Part {
    const ALL: [Self; 11] = [
        Self::FirstInteraction,
        Self::AppRun,
        Self::AppRest,
        Self::Engine,
        Self::EngineSecond,
        Self::Solver,
        Self::Compare,
        Self::Formula,
        Self::Editor,
        Self::Files,
        Self::Rest,
    ];

    /// The part of the page that a file of `dist/` belongs to.
    fn of(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        let loaded_first = path == "index.html"
            || path.starts_with("snippets/")
            || ["app-", "boot-"].iter().any(|start| path.starts_with(start));
        let rest = name.ends_with("_rest.wasm");
        match () {
            () if path.starts_with("app-") && name.ends_with("_run.wasm") => Self::AppRun,
            () if path.starts_with("app-") && rest => Self::AppRest,
            () if path.starts_with("engine-") && rest => Self::EngineSecond,
            () if loaded_first => Self::FirstInteraction,
            () if path.starts_with("engine-") => Self::Engine,
            () if path.starts_with("solver") => Self::Solver,
            () if path.starts_with("compare") => Self::Compare,
            () if path.starts_with("formula") => Self::Formula,
            () if name.starts_with("editor") && name.ends_with(".js") => Self::Editor,
            () if name.starts_with("files") && name.ends_with(".js") => Self::Files,
            () => Self::Rest,
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::FirstInteraction => "app, first interaction",
            Self::AppRun => "app, showing a run",
            Self::AppRest => "app, the rest",
            Self::Engine => "engine, first part",
            Self::EngineSecond => "engine, second part",
            Self::Solver => "the solver's page",
            Self::Compare => "the page that compares",
            Self::Formula => "the page of formulas",
            Self::Editor => "editor (loaded lazily)",
            Self::Files => "files (loaded lazily)",
            Self::Rest => "everything else",
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Size {
    raw: usize,
    gzipped: usize,
}

/// Builds the page and prints its sizes; fails if the page is too large.
pub(crate) fn dist(project: &Project) -> Fallible {
    setup::page(project)?;
    // It runs a first visit, which decides how the programs are split.
    setup::chromium(project)?;
    project.trunk(Build::Release).args(["build"]).args(Build::Release.flags()).run()?;
    let mut files = Vec::new();
    collect(&project.root.join("dist"), "", &mut files)?;
    println!("\n{:<26}{:>12}{:>12}{:>12}", "dist/", "bytes", "gzipped", "budget");
    let mut too_large = Vec::new();
    for part in Part::ALL {
        let (size, budget) = (total(&files, part), budget(part, BUDGETS)?);
        println!("{:<26}{:>12}{:>12}{budget:>12}", part.title(), size.raw, size.gzipped);
        if size.gzipped > budget {
            too_large.push(format!("{}: {} bytes gzipped, {budget} are allowed", part.title(), size.gzipped));
        }
    }
    if too_large.is_empty() { Ok(()) } else { Err(too_large.join("\n")) }
}

/// The number in the line of a part.
fn budget(part: Part, budgets: &str) -> Result<usize, String> {
    let line = budgets.lines().find_map(|line| line.strip_suffix(part.title()));
    let number = line.and_then(|line| line.trim().replace('_', "").parse().ok());
    number.ok_or_else(|| format!("xtask/budgets.txt: no number for {}", part.title()))
}

fn total(files: &[(Part, Size)], part: Part) -> Size {
    let of_part = files.iter().filter(|(its, _)| *its == part);
    of_part.fold(Size::default(), |sum, (_, size)| Size {
        raw: sum.raw + size.raw,
        gzipped: sum.gzipped + size.gzipped,
    })
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<(Part, Size)>) -> Fallible {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{path}/"), files)?;
        } else {
            let bytes = fs::read(entry.path()).map_err(failed)?;
            let gzipped = miniz_oxide::deflate::compress_to_vec(&bytes, LEVEL).len() + GZIP_FRAME;
            files.push((Part::of(&path), Size { raw: bytes.len(), gzipped }));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart() {
        assert_eq!(Part::of("app-12ab_bg.wasm"), Part::FirstInteraction);
        assert_eq!(Part::of("app-12ab_run.wasm"), Part::AppRun);
        assert_eq!(Part::of("app-12ab_rest.wasm"), Part::AppRest);
        assert_eq!(Part::of("boot-12ab.js"), Part::FirstInteraction);
        assert_eq!(Part::of("engine-12ab_bg.wasm"), Part::Engine);
        assert_eq!(Part::of("engine-12ab_rest.wasm"), Part::EngineSecond);
        assert_eq!(Part::of("vendor/editor-12ab.js"), Part::Editor);
        assert_eq!(Part::of("vendor/editor.LICENSES.txt"), Part::Rest);
    }

    #[test]
    fn every_part_has_a_budget() {
        for part in Part::ALL {
            assert!(budget(part, BUDGETS).is_ok_and(|bytes| bytes > 1_000), "{part:?}");
        }
        assert_eq!(budget(Part::Engine, "# bytes\n1_234 engine, first part\n"), Ok(1_234));
        assert!(budget(Part::Editor, "1_234 engine, first part\n").is_err());
    }
}

//! `cargo xtask dist`: the release build in `dist/`, and its sizes against the budget of DESIGN §8.

use crate::run::{Build, Fallible, Project};
use crate::setup;
use std::fs;
use std::path::Path;

/// Gzipped bytes a browser loads before the page can be used.
const FIRST_INTERACTION_BUDGET: usize = 250_000;
const GZIP_FRAME: usize = 18;
const LEVEL: u8 = 9;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    FirstInteraction,
    Engine,
    Solver,
    Compare,
    Formula,
    Editor,
    Rest,
}

impl Part {
    /// The part of the page that a file of `dist/` belongs to.
    fn of(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        let loaded_first = path == "index.html"
            || path.starts_with("snippets/")
            || ["app-", "boot-"].iter().any(|start| path.starts_with(start));
        match () {
            () if loaded_first => Self::FirstInteraction,
            () if path.starts_with("engine-") => Self::Engine,
            () if path.starts_with("solver") => Self::Solver,
            () if path.starts_with("compare") => Self::Compare,
            () if path.starts_with("formula") => Self::Formula,
            () if name.starts_with("editor") && name.ends_with(".js") => Self::Editor,
            () => Self::Rest,
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::FirstInteraction => "app, first interaction",
            Self::Engine => "engine (worker)",
            Self::Solver => "the solver's page",
            Self::Compare => "the page that compares",
            Self::Formula => "the page of formulas",
            Self::Editor => "editor (loaded lazily)",
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
    project.trunk(Build::Release).args(["build"]).args(Build::Release.flags()).run()?;
    let mut files = Vec::new();
    collect(&project.root.join("dist"), "", &mut files)?;
    println!("\n{:<26}{:>12}{:>12}", "dist/", "bytes", "gzipped");
    for part in [
        Part::FirstInteraction,
        Part::Engine,
        Part::Solver,
        Part::Compare,
        Part::Formula,
        Part::Editor,
        Part::Rest,
    ] {
        let size = total(&files, part);
        println!("{:<26}{:>12}{:>12}", part.title(), size.raw, size.gzipped);
    }
    within_budget(total(&files, Part::FirstInteraction).gzipped)
}

fn within_budget(gzipped: usize) -> Fallible {
    if gzipped <= FIRST_INTERACTION_BUDGET {
        return Ok(());
    }
    Err(format!(
        "the first interaction takes {gzipped} bytes gzipped, {FIRST_INTERACTION_BUDGET} are allowed"
    ))
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
        assert_eq!(Part::of("boot-12ab.js"), Part::FirstInteraction);
        assert_eq!(Part::of("engine-12ab_loader.js"), Part::Engine);
        assert_eq!(Part::of("vendor/editor-12ab.js"), Part::Editor);
        assert_eq!(Part::of("vendor/editor.LICENSES.txt"), Part::Rest);
    }

    #[test]
    fn the_budget_can_be_broken() {
        assert!(within_budget(FIRST_INTERACTION_BUDGET).is_ok());
        assert!(within_budget(FIRST_INTERACTION_BUDGET + 1).is_err());
    }
}

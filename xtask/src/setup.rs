//! Brings a machine with Rust and Node to the point where everything builds. Each step uses installed tools of the
//! right version, prints what it installs and about how long that takes, and fails with one line.

use crate::run::{Fallible, Project};
use std::fs;

const WASM: &str = "wasm32-unknown-unknown";
const TRUNK: &str = "0.21.14";
const OLDEST_NODE: u32 = 20;

/// Everything, browser included.
pub(crate) fn everything(project: &Project) -> Fallible {
    rust_components(project)?;
    page(project)?;
    chromium(project)
}

/// What building the page needs.
pub(crate) fn page(project: &Project) -> Fallible {
    node(project)?;
    wasm_target(project)?;
    cargo_program(project, "trunk", "trunk", TRUNK, "5 to 12 minutes")?;
    let bindgen = locked_version(&project.read("Cargo.lock")?, "wasm-bindgen")?;
    cargo_program(project, "wasm-bindgen-cli", "wasm-bindgen", &bindgen, "2 to 5 minutes")?;
    npm_packages(project)?;
    project.cargo().args(["fetch", "--quiet", "--locked"]).run().map_err(|error| {
        format!(
            "{error}: the crates of Cargo.lock cannot be fetched (no network, or Cargo.lock is out of date)"
        )
    })
}

/// The formatter and the linter.
pub(crate) fn rust_components(project: &Project) -> Fallible {
    for (command, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if project.cargo().args([command, "--version"]).output().is_none() {
            say(component, "with rustup", "half a minute");
            project.tool("rustup").args(["component", "add", component]).run()?;
        }
    }
    Ok(())
}

fn say(what: &str, how: &str, time: &str) {
    println!("xtask: installing {what} {how} (once, about {time})");
}

fn node(project: &Project) -> Fallible {
    let version = project.tool("node").args(["--version"]).output();
    let major = version
        .as_deref()
        .and_then(|text| text.trim_start_matches('v').split('.').next()?.parse::<u32>().ok());
    match major {
        Some(major) if major >= OLDEST_NODE => Ok(()),
        Some(major) => Err(format!("Node {major} is too old, {OLDEST_NODE} or newer is needed")),
        None => Err(format!("Node {OLDEST_NODE} or newer is needed and `node` was not found")),
    }
}

fn wasm_target(project: &Project) -> Fallible {
    let sysroot = project.tool("rustc").args(["--print", "sysroot"]).output();
    let there =
        sysroot.is_some_and(|folder| std::path::Path::new(&folder).join("lib/rustlib").join(WASM).is_dir());
    if there {
        return Ok(());
    }
    say(WASM, "with rustup", "half a minute");
    project.tool("rustup").args(["target", "add", WASM]).run()
}

/// The version of a package in a lock file.
pub(crate) fn locked_version(lock: &str, package: &str) -> Fallible<String> {
    let wanted = format!("name = \"{package}\"");
    let mut lines = lock.lines();
    lines
        .find(|line| *line == wanted)
        .and_then(|_| lines.next()?.strip_prefix("version = \"")?.strip_suffix('"').map(str::to_owned))
        .ok_or_else(|| format!("Cargo.lock does not name {package}"))
}

fn cargo_program(project: &Project, package: &str, program: &str, version: &str, time: &str) -> Fallible {
    let found = project.tool(program).args(["--version"]).output();
    if found.as_deref().is_some_and(|text| is_version(text, version)) {
        return Ok(());
    }
    // Another version may be needed elsewhere: ours is installed beside it, into target/tools.
    let place: &[&str] = if found.is_some() { &["--root", "target/tools"] } else { &[] };
    say(&format!("{package} {version}"), "with cargo", time);
    let install = |flags: &[&str]| {
        let wanted = format!("={version}");
        project
            .cargo()
            .args(["install", "--quiet", package, "--version", &wanted])
            .args(place)
            .args(flags)
            .run()
    };
    install(&["--locked"]).or_else(|_| {
        println!("xtask: {package}'s own lock file cannot be followed (a version it names is not to be had); trying without it");
        install(&[]).map_err(|error| format!("{package} {version} could not be installed: {error}"))
    })
}

/// Whether a `--version` text names exactly this version.
fn is_version(text: &str, version: &str) -> bool {
    text.split_whitespace().any(|word| word.trim_start_matches('v') == version)
}

fn npm_packages(project: &Project) -> Fallible {
    let lock = project.read("package-lock.json")?;
    let stamp = project.root.join("node_modules/.installed-lock.json");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    say("the npm packages of package-lock.json", "with npm ci", "half a minute, 130 MB");
    project
        .tool("npm")
        .args(["ci", "--silent"])
        .run()
        .map_err(|error| format!("{error}: is the npm registry within reach?"))?;
    fs::write(&stamp, lock).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// A Chromium for the browser tests: an installed one, or Debian's if root can install it.
pub(crate) fn chromium(project: &Project) -> Fallible {
    let found = || project.tool("node").args(["tests/browser/chromium.mjs"]).output().is_some();
    if found() {
        return Ok(());
    }
    if let Ok(named) = std::env::var("CHROMIUM") {
        return Err(format!("the variable CHROMIUM names `{named}`, which cannot be run"));
    }
    let root = project.tool("id").args(["-u"]).output().as_deref() == Some("0");
    if !root || project.find_program("apt-get").is_none() {
        return Err(
            "the browser tests need Chromium: install it, or name one in the variable CHROMIUM".into()
        );
    }
    say("chromium", "with apt-get", "a minute or two");
    let failed = |error| format!("chromium could not be installed: {error}");
    project.tool("apt-get").args(["update", "-qq"]).run().map_err(failed)?;
    let install = ["install", "-y", "-qq", "--no-install-recommends", "chromium"];
    project.tool("apt-get").args(install).env("DEBIAN_FRONTEND", "noninteractive").run().map_err(failed)?;
    if found() { Ok(()) } else { Err("chromium was installed but is not on the PATH".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_gives_the_version() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"9.9.9\"\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Ok("0.2.130".into()));
        assert!(locked_version(lock, "yew").is_err());
    }

    #[test]
    fn versions_are_compared_whole() {
        assert!(is_version("trunk 0.21.14", "0.21.14"));
        assert!(is_version("tool v0.2.130 (abc)", "0.2.130"));
        assert!(!is_version("trunk 0.21.140", "0.21.14"));
    }
}

//! Brings a machine with Rust and Node to the point where everything builds. Each step uses installed tools of the
//! right version, prints what it installs and about how long that takes, and fails with one line.

use crate::run::{Fallible, Project};
use std::fs;

const WASM: &str = "wasm32-unknown-unknown";
const TRUNK: Program = Program {
    package: "trunk",
    name: "trunk",
    // Everything but an update check and native certificates; nothing is downloaded through it.
    flags: &["--no-default-features", "--features", "rustls"],
    optimisation: "0",
    time: "2 to 4 minutes",
};
const TRUNK_VERSION: &str = "0.21.14";
const BINDGEN: Program = Program {
    package: "wasm-bindgen-cli",
    name: "wasm-bindgen",
    flags: &[],
    optimisation: "1",
    time: "1 to 3 minutes",
};
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
    TRUNK.install(project, TRUNK_VERSION)?;
    BINDGEN.install(project, &locked_version(&project.read("Cargo.lock")?, "wasm-bindgen")?)?;
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

/// A program that cargo builds and installs.
struct Program {
    package: &'static str,
    name: &'static str,
    flags: &'static [&'static str],
    /// The optimisation level it is compiled with: these programs run for seconds, and compile for minutes.
    optimisation: &'static str,
    time: &'static str,
}

impl Program {
    /// Installs this version, unless it is there: as a binary if `cargo binstall` is there, otherwise from source.
    fn install(&self, project: &Project, version: &str) -> Fallible {
        let found = project.tool(self.name).args(["--version"]).output();
        if found.as_deref().is_some_and(|text| is_version(text, version)) {
            return Ok(());
        }
        // Another version may be needed elsewhere: ours is installed beside it, into target/tools.
        let place: &[&str] = if found.is_some() { &["--root", "target/tools"] } else { &[] };
        say(&format!("{} {version}", self.package), "with cargo", self.time);
        if project.find_program("cargo-binstall").is_some() {
            let wanted = format!("{}@{version}", self.package);
            let fetch = ["binstall", "--no-confirm", "--quiet", "--disable-strategies", "compile", &wanted];
            if project.cargo().args(fetch).args(place).run().is_ok() {
                return Ok(());
            }
        }
        self.compile(project, version, place)
    }

    fn compile(&self, project: &Project, version: &str, place: &[&str]) -> Fallible {
        let wanted = format!("={version}");
        let install = |lock: &[&str]| {
            let words = ["install", "--quiet", self.package, "--version", &wanted];
            let settings =
                [("OPT_LEVEL", self.optimisation), ("LTO", "off"), ("CODEGEN_UNITS", "16"), ("DEBUG", "0")];
            let cargo = settings.iter().fold(project.cargo(), |cargo, (name, value)| {
                cargo.env(&format!("CARGO_PROFILE_RELEASE_{name}"), value)
            });
            cargo.args(words).args(place).args(self.flags).args(lock).run()
        };
        install(&["--locked"]).or_else(|_| {
            println!(
                "xtask: {}'s own lock file cannot be used (one of its versions is not available); installing without it",
                self.package
            );
            install(&[]).map_err(|error| format!("{} {version} could not be installed: {error}", self.package))
        })
    }
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
        .map_err(|error| format!("{error}: is the npm registry reachable?"))?;
    fs::write(&stamp, lock).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// A Chromium for releases and the browser tests: an installed one, or Debian's if root can install it.
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
            "a release and the browser tests need Chromium: install it, or name one in the variable CHROMIUM"
                .into(),
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

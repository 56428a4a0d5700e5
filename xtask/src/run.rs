//! The project's folder and how its tools are started: from the root, with `node_modules/.bin`, the
//! project's own tools and cargo's programs first on the PATH. Every failure is one line of text.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A task's result; the error is the one line to show.
pub(crate) type Fallible<T = ()> = Result<T, String>;

/// How the page is built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Build {
    /// Hardly optimised and built quickly.
    Debug,
    /// As fast as a release, but larger, and built in half of the time.
    Quick,
    Release,
}

impl Build {
    /// Trunk's options for it.
    pub(crate) const fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Debug => &[],
            Self::Quick => &["--cargo-profile", "serve"],
            Self::Release => &["--release"],
        }
    }
}

/// The checkout this program belongs to.
pub(crate) struct Project {
    /// The workspace's root folder.
    pub(crate) root: PathBuf,
    path: OsString,
}

impl Project {
    /// The project is where xtask was built from.
    pub(crate) fn find() -> Fallible<Self> {
        let own = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let root =
            own.as_deref().and_then(Path::parent).ok_or_else(|| String::from("start it as `cargo xtask`"))?;
        Ok(Self::at(root.to_path_buf()))
    }

    fn at(root: PathBuf) -> Self {
        let mut folders = vec![root.join("target/tools/bin"), root.join("node_modules/.bin")];
        folders.extend(cargo_home().map(|home| home.join("bin")));
        folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        let path = std::env::join_paths(folders).unwrap_or_default();
        Self { root, path }
    }

    /// A file of the project as text.
    pub(crate) fn read(&self, path: &str) -> Fallible<String> {
        std::fs::read_to_string(self.root.join(path)).map_err(|error| format!("{path}: {error}"))
    }

    /// A program to start from the project's root.
    pub(crate) fn tool(&self, program: &str) -> Tool {
        let found = self.find_program(program).unwrap_or_else(|| program.into());
        let mut command = Command::new(found);
        command.current_dir(&self.root).env("PATH", &self.path);
        // Trunk 0.21 takes only `true` or `false` in NO_COLOR and refuses to start on the usual `1`.
        command.env_remove("NO_COLOR");
        Tool { name: program.into(), command }
    }

    /// The cargo that runs xtask.
    pub(crate) fn cargo(&self) -> Tool {
        let mut tool = self.tool("cargo");
        // These describe xtask's own build and must not leak into other builds.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
                tool.command.env_remove(&name);
            }
        }
        tool
    }

    /// Trunk, without its check of a registry for updates.
    pub(crate) fn trunk(&self, build: Build) -> Tool {
        let tool = self.tool("trunk").env("TRUNK_SKIP_VERSION_CHECK", "true");
        match build {
            Build::Debug | Build::Quick => tool,
            Build::Release => tool.env("CARGO_ENCODED_RUSTFLAGS", &self.remap()),
        }
    }

    /// Compiler flags that keep this machine's folders out of a release, so that every machine compiles the same.
    fn remap(&self) -> String {
        let folders =
            cargo_home().map(|home| (home, "cargo")).into_iter().chain([(self.root.clone(), "veristep")]);
        let flags = folders.map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()));
        flags.collect::<Vec<_>>().join("\x1f")
    }

    /// The program's file on the project's PATH.
    pub(crate) fn find_program(&self, program: &str) -> Option<PathBuf> {
        let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ""] } else { &[""] };
        std::env::split_paths(&self.path)
            .flat_map(|folder| endings.iter().map(move |ending| folder.join(format!("{program}{ending}"))))
            .find(|file| file.is_file())
    }
}

/// Where cargo keeps its programs and crates.
pub(crate) fn cargo_home() -> Option<PathBuf> {
    let named = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let user = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    named.or_else(|| std::env::var_os(user).map(|home| PathBuf::from(home).join(".cargo")))
}

/// A program about to be started.
pub(crate) struct Tool {
    name: String,
    command: Command,
}

impl Tool {
    pub(crate) fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.command.args(args);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs it in the foreground.
    pub(crate) fn run(mut self) -> Fallible {
        let status =
            self.command.status().map_err(|error| format!("{} does not start: {error}", self.name))?;
        if status.success() { Ok(()) } else { Err(format!("{} failed ({status})", self.shown())) }
    }

    /// Runs it quietly and returns its standard output, or nothing when it fails or does not exist.
    pub(crate) fn output(mut self) -> Option<String> {
        let output = self.command.stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn shown(&self) -> String {
        let args: Vec<_> = self.command.get_args().map(|arg| arg.to_string_lossy()).collect();
        format!("`{} {}`", self.name, args.join(" "))
    }
}

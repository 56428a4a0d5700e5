//! Comparison with other solvers on the same files, in turn: medians of several runs, as a table in Markdown.
//!
//! `peers FOLDER [--runs N] [--seconds S] [--cvc5] [--only PART]`, where FOLDER was prepared by `cargo xtask bench
//! --peers`: `venv/`, `node_modules/`, `answer.wasm`. Times are those of whole processes; for wasm, where starting node
//! would dominate, those measured inside, including z3's own start.
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use veristep_benches::{Encoding, rows};

/// One way to answer a file.
struct Peer {
    name: &'static str,
    command: Vec<String>,
    /// Use the times printed after the answer, not those of the process.
    inside: bool,
}

struct Setting {
    runs: usize,
    limit: Duration,
    only: String,
}

/// A file to answer and the group it belongs to.
struct Question {
    group: String,
    name: String,
    file: PathBuf,
    status: String,
}

/// Answer and milliseconds; `None` at the time limit.
fn run(peer: &Peer, file: &Path, limit: Duration) -> Option<(String, f64)> {
    let (program, arguments) = peer.command.split_first().expect("a program");
    let start = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .arg(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|e| panic!("{program}: {e}"));
    let mut output = child.stdout.take().expect("piped");
    let reader = std::thread::spawn(move || std::io::read_to_string(&mut output).unwrap_or_default());
    while child.try_wait().expect("a child process").is_none() {
        if start.elapsed() > limit {
            child.kill().expect("a child process");
            child.wait().expect("a child process");
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let took = start.elapsed().as_secs_f64() * 1e3;
    let text = reader.join().expect("the reader");
    let line = text.lines().rfind(|l| !l.trim().is_empty()).unwrap_or("none");
    let mut words = line.split_whitespace();
    let answer = words.next().unwrap_or("none").to_owned();
    let times: Vec<f64> = words.filter_map(|w| w.parse().ok()).collect();
    Some((answer, if peer.inside { times.iter().sum() } else { took }))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The files of the families, written into `folder`.
fn families(folder: &Path) -> Vec<Question> {
    let mut all = Vec::new();
    for (encoding, tag) in [(Encoding::Differences, "differences"), (Encoding::Sums, "sums")] {
        let (deadlock, timed) = rows(encoding);
        for (kind, rows) in [("deadlock", deadlock), ("timed", timed)] {
            for row in rows {
                let file = folder.join(format!("{tag} {kind} {}.smt2", row.name));
                std::fs::write(&file, row.text).expect("a writable folder");
                let (group, status) = (format!("{kind}, {tag}"), row.status.to_owned());
                all.push(Question { group, name: row.name, file, status });
            }
        }
    }
    all
}

/// The shared files, if the folder exists.
fn shared() -> Vec<Question> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/smtlib");
    let Ok(manifest) = std::fs::read_to_string(folder.join("MANIFEST.tsv")) else {
        println!("no shared files");
        return Vec::new();
    };
    let mut all = Vec::new();
    for line in manifest.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        if !cells[2].contains(',') {
            let (file, name) = (folder.join(cells[0]), cells[0].rsplit("__").next().unwrap_or_default());
            let group = format!("files, {}", cells[1].split(':').next().unwrap_or_default());
            all.push(Question { group, name: name.to_owned(), file, status: cells[2].to_owned() });
        }
    }
    all
}

fn peers(folder: &Path, cvc5: bool) -> Vec<Peer> {
    let at = |path: &str| folder.join(path).to_string_lossy().into_owned();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let script = |name: &str| root.join("peers").join(name).to_string_lossy().into_owned();
    let native = root.join("../target/release/examples/answer").to_string_lossy().into_owned();
    let wasm = vec!["node".into(), "--no-warnings".into(), script("answer.mjs"), at("answer.wasm")];
    let mut all = vec![
        Peer { name: "ours", command: vec![native], inside: false },
        Peer { name: "z3", command: vec![at("venv/bin/z3")], inside: false },
        Peer { name: "yices", command: vec![at("venv/bin/yices-smt2")], inside: false },
        Peer { name: "ours, wasm", command: wasm, inside: true },
        Peer { name: "z3, wasm", command: vec!["node".into(), at("z3.mjs")], inside: true },
    ];
    if cvc5 {
        let command = vec![at("venv/bin/python"), script("cvc5_file.py")];
        all.push(Peer { name: "cvc5", command, inside: false });
    }
    all
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = PathBuf::from(arguments.first().expect("the folder of the peers"));
    let value = |name: &str| arguments.iter().position(|a| a == name).and_then(|i| arguments.get(i + 1));
    let setting = Setting {
        runs: value("--runs").map_or(3, |v| v.parse().expect("a number of runs")),
        limit: Duration::from_secs(value("--seconds").map_or(20, |v| v.parse().expect("seconds"))),
        only: value("--only").cloned().unwrap_or_default(),
    };
    let peers = peers(&folder, arguments.iter().any(|a| a == "--cvc5"));
    let mut questions = families(&folder);
    questions.extend(shared());
    questions.retain(|q| format!("{} {}", q.group, q.name).contains(&setting.only));
    let names: Vec<&str> = peers.iter().map(|p| p.name).collect();
    println!("| group | file | answer | {} |", names.join(" | "));
    println!("|---|---|---|{}", "---|".repeat(peers.len()));
    let mut ratios: BTreeMap<(String, &str), Vec<f64>> = BTreeMap::new();
    for q in &questions {
        compare(q, &peers, &setting, &mut ratios);
    }
    println!(
        "\nGeometric means of ours ÷ theirs (wasm against wasm; anything but the right answer counts as the limit):\n"
    );
    for ((group, peer), all) in &ratios {
        let mean = (all.iter().map(|r| r.ln()).sum::<f64>() / all.len() as f64).exp();
        let worst = all.iter().copied().fold(0.0, f64::max);
        println!("- {group}: {mean:.2} × {peer} over {} files, at worst {worst:.2}", all.len());
    }
}

/// One row of the table.
fn compare<'p>(
    q: &Question,
    peers: &'p [Peer],
    setting: &Setting,
    ratios: &mut BTreeMap<(String, &'p str), Vec<f64>>,
) {
    let limit = setting.limit.as_secs_f64() * 1e3;
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); peers.len()];
    let mut answers: Vec<String> = vec!["timeout".to_owned(); peers.len()];
    for _ in 0..setting.runs {
        for (i, peer) in peers.iter().enumerate() {
            match run(peer, &q.file, setting.limit) {
                Some((answer, took)) => {
                    // One wrong run makes the row wrong.
                    if times[i].is_empty() || answer != q.status {
                        answers[i] = answer;
                    }
                    times[i].push(took);
                }
                None => {
                    answers[i] = "timeout".to_owned();
                    times[i].push(limit);
                }
            }
        }
    }
    // Anything but the right answer counts as the limit.
    for (all, answer) in times.iter_mut().zip(&answers) {
        if *answer != q.status {
            all.fill(limit);
        }
    }
    let medians: Vec<f64> = times.into_iter().map(median).collect();
    assert!(
        [q.status.as_str(), "unknown", "timeout"].contains(&answers[0].as_str()),
        "{}: {}, not {}",
        q.file.display(),
        answers[0],
        q.status
    );
    let cell = |i: usize| match answers[i].as_str() {
        a if a == q.status => format!("{:.0}", medians[i]),
        a => a.to_owned(),
    };
    let cells: Vec<String> = (0..peers.len()).map(cell).collect();
    println!("| {} | {} | {} | {} |", q.group, q.name, q.status, cells.join(" | "));
    for (i, peer) in peers.iter().enumerate() {
        let ours = if peer.name.contains("wasm") { 3 } else { 0 };
        if i != ours {
            ratios.entry((q.group.clone(), peer.name)).or_default().push(medians[ours] / medians[i]);
        }
    }
    let wasm = medians[3] / medians[0];
    ratios.entry((q.group.clone(), "our own native time, in wasm,")).or_default().push(wasm);
}

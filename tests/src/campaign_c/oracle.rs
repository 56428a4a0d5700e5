//! The oracle is a compiler: many programs are compiled as one file and run on all their inputs.
//!
//! Names of each program get a prefix by macros, so its text is unchanged. Undefined behaviour is a trap of the
//! compiler's sanitizer; the variables of all programs are reset after each run.

use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::writer::{GLOBALS, MACROS, Program};

/// The runs of a program on all inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// Does the compiler accept it?
    pub accepted: bool,
    /// Does a run reach the error before any undefined behaviour?
    pub error: bool,
    /// Does a run have undefined behaviour?
    pub undefined: bool,
    /// Does a run take too long or end the process, or is there none since the compiler fails?
    pub endless: bool,
    /// Number of runs.
    pub runs: u64,
}

/// A folder with the files of all batches.
pub struct Oracle {
    folder: PathBuf,
}

const RUNTIME: &str = r#"#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
struct program { int (*run)(void); int inputs; int range[4]; };
extern struct program programs[];
extern int count;
extern char __data_start, _end;
static struct state { sigjmp_buf back; int input[2]; int next, running, late; char *saved; } *state;
void reach_error(void) { siglongjmp(state->back, 1); }
void halt(void) { siglongjmp(state->back, 2); }
static void caught(int number) {
    if (number == SIGALRM) { state->late = 1; if (state->running) siglongjmp(state->back, 4); return; }
    siglongjmp(state->back, 3);
}
static int input(void) { return state->next < 2 ? state->input[state->next++] : 0; }
int __VERIFIER_nondet_int(void) { return input(); }
char __VERIFIER_nondet_char(void) { return input(); }
unsigned char __VERIFIER_nondet_uchar(void) { return input(); }
_Bool __VERIFIER_nondet_bool(void) { return input(); }
void __VERIFIER_assume(int yes) { if (!yes) halt(); }
static int once(struct program *p) {
    int how = sigsetjmp(state->back, 1);
    if (how == 0) { state->next = 0; state->running = 1; p->run(); }
    state->running = 0;
    return how;
}
int main(void) {
    state = calloc(1, sizeof *state);
    size_t size = &_end - &__data_start;
    char *saved = state->saved = malloc(size);
    signal(SIGILL, caught); signal(SIGFPE, caught); signal(SIGSEGV, caught); signal(SIGALRM, caught); signal(SIGTRAP, caught);
    memcpy(saved, &__data_start, size);
    for (int i = 0; i < count; i++) {
        struct program p = programs[i];
        unsigned seen = 0, runs = 0;
        struct itimerval limit = { { 0, 0 }, { 0, 400000 } }, none = { { 0, 0 }, { 0, 0 } };
        state->late = 0;
        setitimer(ITIMER_REAL, &limit, 0);
        for (int a = p.range[0]; a <= p.range[1] && !state->late; a++)
            for (int b = p.range[2]; b <= p.range[3] && !state->late; b++) {
                state->input[0] = a; state->input[1] = b;
                seen |= 1u << once(&p);
                runs++;
                memcpy(&__data_start, saved, size);
            }
        setitimer(ITIMER_REAL, &none, 0);
        printf("%u %u %u\n", i, seen | (state->late ? 16 : 0), runs);
        fflush(stdout);
    }
    return 0;
}
"#;

impl Oracle {
    /// A new folder; the runtime is compiled for both data models.
    ///
    /// # Errors
    /// If the folder cannot be made or the compiler does not run.
    pub fn new() -> io::Result<Oracle> {
        let folder = std::env::temp_dir().join(format!("campaign-c-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("runtime.c"), RUNTIME)?;
        let oracle = Oracle { folder };
        for flag in ["-m32", "-m64"] {
            let done = oracle
                .compiler(flag)
                .args(["-c", "runtime.c", "-o", &format!("runtime{flag}.o")])
                .status()?;
            if !done.success() {
                return Err(io::Error::other(format!("the compiler does not support {flag}")));
            }
        }
        Ok(oracle)
    }

    fn compiler(&self, flag: &str) -> Command {
        let mut command = Command::new("gcc");
        command.current_dir(&self.folder).args(["-std=c17", "-O0", "-w", flag]);
        command.stderr(Stdio::null());
        command
    }

    /// The compiler's reason for rejecting a program, if it does.
    ///
    /// # Errors
    /// If it does not run.
    pub fn refusal(&self, text: &str, lp64: bool) -> io::Result<Option<String>> {
        std::fs::write(self.folder.join("one.c"), text)?;
        let flag = if lp64 { "-m64" } else { "-m32" };
        let output = self.compiler(flag).stderr(Stdio::piped()).args(["-fsyntax-only", "one.c"]).output()?;
        let messages = String::from_utf8_lossy(&output.stderr);
        let error =
            messages.lines().find_map(|l| l.split_once("error: ")).map_or("no message", |(_, why)| why);
        Ok((!output.status.success()).then(|| error.to_owned()))
    }

    /// The facts about programs of the same data model.
    ///
    /// # Errors
    /// If the compiler does not run.
    pub fn facts(&self, programs: &[&Program], lp64: bool) -> io::Result<Vec<Facts>> {
        let mut all: Vec<(usize, &Program)> = programs.iter().copied().enumerate().collect();
        let mut facts = vec![Facts::default(); programs.len()];
        if !self.run(&all, lp64, &mut facts)? {
            let mut accepted = Vec::new();
            for (i, p) in all {
                if self.refusal(&p.tree.text(), lp64)?.is_none() {
                    accepted.push((i, p));
                }
            }
            all = accepted;
            self.run(&all, lp64, &mut facts)?;
        }
        // A program may end the process of a batch or make the compiler fail; then each one is run alone.
        for (i, p) in all {
            if facts[i].runs == 0 {
                self.run(&[(i, p)], lp64, &mut facts)?;
                facts[i].endless |= facts[i].runs == 0;
                facts[i].accepted = true;
            }
        }
        Ok(facts)
    }

    /// Does the compiler fold undefined behaviour at compile time, so that no run of its program shows it?
    ///
    /// # Errors
    /// If it does not run.
    pub fn folds_undefined(&self, text: &str, lp64: bool) -> io::Result<bool> {
        std::fs::write(self.folder.join("one.c"), text)?;
        let flag = if lp64 { "-m64" } else { "-m32" };
        let mut compiler = Command::new("gcc");
        compiler.current_dir(&self.folder).args([
            "-std=c17",
            "-fsyntax-only",
            flag,
            "one.c",
            "-Woverflow",
            "-Wdiv-by-zero",
        ]);
        compiler.args([
            "-Wshift-count-overflow",
            "-Wshift-count-negative",
            "-Wshift-overflow",
            "-Wshift-negative-value",
        ]);
        let output = compiler.output()?;
        let messages = String::from_utf8_lossy(&output.stderr);
        Ok(["integer overflow in expression", "division by zero", "shift count", "shift of"]
            .iter()
            .any(|m| messages.contains(m)))
    }

    /// Compiles and runs; false if the compiler rejects a program.
    fn run(&self, programs: &[(usize, &Program)], lp64: bool, facts: &mut [Facts]) -> io::Result<bool> {
        if programs.is_empty() {
            return Ok(true);
        }
        std::fs::write(self.folder.join("batch.c"), batch(programs))?;
        let flag = if lp64 { "-m64" } else { "-m32" };
        let mut compiler = self.compiler(flag);
        compiler.args(["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error", "batch.c"]);
        if !compiler.args([&format!("runtime{flag}.o"), "-o", "batch"]).status()?.success() {
            return Ok(false);
        }
        let output = Command::new(self.folder.join("batch")).output()?;
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let numbers: Vec<u64> = line.split(' ').filter_map(|n| n.parse().ok()).collect();
            let [i, seen, runs] = numbers.as_slice() else { continue };
            let Some((number, _)) = usize::try_from(*i).ok().and_then(|i| programs.get(i)) else { continue };
            let has = |bit: u32| seen >> bit & 1 == 1;
            facts[*number] =
                Facts { accepted: true, error: has(1), undefined: has(3), endless: has(4), runs: *runs };
        }
        Ok(true)
    }
}

/// The text of all programs, and a table of them.
fn batch(programs: &[(usize, &Program)]) -> String {
    let mut text = String::new();
    let mut table = String::new();
    for (i, (_, p)) in programs.iter().enumerate() {
        for name in GLOBALS {
            let _ = writeln!(text, "#define {name} p{i}_{name}");
        }
        text.push_str("#define abort halt\n");
        text.push_str(&p.tree.text());
        text.push('\n');
        for name in GLOBALS.iter().chain(MACROS).chain(&["abort"]) {
            let _ = writeln!(text, "#undef {name}");
        }
        let [a, b, c, d] = p.ranges;
        let _ = writeln!(table, "{{ p{i}_main, 2, {{ {a}, {b}, {c}, {d} }} }},");
    }
    let count = programs.len();
    let _ = write!(
        text,
        "struct program {{ int (*run)(void); int inputs; int range[4]; }};\nstruct program programs[] = {{\n{table}}};\nint count = {count};\n"
    );
    text
}

//! Limits of time and memory for whole commands: reading, verifying and certifying included.
//!
//! Any part may take too long, a read from a pipe without a writer as well as a query of the solver. So a separate
//! thread watches the process, prints the answer when a limit is reached, and ends the process.

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;

use crate::UNKNOWN;
use crate::input::{BadInput, bad};

/// The limits of a command.
#[derive(Args, Clone, Debug)]
pub(crate) struct Limits {
    /// Time limit in seconds, including reading the model
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<f64>,
    /// Memory limit of the process in MiB
    #[arg(long, value_name = "MIB", default_value_t = 8192)]
    memory: usize,
}

/// Interval between checks of the limits.
const PERIOD: Duration = Duration::from_millis(20);

/// Did the watched command end? Set by the command or by the watching thread, whichever is first.
type Over = Arc<Mutex<bool>>;

/// Enforces the limits until it is dropped.
pub(crate) struct Watch(Over);

impl Limits {
    /// The limit of time.
    ///
    /// # Errors
    /// If it is not a positive number of seconds.
    pub(crate) fn time(&self) -> Result<Option<Duration>, BadInput> {
        let Some(seconds) = self.timeout else { return Ok(None) };
        match Duration::try_from_secs_f64(seconds) {
            Ok(limit) if !limit.is_zero() => Ok(Some(limit)),
            _ => bad("error: --timeout needs a positive number of seconds"),
        }
    }

    /// Enforces the limits from now on. When one is reached, `answer` prints the reason and the process ends as
    /// undecided. The time limit is slightly extended, so that commands with their own time limit can print more
    /// details.
    ///
    /// # Errors
    /// If the time limit is invalid.
    pub(crate) fn watch(
        &self,
        spare: Duration,
        answer: impl FnOnce(&str) + Send + 'static,
    ) -> Result<Watch, BadInput> {
        let (start, time) = (Instant::now(), self.time()?.map(|t| t.saturating_add(spare)));
        let memory = self.memory.saturating_mul(1 << 20);
        let over: Over = Arc::default();
        let shared = Arc::clone(&over);
        thread::spawn(move || {
            loop {
                let left = time.map_or(PERIOD, |t| t.saturating_sub(start.elapsed()));
                thread::sleep(PERIOD.min(left.max(Duration::from_millis(1))));
                // Locked while the answer is printed, so that there is only one answer.
                let Ok(over) = shared.lock() else { return };
                if *over {
                    return;
                }
                let reason = if time.is_some_and(|t| start.elapsed() >= t) {
                    "the time limit (--timeout) was reached".to_owned()
                } else if memory_stats::memory_stats().is_some_and(|m| m.physical_mem > memory) {
                    format!("the memory limit (--memory {}) was reached", memory >> 20)
                } else {
                    continue;
                };
                answer(&reason);
                std::process::exit(i32::from(UNKNOWN));
            }
        });
        Ok(Watch(over))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Ok(mut over) = self.0.lock() {
            *over = true;
        }
    }
}

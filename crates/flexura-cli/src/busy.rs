//! A sign of life from commands that compute for long without saying how far they are: after a second, what they do and for how
//! long, on a terminal only, gone with the first words that are printed.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Commands shorter than this show nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// The line on the terminal, and which command it belongs to.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);
/// Grows when a command has begun or has something to say: a sign from before is out of date.
static TURN: AtomicUsize = AtomicUsize::new(0);
/// Other bars on the terminal.
static OTHERS: AtomicUsize = AtomicUsize::new(0);

/// Shows that `what` is going on from the second second on.
pub fn start(what: &'static str) {
    if !std::io::stderr().is_terminal() {
        return;
    }
    let (turn, started) = (TURN.fetch_add(1, Ordering::SeqCst) + 1, Instant::now());
    std::thread::spawn(move || {
        while started.elapsed() < PATIENCE || OTHERS.load(Ordering::SeqCst) > 0 {
            std::thread::sleep(Duration::from_millis(50));
        }
        let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if TURN.load(Ordering::SeqCst) == turn {
            let bar = ProgressBar::new_spinner().with_elapsed(started.elapsed()).with_message(what);
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(120));
            *shown = Some(bar);
        }
    });
}

/// Takes the sign away, before words are printed.
pub fn quiet() {
    TURN.fetch_add(1, Ordering::SeqCst);
    if let Some(bar) = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).take() {
        bar.finish_and_clear();
    }
}

/// Another bar has the terminal as long as this lives.
pub struct Other(());

impl Other {
    /// Takes the terminal.
    pub fn new() -> Self {
        OTHERS.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        OTHERS.fetch_sub(1, Ordering::SeqCst);
    }
}

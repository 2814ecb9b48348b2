//! Being asked to end: Ctrl-C, a scheduler's SIGTERM, the SIGHUP of a terminal that closes.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// Exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// How long the work under way may go on after the program was asked to end.
const GRACE: Duration = Duration::from_millis(800);

/// What happens when work does not end by itself soon after it was asked to.
pub enum Late {
    /// Nothing is lost by ending at once, with these words.
    End(&'static str),
    /// Something would be lost: the user is told what a second Ctrl-C does.
    Tell(&'static str),
}

/// Raised when the program is asked to end; watched as long as it lives.
pub struct Interrupt {
    raised: Arc<AtomicBool>,
    _alive: Arc<()>,
}

impl Deref for Interrupt {
    type Target = AtomicBool;

    fn deref(&self) -> &AtomicBool {
        &self.raised
    }
}

/// Sees that something happens within a second, whatever the work under way.
fn hurry(raised: &AtomicBool, alive: &Weak<()>, late: &Late) {
    while !raised.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(50));
        if alive.strong_count() == 0 {
            return;
        }
    }
    std::thread::sleep(GRACE);
    if alive.strong_count() == 0 {
        return;
    }
    match late {
        Late::End(words) => {
            eprintln!("{words}");
            std::process::exit(INTERRUPTED);
        }
        Late::Tell(words) => eprintln!("{words}"),
    }
}

/// A flag that is raised when the program is asked to end. A second Ctrl-C ends it at once; of the other signals one and the
/// same event may send several (a terminal that closes, `timeout`), so that they only raise the flag.
pub fn watch_for_interrupt(late: Late) -> Interrupt {
    let raised = Arc::new(AtomicBool::new(false));
    // A flag of its own, and in this order: the first Ctrl-C finds it down, whatever else has been sent.
    let pressed = Arc::new(AtomicBool::new(false));
    let _ = flag::register_conditional_shutdown(SIGINT, INTERRUPTED, Arc::clone(&pressed));
    let _ = flag::register(SIGINT, pressed);
    // Without a handler a signal would end the process at once; batches written so far stay readable.
    for signal in [Some(SIGINT), Some(SIGTERM), hangup()].into_iter().flatten() {
        let _ = flag::register(signal, Arc::clone(&raised));
    }
    let alive = Arc::new(());
    let (seen, watched) = (Arc::clone(&raised), Arc::downgrade(&alive));
    std::thread::spawn(move || hurry(&seen, &watched, &late));
    Interrupt { raised, _alive: alive }
}

/// SIGHUP, unless the program was told to outlive its terminal (`nohup`).
#[cfg(target_os = "linux")]
fn hangup() -> Option<i32> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    let ignored = u64::from_str_radix(ignored.trim(), 16).ok()?;
    let signal = signal_hook::consts::SIGHUP;
    (ignored >> (signal - 1) & 1 == 0).then_some(signal)
}

/// Whether it is ignored cannot be asked without unsafe code: it is left as it is.
#[cfg(not(target_os = "linux"))]
fn hangup() -> Option<i32> {
    None
}

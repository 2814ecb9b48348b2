//! The longest chain whose tables and arrays fit into the memory of the device.
//!
//! Bytes grow by equal amounts with every lane, so that two small chains tell how many bodies should fit; what is tried then is 99 % of
//! that length, and shorter ones where it is refused. Tables are made on the processor: its memory and the time that is given bound the
//! length too, and the report says which bound it was.

use crate::kinds::{fill, level_word, template};
use crate::machine::line_of;
use crate::report::{Report, say};
use flexura::lower::Lowered;
use flexura::model::description::InertiaLevel;
use flexura_gpu::{Choice, DeviceError, System, cuda_devices};
use std::time::Instant;

/// Bytes of the processor's memory that a body takes at most while it is lowered and sent.
const HOST_BYTES: f64 = 160.0;

/// kB of a line of a file of the system, in bytes.
fn kilobytes(path: &str, key: &str) -> f64 {
    let number = line_of(path, key).and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    1024.0 * number.unwrap_or(0.0)
}

/// What may be taken: seconds, bytes of the processor's memory, bytes of a device that is emulated.
#[derive(Clone, Copy)]
pub struct Allowed {
    pub seconds: f64,
    pub host: Option<f64>,
    pub emulated: f64,
}

pub fn section(report: &mut Report, choice: Choice, allowed: Allowed) -> Result<(), DeviceError> {
    report.section("Largest chain");
    // Rigid bodies are many in the same memory.
    for (share, modes, leaf) in [(0.7, 0, 64), (0.3, 4, 16)] {
        let own = Allowed { seconds: share * allowed.seconds, ..allowed };
        one(report, choice, (modes, InertiaLevel::Gram, leaf), own)?;
    }
    Ok(())
}

fn one(
    report: &mut Report,
    choice: Choice,
    (modes, level, leaf): (usize, InertiaLevel, usize),
    allowed: Allowed,
) -> Result<(), DeviceError> {
    let seconds = allowed.seconds;
    let word = level_word(modes, level);
    let model = template(7, modes, level);
    let lowered = |count: usize| Lowered::repeated(&model, count, leaf).map_err(DeviceError::Refused);
    let sizes = [1 << 18, 1 << 20];
    let clock = Instant::now();
    let small = lowered(sizes[0])?.bytes() as f64;
    let begin = clock.elapsed().as_secs_f64();
    let large = lowered(sizes[1])?.bytes() as f64;
    let pace = (clock.elapsed().as_secs_f64() - begin) / sizes[1] as f64;
    let each = (large - small) / (sizes[1] - sizes[0]) as f64;
    say!(
        report,
        "\n**{word}, {modes} modes, {leaf} bodies per lane**: {each:.1} bytes per body on the device; lowering {:.0} ns per body.",
        1e9 * pace
    );
    // A device that is open has less room than one that is not.
    let mut small_system = System::repeated(&model, 1 << 17, leaf, choice)?;
    fill(&mut small_system, modes)?;
    small_system.evaluate()?;
    drop(small_system);
    let free = match choice {
        Choice::Emulated => allowed.emulated,
        _ => cuda_devices()?.first().map_or(0.0, |device| device.memory.1 as f64),
    };
    let fits = |bytes: f64, per_body: f64| (bytes / per_body) as usize / leaf * leaf;
    let room = allowed.host.unwrap_or_else(|| 0.9 * kilobytes("/proc/meminfo", "MemAvailable"));
    let host = fits(room, HOST_BYTES);
    let timely = fits(seconds, 1.6 * pace);
    let wanted = fits(free, each);
    say!(
        report,
        "{free:.0} bytes are free: {wanted} bodies should fit (the processor's memory lowers {host}, {seconds:.0} s lower {timely})."
    );
    report.head(&["bodies", "result", "bytes", "bytes per body", "evaluation ms", "lowered, sent s"]);
    let bound = host.min(timely);
    let begin = Instant::now();
    for share in [0.99, 0.98, 0.96, 0.92, 0.85, 0.7] {
        let count = ((wanted as f64 * share) as usize).min(bound) / leaf * leaf;
        if begin.elapsed().as_secs_f64() + 1.6 * pace * count as f64 > 1.5 * seconds {
            say!(report, "\nThe time for this section is over.");
            break;
        }
        if attempt(report, choice, (&model, modes, leaf), count)? {
            let words = if count < ((wanted as f64 * share) as usize) / leaf * leaf {
                "The processor (memory or time for its tables) sets this length, not the device"
            } else {
                "The device's memory sets this length"
            };
            let peak = kilobytes("/proc/self/status", "VmHWM");
            say!(
                report,
                "\n{words}; the processor held {:.1} GB at most, {:.0} bytes per body.",
                peak / 1e9,
                peak / count as f64
            );
            break;
        }
    }
    Ok(())
}

/// Whether a chain of `count` bodies fits and moves.
fn attempt(
    report: &mut Report,
    choice: Choice,
    (model, modes, leaf): (&flexura::Model, usize, usize),
    count: usize,
) -> Result<bool, DeviceError> {
    let clock = Instant::now();
    let mut system = match System::repeated(model, count, leaf, choice) {
        Err(error @ (DeviceError::Memory { .. } | DeviceError::Refused(_) | DeviceError::Driver(_))) => {
            let seconds = clock.elapsed().as_secs_f64();
            say!(report, "| {count} | {} | | | | {seconds:.1} |", error.to_string().replace('\n', " "));
            return Ok(false);
        }
        other => other?,
    };
    let bytes = system.lowered().bytes();
    fill(&mut system, modes)?;
    let seconds = clock.elapsed().as_secs_f64();
    let ms = system.time_evaluation(2)?;
    system.check()?;
    say!(
        report,
        "| {count} | runs | {bytes} | {:.1} | {ms:.1} | {seconds:.1} |",
        bytes as f64 / count as f64
    );
    Ok(true)
}

//! Times, bits and limits of a device, as one report in Markdown:
//! `cargo run --release -p flexura-gpu --features emulation --example device_report -- all report=report.md`.
//!
//! Sections, in this order whatever the order of the words; each prints as it goes, so that a run that is cut off leaves what it had:
//! `crossover` (beside one core and all cores), `bits` (hashes: committed, emulated, of the device), `demands` (the table of times, beside
//! a cost model with `calibration=PROGRAM`, which may take `calibration_s=100` seconds), `simulate` (a second of `power=20` powers of two
//! of bodies), `energy` (of flexible chains), `arms` (`arms=65536` flexible arms with random payloads beside all cores, which
//! may take `processor_s=45`), `largest` (the longest chain that fits, within `largest_s=180` seconds and, where the system shows less
//! memory than it will give, `host_gb=100`); `all` of them. Kernels are compiled before by all cores at once (`cold`: not so).
//!
//! By name alone: `details` (all levels; `modes=10` keeps one mode count), `profile` (a few evaluations for a profiler), `small`
//! (short runs for a checker of memory), `peer` (for `scripts/compare_mjx.py`). Without a CUDA device everything runs emulated, with small
//! sizes.

mod arms;
mod bits;
mod cases;
mod crossover;
mod demands;
mod energy;
mod extra;
mod kinds;
mod largest;
mod machine;
mod report;
mod simulate;
mod warm;

use flexura_gpu::{Choice, DeviceError};
use report::{Report, say};
use std::time::Duration;

/// Words that name sections, and those by themselves.
const SECTIONS: [&str; 13] = [
    "all",
    "crossover",
    "bits",
    "demands",
    "simulate",
    "energy",
    "arms",
    "largest",
    "details",
    "peer",
    "small",
    "profile",
    "cold",
];

/// Whether a word means something here: sections, files, numbers that are not negative.
fn understood(word: &str) -> bool {
    let Some((name, value)) = word.split_once('=') else { return SECTIONS.contains(&word) };
    match name {
        "report" | "calibration" | "warm-share" => !value.is_empty(),
        "power" => value.parse::<u32>().is_ok_and(|power| power < 31),
        "modes" => value.parse::<usize>().is_ok(),
        "calibration_s" | "processor_s" | "largest_s" | "host_gb" | "device_gb" | "arms" => {
            value.parse::<f64>().is_ok_and(|number| (0.0..1e9).contains(&number))
        }
        _ => false,
    }
}

/// What writes a section.
type Section<'a> = &'a dyn Fn(&mut Report) -> Result<(), DeviceError>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let named = |word: &str| words.iter().any(|w| w == word);
    let wants = |word: &str| named(word) || named("all");
    let text = |name: &str| words.iter().find_map(|word| word.strip_prefix(name));
    if let Some(word) = words.iter().find(|word| !understood(word)) {
        return Err(format!(
            "`{word}`: no section of the report and no number that it takes; the sections: {}",
            SECTIONS.join(", ")
        )
        .into());
    }
    let number = |name: &str, usual: f64| text(name).and_then(|value| value.parse().ok()).unwrap_or(usual);
    let only = text("modes=").and_then(|value| value.parse().ok());
    if let Some((first, count)) = text("warm-share=").and_then(|share| share.split_once('/')) {
        warm::share(&wants, first.parse()?, count.parse()?);
        return Ok(());
    }
    let apart = ["peer", "small", "profile"].into_iter().find(|word| named(word));
    if let Some(word) = apart {
        let choice = if flexura_gpu::cuda_devices().is_ok() { Choice::Cuda(0) } else { Choice::Emulated };
        let device = choice != Choice::Emulated;
        match word {
            "peer" => extra::peer(choice, if device { 16_384 } else { 64 })?,
            "small" => extra::small(choice)?,
            _ => extra::profile(choice, only, if device { 20 } else { 10 })?,
        }
        return Ok(());
    }
    let mut report = Report::new(text("report="))?;
    let choice = machine::name(&mut report);
    let device = choice != Choice::Emulated;
    if device && !named("cold") {
        warm::all(&mut report, &words, &wants, Duration::from_secs(90));
    }
    let small = |device_size: f64, emulated: f64| if device { device_size } else { emulated };
    // What one section cannot do keeps nobody from the next.
    let sections: [(&str, Section<'_>); 8] = [
        ("crossover", &|report| crossover::section(report, choice)),
        ("bits", &|report| bits::section(report, choice)),
        ("demands", &|report| {
            let program = text("calibration=").map(String::from);
            demands::section(report, choice, program, number("calibration_s=", 100.0))
        }),
        ("simulate", &|report| {
            simulate::section(report, choice, number("power=", small(20.0, 8.0)) as u32, 2e-3)
        }),
        ("energy", &|report| {
            let systems = small(4096.0, 6.0) as usize;
            energy::section(report, choice, systems, small(64.0, 3.0) as usize, small(1.0, 0.2))
        }),
        ("arms", &|report| {
            let (count, end) = (number("arms=", small(65_536.0, 6.0)) as usize, small(0.2, 0.05));
            arms::section(report, choice, count, end, number("processor_s=", 45.0))
        }),
        ("largest", &|report| {
            let allowed = largest::Allowed {
                seconds: number("largest_s=", small(180.0, 4.0)),
                host: text("host_gb=").and_then(|value| Some(1e9 * value.parse::<f64>().ok()?)),
                emulated: 1e9 * number("device_gb=", 0.064),
            };
            largest::section(report, choice, allowed)
        }),
        ("details", &|report| demands::details(report, choice, only)),
    ];
    for (word, section) in sections {
        if !(if word == "details" { named(word) } else { wants(word) }) {
            continue;
        }
        if let Err(error) = section(&mut report) {
            say!(report, "\n**Section `{word}` broke off:** {error}");
        }
    }
    report.end();
    Ok(())
}

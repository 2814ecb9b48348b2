//! `flexura run`: simulate and write a result file.

use crate::Outcome;
use crate::failure::Failure;
use crate::open::open;
use flexura::file::Loaded;
use flexura::record::{Channel as EngineChannel, Recorder, Sink};
use flexura::simulate::{Outcome as RunOutcome, Progress, run as simulate};
use flexura_results::{Channel, Family, Layout, Writer, WriterOptions};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Simulate a model and write a result file.
///
/// Examples: flexura run models/pendulum.toml; flexura run arm.toml --end 5 --output arm.fxr --overwrite
#[derive(clap::Args)]
pub struct Arguments {
    /// Model file (TOML)
    model: PathBuf,
    /// Result file; default: the model's name with extension .fxr in the current folder
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Simulate until this time instead of the file's [s]
    #[arg(long, value_name = "SECONDS")]
    end: Option<f64>,
    /// Keep an existing result file: fail instead of replacing it
    #[arg(long)]
    keep: bool,
    /// No progress bar and no summary
    #[arg(short, long)]
    quiet: bool,
}

/// Rows go to a result file.
struct FileSink {
    writer: Writer,
}

impl Sink for FileSink {
    fn row(&mut self) -> &mut [f64] {
        self.writer.row()
    }

    fn commit(&mut self) -> Result<(), String> {
        self.writer.commit().map_err(|error| error.to_string())
    }
}

/// Runs the sub-command.
pub fn run(arguments: &Arguments) -> Outcome {
    let mut loaded = open(&arguments.model)?;
    apply_overrides(arguments, &mut loaded)?;
    let description = &loaded.built.description;
    let mut recorder =
        Recorder::new(&loaded.built.model, &description.output.channels).map_err(Failure::simulation)?;
    let path = output_path(arguments);
    let layout = layout(&loaded, recorder.channels());
    let options = WriterOptions { overwrite: !arguments.keep, ..WriterOptions::default() };
    let writer = Writer::create(&path, &layout, &options).map_err(Failure::file)?;
    let mut sink = FileSink { writer };
    let interrupted = watch_for_interrupt();
    let bar = progress_bar(arguments.quiet);
    let started = Instant::now();
    let mut watch = |progress: &Progress| {
        bar.set_position((progress.fraction * 1000.0) as u64);
        bar.set_message(format!("t = {:.4} s", progress.time));
        !interrupted.load(Ordering::Relaxed)
    };
    let outcome =
        simulate(&loaded.built.model, &description.simulation, &mut recorder, &mut sink, &mut watch);
    bar.finish_and_clear();
    // Whatever happened, rows recorded so far are written and the file is closed.
    sink.writer.finish().map_err(Failure::file)?;
    let outcome = outcome.map_err(|error| {
        Failure::Simulation(format!("{error}\nrows recorded before are kept in {}", path.display()))
    })?;
    report(arguments.quiet, &outcome, &path, started);
    if outcome.cancelled {
        let text =
            format!("interrupted at t = {} s; rows so far are kept in {}", outcome.end_time, path.display());
        return Err(Failure::Interrupted(text));
    }
    Ok(())
}

fn apply_overrides(arguments: &Arguments, loaded: &mut Loaded) -> Outcome {
    let simulation = &mut loaded.built.description.simulation;
    if let Some(end) = arguments.end {
        if !(end > simulation.start && end.is_finite()) {
            let text = format!("--end {end}: must be later than the start time {} s", simulation.start);
            return Err(Failure::Simulation(text));
        }
        simulation.end = end;
    }
    Ok(())
}

fn output_path(arguments: &Arguments) -> PathBuf {
    arguments.output.clone().unwrap_or_else(|| {
        let stem = arguments.model.file_stem().unwrap_or_default();
        Path::new(stem).with_extension("fxr")
    })
}

/// Families of a result file from the selected channels.
fn layout(loaded: &Loaded, channels: &[EngineChannel]) -> Layout {
    let model = &loaded.built.model;
    let source = loaded.spans.source();
    let created_by = format!("flexura {}", env!("CARGO_PKG_VERSION"));
    let mut layout = Layout::new(&model.name, &format!("{:016x}", fnv1a(source.as_bytes())), &created_by)
        .with_metadata("model_text", source);
    let mut families: Vec<Family> = Vec::new();
    for channel in channels {
        let (name, description) = channel.family.words();
        if families.last().is_none_or(|family| family.name != name) {
            families.push(Family::new(name, description, Vec::new()));
        }
        if let Some(family) = families.last_mut() {
            family.channels.push(Channel::new(&channel.name, channel.unit));
        }
    }
    for family in families {
        layout = layout.with_family(family);
    }
    layout
}

/// FNV-1a, a stable 64-bit fingerprint of the model text.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn watch_for_interrupt() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&flag);
    // Without a handler Ctrl-C ends the process at once; batches written so far stay readable.
    let _ = ctrlc::set_handler(move || shared.store(true, Ordering::Relaxed));
    flag
}

fn progress_bar(quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(1000);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent:>3}%  {msg}  {eta_precise} left") {
        bar.set_style(style);
    }
    bar
}

fn report(quiet: bool, outcome: &RunOutcome, path: &Path, started: Instant) {
    for warning in &outcome.warnings {
        eprintln!("warning: {warning}");
    }
    if quiet {
        return;
    }
    for event in &outcome.events {
        println!("event `{}` at t = {:.9} s", event.name, event.time);
    }
    let s = &outcome.statistics;
    println!(
        "simulated to t = {} s: {} steps ({} rejected), {} evaluations, {:.3} s of computing",
        outcome.end_time,
        s.accepted,
        s.rejected,
        s.evaluations,
        started.elapsed().as_secs_f64()
    );
    println!("{} rows in {}", outcome.rows, path.display());
}

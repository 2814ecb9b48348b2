//! `flexura sweep`: one model with many sets of numbers, on all cores.
//!
//! Every case is computed by itself on one thread, exactly as `flexura run --set ..` computes it (on a device as a system of a
//! batch, with its own steps), so the numbers depend neither on the number of threads nor on interruptions. Finished cases stand in a journal; the same
//! command goes on where an earlier one stopped.

mod batch;
mod case;
mod cases;
mod journal;
mod queue;
mod ranks;
mod table;

use crate::Outcome;
use crate::failure::Failure;
use crate::interrupt::{Late, watch_for_interrupt};
use crate::open::{open, open_quietly};
use cases::Cases;
use flexura::file::{content_hash, fnv1a};
use flexura::record::Recorder;
use flexura_gpu::Choice;
use flexura_results::ResultFile;
use indicatif::{ProgressBar, ProgressStyle};
use journal::Journal;
use queue::Queue;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// Metadata of a result: the case it belongs to. The same number is another case in another grid.
const CASE_KEY: &str = "sweep_case";

/// Steps of the progress bar for one case.
const TICKS: u64 = 100;

/// Run a model with many sets of numbers, on all cores.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  flexura sweep arm.toml --set arm.young=5e10,7e10,2e11 --channels 'arm.tip.position.?'
  flexura sweep arm.toml --set arm.young=5e10:9e10:5 --set load.point_mass=0.5,1 --channels motor.rate_driving
  flexura sweep arm.toml --cases cases.csv --channels 'energy.*' --results
  flexura sweep arm.toml --cases cases.csv --channels 'arm.tip.*' --device cuda
  mpirun -n 64 flexura sweep arm.toml --cases cases.csv --channels 'energy.*'
The first line of a CSV file of cases holds the paths of the numbers, every further line is a case.
An interrupted sweep goes on with the same command.")]
pub struct Arguments {
    /// Model file (TOML)
    model: PathBuf,
    /// Values of a number: a list A,B,C or FROM:TO:COUNT; several make a grid
    #[arg(long, value_name = "PATH=VALUES")]
    set: Vec<String>,
    /// CSV file of cases in place of a grid
    #[arg(long, value_name = "CSV", conflicts_with = "set", required_unless_present = "set")]
    cases: Option<PathBuf>,
    /// Channels of the summary: last, smallest and largest recorded value; `*` and `?` match
    #[arg(short, long, value_name = "NAME", num_args = 1.., required = true)]
    channels: Vec<String>,
    /// Folder for summary.csv and the journal; default: the model's name with -sweep
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Keep the result file of every case (0001.fxr, ..) in the folder
    #[arg(long)]
    results: bool,
    /// Cases at a time; default: one per core, with MPI one per process
    #[arg(short, long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Take the steps of many cases at once on a device: cuda, cuda:1 (the second one) or emulated. All cases have the bodies, joints,
    /// method and rows of the first; what a device cannot run is named
    #[arg(long, value_name = "DEVICE", value_parser = crate::devices::choice, conflicts_with = "results")]
    device: Option<Choice>,
    /// Cases at a time on a device
    #[arg(long, value_name = "COUNT", default_value_t = 8192, requires = "device", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,
    /// Fail (exit code 1) where the energy of a case does not balance within the limit of its method
    #[arg(long)]
    strict: bool,
    /// No progress bar and no table
    #[arg(short, long)]
    quiet: bool,
}

/// What all cases share.
struct Sweep<'a> {
    arguments: &'a Arguments,
    folder: PathBuf,
    cases: Cases,
    /// Names and units of the channels in the summary.
    channels: Vec<(String, &'static str)>,
    /// Hash of everything but the numbers of a case.
    base: String,
}

/// Runs the sub-command.
pub fn sweep(arguments: &Arguments) -> Outcome {
    match crate::mpi::joined()? {
        Some(mpi) => ranks::sweep(arguments, &mpi),
        None => sweep_here(&prepare(arguments, true)?, 0, |_| Ok(())),
    }
}

/// Computes all cases that no journal knows: by threads of this process, and by whomever `serve` hands cases to meanwhile.
fn sweep_here(sweep: &Sweep<'_>, jobs: usize, serve: impl FnOnce(&Queue<'_>) -> Outcome) -> Outcome {
    let arguments = sweep.arguments;
    let journal_path = sweep.folder.join("journal.jsonl");
    let journal = Journal::open(&journal_path)?;
    let left = (0..sweep.cases.count()).filter(|&k| journal.get(&sweep.key(k)).is_none()).count();
    let done = sweep.cases.count() - left;
    if done > 0 && !arguments.quiet {
        eprintln!("{done} of {} cases are known from {}", sweep.cases.count(), journal_path.display());
    }
    let interrupted =
        watch_for_interrupt(Late::End("interrupted; finished cases are kept; the same command goes on"));
    let bar = progress_bar(arguments.quiet, left);
    let queue = Queue::new(sweep, journal, &interrupted);
    match arguments.device {
        Some(choice) => batch::run_all(sweep, choice, &queue.journal, &interrupted, &bar)?,
        None => queue.work_off(if jobs > 0 { jobs } else { sweep.jobs() }, &bar, serve)?,
    }
    bar.finish_and_clear();
    let ended = interrupted.load(Ordering::Relaxed) || queue.was_halted();
    let journal = queue.into_journal()?;
    finish(sweep, &journal, ended)
}

fn prepare(arguments: &Arguments, warn: bool) -> Result<Sweep<'_>, Failure> {
    let cases = match &arguments.cases {
        Some(path) => Cases::from_csv(path)?,
        None => Cases::grid(&arguments.set)?,
    };
    // The first case stands for all: its warnings are shown, its channels head the table.
    let read = if warn { open } else { open_quietly };
    let loaded = read(&arguments.model, &cases.settings(0))?;
    let recorder = Recorder::new(&loaded.built.model, &arguments.channels)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let channels: Vec<(String, &'static str)> =
        recorder.channels().iter().map(|channel| (channel.name.clone(), channel.unit)).collect();
    if channels.is_empty() {
        let text = format!("--channels {}: no channel of the model matches", arguments.channels.join(" "));
        return Err(Failure::Usage(text));
    }
    let names: Vec<&str> = channels.iter().map(|(name, _)| name.as_str()).collect();
    // The file as written, with all it reads, is the same in every grid; where it is no model by itself, the first case is.
    let written = open_quietly(&arguments.model, &[]).unwrap_or(loaded);
    let base = format!("{}\n{}", content_hash(&written, &[]), names.join("\n"));
    let folder = arguments.output.clone().unwrap_or_else(|| default_folder(&arguments.model));
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::File(format!("cannot make the folder {}: {error}", folder.display())))?;
    Ok(Sweep { arguments, folder, cases, channels, base })
}

fn default_folder(model: &Path) -> PathBuf {
    let mut name = model.file_stem().unwrap_or_default().to_os_string();
    name.push("-sweep");
    PathBuf::from(name)
}

impl Sweep<'_> {
    /// What makes case `k` what it is. Steps on a device round otherwise than those of the processor.
    fn key(&self, k: usize) -> String {
        let place = if self.arguments.device.is_some() { "\ndevice" } else { "" };
        let text = format!("{}{place}\n{}", self.base, self.cases.settings(k).join("\n"));
        format!("{:016x}", fnv1a(text.as_bytes()))
    }

    /// Threads that work at a time.
    fn jobs(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        self.arguments.jobs.map_or(cores, usize::from).min(self.cases.count())
    }

    /// Where the result of case `k` goes, if it is kept.
    fn result_path(&self, k: usize) -> Option<PathBuf> {
        self.arguments.results.then(|| self.folder.join(format!("{:04}.fxr", k + 1)))
    }

    /// Whether nothing is left to do for case `k`.
    fn is_done(&self, k: usize, journal: &Journal) -> bool {
        let kept = |path: PathBuf| case_of(&path).is_some_and(|found| found == self.key(k));
        journal.get(&self.key(k)).is_some() && self.result_path(k).is_none_or(kept)
    }
}

/// Key of the case whose rows a result file holds.
fn case_of(path: &Path) -> Option<String> {
    let file = ResultFile::open(path).ok()?;
    file.layout().metadata.get(CASE_KEY).cloned()
}

fn locked(journal: &Mutex<Journal>) -> std::sync::MutexGuard<'_, Journal> {
    journal.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn progress_bar(quiet: bool, cases: usize) -> ProgressBar {
    let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(cases as u64 * TICKS) };
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent:>3}%  {msg}  {eta_precise} left") {
        bar.set_style(style);
    }
    bar
}

/// Writes the summary and says what is left.
fn finish(sweep: &Sweep<'_>, journal: &Journal, interrupted: bool) -> Outcome {
    let path = sweep.folder.join("summary.csv");
    table::write_csv(sweep, journal, &path)?;
    let missing = (0..sweep.cases.count()).filter(|&k| !sweep.is_done(k, journal)).count();
    if interrupted && missing > 0 {
        let text = format!(
            "interrupted; {} of {} cases are in {}; the same command goes on",
            sweep.cases.count() - missing,
            sweep.cases.count(),
            path.display()
        );
        return Err(Failure::Interrupted(text));
    }
    if !sweep.arguments.quiet {
        crate::print::print(&table::text(sweep, journal, &path))?;
    }
    let failed = (0..sweep.cases.count())
        .filter(|&k| journal.get(&sweep.key(k)).is_some_and(|entry| entry.failure.is_some()))
        .count();
    if failed > 0 {
        let text = format!("{failed} of {} cases failed; {} says why", sweep.cases.count(), path.display());
        return Err(Failure::Simulation(text));
    }
    judge_energy(sweep, journal)
}

/// Names the cases whose energy does not balance.
fn judge_energy(sweep: &Sweep<'_>, journal: &Journal) -> Outcome {
    let unbalanced = |k: &usize| journal.get(&sweep.key(*k)).is_some_and(|entry| entry.unbalanced.is_some());
    let cases: Vec<usize> = (0..sweep.cases.count()).filter(unbalanced).collect();
    let Some(&first) = cases.first() else { return Ok(()) };
    let words = journal.get(&sweep.key(first)).and_then(|entry| entry.unbalanced.clone()).unwrap_or_default();
    let text = format!(
        "{} of {} cases do not balance their energy; case {}: {words}",
        cases.len(),
        sweep.cases.count(),
        first + 1
    );
    if sweep.arguments.strict {
        return Err(Failure::Verdict(format!("--strict: {text}")));
    }
    eprintln!("warning: {text}");
    Ok(())
}

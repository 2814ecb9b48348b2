//! `flexura fit`: numbers of the model file from a measured record.

mod report;

use crate::Outcome;
use crate::columns::{Columns, read_csv};
use crate::failure::Failure;
use crate::interrupt::{Late, watch_for_interrupt};
use crate::open::{open, refuse_same_file, source};
use crate::plot::draw::{Figure, Panel};
use crate::plot::series::Series;
use crate::print::print;
use flexura::analysis::{FitError, FitOptions, FitProgress, Fitted, Measured};
use flexura::file::{Loaded, RememberedBodies};
use flexura::record::all_channels;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Numbers of a model file that bring its channels closest to a record, with intervals and what the data do not see.
#[derive(clap::Args)]
#[command(
    after_help = "The record is CSV with a column `time` (s) and columns named by channels of the model, as `flexura export` writes them; columns
of other names are taken by --channels COLUMN=CHANNEL. Parameters are named as by `flexura sensitivity --list`.

Examples:
  flexura fit models/fit/ringdown.toml models/fit/ringdown.csv --parameters boom.young,boom.damping.ratios.1 --time-offset 0.1 --bias
  flexura fit models/fit/ringdown.toml models/fit/ringdown.csv --parameters boom.young --bounds boom.young=5e10:9e10 --time-offset 0.1 --bias -o fitted.toml
  flexura fit arm.toml test.csv --parameters motor.damping --channels encoder=motor.angle --noise motor.angle=0.002 --plot fit.png"
)]
pub struct Arguments {
    /// Model file (TOML)
    model: PathBuf,
    /// Measured record (CSV)
    record: PathBuf,
    /// Numbers of the file to find
    #[arg(short, long, value_name = "PATH", num_args = 1.., required = true, value_delimiter = ',', visible_alias = "parameter")]
    parameters: Vec<String>,
    /// Columns to compare; COLUMN=CHANNEL where they have different names [default: all]
    #[arg(short, long, value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    channels: Vec<String>,
    /// Bounds of a parameter [default: its sign, and a factor of 1000]
    #[arg(long, value_name = "PATH=LOW:HIGH")]
    bounds: Vec<String>,
    /// Also find by how much the clock of the model is ahead of the record's, at most this much (s)
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    time_offset: f64,
    /// Also find a constant bias of every channel
    #[arg(long)]
    bias: bool,
    /// Standard deviation of a channel, where it is known
    #[arg(long, value_name = "CHANNEL=NUMBER")]
    noise: Vec<String>,
    /// Confidence of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95)]
    confidence: f64,
    /// Iterations at most
    #[arg(long, value_name = "COUNT", default_value_t = 50)]
    iterations: usize,
    /// Start from another number in place of one of the file (may be repeated)
    #[arg(long, value_name = "PATH=NUMBER")]
    set: Vec<String>,
    /// Simulate until this time instead of the file's (s)
    #[arg(long, value_name = "SECONDS")]
    end: Option<f64>,
    /// Write the model file with the numbers found
    #[arg(short, long, value_name = "TOML")]
    output: Option<PathBuf>,
    /// Figure of measured and fitted curves, SVG or PNG [default: MODEL_fit.svg]
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// The result as JSON instead of words
    #[arg(long)]
    json: bool,
    /// No progress on the terminal
    #[arg(short, long)]
    quiet: bool,
}

/// Runs the sub-command.
pub fn fit(arguments: &Arguments) -> Outcome {
    let loaded = open(&arguments.model, &arguments.set)?;
    let measured = record(arguments, &loaded)?;
    let options = options(arguments)?;
    let parts = source();
    let bodies = RememberedBodies::new(&parts);
    let (text, name) = (loaded.spans.source(), loaded.spans.file_name());
    let stop = watch_for_interrupt(Late::End("interrupted; nothing is written"));
    let bar = bar(arguments.quiet);
    let mut watch = |progress: &FitProgress| {
        bar.set_message(format!(
            "iteration {}  misfit {:.3e}  {} runs",
            progress.iteration, progress.misfit, progress.runs
        ));
        !stop.load(Ordering::Relaxed)
    };
    let found =
        flexura::analysis::fit((text, name), &bodies, &arguments.parameters, &measured, &options, &mut watch);
    bar.finish_and_clear();
    let found = found.map_err(failed)?;
    let figure = arguments.plot.clone().unwrap_or_else(|| default_figure(&arguments.model));
    crate::plot::write(&figure_of(&loaded, &measured, &found), &figure, 2.0)?;
    if let Some(path) = &arguments.output {
        refuse_same_file(&arguments.model, path)?;
        crate::whole_file::write(path, found.text.clone())?;
    }
    if arguments.json {
        return print(&report::json(&found, &measured, &figure));
    }
    print(&report::words(&found, &measured, &figure, arguments.output.as_deref(), arguments.confidence))
}

fn failed(error: FitError) -> Failure {
    match error {
        FitError::Model(text) => Failure::Model(text),
        FitError::Simulation(error) => Failure::simulation(error),
        FitError::Cancelled(_) => Failure::Interrupted(error.to_string()),
        FitError::Data(_) => Failure::File(error.to_string()),
        other => Failure::Usage(other.to_string()),
    }
}

pub(crate) fn bar(quiet: bool) -> ProgressBar {
    let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}  {elapsed_precise}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

fn default_figure(model: &Path) -> PathBuf {
    let stem = model.file_stem().unwrap_or_default().to_string_lossy();
    PathBuf::from(format!("{stem}_fit.svg"))
}

/// `NAME=REST` in its parts.
fn split<'a>(option: &str, words: &'a str, example: &str) -> Result<(&'a str, &'a str), Failure> {
    words
        .split_once('=')
        .map(|(name, rest)| (name.trim(), rest.trim()))
        .ok_or_else(|| Failure::Usage(format!("--{option} {words}: write {example}")))
}

fn number(option: &str, words: &str) -> Result<f64, Failure> {
    let value = words.parse::<f64>().ok().filter(|value| value.is_finite());
    value.ok_or_else(|| Failure::Usage(format!("--{option}: `{words}` is no number")))
}

/// `PATH=LOW:HIGH` in its parts.
pub(crate) fn bounds(list: &[String]) -> Result<Vec<(String, f64, f64)>, Failure> {
    let mut bounds = Vec::new();
    for words in list {
        let (name, range) = split("bounds", words, "PATH=LOW:HIGH, such as boom.young=5e10:9e10")?;
        let Some((low, high)) = range.split_once(':') else {
            return Err(Failure::Usage(format!("--bounds {words}: write PATH=LOW:HIGH")));
        };
        bounds.push((name.to_string(), number("bounds", low)?, number("bounds", high)?));
    }
    Ok(bounds)
}

fn options(arguments: &Arguments) -> Result<FitOptions, Failure> {
    let bounds = bounds(&arguments.bounds)?;
    let mut noise = Vec::new();
    for words in &arguments.noise {
        let (name, value) = split("noise", words, "CHANNEL=NUMBER, such as motor.angle=0.002")?;
        noise.push((name.to_string(), number("noise", value)?));
    }
    if !(arguments.time_offset.is_finite() && arguments.time_offset >= 0.0) {
        return Err(Failure::Usage("--time-offset: give the largest offset in s".into()));
    }
    if arguments.iterations == 0 {
        return Err(Failure::Usage("--iterations: at least one".into()));
    }
    let (time_offset, bias) = (arguments.time_offset, arguments.bias);
    let (iterations, confidence, end) = (arguments.iterations, arguments.confidence, arguments.end);
    Ok(FitOptions { bounds, time_offset, bias, noise, iterations, confidence, end })
}

/// The columns to compare, as channels of the model.
fn record(arguments: &Arguments, loaded: &Loaded) -> Result<Measured, Failure> {
    let Columns { times, list } = read_csv(&arguments.record)?;
    let shown = arguments.record.display();
    let wanted: Vec<(String, String)> = match arguments.channels.is_empty() {
        true => list.iter().map(|(name, ..)| (name.clone(), name.clone())).collect(),
        false => {
            let pair = |words: &String| match words.split_once('=') {
                Some((column, channel)) => (column.trim().to_string(), channel.trim().to_string()),
                None => (words.clone(), words.clone()),
            };
            arguments.channels.iter().map(pair).collect()
        }
    };
    let known = all_channels(&loaded.built.model);
    let mut columns = Vec::new();
    for (column, channel) in &wanted {
        let Some((_, unit, values)) = list.iter().find(|(name, ..)| name == column) else {
            let names: Vec<&str> = list.iter().map(|(name, ..)| name.as_str()).collect();
            return Err(Failure::Usage(format!(
                "{shown}: no column `{column}`; columns are {}",
                names.join(", ")
            )));
        };
        let own = known.iter().find(|known| known.name == *channel);
        if arguments.channels.is_empty() && own.is_none() {
            let text = format!(
                "{shown}: column `{column}` is no channel of the model: choose columns by --channels, or write --channels {column}=CHANNEL"
            );
            return Err(Failure::Usage(text));
        }
        if let (Some(unit), Some(own)) = (unit, own)
            && unit != own.unit
        {
            let text =
                format!("{shown}: column `{column}` is in {unit}, the channel `{channel}` in {}", own.unit);
            return Err(Failure::Usage(text));
        }
        columns.push(values);
    }
    let values = (0..times.len()).flat_map(|row| columns.iter().map(move |column| column[row])).collect();
    Ok(Measured { times, channels: wanted.into_iter().map(|(_, channel)| channel).collect(), values })
}

/// Points that were measured, lines that were fitted, a panel for every channel.
fn figure_of(loaded: &Loaded, measured: &Measured, found: &Fitted) -> Figure {
    let known = all_channels(&loaded.built.model);
    let width = measured.channels.len();
    let column =
        |values: &[f64], k: usize| values.iter().skip(k).step_by(width).copied().collect::<Vec<f64>>();
    let panel = |(k, name): (usize, &String)| {
        let unit = known.iter().find(|known| known.name == *name).map_or("", |known| known.unit).to_string();
        let series = |source: &str, file: usize, reference: bool, values: &[f64]| Series {
            name: name.clone(),
            unit: unit.clone(),
            source: source.into(),
            file,
            reference,
            x: measured.times.clone(),
            y: column(values, k),
        };
        let series =
            vec![series("fitted", 0, false, &found.curves), series("measured", 1, true, &measured.values)];
        let (x_label, y_label) = ("time [s]".into(), name.clone());
        Panel {
            series,
            x_label,
            y_label,
            unit: unit.clone(),
            logarithmic: false,
            shared: true,
            ..Panel::default()
        }
    };
    let panels = measured.channels.iter().enumerate().map(panel).collect();
    Figure { width: 760.0, height: 260.0, title: format!("{}: fit", loaded.built.model.name), panels }
}

//! `flexura plot`: channels of results as figures for a paper.

mod axis;
pub mod draw;
pub mod series;
mod spectrum;

use crate::Outcome;
use crate::failure::Failure;
use crate::print::print;
use draw::{Figure, Panel};
use series::{Series, Window};
use std::path::{Path, PathBuf};

/// Draw channels of results as SVG or PNG.
#[derive(clap::Args)]
#[command(
    after_help = "Channels of one unit share a panel. Further results are drawn with broken lines, reference data as
circles. A table of reference data is CSV with a heading: time [s], name [unit], …

Examples:
  flexura plot arm.fxr 'energy.*'
  flexura plot arm.fxr 'elbow.angle' 'fore.hand.position.?' --output arm.png
  flexura plot fine.fxr hinge.angle --with coarse.fxr --reference paper.csv
  flexura plot arm.fxr 'upper.eta.1' --spectrum --log
  flexura plot pendulum.fxr hinge.angle hinge.rate --phase"
)]
pub struct Arguments {
    /// Result file (.fxr)
    result: PathBuf,
    /// Channel names; `*` stands for any text, `?` for one character
    #[arg(required = true, value_name = "CHANNEL")]
    channels: Vec<String>,
    /// Further results to draw over the first
    #[arg(long = "with", value_name = "RESULT")]
    others: Vec<PathBuf>,
    /// Tables of reference data (CSV)
    #[arg(long, value_name = "CSV")]
    reference: Vec<PathBuf>,
    /// Figure files, by their ending .svg or .png; default: the result's name with .svg
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,
    /// Amplitude over frequency instead of values over time
    #[arg(long, conflicts_with = "phase")]
    spectrum: bool,
    /// The second channel over the first
    #[arg(long)]
    phase: bool,
    /// Logarithmic ordinates
    #[arg(long)]
    log: bool,
    /// One panel per channel
    #[arg(long)]
    separate: bool,
    /// Draw from this instant on (s)
    #[arg(long, value_name = "SECONDS", default_value_t = f64::NEG_INFINITY, allow_negative_numbers = true)]
    from: f64,
    /// Draw up to this instant (s)
    #[arg(long, value_name = "SECONDS", default_value_t = f64::INFINITY, allow_negative_numbers = true)]
    to: f64,
    /// Heading
    #[arg(long, default_value = "")]
    title: String,
    /// Width of the figure (px at 96 per inch)
    #[arg(long, default_value_t = 640.0)]
    width: f64,
    /// Height of one panel (px)
    #[arg(long, default_value_t = 190.0)]
    height: f64,
    /// Pixels of a PNG per px of the figure
    #[arg(long, default_value_t = 3.0)]
    scale: f32,
}

/// Most panels of one figure: more cannot be read, and usually a pattern matched too much.
const MOST_PANELS: usize = 24;

/// Runs the sub-command.
pub fn plot(arguments: &Arguments) -> Outcome {
    let sane = |size: f64| (80.0..=10_000.0).contains(&size);
    if !sane(arguments.width) || !sane(arguments.height) || !(0.1..=20.0).contains(&arguments.scale) {
        return Err(Failure::Usage("--width and --height are 80 to 10000 px, --scale is 0.1 to 20".into()));
    }
    let series = read(arguments)?;
    let panels = if arguments.phase { vec![phase(&series)?] } else { panels(arguments, series) };
    if panels.len() > MOST_PANELS {
        let text = format!("{} panels are more than {MOST_PANELS}: name fewer channels", panels.len());
        return Err(Failure::Usage(text));
    }
    let title = arguments.title.clone();
    let figure = Figure { width: arguments.width, height: arguments.height, title, panels };
    let mut outputs = arguments.output.clone();
    if outputs.is_empty() {
        outputs.push(PathBuf::from(arguments.result.with_extension("svg").file_name().unwrap_or_default()));
    }
    let mut lines = String::new();
    for path in &outputs {
        write(&figure, path, arguments.scale)?;
        lines += &format!("{}\n", path.display());
    }
    print(&lines)
}

/// Writes a figure as SVG or PNG, by the ending of the name.
pub fn write(figure: &Figure, path: &Path, scale: f32) -> Outcome {
    let text = draw::svg(figure);
    let bytes = match path.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => text.into_bytes(),
        Some("png") => draw::png(&text, scale)?,
        _ => {
            let shown = path.display();
            return Err(Failure::Usage(format!("{shown}: end the name of a figure with .svg or .png")));
        }
    };
    crate::whole_file::write(path, bytes)
}

fn read(arguments: &Arguments) -> Result<Vec<Series>, Failure> {
    let window = Window { from: arguments.from, to: arguments.to };
    let mut all = Vec::new();
    for (number, path) in std::iter::once(&arguments.result).chain(&arguments.others).enumerate() {
        all.extend(series::from_result(path, &arguments.channels, window, number)?);
    }
    for (number, path) in arguments.reference.iter().enumerate() {
        let table = series::from_table(path, window, 1 + arguments.others.len() + number)?;
        let single = table.len() == 1;
        let drawn: Vec<Series> = table
            .into_iter()
            .filter(|column| single || all.iter().any(|series| series.name == column.name))
            .collect();
        if drawn.is_empty() {
            let text = format!("{}: no column has the name of a drawn channel", path.display());
            return Err(Failure::Usage(text));
        }
        all.extend(drawn);
    }
    Ok(all)
}

/// Groups of curves by unit, or by channel; reference data joins its channel, else the first panel.
fn panels(arguments: &Arguments, series: Vec<Series>) -> Vec<Panel> {
    let mut groups: Vec<Vec<Series>> = Vec::new();
    for one in series {
        let joins = |group: &Vec<Series>| {
            let first = &group[0];
            let named = group.iter().any(|other| other.name == one.name);
            named || (!arguments.separate && !one.reference && first.unit == one.unit)
        };
        match groups.iter().position(joins) {
            Some(at) => groups[at].push(one),
            None if one.reference && !groups.is_empty() => groups[0].push(one),
            None => groups.push(vec![one]),
        }
    }
    groups.into_iter().map(|group| panel(arguments, group)).collect()
}

fn panel(arguments: &Arguments, series: Vec<Series>) -> Panel {
    let first = &series[0];
    let alone = series.iter().all(|other| other.name == first.name);
    let (name, unit) = (first.name.clone(), first.unit.clone());
    let (series, x_label): (Vec<Series>, _) = if arguments.spectrum {
        (series.iter().map(spectrum::spectrum).collect(), "frequency [Hz]")
    } else {
        (series, "time [s]")
    };
    let y_label = match (alone, arguments.spectrum) {
        (true, _) => name,
        (false, true) => "amplitude".into(),
        (false, false) => common_part(series.iter().map(|one| one.name.as_str())),
    };
    Panel {
        series,
        x_label: x_label.into(),
        y_label,
        unit,
        logarithmic: arguments.log,
        shared: true,
        ..Panel::default()
    }
}

/// What all names start with, or end with, up to a dot; empty if nothing.
fn common_part<'a>(names: impl Iterator<Item = &'a str> + Clone) -> String {
    let same = |part: fn(&'a str) -> &'a str| {
        let first = names.clone().next().map(part)?;
        names.clone().all(|name| part(name) == first).then_some(first)
    };
    let head = same(|name| name.split('.').next().unwrap_or_default());
    head.or_else(|| same(|name| name.rsplit('.').next().unwrap_or_default())).unwrap_or_default().into()
}

/// The second channel over the first, for every file.
fn phase(series: &[Series]) -> Result<Panel, Failure> {
    let mut curves: Vec<Series> = Vec::new();
    let mut names = ("", "");
    let files = series.iter().map(|one| one.file).max().unwrap_or(0);
    for file in 0..=files {
        let of: Vec<&Series> = series.iter().filter(|one| one.file == file).collect();
        let [a, b] = of[..] else {
            let text = format!("--phase needs two channels, {} were found", of.len());
            return Err(Failure::Usage(text));
        };
        names = (&a.name, &a.unit);
        curves.push(Series { x: a.y.clone(), ..b.clone() });
    }
    let x_label = if names.1.is_empty() { names.0.to_string() } else { format!("{} [{}]", names.0, names.1) };
    let (y_label, unit) = (curves[0].name.clone(), curves[0].unit.clone());
    Ok(Panel {
        series: curves,
        x_label,
        y_label,
        unit,
        logarithmic: false,
        shared: false,
        ..Panel::default()
    })
}

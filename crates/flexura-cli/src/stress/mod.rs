//! `flexura stress`: stresses of flexible bodies as tables, files and figures.

mod files;
mod gauges;
mod history;
mod table;
pub mod vtu;

pub use files::{check_endings, ending, quoted};
pub use table::{megapascals, node_words};

use crate::Outcome;
use crate::failure::Failure;
use crate::open::refuse_same_file;
use crate::print::print;
use flexura::model::recovery::StressLayer;
use flexura_output::stress::{
    BodyRows, Instants, Peak, Point, PointKind, Selection, StressError, StressField, body_rows, nodes_of,
    peaks, read_gauges,
};
use flexura_results::ResultFile;
use std::path::{Path, PathBuf};

/// Stresses of flexible bodies over a run: where and when they are largest, and their histories.
#[derive(clap::Args)]
#[command(
    after_help = "Stresses come from finite element parts and from beams whose section is known. Of every node the worst layer \
of a shell or fibre of a beam is listed. Times are those of the recorded rows.

Examples:
  flexura stress arm.fxr                                   worst nodes of every body
  flexura stress arm.fxr --body boom --worst 30 --by tension
  flexura stress arm.fxr --body panel --at 0.35            at one instant
  flexura stress arm.fxr -o peaks.csv -o peaks.vtu         all nodes: as a table, and for ParaView
  flexura stress arm.fxr --body boom --nodes 12 root --history root.csv --history root.png
  flexura stress arm.fxr --body crane --sections forces.csv      section forces of beams
  flexura stress arm.fxr --gauges gauges.toml --history gauges.csv     what strain gauges would show"
)]
pub struct Arguments {
    /// Result file (.fxr)
    result: PathBuf,
    /// Bodies; default: all that have stresses
    #[arg(long, value_name = "NAME", num_args = 1..)]
    body: Vec<String>,
    /// Nodes by number or name; default: all
    #[arg(long, value_name = "NODE", num_args = 1..)]
    nodes: Vec<String>,
    /// Sets of nodes by name
    #[arg(long = "set", value_name = "NAME", num_args = 1..)]
    sets: Vec<String>,
    /// Only this layer of shells, or only solids or fibres of beams
    #[arg(long, value_enum)]
    layer: Option<Layer>,
    /// At the recorded instant nearest to this one (s), instead of extremes over time
    #[arg(long, value_name = "SECONDS", conflicts_with_all = ["from", "to"], allow_negative_numbers = true)]
    at: Option<f64>,
    /// From this instant on (s)
    #[arg(long, value_name = "SECONDS", default_value_t = f64::NEG_INFINITY, allow_negative_numbers = true)]
    from: f64,
    /// Up to this instant (s)
    #[arg(long, value_name = "SECONDS", default_value_t = f64::INFINITY, allow_negative_numbers = true)]
    to: f64,
    /// What makes a node worse than another
    #[arg(long, value_enum, default_value_t = Measure::VonMises)]
    by: Measure,
    /// Nodes shown per body
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    worst: usize,
    /// Files for the extremes of all chosen places: .csv, .json, or .vtu for ParaView (worst of every node)
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,
    /// Files for histories of the chosen nodes, by default the worst one: .csv, .svg or .png
    #[arg(long, value_name = "FILE")]
    history: Vec<PathBuf>,
    /// Files for the largest section forces of beams, end by end: .csv
    #[arg(long, value_name = "FILE")]
    sections: Vec<PathBuf>,
    /// What the strain gauges of a TOML file would show, instead of stresses; with --history over time
    #[arg(long, value_name = "FILE", conflicts_with_all = ["nodes", "sets", "layer", "output", "sections", "by", "worst"])]
    gauges: Option<PathBuf>,
}

/// Layers a user can choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Layer {
    /// Surfaces of solids
    Solid,
    /// The side of shells that the normal of their first element points to
    Top,
    /// The other side of shells
    Bottom,
    /// Membrane stress of shells
    Middle,
    /// Fibres of beams
    Fibre,
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Measure {
    /// Von Mises stress
    VonMises,
    /// First principal stress
    Tension,
    /// Third principal stress, the most negative
    Compression,
    /// Principal stress of the largest magnitude
    Principal,
}

impl Measure {
    /// How bad a peak is.
    pub fn of(self, peak: &Peak) -> f64 {
        match self {
            Self::VonMises => peak.von_mises.value.abs(),
            Self::Tension => peak.tension.value,
            Self::Compression => -peak.compression.value,
            Self::Principal => peak.principal().value.abs(),
        }
    }
}

impl Layer {
    /// Whether a place belongs to it.
    pub fn has(self, point: &Point) -> bool {
        match (self, point.kind) {
            (Self::Fibre, PointKind::Fibre { .. }) => true,
            (Self::Solid, PointKind::Surface(layer, _)) => layer == StressLayer::Solid,
            (Self::Top, PointKind::Surface(layer, _)) => layer == StressLayer::Top,
            (Self::Bottom, PointKind::Surface(layer, _)) => layer == StressLayer::Bottom,
            (Self::Middle, PointKind::Surface(layer, _)) => layer == StressLayer::Middle,
            _ => false,
        }
    }
}

/// One body with its chosen places and their extremes.
pub struct Looked {
    pub name: String,
    pub rows: flexura::model::recovery::Recovery,
    pub instants: Instants,
    pub nodes: Option<Vec<usize>>,
    pub field: StressField,
    pub peaks: Vec<Peak>,
    pub notes: Vec<String>,
}

impl Looked {
    /// Of every node the worst place, the worst node first.
    pub fn ranked(&self, by: Measure) -> Vec<&Peak> {
        let mut of_node: std::collections::BTreeMap<usize, &Peak> = std::collections::BTreeMap::new();
        for peak in &self.peaks {
            let node = self.field.points[peak.point].node;
            let known = of_node.entry(node).or_insert(peak);
            if by.of(peak) > by.of(known) {
                *known = peak;
            }
        }
        let mut list: Vec<&Peak> = of_node.into_values().collect();
        list.sort_by(|a, b| by.of(b).total_cmp(&by.of(a)));
        list
    }
}

/// Opens a result and says where it is torn.
pub fn open(path: &Path) -> Result<ResultFile, Failure> {
    let result = ResultFile::open(path).map_err(Failure::file)?;
    if let Some(reason) = result.torn() {
        eprintln!("warning: {} is torn ({reason}); {} whole rows are used", path.display(), result.rows());
    }
    if result.rows() == 0 {
        return Err(Failure::File(format!("{} holds no rows yet: let the run begin", path.display())));
    }
    Ok(result)
}

/// A wrong name is wrong usage, a result without stresses a wrong file.
pub fn refused(error: StressError) -> Failure {
    match error {
        StressError::UnknownBody { .. }
        | StressError::UnknownNode { .. }
        | StressError::UnknownSet { .. }
        | StressError::Gauge { .. }
        | StressError::Nothing { .. } => Failure::Usage(error.to_string()),
        _ => Failure::file(error),
    }
}

/// What strain gauges would have shown.
fn gauges(arguments: &Arguments, file: &Path, mut bodies: Vec<BodyRows>) -> Outcome {
    let entries = read_gauges(file).map_err(refused)?;
    gauges::within(&mut bodies, |instants| chosen(instants, arguments));
    if bodies.iter().any(|body| body.instants.is_empty()) {
        return Err(Failure::Usage("no recorded row lies between --from and --to".into()));
    }
    let measured = gauges::measure(&bodies, &entries, file)?;
    let mut text = gauges::table(&measured);
    for path in &arguments.history {
        gauges::write(&measured, path)?;
        text += &format!("{}\n", path.display());
    }
    print(&text)
}

/// The instants that are asked for.
fn chosen(instants: &Instants, arguments: &Arguments) -> Instants {
    match arguments.at {
        Some(time) => instants.nearest(time),
        None => instants.between(arguments.from, arguments.to),
    }
}

/// Runs the sub-command.
pub fn stress(arguments: &Arguments) -> Outcome {
    for path in arguments.output.iter().chain(&arguments.history).chain(&arguments.sections) {
        refuse_same_file(&arguments.result, path)?;
    }
    check_endings(&arguments.output, &["csv", "json", "vtu"])?;
    check_endings(&arguments.history, &["csv", "svg", "png"])?;
    check_endings(&arguments.sections, &["csv"])?;
    let result = open(&arguments.result)?;
    let bodies = body_rows(&result, &arguments.body).map_err(refused)?;
    if let Some(file) = &arguments.gauges {
        refuse_same_file(&arguments.result, file)?;
        return gauges(arguments, file, bodies);
    }
    let looked = look(bodies, arguments)?;
    let mut text = String::new();
    for body in &looked {
        text += &table::table(body, arguments.by, arguments.worst, arguments.at.is_some());
        body.notes.iter().for_each(|note| text += &format!("  note: {note}\n"));
    }
    for path in &arguments.output {
        files::write(&looked, path, arguments.by)?;
        text += &format!("{}\n", path.display());
    }
    for path in &arguments.history {
        history::write(&looked, path, arguments.by)?;
        text += &format!("{}\n", path.display());
    }
    for path in &arguments.sections {
        files::write_sections(&looked, path)?;
        text += &format!("{}\n", path.display());
    }
    print(&text)
}

fn look(bodies: Vec<BodyRows>, arguments: &Arguments) -> Result<Vec<Looked>, Failure> {
    let wanted = Selection { nodes: arguments.nodes.clone(), sets: arguments.sets.clone() };
    if !wanted.is_empty() && bodies.len() > 1 {
        let names = bodies.iter().map(|body| body.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(Failure::Usage(format!("--nodes and --set need one --body, one of: {names}")));
    }
    let chosen = |body: BodyRows| {
        let BodyRows { name, rows, instants } = body;
        let nodes = nodes_of(&name, &rows, &wanted).map_err(refused)?;
        let instants = chosen(&instants, arguments);
        if instants.is_empty() {
            return Err(Failure::Usage("no recorded row lies between --from and --to".into()));
        }
        let mut field = StressField::new(&rows, nodes.as_deref());
        if let Some(layer) = arguments.layer {
            field.retain(|point| layer.has(point));
        }
        let notes = rows.notes.clone();
        if field.points.is_empty() && (nodes.is_some() || arguments.layer.is_some()) {
            let help =
                "choose other nodes or another layer; beams of unknown outline have section forces only";
            return Err(refused(StressError::Nothing { body: name, help: help.into() }));
        }
        let peaks = peaks(&field, &instants);
        Ok(Looked { name, rows, instants, nodes, field, peaks, notes })
    };
    bodies.into_iter().map(chosen).collect()
}

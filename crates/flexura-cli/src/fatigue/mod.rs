//! `flexura fatigue`: damage of flexible bodies by the stress cycles of one run or of several.

mod figure;
mod files;

use crate::Outcome;
use crate::failure::Failure;
use crate::open::refuse_same_file;
use crate::print::print;
use crate::stress::{Layer, open, refused};
use flexura::model::recovery::Recovery;
use flexura_output::fatigue::{Damage, Equivalent, FatigueCase, MeanStress, damage, read_curve};
use flexura_output::stress::{Instants, Selection, StressError, StressField, body_rows, nodes_of};
use std::fmt::Write;
use std::path::PathBuf;

/// Fatigue of flexible bodies: rainflow cycles of the stresses of a run, their damage by an S-N curve.
#[derive(clap::Args)]
#[command(
    after_help = "Cycles are counted after ASTM E1049-85, their damage is summed after Palmgren and Miner; damage 1 is failure. Curve, \
correction of means and equivalent stress stand in the curve file (book/src/stress.md):

  name = \"steel, R = -1\"
  stress = 260e6      # amplitude (Pa) ...
  cycles = 1e6        # ... at so many cycles
  exponent = 8
  mean = \"goodman\"
  ultimate = 600e6

Examples:
  flexura fatigue arm.fxr --curve steel.toml
  flexura fatigue arm.fxr --curve steel.toml --body boom --worst 20 -o damage.csv -o damage.vtu -o damage.png
  flexura fatigue lift.fxr travel.fxr --times 20 3 --curve steel.toml     a duty cycle of 20 lifts and 3 travels
  flexura fatigue arm.fxr --curve steel.toml --factor 1.8                 notch factor or safety"
)]
pub struct Arguments {
    /// Result files (.fxr); several make a duty cycle
    #[arg(required = true, value_name = "RESULT")]
    results: Vec<PathBuf>,
    /// Curve file (TOML)
    #[arg(long, value_name = "FILE")]
    curve: PathBuf,
    /// How often each result happens in the duty cycle; default: once each
    #[arg(long, value_name = "COUNT", num_args = 1..)]
    times: Vec<f64>,
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
    /// From this instant on (s)
    #[arg(long, value_name = "SECONDS", default_value_t = f64::NEG_INFINITY, allow_negative_numbers = true)]
    from: f64,
    /// Up to this instant (s)
    #[arg(long, value_name = "SECONDS", default_value_t = f64::INFINITY, allow_negative_numbers = true)]
    to: f64,
    /// Factor of all stresses: notch, surface, size, safety
    #[arg(long, default_value_t = 1.0)]
    factor: f64,
    /// What makes a number of a stress tensor; default: that of the curve file
    #[arg(long, value_enum)]
    equivalent: Option<Choice>,
    /// Nodes shown per body
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    worst: usize,
    /// Files for the damage of all chosen places: .csv, .json, .vtu for ParaView, .svg or .png: cycles of the worst place
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,
}

/// Equivalent stresses a user can choose.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Choice {
    /// Von Mises stress with the sign of the largest principal stress
    SignedVonMises,
    /// Principal stress of the largest magnitude
    Principal,
    /// Normal stress on the most damaged plane
    CriticalPlane,
}

/// Damage of a body over the duty cycle.
pub struct Damaged {
    pub name: String,
    pub rows: Recovery,
    pub field: StressField,
    /// Of every place the damage of one duty cycle.
    pub damages: Vec<Damage>,
    /// Times and modal coordinates of every result, and how often it happens.
    pub runs: Vec<(Instants, f64)>,
}

impl Damaged {
    /// Of every node the worst place, the worst node first.
    pub fn ranked(&self) -> Vec<usize> {
        let key = |point: usize| (self.damages[point].sum, self.damages[point].largest_range);
        let worse = |a: usize, b: usize| key(a).partial_cmp(&key(b)) == Some(std::cmp::Ordering::Greater);
        let mut of_node = std::collections::BTreeMap::new();
        for point in 0..self.damages.len() {
            let known = of_node.entry(self.field.points[point].node).or_insert(point);
            if worse(point, *known) {
                *known = point;
            }
        }
        let mut list: Vec<usize> = of_node.into_values().collect();
        list.sort_by(|a, b| key(*b).partial_cmp(&key(*a)).unwrap_or(std::cmp::Ordering::Equal));
        list
    }
}

/// Runs the sub-command.
pub fn fatigue(arguments: &Arguments) -> Outcome {
    for path in &arguments.output {
        arguments
            .results
            .iter()
            .chain([&arguments.curve])
            .try_for_each(|read| refuse_same_file(read, path))?;
    }
    crate::stress::check_endings(&arguments.output, &["csv", "json", "vtu", "svg", "png"])?;
    let times = times(arguments)?;
    let mut case = read_curve(&arguments.curve).map_err(Failure::file)?;
    if arguments.factor.is_nan() || arguments.factor <= 0.0 || arguments.factor.is_infinite() {
        return Err(Failure::Usage("--factor must be a number above zero".into()));
    }
    case.factor = arguments.factor;
    if let Some(choice) = arguments.equivalent {
        case.equivalent = match choice {
            Choice::SignedVonMises => Equivalent::SignedVonMises,
            Choice::Principal => Equivalent::Principal,
            Choice::CriticalPlane => Equivalent::CriticalPlane,
        };
    }
    let bodies = bodies(arguments, &times, &case)?;
    let mut text = heading(&case, arguments.results.len());
    bodies.iter().for_each(|body| text += &table(body, arguments.worst));
    for path in &arguments.output {
        files::write(&bodies, &case, path)?;
        text += &format!("{}\n", path.display());
    }
    print(&text)
}

/// How often each result happens.
fn times(arguments: &Arguments) -> Result<Vec<f64>, Failure> {
    let (given, results) = (arguments.times.len(), arguments.results.len());
    if given == 0 {
        return Ok(vec![1.0; results]);
    }
    if given != results {
        return Err(Failure::Usage(format!(
            "--times has {given} numbers for {results} results: give one each"
        )));
    }
    match arguments.times.iter().find(|count| !count.is_finite() || **count <= 0.0) {
        Some(count) => Err(Failure::Usage(format!("--times {count}: give numbers above zero"))),
        None => Ok(arguments.times.clone()),
    }
}

fn bodies(arguments: &Arguments, times: &[f64], case: &FatigueCase) -> Result<Vec<Damaged>, Failure> {
    let wanted = Selection { nodes: arguments.nodes.clone(), sets: arguments.sets.clone() };
    let mut all: Vec<Damaged> = Vec::new();
    for (number, (path, &count)) in arguments.results.iter().zip(times).enumerate() {
        let found = body_rows(&open(path)?, &arguments.body).map_err(refused)?;
        if !wanted.is_empty() && found.len() > 1 {
            let names = found.iter().map(|body| body.name.as_str()).collect::<Vec<_>>().join(", ");
            return Err(Failure::Usage(format!("--nodes and --set need one --body, one of: {names}")));
        }
        for body in found {
            let instants = body.instants.between(arguments.from, arguments.to);
            if instants.is_empty() {
                let shown = path.display();
                return Err(Failure::Usage(format!("{shown}: no recorded row lies between --from and --to")));
            }
            let known = all.iter().position(|known| known.name == body.name);
            let at = match known {
                Some(at) if !same_part(&all[at].rows, &body.rows) => {
                    let text = format!(
                        "{}: body `{}` is another part than in the first result",
                        path.display(),
                        body.name
                    );
                    return Err(Failure::Usage(text + ": results of one duty cycle come from one model"));
                }
                Some(at) => at,
                None if number > 0 => {
                    let text = format!("{}: body `{}` is not in the first result", path.display(), body.name);
                    return Err(Failure::Usage(text));
                }
                None => {
                    all.push(chosen(body.name, body.rows, &wanted, arguments.layer)?);
                    all.len() - 1
                }
            };
            add(&mut all[at], instants, count, case);
        }
    }
    match all.iter().find(|body| body.runs.len() != arguments.results.len()) {
        Some(body) => Err(Failure::Usage(format!("body `{}` is not in all results", body.name))),
        None => Ok(all),
    }
}

/// Whether two results have the same rows of stresses, so that places of one are places of the other.
fn same_part(one: &Recovery, other: &Recovery) -> bool {
    one.numbers == other.numbers
        && one.stress == other.stress
        && one.section_forces == other.section_forces
        && one.sections == other.sections
}

fn chosen(
    name: String,
    rows: Recovery,
    wanted: &Selection,
    layer: Option<Layer>,
) -> Result<Damaged, Failure> {
    let nodes = nodes_of(&name, &rows, wanted).map_err(refused)?;
    let mut field = StressField::new(&rows, nodes.as_deref());
    if let Some(layer) = layer {
        field.retain(|point| layer.has(point));
    }
    if field.points.is_empty() && (nodes.is_some() || layer.is_some()) {
        let help = "choose other nodes or another layer; beams of unknown outline have section forces only";
        return Err(refused(StressError::Nothing { body: name, help: help.into() }));
    }
    let damages = vec![Damage::default(); field.points.len()];
    Ok(Damaged { name, rows, field, damages, runs: Vec::new() })
}

/// Adds the damage of a run. Every run is counted by itself: cycles from one to the next are not, and each has its own
/// critical plane, so that their sum is an upper bound.
fn add(body: &mut Damaged, instants: Instants, count: f64, case: &FatigueCase) {
    for point in 0..body.field.points.len() {
        let found = damage(&body.field.history(point, &instants), case);
        let sum = &mut body.damages[point];
        sum.sum += count * found.sum;
        sum.cycles += count * found.cycles;
        if found.largest_range > sum.largest_range {
            (sum.largest_range, sum.plane) = (found.largest_range, found.plane);
        }
    }
    body.runs.push((instants, count));
}

fn heading(case: &FatigueCase, results: usize) -> String {
    let mean = match case.mean {
        MeanStress::None => "no correction of means".into(),
        correction => format!("means after {}", correction.words()),
    };
    let by = if case.ranges { "ranges" } else { "amplitudes" };
    let duty = if results > 1 { format!("; a duty cycle of {results} results") } else { String::new() };
    let factor = if case.factor == 1.0 { String::new() } else { format!("; stresses times {}", case.factor) };
    format!("{}: {}, {mean}, curve over {by}{factor}{duty}\n", case.name, case.equivalent.words())
}

fn table(body: &Damaged, worst: usize) -> String {
    let ranked = body.ranked();
    let span: f64 = body.runs.iter().map(|(instants, count)| count * length(instants)).sum();
    let mut out = format!("{}: {} nodes; {span} s per duty cycle\n", body.name, ranked.len());
    if !ranked.is_empty() && worst > 0 {
        let _ = writeln!(
            out,
            "  {:>10} {:>12} {:>12} {:>11} {:>8}  {:<16} {:<28} position (m)",
            "damage", "duty cycles", "life h", "range MPa", "cycles", "node", "layer"
        );
    }
    for point in ranked.into_iter().take(worst) {
        let (found, place) = (&body.damages[point], &body.field.points[point]);
        let [x, y, z] = body.rows.positions[place.node];
        let cycles = if found.sum > 0.0 { 1.0 / found.sum } else { f64::INFINITY };
        let _ = writeln!(
            out,
            "  {:>10.3e} {cycles:>12.4e} {:>12.4e} {:>11} {:>8}  {:<16} {:<28} {x:.4}, {y:.4}, {z:.4}",
            found.sum,
            cycles * span / 3600.0,
            crate::stress::megapascals(found.largest_range),
            found.cycles,
            crate::stress::node_words(&body.rows, place.node),
            place.words(),
        );
    }
    body.rows.notes.iter().for_each(|note| out += &format!("  note: {note}\n"));
    out
}

fn length(instants: &Instants) -> f64 {
    match instants.times[..] {
        [first, .., last] => last - first,
        _ => 0.0,
    }
}

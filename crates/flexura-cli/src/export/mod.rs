//! `flexura export`: channels of a result file as CSV, Parquet or for MATLAB, its motion as glTF, deformed meshes as VTU files; bodies of a model.

mod body;
mod fmu;
mod geometry;
mod gltf;
mod matlab;
mod moving;
pub mod vtk;

use crate::Outcome;
use crate::failure::Failure;
use crate::open::refuse_same_file;
use crate::print::print;
use crate::whole_file;
use flexura_exchange::fmi::{FmuOptions, Version};
use flexura_results::{Family, ResultFile, ResultsError, TIME, TIME_UNIT, export_csv, export_parquet};
use std::io::{self, ErrorKind, stdout};
use std::path::{Path, PathBuf};

/// What a result becomes.
#[derive(Clone, Copy)]
enum Format {
    Text,
    Parquet,
    Matlab,
    Motion,
    Meshes,
}

/// Formats by the endings of their files, in small letters.
const ENDINGS: [(&str, Format); 7] = [
    ("csv", Format::Text),
    ("txt", Format::Text),
    ("dat", Format::Text),
    ("parquet", Format::Parquet),
    ("mat", Format::Matlab),
    ("glb", Format::Motion),
    ("pvd", Format::Meshes),
];
/// Family of the channels that only the viewer needs.
const PICTURE_FAMILY: &str = "picture";

/// Write channels of a result file as CSV, Parquet or for MATLAB, its motion as glTF, deformed meshes for ParaView, or a model for other programs.
#[derive(clap::Args)]
#[command(
    override_usage = "flexura export <RESULT> [--channels <NAME>...] [--output <FILE>] [--list]
       flexura export <MODEL> --output <FILE.fmu> [--fmi <VERSION>] [--inputs <NAME>...] [--channels <NAME>...]
       flexura export <MODEL> --body <NAME> [--output <FILE>]",
    after_help = "Examples:
  flexura export arm.fxr --list
  flexura export arm.fxr > arm.csv
  flexura export arm.fxr --channels 'energy.*' '*.tip.position.?' --output part.csv
  flexura export arm.fxr --output arm.parquet           for pandas, polars, DuckDB
  flexura export arm.fxr --output arm.mat               for MATLAB and Octave
  flexura export arm.fxr --output arm.glb --every 2     the motion for browsers, Blender, slides
  flexura export arm.fxr --output arm.pvd --every 5     meshes and stresses for ParaView
  flexura export arm.toml --body fore --output fore.SID_FEM     a flexible body as Standard Input Data
  flexura export arm.toml --output arm.fmu --inputs 'turn.effort'      the model as an FMU (--fmi 2: version 2.0)"
)]
pub struct Arguments {
    /// Result file (.fxr), or model file (.toml)
    result: PathBuf,
    /// Channel names; `*` stands for any text, `?` for one character
    #[arg(short, long, value_name = "NAME", num_args = 1.., default_value = "*")]
    channels: Vec<String>,
    /// File whose ending says the format: .csv (.txt, .dat), .parquet, .mat, .glb or .pvd (with a folder of .vtu
    /// files beside it); default: CSV on standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Rows from one mesh or key frame to the next (.pvd, .glb)
    #[arg(long, value_name = "ROWS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Factor of the deformation (.pvd, .glb)
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    scale: f64,
    /// Body of a model file, written as Standard Input Data (.SID_FEM)
    #[arg(long, value_name = "NAME", conflicts_with_all = ["channels", "every", "scale", "list"])]
    body: Option<String>,
    /// Version of FMI, 2 or 3 (.fmu)
    #[arg(long, value_name = "VERSION", default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..=3))]
    fmi: u8,
    /// Inputs of an FMU by name or pattern: JOINT.effort, ACTUATOR.effort, FORCE.scale, CONTROLLER.reference, JOINT.acceleration
    #[arg(long, value_name = "NAME", num_args = 1..)]
    inputs: Vec<String>,
    /// List channels with their units instead of exporting
    #[arg(long)]
    list: bool,
}

/// Runs the sub-command.
pub fn export(arguments: &Arguments) -> Outcome {
    if let Some(name) = &arguments.body {
        return body::export(&arguments.result, name, arguments.output.as_deref());
    }
    if arguments.result.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
        if let Some(path) =
            arguments.output.as_deref().filter(|path| path.extension().is_some_and(|end| end == "fmu"))
        {
            let version = if arguments.fmi == 2 { Version::Two } else { Version::Three };
            let options =
                FmuOptions { version, inputs: arguments.inputs.clone(), outputs: arguments.channels.clone() };
            return fmu::export(&arguments.result, path, &options);
        }
        // What is no file at all is named as such below.
        if arguments.result.is_file() {
            let shown = arguments.result.display();
            return Err(Failure::Usage(format!(
                "{shown} is a model: write it as an FMU (--output x.fmu), or say which body by --body"
            )));
        }
    }
    let result = ResultFile::open(&arguments.result).map_err(Failure::file)?;
    if let Some(reason) = result.torn() {
        eprintln!(
            "warning: {} is torn ({reason}); {} whole rows are used",
            arguments.result.display(),
            result.rows()
        );
    }
    if arguments.list {
        return list(&result);
    }
    let format = arguments.output.as_deref().map_or(Ok(Format::Text), format_of)?;
    if let (Some(path), Format::Meshes) = (&arguments.output, format) {
        let options = vtk::Options { every: arguments.every as usize, scale: arguments.scale };
        let count = vtk::export(&result, path, &options)?;
        return print(&format!("{count} meshes; open {} in ParaView\n", path.display()));
    }
    if let (Some(path), Format::Motion) = (&arguments.output, format) {
        refuse_same_file(&arguments.result, path)?;
        let options = gltf::Options { every: arguments.every as usize, scale: arguments.scale };
        let told = gltf::export(&result, path, &options)?;
        return print(&format!("wrote {}: {told}\n", path.display()));
    }
    let mut patterns: Vec<&str> = arguments.channels.iter().map(String::as_str).collect();
    let drawn = |family: &Family| family.name == PICTURE_FAMILY;
    if patterns == ["*"] && result.layout().families.iter().any(drawn) {
        // What is there for the viewer only was not asked for.
        let asked = result.layout().families.iter().filter(|family| !drawn(family));
        patterns = asked.flat_map(|family| &family.channels).map(|channel| channel.name.as_str()).collect();
    }
    let outcome = match &arguments.output {
        Some(path) => {
            refuse_same_file(&arguments.result, path)?;
            // Names first: a wrong one must not cost an earlier export.
            result.select(&patterns).map_err(|error| unknown(error, &arguments.result))?;
            whole_file::replace(path, |file| match format {
                Format::Parquet => export_parquet(&result, &patterns, file).map_err(Fault),
                Format::Matlab => matlab::export(&result, &patterns, file).map_err(Fault),
                _ => export_csv(&result, &patterns, file).map_err(Fault),
            })
            .map_err(|Fault(error)| error)
        }
        None => {
            crate::busy::quiet();
            export_csv(&result, &patterns, stdout().lock())
        }
    };
    match outcome {
        // A reader that closes the pipe early (`head`) is no failure.
        Err(ResultsError::Export(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(ResultsError::Export(error)) => {
            let standard = Path::new("to standard output");
            Err(whole_file::unwritten(arguments.output.as_deref().unwrap_or(standard), &error))
        }
        other => other.map_err(|error| unknown(error, &arguments.result)),
    }
}

/// The format by the ending of a file. Rows under the name of another format would be opened as what they are not.
fn format_of(path: &Path) -> Result<Format, Failure> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if ending.is_empty() {
        return Ok(Format::Text);
    }
    let found = ENDINGS.iter().find(|(known, _)| *known == ending);
    found.map(|(_, format)| *format).ok_or_else(|| {
        let known: Vec<String> = ENDINGS.iter().map(|(known, _)| format!(".{known}")).collect();
        Failure::Usage(format!(
            "--output {}: results are not written as .{ending}; endings are {}",
            path.display(),
            known.join(", ")
        ))
    })
}

/// Why an export could not be written or read.
struct Fault(ResultsError);

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self(ResultsError::Export(error))
    }
}

/// One line per channel: name and unit.
fn list(result: &ResultFile) -> Outcome {
    let layout = result.layout();
    let shown = layout.families.iter().filter(|family| family.name != PICTURE_FAMILY);
    let channels = shown.flat_map(|family| &family.channels);
    let lines = channels.map(|channel| format!("{} [{}]\n", channel.name, channel.unit));
    print(&(format!("{TIME} [{TIME_UNIT}]\n") + &lines.collect::<String>()))
}

/// A wrong channel name is wrong usage; near names come with it.
fn unknown(error: ResultsError, path: &Path) -> Failure {
    match error {
        ResultsError::NoMatch { .. } | ResultsError::UnknownChannel { .. } => {
            Failure::Usage(format!("{error}\nall names: flexura export {} --list", path.display()))
        }
        other => Failure::file(other),
    }
}

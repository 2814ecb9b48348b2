//! `flexura reduce`: a finite element part to a flexible body.

use crate::Outcome;
use crate::failure::Failure;
use crate::part_source::{spinner, words};
use crate::print::print;
use crate::whole_file;
use flexura_fem::part::{Part, PartError};
use flexura_fem::reduce::Enough;
use flexura_fem::reduced::{self, ENDING, ReducedBody, svg};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Reduce a finite element part to a flexible body: frequencies, effective masses, pictures of its modes.
#[derive(clap::Args)]
#[command(
    after_help = "A part file names a mesh (Abaqus or CalculiX, Nastran, Gmsh, universal, VTK) or has beams and plates of its own; \
its interfaces become frames of the body (reference: crates/flexura-fem/PART_FILE.md).

Examples:
  flexura reduce models/parts/boom.toml                    write boom.fxb and boom_modes/mode_01.svg, ...
  flexura reduce panel.toml --output out/panel.fxb --pictures 3
  flexura reduce panel.toml --shapes modes.fxr             animate the modes: flexura view modes.fxr
  flexura reduce panel.toml --no-files                     look at the frequencies only
  flexura reduce panel.toml --enough 1e-3                  as many shapes as leave an error of a thousandth
  flexura reduce panel.toml --json

In a model:  [[body]] with fe = \"panel.toml\" (reduced when needed, then cached) or fe = \"panel.fxb\""
)]
pub struct Arguments {
    /// Part file (TOML)
    part: PathBuf,
    /// Reduced-body file to write [default: the part's name with the ending .fxb]
    #[arg(long, short)]
    output: Option<PathBuf>,
    /// Choose modes and residual shapes so that frequencies and static answers are met to this error
    #[arg(long, value_name = "ERROR")]
    enough: Option<f64>,
    /// With --enough: up to which frequency [default: three times the lowest one of the part held at its reference]
    #[arg(long, value_name = "HZ", requires = "enough")]
    band: Option<f64>,
    /// How many modes to draw, into a folder beside the output
    #[arg(long, default_value_t = 12)]
    pictures: usize,
    /// Write one period of every drawn mode to a result file too, to be animated by `flexura view`
    #[arg(long, value_name = "FILE", conflicts_with = "no_files")]
    shapes: Option<PathBuf>,
    /// Write no files
    #[arg(long)]
    no_files: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the sub-command.
pub fn reduce(arguments: &Arguments) -> Outcome {
    let mut part = Part::load(&arguments.part).map_err(|fault| refuse(&arguments.part, fault))?;
    if let Some(error) = arguments.enough {
        part.ask_for(Enough { error, band: arguments.band });
    }
    let bar = spinner();
    let body = part.reduce(&mut |stage| bar.set_message(words(&arguments.part, stage)));
    bar.finish_and_clear();
    let body = body.map_err(|fault| refuse(&arguments.part, fault))?;
    for notice in &body.notices {
        eprintln!("notice: {notice}");
    }
    let written = match arguments.no_files {
        true => Vec::new(),
        false => write(arguments, &body)?,
    };
    print(&if arguments.json { as_json(&body, &written) } else { as_text(&part, &body, &written) })?;
    match &arguments.shapes {
        Some(path) if !arguments.json => {
            print(&format!("see its modes move: flexura view {}\n", path.display()))
        }
        _ => Ok(()),
    }
}

fn refuse(path: &Path, fault: PartError) -> Failure {
    match &fault {
        PartError::File(errors) if errors.diagnostics.iter().any(|found| found.code == "unreadable-file") => {
            Failure::File(format!(
                "cannot read part file {}: {}",
                path.display(),
                errors.diagnostics[0].message
            ))
        }
        PartError::Import(import) if import.line == 0 => Failure::File(fault.to_string()),
        PartError::File(_) => Failure::Model(format!("{fault}\n\n{}: no body was made", path.display())),
        _ => Failure::Model(format!("error: {fault}")),
    }
}

/// Writes the body and its pictures; the files written.
fn write(arguments: &Arguments, body: &ReducedBody) -> Result<Vec<PathBuf>, Failure> {
    let stem = arguments.part.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let output = arguments.output.clone().unwrap_or_else(|| PathBuf::from(format!("{stem}.{ENDING}")));
    crate::open::refuse_same_file(&arguments.part, &output)?;
    let unwritable = |path: &Path, fault: std::io::Error| {
        Failure::File(format!("cannot write {}: {fault}", path.display()))
    };
    if let Some(folder) = output.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|fault| unwritable(folder, fault))?;
    }
    reduced::write(body, &output).map_err(|fault| unwritable(&output, fault))?;
    let mut written = vec![output.clone()];
    let drawn = arguments.pictures.min(body.modal.modes);
    if drawn == 0 {
        return Ok(written);
    }
    let amplitudes = svg::mode_amplitudes(body).map_err(|fault| Failure::Model(format!("error: {fault}")))?;
    let base = output.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = output.with_file_name(format!("{base}_modes"));
    std::fs::create_dir_all(&folder).map_err(|fault| unwritable(&folder, fault))?;
    for mode in 0..drawn {
        let path = folder.join(format!("mode_{:02}.svg", mode + 1));
        let title = format!("{}: mode {}, {:.4} Hz", body.name, mode + 1, body.report.frequencies[mode]);
        let text = svg::picture(body, amplitudes.column(mode).as_slice(), &title);
        whole_file::write(&path, text)?;
        written.push(path);
    }
    if let Some(path) = &arguments.shapes {
        crate::open::refuse_same_file(&arguments.part, path)?;
        let file = std::path::absolute(&output).map_err(|fault| unwritable(&output, fault))?;
        let chosen: Vec<Vec<f64>> =
            (0..drawn).map(|mode| amplitudes.column(mode).iter().copied().collect()).collect();
        crate::shapes::write_part_shapes(body, &file, &chosen, path)?;
    }
    Ok(written)
}

fn as_text(part: &Part, body: &ReducedBody, written: &[PathBuf]) -> String {
    let mesh = &part.mesh;
    let names: Vec<&str> =
        part.description.interfaces.iter().map(|interface| interface.name.as_str()).collect();
    let mut text = format!(
        "part `{}`: {} nodes, {} elements, {} kg\ninterfaces: {}; reference {}\n{}",
        body.name,
        mesh.nodes.len(),
        mesh.elements.len(),
        flexura::model::words::number(body.report.total[0]),
        names.join(", "),
        part.reference(),
        body.report
    );
    match written {
        [] => {}
        [body] => text += &format!("wrote {}\n", body.display()),
        [body, first, rest @ ..] => {
            text += &format!(
                "wrote {} and {} pictures, the first {}\n",
                body.display(),
                rest.len() + 1,
                first.display()
            );
        }
    }
    text
}

fn as_json(body: &ReducedBody, written: &[PathBuf]) -> String {
    let report = &body.report;
    let object = json!({
        "name": body.name,
        "modes": body.modal.modes,
        "static_shapes": report.static_shapes,
        "unknowns": report.unknowns,
        "frequencies_hz": report.frequencies,
        "effective_mass": report.effective,
        "total_mass": report.total,
        "carried": report.carried(),
        "static_residual": report.static_residual,
        "enough": report.reached.map(|reached| json!({
            "asked": reached.asked,
            "band_hz": reached.band,
            "static_error": reached.statics,
            "held_frequency_error": reached.held,
            "free_frequency_error": reached.free,
        })),
        "notices": body.notices,
        "files": written.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
    });
    format!("{object}\n")
}

//! `flexura deck`: what a finite element deck of another program has, and all that stands in its way.

use crate::Outcome;
use crate::failure::Failure;
use crate::print::print;
use flexura_fem::import::{
    ImportError, Imported, MeshGroups, Options, abaqus, gmsh, nastran, universal, vtk,
};
use flexura_fem::part::description::MeshFormat;
use flexura_fem::part::format_of;
use flexura_fem::{EigenOptions, MassModel, Supports, assemble, lowest_modes};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Look into a finite element deck: what it has, and all that stands in its way.
#[derive(clap::Args)]
#[command(
    after_help = "A deck is an input file of Abaqus or CalculiX (.inp) or bulk data of Nastran (.bdf, .dat, .nas). It is read \
as far as it goes: everything that cannot be used is listed at once, with line, card and remedy, \
and what is left out because it carries neither mass nor stiffness. Numbers are in the deck's own units. \
Of a mesh without materials (Gmsh, universal file, VTK) its groups are listed: a part file gives them theirs.

Examples:
  flexura deck bracket.inp                      elements, mass, box, likely units
  flexura deck bracket.inp --density 7.85e-9    for materials without one
  flexura deck bracket.inp --modes 10           frequencies of the free part
  flexura deck bracket.inp --json               for programs
  flexura deck models/meshes/connecting_rod.msh groups and their elements"
)]
pub struct Arguments {
    /// Deck (.inp, .bdf, .dat, .nas, .fem, .blk, .bulk) or mesh (.msh, .unv, .vtk, .vtu)
    deck: PathBuf,
    /// Density of materials that have none, in the units of the deck
    #[arg(long)]
    density: Option<f64>,
    /// How many frequencies of the free part to compute, beside its rigid motions
    #[arg(long, default_value_t = 0)]
    modes: usize,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the sub-command.
pub fn deck(arguments: &Arguments) -> Outcome {
    if arguments.density.is_some_and(|density| !density.is_finite() || density <= 0.0) {
        return Err(Failure::Usage("--density must be a positive number".into()));
    }
    let options = Options { density: arguments.density };
    let path = &arguments.deck;
    let read = match format_of(&path.display().to_string()) {
        Some(MeshFormat::Abaqus) => abaqus::read_file_with(path, &options),
        Some(MeshFormat::Nastran) => nastran::read_file_with(path, &options),
        Some(MeshFormat::Gmsh) => return groups(arguments, gmsh::groups_of_file(path)),
        Some(MeshFormat::Universal) => return groups(arguments, universal::groups_of_file(path)),
        Some(MeshFormat::Vtk) => return groups(arguments, vtk::groups_of_file(path)),
        _ => {
            let text = format!(
                "{}: not known by its ending as a deck (.inp, .bdf, .dat, .nas) or mesh (.msh, .unv, .vtk, .vtu)",
                path.display()
            );
            return Err(Failure::Usage(text));
        }
    };
    match read {
        Ok(imported) => {
            let numbers = evaluate(&imported, arguments.modes);
            print(&if arguments.json { as_json(&imported, &numbers) } else { as_text(&imported, &numbers) })?;
            match numbers.mass {
                Ok(_) => Ok(()),
                // What was read makes no body: no success, whatever was printed of it.
                Err(fault) => Err(Failure::Model(format!("error: {}: {fault}", path.display()))),
            }
        }
        Err(fault) if arguments.json => {
            print(&format!("{}\n", refused(&fault)))?;
            Err(Failure::Model(String::new()))
        }
        Err(fault) if fault.line == 0 && fault.also().is_empty() => Err(Failure::File(fault.to_string())),
        Err(fault) => Err(Failure::Model(format!("error: {fault}"))),
    }
}

/// What a mesh without materials has: its groups, and the part file that would give them some.
fn groups(arguments: &Arguments, read: Result<MeshGroups, ImportError>) -> Outcome {
    if arguments.density.is_some() || arguments.modes > 0 {
        let text =
            "--density and --modes are for decks: a mesh without materials has neither mass nor frequencies";
        return Err(Failure::Usage(text.into()));
    }
    let found = match read {
        Ok(found) => found,
        Err(fault) if fault.line == 0 && fault.card.is_empty() => {
            return Err(Failure::File(fault.to_string()));
        }
        Err(fault) => return Err(Failure::Model(format!("error: {fault}"))),
    };
    if arguments.json {
        let value = json!({ "nodes": found.nodes, "box": found.corners, "groups": found.groups, "loose": found.loose, "notices": found.notices });
        return print(&format!("{value}\n"));
    }
    let mut text: String = found.notices.iter().map(|notice| format!("notice: {notice}\n")).collect();
    let [low, high] = found.corners;
    text += &format!("{} nodes in a box from {low:?} to {high:?}\n", found.nodes);
    for (name, kinds) in &found.groups {
        let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let kinds = if kinds.is_empty() { "points".into() } else { kinds.join(", ") };
        text += &format!("group `{name}`: {kinds}\n");
    }
    if found.loose > 0 {
        text += &format!("{} elements are in no group\n", found.loose);
    }
    text += "a part file gives groups their materials: [[group]] name = \"...\", material = \"...\"\n";
    print(&text)
}

/// Mass and frequencies of a mesh, or why there are none.
struct Numbers {
    mass: Result<f64, String>,
    frequencies: Result<Vec<f64>, String>,
}

fn evaluate(imported: &Imported, modes: usize) -> Numbers {
    let mass = assemble::mass_properties(&imported.mesh, MassModel::Consistent);
    let frequencies = match modes {
        0 => Ok(Vec::new()),
        _ => free_frequencies(imported, modes).map_err(|fault| fault.to_string()),
    };
    Numbers { mass: mass.map(|(mass, ..)| mass).map_err(|fault| fault.to_string()), frequencies }
}

fn free_frequencies(imported: &Imported, modes: usize) -> Result<Vec<f64>, flexura_fem::FemError> {
    let system = assemble(&imported.mesh, &Supports::none(), MassModel::Consistent)?;
    let options = EigenOptions { free: true, ..EigenOptions::default() };
    // Each piece has six rigid motions of its own.
    let wanted = modes.saturating_add(6 * imported.summary.pieces.max(1));
    let spectrum = lowest_modes(system.pencil(), wanted.min(system.dofs.unknowns()), &options)?;
    Ok(spectrum.frequencies())
}

fn as_text(imported: &Imported, numbers: &Numbers) -> String {
    let mut text = String::new();
    for notice in &imported.notices {
        text += &format!("notice: {notice}\n");
    }
    text += &format!("{}\n", imported.summary);
    text += &match &numbers.mass {
        Ok(mass) => format!("mass {mass:.6e}\n"),
        Err(fault) => format!("no mass: {fault}\n"),
    };
    match &numbers.frequencies {
        Ok(list) if list.is_empty() => {}
        Ok(list) => {
            text += "frequencies of the free part (1 over the deck's unit of time), rigid motions first:\n";
            list.iter()
                .enumerate()
                .for_each(|(index, value)| text += &format!("{:4} {value:.6e}\n", index + 1));
        }
        Err(fault) => text += &format!("no frequencies: {fault}\n"),
    }
    text
}

fn as_json(imported: &Imported, numbers: &Numbers) -> String {
    let summary = &imported.summary;
    let value = json!({
        "outcome": if numbers.mass.is_ok() { "imported" } else { "no body" },
        "elements": summary.elements,
        "nodes": summary.nodes,
        "box": summary.corners,
        "pieces": summary.pieces,
        "units": summary.units.map(|units| units.words()),
        "mass": numbers.mass.as_ref().ok(),
        "fault": numbers.mass.as_ref().err().or(numbers.frequencies.as_ref().err()),
        "frequencies": numbers.frequencies.as_ref().ok(),
        "notices": imported.notices,
    });
    format!("{value}\n")
}

fn refused(fault: &ImportError) -> Value {
    let one = |fault: &ImportError| {
        json!({
            "file": fault.file, "line": fault.line, "card": fault.card,
            "message": fault.message, "help": fault.help,
        })
    };
    json!({
        "outcome": "refused",
        "summary": fault.summary(),
        "blockers": fault.all().map(one).collect::<Vec<Value>>(),
    })
}

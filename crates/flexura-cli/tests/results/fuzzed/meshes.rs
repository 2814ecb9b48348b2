//! Parts and the decks, meshes and matrices of other programs: read, assembled, reduced where they are small.

use super::{put, text, told};
use flexura_fem::import::{
    ImportError, Imported, abaqus as inp, gmsh as msh, nastran as bdf, universal, vtk as grid,
};
use flexura_fem::part::description::Group;
use flexura_fem::{EigenOptions, MassModel, Material, Part, Supports, assemble, lowest_modes};
use std::path::Path;

/// Larger meshes are read, but not solved.
const LARGEST: usize = 60;

/// A part file; decks and matrices of the repository lie beside it, small enough to be named by it.
pub fn part(bytes: &[u8], folder: &Path) {
    beside(folder);
    reduce(Part::from_text(&text(bytes), &folder.join("fuzzed.toml")));
}

/// An input file of Abaqus or CalculiX.
pub fn abaqus(bytes: &[u8], folder: &Path) {
    imported(inp::read_text(&text(bytes), "fuzzed.inp"));
    // From the file, so that it is included and includes.
    imported(inp::read_file(&put(folder, "fuzzed.inp", bytes)));
}

/// Bulk data of Nastran.
pub fn nastran(bytes: &[u8], folder: &Path) {
    imported(bdf::read_text(&text(bytes), "fuzzed.bdf"));
    imported(bdf::read_file(&put(folder, "fuzzed.bdf", bytes)));
}

/// A Gmsh mesh with every group made of steel.
pub fn gmsh(bytes: &[u8], folder: &Path) {
    imported(msh::read_bytes(bytes, "fuzzed.msh", vec![steel()], &[]));
    put(folder, "small_4.msh", bytes);
    let description = include_str!("../../../../flexura-fem/tests/decks/groups.toml");
    reduce(Part::from_text(description, &folder.join("part.toml")));
}

/// A universal file, its group `block` of steel.
pub fn unv(bytes: &[u8], _: &Path) {
    let groups = [steel_group("block"), steel_group("skin")];
    imported(universal::read_text(&text(bytes), "fuzzed.unv", vec![steel()], &groups[..1]));
    imported(universal::read_text(&text(bytes), "fuzzed.unv", vec![steel()], &groups[1..]));
}

/// A VTK file, its group 5 of steel.
pub fn vtk(bytes: &[u8], _: &Path) {
    for name in ["5", "all"] {
        imported(grid::read_bytes(bytes, "fuzzed.vtk", vec![steel()], &[steel_group(name)]));
    }
}

fn steel() -> Material {
    Material::isotropic(2e11, 0.3, 7800.0)
}

fn steel_group(name: &str) -> Group {
    Group {
        name: name.into(),
        material: 0,
        thickness: Some(0.01),
        section: None,
        material_axis: None,
        layup: Vec::new(),
    }
}

/// A stiffness matrix in Matrix Market form, beside a sound mass matrix.
pub fn matrix_market(bytes: &[u8], folder: &Path) {
    beside(folder);
    put(folder, "beam_k.mtx", bytes);
    reduce(Part::from_text(MARKET, &folder.join("market.toml")));
}

/// Matrices on DMIG cards.
pub fn dmig(bytes: &[u8], folder: &Path) {
    beside(folder);
    put(folder, "beam.pch", bytes);
    reduce(Part::from_text(PUNCH, &folder.join("punch.toml")));
}

/// Matrices in a text file of Nastran's OUTPUT4.
pub fn op4(bytes: &[u8], folder: &Path) {
    beside(folder);
    put(folder, "beam.op4", bytes);
    let description = MARKET.replace("beam_k.mtx", "beam.op4").replace("beam_m.mtx", "beam.op4");
    reduce(Part::from_text(&description, &folder.join("output4.toml")));
}

const MARKET: &str = include_str!("../../../../flexura-fem/tests/decks/matrices/market.toml");
const PUNCH: &str = include_str!("../../../../flexura-fem/tests/decks/matrices/punch.toml");

/// Files that parts of the repository name.
fn beside(folder: &Path) {
    let files: [(&str, &[u8]); 7] = [
        ("small.inp", include_bytes!("../../../../flexura-fem/tests/decks/small.inp")),
        ("small.bdf", include_bytes!("../../../../flexura-fem/tests/decks/small.bdf")),
        ("small_4.msh", include_bytes!("../../../../flexura-fem/tests/decks/small_4.msh")),
        ("beam.pch", include_bytes!("../../../../flexura-fem/tests/decks/matrices/beam.pch")),
        ("beam_k.mtx", include_bytes!("../../../../flexura-fem/tests/decks/matrices/beam_k.mtx")),
        ("beam_m.mtx", include_bytes!("../../../../flexura-fem/tests/decks/matrices/beam_m.mtx")),
        ("beam_nodes.csv", include_bytes!("../../../../flexura-fem/tests/decks/matrices/beam_nodes.csv")),
    ];
    for (name, bytes) in files {
        put(folder, name, bytes);
    }
}

fn reduce(part: Result<Part, flexura_fem::PartError>) {
    let part = match part {
        Ok(part) => part,
        Err(fault) => return told(&fault.to_string()),
    };
    part.notices.iter().for_each(|notice| told(notice));
    if part.mesh.nodes.len() > LARGEST {
        return;
    }
    match part.reduce(&mut |_| {}) {
        Ok(body) => {
            body.notices.iter().for_each(|notice| told(notice));
            told(&body.report.to_string());
        }
        Err(fault) => told(&fault.to_string()),
    }
}

/// What `flexura deck --modes` does with a deck.
fn imported(read: Result<Imported, ImportError>) {
    let imported = match read {
        Ok(imported) => imported,
        Err(fault) => {
            told(&fault.to_string());
            return fault.all().for_each(|one| told(&one.to_string()));
        }
    };
    imported.notices.iter().for_each(|notice| told(notice));
    told(&imported.summary.to_string());
    if imported.mesh.nodes.len() > LARGEST {
        return;
    }
    if let Err(fault) = frequencies(&imported) {
        told(&fault.to_string());
    }
}

fn frequencies(imported: &Imported) -> Result<(), flexura_fem::FemError> {
    assemble::mass_properties(&imported.mesh, MassModel::Consistent)?;
    let system = assemble(&imported.mesh, &Supports::none(), MassModel::Consistent)?;
    let options = EigenOptions { free: true, ..EigenOptions::default() };
    let wanted = 2 + 6 * imported.summary.pieces.clamp(1, 4);
    lowest_modes(system.pencil(), wanted.min(system.dofs.unknowns()), &options)?;
    Ok(())
}

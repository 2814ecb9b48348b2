//! Parts: finite element models described in a few lines or read from a mesh file,
//! with interfaces and a reduction. The file is documented in `PART_FILE.md`.

pub mod description;
mod geometry;
mod interface;
pub(crate) mod matrices;
mod read;
mod read_layup;
mod read_material;
mod read_matrices;
mod read_section;
mod reduce;
mod units;

pub use description::PartDescription;
pub use read::{known_keys, read};
pub use reduce::Stage;

/// JSON schema of part files, for editors; `flexura schema --part` prints it. Tests hold it against the reader.
pub const SCHEMA: &str = include_str!("../../part.schema.json");

use crate::element::MassModel;
use crate::error::FemError;
use crate::import::{ImportError, Imported, LikelyUnits, Options, abaqus, gmsh, nastran, universal, vtk};
use crate::mesh::Mesh;
use description::{MeshFormat, MeshReference, Units};
use flexura::diagnostic::Diagnostic;
use flexura::file::{FileErrors, SpanTable};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Why a part gives no body.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// The part file is wrong.
    #[error("{0}")]
    File(FileErrors),
    /// The mesh file is wrong.
    #[error("{0}")]
    Import(#[from] ImportError),
    /// The mesh cannot be solved.
    #[error("{file}: {fault}")]
    Mesh {
        /// The part file.
        file: String,
        /// What is wrong with the mesh.
        fault: FemError,
    },
}

/// A part with its mesh.
#[derive(Clone, Debug)]
pub struct Part {
    /// The file it was read from.
    pub file: PathBuf,
    /// What the file says.
    pub description: PartDescription,
    /// The mesh in SI units, with interfaces as named nodes.
    pub mesh: Mesh,
    /// Numbers of the nodes in the mesh file; of other nodes those that follow.
    pub numbers: Vec<u64>,
    /// Named nodes: interfaces, and nodes of the part file.
    pub named: Vec<(String, usize)>,
    /// What the user should know.
    pub notices: Vec<String>,
    /// Where the file says it.
    spans: SpanTable,
}

impl Part {
    /// Reads a part file and the mesh it names.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, PartError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = flexura::file::read_plain_text(path).map_err(|fault| {
            let help = "check the name of the file and that it is UTF-8 text";
            let finding = Diagnostic::error("unreadable-file", "", "part file", fault.to_string(), help);
            PartError::File(FileErrors {
                diagnostics: vec![finding],
                spans: Box::new(SpanTable::new(&name, "")),
            })
        })?;
        Self::from_text(&text, path)
    }

    /// Reads the text of a part file; the mesh it names is relative to the folder of `path`.
    pub fn from_text(text: &str, path: &Path) -> Result<Self, PartError> {
        let (description, spans) = read(text, &path.display().to_string()).map_err(PartError::File)?;
        let refuse =
            |diagnostics| PartError::File(FileErrors { diagnostics, spans: Box::new(spans.clone()) });
        let mut imported = Imported { mesh: geometry::mesh(&description), ..Imported::default() };
        if description.matrices.is_some() {
            let other = description.mesh.is_some() || !imported.mesh.nodes.is_empty();
            if let Some(finding) = refuse_beside_matrices(&description, other) {
                return Err(refuse(vec![finding]));
            }
        }
        if let Some(reference) = &description.mesh {
            if !imported.mesh.elements.is_empty() {
                let message = "gives both a mesh file and beams or plates";
                let help = "keep one of them; a mesh file can be extended by [[mass]] and [[interface]] only";
                return Err(refuse(vec![Diagnostic::error(
                    "conflicting-keys",
                    "mesh",
                    "part file",
                    message,
                    help,
                )]));
            }
            let names = imported.mesh.names.clone();
            imported = import(reference, &description, path).map_err(|fault| match fault {
                Fault::Part(finding) => refuse(vec![finding]),
                Fault::Import(fault) => PartError::Import(fault),
            })?;
            convert(&mut imported, reference);
            if let Some(name) = names.keys().next() {
                let index = description.nodes.iter().position(|(known, _)| known == name).unwrap_or(0);
                let message = "a node beside a mesh file is connected to nothing";
                let help = "refer to nodes of the mesh file by their numbers";
                let finding = Diagnostic::error(
                    "loose-node",
                    format!("node[{index}]"),
                    format!("node `{name}`"),
                    message,
                    help,
                );
                return Err(refuse(vec![finding]));
            }
        }
        if let Some(reference) = &description.matrices {
            imported = matrices::import(reference, path).map_err(|fault| told(fault, path))?;
        }
        let mut named: BTreeMap<String, usize> = imported.mesh.names.clone();
        let findings = interface::place(&description, &mut imported);
        if !findings.is_empty() {
            return Err(refuse(findings));
        }
        let numbers = numbers(&imported);
        let mut notices = imported.notices;
        if description.mesh.is_some() {
            notices.iter_mut().for_each(|notice| *notice = format!("mesh file: {notice}"));
        }
        notices.splice(0..0, description.notices.iter().cloned());
        named.extend(imported.mesh.names.clone());
        let (file, named) = (path.to_path_buf(), named.into_iter().collect());
        Ok(Self { file, description, mesh: imported.mesh, numbers, named, notices, spans })
    }

    /// Name of the interface that is the body's frame: the first where none is given.
    pub fn reference(&self) -> &str {
        let first = self.description.interfaces.first().map_or("", |interface| interface.name.as_str());
        match self.description.reduction.reference.as_str() {
            "" => first,
            given => given,
        }
    }

    fn refuse(&self, path: &str, item: &str, message: &str, help: &str) -> PartError {
        let finding = Diagnostic::error("bad-reduction", path, item, message, help);
        PartError::File(FileErrors { diagnostics: vec![finding], spans: Box::new(self.spans.clone()) })
    }
}

/// Numbers of all nodes: those of the mesh file, then the next ones.
fn numbers(imported: &Imported) -> Vec<u64> {
    let mut numbers = vec![0; imported.mesh.nodes.len()];
    for (number, node) in &imported.numbers {
        if let Some(place) = numbers.get_mut(*node) {
            *place = *number;
        }
    }
    let mut next = imported.numbers.keys().next_back().copied().unwrap_or(0);
    for number in numbers.iter_mut().filter(|number| **number == 0) {
        next = next.saturating_add(1);
        *number = next;
    }
    numbers
}

/// What a part of matrices cannot have.
fn refuse_beside_matrices(part: &PartDescription, other: bool) -> Option<Diagnostic> {
    let refuse = |key: &str, message: &str, help: &str| {
        Some(Diagnostic::error("conflicting-keys", key, "part file", message, help))
    };
    let settings = &part.reduction;
    if other {
        let help = "keep one of them; matrices can be extended by [[mass]] and [[interface]] only";
        return refuse("matrices", "gives both matrices and a mesh, nodes, beams or plates", help);
    }
    if !part.groups.is_empty() {
        return refuse("group", "groups are for mesh files without materials", "remove the [[group]] tables");
    }
    if settings.mass_nodes {
        let help = "remove `mass_nodes`";
        return refuse("reduction.mass_nodes", "the mass of matrices is in sums only, not in nodes", help);
    }
    if settings.mass != MassModel::Consistent {
        let help = "remove `mass`; a lumped matrix is a diagonal one in the file";
        return refuse("reduction.mass", "the mass is that of the matrix", help);
    }
    None
}

enum Fault {
    Part(Diagnostic),
    Import(ImportError),
}

/// Format of a mesh file by its ending.
pub fn format_of(file: &str) -> Option<MeshFormat> {
    let ending = Path::new(file).extension()?.to_string_lossy().to_ascii_lowercase();
    match ending.as_str() {
        "inp" => Some(MeshFormat::Abaqus),
        "bdf" | "dat" | "nas" | "fem" | "blk" | "bulk" => Some(MeshFormat::Nastran),
        "msh" => Some(MeshFormat::Gmsh),
        "unv" | "uff" => Some(MeshFormat::Universal),
        "vtk" | "vtu" => Some(MeshFormat::Vtk),
        _ => None,
    }
}

/// Brings an import to SI. A mesh without materials has nothing but places: the rest is of the part file, in SI already.
fn convert(imported: &mut Imported, reference: &MeshReference) {
    let only_places = format(reference).is_some_and(MeshFormat::needs_groups);
    let named = match (only_places, reference.units) {
        (true, units) => {
            units::places_to_si(&mut imported.mesh, units);
            LikelyUnits::Si
        }
        (_, Units::Si) => LikelyUnits::Si,
        (_, Units::MillimetreTonne) => {
            units::to_si(&mut imported.mesh, Units::MillimetreTonne);
            LikelyUnits::MillimetreTonne
        }
    };
    if let Some(likely) = imported.summary.units.filter(|likely| *likely != named) {
        let (likely, named) = (likely.words(), named.words());
        let notice = match only_places {
            true => format!(
                "modulus and density look like {likely}: those of a part file are in SI, `units` are those of the mesh's places"
            ),
            false => format!("modulus and density look like {likely}, but the part reads them as {named}"),
        };
        imported.notices.insert(0, notice);
    }
}

/// The format of a mesh file: as named, or by its ending.
fn format(reference: &MeshReference) -> Option<MeshFormat> {
    reference.format.or_else(|| format_of(&reference.file))
}

fn import(reference: &MeshReference, part: &PartDescription, path: &Path) -> Result<Imported, Fault> {
    let file = path.parent().unwrap_or(Path::new("")).join(&reference.file);
    let Some(format) = format(reference) else {
        let message = format!("the format of `{}` is not known by its ending", reference.file);
        let help = "add format = \"abaqus\", \"nastran\", \"gmsh\", \"unv\" or \"vtk\"";
        return Err(Fault::Part(Diagnostic::error("unknown-format", "mesh", "part file", message, help)));
    };
    if !format.needs_groups() && !part.groups.is_empty() {
        let message = "groups are for mesh files without materials; this one has its own sections";
        let help = "remove the [[group]] tables";
        return Err(Fault::Part(Diagnostic::error("unused-key", "group", "part file", message, help)));
    }
    if format.needs_groups() && reference.density.is_some() {
        let message = format!("a {} has the densities of [[material]]", format.word());
        return Err(Fault::Part(Diagnostic::error(
            "unused-key",
            "density",
            "part file",
            message,
            "remove `density`",
        )));
    }
    let density = reference.density.map(|density| density / units::density_unit(reference.units));
    let options = Options { density };
    let materials = || part.materials.iter().map(|(_, material)| *material).collect();
    match format {
        MeshFormat::Abaqus => abaqus::read_file_with(&file, &options),
        MeshFormat::Nastran => nastran::read_file_with(&file, &options),
        MeshFormat::Gmsh => gmsh::read_file(&file, materials(), &part.groups),
        MeshFormat::Universal => universal::read_file(&file, materials(), &part.groups),
        MeshFormat::Vtk => vtk::read_file(&file, materials(), &part.groups),
    }
    .map_err(|fault| Fault::Import(told(fault, path)))
}

/// What is said of a file that the part at `path` names: where and what is wrong, and what stands there only where it lies
/// beside the part. Whoever wrote the part may have named a file that is not theirs to read.
fn told(fault: ImportError, path: &Path) -> ImportError {
    if flexura::file::lies_beside(path, Path::new(&fault.file)) { fault } else { fault.without_content() }
}

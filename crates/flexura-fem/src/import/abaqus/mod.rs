//! Abaqus and CalculiX input files.
//!
//! Keyword reference: the CalculiX CrunchiX user's manual and the Abaqus keyword guide.
//! Names are case-insensitive and kept in capitals. Model data are read; everything
//! from `*STEP` on belongs to analyses and is listed as ignored. A deck with one part
//! and one instance that is not moved is read as a flat one.
//!
//! Differences the user should know: quadrilaterals and quadratic surfaces become
//! triangles, quadratic lines two beams (see `super::deck`); a `CIRC` section with one
//! number is a radius (Abaqus), with two equal ones a diameter (CalculiX).

mod block;
mod connection;
mod element;
mod material;
mod section;
mod sets;

use super::deck::{Deck, Imported};
use super::error::ImportError;
use super::left_out::LeftOut;
use super::source::Source;
use block::{Block, blocks};
use std::collections::BTreeMap;
use std::path::Path;

/// Model keywords that have no part in a reduction.
const IGNORED: [&str; 24] = [
    "HEADING",
    "PREPRINT",
    "RESTART",
    "BOUNDARY",
    "INITIAL CONDITIONS",
    "AMPLITUDE",
    "TRANSFORM",
    "EXPANSION",
    "CONDUCTIVITY",
    "SPECIFIC HEAT",
    "DAMPING",
    "PLASTIC",
    "CREEP",
    "PHYSICAL CONSTANTS",
    "TIME POINTS",
    "NODE PRINT",
    "EL PRINT",
    "NODE FILE",
    "EL FILE",
    "NODE OUTPUT",
    "ELEMENT OUTPUT",
    "CLOAD",
    "DLOAD",
    "VALUES AT INFINITY",
];

/// Everything read so far; sections meet their elements at the end.
#[derive(Default)]
struct Reader {
    deck: Deck,
    elements: BTreeMap<u64, element::Raw>,
    element_sets: BTreeMap<String, Vec<u64>>,
    surfaces: BTreeMap<String, Vec<u64>>,
    materials: BTreeMap<String, material::Raw>,
    material: String,
    orientations: BTreeMap<String, [f64; 3]>,
    coupling: Option<connection::Coupling>,
    ignored: LeftOut,
    parts: usize,
}

/// Reads a deck from a file, with the files it includes.
pub fn read_file(path: &Path) -> Result<Imported, ImportError> {
    read(&Source::read(path, include)?)
}

/// Reads a deck given as text.
pub fn read_text(text: &str, file_name: &str) -> Result<Imported, ImportError> {
    read(&Source::from_text(text, file_name))
}

/// `*INCLUDE, INPUT=mesh.inp`.
pub fn include(line: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix('*')?;
    let (keyword, parameters) = rest.split_once(',')?;
    if !keyword.trim().eq_ignore_ascii_case("include") {
        return None;
    }
    let (_, name) = parameters.split_once('=')?;
    Some(name.trim().trim_matches(['"', '\'']).to_owned())
}

/// Reads the lines of a deck.
pub fn read(source: &Source) -> Result<Imported, ImportError> {
    let blocks = blocks(source)?;
    let mut reader = Reader::default();
    // Elements and sets may come after what refers to them.
    for block in &blocks {
        reader.first_pass(block, source)?;
    }
    for block in &blocks {
        reader.second_pass(block, source)?;
    }
    reader.assemble(source)
}

impl Reader {
    /// Nodes, elements, materials.
    fn first_pass(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        match block.keyword.as_str() {
            "NODE" => self.nodes(block, source),
            "ELEMENT" => self.read_elements(block, source),
            "MATERIAL" => self.start_material(block, source),
            "ELASTIC" => self.elastic(block, source),
            "DENSITY" => self.density(block, source),
            "ORIENTATION" => self.orientation(block, source),
            "PART" => {
                self.parts += 1;
                match self.parts {
                    1 => Ok(()),
                    _ => Err(block.error(source, "a second part", "write a flat deck, or one part per file")),
                }
            }
            "INSTANCE" if !block.data.is_empty() => {
                let help = "write a flat deck (in Abaqus/CAE: model attributes, no parts and assemblies)";
                Err(block.error(source, "an instance that is moved", help))
            }
            _ => Ok(()),
        }
    }

    /// Sets, sections, connections; anything unknown is refused.
    fn second_pass(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        match block.keyword.as_str() {
            "NODE" | "ELEMENT" | "MATERIAL" | "ELASTIC" | "DENSITY" | "ORIENTATION" | "PART" | "END PART"
            | "ASSEMBLY" | "END ASSEMBLY" | "INSTANCE" | "END INSTANCE" => Ok(()),
            "NSET" => self.node_set(block, source),
            "ELSET" => self.element_set(block, source),
            "SURFACE" => self.surface(block, source),
            "SOLID SECTION" => self.solid_section(block, source),
            "SHELL SECTION" => self.shell_section(block, source),
            "BEAM SECTION" => self.beam_section(block, source),
            "BEAM GENERAL SECTION" => self.beam_general_section(block, source),
            "MASS" => self.mass(block, source),
            "ROTARY INERTIA" => self.rotary_inertia(block, source),
            "SPRING" => self.spring(block, source),
            "RIGID BODY" => self.rigid_body(block, source),
            "COUPLING" => self.start_coupling(block, source),
            "KINEMATIC" => self.kinematic(block, source),
            "DISTRIBUTING" => self.distributing(block, source),
            "MPC" => self.mpc(block, source),
            keyword if keyword == "STEP" || IGNORED.contains(&keyword) => {
                self.ignored.add(&block.place.card, &block.place, source);
                Ok(())
            }
            _ => {
                let help = "remove the keyword if it has no part in the model's mass and stiffness";
                Err(block.error(source, "this keyword is not supported", help))
            }
        }
    }

    fn assemble(mut self, source: &Source) -> Result<Imported, ImportError> {
        self.deck.notices.extend(self.ignored.notices("it has no part in a reduction"));
        self.place_elements(source)?;
        self.name_element_sets();
        self.deck.finish(source)
    }
}

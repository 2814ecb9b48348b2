//! Abaqus and CalculiX input files.
//!
//! Keyword reference: the CalculiX CrunchiX user's manual and the Abaqus keyword guide.
//! Names are case-insensitive and kept in capitals. Model data are read; everything
//! from `*STEP` on belongs to analyses and is listed as ignored. Parts and instances
//! become one flat deck first (`assembly`).
//!
//! Differences the user should know: quadrilaterals and quadratic surfaces become
//! triangles, quadratic lines two beams (see `super::deck`); a `CIRC` section with one
//! number is a radius (Abaqus), with two equal ones a diameter (CalculiX).

mod assembly;
mod block;
mod composite;
mod connection;
mod element;
mod equation;
mod generate;
mod ignored;
mod material;
mod orientation;
mod section;
mod sets;

use super::deck::{Deck, Imported, Options};
use super::error::{Blockers, ImportError, Place};
use super::left_out::LeftOut;
use super::source::Source;
use block::{Block, blocks};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Everything read so far; sections meet their elements at the end.
#[derive(Default)]
struct Reader {
    deck: Deck,
    elements: BTreeMap<u64, element::Raw>,
    element_sets: BTreeMap<String, Vec<u64>>,
    surfaces: BTreeMap<String, sets::Surface>,
    materials: BTreeMap<String, material::Raw>,
    material: String,
    orientations: BTreeMap<String, orientation::System>,
    /// Axes of nodes in which equations count freedoms.
    transforms: BTreeMap<u64, orientation::System>,
    /// Nodes of beams and shells, which turn.
    turning: BTreeSet<u64>,
    /// Nodes and elements made by counting rules so far.
    generated: u64,
    /// System in which nodes are given.
    node_system: Option<generate::NodeSystem>,
    /// Thickness at nodes.
    thicknesses: BTreeMap<u64, f64>,
    /// Kinds of elements that are not read: the first, and how many.
    unread: BTreeMap<String, (Place, usize)>,
    options: Options,
    coupling: Option<connection::Coupling>,
    ignored: LeftOut,
}

/// Reads a deck from a file, with the files it includes.
pub fn read_file(path: &Path) -> Result<Imported, ImportError> {
    read_file_with(path, &Options::default())
}

/// The same, told more than the file says.
pub fn read_file_with(path: &Path, options: &Options) -> Result<Imported, ImportError> {
    read(&Source::read(path, include)?, options)
}

/// Reads a deck given as text.
pub fn read_text(text: &str, file_name: &str) -> Result<Imported, ImportError> {
    read(&Source::from_text(text, file_name), &Options::default())
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
pub fn read(source: &Source, options: &Options) -> Result<Imported, ImportError> {
    let (blocks, notices) = assembly::flat(blocks(source)?, source)?;
    let mut reader = Reader { options: *options, ..Reader::default() };
    reader.deck.notices = notices;
    let mut blockers = Blockers::default();
    // Elements and sets may come after what refers to them, and sections after what they give a thickness.
    for block in &blocks {
        blockers.catch(reader.first_pass(block, source));
    }
    for block in &blocks {
        blockers.catch(reader.sets_pass(block, source));
    }
    for block in &blocks {
        let read = reader.second_pass(block, source);
        if read.is_err() && block.has("ELSET") {
            // What its elements lack is told by this fault.
            let _ = reader.mark_told(block, source);
        }
        blockers.catch(read);
    }
    reader.assemble(source, blockers)
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
            "SYSTEM" => self.system(block, source),
            "NGEN" => self.generate_nodes(block, source),
            "NFILL" => self.fill_nodes(block, source),
            "ELGEN" => self.generate_elements(block, source),
            _ => Ok(()),
        }
    }

    /// Sets, surfaces, and what nodes of sets have.
    fn sets_pass(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        match block.keyword.as_str() {
            "NSET" => self.node_set(block, source),
            "ELSET" => self.element_set(block, source),
            "SURFACE" => self.surface(block, source),
            "TRANSFORM" => self.transform(block, source),
            "NODAL THICKNESS" => self.nodal_thickness(block, source),
            _ => Ok(()),
        }
    }

    /// Sections and connections; anything unknown is refused.
    fn second_pass(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        match block.keyword.as_str() {
            "NODE" | "ELEMENT" | "MATERIAL" | "ELASTIC" | "DENSITY" | "ORIENTATION" | "PART" | "END PART"
            | "ASSEMBLY" | "END ASSEMBLY" | "INSTANCE" | "END INSTANCE" | "NSET" | "ELSET" | "SURFACE"
            | "TRANSFORM" | "NODAL THICKNESS" | "SYSTEM" | "NGEN" | "NFILL" | "ELGEN" => Ok(()),
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
            "EQUATION" => self.equation(block, source),
            "TIE" => self.tie(block, source),
            "DISTRIBUTING COUPLING" => self.distributing_coupling(block, source),
            keyword if ignored::LAWS.contains(&keyword) => self.other_law(block, source),
            keyword if ignored::IGNORED.contains(&keyword) => {
                self.ignored.add(&block.place.card, &block.place, source);
                Ok(())
            }
            _ => {
                let help = "remove the keyword if it has no part in the model's mass and stiffness";
                Err(block.error(source, "this keyword is not supported", help))
            }
        }
    }

    fn assemble(mut self, source: &Source, mut blockers: Blockers) -> Result<Imported, ImportError> {
        self.deck.notices.extend(self.ignored.notices("it has no part in a reduction"));
        self.refuse_unread(source, &mut blockers);
        self.place_elements(source, &mut blockers);
        self.name_element_sets();
        self.deck.finish(source, blockers)
    }
}

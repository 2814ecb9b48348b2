//! Nastran bulk data: small, large and free fields (MSC Nastran quick reference guide).
//!
//! Without `BEGIN BULK` the whole file is bulk data; executive and case control before
//! it are left out. Cards of loads, supports and analyses are listed as ignored;
//! `PARAM,WTMASS` scales densities and masses. Anything else is refused.

mod beam_property;
pub(super) mod card;
mod connection;
mod coordinate;
mod element;
mod laminate;
mod property;

use super::deck::{Deck, Imported, Options};
use super::error::{Blockers, ImportError};
use super::left_out::LeftOut;
use super::source::Source;
use crate::section::BeamSection;
use card::{Card, cards, outside};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Cards that carry neither mass nor stiffness, by their first letters: supports, loads, eigenvalues and sets of
/// analyses, tables, design, aerodynamics, contact, dampers, plots.
const IGNORED: [&str; 62] = [
    "SPC", "FORCE", "MOMENT", "PLOAD", "LOAD", "DLOAD", "TLOAD", "RLOAD", "DAREA", "DPHASE", "DELAY", "GRAV",
    "RFORCE", "ACCEL", "LSEQ", "TEMP", "EIGR", "EIGC", "EIGB", "SUPORT", "ASET", "BSET", "CSET", "QSET",
    "OMIT", "TSTEP", "TIC", "FREQ", "TABLE", "TABDMP", "TABRND", "RANDPS", "NLPARM", "NLPCI", "DESVAR",
    "DRESP", "DVPREL", "DVMREL", "DVCREL", "DVGRID", "DCONSTR", "DCONADD", "DLINK", "DOPTPRM", "DEQATN",
    "DSCREEN", "AERO", "CAERO", "PAERO", "FLUTTER", "FLFACT", "MKAERO", "SPLINE", "BCTABLE", "BSURF",
    "BCPROP", "PLOTEL", "CDAMP", "PDAMP", "CVISC", "PVISC", "ECHO",
];

/// Everything read so far.
#[derive(Default)]
struct Reader {
    deck: Deck,
    systems: BTreeMap<u64, coordinate::System>,
    materials: BTreeMap<u64, property::RawMaterial>,
    properties: BTreeMap<u64, property::RawProperty>,
    /// Pieces of beams whose section changes with their mass per length, and where the deck has them.
    tapers: Vec<Vec<(BeamSection, f64)>>,
    known_tapers: Vec<(usize, usize)>,
    layups: BTreeMap<u64, laminate::RawLayup>,
    grids: BTreeMap<u64, coordinate::RawGrid>,
    /// Systems of position and displacement of grid points that name none (GRDSET).
    grid_systems: [u64; 2],
    /// Grid points whose displacements are counted along other than basic axes.
    turned: BTreeMap<u64, u64>,
    /// Systems in basic coordinates, those being looked for, and those whose fault was told.
    frames: BTreeMap<u64, coordinate::Frame>,
    open_systems: BTreeSet<u64>,
    told_systems: BTreeSet<u64>,
    stiffnesses: BTreeMap<u64, [f64; 6]>,
    mass_scale: f64,
    options: Options,
    /// The set of the equations (MPC).
    equations: Option<u64>,
    /// Numbers of properties and materials that could not be read.
    faulty: BTreeSet<u64>,
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

/// `INCLUDE 'mesh.bdf'`.
pub fn include(line: &str) -> Option<String> {
    let rest = line.get(..7).filter(|word| word.eq_ignore_ascii_case("include")).and(line.get(7..))?;
    rest.starts_with([' ', '\'', '"', '\t']).then(|| rest.trim().trim_matches(['\'', '"']).to_owned())
}

/// Reads the lines of a deck.
pub fn read(source: &Source, options: &Options) -> Result<Imported, ImportError> {
    let cards = cards(source)?;
    let mut reader = Reader { mass_scale: 1.0, options: *options, ..Reader::default() };
    let mut blockers = Blockers::default();
    for card in cards.iter().filter(|card| card.name == "GRDSET") {
        blockers.catch(reader.grid_defaults(card, source));
    }
    for card in &cards {
        let read = reader.definitions(card, source);
        reader.note_fault(card, &read);
        blockers.catch(read);
    }
    reader.find_systems(source, &mut blockers);
    for card in &cards {
        blockers.catch(reader.nodes(card, source));
    }
    for card in &cards {
        let read = reader.items(card, source);
        if card.name.starts_with('C') && !card.name.starts_with("CORD") {
            *reader.deck.kinds.entry(card.name.clone()).or_default() += 1;
        }
        // Elements of a property that could not be read are no news.
        let told = !card.name.starts_with('C') || !reader.is_faulty(card);
        if read.is_ok() || told {
            blockers.catch(read);
        }
    }
    reader.scale_masses();
    reader.deck.notices.extend(reader.ignored.notices("it has no part in a reduction"));
    reader.deck.notices.extend(outside(source));
    reader.deck.finish(source, blockers)
}

impl Reader {
    /// What others refer to: systems, materials, properties.
    fn definitions(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        match card.name.as_str() {
            "CORD1R" | "CORD1C" | "CORD1S" | "CORD2R" | "CORD2C" | "CORD2S" => {
                self.coordinate_system(card, source)
            }
            "GRID" => self.raw_grid(card, source),
            "PCOMP" | "PCOMPG" => self.pcomp(card, source),
            "MAT1" => self.mat1(card, source),
            "MAT8" => self.mat8(card, source),
            "PSHELL" => self.pshell(card, source),
            "PBAR" => self.pbar(card, source),
            "PBARL" => self.pbarl(card, source),
            "PBEAM" => self.pbeam(card, source),
            "PBEAML" => self.pbeaml(card, source),
            "PSOLID" => self.psolid(card, source),
            "PROD" => self.prod(card, source),
            "PELAS" => self.pelas(card, source),
            "PBUSH" => self.pbush(card, source),
            "PARAM" => self.parameter(card, source),
            _ => Ok(()),
        }
    }

    fn nodes(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        match card.name.as_str() {
            "GRID" if super::number::identity(card.text(0)).is_some() => self.grid(card, source),
            _ => Ok(()),
        }
    }

    fn items(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        match card.name.as_str() {
            "GRID" | "GRDSET" | "MAT1" | "MAT8" | "PSHELL" | "PCOMP" | "PCOMPG" | "PBAR" | "PBARL"
            | "PBEAM" | "PBEAML" | "PSOLID" | "PELAS" | "PBUSH" => Ok(()),
            "CBAR" | "CBEAM" => self.bar(card, source),
            "CTRIA3" | "CTRIA6" | "CTRIAR" | "CQUAD4" | "CQUAD8" | "CQUADR" => self.shell(card, source),
            "CTETRA" | "CHEXA" | "CPENTA" | "CPYRAM" => self.solid(card, source),
            "CONM2" => self.conm2(card, source),
            "CELAS1" | "CELAS2" => self.celas(card, source),
            "CBUSH" => self.cbush(card, source),
            "RBE2" => self.rbe2(card, source),
            "RBE3" => self.rbe3(card, source),
            "RBAR" => self.rbar(card, source),
            "SET1" => self.set1(card, source),
            "PARAM" if card.text(0).eq_ignore_ascii_case("WTMASS") => Ok(()),
            "CROD" | "CONROD" => self.rod(card, source),
            "MPC" => self.mpc(card, source),
            "PROD" | "CORD1R" | "CORD1C" | "CORD1S" | "CORD2R" | "CORD2C" | "CORD2S" | "ENDDATA" => Ok(()),
            name if name == "PARAM" || IGNORED.iter().any(|first| name.starts_with(first)) => {
                self.ignored.add(&card.title(), &card.place, source);
                Ok(())
            }
            _ => {
                let help = "remove the card if it has no part in the model's mass and stiffness";
                Err(card.error(source, "this card is not supported", help))
            }
        }
    }

    /// Keeps the number of a property or material that could not be read.
    fn note_fault(&mut self, card: &Card, read: &Result<(), ImportError>) {
        let names_one = card.name.starts_with('P') || card.name.starts_with("MAT");
        if let (Err(_), true, Some(number)) = (read, names_one, super::number::identity(card.text(0))) {
            self.faulty.insert(number);
        }
    }

    /// Whether an element has a property that could not be read.
    fn is_faulty(&self, card: &Card) -> bool {
        super::number::identity(card.text(1)).is_some_and(|number| self.faulty.contains(&number))
    }

    fn parameter(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        if card.text(0).eq_ignore_ascii_case("WTMASS") {
            self.mass_scale = card.real(1, "WTMASS", source)?;
        }
        Ok(())
    }

    fn scale_masses(&mut self) {
        self.deck.materials.iter_mut().for_each(|material| material.density *= self.mass_scale);
        self.deck.layups.iter_mut().for_each(|layup| layup.additional *= self.mass_scale);
        for (_, _, point) in &mut self.deck.masses {
            point.mass *= self.mass_scale;
            point.inertia.iter_mut().flatten().for_each(|entry| *entry *= self.mass_scale);
        }
    }
}

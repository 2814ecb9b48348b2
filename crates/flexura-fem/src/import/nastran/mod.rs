//! Nastran bulk data: small, large and free fields (MSC Nastran quick reference guide).
//!
//! Without `BEGIN BULK` the whole file is bulk data; executive and case control before
//! it are left out. Cards of loads, supports and analyses are listed as ignored;
//! `PARAM,WTMASS` scales densities and masses. Anything else is refused.

pub(super) mod card;
mod connection;
mod coordinate;
mod element;
mod property;

use super::deck::{Deck, Imported};
use super::error::ImportError;
use super::left_out::LeftOut;
use super::source::Source;
use card::{Card, cards, outside};
use std::collections::BTreeMap;
use std::path::Path;

/// Cards that have no part in a reduction.
const IGNORED: [&str; 40] = [
    "SPC", "SPC1", "SPCADD", "SPCD", "FORCE", "FORCE1", "FORCE2", "MOMENT", "MOMENT1", "MOMENT2", "PLOAD",
    "PLOAD1", "PLOAD2", "PLOAD4", "LOAD", "DLOAD", "TLOAD1", "TLOAD2", "RLOAD1", "RLOAD2", "DAREA", "GRAV",
    "RFORCE", "TEMP", "TEMPD", "EIGRL", "EIGR", "EIGC", "SUPORT", "SUPORT1", "ASET", "ASET1", "TSTEP",
    "FREQ", "FREQ1", "TABLED1", "TABDMP1", "PARAM", "CORD2R", "ENDDATA",
];

/// Everything read so far.
#[derive(Default)]
struct Reader {
    deck: Deck,
    systems: BTreeMap<u64, coordinate::System>,
    materials: BTreeMap<u64, property::RawMaterial>,
    properties: BTreeMap<u64, property::RawProperty>,
    stiffnesses: BTreeMap<u64, [f64; 6]>,
    mass_scale: f64,
    ignored: LeftOut,
}

/// Reads a deck from a file, with the files it includes.
pub fn read_file(path: &Path) -> Result<Imported, ImportError> {
    read(&Source::read(path, include)?)
}

/// Reads a deck given as text.
pub fn read_text(text: &str, file_name: &str) -> Result<Imported, ImportError> {
    read(&Source::from_text(text, file_name))
}

/// `INCLUDE 'mesh.bdf'`.
pub fn include(line: &str) -> Option<String> {
    let rest = line.get(..7).filter(|word| word.eq_ignore_ascii_case("include")).and(line.get(7..))?;
    rest.starts_with([' ', '\'', '"', '\t']).then(|| rest.trim().trim_matches(['\'', '"']).to_owned())
}

/// Reads the lines of a deck.
pub fn read(source: &Source) -> Result<Imported, ImportError> {
    let cards = cards(source)?;
    let mut reader = Reader { mass_scale: 1.0, ..Reader::default() };
    for card in &cards {
        reader.definitions(card, source)?;
    }
    for card in &cards {
        reader.nodes(card, source)?;
    }
    for card in &cards {
        reader.items(card, source)?;
    }
    reader.scale_masses();
    reader.deck.notices.extend(reader.ignored.notices("it has no part in a reduction"));
    reader.deck.notices.extend(outside(source));
    reader.deck.finish(source)
}

impl Reader {
    /// What others refer to: systems, materials, properties.
    fn definitions(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        match card.name.as_str() {
            "CORD2R" => self.coordinate_system(card, source),
            "MAT1" => self.mat1(card, source),
            "MAT8" => self.mat8(card, source),
            "PSHELL" => self.pshell(card, source),
            "PBAR" => self.pbar(card, source),
            "PBARL" => self.pbarl(card, source),
            "PBEAM" => self.pbeam(card, source),
            "PSOLID" => self.psolid(card, source),
            "PELAS" => self.pelas(card, source),
            "PBUSH" => self.pbush(card, source),
            "PARAM" => self.parameter(card, source),
            _ => Ok(()),
        }
    }

    fn nodes(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        match card.name.as_str() {
            "GRID" => self.grid(card, source),
            _ => Ok(()),
        }
    }

    fn items(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        match card.name.as_str() {
            "GRID" | "MAT1" | "MAT8" | "PSHELL" | "PBAR" | "PBARL" | "PBEAM" | "PSOLID" | "PELAS"
            | "PBUSH" => Ok(()),
            "CBAR" | "CBEAM" => self.bar(card, source),
            "CTRIA3" | "CTRIA6" | "CQUAD4" | "CQUAD8" => self.shell(card, source),
            "CTETRA" | "CHEXA" => self.solid(card, source),
            "CONM2" => self.conm2(card, source),
            "CELAS1" | "CELAS2" => self.celas(card, source),
            "CBUSH" => self.cbush(card, source),
            "RBE2" => self.rbe2(card, source),
            "RBE3" => self.rbe3(card, source),
            "RBAR" => self.rbar(card, source),
            "SET1" => self.set1(card, source),
            "PARAM" if card.text(0).eq_ignore_ascii_case("WTMASS") => Ok(()),
            name if IGNORED.contains(&name) => {
                if !matches!(name, "CORD2R" | "ENDDATA") {
                    self.ignored.add(&card.title(), &card.place, source);
                }
                Ok(())
            }
            _ => {
                let help = "remove the card if it has no part in the model's mass and stiffness";
                Err(card.error(source, "this card is not supported", help))
            }
        }
    }

    fn parameter(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        if card.text(0).eq_ignore_ascii_case("WTMASS") {
            self.mass_scale = card.real(1, "WTMASS", source)?;
        }
        Ok(())
    }

    fn scale_masses(&mut self) {
        self.deck.materials.iter_mut().for_each(|material| material.density *= self.mass_scale);
        for (_, _, point) in &mut self.deck.masses {
            point.mass *= self.mass_scale;
            point.inertia.iter_mut().flatten().for_each(|entry| *entry *= self.mass_scale);
        }
    }
}

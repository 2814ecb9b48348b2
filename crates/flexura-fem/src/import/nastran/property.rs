//! Materials and properties.

use super::super::deck::Property;
use super::super::error::ImportError;
use super::super::source::Source;
use super::Reader;
use super::card::Card;
use crate::material::{Material, OrthotropicShell};
use crate::mesh::Pins;
use crate::section::BeamSection;

/// Difference of a shear modulus from that of E and NU beyond the digits of small fields.
const LOOSE_CONSTANT: f64 = 0.01;

/// A material with the places it has in the mesh, one per added non-structural mass.
#[derive(Clone, Debug)]
pub(super) struct RawMaterial {
    material: Material,
    places: Vec<(u64, usize)>,
}

/// A property before its material is looked up.
#[derive(Clone, Debug)]
pub(super) struct RawProperty {
    material: u64,
    /// Non-structural mass as additional density (kg/m3).
    additional: f64,
    kind: Kind,
    card: Card,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Shell {
        thickness: f64,
    },
    Beam {
        section: BeamSection,
    },
    /// Pieces of a section that changes, by their place in the list of the reader.
    Tapered {
        pieces: usize,
    },
    Rod {
        area: f64,
    },
    Solid,
}

impl Reader {
    pub(super) fn mat1(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let number = card.identity(0, "the number of the material", source)?;
        let get = |index, what: &str| {
            if card.has(index) { card.real(index, what, source).map(Some) } else { Ok(None) }
        };
        let (young, shear, poisson) =
            (get(1, "Young's modulus")?, get(2, "the shear modulus")?, get(3, "Poisson's ratio")?);
        let (young, poisson) = match (young, shear, poisson) {
            (Some(young), _, Some(poisson)) => (young, poisson),
            (Some(young), Some(shear), None) => (young, young / (2.0 * shear) - 1.0),
            (None, Some(shear), Some(poisson)) => (2.0 * shear * (1.0 + poisson), poisson),
            _ => {
                return Err(card.error(source, "two of E, G and NU are needed", "add them in fields 3 to 5"));
            }
        };
        // A third constant that disagrees with the other two, and structural damping.
        let own = young / (2.0 * (1.0 + poisson));
        if shear.is_some_and(|shear| (shear / own - 1.0).abs() > LOOSE_CONSTANT) {
            self.ignored.add("G of MAT1 (E and NU are given)", &card.place, source);
        }
        if card.has(7) {
            self.ignored.add("damping (GE) of MAT1", &card.place, source);
        }
        let density = card.real_or(4, 0.0, "the density", source)?;
        self.material(number, Material::isotropic(young, poisson, density), card, source)
    }

    pub(super) fn mat8(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let number = card.identity(0, "the number of the material", source)?;
        let constants = OrthotropicShell {
            young_1: card.real(1, "E1", source)?,
            young_2: card.real(2, "E2", source)?,
            poisson_12: card.real(3, "NU12", source)?,
            shear_12: card.real(4, "G12", source)?,
        };
        let density = card.real_or(7, 0.0, "the density", source)?;
        self.material(number, Material::orthotropic_shell(constants, density), card, source)
    }

    fn material(
        &mut self,
        number: u64,
        material: Material,
        card: &Card,
        source: &Source,
    ) -> Result<(), ImportError> {
        let checked =
            Material { density: if material.density == 0.0 { 1.0 } else { material.density }, ..material };
        checked.validate().map_err(|fault| card.error(source, fault.to_string(), "correct the number"))?;
        match self.materials.insert(number, RawMaterial { material, places: Vec::new() }) {
            None => Ok(()),
            Some(_) => Err(card.error(
                source,
                format!("material {number} is defined twice"),
                "give it another number",
            )),
        }
    }

    fn define(
        &mut self,
        card: &Card,
        source: &Source,
        additional: f64,
        kind: Kind,
    ) -> Result<(), ImportError> {
        let number = card.identity(0, "the number of the property", source)?;
        let material = card.identity(1, "the number of the material", source)?;
        let raw = RawProperty { material, additional, kind, card: card.clone() };
        match self.properties.insert(number, raw).is_some() || self.layups.contains_key(&number) {
            false => Ok(()),
            true => Err(card.error(
                source,
                format!("property {number} is defined twice"),
                "give it another number",
            )),
        }
    }

    pub(super) fn pshell(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let thickness = card.real(2, "the thickness", source)?;
        crate::error::positive("the thickness", thickness)
            .map_err(|fault| card.error(source, fault.to_string(), "correct it"))?;
        if card.text(3) != card.text(1) && card.text(3) != "-1" {
            let help = "give the same material for membrane and bending (MID2 = MID1)";
            return Err(card.error(
                source,
                "bending without or with another material is not supported",
                help,
            ));
        }
        if card.real_or(4, 1.0, "12I/T**3", source)? != 1.0 {
            return Err(card.error(
                source,
                "a factor of the bending stiffness is not supported",
                "leave field 6 empty",
            ));
        }
        let additional = card.real_or(7, 0.0, "the non-structural mass", source)? / thickness;
        self.define(card, source, additional, Kind::Shell { thickness })
    }

    pub(super) fn psolid(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        self.define(card, source, 0.0, Kind::Solid)
    }

    pub(super) fn prod(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let area = self.rod_section(card, 2, source)?;
        let additional = card.real_or(5, 0.0, "the non-structural mass", source)? / area;
        self.define(card, source, additional, Kind::Rod { area })
    }

    /// Area of a rod; one that resists twist is a beam.
    pub(super) fn rod_section(&self, card: &Card, index: usize, source: &Source) -> Result<f64, ImportError> {
        let area = card.real(index, "the area", source)?;
        crate::error::positive("the area", area)
            .map_err(|fault| card.error(source, fault.to_string(), "correct it"))?;
        card.refuse(
            index + 1,
            "the torsion constant of a rod",
            "use CBAR for a rod that resists twist",
            source,
        )?;
        Ok(area)
    }

    /// A rod with its section on its own card: number, ends, material, area, torsion, coefficient, mass.
    pub(super) fn own_rod(&mut self, card: &Card, source: &Source) -> Result<Property, ImportError> {
        let area = self.rod_section(card, 4, source)?;
        let number = card.identity(3, "the number of the material", source)?;
        let additional = card.real_or(7, 0.0, "the non-structural mass", source)? / area;
        let material = self.material_place(number, additional, card, source)?;
        Ok(Property::Rod { material, area })
    }

    pub(super) fn beam(
        &mut self,
        card: &Card,
        source: &Source,
        section: BeamSection,
        mass: f64,
    ) -> Result<(), ImportError> {
        section.validate().map_err(|fault| card.error(source, fault.to_string(), "correct the section"))?;
        self.define(card, source, mass / section.area, Kind::Beam { section })
    }

    /// A beam whose section changes: pieces with their non-structural mass per length.
    pub(super) fn tapered(
        &mut self,
        card: &Card,
        source: &Source,
        pieces: Vec<(BeamSection, f64)>,
    ) -> Result<(), ImportError> {
        self.tapers.push(pieces);
        self.define(card, source, 0.0, Kind::Tapered { pieces: self.tapers.len() - 1 })
    }

    /// Its pieces with their materials.
    fn taper(
        &mut self,
        material: u64,
        pieces: usize,
        place: &Card,
        source: &Source,
    ) -> Result<usize, ImportError> {
        if let Some((_, known)) = self.known_tapers.iter().find(|(known, _)| *known == pieces) {
            return Ok(*known);
        }
        let mut made = Vec::new();
        for (section, mass) in self.tapers[pieces].clone() {
            made.push((self.material_place(material, mass / section.area, place, source)?, section));
        }
        self.deck.tapers.push(made);
        self.known_tapers.push((pieces, self.deck.tapers.len() - 1));
        Ok(self.deck.tapers.len() - 1)
    }

    pub(super) fn pbar(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        card.refuse(18, "a product of inertia I12", "turn the section to its principal axes", source)?;
        let area = card.real(2, "the area", source)?;
        // Plane 1 is x-y: its second moment is about z.
        let section = BeamSection {
            area,
            inertia_z: card.real(3, "I1", source)?,
            inertia_y: card.real(4, "I2", source)?,
            torsion: card.real(5, "J", source)?,
            shear_area_y: area * card.real_or(16, 0.0, "K1", source)?,
            shear_area_z: area * card.real_or(17, 0.0, "K2", source)?,
            outline: None,
        };
        self.beam(card, source, section, card.real_or(6, 0.0, "the non-structural mass", source)?)
    }

    /// The property of an element.
    pub(super) fn property(
        &mut self,
        card: &Card,
        (orientation, offsets, pins): ([f64; 3], [[f64; 3]; 2], Pins),
        source: &Source,
    ) -> Result<Property, ImportError> {
        // A property left out has the number of the element.
        let number = if card.has(1) {
            card.identity(1, "the number of the property", source)?
        } else {
            card.identity(0, "the number of the element", source)?
        };
        let unknown = || {
            card.error(
                source,
                format!("there is no property {number}"),
                "add PBAR, PBEAM, PROD, PSHELL, PCOMP or PSOLID",
            )
        };
        if let Some(laminate) = self.laminate(number, source)? {
            return Ok(laminate);
        }
        let raw = self.properties.get(&number).ok_or_else(unknown)?.clone();
        let material = self.material_place(raw.material, raw.additional, &raw.card, source)?;
        Ok(match raw.kind {
            Kind::Shell { thickness } => {
                Property::Shell { material, thickness, material_axis: None, offset: 0.0, layup: None }
            }
            Kind::Beam { section } => Property::Beam { material, section, orientation, offsets, pins },
            Kind::Tapered { pieces } => {
                let taper = self.taper(raw.material, pieces, &raw.card, source)?;
                Property::Tapered { taper, orientation, offsets, pins }
            }
            Kind::Rod { area } => Property::Rod { material, area },
            Kind::Solid => Property::Solid { material },
        })
    }

    /// Place in the mesh of a material with additional density.
    pub(super) fn material_place(
        &mut self,
        number: u64,
        additional: f64,
        place: &Card,
        source: &Source,
    ) -> Result<usize, ImportError> {
        let missing = || place.error(source, format!("there is no material {number}"), "add MAT1 or MAT8");
        let entry = self.materials.get_mut(&number).ok_or_else(missing)?;
        let key = additional.to_bits();
        let known = entry.places.iter().find(|(bits, _)| *bits == key).map(|(_, place)| *place);
        Ok(match known {
            Some(material) => material,
            None => {
                let own = if entry.material.density == 0.0 { self.options.density } else { None };
                let density = own.unwrap_or(entry.material.density) + additional;
                if density.is_nan() || density <= 0.0 {
                    let help =
                        "give the material a density (RHO, field 6 of MAT1), or `density` in the part file";
                    return Err(place.error(source, format!("material {number} has no density"), help));
                }
                self.deck.materials.push(Material { density, ..entry.material });
                entry.places.push((key, self.deck.materials.len() - 1));
                self.deck.materials.len() - 1
            }
        })
    }

    /// Whether the property of an element has an orthotropic material or layers.
    pub(super) fn has_directions(&self, property: &Property) -> bool {
        match property {
            Property::Shell { layup: Some(_), .. } => true,
            Property::Shell { material, .. } => self.deck.materials[*material].orthotropic.is_some(),
            _ => false,
        }
    }
}

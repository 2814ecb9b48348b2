//! Sections: what the elements of a set are made of.

use super::super::deck::Property;
use super::super::error::ImportError;
use super::super::source::Source;
use super::Reader;
use super::block::{Block, Data};
use super::element::Kind;
use crate::FemError;
use crate::material::Material;
use crate::section::{BeamSection, Section};

/// Direction of the section's first axis where none is given.
const FIRST_AXIS: [f64; 3] = [0.0, 0.0, -1.0];

impl Reader {
    pub(super) fn solid_section(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["ELSET", "MATERIAL", "ORIENTATION", "CONTROLS"], source)?;
        let material = self.material_index(&block.need("MATERIAL", source)?, block, source)?;
        self.assign(block, source, 3, Property::Solid { material })
    }

    pub(super) fn shell_section(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(
            &["ELSET", "MATERIAL", "ORIENTATION", "OFFSET", "SECTION INTEGRATION", "CONTROLS"],
            source,
        )?;
        if let Some(offset) = block.value("OFFSET")
            && super::super::number::real(offset) != Some(0.0)
        {
            let help = "move the nodes to the middle surface";
            return Err(block.error(source, "an offset of the shell is not supported", help));
        }
        let material = self.material_index(&block.need("MATERIAL", source)?, block, source)?;
        let material_axis = match block.value("ORIENTATION").map(str::to_ascii_uppercase) {
            None if self.deck.materials[material].orthotropic.is_some() => {
                let help = "add *ORIENTATION and ORIENTATION= with its name";
                return Err(block.error(source, "the axes of the orthotropic material are not given", help));
            }
            None => None,
            Some(name) => {
                let unknown = || {
                    block.error(source, format!("there is no orientation {name}"), "add *ORIENTATION, NAME=")
                };
                Some(*self.orientations.get(&name).ok_or_else(unknown)?)
            }
        };
        let data = block.line(0, "the line with the thickness", source)?;
        let thickness = block.real(data, 0, "the thickness", source)?;
        crate::error::positive("the thickness", thickness)
            .map_err(|fault| refuse(block, data, source, &fault))?;
        self.assign(block, source, 2, Property::Shell { material, thickness, material_axis })
    }

    pub(super) fn beam_section(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["ELSET", "MATERIAL", "SECTION", "ORIENTATION"], source)?;
        let material = self.material_index(&block.need("MATERIAL", source)?, block, source)?;
        let data = block.line(0, "the line with the dimensions", source)?;
        let section = shape(block, data, source)?;
        let section = section.constants().map_err(|fault| refuse(block, data, source, &fault))?;
        let orientation = first_axis(block, 1, source)?;
        self.assign(
            block,
            source,
            1,
            Property::Beam { material, section, orientation, offsets: [[0.0; 3]; 2] },
        )
    }

    pub(super) fn beam_general_section(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["ELSET", "SECTION", "DENSITY", "POISSON"], source)?;
        if block.value("SECTION").is_some_and(|word| !word.eq_ignore_ascii_case("GENERAL")) {
            return Err(block.error(source, "only SECTION=GENERAL is supported here", "use *BEAM SECTION"));
        }
        let data = block.line(0, "the line with the section constants", source)?;
        let number = |index, what: &str| block.real(data, index, what, source);
        if block.real_or(data, 2, 0.0, "the product of inertia", source)? != 0.0 {
            let help = "turn the section to its principal axes";
            return Err(block.error_at(data, source, "a product of inertia is not supported", help));
        }
        let area = number(0, "the area")?;
        let section = BeamSection {
            area,
            inertia_y: number(1, "the second moment about axis 1")?,
            inertia_z: number(3, "the second moment about axis 2")?,
            torsion: number(4, "the torsion constant")?,
            shear_area_y: area,
            shear_area_z: area,
        };
        section.validate().map_err(|fault| refuse(block, data, source, &fault))?;
        let orientation = first_axis(block, 1, source)?;
        let moduli = block.line(2, "the line with the moduli", source)?;
        let (young, shear) = (
            block.real(moduli, 0, "Young's modulus", source)?,
            block.real(moduli, 1, "the shear modulus", source)?,
        );
        let density = block.value("DENSITY").and_then(super::super::number::real);
        let density = density.ok_or_else(|| block.error(source, "the density is missing", "add DENSITY="))?;
        let material = Material::isotropic(young, young / (2.0 * shear) - 1.0, density);
        let material = self.own_material(material, block, source)?;
        self.assign(
            block,
            source,
            1,
            Property::Beam { material, section, orientation, offsets: [[0.0; 3]; 2] },
        )
    }

    /// Gives the elements of the section's set their property.
    fn assign(
        &mut self,
        block: &Block,
        source: &Source,
        dimension: usize,
        property: Property,
    ) -> Result<(), ImportError> {
        let name = block.need("ELSET", source)?;
        for number in self.element_set_of(&name, block, source)? {
            let Some(raw) = self.elements.get_mut(&number) else { continue };
            match raw.kind {
                Kind::Structural(shape) if shape.dimension() == dimension => raw.property = Some(property),
                _ => {
                    let message = format!("element {number} of set {name} is of another kind");
                    return Err(block.error(
                        source,
                        message,
                        "give the section to elements of its kind only",
                    ));
                }
            }
        }
        Ok(())
    }
}

fn refuse(block: &Block, data: &Data, source: &Source, fault: &FemError) -> ImportError {
    block.error_at(data, source, fault.to_string(), "correct the dimensions of the section")
}

/// The section of a `*BEAM SECTION`: axis 1 is y, axis 2 is z.
fn shape(block: &Block, data: &Data, source: &Source) -> Result<Section, ImportError> {
    let number = |index| block.real(data, index, "a dimension of the section", source);
    let given = data.words.iter().filter(|word| !word.is_empty()).count();
    let word = block.need("SECTION", source)?;
    let unequal = |what: &str| {
        let message = format!("{what} is not supported");
        block.error_at(data, source, message, "use *BEAM GENERAL SECTION with the section's constants")
    };
    Ok(match word.as_str() {
        "RECT" => Section::rectangle(number(0)?, number(1)?),
        "CIRC" if given < 2 => Section::circle(number(0)?),
        "CIRC" => match number(0)? == number(1)? {
            true => Section::circle(0.5 * number(0)?),
            false => return Err(unequal("an elliptic section")),
        },
        "PIPE" => Section::tube(number(0)?, number(0)? - number(1)?),
        "BOX" => {
            let wall = number(2)?;
            for index in 3..data.words.len().min(6) {
                if number(index)? != wall {
                    return Err(unequal("a box with walls of several thicknesses"));
                }
            }
            Section::Box { width_y: number(0)?, height_z: number(1)?, wall }
        }
        "I" => {
            let [middle, height, lower, upper] = [number(0)?, number(1)?, number(2)?, number(3)?];
            let [flange, other, web] = [number(4)?, number(5)?, number(6)?];
            if lower != upper || flange != other || (2.0 * middle - height).abs() > 1e-9 * height.abs() {
                return Err(unequal("an I section with unequal flanges"));
            }
            Section::I { width_y: lower, height_z: height, flange, web }
        }
        _ => {
            let message = format!("sections of the form {word} are not supported");
            return Err(block.error(source, message, "supported: RECT, CIRC, PIPE, BOX, I"));
        }
    })
}

fn first_axis(block: &Block, index: usize, source: &Source) -> Result<[f64; 3], ImportError> {
    let Some(data) = block.data.get(index) else { return Ok(FIRST_AXIS) };
    if data.words.iter().all(String::is_empty) {
        return Ok(FIRST_AXIS);
    }
    let mut axis = [0.0; 3];
    for (place, entry) in axis.iter_mut().enumerate() {
        *entry = block.real_or(data, place, 0.0, "a component of the section's first axis", source)?;
    }
    match axis == [0.0; 3] {
        true => Err(block.error_at(
            data,
            source,
            "the first axis of the section has no direction",
            "give a vector",
        )),
        false => Ok(axis),
    }
}

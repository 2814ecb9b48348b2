//! Sections: what the elements of a set are made of.

use super::super::deck::Property;
use super::super::error::ImportError;
use super::super::number::{identity, real};
use super::super::source::Source;
use super::Reader;
use super::block::{Block, Data};
use super::element::{Kind, Raw};
use crate::FemError;
use crate::material::Material;
use crate::section::{BeamSection, Section};
use nalgebra::Vector3;

/// Direction of the section's first axis where none is given.
const FIRST_AXIS: [f64; 3] = [0.0, 0.0, -1.0];

impl Reader {
    pub(super) fn solid_section(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["ELSET", "MATERIAL", "ORIENTATION", "CONTROLS"], source)?;
        let system = self.orientation_of(block, source)?;
        let name = block.need("MATERIAL", source)?;
        // The same axes everywhere need one material.
        let even =
            system.filter(|system| !system.is_cylindrical()).map(|system| system.axes(Vector3::zeros()));
        let shared = match (system, even) {
            (Some(_), None) => None,
            _ => Some(self.material_index(&name, even.as_ref(), block, source)?),
        };
        self.assign(block, source, |reader, raw| {
            let material = match (shared, system) {
                (Some(material), _) => material,
                (None, Some(system)) => {
                    let axes = system.axes(reader.middle(&raw.nodes));
                    reader.material_index(&name, Some(&axes), block, source)?
                }
                (None, None) => None,
            };
            match raw.kind {
                Kind::Structural(shape) if shape.dimension() == 3 => {
                    Ok(Some(material.map(|material| Property::Solid { material })))
                }
                Kind::Rod => {
                    let area = match block.data.first() {
                        Some(data) => block.real_or(data, 0, 1.0, "the area", source)?,
                        None => 1.0,
                    };
                    Ok(Some(material.map(|material| Property::Rod { material, area })))
                }
                _ => Ok(None),
            }
        })
    }

    /// Middle of the nodes of an element that exist.
    pub(super) fn middle(&self, nodes: &[u64]) -> Vector3<f64> {
        let places =
            nodes.iter().filter_map(|node| self.deck.nodes.get(node)).map(|place| Vector3::from(*place));
        places.sum::<Vector3<f64>>() / nodes.len().max(1) as f64
    }

    pub(super) fn shell_section(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        if block.has("COMPOSITE") {
            return self.composite_section(block, source);
        }
        block.only(
            &[
                "ELSET",
                "MATERIAL",
                "ORIENTATION",
                "OFFSET",
                "SECTION INTEGRATION",
                "CONTROLS",
                "NODAL THICKNESS",
                "POISSON",
            ],
            source,
        )?;
        let material = self.shell_material(&block.need("MATERIAL", source)?, block, source)?;
        let system = self.orientation_of(block, source)?;
        let directed = material.is_some_and(|index| self.deck.materials[index].orthotropic.is_some());
        if directed && system.is_none() {
            let help = "add *ORIENTATION and ORIENTATION= with its name";
            return Err(block.error(source, "the axes of the orthotropic material are not given", help));
        }
        let at_nodes = block.has("NODAL THICKNESS");
        let even = match (at_nodes, block.data.first()) {
            (true, None) => None,
            _ => {
                let data = block.line(0, "the line with the thickness", source)?;
                let thickness = block.real(data, 0, "the thickness", source)?;
                crate::error::positive("the thickness", thickness)
                    .map_err(|fault| refuse(block, data, source, &fault))?;
                Some(thickness)
            }
        };
        let part = shell_offset(block, source)?;
        self.assign(block, source, |reader, raw| {
            let Kind::Structural(shape) = raw.kind else { return Ok(None) };
            if shape.dimension() != 2 {
                return Ok(None);
            }
            let axis = system.map(|system| system.shell_axis(reader.middle(&raw.nodes)));
            let material_axis = axis.filter(|_| directed).map(|axis| axis.into());
            // Shells of varying thickness have the mean of their nodes.
            let of_nodes: Vec<f64> =
                raw.nodes.iter().filter_map(|node| reader.thicknesses.get(node).copied()).collect();
            let whole = at_nodes && of_nodes.len() == raw.nodes.len();
            let mean = whole.then(|| of_nodes.iter().sum::<f64>() / of_nodes.len() as f64);
            let plain = even.filter(|_| !at_nodes || of_nodes.is_empty());
            let thickness = mean.or(plain).ok_or_else(|| {
                let help = "give *NODAL THICKNESS of all its nodes, or a line with one thickness";
                source.error(&raw.place, "the shell has no thickness at some of its nodes", help)
            })?;
            let offset = -part * thickness;
            Ok(Some(material.map(|material| Property::Shell {
                material,
                thickness,
                material_axis,
                offset,
                layup: None,
            })))
        })
    }

    /// `*NODAL THICKNESS`: set or node, thickness.
    pub(super) fn nodal_thickness(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        for data in &block.data {
            let thickness = block.real(data, 1, "the thickness", source)?;
            crate::error::positive("the thickness", thickness)
                .map_err(|fault| refuse(block, data, source, &fault))?;
            let nodes = match identity(&data.words[0]) {
                Some(node) => vec![node],
                None => self.nodes_of_set(&data.words[0], block, source)?,
            };
            self.thicknesses.extend(nodes.into_iter().map(|node| (node, thickness)));
        }
        Ok(())
    }

    pub(super) fn beam_section(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(
            &["ELSET", "MATERIAL", "SECTION", "ORIENTATION", "OFFSET1", "OFFSET2", "POISSON"],
            source,
        )?;
        let material = self.material_index(&block.need("MATERIAL", source)?, None, block, source)?;
        let data = block.line(0, "the line with the dimensions", source)?;
        let section = shape(block, data, source)?;
        let section = section.constants().map_err(|fault| refuse(block, data, source, &fault))?;
        let mut parts = [0.0; 2];
        for (part, (key, index)) in parts.iter_mut().zip([("OFFSET1", 0), ("OFFSET2", 1)]) {
            if let Some(word) = block.value(key) {
                let wrong =
                    || block.error(source, format!("{key}={word} is no number"), "correct the number");
                // The nodes stand this part of the section's side away from its axis.
                *part = -real(word).ok_or_else(wrong)? * block.real_or(data, index, 0.0, "a side", source)?;
            }
        }
        let orientation = first_axis(block, 1, source)?;
        self.assign(block, source, |reader, raw| {
            if !matches!(raw.kind, Kind::Structural(shape) if shape.dimension() == 1) {
                return Ok(None);
            }
            let arm = reader.beam_arm(&raw.nodes, orientation, parts);
            let offsets = [arm; 2];
            Ok(Some(material.map(|material| Property::Beam {
                material,
                section,
                orientation,
                offsets,
                pins: [[false; 6]; 2],
            })))
        })
    }

    /// Arm from the nodes of a beam to its axis, by parts along the section's axes 1 and 2.
    fn beam_arm(&self, nodes: &[u64], orientation: [f64; 3], parts: [f64; 2]) -> [f64; 3] {
        let at =
            |node: Option<&u64>| node.and_then(|node| self.deck.nodes.get(node)).map(|p| Vector3::from(*p));
        let (Some(first), Some(last)) = (at(nodes.first()), at(nodes.last())) else { return [0.0; 3] };
        let Some(along) = (last - first).try_normalize(0.0) else { return [0.0; 3] };
        let towards = Vector3::from(orientation);
        let Some(one) = (towards - along * along.dot(&towards)).try_normalize(0.0) else { return [0.0; 3] };
        let two = along.cross(&one);
        (one * parts[0] + two * parts[1]).into()
    }

    pub(super) fn beam_general_section(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        if let Some(word) = block.value("SECTION")
            && !word.eq_ignore_ascii_case("GENERAL")
            && block.has("MATERIAL")
        {
            // CalculiX takes forms of *BEAM SECTION here.
            return self.beam_section(block, source);
        }
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
            outline: None,
        };
        section.validate().map_err(|fault| refuse(block, data, source, &fault))?;
        let orientation = first_axis(block, 1, source)?;
        let moduli = block.line(2, "the line with the moduli", source)?;
        let (young, shear) = (
            block.real(moduli, 0, "Young's modulus", source)?,
            block.real(moduli, 1, "the shear modulus", source)?,
        );
        let density = block.value("DENSITY").and_then(real).or(self.options.density);
        let density = density.ok_or_else(|| block.error(source, "the density is missing", "add DENSITY="))?;
        let material = Material::isotropic(young, young / (2.0 * shear) - 1.0, density);
        let material = self.own_material(material, block, source)?;
        let offsets = [[0.0; 3]; 2];
        self.assign(block, source, |_, raw| {
            let beam = matches!(raw.kind, Kind::Structural(shape) if shape.dimension() == 1);
            Ok(beam.then_some(Some(Property::Beam {
                material,
                section,
                orientation,
                offsets,
                pins: [[false; 6]; 2],
            })))
        })
    }

    /// Gives the elements of the section's set their property: what `property` says of each, `None` for one of another
    /// kind, `Some(None)` for one whose material could not be read.
    pub(super) fn assign(
        &mut self,
        block: &Block,
        source: &Source,
        mut property: impl FnMut(&mut Self, &Raw) -> Result<Option<Option<Property>>, ImportError>,
    ) -> Result<(), ImportError> {
        let name = block.need("ELSET", source)?;
        for number in self.element_set_of(&name, block, source)? {
            let Some(raw) = self.elements.get(&number).cloned() else { continue };
            // Couplings, gaps and dashpots need no section, but may be given one.
            if matches!(raw.kind, Kind::Unread | Kind::Coupling | Kind::Still) {
                continue;
            }
            let Some(found) = property(self, &raw)? else {
                let message = format!("element {number} of set {name} is of another kind");
                return Err(block.error(source, message, "give the section to elements of its kind only"));
            };
            if let Some(raw) = self.elements.get_mut(&number) {
                (raw.property, raw.used) = (found, raw.used || found.is_none());
            }
        }
        Ok(())
    }

    /// Elements of a section that is refused: that is told once.
    pub(super) fn mark_told(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        for number in self.element_set_of(&block.need("ELSET", source)?, block, source)? {
            if let Some(raw) = self.elements.get_mut(&number) {
                raw.used = true;
            }
        }
        Ok(())
    }
}

/// Part of the thickness by which the nodes stand above the middle surface.
pub(super) fn shell_offset(block: &Block, source: &Source) -> Result<f64, ImportError> {
    let Some(word) = block.value("OFFSET").map(str::to_ascii_uppercase) else { return Ok(0.0) };
    let wrong = || {
        let help = "write a part of the thickness, SPOS or SNEG";
        block.error(source, format!("OFFSET={word} is no number"), help)
    };
    match word.as_str() {
        "SPOS" => Ok(0.5),
        "SNEG" => Ok(-0.5),
        _ => real(&word).ok_or_else(wrong),
    }
}

pub(super) fn refuse(block: &Block, data: &Data, source: &Source, fault: &FemError) -> ImportError {
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
        "RECT" | "RECTANGULAR" if given < 2 => Section::rectangle(number(0)?, number(0)?),
        "RECT" | "RECTANGULAR" => Section::rectangle(number(0)?, number(1)?),
        "CIRC" if given < 2 => Section::circle(number(0)?),
        "CIRC" => match number(0)? == number(1)? {
            true => Section::circle(0.5 * number(0)?),
            false => Section::ellipse(number(0)?, number(1)?),
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

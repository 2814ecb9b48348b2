//! Materials and material axes.

use super::super::error::{ImportError, Place};
use super::super::source::Source;
use super::Reader;
use super::block::Block;
use crate::material::{Material, OrthotropicShell};

/// A material as read.
#[derive(Clone, Debug, Default)]
pub(super) struct Raw {
    pub place: Place,
    pub elastic: Option<Elastic>,
    pub density: Option<f64>,
    /// Place in the list of the mesh, once used.
    pub index: Option<usize>,
}

/// Elastic constants.
#[derive(Clone, Copy, Debug)]
pub(super) enum Elastic {
    Isotropic { young: f64, poisson: f64 },
    Lamina(OrthotropicShell),
}

impl Reader {
    pub(super) fn start_material(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        let name = block.need("NAME", source)?;
        let raw = Raw { place: block.place.clone(), ..Raw::default() };
        if self.materials.insert(name.clone(), raw).is_some() {
            return Err(block.error(
                source,
                format!("material {name} is defined twice"),
                "give it another name",
            ));
        }
        self.material = name;
        Ok(())
    }

    fn current(&mut self, block: &Block, source: &Source) -> Result<&mut Raw, ImportError> {
        let missing = || block.error(source, "it belongs to no *MATERIAL", "put it after *MATERIAL, NAME=");
        self.materials.get_mut(&self.material).ok_or_else(missing)
    }

    pub(super) fn elastic(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["TYPE"], source)?;
        let data = block.line(0, "the line with the elastic constants", source)?;
        let number = |index, what: &str| block.real(data, index, what, source);
        if block.data.len() > 1 && block.value("TYPE").is_none() {
            let help = "give the constants at one temperature";
            return Err(block.error_at(&block.data[1], source, "constants that depend on temperature", help));
        }
        let elastic = match block.value("TYPE").unwrap_or("ISO").to_ascii_uppercase().as_str() {
            "ISO" | "ISOTROPIC" => Elastic::Isotropic {
                young: number(0, "Young's modulus")?,
                poisson: number(1, "Poisson's ratio")?,
            },
            "LAMINA" => Elastic::Lamina(OrthotropicShell {
                young_1: number(0, "Young's modulus along axis 1")?,
                young_2: number(1, "Young's modulus along axis 2")?,
                poisson_12: number(2, "Poisson's ratio 12")?,
                shear_12: number(3, "the shear modulus 12")?,
            }),
            other => {
                let message = format!("elastic constants of type {other} are not supported");
                return Err(block.error(source, message, "supported: ISOTROPIC, and LAMINA for shells"));
            }
        };
        self.current(block, source)?.elastic = Some(elastic);
        Ok(())
    }

    pub(super) fn density(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        let data = block.line(0, "the line with the density", source)?;
        let density = block.real(data, 0, "the density", source)?;
        self.current(block, source)?.density = Some(density);
        Ok(())
    }

    /// `*ORIENTATION`: the first axis of a rectangular system.
    pub(super) fn orientation(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        let name = block.need("NAME", source)?;
        if block.value("SYSTEM").is_some_and(|system| !system.eq_ignore_ascii_case("RECTANGULAR")) {
            return Err(block.error(
                source,
                "only rectangular systems are supported",
                "use SYSTEM=RECTANGULAR",
            ));
        }
        let data = block.line(0, "the line with the axes", source)?;
        let mut axis = [0.0; 3];
        for (place, entry) in axis.iter_mut().enumerate() {
            *entry = block.real(data, place, "a component of the first axis", source)?;
        }
        if let Some(turn) = block.data.get(1)
            && block.real_or(turn, 1, 0.0, "the additional rotation", source)? != 0.0
        {
            let help = "turn the axes themselves and give zero";
            return Err(block.error_at(turn, source, "an additional rotation is not supported", help));
        }
        self.orientations.insert(name, axis);
        Ok(())
    }

    /// Place of a named material in the mesh.
    pub(super) fn material_index(
        &mut self,
        name: &str,
        block: &Block,
        source: &Source,
    ) -> Result<usize, ImportError> {
        let unknown = || block.error(source, format!("there is no material {name}"), "add *MATERIAL, NAME=");
        let raw = self.materials.get_mut(name).ok_or_else(unknown)?;
        if let Some(index) = raw.index {
            return Ok(index);
        }
        let lacks = |what: &str| {
            source.error(&raw.place, format!("material {name} has no {what}"), format!("add *{what}"))
        };
        let elastic = raw.elastic.ok_or_else(|| lacks("ELASTIC"))?;
        let density = raw.density.ok_or_else(|| lacks("DENSITY"))?;
        let material = match elastic {
            Elastic::Isotropic { young, poisson } => Material::isotropic(young, poisson, density),
            Elastic::Lamina(constants) => Material::orthotropic_shell(constants, density),
        };
        let invalid = |fault: crate::FemError| {
            source.error(&raw.place, format!("material {name}: {fault}"), "correct the number")
        };
        material.validate().map_err(invalid)?;
        let index = self.deck.materials.len();
        raw.index = Some(index);
        self.deck.materials.push(material);
        Ok(index)
    }

    /// Adds a material that a section brings along.
    pub(super) fn own_material(
        &mut self,
        material: Material,
        block: &Block,
        source: &Source,
    ) -> Result<usize, ImportError> {
        material.validate().map_err(|fault| block.error(source, fault.to_string(), "correct the number"))?;
        self.deck.materials.push(material);
        Ok(self.deck.materials.len() - 1)
    }
}

//! Materials.

use super::super::error::{ImportError, Place};
use super::super::source::Source;
use super::Reader;
use super::block::{Block, Data};
use super::orientation::turned;
use crate::material::{Elasticity, Material, OrthotropicShell};
use nalgebra::{Matrix3, Matrix6};

/// A material as read.
#[derive(Clone, Debug, Default)]
pub(super) struct Raw {
    pub place: Place,
    pub elastic: Option<Elastic>,
    pub density: Option<f64>,
    /// Whether its constants could not be read, which has been told.
    pub faulty: bool,
    /// Place in the list of the mesh in axes that do not matter, once used.
    pub index: Option<usize>,
}

/// Elastic constants.
#[derive(Clone, Copy, Debug)]
pub(super) enum Elastic {
    Isotropic {
        young: f64,
        poisson: f64,
    },
    Lamina(OrthotropicShell),
    /// Of a solid in its material axes, strains in the order of the elements.
    Solid(Matrix6<f64>),
}

/// Places of the components 11, 22, 33, 12, 13, 23 among xx, yy, zz, xy, yz, zx.
const COMPONENTS: [usize; 6] = [0, 1, 2, 3, 5, 4];

impl Reader {
    pub(super) fn start_material(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        let name = block.need("NAME", source)?;
        let raw = Raw { place: block.place.clone(), ..Raw::default() };
        let known = self.materials.insert(name.clone(), raw).is_some();
        self.material = name.clone();
        match known {
            true => {
                Err(block.error(source, format!("material {name} is defined twice"), "give it another name"))
            }
            false => Ok(()),
        }
    }

    fn current(&mut self, block: &Block, source: &Source) -> Result<&mut Raw, ImportError> {
        let missing = || block.error(source, "it belongs to no *MATERIAL", "put it after *MATERIAL, NAME=");
        self.materials.get_mut(&self.material).ok_or_else(missing)
    }

    pub(super) fn elastic(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        let read = self.constants(block, source);
        let raw = self.current(block, source)?;
        match read {
            Ok(elastic) => raw.elastic = Some(elastic),
            Err(fault) => {
                raw.faulty = true;
                return Err(fault);
            }
        }
        Ok(())
    }

    fn constants(&mut self, block: &Block, source: &Source) -> Result<Elastic, ImportError> {
        block.only(&["TYPE", "MODULI", "DEPENDENCIES", "COMPRESSION FACTOR"], source)?;
        let data = block.line(0, "the line with the elastic constants", source)?;
        let number = |index, what: &str| block.real(data, index, what, source);
        let word = block.value("TYPE").unwrap_or("ISO").to_ascii_uppercase();
        let lines = match word.as_str() {
            "ISO" | "ISOTROPIC" | "LAMINA" => 1,
            "ANISO" | "ANISOTROPIC" => 3,
            _ => 2,
        };
        if block.data.len() > lines {
            let word =
                format!("*ELASTIC at temperatures other than the first ({})", temperature(block, lines));
            self.ignored.add(&word, &block.place_of(&block.data[lines]), source);
        }
        Ok(match word.as_str() {
            "ISO" | "ISOTROPIC" => Elastic::Isotropic {
                young: number(0, "Young's modulus")?,
                poisson: block.real_or(data, 1, 0.0, "Poisson's ratio", source)?,
            },
            "LAMINA" => Elastic::Lamina(OrthotropicShell {
                young_1: number(0, "Young's modulus along axis 1")?,
                young_2: number(1, "Young's modulus along axis 2")?,
                poisson_12: number(2, "Poisson's ratio 12")?,
                shear_12: number(3, "the shear modulus 12")?,
            }),
            "ORTHO" | "ORTHOTROPIC" => orthotropic(&values::<9>(block, source)?),
            "ENGINEERING CONSTANTS" => engineering(&values::<9>(block, source)?, block, source)?,
            "ANISO" | "ANISOTROPIC" => anisotropic(&values::<21>(block, source)?),
            other => {
                let message = format!("elastic constants of type {other} are not supported");
                let help = "supported: ISOTROPIC, ORTHOTROPIC, ENGINEERING CONSTANTS, ANISOTROPIC, and LAMINA for shells";
                return Err(block.error(source, message, help));
            }
        })
    }

    /// A law that is no elasticity of small strains.
    pub(super) fn other_law(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        self.current(block, source)?.faulty = true;
        let help = "give *ELASTIC with the stiffness at the working point";
        Err(block.error(source, "this law of a material has no linear elasticity", help))
    }

    pub(super) fn density(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        let data = block.line(0, "the line with the density", source)?;
        let density = block.real(data, 0, "the density", source)?;
        self.current(block, source)?.density = Some(density);
        Ok(())
    }

    /// Place of a named material in the mesh; one with directions is turned into the axes of the element. `None` where
    /// it could not be read, which has been told.
    pub(super) fn material_index(
        &mut self,
        name: &str,
        axes: Option<&Matrix3<f64>>,
        block: &Block,
        source: &Source,
    ) -> Result<Option<usize>, ImportError> {
        let unknown = || block.error(source, format!("there is no material {name}"), "add *MATERIAL, NAME=");
        let raw = self.materials.get(name).ok_or_else(unknown)?;
        let directed = matches!(raw.elastic, Some(Elastic::Solid(_)));
        if let (Some(index), false) = (raw.index, directed && axes.is_some()) {
            return Ok(Some(index));
        }
        if raw.faulty {
            return Ok(None);
        }
        let (raw, place) = (raw.clone(), raw.place.clone());
        let lacks = |what: &str, more: &str| {
            source.error(&place, format!("material {name} has no {what}"), format!("add *{what}{more}"))
        };
        let elastic = raw.elastic.ok_or_else(|| lacks("ELASTIC", ""))?;
        let density = raw.density.or(self.options.density);
        let density = density.ok_or_else(|| lacks("DENSITY", ", or `density` in the part file"))?;
        let material = match elastic {
            Elastic::Isotropic { young, poisson } => Material::isotropic(young, poisson, density),
            Elastic::Lamina(constants) => Material::orthotropic_shell(constants, density),
            Elastic::Solid(constants) => {
                let constants = axes.map_or(constants, |axes| turned(&constants, axes));
                let rows: Elasticity = std::array::from_fn(|i| std::array::from_fn(|j| constants[(i, j)]));
                Material::anisotropic_solid(rows, density)
            }
        };
        let invalid = |fault: crate::FemError| {
            source.error(&place, format!("material {name}: {fault}"), "correct the number")
        };
        material.validate().map_err(invalid)?;
        let index = self.deck.materials.len();
        if let (Some(raw), true) = (self.materials.get_mut(name), !directed || axes.is_none()) {
            raw.index = Some(index);
        }
        self.deck.materials.push(material);
        Ok(Some(index))
    }

    /// Material of a shell: one of a solid with three planes of symmetry becomes its plane stress.
    pub(super) fn shell_material(
        &mut self,
        name: &str,
        block: &Block,
        source: &Source,
    ) -> Result<Option<usize>, ImportError> {
        if let Some(raw) = self.materials.get_mut(name)
            && let Some(Elastic::Solid(constants)) = raw.elastic
        {
            let plane = constants.try_inverse().and_then(|compliance| plane_stress(&compliance));
            let oblique = || {
                let help = "give *ELASTIC, TYPE=LAMINA";
                block.error(
                    source,
                    format!("the constants of material {name} are not those of a shell"),
                    help,
                )
            };
            raw.elastic = Some(Elastic::Lamina(plane.ok_or_else(oblique)?));
        }
        self.material_index(name, None, block, source)
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

/// The temperature of the first record, for the notice.
fn temperature(block: &Block, lines: usize) -> String {
    let last = block.data.get(lines - 1).and_then(|data: &Data| data.words.last());
    last.map_or(String::new(), |word| word.trim().to_owned())
}

/// Numbers spread over data lines of eight.
fn values<const N: usize>(block: &Block, source: &Source) -> Result<[f64; N], ImportError> {
    let mut all = [0.0; N];
    for (place, value) in all.iter_mut().enumerate() {
        let data = block.line(place / 8, "a line with elastic constants", source)?;
        *value = block.real(data, place % 8, "an elastic constant", source)?;
    }
    Ok(all)
}

/// D1111, D1122, D2222, D1133, D2233, D3333, D1212, D1313, D2323.
fn orthotropic(v: &[f64; 9]) -> Elastic {
    let mut all = Matrix6::zeros();
    let places = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2), (3, 3), (4, 4), (5, 5)];
    for ((i, j), value) in places.into_iter().zip(v) {
        let (i, j) = (COMPONENTS[i], COMPONENTS[j]);
        (all[(i, j)], all[(j, i)]) = (*value, *value);
    }
    Elastic::Solid(all)
}

/// The lower triangle of the components 11, 22, 33, 12, 13, 23, row by row.
fn anisotropic(v: &[f64; 21]) -> Elastic {
    let mut all = Matrix6::zeros();
    let places = (0..6).flat_map(|i| (0..=i).map(move |j| (i, j)));
    for ((i, j), value) in places.zip(v) {
        let (i, j) = (COMPONENTS[i], COMPONENTS[j]);
        (all[(i, j)], all[(j, i)]) = (*value, *value);
    }
    Elastic::Solid(all)
}

/// E1, E2, E3, nu12, nu13, nu23, G12, G13, G23.
fn engineering(v: &[f64; 9], block: &Block, source: &Source) -> Result<Elastic, ImportError> {
    let [e1, e2, e3, nu12, nu13, nu23, g12, g13, g23] = *v;
    let mut compliance = Matrix6::zeros();
    let entries = [
        ((0, 0), 1.0 / e1),
        ((1, 1), 1.0 / e2),
        ((2, 2), 1.0 / e3),
        ((0, 1), -nu12 / e1),
        ((0, 2), -nu13 / e1),
        ((1, 2), -nu23 / e2),
        ((3, 3), 1.0 / g12),
        ((4, 4), 1.0 / g23),
        ((5, 5), 1.0 / g13),
    ];
    for ((i, j), value) in entries {
        (compliance[(i, j)], compliance[(j, i)]) = (value, value);
    }
    let singular = || block.error(source, "these constants have no stiffness", "correct the constants");
    let stiffness = compliance.try_inverse().filter(|all| all.iter().all(|x| x.is_finite()));
    stiffness.map(Elastic::Solid).ok_or_else(singular)
}

/// Constants of a shell in the plane of axes 1 and 2.
fn plane_stress(compliance: &Matrix6<f64>) -> Option<OrthotropicShell> {
    let coupled = (0..3).any(|i| (3..6).any(|j| compliance[(i, j)].abs() > 1e-9 * compliance.amax()));
    let plane = OrthotropicShell {
        young_1: compliance[(0, 0)].recip(),
        young_2: compliance[(1, 1)].recip(),
        poisson_12: -compliance[(0, 1)] / compliance[(0, 0)],
        shear_12: compliance[(3, 3)].recip(),
    };
    (!coupled).then_some(plane)
}

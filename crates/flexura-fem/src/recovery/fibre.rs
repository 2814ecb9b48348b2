//! Stresses in the fibres of a beam from its section forces.
//!
//! Normal stress by Navier's law, sigma = N/A + M_y z/I_y - M_z y/I_z. Torsional shear
//! tau = T r/J at a fibre of effective radius r: the outer radius of a round section, the
//! wall of a thin open one, J/(2 A_m t) of a thin closed one (A_m enclosed area, t wall).

use super::section::section_force_rows;
use crate::error::FemError;
use crate::mesh::{Element, Mesh};
pub use flexura::beam::Fibre;
use nalgebra::DMatrix;

/// Normal stress and torsional shear (two rows, Pa) of a fibre at s = x/L per shape.
pub fn fibre_stress_rows(
    mesh: &Mesh,
    index: usize,
    s: f64,
    fibre: Fibre,
    shapes: &DMatrix<f64>,
) -> Result<DMatrix<f64>, FemError> {
    let forces = section_force_rows(mesh, index, s, shapes)?;
    let Some(Element::Beam(element)) = mesh.elements.get(index) else {
        return Err(FemError::Missing { what: "a fibre".into(), missing: format!("beam element {index}") });
    };
    let section = &element.section;
    let [y, z] = fibre.place;
    let normal = forces.row(0) / section.area + forces.row(4) * (z / section.inertia_y)
        - forces.row(5) * (y / section.inertia_z);
    let twist = forces.row(3) * (fibre.torsion_radius / section.torsion);
    Ok(DMatrix::from_rows(&[normal, twist]))
}

//! Section forces of beams from nodal displacements.
//!
//! The element's own strains times its rigidities: N = E A e, T = G J k_x,
//! M = E I k, in local axes. The shear force is the slope of the bending moment,
//! Q_y = -M_z', Q_z = M_y', with and without shear deformation.

use crate::assemble::freedoms_of;
use crate::element::beam::Beam;
use crate::error::FemError;
use crate::mesh::{Element, Mesh};
use nalgebra::{DVector, Vector3};

/// Forces and moments on a section, in the element's local axes, acting on the
/// part of the beam before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionForces {
    /// Normal force along x, shear forces along y and z (N).
    pub force: Vector3<f64>,
    /// Torque about x, bending moments about y and z (N m).
    pub moment: Vector3<f64>,
}

/// Section forces of a beam element at s = x/L (0 to 1), from nodal displacements
/// (six per node) of the whole mesh.
pub fn section_forces(
    mesh: &Mesh,
    index: usize,
    s: f64,
    displacements: &DVector<f64>,
) -> Result<SectionForces, FemError> {
    let Some(Element::Beam(element)) = mesh.elements.get(index) else {
        let missing = format!("beam element {index}");
        return Err(FemError::Missing { what: "section forces".into(), missing });
    };
    let expected = 6 * mesh.nodes.len();
    if displacements.len() != expected {
        return Err(FemError::Size { what: "the displacements".into(), got: displacements.len(), expected });
    }
    let beam = Beam::new(mesh, index, element)?;
    let material = mesh.material(index, element.material)?;
    let local = displacements.select_rows(&freedoms_of(&element.nodes));
    let at = |s: f64| {
        let (strain, curvature) = beam.strains(s);
        let to_local = beam.axes().transpose();
        (to_local * (strain * &local), to_local * (curvature * &local))
    };
    let (section, young, shear) = (&element.section, material.young, material.shear());
    let bending = |curvature: &Vector3<f64>| {
        Vector3::new(
            shear * section.torsion * curvature.x,
            young * section.inertia_y * curvature.y,
            young * section.inertia_z * curvature.z,
        )
    };
    let (strain, curvature) = at(s);
    let slope = (bending(&at(1.0).1) - bending(&at(0.0).1)) / beam.length();
    Ok(SectionForces {
        force: Vector3::new(young * section.area * strain.x, -slope.z, slope.y),
        moment: bending(&curvature),
    })
}

//! Section forces of beams from nodal displacements.
//!
//! The element's own strains times its rigidities: N = E A e, T = G J k_x,
//! M = E I k, in local axes. The shear force is the slope of the bending moment,
//! Q_y = -M_z', Q_z = M_y', with and without shear deformation.

use crate::element::beam::Beam;
use crate::error::FemError;
use crate::mesh::freedoms_of;
use crate::mesh::{Element, Mesh, RodElement};
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

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
    let column = DMatrix::from_column_slice(displacements.len(), 1, displacements.as_slice());
    let rows = section_force_rows(mesh, index, s, &column)?;
    let half = |first: usize| Vector3::new(rows[first], rows[first + 1], rows[first + 2]);
    Ok(SectionForces { force: half(0), moment: half(3) })
}

/// Section forces per shape: rows N, Q_y, Q_z (N), T, M_y, M_z (N m), one column per column
/// of `shapes` (nodal displacements, six rows per node).
pub fn section_force_rows(
    mesh: &Mesh,
    index: usize,
    s: f64,
    shapes: &DMatrix<f64>,
) -> Result<DMatrix<f64>, FemError> {
    if let Some(Element::Rod(rod)) = mesh.elements.get(index) {
        return rod_rows(mesh, index, rod, shapes);
    }
    let Some(Element::Beam(element)) = mesh.elements.get(index) else {
        let missing = format!("beam element {index}");
        return Err(FemError::Missing { what: "section forces".into(), missing });
    };
    let expected = 6 * mesh.nodes.len();
    if shapes.nrows() != expected {
        return Err(FemError::Size { what: "the displacements".into(), got: shapes.nrows(), expected });
    }
    let beam = Beam::new(mesh, index, element)?;
    let (section, material) = (beam.section(), beam.material());
    let local = shapes.select_rows(&freedoms_of(&element.nodes));
    let (young, shear) = (material.young, material.shear());
    let rigidity =
        Vector3::new(shear * section.torsion, young * section.inertia_y, young * section.inertia_z);
    let to_local = beam.axes().transpose();
    let moments = |s: f64| Matrix3::from_diagonal(&rigidity) * to_local * (beam.strains(s).1 * &local);
    let strain = to_local * (beam.strains(s).0 * &local);
    let slope = (moments(1.0) - moments(0.0)) / beam.length();
    let mut rows = DMatrix::zeros(6, shapes.ncols());
    rows.set_row(0, &(strain.row(0) * (young * section.area)));
    rows.set_row(1, &-slope.row(2));
    rows.set_row(2, &slope.row(1));
    rows.rows_mut(3, 3).copy_from(&moments(s));
    Ok(rows)
}

/// A rod carries N alone.
fn rod_rows(
    mesh: &Mesh,
    index: usize,
    rod: &RodElement,
    shapes: &DMatrix<f64>,
) -> Result<DMatrix<f64>, FemError> {
    let expected = 6 * mesh.nodes.len();
    if shapes.nrows() != expected {
        return Err(FemError::Size { what: "the displacements".into(), got: shapes.nrows(), expected });
    }
    let [first, second] = mesh.positions(index, rod.nodes)?;
    let along = second - first;
    let slope = along / along.norm_squared() * (mesh.material(index, rod.material)?.young * rod.area);
    let mut rows = DMatrix::zeros(6, shapes.ncols());
    for (node, sign) in rod.nodes.into_iter().zip([-1.0, 1.0]) {
        let force = slope.transpose() * shapes.rows(6 * node, 3) * sign;
        rows.row_mut(0).iter_mut().zip(force.iter()).for_each(|(sum, part)| *sum += part);
    }
    Ok(rows)
}

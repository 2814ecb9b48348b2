//! Flexibility of the whole part on the loads that a model can put on it, kept beside the reduced body.
//!
//! Columns of B (`flexura::model::Compliance`): unit moments and forces at the named nodes, inertia of unit
//! accelerations of the reference frame and of the six centripetal fields. C = B*K⁻¹B of the structure held at the reference
//! node, which is statically determinate: loads in balance strain it as they strain the free one. P = B*Φ.

use super::ReducedModel;
use crate::assemble::{nodal_mass, rigid_motions};
use crate::error::FemError;
use crate::held::Held;
use crate::mesh::Mesh;
use flexura::model::Compliance;
use nalgebra::{DMatrix, Vector3};

/// Most named nodes for which flexibility is kept.
const MOST_PLACES: usize = 40;

/// The flexibility of a mesh for the body that `reduced` makes of it; `None` where it has too many places.
pub(crate) fn compliance(
    mesh: &Mesh,
    reduced: &ReducedModel,
    held: &Held<'_>,
) -> Result<Option<Compliance>, FemError> {
    let places: Vec<usize> = mesh.names.values().copied().collect();
    if places.len() > MOST_PLACES {
        return Ok(None);
    }
    let loads = loads(mesh, reduced, &places)?;
    let right = held.project(&loads)?;
    let response = held.answer(&right)?;
    let flexibility = right.tr_mul(&response);
    let mut participation = loads.tr_mul(&reduced.shapes);
    // Places are known again by their shapes: as they are, not by a sum.
    for (place, node) in places.iter().enumerate() {
        for i in 0..3 {
            participation.set_row(6 * place + i, &reduced.shapes.row(6 * node + 3 + i));
            participation.set_row(6 * place + 3 + i, &reduced.shapes.row(6 * node + i));
        }
    }
    Ok(Some(Compliance {
        modes: reduced.shapes.ncols(),
        places: places.len(),
        flexibility: flexibility.as_slice().to_vec(),
        participation: participation.transpose().as_slice().to_vec(),
    }))
}

/// B over all nodal freedoms.
fn loads(mesh: &Mesh, reduced: &ReducedModel, places: &[usize]) -> Result<DMatrix<f64>, FemError> {
    let rows = 6 * mesh.nodes.len();
    let mut loads = DMatrix::zeros(rows, 6 * places.len() + 12);
    for (place, node) in places.iter().enumerate() {
        for i in 0..3 {
            loads[(6 * node + 3 + i, 6 * place + i)] = 1.0;
            loads[(6 * node + i, 6 * place + 3 + i)] = 1.0;
        }
    }
    let origin = Vector3::from(mesh.nodes[reduced.reference]);
    let rigid = rigid_motions(mesh, origin);
    let mut fields = DMatrix::zeros(rows, 12);
    for i in 0..3 {
        fields.set_column(i, &rigid.column(3 + i));
        fields.set_column(3 + i, &rigid.column(i));
    }
    for (node, place) in mesh.nodes.iter().enumerate().filter(|(node, _)| !mesh.is_coordinate(*node)) {
        let x = Vector3::from(*place) - origin;
        for i in 0..3 {
            fields[(6 * node + i, 6 + i)] = x[i];
            let j = (i + 1) % 3;
            fields[(6 * node + i, 9 + i)] = x[j];
            fields[(6 * node + j, 9 + i)] = x[i];
        }
    }
    let inertia = nodal_mass(mesh, reduced.mass_model)?.multiply(&fields);
    loads.columns_mut(6 * places.len(), 12).copy_from(&inertia);
    Ok(loads)
}

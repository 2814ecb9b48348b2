//! Inertia loads of unit accelerations of a part's frame: what acts on its mass while it is moved as a rigid body.
//!
//!   -m e_i,   -m e_i x l0,   -m sym(e_a x (e_b x l0)),
//! the last for products of angular velocities, with the moments of pieces that turn along. Symbols: l0 position from the reference
//! node, m mass of a piece. Typeset: book/src/theory/reduction.md (FE.6).

use crate::assemble::rigid_motions;
use crate::element::{self, MassModel, MassSample};
use crate::error::FemError;
use crate::mesh::{Mesh, freedoms_of};
use nalgebra::{DMatrix, Matrix3xX, Vector3};

/// Cases: three of acceleration, three of angular acceleration, six of products of angular velocities.
pub(crate) const CASES: usize = 12;
/// Pairs of axes in the order of symmetric matrices: xx, xy, xz, yy, yz, zz.
const PAIRS: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

/// sym(e_a x (e_b x arm)) of a pair of axes.
fn inward(pair: usize, arm: Vector3<f64>) -> Vector3<f64> {
    let (a, b) = PAIRS[pair];
    let (a, b) = (Vector3::ith(a, 1.0), Vector3::ith(b, 1.0));
    (a.cross(&b.cross(&arm)) + b.cross(&a.cross(&arm))) * 0.5
}

/// Inertia force and moment of a piece in each case.
pub(crate) fn on_piece(sample: &MassSample, origin: Vector3<f64>) -> [(Vector3<f64>, Vector3<f64>); CASES] {
    let arm = sample.position - origin;
    let unit = |axis: usize| Vector3::ith(axis, 1.0);
    std::array::from_fn(|case| match case {
        0..3 => (-unit(case) * sample.mass, Vector3::zeros()),
        3..6 => {
            let axis = unit(case - 3);
            (-axis.cross(&arm) * sample.mass, -sample.inertia * axis)
        }
        _ => {
            let (a, b) = PAIRS[case - 6];
            let (a, b) = (unit(a), unit(b));
            let turning = (a.cross(&(sample.inertia * b)) + b.cross(&(sample.inertia * a))) * 0.5;
            (-inward(case - 6, arm) * sample.mass, -turning)
        }
    })
}

/// Nodal forces and moments, six rows per node, one column per case.
pub(crate) fn nodal(mesh: &Mesh, model: MassModel, reference: usize) -> Result<DMatrix<f64>, FemError> {
    let origin = Vector3::from(mesh.nodes[reference]);
    let mut total = DMatrix::zeros(6 * mesh.nodes.len(), CASES);
    let mut spread = |freedoms: &[usize], sample: &MassSample| {
        let loads = on_piece(sample, origin);
        let forces = Matrix3xX::from_fn(CASES, |i, case| loads[case].0[i]);
        let moments = Matrix3xX::from_fn(CASES, |i, case| loads[case].1[i]);
        let on_freedoms = sample.translation.tr_mul(&forces) + sample.rotation.tr_mul(&moments);
        for (row, freedom) in freedoms.iter().enumerate() {
            (0..CASES).for_each(|case| total[(*freedom, case)] += on_freedoms[(row, case)]);
        }
    };
    for (index, element) in mesh.elements.iter().enumerate() {
        let freedoms = element::freedoms(element);
        element::samples(mesh, index, model)?.iter().for_each(|sample| spread(&freedoms, sample));
    }
    for point in &mesh.masses {
        spread(&freedoms_of(&[point.node]), &element::point_sample(mesh, point));
    }
    if let Some(matrices) = &mesh.matrices {
        total -= matrices.mass_times(&fields(mesh, origin));
    }
    Ok(total)
}

/// The accelerations themselves at the nodes, for bodies given by matrices.
fn fields(mesh: &Mesh, origin: Vector3<f64>) -> DMatrix<f64> {
    let mut fields = rigid_motions(mesh, origin).resize_horizontally(CASES, 0.0);
    for node in (0..mesh.nodes.len()).filter(|node| !mesh.is_coordinate(*node)) {
        let arm = Vector3::from(mesh.nodes[node]) - origin;
        for pair in 0..PAIRS.len() {
            fields.fixed_view_mut::<3, 1>(6 * node, 6 + pair).copy_from(&inward(pair, arm));
        }
    }
    fields
}

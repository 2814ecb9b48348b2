//! Inertia loads of unit accelerations of a part's frame: what acts on its mass while it is moved as a rigid body.
//!
//!   -m e_i,   -m e_i x l0,   -m sym(e_a x (e_b x l0)),
//! the last for products of angular velocities, with the moments of pieces that turn along. Masses given as matrices feel the
//! accelerations of their nodes; how rotary inertia of a node turns with products of angular velocities is not in a matrix.
//! Symbols: e_i axes, l0 position from the reference node, m mass of a piece. Typeset: book/src/theory/reduction.md (FE.6).

use crate::element::{self, MassModel, MassSample};
use crate::error::FemError;
use crate::mesh::{Mesh, freedoms_of};
use nalgebra::{DMatrix, Matrix3, Matrix3xX, Vector3};

/// Cases: three of acceleration, three of angular acceleration, six of products of angular velocities.
pub(crate) const CASES: usize = 12;
/// Pairs of axes in the order of symmetric matrices: xx, xy, xz, yy, yz, zz.
const PAIRS: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

/// Where the frame is, and along which axes it is accelerated (columns).
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub origin: Vector3<f64>,
    pub axes: Matrix3<f64>,
}

impl Frame {
    fn axis(&self, axis: usize) -> Vector3<f64> {
        self.axes.column(axis).into_owned()
    }

    /// Acceleration and angular acceleration of a place in each case.
    fn acceleration(&self, case: usize, place: Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
        let arm = place - self.origin;
        match case {
            0..3 => (self.axis(case), Vector3::zeros()),
            3..6 => (self.axis(case - 3).cross(&arm), self.axis(case - 3)),
            _ => {
                let (a, b) = PAIRS[case - 6];
                let (a, b) = (self.axis(a), self.axis(b));
                ((a.cross(&b.cross(&arm)) + b.cross(&a.cross(&arm))) * 0.5, Vector3::zeros())
            }
        }
    }

    /// Inertia force and moment of a piece in each case.
    pub fn on_piece(&self, sample: &MassSample) -> [(Vector3<f64>, Vector3<f64>); CASES] {
        std::array::from_fn(|case| {
            let (along, about) = self.acceleration(case, sample.position);
            let turning = case.checked_sub(6).map_or_else(Vector3::zeros, |pair| {
                let (a, b) = PAIRS[pair];
                let (a, b) = (self.axis(a), self.axis(b));
                (a.cross(&(sample.inertia * b)) + b.cross(&(sample.inertia * a))) * 0.5
            });
            (-along * sample.mass, -(sample.inertia * about + turning))
        })
    }
}

/// Nodal forces and moments, six rows per node, one column per case.
pub(crate) fn nodal(mesh: &Mesh, model: MassModel, frame: &Frame) -> Result<DMatrix<f64>, FemError> {
    let mut total = DMatrix::zeros(6 * mesh.nodes.len(), CASES);
    let mut spread = |freedoms: &[usize], sample: &MassSample| {
        let loads = frame.on_piece(sample);
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
        total -= matrices.mass_times(&fields(mesh, frame));
    }
    Ok(total)
}

/// The accelerations themselves at the nodes.
fn fields(mesh: &Mesh, frame: &Frame) -> DMatrix<f64> {
    let mut fields = DMatrix::zeros(6 * mesh.nodes.len(), CASES);
    for node in (0..mesh.nodes.len()).filter(|node| !mesh.is_coordinate(*node)) {
        for case in 0..CASES {
            let (along, about) = frame.acceleration(case, Vector3::from(mesh.nodes[node]));
            fields.fixed_view_mut::<3, 1>(6 * node, case).copy_from(&along);
            fields.fixed_view_mut::<3, 1>(6 * node + 3, case).copy_from(&about);
        }
    }
    fields
}

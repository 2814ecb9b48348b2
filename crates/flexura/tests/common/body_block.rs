//! Mass block and bias of one body on its own, as one matrix: modes, rotation, translation.

use flexura::model::Body;
use flexura::model::body::MassBlock;
use flexura::spatial::{SymmetricSpatial, Vector3};

/// The (n + 6) × (n + 6) mass block, row-major, and the bias at deformation `eta`, rate and angular velocity.
pub fn body_block(body: &Body, eta: &[f64], rate: &[f64], omega: &Vector3) -> (Vec<f64>, Vec<f64>) {
    let n = body.modes;
    let (mut rigid, mut bias_rigid) = (SymmetricSpatial::ZERO, [0.0; 6]);
    let (mut coupling, mut modal, mut bias_modal) = (vec![[0.0; 6]; n], vec![0.0; n * n], vec![0.0; n]);
    let mut scratch = vec![0.0; body.scratch()];
    let mut block = MassBlock {
        rigid: &mut rigid,
        coupling: &mut coupling,
        modal: &mut modal,
        bias_modal: &mut bias_modal,
        bias_rigid: &mut bias_rigid,
        scratch: &mut scratch,
    };
    body.fill_constant_mass(&mut block);
    body.evaluate(eta, rate, omega, &mut block);
    let (size, corner) = (n + 6, rigid.full());
    let entry = |i: usize, j: usize| match (i < n, j < n) {
        (true, true) => modal[i * n + j],
        (true, false) => coupling[i][j - n],
        (false, true) => coupling[j][i - n],
        (false, false) => corner[i - n][j - n],
    };
    let mass = (0..size * size).map(|at| entry(at / size, at % size)).collect();
    (mass, [&bias_modal[..], &bias_rigid[..]].concat())
}

//! Accelerations and reactions of a closed mechanism by one dense factorisation.

use flexura::algorithm::composite_body::{CompositeBody, composite_body};
use flexura::algorithm::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics};
use flexura::{Model, Workspace};
use nalgebra::{DMatrix, DVector};

/// What a dense solution says at one state.
pub struct Dense {
    /// Accelerations of all speeds.
    pub chidot: Vec<f64>,
    /// Jᵀλ on the free speeds, zero elsewhere.
    pub force: Vec<f64>,
    /// λ of least norm.
    pub multipliers: Vec<f64>,
    /// Rows whose multiplier is determined.
    pub determined: Vec<bool>,
    /// Independent rows.
    pub rank: usize,
}

/// Pseudo-inverse solution of [M Jᵀ; J 0] [a; −λ] = [f; −γ] by eigenvalues, with the mass matrix of composite
/// bodies; the opened tree's accelerations `open` and the rows there give γ.
pub fn dense_solution(model: &Model, work: &Workspace, open: &[f64], acceleration: &[f64]) -> Dense {
    let (rows, speeds) = (model.constraint_count(), model.speed_count());
    let mut composite = CompositeBody::new(model).expect("small");
    composite_body(model, &work.motion.kinematics, &work.inertias, &work.load, &mut composite)
        .expect("regular");
    let mass = DMatrix::from_row_slice(speeds, speeds, &composite.mass);
    let jacobian = DMatrix::from_row_slice(rows, speeds, &work.closure.jacobian.dense(speeds));
    let gamma = DVector::from_column_slice(acceleration) - &jacobian * DVector::from_column_slice(open);
    let free: Vec<usize> = (0..speeds).filter(|&i| !model.prescribed[i]).collect();
    let given =
        DVector::from_fn(speeds, |i, _| if model.prescribed[i] { work.load.acceleration[i] } else { 0.0 });
    let mut bias = InverseDynamics::new(model);
    let (kin, bodies, wrench) = (&work.motion.kinematics, &work.inertias, &work.load.wrench);
    inverse_dynamics(model, kin, bodies, given.as_slice(), wrench, Terms::All, &mut bias);
    let n = free.len();
    let matrix = DMatrix::from_fn(n + rows, n + rows, |i, j| match (i < n, j < n) {
        (true, true) => mass[(free[i], free[j])],
        (true, false) => jacobian[(j - n, free[i])],
        (false, true) => jacobian[(i - n, free[j])],
        (false, false) => 0.0,
    });
    let rest = -(gamma + &jacobian * &given);
    let right = DVector::from_fn(n + rows, |i, _| {
        if i < n { work.load.generalized[free[i]] - bias.generalized[free[i]] } else { rest[i - n] }
    });
    let eigen = matrix.symmetric_eigen();
    let limit = 1e-9 * eigen.eigenvalues.amax();
    let mut solution = DVector::zeros(n + rows);
    let (mut rank, mut determined) = (rows, vec![true; rows]);
    for (value, vector) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
        if value.abs() > limit {
            solution += vector * (vector.dot(&right) / value);
        } else {
            rank -= 1;
            (0..rows).for_each(|r| determined[r] &= vector[n + r].abs() < 1e-7);
        }
    }
    let multipliers: Vec<f64> = (0..rows).map(|r| -solution[n + r]).collect();
    let (mut chidot, mut force) = (given.as_slice().to_vec(), vec![0.0; speeds]);
    for (a, &i) in free.iter().enumerate() {
        chidot[i] = solution[a];
        force[i] = (0..rows).map(|r| jacobian[(r, i)] * multipliers[r]).sum();
    }
    Dense { chidot, force, multipliers, determined, rank }
}

//! Speeds that a system at rest may keep.
//!
//! At an equilibrium the directions that no stiffness resists span the null space N
//! of the reduced tangent ZᵀKZ. A start that moves keeps its momentum along them:
//! v = v_rest + Z N (NᵀM'N)⁻¹ NᵀM' y, with v_start − v_rest = Z y as nearly as the constraints allow and M' = ZᵀMZ;
//! v_rest is what prescribed motions impose. A
//! vehicle that rolls goes on rolling when its springs have been brought to rest.
//! Stiffness and directions are measured in coordinates of unit mass, so that units do
//! not decide what is held. Offline: may allocate.
//!
//! Typeset: book/src/theory/linear_analysis.md (LA.3).

use super::equilibrium::residual;
use super::manifold::Manifold;
use crate::algorithm::composite_body::{CompositeBody, mass_matrix};
use crate::linear::singular_values;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;
use nalgebra::{DMatrix, DVector};

/// Stiffness relative to the largest, in coordinates of unit mass, below which nothing is held.
const LOOSE: f64 = 1e-12;

/// Gives `rest`, an equilibrium, the speeds of `start` in all directions that nothing holds.
pub fn keep_free_speeds(model: &Model, start: &State, rest: &mut State) {
    let free: Vec<usize> = (0..model.speed_count()).filter(|&i| !model.prescribed[i]).collect();
    if free.is_empty() || free.iter().all(|&i| start.v[i] == 0.0) {
        return;
    }
    let (basis, tangent) = match model.loops.is_empty() {
        true => (DMatrix::identity(free.len(), free.len()), residual(model, rest, &free, None).0),
        false => {
            let manifold = Manifold::at(model, rest, &free);
            let reactions = manifold.reactions(&residual(model, rest, &free, None).1);
            (manifold.basis, residual(model, rest, &free, Some(reactions.as_slice())).0)
        }
    };
    let stiffness = basis.tr_mul(&(&tangent * &basis));
    let Some(mass) = free_mass(model, rest, &free) else { return };
    // Where nothing at all is held, the largest stiffness of the rest is rounding: coordinates on their own set the scale.
    let alone = (0..free.len()).map(|i| (tangent[(i, i)] / mass[(i, i)]).abs());
    let alone = alone.filter(|stiffness| stiffness.is_finite()).fold(0.0_f64, f64::max);
    let mass = basis.tr_mul(&(mass * &basis));
    let Some(factor) = mass.cholesky() else { return };
    // K' = L⁻¹ (ZᵀKZ) L⁻ᵀ.
    let Some(half) = factor.l_dirty().solve_lower_triangular(&stiffness) else { return };
    let Some(scaled) = factor.l_dirty().solve_lower_triangular(&half.transpose()) else { return };
    let Some(svd) = singular_values(scaled.transpose(), false, true) else { return };
    let Some(directions) = svd.v_t else { return };
    let largest = svd.singular_values.max().max(alone);
    let before = DVector::from_iterator(free.len(), free.iter().map(|&i| start.v[i] - rest.v[i]));
    let momentum = factor.l().tr_mul(&basis.tr_mul(&before));
    let mut kept = DVector::zeros(momentum.len());
    for k in (0..momentum.len()).filter(|&k| svd.singular_values[k] <= LOOSE * largest) {
        let direction = directions.row(k).transpose();
        kept += &direction * direction.dot(&momentum);
    }
    let Some(speeds) = factor.l_dirty().tr_solve_lower_triangular(&kept) else { return };
    let speeds = &basis * speeds;
    for (i, &speed) in free.iter().enumerate() {
        rest.v[speed] += speeds[i];
    }
}

/// The mass matrix over the free speeds; `None` where there are too many.
fn free_mass(model: &Model, state: &State, free: &[usize]) -> Option<DMatrix<f64>> {
    let mut work = Workspace::<f64>::new(model);
    work.kinematics(model, state);
    let mut full = CompositeBody::new(model).ok()?;
    mass_matrix(model, &work.motion.kinematics, &work.inertias, &mut full);
    let n = model.speed_count();
    Some(DMatrix::from_fn(free.len(), free.len(), |i, k| full.mass[free[i] * n + free[k]]))
}

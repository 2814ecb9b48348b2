//! Bushing: springs and dampers in all six directions.
//!
//! The deflection x = [θ; d] has the rotation vector θ of the second frame in the
//! first and the position d of its origin, both in the first frame's axes.
//! f = f₀ + K x + k₃ x³ + C ẋ (x³ per component), E = f₀*x + ½ x*K x + ¼ Σ k₃ x⁴,
//! P = −ẋ*C ẋ. The force on the second frame is −f_d; the moment is −Jr⁻ᵀ f_θ in
//! its own axes, because θ̇ = Jr⁻¹ ω there (as for springs of spherical joints),
//! so that energy is exact. θ jumps where the relative rotation passes half a turn.

use super::fault::Faults;
use super::relative::{FrameState, Relative};
use super::{ElementForce, ElementKind};
use crate::model::validate::matrix::{asymmetry, lost_definiteness};
use crate::model::words;
use crate::scalar::Scalar;
use crate::spatial::{
    Spatial, Vector3, angular, dot6, join, linear, matrix_product, matrix_vector, negate,
    quaternion_from_matrix, quaternion_log, right_jacobian_inverse, transposed, transposed_matrix_vector,
};

/// Parameters of a bushing; order: rotation about x, y, z, then translation along x, y, z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bushing {
    /// Stiffness, symmetric (N m/rad, N/m).
    pub stiffness: [[f64; 6]; 6],
    /// Damping, symmetric (N m s/rad, N s/m).
    pub damping: [[f64; 6]; 6],
    /// Cubic stiffness of each direction (N m/rad³, N/m³).
    pub cubic: [f64; 6],
    /// Moment and force at zero deflection, against positive deflections (N m, N).
    pub preload: [f64; 6],
}

impl Bushing {
    /// A bushing without coupling between its directions.
    pub fn diagonal(stiffness: [f64; 6], damping: [f64; 6]) -> Self {
        let spread = |values: [f64; 6]| {
            let mut matrix = [[0.0; 6]; 6];
            (0..6).for_each(|i| matrix[i][i] = values[i]);
            matrix
        };
        Self { stiffness: spread(stiffness), damping: spread(damping), cubic: [0.0; 6], preload: [0.0; 6] }
    }

    pub(super) fn evaluate<S: Scalar>(
        &self,
        first: &FrameState<S>,
        second: &FrameState<S>,
    ) -> ElementForce<S> {
        let relative = Relative::new(first, second);
        let theta = turned(first, second);
        let spin = transposed_matrix_vector(&second.rotation, &relative.spin);
        let in_first = |v| transposed_matrix_vector(&first.rotation, v);
        let x = join(&theta, &in_first(&relative.arm));
        let rate = join(&right_jacobian_inverse(&theta, &spin), &in_first(&relative.velocity));
        let damper = times(&self.damping, &rate);
        let mut force = times(&self.stiffness, &x);
        let mut energy = dot6(&force, &x) * 0.5;
        for i in 0..6 {
            let square = x[i] * x[i];
            energy += square * square * (0.25 * self.cubic[i]) + x[i] * self.preload[i];
            force[i] += square * x[i] * self.cubic[i] + damper[i] + S::from_f64(self.preload[i]);
        }
        // Jr⁻¹(θ)ᵀ = Jr⁻¹(−θ)
        let moment = right_jacobian_inverse(&negate(&theta), &angular(&force));
        let moment = negate(&matrix_vector(&second.rotation, &moment));
        let push = negate(&matrix_vector(&first.rotation, &linear(&force)));
        let power = -dot6(&damper, &rate);
        ElementForce { wrench: join(&moment, &push), energy, power, measure: relative.line().length }
    }

    pub(super) fn check(&self, faults: &mut Faults) {
        check_matrix("stiffness", "negative-stiffness", &self.stiffness, faults);
        check_matrix("damping", "negative-damping", &self.damping, faults);
        faults.finite("cubic", &self.cubic);
        faults.finite("preload", &self.preload);
        if self.cubic.iter().any(|&k| k < 0.0) {
            let message = format!("`cubic` has a negative entry: {}", words::numbers(&self.cubic));
            let help = "a negative cubic term pushes away at large deflections; give zero or more";
            faults.error("negative-stiffness", "cubic", message, help);
        }
        let zero = |matrix: &[[f64; 6]; 6]| matrix.as_flattened().iter().all(|&x| x == 0.0);
        if zero(&self.stiffness) && zero(&self.damping) && self.cubic == [0.0; 6] && self.preload == [0.0; 6]
        {
            let help = "give stiffness = [..] with six numbers";
            faults.warning(
                "idle-element",
                "stiffness",
                "the bushing has neither stiffness nor damping",
                help,
            );
        }
    }
}

/// Rotation vector of the second frame in the first.
#[inline(always)]
pub(super) fn turned<S: Scalar>(first: &FrameState<S>, second: &FrameState<S>) -> Vector3<S> {
    let relative = matrix_product(&transposed(&first.rotation), &second.rotation);
    quaternion_log(&quaternion_from_matrix(&relative))
}

#[inline(always)]
fn times<S: Scalar>(matrix: &[[f64; 6]; 6], x: &Spatial<S>) -> Spatial<S> {
    std::array::from_fn(|i| (0..6).fold(S::ZERO, |sum, j| sum + x[j] * matrix[i][j]))
}

fn check_matrix(key: &'static str, code: &'static str, matrix: &[[f64; 6]; 6], faults: &mut Faults) {
    let values = matrix.as_flattened();
    if values.iter().any(|x| !x.is_finite()) {
        faults.finite(key, values);
        return;
    }
    if let Some((row, column)) = asymmetry(values, 6) {
        let (upper, lower) = (words::number(matrix[row][column]), words::number(matrix[column][row]));
        let (a, b) = (row + 1, column + 1);
        let message = format!(
            "`{key}` is not symmetric: row {a} column {b} is {upper}, but row {b} column {a} is {lower}"
        );
        faults.error("matrix-not-symmetric", key, message, "make both equal");
        return;
    }
    // A little extra on the diagonal lets singular matrices pass, but not negative ones.
    let largest = values.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
    let mut shifted = values.to_vec();
    (0..6).for_each(|k| shifted[k * 7] += 1e-9 * largest);
    if let Some(row) = lost_definiteness(&shifted, 6, 0.0).filter(|_| largest > 0.0) {
        let message = format!("`{key}` is not positive: it feeds energy in, seen at row {}", row + 1);
        faults.error(code, key, message, "give a symmetric matrix without negative eigenvalues");
    }
}

impl From<Bushing> for ElementKind {
    fn from(element: Bushing) -> Self {
        Self::Bushing(element)
    }
}

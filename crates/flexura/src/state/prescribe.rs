//! Prescribed coordinates: their values, speeds and accelerations at an instant.
//!
//! Scalar coordinates follow their function directly. On spherical and free
//! joints the three functions are the components of the rotation vector θ(t):
//! q = exp(θ), u = Jr θ̇, u̇ = Jr θ̈ + J̇r θ̇ with Jr = 1 − b θ~ + c θ~²; on free
//! joints three more give the position p(t) in O⁺: v = Rᵀṗ, v̇ = Rᵀp̈ − ω × v.

use crate::model::joint::JointKind;
use crate::model::{Coordinate, Model, layout_of};
use crate::scalar::Scalar;
use crate::spatial::{
    Vector3, cross, dot, exp_coefficients, left_jacobian_coefficient_rates, matrix_from_quaternion,
    quaternion_exp, transposed_matrix_vector,
};
use crate::state::Load;
use crate::state::State;
use crate::time_function::Sample;

/// Sets prescribed coordinates and speeds in `state` at its time, and their accelerations in `load`.
pub fn apply_prescribed<S: Scalar>(model: &Model, state: &mut State<S>, mut load: Option<&mut Load<S>>) {
    let (time, side) = (state.time, state.side);
    for (k, joint) in model.joints.iter().enumerate() {
        if joint.coordinates.iter().all(|c| c.motion.is_none()) {
            continue;
        }
        let part = layout_of(model, k);
        let sample = |c: &Coordinate| c.motion.as_ref().map(|f| f.sample_side(time, side));
        let q = &mut state.q[part.joint_q()];
        let u = &mut state.v[part.joint_v()];
        let mut udot = [None; 6];
        match joint.joint.kind {
            JointKind::Spherical => rotation(&joint.coordinates, &sample, q, u, &mut udot),
            JointKind::Free => {
                rotation(&joint.coordinates, &sample, q, u, &mut udot);
                position(&joint.coordinates, &sample, q, u, &mut udot);
            }
            _ => {
                for (i, c) in joint.coordinates.iter().enumerate() {
                    if let Some(s) = sample(c) {
                        q[i] = S::sampled(s.value);
                        u[i] = S::sampled(s.rate);
                        udot[i] = Some(S::sampled(s.acceleration));
                    }
                }
            }
        }
        if let Some(load) = load.as_deref_mut() {
            for (i, value) in udot.iter().enumerate().take(part.joint_v) {
                if let Some(value) = value {
                    load.acceleration[part.v + part.modes + i] = *value;
                }
            }
        }
    }
}

/// Three samples, if all three coordinates are prescribed.
fn triple(
    coordinates: &[Coordinate],
    sample: &impl Fn(&Coordinate) -> Option<Sample>,
) -> Option<[Sample; 3]> {
    Some([sample(&coordinates[0])?, sample(&coordinates[1])?, sample(&coordinates[2])?])
}

fn rotation<S: Scalar>(
    coordinates: &[Coordinate],
    sample: &impl Fn(&Coordinate) -> Option<Sample>,
    q: &mut [S],
    u: &mut [S],
    udot: &mut [Option<S>; 6],
) {
    let Some(s) = triple(&coordinates[..3], sample) else { return };
    let theta: Vector3 = s.map(|s| s.value);
    let rate: Vector3 = s.map(|s| s.rate);
    let second: Vector3 = s.map(|s| s.acceleration);
    let x = dot(&theta, &theta);
    let e = exp_coefficients(x);
    let (b_slope, c_slope) = left_jacobian_coefficient_rates(x, &e);
    let x_rate = 2.0 * dot(&theta, &rate);
    let jr = |v: &Vector3| -> Vector3 {
        let first = cross(&theta, v);
        let twice = cross(&theta, &first);
        std::array::from_fn(|i| v[i] - e.b * first[i] + e.c * twice[i])
    };
    let first = cross(&theta, &rate);
    let (twice, mixed) = (cross(&theta, &first), cross(&rate, &first));
    let (speed, acceleration) = (jr(&rate), jr(&second));
    q[..4].copy_from_slice(&quaternion_exp(&theta).map(S::sampled));
    for i in 0..3 {
        u[i] = S::sampled(speed[i]);
        let convective = -x_rate * b_slope * first[i] + x_rate * c_slope * twice[i] + e.c * mixed[i];
        udot[i] = Some(S::sampled(acceleration[i] + convective));
    }
}

fn position<S: Scalar>(
    coordinates: &[Coordinate],
    sample: &impl Fn(&Coordinate) -> Option<Sample>,
    q: &mut [S],
    u: &mut [S],
    udot: &mut [Option<S>; 6],
) {
    let Some(s) = triple(&coordinates[3..], sample) else { return };
    let r = matrix_from_quaternion(&[q[0], q[1], q[2], q[3]]);
    let v = transposed_matrix_vector(&r, &s.map(|s| S::sampled(s.rate)));
    let a = transposed_matrix_vector(&r, &s.map(|s| S::sampled(s.acceleration)));
    let turning = cross(&[u[0], u[1], u[2]], &v);
    for i in 0..3 {
        q[4 + i] = S::sampled(s[i].value);
        u[3 + i] = v[i];
        udot[3 + i] = Some(a[i] - turning[i]);
    }
}

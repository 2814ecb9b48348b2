//! Poses and velocities of all bodies at a state of the tree, by own forward kinematics.
//!
//! Only used to find the initial natural coordinates; offline.

use super::deformation::{Deformation, VectorRule};
use crate::model::joint::JointMotion;
use crate::model::{Model, Mount};
use crate::spatial::{
    Matrix3, Vector3, add, angular, cross, linear, matrix_product, matrix_product_transposed, matrix_vector,
    sub,
};
use crate::state::State;

/// Pose and velocity of a frame, inertial components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyMotion {
    /// Orientation, frame → inertial.
    pub rotation: Matrix3,
    /// Position of the origin (m).
    pub position: Vector3,
    /// Angular velocity (rad/s).
    pub spin: Vector3,
    /// Velocity of the origin (m/s).
    pub velocity: Vector3,
}

impl BodyMotion {
    /// The ground.
    pub(super) const GROUND: Self =
        Self { rotation: identity(), position: [0.0; 3], spin: [0.0; 3], velocity: [0.0; 3] };
}

const fn identity() -> Matrix3 {
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
}

/// Pose, in the body frame, and rates of a frame mounted on body `k`.
struct Mounted {
    rotation: Matrix3,
    position: Vector3,
    spin: Vector3,
    rate: Vector3,
}

fn mounted(model: &Model, body: Option<usize>, mount: &Mount, state: &State) -> Mounted {
    let rigid =
        Mounted { rotation: *mount.rotation, position: mount.position, spin: [0.0; 3], rate: [0.0; 3] };
    let Some(k) = body else { return rigid };
    let attachment = &model.bodies[k].attachments[mount.attachment];
    let part = &model.layout.bodies[k];
    let mut shape = Deformation::new(part.modes, VectorRule::Exact);
    shape.evaluate(&attachment.shape, &state.q[part.modal_q()], &state.v[part.modal_v()]);
    let arm = shape.arm(&mount.position);
    let rotation = matrix_product(&shape.rotation, &mount.rotation);
    Mounted { rotation, position: arm.value, spin: shape.spin, rate: arm.rate }
}

/// Motion of a frame on a body that moves as `body`.
fn carried(body: &BodyMotion, frame: &Mounted) -> BodyMotion {
    let arm = matrix_vector(&body.rotation, &frame.position);
    let slide = matrix_vector(&body.rotation, &frame.rate);
    BodyMotion {
        rotation: matrix_product(&body.rotation, &frame.rotation),
        position: add(&body.position, &arm),
        spin: add(&body.spin, &matrix_vector(&body.rotation, &frame.spin)),
        velocity: add(&add(&body.velocity, &cross(&body.spin, &arm)), &slide),
    }
}

/// Motion of the frame `mount` of a body that moves as `body`, at `state`.
pub(super) fn frame_motion(
    model: &Model,
    body: (Option<usize>, &BodyMotion),
    mount: &Mount,
    state: &State,
) -> BodyMotion {
    carried(body.1, &mounted(model, body.0, mount, state))
}

/// Motion of the body whose frame `frame` moves as `hinge`.
fn carrier(hinge: &BodyMotion, frame: &Mounted) -> BodyMotion {
    let rotation = matrix_product_transposed(&hinge.rotation, &frame.rotation);
    let arm = matrix_vector(&rotation, &frame.position);
    let spin = sub(&hinge.spin, &matrix_vector(&rotation, &frame.spin));
    let slide = matrix_vector(&rotation, &frame.rate);
    let velocity = sub(&sub(&hinge.velocity, &cross(&spin, &arm)), &slide);
    BodyMotion { rotation, position: sub(&hinge.position, &arm), spin, velocity }
}

/// Motions of all bodies at `state`.
pub(super) fn body_motions(model: &Model, state: &State) -> Vec<BodyMotion> {
    let mut motions: Vec<BodyMotion> = Vec::with_capacity(model.body_count());
    for (k, joint) in model.joints.iter().enumerate() {
        let part = &model.layout.bodies[k];
        let parent = joint.parent.map_or(BodyMotion::GROUND, |p| motions[p]);
        let outer = carried(&parent, &mounted(model, joint.parent, &joint.outer, state));
        let mut relative = JointMotion::at_rest();
        joint.joint.evaluate(&state.q[part.joint_q()], &state.v[part.joint_v()], &mut relative);
        let hinge = carried(&outer, &relative_frame(&relative));
        motions.push(carrier(&hinge, &mounted(model, Some(k), &joint.inner, state)));
    }
    motions
}

/// The outboard joint frame in the inboard one.
fn relative_frame(motion: &JointMotion<f64>) -> Mounted {
    let turned = |v: &Vector3| matrix_vector(&motion.rotation, v);
    Mounted {
        rotation: motion.rotation,
        position: motion.translation,
        spin: turned(&angular(&motion.velocity)),
        rate: turned(&linear(&motion.velocity)),
    }
}

/// Motion of the frame `second` seen from `first`, components of the first: (R, r, ω, ṙ).
pub(super) fn relative_motion(
    first: &BodyMotion,
    second: &BodyMotion,
) -> crate::model::closure::RelativeMotion {
    let back = |v: &Vector3| crate::spatial::transposed_matrix_vector(&first.rotation, v);
    let arm = sub(&second.position, &first.position);
    let apart = sub(&sub(&second.velocity, &first.velocity), &cross(&first.spin, &arm));
    let turning = sub(&second.spin, &first.spin);
    let rotation = matrix_product(&crate::spatial::transposed(&first.rotation), &second.rotation);
    crate::model::closure::RelativeMotion {
        rotation,
        position: back(&arm),
        velocity: crate::spatial::join(&back(&turning), &back(&apart)),
        acceleration: [0.0; 6],
    }
}

/// The ground as a motion with frame `mount`.
pub(super) fn ground_frame(mount: &Mount) -> BodyMotion {
    BodyMotion { rotation: *mount.rotation, position: mount.position, ..BodyMotion::GROUND }
}

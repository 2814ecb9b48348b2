//! Poses, velocities and accelerations in the inertial frame.
//!
//! Source: Richard (2012), eqs 47-48, and Mukherjee & Anderson eqs 13-24, a point of a flexible body in the inertial frame, twice differentiated.
//! Runs after the kinematics pass; not part of the dynamics loop. With rule
//! `frozen` the dynamics uses undeformed attachments, so recorded poses are
//! recomputed here with the deformed ones (book/src/theory/kinematics.md).

use super::kinematics::Kinematics;
use crate::model::body::AttachmentState;
use crate::model::body::LARGEST;
use crate::model::description::AttachmentRule;
use crate::model::joint::JointMotion;
use crate::model::{Frame, Model, Mount, layout_of};
use crate::motion::Motion;
use crate::scalar::Scalar;
use crate::spatial::{
    Matrix3, Spatial, Vector3, add, add6, angular, cross, join, lift_matrix, lift3, linear, matrix_product,
    matrix_product_transposed, matrix_vector, rotate_back6, rotate6, shift_motion, sub, sub6,
};
use crate::state::State;

/// Pose and velocity of each body's reference frame.
#[derive(Clone, Debug)]
pub struct Poses<S = f64> {
    /// Orientation, F_k → inertial.
    pub rotation: Vec<Matrix3<S>>,
    /// Position, inertial components (m).
    pub position: Vec<Vector3<S>>,
    /// Velocity [ω; v] of F_k in F_k components.
    pub velocity: Vec<Spatial<S>>,
}

impl<S: Scalar> Poses<S> {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        let n = model.body_count();
        Self {
            rotation: vec![crate::spatial::identity3(); n],
            position: vec![[S::ZERO; 3]; n],
            velocity: vec![[S::ZERO; 6]; n],
        }
    }
}

/// Fills poses and velocities of all bodies from `state` and its kinematics.
pub(crate) fn outward_pose<S: Scalar>(
    model: &Model,
    state: &State<S>,
    kin: &Kinematics<S>,
    out: &mut Poses<S>,
) {
    for k in 0..model.body_count() {
        let joint = &model.joints[k];
        let (rotation, from_parent) = deformed_pose(model, state, kin, k);
        let velocity = hinge_velocity(model, state, kin, k, &out.velocity);
        match joint.parent {
            Some(p) => {
                out.rotation[k] = matrix_product(&out.rotation[p], &rotation);
                out.position[k] = add(&out.position[p], &matrix_vector(&out.rotation[p], &from_parent));
            }
            None => {
                out.rotation[k] = rotation;
                out.position[k] = from_parent;
            }
        }
        out.velocity[k] = velocity;
    }
}

/// V(k) = phi*(t,k)(…) + H β − Pd η̇, F_k components.
fn hinge_velocity<S: Scalar>(
    model: &Model,
    state: &State<S>,
    kin: &Kinematics<S>,
    k: usize,
    velocities: &[Spatial<S>],
) -> Spatial<S> {
    let (joint, body) = (&model.joints[k], &kin.bodies[k]);
    let mut velocity = [S::ZERO; 6];
    if let Some(p) = joint.parent {
        let mut point = velocities[p];
        if joint.outer.attachment != 0 {
            let node = &kin.attachments[layout_of(model, p).attachment + joint.outer.attachment].state;
            point = add6(&shift_motion(&node.position, &point), &node.rate);
        }
        velocity = rotate_back6(&body.rotation, &shift_motion(&body.from_node, &point));
    }
    add_joint_velocity(model, state, kin, k, velocity)
}

/// V(k) on a parent at rest whose modes move, F_k components.
pub(crate) fn own_velocity<S: Scalar>(
    model: &Model,
    state: &State<S>,
    kin: &Kinematics<S>,
    k: usize,
) -> Spatial<S> {
    let (joint, body) = (&model.joints[k], &kin.bodies[k]);
    let mut velocity = [S::ZERO; 6];
    if let Some(p) = joint.parent.filter(|_| joint.outer.attachment != 0) {
        let node = &kin.attachments[layout_of(model, p).attachment + joint.outer.attachment].state;
        velocity = rotate_back6(&body.rotation, &shift_motion(&body.from_node, &node.rate));
    }
    add_joint_velocity(model, state, kin, k, velocity)
}

/// `velocity` + H β − Pd η̇.
fn add_joint_velocity<S: Scalar>(
    model: &Model,
    state: &State<S>,
    kin: &Kinematics<S>,
    k: usize,
    mut velocity: Spatial<S>,
) -> Spatial<S> {
    let part = layout_of(model, k);
    for (column, &u) in kin.subspace[part.joint()].iter().zip(&state.v[part.joint_v()]) {
        velocity = add6(&velocity, &crate::spatial::scale6(u, column));
    }
    if super::kinematics::inboard_deforms(model, k) {
        for (column, &rate) in kin.inboard[part.modal()].iter().zip(&state.v[part.modal_v()]) {
            velocity = sub6(&velocity, &crate::spatial::scale6(rate, column));
        }
    }
    velocity
}

/// Whether the dynamics keeps a point of joint `k` undeformed that records show with its deformation.
pub(crate) fn is_frozen(model: &Model, k: usize) -> bool {
    let joint = &model.joints[k];
    let frozen = |body: usize, index: usize| {
        let attachment = &model.bodies[body].attachments[index];
        attachment.constant && !attachment.rigid
    };
    frozen(k, joint.inner.attachment) || joint.parent.is_some_and(|p| frozen(p, joint.outer.attachment))
}

/// Pose of F_k in its parent with deformed attachments.
pub(crate) fn deformed_pose<S: Scalar>(
    model: &Model,
    state: &State<S>,
    kin: &Kinematics<S>,
    k: usize,
) -> (Matrix3<S>, Vector3<S>) {
    let (part, joint) = (layout_of(model, k), &model.joints[k]);
    if !is_frozen(model, k) {
        let motion = &kin.bodies[k];
        return (motion.rotation, motion.from_parent);
    }
    let outer = match joint.parent {
        Some(p) => mounted(model, state, p, &joint.outer),
        None => mount_on(&AttachmentState::undeformed(&[0.0; 3]), &joint.outer),
    };
    let inner = mounted(model, state, k, &joint.inner);
    let mut motion = JointMotion::at_rest();
    joint.joint.evaluate(&state.q[part.joint_q()], &state.v[part.joint_v()], &mut motion);
    let hinge = add(&outer.1, &matrix_vector(&outer.0, &motion.translation));
    let rotation = matrix_product_transposed(&matrix_product(&outer.0, &motion.rotation), &inner.0);
    (rotation, sub(&hinge, &matrix_vector(&rotation, &inner.1)))
}

/// Deformed orientation and position of a mount in its body frame.
fn mounted<S: Scalar>(
    model: &Model,
    state: &State<S>,
    body: usize,
    mount: &Mount,
) -> (Matrix3<S>, Vector3<S>) {
    mount_on(&deformed_attachment(model, state, body, mount.attachment), mount)
}

fn mount_on<S: Scalar>(point: &AttachmentState<S>, mount: &Mount) -> (Matrix3<S>, Vector3<S>) {
    let rotation = matrix_product(&point.rotation, &lift_matrix(&mount.rotation));
    (rotation, add(&point.position, &matrix_vector(&point.rotation, &lift3(&mount.position))))
}

/// The attachment with its true deformation, whatever the rule of the dynamics.
fn deformed_attachment<S: Scalar>(
    model: &Model,
    state: &State<S>,
    body: usize,
    index: usize,
) -> AttachmentState<S> {
    with_influence(model, state, body, index, |point, _| point)
}

/// Calls `use_it` with the deformed attachment and its Jacobian columns.
pub(super) fn with_influence<S: Scalar, T>(
    model: &Model,
    state: &State<S>,
    body: usize,
    index: usize,
    use_it: impl FnOnce(AttachmentState<S>, &[Spatial<S>]) -> T,
) -> T {
    let (part, description) = (layout_of(model, body), &model.bodies[body]);
    let source = &description.attachments[index];
    let mut columns = [[S::ZERO; 6]; LARGEST];
    let columns = &mut columns[..part.modes.min(LARGEST)];
    if source.rigid || part.modes > LARGEST {
        return use_it(AttachmentState::undeformed(&source.shape.position), &[]);
    }
    source.fill_constant_influence(columns);
    let rule =
        if description.rule == AttachmentRule::LambdaEtad { description.rule } else { AttachmentRule::Exact };
    let moving = source.evaluate_as_moving(rule, &state.q[part.modal_q()], &state.v[part.modal_v()], columns);
    use_it(moving, columns)
}

/// Pose, velocity and acceleration of a named frame, inertial components.
#[derive(Clone, Copy, Debug)]
pub struct FrameMotion<S = f64> {
    /// Orientation, frame → inertial.
    pub rotation: Matrix3<S>,
    /// Position (m).
    pub position: Vector3<S>,
    /// Velocity [ω; v] (rad/s, m/s).
    pub velocity: Spatial<S>,
    /// Acceleration (rad/s², m/s²).
    pub acceleration: Spatial<S>,
}

/// Motion of `frame`; `body_acceleration` is α_R of each body with −g at the base, `chidot` the
/// generalised accelerations.
pub fn frame_motion<S: Scalar>(
    model: &Model,
    state: &State<S>,
    motion: &Motion<S>,
    body_acceleration: &[Spatial<S>],
    chidot: &[S],
    frame: &Frame,
) -> FrameMotion<S> {
    let (kin, poses) = (&motion.kinematics, &motion.poses);
    let Some(body) = frame.body else {
        let point = AttachmentState::undeformed(&[0.0; 3]);
        let (rotation, position) = mount_on(&point, &frame.mount);
        return FrameMotion { rotation, position, velocity: [S::ZERO; 6], acceleration: [S::ZERO; 6] };
    };
    let k = body.0;
    let part = layout_of(model, k);
    let etadd = &chidot[part.modal_v()];
    let velocity = poses.velocity[k];
    let omega = angular(&velocity);
    let alpha = reference_acceleration(model, kin, body_acceleration, chidot, k);
    let (point, point_velocity, point_acceleration) =
        with_influence(model, state, k, frame.mount.attachment, |point, columns| {
            let mut acceleration = add6(&shift_motion(&point.position, &alpha), &point.bias(&omega));
            for (column, &x) in columns.iter().zip(etadd) {
                acceleration = add6(&acceleration, &crate::spatial::scale6(x, column));
            }
            (point, add6(&shift_motion(&point.position, &velocity), &point.rate), acceleration)
        });
    let arm = matrix_vector(&point.rotation, &lift3(&frame.mount.position));
    let spin = angular(&point_velocity);
    let mut acceleration = shift_motion(&arm, &point_acceleration);
    let centripetal = cross(&spin, &cross(&spin, &arm));
    acceleration = add6(&acceleration, &join(&[S::ZERO; 3], &centripetal));
    let world = &poses.rotation[k];
    let in_world = without_gravity(model, &rotate6(world, &acceleration));
    let (rotation, position) = mount_on(&point, &frame.mount);
    FrameMotion {
        rotation: matrix_product(world, &rotation),
        position: add(&poses.position[k], &matrix_vector(world, &position)),
        velocity: rotate6(world, &shift_motion(&arm, &point_velocity)),
        acceleration: in_world,
    }
}

impl<S: Scalar> Motion<S> {
    /// Pose and velocity of `frame`, inertial components, deformation included; its acceleration is left at zero. After
    /// [`Motion::evaluate`] at `state`.
    pub fn frame(&self, model: &Model, state: &State<S>, frame: &Frame) -> FrameMotion<S> {
        let still = AttachmentState::undeformed(&[0.0; 3]);
        let Some(body) = frame.body else {
            let (rotation, position) = mount_on(&still, &frame.mount);
            return FrameMotion { rotation, position, velocity: [S::ZERO; 6], acceleration: [S::ZERO; 6] };
        };
        let (k, poses) = (body.0, &self.poses);
        let point = deformed_attachment(model, state, k, frame.mount.attachment);
        let arm = matrix_vector(&point.rotation, &lift3(&frame.mount.position));
        let at_point = add6(&shift_motion(&point.position, &poses.velocity[k]), &point.rate);
        let (rotation, position) = mount_on(&point, &frame.mount);
        let world = &poses.rotation[k];
        FrameMotion {
            rotation: matrix_product(world, &rotation),
            position: add(&poses.position[k], &matrix_vector(world, &position)),
            velocity: rotate6(world, &shift_motion(&arm, &at_point)),
            acceleration: [S::ZERO; 6],
        }
    }
}

/// Acceleration of F_k with −g at the base: α_R − Pd η̈, F_k components.
pub(crate) fn reference_acceleration<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    body_acceleration: &[Spatial<S>],
    chidot: &[S],
    k: usize,
) -> Spatial<S> {
    let part = layout_of(model, k);
    let mut alpha = body_acceleration[k];
    if super::kinematics::inboard_deforms(model, k) {
        for (column, &x) in kin.inboard[part.modal()].iter().zip(&chidot[part.modal_v()]) {
            alpha = sub6(&alpha, &crate::spatial::scale6(x, column));
        }
    }
    alpha
}

/// Gravity was modelled as an acceleration of the base: takes it out again.
fn without_gravity<S: Scalar>(model: &Model, in_world: &Spatial<S>) -> Spatial<S> {
    let mut out = *in_world;
    for i in 0..3 {
        out[3 + i] += S::from_f64(model.gravity[i]);
    }
    out
}

/// Acceleration of the reference frame of body `k`, inertial components (rad/s², m/s²).
#[doc(hidden)]
pub fn inertial_acceleration<S: Scalar>(
    model: &Model,
    motion: &Motion<S>,
    body_acceleration: &[Spatial<S>],
    chidot: &[S],
    k: usize,
) -> Spatial<S> {
    let (kin, poses) = (&motion.kinematics, &motion.poses);
    let alpha = reference_acceleration(model, kin, body_acceleration, chidot, k);
    without_gravity(model, &rotate6(&poses.rotation[k], &alpha))
}

/// Velocity of body `k` in inertial components.
#[doc(hidden)]
pub fn inertial_velocity<S: Scalar>(poses: &Poses<S>, k: usize) -> (Vector3<S>, Vector3<S>) {
    let world = &poses.rotation[k];
    (matrix_vector(world, &angular(&poses.velocity[k])), matrix_vector(world, &linear(&poses.velocity[k])))
}

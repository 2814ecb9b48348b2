//! Poses, velocities and biases across one joint.
//!
//! Source: book/src/theory/kinematics.md (KI.7) to (KI.11); Mukherjee & Anderson eq. 70 with errata E9. A pose needs the points of both bodies
//! only; velocity and bias need the angular velocity of the parent as well.

use super::{AttachmentMotion, BodyMotion};
use crate::model::body::AttachmentState;
use crate::model::joint::JointMotion;
use crate::model::{FixedMount, Model, TreeJoint, layout_of};
use crate::scalar::Scalar;
use crate::spatial::{
    Matrix3, Spatial, Vector3, add, angular, axpy, cross, join, lift_matrix, lift3, linear, matrix_product,
    matrix_product_transposed, matrix_vector, negate, rotate6, scale, sub, transposed_matrix_vector,
};
use crate::state::State;

/// The parent's attachment as the child sees it.
pub(crate) struct Node<'a, S> {
    pub state: &'a AttachmentState<S>,
    omega: Vector3<S>,
    /// Angular velocity without deformation rates where the rule is `frozen`.
    carrier_omega: Vector3<S>,
    bias: Spatial<S>,
}

/// What a joint adds to the motion of the parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relative<S> {
    /// From the parent's node to the joint frame O, parent components.
    to_hinge: Vector3<S>,
    /// [Δω; Δv] at O, F_k components.
    velocity: Spatial<S>,
    /// Relative acceleration at u̇ = 0, F_k components.
    bias: Spatial<S>,
    /// From node d to O, F_k components.
    arm: Vector3<S>,
}

impl<S: Scalar> Relative<S> {
    /// No motion.
    pub const ZERO: Self =
        Self { to_hinge: [S::ZERO; 3], velocity: [S::ZERO; 6], bias: [S::ZERO; 6], arm: [S::ZERO; 3] };

    /// Δω.
    pub fn spin(&self) -> Vector3<S> {
        angular(&self.velocity)
    }
}

/// Rotation, offset and relative velocity of a one-axis joint between points that never deform.
#[inline(always)]
pub(crate) fn fixed_pose<S: Scalar>(
    model: &Model,
    state: &State<S>,
    k: usize,
    fixed: &FixedMount,
) -> (Matrix3<S>, Vector3<S>, Spatial<S>) {
    let part = layout_of(model, k);
    let mut rotation = lift_matrix::<S>(&fixed.rotation[0]);
    let mut offset = lift3::<S>(&fixed.offset[0]);
    let mut relative = [S::ZERO; 6];
    if part.joint_v == 1 {
        let q = state.q[part.q + part.modes];
        let u = state.v[part.v + part.modes];
        if fixed.turns {
            let (sin, cos) = q.sin_cos();
            let versine = S::ONE - cos;
            for i in 0..3 {
                axpy(&mut rotation[i], sin, &fixed.rotation[1][i]);
                axpy(&mut rotation[i], versine, &fixed.rotation[2][i]);
            }
            axpy(&mut offset, sin, &fixed.offset[1]);
            axpy(&mut offset, versine, &fixed.offset[2]);
        }
        if fixed.slide != [0.0; 3] {
            axpy(&mut offset, q, &fixed.slide);
        }
        for i in 0..6 {
            relative[i] = u * fixed.column[i];
        }
    }
    (rotation, offset, relative)
}

/// a = E*(W×(W×l)) + (2W + Δω) × w_c (errata C6 without deformation); `inherited` is E* `carrier`.
#[inline(always)]
pub(crate) fn fixed_bias<S: Scalar>(
    rotation: &Matrix3<S>,
    from_parent: &Vector3<S>,
    relative: &Spatial<S>,
    carrier: &Vector3<S>,
    inherited: &Vector3<S>,
) -> Spatial<S> {
    let (turn, drift) = (angular(relative), linear(relative));
    let centripetal = cross(carrier, &cross(carrier, from_parent));
    let twice = [inherited[0] * 2.0 + turn[0], inherited[1] * 2.0 + turn[1], inherited[2] * 2.0 + turn[2]];
    let linear_bias = add(&transposed_matrix_vector(rotation, &centripetal), &cross(&twice, &drift));
    join(&cross(inherited, &turn), &linear_bias)
}

/// ω −= λ_d η̇ of the inboard point of body `k`.
pub(crate) fn inboard_rate<S: Scalar>(model: &Model, state: &State<S>, k: usize, omega: &mut Vector3<S>) {
    let shape = &model.bodies[k].attachments[model.joints[k].inner.attachment].shape;
    for (r, &rate) in state.v[layout_of(model, k).modal_v()].iter().enumerate() {
        axpy(omega, -rate, &shape.slopes[r]);
    }
}

/// Relative motion of any joint between any attachments; fills H_F and the pose in `body`, not its velocity and bias.
#[inline(always)]
pub(crate) fn general_pose<S: Scalar>(
    model: &Model,
    state: &State<S>,
    k: usize,
    inner: &AttachmentState<S>,
    node: &AttachmentState<S>,
    columns: &mut [Spatial<S>],
    motion: &mut JointMotion<S>,
    body: &mut BodyMotion<S>,
) -> Relative<S> {
    let (part, joint) = (layout_of(model, k), &model.joints[k]);
    joint.joint.evaluate(&state.q[part.joint_q()], &state.v[part.joint_v()], motion);
    // Points that do not turn need no product.
    let still = |body: usize, index: usize| model.bodies[body].attachments[index].constant;
    let outer_still = joint.parent.is_none_or(|p| still(p, joint.outer.attachment));
    let inner_still = still(k, joint.inner.attachment);
    // Orientation of O in the parent and in F_k; E = R_pO R_kO*
    let outer_rotation = turned(&node.rotation, &joint.outer.rotation, outer_still);
    let in_parent = matrix_product(&outer_rotation, &motion.rotation);
    let in_body = turned(&inner.rotation, &joint.inner.rotation, inner_still);
    let rotation = matrix_product_transposed(&in_parent, &in_body);
    // Position of O seen from the parent's node (parent axes) and from F_k (own axes).
    let to_hinge = add(
        &carried(&node.rotation, &joint.outer.position, outer_still),
        &matrix_vector(&outer_rotation, &motion.translation),
    );
    let arm = carried(&inner.rotation, &joint.inner.position, inner_still);
    let hinge = add(&inner.position, &arm);
    let from_node = sub(&to_hinge, &matrix_vector(&rotation, &hinge));
    for (column, slot) in motion.columns.iter().zip(columns) {
        let turned = rotate6(&in_body, column);
        let spin = angular(&turned);
        *slot = join(&spin, &add(&linear(&turned), &cross(&hinge, &spin)));
    }
    body.rotation = rotation;
    body.from_node = from_node;
    body.from_parent = add(&node.position, &from_node);
    body.hinge = hinge;
    Relative {
        to_hinge,
        velocity: rotate6(&in_body, &motion.velocity),
        bias: rotate6(&in_body, &motion.bias),
        arm,
    }
}

/// R A, R = 1 where the point is `still`.
#[inline(always)]
fn turned<S: Scalar>(rotation: &Matrix3<S>, by: &Matrix3, still: bool) -> Matrix3<S> {
    if still { lift_matrix(by) } else { matrix_product(rotation, &lift_matrix(by)) }
}

/// R x, R = 1 where the point is `still`.
#[inline(always)]
fn carried<S: Scalar>(rotation: &Matrix3<S>, x: &Vector3, still: bool) -> Vector3<S> {
    if still { lift3(x) } else { matrix_vector(rotation, &lift3(x)) }
}

/// Where a joint hangs, with `omega` of each body; `ground` is an undeformed point at the origin.
#[inline(always)]
pub(crate) fn parent_node<'a, S: Scalar>(
    model: &Model,
    attachments: &'a [AttachmentMotion<S>],
    joint: &TreeJoint,
    ground: &'a AttachmentState<S>,
    omega: impl Fn(usize) -> Vector3<S>,
) -> Node<'a, S> {
    let Some(p) = joint.parent.filter(|_| joint.outer.attachment != 0) else {
        let omega = joint.parent.map_or([S::ZERO; 3], omega);
        return Node { state: ground, omega, carrier_omega: omega, bias: [S::ZERO; 6] };
    };
    let motion = &attachments[layout_of(model, p).attachment + joint.outer.attachment];
    let frozen = model.bodies[p].attachments[joint.outer.attachment].constant;
    Node {
        state: &motion.state,
        omega: motion.omega,
        carrier_omega: if frozen { omega(p) } else { motion.omega },
        bias: motion.bias,
    }
}

/// Velocity and bias from node t over frame O and node d to F_k (book/src/theory/kinematics.md (KI.9), (KI.10)).
///
/// All vectors in F_k components. Returns (ω_k, [al_k; a_k]).
#[inline(always)]
pub(crate) fn compose<S: Scalar>(
    node: &Node<'_, S>,
    rotation: &Matrix3<S>,
    relative: &Relative<S>,
    inner: &AttachmentState<S>,
    frozen: bool,
) -> (Vector3<S>, Spatial<S>) {
    let turn_back = |v: &Vector3<S>| transposed_matrix_vector(rotation, v);
    let (spin, slide) = (angular(&relative.velocity), linear(&relative.velocity));
    let wt = turn_back(&node.carrier_omega);
    let al_t = turn_back(&angular(&node.bias));
    let a_t = turn_back(&linear(&node.bias));
    let lever = turn_back(&relative.to_hinge);
    // al_O = al_t + w_t×Δω + joint bias ; a_O = a_t + al_t×l + w_t×(w_t×l) + 2 w_t×Δv + joint bias
    let al_o = add(&add(&al_t, &cross(&wt, &spin)), &angular(&relative.bias));
    let sway = add(&cross(&al_t, &lever), &cross(&wt, &cross(&wt, &lever)));
    let coriolis = scale(S::from_f64(2.0), &cross(&wt, &slide));
    let a_o = add(&add(&a_t, &sway), &add(&coriolis, &linear(&relative.bias)));
    let w_o = add(&wt, &spin);
    let omega = sub(&add(&turn_back(&node.omega), &spin), &angular(&inner.rate));
    // Node d: bias relative to F_k; a frozen point contributes only its centripetal term.
    let d_bias = if frozen {
        join(&[S::ZERO; 3], &cross(&w_o, &cross(&w_o, &inner.position)))
    } else {
        inner.bias(&omega)
    };
    let to_d = negate(&relative.arm);
    let al_k = sub(&al_o, &angular(&d_bias));
    let a_d = add(&a_o, &add(&cross(&al_o, &to_d), &cross(&w_o, &cross(&w_o, &to_d))));
    let a_k = sub(&sub(&a_d, &cross(&al_k, &inner.position)), &linear(&d_bias));
    (omega, join(&al_k, &a_k))
}

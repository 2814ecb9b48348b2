//! Outward kinematics: poses relative to parents, angular velocities, biases.
//!
//! Source: docs/formulation.md sections 2 and 3 (frame-by-frame composition; replaces
//! JPL 90-26 eq. B.11, see errata C). Everything of body k is in F_k components
//! except `rotation`, `from_node`, `from_parent`, which are in the parent's.
//! Linear velocity is not needed for dynamics (the bias does not depend on it).
//! Cost O(N) joints plus O(n) modes per deforming attachment.

use crate::model::body::{AttachmentState, Body};
use crate::model::joint::JointMotion;
use crate::model::{FixedMount, Model, TreeJoint, layout_of};
use crate::scalar::Scalar;
use crate::spatial::{
    Matrix3, Spatial, Vector3, add, angular, axpy, cross, join, lift_matrix, lift3, linear, matrix_product,
    matrix_product_transposed, matrix_vector, negate, scale, shift_motion, sub, sub6,
    transposed_matrix_vector,
};
use crate::state::State;

/// Relative pose and velocity-dependent motion of one body.
#[derive(Clone, Copy, Debug)]
pub struct BodyMotion<S> {
    /// E: turns F_k components into parent components.
    pub rotation: Matrix3<S>,
    /// From the parent's attachment point to F_k, parent components.
    pub from_node: Vector3<S>,
    /// From the parent's reference frame to F_k, parent components.
    pub from_parent: Vector3<S>,
    /// Angular velocity of F_k.
    pub omega: Vector3<S>,
    /// Bias acceleration a_mR of F_k.
    pub bias: Spatial<S>,
    /// Position of the joint frame O in F_k.
    pub hinge: Vector3<S>,
}

/// A deforming attachment with its spin and bias acceleration.
#[derive(Clone, Copy, Debug)]
pub struct AttachmentMotion<S> {
    /// Frame and modal rates.
    pub state: AttachmentState<S>,
    /// Angular velocity of the point.
    pub omega: Vector3<S>,
    /// Its bias acceleration.
    pub bias: Spatial<S>,
}

/// Results of the outward kinematics pass.
#[derive(Clone, Debug)]
pub struct Kinematics<S = f64> {
    /// Per body.
    pub bodies: Vec<BodyMotion<S>>,
    /// Joint columns H_F at F_k, over all joint speeds.
    pub subspace: Vec<Spatial<S>>,
    /// Per attachment of every body.
    pub attachments: Vec<AttachmentMotion<S>>,
    /// Π' of every attachment, referred to the hinge; columns over modes.
    pub influence: Vec<Spatial<S>>,
    /// Pd of every body; columns over modes.
    pub inboard: Vec<Spatial<S>>,
    /// Joint evaluation scratch.
    motion: JointMotion<S>,
}

/// Whether the modes move the inboard attachment of body `k`.
pub(crate) fn inboard_deforms(model: &Model, k: usize) -> bool {
    let body = &model.bodies[k];
    body.modes > 0 && !body.attachments[model.joints[k].inner.attachment].rigid
}

/// Hinge-referred Π' of an attachment: empty where the modes do not move the point
/// relative to the hinge (the hinge itself, or a rigid reference frame).
#[inline(always)]
pub(crate) fn referred_influence<'a, S: Scalar>(
    model: &Model,
    kin: &'a Kinematics<S>,
    body: usize,
    index: usize,
) -> &'a [Spatial<S>] {
    let part = layout_of(model, body);
    let moves = part.modes > 0
        && index != model.joints[body].inner.attachment
        && (index != 0 || inboard_deforms(model, body));
    if moves { &kin.influence[part.influence(index)] } else { &[] }
}

impl<S: Scalar> Kinematics<S> {
    /// Scratch for `model`, with everything that never changes filled in.
    pub fn new(model: &Model) -> Self {
        let rest = BodyMotion {
            rotation: crate::spatial::identity3(),
            from_node: [S::ZERO; 3],
            from_parent: [S::ZERO; 3],
            omega: [S::ZERO; 3],
            bias: [S::ZERO; 6],
            hinge: [S::ZERO; 3],
        };
        let mut kinematics = Self {
            bodies: vec![rest; model.body_count()],
            subspace: vec![[S::ZERO; 6]; model.layout.joint],
            attachments: Vec::with_capacity(model.layout.attachment),
            influence: vec![[S::ZERO; 6]; model.layout.influence],
            inboard: vec![[S::ZERO; 6]; model.layout.modal],
            motion: JointMotion::at_rest(),
        };
        for (k, body) in model.bodies.iter().enumerate() {
            for attachment in &body.attachments {
                kinematics.attachments.push(AttachmentMotion {
                    state: AttachmentState::undeformed(&attachment.shape.position),
                    omega: [S::ZERO; 3],
                    bias: [S::ZERO; 6],
                });
            }
            kinematics.fill_constants(model, k);
        }
        kinematics
    }

    /// Constant Jacobians and joint columns of body `k`.
    fn fill_constants(&mut self, model: &Model, k: usize) {
        let (body, part, joint) = (&model.bodies[k], &model.layout.bodies[k], &model.joints[k]);
        for (index, attachment) in body.attachments.iter().enumerate() {
            attachment.fill_constant_influence(&mut self.influence[part.influence(index)]);
        }
        if inboard_deforms(model, k) {
            self.refer_to_hinge(model, k);
        }
        if let Some(fixed) = &joint.fixed {
            if part.joint_v == 1 {
                self.subspace[part.joint] = fixed.column.map(S::from_f64);
            }
            self.bodies[k].hinge = lift3(&fixed.hinge);
        }
    }

    /// Pd = phi*(d,k) Π^d, then Π' = Π − phi*(k,t) Pd for the other attachments.
    fn refer_to_hinge(&mut self, model: &Model, k: usize) {
        let (body, part) = (&model.bodies[k], &model.layout.bodies[k]);
        let inner = model.joints[k].inner.attachment;
        let back = negate(&self.attachments[part.attachment + inner].state.position);
        for r in 0..part.modes {
            let column = self.influence[part.influence(inner)][r];
            let carried = shift_motion(&back, &column);
            self.inboard[part.modal + r] = carried;
            // The reference frame itself moves by −Pd η̇ when the hinge is held.
            self.influence[part.influence(0).start + r] = crate::spatial::negate6(&carried);
        }
        for (index, attachment) in body.attachments.iter().enumerate().skip(1) {
            if index == inner || !attachment.active {
                continue;
            }
            let position = self.attachments[part.attachment + index].state.position;
            for (r, slot) in part.influence(index).enumerate() {
                let carried = shift_motion(&position, &self.inboard[part.modal + r]);
                self.influence[slot] = sub6(&self.influence[slot], &carried);
            }
        }
    }
}

/// The parent's attachment as the child sees it.
struct Node<S> {
    state: AttachmentState<S>,
    omega: Vector3<S>,
    /// Angular velocity without deformation rates where the rule is `frozen`.
    carrier_omega: Vector3<S>,
    bias: Spatial<S>,
}

/// Fills `kin` for `state`: the outward pass.
pub fn outward_velocity<S: Scalar>(model: &Model, state: &State<S>, kin: &mut Kinematics<S>) {
    for k in 0..model.body_count() {
        match &model.joints[k].fixed {
            Some(fixed) => fixed_joint(model, state, kin, k, fixed),
            None => general_joint(model, state, kin, k),
        }
        if model.bodies[k].modes > 0 {
            outboard_attachments(model, state, kin, k);
        }
    }
}

/// One-axis joint between points that never deform (rigid or frozen).
#[inline(always)]
fn fixed_joint<S: Scalar>(
    model: &Model,
    state: &State<S>,
    kin: &mut Kinematics<S>,
    k: usize,
    fixed: &FixedMount,
) {
    let (part, joint) = (layout_of(model, k), &model.joints[k]);
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
    let (turn, drift) = (angular(&relative), linear(&relative));
    let body = &mut kin.bodies[k];
    body.rotation = rotation;
    body.from_node = offset;
    body.from_parent = offset;
    body.omega = turn;
    body.bias = [S::ZERO; 6];
    let Some(p) = joint.parent else {
        subtract_inboard_rate(model, state, kin, k);
        // Ground does not turn: only the joint's own centripetal term remains.
        let centripetal = cross(&turn, &drift);
        kin.bodies[k].bias = join(&[S::ZERO; 3], &centripetal);
        return;
    };
    let carrier = kin.bodies[p].omega;
    let mut point_omega = carrier;
    if joint.outer.attachment != 0 {
        let node = &kin.attachments[layout_of(model, p).attachment + joint.outer.attachment];
        kin.bodies[k].from_parent = add(&node.state.position, &offset);
        point_omega = add(&carrier, &angular(&node.state.rate));
    }
    let body = &mut kin.bodies[k];
    let inherited = transposed_matrix_vector(&rotation, &carrier);
    // a = E*(W×(W×l)) + (2W + Δω) × w_c (errata C6 without deformation)
    let centripetal = cross(&carrier, &cross(&carrier, &body.from_parent));
    let twice = [inherited[0] * 2.0 + turn[0], inherited[1] * 2.0 + turn[1], inherited[2] * 2.0 + turn[2]];
    let linear_bias = add(&transposed_matrix_vector(&rotation, &centripetal), &cross(&twice, &drift));
    body.bias = join(&cross(&inherited, &turn), &linear_bias);
    let carried = if joint.outer.attachment != 0 {
        transposed_matrix_vector(&rotation, &point_omega)
    } else {
        inherited
    };
    body.omega = add(&carried, &turn);
    subtract_inboard_rate(model, state, kin, k);
}

/// ω_k −= λ_d η̇ for a frozen inboard point.
#[inline(always)]
fn subtract_inboard_rate<S: Scalar>(model: &Model, state: &State<S>, kin: &mut Kinematics<S>, k: usize) {
    if !inboard_deforms(model, k) {
        return;
    }
    let part = layout_of(model, k);
    let shape = &model.bodies[k].attachments[model.joints[k].inner.attachment].shape;
    for (r, &rate) in state.v[part.modal_v()].iter().enumerate() {
        axpy(&mut kin.bodies[k].omega, -rate, &shape.slopes[r]);
    }
}

/// Any joint between any attachments.
fn general_joint<S: Scalar>(model: &Model, state: &State<S>, kin: &mut Kinematics<S>, k: usize) {
    let (part, joint, body) = (layout_of(model, k), &model.joints[k], &model.bodies[k]);
    let inner = inboard_attachment(model, state, kin, k);
    let node = parent_node(model, kin, joint);
    joint.joint.evaluate(&state.q[part.joint_q()], &state.v[part.joint_v()], &mut kin.motion);
    let motion = &kin.motion;
    // Orientation of O in the parent and in F_k; E = R_pO R_kO*
    let outer_rotation = matrix_product(&node.state.rotation, &lift_matrix(&joint.outer.rotation));
    let in_parent = matrix_product(&outer_rotation, &motion.rotation);
    let in_body = matrix_product(&inner.rotation, &lift_matrix(&joint.inner.rotation));
    let rotation = matrix_product_transposed(&in_parent, &in_body);
    // Position of O seen from the parent's node (parent axes) and from F_k (own axes).
    let to_hinge = add(
        &matrix_vector(&node.state.rotation, &lift3(&joint.outer.position)),
        &matrix_vector(&outer_rotation, &motion.translation),
    );
    let arm = matrix_vector(&inner.rotation, &lift3(&joint.inner.position));
    let hinge = add(&inner.position, &arm);
    let from_node = sub(&to_hinge, &matrix_vector(&rotation, &hinge));
    for (column, slot) in motion.columns.iter().zip(&mut kin.subspace[part.joint()]) {
        let turned = crate::spatial::rotate6(&in_body, column);
        let spin = angular(&turned);
        *slot = join(&spin, &add(&linear(&turned), &cross(&hinge, &spin)));
    }
    let relative = crate::spatial::rotate6(&in_body, &motion.velocity);
    let joint_bias = crate::spatial::rotate6(&in_body, &motion.bias);
    let frozen = body.attachments[joint.inner.attachment].constant;
    let (omega, bias) = compose(&node, &rotation, &to_hinge, &relative, &joint_bias, &inner, &arm, frozen);
    kin.bodies[k] = BodyMotion {
        rotation,
        from_node,
        from_parent: add(&node.state.position, &from_node),
        omega,
        bias,
        hinge,
    };
}

/// State of the inboard attachment of body `k`.
fn inboard_attachment<S: Scalar>(
    model: &Model,
    state: &State<S>,
    kin: &mut Kinematics<S>,
    k: usize,
) -> AttachmentState<S> {
    let (part, index) = (layout_of(model, k), model.joints[k].inner.attachment);
    evaluate_attachment(&model.bodies[k], state, kin, part, index)
}

fn evaluate_attachment<S: Scalar>(
    body: &Body,
    state: &State<S>,
    kin: &mut Kinematics<S>,
    part: &crate::model::BodyLayout,
    index: usize,
) -> AttachmentState<S> {
    let slot = part.attachment + index;
    let attachment = &body.attachments[index];
    if !attachment.rigid {
        let (eta, rate) = (&state.q[part.modal_q()], &state.v[part.modal_v()]);
        let influence = &mut kin.influence[part.influence(index)];
        if !attachment.constant {
            attachment.fill_constant_influence(influence);
        }
        kin.attachments[slot].state = attachment.evaluate(body.rule, eta, rate, influence);
    }
    kin.attachments[slot].state
}

fn parent_node<S: Scalar>(model: &Model, kin: &Kinematics<S>, joint: &TreeJoint) -> Node<S> {
    let Some(p) = joint.parent else {
        return Node {
            state: AttachmentState::undeformed(&[0.0; 3]),
            omega: [S::ZERO; 3],
            carrier_omega: [S::ZERO; 3],
            bias: [S::ZERO; 6],
        };
    };
    if joint.outer.attachment == 0 {
        let omega = kin.bodies[p].omega;
        return Node {
            state: AttachmentState::undeformed(&[0.0; 3]),
            omega,
            carrier_omega: omega,
            bias: [S::ZERO; 6],
        };
    }
    let motion = &kin.attachments[layout_of(model, p).attachment + joint.outer.attachment];
    let frozen = model.bodies[p].attachments[joint.outer.attachment].constant;
    Node {
        state: motion.state,
        omega: motion.omega,
        carrier_omega: if frozen { kin.bodies[p].omega } else { motion.omega },
        bias: motion.bias,
    }
}

/// Velocity and bias from node t over frame O and node d to F_k (docs/formulation.md section 3).
///
/// All vectors in F_k components; `relative` = [Δω; Δv] and `joint_bias` at O,
/// `arm` from node d to O. Returns (ω_k, [al_k; a_k]).
fn compose<S: Scalar>(
    node: &Node<S>,
    rotation: &Matrix3<S>,
    to_hinge: &Vector3<S>,
    relative: &Spatial<S>,
    joint_bias: &Spatial<S>,
    inner: &AttachmentState<S>,
    arm: &Vector3<S>,
    frozen: bool,
) -> (Vector3<S>, Spatial<S>) {
    let turn_back = |v: &Vector3<S>| transposed_matrix_vector(rotation, v);
    let (spin, slide) = (angular(relative), linear(relative));
    let wt = turn_back(&node.carrier_omega);
    let al_t = turn_back(&angular(&node.bias));
    let a_t = turn_back(&linear(&node.bias));
    let lever = turn_back(to_hinge);
    // al_O = al_t + w_t×Δω + joint bias ; a_O = a_t + al_t×l + w_t×(w_t×l) + 2 w_t×Δv + joint bias
    let al_o = add(&add(&al_t, &cross(&wt, &spin)), &angular(joint_bias));
    let sway = add(&cross(&al_t, &lever), &cross(&wt, &cross(&wt, &lever)));
    let coriolis = scale(S::from_f64(2.0), &cross(&wt, &slide));
    let a_o = add(&add(&a_t, &sway), &add(&coriolis, &linear(joint_bias)));
    let w_o = add(&wt, &spin);
    let omega = sub(&add(&turn_back(&node.omega), &spin), &angular(&inner.rate));
    // Node d: bias relative to F_k; a frozen point contributes only its centripetal term.
    let d_bias = if frozen {
        join(&[S::ZERO; 3], &cross(&w_o, &cross(&w_o, &inner.position)))
    } else {
        inner.bias(&omega)
    };
    let to_d = negate(arm);
    let al_k = sub(&al_o, &angular(&d_bias));
    let a_d = add(&a_o, &add(&cross(&al_o, &to_d), &cross(&w_o, &cross(&w_o, &to_d))));
    let a_k = sub(&sub(&a_d, &cross(&al_k, &inner.position)), &linear(&d_bias));
    (omega, join(&al_k, &a_k))
}

/// Evaluates the outboard attachments of a flexible body and refers them to the hinge.
fn outboard_attachments<S: Scalar>(model: &Model, state: &State<S>, kin: &mut Kinematics<S>, k: usize) {
    let (part, body, joint) = (layout_of(model, k), &model.bodies[k], &model.joints[k]);
    let inner = joint.inner.attachment;
    let omega = kin.bodies[k].omega;
    for index in 1..body.attachments.len() {
        if !body.attachments[index].active {
            continue;
        }
        let frozen = body.attachments[index].constant;
        let point = if index == inner && !frozen {
            kin.attachments[part.attachment + index].state
        } else if frozen {
            let rate = body.attachments[index].frozen_rate(&state.v[part.modal_v()]);
            let slot = &mut kin.attachments[part.attachment + index];
            slot.state.rate = rate;
            slot.state
        } else {
            evaluate_attachment(body, state, kin, part, index)
        };
        let slot = &mut kin.attachments[part.attachment + index];
        slot.omega = add(&omega, &angular(&point.rate));
        slot.bias = if frozen {
            join(&[S::ZERO; 3], &cross(&omega, &cross(&omega, &point.position)))
        } else {
            point.bias(&omega)
        };
    }
    // Pd of a frozen or rigid inboard point never changes.
    if !body.attachments[inner].constant {
        kin.refer_to_hinge(model, k);
    }
}

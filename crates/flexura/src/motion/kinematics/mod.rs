//! Outward kinematics: poses relative to parents, angular velocities, biases.
//!
//! Source: JPL 90-26 eqs 3.7, 3.9-3.15 with errata A1, velocities from node t over the hinge frames to the
//! body; Lugrís et al. 2007, eqs 6-9, the same with velocities referred to the bodies, not to the global
//! origin. Biases are composed frame by frame (book/src/theory/kinematics.md), which
//! replaces JPL 90-26 eqs B.9-B.11, see errata C. Everything of body k is in F_k components
//! except `rotation`, `from_node`, `from_parent`, which are in the parent's.
//! Linear velocity is not needed for dynamics (the bias does not depend on it).
//! Cost O(N) joints plus O(n) modes per deforming attachment.
//!
//! What a body has of its own (`shape`: its points; `joint`: the pose across its joint)
//! is apart from what it inherits, so that the pass can also run over blocks of bodies
//! at the same time (`divide_and_conquer::motion`).

mod joint;
mod shape;

pub(crate) use joint::{Relative, compose, fixed_bias, fixed_pose, general_pose, inboard_rate, parent_node};
pub(crate) use shape::Shape;

use crate::model::body::AttachmentState;
use crate::model::joint::JointMotion;
use crate::model::{FixedMount, Model, layout_of};
use crate::scalar::Scalar;
use crate::spatial::{
    Matrix3, Spatial, Vector3, add, angular, join, lift3, linear, transposed_matrix_vector,
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
            self.shape(model, k).refer_to_hinge(model, k);
        }
        if let Some(fixed) = &joint.fixed {
            if part.joint_v == 1 {
                self.subspace[part.joint] = fixed.column.map(S::from_f64);
            }
            self.bodies[k].hinge = lift3(&fixed.hinge);
        }
    }

    /// The points of body `k`.
    #[inline(always)]
    fn shape(&mut self, model: &Model, k: usize) -> Shape<'_, S> {
        let part = layout_of(model, k);
        let points = model.bodies[k].attachments.len();
        Shape {
            attachments: &mut self.attachments[part.attachment..part.attachment + points],
            influence: &mut self.influence[part.influence..part.influence + points * part.modes],
            inboard: &mut self.inboard[part.modal()],
        }
    }
}

/// Fills `kin` for `state`: the outward pass.
pub(crate) fn outward_velocity<S: Scalar>(model: &Model, state: &State<S>, kin: &mut Kinematics<S>) {
    for k in 0..model.body_count() {
        move_body(model, state, kin, k);
    }
}

/// Body `k` with its points; its parent has been.
#[inline(always)]
pub(crate) fn move_body<S: Scalar>(model: &Model, state: &State<S>, kin: &mut Kinematics<S>, k: usize) {
    let flexible = model.bodies[k].modes > 0;
    if flexible {
        kin.shape(model, k).evaluate(model, state, k);
    }
    move_joint(model, state, kin, k);
    if flexible {
        let omega = kin.bodies[k].omega;
        kin.shape(model, k).follow(model, k, &omega);
    }
}

/// Body `k` across its joint, its points where they are on it.
#[inline(always)]
pub(crate) fn move_joint<S: Scalar>(model: &Model, state: &State<S>, kin: &mut Kinematics<S>, k: usize) {
    match &model.joints[k].fixed {
        Some(fixed) => fixed_joint(model, state, kin, k, fixed),
        None => general_joint(model, state, kin, k),
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
    let (rotation, offset, relative) = fixed_pose(model, state, k, fixed);
    let joint = &model.joints[k];
    let body = &mut kin.bodies[k];
    body.rotation = rotation;
    body.from_node = offset;
    body.from_parent = offset;
    let turn = angular(&relative);
    let Some(p) = joint.parent else {
        body.omega = turn;
        // Ground does not turn: only the joint's own centripetal term remains.
        body.bias = join(&[S::ZERO; 3], &crate::spatial::cross(&turn, &linear(&relative)));
        subtract_inboard_rate(model, state, kin, k);
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
    body.bias = fixed_bias(&rotation, &body.from_parent, &relative, &carrier, &inherited);
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
    if inboard_deforms(model, k) {
        inboard_rate(model, state, k, &mut kin.bodies[k].omega);
    }
}

/// Any joint between any attachments.
fn general_joint<S: Scalar>(model: &Model, state: &State<S>, kin: &mut Kinematics<S>, k: usize) {
    let (part, joint, body) = (layout_of(model, k), &model.joints[k], &model.bodies[k]);
    let ground = AttachmentState::undeformed(&[0.0; 3]);
    // Parents come first.
    let (before, own) = kin.bodies.split_at_mut(k);
    let (attachments, motion) = (&kin.attachments, &mut own[0]);
    let inner = &attachments[part.attachment + joint.inner.attachment].state;
    let node = parent_node(model, attachments, joint, &ground, |p| before[p].omega);
    let columns = &mut kin.subspace[part.joint()];
    let relative = general_pose(model, state, k, inner, node.state, columns, &mut kin.motion, motion);
    let frozen = body.attachments[joint.inner.attachment].constant;
    (motion.omega, motion.bias) = compose(&node, &motion.rotation, &relative, inner, frozen);
}

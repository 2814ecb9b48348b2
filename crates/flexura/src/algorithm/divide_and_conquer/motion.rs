//! Kinematics and mass blocks of all bodies at the same time.
//!
//! Source: book/src/theory/kinematics.md, book/src/theory/divide_and_conquer.md (DC.9); hierarchic order by Mukherjee & Anderson
//! section 2.1. Poses relative to the parent need no other body than the parent's
//! points, so the only quantity that runs through the system is the angular velocity,
//!
//! ```text
//! ω_k = E_k* ω_p + d_k        d_k = E_k* (Πη̇ of the parent's point) + Δω − (Πη̇ of the own point)
//! ```
//!
//! an affine map that is composed along the assembly tree (`scan`). Passes, each over
//! chunks of bodies or over the tree:
//!
//! | pass | fills |
//! |---|---|
//! | points | frames, rates and Jacobians of the points of flexible bodies |
//! | joints | E, levers, H_F, and d in place of ω |
//! | spin | ω, over the assembly tree |
//! | follow | velocities and biases of the points |
//! | blocks | ω and bias of bodies, mass blocks |
//!
//! Rigid systems whose bodies stand in the order of the tree do joints on the way up and
//! blocks on the way down, leaf by leaf: memory is read once instead of three times.
//!
//! All but ω is as in `outward_velocity`; ω differs by the rounding of composed rotations.
//! Time O(n/p + log n) on p threads; about 50 products per body more than the serial pass.

use super::chunks::{Along, Part, for_all_bodies};
use super::scan::Map;
use super::share::{Phase, Role, Words, put, take};
use super::{DivideAndConquer, Par};
use crate::algorithm::body_inertia::{BodyInertias, evaluate_body};
use crate::model::body::{AttachmentState, MassBlock};
use crate::model::joint::JointMotion;
use crate::model::{Model, layout_of};
use crate::motion::kinematics::{
    AttachmentMotion, BodyMotion, Kinematics, Relative, Shape, compose, fixed_bias, fixed_pose, general_pose,
    inboard_deforms, inboard_rate, parent_node,
};
use crate::scalar::Scalar;
use crate::spatial::{
    Matrix3, Spatial, SymmetricSpatial, Vector3, add, angular, cross, identity3, join, linear,
    matrix_product, sub, transposed_matrix_vector,
};
use crate::state::State;
use std::ops::Range;

/// Angular velocity of the last body of a path from that of its carrier: E* ω + d.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spin<S> {
    rotation: Matrix3<S>,
    own: Vector3<S>,
}

impl<S: Scalar> Spin<S> {
    pub fn identity() -> Self {
        Self { rotation: identity3(), own: [S::ZERO; 3] }
    }
}

impl<S: Scalar> Words for Spin<S> {
    const COUNT: usize = 12;

    fn write(&self, out: &mut [f64]) {
        put(out, self.rotation.iter().flatten().chain(&self.own));
    }

    fn read(numbers: &[f64]) -> Self {
        let mut out = Self::identity();
        take(numbers, out.rotation.iter_mut().flatten().chain(&mut out.own));
        out
    }
}

impl<S: Scalar> Map for Spin<S> {
    type Motion = Vector3<S>;

    #[inline(always)]
    fn then(&self, outboard: &Self) -> Self {
        Self { rotation: matrix_product(&self.rotation, &outboard.rotation), own: outboard.apply(&self.own) }
    }

    #[inline(always)]
    fn apply(&self, carrier: &Vector3<S>) -> Vector3<S> {
        add(&transposed_matrix_vector(&self.rotation, carrier), &self.own)
    }
}

/// Fills `kin` and `inertias` for `state` on the threads of `par`.
#[doc(hidden)]
pub fn evaluate_motion<S: Scalar>(
    model: &Model,
    state: &State<S>,
    kin: &mut Kinematics<S>,
    inertias: &mut BodyInertias<S>,
    work: &mut DivideAndConquer<S>,
    par: Par<'_>,
) {
    let parallel = par.divides(model);
    let own = work.identity && model.layout.modal == 0;
    if work.share.as_ref().map_or(own, |share| share.whole.leaf_by_leaf) {
        return par.run(parallel, || leaf_by_leaf(model, state, kin, inertias, work, parallel));
    }
    par.run(parallel, || {
        if model.layout.modal > 0 {
            points(model, state, kin, parallel);
        }
        let attachments = &kin.attachments;
        let data = joint_data(&mut kin.bodies, &mut kin.subspace, &mut work.relative);
        for_all_bodies(model, data, parallel, &|bodies, mut data| {
            joints(model, state, attachments, bodies, &mut data);
        });
        let bodies = &kin.bodies;
        let local = |k: usize| spin_of(&bodies[k]);
        work.spin.run(model, &work.tree, work.share.as_deref_mut(), &[S::ZERO; 3], &local, parallel);
        if let Some(share) = work.share.as_deref_mut() {
            // Biases of joints need the rate of the carrier as its own leaf has found it.
            let position = &work.tree.position;
            share.exchange_bodies(
                |_| 3,
                &mut work.spin.motions,
                |motions, body, out| put(out, &motions[position[body]]),
                |motions, body, numbers| take(numbers, &mut motions[position[body]]),
            );
        }
        let omega = |k: usize| work.spin.motions[work.tree.position[k]];
        if model.layout.modal > 0 {
            follow(model, kin, &omega, parallel);
        }
        let data = block_data(&mut kin.bodies, inertias);
        let fixed =
            Inherited { attachments: &kin.attachments, inboard: &kin.inboard, relative: &work.relative };
        for_all_bodies(model, data, parallel, &|bodies, mut data| {
            blocks(model, state, &fixed, bodies, &mut data, &omega);
        });
    });
}

/// Rigid bodies in the order of the tree: joints with the way up, blocks with the way down.
fn leaf_by_leaf<S: Scalar>(
    model: &Model,
    state: &State<S>,
    kin: &mut Kinematics<S>,
    inertias: &mut BodyInertias<S>,
    work: &mut DivideAndConquer<S>,
    parallel: bool,
) {
    let (tree, spin) = (&work.tree, &mut work.spin);
    let attachments = &kin.attachments;
    let data = joint_data(&mut kin.bodies, &mut kin.subspace, &mut work.relative);
    let before = |bodies: Range<usize>, data: &mut JointData<'_, S>| {
        joints(model, state, attachments, bodies, data);
    };
    let local = |k: usize, data: &mut JointData<'_, S>| spin_of(data.0.of(k));
    match work.share.as_deref_mut() {
        None => spin.upward(model, tree, (&[], Phase::Down), data, &before, &local, parallel),
        Some(share) => {
            spin.upward(model, tree, (&share.roles, Phase::Below), data, &before, &local, parallel);
            spin.exchange(share);
            let data = joint_data(&mut kin.bodies, &mut kin.subspace, &mut work.relative);
            spin.upward(model, tree, (&share.roles, Phase::Above), data, &before, &local, parallel);
        }
    }
    let roles: &[Role] = work.share.as_deref().map_or(&[], |share| &share.roles);
    let fixed = Inherited { attachments, inboard: &kin.inboard, relative: &work.relative };
    let data = block_data(&mut kin.bodies, inertias);
    let local = |k: usize, data: &mut BlockData<'_, S>| spin_of(data.0.of(k));
    let after =
        |bodies: Range<usize>, data: &mut BlockData<'_, S>, own: &[Vector3<S>], carrier: &Vector3<S>| {
            let start = bodies.start;
            let omega = |k: usize| if k < start { *carrier } else { own[k - start] };
            blocks(model, state, &fixed, bodies, data, &omega);
        };
    spin.downward(model, tree, roles, data, &[S::ZERO; 3], &local, &after, parallel);
}

fn spin_of<S: Scalar>(body: &BodyMotion<S>) -> Spin<S> {
    Spin { rotation: body.rotation, own: body.omega }
}

/// Points of flexible bodies within their bodies.
fn points<S: Scalar>(model: &Model, state: &State<S>, kin: &mut Kinematics<S>, parallel: bool) {
    for_all_shapes(model, kin, parallel, &|k, mut shape| shape.evaluate(model, state, k));
}

/// Velocities and biases of the points.
fn follow<S: Scalar>(
    model: &Model,
    kin: &mut Kinematics<S>,
    omega: &(impl Fn(usize) -> Vector3<S> + Sync),
    parallel: bool,
) {
    for_all_shapes(model, kin, parallel, &|k, mut shape| shape.follow(model, k, &omega(k)));
}

fn for_all_shapes<S: Scalar>(
    model: &Model,
    kin: &mut Kinematics<S>,
    parallel: bool,
    work: &(impl Fn(usize, Shape<'_, S>) + Sync),
) {
    let data = (
        Part::new(&mut kin.attachments, Along::Attachments),
        Part::new(&mut kin.influence, Along::Influences),
        Part::new(&mut kin.inboard, Along::Modes),
    );
    for_all_bodies(model, data, parallel, &|bodies, (mut attachments, mut influence, mut inboard)| {
        for k in bodies.filter(|&k| model.bodies[k].modes > 0) {
            let (part, points) = (layout_of(model, k), model.bodies[k].attachments.len());
            let shape = Shape {
                attachments: attachments.at(part.attachment..part.attachment + points),
                influence: influence.at(part.influence..part.influence + points * part.modes),
                inboard: inboard.at(part.modal()),
            };
            work(k, shape);
        }
    });
}

/// Motions, columns and relative motions of consecutive bodies.
type JointData<'a, S> = (Part<'a, BodyMotion<S>>, Part<'a, Spatial<S>>, Part<'a, Relative<S>>);

fn joint_data<'a, S: Scalar>(
    bodies: &'a mut [BodyMotion<S>],
    subspace: &'a mut [Spatial<S>],
    relative: &'a mut [Relative<S>],
) -> JointData<'a, S> {
    let along = if relative.is_empty() { Along::Nothing } else { Along::Bodies };
    (Part::new(bodies, Along::Bodies), Part::new(subspace, Along::Joints), Part::new(relative, along))
}

/// Poses and columns of joints; what each adds to the angular velocity in place of ω.
#[inline(always)]
fn joints<S: Scalar>(
    model: &Model,
    state: &State<S>,
    attachments: &[AttachmentMotion<S>],
    chunk: Range<usize>,
    (bodies, subspace, relative): &mut JointData<'_, S>,
) {
    let mut motion = JointMotion::at_rest();
    let ground = AttachmentState::undeformed(&[0.0; 3]);
    for k in chunk {
        let (part, joint) = (layout_of(model, k), &model.joints[k]);
        let point = joint
            .parent
            .filter(|_| joint.outer.attachment != 0)
            .map(|p| &attachments[layout_of(model, p).attachment + joint.outer.attachment].state);
        let body = bodies.of(k);
        if let Some(fixed) = &joint.fixed {
            let (rotation, offset, velocity) = fixed_pose(model, state, k, fixed);
            body.rotation = rotation;
            body.from_node = offset;
            body.from_parent = point.map_or(offset, |point| add(&point.position, &offset));
            body.omega = angular(&velocity);
            if inboard_deforms(model, k) {
                inboard_rate(model, state, k, &mut body.omega);
            }
        } else {
            let inner = &attachments[part.attachment + joint.inner.attachment].state;
            let columns = subspace.at(part.joint());
            let node = point.unwrap_or(&ground);
            let own = general_pose(model, state, k, inner, node, columns, &mut motion, body);
            body.omega = sub(&own.spin(), &angular(&inner.rate));
            *relative.of(k) = own;
        }
        if let Some(point) = point {
            let carried = transposed_matrix_vector(&body.rotation, &angular(&point.rate));
            body.omega = add(&body.omega, &carried);
        }
    }
}

/// Motions and mass blocks of consecutive bodies.
type BlockData<'a, S> = (
    Part<'a, BodyMotion<S>>,
    Part<'a, SymmetricSpatial<S>>,
    Part<'a, Spatial<S>>,
    Part<'a, S>,
    Part<'a, S>,
    Part<'a, Spatial<S>>,
    Part<'a, S>,
);

fn block_data<'a, S: Scalar>(
    bodies: &'a mut [BodyMotion<S>],
    inertias: &'a mut BodyInertias<S>,
) -> BlockData<'a, S> {
    (
        Part::new(bodies, Along::Bodies),
        Part::new(&mut inertias.rigid, Along::Bodies),
        Part::new(&mut inertias.coupling, Along::Modes),
        Part::new(&mut inertias.modal, Along::ModalSquares),
        Part::new(&mut inertias.bias_modal, Along::Modes),
        Part::new(&mut inertias.bias_rigid, Along::Bodies),
        Part::new(&mut inertias.scratch, Along::Scratch),
    )
}

/// What the passes before have left.
struct Inherited<'a, S> {
    attachments: &'a [AttachmentMotion<S>],
    inboard: &'a [Spatial<S>],
    relative: &'a [Relative<S>],
}

/// Angular velocity and bias of bodies, then their mass blocks.
#[inline(always)]
fn blocks<S: Scalar>(
    model: &Model,
    state: &State<S>,
    given: &Inherited<'_, S>,
    chunk: Range<usize>,
    data: &mut BlockData<'_, S>,
    omega: &impl Fn(usize) -> Vector3<S>,
) {
    let ground = AttachmentState::undeformed(&[0.0; 3]);
    for k in chunk {
        let (part, joint) = (layout_of(model, k), &model.joints[k]);
        let body = data.0.of(k);
        body.omega = omega(k);
        if joint.fixed.is_some() {
            body.bias = bias_of_fixed(model, state, k, body, omega);
        } else {
            let node = parent_node(model, given.attachments, joint, &ground, omega);
            let index = joint.inner.attachment;
            let inner = &given.attachments[part.attachment + index].state;
            let frozen = model.bodies[k].attachments[index].constant;
            body.bias = compose(&node, &body.rotation, &given.relative[k], inner, frozen).1;
        }
        let mut block = MassBlock {
            rigid: data.1.of(k),
            coupling: data.2.at(part.modal()),
            modal: data.3.at(part.modal_square()),
            bias_modal: data.4.at(part.modal()),
            bias_rigid: data.5.of(k),
            scratch: data.6.at(part.scratch()),
        };
        evaluate_body(model, state, &body.omega, &given.inboard[part.modal()], k, &mut block);
    }
}

/// Bias across a one-axis joint between points that never deform.
#[inline(always)]
fn bias_of_fixed<S: Scalar>(
    model: &Model,
    state: &State<S>,
    k: usize,
    body: &BodyMotion<S>,
    omega: &impl Fn(usize) -> Vector3<S>,
) -> Spatial<S> {
    let (part, joint) = (layout_of(model, k), &model.joints[k]);
    let mut relative = [S::ZERO; 6];
    if let (Some(fixed), 1) = (&joint.fixed, part.joint_v) {
        relative = fixed.column.map(|x| state.v[part.v + part.modes] * x);
    }
    match joint.parent {
        Some(p) => {
            let carrier = omega(p);
            let inherited = transposed_matrix_vector(&body.rotation, &carrier);
            fixed_bias(&body.rotation, &body.from_parent, &relative, &carrier, &inherited)
        }
        None => join(&[S::ZERO; 3], &cross(&angular(&relative), &linear(&relative))),
    }
}

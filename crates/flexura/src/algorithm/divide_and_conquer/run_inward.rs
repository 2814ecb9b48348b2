//! A run of bodies eliminated tip to base, with an open handle at its end.
//!
//! Source: the O(N) recursion of `articulated_body` (JPL 90-26 eqs 7.10, 7.11 with
//! errata A1-A3), extended by the second handle of Mukherjee & Anderson eqs 1-2, whose forces
//! act on frame and modes by Mukherjee & Anderson eqs 43-50,
//! in the general form of errata E5 (any modes, any number of handles). With g the
//! force exerted outboard and X, Ω, c as in `element`:
//!
//! ```text
//! modes   D_f = L L*,  W = L⁻¹ P_fr,  V = L⁻¹ X_f,  y = L⁻¹ ε_f
//!         P −= W* W,  z += W* y,  X −= W* V,  Ω += V* V,  c += V* y
//! joint   D = H P H*,  U = P H*,  r = H X,  ν = D⁻¹ (τ − H (z + P a))
//!         P −= U D⁻¹ U*,  z += P a + U ν,  c += X* a + r* ν,  X −= U D⁻¹ r,  Ω += r* D⁻¹ r
//! carrier X_f = Π'* X,  X_r = phi(lever) X,  like P and z
//! ```
//!
//! Cost per rigid body with one freedom: the articulated-body recursion plus about
//! 260 products for the second handle; branches beside the path have none.
//!
//! Typeset: book/src/theory/divide_and_conquer.md (DC.2), (DC.3).

use super::Context;
use super::assembly_tree::{Kind, Node};
use super::element::{Element, Matrix6, Outer, transposed_times};
use super::eliminate::{eliminate_joint, eliminate_modes, load_modes};
use super::prefactored::{self, Route};
use super::storage::{NodeState, Offsets, Pending, Piece};
use crate::algorithm::transfer::{Carrier, carrier};
use crate::error::DynamicsError;
use crate::model::layout_of;
use crate::scalar::Scalar;
use crate::spatial::{
    Matrix3, Spatial, SymmetricSpatial, Vector3, add6, dot6, rotate6, scale6, shift_force, sub6,
};

/// Fills the element of a run, or what a bundle shows to its carrier.
///
/// `branches` are the states of the nodes below this one; `first` is the number of the first of them.
pub(super) fn run_inward<S: Scalar>(
    context: &Context<'_, S>,
    node: &Node,
    piece: &mut Piece<'_, S>,
    state: &mut NodeState<S>,
    branches: &[NodeState<S>],
    first: usize,
) -> Result<(), DynamicsError> {
    let tree = context.tree;
    let mut waiting = 0;
    let mut outer = Outer::UNIT;
    // Position of the body of the path that waits for X; none for closed parts. X stands at the moving
    // point of bodies with prefactored modes.
    let (mut path, mut at_point) = (None, false);
    let next = node.next.filter(|_| node.kind == Kind::Run);
    if let Some((next, link)) = next.and_then(|next| Some((next, carrier(context.model, context.kin, next)?)))
    {
        at_point = pass_outer(context, next, node.tip, &link, piece, &mut outer);
        path = Some(node.tip);
    }
    let mut branch = node.children.end;
    if node.kind == Kind::Bundle {
        state.shown_inertia = SymmetricSpatial::ZERO;
        state.shown_force = [S::ZERO; 6];
    }
    for i in (node.start..node.own_end).rev() {
        while branch > node.children.start {
            let child = tree.children[branch - 1];
            if tree.carrier[tree.nodes[child].start] != i {
                break;
            }
            let state = &branches[child - first];
            let body = tree.order[tree.nodes[child].start];
            if let Some(link) = carrier(context.model, context.kin, body) {
                take_up(context, piece, &link, i, &state.shown_inertia, &state.shown_force, &mut waiting);
            }
            branch -= 1;
        }
        let handle = (path == Some(i)).then_some(&mut outer);
        let (inertia, force) = eliminate_body(context, piece, i, &mut waiting, handle, at_point)?;
        let body = tree.order[i];
        let parent = tree.carrier[i];
        if i == node.start && node.kind == Kind::Run {
            state.element = Element { inertia, force, outer };
        } else if parent >= node.start && parent < i {
            let Some(link) = carrier(context.model, context.kin, body) else { continue };
            if path == Some(i) {
                at_point = pass_outer(context, body, parent, &link, piece, &mut outer);
                path = Some(parent);
            }
            let (inertia, force) = shown(context, body, &link, &inertia, &force);
            take_up(context, piece, &link, parent, &inertia, &force, &mut waiting);
        } else {
            let (inertia, force) = shown_to_carrier(context, body, &inertia, &force);
            state.shown_inertia.accumulate(&inertia);
            state.shown_force = add6(&state.shown_force, &force);
        }
    }
    Ok(())
}

/// Inertia and force of position `i` as its inboard joint shows them.
#[inline(always)]
fn eliminate_body<S: Scalar>(
    context: &Context<'_, S>,
    piece: &mut Piece<'_, S>,
    i: usize,
    waiting: &mut usize,
    mut outer: Option<&mut Outer<S>>,
    at_point: bool,
) -> Result<(SymmetricSpatial<S>, Spatial<S>), DynamicsError> {
    let body = context.tree.order[i];
    let mut inertia = context.inertias.rigid[body];
    let mut force = [S::ZERO; 6];
    if !context.mass_only {
        force = sub6(&context.inertias.bias_rigid[body], &context.load.wrench[body]);
    }
    let mut modal_ready = false;
    if *waiting > 0 && piece.pending[*waiting - 1].carrier == i {
        *waiting -= 1;
        let pending = &piece.pending[*waiting];
        inertia.accumulate(&pending.inertia);
        force = add6(&force, &pending.force);
        modal_ready = pending.modal_ready;
    }
    let at = slots(context, piece, i);
    if layout_of(context.model, body).modes > 0 {
        if !modal_ready {
            load_modes(context, piece, i, &at);
        }
        let handle = outer.as_deref_mut();
        if context.routes[i] == Route::Direct {
            eliminate_modes(context, piece, body, &at, &mut inertia, &mut force, handle)?;
        } else {
            prefactored::eliminate(context, piece, i, &at, &mut inertia, &mut force, handle, at_point);
        }
    }
    eliminate_joint(context, piece, body, &at, &mut inertia, &mut force, outer)?;
    Ok((inertia, force))
}

/// First entries of position `i` in the vectors of `piece`.
#[inline(always)]
pub(super) fn slots<S: Scalar>(context: &Context<'_, S>, piece: &Piece<'_, S>, i: usize) -> Offsets {
    let (at, base) = (&context.offsets[i], &piece.base);
    Offsets {
        body: at.body - base.body,
        speed: at.speed - base.speed,
        joint: at.joint - base.joint,
        joint_square: at.joint_square - base.joint_square,
        modal: at.modal - base.modal,
        modal_square: at.modal_square - base.modal_square,
        pending: 0,
    }
}

/// P and z of `body` in the axes of its carrier: at the attachment point where that deforms,
/// at the carrier's frame otherwise.
#[inline(always)]
fn shown<S: Scalar>(
    context: &Context<'_, S>,
    body: usize,
    link: &Carrier<'_, S>,
    inertia: &SymmetricSpatial<S>,
    force: &Spatial<S>,
) -> (SymmetricSpatial<S>, Spatial<S>) {
    let motion = &context.kin.bodies[body];
    let lever = if link.influence.is_empty() { &motion.from_parent } else { &motion.from_node };
    let turned = rotate6(&motion.rotation, force);
    (inertia.rotated(&motion.rotation).shifted(lever), shift_force(lever, &turned))
}

/// The same for a complete branch; nothing on the ground.
pub(super) fn shown_to_carrier<S: Scalar>(
    context: &Context<'_, S>,
    body: usize,
    inertia: &SymmetricSpatial<S>,
    force: &Spatial<S>,
) -> (SymmetricSpatial<S>, Spatial<S>) {
    let nothing = (SymmetricSpatial::ZERO, [S::ZERO; 6]);
    carrier(context.model, context.kin, body)
        .map_or(nothing, |link| shown(context, body, &link, inertia, force))
}

/// A new sum for position `i`, whose modal blocks are made ready for what it carries.
#[inline(always)]
fn push<S: Scalar>(
    context: &Context<'_, S>,
    piece: &mut Piece<'_, S>,
    i: usize,
    inertia: &SymmetricSpatial<S>,
    force: &Spatial<S>,
    waiting: &mut usize,
) {
    let body = context.tree.order[i];
    let modal_ready = layout_of(context.model, body).modes > 0;
    if modal_ready {
        let at = slots(context, piece, i);
        load_modes(context, piece, i, &at);
    }
    piece.pending[*waiting] = Pending { carrier: i, inertia: *inertia, force: *force, modal_ready };
    *waiting += 1;
}

/// Adds what a body and all it carries show over `link` to the sum of position `i`.
#[inline(always)]
fn take_up<S: Scalar>(
    context: &Context<'_, S>,
    piece: &mut Piece<'_, S>,
    link: &Carrier<'_, S>,
    i: usize,
    inertia: &SymmetricSpatial<S>,
    force: &Spatial<S>,
    waiting: &mut usize,
) {
    if link.influence.is_empty() {
        add_to_pending(context, piece, i, inertia, force, waiting);
        return;
    }
    if *waiting == 0 || piece.pending[*waiting - 1].carrier != i {
        push(context, piece, i, &SymmetricSpatial::ZERO, &[S::ZERO; 6], waiting);
    }
    if context.routes[i] != Route::Direct {
        let series = &mut piece.series[context.offsets[i].body - piece.base.body];
        series.inertia.accumulate(inertia);
        series.force = add6(&series.force, force);
        return;
    }
    add_to_modes(context, piece, i, link, inertia, force);
    let inertia = link.lever.map_or(*inertia, |l| inertia.shifted(&l));
    let force = link.lever.map_or(*force, |l| shift_force(&l, force));
    add_to_pending(context, piece, i, &inertia, &force, waiting);
}

/// Adds an inertia and a force at the frame of position `i` to its sum.
#[inline(always)]
fn add_to_pending<S: Scalar>(
    context: &Context<'_, S>,
    piece: &mut Piece<'_, S>,
    i: usize,
    inertia: &SymmetricSpatial<S>,
    force: &Spatial<S>,
    waiting: &mut usize,
) {
    if *waiting > 0 && piece.pending[*waiting - 1].carrier == i {
        let sum = &mut piece.pending[*waiting - 1];
        sum.inertia.accumulate(inertia);
        sum.force = add6(&sum.force, force);
    } else {
        push(context, piece, i, inertia, force, waiting);
    }
}

/// A Γ A* and A z in the modal rows of position `i`.
fn add_to_modes<S: Scalar>(
    context: &Context<'_, S>,
    piece: &mut Piece<'_, S>,
    i: usize,
    carrier: &Carrier<'_, S>,
    inertia: &SymmetricSpatial<S>,
    force: &Spatial<S>,
) {
    let at = slots(context, piece, i);
    let n = carrier.influence.len();
    let modal = &mut piece.modal[at.modal_square..at.modal_square + n * n];
    for r in 0..n {
        let reaction = inertia.apply(&carrier.influence[r]);
        let at_frame = carrier.lever.map_or(reaction, |l| shift_force(&l, &reaction));
        piece.coupling[at.modal + r] = add6(&piece.coupling[at.modal + r], &at_frame);
        piece.modal_force[at.modal + r] += dot6(&carrier.influence[r], force);
        // Only the lower triangle is factorised.
        for s in 0..=r {
            modal[r * n + s] += dot6(&carrier.influence[s], &reaction);
        }
    }
}

/// Carries X from `body` over `link` to its carrier at position `i`; whether it stays at a moving point.
#[inline(always)]
fn pass_outer<S: Scalar>(
    context: &Context<'_, S>,
    body: usize,
    i: usize,
    link: &Carrier<'_, S>,
    piece: &mut Piece<'_, S>,
    outer: &mut Outer<S>,
) -> bool {
    let motion = &context.kin.bodies[body];
    rotate_rows(&motion.rotation, &mut outer.transfer);
    let start = context.offsets[i].modal - piece.base.modal;
    if link.influence.is_empty() {
        let modes = layout_of(context.model, link.body).modes;
        shift_rows(&motion.from_parent, &mut outer.transfer);
        if context.routes[i] == Route::Direct {
            piece.outer_modal[start..start + modes].fill([S::ZERO; 6]);
        }
        return false;
    }
    shift_rows(&motion.from_node, &mut outer.transfer);
    if context.routes[i] != Route::Direct {
        return true;
    }
    for (slot, column) in piece.outer_modal[start..].iter_mut().zip(link.influence) {
        *slot = transposed_times(&outer.transfer, column);
    }
    if let Some(lever) = &link.lever {
        shift_rows(lever, &mut outer.transfer);
    }
    false
}

/// Both halves of every column multiplied by `r`.
#[inline(always)]
fn rotate_rows<S: Scalar>(r: &Matrix3<S>, x: &mut Matrix6<S>) {
    let old = *x;
    for half in [0, 3] {
        for i in 0..3 {
            let sum = add6(&scale6(r[i][0], &old[half]), &scale6(r[i][1], &old[half + 1]));
            x[half + i] = add6(&sum, &scale6(r[i][2], &old[half + 2]));
        }
    }
}

/// Every column, a force, referred to a point from which `l` leads to its own.
#[inline(always)]
fn shift_rows<S: Scalar>(l: &Vector3<S>, x: &mut Matrix6<S>) {
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let moment = sub6(&scale6(l[j], &x[3 + k]), &scale6(l[k], &x[3 + j]));
        x[i] = add6(&x[i], &moment);
    }
}

//! Accelerations of a run or bundle, base to tip, once its handles are known.
//!
//! Source: JPL 90-26 eq. 7.12 with errata A3, with the terms of the outboard force g
//! (Mukherjee & Anderson eqs 1-2, 57-69; symbols in `run_inward`):
//!
//! ```text
//! β̇ = ν − D⁻¹ (U* α⁺ + r g)      free columns
//! driving = U* α_R + H z + r g − τ  prescribed columns
//! η̈ = L⁻* (y − W α_R − V g)
//! ```
//!
//! Cost per rigid body with one freedom: about 50 products, 6 of them for g.
//!
//! Typeset: book/src/theory/divide_and_conquer.md (DC.8).

use super::Context;
use super::assembly_tree::Node;
use super::prefactored::{self, Route};
use super::run_inward::slots;
use super::storage::{Offsets, Piece};
use crate::algorithm::transfer::{carrier, motion_from_parent};
use crate::linear::{solve_lower, solve_lower_transposed};
use crate::model::layout_of;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, add6, dot6, scale6};

/// Fills the accelerations of the node's own bodies.
///
/// `inherited` gives the acceleration of a body whose carrier lies outside, before joint motion.
pub(super) fn run_outward<S: Scalar>(
    context: &Context<'_, S>,
    node: &Node,
    piece: &mut Piece<'_, S>,
    outer_force: Option<&Spatial<S>>,
    inherited: &impl Fn(usize) -> Spatial<S>,
) {
    let tree = context.tree;
    for i in node.start..node.own_end {
        let body = tree.order[i];
        let parent = tree.carrier[i];
        let at = slots(context, piece, i);
        let before = if i == node.start || parent < node.start || parent > i {
            inherited(body)
        } else {
            from_carrier(context, piece, body, parent)
        };
        let pull = outer_force.filter(|_| tree.on_path[i]);
        let alpha = joint_acceleration(context, piece, body, &at, &before, pull);
        piece.acceleration[at.body] = alpha;
        if layout_of(context.model, body).modes > 0 {
            modal_acceleration(context, piece, i, &at, &alpha, pull);
        }
    }
}

/// Motion that `body` inherits from the body at position `parent` of the same piece.
#[inline(always)]
pub(super) fn from_carrier<S: Scalar>(
    context: &Context<'_, S>,
    piece: &Piece<'_, S>,
    body: usize,
    parent: usize,
) -> Spatial<S> {
    let at = slots(context, piece, parent);
    let modes = layout_of(context.model, context.tree.order[parent]).modes;
    match carrier(context.model, context.kin, body) {
        Some(carrier) => {
            let modal = &piece.chidot[at.speed..at.speed + modes];
            motion_from_parent(context.kin, &carrier, body, &piece.acceleration[at.body], modal)
        }
        None => [S::ZERO; 6],
    }
}

/// Joint accelerations and driving forces; returns α_R.
#[inline(always)]
fn joint_acceleration<S: Scalar>(
    context: &Context<'_, S>,
    piece: &mut Piece<'_, S>,
    body: usize,
    at: &Offsets,
    before: &Spatial<S>,
    pull: Option<&Spatial<S>>,
) -> Spatial<S> {
    let part = layout_of(context.model, body);
    let (first, speed) = (part.v + part.modes, at.speed + part.modes);
    let columns = &context.kin.subspace[part.joint()];
    let mut alpha = *before;
    if !context.mass_only {
        alpha = add6(&alpha, &context.kin.bodies[body].bias);
    }
    if part.joint_v == 1 && !context.load.prescribed[first] {
        let mut felt = dot6(&piece.gain[at.joint], before);
        if let Some(force) = pull {
            felt += dot6(&piece.outer_joint[at.joint], force);
        }
        let value = piece.innovation[at.joint] - felt * piece.joint_factor[at.joint_square];
        piece.chidot[speed] = value;
        piece.driving[speed] = S::ZERO;
        return add6(&alpha, &scale6(value, &columns[0]));
    }
    free_columns(context, piece, body, at, before, pull);
    for (i, column) in columns.iter().enumerate() {
        alpha = add6(&alpha, &scale6(piece.chidot[speed + i], column));
    }
    for i in 0..part.joint_v {
        piece.driving[speed + i] = S::ZERO;
        if context.load.prescribed[first + i] {
            let mut need = dot6(&piece.gain[at.joint + i], &alpha) + piece.innovation[at.joint + i];
            if let Some(force) = pull {
                need += dot6(&piece.outer_joint[at.joint + i], force);
            }
            piece.driving[speed + i] = need - context.load.generalized[first + i];
        }
    }
    alpha
}

/// Accelerations of several columns, free or prescribed.
fn free_columns<S: Scalar>(
    context: &Context<'_, S>,
    piece: &mut Piece<'_, S>,
    body: usize,
    at: &Offsets,
    before: &Spatial<S>,
    pull: Option<&Spatial<S>>,
) {
    let part = layout_of(context.model, body);
    let (load, first, speed) = (context.load, part.v + part.modes, at.speed + part.modes);
    let (mut values, mut free, mut m) = ([S::ZERO; 6], [0usize; 6], 0);
    for i in 0..part.joint_v {
        if load.prescribed[first + i] {
            let given = if context.mass_only { S::ZERO } else { load.acceleration[first + i] };
            piece.chidot[speed + i] = given;
            continue;
        }
        values[m] = dot6(&piece.gain[at.joint + i], before);
        if let Some(force) = pull {
            values[m] += dot6(&piece.outer_joint[at.joint + i], force);
        }
        free[m] = i;
        m += 1;
    }
    let factor = &piece.joint_factor[at.joint_square..at.joint_square + m * m];
    solve_lower(factor, m, &mut values[..m]);
    solve_lower_transposed(factor, m, &mut values[..m]);
    for a in 0..m {
        piece.chidot[speed + free[a]] = piece.innovation[at.joint + free[a]] - values[a];
    }
}

fn modal_acceleration<S: Scalar>(
    context: &Context<'_, S>,
    piece: &mut Piece<'_, S>,
    i: usize,
    at: &Offsets,
    alpha: &Spatial<S>,
    pull: Option<&Spatial<S>>,
) {
    let n = layout_of(context.model, context.tree.order[i]).modes;
    piece.driving[at.speed..at.speed + n].fill(S::ZERO);
    if context.routes[i] != Route::Direct {
        return prefactored::modal_acceleration(context, piece, i, at, alpha, pull);
    }
    let out = &mut piece.chidot[at.speed..at.speed + n];
    for r in 0..n {
        out[r] = piece.modal_force[at.modal + r] - dot6(&piece.coupling[at.modal + r], alpha);
        if let Some(force) = pull {
            out[r] -= dot6(&piece.outer_modal[at.modal + r], force);
        }
    }
    solve_lower_transposed(&piece.modal[at.modal_square..at.modal_square + n * n], n, out);
}

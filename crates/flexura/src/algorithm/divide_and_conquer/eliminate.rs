//! Modes and joint of one body eliminated, with or without an outboard handle.
//!
//! The equations of a body between its handles, Mukherjee & Anderson eqs 54-56. Source, symbols and cost: see `run_inward`. Prescribed joint columns stay: their
//! acceleration enters the bias a, and U, H z, r are kept for the driving force.

use super::Context;
use super::element::{Outer, transposed_times};
use super::prefactored::Route;
use super::storage::{Offsets, Piece};
use crate::algorithm::composite_body::singular;
use crate::error::DynamicsError;
use crate::linear::{cholesky_in_place, solve_lower, solve_lower_transposed};
use crate::model::layout_of;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, SymmetricSpatial, add6, dot6, scale6};

/// Copies the modal blocks of position `i` and the forces on its modes.
pub(super) fn load_modes<S: Scalar>(
    context: &Context<'_, S>,
    piece: &mut Piece<'_, S>,
    i: usize,
    at: &Offsets,
) {
    let (body, route) = (context.tree.order[i], context.routes[i]);
    let part = layout_of(context.model, body);
    let (n, inertias) = (part.modes, context.inertias);
    if !matches!(route, Route::Prefactored { fixed: true, .. }) {
        piece.coupling[at.modal..at.modal + n].copy_from_slice(&inertias.coupling[part.modal()]);
    }
    if route == Route::Direct {
        piece.modal[at.modal_square..at.modal_square + n * n]
            .copy_from_slice(&inertias.modal[part.modal_square()]);
    } else {
        piece.series[at.body].inertia = SymmetricSpatial::ZERO;
        piece.series[at.body].force = [S::ZERO; 6];
    }
    for r in 0..n {
        let bias = if context.mass_only { S::ZERO } else { inertias.bias_modal[part.modal + r] };
        piece.modal_force[at.modal + r] = bias - context.load.generalized[part.v + r];
    }
}

/// D_f and what remains of inertia, force and handle without the modes.
pub(super) fn eliminate_modes<S: Scalar>(
    context: &Context<'_, S>,
    piece: &mut Piece<'_, S>,
    body: usize,
    at: &Offsets,
    inertia: &mut SymmetricSpatial<S>,
    force: &mut Spatial<S>,
    outer: Option<&mut Outer<S>>,
) -> Result<(), DynamicsError> {
    let part = layout_of(context.model, body);
    let n = part.modes;
    let factor = &mut piece.modal[at.modal_square..at.modal_square + n * n];
    cholesky_in_place(factor, n).map_err(|pivot| singular(context.model, part.v + pivot))?;
    let columns = &mut piece.coupling[at.modal..at.modal + n];
    let forces = &mut piece.modal_force[at.modal..at.modal + n];
    for r in 0..n {
        let mut row = columns[r];
        let mut innovation = -forces[r];
        for s in 0..r {
            let l = factor[r * n + s];
            for i in 0..6 {
                row[i] -= l * columns[s][i];
            }
            innovation -= l * forces[s];
        }
        let inverse = factor[r * n + r];
        row = scale6(inverse, &row);
        innovation = innovation * inverse;
        columns[r] = row;
        forces[r] = innovation;
        inertia.subtract_square(&row);
        *force = add6(force, &scale6(innovation, &row));
    }
    let Some(outer) = outer else { return Ok(()) };
    let responses = &mut piece.outer_modal[at.modal..at.modal + n];
    for r in 0..n {
        let mut row = responses[r];
        for s in 0..r {
            let l = factor[r * n + s];
            for i in 0..6 {
                row[i] -= l * responses[s][i];
            }
        }
        row = scale6(factor[r * n + r], &row);
        responses[r] = row;
        outer.compliance.add_outer(&row, &row);
        outer.bias = add6(&outer.bias, &scale6(forces[r], &row));
    }
    // X −= W* V, row by row: each stays in registers.
    for i in 0..6 {
        let mut sum = outer.transfer[i];
        for (column, response) in columns.iter().zip(&*responses) {
            for j in 0..6 {
                sum[j] -= column[i] * response[j];
            }
        }
        outer.transfer[i] = sum;
    }
    Ok(())
}

/// X −= a b*.
#[inline(always)]
fn subtract_product<S: Scalar>(a: &Spatial<S>, b: &Spatial<S>, outer: &mut Outer<S>) {
    for i in 0..6 {
        for j in 0..6 {
            outer.transfer[i][j] -= a[i] * b[j];
        }
    }
}

/// Leaves in `inertia`, `force` and `outer` what the inboard joint of `body` shows.
#[inline(always)]
pub(super) fn eliminate_joint<S: Scalar>(
    context: &Context<'_, S>,
    piece: &mut Piece<'_, S>,
    body: usize,
    at: &Offsets,
    inertia: &mut SymmetricSpatial<S>,
    force: &mut Spatial<S>,
    outer: Option<&mut Outer<S>>,
) -> Result<(), DynamicsError> {
    let part = layout_of(context.model, body);
    let (load, first) = (context.load, part.v + part.modes);
    let columns = &context.kin.subspace[part.joint()];
    if part.joint_v == 1 && !load.prescribed[first] {
        let h = &columns[0];
        let bias = if context.mass_only { [S::ZERO; 6] } else { context.kin.bodies[body].bias };
        *force = add6(force, &inertia.apply(&bias));
        let gain = inertia.apply(h);
        let pivot = dot6(h, &gain);
        if pivot.value().is_nan() || pivot.value() <= 0.0 {
            return Err(singular(context.model, first));
        }
        let inverse = S::ONE / pivot;
        let innovation = (load.generalized[first] - dot6(h, force)) * inverse;
        inertia.add_scaled_square(-inverse, &gain);
        *force = add6(force, &scale6(innovation, &gain));
        piece.gain[at.joint] = gain;
        piece.joint_factor[at.joint_square] = inverse;
        piece.innovation[at.joint] = innovation;
        if let Some(outer) = outer {
            let response = transposed_times(&outer.transfer, h);
            let free = add6(&bias, &scale6(innovation, h));
            outer.bias = add6(&outer.bias, &transposed_times(&outer.transfer, &free));
            subtract_product(&gain, &scale6(inverse, &response), outer);
            outer.compliance.add_scaled_square(inverse, &response);
            piece.outer_joint[at.joint] = response;
        }
        return Ok(());
    }
    eliminate_columns(context, piece, body, at, inertia, force, outer)
}

/// Any number of joint columns, some of them prescribed.
fn eliminate_columns<S: Scalar>(
    context: &Context<'_, S>,
    piece: &mut Piece<'_, S>,
    body: usize,
    at: &Offsets,
    inertia: &mut SymmetricSpatial<S>,
    force: &mut Spatial<S>,
    mut outer: Option<&mut Outer<S>>,
) -> Result<(), DynamicsError> {
    let part = layout_of(context.model, body);
    let (load, first, d) = (context.load, part.v + part.modes, part.joint_v);
    let columns = &context.kin.subspace[part.joint()];
    let mut bias = if context.mass_only { [S::ZERO; 6] } else { context.kin.bodies[body].bias };
    let mut free = [0usize; 6];
    let mut m = 0;
    let gain = &mut piece.gain[at.joint..at.joint + d];
    let kept = &mut piece.innovation[at.joint..at.joint + d];
    let responses = &mut piece.outer_joint[at.joint..at.joint + d];
    for i in 0..d {
        gain[i] = inertia.apply(&columns[i]);
        if let Some(outer) = outer.as_deref() {
            responses[i] = transposed_times(&outer.transfer, &columns[i]);
        }
        if load.prescribed[first + i] {
            kept[i] = dot6(&columns[i], force);
            if !context.mass_only {
                bias = add6(&bias, &scale6(load.acceleration[first + i], &columns[i]));
            }
        } else {
            free[m] = i;
            m += 1;
        }
    }
    *force = add6(force, &inertia.apply(&bias));
    if let Some(outer) = outer.as_deref_mut() {
        outer.bias = add6(&outer.bias, &transposed_times(&outer.transfer, &bias));
    }
    let factor = &mut piece.joint_factor[at.joint_square..at.joint_square + m * m];
    let mut innovation = [S::ZERO; 6];
    for a in 0..m {
        innovation[a] = load.generalized[first + free[a]] - dot6(&columns[free[a]], force);
        for b in 0..=a {
            factor[a * m + b] = dot6(&columns[free[b]], &gain[free[a]]);
        }
    }
    cholesky_in_place(factor, m).map_err(|pivot| singular(context.model, first + free[pivot]))?;
    solve_lower(factor, m, &mut innovation[..m]);
    let (mut rows, mut felt) = ([[S::ZERO; 6]; 6], [[S::ZERO; 6]; 6]);
    for a in 0..m {
        let (mut row, mut response) = (gain[free[a]], responses[free[a]]);
        for b in 0..a {
            for i in 0..6 {
                row[i] -= factor[a * m + b] * rows[b][i];
                response[i] -= factor[a * m + b] * felt[b][i];
            }
        }
        rows[a] = scale6(factor[a * m + a], &row);
        felt[a] = scale6(factor[a * m + a], &response);
        inertia.subtract_square(&rows[a]);
        *force = add6(force, &scale6(innovation[a], &rows[a]));
        if let Some(outer) = outer.as_deref_mut() {
            subtract_product(&rows[a], &felt[a], outer);
            outer.compliance.add_outer(&felt[a], &felt[a]);
            outer.bias = add6(&outer.bias, &scale6(innovation[a], &felt[a]));
        }
    }
    solve_lower_transposed(factor, m, &mut innovation[..m]);
    for a in 0..m {
        kept[free[a]] = innovation[a];
    }
    if m == 6 {
        // A free joint transmits nothing; what is left is rounding.
        *inertia = SymmetricSpatial::ZERO;
        if let Some(outer) = outer {
            outer.transfer = [[S::ZERO; 6]; 6];
        }
    }
    Ok(())
}

//! The innovations factorisation: M, M⁻¹ and log det M without forming M.
//!
//! Source: JPL 90-26 eqs 6.4-6.6, with the quantities of JPL 90-26 eqs 6.1-6.3, A.2-A.4:
//! `M = [1 + HΦK] D [1 + HΦK]*`, `M⁻¹ = [1 − HΨK]* D⁻¹ [1 − HΨK]`, D block
//! diagonal with blocks D_f and D_R. The factors are those left behind by the
//! articulated-body pass; each product is two sweeps, O(N n²). All speeds must
//! be free and all bodies on the direct route; otherwise the answer is an error.
//!
//! Typeset: book/src/theory/innovations.md (OP.1) to (OP.7).

use super::articulated_body::ArticulatedBody;
use super::transfer::{carrier, force_to_parent, motion_from_parent};
use crate::error::DynamicsError;
use crate::linear::{solve_lower, solve_lower_transposed};
use crate::model::{BodyLayout, Model, layout_of};
use crate::motion::kinematics::Kinematics;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, add6, dot6, scale6};

/// Scratch of the operator products.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Innovations<S = f64> {
    rigid: Vec<Spatial<S>>,
    modal: Vec<S>,
    /// y = L⁻¹ ε per speed, between the sweeps.
    innovation: Vec<S>,
}

impl<S: Scalar> Innovations<S> {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        Self {
            rigid: vec![[S::ZERO; 6]; model.body_count()],
            modal: vec![S::ZERO; model.layout.modal],
            innovation: vec![S::ZERO; model.speed_count()],
        }
    }
}

/// Refuses factors that are not those of the whole mass matrix.
fn complete<S>(factors: &ArticulatedBody<S>) -> Result<(), DynamicsError> {
    if factors.complete { Ok(()) } else { Err(DynamicsError::NoFactors) }
}

/// log det M = Σ log det D_f + log det D_R.
#[doc(hidden)]
pub fn log_determinant<S: Scalar>(model: &Model, factors: &ArticulatedBody<S>) -> Result<S, DynamicsError> {
    complete(factors)?;
    let mut sum = S::ZERO;
    for k in 0..model.body_count() {
        let part = layout_of(model, k);
        for r in 0..part.modes {
            // Factors store reciprocal diagonals.
            sum -= factors.modal[part.modal_square + r * (part.modes + 1)].ln() * 2.0;
        }
        if part.joint_v == 1 {
            sum -= factors.joint_factor[part.joint_square].ln();
        } else {
            for i in 0..part.joint_v {
                sum -= factors.joint_factor[part.joint_square + i * (part.joint_v + 1)].ln() * 2.0;
            }
        }
    }
    Ok(sum)
}

/// `out` = M⁻¹ `right` (eq. 6.6): inward [1 − HΨK], D⁻¹, outward [1 − HΨK]*.
#[doc(hidden)]
pub fn solve<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    factors: &ArticulatedBody<S>,
    right: &[S],
    work: &mut Innovations<S>,
    out: &mut [S],
) -> Result<(), DynamicsError> {
    complete(factors)?;
    inward_innovation(model, kin, factors, right, work);
    for k in 0..model.body_count() {
        let part = layout_of(model, k);
        let inherited = inherited_motion(model, kin, k, &work.rigid, out);
        let mut values = [S::ZERO; 6];
        for i in 0..part.joint_v {
            values[i] = dot6(&factors.gain[part.joint + i], &inherited);
        }
        apply_joint_inverse(factors, part, &mut values);
        let mut alpha = inherited;
        for (i, column) in kin.subspace[part.joint()].iter().enumerate() {
            let x = work.innovation[part.v + part.modes + i] - values[i];
            out[part.v + part.modes + i] = x;
            alpha = add6(&alpha, &scale6(x, column));
        }
        work.rigid[k] = alpha;
        let modal = &mut out[part.modal_v()];
        for r in 0..part.modes {
            modal[r] = work.innovation[part.v + r] - dot6(&factors.coupling[part.modal + r], &alpha);
        }
        solve_lower_transposed(&factors.modal[part.modal_square()], part.modes, modal);
    }
    Ok(())
}

/// ε and ν of the force recursion with the given right side and no bias.
fn inward_innovation<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    factors: &ArticulatedBody<S>,
    right: &[S],
    work: &mut Innovations<S>,
) {
    work.rigid.fill([S::ZERO; 6]);
    work.modal.fill(S::ZERO);
    for k in (0..model.body_count()).rev() {
        let part = layout_of(model, k);
        let mut z = work.rigid[k];
        for r in 0..part.modes {
            work.innovation[part.v + r] = right[part.v + r] - work.modal[part.modal + r];
        }
        let y = &mut work.innovation[part.modal_v()];
        solve_lower(&factors.modal[part.modal_square()], part.modes, y);
        for r in 0..part.modes {
            z = add6(&z, &scale6(y[r], &factors.coupling[part.modal + r]));
        }
        let mut nu = [S::ZERO; 6];
        for (i, column) in kin.subspace[part.joint()].iter().enumerate() {
            nu[i] = right[part.v + part.modes + i] - dot6(column, &z);
        }
        apply_joint_inverse(factors, part, &mut nu);
        for i in 0..part.joint_v {
            work.innovation[part.v + part.modes + i] = nu[i];
            z = add6(&z, &scale6(nu[i], &factors.gain[part.joint + i]));
        }
        if let Some(carrier) = carrier(model, kin, k) {
            let modal = layout_of(model, carrier.body).modal();
            force_to_parent(kin, &carrier, k, &z, &mut work.rigid[carrier.body], &mut work.modal[modal]);
        }
    }
}

/// `out` = M `x` (eq. 6.4): outward [1 + HΦK]*, D, inward [1 + HΦK].
#[doc(hidden)]
pub fn multiply<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    factors: &ArticulatedBody<S>,
    x: &[S],
    work: &mut Innovations<S>,
    out: &mut [S],
) -> Result<(), DynamicsError> {
    complete(factors)?;
    // Outward: s = D [1 + HΦK]* x, using G* α⁺ with α⁺ = Φ* H* x.
    for k in 0..model.body_count() {
        let part = layout_of(model, k);
        let inherited = inherited_motion(model, kin, k, &work.rigid, x);
        let mut alpha = inherited;
        for (column, &value) in kin.subspace[part.joint()].iter().zip(&x[part.joint_v()]) {
            alpha = add6(&alpha, &scale6(value, column));
        }
        work.rigid[k] = alpha;
        // D_R x + U* α⁺ and D_f x + Y α_R (U = P_R H*, W = L⁻¹ Y)
        let joint = &mut work.innovation[part.joint_v()];
        joint.copy_from_slice(&x[part.joint_v()]);
        multiply_joint_diagonal(factors, part, joint);
        for i in 0..part.joint_v {
            joint[i] += dot6(&factors.gain[part.joint + i], &inherited);
        }
        modal_rows(factors, part, &x[part.modal_v()], &alpha, &mut work.innovation[part.modal_v()]);
    }
    inward_products(model, kin, factors, work, out);
    Ok(())
}

/// L* x_f + W α_R: the modal part of L⁻¹ times D [1 + HΦK]* x.
fn modal_rows<S: Scalar>(
    factors: &ArticulatedBody<S>,
    part: &BodyLayout,
    x: &[S],
    alpha: &Spatial<S>,
    out: &mut [S],
) {
    let n = part.modes;
    let l = &factors.modal[part.modal_square()];
    for r in 0..n {
        let mut sum = dot6(&factors.coupling[part.modal + r], alpha) + x[r] / l[r * (n + 1)];
        for s in r + 1..n {
            sum += l[s * n + r] * x[s];
        }
        out[r] = sum;
    }
}

/// Inward [1 + HΦK] applied to the rows left in `work.innovation`.
fn inward_products<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    factors: &ArticulatedBody<S>,
    work: &mut Innovations<S>,
    out: &mut [S],
) {
    work.rigid.fill([S::ZERO; 6]);
    work.modal.fill(S::ZERO);
    for k in (0..model.body_count()).rev() {
        let part = layout_of(model, k);
        let n = part.modes;
        let mut nu = [S::ZERO; 6];
        nu[..part.joint_v].copy_from_slice(&work.innovation[part.joint_v()]);
        // z before the joint: what the outboard side and this body's modes transmit.
        let mut z = work.rigid[k];
        let l = &factors.modal[part.modal_square()];
        for r in 0..n {
            let y = work.innovation[part.v + r];
            z = add6(&z, &scale6(y, &factors.coupling[part.modal + r]));
            let mut sum = work.modal[part.modal + r] + y / l[r * (n + 1)];
            for s in 0..r {
                sum += l[r * n + s] * work.innovation[part.v + s];
            }
            out[part.v + r] = sum;
        }
        for (i, column) in kin.subspace[part.joint()].iter().enumerate() {
            out[part.v + n + i] = nu[i] + dot6(column, &z);
        }
        apply_joint_inverse(factors, part, &mut nu);
        for i in 0..part.joint_v {
            z = add6(&z, &scale6(nu[i], &factors.gain[part.joint + i]));
        }
        if let Some(carrier) = carrier(model, kin, k) {
            let modal = layout_of(model, carrier.body).modal();
            force_to_parent(kin, &carrier, k, &z, &mut work.rigid[carrier.body], &mut work.modal[modal]);
        }
    }
}

fn inherited_motion<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    k: usize,
    motions: &[Spatial<S>],
    speeds: &[S],
) -> Spatial<S> {
    match carrier(model, kin, k) {
        Some(carrier) => {
            let modal = &speeds[layout_of(model, carrier.body).modal_v()];
            motion_from_parent(kin, &carrier, k, &motions[carrier.body], modal)
        }
        None => [S::ZERO; 6],
    }
}

/// D_R⁻¹ in place.
fn apply_joint_inverse<S: Scalar>(factors: &ArticulatedBody<S>, part: &BodyLayout, values: &mut [S; 6]) {
    let m = part.joint_v;
    if m == 1 {
        values[0] = values[0] * factors.joint_factor[part.joint_square];
        return;
    }
    let l = &factors.joint_factor[part.joint_square..part.joint_square + m * m];
    solve_lower(l, m, &mut values[..m]);
    solve_lower_transposed(l, m, &mut values[..m]);
}

/// D_R in place, from its factor.
fn multiply_joint_diagonal<S: Scalar>(factors: &ArticulatedBody<S>, part: &BodyLayout, values: &mut [S]) {
    let m = part.joint_v;
    if m == 1 {
        values[0] = values[0] / factors.joint_factor[part.joint_square];
        return;
    }
    let l = &factors.joint_factor[part.joint_square..part.joint_square + m * m];
    let entry = |i: usize, j: usize| if i == j { S::ONE / l[i * (m + 1)] } else { l[i * m + j] };
    let mut upper = [S::ZERO; 6];
    for i in 0..m {
        for j in i..m {
            upper[i] += entry(j, i) * values[j];
        }
    }
    for i in 0..m {
        values[i] = S::ZERO;
        for j in 0..=i {
            values[i] += entry(i, j) * upper[j];
        }
    }
}

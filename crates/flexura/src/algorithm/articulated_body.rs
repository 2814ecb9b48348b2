//! Forward dynamics by articulated bodies in O(N), with free and prescribed speeds.
//!
//! Source: JPL 90-26 eqs 7.8-7.12 with errata A1-A3, in hinge-referred blocks: modes and hinge
//! of a body apart, JPL 90-26 eqs 7.4-7.6. All freedoms at once, JPL 90-26 eqs 7.1-7.3, A.5-A.10,
//! give the same accelerations and are not computed.
//! Per body, tip to base:
//!
//! | paper | here |
//! |---|---|
//! | P(k) = Σ A Γ A* + M_m | `rigid`, `coupling`, `modal` |
//! | D_f = L L*, g D_f g* | `modal` (L), W = L⁻¹ P_fr in `coupling` |
//! | P_R = P_rr − W* W | `hinge_inertia` |
//! | D_R = H P_R H*, G_R = P_R H* D_R⁻¹ | `joint_factor`, U = P_R H* in `gain` |
//! | z, ε, ν | `force`, `modal_force` (y = L⁻¹ ε_f), `innovation` (ν_R) |
//!
//! D_f⁻¹ is never formed: only L⁻¹ is applied. For constant mass blocks the
//! low-rank route (eq. 7.9 with errata A2) replaces the factorisation: see
//! `low_rank`. Cost O(N (n³/6 + …)) directly, O(N n²) by the low-rank route.
//!
//! Typeset: book/src/theory/articulated_body.md (AB.1) to (AB.7).

use super::accelerations::Accelerations;
use super::body_inertia::BodyInertias;
use super::composite_body::singular;
use super::inverse_dynamics::base_acceleration;
use super::low_rank::Routes;
use super::transfer::{Carrier, carrier, motion_from_parent};
use crate::error::DynamicsError;
use crate::linear::{cholesky_in_place, solve_lower, solve_lower_transposed};
use crate::model::{BodyLayout, Model, layout_of};
use crate::motion::kinematics::Kinematics;
use crate::scalar::Scalar;
use crate::spatial::{
    Spatial, SymmetricSpatial, add6, dot6, rotate_back6, rotate6, scale6, shift_force, sub6,
};
use crate::state::Load;

/// How the modal block of a body with constant mass is eliminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlexibleRoute {
    /// Low-rank from the measured crossover on, direct below.
    Automatic,
    /// Cholesky factorisation of D_f in every evaluation.
    Direct,
    /// Constant factor and a 6×6 correction wherever the body allows it.
    LowRank,
}

/// Factors and vectors of the articulated-body algorithm.
#[derive(Clone, Debug)]
pub struct ArticulatedBody<S = f64> {
    /// Accumulated P_rr.
    rigid: Vec<SymmetricSpatial<S>>,
    /// Accumulated P_rf columns, then W.
    pub(super) coupling: Vec<Spatial<S>>,
    /// Accumulated P_ff, then L.
    pub(super) modal: Vec<S>,
    /// P_R.
    pub(super) hinge_inertia: Vec<SymmetricSpatial<S>>,
    /// z_r, then z_r + g ε_f.
    pub(super) force: Vec<Spatial<S>>,
    /// z_f, then y = L⁻¹ ε_f.
    pub(super) modal_force: Vec<S>,
    /// U = P_R H* of free joint columns, over all joint speeds.
    pub(super) gain: Vec<Spatial<S>>,
    /// Cholesky factor of D_R of the free columns.
    pub(super) joint_factor: Vec<S>,
    /// ν_R, over all joint speeds.
    innovation: Vec<S>,
    /// Whether the last evaluation left the factors of the whole mass matrix: all speeds free, all
    /// bodies on the direct route.
    pub(super) complete: bool,
    /// Bodies with a constant mass block.
    pub(super) low_rank: Routes<S>,
}

impl<S: Scalar> ArticulatedBody<S> {
    /// Scratch for `model`.
    pub fn new(model: &Model, route: FlexibleRoute) -> Self {
        let bodies = model.body_count();
        let zero6 = [S::ZERO; 6];
        Self {
            rigid: vec![SymmetricSpatial::ZERO; bodies],
            coupling: vec![zero6; model.layout.modal],
            modal: vec![S::ZERO; model.layout.modal_square],
            hinge_inertia: vec![SymmetricSpatial::ZERO; bodies],
            force: vec![zero6; bodies],
            modal_force: vec![S::ZERO; model.layout.modal],
            gain: vec![zero6; model.layout.joint],
            joint_factor: vec![S::ZERO; model.layout.joint_square],
            innovation: vec![S::ZERO; model.layout.joint],
            complete: false,
            low_rank: Routes::new(model, route),
        }
    }
}

impl<S: Scalar> ArticulatedBody<S> {
    /// Forgets that its factors are those of a mass matrix: another algorithm went on to another state.
    pub(crate) fn outdate(&mut self) {
        self.complete = false;
    }
}

/// Fills accelerations and driving forces for `load`.
#[doc(hidden)]
pub fn articulated_body<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    inertias: &BodyInertias<S>,
    load: &Load<S>,
    work: &mut ArticulatedBody<S>,
    out: &mut Accelerations<S>,
) -> Result<(), DynamicsError> {
    work.complete = false;
    start(model, inertias, load, work);
    inward_inertia(model, kin, load, work)?;
    outward_acceleration(model, kin, load, work, out);
    work.complete = !work.low_rank.any() && !load.prescribed.contains(&true);
    Ok(())
}

/// Loads the bodies' own mass, bias and applied forces.
fn start<S: Scalar>(
    model: &Model,
    inertias: &BodyInertias<S>,
    load: &Load<S>,
    work: &mut ArticulatedBody<S>,
) {
    for k in 0..model.body_count() {
        let part = layout_of(model, k);
        work.force[k] = sub6(&inertias.bias_rigid[k], &load.wrench[k]);
        for (r, &bias) in inertias.bias_modal[part.modal()].iter().enumerate() {
            work.modal_force[part.modal + r] = bias - load.generalized[part.v + r];
        }
        if let Some(low_rank) = &mut work.low_rank.bodies[k] {
            low_rank.start();
            continue;
        }
        work.rigid[k] = inertias.rigid[k];
        if part.modes > 0 {
            work.coupling[part.modal()].copy_from_slice(&inertias.coupling[part.modal()]);
            work.modal[part.modal_square()].copy_from_slice(&inertias.modal[part.modal_square()]);
        }
    }
}

/// (7.10), (7.11): articulated inertias and forces, tip to base.
fn inward_inertia<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    load: &Load<S>,
    work: &mut ArticulatedBody<S>,
) -> Result<(), DynamicsError> {
    for k in (0..model.body_count()).rev() {
        let part = layout_of(model, k);
        eliminate_modes(model, k, part, work)?;
        let (inertia, force) = eliminate_joint(model, kin, load, k, part, work)?;
        if let Some(carrier) = carrier(model, kin, k) {
            pass_inward(model, kin, &carrier, k, &inertia, &force, work);
        }
    }
    Ok(())
}

/// D_f, g and P_R of body `k`; z_r becomes z_r + g ε_f.
#[inline(always)]
fn eliminate_modes<S: Scalar>(
    model: &Model,
    k: usize,
    part: &BodyLayout,
    work: &mut ArticulatedBody<S>,
) -> Result<(), DynamicsError> {
    let n = part.modes;
    if n == 0 {
        work.hinge_inertia[k] = work.rigid[k];
        return Ok(());
    }
    if let Some(low_rank) = &mut work.low_rank.bodies[k] {
        let modal_force = &work.modal_force[part.modal()];
        work.hinge_inertia[k] = low_rank.eliminate(modal_force, &mut work.force[k]);
        return Ok(());
    }
    let factor = &mut work.modal[part.modal_square()];
    cholesky_in_place(factor, n).map_err(|pivot| singular(model, part.v + pivot))?;
    // W = L⁻¹ P_fr row by row, y = L⁻¹ ε_f with ε_f = −(z_f − T_f)
    let columns = &mut work.coupling[part.modal()];
    let forces = &mut work.modal_force[part.modal()];
    let mut inertia = work.rigid[k];
    let mut force = work.force[k];
    for r in 0..n {
        let (done, rest) = columns.split_at_mut(r);
        let (solved, open) = forces.split_at_mut(r);
        let factor = &factor[r * n..=r * n + r];
        let mut row = rest[0];
        let mut innovation = -open[0];
        for ((&l, column), &y) in factor.iter().zip(&*done).zip(&*solved) {
            for i in 0..6 {
                row[i] -= l * column[i];
            }
            innovation -= l * y;
        }
        let inverse = factor[r];
        row = scale6(inverse, &row);
        innovation = innovation * inverse;
        rest[0] = row;
        open[0] = innovation;
        inertia.subtract_square(&row);
        force = add6(&force, &scale6(innovation, &row));
    }
    work.hinge_inertia[k] = inertia;
    work.force[k] = force;
    Ok(())
}

/// D_R, ν_R and the (inertia, force) that body `k` shows to its parent.
#[inline(always)]
fn eliminate_joint<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    load: &Load<S>,
    k: usize,
    part: &BodyLayout,
    work: &mut ArticulatedBody<S>,
) -> Result<(SymmetricSpatial<S>, Spatial<S>), DynamicsError> {
    let mut inertia = work.hinge_inertia[k];
    let columns = &kin.subspace[part.joint()];
    let mut bias = kin.bodies[k].bias;
    for (i, column) in columns.iter().enumerate() {
        let speed = part.v + part.modes + i;
        if load.prescribed[speed] {
            bias = add6(&bias, &scale6(load.acceleration[speed], column));
        }
    }
    let mut force = add6(&work.force[k], &inertia.apply(&bias));
    let is_free = |i: usize| !load.prescribed[part.v + part.modes + i];
    if part.joint_v == 1 {
        if is_free(0) {
            let h = &columns[0];
            let gain = inertia.apply(h);
            let pivot = dot6(h, &gain);
            let usable = pivot.value() > 0.0; // false for NaN too
            if !usable {
                return Err(singular(model, part.v + part.modes));
            }
            let inverse = S::ONE / pivot;
            let innovation = (load.generalized[part.v + part.modes] - dot6(h, &force)) * inverse;
            inertia.add_scaled_square(-inverse, &gain);
            force = add6(&force, &scale6(innovation, &gain));
            work.gain[part.joint] = gain;
            work.joint_factor[part.joint_square] = inverse;
            work.innovation[part.joint] = innovation;
        }
        return Ok((inertia, force));
    }
    eliminate_columns(model, load, part, columns, &is_free, &mut inertia, &mut force, work)?;
    Ok((inertia, force))
}

/// Several joint columns at once.
fn eliminate_columns<S: Scalar>(
    model: &Model,
    load: &Load<S>,
    part: &BodyLayout,
    columns: &[Spatial<S>],
    is_free: &impl Fn(usize) -> bool,
    inertia: &mut SymmetricSpatial<S>,
    force: &mut Spatial<S>,
    work: &mut ArticulatedBody<S>,
) -> Result<(), DynamicsError> {
    let mut free = [0usize; 6];
    let mut m = 0;
    for i in (0..part.joint_v).filter(|&i| is_free(i)) {
        free[m] = i;
        m += 1;
    }
    let gain = &mut work.gain[part.joint()];
    let factor = &mut work.joint_factor[part.joint_square..part.joint_square + m * m];
    let mut innovation = [S::ZERO; 6];
    for a in 0..m {
        gain[free[a]] = inertia.apply(&columns[free[a]]);
        innovation[a] = load.generalized[part.v + part.modes + free[a]] - dot6(&columns[free[a]], force);
        for b in 0..=a {
            factor[a * m + b] = dot6(&columns[free[b]], &gain[free[a]]);
        }
    }
    cholesky_in_place(factor, m).map_err(|pivot| singular(model, part.v + part.modes + free[pivot]))?;
    // P⁺ = P − W* W with W = L⁻¹ U*; z⁺ = z + U D⁻¹ ε
    let mut rows = [[S::ZERO; 6]; 6];
    for a in 0..m {
        let mut row = gain[free[a]];
        for b in 0..a {
            for i in 0..6 {
                row[i] -= factor[a * m + b] * rows[b][i];
            }
        }
        rows[a] = scale6(factor[a * m + a], &row);
        inertia.subtract_square(&rows[a]);
    }
    solve_lower(factor, m, &mut innovation[..m]);
    for a in 0..m {
        *force = add6(force, &scale6(innovation[a], &rows[a]));
    }
    solve_lower_transposed(factor, m, &mut innovation[..m]);
    for a in 0..m {
        work.innovation[part.joint + free[a]] = innovation[a];
    }
    if m == 6 {
        // A free joint transmits nothing; what is left is rounding.
        *inertia = SymmetricSpatial::ZERO;
    }
    Ok(())
}

/// Adds A Γ A* and A z⁺ to the parent.
#[inline(always)]
fn pass_inward<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    carrier: &Carrier<'_, S>,
    k: usize,
    inertia: &SymmetricSpatial<S>,
    force: &Spatial<S>,
    work: &mut ArticulatedBody<S>,
) {
    let (body, p) = (&kin.bodies[k], carrier.body);
    let turned = inertia.rotated(&body.rotation);
    let turned_force = rotate6(&body.rotation, force);
    if let Some(low_rank) = &mut work.low_rank.bodies[p] {
        let at_point = shift_force(&body.from_node, &turned_force);
        low_rank.add_child(work.low_rank.point[k], &turned.shifted(&body.from_node), &at_point);
        return;
    }
    if carrier.influence.is_empty() {
        work.rigid[p].accumulate(&turned.shifted(&body.from_parent));
        work.force[p] = add6(&work.force[p], &shift_force(&body.from_parent, &turned_force));
        return;
    }
    let gamma = turned.shifted(&body.from_node);
    let at_point = shift_force(&body.from_node, &turned_force);
    let part = layout_of(model, p);
    let rows = work.modal[part.modal_square()].chunks_exact_mut(part.modes);
    let columns = work.coupling[part.modal()].iter_mut().zip(&mut work.modal_force[part.modal()]);
    for (r, (row, (column, modal_force))) in rows.zip(columns).enumerate() {
        let influence = &carrier.influence[r];
        let reaction = gamma.apply(influence);
        let at_frame = carrier.lever.map_or(reaction, |l| shift_force(&l, &reaction));
        *column = add6(column, &at_frame);
        *modal_force += dot6(influence, &at_point);
        // Only the lower triangle is factorised.
        for (entry, other) in row.iter_mut().zip(&carrier.influence[..=r]) {
            *entry += dot6(other, &reaction);
        }
    }
    work.rigid[p].accumulate(&carrier.lever.map_or(gamma, |l| gamma.shifted(&l)));
    let at_frame = carrier.lever.map_or(at_point, |l| shift_force(&l, &at_point));
    work.force[p] = add6(&work.force[p], &at_frame);
}

/// (7.12): accelerations, base to tip.
fn outward_acceleration<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    load: &Load<S>,
    work: &ArticulatedBody<S>,
    out: &mut Accelerations<S>,
) {
    let base = base_acceleration(model);
    for k in 0..model.body_count() {
        let part = layout_of(model, k);
        let inherited = match carrier(model, kin, k) {
            Some(carrier) => {
                let modal = &out.chidot[layout_of(model, carrier.body).modal_v()];
                motion_from_parent(kin, &carrier, k, &out.acceleration[carrier.body], modal)
            }
            None => rotate_back6(&kin.bodies[k].rotation, &base),
        };
        joint_acceleration(load, part, &inherited, work, out);
        // Summed in the order of inverse dynamics, so that its accelerations are the same to the last bit.
        let mut alpha = inherited;
        for (column, &x) in kin.subspace[part.joint()].iter().zip(&out.chidot[part.joint_v()]) {
            alpha = add6(&alpha, &scale6(x, column));
        }
        alpha = add6(&alpha, &kin.bodies[k].bias);
        out.acceleration[k] = alpha;
        driving_force(kin, load, k, part, &alpha, work, out);
        modal_acceleration(k, part, &alpha, work, out);
    }
}

/// β̇ = ν_R − G_R* α⁺ for free columns, as given for prescribed ones.
#[inline(always)]
fn joint_acceleration<S: Scalar>(
    load: &Load<S>,
    part: &BodyLayout,
    inherited: &Spatial<S>,
    work: &ArticulatedBody<S>,
    out: &mut Accelerations<S>,
) {
    let first = part.v + part.modes;
    if part.joint_v == 1 {
        out.chidot[first] = if load.prescribed[first] {
            load.acceleration[first]
        } else {
            let inverse = work.joint_factor[part.joint_square];
            work.innovation[part.joint] - dot6(&work.gain[part.joint], inherited) * inverse
        };
        return;
    }
    let mut values = [S::ZERO; 6];
    let mut free = [0usize; 6];
    let mut m = 0;
    for i in 0..part.joint_v {
        if load.prescribed[first + i] {
            out.chidot[first + i] = load.acceleration[first + i];
        } else {
            values[m] = dot6(&work.gain[part.joint + i], inherited);
            free[m] = i;
            m += 1;
        }
    }
    let factor = &work.joint_factor[part.joint_square..part.joint_square + m * m];
    solve_lower(factor, m, &mut values[..m]);
    solve_lower_transposed(factor, m, &mut values[..m]);
    for a in 0..m {
        out.chidot[first + free[a]] = work.innovation[part.joint + free[a]] - values[a];
    }
}

/// Driving force of prescribed columns: H (P_R α_R + z_r + g ε_f) − T.
#[inline(always)]
fn driving_force<S: Scalar>(
    kin: &Kinematics<S>,
    load: &Load<S>,
    k: usize,
    part: &BodyLayout,
    alpha: &Spatial<S>,
    work: &ArticulatedBody<S>,
    out: &mut Accelerations<S>,
) {
    let range = part.joint_v();
    if !load.prescribed[range.clone()].iter().any(|&p| p) {
        // The flags may have changed since the last evaluation.
        out.driving[range].fill(S::ZERO);
        return;
    }
    let force = add6(&work.hinge_inertia[k].apply(alpha), &work.force[k]);
    for (column, speed) in kin.subspace[part.joint()].iter().zip(range) {
        let need = dot6(column, &force) - load.generalized[speed];
        out.driving[speed] = if load.prescribed[speed] { need } else { S::ZERO };
    }
}

/// η̈ = D_f⁻¹ ε_f − g* α_R = L⁻ᵀ (y − W α_R).
#[inline(always)]
fn modal_acceleration<S: Scalar>(
    k: usize,
    part: &BodyLayout,
    alpha: &Spatial<S>,
    work: &ArticulatedBody<S>,
    out: &mut Accelerations<S>,
) {
    let n = part.modes;
    if n == 0 {
        return;
    }
    let chidot = &mut out.chidot[part.modal_v()];
    if let Some(low_rank) = &work.low_rank.bodies[k] {
        low_rank.modal_acceleration(alpha, chidot);
        return;
    }
    for r in 0..n {
        chidot[r] = work.modal_force[part.modal + r] - dot6(&work.coupling[part.modal + r], alpha);
    }
    solve_lower_transposed(&work.modal[part.modal_square()], n, chidot);
}

//! Recursive inverse dynamics: given accelerations, the forces they need.
//!
//! Source: JPL 90-26 eqs 4.1-4.2 (with errata A1, through the hinge-referred
//! blocks), over trees: accelerations by JPL 90-26 eqs 3.26-3.28, forces by JPL 90-26 eqs 3.34-3.38. Outward: α_R; inward: f = Σ children + M α + b − wrench;
//! T_f = modal rows, T_R = H_F f. Cost O(N n²), linear in the bodies.
//!
//! Typeset: book/src/theory/inverse_dynamics.md (ID.1) to (ID.5).

use super::body_inertia::BodyInertias;
use super::transfer::{carrier, force_to_parent, motion_from_parent};
use crate::model::{Model, layout_of};
use crate::motion::kinematics::Kinematics;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, add6, dot6, scale6, sub6};

/// Results and scratch of inverse dynamics.
#[derive(Clone, Debug)]
pub struct InverseDynamics<S = f64> {
    /// Hinge-referred acceleration α_R of each body, gravity included as −g at the base.
    pub acceleration: Vec<Spatial<S>>,
    /// Force the joint exerts on each body at F_k, F_k components.
    pub joint_force: Vec<Spatial<S>>,
    /// Required generalised force on each speed.
    pub generalized: Vec<S>,
    modal: Vec<S>,
}

impl<S: Scalar> InverseDynamics<S> {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        Self {
            acceleration: vec![[S::ZERO; 6]; model.body_count()],
            joint_force: vec![[S::ZERO; 6]; model.body_count()],
            generalized: vec![S::ZERO; model.speed_count()],
            modal: vec![S::ZERO; model.layout.modal],
        }
    }

    /// Forgets the forces on modes.
    pub(crate) fn clear_modal(&mut self) {
        self.modal.fill(S::ZERO);
    }
}

/// Which terms enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    /// Mass, velocity-dependent, elastic and gravity terms.
    All,
    /// Mass × acceleration only: the product M χ̇ (Newton-Euler factorisation, eq. 3.45).
    MassOnly,
    /// Mass × acceleration less the wrenches.
    MassAndWrenches,
}

/// Fills `out.generalized` with the forces that produce `chidot` in addition to `wrench`.
pub fn inverse_dynamics<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    inertias: &BodyInertias<S>,
    chidot: &[S],
    wrench: &[Spatial<S>],
    terms: Terms,
    out: &mut InverseDynamics<S>,
) {
    outward_acceleration(model, kin, chidot, terms, out);
    body_forces(model, inertias, chidot, wrench, terms, out);
    inward_force(model, kin, out);
}

/// Acceleration of the base that stands for gravity: [0; −g].
#[inline(always)]
pub(crate) fn base_acceleration<S: Scalar>(model: &Model) -> Spatial<S> {
    let g = &model.gravity;
    let o = S::ZERO;
    [o, o, o, S::from_f64(-g[0]), S::from_f64(-g[1]), S::from_f64(-g[2])]
}

/// (4.1): α_R = α⁺ + H β̇ + a_mR.
pub(crate) fn outward_acceleration<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    chidot: &[S],
    terms: Terms,
    out: &mut InverseDynamics<S>,
) {
    let base = if terms == Terms::All { base_acceleration(model) } else { [S::ZERO; 6] };
    for k in 0..model.body_count() {
        let part = layout_of(model, k);
        let mut alpha = match carrier(model, kin, k) {
            Some(carrier) => {
                let modal = &chidot[layout_of(model, carrier.body).modal_v()];
                motion_from_parent(kin, &carrier, k, &out.acceleration[carrier.body], modal)
            }
            None => crate::spatial::rotate_back6(&kin.bodies[k].rotation, &base),
        };
        for (column, &x) in kin.subspace[part.joint()].iter().zip(&chidot[part.joint_v()]) {
            alpha = add6(&alpha, &scale6(x, column));
        }
        if terms == Terms::All {
            alpha = add6(&alpha, &kin.bodies[k].bias);
        }
        out.acceleration[k] = alpha;
    }
}

/// M_m α_m + b_m − wrench of every body on its own.
fn body_forces<S: Scalar>(
    model: &Model,
    inertias: &BodyInertias<S>,
    chidot: &[S],
    wrench: &[Spatial<S>],
    terms: Terms,
    out: &mut InverseDynamics<S>,
) {
    for k in 0..model.body_count() {
        let modal = &mut out.modal[layout_of(model, k).modal()];
        // Products with the mass matrix feel no wrenches, and need none.
        let none = [S::ZERO; 6];
        let felt = if terms == Terms::MassOnly { &none } else { &wrench[k] };
        let given = (&out.acceleration[k], felt);
        out.joint_force[k] = body_force(model, inertias, chidot, given, terms, k, modal);
    }
}

/// The force on body `k` at its hinge that moves it at `alpha` against `wrench`, and those on its modes.
#[inline(always)]
pub(super) fn body_force<S: Scalar>(
    model: &Model,
    inertias: &BodyInertias<S>,
    chidot: &[S],
    (alpha, wrench): (&Spatial<S>, &Spatial<S>),
    terms: Terms,
    k: usize,
    forces: &mut [S],
) -> Spatial<S> {
    let part = layout_of(model, k);
    let n = part.modes;
    let etadd = &chidot[part.modal_v()];
    let mut force = inertias.rigid[k].apply(alpha);
    if terms == Terms::All {
        force = sub6(&add6(&force, &inertias.bias_rigid[k]), wrench);
    } else if terms == Terms::MassAndWrenches {
        force = sub6(&force, wrench);
    }
    let modal = &inertias.modal[part.modal_square()];
    for r in 0..n {
        let column = &inertias.coupling[part.modal + r];
        force = add6(&force, &scale6(etadd[r], column));
        let mut sum = dot6(column, alpha);
        for s in 0..n {
            sum += modal[r * n + s] * etadd[s];
        }
        if terms == Terms::All {
            sum += inertias.bias_modal[part.modal + r];
        }
        forces[r] = sum;
    }
    force
}

/// (4.2): sums children and projects on the joint and modal directions.
pub(crate) fn inward_force<S: Scalar>(model: &Model, kin: &Kinematics<S>, out: &mut InverseDynamics<S>) {
    for k in (0..model.body_count()).rev() {
        let part = layout_of(model, k);
        let force = out.joint_force[k];
        out.generalized[part.modal_v()].copy_from_slice(&out.modal[part.modal()]);
        for (column, slot) in kin.subspace[part.joint()].iter().zip(&mut out.generalized[part.joint_v()]) {
            *slot = dot6(column, &force);
        }
        if let Some(carrier) = carrier(model, kin, k) {
            let parent = layout_of(model, carrier.body).modal();
            let (rigid, modal) = (&mut out.joint_force[carrier.body], &mut out.modal[parent]);
            force_to_parent(kin, &carrier, k, &force, rigid, modal);
        }
    }
}

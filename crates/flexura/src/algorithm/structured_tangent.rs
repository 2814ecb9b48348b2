//! O(N) factorisation and solution of M + B with B block diagonal.
//!
//! The tangent of an implicit step is S = M + γ'h C + β'h² K. Its stiff parts,
//! modal stiffness and damping and joint springs and dampers, act inside one
//! body or one joint, so M + B (B their block-diagonal sum) has the structure of
//! the mass matrix itself: the articulated-body recursion of JPL 90-26 eq. 7.10
//! factorises it with D_f + B_f and D_R + B_R in place of D_f and D_R, and
//! eq. 6.6 applies its inverse. Prescribed speeds are left out. Cost O(N n³) to
//! factorise, O(N n²) to solve; used by modified Newton, which makes up for the
//! non-stiff remainder of S.
//!
//! Typeset: book/src/theory/articulated_body.md (AB.8).

use super::body_inertia::BodyInertias;
use super::composite_body::singular;
use super::transfer::{carrier, force_to_parent, motion_from_parent};
use crate::error::DynamicsError;
use crate::linear::{cholesky_in_place, solve_lower, solve_lower_transposed};
use crate::model::{BodyLayout, Model, layout_of};
use crate::motion::kinematics::Kinematics;
use crate::spatial::{Spatial, SymmetricSpatial, add6, dot6, scale6, shift_force};

/// Factors of M + B and scratch of the solution.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct StructuredTangent {
    rigid: Vec<SymmetricSpatial>,
    /// W = L⁻¹ P_fr rows.
    coupling: Vec<Spatial>,
    /// L of D_f + B_f.
    modal: Vec<f64>,
    /// U = P_R H*, zero for prescribed columns.
    gain: Vec<Spatial>,
    /// L of D_R + B_R, unit rows for prescribed columns.
    joint: Vec<f64>,
    force: Vec<Spatial>,
    modal_force: Vec<f64>,
    innovation: Vec<f64>,
}

/// Weights of stiffness and damping in B.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub struct TangentWeights {
    /// β'h² (s²).
    pub stiffness: f64,
    /// γ'h (s).
    pub damping: f64,
}

impl StructuredTangent {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        let (bodies, zero) = (model.body_count(), [0.0; 6]);
        Self {
            rigid: vec![SymmetricSpatial::ZERO; bodies],
            coupling: vec![zero; model.layout.modal],
            modal: vec![0.0; model.layout.modal_square],
            gain: vec![zero; model.layout.joint],
            joint: vec![0.0; model.layout.joint_square],
            force: vec![zero; bodies],
            modal_force: vec![0.0; model.layout.modal],
            innovation: vec![0.0; model.speed_count()],
        }
    }

    /// Factorises M + B at the configuration of `kin` and `inertias`.
    pub fn factorize(
        &mut self,
        model: &Model,
        kin: &Kinematics,
        inertias: &BodyInertias,
        weights: TangentWeights,
        prescribed: &[bool],
    ) -> Result<(), DynamicsError> {
        self.rigid.copy_from_slice(&inertias.rigid);
        self.coupling.copy_from_slice(&inertias.coupling);
        self.modal.copy_from_slice(&inertias.modal);
        for k in (0..model.body_count()).rev() {
            let part = layout_of(model, k);
            let mut inertia = self.rigid[k];
            self.eliminate_modes(model, k, part, weights, &mut inertia)?;
            self.eliminate_joint(model, kin, k, part, weights, prescribed, &mut inertia)?;
            self.pass_inward(model, kin, k, &inertia);
        }
        Ok(())
    }

    fn eliminate_modes(
        &mut self,
        model: &Model,
        k: usize,
        part: &BodyLayout,
        weights: TangentWeights,
        inertia: &mut SymmetricSpatial,
    ) -> Result<(), DynamicsError> {
        let (n, body) = (part.modes, &model.bodies[k]);
        let factor = &mut self.modal[part.modal_square()];
        for r in 0..n {
            for s in 0..=r {
                let stiff = weights.stiffness * body.stiffness.entry(r, s, n);
                factor[r * n + s] += stiff + weights.damping * body.damping.entry(r, s, n);
            }
        }
        cholesky_in_place(factor, n).map_err(|pivot| singular(model, part.v + pivot))?;
        let rows = &mut self.coupling[part.modal()];
        for r in 0..n {
            for s in 0..r {
                rows[r] = add6(&rows[r], &scale6(-factor[r * n + s], &rows[s]));
            }
            rows[r] = scale6(factor[r * n + r], &rows[r]);
            inertia.subtract_square(&rows[r]);
        }
        Ok(())
    }

    fn eliminate_joint(
        &mut self,
        model: &Model,
        kin: &Kinematics,
        k: usize,
        part: &BodyLayout,
        weights: TangentWeights,
        prescribed: &[bool],
        inertia: &mut SymmetricSpatial,
    ) -> Result<(), DynamicsError> {
        let m = part.joint_v;
        let columns = &kin.subspace[part.joint()];
        let gain = &mut self.gain[part.joint()];
        let factor = &mut self.joint[part.joint_square..part.joint_square + m * m];
        for a in 0..m {
            let locked = prescribed[part.v + part.modes + a];
            gain[a] = if locked { [0.0; 6] } else { inertia.apply(&columns[a]) };
            for b in 0..a {
                let open = !locked && !prescribed[part.v + part.modes + b];
                factor[a * m + b] = if open { dot6(&columns[b], &gain[a]) } else { 0.0 };
            }
            let c = &model.joints[k].coordinates[a];
            let added = weights.stiffness * c.stiffness + weights.damping * c.damping;
            factor[a * m + a] = if locked { 1.0 } else { dot6(&columns[a], &gain[a]) + added };
        }
        cholesky_in_place(factor, m).map_err(|pivot| singular(model, part.v + part.modes + pivot))?;
        let mut rows = [[0.0; 6]; 6];
        for a in 0..m {
            let mut row = gain[a];
            for b in 0..a {
                row = add6(&row, &scale6(-factor[a * m + b], &rows[b]));
            }
            rows[a] = scale6(factor[a * m + a], &row);
            inertia.subtract_square(&rows[a]);
        }
        Ok(())
    }

    fn pass_inward(&mut self, model: &Model, kin: &Kinematics, k: usize, inertia: &SymmetricSpatial) {
        let Some(carrier) = carrier(model, kin, k) else { return };
        let (body, p) = (&kin.bodies[k], carrier.body);
        let turned = inertia.rotated(&body.rotation);
        if carrier.influence.is_empty() {
            self.rigid[p].accumulate(&turned.shifted(&body.from_parent));
            return;
        }
        let gamma = turned.shifted(&body.from_node);
        let part = layout_of(model, p);
        let n = part.modes;
        for r in 0..n {
            let reaction = gamma.apply(&carrier.influence[r]);
            let at_frame = carrier.lever.map_or(reaction, |l| shift_force(&l, &reaction));
            self.coupling[part.modal + r] = add6(&self.coupling[part.modal + r], &at_frame);
            for s in 0..=r {
                self.modal[part.modal_square + r * n + s] += dot6(&carrier.influence[s], &reaction);
            }
        }
        self.rigid[p].accumulate(&carrier.lever.map_or(gamma, |l| gamma.shifted(&l)));
    }

    /// `out` = (M + B)⁻¹ `right`; zero for prescribed speeds.
    pub fn solve(
        &mut self,
        model: &Model,
        kin: &Kinematics,
        prescribed: &[bool],
        right: &[f64],
        out: &mut [f64],
    ) {
        self.inward(model, kin, prescribed, right);
        for k in 0..model.body_count() {
            let part = layout_of(model, k);
            let inherited = match carrier(model, kin, k) {
                Some(carrier) => {
                    let modal = &out[layout_of(model, carrier.body).modal_v()];
                    motion_from_parent(kin, &carrier, k, &self.force[carrier.body], modal)
                }
                None => [0.0; 6],
            };
            let mut values = [0.0; 6];
            for i in 0..part.joint_v {
                values[i] = dot6(&self.gain[part.joint + i], &inherited);
            }
            self.joint_inverse(part, &mut values);
            let mut motion = inherited;
            for (i, column) in kin.subspace[part.joint()].iter().enumerate() {
                let speed = part.v + part.modes + i;
                out[speed] = if prescribed[speed] { 0.0 } else { self.innovation[speed] - values[i] };
                motion = add6(&motion, &scale6(out[speed], column));
            }
            // `force` is free again after the inward pass: it now carries the motion outward.
            self.force[k] = motion;
            let modal = &mut out[part.modal_v()];
            for r in 0..part.modes {
                modal[r] = self.innovation[part.v + r] - dot6(&self.coupling[part.modal + r], &motion);
            }
            solve_lower_transposed(&self.modal[part.modal_square()], part.modes, modal);
        }
    }

    fn inward(&mut self, model: &Model, kin: &Kinematics, prescribed: &[bool], right: &[f64]) {
        self.force.fill([0.0; 6]);
        self.modal_force.fill(0.0);
        for k in (0..model.body_count()).rev() {
            let part = layout_of(model, k);
            let mut z = self.force[k];
            let y = &mut self.innovation[part.modal_v()];
            for r in 0..part.modes {
                y[r] = right[part.v + r] - self.modal_force[part.modal + r];
            }
            solve_lower(&self.modal[part.modal_square()], part.modes, y);
            for r in 0..part.modes {
                z = add6(&z, &scale6(y[r], &self.coupling[part.modal + r]));
            }
            let mut nu = [0.0; 6];
            for (i, column) in kin.subspace[part.joint()].iter().enumerate() {
                let speed = part.v + part.modes + i;
                nu[i] = if prescribed[speed] { 0.0 } else { right[speed] - dot6(column, &z) };
            }
            self.joint_inverse(part, &mut nu);
            for i in 0..part.joint_v {
                self.innovation[part.v + part.modes + i] = nu[i];
                z = add6(&z, &scale6(nu[i], &self.gain[part.joint + i]));
            }
            if let Some(carrier) = carrier(model, kin, k) {
                let modal = layout_of(model, carrier.body).modal();
                let (rigid, modal) = (&mut self.force[carrier.body], &mut self.modal_force[modal]);
                force_to_parent(kin, &carrier, k, &z, rigid, modal);
            }
        }
    }

    fn joint_inverse(&self, part: &BodyLayout, values: &mut [f64; 6]) {
        let m = part.joint_v;
        let factor = &self.joint[part.joint_square..part.joint_square + m * m];
        solve_lower(factor, m, &mut values[..m]);
        solve_lower_transposed(factor, m, &mut values[..m]);
    }
}

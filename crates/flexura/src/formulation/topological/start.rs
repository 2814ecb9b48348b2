//! Accelerations and multipliers of a state by the masses and constraints of this formulation alone: how a run starts, and
//! starts again where inputs have jumped.
//!
//! Source: Bayo, García de Jalón & Serna, Comput. Methods Appl. Mech. Eng. 71 (1988) 183-195, the augmented Lagrangian at
//! the level of accelerations. With Φ̈ = J w + b of any accelerations w, and the rows' unit reactions:
//!
//! * (M + JᵀαJ) Δw = −(M w + c − Q − Jᵀμ + Jᵀα Φ̈)
//! * μ −= α Φ̈ at w + Δw
//!
//! Φ̈ is linear in w, so that every pass shrinks it by about the penalty. Cost: one factorisation of the envelope, then one
//! inverse dynamics and one back-substitution per pass, two or three of them.
//!
//! Typeset: book/src/theory/topological.md (TO.6).

use super::Topological;
use crate::algorithm::inverse_dynamics::{Terms, inverse_dynamics};
use crate::algorithm::structured_tangent::TangentWeights;
use crate::error::DynamicsError;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;

/// Change of accelerations, relative to the largest, that ends the passes.
const SETTLED: f64 = 1e-13;
/// Most passes: in directions that constraints hardly reach they change little.
const PASSES: usize = 12;
/// Masses alone: no step, no springs, no dampers.
const MASSES: TangentWeights = TangentWeights { stiffness: 0.0, damping: 0.0 };

impl Topological {
    /// Finds the accelerations `w` and the multipliers at `state`, where the workspace stands with its loads; what is
    /// prescribed must be in `w`. Reactions are then among the loads, and joint forces in the workspace. No allocation.
    #[doc(hidden)]
    pub fn accelerate(
        &mut self,
        model: &Model,
        state: &State,
        w: &mut [f64],
        work: &mut Workspace,
    ) -> Result<(), DynamicsError> {
        self.evaluate_rows(model, state, work);
        self.inertia.fill(model, work, MASSES, &mut self.matrix);
        self.factorize_with_rows(model, work, 1.0)?;
        self.multipliers.fill(0.0);
        for _ in 0..PASSES {
            let change = self.accelerate_once(model, state, w, work);
            let size = w.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
            if !change.is_finite() {
                self.forget_factors();
                return Err(DynamicsError::NewtonFailed);
            }
            if change <= SETTLED * size {
                break;
            }
        }
        // They are none of a step.
        self.forget_factors();
        self.react(model, work);
        balance(model, w, work);
        Ok(())
    }

    /// One pass; returns the largest change of an acceleration.
    fn accelerate_once(&mut self, model: &Model, state: &State, w: &mut [f64], work: &mut Workspace) -> f64 {
        balance(model, w, work);
        let given = Some((&work.inverse.acceleration[..], &*w));
        self.rows.evaluate(model, (state.time, state.side), &work.motion, given);
        let (n, right) = (self.structure.speeds.len(), &mut self.right);
        for (slot, &speed) in right.iter_mut().zip(&self.structure.speeds) {
            *slot = work.inverse.generalized[speed] - work.load.generalized[speed];
        }
        right[n] = 0.0;
        let (rows, penalty, multipliers) = (&self.rows, &self.penalty, &mut self.multipliers);
        self.jacobian.for_rows(model, &self.structure, |index, row, unknowns| {
            let force = penalty[index] * rows.acceleration[index] - multipliers[index];
            for (&x, &u) in row.iter().zip(unknowns) {
                right[u] += x * force;
            }
        });
        self.matrix.solve(&mut right[..n]);
        right[n] = 0.0;
        self.jacobian.for_rows(model, &self.structure, |index, row, unknowns| {
            let moved: f64 = row.iter().zip(unknowns).map(|(&x, &u)| x * right[u]).sum();
            multipliers[index] -= penalty[index] * (rows.acceleration[index] - moved);
        });
        let mut change = 0.0_f64;
        for (&speed, &x) in self.structure.speeds.iter().zip(&*right) {
            w[speed] -= x;
            change = if x.is_finite() { change.max(x.abs()) } else { f64::INFINITY };
        }
        change
    }
}

/// Inverse dynamics of the accelerations `w` under the loads of the workspace.
fn balance(model: &Model, w: &[f64], work: &mut Workspace) {
    let (kin, bodies) = (&work.motion.kinematics, &work.inertias);
    inverse_dynamics(model, kin, bodies, w, &work.load.wrench, Terms::All, &mut work.inverse);
}

//! Runs over time with the generated equations: `formulation = "graph"`.
//!
//! Source: Richard (2012), section 4: M̂ q̈ = Q + Φ_qᵀλ, Φ_q q̈ = Λ, in whatever branch coordinates the tree gives. Explicit methods and Radau IIA ask
//! for accelerations here instead of the recursions. Constraints are linear in q̈ only (F5), so states are put back on
//! them at both levels, by the same M̂ and Φ_q: δ = −M̂⁻¹Φ_qᵀ(Φ_q M̂⁻¹Φ_qᵀ)⁺Φ. Forces of drivers in the tree are what the equations leave open at
//! prescribed speeds. Cost O(bodies 𝒩² + 𝒩³); nothing allocates.

use super::bias::BiasMotion;
use super::generate::Generator;
use super::solve::Solver;
use super::{Equations, INEXACT, INEXACT_FIX, inexact_joint};
use crate::algorithm::closure::apply_reactions;
use crate::algorithm::inverse_dynamics::{InverseDynamics, Terms, outward_acceleration};
use crate::constraint::{largest_gap, move_by};
use crate::error::DynamicsError;
use crate::model::Model;
use crate::state::State;
use crate::workspace::{Substitute, Workspace};

/// Violation of a position accepted as rounding, per unit of length, angle and cosine.
const CLOSED: f64 = 1e-15;
/// Violation at which corrections that no longer help are no cause for concern.
const NEARLY: f64 = 1e-13;
/// Violation above which a loop counts as open after all corrections.
const OPEN: f64 = 1e-8;
/// Corrections of the position before giving up.
const CORRECTIONS: usize = 12;

/// Scratch of the generated equations of one model.
#[derive(Clone, Debug)]
pub struct GraphFormulation {
    bias: BiasMotion,
    generator: Generator,
    equations: Equations,
    solver: Solver,
    inverse: InverseDynamics,
    wrong: Vec<f64>,
    change: Vec<f64>,
}

impl GraphFormulation {
    /// Scratch for `model`; refused where its attachments do not move exactly with the modes.
    pub fn new(model: &Model) -> Result<Self, DynamicsError> {
        if let Some(joint) = inexact_joint(model) {
            let cause = format!("{INEXACT} (joint `{joint}`): {INEXACT_FIX}");
            return Err(DynamicsError::Unsupported { cause });
        }
        Ok(Self {
            bias: BiasMotion::new(model),
            generator: Generator::new(model),
            equations: Equations::new(model),
            solver: Solver::new(model),
            inverse: InverseDynamics::new(model),
            wrong: vec![0.0; model.constraint_count()],
            change: vec![0.0; model.speed_count()],
        })
    }

    /// Driving force of every prescribed speed: M̂ q̈ − Q − Φ_qᵀλ.
    fn fill_driving(&self, multipliers: &[f64], accelerations: &[f64], driving: &mut [f64]) {
        let (equations, n) = (&self.equations, self.equations.speeds);
        for (i, slot) in driving.iter_mut().enumerate() {
            *slot = 0.0;
            if equations.prescribed[i] {
                let row = &equations.mass[i * n..(i + 1) * n];
                let needed: f64 = row.iter().zip(accelerations).map(|(m, a)| m * a).sum();
                let chords: f64 =
                    multipliers.iter().enumerate().map(|(r, x)| equations.jacobian[r * n + i] * x).sum();
                *slot = needed - equations.force[i] - chords;
            }
        }
    }

    /// M̂ and Φ_q at the motion in `work`, factorised.
    fn prepare(&mut self, model: &Model, state: &State, work: &Workspace) -> Result<(), DynamicsError> {
        self.generator.fill(model, state, work, &mut self.equations);
        self.solver.factorize(model, &self.equations)
    }

    /// The same without rows on speeds alone, in which corrections of positions have no part.
    fn prepare_positions(
        &mut self,
        model: &Model,
        state: &State,
        work: &Workspace,
    ) -> Result<(), DynamicsError> {
        self.generator.fill(model, state, work, &mut self.equations);
        let n = self.equations.speeds;
        for joint in &model.loops {
            for (row, index) in joint.rows.iter().zip(joint.row_range()) {
                if row.shape.is_on_speeds() {
                    self.equations.jacobian[index * n..(index + 1) * n].fill(0.0);
                }
            }
        }
        self.solver.factorize(model, &self.equations)
    }
}

impl Substitute<f64> for GraphFormulation {
    fn evaluate(&mut self, model: &Model, state: &State, work: &mut Workspace) -> Result<(), DynamicsError> {
        // Rows and their wrenches are what reactions are told by.
        largest_gap(model, state, work);
        work.loads(model, state);
        self.bias.evaluate(model, state);
        self.prepare(model, state, work)?;
        self.generator.fill_forces(model, work, &self.bias.acceleration, &mut self.equations);
        self.equations.right.copy_from_slice(&self.bias.right);
        work.articulated.outdate();
        let (found, multipliers) = (&mut work.accelerations, &mut work.closure.multipliers);
        self.solver.solve(&self.equations, &mut found.chidot, multipliers);
        self.fill_driving(multipliers, &found.chidot, &mut found.driving);
        let kin = &work.motion.kinematics;
        outward_acceleration(model, kin, &found.chidot, Terms::All, &mut self.inverse);
        found.acceleration.copy_from_slice(&self.inverse.acceleration);
        if !model.loops.is_empty() {
            apply_reactions(model, (state.time, state.side), &mut work.loop_parts());
        }
        Ok(())
    }

    fn project(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Workspace,
    ) -> Result<(), DynamicsError> {
        let mut last = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            let gap = largest_gap(model, state, work);
            self.prepare_positions(model, state, work)?;
            let rounding = CLOSED * (1.0 + crate::constraint::extent(model, work));
            if gap <= rounding || (gap > 0.5 * last && gap < NEARLY) {
                last = gap;
                break;
            }
            last = gap;
            self.wrong.copy_from_slice(&work.closure.residual);
            self.solver.close(&mut self.wrong, &mut self.change);
            move_by(model, state, &self.change);
        }
        if last >= OPEN {
            return Err(crate::constraint::open_loop(model, work));
        }
        if model.nonholonomic_joint().is_some() {
            self.prepare(model, state, work)?;
        }
        self.wrong.copy_from_slice(&work.closure.rate);
        self.solver.close(&mut self.wrong, &mut self.change);
        for (speed, change) in state.v.iter_mut().zip(&self.change) {
            *speed += change;
        }
        Ok(())
    }

    fn copy(&self) -> Box<dyn Substitute<f64>> {
        Box::new(self.clone())
    }
}

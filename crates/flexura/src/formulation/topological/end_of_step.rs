//! The end of a step as a smooth function of its start, for those who differentiate it.
//!
//! A run ends its iteration well below the error of a step, and projects with the factors that it happens to have: both depend on how
//! the iteration went. Here it goes on to rounding, and speeds and accelerations are projected (Cuadrado et al. (2007) eq. 39) with the tangent
//! W = M + γ'h C + β'h² K of bodies and joints at the end itself, by the rows there, redundant ones included:
//!
//! W x + Jᵀσ = 0, Φ̇(v + x) = 0;  W y + Jᵀτ = 0, Φ̈(w + y) = 0
//!
//! x = −W⁻¹Jᵀ(J W⁻¹Jᵀ)⁺Φ̇, and y in the same way. Rows differ from those of a run by what its iteration leaves, and by elements between
//! bodies, which have no part in W. Cost: a factorisation of the envelope, one back-substitution per row, rows² and rows³.
//!
//! Typeset: book/src/theory/adjoint.md (AD.10).

use super::Topological;
use super::structure::Structure;
use crate::algorithm::closure::RANK_TOLERANCE;
use crate::algorithm::composite_body::singular;
use crate::algorithm::inverse_dynamics::{Terms, outward_acceleration};
use crate::algorithm::structured_tangent::TangentWeights;
use crate::error::DynamicsError;
use crate::linear::{PivotedCholesky, Skyline};
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;

/// W and J at one position, factorised.
#[derive(Clone, Debug)]
struct Metric {
    /// Speed of each unknown.
    speeds: Vec<usize>,
    matrix: Skyline,
    /// J and W⁻¹Jᵀ over the unknowns, row after row.
    rows: Vec<f64>,
    responses: Vec<f64>,
    reflected: Vec<f64>,
    cholesky: PivotedCholesky,
    right: Vec<f64>,
    forces: Vec<f64>,
}

/// A projection: change of speeds or accelerations, and the forces of the rows that go with it.
#[derive(Clone, Debug)]
pub(crate) struct Correction {
    pub change: Vec<f64>,
    pub forces: Vec<f64>,
}

/// How a step ended.
#[derive(Clone, Debug)]
pub(crate) struct EndOfStep {
    metric: Metric,
    /// Speeds, accelerations and multipliers of the iteration, before the projections.
    pub speeds: Vec<f64>,
    pub accelerations: Vec<f64>,
    pub multipliers: Vec<f64>,
    /// What the projections added to speeds and accelerations.
    pub velocity: Correction,
    pub acceleration: Correction,
}

impl Metric {
    fn new(structure: &Structure, matrix: &Skyline, rows: usize) -> Self {
        let n = structure.speeds.len();
        Self {
            speeds: structure.speeds.clone(),
            matrix: matrix.clone(),
            rows: vec![0.0; rows * n],
            responses: vec![0.0; rows * n],
            reflected: vec![0.0; rows * rows],
            cholesky: PivotedCholesky::new(rows),
            right: vec![0.0; n],
            forces: vec![0.0; rows],
        }
    }

    /// Factors of the matrix and of the rows as they stand; the unknown whose pivot is none on failure.
    fn factorize(&mut self) -> Result<(), usize> {
        self.matrix.factorize()?;
        let (n, m) = (self.speeds.len().max(1), self.forces.len());
        self.responses.copy_from_slice(&self.rows);
        self.responses.chunks_exact_mut(n).for_each(|response| self.matrix.solve(response));
        for (i, row) in self.rows.chunks_exact(n).enumerate() {
            for (j, response) in self.responses.chunks_exact(n).enumerate() {
                self.reflected[i * m + j] = dot(row, response);
            }
        }
        self.cholesky.factorize(&self.reflected, RANK_TOLERANCE);
        Ok(())
    }

    /// W x + Jᵀσ = `right` with J x = `values`, which must be in reach; x over all speeds, zero where they are prescribed.
    fn solve(&mut self, right: &[f64], values: &[f64], out: &mut [f64], forces: &mut [f64]) {
        let n = self.speeds.len().max(1);
        self.right.iter_mut().zip(&self.speeds).for_each(|(slot, &speed)| *slot = right[speed]);
        self.matrix.solve(&mut self.right);
        forces.fill(0.0);
        // Twice: what rounding leaves of the rows the first time.
        for _ in 0..2 {
            let rows = self.rows.chunks_exact(n).zip(values);
            self.forces.iter_mut().zip(rows).for_each(|(f, (row, value))| *f = dot(row, &self.right) - value);
            self.cholesky.solve(&mut self.forces);
            for ((total, &force), response) in
                forces.iter_mut().zip(&self.forces).zip(self.responses.chunks_exact(n))
            {
                *total += force;
                self.right.iter_mut().zip(response).for_each(|(x, r)| *x -= force * r);
            }
        }
        out.fill(0.0);
        self.speeds.iter().zip(&self.right).for_each(|(&speed, &x)| out[speed] = x);
    }

    /// `out` −= Jᵀ `forces`, over the free speeds.
    fn take_off(&self, forces: &[f64], out: &mut [f64]) {
        for (&force, row) in forces.iter().zip(self.rows.chunks_exact(self.speeds.len().max(1))) {
            self.speeds.iter().zip(row).for_each(|(&speed, x)| out[speed] -= force * x);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

impl EndOfStep {
    fn new(model: &Model, structure: &Structure, matrix: &Skyline) -> Self {
        let (n, rows) = (model.speed_count(), model.constraint_count());
        let none = Correction { change: vec![0.0; n], forces: vec![0.0; rows] };
        Self {
            metric: Metric::new(structure, matrix, rows),
            speeds: vec![0.0; n],
            accelerations: vec![0.0; n],
            multipliers: vec![0.0; rows],
            velocity: none.clone(),
            acceleration: none,
        }
    }

    /// x and σ of W x + Jᵀσ = `right` with J x = 0 at the end of the step.
    pub fn respond(&mut self, right: &[f64], out: &mut [f64], forces: &mut [f64]) {
        let none = vec![0.0; forces.len()];
        self.metric.solve(right, &none, out, forces);
    }

    /// `out` −= Jᵀ `forces`, over the free speeds.
    pub fn take_off(&self, forces: &[f64], out: &mut [f64]) {
        self.metric.take_off(forces, out);
    }
}

impl Topological {
    /// From now on steps end at rounding, and how they do is kept.
    pub(crate) fn settle(&mut self, model: &Model) {
        self.options.tolerance = 0.0;
        self.end = Some(Box::new(EndOfStep::new(model, &self.structure, &self.matrix)));
    }

    pub(crate) fn settles(&self) -> bool {
        self.end.is_some()
    }

    pub(crate) fn end_of_step(&mut self) -> Option<&mut EndOfStep> {
        self.end.as_deref_mut()
    }

    /// Projects speeds and accelerations at the positions of `state` with the tangent there; leaves the workspace at the
    /// projected speeds.
    pub(crate) fn settle_end(
        &mut self,
        model: &Model,
        (state, w): (&mut State, &mut [f64]),
        work: &mut Workspace,
        weights: TangentWeights,
    ) -> Result<(), DynamicsError> {
        let Some(mut end) = self.end.take() else { return Ok(()) };
        let settled = self.project_to(model, &mut end, (state, w), work, weights);
        self.end = Some(end);
        settled
    }

    fn project_to(
        &mut self,
        model: &Model,
        end: &mut EndOfStep,
        (state, w): (&mut State, &mut [f64]),
        work: &mut Workspace,
        weights: TangentWeights,
    ) -> Result<(), DynamicsError> {
        let EndOfStep { metric, speeds, accelerations, multipliers, velocity, acceleration } = end;
        speeds.copy_from_slice(&state.v);
        accelerations.copy_from_slice(w);
        multipliers.copy_from_slice(&self.multipliers);
        work.kinematics(model, state);
        work.poses(model, state);
        self.evaluate_rows(model, state, work);
        self.inertia.fill(model, work, weights, &mut metric.matrix);
        self.here.fill(model, &self.structure, &work.motion, &self.rows);
        let n = metric.speeds.len();
        metric.rows.fill(0.0);
        self.here.for_rows(model, &self.structure, |index, row, unknowns| {
            for (&x, &unknown) in row.iter().zip(unknowns).filter(|(_, unknown)| **unknown < n) {
                metric.rows[index * n + unknown] += x;
            }
        });
        metric.factorize().map_err(|unknown| singular(model, self.structure.speeds[unknown]))?;
        let nothing = vec![0.0; state.v.len()];
        let wanted: Vec<f64> = self.rows.rate.iter().map(|x| -x).collect();
        metric.solve(&nothing, &wanted, &mut velocity.change, &mut velocity.forces);
        state.v.iter_mut().zip(&velocity.change).for_each(|(v, x)| *v += x);
        work.kinematics(model, state);
        work.loads(model, state);
        outward_acceleration(model, &work.motion.kinematics, w, Terms::All, &mut work.inverse);
        let given = Some((&work.inverse.acceleration[..], &*w));
        self.rows.evaluate(model, (state.time, state.side), &work.motion, given);
        let wanted: Vec<f64> = self.rows.acceleration.iter().map(|x| -x).collect();
        metric.solve(&nothing, &wanted, &mut acceleration.change, &mut acceleration.forces);
        w.iter_mut().zip(&acceleration.change).for_each(|(w, y)| *w += y);
        Ok(())
    }
}

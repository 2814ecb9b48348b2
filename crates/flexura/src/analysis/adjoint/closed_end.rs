//! The projections at the end of an implicit step of closed loops, gone back over.
//!
//! Speeds v and accelerations w of the iteration become v₁ = v + x and w₁ = w + y with
//!
//! W x + Jᵀσ = 0, Φ̇(q₁, v₁) = 0;  W y + Jᵀτ = 0, Φ̈(q₁, v₁, w₁) = 0   (AD.10)
//!
//! all at q₁. Their adjoints have the same matrix, which is symmetric: W η + Jᵀκ = v̄₁ with J η = 0, the accelerations first, because their rows
//! see the speeds. What W and J depend on (masses, places of joints, coordinates) is seen through the multipliers η, κ of these lines
//! (`loops.rs`). Cost: two solves with the factors of the step, two sweeps.
//!
//! Typeset: book/src/theory/adjoint.md (AD.9), (AD.10).

use super::GradientError;
use super::coupled::Near;
use super::evaluation::{Pulled, Seeds};
use super::loops::LoopPlaces;
use super::sweep::{Sweep, Through};
use crate::algorithm::structured_tangent::TangentWeights;
use crate::formulation::topological::EndOfStep;
use crate::model::Model;

/// The way back over both projections.
pub(super) struct Projections<'b> {
    pub end: &'b mut EndOfStep,
    /// Derivatives over speeds and accelerations at the end; after the way back, those over what was projected.
    pub speed: Vec<f64>,
    pub acceleration: Vec<f64>,
    nothing: Vec<f64>,
    solved: Vec<f64>,
}

impl<'b> Projections<'b> {
    pub fn new(model: &Model, end: &'b mut EndOfStep, speed: Vec<f64>, acceleration: Vec<f64>) -> Self {
        let nothing = vec![0.0; 2 * model.speed_count() + model.controller_states + 1];
        Self { end, speed, acceleration, nothing, solved: vec![0.0; LoopPlaces::new(model).left()] }
    }

    /// What the lines of the projections are evaluated with.
    pub fn given(model: &Model, end: &EndOfStep, accelerations: &[f64], weights: TangentWeights) -> Vec<f64> {
        let places = LoopPlaces::new(model);
        let mut given = vec![0.0; places.given()];
        given[places.accelerations()].copy_from_slice(accelerations);
        for (which, correction) in [&end.velocity, &end.acceleration].into_iter().enumerate() {
            given[places.change(which)].copy_from_slice(&correction.change);
            given[places.forces(which)].copy_from_slice(&correction.forces);
        }
        given[places.weights()].copy_from_slice(&[weights.stiffness, weights.damping]);
        given
    }

    /// η and κ of `right`, at the places of a projection.
    fn respond(&mut self, places: LoopPlaces, which: usize, right: &[f64]) {
        let mut change = vec![0.0; right.len()];
        let mut forces = vec![0.0; places.level(0).len()];
        self.end.respond(right, &mut change, &mut forces);
        self.solved[places.balance(which)].copy_from_slice(&change);
        self.solved[places.level(1 + which)].copy_from_slice(&forces);
    }
}

impl Through for Projections<'_> {
    fn pull(&mut self, model: &Model, over: &mut dyn Sweep, out: &mut Pulled) -> Result<(), GradientError> {
        let (n, places) = (model.speed_count(), LoopPlaces::new(model));
        self.solved.fill(0.0);
        let acceleration = self.acceleration.clone();
        self.respond(places, 1, &acceleration);
        over.hold();
        over.sweep(model, None, Some(&self.solved));
        let mut looked = Pulled { start_q: vec![0.0; out.start_q.len()], y: vec![0.0; out.y.len()] };
        over.look(&mut looked);
        over.let_go();
        let seen: Vec<f64> = self.speed.iter().zip(&looked.y[n..2 * n]).map(|(own, x)| own + x).collect();
        self.respond(places, 0, &seen);
        over.sweep(model, None, Some(&self.solved));
        over.gather(out);
        Ok(())
    }

    fn seen(&self) -> (Seeds<'_>, &[f64]) {
        (Seeds { rate: &self.nothing, row: &[] }, &self.solved)
    }
}

impl Projections<'_> {
    /// Derivatives over the accelerations before the projection.
    pub fn before(&self, model: &Model) -> Vec<f64> {
        let mut found = self.acceleration.clone();
        self.end.take_off(&self.solved[LoopPlaces::new(model).level(2)], &mut found);
        found
    }
}

/// The tangent of a step with its rows, near that of the converged step.
pub(super) struct ClosedTangent<'b> {
    pub end: &'b mut EndOfStep,
    /// What a position moves by per unit of acceleration (s²).
    pub scale: f64,
}

impl Near for ClosedTangent<'_> {
    /// W ρ + β'h² Jᵀκ = `right` with J ρ = 0: ρ over the speeds, nothing over Φ̈, κ over Φ.
    fn solve(&mut self, model: &Model, right: &[f64], out: &mut [f64]) {
        let (n, rows) = (model.speed_count(), model.constraint_count());
        let (speeds, rest) = out.split_at_mut(n);
        let (none, forces) = rest.split_at_mut(rows);
        none.fill(0.0);
        self.end.respond(right, speeds, forces);
        forces.iter_mut().for_each(|force| *force /= self.scale);
    }
}

//! The exact tangent of an implicit step by dual numbers, dense.
//!
//! S = d/dw [M w + h(q, v) − T(q, v, t)] with v = v(w), q = q(w) of the method:
//! one dual evaluation of inverse dynamics gives [`WIDTH`] columns. Checks the
//! structured tangent and takes over where its remainder is stiff. Cost
//! O(n N) to form, O(n³) to factorise; no allocation after creation.
//!
//! Typeset: book/src/theory/integrators.md (TI.10).

use super::lu::{lu_in_place, lu_solve};
use crate::algorithm::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics};
use crate::algorithm::structured_tangent::TangentWeights;
use crate::formulation::topological::{Constraints, Topological};
use crate::model::Model;
use crate::motion::retract::move_by_twist;
use crate::scalar::{Dual, Scalar};
use crate::state::State;
use crate::workspace::Workspace;

/// Columns per evaluation.
const WIDTH: usize = 4;
type Number = Dual<WIDTH>;

/// Largest number of free speeds for a dense tangent.
pub(crate) const LARGEST_DENSE: usize = 600;

/// Dense tangent, its LU factors and dual scratch.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct ExactTangent {
    free: Vec<usize>,
    matrix: Vec<f64>,
    pivots: Vec<usize>,
    right: Vec<f64>,
    step: Vec<Number>,
    start: Vec<Number>,
    state: State<Number>,
    chidot: Vec<Number>,
    work: Workspace<Number>,
    inverse: InverseDynamics<Number>,
    rows: Constraints<Number>,
}

impl ExactTangent {
    /// Scratch for `model`, unless it has too many free speeds.
    pub fn new(model: &Model) -> Option<Self> {
        let free: Vec<usize> = (0..model.speed_count()).filter(|&i| !model.prescribed[i]).collect();
        let n = free.len();
        if n > LARGEST_DENSE {
            return None;
        }
        let zero = Number::ZERO;
        let lift = |values: &[f64]| values.iter().map(|&x| Number::from_f64(x)).collect::<Vec<_>>();
        Some(Self {
            free,
            matrix: vec![0.0; n * n],
            pivots: vec![0; n],
            right: vec![0.0; n],
            step: vec![zero; model.speed_count()],
            start: lift(&model.initial_q),
            state: State::lift(&State::unprescribed(model, 0.0)),
            chidot: vec![zero; model.speed_count()],
            work: Workspace::new(model),
            inverse: InverseDynamics::new(model),
            rows: Constraints::new(model),
        })
    }

    /// Takes over the prescribed accelerations, which do not depend on w.
    pub fn copy_prescribed(&mut self, acceleration: &[f64]) {
        for (slot, &x) in self.work.load.acceleration.iter_mut().zip(acceleration) {
            *slot = Number::from_f64(x);
        }
    }

    /// Forms and factorises S at `state` with accelerations `chidot`; false if singular.
    pub fn factorize(
        &mut self,
        model: &Model,
        state: &State,
        chidot: &[f64],
        weights: TangentWeights,
    ) -> bool {
        self.factorize_with(model, state, chidot, weights, None)
    }

    /// Like [`ExactTangent::factorize`]; the reactions of `closed` belong to the residual.
    pub(super) fn factorize_with(
        &mut self,
        model: &Model,
        state: &State,
        chidot: &[f64],
        weights: TangentWeights,
        closed: Option<&Topological>,
    ) -> bool {
        let n = self.free.len();
        (self.state.time, self.state.side) = (state.time, state.side);
        self.state.turns.copy_from(&state.turns);
        for (slot, &x) in self.start.iter_mut().zip(&state.q).chain(self.state.z.iter_mut().zip(&state.z)) {
            *slot = Number::from_f64(x);
        }
        for first in (0..n).step_by(WIDTH) {
            let width = WIDTH.min(n - first);
            self.seed(model, state, chidot, first, width, weights);
            self.work.kinematics(model, &self.state);
            self.work.loads(model, &self.state);
            if let Some(closed) = closed {
                self.react(model, closed);
            }
            let (kin, bodies, load) = (&self.work.motion.kinematics, &self.work.inertias, &self.work.load);
            inverse_dynamics(model, kin, bodies, &self.chidot, &load.wrench, Terms::All, &mut self.inverse);
            for (i, &speed) in self.free.iter().enumerate() {
                let residual = self.inverse.generalized[speed] - load.generalized[speed];
                self.matrix[i * n + first..i * n + first + width].copy_from_slice(&residual.eps[..width]);
            }
        }
        lu_in_place(&mut self.matrix, n, &mut self.pivots)
    }

    /// Adds the reactions of the loops with their derivatives: μ − α(Φ − its value), because the penalty of a
    /// violation that the step is about to remove is no force that could stiffen or buckle anything.
    fn react(&mut self, model: &Model, closed: &Topological) {
        let motion = &self.work.motion;
        self.rows.evaluate(model, (self.state.time, self.state.side), motion, None);
        let (multipliers, penalty, residual) = (&closed.multipliers, &closed.penalty, &self.rows.residual);
        let force = |row: usize| {
            let change = residual[row] - Number::from_f64(residual[row].value());
            Number::from_f64(multipliers[row]) - change * penalty[row]
        };
        self.rows.react(model, motion, force, &mut self.work.load);
    }

    /// Unit derivatives of the accelerations `first..first + width` of the free speeds.
    fn seed(
        &mut self,
        model: &Model,
        state: &State,
        chidot: &[f64],
        first: usize,
        width: usize,
        w: TangentWeights,
    ) {
        self.step.fill(Number::ZERO);
        for i in 0..chidot.len() {
            self.chidot[i] = Number::from_f64(chidot[i]);
            self.state.v[i] = Number::from_f64(state.v[i]);
        }
        for c in 0..width {
            let speed = self.free[first + c];
            self.chidot[speed].eps[c] = 1.0;
            self.state.v[speed].eps[c] = w.damping;
            self.step[speed].eps[c] = w.stiffness;
        }
        move_by_twist(model, &self.start, &self.step, &mut self.state.q);
    }

    /// `out` = S⁻¹ `right` over the free speeds, zero elsewhere.
    pub fn solve(&mut self, right: &[f64], out: &mut [f64]) {
        let n = self.free.len();
        for (slot, &speed) in self.right.iter_mut().zip(&self.free) {
            *slot = right[speed];
        }
        lu_solve(&self.matrix, n, &self.pivots, &mut self.right);
        out.fill(0.0);
        for (&value, &speed) in self.right.iter().zip(&self.free) {
            out[speed] = value;
        }
    }
}

//! Where the integration starts: natural coordinates of a state of the tree, constraints closed at all three levels.
//!
//! Source: Lugrís et al. 2007, eqs 1-2 and 38-39. Positions move onto the constraints in the metric of the masses, rates are projected,
//! accelerations and multipliers follow from the augmented Lagrangian, iterated to rounding. Once in a run and after every jump.

use super::build::{GlobalModel, Known};
use super::natural::NaturalKind;
use super::pose::{body_motions, frame_motion};
use super::{GlobalIntegrator, GlobalState};
use crate::error::DynamicsError;
use crate::model::{Model, Mount};
use crate::spatial::{cross, identity3, matrix_vector, sub};
use crate::state::State;
use crate::time_function::Side;

/// Violation of a constraint (m, 1) that ends the closing of the initial position.
const CLOSED: f64 = 1e-13;

impl GlobalIntegrator {
    /// The initial state of `model`: constraints closed at all three levels.
    pub fn initial(&mut self, model: &Model, global: &GlobalModel) -> Result<GlobalState, DynamicsError> {
        self.start(model, global, &State::initial(model, 0.0))
    }

    /// Natural coordinates at `state` of the tree, constraints closed at all three levels.
    pub fn start(
        &mut self,
        model: &Model,
        global: &GlobalModel,
        state: &State,
    ) -> Result<GlobalState, DynamicsError> {
        let mut found = GlobalState { time: state.time, ..GlobalState::new(global) };
        place(model, global, state, &mut found);
        self.restart(model, global, &mut found)?;
        Ok(found)
    }

    /// Closes the constraints at `state` and finds accelerations and multipliers anew, such as after a jump of a load.
    pub fn restart(
        &mut self,
        model: &Model,
        global: &GlobalModel,
        state: &mut GlobalState,
    ) -> Result<(), DynamicsError> {
        (self.at.time, self.at.side) = (state.time, Side::After);
        self.at.measured.copy_from_slice(&state.measured);
        self.close_position(model, global, state)?;
        self.at.inertia(global, &state.q, &state.v);
        self.factorize(model, global, 0.0)?;
        self.project(global, &mut state.v, 1, true)?;
        self.at.kinematics(model, global, &state.q, &state.v);
        self.at.inertia(global, &state.q, &state.v);
        self.accelerate(model, global, state)?;
        state.mean.copy_from_slice(&state.a);
        state.error = 0.0;
        state.measured.copy_from_slice(&self.at.measured);
        Ok(())
    }

    /// Moves the coordinates onto the constraints, in the metric of the masses.
    fn close_position(
        &mut self,
        model: &Model,
        global: &GlobalModel,
        state: &mut GlobalState,
    ) -> Result<(), DynamicsError> {
        for _ in 0..global.options.largest_iterations {
            self.at.kinematics(model, global, &state.q, &state.v);
            if self.at.largest_violation() < CLOSED {
                break;
            }
            self.at.inertia(global, &state.q, &state.v);
            self.factorize(model, global, 0.0)?;
            self.right.fill(0.0);
            let (at, penalty) = (&self.at, self.penalty);
            global.add_reactions(&self.held, |i| penalty * at.equations[i].value, &mut self.right);
            self.factor.solve(&global.pattern, &mut self.right);
            for (q, step) in state.q.iter_mut().zip(&self.right) {
                *q += step;
            }
        }
        Ok(())
    }

    /// Accelerations and multipliers at closed positions and velocities.
    fn accelerate(
        &mut self,
        model: &Model,
        global: &GlobalModel,
        state: &mut GlobalState,
    ) -> Result<(), DynamicsError> {
        state.multipliers.fill(0.0);
        state.a.fill(0.0);
        for _ in 0..global.options.largest_iterations {
            self.at.residual(model, global, &state.q, &state.v, &state.a);
            self.right.copy_from_slice(&self.at.force);
            let (at, penalty, a) = (&self.at, self.penalty, &state.a);
            let violation = |i: usize| at.row_times(global, i, a) + at.equations[i].bias;
            let pull = |i: usize| state.multipliers[i] + penalty * violation(i);
            global.add_reactions(&self.held, pull, &mut self.right);
            self.factor.solve(&global.pattern, &mut self.right);
            let mut change = 0.0_f64;
            for (a, step) in state.a.iter_mut().zip(&self.right) {
                *a += step;
                let share = step.abs() / a.abs().max(1.0);
                change = if share.is_finite() { change.max(share) } else { f64::INFINITY };
            }
            if !change.is_finite() {
                return Err(DynamicsError::NewtonFailed);
            }
            for i in 0..state.multipliers.len() {
                let violation = self.at.row_times(global, i, &state.a) + self.at.equations[i].bias;
                state.multipliers[i] += penalty * violation;
            }
            if change < 1e-13 {
                break;
            }
        }
        Ok(())
    }
}

/// Coordinates and rates at a state of the tree.
fn place(model: &Model, global: &GlobalModel, state: &State, found: &mut GlobalState) {
    let motions = body_motions(model, state);
    for placement in &global.placements {
        let natural = &global.naturals.list[placement.natural];
        let body = (Some(placement.body), &motions[placement.body]);
        let point = natural.kind == NaturalKind::Point;
        let position = if point { placement.local } else { [0.0; 3] };
        let mount = Mount { attachment: placement.attachment, position, rotation: identity3().into() };
        let motion = frame_motion(model, body, &mount, state);
        if point {
            natural.place(&sub(&motion.position, &global.naturals.origin), &mut found.q);
            natural.place(&motion.velocity, &mut found.v);
        } else {
            let direction = matrix_vector(&motion.rotation, &placement.local);
            natural.place(&direction, &mut found.q);
            natural.place(&cross(&motion.spin, &direction), &mut found.v);
        }
    }
    for (measured, law) in found.measured.iter_mut().zip(&global.laws) {
        *measured = match law.known {
            Known::Coordinate(index) => state.q[index],
            Known::Loop(index) => state.turns.angles[index],
        };
    }
    for k in 0..model.body_count() {
        let part = &model.layout.bodies[k];
        let modes = global.modes(k);
        found.q[modes.clone()].copy_from_slice(&state.q[part.modal_q()]);
        found.v[modes].copy_from_slice(&state.v[part.modal_v()]);
    }
}

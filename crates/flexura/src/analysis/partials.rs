//! Partial derivatives of the equations of motion, one direction at a time.
//!
//! With q̇ = T(q) v, v̇ = f(q, v, x, u, t), states of continuous controllers ẋ = h(q, v, x, u, t), the power Ẇ and channels y = g(q, v, x, W, u, t): their changes along
//! given δq, δv, δx, δW, δu at a fixed time, by dual numbers through the recursions that simulate, so that they are exact to rounding. Unlike `linearize`, which measures displacements by twists, q are
//! the coordinates as they are stored, quaternions as four numbers that are brought to unit length first: what importers of
//! FMUs integrate. Coordinates and speeds that follow a prescribed motion have no derivative, unless they are said to be states themselves.
//!
//! Closed loops: all of it is taken at P(q, v), as `simulate/equations.rs` does, and P goes through the dual numbers as well (`constraint/project_changes.rs`), so that
//! changes across the constraints have no effect on rates and outputs. Turns of joints that close loops are counted, not derived.
//!
//! Cost: one evaluation in dual numbers, O(N); with loops the projection besides.

use crate::constraint::nonholonomic::check_discs;
use crate::constraint::{close, project_changes};
use crate::error::DynamicsError;
use crate::model::Model;
use crate::model::joint::JointKind;
use crate::motion::retract::coordinate_rates;
use crate::record::{Channel, Source};
use crate::scalar::{Dual, Scalar};
use crate::simulate::{Input, continuous_states};
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::workspace::Workspace;

type Number = Dual<1>;

/// A direction: changes of coordinates, speeds and inputs.
#[derive(Clone, Copy, Debug)]
pub struct Along<'a> {
    /// δq, one entry per coordinate.
    pub coordinates: &'a [f64],
    /// δv, one entry per speed.
    pub speeds: &'a [f64],
    /// δx, one entry per continuous state of a controller.
    pub controllers: &'a [f64],
    /// δW of the work done since the start (J).
    pub work: f64,
    /// δu of some inputs.
    pub inputs: &'a [(&'a Input, f64)],
    /// Prescribed coordinates and speeds that are states nevertheless, by their places: motions whose accelerations are inputs.
    pub motions: &'a [(usize, usize)],
}

/// Derivatives of rates and channels, with the scratch they need.
#[derive(Debug)]
pub struct Partials {
    channels: Vec<Channel>,
    reactions: bool,
    state: State<Number>,
    work: Workspace<Number>,
    rates: Vec<Number>,
    row: Vec<Number>,
    /// Places of continuous states among those of all controllers.
    continuous: Vec<usize>,
}

impl Partials {
    /// For these channels of `model`.
    pub fn new(model: &Model, channels: &[Channel]) -> Self {
        let state: State<Number> = State::lift(&State::initial(model, 0.0));
        let continuous: Vec<usize> = continuous_states(model).map(|(_, _, place)| place).collect();
        let reactions = |channel: &Channel| matches!(channel.source, Source::Reaction(..));
        Self {
            reactions: channels.iter().any(reactions),
            channels: channels.to_vec(),
            rates: vec![Number::ZERO; state.q.len() + state.v.len() + continuous.len() + 1],
            continuous,
            row: vec![Number::ZERO; channels.len()],
            work: Workspace::new(model),
            state,
        }
    }

    /// Derivatives along `direction` at `at`.
    pub fn evaluate(&mut self, model: &Model, at: &State, direction: Along<'_>) -> Result<(), DynamicsError> {
        self.seed(model, at, direction);
        let looped = !model.loops.is_empty();
        if looped {
            project_changes(model, &mut self.state, &mut self.work)?;
        }
        let (state, work) = (&self.state, &mut self.work);
        work.kinematics(model, state);
        work.poses(model, state);
        work.loads(model, state);
        for &(input, change) in direction.inputs {
            input.disturb(model, state, work, Number::new(0.0, [change]));
        }
        work.accelerations(model)?;
        if looped {
            close(model, state, work)?;
            check_discs(model, state, work)?;
        }
        if self.reactions {
            work.reactions(model);
        }
        let done = Number::new(0.0, [direction.work]);
        let snapshot = crate::measure::Snapshot::new(model, state, work, done, Number::ZERO);
        snapshot.fill(&self.channels, &mut self.row);
        let (positions, rest) = self.rates.split_at_mut(state.q.len());
        let (speeds, rest) = rest.split_at_mut(state.v.len());
        coordinate_rates(model, state, positions);
        speeds.copy_from_slice(&work.accelerations.chidot);
        for (&place, rate) in self.continuous.iter().zip(&mut *rest) {
            *rate = work.control.rates[place];
        }
        rest[self.continuous.len()] =
            work.power.total() + work.driver_power(model, state) + work.closure.driver_power;
        Ok(())
    }

    /// The state with its changes, quaternions of unit length, prescribed coordinates where they are to be.
    fn seed(&mut self, model: &Model, at: &State, direction: Along<'_>) {
        let state = &mut self.state;
        (state.time, state.side) = (at.time, at.side);
        state.turns.copy_from(&at.turns);
        self.work.load.loop_efforts.clear();
        let put = |slots: &mut [Number], values: &[f64], changes: &[f64]| {
            for ((slot, &value), &change) in slots.iter_mut().zip(values).zip(changes) {
                *slot = Number::new(value, [change]);
            }
        };
        put(&mut state.q, &at.q, direction.coordinates);
        put(&mut state.v, &at.v, direction.speeds);
        for (slot, &value) in state.z.iter_mut().zip(&at.z) {
            *slot = Number::from_f64(value);
        }
        for (&place, &change) in self.continuous.iter().zip(direction.controllers) {
            state.z[place] = Number::new(at.z[place], [change]);
        }
        for (part, joint) in model.layout.bodies.iter().zip(&model.joints) {
            if matches!(joint.joint.kind, JointKind::Spherical | JointKind::Free) {
                let turn = &mut state.q[part.joint_q()][..4];
                let norm = turn.iter().fold(Number::ZERO, |sum, &x| sum + x * x).sqrt();
                turn.iter_mut().for_each(|x| *x = *x / norm);
            }
        }
        apply_prescribed(model, state, Some(&mut self.work.load));
        for &(q, v) in direction.motions {
            state.q[q] = Number::new(at.q[q], [direction.coordinates[q]]);
            state.v[v] = Number::new(at.v[v], [direction.speeds[v]]);
        }
    }

    /// δ of the rate of a state: coordinates first, then speeds, continuous states of controllers, work.
    pub fn rate(&self, place: usize) -> f64 {
        self.rates[place].eps[0]
    }

    /// δ of a channel.
    pub fn output(&self, place: usize) -> f64 {
        self.row[place].eps[0]
    }
}

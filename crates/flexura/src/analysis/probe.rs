//! Evaluates the dynamics with dual numbers along chosen directions.

use crate::control::Actuator;
use crate::error::DynamicsError;
use crate::model::Model;
use crate::prescribe::apply_prescribed;
use crate::scalar::{Dual, Scalar};
use crate::state::State;
use crate::workspace::Workspace;

/// Directions differentiated at once.
pub(super) const WIDTH: usize = 4;

/// A dual number with [`WIDTH`] directions.
pub(super) type Number = Dual<WIDTH>;

/// A direction of the linearised system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// Local increment of a speed's coordinate.
    Increment(usize),
    /// A speed.
    Speed(usize),
    /// A state of a controller.
    Control(usize),
    /// An input.
    Input(Actuator),
}

/// State and workspace in dual numbers about one state.
pub(super) struct Probe<'m> {
    model: &'m Model,
    base: State,
    start: Vec<Number>,
    step: Vec<Number>,
    pub state: State<Number>,
    pub work: Workspace<Number>,
    pub rate: Vec<Number>,
}

impl<'m> Probe<'m> {
    pub fn new(model: &'m Model, state: &State) -> Self {
        let mut base = state.clone();
        let mut work = Workspace::<Number>::new(model);
        // Prescribed accelerations are constants of the linearisation.
        let mut load = crate::load::Load::<f64>::new(model);
        apply_prescribed(model, &mut base, Some(&mut load));
        for (slot, &value) in work.load.acceleration.iter_mut().zip(&load.acceleration) {
            *slot = Number::from_f64(value);
        }
        let speeds = model.speed_count();
        Self {
            model,
            start: base.q.iter().map(|&x| Number::from_f64(x)).collect(),
            step: vec![Number::ZERO; speeds],
            state: State::lift(&base),
            base,
            work,
            rate: vec![Number::ZERO; speeds],
        }
    }

    /// Accelerations, increment rates and poses with unit derivatives along `directions`.
    pub fn evaluate(&mut self, directions: &[Direction]) -> Result<(), DynamicsError> {
        let mut efforts = Vec::new();
        self.seed(directions, &mut efforts);
        self.work.kinematics(self.model, &self.state);
        self.work.poses(self.model, &self.state);
        self.work.loads(self.model, &self.state);
        for (direction, value) in efforts {
            if let Direction::Input(actuator) = direction {
                crate::control::drive(self.model, &self.state, &mut self.work, actuator, value);
            }
        }
        self.work.accelerations(self.model)?;
        self.increment_rates();
        Ok(())
    }

    /// Puts unit derivatives into increments, speeds and inputs.
    fn seed(&mut self, directions: &[Direction], efforts: &mut Vec<(Direction, Number)>) {
        self.step.fill(Number::ZERO);
        for (slot, &value) in self.state.v.iter_mut().zip(&self.base.v) {
            *slot = Number::from_f64(value);
        }
        for (slot, &value) in self.state.z.iter_mut().zip(&self.base.z) {
            *slot = Number::from_f64(value);
        }
        for (c, &direction) in directions.iter().enumerate() {
            match direction {
                Direction::Increment(speed) => self.step[speed].eps[c] = 1.0,
                Direction::Speed(speed) => self.state.v[speed].eps[c] = 1.0,
                Direction::Control(index) => self.state.z[index].eps[c] = 1.0,
                Direction::Input(_) => {
                    let mut unit = Number::ZERO;
                    unit.eps[c] = 1.0;
                    efforts.push((direction, unit));
                }
            }
        }
        for (k, part) in self.model.layout.bodies.iter().enumerate() {
            for r in 0..part.modes {
                self.state.q[part.q + r] = self.start[part.q + r] + self.step[part.v + r];
            }
            let kind = &self.model.joints[k].joint.kind;
            kind.retract(
                &self.start[part.joint_q()],
                &self.step[part.joint_v()],
                &mut self.state.q[part.joint_q()],
            );
        }
    }

    fn increment_rates(&mut self) {
        for (k, part) in self.model.layout.bodies.iter().enumerate() {
            self.rate[part.modal_v()].copy_from_slice(&self.state.v[part.modal_v()]);
            let kind = &self.model.joints[k].joint.kind;
            let range = part.joint_v();
            kind.increment_rate(
                &self.state.q[part.joint_q()],
                &self.step[range.clone()],
                &self.state.v[range.clone()],
                &mut self.rate[range],
            );
        }
    }
}

/// Name of each speed's coordinate, for states of a linear system.
pub(super) fn coordinate_name(model: &Model, speed: usize) -> String {
    let body = model.layout.bodies.partition_point(|part| part.v <= speed).saturating_sub(1);
    let part = &model.layout.bodies[body];
    let local = speed - part.v;
    if local < part.modes {
        return format!("{}.eta.{}", model.bodies[body].name, local + 1);
    }
    let (joint, index) = (&model.joints[body], local - part.modes);
    let kind = &joint.joint.kind;
    // Quaternions have no coordinate per direction: name it after its speed.
    let own = part.joint_q == part.joint_v;
    let word = if own { kind.coordinate_names()[index].0 } else { kind.speed_names()[index].0 };
    format!("{}.{}", joint.name, word)
}

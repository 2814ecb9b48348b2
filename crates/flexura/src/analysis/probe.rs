//! Evaluates the dynamics with dual numbers along chosen directions.

use super::manifold::Manifold;
use crate::constraint::close;
use crate::control::Actuator;
use crate::error::DynamicsError;
use crate::formulation::topological::Constraints;
use crate::model::Model;
use crate::motion::retract::move_by_twist;
use crate::scalar::{Dual, Scalar};
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::workspace::Workspace;
use nalgebra::{DMatrix, DVector};

/// Directions differentiated at once.
pub(super) const WIDTH: usize = 4;

/// A dual number with [`WIDTH`] directions.
pub(super) type Number = Dual<WIDTH>;

/// A direction of the linearised system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// Displacement along a speed: a twist, in the axes of the speeds.
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
    tangent: Option<Tangent>,
}

/// Motions of a system with loops: every direction moves all free speeds along the constraints.
struct Tangent {
    free: Vec<usize>,
    /// Independent speeds.
    speeds: Vec<usize>,
    /// T: free speeds × independent speeds.
    columns: DMatrix<f64>,
    manifold: Manifold,
    rows: Constraints<Number>,
}

impl Tangent {
    /// Column of T of an independent speed, with the speeds it moves.
    fn column(&self, speed: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let c = self.speeds.iter().position(|&s| s == speed).unwrap_or(0);
        self.free.iter().enumerate().map(move |(i, &s)| (s, self.columns[(i, c)]))
    }

    /// Speeds that keep Φ̇ = 0 to first order while the independent ones stay: δv for a rate of `change`.
    fn speed_change(&self, change: &DVector<f64>) -> DVector<f64> {
        let all = -(&self.manifold.inverse * change);
        let own = DVector::from_iterator(
            self.speeds.len(),
            self.speeds.iter().map(|s| self.free.iter().position(|f| f == s).map_or(0.0, |i| all[i])),
        );
        all - &self.columns * own
    }
}

impl<'m> Probe<'m> {
    pub fn new(model: &'m Model, state: &State) -> Self {
        let mut base = state.clone();
        apply_prescribed(model, &mut base, None);
        let speeds = model.speed_count();
        Self {
            model,
            start: base.q.iter().map(|&x| Number::from_f64(x)).collect(),
            step: vec![Number::ZERO; speeds],
            state: State::lift(&base),
            base,
            work: Workspace::new(model),
            rate: vec![Number::ZERO; speeds],
            tangent: None,
        }
    }

    /// Moves along the constraints from now on; returns the independent speeds. Loops must be closed.
    pub fn follow_loops(&mut self) -> Vec<usize> {
        let model = self.model;
        let free: Vec<usize> = (0..model.speed_count()).filter(|&i| !model.prescribed[i]).collect();
        let manifold = Manifold::at(model, &self.base, &free);
        let (chosen, columns) = manifold.independent();
        let speeds: Vec<usize> = chosen.into_iter().map(|i| free[i]).collect();
        let rows = Constraints::new(model);
        self.tangent = Some(Tangent { free, speeds: speeds.clone(), columns, manifold, rows });
        speeds
    }

    /// Adds given reactions of the loops to the loads of the last evaluation.
    pub fn react(&mut self, rows: &mut Constraints<Number>, reactions: &[f64]) {
        let motion = &self.work.motion;
        rows.evaluate(self.model, (self.state.time, self.state.side), motion, None);
        let force = |row: usize| Number::from_f64(reactions[row]);
        rows.react(self.model, motion, force, &mut self.work.load);
    }

    /// Accelerations, rates of the disturbances and poses with unit derivatives along `directions`.
    pub fn evaluate(&mut self, directions: &[Direction]) -> Result<(), DynamicsError> {
        let mut efforts = Vec::new();
        self.seed(directions, &mut efforts);
        self.keep_speeds(directions);
        self.work.kinematics(self.model, &self.state);
        self.work.poses(self.model, &self.state);
        self.work.loads(self.model, &self.state);
        for (direction, value) in efforts {
            if let Direction::Input(actuator) = direction {
                crate::control::drive(self.model, &self.state, &mut self.work, actuator, value);
            }
        }
        self.work.accelerations(self.model)?;
        if self.tangent.is_some() {
            close(self.model, &self.state, &mut self.work)?;
        }
        self.disturbance_rates();
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
                Direction::Increment(speed) => match &self.tangent {
                    None => self.step[speed].eps[c] = 1.0,
                    Some(tangent) => tangent.column(speed).for_each(|(s, x)| self.step[s].eps[c] = x),
                },
                Direction::Speed(speed) => match &self.tangent {
                    None => self.state.v[speed].eps[c] = 1.0,
                    Some(tangent) => tangent.column(speed).for_each(|(s, x)| self.state.v[s].eps[c] = x),
                },
                Direction::Control(index) => self.state.z[index].eps[c] = 1.0,
                Direction::Input(_) => {
                    let mut unit = Number::ZERO;
                    unit.eps[c] = 1.0;
                    efforts.push((direction, unit));
                }
            }
        }
        move_by_twist(self.model, &self.start, &self.step, &mut self.state.q);
        // Where the position of a body is prescribed and its turn is not, its speeds turn with the disturbance.
        apply_prescribed(self.model, &mut self.state, Some(&mut self.work.load));
    }

    /// Where positions move along the constraints, speeds must follow.
    fn keep_speeds(&mut self, directions: &[Direction]) {
        let Some(tangent) = &mut self.tangent else { return };
        self.work.kinematics(self.model, &self.state);
        self.work.poses(self.model, &self.state);
        tangent.rows.evaluate(self.model, (self.state.time, self.state.side), &self.work.motion, None);
        for c in 0..directions.len() {
            let rates = tangent.rows.rate.iter().map(|x| x.eps[c]);
            let change = tangent.speed_change(&DVector::from_iterator(tangent.rows.rate.len(), rates));
            for (i, &speed) in tangent.free.iter().enumerate() {
                self.state.v[speed].eps[c] += change[i];
            }
        }
    }

    fn disturbance_rates(&mut self) {
        for (k, part) in self.model.layout.bodies.iter().enumerate() {
            self.rate[part.modal_v()].copy_from_slice(&self.state.v[part.modal_v()]);
            let kind = &self.model.joints[k].joint.kind;
            let range = part.joint_v();
            kind.disturbance_rate(
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

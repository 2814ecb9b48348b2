//! Everything that depends on coordinates and rates at one instant.

use super::build::GlobalModel;
use super::deformation::Deformation;
use super::equation::EquationValue;
use super::forces::add_forces;
use super::frame::{Frame, NO_FRAME};
use super::inertia::{BodyInertia, InertiaWork, Motion};
use super::operand::{OperandInput, OperandValues};
use crate::model::Model;
use crate::time_function::Side;

/// Values at one instant; allocated once.
#[derive(Clone, Debug)]
pub(super) struct Evaluation {
    pub time: f64,
    /// From which side functions of time are taken.
    pub side: Side,
    /// X and Ẋ of each body.
    pub frames: Vec<Frame>,
    pub rates: Vec<Frame>,
    pub deformations: Vec<Deformation>,
    pub operands: OperandValues,
    pub equations: Vec<EquationValue>,
    /// Rows of all equations, one after the other.
    pub jacobian: Vec<f64>,
    pub inertias: Vec<(BodyInertia, InertiaWork)>,
    /// Applied force on each frame.
    pub frame_forces: Vec<Frame>,
    /// Generalised force: applied, less what the accelerations need.
    pub force: Vec<f64>,
    /// Scratch of the modal forces of one body.
    pub elastic: Vec<f64>,
    pub law_rows: Vec<Vec<f64>>,
    pub law_damping: Vec<f64>,
    /// Measured joint coordinates with laws, continued over whole turns.
    pub measured: Vec<f64>,
    pub element_energy: f64,
    pub law_energy: f64,
}

impl Evaluation {
    /// Room for `global`.
    pub fn new(model: &Model, global: &GlobalModel) -> Self {
        let bodies = global.maps.len();
        let deformation =
            |&(body, _): &(usize, usize)| Deformation::new(model.bodies[body].modes, global.options.vectors);
        let modes = model.bodies.iter().map(|body| body.modes).max().unwrap_or(0);
        Self {
            time: 0.0,
            side: Side::After,
            frames: vec![NO_FRAME; bodies],
            rates: vec![NO_FRAME; bodies],
            deformations: global.deforming.iter().map(deformation).collect(),
            operands: OperandValues::new(&global.operands),
            equations: vec![EquationValue::default(); global.equations.len()],
            jacobian: vec![0.0; global.jacobian_entries],
            inertias: global.inertias.clone(),
            frame_forces: vec![NO_FRAME; bodies],
            force: vec![0.0; global.coordinates],
            elastic: vec![0.0; modes],
            law_rows: global.laws.iter().map(|law| vec![0.0; law.equation.columns.len()]).collect(),
            law_damping: vec![0.0; global.laws.len()],
            measured: vec![0.0; global.laws.len()],
            element_energy: 0.0,
            law_energy: 0.0,
        }
    }

    /// Frames, deformations, operands and constraints.
    pub fn kinematics(&mut self, model: &Model, global: &GlobalModel, q: &[f64], v: &[f64]) {
        for (k, map) in global.maps.iter().enumerate() {
            self.frames[k] = map.frame(q);
            self.rates[k] = map.rate(v);
        }
        for (shape, &(body, attachment)) in self.deformations.iter_mut().zip(&global.deforming) {
            let modes = global.modes(body);
            let source = &model.bodies[body].attachments[attachment].shape;
            shape.evaluate(source, &q[modes.clone()], &v[modes]);
        }
        let input = OperandInput {
            q,
            v,
            maps: &global.maps,
            frames: &self.frames,
            frame_rates: &self.rates,
            deformations: &self.deformations,
        };
        self.operands.evaluate(&global.operands, &input);
        for (index, equation) in global.equations.iter().enumerate() {
            let target = global.drivers[index].as_ref().map_or([0.0; 3], |motion| {
                let sample = motion.sample_side(self.time, self.side);
                [sample.value, sample.rate, sample.acceleration]
            });
            let row = &mut self.jacobian[equation.start..equation.start + equation.columns.len()];
            self.equations[index] = equation.evaluate(&global.operands, &self.operands, &target, row);
        }
    }

    /// Inertia of all bodies; after [`Evaluation::kinematics`].
    pub fn inertia(&mut self, global: &GlobalModel, q: &[f64], v: &[f64]) {
        for k in 0..self.frames.len() {
            let modes = global.modes(k);
            let motion = Motion {
                frame: &self.frames[k],
                rate: &self.rates[k],
                eta: &q[modes.clone()],
                eta_rate: &v[modes],
            };
            let (inertia, work) = &mut self.inertias[k];
            inertia.evaluate(&motion, work);
        }
    }

    /// `force` = Q − M a − bias, without constraint forces; after [`Evaluation::inertia`].
    pub fn residual(&mut self, model: &Model, global: &GlobalModel, q: &[f64], v: &[f64], a: &[f64]) {
        self.force.fill(0.0);
        self.frame_forces.fill(NO_FRAME);
        (self.element_energy, self.law_energy) = (0.0, 0.0);
        add_forces(model, global, q, v, self);
        for (k, map) in global.maps.iter().enumerate() {
            let modes = global.modes(k);
            let acceleration = map.rate(a);
            let work = &self.inertias[k].1;
            let needed = work.frame_force(&acceleration, &a[modes.clone()]);
            map.add_force(1.0, &self.frame_forces[k], &mut self.force);
            map.add_force(-1.0, &needed, &mut self.force);
            for (r, c) in modes.clone().enumerate() {
                self.force[c] -= work.modal_force(r, &acceleration, &a[modes.clone()]);
            }
        }
    }

    /// J x of equation `index`.
    pub fn row_times(&self, global: &GlobalModel, index: usize, x: &[f64]) -> f64 {
        global.row_times(&self.jacobian, index, x)
    }

    /// Largest |Φ|.
    pub fn largest_violation(&self) -> f64 {
        let larger =
            |worst: f64, value: f64| if value.is_finite() { worst.max(value.abs()) } else { f64::INFINITY };
        self.equations.iter().fold(0.0, |worst, equation| larger(worst, equation.value))
    }
}

impl GlobalModel {
    /// Subtracts Jᵀ × `pull` from `out`, with the rows of `jacobian`.
    pub(super) fn add_reactions(&self, jacobian: &[f64], pull: impl Fn(usize) -> f64, out: &mut [f64]) {
        for (index, equation) in self.equations.iter().enumerate() {
            let multiplier = pull(index);
            let row = &jacobian[equation.start..equation.start + equation.columns.len()];
            for (&c, &entry) in equation.columns.iter().zip(row) {
                out[c] -= entry * multiplier;
            }
        }
    }

    /// J x of equation `index`, with the rows of `jacobian`.
    pub(super) fn row_times(&self, jacobian: &[f64], index: usize, x: &[f64]) -> f64 {
        let equation = &self.equations[index];
        let row = &jacobian[equation.start..];
        equation.columns.iter().zip(row).map(|(&c, entry)| entry * x[c]).sum()
    }
}

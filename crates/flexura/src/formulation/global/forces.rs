//! Applied forces in natural and modal coordinates.
//!
//! By virtual power (Lugrís et al. 2007, eq. 19): a force at a point with local
//! position y pulls the frame by f (1, y)* and mode r by f·A ∂y/∂η_r; a moment pulls
//! it by ½ τ × axis on each axis. Weight, stiffness and damping of the modes, loads,
//! elements and the laws of joints.

use super::build::GlobalModel;
use super::evaluation::Evaluation;
use super::frame::{Frame, at, push, push_moment, rotation, spin, turn, turn_back};
use crate::model::element::{ElementKind, FrameState};
use crate::model::{AppliedForce, Model, Mount};
use crate::spatial::{
    Matrix3, Spatial, Vector3, add, angular, dot, join, linear, matrix_product, rotate6, sub,
};

/// A frame on which loads and elements act.
#[derive(Clone, Debug)]
pub(super) struct FramePoint {
    pub body: Option<usize>,
    deformation: Option<usize>,
    position: Vector3,
    rotation: Matrix3,
}

impl FramePoint {
    pub fn new(body: Option<usize>, deformation: Option<usize>, mount: &Mount) -> Self {
        Self { body, deformation, position: mount.position, rotation: *mount.rotation }
    }

    /// Local position in the body frame, its rate, and the rotation and spin of the point there.
    fn local(&self, at: &Evaluation) -> (Vector3, Vector3, Matrix3, Vector3) {
        match self.deformation {
            None => (self.position, [0.0; 3], self.rotation, [0.0; 3]),
            Some(d) => {
                let shape = &at.deformations[d];
                let arm = shape.arm(&self.position);
                (arm.value, arm.rate, matrix_product(&shape.rotation, &self.rotation), shape.spin)
            }
        }
    }

    /// Pose and velocity, positions counted from the common origin.
    pub fn state(&self, global: &GlobalModel, at_: &Evaluation) -> FrameState {
        let Some(k) = self.body else {
            let position = sub(&self.position, &global.naturals.origin);
            return FrameState { rotation: self.rotation, position, velocity: [0.0; 6] };
        };
        let (x, x_rate) = (&at_.frames[k], &at_.rates[k]);
        let (y, y_rate, turned, own_spin) = self.local(at_);
        let weights = [1.0, y[0], y[1], y[2]];
        let velocity = add(&at(x_rate, &weights), &turn(x, &y_rate));
        let turning = add(&spin(x, x_rate), &turn(x, &own_spin));
        FrameState {
            rotation: matrix_product(&rotation(x), &turned),
            position: at(x, &weights),
            velocity: join(&turning, &velocity),
        }
    }

    /// Adds a wrench [moment; force] in inertial components at the origin of the frame.
    pub fn push(&self, global: &GlobalModel, wrench: &Spatial, at_: &mut Evaluation) {
        let Some(k) = self.body else { return };
        let (moment, force) = (angular(wrench), linear(wrench));
        let (y, _, _, _) = self.local(at_);
        let x = at_.frames[k];
        push(&mut at_.frame_forces[k], &force, &[1.0, y[0], y[1], y[2]]);
        push_moment(&mut at_.frame_forces[k], &x, &moment);
        let Some(d) = self.deformation else { return };
        let (local_force, local_moment) = (turn_back(&x, &force), turn_back(&x, &moment));
        let shape = &at_.deformations[d];
        for (r, c) in global.modes(k).enumerate() {
            at_.force[c] +=
                dot(&local_force, &shape.arm_slope(r, &self.position)) + dot(&local_moment, &shape.turns[r]);
        }
    }

    /// Column of the twist [ω; v] of the frame for each coordinate of its body, in order.
    pub fn twist_columns(&self, global: &GlobalModel, at_: &Evaluation, out: &mut Vec<Spatial>) {
        out.clear();
        let Some(k) = self.body else { return };
        let (y, _, _, _) = self.local(at_);
        let x = &at_.frames[k];
        for (_, z) in &global.maps[k].columns {
            out.push(join(&spin(x, z), &at(z, &[1.0, y[0], y[1], y[2]])));
        }
        for r in 0..global.modes(k).len() {
            out.push(match self.deformation {
                None => [0.0; 6],
                Some(d) => {
                    let shape = &at_.deformations[d];
                    join(&turn(x, &shape.turns[r]), &turn(x, &shape.arm_slope(r, &self.position)))
                }
            });
        }
    }
}

/// Effort of an actuator now; other elements act by themselves.
pub(super) fn effort_of(kind: &ElementKind, at: &Evaluation) -> f64 {
    kind.effort().map_or(1.0, |effort| effort.sample_side(at.time, at.side).value)
}

/// Adds all applied forces to `at.frame_forces` and `at.force`.
pub(super) fn add_forces(model: &Model, global: &GlobalModel, q: &[f64], v: &[f64], at: &mut Evaluation) {
    for k in 0..model.body_count() {
        add_weight_and_stiffness(model, global, k, q, v, at);
    }
    for force in &model.forces {
        add_load(global, force, at);
    }
    for element in &model.elements {
        let [first, second] = element.frames;
        let (first, second) =
            (global.points[first.0].state(global, at), global.points[second.0].state(global, at));
        let force = element.kind.evaluate(&first, &second).times(effort_of(&element.kind, at));
        let on_first = force.on_first(&first, &second);
        at.element_energy += force.energy;
        global.points[element.frames[0].0].push(global, &on_first, at);
        global.points[element.frames[1].0].push(global, &force.wrench, at);
    }
    add_laws(global, at);
}

fn add_weight_and_stiffness(
    model: &Model,
    global: &GlobalModel,
    k: usize,
    q: &[f64],
    v: &[f64],
    at: &mut Evaluation,
) {
    let gravity = &model.gravity;
    let work = &at.inertias[k].1;
    push(&mut at.frame_forces[k], gravity, &work.g[0]);
    let (body, modes) = (&model.bodies[k], global.modes(k));
    for (r, c) in modes.clone().enumerate() {
        let n = &work.coupling[r];
        at.force[c] += gravity[0] * n[0][0] + gravity[1] * n[1][0] + gravity[2] * n[2][0];
    }
    if modes.is_empty() {
        return;
    }
    let elastic = &mut at.elastic[..modes.len()];
    elastic.fill(0.0);
    body.add_elastic_forces(&q[modes.clone()], elastic);
    body.damping.accumulate(&v[modes.clone()], elastic);
    for (c, force) in modes.zip(&*elastic) {
        at.force[c] -= force;
    }
}

fn add_load(global: &GlobalModel, force: &AppliedForce, at: &mut Evaluation) {
    let point = &global.points[force.frame.0];
    let factor = force.scale_at(at.time, at.side);
    let wrench = force.wrench.map(|x| factor * x);
    let wrench = if force.inertial { wrench } else { rotate6(&point.state(global, at).rotation, &wrench) };
    point.push(global, &wrench, at);
}

/// Springs, dampers, friction and efforts along measured joint coordinates.
fn add_laws(global: &GlobalModel, at: &mut Evaluation) {
    for (index, law) in global.laws.iter().enumerate() {
        let row = &mut at.law_rows[index];
        let seen = law.equation.measure(&global.operands, &at.operands, at.measured[index], row);
        at.measured[index] = seen.value;
        let c = &law.coordinate;
        let effort = c.effort.as_ref().map_or(0.0, |f| f.sample_side(at.time, at.side).value);
        let friction =
            if c.friction == 0.0 { 0.0 } else { c.friction * (seen.rate / c.friction_speed).tanh() };
        let slip = if c.friction == 0.0 {
            0.0
        } else {
            let level = (seen.rate / c.friction_speed).tanh();
            c.friction / c.friction_speed * (1.0 - level * level)
        };
        at.law_damping[index] = c.damping + slip;
        at.law_energy += 0.5 * c.stiffness * (seen.value - c.rest).powi(2);
        let total = effort - c.stiffness * (seen.value - c.rest) - c.damping * seen.rate - friction;
        for (&column, &slope) in law.equation.columns.iter().zip(&*row) {
            at.force[column] += total * slope;
        }
    }
}

/// Potential energy of weight, modes, joint springs and elements at the last evaluation (J).
pub(super) fn potential_energy(model: &Model, global: &GlobalModel, q: &[f64], at: &Evaluation) -> f64 {
    let mut sum = at.element_energy + at.law_energy;
    for (k, body) in model.bodies.iter().enumerate() {
        let x: &Frame = &at.frames[k];
        let moment: Vector3 = super::frame::at(x, &at.inertias[k].1.g[0]);
        // Positions are counted from the common origin; the energy is not.
        let shift = at.inertias[k].1.g[0][0] * dot(&model.gravity, &global.naturals.origin);
        sum -= dot(&model.gravity, &moment) + shift;
        sum += body.elastic_energy(&q[global.modes(k)]);
    }
    sum
}

//! Terms of the equations, body by body and chord by chord.
//!
//! Source: Richard (2012), eqs 13-17, 21, 27-46, 57 and 67-70. Cost O(bodies 𝒩²).

use super::Equations;
use crate::constraint::loop_motion;
use crate::model::Model;
use crate::motion::pair::unit_wrenches;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, dot6, rotate_back6};
use crate::state::State;
use crate::workspace::Workspace;

/// Scratch: partial velocities of one body or frame over all speeds.
#[derive(Clone, Debug)]
pub(super) struct Generator<S = f64> {
    partials: Vec<Spatial<S>>,
    columns: Vec<Spatial<S>>,
}

impl<S: Scalar> Generator<S> {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        let zero = vec![[S::ZERO; 6]; model.speed_count()];
        Self { partials: zero.clone(), columns: zero }
    }

    /// M̂ and Φ_q at the motion in `work`, which is that of `state`.
    pub fn fill(&mut self, model: &Model, state: &State<S>, work: &Workspace<S>, out: &mut Equations<S>) {
        out.mass.fill(S::ZERO);
        for k in 0..model.body_count() {
            self.place(model, work, k);
            self.add_mass(model, work, k, out);
        }
        out.jacobian.fill(S::ZERO);
        self.fill_jacobian(model, state, work, out);
    }

    /// Q for the loads in `work` and the accelerations `bias` of bodies at constant speeds.
    pub fn fill_forces(
        &mut self,
        model: &Model,
        work: &Workspace<S>,
        bias: &[Spatial<S>],
        out: &mut Equations<S>,
    ) {
        out.force.copy_from_slice(&work.load.generalized);
        out.given.copy_from_slice(&work.load.acceleration);
        for (k, bias) in bias.iter().enumerate() {
            self.place(model, work, k);
            self.add_force(model, work, k, bias, out);
        }
    }

    /// Partial velocities of body `k` in its own components (36).
    fn place(&mut self, model: &Model, work: &Workspace<S>, k: usize) {
        work.motion.body_jacobian(model, k, &mut self.partials);
        let world = &work.motion.poses.rotation[k];
        for (column, partial) in self.columns.iter_mut().zip(&self.partials) {
            *column = rotate_back6(world, partial);
        }
    }

    /// v_q̇ᵀ m v_q̇ + ω_q̇ᵀ I ω_q̇, modes beside rigid motion (42), (57).
    fn add_mass(&self, model: &Model, work: &Workspace<S>, k: usize, out: &mut Equations<S>) {
        let (n, part, inertias) = (out.speeds, &model.layout.bodies[k], &work.inertias);
        let (rigid, coupling) = (&inertias.rigid[k], &inertias.coupling[part.modal()]);
        let modal = &inertias.modal[part.modal_square()];
        for i in 0..n {
            let carried = rigid.apply(&self.columns[i]);
            for j in 0..n {
                out.mass[j * n + i] += dot6(&self.columns[j], &carried);
            }
            for (r, column) in coupling.iter().enumerate() {
                let value = dot6(column, &self.columns[i]);
                out.mass[(part.v + r) * n + i] += value;
                out.mass[i * n + part.v + r] += value;
            }
        }
        for r in 0..part.modes {
            for s in 0..part.modes {
                out.mass[(part.v + r) * n + part.v + s] += modal[r * part.modes + s];
            }
        }
    }

    /// Virtual work of what products of speeds, gravity and loads ask for, on modes and on the frame (43).
    fn add_force(
        &self,
        model: &Model,
        work: &Workspace<S>,
        k: usize,
        bias: &Spatial<S>,
        out: &mut Equations<S>,
    ) {
        let (part, inertias) = (&model.layout.bodies[k], &work.inertias);
        let alpha = rotate_back6(&work.motion.poses.rotation[k], bias);
        let mut frame = inertias.rigid[k].apply(&alpha);
        for i in 0..6 {
            frame[i] += inertias.bias_rigid[k][i] - work.load.wrench[k][i];
        }
        for (r, column) in inertias.coupling[part.modal()].iter().enumerate() {
            out.force[part.v + r] -= inertias.bias_modal[part.modal + r] + dot6(column, &alpha);
        }
        for (slot, column) in out.force.iter_mut().zip(&self.columns) {
            *slot -= dot6(column, &frame);
        }
    }

    /// Circuit equations of the chords, projected on the directions of their reactions (45), (68), (69).
    fn fill_jacobian(
        &mut self,
        model: &Model,
        state: &State<S>,
        work: &Workspace<S>,
        out: &mut Equations<S>,
    ) {
        for joint in &model.loops {
            let (frames, relative) = loop_motion(model, state, work, joint);
            for side in 0..2 {
                let frame = &model.frames[joint.frames[side].0];
                work.motion.frame_jacobian(model, state, frame, &mut self.partials);
                for (row, index) in joint.rows.iter().zip(joint.row_range()) {
                    let value = row.shape.evaluate(&relative, &[0.0; 3]);
                    let wrench = unit_wrenches(&frames, &value.gradient)[1 - side];
                    let slots = &mut out.jacobian[index * out.speeds..(index + 1) * out.speeds];
                    for (slot, column) in slots.iter_mut().zip(&self.partials) {
                        *slot += dot6(column, &wrench);
                    }
                }
            }
        }
    }
}

//! How accurate a solution is, and one step of iterative refinement.
//!
//! The measure is the backward error: what is missing of the applied forces when
//! inverse dynamics (Newton-Euler, another route than the assemblies) is fed with the
//! accelerations found, relative to the largest force in the system. The remedy
//! solves M δ = residual by the same assemblies, without velocity terms, gravity and
//! prescribed motion, and adds δ. It helps long chains and masses that differ by many
//! orders, where compliances of light parts cancel against those of heavy ones.
//!
//! Cost: one inverse dynamics for the measure, one more evaluation for the remedy.

use super::{DivideAndConquer, Par, solve};
use crate::algorithm::body_inertia::BodyInertias;
use crate::algorithm::closure::LoopParts;
use crate::algorithm::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics};
use crate::error::DynamicsError;
use crate::model::Model;
use crate::motion::kinematics::Kinematics;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, add6};
use crate::state::Load;
use crate::state::State;

/// Scratch of the residual and of the refinement.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Residual<S = f64> {
    inverse: InverseDynamics<S>,
    correction: Load<S>,
    chidot: Vec<S>,
    driving: Vec<S>,
    acceleration: Vec<Spatial<S>>,
    force: Vec<Spatial<S>>,
    multipliers: Vec<S>,
}

impl<S: Scalar> Residual<S> {
    /// Scratch for `model` and `work`.
    pub fn new(model: &Model, work: &DivideAndConquer<S>) -> Self {
        Self {
            inverse: InverseDynamics::new(model),
            correction: Load::new(model),
            chidot: work.chidot.clone(),
            driving: work.driving.clone(),
            acceleration: work.storage.acceleration.clone(),
            force: vec![[S::ZERO; 6]; work.storage.nodes.len()],
            multipliers: vec![S::ZERO; model.constraint_count()],
        }
    }

    /// Missing forces of `chidot`, relative to the largest force in the system.
    pub fn measure(
        &mut self,
        model: &Model,
        kin: &Kinematics<S>,
        inertias: &BodyInertias<S>,
        load: &Load<S>,
        chidot: &[S],
    ) -> f64 {
        inverse_dynamics(model, kin, inertias, chidot, &load.wrench, Terms::All, &mut self.inverse);
        let (mut missing, mut scale) = (0.0_f64, f64::MIN_POSITIVE);
        for (speed, &need) in self.inverse.generalized.iter().enumerate() {
            let free = !load.prescribed[speed];
            let rest = if free { load.generalized[speed] - need } else { S::ZERO };
            self.correction.generalized[speed] = rest;
            self.correction.prescribed[speed] = !free;
            // A NaN must not hide in a maximum.
            missing = if rest.value().is_nan() { f64::INFINITY } else { missing.max(rest.value().abs()) };
            scale = scale.max(load.generalized[speed].value().abs());
        }
        for force in &self.inverse.joint_force {
            scale = force.iter().fold(scale, |largest, x| largest.max(x.value().abs()));
        }
        missing / scale
    }

    /// Copies the solution of `work`.
    fn keep(&mut self, work: &DivideAndConquer<S>) {
        self.chidot.copy_from_slice(&work.chidot);
        self.driving.copy_from_slice(&work.driving);
        self.acceleration.copy_from_slice(&work.storage.acceleration);
        for (kept, node) in self.force.iter_mut().zip(&work.storage.nodes) {
            *kept = node.inner_force;
        }
    }

    /// Adds the solution kept to that of `work`.
    fn add_to(&self, work: &mut DivideAndConquer<S>) {
        for (x, &kept) in work.chidot.iter_mut().zip(&self.chidot) {
            *x += kept;
        }
        for (x, &kept) in work.driving.iter_mut().zip(&self.driving) {
            *x += kept;
        }
        for (x, kept) in work.storage.acceleration.iter_mut().zip(&self.acceleration) {
            *x = add6(x, kept);
        }
        for (node, kept) in work.storage.nodes.iter_mut().zip(&self.force) {
            node.inner_force = add6(&node.inner_force, kept);
        }
    }
}

/// One step of refinement of the solution in `work`; returns the measure before it.
#[doc(hidden)]
pub fn refine<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    inertias: &BodyInertias<S>,
    load: &Load<S>,
    work: &mut DivideAndConquer<S>,
    scratch: &mut Residual<S>,
    par: Par<'_>,
) -> Result<f64, DynamicsError> {
    let before = scratch.measure(model, kin, inertias, load, &work.chidot);
    scratch.keep(work);
    solve(model, kin, inertias, &scratch.correction, true, false, work, par)?;
    scratch.add_to(work);
    Ok(before)
}

/// One step of refinement of a solution by `close_loops` in `divided` and `work`.
///
/// Solves M δ + J* μ = residual, J δ = −Φ̈ by the same assemblies and adds δ to the accelerations, μ to the
/// multipliers and to the reactions in the load. Returns the measure of the forces and the largest Φ̈
/// (m/s², rad/s²) before it.
#[doc(hidden)]
pub fn refine_loops<S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &mut LoopParts<'_, S>,
    divided: &mut DivideAndConquer<S>,
    scratch: &mut Residual<S>,
    par: Par<'_>,
) -> Result<[f64; 2], DynamicsError> {
    let (kin, inertias) = (&work.motion.kinematics, work.inertias);
    let before = scratch.measure(model, kin, inertias, work.load, &divided.chidot);
    scratch.keep(divided);
    scratch.multipliers.copy_from_slice(&work.closure.multipliers);
    let apart = super::loops::constraint_accelerations(model, state, work, divided, par);
    let (kin, inertias) = (&work.motion.kinematics, work.inertias);
    solve(model, kin, inertias, &scratch.correction, true, true, divided, par)?;
    scratch.add_to(divided);
    super::loops::hand_over_forces(model, state, work, divided, Some(&scratch.multipliers), par);
    Ok([before, apart])
}

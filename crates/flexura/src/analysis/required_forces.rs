//! Inverse dynamics of a model: the forces that a motion needs beyond the model's own loads.
//!
//! Source: JPL 90-26 eqs 4.1-4.2 (Newton-Euler), where all accelerations are given. Where only drives are named, their
//! accelerations are given and all others follow from the equations of motion, loops closed by their reactions: the forces
//! of the drives are those that hold the given accelerations (`algorithm/articulated_body.rs` with prescribed
//! speeds). So modes may answer to a motion, and closed mechanisms have an inverse.
//!
//! Cost O(N n²) per state without loops.

use super::labels::{SpeedLabel, joint_speeds, speed_labels};
use super::{AnalysisError, refuse_speed_constraints};
use crate::algorithm::inverse_dynamics::{Terms, inverse_dynamics};
use crate::constraint::prepare_at;
use crate::dynamics::evaluate;
use crate::measure::Snapshot;
use crate::model::Model;
use crate::model::channel::Channel;
use crate::model::words::list;
use crate::state::State;
use crate::workspace::Workspace;

/// Largest gap of a loop that passes for closed (m or rad): results of any method are closer.
const CLOSED: f64 = 1e-5;

/// A model whose motion is given and whose forces are sought.
#[derive(Clone, Debug)]
pub struct InverseProblem {
    /// Those of the model, and drives prescribed.
    model: Model,
    work: Workspace,
    labels: Vec<SpeedLabel>,
    /// Only prescribed speeds are given.
    driven: bool,
    /// Whether the loops are known to leave the drives free.
    counted: bool,
    forces: Vec<f64>,
}

impl InverseProblem {
    /// All accelerations of `model` are given: forces on every joint and mode. Loops are refused.
    pub fn new(model: &Model) -> Result<Self, AnalysisError> {
        if let Some(joint) = model.loops.first() {
            return Err(AnalysisError::Name(format!(
                "joint `{}` closes a loop, around which forces can be shared in many ways: name the drives",
                joint.name
            )));
        }
        Ok(Self::of(model.clone(), false))
    }

    /// Accelerations are given at `drives` (joints or their coordinates) and at prescribed motions of `model`.
    pub fn with_drives(model: &Model, drives: &[String]) -> Result<Self, AnalysisError> {
        refuse_speed_constraints(model, "required forces do")?;
        let mut driven = model.clone();
        for speed in joint_speeds(&speed_labels(model), drives)? {
            driven.prescribed[speed] = true;
        }
        Ok(Self::of(driven, true))
    }

    fn of(model: Model, driven: bool) -> Self {
        let (work, labels, forces) =
            (Workspace::new(&model), speed_labels(&model), vec![0.0; model.speed_count()]);
        Self { model, work, labels, driven, counted: false, forces }
    }

    /// Names of all speeds and of the forces along them.
    pub fn labels(&self) -> &[SpeedLabel] {
        &self.labels
    }

    /// Whether a force is sought along each speed.
    pub fn sought(&self) -> Vec<bool> {
        if self.driven { self.model.prescribed.clone() } else { vec![true; self.labels.len()] }
    }

    /// Accelerations at the last state solved: those given, and those that followed.
    pub fn accelerations(&self) -> &[f64] {
        &self.work.accelerations.chidot
    }

    /// Forces along all speeds for `accelerations` at `state`, zero where none is sought (N, N m, J).
    pub fn solve(&mut self, state: &State, accelerations: &[f64]) -> Result<&[f64], AnalysisError> {
        if self.driven {
            self.solve_driven(state, accelerations)?;
        } else {
            self.solve_given(state, accelerations);
        }
        if self.forces.iter().any(|force| !force.is_finite()) {
            return Err(AnalysisError::NotFinite);
        }
        Ok(&self.forces)
    }

    /// Fills `row` with `channels` at the last state solved, which is `state`; energies have no start to compare with.
    pub fn sample(&mut self, state: &State, channels: &[Channel], row: &mut [f64]) {
        let Self { model, work, .. } = self;
        work.poses(model, state);
        work.reactions(model);
        Snapshot::new(model, state, work, 0.0, 0.0).fill(channels, row);
    }

    fn solve_given(&mut self, state: &State, accelerations: &[f64]) {
        let Self { model, work, forces, .. } = self;
        work.kinematics(model, state);
        work.loads(model, state);
        let found = &mut work.accelerations;
        found.chidot.copy_from_slice(accelerations);
        let (kin, inertias, wrench) = (&work.motion.kinematics, &work.inertias, &work.load.wrench);
        inverse_dynamics(model, kin, inertias, accelerations, wrench, Terms::All, &mut work.inverse);
        found.acceleration.copy_from_slice(&work.inverse.acceleration);
        for (i, force) in forces.iter_mut().enumerate() {
            *force = work.inverse.generalized[i] - work.load.generalized[i];
            found.driving[i] = if model.prescribed[i] { *force } else { 0.0 };
        }
    }

    fn solve_driven(&mut self, state: &State, accelerations: &[f64]) -> Result<(), AnalysisError> {
        self.count_freedoms(state)?;
        let Self { model, work, forces, .. } = self;
        work.load.acceleration.copy_from_slice(accelerations);
        evaluate(model, state, work)?;
        let gaps = &work.closure.residual;
        let open = |joint: &&crate::model::closure::LoopJoint| {
            gaps[joint.row_range()].iter().any(|gap| gap.abs() > CLOSED || gap.is_nan())
        };
        if let Some(joint) = model.loops.iter().find(open) {
            return Err(AnalysisError::Name(format!(
                "at t = {} s the loop closed by joint `{}` is open by {:.1e} (m or rad): give coordinates that close it",
                state.time,
                joint.name,
                work.closure.largest_residual()
            )));
        }
        forces.copy_from_slice(&work.accelerations.driving);
        Ok(())
    }

    /// Refuses drives that the loops do not leave free to choose: where reactions alone can push a drive, its force and
    /// theirs could be shared in many ways.
    fn count_freedoms(&mut self, state: &State) -> Result<(), AnalysisError> {
        if self.model.loops.is_empty() || self.counted {
            return Ok(());
        }
        let driven = self.rank_at(state)?;
        let drives = self.model.prescribed.clone();
        self.model.prescribed.fill(false);
        let free = self.rank_at(state);
        self.model.prescribed = drives;
        let free = free?;
        if driven < free {
            let given = self.labels.iter().zip(&self.model.prescribed).filter(|(_, given)| **given);
            return Err(AnalysisError::Name(format!(
                "the loops leave {} freedoms here, and the drives {} are more or depend on each other: name fewer",
                self.labels.len().saturating_sub(free),
                list(given.map(|(label, _)| label.coordinate.as_str()))
            )));
        }
        self.counted = true;
        Ok(())
    }

    /// Independent constraint rows with the present drives.
    fn rank_at(&self, state: &State) -> Result<usize, AnalysisError> {
        let mut work = Workspace::new(&self.model);
        prepare_at(&self.model, state, &mut work)?;
        Ok(work.closure.rank())
    }
}

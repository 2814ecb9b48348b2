//! Closed chains on the articulated-body recursion.
//!
//! Source: JPL 90-26 section 9 (closure forces from the reflected inertia
//! Q M⁻¹ Q*, the mass matrix never formed) with the constraint rows of Richard
//! (2012), eqs 68-70:
//!
//! | step | file |
//! |---|---|
//! | residual Φ, rate Φ̇ and acceleration Φ̈ of every row at the free motion | `rows` |
//! | Jacobian J: unit reactions carried to the ground along both branches | `jacobian` |
//! | response M⁻¹ J* by the factors of the articulated-body pass | `response` |
//! | (J M⁻¹ J*) λ = −Φ̈, rank-revealing | here |
//! | reactions added to the loads, accelerations found again | here |
//! | positions and speeds put back on the constraints | `project` |
//!
//! Prescribed coordinates of the tree do not respond. A row reaches only the trees
//! on the ground that its chord joins (`structure`): cost O(bodies of these trees)
//! per row plus a factorisation in the number of rows, by blocks where the
//! system is large and sparse (`row_system`).
//!
//! Typeset: book/src/theory/loops.md (LO.5).

mod jacobian;
mod project;
mod response;
mod row_system;
mod rows;
mod structure;

pub(crate) use project::{largest_gap, move_by};
pub use project::{project, project_position, project_velocity};
pub(crate) use row_system::RowSystem;
pub(crate) use rows::{constraint_targets, driver_power, reaction, target};
pub use rows::{loop_motion, relative_motion, unit_wrenches};
pub use structure::RowMatrix;

use super::articulated_body::articulated_body;
use crate::error::DynamicsError;
use crate::model::Model;
use crate::scalar::Scalar;
use crate::spatial::Spatial;
use crate::state::State;
use crate::workspace::Workspace;
use response::Response;
use std::sync::Arc;
use structure::RowStructure;

/// Pivots of the scaled reflected inertia below this count as dependent constraints.
pub const RANK_TOLERANCE: f64 = 1e-11;

/// Scratch and results of the closure of all loops.
#[derive(Clone, Debug)]
pub struct Closure<S = f64> {
    /// Φ of every row: value minus target (m, rad or cosine).
    pub residual: Vec<S>,
    /// Φ̇ of every row.
    pub rate: Vec<S>,
    /// Φ̈ of every row at the accelerations without closure forces.
    pub acceleration: Vec<S>,
    /// λ of every row: reaction along its unit wrench (N or N m).
    pub multipliers: Vec<S>,
    /// J.
    pub jacobian: RowMatrix<S>,
    /// M⁻¹ J*, one row per constraint; zero at prescribed speeds.
    pub response: RowMatrix<S>,
    /// Power that drivers of loop-closing joints put into the system (W).
    pub driver_power: S,
    /// Unit wrench of every row on the second and on the first frame, inertial components.
    wrenches: Vec<[Spatial<S>; 2]>,
    /// Correction of all coordinates or speeds.
    step: Vec<S>,
    /// J M⁻¹ J*.
    reflected: RowSystem<S>,
    sweep: Response<S>,
    pub(crate) structure: Arc<RowStructure>,
}

impl<S: Scalar> Closure<S> {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        let (rows, speeds) = (model.constraint_count(), model.speed_count());
        let structure = Arc::new(RowStructure::new(model));
        Self {
            residual: vec![S::ZERO; rows],
            rate: vec![S::ZERO; rows],
            acceleration: vec![S::ZERO; rows],
            multipliers: vec![S::ZERO; rows],
            jacobian: RowMatrix::new(&structure),
            response: RowMatrix::new(&structure),
            reflected: RowSystem::new(model, &structure),
            driver_power: S::ZERO,
            wrenches: vec![[[S::ZERO; 6]; 2]; rows],
            step: vec![S::ZERO; speeds],
            sweep: Response::new(model),
            structure,
        }
    }

    /// Number of independent rows at the last evaluation.
    pub fn rank(&self) -> usize {
        self.reflected.rank()
    }

    /// Rows that depend on others at the last evaluation.
    pub fn dependent_rows(&self) -> &[usize] {
        self.reflected.dependent()
    }

    /// Solves (J M⁻¹ J*) x = b in place with the last factors; least norm where rows are dependent.
    pub fn solve_reflected(&mut self, right: &mut [S]) {
        self.reflected.solve(right);
    }

    /// Unit wrenches of a row on the second and on the first frame, inertial components.
    pub(crate) fn set_wrenches(&mut self, row: usize, wrenches: [Spatial<S>; 2]) {
        self.wrenches[row] = wrenches;
    }

    /// Largest violation of the positions.
    pub fn largest_residual(&self) -> S {
        largest(&self.residual)
    }

    /// Largest violation of the velocities.
    pub fn largest_rate(&self) -> S {
        largest(&self.rate)
    }
}

fn largest<S: Scalar>(values: &[S]) -> S {
    let size = |x: S| if x.value() < 0.0 { -x } else { x };
    values.iter().fold(S::ZERO, |best, &x| if size(x).value() > best.value() { size(x) } else { best })
}

/// Closes the loops: after the accelerations of the tree, finds reactions and the true accelerations.
pub fn close<S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &mut Workspace<S>,
) -> Result<(), DynamicsError> {
    prepare(model, state, work);
    let closure = &mut work.closure;
    for (multiplier, &acceleration) in closure.multipliers.iter_mut().zip(&closure.acceleration) {
        *multiplier = -acceleration;
    }
    closure.reflected.solve(&mut closure.multipliers);
    apply_reactions(model, state.time, work);
    articulated_body(model, &work.kinematics, &work.inertias, &work.load, &mut work.articulated)
}

/// Adds the reactions of the multipliers found to the loads.
pub(crate) fn apply_reactions<S: Scalar>(model: &Model, time: f64, work: &mut Workspace<S>) {
    let closure = &mut work.closure;
    closure.driver_power = driver_power(model, time, work.load.before, &closure.multipliers);
    rows::add_reactions(model, &work.kinematics, &work.poses, closure, &mut work.load);
}

/// Rows, Jacobian, response and factorised reflected inertia at the present evaluation.
pub(crate) fn prepare<S: Scalar>(model: &Model, state: &State<S>, work: &mut Workspace<S>) {
    rows::evaluate_rows(model, state, work);
    jacobian::fill_jacobian(model, &work.kinematics, &work.poses, &mut work.closure);
    reflect(model, work);
}

/// Kinematics, articulated-body factors, rows, Jacobian and reflected inertia at `state`.
pub fn prepare_at<S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &mut Workspace<S>,
) -> Result<(), DynamicsError> {
    work.kinematics(model, state);
    work.poses(model, state);
    articulated_body(model, &work.kinematics, &work.inertias, &work.load, &mut work.articulated)?;
    prepare(model, state, work);
    Ok(())
}

/// Rows and Jacobian at `state`, whatever its accelerations.
pub(crate) fn rows_and_jacobian<S: Scalar>(model: &Model, state: &State<S>, work: &mut Workspace<S>) {
    work.kinematics(model, state);
    work.poses(model, state);
    rows::evaluate_rows(model, state, work);
    jacobian::fill_jacobian(model, &work.kinematics, &work.poses, &mut work.closure);
}

/// J M⁻¹ J* and its factor from the Jacobian and the articulated-body factors.
fn reflect<S: Scalar>(model: &Model, work: &mut Workspace<S>) {
    let closure = &mut work.closure;
    for (joint, chord) in model.loops.iter().zip(&closure.structure.chords) {
        for row in joint.row_range() {
            let (force, out) = (closure.jacobian.row(row), closure.response.row_mut(row));
            // Rows that move nothing are common: reactions out of the plane of plane mechanisms.
            if force.iter().all(|x| x.value() == 0.0) {
                out.fill(S::ZERO);
                continue;
            }
            for &(tree, from) in &chord.trees {
                response::respond(
                    model,
                    &work.kinematics,
                    &work.articulated,
                    &work.load.prescribed,
                    (&closure.structure.trees[tree], &closure.structure.place),
                    &force[from..],
                    &mut closure.sweep,
                    &mut out[from..],
                );
            }
        }
    }
    closure.reflected.fill(&closure.jacobian, &closure.response);
    closure.reflected.factorize(RANK_TOLERANCE);
}

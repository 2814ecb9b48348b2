//! The equations of motion at a state as matrices: M, M⁻¹, log det M, bias, applied forces, Jacobian of the loops.
//!
//! Source: JPL 90-26 eqs 5.2-5.5 (M by composite bodies), 6.4-6.6 (M⁻¹ and log det M by the innovations factorisation, M
//! never factorised) and 4.1-4.2 (bias by Newton-Euler): M χ̇ + b = T + J* λ. All speeds are free here, also those that
//! the model prescribes; loops are open, their rows stand in J. Cost O(𝒩²) per entry list: M by O(𝒩² depth), every
//! column of M⁻¹ by two sweeps.

use super::AnalysisError;
use super::labels::{SpeedLabel, speed_labels};
use crate::algorithm::articulated_body::FlexibleRoute;
use crate::algorithm::composite_body::{CompositeBody, mass_matrix};
use crate::algorithm::innovations::{Innovations, log_determinant, solve};
use crate::algorithm::inverse_dynamics::{Terms, inverse_dynamics};
use crate::constraint::rows_and_jacobian;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;

/// Matrices over all speeds of a model, row-major.
#[derive(Clone, Debug)]
pub struct MassMatrices {
    /// Names of rows and columns.
    pub labels: Vec<SpeedLabel>,
    /// M.
    pub mass: Vec<f64>,
    /// M⁻¹.
    pub inverse: Vec<f64>,
    /// log det M.
    pub log_determinant: f64,
    /// b: terms of velocity, gravity and elasticity of bodies.
    pub bias: Vec<f64>,
    /// Generalised forces of all loads of the model: springs, dampers, efforts, forces, elements, controllers.
    pub applied: Vec<f64>,
    /// J, one row per constraint of the loops.
    pub jacobian: Vec<f64>,
    /// Joint and number of every row of J.
    pub rows: Vec<String>,
}

/// The matrices of `model` at `state`, which holds its prescribed motions.
pub fn mass_matrices(model: &Model, state: &State) -> Result<MassMatrices, AnalysisError> {
    let speeds = model.speed_count();
    let mut composite = CompositeBody::new(model)?;
    let mut work = Workspace::with_route(model, FlexibleRoute::Direct);
    // The matrices are those of the whole tree: a drive is one more force.
    work.load.prescribed.fill(false);
    work.kinematics(model, state);
    work.loads(model, state);
    mass_matrix(model, &work.motion.kinematics, &work.inertias, &mut composite);
    work.accelerations(model)?;
    let log_determinant = log_determinant(model, &work.articulated)?;
    let inverse = inverse_columns(model, &work)?;
    let [bias, needed] = forces_at_rest(model, &mut work);
    let rows = bias.iter().zip(&needed).zip(&work.load.generalized);
    let applied = rows.map(|((bias, needed), there)| bias - needed + there).collect();
    rows_and_jacobian(model, state, &mut work);
    Ok(MassMatrices {
        labels: speed_labels(model),
        mass: composite.mass,
        inverse,
        log_determinant,
        bias,
        applied,
        jacobian: work.closure.jacobian.dense(speeds),
        rows: row_names(model),
    })
}

/// log det M at `state` alone.
pub fn log_determinant_of_mass(model: &Model, state: &State) -> Result<f64, AnalysisError> {
    let mut work = Workspace::with_route(model, FlexibleRoute::Direct);
    work.load.prescribed.fill(false);
    work.kinematics(model, state);
    work.accelerations(model)?;
    Ok(log_determinant(model, &work.articulated)?)
}

/// M⁻¹, column by column from the factors of articulated bodies.
fn inverse_columns(model: &Model, work: &Workspace) -> Result<Vec<f64>, AnalysisError> {
    let speeds = model.speed_count();
    let mut scratch = Innovations::new(model);
    let (mut unit, mut inverse) = (vec![0.0; speeds], vec![0.0; speeds * speeds]);
    for (column, out) in inverse.chunks_exact_mut(speeds.max(1)).enumerate() {
        // A row in place of a column: M⁻¹ is symmetric.
        unit[column] = 1.0;
        solve(model, &work.motion.kinematics, &work.articulated, &unit, &mut scratch, out)?;
        unit[column] = 0.0;
    }
    Ok(inverse)
}

/// Forces that zero accelerations need, without and with the wrenches of the model's loads.
fn forces_at_rest(model: &Model, work: &mut Workspace) -> [Vec<f64>; 2] {
    let still = vec![0.0; model.speed_count()];
    let none = vec![[0.0; 6]; model.body_count()];
    let (kin, inertias) = (&work.motion.kinematics, &work.inertias);
    [&none, &work.load.wrench].map(|wrench| {
        inverse_dynamics(model, kin, inertias, &still, wrench, Terms::All, &mut work.inverse);
        work.inverse.generalized.clone()
    })
}

fn row_names(model: &Model) -> Vec<String> {
    let of = |joint: &crate::model::closure::LoopJoint| {
        let name = joint.name.clone();
        (1..=joint.row_range().len()).map(move |row| format!("{name}.{row}"))
    };
    model.loops.iter().flat_map(of).collect()
}

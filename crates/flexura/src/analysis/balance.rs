//! Whether a state is an equilibrium or a steady motion: only there do eigenvalues describe what follows.
//!
//! In a tree the generalised forces at zero accelerations, r(q, v), vanish relative to the largest force; in
//! closed loops their part along the constraints, Zᵀr, and speeds must not change. Offline.

use super::equilibrium::residual;
use super::manifold::Manifold;
use super::probe::coordinate_name;
use super::{AnalysisError, refuse_speed_constraints};
use crate::dynamics::evaluate;
use crate::model::Model;
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::workspace::Workspace;

/// Share of the largest force that may be left; an equilibrium leaves 1e-9 at most.
const BALANCED: f64 = 1e-6;

/// A state that will not last.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Imbalance {
    /// Force left over, relative to the largest.
    pub share: f64,
    /// The coordinate with the largest acceleration.
    pub coordinate: String,
    /// Its acceleration (rad/s², m/s² or modal units/s²).
    pub acceleration: f64,
}

impl std::fmt::Display for Imbalance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the model is not in balance at this state: {:.1} % of the largest force is left, and {} accelerates by {:.3e} per s²; \
             eigenvalues hold for this instant only",
            100.0 * self.share,
            self.coordinate,
            self.acceleration
        )
    }
}

/// What is out of balance at `state`; `None` at an equilibrium or in steady motion.
pub fn imbalance(model: &Model, state: &State) -> Result<Option<Imbalance>, AnalysisError> {
    refuse_speed_constraints(model, "the balance of forces does")?;
    let free: Vec<usize> = (0..model.speed_count()).filter(|&i| !model.prescribed[i]).collect();
    let mut state = state.clone();
    let mut work = Workspace::new(model);
    apply_prescribed(model, &mut state, Some(&mut work.load));
    evaluate(model, &state, &mut work)?;
    let (_, mut force, scale) = residual(model, &state, &free, None);
    let accelerations = &work.accelerations.chidot;
    let fastest =
        free.iter().copied().max_by(|&i, &k| accelerations[i].abs().total_cmp(&accelerations[k].abs()));
    let Some(fastest) = fastest else { return Ok(None) };
    let mut changing = false;
    if !model.loops.is_empty() {
        force = Manifold::at(model, &state, &free).basis.tr_mul(&force);
        let speed = free.iter().fold(0.0_f64, |m, &i| m.max(state.v[i].abs()));
        changing = accelerations[fastest].abs() > BALANCED * speed * speed && speed > 0.0;
    }
    let left = force.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let share = if scale > 0.0 { left / scale } else { 0.0 };
    let found = Imbalance {
        share,
        coordinate: coordinate_name(model, fastest),
        acceleration: accelerations[fastest],
    };
    Ok((share > BALANCED || changing).then_some(found))
}

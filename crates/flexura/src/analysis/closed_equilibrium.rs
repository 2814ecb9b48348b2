//! Static equilibrium of systems with closed loops.
//!
//! r(q) − Jᵀλ = 0 and Φ(q) = 0 by Newton on the manifold of the constraints: with
//! Z the null space of J and K the exact tangent of r − Jᵀλ (dual numbers, λ held),
//! (ZᵀKZ) y = −Zᵀr, then the loops are closed again; backtracking line search on
//! Zᵀr. Equivalent to Newton on the saddle-point system, but regular where
//! constraints are redundant. Directions that nothing holds are named.
//!
//! Typeset: book/src/theory/linear_analysis.md (LA.2).

use super::AnalysisError;
use super::equilibrium::{Equilibrium, EquilibriumOptions, residual};
use super::manifold::{Manifold, close_loops, move_free};
use super::probe::coordinate_name;
use crate::linear::{is_finite, singular_values};
use crate::model::Model;
use crate::state::State;
use nalgebra::{DMatrix, DVector};

/// Part of a direction above which a coordinate is named.
const NAMED: f64 = 0.3;

/// Everything Newton needs at one position.
struct Point {
    state: State,
    manifold: Manifold,
    tangent: DMatrix<f64>,
    /// Zᵀr.
    force: DVector<f64>,
    scale: f64,
}

impl Point {
    fn at(model: &Model, state: State, free: &[usize]) -> Self {
        let manifold = Manifold::at(model, &state, free);
        let (_, force, scale) = residual(model, &state, free, None);
        let reactions = manifold.reactions(&force);
        let (tangent, ..) = residual(model, &state, free, Some(reactions.as_slice()));
        let force = manifold.basis.tr_mul(&force);
        Self { state, manifold, tangent, force, scale }
    }

    fn size(&self, scale: f64) -> f64 {
        let largest = if self.force.is_empty() { 0.0 } else { self.force.amax() };
        largest / scale.max(self.scale).max(1e-30)
    }

    fn is_finite(&self) -> bool {
        self.scale.is_finite() && is_finite(&self.tangent) && self.force.iter().all(|x| x.is_finite())
    }

    /// ZᵀKZ.
    fn reduced(&self) -> DMatrix<f64> {
        self.manifold.basis.tr_mul(&(&self.tangent * &self.manifold.basis))
    }

    /// Newton step over the free speeds and the coordinates that nothing holds.
    fn step(&self, model: &Model, free: &[usize]) -> (DVector<f64>, Vec<String>) {
        let basis = &self.manifold.basis;
        let Some(svd) = singular_values(self.reduced(), true, true) else {
            return (DVector::zeros(free.len()), Vec::new());
        };
        let largest = svd.singular_values.max();
        let mut unheld: Vec<String> = Vec::new();
        if let Some(v) = &svd.v_t {
            let loose = (0..svd.singular_values.len()).filter(|&k| svd.singular_values[k] <= 1e-12 * largest);
            for k in loose {
                let direction = basis * v.row(k).transpose();
                for (_, &speed) in free.iter().enumerate().filter(|(i, _)| direction[*i].abs() > NAMED) {
                    let name = coordinate_name(model, speed);
                    if !unheld.contains(&name) {
                        unheld.push(name);
                    }
                }
            }
        }
        let zero = || DVector::zeros(self.force.len());
        let step = svd.solve(&(-&self.force), 1e-12 * largest).unwrap_or_else(|_| zero());
        (basis * step, unheld)
    }
}

/// ZᵀKZ at `state`, what resists displacements along the constraints, and Z.
pub(super) fn reduced_tangent(model: &Model, state: &State, free: &[usize]) -> (DMatrix<f64>, DMatrix<f64>) {
    let point = Point::at(model, state.clone(), free);
    (point.reduced(), point.manifold.basis)
}

/// Newton from `start`, whose loops are closed first.
pub(super) fn newton(
    model: &Model,
    start: &State,
    options: &EquilibriumOptions,
) -> Result<Equilibrium, AnalysisError> {
    let free: Vec<usize> = (0..model.speed_count()).filter(|&i| !model.prescribed[i]).collect();
    let mut state = start.clone();
    if !close_loops(model, &mut state, &free) {
        return Err(AnalysisError::NoEquilibrium { residual: f64::NAN, iterations: 0, unheld: Vec::new() });
    }
    let mut point = Point::at(model, state, &free);
    if !point.is_finite() {
        return Err(AnalysisError::NotFinite);
    }
    let mut scale = point.scale;
    for iteration in 0..options.iterations {
        let size = point.size(scale);
        let (step, unheld) = point.step(model, &free);
        let found = |point: &Point, unheld: Vec<String>| Equilibrium {
            state: point.state.clone(),
            residual: size,
            iterations: iteration,
            unheld,
            unstable: Vec::new(),
        };
        if size <= options.tolerance {
            return Ok(found(&point, unheld));
        }
        match search(model, &point, &free, &step, (size, scale), options.tolerance) {
            Some(next) => {
                scale = scale.max(next.scale);
                point = next;
            }
            // Stalled at the floor of rounding counts as found.
            None if size <= options.tolerance.max(1e-9) => return Ok(found(&point, unheld)),
            None => {
                return Err(AnalysisError::NoEquilibrium { residual: size, iterations: iteration, unheld });
            }
        }
    }
    let (residual, unheld) = (point.size(scale), point.step(model, &free).1);
    Err(AnalysisError::NoEquilibrium { residual, iterations: options.iterations, unheld })
}

/// Backtracking along the manifold.
fn search(
    model: &Model,
    from: &Point,
    free: &[usize],
    step: &DVector<f64>,
    (size, scale): (f64, f64),
    tolerance: f64,
) -> Option<Point> {
    // No more than about a third of a turn at once.
    let mut fraction = (2.0 / step.amax().max(1e-300)).min(1.0);
    while fraction >= 1e-4 {
        let mut state = from.state.clone();
        move_free(model, &mut state, free, &(step * fraction));
        if close_loops(model, &mut state, free) {
            let next = Point::at(model, state, free);
            let now = next.size(scale);
            if next.is_finite() && (now < size || now <= tolerance) {
                return Some(next);
            }
        }
        fraction *= 0.5;
    }
    None
}

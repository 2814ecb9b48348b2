//! Closed chains on the articulated-body recursion.
//!
//! Source: JPL 90-26 section 9 (closure forces from the reflected inertia
//! Q M⁻¹ Q*, the mass matrix never formed) with the constraint rows of Richard
//! (2012), eqs 68-70:
//!
//! | step | file |
//! |---|---|
//! | residual Φ, rate Φ̇ and acceleration Φ̈ of every row at the free motion | `constraint/rows.rs` |
//! | Jacobian J: unit reactions carried to the ground along both branches | `jacobian` |
//! | response M⁻¹ J* by the factors of the articulated-body pass | `response` |
//! | (J M⁻¹ J*) λ = −Φ̈, rank-revealing | `row_system` |
//! | reactions added to the loads | `rows` |
//! | all of it at a state, accelerations found again | `constraint` |
//! | positions and speeds put back on the constraints | `constraint/project.rs` |
//!
//! Prescribed coordinates of the tree do not respond. A row reaches only the trees
//! on the ground that its chord joins (`structure`): cost O(bodies of these trees)
//! per row plus a factorisation in the number of rows, by blocks where the
//! system is large and sparse (`row_system`).
//!
//! Typeset: book/src/theory/loops.md (LO.5).

mod jacobian;
mod response;
mod row_system;
mod rows;
mod structure;

pub(crate) use jacobian::fill_jacobian;
pub(crate) use response::{Response, respond};
pub(crate) use row_system::RowSystem;
pub use rows::LoopParts;
pub(crate) use rows::{
    apply_reactions, constraint_targets, driver_power, driving_power, evaluate_rows, find_driver_power,
    reaction, reaction_on,
};
pub use structure::RowMatrix;

use crate::model::Model;
use crate::scalar::Scalar;
use crate::spatial::Spatial;
use std::sync::Arc;
use structure::RowStructure;

/// Pivots of the scaled reflected inertia below this count as dependent constraints.
pub(crate) const RANK_TOLERANCE: f64 = 1e-11;

/// Scratch and results of the closure of all loops.
///
/// What grows with rows times speeds or rows times rows ([`Closure::jacobian`], [`Closure::response`], the reflected inertia) is
/// made when a closure on articulated bodies is first asked for: whoever closes loops inside assemblies never has it.
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
    pub(crate) wrenches: Vec<[Spatial<S>; 2]>,
    /// Correction of all coordinates or speeds.
    pub(crate) step: Vec<S>,
    /// J M⁻¹ J*.
    pub(crate) reflected: RowSystem<S>,
    pub(crate) sweep: Response<S>,
    pub(crate) structure: Arc<RowStructure>,
}

impl<S: Scalar> Closure<S> {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        let (rows, speeds) = (model.constraint_count(), model.speed_count());
        let structure = Arc::new(RowStructure::default());
        Self {
            residual: vec![S::ZERO; rows],
            rate: vec![S::ZERO; rows],
            acceleration: vec![S::ZERO; rows],
            multipliers: vec![S::ZERO; rows],
            jacobian: RowMatrix::new(&structure),
            response: RowMatrix::new(&structure),
            reflected: RowSystem::empty(),
            driver_power: S::ZERO,
            wrenches: vec![[[S::ZERO; 6]; 2]; rows],
            step: vec![S::ZERO; speeds],
            sweep: Response::empty(),
            structure,
        }
    }

    /// Makes the matrices over all rows where they are not there yet: allocates once.
    pub(crate) fn make_matrices(&mut self, model: &Model) {
        if self.structure.is_made() || model.loops.is_empty() {
            return;
        }
        let structure = Arc::new(RowStructure::new(model));
        self.jacobian = RowMatrix::new(&structure);
        self.response = RowMatrix::new(&structure);
        self.reflected = RowSystem::new(model, &structure);
        self.sweep = Response::new(model);
        self.structure = structure;
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

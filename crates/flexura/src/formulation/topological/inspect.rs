//! What tests look at: rows, Jacobian and factors at the last evaluation.

use super::Topological;
use crate::model::Model;
use crate::motion::attached::GivenAccelerations;
use crate::state::State;
use crate::workspace::Workspace;

impl Topological {
    /// Φ, Φ̇ and Φ̈ of every row.
    #[doc(hidden)]
    pub fn row_values(&self) -> [&[f64]; 3] {
        [&self.rows.residual, &self.rows.rate, &self.rows.acceleration]
    }

    /// Evaluates all rows with these accelerations of bodies and speeds.
    #[doc(hidden)]
    pub fn evaluate_rows_moving(
        &mut self,
        model: &Model,
        state: &State,
        work: &Workspace,
        accelerations: GivenAccelerations<'_, f64>,
    ) {
        self.rows.evaluate(model, (state.time, state.side), &work.motion, Some(accelerations));
    }

    /// Hands every entry of J to `visit`: row, speed and value; those of prescribed speeds are not kept.
    #[doc(hidden)]
    pub fn for_jacobian(&self, model: &Model, mut visit: impl FnMut(usize, usize, f64)) {
        self.jacobian.for_rows(model, &self.structure, |index, row, unknowns| {
            for (&value, &unknown) in row.iter().zip(unknowns) {
                if let Some(&speed) = self.structure.speeds.get(unknown) {
                    visit(index, speed, value);
                }
            }
        });
    }

    /// Entries of the factorised matrix.
    #[doc(hidden)]
    pub fn factors(&self) -> &[f64] {
        &self.matrix.values()[..self.matrix.entries()]
    }

    /// A⁻¹ x with the last factors; zero for prescribed speeds.
    #[doc(hidden)]
    pub fn solved(&mut self, x: &[f64]) -> Vec<f64> {
        let mut found = vec![0.0; x.len()];
        self.solve(x, &mut found);
        found
    }
}

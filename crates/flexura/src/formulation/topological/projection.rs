//! Projection of velocities and accelerations on the constraints.
//!
//! Source: Cuadrado et al. (2007) eq. 39 with its misprint corrected
//! (book/src/theory/errata.md): A ż = W ż* − β'h² Jᵀα Φ_t with the factorised A = W + β'h² JᵀαJ
//! of the step. In the difference form A Δ = −β'h² Jᵀα Φ̇(ż) each pass reduces the
//! violation by about the penalty; repeating it is the multiplier iteration of
//! that minimisation. The forces act along the J of A, the violation is that of J
//! at the present position. One back-substitution per pass.

use super::Topological;
use crate::model::Model;

/// Violation of velocities (or accelerations) that ends the passes, and its part per unit of what moves.
const SETTLED: (f64, f64) = (1e-10, 1e-13);
/// Most passes: at singular positions some directions cannot be corrected.
const PASSES: usize = 12;

/// Which derivative of the constraints is brought to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Velocity,
    Acceleration,
}

impl Topological {
    /// Corrects `values` (speeds or their rates) until the rows of `level` vanish, or once.
    ///
    /// The rows must have been evaluated with `values`; they are updated along with them.
    pub(super) fn project_level(
        &mut self,
        model: &Model,
        level: Level,
        once: bool,
        values: &mut [f64],
    ) -> f64 {
        let size = values.iter().fold(0.0, |best: f64, x| best.max(x.abs()));
        for _ in 0..if once { 1 } else { PASSES } {
            let before = self.worst(level);
            if before <= SETTLED.0 + SETTLED.1 * size {
                break;
            }
            self.solve_pass(model, level);
            self.apply_pass(model, level, 1.0, values);
            // At rounding, or in a direction that the constraints do not reach, passes change nothing.
            if self.worst(level) >= before {
                self.apply_pass(model, level, -1.0, values);
                break;
            }
        }
        self.worst(level)
    }

    fn rows_of(&self, level: Level) -> &[f64] {
        match level {
            Level::Velocity => &self.rows.rate,
            Level::Acceleration => &self.rows.acceleration,
        }
    }

    fn worst(&self, level: Level) -> f64 {
        self.rows_of(level).iter().fold(0.0, |best: f64, x| best.max(x.abs()))
    }

    /// The change of one pass, left in `right`.
    fn solve_pass(&mut self, model: &Model, level: Level) {
        let n = self.structure.speeds.len();
        let (scale, penalty) = (self.scale, &self.penalty);
        let rows = match level {
            Level::Velocity => &self.rows.rate,
            Level::Acceleration => &self.rows.acceleration,
        };
        let right = &mut self.right;
        right.fill(0.0);
        self.jacobian.for_rows(model, &self.structure, |index, row, unknowns| {
            let force = scale * penalty[index] * rows[index];
            for (&x, &u) in row.iter().zip(unknowns) {
                right[u] -= x * force;
            }
        });
        self.matrix.solve(&mut right[..n]);
        right[n] = 0.0;
        self.counts.projections += 1;
    }

    /// Adds `factor` times the change to the values and to what the rows say.
    fn apply_pass(&mut self, model: &Model, level: Level, factor: f64, values: &mut [f64]) {
        let right = &self.right;
        let rows = match level {
            Level::Velocity => &mut self.rows.rate,
            Level::Acceleration => &mut self.rows.acceleration,
        };
        self.here.for_rows(model, &self.structure, |index, row, unknowns| {
            rows[index] += factor * row.iter().zip(unknowns).map(|(&x, &u)| x * right[u]).sum::<f64>();
        });
        for (&speed, &change) in self.structure.speeds.iter().zip(right) {
            values[speed] += factor * change;
        }
    }
}

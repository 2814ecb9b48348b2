//! ∂(dy/dt)/∂y at the start of a step, by one-sided differences.
//!
//! The simplified Newton iteration forgives an error of the Jacobian of a thousandth; increments far above rounding and far
//! below what bends a force law give six digits and more. Entries that influence nothing (the work, prescribed
//! coordinates) have no column of their own. One evaluation per column; no allocation.

use crate::error::SimulationError;
use crate::integrate::Flow;
use crate::model::Model;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// Square root of the rounding of a number.
const ROOT_OF_ROUNDING: f64 = 1.490_116_119_384_765_6e-8;
/// Size of a coordinate or speed at rest (m, rad, m/s, rad/s): what is smaller is told apart from rounding by this.
const SMALL: f64 = 0.1;

/// The matrix with its scratch.
#[derive(Clone, Debug)]
pub(super) struct Jacobian {
    /// Row-major.
    pub matrix: Vec<f64>,
    /// Least size of every entry of y; zero where a column vanishes.
    sizes: Vec<f64>,
    y: Vec<f64>,
    rate: Vec<f64>,
}

impl Jacobian {
    /// Room for `dense` rows and columns.
    pub fn new(model: &Model, dense: usize) -> Self {
        let zero = vec![0.0; Flow::size(model)];
        Self { matrix: vec![0.0; dense * dense], sizes: sizes(model), y: zero.clone(), rate: zero }
    }

    /// Forms the matrix at the start of the step, where dy/dt is `slope`; returns the evaluations it took.
    pub fn form(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
        slope: &[f64],
    ) -> Result<u64, SimulationError> {
        let (size, time) = (slope.len(), flow.start_time());
        self.y.copy_from_slice(flow.initial());
        let mut evaluations = 0;
        for column in (0..size).filter(|&column| self.sizes[column] > 0.0) {
            let value = self.y[column];
            let increment = ROOT_OF_ROUNDING * self.sizes[column].max(value.abs());
            self.y[column] = value + increment;
            evaluations += 1;
            if flow.rate(model, work, time, &self.y, Side::After, &mut self.rate).is_err() {
                // At the edge of the valid range the other side may lie inside.
                self.y[column] = value - increment;
                evaluations += 1;
                flow.rate(model, work, time, &self.y, Side::After, &mut self.rate)?;
            }
            let inverse = 1.0 / (self.y[column] - value);
            for (row, (after, before)) in self.rate.iter().zip(slope).enumerate() {
                self.matrix[row * size + column] = (after - before) * inverse;
            }
            self.y[column] = value;
        }
        Ok(evaluations)
    }
}

/// Least sizes: for modes those that move a node by [`SMALL`] of the body's length or turn it by that angle.
fn sizes(model: &Model) -> Vec<f64> {
    let n = model.speed_count();
    let mut sizes = vec![SMALL; Flow::size(model)];
    for (part, body) in model.layout.bodies.iter().zip(&model.bodies) {
        for r in 0..part.modes {
            let unit = body.largest_shift[r].max(body.largest_slope[r]);
            let size = if unit > 0.0 { SMALL / unit } else { SMALL };
            (sizes[part.v + r], sizes[n + part.v + r]) = (size, size);
        }
    }
    for i in (0..n).filter(|&i| model.prescribed[i]) {
        (sizes[i], sizes[n + i]) = (0.0, 0.0);
    }
    if let Some(work) = sizes.last_mut() {
        *work = 0.0;
    }
    sizes
}

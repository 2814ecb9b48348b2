//! Simplified Newton iteration for the three stages, in transformed variables.
//!
//! Source: Hairer & Wanner, Solving ODE II, section IV.8. Unknowns are the increments z_i = Y_i − y₀ of the stages;
//! with w = T⁻¹ z an iteration solves E₁ Δw₁ = r₁ and E₂ (Δw₂ + iΔw₃) = r₂ + i r₃ where
//! r = T⁻¹ F − Λ w/h and F the rates of the stages. It stops once the error that is left, judged by the
//! contraction Θ, is far below the tolerance of the step, and gives up early when it will not be.

use super::coefficients::{ALPHA, BETA, GAMMA, NODES, T, T_INVERSE};
use super::factors::Factors;
use crate::checkpoint::Tape;
use crate::error::SimulationError;
use crate::integrate::Flow;
use crate::model::Model;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// Iterations before a step is given up.
pub(super) const ITERATIONS: usize = 10;
/// Contraction at which an iteration counts as divergent.
const DIVERGENT: f64 = 0.99;
/// Growth of the second correction that is no divergence yet: where stiff parts turn with the motion, the first
/// correction moves their speeds by its error over h and the second takes that back; from then on corrections
/// shrink in pairs.
const FIRST_RATIO: f64 = 2.0;
/// Corrections below this share of the tolerance that no longer shrink are rounding of large forces.
const ROUNDING: f64 = 0.02;

/// The step under iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub start: f64,
    pub end: f64,
    pub h: f64,
}

/// How an iteration ended.
#[derive(Clone, Debug)]
pub(super) enum Ending {
    /// After this many iterations.
    Converged(usize),
    /// A step shorter by this factor has better chances.
    Slow(f64),
    /// A stage could not be evaluated.
    Fault(SimulationError),
}

/// Stages, their transforms and rates.
#[derive(Clone, Debug)]
pub(super) struct Newton {
    /// z_i.
    pub stages: [Vec<f64>; 3],
    transformed: [Vec<f64>; 3],
    rates: [Vec<f64>; 3],
    y: Vec<f64>,
    /// Contraction Θ of the last iteration.
    pub contraction: f64,
}

impl Newton {
    pub fn new(size: usize) -> Self {
        let three = || std::array::from_fn(|_| vec![0.0; size]);
        Self { stages: three(), transformed: three(), rates: three(), y: vec![0.0; size], contraction: 0.0 }
    }

    /// What lasts from one step to the next besides the stages, which are on the tape of the method.
    pub fn remember(&mut self, tape: &mut Tape) {
        tape.number(&mut self.contraction);
    }

    /// Iterates from the stages given; `weights` are the reciprocals of the tolerances of all entries.
    #[allow(clippy::too_many_arguments)] // parts of one method that borrow apart
    pub fn solve(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
        at: Interval,
        factors: &Factors,
        weights: &[f64],
        tolerance: f64,
        evaluations: &mut u64,
    ) -> Ending {
        combine(&T_INVERSE, &self.stages, &mut self.transformed);
        // A single iteration shows no contraction; that of another step says nothing about this one.
        self.contraction = 0.0;
        let (mut last, mut last_ratio) = (f64::NAN, f64::NAN);
        for iteration in 1..=ITERATIONS {
            *evaluations += 3;
            if let Err(error) = self.evaluate(model, flow, work, at) {
                return Ending::Fault(error);
            }
            let size = self.correct(at.h, factors, weights);
            if !size.is_finite() {
                return Ending::Slow(0.5);
            }
            // A first correction tells nothing about the next: the work, say, follows the motion one iteration later.
            let mut left = 1.0;
            if iteration > 1 {
                let ratio = size / last;
                let contraction = if iteration == 2 { ratio } else { (ratio * last_ratio).sqrt() };
                (last_ratio, self.contraction) = (ratio, contraction);
                if contraction < DIVERGENT {
                    left = contraction / (1.0 - contraction);
                }
                let early = iteration == 2 && contraction < FIRST_RATIO;
                match outlook(contraction, size / tolerance, ITERATIONS - iteration) {
                    Some(_) if size < ROUNDING && !early => return Ending::Converged(iteration),
                    Some(factor) if !early => return Ending::Slow(factor),
                    _ => {}
                }
            }
            last = size.max(f64::MIN_POSITIVE);
            if left * size <= tolerance {
                return Ending::Converged(iteration);
            }
        }
        Ending::Slow(0.5)
    }

    /// Rates of the stages.
    fn evaluate(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
        at: Interval,
    ) -> Result<(), SimulationError> {
        for (s, (stage, rate)) in self.stages.iter().zip(&mut self.rates).enumerate() {
            for ((y, first), z) in self.y.iter_mut().zip(flow.initial()).zip(stage) {
                *y = first + z;
            }
            let (time, side) =
                if s == 2 { (at.end, Side::Before) } else { (at.start + NODES[s] * at.h, Side::After) };
            flow.rate(model, work, time, &self.y, side, rate)?;
        }
        Ok(())
    }

    /// One correction of all stages; returns its size in units of the tolerance.
    fn correct(&mut self, h: f64, factors: &Factors, weights: &[f64]) -> f64 {
        let [r1, r2, r3] = &mut self.rates;
        let [w1, w2, w3] = &mut self.transformed;
        let mut sum = 0.0;
        for i in 0..weights.len() {
            let [a, b, c] = times(&T_INVERSE, [r1[i], r2[i], r3[i]]);
            r1[i] = a - GAMMA / h * w1[i];
            r2[i] = b - ALPHA / h * w2[i] + BETA / h * w3[i];
            r3[i] = c - ALPHA / h * w3[i] - BETA / h * w2[i];
        }
        factors.solve_real(r1);
        factors.solve_complex(r2, r3);
        for i in 0..weights.len() {
            let square = r1[i] * r1[i] + r2[i] * r2[i] + r3[i] * r3[i];
            sum += square * weights[i] * weights[i];
            w1[i] += r1[i];
            w2[i] += r2[i];
            w3[i] += r3[i];
        }
        combine(&T, &self.transformed, &mut self.stages);
        (sum / (3 * weights.len()) as f64).sqrt()
    }
}

/// Whether the iteration would still be above its tolerance after `ahead` more corrections: then the factor for the
/// step that has better chances. `size` of the last correction in units of that tolerance.
fn outlook(contraction: f64, size: f64, ahead: usize) -> Option<f64> {
    if contraction >= DIVERGENT {
        return Some(0.5);
    }
    let expected = contraction / (1.0 - contraction) * size * contraction.powi(ahead as i32);
    (expected >= 1.0).then(|| 0.8 * expected.min(20.0).powf(-1.0 / (4.0 + ahead as f64)))
}

fn times(matrix: &[[f64; 3]; 3], x: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row[0] * x[0] + row[1] * x[1] + row[2] * x[2])
}

/// `out` = `matrix` `x`, entry by entry.
fn combine(matrix: &[[f64; 3]; 3], x: &[Vec<f64>; 3], out: &mut [Vec<f64>; 3]) {
    for i in 0..x[0].len() {
        let value = times(matrix, [x[0][i], x[1][i], x[2][i]]);
        for (slot, value) in out.iter_mut().zip(value) {
            slot[i] = value;
        }
    }
}

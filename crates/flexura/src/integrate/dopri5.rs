//! Dormand-Prince 5(4) with error control and fourth-order dense output.
//!
//! Source: Dormand & Prince, J. Comput. Appl. Math. 6 (1980) 19-26; dense output
//! after Shampine as in Hairer, Nørsett & Wanner, Solving ODE I, section II.6.
//! Seven stages per step.

use super::fixed_step::bounded;
use super::norms::sum_entries;
use super::stepper::{End, Stepper, with_reactions};
use super::{Dense, Flow, StepControl, StepStatistics};
use crate::error::{DynamicsError, SimulationError};
use crate::model::Model;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// Times of the stages as fractions of the step.
pub(crate) const DORMAND_PRINCE_NODES: [f64; 7] =
    [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];
/// Weights of the stages before each stage; the last row gives the result.
pub(crate) const DORMAND_PRINCE_STAGES: [&[f64]; 7] = [
    &[],
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
/// Fifth minus fourth order weights.
const E: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];
/// Weights of the fourth dense-output part.
const D: [f64; 7] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// Smallest step relative to the time before the integration is given up.
const SMALLEST_RELATIVE_STEP: f64 = 1e-14;

/// Mean of h λ above which steps are taken to be held by stability, not by accuracy (TI.17).
const HELD: f64 = 0.6;

/// Stages, step control and counters.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct DormandPrince {
    control: StepControl,
    stages: [Vec<f64>; 7],
    y: Vec<f64>,
    error: Vec<f64>,
    /// Running mean of h λ, λ the rate of the fastest motion that a step excites.
    fastness: f64,
    /// Counters.
    pub statistics: StepStatistics,
}

impl DormandPrince {
    /// Scratch for vectors of length `size`.
    pub(crate) fn new(size: usize, control: StepControl) -> Self {
        let zero = vec![0.0; size];
        Self {
            control,
            stages: std::array::from_fn(|_| zero.clone()),
            y: zero.clone(),
            error: zero,
            fastness: 0.0,
            statistics: StepStatistics::default(),
        }
    }
}

impl Stepper for DormandPrince {
    fn take_back(&mut self) {}

    /// What lasts from one step to the next.
    fn remember(&mut self, tape: &mut crate::checkpoint::Tape) {
        self.control.remember(tape);
        tape.number(&mut self.fastness);
        self.statistics.remember(tape);
    }

    /// Forgets the step history.
    fn restart(&mut self) {
        self.control.restart();
    }

    /// One accepted step that does not pass `limit`.
    fn step(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
        limit: f64,
        dense: &mut Dense,
    ) -> Result<(), SimulationError> {
        let start = flow.start_time();
        self.first_stage(model, flow, work, start)?;
        if self.control.proposal() == 0.0 {
            self.first_step(model, flow, work);
        }
        let wanted = self.control.proposal();
        // Steps that shrink away from a fault end for its reason, not for their size.
        let mut fault = None;
        loop {
            let (end, h) = bounded(start, self.control.proposal(), limit);
            // Two limits may lie one rounding apart: such a step is short by order, not by error.
            let smallest = SMALLEST_RELATIVE_STEP * (1.0 + start.abs());
            if h <= smallest && end < limit {
                let stuck = SimulationError::dynamics(start, DynamicsError::StepTooSmall);
                return Err(fault.unwrap_or(stuck));
            }
            let norm = match self.try_step(model, flow, work, start, end, h) {
                Ok(norm) => norm,
                // A stage far outside may leave the valid range: a shorter step decides.
                Err(error) if h > 1e-10 * (1.0 + start.abs()) => {
                    fault = Some(error);
                    f64::NAN
                }
                Err(error) => return Err(error),
            };
            if self.control.judge(h, norm) {
                self.statistics.accepted += 1;
                self.fastness += 0.2 * ((h * self.fastest_rate(model, work, h)).min(4.0) - self.fastness);
                self.statistics.held += u64::from(self.is_held());
                if end == limit {
                    self.control.keep(wanted);
                }
                self.fill_dense(flow, start, end, h, dense);
                return Ok(());
            }
            self.statistics.rejected += 1;
        }
    }

    fn end(&self) -> End {
        End::Evaluated
    }

    fn complete(&self, model: &Model, reactions: bool, work: &mut Workspace) -> bool {
        with_reactions(model, reactions, work)
    }

    fn statistics(&self) -> StepStatistics {
        self.statistics
    }
}

impl DormandPrince {
    /// Whether the last steps were as long as stability lets them be.
    pub(super) fn is_held(&self) -> bool {
        self.fastness > HELD
    }

    /// Rate of the fastest motion that the last step, of length `h`, has excited (1/s): the last two stages stand at its end, and
    /// their difference is of vibrations and decays that the step hardly follows.
    fn fastest_rate(&self, model: &Model, work: &mut Workspace, h: f64) -> f64 {
        let n = model.speed_count();
        let [.., before, last] = DORMAND_PRINCE_STAGES;
        let of = |i: usize| {
            if i >= n {
                return [0.0; 2];
            }
            let way: f64 =
                (0..6).map(|s| (last[s] - before.get(s).unwrap_or(&0.0)) * self.stages[s][i]).sum();
            let rate = self.stages[6][n + i] - self.stages[5][n + i];
            [rate * rate, way * way]
        };
        let [rates, ways] = sum_entries(model, work, 2 * n, &of);
        if ways > 0.0 { (rates / (h * h * ways)).sqrt().sqrt() } else { 0.0 }
    }

    /// A first guess of the step from the size of y and of its rate.
    fn first_step(&mut self, model: &Model, flow: &Flow, work: &mut Workspace) {
        let (y, rate, control) = (flow.initial(), &self.stages[0], &self.control);
        let of = |i: usize| [control.square(y[i], y[i], y[i]), control.square(rate[i], y[i], y[i]), 1.0];
        let [size, slope, count] = sum_entries(model, work, y.len(), &of);
        self.control.first_step([size, slope].map(|sum| (sum / f64::max(count, 1.0)).sqrt()));
    }

    /// Stage 1. Not taken from the last step (FSAL): δ̇ is relative to a new origin, and
    /// inputs may jump at a break point.
    fn first_stage(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
        start: f64,
    ) -> Result<(), SimulationError> {
        let (first, _) = self.stages.split_at_mut(1);
        self.y.copy_from_slice(flow.initial());
        flow.rate(model, work, start, &self.y, Side::After, &mut first[0])?;
        self.statistics.evaluations += 1;
        Ok(())
    }

    /// Stages 2 to 7 and the error norm.
    fn try_step(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
        start: f64,
        end: f64,
        h: f64,
    ) -> Result<f64, SimulationError> {
        for s in 1..7 {
            let (done, rest) = self.stages.split_at_mut(s);
            let y0 = flow.initial();
            for i in 0..self.y.len() {
                let sum: f64 = DORMAND_PRINCE_STAGES[s].iter().zip(done.iter()).map(|(a, k)| a * k[i]).sum();
                self.y[i] = y0[i] + h * sum;
            }
            let (time, side) =
                if s >= 5 { (end, Side::Before) } else { (start + DORMAND_PRINCE_NODES[s] * h, Side::After) };
            flow.rate(model, work, time, &self.y, side, &mut rest[0])?;
            self.statistics.evaluations += 1;
        }
        for i in 0..self.error.len() {
            self.error[i] = h * E.iter().zip(&self.stages).map(|(e, k)| e * k[i]).sum::<f64>();
        }
        // Prescribed coordinates are exact. The work counts, so that the energy balance can be trusted.
        let n = model.speed_count();
        let counted = |i: usize| i >= 2 * n || !model.prescribed[i % n];
        let (control, error, y0, y) = (&self.control, &self.error, flow.initial(), &self.y);
        let of = |i: usize| match counted(i) {
            true => [control.square(error[i], y0[i], y[i]), 1.0],
            false => [0.0; 2],
        };
        let [sum, count] = sum_entries(model, work, error.len(), &of);
        Ok((sum / f64::max(count, 1.0)).sqrt())
    }

    fn fill_dense(&mut self, flow: &Flow, start: f64, end: f64, h: f64, dense: &mut Dense) {
        let stages = &self.stages;
        let fourth = |i: usize| h * D.iter().zip(stages).map(|(d, k)| d * k[i]).sum::<f64>();
        dense.fill((start, end), (flow.initial(), &self.y), (&stages[0], &stages[6]), fourth);
    }
}

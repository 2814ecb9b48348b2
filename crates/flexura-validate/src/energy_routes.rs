//! Both methods that conserve or take out energy on one model: energy, loops and order together.
//!
//! Source: Bauchau, Damilano & Theron (1995), which Richard (2012, section 5) names as the algorithm that enforces constraints at the
//! levels of positions and speeds. Order from steps h and h/2 over the time of the other implicit routes; energy and loops over the whole run
//! as well. Rows lie at ends of steps, where nothing is interpolated or projected.

use crate::agreement::{RouteOfStep, Steps};
use crate::context::{Context, Fault, PHYSICS};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run};
use crate::sampled::keep_worst;
use flexura::build::Built;

/// Unaccounted energy over the largest met: rounding of all steps of a run.
const ENERGY: f64 = 1e-10;
/// Largest rate of a constraint (m/s, rad/s): what is asked of these methods.
const SPEEDS: f64 = 1e-10;
/// Spectral radius of the energy-decaying runs.
const RADIUS: f64 = 0.5;

/// Names and routes of the methods.
const METHODS: [(&str, RouteOfStep); 2] = [
    ("energy-preserving", Route::EnergyPreserving),
    ("energy-decaying", |step| Route::EnergyDecaying(step, RADIUS)),
];

impl Context<'_> {
    /// Runs `built` by the energy-preserving and the energy-decaying method at two steps; judges energy, speeds of loops and order, and the first
    /// two over the time of `explicit` too.
    pub fn energy_routes(
        &mut self,
        built: &Built,
        what: &str,
        explicit: &Run,
        steps: &Steps,
    ) -> Result<(), Fault> {
        self.energy_order(built, what, explicit, steps)?;
        let end = explicit.time().last().copied().unwrap_or(steps.end);
        if !self.quick && end > steps.end {
            let plan = Plan { end, rows: steps.rows, channels: steps.channels };
            self.energy_whole(built, what, steps.step, &plan)?;
        }
        Ok(())
    }

    /// Runs `built` by both methods at two steps; judges energy, speeds of loops and order.
    pub fn energy_order(
        &mut self,
        built: &Built,
        what: &str,
        explicit: &Run,
        steps: &Steps,
    ) -> Result<(), Fault> {
        let plan = Plan { end: steps.end, rows: steps.rows, channels: steps.channels };
        for (name, route) in METHODS {
            let coarse = self.run(built, route(steps.step), &plan)?;
            let fine = self.run(built, route(0.5 * steps.step), &plan)?;
            let words = format!("{name}, {what}");
            self.judge_order([&coarse, &fine], explicit, steps, &words)?;
            self.judge_exact(built, &format!("{words}: both steps"), &[coarse, fine])?;
        }
        Ok(())
    }

    /// Runs `built` to the end of `plan` by both methods; judges energy and speeds of loops.
    pub fn energy_whole(&mut self, built: &Built, what: &str, step: f64, plan: &Plan) -> Result<(), Fault> {
        for (name, route) in METHODS {
            let run = self.run(built, route(step), plan)?;
            let words =
                format!("{name}, {what}: all {} s, steps of {} ms", short(plan.end), short(1e3 * step));
            self.judge_exact(built, &words, &[run])?;
        }
        Ok(())
    }

    /// Judges the largest error of the energy and, with loops, the largest rate of a constraint in all rows of `runs`.
    fn judge_exact(&mut self, built: &Built, words: &str, runs: &[Run]) -> Result<(), Fault> {
        let (mut energy, mut speeds) = (0.0, 0.0);
        for run in runs {
            energy = keep_worst(energy, run.energy_error()?);
            if !built.model.loops.is_empty() {
                speeds = keep_worst(speeds, run.largest("constraint.velocity")?);
            }
        }
        let why =
            "the method balances energy to rounding, with what it takes out of vibrations counted as work";
        self.judge(exact(format!("{words}: largest error of the energy"), "1", energy).at_most(ENERGY, why));
        if !built.model.loops.is_empty() {
            let why = "the method closes positions and speeds of loops; rows at ends of steps";
            self.judge(
                exact(format!("{words}: largest rate of a constraint"), "m/s", speeds).at_most(SPEEDS, why),
            );
        }
        Ok(())
    }
}

fn exact(name: String, unit: &'static str, value: f64) -> Quantity {
    Quantity::new(name, unit, value).source(PHYSICS, Trust::T1)
}

/// Four digits behind the point at most.
fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

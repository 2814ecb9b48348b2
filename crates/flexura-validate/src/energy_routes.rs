//! Both methods that conserve or take out energy on one model: energy, loops and order together.
//!
//! Source: Bauchau, Damilano & Theron (1995), which Richard (2012, section 5) names as the algorithm that enforces constraints at the
//! levels of positions and speeds. Steps h and h/2; rows lie at ends of steps, where nothing is interpolated or projected.

use crate::agreement::Steps;
use crate::context::{Context, Fault, PHYSICS};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run};
use flexura::build::Built;

/// Unaccounted energy over the largest met: rounding of all steps of a run.
const ENERGY: f64 = 1e-10;
/// Largest rate of a constraint (m/s, rad/s): what is asked of these methods.
const SPEEDS: f64 = 1e-10;
/// Spectral radius of the energy-decaying runs.
const RADIUS: f64 = 0.5;

impl Context<'_> {
    /// Runs `built` by the energy-preserving and the energy-decaying method at two steps; judges energy, speeds of loops and order.
    pub fn energy_routes(
        &mut self,
        built: &Built,
        what: &str,
        explicit: &Run,
        steps: &Steps,
    ) -> Result<(), Fault> {
        let plan = Plan { end: steps.end, rows: steps.rows, channels: steps.channels };
        for (name, radius) in [("energy-preserving", 1.0), ("energy-decaying", RADIUS)] {
            let route = |step: f64| {
                if radius == 1.0 {
                    Route::EnergyPreserving(step)
                } else {
                    Route::EnergyDecaying(step, radius)
                }
            };
            let coarse = self.run(built, route(steps.step), &plan)?;
            let fine = self.run(built, route(0.5 * steps.step), &plan)?;
            let words = format!("{name}, {what}");
            self.judge_order([&coarse, &fine], explicit, steps, &words)?;
            let why = "the method balances energy to rounding, with what it takes out of vibrations counted as work";
            let energy = coarse.energy_error()?.max(fine.energy_error()?);
            self.judge_exact(
                format!("{words}: energy, largest error of both steps"),
                "1",
                energy,
                ENERGY,
                why,
            );
            if built.model.loops.is_empty() {
                continue;
            }
            let why = "the method closes positions and speeds of loops; rows at ends of steps";
            let speeds = coarse.largest("constraint.velocity")?.max(fine.largest("constraint.velocity")?);
            self.judge_exact(format!("{words}: largest rate of a constraint"), "m/s", speeds, SPEEDS, why);
        }
        Ok(())
    }

    fn judge_exact(&mut self, name: String, unit: &'static str, value: f64, limit: f64, why: &str) {
        self.judge(Quantity::new(name, unit, value).at_most(limit, why).source(PHYSICS, Trust::T1));
    }
}

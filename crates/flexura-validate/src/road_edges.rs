//! Steps of one length over the edges of a road: second order, by both implicit formulations, against an error-controlled run.
//!
//! A step that passed over an edge would have an error of first order. Split there (`simulate/edges.rs`) it has none, and what is left
//! falls with the square of the step; evenly, because steps are split too where wheels land and stiff stops close and open
//! (`simulate/touch.rs`). The error is held below a parabola at every length, and its order is judged over four lengths where steps resolve
//! the stops, in which the hubs swing with a period of 15 ms, and over the last three.

use crate::agreement::RouteOfStep;
use crate::context::{Context, Fault, PHYSICS};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route};
use crate::sampled::keep_worst;
use flexura::build::Built;

/// Steps (s).
const STEPS: [f64; 5] = [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4];
/// Largest error of a channel over its range with steps of 1 ms; a run that passes over edges has four times as much there and sixteen times
/// as much with a quarter of the step.
const AT_ONE_MILLISECOND: f64 = 5e-4;
/// First of the steps over which a mean order is judged, up to the last, and its least value. Over four lengths, from 2 ms on, 1.96 and 1.91
/// were measured for suspension and vehicle, over three 1.97 and 1.93: 0.06 and 0.03 are left, 13 and 4 % of the error at one end. First
/// order has 1.
const ORDERS: [(usize, f64); 2] = [(1, 1.85), (2, 1.9)];
/// Tolerance of the error-controlled run.
const REFERENCE: f64 = 1e-9;

impl Context<'_> {
    /// Judges `channels` of both implicit formulations up to `end` (s) at five steps, the order over four.
    pub(crate) fn second_order_over_edges(
        &mut self,
        built: &Built,
        what: &str,
        channels: &[&str],
        end: f64,
    ) -> Result<(), Fault> {
        let plan = Plan { end, rows: 0.02, channels };
        let exact = self.run(built, Route::Stiff(REFERENCE), &plan)?;
        let routes: [(&str, RouteOfStep); 2] =
            [("topological formulation", Route::Topological), ("natural coordinates", Route::Global)];
        for (name, route) in routes {
            let mut errors = [0.0; STEPS.len()];
            for (k, step) in STEPS.into_iter().enumerate() {
                let run = self.run(built, route(step), &plan)?;
                let mut worst = 0.0_f64;
                for channel in channels {
                    let (found, known) = (run.channel(channel)?, exact.channel(channel)?);
                    worst = keep_worst(worst, known.distance(&found) / known.range());
                }
                errors[k] = worst;
                let limit = AT_ONE_MILLISECOND * (step / 1e-3).powi(2);
                let why = "second order over edges: Radau IIA at 1e-9 to the end of the run, below a parabola of the step";
                let name = format!("{name}, {what}: error over all {end} s with steps of {} ms", 1e3 * step);
                self.judge(Quantity::new(name, "1", worst).at_most(limit, why).source(PHYSICS, Trust::T1));
            }
            let last = STEPS.len() - 1;
            for (first, least) in ORDERS {
                let order = (errors[first] / errors[last]).ln() / (STEPS[first] / STEPS[last]).ln();
                let (from, to) = (1e3 * STEPS[first], 1e3 * STEPS[last]);
                let why = "order two over edges, landings and stops; at 2 ms steps begin to resolve the swing in a stop";
                let name = format!("{name}, {what}: observed order over all {end} s, from {from} to {to} ms");
                self.judge(Quantity::new(name, "1", order).at_least(least, why).source(PHYSICS, Trust::T1));
            }
        }
        Ok(())
    }
}

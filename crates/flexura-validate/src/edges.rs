//! Steps of a given length over edges of roads: errors at four lengths in both formulations, against Radau IIA.

use crate::context::{Context, Fault, PHYSICS};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route};
use flexura::build::Built;

/// Lengths of steps (s), each half the one before.
pub const STEPS: [f64; 4] = [0.01, 0.005, 0.0025, 0.00125];
/// Time between rows (s): all lengths have them at ends of steps.
const ROWS: f64 = 0.01;
/// Tolerance of the reference: its own error is far below that of the shortest steps.
const REFERENCE: f64 = 1e-9;
/// The two formulations by name.
pub const FORMULATIONS: [(&str, fn(f64) -> Route); 2] =
    [("topological", Route::Topological), ("global", Route::Global)];

/// Largest errors of one channel over a whole run (m): a row per formulation, one entry per length of step.
pub struct Errors {
    /// The channel.
    pub channel: String,
    /// By formulation and length.
    pub errors: [[f64; 4]; 2],
}

/// Runs to `end` (s) in both formulations at all lengths.
pub fn errors(
    context: &mut Context,
    built: &Built,
    end: f64,
    channels: &[&str],
) -> Result<Vec<Errors>, Fault> {
    let plan = Plan { end, rows: ROWS, channels };
    let reference = context.run(built, Route::Stiff(REFERENCE), &plan)?;
    let mut found: Vec<Errors> =
        channels.iter().map(|name| Errors { channel: (*name).into(), errors: [[0.0; 4]; 2] }).collect();
    for (formulation, (_, route)) in FORMULATIONS.iter().enumerate() {
        for (i, step) in STEPS.into_iter().enumerate() {
            let run = context.run(built, route(step), &plan)?;
            for one in &mut found {
                let known = reference.channel(&one.channel)?;
                one.errors[formulation][i] = run.channel(&one.channel)?.distance(&known);
            }
        }
    }
    Ok(found)
}

/// Judges that errors fall with the square of the length; the table goes into the notes of the case.
pub fn judge_orders(context: &mut Context, built: &Built, end: f64, channels: &[&str]) -> Result<(), Fault> {
    if context.quick {
        return Ok(());
    }
    for Errors { channel, errors } in errors(context, built, end, channels)? {
        for ((name, _), errors) in FORMULATIONS.iter().zip(errors) {
            let listed: Vec<String> = errors.iter().map(|error| format!("{error:.2e}")).collect();
            context.note(format!(
                "{channel}, {name}, rigid parts: largest errors over {end} s at 10, 5, 2.5 and 1.25 ms against Radau IIA: {} m.",
                listed.join(", ")
            ));
            let order = (errors[0] / errors[3]).log2() / 3.0;
            let why = "the trapezoidal rule is of second order, edges included";
            let quantity =
                Quantity::new(format!("{channel}: order of {name} steps from 10 to 1.25 ms"), "1", order);
            context.judge(quantity.at_least(1.8, why).source(PHYSICS, Trust::T1));
        }
    }
    Ok(())
}
